package irdl

import (
	"slices"

	"loom/compiler/arch"
	"loom/compiler/dialect/dataflow"
)

// An operation's signature in the vocabulary of IRDL. Operands and results are
// written as a list of constraint variables: a variable that occurs twice stands
// for one type (IRDL binds it at its first use). Behind the name stands how many
// values there are:
//
//	T    exactly one
//	T?   none or one
//	T*   any number, all of one type
//	T,I^ pairs of values, up to maxStores of them
//	R^   any number of values of any types: maxRuns variables, each for a run of
//	     neighbours of one type; O^ the same for results
//
// Variables start with a letter that states what they may be:
//
//	T  what a channel of a graph carries: integer, index, float, none, tuple
//	E  what a memory holds: integer, index, float
//	N  what a loop counts in: integer or index
//	S  a selector: integer or index
//	U  a tuple
//	P  an untagged value of a fabric: bits or a native type
//	G  a tagged value, !fabric.tagged
//	Q  any of both
//	W  the type of a tag, A the width of bits
//	M  a memref
//	C  the condition i1
//	K  a control token, none
type signature struct {
	name    string
	in, out string
	// attrs are the attributes that must be present, by name and kind.
	attrs []attribute
	// body states that the operation holds a graph.
	body bool
}

// attribute is one required attribute. Words, if there are any, are the allowed
// strings.
type attribute struct {
	name, kind string
	words      []string
}

// Kinds of attributes.
const (
	intAttr    = "int"    // an integer
	numberAttr = "number" // an integer or a float
	textAttr   = "text"
	typeAttr   = "type"
	symbolAttr = "symbol"
	listAttr   = "list" // an array
)

// What an operation of the generic form can have at most: runs of operands or
// results of one type, and stores of one memory. IRDL has no variadic of mixed
// types, so each run and each store needs variables of its own, and their number
// is fixed by the definition.
const (
	maxRuns   = 64
	maxStores = 128
)

// dialect is one dialect of the file.
type dialect struct {
	name, summary string
	types         []parametricType
	ops           []signature
}

// parametricType is a type with its parameters, which are constraint variables.
type parametricType struct{ name, parameters string }

// components adds the kinds of component that have no signature: any ports.
func components(ops []signature) []signature {
	for _, k := range arch.Kinds() {
		if !slices.ContainsFunc(ops, func(s signature) bool { return s.name == k.String() }) {
			ops = append(ops, signature{name: k.String(), in: "R^", out: "O^"})
		}
	}
	return ops
}

// dialects is everything the shipped file defines.
func dialects() []dialect {
	return []dialect{
		{
			name: "handshake", summary: "the operations of CIRCT's handshake dialect",
			ops: []signature{
				{name: "func", body: true, attrs: []attribute{
					{name: "sym_name", kind: textAttr}, {name: "function_type", kind: typeAttr},
					{name: "argNames", kind: listAttr}, {name: "resNames", kind: listAttr}}},
				{name: "return", in: "R^, K"},
				{name: "constant", in: "K", out: "T", attrs: []attribute{{name: "value", kind: numberAttr}}},
				{name: "cond_br", in: "C, T", out: "T, T"},
				{name: "mux", in: "S, T*", out: "T"},
				{name: "join", in: "R^", out: "K"},
				{name: "load", in: "N, E, K", out: "E, N"},
				{name: "store", in: "N, E, K", out: "E, N"},
				{name: "memory", in: "E,N^, N*", out: "E*, K*", attrs: append([]attribute{{name: "memRefType", kind: typeAttr}}, ports...)},
				{name: "extmemory", in: "M, E,N^, N*", out: "E*, K*", attrs: ports},
				{name: "fork", in: "T", out: "T*"},
				{name: "lazy_fork", in: "T", out: "T*"},
				{name: "buffer", in: "T", out: "T", attrs: []attribute{{name: "slots", kind: intAttr}, {name: "bufferType", kind: intAttr}}},
				{name: "br", in: "T", out: "T"},
				{name: "merge", in: "T*", out: "T"},
				{name: "control_merge", in: "T*", out: "T, S"},
				{name: "sink", in: "T"},
				{name: "source", out: "K"},
				{name: "never", out: "T"},
				{name: "sync", in: "R^", out: "O^"},
				{name: "pack", in: "R^", out: "U"},
				{name: "unpack", in: "U", out: "O^"},
				{name: "instance", in: "R^", out: "O^", attrs: []attribute{{name: "module", kind: symbolAttr}}},
			},
		},
		{
			name: "dataflow", summary: "the four state machines of loops, sums in parts, interlocks, and values held for a run",
			ops: []signature{
				{name: "stream", in: "N, N, N", out: "N, C", attrs: []attribute{
					{name: "step_op", words: dataflow.StepOps},
					{name: "cont_cond", words: dataflow.ContConds}}},
				{name: "gate", in: "T, C", out: "T, C"},
				{name: "carry", in: "C, T, T", out: "T"},
				{name: "invariant", in: "C, T", out: "T"},
				{name: "accumulate", in: "C, T, T", out: "T", attrs: []attribute{
					{name: "operation", words: dataflow.AccumulateOps},
					{name: "parts", kind: intAttr}}},
				{name: "hold", in: "T", out: "T"},
				{name: "interlock", in: "N, N, K", out: "N"},
			},
		},
		{
			name: "fabric", summary: "the hardware: definitions have a symbol and no operands, uses on the spot have operands",
			types: []parametricType{{"bits", "A"}, {"tagged", "P, W"}},
			ops: components([]signature{
				{name: "module", body: true, attrs: definition},
				{name: "function_unit", body: true, attrs: definition},
				{name: "spatial_pe", body: true, in: "R^", out: "O^"},
				{name: "temporal_pe", body: true, in: "R^", out: "O^"},
				{name: "instance", in: "R^", out: "O^", attrs: []attribute{{name: "target", kind: symbolAttr}}},
				{name: "yield", in: "R^"},
				{name: "mux", in: "T*", out: "T*"},
				{name: "fifo", in: "Q?", out: "Q2?"},
				{name: "add_tag", in: "P?", out: "G?"},
				{name: "map_tag", in: "G?", out: "G2?"},
				{name: "del_tag", in: "G?", out: "P?"},
				{name: "load_lane", in: "I?, G?, G2?", out: "G3?, P?, K?"},
				{name: "store_lane", in: "I?, P?, G?", out: "G2?, G3?, K?"},
			}),
		},
	}
}

var (
	ports = []attribute{{name: "ldCount", kind: intAttr}, {name: "stCount", kind: intAttr}, {name: "id", kind: intAttr}}

	definition = []attribute{{name: "sym_name", kind: textAttr}, {name: "function_type", kind: typeAttr}}
)
