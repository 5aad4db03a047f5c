package rtl

import (
	"fmt"
	"iter"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/internal/tools/toolstest"
)

// castFormat is a format of the benches of comparisons and conversions.
type castFormat struct {
	exp, frac int
	t         ir.Type // nil where MLIR has none
}

var (
	tinyFormat    = castFormat{3, 2, nil}
	smallFormat   = castFormat{4, 3, nil}
	leastFormat   = castFormat{2, 1, nil}
	steepFormat   = castFormat{3, 6, nil} // infinity is closer to one than the fraction is long
	halfFormat    = castFormat{5, 10, ir.F16}
	brainFormat   = castFormat{8, 7, ir.Float("bf16")}
	singleFormat  = castFormat{8, 23, ir.F32}
	doubleFormat  = castFormat{11, 52, ir.F64}
	typedFormats  = []castFormat{halfFormat, brainFormat, singleFormat, doubleFormat}
	littleFormats = []castFormat{leastFormat, tinyFormat, smallFormat, steepFormat}
)

func (f castFormat) bits() int      { return 1 + f.exp + f.frac }
func (f castFormat) bias() int      { return 1<<(f.exp-1) - 1 }
func (f castFormat) params() string { return fmt.Sprintf("EXP(%d), FRAC(%d)", f.exp, f.frac) }
func (f castFormat) String() string { return fmt.Sprintf("(%d,%d)", f.exp, f.frac) }

func lowBits(n int) uint64 { return ^uint64(0) >> (64 - n) }

// The operations below are those of exact arithmetic.

// exactCompare is the predicate v.op of arith.cmpf.
func exactCompare(v vector, f castFormat) uint64 {
	ca, na, a := decodeExact(v.a, f.exp, f.frac)
	cb, nb, b := decodeExact(v.b, f.exp, f.frac)
	less, equal, greater := false, false, false
	switch order := compareExact(ca, na, a, cb, nb, b); {
	case ca == isNaN || cb == isNaN:
		return v.op >> 3
	case order < 0:
		less = true
	case order > 0:
		greater = true
	default:
		equal = true
	}
	holds := [16]bool{false, equal, greater, greater || equal, less, less || equal, less || greater, true,
		equal, greater, greater || equal, less, less || equal, less || greater, false, true}[v.op]
	if holds {
		return 1
	}
	return 0
}

// compareExact orders two words that are no NaNs.
func compareExact(ca floatClass, na bool, a *big.Rat, cb floatClass, nb bool, b *big.Rat) int {
	rank := func(c floatClass, negative bool) int {
		switch {
		case c == isInfinite && negative:
			return -1
		case c == isInfinite:
			return 1
		}
		return 0
	}
	if ca == isNaN || cb == isNaN {
		return 0
	}
	if ra, rb := rank(ca, na), rank(cb, nb); ra != 0 || rb != 0 {
		return ra - rb
	}
	return a.Cmp(b)
}

// exactExtreme is what loom_float_minmax computes.
func exactExtreme(v vector, f castFormat) uint64 {
	ca, na, a := decodeExact(v.a, f.exp, f.frac)
	cb, nb, b := decodeExact(v.b, f.exp, f.frac)
	number := v.op&2 != 0
	switch {
	case ca == isNaN && cb == isNaN || !number && (ca == isNaN || cb == isNaN):
		return canonicalNaN(f.exp, f.frac)
	case ca == isNaN:
		return v.b
	case cb == isNaN:
		return v.a
	}
	order := compareExact(ca, na, a, cb, nb, b)
	if order == 0 && na != nb { // the zeros
		order = 1
		if na {
			order = -1
		}
	}
	if (order < 0) == (v.op&1 == 0) {
		return v.a
	}
	return v.b
}

// exactFromInt is a number of w bits, signed with op 1, in a format.
func exactFromInt(v vector, w int, f castFormat) uint64 {
	n := new(big.Int).SetUint64(v.a & lowBits(w))
	if v.op == 1 && v.a>>(w-1)&1 == 1 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(w)))
	}
	return roundExact(new(big.Rat).SetInt(n), false, f.exp, f.frac)
}

// exactToInt is a word of a format as a number of w bits, signed with op 1.
func exactToInt(v vector, f castFormat, w int) uint64 {
	class, negative, value := decodeExact(v.a, f.exp, f.frac)
	least, most := big.NewInt(0), new(big.Int).SetUint64(lowBits(w))
	if v.op == 1 {
		least = new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), uint(w-1)))
		most.Rsh(most, 1)
	}
	n := new(big.Int)
	switch class {
	case isNaN:
		return 0
	case isInfinite:
		n = most
		if negative {
			n = least
		}
	default:
		n.Quo(value.Num(), value.Denom())
	}
	if n.Cmp(least) < 0 {
		n = least
	}
	if n.Cmp(most) > 0 {
		n = most
	}
	if n.Sign() < 0 {
		n = new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), uint(w)))
	}
	return n.Uint64()
}

// exactResize is a word of one format in another.
func exactResize(v vector, from, to castFormat) uint64 {
	class, negative, value := decodeExact(v.a, from.exp, from.frac)
	switch class {
	case isNaN:
		return canonicalNaN(to.exp, to.frac)
	case isInfinite:
		return infinity(negative, to.exp, to.frac)
	}
	return roundExact(value, negative, to.exp, to.frac)
}

// exactIntegral is what loom_float_round computes.
func exactIntegral(v vector, f castFormat) uint64 {
	class, negative, value := decodeExact(v.a, f.exp, f.frac)
	switch class {
	case isNaN:
		return canonicalNaN(f.exp, f.frac)
	case isInfinite:
		return v.a
	}
	x := new(big.Rat).Abs(value)
	n, rest := new(big.Int).QuoRem(x.Num(), x.Denom(), new(big.Int))
	half := new(big.Int).Lsh(rest, 1).Cmp(x.Denom())
	up := false
	switch v.op {
	case 0:
		up = negative && rest.Sign() != 0
	case 1:
		up = !negative && rest.Sign() != 0
	case 3:
		up = half >= 0
	case 4:
		up = half > 0 || half == 0 && n.Bit(0) == 1
	}
	if up {
		n.Add(n, big.NewInt(1))
	}
	if negative {
		n.Neg(n)
	}
	return roundExact(new(big.Rat).SetInt(n), negative, f.exp, f.frac)
}

// resolved is an operation of compiler/num on operands of the types in; attributes go in pairs of a
// name and a number.
func resolved(t *testing.T, name string, out ir.Type, in []ir.Type, predicate int) num.Form {
	t.Helper()
	var operands []*ir.Value
	for _, i := range in {
		operands = append(operands, &ir.Value{Type: i})
	}
	op := ir.NewOp(name, diag.Pos{}, operands, []ir.Type{out})
	if predicate >= 0 {
		arith.SetPredicate(op, arith.FloatPredicate(predicate))
	}
	form, err := num.Resolve(op, 64)
	if err != nil {
		t.Fatal(err)
	}
	return form
}

// The operations of a module by op.
var (
	extremeOps  = []string{opname.ArithMinimumF, opname.ArithMaximumF, opname.ArithMinNumF, opname.ArithMaxNumF}
	integralOps = []string{opname.MathFloor, opname.MathCeil, opname.MathTrunc, opname.MathRound, opname.MathRoundeven}
	fromIntOps  = []string{opname.ArithUIToFP, opname.ArithSIToFP}
	toIntOps    = []string{opname.ArithFPToUI, opname.ArithFPToSI}
)

// modelled is the value of operations on one format or between two types, by op, in compiler/num.
func modelled(t *testing.T, names []string, out ir.Type, in ...ir.Type) func(v vector) uint64 {
	t.Helper()
	forms := make([]num.Form, len(names))
	for k, name := range names {
		forms[k] = resolved(t, name, out, in, -1)
	}
	return func(v vector) uint64 {
		if f := forms[v.op]; f.Unary != nil {
			return f.Unary(v.a)
		} else {
			return f.Binary(v.a, v.b)
		}
	}
}

// modelledCompare is the predicate v.op in compiler/num.
func modelledCompare(t *testing.T, f castFormat) func(v vector) uint64 {
	t.Helper()
	forms := make([]num.Form, 16)
	for p := range forms {
		forms[p] = resolved(t, opname.ArithCmpF, ir.I1, []ir.Type{f.t, f.t}, p)
	}
	return func(v vector) uint64 { return forms[v.op].Binary(v.a, v.b) }
}

func resizeName(from, to castFormat) string {
	if from.bits() < to.bits() {
		return opname.ArithExtF
	}
	return opname.ArithTruncF
}

// withOp gives every vector one operation: a unit with registers has op as a constant.
func withOp(vs iter.Seq[vector], op uint64) iter.Seq[vector] {
	return func(yield func(vector) bool) {
		for v := range vs {
			v.op = op
			if !yield(v) {
				return
			}
		}
	}
}

// patterned are n words with exponents between two: of a random number, whose lowest bits, as many
// as it happens, are 0, a half, nearly that, or ones. Every eighth is any word, every sixteenth a corner.
func patterned(f castFormat, low, high, n int, seed uint64, ops ...uint64) iter.Seq[vector] {
	return func(yield func(vector) bool) {
		r := rand.New(rand.NewPCG(seed, uint64(f.bits())))
		c := corners(f.exp, f.frac)
		for _, op := range ops {
			for _, a := range c {
				if n--; n < 0 || !yield(vector{a: a, op: op}) {
					return
				}
			}
		}
		low, high := max(low, 0), min(high, 1<<f.exp-1)
		for range n {
			v := vector{op: ops[r.IntN(len(ops))]}
			switch k := r.IntN(16); {
			case k < 2:
				v.a = r.Uint64() & lowBits(f.bits())
			case k == 2:
				v.a = c[r.IntN(len(c))]
			default:
				fraction := pattern(r, f.frac)
				v.a = r.Uint64N(2)<<(f.exp+f.frac) | uint64(low+r.IntN(high-low+1))<<f.frac | fraction
			}
			if !yield(v) {
				return
			}
		}
	}
}

// pattern is a random number of so many bits, whose lowest ones are such as rounding looks at.
func pattern(r *rand.Rand, bits int) uint64 {
	x := r.Uint64() & lowBits(bits)
	if k := r.IntN(bits + 1); k > 0 {
		x &^= lowBits(k)
		half := uint64(1) << (k - 1)
		x |= []uint64{0, half, half - 1, half | 1, lowBits(k), 1}[r.IntN(6)] & lowBits(k)
	}
	return x & lowBits(bits)
}

// integers are n numbers of so many bits: of all lengths, with such ends as rounding looks at, and
// the ones about the ends of the integers.
func integers(w, n int, seed uint64, ops ...uint64) iter.Seq[vector] {
	return func(yield func(vector) bool) {
		r := rand.New(rand.NewPCG(seed, uint64(w)))
		for range n {
			x := pattern(r, w) >> r.IntN(w)
			switch r.IntN(16) {
			case 0:
				x = 1<<r.IntN(w) + r.Uint64N(5) - 2
			case 1:
				x = r.Uint64()
			}
			if r.IntN(2) == 0 {
				x = -x
			}
			if !yield(vector{a: x & lowBits(w), op: ops[r.IntN(len(ops))]}) {
				return
			}
		}
	}
}

// The instances of the modules. op is text: a constant where there are registers.

func cmpfUnit(f castFormat) floatUnit {
	return floatUnit{name: "cmpf " + f.String(),
		instance: combinational("loom_op_cmpf", f.params(), fmt.Sprintf(".cfg_predicate(op[3:0]), .a(a[%[1]d:0]), .b(b[%[1]d:0])", f.bits()-1), 1)}
}

func minmaxUnit(f castFormat, latency int, op string) floatUnit {
	return floatUnit{name: fmt.Sprintf("minmax %v latency %d op %s", f, latency, op),
		instance: pipelined("loom_float_minmax", f.params(), latency, fmt.Sprintf(".op(%[2]s), .a(a[%[1]d:0]), .b(b[%[1]d:0])", f.bits()-1, op), f.bits())}
}

func roundUnit(f castFormat, latency int, op string) floatUnit {
	return floatUnit{name: fmt.Sprintf("round %v latency %d op %s", f, latency, op),
		instance: pipelined("loom_float_round", f.params(), latency, fmt.Sprintf(".op(%s), .a(a[%d:0])", op, f.bits()-1), f.bits())}
}

func fromIntUnit(w int, f castFormat, latency int, op string) floatUnit {
	return floatUnit{name: fmt.Sprintf("from_int %d %v latency %d op %s", w, f, latency, op),
		instance: pipelined("loom_float_from_int", fmt.Sprintf("W_IN(%d), %s", w, f.params()), latency, fmt.Sprintf(".op(%s), .a(a[%d:0])", op, w-1), f.bits())}
}

func toIntUnit(f castFormat, w int, latency int, op string) floatUnit {
	return floatUnit{name: fmt.Sprintf("to_int %v %d latency %d op %s", f, w, latency, op),
		instance: pipelined("loom_float_to_int", fmt.Sprintf("%s, W_OUT(%d)", f.params(), w), latency, fmt.Sprintf(".op(%s), .a(a[%d:0])", op, f.bits()-1), w)}
}

func resizeUnit(from, to castFormat, latency int) floatUnit {
	return floatUnit{name: fmt.Sprintf("resize %v %v latency %d", from, to, latency),
		instance: pipelined("loom_float_resize", fmt.Sprintf("EXP_IN(%d), FRAC_IN(%d), EXP_OUT(%d), FRAC_OUT(%d)", from.exp, from.frac, to.exp, to.frac),
			latency, fmt.Sprintf(".a(a[%d:0])", from.bits()-1), to.bits())}
}

// with completes a unit.
func (u floatUnit) with(value func(v vector) uint64, vs iter.Seq[vector]) floatUnit {
	u.value, u.vectors = value, vs
	return u
}

// comparedAll are units that compare, with all pairs of words of small formats.
func comparedAll() []floatUnit {
	var units []floatUnit
	for _, f := range littleFormats[1:3] {
		compare := func(v vector) uint64 { return exactCompare(v, f) }
		units = append(units, cmpfUnit(f).with(compare, allPairs(f.bits(), predicates...)))
		value := func(v vector) uint64 { return exactExtreme(v, f) }
		units = append(units, minmaxUnit(f, 0, "op[1:0]").with(value, allPairs(f.bits(), 0, 1, 2, 3)))
		for op := range uint64(4) {
			units = append(units, minmaxUnit(f, 1, fmt.Sprintf("2'd%d", op)).with(value, allPairs(f.bits(), op)))
		}
	}
	return units
}

// predicates are all of arith.cmpf.
var predicates = func() (all []uint64) {
	for p := range uint64(16) {
		all = append(all, p)
	}
	return all
}()

// TestFloatConvertAll: all operands of small formats, and all words of 16 bits, against exact arithmetic;
// the operations that move bits with them.
func TestFloatConvertAll(t *testing.T) {
	unchanged(t, "float_*_test.go")
	t.Parallel()
	var integral, fromInt, toInt, resized []floatUnit
	for _, f := range []castFormat{tinyFormat, smallFormat, steepFormat, halfFormat, brainFormat} {
		value := func(v vector) uint64 { return exactIntegral(v, f) }
		integral = append(integral, roundUnit(f, 0, "op[2:0]").with(value, allValues(f.bits(), 0, 1, 2, 3, 4)))
		for op := range uint64(5) {
			integral = append(integral, roundUnit(f, 1+int(op)%2, fmt.Sprintf("3'd%d", op)).with(value, allValues(f.bits(), op)))
		}
	}
	for _, f := range littleFormats {
		for _, w := range []int{1, 2, 3, 5, 8, 12} {
			value := func(v vector) uint64 { return exactFromInt(v, w, f) }
			fromInt = append(fromInt, fromIntUnit(w, f, 0, "op[0]").with(value, allValues(w, 0, 1)))
			back := func(v vector) uint64 { return exactToInt(v, f, w) }
			toInt = append(toInt, toIntUnit(f, w, 0, "op[0]").with(back, allValues(f.bits(), 0, 1)))
		}
	}
	for latency := 1; latency <= 3; latency++ {
		for op := range uint64(2) {
			bit := fmt.Sprintf("1'b%d", op)
			for _, w := range []int{1, 6, 16} {
				f := halfFormat
				fromInt = append(fromInt, fromIntUnit(w, f, latency, bit).with(func(v vector) uint64 { return exactFromInt(v, w, f) }, allValues(w, op)))
			}
			for _, w := range []int{1, 16, 32} {
				f := halfFormat
				toInt = append(toInt, toIntUnit(f, w, latency, bit).with(func(v vector) uint64 { return exactToInt(v, f, w) }, allValues(f.bits(), op)))
			}
		}
	}
	wider := castFormat{4, 5, nil}
	pairs := [][2]castFormat{{tinyFormat, smallFormat}, {smallFormat, tinyFormat}, {smallFormat, wider}, {wider, smallFormat}, {steepFormat, leastFormat},
		{leastFormat, steepFormat}, {halfFormat, singleFormat}, {halfFormat, doubleFormat}, {brainFormat, singleFormat}, {brainFormat, doubleFormat},
		{castFormat{6, 9, nil}, tinyFormat}, {castFormat{5, 8, nil}, smallFormat}}
	for k, p := range pairs {
		for latency := range 3 {
			if latency != 1 || k < 4 {
				resized = append(resized, resizeUnit(p[0], p[1], latency).with(func(v vector) uint64 { return exactResize(v, p[0], p[1]) }, allValues(p[0].bits(), 0)))
			}
		}
	}
	for _, bench := range []struct {
		name  string
		units []floatUnit
	}{
		{"round, bits", slices.Concat(integral, resized[:10], bitUnits())},
		{"from_int", slices.Concat(fromInt, resized[10:18])},
		{"to_int", slices.Concat(toInt, resized[18:])},
	} {
		t.Run(bench.name, func(t *testing.T) { runFloats(t, bench.units) })
	}
}

// TestFloatConvertModel: exact arithmetic as above and compiler/num give the same values.
func TestFloatConvertModel(t *testing.T) {
	same := func(name string, exact, model func(v vector) uint64, vs iter.Seq[vector]) {
		t.Helper()
		for v := range vs {
			if e, m := exact(v), model(v); e != m {
				t.Fatalf("%s: a %#x b %#x op %d: %#x in exact arithmetic, %#x in compiler/num", name, v.a, v.b, v.op, e, m)
			}
		}
	}
	const n = 4000
	for _, f := range typedFormats {
		last := 1<<f.exp - 1
		same("cmpf "+f.String(), func(v vector) uint64 { return exactCompare(v, f) }, modelledCompare(t, f),
			randomVectors(f.exp, f.frac, n, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
		same("minmax "+f.String(), func(v vector) uint64 { return exactExtreme(v, f) }, modelled(t, extremeOps, f.t, f.t, f.t), randomVectors(f.exp, f.frac, n, 2, 0, 1, 2, 3))
		same("round "+f.String(), func(v vector) uint64 { return exactIntegral(v, f) }, modelled(t, integralOps, f.t, f.t),
			patterned(f, f.bias()-3, f.bias()+f.frac+2, n, 3, 0, 1, 2, 3, 4))
		for _, w := range []int{1, 8, 16, 32, 64} {
			i := ir.Int(w)
			same(fmt.Sprint("from_int ", w, f), func(v vector) uint64 { return exactFromInt(v, w, f) }, modelled(t, fromIntOps, f.t, i), integers(w, n, 4, 0, 1))
			same(fmt.Sprint("to_int ", f, w), func(v vector) uint64 { return exactToInt(v, f, w) }, modelled(t, toIntOps, i, f.t), patterned(f, f.bias()-2, f.bias()+w+2, n, 5, 0, 1))
		}
		for _, to := range typedFormats {
			if to.bits() != f.bits() {
				same(fmt.Sprint("resize ", f, to), func(v vector) uint64 { return exactResize(v, f, to) }, modelled(t, []string{resizeName(f, to)}, to.t, f.t), patterned(f, 0, last, n, 6, 0))
			}
		}
	}
}

// TestFloatConvertRandom: binary32 and binary64 against compiler/num, corners and random numbers
// near what a module decides by; comparisons of all words of small formats with them.
func TestFloatConvertRandom(t *testing.T) {
	unchanged(t, "float_*_test.go")
	t.Parallel()
	n := 400_000
	if soak() {
		n = 20_000_000
	}
	first, second := comparedAll(), []floatUnit(nil)
	for _, f := range []castFormat{singleFormat, doubleFormat} {
		first = append(first, cmpfUnit(f).with(modelledCompare(t, f), randomVectors(f.exp, f.frac, n, 1, predicates...)))
		value := modelled(t, extremeOps, f.t, f.t, f.t)
		for op := range uint64(4) {
			first = append(first, minmaxUnit(f, 1-int(op)/3, fmt.Sprintf("2'd%d", op)).with(value, randomVectors(f.exp, f.frac, n/4, op, op)))
		}
		value = modelled(t, integralOps, f.t, f.t)
		for op := range uint64(5) {
			first = append(first, roundUnit(f, 2-int(op)/4, fmt.Sprintf("3'd%d", op)).with(value, patterned(f, f.bias()-3, f.bias()+f.frac+2, n/5, op, op)))
		}
		for op := range uint64(2) {
			bit := fmt.Sprintf("1'b%d", op)
			for _, w := range []int{32, 64} {
				i := ir.Int(w)
				for latency := 2; latency <= 3; latency++ {
					second = append(second, fromIntUnit(w, f, latency, bit).with(modelled(t, fromIntOps, f.t, i), integers(w, n/8, uint64(latency), op)))
				}
				for latency := 1; latency <= 2; latency++ {
					second = append(second, toIntUnit(f, w, latency, bit).with(modelled(t, toIntOps, i, f.t), patterned(f, f.bias()-2, f.bias()+w+2, n/8, uint64(latency), op)))
				}
			}
		}
	}
	for _, from := range typedFormats[2:] {
		for _, to := range typedFormats {
			if from.bits() == to.bits() {
				continue
			}
			low, high := from.bias()-to.bias()-to.frac-3, from.bias()+to.bias()+3
			if to.bits() > from.bits() {
				low, high = 0, 3
			}
			for latency := 1; latency <= 2; latency++ {
				second = append(second, resizeUnit(from, to, latency).with(modelled(t, []string{resizeName(from, to)}, to.t, from.t), patterned(from, low, high, n/8, uint64(latency), 0)))
			}
		}
	}
	t.Run("compare", func(t *testing.T) { runFloats(t, first) })
	t.Run("convert", func(t *testing.T) { runFloats(t, second) })
}

// bitUnits are the operations that move bits.
func bitUnits() []floatUnit {
	var units []floatUnit
	for _, f := range []castFormat{smallFormat, halfFormat, singleFormat, doubleFormat} {
		sign := uint64(1) << (f.bits() - 1)
		for name, value := range map[string]func(v vector) uint64{
			"negf":     func(v vector) uint64 { return v.a ^ sign },
			"absf":     func(v vector) uint64 { return v.a &^ sign },
			"copysign": func(v vector) uint64 { return v.a&^sign | v.b&sign },
			"bitcast":  func(v vector) uint64 { return v.a },
		} {
			ports := fmt.Sprintf(".a(a[%d:0])", f.bits()-1)
			if name == "copysign" {
				ports += fmt.Sprintf(", .b(b[%d:0])", f.bits()-1)
			}
			units = append(units, floatUnit{name + " " + f.String(), combinational("loom_op_"+name, fmt.Sprintf("W(%d)", f.bits()), ports, f.bits()), value,
				randomVectors(f.exp, f.frac, 30000, 7, 0)})
		}
	}
	return units
}

// convertMutation is a fault planted in a module, which the vectors of a small unit must show.
type convertMutation struct {
	name, file, old, new string
	unit                 string // as in smallUnits
	soak                 bool
}

var convertMutations = []convertMutation{
	{"compares magnitudes alone", "loom_op_cmpf.sv", "(a[M] != b[M]) ? a[M] : smaller ^ a[M]", "smaller", "cmpf", false},
	{"orders negative numbers as positive ones", "loom_op_cmpf.sv", "smaller ^ a[M]", "smaller", "cmpf", true},
	{"tells the zeros apart", "loom_op_cmpf.sv", " | ~|a[M-1:0])", ")", "cmpf", false},
	{"takes an infinity for a NaN", "loom_op_cmpf.sv", "& (|a[FRAC-1:0])", "", "cmpf", true},
	{"compares a NaN in b", "loom_op_cmpf.sv", " | ((&b[M-1:FRAC]) & (|b[FRAC-1:0]))", "", "cmpf", true},
	{"gives an unordered predicate the relation above", "loom_op_cmpf.sv", "localparam int ORD = 7", "localparam int ORD = 8", "cmpf", true},
	{"numbers uno as another one", "loom_op_cmpf.sv", "localparam int UNO = 14", "localparam int UNO = 13", "cmpf", true},
	{"a minimum of the zeros is any", "loom_float_minmax.sv", "(a[M] != b[M]) ? a[M] : ", "", "minmax", false},
	{"a minimum ignores NaN", "loom_float_minmax.sv", "nan_a & nan_b : nan_a | nan_b", "nan_a & nan_b : nan_a & nan_b", "minmax", true},
	{"a minimum of numbers gives NaN", "loom_float_minmax.sv", "nan_a & nan_b : nan_a | nan_b", "nan_a | nan_b : nan_a | nan_b", "minmax", true},
	{"a number gives way to a NaN", "loom_float_minmax.sv", "nan_b | (~nan_a &", "(nan_b & ~op[0]) | (~nan_a &", "minmax", true},
	{"a NaN keeps its payload", "loom_float_minmax.sv", "(NAN & {(M + 1) {nan}})", "((NAN | a) & {(M + 1) {nan}})", "minmax", true},
	{"an integer is rounded half up", "loom_float_from_int.sv", "rest[LOW-1] & ((|rest[LOW-2:0]) | kept[0])", "rest[LOW-1]", "from_int", false},
	{"a negative integer is rounded half down", "loom_float_from_int.sv", "((&rest[LOW-2:0]) & kept[0])", "1'b0", "from_int", false},
	{"a negative integer is rounded half up", "loom_float_from_int.sv", "((&rest[LOW-2:0]) & kept[0])", "(&rest[LOW-2:0])", "from_int", true},
	{"a large integer is no infinity", "loom_float_from_int.sv", "assign over = high & (shift <= MOST[SB-1:0])", "assign over = high & (shift < MOST[SB-1:0])", "from_int", false},
	{"an infinity is rounded", "loom_float_from_int.sv", "assign more = up & ~over", "assign more = up", "from_int", true},
	{"an infinity keeps a fraction", "loom_float_from_int.sv", "kept & {K{~over}}", "kept", "from_int", true},
	{"zero has an exponent", "loom_float_from_int.sv", "base & {EXP{some}}", "base", "from_int", true},
	{"minus one has none", "loom_float_from_int.sv", "assign some   = high | minus", "assign some   = high", "from_int", true},
	{"zeros come in below a negative integer", "loom_float_from_int.sv", ".fill (negative)", ".fill (1'b0)", "from_int", true},
	{"a step looks at a bit too few", "loom_float_normalize.sv", "~|from[W-1-2*D -: D] : none", "1'b0 : none", "from_int", true},
	{"a NaN is an integer", "loom_float_to_int.sv", " | ((&exponent) & (|a[FRAC-1:0]))", "", "to_int", false},
	{"a negative number is an unsigned one", "loom_float_to_int.sv", " | (a[EXP+FRAC] & ~op)", "", "to_int", true},
	{"a fraction is one", "loom_float_to_int.sv", "(exponent < BIAS[EXP-1:0])", "(exponent < BIAS[EXP-1:0] - 1'b1)", "to_int", true},
	{"the largest integer overflows late", "loom_float_to_int.sv", "op ? TOO_LARGE_SIGNED[EXP-1:0] : TOO_LARGE", "op ? TOO_LARGE[EXP-1:0] : TOO_LARGE", "to_int", false},
	{"the largest signed integer is the largest unsigned one", "loom_float_to_int.sv", "if (most & op) chosen[W_OUT-1] = 1'b0;", "", "to_int", true},
	{"a complement lacks its one", "loom_float_to_int.sv", "assign more   = minus & ~none", "assign more   = 1'b0", "to_int", true},
	{"a NaN with a sign is minus one", "loom_float_to_int.sv", "assign more   = minus & ~none", "assign more   = minus", "to_int", true},
	{"a narrower number is rounded half up", "loom_float_resize.sv", "exact[1] & (exact[0] | exact[2])", "exact[1]", "narrow", false},
	{"what is shifted out is forgotten", "loom_float_resize.sv", "(g_step[k-1].moved >> amount) | V'(lost)", "(g_step[k-1].moved >> amount)", "narrow", false},
	{"what the last step shifts out is forgotten", "loom_float_resize.sv", "nearly[V-1:1] | (V - 1)'(nearly[0])", "nearly[V-1:1]", "narrow", true},
	{"what the shorter fraction lacks is forgotten", "loom_float_resize.sv", "|(fraction & BELOW)};\n          end else begin : g_next", "1'b0};\n          end else begin : g_next", "narrow", true},
	{"a number just below the least one is lost", "loom_float_resize.sv", "localparam int NOTHING = APART - FRAC_OUT", "localparam int NOTHING = APART - FRAC_OUT + 1", "narrow", false},
	{"a number far below the least one is shifted a little", "loom_float_resize.sv", "localparam int NOTHING = APART - FRAC_OUT", "localparam int NOTHING = 0", "narrow", true},
	{"a large number is no infinity", "loom_float_resize.sv", " | (&exponent[EXP_OUT-2:0])", "", "narrow", true},
	{"the least normal number is subnormal", "loom_float_resize.sv", "~|exponent[EXP_OUT-2:0]", "~|exponent[EXP_OUT-2:1]", "narrow", true},
	{"a NaN is an infinity", "loom_float_resize.sv", "| ((FRAC_OUT + 2)'(quiet) << (FRAC_OUT + 1))", "", "narrow", true},
	{"a NaN keeps its sign", "loom_float_resize.sv", "over | far, nan, sign & ~nan", "over | far, nan, sign", "narrow", true},
	{"a subnormal is an exponent too large", "loom_float_resize.sv", "(EXP_IN + 1)'(1) - (EXP_IN + 1)'(shift)", "(EXP_IN + 1)'(2) - (EXP_IN + 1)'(shift)", "widen", false},
	{"an infinity is a number", "loom_float_resize.sv", "(moved | {EXP_OUT{is_infinite}})", "moved", "widen", true},
	{"a zero has an exponent", "loom_float_resize.sv", " & {EXP_OUT{~none}}", "", "widen", true},
	{"a wider NaN keeps its payload", "loom_float_resize.sv", "word[FRAC_IN-1:0] & {FRAC_IN{~is_nan}}", "word[FRAC_IN-1:0]", "widen", true},
	{"a wider NaN keeps its sign", "loom_float_resize.sv", "is_negative & ~is_nan,", "is_negative,", "widen", true},
	{"ceil goes down", "loom_float_round.sv", "(op == CEIL[2:0]) & ~sign", "(op == CEIL[2:0]) & sign", "round", false},
	{"halves of odd numbers go down", "loom_float_round.sv", "(op == ROUND[2:0]) | last)", "(op == ROUND[2:0]))", "round", true},
	{"halves of even numbers go up", "loom_float_round.sv", "((op == ROUND[2:0]) | last)", "1'b1", "round", false},
	{"one and a half is one", "loom_float_round.sv", " | ~exponent[EXP-1];", ";", "round", true},
	{"a half is one", "loom_float_round.sv", "((op == ROUND[2:0]) | (|fraction))", "1'b1", "round", true},
	{"ceil of zero is one", "loom_float_round.sv", "(away & (|a[N-1:0]))", "away", "round", true},
	{"an integral number is raised", "loom_float_round.sv", "near & ~whole &", "near &", "round", true},
	{"the highest bit of a fraction is added for a half", "loom_float_round.sv", "if (halves & ~is_two) added[FRAC-1] = 1'b0;", "", "round", true},
	{"a NaN keeps its bits", "loom_float_round.sv", "assign nan   = (&exponent) & (|fraction)", "assign nan   = 1'b0", "round", true},
	{"a number of steep format is whole too late", "loom_float_round.sv", "(BIAS + FRAC < 2 * BIAS + 1) ? BIAS + FRAC : 2 * BIAS + 1", "BIAS + FRAC", "steep", true},
}

// smallUnits are units without registers that all their operands fit into a short run.
func smallUnits() map[string]floatUnit {
	f := smallFormat
	from, wide := castFormat{5, 6, nil}, castFormat{5, 6, nil}
	return map[string]floatUnit{
		"cmpf":     cmpfUnit(tinyFormat).with(func(v vector) uint64 { return exactCompare(v, tinyFormat) }, allPairs(tinyFormat.bits(), predicates...)),
		"minmax":   minmaxUnit(tinyFormat, 0, "op[1:0]").with(func(v vector) uint64 { return exactExtreme(v, tinyFormat) }, allPairs(tinyFormat.bits(), 0, 1, 2, 3)),
		"from_int": fromIntUnit(8, tinyFormat, 0, "op[0]").with(func(v vector) uint64 { return exactFromInt(v, 8, tinyFormat) }, allValues(8, 0, 1)),
		"to_int":   toIntUnit(f, 8, 0, "op[0]").with(func(v vector) uint64 { return exactToInt(v, f, 8) }, allValues(f.bits(), 0, 1)),
		"narrow":   resizeUnit(from, f, 0).with(func(v vector) uint64 { return exactResize(v, from, f) }, allValues(from.bits(), 0)),
		"widen":    resizeUnit(f, wide, 0).with(func(v vector) uint64 { return exactResize(v, f, wide) }, allValues(f.bits(), 0)),
		"round":    roundUnit(f, 0, "op[2:0]").with(func(v vector) uint64 { return exactIntegral(v, f) }, allValues(f.bits(), 0, 1, 2, 3, 4)),
		"steep":    roundUnit(steepFormat, 0, "op[2:0]").with(func(v vector) uint64 { return exactIntegral(v, steepFormat) }, allValues(steepFormat.bits(), 0, 1, 2, 3, 4)),
	}
}

// countWrong runs a unit without registers under Icarus and returns how many results are wrong; file
// with old replaced is the source that the unit is made of.
func countWrong(t *testing.T, u floatUnit, file, old, new string) string {
	t.Helper()
	dir := t.TempDir()
	sources(t, dir, file, old, new)
	var words strings.Builder
	n := 0
	for v := range u.vectors {
		fmt.Fprintf(&words, "%016x%016x%016x%016x\n", u.value(v), v.op, v.b, v.a)
		n++
	}
	text := fmt.Sprintf(`module bench;
  reg [255:0] words [0:%[1]d];
  reg clk, rst;
  wire in_valid, in_ready, out_valid, out_ready;
  assign in_valid = 1; assign out_ready = 1;
  reg [63:0] a, b, c, op, want;
  wire [63:0] y;
  %[2]s
  integer i, wrong;
  initial begin
    $readmemh("words.hex", words);
    wrong = 0; clk = 0; rst = 0; c = 0;
    for (i = 0; i <= %[1]d; i = i + 1) begin
      {want, op, b, a} = words[i]; #1;
      if (y !== want) wrong = wrong + 1;
    end
    $display("wrong %%0d", wrong);
    $finish;
  end
endmodule
`, n-1, u.instance)
	for name, s := range map[string]string{"bench.sv": text, "words.hex": words.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := append([]string{"-g2012", "-o", "bench.vvp", "-s", "bench"}, library(t)...)
	if out, err := run(t, dir, time.Minute, "iverilog", append(args, "bench.sv")...); err != nil {
		t.Fatalf("iverilog: %v\n%s", err, tail(out))
	}
	out, err := run(t, dir, time.Minute, "vvp", "bench.vvp")
	if err != nil {
		t.Fatalf("vvp: %v\n%s", err, tail(out))
	}
	return strings.TrimSpace(out)
}

// TestFloatConvertMutations plants faults, each of which a small unit must show, and none where there is none.
func TestFloatConvertMutations(t *testing.T) {
	toolstest.Need(t, "iverilog")
	for name, u := range smallUnits() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := countWrong(t, u, "", "", ""); got != "wrong 0" {
				t.Errorf("without a fault: %s", got)
			}
		})
	}
	for _, m := range convertMutations {
		t.Run(m.name, func(t *testing.T) {
			planted(t, m.file, m.old)
			if m.soak && !soak() {
				t.Skip("set LOOM_SOAK=1 for all faults")
			}
			t.Parallel()
			if got := countWrong(t, smallUnits()[m.unit], m.file, m.old, m.new); got == "wrong 0" || !strings.HasPrefix(got, "wrong ") {
				t.Errorf("the fault is not seen: %s", got)
			}
		})
	}
}
