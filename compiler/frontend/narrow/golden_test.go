package narrow

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"loom/compiler/mlir"
	"loom/internal/randprog"
)

// TestKernels: what becomes of kernels as compilers leave them.
func TestKernels(t *testing.T) {
	const file = "testdata/kernels.txtar"
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range ar.Files {
		name, result := strings.CutSuffix(f.Name, ".narrow")
		if !result {
			continue
		}
		m := parse(t, string(ar.Files[i-1].Data))
		after := narrowed(t, m)
		text := mlir.Print(after, mlir.Options{})
		if os.Getenv("LOOM_UPDATE") == "1" {
			ar.Files[i].Data = []byte(text)
		} else if d := cmp.Diff(string(f.Data), text); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if again := narrowed(t, after); mlir.Print(again, mlir.Options{}) != text {
			t.Errorf("%s: narrowing twice differs:\n%s", name, mlir.Print(again, mlir.Options{}))
		}
	}
	if os.Getenv("LOOM_UPDATE") == "1" {
		if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPositionsStay: what replaces an operation keeps its position.
func TestPositionsStay(t *testing.T) {
	for seed := range uint64(50) {
		m := parse(t, countingKernel(seed))
		after := narrowed(t, m)
		for _, op := range readFlow(randprog.Function(after)).order {
			if !op.Pos.IsValid() {
				t.Fatalf("seed %d: '%s' has no position", seed, op.Name)
			}
		}
	}
}
