package cycle_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/circuit"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/compiler/simplify"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/sim/cycle"
	"loom/sim/vector"
)

// directGraph lowers a structured kernel.
func directGraph(t testing.TB, mod *ir.Operation) *ir.Operation {
	t.Helper()
	low, err := lower.Lower(mod, lower.Options{IndexWidth: 32, MemoryOrder: "pipelined"})
	if err != nil {
		t.Fatal(err)
	}
	return low.Func
}

// directClocks are targets of circuits: none, those that many paths have to be cut for, and one
// that no circuit reaches, so that everything is cut that can be.
var directClocks = []circuit.Clock{{}, circuit.DefaultClock, {MHz: 160}, {Levels: 1}}

// runDirect runs a graph as a direct circuit.
func runDirect(t testing.TB, fn *ir.Operation, in *vector.Inputs, sized latency.Profile, clock circuit.Clock, o cycle.Options) *vector.Outcome {
	t.Helper()
	small, err := simplify.Run(fn, simplify.Options{IndexWidth: 32})
	if err != nil {
		t.Fatal(err)
	}
	c, err := circuit.Build(small, circuit.Options{IndexWidth: 32, Latency: sized, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	s, err := cycle.NewDirect(c, in, o)
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Run()
	if err != nil {
		t.Fatal(err)
	}
	if out.Status != vector.Done {
		t.Logf("%s", c)
	}
	return out
}

// TestDirectKernels runs every MLIR kernel as a direct circuit with fast, slow and stalling
// memories, sized for each, and compares it with the interpreter.
func TestDirectKernels(t *testing.T) {
	files, err := filepath.Glob(testkit.Testdata(t, "kernels", "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatal("no kernels", err)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".mlir")
		t.Run(name, func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			mod, err := mlir.ParseAndVerify(path, string(src))
			if err != nil {
				t.Fatal(err)
			}
			sig, err := vector.SignatureOf(testkit.Function(mod))
			if err != nil {
				t.Fatal(err)
			}
			in, err := vector.Random(sig, 3, 64, 32)
			if err != nil {
				t.Fatal(err)
			}
			want, err := interp.Run(testkit.Function(mod), in, interp.Options{IndexWidth: 32})
			if err != nil {
				t.Fatal(err)
			}
			fn := directGraph(t, mod)
			for i, e := range directEnvironments(t) {
				got := runDirect(t, fn, in, e.Latency, directClocks[(i+1)%len(directClocks)], e)
				if got.Status != vector.Done {
					t.Fatalf("%v: %s\n%s", e.Latency, got.Status, strings.Join(got.Detail, "\n"))
				}
				if d := vector.Diff(want, got); len(d) > 0 {
					t.Errorf("%v: %s", e.Latency, strings.Join(d, "\n"))
				}
				t.Logf("latency %v, stall %d: %d cycles", e.Latency, e.StallPercent, got.Cycles)
			}
		})
	}
}

func directEnvironments(t testing.TB) []cycle.Options {
	var out []cycle.Options
	for _, e := range []struct {
		latency string
		stall   int
	}{{"fixed:1", 0}, {"fixed:4", 0}, {"fixed:20", 0}, {"fixed:100", 0}, {"random:1,40,7", 30}} {
		l, err := latency.Parse(e.latency)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, cycle.Options{Latency: l, StallPercent: e.stall, StallSeed: 5})
	}
	return out
}

// TestDirectPrograms runs random programs as direct circuits, half of them with memories that
// are slower or faster than the buffers are sized for, for several clock targets, and half with as few
// multipliers and dividers as can be, so that clients wait for each other in all ways. A target
// makes no innermost loop slower, and those around them by a sixteenth at most.
func TestDirectPrograms(t *testing.T) {
	environments := directEnvironments(t)
	built, shared := 0, 0
	for seed := range uint64(soak.Scale(250, 20000)) {
		c, err := directProgram(t, programOf(seed), seed, environments)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		built++
		if c != nil {
			shared += len(c.Shares)
		}
	}
	t.Logf("%d programs, %d shared units", built, shared)
}

// TestDirectProducts is the same for programs of many multiplications and divisions in loops of all
// kinds.
func TestDirectProducts(t *testing.T) {
	environments := directEnvironments(t)
	units, shared := 0, 0
	for seed := range uint64(soak.Scale(120, 5000)) {
		module, err := mlir.ParseAndVerify("products.mlir", randprog.Products(seed))
		if err != nil {
			t.Fatalf("%v\n%s", err, randprog.Products(seed))
		}
		place := circuit.Place // without a clock target, which takes long
		if seed%16 == 4 {
			place = nil
		}
		c, err := placedProgram(t, module, seed, environments, place)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		units += len(c.Shares)
		for _, s := range c.Shares {
			shared += len(s.Clients)
		}
	}
	t.Logf("%d shared units, for %d operations", units, shared)
	if units < 60 {
		t.Errorf("only %d units are shared", units)
	}
}

// programOf is the random program of a seed.
func programOf(seed uint64) *ir.Operation {
	o := randprog.Options{Locals: seed%3 == 1, SmallTypes: seed%5 == 2, MaxOps: 20 + int(seed%4)*25}
	switch seed % 7 {
	case 3:
		o.Use = randprog.Everything
	case 5: // arrays with initial contents that are written
		o.Use = randprog.Globals | randprog.Sweeps | randprog.Buffers | randprog.Fences
	}
	return randprog.Generate(seed, o)
}

func directProgram(t testing.TB, module *ir.Operation, seed uint64, environments []cycle.Options) (*circuit.Circuit, error) {
	return placedProgram(t, module, seed, environments, nil)
}

// placedProgram runs a program with the buffers that place puts, those of circuit.Place where it is
// nil.
func placedProgram(t testing.TB, module *ir.Operation, seed uint64, environments []cycle.Options, place func(*circuit.Circuit, circuit.Options) error) (*circuit.Circuit, error) {
	order := []string{"pipelined", "serial"}[seed%2]
	low, err := lower.Lower(module, lower.Options{IndexWidth: 64, MemoryOrder: order})
	if err != nil {
		return nil, err
	}
	c, err := placedGraph(t, module, low.Func, seed, environments, place)
	if err != nil {
		return nil, fmt.Errorf("order %s: %w", order, err)
	}
	return c, nil
}

// placedGraph is the same for a program that is lowered already.
func placedGraph(t testing.TB, module, fn *ir.Operation, seed uint64, environments []cycle.Options, place func(*circuit.Circuit, circuit.Options) error) (*circuit.Circuit, error) {
	e := environments[seed%uint64(len(environments))]
	sized := e.Latency
	if seed%4 > 1 {
		sized = environments[(seed+1)%uint64(len(environments))].Latency
	}
	if seed%5 > 0 {
		var err error
		if fn, err = simplify.Run(fn, simplify.Options{IndexWidth: 64}); err != nil {
			return nil, err
		}
	}
	clock := circuit.Clock{}
	if place == nil {
		clock = directClocks[seed/8%uint64(len(directClocks))]
	}
	c, err := circuit.Build(fn, circuit.Options{Latency: sized, Clock: clock, Place: place, ShareAll: seed%2 == 0})
	if err != nil {
		if strings.Contains(err.Error(), "no hardware computes") {
			return nil, nil
		}
		return nil, err
	}
	if !clock.None() {
		free, err := circuit.Build(fn, circuit.Options{Latency: sized, Place: place, ShareAll: seed%2 == 0})
		if err != nil {
			return nil, err
		}
		if err := sameIntervals(free, c, sized); err != nil {
			return nil, fmt.Errorf("clock %s: %w", clock, err)
		}
	}
	var s *cycle.Sim // its runs follow each other
	for k := range uint64(3) {
		in := randprog.Inputs(module, seed*2+k)
		want, err := interp.Run(randprog.Function(module), in.Clone(), interp.Options{IndexWidth: 64})
		if err != nil {
			return nil, err
		}
		e.StallSeed = seed
		if s == nil {
			s, err = cycle.NewDirect(c, in, e)
		} else {
			err = s.Again(c, in)
		}
		if err != nil {
			return nil, err
		}
		got, err := s.Run()
		if err != nil {
			return nil, err
		}
		if want.Status == vector.Done && got.Status != vector.Done {
			return nil, fmt.Errorf("run %d: %s, clock %s, latency %v, stall %d: %s\n%s\n%s", k, got.Status, clock, e.Latency, e.StallPercent, strings.Join(got.Detail, "\n"), mlir.Print(fn, mlir.Options{}), c)
		}
		if d := vector.Diff(want, got); want.Status == vector.Done && len(d) > 0 {
			return nil, fmt.Errorf("run %d: %s", k, strings.Join(d, "\n"))
		}
		if got.Status != vector.Done {
			s = nil
		}
	}
	return c, nil
}

// sameIntervals holds the bounds of the loops of a circuit with a clock target against those
// without one.
func sameIntervals(free, c *circuit.Circuit, sized latency.Profile) error {
	o := circuit.Options{Latency: sized}
	want, got := circuit.Timing(free, o), circuit.Timing(c, o)
	if len(got) != len(want) {
		return fmt.Errorf("%d loops, %d without it", len(got), len(want))
	}
	for i, l := range want {
		most := l.Interval
		if !l.Inner {
			most += l.Interval / 16 // what a clock may cost
		}
		if got[i].Interval > most {
			return fmt.Errorf("loop %s takes %d cycles per iteration, %d without it", l.Name, got[i].Interval, l.Interval)
		}
	}
	return nil
}
