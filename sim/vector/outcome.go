package vector

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/num"
)

// FormatScalar prints a value as JSON: iN with sign (i1 as 0 or 1) unless the source's type has
// none, index without, floats as numbers with the fewest digits that give the value back and a
// fraction or exponent, without which many readers take -0 for the integer 0; NaN and
// infinities as strings.
func FormatScalar(s Scalar) string { return string(appendScalar(nil, s)) }

func appendScalar(b []byte, s Scalar) []byte {
	if v, ok := num.DecodeFloat(s.Bits, s.Type); ok {
		switch {
		case v != v:
			return append(b, `"NaN"`...)
		case math.IsInf(v, 1):
			return append(b, `"Infinity"`...)
		case math.IsInf(v, -1):
			return append(b, `"-Infinity"`...)
		}
		digits := 32
		if s.Type == ir.Type(ir.F64) {
			digits = 64
		}
		start := len(b)
		b = strconv.AppendFloat(b, v, 'g', -1, digits)
		if !bytes.ContainsAny(b[start:], ".e") {
			b = append(b, ".0"...)
		}
		return b
	}
	if s.Unsigned || isUnsigned(s.Type) || !ir.IsInt(s.Type) {
		return strconv.AppendUint(b, s.Bits, 10)
	}
	return strconv.AppendInt(b, num.SignExtend(s.Bits, s.Type, 64), 10)
}

// appendMemory prints the elements nested by the shape.
func appendMemory(b []byte, m *Memory) []byte {
	if len(m.Shape) == 0 && len(m.Data) == 1 {
		return appendScalar(b, m.element(0))
	}
	b, _ = appendLevel(b, m, m.Shape, m.Data)
	return b
}

func (m *Memory) element(i int) Scalar { return Scalar{m.Elem, m.Data[i], m.Unsigned} }

func appendLevel(b []byte, m *Memory, shape []int64, data []uint64) (out []byte, rest []uint64) {
	if len(shape) == 0 {
		if len(data) == 0 {
			return append(b, "null"...), nil
		}
		return appendScalar(b, Scalar{m.Elem, data[0], m.Unsigned}), data[1:]
	}
	b = append(b, '[')
	for i := int64(0); i < shape[0]; i++ {
		if i > 0 {
			b = append(b, ", "...)
		}
		b, data = appendLevel(b, m, shape[1:], data)
	}
	return append(b, ']'), data
}

// JSON prints the outcome as one object (design page "Pipeline"): results,
// memories keyed like the arguments and in their order, cycles and status; for
// Status Error also the hardware's code, where there is one, with its symbol,
// and the details of any status but Done. symbol names an error code (design page "Error symbols"); it may be nil.
func (o *Outcome) JSON(symbol func(code int) string) []byte {
	b := append([]byte(nil), `{"results": [`...)
	for i, s := range o.Results {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendScalar(b, s)
	}
	b = append(b, `], "memories": `...)
	b = appendMemories(b, o.Memories)
	b = fmt.Appendf(b, `, "cycles": %d, "status": %s`, o.Cycles, quote(string(o.Status)))
	if o.Status == Error && o.ErrorCode != 0 {
		b = fmt.Appendf(b, `, "error": {"code": %d`, o.ErrorCode)
		if symbol != nil {
			b = fmt.Appendf(b, `, "symbol": %s`, quote(symbol(o.ErrorCode)))
		}
		b = append(b, '}')
	}
	if len(o.Detail) > 0 {
		parts := make([]string, len(o.Detail))
		for i, d := range o.Detail {
			parts[i] = quote(d)
		}
		b = append(b, `, "detail": [`+strings.Join(parts, ", ")+"]"...)
	}
	return append(b, '}')
}

func appendMemories(b []byte, ms []*Memory) []byte {
	b = append(b, '{')
	for i, m := range ms {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(append(b, quote(m.Name)...), ": "...)
		b = appendMemory(b, m)
	}
	return append(b, '}')
}

func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a string always has a JSON form
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// JSON prints the inputs as an input file that ParseInputs reads back.
func (in *Inputs) JSON() []byte {
	b := append([]byte(nil), `{"args": {`...)
	for i, a := range in.Args {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(append(b, quote(a.Name)...), ": "...)
		switch {
		case a.Mem == nil:
			b = appendScalar(b, Scalar{Type: a.Type, Bits: a.Scalar})
		case len(a.Mem.Shape) == 1:
			b = appendMemory(b, a.Mem)
		default:
			// Nested arrays do not show the inner extents of an empty memory.
			flat := Memory{Elem: a.Mem.Elem, Shape: []int64{int64(len(a.Mem.Data))}, Data: a.Mem.Data}
			b = append(b, `{"shape": `+shapeText(a.Mem.Shape)+`, "data": `...)
			b = append(appendMemory(b, &flat), '}')
		}
	}
	return append(b, "}}"...)
}

// Diff compares two outcomes of one run on what the verification ladder
// compares: status, error code, results and final memories. It returns one
// finding per result or memory that differs, naming the first differing element
// and how many there are; nil means they agree. Any two NaN agree: their
// payload is not promised.
func Diff(want, got *Outcome) []string { return diff(want, got, equal) }

// diff compares with a rule for single values.
func diff(want, got *Outcome, same func(a, b uint64, t ir.Type) bool) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if want.Status != got.Status {
		add("status: want %s, got %s", want.Status, got.Status)
	} else if want.Status == Error && want.ErrorCode != got.ErrorCode {
		add("error code: want %d, got %d", want.ErrorCode, got.ErrorCode)
	}
	if len(want.Results) != len(got.Results) {
		add("results: want %d, got %d", len(want.Results), len(got.Results))
	}
	for i := range min(len(want.Results), len(got.Results)) {
		w, g := want.Results[i], got.Results[i]
		if w.Type != g.Type {
			add("result %d: want type %s, got %s", i, w.Type, g.Type)
		} else if !same(w.Bits, g.Bits, w.Type) {
			add("result %d: want %s, got %s", i, FormatScalar(w), FormatScalar(g))
		}
	}
	if len(want.Memories) != len(got.Memories) {
		add("memories: want %d, got %d", len(want.Memories), len(got.Memories))
	}
	for i := range min(len(want.Memories), len(got.Memories)) {
		if d := diffMemory(want.Memories[i], got.Memories[i], same); d != "" {
			out = append(out, d)
		}
	}
	return out
}

// DiffOnChip compares what two runs of one fabric left in the on-chip memories: one
// finding per memory that differs; nil means they agree.
func DiffOnChip(want, got *Outcome) []string {
	if len(want.OnChip) != len(got.OnChip) {
		return []string{fmt.Sprintf("on-chip memories: want %d, got %d", len(want.OnChip), len(got.OnChip))}
	}
	var out []string
	for i, w := range want.OnChip {
		g := got.OnChip[i]
		if w.Comp != g.Comp || len(w.Elems) != len(g.Elems) {
			out = append(out, fmt.Sprintf("on-chip memory %s of %d elements: got %s of %d", w.Comp, len(w.Elems), g.Comp, len(g.Elems)))
			continue
		}
		first, n := 0, 0
		for k := len(w.Elems) - 1; k >= 0; k-- {
			if w.Elems[k] != g.Elems[k] {
				first, n = k, n+1
			}
		}
		more := ""
		if n > 1 {
			more = fmt.Sprintf(" (%d elements differ)", n)
		}
		if n > 0 {
			out = append(out, fmt.Sprintf("on-chip memory %s[%d]: want %#x, got %#x%s", w.Comp, first, w.Elems[first], g.Elems[first], more))
		}
	}
	return out
}

func equal(a, b uint64, t ir.Type) bool {
	if a == b {
		return true
	}
	x, ok := num.DecodeFloat(a, t)
	y, _ := num.DecodeFloat(b, t)
	return ok && x != x && y != y
}

func diffMemory(want, got *Memory, same func(a, b uint64, t ir.Type) bool) string {
	switch {
	case want.Name != got.Name:
		return fmt.Sprintf("memory %s: got memory %s instead", want.Name, got.Name)
	case want.Elem != got.Elem:
		return fmt.Sprintf("memory %s: want elements of %s, got %s", want.Name, want.Elem, got.Elem)
	case shapeText(want.Shape) != shapeText(got.Shape) || len(want.Data) != len(got.Data):
		return fmt.Sprintf("memory %s: want shape %s, got %s", want.Name, shapeText(want.Shape), shapeText(got.Shape))
	}
	first, n := -1, 0
	for i := range want.Data {
		if !same(want.Data[i], got.Data[i], want.Elem) {
			if n == 0 {
				first = i
			}
			n++
		}
	}
	if n == 0 {
		return ""
	}
	more := ""
	if n > 1 {
		more = fmt.Sprintf(" (%d elements differ)", n)
	}
	return fmt.Sprintf("memory %s%s: want %s, got %s%s", want.Name, subscript(first, want.Shape),
		FormatScalar(want.element(first)), FormatScalar(got.element(first)), more)
}

// subscript writes a row-major position as [i][j].
func subscript(at int, shape []int64) string {
	s := ""
	for i := len(shape) - 1; i >= 0; i-- {
		s = fmt.Sprintf("[%d]", int64(at)%shape[i]) + s
		at /= int(shape[i])
	}
	return s
}
