package lower

import (
	"testing"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/internal/randprog"
)

// unseen are the deviations that no static check can see, and why.
var unseen = map[deviation]string{
	noGuard:             "trip counts are data",
	dependenceCarried:   "the graph states that iterations are independent",
	dependenceWraps:     "the graph states that iterations are independent",
	dependenceBackwards: "the graph states that iterations are independent",
	dependenceBranches:  "the graph states that iterations are independent",
}

// silent are the deviations that change no result, and why.
var silent = map[deviation]string{
	completionWhileLast: "a group without order that is accessed by test and body has loads only",
}

// TestDeviationsAreCaught breaks each rule of the token discipline, of memory
// ordering and of the optimisations on purpose. The comparison of interpreter
// and dataflow graph must notice every one of them within two thousand programs,
// most of them within twenty; the graph verifier must notice those that it can see without running the
// graph.
func TestDeviationsAreCaught(t *testing.T) {
	for _, d := range deviations {
		order := "serial"
		if d == relaxAll {
			order = "pipelined"
		}
		t.Run(string(d), func(t *testing.T) { caught(t, d, order, unseen[d] == "") })
	}
	for _, d := range relaxations {
		if d == dependenceBranches {
			continue // TestRelaxationsAreCaught has a program for it, which random ones hardly ever are
		}
		t.Run(string(d), func(t *testing.T) { caught(t, d, "pipelined", unseen[d] == "") })
	}
}

// caught looks for a program that shows a deviation, and for one in whose graph
// the verifier sees it.
func caught(t *testing.T, d deviation, order string, visible bool) {
	const tries = 2000
	ran, static := -1, -1
	for seed := uint64(0); seed < tries && (ran < 0 && silent[d] == "" || visible && static < 0); seed++ {
		m, opts := program(seed), settings(seed, order)
		opts.deviate = d
		if ran < 0 && silent[d] == "" {
			diff, err := disagreement(randprog.Function(m), randprog.Inputs(m, seed), seed, opts)
			if err != nil {
				t.Fatalf("program %d does not run at all: %v", seed, err)
			}
			if diff != "" {
				ran = int(seed)
			}
		}
		if visible && static < 0 {
			if res, err := Lower(m, opts); err == nil {
				found := &diag.List{}
				if dfg.Verify(res.Func, found); len(found.All) > 0 {
					static = int(seed)
				}
			}
		}
	}
	t.Logf("noticed by running program %d, by the verifier on program %d", ran, static)
	if ran < 0 && silent[d] == "" {
		t.Errorf("%d programs ran without noticing that %s", tries, d)
	}
	if visible && static < 0 {
		t.Errorf("the verifier passed %d graphs in which %s", tries, d)
	}
}
