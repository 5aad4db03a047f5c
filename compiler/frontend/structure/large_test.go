package structure

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"loom/compiler/diag"
	"loom/compiler/mlir"
	"loom/compiler/pass"
)

// large makes functions with many blocks.
var large = map[string]func(n int) string{
	// if (c0) return 0; if (c1) return 1; …
	"returns": func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "  %%k%d = arith.constant %d : i32\n  %%c%d = arith.cmpi eq, %%p, %%k%d : i32\n", i, i, i, i)
			fmt.Fprintf(&b, "  %%t%d = arith.index_cast %%k%d : i32 to index\n  memref.store %%p, %%x[%%t%d] : memref<?xi32>\n", i, i, i)
			fmt.Fprintf(&b, "  cf.cond_br %%c%d, ^r%d, ^b%d\n^r%d:\n  return %%k%d : i32\n^b%d:\n", i, i, i, i, i, i)
		}
		return b.String() + "  return %p : i32\n"
	},
	// if (c) x = 1; else x = 2; one after the other
	"diamonds": func(n int) string {
		var b strings.Builder
		last := "%p"
		for i := range n {
			fmt.Fprintf(&b, "  %%c%d = arith.cmpi slt, %s, %%q : i32\n  cf.cond_br %%c%d, ^l%d, ^r%d\n", i, last, i, i, i)
			fmt.Fprintf(&b, "^l%d:\n  %%u%d = arith.muli %s, %%q : i32\n  cf.br ^j%d(%%u%d : i32)\n", i, i, last, i, i)
			fmt.Fprintf(&b, "^r%d:\n  %%v%d = arith.divsi %s, %%seven : i32\n  cf.br ^j%d(%%v%d : i32)\n^j%d(%%w%d: i32):\n", i, i, last, i, i, i, i)
			last = fmt.Sprintf("%%w%d", i)
		}
		return b.String() + fmt.Sprintf("  return %s : i32\n", last)
	},
	// if (a && b && …) x else y, with every test a block
	"conjunction": func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "  %%k%d = arith.constant %d : i32\n  %%m%d = arith.remsi %%p, %%seven : i32\n", i, i-n, i)
			fmt.Fprintf(&b, "  %%c%d = arith.cmpi sgt, %%m%d, %%k%d : i32\n  cf.cond_br %%c%d, ^b%d, ^no\n^b%d:\n", i, i, i, i, i, i)
		}
		return b.String() + "  cf.br ^end(%p : i32)\n^no:\n  cf.br ^end(%q : i32)\n^end(%r: i32):\n  return %r : i32\n"
	},
	"switch": func(n int) string {
		var b strings.Builder
		b.WriteString("  cf.switch %p : i32, [\n    default: ^end(%q : i32)")
		for i := range n {
			fmt.Fprintf(&b, ",\n    %d: ^b%d", 3*i-n, i)
		}
		b.WriteString("\n  ]\n")
		for i := range n {
			fmt.Fprintf(&b, "^b%d:\n  %%k%d = arith.constant %d : i32\n  %%v%d = arith.divsi %%q, %%k%d : i32\n  cf.br ^end(%%v%d : i32)\n", i, i, i+1, i, i, i)
		}
		return b.String() + "^end(%r: i32):\n  return %r : i32\n"
	},
	// a loop with many breaks
	"breaks": func(n int) string {
		var b strings.Builder
		b.WriteString("  cf.br ^head(%q : i32)\n^head(%i: i32):\n")
		for i := range n {
			fmt.Fprintf(&b, "  %%k%d = arith.constant %d : i32\n  %%m%d = arith.divsi %%i, %%seven : i32\n", i, i, i)
			fmt.Fprintf(&b, "  %%c%d = arith.cmpi eq, %%m%d, %%k%d : i32\n  cf.cond_br %%c%d, ^end(%%k%d : i32), ^b%d\n^b%d:\n", i, i, i, i, i, i, i)
		}
		return b.String() + "  %n = arith.addi %i, %seven : i32\n  %c = arith.cmpi slt, %n, %p : i32\n  cf.cond_br %c, ^head(%n : i32), ^end(%n : i32)\n^end(%r: i32):\n  return %r : i32\n"
	},
}

// TestLargeFunctions: thousands of blocks take a moment, and the result can be
// printed and read.
func TestLargeFunctions(t *testing.T) {
	for name, body := range large {
		t.Run(name, func(t *testing.T) {
			text := "func.func @f(%p: i32, %q: i32, %x: memref<?xi32>) -> i32 {\n  %seven = arith.constant 7 : i32\n" + body(2000) + "}\n"
			want, got := parse(t, text), parse(t, text)
			start := time.Now()
			if err := Run(got, &diag.List{}, pass.Options{Verify: true}); err != nil {
				t.Fatal(err)
			}
			took := time.Since(start)
			printed := mlir.Print(got, mlir.Options{})
			again, err := mlir.ParseAndVerify("again.mlir", printed)
			if err != nil {
				t.Fatal(diag.Render(diag.FromError(err), nil))
			}
			t.Logf("%v, %d operations, %d bytes", took, size(theFunction(got)), len(printed))
			if took > 20*time.Second {
				t.Errorf("took %v", took)
			}
			if f := differs(theFunction(want), theFunction(again), 3); f != "" {
				t.Error(f[:min(len(f), 300)])
			}
			if a, b := size(theFunction(got)), size(theFunction(want)); a > 4*b {
				t.Errorf("%d operations became %d", b, a)
			}
		})
	}
}

// TestLargeGraphs: random graphs of hundreds of blocks.
func TestLargeGraphs(t *testing.T) {
	for i := range uint64(6) {
		c := randomCFG(rand.New(rand.NewPCG(i, 3)), 400)
		start := time.Now()
		if f := compareCFG(t, c); f != "" {
			t.Errorf("graph %d: %s", i, f[:min(len(f), 300)])
		}
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("graph %d with %d blocks took %v", i, len(c.blocks), took)
		}
	}
}
