package build

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// With 'access_units' every load and store port of a memory, or lane of it, has a load or store unit of its own: a PE with
// fixed ports. Address, data and control of an access then go from where they are computed to the memory, and loaded data
// straight to where they are used, instead of through a PE between, to and from which they travel as well; and no PE is
// taken by an access.

// accessUnits are the units at the ports of a memory: of its elements.
type accessUnits struct{ load, store *unit }

// accessUnits makes the units of all memories, and refuses PEs with such units: they could not reach any memory.
func (r *reader) accessUnits(a *architecture, u *unitReader) {
	if !a.accessUnits || r.errs.HasErrors() {
		return
	}
	for _, k := range a.pes {
		if k.accesses() {
			r.errs.Errorf(k.pos, "PE template '%s' has load or store units, which 'access_units' puts at the memories", k.name).
				WithHelp("remove 'load' and 'store' from its units, or 'access_units' from the topology")
		}
	}
	add := func(mnemonic string, elem ir.Type) *unit {
		known := len(u.byName)
		one := u.single(u.root, units.ByMnemonic(mnemonic), nil, elem, unitOptions{})
		if one != nil && len(u.byName) > known {
			a.units = append(a.units, one)
		}
		return one
	}
	for _, m := range a.memories {
		m.units = &accessUnits{}
		if m.loads > 0 {
			m.units.load = add("load", m.typ.Elem)
		}
		if m.stores > 0 {
			m.units.store = add("store", m.typ.Elem)
		}
	}
}

// unitName names the unit at a lane of the memory, or at its only port of that kind.
func (m *memory) unitName(g group, i int) string {
	if m.tagWidth() == 0 {
		return fmt.Sprintf("%s_%s_unit", m.name, g.lane)
	}
	return m.laneName(g, i) + "_unit"
}

// doneOwner is what gives the done tokens of a lane.
func (m *memory) doneOwner(g group, i int) string {
	if m.tagWidth() == 0 {
		return m.name
	}
	return m.laneName(g, i)
}

// unitPositions are the positions of a memory with units: a load takes an address and a control token and gives data and a
// done token; a store takes an address, data and a control token and gives a done token.
func (m *memory) unitPositions() []position {
	var out []position
	for _, g := range m.groups() {
		for i := range g.lanes {
			name := m.unitName(g, i)
			unit := func(k int, token bool) *end { return &end{owner: name, index: k, token: token, unit: true} }
			done := &end{owner: m.doneOwner(g, i), token: true}
			if g.lane == "ld" {
				out = append(out, position{unit(0, false), unit(0, false)}, position{unit(1, true), done})
			} else {
				out = append(out, position{unit(0, false), nil}, position{unit(1, false), nil}, position{unit(2, true), done})
			}
		}
	}
	return out
}

// operands of handshake.load and handshake.store, and their results.
const (
	unitAddr, unitData, unitCtrl = 0, 1, 2
	resultData, resultAddr       = 0, 1
)

// accessUnit makes the unit at a lane of a memory with the queues in front of it. What a load takes from the memory is filled
// in later.
func (e *emitter) accessUnit(mem *memory, g group, i int) *ir.Operation {
	name := mem.unitName(g, i)
	t := e.n.taps[name]
	at := e.beside(t, 1, 0)
	unit, queues := mem.units.load, []string{name + "_addr_q", name + "_ctrl_q"}
	if g.lane == "st" {
		unit, queues = mem.units.store, []string{name + "_addr_q", name + "_data_q", name + "_ctrl_q"}
	}
	operands := e.queues(name, queues, at)
	data := ir.Type(ir.Bits(width(mem.typ.Elem)))
	if g.lane == "ld" {
		operands = []*ir.Value{operands[0], nil, operands[1]}
	} else {
		data = operands[unitData].Type
	}
	ins := []ir.Type{operands[unitAddr].Type, data, operands[unitCtrl].Type}
	outs := []ir.Type{ir.Bits(width(mem.typ.Elem)), ir.Bits(e.n.a.indexWidth)}
	key := fmt.Sprint(unit.name, ins, outs)
	def := e.defs[key]
	if def == "" {
		def = "access_pe_like_" + name
		e.defs[key] = def
		pe := e.define(opname.FabricSpatialPe, def, mem.pos, ins, outs)
		pe.SetAttr(arch.AttrFixedPorts, ir.BoolAttr(true))
		immediates := &ir.DenseArrayAttr{Elem: ir.I64, Values: []int64{unitAddr}}
		if g.lane == "st" {
			immediates.Values = append(immediates.Values, unitData)
		}
		pe.SetAttr(arch.AttrImmediates, immediates)
		body := pe.AddRegion().AddBlock()
		inst := ir.NewOp(opname.FabricInstance, mem.pos, nil, nil)
		inst.SetAttr(arch.AttrTarget, ir.SymbolRef(unit.name))
		body.Append(inst)
		body.Append(ir.NewOp(opname.FabricYield, mem.pos, nil, nil))
	}
	op := e.instance(name, def, operands, outs, at, mem.pos)
	if g.lane == "ld" {
		e.swIns[t.out[0].sw][t.out[0].at] = op.Result(resultData)
	}
	return op
}

// requests are what a unit sends to the memory, in the order of the group's ports.
func (g group) requests(unit *ir.Operation) []*ir.Value {
	if g.lane == "ld" {
		return []*ir.Value{unit.Result(resultAddr)}
	}
	return []*ir.Value{unit.Result(resultAddr), unit.Result(resultData)}
}

// loaded gives a load unit the data from memory.
func loaded(unit *ir.Operation, data *ir.Value) {
	operands := append([]*ir.Value(nil), unit.Operands()...)
	operands[unitData] = data
	unit.SetOperands(operands)
}

func width(t ir.Type) int {
	w, _ := ir.BitWidth(t, arch.DefaultIndexWidth)
	return w
}
