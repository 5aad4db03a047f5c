package main

import "testing"

func TestStem(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"dot.mlir", "dot"},
		{"/a/b.c/dot.scf.mlir", "dot"},
		{"dot.dfg.mlir", "dot"},
		{"mesh.fabric.mlir", "mesh"},
		{"dot.v1.mlir", "dot.v1"},
		{"dot.llvm.mlir", "dot"},
		{"arch.yaml", "arch"},
		{"my mesh.yml", "my mesh"},
		{"k.cpp", "k"},
		{"plain", "plain"},
		{".mlir", ".mlir"},
		{".dfg.mlir", ".dfg"},
		{"dot.mlir.mlir", "dot.mlir"},
		{"a\"b\\c\nd.mlir", "a_b_c_d"},
	} {
		if got := stem(c.file); got != c.want {
			t.Errorf("stem(%q) = %q, want %q", c.file, got, c.want)
		}
	}
}

func TestAsksForJSON(t *testing.T) {
	for _, c := range []struct {
		args []string
		want bool
	}{
		{nil, false},
		{[]string{"sim", "--frob", "--json"}, true},
		{[]string{"--json=true", "x"}, true},
		{[]string{"--json=false"}, false},
		{[]string{"verify", "--", "--json"}, false},
	} {
		if got := asksForJSON(c.args); got != c.want {
			t.Errorf("%q: %v", c.args, got)
		}
	}
}

func TestSteps(t *testing.T) {
	for _, c := range []struct {
		cycles int64
		ops    int
		want   int64
	}{
		{1, 9, 10},
		{1000, 9, 10000},
		{1 << 40, 9, 2_000_000_000},
		{1 << 40, 0, 2_000_000_000},
	} {
		if got := (&envFlags{maxCycles: c.cycles}).steps(c.ops); got != c.want {
			t.Errorf("%d cycles of %d operations: %d steps, want %d", c.cycles, c.ops, got, c.want)
		}
	}
}

// TestLimits: a search is cut short unless --max-cycles says how long it may take.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		cycles int64
		ops    int
		want   limits
	}{
		{defaultMaxCycles, 99, limits{100_000_000, 100_000_000}},
		{defaultMaxCycles, 999, limits{1_000_000_000, 200_000_000}},
		{defaultMaxCycles + 1, 999, limits{1_000_001_000, 1_000_001_000}},
	} {
		if got := (&envFlags{maxCycles: c.cycles}).limits(c.ops); got != c.want {
			t.Errorf("%d cycles of %d operations: %v, want %v", c.cycles, c.ops, got, c.want)
		}
	}
}

func TestWithMember(t *testing.T) {
	object := []byte(`{"a": 1}`)
	if got := string(withMember(object, "b<", []string{"x<y"})); got != `{"a": 1, "b<": ["x<y"]}` {
		t.Error(got)
	}
	if string(object) != `{"a": 1}` {
		t.Error("the object itself was changed")
	}
}
