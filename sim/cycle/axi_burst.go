package cycle

// Bursts of the bus masters of external memories: loom_axi_coalesce and loom_axi_run.

// EARLY_READS and EARLY_WRITES of loom_axi_coalesce where there are as many places, PLACES where there are more, and
// its WRITES up to bursts of 16.
const (
	earlyReads  = 4
	earlyWrites = 8
	burstPlaces = 128
	burstWrites = 32
)

// burst is a transaction of several elements, the first at addr.
type burst struct {
	id   uint16
	addr uint64
	n    int
}

// runs is loom_axi_run: requests of single elements become bursts.
type runs struct {
	most    int    // BURST
	early   int    // EARLY
	waits   bool   // DIRECT is 0
	patient bool   // PATIENT
	places  int    // PLACES
	bytes   uint64 // of an element

	open  bool // there is a burst that may grow
	grows burst
	full  bool    // it may not
	queue []burst // that wait for the bus, at most 2
	way   int     // bursts that have left and have not ended
}

// ready is s_ready.
func (r *runs) ready() bool { return len(r.queue) < 2 && r.way < r.places }

// leaving is what leaves in a cycle in which there is a request x, or none: the burst that grows, with
// direct the request alone.
func (r *runs) leaving(valid bool, x transaction) (b burst, leaves, direct bool) {
	early := len(r.queue) == 0 && r.way < r.early && !(r.patient && valid)
	switch {
	case !r.ready():
		return burst{}, false, false
	case r.open && (r.full || early || valid && !r.joins(x)):
		return r.grows, true, false
	case valid && !r.open && early && !r.waits:
		return burst{x.id, x.addr, 1}, true, true
	}
	return burst{}, false, false
}

// joins reports whether a request may be the next element of the burst that grows.
func (r *runs) joins(x transaction) bool {
	return r.open && !r.full && x.id == r.grows.id && x.addr == r.grows.addr+uint64(r.grows.n)*r.bytes
}

// clock is the clock edge: taken tells whether the bus takes a burst if there is one, ended whether one
// ended. It returns the burst that the bus has taken.
func (r *runs) clock(valid bool, x transaction, taken, ended bool) (b burst, sent bool) {
	accept, waiting := valid && r.ready(), len(r.queue) > 0
	left, leaves, direct := r.leaving(valid, x)
	if leaves {
		r.queue = append(r.queue, left)
		r.way++
	}
	if ended {
		r.way--
	}
	if taken && (waiting || !r.waits && len(r.queue) > 0) {
		b, sent = r.queue[0], true
		r.queue = append(r.queue[:0], r.queue[1:]...)
	}
	flush := leaves && !direct
	if accept && !direct {
		if !r.open || flush {
			r.grows = burst{x.id, x.addr, 1}
		} else {
			r.grows.n++
		}
		r.full = (x.addr+r.bytes)%(uint64(r.most)*r.bytes) == 0
		r.open = true
	} else if flush {
		r.open = false
	}
	return b, sent
}

// idle reports whether nothing waits or is on the way.
func (r *runs) idle() bool { return !r.open && r.way == 0 }

// beat is an element of write data.
type beat struct {
	data   uint64
	strobe [2]uint64
}

// answer is a response to a burst of writes, to be given to rest more elements.
type answer struct {
	response
	rest int
}

// coalescer is loom_axi_coalesce.
type coalescer struct {
	reads, writes runs
	data          []beat  // of bursts that have not been sent
	places        int     // of data
	lengths       []burst // whose address has been sent, and data not to its end
	sent          []beat  // the data of the first that has been sent
	answers       []answer
}

func newCoalescer(most, bytes, outstanding int) *coalescer {
	side := runs{most: most, bytes: uint64(bytes)}
	reads, writes := side, side
	reads.places, writes.places = outstanding, min(outstanding, burstPlaces)
	reads.early, writes.early, writes.waits = min(outstanding, earlyReads), min(outstanding, earlyWrites), true
	return &coalescer{reads: reads, writes: writes, places: max(burstWrites, 2*most)}
}

// answered is the response to a store in this cycle.
func (c *coalescer) answered() response {
	if len(c.answers) == 0 {
		return response{}
	}
	return c.answers[0].response
}

// writeBursts is the clock edge of the writes; aw and w tell which halves of a store are requested.
func (a *axiMaster) writeBursts(e *engine, aw, w bool) {
	c := a.bursts
	takes, dataValid := w && a.wOpen(e), len(c.data) > 0 && len(c.lengths) > 0

	// Responses to elements, before those of this cycle enter.
	responded := len(c.answers) > 0 && c.answers[0].rest == 0
	switch {
	case responded:
		c.answers = append(c.answers[:0], c.answers[1:]...)
	case len(c.answers) > 0:
		c.answers[0].rest--
	}
	if r := a.stored; r.valid {
		c.answers = append(c.answers, answer{r, r.n - 1})
	}

	// Data, of bursts whose address was sent in an earlier cycle.
	var ends *burst
	if dataValid && a.wReady(e) {
		b := c.lengths[0]
		x := c.data[0]
		c.data = append(c.data[:0], c.data[1:]...)
		c.sent = append(c.sent, x)
		last := len(c.sent) == b.n
		if a.share == nil {
			a.transfer(e, BusTransfer{Comp: a.comp, Channel: W, Data: x.data, Strobe: x.strobe, Last: last})
		}
		a.sent = true
		if last {
			ends = &b
			c.lengths = append(c.lengths[:0], c.lengths[1:]...)
		}
	}
	if takes {
		c.data = append(c.data, beat{a.aw.data, a.strobe(a.aw.addr)})
	}
	if b, sent := c.writes.clock(aw, a.aw, a.awReady(e), responded); sent {
		if a.share != nil {
			a.took(e, &a.writeTags, "store", b)
		} else {
			a.transfer(e, BusTransfer{Comp: a.comp, Channel: AW, ID: b.id, Addr: b.addr, Len: b.n - 1})
			a.writing.underWay++
		}
		c.lengths = append(c.lengths, b)
	}
	if ends != nil {
		if a.share == nil {
			a.write(e, *ends, c.sent)
		}
		c.sent = nil
	}
}
