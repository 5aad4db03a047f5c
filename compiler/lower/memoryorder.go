package lower

import (
	"slices"

	"loom/compiler/analysis/ranges"
	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// orderMemory gives every access its control token and leads every done token to
// the return (spec-dataflow-memory, "serial-recursive control"). Under
// --memory-order pipelined the proven relaxations of the design page "SCF to
// DFG" apply:
//
//	R1  consecutive loads of one level start together and are joined;
//	R2  a group without stores, and
//	R3  a group with a single access issue under their region's control;
//	R4  the iterations of a loop that never touch the same element with a store
//	    among them all start with the loop; within one the order stays. In a loop that does not count these are
//	    loads alone, or one access, whose port keeps the order (R2 and R3 of the loop). Where a load may
//	    meet the store of another iteration, an interlock may order the two (interlock.go).
//
// Fences join the groups, in both orders (fence.go).
//
// Before: accesses lack control, done tokens are unused. After: every access has
// one control, s.tokens are what the return has to wait for.
func orderMemory(s *state, _ *diag.List) {
	o := &orderer{s: s, pipelined: s.opts.MemoryOrder == "pipelined"}
	var all []member
	for _, g := range s.groups {
		if len(g.accesses) == 0 {
			continue
		}
		m := member{g: g, token: s.root.control(), unordered: o.unordered(g)}
		if m.unordered && !s.root.fenced {
			m.token = nil
		}
		all = append(all, m)
	}
	switch {
	case s.root.fenced:
		s.tokens = distinctTokens(s.root, tokens(o.fenced(s.root, all)))
	case o.pipelined:
		s.tokens = o.finish(s.root, s.root.items, all)
	default:
		// One network per group, as the source document has it.
		for _, m := range all {
			s.tokens = append(s.tokens, o.joined(s.root, o.finish(s.root, s.root.items, []member{m}), m))
		}
	}
	s.memory = o.report()
}

// orderer builds the control network of one function.
type orderer struct {
	s         *state
	pipelined bool
	ranges    *ranges.Ranges // nil until something asks
}

// member is one group that is ordered in a region.
type member struct {
	g *group // nil for the tokens that only pass a construct with a fence
	// token is what the group's accesses in the region wait for. It is nil where nothing is
	// to be waited for: the accesses of a group without order issue under the region's
	// control then.
	token *ir.Value
	// unordered is set for a group whose accesses do not wait for each other (R2, R3), but
	// for the fence before them, if there is one.
	unordered bool
}

// unordered reports whether a group is ordered by its ports alone: R2 and R3.
func (o *orderer) unordered(g *group) bool {
	if !o.pipelined {
		return false
	}
	switch o.s.opts.deviate {
	case relaxAll:
		return true
	case relaxStores:
		return len(g.accesses) > 2
	case relaxTwo:
		return len(g.accesses) <= 2
	}
	return len(g.accesses) == 1 || !g.stores()
}

func (g *group) stores() bool {
	for _, a := range g.accesses {
		if a.store {
			return true
		}
	}
	return false
}

// step is one step of a group in a region: accesses that start together, or a
// nested construct.
type step struct {
	accesses []*access
	nested   *construct
}

// steps lists what items do to a group in source order. Accesses to other
// groups and constructs that do not touch the group in between have no effect.
// Under R1 consecutive loads are one step, unless a fence stands between them.
func (o *orderer) steps(items []item, g *group) []step {
	var out []step
	fence := false
	for _, it := range items {
		switch {
		case it.fence != nil:
			fence = true
		case it.nested != nil:
			if it.nested.touches(g) {
				out = append(out, step{nested: it.nested})
			}
		case it.access.group != g:
		default:
			n := len(out) - 1
			joins := n >= 0 && !fence && o.together(out[n].accesses, it.access)
			if fence = false; joins {
				out[n].accesses = append(out[n].accesses, it.access)
			} else {
				out = append(out, step{accesses: []*access{it.access}})
			}
		}
	}
	return out
}

// together is R1.
func (o *orderer) together(run []*access, next *access) bool {
	return o.pipelined && len(run) > 0 && !next.store && !run[len(run)-1].store
}

func (c *construct) touches(g *group) bool {
	for _, r := range c.regions {
		if r.touches[g] {
			return true
		}
	}
	return false
}

// thread orders a group in items of one region up to its last construct: each step waits
// for the one before. It returns the tokens that complete when the steps are done, or
// the last construct, which is left to the caller, and the token it waits for.
func (o *orderer) thread(r *region, items []item, m member) (done []*ir.Value, last *construct, token *ir.Value) {
	steps := o.steps(items, m.g)
	token = m.token
	for i, st := range steps {
		final := i == len(steps)-1
		if st.nested != nil {
			if final {
				return nil, st.nested, token
			}
			token = o.joined(r, o.construct(st.nested, []member{{g: m.g, token: token}}), m)
			continue
		}
		var dones []*ir.Value
		for _, a := range st.accesses {
			ctrl := token
			if o.s.opts.deviate == memoryUnordered {
				ctrl = a.in.control()
			}
			a.op.SetOperand(ctrlSlot, ctrl)
			dones = append(dones, a.done)
		}
		if o.s.opts.deviate == memorySkipDone {
			continue
		}
		if final {
			return dones, nil, nil
		}
		token = o.joined(r, dones, m)
	}
	return []*ir.Value{token}, nil, nil
}

// construct orders groups in a nested construct as an entry -> done block. Every
// member touches it. It is done when all of the tokens have arrived.
func (o *orderer) construct(c *construct, ms []member) []*ir.Value {
	switch c.op.Name {
	case opname.SCFIf:
		return o.branch(c, ms)
	case opname.SCFFor:
		return o.loop(c, ms)
	}
	return o.while(c, ms)
}

// branch sends the tokens through the branch that runs and merges its
// done tokens.
func (o *orderer) branch(c *construct, ms []member) []*ir.Value {
	var yes, no []member
	var entered []*ir.Value
	for _, m := range ms {
		y, n := m, m
		if m.token != nil {
			y.token, n.token = c.cond.of(m.token)
			entered = append(entered, m.token)
		}
		if o.s.opts.deviate == memoryIfSwapped {
			y.token, n.token = n.token, y.token
		}
		yes, no = append(yes, y), append(no, n)
	}
	t := o.complete(c.regions[0], yes)
	e := o.complete(c.regions[1], no)
	if o.s.opts.deviate == memoryIfUnmerged {
		return entered
	}
	return []*ir.Value{o.s.merge(c.op, c.cond.cond, e, t, name(ms, "order"))}
}

// loop orders a counted loop. A group whose iterations depend on each other has
// its token carried around the body by after_cond, never by the raw condition:
// the body runs N times. All other groups share one completion network.
//
// Every loop runs at least once (pass "guards"). Without that, a completion
// would have no token to pass on.
func (o *orderer) loop(c *construct, ms []member) []*ir.Value {
	body := c.regions[0]
	var free []member
	var tokens []*ir.Value
	for _, m := range ms {
		switch {
		case m.unordered:
			free = append(free, m.in(body))
		case o.s.opts.deviate == memoryLoopUnordered:
			done := o.complete(body, []member{{g: m.g, token: body.control()}})
			_, exit := c.cond.of(done)
			tokens = append(tokens, m.token, exit)
		case o.free(c, m.g):
			// R4: every iteration waits for what is before the loop, none for another.
			o.declare(c, m.g)
			in := member{g: m.g, token: body.bring(m.token)}
			switch o.s.opts.deviate {
			case freeWithoutEntry:
				in.token = body.control()
			case freeInside:
				in = member{g: m.g, unordered: true}
			}
			free = append(free, in)
		default:
			if as, r := o.interlocked(c, m.g); r != nil {
				o.interlock(as)
				free = append(free, member{g: m.g, token: r.bring(m.token)})
				continue
			}
			tokens = append(tokens, o.carried(c, m))
		}
	}
	// Done tokens arrive in the order of the iterations, also behind joins and
	// merges: the last one arrives when all iterations are done.
	for _, m := range free {
		again, exit := c.cond.of(o.complete(body, []member{m}))
		if o.s.opts.deviate == completionByBody {
			exit = again
		}
		tokens = append(tokens, exit)
	}
	return tokens
}

// free reports whether R4 holds for a group in a loop.
func (o *orderer) free(c *construct, g *group) bool {
	if !o.pipelined {
		return false
	}
	as := accessesIn(c, g)
	d := o.s.independentIn(c.op, as)
	return d != nil && d.Free && o.inTurn(d, as)
}

// inTurn reports whether accesses that an independence has in turn still are: passes in between merge branches. They also merge equal
// loads; the one that is left has the same pairs.
func (o *orderer) inTurn(d *independence, as []*access) bool {
	for _, p := range d.InTurn {
		at := func(op *ir.Operation) int { return slices.IndexFunc(as, func(a *access) bool { return a.src == op }) }
		first, second := at(p[0]), at(p[1])
		if first < 0 || second < 0 {
			continue
		}
		if first > second || !as[first].inTurn(as[second]) && o.s.opts.deviate != dependenceBranches {
			return false
		}
	}
	return true
}

// inTurn reports whether two accesses are not in different regions of one construct.
func (a *access) inTurn(b *access) bool {
	inside := map[*region]*region{} // what holds b, by what is around it
	var in *region
	for r := b.in; r != nil; in, r = r, r.parent {
		inside[r] = in
	}
	in = nil
	for r := a.in; r != nil; in, r = r, r.parent {
		if other, around := inside[r]; around {
			return in == nil || other == nil || in.at != other.at
		}
	}
	return false
}

// alone reports whether R2 or R3 holds for a group in a loop, whatever other accesses it has elsewhere: all iterations
// wait for what is before the loop, none for another.
func (o *orderer) alone(c *construct, g *group) bool {
	as := accessesIn(c, g)
	loads := !slices.ContainsFunc(as, func(a *access) bool { return a.store })
	return o.pipelined && (len(as) == 1 || loads || o.s.opts.deviate == whileUnordered)
}

// declare states at the stream of a loop that its iterations are independent in a group, for
// the verifier of the graph. Loads alone, and the accesses of one port, need no such
// statement.
func (o *orderer) declare(c *construct, g *group) {
	as := accessesIn(c, g)
	stores := 0
	for _, a := range as {
		if a.store {
			stores++
		}
	}
	if stores == 0 || len(as) < 2 {
		return
	}
	stream := c.raw.cond.Def
	var ids []int64
	if a, ok := stream.Attr(dataflow.IndependentAttr).(*ir.DenseArrayAttr); ok {
		ids = a.Values
	}
	for _, a := range as {
		if id, ok := a.done.Def.IntAttr("id"); ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	stream.SetAttr(dataflow.IndependentAttr, &ir.DenseArrayAttr{Elem: ir.I64, Values: ids})
}

// accessesIn lists the accesses of a group inside a construct.
func accessesIn(c *construct, g *group) []*access {
	var out []*access
	for _, r := range c.regions {
		for _, it := range r.items {
			switch {
			case it.nested != nil:
				if it.nested.touches(g) {
					out = append(out, accessesIn(it.nested, g)...)
				}
			case it.access != nil && it.access.group == g:
				out = append(out, it.access)
			}
		}
	}
	return out
}

// carried orders the iterations of a loop.
func (o *orderer) carried(c *construct, m member) *ir.Value {
	cond := c.cond
	if o.s.opts.deviate == memoryByRaw {
		cond = c.raw
	}
	carry := o.carry(c, cond.cond, m.token, name([]member{m}, "order"))
	done := o.complete(c.regions[0], []member{{g: m.g, token: o.earlier(c, cond, m, carry.Result(0))}})
	again, exit := cond.of(done)
	carry.SetOperand(2, again)
	return exit
}

// earlier is the token of as many iterations before as a loop's loads overtake the stores of; where there was none, what the loop began with.
func (o *orderer) earlier(c *construct, cond *splitter, m member, token *ir.Value) *ir.Value {
	n := o.overtakes(c, m.g)
	if n > 0 {
		accessesIn(c, m.g)[0].done.Def.SetAttr(handshake.OvertakenAttr, &ir.UnitAttr{})
	}
	for range n {
		again, _ := cond.of(token)
		carry := o.carry(c, cond.cond, m.token, token.Name)
		carry.SetOperand(2, again)
		token = carry.Result(0)
	}
	return token
}

// overtakes is the number of iterations whose stores the loads of a loop need not wait for, as they look at what was stored
// there (recent.go).
func (o *orderer) overtakes(c *construct, g *group) int {
	as := accessesIn(c, g)
	last := len(as) - 1
	keeps := func(r recent) bool {
		return r.root == as[last].mem.root && slices.Contains(c.op.Regions[0].Entry().Args, r.argument)
	}
	if last < 1 || o.s.opts.deviate != recentUncompared && !slices.ContainsFunc(o.s.recent, keeps) {
		return 0
	}
	asMade := true // passes in between merge branches
	for i, a := range as {
		asMade = asMade && a.mem == as[last].mem && a.store == (i == last) && (i == last || a.inTurn(as[last]))
	}
	if !asMade && !slices.Contains([]deviation{recentBehind, recentBranches, recentMerged}, o.s.opts.deviate) {
		return 0
	}
	return o.s.opts.RecentStores
}

// while orders a loop that tests by computing: a group with order sends its token
// through the before-region N+1 times and through the after-region N times.
func (o *orderer) while(c *construct, ms []member) []*ir.Value {
	var free []member
	var tokens []*ir.Value
	for _, m := range ms {
		if m.unordered || o.alone(c, m.g) {
			free = append(free, member{g: m.g, token: m.token, unordered: true})
			continue
		}
		if as, r := o.interlocked(c, m.g); r != nil {
			o.interlock(as)
			free = append(free, m)
			continue
		}
		cond := c.cond.cond
		if o.s.opts.deviate == memoryWhileGated {
			cond = o.s.gateOf(c.op, cond)
		}
		carry := o.carry(c, cond, m.token, name([]member{m}, "order"))
		done := o.complete(c.regions[0], []member{{g: m.g, token: o.earlier(c, c.cond, m, carry.Result(0))}})
		again, exit := c.cond.of(done)
		carry.SetOperand(2, o.complete(c.regions[1], []member{{g: m.g, token: again}}))
		tokens = append(tokens, exit)
	}
	for _, m := range free {
		tokens = append(tokens, o.whileCompletion(c, m))
	}
	return tokens
}

func (o *orderer) carry(c *construct, cond, token *ir.Value, name string) *ir.Operation {
	carry := o.s.emit(opname.DataflowCarry, c.op.Pos, []*ir.Value{cond, token, nil}, ir.None)
	carry.Result(0).Name = name
	return carry
}

// name is a name for a token of some groups: that of the group if there is one.
func name(ms []member, what string) string {
	if len(ms) == 1 && ms[0].g != nil {
		return ms[0].g.name("_") + "_" + what
	}
	return what
}

// join waits for all tokens.
func (s *state) join(pos diag.Pos, tokens []*ir.Value, name string) *ir.Value {
	j := s.emit(opname.HandshakeJoin, pos, tokens, ir.None)
	j.Result(0).Name = name
	return j.Result(0)
}
