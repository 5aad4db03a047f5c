package lower

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/sim/token"
	"loom/sim/vector"
)

// programs is how many random programs a test runs: the given number, a tenth of
// it with -short, ten times as many and more under make soak.
func programs(usual int) uint64 {
	if testing.Short() {
		usual /= 10
	}
	return uint64(soak.Scale(usual, 10*usual))
}

// lowered are the constructs that the lowering takes.
const lowered = randprog.Everything

// variety is the program mix of the differential tests: everything the lowering
// takes, in different sizes, together and a few constructs at a time, so that
// what one needs is not buried under the others.
func variety(seed uint64) randprog.Options {
	o := randprog.Options{}
	switch seed % 10 {
	case 1:
		o.Locals = true
	case 2:
		o.MaxOps, o.Memories = 120, 3
	case 3:
		o = randprog.Small()
	case 4:
		o.MaxOps = 25
	case 5:
		o.Use, o.MaxOps, o.Extended = lowered, 160, true
	case 6:
		o.Use, o.MaxOps = lowered&(randprog.Sweeps|randprog.Affine|randprog.Shapes), 90
	case 7:
		o.Use, o.MaxDepth = lowered&(randprog.CountedWhiles|randprog.WhileShapes|randprog.LoopTypes|randprog.UnsignedLoops|randprog.Sweeps), 3
		o.MaxOps = 90
	case 8:
		o.Use, o.MaxOps, o.Extended = lowered, 50, true
	case 9:
		o.Use = lowered & (randprog.Views | randprog.Shapes | randprog.Buffers | randprog.Globals | randprog.Sweeps | randprog.Calls)
		o.NoDivides, o.Memories, o.MaxOps = true, 2, 90
	}
	return o
}

// settings are the options under which a random program is lowered.
func settings(seed uint64, order string) Options {
	k := seed / 10 // variety has used the last digit
	opts := Options{
		MemoryOrder:  order,
		keepBranches: k%2 == 0,
		IndexWidth:   []int{64, 32, 48}[k/2%3],
		Forward:      k%5 == 3,
		RecentStores: max(0, int(k%7)-3),
	}
	if k%5 == 1 {
		opts.Units = func(*ir.Operation) int { return int(k / 5 % 2) } // streams
	}
	if limit := int(k % 3 * 2); limit > 0 {
		opts.MaxJoinFanin = &limit
	}
	return opts
}

// program is the program of a seed, to be lowered with its settings.
func program(seed uint64) *ir.Operation {
	o := variety(seed)
	o.IndexWidth = settings(seed, "").IndexWidth
	return randprog.Generate(seed, o)
}

// schedules are the runs that every program must pass: channels without bound,
// of one token and of two, in order and in random order, with quick and slow
// memory.
func schedules(seed uint64) []token.Options {
	return []token.Options{
		{},
		{Capacity: 1, Seed: seed + 1, MemDelay: int(seed % 50)},
		{Capacity: 2, Seed: seed + 2, MemDelay: 1 + int(seed%7)*30},
		{Seed: seed + 3, MemDelay: 200},
	}
}

// disagreement runs a program at levels 1 and 2 and returns the first difference,
// "" for none. The error is about what keeps it from running at all.
func disagreement(fn *ir.Operation, in *vector.Inputs, seed uint64, opts Options) (string, error) {
	want, err := interp.Run(fn, in, interp.Options{MaxSteps: 2_000_000, IndexWidth: opts.IndexWidth})
	if err != nil {
		return "", err
	}
	if want.Status != vector.Done {
		return "", fmt.Errorf("the interpreter ends with %s: %v", want.Status, want.Detail)
	}
	res, err := Lower(fn.ParentOp(), opts)
	if err != nil {
		return "", err
	}
	p, err := token.Compile(res.Func, opts.IndexWidth)
	if err != nil {
		return "", err
	}
	for _, s := range schedules(seed) {
		s.MaxSteps = 20_000_000
		if opts.deviate != "" {
			s.MaxSteps = 200_000
		}
		got, _, err := p.Run(in, s)
		if err != nil {
			return "", err
		}
		diff := vector.Diff(want, got)
		if got.Status != vector.Done {
			diff = append(diff, got.Detail...)
		}
		if len(diff) > 0 {
			return fmt.Sprintf("%+v: %s\n%s", s, got.Status, strings.Join(diff, "\n")), nil
		}
	}
	return "", nil
}

// crashers is where failing programs are kept; TestKeptPrograms runs them again.
const crashers = "../../testdata/crashers"

// shrink makes the smallest program that still fails with the same fault.
func shrink(m *ir.Operation, seed uint64, opts Options) string {
	small := randprog.Shrink(m, func(c *ir.Operation) bool {
		d, err := disagreement(randprog.Function(c), randprog.Inputs(c, seed), seed, opts)
		return err == nil && d != ""
	})
	return mlir.Print(small, mlir.Options{})
}

// keep writes a failing program where the next run finds it.
func keep(program, order string, seed uint64) (string, error) {
	path := filepath.Join(crashers, fmt.Sprintf("lower-%s-%d.mlir", order, seed))
	text := fmt.Sprintf("// order %s, seed %d\n%s", order, seed, program)
	if err := os.MkdirAll(crashers, 0o755); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, []byte(text), 0o644)
}

// TestKeptPrograms runs the programs that failed once.
func TestKeptPrograms(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(crashers, "lower-*.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		order, seed := "serial", uint64(0)
		if _, err := fmt.Sscanf(string(src), "// order %s seed %d", &order, &seed); err != nil {
			t.Errorf("%s does not begin with its order and seed: %v", f, err)
		}
		order = strings.TrimSuffix(order, ",")
		m := parse(t, string(src))
		for _, keepBranches := range []bool{false, true} {
			opts := settings(seed, order)
			opts.keepBranches = keepBranches
			if d, err := disagreement(randprog.Function(m), randprog.Inputs(m, seed), seed, opts); err != nil || d != "" {
				t.Errorf("%s: %v %s", f, err, d)
			}
		}
	}
}

// TestFailuresShrink: what a broken rule leads to is small enough to read.
func TestFailuresShrink(t *testing.T) {
	opts := Options{deviate: noBranchGating, keepBranches: true}
	for seed := range uint64(100) {
		m := randprog.Generate(seed, variety(seed))
		d, err := disagreement(randprog.Function(m), randprog.Inputs(m, seed), seed, opts)
		if err != nil || d == "" || randprog.Size(m) < 30 {
			continue
		}
		small := parse(t, shrink(m, seed, opts))
		if n := randprog.Size(small); n > 10 {
			t.Errorf("seed %d: %d operations are left:\n%s", seed, n, mlir.Print(small, mlir.Options{}))
		}
		return
	}
	t.Error("no large program failed")
}

// orders are the two orders of memory accesses.
var orders = []string{"serial", "pipelined"}

// failure runs the program of a seed at levels 1 and 2 and returns what is wrong,
// "" for nothing. What disagrees is shrunk and kept.
func failure(seed uint64, order string) string {
	m, opts := program(seed), settings(seed, order)
	d, err := disagreement(randprog.Function(m), randprog.Inputs(m, seed), seed, opts)
	switch {
	case err != nil:
		small := randprog.Shrink(m, func(c *ir.Operation) bool {
			_, e := disagreement(randprog.Function(c), randprog.Inputs(c, seed), seed, opts)
			return e != nil && sameFault(e, err)
		})
		return fmt.Sprintf("seed %d, %+v: %v\nthe smallest program like it is:\n%s", seed, opts, err, mlir.Print(small, mlir.Options{}))
	case d != "":
		small := shrink(m, seed, opts)
		path, err := keep(small, order, seed)
		if err != nil {
			path = err.Error()
		}
		return fmt.Sprintf("seed %d, %+v: %s\nthe smallest program like it is kept in %s:\n%s", seed, opts, d, path, small)
	}
	return ""
}

// sameFault reports whether two errors are about the same fault, names and
// positions aside.
func sameFault(a, b error) bool {
	text := func(err error) string {
		l := diag.FromError(err)
		if len(l.All) == 0 {
			return ""
		}
		return fmt.Sprintf("%v %.25s", l.All[0].Severity, l.All[0].Message)
	}
	return text(a) == text(b)
}

// TestRandomPrograms is the ladder from level 1 to level 2: interpreter and
// dataflow graph agree, and no token is left over.
func TestRandomPrograms(t *testing.T) {
	for _, order := range orders {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			for seed := range programs(1500) {
				if f := failure(seed, order); f != "" {
					t.Fatal(f)
				}
			}
		})
	}
}

// TestExtendedPrograms: programs with the operations that no unit computes are
// those in which they are spelled out. One that cannot be spelled out is refused
// because of itself and nothing else, and never by a fault of the lowering.
func TestExtendedPrograms(t *testing.T) {
	spelledOut := 0
	for seed := range programs(300) {
		m := randprog.Generate(seed, randprog.Options{Extended: true})
		refused := 0
		m.Walk(func(op *ir.Operation) bool {
			switch {
			case rewriters[op.Name] != nil:
				spelledOut++
			case op.Dialect() == "arith" && !supported(op.Name):
				refused++
			}
			return true
		})
		d, err := disagreement(randprog.Function(m), randprog.Inputs(m, seed), seed, Options{})
		if refused == 0 {
			if err != nil || d != "" {
				t.Errorf("seed %d: %v %s", seed, err, d)
			}
			continue
		}
		errs := diag.FromError(err)
		for _, f := range errs.All {
			if f.Severity == diag.Error && !strings.Contains(f.Message, "cannot be lowered to a dataflow graph") || f.Severity == diag.Internal {
				t.Errorf("seed %d: %v", seed, f)
			}
		}
		if got := len(errs.All); got != refused {
			t.Errorf("seed %d: %d findings for %d operations", seed, got, refused)
		}
	}
	if spelledOut == 0 {
		t.Error("no program had an operation that is spelled out")
	}
}
