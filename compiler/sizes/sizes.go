// Package sizes gives a kernel the sizes of its arrays as scalar parameters. Hardware gets
// no memref descriptor, so a size that an address or a memref.dim needs is an argument of
// its own:
//
//	func @f(%a: memref<?x?xi32>)  ->  func @f(%a: memref<?x?xi32>, %a.dim1: index)
//
// The attribute loom.sizes of the function, and of the graph lowered from it, lists them as
// [parameter, memref, dimension]. The body keeps its memref.dim operations: the interpreter
// reads the shape, hardware the parameter, so that one is checked against the other.
package sizes

import (
	"fmt"

	"loom/compiler/cabi"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Attribute is the attribute of func.func and handshake.func.
const Attribute = "loom.sizes"

// Size says that parameter Param is the size of dimension Dim of the memref parameter Of.
type Size struct{ Param, Of, Dim int }

// Of lists the sizes among the parameters of a function or graph. What does not name
// parameters of the right types is left out.
func Of(fn *ir.Operation) []Size {
	list, _ := fn.Attr(Attribute).(*ir.ArrayAttr)
	attr, _ := fn.Attr("function_type").(*ir.TypeAttr)
	if list == nil || attr == nil {
		return nil
	}
	ft, _ := attr.Type.(*ir.FunctionType)
	if ft == nil {
		return nil
	}
	var out []Size
	for _, e := range list.Elems {
		n, ok := triple(e)
		if !ok || n[0] < 0 || n[0] >= len(ft.Inputs) || n[1] < 0 || n[1] >= len(ft.Inputs) || ft.Inputs[n[0]] != ir.Type(ir.Index) {
			continue
		}
		if m, ok := ft.Inputs[n[1]].(*ir.MemRefType); ok && m.Layout == nil && m.Map == "" && n[2] >= 0 && n[2] < len(m.Shape) {
			out = append(out, Size{n[0], n[1], n[2]})
		}
	}
	return out
}

func triple(a ir.Attr) (n [3]int, ok bool) {
	list, _ := a.(*ir.ArrayAttr)
	if list == nil || len(list.Elems) != len(n) {
		return n, false
	}
	for i, e := range list.Elems {
		v, ok := e.(*ir.IntegerAttr)
		if !ok {
			return n, false
		}
		n[i] = int(v.Value)
	}
	return n, true
}

// Set lists the sizes among the parameters of a function.
func Set(fn *ir.Operation, list []Size) {
	var elems []ir.Attr
	for _, s := range list {
		elems = append(elems, &ir.ArrayAttr{Elems: []ir.Attr{
			ir.IntAttr(int64(s.Param), ir.I64), ir.IntAttr(int64(s.Of), ir.I64), ir.IntAttr(int64(s.Dim), ir.I64)}})
	}
	if len(elems) > 0 {
		fn.SetAttr(Attribute, &ir.ArrayAttr{Elems: elems})
	}
}

// Param is the parameter of a function that holds a size of one of its memref parameters,
// nil where there is none.
func Param(memref *ir.Value, dim int) *ir.Value {
	if memref.Def != nil || memref.Block == nil {
		return nil
	}
	fn := memref.Block.ParentOp()
	if fn == nil || fn.Name != opname.FuncFunc || fn.Regions[0].Entry() != memref.Block {
		return nil
	}
	for _, s := range Of(fn) {
		if args := memref.Block.Args; s.Dim == dim && args[s.Of] == memref {
			return args[s.Param]
		}
	}
	return nil
}

// Add gives a function a parameter for each dynamic size that its hardware needs: all
// but the first of a memref parameter, by which addresses are computed, and the first where
// something may read it. Calls of the function in the module pass them.
func Add(module, fn *ir.Operation) {
	if len(fn.Regions) == 0 || fn.Regions[0].Entry() == nil || fn.Attr(cabi.Attribute) != nil {
		return // no body, or C, which has no such parameters
	}
	attr, _ := fn.Attr("function_type").(*ir.TypeAttr)
	ft, _ := attr.Type.(*ir.FunctionType)
	if ft == nil {
		return
	}
	entry := fn.Regions[0].Entry()
	reads := readers(fn)
	inputs := append([]ir.Type(nil), ft.Inputs...)
	list := Of(fn)
	names := map[string]bool{}
	for _, a := range entry.Args {
		names[a.Name] = true
	}
	for i, a := range entry.Args[:len(ft.Inputs)] {
		m, ok := a.Type.(*ir.MemRefType)
		if !ok || m.Layout != nil || m.Map != "" {
			continue // a layout decides by itself, or is refused
		}
		for d, n := range m.Shape {
			if n != ir.Dynamic || Param(a, d) != nil || d == 0 && !reads[a] {
				continue
			}
			name := a.Name
			if name == "" {
				name = fmt.Sprintf("arg%d", i)
			}
			name = fmt.Sprintf("%s.dim%d", name, d)
			for names[name] {
				name += "_"
			}
			names[name] = true
			entry.AddArg(ir.Index, name, a.Loc)
			list = append(list, Size{len(inputs), i, d})
			inputs = append(inputs, ir.Index)
			if attrs, ok := fn.Attr("arg_attrs").(*ir.ArrayAttr); ok {
				fn.SetAttr("arg_attrs", &ir.ArrayAttr{Elems: append(append([]ir.Attr(nil), attrs.Elems...), &ir.DictAttr{})})
			}
		}
	}
	if len(inputs) == len(ft.Inputs) {
		return
	}
	fn.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(inputs, ft.Results)})
	Set(fn, list)
	for _, s := range list[len(list)-(len(inputs)-len(ft.Inputs)):] {
		passSize(module, fn, s)
	}
}

// passSize adds a size to every call of a function.
func passSize(module, fn *ir.Operation, s Size) {
	var calls []*ir.Operation
	module.Walk(func(op *ir.Operation) bool {
		if callee, ok := op.Attr("callee").(*ir.SymbolRefAttr); ok && op.Name == opname.FuncCall && callee.Root == fn.SymName() {
			calls = append(calls, op)
		}
		return true
	})
	for _, c := range calls {
		b := c.Block()
		d := ir.NewOp(opname.ArithConstant, c.Pos, nil, []ir.Type{ir.Index})
		d.SetAttr("value", ir.IntAttr(int64(s.Dim), ir.Index))
		size := ir.NewOp(opname.MemRefDim, c.Pos, []*ir.Value{c.Operand(s.Of), b.InsertBefore(c, d).Result(0)}, []ir.Type{ir.Index})
		c.SetOperands(append(append([]*ir.Value(nil), c.Operands()...), b.InsertBefore(c, size).Result(0)))
	}
}

// readers are the memref parameters of fn of which something may read the first size:
// memref.dim, a copy, or what cannot be told, a call.
func readers(fn *ir.Operation) map[*ir.Value]bool {
	out := map[*ir.Value]bool{}
	fn.Walk(func(op *ir.Operation) bool {
		switch op.Name {
		case opname.MemRefLoad, opname.MemRefStore, opname.AffineLoad, opname.AffineStore:
			return true
		case opname.MemRefDim:
			if d, ok := op.Operand(1).ConstantInt(); ok && d != 0 && op.Operand(0).Def == nil {
				return true
			}
		}
		for _, v := range op.Operands() {
			if _, ok := v.Type.(*ir.MemRefType); ok && v.Def == nil {
				out[v] = true
			}
		}
		return true
	})
	return out
}
