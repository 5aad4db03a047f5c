package extent

import "fmt"

// Limit is the largest magnitude of a bound that is known: beyond it sums and products of bounds could leave 64
// bits, and values those of 32.
const Limit = 1<<31 - 1

// An Interval holds the integers from Lo to Hi.
type Interval struct{ Lo, Hi int64 }

// Unknown reports whether nothing is known: no interval of a value is empty.
func (v Interval) Unknown() bool { return v.Lo > v.Hi }

// nothing is the interval of what is not known.
var nothing = Interval{1, 0}

// Op is what an instruction computes. A, B and D are the results of earlier instructions, Lo and Hi constants.
type Op int

// The operations.
const (
	Const  Op = iota // Lo to Hi
	Param            // the value of the function's parameter Lo, which has Hi bits, with sign
	Add              // A + B
	Sub              // A - B
	Mul              // A * B
	Min              // the lesser of each two
	Max              // the greater
	Hull             // what is in A, in B or between
	Inside           // A where all of it lies from Lo to Hi, else unknown
	Shift            // A shifted right by Lo bits
	Div              // A divided by Lo, towards zero
	Below            // of A what is at most B + Lo
	Above            // of A what is at least B
	Except           // A without Lo, where that is an end of it
	Upto             // from A on by steps of D, up to B + Lo, where what comes next is at most Hi
	Downto           // from A down by steps of D, to B + Lo, where what comes next is at least -Hi
	Trips            // the numbers of steps of D from A that reach at most B + Lo, and one more: 0 and greater
)

var names = [...]string{"const", "param", "add", "sub", "mul", "min", "max", "hull", "inside", "shift", "div", "below", "above", "except", "upto", "downto", "trips"}

// String is the operation's name.
func (o Op) String() string { return names[o] }

// operands is how many of A, B and D the operation reads.
func (o Op) operands() int {
	switch o {
	case Const, Param:
		return 0
	case Inside, Shift, Div, Except:
		return 1
	case Upto, Downto, Trips:
		return 3
	}
	return 2
}

// An Inst is an instruction.
type Inst struct {
	Op      Op
	A, B, D int
	Lo, Hi  int64
}

// Reads are the numbers of the instructions whose results it reads.
func (i Inst) Reads() []int { return []int{i.A, i.B, i.D}[:i.Op.operands()] }

// Renumbered is the instruction in code where instruction n is number at[n].
func (i Inst) Renumbered(at []int) Inst {
	for k, r := range []*int{&i.A, &i.B, &i.D} {
		if k < i.Op.operands() {
			*r = at[*r]
		}
	}
	return i
}

// String is the instruction as text.
func (i Inst) String() string {
	s := i.Op.String()
	for _, at := range i.Reads() {
		s += fmt.Sprintf(" %%%d", at)
	}
	return s + fmt.Sprintf(" %d %d", i.Lo, i.Hi)
}

// Code is a list of instructions, each of which reads results of earlier ones.
type Code []Inst

// Eval computes the intervals for a run with the given parameters, sign-extended. Those that are unknown are
// Unknown.
func (c Code) Eval(params []int64) []Interval {
	out := make([]Interval, len(c))
	for n, i := range c {
		out[n] = i.eval(params, func(at int) Interval { return out[at] })
	}
	return out
}

// eval computes one instruction. The C code of the host function does the same (package host).
func (i Inst) eval(params []int64, of func(int) Interval) Interval {
	var a, b, d Interval
	for k, p := range []*Interval{&a, &b, &d} {
		if k < i.Op.operands() {
			if *p = of([]int{i.A, i.B, i.D}[k]); p.Unknown() {
				return nothing
			}
		}
	}
	var lo, hi int64
	switch i.Op {
	case Const:
		lo, hi = i.Lo, i.Hi
	case Param:
		lo, hi = params[i.Lo], params[i.Lo]
	case Add:
		lo, hi = a.Lo+b.Lo, a.Hi+b.Hi
	case Sub:
		lo, hi = a.Lo-b.Hi, a.Hi-b.Lo
	case Mul:
		p, q, r, s := a.Lo*b.Lo, a.Lo*b.Hi, a.Hi*b.Lo, a.Hi*b.Hi
		lo, hi = min(p, q, r, s), max(p, q, r, s)
	case Min:
		lo, hi = min(a.Lo, b.Lo), min(a.Hi, b.Hi)
	case Max:
		lo, hi = max(a.Lo, b.Lo), max(a.Hi, b.Hi)
	case Hull:
		lo, hi = min(a.Lo, b.Lo), max(a.Hi, b.Hi)
	case Inside:
		if lo, hi = a.Lo, a.Hi; lo < i.Lo || hi > i.Hi {
			return nothing
		}
	case Shift:
		lo, hi = a.Lo>>i.Lo, a.Hi>>i.Lo
	case Div:
		lo, hi = a.Lo/i.Lo, a.Hi/i.Lo
	case Below: // an access that never happens may have any interval
		lo, hi = a.Lo, max(a.Lo, min(a.Hi, b.Hi+i.Lo))
	case Above:
		lo, hi = min(a.Hi, max(a.Lo, b.Lo)), a.Hi
	case Except:
		lo, hi = a.Lo, a.Hi
		if lo < hi && lo == i.Lo {
			lo++
		}
		if lo < hi && hi == i.Lo {
			hi--
		}
	case Upto:
		if lo, hi = a.Lo, max(a.Lo, b.Hi+i.Lo); hi+d.Hi > i.Hi {
			return nothing
		}
	case Downto:
		if lo, hi = min(a.Hi, b.Lo+i.Lo), a.Hi; lo-d.Hi < -i.Hi {
			return nothing
		}
	case Trips:
		lo, hi = 0, max(0, b.Hi+i.Lo-a.Lo+d.Lo)/d.Lo
	}
	if lo < -Limit || hi > Limit {
		return nothing
	}
	return Interval{lo, hi}
}
