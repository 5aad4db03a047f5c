package simplify

import (
	"errors"
	"testing"

	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/internal/randprog"
)

// TestFences: the simplified graphs of random programs with fences keep them, as the verifier of
// graphs sees after each pass, and mean what the programs mean.
func TestFences(t *testing.T) {
	// Of program 1650 a guard must stay whose loop carries the token of one fence for two memories.
	for seed := uint64(1500); seed < 1500+programs(400); seed++ {
		use := randprog.Fences
		if seed%2 == 1 {
			use |= randprog.Sweeps
		}
		m := randprog.Generate(seed, randprog.Options{Use: use, Memories: 3, MaxOps: 60})
		low := lower.Options{MemoryOrder: []string{"pipelined", "serial"}[seed/2%2], IndexWidth: 64}
		o := Options{}
		if seed/4%2 == 1 {
			o.Fabric = &Fabric{}
		}
		d, err := disagreement(randprog.Function(m), randprog.Inputs(m, seed), seed, low, o)
		if err != nil && !errors.Is(err, errNoProgram) || d != "" {
			t.Fatalf("seed %d: %v %s\n%s", seed, err, d, mlir.Print(m, mlir.Options{}))
		}
	}
}
