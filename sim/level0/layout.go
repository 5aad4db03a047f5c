package level0

import (
	"encoding/binary"
	"fmt"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/sim/vector"
)

// layout maps every value of the kernel to the bytes of a C object.
type layout struct {
	fn         *cabi.Function
	sig        *vector.Signature
	indexWidth int
	// home is, for every parameter of the kernel, its location in C.
	home []location
	// results is the same for the kernel's results: offsets in what is returned.
	results []cabi.Piece
}

// location is a piece of a C parameter.
type location struct {
	param int
	piece cabi.Piece
}

// maxBytes bounds an array in C: the elements of a run, with all that lies between them.
const maxBytes = 1 << 30

func newLayout(fn *cabi.Function, sig *vector.Signature, indexWidth int) (*layout, error) {
	l := &layout{fn: fn, sig: sig, indexWidth: indexWidth, home: make([]location, len(sig.Params)), results: make([]cabi.Piece, len(sig.Results))}
	fail := func(format string, args ...any) (*layout, error) {
		return nil, diag.New(sig.Pos, "the description of the C parameters (%s) does not fit the kernel: %s", cabi.Attribute, fmt.Sprintf(format, args...))
	}
	for i := range l.home {
		l.home[i].param = -1
	}
	for pi, p := range fn.Params {
		for _, q := range p.Pieces {
			if q.Index < 0 || q.Index >= len(sig.Params) {
				return fail("%q names parameter %d of %d", p.Name, q.Index, len(sig.Params))
			}
			if l.home[q.Index].param >= 0 {
				return fail("parameter %q is described twice", sig.Params[q.Index].Name)
			}
			t, mem := sig.Params[q.Index].Type.(*ir.MemRefType)
			elem := sig.Params[q.Index].Type
			if mem {
				elem = t.Elem
			}
			size, ok := byteSize(elem, indexWidth)
			held := p.Class == cabi.Scalar || p.Class == cabi.Struct
			if mem == held || !ok || q.Offset < 0 || q.Stride < 0 {
				return fail("%q as a %s of type %s", p.Name, p.Class, sig.Params[q.Index].Type)
			}
			if p.Class == cabi.Struct && q.Offset+size > p.Size {
				return fail("%q ends before its field %q", p.Name, q.Field)
			}
			l.home[q.Index] = location{pi, q}
		}
	}
	for i, h := range l.home {
		if h.param < 0 {
			return fail("parameter %q is not described", sig.Params[i].Name)
		}
	}
	count := 0
	if fn.Result != nil {
		if fn.Result.Class != cabi.Scalar && fn.Result.Class != cabi.Struct {
			return fail("the result is a %s", fn.Result.Class)
		}
		for _, q := range fn.Result.Pieces {
			if q.Index < 0 || q.Index >= len(sig.Results) {
				return fail("the result names number %d of %d", q.Index, len(sig.Results))
			}
			if size, ok := byteSize(sig.Results[q.Index], indexWidth); !ok || q.Offset < 0 || fn.Result.Class == cabi.Struct && q.Offset+size > fn.Result.Size {
				return fail("a result of type %s at byte %d of %d", sig.Results[q.Index], q.Offset, fn.Result.Size)
			}
			l.results[q.Index] = q
			count++
		}
	}
	if count != len(sig.Results) {
		return fail("%d of %d results are described", count, len(sig.Results))
	}
	return l, nil
}

// byteSize is how many bytes a value occupies in C.
func byteSize(t ir.Type, indexWidth int) (int64, bool) {
	w, ok := ir.BitWidth(t, indexWidth)
	if !ok || w < 1 || w > 64 || !ir.IsInt(t) && !ir.IsFloat(t) {
		return 0, false
	}
	n := int64(1)
	for n*8 < int64(w) {
		n *= 2
	}
	return n, true
}

// fixedSize is the number of bytes of a C parameter that is no array, 0 where it is
// not known.
func (l *layout) fixedSize(p *cabi.Param) int64 {
	if p.Size > 0 || len(p.Pieces) == 0 {
		return p.Size
	}
	q := p.Pieces[0]
	t := l.sig.Params[q.Index].Type
	count := int64(1)
	if mt, mem := t.(*ir.MemRefType); mem {
		t = mt.Elem
		count, _ = mt.NumElements()
	}
	n, _ := byteSize(t, l.indexWidth)
	return q.Offset + max(n, q.Stride)*max(count, 1)
}

// put writes the low n bytes of v.
func put(b []byte, n int64, v uint64) {
	var word [8]byte
	binary.NativeEndian.PutUint64(word[:], v)
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		copy(b[:n], word[:n])
		return
	}
	copy(b[:n], word[8-n:])
}

// get reads n bytes.
func get(b []byte, n int64) uint64 {
	var word [8]byte
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		copy(word[:n], b)
	} else {
		copy(word[8-n:], b[:n])
	}
	return binary.NativeEndian.Uint64(word[:])
}

// unusedBytes is the size of an array that the kernel does not look at.
const unusedBytes = 4096

// bytes lays the inputs out as the C function expects them: for every parameter one
// buffer.
func (l *layout) bytes(in *vector.Inputs) ([][]byte, error) {
	if len(in.Args) != len(l.sig.Params) {
		return nil, diag.New(l.sig.Pos, "the kernel has %d parameters, the inputs have %d", len(l.sig.Params), len(in.Args))
	}
	out := make([][]byte, len(l.fn.Params))
	for pi := range l.fn.Params {
		p := &l.fn.Params[pi]
		n, err := l.bufferSize(p, in)
		if err != nil {
			return nil, err
		}
		out[pi] = make([]byte, n)
		for _, q := range p.Pieces {
			a := in.Args[q.Index]
			t := l.sig.Params[q.Index].Type
			if a.Mem == nil {
				l.putScalar(out[pi], p, q, t, a.Scalar)
				continue
			}
			size, _ := byteSize(a.Mem.Elem, l.indexWidth)
			for k, v := range a.Mem.Data {
				put(out[pi][int64(k)*q.Stride+q.Offset:], size, v)
			}
		}
	}
	return out, nil
}

// putScalar widens a value to the C type: signed types are sign-extended.
func (l *layout) putScalar(b []byte, p *cabi.Param, q cabi.Piece, t ir.Type, v uint64) {
	size, _ := byteSize(t, l.indexWidth)
	if p.Class == cabi.Scalar {
		size = min(l.fixedSize(p), 8)
		if ir.IsInt(t) && !p.Unsigned && t != ir.Type(ir.I1) {
			v = uint64(num.SignExtend(v, t, l.indexWidth))
		}
	}
	put(b[q.Offset:], size, v)
}

// bufferSize is the number of bytes of a parameter on these inputs; of an array whole
// records, so that a struct can be copied as a whole.
func (l *layout) bufferSize(p *cabi.Param, in *vector.Inputs) (int64, error) {
	n := int64(0)
	for _, q := range p.Pieces {
		a, t := in.Args[q.Index], l.sig.Params[q.Index].Type
		mt, mem := t.(*ir.MemRefType)
		if mem != (a.Mem != nil) || mem && a.Mem.Elem != mt.Elem {
			return 0, diag.New(l.sig.Pos, "argument %q must be a %s", l.sig.Params[q.Index].Name, t)
		}
		if !mem {
			continue
		}
		size, _ := byteSize(mt.Elem, l.indexWidth)
		count := int64(len(a.Mem.Data))
		if count > 1 && q.Stride < size {
			return 0, diag.New(l.sig.Pos, "the elements of %q lie on each other in C (%s)", a.Name, cabi.Attribute)
		}
		if count > 0 {
			if q.Stride > maxBytes/count || q.Offset > maxBytes {
				return 0, diag.New(l.sig.Pos, "argument %q is too large: in C it has more than %d bytes", a.Name, maxBytes)
			}
			n = max(n, (count-1)*q.Stride+q.Offset+size)
		}
	}
	switch {
	case p.Class != cabi.Pointer:
		fixed := l.fixedSize(p)
		if n > fixed {
			return 0, diag.New(l.sig.Pos, "variable %s has %d bytes in C; the inputs have %d", p.Name, fixed, n)
		}
		n = fixed
	case len(p.Pieces) == 0:
		n = unusedBytes
	case p.Size > 1:
		n = (n + p.Size - 1) / p.Size * p.Size
	}
	return n, nil
}

// outcome reads results and memories back from what the process sent.
func (l *layout) outcome(in *vector.Inputs, end *ending) (*vector.Outcome, error) {
	out := &vector.Outcome{Status: vector.Done}
	for pi := range l.fn.Params {
		l.beside(out, in, &l.fn.Params[pi], end.buffers[pi], end.before[pi], end.behind[pi])
	}
	for i, h := range l.home {
		a := in.Args[i]
		if a.Mem == nil {
			continue
		}
		m := &vector.Memory{Name: l.sig.Params[i].Name, Elem: a.Mem.Elem, Shape: a.Mem.Shape, Data: make([]uint64, len(a.Mem.Data))}
		size, _ := byteSize(m.Elem, l.indexWidth)
		for k := range m.Data {
			m.Data[k] = num.Truncate(get(end.buffers[h.param][int64(k)*h.piece.Stride+h.piece.Offset:], size), m.Elem, l.indexWidth)
		}
		out.Memories = append(out.Memories, m)
	}
	for i, q := range l.results {
		t := l.sig.Results[i]
		size, _ := byteSize(t, l.indexWidth)
		out.Results = append(out.Results, vector.Scalar{Type: t, Bits: num.Truncate(get(end.result[q.Offset:], size), t, l.indexWidth)})
	}
	return out, nil
}

// beside reports writes next to an array.
func (l *layout) beside(out *vector.Outcome, in *vector.Inputs, p *cabi.Param, b []byte, before, behind uint64) {
	if before == 0 && behind == 0 {
		return
	}
	out.Status = vector.Error
	stride := p.Size
	if len(p.Pieces) == 1 {
		stride = p.Pieces[0].Stride
	}
	stride = max(stride, 1)
	n := (int64(len(b)) + stride - 1) / stride
	if before > 0 {
		at := -((int64(before) + stride - 1) / stride)
		out.Detail = append(out.Detail, fmt.Sprintf("%s: %s writes before %s: to %s[%d] of an array of %d", l.sig.Pos, l.fn.Name, p.Name, p.Name, at, n))
	}
	if behind > 0 {
		at := (int64(len(b)) + int64(behind) - 1) / stride
		out.Detail = append(out.Detail, fmt.Sprintf("%s: %s writes behind %s: to %s[%d] of an array of %d", l.sig.Pos, l.fn.Name, p.Name, p.Name, at, n))
	}
}
