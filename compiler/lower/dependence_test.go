package lower

import (
	"testing"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/sim/randprog"
)

// analysed runs the lowering up to the dependence analysis.
func analysed(tb testing.TB, m *ir.Operation, opts Options) *state {
	tb.Helper()
	s, errs := &state{opts: opts, src: m}, &diag.List{}
	for _, p := range passes().Passes {
		p.Run(s, errs)
		if errs.HasErrors() {
			tb.Fatalf("pass %s: %v", p.Name, errs)
		}
		if p.Name == "dependences" {
			return s
		}
	}
	tb.Fatal("no such pass")
	return nil
}

// TestDependencesAgainstEnumeration: where the analysis finds iterations
// independent, running all of them finds no element that two touch with a store
// among them.
func TestDependencesAgainstEnumeration(t *testing.T) {
	progs, verdicts, free, exact := 0, 0, 0, 0
	for seed := range programs(3000) {
		p := affineProgram(seed)
		if p == nil {
			continue
		}
		progs++
		m := parse(t, p.text)
		s := analysed(t, m, Options{IndexWidth: p.indexWidth, MemoryOrder: "pipelined"})
		met := p.meetings()
		s.fn.Walk(func(op *ir.Operation) bool {
			if op.Name != "scf.for" {
				return true
			}
			loop, ok := p.loopAt[op.Pos.Line]
			if !ok {
				t.Fatalf("seed %d: a loop at line %d", seed, op.Pos.Line)
			}
			for _, d := range s.dependences[op.Regions[0].Entry().Args[0]] {
				var ids []int
				stores := false
				for o := range d.covers {
					ids = append(ids, p.accessAt[o.Pos.Line])
					stores = stores || o.Name == "memref.store"
				}
				clash := false
				for _, a := range ids {
					for _, b := range ids {
						if met[meeting{loop, a, b}] {
							clash = true
							if d.free {
								t.Errorf("seed %d, %d bits: accesses %d and %d meet in the loop at line %d, which is free: %s\n%s",
									seed, p.indexWidth, a, b, op.Pos.Line, d.why, p.text)
							}
						}
					}
				}
				if len(ids) > 1 && stores {
					verdicts++
					if d.free {
						free++
					}
					if d.free != clash {
						exact++
					}
				}
			}
			return true
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%d programs, %d verdicts on loops with a store and more, %d free, %d as sharp as the enumeration", progs, verdicts, free, exact)
	if free*10 < verdicts || progs == 0 {
		t.Errorf("only %d of %d loops are free: the test says little", free, verdicts)
	}
}

// TestAffinePrograms runs programs with affine subscripts in both orders.
func TestAffinePrograms(t *testing.T) {
	ran, relaxed := 0, 0
	for seed := range programs(600) {
		p := affineProgram(seed)
		if p == nil {
			continue
		}
		m := parse(t, p.text)
		for _, order := range []string{"serial", "pipelined"} {
			opts := Options{MemoryOrder: order, IndexWidth: p.indexWidth, keepBranches: seed%2 == 0}
			d, err := disagreement(randprog.Function(m), p.inputs(seed), seed, opts)
			if err != nil || d != "" {
				t.Fatalf("seed %d, %s, %d bits: %v %s\n%s", seed, order, p.indexWidth, err, d, p.text)
			}
		}
		ran++
		if freeWithStores(analysed(t, m, Options{IndexWidth: p.indexWidth})) {
			relaxed++
		}
	}
	t.Logf("%d programs, R4 in %d", ran, relaxed)
	if relaxed*4 < ran || ran == 0 {
		t.Errorf("R4 applies in %d of %d programs: the test says little", relaxed, ran)
	}
}

// freeWithStores reports whether R4 needs the subscripts of a store and another
// access for some loop.
func freeWithStores(s *state) bool {
	found := false
	for _, ds := range s.dependences {
		for _, d := range ds {
			stores := 0
			for op := range d.covers {
				if op.Name == "memref.store" {
					stores++
				}
			}
			found = found || d.free && stores > 0 && len(d.covers) > 1
		}
	}
	return found
}
