package simplify

import (
	"testing"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/internal/randprog"
)

// unseen are the deviations that the verifier of graphs cannot see, and why.
var unseen = map[deviation]string{
	holdAll:      "that a value stays the same in a run is a matter of counts, and those fit",
	guardUnequal: "trip counts are data",
	narrowShort:  "intervals are data",
	narrowSigns:  "intervals are data",
}

// TestDeviationsAreCaught breaks each rule on purpose: the comparison with the interpreter must
// notice, and the verifier of graphs where it can.
func TestDeviationsAreCaught(t *testing.T) { deviationsAreCaught(t, deviations, nil, unseen) }

// TestDeviationsOnFabricsAreCaught: so for fabrics.
func TestDeviationsOnFabricsAreCaught(t *testing.T) {
	blind := map[deviation]string{
		guardUnequal: "trip counts are data",
		splitEarly:   "a value of the next iteration has as many tokens",
	}
	deviationsAreCaught(t, fabricDeviations, &Fabric{MoreUnits: true, Accumulates: accumulates}, blind)
}

func deviationsAreCaught(t *testing.T, deviations []deviation, fabric *Fabric, unseen map[deviation]string) {
	for _, d := range deviations {
		t.Run(string(d), func(t *testing.T) {
			const tries = 3000
			ran, static := -1, -1
			for seed := uint64(0); seed < tries && (ran < 0 || static < 0 && unseen[d] == ""); seed++ {
				m, low := program(seed)
				in := randprog.Inputs(m, seed)
				if ran < 0 {
					if diff, err := disagreement(randprog.Function(m), in, seed, low, Options{Fabric: fabric, deviate: d}); err == nil && diff != "" {
						ran = int(seed)
					}
				}
				if static < 0 && unseen[d] == "" {
					if res, err := lower.Lower(m, low); err == nil {
						if g, err := Run(res.Func, Options{Fabric: fabric, IndexWidth: low.IndexWidth * bit(fabric != nil), deviate: d}); err == nil {
							found := &diag.List{}
							if dfg.Verify(g, found); found.HasErrors() {
								static = int(seed)
							}
						}
					}
				}
			}
			t.Logf("noticed by running program %d, by the verifier on program %d", ran, static)
			if ran < 0 {
				t.Errorf("%d programs ran without noticing that %s", tries, d)
			}
			if static < 0 && unseen[d] == "" {
				t.Errorf("the verifier passed %d graphs in which %s", tries, d)
			}
		})
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// branched is a graph whose store waits for its load by nothing but the branch that the load's
// data decides.
const branched = `
handshake.func @branched(%m: memref<4xi32>, %i: index, %x: i32, %start: none) -> none {
  %read, %address = load [%i] %data, %start : index, i32
  %more = arith.cmpi sgt, %read, %x : i32
  %yes, %no = cond_br %more, %start : none
  %both = mux %more [%no, %yes] : i1, none
  %st_data, %st_address = store [%i] %x, %both : index, i32
  %data, %stored, %loaded = extmemory[ld = 1, st = 1] (%m : memref<4xi32>) (%st_data, %st_address, %address) {id = 0 : i32} : (i32, index, index) -> (i32, none, none)
  %done = join %stored, %loaded : none, none
  return %done : none
}`

// TestOrderOfBranches: a control token that passed a branch comes from the accesses that its
// condition comes from.
func TestOrderOfBranches(t *testing.T) {
	m, err := mlir.ParseAndVerify("branched.mlir", branched)
	if err != nil {
		t.Fatal(err)
	}
	fn := m.Regions[0].Entry().Ops[0]
	given := &diag.List{}
	if dfg.Verify(fn, given); given.HasErrors() {
		t.Fatal(given)
	}
	for _, d := range []deviation{"", holdConditions} {
		g, err := Run(fn, Options{deviate: d})
		if err != nil {
			t.Fatal(err)
		}
		found := &diag.List{}
		if dfg.Verify(g, found); found.HasErrors() != (d != "") {
			t.Errorf("with %q the verifier says %v of\n%s", d, found, mlir.Print(g, mlir.Options{}))
		}
	}
}
