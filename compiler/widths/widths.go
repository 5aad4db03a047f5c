// Package widths finds how many bits of each value of a dataflow graph carry information: a
// counter that ends at 64 has 7 bits, whatever its type. Circuits that are built from a graph
// have channels and units of that width.
//
// Two facts are computed for each value. Its interval comes from what it is computed from, by
// the rules of the analysis of structured programs (analysis/ranges), from the bounds of streams,
// from the comparisons that branches are steered by, and from the contents of memories on the
// chip. The number of its low bits that anything depends on comes from its readers: of the terms
// of a sum that is cut to 8 bits 8 are needed.
package widths

import (
	"math/bits"

	"loom/compiler/analysis/interval"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Fact is what is known of a value.
type Fact struct {
	// Bits is the width in which the value can be kept, at least 1; Full is that of its type.
	Bits, Full int
	// Signed: the value is the sign extension of these bits, else the zero extension. Where
	// only low bits are needed, the value may differ above them.
	Signed bool
	// Interval holds every token of the value.
	Interval interval.Interval
}

// Facts are those of the integers of a graph, i1 included. A value without tokens in any run
// may have none.
type Facts map[*ir.Value]Fact

// Of analyses a valid handshake.func; indexWidth is the width of index in bits.
func Of(fn *ir.Operation, indexWidth int) Facts {
	a := newAnalysis(fn, indexWidth)
	a.forward()
	needed := a.demand(a.needs)
	out := Facts{}
	for v, i := range a.known {
		full := a.width(v)
		f := Fact{Full: full, Interval: i}
		f.Bits, f.Signed = Span(i)
		// Conditions keep their bit.
		if n := needed[v]; n < f.Bits {
			f.Bits, f.Signed = n, false
		}
		f.Bits = max(f.Bits, 1)
		out[v] = f
	}
	return out
}

// Span is the least width in bits that holds an interval, 0 for that of zero alone.
func Span(i interval.Interval) (width int, signed bool) {
	plain := bits.Len64(i.UHi)
	if i.Lo >= 0 {
		return plain, false
	}
	with := max(bits.Len64(uint64(^i.Lo)), bits.Len64(uint64(max(i.Hi, 0)))) + 1
	if with < plain {
		return with, true
	}
	return plain, false
}

// demand returns how many low bits of each value its readers depend on, as needs has it of operand i of an operation.
func (a *analysis) demand(needs func(op *ir.Operation, i int, need map[*ir.Value]int) int) map[*ir.Value]int {
	need := map[*ir.Value]int{}
	for changed := true; changed; {
		changed = false
		for k := len(a.body.Ops) - 1; k >= 0; k-- {
			op := a.body.Ops[k]
			for i, v := range op.Operands() {
				if w := a.width(v); w > 0 {
					if n := min(needs(op, i, need), w); n > need[v] {
						need[v] = n
						changed = true
					}
				}
			}
		}
	}
	return need
}

// needs is how many low bits of operand i an operation depends on, given what its readers need.
func (a *analysis) needs(op *ir.Operation, i int, need map[*ir.Value]int) int {
	const all = 64
	result := 0
	for _, r := range op.Results() {
		result = max(result, need[r])
	}
	shift := func() (int, bool) {
		k, ok := a.known[op.Operand(1)].Constant()
		_, known := a.known[op.Operand(1)]
		return int(k), ok && known && k >= 0 && k < 64
	}
	switch op.Name {
	case opname.HandshakeCondBr, opname.HandshakeMux, opname.DataflowCarry, opname.DataflowInvariant, opname.ArithSelect:
		if i == 0 {
			return all
		}
		return result
	case opname.DataflowGate:
		if i == 1 {
			return all
		}
		return need[op.Result(0)]
	case opname.DataflowHold, opname.ArithAddI, opname.ArithSubI, opname.ArithMulI, opname.ArithOrI, opname.ArithXOrI, opname.ArithTruncI:
		return result
	case opname.ArithAndI:
		if other, ok := a.known[op.Operand(1-i)]; ok {
			return min(result, bits.Len64(other.UHi)) // the other has zeros above
		}
		return result
	case opname.ArithShLI:
		if k, ok := shift(); ok && i == 0 {
			return max(result-k, 0)
		}
	case opname.ArithShRSI, opname.ArithShRUI:
		if k, ok := shift(); ok && i == 0 && result < a.width(op.Result(0))-k {
			return result + k
		}
	case opname.ArithExtSI, opname.ArithExtUI, opname.ArithIndexCast, opname.ArithIndexCastUI:
		return result // an extension's sign is above the operand's bits only if they are all needed
	}
	return all
}
