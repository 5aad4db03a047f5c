package arch

import (
	"slices"

	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// Fused is a body of several operations that hardware executes as one state machine.
type Fused struct {
	Kind FusedKind
	// Stream, Carry, Branch and Compute are the numbers of its operations in the body, -1 for
	// what the kind does not have.
	Stream, Carry, Branch, Compute int
	// In are the numbers of the unit's inputs, in the order of the module's channels: of a counter
	// start, step and bound; of a loop head condition, initial and next value; of an accumulator
	// condition, initial value and what is added.
	In []int
	// Left is set where the accumulated value is operand 0 of what computes.
	Left bool
}

// FusedKind is the kind of a Fused.
type FusedKind int

// The kinds. Two results each: of a counter the index of every iteration and the raw condition,
// of a loop head the value in every iteration and that behind the last one, of an accumulator what
// every iteration computes and the value behind the last one, of one that yields the present value that in
// place of what it computes.
const (
	FusedCounter    FusedKind = iota // dataflow.stream, and cond_br of its index by its condition
	FusedLoop                        // dataflow.carry, and cond_br of its value by the same condition
	FusedAccumulate                  // a loop whose next value an operation computes from the present one
	FusedPresent                     // an accumulator whose next value only itself reads
)

// fusedForms spell the bodies, for messages.
var fusedForms = []string{
	"a stream with a cond_br of its index by its condition (results: true side, condition)",
	"a carry with a cond_br of its value by the same condition (results: true side, false side)",
	"such a carry whose next value addi, subi, andi, ori, xori, a minimum or a maximum, addf, subf or mulf computes from the true side (results: next value, false side)",
	"such a carry whose next value one of these operations on integers computes from the true side, for the carry alone (results: true side, false side)",
}

// FusedForms are the bodies that are one state machine, in words.
func FusedForms() []string { return fusedForms }

// Accumulates reports whether an accumulator may compute with an operation: one on two
// operands and a result of one type, for which the value in the register may be operand left.
func Accumulates(name string, left int) bool {
	switch name {
	case opname.ArithAddI, opname.ArithAndI, opname.ArithOrI, opname.ArithXOrI,
		opname.ArithMaxSI, opname.ArithMinSI, opname.ArithMaxUI, opname.ArithMinUI,
		opname.ArithAddF, opname.ArithMulF, opname.ArithMaximumF, opname.ArithMinimumF, opname.ArithMaxNumF, opname.ArithMinNumF:
		return true
	case opname.ArithSubI, opname.ArithSubF:
		return left == 0
	}
	return false
}

// Accumulator reports whether the unit keeps a value that an operation changes in every iteration.
func (x *Fused) Accumulator() bool {
	return x != nil && (x.Kind == FusedAccumulate || x.Kind == FusedPresent)
}

// Piped is the number of registers in the loop of an accumulator whose operation has them inside
// (loom_accumulate_piped), and so the least number of cycles between its iterations; 0 for all others.
func (f *FunctionUnit) Piped(x *Fused, indexWidth int) int {
	if x == nil || x.Kind != FusedAccumulate {
		return 0
	}
	op := f.Ops[x.Compute].Op
	u, _ := units.Lookup(op.Name)
	if !u.Inside {
		return 0
	}
	l, _ := u.Timing(op, indexWidth)
	return l
}

// fusedUnit is the module of each kind, with its channels.
var fusedUnits = []units.Unit{
	FusedCounter: {Module: "loom_stream", Clocked: true,
		In:  []units.Port{{Stem: "start"}, {Stem: "step"}, {Stem: "bound"}},
		Out: []units.Port{{Stem: "idx"}, {Stem: "cont"}}},
	FusedLoop: {Module: "loom_loop", Clocked: true,
		In:  []units.Port{{Stem: "d"}, {Stem: "a"}, {Stem: "b"}},
		Out: []units.Port{{Stem: "body"}, {Stem: "out"}}},
	FusedAccumulate: {Module: "loom_accumulate", Clocked: true,
		In:  []units.Port{{Stem: "d"}, {Stem: "a"}, {Stem: "x"}},
		Out: []units.Port{{Stem: "n"}, {Stem: "out"}}},
	FusedPresent: {Module: "loom_accumulate", Clocked: true,
		In:  []units.Port{{Stem: "d"}, {Stem: "a"}, {Stem: "x"}},
		Out: []units.Port{{Stem: "n"}, {Stem: "out"}}},
}

// Unit is the library module of a fused unit: its name and the stems of its channels, inputs in the
// order of In, outputs in that of the unit's results.
func (f *Fused) Unit() *units.Unit { return &fusedUnits[f.Kind] }

// Fused classifies a body that is one state machine of several operations; nil for all others.
func (f *FunctionUnit) Fused() *Fused {
	x := &Fused{Stream: -1, Carry: -1, Branch: -1, Compute: -1}
	for i, o := range f.Ops {
		at := &x.Compute
		switch o.Op.Name {
		case opname.DataflowStream:
			at = &x.Stream
		case opname.DataflowCarry:
			at = &x.Carry
		case opname.HandshakeCondBr:
			at = &x.Branch
		}
		// The verifier asks about bodies whose operations may be faulty.
		if u, _ := units.Lookup(o.Op.Name); *at >= 0 || len(o.Operands) != len(u.In) {
			return nil
		}
		*at = i
	}
	if x.Branch < 0 || len(f.Yield) != 2 || (x.Stream < 0) == (x.Carry < 0) {
		return nil
	}
	result := func(r ValueRef, op, k int) bool { return r.Op == op && r.Result == k }
	arg := func(r ValueRef) bool { return r.Op < 0 && r.Arg >= 0 }
	branch := f.Ops[x.Branch].Operands
	if x.Stream >= 0 {
		s := f.Ops[x.Stream].Operands
		if x.Compute >= 0 || !result(branch[0], x.Stream, 1) || !result(branch[1], x.Stream, 0) ||
			!result(f.Yield[0], x.Branch, 0) || !result(f.Yield[1], x.Stream, 1) {
			return nil
		}
		for _, r := range s {
			if !arg(r) {
				return nil
			}
			x.In = append(x.In, r.Arg)
		}
		x.Kind = FusedCounter
		return x.distinct(f)
	}
	carry := f.Ops[x.Carry].Operands
	if !arg(carry[0]) || !arg(carry[1]) || !arg(branch[0]) || branch[0].Arg != carry[0].Arg ||
		!result(branch[1], x.Carry, 0) || !result(f.Yield[1], x.Branch, 1) {
		return nil
	}
	x.In = []int{carry[0].Arg, carry[1].Arg}
	if x.Compute < 0 {
		if !arg(carry[2]) || !result(f.Yield[0], x.Branch, 0) {
			return nil
		}
		x.Kind, x.In = FusedLoop, append(x.In, carry[2].Arg)
		return x.distinct(f)
	}
	compute := f.Ops[x.Compute]
	if len(compute.Operands) != 2 || !result(carry[2], x.Compute, 0) {
		return nil
	}
	switch row, _ := units.Lookup(compute.Op.Name); {
	case result(f.Yield[0], x.Compute, 0):
		x.Kind = FusedAccumulate
	case result(f.Yield[0], x.Branch, 0) && !row.Inside:
		x.Kind = FusedPresent
	default:
		return nil
	}
	left := slices.IndexFunc(compute.Operands, func(r ValueRef) bool { return result(r, x.Branch, 0) })
	if left < 0 || !arg(compute.Operands[1-left]) || !Accumulates(compute.Op.Name, left) {
		return nil
	}
	x.Left = left == 0
	x.In = append(x.In, compute.Operands[1-left].Arg)
	return x.distinct(f)
}

// distinct returns x where its inputs are all of the unit's, each once.
func (x *Fused) distinct(f *FunctionUnit) *Fused {
	sorted := slices.Clone(x.In)
	slices.Sort(sorted)
	if len(slices.Compact(sorted)) != len(x.In) || len(x.In) != len(f.In) {
		return nil
	}
	return x
}

// FusedBody classifies the body of a function unit that is not flattened (Fused).
func FusedBody(body *ir.Block) *Fused {
	f := &FunctionUnit{In: make([]FUPort, len(body.Args))}
	refs := bodyRefs(body)
	for _, op := range body.Ops {
		var operands []ValueRef
		for _, v := range op.Operands() {
			operands = append(operands, refs[v])
		}
		if op.Name == opname.FabricYield {
			f.Yield = operands
			break
		}
		f.Ops = append(f.Ops, &FUOp{Op: op, Operands: operands, Field: -1})
	}
	return f.Fused()
}

// bodyRefs names the values of a body; operations may stand behind what reads them.
func bodyRefs(body *ir.Block) map[*ir.Value]ValueRef {
	refs := map[*ir.Value]ValueRef{}
	for i, a := range body.Args {
		refs[a] = ValueRef{Arg: i, Op: -1}
	}
	for i, op := range body.Ops {
		for r, v := range op.Results() {
			refs[v] = ValueRef{Op: i, Result: r, Arg: -1}
		}
	}
	return refs
}
