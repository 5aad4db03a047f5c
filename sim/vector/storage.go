package vector

import "loom/compiler/ir"

// StorageType is the type in which a memref parameter is given to a run: the
// type itself, or for a strided layout the flat memory in which the layout finds
// its elements, element 0 at address 0. It ends with the last element, so its
// size is known if that of every dimension is.
//
// A kernel with the parameter memref<2x3xi32, strided<[8, 1], offset: 4>> takes
// a list of 15 values of which it uses those at 4, 5, 6, 12, 13 and 14; the
// others come back as they were. That is what a C program passes: the array the
// window lies in.
func StorageType(m *ir.MemRefType) *ir.MemRefType {
	if m.Layout == nil || len(m.Layout.Strides) != len(m.Shape) || rowMajor(m) {
		return m
	}
	size := int64(0)
	if last, ok := lastAddress(m); ok {
		size = last + 1
	} else {
		size = ir.Dynamic
	}
	return ir.MemRefOf([]int64{size}, m.Elem, nil, "", m.Space)
}

// rowMajor reports whether a strided layout is that of a memref without one.
func rowMajor(m *ir.MemRefType) bool {
	step := int64(1)
	for i := len(m.Shape) - 1; i >= 0; i-- {
		if step == ir.Dynamic || m.Layout.Strides[i] != step {
			return false
		}
		if step *= m.Shape[i]; m.Shape[i] == ir.Dynamic {
			step = ir.Dynamic
		}
	}
	return m.Layout.Offset == 0
}

// lastAddress is the highest address of an element, -1 where there is none.
func lastAddress(m *ir.MemRefType) (last int64, ok bool) {
	last = m.Layout.Offset
	if last == ir.Dynamic {
		return 0, false
	}
	for i, d := range m.Shape {
		s := m.Layout.Strides[i]
		switch {
		case d == 0:
			return -1, true
		case d == ir.Dynamic || s == ir.Dynamic:
			return 0, false
		case d > MaxElements || s > MaxElements || s < -MaxElements || last > MaxElements:
			return 0, false
		case s > 0:
			last += (d - 1) * s
		}
	}
	return last, true
}

// StoredShape is the shape of a strided parameter whose storage has n elements:
// one dynamic extent is as large as the storage allows. ok is false where the
// storage does not determine the shape, or where an element lies outside it.
func StoredShape(m *ir.MemRefType, n int64) (shape []int64, ok bool) {
	shape = append([]int64{}, m.Shape...)
	open := -1
	lowest, last := m.Layout.Offset, m.Layout.Offset
	if lowest == ir.Dynamic {
		return nil, false
	}
	for i, d := range m.Shape {
		s := m.Layout.Strides[i]
		switch {
		case s == ir.Dynamic || s > MaxElements || s < -MaxElements || d > MaxElements:
			return nil, false
		case d == 0:
			return shape, open < 0
		case d == ir.Dynamic && (open >= 0 || s <= 0):
			return nil, false
		case d == ir.Dynamic:
			open = i
		case s > 0:
			last += (d - 1) * s
		default:
			lowest += (d - 1) * s
		}
	}
	if open >= 0 {
		shape[open] = 0
		if room := n - 1 - last; room >= 0 {
			shape[open] = room/m.Layout.Strides[open] + 1
		}
		return shape, lowest >= 0
	}
	return shape, lowest >= 0 && last < n
}
