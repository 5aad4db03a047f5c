package handshake

import (
	"slices"
	"strconv"

	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/dialect/irdl"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

var functionOptions = opkit.FunctionOptions{Variadic: true}

func init() {
	opkit.Define(&ir.OpDef{
		Name:    opname.HandshakeFunc,
		Summary: "An elastic dataflow graph. The last argument and result are the control token; argNames and resNames name the ports.",
		Traits:  ir.IsolatedFromAbove | ir.GraphRegion | ir.SingleBlock,
		Verify:  opkit.Seq(opkit.Shape(0, 0, 1), opkit.VerifyFunction, verifyFunc),
	}, mlir.Asm{
		DefaultDialect: "handshake",
		Parse:          parseFunc,
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			opkit.PrintFunction(p, op, functionOptions)
		},
		Normalize: func(op *ir.Operation) {
			irdl.Decode(op)
			opkit.NormalizeFunction(op)
		},
	})
	opkit.Define(&ir.OpDef{
		Name: opname.HandshakeReturn, Summary: "The results of a dataflow graph.", Traits: ir.Terminator,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 0, 0), opkit.ParentIs(opname.HandshakeFunc), verifyReturn),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			p.ParseOptionalAttrDict(st) // where CIRCT has it
			pos := p.Pos()
			us := p.ParseOperandList()
			p.ParseOptionalAttrDict(st)
			if len(us) > 0 {
				p.ResolveOperands(st, us, p.ParseColonTypeList(), pos)
			}
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			if op.NumOperands() > 0 {
				p.Text(" ")
				p.Operands(op.Operands())
			}
			p.AttrDict(op.Attrs)
			if op.NumOperands() > 0 {
				p.Text(" : ")
				p.ValueTypes(op.Operands())
			}
		},
	})
}

// parseFunc reads the function. Port names that are not given are, as in CIRCT,
// those of the arguments, and out0, out1, … with outCtrl for the control token.
func parseFunc(p *mlir.OpParser, st *mlir.OpState) {
	args := opkit.ParseFunction(p, st, functionOptions)
	if st.Attrs.Get("argNames") == nil {
		names := make([]string, len(args))
		for i, a := range args {
			names[i] = a.Name
			if a.Name == "" || a.Name[0] >= '0' && a.Name[0] <= '9' {
				names[i] = "in" + strconv.Itoa(i)
			}
		}
		st.Set("argNames", ir.StrArray(names))
	}
	if st.Attrs.Get("resNames") == nil {
		results := st.Attrs.Get("function_type").(*ir.TypeAttr).Type.(*ir.FunctionType).Results
		names := make([]string, len(results))
		for i, t := range results {
			names[i] = "out" + strconv.Itoa(i)
			if i == len(results)-1 && t == ir.Type(ir.None) {
				names[i] = "outCtrl"
			}
		}
		st.Set("resNames", ir.StrArray(names))
	}
}

func stringList(a ir.Attr) []string {
	array, ok := a.(*ir.ArrayAttr)
	if !ok {
		return nil
	}
	var out []string
	for _, e := range array.Elems {
		s, ok := e.(*ir.StringAttr)
		if !ok {
			return nil
		}
		out = append(out, s.Value)
	}
	return out
}

func verifyFunc(op *ir.Operation, errs *diag.List) {
	ft := opkit.FunctionType(op)
	for _, x := range []struct {
		name  string
		types []ir.Type
	}{{"argNames", ft.Inputs}, {"resNames", ft.Results}} {
		a, ok := opkit.Attr[*ir.ArrayAttr](op, errs, x.name, "an array of strings")
		if !ok {
			continue
		}
		names := stringList(a)
		if len(names) != len(a.Elems) {
			opkit.Errorf(op, errs, "attribute '%s' is %s, expected an array of strings", x.name, a)
			continue
		}
		if len(names) != len(x.types) {
			opkit.Errorf(op, errs, "attribute '%s' has %s, expected %d", x.name, opkit.Plural(len(names), "name"), len(x.types))
			continue
		}
		for i, n := range names {
			if slices.Contains(names[:i], n) {
				opkit.Errorf(op, errs, "attribute '%s' has the name %q twice", x.name, n)
			}
		}
	}
	if len(ft.Inputs) == 0 || ft.Inputs[len(ft.Inputs)-1] != ir.Type(ir.None) {
		opkit.Errorf(op, errs, "the last argument must be the control token, of type none")
	}
	if len(ft.Results) == 0 || ft.Results[len(ft.Results)-1] != ir.Type(ir.None) {
		opkit.Errorf(op, errs, "the last result must be the control token, of type none")
	}
	if len(op.Regions[0].Blocks) == 0 {
		return
	}
	b := opkit.OneBlock(op, errs, 0)
	if b == nil {
		return
	}
	opkit.Terminated(op, errs, b, opname.HandshakeReturn)
	for i, a := range b.Args {
		if _, isMemRef := a.Type.(*ir.MemRefType); !isMemRef {
			continue
		}
		uses := a.Uses()
		// A memory that a kernel never accesses keeps its position in the signature.
		if len(uses) > 1 || len(uses) == 1 && uses[0].Op.Name != opname.HandshakeExtmemory && uses[0].Op.Name != opname.HandshakeInstance {
			errs.Errorf(a.Loc, "'handshake.func' memref argument #%d must be used by one 'handshake.extmemory' and nothing else, it has %s", i, opkit.Plural(len(uses), "use"))
		}
	}
}

func verifyReturn(op *ir.Operation, errs *diag.List) {
	f := op.ParentOp()
	if f == nil {
		return
	}
	if ft := opkit.FunctionType(f); ft != nil {
		opkit.Types(op, errs, "operand", op.Operands(), ft.Results, "the function's signature")
	}
}

func verifyInstance(op *ir.Operation, errs *diag.List) {
	ref, ok := opkit.Attr[*ir.SymbolRefAttr](op, errs, "module", "a symbol")
	if !ok || op.ParentOp() == nil {
		return
	}
	f := ir.LookupSymbol(op, ref.Root)
	if f == nil || f.Name != opname.HandshakeFunc {
		opkit.Errorf(op, errs, "names %s, which is no handshake function", ref)
		return
	}
	if ft := opkit.FunctionType(f); ft != nil {
		opkit.Types(op, errs, "operand", op.Operands(), ft.Inputs, "the function's signature")
		opkit.Types(op, errs, "result", op.Results(), ft.Results, "the function's signature")
	}
}

// parseInstance reads "@f(%a, %c) {attrs} : (T, none) -> (U, none)".
func parseInstance(p *mlir.OpParser, st *mlir.OpState) {
	st.Set("module", p.ParseSymbolRef())
	us := p.ParseOperandsIn("(", ")")
	p.ParseOptionalAttrDict(st)
	p.ParsePunct(":")
	pos := p.Pos()
	ft := p.ParseFunctionType()
	p.ResolveOperands(st, us, ft.Inputs, pos)
	st.Types = ft.Results
}

func printInstance(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Attr(op.Attr("module"))
	p.Text("(")
	p.Operands(op.Operands())
	p.Text(")")
	p.AttrDict(op.Attrs, "module")
	p.Text(" : ")
	p.FunctionalType(op.Operands(), op.Results())
}
