package e2e

import (
	"math/rand/v2"

	"loom/compiler/cabi"
	"loom/compiler/ir"
	"loom/sim/memmap"
	"loom/sim/vector"
)

// buffers are the bytes of every parameter of <name>_accel behind the base address.
func (h *hostCase) buffers(in *vector.Inputs) ([][]byte, error) {
	var out [][]byte
	if h.c == nil {
		for _, a := range in.Args {
			switch {
			case a.Mem != nil:
				out = append(out, memmap.Bytes(a.Mem.Data, elemBytes(a.Mem.Elem)))
			case a.Type == ir.Type(ir.Index):
				out = append(out, memmap.Bytes([]uint64{a.Scalar}, 8))
			default:
				out = append(out, memmap.Bytes([]uint64{a.Scalar}, elemBytes(a.Type)))
			}
		}
	} else {
		var counts [][]byte
		for _, p := range h.c.Params {
			b, count, err := h.paramBytes(&p, in)
			if err != nil {
				return nil, err
			}
			out = append(out, b)
			if count >= 0 {
				counts = append(counts, memmap.Bytes([]uint64{uint64(count)}, 8))
			}
		}
		out = append(out, counts...)
	}
	list := h.parameters(h.decl)
	for len(out) < len(list) {
		out = append(out, make([]byte, 16)) // results
	}
	return out, nil
}

// paramBytes lays out one parameter of the C function; count is the number of records
// where the host function needs it, -1 elsewhere.
func (h *hostCase) paramBytes(p *cabi.Param, in *vector.Inputs) (b []byte, count int64, err error) {
	count = -1
	size := p.Size
	for _, q := range p.Pieces {
		a := in.Args[q.Index]
		if a.Mem == nil {
			continue
		}
		n := int64(len(a.Mem.Data))
		stride := q.Stride
		if stride == 0 {
			stride = elemBytes(a.Mem.Elem)
		}
		size = max(size, n*stride)
		_, static := a.Type.(*ir.MemRefType).NumElements()
		if p.Class == cabi.Pointer && !static && (len(p.Pieces) > 1 || q.Offset != 0 || stride != elemBytes(a.Mem.Elem)) {
			count = max(count, n)
		}
	}
	b = make([]byte, size)
	r := rand.New(rand.NewPCG(1, uint64(size)))
	for i := range b {
		b[i] = byte(r.Uint32()) // what lies between the fields must stay
	}
	if p.Class == cabi.Scalar && len(p.Pieces) == 0 {
		return b, count, nil
	}
	for _, q := range p.Pieces {
		a := in.Args[q.Index]
		if a.Mem == nil {
			n := elemBytes(a.Type)
			v := a.Scalar
			if a.Type == ir.Type(ir.Index) {
				n = 8
				v = uint64(int64(int32(v)))
			}
			if p.Class == cabi.Scalar {
				n = p.Size
			}
			copy(b[q.Offset:], memmap.Bytes([]uint64{v}, n))
			continue
		}
		e := elemBytes(a.Mem.Elem)
		stride := q.Stride
		if stride == 0 {
			stride = e
		}
		for k, v := range a.Mem.Data {
			copy(b[int64(k)*stride+q.Offset:], memmap.Bytes([]uint64{v}, e))
		}
	}
	return b, count, nil
}

// outcome reads results and memories of the whole function from the bytes.
func (h *hostCase) outcome(in *vector.Inputs, buffers [][]byte) (*vector.Outcome, error) {
	sig, err := vector.SignatureOf(h.fn)
	if err != nil {
		return nil, err
	}
	out := &vector.Outcome{Status: vector.Done}
	left := in.Clone()
	at := len(buffers) - len(sig.Results)
	if h.c != nil {
		at = len(buffers) - 1
		for i, p := range h.c.Params {
			for _, q := range p.Pieces {
				m := left.Args[q.Index].Mem
				if m == nil {
					continue
				}
				e, stride := elemBytes(m.Elem), q.Stride
				if stride == 0 {
					stride = e
				}
				for k := range m.Data {
					from := int64(k)*stride + q.Offset
					m.Data[k] = memmap.Elements(buffers[i][from:from+e], e)[0]
				}
			}
		}
	} else {
		for i := range left.Args {
			if m := left.Args[i].Mem; m != nil {
				m.Data = memmap.Elements(buffers[i], elemBytes(m.Elem))
			}
		}
	}
	for i, t := range sig.Results {
		n := elemBytes(t)
		if t == ir.Type(ir.Index) {
			n = 8
		}
		b, offset := []byte(nil), int64(0)
		if h.c != nil {
			b = buffers[at]
			for _, q := range h.c.Result.Pieces {
				if q.Index == i {
					offset = q.Offset
				}
			}
		} else {
			b = buffers[at+i]
		}
		v := memmap.Elements(b[offset:offset+n], n)[0]
		if w, _ := ir.BitWidth(t, hostIndex); w < 64 {
			v &= 1<<w - 1
		}
		out.Results = append(out.Results, vector.Scalar{Type: t, Bits: v})
	}
	for i := range left.Args {
		if m := left.Args[i].Mem; m != nil {
			m.Name = sig.Params[i].Name
			out.Memories = append(out.Memories, m)
		}
	}
	return out, nil
}
