package randctest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

const (
	everydayPrograms = 300
	soakPrograms     = 10_000
	// maxFailures ends a campaign: more would show nothing new. The first of them are
	// shrunk.
	maxFailures = 10
	maxShrunk   = 3
)

// need skips a test where the tools are not installed.
func need(t *testing.T) {
	t.Helper()
	toolstest.Need(t, tools.Clang, tools.MLIRTranslate, tools.MLIROpt, tools.CC)
}

// TestRandomC: random programs mean the same natively, to the interpreter of
// structured control flow and as dataflow graphs, at every optimisation level of clang.
func TestRandomC(t *testing.T) {
	need(t)
	length, first, err := soak.Campaign()
	if err != nil {
		t.Fatal(err)
	}
	batches := uint64(soak.Scale(everydayPrograms, soakPrograms) / BatchSize)
	if testing.Short() {
		batches = max(1, batches/10)
	}
	first /= BatchSize
	start := time.Now()
	var mu sync.Mutex
	next, failed := first, 0
	take := func() (uint64, bool) {
		mu.Lock()
		defer mu.Unlock()
		if failed >= maxFailures || length > 0 && time.Since(start) > length || length == 0 && next >= first+batches {
			return 0, false
		}
		next++
		return next - 1, true
	}
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for n, ok := take(); ok; n, ok = take() {
				failures, err := Batch(t.Context(), t.TempDir(), n)
				mu.Lock()
				if err != nil {
					t.Errorf("batch %d: %v", n, err)
					failed++
				}
				mu.Unlock()
				for k, f := range failures {
					if f == nil {
						continue
					}
					mu.Lock()
					failed++
					number := failed
					mu.Unlock()
					if number <= maxFailures {
						t.Error(report(t, n*BatchSize+uint64(k), f, number <= maxShrunk))
					}
				}
			}
		}()
	}
	wait.Wait()
	programs := (next - first) * BatchSize
	t.Logf("%d programs in %.1fs, %d failures, %d runs with disjoint arrays; continue with SEED=%d", programs, time.Since(start).Seconds(), failed, counts.disjoint.Load(), next*BatchSize)
	if n := counts.disjoint.Load(); failed == 0 && n < int64(programs)/10 {
		t.Errorf("%d programs have %d runs with arrays that may overlap and do not", programs, n)
	}
}

// shrinkTime bounds the search for a smaller program that fails alike.
const shrinkTime = 60 * time.Second

// report shrinks a failing program, keeps it with everything needed to run it again,
// below testdata/crashers or in $LOOM_CRASHERS, and reports where.
func report(t *testing.T, seed uint64, f *Failure, shrink bool) string {
	what := fmt.Sprintf("seed %d, -O%s, index of %d bits, %s order, %d recent, interlocks %t: %.600s", seed, f.Setting.Level, f.Setting.IndexWidth, f.Setting.Order, f.Setting.Recent, f.Setting.Interlocks, f.Error())
	if !shrink {
		return what
	}
	dir := os.Getenv("LOOM_CRASHERS")
	if dir == "" {
		dir = testkit.Testdata(t, "crashers")
	}
	dir = filepath.Join(dir, fmt.Sprintf("c-%d", seed))
	small := Shrink(t.Context(), t.TempDir(), f, seed, shrinkTime)
	if err := Keep(dir, small, f); err != nil {
		t.Error(err)
	}
	return fmt.Sprintf("%s\nshrunk and kept in %s: %.600s\n%s", what, dir, small.Error(), small.Program.Text())
}

// kept reads the first lines of a kept program.
func kept(text string) (s Setting, inputs string, err error) {
	lines := strings.SplitN(text, "\n", 3)
	if _, err = fmt.Sscanf(lines[0], "// level %s index %d order %s recent %d", &s.Level, &s.IndexWidth, &s.Order, &s.Recent); err != nil {
		return s, "", fmt.Errorf("the first line is no setting: %w", err)
	}
	s.Interlocks = strings.Contains(lines[0], withInterlocks)
	if i := strings.Index(lines[0], strings.TrimSuffix(withUnroll, "%d")); i >= 0 {
		if _, err := fmt.Sscanf(lines[0][i:], withUnroll, &s.Unroll); err != nil {
			return s, "", fmt.Errorf("the first line has no number of levels: %w", err)
		}
	}
	if len(lines) > 1 {
		inputs, _ = strings.CutPrefix(lines[1], "// inputs ")
	}
	return s, inputs, nil
}

// TestKept runs the programs that failed once, at every optimisation level.
func TestKept(t *testing.T) {
	need(t)
	var files []string
	for _, pattern := range []string{"*.c", "c-*/program.c"} {
		more, err := filepath.Glob(testkit.Testdata(t, "crashers", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, inputs, err := kept(string(text))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, level := range []string{"0", "1", "2"} {
			s := first
			s.Level = level
			t.Run(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file)+"/O"+level, func(t *testing.T) {
				if err := Replay(t.Context(), file, string(text), inputs, s); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
