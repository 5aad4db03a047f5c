package loom

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
		if got := Stem(c.file); got != c.want {
			t.Errorf("Stem(%q) = %q, want %q", c.file, got, c.want)
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
		if got := steps(c.cycles, c.ops); got != c.want {
			t.Errorf("%d cycles of %d operations: %d steps, want %d", c.cycles, c.ops, got, c.want)
		}
	}
}

// TestWork: a search has a lower limit unless MaxCycles sets one.
func TestWork(t *testing.T) {
	for _, c := range []struct {
		cycles int64
		ops    int
		want   work
	}{
		{DefaultMaxCycles, 99, work{100_000_000, 100_000_000}},
		{DefaultMaxCycles, 999, work{1_000_000_000, 200_000_000}},
		{DefaultMaxCycles + 1, 999, work{1_000_001_000, 1_000_001_000}},
	} {
		if got := workOf(c.cycles, c.ops); got != c.want {
			t.Errorf("%d cycles of %d operations: %v, want %v", c.cycles, c.ops, got, c.want)
		}
	}
}
