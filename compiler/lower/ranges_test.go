package lower

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/num"
	"loom/internal/randprog"
	"loom/sim/vector"
)

// someInterval draws an interval and a few of the numbers it holds.
func someInterval(r *rand.Rand, w int) (interval, []uint64) {
	m := widthMask(w)
	x, y := r.Uint64()&m, r.Uint64()&m
	if r.IntN(2) == 0 {
		y = (x + r.Uint64N(4)) & m
	}
	var v interval
	if r.IntN(2) == 0 {
		a, b := signed(x, w), signed(y, w)
		v = between(min(a, b), max(a, b), w)
	} else {
		v = betweenU(min(x, y), max(x, y), w)
	}
	if r.IntN(4) == 0 {
		if u, ok := v.meet(betweenU(r.Uint64()&m>>1, m, w), w); ok {
			v = u
		}
	}
	var in []uint64
	for n := range uint64(1) << min(w, 5) {
		if w > 5 {
			n = []uint64{v.ulo, v.uhi, uint64(v.lo) & m, uint64(v.hi) & m, r.Uint64() & m, 0, 1, m, m >> 1, m>>1 + 1}[n%10]
		}
		if holds(v, n, w) {
			in = append(in, n)
		}
	}
	return v, in
}

func holds(v interval, bits uint64, w int) bool {
	s := signed(bits, w)
	return s >= v.lo && s <= v.hi && bits >= v.ulo && bits <= v.uhi
}

// TestIntervals: what an operation computes of numbers in intervals lies in the
// interval of the result, for every operation, all numbers of small widths and
// the extreme ones of large widths.
func TestIntervals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	rg := &ranges{indexWidth: 64, known: map[*ir.Value]interval{}, here: map[*ir.Value]interval{}}
	narrowed := map[string]bool{}
	for _, name := range num.Names() {
		for range 1500 {
			w := []int{1, 2, 3, 4, 5, 8, 32, 64}[r.IntN(8)]
			to := w
			if _, cast := castKind(&ir.Operation{Name: name}); cast {
				to = []int{1, 2, 3, 4, 5, 8, 32, 64}[r.IntN(8)]
			}
			result := ir.Type(ir.Int(to))
			var operands []*ir.Value
			b := &ir.Block{}
			p := int64(-1)
			switch name {
			case "arith.cmpi":
				p = int64(r.IntN(10))
				result = ir.I1
				operands = []*ir.Value{b.AddArg(ir.Int(w), "", diag.Pos{}), b.AddArg(ir.Int(w), "", diag.Pos{})}
			case "arith.select":
				operands = []*ir.Value{b.AddArg(ir.I1, "", diag.Pos{}), b.AddArg(ir.Int(w), "", diag.Pos{}), b.AddArg(ir.Int(w), "", diag.Pos{})}
			default:
				operands = []*ir.Value{b.AddArg(ir.Int(w), "", diag.Pos{})}
				op := ir.NewOp(name, diag.Pos{}, operands, []ir.Type{result})
				if _, err := num.Resolve(op, 64); err != nil {
					operands = append(operands, b.AddArg(ir.Int(w), "", diag.Pos{}))
				}
			}
			op := ir.NewOp(name, diag.Pos{}, operands, []ir.Type{result})
			if p >= 0 {
				op.SetAttr("predicate", ir.IntAttr(p, ir.I64))
			}
			f, err := num.Compile(op, 64)
			if err != nil {
				continue
			}
			values := make([][]uint64, len(operands))
			for i, v := range operands {
				width, _ := rg.width(v)
				rg.known[v], values[i] = someInterval(r, width)
			}
			width, _ := rg.width(op.Result(0))
			got := rg.compute(op, width, 0)
			if got != anything(width) {
				narrowed[name] = true
			}
			if got.empty() {
				t.Fatalf("%s i%d: an empty interval of %v", name, w, rg.known)
			}
			out := make([]uint64, 1)
			var try func(i int, in []uint64)
			try = func(i int, in []uint64) {
				if i == len(values) {
					if f(in, out); !holds(got, out[0], width) {
						t.Fatalf("%s i%d (predicate %d) of %v is %d, outside %v", name, w, p, in, out[0], got)
					}
					return
				}
				for _, v := range values[i] {
					try(i+1, append(in, v))
				}
			}
			try(0, nil)
		}
	}
	for _, name := range []string{"addi", "subi", "muli", "divsi", "divui", "remsi", "remui", "andi", "ori", "xori",
		"shli", "shrsi", "shrui", "minsi", "maxsi", "minui", "maxui", "extsi", "extui", "trunci", "index_cast",
		"index_castui", "select", "cmpi"} {
		if !narrowed["arith."+name] {
			t.Errorf("nothing was ever known of arith.%s", name)
		}
	}
}

// TestRestrict: numbers that compare as told are kept, and comparisons that are
// decided are decided right.
func TestRestrict(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 20000 {
		w := []int{1, 2, 3, 4, 8, 64}[r.IntN(6)]
		p := int64(r.IntN(10))
		a, as := someInterval(r, w)
		b, bs := someInterval(r, w)
		less := num.CompareInt(p, w)
		kept, ok := restrictBy(p, a, b, w)
		result, known := decideCmp(p, a, b)
		for _, x := range as {
			for _, y := range bs {
				yes := less(x, y) != 0
				if known && yes != result {
					t.Fatalf("i%d: predicate %d of %v and %v is taken for %v, but %d and %d give %v", w, p, a, b, result, x, y, yes)
				}
				if yes && (!ok || !holds(kept, x, w)) {
					t.Fatalf("i%d: %d fits predicate %d with %v, but %v is left (%v)", w, x, p, b, kept, ok)
				}
				if yes != (num.CompareInt(negatedPred(p), w)(x, y) == 0) ||
					yes != (num.CompareInt(swappedPred(p), w)(y, x) != 0) {
					t.Fatalf("predicate %d is negated or swapped wrongly", p)
				}
			}
		}
	}
}

// watched adds to a function a memory that counts values outside the interval
// that the analysis gives them, where they are defined and where they are used.
// It returns how many intervals say anything.
func watched(s *state) (told int) {
	r := s.ranges()
	type check struct {
		at *ir.Operation
		v  *ir.Value
		i  interval
	}
	var checks []check
	s.fn.Walk(func(op *ir.Operation) bool {
		for _, v := range op.Operands() {
			if w, ok := r.width(v); ok && op != s.fn {
				if i := r.at(v, op); i != anything(w) && !v.IsConstant() {
					checks = append(checks, check{op, v, i})
				}
			}
		}
		return true
	})
	entry := s.fn.Regions[0].Entry()
	flags := entry.AddArg(ir.MemRef([]int64{1}, ir.I32), "flags", diag.Pos{})
	ft := s.fn.Attr("function_type").(*ir.TypeAttr).Type.(*ir.FunctionType)
	var ins []ir.Type
	for _, a := range entry.Args {
		ins = append(ins, a.Type)
	}
	s.fn.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(ins, ft.Results)})
	for _, c := range checks {
		add := func(name string, operands []*ir.Value, types ...ir.Type) *ir.Operation {
			return c.at.Block().InsertBefore(c.at, ir.NewOp(name, diag.Pos{}, operands, types))
		}
		constant := func(n int64, t ir.Type) *ir.Value {
			return c.at.Block().InsertBefore(c.at, newConstant(c.at, n, t)).Result(0)
		}
		bad := constant(0, ir.I1)
		w, _ := r.width(c.v)
		for i, bound := range []int64{c.i.lo, c.i.hi, signed(c.i.ulo, w), signed(c.i.uhi, w)} {
			cmp := add("arith.cmpi", []*ir.Value{c.v, constant(bound, c.v.Type)}, ir.I1)
			cmp.SetAttr("predicate", ir.IntAttr([]int64{predSlt, predSgt, predUlt, predUgt}[i], ir.I64))
			bad = add("arith.ori", []*ir.Value{bad, cmp.Result(0)}, ir.I1).Result(0)
		}
		one, zero := constant(1, ir.I32), constant(0, ir.Index)
		branch := add("scf.if", []*ir.Value{bad})
		b := branch.AddRegion().AddBlock()
		branch.AddRegion()
		b.Append(ir.NewOp("memref.store", c.at.Pos, []*ir.Value{one, flags, zero}, nil))
		b.Append(ir.NewOp("scf.yield", diag.Pos{}, nil, nil))
	}
	return len(checks)
}

// unsound runs a function under the watch of its own intervals.
func unsound(t *testing.T, m *ir.Operation, seed uint64, indexWidth int) (string, int) {
	t.Helper()
	s := &state{opts: Options{IndexWidth: indexWidth}, src: m, mod: m, fn: randprog.Function(m)}
	told := watched(s)
	in := randprog.Inputs(m, seed)
	for i := range in.Args {
		if i == len(in.Args)-1 {
			clear(in.Args[i].Mem.Data)
		}
	}
	out, err := interp.Run(s.fn, in, interp.Options{MaxSteps: 4_000_000, IndexWidth: indexWidth})
	if err != nil {
		t.Fatalf("%v\n%s", err, mlir.Print(m, mlir.Options{}))
	}
	if out.Status != vector.Done {
		return "", told
	}
	flags := out.Memories[len(out.Memories)-1]
	if fmt.Sprint(flags.Data) != fmt.Sprint(make([]uint64, len(flags.Data))) {
		return "a value left its interval", told
	}
	return "", told
}

// TestRangesAreSound runs random programs and watches every operand: it must lie
// in the interval that the analysis gives it at that place.
func TestRangesAreSound(t *testing.T) {
	told := 0
	for seed := range programs(400) {
		w := []int{64, 32, 16}[seed%3]
		m := randprog.Generate(seed, variety(seed))
		bad, n := unsound(t, m, seed, w)
		told += n
		if bad != "" {
			t.Fatalf("seed %d, index of %d bits: %s:\n%s", seed, w, bad, mlir.Print(m, mlir.Options{}))
		}
	}
	if told < 4000 {
		t.Errorf("only %d operands had an interval", told)
	}
}

// TestFactsOfOtherBranches: what a branch knows of a value that it casts itself does not
// come back to the value elsewhere.
func TestFactsOfOtherBranches(t *testing.T) {
	m := parse(t, `
func.func @f(%n: i32, %x: memref<64xi64>) -> i32 {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %four = arith.constant 4 : i32
  %at = arith.constant 0 : index
  %some = arith.cmpi sgt, %n, %zero : i32
  %last = scf.if %some -> i32 {
    %i = scf.while (%i0 = %zero) : (i32) -> i32 {
      %more = arith.cmpi slt, %i0, %n : i32
      scf.condition(%more) %i0 : i32
    } do {
    ^bb0(%i1: i32):
      %i2 = arith.addi %i1, %four : i32
      scf.yield %i2 : i32
    }
    scf.yield %i : i32
  } else {
    scf.yield %zero : i32
  }
  %few = arith.cmpi ult, %n, %two : i32
  scf.if %few {
    %wide = arith.extsi %n : i32 to i64
    memref.store %wide, %x[%at] : memref<64xi64>
  }
  return %last : i32
}`)
	fn := m.Regions[0].Entry().Ops[0]
	r := (&state{fn: fn, opts: Options{IndexWidth: 64}}).ranges()
	fn.Walk(func(op *ir.Operation) bool {
		if op.Name == "arith.addi" {
			if lo, hi := r.signedRange(op.Operand(0), op); lo > 0 || hi < 8 {
				t.Errorf("the counter is in [%d, %d]", lo, hi)
			}
		}
		return true
	})
	in := randprog.Inputs(m, 1)
	in.Args[0].Scalar = 7
	if d, err := disagreement(randprog.Function(m), in, 1, Options{}); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
}
