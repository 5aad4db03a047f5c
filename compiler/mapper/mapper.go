// Package mapper maps a dataflow graph onto a fabric: technology mapping,
// placement, routing, configuration and timing. When a graph
// does not fit, the error reports what is missing.
//
//	tech    which function unit can execute which operation, which memory can
//	        hold which arrays; what is short
//	place   simulated annealing
//	route   negotiated congestion
//	timing  recurrences
//	check   independent verification; shares no code with the others
//
// The result depends on the inputs, the latencies, the seed and the effort alone:
// not on the clock, the number of workers or the order of maps.
//
// Source: design page "Mapper".
package mapper

import (
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/mapper/check"
	"loom/compiler/mapper/place"
	"loom/compiler/mapper/route"
	"loom/compiler/mapper/tech"
	"loom/compiler/mapper/timing"
	"loom/compiler/mapping"
)

// Effort describes how hard the mapper tries, in moves and iterations.
type Effort struct {
	// Attempts is how many placements are tried before giving up.
	Attempts int
	// Candidates is how many of the first attempts are always made; the fastest
	// mapping among them wins. Later attempts are made only while none routes.
	Candidates int
	// Improvements is how many of the first attempts are made if in the fastest of the candidates an innermost loop
	// is slower than the ports and units that its operations share: then placement and routes decide. Where loads can be wires, those with units
	// for all loads count, too.
	Improvements int
	// Moves is the number of annealing moves per node and temperature; where a placement is refined it is half of them.
	Moves int
	// Cooling is the temperature factor per step in percent, 50…99.
	Cooling int
	// Iterations is the number of rip-up rounds of the router per attempt.
	Iterations int
}

// DefaultEffort maps kernels of a hundred operations in about a second.
var DefaultEffort = Effort{Attempts: 24, Candidates: 6, Improvements: 12, Moves: 120, Cooling: 90, Iterations: 100}

// Options are the mapper's parameters.
type Options struct {
	// Seed selects the random numbers of placement.
	Seed uint64
	// Budget is the wall-clock limit at which mapping fails with an error; zero
	// means none. It never changes a mapping that is found, but for whether there is time to look for faster recurrences
	// and to divide arrays among more memories after that.
	Budget time.Duration
	// Stop, when it is closed, ends the search as if the time were over; nil is never.
	Stop <-chan struct{}
	// Effort bounds the search; the zero value means DefaultEffort.
	Effort Effort
	// Jobs is the number of placements tried at the same time; less than 1 means
	// one. It changes the time mapping takes, not its result.
	Jobs int
	// Latency is the memory that placements are rated and intervals stated for; it
	// may change the mapping. The zero value assumes latency.Default.
	Latency latency.Model
	// Progress, when set, is called with a line per step for display.
	Progress func(string)
}

// Result is a finished, checked mapping.
type Result struct {
	Mapping *mapping.Mapping
	Image   *config.Image
	Binding *mapping.Binding
}

// errBudget is the message with which Map gives up at its wall-clock limit.
const errBudget = "no mapping found within the time budget of %s"

// Map places and routes a handshake.func on a fabric. The error is a *tech.Misfit, what
// the fabric lacks, or an *Unroutable, where routes are congested; both hold a diag.List. Where an innermost loop waits for the port of
// a memory for several accesses to one array, that is divided among several memories if the fabric has them and the loop is faster for it.
func Map(fn *ir.Operation, f *arch.Fabric, opts Options) (*Result, error) {
	return NewTarget(f).Map(fn, opts)
}

// Map is Map of the package onto the fabric of the target.
func (on *Target) Map(fn *ir.Operation, opts Options) (*Result, error) {
	if opts.Effort == (Effort{}) {
		opts.Effort = DefaultEffort
	}
	if opts.Progress == nil {
		opts.Progress = func(string) {}
	}
	var deadline time.Time
	if opts.Budget > 0 {
		deadline = time.Now().Add(opts.Budget)
	}
	res, err := search(fn, on, opts, false, deadline)
	if err != nil || !waits(res.Mapping, on.fabric) || !deadline.IsZero() && time.Now().After(deadline) {
		return res, err
	}
	more, err := search(fn, on, opts, true, deadline)
	if err != nil || more.Mapping.Timing.Interval() >= res.Mapping.Timing.Interval() {
		return res, nil
	}
	return more, nil
}

// waits reports whether an innermost loop would be faster if a memory had more ports. What a read cache holds is not divided: each
// memory would read it.
func waits(m *mapping.Mapping, f *arch.Fabric) bool {
	if slices.ContainsFunc(f.Comps, func(c *arch.Component) bool { return c.Mem != nil && c.Mem.Cache > 0 }) {
		return false
	}
	return slices.ContainsFunc(m.Timing.Loops, func(l mapping.Loop) bool {
		return l.Innermost && l.II.Tokens > 0 && float64(l.Memory) > max(l.Recurrence.Float(), l.Lane.Float(), float64(max(l.Unit, 1)))
	})
}

// search maps a graph, with arrays divided among several memories if spread is set. Where loads can be wires and yet a recurrence limits
// the fastest candidate, or none can be routed, those with units for all of them are looked at, too: near a memory there are more PEs than links.
func search(fn *ir.Operation, on *Target, opts Options, spread bool, deadline time.Time) (*Result, error) {
	m, made, err := begin(fn, on, opts, tech.Options{Spread: spread}, deadline)
	if err != nil {
		return nil, err
	}
	best, all := fastest(made), len(made)
	if m.PassesLoads() && (best == nil || best.improvable) && !m.expired() {
		units, others, err := begin(fn, on, opts, tech.Options{Spread: spread, Units: true}, deadline)
		if b := fastest(others); err == nil && b != nil && (best == nil || b.cost.less(best.cost)) {
			m, made, best = units, others, b
		}
		all += len(others)
	}
	if best == nil {
		if made, err = m.more(made); err != nil {
			return nil, err
		}
		if best = fastest(made); best == nil {
			return nil, m.explain(made)
		}
	}
	return m.finish(m.improve(best, len(made), m.opts.Effort.Improvements-all))
}

// begin matches a graph with a fabric and makes the candidates. If none of them can be routed it makes more attempts until one can be, but not
// where loads that are wires may be why.
func begin(fn *ir.Operation, on *Target, opts Options, how tech.Options, deadline time.Time) (*mapper, []*attempt, error) {
	t, err := tech.MapBy(fn, on.fabric, how)
	if err != nil {
		return nil, nil, err
	}
	opts.Progress(fmt.Sprintf("technology mapping: %d nodes, %d nets", len(t.Nodes), len(t.Nets)))
	m := newMapper(on, t, opts)
	m.deadline = deadline
	opts.Progress("allocation: " + t.Describe(t.Allocate(place.NewRNG(opts.Seed))))
	n := max(opts.Effort.Attempts, 1)
	candidates := min(max(opts.Effort.Candidates, 1), n)
	if t.PassesLoads() {
		n = candidates
	}
	made := m.attempts(0, n, candidates)
	if slices.ContainsFunc(made, (*attempt).stopped) {
		return nil, nil, m.outOfTime()
	}
	return m, made, nil
}

// more makes the attempts that are left behind those made, until one can be routed.
func (m *mapper) more(made []*attempt) ([]*attempt, error) {
	n := max(m.opts.Effort.Attempts, 1) - len(made)
	if n <= 0 {
		return made, nil
	}
	again := m.attempts(len(made), n, 0)
	if slices.ContainsFunc(again, (*attempt).stopped) {
		return nil, m.outOfTime()
	}
	return append(made, again...), nil
}

// mapper holds what all attempts share; it is not changed by them.
type mapper struct {
	*tech.Tech
	*tables
	opts        Options
	timing      *timing.Graph
	problem     *place.Problem
	unitLatency [][]int16 // by node and site
	deadline    time.Time
}

func newMapper(on *Target, t *tech.Tech, opts Options) *mapper {
	m := &mapper{Tech: t, tables: on.tables(), opts: opts, timing: timing.Build(t.Netlist)}
	t.Share(m.timing.Access)
	m.unitLatency = m.unitLatencies()
	m.problem = m.placement()
	return m
}

// routing states the routing problem for a placement.
func (m *mapper) routing(site []int) []route.Net {
	var out []route.Net
	crit := m.criticality(site)
	for _, net := range m.Nets {
		rn := route.Net{Width: net.Width, Sources: m.sources(net, site[net.Src.Node])}
		leaves := m.leaves(net, site)
		for k, s := range net.Sinks {
			if leaves[k] != len(rn.Sinks) {
				continue // within a temporal PE, or at an input of one that is a sink already
			}
			targets, dist := m.targets(s, site[s.Node])
			rn.Sinks = append(rn.Sinks, route.Sink{Targets: targets, Dist: dist, Crit: crit[net.ID][k] * 3 / 4})
		}
		out = append(out, rn)
	}
	return out
}

// inside is set for a sink that no route leads to: it is in the temporal PE that the net comes from.
const inside = -1

// leaves are the routes that lead to the sinks of a net: all sinks in a temporal PE have one together, or are inside.
func (m *mapper) leaves(net *tech.Net, site []int) []int {
	out := make([]int, len(net.Sinks))
	from := m.Sites[site[net.Src.Node]].Comp
	n := 0
	for k, s := range net.Sinks {
		c := m.Sites[site[s.Node]].Comp
		out[k] = n
		if c != nil && c.TPE != nil {
			if c == from {
				out[k] = inside
				continue
			}
			same := slices.IndexFunc(net.Sinks[:k], func(x tech.Sink) bool { return m.Sites[site[x.Node]].Comp == c })
			if same >= 0 {
				out[k] = out[same]
				continue
			}
		}
		n++
	}
	return out
}

// sources are the tracks a net may start on: any output of its PE, the one port
// of an access or boundary input.
func (m *mapper) sources(net *tech.Net, site int) []int {
	if m.Nodes[net.Src.Node].Kind != tech.Access {
		if c := m.Sites[site].Comp; c != nil && c.PE != nil && c.PE.FixedPorts {
			return ports(m.graph.From(c, m.Candidate(net.Src.Node, site).Out[net.Src.Port]))
		}
		return m.outs[site]
	}
	return ports(m.outTrack(site, net.Src.Port))
}

// targets are the tracks that end where a sink may be read, with their distance
// table.
func (m *mapper) targets(s tech.Sink, site int) ([]int, []int32) {
	if c := m.Sites[site].Comp; c != nil && c.PE != nil && c.PE.FixedPorts {
		tracks := ports(m.graph.To(c, m.Candidate(s.Node, site).In[s.Port]))
		return tracks, m.distTo(tracks)
	}
	if m.Nodes[s.Node].Kind != tech.Access {
		return m.ins[site], m.toSite[site].get(m.graph, m.ins[site])
	}
	tracks := ports(m.inTrack(site, s.Port))
	return tracks, m.distTo(tracks)
}

// finish writes the mapping down, checks it and builds the image.
func (m *mapper) finish(a *attempt) (*Result, error) {
	mp, err := m.emit(a)
	if err != nil {
		return nil, err
	}
	if err := check.Mapping(m.Fn, m.Fabric, mp); err != nil {
		return nil, err
	}
	img, err := mp.Image(m.Fabric)
	if err != nil {
		return nil, internal(m.Fn.Pos, err)
	}
	words := img.Encode()
	back, err := config.Decode(img.Layout, words)
	if err != nil {
		return nil, internal(m.Fn.Pos, err)
	}
	b, err := mp.Bind(m.Fn, m.Fabric)
	if err != nil {
		return nil, internal(m.Fn.Pos, err)
	}
	if err := check.Image(m.Fn, m.Fabric, back, b); err != nil {
		return nil, err
	}
	h := fnv.New64a()
	h.Write(mp.JSON())
	m.opts.Progress(fmt.Sprintf("mapped: %d of %d PEs, checksum %016x", mp.Utilization.PEs.Used, mp.Utilization.PEs.Total, h.Sum64()))
	return &Result{Mapping: mp, Image: back, Binding: b}, nil
}

// internal marks an error that the mapper itself is to blame for.
func internal(pos diag.Pos, err error) error {
	var l diag.List
	d := l.Errorf(pos, "mapper: %v", err)
	d.Severity = diag.Internal
	return &l
}
