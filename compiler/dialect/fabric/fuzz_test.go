package fabric_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"loom/compiler/arch"
	"loom/compiler/mlir"
)

// FuzzFabric reads any text as a fabric: it may be refused, but nothing panics,
// and what is accepted prints to text that is accepted and prints the same.
func FuzzFabric(f *testing.F) {
	files, _ := filepath.Glob(filepath.Join(corpus, "*.txtar"))
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, e := range ar.Files {
			f.Add(string(e.Data))
		}
	}
	examples, _ := filepath.Glob(filepath.Join(corpus, "*.mlir"))
	for _, file := range examples {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
	}
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		defer func() {
			if d := time.Since(start); d > 5*time.Second && os.Getenv("LOOM_SOAK") != "" {
				t.Fatalf("takes %s", d)
			}
		}()
		m, err := mlir.ParseAndVerify("x.mlir", text)
		if err != nil {
			return
		}
		printed := mlir.Print(m, mlir.Options{})
		again, err := mlir.ParseAndVerify("printed.mlir", printed)
		if err != nil {
			t.Fatalf("printed text is refused: %v\n%s", err, printed)
		}
		if got := mlir.Print(again, mlir.Options{}); got != printed {
			t.Fatalf("printing is not stable:\n%s\n%s", printed, got)
		}
		_, _ = arch.FromModule(m, "")
	})
}
