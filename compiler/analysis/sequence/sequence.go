// Package sequence proves that a structured program touches the elements of an array one after
// the other, from element 0 on, each once: then a stream may take the array's place, and no
// address is needed.
package sequence

import (
	"fmt"

	"loom/compiler/analysis/linear"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// Verdict is what is known of the accesses to one array.
type Verdict struct {
	// InOrder is set where one load or one store touches the array, and in every run the
	// elements that it touches are 0, 1, 2 and so on. How many they are is up to the run, and may
	// be none.
	InOrder bool
	// Access is that load or store. Without InOrder it is the operation that breaks the order,
	// nil where nothing touches the array.
	Access *ir.Operation
	// Store tells a store from a load, with InOrder.
	Store bool
	// Elements is how many elements a run touches, -1 where that depends on its arguments or
	// data. With InOrder.
	Elements int64
	// Why is what stands against the order: a sentence's predicate about Access, or about the
	// array where that is nil.
	Why string
}

// Fault names a rule of the proof.
type Fault string

// The rules that tests break.
const (
	Skips  Fault = "an access in a branch counts as one in all iterations"
	Starts Fault = "the first element may be any"
	Ends   Fault = "a loop runs once more"
	Merges Fault = "the number behind a branch is that of the side with the access"
)

// Of judges a memory whose accesses have one subscript, in a function without calls. Sums are
// those of forms, which belongs to the function. broken is a rule that a test breaks, "" for none.
func Of(fn *ir.Operation, memory *ir.Value, forms *linear.Forms, broken Fault) Verdict {
	accesses, other := touching(fn, memory)
	switch {
	case other != nil:
		return Verdict{Access: other, Why: "touches elements unknown"}
	case len(accesses) == 0:
		return Verdict{Why: "is never accessed"}
	case len(accesses) > 1:
		return Verdict{Access: accesses[1], Why: fmt.Sprintf("is another access beside the one at line %d", accesses[0].Pos.Line)}
	}
	a := accesses[0]
	at := 1
	if a.Name == opname.MemRefStore {
		at = 2
	}
	if a.NumOperands() != at+1 {
		return Verdict{Access: a, Why: "has no single subscript"}
	}
	p := &proof{fn: fn, forms: forms, access: a, subscript: a.Operand(at), broken: broken}
	p.path()
	if p.child(fn.Regions[0].Entry()) == nil || p.beyond() {
		return Verdict{Access: a, Why: "is in a construct that is not looked into"}
	}
	if _, ok := p.block(fn.Regions[0].Entry(), poly{}); !ok {
		return Verdict{Access: a, Why: p.why()}
	}
	v := Verdict{InOrder: true, Access: a, Store: a.Name == opname.MemRefStore, Elements: -1}
	if n, ok := p.count(fn.Regions[0].Entry()); ok && p.always {
		if c, ok := n.constant(); ok && int64(c) >= 0 {
			v.Elements = int64(c)
		}
	}
	return v
}

// touching lists the loads and stores of a memory, through views that only flatten it, and the
// first other operation that may touch it.
func touching(fn *ir.Operation, memory *ir.Value) (accesses []*ir.Operation, other *ir.Operation) {
	same := map[*ir.Value]bool{memory: true}
	fn.Walk(func(op *ir.Operation) bool {
		uses := false
		for _, v := range op.Operands() {
			uses = uses || same[v]
		}
		if !uses {
			return true
		}
		switch op.Name {
		case opname.MemRefLoad, opname.MemRefStore:
			accesses = append(accesses, op)
		case opname.MemRefDim:
		case opname.MemRefCollapseShape:
			same[op.Result(0)] = true
		default:
			if other == nil {
				other = op
			}
		}
		return true
	})
	return accesses, other
}

// proof follows the control flow from the function down to the access, with the number of
// accesses made so far as a polynomial. Where the number is what a loop carries, the induction
// over its iterations starts from the carried value; where iterations are counted and each makes
// the same number of accesses, it is a multiple of the iteration number.
//
// Polynomials are of integers modulo two to the power of 64; the subscript has to be the number
// of accesses modulo two to the power of the index width, which no array exceeds.
type proof struct {
	fn        *ir.Operation
	forms     *linear.Forms
	access    *ir.Operation
	subscript *ir.Value
	// on are the access and the operations around it; outermost is the loop among them
	// that is furthest out, nil for none.
	on        map[*ir.Operation]bool
	outermost *ir.Operation
	// always is set while count has met no branch.
	always bool
	broken Fault
}

func (p *proof) path() {
	p.on = map[*ir.Operation]bool{}
	for op := p.access; op != p.fn; op = op.ParentOp() {
		p.on[op] = true
		if op.Name == opname.SCFFor || op.Name == opname.SCFWhile {
			p.outermost = op
		}
	}
}

// beyond reports whether something else than counted loops, loops and branches is around the
// access.
func (p *proof) beyond() bool {
	for op := range p.on {
		if op != p.access && op.Name != opname.SCFIf && op.Name != opname.SCFFor && op.Name != opname.SCFWhile {
			return true
		}
	}
	return false
}

// child is the operation of a block that is or holds the access, nil for none.
func (p *proof) child(b *ir.Block) *ir.Operation {
	if b == nil { // an else that is not there
		return nil
	}
	for _, op := range b.Ops {
		if p.on[op] {
			return op
		}
	}
	return nil
}

// block proves the accesses in a block, before which so many have been made. It returns sums
// that equal their number at the end of the block.
func (p *proof) block(b *ir.Block, before poly) (after []poly, ok bool) {
	op := p.child(b)
	switch {
	case op == p.access:
		at, known := p.value(p.subscript)
		if c, ok := at.plus(before, -1).constant(); ok && p.broken == Starts {
			at = at.plus(number(int64(c)), -1)
		}
		return []poly{before.plus(number(1), 1)}, known && p.equal(at, before)
	case op.Name == opname.SCFIf:
		return p.branch(op, before)
	case op.Name == opname.SCFFor:
		return p.loop(op, before)
	case op.Name == opname.SCFWhile:
		return p.while(op, before)
	}
	return nil, false
}

// branch proves the accesses in an scf.if.
func (p *proof) branch(op *ir.Operation, before poly) (after []poly, ok bool) {
	for i, r := range op.Regions {
		if p.child(r.Entry()) == nil {
			continue
		}
		inner, ok := p.block(r.Entry(), before)
		if !ok {
			return nil, false
		}
		// Where the condition never changes, all iterations take the branch or none does any access.
		if p.invariant(op.Operand(0)) {
			after = append(after, inner...)
		}
		for k, v := range op.Results() {
			if p.yields(r.Entry(), k, inner) && len(op.Regions) == 2 &&
				(p.yields(op.Regions[1-i].Entry(), k, []poly{before}) || p.broken == Merges) {
				after = p.known(after, v)
			}
		}
	}
	return after, true
}

// loop proves the accesses in an scf.for.
func (p *proof) loop(op *ir.Operation, before poly) (after []poly, ok bool) {
	body := op.Regions[0].Entry()
	for i, q := range body.Args[1:] {
		if init, known := p.value(op.Operand(3 + i)); !known || !p.equal(init, before) {
			continue
		}
		if start, known := p.value(q); known {
			if inner, proven := p.block(body, start); proven && p.yields(body, i, inner) {
				ok = true
				after = p.known(after, op.Result(i))
			}
		}
	}
	each, counted := p.count(body)
	iteration, numbered := p.iteration(op)
	if counted && numbered {
		if _, proven := p.block(body, before.plus(iteration.times(each), 1)); proven {
			ok = true
			if trips, known := p.trips(op); known {
				after = append(after, before.plus(trips.times(each), 1))
			}
		}
	}
	return after, ok
}

// while proves the accesses in an scf.while whose number it carries.
func (p *proof) while(op *ir.Operation, before poly) (after []poly, ok bool) {
	first, second := op.Regions[0].Entry(), op.Regions[1].Entry()
	forwarded := first.Terminator().Operands()[1:]
	for i, q := range first.Args {
		if init, known := p.value(op.Operand(i)); !known || !p.equal(init, before) {
			continue
		}
		start, known := p.value(q)
		if !known {
			continue
		}
		tested := []poly{start}
		if p.child(first) != nil {
			if tested, known = p.block(first, start); !known {
				continue
			}
		}
		for k, f := range forwarded {
			if !p.is(f, tested) {
				continue
			}
			arg, known := p.value(second.Args[k])
			if !known {
				continue
			}
			done := []poly{arg}
			if p.child(second) != nil {
				if done, known = p.block(second, arg); !known {
					continue
				}
			}
			if p.is(second.Terminator().Operand(i), done) {
				ok = true
				after = p.known(after, op.Result(k))
			}
		}
	}
	return after, ok
}

// yields reports whether a block passes one of the sums on as value k.
func (p *proof) yields(b *ir.Block, k int, sums []poly) bool {
	end := b.Terminator()
	return end != nil && k < end.NumOperands() && p.is(end.Operand(k), sums)
}

// is reports whether a value is one of the sums.
func (p *proof) is(v *ir.Value, sums []poly) bool {
	x, ok := p.value(v)
	for _, s := range sums {
		if ok && p.equal(x, s) {
			return true
		}
	}
	return false
}

// known adds a value to the sums.
func (p *proof) known(sums []poly, v *ir.Value) []poly {
	if x, ok := p.value(v); ok {
		sums = append(sums, x)
	}
	return sums
}

// count is how many accesses one execution of a block makes, where it is the same whenever it
// makes any. Not ok where it is not known to be.
func (p *proof) count(b *ir.Block) (n poly, ok bool) {
	p.always = true
	return p.counted(b)
}

func (p *proof) counted(b *ir.Block) (n poly, ok bool) {
	op := p.child(b)
	switch {
	case op == p.access:
		return number(1), true
	case op.Name == opname.SCFIf:
		p.always = false
		for _, r := range op.Regions {
			if p.child(r.Entry()) != nil && p.invariant(op.Operand(0)) {
				return p.counted(r.Entry())
			}
		}
	case op.Name == opname.SCFFor:
		each, ok := p.counted(op.Regions[0].Entry())
		trips, known := p.trips(op)
		if ok && known {
			return trips.times(each), true
		}
	}
	return nil, false
}

// invariant reports whether a value is the same whenever the access is reached.
func (p *proof) invariant(v *ir.Value) bool {
	if p.outermost == nil || p.broken == Skips || rewrite.Outside(v, p.outermost) {
		return true
	}
	for _, t := range p.forms.Of(v).Terms {
		if !t.Sym.InvariantIn(p.outermost) {
			return false
		}
	}
	return p.forms.Width(v.Type) > 0
}
