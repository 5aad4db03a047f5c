package rtl

import "slices"

// tagMemory is loom_memory_tagged as README.md describes it, cycle by cycle: the
// reference of TestTaggedMemory.
type tagMemory struct {
	shape
	depth int
	host  bool

	cells            []uint64
	data, done       []token // of loads, in order; ready from the cycle in at
	written          []int   // tags of stores whose done has not left
	pairs            queues
	hostData         uint64
	hostRead         bool
	cycle            int
	overlap, nothing bool
}

// cycleIn are the inputs of a cycle, cycleOut the outputs.
type cycleIn struct {
	channels
	hostEn, hostWe bool
	hostAddr       int
	hostWord       uint64
}

type cycleOut struct {
	outputs
	hostData uint64
	hostRead bool
}

// powerUp fills the memory with zeros.
func (m *tagMemory) powerUp() {
	m.cells = make([]uint64, m.depth)
	m.overlap, m.nothing = m.wrongTable()
	m.reset()
}

// reset forgets everything but the contents.
func (m *tagMemory) reset() {
	m.data, m.done, m.written = nil, nil, nil
	m.pairs = newQueues(&m.shape)
}

// element finds the element of an access, or the code of what is wrong with it.
func (m *tagMemory) element(tag int, index uint64, count int) (uint64, int) {
	if tag >= count {
		return 0, 260
	}
	offset, ok := m.served(tag)
	if !ok {
		return 0, 264
	}
	base := offset / uint64(m.dw/8)
	if index >= uint64(m.depth) || index+base >= uint64(m.depth) {
		return 0, 512
	}
	return index + base, 0
}

// step computes the outputs of a cycle and advances the state.
func (m *tagMemory) step(in *cycleIn) cycleOut {
	const slots = 4
	var out cycleOut
	blocked := m.host && in.hostEn
	out.hostData, out.hostRead = m.hostData, m.hostRead
	// Loads and the host read what was there before this cycle's store.
	before := slices.Clone(m.cells)
	if m.hostRead = blocked; blocked {
		m.hostData = before[in.hostAddr]
		if in.hostWe {
			m.cells[in.hostAddr] = in.hostWord
		}
	}
	m.cycle++
	if in.rst {
		m.reset()
		in.ldTaken, in.saTaken, in.sdTaken = true, true, true // sources are reset, too
		return out
	}
	var codes []int
	raise := func(cond bool, code int) {
		if cond {
			codes = append(codes, code)
		}
	}
	raise(m.overlap, 12)
	raise(m.nothing, 13)
	out.idle = len(m.data)+len(m.done)+len(m.written) == 0 && m.pairs.empty()
	offer := func(q []token) (d drive) {
		if len(q) > 0 && q[0].at <= m.cycle {
			d = drive{true, q[0].tag, q[0].value}
		}
		return d
	}
	out.data, out.done = offer(m.data), offer(m.done)
	if len(m.written) > 0 {
		out.stDone = drive{true, m.written[0], 0}
	}

	// Stores.
	raise(m.pairs.deadlock(), 261)
	room := len(m.written) < slots
	strayAddr := m.stores > 0 && in.stAddr.valid && in.stAddr.tag >= m.stores
	strayWord := m.stores > 0 && in.stData.valid && in.stData.tag >= m.stores
	pick := -1
	if room && !strayAddr && !blocked {
		pick = m.pairs.next()
	}
	if m.stores > 0 {
		out.saReady, out.sdReady = strayAddr && room, strayWord
		if in.stAddr.valid && !strayAddr {
			out.saReady = m.pairs.accepts(m.pairs.addrs, in.stAddr.tag, pick)
		}
		if in.stData.valid && !strayWord {
			out.sdReady = m.pairs.accepts(m.pairs.words, in.stData.tag, pick)
		}
	}
	in.saTaken, in.sdTaken = in.stAddr.valid && out.saReady, in.stData.valid && out.sdReady
	raise(strayAddr && room, 260)
	raise(strayWord, 260)

	// Loads.
	out.ldReady = m.loads > 0 && len(m.data) < slots && len(m.done) < slots && !blocked
	in.ldTaken = in.ldAddr.valid && out.ldReady
	var loaded token
	if in.ldTaken {
		loaded = token{tag: in.ldAddr.tag, at: m.cycle + 2}
		e, code := m.element(in.ldAddr.tag, in.ldAddr.value, m.loads)
		raise(code != 0, code)
		if code == 0 {
			loaded.value = before[e]
		}
	}

	// The clock edge.
	if out.data.valid && in.dataReady {
		m.data = m.data[1:]
	}
	if out.done.valid && in.doneReady {
		m.done = m.done[1:]
	}
	if in.ldTaken {
		m.data, m.done = append(m.data, loaded), append(m.done, loaded)
	}
	if out.stDone.valid && in.stDoneReady {
		m.written = m.written[1:]
	}
	if strayAddr && room {
		m.written = append(m.written, in.stAddr.tag)
	}
	if pick >= 0 {
		a, w := m.pairs.pop(pick)
		raise(a.fault != 0, a.fault)
		if a.fault == 0 {
			m.cells[a.value] = w.value
		}
		m.written = append(m.written, pick)
	}
	if in.saTaken && !strayAddr {
		e, code := m.element(in.stAddr.tag, in.stAddr.value, m.stores)
		m.pairs.addrs[in.stAddr.tag] = append(m.pairs.addrs[in.stAddr.tag], token{value: e, fault: code})
	}
	if in.sdTaken && !strayWord {
		m.pairs.words[in.stData.tag] = append(m.pairs.words[in.stData.tag], token{value: in.stData.value})
	}
	if len(codes) > 0 {
		out.err = slices.Min(codes)
	}
	return out
}
