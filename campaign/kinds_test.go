package campaign

import (
	"strings"
	"testing"

	"loom/compiler/ir"
)

// TestProgramsFail: what goes wrong in a program is a failure of its case, made smaller, and counts as nothing else.
func TestProgramsFail(t *testing.T) {
	w := programs(func(n uint64, cosim bool) Program {
		s := NewProgram(n, cosim)
		if n == 1 {
			s.Order = "no such order"
		}
		return s
	}, func(s Program) (*ir.Operation, error) { return s.Module(), nil }, func(uint64) bool { return false })
	res, err := w(t.Context(), 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Failures) != 1 || res.Cases != 2 || len(res.Counts) != 1 {
		t.Fatalf("%+v", res)
	}
	f := res.Failures[0]
	if f.Case != 1 || !strings.Contains(f.Text, "no such order") || len(f.Files["program.mlir"]) >= len(f.Files["original.mlir"]) ||
		!strings.Contains(f.Command("here"), "loom build here/program.mlir --arch mesh4x4 --memory-order no such order") {
		t.Errorf("%+v", f)
	}
}
