package trace

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
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
	// stalled are the components in a stall, as of each component's latest event, and
	// since the latest cycle of each one's stall.
	stalled []Kind
	since   []int64
	open    []*arch.Component
	cycle   int64
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
	h := Header{Version: Version, Fabric: w.f.Name, Kernel: w.name, Run: w.run, Modules: []Module{}, Channels: []Channel{}}
	for _, c := range w.f.Comps {
		h.Modules = append(h.Modules, Module{c.ID, c.Name, c.Kind.String()})
	}
	for _, c := range w.f.Channels {
		h.Channels = append(h.Channels, Channel{c.ID, c.Name, endpoint(w.f, c.Src, true), endpoint(w.f, c.Dst, false), c.Width, c.TagWidth})
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
	if e.Cycle > w.cycle {
		w.endStalls(e.Cycle)
	}
	switch e.Kind {
	case Error, Done: // the last event
		w.endStalls(e.Cycle + 1)
	case Fire:
		w.stalled[e.Comp.ID] = Fire
	case StallIn, StallOut:
		id := e.Comp.ID
		was := w.stalled[id]
		w.stalled[id], w.since[id] = e.Kind, e.Cycle
		if was == e.Kind {
			return
		}
		if was != StallIn && was != StallOut {
			w.open = append(w.open, e.Comp)
		}
	}
	w.write(e)
}

// endStalls writes which stalls have ended by the cycle of the events before, and in the
// one after it where next is later still.
func (w *Writer) endStalls(next int64) {
	for at := w.cycle; at < min(next, w.cycle+2); at++ {
		open := w.open[:0]
		var ended []*arch.Component
		for _, c := range w.open {
			switch id := c.ID; {
			case w.stalled[id] != StallIn && w.stalled[id] != StallOut: // it moves
			case w.since[id] < at:
				w.stalled[id] = Idle
				ended = append(ended, c)
			default:
				open = append(open, c)
			}
		}
		w.open = open
		slices.SortFunc(ended, func(a, b *arch.Component) int { return a.ID - b.ID })
		for _, c := range ended {
			w.write(Event{Cycle: at, Kind: Idle, Comp: c, Channel: -1})
		}
	}
	w.cycle = next
}

// write appends one line.
func (w *Writer) write(e Event) {
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
	w.endStalls(w.cycle + 1)
	if w.dropped > 0 {
		w.w.WriteString(`{"kind":"` + string(Cut) + `","events":` + strconv.FormatInt(w.dropped, 10) + "}\n")
		w.dropped = 0
	}
	return w.w.Flush()
}
