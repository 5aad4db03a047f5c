package circuit

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/internal/testkit"
)

// TestLeastCost compares with all times of small range, on random differences that have a
// solution.
func TestLeastCost(t *testing.T) {
	const n, span = 4, 6
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 7))
		known := make([]int, n)
		for i := range known {
			known[i] = r.IntN(span)
		}
		var ds []difference
		for range 2 + r.IntN(8) {
			a, b := r.IntN(n), r.IntN(n)
			if a != b {
				ds = append(ds, difference{a, b, known[b] - known[a] - r.IntN(3), r.IntN(5)})
			}
		}
		total := func(times []int) (int, bool) {
			sum := 0
			for _, d := range ds {
				slack := times[d.To] - times[d.From] - d.Weight
				if slack < 0 {
					return 0, false
				}
				sum += slack * d.Cost
			}
			return sum, true
		}
		best := -1
		var try func(times []int)
		try = func(times []int) {
			if len(times) == n {
				if sum, ok := total(times); ok && (best < 0 || sum < best) {
					best = sum
				}
				return
			}
			for v := range 2 * span {
				try(append(times, v))
			}
		}
		try(nil)
		leastCost(known, ds)
		sum, ok := total(known)
		if !ok || sum != best {
			t.Fatalf("seed %d: %v has times %v of cost %d (kept: %v), the least is %d", seed, ds, known, sum, ok, best)
		}
	}
}

// TestBalance: of every kernel no more bits wait than when all units fire as early as they can,
// of most kernels with conditions fewer, and no token is taken before it arrives.
func TestBalance(t *testing.T) {
	files, err := filepath.Glob(testkit.Testdata(t, "kernels", "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatal("no kernels", err)
	}
	smaller := 0
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		mod, err := mlir.ParseAndVerify(path, string(src))
		if err != nil {
			t.Fatal(err)
		}
		low, err := lower.Lower(mod, lower.Options{IndexWidth: 32, MemoryOrder: "pipelined"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = Build(low.Func, Options{IndexWidth: 32, Place: func(c *Circuit, o Options) error {
			cutLoops(c)
			s := newSchedule(c, o)
			s.solve()
			early := s.bits()
			s.balance()
			if n := s.bits(); n > early {
				t.Errorf("%s: %d bits wait, %d if all units fire early", c.Name, n, early)
			} else if n < early {
				smaller++
				t.Logf("%s: %d bits wait, %d if all units fire early", c.Name, n, early)
			}
			for _, ch := range c.Channels {
				if inner(ch) && !starts(ch) && s.leaves(ch) < s.arrives(ch) {
					t.Errorf("%s: %s is taken %d cycles before it arrives", c.Name, ch.Name, s.arrives(ch)-s.leaves(ch))
				}
			}
			return Place(c, o)
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if smaller == 0 {
		t.Error("no kernel has smaller buffers")
	}
}
