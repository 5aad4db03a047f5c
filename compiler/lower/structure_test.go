package lower

import (
	"fmt"
	"math/bits"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
	"loom/sim/token"
	"loom/sim/vector"
)

// construction is a function with the inputs it is run on, as in an input file.
type construction struct {
	name, src string
	args      []string
	// new is set where the text is newer than the installed mlir-opt.
	new bool
	// wide is set where the inputs need an index of 64 bits.
	wide bool
}

// agree runs a function on inputs at levels 1 and 2: in both memory orders, with
// and without if-conversion, with channels of one token, two and any number, in
// order and in random order, and with slow memory. No program may read what
// nothing has written.
func agree(t *testing.T, c construction, opts Options) {
	t.Helper()
	if diff, err := difference(c, opts); err != nil {
		t.Fatal(err)
	} else if diff != "" {
		t.Fatal(diff)
	}
}

// difference is the first disagreement that agree reports; the error is about
// what keeps the function from running.
func difference(c construction, opts Options) (string, error) {
	m, err := mlir.ParseAndVerify("k.mlir", c.src)
	if err != nil {
		return "", err
	}
	fn := ir.LookupSymbol(m, "f")
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		return "", err
	}
	width := opts.IndexWidth
	if width == 0 {
		width = 64
	}
	var inputs []*vector.Inputs
	var want []*vector.Outcome
	for _, text := range c.args {
		in, err := vector.ParseInputs("in.json", []byte(`{"args": {`+text+`}}`), sig, width)
		if err != nil {
			return "", err
		}
		out, err := interp.Run(fn, in, interp.Options{CheckUndefined: true, IndexWidth: opts.IndexWidth})
		if err != nil {
			return "", err
		}
		if out.Status != vector.Done {
			return "", fmt.Errorf("%s: the interpreter ends with %s: %v", text, out.Status, out.Detail)
		}
		inputs, want = append(inputs, in), append(want, out)
	}
	for _, order := range []string{"serial", "pipelined"} {
		for _, keepBranches := range []bool{false, true} {
			opts := opts
			opts.Function, opts.MemoryOrder, opts.keepBranches = "f", order, keepBranches
			res, err := Lower(m, opts)
			if err != nil {
				return "", fmt.Errorf("%s order: %w", order, err)
			}
			p, err := token.Compile(res.Func, opts.IndexWidth)
			if err != nil {
				return "", err
			}
			for i, in := range inputs {
				for _, s := range []token.Options{{}, {Capacity: 1}, {Capacity: 2, Seed: 7, MemDelay: 20}, {Capacity: 1, Seed: 3, MemDelay: 5}, {Seed: 5, MemDelay: 100}} {
					s.MaxSteps = 200_000
					got, _, err := p.Run(in, s)
					if err != nil {
						return "", err
					}
					diff := vector.Diff(want[i], got)
					if got.Status != vector.Done {
						diff = append(diff, got.Detail...)
					}
					if len(diff) > 0 {
						return fmt.Sprintf("%s: %s order, branches kept %v, %+v: %s\n%s", c.args[i], order, keepBranches, s, got.Status, strings.Join(diff, "\n")), nil
					}
				}
			}
		}
	}
	return "", nil
}

// acceptedUpstream reads all functions with mlir-opt, where it is installed.
func acceptedUpstream(t *testing.T, list []construction) {
	t.Run("mlir-opt", func(t *testing.T) {
		tool := toolstest.Path(t, tools.MLIROpt)
		var all []string
		for _, c := range list {
			if !c.new {
				all = append(all, c.src)
			}
		}
		cmd := exec.Command(tool, "--allow-unregistered-dialect", "--split-input-file", "-o", "/dev/null")
		cmd.Stdin = strings.NewReader(strings.Join(all, "\n// -----\n"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

var structures = []construction{
	{name: "promises of alignment, in loops, branches and about views", src: `
func.func @f(%n: index, %m: memref<8xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  memref.assume_alignment %m, 64 : memref<8xi32>
  affine.for %i = 0 to %n {
    affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%i) {
      memref.assume_alignment %m, 32 : memref<8xi32>
    }
    %s = memref.subview %m[%i] [1] [1] : memref<8xi32> to memref<1xi32, strided<[1], offset: ?>>
    memref.assume_alignment %s, 4 : memref<1xi32, strided<[1], offset: ?>>
    memref.store %c1, %s[%c0] : memref<1xi32, strided<[1], offset: ?>>
  }
  %x = memref.load %m[%c0] : memref<8xi32>
  return %x : i32
}
`, args: []string{`"n": 5, "m": {"random": 8}`, `"n": 0, "m": {"random": 8}`}},
	{name: "index switch with results", src: `
func.func @f(%i: index, %m: memref<8xi32>) -> (i32, i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : index
  %r:2 = scf.index_switch %i -> i32, i32
  case 2 {
    %a = memref.load %m[%zero] : memref<8xi32>
    scf.yield %a, %one : i32, i32
  }
  case 5 {
    memref.store %one, %m[%i] : memref<8xi32>
    scf.yield %one, %one : i32, i32
  }
  case -1 {
    %b = arith.constant 77 : i32
    scf.yield %b, %one : i32, i32
  }
  default {
    %c = arith.index_cast %i : index to i32
    scf.yield %one, %c : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
`, args: []string{`"i": 2, "m": {"random": 8}`, `"i": 5, "m": {"random": 8}`, `"i": -1, "m": {"zeros": 8}`, `"i": 3, "m": {"zeros": 8}`}},
	{name: "index switch without results, in a loop, nested", src: `
func.func @f(%n: index, %m: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.remui %i, %c3 : index
    scf.index_switch %k
    case 0 {
      memref.store %i, %m[%c0] : memref<8xindex>
      scf.yield
    }
    case 1 {
      %x = memref.load %m[%c0] : memref<8xindex>
      scf.index_switch %x
      case 0 {
        memref.store %n, %m[%c3] : memref<8xindex>
        scf.yield
      }
      default {
        memref.store %x, %m[%c3] : memref<8xindex>
      }
      scf.yield
    }
    default {
    }
  }
  return
}
`, args: []string{`"n": 7, "m": {"zeros": 8}`, `"n": 0, "m": {"zeros": 8}`}},
	{name: "index switch with only a default", src: `
func.func @f(%i: index, %m: memref<8xi32>) -> i32 {
  %r = scf.index_switch %i -> i32
  default {
    %a = memref.load %m[%i] : memref<8xi32>
    scf.yield %a : i32
  }
  return %r : i32
}
`, args: []string{`"i": 2, "m": {"random": 8}`}},
	{name: "index switch over many cases in a row", src: `
func.func @f(%i: index, %m: memref<8xi32>) -> i32 {
  %c7 = arith.constant 7 : index
  %a = arith.andi %i, %c7 : index
  %r = scf.index_switch %i -> i32
  case 1 {
    %v = memref.load %m[%a] : memref<8xi32>
    %k = arith.constant 100 : i32
    %w = arith.addi %v, %k : i32
    memref.store %w, %m[%c7] : memref<8xi32>
    scf.yield %w : i32
  }
  case 0 {
    %v = memref.load %m[%a] : memref<8xi32>
    %k = arith.constant 101 : i32
    %w = arith.addi %v, %k : i32
    memref.store %w, %m[%c7] : memref<8xi32>
    scf.yield %w : i32
  }
  case -1 {
    %v = memref.load %m[%a] : memref<8xi32>
    %k = arith.constant 102 : i32
    %w = arith.addi %v, %k : i32
    memref.store %w, %m[%c7] : memref<8xi32>
    scf.yield %w : i32
  }
  case 2 {
    %v = memref.load %m[%a] : memref<8xi32>
    %k = arith.constant 103 : i32
    %w = arith.addi %v, %k : i32
    memref.store %w, %m[%c7] : memref<8xi32>
    scf.yield %w : i32
  }
  case 3 {
    %v = memref.load %m[%a] : memref<8xi32>
    %k = arith.constant 104 : i32
    %w = arith.addi %v, %k : i32
    memref.store %w, %m[%c7] : memref<8xi32>
    scf.yield %w : i32
  }
  default {
    %d = arith.constant -1 : i32
    memref.store %d, %m[%a] : memref<8xi32>
    scf.yield %d : i32
  }
  return %r : i32
}
`, args: []string{`"i": -2, "m": {"random": 8}`, `"i": -1, "m": {"random": 8}`, `"i": 0, "m": {"random": 8}`, `"i": 1, "m": {"random": 8}`, `"i": 2, "m": {"random": 8}`, `"i": 3, "m": {"random": 8}`, `"i": 4, "m": {"random": 8}`}},
	{name: "index switch over many cases with gaps", src: `
func.func @f(%i: index, %m: memref<8xi32>) -> i32 {
  %c7 = arith.constant 7 : index
  %a = arith.andi %i, %c7 : index
  %r = scf.index_switch %i -> i32
  case 40 {
    %v = memref.load %m[%a] : memref<8xi32>
    %k = arith.constant 100 : i32
    %w = arith.addi %v, %k : i32
    memref.store %w, %m[%c7] : memref<8xi32>
    scf.yield %w : i32
  }
  case -7 {
    %v = memref.load %m[%a] : memref<8xi32>
    %k = arith.constant 101 : i32
    %w = arith.addi %v, %k : i32
    memref.store %w, %m[%c7] : memref<8xi32>
    scf.yield %w : i32
  }
  case 3 {
    %v = memref.load %m[%a] : memref<8xi32>
    %k = arith.constant 102 : i32
    %w = arith.addi %v, %k : i32
    memref.store %w, %m[%c7] : memref<8xi32>
    scf.yield %w : i32
  }
  case 1000 {
    %v = memref.load %m[%a] : memref<8xi32>
    %k = arith.constant 103 : i32
    %w = arith.addi %v, %k : i32
    memref.store %w, %m[%c7] : memref<8xi32>
    scf.yield %w : i32
  }
  case 4 {
    %v = memref.load %m[%a] : memref<8xi32>
    %k = arith.constant 104 : i32
    %w = arith.addi %v, %k : i32
    memref.store %w, %m[%c7] : memref<8xi32>
    scf.yield %w : i32
  }
  default {
    %d = arith.constant -1 : i32
    memref.store %d, %m[%a] : memref<8xi32>
    scf.yield %d : i32
  }
  return %r : i32
}
`, args: []string{`"i": 40, "m": {"random": 8}`, `"i": -7, "m": {"random": 8}`, `"i": 3, "m": {"random": 8}`, `"i": 1000, "m": {"random": 8}`, `"i": 4, "m": {"random": 8}`, `"i": 5, "m": {"random": 8}`, `"i": 0, "m": {"random": 8}`}},
	{name: "execute region", src: `
func.func @f(%i: index, %m: memref<8xi32>) -> i32 {
  %v = scf.execute_region -> i32 {
    %a = memref.load %m[%i] : memref<8xi32>
    %b = scf.execute_region -> i32 {
      %c = arith.addi %a, %a : i32
      scf.yield %c : i32
    }
    memref.store %b, %m[%i] : memref<8xi32>
    scf.yield %b : i32
  }
  scf.execute_region {
    memref.store %v, %m[%i] : memref<8xi32>
    scf.yield
  }
  return %v : i32
}
`, args: []string{`"i": 2, "m": {"random": 8}`}},
	{name: "parallel with reductions", src: `
func.func @f(%n: index, %k: index, %m: memref<?xi32>) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %init = arith.constant 100 : i32
  %unit = arith.constant 1 : i32
  %r:2 = scf.parallel (%i, %j) = (%c0, %c1) to (%n, %k) step (%c1, %c2) init (%init, %unit) -> (i32, i32) {
    %p = arith.muli %i, %k : index
    %q = arith.addi %p, %j : index
    %v = memref.load %m[%q] : memref<?xi32>
    memref.store %unit, %m[%q] : memref<?xi32>
    scf.reduce(%v, %v : i32, i32) {
    ^bb0(%x: i32, %y: i32):
      %w = arith.shli %x, %unit : i32
      %s = arith.subi %w, %y : i32
      scf.reduce.return %s : i32
    }, {
    ^bb0(%x: i32, %y: i32):
      %c = arith.cmpi slt, %x, %y : i32
      %s = scf.if %c -> i32 {
        scf.yield %y : i32
      } else {
        %t = arith.muli %x, %unit : i32
        scf.yield %t : i32
      }
      scf.reduce.return %s : i32
    }
  }
  return %r#0, %r#1 : i32, i32
}
`, args: []string{`"n": 3, "k": 5, "m": {"random": 15}`, `"n": 0, "k": 5, "m": {"random": 1}`, `"n": 2, "k": 1, "m": {"random": 2}`}},
	{name: "parallel without reductions", src: `
func.func @f(%n: index, %a: memref<4x4x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j, %k) = (%c0, %c0, %c0) to (%n, %n, %n) step (%c1, %c1, %c1) {
    %v = memref.load %a[%i, %j, %k] : memref<4x4x4xi32>
    %w = arith.muli %v, %v : i32
    memref.store %w, %a[%i, %j, %k] : memref<4x4x4xi32>
    scf.reduce
  }
  return
}
`, args: []string{`"n": 4, "a": {"random": 64}`, `"n": 0, "a": {"random": 64}`}},
	{name: "forall", src: `
func.func @f(%n: index, %a: memref<6x6xi32>) {
  %one = arith.constant 1 : i32
  scf.forall (%i, %j) in (%n, 4) {
    %v = memref.load %a[%i, %j] : memref<6x6xi32>
    %w = arith.addi %v, %one : i32
    memref.store %w, %a[%i, %j] : memref<6x6xi32>
  }
  scf.forall (%i) = (1) to (%n) step (2) {
    memref.store %one, %a[%i, %i] : memref<6x6xi32>
  }
  return
}
`, args: []string{`"n": 5, "a": {"random": 36}`, `"n": 0, "a": {"random": 36}`}},
	{name: "alloca scope", src: `
func.func @f(%n: i32, %i: index) -> i32 {
  %r = memref.alloca_scope -> (i32) {
    %b = memref.alloca() : memref<4xi32>
    memref.store %n, %b[%i] : memref<4xi32>
    %v = memref.load %b[%i] : memref<4xi32>
    memref.alloca_scope.return %v : i32
  }
  return %r : i32
}
`, args: []string{`"n": 3, "i": 2`}},
	{name: "copy", src: `
func.func @f(%a: memref<2x3xi32>, %b: memref<2x3xi32>, %s: memref<i32>, %t: memref<i32>) {
  memref.copy %a, %b : memref<2x3xi32> to memref<2x3xi32>
  memref.copy %a, %a : memref<2x3xi32> to memref<2x3xi32>
  memref.copy %s, %t : memref<i32> to memref<i32>
  return
}
`, args: []string{`"a": {"random": 6}, "b": {"zeros": 6}, "s": 4, "t": 5`}},
	{name: "copy of unknown size on one side", src: `
func.func @f(%a: memref<?xi32>, %b: memref<8xi32>, %n: index) {
  %w = memref.subview %b[1] [%n] [2] : memref<8xi32> to memref<?xi32, strided<[2], offset: 1>>
  memref.copy %a, %w : memref<?xi32> to memref<?xi32, strided<[2], offset: 1>>
  return
}
`, args: []string{`"a": {"random": 3}, "b": {"zeros": 8}, "n": 3`, `"a": {"random": 0}, "b": {"zeros": 8}, "n": 0`}},
	{name: "copy between overlapping parts", src: `
func.func @f(%a: memref<8xi32>) {
  %x = memref.subview %a[0] [5] [1] : memref<8xi32> to memref<5xi32, strided<[1]>>
  %y = memref.subview %a[2] [5] [1] : memref<8xi32> to memref<5xi32, strided<[1], offset: 2>>
  memref.copy %x, %y : memref<5xi32, strided<[1]>> to memref<5xi32, strided<[1], offset: 2>>
  return
}
`, args: []string{`"a": [1, 2, 3, 4, 5, 6, 7, 8]`}},
	{name: "atomic updates", src: `
func.func @f(%a: memref<4xi32>, %b: memref<4xf32>, %i: index, %v: i32, %x: f32) -> (i32, f32, i32) {
  %p = memref.atomic_rmw addi %v, %a[%i] : (i32, memref<4xi32>) -> i32
  %q = memref.atomic_rmw maximumf %x, %b[%i] : (f32, memref<4xf32>) -> f32
  %r = memref.atomic_rmw assign %v, %a[%i] : (i32, memref<4xi32>) -> i32
  return %p, %q, %r : i32, f32, i32
}
`, args: []string{`"a": [1, 2, 3, 4], "b": [1.0, -2.0, 0.5, 8.0], "i": 2, "v": 9, "x": 0.75`}},
	{name: "loops of every integer type", src: `
func.func @f(%a: i1, %e: i1, %b: i3, %c: i8, %d: i64, %m: memref<8xi64>) -> (i64, i3) {
  %z1 = arith.constant 0 : i1
  %z3 = arith.constant -4 : i3
  %s3 = arith.constant 2 : i3
  %z8 = arith.constant -128 : i8
  %s8 = arith.constant 100 : i8
  %z64 = arith.constant -3 : i64
  %s64 = arith.constant 2 : i64
  %zero = arith.constant 0 : i64
  %zz = arith.constant 0 : i3
  %r1 = scf.for %i = %a to %z1 step %e iter_args(%s = %zero) -> (i64) : i1 {
    scf.yield %d : i64
  }
  %r3:2 = scf.for %i = %z3 to %b step %s3 iter_args(%s = %r1, %l = %zz) -> (i64, i3) : i3 {
    %x = arith.extsi %i : i3 to i64
    %y = arith.addi %s, %x : i64
    scf.yield %y, %i : i64, i3
  }
  %r8 = scf.for %i = %z8 to %c step %s8 iter_args(%s = %r3#0) -> (i64) : i8 {
    %x = arith.extsi %i : i8 to i64
    %y = arith.addi %s, %x : i64
    scf.yield %y : i64
  }
  %r64 = scf.for %i = %z64 to %d step %s64 iter_args(%s = %r8) -> (i64) : i64 {
    %y = arith.addi %s, %i : i64
    %k = arith.constant 0 : index
    memref.store %y, %m[%k] : memref<8xi64>
    scf.yield %y : i64
  }
  return %r64, %r3#1 : i64, i3
}
`, args: []string{`"a": false, "e": false, "b": 1, "c": 20, "d": 6, "m": {"zeros": 8}`, `"a": false, "e": true, "b": -4, "c": -128, "d": -3, "m": {"zeros": 8}`}},
	{name: "loops without sign", new: true, wide: true, src: `
func.func @f(%a: i8, %b: i8, %s: i8, %x: index, %y: index) -> (i8, i8, index, i1) {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %ten = arith.constant 10 : i8
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no = arith.constant false
  %yes = arith.constant true
  %r = scf.for unsigned %i = %a to %b step %s iter_args(%t = %zero) -> (i8) : i8 {
    %u = arith.addi %t, %i : i8
    scf.yield %u : i8
  }
  %q = scf.for unsigned %i = %zero to %ten step %one iter_args(%t = %zero) -> (i8) : i8 {
    %u = arith.addi %t, %i : i8
    scf.yield %u : i8
  }
  %p = scf.for unsigned %i = %x to %y step %c1 iter_args(%t = %c0) -> (index) {
    %u = arith.addi %t, %i : index
    scf.yield %u : index
  }
  %w = scf.for unsigned %i = %no to %yes step %yes iter_args(%t = %no) -> (i1) : i1 {
    %u = arith.xori %t, %yes : i1
    scf.yield %u : i1
  }
  return %r, %q, %p, %w : i8, i8, index, i1
}
`, args: []string{`"a": 100, "b": 140, "s": 7, "x": 9223372036854775805, "y": -9223372036854775805`, `"a": 3, "b": -1, "s": 100, "x": 5, "y": 3`,
		`"a": 200, "b": 100, "s": 1, "x": 3, "y": 5`, `"a": 1, "b": -30, "s": -56, "x": -5, "y": -3`}},
	{name: "step known at run time", src: `
func.func @f(%n: index, %s: index, %m: memref<16xindex>) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %s {
    memref.store %s, %m[%i] : memref<16xindex>
  }
  return
}
`, args: []string{`"n": 16, "s": 3, "m": {"zeros": 16}`, `"n": 0, "s": 0, "m": {"zeros": 16}`, `"n": -3, "s": -1, "m": {"zeros": 16}`}},
	{name: "do-while that only forwards", src: `
func.func @f(%n: i32, %m: memref<8xi32>) -> i32 {
  %one = arith.constant 1 : i32
  %k = arith.constant 2 : index
  %r = scf.while (%i = %n) : (i32) -> i32 {
    memref.store %i, %m[%k] : memref<8xi32>
    %j = arith.shrui %i, %one : i32
    %z = arith.constant 0 : i32
    %c = arith.cmpi ne, %j, %z : i32
    scf.condition(%c) %j : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  return %r : i32
}
`, args: []string{`"n": 37, "m": {"zeros": 8}`, `"n": 0, "m": {"zeros": 8}`}},
	{name: "while with effects before, other types after", src: `
func.func @f(%n: i32, %m: memref<8xi32>) -> (i64, f32, index) {
  %one = arith.constant 1 : i32
  %c7 = arith.constant 7 : index
  %r:3 = scf.while (%i = %n, %s = %one) : (i32, i32) -> (i64, f32, index) {
    %k = arith.index_castui %i : i32 to index
    %a = arith.andi %k, %c7 : index
    memref.store %s, %m[%a] : memref<8xi32>
    %z = arith.constant 0 : i32
    %c = arith.cmpi sgt, %i, %z : i32
    %w = arith.extsi %s : i32 to i64
    %f = arith.sitofp %i : i32 to f32
    scf.condition(%c) %w, %f, %a : i64, f32, index
  } do {
  ^bb0(%w: i64, %f: f32, %a: index):
    %v = memref.load %m[%a] : memref<8xi32>
    %t = arith.trunci %w : i64 to i32
    %u = arith.addi %t, %v : i32
    %i = arith.fptosi %f : f32 to i32
    %j = arith.subi %i, %one : i32
    scf.yield %j, %u : i32, i32
  }
  return %r#0, %r#1, %r#2 : i64, f32, index
}
`, args: []string{`"n": 9, "m": {"random": 8}`, `"n": 0, "m": {"random": 8}`, `"n": -4, "m": {"random": 8}`}},
	{name: "while without values", src: `
func.func @f(%m: memref<4xi32>) {
  %one = arith.constant 1 : i32
  %k = arith.constant 1 : index
  scf.while : () -> () {
    %v = memref.load %m[%k] : memref<4xi32>
    %z = arith.constant 0 : i32
    %c = arith.cmpi sgt, %v, %z : i32
    scf.condition(%c)
  } do {
    %v = memref.load %m[%k] : memref<4xi32>
    %w = arith.subi %v, %one : i32
    memref.store %w, %m[%k] : memref<4xi32>
    scf.yield
  }
  return
}
`, args: []string{`"m": [1, 5, 2, 3]`, `"m": [1, 0, 2, 3]`}},
	{name: "while with results only, with operands only", src: `
func.func @f(%n: i32, %m: memref<4xi32>) -> i32 {
  %one = arith.constant 1 : i32
  %k = arith.constant 1 : index
  %r = scf.while : () -> i32 {
    %v = memref.load %m[%k] : memref<4xi32>
    %c = arith.cmpi slt, %v, %n : i32
    scf.condition(%c) %v : i32
  } do {
  ^bb0(%v: i32):
    %w = arith.addi %v, %one : i32
    memref.store %w, %m[%k] : memref<4xi32>
    scf.yield
  }
  scf.while (%i = %r) : (i32) -> () {
    %z = arith.constant 0 : i32
    %c = arith.cmpi sgt, %i, %z : i32
    %j = arith.subi %i, %one : i32
    memref.store %j, %m[%k] : memref<4xi32>
    scf.condition(%c)
  } do {
    %j = memref.load %m[%k] : memref<4xi32>
    scf.yield %j : i32
  }
  return %r : i32
}
`, args: []string{`"n": 6, "m": [1, 2, 3, 4]`, `"n": 0, "m": [1, 2, 3, 4]`}},
	{name: "poison", src: `
func.func @f(%c: i1, %v: i32) -> (i32, f32) {
  %p = ub.poison : i32
  %q = ub.poison : f32
  %r = arith.select %c, %v, %p : i32
  return %r, %q : i32, f32
}
`, args: []string{`"c": true, "v": 5`, `"c": false, "v": 5`}},
	{name: "calls in loops and branches", src: `
func.func private @add(%m: memref<8xi32>, %i: index, %v: i32) -> i32 {
  %a = memref.load %m[%i] : memref<8xi32>
  %b = arith.addi %a, %v : i32
  memref.store %b, %m[%i] : memref<8xi32>
  return %b : i32
}
func.func private @twice(%m: memref<8xi32>, %i: index, %v: i32) -> (i32, i32) {
  %a = func.call @add(%m, %i, %v) : (memref<8xi32>, index, i32) -> i32
  %b = func.call @add(%m, %i, %a) : (memref<8xi32>, index, i32) -> i32
  return %b, %a : i32, i32
}
func.func @f(%n: index, %m: memref<8xi32>, %v: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> (i32) {
    %c = arith.cmpi ult, %i, %c3 : index
    %t = scf.if %c -> i32 {
      %x:2 = func.call @twice(%m, %i, %s) : (memref<8xi32>, index, i32) -> (i32, i32)
      scf.yield %x#1 : i32
    } else {
      scf.yield %s : i32
    }
    scf.yield %t : i32
  }
  return %r : i32
}
`, args: []string{`"n": 5, "m": {"random": 8}, "v": 3`}},
}

// TestStructures: every structured construct, in the forms programs have it.
func TestStructures(t *testing.T) {
	acceptedUpstream(t, structures)
	for _, c := range structures {
		t.Run(c.name, func(t *testing.T) {
			agree(t, c, Options{})
			if !c.wide {
				agree(t, c, Options{IndexWidth: 32})
			}
		})
	}
}

// TestSpelledOutArithmetic compares every operation that is rewritten with its
// value in package num, on extreme and arbitrary operands of every width. The
// wrapping and rounding of package num are what the interpreter computes.
func TestSpelledOutArithmetic(t *testing.T) {
	type form struct{ name, text, types string }
	var forms []form
	for _, n := range []string{"ceildivsi", "ceildivui", "floordivsi"} {
		forms = append(forms, form{n, "%r = arith." + n + " %a, %b : T\n  return %r : T", "T"})
	}
	forms = append(forms, form{"addui_extended", "%r, %o = arith.addui_extended %a, %b : T, i1\n  return %r, %o : T, i1", "T, i1"})
	for _, n := range []string{"mului_extended", "mulsi_extended"} {
		forms = append(forms, form{n, "%r, %h = arith." + n + " %a, %b : T\n  return %r, %h : T, T", "T, T"})
	}
	floats := len(forms)
	for _, n := range []string{"minimumf", "maximumf", "minnumf", "maxnumf"} {
		forms = append(forms, form{n, "%r = arith." + n + " %a, %b : T\n  return %r : T", "T"})
	}
	for _, n := range []string{"ceil", "trunc", "round", "roundeven"} {
		forms = append(forms, form{n, "%r = math." + n + " %a : T\n  return %r : T", "T"})
	}
	forms = append(forms, form{"copysign", "%r = math.copysign %a, %b : T\n  return %r : T", "T"})
	for i, f := range forms {
		types := []string{"i1", "i8", "i17", "i32", "i33", "i48", "i64", "index"}
		if i >= floats {
			types = []string{"f16", "bf16", "f32", "f64"}
		}
		for _, ty := range types {
			src := strings.ReplaceAll("func.func @f(%a: T, %b: T) -> ("+f.types+") {\n  "+f.text+"\n}\n", "T", ty)
			m := parse(t, src)
			fn := randprog.Function(m)
			for _, width := range []int{64, 32, 20} {
				if ty != "index" && width != 64 {
					continue
				}
				res, err := Lower(m, Options{IndexWidth: width})
				if err != nil {
					t.Fatal(err)
				}
				for _, op := range res.Func.Regions[0].Entry().Ops {
					if op.Name == "arith."+f.name || op.Name == "math."+f.name {
						t.Errorf("%s of %s is left in the graph", f.name, ty)
					}
				}
				p, err := interp.Compile(fn, interp.Options{IndexWidth: width})
				if err != nil {
					t.Fatal(err)
				}
				g, err := token.Compile(res.Func, width)
				if err != nil {
					t.Fatal(err)
				}
				for _, pair := range operands(ir.Type(fn.Regions[0].Entry().Args[0].Type), width) {
					in := &vector.Inputs{Args: []vector.Arg{{Name: "a", Type: fn.Regions[0].Entry().Args[0].Type, Scalar: pair[0]}, {Name: "b", Type: fn.Regions[0].Entry().Args[0].Type, Scalar: pair[1]}}}
					want, err := p.Run(in)
					if err != nil {
						t.Fatal(err)
					}
					got, _, err := g.Run(in, token.Options{IndexWidth: width})
					if err != nil {
						t.Fatal(err)
					}
					if d := vector.Diff(want, got); len(d) > 0 {
						t.Fatalf("%s of %s (index of %d bits) on %#x and %#x: %v", f.name, ty, width, pair[0], pair[1], d)
					}
				}
			}
		}
	}
}

// operands are pairs of bit patterns of a type: all pairs of its extremes and of
// some numbers in between.
func operands(t ir.Type, indexWidth int) [][2]uint64 {
	w, _ := ir.BitWidth(t, indexWidth)
	mask := ^uint64(0) >> (64 - w)
	one := map[string]uint64{"f16": 0x3c00, "bf16": 0x3f80, "f32": 0x3f800000, "f64": 0x3ff0000000000000}[t.String()]
	inf := map[string]uint64{"f16": 0x7c00, "bf16": 0x7f80, "f32": 0x7f800000, "f64": 0x7ff0000000000000}[t.String()]
	sign := uint64(1) << (w - 1)
	values := []uint64{0, 1, 2, 3, 7, mask, mask - 1, mask - 6, sign, sign - 1, sign + 1, sign >> 1, 0x123456789abcdef5 & mask, 0xfedcba9876543211 & mask}
	if ir.IsFloat(t) {
		quiet := inf | inf>>1&^inf
		// Halves, and numbers around those that have no fraction any more.
		step := inf & -inf // of the exponent
		digits := uint64(bits.TrailingZeros64(step))
		half, limit := one-step, one+digits*step
		for _, v := range []uint64{half - 1, half, half + 1, one + step/2, one + step + step/4, limit - step/2, limit - 1, limit, limit + 1, limit + step + 1} {
			values = append(values, v, v|sign)
		}
		values = append(values, one, one|sign, one+1, inf, inf|sign, inf+1, inf+1|sign, quiet, quiet|sign|3)
	}
	seen := map[uint64]bool{}
	var distinct []uint64
	for _, v := range values {
		if v &= mask; !seen[v] {
			seen[v] = true
			distinct = append(distinct, v)
		}
	}
	var out [][2]uint64
	for _, a := range distinct {
		for _, b := range distinct {
			out = append(out, [2]uint64{a, b})
		}
	}
	return out
}

// TestUnsignedLoopsStayPlain: bounds that cannot reach the sign bit cost nothing.
func TestUnsignedLoopsStayPlain(t *testing.T) {
	src := `
func.func @f(%n: i8, %m: memref<256xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant STEP : index
  %v = arith.constant 5 : i32
  %k = arith.index_castui %n : i8 to index
  scf.for unsigned %i = %c0 to %k step %c1 {
    memref.store %v, %m[%i] : memref<256xi32>
  }
  return
}
`
	for step, biased := range map[int]bool{1: false, 2: true} {
		res, err := Lower(parse(t, strings.Replace(src, "STEP", fmt.Sprint(step), 1)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		flips := strings.Count(mlir.Print(res.Module, mlir.Options{}), "arith.xori")
		if (flips > 0) != biased {
			t.Errorf("step %d: %d sign bits are flipped", step, flips)
		}
	}
}

// TestZeroStepAtRunTime: a step of 0 that only the run knows is the same error on
// both levels.
func TestZeroStepAtRunTime(t *testing.T) {
	m := parse(t, `
func.func @f(%n: index, %s: index, %m: memref<16xindex>) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %s {
    memref.store %s, %m[%i] : memref<16xindex>
  }
  return
}`)
	fn := randprog.Function(m)
	in := &vector.Inputs{Args: []vector.Arg{{Name: "n", Scalar: 3}, {Name: "s"}, {Name: "m", Mem: &vector.Memory{Name: "m", Elem: ir.Index, Shape: []int64{16}, Data: make([]uint64, 16)}}}}
	want, err := interp.Run(fn, in, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	res, err := Lower(m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := token.Run(res.Func, in, token.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want.Status != vector.Error || got.Status != want.Status || got.ErrorCode != want.ErrorCode || got.ErrorCode != interp.CodeZeroStep {
		t.Errorf("the interpreter ends with %s %d, the graph with %s %d", want.Status, want.ErrorCode, got.Status, got.ErrorCode)
	}
}

// TestUnsignedLoopText: the word "unsigned" is kept, by either form of text.
func TestUnsignedLoopText(t *testing.T) {
	for _, c := range structures {
		if c.name != "loops without sign" {
			continue
		}
		text := mlir.Print(parse(t, c.src), mlir.Options{})
		if n := strings.Count(text, "scf.for unsigned %"); n != 4 {
			t.Errorf("%d loops are unsigned in\n%s", n, text)
		}
		generic := mlir.Print(parse(t, text), mlir.Options{Generic: true})
		if again := mlir.Print(parse(t, generic), mlir.Options{}); again != text {
			t.Errorf("through the generic form:\n%s\n%s", generic, again)
		}
	}
}

// TestConstructionDeviationsAreCaught breaks each rule of the rewritings and of
// the views on purpose; some form must notice.
func TestConstructionDeviationsAreCaught(t *testing.T) {
	arithmetic := construction{name: "arithmetic", src: `
func.func @f(%a: i64, %b: i64) -> (i64, i64) {
  %q = arith.floordivsi %a, %b : i64
  %l, %h = arith.mulsi_extended %a, %b : i64
  return %q, %h : i64, i64
}
`, args: []string{`"a": -7, "b": 0`, `"a": -7, "b": 2`}}
	rounding := construction{name: "rounding", src: `
func.func @f(%a: f32) -> (f32, f32) {
  %q = math.round %a : f32
  %e = math.roundeven %a : f32
  return %q, %e : f32, f32
}
`, args: []string{`"a": 0.49999997`, `"a": 16777215`, `"a": -2.5`}}
	all := slices.Concat([]construction{arithmetic, rounding}, structures, viewForms, globalForms, localForms, indexForms)
	for _, d := range constructions {
		t.Run(string(d), func(t *testing.T) {
			for _, c := range all {
				diff, err := difference(c, Options{deviate: d})
				if err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				if diff != "" {
					t.Logf("noticed by %q", c.name)
					return
				}
			}
			t.Errorf("no form notices that %s", d)
		})
	}
}

// TestConstructionDumpsAreMLIR: what the passes make of every form is MLIR that
// other tools read.
func TestConstructionDumpsAreMLIR(t *testing.T) {
	var dumps []construction
	for _, c := range slices.Concat(structures, viewForms, globalForms, localForms, indexForms) {
		for _, pass := range []string{"structure", "linearise", "tidy"} {
			var text strings.Builder
			_, err := Lower(parse(t, c.src), Options{Function: "f", DumpAfter: pass, DumpTo: &text,
				Print: func(op *ir.Operation) string { return mlir.Print(op, mlir.Options{}) }})
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if text.Len() == 0 {
				t.Fatalf("%s: no dump after %s", c.name, pass)
			}
			dumps = append(dumps, construction{src: text.String()})
		}
	}
	acceptedUpstream(t, dumps)
}
