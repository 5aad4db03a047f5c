package loom

import (
	"context"
	"slices"

	"loom/compiler/arch/shipped"
	"loom/compiler/choice"
	"loom/compiler/mapper"
)

// Widen looks for a shipped fabric that is larger than that of m, which MapAuto and KeepFastest have chosen for the kernel, and worth
// it: where inner loops are written out (CompileOptions.Unroll), it has the units for that, and area × time is less, by the cycles on small random
// inputs. Where arrays may overlap and there is a second image for runs in which they do not, that one is compared. Widen returns the
// kernel and its mapping there, by KeepFastest; those given where there is no such fabric or the options leave nothing to choose.
func Widen(ctx context.Context, k *Kernel, m *Mapping, opts MapOptions) (*Kernel, *Mapping, error) {
	if k.Function == nil || k.opts.Direct || k.opts.Unroll != AutoUnroll || m.Choice == nil {
		return k, m, nil
	}
	w := widening{opts: opts, m: m, base: k.plain(), product: 1}
	w.opts.Warn, w.opts.effort = nil, exploreEffort
	limited := ctx
	if opts.Budget > 0 {
		var cancel func()
		limited, cancel = context.WithTimeout(ctx, opts.Budget)
		defer cancel()
	}
	err := w.search(limited)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	how := *m.Choice
	how.Stopped = how.Stopped || limited.Err() != nil
	if err != nil || w.name == "" {
		m.Choice = &how
		return k, m, err
	}
	f, err := shippedFabric(w.name)
	if err != nil {
		return nil, nil, err
	}
	there, err := w.base.rate(ctx, f, sizeOf(f), opts)
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		return k, m, nil
	}
	was, now := sizeOf(m.Fabric), sizeOf(f)
	opts.warn(there.notes...)
	how.Fabric = w.name
	how.LUTs *= float64(was.LUTs) / float64(now.LUTs)
	how.Time *= w.gain * now.MHz / was.MHz
	for _, other := range w.tried {
		if !slices.Contains(how.Tried, other) {
			how.Tried = append(how.Tried, other)
		}
	}
	there.m.Choice = &how
	return KeepFastest(ctx, there.k, there.m, opts)
}

// plain is the kernel as it was before KeepFastest, with the options that leave the choice to it.
func (k *Kernel) plain() *Kernel {
	here := *k
	here.chosen = k.opts.variant()
	return &here
}

// sizeOf is what a shipped fabric counts with.
func sizeOf(f *Fabric) choice.Fabric {
	area, _ := f.area()
	return choice.Fabric{LUTs: area.LUTs, MHz: shipped.MHz[f.Name]}
}

// widening is a search of Widen.
type widening struct {
	opts MapOptions
	m    *Mapping
	base *Kernel
	// name is the fabric found, product its area × time by that of m, gain how many times as many cycles the kernel takes on m's. tried are those that were tried.
	name          string
	product, gain float64
	tried         []string
}

// search looks for a fabric, until its context ends.
func (w *widening) search(ctx context.Context) error {
	now, err := w.compared(ctx)
	if err != nil || now == nil {
		return err
	}
	k := now.Kernel.plain()
	last := k.text(k.leveled(0).chosen)
	for level := 1; level <= MaxUnroll && ctx.Err() == nil; level++ {
		v := k.leveled(level)
		before := last
		if last = k.text(v.chosen); last == before {
			break // no loop of few iterations is left
		}
		if err := w.onLarger(ctx, v, now); err != nil {
			return err
		}
	}
	return nil
}

// onLarger maps a kernel onto the shipped fabrics that are larger than that of m, up to the smallest that takes it, and keeps the one with the least area × time.
func (w *widening) onLarger(ctx context.Context, v *Kernel, now *Mapping) error {
	for _, other := range shipped.Names() {
		if shipped.Area[other].LUTs > 0 && shipped.Area[other].LUTs <= sizeOf(w.m.Fabric).LUTs {
			continue
		}
		f, err := shippedFabric(other)
		if err != nil {
			return err
		}
		larger := sizeOf(f).Cycle() / sizeOf(w.m.Fabric).Cycle()
		if f.Arch.IndexWidth != w.m.Fabric.Arch.IndexWidth || larger <= 1 {
			continue
		}
		w.tried = append(w.tried, other)
		r, err := v.rate(ctx, f, sizeOf(f), w.opts)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			if fault(err) {
				return err
			}
			continue
		}
		gain, err := r.m.gainWritten(now, w.opts.Latency)
		if err != nil {
			return err
		}
		if larger/gain < w.product && gain >= worthwhile {
			w.name, w.product, w.gain = other, larger/gain, gain
		}
		if !r.fit.Temporal {
			break // larger ones are no faster
		}
	}
	return nil
}

// leveled is the kernel with so many levels of loops written out, and loads kept unless that is off.
func (k *Kernel) leveled(unroll int) *Kernel {
	here := *k
	here.opts.Unroll = unroll
	if here.opts.Reuse != "off" {
		here.opts.Reuse = "on"
	}
	here.chosen = here.opts.variant()
	return &here
}

// compared is the mapping whose cycles count: m, or that of the kernel whose arrays do not overlap, on the same fabric.
func (w *widening) compared(ctx context.Context) (*Mapping, error) {
	d, err := w.m.Kernel.Disjoint()
	if err != nil || d == nil {
		return w.m, err
	}
	opts := w.opts
	opts.effort = mapper.Effort{} // the whole one, as that of m: what is looked for is compared with the best there is
	m, err := Map(ctx, d, w.m.Fabric, opts)
	if err != nil {
		if ctx.Err() == nil && fault(err) {
			return nil, err
		}
		return w.m, nil
	}
	if _, m, err = KeepFastest(ctx, d, m, opts); err != nil && ctx.Err() != nil {
		return nil, nil
	}
	return m, err
}
