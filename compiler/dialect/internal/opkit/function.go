package opkit

import (
	"slices"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
)

// FunctionOptions describes how a function-like operation differs from func.func.
type FunctionOptions struct {
	// Variadic allows, and when printing writes, "..." behind the arguments.
	Variadic bool
	// Elided names further attributes that the signature expresses.
	Elided []string
}

var functionAttrs = []string{"sym_name", "sym_visibility", "function_type", "arg_attrs", "res_attrs"}

// ParseFunction reads "private @name(%a: T {attrs}) -> (T {attrs}) attributes
// {…} { body }" and returns the arguments. Without a body the arguments may be
// types alone.
func ParseFunction(p *mlir.OpParser, st *mlir.OpState, opt FunctionOptions) []mlir.Argument {
	for _, v := range []string{"private", "public", "nested"} {
		if p.ParseOptionalKeyword(v) {
			st.Set("sym_visibility", ir.StrAttr(v))
			break
		}
	}
	st.Set("sym_name", ir.StrAttr(p.ParseSymbolName()))
	args := parseFunctionArgs(p, opt)
	var results []ir.Type
	var resultAttrs []ir.NamedAttrs
	if p.ParseOptionalPunct("->") {
		results, resultAttrs = parseFunctionResults(p)
	}
	pos := p.Pos()
	before := len(st.Attrs)
	p.ParseOptionalAttrDictWithKeyword(st)
	if len(st.Attrs) != before {
		for _, name := range functionAttrs[2:] {
			if st.Attrs.Get(name) != nil {
				p.Fail(pos, "the attribute '%s' is given by the signature", name)
			}
		}
	}
	inputs := make([]ir.Type, len(args))
	argAttrs := make([]ir.NamedAttrs, len(args))
	for i, a := range args {
		inputs[i], argAttrs[i] = a.Type, a.Attrs
	}
	st.Set("function_type", &ir.TypeAttr{Type: ir.Func(inputs, results)})
	setDicts(&st.Attrs, "arg_attrs", argAttrs)
	setDicts(&st.Attrs, "res_attrs", resultAttrs)
	if !p.PeekRegion() {
		p.AddEmptyRegion(st)
		return args
	}
	for _, a := range args {
		if a.Name == "" {
			p.Fail(a.Pos, "the arguments of a function with a body need names")
		}
	}
	p.ParseRegion(st, mlir.RegionOptions{Args: args, Entry: true})
	return args
}

func parseFunctionArgs(p *mlir.OpParser, opt FunctionOptions) []mlir.Argument {
	var args []mlir.Argument
	p.ParsePunct("(")
	for first := true; !p.PeekPunct(")"); first = false {
		if !first {
			p.ParseSeparator(")")
		}
		pos := p.Pos()
		if p.ParseOptionalPunct("...") {
			if !opt.Variadic {
				p.Fail(pos, "variadic functions are not supported")
			}
			break
		}
		if a, ok := p.ParseOptionalArgument(true, true); ok {
			args = append(args, a)
			continue
		}
		a := mlir.Argument{Pos: pos, Type: p.ParseType(), Attrs: p.ParseOptionalDict()}
		p.ParseOptionalLoc()
		args = append(args, a)
	}
	p.ParsePunct(")")
	return args
}

func parseFunctionResults(p *mlir.OpParser) (types []ir.Type, attrs []ir.NamedAttrs) {
	if !p.ParseOptionalPunct("(") {
		return []ir.Type{p.ParseType()}, nil
	}
	for !p.PeekPunct(")") {
		if types != nil {
			p.ParseSeparator(")")
		}
		types = append(types, p.ParseType())
		attrs = append(attrs, p.ParseOptionalDict())
	}
	p.ParsePunct(")")
	return types, attrs
}

// setDicts stores one dictionary per argument, nothing where all are empty.
func setDicts(as *ir.NamedAttrs, name string, dicts []ir.NamedAttrs) {
	if !slices.ContainsFunc(dicts, func(d ir.NamedAttrs) bool { return len(d) > 0 }) {
		as.Set(name, nil)
		return
	}
	array := &ir.ArrayAttr{}
	for _, d := range dicts {
		array.Elems = append(array.Elems, &ir.DictAttr{Entries: d})
	}
	as.Set(name, array)
}

// dictAt returns dictionary i of an attribute that setDicts made.
func dictAt(a ir.Attr, i int) ir.NamedAttrs {
	if array, ok := a.(*ir.ArrayAttr); ok && i < len(array.Elems) {
		if d, ok := array.Elems[i].(*ir.DictAttr); ok {
			return d.Entries
		}
	}
	return nil
}

// PrintFunction writes what ParseFunction reads.
func PrintFunction(p *mlir.OpPrinter, op *ir.Operation, opt FunctionOptions) {
	p.Text(" ")
	if v := op.StrAttr("sym_visibility"); v != "" {
		p.Text(v + " ")
	}
	p.Symbol(op.SymName())
	ft := FunctionType(op)
	entry := op.Regions[0].Entry()
	p.Text("(")
	for i, t := range ft.Inputs {
		if i > 0 {
			p.Text(", ")
		}
		if entry != nil {
			p.Argument(entry.Args[i])
		} else {
			p.Type(t)
		}
		p.AttrDict(dictAt(op.Attr("arg_attrs"), i))
	}
	if opt.Variadic {
		if len(ft.Inputs) > 0 {
			p.Text(", ")
		}
		p.Text("...")
	}
	p.Text(")")
	printFunctionResults(p, op, ft.Results)
	p.AttrDictWithKeyword(op.Attrs, append(slices.Clone(functionAttrs), opt.Elided...)...)
	if entry != nil {
		p.Text(" ")
		p.Region(op.Regions[0], mlir.PrintRegionOptions{Entry: true})
	}
}

func printFunctionResults(p *mlir.OpPrinter, op *ir.Operation, results []ir.Type) {
	attrs := op.Attr("res_attrs")
	if attrs == nil {
		p.OptionalArrowTypes(results)
		return
	}
	p.Text(" -> (")
	for i, t := range results {
		if i > 0 {
			p.Text(", ")
		}
		p.Type(t)
		p.AttrDict(dictAt(attrs, i))
	}
	p.Text(")")
}

// NormalizeFunction drops argument and result attributes that are all empty.
func NormalizeFunction(op *ir.Operation) {
	for _, name := range []string{"arg_attrs", "res_attrs"} {
		if a, ok := op.Attr(name).(*ir.ArrayAttr); ok {
			empty := true
			for i := range a.Elems {
				d, isDict := a.Elems[i].(*ir.DictAttr)
				empty = empty && isDict && len(d.Entries) == 0
			}
			if empty {
				op.SetAttr(name, nil)
			}
		}
	}
}

// FunctionType returns the signature of a function-like operation, nil where
// it has none.
func FunctionType(op *ir.Operation) *ir.FunctionType {
	a, ok := op.Attr("function_type").(*ir.TypeAttr)
	if !ok {
		return nil
	}
	ft, _ := a.Type.(*ir.FunctionType)
	return ft
}

// VerifyFunction checks name, signature, visibility, attributes per argument
// and the entry block's arguments.
func VerifyFunction(op *ir.Operation, errs *diag.List) {
	if _, ok := Attr[*ir.StringAttr](op, errs, "sym_name", "a string"); !ok {
		return
	}
	if v, ok := OptionalAttr[*ir.StringAttr](op, errs, "sym_visibility", "a string"); ok &&
		!slices.Contains([]string{"private", "public", "nested"}, v.Value) {
		Errorf(op, errs, "visibility %q is none of private, public, nested", v.Value)
	}
	ft := FunctionType(op)
	if ft == nil {
		Errorf(op, errs, "needs the attribute 'function_type' (a function type)")
		return
	}
	for _, x := range []struct {
		name string
		n    int
	}{{"arg_attrs", len(ft.Inputs)}, {"res_attrs", len(ft.Results)}} {
		a, ok := OptionalAttr[*ir.ArrayAttr](op, errs, x.name, "an array of dictionaries")
		if !ok {
			continue
		}
		if len(a.Elems) != x.n {
			Errorf(op, errs, "attribute '%s' has %s, expected %d", x.name, Plural(len(a.Elems), "element"), x.n)
		}
		for _, e := range a.Elems {
			if _, ok := e.(*ir.DictAttr); !ok {
				Errorf(op, errs, "attribute '%s' holds %s, expected dictionaries", x.name, e)
			}
		}
	}
	if entry := op.Regions[0].Entry(); entry != nil {
		Types(op, errs, "entry argument", entry.Args, ft.Inputs, "the signature")
	}
}
