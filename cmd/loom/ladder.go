package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/latency"
	"loom/rtlgen"
	"loom/sim/level0"
	"loom/sim/vector"
	"loom/verilator"
)

// level is one rung of the verification ladder.
type level struct {
	Level  int           `json:"level"`
	Name   string        `json:"name"`
	Status vector.Status `json:"status"`
	Cycles int64         `json:"cycles,omitempty"`
}

// ladder is the outcome of all levels on the same inputs.
type ladder struct {
	levels []level
	want   *vector.Outcome // what the kernel means: of the original function, then of the interpreter
	final  *vector.Outcome // of the hardware, or of the level that failed
	failed string          // name of the level that failed, "" for none
	trace  []byte          // of the cycle simulator, nil when it did not run
	stat   []byte
	judge  level           // whose outcome want is
	wave   string          // waveform that was written
	memory latency.Profile // of the levels that have cycles
	// tolerance is how far the next level's floats may lie from want.
	tolerance vector.Tolerance
}

// cosimRun is one proof of a mapping under Verilator.
type cosimRun struct {
	m     *mapped
	rtl   *rtlgen.Output
	in    *vector.Inputs
	env   *envFlags
	jobs  int
	waves bool // write a waveform
	// native is the original function, nil where there is none.
	native *level0.Program
}

// climb runs every level of the ladder on the same inputs and stops at the first
// that disagrees with the one before. wave is where a waveform goes, "" for none.
func (a *app) climb(r *cosimRun, wave string) (*ladder, error) {
	l := &ladder{memory: r.env.profile}
	m, in := r.m, r.in
	width := m.h.fabric.IndexWidth
	if ok, err := a.software(l, m.k, r.native, in, r.env, width); !ok || err != nil {
		return l, err
	}
	rec := m.recorder(in, r.env)
	ok, err := a.step(l, 3, "cycle simulator", func() (*vector.Outcome, error) { return a.cycleRun(m, in, r.env, rec.Add) })
	if err != nil {
		return l, err
	}
	l.trace, l.stat = rec.Trace(), rec.Stat()
	if !ok {
		return l, nil
	}
	_, err = a.step(l, 4, "Verilator, in lock-step with the cycle simulator", func() (*vector.Outcome, error) {
		rep, err := a.verilate(r, l.want, wave)
		if err != nil {
			return nil, err
		}
		l.wave = rep.WavePath
		return rep.Outcome, nil
	})
	return l, err
}

// step runs one level and compares it with the first. It reports whether the
// next level may follow.
func (a *app) step(l *ladder, number int, name string, run func() (*vector.Outcome, error)) (bool, error) {
	a.progress.Set(name)
	got, err := run()
	a.progress.Clear()
	if err == nil {
		err = a.ctx.Err()
	}
	if err != nil {
		return false, err
	}
	end := *got
	if number >= 1 && l.judge.Level < 1 {
		end = *a.doubtInputs(got)
	}
	switch {
	case l.want == nil && end.Status != vector.Done:
		end.Detail = append([]string{blame(end.Status)}, end.Detail...)
	case l.want != nil && end.Status == vector.Done:
		if d := vector.DiffTolerance(l.want, got, l.tolerance); len(d) > 0 {
			end.Status = vector.Mismatch
			end.Detail = append([]string{fmt.Sprintf("compared with level %d, %s", l.judge.Level, l.judge.Name)}, d...)
		}
	}
	this := level{number, name, end.Status, end.Cycles}
	l.levels = append(l.levels, this)
	l.final = &end
	if end.Status == vector.Done && (l.want == nil || number <= 1) {
		l.want, l.judge = got, this
	}
	if end.Status != vector.Done {
		l.failed = name
	}
	return end.Status == vector.Done, nil
}

// blame says whose fault it is when the first level, which defines what the
// kernel means, does not end in done.
func blame(s vector.Status) string {
	if s == vector.Budget {
		return "the kernel itself does not end on these inputs within the cycles of --max-cycles"
	}
	return "the kernel itself fails on these inputs"
}

// verilate runs the hardware.
func (a *app) verilate(r *cosimRun, want *vector.Outcome, wave string) (*verilator.Report, error) {
	a.outside.Store(true)
	defer a.outside.Store(false)
	return verilator.Run(a.ctx, verilator.Options{
		RTL: r.rtl, Fabric: r.m.h.fabric, Image: r.m.image, Binding: r.m.binding, Inputs: r.in,
		Latency: r.env.profile, Stall: r.env.stall, StallSeed: r.env.stallSeed, MaxCycles: r.env.maxCycles,
		Expected: want, LockStep: true, WavePath: wave, Jobs: r.jobs,
		Progress: func(p verilator.Progress) {
			if p.Total > 0 {
				a.progress.Set(fmt.Sprintf("Verilator: %s %d/%d", p.Stage, p.Done, p.Total))
			} else {
				a.progress.Set("Verilator: " + p.Stage)
			}
		},
	})
}

// sayLadder tells a person how far a run got.
func (a *app) sayLadder(l *ladder) {
	for _, v := range l.levels {
		mark := "ok  "
		if v.Status != vector.Done {
			mark = "FAIL"
		}
		extra := ""
		if v.Cycles > 0 {
			extra = fmt.Sprintf(", %d cycles", v.Cycles)
		}
		a.say("  %s level %d  %s%s", mark, v.Level, v.Name, extra)
	}
}

// verdict reports the end of a run and returns a statusError unless it is done.
func (a *app) verdict(l *ladder) error {
	a.sayLadder(l)
	if l.failed == "" {
		if n := len(l.final.Results); n > 0 {
			parts := make([]string, n)
			for i, s := range l.final.Results {
				parts[i] = vector.FormatScalar(s)
			}
			a.say("results: %s", strings.Join(parts, ", "))
		}
		hardware := ""
		if l.levels[len(l.levels)-1].Level >= 3 {
			hardware = "; the hardware took " + diag.Plural(int(l.final.Cycles), "cycle") + " at memory latency " + l.memory.String()
		}
		a.say("verdict: done. Every level agrees on %s and %s%s",
			diag.Plural(len(l.final.Results), "result"), diag.Plural(countElems(l.final.Memories), "memory element"), hardware)
		return nil
	}
	if !a.json {
		fmt.Fprintf(a.stderr, "verdict: %s at level %q\n", l.final.Status, l.failed)
		a.sayDetails(l.final)
	}
	return &statusError{string(l.final.Status), exitInput}
}

// sayDetails tells a person why a run did not end in done.
func (a *app) sayDetails(out *vector.Outcome) {
	if a.json {
		return
	}
	if out.Status == vector.Error && out.ErrorCode != 0 {
		fmt.Fprintf(a.stderr, "  error code %d: %s\n", out.ErrorCode, arch.HardwareSymbol(out.ErrorCode))
	}
	for _, d := range out.Detail {
		text := d
		if m := placed.FindStringSubmatch(d); m != nil {
			// The finding is about a line of a source that was read: show it.
			line, _ := strconv.Atoi(m[2])
			col, _ := strconv.Atoi(m[3])
			text = diag.Render(&diag.List{All: []*diag.Diagnostic{diag.New(diag.Pos{File: m[1], Line: line, Col: col}, "%s", m[4])}}, a.sources.text)
		}
		fmt.Fprintln(a.stderr, "  "+strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  "))
	}
	if out.Status == vector.Budget {
		fmt.Fprintln(a.stderr, "  help: --max-cycles N gives a run more time; smaller inputs need less")
	}
}

// placed matches a detail that begins with a source position.
var placed = regexp.MustCompile(`(?s)^(.+?):(\d+):(\d+): (.*)$`)

func countElems(ms []*vector.Memory) int {
	n := 0
	for _, m := range ms {
		n += len(m.Data)
	}
	return n
}

// resultJSON is the cosim object: the outcome with the levels beside it.
func (l *ladder) resultJSON() []byte {
	return withMember(l.final.JSON(arch.HardwareSymbol), "levels", l.levels)
}
