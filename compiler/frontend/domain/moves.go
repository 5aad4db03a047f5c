package domain

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// moves returns why a loop nest does no work worth hardware of its own, "" where it does: it
// only fills arrays, copies them or counts. In such a nest arithmetic makes nothing but
// addresses, conditions and sums of counters:
//
//	for (i = 0; i < 256; i++) bins[i] = 0;     fills
//	for (i = 0; i < n; i++) b[n - i] = a[i];   copies
//	for (i = 0; i < n; i++) bins[x[i]]++;      works: it adds to what it has loaded
func moves(loop *ir.Operation) string {
	m := &mover{loop: loop, known: map[*ir.Value]bool{}}
	loads, stores, only := false, false, true
	loop.Walk(func(op *ir.Operation) bool {
		switch op.Name {
		case opname.MemRefLoad, opname.AffineLoad:
			loads = true
		case opname.MemRefStore, opname.AffineStore:
			stores = true
		case opname.MemRefCopy:
			loads, stores = true, true
		}
		only = only && m.allows(op)
		return only
	})
	switch {
	case !only:
		return ""
	case loads:
		return "it only copies"
	case stores:
		return "it only fills memory"
	}
	return "it only counts"
}

// linear are the operations that make sums of counters, and conditions on them.
var linear = map[string]bool{
	opname.ArithAddI: true, opname.ArithSubI: true, opname.ArithCmpI: true, opname.ArithSelect: true,
	opname.ArithMaxSI: true, opname.ArithMaxUI: true, opname.ArithMinSI: true, opname.ArithMinUI: true,
	opname.IndexAdd: true, opname.IndexSub: true, opname.IndexCmp: true,
	opname.IndexMaxs: true, opname.IndexMaxu: true, opname.IndexMins: true, opname.IndexMinu: true,
	opname.AffineApply: true, opname.AffineMax: true, opname.AffineMin: true,
}

// scaling are those that do with one operand from outside of the loop.
var scaling = map[string]bool{opname.ArithMulI: true, opname.ArithShLI: true, opname.IndexMul: true, opname.IndexShl: true}

// logic combines conditions.
var logic = map[string]bool{opname.ArithAndI: true, opname.ArithOrI: true, opname.ArithXOrI: true}

// casts keep the number that their operand is.
var casts = map[string]bool{
	opname.ArithIndexCast: true, opname.ArithIndexCastUI: true, opname.ArithExtSI: true, opname.ArithExtUI: true,
	opname.ArithTruncI: true, opname.ArithBitcast: true, opname.IndexCasts: true, opname.IndexCastu: true,
}

// frames are the operations that hold others, name memory, order accesses or end a region.
var frames = map[string]bool{
	opname.ArithConstant: true, opname.IndexConstant: true, opname.IndexBoolConstant: true, opname.UBPoison: true,
	opname.MemRefGetGlobal: true, opname.MemRefAlloca: true, opname.MemRefAlloc: true, opname.MemRefDealloc: true,
	opname.MemRefDim: true, opname.SCFYield: true, opname.AffineYield: true, opname.SCFReduce: true,
	opname.MemRefCopy: true, opname.SCFForallInParallel: true, opname.LLVMFence: true,
}

// mover knows which values of a loop nest are counters, sums of them, or from outside.
type mover struct {
	loop  *ir.Operation
	known map[*ir.Value]bool
}

// allows reports whether an operation can be part of filling, copying or counting.
func (m *mover) allows(op *ir.Operation) bool {
	_, isLoop := kinds[op.Name]
	switch {
	case isLoop, frames[op.Name], views[op.Name], casts[op.Name]:
		return true
	case op.Name == opname.ArithSelect, op.Name == opname.SCFIf, op.Name == opname.SCFCondition:
		return m.simple(op.Operand(0))
	case linear[op.Name], scaling[op.Name], logic[op.Name]:
		return m.simple(op.Result(0))
	case op.Name == opname.AffineIf:
		return m.all(op.Operands())
	case op.Name == opname.MemRefLoad, op.Name == opname.AffineLoad:
		return m.all(op.Operands()[1:])
	case op.Name == opname.MemRefStore, op.Name == opname.AffineStore:
		return m.all(op.Operands()[2:])
	}
	return false
}

func (m *mover) all(vs []*ir.Value) bool {
	for _, v := range vs {
		if !m.simple(v) {
			return false
		}
	}
	return true
}

// fixed reports whether a value is the same in all iterations of the nest.
func (m *mover) fixed(v *ir.Value) bool {
	return outside(v, m.loop) || v.Def != nil && (v.Def.Name == opname.ArithConstant || v.Def.Name == opname.IndexConstant || v.Def.Name == opname.MemRefDim)
}

// simple reports whether a value is a counter of the nest, fixed, or a sum of such values.
func (m *mover) simple(v *ir.Value) bool {
	if m.fixed(v) {
		return true
	}
	if s, ok := m.known[v]; ok {
		return s
	}
	m.known[v] = false // until it is shown to be
	s := false
	switch op := v.Def; {
	case op == nil:
		s = m.counter(v)
	case op.Name == opname.MemRefDim, op.Name == opname.IndexBoolConstant:
		s = true
	case casts[op.Name], linear[op.Name]:
		s = m.all(op.Operands())
	case scaling[op.Name]:
		s = m.all(op.Operands()) && (m.fixed(op.Operand(0)) || m.fixed(op.Operand(1)))
	case logic[op.Name]:
		s = v.Type == ir.Type(ir.I1) && m.all(op.Operands())
	case op.Name == opname.SCFFor:
		s = m.simple(op.Operand(3+v.Index)) && m.counter(op.Regions[0].Entry().Args[1+v.Index])
	case op.Name == opname.SCFWhile:
		s = m.simple(op.Regions[0].Entry().Terminator().Operand(1 + v.Index))
	case op.Name == opname.SCFIf:
		s = m.simple(op.Operand(0))
		for _, r := range op.Regions {
			s = s && m.simple(r.Entry().Terminator().Operand(v.Index))
		}
	}
	m.known[v] = s
	return s
}

// counter reports whether an argument of a loop's region counts: the loop counts with it, or
// each iteration adds to it what is the same in all of them.
func (m *mover) counter(v *ir.Value) bool {
	loop := v.Block.ParentOp()
	if loop == nil {
		return false
	}
	switch loop.Name {
	case opname.SCFParallel, opname.SCFForall, opname.AffineParallel:
		return v.Block.Parent == loop.Regions[0]
	case opname.AffineFor:
		return v.Index == 0
	case opname.SCFFor:
		return v.Index == 0 || m.advances(v.Block.Terminator().Operand(v.Index-1), v, 0)
	case opname.SCFWhile:
		if v.Block == loop.Regions[1].Entry() {
			return m.simple(loop.Regions[0].Entry().Terminator().Operand(1 + v.Index))
		}
		return m.advances(loop.Regions[1].Entry().Terminator().Operand(v.Index), v, 0)
	}
	return false
}

// advances reports whether a value is from, plus or minus what is fixed.
func (m *mover) advances(v, from *ir.Value, depth int) bool {
	if v == from {
		return true
	}
	if depth > 100 || m.fixed(v) {
		return false
	}
	op := v.Def
	if op == nil {
		// An argument of the second region of a while loop, or of a loop inside; another one of
		// the same loop is another value.
		loop, around := v.Block.ParentOp(), from.Block.ParentOp()
		switch {
		case loop.Name == opname.SCFWhile && v.Block == loop.Regions[1].Entry():
			return m.advances(loop.Regions[0].Entry().Terminator().Operand(1+v.Index), from, depth+1)
		case loop == around || !around.IsAncestorOf(loop):
			return false
		case loop.Name == opname.SCFWhile:
			return m.simple(v) && m.advances(loop.Operand(v.Index), from, depth+1)
		case loop.Name == opname.SCFFor && v.Index > 0:
			return m.simple(v) && m.advances(loop.Operand(2+v.Index), from, depth+1)
		}
		return false
	}
	next := func(w *ir.Value) bool { return m.advances(w, from, depth+1) }
	switch {
	case casts[op.Name]:
		return next(op.Operand(0))
	case op.Name == opname.ArithAddI, op.Name == opname.IndexAdd:
		a, b := op.Operand(0), op.Operand(1)
		return m.fixed(b) && next(a) || m.fixed(a) && next(b)
	case op.Name == opname.ArithSubI, op.Name == opname.IndexSub:
		return m.fixed(op.Operand(1)) && next(op.Operand(0))
	case op.Name == opname.ArithSelect:
		return next(op.Operand(1)) && next(op.Operand(2))
	case op.Name == opname.SCFFor:
		return m.simple(op.Regions[0].Entry().Args[1+v.Index]) && next(op.Operand(3+v.Index))
	case op.Name == opname.SCFWhile:
		return next(op.Regions[0].Entry().Terminator().Operand(1 + v.Index))
	case op.Name == opname.SCFIf && len(op.Regions) == 2 && op.Regions[1].Entry() != nil:
		return next(op.Regions[0].Entry().Terminator().Operand(v.Index)) && next(op.Regions[1].Entry().Terminator().Operand(v.Index))
	}
	return false
}
