package check

import (
	"slices"

	"loom/compiler/arch"
	"loom/compiler/opname"
)

// item is something to be matched: an operation that needs a unit, or an access.
type item struct {
	op     int
	access access
	memory bool
}

// items lists what is to be matched of operation i: itself, or the accesses of a memory.
func (t *tracer) items(i int) []item {
	switch {
	case t.g.isMemory(i):
		var out []item
		for _, a := range t.g.accesses(i) {
			out = append(out, item{op: i, access: a, memory: true})
		}
		return out
	case t.g.isConstant(i) && (!t.unread(i) || t.g.heldConstant(i)):
		// Found from what reads it: a unit, or an immediate of the reader's.
	case t.g.isUnit(i):
		return []item{{op: i}}
	}
	return nil
}

func (t *tracer) matched(x item) bool {
	if x.memory {
		_, done := t.siteOf[x.access]
		return done
	}
	_, done := t.peOf[x.op]
	return done
}

// search matches everything: backwards from the results of the kernel, then the
// accesses of arguments, then the operations that nothing reads, whose sources
// then follow, then what is left on dead cycles.
func (t *tracer) search() {
	var arguments, rest []item
	for i, op := range t.g.ops {
		if op.Name == opname.HandshakeExtmemory {
			arguments = append(arguments, t.items(i)...)
		}
	}
	for _, leaves := range []bool{true, false} {
		for i, op := range t.g.ops {
			if op.Name != opname.HandshakeExtmemory && t.unread(i) == leaves {
				rest = append(rest, t.items(i)...)
			}
		}
	}
	results := t.g.ops[t.g.ret].NumOperands()
	// attempt matches the first results and items and takes that back again.
	attempt := func(results int, items []item, keep bool) bool {
		t.steps = 0
		ok := inTurn(results, t.result, func() bool { return t.matchItems(items, yes) })
		if !keep {
			t.undo(0)
		}
		return ok
	}
	all := append(slices.Clone(arguments), rest...)
	if attempt(results, all, true) {
		return
	}
	t.undo(0)
	if t.steps > maxSteps {
		t.fail("too many operations of the kernel are alike to distinguish them")
		return
	}
	// Which part is it that cannot be matched?
	for k := range results {
		if !attempt(k+1, nil, false) {
			ret := t.g.ops[t.g.ret]
			t.errs.Errorf(ret.Pos, "illegal configuration: boundary output %d does not deliver result %d of the kernel", t.resultPort(k), k)
			return
		}
	}
	for k, x := range all {
		if attempt(results, all[:k+1], false) {
			continue
		}
		what := "no PE executes"
		if x.memory {
			what = "no memory serves " + x.access.String() + ","
		}
		t.errs.Errorf(t.g.ops[x.op].Pos, "illegal configuration: %s operation %d ('%s') on the operands the kernel gives it",
			what, x.op, t.g.ops[x.op].Name)
		return
	}
}

func yes() bool { return true }

// unread reports whether nothing reads any result of operation i.
func (t *tracer) unread(i int) bool {
	for k := range t.g.ops[i].Results() {
		if len(t.g.readers[terminal{i, k}]) > 0 {
			return false
		}
	}
	return true
}

// matchItems matches the items of a list one after the other, trying every component
// and coming back to earlier choices when a later item matches none, and goes on.
func (t *tracer) matchItems(rest []item, then func() bool) bool {
	for len(rest) > 0 && t.matched(rest[0]) {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return then()
	}
	x := rest[0]
	next := func() bool { return t.matchItems(rest[1:], then) }
	for _, c := range t.f.Comps {
		if x.memory {
			_, lane := laneKind(c)
			if (lane || c.Mem != nil) && t.unifyAccess(x.access, c, next) {
				return true
			}
			continue
		}
		if c.Kind == arch.TemporalPE {
			for n, in := range t.img.Settings[c.ID].TPE.Instructions {
				if !in.Valid {
					continue
				}
				for b := range c.TPE.FUs[in.Opcode].Ops {
					if t.unify(x.op, c, bodies*n+b, next) {
						return true
					}
				}
			}
			continue
		}
		if c.Kind != arch.SpatialPE || !t.img.Settings[c.ID].PE.Enable {
			continue
		}
		for b := range t.unit(c).Ops {
			if t.unify(x.op, c, b, next) {
				return true
			}
		}
	}
	return false
}
