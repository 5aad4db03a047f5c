package frontend_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/frontend"
	"loom/compiler/frontend/domain"
	"loom/internal/testkit"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

func needClang(t *testing.T) {
	t.Helper()
	toolstest.Need(t, tools.Clang, tools.MLIRTranslate, tools.MLIROpt)
}

// pragmaFiles writes files and structures the first one.
func pragmaFiles(t *testing.T, flags []string, files ...string) (*frontend.Result, string, error) {
	t.Helper()
	dir := t.TempDir()
	first := ""
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = path
		}
	}
	for i, f := range flags {
		flags[i] = strings.Replace(f, "DIR", dir, 1)
	}
	text, _ := os.ReadFile(first)
	res, err := frontend.Run(context.Background(), first, string(text), frontend.Options{Flags: flags, Verify: true})
	return res, dir, err
}

// TestAccelMarks: the mark stays with its loop through the optimiser, also in headers
// and beside unrolling, for every form of loop.
func TestAccelMarks(t *testing.T) {
	needClang(t)
	res, dir, err := pragmaFiles(t, []string{"-IDIR/inc"}, "k.c", `
#include "sub/part.h"
#include <sums.h>
int k(const int *restrict a, int *restrict b, int n) {
  int s = 0;
#pragma loom accel
  for (int i = 0; i < n; i++) {
    int t = 0;
    for (int j = 0; j < 64; j++) t += a[i * 64 + j];
    b[i] = t;
    s += t;
  }
#pragma loom accel
  do { s -= 7; n++; } while (s > 100);
#pragma loom accel
  while (s > 10) { if (b[s & 7] == 3) break; s -= b[s & 7] | 1; }
#pragma loom accel
#pragma loom unroll 4
  for (int i = 0; i < n; i++) b[i] = b[i] * s + a[i];
  return part(b, n) + sums(b, n);
}
`, "sub/part.h", `static int part(const int *b, int n) {
  int x = 1;
#pragma loom accel
  for (int i = 0; i < n; i++) x = x * 31 + b[i];
  return x;
}
`, "inc/sums.h", `static int sums(const int *b, int n) {
  int x = 1;
  for (int i = n; i > 0; i /= 2) x ^= b[i];
#if 0
#pragma loom nonsense
#endif
  return x;
}
`)
	if err != nil {
		t.Fatal(err)
	}
	marked := map[string]bool{}
	for _, l := range domain.Loops(testkit.Function(res.Module)) {
		at := strings.TrimPrefix(filepath.Base(l.Pos.File), dir)
		if l.Accel {
			marked[at+":"+itoa(l.Pos.Line)] = true
		} else {
			marked[at+":"+itoa(l.Pos.Line)] = marked[at+":"+itoa(l.Pos.Line)] || false
		}
	}
	for at, want := range map[string]bool{"k.c:7": true, "k.c:9": false, "k.c:14": true, "k.c:16": true, "k.c:19": true, "part.h:4": true, "sums.h:3": false} {
		if got, found := marked[at]; !found || got != want {
			t.Errorf("%s: found %v, marked %v, want %v (all: %v)", at, found, got, want, marked)
		}
	}
}

func itoa(n int) string {
	s := ""
	for ; n > 0; n /= 10 {
		s = string(rune('0'+n%10)) + s
	}
	return s
}

// TestUnroll: clang unrolls by the given factor, though it does not by itself.
func TestUnroll(t *testing.T) {
	needClang(t)
	loads := func(pragma string) int {
		res, _, err := pragmaFiles(t, nil, "u.c", `
int u(const int *a) {
  int s = 0;
`+pragma+`
  for (int i = 0; i < 64; i++) s = (s ^ a[i]) * 5;
  return s;
}
`)
		if err != nil {
			t.Fatal(err)
		}
		for _, st := range res.Stages {
			if st.Ext == ".scf.mlir" {
				return strings.Count(string(st.Text), "memref.load")
			}
		}
		return 0
	}
	for pragma, want := range map[string]int{"": 1, "#pragma loom unroll 1": 1, "#pragma loom unroll 4": 4, "#define N 8\n#pragma loom unroll N * 2": 16} {
		if got := loads(pragma); got != want {
			t.Errorf("%q: %d loads, want %d", pragma, got, want)
		}
	}
}

func TestPragmaErrors(t *testing.T) {
	needClang(t)
	for _, c := range []struct {
		text, want string
		line       int
	}{
		{"#pragma loom fast\n  for (int i = 0; i < n; i++) x[i] = i;", "unknown pragma 'loom fast'", 2},
		{"#pragma loom unroll\n  for (int i = 0; i < n; i++) x[i] = i;", "takes a number of iterations", 2},
		{"#pragma loom unroll 0\n  for (int i = 0; i < n; i++) x[i] = i;", "invalid value '0'", 2},
		{"#pragma loom accel\n  x[0] = n;", "expected a for, while, or do-while loop to follow '#pragma loom'", 3},
	} {
		_, _, err := pragmaFiles(t, nil, "e.c", "void e(int *x, int n) {\n"+c.text+"\n}\n")
		if err == nil {
			t.Errorf("%q is accepted", c.text)
			continue
		}
		d := diag.FromError(err).All[0]
		if !strings.Contains(d.Message, c.want) || d.Pos.Line != c.line {
			t.Errorf("%q: %s at line %d, want %q at line %d", c.text, d.Message, d.Pos.Line, c.want, c.line)
		}
	}
}
