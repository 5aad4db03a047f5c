package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mlir"
	"loom/internal/testkit"
)

// added is an operation that does not exist, added as HACKING.md describes ("Adding an
// operation"): each edit is a file, a line in it, and what goes in front of that line;
// without a line the file is new.
var added = []struct{ file, before, text string }{
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

// nandKernel uses the operation between others.
const nandKernel = `func.func @f(%x: i32, %y: i32) -> i32 {
  %s = arith.nandi %x, %y : i32
  %t = arith.addi %s, %x : i32
  return %t : i32
}`

// TestNewOperation adds a combinational operation in five files and an architecture, and
// takes it from a kernel through mapping and RTL to lock-step with the simulators. The
// files are laid over the tree for one run of the tests, in which this test finds the
// operation and does that.
func TestNewOperation(t *testing.T) {
	if ir.Lookup("arith.nandi") != nil {
		newOperation(t)
		return
	}
	if testing.Short() {
		t.Skip("builds most of the tree anew")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for i, e := range added {
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

// newOperation runs the kernel on a mesh that offers the operation.
func newOperation(t *testing.T) {
	yaml := strings.Replace(string(testkit.Architecture(t, "mesh4x4")), "    - xori: i32\n", "    - xori: i32\n    - nandi: i32\n", 1)
	adg, err := build.Build("mesh_nand.yaml", []byte(yaml))
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
	d, err := newDesign(module, &mesh{name: "mesh_nand", fabric: fabric}, "serial", mapper.Options{Effort: effort})
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
