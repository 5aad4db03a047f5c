package rtl

import (
	"fmt"
	"math/rand/v2"
)

// traffic sets the stimuli of a bench for a memory.
type traffic struct {
	name string
	// percent of the cycles in which a source offers, a consumer takes, the host accesses
	offer, take, host int
	oneTag            bool // all requests with tag 0
	faults            bool // stray tags, indices beyond the end, tables with holes and errors, bus errors
	lopsided          bool // long times in which only addresses or only data come
	resets            bool // now and then the datapath is reset
}

var traffics = []traffic{
	{name: "random", offer: 70, take: 60, faults: true, resets: true},
	{name: "stalled", offer: 90, take: 25, host: 20, faults: true, resets: true},
	{name: "lopsided", offer: 60, take: 70, lopsided: true},
	{name: "full speed, one tag", offer: 100, take: 100, oneTag: true},
	{name: "full speed, all tags", offer: 100, take: 100},
}

// shape is what the tagged memories have in common: parameters and table.
type shape struct {
	aw, dw, tw, loads, stores, lsq, timeout int
	regions                                 []region
}

// region is an entry of the table; offset in bytes, of bits bits.
type region struct {
	valid      bool
	start, end int
	offset     uint64
	bits       int
}

// randomShape draws counts that fit each other.
func randomShape(r *rand.Rand) shape {
	for {
		s := shape{aw: []int{4, 10, 32}[r.IntN(3)], dw: 8 << r.IntN(4), tw: 1 + r.IntN(4), loads: r.IntN(9), stores: r.IntN(9),
			lsq: []int{1, 2, 3, 4, 5, 16}[r.IntN(6)], timeout: 1 + r.IntN(30)}
		if most := max(s.loads, s.stores); most > 0 && most <= 1<<s.tw {
			return s
		}
	}
}

// randomTable draws n entries; without faults they serve every tag.
func (s *shape) randomTable(r *rand.Rand, tr traffic, n, offsetBits int, limit uint64) {
	most := max(s.loads, s.stores)
	from, wrong := 0, r.IntN(4*n) // which entry is wrong, and how
	s.regions = nil
	for i := range n {
		e := region{valid: true, start: from, end: from + 1 + r.IntN(2), bits: offsetBits}
		if i == n-1 {
			e.end = max(e.end, most)
		}
		if tr.faults {
			e.valid = r.IntN(12) != 0
		}
		e.start, e.end = min(e.start, 1<<s.tw-1), min(e.end, 1<<s.tw-1)
		e.valid = e.valid && e.start < e.end
		from = e.end
		if tr.faults && wrong/4 == i {
			switch wrong % 4 {
			case 0:
				e.start, e.end, e.valid = 0, 1<<s.tw-1, true
			case 1:
				e.start = r.IntN(1 << s.tw)
				e.end, e.valid = r.IntN(e.start+1), true
			case 2, 3:
				// An empty range within another one shares no tag with it.
				if i > 0 && i == n-1 && s.tw > 1 {
					for k := range s.regions {
						s.regions[k].valid = k == 0
					}
					s.regions[0].start, s.regions[0].end = 0, 1<<s.tw-1
					e.start, e.end, e.valid = 1, 1, true
				}
			}
		}
		if r.IntN(2) == 0 && tr.faults {
			e.offset = r.Uint64N(limit)
		}
		s.regions = append(s.regions, e)
	}
}

// wrongTable reports whether two valid entries share a tag and whether one has none.
func (s *shape) wrongTable() (overlap, empty bool) {
	for i, a := range s.regions {
		empty = empty || a.valid && a.end <= a.start
		for _, b := range s.regions[:i] {
			for t := range 1 << s.tw {
				overlap = overlap || a.valid && b.valid && a.start <= t && t < a.end && b.start <= t && t < b.end
			}
		}
	}
	return overlap, empty
}

// served finds the offset of a tag.
func (s *shape) served(tag int) (offset uint64, ok bool) {
	for _, r := range s.regions {
		if r.valid && r.start <= tag && tag < r.end {
			return r.offset, true
		}
	}
	return 0, false
}

// config is the table as a connection.
func (s *shape) config() string {
	table := ""
	for _, e := range s.regions {
		text := fmt.Sprintf("%d'd%d, %d'd%d, %d'd%d, 1'b%s", e.bits, e.offset, s.tw, e.end, s.tw, e.start, bit(e.valid))
		if table != "" {
			text += ", "
		}
		table = text + table
	}
	return ".cfg_region({" + table + "})"
}

// drive is one channel in one cycle.
type drive struct {
	valid bool
	tag   int
	value uint64
}

// word writes valid and data of a tagged channel.
func (d drive) word(tw, w int) string { return bit(d.valid) + d.data(tw, w) }

func (d drive) data(tw, w int) string {
	if w == 0 {
		return bits(tw, uint64(d.tag))
	}
	return bits(tw, uint64(d.tag)) + bits(w, d.value)
}

// offered writes valid, and tag and value where valid is set: data means nothing without.
func (d drive) offered(tw, w int) []string {
	if !d.valid {
		return []string{"0", unless(true, tw+w, 0)}
	}
	return []string{"1", d.data(tw, w)}
}

// channels are the fabric's inputs to a tagged memory in a cycle; step fills in what
// it has taken.
type channels struct {
	rst                               bool
	ldAddr, stAddr, stData            drive
	dataReady, doneReady, stDoneReady bool
	ldTaken, saTaken, sdTaken         bool
}

// outputs are what the memory drives towards the fabric.
type outputs struct {
	data, done, stDone        drive
	ldReady, saReady, sdReady bool
	err                       int
	idle                      bool
}

func percent(r *rand.Rand, p int) bool { return r.IntN(100) < p }

func randomWord(r *rand.Rand, w int) uint64 { return r.Uint64() >> (64 - w) }

// offer draws the next inputs; what was offered and not taken stays. Indices lie
// below limit, now and then anywhere.
func (s *shape) offer(r *rand.Rand, tr traffic, in *channels, k int, limit uint64) {
	tag := func(count int) int {
		switch {
		case tr.oneTag:
			return 0
		case tr.faults && r.IntN(12) == 0:
			return r.IntN(1 << s.tw)
		}
		return r.IntN(max(count, 1))
	}
	index := func() uint64 {
		if tr.faults && r.IntN(15) == 0 {
			return randomWord(r, s.aw)
		}
		return r.Uint64N(limit) & (1<<s.aw - 1)
	}
	only := ""
	if tr.lopsided {
		only = []string{"", "addr", "", "data"}[k/40%4]
	}
	in.rst = k == 0 || tr.resets && (r.IntN(80) == 0 || in.rst && r.IntN(2) == 0)
	if (!in.ldAddr.valid || in.ldTaken) && s.loads > 0 {
		in.ldAddr = drive{percent(r, tr.offer), tag(s.loads), index()}
	}
	if (!in.stAddr.valid || in.saTaken) && s.stores > 0 {
		in.stAddr = drive{percent(r, tr.offer) && only != "data", tag(s.stores), index()}
	}
	if (!in.stData.valid || in.sdTaken) && s.stores > 0 {
		in.stData = drive{percent(r, tr.offer) && only != "addr", tag(s.stores), randomWord(r, s.dw)}
		if tr.offer == 100 {
			in.stData.tag = in.stAddr.tag // at full speed nothing waits for its other half
		}
	}
	in.dataReady, in.doneReady, in.stDoneReady = percent(r, tr.take), percent(r, tr.take), percent(r, tr.take)
}

// fields are the ports of the fabric's side.
func (s *shape) fields() (in, out []field) {
	in = []field{{"rst", 1}, {"ldaddr_valid", 1}, {"ldaddr_data", s.tw + s.aw}, {"staddr_valid", 1}, {"staddr_data", s.tw + s.aw},
		{"stdata_valid", 1}, {"stdata_data", s.tw + s.dw}, {"lddata_ready", 1}, {"lddone_ready", 1}, {"stdone_ready", 1}}
	out = []field{{"lddata_valid", 1}, {"lddata_data", s.tw + s.dw}, {"lddone_valid", 1}, {"lddone_data", s.tw},
		{"stdone_valid", 1}, {"stdone_data", s.tw}, {"ldaddr_ready", 1}, {"staddr_ready", 1}, {"stdata_ready", 1},
		{"err_valid", 1}, {"err_code", 16}, {"idle", 1}}
	return in, out
}

// lines are the values of fields. Under reset only err_valid is defined.
func (s *shape) lines(in *channels, out outputs) (stim, want []string) {
	stim = []string{bit(in.rst), in.ldAddr.word(s.tw, s.aw), in.stAddr.word(s.tw, s.aw), in.stData.word(s.tw, s.dw),
		bit(in.dataReady), bit(in.doneReady), bit(in.stDoneReady)}
	if in.rst {
		return stim, []string{unless(true, 2*s.tw+3+s.dw+s.tw+3, 0), "0", unless(true, 17, 0)}
	}
	want = append(want, out.data.offered(s.tw, s.dw)...)
	want = append(want, out.done.offered(s.tw, 0)...)
	want = append(want, out.stDone.offered(s.tw, 0)...)
	for _, c := range []struct{ valid, ready bool }{{in.ldAddr.valid, out.ldReady}, {in.stAddr.valid, out.saReady}, {in.stData.valid, out.sdReady}} {
		if c.valid {
			want = append(want, bit(c.ready))
		} else {
			want = append(want, "x")
		}
	}
	return stim, append(want, bit(out.err != 0), unless(out.err == 0, 16, uint64(out.err)), bit(out.idle))
}

// token is a value with its tag; fault is the code of a faulty address; at is the
// cycle from which it is offered.
type token struct {
	tag   int
	value uint64
	fault int
	at    int
}

// queues are the store queues per tag, as README.md describes them.
type queues struct {
	addrs, words [][]token
	lone         []int
	last         int // the tag that popped last
	lsq, timeout int
}

func newQueues(s *shape) queues {
	return queues{addrs: make([][]token, s.stores), words: make([][]token, s.stores), lone: make([]int, s.stores),
		last: s.stores - 1, lsq: s.lsq, timeout: s.timeout}
}

// next is the first tag with a pair after the last, -1 without any.
func (q *queues) next() int {
	for k := range q.addrs {
		if tag := (q.last + 1 + k) % len(q.addrs); len(q.addrs[tag]) > 0 && len(q.words[tag]) > 0 {
			return tag
		}
	}
	return -1
}

// deadlock counts the cycle for every tag and reports whether a count reaches the timeout.
func (q *queues) deadlock() (alarm bool) {
	for tag := range q.addrs {
		if (len(q.addrs[tag]) == 0) == (len(q.words[tag]) == 0) {
			q.lone[tag] = 0
			continue
		}
		q.lone[tag]++
		alarm = alarm || q.lone[tag] == q.timeout
	}
	return alarm
}

// accepts reports whether a side takes a token of tag in a cycle in which popping pops.
func (q *queues) accepts(side [][]token, tag, popping int) bool {
	return len(side[tag]) < q.lsq || tag == popping
}

// pop takes the pair of tag.
func (q *queues) pop(tag int) (addr, word token) {
	addr, word = q.addrs[tag][0], q.words[tag][0]
	q.addrs[tag], q.words[tag] = q.addrs[tag][1:], q.words[tag][1:]
	q.last = tag
	return addr, word
}

func (q *queues) empty() bool {
	n := 0
	for tag := range q.addrs {
		n += len(q.addrs[tag]) + len(q.words[tag])
	}
	return n == 0
}
