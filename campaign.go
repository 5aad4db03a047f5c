package loom

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"loom/campaign"
	"loom/compiler/diag"
	"loom/compiler/latency"
	"loom/explore"
	"loom/explore/batch"
	"loom/explore/slurm"
	"loom/explore/space"
	"loom/explore/store"
	"loom/verilator"
)

// CampaignTable is the kind of campaign that maps and runs kernels on fabrics; the kinds of random cases are those of
// package campaign.
const CampaignTable = "table"

// The names of the files in the directory of a campaign, beside the database.
const (
	CampaignSummary  = "summary.txt"
	CampaignFailures = "failures"
	CampaignMarkdown = "table.md"
	CampaignCSV      = "table.csv"
)

// Campaign is a campaign, ready to run here or elsewhere.
type Campaign struct {
	bundle campaignBundle
	shard  uint64
}

// campaignBundle is all that a worker has to know.
type campaignBundle struct {
	bundle
	Kind string `json:"kind"`
	// Cosim is how many in a hundred cases run under Verilator, too.
	Cosim int `json:"cosim"`
	// Fabrics are those of a table.
	Fabrics []Source `json:"fabrics,omitempty"`
}

// RandomCampaign is one of random cases; cosim in a hundred of them run under Verilator, too. The error says what a case
// needs that is missing, or which kinds there are.
func RandomCampaign(kind string, cosim int) (*Campaign, error) {
	k, ok := campaign.KindOf(kind)
	if !ok {
		return nil, fmt.Errorf("there is no campaign '%s': take one of %s, %s", kind, campaign.Names(), CampaignTable)
	}
	if cosim > 0 && !k.Cosim {
		return nil, fmt.Errorf("cases of '%s' do not run under Verilator: leave out --cosim", kind)
	}
	if err := k.Ready(cosim); err != nil {
		return nil, err
	}
	return &Campaign{campaignBundle{bundle: bundle{Version: explorationVersion, Loom: Version}, Kind: kind, Cosim: cosim}, k.Shard}, nil
}

// TableCampaign maps and runs kernels on fabrics: names of shipped ones, or files. Every mapping is proven and run by the cycle
// against the interpreter on random inputs, of cosim in a hundred cases in lock-step with Verilator, too.
func TableCampaign(ctx context.Context, kernels, fabrics []string, cosim int, w Watch) (*Campaign, error) {
	if cosim > 0 {
		if err := verilator.CheckTools(false); err != nil {
			return nil, err
		}
	}
	c := &Campaign{campaignBundle{bundle: bundle{Version: explorationVersion, Loom: Version}, Kind: CampaignTable, Cosim: cosim}, 1}
	for _, name := range fabrics {
		text, err := ReadFabric(name)
		if err != nil {
			return nil, err
		}
		if !text.isYAML() {
			return nil, diag.New(diag.Pos{File: name}, "is no architecture description").WithHelp("give a .yaml, or a name of loom fabrics")
		}
		if _, err := LoadFabric(text, Watch{}); err != nil {
			return nil, err
		}
		c.bundle.Fabrics = append(c.bundle.Fabrics, text)
	}
	var errs diag.List
	seen := map[string]string{}
	for _, file := range kernels {
		k := space.Kernel{File: file, Name: Stem(file), Size: 16, Seed: 1, Pos: diag.Pos{File: file}}
		if other, ok := seen[k.Name]; ok {
			return nil, diag.New(k.Pos, "is the second kernel named '%s', beside %s", k.Name, other).WithHelp("rename one of the files")
		}
		seen[k.Name] = file
		b, err := bundleOf(ctx, k, nil, func(f string) string { return f }, w)
		if err != nil {
			if External(err) || ctx.Err() != nil {
				return nil, err
			}
			for _, d := range diag.FromError(err).All {
				errs.Add(d)
			}
			continue
		}
		c.bundle.Kernels = append(c.bundle.Kernels, *b)
	}
	return c, errs.Err()
}

// cases is how many cases a table has.
func (c *Campaign) cases() uint64 { return uint64(len(c.bundle.Kernels) * len(c.bundle.Fabrics)) }

// worker makes what tries cases.
func (b *campaignBundle) worker() (campaign.Worker, error) {
	switch b.Kind {
	case campaign.Floats:
		return tryFloats, nil
	case CampaignTable:
	default:
		k, ok := campaign.KindOf(b.Kind)
		if !ok {
			return nil, fmt.Errorf("there is no campaign '%s'", b.Kind)
		}
		return k.New(b.Cosim)
	}
	e, err := (&Exploration{kernels: b.bundle}).NewEvaluator()
	if err != nil {
		return nil, err
	}
	return campaign.Each(func(ctx context.Context, n uint64, res *campaign.Result) error {
		k, src := e.kernels[n/uint64(len(b.Fabrics))], b.Fabrics[n%uint64(len(b.Fabrics))]
		f, err := e.fabric(explore.Job{Key: src.Name, Text: src.Text, Name: Stem(src.Name)})
		if err != nil {
			return err
		}
		r, _, err := k.run(ctx, f, true, campaign.Under(b.Cosim, n), int(latency.Default.Max))
		if err != nil {
			return err
		}
		res.Rows = append(res.Rows, campaign.Row{Case: n, OK: r.Verdict == explore.OK, Reason: r.Reason, PEs: r.PEs, Cycles: r.Cycles})
		what := "do not fit their fabric"
		switch r.Verdict {
		case explore.OK:
			what = "fit and agree at every level"
		case explore.Mismatch:
			what = "are wrong"
			res.Failures = append(res.Failures, campaign.Failure{
				Case: n, Name: k.Name + "-" + f.Name, Text: fmt.Sprintf("%s on %s: %s", k.Name, f.Name, r.Reason),
				Files: map[string]string{k.File: k.Text, "fabric.yaml": src.Text, "inputs.json": string(k.Inputs)},
				Again: fmt.Sprintf("loom build %s/%s --arch %s/fabric.yaml --inputs %s/inputs.json --cosim -o out", campaign.Here, k.File, campaign.Here, campaign.Here),
			})
		}
		res.Count(what)
		if r.Cosim {
			res.Count("ran under Verilator, too")
		}
		return nil
	}), nil
}

// tryFloats tries operations of floats in direct circuits: at every level, level 0 being this machine's own arithmetic.
func tryFloats(ctx context.Context, from, to uint64) (*campaign.Result, error) {
	dir, err := os.MkdirTemp("", "loom-campaign-") // where clang reads the kernels
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	return campaign.Each(func(ctx context.Context, n uint64, res *campaign.Result) error {
		c := campaign.NewFloatCase(n)
		file := filepath.Join(dir, c.Name+".c")
		if err := os.WriteFile(file, []byte(c.Text), 0o600); err != nil {
			return err
		}
		k, err := Compile(ctx, Source{file, c.Text}, CompileOptions{Direct: true, IndexWidth: DefaultDirectIndexWidth})
		if err != nil {
			return err
		}
		d, err := BuildDirect(k, DirectOptions{})
		if err != nil {
			return err
		}
		in, err := k.RandomInputs(InputOptions{Size: campaign.FloatWords, Seed: n})
		if err != nil {
			return err
		}
		c.Fill(in.Kernel)
		env := Environment{Latency: latency.Default, MaxCycles: floatCycles}
		if n/campaign.FloatCases()%2 == 1 {
			env.Stall, env.StallSeed = 30, n
		}
		run, err := CosimulateDirect(ctx, d, in, CosimulateOptions{Environment: env, Jobs: 1})
		switch {
		case err != nil:
			return err
		case run.Failed == "":
			res.Count("agree with this machine's arithmetic at every level")
			return nil
		}
		res.Failures = append(res.Failures, campaign.Failure{
			Case: n, Name: fmt.Sprintf("%s-%d", c.Name, n),
			Text:  fmt.Sprintf("%s: %s: %s: %s", c.Name, run.Failed, run.Outcome.Status, strings.Join(run.Outcome.Detail, "\n")),
			Files: map[string]string{c.Name + ".c": c.Text, "inputs.json": string(in.Kernel.JSON()) + "\n"},
			Again: fmt.Sprintf("loom build %s/%s.c --direct --inputs %s/inputs.json --stall %d --stall-seed %d --cosim -o out", campaign.Here, c.Name, campaign.Here, env.Stall, env.StallSeed),
		})
		return nil
	})(ctx, from, to)
}

// floatCycles bounds a case of floats: a remainder takes up to a thousand cycles.
const floatCycles = 8_000_000

// CampaignOptions say which cases a campaign tries, and where.
type CampaignOptions struct {
	Watch
	// From and To are the first case and the one behind the last; a table has its own.
	From, To uint64
	// Jobs is the number of workers, 0 for one per processor. The result does not depend on it.
	Jobs int
	// Engine does the work; nil does so in this process.
	Engine batch.Engine[campaign.Result]
	// Stop, where it is set and returns true, ends the campaign before all cases are tried.
	Stop func() bool
}

// Campaigned is the end of a campaign in a directory.
type Campaigned struct {
	*campaign.Summary
	// Names are the files written, relative to the directory.
	Names []string
}

// Run runs a campaign in a directory, which keeps the results of every shard for the same program: a campaign that was
// ended, by whatever, goes on where it stopped. It writes summary.txt, a directory for each failure, and for a table
// table.md and table.csv.
func (c *Campaign) Run(ctx context.Context, dir string, opts CampaignOptions) (*Campaigned, error) {
	if c.bundle.Kind == CampaignTable {
		opts.From, opts.To = 0, c.cases()
	}
	text, err := json.Marshal(c.bundle)
	if err != nil {
		return nil, err
	}
	program, err := programHash()
	if err != nil {
		return nil, err
	}
	db, err := store.Open(dir, store.Campaign)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	o := campaign.Options{
		Name: c.bundle.Kind, From: opts.From, To: opts.To, Shard: c.shard, Key: program + " " + store.Hash(text),
		Engine: opts.Engine, DB: db, Stop: opts.Stop, Progress: opts.Progress,
	}
	if opts.Jobs == 0 {
		opts.Jobs = runtime.NumCPU()
	}
	if o.Engine == nil {
		o.Engine = &batch.Local[campaign.Result]{Workers: opts.Jobs, New: func() (func(context.Context, batch.Job) (*campaign.Result, error), error) {
			w, err := c.bundle.worker()
			return campaign.Work(w), err
		}}
	}
	if opts.Stop != nil {
		o.Wave = 4 * opts.Jobs // a look at the clock between waves; a worker waits for the others at the end of one
	}
	s, err := campaign.Run(ctx, o)
	if err != nil {
		return nil, err
	}
	names, err := c.write(dir, s)
	return &Campaigned{s, names}, err
}

// programHash names this program: results of another one are not its.
func programHash() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(self)
	return store.Hash(text), err
}

// write writes the files of a campaign.
func (c *Campaign) write(dir string, s *campaign.Summary) ([]string, error) {
	var files Artifacts
	text := s.String()
	for _, f := range s.Failures {
		here := CampaignFailures + "/" + f.Name + "/"
		files.add(here+"found.txt", []byte(f.Text+"\n"))
		for _, name := range slices.Sorted(maps.Keys(f.Files)) {
			files.add(here+name, []byte(f.Files[name]))
		}
		if f.Again != "" {
			text += "again: " + f.Command(filepath.Join(dir, CampaignFailures, f.Name)) + "\n"
		}
	}
	files.add(CampaignSummary, []byte(text))
	if c.bundle.Kind == CampaignTable {
		files.add(CampaignMarkdown, []byte(c.table(s)))
		files.add(CampaignCSV, c.csv(s))
	}
	// Failures of an earlier program go.
	return files.replace(dir, CampaignFailures+"/*")
}

// table is the table for people: a kernel in a line, cycles where it maps, else the number of the reason.
func (c *Campaign) table(s *campaign.Summary) string {
	b, reasons := &strings.Builder{}, &strings.Builder{}
	b.WriteString("Cycles of a run on random inputs of size 16, or the number of the reason why the kernel does not map.\n\n| kernel |")
	for _, f := range c.bundle.Fabrics {
		fmt.Fprintf(b, " %s |", Stem(f.Name))
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(c.bundle.Fabrics)) + "\n")
	rows := map[uint64]campaign.Row{}
	for _, r := range s.Rows {
		rows[r.Case] = r
	}
	number := map[string]int{}
	fit := 0
	for i, k := range c.bundle.Kernels {
		fmt.Fprintf(b, "| %s |", k.Name)
		some := false
		for j := range c.bundle.Fabrics {
			r, ok := rows[uint64(i*len(c.bundle.Fabrics)+j)]
			switch {
			case !ok:
				b.WriteString(" |")
			case r.OK:
				some = true
				fmt.Fprintf(b, " %d |", r.Cycles)
			default:
				if number[r.Reason] == 0 {
					number[r.Reason] = len(number) + 1
					fmt.Fprintf(reasons, "%d. %s\n", number[r.Reason], r.Reason)
				}
				fmt.Fprintf(b, " (%d) |", number[r.Reason])
			}
		}
		if some {
			fit++
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "\n%s\n%d of %s fit some fabric\n", reasons, fit, diag.Plural(len(c.bundle.Kernels), "kernel"))
	return b.String()
}

// csv is the table for programs.
func (c *Campaign) csv(s *campaign.Summary) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write([]string{"kernel", "fabric", "fits", "pes", "cycles", "reason"})
	for _, r := range s.Rows {
		n := uint64(len(c.bundle.Fabrics))
		w.Write([]string{c.bundle.Kernels[r.Case/n].Name, Stem(c.bundle.Fabrics[r.Case%n].Name), strconv.FormatBool(r.OK),
			strconv.Itoa(r.PEs), strconv.FormatInt(r.Cycles, 10), r.Reason})
	}
	w.Flush()
	return b.Bytes()
}

// ClusterEngine is one that works on a cluster under Slurm, as Exploration.ClusterEngine.
func (c *Campaign) ClusterEngine(dir string, tasks int, options []string, progress func(string)) (batch.Engine[campaign.Result], error) {
	if err := slurm.Check(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(c.bundle)
	return &slurm.Engine[campaign.Result]{Dir: dir, Bundle: text, Command: []string{"campaign", "worker"}, Tasks: tasks, Options: options, Progress: progress}, err
}

// CampaignTask does the work of a task of ClusterEngine, on a node.
func CampaignTask(ctx context.Context, file string) error {
	return slurm.Work(ctx, file, func(text []byte) (func(context.Context, batch.Job) (*campaign.Result, error), error) {
		var b campaignBundle
		if err := json.Unmarshal(text, &b); err != nil {
			return nil, err
		}
		if b.Version != explorationVersion || b.Loom != Version {
			return nil, errors.New("the campaign was begun by another version of loom: use one on all nodes")
		}
		w, err := b.worker()
		return campaign.Work(w), err
	})
}
