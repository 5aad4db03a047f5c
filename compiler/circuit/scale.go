package circuit

import (
	"math/bits"

	"loom/compiler/opname"
)

// mostDigits is up to how many digits of its number a product is a sum: beyond, a multiplier is
// smaller.
const mostDigits = 3

// Scale reports whether a unit multiplies by a number that has few digits, so that it is a sum of
// shifted operands (loom_scale) and needs no multiplier: the operand that is not the number, and the
// digits of the number that count +1 and -1.
func (u *Unit) Scale() (operand int, plus, minus uint64, ok bool) {
	if u.Kind != Compute || u.Op.Name != opname.ArithMulI {
		return 0, 0, 0, false
	}
	for i, o := range u.In {
		other := u.In[1-i]
		if !o.Immediate() || other.Immediate() {
			continue
		}
		plus, minus = digits(o.Value, o.Width)
		n := bits.OnesCount64(plus) + bits.OnesCount64(minus)
		return 1 - i, plus, minus, n <= mostDigits
	}
	return 0, 0, 0, false
}

// digits writes a number of some bits as a difference with the fewest ones: in its signed digits no
// two that are not zero are neighbours (Reitwiesner's recoding).
func digits(v uint64, width int) (plus, minus uint64) {
	for i := 0; i < width && v != 0; i++ {
		if v&1 != 0 {
			if v&3 == 3 && i < width-1 { // a run of ones: -1 here and +1 behind it
				minus |= 1 << i
				v++
			} else {
				plus |= 1 << i
				v--
			}
		}
		v >>= 1
	}
	return plus, minus
}
