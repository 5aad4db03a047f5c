package circuit

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/circuit/timing"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/internal/testkit"
)

// TestRestore: the buffers that cutting for the clock leaves are those that its cuts have when everything is placed anew, also
// where cuts were taken back on the way.
func TestRestore(t *testing.T) {
	files, err := filepath.Glob(testkit.Testdata(t, "kernels", "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatal("no kernels", err)
	}
	refused := 0
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		mod, err := mlir.ParseAndVerify(path, string(src))
		if err != nil {
			t.Fatal(err)
		}
		low, err := lower.Lower(mod, lower.Options{IndexWidth: 32, MemoryOrder: "pipelined"})
		if err != nil {
			t.Fatal(err)
		}
		for _, mhz := range []float64{100, 200} {
			if _, err := Build(low.Func, Options{IndexWidth: 32, Clock: Clock{MHz: mhz}, Place: func(c *Circuit, o Options) error {
				if c.free() {
					return nil
				}
				f := &forClock{c: c, o: o, rows: map[timing.Key]timing.Row{}}
				limit := o.Clock.limit()
				if err := f.cut(limit, limit*margin); err != nil {
					return err
				}
				refused += len(f.refused)
				left := f.placed()
				if err := f.place(); err != nil {
					return err
				}
				if d := cmp.Diff(f.placed().buffers, left.buffers); d != "" {
					t.Errorf("%s at %v MHz: %s", c.Name, mhz, d)
				}
				if f.worst.Delay != left.worst.Delay {
					t.Errorf("%s at %v MHz: a path of %v, %v when placed anew", c.Name, mhz, left.worst.Delay, f.worst.Delay)
				}
				return nil
			}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if refused == 0 {
		t.Error("no cut was taken back")
	}
}
