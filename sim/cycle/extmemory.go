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
	port memoryPort

	loads, loaded responses
	st            pairing
	stored        responses
}

func newExtMemory(n node, p ports, spec *arch.MemorySpec, regions []config.Region, port memoryPort) *extMemory {
	n.regFwd, n.regBwd = true, true
	return &extMemory{
		node: n, ports: p, table: newTable(regions, spec.ElemBytes()), port: port,
		loads: newResponses(spec.InFlight()), loaded: newResponses(spec.InFlight()),
		st: newPairing(spec.LSQDepth, spec.Timeout()), stored: newResponses(spec.InFlight()),
	}
}

func (m *extMemory) forward(e *engine) {
	m.loads.offer(e, m.ldData)
	m.loaded.offer(e, m.ldDone)
	m.stored.offer(e, m.stDone)
	m.port.respond(e)
}

// loadRequest is what the load request port shows.
func (m *extMemory) loadRequest(e *engine) BusRequest {
	if m.ldAddr.net < 0 || !m.mapped || !e.valid(m.ldAddr) || !m.loads.free() || !m.loaded.free() {
		return BusRequest{}
	}
	return BusRequest{Valid: true, Addr: m.address(e.val(m.ldAddr))}
}

// storeRequest is what the store request port shows.
func (m *extMemory) storeRequest() BusRequest {
	if !m.mapped || !m.st.both() || !m.stored.free() {
		return BusRequest{}
	}
	return BusRequest{Valid: true, Addr: m.address(m.st.addr.peek()), Data: m.st.data.peek()}
}

// pops reports whether a paired store leaves the queues in this cycle.
func (m *extMemory) pops(e *engine) bool {
	return m.st.both() && m.stored.free() && (!m.mapped || m.port.stReady(e))
}

func (m *extMemory) backward(e *engine) {
	if m.ldAddr.net >= 0 {
		e.accept(m.ldAddr, m.loads.free() && m.loaded.free() && (!m.mapped || m.port.ldReady(e)))
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
	if m.ldAddr.net >= 0 && e.moved(m.ldAddr.net) {
		m.loads.reserve()
		m.loaded.reserve()
		if m.mapped {
			m.port.load(m.address(e.val(m.ldAddr)), 0)
		} else {
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
	if pops {
		m.stored.reserve()
		if m.mapped {
			m.port.store(m.address(m.st.addr.peek()), 0, m.st.data.peek())
		} else {
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
	if m.port.busy() || m.st.both() && m.stored.free() || m.st.waits() {
		w = tick
	}
	return w | dirty
}

func (m *extMemory) idle() bool {
	return m.loads.slots == 0 && m.loaded.slots == 0 && m.stored.slots == 0 && m.st.empty()
}

func (m *extMemory) needs(_ *engine, buf []wire) []wire { return m.st.needs(&m.ports, buf) }
