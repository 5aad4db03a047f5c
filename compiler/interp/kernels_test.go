package interp_test

import (
	"os"
	"path/filepath"
	"testing"

	"loom/compiler/interp"
	"loom/sim/vector"
)

// The shipped kernels run to their end on random inputs of any size.
func TestShippedKernels(t *testing.T) {
	files, err := filepath.Glob("../../testdata/kernels/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatal("no kernels", err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		fn := parse(t, f, string(text))
		sig, err := vector.SignatureOf(fn)
		if err != nil {
			t.Fatal(err)
		}
		p, err := interp.Compile(fn, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int64{0, 1, 5, 16, 40} {
			for seed := range uint64(20) {
				in, err := vector.Random(sig, seed, size, 64)
				if err != nil {
					t.Fatal(err)
				}
				if out, err := p.Run(in); err != nil || out.Status != vector.Done {
					t.Fatalf("%s, size %d, seed %d: %v %v\n%s", f, size, seed, err, out, in.JSON())
				}
			}
		}
	}
}
