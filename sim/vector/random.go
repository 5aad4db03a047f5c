package vector

import (
	"math"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/num"
)

// random is splitmix64: small, and the same on every machine and Go version, so
// that a seed names an input for good.
type random struct{ state uint64 }

// newRandom starts the stream of that number for a seed.
func newRandom(seed uint64, stream int) *random {
	g := &random{seed}
	// Mixing keeps the streams of neighbouring seeds and numbers apart.
	g.state = g.next() ^ uint64(stream)*0xd1342543de82ef95
	g.next()
	return g
}

func (g *random) next() uint64 {
	g.state += 0x9e3779b97f4a7c15
	z := g.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// upTo is uniform from 0 to n, both included (up to a negligible bias).
func (g *random) upTo(n uint64) uint64 {
	if n == math.MaxUint64 {
		return g.next()
	}
	return g.next() % (n + 1)
}

// isUnsigned reports whether values of t are read without sign: index and i1.
func isUnsigned(t ir.Type) bool { return t == ir.Type(ir.Index) || t == ir.Type(ir.I1) }

// ordered reports low <= high in the reading of the type.
func ordered(low, high uint64, t ir.Type, indexWidth int) bool {
	if ir.IsFloat(t) {
		a, _ := num.DecodeFloat(low, t)
		b, _ := num.DecodeFloat(high, t)
		return a <= b && !math.IsInf(a, 0) && !math.IsInf(b, 0)
	}
	if isUnsigned(t) {
		return low <= high
	}
	return num.SignExtend(low, t, indexWidth) <= num.SignExtend(high, t, indexWidth)
}

// between draws a value from low to high, both included; ordered holds.
func (g *random) between(low, high uint64, t ir.Type, indexWidth int) uint64 {
	if ir.IsFloat(t) {
		a, _ := num.DecodeFloat(low, t)
		b, _ := num.DecodeFloat(high, t)
		u := float64(g.next()>>11) / (1 << 53)
		bits, _ := num.EncodeFloat(a+u*(b-a), t)
		return bits
	}
	if isUnsigned(t) {
		return low + g.upTo(high-low)
	}
	a, b := num.SignExtend(low, t, indexWidth), num.SignExtend(high, t, indexWidth)
	return uint64(a) + g.upTo(uint64(b)-uint64(a))
}

// defaultRange is the range of random elements where none is given: small
// values of both signs, cut to what the type holds.
func defaultRange(t ir.Type, indexWidth int) (low, high uint64) {
	if ir.IsFloat(t) {
		low, _ = num.EncodeFloat(-50, t)
		high, _ = num.EncodeFloat(99, t)
		return low, high
	}
	if t == ir.Type(ir.Index) {
		return 0, 99
	}
	w, _ := ir.BitWidth(t, indexWidth)
	if w == 1 {
		return 0, 1
	}
	top := int64(math.MaxInt64) >> (64 - w)
	return num.Truncate(uint64(max(-50, -top-1)), t, indexWidth), uint64(min(99, top))
}

// Random makes inputs for a signature: the same for the same seed and size on
// every machine. Dynamic extents are size. Scalars of index and integer type
// lie between 0 and size, so that a bound of a loop over the memories stays
// inside them: index values are mostly size, so that loops do their work, and
// now and then less, other integers are spread. A static extent of 8 or more
// that is below size bounds them, too: it is likely the extent that a scalar
// loops over, where smaller ones belong to constant loops and single cells.
// Floats and memory elements are small values of both signs. indexWidth is the
// width of index values. The error, a *diag.Diagnostic at the kernel, names the parameter that has no input
// form or is too large.
func Random(sig *Signature, seed uint64, size int64, indexWidth int) (*Inputs, error) {
	if size < 0 || size > MaxElements {
		return nil, diag.New(diag.Pos{}, "a size of %d is not between 0 and %d", size, MaxElements)
	}
	in := &Inputs{}
	total := int64(0)
	bound := uint64(size)
	for _, p := range sig.Params {
		if t, ok := p.Type.(*ir.MemRefType); ok {
			for _, d := range t.Shape {
				if d != ir.Dynamic && d >= 8 {
					bound = min(bound, uint64(d))
				}
			}
		}
	}
	for i, p := range sig.Params {
		g := newRandom(seed, i)
		a := Arg{Name: p.Name, Type: p.Type}
		elem := p.Type
		mt, isMem := p.Type.(*ir.MemRefType)
		if isMem {
			elem = mt.Elem
		}
		if !scalarType(elem, indexWidth) {
			return nil, diag.New(sig.Pos, "parameter %q has type %s, which has no input form", p.Name, p.Type)
		}
		low, high := defaultRange(elem, indexWidth)
		switch {
		case isMem:
			shape := append([]int64{}, mt.Shape...)
			for d := range shape {
				if shape[d] == ir.Dynamic {
					shape[d] = size
				}
			}
			n, ok := elementCount(shape)
			if total += n; !ok || total > MaxElements {
				return nil, diag.New(sig.Pos, "parameter %q of shape %s makes the inputs larger than %d elements", p.Name, shapeText(shape), MaxElements)
			}
			a.Mem = &Memory{Name: p.Name, Elem: elem, Shape: shape, Data: make([]uint64, n)}
			for j := range a.Mem.Data {
				a.Mem.Data[j] = num.Truncate(g.between(low, high, elem, indexWidth), elem, indexWidth)
			}
		case ir.IsFloat(elem):
			a.Scalar = g.between(low, high, elem, indexWidth)
		case elem == ir.Type(ir.Index):
			switch v := bound; {
			case g.next()%10 < 6:
				a.Scalar = v
			case v > 0 && g.next()%2 == 0:
				a.Scalar = v - 1
			default:
				a.Scalar = g.upTo(v)
			}
			a.Scalar = num.Truncate(a.Scalar, elem, indexWidth)
		default:
			w, _ := ir.BitWidth(elem, indexWidth)
			top := uint64(1)
			if w > 1 {
				top = uint64(math.MaxInt64) >> (64 - w)
			}
			a.Scalar = g.upTo(min(bound, top))
		}
		in.Args = append(in.Args, a)
	}
	for _, s := range sig.Sizes {
		in.Args[s.Param].Scalar = in.size(s)
	}
	return in, nil
}
