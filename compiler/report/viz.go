package report

import (
	"embed"
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/sim/trace"
)

// The page: its elements, its style, and its script, whose parts stand in one script
// element in this order.
//
//go:embed page
var page embed.FS

var scripts = []string{"data.js", "view.js", "graph.js", "fabric.js", "source.js", "play.js", "timeline.js", "main.js"}

// Source is a text that positions of the graph point into.
type Source struct {
	File string
	Text string
}

// Picture is what a page shows. Fabric alone is drawn without the rest; Graph and
// Mapping go together.
type Picture struct {
	Fabric *arch.Fabric
	// Graph is the handshake.func that Mapping maps onto the fabric. The mapping must
	// have passed the checker.
	Graph   *ir.Operation
	Mapping *mapping.Mapping
	// Sources are the texts to show beside the graph.
	Sources []Source
	// Trace and Stat are the .sim.trace and .sim.stat of a run, nil without one.
	Trace, Stat []byte
	// Loops tell where the run's loops are measured.
	Loops []trace.Loop
}

// pageData is everything the script of the page reads.
type pageData struct {
	Title   string           `json:"title"`
	Fabric  *drawing         `json:"fabric"`
	Graph   *drawnGraph      `json:"graph"`
	Mapping *mapping.Mapping `json:"mapping"`
	Sources []drawnSource    `json:"sources"`
	// Paths are, per edge of the mapping, its whole path: with the part between a lane
	// and its memory, which the steps in the mapping leave out.
	Paths []drawnPath `json:"paths"`
	Trace *playback   `json:"trace"`
}

// drawnPath is the path of an edge. Tokens of the edge have the tag where the
// channel has tags; -1 stands for an edge without a lane at either end.
type drawnPath struct {
	Steps    []mapping.Step `json:"steps"`
	Channels []int          `json:"channels"`
	Tag      int            `json:"tag"`
}

// HTML renders viz.html: one page without external resources, with the source, the
// graph, the fabric with the mapping on it and, of a run, its playback.
func (p *Picture) HTML() ([]byte, error) {
	d := pageData{Title: p.Fabric.Name, Fabric: draw(p.Fabric), Sources: []drawnSource{}, Paths: []drawnPath{}}
	if p.Mapping != nil {
		if p.Graph.SymName() != p.Mapping.Kernel {
			return nil, diag.New(p.Graph.Pos, "the mapping is of kernel '%s', not '%s'", p.Mapping.Kernel, p.Graph.SymName())
		}
		d.Title = fmt.Sprintf("%s on %s", p.Mapping.Kernel, p.Mapping.Fabric)
		d.Mapping = p.Mapping
		d.Graph = layout(p.Mapping, p.Graph, p.Trace != nil)
		d.Sources = sources(d.Graph, p.Sources)
		found, err := paths(p.Fabric, p.Mapping)
		if err != nil {
			return nil, err
		}
		for _, w := range found {
			d.Paths = append(d.Paths, drawnPath{w.steps, w.channels, w.tag})
		}
		if p.Trace != nil {
			if d.Trace, err = p.playback(); err != nil {
				return nil, err
			}
		}
	}
	return d.render()
}

// render puts data, style and script into the page.
func (d *pageData) render() ([]byte, error) {
	// json.Marshal escapes <, > and &: the text can stand in a script element.
	text, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	read := func(name string) string {
		b, err := page.ReadFile("page/" + name)
		if err != nil {
			panic("report: " + err.Error()) // embedded
		}
		return string(b)
	}
	var script strings.Builder
	for _, name := range scripts {
		script.WriteString(read(name))
	}
	r := strings.NewReplacer("{{TITLE}}", html.EscapeString(d.Title), "{{STYLE}}", read("page.css"),
		"{{SCRIPT}}", script.String(), "{{DATA}}", string(text))
	return []byte(r.Replace(read("page.html"))), nil
}
