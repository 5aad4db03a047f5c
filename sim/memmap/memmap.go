// Package memmap decides where the memory arguments and constant tables of a run lie in
// the byte address space that external memories see. The cycle simulator and the
// co-simulation harness use the same map, so that a kernel that leaves its arrays meets
// the same guard gap in both.
//
// Source: sim/README.md, "Memory map".
package memmap

import (
	"fmt"
	"math/bits"

	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/sim/vector"
)

const (
	// FirstBase is the base address of the first region; 0 stays unmapped.
	FirstBase = 0x10000
	// Align is the alignment of every base address.
	Align = 64
	// Gap is the least distance between the end of a region and the next base.
	Gap = 4096
)

// Region is the address range of one memory argument or constant table.
type Region struct {
	// Arg is the index of the argument in the inputs, -1 for a table; Table that of the
	// table among those of the binding, -1 for an argument. Constant is set for tables and
	// arguments that nobody writes: a write to one fails.
	Arg, Table int
	Constant   bool
	// Base is the byte address of element 0.
	Base uint64
	// ElemBits is the number of meaningful bits of an element, ElemBytes the
	// distance between elements.
	ElemBits, ElemBytes int
	// Elements is the number of elements, Data what they are at the start of a run.
	Elements int
	Data     []uint64
}

// Size is the number of bytes of the region.
func (r *Region) Size() uint64 { return uint64(r.Elements) * uint64(r.ElemBytes) }

// Contains reports whether n bytes at addr lie inside the region.
func (r *Region) Contains(addr uint64, n int) bool {
	return addr >= r.Base && addr-r.Base < r.Size() && r.Size()-(addr-r.Base) >= uint64(n)
}

// ElemBytes is the distance between elements of type t in memory: the width
// rounded up to a power of two of at least a byte.
func ElemBytes(t ir.Type, indexWidth int) (int, error) {
	w, ok := ir.BitWidth(t, indexWidth)
	if !ok || w < 1 || w > 64 {
		return 0, fmt.Errorf("memory elements of type %s cannot be laid out; elements have 1 to 64 bits", t)
	}
	if w <= 8 {
		return 1, nil
	}
	return 1 << bits.Len(uint(w-1)) / 8, nil
}

// Assign gives every memory argument a region, and behind them every constant table in
// external memory. The regions come in the order of the arguments and of the tables; the
// bases are distinct, aligned, nonzero and separated by guard gaps.
func Assign(in *vector.Inputs, b *mapping.Binding, indexWidth int) ([]Region, error) {
	var out []Region
	next := uint64(FirstBase)
	add := func(r Region) {
		r.Base, r.Elements = next, len(r.Data)
		out = append(out, r)
		next = (next+r.Size()+Align-1)/Align*Align + Gap
	}
	for i, a := range in.Args {
		if a.Mem == nil {
			continue
		}
		n, err := ElemBytes(a.Mem.Elem, indexWidth)
		if err != nil {
			return nil, fmt.Errorf("argument '%s': %w", a.Name, err)
		}
		w, _ := ir.BitWidth(a.Mem.Elem, indexWidth)
		add(Region{Arg: i, Table: -1, Constant: i < len(b.Args) && b.Args[i].ROM, ElemBits: w, ElemBytes: n, Data: a.Mem.Data})
	}
	for i, t := range b.Tables {
		w, ok := ir.BitWidth(t.Elem, indexWidth)
		if !ok || w < 1 || w > 8*t.ElemBytes {
			return nil, fmt.Errorf("table '%s': elements of type %s do not fit %d bytes", t.Name, t.Elem, t.ElemBytes)
		}
		add(Region{Arg: -1, Table: i, Constant: true, ElemBits: w, ElemBytes: t.ElemBytes, Data: t.Data})
	}
	return out, nil
}

// Bytes lays out what the region holds at the start of a run.
func (r *Region) Bytes() []byte {
	data := make([]uint64, r.Elements)
	for i, v := range r.Data {
		data[i] = v & (^uint64(0) >> (64 - r.ElemBits))
	}
	return Bytes(data, int64(r.ElemBytes))
}

// Elems reads the elements back from the region's bytes, which the caller has
// not resized. Bits above an element's width are dropped.
func (r *Region) Elems(data []byte) []uint64 {
	out := Elements(data, int64(r.ElemBytes))
	for i := range out {
		out[i] &= ^uint64(0) >> (64 - r.ElemBits)
	}
	return out
}
