package build

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// emitter makes the IR of a network.
type emitter struct {
	n     *network
	top   *ir.Block         // of the builtin.module: definitions
	body  *ir.Block         // of the fabric.module: instances
	fifos map[fifo]string   // FIFO definitions
	sws   map[string]string // switch definitions by their shape
	defs  map[string]string // definitions of memories and their bridges, by what they are
	// wires holds what drives each input of a switch, by switch and port.
	swIns map[*netSwitch][]*ir.Value
	// swOps are the instances of the switches.
	swOps map[*netSwitch]*ir.Operation
}

// fifo is what distinguishes FIFOs.
type fifo struct{ depth, width int }

// emit turns the plan into a builtin.module. Instances stand in the order
// switches, links, PEs with their input FIFOs, memories with theirs, output
// FIFOs; operands that are defined later are filled in at the end.
func (n *network) emit() *ir.Operation {
	a := n.a
	module := ir.NewOp(opname.BuiltinModule, a.pos, nil, nil)
	e := &emitter{n: n, top: module.AddRegion().AddBlock(),
		fifos: map[fifo]string{}, sws: map[string]string{}, defs: map[string]string{},
		swIns: map[*netSwitch][]*ir.Value{}, swOps: map[*netSwitch]*ir.Operation{}}
	e.definitions()

	fab := ir.NewOp(opname.FabricModule, a.pos, nil, nil)
	e.body = fab.AddRegion().AddBlock()
	var ins, outs []ir.Type
	var argNames, resNames []string
	memArgs := map[string]*ir.Value{}
	for _, mem := range a.memories {
		if mem.external {
			memArgs[mem.name] = e.body.AddArg(mem.typ, "host_"+mem.name, mem.pos)
			ins, argNames = append(ins, mem.typ), append(argNames, "host_"+mem.name)
		}
	}
	inputs := map[string]*ir.Value{}
	for i := range a.inputs {
		t := a.channel(i, a.inputs)
		inputs[inputName(i)] = e.body.AddArg(t, inputName(i), a.pos)
		ins, argNames = append(ins, t), append(argNames, inputName(i))
	}

	for _, s := range n.switches {
		e.switchInstance(s)
	}
	e.links()
	e.pes()
	exported := e.memories(memArgs)
	var results []*ir.Value
	for _, v := range exported { // memrefs come first among the results
		results, outs, resNames = append(results, v), append(outs, v.Type), append(resNames, "host_"+v.Def.StrAttr(arch.AttrInstanceName))
	}
	byOutput := map[string]*ir.Value{}
	for _, s := range n.switches {
		for i, p := range s.in {
			if p.kind == boundaryPort && !p.link {
				e.swIns[s][i] = inputs[p.owner]
			}
		}
		for o, p := range s.out {
			if p.kind == boundaryPort && !p.link {
				byOutput[p.owner] = e.fifo(p.owner+"_q", a.inputFIFO, e.swOps[s].Result(o), loc(s.x, s.y))
			}
		}
	}
	for i := range a.outputs {
		results, outs, resNames = append(results, byOutput[outputName(i)]), append(outs, a.channel(i, a.outputs)), append(resNames, outputName(i))
	}
	for _, s := range n.switches {
		e.swOps[s].SetOperands(e.swIns[s])
	}
	e.body.Append(ir.NewOp(opname.FabricYield, a.pos, results, nil))
	fab.SetAttr("sym_name", ir.StrAttr(a.name))
	fab.SetAttr(arch.AttrFuncType, &ir.TypeAttr{Type: ir.Func(ins, outs)})
	fab.SetAttr(arch.AttrIndexWidth, ir.IntAttr(int64(a.indexWidth), ir.I64))
	fab.SetAttr(arch.AttrArgNames, ir.StrArray(argNames))
	fab.SetAttr(arch.AttrResNames, ir.StrArray(resNames))
	fanin := 0
	for _, k := range a.pes {
		if !n.uses(k) {
			continue
		}
		for _, u := range k.units {
			for _, op := range u.op.Regions[0].Entry().Ops {
				if op.Name == opname.HandshakeJoin {
					fanin = max(fanin, op.NumOperands())
				}
			}
		}
	}
	fab.SetAttr(arch.AttrJoinFanin, ir.IntAttr(int64(fanin), ir.I64))
	if a.deadlock != arch.DefaultDeadlockTimeout {
		fab.SetAttr(arch.AttrDeadlock, ir.IntAttr(int64(a.deadlock), ir.I64))
	}
	e.top.Append(fab)
	return module
}

// uses reports whether a PE template stands anywhere on the grid.
func (n *network) uses(k *peKind) bool {
	for _, row := range n.a.grid {
		for _, x := range row {
			if x == k {
				return true
			}
		}
	}
	return false
}

// definitions makes the function units and PEs. Templates that stand nowhere on
// the grid are left out, and units that only they use.
func (e *emitter) definitions() {
	used := map[*unit]bool{}
	for _, k := range e.n.a.pes {
		for _, u := range k.units {
			used[u] = used[u] || e.n.uses(k)
		}
	}
	for _, m := range e.n.a.memories {
		if m.units != nil {
			used[m.units.load], used[m.units.store] = true, true
		}
	}
	for _, u := range e.n.a.units {
		if used[u] {
			e.top.Append(u.op)
		}
	}
	ins, outs := map[*peKind][]ir.Type{}, map[*peKind][]ir.Type{}
	for _, p := range e.n.pes {
		k := e.n.a.grid[p.row][p.col]
		ins[k], outs[k] = channels(p.in), channels(p.out)
	}
	for _, k := range e.n.a.pes {
		if !e.n.uses(k) {
			continue
		}
		kind := opname.FabricSpatialPe
		if k.instructions > 0 {
			kind = opname.FabricTemporalPe
		}
		pe := e.define(kind, TemplateSymbol(k.name), k.pos, ins[k], outs[k])
		if k.immediates != nil {
			pe.SetAttr(arch.AttrImmediates, k.immediates)
		}
		if k.instructions > 0 {
			pe.SetAttr(arch.AttrInstructions, ir.IntAttr(int64(k.instructions), ir.I64))
			pe.SetAttr(arch.AttrConstants, ir.IntAttr(int64(k.constants), ir.I64))
		} else if d := e.n.a.operandFIFO; d > 0 {
			pe.SetAttr(arch.AttrOperandFIFO, ir.IntAttr(int64(d), ir.I64))
		}
		if d := k.resultFIFO; d > 0 && k.instructions == 0 {
			pe.SetAttr(arch.AttrResultFIFO, ir.IntAttr(int64(d), ir.I64))
		}
		body := pe.AddRegion().AddBlock()
		for _, u := range k.units {
			inst := ir.NewOp(opname.FabricInstance, k.pos, nil, nil)
			inst.SetAttr(arch.AttrTarget, ir.SymbolRef(u.name))
			body.Append(inst)
		}
		body.Append(ir.NewOp(opname.FabricYield, k.pos, nil, nil))
	}
}

// channels are those to or from switches.
func channels(switches []*netSwitch) []ir.Type {
	var out []ir.Type
	for _, s := range switches {
		out = append(out, ir.Bits(s.width))
	}
	return out
}

func repeat(t ir.Type, n int) []ir.Type {
	out := make([]ir.Type, n)
	for i := range out {
		out[i] = t
	}
	return out
}

func (e *emitter) define(op, name string, pos diag.Pos, ins, outs []ir.Type) *ir.Operation {
	d := ir.NewOp(op, pos, nil, nil)
	d.SetAttr("sym_name", ir.StrAttr(name))
	d.SetAttr(arch.AttrFuncType, &ir.TypeAttr{Type: ir.Func(ins, outs)})
	return e.top.Append(d)
}

// instance appends an instance; operands may still be nil.
func (e *emitter) instance(name, target string, operands []*ir.Value, outs []ir.Type, at ir.Attr, pos diag.Pos) *ir.Operation {
	op := ir.NewOp(opname.FabricInstance, pos, operands, outs)
	op.SetAttr(arch.AttrTarget, ir.SymbolRef(target))
	op.SetAttr(arch.AttrInstanceName, ir.StrAttr(name))
	op.SetAttr(arch.AttrLoc, at)
	if len(outs) > 0 {
		op.Result(0).Name = name
	}
	return e.body.Append(op)
}

// loc is a position on the drawing: switches at even coordinates, PEs at odd ones.
func loc(x, y int) ir.Attr {
	return &ir.DenseArrayAttr{Elem: ir.I64, Values: []int64{int64(x), int64(y)}}
}

// fifo appends a FIFO and returns what it delivers.
func (e *emitter) fifo(name string, depth int, in *ir.Value, at ir.Attr) *ir.Value {
	width, _ := ir.BitWidth(in.Type, e.n.a.indexWidth)
	t := ir.Bits(width)
	def := e.fifos[fifo{depth, width}]
	if def == "" {
		def = fmt.Sprintf("fifo_%d", depth)
		if width != e.n.a.width {
			def += fmt.Sprintf("_bits%d", width)
		}
		e.fifos[fifo{depth, width}] = def
		d := e.define(opname.FabricFifo, def, e.n.a.pos, []ir.Type{t}, []ir.Type{t})
		d.SetAttr(arch.AttrDepth, ir.IntAttr(int64(depth), ir.I64))
	}
	return e.instance(name, def, []*ir.Value{in}, []ir.Type{t}, at, e.n.a.pos).Result(0)
}

// switchInstance makes the instance of a switch, and its definition unless one
// of the same shape exists; definitions are called after their first instance.
func (e *emitter) switchInstance(s *netSwitch) {
	rows, chans := s.table(e.n.a.fanIn), ir.Bits(s.width)
	key := fmt.Sprint(s.width, len(s.in), len(s.out), rows)
	def := e.sws[key]
	if def == "" {
		def = "sw_like_" + s.id
		e.sws[key] = def
		d := e.define(opname.FabricSpatialSw, def, e.n.a.pos, repeat(chans, len(s.in)), repeat(chans, len(s.out)))
		table := &ir.DenseArrayAttr{Elem: ir.I1}
		for _, row := range rows {
			for _, on := range row {
				table.Values = append(table.Values, int64(b2i(on)))
			}
		}
		d.SetAttr(arch.AttrConnectivity, table)
	}
	e.swIns[s] = make([]*ir.Value, len(s.in))
	e.swOps[s] = e.instance(s.name(), def, nil, repeat(chans, len(s.out)), loc(s.x, s.y), e.n.a.pos)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// links makes the FIFO of every link, halfway to the switch on that side.
func (e *emitter) links() {
	for _, s := range e.n.switches {
		depth := e.n.a.linkFIFO
		if s.tokens == s && e.n.a.topology.twoNetworks() {
			depth = e.n.a.tokenLinkFIFO
		}
		for o, p := range s.out {
			if !p.link {
				continue
			}
			dx, dy := p.side.step()
			name := fmt.Sprintf("link_%s_%s%d", s.id, p.side, p.track)
			v := e.fifo(name, depth, e.swOps[s].Result(o), loc(s.x+dx, s.y+dy))
			for i, q := range p.to.in {
				if q.link && q.side == p.back && q.track == p.track {
					e.swIns[p.to][i] = v
				}
			}
		}
	}
}

func (e *emitter) pes() {
	groups := e.n.groups()
	for _, p := range e.n.pes {
		name, at := p.name(), loc(p.x, p.y)
		var operands []*ir.Value
		for k, s := range p.in {
			o := findPort(s.out, name, k)
			in := e.swOps[s].Result(o)
			if e.n.a.operandFIFO == 0 {
				in = e.fifo(fmt.Sprintf("%s_q%d", name, k), e.n.a.inputFIFO, in, at)
			}
			operands = append(operands, in)
		}
		kind := e.n.a.grid[p.row][p.col]
		op := e.instance(name, TemplateSymbol(kind.name), operands, channels(p.out), at, kind.pos)
		if g := groups[p]; g != "" {
			op.SetAttr(arch.AttrSharedUnits, ir.StrAttr(g))
		}
		for k, s := range p.out {
			e.swIns[s][findPort(s.in, name, k)] = op.Result(k)
		}
	}
}

// findPort returns the number of the switch port that belongs to port index of
// the named PE.
func findPort(ports []port, owner string, index int) int {
	for i, p := range ports {
		if !p.link && p.owner == owner && p.index == index {
			return i
		}
	}
	panic("build: " + owner + " is not connected to its corner")
}
