// Package pass runs a compilation as one literal table of named passes: each
// with its function and the reason why it exists, with ordering constraints
// that are checked before anything runs, with verification after every pass,
// and with a report that names the pass when one of them panics.
package pass

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"loom/compiler/diag"
)

// Pass is one row of a pass table over a state S.
type Pass[S any] struct {
	Name   string
	Run    func(S, *diag.List)
	Reason string
}

// Constraint says that one pass must run before another, and why.
type Constraint struct{ Before, After, Reason string }

// Pipeline is a pass table with what surrounds it.
type Pipeline[S any] struct {
	Name   string
	Passes []Pass[S]
	Order  []Constraint
	// Verify checks the state after the named pass. What it finds is a fault of
	// the compiler, not of the input. Nil verifies nothing.
	Verify func(state S, after string, errs *diag.List)
	// Dump prints the state as text.
	Dump func(S) string
	// Subject names what is compiled, for reports of faults.
	Subject func(S) string
}

// Options of one run.
type Options struct {
	// DumpAfter names the pass after which the state is written to Out; "all"
	// means every pass.
	DumpAfter string
	Out       io.Writer
}

// Check reports the first violated ordering constraint, duplicate name or
// missing reason of the table itself.
func (p *Pipeline[S]) Check() error {
	at := map[string]int{}
	for i, q := range p.Passes {
		if q.Name == "" || q.Reason == "" || q.Run == nil {
			return fmt.Errorf("pipeline %s: pass #%d %q lacks a name, a function or a reason", p.Name, i, q.Name)
		}
		if _, dup := at[q.Name]; dup {
			return fmt.Errorf("pipeline %s: pass %q stands twice in the table", p.Name, q.Name)
		}
		at[q.Name] = i
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
	if opts.DumpAfter != "" && opts.DumpAfter != "all" && !contains(p.Names(), opts.DumpAfter) {
		errs.Errorf(diag.Pos{}, "there is no pass named %q to dump after", opts.DumpAfter).
			WithHelp("the passes are: %s, or all", strings.Join(p.Names(), ", "))
		return
	}
	for _, q := range p.Passes {
		p.runOne(q, state, errs)
		if errs.HasErrors() {
			return
		}
		if p.Dump != nil && opts.Out != nil && (opts.DumpAfter == q.Name || opts.DumpAfter == "all") {
			fmt.Fprintf(opts.Out, "// after %s\n%s\n", q.Name, strings.TrimRight(p.Dump(state), "\n"))
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
	if errs.HasErrors() || p.Verify == nil {
		return
	}
	found := &diag.List{}
	p.Verify(state, q.Name, found)
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

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}
