package fabric

import (
	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// portClass orders module ports: memrefs, then untagged, then tagged channels.
func portClass(t ir.Type) (class int, ok bool) {
	switch t := t.(type) {
	case *ir.MemRefType:
		return 0, true
	case *ir.BitsType:
		return 1, t.Width >= 1 && t.Width <= 4096
	case *ir.TaggedType:
		_, bits := t.Value.(*ir.BitsType)
		return 2, bits
	}
	return 0, false
}

func verifyPorts(op *ir.Operation, ts []ir.Type, what string, errs *diag.List) {
	last := 0
	for i, t := range ts {
		class, ok := portClass(t)
		if !ok {
			fail(errs, op.Pos, "CPL_MODULE_PORT_TYPE", "%s %d of the module has type %s", what, i, t).
				WithHelp("module ports are memrefs, !fabric.bits<N> and !fabric.tagged<!fabric.bits<N>, iK>")
			return
		}
		if class < last {
			fail(errs, op.Pos, "CPL_MODULE_PORT_ORDER", "%s %d of the module (%s) must stand before the ones in front of it", what, i, t).
				WithHelp("the order is memrefs, untagged channels, tagged channels")
			return
		}
		last = class
	}
}

func verifyModule(op *ir.Operation, errs *diag.List) {
	if !verifyParams(op, errs) {
		return
	}
	if !arch.IsDefinition(op) {
		fail(errs, op.Pos, "CPL_FABRIC_DEFINITION", "a fabric.module needs a symbol name and '%s'", arch.AttrFuncType)
		return
	}
	b := entry(op, errs)
	if b == nil {
		return
	}
	ft := arch.Signature(op)
	if w := arch.IntParam(op, arch.AttrIndexWidth, arch.DefaultIndexWidth); w < 32 || w > 64 {
		fail(errs, op.Pos, "CPL_MODULE_INDEX_WIDTH", "index_width is %d, must be 32 to 64", w)
	}
	if n := arch.IntParam(op, arch.AttrDeadlock, arch.DefaultDeadlockTimeout); n < 1 || n > arch.MaxDeadlockTimeout {
		fail(errs, op.Pos, "CPL_MODULE_DEADLOCK_TIMEOUT", "deadlock_timeout is %d cycles, must be 1 to %d", n, arch.MaxDeadlockTimeout)
	}
	verifyPorts(op, ft.Inputs, "input", errs)
	verifyPorts(op, ft.Results, "output", errs)
	if len(b.Args) != len(ft.Inputs) {
		fail(errs, op.Pos, "CPL_FABRIC_BODY", "the body has %d arguments, the module %d inputs", len(b.Args), len(ft.Inputs))
		return
	}
	for i, a := range b.Args {
		if a.Type != ft.Inputs[i] {
			fail(errs, op.Pos, "CPL_FABRIC_BODY", "argument %d of the body has type %s, the input %s", i, a.Type, ft.Inputs[i])
		}
	}
	for _, name := range []struct {
		attr string
		n    int
	}{{arch.AttrArgNames, len(ft.Inputs)}, {arch.AttrResNames, len(ft.Results)}} {
		if op.Attr(name.attr) != nil && len(arch.Names(op, name.attr)) != name.n {
			fail(errs, op.Pos, "CPL_FABRIC_ATTRIBUTE", "'%s' must name the %d ports", name.attr, name.n)
		}
	}
	verifyModuleYield(b.Terminator(), ft.Results, errs)
	names := map[string]*ir.Operation{}
	var syms arch.Symbols
	for _, o := range b.Ops {
		if !isHardware(o.Name) && o.Name != opname.FabricInstance && o.Name != opname.FabricYield && o.Name != opname.FabricFunctionUnit {
			if o.Def() != nil { // unknown operations have been reported as such
				fail(errs, o.Pos, "CPL_MODULE_BODY", "'%s' cannot stand in a fabric.module", o.Name)
			}
			continue
		}
		if o.Name == opname.FabricInstance {
			checkInstance(o, &syms, errs)
		}
		if n := o.StrAttr(arch.AttrInstanceName); n != "" {
			if first := names[n]; first != nil {
				fail(errs, o.Pos, "CPL_INSTANCE_NAME", "there are two instances called '%s'", n).WithNote(first.Pos, "first used here")
			}
			names[n] = o
		}
	}
	verifyFanout(b, errs)
	verifyBridges(b, &syms, errs)
	verifyJoinLimit(op, &syms, errs)
}

// verifyFanout checks that every value is used at most once: one stream reaches
// several inputs only through a switch.
func verifyFanout(b *ir.Block, errs *diag.List) {
	users := map[*ir.Value]*ir.Operation{}
	for _, o := range b.Ops {
		for _, v := range o.Operands() {
			if v == nil {
				continue
			}
			first := users[v]
			if first == nil {
				users[v] = o
				continue
			}
			fail(errs, o.Pos, "CPL_MODULE_FANOUT", "this value is used twice; an output drives exactly one input").
				WithNote(v.Pos(), "the value comes from here").WithNote(first.Pos, "first used here").
				WithHelp("only a switch can send one stream to several inputs")
		}
	}
}

// verifyJoinLimit compares loom.adg_max_join_fanin with the joins the module
// offers.
func verifyJoinLimit(op *ir.Operation, syms *arch.Symbols, errs *diag.List) {
	limit, ok := op.IntAttr(arch.AttrJoinFanin)
	if !ok {
		return
	}
	widest := 0
	seen := map[*ir.Operation]bool{}
	var visit func(o *ir.Operation)
	visit = func(o *ir.Operation) {
		if seen[o] {
			return
		}
		seen[o] = true
		o.Walk(func(x *ir.Operation) bool {
			switch x.Name {
			case opname.HandshakeJoin:
				widest = max(widest, x.NumOperands())
			case opname.FabricInstance:
				if t := syms.Target(x); t != nil {
					visit(t)
				}
			}
			return true
		})
	}
	visit(op)
	if limit < 0 || limit > int64(widest) {
		fail(errs, op.Pos, "CPL_MODULE_JOIN_FANIN", "%s is %d, the widest join of the fabric has %d inputs", arch.AttrJoinFanin, limit, widest)
	}
}

// memoryOf returns the fabric.memory or fabric.extmemory that an inline use or
// an instance stands for, nil for anything else.
func memoryOf(op *ir.Operation) *ir.Operation {
	if op == nil {
		return nil
	}
	if op.Name == opname.FabricInstance {
		op = ir.LookupSymbol(op, arch.Target(op))
	}
	if op != nil && (op.Name == opname.FabricMemory || op.Name == opname.FabricExtmemory) {
		return op
	}
	return nil
}

func verifyModuleYield(y *ir.Operation, results []ir.Type, errs *diag.List) {
	if y.NumOperands() != len(results) {
		fail(errs, y.Pos, "CPL_MODULE_YIELD", "the module has %d outputs, fabric.yield gives %d values", len(results), y.NumOperands())
		return
	}
	for i, v := range y.Operands() {
		if v == nil {
			continue
		}
		mt, isMem := results[i].(*ir.MemRefType)
		if isMem || isMemRef(v.Type) {
			if v.Type != ir.Type(mt) {
				fail(errs, y.Pos, "CPL_MODULE_YIELD", "output %d has type %s, the value %s", i, results[i], v.Type)
				continue
			}
			m := memoryOf(v.Def)
			nested := v.Def != nil && m == nil && v.Def.Name == opname.FabricInstance
			if !nested && (m == nil || m.Name != opname.FabricMemory || arch.BoolParam(m, arch.AttrPrivate, true)) {
				fail(errs, y.Pos, "CPL_MEMORY_PRIVATE_OUTPUT", "output %d yields a memref that does not come from a fabric.memory with is_private = false", i)
			}
			continue
		}
		if !arch.Connectable(v.Type, results[i]) {
			fail(errs, y.Pos, "CPL_MODULE_YIELD", "a value of type %s cannot drive output %d of type %s", v.Type, i, results[i])
		}
	}
}

func isMemRef(t ir.Type) bool { _, ok := t.(*ir.MemRefType); return ok }

func verifyYield(op *ir.Operation, errs *diag.List) {
	p := op.ParentOp()
	if p == nil {
		return
	}
	switch p.Name {
	case opname.FabricModule, opname.FabricFunctionUnit: // they check it with their results
	case opname.FabricSpatialPe, opname.FabricTemporalPe:
		if op.NumOperands() > 0 {
			fail(errs, op.Pos, "CPL_SPATIAL_PE_BODY", "the fabric.yield of a PE has no operands: its ports are chosen by configuration")
		}
	default:
		fail(errs, op.Pos, "CPL_FABRIC_PLACE", "fabric.yield cannot end '%s'", p.Name)
	}
}

// verifyInstance checks the instances that stand in a PE, and those that stand
// where they must not. A module checks its own: it reads each symbol table once.
func verifyInstance(op *ir.Operation, errs *diag.List) {
	if p := op.ParentOp(); p == nil || p.Name != opname.FabricModule {
		checkInstance(op, &arch.Symbols{}, errs)
	}
}

func checkInstance(op *ir.Operation, syms *arch.Symbols, errs *diag.List) {
	if !verifyParams(op, errs) {
		return
	}
	name := arch.Target(op)
	if name == "" {
		fail(errs, op.Pos, "CPL_INSTANCE_TARGET", "a fabric.instance must name its target by '%s'", arch.AttrTarget)
		return
	}
	def := syms.Target(op)
	if def == nil {
		fail(errs, op.Pos, "CPL_INSTANCE_TARGET", "there is no definition %s", ir.SymbolText(name))
		return
	}
	parent := op.ParentOp()
	inPE := parent != nil && (parent.Name == opname.FabricSpatialPe || parent.Name == opname.FabricTemporalPe)
	switch {
	case inPE && def.Name != opname.FabricFunctionUnit:
		fail(errs, op.Pos, "CPL_INSTANCE_KIND", "an instance in a PE must name a fabric.function_unit, %s is a '%s'", ir.SymbolText(name), def.Name).
			WithNote(def.Pos, "defined here")
		return
	case inPE:
		if op.NumOperands() > 0 || op.NumResults() > 0 {
			fail(errs, op.Pos, "CPL_INSTANCE_IN_PE", "an instance in a PE has neither operands nor results")
		}
		return
	case parent == nil || parent.Name != opname.FabricModule:
		fail(errs, op.Pos, "CPL_FABRIC_PLACE", "a fabric.instance must stand in a fabric.module or a PE")
		return
	case !isHardware(def.Name):
		d := fail(errs, op.Pos, "CPL_INSTANCE_KIND", "%s is a '%s', which cannot be instantiated in a module", ir.SymbolText(name), def.Name).
			WithNote(def.Pos, "defined here")
		if def.Name == opname.FabricFunctionUnit {
			d.WithHelp("function units stand in PEs")
		}
		return
	}
	if def.Name == opname.FabricModule && instantiates(def, def, syms, map[*ir.Operation]bool{}) {
		fail(errs, op.Pos, "CPL_INSTANCE_RECURSION", "module %s contains itself", ir.SymbolText(name)).WithNote(def.Pos, "defined here")
		return
	}
	verifyInstancePorts(op, def, errs)
}

// instantiates reports whether module from contains an instance of module to, at
// any depth.
func instantiates(from, to *ir.Operation, syms *arch.Symbols, seen map[*ir.Operation]bool) bool {
	if seen[from] {
		return false
	}
	seen[from] = true
	found := false
	from.Walk(func(o *ir.Operation) bool {
		if found || o.Name != opname.FabricInstance {
			return !found
		}
		t := syms.Target(o)
		if t != nil && t.Name == opname.FabricModule {
			found = t == to || instantiates(t, to, syms, seen)
		}
		return true
	})
	return found
}

func verifyInstancePorts(op, def *ir.Operation, errs *diag.List) {
	ft := arch.InstanceSignature(def)
	if op.NumOperands() != len(ft.Inputs) || op.NumResults() != len(ft.Results) {
		fail(errs, op.Pos, "CPL_INSTANCE_PORTS", "the instance has %d operands and %d results, %s has %d inputs and %d outputs",
			op.NumOperands(), op.NumResults(), ir.SymbolText(def.SymName()), len(ft.Inputs), len(ft.Results)).WithNote(def.Pos, "defined here")
		return
	}
	for i, t := range ft.Inputs {
		have := op.Operand(i).Type
		if isMemRef(t) && have != t || !isMemRef(t) && !arch.Connectable(have, t) {
			fail(errs, op.Pos, "CPL_INSTANCE_TYPE", "operand %d has type %s, which cannot drive an input of type %s", i, have, t).WithNote(def.Pos, "defined here")
		}
	}
	for i, t := range ft.Results {
		if have := op.Result(i).Type; have != t {
			fail(errs, op.Pos, "CPL_INSTANCE_TYPE", "result %d has type %s, the output %s", i, have, t).WithNote(def.Pos, "defined here")
		}
	}
	if def.Name == opname.FabricExtmemory {
		verifyBinding(op, errs)
	}
	if def.Name == opname.FabricMemory || def.Name == opname.FabricModule {
		verifyExport(op, errs)
	}
	verifyInstanceConfig(op, def, errs)
	if hasTag(def.Name) && len(ft.Results) > 0 {
		verifyTagHint(op, def, errs)
	}
}
