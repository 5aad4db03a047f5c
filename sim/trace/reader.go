package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"loom/compiler/diag"
)

// Header is the first line of a .sim.trace.
type Header struct {
	Version  int               `json:"loom_trace"`
	Fabric   string            `json:"fabric"`
	Kernel   string            `json:"kernel"`
	Run      map[string]string `json:"run,omitempty"` // encoding/json sorts the keys
	Modules  []Module          `json:"modules"`
	Channels []Channel         `json:"channels"`
}

// Module is a component in the header.
type Module struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// Channel is a channel in the header; From and To are component.port, a boundary port,
// or "unused".
type Channel struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	From  string `json:"from"`
	To    string `json:"to"`
	Width int    `json:"width"`
	Tag   int    `json:"tag_width,omitempty"`
}

// Line is an event as a .sim.trace has it: an Event with numbers for components.
type Line struct {
	Cycle int64
	Kind  Kind
	// Module and Channel are -1 where the event has none.
	Module, Channel int
	Data            uint64
	Tag             uint16
	What            string
	// Events is the number of lines that a trace of limited length leaves out.
	Events int64
}

// Reader reads a .sim.trace line by line. Its errors are diagnostics with a line.
type Reader struct {
	Header Header
	sc     *bufio.Scanner
	name   string
	line   int
	last   int64
}

// NewReader reads the header. The name is the file's, for messages.
func NewReader(name string, r io.Reader) (*Reader, error) {
	t := &Reader{sc: bufio.NewScanner(r), name: name}
	t.sc.Buffer(nil, 64<<20)
	text, ok := t.next()
	if !ok {
		if err := t.sc.Err(); err != nil {
			return nil, t.unreadable(err)
		}
		return nil, diag.New(diag.Pos{File: name}, "the trace is empty")
	}
	if err := json.Unmarshal(text, &t.Header); err != nil || t.Header.Version != Version {
		return nil, diag.New(t.pos(), "this is no simulation trace of version %d", Version).
			WithHelp("loom sim and loom cosim write such a file (.sim.trace) with -o")
	}
	return t, nil
}

// next is the next line that is not blank.
func (t *Reader) next() ([]byte, bool) {
	for t.sc.Scan() {
		t.line++
		if text := bytes.TrimSpace(t.sc.Bytes()); len(text) > 0 {
			return text, true
		}
	}
	return nil, false
}

func (t *Reader) pos() diag.Pos { return diag.Pos{File: t.name, Line: t.line, Col: 1} }

func (t *Reader) unreadable(err error) error {
	return diag.New(diag.Pos{File: t.name, Line: t.line + 1, Col: 1}, "the trace cannot be read: %v", err)
}

// Next is the next event, io.EOF behind the last.
func (t *Reader) Next() (Line, error) {
	text, ok := t.next()
	if !ok {
		if err := t.sc.Err(); err != nil {
			return Line{}, t.unreadable(err)
		}
		return Line{}, io.EOF
	}
	e := members{Module: -1, Channel: -1}
	if !e.scan(text) {
		e = members{Module: -1, Channel: -1}
		if err := json.Unmarshal(text, &e); err != nil {
			return Line{}, diag.New(t.pos(), "the trace is damaged: %v", err)
		}
	}
	l := Line{Cycle: e.Cycle, Kind: e.Kind, Module: e.Module, Channel: e.Channel, Data: e.Code, Tag: e.Tag, What: e.What, Events: e.Events}
	if e.Data != "" {
		hex, prefixed := strings.CutPrefix(e.Data, "0x")
		n, err := strconv.ParseUint(hex, 16, 64)
		if err != nil || !prefixed {
			return Line{}, diag.New(t.pos(), "the trace is damaged: data '%s' is no hexadecimal number of 64 bits", e.Data)
		}
		l.Data = n
	}
	switch {
	case l.Kind == Cut:
		l.Cycle = t.last
	case l.Cycle < t.last:
		return Line{}, diag.New(t.pos(), "the trace is damaged: cycle %d follows cycle %d", l.Cycle, t.last)
	case l.Module < -1 || l.Module >= len(t.Header.Modules):
		return Line{}, diag.New(t.pos(), "the trace is damaged: there is no module %d", l.Module)
	case l.Channel < -1 || l.Channel >= len(t.Header.Channels):
		return Line{}, diag.New(t.pos(), "the trace is damaged: there is no channel %d", l.Channel)
	case needsModule(l.Kind) && l.Module < 0:
		return Line{}, diag.New(t.pos(), "the trace is damaged: '%s' names no module", l.Kind)
	case l.Kind == Transfer && l.Channel < 0:
		return Line{}, diag.New(t.pos(), "the trace is damaged: the transfer names no channel")
	}
	t.last = l.Cycle
	return l, nil
}

// members are those of an event's object.
type members struct {
	Cycle   int64  `json:"cycle"`
	Kind    Kind   `json:"kind"`
	Module  int    `json:"module"`
	Channel int    `json:"channel"`
	Data    string `json:"data"`
	Tag     uint16 `json:"tag"`
	Code    uint64 `json:"code"`
	What    string `json:"what"`
	Events  int64  `json:"events"`
}

// scan reads an object in the form that Writer gives it, several times as fast as
// encoding/json: traces have millions of them. False leaves the text to encoding/json.
func (e *members) scan(s []byte) bool {
	if len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' {
		return false
	}
	s = s[1 : len(s)-1]
	for len(s) > 0 {
		key, rest, ok := plain(s)
		if !ok || len(rest) < 2 || rest[0] != ':' {
			return false
		}
		value, rest, isText := plain(rest[1:])
		var n uint64
		if !isText {
			if value, rest, ok = digits(rest); !ok {
				return false
			}
			n, _ = strconv.ParseUint(string(value), 10, 64)
		}
		switch string(key) {
		case "cycle":
			e.Cycle, ok = int64(n), !isText
		case "kind":
			e.Kind, ok = Kind(value), isText
		case "module":
			e.Module, ok = int(n), !isText
		case "channel":
			e.Channel, ok = int(n), !isText
		case "data":
			e.Data, ok = string(value), isText
		case "tag":
			e.Tag, ok = uint16(n), !isText && n < 1<<16
		case "code":
			e.Code, ok = n, !isText
		case "what":
			e.What, ok = string(value), isText
		case "events":
			e.Events, ok = int64(n), !isText
		default:
			ok = false
		}
		if !ok || len(rest) > 0 && (rest[0] != ',' || len(rest) == 1) {
			return false
		}
		s = rest[min(1, len(rest)):]
	}
	return true
}

// plain splits a quoted text of plain ASCII off; without one, rest is s.
func plain(s []byte) (value, rest []byte, ok bool) {
	if len(s) == 0 || s[0] != '"' {
		return nil, s, false
	}
	for i, c := range s[1:] {
		switch {
		case c == '"':
			return s[1 : 1+i], s[2+i:], true
		case c < ' ' || c >= 0x7f || c == '\\':
			return nil, s, false
		}
	}
	return nil, s, false
}

// digits splits a number of at most 18 digits without leading zeros off.
func digits(s []byte) (value, rest []byte, ok bool) {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return s[:n], s[n:], n > 0 && n <= 18 && (n == 1 || s[0] != '0')
}

// needsModule reports whether events of a kind are about a component.
func needsModule(k Kind) bool {
	switch k {
	case Fire, StallIn, StallOut, Idle, Request, Answer, Iterate:
		return true
	}
	return false
}

// State is what a component does in a cycle.
type State string

// The states. A component that waits for room has a token to give that is not
// taken; one that waits for data has some of its operands.
const (
	Active       State = "active"
	WaitsForData State = "waits for data"
	WaitsForRoom State = "waits for room"
)

// Span is a component's state from cycle From up to and without cycle To.
type Span struct {
	Module   int
	State    State
	From, To int64
}

// Spans turns the events of components into spans. Add calls emit for a span when it
// has ended, End for those that are still open.
type Spans struct {
	emit func(Span)
	// open is the latest span of each component, of no state where it is idle.
	open []Span
}

// NewSpans starts with so many components, all idle.
func NewSpans(modules int, emit func(Span)) *Spans {
	return &Spans{emit: emit, open: make([]Span, modules)}
}

// Add takes an event.
func (s *Spans) Add(l Line) {
	var now State
	switch l.Kind {
	case Fire:
		now = Active
	case StallIn:
		now = WaitsForData
	case StallOut:
		now = WaitsForRoom
	case Idle:
	default:
		return
	}
	was := &s.open[l.Module]
	if was.State != Active && was.State != "" {
		was.To = l.Cycle // a stall lasts until the next event, fire is about one cycle
	}
	if was.State == now && was.To == l.Cycle {
		was.To++
		return
	}
	s.close(was)
	*was = Span{l.Module, now, l.Cycle, l.Cycle + 1}
}

func (s *Spans) close(x *Span) {
	if x.State != "" && x.To > x.From {
		s.emit(*x)
	}
}

// End closes what is open. end is the number of cycles of the run.
func (s *Spans) End(end int64) {
	for i := range s.open {
		x := &s.open[i]
		if x.State != Active {
			x.To = end
		}
		s.close(x)
	}
}
