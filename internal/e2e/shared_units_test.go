package e2e

import (
	"strings"
	"testing"

	"loom/compiler/arch/shipped"
	"loom/compiler/diag"
	"loom/compiler/mapper"
	"loom/internal/maptest"
	"loom/internal/testkit"
	"loom/sim/vector"
)

// quotients has four divisions and remainders in a loop:
// c[i] = a[i] / b[i] + b[i] % a[i] + (a[i] + 3) / (b[i] | 1) - b[i] / (a[i] | 1), the last one of signed numbers.
const quotients = `
handshake.func @quotients(%a: memref<?xi32>, %b: memref<?xi32>, %c: memref<?xi32>, %n: index, %start: none) -> none {
  %zero = constant %start {value = 0 : index} : index
  %one = constant %start {value = 1 : index} : index
  %iraw, %more = dataflow.stream %zero, %one, %n {step_op = "+=", cont_cond = "!="} : (index, index, index) -> (index, i1)
  %i, %next = dataflow.gate %iraw, %more : index, i1 -> index, i1
  %token = dataflow.invariant %next, %start : i1, none -> none
  %x, %xa = load [%i] %ar, %token : index, i32
  %y, %ya = load [%i] %br, %token : index, i32
  %k1 = constant %token {value = 1 : i32} : i32
  %k3 = constant %token {value = 3 : i32} : i32
  %y1 = arith.ori %y, %k1 : i32
  %x1 = arith.ori %x, %k1 : i32
  %x3 = arith.addi %x, %k3 : i32
  %q0 = arith.divui %x, %y : i32
  %q1 = arith.remui %y, %x : i32
  %q2 = arith.divui %x3, %y1 : i32
  %q3 = arith.divsi %y, %x1 : i32
  %s0 = arith.addi %q0, %q1 : i32
  %s1 = arith.addi %s0, %q2 : i32
  %s2 = arith.subi %s1, %q3 : i32
  %st, %sa = store [%i] %s2, %token : index, i32
  %ar, %ad = extmemory[ld = 1, st = 0] (%a : memref<?xi32>) (%xa) {id = 0 : i32} : (index) -> (i32, none)
  %br, %bd = extmemory[ld = 1, st = 0] (%b : memref<?xi32>) (%ya) {id = 1 : i32} : (index) -> (i32, none)
  %stored = extmemory[ld = 0, st = 1] (%c : memref<?xi32>) (%st, %sa) {id = 2 : i32} : (i32, index) -> none
  %at, %af = cond_br %next, %ad : none
  %bt, %bf = cond_br %next, %bd : none
  %ct, %cf = cond_br %next, %stored : none
  %done = join %af, %bf, %cf : none, none, none
  return %done : none
}
`

// TestSharedUnits maps a kernel with four divisions to mesh6x6 with four PEs for them and one divider, and
// co-simulates it under random stalls. An iteration takes the turns of all four, as predicted; with two groups the
// mapper gives two to each, and it takes half of that.
func TestSharedUnits(t *testing.T) {
	text, _ := shipped.Text("mesh6x6")
	replace := func(from, to string) {
		t.Helper()
		if strings.Count(text, from) != 1 {
			t.Fatalf("mesh6x6 has not exactly one %q", from)
		}
		text = strings.Replace(text, from, to, 1)
	}
	replace("[acc, tok, ctl, tok, mua, tok]", "[acc, tok, ctl, tok, dic, tok]")
	replace("[lck, tok, alu, sta, muc, tok]", "[lck, tok, alu, sta, dic, tok]")
	replace("[ste, add, tok, muc, tok, dic]", "[ste, add, tok, dic, tok, dic]")
	replace("[str, str, bit, div, ctl, add]", "[str, str, bit, muc, ctl, add]")
	for _, c := range []struct {
		share string
		want  int
	}{{"4", 4 * 34}, {"2", 2 * 34}} {
		f := testkit.FabricOf(t, "shared.yaml", []byte(strings.Replace(text, "dic: {", "dic: {share: "+c.share+", ", 1)))
		fn := maptest.Kernel(quotients)
		res, err := mapper.Map(fn, f, mapper.Options{})
		if err != nil {
			t.Fatal(diag.Render(diag.FromError(err), nil))
		}
		if got := res.Mapping.Timing.Loops[0].II; got.Cycles != c.want*got.Tokens {
			t.Errorf("groups of %s: an interval of %v is predicted, want %d", c.share, got, c.want)
		}
		if c.share == "2" {
			continue // as large a model once more
		}
		stalledRuns(t, f, fn, res, []int64{0, 1, 12}, func(_ int, _ int64, in *vector.Inputs) {
			for _, a := range in.Args[:2] {
				for i := range a.Mem.Data {
					if i%3 == 0 {
						a.Mem.Data[i] &= 0xff // quotients that are not 0
					}
				}
			}
		})
	}
}
