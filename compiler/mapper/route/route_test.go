package route_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/mapper/place"
	"loom/compiler/mapper/route"
	"loom/internal/fabtest"
	"loom/internal/testkit"
)

// ends are the tracks at the outputs and inputs of a PE.
func ends(g *route.Graph, c *arch.Component) (outs, ins []int) {
	for p := range c.Out {
		outs = append(outs, g.From(c, p))
	}
	for p := range c.In {
		ins = append(ins, g.To(c, p))
	}
	return
}

func TestGraph(t *testing.T) {
	f := fabtest.Mesh(fabtest.Options{Rows: 2, Cols: 2, Ins: 1, Outs: 1, Depth: 3})
	g := route.NewGraph(f)
	in := g.Tracks[g.From(nil, 0)]
	if in.Latency != 0 || in.Width != 64 || in.Dst.Comp.Kind != arch.SpatialSwitch {
		t.Errorf("boundary track %+v", in)
	}
	for _, c := range f.Comps {
		if c.Kind != arch.SpatialPE {
			continue
		}
		_, ins := ends(g, c)
		for _, i := range ins {
			if tr := g.Tracks[i]; tr.Latency != 1 || tr.Slots != 3 || len(tr.Chans) != 2 {
				t.Errorf("track to a PE: %+v", tr)
			}
		}
	}
	for i, tr := range g.Tracks {
		if tr.ID != i || tr.Src.Comp != nil && tr.Src.Comp.Kind == arch.FIFO {
			t.Errorf("track %d: %+v", i, tr)
		}
	}
}

// TestRoutesAreLegal routes random nets and checks the trees: a start of the
// net, steps that switches have, an end of each sink, no track with two nets.
func TestRoutesAreLegal(t *testing.T) {
	f := fabtest.Mesh(fabtest.Options{Rows: 6, Cols: 6, Ins: 1, Outs: 1})
	g := route.NewGraph(f)
	var pes []*arch.Component
	for _, c := range f.Comps {
		if c.Kind == arch.SpatialPE {
			pes = append(pes, c)
		}
	}
	for seed := range uint64(10) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := place.NewRNG(seed)
			var nets []route.Net
			free := map[int]int{}
			for n := range 30 {
				outs, _ := ends(g, pes[n])
				net := route.Net{Sources: outs, Width: 32}
				for range 1 + r.Intn(3) {
					to := r.Intn(len(pes))
					if free[to] == 3 {
						continue
					}
					free[to]++
					_, ins := ends(g, pes[to])
					net.Sinks = append(net.Sinks, route.Sink{Targets: ins, Dist: g.DistTo(ins), Crit: int64(r.Intn(257))})
				}
				if len(net.Sinks) > 0 {
					nets = append(nets, net)
				}
			}
			trees, fail := route.Route(g, nets, route.Options{Iterations: 60})
			if fail != nil {
				t.Fatalf("%+v", fail)
			}
			owner := map[int]int{}
			before := map[int]int{}
			for n, tree := range trees {
				leaves, starts := map[int]bool{}, map[int]bool{}
				for k, s := range nets[n].Sinks {
					path := tree.Path(k)
					for i, tr := range path {
						if o, taken := owner[tr]; taken && o != n {
							t.Errorf("track %d carries nets %d and %d", tr, o, n)
						}
						owner[tr] = n
						if i > 0 && !slices.Contains(g.Next(path[i-1]), int32(tr)) {
							t.Errorf("net %d goes from track %d to %d, which no switch does", n, path[i-1], tr)
						}
						if i > 0 && before[tr] != path[i-1] && before[tr] != 0 {
							t.Errorf("net %d comes to track %d from %d and from %d", n, tr, before[tr], path[i-1])
						}
						if i > 0 {
							before[tr] = path[i-1]
						}
					}
					starts[path[0]] = true
					last := path[len(path)-1]
					if s.Dist[last] != 0 || leaves[last] {
						t.Errorf("net %d, sink %d: path %v", n, k, path)
					}
					leaves[last] = true
				}
				if len(starts) != 1 || !slices.Contains(nets[n].Sources, slices.Collect(maps.Keys(starts))[0]) {
					t.Errorf("net %d starts on tracks %v, it has %v", n, starts, nets[n].Sources)
				}
			}
		})
	}
}

// TestWidth: narrow channels do not carry wide values.
func TestWidth(t *testing.T) {
	f := fabtest.Mesh(fabtest.Options{Rows: 2, Cols: 2, Ins: 1, Outs: 1})
	for _, ch := range f.Channels {
		if c := ch.Src.Comp; c != nil && c.Kind == arch.SpatialSwitch {
			ch.Width = 16
		}
	}
	g := route.NewGraph(f)
	pe := f.Comps[9]
	outs, ins := ends(g, pe)
	for width, want := range map[int]bool{16: true, 17: false} {
		_, fail := route.Route(g, []route.Net{{Sources: outs, Width: width, Sinks: []route.Sink{{Targets: ins, Dist: g.DistTo(ins)}}}}, route.Options{Iterations: 3})
		if (fail == nil) != want {
			t.Errorf("width %d: %+v", width, fail)
		}
		if !want && len(fail.Unreachable) != 1 {
			t.Errorf("failure %+v", fail)
		}
	}
}

// TestCongestion: more nets than inputs cannot be routed, and the failure states
// where.
func TestCongestion(t *testing.T) {
	f := fabtest.Mesh(fabtest.Options{Rows: 2, Cols: 2, Ins: 1, Outs: 1})
	g := route.NewGraph(f)
	var pes []*arch.Component
	for _, c := range f.Comps {
		if c.Kind == arch.SpatialPE {
			pes = append(pes, c)
		}
	}
	_, ins := ends(g, pes[0])
	var nets []route.Net
	for _, pe := range pes {
		outs, _ := ends(g, pe)
		for range 2 {
			nets = append(nets, route.Net{Sources: outs, Width: 1, Sinks: []route.Sink{{Targets: ins, Dist: g.DistTo(ins)}}})
		}
	}
	_, fail := route.Route(g, nets, route.Options{Iterations: 10})
	if fail == nil || len(fail.Overused) == 0 {
		t.Fatalf("%+v", fail)
	}
	for _, o := range fail.Overused {
		if len(o.Nets) < 2 {
			t.Errorf("%+v", o)
		}
	}
}

// TestDistOf: a net alone takes as many tracks as the distance of its width says; tokens have ways that words have not.
func TestDistOf(t *testing.T) {
	f := testkit.Fabric(t, "mesh4x4")
	g := route.NewGraph(f)
	var pes []*arch.Component
	for _, c := range f.Comps {
		if c.GeneralPE() {
			pes = append(pes, c)
		}
	}
	nets, longer := 0, 0
	for _, from := range pes {
		for _, to := range pes {
			var shortest [2]int32
			for i, bits := range []int{1, 2} {
				sources, _ := ends(g, from)
				_, targets := ends(g, to)
				targets = slices.DeleteFunc(slices.Clone(targets), func(x int) bool { return g.Tracks[x].Width < bits })
				dist := g.DistOf(targets, bits)
				d := route.Far
				for _, s := range sources {
					d = min(d, dist[s])
				}
				shortest[i] = d
				if bits == 1 || from == to || d == route.Far {
					continue
				}
				trees, fail := route.Route(g, []route.Net{{Sources: sources, Width: bits, Sinks: []route.Sink{{Targets: targets, Dist: g.DistTo(targets)}}}}, route.Options{Iterations: 3})
				if fail != nil {
					t.Fatalf("%s to %s: %+v", from.Name, to.Name, fail)
				}
				if got := int32(len(trees[0].Path(0)) - 1); got != d {
					t.Errorf("%s to %s: a word takes %d tracks behind the first, its distance is %d", from.Name, to.Name, got, d)
				}
				nets++
			}
			if shortest[0] < shortest[1] {
				longer++
			}
		}
	}
	if nets < 50 || longer < 20 {
		t.Errorf("%d words routed, %d of them farther than tokens", nets, longer)
	}
}
