package randc

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"loom/internal/soak"
	"loom/internal/tools/toolstest"
)

// compilers are the native compilations that must agree; the last one
// stops at undefined behaviour.
var compilers = []struct {
	name  string
	flags []string
}{
	{"gcc", []string{"-O0"}},
	{"gcc", []string{"-O2"}},
	{"clang-19", []string{"-O2"}},
	{"gcc", []string{"-O1", "-fsanitize=undefined,address,float-cast-overflow", "-fno-sanitize=shift-base,signed-integer-overflow", "-fno-sanitize-recover=all"}},
}

// TestDefined: compilers agree about what generated programs mean, and none of them
// has undefined behaviour.
func TestDefined(t *testing.T) {
	for _, c := range compilers {
		toolstest.Need(t, c.name)
	}
	const batch = 25
	total := soak.Scale(25, 1000)
	for first := 0; first < total; first += batch {
		var programs []*Program
		var runs []NativeRun
		for k := range batch {
			seed := uint64(first + k)
			p := Generate(seed, "p"+string(rune('a'+k/26))+string(rune('a'+k%26))+"_")
			programs = append(programs, p)
			for r := range 3 {
				runs = append(runs, NativeRun{k, p.Inputs(seed*3 + uint64(r))})
			}
		}
		check(t, programs, runs, first)
	}
}

func check(t *testing.T, programs []*Program, runs []NativeRun, first int) {
	t.Helper()
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "batch.c")
	if err := os.WriteFile(file, []byte(Source(programs)), 0o600); err != nil {
		t.Fatal(err)
	}
	var want []NativeResult
	for i, c := range compilers {
		exe, err := Build(ctx, programs, file, c.name, c.flags...)
		if err != nil {
			t.Fatalf("seeds from %d: %v", first, err)
		}
		got, err := Run(ctx, exe, programs, runs)
		if err != nil {
			at := runs[min(len(got), len(runs)-1)].Program
			t.Fatalf("seed %d, %s %v: %v\n%s", first+at, c.name, c.flags, err, programs[at].Text())
		}
		if i == 0 {
			want = got
			continue
		}
		for k, r := range runs {
			p := programs[r.Program]
			if d := p.Equal(want[k], got[k]); d != "" {
				t.Fatalf("seed %d, %s %v: %s\n%s", first+r.Program, c.name, c.flags, d, p.Text())
			}
		}
	}
}
