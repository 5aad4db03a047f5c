package lower

import (
	"slices"
	"strings"
	"testing"

	"loom/compiler/cabi"
	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/sim/vector"
)

// overlapping gives two memory arguments of one element type one array: the smaller
// is the end of the larger. It returns their positions, nil where there are no two.
func overlapping(in *vector.Inputs) []int {
	for i, a := range in.Args {
		for j, b := range in.Args[:i] {
			if a.Mem == nil || b.Mem == nil || a.Mem.Elem != b.Mem.Elem || len(a.Mem.Data) == 0 || len(b.Mem.Data) == 0 {
				continue
			}
			small, large := a.Mem, b.Mem
			if len(small.Data) > len(large.Data) {
				small, large = large, small
			}
			large.Data = append(make([]uint64, 0, len(large.Data)), large.Data...)
			small.Data = large.Data[len(large.Data)-len(small.Data):]
			return []int{j, i}
		}
	}
	return nil
}

// aliasProgram is a random program whose arguments share an array, nil for a seed
// without one. Programs with affine subscripts show R4, the others everything else.
func aliasProgram(t *testing.T, seed uint64) (m *ir.Operation, in *vector.Inputs, sets [][]int, width int) {
	if seed%2 == 0 {
		p := affineProgram(seed / 2)
		if p == nil {
			return
		}
		m, in, width = parse(t, p.text), p.inputs(seed), p.indexWidth
	} else {
		o := variety(seed / 2)
		width = settings(seed/2, "").IndexWidth
		o.IndexWidth = width
		o.Memories = 3
		m = randprog.Generate(seed/2, o)
		in = randprog.Inputs(m, seed)
	}
	if set := overlapping(in); set != nil {
		sets = [][]int{set}
	}
	return
}

// aliasDisagreement runs the program of a seed; ran is false for a seed without one.
func aliasDisagreement(t *testing.T, seed uint64, order string, marked bool, d deviation) (diff string, ran bool) {
	m, in, sets, width := aliasProgram(t, seed)
	if sets == nil {
		return "", false
	}
	if seed%4 > 1 {
		// A third array overlaps with one of the two: they are ordered together.
		for k, a := range in.Args {
			if a.Mem != nil && !slices.Contains(sets[0], k) {
				sets = append(sets, []int{k, sets[0][0]})
			}
		}
	}
	fn := randprog.Function(m)
	if marked {
		cabi.SetAliases(fn, sets)
	}
	opts := settings(seed/2, order)
	opts.IndexWidth, opts.deviate = width, d
	if marked && d == "" {
		// What is found to be legal must stay so when text is all there is.
		m = parse(t, mlir.Print(m, mlir.Options{}))
		fn = randprog.Function(m)
	}
	diff, err := disagreement(fn, in, seed, opts)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, mlir.Print(m, mlir.Options{}))
	}
	return diff, true
}

// TestOverlappingMemories: two parameters that are one array in the interpreter and
// in the graph mean the same in both orders where the function declares that they may be.
func TestOverlappingMemories(t *testing.T) {
	for _, order := range orders {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			ran := 0
			n := programs(1500)
			for seed := range n {
				diff, ok := aliasDisagreement(t, seed, order, true, "")
				if diff != "" {
					m, _, _, _ := aliasProgram(t, seed)
					t.Fatalf("seed %d: %s\n%s", seed, diff, mlir.Print(m, mlir.Options{}))
				}
				if ok {
					ran++
				}
			}
			if uint64(ran) < n/3 {
				t.Errorf("only %d of %d programs have two memories of one type", ran, n)
			}
		})
	}
}

// TestOverlapMatters: without the attribute, and where a rule forgets it, a run of the
// graph differs.
func TestOverlapMatters(t *testing.T) {
	for _, c := range []struct {
		name   string
		marked bool
		broken deviation
		orders []string
	}{
		{"unmarked", false, "", orders},
		{"split", true, aliasesApart, orders},
		{"free", true, aliasesFree, []string{"pipelined"}},
		{"unordered", true, memoryUnordered, orders},
		{"skipped", true, memorySkipDone, orders},
	} {
		for _, order := range c.orders {
			t.Run(c.name+"/"+order, func(t *testing.T) {
				for seed := range uint64(600) {
					if diff, _ := aliasDisagreement(t, seed, order, c.marked, c.broken); diff != "" {
						t.Logf("noticed by program %d", seed)
						return
					}
				}
				t.Error("not noticed by 600 programs")
			})
		}
	}
}

// shifted copies from one memory to another, element by element. Where the two are
// one array, or its neighbouring parts, each iteration meets another.
const shifted = `
func.func @shifted(%n: index, %x: memref<?xi32>, %y: memref<?xi32>, %z: memref<?xi32>) ATTR {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %v = memref.load %x[%i] : memref<?xi32>
    memref.store %v, %y[%i] : memref<?xi32>
    memref.store %v, %z[%i] : memref<?xi32>
  }
  return
}`

// TestOverlapReport: the report names the memories of a group, why they are one, and
// the accesses that keep iterations in order.
func TestOverlapReport(t *testing.T) {
	for _, c := range []struct{ attr, want string }{
		{"", "memory x, at 2:31: load at 6:10\n  R2: no store: loads issue as soon as their region runs\n" +
			"memory y, at 2:50: store at 7:5\n  R3: a single access: its port keeps its requests in order\n" +
			"memory z, at 2:69: store at 8:5\n  R3: a single access: its port keeps its requests in order\n"},
		{"attributes {loom.may_alias = [[1, 2]]}", "memories x, y, at 2:31: load of x at 6:10, store of y at 7:5\n" +
			"  merged: the function declares that they may overlap (loom.may_alias), so accesses to one wait for those to another\n" +
			"  serial: 1 load and 1 store need an order\n" +
			"  loop %i at 5:3: serial: not decided between the load of x at 6:10 and the store of y at 7:5: the two memories may overlap\n" +
			"memory z, at 2:69: store at 8:5\n  R3: a single access: its port keeps its requests in order\n"},
		{"attributes {loom.may_alias = [array<i64: 3, 2>, [1, 3]]}", "memories x, y, z, at 2:31: load of x at 6:10, store of y at 7:5, store of z at 8:5\n" +
			"  merged: the function declares that they may overlap (loom.may_alias), so accesses to one wait for those to another\n" +
			"  serial: 1 load and 2 stores need an order\n" +
			"  loop %i at 5:3: serial: not decided between the load of x at 6:10 and the store of z at 8:5: the two memories may overlap\n"},
	} {
		res, err := Lower(parse(t, strings.Replace(shifted, "ATTR", c.attr, 1)), Options{MemoryOrder: "pipelined"})
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Memory.String(); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.attr, got, c.want)
		}
	}
}

// TestOverlapPairs: two memories that may both overlap with a third are different ones.
func TestOverlapPairs(t *testing.T) {
	m := parse(t, `
func.func @k(%n: index, %out: memref<?xi32>, %g: memref<8xi32>, %h: memref<8xi32>) attributes {loom.may_alias = [[1, 2], [1, 3]]} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %v = memref.load %h[%i] : memref<8xi32>
    memref.store %v, %g[%i] : memref<8xi32>
  }
  %v = memref.load %g[%zero] : memref<8xi32>
  memref.store %v, %out[%zero] : memref<?xi32>
  return
}`)
	res, err := Lower(m, Options{MemoryOrder: "pipelined"})
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Memory.String(); !strings.Contains(got, "loop %i at 5:3: R4: ") || !strings.Contains(got, "memories out, g, h") {
		t.Errorf("%s", got)
	}
}

// TestOverlapFaults: positions that are no memrefs are refused, in functions and in
// graphs.
func TestOverlapFaults(t *testing.T) {
	for attr, want := range map[string]string{
		"[[1, 4]]":               "names parameter 4 of 4",
		"[[-1, 2]]":              "names parameter -1 of 4",
		"[[0, 1]]":               "names parameter 0, which is no memref",
		"[1, 2]":                 "must be a list of arrays",
		"array<i64: 1, 2>":       "must be a list of arrays",
		"[[1.0 : f32, 2 : i64]]": "must be a list of arrays",
	} {
		_, err := Lower(parse(t, strings.Replace(shifted, "ATTR", "attributes {loom.may_alias = "+attr+"}", 1)), Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", attr, err, want)
		}
		res, err := Lower(parse(t, strings.Replace(shifted, "ATTR", "", 1)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(mlir.Print(res.Module, mlir.Options{}), "attributes {", "attributes {loom.may_alias = "+attr+", ", 1)
		found := &diag.List{}
		dfg.Verify(parse(t, text).Regions[0].Entry().Ops[0], found)
		if want := "loom.may_alias"; len(found.All) != 1 || !strings.Contains(found.All[0].Message, want) {
			t.Errorf("%s in a graph: %v, want %q", attr, found, want)
		}
	}
}

// TestOverlapForgetsLoads: what was loaded from one memory is not known any more
// after a store to the other.
func TestOverlapForgetsLoads(t *testing.T) {
	m := parse(t, `
func.func @k(%x: memref<4xi32>, %y: memref<4xi32>) -> i32 attributes {loom.may_alias = [[0, 1]]} {
  %zero = arith.constant 0 : index
  %c = arith.constant 7 : i32
  %a = memref.load %x[%zero] : memref<4xi32>
  memref.store %c, %y[%zero] : memref<4xi32>
  %b = memref.load %x[%zero] : memref<4xi32>
  %s = arith.addi %a, %b : i32
  return %s : i32
}`)
	in := randprog.Inputs(m, 1)
	overlapping(in)
	if d, err := disagreement(randprog.Function(m), in, 1, Options{}); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
	if d, err := disagreement(randprog.Function(m), in, 1, Options{deviate: aliasesApart}); err != nil || d == "" {
		t.Errorf("a forgotten attribute is not noticed: %v", err)
	}
}

// TestOverlapCopies: memref.copy between memories that may overlap reads all before
// it writes any.
func TestOverlapCopies(t *testing.T) {
	m := parse(t, `
func.func @k(%x: memref<4xi32>, %y: memref<3xi32>) attributes {loom.may_alias = [[0, 1]]} {
  %v = memref.subview %x[0] [3] [1] : memref<4xi32> to memref<3xi32, strided<[1]>>
  memref.copy %v, %y : memref<3xi32, strided<[1]>> to memref<3xi32>
  return
}`)
	in := randprog.Inputs(m, 3)
	overlapping(in)
	if d, err := disagreement(randprog.Function(m), in, 1, Options{}); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
	if d, err := disagreement(randprog.Function(m), in, 1, Options{deviate: copyInPlace}); err != nil || d == "" {
		t.Errorf("copying in place is not noticed: %v", err)
	}
}

// TestAttributesStay: the graph carries the attributes of the function's parameters, in
// the order of the parameters.
func TestAttributesStay(t *testing.T) {
	m := parse(t, strings.Replace(shifted, "ATTR", "attributes {loom.may_alias = [array<i64: 1, 3>], loom.c = {name = \"shifted\", params = []}}", 1))
	res, err := Lower(m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := mlir.ParseAndVerify("again", mlir.Print(res.Module, mlir.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range []*ir.Operation{res.Module, again} {
		fn := module.Regions[0].Entry().Ops[0]
		if f, ok := cabi.Of(fn); !ok || f.Name != "shifted" {
			t.Errorf("loom.c is %v", fn.Attr(cabi.Attribute))
		}
		got, err := cabi.Aliases(fn, fn.Regions[0].Entry().Args)
		if err != nil || len(got) != 5 || got[1] != 1 || got[3] != 1 || got[2] != -1 {
			t.Errorf("overlaps read back as %v, %v", got, err)
		}
	}
	if in := randprog.Inputs(m, 1); in != nil {
		if _, err := interp.Run(randprog.Function(m), in, interp.Options{}); err != nil {
			t.Error(err)
		}
	}
}
