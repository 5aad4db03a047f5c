package lower

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/ranges"
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/rewrite"
)

// expression makes a random expression of a few operations over x, y and
// constants in block b, preferring the shapes that the algebra knows.
func expression(r *rand.Rand, b *ir.Block, args []*ir.Value) *ir.Operation {
	values := append([]*ir.Value(nil), args...)
	types := []ir.Type{ir.I1, ir.I8, ir.I32, ir.I64, ir.Index}
	add := func(op *ir.Operation) *ir.Operation {
		b.Append(op)
		values = append(values, op.Result(0))
		return op
	}
	of := func(t ir.Type) *ir.Value {
		var fit []*ir.Value
		for _, v := range values {
			if v.Type == t {
				fit = append(fit, v, v)
			}
		}
		if k := r.IntN(len(fit) + 3); k < len(fit) {
			return fit[len(fit)-1-k]
		}
		c := []int64{0, 1, -1, 2, 4, 8, 3, 7, 127, -128, 255, 1 << 31, 1 << 40, 31, 32, 63}[r.IntN(16)]
		w, _ := ir.BitWidth(t, 64)
		k := rewrite.Constant(diag.Pos{}, interval.Signed(uint64(c)&interval.Mask(w), w), t)
		if t == ir.Type(ir.I1) {
			k.SetAttr("value", ir.BoolAttr(c&1 != 0))
		}
		return add(k).Result(0)
	}
	binary := []string{"addi", "subi", "muli", "divsi", "divui", "remsi", "remui", "andi", "ori", "xori", "shli", "shrsi", "shrui",
		"minsi", "maxsi", "minui", "maxui"}
	casts := []string{"extsi", "extui", "trunci", "index_cast", "index_castui"}
	var last *ir.Operation
	for range 2 + r.IntN(5) {
		t := types[r.IntN(len(types))]
		if r.IntN(2) == 0 {
			t = values[len(values)-1].Type
		}
		switch k := r.IntN(10); {
		case k < 4:
			last = add(ir.NewOp("arith."+binary[r.IntN(len(binary))], diag.Pos{}, []*ir.Value{of(t), of(t)}, []ir.Type{t}))
		case k < 6:
			op := ir.NewOp("arith.cmpi", diag.Pos{}, []*ir.Value{of(t), of(t)}, []ir.Type{ir.I1})
			op.SetAttr("predicate", ir.IntAttr(int64(r.IntN(10)), ir.I64))
			last = add(op)
		case k < 7:
			last = add(ir.NewOp("arith.select", diag.Pos{}, []*ir.Value{of(ir.I1), of(t), of(t)}, []ir.Type{t}))
		default:
			name := "arith." + casts[r.IntN(len(casts))]
			from := of(t)
			to := types[r.IntN(len(types))]
			op := ir.NewOp(name, diag.Pos{}, []*ir.Value{from}, []ir.Type{to})
			index := t == ir.Type(ir.Index) || to == ir.Type(ir.Index)
			if _, err := num.Resolve(op, 64); err == nil && t != to && index == (name == "arith.index_cast" || name == "arith.index_castui") {
				last = add(op)
			} else {
				op.SetOperands(nil)
			}
		}
	}
	return last
}

// valueOf evaluates a value of pure operations.
func valueOf(t *testing.T, v *ir.Value, args map[*ir.Value]uint64, memo map[*ir.Value]uint64) uint64 {
	if x, ok := args[v]; ok {
		return x
	}
	if x, ok := memo[v]; ok {
		return x
	}
	var in []uint64
	for _, o := range v.Def.Operands() {
		in = append(in, valueOf(t, o, args, memo))
	}
	out, err := num.Eval(v.Def, in, 64)
	if err != nil {
		t.Fatalf("%s is no operation any more: %v", v.Def.Name, err)
	}
	memo[v] = out[0]
	return out[0]
}

// TestAlgebra: whatever an operation is replaced by computes the same bits, on
// random expressions and extreme values.
func TestAlgebra(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	rewritten := map[string]int{}
	for n := range 40000 {
		b := &ir.Block{}
		var args []*ir.Value
		for _, typ := range []ir.Type{ir.I1, ir.I8, ir.I32, ir.I64, ir.Index} {
			args = append(args, b.AddArg(typ, "", diag.Pos{}))
		}
		op := expression(r, b, args)
		if op == nil {
			continue
		}
		rg := ranges.Near(op, ranges.Options{IndexWidth: 64})
		v := algebra(op, rg, rewrite.Maker{Pos: op.Pos, Emit: func(o *ir.Operation) { b.Append(o) }}, n%2 == 0)
		if v == nil {
			continue
		}
		name := "a value"
		if v.Def != nil {
			name = v.Def.Name
		}
		rewritten[op.Name]++
		if v.Type != op.Result(0).Type {
			t.Fatalf("%s becomes %s of another type", op.Name, name)
		}
		for range 12 {
			in := map[*ir.Value]uint64{}
			for _, a := range args {
				w, _ := ir.BitWidth(a.Type, 64)
				x := r.Uint64() >> r.IntN(64)
				if r.IntN(3) == 0 {
					x = []uint64{0, 1, interval.Mask(w), interval.Mask(w) >> 1, interval.Mask(w)>>1 + 1, 2}[r.IntN(6)]
				}
				in[a] = x & interval.Mask(w)
			}
			want, got := valueOf(t, op.Result(0), in, map[*ir.Value]uint64{}), valueOf(t, v, in, map[*ir.Value]uint64{})
			if want != got {
				var text string
				for _, o := range b.Ops {
					text += fmt.Sprintf("%s %s = %s\n", o.Result(0).Type, o.Name, o.Attrs)
				}
				t.Fatalf("%s is %#x, the %s it becomes %#x:\n%s", op.Name, want, name, got, text)
			}
		}
	}
	for _, name := range []string{"addi", "subi", "muli", "divui", "divsi", "remui", "remsi", "andi", "ori", "xori", "shli",
		"minsi", "maxui", "cmpi", "select", "extsi", "extui", "trunci", "index_cast"} {
		if rewritten["arith."+name] == 0 {
			t.Errorf("no arith.%s was ever rewritten", name)
		}
	}
}

// TestAlgebraTable shows what becomes of common shapes: the operations left.
func TestAlgebraTable(t *testing.T) {
	for _, c := range []struct {
		body  string
		names []string
		want  int
	}{
		{"%r = arith.muli %a, %c8 : i32", []string{"arith.muli"}, 0},
		{"%r = arith.divui %a, %c8 : i32", []string{"arith.divui"}, 0},
		{"%r = arith.divsi %a, %c8 : i32", []string{"arith.divsi"}, 1},
		{"%m = arith.andi %a, %c7 : i32\n%r = arith.divsi %m, %c8 : i32", []string{"arith.divsi", "arith.shrui", "arith.andi"}, 0},
		{"%m = arith.andi %a, %c7 : i32\n%r = arith.remsi %m, %c8 : i32", []string{"arith.remsi"}, 0},
		{"%m = arith.addi %a, %c7 : i32\n%r = arith.addi %m, %c8 : i32", []string{"arith.addi"}, 1},
		{"%m = arith.subi %c7, %a : i32\n%n = arith.subi %c7, %m : i32\n%r = arith.xori %n, %b : i32", []string{"arith.subi"}, 0},
		{"%r = arith.subi %a, %a : i32", []string{"arith.subi"}, 0},
		{"%m = arith.extsi %a : i32 to i64\n%r = arith.trunci %m : i64 to i32", []string{"arith.extsi", "arith.trunci"}, 0},
		{"%m = arith.cmpi slt, %c7, %a : i32\n%n = arith.cmpi sgt, %a, %c7 : i32\n%o = arith.xori %m, %n : i1\n%r = arith.extui %o : i1 to i32",
			[]string{"arith.cmpi"}, 0},
		{"%m = arith.addi %a, %b : i32\n%n = arith.addi %b, %a : i32\n%r = arith.muli %m, %n : i32", []string{"arith.addi"}, 1},
		{"%m = arith.andi %a, %c7 : i32\n%r = arith.minsi %m, %c8 : i32", []string{"arith.minsi"}, 0},
		// a < b ? a : b-1, the least of a and b-1 unless b-1 wraps
		{"%m = arith.andi %b, %c7 : i32\n%l = arith.addi %m, %ones : i32\n%n = arith.cmpi slt, %a, %m : i32\n%r = arith.select %n, %a, %l : i32",
			[]string{"arith.cmpi", "arith.select"}, 0},
		{"%m = arith.andi %b, %c7 : i32\n%l = arith.addi %m, %ones : i32\n%n = arith.cmpi sge, %a, %m : i32\n%r = arith.select %n, %l, %a : i32",
			[]string{"arith.cmpi", "arith.select"}, 0},
		{"%l = arith.addi %b, %ones : i32\n%n = arith.cmpi slt, %a, %b : i32\n%r = arith.select %n, %a, %l : i32",
			[]string{"arith.cmpi", "arith.select"}, 2},
	} {
		src := `func.func @f(%a: i32, %b: i32) -> i32 {
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %ones = arith.constant -1 : i32
` + c.body + `
  return %r : i32
}`
		got := 0
		for _, n := range counts(t, src, Options{}, c.names...) {
			got += n
		}
		if got != c.want {
			t.Errorf("%s: %d of %v are left, want %d", c.body, got, c.names, c.want)
		}
	}
}

// TestClamped: the least of a value and a limit is what the choice between them is, for all
// integers of four bits and every predicate; the rule applies to some.
func TestClamped(t *testing.T) {
	applied := 0
	for p := range arith.IntPredicate(10) {
		for shape := range 8 {
			for lo := int64(-8); lo < 8; lo++ {
				b := &ir.Block{}
				t4 := ir.Type(ir.Int(4))
				x, low := b.AddArg(t4, "", diag.Pos{}), b.AddArg(t4, "", diag.Pos{})
				m := rewrite.Maker{Emit: func(o *ir.Operation) { b.Append(o) }}
				y := m.Op("arith.maxsi", t4, low, m.Integer(lo, t4)) // at least lo
				if shape&4 != 0 {
					y = m.Op("arith.minsi", t4, low, m.Integer(lo, t4)) // at most lo
				}
				limit := m.Op("arith.addi", t4, y, m.Integer([]int64{-1, 1}[shape&1], t4))
				cond := m.CmpI(p, x, y)
				a, c := x, limit
				if shape&2 != 0 {
					a, c = c, a
				}
				v := clamped(cond, a, c, ranges.Near(cond.Def, ranges.Options{IndexWidth: 64}), m)
				if v == nil {
					continue
				}
				applied++
				choice := m.Op("arith.select", t4, cond, a, c)
				for i := range uint64(256) {
					in := map[*ir.Value]uint64{x: i & 15, low: i >> 4}
					if want, got := valueOf(t, choice, in, map[*ir.Value]uint64{}), valueOf(t, v, in, map[*ir.Value]uint64{}); want != got {
						t.Fatalf("predicate %d, shape %d, limit %d, %v: %d becomes %d", p, shape, lo, in, want, got)
					}
				}
			}
		}
	}
	if applied < 40 {
		t.Errorf("the rule applied %d times", applied)
	}
}
