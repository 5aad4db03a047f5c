package cycle

import (
	"loom/compiler/arch"
	"loom/compiler/config"
)

// taggedExtMemory is loom_extmemory_tagged together with what is behind its request
// and response ports.
type taggedExtMemory struct {
	node
	ports
	tagTable
	bounds
	count int // logical load ports
	port  memoryPort
	cache *readCache // as of extMemory

	loads, loaded taggedResponses // data and done tokens of loads, as they arrive
	st            pairings
	stored        taggedResponses // done tokens of stores, as they arrive
	// ldOutside, stOutside: an access outside of its array has been taken and is not complete;
	// then its tag.
	ldOutside, stOutside       bool
	ldOutsideTag, stOutsideTag uint16
}

func newTaggedExtMemory(n node, p ports, spec *arch.MemorySpec, regions []config.Region, port memoryPort) *taggedExtMemory {
	n.regFwd, n.regBwd = true, true
	t := newTagTable(regions, spec.ElemBytes())
	m := &taggedExtMemory{
		node: n, ports: p, tagTable: t, bounds: newBounds(spec.Bounds, len(regions), t.shift), count: spec.LdCount, port: port,
		loads: newTaggedResponses(spec.InFlight()), loaded: newTaggedResponses(spec.InFlight()),
		st: newPairings(spec.StCount, spec.LSQDepth, spec.Timeout()), stored: newTaggedResponses(spec.InFlight()),
	}
	if spec.Cache > 0 {
		m.cache = newReadCache(n, spec, regions, port)
		m.port = m.cache
	}
	return m
}

func (m *taggedExtMemory) forward(e *engine) {
	m.loads.offer(e, m.ldData)
	m.loaded.offer(e, m.ldDone)
	m.stored.offer(e, m.stDone)
	m.port.respond(e)
}

// beyond reports whether an element is outside of the array that serves a tag.
func (m *taggedExtMemory) beyond(tag uint16, index uint64) bool {
	return m.outside(m.serves(tag), index)
}

// loadFault is the code of the load on offer that completes as it is taken, 0 for none: faulty
// loads make no request.
func (m *taggedExtMemory) loadFault(e *engine) int {
	tag := e.tag(m.ldAddr)
	if int(tag) >= m.count {
		return CodeMemTagOOB
	}
	if _, ok := m.find(tag); !ok {
		return CodeExtNoMatch
	}
	return 0
}

func (m *taggedExtMemory) room() bool { return m.loads.free() && m.loaded.free() }

// loadRequest is what the load request port shows.
func (m *taggedExtMemory) loadRequest(e *engine) BusRequest {
	if m.ldAddr.net < 0 || !e.valid(m.ldAddr) || !m.room() || m.ldOutside || m.loadFault(e) != 0 {
		return BusRequest{}
	}
	tag := e.tag(m.ldAddr)
	if m.beyond(tag, e.val(m.ldAddr)) {
		return BusRequest{}
	}
	offset, _ := m.find(tag)
	return BusRequest{Valid: true, Tag: tag, Addr: e.val(m.ldAddr)<<m.shift + offset}
}

// busLoad is what the load request port of the bus shows.
func (m *taggedExtMemory) busLoad(e *engine) BusRequest {
	if m.cache != nil {
		return m.cache.request()
	}
	return m.loadRequest(e)
}

// isCached reports whether the region that serves a tag is cached.
func (m *taggedExtMemory) isCached(tag uint16) bool {
	return m.cache != nil && m.cache.isCached(m.serves(tag))
}

// storeRequest is what the store request port shows.
func (m *taggedExtMemory) storeRequest() BusRequest {
	tag := m.st.pick()
	if tag < 0 || !m.stored.free() || m.stOutside {
		return BusRequest{}
	}
	offset, ok := m.find(uint16(tag))
	q := &m.st.by[tag]
	if !ok || m.beyond(uint16(tag), q.addr.peek()) {
		return BusRequest{}
	}
	return BusRequest{true, uint16(tag), q.addr.peek()<<m.shift + offset, q.data.peek()}
}

// pops is the tag whose pair leaves the queues in this cycle, -1 for none: its
// request is taken, or it has no region and no response takes the cycle.
func (m *taggedExtMemory) pops(e *engine) int {
	tag := m.st.pick()
	if tag < 0 || !m.stored.free() || m.stOutside {
		return -1
	}
	leaves := false
	if _, ok := m.find(uint16(tag)); ok {
		leaves = m.port.stReady(e)
	} else {
		_, stored := m.port.responses()
		leaves = !stored.valid
	}
	if !leaves {
		return -1
	}
	return tag
}

// admitsStray reports whether a store address without a port would be taken.
func (m *taggedExtMemory) admitsStray() bool {
	_, stored := m.port.responses()
	return m.stored.free() && m.st.pick() < 0 && !stored.valid && !m.stOutside
}

func (m *taggedExtMemory) backward(e *engine) {
	if m.ldAddr.net >= 0 {
		ready := m.room() && !m.ldOutside
		if m.loadFault(e) == 0 {
			ready = ready && m.port.ldReady(e)
		} else {
			loaded, _ := m.port.responses()
			ready = ready && !loaded.valid
		}
		e.accept(m.ldAddr, ready)
	}
	m.st.accept(e, &m.ports, m.pops(e), m.admitsStray())
}

func (m *taggedExtMemory) clock(e *engine) (w wake) {
	w = m.check(e, &m.node, CodeExtOverlap, CodeExtEmptyRange)
	pops, strays := m.pops(e), m.stAddr.net >= 0 && m.admitsStray() && m.st.stray(e, m.stAddr)
	load, store := m.loadRequest(e), m.storeRequest()
	if m.st.count() {
		e.raise(CodeStoreDeadlock, &m.node)
	}
	// What is outside completes when it is the only one without a response.
	refusedLoad := m.ldOutside && m.loaded.waiting() == 1
	refusedStore := m.stOutside && m.stored.waiting() == 1
	if m.ldOutside || m.stOutside {
		e.raise(CodeExtOOB, &m.node)
	}
	m.loads.leave(e, m.ldData)
	m.loaded.leave(e, m.ldDone)
	m.stored.leave(e, m.stDone)

	m.port.clock(e)
	loaded, stored := m.port.responses()
	if loaded.valid {
		m.loadResponse(loaded.data, loaded.tag)
	}
	if refusedLoad {
		m.ldOutside = false
		m.loadResponse(0, m.ldOutsideTag)
	}
	if m.ldAddr.net >= 0 && e.moved(m.ldAddr.net) {
		m.loads.reserve()
		m.loaded.reserve()
		switch code := m.loadFault(e); {
		case load.Valid:
			m.port.load(load.Addr, load.Tag, m.isCached(load.Tag))
		case code == 0:
			m.ldOutside, m.ldOutsideTag = true, e.tag(m.ldAddr)
		default:
			e.raise(code, &m.node)
			m.loadResponse(0, e.tag(m.ldAddr))
		}
	}
	if stored.valid {
		m.stored.q.push(tagged{0, stored.tag})
	}
	if refusedStore {
		m.stOutside = false
		m.stored.q.push(tagged{0, m.stOutsideTag})
	}
	if loaded.valid && loaded.bad || stored.valid && stored.bad {
		e.raise(CodeExtBus, &m.node)
	}
	switch {
	case strays:
		m.stored.reserve()
		m.stored.q.push(tagged{0, e.tag(m.stAddr)})
	case pops >= 0:
		m.stored.reserve()
		m.st.pop(pops)
		switch {
		case store.Valid:
			m.port.store(store.Addr, store.Tag, store.Data, m.isCached(store.Tag))
		case m.serves(uint16(pops)) >= 0:
			m.stOutside, m.stOutsideTag = true, uint16(pops)
		default:
			e.raise(CodeExtNoMatch, &m.node)
			m.stored.q.push(tagged{0, uint16(pops)})
		}
	case store.Valid:
		m.st.keep(int(store.Tag))
	}
	m.st.push(e, &m.ports, &m.node)
	if m.port.busy() || m.stored.free() && m.st.pick() >= 0 || m.st.waits() || m.ldOutside || m.stOutside {
		w |= tick
	}
	return w | dirty
}

// loadResponse takes the response of a load; the data of a failed one is 0.
func (m *taggedExtMemory) loadResponse(data uint64, tag uint16) {
	m.loads.q.push(tagged{data, tag})
	m.loaded.q.push(tagged{0, tag})
}

func (m *taggedExtMemory) idle() bool {
	return m.loads.slots == 0 && m.loaded.slots == 0 && m.stored.slots == 0 && m.st.empty()
}

func (m *taggedExtMemory) needs(_ *engine, buf []wire) []wire { return m.st.needs(&m.ports, buf) }
