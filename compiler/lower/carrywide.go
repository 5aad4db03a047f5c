package lower

import (
	"slices"
	"sync"

	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/ranges"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
	"loom/compiler/units"
)

// carryWide lets loops carry a number in the width that they compute with it. C computes with short and char as int:
//
//	for … iter_args(best = init) -> i16 {          for … iter_args(best = extsi init) -> i32 {
//	  w = maxsi (extsi x), (extsi best)      =>      w = maxsi (extsi x), best
//	  yield trunci w                                 yield w
//	}                                              }
//
// So no recurrence goes through extensions, and what is left of it may be an accumulator. It is done where the extension of the next
// value is known without one: where it is what was truncated, and fitted, or a choice of such numbers, constants and the old value; or where it follows
// from no value of the iteration before, so that its extension waits for nothing.
//
// Extensions without a sign are wires on a fabric (widths.FreeExtensions), but for those of what an argument begins. Only these are worth it, and
// maxima and minima, which may be accumulators then.
//
// Guarantees: the values are the same.
func carryWide(s *state, _ *diag.List) {
	var loops []*ir.Operation
	s.fn.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.SCFFor || op.Name == opname.SCFWhile {
			loops = append(loops, op)
		}
		return true
	})
	facts := sync.OnceValue(s.ranges) // of the function as it is; few have such loops
	changed := false
	for _, loop := range loops {
		for _, c := range carriedNumbers(loop) {
			changed = s.widenCarried(loop, c, facts) || changed
		}
	}
	if changed {
		rewrite.DropDead(s.fn, removable)
	}
}

// carriedNumber is a value that a loop carries: as an iteration gets it, what it is for the next iteration, as the operand of the
// operation that passes it on, and what it is before and behind the loop.
type carriedNumber struct {
	arg          *ir.Value
	next         ir.Use
	init, result *ir.Value
}

// carriedNumbers are the integers that a loop carries and changes in one of its regions.
func carriedNumbers(loop *ir.Operation) (out []carriedNumber) {
	first := loop.Regions[0].Entry()
	if loop.Name == opname.SCFFor {
		for i, r := range loop.Results() {
			out = append(out, carriedNumber{first.Args[1+i], ir.Use{Op: first.Terminator(), Index: i}, loop.Operand(3 + i), r})
		}
	} else {
		// What one region changes the other one passes on.
		condition, after := first.Terminator(), loop.Regions[1].Entry()
		for i, v := range after.Terminator().Operands() {
			if k := slices.Index(after.Args, v); k >= 0 && len(v.Uses()) == 1 {
				out = append(out, carriedNumber{first.Args[i], ir.Use{Op: condition, Index: 1 + k}, loop.Operand(i), loop.Result(k)})
			}
			if k := slices.Index(condition.Operands()[1:], first.Args[i]); k >= 0 && len(first.Args[i].Uses()) == 1 {
				out = append(out, carriedNumber{after.Args[k], ir.Use{Op: after.Terminator(), Index: i}, loop.Operand(i), loop.Result(k)})
			}
		}
	}
	return slices.DeleteFunc(out, func(c carriedNumber) bool {
		_, integer := c.arg.Type.(*ir.IntegerType)
		return !integer
	})
}

// widenCarried carries a number in the width to which the loop extends it, and reports whether it did.
func (s *state) widenCarried(loop *ir.Operation, c carriedNumber, facts func() *ranges.Ranges) bool {
	i := slices.IndexFunc(c.arg.Uses(), func(u ir.Use) bool {
		return u.Op.Name == opname.ArithExtSI || u.Op.Name == opname.ArithExtUI
	})
	if i < 0 {
		return false
	}
	w := &wideNumber{s: s, loop: loop, old: c.arg, how: c.arg.Uses()[i].Op.Name, t: c.arg.Uses()[i].Op.Result(0).Type, facts: facts,
		follows: following(loop, c.arg), knows: map[*ir.Value]bool{}, made: map[*ir.Value]*ir.Value{}}
	value := c.next.Op.Operand(c.next.Index)
	if w.how == opname.ArithExtUI && c.init.Def != nil && !w.extreme(value) {
		return false
	}
	if value == c.arg || !w.known(value) {
		return false
	}
	// Where the loop stands in guards, the first value is there with and without it.
	guard := loop
	for p := guard.ParentOp(); p.Name == opname.SCFIf && rewrite.Outside(c.init, p); p = p.ParentOp() {
		guard = p
	}
	w.init = before(guard).Op(w.how, w.t, c.init)
	w.arg = w.slot(c, w.init)
	w.arg.Name = c.arg.Name
	next := w.of(value, before(c.next.Op))
	c.next.Op.SetOperand(w.at, next)
	// What is extended is what is carried, and what is not is the low bits of that.
	replaceExtended(c.arg, w.arg, w.how, before(w.arg.Block.Ops[0]))
	w.leave(loop, c.result, loop.Result(loop.NumResults()-1), c.init)
	return true
}

// leave replaces what is left of a number behind an operation, a loop or a guard around it that has init where the loop does not run.
func (w *wideNumber) leave(op *ir.Operation, narrow, wide, init *ir.Value) {
	if !narrow.HasUses() {
		return
	}
	wide.Name = narrow.Name
	guard := op.ParentOp()
	if u, once := onlyUse(narrow); once && u.Op == op.Block().Terminator() && guard.Name == opname.SCFIf {
		sides := [2]*ir.Operation{guard.Regions[0].Entry().Terminator(), guard.Regions[1].Entry().Terminator()}
		k := slices.Index(sides[:], u.Op)
		if sides[1-k].Operand(u.Index) == init && rewrite.Outside(w.init, guard) {
			sides[k].AddOperand(wide)
			sides[1-k].AddOperand(w.init)
			w.leave(guard, guard.Result(u.Index), guard.AddResult(w.t), init)
			return
		}
	}
	replaceExtended(narrow, wide, w.how, behind(op))
}

// replaceExtended takes the wide number in place of extensions of a narrow one, and its low bits in place of that.
func replaceExtended(narrow, wide *ir.Value, how string, m rewrite.Maker) {
	var low *ir.Value
	for _, u := range slices.Clone(narrow.Uses()) {
		if u.Op.Name == how && u.Op.Result(0).Type == wide.Type {
			u.Op.Result(0).ReplaceAllUsesWith(wide)
			continue
		}
		if low == nil {
			low = m.Op(opname.ArithTruncI, narrow.Type, wide)
		}
		u.Op.SetOperand(u.Index, low)
	}
}

// wideNumber makes the extensions of what a loop carries.
type wideNumber struct {
	s       *state
	loop    *ir.Operation
	old     *ir.Value
	how     string // the extension
	t       ir.Type
	facts   func() *ranges.Ranges
	follows map[*ir.Value]bool // what follows from old in an iteration
	init    *ir.Value          // what the loop begins with, extended
	arg     *ir.Value          // old, extended
	at      int                // the operand of what passes it on
	// knows and made are what known and of have found for choices, which may be of each other more than once.
	knows map[*ir.Value]bool
	made  map[*ir.Value]*ir.Value
}

// slot gives the loop a value of the wide type to carry, which stays what it is until operand at of c.next.Op is another one.
func (w *wideNumber) slot(c carriedNumber, init *ir.Value) *ir.Value {
	if w.loop.Name == opname.SCFFor || c.next.Op.Name == opname.SCFCondition {
		w.at = c.next.Op.NumOperands()
		return addCarried(w.loop, init, init)
	}
	w.loop.AddOperand(init)
	w.loop.AddResult(init.Type)
	passed := w.loop.Regions[0].Entry().AddArg(init.Type, "", w.loop.Pos)
	w.loop.Regions[0].Entry().Terminator().AddOperand(passed)
	w.at = c.next.Op.NumOperands()
	c.next.Op.AddOperand(init)
	return w.loop.Regions[1].Entry().AddArg(init.Type, "", w.loop.Pos)
}

// extreme reports whether a number was truncated from a maximum or minimum of the wide type.
func (w *wideNumber) extreme(v *ir.Value) bool {
	d := v.Def
	if d == nil || d.Name != opname.ArithTruncI || d.Operand(0).Type != w.t || d.Operand(0).Def == nil {
		return false
	}
	return slices.Contains(units.Extremes, d.Operand(0).Def.Name)
}

// fits reports whether the extension of v's low bits of the narrow type is v.
func (w *wideNumber) fits(v *ir.Value) bool {
	if w.s.opts.deviate == carryAny {
		return true
	}
	i, n := w.facts().Of(v), w.old.Type.(*ir.IntegerType).Width
	if w.how == opname.ArithExtSI {
		return i.Lo >= interval.MinSigned(n) && i.Hi <= interval.MaxSigned(n)
	}
	return i.UHi <= interval.Mask(n)
}

// known reports whether the extension of v is known without one, or waits for nothing that the loop carries.
func (w *wideNumber) known(v *ir.Value) bool {
	if w.same(v) != nil || v == w.old || !w.follows[v] {
		return true
	}
	if k, seen := w.knows[v]; seen {
		return k
	}
	k := v.Def != nil
	switch {
	case !k:
	case v.Def.Name == opname.ArithSelect:
		k = w.known(v.Def.Operand(1)) && w.known(v.Def.Operand(2))
	case v.Def.Name == opname.SCFIf:
		k = !slices.ContainsFunc(v.Def.Regions, func(r *ir.Region) bool { return !w.known(r.Entry().Terminator().Operand(v.Index)) })
	default:
		k = false
	}
	w.knows[v] = k
	return k
}

// same is what v was truncated from where that is its extension, nil for others.
func (w *wideNumber) same(v *ir.Value) *ir.Value {
	if d := v.Def; d != nil && d.Name == opname.ArithTruncI && d.Operand(0).Type == w.t && w.fits(d.Operand(0)) {
		return d.Operand(0)
	}
	return nil
}

// of is the extension of v, for which known holds; m makes operations where it is used. A choice is made once, where v is.
func (w *wideNumber) of(v *ir.Value, m rewrite.Maker) *ir.Value {
	if x := w.same(v); x != nil {
		return x
	}
	if x := w.made[v]; x != nil {
		return x
	}
	d := v.Def
	switch {
	case v == w.old:
		return w.arg
	case !w.follows[v]:
		return m.Op(w.how, w.t, v)
	case d.Name == opname.ArithSelect:
		m = behind(d)
		w.made[v] = m.Op(opname.ArithSelect, w.t, d.Operand(0), w.of(d.Operand(1), before(d)), w.of(d.Operand(2), before(d)))
	default:
		for _, r := range d.Regions {
			y := r.Entry().Terminator()
			y.AddOperand(w.of(y.Operand(v.Index), before(y)))
		}
		w.made[v] = d.AddResult(w.t)
	}
	return w.made[v]
}
