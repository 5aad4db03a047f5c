package lower

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"loom/compiler/ir"
	"loom/compiler/mlir"
)

// large makes a function of about n operations: loops with accesses,
// branches and a long straight line in each.
func large(n int) string {
	var b strings.Builder
	b.WriteString(`func.func @large(%a: memref<64xi32>, %b: memref<64xi32>, %n: index, %k: i32) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
`)
	v, count := "%k", 0
	for l := 0; count < n; l++ {
		fmt.Fprintf(&b, `  %%r%d = scf.for %%i = %%zero to %%n step %%one iter_args(%%s = %s) -> (i32) {
    %%x = memref.load %%a[%%i] : memref<64xi32>
    %%c = arith.cmpi slt, %%x, %%s : i32
    %%t0 = arith.addi %%x, %%s : i32
`, l, v)
		for j := range 90 {
			fmt.Fprintf(&b, "    %%t%d = arith.%s %%t%d, %%x : i32\n", j+1, []string{"addi", "xori", "muli"}[j%3], j)
		}
		b.WriteString(`    scf.if %c {
      memref.store %t90, %b[%i] : memref<64xi32>
    }
    scf.yield %t90 : i32
  }
`)
		v = fmt.Sprintf("%%r%d", l)
		count += 99
	}
	fmt.Fprintf(&b, "  return %s : i32\n}\n", v)
	return b.String()
}

func parse(tb testing.TB, src string) *ir.Operation {
	tb.Helper()
	m, err := mlir.Parse("k.mlir", src)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// TestLargeFunction: the work grows with the function and not with its square. It
// is measured by what it allocates, which does not depend on the machine.
func TestLargeFunction(t *testing.T) {
	allocated := func(n int) uint64 {
		m := parse(t, large(n))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Lower(m, Options{}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	small, big := allocated(2500), allocated(10000)
	if ratio := float64(big) / float64(small); ratio > 6 {
		t.Errorf("lowering four times as many operations allocates %.1f times as much (%d and %d bytes)", ratio, small, big)
	}
}

func BenchmarkLower(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		src := large(n)
		m := parse(b, src)
		b.Run(fmt.Sprintf("ops=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if _, err := Lower(m, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
