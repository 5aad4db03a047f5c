package cycle

import (
	"loom/compiler/arch"
	"loom/sim/trace"
	"loom/sim/vector"
)

// BusChannel is a channel of an AXI port.
type BusChannel uint8

// The channels on which a master sends, then those of the responses.
const (
	AR BusChannel = iota
	AW
	W
	R
	B
)

// String is the channel's name in the AXI specification.
func (c BusChannel) String() string { return [...]string{"AR", "AW", "W", "R", "B"}[c] }

// BusTransfer is what one AXI channel of an external memory's master transfers in a
// cycle.
type BusTransfer struct {
	Cycle   int64
	Bus     int             // number of the master (arch.Fabric.Masters)
	Comp    *arch.Component // the external memory
	Channel BusChannel
	// ID and Addr, in bytes, belong to all but W; responses have the address of their
	// request.
	ID   uint16
	Addr uint64
	// Len is the number of further elements of a burst, of AR and AW.
	Len int
	// Data, the element, belongs to W and R, Strobe to W: a bit per byte of the bus, the
	// lowest first; Last to both, set with the last element of a burst.
	Last   bool
	Data   uint64
	Strobe [2]uint64
	// Word is W on a master that memories share: the words of the bus, the lowest first, in the place of Data.
	Word []uint64
}

// response is what the bus returns to a master in one cycle.
type response struct {
	valid bool
	tag   uint16 // the ID
	addr  uint64 // of the request
	data  uint64 // of a load; 0 after an error
	bad   bool   // DECERR
	last  bool   // the transaction ends
	n     int    // elements of a burst of writes
}

// transaction is a read or write that the bus has taken, with the first cycle in
// which its response may come.
// It is an element of a burst of reads, or a burst of writes.
type transaction struct {
	due        int64
	id         uint16
	addr, data uint64
	last       bool   // the last element of its burst
	more       []beat // of a burst of writes
	// On a master that memories share: bytes of a beat, and the beats of a burst of writes.
	size  int
	beats []wideBeat
}

// flight holds the transactions of one direction, in the order of their
// responses: by due cycle, of equal ones the earlier request first. Of one ID that
// is the order of the requests.
type flight struct {
	list     []transaction
	accepted uint64 // so far: the n of the latency rule
	underWay int    // transactions: several elements of the list may be one
}

// accept takes a transaction that has its due cycle.
func (f *flight) accept(x transaction) {
	for i := range f.list {
		if y := &f.list[i]; y.id == x.id {
			x.due = max(x.due, y.due+1)
		}
	}
	i := len(f.list)
	for i > 0 && f.list[i-1].due > x.due {
		i--
	}
	f.list = append(f.list, transaction{})
	copy(f.list[i+1:], f.list[i:])
	f.list[i] = x
}

// due returns the transaction whose response comes in cycle t, nil for none.
func (f *flight) due(t int64) *transaction {
	if len(f.list) == 0 || f.list[0].due > t {
		return nil
	}
	return &f.list[0]
}

func (f *flight) pop() {
	copy(f.list, f.list[1:])
	f.list = f.list[:len(f.list)-1]
}

// memoryPort is what stands behind the request and response ports of an external
// memory. Its unit calls respond in the forward sweep and reads the
// responses of this cycle, in the backward sweep it reads ldReady and stReady, at
// the clock edge it calls clock and then load and store for the requests that were
// accepted, with whether their region is cached. It is clocked as long as the port is busy.
type memoryPort interface {
	respond(e *engine)
	responses() (loaded, stored *response)
	ldReady(e *engine) bool
	stReady(e *engine) bool
	clock(e *engine)
	load(addr uint64, tag uint16, cached bool)
	store(addr uint64, tag uint16, data uint64, cached bool)
	busy() bool
}

// axiMaster is loom_axi_master together with the memory behind its bus.
type axiMaster struct {
	env      *environment
	comp     *arch.Component
	index    uint64 // m of the environment's rules
	bytes    int    // of an element
	busBytes int
	bursts   *coalescer // nil where every access is a transaction
	// share is the bus of several memories, nil for one of its own: the number of the memory among those that read and among those that
	// write there, the tags of what is under way, and wide for beats of several elements, nil without.
	share               *sharedBus
	readID, writeID     int
	readTags, writeTags []uint16
	wide                *widePort
	region              int // of the bus, tried first
	// outstanding is OUTSTANDING of the hardware: reads, and as many writes, in flight at a time.
	outstanding int

	loaded, stored    response // of this cycle
	answered          response // of this cycle, to one store
	toLoads, toStores response // those that are passed on

	reads, writes int // from the acceptance of the request to the response
	// The registers of AR and, filled together, of AW and W.
	arFull, awFull, wFull bool
	ar, aw                transaction
	reading, writing      flight
	// readsFull and writesFull are set in cycles in which the memory takes no transaction more.
	readsFull, writesFull bool
	// hold: the store in AW and W was accepted together with a load of its element and
	// waits for the load's response (spec-fabric-mem, "Same-cycle load/store collision").
	// fresh: AR was filled in this cycle.
	hold, fresh bool
	// clear is set while what makes the requests is in reset, draining after that until
	// nothing of it is in flight: no request is taken and responses are dropped.
	clear, draining, wasClosed bool
	// refused is the first access that got an error response.
	refused *Refusal
	// loadUse and storeUse count cycles; sent: an element of W was transferred in this one.
	loadUse, storeUse vector.BusUse
	sent              bool
}

// tally counts a cycle of a direction with accesses under way.
func tally(u *vector.BusUse, moved, refused, full bool) {
	switch {
	case moved:
		u.Moved++
	case refused:
		u.Refused++
	case full:
		u.Full++
	default:
		u.Waited++
	}
}

// held reports whether something waits for the bus that it does not take in this cycle, of reads and of writes.
func (a *axiMaster) held(e *engine) (reads, writes bool) {
	if a.share != nil {
		return a.heldShared()
	}
	reads, writes = a.arFull, a.awFull
	data := a.wFull
	if b := a.bursts; b != nil {
		reads, writes, data = len(b.reads.queue) > 0, len(b.writes.queue) > 0, len(b.data) > 0 && len(b.lengths) > 0
	}
	return reads && !a.arReady(e), writes && !a.awReady(e) || data && !a.wReady(e)
}

// Refusal is an access on a bus that got an error response.
type Refusal struct {
	Cycle int64
	Comp  *arch.Component
	Write bool
	Addr  uint64
}

func newAXIMaster(c *arch.Component, env *environment, index int) *axiMaster {
	bytes := c.Mem.ElemBytes()
	busBytes := max(bytes, c.Mem.BusWidth/8) // fabrics made by hand may leave the bus open
	n := c.Mem.InFlight()
	a := &axiMaster{env: env, comp: c, index: uint64(index), bytes: bytes, busBytes: busBytes, outstanding: n,
		reading: flight{list: make([]transaction, 0, n)}, writing: flight{list: make([]transaction, 0, n)}}
	if n := c.Mem.Bursts(); n > 1 {
		a.bursts = newCoalescer(n, bytes, a.outstanding)
	}
	return a
}

func (a *axiMaster) arReady(e *engine) bool {
	if s := a.share; s != nil {
		s.begin(e)
		return s.arTaken == a.readID && a.comp.Mem.LdCount > 0
	}
	return !a.readsFull && !a.env.stalled(3000+2*a.index, e.cycle)
}
func (a *axiMaster) awReady(e *engine) bool {
	if s := a.share; s != nil {
		s.begin(e)
		return s.awTaken == a.writeID && a.comp.Mem.StCount > 0
	}
	return !a.writesFull && !a.env.stalled(3001+2*a.index, e.cycle)
}
func (a *axiMaster) wReady(e *engine) bool {
	if s := a.share; s != nil {
		s.begin(e)
		return s.wTaken == a.writeID && a.comp.Mem.StCount > 0
	}
	return !a.env.stalled(5000+a.index, e.cycle)
}

// arOpen, awOpen and wOpen report whether what is requested leaves the registers of AR, AW and W.
func (a *axiMaster) arOpen(e *engine) bool {
	switch {
	case a.bursts != nil:
		return a.bursts.reads.ready()
	case a.wide != nil:
		return a.wide.reads.ready()
	}
	return a.arReady(e)
}

func (a *axiMaster) awOpen(e *engine) bool {
	switch {
	case a.bursts != nil:
		return a.bursts.writes.ready()
	case a.wide != nil:
		return a.wide.writes.ready()
	}
	return a.awReady(e)
}

func (a *axiMaster) wOpen(e *engine) bool {
	switch {
	case a.bursts != nil:
		return len(a.bursts.data) < a.bursts.places
	case a.wide != nil:
		return a.wide.room()
	}
	return a.wReady(e)
}

// read gives the memory a burst of reads.
func (a *axiMaster) read(e *engine, b burst) {
	if a.share != nil {
		a.took(e, &a.readTags, "load", b)
		return
	}
	a.transfer(e, BusTransfer{Comp: a.comp, Channel: AR, ID: b.id, Addr: b.addr, Len: b.n - 1})
	f, stream := &a.reading, 4000+2*a.index
	elements := func(due func(addr uint64) int64) {
		for k := range b.n {
			x := transaction{id: b.id, addr: b.addr + uint64(k*a.bytes), last: k == b.n-1}
			x.due = due(x.addr)
			f.accept(x)
		}
	}
	for k := range b.n {
		a.happens(e, trace.Request, "load", b.addr+uint64(k*a.bytes), b.id)
	}
	f.accepted++
	f.underWay++
	if a.env.dram == nil {
		due := e.cycle + a.env.memoryLatency(stream, f.accepted-1)
		elements(func(uint64) int64 { return due })
		return
	}
	a.env.ask(e.cycle, asked{stream, false, b.addr, int64(b.n * a.bytes), func(due func(uint64) int64) { elements(due) }})
}

// write gives the memory a burst of writes.
func (a *axiMaster) write(e *engine, b burst, data []beat) {
	x := transaction{id: b.id, addr: b.addr, last: true, more: data}
	f, stream := &a.writing, 4001+2*a.index
	for k := range b.n {
		a.happens(e, trace.Request, "store", b.addr+uint64(k*a.bytes), b.id)
	}
	f.accepted++
	if a.env.dram == nil {
		x.due = e.cycle + a.env.memoryLatency(stream, f.accepted-1)
		f.accept(x)
		return
	}
	last := b.addr + uint64((b.n-1)*a.bytes)
	a.env.ask(e.cycle, asked{stream, true, b.addr, int64(b.n * a.bytes), func(due func(uint64) int64) {
		x.due = due(last)
		f.accept(x)
	}})
}

// ldReady is ld_req_ready, from state and the environment alone.
func (a *axiMaster) ldReady(e *engine) bool {
	return !a.closed() && !a.hold && a.reads < a.outstanding && (!a.arFull || a.arOpen(e))
}

// stReady is st_req_ready.
func (a *axiMaster) stReady(e *engine) bool {
	return !a.closed() && !a.hold && a.writes < a.outstanding && (!a.awFull || a.awOpen(e)) && (!a.wFull || a.wOpen(e))
}

// respond finds the responses of this cycle. All reads of a cycle see memory as it
// is at the beginning: they belong to the forward sweep, writes to the clock edge.
func (a *axiMaster) respond(e *engine) {
	if a.share != nil {
		a.respondShared(e)
		return
	}
	a.env.serve(e.cycle)
	a.readsFull, a.writesFull = !a.env.room(a.reading.underWay), !a.env.room(a.writing.underWay)
	a.loaded, a.stored = response{}, response{}
	if x := a.reading.due(e.cycle); x != nil {
		data, ok := a.env.bus.read(&a.region, x.addr, a.bytes)
		a.loaded = response{true, x.id, x.addr, data, !ok, x.last, 0}
	}
	if x := a.writing.due(e.cycle); x != nil {
		a.stored = response{true, x.id, x.addr, 0, !a.env.bus.writable(&a.region, x.addr, len(x.more)*a.bytes), true, len(x.more)}
	}
	for _, r := range []*response{&a.loaded, &a.stored} {
		if r.bad && a.refused == nil {
			a.refused = &Refusal{e.cycle, a.comp, r == &a.stored, r.addr}
		}
	}
	a.answered = a.stored
	if a.bursts != nil {
		a.answered = a.bursts.answered()
	}
	a.toLoads, a.toStores = a.loaded, a.answered
	if a.closed() {
		a.toLoads, a.toStores = response{}, response{}
	}
}

func (a *axiMaster) closed() bool { return a.clear || a.draining }

func (a *axiMaster) responses() (loaded, stored *response) { return &a.toLoads, &a.toStores }

// clock is the clock edge, before the requests of this cycle enter.
func (a *axiMaster) clock(e *engine) {
	if a.share != nil {
		a.share.end(e)
	}
	held := a.hold
	loads, stores, full, fullStores := a.reads > 0, a.writes > 0, a.reads >= a.outstanding, a.writes >= a.outstanding
	heldReads, heldWrites := a.held(e)
	a.sent = a.share != nil && a.comp.Mem.StCount > 0 && a.share.wTaken == a.writeID
	a.fresh, a.draining = false, a.closed() && a.busy()
	if r := &a.loaded; r.valid {
		a.happens(e, trace.Answer, "load", r.addr, r.tag)
		if a.share == nil {
			a.transfer(e, BusTransfer{Comp: a.comp, Channel: R, ID: r.tag, Addr: r.addr, Data: r.data, Last: r.last})
			a.reading.pop()
			if r.last {
				a.reading.underWay--
			}
		} else if r.last {
			a.readTags = append(a.readTags[:0], a.readTags[1:]...)
		}
		a.reads--
		a.hold = a.hold && a.reads > 0
	}
	asked := a.arFull
	open := a.arOpen(e)
	if a.bursts != nil {
		if b, sent := a.bursts.reads.clock(asked, a.ar, a.arReady(e), a.loaded.valid && a.loaded.last); sent {
			a.read(e, b)
		}
	} else if asked && open {
		a.read(e, burst{a.ar.id, a.ar.addr, 1})
	}
	a.arFull = asked && !open

	if r := &a.stored; r.valid && a.share == nil {
		a.transfer(e, BusTransfer{Comp: a.comp, Channel: B, ID: r.tag, Addr: r.addr})
		for k, x := range a.writing.list[0].more {
			at := r.addr + uint64(k*a.bytes)
			if !r.bad {
				a.env.bus.write(&a.region, at, a.bytes, x.data)
			}
			a.happens(e, trace.Answer, "store", at, r.tag)
		}
	}
	aw, w := a.awFull && !held, a.wFull && !held
	awOpen, wOpen := a.awOpen(e), a.wOpen(e)
	switch {
	case a.bursts != nil:
		a.writeBursts(e, aw, w)
	case a.share != nil:
		if aw && awOpen {
			a.took(e, &a.writeTags, "store", burst{a.aw.id, a.aw.addr, 1})
		}
	default:
		if aw && awOpen {
			a.transfer(e, BusTransfer{Comp: a.comp, Channel: AW, ID: a.aw.id, Addr: a.aw.addr})
			a.writing.underWay++
		}
		if w && wOpen {
			a.transfer(e, BusTransfer{Comp: a.comp, Channel: W, Data: a.aw.data, Strobe: a.strobe(a.aw.addr), Last: true})
			a.sent = true
		}
	}
	switch {
	case a.share == nil && a.stored.valid:
		a.writing.pop()
		a.writing.underWay--
	case a.share != nil:
		a.wrote(e)
	}
	if a.wide != nil {
		s := a.share
		a.wide.clock(s, asked, a.ar, aw && awOpen, w && wOpen, a.aw, a.arReady(e), a.awReady(e), a.wReady(e))
	}
	if a.answered.valid {
		a.writes--
	}
	a.awFull, a.wFull = a.awFull && !(aw && awOpen), a.wFull && !(w && wOpen)
	if a.share == nil && a.bursts == nil && (aw || w) && !a.awFull && !a.wFull {
		a.write(e, burst{a.aw.id, a.aw.addr, 1}, []beat{{a.aw.data, a.strobe(a.aw.addr)}})
	}
	if loads {
		tally(&a.loadUse, a.loaded.valid, heldReads, full)
	}
	if stores {
		tally(&a.storeUse, a.sent, heldWrites, fullStores)
	}
}

// strobe names the bytes of the element at addr on the bus.
func (a *axiMaster) strobe(addr uint64) (s [2]uint64) {
	at := int(addr % uint64(a.busBytes))
	s[at/64] = mask(a.bytes) << (at % 64)
	return s
}

// load takes a request that was accepted in this cycle. The address is rounded down
// to the element.
func (a *axiMaster) load(addr uint64, tag uint16, _ bool) {
	a.reads++
	a.arFull, a.fresh, a.ar = true, true, transaction{id: tag, addr: addr &^ uint64(a.bytes-1)}
}

// store is load for stores.
func (a *axiMaster) store(addr uint64, tag uint16, data uint64, _ bool) {
	a.writes++
	a.awFull, a.wFull = true, true
	a.aw = transaction{id: tag, addr: addr &^ uint64(a.bytes-1), data: data & mask(8*a.bytes)}
	a.hold = a.fresh && a.ar.addr == a.aw.addr
}

// busy reports whether a request is on the bus or its response still to come.
func (a *axiMaster) busy() bool { return a.reads > 0 || a.writes > 0 }

// transfer is that of an engine, of the bus of this memory alone.
func (a *axiMaster) transfer(e *engine, t BusTransfer) {
	t.Bus = int(a.index)
	e.transfer(t)
}

// happens records an element of a transaction: that it was asked for, or answered.
func (a *axiMaster) happens(e *engine, kind trace.Kind, what string, addr uint64, id uint16) {
	e.event(trace.Event{Kind: kind, Comp: a.comp, Channel: -1, Data: addr, Tag: id, What: what})
}

// transfer passes a transfer on the bus in the present cycle to Options.Bus.
func (e *engine) transfer(t BusTransfer) {
	if e.bus != nil {
		t.Cycle = e.cycle
		e.bus(t)
	}
}
