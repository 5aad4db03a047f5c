package cycle

import (
	"cmp"
	"encoding/binary"
	"slices"

	"loom/compiler/latency"
	"loom/sim/dram"
	"loom/sim/memmap"
	"loom/sim/trace"
)

// Roll is the random number of the environment: a function of seed, stream and
// index, so that simulators that visit events in different orders draw the same
// (sim/README.md, "The environment of a run").
func Roll(seed, stream, n uint64) uint64 {
	z := seed + 0x9E3779B97F4A7C15*(stream*0x100000001+n+1)
	z ^= z >> 30
	z *= 0xBF58476D1CE4E5B9
	z ^= z >> 27
	z *= 0x94D049BB133111EB
	return z ^ z>>31
}

// environment is everything outside of the fabric.
type environment struct {
	stallPercent uint64
	stallSeed    uint64
	latency      latency.Profile
	bus          bus

	dram *dram.Controller // decides on the latency where there is one
	// asked are requests to it in the cycle asked in, in any order; they are served, in that of
	// their streams, before anybody looks at the responses.
	asked   []asked
	askedIn int64
}

// asked is a request to a DRAM.
type asked struct {
	stream uint64
	write  bool
	addr   uint64
	bytes  int64
	// due takes what tells the cycle of the response to each address.
	due func(at func(addr uint64) int64)
}

// newMemory gives an environment the memory of its profile.
func (v *environment) newMemory() *environment {
	if v.latency.Dynamic() {
		v.dram = dram.New(v.latency.DRAM)
	}
	return v
}

// ask makes a request to the DRAM in a cycle.
func (v *environment) ask(cycle int64, x asked) {
	v.serve(cycle)
	v.askedIn = cycle
	v.asked = append(v.asked, x)
}

// serve serves the requests of the cycles before this one.
func (v *environment) serve(cycle int64) {
	if len(v.asked) == 0 || v.askedIn >= cycle {
		return
	}
	slices.SortFunc(v.asked, func(a, b asked) int { return cmp.Compare(a.stream, b.stream) })
	for _, x := range v.asked {
		x.due(v.dram.Serve(v.askedIn, x.write, x.addr, x.bytes))
	}
	v.asked = v.asked[:0]
}

// room reports whether a port with that many transactions under way may begin another.
func (v *environment) room(underWay int) bool {
	return v.dram == nil || int64(underWay) < v.latency.DRAM.Transactions
}

// memoryLatency is that of the n-th request of a stream.
func (v *environment) memoryLatency(stream, n uint64) int64 {
	p := v.latency
	if p.Min == p.Max {
		return p.Min
	}
	return p.Min + int64(Roll(p.Seed, stream, n)%uint64(p.Max-p.Min+1))
}

// stalled reports whether the environment holds back in a cycle.
func (v *environment) stalled(stream uint64, cycle int64) bool {
	return v.stallPercent > 0 && Roll(v.stallSeed, stream, uint64(cycle))%100 < v.stallPercent
}

// bus is the byte-addressed memory behind all external memories: regions of the simulator,
// or what is outside of it.
type bus struct {
	regions []memmap.Region
	data    [][]byte
	outside Memory
}

// Memory is what lies behind the AXI masters where it is not the simulator's.
type Memory interface {
	// Read fills data from an address on; false where there is no such memory.
	Read(addr uint64, data []byte) bool
	// Writable reports whether n bytes can be written at an address, Write writes them.
	Writable(addr uint64, n int) bool
	Write(addr uint64, data []byte)
}

func newBus(regions []memmap.Region) bus {
	b := bus{regions: regions}
	for i := range regions {
		b.data = append(b.data, regions[i].Bytes())
	}
	return b
}

// find returns the bytes at an address to be read or written, nil outside of every region
// and for writes to what is constant. hint is where the last access of this port was.
func (b *bus) find(hint *int, addr uint64, n int, write bool) []byte {
	for k := range b.regions {
		i := *hint + k
		if i >= len(b.regions) {
			i -= len(b.regions)
		}
		if r := &b.regions[i]; r.Contains(addr, n) {
			*hint = i
			if write && r.Constant {
				return nil
			}
			at := addr - r.Base
			return b.data[i][at : at+uint64(n)]
		}
	}
	return nil
}

func (b *bus) read(hint *int, addr uint64, n int) (v uint64, ok bool) {
	if b.outside != nil {
		var word [8]byte
		ok = b.outside.Read(addr, word[:n])
		return binary.LittleEndian.Uint64(word[:]), ok
	}
	p := b.find(hint, addr, n, false)
	for i := len(p) - 1; i >= 0; i-- {
		v = v<<8 | uint64(p[i])
	}
	return v, p != nil
}

// fill reads as many bytes as there is room for.
func (b *bus) fill(hint *int, addr uint64, to []byte) bool {
	if b.outside != nil {
		return b.outside.Read(addr, to)
	}
	p := b.find(hint, addr, len(to), false)
	copy(to, p)
	return p != nil
}

// writable reports whether a write of n bytes succeeds.
func (b *bus) writable(hint *int, addr uint64, n int) bool {
	if b.outside != nil {
		return b.outside.Writable(addr, n)
	}
	return b.find(hint, addr, n, true) != nil
}

// write writes what is writable.
func (b *bus) write(hint *int, addr uint64, n int, v uint64) {
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], v)
	if b.outside != nil {
		b.outside.Write(addr, word[:n])
		return
	}
	copy(b.find(hint, addr, n, true), word[:n])
}

// source is a boundary input: it offers its token once, or never.
type source struct {
	node
	env     *environment
	port    int
	value   uint64
	pending bool // the token has not been taken
	offered bool
	// next are the tokens of later runs of a direct circuit.
	next []uint64
}

// again gives the source the token of another run.
func (s *source) again(e *engine, v uint64) {
	if s.pending {
		s.next = append(s.next, v)
		return
	}
	s.value, s.pending, s.offered = v, true, false
	e.fdirty.set(s.id)
	e.attend(s.id)
}

func (s *source) withheld(e *engine) bool {
	return !s.offered && s.env.stalled(1000+uint64(s.port), e.cycle)
}

func (s *source) forward(e *engine) {
	e.drive(s.out[0], s.pending && !s.withheld(e), s.value)
}

func (s *source) backward(*engine) {}

// Without a transfer the edge is seen through tick, which a source with a token
// keeps requesting until it has offered it.
func (s *source) clock(e *engine) wake {
	if !s.pending {
		return 0
	}
	s.offered = s.offered || e.nets[s.out[0]].valid
	if e.moved(s.out[0]) {
		s.pending = false
		if len(s.next) > 0 {
			s.value, s.pending, s.offered, s.next = s.next[0], true, false, s.next[1:]
		}
	}
	if !s.offered {
		return dirty | tick
	}
	return changed(!s.pending)
}

func (s *source) idle() bool                         { return true }
func (s *source) needs(_ *engine, buf []wire) []wire { return buf }

// sink is a boundary output.
type sink struct {
	node
	env  *environment
	port int
	// result is the index of the result delivered here, doneToken, or unbound.
	result int
	got    int
	value  uint64
}

const (
	doneToken = -1
	unbound   = -2
)

func (s *sink) forward(*engine) {}

func (s *sink) backward(e *engine) {
	e.accept(s.in[0], !s.env.stalled(2000+uint64(s.port), e.cycle))
}

func (s *sink) clock(e *engine) wake {
	if e.moved(s.in[0].net) {
		s.got++
		if s.got == 1 {
			s.value = e.val(s.in[0])
		}
	}
	return 0
}

// owes reports whether the delivery promised here has not come.
func (s *sink) owes() bool { return s.result != unbound && s.got == 0 }

// surplus is the number of unexpected tokens.
func (s *sink) surplus() int {
	if s.result == unbound {
		return s.got
	}
	return max(s.got-1, 0)
}

// pending reports whether only the stall of this cycle holds up a token.
func (s *sink) pending(e *engine) bool { return e.valid(s.in[0]) }

func (s *sink) idle() bool                         { return true }
func (s *sink) needs(_ *engine, buf []wire) []wire { return append(buf, s.in[0]) }

// event passes an event of the present cycle to the recorder, if there is one.
func (e *engine) event(ev trace.Event) {
	if e.record != nil {
		ev.Cycle = e.cycle
		e.record(ev)
	}
}

// verdict records the last event of a run; it belongs to the cycle before the
// latest clock edge.
func (e *engine) verdict(ev trace.Event) {
	if e.record != nil {
		ev.Cycle = e.cycle - 1
		e.record(ev)
	}
}
