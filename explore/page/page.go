// Package page makes the report of an exploration: one HTML page that needs no network.
package page

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"
	"math"
	"slices"
	"strings"

	"loom/explore"
	"loom/explore/search"
	"loom/explore/space"
)

// Parameter is one of the exploration.
type Parameter struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
	// Numbers is set if the values are numbers in order.
	Numbers bool `json:"numbers"`
}

// Data is what the page shows.
type Data struct {
	Name       string
	Objectives []space.Objective
	Parameters []Parameter
	Kernels    []string
	Records    []*explore.Record
	Reference  []*explore.Record
	Complete   bool
	// Views are the pages of mappings by point and kernel, relative to the report.
	Views map[int]map[string]string
	// Evaluations and Seconds sum up the work by rung.
	Evaluations map[int]int
	Seconds     map[int]float64
	// Text is the content of a file by its hash.
	Text func(hash string) (string, error)
}

//go:embed page.html
var html string

//go:embed page.css
var css string

//go:embed page.js
var js string

var tmpl = template.Must(template.New("report").Parse(html))

// drawn is what the script of the page gets.
type drawn struct {
	Name       string            `json:"name"`
	Objective  space.Objective   `json:"objective"`
	Parameters []Parameter       `json:"parameters"`
	Points     []drawnPoint      `json:"points"`
	Reference  []drawnPoint      `json:"reference"`
	Best       int               `json:"best"` // index of a point, -1 for none
	Texts      map[string]string `json:"texts"`
	Kernels    []drawnKernel     `json:"kernels"`
	Rungs      []drawnRung       `json:"rungs"`
	Effects    []effect          `json:"effects"`
	Complete   bool              `json:"complete"`
}

type drawnPoint struct {
	*explore.Record
	Front bool              `json:"front"`
	Views map[string]string `json:"views,omitempty"`
}

// drawnKernel is what the kernel does in the exploration as a whole.
type drawnKernel struct {
	Name string `json:"name"`
	// Fewest are the least cycles on any fabric.
	Fewest int64 `json:"fewest"`
	// Failed counts the points that are not feasible because of it, Why is the most frequent reason.
	Failed int    `json:"failed"`
	Why    string `json:"why,omitempty"`
}

type drawnRung struct {
	Name        string  `json:"name"`
	Points      int     `json:"points"`
	Evaluations int     `json:"evaluations"`
	Seconds     float64 `json:"seconds"`
}

// effect is how the first objective depends on a parameter.
type effect struct {
	Parameter string `json:"parameter"`
	// Values are those with feasible points.
	Values []valueEffect `json:"values"`
	// Span is the best of the worst value by the best of the best one: 1 is no influence on what can be reached.
	Span float64 `json:"span"`
}

type valueEffect struct {
	Value    string  `json:"value"`
	Feasible int     `json:"feasible"`
	Points   int     `json:"points"`
	Best     float64 `json:"best"`
	Median   float64 `json:"median"`
}

// HTML is the page.
func HTML(d *Data) ([]byte, error) {
	out := drawn{Name: d.Name, Objective: d.Objectives[0], Parameters: d.Parameters, Best: -1, Texts: map[string]string{}, Complete: d.Complete}
	best := explore.Winner(d.Records, d.Objectives[0])
	front := Front(d.Records)
	for i, r := range d.Records {
		p := drawnPoint{Record: r, Front: slices.Contains(front, i), Views: d.Views[r.Number]}
		if r == best {
			out.Best = i
		}
		// The texts of points that a reader may want; loom explore yaml prints any.
		if (p.Front || r.Verdict == explore.Finalist || r == best) && d.Text != nil {
			text, err := d.Text(r.Architecture)
			if err != nil {
				return nil, err
			}
			out.Texts[r.Architecture] = text
		}
		out.Points = append(out.Points, p)
	}
	for _, r := range d.Reference {
		out.Reference = append(out.Reference, drawnPoint{Record: r})
	}
	out.Kernels = kernels(d)
	status := explore.StatusOf(d.Records, d.Objectives[0])
	for i, name := range explore.RungNames {
		n := status.Reached[i]
		out.Rungs = append(out.Rungs, drawnRung{name, n, d.Evaluations[i], d.Seconds[i]})
	}
	out.Effects = effects(d)
	data, err := json.Marshal(out) // escapes < > &, so that it can stand in a script
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = tmpl.Execute(&b, map[string]any{"Title": d.Name, "CSS": template.CSS(css), "JS": template.JS(js), "Data": template.JS(data)})
	return b.Bytes(), err
}

// Front are the indices of the feasible points of which no other has fewer look-up tables and less time.
func Front(records []*explore.Record) []int {
	var all []search.Individual
	for _, r := range records {
		i := search.Individual{Class: 1, Objectives: []float64{0, 0}}
		if r.Feasible() {
			i = search.Individual{Objectives: r.Values([]space.Objective{space.LUTs, space.Time})}
		}
		all = append(all, i)
	}
	return search.Front(all)
}

func kernels(d *Data) []drawnKernel {
	var out []drawnKernel
	for _, name := range d.Kernels {
		k := drawnKernel{Name: name}
		why, example := map[string]int{}, map[string]string{}
		for _, r := range slices.Concat(d.Records, d.Reference) {
			for _, x := range r.Kernels {
				switch {
				case x.Kernel != name:
				case x.Verdict != explore.OK:
					k.Failed++
					g := general(x.Reason)
					if why[g]++; example[g] == "" {
						example[g] = x.Reason
					}
				case x.Cycles > 0 && (k.Fewest == 0 || x.Cycles < k.Fewest):
					k.Fewest = x.Cycles
				}
			}
		}
		most := ""
		for _, w := range sortedKeys(why) {
			if most == "" || why[w] > why[most] {
				most = w
			}
		}
		k.Why = example[most]
		out = append(out, k)
	}
	return out
}

// general is a reason without its numbers, so that alike ones count together.
func general(reason string) string {
	return strings.Map(func(c rune) rune {
		if '0' <= c && c <= '9' {
			return '#'
		}
		return c
	}, reason)
}

func sortedKeys(m map[string]int) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// enough is how many feasible points a value needs to count: of a few, the best says little.
const enough = 3

// effects compares the values of each parameter by the feasible points that have them.
func effects(d *Data) []effect {
	var out []effect
	for _, p := range d.Parameters {
		e := effect{Parameter: p.Name, Span: 1}
		least, most := math.Inf(1), 0.0
		for _, v := range p.Values {
			x := valueEffect{Value: v}
			var all []float64
			for _, r := range d.Records {
				if r.Parameters[p.Name] != v {
					continue
				}
				x.Points++
				if r.Feasible() {
					all = append(all, r.Value(d.Objectives[0]))
				}
			}
			if x.Points == 0 {
				continue
			}
			if x.Feasible = len(all); x.Feasible > 0 {
				slices.Sort(all)
				x.Best, x.Median = all[0], all[len(all)/2]
				if x.Feasible >= enough {
					least, most = min(least, x.Best), max(most, x.Best)
				}
			}
			e.Values = append(e.Values, x)
		}
		if most > 0 {
			e.Span = most / least
		}
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b effect) int {
		switch {
		case a.Span > b.Span:
			return -1
		case a.Span < b.Span:
			return 1
		}
		return 0
	})
	return out
}
