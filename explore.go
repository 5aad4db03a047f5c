package loom

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/arch/shipped"
	"loom/compiler/cost"
	"loom/compiler/diag"
	"loom/compiler/latency"
	"loom/compiler/mapper"
	"loom/compiler/mapper/tech"
	"loom/compiler/mapping"
	"loom/explore"
	"loom/explore/slurm"
	"loom/explore/space"
	"loom/explore/store"
	"loom/internal/synth"
	"loom/internal/tools"
	"loom/sim/vector"
	"loom/verilator"
)

// explorationVersion changes whenever an evaluation may give another result: those of a database with another
// one are made again.
const explorationVersion = 1

// exploreEffort is that of rung 2: a kernel that it maps takes hardly more cycles than with the full effort.
var exploreEffort = mapper.Effort{Attempts: 4, Candidates: 1, Moves: 40, Cooling: mapper.DefaultEffort.Cooling, Iterations: 40}

// exploreCycles bounds the run of a kernel in an exploration.
const exploreCycles = 2_000_000

// Exploration is a description of an exploration with its kernels: all that evaluating a point takes.
type Exploration struct {
	// Space is the description; it is nil in one that was read by LoadExploration.
	Space *space.Space
	// Bundle is the text of the kernels, ready to be lowered, with their inputs: what LoadExploration reads.
	Bundle []byte

	kernels bundle
}

// bundle holds kernels for evaluations elsewhere: no compiler is needed to read it.
type bundle struct {
	Version int    `json:"version"`
	Loom    string `json:"loom"`
	Latency int    `json:"latency"`
	// Base is the base architecture: its templates say what helps a kernel that finds no unit.
	Base    string         `json:"base,omitempty"`
	Kernels []bundleKernel `json:"kernels"`
	Cosim   bool           `json:"cosim,omitempty"`
	// Synthesis: the area of finalists is that of a synthesis.
	Synthesis bool `json:"synthesis,omitempty"`
	// Route: their clock is that of PEs that are placed and routed.
	Route bool `json:"route,omitempty"`
}

// bundleKernel is a kernel as text.
type bundleKernel struct {
	Name string `json:"name"`
	// File is the name of the text, by whose extension it is read; Function the symbol in it.
	File     string          `json:"file"`
	Text     string          `json:"text"`
	Function string          `json:"function"`
	Inputs   json.RawMessage `json:"inputs"`
}

// ReadExploration reads the description of an exploration (docs/explore.md), compiles its kernels and makes
// their inputs. Files are relative to that of the description.
func ReadExploration(ctx context.Context, src Source, w Watch) (*Exploration, error) {
	dir := filepath.Dir(src.Name)
	path := func(file string) string {
		if filepath.IsAbs(file) {
			return file
		}
		return filepath.Join(dir, file)
	}
	var base *Fabric
	s, err := space.Read(src.Name, []byte(src.Text), func(name string) (string, error) {
		if _, ok := shipped.Text(name); !ok {
			name = path(name)
			if _, ok := shipped.Text(filepath.Base(name)); ok && filepath.Ext(name) == "" {
				name = "./" + name
			}
		}
		text, err := ReadFabric(name)
		if err != nil {
			return "", err
		}
		if !text.isYAML() {
			return "", fmt.Errorf("the base is an architecture description (.yaml), and %s is none", name)
		}
		base, err = LoadFabric(text, Watch{})
		return text.Text, err
	})
	if err != nil {
		return nil, err
	}
	x := &Exploration{Space: s, kernels: bundle{Version: explorationVersion, Loom: Version, Latency: s.Latency, Cosim: s.Finalists.Cosim, Synthesis: s.Finalists.Synthesis, Route: s.Finalists.Route}}
	errs := absentKeys(s)
	for _, k := range s.Kernels {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b, err := bundleOf(ctx, k, base, path, w)
		if err != nil {
			if External(err) || ctx.Err() != nil {
				return nil, err
			}
			for _, d := range diag.FromError(err).All {
				if errs.Add(d); d.Pos != k.Pos {
					d.WithNote(k.Pos, "kernel '%s' of the exploration", k.Name)
				}
			}
			continue
		}
		x.kernels.Kernels = append(x.kernels.Kernels, *b)
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	x.kernels.Base = base.source
	x.Bundle, err = json.Marshal(x.kernels)
	return x, err
}

// absentKeys are the faults of parameters that set what the base does not have: a key may be one that no
// architecture has.
func absentKeys(s *space.Space) (errs diag.List) {
	for i, p := range s.Parameters {
		if !p.Absent {
			continue
		}
		text, err := s.Architecture(s.BasePoint())
		if err == nil {
			_, err = build.Build(s.Base, text)
		}
		if err == nil {
			continue
		}
		for _, d := range diag.FromError(err).All {
			if strings.HasPrefix(d.Message, "unknown key") && slices.ContainsFunc(p.At, func(at space.Path) bool {
				return strings.Contains(d.Message, "'"+at.Last()+"'")
			}) {
				errs.Errorf(s.Parameters[i].Pos, "parameter '%s' does not suit %s: %s", p.Name, s.Base, d.Message).WithHelp("%s", d.Help)
			}
		}
	}
	return errs
}

// bundleOf compiles a kernel and makes its inputs.
func bundleOf(ctx context.Context, k space.Kernel, base *Fabric, path func(string) string, w Watch) (*bundleKernel, error) {
	src, err := ReadSource(path(k.File))
	if err != nil {
		list := diag.FromError(err)
		for _, d := range list.All {
			d.Pos, d.Message = k.Pos, d.Pos.File+": "+d.Message
		}
		return nil, list
	}
	defer w.doing("compiling " + k.Name)()
	kernel, err := Compile(ctx, src, CompileOptions{Function: k.Function, Domain: "function", Fabric: base, Watch: Watch{External: w.External}})
	if err != nil {
		return nil, err
	}
	var in *Inputs
	opts := InputOptions{Seed: k.Seed, Size: k.Size}
	if k.Inputs == "" {
		in, err = kernel.RandomInputs(opts)
	} else {
		var text Source
		if text, err = ReadSource(path(k.Inputs)); err == nil {
			in, err = kernel.ReadInputs(text, InputOptions{})
		}
	}
	if err != nil {
		return nil, err
	}
	want, err := kernel.reference(in.Kernel, steps(exploreCycles, countOps(kernel.Graph)))
	if err != nil {
		return nil, err
	}
	if want.Status != vector.Done {
		return nil, diag.New(kernel.Graph.Pos, "the kernel does not run on its inputs: %s %s", want.Status, strings.Join(want.Detail, "; ")).
			WithHelp("choose another size or seed, or give inputs")
	}
	b := &bundleKernel{Name: k.Name, File: k.Name + ".scf.mlir", Inputs: in.Kernel.JSON()}
	extension := ".scf.mlir"
	if kernel.Function == nil {
		extension = ".dfg.mlir"
		b.File = k.Name + extension
	} else {
		b.Function = kernel.Function.SymName()
	}
	files, err := kernel.Artifacts(GraphText{})
	if err != nil {
		return nil, err
	}
	for _, f := range files.Files {
		if strings.HasSuffix(f.Name, extension) {
			b.Text = string(f.Data)
		}
	}
	return b, nil
}

// LoadExploration reads what Exploration.Bundle holds.
func LoadExploration(text []byte) (*Exploration, error) {
	x := &Exploration{Bundle: text}
	if err := json.Unmarshal(text, &x.kernels); err != nil {
		return nil, fmt.Errorf("the kernels of the exploration cannot be read: %w", err)
	}
	if x.kernels.Version != explorationVersion || x.kernels.Loom != Version {
		return nil, fmt.Errorf("the kernels of the exploration were written by loom %s, this is %s: use one version on all nodes", x.kernels.Loom, Version)
	}
	return x, nil
}

// Evaluator evaluates points of an exploration. It is not safe for concurrent use; several may be used
// at a time.
type Evaluator struct {
	x       *Exploration
	kernels []*evaluated
	// fabrics are those last built, by key.
	fabrics map[string]*Fabric
	recent  []string
	// offers are the PE templates of the base that execute an operation, by its name.
	offers map[string][]string
}

// evaluated is a kernel under evaluation.
type evaluated struct {
	bundleKernel
	k *Kernel
	// on are the kernel lowered for fabrics that differ in nothing that lowering sees, by those.
	on map[string]*lowered
	// size is the number of its operations.
	size int
}

type lowered struct {
	k   *Kernel
	err error
	in  *vector.Inputs
	// want is the outcome of the reference.
	want *vector.Outcome
}

// NewEvaluator reads the kernels.
func (x *Exploration) NewEvaluator() (*Evaluator, error) {
	e := &Evaluator{x: x, fabrics: map[string]*Fabric{}, offers: map[string][]string{}}
	if x.kernels.Base != "" {
		f, err := fabricWithoutText(Source{"base" + shipped.Extension, x.kernels.Base})
		if err != nil {
			return nil, err
		}
		e.templates(f)
	}
	for _, b := range x.kernels.Kernels {
		k, err := Compile(context.Background(), Source{b.File, b.Text}, CompileOptions{Function: b.Function, Domain: "function"})
		if err != nil {
			return nil, err
		}
		e.kernels = append(e.kernels, &evaluated{bundleKernel: b, k: k, on: map[string]*lowered{}, size: countOps(k.Graph)})
	}
	return e, nil
}

// templates notes which templates of the base execute what.
func (e *Evaluator) templates(base *Fabric) {
	for _, c := range base.Arch.Comps {
		if c.Units() == nil {
			continue
		}
		name := strings.TrimPrefix(c.Def, build.TemplateSymbol(""))
		for _, u := range c.Units() {
			if len(u.Ops) != 1 {
				continue
			}
			if op := u.Ops[0].Op.Name; !slices.Contains(e.offers[op], name) {
				e.offers[op] = append(e.offers[op], name)
			}
		}
	}
}

// recentFabrics is how many fabrics an evaluator keeps for the next rung.
const recentFabrics = 40

// Evaluate evaluates a job. The error is for evaluations that could not be made; a fabric that does not
// serve is a result.
func (e *Evaluator) Evaluate(ctx context.Context, job explore.Job) (*explore.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := e.fabric(job)
	if err != nil {
		message := diag.FromError(err).All[0].Message
		return &explore.Result{Verdict: explore.Invalid, Reason: message, Violation: 100}, nil
	}
	switch job.Rung {
	case explore.RungCost:
		return e.cost(f), nil
	case explore.RungTechnology:
		return e.technology(f)
	case explore.RungRoute, explore.RungFinal:
		return e.route(ctx, f, job.Rung == explore.RungFinal)
	}
	return nil, fmt.Errorf("there is no rung %d", job.Rung)
}

// fabric builds the fabric of a job, without its text, which only artifacts need.
func (e *Evaluator) fabric(job explore.Job) (*Fabric, error) {
	if f := e.fabrics[job.Key]; f != nil {
		return f, nil
	}
	f, err := fabricWithoutText(Source{job.Name + shipped.Extension, job.Text})
	if err != nil {
		return nil, err
	}
	if e.recent = append(e.recent, job.Key); len(e.recent) > recentFabrics {
		delete(e.fabrics, e.recent[0])
		e.recent = e.recent[1:]
	}
	e.fabrics[job.Key] = f
	return f, nil
}

func fabricWithoutText(src Source) (*Fabric, error) {
	module, err := build.Build(src.Name, []byte(src.Text))
	if err != nil {
		return nil, err
	}
	f := &Fabric{Name: Stem(src.Name), source: src.Text, file: src.Name}
	if f.Arch, err = arch.FromModule(module, ""); err != nil {
		return nil, err
	}
	f.flattened()
	return f, nil
}

// cost is rung 0.
func (e *Evaluator) cost(f *Fabric) *explore.Result {
	total := f.Cost()
	a := &explore.Area{PEs: total.PEs, LUTs: total.Total.LUTs, FFs: total.Total.FFs, MHz: cost.MHz(f.Arch)}
	a.DSPs, a.BRAMs = cost.Blocks(f.Arch)
	if a.MHz == 0 {
		return &explore.Result{Verdict: explore.Invalid, Reason: "the fabric has no PEs", Violation: 100}
	}
	return &explore.Result{OK: true, Area: a}
}

// on is a kernel lowered for a fabric. What does not depend on the fabric is made once.
func (k *evaluated) onFabric(f *Fabric) *lowered {
	key := loweringKey(f.Arch)
	if l := k.on[key]; l != nil {
		return l
	}
	l := &lowered{}
	k.on[key] = l
	if l.k, _, l.err = k.k.forFabric(f); l.err != nil {
		return l
	}
	var in *Inputs
	if in, l.err = l.k.ReadInputs(Source{k.Name + ".json", string(k.Inputs)}, InputOptions{}); l.err != nil {
		return l
	}
	l.in = in.Kernel
	l.want, l.err = l.k.reference(l.in.Clone(), steps(exploreCycles, countOps(l.k.Graph)))
	return l
}

// loweringKey is what lowering and simplification see of a fabric: index width, joins, steps of streams, units.
func loweringKey(f *arch.Fabric) string {
	set := map[string]bool{}
	seen := map[string]bool{}
	for _, c := range f.Comps {
		if c.Units() == nil || seen[c.Def] {
			continue
		}
		seen[c.Def] = true
		for _, u := range c.Units() {
			var b strings.Builder
			fmt.Fprintf(&b, "%s %d %d", u.Name, u.Latency, u.Interval)
			for _, p := range slices.Concat(u.In, u.Out) {
				fmt.Fprintf(&b, " %s", p.Type)
			}
			for _, op := range u.Ops {
				fmt.Fprintf(&b, ";%s %v", op.Op.Name, op.Operands)
				for _, v := range slices.Concat(op.Op.Operands(), op.Op.Results()) {
					fmt.Fprintf(&b, " %s", v.Type)
				}
				for _, a := range op.Op.Attrs {
					fmt.Fprintf(&b, " %s=%s", a.Name, a.Value)
				}
			}
			set[b.String()] = true
		}
	}
	var all []string
	for u := range set {
		all = append(all, u)
	}
	sort.Strings(all)
	return fmt.Sprint(f.IndexWidth, f.MaxJoinFanin, f.StreamOps, f.Holds(), f.TokenControls(), "\n", strings.Join(all, "\n"))
}

// technology is rung 1: what each kernel lacks.
func (e *Evaluator) technology(f *Fabric) (*explore.Result, error) {
	res := &explore.Result{OK: true}
	short := shortages{}
	worst, misfits := 0, 0
	for _, k := range e.kernels {
		err := k.fits(f)
		r := explore.KernelResult{Kernel: k.Name, Verdict: explore.OK}
		if err != nil {
			list := diag.FromError(err)
			if list.All[0].Severity == diag.Internal {
				return nil, err
			}
			r.Verdict, r.Reason = explore.Short, list.All[0].Message
			misfits++
			n := 1
			var misfit *tech.Misfit
			if errors.As(err, &misfit) {
				for _, l := range misfit.Lacks {
					n += short.add(f, l, e.offers)
				}
			}
			res.Violation += float64(n)
			if n > worst {
				worst = n
				res.Reason = k.Name + ": " + r.Reason
			}
		}
		res.Kernels = append(res.Kernels, r)
	}
	if misfits > 0 {
		res.OK, res.Verdict, res.Shortages = false, explore.Short, short.list()
		if misfits > 1 {
			res.Reason = fmt.Sprintf("%s (and %s)", res.Reason, diag.Plural(misfits-1, "more kernel"))
		}
	}
	return res, nil
}

// fits is the error of technology mapping.
func (k *evaluated) fits(f *Fabric) error {
	l := k.onFabric(f)
	if l.err != nil {
		return l.err
	}
	m, err := l.k.onto(f)
	if err != nil {
		return err
	}
	if err := indexFits(m.Kernel.Graph, m.Kernel.IndexWidth); err != nil {
		return err
	}
	_, err = tech.Map(m.Kernel.Graph, f.Arch)
	return err
}

// shortages are what kernels lack, by what would help; of several kernels the most.
type shortages map[string]explore.Shortage

// add notes what a kernel lacks and returns how much.
func (s shortages) add(f *Fabric, l tech.Lack, offers map[string][]string) int {
	n := explore.Shortage{N: max(l.N, 1)}
	memory := func(a *tech.Array) {
		key := "memories"
		if a.Arg >= 0 {
			key = "extmemories"
		}
		n.Paths = append(n.Paths, memoryPaths(f, key, a.Type.Elem.String())...)
		n.N = 1
	}
	switch l.Kind {
	case tech.LackInputs:
		n.Paths = []string{"boundary.inputs"}
	case tech.LackOutputs:
		n.Paths = []string{"boundary.outputs"}
	case tech.LackPEs:
		n.Paths = []string{"topology.rows", "topology.columns"}
		n.N = max(1, l.N/8)
	case tech.LackUnit:
		for _, c := range l.Have {
			n.Templates = append(n.Templates, strings.TrimPrefix(c.Def, build.TemplateSymbol("")))
		}
		if len(l.Have) == 0 && l.Op != nil { // no PE of the grid; then one of the base
			n.Templates = slices.Clone(offers[l.Op.Name])
		}
	case tech.LackMemory, tech.LackRoom:
		for _, a := range l.Arrays {
			memory(a)
		}
	case tech.LackWidth:
		n.Paths, n.N = []string{"width"}, 1
	}
	slices.Sort(n.Paths)
	slices.Sort(n.Templates)
	n.Paths, n.Templates = slices.Compact(n.Paths), slices.Compact(n.Templates)
	key := fmt.Sprint(n.Paths, n.Templates)
	if old, ok := s[key]; !ok || old.N < n.N {
		s[key] = n
	}
	return max(l.N, 1)
}

// memoryPaths are the entries of memories with such elements.
func memoryPaths(f *Fabric, key, element string) []string {
	edit, err := build.NewEdit([]byte(f.source))
	if err != nil {
		return nil
	}
	var out []string
	for i, el := range edit.Elements(key) {
		if el == element {
			out = append(out, fmt.Sprintf("%s[%d]", key, i))
		}
	}
	return out
}

func (s shortages) list() []explore.Shortage {
	var keys []string
	for k := range s {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var out []explore.Shortage
	for _, k := range keys {
		out = append(out, s[k])
	}
	return out
}

// route is rung 2 and, with the full effort and proofs, rung 3. Large kernels come first: they fail first.
func (e *Evaluator) route(ctx context.Context, f *Fabric, full bool) (*explore.Result, error) {
	res := &explore.Result{OK: true}
	order := slices.Clone(e.kernels)
	slices.SortStableFunc(order, func(a, b *evaluated) int { return b.size - a.size })
	results := map[string]explore.KernelResult{}
	for i, k := range order {
		r, m, err := k.run(ctx, f, full, e.x.kernels.Cosim, e.x.kernels.Latency)
		if err != nil {
			return nil, err
		}
		results[k.Name] = *r
		if r.Verdict != explore.OK {
			res.OK, res.Verdict, res.Reason, res.Violation = false, r.Verdict, k.Name+": "+r.Reason, float64(len(order)-i)
			res.Shortages = []explore.Shortage{{Paths: []string{"topology.tracks", "topology.token_tracks"}, N: 1}, {Paths: []string{"topology.rows", "topology.columns"}, N: 1}}
			break
		}
		if full {
			if res.Files == nil {
				res.Files = map[string][]byte{}
			}
			res.Files[k.Name] = m.Data.JSON()
		}
	}
	for _, k := range e.kernels {
		if r, ok := results[k.Name]; ok {
			res.Kernels = append(res.Kernels, r)
		}
	}
	if full && res.OK && (e.x.kernels.Synthesis || e.x.kernels.Route) {
		var err error
		if res.Area, err = e.synthesise(ctx, f); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// synthesise is the area of a fabric by synthesis, and its clock by placing and routing its PEs, as far as the exploration
// asks for them.
func (e *Evaluator) synthesise(ctx context.Context, f *Fabric) (*explore.Area, error) {
	rtl, err := Generate(f)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "loom-synthesis-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, text := range rtl.Files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	area := e.cost(f).Area
	design := synth.Design{Dir: dir, Top: rtl.Top, Files: rtl.Sources}
	if e.x.kernels.Synthesis {
		parts, err := synth.XilinxApart(ctx, design, synth.FabricParts)
		if err != nil {
			return nil, err
		}
		c := parts.Total
		area.LUTs, area.FFs, area.DSPs, area.BRAMs, area.Synthesised = c.LUT, c.FF, c.DSP, c.BRAM, true
	}
	if e.x.kernels.Route {
		slowest, err := slowestPE(ctx, design)
		if err != nil {
			return nil, err
		}
		area.MHz, area.Routed = cost.MHzOf(f.Arch, slowest), true
	}
	return area, nil
}

// routeTarget is the frequency in MHz that placement tries to reach.
const routeTarget = 100

// slowestPE is the least frequency of the PEs of a design, in MHz, each placed and routed alone: as a whole, a fabric takes
// nextpnr half an hour and more.
func slowestPE(ctx context.Context, d synth.Design) (float64, error) {
	nextpnr, err := tools.Find(tools.NextPNR)
	if err != nil {
		return 0, err
	}
	modules, err := synth.Elaborate(ctx, d)
	if err != nil {
		return 0, err
	}
	slowest := 0.0
	for _, m := range modules {
		if ok, _ := filepath.Match(synth.PEs, m.Name); !ok {
			continue
		}
		r, err := synth.ECP5Module(ctx, d, m, nil, nextpnr, routeTarget)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", m.Name, err)
		}
		if slowest == 0 || r.MHz < slowest {
			slowest = r.MHz
		}
	}
	if slowest == 0 {
		return 0, fmt.Errorf("%s has no PEs", d.Top)
	}
	return slowest, nil
}

// run maps a kernel and runs it by the cycle.
func (k *evaluated) run(ctx context.Context, f *Fabric, full, cosim bool, memory int) (*explore.KernelResult, *Mapping, error) {
	r := &explore.KernelResult{Kernel: k.Name, Verdict: explore.OK}
	fail := func(v explore.Verdict, why string) (*explore.KernelResult, *Mapping, error) {
		r.Verdict, r.Reason = v, why
		return r, nil, nil
	}
	l := k.onFabric(f)
	if l.err != nil {
		return fail(explore.Short, diag.FromError(l.err).All[0].Message)
	}
	profile := latency.Fixed(int64(memory))
	m, err := l.k.onto(f)
	if err == nil && full {
		err = m.make(ctx, &MapOptions{Jobs: 1, Latency: profile}, nil)
	} else if err == nil {
		err = m.quick(ctx, profile)
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		first := diag.FromError(err).All[0]
		if first.Severity == diag.Internal {
			return fail(explore.Mismatch, first.Message)
		}
		return fail(explore.Unrouted, first.Message)
	}
	out, err := m.cycles(l.in.Clone(), Environment{Latency: profile, MaxCycles: exploreCycles}, nil)
	if err != nil {
		return nil, nil, err
	}
	if out.Status != vector.Done {
		return fail(explore.Mismatch, fmt.Sprintf("the run ends in %s: %s", out.Status, strings.Join(out.Detail, "; ")))
	}
	if d := vector.Diff(l.want, out); len(d) > 0 {
		return fail(explore.Mismatch, "the run gives another result than the interpreter: "+d[0])
	}
	if full && cosim {
		if why, err := m.proveUnderVerilator(ctx, l.in.Clone(), profile); err != nil || why != "" {
			if err != nil {
				return nil, nil, err
			}
			return fail(explore.Mismatch, why)
		}
		r.Cosim = true
	}
	r.PEs, r.Cycles = m.Data.Utilization.PEs.Used, out.Cycles
	r.Interval, r.Limit = limiting(m.Data)
	return r, m, nil
}

// proveUnderVerilator runs the generated hardware in lock-step with the cycle simulator; why is what differs.
func (m *Mapping) proveUnderVerilator(ctx context.Context, in *vector.Inputs, profile latency.Profile) (why string, err error) {
	rtl, err := Generate(m.Fabric)
	if err != nil {
		return "", err
	}
	run, err := Cosimulate(ctx, m, rtl, &Inputs{Kernel: in}, CosimulateOptions{Environment: Environment{Latency: profile, MaxCycles: exploreCycles}, Jobs: 1})
	switch {
	case err != nil:
		return "", err
	case run.Outcome.Status != vector.Done:
		return fmt.Sprintf("the run under Verilator ends in %s: %s", run.Outcome.Status, strings.Join(run.Outcome.Detail, "; ")), nil
	}
	return "", nil
}

// quick maps with the effort of rung 2, without the proof and the trial run: the run that follows compares results.
func (m *Mapping) quick(ctx context.Context, profile latency.Profile) error {
	if err := indexFits(m.Kernel.Graph, m.Kernel.IndexWidth); err != nil {
		return err
	}
	res, err := m.Fabric.target.Map(m.Kernel.Graph, mapper.Options{Jobs: 1, Latency: latency.Model{Memory: profile}, Effort: exploreEffort, Stop: ctx.Done()})
	if err != nil {
		return err
	}
	m.Data, m.Image, m.Binding = res.Mapping, res.Image, res.Binding
	return nil
}

// limiting is the longest interval of an innermost loop, and what sets it.
func limiting(m *mapping.Mapping) (interval, limit string) {
	var worst *mapping.Loop
	for i := range m.Timing.Loops {
		l := &m.Timing.Loops[i]
		if l.Innermost && l.II.Tokens > 0 && (worst == nil || l.II.Float() > worst.II.Float()) {
			worst = l
		}
	}
	if worst == nil {
		return "", "no loop with a known interval"
	}
	ii := worst.II.Float()
	at := fmt.Sprintf(" of the loop in line %d", worst.Pos.Line)
	switch {
	case worst.Recurrence.Tokens > 0 && worst.Recurrence.Float() >= ii && ii > 1:
		limit = "the recurrence" + at
	case float64(worst.Memory) >= ii && ii > 1:
		limit = "the memory ports" + at
	case worst.Lane.Tokens > 0 && worst.Lane.Float() >= ii && ii > 1:
		limit = "what the lanes" + at + " have in flight"
	case float64(worst.Unit) >= ii && ii > 1:
		limit = "the slowest unit" + at
	case ii <= 1:
		limit = "one iteration per cycle: only the cycles around the loop are left"
	default:
		limit = "accesses that take turns"
	}
	return worst.II.String(), limit
}

// ExploreOptions are the options of Exploration.Run.
type ExploreOptions struct {
	Watch
	// Jobs is the number of workers, 0 for one per processor. The result does not depend on it.
	Jobs int
	// Engine evaluates; nil does so in this process.
	Engine explore.Engine
	// Stop, where it is set and returns true, ends the search behind a generation.
	Stop func() bool
	// Generation is called behind each generation.
	Generation func(explore.Status)
}

// Engine is one that evaluates in this process.
func (x *Exploration) Engine(jobs int) explore.Engine {
	if jobs == 0 {
		jobs = runtime.NumCPU()
	}
	return &explore.Local{Workers: jobs, New: func() (func(context.Context, explore.Job) (*explore.Result, error), error) {
		e, err := x.NewEvaluator()
		if err != nil {
			return nil, err
		}
		return e.Evaluate, nil
	}}
}

// ClusterEngine is one that evaluates on a cluster under Slurm, by job arrays. dir is on a file system that all nodes
// share. tasks is the number of tasks at a time, 0 for one per processor of the cluster; options go to sbatch. The
// error names the package to install where Slurm's programs are missing.
func (x *Exploration) ClusterEngine(dir string, tasks int, options []string, progress func(string)) (explore.Engine, error) {
	if err := slurm.Check(); err != nil {
		return nil, err
	}
	return &slurm.Engine[explore.Result]{Dir: dir, Bundle: x.Bundle, Command: []string{"explore", "worker"}, Tasks: tasks, Options: options, Progress: progress}, nil
}

// ExploreTask does the work of a task of ClusterEngine, on a node.
func ExploreTask(ctx context.Context, file string) error {
	return slurm.Work(ctx, file, func(kernels []byte) (func(context.Context, explore.Job) (*explore.Result, error), error) {
		x, err := LoadExploration(kernels)
		if err != nil {
			return nil, err
		}
		e, err := x.NewEvaluator()
		if err != nil {
			return nil, err
		}
		return e.Evaluate, nil
	})
}

// Run explores, and keeps all results in db. It goes on where an earlier run was ended.
func (x *Exploration) Run(ctx context.Context, db *store.DB, opts ExploreOptions) (*explore.Outcome, error) {
	if opts.Engine == nil {
		// What finalists need is missing before the search, not after it.
		if x.kernels.Cosim {
			if err := verilator.CheckTools(false); err != nil {
				return nil, err
			}
		}
		if x.kernels.Synthesis || x.kernels.Route {
			if _, err := tools.Find(tools.Yosys); err != nil {
				return nil, err
			}
		}
		if x.kernels.Route {
			if _, err := tools.Find(tools.NextPNR); err != nil {
				return nil, err
			}
		}
		opts.Engine = x.Engine(opts.Jobs)
	}
	o := explore.Options{Space: x.Space, Kernels: store.Hash(x.Bundle), Engine: opts.Engine, DB: db, Stop: opts.Stop, Progress: opts.Progress, Generation: opts.Generation}
	names := x.Space.Reference
	if names == nil {
		names = ShippedFabrics()
	}
	for _, n := range names {
		text, ok := shipped.Text(n)
		if !ok {
			return nil, fmt.Errorf("there is no fabric %s", n)
		}
		o.Reference = append(o.Reference, explore.Reference{Name: n, Text: text})
	}
	return explore.Run(ctx, o)
}
