package loom_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom"
	"loom/campaign"
	"loom/explore/batch"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

// faulty is an engine that finds a failure in each of some shards.
type faulty map[string]campaign.Failure

func (f faulty) Run(_ context.Context, jobs []batch.Job, done func([]batch.Done[campaign.Result]) error) error {
	for i, j := range jobs {
		res := &campaign.Result{Cases: 20}
		for name, failure := range f {
			if strings.HasPrefix(j.Name, name) {
				res.Failures = append(res.Failures, failure)
			}
		}
		if err := done([]batch.Done[campaign.Result]{{Job: i, Result: res}}); err != nil {
			return err
		}
	}
	return nil
}

// TestCampaignFailures: failures are directories with the command that shows them again; those of an earlier campaign
// in the same directory go.
func TestCampaignFailures(t *testing.T) {
	dir := t.TempDir()
	c, err := loom.RandomCampaign(campaign.Programs, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := campaign.Failure{Case: 21, Name: "program-21", Text: "program 21: level 2 differs", Files: map[string]string{"program.mlir": "module {}\n"}, Again: "loom build " + campaign.Here + "/program.mlir"}
	run := func(to uint64, e faulty) *loom.Campaigned {
		s, err := c.Run(t.Context(), dir, loom.CampaignOptions{To: to, Engine: e})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := run(60, faulty{"programs 20 ": f})
	here := filepath.Join(dir, loom.CampaignFailures, f.Name)
	summary, err := os.ReadFile(filepath.Join(dir, loom.CampaignSummary))
	if len(s.Failures) != 1 || err != nil || !strings.Contains(string(summary), "again: loom build "+here+"/program.mlir\n") {
		t.Errorf("%v %s", err, summary)
	}
	if text, err := os.ReadFile(filepath.Join(here, "found.txt")); err != nil || string(text) != f.Text+"\n" {
		t.Errorf("%q %v", text, err)
	}
	// Other cases, in which nothing is wrong.
	if s := run(20, faulty{}); len(s.Failures) != 0 || s.Known != 1 {
		t.Errorf("%+v", s.Summary)
	}
	if left, _ := os.ReadDir(filepath.Join(dir, loom.CampaignFailures)); len(left) > 0 {
		t.Errorf("failures of the last campaign are left: %v", left)
	}
}

// TestCampaignMissing: what cannot be tried is refused before a directory is made.
func TestCampaignMissing(t *testing.T) {
	for _, c := range []struct {
		kind  string
		cosim int
		want  string
	}{
		{"sums", 0, "take one of programs, shared, meetings, c, floats, fabrics, table"},
		{"c", 5, "leave out --cosim"},
	} {
		if _, err := loom.RandomCampaign(c.kind, c.cosim); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.kind, err)
		}
	}
	if _, err := loom.TableCampaign(t.Context(), []string{"testdata/kernels/dot.mlir", "testdata/kernels/c/dot.mlir"}, []string{"mesh4x4"}, 0, loom.Watch{}); err == nil ||
		!strings.Contains(err.Error(), "second kernel named 'dot'") {
		t.Errorf("two kernels of a name: %v", err)
	}
}

// TestCampaignFloats: operations of floats on random words agree at every level, level 0 among them; each operation and
// type has a case.
func TestCampaignFloats(t *testing.T) {
	toolstest.Need(t, tools.Verilator, tools.CXX, tools.Clang, tools.MLIROpt, tools.MLIRTranslate)
	c, err := loom.RandomCampaign(campaign.Floats, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Run(t.Context(), t.TempDir(), loom.CampaignOptions{From: 0, To: 2, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Failures) > 0 || s.Counts["agree with this machine's arithmetic at every level"] != 2 {
		t.Errorf("%s", s)
	}
	kinds := map[string]bool{}
	for n := range campaign.FloatCases() {
		kinds[campaign.NewFloatCase(n).Name] = true
	}
	if len(kinds) != int(campaign.FloatCases()) {
		t.Errorf("%d kinds of cases in %d", len(kinds), campaign.FloatCases())
	}
}
