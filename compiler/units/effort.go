package units

import "loom/compiler/opname"

// Effort is roughly how long an operation takes, in whatever hardware: passes that choose
// between computing in vain and not computing weigh by it, before there is a fabric.
type Effort int

// The efforts, from the least.
const (
	Free  Effort = iota // cuts, extends or renames bits
	Light               // an addition, a comparison, a choice
	Heavy               // some additions: a multiplication, most of floating point
	Slow                // digit by digit
)

// EffortOf is the effort of an operation.
func EffortOf(op string) Effort {
	if u, ok := Lookup(op); ok {
		switch {
		case u.Types.Cast() && !u.Inside:
			return Free
		case u.Class == Iterative:
			return Slow
		}
	}
	switch op {
	case opname.ArithBitcast:
		return Free
	case opname.ArithMulI, opname.ArithMulF, opname.ArithAddF, opname.ArithSubF, opname.MathFMA:
		return Heavy
	case opname.ArithDivF, opname.ArithRemF, opname.MathSqrt, opname.MathExp, opname.MathLog2, opname.MathSin, opname.MathCos:
		return Slow
	}
	return Light
}
