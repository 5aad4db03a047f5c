package campaign

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mapping"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/internal/ladder"
	"loom/internal/randfabric"
	"loom/internal/randprog"
	"loom/sim/vector"
)

// Pair is a random kernel on a random fabric.
type Pair struct {
	// Fabric and Kernel are seeds.
	Fabric, Kernel uint64
	Options        randfabric.Options
	Mesh           *ladder.Mesh
}

// WithFloats are the fabrics that have floating point, a third of them.
func WithFloats(fabric uint64) bool { return fabric%3 == 1 }

// NewMesh is the fabric of a seed; the error says that its switches are too large.
func NewMesh(fabric uint64, o randfabric.Options) (*ladder.Mesh, error) {
	f, err := randfabric.Fabric(fabric, o)
	if err != nil {
		return nil, err
	}
	return ladder.NewMesh(f.Name, f), nil
}

// Module is the kernel: a small structured program, or a loop whose accesses share memories; on fabrics with
// floating point one of floats, but for some. Of half of the others the loops carry extremes.
func (p Pair) Module() (module *ir.Operation, err error) {
	switch {
	case p.OfFloats():
		return mlir.ParseAndVerify("floats.mlir", randprog.FloatLoop(p.Kernel, p.Mesh.Fabric.IndexWidth))
	case p.Kernel%4 == 3:
		if module, err = mlir.ParseAndVerify("shared.mlir", randprog.Shared(p.Kernel)); err != nil {
			return nil, err
		}
	default:
		o := randprog.Small()
		o.MaxOps = 10 + int(p.Kernel%4)*6
		o.SingleAccess = p.Kernel%3 > 0
		o.NoDivides = p.Kernel%5 > 0
		module = randprog.Generate(p.Kernel, o)
	}
	if p.Kernel/4%2 == 0 {
		randprog.Extremes(module)
	}
	return module, nil
}

// OfFloats reports whether the kernel is one of floats.
func (p Pair) OfFloats() bool { return p.Options.Floats && p.Kernel%8 > 0 }

// inputs are what the kernel runs on.
func (p Pair) inputs(module *ir.Operation) *vector.Inputs {
	if p.OfFloats() {
		return randprog.FloatInputs(module, p.Kernel)
	}
	return randprog.Inputs(module, p.Kernel)
}

// order is the memory order.
func (p Pair) order() string { return []string{"serial", "pipelined"}[p.Kernel%2] }

// form is that of the graph: two of three are simplified, where the fabric has what these need.
func (p Pair) form() ladder.Form {
	if !p.Mesh.Fabric.Holds() {
		return ladder.Lowered
	}
	return ladder.Form(p.Kernel / 2 % 3)
}

// mapping are the options of the mapper.
func (p Pair) mapping(jobs int) mapper.Options {
	return mapper.Options{Seed: p.Kernel, Effort: Effort, Jobs: jobs}
}

// Run maps a kernel, which checks it, proves the image, and runs it at every level up to
// the cycle simulator, or to the hardware.
func (p Pair) Run(module *ir.Operation, hardware bool) (v Verdict, err error) {
	d, err := ladder.NewDesignOf(module, p.Mesh, p.order(), p.form(), p.mapping(1))
	if err != nil {
		if ladder.Broken(err) || strings.Contains(err.Error(), "illegal") {
			return v, err
		}
		return v, nil
	}
	v.Fits, v.Units = true, d.Result.Mapping.Utilization.PEs.Used
	for _, op := range d.Result.Mapping.Ops {
		if op.Name == opname.HandshakeLoad && op.Role == mapping.RoleWire {
			v.Wires++
		}
	}
	for _, g := range d.Result.Mapping.Groups {
		if strings.HasPrefix(g.Unit, "present_accumulate_") {
			v.Extremes++
		}
	}
	in := p.inputs(module)
	env := ladder.EnvironmentFor(p.Kernel)
	v.Diff, err = d.Simulate(in, env)
	if err == nil && v.Diff == "" && hardware {
		v.Diff, err = d.Cosimulate(in, env)
	}
	if err == ladder.ErrInputs {
		return v, nil
	}
	return v, err
}

// Repeat maps a kernel with 1, 2 and 8 workers: mapping and image have the same bytes, else Diff says so.
func (p Pair) Repeat(module *ir.Operation) (v Verdict, err error) {
	f := p.Mesh.Fabric
	graph, err := ladder.Graph(module, f, p.order(), p.form())
	if err != nil {
		return v, err
	}
	var first []byte
	var words []uint32
	for _, jobs := range []int{1, 2, 8} {
		res, err := mapper.Map(graph, f, p.mapping(jobs))
		switch {
		case err != nil && jobs == 1:
			return v, nil
		case err != nil:
			v.Diff = fmt.Sprintf("mapper: with %d workers: %v", jobs, err)
			return v, nil
		case jobs == 1:
			first, words = res.Mapping.JSON(), res.Image.Encode()
			v.Fits = true
		case !bytes.Equal(first, res.Mapping.JSON()) || !slices.Equal(words, res.Image.Encode()):
			v.Diff = fmt.Sprintf("mapper: %d workers map otherwise than one", jobs)
			return v, nil
		}
	}
	return v, nil
}

// String states how to get the pair again.
func (p Pair) String() string {
	return fmt.Sprintf("kernel %d on fabric %d (%s order)", p.Kernel, p.Fabric, p.order())
}

// Report shrinks the kernel of a pair that fails. rerun finds the disagreement of a kernel, "" for none.
func (p Pair) Report(name string, module *ir.Operation, diff string, rerun func(*ir.Operation) string) Failure {
	small := shrink(module, diff, rerun)
	return Failure{
		Name: name,
		Text: fmt.Sprintf("%s: %s", p, diff),
		Files: map[string]string{
			"fabric.yaml":   randfabric.Text(p.Fabric, p.Options),
			"program.mlir":  mlir.Print(small, mlir.Options{}),
			"original.mlir": mlir.Print(module, mlir.Options{}),
			"inputs.json":   string(p.inputs(small).JSON()) + "\n",
		},
		Again: fmt.Sprintf("loom build %s/program.mlir --arch %s/fabric.yaml --memory-order %s --inputs %s/inputs.json %s --cosim -o out",
			Here, Here, p.order(), Here, ladder.EnvironmentFor(p.Kernel).Flags()),
	}
}
