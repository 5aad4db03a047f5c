package cycle

import (
	"loom/compiler/arch"
	"loom/compiler/config"
)

// extMemory is loom_extmemory together with what is behind its request and response
// ports.
type extMemory struct {
	node
	ports
	table
	bounds
	port  memoryPort
	cache *readCache // in front of the bus, which is behind port then; nil for none

	loads, loaded responses
	st            pairing
	stored        responses
	// ldOutside, stOutside: an access outside of its array has been taken and is not complete.
	ldOutside, stOutside bool
}

func newExtMemory(n node, p ports, spec *arch.MemorySpec, regions []config.Region, port memoryPort) *extMemory {
	n.regFwd, n.regBwd = true, true
	t := newTable(regions, spec.ElemBytes())
	m := &extMemory{
		node: n, ports: p, table: t, bounds: newBounds(spec.Bounds, len(regions), t.shift), port: port,
		loads: newResponses(spec.InFlight()), loaded: newResponses(spec.InFlight()),
		st: newPairing(spec.LSQDepth, spec.Timeout()), stored: newResponses(spec.InFlight()),
	}
	if spec.Cache > 0 {
		m.cache = newReadCache(n, spec, regions, port)
		m.port = m.cache
	}
	return m
}

func (m *extMemory) forward(e *engine) {
	m.loads.offer(e, m.ldData)
	m.loaded.offer(e, m.ldDone)
	m.stored.offer(e, m.stDone)
	m.port.respond(e)
}

// beyond reports whether an element is outside of the array of the region in effect.
func (m *extMemory) beyond(index uint64) bool { return m.mapped && m.outside(m.table.region, index) }

// loadRequest is what the load request port shows.
func (m *extMemory) loadRequest(e *engine) BusRequest {
	if m.ldAddr.net < 0 || !m.mapped || !e.valid(m.ldAddr) || !m.loads.free() || !m.loaded.free() || m.ldOutside || m.beyond(e.val(m.ldAddr)) {
		return BusRequest{}
	}
	return BusRequest{Valid: true, Addr: m.address(e.val(m.ldAddr))}
}

// busLoad is what the load request port of the bus shows.
func (m *extMemory) busLoad(e *engine) BusRequest {
	if m.cache != nil {
		return m.cache.request()
	}
	return m.loadRequest(e)
}

// isCached reports whether the region in effect is cached.
func (m *extMemory) isCached() bool { return m.cache != nil && m.cache.isCached(m.table.region) }

// storeRequest is what the store request port shows.
func (m *extMemory) storeRequest() BusRequest {
	if !m.mapped || !m.st.both() || !m.stored.free() || m.stOutside || m.beyond(m.st.addr.peek()) {
		return BusRequest{}
	}
	return BusRequest{Valid: true, Addr: m.address(m.st.addr.peek()), Data: m.st.data.peek()}
}

// pops reports whether a paired store leaves the queues in this cycle.
func (m *extMemory) pops(e *engine) bool {
	return m.st.both() && m.stored.free() && (!m.mapped || m.port.stReady(e)) && !m.stOutside
}

func (m *extMemory) backward(e *engine) {
	if m.ldAddr.net >= 0 {
		e.accept(m.ldAddr, m.loads.free() && m.loaded.free() && (!m.mapped || m.port.ldReady(e)) && !m.ldOutside)
	}
	if m.stAddr.net >= 0 {
		pops := m.pops(e)
		e.accept(m.stAddr, !m.st.addr.full() || pops)
		e.accept(m.stData, !m.st.data.full() || pops)
	}
}

func (m *extMemory) clock(e *engine) (w wake) {
	if m.overlap {
		e.raise(CodeExtOverlap, &m.node)
		w = tick
	}
	pops := m.pops(e)
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
	if r := loaded; r.valid {
		if r.bad {
			e.raise(CodeExtBus, &m.node)
		}
		m.loads.q.push(r.data)
		m.loaded.q.push(0)
	}
	if refusedLoad {
		m.ldOutside = false
		m.loads.q.push(0)
		m.loaded.q.push(0)
	}
	if m.ldAddr.net >= 0 && e.moved(m.ldAddr.net) {
		m.loads.reserve()
		m.loaded.reserve()
		switch {
		case m.beyond(e.val(m.ldAddr)):
			m.ldOutside = true
		case m.mapped:
			m.port.load(m.address(e.val(m.ldAddr)), 0, m.isCached())
		default:
			e.raise(CodeExtNoMatch, &m.node)
			m.loads.q.push(0)
			m.loaded.q.push(0)
		}
	}
	if r := stored; r.valid {
		if r.bad {
			e.raise(CodeExtBus, &m.node)
		}
		m.stored.q.push(0)
	}
	if refusedStore {
		m.stOutside = false
		m.stored.q.push(0)
	}
	if pops {
		m.stored.reserve()
		switch {
		case m.beyond(m.st.addr.peek()):
			m.stOutside = true
		case m.mapped:
			m.port.store(m.address(m.st.addr.peek()), 0, m.st.data.peek(), m.isCached())
		default:
			e.raise(CodeExtNoMatch, &m.node)
			m.stored.q.push(0)
		}
		m.st.addr.pop()
		m.st.data.pop()
	}
	if m.stAddr.net >= 0 && e.moved(m.stAddr.net) {
		m.st.addr.push(e.val(m.stAddr))
	}
	if m.stData.net >= 0 && e.moved(m.stData.net) {
		m.st.data.push(e.val(m.stData))
	}
	if m.port.busy() || m.st.both() && m.stored.free() || m.st.waits() || m.ldOutside || m.stOutside {
		w = tick
	}
	return w | dirty
}

func (m *extMemory) idle() bool {
	return m.loads.slots == 0 && m.loaded.slots == 0 && m.stored.slots == 0 && m.st.empty()
}

func (m *extMemory) needs(_ *engine, buf []wire) []wire { return m.st.needs(&m.ports, buf) }
