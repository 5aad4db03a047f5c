package cycle

import (
	"loom/compiler/arch"
	"loom/compiler/config"
)

// tagged is a token with its tag.
type tagged struct {
	data uint64
	tag  uint16
}

// taggedResponses are responses that carry the tag of their request.
type taggedResponses struct {
	q     ring[tagged]
	slots int // reserved or held
	most  int // the largest slots there were
}

func newTaggedResponses(n int) taggedResponses { return taggedResponses{q: newRing[tagged](n)} }

func (a *taggedResponses) free() bool { return a.slots < len(a.q.buf) }

func (a *taggedResponses) offer(e *engine, out int32) {
	switch {
	case out < 0:
	case a.q.empty():
		e.driveTagged(out, false, 0, 0)
	default:
		t := a.q.peek()
		e.driveTagged(out, true, t.data, t.tag)
	}
}

// leave drops the response that transfers in this cycle.
func (a *taggedResponses) leave(e *engine, out int32) {
	if out >= 0 && e.moved(out) {
		a.q.pop()
		a.slots--
	}
}

// waiting is the number of accesses without a response.
func (a *taggedResponses) waiting() int { return a.slots - a.q.count }

// reserve takes a slot for a response to come.
func (a *taggedResponses) reserve() { a.slots++; a.most = max(a.most, a.slots) }

// tagTable is the address table of a tagged memory: the first valid region whose
// range holds a tag serves its requests.
type tagTable struct {
	regions []config.Region
	shift   uint     // element index to bytes
	overlap bool     // two valid regions share a tag
	empty   bool     // a valid region names no tag
	bases   []uint64 // added to the offsets, one per region; nil for none
}

func newTagTable(regions []config.Region, elemBytes int) tagTable {
	t := tagTable{regions: regions}
	for 1<<t.shift < elemBytes {
		t.shift++
	}
	for i, a := range regions {
		if !a.Valid {
			continue
		}
		if a.EndTag <= a.StartTag {
			t.empty = true
			continue
		}
		for _, b := range regions[:i] {
			t.overlap = t.overlap || b.Valid && b.StartTag < b.EndTag && a.StartTag < b.EndTag && b.StartTag < a.EndTag
		}
	}
	return t
}

// serves is the region that serves a tag, -1 for none.
func (t *tagTable) serves(tag uint16) int {
	for i := range t.regions {
		if r := &t.regions[i]; r.Valid && r.StartTag <= uint64(tag) && uint64(tag) < r.EndTag {
			return i
		}
	}
	return -1
}

// find is the offset of the region that serves a tag.
func (t *tagTable) find(tag uint16) (offset uint64, ok bool) {
	i := t.serves(tag)
	switch {
	case i < 0:
		return 0, false
	case t.bases != nil:
		return t.regions[i].Offset + t.bases[i], true
	}
	return t.regions[i].Offset, true
}

// rebase adds base addresses, one per region, to the offsets of the image.
func (t *tagTable) rebase(base []uint64) { t.bases = base }

// check raises what is wrong with the table; it stands as long as the design runs.
func (t *tagTable) check(e *engine, n *node, overlap, empty int) wake {
	switch {
	case t.overlap:
		e.raise(overlap, n)
	case t.empty:
		e.raise(empty, n)
	default:
		return 0
	}
	return tick
}

// pairings are loom_store_queue_tagged: a pair of queues per tag, served round robin.
type pairings struct {
	by   []pairing // by tag
	last int       // the tag that popped last
}

func newPairings(count, depth, timeout int) pairings {
	p := pairings{last: count - 1}
	for range count {
		p.by = append(p.by, newPairing(depth, timeout))
	}
	return p
}

func (p *pairings) setTimeout(cycles int) {
	for k := range p.by {
		p.by[k].timeout = cycles
	}
}

// pick is the next tag, round robin: the first with a pair after the one that popped
// last, -1 for none.
func (p *pairings) pick() int {
	for k := range p.by {
		tag := p.last + 1 + k
		if tag >= len(p.by) {
			tag -= len(p.by)
		}
		if p.by[tag].both() {
			return tag
		}
	}
	return -1
}

// keep lets a tag be the next one again.
func (p *pairings) keep(tag int) {
	if p.last = tag - 1; p.last < 0 {
		p.last = len(p.by) - 1
	}
}

// pop takes the pair of a tag.
func (p *pairings) pop(tag int) (addr, data uint64) {
	q := &p.by[tag]
	addr, data = q.addr.peek(), q.data.peek()
	q.addr.pop()
	q.data.pop()
	p.last = tag
	return addr, data
}

// stray reports whether a port offers a token whose tag names no store port.
func (p *pairings) stray(e *engine, w wire) bool { return e.valid(w) && int(e.tag(w)) >= len(p.by) }

// accept drives ready of both store ports: a queue takes a token when it is not full or pops
// in this cycle. strayAddr: an address without a port is taken; data
// without one is always taken and dropped.
func (p *pairings) accept(e *engine, at *ports, pops int, strayAddr bool) {
	if at.stAddr.net < 0 {
		return
	}
	if tag := int(e.tag(at.stAddr)); tag < len(p.by) {
		e.accept(at.stAddr, !p.by[tag].addr.full() || tag == pops)
	} else {
		e.accept(at.stAddr, strayAddr)
	}
	if tag := int(e.tag(at.stData)); tag < len(p.by) {
		e.accept(at.stData, !p.by[tag].data.full() || tag == pops)
	} else {
		e.accept(at.stData, true)
	}
}

// push takes what the store ports transfer in this cycle, raising 260 for tokens
// without a port.
func (p *pairings) push(e *engine, at *ports, n *node) {
	if at.stAddr.net < 0 {
		return
	}
	if e.moved(at.stAddr.net) {
		if tag := int(e.tag(at.stAddr)); tag < len(p.by) {
			p.by[tag].addr.push(e.val(at.stAddr))
		} else {
			e.raise(CodeMemTagOOB, n)
		}
	}
	if e.moved(at.stData.net) {
		if tag := int(e.tag(at.stData)); tag < len(p.by) {
			p.by[tag].data.push(e.val(at.stData))
		} else {
			e.raise(CodeMemTagOOB, n)
		}
	}
}

// count advances the deadlock counter of every tag; true means that one reaches its
// timeout in this cycle.
func (p *pairings) count() (alarm bool) {
	for k := range p.by {
		if p.by[k].count() {
			alarm = true
		}
	}
	return alarm
}

func (p *pairings) waits() bool {
	for k := range p.by {
		if p.by[k].waits() {
			return true
		}
	}
	return false
}

func (p *pairings) empty() bool {
	for k := range p.by {
		if !p.by[k].empty() {
			return false
		}
	}
	return true
}

func (p *pairings) needs(at *ports, buf []wire) []wire {
	var addr, data bool
	for k := range p.by {
		q := &p.by[k]
		addr = addr || q.addr.empty() && !q.data.empty()
		data = data || q.data.empty() && !q.addr.empty()
	}
	if addr {
		buf = append(buf, at.stAddr)
	}
	if data {
		buf = append(buf, at.stData)
	}
	return buf
}

// taggedMemory is loom_memory_tagged: on-chip storage with one load and one store
// channel that logical ports share by tag.
type taggedMemory struct {
	node
	ports
	tagTable
	cells []uint64
	mask  uint64 // of an element
	count int    // logical load ports
	host  hostPort

	loads, loaded taggedResponses // data and done tokens of loads
	read          bool            // a load was accepted in the last cycle
	response      tagged          // what it read
	st            pairings
	stored        taggedResponses // done tokens of stores
}

func newTaggedMemory(n node, p ports, spec *arch.MemorySpec, regions []config.Region) *taggedMemory {
	n.regFwd, n.regBwd = true, true
	return &taggedMemory{
		node: n, ports: p, tagTable: newTagTable(regions, spec.ElemBytes()),
		cells: make([]uint64, spec.Elements), mask: mask(spec.ElemWidth), count: spec.LdCount,
		loads: newTaggedResponses(onChipSlots), loaded: newTaggedResponses(onChipSlots),
		st: newPairings(spec.StCount, spec.LSQDepth, spec.Timeout()), stored: newTaggedResponses(onChipSlots),
	}
}

func (m *taggedMemory) forward(e *engine) {
	m.loads.offer(e, m.ldData)
	m.loaded.offer(e, m.ldDone)
	m.stored.offer(e, m.stDone)
}

// cell finds the element an index means, raising what is wrong with the access.
func (m *taggedMemory) cell(e *engine, tag uint16, count int, index uint64) *uint64 {
	if int(tag) >= count {
		e.raise(CodeMemTagOOB, &m.node)
		return nil
	}
	offset, ok := m.find(tag)
	if !ok {
		e.raise(CodeMemNoMatch, &m.node)
		return nil
	}
	if n := uint64(len(m.cells)); index < n && index+offset>>m.shift < n {
		return &m.cells[index+offset>>m.shift]
	}
	e.raise(CodeMemOOB, &m.node)
	return nil
}

// strays reports whether a store address without a port takes a slot for a done token
// in this cycle.
func (m *taggedMemory) strays(e *engine) bool {
	return m.stAddr.net >= 0 && m.stored.free() && m.st.stray(e, m.stAddr)
}

// pops is the tag whose store is written in this cycle, -1 for none.
func (m *taggedMemory) pops(e *engine) int {
	if !m.stored.free() || m.host.en || m.strays(e) {
		return -1
	}
	return m.st.pick()
}

func (m *taggedMemory) backward(e *engine) {
	if m.ldAddr.net >= 0 {
		e.accept(m.ldAddr, m.loads.free() && m.loaded.free() && !m.host.en)
	}
	m.st.accept(e, &m.ports, m.pops(e), m.stored.free())
}

func (m *taggedMemory) clock(e *engine) (w wake) {
	w = m.check(e, &m.node, CodeMemOverlap, CodeMemEmptyRange)
	pops, strays := m.pops(e), m.strays(e)
	if m.st.count() {
		e.raise(CodeStoreDeadlock, &m.node)
	}
	m.loads.leave(e, m.ldData)
	m.loaded.leave(e, m.ldDone)
	m.stored.leave(e, m.stDone)
	if m.read {
		m.loads.q.push(m.response)
		m.loaded.q.push(tagged{0, m.response.tag})
		m.read = false
	}
	// The load reads before the store of the same cycle writes.
	if m.ldAddr.net >= 0 && e.moved(m.ldAddr.net) {
		tag := e.tag(m.ldAddr)
		m.read, m.response = true, tagged{0, tag}
		if c := m.cell(e, tag, m.count, e.val(m.ldAddr)); c != nil {
			m.response.data = *c
		}
		m.loads.reserve()
		m.loaded.reserve()
	}
	m.host.clock(m.cells, m.mask)
	switch {
	case strays:
		m.stored.reserve()
		m.stored.q.push(tagged{0, e.tag(m.stAddr)})
	case pops >= 0:
		addr, data := m.st.pop(pops)
		if c := m.cell(e, uint16(pops), len(m.st.by), addr); c != nil {
			*c = data & m.mask
		}
		m.stored.reserve()
		m.stored.q.push(tagged{0, uint16(pops)})
	}
	m.st.push(e, &m.ports, &m.node)
	if m.read || m.stored.free() && m.st.pick() >= 0 || m.st.waits() {
		w |= tick
	}
	return w | dirty
}

func (m *taggedMemory) idle() bool {
	return m.loads.slots == 0 && m.loaded.slots == 0 && m.stored.slots == 0 && m.st.empty()
}

func (m *taggedMemory) needs(_ *engine, buf []wire) []wire { return m.st.needs(&m.ports, buf) }
