package handshake

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

func init() {
	for _, o := range []struct{ name, summary string }{
		{opname.HandshakeLoad, "Sends an address to memory when control and address are there, and passes the data on."},
		{opname.HandshakeStore, "Sends data and address to memory when both and control are there."},
	} {
		opkit.Define(&ir.OpDef{
			Name: o.name, Summary: o.summary,
			Verify: opkit.Seq(opkit.Shape(opkit.Any, opkit.Any, 0), verifyAccess),
		}, mlir.Asm{Parse: parseAccess, Print: printAccess})
	}
	opkit.Define(&ir.OpDef{
		Name:    opname.HandshakeMemory,
		Summary: "On-chip memory. Operands: per store data and address, then load addresses. Results: load data, store dones, load dones. The attribute loom.init holds its contents at the start of a run.",
		Verify:  opkit.Seq(opkit.Shape(opkit.Any, opkit.Any, 0), verifyMemory),
	}, mlir.Asm{Parse: parseMemory, Print: printMemory})
	opkit.Define(&ir.OpDef{
		Name:    opname.HandshakeExtmemory,
		Summary: "Access to a memref argument, its first operand; the ports are those of handshake.memory.",
		Verify:  opkit.Seq(opkit.Shape(opkit.Any, opkit.Any, 0), verifyExtMemory),
	}, mlir.Asm{Parse: parseExtMemory, Print: printExtMemory})
}

func verifyAccess(op *ir.Operation, errs *diag.List) {
	n := op.NumOperands() - 2
	if n < 1 || op.NumResults() != n+1 {
		opkit.Errorf(op, errs, "has %s and %s, expected addresses, data and control, and as results data and addresses",
			opkit.Plural(op.NumOperands(), "operand"), opkit.Plural(op.NumResults(), "result"))
		return
	}
	for i := range n {
		t := op.Operand(i).Type
		if !opkit.IsSignlessOrIndex(t) {
			opkit.Errorf(op, errs, "address #%d has type %s, expected a signless integer or index", i, t)
		}
		opkit.Exactly(op, errs, "the address result", op.Result(i+1).Type, t)
	}
	opkit.Exactly(op, errs, "the data result", op.Result(0).Type, op.Operand(n).Type)
	opkit.Exactly(op, errs, "the control operand", op.Operand(n+1).Type, ir.None)
}

// parseAccess reads "[%addr] %data, %ctrl : index, T".
func parseAccess(p *mlir.OpParser, st *mlir.OpState) {
	addresses := p.ParseOperandsIn("[", "]")
	rest := opkit.ParseFixed(p, 2)
	p.ParseOptionalAttrDict(st)
	pos := p.Pos()
	types := p.ParseColonTypeList()
	if len(types) != len(addresses)+1 {
		p.Fail(pos, "'%s' has %s but %s, expected one per address and one for the data", st.Name,
			opkit.Plural(len(addresses), "address operand"), opkit.Plural(len(types), "type"))
	}
	last := len(types) - 1
	p.ResolveOperands(st, addresses, types[:last], pos)
	p.ResolveAll(st, types[last], rest[0])
	p.ResolveAll(st, ir.None, rest[1])
	st.Types = append([]ir.Type{types[last]}, types[:last]...)
}

func printAccess(p *mlir.OpPrinter, op *ir.Operation) {
	n := op.NumOperands() - 2
	p.Text(" [")
	p.Operands(op.Operands()[:n])
	p.Text("] ")
	p.Operands(op.Operands()[n:])
	p.AttrDict(op.Attrs)
	p.Text(" : ")
	p.ValueTypes(op.Operands()[:n+1])
}

// Ports describes the ports of handshake.memory and handshake.extmemory: the
// positions of each family among the operands and results.
type Ports struct {
	Loads, Stores int
	// First is the position of the first port operand: 1 for extmemory.
	First int
}

// PortsOf reads the port counts of a memory operation.
func PortsOf(op *ir.Operation) Ports {
	ld, _ := op.IntAttr("ldCount")
	st, _ := op.IntAttr("stCount")
	p := Ports{Loads: int(ld), Stores: int(st)}
	if op.Name == opname.HandshakeExtmemory {
		p.First = 1
	}
	return p
}

// StoreData is the operand with the data of store i.
func (p Ports) StoreData(i int) int { return p.First + 2*i }

// StoreAddr is the operand with the address of store i.
func (p Ports) StoreAddr(i int) int { return p.First + 2*i + 1 }

// LoadAddr is the operand with the address of load i.
func (p Ports) LoadAddr(i int) int { return p.First + 2*p.Stores + i }

// LoadData is the result with the data of load i.
func (p Ports) LoadData(i int) int { return i }

// StoreDone is the result with the done token of store i.
func (p Ports) StoreDone(i int) int { return p.Loads + i }

// LoadDone is the result with the done token of load i.
func (p Ports) LoadDone(i int) int { return p.Loads + p.Stores + i }

// maxPorts bounds the port counts so that sums never overflow.
const maxPorts = 1 << 16

// verifyPorts checks counts and types of all ports against the memref.
func verifyPorts(op *ir.Operation, errs *diag.List, m *ir.MemRefType) {
	for _, name := range []string{"ldCount", "stCount"} {
		a, ok := opkit.Attr[*ir.IntegerAttr](op, errs, name, "an i32")
		if !ok {
			return
		}
		if a.Value < 0 || a.Value > maxPorts {
			opkit.Errorf(op, errs, "attribute '%s' is %d, expected 0 to %d", name, a.Value, maxPorts)
			return
		}
	}
	opkit.Attr[*ir.IntegerAttr](op, errs, "id", "an i32")
	p := PortsOf(op)
	if p.Loads+p.Stores == 0 {
		opkit.Errorf(op, errs, "has no ports")
		return
	}
	if want := p.First + 2*p.Stores + p.Loads; op.NumOperands() != want {
		opkit.Errorf(op, errs, "has %s, expected %d for %s and %s", opkit.Plural(op.NumOperands(), "operand"), want,
			opkit.Plural(p.Loads, "load"), opkit.Plural(p.Stores, "store"))
		return
	}
	if want := 2*p.Loads + p.Stores; op.NumResults() != want {
		opkit.Errorf(op, errs, "has %s, expected %d for %s and %s", opkit.Plural(op.NumResults(), "result"), want,
			opkit.Plural(p.Loads, "load"), opkit.Plural(p.Stores, "store"))
		return
	}
	address := func(i int) {
		if t := op.Operand(i).Type; !opkit.IsSignlessOrIndex(t) {
			opkit.Errorf(op, errs, "operand #%d is an address of type %s, expected a signless integer or index", i, t)
		}
	}
	for i := range p.Stores {
		if t := op.Operand(p.StoreData(i)).Type; t != m.Elem {
			opkit.Errorf(op, errs, "operand #%d is the data of store %d and has type %s, expected %s", p.StoreData(i), i, t, m.Elem)
		}
		address(p.StoreAddr(i))
		opkit.Exactly(op, errs, "the done token of a store", op.Result(p.StoreDone(i)).Type, ir.None)
	}
	for i := range p.Loads {
		address(p.LoadAddr(i))
		opkit.Exactly(op, errs, "the data of a load", op.Result(p.LoadData(i)).Type, m.Elem)
		opkit.Exactly(op, errs, "the done token of a load", op.Result(p.LoadDone(i)).Type, ir.None)
	}
}

func verifyMemory(op *ir.Operation, errs *diag.List) {
	a, ok := opkit.Attr[*ir.TypeAttr](op, errs, "memRefType", "a memref type")
	if !ok {
		return
	}
	m, ok := a.Type.(*ir.MemRefType)
	if !ok {
		opkit.Errorf(op, errs, "attribute 'memRefType' is %s, expected a memref type", a)
		return
	}
	if _, static := m.NumElements(); !static || len(m.Shape) != 1 {
		opkit.Errorf(op, errs, "has type %s, expected one static dimension", m)
	}
	if lsq, ok := opkit.Attr[*ir.IntegerAttr](op, errs, "lsq", "a boolean"); ok && lsq.Type != ir.Type(ir.I1) {
		opkit.Errorf(op, errs, "attribute 'lsq' is %s, expected a boolean", lsq)
	}
	if _, err := Init(op); err != nil {
		opkit.Errorf(op, errs, "%v", err)
	}
	verifyPorts(op, errs, m)
}

func verifyExtMemory(op *ir.Operation, errs *diag.List) {
	if op.NumOperands() == 0 {
		opkit.Errorf(op, errs, "needs a memref")
		return
	}
	m, ok := op.Operand(0).Type.(*ir.MemRefType)
	if !ok {
		opkit.Errorf(op, errs, "the first operand has type %s, expected a memref", op.Operand(0).Type)
		return
	}
	if v := op.Operand(0); v.Def != nil {
		opkit.Errorf(op, errs, "the memref must be an argument of the function")
	}
	if _, err := Init(op); err != nil {
		opkit.Errorf(op, errs, "%v", err)
	}
	verifyPorts(op, errs, m)
}

// parseCounts reads "[ld = 1, st = 0]".
func parseCounts(p *mlir.OpParser, st *mlir.OpState) {
	p.ParsePunct("[")
	p.ParseKeyword("ld")
	p.ParsePunct("=")
	st.Set("ldCount", ir.IntAttr(parsePortCount(p), ir.I32))
	p.ParseComma()
	p.ParseKeyword("st")
	p.ParsePunct("=")
	st.Set("stCount", ir.IntAttr(parsePortCount(p), ir.I32))
	p.ParsePunct("]")
}

func parsePortCount(p *mlir.OpParser) int64 {
	pos := p.Pos()
	n := p.ParseInteger()
	if n < 0 || n > maxPorts {
		p.Fail(pos, "%d ports are out of range, expected 0 to %d", n, maxPorts)
	}
	return n
}

// parsePorts reads ": (T, …) -> (U, …)" for the operands us.
func parsePorts(p *mlir.OpParser, st *mlir.OpState, us []mlir.UnresolvedOperand) {
	pos := p.Pos()
	ft := p.ParseFunctionType()
	p.ResolveOperands(st, us, ft.Inputs, pos)
	st.Types = ft.Results
}

// parseMemory reads "[ld = 1, st = 1] (%d, %a, %b) {attrs} : memref type,
// (…) -> (…)".
func parseMemory(p *mlir.OpParser, st *mlir.OpState) {
	parseCounts(p, st)
	us := p.ParseOperandsIn("(", ")")
	p.ParseOptionalAttrDict(st)
	st.Set("memRefType", &ir.TypeAttr{Type: p.ParseColonType()})
	p.ParseComma()
	parsePorts(p, st, us)
}

// parseExtMemory reads "[ld = 1, st = 0] (%m : memref type) (%a) {attrs} :
// (…) -> (…)".
func parseExtMemory(p *mlir.OpParser, st *mlir.OpState) {
	parseCounts(p, st)
	p.ParsePunct("(")
	m := p.ParseOperand()
	p.ResolveAll(st, p.ParseColonType(), m)
	p.ParsePunct(")")
	us := p.ParseOperandsIn("(", ")")
	p.ParseOptionalAttrDict(st)
	p.ParsePunct(":")
	parsePorts(p, st, us)
}

func printMemory(p *mlir.OpPrinter, op *ir.Operation) {
	ports := PortsOf(op)
	p.Printf("[ld = %d, st = %d] (", ports.Loads, ports.Stores)
	p.Operands(op.Operands())
	p.Text(")")
	p.AttrDict(op.Attrs, "ldCount", "stCount", "memRefType")
	p.Text(" : ")
	p.Attr(op.Attr("memRefType"))
	p.Text(", ")
	p.FunctionalType(op.Operands(), op.Results())
}

func printExtMemory(p *mlir.OpPrinter, op *ir.Operation) {
	ports := PortsOf(op)
	p.Printf("[ld = %d, st = %d] (", ports.Loads, ports.Stores)
	p.Operand(op.Operand(0))
	p.Text(" : ")
	p.Type(op.Operand(0).Type)
	p.Text(") (")
	p.Operands(op.Operands()[1:])
	p.Text(")")
	p.AttrDict(op.Attrs, "ldCount", "stCount")
	p.Text(" : ")
	p.FunctionalType(op.Operands()[1:], op.Results())
}
