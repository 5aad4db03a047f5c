package main

import (
	"bytes"
	"fmt"
	"strings"
	"text/tabwriter"

	"loom"
	"loom/compiler/diag"
	"loom/compiler/latency"
	"loom/compiler/recurrence"
	"loom/sim/token"
	"loom/sim/vector"
)

// loopReport is a loop of a graph in JSON: the bound that its recurrences set and, after a
// timed run, the measured interval.
type loopReport struct {
	Name     string   `json:"name,omitempty"`
	Position position `json:"position"`
	// Inside is the number of loops around it.
	Inside int `json:"depth"`
	// Activations, Iterations and Interval are measured.
	Activations *int64   `json:"activations,omitempty"`
	Iterations  *int64   `json:"iterations,omitempty"`
	Interval    *float64 `json:"interval,omitempty"`
	// Bound is the least cycles per iteration, Recurrence the same as a ratio; both
	// are missing if the limiting cycle holds no token and so never fires.
	Bound      *float64     `json:"bound,omitempty"`
	Recurrence *ratioReport `json:"recurrence,omitempty"`
	Limiting   []stepReport `json:"limiting_cycle"`
	Inner      *innerReport `json:"inner_loops,omitempty"`
	bound      recurrence.Bound
}

type position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type ratioReport struct {
	Cycles     int `json:"cycles"`
	Iterations int `json:"iterations"`
}

// innerReport is the time that inner loops take per iteration of the outer loop.
type innerReport struct {
	Cycles float64 `json:"cycles"`
	// Position is that of the inner loop that takes longest.
	Position position `json:"position"`
}

type stepReport struct {
	Op       string   `json:"op"`
	Value    string   `json:"value,omitempty"`
	Part     string   `json:"part,omitempty"`
	Latency  int      `json:"latency"`
	Position position `json:"position"`
}

func positionOf(p diag.Pos) position { return position{p.File, p.Line, p.Col} }

// loopReportOf reports a loop without a run.
func loopReportOf(l *recurrence.Loop, b recurrence.Bound) loopReport {
	r := loopReport{Name: l.Name, Position: positionOf(l.Pos), Inside: l.Depth, Limiting: []stepReport{}, bound: b}
	if !b.Stuck {
		bound := float64(b.Cycles) / float64(b.Tokens)
		r.Bound, r.Recurrence = &bound, &ratioReport{b.Cycles, b.Tokens}
	}
	for _, s := range b.Path {
		r.Limiting = append(r.Limiting, stepReport{s.Op.Name, s.Value(), s.Part, s.Latency, positionOf(s.Pos())})
	}
	return r
}

// boundsOf reports the bounds of all loops of a graph.
func boundsOf(k *loom.Kernel, memory latency.Profile) []loopReport {
	nest, bounds := k.Bounds(memory)
	out := []loopReport{}
	for l, b := range bounds {
		out = append(out, loopReportOf(&nest.Loops[l], b))
	}
	return out
}

// timingReport is the measured part of a timed run's object.
func timingReport(t *token.Timing) []loopReport {
	out := []loopReport{}
	for i := range t.Loops {
		l := &t.Loops[i]
		r := loopReportOf(&l.Loop, l.Bound)
		r.Activations, r.Iterations = &l.Activations, &l.Iterations
		if l.Spent > 0 {
			measured := l.Interval()
			r.Interval = &measured
		}
		if l.Inner >= 0 {
			r.Inner = &innerReport{float64(l.InnerCycles) / float64(l.InnerSpent), positionOf(t.Loops[l.Inner].Pos)}
		}
		out = append(out, r)
	}
	return out
}

// memoryReport is the external memory that intervals assume.
type memoryReport struct {
	Profile string `json:"profile"`
	Cycles  int    `json:"cycles"`
}

func memoryReportOf(p latency.Profile) memoryReport { return memoryReport{p.String(), p.Cycles()} }

// intervalTable formats loops as a table, with the memory latency that it assumes; measured
// adds the columns of a timed run.
func intervalTable(loops []loopReport, p latency.Profile, measured bool) string {
	if len(loops) == 0 {
		return "no loops"
	}
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	if measured {
		fmt.Fprintln(w, "loop\tstarts\titerations\tinterval\tbound\tlimiting cycle")
	} else {
		fmt.Fprintln(w, "loop\tbound\tlimiting cycle")
	}
	for _, r := range loops {
		name := fmt.Sprintf("line %d", r.Position.Line)
		if r.Name != "" {
			name = "%" + r.Name + ", " + name
		}
		fmt.Fprintf(w, "%s%s\t", strings.Repeat("  ", r.Inside), name)
		if measured {
			fmt.Fprintf(w, "%d\t%d\t%s\t", *r.Activations, *r.Iterations, decimal(r.Interval))
		}
		if r.Inner != nil && (r.Bound == nil || r.Inner.Cycles > *r.Bound) {
			// The loops inside take longer than any recurrence of this one.
			fmt.Fprintf(w, "%s\tthe loop at line %d inside\n", decimal(&r.Inner.Cycles), r.Inner.Position.Line)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\n", decimal(r.Bound), r.limit())
	}
	w.Flush()
	fmt.Fprintf(&b, "external memory responding after %s", p.Describe())
	return b.String()
}

// maxSteps bounds the operations of a limiting cycle in a table; JSON has them all.
const maxSteps = 20

// limit is the limiting cycle on one line, each operation with its line.
func (r *loopReport) limit() string {
	if len(r.Limiting) == 0 {
		return "one firing per cycle"
	}
	var parts []string
	for i, s := range r.Limiting {
		if left := len(r.Limiting) - i; i == maxSteps && left > 2 {
			parts = append(parts, fmt.Sprintf("… %d more", left))
			break
		}
		parts = append(parts, fmt.Sprintf("%s:%d", r.bound.Path[i], s.Position.Line))
	}
	return strings.Join(parts, " -> ")
}

// decimal prints a ratio with as many digits as it needs, two at most.
func decimal(x *float64) string {
	if x == nil {
		return "-"
	}
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", *x), "0"), ".")
}

// simTimed runs a graph in the timed mode of the token simulator.
func (a *app) simTimed(k *loom.Kernel, inf *inputFlags, env *envFlags) error {
	in, err := a.inputs(k, inf, env.MaxCycles)
	if err != nil {
		return err
	}
	env.Latency = env.profile
	out, timing, err := k.RunTimed(in, env.Environment)
	if err != nil {
		return err
	}
	loops := timingReport(timing)
	if a.json {
		return a.simObject(in, out, func(object []byte) []byte {
			return withMember(withMember(object, "loops", loops), "memory_latency", memoryReportOf(env.Latency))
		})
	}
	if out.Status == vector.Done {
		a.print("done in %d cycles", timing.Cycles)
	} else {
		a.print("%s after %d cycles", out.Status, timing.Rest)
	}
	a.print("%s", intervalTable(loops, env.Latency, true))
	return a.simVerdict(out)
}
