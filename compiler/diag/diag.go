// Package diag holds the findings that every stage of LOOM reports: a severity, an optional error symbol (design page "Error symbols"), a
// message, a primary position, notes with positions of their own, and help that
// states what to do. A List is an error, sorted, de-duplicated and capped when it
// is rendered with the source line and a caret.
package diag

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Pos is a position in a source text. Line and Col count from 1; Col counts bytes.
// The zero Pos is an unknown position.
type Pos struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"column,omitempty"`
}

// IsValid reports whether p names a line.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String prints file:line:column, leaving out what is unknown.
func (p Pos) String() string {
	file := p.File
	if file == "" {
		file = "<input>"
	}
	switch {
	case p.Line == 0:
		return file
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", file, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", file, p.Line, p.Col)
}

// SplitPos takes the position off a line of text that begins with one.
func SplitPos(text string) (pos Pos, rest string, ok bool) {
	m := placed.FindStringSubmatch(text)
	if m == nil {
		return Pos{}, text, false
	}
	line, _ := strconv.Atoi(m[2])
	col, _ := strconv.Atoi(m[3])
	return Pos{File: m[1], Line: line, Col: col}, m[4], true
}

var placed = regexp.MustCompile(`(?s)^(.+?):(\d+):(\d+): (.*)$`)

// Severity orders diagnostics by how much they matter.
type Severity int

// The severities. Internal marks a fault of LOOM itself, never of its input.
const (
	Error Severity = iota
	Warning
	Remark
	Internal
)

func (s Severity) String() string {
	return [...]string{"error", "warning", "remark", "internal error"}[s]
}

// MarshalText lets severities appear by name in JSON.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Note adds a second position or a fact to a Diagnostic.
type Note struct {
	Pos     Pos    `json:"position,omitempty"`
	Message string `json:"message"`
}

// Diagnostic is one finding.
type Diagnostic struct {
	Severity Severity `json:"severity"`
	// Symbol is the error symbol (CPL_…), empty where none exists.
	Symbol  string `json:"symbol,omitempty"`
	Pos     Pos    `json:"position"`
	Message string `json:"message"`
	Notes   []Note `json:"notes,omitempty"`
	// Help states what the user can do about it.
	Help string `json:"help,omitempty"`
}

// Error renders the finding on one line, without source text.
func (d *Diagnostic) Error() string { return d.line(d.Severity.String() + ":") }

// line is Error with that text for the severity.
func (d *Diagnostic) line(severity string) string {
	sym := ""
	if d.Symbol != "" {
		sym = " [" + d.Symbol + "]"
	}
	if d.Pos == (Pos{}) {
		return fmt.Sprintf("%s%s %s", severity, sym, d.Message)
	}
	return fmt.Sprintf("%s: %s%s %s", d.Pos, severity, sym, d.Message)
}

// WithNote appends a note and returns d.
func (d *Diagnostic) WithNote(pos Pos, format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, Note{Pos: pos, Message: fmt.Sprintf(format, args...)})
	return d
}

// WithHelp sets the help text and returns d.
func (d *Diagnostic) WithHelp(format string, args ...any) *Diagnostic {
	d.Help = fmt.Sprintf(format, args...)
	return d
}

// WithSymbol sets the error symbol and returns d.
func (d *Diagnostic) WithSymbol(symbol string) *Diagnostic {
	d.Symbol = symbol
	return d
}

// New makes an error finding at pos.
func New(pos Pos, format string, args ...any) *Diagnostic {
	return &Diagnostic{Severity: Error, Pos: pos, Message: fmt.Sprintf(format, args...)}
}

// List collects findings. The zero List is ready for use; it is not safe for
// concurrent use.
type List struct{ All []*Diagnostic }

// Add appends a finding and returns it for further decoration.
func (l *List) Add(d *Diagnostic) *Diagnostic {
	l.All = append(l.All, d)
	return d
}

// Errorf appends an error at pos.
func (l *List) Errorf(pos Pos, format string, args ...any) *Diagnostic {
	return l.Add(New(pos, format, args...))
}

// Warnf appends a warning at pos.
func (l *List) Warnf(pos Pos, format string, args ...any) *Diagnostic {
	d := New(pos, format, args...)
	d.Severity = Warning
	return l.Add(d)
}

// Remarkf appends a remark at pos.
func (l *List) Remarkf(pos Pos, format string, args ...any) *Diagnostic {
	d := New(pos, format, args...)
	d.Severity = Remark
	return l.Add(d)
}

// HasErrors reports whether any finding is an error or an internal error.
func (l *List) HasErrors() bool {
	for _, d := range l.All {
		if d.Severity == Error || d.Severity == Internal {
			return true
		}
	}
	return false
}

// Err returns the list as an error when it holds errors, else nil.
func (l *List) Err() error {
	if l.HasErrors() {
		return l
	}
	return nil
}

// Error joins the one-line forms of all findings.
func (l *List) Error() string {
	lines := make([]string, 0, len(l.All))
	for _, d := range l.sorted() {
		lines = append(lines, d.Error())
	}
	return strings.Join(lines, "\n")
}

// sorted returns the findings by file, line and column, each once.
func (l *List) sorted() []*Diagnostic {
	out := make([]*Diagnostic, 0, len(l.All))
	seen := map[string]bool{}
	for _, d := range l.All {
		key := d.Error()
		if !seen[key] {
			seen[key] = true
			out = append(out, d)
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i].Pos, out[j].Pos
		if a.File != b.File {
			return a.File < b.File
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Col < b.Col
	})
	return out
}

// FromError turns any error into findings: a List or Diagnostic anywhere in its
// chain as it is, anything else as one error without position.
func FromError(err error) *List {
	if err == nil {
		return &List{}
	}
	var l *List
	if errors.As(err, &l) {
		return l
	}
	var d *Diagnostic
	if errors.As(err, &d) {
		return &List{All: []*Diagnostic{d}}
	}
	return &List{All: []*Diagnostic{{Severity: Error, Message: err.Error()}}}
}

// MaxRendered is how many findings Render prints before it only counts.
const MaxRendered = 20

// Source returns the text of a file for Render, ok false where it is unknown.
type Source func(file string) (text string, ok bool)

// Role is what a part of a rendered finding is, for its colour.
type Role int

// The roles: severities, notes and help, the source line's caret.
const (
	RoleError Role = iota
	RoleWarning
	RoleRemark
	RoleNote
	RoleCaret
)

// role is the role of a severity's name.
func (s Severity) role() Role {
	return [...]Role{Error: RoleError, Warning: RoleWarning, Remark: RoleRemark, Internal: RoleError}[s]
}

// Paint returns a part of a rendered finding with its colour.
type Paint func(role Role, text string) string

// Render prints findings for a person: position, severity, symbol, message, the
// source line with a caret, notes and help. src may be nil.
func Render(l *List, src Source) string {
	return RenderColored(l, src, func(_ Role, text string) string { return text })
}

// RenderColored is Render with colours.
func RenderColored(l *List, src Source, paint Paint) string {
	var b strings.Builder
	all := l.sorted()
	for i, d := range all {
		if i == MaxRendered {
			fmt.Fprintf(&b, "… and %d more\n", len(all)-i)
			break
		}
		b.WriteString(d.line(paint(d.Severity.role(), d.Severity.String()+":")))
		b.WriteByte('\n')
		writeSnippet(&b, d.Pos, src, paint)
		note := paint(RoleNote, "note:")
		for _, n := range d.Notes {
			if n.Pos == (Pos{}) {
				fmt.Fprintf(&b, "  %s %s\n", note, n.Message)
				continue
			}
			fmt.Fprintf(&b, "%s: %s %s\n", n.Pos, note, n.Message)
			writeSnippet(&b, n.Pos, src, paint)
		}
		if d.Help != "" {
			fmt.Fprintf(&b, "  %s %s\n", paint(RoleNote, "help:"), d.Help)
		}
	}
	return b.String()
}

// maxSnippet bounds the printed source line: minified input is one long line.
const maxSnippet = 160

func writeSnippet(b *strings.Builder, p Pos, src Source, paint Paint) {
	if src == nil || !p.IsValid() {
		return
	}
	text, ok := src(p.File)
	if !ok {
		return
	}
	lines := strings.Split(text, "\n")
	if p.Line > len(lines) {
		return
	}
	line := strings.TrimRight(lines[p.Line-1], "\r")
	if strings.TrimSpace(line) == "" {
		return // nothing to point at
	}
	col := max(p.Col-1, 0)
	if col > len(line) {
		col = len(line)
	}
	start := 0
	if col > maxSnippet-20 {
		start = col - maxSnippet/2
	}
	end := min(len(line), start+maxSnippet)
	// Tabs keep their width in the caret line so that the caret stays below.
	pad := []rune{}
	for _, r := range line[start:col] {
		if r == '\t' {
			pad = append(pad, '\t')
		} else {
			pad = append(pad, ' ')
		}
	}
	fmt.Fprintf(b, "  %s\n", strings.Map(printable, line[start:end]))
	if p.Col > 0 {
		fmt.Fprintf(b, "  %s%s\n", string(pad), paint(RoleCaret, "^"))
	}
}

// printable replaces what a terminal would not show as one character or would take
// as a command: the source may be anything.
func printable(r rune) rune {
	if r == '\t' || unicode.IsPrint(r) && r != utf8.RuneError {
		return r
	}
	return '?'
}

// JSON renders findings as a JSON array in stable order.
func JSON(l *List) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // types are full of < and >
	if err := enc.Encode(l.sorted()); err != nil {
		panic(err) // only plain data in there
	}
	return bytes.TrimSpace(b.Bytes())
}
