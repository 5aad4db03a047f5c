package vector

import (
	"slices"

	"loom/compiler/ir"
)

// nanFormats are the floats that integers may hold: bits in all, and those of the
// fraction.
var nanFormats = []struct{ bits, fraction int }{{64, 52}, {32, 23}}

// defaultNaN is the NaN that our side makes of every invalid operation.
func defaultNaN(bits, fraction int) uint64 { return (1<<(bits-fraction) - 1) << (fraction - 1) }

// invalid are the words without sign that an invalid operation leaves: a double, its upper
// word alone, a float.
var invalid = []struct {
	bits int
	word uint64
}{{64, defaultNaN(64, 52)}, {32, upperWord}, {32, defaultNaN(32, 23)}}

// upperWord is that of a double's default NaN. Integers of 64 bits hold all of it.
const upperWord = 0x7ff8 << 16

// sameNaNs is got with the words of want where both hold a NaN of one format and got's is
// the default one, and with the sign of want where both hold the default one but for the
// sign. The element in which a float begins in integers narrower than itself is not known: any
// will do. Integers of 64 bits may hold two floats.
func sameNaNs(want, got []uint64, t ir.Type) []uint64 {
	w, ok := ir.BitWidth(t, 64)
	if !ok || !ir.IsInt(t) || w != 8 && w != 16 && w != 32 && w != 64 || slices.Equal(want, got) {
		return got
	}
	// units are elements, or their halves.
	unit := min(w, 32)
	per := w / unit
	units := len(got) * per
	word := func(data []uint64, from, bits int) (v uint64) {
		for k := range bits / unit {
			i := from + k
			v |= data[i/per] >> (i % per * unit) & (1<<unit - 1) << (k * unit)
		}
		return v
	}
	out := slices.Clone(got)
	take := func(from, bits int) {
		for i := from; i < from+bits/unit; i++ {
			mask := uint64(1<<unit-1) << (i % per * unit)
			out[i/per] = out[i/per]&^mask | want[i/per]&mask
		}
	}
	for from := range units {
		for _, f := range nanFormats {
			if from+f.bits/unit > units || f.bits == w && from%per != 0 {
				continue
			}
			a, b := word(want, from, f.bits), word(got, from, f.bits)
			infinity := uint64(1<<(f.bits-1-f.fraction)-1) << f.fraction
			if a&^(1<<(f.bits-1)) > infinity && b == defaultNaN(f.bits, f.fraction) {
				take(from, f.bits)
			}
		}
		for _, c := range invalid {
			if from+c.bits/unit > units || c.bits == w && from%per != 0 || w == 64 && c.word == upperWord {
				continue
			}
			a, b := word(want, from, c.bits), word(got, from, c.bits)
			if sign := uint64(1) << (c.bits - 1); a&^sign == c.word && b&^sign == c.word {
				take(from, c.bits)
			}
		}
	}
	return out
}
