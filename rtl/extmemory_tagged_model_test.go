package rtl

import "slices"

// tagExtMemory is loom_extmemory_tagged as README.md describes it, cycle by cycle: the
// reference of TestTaggedExtMemory.
type tagExtMemory struct {
	shape

	data, done           []token // loads with a response, in the order of arrival
	stDone               []int   // tags of stores with a response
	ldPending, stPending int     // requests without response
	pairs                queues
	waits                int // the tag whose request was offered and not taken, -1 without
	overlap, nothing     bool
}

// response is what the bus returns in a cycle.
type response struct {
	drive
	err bool
}

// extIn are the inputs of a cycle, extOut the outputs.
type extIn struct {
	channels
	ldReqReady, stReqReady bool
	ldRsp, stRsp           response
}

type extOut struct {
	outputs
	ldReq, stReq         drive // value is the byte address
	stReqData            uint64
	ldReqTaken, stReqOut bool // requests that the bus has taken
}

func (m *tagExtMemory) reset() {
	m.data, m.done, m.stDone = nil, nil, nil
	m.ldPending, m.stPending = 0, 0
	m.pairs = newQueues(&m.shape)
	m.waits = -1
}

const extSlots = 16

// ldRoom reports whether the slots of a load are free, stRoom whether that of a store is.
func (m *tagExtMemory) ldRoom() bool {
	return m.ldPending+len(m.data) < extSlots && m.ldPending+len(m.done) < extSlots
}

func (m *tagExtMemory) stRoom() bool { return m.stPending+len(m.stDone) < extSlots }

// next is the tag whose pair is the next store.
func (m *tagExtMemory) next() int {
	if m.waits >= 0 {
		return m.waits
	}
	return m.pairs.next()
}

// requests are what the memory offers to the bus; they depend on state and on the
// load address alone, so that the bus may respond in the same cycle.
func (m *tagExtMemory) requests(in *channels) (ld, st drive, stData uint64) {
	if in.rst {
		return
	}
	size := uint64(m.dw / 8)
	if m.loads > 0 && in.ldAddr.valid && in.ldAddr.tag < m.loads && m.ldRoom() {
		if offset, ok := m.served(in.ldAddr.tag); ok {
			ld = drive{true, in.ldAddr.tag, in.ldAddr.value*size + offset}
		}
	}
	if tag := m.next(); tag >= 0 && m.stRoom() {
		if offset, ok := m.served(tag); ok {
			st = drive{true, tag, m.pairs.addrs[tag][0].value*size + offset}
			stData = m.pairs.words[tag][0].value
		}
	}
	return ld, st, stData
}

// step computes the outputs of a cycle and advances the state.
func (m *tagExtMemory) step(in *extIn) extOut {
	var out extOut
	if in.rst {
		m.reset()
		in.ldTaken, in.saTaken, in.sdTaken = true, true, true // sources are reset, too
		return out
	}
	out.ldReq, out.stReq, out.stReqData = m.requests(&in.channels)
	out.ldReqTaken, out.stReqOut = out.ldReq.valid && in.ldReqReady, out.stReq.valid && in.stReqReady
	var codes []int
	raise := func(cond bool, code int) {
		if cond {
			codes = append(codes, code)
		}
	}
	raise(m.overlap, 14)
	raise(m.nothing, 15)
	raise(m.pairs.deadlock(), 261)
	raise(in.ldRsp.valid && in.ldRsp.err || in.stRsp.valid && in.stRsp.err, 513)
	out.idle = m.ldPending+len(m.data)+len(m.done)+m.stPending+len(m.stDone) == 0 && m.pairs.empty()
	if len(m.data) > 0 {
		out.data = drive{true, m.data[0].tag, m.data[0].value}
	}
	if len(m.done) > 0 {
		out.done = drive{true, m.done[0].tag, 0}
	}
	if len(m.stDone) > 0 {
		out.stDone = drive{true, m.stDone[0], 0}
	}

	// Loads.
	_, mapped := m.served(in.ldAddr.tag)
	ldFault := in.ldAddr.tag >= m.loads || !mapped
	out.ldReady = m.loads > 0 && m.ldRoom()
	if ldFault {
		out.ldReady = out.ldReady && !in.ldRsp.valid
	} else {
		out.ldReady = out.ldReady && in.ldReqReady
	}
	in.ldTaken = in.ldAddr.valid && out.ldReady
	raise(in.ldTaken && in.ldAddr.tag >= m.loads, 260)
	raise(in.ldTaken && !mapped, 265)

	// Stores.
	pick := m.next()
	_, mapped = m.served(pick)
	pop := pick >= 0 && m.stRoom() && (mapped && in.stReqReady || !mapped && !in.stRsp.valid)
	raise(pop && !mapped, 265)
	strayAddr := m.stores > 0 && in.stAddr.valid && in.stAddr.tag >= m.stores
	strayWord := m.stores > 0 && in.stData.valid && in.stData.tag >= m.stores
	strayTaken := strayAddr && m.stRoom() && pick < 0 && !in.stRsp.valid
	popping := -1
	if pop {
		popping = pick
	}
	if m.stores > 0 {
		out.saReady, out.sdReady = strayTaken, strayWord
		if in.stAddr.valid && !strayAddr {
			out.saReady = m.pairs.accepts(m.pairs.addrs, in.stAddr.tag, popping)
		}
		if in.stData.valid && !strayWord {
			out.sdReady = m.pairs.accepts(m.pairs.words, in.stData.tag, popping)
		}
	}
	in.saTaken, in.sdTaken = in.stAddr.valid && out.saReady, in.stData.valid && out.sdReady
	raise(strayTaken || strayWord, 260)

	// The clock edge.
	if out.data.valid && in.dataReady {
		m.data = m.data[1:]
	}
	if out.done.valid && in.doneReady {
		m.done = m.done[1:]
	}
	if out.stDone.valid && in.stDoneReady {
		m.stDone = m.stDone[1:]
	}
	arrived := func(tag int, value uint64) {
		m.data, m.done = append(m.data, token{tag: tag, value: value}), append(m.done, token{tag: tag})
	}
	if out.ldReqTaken {
		m.ldPending++
	}
	if in.ldRsp.valid {
		m.ldPending--
		if in.ldRsp.err {
			in.ldRsp.value = 0
		}
		arrived(in.ldRsp.tag, in.ldRsp.value)
	} else if in.ldTaken && ldFault {
		arrived(in.ldAddr.tag, 0)
	}
	m.waits = -1
	if out.stReq.valid && !pop {
		m.waits = pick
	}
	if pop {
		m.pairs.pop(pick)
		if mapped {
			m.stPending++
		} else {
			m.stDone = append(m.stDone, pick)
		}
	}
	if strayTaken {
		m.stDone = append(m.stDone, in.stAddr.tag)
	}
	if in.stRsp.valid {
		m.stPending--
		m.stDone = append(m.stDone, in.stRsp.tag)
	}
	if in.saTaken && !strayAddr {
		m.pairs.addrs[in.stAddr.tag] = append(m.pairs.addrs[in.stAddr.tag], token{value: in.stAddr.value})
	}
	if in.sdTaken && !strayWord {
		m.pairs.words[in.stData.tag] = append(m.pairs.words[in.stData.tag], token{value: in.stData.value})
	}
	if len(codes) > 0 {
		out.err = slices.Min(codes)
	}
	return out
}
