package ranges

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/loops"
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/num"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/sim/vector"
)

// someInterval draws an interval and a few of the integers it holds.
func someInterval(r *rand.Rand, w int) (interval.Interval, []uint64) {
	m := interval.Mask(w)
	x, y := r.Uint64()&m, r.Uint64()&m
	if r.IntN(2) == 0 {
		y = (x + r.Uint64N(4)) & m
	}
	var v interval.Interval
	if r.IntN(2) == 0 {
		a, b := interval.Signed(x, w), interval.Signed(y, w)
		v = interval.Between(min(a, b), max(a, b), w)
	} else {
		v = interval.BetweenU(min(x, y), max(x, y), w)
	}
	if r.IntN(4) == 0 {
		if u, ok := v.Meet(interval.BetweenU(r.Uint64()&m>>1, m, w), w); ok {
			v = u
		}
	}
	var in []uint64
	for n := range uint64(1) << min(w, 5) {
		if w > 5 {
			n = []uint64{v.ULo, v.UHi, uint64(v.Lo) & m, uint64(v.Hi) & m, r.Uint64() & m, 0, 1, m, m >> 1, m>>1 + 1}[n%10]
		}
		if holds(v, n, w) {
			in = append(in, n)
		}
	}
	return v, in
}

func holds(v interval.Interval, bits uint64, w int) bool {
	s := interval.Signed(bits, w)
	return s >= v.Lo && s <= v.Hi && bits >= v.ULo && bits <= v.UHi
}

// TestIntervals: what an operation computes of integers in intervals lies in the
// interval of the result, for every operation, all integers of small widths and
// the extreme ones of large widths.
func TestIntervals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	rg := empty(Options{IndexWidth: 64})
	narrowed := map[string]bool{}
	for _, name := range num.Names() {
		for range 1500 {
			w := []int{1, 2, 3, 4, 5, 8, 32, 64}[r.IntN(8)]
			to := w
			if _, cast := arith.IntCast(&ir.Operation{Name: name}); cast {
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
				width, _ := rg.Width(v)
				rg.known[v], values[i] = someInterval(r, width)
			}
			width, _ := rg.Width(op.Result(0))
			got := rg.compute(op, width, 0)
			if got != interval.Any(width) {
				narrowed[name] = true
			}
			if got.Empty() {
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

// check is the interval that an analysis gives an operand.
type check struct {
	at *ir.Operation
	v  *ir.Value
	i  interval.Interval
}

// checks are the intervals that both analyses give every operand: the analysis of the
// whole function and the one around each operation.
func checks(fn *ir.Operation, opts Options) (out []check) {
	whole := Analyse(fn, opts)
	fn.Walk(func(op *ir.Operation) bool {
		var near *Ranges
		for _, v := range op.Operands() {
			w, ok := whole.Width(v)
			if !ok || op == fn || v.IsConstant() {
				continue
			}
			if near == nil {
				near = Near(op, opts)
			}
			for _, i := range []interval.Interval{whole.At(v, op), near.Of(v)} {
				if i != interval.Any(w) {
					out = append(out, check{op, v, i})
				}
			}
		}
		return true
	})
	return out
}

// watched adds to a function a memory that counts values outside the intervals that the
// analysis gives them where they are used. It returns how many intervals are
// narrower than the type. The
// program runs with an index of indexWidth bits.
func watched(fn *ir.Operation, opts Options, indexWidth int) (narrow int) {
	all := checks(fn, opts)
	entry := fn.Regions[0].Entry()
	flags := entry.AddArg(ir.MemRef([]int64{1}, ir.I32), "flags", diag.Pos{})
	ft := fn.Attr("function_type").(*ir.TypeAttr).Type.(*ir.FunctionType)
	var ins []ir.Type
	for _, a := range entry.Args {
		ins = append(ins, a.Type)
	}
	fn.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(ins, ft.Results)})
	for _, c := range all {
		add := func(name string, operands []*ir.Value, types ...ir.Type) *ir.Operation {
			return c.at.Block().InsertBefore(c.at, ir.NewOp(name, diag.Pos{}, operands, types))
		}
		constant := func(n int64, t ir.Type) *ir.Value {
			op := add("arith.constant", nil, t)
			op.SetAttr("value", ir.IntAttr(n, t))
			return op.Result(0)
		}
		bad := constant(0, ir.I1)
		w, _ := ir.BitWidth(c.v.Type, indexWidth)
		outside := func(p arith.IntPredicate, bound int64) {
			cmp := add("arith.cmpi", []*ir.Value{c.v, constant(bound, c.v.Type)}, ir.I1)
			arith.SetPredicate(cmp, p)
			bad = add("arith.ori", []*ir.Value{bad, cmp.Result(0)}, ir.I1).Result(0)
		}
		// An index of unknown width is its value, sign-extended.
		if c.i.Lo > interval.MinSigned(w) {
			outside(arith.Slt, min(c.i.Lo, interval.MaxSigned(w)))
		}
		if c.i.Hi < interval.MaxSigned(w) {
			outside(arith.Sgt, max(c.i.Hi, interval.MinSigned(w)))
		}
		if opts.IndexWidth != 0 || c.v.Type != ir.Type(ir.Index) {
			outside(arith.Ult, interval.Signed(c.i.ULo, w))
			outside(arith.Ugt, interval.Signed(c.i.UHi, w))
		}
		one, zero := constant(1, ir.I32), constant(0, ir.Index)
		branch := add("scf.if", []*ir.Value{bad})
		b := branch.AddRegion().AddBlock()
		branch.AddRegion()
		b.Append(ir.NewOp("memref.store", c.at.Pos, []*ir.Value{one, flags, zero}, nil))
		b.Append(ir.NewOp("scf.yield", diag.Pos{}, nil, nil))
	}
	return len(all)
}

// unsound runs a function with checks of its own intervals.
func unsound(t *testing.T, m *ir.Operation, opts Options, seed uint64, indexWidth int) (string, int) {
	t.Helper()
	fn := randprog.Function(m)
	narrow := watched(fn, opts, indexWidth)
	in := randprog.Inputs(m, seed)
	for i := range in.Args {
		if i == len(in.Args)-1 {
			clear(in.Args[i].Mem.Data)
		}
	}
	out, err := interp.Run(fn, in, interp.Options{MaxSteps: 8_000_000, IndexWidth: indexWidth})
	if err != nil {
		t.Fatalf("%v\n%s", err, mlir.Print(m, mlir.Options{}))
	}
	if out.Status != vector.Done {
		return "", narrow
	}
	flags := out.Memories[len(out.Memories)-1]
	if fmt.Sprint(flags.Data) != fmt.Sprint(make([]uint64, len(flags.Data))) {
		return "a value left its interval", narrow
	}
	return "", narrow
}

// program is a random program with an analysis of it and the width of index that it runs
// with.
func program(seed uint64) (m *ir.Operation, opts Options, indexWidth int) {
	w := []int{64, 32, 16}[seed%3]
	opts = Options{IndexWidth: w}
	if w >= 32 && seed%2 == 0 {
		opts.IndexWidth = 0
	}
	programs := randprog.Options{MaxOps: 25 + 30*int(seed%4)}
	if seed%5 == 0 {
		programs.Use = randprog.CountedWhiles | randprog.WhileShapes | randprog.LoopTypes | randprog.UnsignedLoops
	}
	return randprog.Generate(seed, programs), opts, w
}

// TestSound runs random programs and watches every operand: it must lie in the interval
// that the analysis gives it there, for an index of known width and for one of any.
func TestSound(t *testing.T) {
	usual := 400
	if testing.Short() {
		usual = 40
	}
	narrow := 0
	for seed := range uint64(soak.Scale(usual, 10*usual)) {
		m, opts, w := program(seed)
		bad, n := unsound(t, m, opts, seed, w)
		narrow += n
		if bad != "" {
			t.Fatalf("seed %d, index of %d bits, %+v: %s:\n%s", seed, w, opts, bad, mlir.Print(m, mlir.Options{}))
		}
	}
	if narrow < 8000*usual/400 {
		t.Errorf("only %d operands had an interval", narrow)
	}
}

// TestSoundNotices: a rule that is wrong is found.
func TestSoundNotices(t *testing.T) {
	for seed := range uint64(100) {
		m, opts, w := program(seed)
		opts.Broken = ShortInduction
		if bad, _ := unsound(t, m, opts, seed, w); bad != "" {
			return
		}
	}
	t.Error("no program notices that an induction variable leaves its interval")
}

// TestInduction: every value of an induction variable of four bits lies in its interval,
// for every way to step and to test, and random bounds and steps from random intervals.
func TestInduction(t *testing.T) {
	const w = 4
	r := rand.New(rand.NewPCG(4, 4))
	steps := map[string]string{"+=": "arith.addi", "-=": "arith.subi", "*=": "arith.muli", "/=": "arith.divsi", "<<=": "arith.shli", ">>=": "arith.shrsi"}
	narrow := map[string]int{}
	for stepOp, name := range steps {
		two := func() []*ir.Value {
			b := &ir.Block{}
			return []*ir.Value{b.AddArg(ir.Int(w), "", diag.Pos{}), b.AddArg(ir.Int(w), "", diag.Pos{})}
		}
		next, err := num.Compile(ir.NewOp(name, diag.Pos{}, two(), []ir.Type{ir.Int(w)}), 64)
		if err != nil {
			t.Fatal(err)
		}
		for _, cond := range []string{"<", "<=", ">", ">=", "!="} {
			p, _ := loops.Test(cond)
			passes := num.CompareInt(int64(p), w)
			for range 300 {
				b := &ir.Block{}
				rg := empty(Options{IndexWidth: 64})
				var operands []*ir.Value
				var values [][]uint64
				for range 3 {
					v := b.AddArg(ir.Int(w), "", diag.Pos{})
					i, in := someInterval(r, w)
					rg.known[v] = i
					operands, values = append(operands, v), append(values, in)
				}
				loop := ir.NewOp("scf.for", diag.Pos{}, operands, nil)
				loop.SetAttr(loops.StepOpAttr, &ir.StringAttr{Value: stepOp})
				loop.SetAttr(loops.ContCondAttr, &ir.StringAttr{Value: cond})
				loop.AddRegion().AddBlock().AddArg(ir.Int(w), "", diag.Pos{})
				var got interval.Interval
				rg.Enter(loop, 0, func() { got = rg.induction(loop, w, derivations) })
				if got != interval.Any(w) {
					narrow[stepOp]++
				}
				for _, lb := range values[0] {
					for _, ub := range values[1] {
						for _, step := range values[2] {
							var seen []uint64
							i := lb
							for passes(i, ub) != 0 && len(seen) <= 1<<w {
								seen = append(seen, i)
								out := make([]uint64, 1)
								next([]uint64{i, step}, out)
								i = out[0]
							}
							if len(seen) > 1<<w {
								continue // it never ends
							}
							for _, i := range seen {
								if !holds(got, i, w) {
									t.Fatalf("from %d %s %d by %s %d: %d is outside %v, with bounds %v and %v and steps %v", lb, cond, ub, stepOp, step, i, got,
										rg.known[operands[0]], rg.known[operands[1]], rg.known[operands[2]])
								}
							}
						}
					}
				}
			}
		}
	}
	for stepOp := range steps {
		if narrow[stepOp] == 0 {
			t.Errorf("nothing was ever known of a loop that steps by %s", stepOp)
		}
	}
}
