// Package search is a multi-objective evolutionary search over vectors of choices, after NSGA-II: a population
// is sorted by Pareto rank and crowding, parents are chosen in tournaments, and children are made by uniform
// crossover and mutation. It knows nothing of what the choices mean.
//
// It depends on the seed and on what it is told about individuals alone: not on the clock, on the order in
// which evaluations end, or on the order of maps.
//
// Source: Deb, Pratap, Agarwal, Meyarivan, "A fast and elitist multiobjective genetic algorithm: NSGA-II", IEEE
// Transactions on Evolutionary Computation 6(2), 2002; constrained domination as there, with classes in place
// of one sum of violations.
package search

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Individual is a vector of choices and what is known about it.
type Individual struct {
	Genes []int
	// Class says how far its evaluation has come, 0 to the end. Of two classes the lower is better,
	// whatever the rest: within a class above 0, less Violation is.
	Class     int
	Violation float64
	// Objectives are minimised.
	Objectives []float64
	// Hints are changes that would help it: what it is short of.
	Hints []Hint
}

// Hint is a change of one of several genes.
type Hint struct {
	Genes []int
	// Steps are added to one of them.
	Steps int
}

// Dominates reports whether a is better than b in some objective and worse in none.
func Dominates(a, b []float64) bool {
	better := false
	for i := range a {
		switch {
		case a[i] > b[i]:
			return false
		case a[i] < b[i]:
			better = true
		}
	}
	return better
}

// Front are the indices of the individuals of class 0 that no other one dominates.
func Front(all []Individual) []int {
	var out []int
	for i := range all {
		dominated := all[i].Class != 0 || slices.ContainsFunc(all, func(o Individual) bool {
			return o.Class == 0 && Dominates(o.Objectives, all[i].Objectives)
		})
		if !dominated {
			out = append(out, i)
		}
	}
	return out
}

// ranked is an individual with its place among others.
type ranked struct {
	*Individual
	rank     int
	crowding float64
}

func better(a, b ranked) int {
	return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.violation(), b.violation()), cmp.Compare(a.rank, b.rank), cmp.Compare(b.crowding, a.crowding),
		slices.Compare(a.Genes, b.Genes))
}

func (r ranked) violation() float64 {
	if r.Class == 0 {
		return 0
	}
	return r.Violation
}

// sortAll sorts individuals, the best first.
func sortAll(all []Individual) []ranked {
	out := make([]ranked, len(all))
	for i := range all {
		out[i] = ranked{Individual: &all[i]}
	}
	// Ranks within a class and violation, front by front.
	var left []int
	for i := range out {
		left = append(left, i)
	}
	for rank := 0; len(left) > 0; rank++ {
		var front, rest []int
		for _, i := range left {
			dominated := slices.ContainsFunc(left, func(j int) bool {
				return out[j].Class == out[i].Class && out[j].violation() == out[i].violation() && Dominates(out[j].Objectives, out[i].Objectives)
			})
			if dominated {
				rest = append(rest, i)
			} else {
				front = append(front, i)
				out[i].rank = rank
			}
		}
		crowd(out, front)
		left = rest
	}
	slices.SortStableFunc(out, better)
	return out
}

// crowd sets the crowding distances within a front: the size of the box between the neighbours.
func crowd(all []ranked, front []int) {
	if len(front) == 0 {
		return
	}
	for k := range all[front[0]].Objectives {
		order := slices.Clone(front)
		value := func(i int) float64 {
			if k < len(all[i].Objectives) {
				return all[i].Objectives[k]
			}
			return 0
		}
		slices.SortStableFunc(order, func(i, j int) int {
			return cmp.Or(cmp.Compare(value(i), value(j)), slices.Compare(all[i].Genes, all[j].Genes))
		})
		first, last := order[0], order[len(order)-1]
		extent := value(last) - value(first)
		all[first].crowding, all[last].crowding = math.Inf(1), math.Inf(1)
		for n := 1; n+1 < len(order) && extent > 0; n++ {
			all[order[n]].crowding += (value(order[n+1]) - value(order[n-1])) / extent
		}
	}
}

// Select keeps the n best: a quarter by the first objective, the others by rank and crowding.
func Select(all []Individual, n int) []Individual {
	sorted := sortAll(all)
	first := slices.Clone(sorted)
	slices.SortStableFunc(first, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.violation(), b.violation()), slices.Compare(a.Objectives, b.Objectives), slices.Compare(a.Genes, b.Genes))
	})
	var out []Individual
	taken := map[*Individual]bool{}
	for _, r := range append(first[:min(n/4, len(first))], sorted...) {
		if len(out) < n && !taken[r.Individual] {
			taken[r.Individual] = true
			out = append(out, *r.Individual)
		}
	}
	return out
}

// Search makes individuals.
type Search struct {
	// Sizes are the numbers of choices of each gene, Ordered those whose choices are numbers.
	Sizes   []int
	Ordered []bool
	rng     *rand.Rand
	seen    map[string]bool
}

// New starts a search.
func New(seed uint64, sizes []int, ordered []bool) *Search {
	return &Search{Sizes: sizes, Ordered: ordered, rng: rand.New(rand.NewPCG(seed, 0x10091e5)), seen: map[string]bool{}}
}

// add notes a vector; it is false where it was made before.
func (s *Search) add(genes []int) bool {
	key := make([]byte, 0, 2*len(genes))
	for _, g := range genes {
		key = append(key, byte(g), byte(g>>8))
	}
	if s.seen[string(key)] {
		return false
	}
	s.seen[string(key)] = true
	return true
}

// Initial makes the first n individuals: the given one, others around it, and as many anywhere.
func (s *Search) Initial(given []int, n int) [][]int {
	out := [][]int{given}
	s.add(given)
	for try := 0; len(out) < n && try < 50*n; try++ {
		genes := slices.Clone(given)
		for i := range genes {
			if len(out)%2 == 0 || s.rng.IntN(3) == 0 {
				genes[i] = s.rng.IntN(s.Sizes[i])
			}
		}
		if s.add(genes) {
			out = append(out, genes)
		}
	}
	return out
}

// Least makes up to n individuals to grow from: the one with the least of every number, and others near it.
func (s *Search) Least(given []int, n int) [][]int {
	var out [][]int
	for try := 0; len(out) < n && try < 50*n; try++ {
		genes := slices.Clone(given)
		for i := range genes {
			switch {
			case !s.Ordered[i] && try > 0:
				genes[i] = s.rng.IntN(s.Sizes[i])
			case s.Ordered[i]:
				genes[i] = 0
				if try > 0 {
					genes[i] = s.rng.IntN(max((s.Sizes[i]+1)/2, 1))
				}
			}
		}
		if s.add(genes) {
			out = append(out, genes)
		}
	}
	return out
}

// Grow is an individual with all that it is short of, nil where it is short of nothing that a gene could give.
func (s *Search) Grow(of Individual) []int {
	genes := slices.Clone(of.Genes)
	s.supply(genes, of.Hints, 1)
	if s.add(genes) {
		return genes
	}
	return nil
}

// supply applies hints, each with one of n chances against.
func (s *Search) supply(genes []int, hints []Hint, n int) {
	for _, h := range hints {
		// Of several genes that would do one that is not at its end.
		var open []int
		for _, g := range h.Genes {
			if clamp(genes[g]+h.Steps, s.Sizes[g]) != genes[g] {
				open = append(open, g)
			}
		}
		if len(open) > 0 && (n == 1 || s.rng.IntN(n) > 0) {
			g := open[s.rng.IntN(len(open))]
			genes[g] = clamp(genes[g]+h.Steps, s.Sizes[g])
		}
	}
}

// Next makes n individuals that were not made before from a population; fewer where the space is used up.
func (s *Search) Next(population []Individual, n int) [][]int {
	sorted := sortAll(population)
	if len(sorted) == 0 {
		return nil
	}
	// Half of the parents are chosen by Pareto rank, and half by the first objective, which decides in the end: the front
	// keeps its width, and does not take all evaluations.
	first := slices.Clone(sorted)
	slices.SortStableFunc(first, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.violation(), b.violation()), slices.Compare(a.Objectives, b.Objectives), slices.Compare(a.Genes, b.Genes))
	})
	parent := func() ranked { // the better of two: they are sorted
		i := min(s.rng.IntN(len(sorted)), s.rng.IntN(len(sorted)))
		if s.rng.IntN(2) == 0 {
			return first[i/2]
		}
		return sorted[i]
	}
	var out [][]int
	for try := 0; len(out) < n && try < 50*n; try++ {
		a, b := parent(), parent()
		genes := slices.Clone(a.Genes)
		switch way := s.rng.IntN(10); {
		case len(a.Hints) > 0 && way < 7:
			s.supply(genes, a.Hints, 5)
		case way < 5:
			for i := range genes {
				if s.rng.IntN(2) == 0 {
					genes[i] = b.Genes[i]
				}
			}
			s.mutate(genes)
		case way < 8:
			s.shrink(genes)
		default:
			s.mutate(genes)
		}
		if s.add(genes) {
			out = append(out, genes)
		}
	}
	return out
}

// shrink takes a little of some numbers: what is smaller is cheaper in most architectures.
func (s *Search) shrink(genes []int) {
	for i := range genes {
		if s.Ordered[i] && s.rng.IntN(6) == 0 {
			genes[i] = clamp(genes[i]-1-s.rng.IntN(max(s.Sizes[i]/8, 1)), s.Sizes[i])
		}
	}
}

// mutate changes one or two genes, rarely more: numbers mostly to one nearby.
func (s *Search) mutate(genes []int) {
	for i := range genes {
		if s.Sizes[i] < 2 || s.rng.IntN(2*len(genes)) >= 3 {
			continue
		}
		switch {
		case s.Ordered[i] && s.rng.IntN(5) > 0:
			step := 1 + s.rng.IntN(max(s.Sizes[i]/6, 1))
			if s.rng.IntN(5) < 3 { // less is cheaper in most architectures
				step = -step
			}
			genes[i] = clamp(genes[i]+step, s.Sizes[i])
		default:
			genes[i] = s.rng.IntN(s.Sizes[i])
		}
	}
}

func clamp(v, size int) int { return min(max(v, 0), size-1) }
