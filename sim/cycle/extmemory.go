package cycle

import (
	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/sim/trace"
)

// request is an access on its way: it was accepted and its response is driven in
// cycle due.
type request struct {
	due        int64
	addr, data uint64
}

// inflight is one direction of the environment's side of an external memory: a
// ring of accepted requests in order.
type inflight struct {
	reqs        []request
	head, count int
	accepted    uint64 // requests so far: the n of the latency rule
	last        int64  // cycle of the latest response planned
}

func newInflight() inflight { return inflight{reqs: make([]request, extPlaces), last: -1} }

func (f *inflight) accept(t int64, latency int64, addr, data uint64) {
	due := max(t+latency, f.last+1)
	f.last = due
	f.accepted++
	f.reqs[(f.head+f.count)%len(f.reqs)] = request{due, addr, data}
	f.count++
}

// due returns the request whose response is driven in cycle t, nil for none.
func (f *inflight) due(t int64) *request {
	if f.count == 0 || f.reqs[f.head].due != t {
		return nil
	}
	return &f.reqs[f.head]
}

func (f *inflight) pop() {
	f.head = (f.head + 1) % len(f.reqs)
	f.count--
}

// extMemory is loom_extmemory together with the memory behind its request and
// response port.
type extMemory struct {
	node
	ports
	table
	env    *environment
	index  uint64 // m of the environment's rules
	bytes  int
	region int // of the bus, tried first

	loads, loaded answers
	st            pairing
	stored        answers
	ldFlight      inflight
	stFlight      inflight

	// rspData and rspErr are the load response of this cycle, read at its start.
	rspData uint64
	rspErr  bool
}

func newExtMemory(n node, p ports, spec *arch.MemorySpec, regions []config.Region, env *environment, index int) *extMemory {
	n.regFwd, n.regBwd = true, true
	return &extMemory{
		node: n, ports: p, table: newTable(regions, spec.ElemBytes()), env: env, index: uint64(index), bytes: spec.ElemBytes(),
		loads: newAnswers(extPlaces), loaded: newAnswers(extPlaces),
		st: newPairing(spec.LSQDepth), stored: newAnswers(extPlaces),
		ldFlight: newInflight(), stFlight: newInflight(),
	}
}

func (m *extMemory) ldStalled(e *engine) bool { return m.env.stalled(3000+2*m.index, e.cycle) }
func (m *extMemory) stStalled(e *engine) bool { return m.env.stalled(3001+2*m.index, e.cycle) }

func (m *extMemory) forward(e *engine) {
	m.loads.offer(e, m.ldData)
	m.loaded.offer(e, m.ldDone)
	m.stored.offer(e, m.stDone)
	// All loads of a cycle read before any store writes: reads belong to the
	// forward sweep, writes to the clock edge.
	if r := m.ldFlight.due(e.cycle); r != nil {
		var ok bool
		m.rspData, ok = m.env.bus.read(&m.region, r.addr, m.bytes)
		m.rspErr = !ok
	}
}

// pops reports whether a paired store leaves the queues in this cycle.
func (m *extMemory) pops(e *engine) bool {
	return m.st.both() && m.stored.free() && (!m.mapped || !m.stStalled(e))
}

func (m *extMemory) backward(e *engine) {
	if m.ldAddr.net >= 0 {
		e.accept(m.ldAddr, m.loads.free() && m.loaded.free() && (!m.mapped || !m.ldStalled(e)))
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

	if r := m.ldFlight.due(e.cycle); r != nil {
		m.loadAnswer(e, r.addr, m.rspData, m.rspErr)
		m.ldFlight.pop()
	}
	if m.ldAddr.net >= 0 && e.moved(m.ldAddr.net) {
		m.loads.reserve()
		m.loaded.reserve()
		addr := m.address(e.val(m.ldAddr))
		if m.mapped {
			e.access(Access{Comp: m.comp, Addr: addr})
			m.ldFlight.accept(e.cycle, m.env.latency.of(4000+2*m.index, m.ldFlight.accepted), addr, 0)
		} else {
			e.raise(CodeExtNoMatch, &m.node)
			m.loads.q.push(0)
			m.loaded.q.push(0)
		}
	}

	if r := m.stFlight.due(e.cycle); r != nil {
		if !m.env.bus.write(&m.region, r.addr, m.bytes, r.data) {
			e.raise(CodeExtBus, &m.node)
		}
		e.event(trace.Event{Kind: trace.Answer, Comp: m.comp, Channel: -1, Data: r.addr, What: "store"})
		m.stored.q.push(0)
		m.stFlight.pop()
	}
	if pops {
		m.stored.reserve()
		addr := m.address(m.st.addr.peek())
		if m.mapped {
			data := m.st.data.peek()
			e.access(Access{Comp: m.comp, Store: true, Addr: addr, Data: data})
			m.stFlight.accept(e.cycle, m.env.latency.of(4001+2*m.index, m.stFlight.accepted), addr, data)
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
	if m.outstanding() || m.st.both() && m.stored.free() || m.st.waits() {
		w = tick
	}
	return w | dirty
}

func (m *extMemory) loadAnswer(e *engine, addr, data uint64, bad bool) {
	if bad {
		e.raise(CodeExtBus, &m.node)
		data = 0
	}
	e.event(trace.Event{Kind: trace.Answer, Comp: m.comp, Channel: -1, Data: addr, What: "load"})
	m.loads.q.push(data)
	m.loaded.q.push(0)
}

// outstanding reports whether a response is still to come.
func (m *extMemory) outstanding() bool { return m.ldFlight.count > 0 || m.stFlight.count > 0 }

// pending reports whether a stall of this cycle holds up a request.
func (m *extMemory) pending(e *engine) bool {
	return m.st.both() && m.stored.free() || m.ldAddr.net >= 0 && e.valid(m.ldAddr) && m.loads.free() && m.loaded.free()
}

func (m *extMemory) idle() bool {
	return m.loads.places == 0 && m.loaded.places == 0 && m.stored.places == 0 && m.st.empty()
}

func (m *extMemory) needs(_ *engine, buf []wire) []wire { return m.st.needs(&m.ports, buf) }
