package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/mlir"
	"loom/internal/testkit"
	"loom/sim/cycle"
)

// This file drives traffic at the boundary of whole fabrics: tokens in, tokens out, the
// host at its memories, AXI memory behind the buses. The cycle simulator runs first and
// leaves a script of everything that reaches the fabric and of everything the fabric
// shows; icarus_test.go holds the generated RTL to it.

// textFabric flattens testdata/fabric/NAME.
func textFabric(t testing.TB, name string) *arch.Fabric {
	t.Helper()
	path := testkit.Testdata(t, "fabric", name)
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := mlir.ParseAndVerify(path, string(src))
	if err != nil {
		t.Fatal(err)
	}
	f, err := arch.FromModule(mod, "")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// named is the component of a fabric with that name.
func named(t testing.TB, f *arch.Fabric, name string) *arch.Component {
	t.Helper()
	for _, c := range f.Comps {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("fabric '%s' has no component '%s'", f.Name, name)
	return nil
}

// stimulus is a configured fabric and its traffic.
type stimulus struct {
	fabric    *arch.Fabric
	img       *config.Image
	feed      map[string][]uint64 // tokens by boundary input
	fill      map[string][]uint64 // contents of on-chip memories, by component, as the host writes them
	testbench cycle.TestbenchOptions
	// stall is the percentage of cycles in which an input without a token stays without
	// one, and of those in which an output takes nothing; slow replaces it at single
	// ports. after holds a port back until another one has passed so many tokens.
	stall int
	slow  map[string]int
	after map[string]passed
	seed  uint64
	// cycles is its length; 0 means until everything has arrived and linger
	// cycles more, or until nothing has moved for quietCycles.
	cycles, linger int
	image          []uint32 // instead of the encoded image
	before         []word   // of the configuration stream, in front of the image
	sticky         int      // the code that these leave
	readBack       bool     // the host reads all memories at the end
}

// quietCycles is how long nothing moves before a stimulus counts as blocked: longer than
// any latency, and than stalls last that leave a share of 1 in 20 of the cycles.
const quietCycles = 600

// word is a word of the configuration stream.
type word struct {
	data uint32
	last bool
}

// passed is a number of tokens through a port of the boundary.
type passed struct {
	port   string
	tokens int
}

// set is the setting of a component.
func (s *stimulus) set(t testing.TB, name string) *config.Setting {
	return &s.img.Settings[named(t, s.fabric, name).ID]
}

// signal is one signal of a recording: a value per cycle.
type signal struct {
	name  string // in the testbench
	expr  string // what is observed, in terms of the top module
	width int
	guard int // the observed signal that shows whether this one means anything, -1 for always
	at    []uint64
}

// recording is what the fabric showed under a stimulus.
type recording struct {
	*stimulus
	stim, obs []*signal
	cycles    int
	out       map[string][]uint64 // tokens by boundary output
	when      map[string][]int    // and the cycles of their transfers
	taken     map[string]int      // tokens by boundary input
	code      int                 // the first error
	codeAt    int
	comp      *arch.Component
	codes     map[int]bool // every code that was raised
	done      bool         // all inputs were taken and nothing was left inside
	cells     map[string][]uint64
	bus       [][]byte
	stuck     []string // of a stimulus that did not end by itself
	limits    []cycle.Limit
	buses     []*busSignals
}

func (r *recording) addStim(name string, width int) *signal {
	x := &signal{name: name, width: width}
	r.stim = append(r.stim, x)
	return x
}

func (r *recording) addObs(name, expr string, width, guard int) *signal {
	x := &signal{name: name, expr: expr, width: width, guard: guard}
	r.obs = append(r.obs, x)
	return x
}

func (x *signal) put(v uint64) { x.at = append(x.at, v) }

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// record runs the stimulus on the cycle simulator.
func (s *stimulus) record(t testing.TB) *recording {
	t.Helper()
	r, err := s.try()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (s *stimulus) try() (*recording, error) {
	testbench, err := cycle.NewTestbench(s.fabric, s.img, s.testbench)
	if err != nil {
		return nil, err
	}
	r := &recording{stimulus: s, out: map[string][]uint64{}, when: map[string][]int{}, taken: map[string]int{}, codes: map[int]bool{},
		cells: map[string][]uint64{}, code: s.sticky}
	p := newDriver(r, testbench)
	left := s.linger
	for c := 0; s.cycles == 0 || c < s.cycles; c++ {
		if s.cycles == 0 {
			if r.done = p.over(); r.done {
				left--
			}
			if left < 0 || p.quiet > quietCycles {
				break
			}
		}
		p.step(nil)
	}
	if !r.done {
		if r.done = p.over(); !r.done {
			r.stuck = testbench.Stuck()
		}
	}
	for _, c := range s.fabric.Comps {
		if cells := testbench.Cells(c.ID); cells != nil {
			r.cells[c.Name] = append([]uint64(nil), cells...)
		}
	}
	if s.readBack {
		p.readBack()
	}
	r.limits = testbench.Limits()
	for i := range s.testbench.Bus {
		r.bus = append(r.bus, append([]byte(nil), testbench.Bus(i)...))
	}
	return r, nil
}

// driver runs one stimulus.
type driver struct {
	r         *recording
	testbench *cycle.Testbench
	rng       *rand.Rand
	in        cycle.TestbenchIn
	hold      []bool
	err       int // as the top level shows it
	pending   int // the first error, in the cycle before the top level shows it
	idle      bool
	quiet     int // cycles since something crossed a channel

	// The signals of boundary inputs, boundary outputs and channels.
	inValid, inSeen               []*signal
	inData, inReady               []*signal
	outReady, outValid, outData   []*signal
	chValid, chReady, chData      []*signal
	chTag                         []*signal
	errValid, errCode, idleSignal *signal
	buses                         []*busSignals
	hosts                         []*hostSignals
}

type hostSignals struct {
	comp                     *arch.Component
	en, addr, reading, rdata *signal
}

func newDriver(r *recording, testbench *cycle.Testbench) *driver {
	f := r.fabric
	p := &driver{r: r, testbench: testbench, rng: rand.New(rand.NewPCG(r.seed, 17)), err: r.sticky, hold: make([]bool, len(f.Inputs))}
	p.in = cycle.TestbenchIn{In: make([]cycle.Token, len(f.Inputs)), Ready: make([]bool, len(f.Outputs)), Host: map[int]cycle.HostAccess{}}
	for i, b := range f.Inputs {
		n := fmt.Sprintf("in%d", i)
		p.inValid = append(p.inValid, r.addStim(n+"_valid", 1))
		p.inData = append(p.inData, r.addStim(n+"_data", b.Width))
		p.inSeen = append(p.inSeen, r.addObs(n+"_seen", n+"_valid", 1, -1))
		p.inReady = append(p.inReady, r.addObs(n+"_ready", n+"_ready", 1, len(r.obs)-1))
	}
	for i, b := range f.Outputs {
		n := fmt.Sprintf("out%d", i)
		p.outReady = append(p.outReady, r.addStim(n+"_ready", 1))
		p.outValid = append(p.outValid, r.addObs(n+"_valid", n+"_valid", 1, -1))
		p.outData = append(p.outData, r.addObs(n+"_data", n+"_data", b.Width, len(r.obs)-1))
	}
	for i, ch := range f.Channels {
		n := fmt.Sprintf("ch%d", i)
		p.chValid = append(p.chValid, r.addObs(n+"_valid", n+"_valid", 1, -1))
		g := len(r.obs) - 1
		p.chReady = append(p.chReady, r.addObs(n+"_ready", n+"_ready", 1, g))
		var data, tag *signal
		if ch.Width > 0 {
			data = r.addObs(n+"_data", n+"_data", min(ch.Width, 64), g)
		}
		if ch.TagWidth > 0 {
			tag = r.addObs(n+"_tag", n+"_tag", ch.TagWidth, g)
		}
		p.chData, p.chTag = append(p.chData, data), append(p.chTag, tag)
	}
	for _, c := range f.Comps {
		switch {
		case c.Kind == arch.ExtMemory:
			p.buses = append(p.buses, newBusSignals(r, len(p.buses), c))
			r.buses = p.buses
		case c.Kind == arch.Memory && !c.Mem.Private:
			n := fmt.Sprintf("host%d", len(p.hosts))
			h := &hostSignals{comp: c, en: r.addStim(n+"_en", 1), addr: r.addStim(n+"_addr", 32)}
			h.reading = r.addObs(n+"_reading", n+"_reading", 1, -1)
			h.rdata = r.addObs(n+"_rdata", n+"_rdata", c.Mem.ElemWidth, len(r.obs)-1)
			p.hosts = append(p.hosts, h)
			copy(testbench.Cells(c.ID), r.fill[c.Name])
		}
	}
	p.errValid = r.addObs("error_valid", "error_valid", 1, -1)
	p.errCode = r.addObs("error_code", "error_code", 16, len(r.obs)-1)
	p.idleSignal = r.addObs("idle", "idle", 1, -1)
	return p
}

// over reports whether every token was taken and nothing is left in the fabric.
func (p *driver) over() bool {
	for i, b := range p.r.fabric.Inputs {
		if p.hold[i] || p.r.taken[b.Name] < len(p.r.feed[b.Name]) {
			return false
		}
	}
	return p.idle
}

// stalls draws whether a port holds back in this cycle.
func (p *driver) stalls(name string) bool {
	if x, waits := p.r.after[name]; waits && p.r.taken[x.port]+len(p.r.out[x.port]) < x.tokens {
		return true
	}
	percent, own := p.r.slow[name]
	if !own {
		percent = p.r.stall
	}
	return percent > 0 && p.rng.IntN(100) < percent
}

// step simulates a cycle; host is what the host does in it.
func (p *driver) step(host map[int]cycle.HostAccess) {
	r, f := p.r, p.r.fabric
	for i, b := range f.Inputs {
		if tokens := r.feed[b.Name]; !p.hold[i] && r.taken[b.Name] < len(tokens) && !p.stalls(b.Name) {
			p.hold[i] = true
			p.in.In[i] = cycle.Token{Valid: true, Data: tokens[r.taken[b.Name]]}
		}
		p.inValid[i].put(bit(p.hold[i]))
		noise := p.rng.Uint64() // without valid it means nothing and must change nothing
		if p.hold[i] {
			noise = p.in.In[i].Data
		} else {
			p.in.In[i] = cycle.Token{}
		}
		p.inData[i].put(noise)
	}
	for o, b := range f.Outputs {
		p.in.Ready[o] = !p.stalls(b.Name)
		p.outReady[o].put(bit(p.in.Ready[o]))
	}
	p.in.Host = host
	out := p.testbench.Step(&p.in)
	for i, b := range f.Inputs {
		p.inSeen[i].put(bit(p.hold[i]))
		p.inReady[i].put(bit(out.Ready[i]))
		if p.hold[i] && out.Ready[i] {
			p.hold[i] = false
			r.taken[b.Name]++
		}
	}
	for o, b := range f.Outputs {
		x := &out.Out[o]
		p.outValid[o].put(bit(x.Valid))
		p.outData[o].put(x.Data)
		if x.Valid && p.in.Ready[o] {
			r.out[b.Name] = append(r.out[b.Name], x.Data)
			r.when[b.Name] = append(r.when[b.Name], r.cycles)
		}
	}
	p.quiet++
	for i := range out.Channels {
		x := &out.Channels[i]
		if x.Valid && x.Ready {
			p.quiet = 0
		}
		p.chValid[i].put(bit(x.Valid))
		p.chReady[i].put(bit(x.Ready))
		if p.chData[i] != nil {
			p.chData[i].put(x.Data)
		}
		if p.chTag[i] != nil {
			p.chTag[i].put(uint64(x.Tag))
		}
	}
	for k := range out.Bus {
		p.buses[k].put(&out.Bus[k], r.stimulus.testbench.Sizes[p.buses[k].comp.ID], p.rng)
	}
	for _, h := range p.hosts {
		x := host[h.comp.ID]
		h.en.put(bit(x.Enable))
		h.addr.put(x.Addr)
		v, reading := out.Host[h.comp.ID]
		h.reading.put(bit(reading))
		h.rdata.put(v)
	}
	p.errValid.put(bit(p.err != 0))
	p.errCode.put(uint64(p.err))
	idle := out.Idle && p.pending == 0
	p.idleSignal.put(bit(idle))
	p.idle = idle && p.quiet > 0 // what moved in this cycle is inside in the next
	if p.pending != 0 {
		p.err, p.pending = p.pending, 0
	}
	if out.Err != 0 {
		r.codes[out.Err] = true
		if p.err == 0 {
			p.pending = out.Err
			r.code, r.codeAt, r.comp = out.Err, r.cycles, out.Comp
		}
	}
	r.cycles++
}

// readBack has the host read every element of its memories, and one cycle more.
func (p *driver) readBack() {
	most := 0
	for _, h := range p.hosts {
		most = max(most, int(h.comp.Mem.Elements))
	}
	for a := range most + 1 {
		host := map[int]cycle.HostAccess{}
		for _, h := range p.hosts {
			if int64(a) < h.comp.Mem.Elements {
				host[h.comp.ID] = cycle.HostAccess{Enable: true, Addr: uint64(a)}
			}
		}
		p.step(host)
	}
}

// mustTestbench is a testbench of the unconfigured fabric.
func mustTestbench(f *arch.Fabric) *cycle.Testbench {
	testbench, err := cycle.NewTestbench(f, config.New(config.NewLayout(f)), cycle.TestbenchOptions{})
	if err != nil {
		panic(err)
	}
	return testbench
}

// lines joins the lines of a report.
func lines(s []string) string { return strings.Join(s, "\n") }
