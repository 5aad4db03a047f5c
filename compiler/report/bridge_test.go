package report_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
	"loom/compiler/mapping"
	"loom/compiler/report"
	"loom/internal/browser"
	"loom/internal/maptest"
	"loom/sim/trace"
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
	Graph struct {
		Width  float64
		Layers int
		Nodes  []struct {
			Label, Title  string
			X, W          float64
			Layer, Source int
			Line, Loop    int
		}
		Edges []struct {
			From, To int
			Back     bool
			Via      [][2]float64
		}
	}
	Paths []struct {
		Steps    []mapping.Step
		Channels []int
		Tag      int
	}
	Trace *struct {
		Cycles, Shown int
		Status        string
		Channels      map[string]struct {
			At    []int
			Value []any
			Tag   []int
		}
		States map[string][]int
		Totals map[string][3]int
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
	r := trace.NewRecorder(f, &mapping.Binding{Kernel: "arrays"})
	r.Add(trace.Event{Kind: trace.Start, Channel: -1})
	r.Add(trace.Event{Cycle: 1, Kind: trace.Transfer, Channel: lane.Out[arch.LoadReq].Chan.ID, Data: 1, Tag: 1})
	dram := find(t, f, "dram")
	r.Add(trace.Event{Cycle: 1, Kind: trace.Transfer, Channel: dram.In[dram.Mem.LdAddr].Chan.ID, Data: 1, Tag: 1})
	r.Add(trace.Event{Cycle: 1, Kind: trace.StallOut, Comp: lane, Channel: -1})
	page, err := (&report.Picture{Fabric: f, Graph: fn, Mapping: m, Trace: r.Trace()}).HTML()
	if err != nil {
		t.Fatal(err)
	}
	checkBelonging(t, page)
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
	for i, path := range d.Paths {
		steps := path.Steps
		var names []string
		for _, s := range steps {
			names = append(names, s.Comp+s.Boundary)
		}
		way := strings.Join(names, " > ")
		for _, w := range want {
			if strings.HasPrefix(way, w+" > ") || strings.HasSuffix(way, " > "+w) {
				found[w] = true
			}
		}
		// Every channel joins two steps.
		if len(path.Channels) != max(len(steps)-1, 0) {
			t.Fatalf("edge %d: %d channels between %d steps", i, len(path.Channels), len(steps))
		}
		for k, ch := range path.Channels {
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
	request := fmt.Sprint(lane.Out[arch.LoadReq].Chan.ID)
	if c := d.Trace.Channels[request]; !slices.Equal(c.At, []int{1}) || !slices.Equal(c.Tag, []int{1}) {
		t.Errorf("the request of the lane is %v", c)
	}
	if diff := cmp.Diff(map[string][]int{fmt.Sprint(lane.ID): {1, 1, 2}}, d.Trace.States); diff != "" {
		t.Error(diff)
	}
	// Edges at lanes know their tag.
	tags := map[int]bool{}
	for _, p := range d.Paths {
		tags[p.Tag] = true
	}
	if !tags[-1] || !tags[1] || !tags[2] {
		t.Errorf("the tags of edges are %v", tags)
	}
}

// checkBelonging checks in a browser that everything on the way of an edge is
// highlighted with it: its channels, the lanes, temporal switches and memories that it
// passes, and its way through each component.
func checkBelonging(t *testing.T, page []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "viz.html")
	if err := os.WriteFile(file, page, 0o644); err != nil {
		t.Fatal(err)
	}
	b := browser.Open(t)
	b.Load(file)
	var wrong []string
	b.Eval(`(() => {
		const wrong = [];
		D.paths.forEach((p, i) => {
			const mine = parts.fabric.get(i) || [];
			for (const c of p.channels) if (!channelLines.get(c).some(l => mine.includes(l))) wrong.push("edge " + i + " leaves out channel " + c);
			let boxes = 0;
			for (const s of p.steps) {
				const c = compByName.get(s.component);
				if (c && c.kind !== "fifo") boxes++;
				if (c && /lane|temporal|memory/.test(c.kind) && !mine.includes(compNodes.get(c.id))) wrong.push("edge " + i + " leaves out " + c.name);
			}
			const ways = mine.filter(l => l.classList.contains("inner")).length;
			if (ways !== boxes) wrong.push("edge " + i + " has " + ways + " ways through " + boxes + " components");
		});
		return wrong;
	})()`, &wrong)
	// A token on a channel with tags lights the edges of its tag alone.
	var lit, all int
	b.Eval(`go(1), document.querySelectorAll("#graph .edge.token").length`, &lit)
	b.Eval(`Math.max(...Object.keys(T.channels).map(id => edgesOver.get(+id).length))`, &all)
	if lit == 0 || lit >= all {
		t.Errorf("%d of the %d edges over a channel are lit", lit, all)
	}
	for _, w := range append(wrong, b.Complaints...) {
		t.Error(w)
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
		if _, err := (&report.Picture{Fabric: f, Graph: fn, Mapping: m}).HTML(); err == nil || !strings.Contains(err.Error(), "does not have") {
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
