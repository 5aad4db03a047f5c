package directbench

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// subject is a kernel with what others reach.
type subject struct {
	// name is the file in testdata/kernels/direct, without extension.
	name string
	// sizes are the two sizes that are run; the tables show the second. Where macro is set the
	// size is that macro's, and the circuit of each size another one.
	sizes [2]int
	macro string
	// elements is how many elements a run handles, in the unit of the table.
	elements func(n int) int
	unit     string
	// inputs, where set, are the arguments instead of random ones.
	inputs func(n int) string
	// theirs and target are those of the issue: cycles per element (circt) or of the run
	// (dynamatic), cells.
	circt     *circt
	dynamatic *dynamatic
}

// circt is CIRCT's Handshake flow with its best buffering, memories that answer after one
// cycle, and the target for ours.
type circt struct {
	cycles       float64 // per element
	lut, ff, dsp int
	target       float64
	targetLUT    int
}

// dynamatic is what Dynamatic publishes, with its best buffer placement; ours has to come in
// below. A number that is not published is 0.
type dynamatic struct{ cycles, lut, ff int }

func linear(n int) int { return n }

var subjects = []subject{
	{name: "vecadd", sizes: [2]int{100, 1000}, elements: linear, unit: "element", inputs: arrays("a", "b", "c"), circt: &circt{3.0, 404, 235, 0, 1.0, 300}},
	{name: "dot", sizes: [2]int{100, 1000}, elements: linear, unit: "element", inputs: arrays("a", "b"), circt: &circt{2.0, 475, 303, 3, 1.0, 300}},
	{name: "condsum", sizes: [2]int{100, 1000}, elements: linear, unit: "element", inputs: arrays("a", "t"), circt: &circt{3.0, 651, 450, 0, 1.0, 350}},
	{name: "condload", sizes: [2]int{100, 1000}, elements: linear, unit: "element", inputs: arrays("a", "b", "t"), circt: &circt{3.5, 663, 454, 0, 1.0, 450}},
	{name: "psum", sizes: [2]int{100, 1000}, elements: linear, unit: "element", inputs: arrays("a", "b"), circt: &circt{3.0, 457, 303, 0, 1.0, 350}},
	{name: "psumip", sizes: [2]int{100, 1000}, elements: linear, unit: "element", inputs: arrays("a"), circt: &circt{3.0, 418, 241, 0, 1.0, 350}},
	{name: "matvec", sizes: [2]int{16, 32}, macro: "N", elements: func(n int) int { return n * n }, unit: "multiply",
		circt: &circt{3.1, 1115, 764, 4, 1.05, 700}},
	{name: "gcdsub", sizes: [2]int{100, 1000}, elements: func(n int) int { return n - 1 }, unit: "step",
		inputs: func(n int) string { return fmt.Sprintf(`{"args": {"a": %d, "b": 1}}`, n) },
		circt:  &circt{3.0, 403, 304, 0, 1.0, 300}},
	{name: "fir", sizes: [2]int{200, 1000}, macro: "N", elements: linear, unit: "tap", dynamatic: &dynamatic{1011, 343, 350}},
	{name: "matrix", sizes: [2]int{10, 30}, macro: "N", elements: func(n int) int { return n * n * n }, unit: "multiply",
		dynamatic: &dynamatic{33647, 826, 0}},
	{name: "gaussian", sizes: [2]int{10, 20}, macro: "N", elements: func(n int) int { return (n - 3) * (n - 2) / 2 * (n - 1) }, unit: "update",
		dynamatic: &dynamatic{20360, 1027, 0}},
	{name: "insertion_sort", sizes: [2]int{15, 30}, elements: func(n int) int { return n - 1 }, unit: "element",
		inputs: shuffled, dynamatic: &dynamatic{962, 1330, 0}},
	{name: "kernel_2mm", sizes: [2]int{5, 10}, macro: "N", elements: func(n int) int { return 2 * n * n * n }, unit: "multiply",
		dynamatic: &dynamatic{16003, 2209, 0}},
	{name: "stencil_2d", sizes: [2]int{15, 30}, macro: "WIDTH", elements: func(n int) int { return 9 * (n - 2) }, unit: "multiply",
		dynamatic: &dynamatic{543, 909, 0}},
}

// arrays are n random elements from -100 to 100 for each array, 0 for a threshold t.
func arrays(names ...string) func(n int) string {
	return func(n int) string {
		args := []string{fmt.Sprintf(`"n": %d`, n)}
		for i, a := range names {
			if a == "t" {
				args = append(args, `"t": 0`)
				continue
			}
			args = append(args, fmt.Sprintf(`"%s": {"random": %d, "seed": %d, "min": -100, "max": 100}`, a, n, i+1))
		}
		return `{"args": {` + strings.Join(args, ", ") + `}}`
	}
}

// shuffled is an array in no order.
func shuffled(n int) string {
	var a []string
	for _, x := range rand.New(rand.NewPCG(1, uint64(n))).Perm(n) {
		a = append(a, fmt.Sprint(x))
	}
	return fmt.Sprintf(`{"args": {"a": [%s], "n": %d}}`, strings.Join(a, ", "), n)
}

// latencies are those of the memories, in cycles, for each of which a circuit is made.
var latencies = []int{1, 4, 20, 100}

// result is what was measured of a kernel.
type result struct {
	Kernel string `json:"kernel"`
	Size   int    `json:"size"`
	// Cells and frequency are those of the circuit for memories that answer after one cycle;
	// LUT includes those that are memory.
	LUT    int `json:"lut"`
	LUTRAM int `json:"lutram"`
	FF     int `json:"ff"`
	BRAM   int `json:"bram"`
	DSP    int `json:"dsp"`
	// MHz is after routing, Path the first and the last cell of the longest path.
	MHz  float64  `json:"mhz"`
	Path []string `json:"path"`
	Runs []run    `json:"runs"`
}

// run is one latency.
type run struct {
	Latency int `json:"latency"`
	// Cycles are those of the two sizes.
	Cycles [2]int64 `json:"cycles"`
	// PerElement is what an element more costs.
	PerElement float64 `json:"cycles_per_element"`
	Loops      []loop  `json:"loops"`
}

// loop is one loop of the second size.
type loop struct {
	Name string `json:"name"`
	// Bound is what its recurrences allow, 0 for a loop around others; Interval what was measured, in
	// cycles per iteration, 0 where no activation had two.
	Bound    float64 `json:"bound"`
	Interval float64 `json:"interval"`
}

// mark is a figure beside its target, in bold where it is missed.
func mark(figure string, missed bool) string {
	if missed {
		return "**" + figure + "**"
	}
	return figure
}

func number(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.2f", x), ".00") }

// least is the frequency that is wanted, in MHz.
const least = 100

func (r result) frequency() string {
	if r.MHz == 0 {
		return "not measured"
	}
	return mark(fmt.Sprintf("%.0f", r.MHz), r.MHz < least)
}

// time is that of a number of cycles in ns.
func (r result) time(cycles float64) string {
	if r.MHz == 0 {
		return ""
	}
	return number(cycles * 1000 / r.MHz)
}

// render is the generated part of docs/direct.md.
func render(all []result) string {
	by := map[string]result{}
	for _, r := range all {
		by[r.Kernel] = r
	}
	var b strings.Builder
	b.WriteString("\nIn bold: a target that is missed.\n\n### Beside CIRCT\n\n")
	b.WriteString("| kernel | memory: 1 cycle | 4 | 20 | 100 | target | CIRCT | LUT/FF (DSP) | target | CIRCT | MHz | ns |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, s := range subjects {
		r, ok := by[s.name]
		if !ok || s.circt == nil {
			continue
		}
		fmt.Fprintf(&b, "| %s, per %s |", s.name, s.unit)
		for _, m := range r.Runs {
			fmt.Fprintf(&b, " %s |", mark(number(m.PerElement), m.PerElement > s.circt.target+0.005))
		}
		fmt.Fprintf(&b, " %s | %s | %s | %d LUT | %s | %s | %s |\n", number(s.circt.target), number(s.circt.cycles),
			mark(cells(r.LUT, r.FF, r.DSP), r.LUT > s.circt.targetLUT), s.circt.targetLUT, cells(s.circt.lut, s.circt.ff, s.circt.dsp),
			r.frequency(), r.time(r.Runs[0].PerElement))
	}
	b.WriteString("\n### Beside Dynamatic\n\n")
	b.WriteString("| kernel | size | cycles, memory: 1 cycle | 4 | 20 | 100 | Dynamatic | LUT/FF (DSP) | Dynamatic | MHz | ns per element |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, s := range subjects {
		r, ok := by[s.name]
		if !ok || s.dynamatic == nil {
			continue
		}
		fmt.Fprintf(&b, "| %s | %d |", s.name, r.Size)
		for i, m := range r.Runs {
			fmt.Fprintf(&b, " %s |", mark(fmt.Sprint(m.Cycles[1]), i == 0 && m.Cycles[1] >= int64(s.dynamatic.cycles)))
		}
		theirs := fmt.Sprintf("%d LUT", s.dynamatic.lut)
		if s.dynamatic.ff > 0 {
			theirs = cells(s.dynamatic.lut, s.dynamatic.ff, 0)
		}
		fmt.Fprintf(&b, " %d | %s | %s | %s | %s, per %s |\n", s.dynamatic.cycles, mark(cells(r.LUT, r.FF, r.DSP), r.LUT >= s.dynamatic.lut), theirs,
			r.frequency(), r.time(float64(r.Runs[0].Cycles[1])/float64(s.elements(s.sizes[1]))), s.unit)
	}
	b.WriteString("\n### Loops\n\nCycles between iterations, beside the bound that the recurrences of a loop and the loops inside of it set. Where the iterations of a loop inside have no constant number, a loop has no bound.\n\n")
	b.WriteString("| kernel | loop | memory: 1 cycle | 4 | 20 | 100 | cycles at both sizes, 1 cycle |\n|---|---|---|---|---|---|---|\n")
	for _, s := range subjects {
		r, ok := by[s.name]
		if !ok {
			continue
		}
		for i, l := range r.Runs[0].Loops {
			fmt.Fprintf(&b, "| %s | %s |", s.name, l.Name)
			for _, m := range r.Runs {
				x := m.Loops[i]
				if x.Bound == 0 {
					fmt.Fprintf(&b, " %s |", number(x.Interval))
					continue
				}
				fmt.Fprintf(&b, " %s of %s |", mark(number(x.Interval), x.Interval > x.Bound*1.05+0.005), number(x.Bound))
			}
			total := ""
			if i == 0 {
				total = fmt.Sprintf("%d at %d, %d at %d", r.Runs[0].Cycles[0], s.sizes[0], r.Runs[0].Cycles[1], s.sizes[1])
			}
			fmt.Fprintf(&b, " %s |\n", total)
		}
	}
	return b.String()
}

func cells(lut, ff, dsp int) string {
	s := fmt.Sprintf("%d/%d", lut, ff)
	if dsp > 0 {
		s += fmt.Sprintf(" (%d)", dsp)
	}
	return s
}
