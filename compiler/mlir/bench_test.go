package mlir_test

import (
	"fmt"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
)

// program is a function of about n operations that looks like a kernel.
func program(n int) string {
	var b strings.Builder
	b.WriteString("func.func @big(%a: memref<?xi32>, %b: memref<?xi32>, %n: index, %x: i32) -> i32 {\n" +
		"  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n")
	last := "x"
	for i := 0; i < n; i += 10 {
		fmt.Fprintf(&b, `  %%r%d = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%%acc = %%%s) -> (i32) {
    %%0 = memref.load %%a[%%i] : memref<?xi32>
    %%1 = memref.load %%b[%%i] : memref<?xi32>
    %%2 = arith.muli %%0, %%1 : i32
    %%3 = arith.cmpi slt, %%2, %%acc : i32
    scf.if %%3 {
      memref.store %%2, %%b[%%i] : memref<?xi32>
    }
    %%4 = arith.addi %%acc, %%2 overflow<nsw> : i32
    scf.yield %%4 : i32
  }
`, i, last)
		last = fmt.Sprintf("r%d", i)
	}
	fmt.Fprintf(&b, "  return %%%s : i32\n}\n", last)
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	src := program(10000)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := mlir.Parse("big.mlir", src); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	src := program(10000)
	m := parse(b, "big.mlir", src)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		var errs diag.List
		if ir.Verify(m, &errs); errs.HasErrors() {
			b.Fatal(errs.Error())
		}
	}
}

func BenchmarkPrint(b *testing.B) {
	m := parse(b, "big.mlir", program(10000))
	b.SetBytes(int64(len(mlir.Print(m, mlir.Options{}))))
	for b.Loop() {
		mlir.Print(m, mlir.Options{})
	}
}
