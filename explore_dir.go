package loom

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"loom/compiler/diag"
	"loom/explore"
	"loom/explore/page"
	"loom/explore/space"
	"loom/explore/store"
)

// The names of the files in the directory of an exploration, beside the database.
const (
	ExploreWinner = "best.yaml"
	ExploreReport = "report.html"
)

// explorationMeta is what the database has of an exploration beside its points.
type explorationMeta struct {
	Name       string            `json:"name"`
	File       string            `json:"file"`
	Objectives []space.Objective `json:"objectives"`
	// Parameters are the names in the order of the description, Values those of each.
	Parameters []page.Parameter `json:"parameters"`
	Kernels    []string         `json:"kernels"`
	Search     space.Search     `json:"search"`
	Limits     space.Limits     `json:"limits"`
	// Reference are the shipped fabrics, once the search has ended.
	Reference []*explore.Record `json:"reference,omitempty"`
	// Complete is set when the search has ended.
	Complete bool `json:"complete"`
}

const metaKey = "exploration"

func (x *Exploration) meta() *explorationMeta {
	s := x.Space
	m := &explorationMeta{Name: s.Name, Objectives: s.Objectives, Search: s.Search, Limits: s.Limits}
	for _, k := range s.Kernels {
		m.Kernels = append(m.Kernels, k.Name)
	}
	for _, p := range s.Parameters {
		m.Parameters = append(m.Parameters, page.Parameter{Name: p.Name, Values: p.Labels, Numbers: p.Ordered})
	}
	return m
}

func putMeta(db *store.DB, m *explorationMeta) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return db.SetMeta(metaKey, string(text))
}

func readMeta(db *store.DB) (*explorationMeta, error) {
	text, err := db.Meta(metaKey)
	if err != nil {
		return nil, err
	}
	m := &explorationMeta{}
	if text == "" || json.Unmarshal([]byte(text), m) != nil {
		return nil, diag.New(diag.Pos{File: db.File}, "holds no exploration yet").WithHelp("loom explore EXPLORE.yaml -o DIR fills it")
	}
	return m, nil
}

// Explored is the end of an exploration in a directory.
type Explored struct {
	*explore.Outcome
	// Winner is the best point, nil where no point runs every kernel.
	Winner *explore.Record
	// Names are the files written, relative to the directory.
	Names []string
}

// Explore runs an exploration in a directory, which keeps every result: it goes on where an earlier call was ended, and
// makes new evaluations only where the description has changed. It writes best.yaml, the winner, report.html, and a
// directory for each finalist with its mappings.
func Explore(ctx context.Context, x *Exploration, dir string, opts ExploreOptions) (*Explored, error) {
	db, err := store.Open(dir, store.Exploration)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	m := x.meta()
	if err := putMeta(db, m); err != nil {
		return nil, err
	}
	out, err := x.Run(ctx, db, opts)
	if err != nil {
		return nil, err
	}
	m.Reference, m.Complete = out.Reference, !out.Stopped
	if err := putMeta(db, m); err != nil {
		return nil, err
	}
	e := &Explored{Outcome: out, Winner: explore.Winner(out.Records, x.Space.Objectives[0])}
	e.Names, err = x.writeExplored(ctx, db, dir, m, e, &opts.Watch)
	return e, err
}

// writeExplored writes the files of an exploration that has ended.
func (x *Exploration) writeExplored(ctx context.Context, db *store.DB, dir string, m *explorationMeta, e *Explored, w *Watch) ([]string, error) {
	var files Artifacts
	evaluator, err := x.NewEvaluator()
	if err != nil {
		return nil, err
	}
	views := map[int]map[string]string{}
	for _, r := range e.Records {
		if r.Verdict != explore.Finalist {
			continue
		}
		done := w.doing(fmt.Sprintf("pages of point %d", r.Number))
		views[r.Number], err = evaluator.views(ctx, db, r, &files)
		done()
		if err != nil {
			return nil, err
		}
	}
	if e.Winner != nil {
		text, err := db.Content(e.Winner.Architecture)
		if err != nil {
			return nil, err
		}
		files.add(ExploreWinner, append([]byte(headOf(e.Winner, m)), text...))
	} else {
		files.Stale = append(files.Stale, ExploreWinner)
	}
	html, err := exploreReport(db, m, e.Records, views)
	if err != nil {
		return nil, err
	}
	files.add(ExploreReport, html)
	// Finalists of an earlier end go.
	return files.replace(dir, "point[0-9]*")
}

// headOf is the comment above the winner.
func headOf(r *explore.Record, m *explorationMeta) string {
	var b strings.Builder
	about := "about"
	if r.Area.Synthesised {
		about = "by synthesis for Xilinx 7"
	}
	clock := "about"
	if r.Area.Routed {
		clock = "by its slowest PE, placed and routed for an ECP5 of speed grade 6, about"
	}
	fmt.Fprintf(&b, "# Point %d of the exploration '%s': %d PEs, %s %d LUTs, %d flip-flops, %d DSP blocks, %d block RAMs; %s %.0f MHz.\n",
		r.Number, m.Name, r.Area.PEs, about, r.Area.LUTs, r.Area.FFs, r.Area.DSPs, r.Area.BRAMs, clock, r.Area.MHz)
	fmt.Fprintf(&b, "# Mean time of a run over %s: %.4g ns.\n", diag.Plural(len(m.Kernels), "kernel"), r.NS)
	for _, p := range m.Parameters {
		fmt.Fprintf(&b, "#   %s: %s\n", p.Name, r.Parameters[p.Name])
	}
	return b.String()
}

// views adds the page and the table of every mapping of a finalist, and returns the pages by kernel.
func (e *Evaluator) views(ctx context.Context, db *store.DB, r *explore.Record, files *Artifacts) (map[string]string, error) {
	text, err := db.Content(r.Architecture)
	if err != nil {
		return nil, err
	}
	folder := fmt.Sprintf("point%d/", r.Number)
	files.add(folder+"architecture.yaml", text)
	f, err := LoadFabric(Source{fmt.Sprintf("point%d.yaml", r.Number), string(text)}, Watch{})
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, k := range e.kernels {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		i := slices.IndexFunc(r.Kernels, func(x explore.KernelResult) bool { return x.Kernel == k.Name })
		if i < 0 || r.Kernels[i].Mapping == "" {
			continue
		}
		data, err := db.Content(r.Kernels[i].Mapping)
		if err != nil {
			return nil, err
		}
		l := k.onFabric(f)
		if l.err != nil {
			return nil, l.err
		}
		m, err := LoadMapping(Source{k.Name + ".map.json", string(data)}, l.k, f)
		if err != nil {
			return nil, err
		}
		all, err := m.Artifacts(nil)
		if err != nil {
			return nil, err
		}
		for _, x := range all.Files {
			switch {
			case strings.HasSuffix(x.Name, ".viz.html"):
				out[k.Name] = folder + x.Name
				files.add(folder+x.Name, x.Data)
			case strings.HasSuffix(x.Name, ".map.txt"), strings.HasSuffix(x.Name, ".map.json"):
				files.add(folder+x.Name, x.Data)
			}
		}
	}
	return out, nil
}

// exploreReport is the page of an exploration.
func exploreReport(db *store.DB, m *explorationMeta, records []*explore.Record, views map[int]map[string]string) ([]byte, error) {
	count, seconds, err := db.Work()
	if err != nil {
		return nil, err
	}
	return page.HTML(&page.Data{Name: m.Name, Objectives: m.Objectives, Parameters: m.Parameters, Kernels: m.Kernels, Records: records,
		Reference: m.Reference, Complete: m.Complete, Views: views, Evaluations: count, Seconds: seconds,
		Text: func(hash string) (string, error) { b, err := db.Content(hash); return string(b), err }})
}

// ExplorationStatus is the state of an exploration in a directory.
type ExplorationStatus struct {
	Name string `json:"name"`
	explore.Status
	// Wanted is the number of points to be made; Complete is set when the search has ended.
	Wanted   int  `json:"wanted"`
	Complete bool `json:"complete"`
	// Evaluations are those in the database by rung, Seconds what they took of one core.
	Evaluations map[int]int     `json:"evaluations"`
	Seconds     map[int]float64 `json:"seconds"`
	// Objective is the first one.
	Objective space.Objective `json:"objective"`
}

// StatusOfExploration reads the state of an exploration, also while it runs.
func StatusOfExploration(dir string) (*ExplorationStatus, error) {
	db, m, records, err := readExploration(dir)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	s := &ExplorationStatus{Name: m.Name, Status: explore.StatusOf(records, m.Objectives[0]), Wanted: m.Search.Evaluations, Complete: m.Complete, Objective: m.Objectives[0]}
	s.Evaluations, s.Seconds, err = db.Work()
	return s, err
}

func readExploration(dir string) (*store.DB, *explorationMeta, []*explore.Record, error) {
	db, err := store.Read(dir, store.Exploration)
	if err != nil {
		return nil, nil, nil, err
	}
	m, err := readMeta(db)
	var records []*explore.Record
	if err == nil {
		records, err = explore.Load(db)
	}
	if err != nil {
		db.Close()
		return nil, nil, nil, err
	}
	return db, m, records, nil
}

// ReportExploration writes report.html of what a directory has so far, and best.yaml.
func ReportExploration(dir string) ([]string, error) {
	db, m, records, err := readExploration(dir)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	// The pages of finalists that an earlier end has written.
	views := map[int]map[string]string{}
	for _, r := range records {
		for _, k := range r.Kernels {
			matches, _ := filepath.Glob(filepath.Join(dir, fmt.Sprintf("point%d", r.Number), k.Kernel+".*.viz.html"))
			if len(matches) > 0 && r.Verdict == explore.Finalist {
				if views[r.Number] == nil {
					views[r.Number] = map[string]string{}
				}
				views[r.Number][k.Kernel] = fmt.Sprintf("point%d/%s", r.Number, filepath.Base(matches[0]))
			}
		}
	}
	html, err := exploreReport(db, m, records, views)
	if err != nil {
		return nil, err
	}
	var files Artifacts
	files.add(ExploreReport, html)
	if best := explore.Winner(records, m.Objectives[0]); best != nil {
		text, err := db.Content(best.Architecture)
		if err != nil {
			return nil, err
		}
		files.add(ExploreWinner, append([]byte(headOf(best, m)), text...))
	}
	return files.Write(dir)
}

// PointOfExploration is the architecture file of a point.
func PointOfExploration(dir string, number int) (string, error) {
	db, m, records, err := readExploration(dir)
	if err != nil {
		return "", err
	}
	defer db.Close()
	for _, r := range records {
		switch {
		case r.Number != number:
		case r.Architecture == "":
			return "", diag.New(diag.Pos{File: dir}, "point %d has no architecture: %s", number, r.Reason)
		default:
			text, err := db.Content(r.Architecture)
			head := ""
			if r.Feasible() {
				head = headOf(r, m)
			}
			return head + string(text), err
		}
	}
	return "", diag.New(diag.Pos{File: dir}, "there is no point %d: the exploration has %d, from 0", number, len(records))
}

// ExportExploration writes the points as comma-separated values: a line for each, with a column per parameter
// and per kernel its cycles.
func ExportExploration(dir string, to io.Writer) error {
	db, m, records, err := readExploration(dir)
	if err != nil {
		return err
	}
	defer db.Close()
	w := csv.NewWriter(to)
	head := []string{"point", "generation", "verdict", "rung", "reason", "pes", "luts", "ffs", "dsps", "brams", "mhz", "ns", "lut_ns"}
	for _, p := range m.Parameters {
		head = append(head, "parameter "+p.Name)
	}
	for _, k := range m.Kernels {
		head = append(head, "cycles "+k)
	}
	w.Write(append(head, "architecture"))
	number := func(v float64) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	for _, r := range records {
		a := r.Area
		if a == nil {
			a = &explore.Area{}
		}
		row := []string{strconv.Itoa(r.Number), strconv.Itoa(r.Generation), string(r.Verdict), explore.RungNames[r.Rung], r.Reason}
		for _, v := range []float64{float64(a.PEs), float64(a.LUTs), float64(a.FFs), float64(a.DSPs), float64(a.BRAMs), a.MHz, r.NS, r.LUTNS} {
			row = append(row, number(v))
		}
		for _, p := range m.Parameters {
			row = append(row, r.Parameters[p.Name])
		}
		for _, k := range m.Kernels {
			i := slices.IndexFunc(r.Kernels, func(x explore.KernelResult) bool { return x.Kernel == k })
			cycles := ""
			if i >= 0 && r.Kernels[i].Cycles > 0 {
				cycles = strconv.FormatInt(r.Kernels[i].Cycles, 10)
			}
			row = append(row, cycles)
		}
		w.Write(append(row, r.Architecture))
	}
	w.Flush()
	return w.Error()
}

// ExplorationBusy reports whether err says that another process works in the directory.
func ExplorationBusy(err error) bool { return errors.As(err, new(*store.Busy)) }
