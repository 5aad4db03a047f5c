package loom

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/arch/shipped"
	"loom/compiler/choice"
	"loom/compiler/diag"
	"loom/compiler/frontend/domain"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/compiler/mapper/tech"
	"loom/compiler/units"
)

// AutoFabric is the name that stands for the shipped fabric with the least area × time of those that fit.
const AutoFabric = "auto"

// Fit is what a kernel that does not fit its fabric fits.
type Fit struct {
	// Fabric is the name of a shipped fabric, "" if none fits.
	Fabric string `json:"fabric,omitempty"`
	// Changes are those of the architecture description with which the kernel fits: "rows 4
	// -> 5"; of Fabric if it is not empty, else of the one that was given.
	Changes []string `json:"with,omitempty"`
	// Stopped tells that the budget ended before everything had been tried.
	Stopped bool `json:"stopped,omitempty"`
}

// String is the fit as one line.
func (f Fit) String() string {
	switch {
	case len(f.Changes) > 0 && f.Fabric != "":
		return fmt.Sprintf("fits: %s with %s", f.Fabric, strings.Join(f.Changes, ", "))
	case len(f.Changes) > 0:
		return "fits with: " + strings.Join(f.Changes, ", ")
	case f.Fabric != "":
		return "fits: " + f.Fabric
	case f.Stopped:
		return "fits: nothing that was found before --budget ended; a larger one tries more"
	}
	return "fits: no fabric that is built in, nor any change that was tried"
}

// The search for a fit: an attempt to map makes few placements, and the changes of a
// description end after some rounds.
var fitEffort = mapper.Effort{Attempts: 4, Candidates: 1, Moves: mapper.DefaultEffort.Moves, Cooling: mapper.DefaultEffort.Cooling, Iterations: mapper.DefaultEffort.Iterations}

const (
	fitRounds   = 24               // changes of one description
	fitMappings = 4                // of one description
	fitOps      = 400              // of the graph: the grid of a larger one takes minutes to build and map
	fitTime     = 60 * time.Second // without MapOptions.Budget
)

// Misfit reports whether err, of Map, means that the kernel does not fit the fabric, and
// another one may do.
func Misfit(err error) bool {
	var short *tech.Misfit
	if errors.As(err, &short) {
		return len(short.Lacks) > 0
	}
	return errors.As(err, new(*mapper.Unroutable)) || errors.As(err, new(*noFabric))
}

// NoHardware reports whether err, of Map, means that no fabric can execute an operation of
// the kernel.
func NoHardware(err error) bool {
	var short *tech.Misfit
	return errors.As(err, &short) && len(short.Lacks) == 0
}

// FindFit looks for what a kernel that does not fit a fabric would fit, by mapping it: for
// a shipped fabric the smallest other one, else the fabric with the changes that its
// architecture description needs; and where that finds nothing, the other of the two. nil
// stands for all shipped fabrics, none of which fits: then the largest is changed. The search
// ends with opts.Budget.
func (k *Kernel) FindFit(ctx context.Context, f *Fabric, opts MapOptions) Fit {
	if opts.Budget <= 0 {
		opts.Budget = fitTime
	}
	ctx, cancel := context.WithTimeout(ctx, opts.Budget)
	defer cancel()
	fit := k.findFit(ctx, f, opts)
	fit.Stopped = fit.Fabric == "" && len(fit.Changes) == 0 && ctx.Err() != nil
	return fit
}

func (k *Kernel) findFit(ctx context.Context, f *Fabric, opts MapOptions) Fit {
	opts.Warn, opts.effort = nil, fitEffort
	if f == nil {
		if f = most(); f == nil {
			return Fit{}
		}
		fit := k.fitChanged(ctx, f, opts)
		if fit.Fabric = f.Name; len(fit.Changes) == 0 {
			fit.Fabric = ""
		}
		return fit
	}
	text, _ := shipped.Text(f.Name)
	if text == f.source {
		if fit := k.fitShipped(ctx, f.Name, opts); fit.Fabric != "" {
			return fit
		}
		return k.fitChanged(ctx, f, opts)
	}
	if fit := k.fitChanged(ctx, f, opts); len(fit.Changes) > 0 {
		return fit
	}
	return k.fitShipped(ctx, "", opts)
}

// most is the shipped fabric with the most PEs, of several the one with the most area.
func most() *Fabric {
	var best *Fabric
	pes := 0
	for _, name := range shipped.Names() {
		f, err := shippedFabric(name)
		if err != nil {
			continue
		}
		n := 0
		for _, c := range f.Arch.Comps {
			if c.GeneralPE() {
				n++
			}
		}
		if n >= pes {
			best, pes = f, n
		}
	}
	return best
}

// fitShipped tries the shipped fabrics except one.
func (k *Kernel) fitShipped(ctx context.Context, except string, opts MapOptions) Fit {
	for _, name := range shipped.Names() {
		if name == except || ctx.Err() != nil {
			continue
		}
		if f, err := shippedFabric(name); err == nil {
			if _, _, err = k.tryOn(ctx, f, opts); err == nil {
				return Fit{Fabric: name}
			}
		}
	}
	return Fit{}
}

// FitWhole is the name of the smallest shipped fabric that takes the whole function of a kernel
// that is only a part of it because the whole does not fit fabric f; "" for other kernels, and
// where none was found within opts.Budget.
func (k *Kernel) FitWhole(ctx context.Context, f *Fabric, opts MapOptions) string {
	if !k.oneLoop() || len(k.Candidates) == 0 || domain.Unlowerable(k.Candidates[0]) {
		return ""
	}
	fn, err := lower.Function(k.whole, k.Domain.Host.SymName())
	if err != nil {
		return ""
	}
	if opts.Budget <= 0 {
		opts.Budget = fitTime
	}
	ctx, cancel := context.WithTimeout(ctx, opts.Budget)
	defer cancel()
	opts.Warn, opts.effort = nil, fitEffort
	whole := *k
	whole.Domain, whole.Module, whole.lowered, whole.Function = domain.Whole(k.whole, fn), k.whole, k.whole, fn
	whole.original, whole.triedOriginal = nil, false
	whole.opts.Function = fn.SymName()
	except := ""
	if text, _ := shipped.Text(f.Name); text == f.source {
		except = f.Name
	}
	return whole.fitShipped(ctx, except, opts).Fabric
}

func shippedFabric(name string) (*Fabric, error) {
	src, err := ReadFabric(name)
	if err != nil {
		return nil, err
	}
	return LoadFabric(src, Watch{})
}

// tryOn lowers the kernel for a fabric and maps it, without the hints of Map.
func (k *Kernel) tryOn(ctx context.Context, f *Fabric, opts MapOptions) (*Kernel, *Mapping, error) {
	defer opts.doing("trying " + f.Name)()
	here, notes, err := k.forFabric(f)
	if err != nil {
		return nil, nil, err
	}
	if progress := opts.Progress; progress != nil {
		opts.Progress = func(doing string) {
			if doing != "" {
				doing = f.Name + ": " + doing
			}
			progress(doing)
		}
	}
	m, err := here.onto(f)
	if err != nil {
		return nil, nil, err
	}
	// The mapper begins with the count of units, lanes and ports: what is far too small
	// takes no time.
	if err := m.make(ctx, &opts, nil); err != nil {
		return nil, nil, err
	}
	opts.warn(notes...)
	return here, m, nil
}

// forFabric is the kernel lowered for a fabric, with the findings of that; a kernel that
// was a graph remains the same.
func (k *Kernel) forFabric(f *Fabric) (*Kernel, []*diag.Diagnostic, error) {
	here := *k
	if k.Module == nil {
		return &here, nil, nil
	}
	opts := k.opts
	opts.Fabric = f
	opts = opts.complete()
	res, err := opts.graph(k.lowered, opts.Function, false)
	if err != nil {
		return nil, nil, err
	}
	here.Graph, here.GraphModule, here.opts = res.Func, res.Module, opts
	if here.IndexWidth != opts.IndexWidth {
		here.IndexWidth = opts.IndexWidth
		here.original, here.triedOriginal = nil, false
	}
	if opts.ExplainMemory {
		here.Memory = append(here.Memory[:0:0], res.Memory...)
	}
	k2, err := here.check(&Watch{})
	return k2, res.Notes.All, err
}

// Choice is how MapAuto came to the fabric of a mapping.
type Choice struct {
	// Fabric is the name of the fabric, Smallest that of the smallest one that takes the kernel.
	Fabric   string `json:"fabric"`
	Smallest string `json:"smallest"`
	// LUTs and Time are what Smallest has of the LUTs of Fabric and of the expected time there: 0.83 and 10 where
	// it has a sixth fewer LUTs and takes ten times as long.
	LUTs float64 `json:"luts"`
	Time float64 `json:"time"`
	// Tried are the larger fabrics that were tried.
	Tried []string `json:"tried,omitempty"`
	// Stopped tells that the budget ended before all were tried that might have been better.
	Stopped bool `json:"stopped,omitempty"`
}

// String says why the fabric is not the smallest one that fits; it is empty where it is.
func (c *Choice) String() string {
	if c.Fabric == c.Smallest {
		return ""
	}
	return fmt.Sprintf("%s would do with %.3g of the LUTs, but is expected to take %.3g times as long", c.Smallest, c.LUTs, c.Time)
}

// MapAuto maps the kernel onto the shipped fabric with the least area × time of those that take it (package choice),
// for which it is lowered again; Mapping.Choice says how it came to that. Fabrics are tried from the smallest on, and
// once one has taken the kernel only those that may be better. These have what is left of opts.Budget then: where
// it ends, the best fabric so far is taken. If none takes the kernel, the error says why each of them does not.
func MapAuto(ctx context.Context, k *Kernel, opts MapOptions) (*Kernel, *Mapping, error) {
	limited := ctx
	if opts.Budget > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, opts.Budget)
		defer cancel()
	}
	d := diag.New(k.Graph.Pos, "kernel '%s' fits none of the fabrics that are built in", k.Graph.SymName())
	var s choice.Search
	var first, best rated
	var how Choice
	least := 0
	for _, name := range shipped.Names() {
		// Fabrics are in the order of their area: what those before have may tell that this one need not be read.
		least = max(least, shipped.Area[name].LUTs)
		if !s.Worth(choice.Fabric{LUTs: least, MHz: shipped.MHz[name]}) {
			continue
		}
		f, err := shippedFabric(name)
		if err != nil {
			return nil, nil, err
		}
		area, _ := f.area()
		least = area.LUTs
		size := choice.Fabric{LUTs: area.LUTs, MHz: shipped.MHz[name]}
		if !s.Worth(size) {
			continue
		}
		if first.m == nil {
			if first, err = k.rate(ctx, f, size, opts); err == nil {
				best = first
				s.Add(size, first.fit)
				continue
			}
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			if !Misfit(err) {
				return nil, nil, err // what no fabric can do
			}
			d.WithNote(diag.Pos{}, "%s: %s", name, diag.FromError(err).All[0].Message)
			continue
		}
		if how.Stopped = limited.Err() != nil; how.Stopped {
			break
		}
		how.Tried = append(how.Tried, name)
		r, err := k.rate(limited, f, size, opts)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if how.Stopped = limited.Err() != nil; how.Stopped {
			break
		}
		// Whatever an error is about here, there is a fabric without it.
		if err == nil && s.Add(size, r.fit) {
			best = r
		}
	}
	if best.m == nil {
		return nil, nil, &noFabric{&diag.List{All: []*diag.Diagnostic{d}}}
	}
	how.Fabric, how.Smallest, how.LUTs, how.Time = best.m.Fabric.Name, first.m.Fabric.Name, 1, 1
	if best.m != first.m {
		how.LUTs = float64(first.size.LUTs) / float64(best.size.LUTs)
		how.Time = first.fit.Interval * best.size.MHz / (best.fit.Interval * first.size.MHz)
	}
	best.m.Choice = &how
	opts.warn(best.notes...)
	return best.k, best.m, nil
}

// rated is a mapping with what MapAuto rates it by, and the findings of its lowering.
type rated struct {
	k     *Kernel
	m     *Mapping
	size  choice.Fabric
	fit   choice.Fit
	notes []*diag.Diagnostic
}

// rate maps the kernel onto a fabric.
func (k *Kernel) rate(ctx context.Context, f *Fabric, size choice.Fabric, opts MapOptions) (rated, error) {
	var notes []*diag.Diagnostic
	opts.Warn = func(d *diag.Diagnostic) { notes = append(notes, d) }
	here, m, err := k.tryOn(ctx, f, opts)
	if err != nil {
		return rated{}, err
	}
	if m, err = m.decoupled(ctx, opts); err != nil {
		return rated{}, err
	}
	return rated{here, m, size, choice.Of(m.Kernel.Graph, m.Data, m.Kernel.model(opts.Latency.OrDefault())), notes}, nil
}

// noFabric is the error of MapAuto for a kernel that fits nothing.
type noFabric struct{ list *diag.List }

func (e *noFabric) Error() string { return e.list.Error() }
func (e *noFabric) Unwrap() error { return e.list }

// fitChanged changes the architecture description of a fabric until the kernel fits.
func (k *Kernel) fitChanged(ctx context.Context, f *Fabric, opts MapOptions) Fit {
	if !(Source{f.file, f.source}).isYAML() || countOps(k.Graph) > fitOps {
		return Fit{}
	}
	edit, err := build.NewEdit([]byte(f.source))
	if err != nil {
		return Fit{}
	}
	now, mappings := f, 0
	for range fitRounds {
		if ctx.Err() != nil {
			break
		}
		_, _, err := k.tryOn(ctx, now, opts)
		if err == nil {
			return Fit{Changes: edit.Changes()}
		}
		var short *tech.Misfit
		var full *mapper.Unroutable
		changed := false
		switch {
		case errors.As(err, &short):
			for _, l := range short.Lacks {
				changed = supply(edit, now, l) || changed
			}
		case errors.As(err, &full):
			// Wider links first, then more room.
			if mappings++; mappings > fitMappings {
				return Fit{}
			}
			changed = mappings <= 2 && edit.Tracks(full.Tokens) || edit.Grid(1)
		}
		if !changed {
			break
		}
		text, err := edit.Text()
		if err != nil {
			break
		}
		if now, err = LoadFabric(Source{f.Name + shipped.Extension, string(text)}, Watch{}); err != nil {
			break
		}
	}
	return Fit{}
}

// supply changes a description by what its fabric lacks, and reports whether it could.
func supply(e *build.Edit, f *Fabric, l tech.Lack) bool {
	switch l.Kind {
	case tech.LackInputs:
		return e.Inputs(l.N)
	case tech.LackOutputs:
		return e.Outputs(l.N)
	case tech.LackPEs:
		return e.Grid(l.N)
	case tech.LackMemory:
		return e.Memory(need(l.Arrays...))
	case tech.LackRoom:
		return e.Another(need(l.Arrays[len(l.Arrays)-1]))
	case tech.LackUnit:
		if len(l.Have) > 0 {
			return moreOf(e, f, l)
		}
		u, _ := units.Lookup(l.Op.Name)
		if u.Mnemonic == "" {
			return false
		}
		return e.Unit(mostUsed(e), entry(u, l.Op))
	}
	return false
}

// entry is how an architecture file lists a unit for an operation.
func entry(u *units.Unit, op *ir.Operation) string {
	switch _, typ, _ := strings.Cut(u.Spell(op), " "); {
	case u.Steps():
		return fmt.Sprintf("%s: {type: %s, step: %q}", u.Mnemonic, op.Result(0).Type, op.StrAttr("step_op"))
	case u.Repeats() && u.Typed():
		return fmt.Sprintf("%s: {type: %s, inputs: %d}", u.Mnemonic, typ, op.NumOperands()-1)
	default:
		return u.Mnemonic + ": " + typ
	}
}

// need is what an array needs of a memory.
func need(arrays ...*tech.Array) build.Need {
	a := arrays[0]
	n := build.Need{External: a.Arg >= 0, Element: a.Type.Elem.String(), Loads: len(a.Loads), Stores: len(a.Stores), Regions: 1, Host: a.Init}
	if !n.External {
		n.Elements = a.Elements
	}
	return n
}

// mostUsed is the template of most PEs.
func mostUsed(e *build.Edit) string {
	names, count := e.Templates()
	best := ""
	for _, n := range names {
		if best == "" || count[n] > count[best] {
			best = n
		}
	}
	return best
}

// moreOf gives PEs another template, one that executes what is short and all that they
// executed before; where there are too few of them, it enlarges the grid.
func moreOf(e *build.Edit, f *Fabric, l tech.Lack) bool {
	offers := func(c *arch.Component) map[string]bool {
		set := map[string]bool{}
		for _, fu := range c.Units() {
			set[fu.Name] = true
		}
		return set
	}
	names, _ := e.Templates()
	for _, n := range names {
		model := slices.IndexFunc(l.Have, func(c *arch.Component) bool { return c.Def == build.TemplateSymbol(n) })
		if model < 0 {
			continue
		}
		all := offers(l.Have[model])
		var positions [][2]int
		for _, c := range f.Arch.Comps {
			var row, column int
			if c.Units() == nil || slices.Contains(l.Have, c) || !subset(offers(c), all) {
				continue
			}
			if _, err := fmt.Sscanf(c.Name, "pe_%d_%d", &row, &column); err == nil {
				positions = append(positions, [2]int{row, column})
			}
		}
		if len(positions) < l.N {
			continue
		}
		// Some of those that are spread over the grid.
		done := true
		for i := range l.N {
			p := positions[(2*i+1)*len(positions)/(2*l.N)]
			done = e.Replace(n, p[0], p[1]) && done
		}
		return done
	}
	return e.Grid(l.N)
}

func subset(a, b map[string]bool) bool {
	for x := range a {
		if !b[x] {
			return false
		}
	}
	return true
}
