package loom

import (
	"context"
	"slices"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/opname"
)

// variant is what of the options makes another graph of a kernel, as it was chosen.
type variant struct {
	recent int  // CompileOptions.RecentStores
	locks  bool // CompileOptions.Interlocks
	more   bool // CompileOptions.MoreUnits
	unroll int  // CompileOptions.Unroll
	jam    int  // CompileOptions.UnrollAndJam
	reuse  bool // CompileOptions.Reuse
}

// variant is the one that the options ask for.
func (o *CompileOptions) variant() variant {
	return variant{max(o.RecentStores, 0), o.Interlocks == "on", o.MoreUnits == "on", max(o.Unroll, 0), max(o.UnrollAndJam, 0), o.Reuse == "on"}
}

// RecentStores is the number of iterations whose stores the loops of the graph keep (CompileOptions.RecentStores).
func (k *Kernel) RecentStores() int { return k.chosen.recent }

// Interlocks reports whether loads of the graph's loops wait for stores to their element alone, where the fabric has units for that
// (CompileOptions.Interlocks).
func (k *Kernel) Interlocks() bool {
	return k.chosen.locks && slices.ContainsFunc(k.Graph.Regions[0].Entry().Ops, func(op *ir.Operation) bool { return op.Name == opname.DataflowInterlock })
}

// MoreUnits reports whether the graph takes more units where loops become faster by that (CompileOptions.MoreUnits).
func (k *Kernel) MoreUnits() bool { return k.chosen.more }

// Unroll is the number of levels of innermost loops that are written out in the graph (CompileOptions.Unroll), at most as many as there are.
func (k *Kernel) Unroll() int {
	v := k.chosen
	for v.unroll > 0 {
		less := v
		less.unroll--
		if k.text(v) != k.text(less) {
			break
		}
		v = less
	}
	return v.unroll
}

// UnrollAndJam is how many iterations of outer loops run side by side in the graph, where the loop permits it (CompileOptions.UnrollAndJam), 0 for none.
func (k *Kernel) UnrollAndJam() int {
	v := k.chosen
	v.jam = 0
	if k.chosen.jam < 2 || k.text(k.chosen) == k.text(v) {
		return 0
	}
	return k.chosen.jam
}

// Reuse reports whether registers keep what loops of the graph load again (CompileOptions.Reuse).
func (k *Kernel) Reuse() bool {
	v := k.chosen
	v.reuse = false
	return k.chosen.reuse && k.text(k.chosen) != k.text(v)
}

// text is that of the graph of a variant, "" where it has none.
func (k *Kernel) text(v variant) string {
	opts := k.optionsOf(v)
	res, err := opts.graph(k.lowered, opts.Function, false)
	if err != nil {
		return ""
	}
	return printed(res.Func)
}

// optionsOf are the options that make the graph of a variant.
func (k *Kernel) optionsOf(v variant) CompileOptions {
	opts := k.opts
	onOff := map[bool]string{true: "on", false: "off"}
	opts.IndexWidth, opts.RecentStores, opts.Unroll, opts.UnrollAndJam = k.IndexWidth, v.recent, v.unroll, v.jam
	opts.Interlocks, opts.MoreUnits, opts.Reuse = onOff[v.locks], onOff[v.more], onOff[v.reuse]
	return opts
}

// with returns the kernel with the graph of a variant; nil where that is the same graph.
func (k *Kernel) with(v variant) (*Kernel, error) {
	opts := k.optionsOf(v)
	res, err := opts.graph(k.lowered, opts.Function, false)
	if err != nil {
		return nil, err
	}
	here := *k
	here.Graph, here.GraphModule, here.chosen = res.Func, res.Module, v
	if opts.ExplainMemory {
		here.Memory = slices.Clone(res.Memory)
	}
	if printed(here.Graph) == printed(k.Graph) {
		return nil, nil
	}
	return here.check(&Watch{})
}

// KeepFastest looks for the graph of a kernel that is fastest on the fabric of m, its mapping by Map, among those that
// CompileOptions.Interlocks, RecentStores, MoreUnits, Reuse, Unroll and UnrollAndJam make of it where they are auto: it maps the kernel with interlocks, with the stores of
// one iteration more each, then with more units, and then again with interlocks or further stores, with loads kept, with one level of loops more written out each,
// and with twice as many iterations of outer loops side by side,
// while it fits and takes fewer cycles on small random inputs, with the memory of the options. It returns the best
// kernel and its mapping. Where no innermost loop takes more than a cycle for an iteration, only loops written out and loads kept are tried.
func KeepFastest(ctx context.Context, k *Kernel, m *Mapping, opts MapOptions) (*Kernel, *Mapping, error) {
	if k.Function == nil || k.opts.Direct {
		return k, m, nil
	}
	opts.Warn = nil // what there is to say of the fabric has been said
	type mapped struct {
		k *Kernel
		m *Mapping
	}
	var err error
	best := mapped{k, m}
	// try maps a variant, which has to take fewer cycles than a mapping.
	try := func(than mapped, v variant, what string) (mapped, bool) {
		if err != nil || !than.m.waits() {
			return than, false
		}
		next, failed := than.k.with(v)
		if err = failed; err != nil || next == nil {
			return than, false
		}
		m, gain, failed := next.tried(ctx, than.m, opts, what)
		if err = failed; gain <= 1 {
			return than, false
		}
		return mapped{next, m}, true
	}
	auto := func(s string) bool { return s == "" || s == "auto" }
	stores := func() {
		from := best
		if from.k.chosen.locks {
			return // which leave nothing for registers to keep
		}
		if auto(k.opts.Interlocks) && from.k.chosen.recent == 0 {
			v := from.k.chosen
			v.locks = true
			best, _ = try(from, v, "mapping with interlocks")
		}
		// However fast the loop is where no iterations meet, they may in fact.
		for more := true; more && k.opts.RecentStores == AutoRecentStores && from.k.chosen.recent < MaxRecentStores; {
			v := from.k.chosen
			v.recent++
			from, more = try(from, v, "mapping with recent stores")
		}
		// Where each iteration meets the one before it, what registers keep is there sooner than memory has it.
		if err != nil || from.m == best.m {
			return
		}
		var gain float64
		if gain, err = from.m.gain(best.m, opts.Latency); gain > 1 {
			best = from
		}
	}
	units := func() {
		v := best.k.chosen
		if v.more || !auto(k.opts.MoreUnits) {
			return
		}
		v.more = true
		var faster bool
		if best, faster = try(best, v, "mapping with more units"); faster {
			stores()
		}
	}
	stores()
	units()
	v := best.k.chosen
	// Loops that are written out, and loads that are kept, take units also where the loop inside has no cycle to lose: the one around it may.
	before, last := best, printed(best.k.Graph)
	written := func(what string) (fits bool) {
		var next mapped
		if err == nil {
			next.k, err = before.k.with(v)
		}
		if err != nil || next.k == nil || printed(next.k.Graph) == last {
			return false
		}
		last = printed(next.k.Graph)
		var gain float64
		next.m, gain, err = next.k.tried(ctx, best.m, opts, what)
		if gain >= worthwhile {
			best = next
		}
		return next.m != nil
	}
	if auto(k.opts.Reuse) && !v.reuse {
		v.reuse = true
		written("mapping with loads kept")
	}
	if k.opts.Unroll == AutoUnroll {
		for v.unroll < MaxUnroll {
			if v.unroll++; !written("mapping with loops written out") {
				break
			}
		}
	}
	if k.opts.UnrollAndJam == AutoUnrollAndJam && err == nil && best.m.waits() {
		effort, reuse := opts.effort, v.reuse
		v = best.k.chosen
		v.reuse = reuse
		last = before.k.text(v) // the graph if no loop has iterations that can run side by side
		for v.jam = 2; v.jam <= MaxUnrollAndJam && written("mapping with iterations side by side"); v.jam *= 2 {
			if v.jam >= manyJammed {
				opts.effort = exploreEffort
			}
		}
		opts.effort = effort
	}
	if best.m != before.m {
		stores()
		units()
	}
	if err != nil {
		return nil, nil, err
	}
	return best.k, best.m, nil
}

// gainWritten is gain for loops that are written out and loads that are kept, on larger inputs where that takes no long run: what is done once in front of a loop,
// as to load the first elements of a window, counts as little as it does in use.
func (m *Mapping) gainWritten(over *Mapping, memory latency.Profile) (float64, error) {
	return m.gainIn(writtenRuns, over, memory)
}

// gainJammed is gainWritten for loops whose iterations run side by side.
func (m *Mapping) gainJammed(over *Mapping, memory latency.Profile) (float64, error) {
	return m.gainIn(jammedRuns, over, memory)
}

// writtenRuns are those on which loops that are written out are compared.
var writtenRuns = []trialRun{{128, trialSteps / 4}, {32, trialSteps / 4}, {DefaultSize, trialSteps}}

// jammedRuns are those on which loops are compared whose iterations run side by side: what is left of these counts as little as it does in use.
var jammedRuns = []trialRun{{32, trialSteps}, {16, trialSteps}, {DefaultSize, trialSteps}}

// manyJammed is the number of iterations side by side beyond which the mapper tries less hard: graphs that large route at once or take it long to fail.
const manyJammed = 4

// worthwhile is how many times as fast a kernel has to become for loops to be written out or to run side by side, or loads to be kept.
const worthwhile = 1.1

// tried maps a kernel onto the fabric of m, the mapping of another variant of it, and returns how many times
// as many cycles m takes; nil where it does not fit. what is for the progress.
func (k *Kernel) tried(ctx context.Context, m *Mapping, opts MapOptions, what string) (*Mapping, float64, error) {
	done := opts.doing(what)
	mapped, err := Map(ctx, k, m.Fabric, opts)
	done()
	switch {
	case ctx.Err() != nil:
		return nil, 0, ctx.Err()
	case err != nil && fault(err):
		return nil, 0, err
	case err != nil:
		return nil, 0, nil // the fabric has no room for it
	}
	mapped.Choice = m.Choice
	gain := mapped.gain
	switch is, was := k.chosen, m.Kernel.chosen; {
	case is.jam != was.jam:
		gain = mapped.gainJammed
	case is.unroll != was.unroll || is.reuse != was.reuse:
		gain = mapped.gainWritten
	}
	times, err := gain(m, opts.Latency)
	return mapped, times, err
}

// waits reports whether an innermost loop takes more than a cycle for an iteration.
func (m *Mapping) waits() bool {
	for _, l := range m.Data.Timing.Loops {
		if pace := l.Pace(); l.Innermost && pace.Tokens > 0 && pace.Float() > 1 {
			return true
		}
	}
	return false
}

// fault reports whether an error of Map is one of LOOM, and none of the kernel on this fabric.
func fault(err error) bool {
	return !Misfit(err) && !slices.ContainsFunc(diag.FromError(err).All, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error })
}
