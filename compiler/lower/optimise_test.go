package lower

import (
	"bytes"
	"strings"
	"testing"

	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/sim/vector"
)

// broken are the preconditions of optimisations, each with a program and inputs
// on which forgetting it shows.
var broken = map[deviation]struct {
	src     string
	scalars []uint64
}{
	guardsAtMost: {`func.func @f(%m: memref<8xi32>, %n: index, %k: index, %v: i32) {
  %c1 = arith.constant 1 : index
  %c = arith.cmpi sle, %k, %n : index
  scf.if %c {
    scf.for %i = %k to %n step %c1 {
      memref.store %v, %m[%i] : memref<8xi32>
    }
  }
  return
}`, []uint64{3, 3, 9}},
	rangesShort: {`func.func @f(%m: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c1 {
    %c = arith.cmpi slt, %i, %c4 : index
    scf.if %c {
      memref.store %v, %m[%i] : memref<8xi32>
    }
  }
  return
}`, []uint64{77}},
	convertLoads: {`func.func @f(%m: memref<4xi32>, %i: index) -> i32 {
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %c = arith.cmpi ult, %i, %c4 : index
  %r = scf.if %c -> (i32) {
    %x = memref.load %m[%i] : memref<4xi32>
    scf.yield %x : i32
  } else {
    scf.yield %zero : i32
  }
  return %r : i32
}`, []uint64{7}},
	convertStore: {`func.func @f(%m: memref<4xi32>, %c: i1, %i: index, %a: i32, %b: i32) -> i32 {
  %r = scf.if %c -> (i32) {
    memref.store %a, %m[%i] : memref<4xi32>
    scf.yield %a : i32
  } else {
    scf.yield %b : i32
  }
  return %r : i32
}`, []uint64{0, 1, 1234, 5}},
	shareRegions: {`func.func @f(%m: memref<4xi32>, %c: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %k = arith.constant 5 : i32
  scf.if %c {
    memref.store %k, %m[%c0] : memref<4xi32>
  }
  return %k : i32
}`, []uint64{0}},
	mergeReaders: {`func.func @f(%m: memref<4xi32>, %c: i1, %a: i32, %b: i32) -> i32 {
  %c0 = arith.constant 0 : index
  scf.if %c {
    memref.store %a, %m[%c0] : memref<4xi32>
  }
  %x = memref.load %m[%c0] : memref<4xi32>
  scf.if %c {
    memref.store %b, %m[%c0] : memref<4xi32>
  }
  return %x : i32
}`, []uint64{1, 10, 20}},
}

// twoBranches are two branches of one condition with something in between.
func twoBranches(between string) string {
	return `func.func @f(%m: memref<4xi32>, %n: memref<4xi32>, %c: i1, %a: i32, %b: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %c {
    memref.store %a, %m[%c0] : memref<4xi32>
  }
  ` + between + `
  scf.if %c {
    memref.store %b, %m[%c1] : memref<4xi32>
  }
  return
}`
}

// TestBrokenPreconditions breaks the precondition of each optimisation: the
// comparison with the interpreter notices, and passes when nothing is broken.
func TestBrokenPreconditions(t *testing.T) {
	for d, c := range broken {
		m := parse(t, c.src)
		in := randprog.Inputs(m, 1)
		set(in, c.scalars)
		for _, order := range []string{"serial", "pipelined"} {
			if diff, err := disagreement(randprog.Function(m), in, 1, Options{MemoryOrder: order}); err != nil || diff != "" {
				t.Errorf("%s: fails as it is: %v %s", d, err, diff)
			}
			diff, err := disagreement(randprog.Function(m), in, 1, Options{MemoryOrder: order, deviate: d})
			if err == nil && diff == "" {
				t.Errorf("%s: nothing notices in %s order", d, order)
			}
		}
	}
}

// set gives the scalar arguments their values, in order.
func set(in *vector.Inputs, scalars []uint64) {
	for i := range in.Args {
		if in.Args[i].Mem == nil && len(scalars) > 0 {
			in.Args[i].Scalar, scalars = scalars[0], scalars[1:]
		}
	}
}

// TestBranches: branches of one condition are one, nested ones as well, and what
// decides for a whole loop stands outside it. The memory order stays.
func TestBranches(t *testing.T) {
	nest := func(cond, rest string) string {
		return `func.func @f(%m: memref<8xi32>, %c: i1, %d: i1, %n: index, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if ` + cond + ` {
      memref.store %v, %m[%i] : memref<8xi32>` + rest + `
    }
  }
  return
}`
	}
	for _, c := range []struct {
		name, src string
		branches  int
	}{
		{"next to each other", twoBranches(""), 1},
		{"arithmetic in between", twoBranches("%x = arith.addi %a, %b : i32\n  memref.store %x, %n[%c0] : memref<4xi32>"), 2},
		{"an access in between", twoBranches("memref.store %b, %n[%c1] : memref<4xi32>"), 2},
		// The guard of the loop and the condition become one branch.
		{"invariant condition", nest("%c", ""), 1},
		{"two invariant conditions", nest("%c", "\nscf.if %d {\nmemref.store %v, %m[%c0] : memref<8xi32>\n}"), 2},
		{"the same condition inside", nest("%c", "\nscf.if %c {\nmemref.store %v, %m[%c0] : memref<8xi32>\n}"), 1},
	} {
		var dump bytes.Buffer
		m := parse(t, c.src)
		_, err := Lower(m, Options{DumpAfter: "tidy", DumpTo: &dump,
			Print: func(op *ir.Operation) string { return mlir.Print(op, mlir.Options{}) }})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(dump.String(), "scf.if"); got != c.branches {
			t.Errorf("%s: %d branches, want %d:\n%s", c.name, got, c.branches, dump.String())
		}
		for seed := range uint64(8) {
			in := randprog.Inputs(m, seed)
			if in.Args[1].Mem != nil {
				set(in, []uint64{seed & 1, seed, 5})
			} else {
				set(in, []uint64{seed & 1, seed >> 1 & 1, 3 * (seed >> 2), 7})
			}
			for _, order := range []string{"serial", "pipelined"} {
				if d, err := disagreement(randprog.Function(m), in, seed, Options{MemoryOrder: order}); err != nil || d != "" {
					t.Errorf("%s: %v %s", c.name, err, d)
				}
			}
		}
	}
}

// TestProvenGuards: what proves that a loop runs, or that it runs once, beyond a
// branch with its own comparison; and that the loops of equal guards share one.
func TestProvenGuards(t *testing.T) {
	fn := func(params, body string) string {
		return `func.func @f(%m: memref<64xindex>, ` + params + `) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0 : i32
` + body + `
  return
}`
	}
	loop := func(iv, lb, ub string) string {
		return "scf.for %" + iv + " = " + lb + " to " + ub + " step %c1 {\n memref.store %" + iv + ", %m[%" + iv + "] : memref<64xindex>\n}\n"
	}
	for _, c := range []struct {
		name, src string
		branches  int
		streams   int
	}{
		{"an interval", fn("%a: index", "%b = arith.andi %a, %c3 : index\n%n = arith.addi %b, %c1 : index\n"+loop("i", "%c0", "%n")), 0, 1},
		{"an interval that holds 0", fn("%a: index", "%n = arith.andi %a, %c3 : index\n"+loop("i", "%c0", "%n")), 1, 1},
		{"not 0, of a masked number", fn("%a: index", "%n = arith.andi %a, %c3 : index\n%c = arith.cmpi ne, %n, %c0 : index\nscf.if %c {\n"+loop("i", "%c0", "%n")+"}"), 1, 1},
		{"not 0, of any number", fn("%n: index", "%u = arith.minsi %n, %c3 : index\n%c = arith.cmpi ne, %u, %c0 : index\nscf.if %c {\n"+loop("i", "%c0", "%u")+"}"), 1, 1},
		{"a bound that was widened", fn("%a: i32", "%k = arith.constant 7 : i32\n%b = arith.minsi %a, %k : i32\n%n = arith.index_cast %b : i32 to index\n%c = arith.cmpi sgt, %b, %z : i32\nscf.if %c {\n"+loop("i", "%c0", "%n")+"}"), 1, 1},
		{"unsigned and small", fn("%a: index, %b: index", "%k = arith.andi %a, %c3 : index\n%n = arith.andi %b, %c8 : index\n%c = arith.cmpi ult, %k, %n : index\nscf.if %c {\n"+loop("i", "%k", "%n")+"}"), 1, 1},
		{"one iteration", fn("%a: index", "%k = arith.andi %a, %c3 : index\n%n = arith.addi %k, %c1 : index\n"+loop("i", "%k", "%n")), 0, 0},
		{"no iteration", fn("%a: index", "%n = arith.andi %a, %c3 : index\n"+loop("i", "%c8", "%n")), 0, 0},
		{"equal guards", fn("%a: index", "%n = arith.andi %a, %c3 : index\n"+loop("i", "%c0", "%n")+loop("j", "%c0", "%n")), 1, 2},
		{"the guard of the outer loop", fn("%a: index", "%n = arith.andi %a, %c3 : index\nscf.for %j = %c0 to %n step %c1 {\n"+loop("i", "%c0", "%n")+"}"), 1, 2},
	} {
		var dump bytes.Buffer
		m := parse(t, c.src)
		res, err := Lower(m, Options{DumpAfter: "tidy", DumpTo: &dump,
			Print: func(op *ir.Operation) string { return mlir.Print(op, mlir.Options{}) }})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		streams := 0
		for _, op := range res.Func.Regions[0].Entry().Ops {
			if op.Name == "dataflow.stream" {
				streams++
			}
		}
		if got := strings.Count(dump.String(), "scf.if"); got != c.branches || streams != c.streams {
			t.Errorf("%s: %d branches and %d streams, want %d and %d:\n%s", c.name, got, streams, c.branches, c.streams, dump.String())
		}
		for n := range uint64(16) {
			in := randprog.Inputs(m, n)
			set(in, []uint64{n, 15 - n})
			for _, order := range []string{"serial", "pipelined"} {
				if d, err := disagreement(randprog.Function(m), in, n, Options{MemoryOrder: order}); err != nil || d != "" {
					t.Errorf("%s: %v %s", c.name, err, d)
				}
			}
		}
	}
}

// TestLoopValues counts what is left of values that loops carry for nothing.
func TestLoopValues(t *testing.T) {
	while := func(inits, cond, yields, use string) string {
		return `func.func @f(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %six = arith.constant 6 : i32
  %start = arith.andi %a, %seven : i32
  %r:2 = scf.while (` + inits + `) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi sgt, %x, %zero : i32
    scf.condition(%more) ` + cond + ` : i32, i32
  } do {
  ^bb0(%p: i32, %q: i32):
    %less = arith.subi %p, %one : i32
    %next = arith.andi %less, %six : i32
    scf.yield %next, ` + yields + ` : i32, i32
  }
  return ` + use + ` : i32
}`
	}
	for _, c := range []struct {
		name, src string
		carries   int
	}{
		{"a value that never changes: the loop computes nothing", while("%x = %start, %y = %b", "%x, %y", "%q", "%r#1"), 0},
		{"a value that is never read", while("%x = %start, %y = %b", "%x, %y", "%next", "%r#0"), 1},
		{"a value that only computes itself", `func.func @f(%a: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %k = %a) -> (i32, i32) {
    %t = arith.addi %s, %a : i32
    %u = arith.muli %k, %t : i32
    scf.yield %t, %u : i32, i32
  }
  return %r#0 : i32
}`, 1},
		{"two that stay equal", `func.func @f(%a: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %k = %a) -> (i32, i32) {
    %t = arith.muli %s, %s : i32
    %u = arith.muli %k, %k : i32
    scf.yield %t, %u : i32, i32
  }
  %x = arith.xori %r#0, %r#1 : i32
  %y = arith.addi %x, %r#0 : i32
  return %y : i32
}`, 1},
	} {
		if got := counts(t, c.src, Options{}, "dataflow.carry"); got[0] != c.carries {
			t.Errorf("%s: %d carries, want %d", c.name, got[0], c.carries)
		}
		m := parse(t, c.src)
		for seed := range uint64(10) {
			in := randprog.Inputs(m, seed)
			set(in, []uint64{seed * 5, seed})
			if d, err := disagreement(randprog.Function(m), in, seed, Options{}); err != nil || d != "" {
				t.Errorf("%s: %v %s", c.name, err, d)
			}
		}
	}
}

// TestForwardedLoads: an element that was just loaded or stored is not loaded
// again, one that may have changed is.
func TestForwardedLoads(t *testing.T) {
	for _, c := range []struct {
		name, body string
		loads      int
	}{
		{"loaded twice", "%x = memref.load %m[%i] : memref<4xi32>\n%y = memref.load %m[%i] : memref<4xi32>", 1},
		{"stored and loaded", "memref.store %v, %m[%i] : memref<4xi32>\n%x = memref.load %m[%i] : memref<4xi32>\n%y = memref.load %n[%i] : memref<4xi32>", 1},
		{"another element stored", "%x = memref.load %m[%i] : memref<4xi32>\nmemref.store %v, %m[%j] : memref<4xi32>\n%y = memref.load %m[%i] : memref<4xi32>", 2},
		{"another memory stored", "%x = memref.load %m[%i] : memref<4xi32>\nmemref.store %v, %n[%i] : memref<4xi32>\n%y = memref.load %m[%i] : memref<4xi32>", 1},
		{"stored in a branch", "%x = memref.load %m[%i] : memref<4xi32>\nscf.if %c {\nmemref.store %v, %m[%i] : memref<4xi32>\n}\n%y = memref.load %m[%i] : memref<4xi32>", 2},
		{"a branch without stores", "%x = memref.load %m[%i] : memref<4xi32>\n%z = scf.if %c -> (i32) {\n%w = memref.load %n[%i] : memref<4xi32>\nscf.yield %w : i32\n} else {\nscf.yield %v : i32\n}\nmemref.store %z, %n[%j] : memref<4xi32>\n%y = memref.load %m[%i] : memref<4xi32>", 2},
	} {
		m := parse(t, `func.func @f(%m: memref<4xi32>, %n: memref<4xi32>, %p: index, %q: index, %v: i32, %c: i1) -> (i32, i32) {
  %c3 = arith.constant 3 : index
  %i = arith.andi %p, %c3 : index
  %j = arith.andi %q, %c3 : index
  `+c.body+`
  return %x, %y : i32, i32
}`)
		res, err := Lower(m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		loads := 0
		for _, op := range res.Func.Regions[0].Entry().Ops {
			if op.Name == "handshake.load" {
				loads++
			}
		}
		if loads != c.loads {
			t.Errorf("%s: %d loads, want %d", c.name, loads, c.loads)
		}
		for n := range uint64(8) {
			in := randprog.Inputs(m, n)
			set(in, []uint64{n & 3, n >> 1 & 3, 100 + n, n & 1})
			if d, err := disagreement(randprog.Function(m), in, n, Options{MemoryOrder: []string{"serial", "pipelined"}[n&1]}); err != nil || d != "" {
				t.Errorf("%s: %v %s", c.name, err, d)
			}
		}
	}
}
