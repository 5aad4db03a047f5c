package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loom/campaign"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/sim/vector"
)

// The number of random programs, every day and under LOOM_SOAK; cosimShare of 100
// run under Verilator, too.
const (
	everydayPrograms = 120
	soakPrograms     = 600
	cosimShare       = 35
)

// TestRandomPrograms maps small random programs and runs them at every level:
// interpreter, token simulator, cycle simulator, and a share of them under
// Verilator in lock-step, all on one built model.
func TestRandomPrograms(t *testing.T) {
	n := soak.Scale(everydayPrograms, soakPrograms)
	verilator := haveVerilator(t)
	ran, proven, refused, units := 0, 0, 0, 0
	start := time.Now()
	for seed := uint64(0); ran < n; seed++ {
		s := campaign.NewProgram(seed, verilator && 100*proven <= cosimShare*ran)
		module := s.Module()
		v, err := s.Run(loadMesh(t, s.Fabric), module)
		if err != nil {
			t.Fatalf("program %d: %v\n%s", seed, err, mlir.Print(module, mlir.Options{}))
		}
		if !v.Fits {
			if refused++; refused > 50+n {
				t.Fatalf("only %d of %d programs fit", ran, ran+refused)
			}
			continue
		}
		ran++
		units += v.Units
		if s.Cosim {
			proven++
		}
		if v.Diff != "" {
			t.Fatal(report(t, s, testkit.Testdata(t, "crashers"), module, v.Diff, func(m *ir.Operation) string {
				v, err := s.Run(loadMesh(t, s.Fabric), m)
				if err != nil {
					return ""
				}
				return v.Diff
			}))
		}
	}
	t.Logf("%d programs with %d function units agree, %d of them under Verilator; %d more did not fit; %.1fs", ran, units, proven, refused, time.Since(start).Seconds())
	if !verilator {
		t.Skip("no co-simulation: verilator or a C++ compiler is not installed")
	}
}

// report shrinks a failing program, keeps it in a directory below dir with
// everything needed to run it again, and reports where and how. rerun finds the
// disagreement of a program, "" for none.
func report(t testing.TB, s campaign.Program, dir string, module *ir.Operation, diff string, rerun func(*ir.Operation) string) string {
	f := s.Report(fmt.Sprintf("e2e-%d", s.Seed), module, diff, rerun)
	dir = filepath.Join(dir, f.Name)
	if err := f.Keep(dir); err != nil {
		t.Error(err)
	}
	shown, err := filepath.Rel(filepath.Dir(testkit.Testdata(t)), dir)
	if err != nil {
		shown = dir
	}
	return fmt.Sprintf("%s\nshrunk and kept in %s:\n%s\ninputs: %s\nrun it again from the root of the repository with\n  %s",
		f.Text, shown, f.Files["program.mlir"], f.Files["inputs.json"], f.Command(shown))
}

// TestKeptPrograms runs the programs that failed once.
func TestKeptPrograms(t *testing.T) {
	files, err := filepath.Glob(testkit.Testdata(t, "crashers", "e2e-*", "program.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		t.Run(filepath.Base(filepath.Dir(f)), func(t *testing.T) {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			s, err := campaign.ParseProgram(string(src))
			if err != nil {
				t.Fatalf("%s does not begin with its scenario: %v", f, err)
			}
			s.Cosim = s.Cosim && haveVerilator(t)
			module, err := mlir.ParseAndVerify(f, string(src))
			if err != nil {
				t.Fatal(err)
			}
			v, err := s.Run(loadMesh(t, s.Fabric), module)
			switch {
			case err != nil:
				t.Error(err)
			case !v.Fits:
				t.Errorf("the program does not fit %s any more", s.Fabric)
			case v.Diff != "":
				t.Error(v.Diff)
			}
		})
	}
}

// TestScenarioSurvivesText: what is kept is what is run again.
func TestScenarioSurvivesText(t *testing.T) {
	for seed := range uint64(20) {
		want := campaign.NewProgram(seed, seed%2 == 0)
		got, err := campaign.ParseProgram("// " + want.String() + "\nmodule {}")
		if err != nil || got != want {
			t.Errorf("%v, %v; want %v", got, err, want)
		}
	}
}

// TestReport: a disagreement leaves a smaller program and inputs from which it can
// be run again. The disagreement is made up: that a program stores to memory.
func TestReport(t *testing.T) {
	stores := func(m *ir.Operation) string {
		found := ""
		m.Walk(func(op *ir.Operation) bool {
			if op.Name == "memref.store" {
				found = "made-up level: it stores"
			}
			return true
		})
		return found
	}
	s := campaign.NewProgram(0, false)
	module := s.Module()
	for ; stores(module) == "" || randprog.Size(module) < 12; module = s.Module() {
		s = campaign.NewProgram(s.Seed+1, false)
	}
	dir := t.TempDir()
	text := report(t, s, dir, module, stores(module), stores)
	if !strings.Contains(text, "--inputs") || !strings.Contains(text, "memref.store") {
		t.Errorf("the report does not state how to run the program again:\n%s", text)
	}
	dir = filepath.Join(dir, fmt.Sprintf("e2e-%d", s.Seed))
	src, err := os.ReadFile(filepath.Join(dir, "program.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := campaign.ParseProgram(string(src)); err != nil || again != s {
		t.Errorf("the kept scenario is %v, %v; want %v", again, err, s)
	}
	small, err := mlir.ParseAndVerify("program.mlir", string(src))
	if err != nil {
		t.Fatal(err)
	}
	if n := randprog.Size(small); n > 4 || stores(small) == "" {
		t.Errorf("a store should shrink to itself and its operands, found %d operations:\n%s", n, src)
	}
	inputs, err := os.ReadFile(filepath.Join(dir, "inputs.json"))
	if err != nil {
		t.Fatal(err)
	}
	sig, err := vector.SignatureOf(randprog.Function(small))
	if err != nil {
		t.Fatal(err)
	}
	if in, err := vector.ParseInputs("inputs.json", inputs, sig, 32); err != nil {
		t.Error(err)
	} else if want := randprog.Inputs(small, s.Inputs); string(in.JSON()) != string(want.JSON()) {
		t.Errorf("inputs change in the file: %s, want %s", in.JSON(), want.JSON())
	}
}
