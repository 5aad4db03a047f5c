package num

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// intCast defines a conversion between integer widths: signed sources are
// sign-extended, others zero-extended; both are truncated to the result.
func intCast(signed bool, check func(b *build, from, to uint), names ...string) {
	define(1, 1, func(b *build) Form {
		from, to := b.intWidth(b.in(0), "operand"), b.intWidth(b.out(0), "result")
		check(b, from, to)
		m, s := mask(to), 64-from
		if signed {
			return Form{Unary: func(a uint64) uint64 { return uint64(int64(a<<s)>>s) & m }}
		}
		return Form{Unary: func(a uint64) uint64 { return a & m }}
	}, names...)
}

func init() {
	widen := func(b *build, from, to uint) {
		if from >= to {
			b.fail("'%s' must widen, not turn %s into %s", b.op.Name, b.in(0), b.out(0))
		}
	}
	narrow := func(b *build, from, to uint) {
		if from <= to {
			b.fail("'%s' must narrow, not turn %s into %s", b.op.Name, b.in(0), b.out(0))
		}
	}
	either := func(*build, uint, uint) {}
	intCast(true, widen, opname.ArithExtSI)
	intCast(false, widen, opname.ArithExtUI)
	intCast(false, narrow, opname.ArithTruncI)
	intCast(true, either, opname.ArithIndexCast, opname.IndexCasts)
	intCast(false, either, opname.ArithIndexCastUI, opname.IndexCastu)

	define(1, 1, func(b *build) Form {
		if b.scalarWidth(b.in(0)) != b.scalarWidth(b.out(0)) {
			b.fail("'%s' needs types of one width, not %s and %s", b.op.Name, b.in(0), b.out(0))
		}
		return Form{Unary: func(a uint64) uint64 { return a }}
	}, opname.ArithBitcast)

	define(1, 1, func(b *build) Form {
		from, to := b.float(b.in(0), "operand"), b.float(b.out(0), "result")
		if from.bits >= to.bits {
			b.fail("'%s' must widen, not turn %s into %s", b.op.Name, b.in(0), b.out(0))
		}
		return Form{Unary: func(a uint64) uint64 { return to.encode(from.decode(a)) }}
	}, opname.ArithExtF)
	define(1, 1, func(b *build) Form {
		from, to := b.float(b.in(0), "operand"), b.float(b.out(0), "result")
		if from.bits <= to.bits {
			b.fail("'%s' must narrow, not turn %s into %s", b.op.Name, b.in(0), b.out(0))
		}
		// Rounding modes are numbered as in LLVM; 0 is to nearest even.
		if mode, ok := b.op.IntAttr("roundingmode"); ok && mode != 0 {
			b.fail("'%s' can only round to nearest even", b.op.Name)
		}
		return Form{Unary: func(a uint64) uint64 { return to.encode(from.decode(a)) }}
	}, opname.ArithTruncF)

	define(1, 1, func(b *build) Form {
		w, f := b.intWidth(b.in(0), "operand"), b.float(b.out(0), "result")
		return Form{Unary: func(a uint64) uint64 {
			x := sext(a, w)
			if x < 0 {
				return f.fromUint(-uint64(x), true)
			}
			return f.fromUint(uint64(x), false)
		}}
	}, opname.ArithSIToFP)
	define(1, 1, func(b *build) Form {
		b.intWidth(b.in(0), "operand")
		f := b.float(b.out(0), "result")
		return Form{Unary: func(a uint64) uint64 { return f.fromUint(a, false) }}
	}, opname.ArithUIToFP)
	define(1, 1, func(b *build) Form {
		f, w := b.float(b.in(0), "operand"), b.intWidth(b.out(0), "result")
		low, high := -math.Ldexp(1, int(w)-1), math.Ldexp(1, int(w)-1)
		return Form{Unary: func(a uint64) uint64 {
			x := math.Trunc(f.decode(a))
			switch {
			case x != x:
				return 0
			case x < low:
				return 1 << (w - 1)
			case x >= high:
				return mask(w) >> 1
			}
			return uint64(int64(x)) & mask(w)
		}}
	}, opname.ArithFPToSI)
	define(1, 1, func(b *build) Form {
		f, w := b.float(b.in(0), "operand"), b.intWidth(b.out(0), "result")
		high := math.Ldexp(1, int(w))
		return Form{Unary: func(a uint64) uint64 {
			x := math.Trunc(f.decode(a))
			switch {
			case x != x || x <= 0:
				return 0
			case x >= high:
				return mask(w)
			}
			return uint64(x)
		}}
	}, opname.ArithFPToUI)

	define(0, 1, func(b *build) Form {
		v, err := ConstantBits(b.op.Attr("value"), b.out(0), b.indexWidth)
		if err != nil {
			b.fail("'%s': %v", b.op.Name, err)
		}
		return Form{Const: v}
	}, opname.ArithConstant, opname.IndexConstant, opname.IndexBoolConstant)

	define(0, 1, func(b *build) Form {
		w := b.intWidth(b.out(0), "result")
		return Form{Const: uint64(w) & mask(w)}
	}, opname.IndexSizeof)
}

// ConstantBits is the bit pattern of a constant attribute as a value of type t:
// integers are truncated to the width, floats rounded. A float written as a
// hexadecimal integer (0x7FC00000 : f32) is its bit pattern.
func ConstantBits(a ir.Attr, t ir.Type, indexWidth int) (uint64, error) {
	switch a := a.(type) {
	case *ir.IntegerAttr:
		if w, ok := ir.BitWidth(t, indexWidth); ir.IsInt(t) && ok && w >= 1 && w <= 64 {
			return uint64(a.Value) & mask(uint(w)), nil
		}
	case *ir.FloatAttr:
		f, ok := formatOf(t)
		if !ok {
			break
		}
		if hex, isHex := strings.CutPrefix(strings.ToLower(a.Text), "0x"); isHex {
			v, err := strconv.ParseUint(hex, 16, 64)
			if err != nil || v > mask(f.bits) {
				return 0, fmt.Errorf("%s is no bit pattern of %s", a.Text, t)
			}
			return v, nil
		}
		return f.encode(a.Value), nil
	case nil:
		return 0, fmt.Errorf("the constant has no value")
	}
	return 0, fmt.Errorf("%s is no constant of type %s", a, t)
}
