package report

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mapping"
)

//go:embed viz.html
var page string

// vizData is everything the page draws.
type vizData struct {
	Fabric  *drawing         `json:"fabric"`
	Graph   *drawnGraph      `json:"graph"`
	Mapping *mapping.Mapping `json:"mapping"`
	// EdgeSteps and EdgeChannels are, per edge of the mapping, the steps and
	// channels of its whole path: with that between a lane and its memory, which the
	// steps in the mapping leave out.
	EdgeSteps    [][]mapping.Step `json:"edge_steps"`
	EdgeChannels [][]int          `json:"edge_channels"`
	Trace        *playback        `json:"trace"`
}

// Viz renders viz.html, one page without external resources: the graph beside
// the fabric with the mapping on it. trace, when not nil, is a .sim.trace whose
// transfers the page plays back. The mapping must have passed the checker.
func Viz(fn *ir.Operation, f *arch.Fabric, m *mapping.Mapping, trace []byte) ([]byte, error) {
	if fn != nil && fn.SymName() != m.Kernel {
		return nil, diag.New(fn.Pos, "the mapping is of kernel '%s', not '%s'", m.Kernel, fn.SymName())
	}
	d := vizData{Fabric: draw(f), Graph: layout(m), Mapping: m,
		EdgeSteps: [][]mapping.Step{}, EdgeChannels: [][]int{}}
	found, err := paths(f, m)
	if err != nil {
		return nil, err
	}
	for _, w := range found {
		d.EdgeSteps, d.EdgeChannels = append(d.EdgeSteps, w.steps), append(d.EdgeChannels, w.channels)
	}
	if trace != nil {
		if d.Trace, err = readTrace(f, trace); err != nil {
			return nil, err
		}
	}
	// json.Marshal escapes <, > and &: the text can stand in a script element.
	text, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	title := html.EscapeString(fmt.Sprintf("%s on %s", m.Kernel, m.Fabric))
	out := bytes.ReplaceAll([]byte(page), []byte("{{TITLE}}"), []byte(title))
	return bytes.Replace(out, []byte("{{DATA}}"), text, 1), nil
}

// playback is a trace boiled down to the channels that carry a token in each
// cycle and the components that stall.
type playback struct {
	First     int64   `json:"first"`
	Transfers [][]int `json:"transfers"` // per cycle from First: channel IDs
	Stalls    [][]int `json:"stalls"`    // per cycle: component IDs that begin to stall
	Cut       bool    `json:"cut"`       // the trace goes on
}

// maxPlayback bounds the cycles a page holds.
const maxPlayback = 20000

// readTrace reads the transfers of a .sim.trace of fabric f.
func readTrace(f *arch.Fabric, text []byte) (*playback, error) {
	sc := bufio.NewScanner(bytes.NewReader(text))
	sc.Buffer(nil, 64<<20)
	p := &playback{Transfers: [][]int{}, Stalls: [][]int{}}
	line, first := 0, int64(-1)
	for sc.Scan() {
		line++
		if len(bytes.TrimSpace(sc.Bytes())) == 0 {
			continue
		}
		if line == 1 {
			var h struct {
				Trace  int    `json:"loom_trace"`
				Fabric string `json:"fabric"`
			}
			if err := json.Unmarshal(sc.Bytes(), &h); err != nil || h.Trace != 1 {
				return nil, diag.New(diag.Pos{Line: 1}, "this is no simulation trace of version 1")
			}
			if h.Fabric != f.Name {
				return nil, diag.New(diag.Pos{Line: 1}, "the trace is of fabric '%s', not '%s'", h.Fabric, f.Name)
			}
			continue
		}
		var e struct {
			Cycle   int64  `json:"cycle"`
			Kind    string `json:"kind"`
			Module  *int   `json:"module"`
			Channel *int   `json:"channel"`
		}
		if err := json.Unmarshal(sc.Bytes(), &e); err != nil {
			return nil, diag.New(diag.Pos{Line: line}, "the trace is damaged: %v", err)
		}
		if first < 0 {
			first, p.First = e.Cycle, e.Cycle
		}
		at := e.Cycle - first
		if at < 0 || e.Kind == "cut" {
			continue
		}
		if at >= maxPlayback {
			p.Cut = true
			break
		}
		for int64(len(p.Transfers)) <= at {
			p.Transfers = append(p.Transfers, []int{})
			p.Stalls = append(p.Stalls, []int{})
		}
		switch {
		case e.Kind == "transfer" && e.Channel != nil:
			p.Transfers[at] = append(p.Transfers[at], *e.Channel)
		case (e.Kind == "stall_in" || e.Kind == "stall_out") && e.Module != nil:
			p.Stalls[at] = append(p.Stalls[at], *e.Module)
		}
	}
	if err := sc.Err(); err != nil {
		return nil, diag.New(diag.Pos{Line: line + 1}, "the trace cannot be read: %v", err)
	}
	if line == 0 {
		return nil, diag.New(diag.Pos{}, "the trace is empty")
	}
	return p, nil
}
