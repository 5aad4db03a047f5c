package lower

import (
	"testing"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/sim/randprog"
)

// TestDeviationsAreCaught breaks each rule of the token discipline and of memory
// ordering on purpose. The comparison of interpreter and dataflow graph must
// notice every one of them within a few hundred programs; the graph verifier
// must notice those that it can see without running the graph.
func TestDeviationsAreCaught(t *testing.T) {
	// What no static check of token counts can see, and why.
	dataDependent := map[deviation]string{
		noGuard:             "trip counts are data",
		memoryLoopUnordered: "every count is right and every access is waited for, only their order is open",
		relaxAll:            "every count is right and every access is waited for, only their order is open",
	}
	for _, d := range deviations {
		t.Run(string(d), func(t *testing.T) {
			ran, static := -1, -1
			const tries = 400
			for seed := uint64(0); seed < tries && (ran < 0 || static < 0); seed++ {
				m := randprog.Generate(seed, variety(seed))
				opts := Options{deviate: d, keepBranches: true}
				if d == relaxAll {
					opts.MemoryOrder = "pipelined"
				}
				if ran < 0 {
					diff, err := disagreement(randprog.Function(m), randprog.Inputs(m, seed), seed, opts)
					if err != nil {
						t.Fatalf("program %d does not run at all: %v", seed, err)
					}
					if diff != "" {
						ran = int(seed)
					}
				}
				if static < 0 {
					if res, err := Lower(m, opts); err == nil {
						found := &diag.List{}
						if dfg.Verify(res.Func, found); len(found.All) > 0 {
							static = int(seed)
						}
					}
				}
			}
			t.Logf("noticed by running program %d, by the verifier on program %d", ran, static)
			if ran < 0 {
				t.Errorf("%d programs ran without noticing that %s", tries, d)
			}
			if _, exempt := dataDependent[d]; !exempt && static < 0 {
				t.Errorf("the verifier passed %d graphs in which %s", tries, d)
			}
		})
	}
}
