package check_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mapper/check"
	"loom/compiler/mapping"
	"loom/internal/maptest"
	"loom/internal/testkit"
)

// machinesFabric has PEs with units of several operations.
const machinesFabric = `name: machines
width: 32
topology: {kind: mesh, rows: 2, columns: 3, tracks: 2}
boundary: {inputs: 3, outputs: 4}
function_units: {}
pes:
  m: {units: [{counter: index}, {loop: i32}, {accumulate: {ops: [subi, addi], type: i32}}, {index_cast: index -> i32}], immediates: [0, 1, 2]}
  p: {units: [{stream: index}, {carry: i32}, {cond_br: i32}, {gate: i32}, {muli: i32}, {subi: i32}, {join: 2}], immediates: [0, 1, 2]}
pattern:
  - [m, m, p]
  - [m, p, p]
`

// machinesKernel has a counter, whose branch is a gate, an accumulator and a loop head.
const machinesKernel = `handshake.func @machines(%n: index, %a: i32, %start: none) -> (i32, i32, none) {
  %zero = constant %start {value = 0 : index} : index
  %one = constant %start {value = 1 : index} : index
  %i, %d = dataflow.stream %zero, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %g, %more = dataflow.gate %i, %d : index, i1 -> index, i1
  %xs = arith.index_cast %g : index to i32
  %v = dataflow.carry %d, %a, %next : i1, i32, i32 -> i32
  %body, %out = cond_br %d, %v : i32
  %next = arith.subi %body, %xs : i32
  %w = dataflow.carry %d, %a, %wn : i1, i32, i32 -> i32
  %wb, %wo = cond_br %d, %w : i32
  %wn = arith.muli %wb, %next : i32
  return %out, %wo, %start : i32, i32, none
}
`

// Operations of the kernel.
const (
	machinesCarry  = 5
	machinesBranch = 6
	machinesNext   = 7
)

var mappedMachines = sync.OnceValues(func() (sample, error) {
	mod, err := build.Build("machines.yaml", []byte(machinesFabric))
	if err != nil {
		return sample{}, err
	}
	f, err := arch.FromModule(mod, "")
	if err != nil {
		return sample{}, err
	}
	fn := maptest.Kernel(machinesKernel)
	res, err := mapper.Map(fn, f, mapper.Options{Effort: quick})
	return sample{"machines", fn, f, res}, err
})

// machines is a kernel whose operations are on units of several; tests only read it.
func machines(t testing.TB) sample {
	t.Helper()
	s, err := mappedMachines()
	if err != nil {
		t.Fatal(diag.Render(diag.FromError(err), nil))
	}
	return s
}

// TestMachinesAreShared: the sample has what the tests below are about.
func TestMachinesAreShared(t *testing.T) {
	var units []string
	for _, g := range machines(t).res.Mapping.Groups {
		if len(g.Ops) > 1 {
			units = append(units, g.Unit)
		}
	}
	slices.Sort(units)
	if want := []string{"accumulate_subi_i32", "counter_index", "loop_i32"}; !slices.Equal(units, want) {
		t.Errorf("units of several operations: %v, want %v", units, want)
	}
}

// TestMachineMutations changes what several operations of a unit share, in the mapping.
func TestMachineMutations(t *testing.T) {
	s := machines(t)
	for _, c := range []struct {
		name   string
		mutate func(m *mapping.Mapping, g *mapping.Group, carry, branch *mapping.UnitIn)
		want   string
	}{
		{"the second reader is not listed", func(_ *mapping.Mapping, g *mapping.Group, _, branch *mapping.UnitIn) {
			g.Inputs = slices.DeleteFunc(g.Inputs, func(in mapping.UnitIn) bool { return in.Op == branch.Op && in.Operand == branch.Operand })
		}, "does not feed operand 0"},
		{"the second reader is at another input of the unit", func(_ *mapping.Mapping, g *mapping.Group, carry, branch *mapping.UnitIn) {
			for _, in := range g.Inputs {
				if in.Unit != carry.Unit {
					branch.Unit = in.Unit
				}
			}
		}, "is bound twice"},
		{"the second reader is at another input of the PE", func(_ *mapping.Mapping, _ *mapping.Group, _, branch *mapping.UnitIn) { branch.Port ^= 1 }, "read PE input"},
		{"both readers are at another input of the PE", func(_ *mapping.Mapping, _ *mapping.Group, carry, branch *mapping.UnitIn) {
			carry.Port ^= 1
			branch.Port ^= 1
		}, ""},
		{"the first reader is listed twice", func(_ *mapping.Mapping, _ *mapping.Group, carry, branch *mapping.UnitIn) { *branch = *carry }, "is bound twice"},
		{"the operations are in another order", func(_ *mapping.Mapping, g *mapping.Group, _, _ *mapping.UnitIn) {
			g.Ops[0], g.Ops[1] = g.Ops[1], g.Ops[0]
		}, "does not execute"},
		{"an operation is missing", func(_ *mapping.Mapping, g *mapping.Group, _, _ *mapping.UnitIn) { g.Ops = g.Ops[:len(g.Ops)-1] }, "has 3 operations, group"},
		{"the results are exchanged", func(_ *mapping.Mapping, g *mapping.Group, _, _ *mapping.UnitIn) {
			swap(&g.Outputs[0].Unit, &g.Outputs[1].Unit)
		}, ""},
		{"the shared input is an immediate for one reader", func(_ *mapping.Mapping, _ *mapping.Group, _, branch *mapping.UnitIn) {
			branch.Immediate = &mapping.Immediate{Constant: 0, Value: 1}
		}, "is an immediate"},
		{"the unit computes something else", func(m *mapping.Mapping, g *mapping.Group, _, _ *mapping.UnitIn) {
			for _, c := range s.f.Comps {
				if c.Name != g.Comp {
					continue
				}
				for k, fu := range c.PE.FUs {
					if fu.Name == "accumulate_addi_i32" {
						g.Opcode, g.Unit = k, fu.Name
					}
				}
			}
			for _, op := range g.Ops {
				m.Ops[op].Unit = g.Unit
			}
		}, "a unit for 'arith.addi' does not execute 'arith.subi'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := mapping.Read("m.json", s.res.Mapping.JSON())
			if err != nil {
				t.Fatal(err)
			}
			g := &m.Groups[m.Ops[machinesCarry].Group]
			var carry, branch *mapping.UnitIn
			for i := range g.Inputs {
				switch in := &g.Inputs[i]; {
				case in.Operand == 0 && in.Op == machinesCarry:
					carry = in
				case in.Operand == 0 && in.Op == machinesBranch:
					branch = in
				}
			}
			if carry == nil || branch == nil || carry.Unit != branch.Unit || carry.Port != branch.Port {
				t.Fatalf("carry and branch do not share their condition: %+v", g)
			}
			c.mutate(m, g, carry, branch)
			refused(t, s.fn, s.f, m, c.want)
		})
	}
}

// refused expects the checker's complaint about a mapping.
func refused(t *testing.T, fn *ir.Operation, f *arch.Fabric, m *mapping.Mapping, want string) {
	t.Helper()
	err := check.Mapping(fn, f, m)
	if err == nil {
		t.Fatal("accepted")
	}
	if text := diag.Render(diag.FromError(err), nil); !strings.Contains(text, want) {
		t.Errorf("no complaint with %q:\n%s", want, text)
	}
}

// TestOtherMachines holds the mapping against kernels that are only like its own: what the units
// share or hide is not so in them.
func TestOtherMachines(t *testing.T) {
	s := machines(t)
	for _, c := range []struct{ name, old, new, want string }{
		{"the branch has another condition", "%body, %out = cond_br %d, %v", "%body, %out = cond_br %more, %v", "is bound twice"},
		{"the branch has another value", "%wb, %wo = cond_br %d, %w", "%wb, %wo = cond_br %d, %v", "does not feed operand 1"},
		{"the condition of the gate is read", "%w = dataflow.carry %d,", "%w = dataflow.carry %more,", "does not execute 'dataflow.gate'"},
		{"the gate has its value from elsewhere", "dataflow.gate %i, %d", "dataflow.gate %n, %d", "does not feed operand 0"},
		{"the value is read before its branch", "%wn = arith.muli %wb, %next", "%wn = arith.muli %w, %next", "has readers outside"},
		{"the value of an iteration is read outside", "%wn = arith.muli %wb, %next", "%wn = arith.muli %wb, %body", "has readers outside"},
		{"it subtracts the other way", "arith.subi %body, %xs", "arith.subi %xs, %body", "does not feed operand 0"},
		{"it subtracts from what leaves", "arith.subi %body, %xs", "arith.subi %out, %xs", "does not feed operand 0"},
		{"something else comes round", "%v = dataflow.carry %d, %a, %next", "%v = dataflow.carry %d, %a, %wn", "does not feed operand 2"},
		{"another value leaves", "return %out, %wo", "return %wo, %out", "is fed by"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Count(machinesKernel, c.old) != 1 {
				t.Fatalf("%q is not exactly once in the kernel", c.old)
			}
			fn := maptest.Kernel(strings.Replace(machinesKernel, c.old, c.new, 1))
			refused(t, fn, s.f, s.res.Mapping, c.want)
			if err := check.Image(fn, s.f, s.res.Image, s.res.Binding); err == nil {
				t.Error("the image is accepted")
			}
		})
	}
}

// TestMachineOrder: operands that do not commute stand in the order of the unit, whatever the mapping
// says of them.
func TestMachineOrder(t *testing.T) {
	s := machines(t)
	fn := maptest.Kernel(strings.Replace(machinesKernel, "arith.subi %body, %xs", "arith.subi %xs, %body", 1))
	m, err := mapping.Read("m.json", s.res.Mapping.JSON())
	if err != nil {
		t.Fatal(err)
	}
	g := &m.Groups[m.Ops[machinesCarry].Group]
	for i := range g.Inputs {
		if in := &g.Inputs[i]; in.Op == machinesNext {
			in.Operand = 1 - in.Operand
		}
	}
	refused(t, fn, s.f, m, "does not feed operand 0")
}

// TestUnitFeedsItself: the constant that a loop goes on with is an immediate of the loop's unit, which takes it with each token that
// comes from the unit: a reader outside of it, though the operation that reads is inside.
func TestUnitFeedsItself(t *testing.T) {
	mod, err := build.Build("machines.yaml", []byte(machinesFabric))
	if err != nil {
		t.Fatal(err)
	}
	f, err := arch.FromModule(mod, "")
	if err != nil {
		t.Fatal(err)
	}
	const branch = 5
	fn := maptest.Kernel(`handshake.func @again(%n: index, %a: i32, %start: none) -> (i32, none) {
  %zero = constant %start {value = 0 : index} : index
  %one = constant %start {value = 1 : index} : index
  %i, %d = dataflow.stream %zero, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %runs = join %body : i32
  %v = dataflow.carry %d, %a, %next : i1, i32, i32 -> i32
  %body, %out = cond_br %d, %v : i32
  %next = constant %runs {value = 7 : i32} : i32
  return %out, %start : i32, none
}
`)
	res, err := mapper.Map(fn, f, mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(diag.Render(diag.FromError(err), nil))
	}
	if err := check.Mapping(fn, f, res.Mapping); err != nil {
		t.Fatal(diag.Render(diag.FromError(err), nil))
	}
	for _, e := range res.Mapping.Edges {
		if e.Src.Op == branch && e.Src.Port == 0 {
			return
		}
	}
	t.Errorf("the loop's own token takes no way outside of its unit: %+v", res.Mapping.Edges)
}

// TestAccumulatorWaitsForItself: an accumulator that gives what an iteration begins with is refused where its element comes of that, by itself
// or by what another one gives with its element, but not where the next element does.
func TestAccumulatorWaitsForItself(t *testing.T) {
	f := testkit.FabricOf(t, "present.yaml", []byte(strings.NewReplacer("[subi, addi], type: i32}", "[maxsi], type: i32, yields: present}", "[m, p, p]", "[m, m, p]").Replace(machinesFabric)))
	kernel := func(element, carried string) *ir.Operation {
		return maptest.Kernel(`handshake.func @present(%n: index, %a: i32, %start: none) -> (i32, i32, none) {
  %zero = constant %start {value = 0 : index} : index
  %one = constant %start {value = 1 : index} : index
  %i, %d = dataflow.stream %zero, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %it, %last = cond_br %d, %i : index
  %xs = arith.index_cast %it : index to i32
  %v = dataflow.carry %d, %a, %next : i1, i32, i32 -> i32
  %body, %out = cond_br %d, %v : i32
  %next = arith.maxsi %y, %body : i32
  %w = dataflow.carry %d, %a, %wn : i1, i32, i32 -> i32
  %wb, %wo = cond_br %d, %w : i32
  %wn = ` + carried + ` : i32
  %y = arith.muli %xs, ` + element + ` : i32
  return %out, %wo, %start : i32, i32, none
}
`)
	}
	const message = "waits for the value that it gives"
	for _, c := range []struct {
		element, carried string // of the kernel that is checked; that of the mapping has an element of %xs alone
		accumulators     int    // of the mapping
		waits            bool
	}{
		{"%xs", "arith.muli %wb, %wb", 1, false},
		{"%wb", "arith.muli %wb, %body", 1, false},
		{"%body", "arith.muli %wb, %wb", 1, true},
		{"%xs", "arith.maxsi %wb, %body", 2, false},
		{"%wb", "arith.maxsi %wb, %body", 2, true},
	} {
		res, err := mapper.Map(kernel("%xs", c.carried), f, mapper.Options{Effort: quick})
		if err != nil {
			t.Fatal(diag.Render(diag.FromError(err), nil))
		}
		n := 0
		for _, g := range res.Mapping.Groups {
			if g.Unit == "present_accumulate_maxsi_i32" {
				n++
			}
		}
		if n != c.accumulators {
			t.Fatalf("%d accumulators, expected %d", n, c.accumulators)
		}
		// A kernel of another element has more errors, of channels that lead elsewhere.
		err = check.Mapping(kernel(c.element, c.carried), f, res.Mapping)
		if got := err != nil && strings.Contains(diag.Render(diag.FromError(err), nil), message); got != c.waits {
			t.Errorf("element of %s, next of %s: %v", c.element, c.carried, err)
		}
	}
}
