package mapper_test

import (
	"slices"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mapper/check"
	"loom/compiler/mapper/tech"
	"loom/compiler/mapping"
	"loom/compiler/opname"
	"loom/compiler/simplify"
	"loom/internal/fabtest"
	"loom/internal/testkit"
)

// howLoaded says of each load of a mapping whether it has a unit, and whether its data passes that.
func howLoaded(m *mapping.Mapping) (wires, past, through int) {
	for i, op := range m.Ops {
		if op.Name != opname.HandshakeLoad {
			continue
		}
		reads := func(in mapping.UnitIn) bool { return in.Op == i && in.Operand == 1 }
		switch {
		case op.Role == mapping.RoleWire:
			wires++
		case slices.ContainsFunc(m.Groups[op.Group].Inputs, reads):
			through++
		default:
			past++
		}
	}
	return wires, past, through
}

// TestLoadsAsWires: a load whose control is held has no unit, one that waits for a control has one for its address alone, and one whose
// address is a constant keeps it. Units at memories have all of them.
func TestLoadsAsWires(t *testing.T) {
	constant := func() *ir.Operation {
		mt := ir.MemRef([]int64{ir.Dynamic}, ir.I32)
		d := fabtest.NewDFG("constant", mt)
		ld := d.Op(opname.HandshakeLoad, []ir.Type{ir.I32, ir.Index}, d.Const(d.Arg(-1), 3, ir.Index), nil, d.Val("dataflow.hold", ir.None, d.Arg(-1)))
		m := d.Op(opname.HandshakeExtmemory, []ir.Type{ir.I32, ir.None}, d.Arg(0), ld.Result(1))
		m.SetAttr("ldCount", ir.IntAttr(1, ir.I32))
		m.SetAttr("stCount", ir.IntAttr(0, ir.I32))
		ld.SetOperand(1, m.Result(0))
		return typed(d.Return(ld.Result(0), d.Val(opname.HandshakeJoin, ir.None, ld.Result(0))))
	}
	for _, c := range []struct {
		name                 string
		fn                   *ir.Operation
		fabric               *arch.Fabric
		wires, past, through int
		pes                  int
	}{
		{"held", simplified(t, "vecadd", testkit.Fabric(t, "mixed10x10")), testkit.Fabric(t, "mixed10x10"), 2, 0, 0, 4},
		{"held, units at memories", simplified(t, "vecadd", testkit.Fabric(t, "mesh6x6")), testkit.Fabric(t, "mesh6x6"), 0, 0, 2, 3},
		{"waits for a control", kernel(t, "vecadd", "pipelined", testkit.Fabric(t, "mixed10x10")), testkit.Fabric(t, "mixed10x10"), 0, 2, 0, 0},
		{"a constant address", constant(), testkit.Fabric(t, "mixed10x10"), 0, 1, 0, 1},
	} {
		res, err := mapper.Map(c.fn, c.fabric, mapper.Options{Effort: quick})
		if err != nil {
			t.Errorf("%s: %s", c.name, diag.Render(diag.FromError(err), nil))
			continue
		}
		if wires, past, through := howLoaded(res.Mapping); wires != c.wires || past != c.past || through != c.through {
			t.Errorf("%s: %d loads are wires, of %d the data passes the unit, of %d it does not", c.name, wires, past, through)
		}
		if n := res.Mapping.Utilization.PEs.Used; c.pes > 0 && n != c.pes {
			t.Errorf("%s: %d PEs, expected %d", c.name, n, c.pes)
		}
		simulate(t, c.fn, c.fabric, res, 9)
	}
}

// simplified is a shipped kernel as it is simplified for a fabric.
func simplified(t *testing.T, name string, f *arch.Fabric) *ir.Operation {
	t.Helper()
	fn, err := simplify.Run(kernel(t, name, "pipelined", f), simplify.Options{IndexWidth: f.IndexWidth,
		Fabric: &simplify.Fabric{Executes: tech.Units(f), TokenControls: f.TokenControls()}})
	if err != nil {
		t.Fatal(err)
	}
	return fn
}

// TestLoadsThatWait: no mapping without a unit, and no image, is one of a load that waits for a control.
func TestLoadsThatWait(t *testing.T) {
	f := testkit.Fabric(t, "mixed10x10")
	fn := simplified(t, "vecadd", f)
	res, err := mapper.Map(fn, f, mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(err)
	}
	if err := check.Mapping(fn, f, res.Mapping); err != nil {
		t.Fatal(err)
	}
	waits := fn.Clone(map[*ir.Value]*ir.Value{})
	for _, op := range waits.Regions[0].Entry().Ops {
		if op.Name == opname.HandshakeLoad {
			op.SetOperand(2, op.Operand(0)) // a token of each iteration
		}
	}
	if err := check.Mapping(waits, f, res.Mapping); err == nil || !strings.Contains(diag.Render(diag.FromError(err), nil), `('handshake.load') has role "wire", must be "unit"`) {
		t.Errorf("a mapping without a unit for a load that waits: %v", err)
	}
	if err := check.Image(waits, f, res.Image, res.Binding); err == nil {
		t.Error("the checker takes an image without a unit for a load that waits")
	}
}
