// Package fabric registers the Fabric dialect: operations that describe the
// hardware of an ADG, with their verifiers and their assembly. Each rule has an
// error symbol in the table of package arch, which also models and checks the fabric
// once its instances are flattened.
//
// Source: design page "The Fabric dialect", spec-fabric-mem.md.
//
// # Assembly
//
// Hardware parameters stand in brackets, everything else (run-time configuration
// hints, instance_name, loom.loc) in braces:
//
//	fabric.fifo @link [depth = 2] : (!fabric.bits<32>) -> !fabric.bits<32>
//	%x = fabric.fifo [depth = 2] {instance_name = "x"} (%a) : (!fabric.bits<32>) -> !fabric.bits<32>
//	%y = fabric.instance @link(%x) : (!fabric.bits<32>) -> !fabric.bits<32>
//
// The first is a definition: a symbol with ports and without operands. The
// second is a use on the spot, the third a use of a definition.
package fabric

import (
	"slices"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// paramKind is the form of a hardware parameter.
type paramKind int

const (
	intParam   paramKind = iota // depth = 2
	boolParam                   // is_private = true, or only the name
	bitsParam                   // connectivity_table = [1, 0, 0, 1]
	listParam                   // immediates = [1, 2]
	tableParam                  // addr_offset_table = [[1, 0, 2, 4096]], checked where it is read
)

// param is one hardware parameter that an operation accepts in its brackets.
type param struct {
	name string
	kind paramKind
}

// params lists the hardware parameters by operation, in printing order.
var params = map[string][]param{}

// define registers an operation and the hardware parameters that it accepts. Component
// kinds are defined where they are verified.
func define(d ir.OpDef, accepts ...param) {
	ir.Register(&d)
	params[d.Name] = accepts
}

// configuration lists the run-time configuration by operation.
var configuration = map[string][]param{}

// configures states the run-time configuration that an operation accepts as a hint.
func configures(op string, accepts ...param) { configuration[op] = accepts }

// body are the traits of modules and PEs.
const body = ir.GraphRegion | ir.IsolatedFromAbove | ir.SymbolTable | ir.SingleBlock

func init() {
	define(ir.OpDef{Name: opname.FabricModule, Summary: "A fabric, or a part of one: ports and the instances between them.", Traits: body, Verify: verifyModule},
		param{arch.AttrIndexWidth, intParam}, param{arch.AttrJoinFanin, intParam}, param{arch.AttrDeadlock, intParam})
	define(ir.OpDef{Name: opname.FabricInstance, Summary: "One use of a definition; inside a PE it names a function unit.", Verify: verifyInstance})
	// That of the definition; checkInstance compares the two.
	configures(opname.FabricInstance, param{arch.AttrBypassed, boolParam}, param{arch.AttrTag, intParam}, param{arch.AttrRegions, tableParam})
	define(ir.OpDef{Name: opname.FabricFunctionUnit, Summary: "A graph of operations that fires as one.",
		// A graph: the value of an accumulator goes round. All other bodies are checked for order.
		Traits: ir.GraphRegion | ir.IsolatedFromAbove | ir.SingleBlock, Verify: verifyFunctionUnit},
		param{arch.AttrLatency, intParam}, param{arch.AttrInterval, intParam})
	define(ir.OpDef{Name: opname.FabricMux, Summary: "A configured wire inside a function unit: one of several inputs, or one of several outputs.", Verify: verifyMux})
	configures(opname.FabricMux, param{arch.AttrSelect, intParam}, param{arch.AttrDiscard, boolParam}, param{arch.AttrDisconnect, boolParam})
	define(ir.OpDef{Name: opname.FabricYield, Summary: "Ends a module, PE or function unit and names its results.", Traits: ir.Terminator, Verify: verifyYield})
}

// hardware are the operations of which a use may stand in a module, and a
// definition be instantiated there: modules and the component kinds.
var hardware = func() map[string]bool {
	m := map[string]bool{opname.FabricModule: true}
	for _, k := range arch.Kinds() {
		m[k.Op()] = true
	}
	return m
}()

func isHardware(name string) bool { return hardware[name] }

// fail adds an error with its symbol.
func fail(errs *diag.List, pos diag.Pos, symbol, format string, args ...any) *diag.Diagnostic {
	return errs.Errorf(pos, format, args...).WithSymbol(symbol)
}

// verifyParams checks the form of hardware parameters and of the attributes
// every operation of the dialect may carry, and that a definition has no
// operands and no results.
func verifyParams(op *ir.Operation, errs *diag.List) bool {
	before := len(errs.All)
	verifyNames(op, errs)
	for _, p := range append(slices.Clone(params[op.Name]), configuration[op.Name]...) {
		a := op.Attr(p.name)
		if a == nil || p.kind == tableParam {
			continue
		}
		ok := false
		switch p.kind {
		case intParam:
			_, ok = a.(*ir.IntegerAttr)
		case boolParam:
			_, unit := a.(*ir.UnitAttr)
			i, isInt := a.(*ir.IntegerAttr)
			ok = unit || isInt && i.Type == ir.Type(ir.I1)
		case bitsParam, listParam:
			_, ok = arch.BitList(op, p.name)
		}
		if !ok {
			fail(errs, op.Pos, "CPL_FABRIC_ATTRIBUTE", "'%s' of '%s' must be %s, found %s", p.name, op.Name,
				[...]string{"an integer", "true or false", "a list of 0 and 1", "a list of integers"}[p.kind], a)
		}
	}
	if a := op.Attr(arch.AttrLoc); a != nil {
		if _, _, ok := arch.Location(op); !ok {
			fail(errs, op.Pos, "CPL_FABRIC_ATTRIBUTE", "'%s' must be two numbers, found %s", arch.AttrLoc, a)
		}
	}
	for _, name := range []string{arch.AttrInstanceName, "sym_name"} {
		if a := op.Attr(name); a != nil {
			if s, ok := a.(*ir.StringAttr); !ok || s.Value == "" {
				fail(errs, op.Pos, "CPL_FABRIC_ATTRIBUTE", "'%s' must be a text that is not empty, found %s", name, a)
			}
		}
	}
	if a := op.Attr(arch.AttrFuncType); a != nil {
		t, ok := a.(*ir.TypeAttr)
		if ok {
			_, ok = t.Type.(*ir.FunctionType)
		}
		if !ok {
			fail(errs, op.Pos, "CPL_FABRIC_ATTRIBUTE", "'%s' must be a function type, found %s", arch.AttrFuncType, a)
		}
		if op.NumOperands() > 0 || op.NumResults() > 0 {
			fail(errs, op.Pos, "CPL_FABRIC_DEFINITION", "a definition of '%s' has neither operands nor results", op.Name)
		}
		if op.SymName() == "" {
			fail(errs, op.Pos, "CPL_FABRIC_DEFINITION", "a definition of '%s' needs a symbol name", op.Name)
		}
	} else if op.SymName() != "" {
		fail(errs, op.Pos, "CPL_FABRIC_DEFINITION", "'%s' has a symbol name but no '%s'", op.Name, arch.AttrFuncType)
	}
	return len(errs.All) == before
}

// verifyLeaf checks what all hardware operations share: the form of their
// attributes, and that uses on the spot stand in a fabric.module.
func verifyLeaf(op *ir.Operation, errs *diag.List) {
	verifyParams(op, errs)
	if !arch.IsDefinition(op) {
		if p := op.ParentOp(); p == nil || p.Name != opname.FabricModule {
			fail(errs, op.Pos, "CPL_FABRIC_PLACE", "a use of '%s' must stand in a fabric.module", op.Name).
				WithHelp("a definition has a symbol name and no operands")
		}
	}
}

// entry returns the only block of a one-region operation; it reports anything
// else.
func entry(op *ir.Operation, errs *diag.List) *ir.Block {
	if len(op.Regions) != 1 || len(op.Regions[0].Blocks) != 1 {
		fail(errs, op.Pos, "CPL_FABRIC_BODY", "'%s' must have one region with one block", op.Name)
		return nil
	}
	b := op.Regions[0].Entry()
	if t := b.Terminator(); t == nil || t.Name != opname.FabricYield {
		fail(errs, op.Pos, "CPL_FABRIC_BODY", "the body of '%s' must end in fabric.yield", op.Name)
		return nil
	}
	return b
}
