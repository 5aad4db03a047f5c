package trace

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"

	"loom/compiler/arch"
	"loom/compiler/mapping"
)

// Version is the number in the header of a .sim.trace file. It changes when a
// reader of the old form would misread the new one.
const Version = 1

// DefaultLimit is how many lines of events a trace holds before it is cut off; a
// last line reports how many more there were.
const DefaultLimit = 2_000_000

type header struct {
	Trace    int               `json:"loom_trace"`
	Fabric   string            `json:"fabric"`
	Kernel   string            `json:"kernel"`
	Run      map[string]string `json:"run,omitempty"` // encoding/json sorts the keys
	Modules  []headerModule    `json:"modules"`
	Channels []headerChannel   `json:"channels"`
}

type headerModule struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

type headerChannel struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	From  string `json:"from"`
	To    string `json:"to"`
	Width int    `json:"width"`
	Tag   int    `json:"tag_width,omitempty"`
}

// endpoint spells one end of a channel: component.port, a boundary port, or
// "unused".
func endpoint(f *arch.Fabric, e arch.Endpoint, source bool) string {
	if e.Comp == nil {
		side := f.Outputs
		if source {
			side = f.Inputs
		}
		if e.Port < 0 || e.Port >= len(side) {
			return "unused"
		}
		return side[e.Port].Name
	}
	if source {
		return e.Comp.Name + "." + e.Comp.Out[e.Port].Name
	}
	return e.Comp.Name + "." + e.Comp.In[e.Port].Name
}

// Writer writes a .sim.trace: a header line, then one line of JSON per event, in
// the order in which they are added. Equal runs give equal bytes. A stall is
// written when it begins: the module's next event, or a cycle in which it moves
// nothing and holds nothing, ends it.
type Writer struct {
	w     *bufio.Writer
	f     *arch.Fabric
	run   map[string]string
	name  string
	begun bool
	// Limit bounds the number of events written.
	Limit   int64
	written int64
	dropped int64
	line    []byte
	// stalled and since are each component's latest stall and its latest cycle.
	stalled []Kind
	since   []int64
}

// NewWriter starts a trace of a run of kernel b on fabric f.
func NewWriter(w io.Writer, f *arch.Fabric, b *mapping.Binding) *Writer {
	return &Writer{
		w: bufio.NewWriter(w), f: f, name: b.Kernel, Limit: DefaultLimit,
		stalled: make([]Kind, len(f.Comps)), since: make([]int64, len(f.Comps)),
	}
}

// Identify adds a word on what was run (latency profile, seed, …) to the header.
// It has no effect once the first event is written.
func (w *Writer) Identify(key, value string) {
	if w.run == nil {
		w.run = map[string]string{}
	}
	w.run[key] = value
}

func (w *Writer) begin() {
	w.begun = true
	h := header{Trace: Version, Fabric: w.f.Name, Kernel: w.name, Run: w.run, Modules: []headerModule{}, Channels: []headerChannel{}}
	for _, c := range w.f.Comps {
		h.Modules = append(h.Modules, headerModule{c.ID, c.Name, c.Kind.String()})
	}
	for _, c := range w.f.Channels {
		h.Channels = append(h.Channels, headerChannel{c.ID, c.Name, endpoint(w.f, c.Src, true), endpoint(w.f, c.Dst, false), c.Width, c.TagWidth})
	}
	text, err := json.Marshal(h)
	if err != nil {
		panic("trace: " + err.Error()) // plain strings and numbers always marshal
	}
	w.w.Write(text)
	w.w.WriteByte('\n')
}

// Add appends an event. Errors of the underlying writer are reported by Close.
func (w *Writer) Add(e Event) {
	if !w.begun {
		w.begin()
	}
	if e.Kind == StallIn || e.Kind == StallOut {
		id := e.Comp.ID
		same := w.stalled[id] == e.Kind && w.since[id] == e.Cycle-1
		w.stalled[id], w.since[id] = e.Kind, e.Cycle
		if same {
			return
		}
	}
	if w.written >= w.Limit && e.Kind != Error && e.Kind != Done {
		w.dropped++
		return
	}
	w.written++
	b := append(w.line[:0], `{"cycle":`...)
	b = strconv.AppendInt(b, e.Cycle, 10)
	b = append(b, `,"kind":"`...)
	b = append(b, e.Kind...)
	b = append(b, '"')
	if e.Comp != nil {
		b = append(b, `,"module":`...)
		b = strconv.AppendInt(b, int64(e.Comp.ID), 10)
	}
	if e.Channel >= 0 {
		b = append(b, `,"channel":`...)
		b = strconv.AppendInt(b, int64(e.Channel), 10)
	}
	switch e.Kind {
	case Transfer, ConfigWrite, Request, Answer, Iterate:
		// 64-bit numbers go as text: JSON readers keep only 53 bits.
		b = append(b, `,"data":"0x`...)
		b = strconv.AppendUint(b, e.Data, 16)
		b = append(b, '"')
		if w.tagged(e) {
			b = append(b, `,"tag":`...)
			b = strconv.AppendUint(b, uint64(e.Tag), 10)
		}
	case Error:
		b = append(b, `,"code":`...)
		b = strconv.AppendUint(b, e.Data, 10)
	}
	if e.What != "" {
		b = append(b, `,"what":`...)
		b = strconv.AppendQuoteToASCII(b, e.What)
	}
	w.line = append(b, '}', '\n')
	w.w.Write(w.line)
}

// tagged reports whether an event is about a token with a tag.
func (w *Writer) tagged(e Event) bool {
	switch e.Kind {
	case Transfer:
		return w.f.Channels[e.Channel].TagWidth > 0
	case Request, Answer:
		return e.Comp.Mem != nil && e.Comp.Mem.TagWidth > 0
	}
	return false
}

// Close completes the trace and reports the first error in writing it.
func (w *Writer) Close() error {
	if !w.begun {
		w.begin()
	}
	if w.dropped > 0 {
		w.w.WriteString(`{"kind":"cut","events":` + strconv.FormatInt(w.dropped, 10) + "}\n")
		w.dropped = 0
	}
	return w.w.Flush()
}
