package search

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFront(t *testing.T) {
	all := []Individual{
		{Objectives: []float64{1, 4}}, {Objectives: []float64{2, 2}}, {Objectives: []float64{2, 3}}, {Objectives: []float64{4, 1}},
		{Class: 1, Objectives: []float64{0, 0}}, {Objectives: []float64{2, 2}},
	}
	if diff := cmp.Diff([]int{0, 1, 3, 5}, Front(all)); diff != "" {
		t.Error(diff)
	}
}

// TestSelect: classes come before violations, these before ranks, and within a front its ends come first.
func TestSelect(t *testing.T) {
	all := []Individual{
		{Genes: []int{0}, Class: 2, Violation: 1, Objectives: []float64{0, 0}},
		{Genes: []int{1}, Objectives: []float64{5, 5}},
		{Genes: []int{2}, Class: 2, Violation: 0.5, Objectives: []float64{9, 9}},
		{Genes: []int{3}, Objectives: []float64{1, 9}},
		{Genes: []int{4}, Objectives: []float64{4.9, 5}},
		{Genes: []int{5}, Objectives: []float64{9, 1}},
	}
	var got []int
	for _, i := range Select(all, 6) {
		got = append(got, i.Genes[0])
	}
	if diff := cmp.Diff([]int{3, 5, 4, 1, 2, 0}, got); diff != "" {
		t.Error(diff)
	}
}

// cost is least at 7, 3, 5, and infeasible below 20 in all.
func cost(g []int) Individual {
	abs := func(x int) float64 { return float64(max(x, -x)) }
	i := Individual{Genes: g, Objectives: []float64{abs(g[0]-7) + abs(g[1]-3)*2, abs(g[2] - 5)}}
	if sum := g[0] + g[1] + g[2]; sum < 12 {
		i.Class, i.Violation, i.Hints = 3, float64(12-sum), []Hint{{[]int{0, 1, 2}, 12 - sum}}
	}
	return i
}

func run(seed uint64) (made [][]int, best Individual) {
	s := New(seed, []int{16, 16, 16}, []bool{true, true, false})
	var population []Individual
	for generation := range 12 {
		var next [][]int
		if generation == 0 {
			next = append(s.Least([]int{15, 15, 15}, 4), s.Initial([]int{15, 15, 15}, 8)...)
		} else {
			next = s.Next(population, 12)
		}
		for _, g := range next {
			made, population = append(made, g), append(population, cost(g))
		}
		population = Select(population, 12)
	}
	return made, population[0]
}

func TestSearch(t *testing.T) {
	made, best := run(1)
	again, _ := run(1)
	if diff := cmp.Diff(made, again); diff != "" {
		t.Error("one seed gives two searches:", diff)
	}
	if other, _ := run(2); slices.EqualFunc(made, other, slices.Equal[[]int]) {
		t.Error("two seeds give one search")
	}
	if best.Class != 0 || best.Objectives[0]+best.Objectives[1] > 4 {
		t.Errorf("the best of %d is %v", len(made), best)
	}
	seen := map[[3]int]bool{}
	for _, g := range made {
		if seen[[3]int(g)] {
			t.Errorf("%v is made twice", g)
		}
		seen[[3]int(g)] = true
		for _, v := range g {
			if v < 0 || v > 15 {
				t.Errorf("%v is out of bounds", g)
			}
		}
	}
}

// TestSmall: a space that is used up gives fewer, and does not hang.
func TestSmall(t *testing.T) {
	s := New(1, []int{2, 1}, []bool{true, true})
	first := s.Initial([]int{0, 0}, 10)
	if len(first) != 2 {
		t.Errorf("%v", first)
	}
	if next := s.Next([]Individual{{Genes: []int{0, 0}, Objectives: []float64{1}}}, 5); len(next) != 0 {
		t.Errorf("%v", next)
	}
	if g := s.Grow(Individual{Genes: []int{0, 0}, Hints: []Hint{{[]int{0, 1}, 1}}}); g != nil {
		t.Errorf("%v was made before", g)
	}
}

func BenchmarkSelect(b *testing.B) {
	for _, n := range []int{80, 800, 8000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			all := make([]Individual, n)
			for i := range all {
				x, y := rng.Float64(), rng.Float64()
				all[i] = Individual{Genes: []int{i}, Objectives: []float64{x * y, x, y}, Class: rng.IntN(3)}
			}
			for b.Loop() {
				Select(all, n/2)
			}
		})
	}
}
