package loom

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loom/internal/tools/toolstest"
)

// chosen maps a kernel as loom build --arch auto does; wide is set if Widen has found a larger fabric.
func chosen(t *testing.T, src Source, unroll int, opts MapOptions) (k *Kernel, m *Mapping, wide bool) {
	t.Helper()
	k, err := Compile(t.Context(), src, CompileOptions{Unroll: unroll})
	if err != nil {
		t.Fatal(err)
	}
	if k, m, err = MapAuto(t.Context(), k, opts); err != nil {
		t.Fatal(err)
	}
	if k, m, err = KeepFastest(t.Context(), k, m, opts); err != nil {
		t.Fatal(err)
	}
	small := m.Fabric.Name
	if k, m, err = Widen(t.Context(), k, m, opts); err != nil {
		t.Fatal(err)
	}
	return k, m, m.Fabric.Name != small
}

// polynomial is a kernel that the smallest fabrics take with its inner loop alone. Of pointers that may overlap the second image is what counts.
func polynomial(t *testing.T, restrict string) Source {
	return written(t, strings.ReplaceAll(`void polynomial(const int *R x, int *R y, const int *R c, int n) {
  for (int i = 0; i < n; i++) {
    int r = c[5];
    for (int k = 4; k >= 0; k--)
      r = r * x[i] + c[k];
    y[i] = r;
  }
}`, "R", restrict))
}

// written is a source in C, in a file for the compiler.
func written(t *testing.T, text string) Source {
	t.Helper()
	name := filepath.Join(t.TempDir(), "kernel.c")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return Source{name, text}
}

// TestWiden: a kernel goes to the fabric that has the units for its inner loop written out if that is worth the area, also where arrays may overlap; not
// where no loop is written out or another number is given.
func TestWiden(t *testing.T) {
	toolstest.Need(t, "clang-19", "mlir-translate-19")
	for _, restrict := range []string{"restrict", ""} {
		k, m, wide := chosen(t, polynomial(t, restrict), AutoUnroll, MapOptions{Jobs: 1})
		how := m.Choice
		if !wide || how.Fabric != m.Fabric.Name || how.LUTs >= 1 || how.Time*how.LUTs <= 1 || !slices.Contains(how.Tried, m.Fabric.Name) || how.String() == "" {
			t.Fatalf("'%s': on %s: %+v", restrict, m.Fabric.Name, how)
		}
		if restrict != "" && (k.Unroll() != 1 || !k.Reuse()) {
			t.Errorf("'%s': %d levels of loops are written out, loads kept: %v", restrict, k.Unroll(), k.Reuse())
		}
		if restrict == "" {
			if err := m.MapDisjoint(t.Context(), MapOptions{Jobs: 1}); err != nil || m.Disjoint == nil || m.Disjoint.Kernel.Unroll() != 1 {
				t.Errorf("of arrays that do not overlap: %+v, %v", m.Disjoint, err)
			}
		}
	}
	_, want, _ := chosen(t, polynomial(t, "restrict"), AutoUnroll, MapOptions{Jobs: 1})
	if _, got, _ := chosen(t, polynomial(t, "restrict"), AutoUnroll, MapOptions{Jobs: 2}); !bytes.Equal(got.Data.JSON(), want.Data.JSON()) {
		t.Errorf("two workers map it to %s, one to %s, or otherwise", got.Fabric.Name, want.Fabric.Name)
	}
	if _, m, wide := chosen(t, polynomial(t, "restrict"), 0, MapOptions{Jobs: 1}); wide {
		t.Errorf("without loops written out it is on %s", m.Fabric.Name)
	}
	copied := written(t, "void copied(const int *restrict x, int *restrict y, int n) {\n  for (int i = 0; i < n; i++)\n    y[i] = x[i];\n}")
	if _, m, wide := chosen(t, copied, AutoUnroll, MapOptions{Jobs: 1}); wide {
		t.Errorf("a kernel of one loop is on %s", m.Fabric.Name)
	}
}

// TestWidenEnds: with the context, and with the budget, ends the search.
func TestWidenEnds(t *testing.T) {
	toolstest.Need(t, "clang-19", "mlir-translate-19")
	k, err := Compile(t.Context(), polynomial(t, "restrict"), CompileOptions{Unroll: AutoUnroll})
	if err != nil {
		t.Fatal(err)
	}
	k, m, err := MapAuto(t.Context(), k, MapOptions{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, there, err := Widen(t.Context(), k, m, MapOptions{Jobs: 1, Budget: 1}); err != nil || there.Fabric != m.Fabric || !there.Choice.Stopped {
		t.Errorf("after the end of the budget: %+v, %v", there.Choice, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	opts := MapOptions{Jobs: 1}
	opts.Progress = func(doing string) {
		if strings.HasPrefix(doing, "trying") {
			cancel()
		}
	}
	if _, _, err := Widen(ctx, k, m, opts); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}
