package trace

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// The processes of a Perfetto trace: one track each for what computes or keeps data,
// and one for what connects it.
const (
	processRun      = 1 // the run: start, end, tokens per cycle
	processUnits    = 2 // PEs, memories, lanes
	processNetwork  = 3 // switches, queues, tags
	processAccesses = 4 // accesses to external memory under way
)

// Perfetto writes a trace in the JSON format of Chrome's trace viewer, which
// ui.perfetto.dev and chrome://tracing read: one track per component with a slice for
// each stretch of cycles in which it moves tokens, waits for data or waits for room. A
// cycle lasts a microsecond there. Units get a slice per cycle with the tokens that
// cross their ports as arguments. labels adds, by component, what runs on it; it may
// be nil. Source: "Trace Event Format", the Chromium project.
func Perfetto(out io.Writer, t *Reader, labels map[string]string) error {
	p := &perfetto{w: bufio.NewWriter(out), t: t, moved: map[int]map[string]string{}, accesses: map[access][]int64{},
		labels: labels, named: map[int]bool{}}
	p.header()
	spans := NewSpans(len(t.Header.Modules), p.span)
	for {
		l, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if l.Cycle > p.cycle {
			p.endCycle(l.Cycle)
		}
		spans.Add(l)
		p.add(l)
	}
	p.endCycle(p.cycle + 1)
	spans.End(p.cycle)
	p.abandoned()
	p.w.WriteString("\n]}\n")
	return p.w.Flush()
}

// perfetto is a trace in the making.
type perfetto struct {
	w     *bufio.Writer
	t     *Reader
	begun bool
	cycle int64
	// labels are the words on components, named the components whose track has its name.
	labels map[string]string
	named  map[int]bool
	// units are the components with a track among the units.
	units []bool
	// moved are, for each unit, the tokens of this cycle by port, tokens their number on
	// all channels, counted the latest number written.
	moved           map[int]map[string]string
	ports           []channelPorts
	tokens, counted int64
	// accesses are the numbers of the requests without an answer yet, oldest first.
	accesses map[access][]int64
	requests int64
}

// channelPorts are the units at the ends of a channel, -1 for others, and their ports.
type channelPorts struct {
	from, to         int
	fromPort, toPort string
}

// access is what an answer has in common with its request.
type access struct {
	module int
	what   string
	tag    uint16
	addr   uint64
}

// event is one element of traceEvents. The fields are those of the format.
type event struct {
	Name  string `json:"name"`
	Phase string `json:"ph"`
	Cat   string `json:"cat,omitempty"`
	Time  int64  `json:"ts"`
	Dur   int64  `json:"dur,omitempty"`
	PID   int    `json:"pid"`
	TID   int    `json:"tid"`
	ID    string `json:"id,omitempty"`
	Scope string `json:"s,omitempty"`
	Args  any    `json:"args,omitempty"`
}

func (p *perfetto) event(e event) {
	text, err := json.Marshal(e)
	if err != nil {
		panic("trace: " + err.Error()) // plain strings and numbers always marshal
	}
	if p.begun {
		p.w.WriteByte(',')
	}
	p.begun = true
	p.w.WriteByte('\n')
	p.w.Write(text)
}

// header names the run and its tracks.
func (p *perfetto) header() {
	h := p.t.Header
	about := map[string]string{"kernel": h.Kernel, "fabric": h.Fabric, "unit of time": "1 us is one clock cycle"}
	for k, v := range h.Run {
		about[k] = v
	}
	text, err := json.Marshal(about)
	if err != nil {
		panic("trace: " + err.Error()) // plain strings always marshal
	}
	p.w.WriteString(`{"displayTimeUnit":"ns","otherData":`)
	p.w.Write(text)
	p.w.WriteString(`,"traceEvents":[`)
	for _, x := range []struct {
		pid  int
		name string
	}{{processRun, h.Kernel + " on " + h.Fabric}, {processUnits, "units and memories"}, {processNetwork, "network"}, {processAccesses, "external memory"}} {
		p.meta("process_name", x.pid, 0, map[string]any{"name": x.name})
		p.meta("process_sort_index", x.pid, 0, map[string]any{"sort_index": x.pid})
	}
	byName := map[string]int{}
	p.units = make([]bool, len(h.Modules))
	for i, m := range h.Modules {
		byName[m.Name] = i
		p.units[i] = isUnit(m.Kind)
	}
	for _, c := range h.Channels {
		var x channelPorts
		x.from, x.fromPort = portOf(byName, c.From)
		x.to, x.toPort = portOf(byName, c.To)
		p.ports = append(p.ports, x)
	}
}

// portOf splits component.port; the component of a boundary port is -1.
func portOf(byName map[string]int, end string) (module int, port string) {
	dot := strings.LastIndexByte(end, '.')
	if dot < 0 {
		return -1, ""
	}
	module, known := byName[end[:dot]]
	if !known {
		return -1, ""
	}
	return module, end[dot+1:]
}

// isUnit reports whether components of a kind compute or keep data.
func isUnit(kind string) bool {
	return strings.HasSuffix(kind, "_pe") || strings.HasSuffix(kind, "memory") || strings.HasSuffix(kind, "_lane")
}

func (p *perfetto) meta(what string, pid, tid int, args map[string]any) {
	p.event(event{Name: what, Phase: "M", PID: pid, TID: tid, Args: args})
}

// onTrack writes an event on the track of a component, which gets its name with the
// first one: components that do nothing have none.
func (p *perfetto) onTrack(module int, e event) {
	e.PID, e.TID = processNetwork, module
	if p.units[module] {
		e.PID = processUnits
	}
	if !p.named[module] {
		p.named[module] = true
		name := p.name(module)
		if l := p.labels[name]; l != "" {
			name += ": " + l
		}
		p.meta("thread_name", e.PID, module, map[string]any{"name": name})
		p.meta("thread_sort_index", e.PID, module, map[string]any{"sort_index": module})
	}
	p.event(e)
}

// span writes a state as a slice; the active cycles of units are written one by one.
func (p *perfetto) span(s Span) {
	if s.State == Active && p.units[s.Module] {
		return
	}
	p.onTrack(s.Module, event{Name: string(s.State), Cat: "state", Phase: "X", Time: s.From, Dur: s.To - s.From})
}

// add takes an event.
func (p *perfetto) add(l Line) {
	switch l.Kind {
	case Transfer:
		p.tokens++
		x := p.ports[l.Channel]
		p.move(x.from, "out "+x.fromPort, l)
		p.move(x.to, "in "+x.toPort, l)
	case Iterate:
		p.onTrack(l.Module, event{Name: "iteration: " + l.What, Cat: "loop", Phase: "i", Scope: "t", Time: l.Cycle,
			Args: map[string]any{"index": "0x" + strconv.FormatUint(l.Data, 16)}})
	case Request:
		key := access{l.Module, l.What, l.Tag, l.Data}
		p.requests++
		p.accesses[key] = append(p.accesses[key], p.requests)
		p.access("b", key, p.requests, l.Cycle)
	case Answer:
		key := access{l.Module, l.What, l.Tag, l.Data}
		if open := p.accesses[key]; len(open) > 0 {
			p.accesses[key] = open[1:]
			p.access("e", key, open[0], l.Cycle)
		}
	case Start, Done, Error, Cut:
		e := event{Name: string(l.Kind), Cat: "run", Phase: "i", Scope: "g", Time: l.Cycle, PID: processRun}
		switch l.Kind {
		case Error:
			e.Args = map[string]any{"symbol": l.What, "code": l.Data, "module": p.name(l.Module)}
		case Cut:
			e.Args = map[string]any{"events left out": l.Events}
		}
		p.event(e)
	}
}

func (p *perfetto) name(module int) string {
	if module < 0 {
		return ""
	}
	return p.t.Header.Modules[module].Name
}

// move notes a token at a port of a unit.
func (p *perfetto) move(module int, port string, l Line) {
	if module < 0 || !p.units[module] {
		return
	}
	at := p.moved[module]
	if at == nil {
		at = map[string]string{}
		p.moved[module] = at
	}
	at[port] = "0x" + strconv.FormatUint(l.Data, 16)
	if p.t.Header.Channels[l.Channel].Tag > 0 {
		at[port] += " tag " + strconv.Itoa(int(l.Tag))
	}
}

// access writes the begin or the end of an access under way.
func (p *perfetto) access(phase string, a access, number, cycle int64) {
	p.event(event{Name: p.name(a.module) + " " + a.what, Cat: "access", Phase: phase, Time: cycle, PID: processAccesses,
		TID: a.module, ID: strconv.FormatInt(number, 10), Args: map[string]any{"address": "0x" + strconv.FormatUint(a.addr, 16), "tag": a.tag}})
}

// abandoned ends the accesses that were never answered, in the order of their requests.
func (p *perfetto) abandoned() {
	type open struct {
		access
		number int64
	}
	var left []open
	for a, numbers := range p.accesses {
		for _, n := range numbers {
			left = append(left, open{a, n})
		}
	}
	slices.SortFunc(left, func(a, b open) int { return int(a.number - b.number) })
	for _, x := range left {
		p.access("e", x.access, x.number, p.cycle)
	}
}

// endCycle writes what the units did in the cycle, and the number of tokens that moved.
func (p *perfetto) endCycle(next int64) {
	for m := range p.t.Header.Modules {
		if args, moves := p.moved[m]; moves {
			p.onTrack(m, event{Name: string(Active), Cat: "state", Phase: "X", Time: p.cycle, Dur: 1, Args: args})
		}
	}
	clear(p.moved)
	p.count(p.cycle, p.tokens)
	if next > p.cycle+1 {
		p.count(p.cycle+1, 0)
	}
	p.tokens, p.cycle = 0, next
}

// count writes the counter of tokens where it changes.
func (p *perfetto) count(cycle, n int64) {
	if n == p.counted {
		return
	}
	p.counted = n
	p.event(event{Name: "tokens moved", Phase: "C", Time: cycle, PID: processRun, Args: map[string]int64{"tokens": n}})
}
