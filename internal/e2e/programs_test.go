package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mapper"
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

// effort is enough for small programs: many mappings count here, not good ones.
var effort = mapper.Effort{Attempts: 6, Candidates: 1, Moves: 30, Cooling: 85, Iterations: 60}

// scenario is one random program and what it runs on; a failing one can be made
// again from it.
type scenario struct {
	seed   uint64
	mesh   string
	order  string
	env    environment
	cosim  bool
	inputs uint64
}

// newScenario spreads meshes, memory orders and environments over the seeds.
// Everything under Verilator is on one mesh: one model is built, and that the rest
// of the suite builds as well.
func newScenario(seed uint64, cosim bool) scenario {
	s := scenario{seed: seed, mesh: "mesh6x6", order: "serial", env: environmentFor(seed / 2), cosim: cosim, inputs: seed}
	if seed%3 == 2 {
		s.order = "pipelined"
	}
	if !cosim && seed%4 == 1 {
		s.mesh = "mesh4x4"
	}
	return s
}

// program is the scenario's program: small ones, with local memory now and then.
func (s scenario) program() *ir.Operation {
	o := randprog.Small()
	o.MaxOps = 12 + int(s.seed%4)*4
	switch s.seed % 8 {
	case 3:
		o.Locals = true
	case 5:
		o.NoDivides = false
	}
	return randprog.Generate(s.seed, o)
}

// verdict is what became of a program.
type verdict struct {
	fits  bool   // the mesh has room for it
	units int    // function units it takes
	diff  string // the first disagreement, "" for none
}

// run takes a program through the ladder.
func (s scenario) run(t testing.TB, module *ir.Operation) (v verdict, err error) {
	d, err := newDesign(module, loadMesh(t, s.mesh), s.order, mapper.Options{Seed: s.seed, Effort: effort})
	if err != nil {
		if broken(err) {
			return v, err
		}
		return v, nil
	}
	v.fits, v.units = true, d.res.Mapping.Utilization.PEs.Used
	in := randprog.Inputs(module, s.inputs)
	if v.diff, err = d.simulate(in, s.env); err == nil && v.diff == "" && s.cosim {
		v.diff, err = d.cosimulate(in, s.env)
	}
	return v, err
}

// broken reports whether an error is a fault of LOOM and no verdict on the program:
// generated programs are always lowered, and mapping either works or reports what is
// missing.
func broken(err error) bool { return errors.Is(err, errLower) || internal(err) }

// internal reports whether an error is an internal one.
func internal(err error) bool {
	return err != nil && slices.ContainsFunc(diag.FromError(err).All, func(d *diag.Diagnostic) bool { return d.Severity == diag.Internal })
}

// TestRandomPrograms maps small random programs and runs them at every level:
// interpreter, token simulator, cycle simulator, and a share of them under
// Verilator in lock-step, all on one built model.
func TestRandomPrograms(t *testing.T) {
	n := soak.Scale(everydayPrograms, soakPrograms)
	verilator := haveVerilator(t)
	ran, proven, refused, units := 0, 0, 0, 0
	start := time.Now()
	for seed := uint64(0); ran < n; seed++ {
		s := newScenario(seed, verilator && 100*proven <= cosimShare*ran)
		module := s.program()
		v, err := s.run(t, module)
		if err != nil {
			t.Fatalf("program %d: %v\n%s", seed, err, mlir.Print(module, mlir.Options{}))
		}
		if !v.fits {
			if refused++; refused > 50+n {
				t.Fatalf("only %d of %d programs fit", ran, ran+refused)
			}
			continue
		}
		ran++
		units += v.units
		if s.cosim {
			proven++
		}
		if v.diff != "" {
			t.Fatal(s.report(t, testkit.Testdata(t, "crashers"), module, v.diff, func(m *ir.Operation) string {
				v, err := s.run(t, m)
				if err != nil {
					return ""
				}
				return v.diff
			}))
		}
	}
	t.Logf("%d programs with %d function units agree, %d of them under Verilator; %d more did not fit; %.1fs", ran, units, proven, refused, time.Since(start).Seconds())
	if !verilator {
		t.Skip("no co-simulation: verilator or a C++ compiler is not installed")
	}
}

// shrinkTime bounds the search for a smaller program that fails alike.
const shrinkTime = 90 * time.Second

// report shrinks a failing program, keeps it in a directory below dir with
// everything needed to run it again, and reports where and how. rerun finds the
// disagreement of a program, "" for none.
func (s scenario) report(t testing.TB, dir string, module *ir.Operation, diff string, rerun func(*ir.Operation) string) string {
	deadline := time.Now().Add(shrinkTime)
	level, _, _ := strings.Cut(diff, ":")
	small := randprog.Shrink(module, func(c *ir.Operation) bool {
		if time.Now().After(deadline) {
			return false
		}
		d := rerun(c)
		return d != "" && strings.HasPrefix(d, level)
	})
	dir = filepath.Join(dir, fmt.Sprintf("e2e-%d", s.seed))
	inputs := string(randprog.Inputs(small, s.inputs).JSON())
	program := fmt.Sprintf("// %s\n%s", s, mlir.Print(small, mlir.Options{}))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Error(err)
	}
	for name, text := range map[string]string{
		"program.mlir":  program,
		"original.mlir": mlir.Print(module, mlir.Options{}),
		"inputs.json":   inputs + "\n",
		"found.txt":     diff + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Error(err)
		}
	}
	shown, err := filepath.Rel(filepath.Dir(testkit.Testdata(t)), dir)
	if err != nil {
		shown = dir
	}
	return fmt.Sprintf(`program %d on %s, %s order:
%s
shrunk and kept in %s:
%s
inputs: %s
run it again from the root of the repository with
  loom build %s/program.mlir --arch %s --memory-order %s --inputs %s/inputs.json %s --cosim -o out/crasher`,
		s.seed, s.mesh, s.order, diff, shown, program, inputs, shown, s.mesh, s.order, shown, s.env.flags())
}

// String is the first line of a kept program; parseScenario reads it.
func (s scenario) String() string {
	return fmt.Sprintf("seed %d mesh %s order %s latency %d %d %d stall %d %d cosim %t inputs %d", s.seed, s.mesh, s.order,
		s.env.latency.Min, s.env.latency.Max, s.env.latency.Seed, s.env.stall, s.env.stallSeed, s.cosim, s.inputs)
}

func parseScenario(line string) (s scenario, err error) {
	_, err = fmt.Sscanf(line, "// seed %d mesh %s order %s latency %d %d %d stall %d %d cosim %t inputs %d", &s.seed, &s.mesh, &s.order,
		&s.env.latency.Min, &s.env.latency.Max, &s.env.latency.Seed, &s.env.stall, &s.env.stallSeed, &s.cosim, &s.inputs)
	return s, err
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
			s, err := parseScenario(string(src))
			if err != nil {
				t.Fatalf("%s does not begin with its scenario: %v", f, err)
			}
			s.cosim = s.cosim && haveVerilator(t)
			module, err := mlir.ParseAndVerify(f, string(src))
			if err != nil {
				t.Fatal(err)
			}
			v, err := s.run(t, module)
			switch {
			case err != nil:
				t.Error(err)
			case !v.fits:
				t.Errorf("the program does not fit %s any more", s.mesh)
			case v.diff != "":
				t.Error(v.diff)
			}
		})
	}
}

// TestScenarioSurvivesText: what is kept is what is run again.
func TestScenarioSurvivesText(t *testing.T) {
	for seed := range uint64(20) {
		want := newScenario(seed, seed%2 == 0)
		got, err := parseScenario("// " + want.String() + "\nmodule {}")
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
	s := newScenario(0, false)
	module := s.program()
	for ; stores(module) == "" || randprog.Size(module) < 12; module = s.program() {
		s = newScenario(s.seed+1, false)
	}
	dir := t.TempDir()
	text := s.report(t, dir, module, stores(module), stores)
	if !strings.Contains(text, "--inputs") || !strings.Contains(text, "memref.store") {
		t.Errorf("the report does not state how to run the program again:\n%s", text)
	}
	dir = filepath.Join(dir, fmt.Sprintf("e2e-%d", s.seed))
	src, err := os.ReadFile(filepath.Join(dir, "program.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := parseScenario(string(src)); err != nil || again != s {
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
	} else if want := randprog.Inputs(small, s.inputs); string(in.JSON()) != string(want.JSON()) {
		t.Errorf("inputs change in the file: %s, want %s", in.JSON(), want.JSON())
	}
}
