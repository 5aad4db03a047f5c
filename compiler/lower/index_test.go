package lower

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/dialect/index"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/num"
	"loom/compiler/rewrite"
	"loom/internal/randprog"
	"loom/sim/vector"
)

// indexForms are the operations in which values of the index dialect matter.
var indexForms = []construction{
	{name: "index: bounds, subscripts and conditions of affine operations", src: `
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0)>
func.func @f(%n: index, %m: memref<64xi32>) -> index {
  %two = index.constant 2
  %end = index.add %n, %two
  %half = index.floordivs %end, %two
  %start = index.constant -1
  %sum = affine.for %i = max affine_map<()[s0] -> (s0, 0)>()[%start] to %end iter_args(%s = %two) -> index {
    %k = index.remu %i, %two
    %v = index.casts %k : index to i32
    affine.store %v, %m[%i + symbol(%half)] : memref<64xi32>
    %w = affine.load %m[%i + symbol(%half)] : memref<64xi32>
    affine.if #set(%i)[%half] {
      affine.store %w, %m[%i] : memref<64xi32>
    }
    %x = index.castu %w : i32 to index
    %t = index.add %s, %x
    affine.yield %t : index
  }
  %r = affine.apply affine_map<(d0)[s0] -> (d0 * 3 + s0)>(%sum)[%half]
  return %r : index
}
`, args: []string{`"n": 20, "m": {"random": 64}`, `"n": -2, "m": {"random": 64}`, `"n": 0, "m": {"zeros": 64}`}},
	{name: "index: loops, branches and switches, in a callee", src: `
func.func private @step(%i: index, %n: index) -> (index, i1) {
  %two = index.constant 2
  %j = index.mul %i, %two
  %more = index.cmp ult(%j, %n)
  return %j, %more : index, i1
}
func.func @f(%n: index, %m: memref<32xindex>) -> (index, i1) {
  %no = index.bool.constant false
  %zero = index.constant 0
  %one = index.constant 1
  %last:2 = scf.while (%i = %one, %c = %no) : (index, i1) -> (index, i1) {
    %j, %more = func.call @step(%i, %n) : (index, index) -> (index, i1)
    scf.condition(%more) %j, %more : index, i1
  } do {
  ^bb0(%i: index, %c: i1):
    scf.yield %i, %c : index, i1
  }
  %size = index.sizeof
  %bound = index.minu %size, %n
  scf.for %i = %zero to %bound step %one {
    %odd = index.and %i, %one
    %is = index.cmp eq(%odd, %one)
    scf.if %is {
      %x = index.shl %i, %odd
      %q = index.shru %i, %one
      memref.store %x, %m[%q] : memref<32xindex>
    }
    scf.index_switch %odd
    case 0 {
      %q = index.shrs %i, %one
      memref.store %q, %m[%q] : memref<32xindex>
      scf.yield
    }
    default {
    }
  }
  return %last#0, %last#1 : index, i1
}
`, args: []string{`"n": 9, "m": {"zeros": 32}`, `"n": 63, "m": {"zeros": 32}`, `"n": 0, "m": {"zeros": 32}`}},
	{name: "index: conversions keep or lose the sign", src: `
func.func @f(%a: i8, %i: index) -> (index, index, i8, i60, i60, i1) {
  %s = index.casts %a : i8 to index
  %u = index.castu %a : i8 to index
  %n = index.casts %i : index to i8
  %w = index.casts %i : index to i60
  %x = index.castu %i : index to i60
  %lt = index.cmp ult(%s, %u)
  return %s, %u, %n, %w, %x, %lt : index, index, i8, i60, i60, i1
}
`, args: []string{`"a": -3, "i": -1`, `"a": 127, "i": -129`, `"a": 0, "i": 300`}},
}

// TestIndexForms: operations of index compute on both levels what they mean, for
// targets with wide and with narrow indices.
func TestIndexForms(t *testing.T) {
	acceptedUpstream(t, indexForms)
	for _, c := range indexForms {
		for _, width := range []int{64, 32} {
			t.Run(fmt.Sprintf("%s, %d bits", c.name, width), func(t *testing.T) { agree(t, c, Options{IndexWidth: width}) })
		}
	}
}

// everyIndexOperation is a function that applies each operation on two indices to
// its parameters, in the order of the results.
func everyIndexOperation() (src string, names []string) {
	var body strings.Builder
	var values, types []string
	result := func(name, text, typ string) {
		v := fmt.Sprintf("%%r%d", len(values))
		fmt.Fprintf(&body, "  %s = %s\n", v, text)
		names, values, types = append(names, name), append(values, v), append(types, typ)
	}
	for _, d := range ir.Definitions() {
		if !strings.HasPrefix(d.Name, "index.") {
			continue
		}
		switch d.Name {
		case "index.cmp":
			for _, p := range arith.IntPredicates {
				result("cmp "+p, fmt.Sprintf("index.cmp %s(%%a, %%b)", p), "i1")
			}
		case "index.casts", "index.castu":
			for _, to := range []string{"i1", "i8", "i32", "i40", "i64"} {
				result(d.Name+" to "+to, fmt.Sprintf("%s %%a : index to %s", d.Name, to), to)
				result(d.Name+" from "+to, fmt.Sprintf("%s %%x%s : %s to index", d.Name, to, to), "index")
			}
		case "index.sizeof":
			result(d.Name, d.Name, "index")
		case "index.constant":
			result(d.Name, d.Name+" -7", "index")
		case "index.bool.constant":
			result(d.Name, d.Name+" true", "i1")
		default:
			result(d.Name, d.Name+" %a, %b", "index")
		}
	}
	return fmt.Sprintf("func.func @f(%%a: index, %%b: index, %%xi1: i1, %%xi8: i8, %%xi32: i32, %%xi40: i40, %%xi64: i64) -> (%s) {\n%s  return %s : %s\n}\n",
		strings.Join(types, ", "), body.String(), strings.Join(values, ", "), strings.Join(types, ", ")), names
}

// TestEveryIndexOperation: the interpreter, which computes index operations
// itself, and the graph, in which arith computes them, agree on extreme and
// random values, at both index widths.
func TestEveryIndexOperation(t *testing.T) {
	src, names := everyIndexOperation()
	if want := 20 + 10 + 20 + 3; len(names) != want {
		t.Errorf("%d forms where %d are expected", len(names), want)
	}
	acceptedUpstream(t, []construction{{src: src}})
	m := parse(t, src)
	fn := randprog.Function(m)
	r := rand.New(rand.NewPCG(3, 4))
	for _, width := range []int{64, 32} {
		low := 1<<(width-1) - 1 // the greatest signed integer
		extreme := []uint64{0, 1, 2, 3, 7, ^uint64(0), ^uint64(0) - 1, uint64(low), uint64(low) + 1, uint64(low) + 2, uint64(width) - 1, uint64(width), uint64(width) + 1}
		var pairs [][2]uint64
		for _, a := range extreme {
			for _, b := range extreme {
				pairs = append(pairs, [2]uint64{a, b})
			}
		}
		for range 40 {
			pairs = append(pairs, [2]uint64{r.Uint64(), r.Uint64() >> r.IntN(64)})
		}
		for i, p := range pairs {
			in := &vector.Inputs{}
			for k, a := range fn.Regions[0].Entry().Args {
				v := p[k%2]
				if k >= 2 {
					v = p[0] ^ p[1]<<k
				}
				in.Args = append(in.Args, vector.Arg{Name: a.Name, Scalar: num.Truncate(v, a.Type, width)})
			}
			diff, err := disagreement(fn, in, uint64(i), Options{Function: "f", IndexWidth: width})
			if err != nil {
				t.Fatal(err)
			}
			if diff != "" {
				t.Fatalf("%d bits, %#x and %#x: %s\nthe results are %q", width, p[0], p[1], diff, names)
			}
		}
	}
}

// TestIndexIsGone: the pass leaves no operation of index, and what replaces one
// stands where it stood.
func TestIndexIsGone(t *testing.T) {
	src, _ := everyIndexOperation()
	s := &state{opts: Options{IndexWidth: 32}, fn: randprog.Function(parse(t, src))}
	positions := func() (list []diag.Pos) {
		for _, op := range s.fn.Regions[0].Entry().Ops {
			list = append(list, op.Pos)
		}
		return list
	}
	want := positions()
	lowerIndex(s, nil)
	if diff := cmp.Diff(want, positions()); diff != "" {
		t.Errorf("positions (-before +after):\n%s", diff)
	}
	s.fn.Walk(func(op *ir.Operation) bool {
		if op.Dialect() == "index" {
			t.Errorf("'%s' is left", op.Name)
		}
		return true
	})
	if t.Failed() {
		return
	}
	res, err := Lower(parse(t, src), s.opts)
	if err != nil {
		t.Fatal(err)
	}
	res.Func.Walk(func(op *ir.Operation) bool {
		if op.Dialect() == "index" {
			t.Errorf("'%s' is left in the graph", op.Name)
		}
		return true
	})
}

// TestIndexFaults: what is wrong with an operation of index is reported where it
// stands in the text.
func TestIndexFaults(t *testing.T) {
	for _, c := range []struct {
		name, src string
		width     int
		want      []string
	}{
		{"an integer with a sign", `func.func @f(%i: index, %m: memref<4xindex>) {
  %s = index.casts %i : index to si32
  %j = index.castu %s : si32 to index
  memref.store %j, %m[%i] : memref<4xindex>
  return
}`, 64, []string{"k.mlir:2:8: 'index.casts' cannot be lowered to a dataflow graph", "k.mlir:3:8: 'index.castu' cannot be lowered to a dataflow graph"}},
		{"a constant beyond the index", `func.func @f() -> index {
  %c = index.constant 4294967296
  return %c : index
}`, 32, []string{"k.mlir:2:8: the constant 4294967296 does not fit an index of 32 bits"}},
		{"a step of zero", `func.func @f(%n: index, %m: memref<4xindex>) {
  %c = index.constant 0
  scf.for %i = %c to %n step %c {
    memref.store %i, %m[%i] : memref<4xindex>
  }
  return
}`, 64, []string{"k.mlir:3:3: the step of this loop is 0, it must be positive"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Lower(parse(t, c.src), Options{IndexWidth: c.width})
			var got []string
			for _, d := range diag.FromError(err).All {
				if d.Severity == diag.Error {
					got = append(got, fmt.Sprintf("%s: %s", d.Pos, d.Message))
				}
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// withIndex writes every operation of arith that has a twin in index with it and
// returns how many.
func withIndex(m *ir.Operation) (changed int) {
	twins := map[string]string{}
	for _, d := range ir.Definitions() {
		if d.Twin != "" {
			twins[d.Twin] = d.Name
		}
	}
	twins["arith.constant"] = "index.constant"
	isIndex := func(v *ir.Value) bool { return v.Type == ir.Type(ir.Index) }
	rewrite.Blocks(m, func(b *ir.Block) {
		rewrite.Rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
			name := twins[op.Name]
			cast := name == "index.casts" || name == "index.castu"
			fits := name != "" && op.Attr("overflowFlags") == nil && (cast || op.NumOperands() > 0 && isIndex(op.Operand(0)) || op.NumOperands() == 0 && isIndex(op.Result(0)))
			if op.Name == "arith.constant" && op.Result(0).Type == ir.Type(ir.I1) {
				name, fits = "index.bool.constant", true
			}
			if !fits {
				emit(op)
				return
			}
			changed++
			twin := ir.NewOp(name, op.Pos, op.Operands(), []ir.Type{op.Result(0).Type})
			switch name {
			case "index.cmp":
				p, _ := arith.PredicateOf(op)
				twin.SetAttr("pred", index.PredicateAttr(p))
			case "index.constant", "index.bool.constant":
				twin.SetAttr("value", op.Attr("value"))
			}
			emit(twin)
			replace(op, twin.Results())
			rewrite.Drop(op)
		})
	})
	return changed
}

// TestIndexTwins: a random program that computes its indices with index has the
// very graph of the program that computes them with arith, and the same outcome.
func TestIndexTwins(t *testing.T) {
	changed, n := 0, programs(150)
	for seed := range n {
		m, opts := program(seed), settings(seed, orders[seed%2])
		twin := m.Clone(map[*ir.Value]*ir.Value{})
		changed += withIndex(twin)
		in := randprog.Inputs(m, seed)
		var outcomes []*vector.Outcome
		var graphs []string
		for _, p := range []*ir.Operation{m, twin} {
			out, err := interp.Run(randprog.Function(p), in, interp.Options{IndexWidth: opts.IndexWidth})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			res, err := Lower(p, opts)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			outcomes, graphs = append(outcomes, out), append(graphs, mlir.Print(res.Module, mlir.Options{}))
		}
		if diff := vector.Diff(outcomes[0], outcomes[1]); len(diff) > 0 {
			t.Fatalf("seed %d: %s\n%s", seed, strings.Join(diff, "\n"), mlir.Print(twin, mlir.Options{}))
		}
		if diff := cmp.Diff(graphs[0], graphs[1]); diff != "" {
			t.Fatalf("seed %d: (-arith +index)\n%s", seed, diff)
		}
	}
	if changed < 6*int(n) {
		t.Errorf("only %d operations of index", changed)
	}
}
