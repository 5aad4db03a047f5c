package campaign

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/arch/shipped"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/ladder"
	"loom/internal/randctest"
	"loom/internal/randfabric"
	"loom/internal/randprog"
	"loom/internal/tools"
	"loom/verilator"
)

// The kinds of random cases.
const (
	Programs = "programs"
	Shared   = "shared"
	Meetings = "meetings"
	C        = "c"
	Fabrics  = "fabrics"
)

// Kind describes a kind of random cases.
type Kind struct {
	Name string
	// Shard is how many cases make a job of some seconds.
	Shard uint64
	// Text says what a case is, for people.
	Text string
	// Cosim is set where a share of the cases can run under Verilator.
	Cosim bool
	// Tools are the programs that it needs.
	Tools []string
}

// Kinds are the kinds of random cases.
var Kinds = []Kind{
	{Programs, 20, "structured programs on shipped meshes, from the interpreter to the cycle simulator", true, nil},
	{Shared, 20, "the same of loops with many accesses to few arrays, on mesh8x8", true, nil},
	{Meetings, 20, "loops whose iterations may meet in an array, with interlocks, on mesh8x8", true, nil},
	{C, randctest.BatchSize, "C programs, from clang to the graph and the direct circuit", false, []string{tools.Clang, tools.MLIRTranslate, tools.MLIROpt}},
	{Floats, 5, "operations of floats on random words, from this machine's arithmetic to circuits under Verilator", false, []string{tools.Clang, tools.MLIRTranslate, tools.MLIROpt, tools.Verilator, tools.CXX}},
	{Fabrics, kernelsPerFabric, "kernels on random fabrics: mapper, checker, proof, cycle simulator", true, nil},
}

// KindOf is the kind of a name.
func KindOf(name string) (Kind, bool) {
	for _, k := range Kinds {
		if k.Name == name {
			return k, true
		}
	}
	return Kind{}, false
}

// Ready reports a tool that the kind needs and that is missing.
func (k Kind) Ready(cosim int) error {
	for _, t := range k.Tools {
		if _, err := tools.Find(t); err != nil {
			return err
		}
	}
	if cosim > 0 {
		return verilator.CheckTools(false)
	}
	return nil
}

// Under reports whether case n is among those cosim in a hundred that run under Verilator, too.
func Under(cosim int, n uint64) bool { return n*uint64(cosim)/100 != (n+1)*uint64(cosim)/100 }

// New makes a worker of the kind, but for Floats, which package loom tries. Of cosim in a hundred cases the hardware runs
// under Verilator, too, in lock-step. The error says which tool is missing.
func (k Kind) New(cosim int) (Worker, error) {
	if err := k.Ready(cosim); err != nil {
		return nil, err
	}
	under := func(n uint64) bool { return Under(cosim, n) }
	switch k.Name {
	case Programs:
		return programs(NewProgram, func(s Program) (*ir.Operation, error) { return s.Module(), nil }, under), nil
	case Shared:
		return programs(NewSharedProgram, func(s Program) (*ir.Operation, error) {
			return mlir.ParseAndVerify("shared.mlir", randprog.Shared(s.Seed))
		}, under), nil
	case Meetings:
		return programs(NewMeeting, func(s Program) (*ir.Operation, error) {
			return mlir.ParseAndVerify("meeting.mlir", randprog.Meetings(s.Seed))
		}, under), nil
	case C:
		return cPrograms, nil
	case Fabrics:
		return pairs(under), nil
	}
	return nil, fmt.Errorf("there is no kind of cases '%s'", k.Name)
}

// verdict notes what became of a case. report makes the failure of a difference.
func (r *Result) verdict(v Verdict, cosim bool, report func() Failure) {
	switch {
	case v.Diff != "":
		r.Failures = append(r.Failures, report())
	case !v.Fits:
		r.Count("do not fit their fabric")
	default:
		r.Count("fit and agree at every level")
		if cosim {
			r.Count("ran under Verilator, too")
		}
	}
}

// outcome is the disagreement of a run, an error among them.
func outcome(v Verdict, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	return v.Diff
}

// programs are structured programs on shipped fabrics.
func programs(draw func(uint64, bool) Program, module func(Program) (*ir.Operation, error), under func(uint64) bool) Worker {
	return Each(func(ctx context.Context, n uint64, res *Result) error {
		s := draw(n, under(n))
		m, err := shippedMesh(s.Fabric)
		if err != nil {
			return err
		}
		program, err := module(s)
		if err != nil {
			return err
		}
		v, err := s.Run(m, program)
		v.Diff = outcome(v, err)
		res.verdict(v, s.Cosim, func() Failure {
			f := s.Report(fmt.Sprintf("program-%d", n), program, v.Diff, func(c *ir.Operation) string { return outcome(s.Run(m, c)) })
			f.Case = n
			return f
		})
		return nil
	})
}

var meshes struct {
	sync.Mutex
	byName map[string]*ladder.Mesh
}

// shippedMesh is a fabric that is built in, made once.
func shippedMesh(name string) (*ladder.Mesh, error) {
	meshes.Lock()
	defer meshes.Unlock()
	if m := meshes.byName[name]; m != nil {
		return m, nil
	}
	text, ok := shipped.Text(name)
	if !ok {
		return nil, fmt.Errorf("there is no fabric %s", name)
	}
	module, err := build.Build(name+shipped.Extension, []byte(text))
	if err != nil {
		return nil, err
	}
	f, err := arch.FromModule(module, "")
	if err != nil {
		return nil, err
	}
	if meshes.byName == nil {
		meshes.byName = map[string]*ladder.Mesh{}
	}
	meshes.byName[name] = ladder.NewMesh(name, f)
	return meshes.byName[name], nil
}

// kernelsPerFabric is how many cases share a random fabric.
const kernelsPerFabric = 8

// repeatShare: of so many pairs one is mapped again with other numbers of workers.
const repeatShare = 20

// pairs are kernels on random fabrics. Fabrics whose hardware is built are smaller ones.
func pairs(under func(uint64) bool) Worker {
	var last *ladder.Mesh // the one of the case before, nil where its switches are too large
	var fabric uint64
	var options randfabric.Options
	return Each(func(ctx context.Context, n uint64, res *Result) error {
		// A model is built for a fabric: all its kernels run on it, or none.
		at, hardware := n/kernelsPerFabric, under(n/kernelsPerFabric)
		if options.MaxPEs == 0 || at != fabric {
			fabric, options = at, randfabric.Options{MinPEs: 36, MaxPEs: 72, Floats: WithFloats(at)}
			if hardware {
				options.MinPEs, options.MaxPEs = 16, 36
			}
			last, _ = NewMesh(at, options)
		}
		if last == nil {
			res.Count("are on fabrics with switches that are too large")
			return nil
		}
		p := Pair{Fabric: at, Kernel: n, Options: options, Mesh: last}
		module, err := p.Module()
		if err != nil {
			return err
		}
		run := func(c *ir.Operation) (Verdict, error) { return p.Run(c, hardware) }
		v, err := run(module)
		v.Diff = outcome(v, err)
		if v.Diff == "" && v.Fits && n%repeatShare == 0 {
			again, err := p.Repeat(module)
			if v.Diff = outcome(again, err); v.Diff != "" {
				run = p.Repeat
			}
			res.Count("mapped with 1, 2 and 8 workers, the same bytes")
		}
		res.verdict(v, hardware, func() Failure {
			f := p.Report(fmt.Sprintf("fabric-%d-kernel-%d", at, n), module, v.Diff, func(c *ir.Operation) string { return outcome(run(c)) })
			f.Case = n
			return f
		})
		return nil
	})
}

// cPrograms are C programs, in batches that share a run of each tool.
func cPrograms(ctx context.Context, from, to uint64) (*Result, error) {
	res := &Result{}
	for first := from - from%randctest.BatchSize; first < to; first += randctest.BatchSize {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		dir, err := os.MkdirTemp("", "loom-campaign-")
		if err != nil {
			return nil, err
		}
		failures, err := randctest.Batch(ctx, dir, first/randctest.BatchSize)
		os.RemoveAll(dir)
		if err != nil {
			return nil, err
		}
		for k, f := range failures {
			n := first + uint64(k)
			if n < from || n >= to {
				continue
			}
			res.Cases++
			if f == nil {
				res.Count("agree with clang at every level")
				continue
			}
			small, err := shrinkC(ctx, f, n)
			if err != nil {
				return nil, err
			}
			s := small.Setting
			res.Failures = append(res.Failures, Failure{
				Case: n, Name: fmt.Sprintf("c-%d", n),
				Text:  fmt.Sprintf("program %d, -O%s, index of %d bits, %s order: %s", n, s.Level, s.IndexWidth, s.Order, small.Error()),
				Files: randctest.Files(small, f),
			})
		}
	}
	return res, nil
}

func shrinkC(ctx context.Context, f *randctest.Failure, n uint64) (*randctest.Failure, error) {
	dir, err := os.MkdirTemp("", "loom-campaign-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	return randctest.Shrink(ctx, dir, f, n, shrinkTime), nil
}

// Names lists the kinds, for messages.
func Names() string {
	var out []string
	for _, k := range Kinds {
		out = append(out, k.Name)
	}
	return strings.Join(out, ", ")
}
