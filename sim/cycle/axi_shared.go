package cycle

import (
	"encoding/binary"

	"loom/compiler/arch"
	"loom/sim/trace"
)

// An AXI4 master that several external memories share: loom_axi_bus, and what loom_axi_port has beside loom_axi_master.

// Depths of loom_axi_pack and loom_axi_bus: writes whose data comes, twice as many that leave, and writes whose data has its turn.
const (
	packWays = 4
	busTurns = 4
)

// shape is what AR or AW carries on a shared bus.
type shape struct {
	id    int // the number of the memory among those that read, or that write
	addr  uint64
	beats int
	size  int // bytes of a beat
}

// wideBeat is a beat of W on a shared bus: a word, its strobes, and whether it is the last of its write.
type wideBeat struct {
	word   []uint64
	strobe [2]uint64
	last   bool
}

// asks reads what AR and AW of a memory offer, and what its W does, by state alone.
func (a *axiMaster) asksRead() (shape, bool) {
	if a.wide != nil {
		return a.wide.asksRead()
	}
	b, ok := a.offered(true)
	return shape{addr: b.addr, beats: b.n, size: a.bytes}, ok
}

func (a *axiMaster) asksWrite() (shape, bool) {
	if a.wide != nil {
		return a.wide.asksWrite()
	}
	b, ok := a.offered(false)
	return shape{addr: b.addr, beats: b.n, size: a.bytes}, ok
}

func (a *axiMaster) asksData() (wideBeat, bool) {
	if a.wide != nil {
		return a.wide.asksData()
	}
	b, last, ok := a.offeredData()
	return wideBeat{replicated(b.data, a.bytes, a.share.width), b.strobe, last}, ok
}

// offered is what AR, or AW, of loom_axi_master offers in this cycle.
func (a *axiMaster) offered(read bool) (burst, bool) {
	valid, x := a.arFull, a.ar
	if !read {
		valid, x = a.awFull && !a.hold, a.aw
	}
	if a.bursts == nil {
		return burst{x.id, x.addr, 1}, valid
	}
	r := &a.bursts.reads
	if !read {
		r = &a.bursts.writes
	}
	if len(r.queue) > 0 {
		return r.queue[0], true
	}
	b, leaves, _ := r.leaving(valid, x)
	return b, leaves && !r.waits
}

// offeredData is what its W offers.
func (a *axiMaster) offeredData() (b beat, last, valid bool) {
	c := a.bursts
	switch {
	case c == nil:
		return beat{a.aw.data, a.strobe(a.aw.addr)}, true, a.wFull && !a.hold
	case len(c.data) == 0 || len(c.lengths) == 0:
		return beat{}, false, false
	}
	return c.data[0], len(c.sent)+1 == c.lengths[0].n, true
}

// replicated is a word of the bus of some bytes with an element on every lane.
func replicated(v uint64, bytes, width int) []uint64 {
	for n := bytes; n < 8; n *= 2 {
		v |= v << (8 * n)
	}
	word := make([]uint64, (width+7)/8)
	for i := range word {
		word[i] = v & mask(8*width)
	}
	return word
}

// turns is loom_arbiter: round robin.
type turns struct{ from int }

// grant is the first of n that asks, from the pointer on, -1 for none.
func (t *turns) grant(n int, asks func(i int) bool) int {
	for k := range n {
		if i := (t.from + k) % n; asks(i) {
			return i
		}
	}
	return -1
}

// clock moves the pointer: to the one granted, behind it if it was taken.
func (t *turns) clock(granted, n int, taken bool) {
	switch {
	case granted < 0:
	case taken:
		t.from = (granted + 1) % n
	default:
		t.from = granted
	}
}

// sharedBus is loom_axi_bus together with the memory behind it.
type sharedBus struct {
	env              *environment
	index            uint64       // m of the environment's rules
	width            int          // bytes of a word
	bursts           bool         // BURST is more than 1
	members          []*axiMaster // in component order
	readers, writers []*axiMaster // in the order of their IDs
	region           int

	arTurn, awTurn turns
	arFull         bool // the register of AR
	ar             shape
	// Without bursts AW and W have registers; with them the writes whose data has not been sent, in the order of their addresses.
	awFull, wFull bool
	aw            shape
	w             wideBeat
	wFrom         int
	order         []int

	reading, writing flight
	aws              []shape    // that the memory has taken without all of their data
	ws               []wideBeat // and data that has come for them
	ends             int        // complete writes among ws

	// What this cycle shows, by state: begun is the one that it was found for, ended the latest that ended.
	begun, ended                  int64
	readsFull, writesFull         bool
	r, b                          response
	rWord                         []byte
	readAsks, writeAsks           []shape
	readValid, writeValid, wValid []bool
	wAsks                         []wideBeat
	arGrant, awGrant              int
	arTaken, awTaken, wTaken      int // by whom, -1 for none
}

func newSharedBus(m *arch.Master, env *environment, index int) *sharedBus {
	s := &sharedBus{env: env, index: uint64(index), width: m.Width / 8, bursts: m.Burst() > 1, begun: -1, ended: -1}
	for _, c := range m.Memories {
		a := newAXIMaster(c, env, index)
		a.share = s
		if m.Wide(c) {
			a.bursts, a.wide = nil, newWidePort(a.bytes, s.width, c.Mem.Bursts(), a.outstanding)
		}
		if a.wide == nil {
			a.busBytes = s.width
		} else {
			a.busBytes = a.bytes
		}
		if c.Mem.LdCount > 0 {
			a.readID = len(s.readers)
			s.readers = append(s.readers, a)
		}
		if c.Mem.StCount > 0 {
			a.writeID = len(s.writers)
			s.writers = append(s.writers, a)
		}
		s.members = append(s.members, a)
	}
	s.readAsks, s.readValid = make([]shape, len(s.readers)), make([]bool, len(s.readers))
	s.writeAsks, s.writeValid = make([]shape, len(s.writers)), make([]bool, len(s.writers))
	s.wAsks, s.wValid = make([]wideBeat, len(s.writers)), make([]bool, len(s.writers))
	return s
}

func (s *sharedBus) arReady(e *engine) bool {
	return !s.readsFull && !s.env.stalled(3000+2*s.index, e.cycle)
}
func (s *sharedBus) awReady(e *engine) bool {
	return !s.writesFull && !s.env.stalled(3001+2*s.index, e.cycle)
}
func (s *sharedBus) wReady(e *engine) bool { return !s.env.stalled(5000+s.index, e.cycle) }

// begin finds what the cycle shows: the responses of the memory, what the members ask for, and who of them is served. Nothing of it
// depends on anything but state and the environment.
func (s *sharedBus) begin(e *engine) {
	if s.begun == e.cycle {
		return
	}
	s.begun = e.cycle
	s.env.serve(e.cycle)
	s.readsFull, s.writesFull = !s.env.room(s.reading.underWay), !s.env.room(s.writing.underWay)
	s.r, s.b = response{}, response{}
	if x := s.reading.due(e.cycle); x != nil {
		s.rWord = make([]byte, x.size)
		ok := s.env.bus.fill(&s.region, x.addr, s.rWord)
		s.r = response{valid: true, tag: x.id, addr: x.addr, bad: !ok, last: x.last}
	}
	if x := s.writing.due(e.cycle); x != nil {
		s.b = response{valid: true, tag: x.id, addr: x.addr, bad: !s.env.bus.writable(&s.region, x.addr, x.size*len(x.beats)), last: true}
	}
	for i, a := range s.readers {
		s.readAsks[i], s.readValid[i] = a.asksRead()
		s.readAsks[i].id = i
	}
	for i, a := range s.writers {
		s.writeAsks[i], s.writeValid[i] = a.asksWrite()
		s.writeAsks[i].id = i
		s.wAsks[i], s.wValid[i] = a.asksData()
	}
	s.arTaken, s.awTaken, s.wTaken = -1, -1, -1
	s.arGrant = s.arTurn.grant(len(s.readers), func(i int) bool { return s.readValid[i] })
	if !s.arFull || s.arReady(e) {
		s.arTaken = s.arGrant
	}
	s.awGrant = s.awTurn.grant(len(s.writers), func(i int) bool { return s.writeValid[i] })
	if !s.bursts {
		if (!s.awFull || s.awReady(e)) && (!s.wFull || s.wReady(e)) {
			s.awTaken, s.wTaken = s.awGrant, s.awGrant
		}
		return
	}
	if s.room() && s.awReady(e) {
		s.awTaken = s.awGrant
	}
	if i := s.turn(); i >= 0 && s.wValid[i] && s.wReady(e) {
		s.wTaken = i
	}
}

// room reports whether there is a turn for the data of another write; turn is the writer whose data is next.
func (s *sharedBus) room() bool { return len(s.writers) == 1 || len(s.order) < busTurns }

func (s *sharedBus) turn() int {
	switch {
	case len(s.writers) == 1:
		return 0
	case len(s.order) == 0:
		return -1
	}
	return s.order[0]
}

// end is the clock edge, before those of the members.
func (s *sharedBus) end(e *engine) {
	s.begin(e)
	if s.ended == e.cycle {
		return
	}
	s.ended = e.cycle
	if r := &s.r; r.valid {
		x := s.reading.list[0]
		a := s.readers[x.id]
		s.transfer(e, BusTransfer{Comp: a.comp, Channel: R, ID: r.tag, Addr: r.addr, Last: r.last})
		s.reading.pop()
		if r.last {
			s.reading.underWay--
		}
	}
	if s.arFull && s.arReady(e) {
		s.transfer(e, BusTransfer{Comp: s.readers[s.ar.id].comp, Channel: AR, ID: uint16(s.ar.id), Addr: s.ar.addr, Len: s.ar.beats - 1})
		s.read(e, s.ar)
		s.arFull = false
	}
	if s.arTaken >= 0 {
		s.arFull, s.ar = true, s.readAsks[s.arTaken]
	}
	s.arTurn.clock(s.arGrant, len(s.readers), s.arTaken >= 0)

	if r := &s.b; r.valid {
		x := s.writing.list[0]
		a := s.writers[x.id]
		s.transfer(e, BusTransfer{Comp: a.comp, Channel: B, ID: r.tag, Addr: r.addr})
		for k, w := range x.beats {
			at := r.addr + uint64(k*x.size)
			if !r.bad {
				s.store(at, x.size, w)
			}
		}
		s.writing.pop()
		s.writing.underWay--
	}
	if s.bursts {
		if i := s.wTaken; i >= 0 {
			s.sends(e, i, s.wAsks[i])
			if s.wAsks[i].last && len(s.writers) > 1 {
				s.order = append(s.order[:0], s.order[1:]...)
			}
		}
		if i := s.awTaken; i >= 0 {
			s.addresses(e, s.writeAsks[i])
			if len(s.writers) > 1 {
				s.order = append(s.order, i)
			}
		}
		s.awTurn.clock(s.awGrant, len(s.writers), s.awTaken >= 0)
	} else {
		if s.awFull && s.awReady(e) {
			s.addresses(e, s.aw)
			s.awFull = false
		}
		if s.wFull && s.wReady(e) {
			s.sends(e, s.wFrom, s.w)
			s.wFull = false
		}
		if i := s.awTaken; i >= 0 {
			s.awFull, s.aw, s.wFull, s.w, s.wFrom = true, s.writeAsks[i], true, s.wAsks[i], i
		}
		s.awTurn.clock(s.awGrant, len(s.writers), s.awTaken >= 0)
	}
	for s.ends > 0 && len(s.aws) > 0 {
		n := 0
		for !s.ws[n].last {
			n++
		}
		s.write(e, s.aws[0], append([]wideBeat(nil), s.ws[:n+1]...))
		s.ws = append(s.ws[:0], s.ws[n+1:]...)
		s.aws = append(s.aws[:0], s.aws[1:]...)
		s.ends--
	}
}

// addresses and sends are AW and W.
func (s *sharedBus) addresses(e *engine, x shape) {
	s.transfer(e, BusTransfer{Comp: s.writers[x.id].comp, Channel: AW, ID: uint16(x.id), Addr: x.addr, Len: x.beats - 1})
	s.aws = append(s.aws, x)
	s.writing.underWay++
}

func (s *sharedBus) sends(e *engine, i int, w wideBeat) {
	s.transfer(e, BusTransfer{Comp: s.writers[i].comp, Channel: W, Word: w.word, Strobe: w.strobe, Last: w.last})
	s.ws = append(s.ws, w)
	if w.last {
		s.ends++
	}
}

func (s *sharedBus) transfer(e *engine, t BusTransfer) {
	t.Bus = int(s.index)
	e.transfer(t)
}

// read gives the memory a burst of reads, write one of writes.
func (s *sharedBus) read(e *engine, x shape) {
	f, stream := &s.reading, 4000+2*s.index
	elements := func(due func(addr uint64) int64) {
		for k := range x.beats {
			t := transaction{id: uint16(x.id), addr: x.addr + uint64(k*x.size), size: x.size, last: k == x.beats-1}
			t.due = due(t.addr)
			f.accept(t)
		}
	}
	f.accepted++
	f.underWay++
	if s.env.dram == nil {
		due := e.cycle + s.env.memoryLatency(stream, f.accepted-1)
		elements(func(uint64) int64 { return due })
		return
	}
	s.env.ask(e.cycle, asked{stream, false, x.addr, int64(x.beats * x.size), elements})
}

func (s *sharedBus) write(e *engine, x shape, data []wideBeat) {
	f, stream := &s.writing, 4001+2*s.index
	t := transaction{id: uint16(x.id), addr: x.addr, size: x.size, last: true, beats: data}
	f.accepted++
	if s.env.dram == nil {
		t.due = e.cycle + s.env.memoryLatency(stream, f.accepted-1)
		f.accept(t)
		return
	}
	last := x.addr + uint64((x.beats-1)*x.size)
	s.env.ask(e.cycle, asked{stream, true, x.addr, int64(x.beats * x.size), func(due func(uint64) int64) {
		t.due = due(last)
		f.accept(t)
	}})
}

// store writes the bytes of a beat of some bytes at an address.
func (s *sharedBus) store(addr uint64, size int, w wideBeat) {
	at := int(addr % uint64(s.width))
	for k := 0; k < size; k += 8 {
		n := min(size-k, 8)
		v := w.word[(at+k)/8] >> (8 * uint((at+k)%8))
		s.env.bus.write(&s.region, addr+uint64(k), n, v)
	}
}

// heldShared reports whether the bus does not take what the member offers in this cycle.
func (a *axiMaster) heldShared() (reads, writes bool) {
	s := a.share
	if a.comp.Mem.LdCount > 0 {
		reads = s.readValid[a.readID] && s.arTaken != a.readID
	}
	if a.comp.Mem.StCount > 0 {
		w := a.writeID
		writes = s.writeValid[w] && s.awTaken != w || s.wValid[w] && s.wTaken != w
	}
	return reads, writes
}

// took keeps the tag of a read or write that has left loom_axi_master.
func (a *axiMaster) took(e *engine, tags *[]uint16, what string, b burst) {
	*tags = append(*tags, b.id)
	for k := range b.n {
		a.happens(e, trace.Request, what, b.addr+uint64(k*a.bytes), b.id)
	}
}

// wrote is the clock edge of a response to a write.
func (a *axiMaster) wrote(e *engine) {
	r, n := a.answered, 1
	if a.bursts != nil {
		r, n = a.stored, a.stored.n
	}
	if !r.valid {
		return
	}
	for k := range n {
		a.happens(e, trace.Answer, "store", r.addr+uint64(k*a.bytes), r.tag)
	}
	a.writeTags = append(a.writeTags[:0], a.writeTags[1:]...)
}

// respondShared is respond of a member.
func (a *axiMaster) respondShared(e *engine) {
	s := a.share
	s.begin(e)
	a.loaded, a.stored, a.answered = response{}, response{}, response{}
	mine := func(r response, list []*axiMaster) response {
		if r.valid && list[r.tag] == a {
			return r
		}
		return response{}
	}
	r, b := mine(s.r, s.readers), mine(s.b, s.writers)
	for _, x := range []*response{&r, &b} {
		if x.bad && a.refused == nil {
			a.refused = &Refusal{e.cycle, a.comp, x == &b, x.addr}
		}
	}
	if w := a.wide; w != nil {
		w.beat, w.done = r, b
		a.loaded, a.answered = w.given(), w.answered()
	} else {
		if r.valid {
			r.data = littleEndian(s.rWord)
			if r.bad {
				r.data = 0
			}
		}
		a.loaded, a.stored, a.answered = r, b, b
		if b.valid {
			a.stored.n = len(s.writing.list[0].beats)
		}
		if a.bursts != nil {
			if a.stored.valid {
				a.stored.tag = a.writeTags[0]
			}
			a.answered = a.bursts.answered()
		}
	}
	if a.loaded.valid {
		a.loaded.tag = a.readTags[0]
	}
	if a.answered.valid && a.bursts == nil {
		a.answered.tag = a.writeTags[0]
	}
	a.toLoads, a.toStores = a.loaded, a.answered
	if a.closed() {
		a.toLoads, a.toStores = response{}, response{}
	}
}

func littleEndian(p []byte) uint64 {
	var word [8]byte
	copy(word[:], p)
	return binary.LittleEndian.Uint64(word[:])
}

// widePort is what loom_axi_port has for beats of several elements: loom_axi_read, loom_axi_coalesce for writes, and loom_axi_pack.
type widePort struct {
	bytes, width, lanes int
	most                int // BURST

	beat, done response // what comes for it in this cycle

	reads  runs
	shapes []wideShape // of reads whose beats have not all come
	beats  []readBeat
	next   int // element of the first

	writes  runs
	data    []uint64 // elements that have come
	lengths []burst  // writes that have been given to pack, without all of their elements
	gave    int      // elements of the first that have been given
	flying  []int    // elements of the writes without response
	answers []answer

	ways  []burst     // writes that wait with their address for their data
	forms []wideShape // of those whose data comes
	lane  int         // elements of the first that have come
	held  []uint64
	words []wideBeat
	whole int // writes whose data is there and that have not left
	sent  int // that have left and whose data has not
}

// wideShape is whether a transaction has beats of a word, and the lane of its first element.
type wideShape struct {
	wide bool
	lane int
}

// readBeat is a beat of R that has come.
type readBeat struct {
	wideShape
	response
	word []byte
}

func newWidePort(bytes, width, most, outstanding int) *widePort {
	side := runs{most: most, bytes: uint64(bytes), early: 1, waits: true, patient: true}
	w := &widePort{bytes: bytes, width: width, lanes: width / bytes, most: most, reads: side, writes: side}
	w.reads.places, w.writes.places = outstanding, min(outstanding, burstPlaces)
	w.held = make([]uint64, w.lanes)
	return w
}

// shapeOf is how a burst of elements stands on the bus.
func (w *widePort) shapeOf(b burst) (wideShape, shape) {
	if lane := int(b.addr % uint64(w.width)); lane != 0 || b.n%w.lanes != 0 {
		return wideShape{false, lane / w.bytes}, shape{addr: b.addr, beats: b.n, size: w.bytes}
	}
	return wideShape{true, 0}, shape{addr: b.addr, beats: b.n / w.lanes, size: w.width}
}

func (w *widePort) asksRead() (shape, bool) {
	if len(w.reads.queue) == 0 {
		return shape{}, false
	}
	_, x := w.shapeOf(w.reads.queue[0])
	return x, true
}

func (w *widePort) asksWrite() (shape, bool) {
	if len(w.ways) == 0 || w.whole == 0 || w.sent == 2*packWays {
		return shape{}, false
	}
	_, x := w.shapeOf(w.ways[0])
	return x, true
}

func (w *widePort) asksData() (wideBeat, bool) {
	if len(w.words) == 0 || w.sent == 0 {
		return wideBeat{}, false
	}
	return w.words[0], true
}

// given is the element of a read that is given in this cycle, answered the response to one of a write.
func (w *widePort) given() response {
	if len(w.beats) == 0 {
		return response{}
	}
	b := &w.beats[0]
	r, at := b.response, 0
	if b.wide {
		at = w.next * w.bytes
	}
	r.addr += uint64(at)
	r.last, r.data = true, 0
	if !r.bad {
		r.data = littleEndian(b.word[at : at+w.bytes])
	}
	return r
}

func (w *widePort) answered() response {
	if len(w.answers) == 0 {
		return response{}
	}
	x := w.answers[0]
	x.addr += uint64((x.n - 1 - x.rest) * w.bytes)
	return x.response
}

// room reports whether the data of a store finds a place.
func (w *widePort) room() bool { return len(w.data) < 2*w.most }

// clock is the clock edge: a read of an element, and the two halves of a write, are there or not; arTaken, awTaken and wTaken tell what
// the bus took.
func (w *widePort) clock(s *sharedBus, read bool, ar transaction, aw, wd bool, st transaction, arTaken, awTaken, wTaken bool) {
	ar.id, st.id = 0, 0 // elements share beats whatever their tags
	// Reads: elements that have been given, beats that come, addresses.
	if len(w.beats) > 0 {
		w.next++
		if !w.beats[0].wide || w.next == w.lanes {
			w.beats = append(w.beats[:0], w.beats[1:]...)
			w.next = 0
		}
	}
	if r := w.beat; r.valid {
		form := w.shapes[0]
		w.beats = append(w.beats, readBeat{form, r, s.rWord})
		if r.last {
			w.shapes = append(w.shapes[:0], w.shapes[1:]...)
		}
	}
	if b, sent := w.reads.clock(read, ar, arTaken, w.beat.valid && w.beat.last); sent {
		form, _ := w.shapeOf(b)
		w.shapes = append(w.shapes, form)
	}

	// Writes, from the responses to the addresses: what enters a queue in this cycle is not seen in it.
	responded := len(w.answers) > 0 && w.answers[0].rest == 0
	switch {
	case responded:
		w.answers = append(w.answers[:0], w.answers[1:]...)
	case len(w.answers) > 0:
		w.answers[0].rest--
	}
	if r := w.done; r.valid {
		r.n = w.flying[0]
		w.answers = append(w.answers, answer{r, r.n - 1})
		w.flying = append(w.flying[:0], w.flying[1:]...)
	}
	wayRoom := len(w.ways) < packWays && len(w.forms) < packWays
	moves := len(w.data) > 0 && len(w.lengths) > 0 && len(w.forms) > 0 && len(w.words) < 2*w.most
	if wTaken {
		if w.words[0].last {
			w.sent--
		}
		w.words = append(w.words[:0], w.words[1:]...)
	}
	if awTaken {
		w.ways = append(w.ways[:0], w.ways[1:]...)
		w.whole--
		w.sent++
	}
	if moves {
		w.pack()
	}
	if wd {
		w.data = append(w.data, st.data)
	}
	if b, sent := w.writes.clock(aw, st, wayRoom, responded); sent {
		form, _ := w.shapeOf(b)
		w.ways, w.forms, w.lengths, w.flying = append(w.ways, b), append(w.forms, form), append(w.lengths, b), append(w.flying, b.n)
	}
}

// pack takes an element into the words.
func (w *widePort) pack() {
	form, v := w.forms[0], w.data[0]
	w.data = append(w.data[:0], w.data[1:]...)
	w.gave++
	last := w.gave == w.lengths[0].n
	lane := (form.lane + w.lane) % w.lanes
	w.lane++
	w.held[lane] = v
	switch {
	case !form.wide:
		b := wideBeat{word: replicated(v, w.bytes, w.width), last: last}
		at := lane * w.bytes
		b.strobe[at/64] = mask(w.bytes) << (at % 64)
		w.words = append(w.words, b)
	case lane == w.lanes-1:
		b := wideBeat{word: make([]uint64, (w.width+7)/8), last: last}
		for l, x := range w.held {
			b.word[l*w.bytes/8] |= x << (8 * uint(l*w.bytes%8))
		}
		for k := range w.width {
			b.strobe[k/64] |= 1 << (k % 64)
		}
		w.words = append(w.words, b)
	}
	if last {
		w.whole++
		w.gave, w.lane = 0, 0
		w.lengths = append(w.lengths[:0], w.lengths[1:]...)
		w.forms = append(w.forms[:0], w.forms[1:]...)
	}
}
