package interp

import (
	"fmt"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/sim/vector"
)

// buffer is one allocation. Freeing it empties data.
type buffer struct {
	data []uint64
	// written marks the elements that have a value, nil if all have.
	written []bool
}

// view is a memref value: a strided window on a buffer. Every index inside the
// shape addresses an element inside the buffer as it was allocated.
type view struct {
	buf     *buffer
	offset  int64
	shape   []int64
	strides []int64
}

// contiguous is the row-major view of data.
func contiguous(data []uint64, shape []int64) view {
	v := view{buf: &buffer{data: data}, shape: shape, strides: make([]int64, len(shape))}
	step := int64(1)
	for i := len(shape) - 1; i >= 0; i-- {
		v.strides[i] = step
		step *= shape[i]
	}
	return v
}

// size is the number of elements of the view.
func (v *view) size() int64 {
	n := int64(1)
	for _, d := range v.shape {
		n *= d
	}
	return n
}

// fits reports whether every element lies inside the buffer.
func (v *view) fits() bool {
	if v.size() == 0 {
		return true
	}
	low, high := v.offset, v.offset
	for i, d := range v.shape {
		if span := v.strides[i] * (d - 1); span < 0 {
			low += span
		} else {
			high += span
		}
	}
	return low >= 0 && high < int64(len(v.buf.data))
}

// each calls f with the buffer positions of all elements, row-major.
func (v *view) each(f func(at int64)) {
	if v.size() == 0 {
		return
	}
	index := make([]int64, len(v.shape))
	at := v.offset
	for {
		f(at)
		d := len(index) - 1
		for ; d >= 0; d-- {
			index[d]++
			at += v.strides[d]
			if index[d] < v.shape[d] {
				break
			}
			at -= index[d] * v.strides[d]
			index[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

func shapeText(shape []int64) string {
	parts := make([]string, len(shape))
	for i, d := range shape {
		parts[i] = fmt.Sprint(d)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// outOfBounds is the fault of an access; raw are the index bit patterns.
func outOfBounds(pos diag.Pos, what, name string, raw []int64, v *view) *fault {
	if v.buf == nil || v.buf.data == nil && v.size() > 0 {
		return faultf(pos, CodeOutOfBounds, "%s of memory%s that has been freed", what, name)
	}
	return faultf(pos, CodeOutOfBounds, "%s out of bounds: index %s in memory%s of shape %s", what, shapeText(raw), name, shapeText(v.shape))
}

// access holds what a load or store needs to find its element.
type access struct {
	pos   diag.Pos
	what  string
	name  string // " %x" of the memref, "" where it has no name
	mem   int
	index []int
	shift uint // sign-extends an index
}

func (c *compiler) access(op *ir.Operation, what string, mem int) *access {
	a := &access{pos: op.Pos, what: what, mem: c.useKind(op, mem, viewKind), shift: uint(64 - c.indexWidth())}
	if mem >= op.NumOperands() || op.Operand(mem) == nil {
		return a
	}
	if n := op.Operand(mem).Name; n != "" {
		a.name = " %" + n
	}
	for i := mem + 1; i < op.NumOperands(); i++ {
		a.index = append(a.index, c.useKind(op, i, scalarKind))
	}
	if t, ok := op.Operand(mem).Type.(*ir.MemRefType); ok && len(t.Shape) != len(a.index) {
		c.errorf(op.Pos, "'%s' has %d indices for %s", op.Name, len(a.index), t)
	}
	return a
}

// at computes the buffer position of the element. Index bit patterns are
// compared without sign, so negative ones are out of bounds.
func (a *access) at(fr *frame) (int64, *fault) {
	v := &fr.m[a.mem]
	at := v.offset
	for d, s := range a.index {
		i := fr.v[s]
		if i >= uint64(v.shape[d]) {
			return 0, a.fault(fr)
		}
		at += int64(i) * v.strides[d]
	}
	if v.buf == nil || uint64(at) >= uint64(len(v.buf.data)) {
		return 0, a.fault(fr)
	}
	return at, nil
}

func (a *access) fault(fr *frame) *fault {
	raw := make([]int64, len(a.index))
	for d, s := range a.index {
		raw[d] = int64(fr.v[s]<<a.shift) >> a.shift
	}
	return outOfBounds(a.pos, a.what, a.name, raw, &fr.m[a.mem])
}

// allocate returns new zeroed memory and charges it to the run.
func (st *state) allocate(pos diag.Pos, shape []int64) (view, *fault) {
	n := int64(1)
	for _, d := range shape {
		if d < 0 {
			return view{}, faultf(pos, 0, "memory of negative extent: shape %s", shapeText(shape))
		}
		if d > vector.MaxElements || n*max(d, 1) > vector.MaxElements {
			n = vector.MaxElements + 1
			break
		}
		n *= max(d, 1)
	}
	if n > vector.MaxElements || st.live+n > 4*vector.MaxElements {
		return view{}, faultf(pos, 0, "memory of shape %s is too large: %d elements may be alive at once", shapeText(shape), 4*vector.MaxElements)
	}
	if f := st.charge(n/8, pos); f != nil {
		return view{}, f
	}
	v := contiguous(nil, shape)
	v.buf.data = make([]uint64, v.size())
	st.live += v.size()
	return v, nil
}

// undefined is the fault of reading an element without a value.
func (a *access) undefined(fr *frame) *fault {
	raw := make([]int64, len(a.index))
	for d, s := range a.index {
		raw[d] = int64(fr.v[s]<<a.shift) >> a.shift
	}
	return faultf(a.pos, 0, "%s of an undefined element: nothing has written index %s of memory%s since its allocation", a.what, shapeText(raw), a.name)
}
