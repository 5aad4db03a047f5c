package lower

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/num"
	"loom/compiler/rewrite"
	"loom/internal/randprog"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

// TestPassTable: the table obeys its own constraints.
func TestPassTable(t *testing.T) {
	if err := passes().Check(); err != nil {
		t.Error(err)
	}
}

// counts returns how often the named operations occur in a graph.
func counts(t *testing.T, src string, opts Options, names ...string) []int {
	t.Helper()
	res, err := Lower(parse(t, src), opts)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	out := make([]int, len(names))
	for _, op := range res.Func.Regions[0].Entry().Ops {
		for i, n := range names {
			if op.Name == n {
				out[i]++
			}
		}
	}
	return out
}

// loop wraps a store loop from lb to ub in a function.
func loop(lb, ub string) string {
	return `func.func @f(%m: memref<?xindex>, %n: index, %k: index, %go: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %cm = arith.constant -3 : index
  scf.for %i = ` + lb + " to " + ub + ` step %c1 {
    memref.store %i, %m[%i] : memref<?xindex>
  }
  return
}`
}

// TestGuards: a zero-trip guard stands exactly where N >= 1 is not proven.
func TestGuards(t *testing.T) {
	nest := func(lb, ub string) string {
		return `func.func @f(%m: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c1 to %n step %c1 {
    scf.for %j = ` + lb + " to " + ub + ` step %c1 {
      memref.store %i, %m[%j] : memref<?xindex>
    }
  }
  return
}`
	}
	branch := func(pred, a, b string, inThen bool) string {
		then, other := "", ""
		body := `
    scf.for %i = %k to %n step %c1 {
      memref.store %i, %m[%i] : memref<?xindex>
    }`
		if inThen {
			then = body
		} else {
			other = body
		}
		return `func.func @f(%m: memref<?xindex>, %n: index, %k: index) {
  %c1 = arith.constant 1 : index
  %c = arith.cmpi ` + pred + ", " + a + ", " + b + ` : index
  scf.if %c {` + then + `
  } else {` + other + `
  }
  return
}`
	}
	for _, c := range []struct {
		name, src string
		guards    int
	}{
		{"arguments", loop("%k", "%n"), 1},
		{"constant to argument", loop("%c0", "%n"), 1},
		{"constants", loop("%c0", "%c4"), 0},
		{"negative constant", loop("%cm", "%c0"), 0},
		{"same bounds as the outer loop", nest("%c1", "%n"), 1},
		{"up to the outer variable", nest("%c0", "%i"), 1},
		{"up to the outer variable, maybe empty", nest("%c1", "%i"), 2},
		{"from the outer variable", nest("%i", "%n"), 1},
		{"lower bound below the outer one", nest("%c0", "%n"), 1},
		{"lower bound above the outer one", nest("%c5", "%n"), 2},
		{"constants inside", nest("%c5", "%c9"), 1},
		{"under slt", branch("slt", "%k", "%n", true), 0},
		{"under sgt", branch("sgt", "%n", "%k", true), 0},
		{"under not sge", branch("sge", "%k", "%n", false), 0},
		{"under not sle", branch("sle", "%n", "%k", false), 0},
		{"in the wrong branch, where it never runs", branch("slt", "%k", "%n", false), 0},
		{"under sle", branch("sle", "%k", "%n", true), 1},
		{"under ult", branch("ult", "%k", "%n", true), 1},
		{"under the opposite condition, where it never runs", branch("slt", "%n", "%k", true), 0},
	} {
		var dump bytes.Buffer
		_, err := Lower(parse(t, c.src), Options{DumpAfter: "guards", DumpTo: &dump,
			Print: func(op *ir.Operation) string { return mlir.Print(op, mlir.Options{}) }})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if strings.Count(dump.String(), "scf.if %runs") != c.guards {
			t.Errorf("%s: want %d guards:\n%s", c.name, c.guards, dump.String())
		}
	}
}

// TestEmptyLoopDisappears: a loop that cannot run is no hardware.
func TestEmptyLoopDisappears(t *testing.T) {
	for _, src := range []string{loop("%c4", "%c0"), loop("%c4", "%c4")} {
		if got := counts(t, src, Options{}, "dataflow.stream", "handshake.store"); got[0]+got[1] != 0 {
			t.Errorf("%v operations are left of an empty loop", got)
		}
	}
}

// TestJoins: joins wider than the limit become balanced trees.
func TestJoins(t *testing.T) {
	// n memories, each stored to once.
	many := func(n int, attr string) string {
		var params, stores []string
		for i := range n {
			params = append(params, "%m"+itoa(i)+": memref<4xi32>")
			stores = append(stores, "  memref.store %v, %m"+itoa(i)+"[%i] : memref<4xi32>\n")
		}
		return "module " + attr + "{\nfunc.func @f(" + strings.Join(params, ", ") + ", %i: index, %v: i32) {\n" + strings.Join(stores, "") + "  return\n}\n}"
	}
	for _, c := range []struct {
		n, limit, joins int
		attr            string
		widest          int
	}{
		{n: 1, joins: 0},
		{n: 7, joins: 1, widest: 7},
		{n: 64, joins: 1, widest: 64},
		{n: 65, joins: 3, widest: 33},
		{n: 8, limit: 2, joins: 7, widest: 2},
		{n: 7, limit: 4, joins: 3, widest: 4},
		{n: 9, limit: 4, joins: 4, widest: 3},
		{n: 5, attr: "attributes {loom.adg_max_join_fanin = 4 : i64} ", joins: 3, widest: 3},
		{n: 5, attr: "attributes {loom.adg_max_join_fanin = 4 : i64} ", limit: 8, joins: 1, widest: 5},
		{n: 1, attr: "attributes {loom.adg_max_join_fanin = 0 : i64} ", joins: 0},
	} {
		opts := Options{}
		if c.limit > 0 {
			opts.MaxJoinFanin = &c.limit
		}
		res, err := Lower(parse(t, many(c.n, c.attr)), opts)
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		joins, widest := 0, 0
		for _, op := range res.Func.Regions[0].Entry().Ops {
			if op.Name == "handshake.join" {
				joins++
				widest = max(widest, op.NumOperands())
			}
		}
		if joins != c.joins || widest != c.widest {
			t.Errorf("%d memories, limit %d: %d joins, the widest takes %d", c.n, c.limit, joins, widest)
		}
	}
}

// TestIfConversion: a cheap branch becomes a select, one that divides, loads or
// does much stays a branch.
func TestIfConversion(t *testing.T) {
	src := func(body string) string {
		return `func.func @f(%c: i1, %a: i32, %b: i32, %m: memref<4xi32>, %i: index) -> i32 {
  %r = scf.if %c -> (i32) {
` + body + `
    scf.yield %x : i32
  } else {
    scf.yield %b : i32
  }
  return %r : i32
}`
	}
	for _, c := range []struct {
		name, body string
		selects    int
	}{
		{"addition", "%x = arith.addi %a, %b : i32", 1},
		{"division", "%x = arith.divui %a, %b : i32", 0},
		{"load", "%x = memref.load %m[%i] : memref<4xi32>", 0},
		{"much", `
    %x0 = arith.muli %a, %b : i32
    %x1 = arith.muli %x0, %b : i32
    %x2 = arith.muli %x1, %b : i32
    %x3 = arith.muli %x2, %b : i32
    %x4 = arith.muli %x3, %b : i32
    %x5 = arith.muli %x4, %b : i32
    %x6 = arith.muli %x5, %b : i32
    %x7 = arith.muli %x6, %b : i32
    %x = arith.muli %x7, %b : i32`, 0},
	} {
		if got := counts(t, src(c.body), Options{}, "arith.select"); got[0] != c.selects {
			t.Errorf("%s: %d selects, want %d", c.name, got[0], c.selects)
		}
	}
}

// TestSimplify counts what is left of code that does nothing.
func TestSimplify(t *testing.T) {
	for _, c := range []struct {
		name, src string
		names     []string
		want      []int
	}{
		{"a carried value that never changes is no carry", `
func.func @f(%n: index, %a: i32, %b: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %k = %b) -> (i32, i32) {
    %t = arith.addi %s, %k : i32
    scf.yield %t, %k : i32, i32
  }
  return %r#0 : i32
}`, []string{"dataflow.carry", "dataflow.invariant"}, []int{1, 1}},
		{"unused results and dead loads are no hardware", `
func.func @f(%m: memref<8xi32>, %n: index, %a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %k = %a) -> (i32, i32) {
    %x = memref.load %m[%i] : memref<8xi32>
    %t = arith.addi %s, %a : i32
    %u = arith.muli %k, %k : i32
    scf.yield %t, %u : i32, i32
  }
  return %r#0 : i32
}`, []string{"dataflow.carry", "handshake.load", "arith.muli", "handshake.extmemory"}, []int{1, 0, 0, 0}},
		{"equal live-ins are repeated once", `
func.func @f(%m: memref<8xi32>, %n: index, %a: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %m[%i] : memref<8xi32>
    %t = arith.muli %x, %a : i32
    %u = arith.addi %t, %a : i32
    memref.store %u, %m[%i] : memref<8xi32>
  }
  return
}`, []string{"dataflow.invariant"}, []int{1}},
		{"what a loop does not change is computed outside", `
func.func @f(%m: memref<8xi32>, %a: i32, %b: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %t = arith.muli %a, %b : i32
    memref.store %t, %m[%i] : memref<8xi32>
  }
  return
}`, []string{"dataflow.invariant"}, []int{1}},
		{"constants are folded", `
func.func @f() -> i32 {
  %a = arith.constant 6 : i32
  %b = arith.constant 7 : i32
  %c = arith.muli %a, %b : i32
  %d = arith.index_cast %c : i32 to index
  %e = arith.index_cast %d : index to i32
  return %e : i32
}`, []string{"handshake.constant", "arith.muli", "arith.index_cast"}, []int{1, 0, 0}},
	} {
		if diff := cmp.Diff(c.want, counts(t, c.src, Options{}, c.names...)); diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", c.name, c.names, diff)
		}
	}
}

// TestIdentities: where an operation is replaced by one of its operands, that is
// its value, for every operation, constants on either side, and all small
// numbers.
func TestIdentities(t *testing.T) {
	replaced := 0
	for _, name := range num.Names() {
		for _, typ := range []ir.Type{ir.I1, ir.I8, ir.Index} {
			for _, c := range []int64{-1, 0, 1, 2, 3} {
				for at := range 2 {
					b := &ir.Block{}
					x, y := b.AddArg(typ, "x", diag.Pos{}), rewrite.Constant(diag.Pos{}, c, typ).Result(0)
					operands := []*ir.Value{x, y}
					if at == 0 {
						operands = []*ir.Value{y, x}
					}
					op := ir.NewOp(name, diag.Pos{}, operands, []ir.Type{typ})
					if _, err := num.Resolve(op, 64); err != nil {
						continue
					}
					v := identity(op)
					if v == nil {
						continue
					}
					replaced++
					for xv := int64(-4); xv < 4; xv++ {
						value := func(v *ir.Value) uint64 {
							n := xv
							if v == y {
								n = c
							}
							return num.Truncate(uint64(n), typ, 64)
						}
						got, err := num.Eval(op, []uint64{value(operands[0]), value(operands[1])}, 64)
						if err != nil {
							t.Fatal(err)
						}
						if got[0] != value(v) {
							t.Errorf("%s of %s with %d as operand #%d and %d is %d, not %d", name, typ, c, at, xv, got[0], value(v))
						}
					}
				}
			}
		}
	}
	if replaced < 20 {
		t.Errorf("only %d replacements were tried", replaced)
	}
}

// TestMemories: addresses of several dimensions, casts, rank 0, on-chip memory.
func TestMemories(t *testing.T) {
	for name, src := range map[string]string{
		"dimensions and casts": `
func.func @f(%m: memref<2x3x4xi32>, %i: index) -> (i32, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d = memref.cast %m : memref<2x3x4xi32> to memref<?x?x?xi32>
  %x = memref.load %d[%c1, %c2, %i] : memref<?x?x?xi32>
  memref.store %x, %m[%c1, %c1, %i] : memref<2x3x4xi32>
  %n = memref.dim %d, %c1 : memref<?x?x?xi32>
  return %x, %n : i32, index
}`,
		"rank 0 and on-chip": `
func.func @f(%m: memref<i32>, %k: i32) -> i32 {
  %t = memref.alloca() : memref<2x2xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %m[] : memref<i32>
  memref.store %x, %t[%c1, %c0] : memref<2x2xi32>
  memref.store %k, %m[] : memref<i32>
  %y = memref.load %t[%c1, %c0] : memref<2x2xi32>
  return %y : i32
}`,
		"a call": `
func.func private @get(%m: memref<?x4xi32>, %i: index) -> i32 {
  %v = memref.load %m[%i, %i] : memref<?x4xi32>
  return %v : i32
}
func.func @f(%m: memref<4x4xi32>, %i: index) -> i32 {
  %c3 = arith.constant 3 : index
  %j = arith.andi %i, %c3 : index
  %d = memref.cast %m : memref<4x4xi32> to memref<?x4xi32>
  %a = call @get(%d, %j) : (memref<?x4xi32>, index) -> i32
  %b = call @get(%d, %c3) : (memref<?x4xi32>, index) -> i32
  %c = arith.addi %a, %b : i32
  return %c : i32
}`,
	} {
		m := parse(t, src)
		var fn *ir.Operation
		for _, op := range m.Regions[0].Entry().Ops {
			if op.SymName() == "f" {
				fn = op
			}
		}
		in := randprog.Inputs(m, 1)
		if name == "a call" {
			n := ir.NewOp("builtin.module", m.Pos, nil, nil)
			n.AddRegion().AddBlock().Append(fn.Clone(map[*ir.Value]*ir.Value{}))
			in = randprog.Inputs(n, 1)
		}
		for i := range in.Args {
			if in.Args[i].Type == ir.Type(ir.Index) {
				in.Args[i].Scalar = 2
			}
		}
		if d, err := disagreement(fn, in, 1, Options{}); err != nil || d != "" {
			t.Errorf("%s: %v %s", name, err, d)
		}
	}
}

// TestPipelined: under R1 loads of one level start together, under R2 and R3 an
// access issues without waiting for the one before.
func TestPipelined(t *testing.T) {
	vecadd := kernels(t)["vecadd"]
	res, err := Lower(vecadd, Options{MemoryOrder: "pipelined"})
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range res.Func.Regions[0].Entry().Ops {
		if op.Name == "handshake.load" || op.Name == "handshake.store" {
			if d := op.Operand(2).Def; d == nil || d.Name != "dataflow.invariant" {
				t.Errorf("'%s' at %s is not issued by its region's control", op.Name, op.Pos)
			}
		}
	}
	r1 := `func.func @f(%m: memref<4xi32>, %i: index) -> i32 {
  %a = memref.load %m[%i] : memref<4xi32>
  %c1 = arith.constant 1 : index
  %j = arith.xori %i, %c1 : index
  %b = memref.load %m[%j] : memref<4xi32>
  %s = arith.addi %a, %b : i32
  memref.store %s, %m[%i] : memref<4xi32>
  return %s : i32
}`
	for order, want := range map[string]int{"serial": 0, "pipelined": 1} {
		if got := counts(t, r1, Options{MemoryOrder: order}, "handshake.join"); got[0] != want {
			t.Errorf("%s: %d joins, want %d", order, got[0], want)
		}
	}
}

// TestDumpsAreMLIR: what --dump-after shows of the structured passes is MLIR that
// other tools read, rank 0 and views included.
func TestDumpsAreMLIR(t *testing.T) {
	tool := toolstest.Path(t, tools.MLIROpt)
	modules := []*ir.Operation{parse(t, `
func.func @f(%m: memref<i32>, %n: memref<2x3xi32>, %i: index) -> i32 {
  %x = memref.load %m[] : memref<i32>
  memref.store %x, %n[%i, %i] : memref<2x3xi32>
  return %x : i32
}`)}
	for _, m := range kernels(t) {
		modules = append(modules, m)
	}
	for seed := range uint64(5) {
		modules = append(modules, randprog.Generate(seed, variety(seed)))
	}
	var all bytes.Buffer
	for _, m := range modules {
		for _, name := range []string{"inline", "linearise", "simplify", "if-convert", "guards", "hoist", "tidy"} {
			_, err := Lower(m, Options{DumpAfter: name, DumpTo: &all, Print: func(op *ir.Operation) string {
				return mlir.Print(op, mlir.Options{})
			}})
			if err != nil {
				t.Fatal(err)
			}
			all.WriteString("// -----\n")
		}
	}
	cmd := exec.Command(tool, "-split-input-file", "-o", os.DevNull)
	cmd.Stdin = &all
	text := all.String()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, text)
	}
}
