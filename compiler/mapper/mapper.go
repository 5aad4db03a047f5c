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
	"sync"
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
	res, err := search(fn, f, opts, false, deadline)
	if err != nil || !waits(res.Mapping, f) || !deadline.IsZero() && time.Now().After(deadline) {
		return res, err
	}
	more, err := search(fn, f, opts, true, deadline)
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
func search(fn *ir.Operation, f *arch.Fabric, opts Options, spread bool, deadline time.Time) (*Result, error) {
	m, made, err := begin(fn, f, opts, tech.Options{Spread: spread}, deadline)
	if err != nil {
		return nil, err
	}
	best, all := fastest(made), len(made)
	if m.PassesLoads() && (best == nil || best.improvable) && !m.expired() {
		units, others, err := begin(fn, f, opts, tech.Options{Spread: spread, Units: true}, deadline)
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
func begin(fn *ir.Operation, f *arch.Fabric, opts Options, how tech.Options, deadline time.Time) (*mapper, []*attempt, error) {
	t, err := tech.MapBy(fn, f, how)
	if err != nil {
		return nil, nil, err
	}
	opts.Progress(fmt.Sprintf("technology mapping: %d nodes, %d nets", len(t.Nodes), len(t.Nets)))
	m := newMapper(t, opts)
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
	opts    Options
	graph   *route.Graph
	timing  *timing.Graph
	problem *place.Problem
	ins     [][]int // per site: tracks that end there (PEs: any port)
	outs    [][]int
	// toSite are the distances to what ends at a site, toTrack those to a track, as far as an attempt has asked for them.
	toSite, toTrack []distances
	unitLatency     [][]int16                        // by node and site
	masters         map[*arch.Component]*arch.Master // of external memories
	hardware        map[*arch.PESpec][]string        // of PEs that share: the key of the iterative hardware of every opcode
	layout          string                           // hash of the fabric's configuration layout
	deadline        time.Time
}

// distances are a table of route.Graph.DistTo, made when it is first asked for.
type distances struct {
	once sync.Once
	to   []int32
}

// get is the table to some tracks.
func (d *distances) get(g *route.Graph, targets []int) []int32 {
	d.once.Do(func() { d.to = g.DistTo(targets) })
	return d.to
}

func newMapper(t *tech.Tech, opts Options) *mapper {
	m := &mapper{Tech: t, opts: opts, graph: route.NewGraph(t.Fabric), timing: timing.Build(t.Netlist), masters: t.Fabric.MasterOf(),
		layout: mapping.HashText(config.NewLayout(t.Fabric).Hash)}
	t.Share(m.timing.Access)
	m.hardware = map[*arch.PESpec][]string{}
	for _, s := range m.Sites {
		if s.Comp == nil || s.Comp.SharedUnits == "" || m.hardware[s.Comp.PE] != nil {
			continue
		}
		keys := make([]string, len(s.Comp.PE.FUs))
		for _, hw := range s.Comp.PE.Iterative() {
			for _, opcode := range hw.Units {
				keys[opcode] = hw.Key
			}
		}
		m.hardware[s.Comp.PE] = keys
	}
	m.siteTracks()
	m.unitLatency = m.unitLatencies()
	m.toSite, m.toTrack = make([]distances, len(m.Sites)), make([]distances, len(m.graph.Tracks))
	m.problem = m.placement()
	m.problem.Prepare()
	return m
}

// siteTracks finds the tracks that begin and end at every site.
func (m *mapper) siteTracks() {
	m.ins, m.outs = make([][]int, len(m.Sites)), make([][]int, len(m.Sites))
	add := func(list *[]int, t int) {
		if t >= 0 {
			*list = append(*list, t)
		}
	}
	for s, site := range m.Sites {
		switch site.Kind {
		case tech.ArgIn:
			add(&m.outs[s], m.graph.From(nil, site.Index))
		case tech.ResOut:
			add(&m.ins[s], m.graph.To(nil, site.Index))
		case tech.Access:
			a := site.Access
			add(&m.ins[s], m.graph.To(site.Comp, a.Addr))
			if a.Store {
				add(&m.ins[s], m.graph.To(site.Comp, a.Data))
			} else {
				add(&m.outs[s], m.graph.From(site.Comp, a.Data))
			}
			add(&m.outs[s], m.graph.From(site.Comp, a.Done))
		default:
			for p := range site.Comp.In {
				add(&m.ins[s], m.graph.To(site.Comp, p))
			}
			for p := range site.Comp.Out {
				add(&m.outs[s], m.graph.From(site.Comp, p))
			}
		}
	}
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
			return m.ports(m.graph.From(c, m.Candidate(net.Src.Node, site).Out[net.Src.Port]))
		}
		return m.outs[site]
	}
	return m.ports(m.outTrack(site, net.Src.Port))
}

// ports is the track at the one port that will do, none if it is -1.
func (m *mapper) ports(track int) []int {
	if track < 0 {
		return nil
	}
	return []int{track}
}

// targets are the tracks that end where a sink may be read, with their distance
// table.
func (m *mapper) targets(s tech.Sink, site int) ([]int, []int32) {
	if c := m.Sites[site].Comp; c != nil && c.PE != nil && c.PE.FixedPorts {
		tracks := m.ports(m.graph.To(c, m.Candidate(s.Node, site).In[s.Port]))
		return tracks, m.distTo(tracks)
	}
	if m.Nodes[s.Node].Kind != tech.Access {
		return m.ins[site], m.toSite[site].get(m.graph, m.ins[site])
	}
	tracks := m.ports(m.inTrack(site, s.Port))
	return tracks, m.distTo(tracks)
}

// distTo are the distances to one track or none.
func (m *mapper) distTo(tracks []int) []int32 {
	if len(tracks) == 0 {
		return m.graph.DistTo(nil)
	}
	return m.toTrack[tracks[0]].get(m.graph, tracks)
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
