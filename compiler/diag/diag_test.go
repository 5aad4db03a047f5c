package diag

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sourceText(file string) (string, bool) {
	texts := map[string]string{
		"k.mlir": "first\n\t%x = arith.addi %a %b : i32\r\n\n" + strings.Repeat("x", 300) + "!" + strings.Repeat("y", 300) + "\n\x1b[31mred\u00e9\xff\n",
	}
	t, ok := texts[file]
	return t, ok
}

func TestRender(t *testing.T) {
	at := func(line, col int) Pos { return Pos{"k.mlir", line, col} }
	for _, c := range []struct {
		name string
		list *List
		want string
	}{
		{"everything", &List{All: []*Diagnostic{
			New(at(2, 22), "expected ','").WithSymbol("CPL_X").WithNote(at(1, 1), "see here").WithNote(Pos{}, "for comparison").WithHelp("put one"),
		}}, "k.mlir:2:22: error: [CPL_X] expected ','\n" +
			"  \t%x = arith.addi %a %b : i32\n" +
			"  \t                    ^\n" +
			"k.mlir:1:1: note: see here\n  first\n  ^\n" +
			"  note: for comparison\n" +
			"  help: put one\n"},
		{"without position", &List{All: []*Diagnostic{{Severity: Warning, Message: "hm"}}}, "warning: hm\n"},
		{"file alone", &List{All: []*Diagnostic{New(Pos{File: "k.mlir"}, "bad")}}, "k.mlir: error: bad\n"},
		{"line alone", &List{All: []*Diagnostic{New(at(1, 0), "bad")}}, "k.mlir:1: error: bad\n  first\n"},
		{"beyond the line", &List{All: []*Diagnostic{New(at(1, 99), "bad")}}, "k.mlir:1:99: error: bad\n  first\n       ^\n"},
		{"beyond the text", &List{All: []*Diagnostic{New(at(99, 1), "bad")}}, "k.mlir:99:1: error: bad\n"},
		{"empty line", &List{All: []*Diagnostic{New(at(3, 1), "bad")}}, "k.mlir:3:1: error: bad\n"},
		{"unknown file", &List{All: []*Diagnostic{New(Pos{"other", 1, 1}, "bad")}}, "other:1:1: error: bad\n"},
		{"long line", &List{All: []*Diagnostic{New(at(4, 301), "bad")}}, "k.mlir:4:301: error: bad\n  " +
			strings.Repeat("x", maxSnippet/2) + "!" + strings.Repeat("y", maxSnippet/2-1) + "\n  " + strings.Repeat(" ", maxSnippet/2) + "^\n"},
		{"control characters", &List{All: []*Diagnostic{New(at(5, 6), "bad")}}, "k.mlir:5:6: error: bad\n  ?[31mred\u00e9?\n       ^\n"},
		{"sorted, each once", &List{All: []*Diagnostic{
			New(at(2, 1), "b"), New(at(1, 2), "c"), New(at(1, 1), "a"), New(at(2, 1), "b"), New(Pos{File: "a"}, "z"),
		}}, "a: error: z\nk.mlir:1:1: error: a\n  first\n  ^\nk.mlir:1:2: error: c\n  first\n   ^\nk.mlir:2:1: error: b\n  \t%x = arith.addi %a %b : i32\n  ^\n"},
	} {
		if diff := cmp.Diff(c.want, Render(c.list, sourceText)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	if got := Render(&List{All: []*Diagnostic{New(at(1, 1), "bad")}}, nil); got != "k.mlir:1:1: error: bad\n" {
		t.Errorf("without sources: %q", got)
	}
}

func TestRenderIsCapped(t *testing.T) {
	l := &List{}
	for i := range MaxRendered + 7 {
		l.Errorf(Pos{"f", i + 1, 1}, "bad")
	}
	got := Render(l, nil)
	if n := strings.Count(got, "error"); n != MaxRendered || !strings.HasSuffix(got, "… and 7 more\n") {
		t.Errorf("%d findings:\n%s", n, got)
	}
}

func TestListAsError(t *testing.T) {
	l := &List{}
	l.Warnf(Pos{}, "w")
	l.Remarkf(Pos{}, "r")
	if l.HasErrors() || l.Err() != nil {
		t.Error("warnings and remarks are errors")
	}
	l.Errorf(Pos{"f", 2, 1}, "second")
	l.Add(&Diagnostic{Severity: Internal, Pos: Pos{"f", 1, 1}, Message: "first"})
	if l.Err() == nil || l.Error() != "warning: w\nremark: r\nf:1:1: internal error: first\nf:2:1: error: second" {
		t.Errorf("%q", l.Error())
	}
}

func TestFromError(t *testing.T) {
	l := &List{All: []*Diagnostic{New(Pos{}, "a"), New(Pos{}, "b")}}
	d := New(Pos{"f", 1, 1}, "c")
	for _, c := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{l, "error: a\nerror: b"},
		{fmt.Errorf("around: %w", l), "error: a\nerror: b"},
		{fmt.Errorf("around: %w", d), "f:1:1: error: c"},
		{errors.New("plain"), "error: plain"},
	} {
		if got := FromError(c.err).Error(); got != c.want {
			t.Errorf("%v: %q", c.err, got)
		}
	}
}

func TestJSON(t *testing.T) {
	l := &List{}
	l.Errorf(Pos{"f", 2, 1}, "type memref<?xi32>").WithSymbol("S").WithHelp("h").WithNote(Pos{"g", 1, 1}, "n")
	l.Warnf(Pos{"f", 1, 1}, "w")
	const want = `[{"severity":"warning","position":{"file":"f","line":1,"column":1},"message":"w"},` +
		`{"severity":"error","symbol":"S","position":{"file":"f","line":2,"column":1},"message":"type memref<?xi32>",` +
		`"notes":[{"position":{"file":"g","line":1,"column":1},"message":"n"}],"help":"h"}]`
	if diff := cmp.Diff(want, string(JSON(l))); diff != "" {
		t.Error(diff)
	}
	if got := string(JSON(&List{})); got != "[]" {
		t.Errorf("the empty list is %s", got)
	}
	if !json.Valid(JSON(&List{All: []*Diagnostic{New(Pos{}, "bad \xff bytes")}})) {
		t.Error("invalid JSON")
	}
}
