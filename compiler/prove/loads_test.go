package prove_test

import (
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mapping"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/compiler/prove"
	"loom/internal/testkit"
)

// TestLoadsAsWires: an image without a unit for a load is a proof where the control is held for the run, and not where the load waits for it.
func TestLoadsAsWires(t *testing.T) {
	m := mapSimplified(t, "vecadd", "mixed10x10")
	if _, err := prove.Image(m.fn, m.res.Image.Layout, m.words, m.runtime); err != nil {
		t.Fatal(err)
	}
	waits := m.fn.Clone(map[*ir.Value]*ir.Value{})
	load := waits.Regions[0].Entry().Ops[find(m, opname.HandshakeLoad, 0)]
	load.SetOperand(2, load.Operand(0))
	_, err := prove.Image(waits, m.res.Image.Layout, m.words, m.runtime)
	if err == nil || !strings.Contains(diag.Render(diag.FromError(err), nil), "'handshake.load'") {
		t.Errorf("a load that waits: %v", err)
	}
}

// TestDoneOfAConstant: a token that a constant with a unit of its own gives is that of what fires the constant.
func TestDoneOfAConstant(t *testing.T) {
	m, err := mlir.ParseAndVerify("constant.mlir", `handshake.func @f(%x: i32, %start: none) -> (i32, none) {
  %c = constant %start {value = 7 : i32} : i32
  %done = join %c : i32
  return %c, %done : i32, none
}`)
	if err != nil {
		t.Fatal(err)
	}
	fn, f := m.Regions[0].Entry().Ops[0], testkit.Fabric(t, "mesh6x6")
	res, err := mapper.Map(fn, f, mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(err)
	}
	if role := res.Mapping.Ops[0].Role; role != mapping.RoleUnit {
		t.Fatalf("the constant is %v", role)
	}
	c := newMapped(t, fn, f, res)
	if _, err := prove.Image(fn, res.Image.Layout, c.words, c.runtime); err != nil {
		t.Error(err)
	}
}
