package mapper

import (
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"loom/compiler/mapper/place"
	"loom/compiler/mapper/route"
	"loom/compiler/mapper/timing"
)

// attempt is one placement and, when routing succeeded, its routes.
type attempt struct {
	number int
	site   []int
	trees  []*route.Tree
	fail   *route.Failure
	cost   cost
	// improvable is set where an innermost loop takes longer than what its operations share has them take, so that its placement and
	// its routes decide.
	improvable bool
}

// improve makes more attempts behind those made so far, of which the best is given, if a recurrence limits that, and returns the fastest of all.
func (m *mapper) improve(best *attempt, made, more int) *attempt {
	if more <= 0 || !best.improvable {
		return best
	}
	again := m.attempts(made, more, more)
	if slices.ContainsFunc(again, (*attempt).stopped) {
		return best
	}
	return fastest(append([]*attempt{best}, again...))
}

// attempts makes n attempts from first on at most, and all of the candidates, after which one that routes is
// the last. With several workers attempts run ahead; which there are depends on their numbers alone.
func (m *mapper) attempts(first, n, candidates int) []*attempt {
	made := make([]*attempt, n)
	jobs := min(max(m.opts.Jobs, 1), n)
	var next, limit atomic.Int64
	limit.Store(int64(n)) // attempts from here on are not needed
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range jobs {
		wg.Go(func() {
			for {
				i := next.Add(1) - 1
				if i >= limit.Load() {
					return
				}
				weigh := m.weigh
				if int(i) >= candidates {
					weigh = m.weighLess // none of them was routed
				}
				a := m.try(first+int(i), weigh, func() bool { return i >= limit.Load() || m.expired() })
				mu.Lock()
				made[i] = a
				if a.fail == nil {
					limit.Store(min(limit.Load(), max(int64(candidates), i+1)))
				}
				m.opts.Progress(m.describe(a))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return made[:limit.Load()]
}

// stopped reports whether there was no time for an attempt.
func (a *attempt) stopped() bool { return a == nil || a.fail != nil && a.fail.Stopped }

// fastest is the best of the attempts that were routed, the first of several, or nil.
func fastest(made []*attempt) *attempt {
	var best *attempt
	for _, a := range made {
		if a.fail == nil && (best == nil || a.cost.less(best.cost)) {
			best = a
		}
	}
	return best
}

// criticality rates the sinks of all nets for a placement. A hop is a register;
// a memory responds after some cycles.
func (m *mapper) criticality(site []int) [][]int64 {
	return m.timing.Criticality(func(a timing.Arc) int {
		net := m.Nets[a.From]
		to := net.Sinks[a.Sink].Node
		d := int(m.problem.Between(&m.problem.Nets[net.ID], a.Sink, site[net.Src.Node], site[to]))
		return d + m.siteLatency(to, net.Sinks[a.Sink].Port, site[to])
	})
}

// weigh turns criticality into weights for placement: its third and sixth power, so that what
// is close to the longest recurrence counts most.
func (m *mapper) weigh(site []int) [][]int64 {
	return m.weights(site, func(c int64) int64 {
		cube := c * c * c >> 16
		return 100*cube>>8 + 160*cube*cube>>16
	})
}

// weighLess is weigh for what is hard to route: the third power alone.
func (m *mapper) weighLess(site []int) [][]int64 {
	return m.weights(site, func(c int64) int64 { return 160 * c * c * c >> 24 })
}

// weights are those of all sinks for a placement, at least 2.
func (m *mapper) weights(site []int, of func(criticality int64) int64) [][]int64 {
	crit := m.criticality(site)
	for _, row := range crit {
		for k, c := range row {
			row[k] = 2 + of(c)
		}
	}
	return crit
}

func (m *mapper) expired() bool {
	select {
	case <-m.opts.Stop:
		return true
	default:
	}
	return !m.deadline.IsZero() && time.Now().After(m.deadline)
}

func (m *mapper) describe(a *attempt) string {
	switch {
	case a.fail == nil:
		h := fnv.New64a()
		for _, s := range a.site {
			fmt.Fprintf(h, "%d,", s)
		}
		return fmt.Sprintf("attempt %d: routed, placement %016x", a.number+1, h.Sum64())
	case a.fail.Stopped:
		return fmt.Sprintf("attempt %d: stopped", a.number+1)
	case len(a.fail.Unreachable) > 0:
		return fmt.Sprintf("attempt %d: a net cannot reach its reader", a.number+1)
	}
	return fmt.Sprintf("attempt %d: %d congested tracks", a.number+1, len(a.fail.Overused))
}

// try makes one placement and routes it.
func (m *mapper) try(number int, weigh func(site []int) [][]int64, stop func() bool) *attempt {
	seed := m.opts.Seed*1000003 + uint64(number)
	a := &attempt{number: number}
	mem := m.Allocate(place.NewRNG(seed ^ 0x2545f491))
	init := m.initial(seed, mem)
	e := m.opts.Effort
	p := *m.problem
	p.Fits = m.exchanges(mem)
	a.site = place.Anneal(&p, init, place.Options{Seed: seed, Moves: e.Moves, Cooling: e.Cooling, Stop: stop, Weigh: weigh})
	if stop() {
		a.fail = &route.Failure{Stopped: true}
		return a
	}
	m.route(a, stop)
	m.repair(a, place.Options{Seed: seed, Moves: e.Moves / 2, Cooling: e.Cooling, Refine: true, Stop: stop, Weigh: weigh})
	if a.fail == nil {
		m.time(a)
	}
	return a
}

// A placement of which no more tracks than repairable are congested is refined so many times.
const (
	repairs    = 8
	repairable = 16
	// congested is what a hop of a net that wanted such a track weighs more than others, in the units of weigh.
	congested = 32
)

// repair refines a placement that could almost be routed, with shorter ways for the nets that were in each other's.
func (m *mapper) repair(a *attempt, opts place.Options) {
	more := make([]int64, len(m.Nets))
	weigh := opts.Weigh
	opts.Weigh = func(site []int) [][]int64 {
		out := weigh(site)
		for net, w := range more {
			for k := range out[net] {
				out[net][k] += w
			}
		}
		return out
	}
	for range repairs {
		if a.fail == nil || a.fail.Stopped || len(a.fail.Overused) == 0 || len(a.fail.Overused) > repairable {
			return
		}
		for _, o := range a.fail.Overused {
			for _, net := range o.Nets {
				more[net] += congested
			}
		}
		q := *m.problem
		q.Fits = m.exchanges(m.homes(a.site))
		b := &attempt{number: a.number, site: place.Anneal(&q, a.site, opts)}
		if opts.Stop() {
			a.fail = &route.Failure{Stopped: true}
			return
		}
		if m.route(b, opts.Stop); b.fail == nil || b.fail.Stopped || worse(a.fail, b.fail) {
			*a = *b
		}
	}
}

// reroutes is how often a placement that could be routed is routed again, with what is critical of the routes
// that there are. Of 89 loops on mixed10x10, routes take 1.09 of the cycles that placement expects without, 1.07 with three,
// and no less with eight.
const reroutes = 3

// route routes a placement, and rates it by the fastest of its routings.
func (m *mapper) route(a *attempt, stop func() bool) {
	opts := route.Options{Iterations: m.opts.Effort.Iterations, Stop: stop}
	nets := m.routing(a.site)
	a.trees, a.fail = route.Route(m.graph, nets, opts)
	if a.fail != nil {
		return
	}
	a.cost = m.rate(a)
	again := *a
	for range reroutes {
		if !again.improvable {
			return
		}
		m.retime(nets, &again)
		if again.trees, again.fail = route.Route(m.graph, nets, opts); again.fail != nil {
			if again.fail.Stopped {
				a.fail = again.fail
			}
			return
		}
		if again.cost = m.rate(&again); again.cost.less(a.cost) {
			a.trees, a.cost, a.improvable = again.trees, again.cost, again.improvable
		}
	}
}

// retime states anew what is critical for nets, by the routes of an attempt: its fourth power, so that the longest
// recurrence takes the ways that it needs and all else makes room.
func (m *mapper) retime(nets []route.Net, a *attempt) {
	wires := m.wires(a)
	crit := m.timing.Criticality(func(arc timing.Arc) int { return m.routed(a, wires, arc) })
	for _, net := range m.Nets {
		sinks := nets[net.ID].Sinks
		leaves := m.leaves(net, a.site)
		for k := range sinks {
			sinks[k].Crit = 0
		}
		for k, l := range leaves {
			if l != inside {
				square := crit[net.ID][k] * crit[net.ID][k] >> 8
				sinks[l].Crit = max(sinks[l].Crit, 252*square*square>>16)
			}
		}
	}
}
