// Package pass runs a compilation as literal tables of named passes: each with
// its function, the reason why it exists and the properties that it requires and
// guarantees, with ordering constraints that are checked before anything runs,
// with the properties that hold verified after every pass, and with a report that
// names the pass when one of them panics.
package pass

import (
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

// Property is something that holds of a state between passes: it begins with the
// pass that guarantees it, or with the table, and ends with the pass that ends it.
type Property[S any] struct {
	Name  string
	Means string
	// Check adds what contradicts the property. It is nil where the state alone does
	// not show it.
	Check func(state S, errs *diag.List)
}

// Pass is one row of a pass table over a state S.
type Pass[S any] struct {
	Name   string
	Run    func(S, *diag.List)
	Reason string
	// Requires must hold before the pass, Guarantees holds from it on, Ends holds no
	// longer.
	Requires, Guarantees, Ends []*Property[S]
}

// Constraint states that one pass must run before another, and why, where properties do
// not imply the order or do not state the reason.
type Constraint struct {
	Before string `json:"before"`
	After  string `json:"after"`
	Reason string `json:"reason"`
}

// Pipeline is a pass table with what surrounds it.
type Pipeline[S any] struct {
	Name string
	// Given holds before the first pass.
	Given  []*Property[S]
	Passes []Pass[S]
	Order  []Constraint
	// IR is what a dump shows of a state.
	IR func(S) *ir.Operation
	// Subject names what is compiled, for reports of faults.
	Subject func(S) string
}

// Options of one run.
type Options struct {
	// DumpAfter names the pass after which the state is written to Out; "all"
	// means every pass.
	DumpAfter string
	Out       io.Writer
	// Print renders IR (mlir.Print, handed in to keep this package free of text);
	// without it nothing is dumped.
	Print func(*ir.Operation) string
	// Verify checks after every pass what holds there; without it that is checked
	// behind the last pass only, unless something is dumped.
	Verify bool
}

// Check reports the first fault of the table itself: a violated ordering
// constraint, a requirement that nothing before guarantees, a duplicate name or a
// missing reason.
func (p *Pipeline[S]) Check() error {
	at := map[string]int{}
	holds := holding[S](slices.Clone(p.Given))
	for i, q := range p.Passes {
		if q.Name == "" || q.Reason == "" || q.Run == nil {
			return fmt.Errorf("pipeline %s: pass #%d %q lacks a name, a function or a reason", p.Name, i, q.Name)
		}
		if _, dup := at[q.Name]; dup {
			return fmt.Errorf("pipeline %s: pass %q stands twice in the table", p.Name, q.Name)
		}
		at[q.Name] = i
		for _, need := range append(slices.Clone(q.Requires), q.Ends...) {
			if !slices.Contains(holds, need) {
				return fmt.Errorf("pipeline %s: %q requires or ends %q, which does not hold there", p.Name, q.Name, need.Name)
			}
		}
		holds = holds.behind(q)
	}
	for _, c := range p.Order {
		b, okB := at[c.Before]
		a, okA := at[c.After]
		if !okB || !okA {
			return fmt.Errorf("pipeline %s: a constraint names %q and %q, one of which is no pass", p.Name, c.Before, c.After)
		}
		if b >= a {
			return fmt.Errorf("pipeline %s: %q must run before %q: %s", p.Name, c.Before, c.After, c.Reason)
		}
	}
	return nil
}

// Names returns the names of the passes in order.
func (p *Pipeline[S]) Names() []string {
	names := make([]string, len(p.Passes))
	for i, q := range p.Passes {
		names[i] = q.Name
	}
	return names
}

// Run runs the table on a state. It stops after the first pass that reports
// errors; a panic or a failed verification becomes an internal error that names
// the pass and the subject. Warnings and remarks are collected in errs.
func (p *Pipeline[S]) Run(state S, opts Options, errs *diag.List) {
	if err := p.Check(); err != nil {
		internal(errs, err.Error())
		return
	}
	if opts.DumpAfter != "" && opts.DumpAfter != "all" && !slices.Contains(p.Names(), opts.DumpAfter) {
		errs.Errorf(diag.Pos{}, "there is no pass named %q to dump after", opts.DumpAfter).
			WithHelp("the passes are: %s, or all", strings.Join(p.Names(), ", "))
		return
	}
	holds := holding[S](slices.Clone(p.Given))
	verify := opts.Verify || opts.DumpAfter != ""
	for i, q := range p.Passes {
		holds = holds.behind(q)
		p.runOne(q, state, errs)
		if !errs.HasErrors() && (verify || i == len(p.Passes)-1) {
			p.verify(q, state, holds, errs)
		}
		if errs.HasErrors() {
			return
		}
		if opts.Out != nil && opts.Print != nil && (opts.DumpAfter == q.Name || opts.DumpAfter == "all") {
			fmt.Fprintf(opts.Out, "// after %s\n%s\n", q.Name, strings.TrimRight(opts.Print(p.IR(state)), "\n"))
		}
	}
}

func (p *Pipeline[S]) runOne(q Pass[S], state S, errs *diag.List) {
	defer func() {
		if r := recover(); r != nil {
			internal(errs, fmt.Sprintf("pass %s of pipeline %s failed on %s: %v", q.Name, p.Name, p.subject(state), r)).
				WithNote(diag.Pos{}, "%s", debug.Stack())
		}
	}()
	q.Run(state, errs)
}

// verify checks the properties that hold behind a pass.
func (p *Pipeline[S]) verify(q Pass[S], state S, holds holding[S], errs *diag.List) {
	found := &diag.List{}
	for _, h := range holds {
		if h.Check != nil {
			h.Check(state, found)
		}
	}
	for _, d := range found.All {
		if d.Severity != diag.Error && d.Severity != diag.Internal {
			continue
		}
		d.Severity = diag.Internal
		d.Message = fmt.Sprintf("after pass %s of pipeline %s: %s", q.Name, p.Name, d.Message)
		errs.Add(d)
	}
}

func (p *Pipeline[S]) subject(state S) (name string) {
	name = "its input"
	if p.Subject != nil {
		defer func() { _ = recover() }() // a broken state must not hide the first fault
		name = p.Subject(state)
	}
	return name
}

func internal(errs *diag.List, msg string) *diag.Diagnostic {
	d := diag.New(diag.Pos{}, "%s", msg)
	d.Severity = diag.Internal
	return errs.Add(d).WithHelp("this is a fault of LOOM, please report it together with the input")
}

// holding are the properties that hold at a position of a table.
type holding[S any] []*Property[S]

// behind are those that hold behind a pass. The list is used up.
func (h holding[S]) behind(q Pass[S]) holding[S] {
	h = slices.DeleteFunc(h, func(p *Property[S]) bool { return slices.Contains(q.Ends, p) })
	for _, p := range q.Guarantees {
		if !slices.Contains(h, p) {
			h = append(h, p)
		}
	}
	return h
}
