package loom

import (
	"context"
	"slices"

	"loom/compiler/diag"
)

// RecentStores is the number of iterations whose stores the loops of the graph keep (CompileOptions.RecentStores).
func (k *Kernel) RecentStores() int { return k.recent }

// withRecentStores returns the kernel with stores of n iterations kept, nil where that makes no other graph.
func (k *Kernel) withRecentStores(n int) (*Kernel, error) {
	opts := k.opts
	opts.IndexWidth, opts.RecentStores = k.IndexWidth, n
	res, err := opts.graph(k.lowered, opts.Function, false)
	if err != nil {
		return nil, err
	}
	here := *k
	here.Graph, here.GraphModule, here.recent = res.Func, res.Module, n
	if opts.ExplainMemory {
		here.Memory = slices.Clone(res.Memory)
	}
	if printed(here.Graph) == printed(k.Graph) {
		return nil, nil
	}
	return here.check(&Watch{})
}

// KeepRecentStores looks for the number of CompileOptions.RecentStores with which the kernel is fastest on the fabric of m, its
// mapping by Map: kernels with the stores of one iteration more each are mapped while they fit and each takes fewer cycles on small
// random inputs, with the memory of the options. It returns the best kernel and its mapping. These are those given unless k was compiled with AutoRecentStores and has loops that
// wait for stores.
func KeepRecentStores(ctx context.Context, k *Kernel, m *Mapping, opts MapOptions) (*Kernel, *Mapping, error) {
	if k.Function == nil || k.opts.Direct || k.opts.RecentStores != AutoRecentStores || !m.waits() {
		return k, m, nil
	}
	base := k
	opts.Warn = nil // what there is to say of the fabric has been said
	for n := 1; n <= MaxRecentStores; n++ {
		next, err := base.withRecentStores(n)
		if err != nil || next == nil || printed(next.Graph) == printed(k.Graph) {
			return k, m, err
		}
		done := opts.doing("mapping with recent stores")
		mapped, err := Map(ctx, next, m.Fabric, opts)
		done()
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case err != nil && fault(err):
			return nil, nil, err
		case err != nil:
			return k, m, nil // the fabric has no room for them
		}
		if gain, err := mapped.gain(m, opts.Latency); err != nil || gain <= 1 {
			return k, m, err
		}
		mapped.Choice = m.Choice
		k, m = next, mapped
	}
	return k, m, nil
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
