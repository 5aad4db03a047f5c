package loom

import (
	"context"
	"slices"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// variant is what of the options makes another graph of a kernel, as it was chosen.
type variant struct {
	recent int  // CompileOptions.RecentStores
	locks  bool // CompileOptions.Interlocks
	more   bool // CompileOptions.MoreUnits
}

// variant is the one that the options ask for.
func (o *CompileOptions) variant() variant {
	return variant{max(o.RecentStores, 0), o.Interlocks == "on", o.MoreUnits == "on"}
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

// with returns the kernel with the graph of a variant; nil where that is the same graph.
func (k *Kernel) with(v variant) (*Kernel, error) {
	opts := k.opts
	opts.IndexWidth, opts.RecentStores, opts.Interlocks, opts.MoreUnits = k.IndexWidth, v.recent, "off", "off"
	if v.locks {
		opts.Interlocks = "on"
	}
	if v.more {
		opts.MoreUnits = "on"
	}
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
// CompileOptions.Interlocks, RecentStores and MoreUnits make of it where they are auto: it maps the kernel with interlocks, with the stores of
// one iteration more each, then with more units, and then again with interlocks or further stores, while it fits and takes fewer cycles on small random inputs, with the memory of the options. It returns the best
// kernel and its mapping. These are those given where no innermost loop takes more than a cycle for an iteration.
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
		next, m, failed := than.k.faster(ctx, than.m, v, opts, what)
		if err = failed; next == nil {
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
			best, _ = try(from, variant{0, true, from.k.chosen.more}, "mapping with interlocks")
		}
		// However fast the loop is where no iterations meet, they may in fact.
		for more := true; more && k.opts.RecentStores == AutoRecentStores && from.k.chosen.recent < MaxRecentStores; {
			from, more = try(from, variant{from.k.chosen.recent + 1, false, from.k.chosen.more}, "mapping with recent stores")
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
	stores()
	if auto(k.opts.MoreUnits) {
		var faster bool
		if best, faster = try(best, variant{best.k.chosen.recent, best.k.chosen.locks, true}, "mapping with more units"); faster {
			stores()
		}
	}
	if err != nil {
		return nil, nil, err
	}
	return best.k, best.m, nil
}

// faster maps a variant of a kernel onto the fabric of m, the kernel's mapping, and returns both; nil where the variant has the same graph,
// does not fit, or takes no fewer cycles. what is for the progress.
func (k *Kernel) faster(ctx context.Context, m *Mapping, v variant, opts MapOptions, what string) (*Kernel, *Mapping, error) {
	next, err := k.with(v)
	if err != nil || next == nil {
		return nil, nil, err
	}
	done := opts.doing(what)
	mapped, err := Map(ctx, next, m.Fabric, opts)
	done()
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case err != nil && fault(err):
		return nil, nil, err
	case err != nil:
		return nil, nil, nil // the fabric has no room for it
	}
	if gain, err := mapped.gain(m, opts.Latency); err != nil || gain <= 1 {
		return nil, nil, err
	}
	mapped.Choice = m.Choice
	return next, mapped, nil
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
