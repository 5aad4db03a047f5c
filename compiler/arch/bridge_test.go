package arch_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/internal/fabtest"
)

// bridgeMesh is a small mesh with the given memories.
func bridgeMesh(m ...fabtest.Memory) *arch.Fabric {
	return fabtest.Mesh(fabtest.Options{Rows: 1, Cols: 1, Ins: 1, Outs: 1, Bridges: m})
}

// summary spells what Bridges found.
func summary(f *arch.Fabric) []string {
	var out []string
	for _, b := range arch.Bridges(f) {
		s := fmt.Sprintf("%s %d/%d:", b.Mem.Name, b.MaxLoads, b.MaxStores)
		for _, a := range append(append([]arch.Access(nil), b.Loads...), b.Stores...) {
			s += " " + a.Comp.Name
			for _, p := range a.Paths {
				s += fmt.Sprintf(" %d", len(p.Hops))
				if p.Latency > 0 {
					s += fmt.Sprintf("+%d", p.Latency)
				}
			}
		}
		out = append(out, s)
	}
	return out
}

// find returns the component of a name.
func find(t *testing.T, f *arch.Fabric, name string) *arch.Component {
	t.Helper()
	for _, c := range f.Comps {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no component '%s'", name)
	return nil
}

// switchesOf lists the temporal switches of a fabric.
func switchesOf(f *arch.Fabric) []*arch.Component {
	var out []*arch.Component
	for _, c := range f.Comps {
		if c.Kind == arch.TemporalSwitch {
			out = append(out, c)
		}
	}
	return out
}

// TestBridges: memory, how many loads and stores may be in use, and for every
// site its switches (and registers) to addresses, data and dones.
func TestBridges(t *testing.T) {
	both := fabtest.Memory{Loads: 2, Stores: 2}
	for _, c := range []struct {
		name   string
		memory fabtest.Memory
		damage func(*arch.Fabric)
		want   string
	}{
		{"untagged", fabtest.Memory{Loads: 1, Stores: 1}, nil, "mem_0 1/1: mem_0 mem_0"},
		{"only loads", fabtest.Memory{Loads: 1}, nil, "mem_0 1/0: mem_0"},
		{"only stores", fabtest.Memory{Stores: 3}, nil, "mem_0 0/3: mem_0_st0 1 1 1 mem_0_st1 1 1 1 mem_0_st2 1 1 1"},
		{"one and two", fabtest.Memory{Loads: 1, Stores: 2}, nil, "mem_0 1/2: mem_0_ld0 0 0 0 mem_0_st0 1 1 1 mem_0_st1 1 1 1"},
		{"FIFOs", fabtest.Memory{Loads: 2, Queues: true}, nil, "mem_0 2/0: mem_0_ld0 1+2 1+2 1+2 mem_0_ld1 1+2 1+2 1+2"},
		{"a tree", fabtest.Memory{Loads: 4, Pairs: 2}, nil, "mem_0 4/0: mem_0_ld0 2 1 1 mem_0_ld1 2 1 1 mem_0_ld2 2 1 1 mem_0_ld3 2 1 1"},
		{"few slots", fabtest.Memory{Loads: 4, Slots: 3}, nil, "mem_0 3/0: mem_0_ld0 1 1 1 mem_0_ld1 1 1 1 mem_0_ld2 1 1 1 mem_0_ld3 1 1 1"},
		{"few slots at the root alone", fabtest.Memory{Loads: 4, Pairs: 2, Slots: 2}, nil, "mem_0 2/0: mem_0_ld0 2 1 1 mem_0_ld1 2 1 1 mem_0_ld2 2 1 1 mem_0_ld3 2 1 1"},
		{"no lanes", fabtest.Memory{Loads: 2, LoadLanes: -1}, nil, "mem_0 0/0:"},
		{"lanes but no path back", both, func(f *arch.Fabric) {
			for _, s := range switchesOf(f) {
				if len(s.Out) == 2 && s.Out[0].Width == 32 {
					s.Temporal.Connect[1][0] = false
				}
			}
		}, "mem_0 1/2: mem_0_ld0 1 1 1 mem_0_st0 1 1 1 mem_0_st1 1 1 1"},
		{"lanes of another tag", both, func(f *arch.Fabric) { find(t, f, "mem_0_st1").Lane.TagWidth++ },
			"mem_0 2/1: mem_0_ld0 1 1 1 mem_0_ld1 1 1 1 mem_0_st0 1 1 1"},
		{"more stores in flight than the queue has places", both, func(f *arch.Fabric) { find(t, f, "mem_0_st0").Lane.LSQDepth = 5 },
			"mem_0 2/2: mem_0_ld0 1 1 1 mem_0_ld1 1 1 1 mem_0_st0 1 1 1 mem_0_st1 1 1 1"},
		{"too many stores in flight behind FIFOs", fabtest.Memory{Stores: 2, Queues: true}, func(f *arch.Fabric) { find(t, f, "mem_0_st0").Lane.LSQDepth = 5 },
			"mem_0 0/1: mem_0_st1 1+2 1+2 1+2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := bridgeMesh(c.memory)
			if c.damage != nil {
				c.damage(f)
			}
			if d := cmp.Diff([]string{c.want}, summary(f)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestSharedSwitches: where tokens of different memories enter a temporal switch
// at one input, tags do not distinguish them; where they enter at inputs of their
// own, they only share its slots.
func TestSharedSwitches(t *testing.T) {
	f := bridgeMesh(fabtest.Memory{Loads: 2}, fabtest.Memory{Loads: 2})
	var merge []*arch.Component
	for _, s := range switchesOf(f) {
		if len(s.Out) == 1 {
			merge = append(merge, s)
		}
	}
	wire := func(src, dst arch.Endpoint) {
		ch := &arch.Channel{ID: len(f.Channels), Name: "extra", Src: src, Dst: dst, Width: 64, TagWidth: 2}
		f.Channels = append(f.Channels, ch)
		src.Comp.Out[src.Port].Chan = ch
	}
	// The switch b of the second memory serves both: the switch a of the first
	// one's lanes leads there.
	a, b := merge[0], merge[1]
	mem0 := a.Out[0].Chan.Dst
	b.In = append(b.In, b.In[0])
	b.Out = append(b.Out, b.Out[0])
	wire(arch.Endpoint{Comp: a, Port: 0}, arch.Endpoint{Comp: b, Port: 2})
	wire(arch.Endpoint{Comp: b, Port: 1}, mem0)
	b.Temporal.Connect = [][]bool{{true, true, true}, {true, true, true}}
	check := func(what string, want ...string) {
		t.Helper()
		if d := cmp.Diff(want, summary(f)); d != "" {
			t.Errorf("%s: %s", what, d)
		}
	}
	check("two slots for two lanes of each", "mem_0 1/0: mem_0_ld0 2 1 1 mem_0_ld1 2 1 1", "mem_1 1/0: mem_1_ld0 1 1 1 mem_1_ld1 1 1 1")
	b.Temporal.Slots = 4
	check("slots for all", "mem_0 2/0: mem_0_ld0 2 1 1 mem_0_ld1 2 1 1", "mem_1 2/0: mem_1_ld0 1 1 1 mem_1_ld1 1 1 1")
	// A lane of the second memory at the first one's switch, whose output all its
	// requests share.
	a.In = append(a.In, a.In[0])
	a.Temporal.Connect = [][]bool{{true, true, true}}
	wire(arch.Endpoint{Comp: find(t, f, "mem_1_ld1"), Port: arch.LoadReq}, arch.Endpoint{Comp: a, Port: 2})
	check("one input for both", "mem_0 2/0: mem_0_ld0 2 1 1 mem_0_ld1 2 1 1", "mem_1 1/0: mem_1_ld0 1 1 1")
}

// TestLaneOfTwoMemories: a lane that can reach two memories counts for the first.
func TestLaneOfTwoMemories(t *testing.T) {
	f := bridgeMesh(fabtest.Memory{Loads: 1, Tagged: true}, fabtest.Memory{Loads: 1, Tagged: true, LoadLanes: -1})
	lane, m0, m1 := find(t, f, "mem_0_ld0"), find(t, f, "mem_0"), find(t, f, "mem_1")
	// The switches lead from the lane to both memories and back from both.
	join := func(ins, outs []arch.Endpoint, width int) {
		sw := &arch.Component{ID: len(f.Comps), Name: fmt.Sprintf("sw%d", len(f.Comps)), Kind: arch.TemporalSwitch,
			Temporal: &arch.TemporalSpec{Slots: 4, TagWidth: 1}}
		f.Comps = append(f.Comps, sw)
		wire := func(src, dst arch.Endpoint) {
			ch := &arch.Channel{ID: len(f.Channels), Src: src, Dst: dst, Width: width, TagWidth: 1}
			f.Channels = append(f.Channels, ch)
			src.Comp.Out[src.Port].Chan = ch
		}
		for i, e := range ins {
			sw.In = append(sw.In, arch.Port{Width: width, TagWidth: 1})
			wire(e, arch.Endpoint{Comp: sw, Port: i})
		}
		for o, e := range outs {
			sw.Out = append(sw.Out, arch.Port{Width: width, TagWidth: 1})
			wire(arch.Endpoint{Comp: sw, Port: o}, e)
			sw.Temporal.Connect = append(sw.Temporal.Connect, []bool{true, true}[:len(ins)])
		}
	}
	join([]arch.Endpoint{{Comp: lane, Port: arch.LoadReq}}, []arch.Endpoint{{Comp: m0, Port: 0}, {Comp: m1, Port: 0}}, 64)
	join([]arch.Endpoint{{Comp: m0, Port: 0}, {Comp: m1, Port: 0}}, []arch.Endpoint{{Comp: lane, Port: arch.LoadRsp}}, 32)
	join([]arch.Endpoint{{Comp: m0, Port: 1}, {Comp: m1, Port: 1}}, []arch.Endpoint{{Comp: lane, Port: arch.LoadDoneRsp}}, 0)
	if d := cmp.Diff([]string{"mem_0 1/0: mem_0_ld0 1 1 1", "mem_1 0/0:"}, summary(f)); d != "" {
		t.Error(d)
	}
}

// TestOddFabrics: whatever is missing or out of range, Bridges returns.
func TestOddFabrics(t *testing.T) {
	for _, damage := range []func(f *arch.Fabric, c *arch.Component){
		func(f *arch.Fabric, c *arch.Component) { c.Temporal = nil },
		func(f *arch.Fabric, c *arch.Component) { c.Lane = nil },
		func(f *arch.Fabric, c *arch.Component) { c.FIFO = nil },
		func(f *arch.Fabric, c *arch.Component) { c.In = nil },
		func(f *arch.Fabric, c *arch.Component) { c.Out = nil },
		func(f *arch.Fabric, c *arch.Component) {
			for k := range c.Out {
				c.Out[k].Chan = nil
			}
		},
		func(f *arch.Fabric, c *arch.Component) {
			for _, p := range c.Out {
				if p.Chan != nil {
					p.Chan.Dst.Port = 99
				}
			}
		},
		func(f *arch.Fabric, c *arch.Component) { // a circle
			for _, p := range c.Out {
				if p.Chan != nil && c.Kind == arch.TemporalSwitch {
					p.Chan.Dst = arch.Endpoint{Comp: c, Port: 0}
				}
			}
		},
		func(f *arch.Fabric, c *arch.Component) {
			if c.Mem != nil {
				c.Mem.LdAddr, c.Mem.LdData, c.Mem.StDone = 7, -3, 9
			}
		},
		func(f *arch.Fabric, c *arch.Component) {
			if c.Temporal != nil {
				c.Temporal.Connect = c.Temporal.Connect[:0]
			}
		},
	} {
		f := bridgeMesh(fabtest.Memory{Loads: 3, Stores: 2, Queues: true, Pairs: 2}, fabtest.Memory{Loads: 1, Stores: 1, Elem: ir.I64})
		for _, c := range f.Comps {
			whole := arch.Bridges(f)
			save := *c
			save.In, save.Out = append([]arch.Port(nil), c.In...), append([]arch.Port(nil), c.Out...)
			damage(f, c)
			if got := arch.Bridges(f); len(got) > len(whole) {
				t.Errorf("'%s' broken: %d memories", c.Name, len(got))
			}
			if c.Kind != arch.TemporalSwitch || c.Temporal == nil {
				*c = save
			}
		}
	}
}
