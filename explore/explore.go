// Package explore looks for the fabric that suits some kernels best: it evaluates points of a space
// (package space) in rungs, the cheap ones first, drops what a rung can tell to be worse, with the reason, and
// lets a seeded evolutionary search (package search) propose the next points. Results are kept in a database
// (package store); an exploration that was ended goes on from there.
//
//	rung 0  area and clock by the cost model; limits
//	rung 1  technology mapping: are there units, memories and ports for each kernel
//	rung 2  placement, routing and a run in the cycle simulator, with little effort
//	rung 3  the same with the full effort of the mapper and a proof of each configuration, for finalists;
//	        on demand runs in lock-step under Verilator, a synthesis, placement and routing
//
// The package makes no evaluation itself: an Engine does, on goroutines or on a cluster. What it finds depends
// on the description, the seed and the results alone, not on the number of workers, as it decides behind
// each rung of a generation, when all results are there.
package explore

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"loom/explore/batch"
	"loom/explore/search"
	"loom/explore/space"
	"loom/explore/store"
)

// The rungs.
const (
	RungCost = iota
	RungTechnology
	RungRoute
	RungFinal
	Rungs
)

// RungNames are the names of the rungs, for people.
var RungNames = [Rungs]string{"cost model", "technology mapping", "placement, routing, cycle simulator", "full effort"}

// Verdict is what became of a point, or of a kernel on it.
type Verdict string

// The verdicts. A point that is Measured went through placement, routing and the cycle simulator; a
// Finalist through the last rung, too.
const (
	OK        Verdict = "ok"       // of a kernel
	Invalid   Verdict = "invalid"  // no architecture file, or over a limit
	Short     Verdict = "short"    // lacks units, memories or ports
	Unrouted  Verdict = "unrouted" // a kernel was not placed and routed
	Dropped   Verdict = "dropped"  // worse than others by what is known
	Measured  Verdict = "measured"
	Finalist  Verdict = "finalist"
	Mismatch  Verdict = "mismatch" // a run gave a wrong result: a fault of LOOM
	Abandoned Verdict = "abandoned"
)

// Area is what a fabric takes, and its clock, as estimated.
type Area struct {
	// Synthesised is set where the cells are those of a synthesis, Routed where the clock is that of PEs that were placed and
	// routed; else they are estimates.
	Synthesised bool `json:"synthesised,omitempty"`
	Routed      bool `json:"routed,omitempty"`

	PEs   int `json:"pes"`
	LUTs  int `json:"luts"`
	FFs   int `json:"ffs"`
	DSPs  int `json:"dsps"`
	BRAMs int `json:"brams"`
	// MHz is the clock after placement and routing.
	MHz float64 `json:"mhz"`
}

// Shortage is something that a fabric has too little of.
type Shortage struct {
	// Paths are the places of the architecture file where more of it may be had, Templates the PE
	// templates of which there are too few; one of them helps.
	Paths     []string `json:"paths,omitempty"`
	Templates []string `json:"templates,omitempty"`
	N         int      `json:"n"`
}

// KernelResult is a kernel on a fabric.
type KernelResult struct {
	Kernel  string  `json:"kernel"`
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"`
	// PEs are those that it takes, Cycles those of the run.
	PEs    int   `json:"pes,omitempty"`
	Cycles int64 `json:"cycles,omitempty"`
	// Interval is the longest of its innermost loops in cycles per iteration, Limit what sets it.
	Interval string `json:"interval,omitempty"`
	Limit    string `json:"limit,omitempty"`
	// Mapping is the hash of the map.json, where it was kept.
	Mapping string `json:"mapping,omitempty"`
	// Cosim is set if the run under Verilator agreed in every cycle.
	Cosim bool `json:"cosim,omitempty"`
}

// Result is what a rung found of an architecture.
type Result struct {
	// OK is set if the point may go on.
	OK      bool    `json:"ok"`
	Verdict Verdict `json:"verdict,omitempty"`
	Reason  string  `json:"reason,omitempty"`
	// Violation is how far it is from OK, of its verdict: missing units, kernels without a route.
	Violation float64        `json:"violation,omitempty"`
	Shortages []Shortage     `json:"shortages,omitempty"`
	Area      *Area          `json:"area,omitempty"`
	Kernels   []KernelResult `json:"kernels,omitempty"`
	// Files are texts by name that are to be kept: mappings of finalists.
	Files map[string][]byte `json:"files,omitempty"`
}

// Job is an evaluation: its text is the architecture file, its key identifies that together with all else that the
// result depends on.
type Job = batch.Job

// Done is an evaluation that ended.
type Done = batch.Done[Result]

// Engine evaluates jobs; Local does so on goroutines of this process.
type (
	Engine = batch.Engine[Result]
	Local  = batch.Local[Result]
)

// Record is a point with what became of it.
type Record struct {
	Number     int `json:"number"`
	Generation int `json:"generation"`
	// Shipped is the name of a fabric that is built in, of the reference; then there are no Genes.
	Shipped      string            `json:"shipped,omitempty"`
	Genes        []int             `json:"genes,omitempty"`
	Parameters   map[string]string `json:"parameters,omitempty"`
	Architecture string            `json:"architecture"`
	Key          string            `json:"key"`
	// Rung is the last one that it was on.
	Rung      int            `json:"rung"`
	Verdict   Verdict        `json:"verdict"`
	Reason    string         `json:"reason,omitempty"`
	Violation float64        `json:"violation,omitempty"`
	Area      *Area          `json:"area,omitempty"`
	Kernels   []KernelResult `json:"kernels,omitempty"`
	// NS is the weighted geometric mean of the times of a run; LUTNS times the look-up tables. Both are
	// predictions where the verdict is Dropped.
	NS    float64 `json:"ns,omitempty"`
	LUTNS float64 `json:"lut_ns,omitempty"`

	text      []byte
	shortages []Shortage
	tooMany   *space.TooMany
}

// Feasible reports whether every kernel ran on it.
func (r *Record) Feasible() bool { return r.Verdict == Measured || r.Verdict == Finalist }

// Value is the figure of an objective.
func (r *Record) Value(o space.Objective) float64 {
	switch {
	case r.Area == nil:
		return math.Inf(1)
	case o == space.LUTs:
		return float64(r.Area.LUTs)
	case o == space.FFs:
		return float64(r.Area.FFs)
	case r.NS == 0:
		return math.Inf(1)
	case o == space.Time:
		return r.NS
	}
	return r.LUTNS
}

// Values are the figures of several.
func (r *Record) Values(of []space.Objective) []float64 {
	out := make([]float64, len(of))
	for i, o := range of {
		out[i] = r.Value(o)
	}
	return out
}

// The margins. A prediction is off by what the cost model and the clock estimate err, ten per cent each,
// so that a point is dropped on a prediction only where it is worse by more than both together.
const (
	margin = 1.21
	// keep is the share of a generation that goes on from technology mapping to placement.
	keep = 0.5
)

// Options are those of Run.
type Options struct {
	Space *space.Space
	// Kernels identifies the kernels, their inputs and all else that results depend on beside the architecture.
	Kernels string
	Engine  Engine
	DB      *store.DB
	// Reference are the architectures that are built in, by name, which the result is compared with.
	Reference []Reference
	// Stop, where it is set, ends the search behind a generation.
	Stop func() bool
	// Progress is called with a line about what is under way; Generation behind each one.
	Progress   func(string)
	Generation func(Status)
}

// Reference is an architecture to compare with.
type Reference struct{ Name, Text string }

// Status is how far an exploration has come.
type Status struct {
	Generation int `json:"generation"`
	// Points were made, of which Feasible run every kernel.
	Points   int `json:"points"`
	Feasible int `json:"feasible"`
	// Reached counts the points that reached each rung; Verdicts how points ended.
	Reached  [Rungs]int      `json:"reached"`
	Verdicts map[Verdict]int `json:"verdicts"`
	// Best is the one with the least of the first objective, nil before there is a feasible one.
	Best *Record `json:"best,omitempty"`
	// Evaluated counts evaluations that were made now, Known those that the database had already.
	Evaluated int `json:"evaluated"`
	Known     int `json:"known"`
}

// Outcome is the end of an exploration.
type Outcome struct {
	Status
	Records []*Record
	// Reference are the fabrics that are built in, those that run all kernels first, the best before others.
	Reference []*Record
	// Stopped is set if Stop ended the search.
	Stopped bool
}

// explorer is a running exploration.
type explorer struct {
	Options
	ctx     context.Context
	records []*Record
	// cycles are the fewest that a kernel took so far.
	cycles           map[string]int64
	evaluated, known int
	weights          map[string]float64
}

// Run explores until Search.Evaluations points were made or the space is used up. Results that the
// database has are not evaluated again, so that it goes on where an earlier run was ended.
func Run(ctx context.Context, opts Options) (*Outcome, error) {
	e := &explorer{Options: opts, ctx: ctx, cycles: map[string]int64{}, weights: map[string]float64{}}
	if e.Progress == nil {
		e.Progress = func(string) {}
	}
	for _, k := range e.Space.Kernels {
		e.weights[k.Name] = k.Weight
	}
	out := &Outcome{}
	sizes, ordered := e.Space.Sizes()
	s := search.New(e.Space.Search.Seed, sizes, ordered)
	var population []search.Individual
	n := e.Space.Search.Population
	// Beside the population, some points grow from the least of everything by what they are short of, until
	// they run all kernels: the shortest way to fabrics that hold little beside what is needed.
	var growing []int // numbers of points
	for generation := 0; len(e.records) < e.Space.Search.Evaluations; generation++ {
		var genes [][]int
		want := min(n, e.Space.Search.Evaluations-len(e.records))
		if generation == 0 {
			genes = s.Least(e.Space.BasePoint(), min(n/4, want/2))
			for i := range genes {
				growing = append(growing, i)
			}
			genes = append(genes, s.Initial(e.Space.BasePoint(), want-len(genes))...)
		} else {
			var grown []int
			for _, i := range growing {
				r := e.records[i]
				if r.Feasible() || len(genes) == want {
					continue
				}
				if g := s.Grow(e.individual(r)); g != nil {
					grown, genes = append(grown, len(e.records)+len(genes)), append(genes, g)
				}
			}
			growing = grown
			genes = append(genes, s.Next(population, want-len(genes))...)
		}
		if len(genes) == 0 {
			break // the space is used up
		}
		batch, err := e.generation(generation, genes)
		if err != nil {
			return nil, err
		}
		for _, r := range batch {
			population = append(population, e.individual(r))
		}
		population = search.Select(population, n)
		if e.Generation != nil {
			e.Generation(e.status())
		}
		if e.Stop != nil && e.Stop() && len(e.records) < e.Space.Search.Evaluations {
			out.Stopped = true
			break
		}
	}
	if err := e.DB.ForgetPoints(len(e.records)); err != nil {
		return nil, err
	}
	if err := e.finalists(); err != nil {
		return nil, err
	}
	var err error
	if out.Reference, err = e.reference(); err != nil {
		return nil, err
	}
	out.Status, out.Records = e.status(), e.records
	return out, nil
}

// record makes the record of a point.
func (e *explorer) record(generation int, genes []int) (*Record, error) {
	r := &Record{Number: len(e.records), Generation: generation, Genes: genes, Parameters: e.Space.Labels(genes)}
	text, err := e.Space.Architecture(genes)
	if err != nil {
		many, ok := err.(*space.TooMany)
		if !ok {
			return nil, err
		}
		r.Verdict, r.Reason, r.Violation, r.tooMany = Invalid, err.Error(), float64(many.Want-many.Have), many
		r.shortages = []Shortage{{Paths: []string{"topology.rows", "topology.columns"}, N: 1}}
		return r, nil
	}
	return r, e.identify(r, text)
}

func (e *explorer) identify(r *Record, text []byte) (err error) {
	r.text = text
	r.Key = store.Hash([]byte(e.Kernels + "\n" + string(text)))
	r.Architecture, err = e.DB.PutFile("architecture.yaml", text)
	return err
}

// generation evaluates points rung by rung.
func (e *explorer) generation(number int, genes [][]int) ([]*Record, error) {
	var batch, on []*Record
	for _, g := range genes {
		r, err := e.record(number, g)
		if err != nil {
			return nil, err
		}
		e.records = append(e.records, r)
		batch = append(batch, r)
		if r.Verdict == "" {
			on = append(on, r)
		}
	}
	for _, rung := range []int{RungCost, RungTechnology, RungRoute} {
		label := fmt.Sprintf("generation %d, %s", number, RungNames[rung])
		if err := e.evaluate(label, rung, on); err != nil {
			return nil, err
		}
		on = slices.DeleteFunc(on, func(r *Record) bool { return r.Verdict != "" })
		switch rung {
		case RungCost:
			on = e.dropHopeless(on)
		case RungTechnology:
			on = e.halve(on)
		}
	}
	for _, r := range on {
		r.Verdict = Measured
		for _, k := range r.Kernels {
			if least, ok := e.cycles[k.Kernel]; !ok || k.Cycles < least {
				e.cycles[k.Kernel] = k.Cycles
			}
		}
	}
	return batch, e.DB.PutPoints(rows(batch))
}

// evaluate puts records on a rung: from the database, or by the engine.
func (e *explorer) evaluate(label string, rung int, on []*Record) error {
	var jobs []Job
	var of []*Record
	for _, r := range on {
		text, err := e.DB.Get(r.Key, rung)
		if err != nil {
			return err
		}
		var res Result
		if text != nil && json.Unmarshal(text, &res) == nil {
			e.known++
			e.apply(r, rung, &res)
			continue
		}
		jobs, of = append(jobs, Job{Rung: rung, Key: r.Key, Text: string(r.text), Name: r.name()}), append(of, r)
	}
	if len(jobs) == 0 {
		return nil
	}
	e.Progress(fmt.Sprintf("%s: 0 of %d", label, len(jobs)))
	done := 0
	return e.Engine.Run(e.ctx, jobs, func(ended []Done) error {
		var results []store.Result
		for _, d := range ended {
			r, err := e.result(jobs[d.Job], d)
			if err != nil {
				return err
			}
			results = append(results, r)
		}
		if err := e.DB.Put(results...); err != nil {
			return err
		}
		for _, d := range ended {
			e.apply(of[d.Job], rung, d.Result)
		}
		e.evaluated += len(ended)
		done += len(ended)
		e.Progress(fmt.Sprintf("%s: %d of %d", label, done, len(jobs)))
		return nil
	})
}

// result is the row of an evaluation; its files are kept apart, so that what the database has of a point is small.
func (e *explorer) result(job Job, d Done) (store.Result, error) {
	for _, name := range slices.Sorted(maps.Keys(d.Result.Files)) {
		hash, err := e.DB.PutFile(name, d.Result.Files[name])
		if err != nil {
			return store.Result{}, err
		}
		for i := range d.Result.Kernels {
			if d.Result.Kernels[i].Kernel == name {
				d.Result.Kernels[i].Mapping = hash
			}
		}
	}
	d.Result.Files = nil
	text, err := json.Marshal(d.Result)
	return store.Result{Key: job.Key, Rung: job.Rung, Text: text, Seconds: d.Seconds, Worker: d.Worker}, err
}

func (r *Record) name() string {
	if r.Shipped != "" {
		return r.Shipped
	}
	return fmt.Sprintf("point %d", r.Number)
}

// apply takes a result over.
func (e *explorer) apply(r *Record, rung int, res *Result) {
	r.Rung = rung
	if res.Area != nil {
		r.Area = res.Area
	}
	if res.Kernels != nil {
		r.Kernels = res.Kernels
	}
	r.shortages = res.Shortages
	if !res.OK {
		r.Verdict, r.Reason, r.Violation = res.Verdict, res.Reason, res.Violation
		return
	}
	ns := 0.0
	if rung >= RungRoute {
		ns = e.time(r.Area, func(k string) (int64, bool) {
			i := slices.IndexFunc(r.Kernels, func(x KernelResult) bool { return x.Kernel == k })
			return r.Kernels[max(i, 0)].Cycles, i >= 0
		})
		r.NS, r.LUTNS = ns, ns*float64(r.Area.LUTs)
	}
	if what, factor := e.Space.Limits.Exceeded(r.Area.LUTs, r.Area.FFs, r.Area.DSPs, r.Area.BRAMs, r.Area.MHz, ns); what != "" && r.Shipped == "" {
		r.Verdict, r.Reason, r.Violation = Invalid, what, factor
	}
}

// time is the weighted geometric mean of the times of a run in ns; 0 where cycles are missing.
func (e *explorer) time(a *Area, cycles func(kernel string) (int64, bool)) float64 {
	sum, weight := 0.0, 0.0
	for _, k := range e.Space.Kernels {
		c, ok := cycles(k.Name)
		if !ok || c <= 0 {
			return 0
		}
		sum += k.Weight * math.Log(float64(c)*1000/a.MHz)
		weight += k.Weight
	}
	return math.Exp(sum / weight)
}

// predict sets the time with the fewest cycles that any point took so far; it reports whether there are any.
func (e *explorer) predict(r *Record) bool {
	r.NS = e.time(r.Area, func(k string) (int64, bool) { c, ok := e.cycles[k]; return c, ok })
	r.LUTNS = r.NS * float64(r.Area.LUTs)
	return r.NS > 0
}

// dropHopeless drops points that a measured one beats in every objective, by more than estimates err, even if
// every kernel took as few cycles as on its best fabric so far.
func (e *explorer) dropHopeless(on []*Record) []*Record {
	return slices.DeleteFunc(on, func(r *Record) bool {
		if !e.predict(r) {
			return false
		}
		mine := r.Values(e.Space.Objectives)
		for _, o := range e.records {
			if !o.Feasible() {
				continue
			}
			factor := math.Inf(1)
			for i, v := range o.Values(e.Space.Objectives) {
				factor = min(factor, mine[i]/v)
			}
			if factor > margin {
				r.Verdict, r.Violation = Dropped, factor
				r.Reason = fmt.Sprintf("at the fewest cycles seen, at least %.2f times point %d in every objective", factor, o.Number)
				return true
			}
		}
		r.NS, r.LUTNS = 0, 0
		return false
	})
}

// halve keeps the better part of those that fit, by what is predicted of them, and all that cannot be told from it.
func (e *explorer) halve(on []*Record) []*Record {
	n := int(math.Ceil(keep * float64(len(on))))
	if len(on) < 4 || !slices.ContainsFunc(on, e.predict) {
		return on
	}
	var all []search.Individual
	for _, r := range on {
		e.predict(r)
		all = append(all, search.Individual{Genes: r.Genes, Objectives: r.Values(e.Space.Objectives)})
	}
	kept := search.Select(all, n)
	// What cannot be told apart from the worst that is kept, by the first objective, stays as well.
	limit := 0.0
	for _, k := range kept {
		limit = max(limit, k.Objectives[0])
	}
	var stay []*Record
	for _, r := range on {
		isKept := slices.ContainsFunc(kept, func(k search.Individual) bool { return slices.Equal(k.Genes, r.Genes) })
		first := r.Value(e.Space.Objectives[0])
		if isKept || first <= limit*margin && first <= e.bestValue()*margin*margin {
			r.NS, r.LUTNS = 0, 0
			stay = append(stay, r)
			continue
		}
		r.Verdict, r.Violation = Dropped, first/limit
		r.Reason = fmt.Sprintf("predicted %s of %s, behind the better half of its generation", e.Space.Objectives[0], compact(first))
	}
	return stay
}

// bestValue is the least of the first objective so far.
func (e *explorer) bestValue() float64 {
	best := math.Inf(1)
	for _, r := range e.records {
		if r.Feasible() {
			best = min(best, r.Value(e.Space.Objectives[0]))
		}
	}
	return best
}

func compact(v float64) string { return fmt.Sprintf("%.4g", v) }

// The classes of individuals: the lower, the closer to a fabric that serves.
var classes = map[Verdict]int{Measured: 0, Finalist: 0, Dropped: 1, Unrouted: 2, Short: 3, Mismatch: 4, Abandoned: 4, Invalid: 5}

// individual is what the search sees of a record.
func (e *explorer) individual(r *Record) search.Individual {
	i := search.Individual{Genes: r.Genes, Class: classes[r.Verdict], Violation: r.Violation, Objectives: r.Values(e.Space.Objectives)}
	for _, s := range r.shortages {
		h := search.Hint{Steps: s.N}
		for _, p := range s.Paths {
			h.Genes = append(h.Genes, e.Space.Addressing(p)...)
		}
		for _, t := range s.Templates {
			if g := e.Space.Mixing(t); g >= 0 {
				h.Genes = append(h.Genes, g)
			}
		}
		slices.Sort(h.Genes)
		h.Genes = slices.Compact(h.Genes)
		if len(h.Genes) > 0 {
			i.Hints = append(i.Hints, h)
		}
	}
	return i
}

// finalists puts the best points on the last rung.
func (e *explorer) finalists() error {
	first := e.Space.Objectives[0]
	sorted := slices.DeleteFunc(slices.Clone(e.records), func(r *Record) bool { return !r.Feasible() })
	slices.SortStableFunc(sorted, func(a, b *Record) int {
		switch x, y := a.Value(first), b.Value(first); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return a.Number - b.Number
	})
	best := sorted[:min(len(sorted), e.Space.Finalists.Count)]
	for _, r := range best {
		r.Verdict = "" // until it has passed
	}
	if err := e.evaluate("finalists", RungFinal, best); err != nil {
		return err
	}
	for _, r := range best {
		if r.Verdict == "" {
			r.Verdict = Finalist
		}
	}
	return e.DB.PutPoints(rows(best))
}

// reference evaluates the fabrics that are built in like finalists.
func (e *explorer) reference() ([]*Record, error) {
	var all []*Record
	for _, ref := range e.Reference {
		r := &Record{Number: -1, Shipped: ref.Name}
		if err := e.identify(r, []byte(ref.Text)); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	on := slices.Clone(all)
	for _, rung := range []int{RungCost, RungTechnology, RungRoute} {
		if err := e.evaluate("fabrics that are built in, "+RungNames[rung], rung, on); err != nil {
			return nil, err
		}
		on = slices.DeleteFunc(on, func(r *Record) bool { return r.Verdict != "" })
	}
	for _, r := range on {
		r.Verdict = Measured
	}
	first := e.Space.Objectives[0]
	slices.SortStableFunc(all, func(a, b *Record) int {
		switch {
		case a.Feasible() != b.Feasible():
			return map[bool]int{true: -1, false: 1}[a.Feasible()]
		case !a.Feasible() || a.Value(first) == b.Value(first):
			return 0
		case a.Value(first) < b.Value(first):
			return -1
		}
		return 1
	})
	if f := e.Space.Finalists; (f.Synthesis || f.Route) && len(on) > 0 {
		// Like is compared with like.
		best := all[0]
		best.Verdict = ""
		if err := e.evaluate("the best fabric that is built in, "+RungNames[RungFinal], RungFinal, all[:1]); err != nil {
			return nil, err
		}
		if best.Verdict == "" {
			best.Verdict = Finalist
		}
	}
	return all, nil
}

func (e *explorer) status() Status {
	s := StatusOf(e.records, e.Space.Objectives[0])
	s.Evaluated, s.Known = e.evaluated, e.known
	return s
}

// StatusOf sums up points.
func StatusOf(records []*Record, first space.Objective) Status {
	s := Status{Points: len(records), Verdicts: map[Verdict]int{}}
	for _, r := range records {
		s.Generation = max(s.Generation, r.Generation)
		s.Verdicts[r.Verdict]++
		if r.Feasible() {
			s.Feasible++
		}
		for rung := range r.Rung + 1 {
			if r.Area != nil {
				s.Reached[rung]++
			}
		}
	}
	s.Best = Winner(records, first)
	return s
}

// Winner is the finalist with the least of an objective; without a finalist the point that was measured.
func Winner(records []*Record, first space.Objective) *Record {
	var best *Record
	for _, r := range records {
		switch {
		case !r.Feasible():
		case best == nil, r.Verdict == Finalist && best.Verdict != Finalist,
			r.Verdict == best.Verdict && r.Value(first) < best.Value(first):
			best = r
		}
	}
	return best
}

// rows are the rows of records.
func rows(records []*Record) []store.Point {
	var out []store.Point
	for _, r := range records {
		text, err := json.Marshal(r)
		if err != nil {
			panic(err) // plain data
		}
		parameters, _ := json.Marshal(r.Parameters)
		p := store.Point{Number: r.Number, Generation: r.Generation, Key: r.Key, Parameters: string(parameters), Architecture: r.Architecture,
			Rung: r.Rung, Verdict: string(r.Verdict), Reason: r.Reason, NS: r.NS, LUTNS: r.LUTNS, Record: text}
		if a := r.Area; a != nil {
			p.LUTs, p.FFs, p.DSPs, p.BRAMs, p.MHz = a.LUTs, a.FFs, a.DSPs, a.BRAMs, a.MHz
		}
		for _, k := range r.Kernels {
			row := store.Kernel{Kernel: k.Kernel, Verdict: string(k.Verdict), Reason: k.Reason, PEs: k.PEs, Cycles: k.Cycles, Mapping: k.Mapping}
			if r.Area != nil {
				row.NS = float64(k.Cycles) * 1000 / r.Area.MHz
			}
			p.Kernels = append(p.Kernels, row)
		}
		out = append(out, p)
	}
	return out
}

// Load reads the points of a database.
func Load(db *store.DB) ([]*Record, error) {
	texts, err := db.Records()
	if err != nil {
		return nil, err
	}
	var out []*Record
	for _, t := range texts {
		r := &Record{}
		if err := json.Unmarshal(t, r); err != nil {
			return nil, fmt.Errorf("%s: a point cannot be read: %w", db.File, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// String is a line about the state.
func (s Status) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "generation %d: %d points, %d run every kernel", s.Generation, s.Points, s.Feasible)
	if s.Best != nil {
		fmt.Fprintf(&b, "; best %d LUTs × %s ns", s.Best.Area.LUTs, compact(s.Best.NS))
	}
	return b.String()
}
