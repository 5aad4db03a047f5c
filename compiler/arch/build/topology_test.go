package build

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/opname"
)

// sizes are the switches and links (per track) of a topology of r rows and c
// columns of PEs.
var sizes = map[string]func(r, c int) (switches, links int){
	"mesh":         func(r, c int) (int, int) { return gridSize(r+1, c+1) },
	"mesh_io_ring": func(r, c int) (int, int) { return gridSize(r+3, c+3) },
	"torus": func(r, c int) (int, int) {
		sides := 0
		for _, n := range []int{r, c} {
			if n > 1 {
				sides += 2
			}
		}
		return r * c, r * c * sides
	},
}

func gridSize(r, c int) (switches, links int) { return r * c, 2*r*(c-1) + 2*c*(r-1) }

// TestTopologies builds every topology in random shapes, with random memories and
// ports at its edge: the fabric verifies and has no combinational loop, has the
// switches and links that its kind promises, every link has one back, and every
// PE reaches every other, every memory and every output, and is reached likewise.
func TestTopologies(t *testing.T) {
	for _, kind := range slices.Sorted(maps.Keys(topologies)) {
		if sizes[kind] == nil {
			t.Errorf("add the numbers of switches and links of topology '%s' to this test", kind)
			continue
		}
		t.Run(kind, rapid.MakeCheck(func(t *rapid.T) { randomShape(t, kind) }))
	}
}

func randomShape(t *rapid.T, kind string) {
	n := func(lo, hi int, what string) int { return rapid.IntRange(lo, hi).Draw(t, what) }
	rows, columns, tracks := n(1, 5, "rows"), n(1, 5, "columns"), n(1, 3, "tracks")
	tokenTracks := n(0, 2, "token tracks")
	linkFIFO := map[int]int{32: n(2, 4, "link FIFO"), 1: n(2, 4, "link FIFO of tokens")} // by width
	src := fmt.Sprintf(`name: x
topology: {kind: %s, rows: %d, columns: %d, tracks: %d, token_tracks: %d, fan_in: %d, link_fifo: %d, token_link_fifo: %d, input_fifo: %d, pe_inputs: %d, pe_outputs: %d, pe_token_inputs: %d, pe_token_outputs: %d, result_fifo: %d}
boundary: {inputs: %d, outputs: %d}
extmemories: [{element: i32, count: %d}, {element: i16, loads: %d, stores: %d}]
memories: [{element: i32, private: %t}]
pes: {all: {units: [{load: i32}, {store: i32}, {join: 3}]}}
pattern: [[all]]
`, kind, rows, columns, tracks, tokenTracks, rapid.SampledFrom([]int{0, 4, 5}).Draw(t, "fan in"), linkFIFO[32], linkFIFO[1], n(2, 4, "input FIFO"),
		n(3, 4, "PE inputs"), n(2, 4, "PE outputs"), n(1, 4, "PE inputs of tokens"), n(1, 4, "PE outputs of tokens"), rapid.SampledFrom([]int{0, 2, 3}).Draw(t, "result FIFO"),
		n(1, 6, "inputs"), n(1, 6, "outputs"),
		n(1, 3, "memories"), n(1, 4, "loads"), n(1, 4, "stores"), rapid.Bool().Draw(t, "private"))
	m, err := Build("x.yaml", []byte(src))
	if err != nil {
		if strings.Contains(err.Error(), "a switch has at most 32") {
			t.Skip("too much for so few switches")
		}
		t.Fatalf("%v\n%s", err, src)
	}
	f, err := arch.FromModule(m, "")
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	switches, links := sizes[kind](rows, columns)
	between := map[[2]*arch.Component]int{}
	count := map[arch.Kind]int{}
	total, tokens := 0, 0
	for _, c := range f.Comps {
		count[c.Kind]++
		if !c.Placed {
			t.Errorf("%s has no position on the drawing", c.Name)
		}
		if strings.HasPrefix(c.Name, "link_") {
			total++
			if c.In[0].Width == 1 {
				tokens++
			}
			if want := linkFIFO[c.In[0].Width]; c.FIFO.Depth != want {
				t.Errorf("%s of %d bits has %d places, want %d", c.Name, c.In[0].Width, c.FIFO.Depth, want)
			}
			between[[2]*arch.Component{c.In[0].Chan.Src.Comp, c.Out[0].Chan.Dst.Comp}]++
		}
	}
	networks := 1
	if tokenTracks > 0 {
		networks = 2
	}
	if count[arch.SpatialSwitch] != switches*networks || count[arch.SpatialPE] != rows*columns || total-tokens != links*tracks || tokens != links*tokenTracks {
		t.Errorf("%d switches, %d PEs, %d links and %d of tokens, want %d, %d, %d and %d", count[arch.SpatialSwitch], count[arch.SpatialPE], total-tokens, tokens,
			switches*networks, rows*columns, links*tracks, links*tokenTracks)
	}
	for ends, k := range between {
		if back := between[[2]*arch.Component{ends[1], ends[0]}]; back != k {
			t.Errorf("%d links from %s to %s, %d back", k, ends[0].Name, ends[1].Name, back)
		}
	}
	checkReach(t, f)
}

// checkReach: PEs reach each other, memories or their lanes, and the outputs, and
// are reached by memories and inputs.
func checkReach(t *rapid.T, f *arch.Fabric) {
	type source struct {
		name  string
		comp  *arch.Component // nil of an input
		found map[arch.Endpoint]bool
	}
	var sources []source
	for _, in := range f.Inputs {
		sources = append(sources, source{in.Name, nil, reached([]arch.Port{{Chan: in.Chan}})})
	}
	accesses := func(c *arch.Component) bool { return c.Lane != nil || c.Mem != nil && c.Mem.TagWidth == 0 }
	for _, c := range f.Comps {
		if c.PE != nil || accesses(c) {
			sources = append(sources, source{c.Name, c, reached(c.Out)})
		}
	}
	for _, s := range sources {
		pe := s.comp != nil && s.comp.PE != nil
		for _, to := range f.Comps {
			if to != s.comp && (to.PE != nil || pe && accesses(to)) && !s.found[arch.Endpoint{Comp: to}] {
				t.Errorf("%s does not reach %s", s.name, to.Name)
			}
		}
		for i, out := range f.Outputs {
			if pe && !s.found[arch.Endpoint{Port: i}] {
				t.Errorf("%s does not reach %s", s.name, out.Name)
			}
		}
	}
}

// reached follows channels through FIFOs and spatial switches to the components,
// at whatever port, and boundary outputs that they lead to.
func reached(from []arch.Port) map[arch.Endpoint]bool {
	found, seen := map[arch.Endpoint]bool{}, map[*arch.Channel]bool{}
	var follow func(ch *arch.Channel)
	follow = func(ch *arch.Channel) {
		if ch == nil || seen[ch] {
			return
		}
		seen[ch] = true
		switch c := ch.Dst.Comp; {
		case c == nil:
			found[ch.Dst] = true
		case c.FIFO != nil:
			follow(c.Out[0].Chan)
		case c.Switch != nil:
			for o, row := range c.Switch.Connect {
				if row[ch.Dst.Port] {
					follow(c.Out[o].Chan)
				}
			}
		default:
			found[arch.Endpoint{Comp: c}] = true
		}
	}
	for _, p := range from {
		follow(p.Chan)
	}
	return found
}

// TestTokenNetwork: PEs, memories and the boundary have ports at the networks that their
// values need, and links along the rim the tracks that they are given.
func TestTokenNetwork(t *testing.T) {
	m, err := Build("x.yaml", []byte(`name: x
topology: {kind: mesh, rows: 2, columns: 3, tracks: 2, rim_tracks: 1, token_tracks: 3}
boundary: {inputs: 4, outputs: 3, tokens: 2}
extmemories: [{element: i32}]
pes: {both: {units: [{cmpi: i32}]}, words: {units: [{addi: i32}]}, tokens: {units: [{cond_br: i1}, {join: 2}]}}
pattern: [[both, words, tokens]]
`))
	if err != nil {
		t.Fatal(err)
	}
	f, err := arch.FromModule(m, "")
	if err != nil {
		t.Fatal(err)
	}
	widths := func(ports []arch.Port) (out []int) {
		for _, p := range ports {
			out = append(out, p.Width)
		}
		return out
	}
	want := map[string][]int{"pe_0_0": {32, 32, 32, 32, 1, 1, 1, 1}, "pe_0_1": {32, 32, 32, 32}, "pe_1_2": {1, 1, 1, 1}}
	links := map[string]int{} // between two switches
	for _, c := range f.Comps {
		if w := want[c.Name]; w != nil && (!slices.Equal(widths(c.In), w) || !slices.Equal(widths(c.Out), w)) {
			t.Errorf("%s has inputs of %v and outputs of %v bits, want %v", c.Name, widths(c.In), widths(c.Out), w)
		}
		if strings.HasPrefix(c.Name, "link_") {
			links[c.In[0].Chan.Src.Comp.Name+" "+c.Out[0].Chan.Dst.Comp.Name]++
		}
		if c.Mem != nil {
			for _, p := range c.Out {
				to := p.Chan.Dst.Comp.Name
				if done := strings.HasSuffix(p.Name, "done"); strings.HasPrefix(to, "sw_t") != done {
					t.Errorf("%s of the memory leads to %s", p.Name, to)
				}
			}
		}
	}
	for ends, k := range map[string]int{"sw_0_0 sw_0_1": 3, "sw_0_1 sw_1_1": 2, "sw_1_1 sw_1_2": 2, "sw_2_3 sw_1_3": 3, "sw_t0_0 sw_t0_1": 3, "sw_t1_1 sw_t0_1": 3} {
		if links[ends] != k {
			t.Errorf("%d links from %s, want %d", links[ends], ends, k)
		}
	}
	for i, b := range f.Inputs {
		if w := map[bool]int{false: 32, true: 1}[i >= 2]; b.Width != w {
			t.Errorf("%s has %d bits, want %d", b.Name, b.Width, w)
		}
	}
	for i, b := range f.Outputs {
		if w := map[bool]int{false: 32, true: 1}[i >= 1]; b.Width != w {
			t.Errorf("%s has %d bits, want %d", b.Name, b.Width, w)
		}
	}
	for _, faulty := range []string{"{kind: mesh, rows: 1, columns: 1}", "{kind: mesh, rows: 1, columns: 1, token_tracks: 0}"} {
		_, err := Build("x.yaml", []byte("name: x\ntopology: "+faulty+"\nboundary: {inputs: 1, outputs: 1, tokens: 1}\npes: {a: {units: [{addi: i32}]}}\npattern: [[a]]\n"))
		if err == nil || !strings.Contains(err.Error(), "there is no token network for 'tokens'") {
			t.Errorf("%s: %v", faulty, err)
		}
	}
}

// TestIORing: the switches of the rim serve no PE, those inside nothing else.
func TestIORing(t *testing.T) {
	m, err := Build("x.yaml", []byte(strings.Replace(tiny, "kind: mesh, rows: 1, columns: 1", "kind: mesh_io_ring, rows: 2, columns: 3", 1)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := arch.FromModule(m, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range f.Comps {
		if c.Switch == nil {
			continue
		}
		rim := c.X == 0 || c.Y == 0 || c.X == 10 || c.Y == 8
		for _, p := range c.In {
			if from := p.Chan.Src.Comp; from == nil || !strings.HasPrefix(from.Name, "link_") {
				if pe := from != nil && from.Kind == arch.SpatialPE; pe == rim {
					t.Errorf("%s has the input %s", c.Name, p.Chan.Name)
				}
			}
		}
	}
}

// TestFanIn: with a fan_in of 4 an output of a switch inside of a mesh has four inputs, and a PE
// still reaches each of its eight neighbours through one switch, in either network.
func TestFanIn(t *testing.T) {
	m, err := Build("x.yaml", []byte(`name: x
topology: {kind: mesh, rows: 4, columns: 5, tracks: 1, token_tracks: 1, fan_in: 4}
boundary: {inputs: 2, outputs: 2}
pes: {all: {units: [{cmpi: i32}, {addi: i32}, {cond_br: i1}]}}
pattern: [[all]]
`))
	if err != nil {
		t.Fatal(err)
	}
	f, err := arch.FromModule(m, "")
	if err != nil {
		t.Fatal(err)
	}
	near := map[[3]string]bool{} // network, from, to
	for _, c := range f.Comps {
		if c.Switch == nil {
			continue
		}
		network := strings.TrimRight(c.Name, "0123456789_")
		for o, row := range c.Switch.Connect {
			to := c.Out[o].Chan.Dst.Comp
			inputs := 0
			for i, on := range row {
				if !on {
					continue
				}
				inputs++
				if from := c.In[i].Chan.Src.Comp; from != nil && from.PE != nil && to.FIFO != nil {
					if pe := to.Out[0].Chan.Dst.Comp; pe != nil && pe.PE != nil {
						near[[3]string{network, from.Name, pe.Name}] = true
					}
				}
			}
			if len(c.In) == 8 && inputs != 4 { // no port of the boundary
				t.Errorf("output %d of %s has %d inputs", o, c.Name, inputs)
			}
		}
	}
	for _, network := range []string{"sw", "sw_t"} {
		for r := range 4 {
			for c := range 5 {
				for _, d := range [][2]int{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}} {
					if y, x := r+d[0], c+d[1]; y >= 0 && x >= 0 && y < 4 && x < 5 {
						if at := [3]string{network, fmt.Sprintf("pe_%d_%d", r, c), fmt.Sprintf("pe_%d_%d", y, x)}; !near[at] {
							t.Errorf("in network %s %s does not reach %s through one switch", at[0], at[1], at[2])
						}
					}
				}
			}
		}
	}
	_, err = Build("x.yaml", []byte("name: x\ntopology: {kind: mesh, rows: 4, columns: 5, fan_in: 3}\nboundary: {inputs: 1, outputs: 1}\npes: {all: {units: [{addi: i32}]}}\npattern: [[all]]\n"))
	if err == nil || !strings.Contains(err.Error(), "x.yaml:2:53") {
		t.Errorf("a fan_in of 3: %v", err)
	}
}

// TestPEPorts: a PE has the ports that the topology says, at both networks, and inside of a mesh every
// switch has as many of them as the average, give or take one.
func TestPEPorts(t *testing.T) {
	for inputs := 1; inputs <= corners; inputs++ {
		for outputs := 1; outputs <= corners; outputs++ {
			want := pePorts{inputs, outputs, corners + 1 - inputs, corners + 1 - outputs}
			m, err := Build("x.yaml", fmt.Appendf(nil, `name: x
topology: {kind: mesh, rows: 6, columns: 6, token_tracks: 1, pe_inputs: %d, pe_outputs: %d, pe_token_inputs: %d, pe_token_outputs: %d}
boundary: {inputs: 2, outputs: 2}
pes: {all: {units: [{trunci: i32 -> i1}]}}
pattern: [[all]]
`, want.inputs, want.outputs, want.tokenInputs, want.tokenOutputs))
			if err != nil {
				t.Fatal(err)
			}
			f, err := arch.FromModule(m, "")
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range f.Comps {
				switch {
				case c.PE != nil:
					var got pePorts
					for _, p := range c.In {
						if p.Width > tokenWidth {
							got.inputs++
						} else {
							got.tokenInputs++
						}
					}
					for _, p := range c.Out {
						if p.Width > tokenWidth {
							got.outputs++
						} else {
							got.tokenOutputs++
						}
					}
					if got != want {
						t.Errorf("%s has %+v, want %+v", c.Name, got, want)
					}
				case c.Switch != nil:
					// An interior switch is a corner of four PEs: it has what one PE has on the average.
					links, results := 0, 0
					for _, p := range c.In {
						switch from := p.Chan.Src.Comp; {
						case from != nil && from.PE != nil:
							results++
						case from != nil && strings.HasPrefix(from.Name, "link_"):
							links++
						}
					}
					average := want.outputs
					if c.In[0].Width == tokenWidth {
						average = want.tokenOutputs
					}
					if links == 2*4 && (results < average-1 || results > average+1) {
						t.Errorf("%+v: %s takes results of %d PEs, the average is %d", want, c.Name, results, average)
					}
				}
			}
		}
	}
}

// TestPortsOfUnits: a unit that its PE has too few ports for is refused where the template names it, and
// what to change is said.
func TestPortsOfUnits(t *testing.T) {
	for _, c := range []struct{ topology, unit, want string }{
		{"token_tracks: 1, pe_inputs: 2", "addi: i32}, {muli: i32}, {select: i32}, {accumulate: {ops: [addi], type: i32}", ""},
		{"pe_inputs: 2", "select: i32", "has 3 operands, a PE of the mesh has inputs for 2 | 'pe_inputs' of the topology"},
		{"token_tracks: 1, pe_inputs: 1", "addi: i32", "has 2 operands of words, a PE of the mesh has inputs of words for 1 | 'pe_inputs' of the topology"},
		{"pe_outputs: 1", "cond_br: i32", "has 2 results, a PE of the mesh has outputs for 1 | 'pe_outputs' of the topology"},
		{"token_tracks: 1, pe_outputs: 1", "cond_br: i32", "has 2 results of words, a PE of the mesh has outputs of words for 1 | 'pe_outputs' of the topology"},
		{"token_tracks: 1, pe_outputs: 1", "gate: i32", ""}, // a word and a condition
		{"token_tracks: 1, pe_token_inputs: 3", "join: 3", ""},
		// This PE has no inputs of words, whatever their number.
		{"token_tracks: 1, pe_token_inputs: 3", "join: 4", "has 4 operands, PE template 'all' has inputs for 3 | 'pe_inputs' and 'pe_token_inputs' of the topology"},
	} {
		unit := "{" + c.unit + "}"
		text := fmt.Sprintf("name: x\ntopology: {kind: mesh, rows: 2, columns: 2, %s}\nboundary: {inputs: 1, outputs: 1}\npes: {all: {units: [%s]}}\npattern: [[all]]\n", c.topology, unit)
		_, err := Build("x.yaml", []byte(text))
		if c.want == "" {
			if err != nil {
				t.Errorf("%s, %s: %v", c.topology, unit, err)
			}
			continue
		}
		found := false
		if err != nil {
			for _, d := range diag.FromError(err).All {
				found = found || d.Pos == diag.Pos{File: "x.yaml", Line: 4, Col: 21} && strings.Contains(d.Message+" | "+d.Help, c.want)
			}
		}
		if !found {
			t.Errorf("%s, %s: %v", c.topology, unit, err)
		}
	}
}

// TestResultFIFO: a PE template's queues of results stand in place of those of the topology.
func TestResultFIFO(t *testing.T) {
	m, err := Build("x.yaml", []byte(`name: x
topology: {kind: mesh, rows: 1, columns: 3, result_fifo: 4}
boundary: {inputs: 1, outputs: 1}
pes: {a: {units: [{addi: i32}]}, b: {units: [{addi: i32}], result_fifo: 0}, c: {units: [{addi: i32}], result_fifo: 2}}
pattern: [[a, b, c]]
`))
	if err != nil {
		t.Fatal(err)
	}
	f, err := arch.FromModule(m, "")
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, c := range f.Comps {
		if c.PE != nil {
			got = append(got, c.PE.ResultFIFO)
		}
	}
	if !slices.Equal(got, []int{4, 0, 2}) {
		t.Errorf("queues of %v places behind results, want 4, 0 and 2", got)
	}
}

// TestRequests: with fan_in, a port that leads to a memory chooses among no more inputs, of PEs with loads or stores and of
// links, two at least, or twice as many inputs where there are many links; what a memory gives goes on by links and to such PEs.
func TestRequests(t *testing.T) {
	for rimTracks, most := range []int{4, 4, 8} {
		t.Run(fmt.Sprint(rimTracks), func(t *testing.T) { requests(t, rimTracks, most) })
	}
}

func requests(t *testing.T, rimTracks, most int) {
	m, err := Build("x.yaml", fmt.Appendf(nil, `name: x
topology: {kind: mesh, rows: 4, columns: 5, tracks: 1, rim_tracks: %d, token_tracks: 1, fan_in: 4}
boundary: {inputs: 2, outputs: 2}
extmemories: [{element: i32, count: 2}, {element: i32, loads: 4, stores: 3}]
pes: {mem: {units: [{load: i32}, {store: i32}]}, alu: {units: [{cmpi: i32}, {addi: i32}, {cond_br: i1}]}}
pattern: [[mem, alu], [alu, mem]]
`, rimTracks))
	if err != nil {
		t.Fatal(err)
	}
	f, err := arch.FromModule(m, "")
	if err != nil {
		t.Fatal(err)
	}
	accesses := func(c *arch.Component) bool { return c.PE.FUs[0].Ops[0].Op.Name == opname.HandshakeLoad }
	memory := func(c *arch.Component) bool { return c != nil && (c.Mem != nil || c.Lane != nil) }
	requests, answers := 0, 0
	for _, c := range f.Comps {
		if c.Switch == nil || c.In[0].Width == 1 || strings.HasPrefix(c.Name, "mem") {
			continue
		}
		for o, row := range c.Switch.Connect {
			queue := c.Out[o].Chan.Dst.Comp
			to := queue.Out[0].Chan.Dst.Comp
			inputs, links := 0, 0
			for i, on := range row {
				if !on {
					continue
				}
				from := c.In[i].Chan.Src.Comp
				inputs++
				switch {
				case from != nil && from.FIFO != nil:
					links++
				case memory(to) && (from == nil || from.PE == nil || !accesses(from)):
					t.Errorf("output %d of %s leads input %d to a memory", o, c.Name, i)
				case memory(from) && !strings.HasPrefix(queue.Name, "link_"):
					if answers++; to == nil || to.PE == nil || !accesses(to) {
						t.Errorf("output %d of %s takes the data of a memory", o, c.Name)
					}
				}
			}
			if memory(to) {
				requests++
				if inputs > most || links < 2 {
					t.Errorf("output %d of %s, to %s, has %d inputs, %d of links", o, c.Name, to.Name, inputs, links)
				}
			}
		}
	}
	if requests != 2*3+4+2*3 || answers == 0 {
		t.Errorf("%d requests, %d answers to PEs beside", requests, answers)
	}
}
