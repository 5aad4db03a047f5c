package cycle

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/internal/fabrictest"
	"loom/internal/soak"
	"loom/sim/memmap"
)

// This file tests bridges, memories whose ports several lanes share, under traffic in
// which lanes run ahead of each other.

// flow is a boundary input or output of a bridge under traffic.
type flow struct {
	net    int32
	w      wire
	tokens []uint64    // of an input: what is to come
	got    []uint64    // of an output
	rate   float64     // how often it offers or takes
	waits  func() bool // while true it does neither
	valid  bool
}

// bridge is a memory with lanes, or without them a bare one, between flows.
type bridge struct {
	*Sim
	mem                    *arch.Component
	addr, data, done       []*flow // by load
	stAddr, stData, stDone []*flow // by store
	ins, outs              []*flow
	r                      *rand.Rand
	now                    int
	bytes                  []byte // of external memory
	log                    uint64 // of all channels in all cycles
}

const bridgeElems = 24

// newBridge makes a bridge of three loads and two stores around a memory of 16-bit
// elements, all of which differ.
func newBridge(t *testing.T, seed uint64, external, bare bool) *bridge {
	t.Helper()
	fb := fabrictest.New("bridge", 64)
	elems := int64(bridgeElems)
	if external {
		elems = 0
	}
	mem := fb.Ported("mem", ir.I16, elems, 3, 2)
	var fbr *fabrictest.Bridge
	if bare {
		fbr = fb.BareBridge(mem)
	} else {
		fbr = fb.Bridge(mem, 2+int(seed%2)*5) // fewer and more slots than stores in flight
	}
	br := &bridge{mem: mem, r: rand.New(rand.NewPCG(seed, 4))}
	in := func(to arch.Endpoint, k ir.Type) *flow {
		f := &flow{rate: 1}
		br.ins = append(br.ins, f)
		from := fb.Input(fmt.Sprint("i", len(br.ins)), k)
		if seed%2 == 1 {
			// Behind another unit the half of a lane that sends is clocked last.
			q := fb.FIFO(fmt.Sprint("q", len(br.ins)), k, 2, false)
			fb.Connect(from, fabrictest.In(q, 0))
			from = fabrictest.Out(q, 0)
		}
		fb.Connect(from, to)
		return f
	}
	out := func(from arch.Endpoint, k ir.Type) *flow {
		f := &flow{rate: 1}
		br.outs = append(br.outs, f)
		fb.Connect(from, fb.Output(fmt.Sprint("o", len(br.outs)), k))
		return f
	}
	for _, a := range fbr.Loads {
		br.addr, br.data, br.done = append(br.addr, in(a.Addr, ir.Index)), append(br.data, out(a.Data, ir.I16)), append(br.done, out(a.Done, ir.None))
	}
	for _, a := range fbr.Stores {
		br.stAddr, br.stData, br.stDone = append(br.stAddr, in(a.Addr, ir.Index)), append(br.stData, in(a.Data, ir.I16)), append(br.stDone, out(a.Done, ir.None))
	}
	img := config.New(config.NewLayout(fb.F))
	fbr.Configure(img, 0)

	region := memmap.Region{Base: memmap.FirstBase, ElemBits: 16, ElemBytes: 2, Elements: bridgeElems}
	env := &environment{latency: latency.Profile{Min: 2, Max: 30, Seed: seed}, stallSeed: seed}
	br.bytes = make([]byte, region.Size())
	env.bus = bus{regions: []memmap.Region{region}, data: [][]byte{br.bytes}}
	if external {
		img.Settings[mem.ID].Regions[0].Offset = region.Base
		env.stallPercent = 20
	}
	b := &builder{f: fb.F, img: img, env: env, errs: &diag.List{}}
	b.prepare()
	for _, c := range fb.F.Comps {
		b.declare(c)
	}
	for _, c := range fb.F.Comps {
		b.connect(c)
	}
	for i, f := range br.ins {
		f.net = b.inNets[i]
	}
	for o, f := range br.outs {
		f.w = b.channel(fb.F.Outputs[o].Chan)
	}
	for _, ch := range fb.F.Channels {
		b.channel(ch)
	}
	br.Sim = &Sim{fabric: fb.F, env: env}
	err := b.errs.Err()
	if err == nil {
		err = b.finish(br.Sim)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range bridgeElems {
		br.set(i, uint64(i*i+7))
	}
	return br
}

func (b *bridge) set(i int, v uint64) {
	if c := b.cells[b.mem.ID]; c != nil {
		c[i] = v
		return
	}
	b.bytes[2*i], b.bytes[2*i+1] = byte(v), byte(v>>8)
}

func (b *bridge) get(i int) uint64 {
	if c := b.cells[b.mem.ID]; c != nil {
		return c[i]
	}
	return uint64(b.bytes[2*i]) | uint64(b.bytes[2*i+1])<<8
}

// step simulates a cycle.
func (b *bridge) step(t *testing.T) {
	for _, f := range b.ins {
		if !f.valid {
			f.valid = len(f.tokens) > 0 && b.r.Float64() < f.rate && (f.waits == nil || !f.waits())
		}
		var v uint64
		if f.valid {
			v = f.tokens[0]
		}
		b.drive(f.net, f.valid, v)
	}
	for _, f := range b.outs {
		b.accept(f.w, b.r.Float64() < f.rate && (f.waits == nil || !f.waits()))
	}
	b.settle()
	for _, w := range b.chans {
		n := &b.nets[w.net]
		for _, v := range [...]uint64{bit(n.valid), bit(n.valid && n.ready), uint64(n.tag), n.data & w.mask} {
			b.log = (b.log ^ v) * 0x100000001b3
		}
	}
	for _, f := range b.ins {
		if b.moved(f.net) {
			f.valid, f.tokens = false, f.tokens[1:]
		}
	}
	for _, f := range b.outs {
		if b.moved(f.w.net) {
			f.got = append(f.got, b.val(f.w))
		}
	}
	b.edge()
	if b.errCode != 0 {
		t.Fatalf("cycle %d: code %d", b.now, b.errCode)
	}
	b.now++
}

// scenario is traffic over a bridge: the rates of its flows and what they wait for.
type scenario struct {
	name   string
	blocks bool // a bare bridge
	set    func(b *bridge)
}

const loadsEach, storesEach = 60, 40

var scenarios = []scenario{
	{"independent", false, func(b *bridge) {
		// Queues between address and data of a bare bridge's stores hold four.
		for k := range b.stAddr {
			b.stAddr[k].rate, b.stData[k].rate, b.stDone[k].rate = 1, 1, 1
		}
	}},
	{"one lane waits for all of another's data", true, func(b *bridge) {
		late := func() bool { return len(b.data[1].got) < loadsEach }
		b.data[0].waits, b.done[0].waits = late, late
	}},
	{"done tokens leave last", true, func(b *bridge) {
		b.done[2].waits = func() bool { return len(b.data[0].got)+len(b.data[1].got) < 2*loadsEach }
	}},
	{"data leaves last", true, func(b *bridge) {
		b.data[1].waits = func() bool { return len(b.done[0].got)+len(b.done[2].got) < 2*loadsEach }
	}},
	{"data of stores long after their addresses", true, func(b *bridge) {
		b.stData[0].waits = func() bool { return len(b.stDone[1].got) < storesEach }
	}},
	{"addresses of stores long after their data", true, func(b *bridge) {
		b.stAddr[1].waits = func() bool { return len(b.stDone[0].got) < storesEach }
	}},
	{"done tokens of stores leave last", true, func(b *bridge) {
		b.stDone[0].waits = func() bool { return len(b.stDone[1].got) < storesEach }
	}},
}

// traffic fills the flows: the loads read the lower half of the memory, which the
// stores, each in a quarter of its own, do not touch.
func (b *bridge) traffic(t *testing.T) (check func()) {
	for _, f := range append(append([]*flow(nil), b.ins...), b.outs...) {
		f.rate = []float64{0.1, 0.5, 1}[b.r.IntN(3)]
	}
	want := make([][]uint64, len(b.addr))
	for k, f := range b.addr {
		for range loadsEach {
			i := b.r.IntN(bridgeElems / 2)
			f.tokens = append(f.tokens, uint64(i))
			want[k] = append(want[k], b.get(i))
		}
	}
	final := map[int]uint64{}
	for k := range b.stAddr {
		for range storesEach {
			i, v := bridgeElems/2+k*bridgeElems/4+b.r.IntN(bridgeElems/4), b.r.Uint64()&0xffff
			b.stAddr[k].tokens, b.stData[k].tokens = append(b.stAddr[k].tokens, uint64(i)), append(b.stData[k].tokens, v)
			final[i] = v
		}
	}
	return func() {
		for k, f := range b.data {
			if fmt.Sprint(f.got) != fmt.Sprint(want[k]) {
				t.Errorf("load %d: %d data, not those of its addresses", k, len(f.got))
			}
			if n := len(b.done[k].got); n != loadsEach {
				t.Errorf("load %d: %d done tokens", k, n)
			}
		}
		for i, v := range final {
			if b.get(i) != v {
				t.Errorf("element %d is %#x, not %#x", i, b.get(i), v)
			}
		}
		if !b.engine.idle() {
			t.Error("the bridge is not empty")
		}
	}
}

// complete reports whether everything was delivered.
func (b *bridge) complete() bool {
	for _, f := range append(append([]*flow(nil), b.data...), b.done...) {
		if len(f.got) < loadsEach {
			return false
		}
	}
	for _, f := range b.stDone {
		if len(f.got) < storesEach {
			return false
		}
	}
	return true
}

// Lanes keep streams apart and in order however far one runs ahead of another; bare
// bridges do under independent consumers only. What the simulator leaves out because
// nothing changed makes no difference.
func TestBridges(t *testing.T) {
	seeds := soak.Scale(2, 60)
	for _, s := range scenarios {
		for _, external := range []bool{false, true} {
			for _, bare := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/external=%t/bare=%t", s.name, external, bare), func(t *testing.T) {
					blocked := 0
					for seed := range seeds {
						var logs [2]uint64
						for all := range logs {
							b := newBridge(t, uint64(seed), external, bare)
							if all == 1 {
								b.EvaluateAll()
							}
							check := b.traffic(t)
							s.set(b)
							for b.now < 3000 && !b.complete() {
								b.step(t)
							}
							switch {
							case b.complete():
								check()
							case !bare || !s.blocks:
								t.Errorf("seed %d: blocked after %d cycles", seed, b.now)
							default:
								blocked++
							}
							logs[all] = b.log
						}
						if logs[0] != logs[1] {
							t.Errorf("seed %d: evaluating everything gives other signals", seed)
						}
					}
					if bare && s.blocks && blocked == 0 {
						t.Error("no run of the bare bridge blocks: the traffic proves nothing")
					}
				})
			}
		}
	}
}
