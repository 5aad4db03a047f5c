package mapper

import (
	"sync"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/latency"
	"loom/compiler/mapper/place"
	"loom/compiler/mapper/route"
	"loom/compiler/mapper/tech"
	"loom/compiler/mapping"
)

// Target is a fabric with what all mappings onto it share. The fabric must not change once it has one.
type Target struct {
	fabric *arch.Fabric
	// tables are made for the first kernel that has the units that it needs.
	tables func() *tables
}

// NewTarget prepares a fabric for mapping.
func NewTarget(f *arch.Fabric) *Target {
	return &Target{f, sync.OnceValue(func() *tables { return newTables(f) })}
}

// tables are the same for all mappings onto a fabric, whatever the kernel: the graph that routes take, the distances between sites, the
// layout of the configuration.
type tables struct {
	graph *route.Graph
	ins   [][]int // per site: tracks that end there (PEs: any port)
	outs  [][]int
	// toSite are the distances to what ends at a site, toTrack those to a track, as far as an attempt has asked for them.
	toSite, toTrack []distances
	// problem is a placement problem without a kernel.
	problem  place.Problem
	masters  map[*arch.Component]*arch.Master // of external memories
	hardware map[*arch.PESpec][]string        // of PEs that share: the key of the iterative hardware of every opcode
	layout   string                           // hash of the configuration layout
}

func newTables(f *arch.Fabric) *tables {
	sites := tech.Sites(f, arch.Bridges(f))
	t := &tables{graph: route.NewGraph(f), masters: f.MasterOf(), hardware: map[*arch.PESpec][]string{},
		layout: mapping.HashText(config.NewLayout(f).Hash)}
	for _, s := range sites {
		if s.Comp == nil || s.Comp.SharedUnits == "" || t.hardware[s.Comp.PE] != nil {
			continue
		}
		keys := make([]string, len(s.Comp.PE.FUs))
		for _, hw := range s.Comp.PE.Iterative() {
			for _, opcode := range hw.Units {
				keys[opcode] = hw.Key
			}
		}
		t.hardware[s.Comp.PE] = keys
	}
	t.siteTracks(sites)
	t.toSite, t.toTrack = make([]distances, len(sites)), make([]distances, len(t.graph.Tracks))
	t.problem = place.Problem{Sites: len(sites)}
	for _, s := range sites {
		t.problem.Bay, t.problem.Tied = append(t.problem.Bay, s.Mem), append(t.problem.Tied, s.Unit)
	}
	t.clusters(sites)
	t.distances(sites)
	return t
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

// siteTracks finds the tracks that begin and end at every site.
func (t *tables) siteTracks(sites []tech.Site) {
	t.ins, t.outs = make([][]int, len(sites)), make([][]int, len(sites))
	add := func(list *[]int, track int) {
		if track >= 0 {
			*list = append(*list, track)
		}
	}
	for s, site := range sites {
		switch site.Kind {
		case tech.ArgIn:
			add(&t.outs[s], t.graph.From(nil, site.Index))
		case tech.ResOut:
			add(&t.ins[s], t.graph.To(nil, site.Index))
		case tech.Access:
			a := site.Access
			add(&t.ins[s], t.graph.To(site.Comp, a.Addr))
			if a.Store {
				add(&t.ins[s], t.graph.To(site.Comp, a.Data))
			} else {
				add(&t.outs[s], t.graph.From(site.Comp, a.Data))
			}
			add(&t.outs[s], t.graph.From(site.Comp, a.Done))
		default:
			for p := range site.Comp.In {
				add(&t.ins[s], t.graph.To(site.Comp, p))
			}
			for p := range site.Comp.Out {
				add(&t.outs[s], t.graph.From(site.Comp, p))
			}
		}
	}
}

// inputTime is the number of cycles from an input of a temporal PE to the operands that read it: those to the execution, and that.
const inputTime = latency.TemporalInput + 1

// distances fills in those between sites, in tracks.
func (t *tables) distances(sites []tech.Site) {
	p := &t.problem
	fill := func(of *place.Distances, b int, tracks []int, bits int) {
		dist := t.graph.DistOf(tracks, bits)
		for a := range sites {
			d := int32(place.Unreachable)
			for _, track := range t.outs[a] {
				d = min(d, dist[track])
			}
			if p.Cluster != nil && p.Cluster[b] >= 0 {
				d += inputTime
				if p.Cluster[a] == p.Cluster[b] {
					d = 0
				}
			}
			of.Set(a, b, d)
		}
	}
	p.Dist, p.WideDist = place.NewDistances(len(sites)), place.NewDistances(len(sites))
	fixed := func(s tech.Site) bool { return s.Comp != nil && s.Comp.PE != nil && s.Comp.PE.FixedPorts }
	for _, site := range sites {
		for fixed(site) && len(p.PortDist) < len(site.Comp.In) {
			p.PortDist, p.WidePortDist = append(p.PortDist, place.NewDistances(len(sites))), append(p.WidePortDist, place.NewDistances(len(sites)))
		}
	}
	for b, site := range sites {
		fill(p.Dist, b, t.ins[b], 1)
		fill(p.WideDist, b, t.ins[b], 2)
		if !fixed(site) {
			continue
		}
		for port := range site.Comp.In {
			fill(p.PortDist[port], b, ports(t.graph.To(site.Comp, port)), 1)
			fill(p.WidePortDist[port], b, ports(t.graph.To(site.Comp, port)), 2)
		}
	}
}

// clusters are the temporal PEs, whose instructions have their ports and constants together.
func (t *tables) clusters(sites []tech.Site) {
	p := &t.problem
	of := map[*arch.Component]int{}
	for s, site := range sites {
		if site.Comp == nil || site.Comp.TPE == nil {
			continue
		}
		if p.Cluster == nil {
			p.Cluster = make([]int, len(sites))
			for i := range p.Cluster {
				p.Cluster[i] = -1
			}
		}
		c, known := of[site.Comp]
		if !known {
			c = len(p.Limits)
			of[site.Comp] = c
			l := place.Limits{Words: site.Comp.TPE.Constants}
			count := func(ports []arch.Port, words, tokens *int) {
				for _, x := range ports {
					switch {
					case x.Chan == nil:
					case x.Width > 1:
						*words++
					default:
						*tokens++
					}
				}
			}
			count(site.Comp.In, &l.Ins, &l.TokenIns)
			count(site.Comp.Out, &l.Outs, &l.TokenOuts)
			p.Limits = append(p.Limits, l)
		}
		p.Cluster[s] = c
	}
}

// ports is the track at the one port that will do, none if it is -1.
func ports(track int) []int {
	if track < 0 {
		return nil
	}
	return []int{track}
}

// distTo are the distances to one track or none.
func (t *tables) distTo(tracks []int) []int32 {
	if len(tracks) == 0 {
		return t.graph.DistTo(nil)
	}
	return t.toTrack[tracks[0]].get(t.graph, tracks)
}
