package cycle

import "loom/sim/memmap"

// The memories of direct circuits and their buffers. A load or store is two units: one that
// joins its operands to a request, and the memory behind it.

// accessRequest joins the operands of a load or store to its request: the element index; the
// data of a store goes with it (storePort.data).
type accessRequest struct{ node }

func (r *accessRequest) firing(e *engine) bool {
	for _, w := range r.in {
		if !e.valid(w) {
			return false
		}
	}
	return true
}

func (r *accessRequest) forward(e *engine) { e.drive(r.out[0], r.firing(e), e.val(r.in[0])) }

func (r *accessRequest) backward(e *engine) {
	fire := e.moved(r.out[0])
	for _, w := range r.in {
		e.accept(w, fire)
	}
}

func (r *accessRequest) clock(*engine) wake                 { return 0 }
func (r *accessRequest) idle() bool                         { return true }
func (r *accessRequest) needs(_ *engine, buf []wire) []wire { return append(buf, r.in...) }

// memoryEffect reads or writes a memory at a clock edge, when all units are clocked.
type memoryEffect interface{ effect(e *engine) }

// pendingAccess is a request that a memory has taken; its response comes in cycle due.
type pendingAccess struct {
	due         int64
	index, data uint64
}

// accessPort is the memory behind an access of an external array: requests in, responses out
// in the order of the requests, each after the latency of its number.
type accessPort struct {
	node
	env    *environment
	number uint64 // of the access
	arg    int
	region *memmap.Region
	bytes  []byte
	// stream is set where the elements come and go in order; fixed is the latency of an array
	// that has one of its own.
	stream bool
	fixed  int64
	next   uint64 // the element of a stream that comes next
	store  bool

	queue    []pendingAccess
	accepted uint64
	last     int64 // due cycle of the latest request
	offered  bool  // the first of the queue is offered
	asked    int   // requests to a DRAM that are not in the queue yet
	value    uint64
}

func (p *accessPort) forward(e *engine) { e.drive(p.out[0], p.offered, p.value) }

func (p *accessPort) backward(e *engine) {
	e.accept(p.in[0], !p.env.stalled(3000+p.number, e.cycle))
}

// attach puts the array of an argument behind the port.
func (p *accessPort) attach(arg int) {
	p.arg, p.next, p.region, p.bytes = arg, 0, nil, nil
	for i := range p.env.bus.regions {
		if r := &p.env.bus.regions[i]; r.Arg == arg {
			p.region, p.bytes = r, p.env.bus.data[i]
		}
	}
}

// advance takes a request and drops a response that was taken.
func (p *accessPort) advance(e *engine, data uint64) wake {
	if e.moved(p.out[0]) {
		p.queue, p.offered = p.queue[1:], false
	}
	if e.moved(p.in[0].net) {
		index, wait := e.val(p.in[0]), p.fixed
		if p.stream {
			index = p.next
			p.next++
		}
		if wait == 0 && p.env.dram == nil {
			wait = p.env.memoryLatency(4000+p.number, p.accepted)
		}
		p.accepted++
		if wait != 0 {
			p.request(e.cycle+wait, index, data)
		} else {
			bytes, base := int64(1), uint64(0)
			if p.region != nil {
				bytes, base = int64(p.region.ElemBytes), p.region.Base
			}
			p.asked++
			p.env.ask(e.cycle, asked{4000 + p.number, p.store, base + index*uint64(bytes), bytes, func(due func(uint64) int64) {
				p.asked--
				p.request(due(base+index*uint64(bytes)), index, data)
			}})
		}
	}
	switch {
	case len(p.queue) == 0 && p.asked == 0:
		return dirty
	case p.offered:
		return 0
	}
	return dirty | tick
}

// request queues a request whose response comes in cycle due, or behind the one before.
func (p *accessPort) request(due int64, index, data uint64) {
	p.last = max(due, p.last+1)
	p.queue = append(p.queue, pendingAccess{p.last, index, data})
}

// element is where an element lies, nil beyond the end of the array.
func (p *accessPort) element(i uint64) []byte {
	if p.region == nil || i >= uint64(p.region.Elements) {
		return nil
	}
	at := int(i) * p.region.ElemBytes
	return p.bytes[at : at+p.region.ElemBytes]
}

// comes reports whether the first response is offered from the cycle on that begins.
func (p *accessPort) comes(e *engine) bool {
	p.env.serve(e.cycle)
	if p.offered || len(p.queue) == 0 || p.queue[0].due > e.cycle {
		return false
	}
	p.offered = true
	e.fdirty.set(p.id)
	return true
}

func (p *accessPort) idle() bool { return len(p.queue) == 0 && p.asked == 0 }

// pending reports whether only the stall of this cycle holds up a request.
func (p *accessPort) pending(e *engine) bool { return e.valid(p.in[0]) }

func (p *accessPort) needs(_ *engine, buf []wire) []wire {
	if p.idle() {
		buf = append(buf, p.in[0])
	}
	return buf
}

// loadPort reads what the array holds at the beginning of the cycle in which the response is
// first offered.
type loadPort struct{ accessPort }

func (p *loadPort) clock(e *engine) wake { return p.advance(e, 0) }

func (p *loadPort) effect(e *engine) {
	if !p.comes(e) {
		return
	}
	b := p.element(p.queue[0].index)
	if b == nil {
		e.raise(CodeExtBus, &p.node)
	}
	p.value = 0
	for i := len(b) - 1; i >= 0; i-- {
		p.value = p.value<<8 | uint64(b[i])
	}
	if p.region != nil {
		p.value &= mask(p.region.ElemBits)
	}
}

// storePort writes at the clock edge before the cycle in which the response is first offered.
type storePort struct {
	accessPort
	data wire
}

func (p *storePort) clock(e *engine) wake { return p.advance(e, e.val(p.data)) }

func (p *storePort) effect(e *engine) {
	if !p.comes(e) {
		return
	}
	b := p.element(p.queue[0].index)
	if b == nil {
		e.raise(CodeExtBus, &p.node)
	}
	for i := range b {
		b[i] = byte(p.queue[0].data >> (8 * i))
	}
}

// chipArray is a local array. One with initial contents that the kernel writes gets them again
// after reset and behind every run, an element per cycle; until then it takes no request.
type chipArray struct {
	cells   []uint64
	initial []uint64 // nil for an array that is not restored
	ports   []*node  // its units

	restoring bool
	at        int  // the element that is written next
	ended     bool // a run ended at this edge
}

// restore does what happens to the contents at a clock edge beside the writes of the kernel.
func (a *chipArray) restore(e *engine) {
	if a.initial == nil {
		return
	}
	was := a.restoring
	if a.restoring {
		a.cells[a.at] = a.initial[a.at]
		a.at++
		a.restoring = a.at < len(a.cells)
	}
	if a.ended {
		a.ended, a.restoring, a.at = false, true, 0
	}
	for _, p := range a.ports {
		if a.restoring {
			e.attend(p.id)
		}
		if a.restoring != was {
			e.fdirty.set(p.id)
		}
	}
}

// finish is the unit that ends a run.
type finish struct {
	datapath
	restores []*chipArray
}

func (f *finish) clock(e *engine) wake {
	if e.moved(f.in[0].net) {
		for _, a := range f.restores {
			a.ended = true
		}
	}
	return f.datapath.clock(e)
}

// chipLoad is a read port of a local array: the element read last stays at its output until it
// is taken; the next request may come in that cycle.
type chipLoad struct {
	node
	*chipArray
	full   bool
	read   bool // a request was taken at this edge
	index  uint64
	result uint64
}

func (p *chipLoad) forward(e *engine) { e.drive(p.out[0], p.full, p.result) }

func (p *chipLoad) backward(e *engine) {
	e.accept(p.in[0], !p.restoring && (!p.full || e.nets[p.out[0]].ready))
}

func (p *chipLoad) clock(e *engine) wake {
	if e.moved(p.out[0]) {
		p.full = false
	}
	if e.moved(p.in[0].net) {
		p.full, p.read, p.index = true, true, e.val(p.in[0])
	}
	return dirty
}

func (p *chipLoad) effect(e *engine) {
	if !p.read {
		return
	}
	p.read, p.result = false, 0
	if p.index >= uint64(len(p.cells)) {
		e.raise(CodeMemOOB, &p.node)
		return
	}
	p.result = p.cells[p.index]
}

func (p *chipLoad) idle() bool { return !p.full }

func (p *chipLoad) needs(_ *engine, buf []wire) []wire {
	if !p.full {
		buf = append(buf, p.in[0])
	}
	return buf
}

// chipDones is how many done tokens of a store port wait.
const chipDones = 2

// chipStores is the write port of a local array, of which the first store with a request and
// room for its done token has it.
type chipStores struct {
	node
	*chipArray
	data  []wire
	dones []int // by store

	write        bool
	index, value uint64
}

func (p *chipStores) forward(e *engine) {
	for i, n := range p.dones {
		e.drive(p.out[i], n > 0, 0)
	}
}

// granted is the store that writes in this cycle, -1 for none.
func (p *chipStores) granted(e *engine) int {
	if p.restoring {
		return -1
	}
	for i, w := range p.in {
		if e.valid(w) && p.dones[i] < chipDones {
			return i
		}
	}
	return -1
}

func (p *chipStores) backward(e *engine) {
	g := p.granted(e)
	for i, w := range p.in {
		e.accept(w, i == g)
	}
}

func (p *chipStores) clock(e *engine) wake {
	g := p.granted(e)
	for i, o := range p.out {
		if e.moved(o) {
			p.dones[i]--
		}
	}
	if g >= 0 {
		p.dones[g]++
		p.write, p.index, p.value = true, e.val(p.in[g]), e.val(p.data[g])
	}
	return dirty
}

func (p *chipStores) effect(e *engine) {
	p.restore(e)
	if !p.write {
		return
	}
	p.write = false
	if p.index >= uint64(len(p.cells)) {
		e.raise(CodeMemOOB, &p.node)
		return
	}
	p.cells[p.index] = p.value
}

func (p *chipStores) idle() bool {
	for _, n := range p.dones {
		if n > 0 {
			return false
		}
	}
	return true
}

func (p *chipStores) needs(_ *engine, buf []wire) []wire { return append(buf, p.in...) }

// held offers the token of a channel to units that only read it (the results from the second
// on), and passes it to the one that takes it.
type held struct{ node }

func (h *held) forward(e *engine) {
	v, d := e.valid(h.in[0]), e.val(h.in[0])
	for _, o := range h.out {
		e.drive(o, v, d)
	}
}

func (h *held) backward(e *engine)                 { e.accept(h.in[0], e.nets[h.out[0]].ready) }
func (h *held) clock(*engine) wake                 { return 0 }
func (h *held) idle() bool                         { return true }
func (h *held) needs(_ *engine, buf []wire) []wire { return append(buf, h.in[0]) }

// loopRegister is loom_loop_register: it takes a token in every cycle. Whoever sends the next
// one has taken the one before; what breaks that is a fault of the circuit.
type loopRegister struct {
	node
	full bool
	data uint64
}

func (r *loopRegister) forward(e *engine)  { e.drive(r.out[0], r.full, r.data) }
func (r *loopRegister) backward(e *engine) { e.accept(r.in[0], true) }

func (r *loopRegister) clock(e *engine) wake {
	if e.moved(r.out[0]) {
		r.full = false
	}
	if e.valid(r.in[0]) {
		if r.full {
			panic("cycle: " + r.what + " gets a second token")
		}
		r.full, r.data = true, e.val(r.in[0])
	}
	return dirty
}

func (r *loopRegister) idle() bool                         { return !r.full }
func (r *loopRegister) needs(_ *engine, buf []wire) []wire { return append(buf, r.in[0]) }

// transparentFIFO is loom_fifo_transparent: a queue that an empty passes on in the same cycle.
type transparentFIFO struct {
	node
	q queue
}

func (f *transparentFIFO) forward(e *engine) {
	if f.q.empty() {
		e.drive(f.out[0], e.valid(f.in[0]), e.val(f.in[0]))
	} else {
		e.drive(f.out[0], true, f.q.peek())
	}
}

func (f *transparentFIFO) backward(e *engine) { e.accept(f.in[0], !f.q.full()) }

func (f *transparentFIFO) clock(e *engine) wake {
	in, out := e.moved(f.in[0].net), e.moved(f.out[0])
	passed := in && out && f.q.empty()
	if out && !passed {
		f.q.pop()
	}
	if in && !passed {
		f.q.push(e.val(f.in[0]))
	}
	return dirty
}

func (f *transparentFIFO) idle() bool                         { return f.q.empty() }
func (f *transparentFIFO) needs(_ *engine, buf []wire) []wire { return append(buf, f.in[0]) }
