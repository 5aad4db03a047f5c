package space

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/diag"
)

const baseText = `# A base.
name: base
width: 32
topology:
  kind: mesh
  rows: 4   # PEs
  columns: 4
boundary: {inputs: 4, outputs: 2}
extmemories:
  - {element: i32, count: 2}
pes:
  alu: {units: [{addi: i32}]}
  mem: {units: [{load: i32}, {store: i32}]}
  tok: {units: [{cond_br: i1}]}
pattern:
  - [alu, mem]
overrides:
  - {pe: tok, at: [[0, 0]]}
`

func base(name string) (string, error) {
	if name != "base.yaml" {
		return "", errors.New("there is no such file")
	}
	return baseText, nil
}

const good = `name: mine
base: base.yaml
kernels: [a.c, {file: b.c, function: f, size: 4, weight: 2}, {file: c.c, inputs: c.json}]
parameters:
  rows: {at: topology.rows, range: [2, 8, 2]}
  tracks: {at: topology.tracks, range: [1, 2]}
  io: {at: [boundary.inputs, boundary.outputs], choices: [3, 4]}
  units: {at: pes.alu.units, choices: {small: [{addi: i32}], large: [{addi: i32}, {muli: i32}]}}
  memory: {at: 'extmemories[0].element', choices: [i16, i32]}
  alu: {mix: alu, range: [1, 4]}
  mem: {mix: mem, range: [2, 6]}
fill: tok
limits: {device: xc7a35t, luts: 10000, mhz: 50}
objectives: [luts, ns]
search: {seed: 7, population: 8, evaluations: 100}
finalists: {count: 2, cosim: true, synthesis: true, route: true}
memory_latency: 10
reference: [mesh4x4]
`

func read(t *testing.T, text string) *Space {
	t.Helper()
	s, err := Read("explore.yaml", []byte(text), base)
	if err != nil {
		t.Fatal(diag.Render(diag.FromError(err), nil))
	}
	return s
}

func TestRead(t *testing.T) {
	s := read(t, good)
	if diff := cmp.Diff([]string{"a", "b.f", "c"}, []string{s.Kernels[0].Name, s.Kernels[1].Name, s.Kernels[2].Name}); diff != "" {
		t.Error(diff)
	}
	if s.Limits.LUTs != 10000 || s.Limits.FFs != 41600 || s.Limits.MHz != 50 || s.Latency != 10 {
		t.Errorf("limits %+v, latency %d", s.Limits, s.Latency)
	}
	// rows is 4 in the base, tracks has its default there, the units are the small ones.
	if diff := cmp.Diff(map[string]string{"rows": "4", "tracks": "2", "io": "4", "units": "small", "memory": "i32", "alu": "1", "mem": "2"}, s.Labels(s.BasePoint())); diff != "" {
		t.Error(diff)
	}
	if s.Mixing("mem") != 6 || s.Mixing("tok") != -1 {
		t.Error("the parameters of the mix are not found")
	}
	if diff := cmp.Diff([]int{0, 1}, s.Addressing("topology")); diff != "" {
		t.Error(diff)
	}
	if s.Addressing("extmemories[0]") == nil || s.Addressing("extmemories[01]") != nil || s.Addressing("topology.row") != nil {
		t.Error("paths are found by a part of a name")
	}
}

// TestArchitecture: a point is the text of the base with its values and a pattern of its mix.
func TestArchitecture(t *testing.T) {
	s := read(t, good)
	text, err := s.Architecture(Point{1, 0, 0, 1, 1, 2, 4})
	if err != nil {
		t.Fatal(err)
	}
	want := `name: mine
width: 32
topology:
  kind: mesh
  rows: 4 # PEs
  columns: 4
  tracks: 1
boundary: {inputs: 3, outputs: 3}
extmemories:
  - {element: i32, count: 2}
pes:
  alu: {units: [{addi: i32}, {muli: i32}]}
  mem: {units: [{load: i32}, {store: i32}]}
  tok: {units: [{cond_br: i1}]}
# Memory accesses stand at the edge, where the memories are; the others are spread.
pattern:
  - [mem, tok, mem, alu]
  - [alu, tok, tok, mem]
  - [mem, tok, tok, alu]
  - [tok, mem, tok, mem]
`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	// The base is as before.
	again, _ := s.Architecture(Point{1, 0, 0, 1, 1, 2, 4})
	if string(again) != string(text) {
		t.Error("the second time another text")
	}
	var many *TooMany
	if _, err := s.Architecture(Point{0, 0, 0, 0, 0, 3, 4}); !errors.As(err, &many) || many.Want != 10 || many.Have != 8 {
		t.Errorf("10 PEs on 2 x 4: %v", err)
	}
}

func TestFaults(t *testing.T) {
	edit := func(old, by string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("there is no %q", old)
		}
		return strings.Replace(good, old, by, 1)
	}
	for _, c := range []struct{ text, want, help string }{
		{"", "explore.yaml:1:1: error: the file is empty", ""},
		{"a: [1\nb: 2\n", "explore.yaml:2:1: error: this is not YAML that can be read: did not find expected", ""},
		{edit("name: mine", "nam: mine"), "explore.yaml:1:1: error: unknown key 'nam' in the exploration", "did you mean 'name'?"},
		{edit("name: mine", "name: a-b"), "explore.yaml:1:7: error: 'name' must consist of", ""},
		{edit("base: base.yaml", "base: other"), "explore.yaml:2:7: error: there is no such file", ""},
		{edit("topology.rows", "topology.row.x"), "explore.yaml:5:14: error: 'topology.row.x' leads nowhere", ""},
		{edit("topology.rows", "topologie.rows"), "error: an architecture file has no 'topologie'", "did you mean 'topology'?"},
		{edit("extmemories[0]", "extmemories[3]"), "'extmemories' has 1 entries", ""},
		{edit("'extmemories[0].element'", "topology.tracks"), "'topology.tracks' is set by parameter 'tracks' already", ""},
		{edit("[2, 8, 2]", "[8, 2]"), "explore.yaml:5:36: error: 'range' of parameter 'rows' goes from 8 down to 2", ""},
		{edit("[2, 8, 2]", "[2, x]"), "must be a whole number, found \"x\"", ""},
		{edit("[2, 8, 2]", "[0, 5000]"), "has 5001 values, more than 1000", ""},
		{edit("choices: [3, 4]", "choices: [3, 3]"), "'3' occurs twice", ""},
		{edit("choices: [3, 4]", "values: [3, 4]"), "unknown key 'values'", ""},
		{edit("mix: alu", "mix: alp"), "explore.yaml:10:14: error: base.yaml has no PE template 'alp'", "did you mean 'alu'?"},
		{edit("mix: alu, ", ""), "needs 'at', a path in the architecture file, or 'mix'", "such as"},
		{edit("fill: tok", "fill: alu"), "'alu' takes what the mix leaves", ""},
		{edit("fill: tok\n", ""), "needs the key 'fill'", ""},
		{edit("xc7a35t", "xc7"), "there is no device 'xc7'", "the devices are"},
		{edit("[luts, ns]", "[luts, bandwidth]"), "'bandwidth' is no objective of its own", "most bandwidth"},
		{edit("[luts, ns]", "[speed]"), "there is no objective 'speed'", "lut_ns"},
		{edit("[mesh4x4]", "[mesh4x5]"), "'reference' names fabrics that are built in, found 'mesh4x5'", "they are mesh4x4"},
		{edit("seed: 7", "seed: -1"), "must be between 0 and", ""},
		{edit("b.c, function: f", "a.c"), "there are two kernels 'a'", "weight"},
		{edit("inputs: c.json", "inputs: c.json, seed: 3"), "'seed' is of random arguments", ""},
		{edit("weight: 2", "weight: -2"), "must be between", ""},
	} {
		_, err := Read("explore.yaml", []byte(c.text), base)
		if err == nil {
			t.Errorf("%q is taken", c.want)
			continue
		}
		if got := diag.Render(diag.FromError(err), nil); !strings.Contains(got, c.want) || !strings.Contains(got, c.help) {
			t.Errorf("want %q and %q, got\n%s", c.want, c.help, got)
		}
	}
}

func TestExceeded(t *testing.T) {
	l := Limits{LUTs: 100, NS: 5, MHz: 50}
	for _, c := range []struct {
		luts int
		mhz  float64
		ns   float64
		want string
	}{{100, 50, 5, ""}, {101, 50, 5, "look-up tables"}, {1, 49, 0, "MHz"}, {1, 60, 6, "ns per run"}} {
		if what, _ := l.Exceeded(c.luts, 0, 0, 0, c.mhz, c.ns); !strings.Contains(what, c.want) || (c.want == "") != (what == "") {
			t.Errorf("%+v: %q", c, what)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(good)
	f.Add("name: a\nbase: base.yaml\nkernels: [a]\nparameters: {x: {at: pattern, choices: [[[alu]]]}}")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Read("f", []byte(text), base)
		if err != nil {
			return
		}
		if _, err := s.Architecture(s.BasePoint()); err != nil && !errors.As(err, new(*TooMany)) {
			t.Error(err)
		}
	})
}
