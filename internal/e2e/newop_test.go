package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loom/campaign"
	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mlir"
	"loom/internal/ladder"
	"loom/internal/soak"
	"loom/internal/testkit"
)

// edit is a file, a line in it, and what goes in front of that line; without a line the
// file is new.
type edit struct{ file, before, text string }

// operation adds an operation that does not exist, as HACKING.md describes ("Adding an
// operation").
var operation = []edit{
	{"compiler/opname/opname.go", "\tArithNegF ", "\tArithNandI = \"arith.nandi\"\n"},
	{"compiler/dialect/arith/arith.go", "\t{opname.ArithOrI, ", "\t{opname.ArithNandI, commutative, nil, facts{reads: anyBits}, \"Negated bitwise and.\"},\n"},
	{"compiler/num/integer.go", "\tbinary(func(uint) func(a, b uint64) uint64 {\n\t\treturn func(a, b uint64) uint64 { return a | b }",
		"\tbinary(func(w uint) func(a, b uint64) uint64 {\n\t\tm := mask(w)\n\t\treturn func(a, b uint64) uint64 { return ^(a & b) & m }\n\t}, opname.ArithNandI)\n"},
	{"compiler/units/table.go", "\tbinary(opname.ArithOrI),\n", "\tbinary(opname.ArithNandI),\n"},
	{"rtl/loom_op_nandi.sv", "", `// loom_op_nandi: arith.nandi, not (a and b).
// Parameters: W bits, at least 1. Timing: combinational.
// Rule: a test of what adding an operation takes.
module loom_op_nandi #(
    parameter int W = 32
) (
    input  logic [W-1:0] a,
    input  logic [W-1:0] b,
    output logic [W-1:0] y
);
  assign y = ~(a & b);
endmodule
`},
}

// component adds a component kind that does not exist, as HACKING.md describes ("Adding a
// component kind"): a register of two slots, whose module the library has.
var component = []edit{
	{"compiler/arch/kind_register.go", "", `package arch

import "loom/compiler/ir"

// Register is a queue of two slots.
const Register Kind = "register"

func init() { register(Register, twoSlots{}) }

type twoSlots struct{ component }

func (twoSlots) read(*flattener, *Component, *ir.Operation) (in, out portName) {
	return named("in"), named("out")
}

func (twoSlots) Buffer(*Component) int { return 2 }
`},
	{"compiler/dialect/fabric/register.go", "", `package fabric

import (
	"loom/compiler/arch"
	"loom/compiler/ir"
)

func init() {
	define(ir.OpDef{Name: arch.Register.Op(), Summary: "Two slots between two ports.", Verify: verifyLeaf})
}
`},
	{"sim/cycle/register.go", "", `package cycle

import (
	"loom/compiler/arch"
	"loom/compiler/config"
)

func init() { models[arch.Register] = model{connect: (*builder).connectRegister} }

func (b *builder) connectRegister(c *arch.Component, _ *config.Setting) { b.add(newFIFO(b.node(c), 2)) }
`},
	{"rtlgen/kind_register.go", "", `package rtlgen

import "loom/compiler/arch"

func init() { kinds[arch.Register] = kind{Idle: true, connect: (*generator).fifo} }
`},
	{"templates/register.sv.tmpl", "", `{{define "register"}}
  loom_fifo #(
      .W({{(index .Component.In 0).Bits}}),
      .DEPTH(2)
  ) u_{{.Stem}} (
      .clk(clk),
      .rst(dp_rst),
{{- template "channels" .}}
      .idle({{.Stem}}__idle)
  );
{{- end}}
`},
	{"compiler/mapper/check/kinds.go", "\tif x != nil && x.Kind == arch.FIFO {\n", "\tif x != nil && x.Kind == arch.Register {\n\t\treturn 2, true\n\t}\n"},
	{"compiler/prove/kinds.go", "\tif x.Kind == arch.FIFO {\n", "\tif x.Kind == arch.Register {\n\t\treturn true\n\t}\n"},
}

// nandKernel uses the operation between others.
const nandKernel = `func.func @f(%x: i32, %y: i32) -> i32 {
  %s = arith.nandi %x, %y : i32
  %t = arith.addi %s, %x : i32
  return %t : i32
}`

// TestNewOperation adds a combinational operation in five files and an architecture, and
// a component kind in five files and a line, and takes both from a kernel through mapping
// and RTL to lock-step with the simulators. The files are laid over the tree for one run
// of the tests, in which this test finds the operation and does that.
func TestNewOperation(t *testing.T) {
	if ir.Lookup("arith.nandi") != nil {
		newOperation(t)
		return
	}
	if soak.Factor() == 0 {
		t.Skip("set LOOM_SOAK=1: most of the tree is built anew")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for i, e := range append(operation[:len(operation):len(operation)], component...) {
		text := e.text
		if e.before != "" {
			old, err := os.ReadFile(filepath.Join(root, e.file))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(string(old), e.before) != 1 {
				t.Fatalf("%s: %q is not there, or more than once", e.file, e.before)
			}
			text = strings.Replace(string(old), e.before, e.text+e.before, 1)
		}
		name := filepath.Join(t.TempDir(), fmt.Sprint("file", i))
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, e.file)] = name
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-v", "-count=1", "-overlay", file, "-run", "^(TestNewOperation|TestModules)$",
		"./internal/e2e", "./compiler/units")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "--- PASS: TestNewOperation") != 1 {
		t.Errorf("with the operation added: %v\n%s", err, out)
	}
}

// newOperation runs the kernel on a mesh that offers the operation and whose links are
// components of the new kind.
func newOperation(t *testing.T) {
	yaml := strings.Replace(string(testkit.Architecture(t, "mesh4x4")), "    - xori: i32\n", "    - xori: i32\n    - nandi: i32\n", 1)
	yaml = strings.Replace(yaml, "link_fifo: 4\n", "link_fifo: 2\n", 1)
	adg, err := build.Build("mesh_nand.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	const fifo = "fabric.fifo @fifo_2 [depth = 2]"
	fabricText := mlir.Print(adg, mlir.Options{})
	if strings.Count(fabricText, fifo) != 1 {
		t.Fatalf("the links of the mesh are no %s", fifo)
	}
	adg, err = mlir.ParseAndVerify("mesh_nand.fabric.mlir", strings.Replace(fabricText, fifo, "fabric.register @fifo_2", 1))
	if err != nil {
		t.Fatal(err)
	}
	fabric, err := arch.FromModule(adg, "")
	if err != nil {
		t.Fatal(err)
	}
	module, err := mlir.ParseAndVerify("kernel.mlir", nandKernel)
	if err != nil {
		t.Fatal(err)
	}
	registers := 0
	for _, c := range fabric.Comps {
		if c.Kind == "register" {
			registers++
		}
	}
	if registers < 80 {
		t.Errorf("the mesh has %d registers", registers)
	}
	d, err := ladder.NewDesign(module, ladder.NewMesh("mesh_nand", fabric), "serial", mapper.Options{Effort: campaign.Effort})
	if err != nil {
		t.Fatal(err)
	}
	var outcomes strings.Builder
	for k, in := range []string{`{"args": {"x": 12345, "y": -54321}}`, `{"args": {"x": -1, "y": -1}}`} {
		kernelRun(t, d, 0, k, in, &outcomes)
	}
	if s := outcomes.String(); !strings.Contains(s, `"results": [4143]`) || !strings.Contains(s, `"results": [-1]`) {
		t.Errorf("the outcomes are\n%s", s)
	}
}
