// Package reuse follows the addresses of a dataflow graph to the loops that they count in: whether one comes back to an
// element, and whether each is the one behind the last.
package reuse

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/recurrence"
)

// Addresses are those of a graph.
type Addresses struct {
	nest *recurrence.Nest
	// forms are the values that have been followed, nil for those of no known form; busy those that
	// are being followed.
	forms map[*ir.Value]form
	busy  map[*ir.Value]bool
}

// form is a value as a sum: how far it goes per iteration, by loop; and once, by none.
type form map[int]distance

// distance is a sum of products of values that are the same during a run, by their text; "" is the
// product of none.
type distance map[string]int64

// once is the key of a form for what is the same in every iteration.
const once = -1

// near is how many times as far one loop has to go as another one for rows of a matrix: less is a
// window that moves on by less than its width.
const near = 8

// New is for a handshake.func.
func New(fn *ir.Operation) *Addresses {
	return &Addresses{nest: recurrence.FindLoops(fn), forms: map[*ir.Value]form{}, busy: map[*ir.Value]bool{}}
}

// Again reports whether an address may come back. It does not where every loop around it moves it on,
// by distances of which each is many times the next one: a row of a matrix and an element of it.
// Where that cannot be seen it may.
func (a *Addresses) Again(v *ir.Value) bool {
	f := a.form(v)
	if f == nil {
		return true
	}
	var far []distance
	for l := a.nest.Home(v); l >= 0; l = a.nest.Loops[l].Parent {
		d := f[l]
		if len(d) == 0 {
			return true
		}
		for _, o := range far {
			if d.near(o) {
				return true
			}
		}
		far = append(far, d)
	}
	return false
}

// Follows reports whether an address is that of the next element in each iteration of the innermost loop around it.
func (a *Addresses) Follows(v *ir.Value) bool {
	l := a.nest.Home(v)
	return l >= 0 && maps.Equal(a.form(v)[l], distance{"": 1})
}

// near reports whether one distance is not many times the other one.
func (d distance) near(o distance) bool {
	if len(d) == 1 && len(o) == 1 && d[""] != 0 && o[""] != 0 {
		a, b := magnitude(d[""]), magnitude(o[""])
		return a < near*b && b < near*a
	}
	return maps.Equal(d, o) || maps.Equal(d, o.times(distance{"": -1}))
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// form is that of a value, nil where it is no sum of what loops count.
func (a *Addresses) form(v *ir.Value) form {
	if f, ok := a.forms[v]; ok {
		return f
	}
	if a.busy[v] || v == nil {
		return nil
	}
	a.busy[v] = true
	f := a.follow(v)
	delete(a.busy, v)
	a.forms[v] = f
	return f
}

func (a *Addresses) follow(v *ir.Value) form {
	if v.Def == nil {
		return same(v)
	}
	op := v.Def
	in := func(k int) form { return a.form(op.Operand(k)) }
	switch op.Name {
	case opname.HandshakeConstant, opname.ArithConstant:
		if n, ok := op.IntAttr("value"); ok {
			return form{once: distance{"": n}}
		}
	case opname.ArithAddI:
		return sum(in(0), in(1), 1)
	case opname.ArithSubI:
		return sum(in(0), in(1), -1)
	case opname.ArithMulI:
		return product(in(0), in(1))
	case opname.ArithShLI:
		if n, ok := in(1).number(); ok && n >= 0 && n < 63 {
			return product(in(0), form{once: distance{"": 1 << n}})
		}
	case opname.ArithIndexCast, opname.ArithIndexCastUI, opname.ArithExtSI, opname.ArithExtUI, opname.ArithTruncI, opname.DataflowHold, opname.DataflowInterlock:
		return in(0)
	case opname.HandshakeLoad, opname.HandshakeStore:
		if v.Index == 1 { // the address on its way to the memory
			return in(0)
		}
		return nil
	case opname.HandshakeCondBr, opname.DataflowInvariant:
		return in(1)
	case opname.DataflowGate:
		if v.Index == 0 {
			return in(0)
		}
	case opname.DataflowStream:
		if step, ok := in(1).constant(); ok && v.Index == 0 && plain(op) {
			return sum(in(0), form{a.nest.Home(v): step}, 1)
		}
	case opname.DataflowCarry:
		return a.carry(op, v)
	}
	if a.nest.Home(v) < 0 {
		return same(v)
	}
	return nil
}

// carry is the form of a value that goes round a loop, and on by the same distance each time.
func (a *Addresses) carry(op *ir.Operation, v *ir.Value) form {
	first := a.form(op.Operand(1))
	const self = -2
	a.forms[v] = form{self: distance{"": 1}}
	seen := maps.Clone(a.forms)
	next := a.form(op.Operand(2))
	a.forms = seen // what was followed from here has the value itself in it
	delete(a.forms, v)
	if first == nil || next == nil || !maps.Equal(next[self], distance{"": 1}) {
		return nil
	}
	next = maps.Clone(next)
	delete(next, self)
	step, ok := next.constant()
	if !ok {
		return nil
	}
	return sum(first, form{a.nest.Home(v): step}, 1)
}

// plain reports whether a stream adds its step.
func plain(op *ir.Operation) bool {
	return op.StrAttr("step_op") == "+="
}

// same is the form of a value that is the same during a run.
func same(v *ir.Value) form { return form{once: distance{fmt.Sprintf("%p", v): 1}} }

// constant is the distance of a form that moves on in no loop.
func (f form) constant() (distance, bool) {
	for k := range f {
		if k != once {
			return nil, false
		}
	}
	return f[once], f != nil
}

// number is that of a form that is one.
func (f form) number() (int64, bool) {
	d, ok := f.constant()
	n, only := d[""]
	return n, ok && (only && len(d) == 1 || len(d) == 0)
}

// sum is a + sign · b.
func sum(a, b form, sign int64) form {
	if a == nil || b == nil {
		return nil
	}
	out := form{}
	for k, d := range a {
		out[k] = d
	}
	for k, d := range b {
		out[k] = out[k].plus(d.times(distance{"": sign}))
		if len(out[k]) == 0 {
			delete(out, k)
		}
	}
	return out
}

// product is that of two forms of which one moves on in no loop.
func product(a, b form) form {
	if d, ok := a.constant(); ok {
		a, b = b, form{once: d}
	}
	d, ok := b.constant()
	if a == nil || !ok {
		return nil
	}
	out := form{}
	for k, x := range a {
		if y := x.times(d); len(y) > 0 {
			out[k] = y
		}
	}
	return out
}

func (d distance) plus(o distance) distance {
	out := maps.Clone(d)
	if out == nil {
		out = distance{}
	}
	for k, n := range o {
		if out[k] += n; out[k] == 0 {
			delete(out, k)
		}
	}
	return out
}

func (d distance) times(o distance) distance {
	out := distance{}
	for a, n := range d {
		for b, m := range o {
			factors := slices.DeleteFunc(strings.Split(a+" "+b, " "), func(s string) bool { return s == "" })
			slices.Sort(factors)
			k := strings.Join(factors, " ")
			if out[k] += n * m; out[k] == 0 {
				delete(out, k)
			}
		}
	}
	return out
}
