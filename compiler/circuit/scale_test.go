package circuit

import (
	"math/bits"
	"testing"
)

// TestDigits: the digits of a number are its value, and no other has fewer.
func TestDigits(t *testing.T) {
	const width = 8
	fewest := map[uint64]int{}
	for plus := range uint64(1 << width) {
		for minus := range uint64(1 << width) {
			v, n := (plus-minus)&(1<<width-1), bits.OnesCount64(plus)+bits.OnesCount64(minus)
			if have, ok := fewest[v]; !ok || n < have {
				fewest[v] = n
			}
		}
	}
	for v, want := range fewest {
		plus, minus := digits(v, width)
		if got := bits.OnesCount64(plus) + bits.OnesCount64(minus); (plus-minus)&(1<<width-1) != v || got != want {
			t.Errorf("%d is %b - %b, with %d digits; %d would do", v, plus, minus, got, want)
		}
	}
	for _, v := range []uint64{1 << 63, ^uint64(0), 0x8000000000000001, 0x5555555555555555} {
		if plus, minus := digits(v, 64); plus-minus != v {
			t.Errorf("%#x is %#x - %#x", v, plus, minus)
		}
	}
}
