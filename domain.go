package loom

import (
	"context"

	"loom/compiler/frontend/domain"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mapper/tech"
)

// chooseDomain decides which part of the function becomes hardware.
func chooseDomain(module, fn *ir.Operation, opts *CompileOptions) (*domain.Domain, []*domain.Candidate, error) {
	n, _ := opts.loopNumber()
	switch {
	case n >= 0:
		d, err := domain.Outline(module, fn, n)
		return d, nil, err
	case opts.Domain == "function":
		return domain.Whole(module, fn), nil, nil
	}
	var fits func(*domain.Domain) error
	if opts.Fabric != nil {
		defer opts.doing("choosing the domain")()
		// Cheap: the lowering, and the count of units, lanes and ports with which the
		// mapping begins.
		fits = func(d *domain.Domain) error {
			res, err := lower.Lower(d.Module, opts.lowering(d.Kernel.SymName()))
			if err != nil {
				return err
			}
			_, err = tech.Map(res.Func, opts.Fabric.Arch)
			return err
		}
	}
	d, list, err := domain.Choose(module, fn, fits)
	if err != nil {
		return nil, nil, err
	}
	if r := domain.Remark(list); r != nil {
		opts.warn(r)
	}
	return d, list, nil
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
	fn, err := lower.Function(s.module, opts.Function)
	if err != nil {
		return "", nil, err
	}
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
