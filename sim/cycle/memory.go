package cycle

import (
	"loom/compiler/arch"
	"loom/compiler/config"
)

// onChipSlots is the number of responses that an on-chip memory holds per kind: load data, load
// done, store done.
const onChipSlots = 4

// ports are a memory's channels; absent ones have net -1.
type ports struct {
	ldAddr, stAddr, stData wire
	ldData, ldDone, stDone int32
}

// table is the address table of an untagged memory: the first valid region
// serves every request.
type table struct {
	mapped  bool
	overlap bool // a second valid region
	offset  uint64
	shift   uint // element index to bytes

	region int    // the valid one
	image  uint64 // its offset in the image
}

func newTable(regions []config.Region, elemBytes int) table {
	t := table{}
	for 1<<t.shift < elemBytes {
		t.shift++
	}
	for i, r := range regions {
		switch {
		case !r.Valid:
		case t.mapped:
			t.overlap = true
		default:
			t.mapped, t.offset = true, r.Offset
			t.region, t.image = i, r.Offset
		}
	}
	return t
}

// rebase adds base addresses, one per region, to the offsets of the image.
func (t *table) rebase(base []uint64) { t.offset = t.image + base[t.region] }

func (t *table) address(index uint64) uint64 { return index<<t.shift + t.offset }

// pairing is the store side that both memories share: queues of addresses and
// data that pair in order, and the counter that reports a lone half.
type pairing struct {
	addr, data queue
	lone       int
	timeout    int
}

func newPairing(depth, timeout int) pairing {
	return pairing{addr: newQueue(depth), data: newQueue(depth), timeout: timeout}
}

func (p *pairing) both() bool  { return !p.addr.empty() && !p.data.empty() }
func (p *pairing) empty() bool { return p.addr.empty() && p.data.empty() }

// count advances the deadlock counter by one cycle; true means that the timeout
// is reached in this cycle.
func (p *pairing) count() bool {
	if p.addr.empty() == p.data.empty() {
		p.lone = 0
		return false
	}
	if p.lone < p.timeout {
		p.lone++
		return p.lone == p.timeout
	}
	return false
}

// waits reports whether the counter still runs.
func (p *pairing) waits() bool {
	return p.addr.empty() != p.data.empty() && p.lone < p.timeout
}

// responses is an output buffer whose slots are in use from the acceptance of the
// request until the response has left.
type responses struct {
	q     queue
	slots int // reserved or held
	most  int // the largest slots there were
}

func newResponses(n int) responses { return responses{q: newQueue(n)} }

func (a *responses) free() bool { return a.slots < len(a.q.buf) }

func (a *responses) offer(e *engine, out int32) {
	if out < 0 {
		return
	}
	if a.q.empty() {
		e.drive(out, false, 0)
	} else {
		e.drive(out, true, a.q.peek())
	}
}

// leave drops the response that transfers in this cycle.
func (a *responses) leave(e *engine, out int32) {
	if out >= 0 && e.moved(out) {
		a.q.pop()
		a.slots--
	}
}

// waiting is the number of requests without a response.
func (a *responses) waiting() int { return a.slots - a.q.count }

// reserve takes a slot for a response to come.
func (a *responses) reserve() { a.slots++; a.most = max(a.most, a.slots) }

// hostPort is the host's port of a memory that is not private: in a cycle with en
// it reads an element, and writes it with we; no load is accepted and no store
// written then. During a run the host keeps away.
type hostPort struct {
	en, we  bool
	addr    uint64
	data    uint64
	read    uint64 // what was read in the last cycle with en
	reading bool   // that was the cycle before
}

// clock is the clock edge.
func (h *hostPort) clock(cells []uint64, mask uint64) {
	if h.reading = h.en; h.en && h.addr < uint64(len(cells)) {
		h.read = cells[h.addr]
		if h.we {
			cells[h.addr] = h.data & mask
		}
	}
}

// memory is loom_memory: on-chip storage with one load and one store port.
type memory struct {
	node
	ports
	table
	cells []uint64
	mask  uint64 // of an element
	host  hostPort

	loads, loaded responses // data and done tokens of loads
	read          bool      // a load was accepted in the last cycle
	readData      uint64
	st            pairing
	stored        responses // done tokens of stores
}

func newMemory(n node, p ports, spec *arch.MemorySpec, regions []config.Region) *memory {
	n.regFwd, n.regBwd = true, true
	m := &memory{
		node: n, ports: p, table: newTable(regions, spec.ElemBytes()),
		cells: make([]uint64, spec.Elements), mask: mask(spec.ElemWidth),
		loads: newResponses(onChipSlots), loaded: newResponses(onChipSlots),
		st: newPairing(spec.LSQDepth, spec.Timeout()), stored: newResponses(onChipSlots),
	}
	return m
}

func (m *memory) forward(e *engine) {
	m.loads.offer(e, m.ldData)
	m.loaded.offer(e, m.ldDone)
	m.stored.offer(e, m.stDone)
}

// cell finds the element an index means, raising what is wrong with it.
func (m *memory) cell(e *engine, index uint64) *uint64 {
	if !m.mapped {
		e.raise(CodeMemNoMatch, &m.node)
		return nil
	}
	// Nothing wraps: an index beyond the capacity is out of bounds with any offset.
	if n := uint64(len(m.cells)); index < n && index+m.offset>>m.shift < n {
		return &m.cells[index+m.offset>>m.shift]
	}
	e.raise(CodeMemOOB, &m.node)
	return nil
}

func (m *memory) pops() bool { return m.st.both() && m.stored.free() && !m.host.en }

func (m *memory) backward(e *engine) {
	if m.ldAddr.net >= 0 {
		e.accept(m.ldAddr, m.loads.free() && m.loaded.free() && !m.host.en)
	}
	if m.stAddr.net >= 0 {
		e.accept(m.stAddr, !m.st.addr.full() || m.pops())
		e.accept(m.stData, !m.st.data.full() || m.pops())
	}
}

func (m *memory) clock(e *engine) (w wake) {
	if m.overlap {
		e.raise(CodeMemOverlap, &m.node)
	}
	pops := m.pops()
	if m.st.count() {
		e.raise(CodeStoreDeadlock, &m.node)
	}
	m.loads.leave(e, m.ldData)
	m.loaded.leave(e, m.ldDone)
	m.stored.leave(e, m.stDone)
	if m.read {
		m.loads.q.push(m.readData)
		m.loaded.q.push(0)
		m.read = false
	}
	// The load reads before the store of the same cycle writes.
	if m.ldAddr.net >= 0 && e.moved(m.ldAddr.net) {
		m.read, m.readData = true, 0
		if c := m.cell(e, e.val(m.ldAddr)); c != nil {
			m.readData = *c
		}
		m.loads.reserve()
		m.loaded.reserve()
	}
	m.host.clock(m.cells, m.mask)
	if pops {
		if c := m.cell(e, m.st.addr.peek()); c != nil {
			*c = m.st.data.peek() & m.mask
		}
		m.st.addr.pop()
		m.st.data.pop()
		m.stored.reserve()
		m.stored.q.push(0)
	}
	if m.stAddr.net >= 0 && e.moved(m.stAddr.net) {
		m.st.addr.push(e.val(m.stAddr))
	}
	if m.stData.net >= 0 && e.moved(m.stData.net) {
		m.st.data.push(e.val(m.stData))
	}
	if m.read || m.pops() || m.st.waits() || m.overlap {
		w = tick
	}
	return w | dirty
}

func (m *memory) idle() bool {
	return m.loads.slots == 0 && m.loaded.slots == 0 && m.stored.slots == 0 && m.st.empty()
}

func (m *memory) needs(e *engine, buf []wire) []wire { return m.st.needs(&m.ports, buf) }

// needs lists the half a lone store waits for.
func (p *pairing) needs(at *ports, buf []wire) []wire {
	switch {
	case p.addr.empty() && !p.data.empty():
		return append(buf, at.stAddr)
	case p.data.empty() && !p.addr.empty():
		return append(buf, at.stData)
	}
	return buf
}
