package clang_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/diag"
	"loom/compiler/frontend/clang"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

// The importer prints the data layout in an order of its own each time.
func TestImportIsDeterministic(t *testing.T) {
	toolstest.Need(t, tools.MLIRTranslate)
	const ll = `target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
define i32 @k(i32 %x) {
  ret i32 %x
}
`
	first, err := clang.Import(context.Background(), "k.ll", []byte(ll))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(first), "#dlti.dl_entry<"); n < 10 {
		t.Fatalf("%d entries in\n%s", n, first)
	}
	for range 8 {
		again, err := clang.Import(context.Background(), "k.ll", []byte(ll))
		if err != nil {
			t.Fatal(err)
		}
		if string(again) != string(first) {
			t.Fatalf("two texts:\n%s\n%s", first, again)
		}
	}
}

// What makes loops hard to recognise stays off at every level.
func TestLoopsStayLoops(t *testing.T) {
	toolstest.Need(t, tools.Clang)
	file := filepath.Join(t.TempDir(), "k.c")
	const text = `
int dot(const int *restrict x, const int *restrict y, unsigned n) {
  int s = 0;
  for (unsigned i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}
void clear(int *x, int n) { for (int i = 0; i < n; i++) x[i] = 0; }
void pair(int *restrict x, const int *restrict y) { for (int i = 0; i < 100; i++) { x[2 * i] = y[2 * i] + 1; x[2 * i + 1] = y[2 * i + 1] + 1; } }
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, level := range []string{"0", "1", "2", "3"} {
		ll, err := clang.Compile(context.Background(), file, clang.Options{Level: level})
		if err != nil {
			t.Fatal(err)
		}
		ir := string(ll)
		if first, _, _ := strings.Cut(ir, "\n"); !strings.Contains(first, file) {
			t.Errorf("-O%s: begins with %s", level, first)
		}
		if m := regexp.MustCompile(`<\d+ x [^>]*>`).FindString(ir); m != "" {
			t.Errorf("-O%s: vectors, as %s", level, m)
		}
		if regexp.MustCompile(`call .*memset`).MatchString(ir) {
			t.Errorf("-O%s: a loop became memset", level)
		}
		if n := strings.Count(ir, " mul "); level != "0" && n > 1 {
			t.Errorf("-O%s: unrolled, %d multiplications", level, n)
		}
	}
}

// TestWarnings: of what clang warns of, undefined behaviour is passed on.
func TestWarnings(t *testing.T) {
	toolstest.Need(t, tools.Clang)
	file := filepath.Join(t.TempDir(), "k.c")
	const text = `int k(const int *a, int n) {
	int unused, first, last;
	if (n > 2) last = a[2];
	return first + last + (a[0] << 33) + a[1] / 0 + (n = 3, a[n]);
}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var list diag.List
	if _, err := clang.Compile(context.Background(), file, clang.Options{Flags: []string{"-Wall", "-Wextra"}, Warnings: &list}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range list.All {
		got = append(got, fmt.Sprintf("%d:%d %s (%d)", d.Pos.Line, d.Pos.Col, d.Message, len(d.Notes)))
	}
	want := []string{
		"4:30 shift count >= width of type (0)",
		"4:44 division by zero is undefined (0)",
		"4:9 variable 'first' is uninitialized when used here (0)",
		"3:6 variable 'last' is used uninitialized whenever 'if' condition is false (1)",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// TestOldC: what older compilers accept is no error of ours.
func TestOldC(t *testing.T) {
	toolstest.Need(t, tools.Clang)
	file := filepath.Join(t.TempDir(), "k.c")
	const text = `scale(a, n) int *a; { int i; for (i = 0; i < n; i++) { a[i] *= 3; if (a[i] == 6) return; } }
void last(int *a) { int x = a; a[0] = later(x); return 5; }
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := clang.Compile(context.Background(), file, clang.Options{Flags: []string{"-std=gnu89"}}); err != nil {
		t.Error(err)
	}
}
