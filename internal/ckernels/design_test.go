package ckernels

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/config"
	"loom/compiler/cost"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/mapper"
	"loom/compiler/mapper/tech"
	"loom/sim/cycle"
)

// TestDesign looks for a better fabric of the size of an architecture file, LOOM_DESIGN, in which @{a|b|c} stands for a
// choice; the first is what the search begins with. It says how the mixed fabrics came to their PEs.
//
//	LOOM_DESIGN=testdata/mixed8x8.design LOOM_NEXT=150000 SECONDS=900 go test ./internal/ckernels -run 'TestDesign$' -v -timeout 1h
//
// In the first half of the time PEs and choices change, and technology mapping says which kernels have all they need: that
// takes a tenth of placement and routing, and sees nothing of the network, whose tracks stay as they are. A kernel that fits saves the logarithm of the area of LOOM_NEXT, the fabric that
// would take it otherwise, over that of this one; the sum grows. In the second half PEs change, and some swap places: first of all
// more of these kernels are routed, then the geometric mean of LUTs times cycles falls. A kernel is mapped again where a PE that it has
// lacks something of before, and all of them from time to time, as a kernel may be routed with what it was mapped to and not from its
// beginning. The result is beside the description, with .yaml behind its name, as soon as there is one. It depends on the time that
// the machine has; what comes out is an architecture file like any other.
//
// LOOM_KEEP names fabrics of docs/qor.md: all kernels that map on one of them fit and count, and no others. LOOM_LUTS ends the first half
// where the fabric is as small as that, so that what the network needs is not all gone. LUTs include dspLUTs for each DSP block.
func TestDesign(t *testing.T) {
	file := os.Getenv("LOOM_DESIGN")
	if file == "" {
		t.Skip("LOOM_DESIGN=FILE runs it, for SECONDS")
	}
	needTools(t)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	number := func(name string, otherwise float64) float64 {
		v, err := strconv.ParseFloat(cmp.Or(os.Getenv(name), fmt.Sprint(otherwise)), 64)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return v
	}
	s := &designer{t: t, next: number("LOOM_NEXT", 1e6), enough: number("LOOM_LUTS", 0), rng: rand.New(rand.NewPCG(uint64(number("SEED", 1)), 1)),
		graphs: map[string]*ir.Operation{}, kernels: slices.Concat(structured(t), load(t)), missed: map[*kernel]int{}}
	if name := os.Getenv("LOOM_KEEP"); name != "" {
		page, err := os.ReadFile(qorFile)
		if err != nil {
			t.Fatal(err)
		}
		pages := parseQoR(string(page))
		keep := map[string]qorRow{}
		for _, f := range strings.Fields(name) {
			if len(pages[f]) == 0 {
				t.Fatalf("LOOM_KEEP: no kernel of %s maps on %s", qorFile, f)
			}
			maps.Copy(keep, pages[f])
		}
		s.kernels = slices.DeleteFunc(s.kernels, func(k *kernel) bool { _, ok := keep[k.name]; return !ok })
		s.keep = true
	}
	d := s.parse(string(text))
	half := time.Duration(number("SECONDS", 600) * float64(time.Second) / 2)
	d = s.climb(d, half, s.change, s.fits)
	if math.IsInf(s.fits(d, 0), -1) { // which kernels: the last design that was tried may be another one
		t.Fatal("not all kernels of LOOM_KEEP have the units and memories that they need")
	}
	s.refine(d, half, func(d design) {
		if err := os.WriteFile(file+".yaml", []byte(s.text(d)), 0o644); err != nil {
			t.Fatal(err)
		}
	})
}

// design is an architecture: the PE template of every cell, and the choice at every hole.
type design struct {
	grid    []string
	choices []int
}

type designer struct {
	t       *testing.T
	base    string // the description without its pattern
	columns int
	holes   [][]string
	pes     []string // the templates
	next    float64
	enough  float64 // LUTs at which the first half ends
	keep    bool    // all kernels have to fit
	rng     *rand.Rand
	kernels []*kernel
	fitting []*kernel       // those that have to be routed
	missed  map[*kernel]int // how often a kernel was not routed
	mu      sync.Mutex
	graphs  map[string]*ir.Operation // by kernel and the units that its lowering looks at
}

var (
	hole     = regexp.MustCompile(`@\{([^}]*)\}`)
	template = regexp.MustCompile(`(?m)^  (\w+): \{units:`)
)

func (s *designer) parse(text string) design {
	base, pattern, ok := strings.Cut(text, "\npattern:\n")
	if !ok {
		s.t.Fatal("the description has no pattern at its end")
	}
	s.base = base
	var d design
	for line := range strings.Lines(pattern) {
		row := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("-[], \n", r) })
		d.grid, s.columns = append(d.grid, row...), max(s.columns, len(row))
	}
	for _, h := range hole.FindAllStringSubmatch(base, -1) {
		s.holes = append(s.holes, strings.Split(h[1], "|"))
	}
	for _, m := range template.FindAllStringSubmatch(base, -1) {
		s.pes = append(s.pes, m[1])
	}
	d.choices = make([]int, len(s.holes))
	return d
}

// text is the architecture file of a design.
func (s *designer) text(d design) string {
	n := -1
	var b strings.Builder
	b.WriteString(hole.ReplaceAllStringFunc(s.base, func(string) string { n++; return s.holes[n][d.choices[n]] }))
	b.WriteString("\npattern:\n")
	for row := range slices.Chunk(d.grid, s.columns) {
		b.WriteString("  - [" + strings.Join(row, ", ") + "]\n")
	}
	return b.String()
}

// dspLUTs is what a DSP block counts: devices have some two hundred look-up tables for each, and multipliers would be PEs for free.
const dspLUTs = 150

// build makes the fabric of a design, and its area in look-up tables; nil where it is no fabric.
func (s *designer) build(d design) (*arch.Fabric, float64) {
	m, err := build.Build("design.yaml", []byte(s.text(d)))
	if err != nil {
		return nil, 0
	}
	f, err := arch.FromModule(m, "")
	if err != nil {
		return nil, 0
	}
	dsps, _ := cost.Blocks(f)
	return f, float64(cost.Fabric(f, config.NewLayout(f)).Total.LUTs + dspLUTs*dsps)
}

// climb keeps what a move makes of a design where its score is not less, for some time. A score may be anything below the least that
// is asked for once it will not reach that.
func (s *designer) climb(d design, span time.Duration, move func(design), score func(d design, least float64) float64) design {
	best := score(d, math.Inf(-1))
	_, luts := s.build(d)
	s.t.Logf("%.0f LUTs, score %.4f", luts, best)
	end := time.Now().Add(span)
	for time.Now().Before(end) && luts > s.enough {
		e := design{slices.Clone(d.grid), slices.Clone(d.choices)}
		for range 1 + s.rng.IntN(3) {
			move(e)
		}
		if now := score(e, best); now >= best {
			_, luts = s.build(e)
			if now > best {
				s.t.Logf("%.0f LUTs, score %.4f", luts, now)
			}
			d, best = e, now
		}
	}
	return d
}

func (s *designer) change(d design) {
	if len(s.holes) > 0 && s.rng.IntN(4) == 0 {
		i := s.rng.IntN(len(s.holes))
		d.choices[i] = s.rng.IntN(len(s.holes[i]))
		return
	}
	d.grid[s.rng.IntN(len(d.grid))] = s.pes[s.rng.IntN(len(s.pes))]
}

// spare is the number of PEs that a kernel leaves free if it is to be routed.
const spare = 2

// fits is what the kernels save whose operations have units, memories and boundary ports. It notes them.
func (s *designer) fits(d design, _ float64) float64 {
	f, luts := s.build(d)
	if f == nil {
		return math.Inf(-1)
	}
	var fitting []*kernel
	s.each(s.kernels, func(k *kernel) {
		g, err := s.graph(k, f)
		if err != nil {
			return
		}
		m, err := tech.Map(g, f)
		if err != nil {
			return
		}
		units := 0
		for _, n := range m.Nodes {
			if n.Kind == tech.Unit {
				units++
			}
		}
		for _, unit := range m.UnitOf {
			if unit >= 0 {
				units-- // at a memory
			}
		}
		if units+spare <= places(f) {
			s.mu.Lock()
			defer s.mu.Unlock()
			fitting = append(fitting, k)
		}
	})
	if s.keep && len(fitting) < len(s.kernels) {
		return math.Inf(-1)
	}
	s.fitting = fitting
	return float64(len(fitting)) * math.Log(s.next/luts)
}

// places is the number of operations that PEs have room for.
func places(f *arch.Fabric) (n int) {
	for _, c := range f.Comps {
		switch {
		case c.TPE != nil:
			n += c.TPE.Instructions
		case c.GeneralPE():
			n++
		}
	}
	return n
}

// routeBudget is the time in which a kernel has to be routed: a mapping takes no longer than 20 seconds.
const routeBudget = 15 * time.Second

// routed is a design with the mappings of the kernels that have one.
type routed struct {
	design
	comps map[string]*arch.Component
	f     *arch.Fabric
	luts  float64
	done  map[*kernel]*footprint
	lost  []*kernel // that did not map when they were mapped last
}

// footprint is what a kernel takes: cycles of a run, and a unit and immediates of PEs.
type footprint struct {
	cycles int64
	pes    map[string]taken
}

type taken struct {
	unit       string
	immediates []int
}

// score is the number of routed kernels, and the less the more LUTs times cycles they take.
func (r *routed) score() float64 {
	sum := 0.0
	for _, m := range r.done {
		sum += math.Log(float64(m.cycles))
	}
	return float64(len(r.done)) - (math.Log(r.luts)+sum/float64(max(len(r.done), 1)))/100
}

// lacks reports whether a PE in place of another one has not what a kernel takes of that.
func (t taken) lacks(was, is *arch.Component) bool {
	widths := func(c *arch.Component) (w []int) {
		for _, p := range slices.Concat(c.In, c.Out) {
			w = append(w, p.Width)
		}
		return append(w, len(c.In))
	}
	return is == nil || is.PE == nil || !slices.Equal(widths(was), widths(is)) ||
		!slices.ContainsFunc(is.PE.FUs, func(u *arch.FunctionUnit) bool { return u.Name == t.unit }) ||
		slices.ContainsFunc(t.immediates, func(k int) bool { return is.PE.Immediate(k) < was.PE.Immediate(k) })
}

// lacks reports whether a fabric has no longer what a kernel takes of another one that differs in some cells.
func (r *routed) lacks(m *footprint, other *routed) bool {
	for name, t := range m.pes {
		if was, is := other.comps[name], r.comps[name]; was.PE != nil && t.lacks(was, is) {
			return true
		}
	}
	return false
}

// pe is the name of the PE in a cell.
func (s *designer) pe(cell int) string {
	return fmt.Sprintf("pe_%d_%d", cell/s.columns, cell%s.columns)
}

// with is a design that has not been routed yet, nil where it is no fabric.
func (s *designer) with(d design) *routed {
	f, luts := s.build(d)
	if f == nil {
		return nil
	}
	r := &routed{design: d, f: f, luts: luts, comps: map[string]*arch.Component{}, done: map[*kernel]*footprint{}}
	for _, c := range f.Comps {
		r.comps[c.Name] = c
	}
	return r
}

// The moves of refine.
const (
	exchange = "exchange"

	batch   = 8 // designs that are better, after which all kernels are mapped again
	watched = 4 // kernels that are mapped again for every design
)

// refine changes and swaps PEs for some time, and hands on every design that is better with all kernels mapped from their beginning.
func (s *designer) refine(d design, span time.Duration, better func(design)) {
	end := time.Now().Add(span)
	sure := s.with(d)
	s.route(sure, s.fitting, 0)
	better(sure.design)
	s.t.Logf("%.0f LUTs, score %.4f", sure.luts, sure.score())
	now, steps, kinds := sure, 0, s.instances(d)
	failed := map[string]int{} // changes of a cell
	var fragile []*kernel      // that were mapped as they were, and not from the beginning
	for time.Now().Before(end) {
		next, what := s.propose(now, kinds, failed)
		if next == nil {
			continue
		}
		again := slices.Clone(fragile)
		for k, m := range now.done {
			if next.lacks(m, now) && !slices.Contains(again, k) {
				again = append(again, k)
			} else if !slices.Contains(again, k) {
				next.done[k] = m
			}
		}
		if what == exchange { // which may make room for those that are not routed
			for _, k := range s.fitting {
				if now.done[k] == nil && !slices.Contains(again, k) {
					again = append(again, k)
				}
			}
		}
		if !s.route(next, again, len(now.done)) || next.score() < now.score() {
			failed[what]++
			continue
		}
		now = next
		if steps++; steps < batch {
			continue
		}
		steps = 0
		all := s.with(now.design)
		if s.route(all, s.fitting, len(sure.done)) && all.score() >= sure.score() {
			sure = all
			better(sure.design)
			s.t.Logf("%.0f LUTs, score %.4f", sure.luts, sure.score())
		} else {
			for _, k := range all.lost {
				if now.done[k] != nil && !slices.Contains(fragile, k) {
					fragile = append(fragile, k)
				}
			}
			slices.SortStableFunc(fragile, func(a, b *kernel) int { return cmp.Compare(s.missed[b], s.missed[a]) })
			fragile = fragile[:min(len(fragile), watched)]
		}
		now = sure
	}
}

// kind is a PE template: a PE made of it, and the LUTs of a fabric with it in a certain cell.
type kind struct {
	comp *arch.Component
	luts float64
}

// instances makes one PE of every template.
func (s *designer) instances(d design) map[string]kind {
	kinds := map[string]kind{}
	cell := s.columns + 1
	for _, pe := range s.pes {
		e := design{slices.Clone(d.grid), d.choices}
		e.grid[cell] = pe
		if r := s.with(e); r != nil {
			kinds[pe] = kind{r.comps[s.pe(cell)], r.luts}
		}
	}
	return kinds
}

// propose makes a design of another one: the change of a PE that saves most for the kernels that have to be mapped again and has
// not failed, by and large, or an exchange of two PEs: in one of sixteen cases, and in one of two while some kernels are not routed.
func (s *designer) propose(now *routed, kinds map[string]kind, failed map[string]int) (next *routed, what string) {
	e := design{slices.Clone(now.grid), now.choices}
	cases := 16
	if len(now.done) < len(s.fitting) {
		cases = 2
	}
	if s.rng.IntN(cases) == 0 {
		i, j := s.rng.IntN(len(e.grid)), s.rng.IntN(len(e.grid))
		e.grid[i], e.grid[j] = e.grid[j], e.grid[i]
		return s.with(e), exchange
	}
	cell, most := 0, 0.0
	for i, was := range now.grid {
		for _, pe := range s.pes {
			saved := kinds[was].luts - kinds[pe].luts
			if saved <= 0 {
				continue
			}
			again := 1.0
			for _, m := range now.done {
				if t, ok := m.pes[s.pe(i)]; ok && t.lacks(now.comps[s.pe(i)], kinds[pe].comp) {
					again++
				}
			}
			tries := 1 + float64(failed[fmt.Sprint(i, pe)])
			if gain := saved / again / (tries * tries) * (0.5 + s.rng.Float64()); gain > most {
				cell, what, most = i, pe, gain
			}
		}
	}
	if most == 0 {
		return nil, ""
	}
	e.grid[cell] = what
	return s.with(e), fmt.Sprint(cell, what)
}

// route maps kernels, those that were missed most often first, and reports whether a design has as many as least in the end; it stops where
// that cannot be.
func (s *designer) route(r *routed, kernels []*kernel, least int) bool {
	kernels = slices.Clone(kernels)
	slices.SortStableFunc(kernels, func(a, b *kernel) int {
		return cmp.Or(cmp.Compare(s.missed[b], s.missed[a]), cmp.Compare(a.name, b.name))
	})
	missed, may := 0, len(r.done)+len(kernels)-least
	s.each(kernels, func(k *kernel) {
		s.mu.Lock()
		hopeless := missed > may
		s.mu.Unlock()
		if hopeless {
			return
		}
		m := s.place(k, r.f)
		s.mu.Lock()
		defer s.mu.Unlock()
		if m == nil {
			missed++
			s.missed[k]++
			r.lost = append(r.lost, k)
			return
		}
		r.done[k] = m
	})
	return missed <= may
}

// place maps and runs a kernel, and is nil where it does not map.
func (s *designer) place(k *kernel, f *arch.Fabric) *footprint {
	g, err := s.graph(k, f)
	if err != nil {
		return nil
	}
	r, err := mapper.Map(g, f, mapper.Options{Budget: routeBudget, Jobs: 1})
	if err != nil {
		return nil
	}
	sim, err := cycle.New(f, r.Image, r.Binding, qorInputs(s.t, k, g), cycle.Options{MaxCycles: runCycles, Latency: latency.Fixed(4)})
	if err != nil {
		s.t.Errorf("%s: %v", k.name, err)
		return nil
	}
	got, err := sim.Run()
	if err != nil {
		s.t.Errorf("%s: %v", k.name, err)
		return nil
	}
	m := &footprint{cycles: got.Cycles, pes: map[string]taken{}}
	for _, g := range r.Mapping.Groups {
		m.pes[g.Comp] = taken{unit: g.Unit}
	}
	for _, pe := range r.Mapping.PEs {
		t := m.pes[pe.Comp]
		for i, in := range pe.In {
			if in.Immediate {
				t.immediates = append(t.immediates, i)
			}
		}
		m.pes[pe.Comp] = t
	}
	return m
}

// each calls a function for kernels, two at a time.
func (s *designer) each(kernels []*kernel, do func(*kernel)) {
	var all sync.WaitGroup
	slots := make(chan bool, 2)
	for _, k := range kernels {
		slots <- true
		all.Go(func() {
			defer func() { <-slots }()
			do(k)
		})
	}
	all.Wait()
}

// graph is the graph of a kernel for a fabric: the lowering looks at which units there are, not at how many.
func (s *designer) graph(k *kernel, f *arch.Fabric) (*ir.Operation, error) {
	units := map[string]bool{}
	for _, c := range f.Comps {
		if c.PE != nil {
			for _, u := range c.PE.FUs {
				units[u.Name] = true
			}
		}
	}
	key := k.name + " " + strings.Join(slices.Sorted(maps.Keys(units)), " ")
	s.mu.Lock()
	g := s.graphs[key]
	s.mu.Unlock()
	if g != nil {
		return g, nil
	}
	res, err := k.compile()
	if err != nil {
		return nil, err
	}
	if g, err = graphFor(res.Module, f); err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.graphs[key] = g
	}
	return g, err
}

// TestDesigns: the descriptions of testdata are fabrics, with every choice.
func TestDesigns(t *testing.T) {
	files, err := filepath.Glob("testdata/*.design")
	if err != nil || len(files) == 0 {
		t.Fatal("no descriptions", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := &designer{t: t}
		d := s.parse(string(text))
		if f, _ := s.build(d); f == nil || len(d.grid)%s.columns != 0 {
			t.Errorf("%s is no fabric", file)
		}
		for i, choices := range s.holes {
			for k, choice := range choices {
				e := design{d.grid, slices.Clone(d.choices)}
				e.choices[i] = k
				if f, _ := s.build(e); f == nil {
					t.Errorf("%s: no fabric with %s at choice %d", file, choice, i)
				}
			}
		}
		for _, pe := range s.pes {
			e := design{slices.Clone(d.grid), d.choices}
			e.grid[0] = pe
			if f, _ := s.build(e); f == nil {
				t.Errorf("%s: no fabric with PE %s", file, pe)
			}
		}
	}
}
