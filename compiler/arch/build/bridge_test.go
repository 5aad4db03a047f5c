package build

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
	"loom/compiler/diag"
)

// bridged is the tiny mesh, grown to a grid that takes the entry's lanes, with
// this entry instead of its memories.
func bridged(t *testing.T, side int, list, entry string) *arch.Fabric {
	t.Helper()
	a, b := strings.Index(tiny, "extmemories:"), strings.Index(tiny, "function_units:")
	src := tiny[:a] + list + ": [{" + entry + "}]\n" + tiny[b:]
	src = strings.Replace(src, "rows: 1, columns: 1", fmt.Sprintf("rows: %d, columns: %d", side, side), 1)
	m, err := Build("x.yaml", []byte(src))
	if err != nil {
		t.Fatalf("%s: %s", entry, diag.Render(diag.FromError(err), nil))
	}
	f, err := arch.FromModule(m, "")
	if err != nil {
		t.Fatalf("%s: %s", entry, diag.Render(diag.FromError(err), nil))
	}
	return f
}

// across returns the component port on the other side of a channel, and of the
// temporal switch there, if there is one, the port the lane's slot leads to.
func across(t *testing.T, ch *arch.Channel, lane int, forward bool) (*arch.Component, int) {
	t.Helper()
	e := ch.Src
	if forward {
		e = ch.Dst
	}
	if e.Comp == nil || e.Comp.Kind != arch.TemporalSwitch {
		return e.Comp, e.Port
	}
	near, far := e.Comp.In, e.Comp.Out
	if !forward {
		near, far = far, near
	}
	if e.Port != lane || len(near) < 2 || len(far) != 1 || e.Comp.Temporal.Slots != len(near) {
		t.Errorf("%s has %d inputs, %d outputs and %d slots; lane %d is at its port %d",
			e.Comp.Name, len(e.Comp.In), len(e.Comp.Out), e.Comp.Temporal.Slots, lane, e.Port)
	}
	for _, row := range e.Comp.Temporal.Connect {
		for _, on := range row {
			if !on {
				t.Errorf("%s cannot serve every lane", e.Comp.Name)
			}
		}
	}
	if forward {
		return far[0].Chan.Dst.Comp, far[0].Chan.Dst.Port
	}
	return far[0].Chan.Src.Comp, far[0].Chan.Src.Port
}

// TestBridges builds memories with all kinds of port counts and follows every lane
// from the mesh to the memory and back.
func TestBridges(t *testing.T) {
	counts := []int{0, 1, 2, 3, 8, 32}
	for _, k := range counts {
		for _, l := range counts {
			if k+l == 0 {
				continue
			}
			name := fmt.Sprintf("%d+%d", k, l)
			list, prefix := "extmemories", "mem_0"
			if (k+l)%2 == 0 {
				list, prefix = "memories", "spm_0"
			}
			f := bridged(t, 2+(k+l)/8, list, fmt.Sprintf("element: i16, loads: %d, stores: %d", k, l))
			checkBridge(t, name, f, prefix, k, l)
		}
	}
}

func checkBridge(t *testing.T, name string, f *arch.Fabric, prefix string, k, l int) {
	t.Helper()
	comps := map[string]*arch.Component{}
	n := map[arch.Kind]int{}
	for _, c := range f.Comps {
		comps[c.Name] = c
		n[c.Kind]++
		if !c.Placed {
			t.Errorf("%s: %s has no position on the drawing", name, c.Name)
		}
	}
	mem := comps[prefix]
	if mem == nil || mem.Mem == nil {
		t.Fatalf("%s: there is no memory %s", name, prefix)
	}
	lsq := 4
	if l == 0 {
		lsq = 0
	}
	tag, regions := 0, 1
	if max(k, l) > 1 {
		tag, regions = bits.Len(uint(max(k, l))), min(max(k, l), 8)
	}
	spec := mem.Mem
	got, want := []int{spec.LdCount, spec.StCount, spec.LSQDepth, spec.NumRegion, spec.TagWidth}, []int{k, l, lsq, regions, tag}
	if !cmp.Equal(got, want) {
		t.Errorf("%s: loads, stores, queue, regions and tag width are %v, want %v", name, got, want)
	}
	if tag > 0 && 1<<tag <= max(k, l) {
		t.Errorf("%s: no region of %d tag bits can end after the last port", name, tag)
	}
	if mem.Kind == arch.Memory && spec.Elements != 2048 {
		t.Errorf("%s: %d elements of two bytes, want 4 KB", name, spec.Elements)
	}
	if tag == 0 {
		if n[arch.LoadLane]+n[arch.StoreLane]+n[arch.TemporalSwitch] > 0 {
			t.Errorf("%s: a memory with one port each needs no lanes: %v", name, n)
		}
		return
	}
	switches := 0
	if k > 1 {
		switches += 3
	}
	if l > 1 {
		switches += 3
	}
	if n[arch.LoadLane] != k || n[arch.StoreLane] != l || n[arch.TemporalSwitch] != switches {
		t.Errorf("%s: components %v, want %d switches", name, n, switches)
	}
	follow := func(c *arch.Component, port, i int, forward bool, want int) {
		ch := c.In[port].Chan
		if forward {
			ch = c.Out[port].Chan
		}
		if far, at := across(t, ch, i, forward); far != mem || at != want {
			t.Errorf("%s: port %d of %s leads elsewhere than to port %d of the memory", name, port, c.Name, want)
		}
		if ch.TagWidth != tag {
			t.Errorf("%s: channel %s has a tag of %d bits, want %d", name, ch.Name, ch.TagWidth, tag)
		}
	}
	// mesh checks that a port is connected to a spatial switch, inputs by a FIFO.
	mesh := func(c *arch.Component, ins, outs []int) {
		for _, i := range ins {
			q := c.In[i].Chan.Src.Comp
			if q.Kind != arch.FIFO || q.Name != c.Name+"_"+c.In[i].Name+"_q" || q.In[0].Chan.Src.Comp.Kind != arch.SpatialSwitch {
				t.Errorf("%s: input %s of %s comes from %s", name, c.In[i].Name, c.Name, q.Name)
			}
		}
		for _, o := range outs {
			if c.Out[o].Chan.Dst.Comp.Kind != arch.SpatialSwitch {
				t.Errorf("%s: output %s of %s goes to %s", name, c.Out[o].Name, c.Name, c.Out[o].Chan.Dst.Comp.Name)
			}
		}
	}
	for i := range k {
		c := comps[fmt.Sprintf("%s_ld%d", prefix, i)]
		if c == nil || c.Kind != arch.LoadLane {
			t.Fatalf("%s: load lane %d is missing", name, i)
		}
		follow(c, arch.LoadReq, i, true, spec.LdAddr)
		follow(c, arch.LoadRsp, i, false, spec.LdData)
		follow(c, arch.LoadDoneRsp, i, false, spec.LdDone)
		mesh(c, []int{arch.LoadAddr}, []int{arch.LoadData, arch.LoadDone})
	}
	for i := range l {
		c := comps[fmt.Sprintf("%s_st%d", prefix, i)]
		if c == nil || c.Kind != arch.StoreLane {
			t.Fatalf("%s: store lane %d is missing", name, i)
		}
		follow(c, arch.StoreReqAddr, i, true, spec.StAddr)
		follow(c, arch.StoreReqData, i, true, spec.StData)
		follow(c, arch.StoreDoneRsp, i, false, spec.StDone)
		mesh(c, []int{arch.StoreAddr, arch.StoreData}, []int{arch.StoreDone})
		if c.Lane.LSQDepth != c.Lane.Slots {
			t.Errorf("%s: %s has %d stores in flight, and %d places", name, c.Name, c.Lane.LSQDepth, c.Lane.Slots)
		}
	}
}

// TestBridgeKeys: the values of an entry's keys arrive in the fabric.
func TestBridgeKeys(t *testing.T) {
	f := bridged(t, 3, "extmemories", "element: i16, loads: 2, stores: 3, lane_depth: 5, lsq_depth: 6, regions: 7, axi_data_width: 128, axi_master: ddr, outstanding: 96, burst: 8, bounds: true, cache: 512")
	for _, c := range f.Comps {
		switch {
		case c.Lane != nil && c.Lane.Slots != 5:
			t.Errorf("%s has %d slots", c.Name, c.Lane.Slots)
		case c.Kind == arch.StoreLane && c.Lane.LSQDepth != 5:
			t.Errorf("%s has %d stores in flight", c.Name, c.Lane.LSQDepth)
		case c.Mem != nil && (c.Mem.LSQDepth != 6 || c.Mem.NumRegion != 7 || c.Mem.BusWidth != 128 || c.Mem.Outstanding != 96 || c.Mem.Burst != 8 || !c.Mem.Bounds || c.Mem.Cache != 512 || c.Mem.Master != "ddr"):
			t.Errorf("memory %+v", c.Mem)
		}
	}
	f = bridged(t, 3, "extmemories", "element: i16")
	for _, c := range f.Comps {
		if c.Mem != nil && c.External() && c.Mem.Outstanding != arch.DefaultOutstanding {
			t.Errorf("%d accesses in flight, expected the default", c.Mem.Outstanding)
		}
		if c.Mem != nil && c.Mem.BusWidth != 16 {
			t.Errorf("the bus of i16 elements has %d bits", c.Mem.BusWidth)
		}
	}
	// What all of them have that do not say it.
	for entry, want := range map[string]arch.MemorySpec{
		"element: i16": {Master: "ddr", BusWidth: 32, Burst: 8},
		"element: i16, axi_master: hbm, axi_data_width: 64, burst: 1": {Master: "hbm", BusWidth: 64, Burst: 1},
	} {
		f := bridged(t, 3, "axi: {master: ddr, data_width: 32, burst: 8}\nextmemories", entry)
		for _, c := range f.Comps {
			if m := c.Mem; m != nil && c.External() && (m.Master != want.Master || m.BusWidth != want.BusWidth || m.Burst != want.Burst) {
				t.Errorf("%s: master %q, %d bits, bursts of %d, expected %+v", entry, m.Master, m.BusWidth, m.Burst, want)
			}
		}
	}
	// Entries that differ in one key are different hardware.
	for _, key := range []string{"axi_data_width: 64", "axi_master: ddr", "outstanding: 17", "burst: 2", "bounds: true", "cache: 64", "loads: 0", "stores: 0", "lsq_depth: 3", "regions: 2"} {
		f = bridged(t, 3, "extmemories", "element: i16}, {name: other, element: i16, "+key)
		defs := map[string]bool{}
		for _, c := range f.Comps {
			if c.Mem != nil {
				defs[c.Def] = true
			}
		}
		if len(defs) != 2 {
			t.Errorf("with and without %s there are %d definitions", key, len(defs))
		}
	}
	f = bridged(t, 3, "memories", "element: i8, loads: 3, private: false, elements: 5")
	for _, c := range f.Comps {
		if c.Mem != nil && (c.Mem.Private || c.Mem.Elements != 5 || c.Mem.BusWidth != 0 || c.Mem.MemPort != -1) {
			t.Errorf("memory %+v", c.Mem)
		}
	}
}

// TestBridgePositions: no two parts of bridges have one position on the drawing, and
// lanes are outside of the grid.
func TestBridgePositions(t *testing.T) {
	for side, entry := range map[int]string{
		8: "element: i32, count: 4, loads: 4, stores: 2",
		2: "element: i32, loads: 8, stores: 8", // several lanes at each switch
	} {
		checkPositions(t, bridged(t, side, "extmemories", entry), float64(2*side))
	}
}

func checkPositions(t *testing.T, f *arch.Fabric, edge float64) {
	t.Helper()
	at := map[[2]float64]string{}
	for _, c := range f.Comps {
		switch c.Kind {
		case arch.LoadLane, arch.StoreLane, arch.TemporalSwitch, arch.ExtMemory:
			p := [2]float64{c.X, c.Y}
			if other := at[p]; other != "" {
				t.Errorf("%s and %s both stand at %v", c.Name, other, p)
			}
			at[p] = c.Name
			if c.X >= 0 && c.X <= edge && c.Y >= 0 && c.Y <= edge {
				t.Errorf("%s stands inside the grid, at %v", c.Name, p)
			}
		}
	}
}
