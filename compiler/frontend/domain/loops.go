// Package domain chooses what of a structured function becomes hardware (design page
// "Pipeline", "the DFG domain"): the whole function or one loop nest. A loop nest is
// taken out of its function as a function of its own; what is left calls it and stays
// on the host.
package domain

import (
	"math"
	"slices"
	"sort"

	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Accel is the unit attribute of a loop that its source marks to become hardware
// (#pragma loom accel).
const Accel = "loom.accel"

// Loop is one loop of a function. Numbers count from 0, outer loops before inner ones,
// in the order of the text.
type Loop struct {
	Number int `json:"loop"`
	// Depth is the number of loops around it, Parent the number of the innermost
	// of them, -1 for none.
	Depth  int `json:"depth"`
	Parent int `json:"parent"`
	// Kind is "for", "while" or "parallel".
	Kind string `json:"kind"`
	// Trips is how often its body runs, -1 where it is known at run time only.
	Trips int64 `json:"trips"`
	// Memories are the arrays that it reads and writes, by name.
	Memories []Memory `json:"memories"`
	// Accel is set for a loop under #pragma loom accel.
	Accel bool `json:"accel"`
	// Why is the reason why the loop cannot be a domain, "" where it can.
	Why string `json:"not_a_domain,omitempty"`
	// Work is a static estimate of the operations that all its runs in one of the function
	// perform.
	Work float64 `json:"work"`
	// Moves is why Choose leaves the loop to the host: "it only fills memory", "it only
	// copies" or "it only counts"; "" for a loop that computes.
	Moves string `json:"moves,omitempty"`
	// Place is the position of its first line in the source.
	Place string `json:"at"`

	Op  *ir.Operation `json:"-"`
	Pos diag.Pos      `json:"-"`
}

// Memory is an array that a loop touches.
type Memory struct {
	Name   string `json:"name"`
	Read   bool   `json:"read"`
	Write  bool   `json:"write"`
	Type   string `json:"type"`
	root   *ir.Value
	symbol string
}

// kinds are the loops by the name of the operation.
var kinds = map[string]string{
	opname.SCFFor: "for", opname.SCFWhile: "while", opname.SCFParallel: "parallel", opname.SCFForall: "parallel",
	opname.AffineFor: "for", opname.AffineParallel: "parallel",
}

// Loops lists the loops of a function.
func Loops(fn *ir.Operation) []*Loop {
	var out []*Loop
	// runs is how often an operation is executed.
	var visit func(op *ir.Operation, depth, parent int, runs float64)
	visit = func(op *ir.Operation, depth, parent int, runs float64) {
		if kind, isLoop := kinds[op.Name]; isLoop {
			l := &Loop{Number: len(out), Depth: depth, Parent: parent, Kind: kind, Trips: trips(op),
				Accel: op.Attr(Accel) != nil, Op: op, Pos: op.Pos, Memories: memories(op), Place: op.Pos.String(), Work: runs * work(op, 0)}
			l.Why, l.Moves = obstacle(op), moves(op)
			depth, parent, runs = depth+1, l.Number, runs*iterations(op)
			out = append(out, l)
		}
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				for _, o := range b.Ops {
					visit(o, depth, parent, runs)
				}
			}
		}
	}
	for _, r := range fn.Regions {
		for _, b := range r.Blocks {
			for _, op := range b.Ops {
				visit(op, 0, -1, 1)
			}
		}
	}
	return out
}

// trips is the number of iterations of a loop with constant bounds, -1 for others.
func trips(op *ir.Operation) int64 {
	one := func(low, high, step *ir.Value) int64 {
		l, ok1 := low.ConstantInt()
		h, ok2 := high.ConstantInt()
		s, ok3 := step.ConstantInt()
		if !ok1 || !ok2 || !ok3 || s <= 0 {
			return -1
		}
		if h <= l {
			return 0
		}
		d := uint64(h) - uint64(l)
		return int64((d-1)/uint64(s) + 1)
	}
	switch op.Name {
	case opname.SCFFor:
		if op.Attr("unsignedCmp") != nil {
			return -1
		}
		return one(op.Operand(0), op.Operand(1), op.Operand(2))
	case opname.SCFParallel:
		n := len(op.Regions[0].Entry().Args)
		total := int64(1)
		for i := range n {
			t := one(op.Operand(i), op.Operand(n+i), op.Operand(2*n+i))
			if t < 0 || t > 0 && total > math.MaxInt64/t {
				return -1
			}
			total *= t
		}
		return total
	}
	return -1
}

// unknownTrips stands in for the iterations of a loop where they are known at run time only.
const unknownTrips = 10

// iterations estimates how often the body of a loop runs.
func iterations(loop *ir.Operation) float64 {
	if t := trips(loop); t >= 0 {
		return float64(t)
	}
	return unknownTrips
}

// Work estimates the operations that a run of a function performs: every operation
// counts as often as the loops around it run, ten times each where that is not known.
func Work(fn *ir.Operation) float64 {
	total := 0.0
	for _, r := range fn.Regions {
		for _, b := range r.Blocks {
			for _, op := range b.Ops {
				total += work(op, 0)
			}
		}
	}
	return total
}

func work(op *ir.Operation, depth int) float64 {
	if depth > 1000 {
		return 0
	}
	own := 0.0
	if interp.Works(op) {
		own = 1
	}
	inner := 0.0
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			for _, o := range b.Ops {
				inner += work(o, depth+1)
			}
		}
	}
	if _, isLoop := kinds[op.Name]; isLoop {
		inner *= iterations(op)
	}
	return own + inner
}

// views are the operations whose result is a window on the memory of operand 0.
var views = map[string]bool{
	opname.MemRefCast: true, opname.MemRefMemorySpaceCast: true, opname.MemRefSubview: true, opname.MemRefReinterpretCast: true,
	opname.MemRefCollapseShape: true, opname.MemRefExpandShape: true, opname.MemRefTranspose: true, opname.MemRefView: true,
}

// root follows views to the memory behind them.
func root(v *ir.Value) *ir.Value {
	for v.Def != nil && views[v.Def.Name] {
		v = v.Def.Operand(0)
	}
	return v
}

// isMemRef reports whether a value is a memory.
func isMemRef(v *ir.Value) bool { _, ok := v.Type.(*ir.MemRefType); return ok }

// memories lists the arrays that an operation and what is inside it touch, in the
// order of the text.
func memories(op *ir.Operation) []Memory {
	var out []Memory
	touch := func(v *ir.Value, read, write bool) {
		r := root(v)
		name, symbol := r.Name, ""
		if symbol = globalOf(r); symbol != "" {
			name = symbol
		}
		i := slices.IndexFunc(out, func(m Memory) bool { return m.root == r || symbol != "" && m.symbol == symbol })
		if i < 0 {
			i = len(out)
			out = append(out, Memory{Name: name, Type: r.Type.String(), root: r, symbol: symbol})
		}
		out[i].Read = out[i].Read || read
		out[i].Write = out[i].Write || write
	}
	op.Walk(func(o *ir.Operation) bool {
		switch o.Name {
		case opname.MemRefLoad, opname.AffineLoad:
			touch(o.Operand(0), true, false)
		case opname.MemRefStore, opname.AffineStore:
			touch(o.Operand(1), false, true)
		case opname.MemRefAtomicRmw:
			touch(o.Operand(1), true, true)
		case opname.MemRefCopy:
			touch(o.Operand(0), true, false)
			touch(o.Operand(1), false, true)
		case opname.FuncCall:
			for _, v := range o.Operands() {
				if isMemRef(v) {
					touch(v, true, true)
				}
			}
		}
		return true
	})
	sort.SliceStable(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// obstacle is the reason why a loop cannot be taken out of its function, "" if it can.
func obstacle(op *ir.Operation) string {
	for _, r := range op.Results() {
		if isMemRef(r) {
			return "it yields a memory, which only the host could hold"
		}
	}
	why := ""
	op.Walk(func(o *ir.Operation) bool {
		if len(o.Succs) > 0 || o.Name == opname.FuncReturn {
			why = "it is left by a jump (" + o.Name + "), so it is no part of structured control flow"
		}
		return why == ""
	})
	if why == "" && changesGlobals(op, map[*ir.Operation]bool{}) {
		why = "a function that it calls uses a variable outside of it"
	}
	if why != "" {
		return why
	}
	for _, v := range liveIns(op) {
		if !isMemRef(v) {
			continue
		}
		r := root(v)
		switch {
		case r.Def == nil && r.Block != nil && r.Block.ParentOp() != nil && r.Block.ParentOp().Name == opname.FuncFunc:
		case r.Def != nil && (r.Def.Name == opname.MemRefAlloca || r.Def.Name == opname.MemRefAlloc || r.Def.Name == opname.MemRefGetGlobal):
		default:
			return "a memory that it uses is chosen at run time outside of it"
		}
	}
	return ""
}

// changesGlobals reports whether the functions called inside use globals that are no
// constants.
func changesGlobals(op *ir.Operation, seen map[*ir.Operation]bool) bool {
	found := false
	op.Walk(func(o *ir.Operation) bool {
		ref, ok := o.Attr("callee").(*ir.SymbolRefAttr)
		if !ok || found {
			return !found
		}
		callee := ir.LookupSymbol(o, ref.Root)
		if callee == nil || seen[callee] {
			return true
		}
		seen[callee] = true
		callee.Walk(func(g *ir.Operation) bool {
			if g.Name == opname.MemRefGetGlobal {
				def := ir.LookupSymbol(g, globalOf(g.Result(0)))
				found = found || def == nil || def.Attr("constant") == nil
			}
			return !found
		})
		found = found || changesGlobals(callee, seen)
		return !found
	})
	return found
}

// liveIns are the values from outside that an operation and what is inside it use, in
// the order of their first use.
func liveIns(op *ir.Operation) []*ir.Value {
	var out []*ir.Value
	seen := map[*ir.Value]bool{}
	op.Walk(func(o *ir.Operation) bool {
		for _, v := range o.Operands() {
			if v != nil && !seen[v] && outside(v, op) {
				seen[v] = true
				out = append(out, v)
			}
		}
		return true
	})
	return out
}

// outside reports whether a value is defined outside of an operation.
func outside(v *ir.Value, op *ir.Operation) bool {
	if v.Def != nil {
		return !op.IsAncestorOf(v.Def)
	}
	at := v.Block.ParentOp()
	return at == nil || !op.IsAncestorOf(at)
}
