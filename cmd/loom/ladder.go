package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"loom"
	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/sim/vector"
)

// printLevels prints the levels of a run.
func (a *app) printLevels(run *loom.Run) {
	for _, v := range run.Levels {
		mark := "ok  "
		if v.Status != vector.Done {
			mark = "FAIL"
		}
		extra := ""
		if v.Cycles > 0 {
			extra = fmt.Sprintf(", %d cycles", v.Cycles)
		}
		if v.Launches > 0 {
			extra += ", " + diag.Plural(v.Launches, "launch")
		}
		if v.HostFunction {
			extra += " by the compiled host function"
		}
		a.print("  %s level %d  %s%s", mark, v.Level, v.Name, extra)
	}
}

// printLoops prints the initiation intervals that the cycle simulator has measured beside
// those that the mapping promises; which of several launches they are of.
func (a *app) printLoops(run *loom.Run, which string) {
	if len(run.Loops) == 0 {
		return
	}
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  loop"+which+"\tstarts\titerations\tcycles per iteration\tpredicted, for a memory of "+run.MemoryLatency)
	for _, l := range run.Loops {
		at := "-"
		if l.Line > 0 {
			at = fmt.Sprintf("%s:%d", filepath.Base(l.File), l.Line)
		}
		if l.Name != "" {
			at = "%" + l.Name + ", " + at
		}
		fmt.Fprintf(w, "  %s%s\t%d\t%d\t%s\t%s\n", strings.Repeat("  ", l.Depth), at, l.Activations, l.Iterations, l.Measured(), l.Predicted())
	}
	w.Flush()
	a.print("%s", strings.TrimRight(b.String(), "\n"))
}

// verdict prints the levels and the result of a run and returns a statusError unless it is
// done. Warnings come before it, and nothing after it.
func (a *app) verdict(k *loom.Kernel, in *loom.Inputs, run *loom.Run) error {
	a.flushWarnings()
	a.printLevels(run)
	part, hardware := k.Part(in), run.Levels[len(run.Levels)-1].Level >= 3
	launches, which := "", ""
	if part != nil {
		launches = " in " + diag.Plural(part.Launches, "launch")
		if part.Launches > 1 {
			which = " in the longest launch"
		}
	}
	a.printLoops(run, which)
	if run.Failed == "" {
		if n := len(run.Outcome.Results); n > 0 {
			parts := make([]string, n)
			for i, s := range run.Outcome.Results {
				parts[i] = vector.FormatScalar(s)
			}
			a.print("results: %s", strings.Join(parts, ", "))
		}
		what := "done"
		if part != nil {
			what = "done for " + part.String()
		}
		took := ""
		if hardware {
			took = "; the hardware took " + diag.Plural(int(run.Outcome.Cycles), "cycle") + launches + " at memory latency " + run.Environment.Latency.String()
		}
		a.print("verdict: %s. Every level agrees on %s and %s%s", what,
			diag.Plural(len(run.Outcome.Results), "result"), diag.Plural(countElems(run.Outcome.Memories), "memory element"), took)
		for _, b := range run.Buses {
			for _, line := range b.Limits(run.Outcome.Cycles) {
				a.print("memory '%s': %s", b.Memory, line)
			}
		}
		for _, c := range run.Caches {
			a.print("memory '%s': %s", c.Memory, c)
		}
		if run.Traffic != nil {
			a.print("memory: %s", run.Traffic)
			a.print("memory: %s", run.Traffic.Causes())
		}
		return nil
	}
	if !a.json {
		fmt.Fprintf(a.stderr, "verdict: %s at level %q\n", run.Outcome.Status, run.Failed)
		a.printDetails(run.Outcome)
	}
	return &statusError{string(run.Outcome.Status), exitInput}
}

// printDetails prints why a run did not end in done.
func (a *app) printDetails(out *vector.Outcome) {
	if a.json {
		return
	}
	if out.Status == vector.Error && out.ErrorCode != 0 {
		fmt.Fprintf(a.stderr, "  error code %d: %s\n", out.ErrorCode, arch.HardwareSymbol(out.ErrorCode))
	}
	for _, d := range out.Detail {
		text := d
		if pos, rest, ok := diag.SplitPos(d); ok {
			// The detail has a position in a source: print its line.
			text = a.render(&diag.List{All: []*diag.Diagnostic{diag.New(pos, "%s", rest)}})
		}
		fmt.Fprintln(a.stderr, "  "+strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  "))
	}
	if out.Status == vector.Budget {
		fmt.Fprintln(a.stderr, "  help: --max-cycles N gives a run more time; smaller inputs need less")
	}
}

func countElems(ms []*vector.Memory) int {
	n := 0
	for _, m := range ms {
		n += len(m.Data)
	}
	return n
}
