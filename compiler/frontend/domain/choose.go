package domain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

// Candidate is a part of a function that Choose has considered.
type Candidate struct {
	// Loop is the number of the loop, -1 for the whole function.
	Loop int `json:"loop"`
	// Place is the position of its first line.
	Place string `json:"at"`
	// Work is the estimated number of operations of a run.
	Work float64 `json:"work"`
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

// Choose picks the domain of a function by itself: of the whole function and its loops
// the one that covers most work among those that fits accepts; nil accepts everything.
// Of candidates with equal work the outer one is taken. Loops that the source marks
// (#pragma loom accel) are the only candidates where there are any. Where nothing
// fits, the choice is what it would be if everything did, so that later stages report
// what is lacking.
func Choose(module, fn *ir.Operation, fits func(*Domain) error) (*Domain, []*Candidate, error) {
	loops := Loops(fn)
	all := []*Candidate{{Loop: -1, Place: fn.Pos.String(), Work: Work(fn), pos: fn.Pos}}
	marked := false
	for _, l := range loops {
		all = append(all, &Candidate{Loop: l.Number, Place: l.Place, Work: l.Work, Accel: l.Accel, Dropped: l.Why, pos: l.Pos})
		marked = marked || l.Accel
	}
	var order []*Candidate
	for _, c := range all {
		switch {
		case marked && !c.Accel:
			c.Dropped = "another loop is marked with #pragma loom accel"
		case c.Dropped != "" && c.Accel:
			// A mark that cannot be followed is an error.
			return nil, nil, notADomain(loops[c.Loop])
		case c.Dropped == "":
			order = append(order, c)
		}
	}
	slices.SortStableFunc(order, func(a, b *Candidate) int { return cmp.Compare(b.Work, a.Work) })
	domain := func(c *Candidate) (*Domain, error) {
		if c.Loop < 0 {
			return Whole(module, fn), nil
		}
		return Outline(module, fn, c.Loop)
	}
	for i, c := range order {
		d, err := domain(c)
		if err == nil && fits != nil {
			err = fits(d)
		}
		if err != nil {
			c.Dropped = "it does not fit: " + Reason(err)
			continue
		}
		c.Chosen = true
		for _, rest := range order[i+1:] {
			rest.Dropped = lessWork
		}
		return d, all, nil
	}
	order[0].Chosen = true
	d, err := domain(order[0])
	return d, all, err
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
func Remark(list []*Candidate) *diag.Diagnostic {
	var d *diag.Diagnostic
	for _, c := range list {
		if !c.Chosen {
			continue
		}
		if c.Loop < 0 && (c.Dropped == "" || len(list) == 1) {
			return nil
		}
		text := c.Name() + " becomes hardware"
		if c.Dropped != "" {
			text = "nothing fits the fabric; " + c.Name() + " is tried all the same"
		}
		d = diag.New(c.pos, "%s", text)
		d.Severity = diag.Remark
	}
	if d == nil {
		return nil
	}
	const most = 10
	left := 0
	for i, c := range list {
		switch {
		case c.Dropped == "" || c.Dropped == lessWork:
		case i >= most:
			left++
		default:
			d.WithNote(c.pos, "not %s: %s", c.Name(), c.Dropped)
		}
	}
	if left > 0 {
		d.WithNote(diag.Pos{}, "… and %s", fmt.Sprintf("%d more", left))
	}
	return d.WithHelp("--domain function and --domain loop=N choose by hand")
}
