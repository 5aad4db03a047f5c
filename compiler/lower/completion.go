package lower

import (
	"slices"

	"loom/compiler/ir"
)

// Completion of a region. A done token that no access of its own group waits for
// only has to lead to the return (spec-dataflow-memory, "the
// return control token must postdominate every memory access done token"). Such
// tokens need no network per group where a construct runs once: branches around no loop and
// the return collect them for all groups. In a loop each group has its own, so that no
// iteration of one group waits for another (spec-dataflow-memory, "the compiler must not add
// artificial cross-domain dependencies"): done tokens that wait for those of a slower memory
// would fill the slots of their own, and stop it.

// finish orders the groups in items of one region and returns the tokens, at least
// one, that have all arrived when all groups are done there. Where a group's last step
// is a nested construct, nothing in the region waits for it, and the groups that
// end with the same construct pass it together.
func (o *orderer) finish(r *region, items []item, ms []member) []*ir.Value {
	var tokens []*ir.Value
	pending := map[*construct][]member{}
	for _, m := range ms {
		if m.unordered {
			waited := m.token == nil
			for _, it := range items {
				switch {
				case it.nested != nil:
					if it.nested.touches(m.g) {
						pending[it.nested] = append(pending[it.nested], m)
					}
				case it.access.group == m.g:
					ctrl := m.token
					if ctrl == nil {
						ctrl = r.control()
					}
					it.access.op.SetOperand(ctrlSlot, ctrl)
					tokens = append(tokens, it.access.done)
					waited = true
				}
			}
			if !waited { // constructs may hold no access on the path that is taken
				tokens = append(tokens, m.token)
			}
			continue
		}
		done, last, token := o.thread(r, items, m)
		tokens = append(tokens, done...)
		if last != nil {
			pending[last] = append(pending[last], member{g: m.g, token: token})
		}
	}
	for _, it := range items {
		if it.nested != nil && len(pending[it.nested]) > 0 {
			tokens = append(tokens, o.construct(it.nested, pending[it.nested])...)
		}
	}
	return tokens
}

// complete is finish with one token, the region's control if nothing is to be
// waited for.
func (o *orderer) complete(r *region, ms []member) *ir.Value {
	tokens := o.finish(r, r.items, ms)
	if o.s.opts.deviate == completionMisses && len(tokens) > 1 {
		tokens = tokens[:len(tokens)-1]
	}
	return o.joined(r, tokens, ms...)
}

// joined is one token for several of a region.
func (o *orderer) joined(r *region, tokens []*ir.Value, ms ...member) *ir.Value {
	tokens = distinctTokens(r, tokens)
	switch len(tokens) {
	case 0:
		return r.control()
	case 1:
		return tokens[0]
	}
	pos := r.at.Pos
	if d := tokens[0].Def; d != nil {
		pos = d.Pos
	}
	return o.s.join(pos, tokens, name(ms, "done"))
}

// distinctTokens lists tokens of a region without repetition, and without the region's control
// token, which precedes every operation of the region.
func distinctTokens(r *region, tokens []*ir.Value) []*ir.Value {
	var out []*ir.Value
	seen := map[*ir.Value]bool{r.ctrl: true}
	for _, v := range tokens {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// whileCompletion collects the completions of a while: the before-region has one
// per test, the after-region one per iteration. A carry puts one token in front
// of the latter, so that the two can be joined and split by the condition: the
// token of the last test arrives when all iterations are done.
func (o *orderer) whileCompletion(c *construct, m member) *ir.Value {
	before, after := c.regions[0], c.regions[1]
	first := m.token
	if first == nil || o.s.opts.deviate == whileForgets {
		first = before.parent.control()
	}
	m = m.in(before)
	ms := []member{m}
	var tokens []*ir.Value
	if before.touches[m.g] {
		tokens = o.finish(before, before.items, ms)
	}
	if after.touches[m.g] {
		carry := o.carry(c, c.cond.cond, first, name(ms, "order"))
		carry.SetOperand(2, o.complete(after, []member{m.in(after)}))
		if m.token != nil {
			// The carry begins with what all accesses wait for.
			tokens = slices.DeleteFunc(tokens, func(v *ir.Value) bool { return v == m.token })
		}
		if len(tokens) == 0 || o.s.opts.deviate != completionWhileLast {
			tokens = append(tokens, carry.Result(0))
		}
	}
	_, exit := c.cond.of(o.joined(before, tokens, ms...))
	return exit
}
