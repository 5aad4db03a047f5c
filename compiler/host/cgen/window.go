package cgen

import (
	"fmt"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// window writes memref.subview and memref.reinterpret_cast: offset, extents and
// strides become variables.
func (f *function) window(op *ir.Operation) bool {
	src := f.view(op.Operand(0))
	seg, ok := op.Attr("operandSegmentSizes").(*ir.DenseArrayAttr)
	if !ok || len(seg.Values) != 4 {
		return false
	}
	at := int(seg.Values[0])
	list := func(name string, k int) []string {
		a, _ := op.Attr(name).(*ir.DenseArrayAttr)
		var out []string
		next := at
		at += int(seg.Values[k])
		if a == nil {
			return nil
		}
		for _, v := range a.Values {
			if v != ir.Dynamic {
				out = append(out, fmt.Sprintf("%d", v))
				continue
			}
			x := op.Operand(next)
			next++
			out = append(out, "(size_t)(int64_t)"+f.signedOf(x))
		}
		return out
	}
	offsets, sizes, strides := list("static_offsets", 1), list("static_sizes", 2), list("static_strides", 3)
	t := op.Result(0).Type.(*ir.MemRefType)
	v := &view{base: src.base, elem: src.elem}
	f.views[op.Result(0)] = v
	name := func(what, expr string) string {
		id := f.names.Pick(orName(op.Result(0), "window") + "_" + what)
		f.line("size_t %s = %s;", id, expr)
		f.mark(id)
		return id
	}
	if op.Name == opname.MemRefReinterpretCast {
		v.offset = name("offset", "(size_t)"+offsets[0])
		for i := range sizes {
			v.shape = append(v.shape, name("size", "(size_t)"+sizes[i]))
			v.strides = append(v.strides, name("stride", "(size_t)"+strides[i]))
		}
		return true
	}
	sum := "(size_t)0"
	if src.offset != "" {
		sum = src.offset
	}
	kept := keptDims(op.Attr("static_sizes").(*ir.DenseArrayAttr).Values, t.Shape)
	for i := range offsets {
		sum += " + (size_t)" + offsets[i] + " * " + src.strides[i]
	}
	v.offset = name("offset", sum)
	for i := range sizes {
		if kept[i] {
			v.shape = append(v.shape, name("size", "(size_t)"+sizes[i]))
			v.strides = append(v.strides, name("stride", "(size_t)"+strides[i]+" * "+src.strides[i]))
		}
	}
	return true
}

// keptDims states which dimensions of a window its type keeps: those left out have
// extent 1, and the first ones that fit are kept.
func keptDims(sizes, declared []int64) []bool {
	kept := make([]bool, len(sizes))
	at := 0
	for i, s := range sizes {
		if kept[i] = at < len(declared) && declared[at] == s; kept[i] {
			at++
		}
	}
	return kept
}
