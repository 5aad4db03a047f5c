package rtl

import "slices"

// region is an entry of a tagged memory's table, in elements.
type region struct {
	valid             bool
	start, end        int
	base              int // elements
	baseBits          uint64
	offsetBits, toTag int
}

// tagMemory is loom_memory_tagged as README.md describes it, cycle by cycle: the
// reference of TestTaggedMemory.
type tagMemory struct {
	aw, dw, tw, depth, loads, stores, lsq, timeout int
	host                                           bool
	regions                                        []region

	cells            []uint64
	data, done       []token // of loads, in order; ready from the cycle in at
	written          []int   // tags of stores whose done is under way
	addrs, words     [][]token
	lone             []int
	last             int
	hostData         uint64
	hostRead         bool
	cycle            int
	overlap, nothing bool
}

// token is a value with its tag; fault is the code of a faulty address.
type token struct {
	tag   int
	value uint64
	fault int
	at    int
}

// drive is one channel in one cycle.
type drive struct {
	valid bool
	tag   int
	value uint64
}

// cycleIn is what the surroundings do in a cycle, cycleOut what the memory answers.
type cycleIn struct {
	ldAddr, stAddr, stData    drive
	dataReady, doneReady      bool
	stDoneReady               bool
	hostEn, hostWe            bool
	hostAddr                  int
	hostWord                  uint64
	ldTaken, saTaken, sdTaken bool // filled in by step
}

type cycleOut struct {
	data, done, stDone        drive
	ldReady, saReady, sdReady bool
	hostData                  uint64
	hostRead                  bool
	err                       int
	idle                      bool
}

func (m *tagMemory) reset() {
	m.cells = make([]uint64, m.depth)
	m.addrs, m.words = make([][]token, m.stores), make([][]token, m.stores)
	m.lone = make([]int, m.stores)
	m.last = m.stores - 1
	for i, a := range m.regions {
		m.nothing = m.nothing || a.valid && a.end <= a.start
		for _, b := range m.regions[:i] {
			for t := range 1 << m.tw {
				m.overlap = m.overlap || a.valid && b.valid && a.start <= t && t < a.end && b.start <= t && t < b.end
			}
		}
	}
}

// element finds the element of an access, or the code of what is wrong with it.
func (m *tagMemory) element(tag int, index uint64, count int) (uint64, int) {
	if tag >= count {
		return 0, 260
	}
	for _, r := range m.regions {
		if r.valid && r.start <= tag && tag < r.end {
			if index >= uint64(m.depth) || index+uint64(r.base) >= uint64(m.depth) {
				return 0, 512
			}
			return index + uint64(r.base), 0
		}
	}
	return 0, 264
}

// step computes the outputs of a cycle and advances the state.
func (m *tagMemory) step(in *cycleIn) cycleOut {
	const places = 4
	var out cycleOut
	var codes []int
	raise := func(cond bool, code int) {
		if cond {
			codes = append(codes, code)
		}
	}
	raise(m.overlap, 12)
	raise(m.nothing, 13)
	out.idle = len(m.data)+len(m.done)+len(m.written) == 0
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
	blocked := m.host && in.hostEn
	out.hostData, out.hostRead = m.hostData, m.hostRead

	// Stores.
	pick := -1
	for k := range m.stores {
		tag := (m.last + 1 + k) % m.stores
		if pick < 0 && len(m.addrs[tag]) > 0 && len(m.words[tag]) > 0 {
			pick = tag
		}
		if len(m.addrs[tag])+len(m.words[tag]) > 0 {
			out.idle = false
		}
		if (len(m.addrs[tag]) == 0) != (len(m.words[tag]) == 0) {
			m.lone[tag]++
			raise(m.lone[tag] == m.timeout, 261)
		} else {
			m.lone[tag] = 0
		}
	}
	room := len(m.written) < places
	strayAddr := m.stores > 0 && in.stAddr.valid && in.stAddr.tag >= m.stores
	strayWord := m.stores > 0 && in.stData.valid && in.stData.tag >= m.stores
	pop := pick >= 0 && room && !(strayAddr && room) && !blocked
	if !pop {
		pick = -1
	}
	accepts := func(q [][]token, tag int) bool { return len(q[tag]) < m.lsq || pick == tag }
	if m.stores > 0 {
		out.saReady, out.sdReady = strayAddr && room, strayWord
		if in.stAddr.valid && !strayAddr {
			out.saReady = accepts(m.addrs, in.stAddr.tag)
		}
		if in.stData.valid && !strayWord {
			out.sdReady = accepts(m.words, in.stData.tag)
		}
	}
	in.saTaken, in.sdTaken = in.stAddr.valid && out.saReady, in.stData.valid && out.sdReady
	raise(strayAddr && room, 260)
	raise(strayWord, 260)

	// Loads read what was there before this cycle's store.
	out.ldReady = m.loads > 0 && len(m.data) < places && len(m.done) < places && !blocked
	in.ldTaken = in.ldAddr.valid && out.ldReady
	var loaded token
	if in.ldTaken {
		loaded = token{tag: in.ldAddr.tag, at: m.cycle + 2}
		e, code := m.element(in.ldAddr.tag, in.ldAddr.value, m.loads)
		raise(code != 0, code)
		if code == 0 {
			loaded.value = m.cells[e]
		}
	}
	if m.hostRead = blocked; blocked {
		m.hostData = m.cells[in.hostAddr]
		if in.hostWe {
			m.cells[in.hostAddr] = in.hostWord
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
	if pop {
		a, w := m.addrs[pick][0], m.words[pick][0]
		m.addrs[pick], m.words[pick] = m.addrs[pick][1:], m.words[pick][1:]
		raise(a.fault != 0, a.fault)
		if a.fault == 0 {
			m.cells[a.value] = w.value
		}
		m.written = append(m.written, pick)
		m.last = pick
	}
	if in.saTaken && !strayAddr {
		e, code := m.element(in.stAddr.tag, in.stAddr.value, m.stores)
		m.addrs[in.stAddr.tag] = append(m.addrs[in.stAddr.tag], token{value: e, fault: code})
	}
	if in.sdTaken && !strayWord {
		m.words[in.stData.tag] = append(m.words[in.stData.tag], token{value: in.stData.value})
	}
	if len(codes) > 0 {
		out.err = slices.Min(codes)
	}
	m.cycle++
	return out
}
