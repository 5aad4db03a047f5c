package opkit

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
)

// SegmentsAttr describes how the operands of an operation with several groups of
// variable length are divided.
const SegmentsAttr = "operandSegmentSizes"

// SetSegments stores the sizes of operand groups.
func SetSegments(st *mlir.OpState, sizes ...int) {
	values := make([]int64, len(sizes))
	for i, n := range sizes {
		values[i] = int64(n)
	}
	st.Set(SegmentsAttr, &ir.DenseArrayAttr{Elem: ir.I32, Values: values})
}

// Segments divides the operands into n groups, nil where the attribute does
// not fit the operands.
func Segments(op *ir.Operation, n int) [][]*ir.Value {
	a, ok := op.Attr(SegmentsAttr).(*ir.DenseArrayAttr)
	if !ok || len(a.Values) != n {
		return nil
	}
	groups := make([][]*ir.Value, n)
	rest := op.Operands()
	for i, size := range a.Values {
		if size < 0 || size > int64(len(rest)) {
			return nil
		}
		groups[i], rest = rest[:size], rest[size:]
	}
	if len(rest) > 0 {
		return nil
	}
	return groups
}

// VerifySegments checks that the operands divide into n groups.
func VerifySegments(n int) Verifier {
	return func(op *ir.Operation, errs *diag.List) {
		if Segments(op, n) == nil {
			Errorf(op, errs, "attribute '%s' does not divide %s into %d groups", SegmentsAttr, Plural(op.NumOperands(), "operand"), n)
		}
	}
}

// ParseIndexList reads "[%a, 4, %b]": integers, and operands for those only
// known at run time, which have ir.Dynamic in static.
func ParseIndexList(p *mlir.OpParser, open, close string) (dynamic []mlir.UnresolvedOperand, static []int64) {
	static = []int64{}
	p.ParsePunct(open)
	for first := true; !p.PeekPunct(close); first = false {
		if !first {
			p.ParseSeparator(close)
		}
		if u, ok := p.ParseOptionalOperand(); ok {
			dynamic = append(dynamic, u)
			static = append(static, ir.Dynamic)
			continue
		}
		static = append(static, p.ParseInteger())
	}
	p.ParsePunct(close)
	return dynamic, static
}

// PrintIndexList writes what ParseIndexList reads.
func PrintIndexList(p *mlir.OpPrinter, open, close string, dynamic []*ir.Value, static []int64) {
	p.Text(open)
	k := 0
	for i, n := range static {
		if i > 0 {
			p.Text(", ")
		}
		if n == ir.Dynamic {
			p.Operand(dynamic[k])
			k++
			continue
		}
		p.Printf("%d", n)
	}
	p.Text(close)
}

// I64s makes an array<i64> attribute.
func I64s(values []int64) *ir.DenseArrayAttr { return &ir.DenseArrayAttr{Elem: ir.I64, Values: values} }

// StaticList returns an array<i64> attribute's values and checks that it has as
// many dynamic values as there are operands for them.
func StaticList(op *ir.Operation, errs *diag.List, name string, dynamic []*ir.Value) ([]int64, bool) {
	a, ok := Attr[*ir.DenseArrayAttr](op, errs, name, "array<i64: …>")
	if !ok {
		return nil, false
	}
	if a.Elem != ir.Type(ir.I64) {
		Errorf(op, errs, "attribute '%s' holds %s, expected i64", name, a.Elem)
		return nil, false
	}
	n := 0
	for _, v := range a.Values {
		if v == ir.Dynamic {
			n++
		}
	}
	if n != len(dynamic) {
		Errorf(op, errs, "attribute '%s' has %s, there are %d operands for them", name, Plural(n, "dynamic value"), len(dynamic))
		return nil, false
	}
	return a.Values, IndexAll(op, errs, "operand of "+name, dynamic)
}
