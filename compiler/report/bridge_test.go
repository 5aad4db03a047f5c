package report_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
	"loom/compiler/mapping"
	"loom/compiler/report"
	"loom/internal/maptest"
)

// pageData is what a test reads of the data in a page.
type pageData struct {
	Fabric struct {
		Components []struct{ Name, Kind string }
		Channels   []struct {
			Width int
			Tag   int `json:"tag_width"`
		}
	}
	EdgeSteps    [][]mapping.Step `json:"edge_steps"`
	EdgeChannels [][]int          `json:"edge_channels"`
	Trace        *struct {
		Transfers, Stalls [][]int
	}
}

func readPage(t *testing.T, page []byte) pageData {
	t.Helper()
	var d pageData
	text := regexp.MustCompile(`(?s)id="data">(.*?)</script>`).FindSubmatch(page)
	if err := json.Unmarshal(text[1], &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestVizBridges draws a mapping with bridges: the path of an edge to or from a lane
// leads through the temporal switches to the memory, step by step and channel by
// channel, and a trace plays on the channels of lanes.
func TestVizBridges(t *testing.T) {
	fn, f, m := maptest.Arrays()
	lane := find(t, f, "dram_load0")
	trace := fmt.Sprintf(`{"loom_trace":1,"fabric":"round","kernel":"arrays","modules":[],"channels":[]}
{"cycle":0,"kind":"start"}
{"cycle":1,"kind":"transfer","channel":%d,"data":"0x1"}
{"cycle":1,"kind":"stall_out","module":%d}
`, lane.Out[arch.LoadReq].Chan.ID, lane.ID)
	page, err := report.Viz(fn, f, m, []byte(trace))
	if err != nil {
		t.Fatal(err)
	}
	runPage(t, page)
	d := readPage(t, page)
	for _, c := range f.Channels {
		if drawn := d.Fabric.Channels[c.ID]; drawn.Width != c.Width || drawn.Tag != c.TagWidth {
			t.Errorf("channel '%s' of %d bits and a tag of %d is drawn with %d and %d", c.Name, c.Width, c.TagWidth, drawn.Width, drawn.Tag)
		}
	}
	want := []string{
		// Addresses and data of the store to the argument a, at its second lane.
		"dram_store1 > dram_staddr > fifo_dram_1 > dram", "dram_store1 > dram_stdata > fifo_dram_2 > dram",
		// Loaded values and done tokens.
		"dram > dram_lddata > dram_load0 > sw", "dram > dram_lddone > dram_load2 > sw", "dram > dram_stdone > dram_store1 > sw",
		"pad_load1 > pad_ldaddr > pad", "pad > pad_lddata > pad_load3 > sw",
		// Single lanes are wired to their memory.
		"one_load0 > one", "one > one_load0 > sw", "one_store0 > one", "one > one_store0 > sw",
		// Memories without tags have no lanes.
		"sw > fifo_port_0 > port",
	}
	found := map[string]bool{}
	for i, steps := range d.EdgeSteps {
		var names []string
		for _, s := range steps {
			names = append(names, s.Comp+s.Boundary)
		}
		path := strings.Join(names, " > ")
		for _, w := range want {
			if strings.HasPrefix(path, w+" > ") || strings.HasSuffix(path, " > "+w) {
				found[w] = true
			}
		}
		// Every channel joins two steps.
		if len(d.EdgeChannels[i]) != max(len(steps)-1, 0) {
			t.Fatalf("edge %d: %d channels between %d steps", i, len(d.EdgeChannels[i]), len(steps))
		}
		for k, ch := range d.EdgeChannels[i] {
			c := f.Channels[ch]
			if end := name(c.Src.Comp); end != steps[k].Comp {
				t.Errorf("edge %d: channel %d leaves '%s', the step is at '%s'", i, k, end, steps[k].Comp)
			}
			if end := name(c.Dst.Comp); end != steps[k+1].Comp || c.Dst.Port != steps[k+1].In || c.Src.Port != steps[k].Out {
				t.Errorf("edge %d: channel %d arrives at '%s', the step is at '%s'", i, k, end, steps[k+1].Comp)
			}
		}
	}
	for _, w := range want {
		if !found[w] {
			t.Errorf("no edge runs along %s", w)
		}
	}
	if d := cmp.Diff([][]int{{}, {lane.Out[arch.LoadReq].Chan.ID}}, d.Trace.Transfers); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([][]int{{}, {lane.ID}}, d.Trace.Stalls); d != "" {
		t.Error(d)
	}
}

func name(c *arch.Component) string {
	if c == nil {
		return ""
	}
	return c.Name
}

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

// TestVizForeignPaths checks that a mapping whose bridges do not fit the fabric is
// an error and no panic.
func TestVizForeignPaths(t *testing.T) {
	for what, damage := range map[string]func(m *mapping.Mapping){
		"no slots":       func(m *mapping.Mapping) { m.TemporalSwitches = nil },
		"another memory": func(m *mapping.Mapping) { m.Memories[0].Comp = "nowhere" },
		"another output": func(m *mapping.Mapping) { m.TemporalSwitches[0].Slots[0].Routes[0][0] = 9 },
		"another step":   func(m *mapping.Mapping) { m.Edges[0].Steps[0].Out = 99 },
	} {
		fn, f, m := maptest.Arrays()
		damage(m)
		if _, err := report.Viz(fn, f, m, nil); err == nil || !strings.Contains(err.Error(), "does not have") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestUnplacedComponents checks that components without a position of their own are
// drawn beside what they are connected to and on no other box.
func TestUnplacedComponents(t *testing.T) {
	_, f, _ := maptest.Arrays()
	for _, c := range f.Comps {
		c.Placed = c.Kind == arch.SpatialSwitch || c.Mem != nil
	}
	text, err := report.FabricViz(f)
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Width, Height float64
		Components    []struct {
			Name, Kind string
			X, Y       float64
		}
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	for i, a := range d.Components {
		if a.X < 0 || a.Y < 0 || a.X > d.Width-1 || a.Y > d.Height-1 {
			t.Errorf("%s stands outside, at %g, %g", a.Name, a.X, a.Y)
		}
		for _, b := range d.Components[:i] {
			if a.Kind != "fifo" && b.Kind != "fifo" && math.Abs(a.X-b.X) < 0.3 && math.Abs(a.Y-b.Y) < 0.3 {
				t.Errorf("%s and %s stand on one spot, %g, %g", a.Name, b.Name, a.X, a.Y)
			}
		}
	}
}
