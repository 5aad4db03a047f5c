package randc

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// Variables are what a run starts from and leaves behind: the parameters of the
// kernel and the variables at file scope that are not constant, in this order.
func (p *Program) Variables() []*Array {
	out := append([]*Array{}, p.Kernel.Params...)
	for _, g := range p.Globals {
		if !g.Const {
			out = append(out, g)
		}
	}
	return out
}

// Bytes is the storage that a variable takes in C.
func (a *Array) Bytes() int { return a.elements() * a.size() }

// Inputs makes the contents of all variables from a seed: mostly small values, some
// at the ends of their type, floats with special values among them.
func (p *Program) Inputs(seed uint64) [][]byte {
	r := rand.New(rand.NewPCG(seed, 77))
	style := r.IntN(4)
	var out [][]byte
	for _, v := range p.Variables() {
		data := make([]byte, 0, v.Bytes())
		for range v.elements() {
			switch {
			case v.Struct != nil:
				offsets, size := v.Struct.layout()
				record := make([]byte, size)
				for i, f := range v.Struct.Fields {
					var field []byte
					for range max(1, f.Len) {
						field = value(r, f.Type, style, field)
					}
					copy(record[offsets[i]:], field)
				}
				data = append(data, record...)
			case v.Fixed && v.Max > 0:
				n := uint64(v.Max)
				if r.IntN(3) == 0 {
					n = uint64(r.IntN(v.Max + 1))
				}
				data = appendBits(data, v.Type, n)
			default:
				data = value(r, v.Type, style, data)
			}
		}
		out = append(out, data)
	}
	return out
}

// quietNaN has no payload: in a struct that is copied in words, a payload, which IEEE 754
// leaves to the machine, could not be recognised. That of math.NaN is 1.
var quietNaN = math.Float64frombits(0x7ff8 << 48)

// value draws one scalar. Programs of style 0 get small values alone.
func value(r *rand.Rand, t Type, style int, data []byte) []byte {
	if t.Float() {
		v := float64(r.IntN(2001)-1000) / float64(int(1)<<r.IntN(6))
		if style == 3 && r.IntN(8) == 0 {
			v = []float64{0, math.Copysign(0, -1), math.Inf(1), quietNaN, 1e-40, 3.4e38, 1e300, 0.1}[r.IntN(8)]
		}
		if t == F32 {
			return binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
		}
		return binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	v := uint64(int64(r.IntN(120) - 40))
	switch {
	case t == Bool:
		v &= 1
	case style > 0 && r.IntN(6) == 0:
		e := t.extremes()
		v = uint64(e[r.IntN(len(e))])
	case style > 1 && r.IntN(3) == 0:
		v = r.Uint64()
	}
	return appendBits(data, t, v)
}

func appendBits(data []byte, t Type, v uint64) []byte {
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], v)
	return append(data, word[:t.Size()]...)
}
