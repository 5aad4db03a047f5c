package structure

import (
	"loom/compiler/analysis/ranges"
	"loom/compiler/ir"
)

// factsAt returns the value ranges at op. The function changes all the time, so only
// what leads to op is analysed. No width of an index is settled yet, and C does
// not divide by zero.
func factsAt(op *ir.Operation) *ranges.Ranges {
	return ranges.Near(op, ranges.Options{NoDivisionByZero: true})
}

// widthOf is the width in which an integer is sure to be computed exactly: an index may
// be as narrow as 32 bits.
func widthOf(t ir.Type) int {
	w, ok := ir.BitWidth(t, 32)
	if !ok || w > 64 {
		return 64
	}
	return w
}
