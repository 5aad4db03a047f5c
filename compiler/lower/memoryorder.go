package lower

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// orderMemory gives every access its control token and threads one token per
// memory group through the region tree (spec-dataflow-memory, "serial-recursive
// control"). Under --memory-order pipelined the proven relaxations R1 to R3 of
// the design page "SCF to DFG" apply:
//
//	R1  consecutive loads of one level start together and are joined;
//	R2  a group without stores, and
//	R3  a group with a single access
//
// issue under their region's control, and the token only collects completions.
//
// Before: accesses lack control, done tokens are unused. After: every access has
// one control, every done token leads to the group's final token.
func orderMemory(s *state, _ *diag.List) {
	for _, g := range s.groups {
		if len(g.accesses) == 0 {
			continue
		}
		t := &threader{s: s, g: g, pipelined: s.opts.MemoryOrder == "pipelined"}
		t.chained = t.pipelined && (len(g.accesses) == 1 || !g.stores() || s.opts.deviate == relaxAll)
		s.tokens = append(s.tokens, t.region(s.root, s.root.control()))
	}
}

func (g *group) stores() bool {
	for _, a := range g.accesses {
		if a.store {
			return true
		}
	}
	return false
}

// threader threads the token of one group.
type threader struct {
	s         *state
	g         *group
	pipelined bool
	// chained collects completions instead of gating the issue.
	chained bool
}

// region orders one region: an entry token becomes a done token.
func (t *threader) region(r *region, token *ir.Value) *ir.Value {
	for i := 0; i < len(r.items); {
		it := r.items[i]
		switch {
		case it.nested != nil:
			token = t.construct(it.nested, token)
			i++
		case it.access.group != t.g:
			i++
		default:
			run := t.run(r.items[i:])
			token = t.accesses(run, token)
			i += t.span(r.items[i:], run[len(run)-1])
		}
	}
	return token
}

// run returns the accesses of the group that are ordered as one step: a single
// one, or under R1 to R3 as many as may go together. Accesses of other groups
// and constructs that do not touch the group lie between them without effect.
func (t *threader) run(items []item) []*access {
	first := items[0].access
	run := []*access{first}
	together := func(a *access) bool { return t.chained || !first.store && !a.store }
	if !t.pipelined {
		return run
	}
	for _, it := range items[1:] {
		if it.nested != nil {
			if it.nested.touches(t.g) {
				break
			}
			continue
		}
		if it.access.group != t.g {
			continue
		}
		if !together(it.access) {
			break
		}
		run = append(run, it.access)
	}
	return run
}

// span is how many items lie up to and including an access.
func (t *threader) span(items []item, last *access) int {
	for i, it := range items {
		if it.access == last {
			return i + 1
		}
	}
	return len(items)
}

// accesses orders one step.
func (t *threader) accesses(run []*access, token *ir.Value) *ir.Value {
	var dones []*ir.Value
	if t.chained {
		dones = append(dones, token)
	}
	for _, a := range run {
		ctrl := token
		if t.chained || t.s.opts.deviate == memoryUnordered {
			ctrl = a.in.control()
		}
		a.op.SetOperand(ctrlSlot, ctrl)
		dones = append(dones, a.done)
	}
	if t.s.opts.deviate == memorySkipDone {
		return token
	}
	if len(dones) == 1 {
		return dones[0]
	}
	return t.s.join(run[0].op.Pos, dones, t.g.name+"_done")
}

func (c *construct) touches(g *group) bool {
	for _, r := range c.regions {
		if r.touches[g] {
			return true
		}
	}
	return false
}

// construct orders a nested construct as an entry -> done block. A construct
// that does not touch the group lets the token pass.
func (t *threader) construct(c *construct, token *ir.Value) *ir.Value {
	if !c.touches(t.g) {
		return token
	}
	switch c.op.Name {
	case "scf.if":
		return t.branch(c, token)
	case "scf.for":
		return t.loop(c, token)
	}
	return t.while(c, token)
}

// branch sends the token through the branch that runs and merges it.
func (t *threader) branch(c *construct, token *ir.Value) *ir.Value {
	yes, no := c.cond.of(token)
	if t.s.opts.deviate == memoryIfSwapped {
		yes, no = no, yes
	}
	yes = t.region(c.regions[0], yes)
	no = t.region(c.regions[1], no)
	if t.s.opts.deviate == memoryIfUnmerged {
		return token
	}
	return t.s.merge(c.op, c.cond.cond, no, yes, t.g.name+"_order")
}

// loop carries the token around the body by after_cond, never by the raw
// condition: the body runs N times.
func (t *threader) loop(c *construct, token *ir.Value) *ir.Value {
	if t.s.opts.deviate == memoryLoopUnordered {
		return t.unordered(c, token)
	}
	cond := c.cond
	if t.s.opts.deviate == memoryByRaw {
		cond = c.raw
	}
	carry := t.carry(c, cond.cond, token)
	done := t.region(c.regions[0], carry.Result(0))
	again, exit := cond.of(done)
	carry.SetOperand(2, again)
	return exit
}

// unordered issues every iteration under the loop's control: the fault that the
// carry is there to prevent.
func (t *threader) unordered(c *construct, token *ir.Value) *ir.Value {
	done := t.region(c.regions[0], c.regions[0].control())
	_, exit := c.cond.of(done)
	return t.s.join(c.op.Pos, []*ir.Value{token, exit}, t.g.name+"_done")
}

// while sends the token through the before-region N+1 times and through the
// after-region N times.
func (t *threader) while(c *construct, token *ir.Value) *ir.Value {
	cond := c.cond.cond
	if t.s.opts.deviate == memoryWhileGated {
		cond = t.s.gateOf(c.op, cond)
	}
	carry := t.carry(c, cond, token)
	done := t.region(c.regions[0], carry.Result(0))
	again, exit := c.cond.of(done)
	carry.SetOperand(2, t.region(c.regions[1], again))
	return exit
}

func (t *threader) carry(c *construct, cond, token *ir.Value) *ir.Operation {
	carry := t.s.emit("dataflow.carry", c.op.Pos, []*ir.Value{cond, token, nil}, ir.None)
	carry.Result(0).Name = t.g.name + "_order"
	return carry
}

// join waits for all tokens.
func (s *state) join(pos diag.Pos, tokens []*ir.Value, name string) *ir.Value {
	j := s.emit("handshake.join", pos, tokens, ir.None)
	j.Result(0).Name = name
	return j.Result(0)
}
