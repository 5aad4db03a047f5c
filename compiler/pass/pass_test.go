package pass

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

type text struct{ s string }

func appender(what string) func(*text, *diag.List) {
	return func(t *text, _ *diag.List) { t.s += what }
}

func pipeline(passes ...Pass[*text]) *Pipeline[*text] {
	return &Pipeline[*text]{
		Name: "p", Passes: passes,
		IR:      func(t *text) *ir.Operation { return ir.NewOp(t.s, diag.Pos{}, nil, nil) },
		Subject: func(t *text) string { return "text " + t.s },
	}
}

// TestRun runs in order, dumps where requested and stops at the first error.
func TestRun(t *testing.T) {
	fail := func(_ *text, errs *diag.List) { errs.Errorf(diag.Pos{File: "f", Line: 1}, "no") }
	p := pipeline(
		Pass[*text]{Name: "a", Run: appender("1"), Reason: "first"},
		Pass[*text]{Name: "b", Run: appender("2"), Reason: "second"},
		Pass[*text]{Name: "bad", Run: fail, Reason: "fails"},
		Pass[*text]{Name: "c", Run: appender("3"), Reason: "third"},
	)
	for _, c := range []struct{ after, want string }{
		{"", ""}, {"b", "// after b\n12\n"}, {"all", "// after a\n1\n// after b\n12\n"},
	} {
		var out bytes.Buffer
		state, errs := &text{}, &diag.List{}
		p.Run(state, Options{DumpAfter: c.after, Out: &out, Print: func(op *ir.Operation) string { return op.Name }}, errs)
		if state.s != "12" || errs.Error() != "f:1: error: no" {
			t.Errorf("state %q, errors %q", state.s, errs.Error())
		}
		if diff := cmp.Diff(c.want, out.String()); diff != "" {
			t.Errorf("dump after %q (-want +got):\n%s", c.after, diff)
		}
	}
	errs := &diag.List{}
	p.Run(&text{}, Options{DumpAfter: "x"}, errs)
	if !strings.Contains(errs.Error(), `no pass named "x"`) {
		t.Errorf("got %q", errs.Error())
	}
}

// TestFaults: a panic and a failed verification are internal errors that name
// the pass and the subject; what the input did wrong is not verified after.
func TestFaults(t *testing.T) {
	p := pipeline(Pass[*text]{Name: "boom", Run: func(*text, *diag.List) { panic("out of paper") }, Reason: "panics"})
	errs := &diag.List{}
	p.Run(&text{"x"}, Options{Verify: true}, errs)
	if got := errs.All[0]; got.Severity != diag.Internal ||
		got.Message != "pass boom of pipeline p failed on text x: out of paper" || len(got.Notes) == 0 {
		t.Errorf("got %+v", got)
	}
	p = pipeline(Pass[*text]{Name: "a", Run: appender("1"), Reason: "first"}, Pass[*text]{Name: "b", Run: appender("2"), Reason: "second"})
	p.Given = []*Property[*text]{{Name: "odd", Check: func(s *text, errs *diag.List) {
		if s.s == "12" {
			errs.Errorf(diag.Pos{}, "odd")
		}
	}}}
	errs = &diag.List{}
	p.Run(&text{}, Options{Verify: true}, errs)
	if got := errs.Error(); got != "internal error: after pass b of pipeline p: odd" {
		t.Errorf("got %q", got)
	}
}

// TestCheck: a table that contradicts its constraints does not run.
func TestCheck(t *testing.T) {
	a, b := Pass[*text]{Name: "a", Run: appender("1"), Reason: "first"}, Pass[*text]{Name: "b", Run: appender("2"), Reason: "second"}
	for _, c := range []struct {
		want  string
		build func() *Pipeline[*text]
	}{
		{"", func() *Pipeline[*text] { return pipeline(a, b) }},
		{`"b" must run before "a": because`, func() *Pipeline[*text] {
			p := pipeline(a, b)
			p.Order = []Constraint{{"b", "a", "because"}}
			return p
		}},
		{"one of which is no pass", func() *Pipeline[*text] {
			p := pipeline(a, b)
			p.Order = []Constraint{{"a", "z", "because"}}
			return p
		}},
		{`"b" requires or ends "q", which does not hold there`, func() *Pipeline[*text] {
			b := b
			b.Requires = []*Property[*text]{{Name: "q"}}
			return pipeline(a, b)
		}},
		{"stands twice", func() *Pipeline[*text] { return pipeline(a, a) }},
		{"lacks a name, a function or a reason", func() *Pipeline[*text] { return pipeline(Pass[*text]{Name: "a"}) }},
	} {
		err := c.build().Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
		if err != nil {
			errs := &diag.List{}
			c.build().Run(&text{}, Options{Verify: true}, errs)
			if !errs.HasErrors() {
				t.Errorf("a table with %v ran", err)
			}
		}
	}
}

// TestProperties: a property is verified from the pass that guarantees it to the one
// that ends it, and a pass behind that cannot require it.
func TestProperties(t *testing.T) {
	checked := ""
	even := &Property[*text]{Name: "even", Check: func(s *text, errs *diag.List) {
		checked += s.s + " "
		if len(s.s)%2 == 1 {
			errs.Errorf(diag.Pos{}, "odd")
		}
	}}
	list := []*Property[*text]{even}
	passes := []Pass[*text]{
		{Name: "a", Run: appender("1"), Reason: "first"},
		{Name: "b", Run: appender("2"), Reason: "second", Guarantees: list},
		{Name: "c", Run: appender("34"), Reason: "third", Requires: list},
		{Name: "d", Run: appender("5"), Reason: "fourth", Ends: list},
		{Name: "e", Run: appender("6"), Reason: "fifth"},
	}
	errs := &diag.List{}
	p := pipeline(passes...)
	p.Run(&text{}, Options{Verify: true}, errs)
	if checked != "12 1234 " || len(errs.All) > 0 {
		t.Errorf("checked %q, found %v", checked, errs)
	}
	if left := p.Table().Left; len(left) > 0 {
		t.Errorf("left are %v", left)
	}
	passes[3].Ends = nil
	pipeline(passes...).Run(&text{}, Options{Verify: true}, errs)
	if got := errs.Error(); got != "internal error: after pass d of pipeline p: odd" {
		t.Errorf("got %q", got)
	}
	passes[3].Ends, passes[4].Requires = list, list
	if err := pipeline(passes...).Check(); err == nil || !strings.Contains(err.Error(), `"e" requires or ends "even"`) {
		t.Errorf("got %v", err)
	}
}
