package lower

import "loom/compiler/ir"

// Completion of a region. A done token that no access of its own group waits for
// only has to lead to the return (spec-dataflow-memory, "the
// return control token must postdominate every memory access done token"). Such
// tokens need no network per group where a construct runs once: branches around no loop and
// the return collect them for all groups. In a loop each group has its own, so that no
// iteration of one group waits for another (spec-dataflow-memory, "the compiler must not add
// artificial cross-domain dependencies"): done tokens that wait for those of a slower memory
// would fill the slots of their own, and stop it.

// finish orders the groups in one region and returns the tokens, at least
// one, that have all arrived when all groups are done there. Where a group's last step
// is a nested construct, nothing in the region waits for it, and the groups that
// end with the same construct pass it together.
func (o *orderer) finish(r *region, ms []member) []*ir.Value {
	var tokens []*ir.Value
	pending := map[*construct][]member{}
	for _, m := range ms {
		if m.token == nil {
			for _, it := range r.items {
				switch {
				case it.nested != nil:
					if it.nested.touches(m.g) {
						pending[it.nested] = append(pending[it.nested], m)
					}
				case it.access.group == m.g:
					it.access.op.SetOperand(ctrlSlot, r.control())
					tokens = append(tokens, it.access.done)
				}
			}
			continue
		}
		done, last, token := o.thread(r, m)
		tokens = append(tokens, done...)
		if last != nil {
			pending[last] = append(pending[last], member{m.g, token})
		}
	}
	for _, it := range r.items {
		if it.nested != nil && len(pending[it.nested]) > 0 {
			tokens = append(tokens, o.construct(it.nested, pending[it.nested])...)
		}
	}
	return tokens
}

// complete is finish with one token, the region's control if nothing is to be
// waited for.
func (o *orderer) complete(r *region, ms []member) *ir.Value {
	tokens := o.finish(r, ms)
	if o.s.opts.deviate == completionMisses && len(tokens) > 1 {
		tokens = tokens[:len(tokens)-1]
	}
	return o.joined(r, tokens, ms...)
}

// joined is one token for several of a region.
func (o *orderer) joined(r *region, tokens []*ir.Value, ms ...member) *ir.Value {
	var distinct []*ir.Value
	seen := map[*ir.Value]bool{}
	for _, v := range tokens {
		// The region's control token precedes every operation of the region.
		if !seen[v] && (v != r.ctrl || len(tokens) == 1) {
			seen[v] = true
			distinct = append(distinct, v)
		}
	}
	switch len(distinct) {
	case 0:
		return r.control()
	case 1:
		return distinct[0]
	}
	pos := r.at.Pos
	if d := distinct[0].Def; d != nil {
		pos = d.Pos
	}
	return o.s.join(pos, distinct, name(ms, "done"))
}

// whileCompletion collects the completions of a while: the before-region has one
// per test, the after-region one per iteration. A carry puts one token in front
// of the latter, so that the two can be joined and split by the condition: the
// token of the last test arrives when all iterations are done.
func (o *orderer) whileCompletion(c *construct, m member) *ir.Value {
	before, after := c.regions[0], c.regions[1]
	ms := []member{m}
	var tokens []*ir.Value
	if before.touches[m.g] {
		tokens = o.finish(before, ms)
	}
	if after.touches[m.g] {
		carry := o.carry(c, c.cond.cond, before.parent.control(), name(ms, "order"))
		carry.SetOperand(2, o.complete(after, ms))
		if len(tokens) == 0 || o.s.opts.deviate != completionWhileLast {
			tokens = append(tokens, carry.Result(0))
		}
	}
	_, exit := c.cond.of(o.joined(before, tokens, ms...))
	return exit
}
