package mapper_test

import (
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mapper/check"
	"loom/compiler/mapping"
	"loom/compiler/opname"
	"loom/internal/fabtest"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/sim/cycle"
	"loom/sim/token"
	"loom/sim/vector"
)

// immediates is a shipped mesh whose PEs have units with immediates as well.
func immediates(t testing.TB, mesh string) *arch.Fabric {
	t.Helper()
	text := string(testkit.Architecture(t, mesh))
	for _, r := range []struct{ old, new string }{
		{"\nfunction_units:\n", `
function_units:
  immediate:
    - carry: {type: i32, immediate: [a]}
    - mux: {type: i32, immediate: [in0]}
    - mux: {type: i32, immediate: [in1]}
    - addi: {type: i32, immediate: [b]}
    - subi: {type: i32, immediate: [b]}
    - muli: {type: i32, immediate: [b]}
    - cmpi: {type: i32, immediate: [b]}
    - select: {type: i32, immediate: [a]}
    - select: {type: i32, immediate: [b]}
`},
		{"units: [control", "units: [control, immediate"},
		{"{stream: index}", "{stream: index}, {stream: {type: index, immediate: [step]}}, {stream: {type: index, immediate: [start, step]}}"},
	} {
		if !strings.Contains(text, r.old) {
			t.Fatalf("%s does not contain %q", mesh, r.old)
		}
		text = strings.ReplaceAll(text, r.old, r.new)
	}
	m, err := build.Build(mesh+".yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	f, err := arch.FromModule(m, "")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// constants counts the constants of a mapping: those in units of their own, and those that
// are immediates.
func constants(m *mapping.Mapping) (own, immediate int) {
	for _, o := range m.Ops {
		switch {
		case o.Name != opname.HandshakeConstant:
		case len(m.Groups[o.Group].Ops) == 1:
			own++
		default:
			immediate++
		}
	}
	return own, immediate
}

// TestImmediates maps kernels whose constants all are operands of units with immediates, and
// runs them by the cycle: the units are as many fewer as there are constants, and no loop is
// slower than predicted without them.
func TestImmediates(t *testing.T) {
	for _, c := range []struct {
		kernel string
		n      int // immediates at least
	}{{"dot", 5}, {"vecadd", 3}, {"scan", 2}, {"gcd", 1}, {"matvec", 5}} {
		f, plain := immediates(t, "mesh8x8"), testkit.Fabric(t, "mesh8x8")
		fn := kernel(t, c.kernel, "pipelined", f)
		with, err := mapper.Map(fn, f, mapper.Options{Effort: quick})
		if err != nil {
			t.Fatal(err)
		}
		without, err := mapper.Map(fn, plain, mapper.Options{Effort: quick})
		if err != nil {
			t.Fatal(err)
		}
		_, n := constants(with.Mapping)
		if used, before := with.Mapping.Utilization.PEs.Used, without.Mapping.Utilization.PEs.Used; n < c.n || used != before-n {
			t.Errorf("%s: %d immediates, want at least %d; %d PEs, %d without immediates", c.kernel, n, c.n, used, before)
		}
		got := simulate(t, fn, f, with, 16)
		if was := simulate(t, fn, plain, without, 16); got.Cycles > was.Cycles+was.Cycles/4 {
			t.Errorf("%s: %d cycles, %d without immediates", c.kernel, got.Cycles, was.Cycles)
		}
	}
}

// TestRandomImmediates maps random structured programs onto units with immediates and runs
// them by the cycle, with slow memory and a stalling environment. More of them under make
// soak.
func TestRandomImmediates(t *testing.T) {
	n := soak.Scale(10, 400)
	own, immediate := 0, 0
	mapped := runRandom(t, immediates(t, "mesh12x12"), n, func(seed uint64) *ir.Operation {
		opts := randprog.Small()
		opts.MaxOps = 10 + int(seed%4)*8
		return randprog.Generate(seed, opts)
	}, func(m *mapping.Mapping) {
		o, i := constants(m)
		own, immediate = own+o, immediate+i
	})
	t.Logf("%d programs, %d immediates and %d constants in units of their own", mapped, immediate, own)
	if mapped < n || 4*immediate < n {
		t.Errorf("%d of %d programs fit, with %d immediates", mapped, n, immediate)
	}
}

// A constant that several read, and one that is a result of the graph, stays in a unit of its
// own; so does what comes round a loop.
func TestNoImmediate(t *testing.T) {
	f := immediates(t, "mesh4x4")
	for name, graph := range map[string]func(d *fabtest.DFG) *ir.Operation{
		"two readers": func(d *fabtest.DFG) *ir.Operation {
			k := d.Const(d.Arg(-1), 5, ir.I32)
			return d.Return(d.Val("arith.addi", ir.I32, d.Arg(0), k), d.Val("arith.subi", ir.I32, d.Arg(0), k), d.Arg(-1))
		},
		"a result too": func(d *fabtest.DFG) *ir.Operation {
			k := d.Const(d.Arg(-1), 5, ir.I32)
			return d.Return(d.Val("arith.addi", ir.I32, d.Arg(0), k), k, d.Arg(-1))
		},
		"left of a difference": func(d *fabtest.DFG) *ir.Operation {
			k := d.Const(d.Arg(-1), 5, ir.I32)
			return d.Return(d.Val("arith.subi", ir.I32, k, d.Arg(0)), d.Arg(-1))
		},
	} {
		fn := graph(fabtest.NewDFG("graph", ir.I32))
		res, err := mapper.Map(fn, f, mapper.Options{Effort: quick})
		if err != nil {
			t.Fatal(name, err)
		}
		if own, immediate := constants(res.Mapping); own != 1 || immediate != 0 {
			t.Errorf("%s: %d constants in units of their own, %d immediates", name, own, immediate)
		}
	}
	// On the left of a sum it is the operand on the right.
	d := fabtest.NewDFG("graph", ir.I32)
	fn := d.Return(d.Val("arith.addi", ir.I32, d.Const(d.Arg(-1), 5, ir.I32), d.Arg(0)), d.Arg(-1))
	res, err := mapper.Map(fn, f, mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(err)
	}
	if own, immediate := constants(res.Mapping); own != 0 || immediate != 1 {
		t.Errorf("left of a sum: %d constants in units of their own, %d immediates", own, immediate)
	}
}

// A wrong immediate in the configuration is seen by the checker, which decodes it, and in a run,
// which computes something else.
func TestWrongImmediate(t *testing.T) {
	f := immediates(t, "mesh6x6")
	fn := kernel(t, "scan", "serial", f)
	res, err := mapper.Map(fn, f, mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(err)
	}
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		t.Fatal(err)
	}
	in, err := vector.Random(sig, 1, 8, f.IndexWidth)
	if err != nil {
		t.Fatal(err)
	}
	want, err := token.Run(fn, in, token.Options{Capacity: 1, IndexWidth: f.IndexWidth})
	if err != nil {
		t.Fatal(err)
	}
	faults := 0
	for _, g := range res.Mapping.Groups {
		var comp *arch.Component
		for _, c := range f.Comps {
			if c.Name == g.Comp {
				comp = c
			}
		}
		fu := comp.PE.FUs[g.Opcode]
		if _, ok := fu.Immediate(); !ok {
			continue
		}
		for i, fd := range fu.Fields(f.IndexWidth) {
			if fd.Name != "value" {
				continue
			}
			field := &res.Image.Settings[comp.ID].PE.Fields[i]
			was := *field
			*field = was ^ 1<<20
			if err := check.Image(fn, f, res.Image, res.Binding); err == nil {
				t.Errorf("the checker takes immediate %d of unit '%s' on %s for another", i, fu.Name, g.Comp)
			}
			sim, err := cycle.New(f, res.Image, res.Binding, in, cycle.Options{MaxCycles: 2000})
			if err != nil {
				t.Fatal(err)
			}
			got, err := sim.Run()
			*field = was
			if err == nil && len(vector.Diff(want, got)) == 0 {
				t.Errorf("unit '%s' on %s does not use its immediate %d", fu.Name, g.Comp, i)
			}
			faults++
		}
	}
	if faults < 2 {
		t.Errorf("%d immediates", faults)
	}
}
