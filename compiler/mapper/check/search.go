package check

import "loom/compiler/arch"

// item is something to be matched: an operation that needs a unit, or an access.
type item struct {
	op     int
	access access
	memory bool
}

// items lists what there is to match of operation i.
func (t *tracer) items(i int) []item {
	switch {
	case t.g.isMemory(i):
		var out []item
		for _, a := range t.g.accesses(i) {
			out = append(out, item{op: i, access: a, memory: true})
		}
		return out
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

// search matches what the walk from the results has not reached: first the
// accesses of arguments, then the operations that nothing reads, whose sources
// then follow, then what is left on dead cycles.
func (t *tracer) search() {
	var arguments, rest []item
	for i, op := range t.g.ops {
		if op.Name == "handshake.extmemory" {
			arguments = append(arguments, t.items(i)...)
		}
	}
	for _, leaves := range []bool{true, false} {
		for i, op := range t.g.ops {
			if op.Name != "handshake.extmemory" && t.unread(i) == leaves {
				rest = append(rest, t.items(i)...)
			}
		}
	}
	mark := len(t.trail)
	if !t.place(arguments) {
		// Each on its own, to name those that are wrong.
		for _, x := range arguments {
			if !t.matched(x) && !t.place([]item{x}) {
				t.errs.Errorf(t.g.ops[x.op].Pos, "illegal configuration: %s is not fed as the kernel says", x.access)
			}
		}
		if !t.errs.HasErrors() {
			t.fail("the accesses of the arguments are not fed as the kernel says")
		}
		return
	}
	if t.place(rest) {
		return
	}
	// Where accesses look alike the first choice may have been the wrong one.
	t.undo(mark)
	if t.place(append(arguments, rest...)) {
		return
	}
	for _, x := range rest {
		if t.matched(x) {
			continue
		}
		what := "no PE executes"
		if x.memory {
			what = "no memory serves"
		}
		t.errs.Errorf(t.g.ops[x.op].Pos, "illegal configuration: %s operation %d ('%s') on the operands the kernel gives it",
			what, x.op, t.g.ops[x.op].Name)
	}
}

// unread reports whether nothing reads any result of operation i.
func (t *tracer) unread(i int) bool {
	for k := range t.g.ops[i].Results() {
		if len(t.g.readers[terminal{i, k}]) > 0 {
			return false
		}
	}
	return true
}

// place matches the items of a list one after the other, trying every place and
// coming back to earlier choices when a later item finds none.
func (t *tracer) place(rest []item) bool {
	for len(rest) > 0 && t.matched(rest[0]) {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return true
	}
	mark := len(t.trail)
	try := func(ok bool) bool {
		if ok && t.place(rest[1:]) {
			return true
		}
		t.undo(mark)
		return false
	}
	x := rest[0]
	for _, c := range t.f.Comps {
		if x.memory {
			_, lane := laneKind(c)
			if (lane || c.Mem != nil) && try(t.unifyAccess(x.access, c)) {
				return true
			}
			continue
		}
		if c.Kind != arch.SpatialPE || !t.img.Settings[c.ID].PE.Enable {
			continue
		}
		for b := range t.unit(c).Ops {
			if try(t.unify(x.op, c, b)) {
				return true
			}
		}
	}
	return false
}
