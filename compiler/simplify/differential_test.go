package simplify

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/sim/token"
	"loom/sim/vector"
)

// programs is how many random programs a test runs: the given number, a tenth of it with
// -short, ten times as many and more under make soak.
func programs(usual int) uint64 {
	if testing.Short() {
		usual /= 10
	}
	return uint64(soak.Scale(usual, 10*usual))
}

// program is the random program of a seed, and how it is lowered.
func program(seed uint64) (*ir.Operation, lower.Options) {
	o := randprog.Options{}
	switch seed % 6 {
	case 0:
		if seed/12%2 == 1 {
			o.Use, o.MaxOps = randprog.Everything, 120
		}
	case 1:
		o.Locals = true
	case 2:
		o.MaxOps, o.Memories = 120, 3
	case 3:
		o = randprog.Small()
	case 4:
		o.MaxOps = 25
	case 5:
		o.Use, o.MaxOps = randprog.Everything&(randprog.Sweeps|randprog.Affine|randprog.Shapes), 90
	}
	opts := lower.Options{MemoryOrder: []string{"pipelined", "serial"}[seed/6%2], IndexWidth: []int{64, 32}[seed/12%2]}
	o.IndexWidth = opts.IndexWidth
	return randprog.Generate(seed, o), opts
}

// schedules are the runs that every graph must pass: channels without bound, of one token and
// of two, in order and in random order, with quick and slow memory.
func schedules(seed uint64) []token.Options {
	return []token.Options{
		{},
		{Capacity: 1, Seed: seed + 1, MemDelay: int(seed % 50)},
		{Capacity: 2, Seed: seed + 2, MemDelay: 1 + int(seed%7)*30},
		{Seed: seed + 3, MemDelay: 200},
	}
}

// errNoProgram: what a program does is not defined.
var errNoProgram = errors.New("the interpreter does not run it to its end")

// disagreement runs a program in the interpreter and as a direct graph, and returns the first
// difference, "" for none. The error is about what keeps it from running at all.
func disagreement(fn *ir.Operation, in *vector.Inputs, seed uint64, low lower.Options, opts Options) (string, error) {
	want, err := interp.Run(fn, in, interp.Options{MaxSteps: 2_000_000, IndexWidth: low.IndexWidth})
	if err != nil || want.Status != vector.Done {
		return "", errNoProgram
	}
	res, err := lower.Lower(fn.ParentOp(), low)
	if err != nil {
		return "", err
	}
	if seed/24%2 == 1 || opts.Fabric != nil {
		opts.IndexWidth = low.IndexWidth
	}
	graph, err := Run(res.Func, opts)
	if err != nil {
		return "", err
	}
	if opts.Fabric != nil && opts.Fabric.TokenControls {
		if at := wideControl(graph, low.IndexWidth); at != "" {
			return "the control of " + at + " is a word", nil
		}
	}
	if opts.Fabric != nil && opts.deviate == "" && seed%3 == 0 {
		// A direct circuit of what was simplified for a fabric.
		if graph, err = Run(graph, Options{IndexWidth: opts.IndexWidth}); err != nil {
			return "", err
		}
	}
	p, err := token.Compile(graph, low.IndexWidth)
	if err != nil {
		if opts.deviate != "" {
			return err.Error(), nil
		}
		return "", err
	}
	for _, s := range schedules(seed) {
		s.MaxSteps = 20_000_000
		if opts.deviate != "" {
			s.MaxSteps = 200_000
		}
		got, _, err := p.Run(in, s)
		if err != nil {
			return "", err
		}
		diff := vector.Diff(want, got)
		if got.Status != vector.Done {
			diff = append(diff, got.Detail...)
		}
		if len(diff) > 0 {
			return fmt.Sprintf("%+v: %s\n%s", s, got.Status, strings.Join(diff, "\n")), nil
		}
	}
	return "", nil
}

// TestRandomPrograms: the direct graph of a random program does what the interpreter says, and
// leaves no token, whatever the channels hold and however slow memory is.
func TestRandomPrograms(t *testing.T) { randomPrograms(t, Options{}) }

// TestRandomProgramsOnFabrics: so does the graph that is simplified for a fabric.
func TestRandomProgramsOnFabrics(t *testing.T) {
	randomPrograms(t, Options{Fabric: &Fabric{TokenControls: true, MoreUnits: true, Accumulates: accumulates}})
}

func randomPrograms(t *testing.T, opts Options) {
	for seed := range programs(1500) {
		m, low := program(seed)
		if f := opts.Fabric; f != nil {
			// Of each two fabrics one has few dividers, of each three one multiplies 32 bits alone.
			varied := *f
			if varied.Units = nil; seed%2 == 0 {
				varied.Units = func(*ir.Operation) int { return int(seed / 2 % 3) }
			}
			if varied.Executes = nil; seed%3 == 0 {
				varied.Executes = func(op *ir.Operation) bool {
					return op.Name != opname.ArithMulI || op.Result(0).Type == ir.Type(ir.I32)
				}
			}
			opts.Fabric = &varied
		}
		fails := func(c *ir.Operation) string {
			d, err := disagreement(randprog.Function(c), randprog.Inputs(c, seed), seed, low, opts)
			switch {
			case errors.Is(err, errNoProgram):
				return ""
			case err != nil:
				return err.Error()
			}
			return d
		}
		if d := fails(m); d != "" {
			small := randprog.Shrink(m, func(c *ir.Operation) bool { return fails(c) != "" })
			t.Fatalf("seed %d, %+v: %s\nthe smallest program like it is:\n%s\n%s", seed, low, d, mlir.Print(small, mlir.Options{}), fails(small))
		}
	}
}

// wideControl finds a load or store whose control is a value of several bits without its data, "" if there is none.
func wideControl(graph *ir.Operation, indexWidth int) string {
	for _, op := range graph.Regions[0].Entry().Ops {
		if op.Name != opname.HandshakeLoad && op.Name != opname.HandshakeStore {
			continue
		}
		for v := op.Operand(2); v.Def != nil && v.Def.Name == opname.HandshakeJoin && v.Def.NumOperands() == 1; {
			v = v.Def.Operand(0)
			if w, _ := ir.BitWidth(v.Type, indexWidth); w > 1 {
				return op.Pos.String()
			}
		}
	}
	return ""
}

// TestTokenControls: some random programs have such controls where they are allowed.
func TestTokenControls(t *testing.T) {
	for seed := range uint64(400) {
		m, low := program(seed)
		res, err := lower.Lower(m, low)
		if err != nil {
			continue
		}
		g, err := Run(res.Func, Options{IndexWidth: low.IndexWidth, Fabric: &Fabric{}})
		if err != nil {
			t.Fatal(err)
		}
		if wideControl(g, low.IndexWidth) != "" {
			return
		}
	}
	t.Error("no random program has a word as the control of an access")
}
