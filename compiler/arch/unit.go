package arch

import (
	"fmt"

	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// Units are the function units of a PE, none of other components.
func (c *Component) Units() []*FunctionUnit {
	switch {
	case c.PE != nil:
		return c.PE.FUs
	case c.TPE != nil:
		return c.TPE.FUs
	}
	return nil
}

// pe reads the function units of a PE definition, once per definition.
func (f *flattener) pe(def *ir.Operation) *PESpec {
	if p := f.pes[def]; p != nil {
		return p
	}
	p := &PESpec{OperandFIFO: int(IntParam(def, AttrOperandFIFO, 0)), ResultFIFO: int(IntParam(def, AttrResultFIFO, 0)),
		FixedPorts: BoolParam(def, AttrFixedPorts, false)}
	if list, ok := BitList(def, AttrImmediates); ok {
		p.Immediates = []int{}
		for _, k := range list {
			p.Immediates = append(p.Immediates, int(k))
		}
	}
	var names Namer
	for _, op := range def.Regions[0].Entry().Ops {
		unit, want := op, op.SymName()
		switch op.Name {
		case opname.FabricInstance:
			// An instance in a PE stands for one more unit of that definition.
			unit = f.syms.Target(op)
			want = op.StrAttr(AttrInstanceName)
			if want == "" {
				want = Target(op)
			}
		case opname.FabricFunctionUnit:
			if !f.isUnit(def, op) {
				continue
			}
		default:
			continue
		}
		p.FUs = append(p.FUs, f.functionUnit(unit, names.Unique(want)))
	}
	f.pes[def] = p
	return p
}

// isUnit reports whether a function_unit in a PE is itself one of its units: it is
// unless it only serves as the target of instances there.
func (f *flattener) isUnit(pe, unit *ir.Operation) bool {
	for _, op := range pe.Regions[0].Entry().Ops {
		if op.Name == opname.FabricInstance && f.syms.Target(op) == unit {
			return false
		}
	}
	return true
}

func (f *flattener) functionUnit(def *ir.Operation, name string) *FunctionUnit {
	body := def.Regions[0].Entry()
	fu := &FunctionUnit{
		Name: name, Pos: def.Pos,
		Latency: int(IntParam(def, AttrLatency, 0)), Interval: int(IntParam(def, AttrInterval, 1)),
	}
	argNames, resNames := Names(def, AttrArgNames), Names(def, AttrResNames)
	refs := bodyRefs(body)
	var ports Namer
	for i, a := range body.Args {
		want := pick(argNames, i, a.Name, fmt.Sprintf("in%d", i))
		fu.In = append(fu.In, FUPort{Name: ports.Unique(want), Type: a.Type, Width: f.width(a.Type)})
	}
	field := 0
	for _, op := range body.Ops {
		var operands []ValueRef
		for _, v := range op.Operands() {
			operands = append(operands, refs[v])
		}
		if op.Name == opname.FabricYield {
			fu.Yield = operands
			break
		}
		fo := &FUOp{Op: op, Operands: operands, Field: -1}
		fu.Ops = append(fu.Ops, fo)
		if u, _ := units.Lookup(op.Name); u.Field.Name != "" {
			fo.Field = field
			field++
		}
	}
	for i, t := range Signature(def).Results {
		fu.Out = append(fu.Out, FUPort{Name: ports.Unique(pick(resNames, i, "", fmt.Sprintf("out%d", i))), Type: t, Width: f.width(t)})
	}
	f.unitSupported(fu, body)
	return fu
}

// unitSupported reports bodies that hardware generation does not cover yet:
// operations the library lacks, protocols combined in one body, a divider that
// promises more throughput than the iterative one has.
func (f *flattener) unitSupported(fu *FunctionUnit, body *ir.Block) {
	whole := fu.Fused() != nil
	for _, op := range fu.Ops {
		u := fu.Row(op)
		usual := CriticalInterval(body, fu.Interval, f.out.IndexWidth)
		switch {
		case !u.Hardware():
			f.unsupported(op.Op.Pos, fmt.Sprintf("'%s' in function unit '%s'", op.Op.Name, fu.Name))
		case u.Inside && len(fu.Ops) > 1 && !whole:
			f.unsupported(op.Op.Pos, fmt.Sprintf("'%s', which has its registers inside, together with other operations in function unit '%s'", op.Op.Name, fu.Name))
		case u.Class != units.Datapath && len(fu.Ops) > 1 && !whole:
			f.unsupported(op.Op.Pos, fmt.Sprintf("'%s' together with other operations in function unit '%s'", op.Op.Name, fu.Name))
		case u.Class == units.Iterative && fu.Interval < usual && u.Piped != nil:
			f.unsupported(fu.Pos, fmt.Sprintf("an interval of %d in function unit '%s' (1 is that of the pipelined '%s', %d and more of the iterative one)",
				fu.Interval, fu.Name, op.Op.Name, usual))
		case u.Class == units.Iterative && fu.Interval < usual:
			f.unsupported(fu.Pos, fmt.Sprintf("a pipelined '%s' (function unit '%s' requests interval %d, the iterative one has %d)",
				op.Op.Name, fu.Name, fu.Interval, usual))
		}
	}
}
