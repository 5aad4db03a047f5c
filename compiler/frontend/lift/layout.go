package lift

import (
	"slices"

	"loom/compiler/ir"
	"loom/internal/intmath"
)

// layout is the memrefs that hold a root.
type layout struct {
	// flat roots are one array of units; the others are arrays of records, each part
	// of which that is accessed has a memref of its own.
	flat bool
	unit int64 // bytes of an element of a flat root
	// arrays are the parts that are arrays in a record, by the accesses in them: then one record is accessed alone.
	arrays map[*access]int
	record int64 // bytes of a record
	parts  []span
	pieces []*piece // by part; nil for padding
	dims   bool     // subscripts by dimension
}

// piece is a memref.
type piece struct {
	root         *root
	path         string
	offset       int64
	stride, size int64
	elem         ir.Type
	typ          *ir.MemRefType
	value        *ir.Value
	stored       bool
	loaded       bool
	tags         []string // the types of its accesses, "" for any
}

// layOut decides the layout of every root.
func (r *lifter) layOut() {
	for _, o := range r.roots {
		if len(o.accesses) == 0 {
			continue
		}
		o.layout = r.records(o)
		if o.layout == nil {
			o.layout = r.object(o)
		}
		if o.layout == nil {
			o.layout = r.flat(o)
		}
		for i, p := range o.layout.pieces {
			if p == nil {
				continue
			}
			p.root = o
			for _, a := range o.accesses {
				if o.layout.touches(r, a, i) {
					p.stored, p.loaded = p.stored || a.store, p.loaded || !a.store
					if !slices.Contains(p.tags, a.tag) {
						p.tags = append(p.tags, a.tag)
					}
				}
			}
		}
	}
}

// countElements makes pointers that are chosen at run time count elements of what they
// point into, however many they step over.
func (r *lifter) countElements() {
	for _, a := range r.atoms {
		u := r.units[a]
		for _, o := range r.ptrs[a].roots {
			switch l := o.layout; {
			case l == nil:
			case l.flat:
				u = intmath.GCD(u, l.unit)
			case l.dims:
				u = intmath.GCD(u, o.strides()[0])
			default:
				u = intmath.GCD(u, l.record)
			}
		}
		r.units[a] = u
	}
}

// residue is the byte of a record that an access begins at.
func residue(a *access, record int64) int64 {
	c := a.ptr.lin.C % record
	if c < 0 {
		c += record
	}
	return c
}

// touches reports whether an access uses piece i.
func (l *layout) touches(r *lifter, a *access, i int) bool {
	if l.flat {
		return true
	}
	if k, in := l.arrays[a]; in {
		return k == i
	}
	at := residue(a, l.record)
	return l.parts[i].from >= at && l.parts[i].to <= at+a.size
}

// records lays a root out as an array of records; nil where an access does not keep to
// the records.
func (r *lifter) records(o *root) *layout {
	if o.typ == nil || o.typ.size <= 0 {
		return nil
	}
	l := &layout{record: o.typ.size}
	var spans []span
	var bounds []int64
	for _, a := range o.accesses {
		for _, t := range a.ptr.lin.Terms {
			if r.bytes(t)%l.record != 0 {
				return nil
			}
		}
		at := residue(a, l.record)
		s := span{at, at + a.size}
		if s.to > l.record {
			return nil
		}
		if !slices.Contains(spans, s) {
			spans = append(spans, s)
		}
	}
	for _, s := range spans {
		for _, f := range o.typ.leaves(s.from, s.to) {
			for _, at := range []int64{f.offset, f.offset + f.typ.size} {
				if at > s.from && at < s.to {
					bounds = append(bounds, at)
				}
			}
		}
	}
	l.parts = cut(spans, bounds)
	if o.typ.scalar() && (len(l.parts) != 1 || l.parts[0] != span{0, l.record}) {
		return nil
	}
	if len(l.parts) > maxParts {
		return nil
	}
	shape := o.shape
	if len(shape) > 1 {
		l.dims = r.subscripted(o)
		if !l.dims {
			shape = []int64{elements(shape)}
		}
	}
	for _, s := range l.parts {
		in := o.typ.leaves(s.from, s.to)
		if len(in) == 0 && o.typ.kind == cStruct {
			l.pieces = append(l.pieces, nil)
			continue
		}
		p := &piece{offset: s.from, stride: l.record, size: s.to - s.from}
		p.elem = r.element(o, s, in)
		p.path = pathOf(o, s, in)
		p.typ = ir.MemRef(shape, p.elem)
		l.pieces = append(l.pieces, p)
	}
	return l
}

// object lays a root out of which one record is accessed: arrays in it that have subscripts which change become memrefs of their own, what is beside
// them as in an array of records. nil where an access keeps to no array, or where there is none, or nothing beside it.
func (r *lifter) object(o *root) *layout {
	if o.typ == nil || o.typ.kind != cStruct {
		return nil
	}
	of := o.typ.layout()
	if of == nil || o.kind == paramRoot && o.typ.open() {
		return nil
	}
	l := &layout{record: o.typ.size, arrays: map[*access]int{}}
	places := map[*access]place{}
	var arrays []span
	for _, a := range o.accesses {
		p, ok := r.placeIn(a.addr, o, of, 0)
		if !ok || p.in == nil && (p.lo < 0 || p.hi+a.size > l.record) || len(p.in) > 1 {
			return nil
		}
		if p.in == nil && p.lo < p.hi {
			p.in = []span{{p.lo, p.hi + a.size}}
			if f := o.typ.arrayAround(p.in[0], 0); f != nil {
				p.in[0] = *f
			} else {
				return nil
			}
		}
		if places[a] = p; p.in != nil && !slices.Contains(arrays, p.in[0]) {
			arrays = append(arrays, p.in[0])
		}
	}
	if len(arrays) == 0 {
		return nil
	}
	slices.SortFunc(arrays, func(a, b span) int { return int(a.from - b.from) })
	units := make([]int64, len(arrays))
	elems := make([]ir.Type, len(arrays))
	var spans []span
	var bounds []int64
	for _, a := range o.accesses {
		p := places[a]
		s := span{p.lo, p.lo + a.size}
		k := slices.IndexFunc(arrays, s.meets)
		if p.in != nil {
			k = slices.Index(arrays, p.in[0])
		} else if k >= 0 && (s.from < arrays[k].from || s.to > arrays[k].to) {
			return nil
		}
		if k < 0 {
			spans = append(spans, s)
			for _, f := range o.typ.leaves(s.from, s.to) {
				bounds = append(bounds, f.offset, f.offset+f.typ.size)
			}
			continue
		}
		l.arrays[a] = k
		units[k] = intmath.GCD(intmath.GCD(units[k], a.size), a.ptr.lin.C-arrays[k].from)
		for _, t := range a.ptr.lin.Terms {
			units[k] = intmath.GCD(units[k], r.bytes(t))
		}
	}
	for _, a := range o.accesses {
		if k, in := l.arrays[a]; in {
			t := a.typ
			if w, _ := ir.BitWidth(t, 64); int64(w) != units[k]*8 || elems[k] != nil && elems[k] != t {
				t = ir.Int(int(units[k]) * 8)
			}
			elems[k] = t
		}
	}
	if len(arrays) == 1 && len(spans) == 0 {
		return nil // nothing is beside it
	}
	bounds = slices.DeleteFunc(bounds, func(at int64) bool {
		return !slices.ContainsFunc(spans, func(s span) bool { return at > s.from && at < s.to })
	})
	for _, s := range cut(spans, bounds) {
		p := &piece{offset: s.from, stride: l.record, size: s.to - s.from}
		in := o.typ.leaves(s.from, s.to)
		if len(in) > 0 {
			p.elem = r.element(o, s, in)
			p.path = pathOf(o, s, in)
			p.typ = ir.MemRef([]int64{1}, p.elem)
		} else {
			p = nil
		}
		l.parts, l.pieces = append(l.parts, s), append(l.pieces, p)
	}
	if len(l.parts) > maxParts {
		return nil
	}
	for k, s := range arrays {
		at, _ := slices.BinarySearchFunc(l.parts, s.from, func(p span, at int64) int { return int(p.from - at) })
		p := &piece{offset: s.from, stride: units[k], size: units[k], elem: elems[k], path: o.typ.pathTo(s)}
		p.typ = ir.MemRef([]int64{(s.to - s.from) / units[k]}, p.elem)
		l.parts, l.pieces = slices.Insert(l.parts, at, s), slices.Insert(l.pieces, at, p)
	}
	for a, k := range l.arrays {
		l.arrays[a] = slices.Index(l.parts, arrays[k])
	}
	return l
}

// pathOf names the part of a record.
func pathOf(o *root, s span, in []leaf) string {
	if o.typ.scalar() || s.from == 0 && s.to == o.typ.size && o.typ.kind != cStruct {
		return ""
	}
	if len(in) == 1 && in[0].offset == s.from && in[0].typ.size == s.to-s.from {
		return in[0].path
	}
	return ir.IntAttr(s.from, nil).String()
}

func elements(shape []int64) int64 {
	n := int64(1)
	for _, d := range shape {
		if d < 0 {
			return ir.Dynamic
		}
		n *= d
	}
	return n
}

// subscripted reports whether every access of a root has a subscript per dimension.
func (r *lifter) subscripted(o *root) bool {
	for i, d := range o.shape {
		if d <= 0 && (i > 0 || d != ir.Dynamic) {
			return false
		}
	}
	strides := o.strides()
	for _, a := range o.accesses {
		if len(a.ptr.roots) != 1 {
			return false
		}
		s := r.subscriptsOf(a.addr, o, 0)
		if !s.ok || len(s.by) > len(strides) {
			return false
		}
		by, ok := s.spread(strides)
		if !ok {
			return false
		}
		for d, l := range by {
			if l.C%strides[d] != 0 {
				return false
			}
			for _, t := range l.Terms {
				if r.bytes(t)%strides[d] != 0 {
					return false
				}
			}
		}
	}
	return true
}

// element chooses the element type of a part of a record: that of the accesses where
// they agree, or that of the source.
func (r *lifter) element(o *root, s span, in []leaf) ir.Type {
	size := s.to - s.from
	var found ir.Type
	agree := true
	for _, a := range o.accesses {
		at := residue(a, o.typ.size)
		if (span{at, at + a.size}) != s {
			continue
		}
		if found != nil && found != a.typ {
			agree = false
		}
		found = a.typ
	}
	if w, ok := ir.BitWidth(orI8(found), 64); agree && found != nil && ok && int64(w) == size*8 {
		return found
	}
	if len(in) == 1 && in[0].typ.scalar() && in[0].typ.size == size && in[0].offset == s.from {
		return in[0].typ.elemType()
	}
	return ir.Int(int(size) * 8)
}

func orI8(t ir.Type) ir.Type {
	if t == nil {
		return ir.I8
	}
	return t
}

// flat lays a root out as an array of the largest unit that all accesses are made of.
func (r *lifter) flat(o *root) *layout {
	unit := int64(8)
	for _, a := range o.accesses {
		unit = intmath.GCD(intmath.GCD(unit, a.size), a.ptr.lin.C)
		for _, t := range a.ptr.lin.Terms {
			unit = intmath.GCD(unit, r.bytes(t))
		}
	}
	shape := []int64{ir.Dynamic}
	if o.kind != paramRoot && o.typ != nil && o.size() > 0 {
		unit = intmath.GCD(unit, o.size())
		shape[0] = o.size() / unit
	}
	var elem ir.Type
	for _, a := range o.accesses {
		t := a.typ
		if w, _ := ir.BitWidth(t, 64); int64(w) != unit*8 || elem != nil && elem != t {
			t = ir.Int(int(unit) * 8)
		}
		elem = t
	}
	if o.typ != nil && o.typ.scalar() && o.typ.size == unit {
		elem = o.typ.elemType()
	}
	p := &piece{stride: unit, size: unit, elem: elem, typ: ir.MemRef(shape, elem)}
	return &layout{flat: true, unit: unit, pieces: []*piece{p}}
}
