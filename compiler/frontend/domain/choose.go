package domain

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
)

// Candidate is a part of a function that Choose has considered.
type Candidate struct {
	// Loop is the number of the loop, -1 for the whole function.
	Loop int `json:"loop"`
	// Place is the position of its first line.
	Place string `json:"at"`
	// Work is the number of operations of a run: of those executed under the inputs, or an
	// estimate (Choice.Weighed). Share is the part of the whole function's, 0 to 1.
	Work  float64 `json:"work"`
	Share float64 `json:"share"`
	// Accel is set for a loop under #pragma loom accel.
	Accel bool `json:"accel"`
	// Chosen is set for one of them; Dropped is the reason against each of the others.
	Chosen  bool   `json:"chosen"`
	Dropped string `json:"dropped,omitempty"`

	pos diag.Pos
}

// lessWork is why most candidates are not chosen; it gets no line for each.
const lessWork = "it covers less work"

// Name is what a person calls a candidate.
func (c *Candidate) Name() string {
	if c.Loop < 0 {
		return "the whole function"
	}
	return fmt.Sprintf("loop %d", c.Loop)
}

// Choice is what Choose has taken.
type Choice struct {
	Domain *Domain
	// Candidates are the whole function and all its loops.
	Candidates []*Candidate
	// Weighed is set where their work is what a run has executed, not an estimate.
	Weighed bool
}

// Choose picks the domain of a function by itself: the whole function where fits accepts it,
// else of the loops that compute (Loop.Moves) and that fits accepts the one that covers most
// work. nil for fits accepts everything. run executes the function for the work of its
// loops; where it is nil or returns nil, the work is estimated (Work). Of candidates with
// equal work the outer one is taken. Loops that the source marks (#pragma loom accel) are
// the only candidates where there are any. Where nothing fits, the choice is what it would be
// if everything did, so that later stages report what is lacking.
func Choose(module, fn *ir.Operation, fits func(*Domain) error, run func() (*interp.Profile, error)) (*Choice, error) {
	c := &Choice{}
	loops := Loops(fn)
	whole := &Candidate{Loop: -1, Place: fn.Pos.String(), Work: Work(fn), Share: 1, pos: fn.Pos}
	c.Candidates = []*Candidate{whole}
	marked := slices.ContainsFunc(loops, func(l *Loop) bool { return l.Accel })
	for _, l := range loops {
		c.Candidates = append(c.Candidates, &Candidate{Loop: l.Number, Place: l.Place, Work: l.Work, Accel: l.Accel, Dropped: l.Why, pos: l.Pos})
		if l.Accel && l.Why != "" {
			return nil, notADomain(l) // a mark that cannot be followed is an error
		}
	}
	if marked {
		whole.Dropped = otherMark
	} else if domain := Whole(module, fn); fits == nil {
		whole.Chosen, c.Domain = true, domain
	} else if err := fits(domain); err == nil {
		whole.Chosen, c.Domain = true, domain
	} else {
		whole.Dropped = misfit(err)
	}
	if c.Domain == nil && len(loops) > 0 && run != nil {
		profile, err := run()
		if err != nil {
			return nil, err
		}
		c.weigh(loops, profile)
	}
	for _, l := range c.Candidates[1:] {
		l.Share = min(1, l.Work/max(1, whole.Work))
	}
	return c, c.loop(module, fn, loops, marked, fits)
}

const otherMark = "another loop is marked with #pragma loom accel"

// Unlowered is the error of a part that no fabric can execute.
type Unlowered struct{ Err error }

func (e *Unlowered) Error() string { return e.Err.Error() }
func (e *Unlowered) Unwrap() error { return e.Err }

func misfit(err error) string {
	if errors.As(err, new(*Unlowered)) {
		return unlowered + Reason(err)
	}
	return "it does not fit: " + Reason(err)
}

// Unlowerable reports whether Choose has found that no fabric can execute a candidate.
func Unlowerable(c *Candidate) bool { return strings.HasPrefix(c.Dropped, unlowered) }

const unlowered = "it cannot become hardware: "

// weigh replaces the estimates by what a run has executed.
func (c *Choice) weigh(loops []*Loop, run *interp.Profile) {
	if run == nil || run.Work == 0 {
		return
	}
	c.Weighed = true
	c.Candidates[0].Work = float64(run.Work)
	for i, l := range loops {
		c.Candidates[i+1].Work = float64(run.Loops[l.Op])
	}
}

// loop chooses among the loops if the whole function is not chosen.
func (c *Choice) loop(module, fn *ir.Operation, loops []*Loop, marked bool, fits func(*Domain) error) error {
	var order []*Candidate
	for i, l := range c.Candidates[1:] {
		switch {
		case l.Dropped != "":
		case marked && !l.Accel:
			l.Dropped = otherMark
		case c.Domain != nil:
			l.Dropped = lessWork
		case !marked && loops[i].Moves != "":
			l.Dropped = loops[i].Moves
		default:
			order = append(order, l)
		}
	}
	slices.SortStableFunc(order, func(a, b *Candidate) int { return cmp.Compare(b.Work, a.Work) })
	for i, l := range order {
		d, err := Outline(module, fn, l.Loop)
		if err == nil && fits != nil {
			err = fits(d)
		}
		if err != nil {
			l.Dropped = misfit(err)
			continue
		}
		l.Chosen, c.Domain = true, d
		for _, rest := range order[i+1:] {
			rest.Dropped = lessWork
		}
		return nil
	}
	switch {
	case c.Domain != nil:
		return nil
	case !marked:
		c.Candidates[0].Chosen, c.Domain = true, Whole(module, fn)
		return nil
	}
	order[0].Chosen = true
	var err error
	c.Domain, err = Outline(module, fn, order[0].Loop)
	return err
}

// Reason is the first sentence of an error.
func Reason(err error) string {
	for _, d := range diag.FromError(err).All {
		if d.Severity != diag.Warning && d.Severity != diag.Remark {
			return d.Message
		}
	}
	return strings.TrimSpace(err.Error())
}

// Remark reports what Choose took and why not the others, nil where there was nothing
// to choose: the whole function without marks.
func (c *Choice) Remark() *diag.Diagnostic {
	var d *diag.Diagnostic
	for _, l := range c.Candidates {
		if !l.Chosen {
			continue
		}
		if l.Loop < 0 && (l.Dropped == "" || len(c.Candidates) == 1) {
			return nil
		}
		text := fmt.Sprintf("%s becomes hardware: %s", l.Name(), ShareText(l.Share, c.Weighed))
		if l.Dropped != "" {
			text = "nothing fits the fabric; " + l.Name() + " is tried all the same"
			if Unlowerable(l) {
				text = l.Name() + " cannot become hardware, and no loop of it fits the fabric alone"
			}
		}
		d = diag.New(l.pos, "%s", text)
		d.Severity = diag.Remark
	}
	if d == nil {
		return nil
	}
	const most = 10
	left := 0
	for i, l := range c.Candidates {
		switch {
		case l.Dropped == "" || l.Dropped == lessWork:
		case i >= most:
			left++
		default:
			d.WithNote(l.pos, "not %s: %s", l.Name(), l.Dropped)
		}
	}
	if left > 0 {
		d.WithNote(diag.Pos{}, "… and %d more", left)
	}
	return d.WithHelp("--domain function and --domain loop=N choose by hand")
}

// ShareText states in percent which share of a function's work a part has, and what is left
// to the host; measured is false for an estimate.
func ShareText(share float64, measured bool) string {
	p := percent(share)
	if !measured {
		return fmt.Sprintf("about %s of the work by a static estimate; %s stay on the host", p, percent(1-share))
	}
	return fmt.Sprintf("%s of the work; %s stay on the host", p, percent(1-share))
}

// percent does not call a little nothing, nor almost all all.
func percent(share float64) string {
	switch p := 100 * share; {
	case p > 0 && p < 1:
		return "less than 1 %"
	case p > 99 && p < 100:
		return "more than 99 %"
	default:
		return fmt.Sprintf("%.0f %%", p)
	}
}
