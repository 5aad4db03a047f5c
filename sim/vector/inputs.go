package vector

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"sort"
	"strconv"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/sizes"
)

// MaxElements bounds the elements of all memories of one run together: larger
// inputs are refused instead of exhausting the machine.
const MaxElements = 1 << 24

// ParseInputs reads an input file (design page "Pipeline", "Input vectors")
// against a signature. indexWidth is the width of index values. Every fault is
// reported at its position in the JSON text; the error is a *diag.List.
func ParseInputs(file string, text []byte, sig *Signature, indexWidth int) (*Inputs, error) {
	r := &inputReader{file: file, text: string(text), sig: sig, indexWidth: indexWidth}
	p := &jsonParser{text: r.text, fail: r.errorf}
	root := p.file()
	if p.err != nil {
		return nil, &r.errs
	}
	in := r.root(&root)
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	return in, nil
}

// inputReader makes bit patterns from the JSON tree.
type inputReader struct {
	file       string
	text       string
	lines      []int // offsets of line starts, made at the first error
	sig        *Signature
	indexWidth int
	elements   int64
	errs       diag.List
}

// maxFaults ends the reading of one bad memory: the rest is mostly the same.
const maxFaults = 20

func (r *inputReader) errorf(offset int, format string, args ...any) *diag.Diagnostic {
	if r.lines == nil {
		r.lines = []int{0}
		for i := range len(r.text) {
			if r.text[i] == '\n' {
				r.lines = append(r.lines, i+1)
			}
		}
	}
	line := sort.SearchInts(r.lines, offset+1)
	pos := diag.Pos{File: r.file, Line: line, Col: offset - r.lines[line-1] + 1}
	return r.errs.Errorf(pos, format, args...)
}

func (r *inputReader) root(n *node) *Inputs {
	const shape = `the file looks like {"args": {"n": 8, "x": [1, 2], "y": {"zeros": 8}}}`
	if n.kind != nodeObject {
		r.errorf(n.offset, "the input file must hold an object, not %s", n.kind).WithHelp(shape)
		return nil
	}
	for _, m := range n.members {
		if m.key != "args" {
			r.errorf(m.offset, "unknown key %q", m.key).WithHelp(shape)
		}
	}
	args := n.get("args")
	if args == nil {
		r.errorf(n.offset, `key "args" is missing`).WithHelp(shape)
		return nil
	}
	if args.kind != nodeObject {
		r.errorf(args.offset, `"args" must be an object, not %s`, args.kind).WithHelp(shape)
		return nil
	}
	// A key is a parameter name, else "arg" and a position.
	values := make([]*node, len(r.sig.Params))
	byKey := map[string]int{}
	for i := range r.sig.Params {
		byKey[fmt.Sprintf("arg%d", i)] = i
	}
	for i, p := range r.sig.Params {
		byKey[p.Name] = i
	}
	var members []member
	for i := range args.members {
		m := &args.members[i]
		if _, ok := byKey[m.key]; !ok {
			if parts := r.fields(m, byKey); len(parts) > 0 {
				members = append(members, parts...)
				continue
			}
		}
		members = append(members, *m)
	}
	for i := range members {
		m := &members[i]
		at, ok := byKey[m.key]
		switch {
		case !ok && slices.Contains(r.sig.Unused, m.key):
		case !ok:
			r.errorf(m.offset, "%s has no parameter %q", r.kernel(), m.key).WithHelp("%s", r.parameterList())
		case values[at] != nil:
			r.errorf(m.offset, "parameter %q is given twice", r.sig.Params[at].Name)
		default:
			values[at] = &m.value
		}
	}
	in := &Inputs{}
	for i, p := range r.sig.Params {
		if values[i] == nil && slices.ContainsFunc(r.sig.Sizes, func(s sizes.Size) bool { return s.Param == i }) {
			in.Args = append(in.Args, Arg{Name: p.Name, Type: p.Type})
			continue
		}
		if values[i] == nil {
			r.errorf(args.offset, "argument %q (%s) is missing", p.Name, p.Type).WithHelp("%s", r.parameterList())
			continue
		}
		in.Args = append(in.Args, r.argument(p, values[i]))
	}
	if r.errs.HasErrors() {
		return in
	}
	for _, s := range r.sig.Sizes {
		size, a := in.size(s), &in.Args[s.Param]
		if given := values[s.Param]; given != nil && a.Scalar != size {
			r.errorf(given.offset, "argument %q is %d, but dimension %d of %q has %d elements", a.Name, int64(a.Scalar), s.Dim, in.Args[s.Of].Name, size).
				WithHelp("leave it out: it is taken from the shape")
		}
		a.Scalar = size
	}
	return in
}

// size is the size of a memory, as its shape says.
func (in *Inputs) size(s sizes.Size) uint64 { return uint64(in.Args[s.Of].Mem.Shape[s.Dim]) }

// fields takes a struct, or a list of structs, apart into the parameters that stand for
// its members: "p": [{"x": 1, "y": 2}] is "p.x": [1], "p.y": [2]. It returns nothing for
// what is no such thing.
func (r *inputReader) fields(m *member, byKey map[string]int) []member {
	known := func(n *node) bool {
		if n.kind != nodeObject || len(n.members) == 0 {
			return false
		}
		_, ok := byKey[m.key+"."+n.members[0].key]
		return ok
	}
	var out []member
	switch {
	case known(&m.value):
		for _, f := range m.value.members {
			out = append(out, member{m.key + "." + f.key, f.offset, f.value})
		}
	case m.value.kind == nodeArray && len(m.value.elems) > 0 && known(&m.value.elems[0]):
		first := m.value.elems[0].members
		for i, f := range first {
			list := node{kind: nodeArray, offset: m.value.offset}
			for k := range m.value.elems {
				e := &m.value.elems[k]
				v := e.get(f.key)
				if v == nil || len(e.members) != len(first) {
					if i == 0 {
						r.errorf(e.offset, "element %d of %q must be an object with the members of the first", k, m.key)
					}
					continue
				}
				list.elems = append(list.elems, *v)
			}
			out = append(out, member{m.key + "." + f.key, f.offset, list})
		}
	}
	return out
}

func (r *inputReader) kernel() string {
	if r.sig.Name == "" {
		return "the kernel"
	}
	return "kernel " + ir.SymbolText(r.sig.Name)
}

func (r *inputReader) parameterList() string {
	if len(r.sig.Params) == 0 {
		return r.kernel() + " has no parameters"
	}
	parts := make([]string, len(r.sig.Params))
	for i, p := range r.sig.Params {
		parts[i] = p.Name + ": " + p.Type.String()
	}
	return r.kernel() + " takes " + strings.Join(parts, ", ")
}

func (r *inputReader) argument(p Param, n *node) Arg {
	a := Arg{Name: p.Name, Type: p.Type}
	if t, ok := p.Type.(*ir.MemRefType); ok {
		a.Mem = &Memory{Name: p.Name, Elem: t.Elem}
		r.memory(a.Mem, t, n)
		return a
	}
	if !scalarType(p.Type, r.indexWidth) {
		r.errorf(n.offset, "parameter %q has type %s, which has no input form", p.Name, p.Type)
		return a
	}
	a.Scalar = r.scalar(fmt.Sprintf("parameter %q", p.Name), p.Type, n)
	return a
}

// scalarType reports whether values of t are numbers of 1 to 64 bits.
func scalarType(t ir.Type, indexWidth int) bool {
	w, ok := ir.BitWidth(t, indexWidth)
	return ok && w >= 1 && w <= 64 && (ir.IsInt(t) || ir.IsFloat(t))
}

// scalar reads one number of type t; what names the value in messages.
func (r *inputReader) scalar(what string, t ir.Type, n *node) uint64 {
	if ir.IsFloat(t) {
		return r.float(what, t, n)
	}
	if n.kind == nodeBool && t == ir.Type(ir.I1) {
		if n.text == "true" {
			return 1
		}
		return 0
	}
	if n.kind != nodeNumber {
		r.errorf(n.offset, "%s must be a number of type %s, not %s", what, t, n.kind)
		return 0
	}
	v, ok := integerText(n.text)
	if !ok {
		r.errorf(n.offset, "%s must be an integer of type %s, not %s", what, t, n.text)
		return 0
	}
	w, _ := ir.BitWidth(t, r.indexWidth)
	// Both readings of the bits are welcome: 255 and -1 are the same i8.
	low := new(big.Int).Lsh(big.NewInt(-1), uint(w-1))
	high := new(big.Int).Lsh(big.NewInt(1), uint(w))
	if v.Cmp(low) < 0 || v.Cmp(high) >= 0 {
		r.errorf(n.offset, "%s: %s is out of range for %s", what, n.text, t).
			WithHelp("values from %s to %s fit", low, high.Sub(high, big.NewInt(1)))
		return 0
	}
	return num.Truncate(new(big.Int).And(v, new(big.Int).SetUint64(math.MaxUint64)).Uint64(), t, r.indexWidth)
}

// integerText reads an integer exactly. A spelling with a fraction or exponent
// counts when a float64 holds it exactly as an integer (1e3, 2.0).
func integerText(s string) (*big.Int, bool) {
	if strings.ContainsAny(s, ".eE") {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
			return nil, false
		}
		return big.NewInt(int64(f)), true
	}
	if len(s) > 40 { // no 64-bit integer: skip the arithmetic on a huge one
		if s[0] == '-' {
			return new(big.Int).Lsh(big.NewInt(-1), 100), true
		}
		return new(big.Int).Lsh(big.NewInt(1), 100), true
	}
	return new(big.Int).SetString(s, 10)
}

func (r *inputReader) float(what string, t ir.Type, n *node) uint64 {
	v := 0.0
	switch {
	case n.kind == nodeNumber:
		var err error
		if v, err = strconv.ParseFloat(n.text, 64); err != nil {
			r.errorf(n.offset, "%s: %s is out of range for %s", what, n.text, t)
			return 0
		}
	case n.kind == nodeString && n.text == "NaN":
		v = math.NaN()
	case n.kind == nodeString && n.text == "Infinity":
		v = math.Inf(1)
	case n.kind == nodeString && n.text == "-Infinity":
		v = math.Inf(-1)
	default:
		r.errorf(n.offset, "%s must be a number of type %s, not %s", what, t, n.kind).
			WithHelp(`numbers, "NaN", "Infinity" and "-Infinity" are floats`)
		return 0
	}
	bits, ok := num.EncodeFloat(v, t)
	if !ok {
		r.errorf(n.offset, "%s has type %s, which has no input form", what, t)
	} else if back, _ := num.DecodeFloat(bits, t); math.IsInf(back, 0) && !math.IsInf(v, 0) {
		r.errorf(n.offset, "%s: %s is out of range for %s", what, n.text, t)
	}
	return bits
}
