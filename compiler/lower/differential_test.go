package lower

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/sim/randprog"
	"loom/sim/token"
	"loom/sim/vector"
)

// programs is how many random programs a test runs: the given number, or
// LOOM_SOAK of them.
func programs(t *testing.T, usual int) uint64 {
	if s := os.Getenv("LOOM_SOAK"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("LOOM_SOAK must be a number of programs: %v", err)
		}
		return uint64(n)
	}
	if testing.Short() {
		return uint64(usual / 10)
	}
	return uint64(usual)
}

// variety is the program mix of the differential tests: what hardware can
// compute, in different sizes, with and without on-chip memory.
func variety(seed uint64) randprog.Options {
	o := randprog.Options{}
	switch seed % 5 {
	case 1:
		o.Locals = true
	case 2:
		o.MaxOps, o.Memories = 120, 3
	case 3:
		o = randprog.Small()
	case 4:
		o.MaxOps = 25
	}
	return o
}

// schedules are the runs that every program must pass: channels without bound
// and of one token, in order and in random order, with quick and slow memory.
func schedules(seed uint64) []token.Options {
	return []token.Options{
		{},
		{Capacity: 1},
		{Capacity: 1, Seed: seed + 1, MemDelay: 1 + int(seed%50)},
		{Seed: seed + 2, MemDelay: 200},
	}
}

// disagreement runs a program at levels 1 and 2 and tells the first difference,
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

// TestRandomPrograms is the ladder from level 1 to level 2: interpreter and
// dataflow graph agree, and no token is left over.
func TestRandomPrograms(t *testing.T) {
	for order, usual := range map[string]int{"serial": 2000, "pipelined": 1000} {
		t.Run(order, func(t *testing.T) {
			n := programs(t, usual)
			for seed := range n {
				m := randprog.Generate(seed, variety(seed))
				opts := Options{
					MemoryOrder:  order,
					keepBranches: seed%2 == 0,
					MaxJoinFanin: int(seed % 3 * 2),
					IndexWidth:   []int{64, 32, 48}[seed%3],
				}
				d, err := disagreement(randprog.Function(m), randprog.Inputs(m, seed), seed, opts)
				if err != nil || d != "" {
					t.Fatalf("seed %d, %+v: %v %s\n%s", seed, opts, err, d, mlir.Print(m, mlir.Options{}))
				}
			}
		})
	}
}
