package token

import (
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
)

// The operations that LOOM's own graphs do not have: those of handshake graphs as CIRCT
// writes them. Instances and tuples are dissolved before a graph comes here.

// maxOperands is the most operands of a merge or mux: an operand is a bit of a mask.
const maxOperands = 63

// elsewhere makes the actors of an operation that LOOM's lowering does not make; it reports
// whether op is one, or needs no actor.
func (c *compiler) elsewhere(op *ir.Operation) bool {
	if c.folded(op) {
		return true
	}
	n, r := op.NumOperands(), op.NumResults()
	check := func(ok bool, want string) bool {
		if !ok {
			c.errs.Errorf(op.Pos, "'%s' has %d operands and %d results, expected %s", op.Name, n, r, want)
		}
		return ok
	}
	switch op.Name {
	case opname.HandshakeBr:
		if check(n == 1 && r == 1, "one of each") {
			c.actor(kFork, op, []int{0}, []int{0})
		}
	case opname.HandshakeFork, opname.HandshakeLazyFork:
		k := kFork
		if op.Name == opname.HandshakeLazyFork {
			k = kLazyFork
		}
		if check(n == 1 && r >= 1 && r <= 64, "one operand and 1 to 64 results") {
			c.actor(k, op, []int{0}, upTo(r))
		}
	case opname.HandshakeSink:
		if check(n == 1 && r == 0, "one operand") {
			c.actor(kSink, op, []int{0}, nil)
		}
	case opname.HandshakeSync:
		if check(n == r && n >= 1 && n <= maxOperands, "as many results as operands, at most 63") {
			c.actor(kSync, op, upTo(n), upTo(n))
		}
	case opname.HandshakeMerge, opname.HandshakeControlMerge:
		k, results := kMerge, 1
		if op.Name == opname.HandshakeControlMerge {
			k, results = kControlMerge, 2
		}
		if !check(n >= 1 && n <= maxOperands && r == results, "1 to 63 operands and their result") {
			return true
		}
		for i, v := range op.Operands() {
			if _, always := c.endless[v]; always {
				c.errs.Errorf(op.Pos, "operand #%d of '%s' comes from handshake.source and always has a token: the result would be one without end", i, op.Name).
					WithHelp("select with a handshake.mux, which takes it only when it is wanted")
				return true
			}
		}
		// Tokens without data are alike: it does not matter which comes first.
		if n > 1 && (op.Result(0).Type != ir.Type(ir.None) || r > 1 && op.Result(1).HasUses()) {
			c.p.merges = append(c.p.merges, int32(len(c.p.actors)))
		}
		c.actor(k, op, upTo(n), upTo(r))
	case opname.HandshakeBuffer:
		c.buffer(op)
	case opname.HandshakeSource, opname.HandshakeNever:
		// A source is endless; of a never nothing comes.
	case opname.HandshakeInstance, opname.HandshakePack, opname.HandshakeUnpack:
		c.errs.Errorf(op.Pos, "'%s' must be dissolved before the graph is simulated", op.Name)
	default:
		return false
	}
	return true
}

// buffer makes the two sides of a buffer and the channel between them.
func (c *compiler) buffer(op *ir.Operation) {
	if op.NumOperands() != 1 || op.NumResults() != 1 {
		c.errs.Errorf(op.Pos, "'handshake.buffer' has %d operands and %d results, expected one of each", op.NumOperands(), op.NumResults())
		return
	}
	values, ok := handshake.InitValues(op)
	if !ok {
		c.errs.Errorf(op.Pos, "the initial values of 'handshake.buffer' are no integers")
		return
	}
	w, _ := ir.BitWidth(op.Result(0).Type, c.indexWidth)
	slots := handshake.BufferTokens(op)
	ch := int32(len(c.p.chans))
	c.actor(kBufferIn, op, []int{0}, nil).out = [][]int32{{ch}}
	store := channel{value: op.Operand(0), use: ir.Use{Op: op, Index: 0}, from: int32(len(c.p.actors) - 1), to: int32(len(c.p.actors)), slots: slots}
	for i := len(values) - 1; i >= 0; i-- { // the last is nearest to the output
		store.init = append(store.init, uint64(values[i])&(1<<w-1))
	}
	c.p.primed = c.p.primed || len(values) > 0
	c.p.chans = append(c.p.chans, store)
	out := c.actor(kBufferOut, op, nil, []int{0})
	out.in, out.operand = []int32{ch}, []int{0}
}

// endlessAll reports whether all operands of op always have a token.
func (c *compiler) endlessAll(op *ir.Operation) bool {
	for _, v := range op.Operands() {
		if _, ok := c.endless[v]; !ok {
			return false
		}
	}
	return true
}

// checkEndless reports actors that nothing would ever stop.
func (c *compiler) checkEndless() {
	for i := range c.p.actors {
		a := &c.p.actors[i]
		stopped := len(a.in) == 0 || a.kind == kReturn
		for _, ch := range a.in {
			stopped = stopped || !c.p.chans[ch].endless
		}
		if !stopped {
			c.errs.Errorf(a.op.Pos, "'%s' would fire without end: all that it waits for comes from handshake.source", a.op.Name).
				WithHelp("one operand must be a token that depends on the start of the graph")
		}
	}
}

// folded reports whether op needs no actor: what it does with tokens that come without end
// is decided.
func (c *compiler) folded(op *ir.Operation) bool {
	for _, r := range op.Results() {
		if _, ok := c.endless[r]; ok {
			return true // also of a branch, whose other result never has a token
		}
	}
	return op.Name == opname.HandshakeSink && c.endlessAll(op)
}

// findEndless finds the values that always have a token: of sources, and of what is computed
// from nothing else. They are taken when they are wanted, and nothing fires for them.
func (c *compiler) findEndless(body *ir.Block) {
	c.endless = map[*ir.Value]uint64{}
	for grown := true; grown; {
		grown = false
		for _, op := range body.Ops {
			for i, v := range c.endlessResults(op) {
				if v == nil {
					continue
				}
				if _, ok := c.endless[op.Result(i)]; !ok {
					c.endless[op.Result(i)], grown = *v, true
				}
			}
		}
	}
	for v, constant := range c.endless {
		for _, ch := range c.byValue[v] {
			c.p.chans[ch].endless, c.p.chans[ch].constant = true, constant
		}
	}
}

// endlessResults are the tokens of the results that always have one, nil for the others.
func (c *compiler) endlessResults(op *ir.Operation) []*uint64 {
	all := func(v uint64) []*uint64 {
		out := make([]*uint64, op.NumResults())
		for i := range out {
			out[i] = &v
		}
		return out
	}
	if op.Name == opname.HandshakeSource {
		return all(0)
	}
	if op.NumOperands() == 0 || !c.endlessAll(op) {
		return nil
	}
	in := make([]uint64, op.NumOperands())
	for i, v := range op.Operands() {
		in[i] = c.endless[v]
	}
	switch op.Name {
	case opname.HandshakeConstant:
		return all(c.constant(op))
	case opname.HandshakeBr, opname.HandshakeFork, opname.HandshakeLazyFork:
		return all(in[0])
	case opname.HandshakeBuffer:
		if values, _ := handshake.InitValues(op); len(values) == 0 {
			return all(in[0])
		}
	case opname.HandshakeMerge:
		if len(in) == 1 {
			return all(in[0])
		}
	case opname.HandshakeControlMerge:
		if zero := uint64(0); len(in) == 1 && op.NumResults() == 2 {
			return []*uint64{&in[0], &zero}
		}
	case opname.HandshakeJoin:
		return all(0)
	case opname.HandshakeSync:
		out := make([]*uint64, len(in))
		for i := range in {
			out[i] = &in[i]
		}
		return out
	case opname.HandshakeMux:
		if len(in) > 1 {
			return all(in[1+min(in[0], uint64(len(in)-2))])
		}
	case opname.HandshakeCondBr:
		if len(in) == 2 && op.NumResults() == 2 {
			if in[0] != 0 {
				return []*uint64{&in[1], nil}
			}
			return []*uint64{nil, &in[1]}
		}
	default:
		if shapes[op.Name] != [3]int{} || op.Dialect() == "handshake" {
			return nil
		}
		form, err := num.Resolve(op, c.indexWidth)
		switch {
		case err != nil: // reported where the actor is made
		case form.Unary != nil:
			return all(form.Unary(in[0]))
		case form.Binary != nil:
			return all(form.Binary(in[0], in[1]))
		case form.Ternary != nil:
			return all(form.Ternary(in[0], in[1], in[2]))
		}
	}
	return nil
}

// carries is the token that result r of a firing carries.
func (m *machine) carries(id int32, r int) uint64 {
	a := &m.p.actors[id]
	switch a.kind {
	case kFork, kLazyFork, kBufferIn, kBufferOut:
		return m.queues[a.in[0]].front()
	case kSync:
		return m.queues[a.in[r]].front()
	}
	return m.states[id].val[r]
}

// tryElsewhere fires an actor of this file if its inputs allow.
func (m *machine) tryElsewhere(id int32) {
	a, s := &m.p.actors[id], &m.states[id]
	q := m.queues
	switch a.kind {
	case kMerge, kControlMerge:
		m.tryMerge(id)
		return
	case kLazyFork:
		for _, chans := range a.out {
			for _, c := range chans {
				if !m.wire(c) && m.full(c) {
					return // its consumer wakes the fork when it takes a token
				}
			}
		}
	}
	for _, c := range a.in {
		if q[c].n == 0 {
			return
		}
	}
	outs := ^uint64(0)
	if len(a.out) < 64 {
		outs = 1<<len(a.out) - 1
	}
	s.val = [2]uint64{}
	m.fire(id, outs, takeAll, 0)
}

// tryMerge passes on a token of any operand: with Options.Seed of one chosen at random, else
// of the first that has one.
func (m *machine) tryMerge(id int32) {
	a, s := &m.p.actors[id], &m.states[id]
	first, second := -1, -1
	for i, c := range a.in {
		if m.queues[c].n == 0 {
			continue
		}
		if first < 0 {
			first = i
		} else if second < 0 {
			second = i
		}
	}
	if first < 0 {
		return
	}
	chosen := first
	if second >= 0 {
		if m.race == nil {
			m.race = &Race{Op: a.op, First: first, Second: second}
		}
		if m.opts.Seed != 0 {
			for chosen = int(m.random() % uint64(len(a.in))); m.queues[a.in[chosen]].n == 0; {
				chosen = (chosen + 1) % len(a.in)
			}
		}
	}
	s.val[0], s.val[1] = m.queues[a.in[chosen]].front(), uint64(chosen)
	m.fire(id, 1<<len(a.out)-1, 1<<chosen, 0)
}

// restless is how many firings per actor a graph may take to come to rest after reset.
const restless = 1000

// contents is what a graph holds.
type contents struct {
	tokens []int
	phases []uint8
}

// prime gives buffers their initial tokens and lets the graph come to rest before it is
// started, as hardware does after reset.
func (m *machine) prime() {
	if !m.p.primed {
		return
	}
	for i := range m.p.chans {
		for _, v := range m.p.chans[i].init {
			m.queues[i].push(v)
			m.wake(m.p.chans[i].to)
		}
	}
	limit := m.opts.MaxSteps
	m.opts.MaxSteps = min(limit, restless*int64(len(m.p.actors)+1))
	m.loop()
	m.opts.MaxSteps = limit
	m.restless = m.budget
	m.resting = &contents{make([]int, len(m.queues)), make([]uint8, len(m.states))}
	for i := range m.queues {
		m.resting.tokens[i] = m.queues[i].n
	}
	for i := range m.states {
		m.resting.phases[i] = m.states[i].phase
	}
}
