package cycle

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/config"
)

func init() {
	models[arch.LoadLane] = model{connect: (*builder).connectLoadLane}
	models[arch.StoreLane] = model{connect: (*builder).connectStoreLane}
}

// A lane is two units: requests pass through combinationally, responses are offered
// from registers. Were it one, every kernel that computes an address from what it
// loaded would look like a combinational loop.

// inFlight counts the responses of one kind that a lane still expects: held from the
// request until the response has left, awaited until it has arrived.
type inFlight struct {
	held, awaited int
	// The largest there were.
	most, mostAwaited int
}

func (u *inFlight) send() {
	u.held++
	u.awaited++
	u.most, u.mostAwaited = max(u.most, u.held), max(u.mostAwaited, u.awaited)
}

// offered reports whether a response has arrived and not left yet.
func (u *inFlight) offered() bool { return u.held != u.awaited }

// lane is what both halves of a load or store lane share.
type lane struct {
	tag       uint16
	slots     int
	request   *node // the half that sends
	data      inFlight
	done      inFlight
	sent      int64 // cycle of the latest request
	responses queue // data of loads
	maxFlight int   // stores in flight, 0 on load lanes
}

// comes reports whether a response that arrives in this cycle is awaited, by a
// request of an earlier cycle: both halves change the counts at the same edge, in
// either order.
func (l *lane) comes(e *engine, u *inFlight) bool {
	n := u.awaited
	if l.sent == e.cycle {
		n--
	}
	return n > 0
}

// loadRequest is the half of loom_load_lane that sends: in addr, out req.
type loadRequest struct {
	node
	*lane
}

func (l *loadRequest) room() bool { return l.data.held < l.slots && l.done.held < l.slots }

func (l *loadRequest) forward(e *engine) {
	e.driveTagged(l.out[0], l.room() && e.valid(l.in[0]), e.val(l.in[0]), l.tag)
}

func (l *loadRequest) backward(e *engine) { e.accept(l.in[0], l.room() && e.nets[l.out[0]].ready) }

func (l *loadRequest) clock(e *engine) wake {
	if !e.moved(l.out[0]) {
		return 0
	}
	l.sent = e.cycle
	l.data.send()
	l.done.send()
	return dirty
}

func (l *loadRequest) idle() bool { return true }

func (l *loadRequest) needs(_ *engine, buf []wire) []wire { return append(buf, l.in[0]) }

// loadLane is the half of loom_load_lane that holds responses: in rsp, done_rsp, out
// data, done.
type loadLane struct {
	node
	*lane
	addr wire
}

func (l *loadLane) forward(e *engine) {
	if l.responses.empty() {
		e.drive(l.out[0], false, 0)
	} else {
		e.drive(l.out[0], true, l.responses.peek())
	}
	e.drive(l.out[1], l.done.offered(), 0)
}

func (l *loadLane) backward(e *engine) {
	e.accept(l.in[0], true)
	e.accept(l.in[1], true)
}

func (l *loadLane) clock(e *engine) wake {
	come, doneCome := l.comes(e, &l.data), l.comes(e, &l.done)
	if e.moved(l.out[0]) {
		l.responses.pop()
		l.data.held--
	}
	if e.moved(l.out[1]) {
		l.done.held--
	}
	if e.valid(l.in[0]) && come {
		l.responses.push(e.val(l.in[0]))
		l.data.awaited--
	}
	if e.valid(l.in[1]) && doneCome {
		l.done.awaited--
	}
	e.fdirty.set(l.request.id) // there may be room again
	return dirty
}

func (l *loadLane) idle() bool { return l.data.held == 0 && l.done.held == 0 }

func (l *loadLane) needs(_ *engine, buf []wire) []wire {
	if l.data.awaited > 0 {
		buf = append(buf, l.in[0])
	}
	if l.done.awaited > 0 {
		buf = append(buf, l.in[1])
	}
	if l.idle() {
		buf = append(buf, l.addr)
	}
	return buf
}

// storeRequest is the half of loom_store_lane that sends: in addr, data, out
// staddr, stdata, offered independently.
type storeRequest struct {
	node
	*lane
	taken offer
}

func (s *storeRequest) firing(e *engine) bool {
	return s.done.awaited < s.maxFlight && s.done.held < s.slots && e.valid(s.in[0]) && e.valid(s.in[1])
}

func (s *storeRequest) forward(e *engine) {
	f := s.firing(e)
	e.driveTagged(s.out[0], f && s.taken.wants(0), e.val(s.in[0]), s.tag)
	e.driveTagged(s.out[1], f && s.taken.wants(1), e.val(s.in[1]), s.tag)
}

func (s *storeRequest) backward(e *engine) {
	fire := s.firing(e) && s.taken.complete(e, s.out)
	e.accept(s.in[0], fire)
	e.accept(s.in[1], fire)
}

func (s *storeRequest) clock(e *engine) wake {
	// The other half may have changed the counts already: this one fires if and only
	// if it offers something.
	if !e.nets[s.out[0]].valid && !e.nets[s.out[1]].valid {
		return 0
	}
	old := s.taken
	var completed bool
	if s.taken, completed = s.taken.advance(e, s.out); completed {
		s.sent = e.cycle
		s.done.send()
	}
	return changed(completed || old != s.taken)
}

func (s *storeRequest) idle() bool { return s.taken == 0 }

func (s *storeRequest) needs(_ *engine, buf []wire) []wire { return append(buf, s.in...) }

// storeLane is the half of loom_store_lane that holds done tokens: in done_rsp, out
// done.
type storeLane struct {
	node
	*lane
	addr, data wire
}

func (s *storeLane) forward(e *engine)  { e.drive(s.out[0], s.done.offered(), 0) }
func (s *storeLane) backward(e *engine) { e.accept(s.in[0], true) }

func (s *storeLane) clock(e *engine) wake {
	come := e.valid(s.in[0]) && s.comes(e, &s.done)
	if e.moved(s.out[0]) {
		s.done.held--
	}
	if come {
		s.done.awaited--
	}
	e.fdirty.set(s.request.id)
	return dirty
}

func (s *storeLane) idle() bool { return s.done.held == 0 }

func (s *storeLane) needs(_ *engine, buf []wire) []wire {
	switch {
	case s.done.awaited > 0:
		return append(buf, s.in[0])
	case s.idle():
		return append(buf, s.addr, s.data)
	}
	return buf
}

// half makes what one of the two units of a lane needs: the one that sends requests
// or the one that takes responses.
func (b *builder) half(c *arch.Component, l *lane, in, out []int) node {
	n := node{comp: c, what: fmt.Sprintf("%s '%s' (tag %d)", c.Kind, c.Name, l.tag)}
	for _, i := range in {
		n.in = append(n.in, b.input(c, i))
	}
	for _, o := range out {
		n.out = append(n.out, b.feeds[c.ID][o].net)
	}
	return n
}

func newLane(c *arch.Component, set *config.Setting) *lane {
	return &lane{tag: uint16(set.Tag & mask(c.Lane.TagWidth)), slots: c.Lane.Slots, sent: -1}
}

func (b *builder) connectLoadLane(c *arch.Component, set *config.Setting) {
	l := newLane(c, set)
	l.responses = newQueue(l.slots)
	r := &loadRequest{b.half(c, l, []int{arch.LoadAddr}, []int{arch.LoadReq}), l}
	a := &loadLane{b.half(c, l, []int{arch.LoadRsp, arch.LoadDoneRsp}, []int{arch.LoadData, arch.LoadDone}), l, r.in[0]}
	a.regFwd, a.regBwd = true, true
	b.add(r)
	b.add(a)
	l.request = &r.node
}

func (b *builder) connectStoreLane(c *arch.Component, set *config.Setting) {
	l := newLane(c, set)
	l.maxFlight = min(c.Lane.LSQDepth, l.slots)
	r := &storeRequest{node: b.half(c, l, []int{arch.StoreAddr, arch.StoreData}, []int{arch.StoreReqAddr, arch.StoreReqData}), lane: l}
	a := &storeLane{b.half(c, l, []int{arch.StoreDoneRsp}, []int{arch.StoreDone}), l, r.in[0], r.in[1]}
	a.regFwd, a.regBwd = true, true
	b.add(r)
	b.add(a)
	l.request = &r.node
}
