package campaign

import (
	"fmt"
	"strings"
	"time"

	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/internal/ladder"
	"loom/internal/randprog"
)

// Effort of the mapper is enough for small programs: many mappings count here, not good ones.
var Effort = mapper.Effort{Attempts: 6, Candidates: 1, Moves: 30, Cooling: 85, Iterations: 60}

// Program is a random structured program and what it runs on; a failing one can be
// made again from it.
type Program struct {
	Seed uint64
	// Fabric is the name of a shipped one, Order the memory order of the lowering or ladder.Interlocks, for which the graph is simplified, too.
	Fabric, Order string
	Env           ladder.Environment
	// Cosim is set where it runs under Verilator, too.
	Cosim bool
	// Inputs is the seed of its inputs.
	Inputs uint64
}

// NewProgram spreads fabrics, memory orders and environments over the seeds.
// Everything under Verilator is on one fabric: one model is built.
func NewProgram(seed uint64, cosim bool) Program {
	s := Program{Seed: seed, Fabric: "mesh6x6", Order: "serial", Env: ladder.EnvironmentFor(seed / 2), Cosim: cosim, Inputs: seed}
	if seed%3 == 2 {
		s.Order = "pipelined"
	}
	if !cosim && seed%4 == 1 {
		s.Fabric = "mesh4x4"
	}
	return s
}

// NewSharedProgram is a random program whose arrays have several loads and stores,
// on a mesh with bridges.
func NewSharedProgram(seed uint64, cosim bool) Program {
	s := Program{Seed: seed, Fabric: "mesh8x8", Order: "pipelined", Env: ladder.EnvironmentFor(seed / 2), Cosim: cosim, Inputs: seed}
	if seed%2 == 1 {
		s.Order = "serial"
	}
	return s
}

// NewMeeting is a random loop whose iterations may meet in an array (randprog.Meetings), on a mesh with interlocks.
func NewMeeting(seed uint64, cosim bool) Program {
	return Program{Seed: seed, Fabric: "mesh8x8", Order: ladder.Interlocks, Env: ladder.EnvironmentFor(seed / 2), Cosim: cosim, Inputs: seed}
}

// form is that of the graph.
func (s Program) form() ladder.Form {
	if s.Order == ladder.Interlocks {
		return ladder.Simplified
	}
	return ladder.Lowered
}

// flags are those of loom build for the order.
func (s Program) flags() string {
	if s.Order == ladder.Interlocks {
		return "--memory-order pipelined --interlocks on"
	}
	return "--memory-order " + s.Order + " --simplify off"
}

// Module is the program of NewProgram: a small one, with local memory now and then.
func (s Program) Module() *ir.Operation {
	o := randprog.Small()
	o.MaxOps = 12 + int(s.Seed%4)*4
	switch s.Seed % 8 {
	case 3:
		o.Locals = true
	case 5:
		o.NoDivides = false
	}
	return randprog.Generate(s.Seed, o)
}

// Verdict is what became of a program.
type Verdict struct {
	// Fits: the fabric has room for it.
	Fits bool
	// Units are the function units that it takes.
	Units int
	// Wires are the loads that need none.
	Wires int
	// Extremes are the accumulators that give what an iteration begins with.
	Extremes int
	// Interlocks are its dataflow.interlock operations.
	Interlocks int
	// Diff is the first disagreement, "" for none.
	Diff string
}

// Run takes a program through the levels. The error is a fault of LOOM, too.
func (s Program) Run(m *ladder.Mesh, module *ir.Operation) (v Verdict, err error) {
	d, err := ladder.NewDesignOf(module, m, s.Order, s.form(), mapper.Options{Seed: s.Seed, Effort: Effort})
	if err != nil {
		if ladder.Broken(err) {
			return v, err
		}
		return v, nil
	}
	v.Fits, v.Units = true, d.Result.Mapping.Utilization.PEs.Used
	for _, op := range d.Graph.Regions[0].Entry().Ops {
		if op.Name == opname.DataflowInterlock {
			v.Interlocks++
		}
	}
	in := randprog.Inputs(module, s.Inputs)
	if v.Diff, err = d.Simulate(in, s.Env); err == nil && v.Diff == "" && s.Cosim {
		v.Diff, err = d.Cosimulate(in, s.Env)
	}
	return v, err
}

// Report shrinks a program that fails. rerun finds the disagreement of a program, "" for none. name is that of the failure.
func (s Program) Report(name string, module *ir.Operation, diff string, rerun func(*ir.Operation) string) Failure {
	small := shrink(module, diff, rerun)
	return Failure{
		Name: name,
		Text: fmt.Sprintf("program %d on %s, %s order: %s", s.Seed, s.Fabric, s.Order, diff),
		Files: map[string]string{
			"program.mlir":  fmt.Sprintf("// %s\n%s", s, mlir.Print(small, mlir.Options{})),
			"original.mlir": mlir.Print(module, mlir.Options{}),
			"inputs.json":   string(randprog.Inputs(small, s.Inputs).JSON()) + "\n",
		},
		Again: fmt.Sprintf("loom build %s/program.mlir --arch %s %s --inputs %s/inputs.json %s --cosim -o out", Here, s.Fabric, s.flags(), Here, s.Env.Flags()),
	}
}

// shrinkTime bounds the search for a smaller program that fails alike.
const shrinkTime = 90 * time.Second

// shrink looks for a smaller program that fails at the same level.
func shrink(module *ir.Operation, diff string, rerun func(*ir.Operation) string) *ir.Operation {
	deadline := time.Now().Add(shrinkTime)
	level, _, _ := strings.Cut(diff, ":")
	return randprog.Shrink(module, func(c *ir.Operation) bool {
		if time.Now().After(deadline) {
			return false
		}
		d := rerun(c)
		return d != "" && strings.HasPrefix(d, level)
	})
}

// String is the first line of a kept program; ParseProgram reads it.
func (s Program) String() string {
	return fmt.Sprintf("seed %d mesh %s order %s latency %d %d %d stall %d %d cosim %t inputs %d", s.Seed, s.Fabric, s.Order,
		s.Env.Latency.Min, s.Env.Latency.Max, s.Env.Latency.Seed, s.Env.Stall, s.Env.StallSeed, s.Cosim, s.Inputs)
}

// ParseProgram reads the first line of a kept program.
func ParseProgram(line string) (s Program, err error) {
	_, err = fmt.Sscanf(line, "// seed %d mesh %s order %s latency %d %d %d stall %d %d cosim %t inputs %d", &s.Seed, &s.Fabric, &s.Order,
		&s.Env.Latency.Min, &s.Env.Latency.Max, &s.Env.Latency.Seed, &s.Env.Stall, &s.Env.StallSeed, &s.Cosim, &s.Inputs)
	return s, err
}
