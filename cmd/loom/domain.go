package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"loom"
	"loom/compiler/frontend/domain"
	"loom/compiler/ir"
)

// domainResult is, for --json, the part that became hardware and the other candidates, nil
// for a whole function without other candidates. in may be nil; whole is the fabric that takes
// the whole function, "" if none is known.
func domainResult(k *loom.Kernel, in *loom.Inputs, whole string) any {
	part := k.Part(in)
	if part == nil && len(k.Candidates) < 2 {
		return nil
	}
	if part == nil {
		whole := k.Candidates[0]
		part = &loom.Part{Loop: -1, Loops: len(k.Candidates) - 1, At: whole.Place, Work: whole.Work, Total: whole.Work, Share: 1}
	}
	return struct {
		Kernel string `json:"kernel"`
		*loom.Part
		Candidates []*domain.Candidate `json:"candidates,omitempty"`
		WholeFits  string              `json:"whole_fits,omitempty"`
	}{k.Domain.Kernel.SymName(), part, k.Candidates, whole}
}

// listLoops prints the loops of a kernel: --list-loops.
func (a *app) listLoops(file string, lf *lowerFlags) error {
	src, err := a.readKernel(file, lf)
	if err != nil {
		return err
	}
	name, loops, err := loom.Loops(a.ctx, src, lf.CompileOptions)
	if err != nil {
		return err
	}
	a.print("%s", strings.TrimRight(loopTable(name, loops), "\n"))
	if loops == nil {
		loops = []*domain.Loop{}
	}
	a.done(result{Loops: loops})
	return nil
}

// loopTable formats loops as a table, inner ones indented.
func loopTable(function string, loops []*domain.Loop) string {
	if len(loops) == 0 {
		return fmt.Sprintf("%s has no loops", ir.SymbolText(function))
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
		case l.Moves != "":
			verdict = "yes, but not by auto: " + l.Moves
		}
		fmt.Fprintf(w, "%d\t%s%s\t%s\t%d\t%s\t%s\t%s\n", l.Number, strings.Repeat("  ", l.Depth), l.Kind, l.Place, l.Depth, trips, memories, verdict)
	}
	w.Flush()
	return b.String()
}
