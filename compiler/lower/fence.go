package lower

import (
	"slices"

	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Fences (llvm.fence): every access before one in program order, to any memory, completes
// before any access after it begins (spec-dataflow-memory, "cross-group synchronization").
//
// A fence is one handshake.join of the tokens that all groups of the function have reached
// there, with the attribute loom.fence; each group goes on from its result:
//
//	a[i] = x          %a_done = …
//	fence             %fence = join %a_done, %b_order, %c_order {loom.fence}
//	b[i] = y          store to b under %fence
//
// Branches and loops with a fence inside are passed by every group with a token of its own,
// so that an iteration waits for as little of the one before as the fence in it demands. Groups
// that a construct does not access pass it, too, since their accesses outside are ordered with
// the fence inside; those that wait for the same token pass as one. Everything without a fence
// inside is ordered as always (memoryorder.go): groups between two fences are independent, and
// the relaxations R1 to R4 hold there, where what issues under its region's control issues
// under the token of the last fence instead.

// What the tests break on purpose.
const (
	fenceMissesGroup deviation = "a fence does not wait for one of the groups"
	fencePassed      deviation = "one group does not wait for a fence"
	fencePassedBy    deviation = "groups pass a construct with a fence inside without waiting"
	fenceEachTime    deviation = "an iteration waits for no fence of the one before"
)

// fenceFaults lists them.
var fenceFaults = []deviation{fenceMissesGroup, fencePassed, fencePassedBy, fenceEachTime}

// fenced orders groups in a region, each from its token on, and returns them with the tokens
// that have arrived when the region has ended.
func (o *orderer) fenced(r *region, ms []member) []member {
	ms = slices.Clone(ms)
	var between []item // since the last fence
	settle := func() {
		for i, m := range ms {
			ms[i].token = o.joined(r, o.finish(r, between, ms[i:i+1]), m)
		}
		between = nil
	}
	for _, it := range r.items {
		switch {
		case it.fence != nil:
			settle()
			token := o.fence(r, it.fence, tokens(ms))
			for i := range ms {
				if i > 0 || o.s.opts.deviate != fencePassed {
					ms[i].token = token
				}
			}
		case it.nested != nil && it.nested.fenced():
			settle()
			ms = o.around(it.nested, ms)
		default:
			between = append(between, it)
		}
	}
	settle()
	return ms
}

// fence makes the join of a fence. It has two operands at least, the region's control among
// them where there is but one token: the verifier reads the fence from the join.
func (o *orderer) fence(r *region, at *ir.Operation, waits []*ir.Value) *ir.Value {
	waits = distinctTokens(r, waits)
	if o.s.opts.deviate == fenceMissesGroup && len(waits) > 1 {
		waits = waits[1:]
	}
	switch {
	case len(waits) == 0:
		return r.control() // nothing is before it
	case len(waits) == 1 && waits[0].Def != nil && waits[0].Def.Attr(handshake.FenceAttr) != nil:
		return waits[0] // nothing is between it and the last one
	case len(waits) == 1:
		waits = append(waits, r.control())
	}
	token := o.s.join(at.Pos, waits, "fence")
	token.Def.SetAttr(handshake.FenceAttr, &ir.UnitAttr{})
	return token
}

// fenced reports whether a fence stands inside.
func (c *construct) fenced() bool {
	return slices.ContainsFunc(c.regions, func(r *region) bool { return r.fenced })
}

// fences reports whether a fence stands inside an operation.
func fences(op *ir.Operation) (found bool) {
	op.Walk(func(o *ir.Operation) bool {
		found = found || o.Name == opname.LLVMFence
		return !found
	})
	return found
}

// around leads groups through a construct with a fence inside.
func (o *orderer) around(c *construct, ms []member) []member {
	// at is the position of each group among those that pass.
	at := make([]int, len(ms))
	var in []member
	for i, m := range ms {
		at[i] = -1
		if !c.touches(m.g) {
			m = member{token: m.token}
			at[i] = slices.IndexFunc(in, func(n member) bool { return n.g == nil && n.token == m.token })
		}
		if at[i] < 0 {
			at[i] = len(in)
			in = append(in, m)
		}
	}
	out := o.through(c, in)
	ms = slices.Clone(ms)
	for i, m := range ms {
		if c.touches(m.g) || o.s.opts.deviate != fencePassedBy {
			ms[i].token = out[at[i]]
		}
	}
	return ms
}

// through orders members in a construct and returns their tokens behind it.
func (o *orderer) through(c *construct, in []member) []*ir.Value {
	out := make([]*ir.Value, len(in))
	if c.op.Name == opname.SCFIf {
		yes, no := slices.Clone(in), slices.Clone(in)
		for i, m := range in {
			yes[i].token, no[i].token = c.cond.of(m.token)
		}
		yes, no = o.fenced(c.regions[0], yes), o.fenced(c.regions[1], no)
		for i := range in {
			out[i] = o.s.merge(c.op, c.cond.cond, no[i].token, yes[i].token, name(in[i:i+1], "order"))
		}
		return out
	}
	carries := make([]*ir.Operation, len(in))
	head := slices.Clone(in)
	for i, m := range in {
		carries[i] = o.carry(c, c.cond.cond, m.token, name(in[i:i+1], "order"))
		head[i].token = carries[i].Result(0)
		if o.s.opts.deviate == fenceEachTime {
			head[i].token = c.regions[0].bring(m.token)
		}
	}
	// The body of a counted loop, or what a while does before its test.
	again := o.fenced(c.regions[0], head)
	for i := range again {
		again[i].token, out[i] = c.cond.of(again[i].token)
	}
	if c.op.Name == opname.SCFWhile {
		again = o.fenced(c.regions[1], again)
	}
	for i, m := range again {
		carries[i].SetOperand(2, m.token)
	}
	return out
}

// in is a member in a region inside, for one that all accesses there wait for.
func (m member) in(r *region) member {
	if m.token != nil {
		m.token = r.bring(m.token)
	}
	return m
}

// tokens are those of members.
func tokens(ms []member) []*ir.Value {
	out := make([]*ir.Value, len(ms))
	for i, m := range ms {
		out[i] = m.token
	}
	return out
}
