package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mapper/check"
	"loom/compiler/mapping"
	"loom/compiler/report"
	"loom/internal/fabtest"
	"loom/internal/maptest"
	"loom/sim/trace"
)

var update = flag.Bool("update", os.Getenv("LOOM_UPDATE") != "", "rewrite golden files")

// scale maps the scale kernel onto a small mesh.
func scale(t *testing.T) (*ir.Operation, *arch.Fabric, *mapping.Mapping) {
	t.Helper()
	fn := fabtest.Scale()
	f := fabtest.Mesh(fabtest.Options{Rows: 4, Cols: 4, Memories: 2, Ins: 4, Outs: 2, Bypass: true})
	res, err := mapper.Map(fn, f, mapper.Options{Effort: mapper.Effort{Attempts: 4, Candidates: 1, Moves: 40, Cooling: 85, Iterations: 50}})
	if err != nil {
		t.Fatal(err)
	}
	return fn, f, res.Mapping
}

func TestText(t *testing.T) {
	_, _, m := scale(t)
	_, _, arrays := maptest.Arrays()
	golden(t, "scale.map.txt", report.Text(m))
	golden(t, "arrays.map.txt", report.Text(arrays))
}

// golden compares a report with the one that is kept.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s differs (rewrite with -update):\n%s", name, d)
	}
}

// validator compiles the shipped schema.
func validator(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(report.Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("map.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("map.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSchema(t *testing.T) {
	s := validator(t)
	valid := func(text []byte) error {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return s.Validate(doc)
	}
	_, _, one := scale(t)
	_, _, arrays := maptest.Arrays()
	_, _, cached := maptest.Arrays()
	cached.Regions[0].Cached = true
	cached.Timing.Loops = append(cached.Timing.Loops, mapping.Loop{Cycle: []int{}, Recurrence: mapping.Ratio{Tokens: 1}, Lane: mapping.Ratio{Tokens: 1},
		II: mapping.Ratio{Cycles: 1, Tokens: 1}, Fetched: mapping.Ratio{Cycles: 3, Tokens: 2}})
	// The schema accepts what is written and rejects what it should. The pattern
	// stands for its first occurrence in the text.
	for _, c := range []struct {
		m     *mapping.Mapping
		edits [][2]string
	}{
		{one, [][2]string{
			{`"kind": "routed"`, `"kind": "flying"`},
			{`"opcode"`, `"opcod"`},
			{`"format": 2`, `"format": 1`},
			{`"addr_offset": "0x0"`, `"addr_offset": 0`},
			{`"unit_input": 0`, `"unit_input": -1`},
		}},
		{arrays, [][2]string{
			{`"kind": "load"`, `"kind": "swap"`},
			{`"kind": "load",\s*"index": 0`, `"kind": "load", "index": -1`},
			{`"component": "dram_load0",\s*"tag": 1`, `"component": "dram_load0", "tag": 65536`},
			{`"component": "dram_load0",\s*"tag": 1`, `"component": "", "tag": 1`},
			{`"component": "dram_load0",\s*"tag": 1`, `"component": "dram_load0"`},
			{`"first_element": 8`, `"first_element": -1`},
			{`"first_element": 8`, `"first_element": 9223372036854775808`},
			{`"first_element": 8,`, ``},
			{`"region": 2,\s*"arg": -1`, `"region": 65536, "arg": -1`},
			{`"arg": -1`, `"arg": -2`},
			{`"accesses": \[`, `"accesses": [{}, `},
			{`"region": 1,\s*"start_tag": 0`, `"region": -1, "start_tag": 0`},
			{`"start_tag": 2`, `"start_tag": -1`},
			{`"end_tag": 3`, `"end_tag": 65536`},
			{`"end_tag": 3,`, ``},
			{`"slots": \[\s*\{\s*"tag": 1`, `"slots": [{"tag": 65536`},
			{`"slots": \[\s*\{\s*"tag": 1,`, `"slots": [{`},
			{`"slots": \[\s*\{\s*"tag": 1,\s*"routes": \[\s*\[\s*0,`, `"slots": [{"tag": 1, "routes": [[32,`},
			{`"slots": \[\s*\{\s*"tag": 1,\s*"routes": \[\s*\[\s*0,`, `"slots": [{"tag": 1, "routes": [[-1,`},
			{`"slots": \[\s*\{\s*"tag": 1,\s*"routes": \[\s*\[\s*0,`, `"slots": [{"tag": 1, "routes": [[0, 0,`},
			{`"slots": \[\s*\{\s*"tag": 1,\s*"routes": \[\s*\[`, `"slots": [{"tag": 1, "routes": [[0, 0], [0, 0], [`},
			{`"slots": \[\s*\{\s*"tag": 1,\s*"routes": \[`, `"slots": [{"tag": 5, "routes": []}, {"tag": 1, "routes": [`},
			{`"temporal_switches": \[`, `"temporal_switches": [{"component": "x", "slots": []}, `},
			{`"tags": \[`, `"tags": [{"component": "x", "tag": 1}, {"component": "x", "tag": 1}, `},
			{`"tags": \[`, `"tags": [{"component": "", "tag": 1}, `},
			{`"tags": \[`, `"tags": [{"component": "x", "tag": 1, "width": 2}, `},
		}},
		{cached, [][2]string{
			{`"cached": true`, `"cached": 1`},
			{`"fetched_ii": \{`, `"fetched_ii": {"places": 1, `},
		}},
	} {
		text := c.m.JSON()
		if err := valid(text); err != nil {
			t.Errorf("map.json of '%s' does not follow its schema: %v", c.m.Kernel, err)
		}
		for _, e := range c.edits {
			at := regexp.MustCompile(e[0]).FindIndex(text)
			if at == nil {
				t.Fatalf("%s does not occur", e[0])
			}
			bad := slices.Concat(text[:at[0]], []byte(e[1]), text[at[1]:])
			if valid(bad) == nil {
				t.Errorf("the schema accepts %s for %s", e[1], e[0])
			}
		}
	}
}

// TestSchemaDescribes checks that the schema explains every field of memories,
// their accesses and bridges, and gives every number in them both bounds.
func TestSchemaDescribes(t *testing.T) {
	var doc struct {
		Defs map[string]map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(report.Schema, &doc); err != nil {
		t.Fatal(err)
	}
	var walk func(path string, node map[string]any)
	walk = func(path string, node map[string]any) {
		if text, _ := node["description"].(string); text == "" && !strings.HasSuffix(path, "]") {
			t.Errorf("%s has no description", path)
		}
		if node["type"] == "integer" {
			if _, ok := node["minimum"]; !ok {
				t.Errorf("%s has no lower bound", path)
			}
			// The size of the kernel bounds its operations, arguments and accesses.
			counted := strings.HasSuffix(path, ".op") || strings.HasSuffix(path, ".arg") || strings.HasSuffix(path, ".index")
			if _, ok := node["maximum"]; !ok && !counted {
				t.Errorf("%s has no upper bound", path)
			}
		}
		props, _ := node["properties"].(map[string]any)
		for k, v := range props {
			walk(path+"."+k, v.(map[string]any))
		}
		if items, ok := node["items"].(map[string]any); ok {
			walk(path+"[]", items)
		}
		list, _ := node["prefixItems"].([]any)
		for _, v := range list {
			walk(path+"[]", v.(map[string]any))
		}
	}
	for _, name := range []string{"memory", "access", "temporal_switch", "tag", "region", "tag_value", "region_index"} {
		if doc.Defs[name] == nil {
			t.Errorf("the schema has no '%s'", name)
			continue
		}
		walk(name, doc.Defs[name])
	}
}

func TestReadBack(t *testing.T) {
	fn, f, m := scale(t)
	back, err := mapping.Read("x.map.json", m.JSON())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(m, back); d != "" {
		t.Errorf("a mapping read back differs:\n%s", d)
	}
	if err := check.Mapping(fn, f, back); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ text, want string }{
		{"", "x.map.json:1:1"},
		{"{\n \"format\": 1,\n \"sped\": 3}", "unknown field \"sped\""},
		{"{\"format\": 7}", "format 7"},
		{"{\n\"format\": \"x\"}", "x.map.json:2:"},
		{string(m.JSON()) + "{}", "text after the end"},
		{strings.Replace(string(m.JSON()), `"0x`, `"zz`, 1), "0x…"},
	} {
		_, err := mapping.Read("x.map.json", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v does not contain %q", err, c.want)
		}
	}
}

// sampleTrace is a short run on a fabric: tokens on two channels, and a stall that ends.
func sampleTrace(f *arch.Fabric, kernel string) []byte {
	r := trace.NewRecorder(f, &mapping.Binding{Kernel: kernel})
	add := func(cycle int64, kind trace.Kind, comp *arch.Component, channel int, data uint64) {
		r.Add(trace.Event{Cycle: cycle, Kind: kind, Comp: comp, Channel: channel, Data: data})
	}
	add(3, trace.Start, nil, -1, 0)
	add(3, trace.Transfer, nil, 0, 1)
	add(5, trace.Transfer, nil, 1, 1<<60)
	add(5, trace.Fire, f.Comps[1], -1, 0)
	add(5, trace.StallIn, f.Comps[2], -1, 0)
	add(6, trace.StallIn, f.Comps[2], -1, 0)
	add(8, trace.Transfer, nil, 0, 7)
	add(9, trace.Done, nil, -1, 0)
	return r.Trace()
}

func TestViz(t *testing.T) {
	fn, f, m := scale(t)
	for _, run := range [][]byte{nil, sampleTrace(f, "scale")} {
		source := report.Source{File: "scale.mlir", Text: "a line\n"}
		page, err := (&report.Picture{Fabric: f, Graph: fn, Mapping: m, Trace: run, Sources: []report.Source{source}}).HTML()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(page), "{{") {
			t.Error("the page has a placeholder left")
		}
		text := strings.ReplaceAll(string(page), "http://www.w3.org/2000/svg", "")
		if loc := regexp.MustCompile(`(?i)https?:|src=|href=|@import|url\(`).FindString(text); loc != "" {
			t.Errorf("the page refers to something outside: %s", loc)
		}
		d := readPage(t, page)
		if len(d.Graph.Edges) != len(m.Edges) {
			t.Errorf("the drawing has %d edges, the mapping %d", len(d.Graph.Edges), len(m.Edges))
		}
		for i, a := range d.Graph.Nodes {
			for _, b := range d.Graph.Nodes[:i] {
				if a.Layer == b.Layer && a.X-a.W/2 < b.X+b.W/2 && b.X-b.W/2 < a.X+a.W/2 {
					t.Errorf("nodes overlap: %v %v", a, b)
				}
			}
			if a.X-a.W/2 < -0.01 || a.X+a.W/2 > d.Graph.Width+0.01 || a.Layer >= d.Graph.Layers {
				t.Errorf("%v stands outside of %g", a, d.Graph.Width)
			}
		}
		for _, e := range d.Graph.Edges {
			from, to := d.Graph.Nodes[e.From].Layer, d.Graph.Nodes[e.To].Layer
			if want := max(to-from-1, from-to+1); len(e.Via) != want && e.Back || !e.Back && (len(e.Via) != want || from >= to) {
				t.Errorf("an edge from layer %d to %d runs over %d places, back %t", from, to, len(e.Via), e.Back)
			}
		}
		if run == nil {
			continue
		}
		if diff := cmp.Diff(map[string][]int{"0": {3, 5}, "1": {5}}, map[string][]int{"0": d.Trace.Channels["0"].At, "1": d.Trace.Channels["1"].At}); diff != "" {
			t.Error(diff)
		}
		if got := d.Trace.Channels["1"].Value[0]; got != "0x1000000000000000" {
			t.Errorf("a value of 61 bits is %v", got)
		}
		if diff := cmp.Diff(map[string][]int{"1": {5, 1, 0}, "2": {5, 2, 1}}, d.Trace.States); diff != "" {
			t.Error(diff)
		}
		if d.Trace.Cycles != 10 || d.Trace.Shown != 10 || d.Trace.Status != "done" {
			t.Errorf("%d cycles, %d shown, status %q", d.Trace.Cycles, d.Trace.Shown, d.Trace.Status)
		}
	}
}

// TestVizLimits: of a long run the page has the beginning, and says so.
func TestVizLimits(t *testing.T) {
	fn, f, m := scale(t)
	r := trace.NewRecorder(f, &mapping.Binding{Kernel: "scale"})
	r.Add(trace.Event{Kind: trace.Start, Channel: -1})
	reader := f.Channels[0].Dst.Comp
	for c := range int64(30000) {
		r.Add(trace.Event{Cycle: c, Kind: trace.Transfer, Channel: 0, Data: 1})
		r.Add(trace.Event{Cycle: c, Kind: trace.Fire, Comp: reader, Channel: -1})
	}
	page, err := (&report.Picture{Fabric: f, Graph: fn, Mapping: m, Trace: r.Trace(), Stat: r.Stat()}).HTML()
	if err != nil {
		t.Fatal(err)
	}
	d := readPage(t, page)
	if d.Trace.Cycles != 30000 || d.Trace.Shown != 20000 || len(d.Trace.Channels["0"].At) != 20000 {
		t.Errorf("%d cycles, %d shown, %d tokens", d.Trace.Cycles, d.Trace.Shown, len(d.Trace.Channels["0"].At))
	}
	if diff := cmp.Diff([]int{0, 20000, 0}, d.Trace.States[fmt.Sprint(reader.ID)]); diff != "" {
		t.Error(diff)
	}
	if got := d.Trace.Totals[fmt.Sprint(reader.ID)][0]; got != 30000 {
		t.Errorf("the total is %d", got)
	}
}

func TestVizRejectsForeignTraces(t *testing.T) {
	fn, f, m := scale(t)
	sample := string(sampleTrace(f, "scale"))
	for _, c := range []struct{ trace, want string }{
		{"", "empty"},
		{"{}\n", "no simulation trace"},
		{"junk\n", "no simulation trace"},
		{strings.Replace(sample, `"fabric":"mesh4x4"`, `"fabric":"other"`, 1), "fabric 'other'"},
		{strings.Replace(sample, `"id":0,"name":"`, `"id":0},{"name":"`, 1), "modules"},
		{sample + "{\"cycle\":", "damaged"},
	} {
		p := &report.Picture{Fabric: f, Graph: fn, Mapping: m, Trace: []byte(c.trace)}
		if _, err := p.HTML(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("trace %.30q: error %v, want %q", c.trace, err, c.want)
		}
	}
	other := fabtest.NewDFG("other")
	if _, err := (&report.Picture{Fabric: f, Graph: other.Return(other.Arg(-1)), Mapping: m}).HTML(); err == nil {
		t.Error("a foreign kernel is accepted")
	}
	p := &report.Picture{Fabric: f, Graph: fn, Mapping: m, Trace: []byte(sample), Stat: []byte(`{"loom_stat":9}`)}
	if _, err := p.HTML(); err == nil || !strings.Contains(err.Error(), "no statistics of version 1") {
		t.Errorf("foreign statistics: %v", err)
	}
}

func TestFabricViz(t *testing.T) {
	f := fabtest.Mesh(fabtest.Options{Rows: 2, Cols: 3, Memories: 1, Ins: 3, Outs: 2})
	for _, c := range f.Comps {
		if c.Kind == arch.FIFO {
			c.Placed = false // found between its neighbours
		}
	}
	text, err := report.FabricViz(f)
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Width, Height float64
		Components    []struct {
			Name string
			X, Y float64
		}
		Boundary []struct{ X, Y float64 }
		Channels []struct{ Src, Dst int }
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Components) != len(f.Comps) || len(d.Boundary) != 5 || len(d.Channels) != len(f.Channels) {
		t.Errorf("%d components, %d boundary ports, %d channels", len(d.Components), len(d.Boundary), len(d.Channels))
	}
	pe := slices.IndexFunc(f.Comps, func(c *arch.Component) bool { return c.Kind == arch.SpatialPE })
	for i, c := range d.Components {
		if c.X < 0 || c.Y < 0 || c.X > d.Width-1 || c.Y > d.Height-1 {
			t.Errorf("%s stands at %g, %g", c.Name, c.X, c.Y)
		}
		// The drawing begins at zero; PEs stand where the fabric has them, to each other.
		if f.Comps[i].Kind == arch.SpatialPE && (c.X-f.Comps[i].X != d.Components[pe].X-f.Comps[pe].X || c.Y-f.Comps[i].Y != d.Components[pe].Y-f.Comps[pe].Y) {
			t.Errorf("%s was moved", c.Name)
		}
	}
	for i, a := range d.Boundary {
		for _, b := range d.Boundary[:i] {
			if a == b {
				t.Error("boundary ports on one spot")
			}
		}
	}
}
