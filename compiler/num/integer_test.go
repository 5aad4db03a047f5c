package num

import (
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
)

// makeOp builds a detached operation over block arguments of the given types.
func makeOp(name string, in, out []ir.Type) *ir.Operation {
	r := &ir.Region{}
	b := r.AddBlock()
	var vs []*ir.Value
	for _, t := range in {
		vs = append(vs, b.AddArg(t, "", diag.Pos{}))
	}
	return ir.NewOp(name, diag.Pos{File: "t.mlir", Line: 3, Col: 5}, vs, out)
}

func types(t ir.Type, n int) []ir.Type {
	out := make([]ir.Type, n)
	for i := range out {
		out[i] = t
	}
	return out
}

// eval compiles and runs one operation of result type t.
func eval(t *testing.T, op *ir.Operation, operands ...uint64) []uint64 {
	t.Helper()
	out, err := Eval(op, operands, 64)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func unsignedBig(v uint64) *big.Int { return new(big.Int).SetUint64(v) }

func signedBig(v uint64, w int) *big.Int {
	x := unsignedBig(v)
	if x.Bit(w-1) == 1 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(w)))
	}
	return x
}

// cut is the low w bits of a big number.
func cut(x *big.Int, w int) uint64 {
	m := new(big.Int).Lsh(big.NewInt(1), uint(w))
	return new(big.Int).Mod(x, m).Uint64()
}

// binaryOracle gives each binary operation in unbounded arithmetic on the
// unsigned (u) and signed (s) readings of its operands.
var binaryOracle = map[string]func(ua, ub, sa, sb *big.Int, w int) *big.Int{
	"arith.addi": func(a, b, _, _ *big.Int, _ int) *big.Int { return new(big.Int).Add(a, b) },
	"arith.subi": func(a, b, _, _ *big.Int, _ int) *big.Int { return new(big.Int).Sub(a, b) },
	"arith.muli": func(a, b, _, _ *big.Int, _ int) *big.Int { return new(big.Int).Mul(a, b) },
	"arith.andi": func(a, b, _, _ *big.Int, _ int) *big.Int { return new(big.Int).And(a, b) },
	"arith.ori":  func(a, b, _, _ *big.Int, _ int) *big.Int { return new(big.Int).Or(a, b) },
	"arith.xori": func(a, b, _, _ *big.Int, _ int) *big.Int { return new(big.Int).Xor(a, b) },
	"arith.shli": func(a, b, _, _ *big.Int, w int) *big.Int {
		if b.Cmp(big.NewInt(int64(w))) >= 0 {
			return new(big.Int)
		}
		return new(big.Int).Lsh(a, uint(b.Uint64()))
	},
	"arith.shrui": func(a, b, _, _ *big.Int, w int) *big.Int {
		if b.Cmp(big.NewInt(int64(w))) >= 0 {
			return new(big.Int)
		}
		return new(big.Int).Rsh(a, uint(b.Uint64()))
	},
	"arith.shrsi": func(_, b, sa, _ *big.Int, w int) *big.Int {
		if b.Cmp(big.NewInt(int64(w))) >= 0 {
			b = big.NewInt(int64(w))
		}
		return new(big.Int).Rsh(sa, uint(b.Uint64()))
	},
	"arith.divui": func(a, b, _, _ *big.Int, _ int) *big.Int {
		if b.Sign() == 0 {
			return big.NewInt(-1)
		}
		return new(big.Int).Quo(a, b)
	},
	"arith.remui": func(a, b, _, _ *big.Int, _ int) *big.Int {
		if b.Sign() == 0 {
			return a
		}
		return new(big.Int).Rem(a, b)
	},
	"arith.divsi": func(_, _, a, b *big.Int, _ int) *big.Int {
		if b.Sign() == 0 {
			return big.NewInt(-1)
		}
		return new(big.Int).Quo(a, b)
	},
	"arith.remsi": func(_, _, a, b *big.Int, _ int) *big.Int {
		if b.Sign() == 0 {
			return a
		}
		return new(big.Int).Rem(a, b)
	},
	"arith.ceildivui": func(a, b, _, _ *big.Int, _ int) *big.Int {
		if b.Sign() == 0 {
			return big.NewInt(-1)
		}
		q, r := new(big.Int).QuoRem(a, b, new(big.Int))
		if r.Sign() != 0 {
			q.Add(q, big.NewInt(1))
		}
		return q
	},
	// Floor by Euclid's division of big.Int, ceiling by negation: not the
	// formulas of the implementation.
	"arith.floordivsi": func(_, _, a, b *big.Int, _ int) *big.Int { return floorBig(a, b) },
	"arith.ceildivsi": func(_, _, a, b *big.Int, _ int) *big.Int {
		if b.Sign() == 0 {
			return big.NewInt(-1)
		}
		return new(big.Int).Neg(floorBig(new(big.Int).Neg(a), b))
	},
	"arith.minsi": func(_, _, a, b *big.Int, _ int) *big.Int { return pick(a, b, a.Cmp(b) < 0) },
	"arith.maxsi": func(_, _, a, b *big.Int, _ int) *big.Int { return pick(a, b, a.Cmp(b) > 0) },
	"arith.minui": func(a, b, _, _ *big.Int, _ int) *big.Int { return pick(a, b, a.Cmp(b) < 0) },
	"arith.maxui": func(a, b, _, _ *big.Int, _ int) *big.Int { return pick(a, b, a.Cmp(b) > 0) },
	"math.ipowi": func(_, _, a, b *big.Int, w int) *big.Int {
		if b.Sign() >= 0 {
			return new(big.Int).Exp(a, b, new(big.Int).Lsh(big.NewInt(1), uint(w)))
		}
		// 1 divided by a power, truncated.
		if a.CmpAbs(big.NewInt(1)) != 0 {
			return new(big.Int)
		}
		return pick(big.NewInt(1), a, b.Bit(0) == 0)
	},
}

func floorBig(a, b *big.Int) *big.Int {
	if b.Sign() == 0 {
		return big.NewInt(-1)
	}
	if b.Sign() < 0 {
		a, b = new(big.Int).Neg(a), new(big.Int).Neg(b)
	}
	q, _ := new(big.Int).DivMod(a, b, new(big.Int)) // Euclid: floor for b > 0
	return q
}

func pick(a, b *big.Int, first bool) *big.Int {
	if first {
		return a
	}
	return b
}

// operandsOf yields every value for narrow widths and corner-biased random ones
// for others.
func operandsOf(w int, r *rand.Rand, n int) []uint64 {
	if w <= 3 {
		out := make([]uint64, 1<<w)
		for i := range out {
			out[i] = uint64(i)
		}
		return out
	}
	m := mask(uint(w))
	out := []uint64{0, 1, 2, m, m - 1, m >> 1, m>>1 + 1, uint64(w) & m, uint64(w-1) & m}
	for range n {
		v := r.Uint64() & m
		out = append(out, v, v>>r.IntN(w), m&^(v>>r.IntN(w)))
	}
	return out
}

func TestBinaryAgainstBigNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, oracle := range binaryOracle {
		for w := 1; w <= 64; w++ {
			op := makeOp(name, types(ir.Int(w), 2), types(ir.Int(w), 1))
			f, err := Compile(op, 64)
			if err != nil {
				t.Fatal(err)
			}
			vals := operandsOf(w, r, 3)
			for _, a := range vals {
				for _, b := range vals {
					want := cut(oracle(unsignedBig(a), unsignedBig(b), signedBig(a, w), signedBig(b, w), w), w)
					var got [1]uint64
					f([]uint64{a, b}, got[:])
					if got[0] != want {
						t.Fatalf("%s i%d (%#x, %#x) = %#x, want %#x", name, w, a, b, got[0], want)
					}
				}
			}
		}
	}
}

// indexTwins are the operations of index and those of arith whose oracle is
// theirs.
var indexTwins = map[string]string{
	"index.add":       "arith.addi",
	"index.sub":       "arith.subi",
	"index.mul":       "arith.muli",
	"index.and":       "arith.andi",
	"index.or":        "arith.ori",
	"index.xor":       "arith.xori",
	"index.shl":       "arith.shli",
	"index.shru":      "arith.shrui",
	"index.shrs":      "arith.shrsi",
	"index.divu":      "arith.divui",
	"index.remu":      "arith.remui",
	"index.divs":      "arith.divsi",
	"index.rems":      "arith.remsi",
	"index.ceildivu":  "arith.ceildivui",
	"index.ceildivs":  "arith.ceildivsi",
	"index.floordivs": "arith.floordivsi",
	"index.mins":      "arith.minsi",
	"index.maxs":      "arith.maxsi",
	"index.minu":      "arith.minui",
	"index.maxu":      "arith.maxui",
}

// TestIndexAgainstBigNumbers: operations of index compute at the index width,
// whatever it is.
func TestIndexAgainstBigNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, name := range Names() {
		if op := makeOp(name, types(ir.Index, 2), types(ir.Index, 1)); op.Dialect() == "index" && table[name].operands == 2 && name != "index.cmp" && indexTwins[name] == "" {
			t.Errorf("%s has no oracle", name)
		}
	}
	for name, twin := range indexTwins {
		oracle := binaryOracle[twin]
		if oracle == nil {
			t.Errorf("%s has no oracle", twin)
			continue
		}
		for w := 1; w <= 64; w++ {
			f, err := Compile(makeOp(name, types(ir.Index, 2), types(ir.Index, 1)), w)
			if err != nil {
				t.Fatal(err)
			}
			vals := operandsOf(w, r, 2)
			for _, a := range vals {
				for _, b := range vals {
					want := cut(oracle(unsignedBig(a), unsignedBig(b), signedBig(a, w), signedBig(b, w), w), w)
					var got [1]uint64
					if f([]uint64{a, b}, got[:]); got[0] != want {
						t.Fatalf("%s of %d bits (%#x, %#x) = %#x, want %#x", name, w, a, b, got[0], want)
					}
				}
			}
		}
	}
}

func TestExtendedAgainstBigNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for w := 1; w <= 64; w++ {
		it := ir.Type(ir.Int(w))
		add := makeOp("arith.addui_extended", types(it, 2), []ir.Type{it, ir.I1})
		mulU := makeOp("arith.mului_extended", types(it, 2), types(it, 2))
		mulS := makeOp("arith.mulsi_extended", types(it, 2), types(it, 2))
		for _, a := range operandsOf(w, r, 4) {
			for _, b := range operandsOf(w, r, 4) {
				check := func(op *ir.Operation, x *big.Int, highWidth int) {
					t.Helper()
					got := eval(t, op, a, b)
					want := [2]uint64{cut(x, w), cut(new(big.Int).Rsh(x, uint(w)), highWidth)}
					if got[0] != want[0] || got[1] != want[1] {
						t.Fatalf("%s i%d (%#x, %#x) = %#x, want %#x", op.Name, w, a, b, got, want)
					}
				}
				ua, ub := unsignedBig(a), unsignedBig(b)
				check(add, new(big.Int).Add(ua, ub), 1)
				check(mulU, new(big.Int).Mul(ua, ub), w)
				check(mulS, new(big.Int).Mul(signedBig(a, w), signedBig(b, w)), w)
			}
		}
	}
}

func TestUnaryIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	oracles := map[string]func(v uint64, w int) uint64{
		"math.absi": func(v uint64, w int) uint64 { s := signedBig(v, w); return cut(s.Abs(s), w) },
		"math.ctpop": func(v uint64, w int) (n uint64) {
			for i := range w {
				n += v >> i & 1
			}
			return n & mask(uint(w))
		},
		"math.ctlz": func(v uint64, w int) uint64 { return uint64(w-bits.Len64(v)) & mask(uint(w)) },
		"math.cttz": func(v uint64, w int) (n uint64) {
			for n < uint64(w) && v>>n&1 == 0 {
				n++
			}
			return n & mask(uint(w))
		},
		"llvm.intr.bitreverse": func(v uint64, w int) (out uint64) {
			for i := range w {
				out |= v >> i & 1 << (w - 1 - i)
			}
			return out
		},
	}
	for name, oracle := range oracles {
		for w := 1; w <= 64; w++ {
			op := makeOp(name, types(ir.Int(w), 1), types(ir.Int(w), 1))
			for _, v := range operandsOf(w, r, 10) {
				if got, want := eval(t, op, v)[0], oracle(v, w); got != want {
					t.Fatalf("%s i%d %#x = %#x, want %#x", name, w, v, got, want)
				}
			}
		}
	}
}

func TestIntegerComparisons(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	relations := map[string]func(c int) bool{
		"eq": func(c int) bool { return c == 0 }, "ne": func(c int) bool { return c != 0 },
		"lt": func(c int) bool { return c < 0 }, "le": func(c int) bool { return c <= 0 },
		"gt": func(c int) bool { return c > 0 }, "ge": func(c int) bool { return c >= 0 },
	}
	for p, name := range arith.IntPredicates {
		for w := 1; w <= 64; w++ {
			op := makeOp("arith.cmpi", types(ir.Int(w), 2), types(ir.I1, 1))
			op.SetAttr("predicate", ir.IntAttr(int64(p), ir.I64))
			vals := operandsOf(w, r, 3)
			for _, a := range vals {
				for _, b := range vals {
					var c int
					if name[0] == 's' {
						c = signedBig(a, w).Cmp(signedBig(b, w))
					} else {
						c = unsignedBig(a).Cmp(unsignedBig(b))
					}
					want := truth(relations[name[len(name)-2:]](c))
					if got := eval(t, op, a, b)[0]; got != want {
						t.Fatalf("cmpi %s i%d (%#x, %#x) = %d, want %d", name, w, a, b, got, want)
					}
				}
			}
		}
	}
}

// TestIndexComparisons: a predicate by name is arith.cmpi's of that name, with or
// without blanks in the attribute's text.
func TestIndexComparisons(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for p, name := range arith.IntPredicates {
		for _, w := range []int{1, 7, 32, 63, 64} {
			cmp := makeOp("index.cmp", types(ir.Index, 2), types(ir.I1, 1))
			cmp.SetAttr("pred", &ir.OpaqueAttr{Text: []string{"#index<cmp_predicate ", "#index< cmp_predicate  "}[w%2] + name + ">"})
			twin := makeOp("arith.cmpi", types(ir.Int(w), 2), types(ir.I1, 1))
			twin.SetAttr("predicate", ir.IntAttr(int64(p), ir.I64))
			for _, a := range operandsOf(w, r, 3) {
				for _, b := range operandsOf(w, r, 3) {
					got, err := Eval(cmp, []uint64{a, b}, w)
					if want := eval(t, twin, a, b)[0]; err != nil || got[0] != want {
						t.Fatalf("%s of %d bits (%#x, %#x) = %d, %v, want %d", name, w, a, b, got, err, want)
					}
				}
			}
		}
	}
}

func TestIntegerCasts(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for from := 1; from <= 64; from += 3 {
		for to := 1; to <= 64; to++ {
			names := []string{}
			switch {
			case from < to:
				names = []string{"arith.extsi", "arith.extui"}
			case from > to:
				names = []string{"arith.trunci"}
			}
			for _, name := range names {
				op := makeOp(name, types(ir.Int(from), 1), types(ir.Int(to), 1))
				for _, v := range operandsOf(from, r, 4) {
					x := unsignedBig(v)
					if name == "arith.extsi" {
						x = signedBig(v, from)
					}
					if got, want := eval(t, op, v)[0], cut(x, to); got != want {
						t.Fatalf("%s i%d to i%d %#x = %#x, want %#x", name, from, to, v, got, want)
					}
				}
			}
		}
	}
	for _, c := range []struct {
		name       string
		in, out    ir.Type
		index      int
		from, want uint64
	}{
		{"arith.index_cast", ir.I32, ir.Index, 64, 0x80000000, 0xffffffff80000000},
		{"arith.index_cast", ir.I32, ir.Index, 48, 0x80000000, 0xffff80000000},
		{"arith.index_cast", ir.Index, ir.I32, 64, 0x1234567890, 0x34567890},
		{"arith.index_cast", ir.I64, ir.Index, 32, 0x1234567890, 0x34567890},
		{"arith.index_cast", ir.Index, ir.I64, 32, 0x80000000, 0xffffffff80000000},
		{"arith.index_castui", ir.I32, ir.Index, 64, 0x80000000, 0x80000000},
		{"arith.index_castui", ir.Index, ir.I64, 32, 0x80000000, 0x80000000},
		{"arith.index_castui", ir.I64, ir.Index, 32, 0x9080000000, 0x80000000},
		{"index.casts", ir.I32, ir.Index, 48, 0x80000000, 0xffff80000000},
		{"index.casts", ir.I64, ir.Index, 32, 0x1234567890, 0x34567890},
		{"index.casts", ir.Index, ir.I64, 32, 0x80000000, 0xffffffff80000000},
		{"index.castu", ir.Index, ir.I64, 32, 0x80000000, 0x80000000},
		{"index.castu", ir.I32, ir.Index, 64, 0x80000000, 0x80000000},
	} {
		got, err := Eval(makeOp(c.name, []ir.Type{c.in}, []ir.Type{c.out}), []uint64{c.from}, c.index)
		if err != nil || got[0] != c.want {
			t.Errorf("%s %s to %s (index %d) %#x = %#x, %v, want %#x", c.name, c.in, c.out, c.index, c.from, got, err, c.want)
		}
	}
}

// The documented values where MLIR leaves the result open.
func TestTotalSemantics(t *testing.T) {
	for _, c := range []struct {
		op         string
		w          int
		a, b, want uint64
	}{
		{"arith.divui", 8, 7, 0, 0xff},
		{"arith.remui", 8, 7, 0, 7},
		{"arith.divsi", 8, 7, 0, 0xff},
		{"arith.remsi", 8, 0xf9, 0, 0xf9},
		{"arith.divsi", 8, 0x80, 0xff, 0x80},
		{"arith.remsi", 8, 0x80, 0xff, 0},
		{"arith.divsi", 64, 1 << 63, ^uint64(0), 1 << 63},
		{"arith.remsi", 64, 1 << 63, ^uint64(0), 0},
		{"arith.shli", 8, 0xff, 8, 0},
		{"arith.shrui", 8, 0xff, 8, 0},
		{"arith.shrsi", 8, 0x80, 200, 0xff},
		{"arith.shrsi", 8, 0x7f, 200, 0},
		{"arith.shli", 64, 1, 64, 0},
		{"arith.shrsi", 64, 1 << 63, 1 << 40, ^uint64(0)},
		{"arith.ceildivsi", 8, 0x80, 0xff, 0x80},
		{"arith.floordivsi", 8, 5, 0, 0xff},
	} {
		op := makeOp(c.op, types(ir.Int(c.w), 2), types(ir.Int(c.w), 1))
		if got := eval(t, op, c.a, c.b)[0]; got != c.want {
			t.Errorf("%s i%d (%#x, %#x) = %#x, want %#x", c.op, c.w, c.a, c.b, got, c.want)
		}
	}
}

func TestConstantsAndSelect(t *testing.T) {
	for _, c := range []struct {
		a    ir.Attr
		t    ir.Type
		want uint64
	}{
		{ir.IntAttr(-1, ir.I8), ir.I8, 0xff},
		{ir.BoolAttr(true), ir.I1, 1},
		{ir.IntAttr(-1, ir.I1), ir.I1, 1},
		{ir.IntAttr(-2, ir.Index), ir.Index, 0xfffffffffffffffe},
		{&ir.FloatAttr{Value: 1.5, Type: ir.F32}, ir.F32, 0x3fc00000},
		{&ir.FloatAttr{Value: 1.5, Type: ir.F16}, ir.F16, 0x3e00},
		{&ir.FloatAttr{Text: "0x7FC00001", Type: ir.F32}, ir.F32, 0x7fc00001},
	} {
		op := makeOp("arith.constant", nil, []ir.Type{c.t})
		op.SetAttr("value", c.a)
		if got := eval(t, op)[0]; got != c.want {
			t.Errorf("constant %s = %#x, want %#x", c.a, got, c.want)
		}
	}
	for _, width := range []int{64, 32, 8, 2} {
		got, err := Eval(makeOp("index.sizeof", nil, types(ir.Index, 1)), nil, width)
		if err != nil || got[0] != uint64(width) {
			t.Errorf("index.sizeof is %d, %v where the width is %d", got, err, width)
		}
	}
	sel := makeOp("arith.select", []ir.Type{ir.I1, ir.F32, ir.F32}, []ir.Type{ir.F32})
	if got := eval(t, sel, 1, 0x7fc00123, 5); got[0] != 0x7fc00123 {
		t.Errorf("select true = %#x", got)
	}
	if got := eval(t, sel, 0, 0x7fc00123, 5); got[0] != 5 {
		t.Errorf("select false = %#x", got)
	}
}

// Malformed operations are errors at their position, never panics.
func TestBadOperations(t *testing.T) {
	bad := func(name string, in, out []ir.Type, attrs ...ir.NamedAttr) *ir.Operation {
		op := makeOp(name, in, out)
		op.Attrs = attrs
		return op
	}
	cases := []*ir.Operation{
		bad("arith.frobnicate", nil, nil),
		bad("arith.addi", types(ir.I32, 1), types(ir.I32, 1)),
		bad("arith.addi", types(ir.F32, 2), types(ir.F32, 1)),
		bad("arith.addi", types(ir.Int(65), 2), types(ir.Int(65), 1)),
		bad("arith.addi", []ir.Type{ir.I32, ir.I16}, types(ir.I32, 1)),
		bad("arith.addf", types(ir.I32, 2), types(ir.I32, 1)),
		bad("arith.addf", types(ir.Float("f80"), 2), types(ir.Float("f80"), 1)),
		bad("arith.cmpi", types(ir.I32, 2), types(ir.I1, 1)),
		bad("arith.cmpi", types(ir.I32, 2), types(ir.I1, 1), ir.NamedAttr{Name: "predicate", Value: ir.IntAttr(10, ir.I64)}),
		bad("index.cmp", types(ir.Index, 2), types(ir.I1, 1)),
		bad("index.cmp", types(ir.Index, 2), types(ir.I1, 1), ir.NamedAttr{Name: "pred", Value: &ir.OpaqueAttr{Text: "#index<cmp_predicate lt>"}}),
		bad("index.cmp", types(ir.Index, 2), types(ir.I1, 1), ir.NamedAttr{Name: "pred", Value: ir.IntAttr(1, ir.I64)}),
		bad("index.constant", nil, types(ir.Index, 1)),
		bad("arith.cmpf", types(ir.F32, 2), types(ir.I1, 1), ir.NamedAttr{Name: "predicate", Value: ir.IntAttr(-1, ir.I64)}),
		bad("arith.extsi", types(ir.I32, 1), types(ir.I16, 1)),
		bad("arith.trunci", types(ir.I16, 1), types(ir.I32, 1)),
		bad("arith.bitcast", types(ir.I16, 1), types(ir.F32, 1)),
		bad("arith.constant", nil, types(ir.I32, 1)),
		bad("arith.constant", nil, types(ir.I32, 1), ir.NamedAttr{Name: "value", Value: ir.StrAttr("x")}),
		bad("arith.select", types(ir.I32, 3), types(ir.I32, 1)),
		bad("arith.mului_extended", types(ir.I32, 2), []ir.Type{ir.I32, ir.I16}),
		ir.NewOp("arith.addi", diag.Pos{File: "t.mlir", Line: 3, Col: 5}, []*ir.Value{nil, nil}, types(ir.I32, 1)),
	}
	for i, op := range cases {
		_, err := Compile(op, 64)
		if _, ok := err.(*diag.Diagnostic); !ok {
			t.Errorf("case %d (%s): error %v is no diagnostic", i, op.Name, err)
		}
	}
	if _, err := Compile(makeOp("arith.addi", types(ir.Index, 2), types(ir.Index, 1)), 0); err == nil {
		t.Error("an index width of 0 is accepted")
	}
}

// Everything the design page lists for function units is there.
func TestFunctionUnitOperations(t *testing.T) {
	arith := "addi subi muli divsi divui remsi remui andi ori xori shli shrsi shrui cmpi select extsi extui " +
		"trunci index_cast index_castui addf subf mulf divf negf cmpf fptosi fptoui sitofp uitofp minsi maxsi " +
		"minui maxui extf truncf bitcast constant addui_extended mulsi_extended mului_extended ceildivsi ceildivui " +
		"floordivsi remf minimumf maximumf minnumf maxnumf"
	math := "absf fma sqrt floor ctpop ctlz cttz absi exp log2 sin cos"
	check := func(dialect, list string) {
		for _, name := range strings.Fields(list) {
			if !Supported(dialect + "." + name) {
				t.Errorf("%s.%s is missing", dialect, name)
			}
		}
	}
	check("arith", arith)
	check("math", math)
	check("llvm", "intr.bitreverse")
}

func TestNoAllocation(t *testing.T) {
	f, err := Compile(makeOp("arith.mulsi_extended", types(ir.I64, 2), types(ir.I64, 2)), 64)
	if err != nil {
		t.Fatal(err)
	}
	in, out := []uint64{3, 4}, make([]uint64, 2)
	if n := testing.AllocsPerRun(100, func() { f(in, out) }); n != 0 {
		t.Errorf("%v allocations per call", n)
	}
}

func BenchmarkAdd(b *testing.B) {
	f, err := Compile(makeOp("arith.addi", types(ir.I32, 2), types(ir.I32, 1)), 64)
	if err != nil {
		b.Fatal(err)
	}
	in, out := []uint64{3, 4}, make([]uint64, 1)
	for b.Loop() {
		f(in, out)
		in[0] = out[0]
	}
}
