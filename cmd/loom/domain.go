package main

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"loom/compiler/arch"
	"loom/compiler/frontend/domain"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mapper/tech"
)

// loopNumber is N of --domain loop=N, -1 for other values; ok is false where there is
// no number.
func (f *lowerFlags) loopNumber() (n int, ok bool) {
	text, isLoop := strings.CutPrefix(f.domain, "loop=")
	if !isLoop {
		return -1, true
	}
	v, err := strconv.ParseUint(text, 10, 31)
	return int(v), err == nil
}

// chooseDomain decides which part of the function becomes hardware. lowering are the
// options for a trial, fabric what it has to fit, nil for none.
func (a *app) chooseDomain(module, fn *ir.Operation, lf *lowerFlags, lowering lower.Options, fabric *arch.Fabric) (*domain.Domain, []*domain.Candidate, error) {
	n, _ := lf.loopNumber()
	switch {
	case n >= 0:
		d, err := domain.Outline(module, fn, n)
		return d, nil, err
	case lf.domain == "function":
		return domain.Whole(module, fn), nil, nil
	}
	var fits func(*domain.Domain) error
	if fabric != nil {
		a.progress.Set("choosing the domain")
		defer a.progress.Clear()
		// The lowering takes little time, and the account of units, lanes and ports
		// that the mapping begins with takes less.
		fits = func(d *domain.Domain) error {
			o := lowering
			o.Function, o.DumpAfter = d.Kernel.SymName(), ""
			res, err := lower.Lower(d.Module, o)
			if err != nil {
				return err
			}
			_, err = tech.Map(res.Func, fabric)
			return err
		}
	}
	d, list, err := domain.Choose(module, fn, fits)
	if err != nil {
		return nil, nil, err
	}
	if r := domain.Remark(list); r != nil {
		a.warnings.Add(r)
	}
	return d, list, nil
}

// domainAnswer is, for --json, what became hardware and what else could have, nil for a
// whole function that nothing competed with.
func (k *kernel) domainAnswer() any {
	if k.domain == nil || k.domain.Loop < 0 && len(k.candidates) < 2 {
		return nil
	}
	return struct {
		Kernel     string              `json:"kernel"`
		Loop       int                 `json:"loop"`
		Candidates []*domain.Candidate `json:"candidates,omitempty"`
	}{k.domain.Kernel.SymName(), k.domain.Loop, k.candidates}
}

// listLoops tells about the loops of a kernel: --list-loops.
func (a *app) listLoops(file string, lf *lowerFlags) error {
	module, _, err := a.structured(file, lf)
	if err != nil {
		return err
	}
	fn, err := lower.Function(module, lf.function)
	if err != nil {
		return err
	}
	loops := domain.Loops(fn)
	for _, l := range loops {
		if l.Why == "" {
			l.Why = a.lowerable(module, fn, l, lf)
		}
	}
	a.say("%s", strings.TrimRight(loopTable(fn, loops), "\n"))
	if loops == nil {
		loops = []*domain.Loop{}
	}
	a.done(answer{Loops: loops})
	return nil
}

// lowerable says what the lowering has against a loop, "" for nothing.
func (a *app) lowerable(module, fn *ir.Operation, l *domain.Loop, lf *lowerFlags) string {
	d, err := domain.Outline(module, fn, l.Number)
	if err == nil {
		_, err = lower.Lower(d.Module, lower.Options{
			Function: d.Kernel.SymName(), MemoryOrder: lf.memoryOrder, IndexWidth: lf.indexWidth, MemoryBytes: lf.memoryBytes,
		})
	}
	if err != nil {
		return domain.Reason(err)
	}
	return ""
}

// loopTable prints loops for a person, inner ones indented.
func loopTable(fn *ir.Operation, loops []*domain.Loop) string {
	if len(loops) == 0 {
		return fmt.Sprintf("%s has no loops", ir.SymbolText(fn.SymName()))
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "loop\tkind\tat\tdepth\ttrips\tmemories\tdomain\n")
	for _, l := range loops {
		trips, memories, verdict := "?", l.MemoryText(), "yes"
		if l.Trips >= 0 {
			trips = fmt.Sprint(l.Trips)
		}
		if memories == "" {
			memories = "-"
		}
		switch {
		case l.Why != "":
			verdict = "no: " + l.Why
		case l.Accel:
			verdict = "yes, #pragma loom accel"
		}
		fmt.Fprintf(w, "%d\t%s%s\t%s\t%d\t%s\t%s\t%s\n", l.Number, strings.Repeat("  ", l.Depth), l.Kind, l.Place, l.Depth, trips, memories, verdict)
	}
	w.Flush()
	return b.String()
}
