package fabric

import (
	"strconv"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/dialect/irdl"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

func init() {
	leaf := mlir.Asm{Parse: parseLeaf, Print: printLeaf, Normalize: irdl.Decode}
	for _, k := range arch.Kinds() {
		if k != arch.SpatialPE && k != arch.TemporalPE { // they have bodies
			mlir.RegisterAsm(k.Op(), leaf)
		}
	}
	mlir.RegisterAsm(opname.FabricMux, leaf)
	for _, name := range []string{opname.FabricSpatialPe, opname.FabricTemporalPe} {
		mlir.RegisterAsm(name, mlir.Asm{Parse: parsePE, Print: printPE, Normalize: irdl.Decode})
	}
	mlir.RegisterAsm(opname.FabricModule, mlir.Asm{Parse: parseModule, Print: printModule, Normalize: irdl.Decode})
	mlir.RegisterAsm(opname.FabricFunctionUnit, mlir.Asm{Parse: parseModule, Print: printModule, Normalize: irdl.Decode})
	mlir.RegisterAsm(opname.FabricInstance, mlir.Asm{Parse: parseInstance, Print: printInstance, Normalize: irdl.Decode})
	mlir.RegisterAsm(opname.FabricYield, mlir.Asm{Parse: parseYield, Print: printYield, Normalize: irdl.Decode})
}

// hasMemRef reports whether the operation's type list starts with a memref type.
func hasMemRef(name string) bool {
	return name == opname.FabricMemory || name == opname.FabricExtmemory
}

// parseLeaf reads
//
//	[@symbol] [`[` params `]`] [{attributes}] [(operands)] [attributes {…}] : [memref,] (types) -> types
//
// With a symbol it is a definition, else a use.
func parseLeaf(p *mlir.OpParser, st *mlir.OpState) {
	start := p.Pos()
	symbol, def := p.ParseOptionalSymbolName()
	if def {
		st.Set("sym_name", ir.StrAttr(symbol))
	}
	parseParams(p, st)
	p.ParseOptionalAttrDict(st)
	var us []mlir.UnresolvedOperand
	at := p.Pos()
	if p.PeekPunct("(") {
		us = p.ParseOperandsIn("(", ")")
	}
	p.ParseOptionalAttrDictWithKeyword(st)
	p.ParsePunct(":")
	finishPorts(p, st, def, us, start, at)
}

// finishPorts reads "[memref,] (types) -> types" and makes a definition or
// resolves the operands of a use.
func finishPorts(p *mlir.OpParser, st *mlir.OpState, def bool, us []mlir.UnresolvedOperand, start, at diag.Pos) {
	var mem ir.Type
	if hasMemRef(st.Name) {
		pos := p.Pos()
		mem = p.ParseType()
		if !isMemRef(mem) {
			p.Fail(pos, "expected the memref type of '%s', found %s", st.Name, mem)
		}
		st.Set(arch.AttrMemRef, &ir.TypeAttr{Type: mem})
		p.ParseComma()
	}
	ft := p.ParseFunctionType()
	if def {
		if len(us) > 0 {
			p.Fail(at, "a definition has no operands")
		}
		st.Set(arch.AttrFuncType, &ir.TypeAttr{Type: ft})
		return
	}
	if st.NumResultNames == 0 && len(us) == 0 {
		p.Errorf(start, "'%s' needs a symbol name (a definition) or operands (a use)", st.Name)
	}
	types := ft.Inputs
	if st.Name == opname.FabricExtmemory && len(us) == len(types)+1 {
		types = append([]ir.Type{mem}, types...)
	}
	p.ResolveOperands(st, us, types, at)
	st.Types = append(st.Types, ft.Results...)
}

// parseParams reads the hardware parameters in brackets.
func parseParams(p *mlir.OpParser, st *mlir.OpState) {
	if !p.ParseOptionalPunct("[") {
		return
	}
	known := params[st.Name]
	for !p.PeekPunct("]") {
		pos := p.Pos()
		key := p.ParseAnyKeyword("the name of a hardware parameter")
		i := 0
		for i < len(known) && known[i].name != key {
			i++
		}
		if i == len(known) {
			d := p.Errorf(pos, "'%s' has no hardware parameter '%s'", st.Name, key)
			if len(known) > 0 {
				list := ""
				for _, k := range known {
					list += " " + k.name
				}
				d.WithHelp("its parameters are%s", list)
			}
			p.Fail(pos, "cannot go on with '%s'", st.Name)
		}
		if st.Attrs.Get(key) != nil {
			p.Fail(pos, "hardware parameter '%s' is given twice", key)
		}
		switch {
		case known[i].kind == boolParam && !p.PeekPunct("="):
			st.Set(key, ir.BoolAttr(true))
		default:
			p.ParsePunct("=")
			st.Set(key, parseParam(p, known[i].kind))
		}
		if !p.ParseOptionalComma() {
			break
		}
	}
	p.ParsePunct("]")
}

func parseParam(p *mlir.OpParser, kind paramKind) ir.Attr {
	switch kind {
	case intParam:
		return ir.IntAttr(p.ParseInteger(), ir.I64)
	case boolParam:
		return ir.BoolAttr(p.ParseOneOf("true or false", "false", "true") == 1)
	}
	a := &ir.DenseArrayAttr{Elem: ir.I1}
	if kind == listParam {
		a.Elem = ir.I64
	}
	p.ParsePunct("[")
	for !p.PeekPunct("]") {
		v := p.ParseInteger()
		if v != 0 && v != 1 {
			// Kept for the verifier, which has a symbol for this.
			a.Elem = ir.I64
		}
		a.Values = append(a.Values, v)
		if !p.ParseOptionalComma() {
			break
		}
	}
	p.ParsePunct("]")
	return a
}

// printParams writes the parameters that are present, and returns the names of
// the attributes that need not be in the dictionary.
func printParams(p *mlir.OpPrinter, op *ir.Operation) (printed []string) {
	printed = []string{"sym_name", arch.AttrFuncType, arch.AttrMemRef}
	sep := " ["
	for _, k := range params[op.Name] {
		a := op.Attr(k.name)
		if a == nil {
			continue
		}
		printed = append(printed, k.name)
		p.Text(sep + k.name + " = ")
		sep = ", "
		switch k.kind {
		case intParam:
			n, _ := op.IntAttr(k.name)
			p.Text(strconv.FormatInt(n, 10))
		case boolParam:
			p.Text(strconv.FormatBool(arch.BoolParam(op, k.name, false)))
		case listParam:
			list, _ := arch.BitList(op, k.name)
			p.Text("[")
			for i, v := range list {
				if i > 0 {
					p.Text(", ")
				}
				p.Text(strconv.FormatInt(v, 10))
			}
			p.Text("]")
		default:
			printBits(p, op, k.name)
		}
	}
	if sep == ", " {
		p.Text("]")
	}
	return printed
}

// printBits writes a connectivity table, one line per output.
func printBits(p *mlir.OpPrinter, op *ir.Operation, name string) {
	flat, _ := arch.BitList(op, name)
	perRow := max(len(arch.Signature(op).Inputs), 1)
	p.Text("[")
	p.Indented(func() {
		for i, v := range flat {
			if i > 0 {
				p.Text(",")
			}
			if i%perRow == 0 && len(flat) > perRow {
				p.Newline()
			} else if i > 0 {
				p.Text(" ")
			}
			p.Text(strconv.FormatInt(v, 10))
		}
	})
	p.Text("]")
}

func printSymbol(p *mlir.OpPrinter, op *ir.Operation) {
	if arch.IsDefinition(op) {
		p.Text(" ")
		p.Symbol(op.SymName())
	}
}

func printOperands(p *mlir.OpPrinter, op *ir.Operation) {
	if arch.IsDefinition(op) {
		return
	}
	p.Text(" (")
	p.Operands(op.Operands())
	p.Text(")")
}

func printPorts(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" : ")
	if mt := arch.MemRefType(op); hasMemRef(op.Name) && mt != nil {
		p.Type(mt)
		p.Text(", ")
	}
	ft := arch.Signature(op)
	p.Text("(")
	p.Types(ft.Inputs)
	p.Text(") -> ")
	p.ResultTypes(ft.Results)
}

func printLeaf(p *mlir.OpPrinter, op *ir.Operation) {
	printSymbol(p, op)
	printed := printParams(p, op)
	p.AttrDict(op.Attrs, printed...)
	printOperands(p, op)
	printPorts(p, op)
}

// parsePE reads
//
//	[@symbol] [`[` params `]`] [(operands)] : (types) -> types [attributes {…}] { units }
func parsePE(p *mlir.OpParser, st *mlir.OpState) {
	start := p.Pos()
	symbol, def := p.ParseOptionalSymbolName()
	if def {
		st.Set("sym_name", ir.StrAttr(symbol))
	}
	parseParams(p, st)
	var us []mlir.UnresolvedOperand
	at := p.Pos()
	if p.PeekPunct("(") {
		us = p.ParseOperandsIn("(", ")")
	}
	p.ParsePunct(":")
	finishPorts(p, st, def, us, start, at)
	p.ParseOptionalAttrDictWithKeyword(st)
	p.ParseRegion(st, mlir.RegionOptions{Entry: true, Terminator: opname.FabricYield})
}

func printPE(p *mlir.OpPrinter, op *ir.Operation) {
	printSymbol(p, op)
	printed := printParams(p, op)
	printOperands(p, op)
	printPorts(p, op)
	p.AttrDictWithKeyword(op.Attrs, printed...)
	p.Text(" ")
	p.Region(op.Regions[0], mlir.PrintRegionOptions{Entry: true, ElideTerminator: opname.FabricYield})
}

// parseModule reads a fabric.module or a fabric.function_unit:
//
//	@symbol(%a: type, …) -> (types) [`[` params `]`] [attributes {…}] { body }
func parseModule(p *mlir.OpParser, st *mlir.OpState) {
	st.Set("sym_name", ir.StrAttr(p.ParseSymbolName()))
	args := p.ParseArgumentList(true, false)
	outs := p.ParseOptionalArrowTypes()
	parseParams(p, st)
	p.ParseOptionalAttrDictWithKeyword(st)
	var ins []ir.Type
	for _, a := range args {
		ins = append(ins, a.Type)
	}
	st.Set(arch.AttrFuncType, &ir.TypeAttr{Type: ir.Func(ins, outs)})
	p.ParseRegion(st, mlir.RegionOptions{Args: args, Entry: true, Terminator: opname.FabricYield})
}

func printModule(p *mlir.OpPrinter, op *ir.Operation) {
	printSymbol(p, op)
	p.Text("(")
	p.Arguments(op.Regions[0].Entry().Args)
	p.Text(")")
	if outs := arch.Signature(op).Results; len(outs) > 0 {
		p.Text(" -> ")
		p.ResultTypes(outs)
	}
	printed := printParams(p, op)
	p.AttrDictWithKeyword(op.Attrs, printed...)
	p.Text(" ")
	p.Region(op.Regions[0], mlir.PrintRegionOptions{Entry: true})
}

// parseInstance reads "@target[(operands)] [{attributes}] [: (types) -> types]".
func parseInstance(p *mlir.OpParser, st *mlir.OpState) {
	st.Set(arch.AttrTarget, p.ParseSymbolRef())
	var us []mlir.UnresolvedOperand
	at := p.Pos()
	if p.PeekPunct("(") {
		us = p.ParseOperandsIn("(", ")")
	}
	p.ParseOptionalAttrDict(st)
	if p.ParseOptionalPunct(":") {
		ft := p.ParseFunctionType()
		p.ResolveOperands(st, us, ft.Inputs, at)
		st.Types = append(st.Types, ft.Results...)
		return
	}
	p.ResolveOperands(st, us, nil, at)
}

func printInstance(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Attr(op.Attr(arch.AttrTarget))
	if parent := op.ParentOp(); op.NumOperands() == 0 && op.NumResults() == 0 && parent != nil && parent.Name != opname.FabricModule {
		p.AttrDict(op.Attrs, arch.AttrTarget)
		return
	}
	p.Text("(")
	p.Operands(op.Operands())
	p.Text(")")
	p.AttrDict(op.Attrs, arch.AttrTarget)
	p.Text(" : ")
	p.FunctionalType(op.Operands(), op.Results())
}

// parseYield reads "[{attributes}] [%a, %b : types]".
func parseYield(p *mlir.OpParser, st *mlir.OpState) {
	p.ParseOptionalAttrDict(st)
	at := p.Pos()
	us := p.ParseOperandList()
	if len(us) > 0 {
		p.ResolveOperands(st, us, p.ParseColonTypeList(), at)
	}
}

func printYield(p *mlir.OpPrinter, op *ir.Operation) {
	p.AttrDict(op.Attrs)
	if op.NumOperands() > 0 {
		p.Text(" ")
		p.Operands(op.Operands())
		p.Text(" : ")
		p.ValueTypes(op.Operands())
	}
}
