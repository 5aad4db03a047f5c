package loom

import (
	"context"
	"fmt"

	"loom/compiler/diag"
	"loom/compiler/frontend/domain"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mapper/tech"
	"loom/compiler/sizes"
	"loom/sim/vector"
)

// chooseDomain decides which part of the function becomes hardware. It reports the remarks on
// the source, unless that part is not there.
func (k *Kernel) chooseDomain(fn *ir.Operation, opts *CompileOptions, remarks []*diag.Diagnostic) (err error) {
	module := k.whole
	n, _ := opts.loopNumber()
	if n >= 0 {
		if k.Domain, err = domain.Outline(module, fn, n); err != nil {
			return err
		}
	}
	opts.warn(remarks...)
	switch {
	case n >= 0:
		return nil
	case opts.Domain == "function":
		k.Domain = domain.Whole(module, fn)
		return nil
	}
	var fits func(*domain.Domain) error
	if opts.Fabric != nil {
		defer opts.doing("choosing the domain")()
		// Cheap: the lowering, and the count of units, lanes and ports with which the
		// mapping begins.
		fits = func(d *domain.Domain) error {
			res, err := opts.graph(d.Module, d.Kernel.SymName(), false)
			if err != nil {
				return &domain.Unlowered{Err: err}
			}
			if _, err = tech.Map(res.Func, opts.Fabric.Arch); NoHardware(err) {
				return &domain.Unlowered{Err: err}
			}
			return err
		}
	}
	c, err := domain.Choose(module, fn, fits, func() (*interp.Profile, error) { return k.profile(fn, opts) })
	if err != nil {
		return err
	}
	if r := c.Remark(); r != nil {
		opts.warn(r)
	}
	k.Domain, k.Candidates, k.weighed = c.Domain, c.Candidates, c.Weighed
	return nil
}

// profile runs the whole function on CompileOptions.Inputs; nil without them, and for a run
// that ends in an error, which later levels report.
func (k *Kernel) profile(fn *ir.Operation, opts *CompileOptions) (*interp.Profile, error) {
	if opts.Inputs == nil {
		return nil, nil
	}
	whole := *k
	whole.Domain, whole.Module, whole.Function = domain.Whole(k.whole, fn), k.whole, fn
	in, err := opts.Inputs(&whole)
	if err != nil || in == nil {
		return nil, err
	}
	var p interp.Profile
	out, err := interp.Run(fn, in.Kernel, interp.Options{IndexWidth: k.IndexWidth, MaxSteps: workOf(0, countOps(k.whole)).search, Profile: &p})
	if err != nil || out.Status == vector.Error {
		return nil, nil
	}
	return &p, nil
}

// Part is the part of the source's function that is the kernel, where it is one of its
// loops.
type Part struct {
	// Loop is its number, as CompileOptions.Domain takes it, Loops the number of loops of
	// the function.
	Loop  int `json:"loop"`
	Loops int `json:"loops"`
	// At is the position of its first line, as in domain.Loop.
	At string `json:"at"`
	// Work is the number of operations of all its launches, Total that of the whole function,
	// Share their ratio, 0 to 1. The rest stays on the host.
	Work  float64 `json:"work"`
	Total float64 `json:"total_work"`
	Share float64 `json:"share"`
	// Measured is set where these are the operations that a run has executed, not a static
	// estimate.
	Measured bool `json:"measured"`
	// Launches is how often the host launches the kernel, 0 where no inputs are known.
	Launches int `json:"launches,omitempty"`

	pos diag.Pos
}

// String describes the part: "loop 1 of 2, hist.c:5, 89 % of the work; 11 % stay on the host".
func (p *Part) String() string {
	return fmt.Sprintf("loop %d of %d, %s:%d, %s", p.Loop, p.Loops, baseName(p.pos.File), p.pos.Line, domain.ShareText(p.Share, p.Measured))
}

// Part returns the part of the source's function that is the kernel, nil where it is the
// whole. Its share of the work is that under the inputs; without inputs it is what the choice
// of the domain was based on.
func (k *Kernel) Part(in *Inputs) *Part {
	if !k.oneLoop() {
		return nil
	}
	fn, err := lower.Function(k.whole, k.Domain.Host.SymName())
	if err != nil {
		return nil
	}
	loops := domain.Loops(fn)
	l := loops[k.Domain.Loop]
	p := &Part{Loop: l.Number, Loops: len(loops), At: l.Place, pos: l.Pos, Work: l.Work, Total: domain.Work(fn)}
	for _, c := range k.Candidates {
		switch {
		case c.Loop < 0:
			p.Total = c.Work
		case c.Loop == l.Number:
			p.Work, p.Measured = c.Work, k.weighed
		}
	}
	if in != nil && in.Launches > 0 {
		p.Work, p.Total, p.Measured, p.Launches = float64(in.work), float64(in.total), true, in.Launches
	}
	p.Share = min(1, p.Work/max(1, p.Total))
	return p
}

// Loops lists the loops of the function that Compile would lower, as candidates for
// CompileOptions.Domain, and for each that cannot become hardware alone the reason. name is
// the symbol of the function.
func Loops(ctx context.Context, src Source, opts CompileOptions) (name string, loops []*domain.Loop, err error) {
	if err := opts.Check(); err != nil {
		return "", nil, err
	}
	opts.Fabric = nil
	opts = opts.complete()
	s, err := structure(ctx, src, &opts)
	if err != nil {
		return "", nil, err
	}
	opts.warn(s.notes...)
	fn, err := lower.Function(s.module, opts.Function)
	if err != nil {
		return "", nil, err
	}
	sizes.Add(s.module, fn)
	loops = domain.Loops(fn)
	for _, l := range loops {
		if l.Why == "" {
			l.Why = opts.obstacle(s.module, fn, l)
		}
	}
	return fn.SymName(), loops, nil
}

// obstacle returns why a loop cannot be lowered, "" if it can.
func (o *CompileOptions) obstacle(module, fn *ir.Operation, l *domain.Loop) string {
	d, err := domain.Outline(module, fn, l.Number)
	if err == nil {
		_, err = lower.Lower(d.Module, o.lowering(d.Kernel.SymName()))
	}
	if err != nil {
		return domain.Reason(err)
	}
	return ""
}
