package randctest

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"loom/compiler/frontend"
	"loom/compiler/lower"
	"loom/internal/testkit"
	"loom/internal/tools"
)

// BenchmarkFrontEnd brings every kernel of testdata/kernels/c from C to the dataflow
// graph and reports where the time goes: in clang, in MLIR's tools, in the passes of the
// front end, in the lowering; per set and, as the time per operation, per kernel.
func BenchmarkFrontEnd(b *testing.B) {
	for _, name := range []string{tools.Clang, tools.MLIRTranslate, tools.MLIROpt} {
		if _, err := tools.Find(name); err != nil {
			b.Skip(err)
		}
	}
	files, err := filepath.Glob(testkit.Testdata(b, "kernels", "c", "*.c*"))
	if err != nil {
		b.Fatal(err)
	}
	if len(files) == 0 {
		b.Skip("no kernels in C")
	}
	var clang, mlir, passes, lowering time.Duration
	for b.Loop() {
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				b.Fatal(err)
			}
			res, err := frontend.Run(context.Background(), file, string(text), frontend.Options{})
			if err != nil {
				b.Fatalf("%s: %s", file, messages(err))
			}
			start := time.Now()
			if _, err := lower.Lower(res.Module, lower.Options{IndexWidth: 32}); err != nil {
				b.Fatalf("%s: %s", file, messages(err))
			}
			lowering += time.Since(start)
			clang += res.Clang
			mlir += res.Tools
			passes += res.Passes
		}
	}
	report := func(d time.Duration, unit string) { b.ReportMetric(d.Seconds()/float64(b.N), unit) }
	report(clang, "clang-s")
	report(mlir, "mlir-tools-s")
	report(passes, "passes-s")
	report(lowering, "lowering-s")
	b.ReportMetric(float64(len(files)), "kernels")
}
