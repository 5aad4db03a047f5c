package vector

import (
	"testing"

	"loom/compiler/ir"
)

// TestOverlap: an array, parts of it, and others.
func TestOverlap(t *testing.T) {
	whole, other := make([]uint64, 8), make([]uint64, 8)
	mem := func(data []uint64) Arg { return Arg{Mem: &Memory{Elem: ir.I32, Data: data}} }
	for _, c := range []struct {
		name string
		args []Arg
		want bool
	}{
		{"two arrays", []Arg{mem(whole), mem(other), {Scalar: 3}}, false},
		{"one twice", []Arg{mem(whole), {Scalar: 3}, mem(whole)}, true},
		{"halves", []Arg{mem(whole[:4]), mem(whole[4:])}, false},
		{"an element in common", []Arg{mem(whole[:5]), mem(whole[4:])}, true},
		{"a part", []Arg{mem(whole[2:3]), mem(other), mem(whole)}, true},
		{"an empty part", []Arg{mem(whole), mem(whole[3:3])}, false},
	} {
		if got := (&Inputs{Args: c.args}).Overlap(); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
		if got := (&Inputs{Args: c.args}).Clone().Overlap(); got != c.want {
			t.Errorf("a copy of %s: %t", c.name, got)
		}
	}
}
