package ckernels

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"loom/compiler/analysis/extent"
	"loom/compiler/analysis/ranges"
	"loom/compiler/arch"
	"loom/compiler/arch/shipped"
	"loom/compiler/choice"
	"loom/compiler/frontend"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/compiler/mapping"
	"loom/compiler/mlir"
	"loom/compiler/recurrence"
	"loom/internal/facttest"
	"loom/internal/testkit"
	"loom/sim/cycle"
	"loom/sim/inputs"
	"loom/sim/vector"
)

const qorFile = "../../docs/qor.md"

const qorHead = `# Quality of results

Every kernel of testdata/kernels on every shipped fabric, written by ` + "`make qor`" + `. "Interval" is the largest number of cycles per
iteration among the innermost loops that the mapping has, "bound" what that loop takes at least: the most of its recurrences in the graph alone, with operations that share
a unit counted as one, of what a unit takes from one operation to the next, and of the accesses that share a port of a memory; cycles are
those of a whole run in the cycle simulator, on random inputs of the largest of the sizes that the kernel's file names. External memory responds after 4 cycles.
Where pointers may overlap, figures are those of the image for runs whose arrays do not, if their extents are known for these inputs and it takes fewer cycles.
Graphs have interlocks, keep recent stores, take more units, have small loops written out and iterations of outer loops side by side, and keep loads where that makes the kernel faster on these inputs
(` + "`--interlocks`, `--recent-stores`, `--more-units`, `--unroll`, `--unroll-and-jam`, `--reuse`" + `).
"ns" is the time of an iteration at that interval and the clock of the fabric (` + "`compiler/arch/shipped/area.go`" + `), "LUT × µs" the LUTs
of the fabric times the time of the whole run: what a kernel takes of area and time together, less is better.
` + "`make qor`" + ` fails where a kernel that mapped does no longer, takes more than 5 % more cycles, or has a longer interval and not 5 % fewer cycles;
` + "`LOOM_UPDATE=1`" + ` writes what it measured all the same. Times are those of one core of the machine that wrote the page.

`

// qorSlack is the share of cycles by which a kernel may be slower than the page says.
const qorSlack = 0.05

// quality is what the mapper makes of a kernel on a fabric.
type quality struct {
	kernel string
	// why is the first reason for which the kernel does not map.
	why             string
	pes             int
	cycles          int64
	baseline        int64         // cycles on the inputs of the baseline
	interval, bound mapping.Ratio // bound without tokens: no innermost loop
	fit             choice.Fit
	seconds         float64
}

// row is the line of the page, that of a kernel that maps.
func (q *quality) row(on figures) string {
	interval, bound, ns := "", "", ""
	if q.interval.Tokens > 0 {
		interval, bound = q.interval.String(), q.bound.String()
		ns = strconv.FormatFloat(q.interval.Float()*on.period(), 'f', 0, 64)
	}
	return fmt.Sprintf("| `%s` | %d | %d | %s | %s | %s | %.0f |\n", q.kernel, q.pes, q.cycles, interval, bound, ns, on.areaTime(q.cycles)/1000)
}

// structured are the kernels that are written in MLIR.
func structured(t testing.TB) []*kernel {
	entries, err := os.ReadDir("../../testdata/kernels")
	if err != nil {
		t.Fatal(err)
	}
	var out []*kernel
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".mlir")
		if !ok {
			continue
		}
		k := &kernel{name: e.Name(), path: "../../testdata/kernels/" + e.Name(), sizes: []int64{16}}
		k.once.Do(func() { k.res = &frontend.Result{Module: testkit.Kernel(t, name)} })
		out = append(out, k)
	}
	return out
}

// TestQoR maps all kernels on all shipped fabrics, or on those that LOOM_ARCH names, runs them by the
// cycle and holds the results against the page.
func TestQoR(t *testing.T) {
	if os.Getenv("LOOM_QOR") == "" {
		t.Skip("make qor runs it, in some minutes")
	}
	needTools(t)
	old, err := os.ReadFile(qorFile)
	if err != nil && os.Getenv("LOOM_UPDATE") == "" {
		t.Fatal(err)
	}
	names := strings.Fields(os.Getenv("LOOM_ARCH"))
	if len(names) == 0 {
		names = shipped.Names()
	}
	before := parseQoR(string(old))
	var sections, totals strings.Builder
	var now []figures
	for _, name := range names {
		rows := qorOf(t, name)
		on := figuresOf(t, name, rows)
		now = append(now, on)
		totals.WriteString(total(on, rows))
		text := section(on, rows)
		sections.WriteString(text)
		for _, message := range worse(before[name], parseQoR(text)[name]) {
			t.Errorf("%s: %s", name, message)
		}
	}
	base := readBaseline(t)
	totals.WriteString(base.compare(now, len(names) == len(shipped.Names())))
	text := qorHead + sections.String() + totalsHead + totals.String()
	if os.Getenv("LOOM_UPDATE") != "" && os.Getenv("LOOM_ARCH") == "" {
		if err := os.WriteFile(qorFile, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if os.Getenv("LOOM_ARCH") != "" {
		t.Logf("\n%s", sections.String())
	}
	t.Logf("\n%s", totals.String())
}

// qorOf maps all kernels on a fabric.
func qorOf(t *testing.T, name string) []quality {
	f := testkit.Fabric(t, name)
	kernels := slices.Concat(structured(t), load(t))
	rows := make([]quality, len(kernels))
	var all sync.WaitGroup
	slots := make(chan bool, 2)
	for i, k := range kernels {
		all.Add(1)
		go func() {
			defer all.Done()
			slots <- true
			defer func() { <-slots }()
			rows[i] = qualityOf(t, k, f)
		}()
	}
	all.Wait()
	return rows
}

// qualityOf maps a kernel on a fabric and runs it by the cycle: on the image for arrays that do not overlap, where
// the host function would take that for the inputs.
func qualityOf(t *testing.T, k *kernel, f *arch.Fabric) quality {
	res, err := k.compile()
	if err != nil {
		return quality{kernel: k.name, why: reason(err)}
	}
	q := qualityOfModule(t, k, res.Module, f)
	if q.why != "" || !disjoint(t, k, res.Module, f) {
		return q
	}
	module, _ := lower.Disjoint(res.Module, testkit.Function(res.Module))
	if second := qualityOfModule(t, k, module, f); second.why == "" && second.cycles < q.cycles {
		second.seconds = max(second.seconds, q.seconds)
		return second
	}
	return q
}

// disjoint reports whether a kernel's parameters may overlap, and are known not to on the inputs of the page.
func disjoint(t *testing.T, k *kernel, module *ir.Operation, f *arch.Fabric) bool {
	fn := testkit.Function(module)
	e := extent.Of(fn, ranges.Analyse(fn, ranges.Options{IndexWidth: f.IndexWidth}), f.IndexWidth, "")
	pairs, err := e.Pairs(fn)
	if err != nil {
		t.Error(err)
	}
	if len(pairs) == 0 {
		return false
	}
	g, err := graphFor(module, f)
	if err != nil {
		return false
	}
	return e.Known(pairs, facttest.Scalars(qorInputs(t, k, g), f.IndexWidth))
}

// worthwhile is how many times as fast loops that are written out or run side by side, and loads that are kept, have to be (loom.KeepFastest).
const worthwhile = 1.1

// qualityOfModule maps what a kernel was compiled to and runs it, with interlocks, recent stores, more units, loops written out or side by side, and loads kept where these make it
// fastest, as loom.KeepFastest chooses them.
func qualityOfModule(t *testing.T, k *kernel, module *ir.Operation, f *arch.Fabric) quality {
	g, err := graphFor(module, f)
	if err != nil {
		return quality{kernel: k.name, why: reason(err)}
	}
	best := qualityOfGraph(t, k, g, f, mapper.Effort{})
	seconds := best.seconds
	type candidate struct {
		quality
		g  *ir.Operation
		as form
	}
	first := candidate{best, g, form{}}
	waits := func(c candidate) bool { return c.interval.Tokens > 0 && c.interval.Float() > 1 }
	better := func(q, than quality) bool {
		return q.why == "" && (q.cycles < than.cycles || q.cycles == than.cycles && q.interval.Float() < than.interval.Float())
	}
	tried := func(than candidate, as form, known ...*ir.Operation) (candidate, bool) {
		next, err := graphOf(module, f, as)
		if err != nil {
			t.Errorf("%s: %v", k.name, err)
			return than, false
		}
		text := mlir.Print(next, mlir.Options{})
		if slices.ContainsFunc(append(known, than.g), func(g *ir.Operation) bool { return mlir.Print(g, mlir.Options{}) == text }) {
			return than, false
		}
		var effort mapper.Effort
		if as.jam > 4 {
			effort = mapper.Effort{Attempts: 4, Candidates: 1, Moves: 40, Cooling: mapper.DefaultEffort.Cooling, Iterations: 40} // as in loom.KeepFastest
		}
		q := qualityOfGraph(t, k, next, f, effort)
		seconds = max(seconds, q.seconds)
		return candidate{q, next, as}, q.why == ""
	}
	try := func(than candidate, as form) (candidate, bool) {
		if !waits(than) {
			return than, false
		}
		next, fits := tried(than, as)
		if !fits || !better(next.quality, than.quality) {
			return than, false
		}
		return next, true
	}
	stores := func(from candidate) candidate {
		if from.as.locks {
			return from
		}
		locked := from
		if from.as.recent == 0 {
			as := from.as
			as.locks = true
			locked, _ = try(from, as)
		}
		for more := true; more && from.as.recent < lower.MaxRecentStores; {
			as := from.as
			as.recent++
			from, more = try(from, as)
		}
		if better(from.quality, locked.quality) {
			return from
		}
		return locked
	}
	units := func(from candidate) candidate {
		as := from.as
		if as.more {
			return from
		}
		as.more = true
		if with, faster := try(from, as); faster {
			return stores(with)
		}
		return from
	}
	before := units(stores(first))
	chosen, as := before, before.as
	as.reuse = true
	last := before.g
	for level := range lower.MaxUnroll + 1 {
		as.unroll = level
		next, fits := tried(before, as, last)
		if next.g != before.g {
			last = next.g
		}
		if fits && float64(next.cycles)*worthwhile <= float64(chosen.cycles) {
			chosen = next
		}
		if !fits && level > 0 {
			break
		}
	}
	if waits(chosen) {
		as = chosen.as
		as.reuse = true
		if g, err := graphOf(module, f, as); err == nil {
			last = g
		}
		for as.jam = 2; as.jam <= lower.MaxJam; as.jam *= 2 {
			next, fits := tried(before, as, last)
			if next.g != before.g {
				last = next.g
			}
			if !fits {
				break
			}
			if float64(next.cycles)*worthwhile <= float64(chosen.cycles) {
				chosen = next
			}
		}
	}
	if chosen.as != before.as {
		chosen = units(stores(chosen))
	}
	best = chosen.quality
	best.seconds = seconds
	return best
}

// qualityOfGraph maps a graph and runs it.
func qualityOfGraph(t *testing.T, k *kernel, g *ir.Operation, f *arch.Fabric, effort mapper.Effort) (q quality) {
	q.kernel = k.name
	start := time.Now()
	r, err := mapper.Map(g, f, mapper.Options{Budget: updateBudget, Jobs: 1, Effort: effort})
	q.seconds = time.Since(start).Seconds()
	if err != nil {
		q.why = reason(err)
		return q
	}
	q.pes = r.Mapping.Utilization.PEs.Used
	model := latency.Model{Memory: latency.Fixed(4), IndexWidth: f.IndexWidth}
	q.fit = choice.Of(g, r.Mapping, model)
	nest := recurrence.FindLoops(g)
	bounds := recurrence.Bounds(g, nest, recurrence.Mapped(model, r.Mapping.Inner(g)), nil)
	for _, l := range r.Mapping.Timing.Loops {
		if !l.Innermost || q.interval.Tokens > 0 && l.II.Float() <= q.interval.Float() {
			continue
		}
		q.interval, q.bound = l.II, mapping.Ratio{}
		for i, b := range bounds {
			if nest.Loops[i].Pos == l.Pos && !b.Stuck {
				q.bound = mapping.Ratio{Cycles: b.Cycles, Tokens: b.Tokens}
			}
		}
		if shared := max(l.Unit, l.Memory); q.bound.Tokens > 0 && float64(shared) > q.bound.Float() {
			q.bound = mapping.Ratio{Cycles: shared, Tokens: 1}
		}
	}
	for _, run := range []struct {
		in     *vector.Inputs
		cycles *int64
	}{{qorInputs(t, k, g), &q.cycles}, {baselineInputs(t, k, g), &q.baseline}} {
		sim, err := cycle.New(f, r.Image, r.Binding, run.in, cycle.Options{MaxCycles: runCycles, Latency: latency.Fixed(4)})
		if err != nil {
			t.Errorf("%s: %v", k.name, err)
			return q
		}
		got, err := sim.Run()
		if err != nil {
			t.Errorf("%s: %v", k.name, err)
			return q
		}
		if got.Status != vector.Done {
			t.Errorf("%s: %s: %v", k.name, got.Status, got.Detail)
		}
		*run.cycles = got.Cycles
	}
	return q
}

// qorInputs are the inputs of a kernel for the page: the first ones of its largest size. At its least size a run is mostly what is
// around its loops.
func qorInputs(t *testing.T, k *kernel, g *ir.Operation) *vector.Inputs {
	if !inputs.FromC(g) || len(k.sizes) == 0 {
		return baselineInputs(t, k, g)
	}
	res, err := inputs.Random(g, inputs.Options{Seed: 1, Size: slices.Max(k.sizes), IndexWidth: indexWidth})
	if err != nil {
		t.Error(render(err))
		return baselineInputs(t, k, g)
	}
	return res.Inputs
}

// baselineInputs are those that the baseline has cycles for, of one element most of them.
func baselineInputs(t *testing.T, k *kernel, g *ir.Operation) *vector.Inputs {
	if inputs.FromC(g) {
		ins := k.inputs(t, g)
		return ins[min(len(ins), seeds)-1].in.Clone()
	}
	sig, err := vector.SignatureOf(g)
	if err != nil {
		t.Error(err)
		return nil
	}
	in, err := vector.Random(sig, seeds, k.sizes[0], indexWidth)
	if err != nil {
		t.Error(err)
	}
	return in
}

// section is the part of the page for a fabric.
func section(on figures, rows []quality) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n%d LUTs, %g MHz.\n\n| kernel | PEs | cycles | interval | bound | ns | LUT × µs |\n|---|---|---|---|---|---|---|\n",
		on.Name, on.LUTs, on.mhz)
	lacking := map[string][]string{}
	for i := range rows {
		if q := &rows[i]; q.why == "" {
			b.WriteString(q.row(on))
		} else {
			lacking[q.why] = append(lacking[q.why], "`"+q.kernel+"`")
		}
	}
	b.WriteString("\nNot mapped:\n")
	for _, why := range slices.Sorted(maps.Keys(lacking)) {
		fmt.Fprintf(&b, "- %s: %s\n", why, strings.Join(lacking[why], ", "))
	}
	b.WriteString("\n")
	return b.String()
}

const totalsHead = `## Totals

"LUT × µs" is the geometric mean over the kernels that map on the fabric, "interval / bound" that over those with loops, of which
"at the bound" are within 5 per cent of it.

| fabric | LUTs | MHz | mapped | not mapped | cycles | PEs per kernel | LUT × µs | interval / bound | at the bound | seconds per kernel: median | most |
|---|---|---|---|---|---|---|---|---|---|---|---|
`

// total is the line of a fabric in the last table.
func total(on figures, rows []quality) string {
	n, pes, cycles := 0, 0, int64(0)
	var seconds, areaTimes, ratios []float64
	bound := 0
	for _, q := range rows {
		if q.why == "" {
			n, pes, cycles = n+1, pes+q.pes, cycles+q.cycles
			seconds = append(seconds, q.seconds)
			areaTimes = append(areaTimes, on.areaTime(q.cycles))
			if q.interval.Tokens > 0 && q.bound.Tokens > 0 {
				ratio := q.interval.Float() / q.bound.Float()
				if ratios = append(ratios, ratio); ratio <= 1.05 {
					bound++
				}
			}
		}
	}
	slices.Sort(seconds)
	line := fmt.Sprintf("| %s | %d | %g | %d | %d |", on.Name, on.LUTs, on.mhz, n, len(rows)-n)
	if n == 0 {
		return line + " | | | | | | |\n"
	}
	mean := "" // of no ratio at all
	if len(ratios) > 0 {
		mean = fmt.Sprintf("%.2f ", geometricMean(ratios))
	}
	return fmt.Sprintf("%s %d | %.1f | %.0f | %s| %d of %d | %.2f | %.1f |\n", line, cycles, float64(pes)/float64(n), geometricMean(areaTimes)/1000,
		mean, bound, len(ratios), seconds[n/2], seconds[n-1])
}

// qorRow is what counts of a line of the page.
type qorRow struct {
	cycles   int64
	interval float64 // 0 without a loop
}

// parseQoR reads the page: rows by fabric and kernel.
func parseQoR(text string) map[string]map[string]qorRow {
	out, fabric := map[string]map[string]qorRow{}, ""
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			fabric = strings.TrimSpace(name)
			out[fabric] = map[string]qorRow{}
		}
		cells := strings.Split(strings.TrimSpace(line), " | ")
		name, ok := strings.CutPrefix(cells[0], "| `")
		if !ok || len(cells) < 4 {
			continue
		}
		cycles, _ := strconv.ParseInt(cells[2], 10, 64)
		above, below, fraction := strings.Cut(cells[3], "/")
		interval, _ := strconv.ParseFloat(above, 64)
		if fraction {
			d, _ := strconv.ParseFloat(below, 64)
			interval /= d
		}
		out[fabric][strings.TrimSuffix(name, "`")] = qorRow{cycles, interval}
	}
	return out
}

// worse says where a fabric has become worse.
func worse(before, now map[string]qorRow) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(before)) {
		was := before[name]
		is, ok := now[name]
		switch {
		case !ok:
			out = append(out, name+" does not map any more")
		case float64(is.cycles) > (1+qorSlack)*float64(was.cycles):
			out = append(out, fmt.Sprintf("%s takes %d cycles, before %d", name, is.cycles, was.cycles))
		case is.interval > was.interval && (1+qorSlack)*float64(is.cycles) > float64(was.cycles): // else an iteration does more, as of a loop whose inner loop is written out
			out = append(out, fmt.Sprintf("%s has an interval of %.3g, before %.3g", name, is.interval, was.interval))
		}
	}
	return out
}

// TestQoRGuard: a page that is worse than another is told apart by kernel, a better one is not.
func TestQoRGuard(t *testing.T) {
	rows := func(cycles int64, interval int, why string) map[string]qorRow {
		q := quality{kernel: "k", pes: 3, cycles: cycles, interval: mapping.Ratio{Cycles: interval, Tokens: 2}, bound: mapping.Ratio{Cycles: 1, Tokens: 1}, why: why}
		straight := quality{kernel: "straight", cycles: 7}
		return parseQoR(qorHead + section(figures{Name: "f", LUTs: 10, mhz: 36}, []quality{q, straight}))["f"]
	}
	before := rows(100, 3, "")
	for _, c := range []struct {
		now  map[string]qorRow
		want int
	}{{rows(105, 3, ""), 0}, {rows(90, 2, ""), 0}, {rows(106, 3, ""), 1}, {rows(100, 4, ""), 1}, {rows(99, 4, ""), 1}, {rows(90, 4, ""), 0}, {rows(0, 0, "no mem"), 1}, {nil, 2}} {
		if got := worse(before, c.now); len(got) != c.want {
			t.Errorf("%v against %v: %q", c.now, before, got)
		}
	}
}
