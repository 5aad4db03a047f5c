package randprog

import (
	"math"
	"math/rand/v2"

	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/sim/vector"
)

// Inputs makes arguments for the function of a generated (or shrunk) module: the
// same for the same signature and seed. Numbers are small, extreme or arbitrary;
// index values fit every index width. A dynamic dimension has as many elements
// as the program's subscripts are masked to.
func Inputs(module *ir.Operation, seed uint64) *vector.Inputs {
	in := &vector.Inputs{}
	sig, err := vector.SignatureOf(Function(module))
	if err != nil {
		return in // no function of ours: nothing to feed
	}
	for _, p := range sig.Params {
		// Streams are bound to names, so that shrinking away one parameter
		// leaves the values of the others.
		r := rand.New(rand.NewPCG(seed, hash(p.Name)))
		a := vector.Arg{Name: p.Name, Type: p.Type}
		if t, ok := p.Type.(*ir.MemRefType); ok {
			a.Mem = &vector.Memory{Name: p.Name, Elem: t.Elem}
			n := int64(1)
			for _, d := range t.Shape {
				if d == ir.Dynamic {
					d = dynamicExtent
				}
				a.Mem.Shape = append(a.Mem.Shape, d)
				n *= d
			}
			for range n {
				a.Mem.Data = append(a.Mem.Data, number(r, t.Elem))
			}
		} else {
			a.Scalar = number(r, p.Type)
		}
		in.Args = append(in.Args, a)
	}
	return in
}

func number(r *rand.Rand, t ir.Type) uint64 {
	if t == ir.Type(ir.Index) {
		return uint64(r.IntN(12))
	}
	var v uint64
	switch r.IntN(6) {
	case 0:
		v = r.Uint64()
	case 1:
		v = []uint64{0, 1, math.MaxUint64, 1 << 7, 1 << 15, 1 << 31, 1 << 63, math.MaxInt32, math.MaxInt64}[r.IntN(9)]
	default:
		v = uint64(r.IntN(16) - 5)
	}
	return num.Truncate(v, t, 64)
}

// hash is FNV-1a.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
