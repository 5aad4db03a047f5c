// Package num evaluates single pure operations: every scalar operation of the arith,
// math and index dialects, and llvm.intr.bitreverse, on raw bit patterns. An operation
// of the index dialect is that of arith at the index width. The interpreter, the token
// simulator, the cycle simulator and the constant folder share this one definition
// (design page "Simulation": "numbers are computed at their declared widths").
//
// # Representation
//
// A value is a uint64. Integers of width N and index values (at the index width
// given to Compile) are in the low bits with all higher bits zero; floats are
// their IEEE bit patterns. Results always have this form. Compiled functions
// require operands in it; Eval converts them to it.
//
// # Total semantics
//
// Where MLIR leaves a result undefined, the value is that of the RTL:
//
//   - addi, subi, muli, shli wrap; overflow flags have no effect.
//   - shli and shrui by the width or more give 0, shrsi gives the sign.
//   - divui x/0 is all ones, remui x%0 is x, divsi x/0 is -1, remsi x%0 is x;
//     the most negative integer divided by -1 is itself, with remainder 0.
//     (The convention of RISC-V.) ceildiv and floordiv by zero give what divui
//     and divsi give.
//   - ctlz and cttz of 0 give the width; absi of the most negative integer is
//     that integer.
//   - Floats round to nearest, ties to even; subnormals are kept. A NaN that an
//     operation produces is the quiet NaN with positive sign and zero payload;
//     operations that only move bits (select, bitcast, negf, absf, copysign)
//     keep payloads.
//   - fptosi and fptoui truncate toward zero and saturate; NaN gives 0.
//   - minimumf and maximumf propagate NaN, minnumf and maxnumf ignore it; all
//     four order -0 below +0.
package num

import (
	"sort"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

// Func evaluates one operation: it reads its operands and writes its results.
// It keeps no reference to the slices, allocates nothing and may be called from
// several goroutines at once.
type Func func(operands, results []uint64)

// Form is a resolved operation: exactly one of the function fields is set, or
// none for a constant, whose value is Const. Simulators that keep values in
// slots call the field directly and avoid the slices of Func.
type Form struct {
	// Operands and Results are how many values go in and come out.
	Operands, Results int
	// Const is the value of an operation without operands.
	Const   uint64
	Unary   func(a uint64) uint64
	Binary  func(a, b uint64) uint64
	Ternary func(a, b, c uint64) uint64
	// Pair is the form of the operations with two operands and two results.
	Pair func(a, b uint64) (uint64, uint64)
}

// Func returns the form behind the uniform signature.
func (f *Form) Func() Func {
	switch {
	case f.Unary != nil:
		g := f.Unary
		return func(o, r []uint64) { r[0] = g(o[0]) }
	case f.Binary != nil:
		g := f.Binary
		return func(o, r []uint64) { r[0] = g(o[0], o[1]) }
	case f.Ternary != nil:
		g := f.Ternary
		return func(o, r []uint64) { r[0] = g(o[0], o[1], o[2]) }
	case f.Pair != nil:
		g := f.Pair
		return func(o, r []uint64) { r[0], r[1] = g(o[0], o[1]) }
	}
	c := f.Const
	return func(_, r []uint64) { r[0] = c }
}

// builder resolves one operation; its operand and result counts have been
// checked.
type builder func(b *build) Form

// entry is one row of the operation table.
type entry struct {
	operands, results int
	make              builder
}

// table holds every operation this package evaluates. The files of the package
// fill it, one per family.
var table = map[string]entry{}

func define(operands, results int, make builder, names ...string) {
	for _, n := range names {
		if _, dup := table[n]; dup {
			panic("num: operation defined twice: " + n)
		}
		table[n] = entry{operands, results, make}
	}
}

// Supported reports whether Compile supports operations of that name.
func Supported(name string) bool { _, ok := table[name]; return ok }

// Names returns the supported operations in alphabetical order.
func Names() []string {
	out := make([]string, 0, len(table))
	for n := range table {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// build is the context of one resolution. Resolve returns the first error; builders
// continue with harmless values after it.
type build struct {
	op         *ir.Operation
	indexWidth int
	err        *diag.Diagnostic
}

func (b *build) fail(format string, args ...any) {
	if b.err == nil {
		b.err = diag.New(b.op.Pos, format, args...)
	}
}

// intWidth returns the width of an integer or index type; other types are an error.
func (b *build) intWidth(t ir.Type, what string) uint {
	if !ir.IsInt(t) {
		b.fail("'%s' needs an integer or index as its %s, not %s", b.op.Name, what, t)
		return 64
	}
	w, _ := ir.BitWidth(t, b.indexWidth)
	if w < 1 || w > 64 {
		b.fail("'%s' with %s: only widths of 1 to 64 bits can be computed", b.op.Name, t)
		return 64
	}
	return uint(w)
}

// float returns the format of a floating-point type; other types are an error.
func (b *build) float(t ir.Type, what string) *format {
	f, ok := formatOf(t)
	if !ok {
		b.fail("'%s' needs f16, bf16, f32 or f64 as its %s, not %s", b.op.Name, what, t)
		return &f64format
	}
	return f
}

func (b *build) in(i int) ir.Type  { return b.op.Operand(i).Type }
func (b *build) out(i int) ir.Type { return b.op.Result(i).Type }

// Resolve looks the operation up and binds its widths, predicate or value.
// indexWidth is the width of index values, 1 to 64. The error is a
// *diag.Diagnostic at the operation.
func Resolve(op *ir.Operation, indexWidth int) (Form, error) {
	b := &build{op: op, indexWidth: indexWidth}
	e, ok := table[op.Name]
	switch {
	case !ok:
		b.fail("'%s' is no operation on numbers", op.Name)
	case op.NumOperands() != e.operands || op.NumResults() != e.results:
		b.fail("'%s' has %d operands and %d results where %d and %d are expected",
			op.Name, op.NumOperands(), op.NumResults(), e.operands, e.results)
	case indexWidth < 1 || indexWidth > 64:
		b.fail("an index width of %d bits cannot be computed", indexWidth)
	}
	if b.err == nil {
		for i, v := range op.Operands() {
			if v == nil {
				b.fail("'%s' operand #%d is unconnected", op.Name, i)
			}
		}
	}
	if b.err != nil {
		return Form{}, b.err
	}
	f := e.make(b)
	f.Operands, f.Results = e.operands, e.results
	if b.err != nil {
		return Form{}, b.err
	}
	return f, nil
}

// Compile resolves the operation once for many evaluations. The error is a
// *diag.Diagnostic at the operation.
func Compile(op *ir.Operation, indexWidth int) (func(operands, results []uint64), error) {
	f, err := Resolve(op, indexWidth)
	if err != nil {
		return nil, err
	}
	return f.Func(), nil
}

// Eval computes the results of one operation. Operand bits above the width of
// their type are ignored.
func Eval(op *ir.Operation, operands []uint64, indexWidth int) (results []uint64, err error) {
	f, err := Compile(op, indexWidth)
	if err != nil {
		return nil, err
	}
	if len(operands) != op.NumOperands() {
		return nil, diag.New(op.Pos, "'%s' evaluated with %d values for %d operands", op.Name, len(operands), op.NumOperands())
	}
	clean := make([]uint64, len(operands))
	for i, v := range operands {
		clean[i] = Truncate(v, op.Operand(i).Type, indexWidth)
	}
	results = make([]uint64, op.NumResults())
	f(clean, results)
	return results, nil
}

// mask returns the low w bits set; w is 1 to 64.
func mask(w uint) uint64 { return ^uint64(0) >> (64 - w) }

// sext reads the low w bits of v as a two's complement integer.
func sext(v uint64, w uint) int64 { return int64(v<<(64-w)) >> (64 - w) }

// Truncate clears the bits of v above the width of t. Types without a width of
// 1 to 64 bits leave v alone.
func Truncate(v uint64, t ir.Type, indexWidth int) uint64 {
	if w, ok := ir.BitWidth(t, indexWidth); ok && w >= 1 && w <= 64 {
		return v & mask(uint(w))
	}
	return v
}

// SignExtend reads v as a two's complement integer of the width of t.
func SignExtend(v uint64, t ir.Type, indexWidth int) int64 {
	if w, ok := ir.BitWidth(t, indexWidth); ok && w >= 1 && w <= 64 {
		return sext(v, uint(w))
	}
	return int64(v)
}
