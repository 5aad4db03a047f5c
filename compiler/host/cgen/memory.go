package cgen

import (
	"fmt"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
)

// view is a memref as C: a pointer, and extents and strides as expressions.
type view struct {
	base string
	// offset is counted in elements, "" for none.
	offset  string
	shape   []string
	strides []string
	elem    ir.Type
	// dense is set where the elements stand as in a memref without layout.
	dense bool
}

func (v *view) pointer() string {
	if v.offset == "" {
		return v.base
	}
	return v.base + " + " + v.offset
}

// rowMajor fills in strides for a shape.
func rowMajor(shape []string) []string {
	strides := make([]string, len(shape))
	step := "1"
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = step
		if step == "1" {
			step = shape[i]
		} else {
			step = "(" + shape[i] + " * " + step + ")"
		}
	}
	return strides
}

// parameterView is the memref of a parameter, whose pointer leads to element 0 of the
// storage behind it.
func (f *function) parameterView(t *ir.MemRefType, name string, dims map[int]string) *view {
	f.u.headers["<stddef.h>"] = true
	v := &view{base: name, elem: t.Elem, dense: t.Layout == nil}
	for i, d := range t.Shape {
		switch {
		case d != ir.Dynamic:
			v.shape = append(v.shape, fmt.Sprintf("%d", d))
		case dims[i] != "":
			v.shape = append(v.shape, "(size_t)"+dims[i])
		default:
			v.shape = append(v.shape, "") // never read
		}
	}
	if t.Map != "" {
		f.fail(f.op.Pos, "a memref with the layout %s has no C form on the host", t.Map)
	}
	if t.Layout == nil {
		v.strides = rowMajor(v.shape)
		return v
	}
	if t.Layout.Offset == ir.Dynamic {
		f.fail(f.op.Pos, "a memref with a layout that is not known has no C form on the host")
	} else if t.Layout.Offset != 0 {
		v.offset = fmt.Sprintf("%d", t.Layout.Offset)
	}
	for _, s := range t.Layout.Strides {
		if s == ir.Dynamic {
			f.fail(f.op.Pos, "a memref with a layout that is not known has no C form on the host")
		}
		v.strides = append(v.strides, fmt.Sprintf("%d", s))
	}
	return v
}

func (f *function) view(v *ir.Value) *view {
	if w := f.views[v]; w != nil {
		return w
	}
	if f.u.errs.HasErrors() {
		return &view{base: "0", dense: true, shape: make([]string, 8), strides: make([]string, 8)}
	}
	f.fail(v.Pos(), "a memory that is chosen at run time has no C form on the host")
	return &view{base: "0", dense: true, shape: make([]string, 8), strides: make([]string, 8)}
}

// element is the C lvalue of an access.
func (f *function) element(mem *ir.Value, index []*ir.Value) string {
	v := f.view(mem)
	if len(index) == 0 {
		if v.offset != "" {
			return v.base + "[" + v.offset + "]"
		}
		return v.base + "[0]"
	}
	var parts []string
	if v.offset != "" {
		parts = append(parts, v.offset)
	}
	for i, x := range index {
		s := f.val(x)
		switch {
		case v.strides[i] == "1":
		case v.strides[i] == "0":
			continue
		default:
			s = "(size_t)" + s + " * " + v.strides[i]
		}
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		parts = []string{"0"}
	}
	if len(parts) > 1 {
		for i := range parts {
			if !strings.HasPrefix(parts[i], "(size_t)") {
				parts[i] = "(size_t)" + parts[i] // sums must not wrap below the width of an address
			}
		}
	}
	return v.base + "[" + strings.Join(parts, " + ") + "]"
}

// memory writes an operation on memory and reports whether it was one.
func (f *function) memory(op *ir.Operation) bool {
	switch op.Name {
	case opname.MemRefLoad:
		f.declare(op.Result(0), f.element(op.Operand(0), op.Operands()[1:]))
	case opname.MemRefStore:
		f.line("%s = %s;", f.element(op.Operand(1), op.Operands()[2:]), f.val(op.Operand(0)))
	case opname.LLVMFence:
		f.u.need("loom_fence")
		f.line("loom_fence();")
	case opname.MemRefAlloca, opname.MemRefAlloc:
		f.alloc(op)
	case opname.MemRefDealloc:
		// Memory goes at the end of the block that allocated it.
	case opname.MemRefCast, opname.MemRefMemorySpaceCast:
		v := *f.view(op.Operand(0))
		f.views[op.Result(0)] = &v
	case opname.MemRefGetGlobal:
		f.getGlobal(op)
	case opname.MemRefRank:
		f.declare(op.Result(0), fmt.Sprintf("%d", len(op.Operand(0).Type.(*ir.MemRefType).Shape)))
	case opname.MemRefDim:
		d, ok := f.constantOf(op.Operand(1))
		v := f.view(op.Operand(0))
		if !ok || d >= uint64(len(v.shape)) || v.shape[d] == "" {
			f.fail(op.Pos, "the extent of a dimension that is not constant has no C form on the host")
			f.values[op.Result(0)] = "0"
			return true
		}
		f.declare(op.Result(0), cut(v.shape[d], f.width(ir.Index)))
	case opname.MemRefCopy:
		f.copy(op)
	case opname.MemRefSubview, opname.MemRefReinterpretCast:
		return f.window(op)
	default:
		return false
	}
	return true
}

// alloc writes local memory, which begins with zeros.
func (f *function) alloc(op *ir.Operation) {
	t := op.Result(0).Type.(*ir.MemRefType)
	c := CType(t.Elem, f.u.opts.IndexWidth)
	if c == "" || t.Layout != nil || t.Map != "" {
		f.fail(op.Pos, "local memory of type %s has no C form on the host", t)
		f.views[op.Result(0)] = &view{base: "0", shape: make([]string, len(t.Shape)), strides: make([]string, len(t.Shape))}
		return
	}
	id := f.names.Pick(orName(op.Result(0), "local"))
	v := &view{base: id, elem: t.Elem, dense: true}
	dynamic := 0
	product := ""
	for _, d := range t.Shape {
		s := fmt.Sprintf("%d", d)
		if d == ir.Dynamic {
			s = "(size_t)" + f.val(op.Operand(dynamic))
			dynamic++
		}
		v.shape = append(v.shape, s)
		if product != "" {
			product += " * "
		}
		product += s
	}
	v.strides = rowMajor(v.shape)
	f.views[op.Result(0)] = v
	n, static := t.NumElements()
	if f.u.reached(op.Result(0), 0) {
		f.take(id, c, t, product, static)
		return
	}
	if static {
		f.line("%s %s[%d] = {0};", c, id, max(n, 1))
		f.mark(id)
		return
	}
	f.u.headers["<stdlib.h>"] = true
	f.line("%s *%s = (%s *)calloc(%s + 1u, sizeof(%s));", c, id, c, product, c)
	f.line("if (!%s)", id)
	f.line("    abort();")
	f.heap = append(f.heap, "free("+id+");")
}

// take writes local memory that External functions reach.
func (f *function) take(id, ctype string, t *ir.MemRefType, elements string, static bool) {
	bytes := f.u.takes(id, t)
	size := fmt.Sprintf("%du", bytes)
	f.u.headers["<stddef.h>"] = true
	f.u.headers["<string.h>"] = true
	if !static {
		size = id + "_bytes"
		f.names.used[size] = true
		f.line("size_t %s = (%s) * sizeof(%s);", size, elements, ctype)
	}
	f.line("%s *%s = (%s *)%s(%s, %s);", ctype, id, ctype, f.u.opts.Take, f.u.opts.Context, size)
	f.leave(id+" == NULL", f.u.opts.NoMemory)
	f.line("memset(%s, 0, %s);", id, size)
	f.heap = append(f.heap, fmt.Sprintf("%s(%s, %s);", f.u.opts.Release, f.u.opts.Context, id))
}

// takes notes an array in the memory that External functions reach and returns its bytes, 0
// where the program computes them.
func (u *Unit) takes(name string, t *ir.MemRefType) int64 {
	bytes := int64(0)
	if n, static := t.NumElements(); static {
		bytes = n * ElemBytes(t.Elem, u.opts.IndexWidth)
	}
	u.taken = append(u.taken, Taken{name, bytes})
	return bytes
}

// getGlobal refers to a table, which stands in front of the functions.
func (f *function) getGlobal(op *ir.Operation) {
	t := op.Result(0).Type.(*ir.MemRefType)
	ref, _ := op.Attr("name").(*ir.SymbolRefAttr)
	v := &view{elem: t.Elem, dense: true, base: "0"}
	f.views[op.Result(0)] = v
	for _, d := range t.Shape {
		v.shape = append(v.shape, fmt.Sprintf("%d", d))
	}
	v.strides = rowMajor(v.shape)
	if ref == nil {
		f.fail(op.Pos, "memref.get_global names no global")
		return
	}
	if id, ok := f.u.globals[ref.Root]; ok {
		v.base = id
		return
	}
	g := f.u.find(ref.Root)
	n, static := t.NumElements()
	c := CType(t.Elem, f.u.opts.IndexWidth)
	if g == nil || g.Name != opname.MemRefGlobal || !static || c == "" || t.Layout != nil || t.Map != "" {
		f.fail(op.Pos, "the global %s of type %s has no C form on the host", ir.SymbolText(ref.Root), t)
		return
	}
	id := f.u.names.Pick(ref.Root)
	f.names.used[id] = true
	f.u.globals[ref.Root], v.base = id, id
	constant := g.Attr("constant") != nil
	elems, ok := f.contents(g, t, n)
	if !ok {
		return
	}
	var b strings.Builder
	entry := table{name: id}
	if f.u.globalReached(ref.Root) {
		init := f.u.names.Pick(ref.Root + "_init")
		f.u.need("<string.h>")
		f.u.headers["<stddef.h>"] = true
		fmt.Fprintf(&b, "static %s *%s; /* in memory that the fabric reaches */\n", c, id)
		entry.reset = fmt.Sprintf("    %s = (%s *)%s(%s, sizeof %s);\n    if (%s == NULL)\n        return %s;\n    memcpy(%s, %s, sizeof %s);",
			id, c, f.u.opts.Take, f.u.opts.Context, init, id, f.u.opts.NoMemory, id, init, init)
		fmt.Fprintf(&b, "static const %s %s[%d] = {", c, init, max(n, 1))
		f.u.takes(ref.Root, t)
	} else if constant {
		fmt.Fprintf(&b, "static %s %s[%d] = {", c, id, max(n, 1))
	} else {
		init := f.u.names.Pick(ref.Root + "_init")
		f.u.need("<string.h>")
		fmt.Fprintf(&b, "static %s %s[%d];\n", c, id, max(n, 1))
		entry.reset = fmt.Sprintf("    memcpy(%s, %s, sizeof %s);", id, init, id)
		fmt.Fprintf(&b, "static const %s %s[%d] = {", c, init, max(n, 1))
	}
	width := 0
	for i, e := range elems {
		if i > 0 {
			b.WriteString(",")
			width++
		}
		if i == 0 || width > 90 {
			b.WriteString("\n    ")
			width = 0
		} else {
			b.WriteString(" ")
		}
		b.WriteString(e)
		width += len(e) + 1
	}
	b.WriteString("};")
	entry.text = b.String()
	f.u.tables = append(f.u.tables, entry)
}

// globalReached reports whether an External function gets a table of the module.
func (u *Unit) globalReached(symbol string) bool {
	found := false
	u.module.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.MemRefGetGlobal {
			ref, ok := op.Attr("name").(*ir.SymbolRefAttr)
			found = found || ok && ref.Root == symbol && u.reached(op.Result(0), 0)
		}
		return !found
	})
	return found
}

// contents are the initial elements of a global as C.
func (f *function) contents(g *ir.Operation, t *ir.MemRefType, n int64) ([]string, bool) {
	a, ok := g.Attr("initial_value").(*ir.DenseElementsAttr)
	if !ok || len(a.Values) == 0 {
		return []string{"0"}, true // what nothing initialises reads as zero
	}
	out := make([]string, n)
	for i := range out {
		e := a.Values[min(i, len(a.Values)-1)]
		v, err := num.ConstantBits(e, t.Elem, f.u.opts.IndexWidth)
		if err != nil {
			f.fail(g.Pos, "%v", err)
			return nil, false
		}
		out[i] = f.constant(v, t.Elem)
	}
	return out, true
}

// copy writes memref.copy as loops. Windows on one array may overlap: their elements
// are all read before the first is written.
func (f *function) copy(op *ir.Operation) {
	from, to := f.view(op.Operand(0)), f.view(op.Operand(1))
	extents := make([]string, len(op.Operand(0).Type.(*ir.MemRefType).Shape))
	for i := range extents {
		if extents[i] = from.shape[i]; extents[i] == "" {
			extents[i] = to.shape[i]
		}
		if extents[i] == "" {
			f.fail(op.Pos, "a copy of memory whose extent is not known has no C form on the host")
			return
		}
	}
	if from.base != to.base {
		f.elementwise(from, to, extents)
		return
	}
	between := &view{base: f.names.Pick("copy"), shape: extents, strides: rowMajor(extents), elem: from.elem, dense: true}
	c := CType(from.elem, f.u.opts.IndexWidth)
	total := strings.Join(append([]string{"(size_t)1"}, extents...), " * ")
	f.u.headers["<stdlib.h>"] = true
	f.line("%s *%s = (%s *)calloc(%s + 1u, sizeof(%s));", c, between.base, c, total, c)
	f.line("if (!%s)", between.base)
	f.line("    abort();")
	f.elementwise(from, between, extents)
	f.elementwise(between, to, extents)
	f.line("free(%s);", between.base)
}

// elementwise copies all elements in row-major order.
func (f *function) elementwise(from, to *view, extents []string) {
	var a, b []string
	if from.offset != "" {
		a = append(a, from.offset)
	}
	if to.offset != "" {
		b = append(b, to.offset)
	}
	for i, extent := range extents {
		id := f.names.Pick("k")
		f.line("for (size_t %s = 0; %s < %s; %s++) {", id, id, extent, id)
		f.indent++
		a = append(a, id+" * "+from.strides[i])
		b = append(b, id+" * "+to.strides[i])
	}
	if len(extents) == 0 {
		a, b = append(a, "0"), append(b, "0")
	}
	f.line("%s[%s] = %s[%s];", to.base, strings.Join(b, " + "), from.base, strings.Join(a, " + "))
	for range extents {
		f.indent--
		f.line("}")
	}
}
