package irdl_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"loom/compiler/arch/build"
	_ "loom/compiler/dialect/all"
	"loom/compiler/dialect/irdl"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

const testdata = "../../../testdata"

// separator stands between modules that go through mlir-opt in one call.
const separator = "\n// -----\n"

// mlirOpt runs mlir-opt-19 with the shipped definitions on several modules.
func mlirOpt(t *testing.T, texts ...string) (string, error) {
	t.Helper()
	tool := toolstest.Path(t, tools.MLIROpt)
	file := filepath.Join(t.TempDir(), irdl.FileName)
	if err := os.WriteFile(file, []byte(irdl.Text()), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tool, "--irdl-file="+file, "--split-input-file", "-")
	cmd.Stdin = strings.NewReader(strings.Join(texts, separator))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, errs.String())
	}
	return out.String(), nil
}

// accepted holds modules against mlir-opt-19 and what comes back against the
// modules: as the tool drops the names of values, by their text without names.
func accepted(t *testing.T, modules []*ir.Operation) {
	t.Helper()
	var texts []string
	for _, m := range modules {
		text, err := irdl.Print(m)
		if err != nil {
			t.Fatal(err)
		}
		again, err := mlir.ParseAndVerify("generic", text)
		if err != nil {
			t.Fatalf("our own reader: %v", err)
		}
		if want, got := mlir.Print(m, mlir.Options{}), mlir.Print(again, mlir.Options{}); want != got {
			t.Fatalf("the generic form reads back as another module:\n%s\ninstead of\n%s", got, want)
		}
		texts = append(texts, text)
	}
	out, err := mlirOpt(t, texts...)
	if err != nil {
		t.Fatal(err)
	}
	returned := strings.Split(out, separator)
	if len(returned) != len(modules) {
		t.Fatalf("mlir-opt-19 returned %d modules for %d", len(returned), len(modules))
	}
	for i, text := range returned {
		again, err := mlir.ParseAndVerify("mlir-opt", text)
		if err != nil {
			t.Fatalf("what mlir-opt-19 writes: %v\n%s", err, text)
		}
		want, got := anonymous(modules[i]), anonymous(again)
		if want != got {
			t.Fatalf("mlir-opt-19 returned another module:\n%s\ninstead of\n%s", got, want)
		}
	}
}

// anonymous is the text of a module without the names of its values.
func anonymous(m *ir.Operation) string {
	c := m.Clone(map[*ir.Value]*ir.Value{})
	c.Walk(func(op *ir.Operation) bool {
		for _, r := range op.Results() {
			r.Name = ""
		}
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				for _, a := range b.Args {
					a.Name = ""
				}
			}
		}
		slices.SortFunc(op.Attrs, func(a, b ir.NamedAttr) int { return strings.Compare(a.Name, b.Name) })
		return true
	})
	return mlir.Print(c, mlir.Options{Generic: true})
}

// lowered is the graph of a structured module as a module.
func lowered(t *testing.T, m *ir.Operation, opts lower.Options) *ir.Operation {
	t.Helper()
	res, err := lower.Lower(m, opts)
	if err != nil {
		t.Fatal(err)
	}
	return res.Module
}

func read(t *testing.T, file string) *ir.Operation {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mlir.ParseAndVerify(file, string(src))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var orders = []string{"serial", "pipelined"}

// TestKernels: mlir-opt-19 accepts the graph of every kernel in both memory
// orders, and gives it back unchanged.
func TestKernels(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testdata, "kernels", "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatal("no kernels", err)
	}
	var graphs []*ir.Operation
	for _, file := range files {
		for _, order := range orders {
			graphs = append(graphs, lowered(t, read(t, file), lower.Options{MemoryOrder: order}))
		}
	}
	accepted(t, graphs)
}

// TestFunctionAttributes: the front end's attributes of a function stay on its graph.
func TestFunctionAttributes(t *testing.T) {
	m, err := mlir.ParseAndVerify("k", `
func.func @k(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) attributes {
    loom.c = {name = "k", params = [{class = "pointer", name = "a", pieces = [{index = 0, stride = 4}], type = "float *"}]},
    loom.may_alias = [array<i64: 0, 1>]} {
  %v = memref.load %a[%n] : memref<?xf32>
  memref.store %v, %b[%n] : memref<?xf32>
  return
}`)
	if err != nil {
		t.Fatal(err)
	}
	out := lowered(t, m, lower.Options{})
	for _, want := range []string{"loom.c = {name = \"k\"", "loom.may_alias = [array<i64: 0, 1>]"} {
		if text, err := irdl.Print(out); err != nil || !strings.Contains(text, want) {
			t.Errorf("the generic form lacks %s: %v\n%s", want, err, text)
		}
	}
	accepted(t, []*ir.Operation{out})
}

// TestRandomGraphs does the same for random programs.
func TestRandomGraphs(t *testing.T) {
	var graphs []*ir.Operation
	for seed := range uint64(soak.Scale(100, 2000)) {
		o := randprog.Options{Locals: seed%2 == 0}
		if seed%3 == 0 {
			o.MaxOps = 120
		}
		graphs = append(graphs, lowered(t, randprog.Generate(seed, o), lower.Options{MemoryOrder: orders[seed%2]}))
	}
	accepted(t, graphs)
}

// TestGoldenGraphs does the same for the graphs and fabrics of the specification cases and
// for the corpus.
func TestGoldenGraphs(t *testing.T) {
	var graphs []*ir.Operation
	archives, err := filepath.Glob(filepath.Join(testdata, "spec", "*", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range archives {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if !strings.HasSuffix(f.Name, "dfg.mlir") && f.Name != "out.fabric.mlir" {
				continue
			}
			m, err := mlir.ParseAndVerify(file+"/"+f.Name, string(f.Data))
			if err != nil {
				t.Fatal(err)
			}
			graphs = append(graphs, m)
		}
	}
	corpus, err := filepath.Glob(filepath.Join(testdata, "mlir", "dfg", "*.mlir"))
	if err != nil || len(corpus) == 0 {
		t.Fatal("no corpus", err)
	}
	for _, file := range corpus {
		if filepath.Base(file) == "types.mlir" {
			continue // dialects that MLIR's tools do not know
		}
		graphs = append(graphs, read(t, file))
	}
	accepted(t, graphs)
}

// TestFabrics: the shipped fabrics and the cases of single operations.
func TestFabrics(t *testing.T) {
	modules := []*ir.Operation{
		read(t, filepath.Join(testdata, "arch", "tiny.fabric.mlir")),
		read(t, filepath.Join(testdata, "fabric", "spec-fabric-mem.mlir")),
		read(t, filepath.Join(testdata, "fabric", "rom.mlir")),
	}
	src := testkit.Architecture(t, "mesh4x4")
	// Once as it is and once with a bridge.
	bridge := bytes.Replace(src, []byte("extmemories:\n"), []byte("extmemories:\n  - {name: bridge, element: i32, loads: 3, stores: 2}\n"), 1)
	for _, text := range [][]byte{src, bridge} {
		mesh, err := build.Build("mesh4x4", text)
		if err != nil {
			t.Fatal(err)
		}
		modules = append(modules, mesh)
	}
	lanes := 0
	modules[len(modules)-1].Walk(func(op *ir.Operation) bool {
		if op.Name == "fabric.load_lane" || op.Name == "fabric.store_lane" {
			lanes++
		}
		return true
	})
	if lanes != 2 {
		t.Fatalf("%d definitions of lanes, want one of each kind", lanes)
	}
	accepted(t, modules)
}

const graph = `handshake.func @f(%a: memref<?xi32>, %n: index, %x: i32, %y: f32, %start: none, ...) -> (i32, f32, none) {
  %zero = constant %start {value = 0 : index} : index
  %one = constant %start {value = 1 : index} : index
  %raw_i, %raw = dataflow.stream %zero, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %i, %next = dataflow.gate %raw_i, %raw : index, i1 -> index, i1
  %t = dataflow.carry %next, %start, %t1 : i1, none, none -> none
  %d, %da = load [%i] %m#0, %t : index, i32
  %s, %sa = store [%i] %d, %m#2 : index, i32
  %t1, %t2 = cond_br %next, %m#1 : none
  %xx = dataflow.invariant %next, %x : i1, i32 -> i32
  %m:3 = extmemory[ld = 1, st = 1] (%a : memref<?xi32>) (%s, %sa, %da) {id = 0 : i32} : (i32, index, index) -> (i32, none, none)
  %both = join %t2, %start : none, none
  return %x, %y, %both : i32, f32, none
}
`

// TestRejections: the definitions reject wrong graphs. Each edit of a good graph is
// refused by mlir-opt-19 with the operation and the reason.
func TestRejections(t *testing.T) {
	m, err := mlir.Parse("g", graph)
	if err != nil {
		t.Fatal(err)
	}
	good, err := irdl.Print(m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mlirOpt(t, good); err != nil {
		t.Fatal(err)
	}
	// One call of the tool for all: a module with a fault does not hide the next.
	var texts, wants []string
	for _, c := range [][3]string{
		{`step_op = "+="`, `step_op = "%="`, `'"%="' does not satisfy the constraint`},
		{`cont_cond = "<"`, `cont_cond = "=="`, `'"=="' does not satisfy the constraint`},
		{`, step_op = "+="`, ``, `attribute "step_op" is expected but not provided`},
		{`"dataflow.gate"(%raw_i, %raw) : (index, i1)`, `"dataflow.gate"(%x, %raw) : (i32, i1)`, "expected 'i32' but got 'index'"},
		{`"dataflow.gate"(%raw_i, %raw) : (index, i1)`, `"dataflow.gate"(%raw, %raw_i) : (i1, index)`, "expected 'i1' but got 'index'"},
		{`"dataflow.invariant"(%next, %x) : (i1, i32)`, `"dataflow.invariant"(%x, %x) : (i32, i32)`, "expected 'i1' but got 'i32'"},
		{`"dataflow.invariant"(%next, %x) : (i1, i32)`, `"dataflow.invariant"(%next, %x, %x) : (i1, i32, i32)`, "op expects exactly 2 operands, but got 3"},
		{`"dataflow.carry"(%next, %start, %t1) : (i1, none, none)`, `"dataflow.carry"(%next, %start, %x) : (i1, none, i32)`, "expected 'none' but got 'i32'"},
		{`"dataflow.invariant"(%next, %x) : (i1, i32) -> i32`, `"dataflow.invariant"(%next, %a) : (i1, memref<?xi32>) -> memref<?xi32>`, "'memref<?xi32>' does not satisfy the constraint"},
		{`"handshake.cond_br"(%next, %m#1) : (i1, none) -> (none, none)`, `"handshake.cond_br"(%next, %x) : (i1, i32) -> (none, none)`, "expected 'i32' but got 'none'"},
		{`"handshake.load"(%i, %m#0, %t) : (index, i32, none)`, `"handshake.load"(%i, %y, %t) : (index, f32, none)`, "expected 'f32' but got 'i32'"},
		{`(%a, %s, %sa, %da)`, `(%a, %sa, %s, %da)`, "expected 'i32' but got 'index'"},
		{`"handshake.constant"(%start) {value = 0 : index} : (none) -> index`, `"handshake.constant"(%start) {value = "0"} : (none) -> index`, `'"0"' does not satisfy the constraint`},
		{`{value = 0 : index}`, ``, `attribute "value" is expected but not provided`},
		{`"handshake.join"(%t2, %start)`, `"handshake.meet"(%t2, %start)`, `unregistered operation 'handshake.meet' found in dialect`},
	} {
		bad := strings.Replace(good, c[0], c[1], 1)
		if c[0] == `(%a, %s, %sa, %da)` {
			bad = strings.Replace(bad, "(memref<?xi32>, i32, index, index)", "(memref<?xi32>, index, i32, index)", 1)
		}
		if bad == good {
			t.Fatalf("no %q in:\n%s", c[0], good)
		}
		texts, wants = append(texts, bad), append(wants, c[2])
	}
	for _, c := range lanes(t) {
		texts, wants = append(texts, c[0]), append(wants, c[1])
	}
	_, err = mlirOpt(t, texts...)
	if err == nil {
		t.Fatal("mlir-opt-19 accepts them all")
	}
	var found []string
	for _, line := range strings.Split(err.Error(), "\n") {
		if strings.Contains(line, ": error: ") {
			found = append(found, line)
		}
	}
	if len(found) != len(wants) {
		t.Fatalf("%d errors for %d modules:\n%s", len(found), len(wants), strings.Join(found, "\n"))
	}
	for i, want := range wants {
		if !strings.Contains(found[i], want) {
			t.Errorf("fault %d: no %q in %q", i, want, found[i])
		}
	}
}

// lanes breaks a good store lane in the order of its operands, in their number and
// in its results, and names each fault.
func lanes(t *testing.T) (cases [][2]string) {
	t.Helper()
	m, err := mlir.ParseAndVerify("lane", `fabric.module @m(%a: !fabric.bits<32>, %b: !fabric.bits<32>, %c: !fabric.bits<32>) [index_width = 32] {
  %index = fabric.instance @index(%a) : (!fabric.bits<32>) -> index
  %data = fabric.instance @data(%b) : (!fabric.bits<32>) -> i32
  %none = fabric.instance @none(%c) : (!fabric.bits<32>) -> none
  %done = fabric.add_tag {tag = 1} (%none) : (none) -> !fabric.tagged<none, i2>
  %lane:3 = fabric.store_lane [lsqDepth = 2, depth = 2] {tag = 1} (%index, %data, %done)
      : (index, i32, !fabric.tagged<none, i2>) -> (!fabric.tagged<index, i2>, !fabric.tagged<i32, i2>, none)
  fabric.fifo @index [depth = 2] : (index) -> index
  fabric.fifo @data [depth = 2] : (i32) -> i32
  fabric.fifo @none [depth = 2] : (none) -> none
  fabric.yield
}`)
	if err != nil {
		t.Fatal(err)
	}
	good, err := irdl.Print(m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mlirOpt(t, good); err != nil {
		t.Fatal(err)
	}
	operands := `(index, i32, !fabric.tagged<none, i2>)`
	results := `-> (!fabric.tagged<index, i2>, !fabric.tagged<i32, i2>, none)`
	for _, c := range [][2][]string{
		{{`"fabric.store_lane"(%index, %data, %done)`, `"fabric.store_lane"(%data, %index, %done)`,
			operands, `(i32, index, !fabric.tagged<none, i2>)`}, {"expected 'index' but got 'i32'"}},
		{{`"fabric.store_lane"(%index, %data, %done)`, `"fabric.store_lane"(%index, %data, %done, %done)`,
			operands, `(index, i32, !fabric.tagged<none, i2>, !fabric.tagged<none, i2>)`}, {"operand_segment_sizes"}},
		{{results, `-> (!fabric.tagged<index, i2>, i32, none)`}, {"expected base type 'fabric.tagged' but got 'builtin.integer'"}},
	} {
		bad := good
		for i := 0; i < len(c[0]); i += 2 {
			if !strings.Contains(bad, c[0][i]) {
				t.Fatalf("no %q in:\n%s", c[0][i], bad)
			}
			bad = strings.Replace(bad, c[0][i], c[0][i+1], 1)
		}
		cases = append(cases, [2]string{bad, c[1][0]})
	}
	return cases
}

// TestLimits: what the generic form cannot hold is reported with its position.
func TestLimits(t *testing.T) {
	args := []string{}
	values := []string{}
	types := []string{}
	for i := range 70 {
		typ := []string{"i32", "f32"}[i%2]
		args = append(args, fmt.Sprintf("%%a%d: %s", i, typ))
		values = append(values, fmt.Sprintf("%%a%d", i))
		types = append(types, typ)
	}
	list := strings.Join(types, ", ") + ", none"
	m, err := mlir.ParseAndVerify("g", "handshake.func @f("+strings.Join(args, ", ")+", %start: none) -> ("+list+") {\n  return "+strings.Join(values, ", ")+", %start : "+list+"\n}")
	if err != nil {
		t.Fatal(err)
	}
	_, err = irdl.Print(m)
	if err == nil || !strings.Contains(err.Error(), "g:2:3: error: the generic form cannot hold the operands of 'handshake.return'") {
		t.Errorf("got %v", err)
	}
}

// TestManyStores: the generic form holds 128 stores of one memory, but not 129.
func TestManyStores(t *testing.T) {
	program := func(stores int) *ir.Operation {
		src := "func.func @f(%m: memref<?xi32>, %v: i32) {\n"
		for i := range stores {
			src += fmt.Sprintf("  %%k%d = arith.constant %d : index\n  memref.store %%v, %%m[%%k%d] : memref<?xi32>\n", i, i, i)
		}
		m, err := mlir.ParseAndVerify("g", src+"  return\n}")
		if err != nil {
			t.Fatal(err)
		}
		return lowered(t, m, lower.Options{MemoryOrder: "serial"})
	}
	if _, err := irdl.Print(program(129)); err == nil || !strings.Contains(err.Error(), "cannot hold the operands of 'handshake.extmemory'") {
		t.Errorf("got %v", err)
	}
	accepted(t, []*ir.Operation{program(128)})
}

// TestComplete: every operation of the dialects handshake, dataflow and fabric has a
// definition, and nothing else has.
func TestComplete(t *testing.T) {
	text := irdl.Text()
	dialect, defined := "", map[string]bool{}
	for _, line := range strings.Split(text, "\n") {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "irdl.dialect" {
			dialect = strings.TrimPrefix(f[1], "@")
		} else if len(f) > 1 && f[0] == "irdl.operation" {
			defined[dialect+"."+strings.TrimPrefix(f[1], "@")] = true
		}
	}
	for _, d := range ir.Definitions() {
		if !strings.HasPrefix(d.Name, "handshake.") && !strings.HasPrefix(d.Name, "dataflow.") && !strings.HasPrefix(d.Name, "fabric.") {
			continue
		}
		if !defined[d.Name] {
			t.Errorf("%s has no definition", d.Name)
		}
		delete(defined, d.Name)
	}
	for name := range defined {
		t.Errorf("%s is defined, but no operation of LOOM", name)
	}
}

// TestShippedFile: the file in the repository is what loom irdl writes.
// LOOM_UPDATE=1 rewrites it.
func TestShippedFile(t *testing.T) {
	if os.Getenv("LOOM_UPDATE") == "1" {
		if err := os.WriteFile(irdl.FileName, []byte(irdl.Text()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(irdl.FileName)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != irdl.Text() {
		t.Errorf("%s is out of date; LOOM_UPDATE=1 go test rewrites it", irdl.FileName)
	}
}
