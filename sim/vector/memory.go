package vector

import (
	"fmt"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/num"
)

// memory reads one memref argument in any of its spellings.
func (r *inputReader) memory(m *Memory, t *ir.MemRefType, n *node) {
	if !scalarType(t.Elem, r.indexWidth) {
		r.errorf(n.offset, "parameter %q has type %s, whose elements have no input form", m.Name, t)
		return
	}
	faults := len(r.errs.All)
	switch {
	case n.kind == nodeObject:
		r.memoryObject(m, t, n)
	case n.kind == nodeArray && len(t.Shape) > 0:
		r.nested(m, t, n)
	case n.kind == nodeString && len(t.Shape) == 1 && t.Elem == ir.Type(ir.I8):
		r.characters(m, t, n)
	case n.kind == nodeNumber && len(t.Shape) == 0:
		m.Shape = []int64{}
		m.Data = []uint64{r.scalar(fmt.Sprintf("memory %q", m.Name), t.Elem, n)}
	case n.kind == nodeArray && len(n.elems) == 1:
		m.Shape = []int64{}
		m.Data = []uint64{r.scalar(fmt.Sprintf("memory %q", m.Name), t.Elem, &n.elems[0])}
	default:
		r.errorf(n.offset, "parameter %q (%s) must be an array or an object, not %s", m.Name, t, n.kind).
			WithHelp(`write [1, 2, 3], {"shape": [2, 3], "data": [...]}, {"zeros": N} or {"random": N}`)
	}
	if len(r.errs.All) != faults {
		m.Data = nil
	}
}

// characters reads a string as C does: its bytes in UTF-8 and a terminating zero. An array
// of constant extent is filled up with zeros and may, as in C, have no room for the
// terminating one.
func (r *inputReader) characters(m *Memory, t *ir.MemRefType, n *node) {
	extent := t.Shape[0]
	if extent == ir.Dynamic {
		extent = int64(len(n.text)) + 1
	} else if int64(len(n.text)) > extent {
		r.errorf(n.offset, "memory %q has room for %d characters, but the string has %d", m.Name, extent, len(n.text))
		return
	}
	count, ok := r.admit(m, t, []int64{extent}, n.offset)
	if !ok {
		return
	}
	m.Data = make([]uint64, count)
	for i := range len(n.text) {
		m.Data[i] = uint64(n.text[i])
	}
}

// shapeText prints a shape with ? for dynamic extents.
func shapeText(shape []int64) string {
	parts := make([]string, len(shape))
	for i, d := range shape {
		parts[i] = "?"
		if d != ir.Dynamic {
			parts[i] = fmt.Sprint(d)
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// admit checks a settled shape against the type and the bound on elements and
// sets the memory's shape.
func (r *inputReader) admit(m *Memory, t *ir.MemRefType, shape []int64, offset int) (elements int64, ok bool) {
	if len(shape) != len(t.Shape) {
		r.errorf(offset, "memory %q has %d dimensions, but its type %s has %d", m.Name, len(shape), t, len(t.Shape))
		return 0, false
	}
	for i, d := range shape {
		if t.Shape[i] != ir.Dynamic && t.Shape[i] != d {
			r.errorf(offset, "memory %q has shape %s, which does not fit %s", m.Name, shapeText(shape), t)
			return 0, false
		}
	}
	elements, ok = elementCount(shape)
	r.elements += elements
	if !ok || r.elements > MaxElements {
		r.errorf(offset, "memory %q of shape %s is too large: the inputs of a run may have %d elements together",
			m.Name, shapeText(shape), MaxElements)
		return 0, false
	}
	m.Shape = shape
	return elements, true
}

// elementCount multiplies extents; ok is false for negative extents and beyond
// MaxElements. Extents beside a zero count as well: printing a memory takes time
// for them.
func elementCount(shape []int64) (n int64, ok bool) {
	n = 1
	empty := false
	for _, d := range shape {
		if d == 0 {
			empty = true
			continue
		}
		if d < 0 || d > MaxElements || n*d > MaxElements {
			return 0, false
		}
		n *= d
	}
	if empty {
		n = 0
	}
	return n, true
}

// nested reads [[1, 2], [3, 4]], or the same as [1, 2, 3, 4] where the type leaves one
// shape.
func (r *inputReader) nested(m *Memory, t *ir.MemRefType, n *node) {
	open := 0
	for _, d := range t.Shape {
		if d == ir.Dynamic {
			open++
		}
	}
	if len(t.Shape) > 1 && open <= 1 && len(n.elems) > 0 && n.elems[0].kind != nodeArray {
		if _, ok := r.extentsFor(m, t, int64(len(n.elems)), n.offset); ok {
			r.list(m, n.elems)
		}
		return
	}
	// The first element of each level gives the extents; all others must agree.
	shape := make([]int64, 0, len(t.Shape))
	level := n
	for len(shape) < len(t.Shape) {
		if level == nil || level.kind != nodeArray {
			if level != nil {
				r.errorf(level.offset, "memory %q (%s) needs arrays nested %d deep, found %s", m.Name, t, len(t.Shape), level.kind).
					WithHelp(`a flat list is written {"shape": [...], "data": [...]}`)
				return
			}
			// An empty level leaves the deeper extents open: static ones stand,
			// dynamic ones are empty.
			d := t.Shape[len(shape)]
			if d == ir.Dynamic {
				d = 0
			}
			shape = append(shape, d)
			continue
		}
		shape = append(shape, int64(len(level.elems)))
		if len(level.elems) == 0 {
			level = nil
		} else {
			level = &level.elems[0]
		}
	}
	count, ok := r.admit(m, t, shape, n.offset)
	if !ok {
		return
	}
	m.Data = make([]uint64, 0, count)
	r.nestedLevel(m, n, 0)
}

func (r *inputReader) nestedLevel(m *Memory, n *node, depth int) {
	if len(r.errs.All) >= maxFaults {
		return
	}
	if depth == len(m.Shape) {
		m.Data = append(m.Data, r.element(m, n))
		return
	}
	if n.kind != nodeArray {
		r.errorf(n.offset, "memory %q: expected an array of %d elements, found %s", m.Name, m.Shape[depth], n.kind)
		return
	}
	if int64(len(n.elems)) != m.Shape[depth] {
		r.errorf(n.offset, "memory %q is ragged: this array has %d elements where the first of its level has %d",
			m.Name, len(n.elems), m.Shape[depth])
		return
	}
	for i := range n.elems {
		r.nestedLevel(m, &n.elems[i], depth+1)
	}
}

func (r *inputReader) element(m *Memory, n *node) uint64 {
	if n.kind == nodeArray {
		r.errorf(n.offset, "memory %q has more dimensions here than its type", m.Name)
		return 0
	}
	return r.scalar(fmt.Sprintf("element %d of memory %q", len(m.Data), m.Name), m.Elem, n)
}

// memoryObject reads the three object spellings.
func (r *inputReader) memoryObject(m *Memory, t *ir.MemRefType, n *node) {
	var kind string
	var allowed []string
	for _, form := range []struct {
		key  string
		keys []string
	}{
		{"data", []string{"data", "shape"}},
		{"zeros", []string{"zeros"}},
		{"random", []string{"random", "seed", "min", "max"}},
	} {
		if n.get(form.key) != nil {
			kind, allowed = form.key, form.keys
			break
		}
	}
	if kind == "" {
		r.errorf(n.offset, "memory %q: the object has none of the keys \"data\", \"zeros\" and \"random\"", m.Name)
		return
	}
	for _, e := range n.members {
		known := false
		for _, k := range allowed {
			known = known || k == e.key
		}
		if !known {
			r.errorf(e.offset, "memory %q: key %q does not go with %q", m.Name, e.key, kind).
				WithHelp("with %q go the keys %s", kind, strings.Join(allowed, ", "))
			return
		}
	}
	switch kind {
	case "data":
		r.flat(m, t, n)
	case "zeros":
		if count, ok := r.size(m, t, n.get("zeros")); ok {
			m.Data = make([]uint64, count)
		}
	case "random":
		r.random(m, t, n)
	}
}

// flat reads {"shape": [2, 3], "data": [...]}, row-major. Without "shape" the
// type must leave at most one shape.
func (r *inputReader) flat(m *Memory, t *ir.MemRefType, n *node) {
	data := n.get("data")
	if data.kind != nodeArray {
		r.errorf(data.offset, `memory %q: "data" must be an array, not %s`, m.Name, data.kind)
		return
	}
	var count int64
	var ok bool
	if s := n.get("shape"); s != nil {
		if s.kind != nodeArray {
			r.errorf(s.offset, `memory %q: "shape" must be an array of extents, not %s`, m.Name, s.kind)
			return
		}
		count, ok = r.size(m, t, s)
	} else {
		count, ok = r.extentsFor(m, t, int64(len(data.elems)), data.offset)
	}
	if !ok {
		return
	}
	if count != int64(len(data.elems)) {
		r.errorf(data.offset, "memory %q of shape %s needs %d elements, found %d", m.Name, shapeText(m.Shape), count, len(data.elems))
		return
	}
	r.list(m, data.elems)
}

// list reads elements in row-major order.
func (r *inputReader) list(m *Memory, elems []node) {
	m.Data = make([]uint64, 0, len(elems))
	for i := range elems {
		if len(r.errs.All) >= maxFaults {
			return
		}
		m.Data = append(m.Data, r.element(m, &elems[i]))
	}
}

// size reads an extent or an array of extents and settles the shape.
func (r *inputReader) size(m *Memory, t *ir.MemRefType, n *node) (count int64, ok bool) {
	if n.kind == nodeNumber {
		d, ok := r.extent(m, n)
		if !ok {
			return 0, false
		}
		return r.extentsFor(m, t, d, n.offset)
	}
	if n.kind != nodeArray {
		r.errorf(n.offset, "memory %q: expected a number of elements or an array of extents, found %s", m.Name, n.kind)
		return 0, false
	}
	shape := make([]int64, 0, len(n.elems))
	for i := range n.elems {
		d, ok := r.extent(m, &n.elems[i])
		if !ok {
			return 0, false
		}
		shape = append(shape, d)
	}
	return r.admit(m, t, shape, n.offset)
}

func (r *inputReader) extent(m *Memory, n *node) (int64, bool) {
	if n.kind == nodeNumber {
		if v, ok := integerText(n.text); ok && v.Sign() >= 0 {
			if !v.IsInt64() || v.Int64() > MaxElements {
				r.errorf(n.offset, "memory %q: an extent of %s is too large; the inputs of a run may have %d elements together",
					m.Name, n.text, MaxElements)
				return 0, false
			}
			return v.Int64(), true
		}
	}
	r.errorf(n.offset, "memory %q: an extent must be a number that is not negative", m.Name)
	return 0, false
}

// extentsFor settles the shape from a count of elements: the static extents
// stand and at most one dynamic one takes what is left.
func (r *inputReader) extentsFor(m *Memory, t *ir.MemRefType, n int64, offset int) (int64, bool) {
	shape := append([]int64{}, t.Shape...)
	open, rest := -1, n
	for i, d := range t.Shape {
		switch {
		case d != ir.Dynamic && d != 0 && rest%d == 0:
			rest /= d
		case d == ir.Dynamic && open < 0:
			open = i
		case d == ir.Dynamic:
			r.errorf(offset, "memory %q (%s) has several dynamic dimensions: give an array of extents", m.Name, t)
			return 0, false
		case d != 0 || n != 0:
			r.errorf(offset, "memory %q: %d elements do not fit %s", m.Name, n, t)
			return 0, false
		}
	}
	if open >= 0 {
		shape[open] = rest
	}
	if count, ok := elementCount(shape); !ok || count != n {
		r.errorf(offset, "memory %q: %d elements do not fit %s", m.Name, n, t)
		return 0, false
	}
	return r.admit(m, t, shape, offset)
}

// random reads {"random": N, "seed": S, "min": a, "max": b}; both ends belong to
// the range.
func (r *inputReader) random(m *Memory, t *ir.MemRefType, n *node) {
	count, ok := r.size(m, t, n.get("random"))
	if !ok {
		return
	}
	seed := uint64(0)
	if s := n.get("seed"); s != nil {
		v, ok := integerText(s.text)
		if s.kind != nodeNumber || !ok || v.Sign() < 0 || !v.IsUint64() {
			r.errorf(s.offset, `memory %q: "seed" must be an integer from 0 to 18446744073709551615`, m.Name)
			return
		}
		seed = v.Uint64()
	}
	g := newRandom(seed, 0)
	lo, hi := defaultRange(m.Elem, r.indexWidth)
	faults := len(r.errs.All)
	bound := func(key string, def uint64) uint64 {
		if e := n.get(key); e != nil {
			return r.scalar(fmt.Sprintf("memory %q: %q", m.Name, key), m.Elem, e)
		}
		return def
	}
	low, high := bound("min", lo), bound("max", hi)
	if len(r.errs.All) != faults {
		return
	}
	if !ordered(low, high, m.Elem, r.indexWidth) {
		at := n.get("min")
		if at == nil {
			at = n.get("max")
		}
		r.errorf(at.offset, `memory %q: "min" %s is above "max" %s`, m.Name,
			FormatScalar(Scalar{Type: m.Elem, Bits: low}), FormatScalar(Scalar{Type: m.Elem, Bits: high}))
		return
	}
	m.Data = make([]uint64, count)
	for i := range m.Data {
		m.Data[i] = num.Truncate(g.between(low, high, m.Elem, r.indexWidth), m.Elem, r.indexWidth)
	}
}
