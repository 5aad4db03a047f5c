package loom

import (
	"context"

	"loom/compiler/analysis/extent"
	"loom/compiler/analysis/ranges"
	"loom/compiler/cabi"
	"loom/compiler/config/cheader"
	"loom/compiler/diag"
	"loom/compiler/host"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/sim/vector"
)

// Disjoint returns the kernel as it is where no two of the parameters overlap that may do so (loom.may_alias, as
// pointers without restrict): their accesses wait for each other no more. nil where that makes no other
// graph, of direct circuits, and where a loop is the domain.
func (k *Kernel) Disjoint() (*Kernel, error) {
	if k.Function == nil || k.opts.Direct || k.Domain != nil && k.Domain.Loop >= 0 {
		return nil, nil
	}
	module, _ := lower.Disjoint(k.Module, k.Function)
	if module == nil {
		return nil, nil
	}
	if pairs, err := k.extents().Pairs(k.Function); err != nil || len(pairs) == 0 {
		return nil, err
	}
	opts := k.opts
	opts.IndexWidth = k.IndexWidth
	res, err := opts.graph(module, opts.Function, false)
	if err != nil {
		return nil, err
	}
	here := *k
	here.Name, here.Graph, here.GraphModule, here.lowered, here.chosen = k.disjointName(), res.Func, res.Module, module, opts.variant()
	ordered := k.Graph.Clone(map[*ir.Value]*ir.Value{})
	ordered.SetAttr(cabi.MayAlias, nil)
	if printed(ordered) == printed(here.Graph) {
		return nil, nil
	}
	return here.check(&Watch{})
}

func (k *Kernel) disjointName() string { return k.Name + ".disjoint" }

// MapDisjoint maps the kernel's Disjoint, where it has one, onto the mapping's fabric: a second image, which the host
// function takes for each run whose arrays share no byte (package host). It sets Disjoint where that image
// fits and is the faster one on small random inputs, and adds to the remarks of Compile
// on such parameters, if it had Warn, which runs those are.
func (m *Mapping) MapDisjoint(ctx context.Context, opts MapOptions) error {
	k, err := m.Kernel.Disjoint()
	if err != nil || k == nil {
		return err
	}
	defer opts.doing("mapping for arrays that do not overlap")()
	d, err := Map(ctx, k, m.Fabric, opts)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && fault(err):
		return err
	case err != nil:
		why := "does not fit " + m.Fabric.Name
		if !Misfit(err) {
			why = "is missing: " + diag.FromError(err).All[0].Message
		}
		if len(k.overlaps) > 0 {
			k.overlaps[0].WithNote(diag.Pos{}, "the image for runs in which they do not overlap %s", why)
		}
		return nil
	}
	if _, d, err = KeepFastest(ctx, k, d, opts); err != nil {
		return err
	}
	if gain, err := d.gain(m, opts.Latency); err != nil || gain <= 1 {
		return err
	}
	m.Disjoint = d
	m.remarkDisjoint()
	return nil
}

// remarkDisjoint says in the remarks on pointers that may overlap which runs take the second image.
func (m *Mapping) remarkDisjoint() {
	fn := m.Kernel.Function
	e := m.Kernel.extents()
	pairs, err := e.Pairs(fn)
	if err != nil || len(m.Kernel.overlaps) == 0 {
		return
	}
	for _, d := range m.Kernel.overlaps {
		d.Help = "runs of the host function in which they do not overlap take a second image; restrict, or --assume-no-alias, makes do with that one"
	}
	d := m.Kernel.overlaps[0]
	noted := map[int]bool{}
	for _, k := range flat(pairs) {
		p := fn.Regions[0].Entry().Args[k]
		if _, sized := p.Type.(*ir.MemRefType).NumElements(); sized || noted[k] || e.Arrays[k].Range >= 0 {
			continue
		}
		noted[k] = true
		d.WithNote(e.Arrays[k].At.Pos, "an access to '%s' %s: whether it overlaps is known only if the program tells its size (loom_accel_set_size_of)", p.Name, e.Arrays[k].Why)
	}
}

// flat are the members of pairs.
func flat(pairs [][2]int) (out []int) {
	for _, p := range pairs {
		out = append(out, p[0], p[1])
	}
	return out
}

// gain is how many times as many cycles another mapping takes on small random inputs, with that memory; where the kernel has none, or both take as many, how many
// times as long the intervals of its loops are.
func (m *Mapping) gain(over *Mapping, memory latency.Profile) (float64, error) {
	return m.gainIn([]trialRun{{DefaultSize, trialSteps}}, over, memory)
}

// gainIn is gain on the first inputs that there are and with which both mappings end.
func (m *Mapping) gainIn(runs []trialRun, over *Mapping, memory latency.Profile) (float64, error) {
	env := Environment{MaxCycles: trialCycles, Latency: memory}
	cycles := func(m *Mapping) func(*vector.Inputs) (*vector.Outcome, error) {
		return func(in *vector.Inputs) (*vector.Outcome, error) { return m.cycles(in, env, nil) }
	}
	times, err := m.Kernel.timesAsFast(runs, cycles(m), cycles(over))
	if err == nil && (times == 0 || times == 1) { // what a small run does not tell apart
		times = over.Data.Timing.Interval() / max(m.Data.Timing.Interval(), 1)
	}
	return times, err
}

// trialRun is the size of the inputs of a run, and how many operations the kernel may execute on them.
type trialRun struct{ size, steps int64 }

// timesAsFast is how many times as many cycles the other one of two runs takes, on the first inputs that there are and with which both end; 0 for none.
func (k *Kernel) timesAsFast(runs []trialRun, run, other func(*vector.Inputs) (*vector.Outcome, error)) (float64, error) {
	for _, r := range runs {
		in, err := k.random(trialSeed, r.size, work{r.steps, r.steps}, &Watch{})
		if err != nil {
			continue
		}
		a, err := run(in)
		if err != nil {
			return 0, err
		}
		b, err := other(in)
		if err != nil {
			return 0, err
		}
		if a.Status == vector.Done && b.Status == vector.Done {
			return float64(b.Cycles) / float64(max(a.Cycles, 1)), nil
		}
	}
	return 0, nil
}

// disjoint is the second image for the host function, nil for none.
func (m *Mapping) disjoint() *host.Disjoint {
	d := m.Disjoint
	if d == nil {
		return nil
	}
	info := func(k *Kernel) string { return cheader.Prefix(cheader.Info{DFG: k.Name, ADG: m.Fabric.Name}) }
	return &host.Disjoint{
		Binding: d.Binding, ConfigHeader: d.Name() + ".config.h", OwnPrefix: info(d.Kernel), Prefix: info(m.Kernel),
		Function: m.Kernel.Function, Extents: m.Kernel.extents(),
	}
}

// extents are those of the arrays of the kernel's function.
func (k *Kernel) extents() *extent.Extents {
	return extent.Of(k.Function, ranges.Analyse(k.Function, ranges.Options{IndexWidth: k.IndexWidth}), k.IndexWidth, "")
}
