package mapper

import (
	"cmp"
	"fmt"
	"slices"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/mapper/route"
	"loom/compiler/mapper/tech"
	"loom/compiler/mapping"
	"loom/compiler/opname"
)

// sortBy sorts items by key, keeping the order of equal ones.
func sortBy(items []int, key func(int) int64) {
	slices.SortStableFunc(items, func(a, b int) int { return cmp.Compare(key(a), key(b)) })
}

// emitter turns an attempt into plain data.
type emitter struct {
	*mapper
	a  *attempt
	mp *mapping.Mapping
	// groupOf maps a unit node to its group.
	groupOf  map[int]int
	switches map[int]*config.SwitchSetting // by component ID
}

func (m *mapper) emit(a *attempt) (*mapping.Mapping, error) {
	e := &emitter{mapper: m, a: a, groupOf: map[int]int{}, switches: map[int]*config.SwitchSetting{},
		mp: &mapping.Mapping{Format: mapping.Format, Tool: mapping.Tool, Seed: m.opts.Seed, Attempt: a.number,
			Kernel: m.Fn.SymName(), Fabric: m.Fabric.Name,
			LayoutHash: m.layout,
			FIFOs:      []mapping.FIFO{}, Regions: []mapping.Region{}, Memories: []mapping.Memory{},
			TemporalSwitches: []mapping.TemporalSwitch{}, Tags: []mapping.Tag{},
			Args: []mapping.Arg{}, Results: []mapping.Port{}, Edges: []mapping.Edge{}, Groups: []mapping.Group{},
			Switches: []mapping.Switch{}, PEs: []mapping.PE{}}}
	if err := e.groups(); err != nil {
		return nil, err
	}
	e.memories()
	e.boundary()
	e.edges()
	e.discards()
	e.ops()
	e.settings()
	e.timing()
	e.utilization()
	return e.mp, nil
}

// sinkPort is the component port at which a sink's route ends, sourcePort the
// one at which a net's routes start.
func (e *emitter) sinkPort(net *tech.Net, leaf int) int {
	return e.graph.Tracks[e.a.trees[net.ID].Leaf(leaf)].Dst.Port
}

// sourcePort is -1 for a net that stays within a temporal PE.
func (e *emitter) sourcePort(net *tech.Net) int {
	if e.a.trees[net.ID].Tracks() == 0 {
		return -1
	}
	return e.graph.Tracks[e.a.trees[net.ID].Path(0)[0]].Src.Port
}

// named is a memory by its name.
func (e *emitter) named(name string) *arch.Component {
	i := slices.IndexFunc(e.Memories, func(b arch.Bridge) bool { return b.Mem.Name == name })
	return e.Memories[i].Mem
}

func (e *emitter) comp(node int) *arch.Component { return e.Sites[e.a.site[node]].Comp }

// groups writes down the function units at work.
func (e *emitter) groups() error {
	// peIn[node][k] is the PE input of node port k.
	peIn := make([][]int, len(e.Nodes))
	for i, nd := range e.Nodes {
		peIn[i] = make([]int, len(nd.Ins))
	}
	// source[node][k] is what operand k of an instruction of a temporal PE reads.
	source := make([][]int, len(e.Nodes))
	for i, nd := range e.Nodes {
		source[i] = make([]int, len(nd.Ins))
	}
	for _, net := range e.Nets {
		leaves := e.leaves(net, e.a.site)
		for k, s := range net.Sinks {
			at := e.Sites[e.a.site[s.Node]]
			if leaves[k] == inside {
				peIn[s.Node][s.Port] = -1
				from := e.a.site[net.Src.Node]
				source[s.Node][s.Port] = e.Sites[from].Index
				if e.Candidate(net.Src.Node, from).Out[net.Src.Port] == 1 {
					source[s.Node][s.Port] += at.Comp.TPE.Instructions
				}
				continue
			}
			peIn[s.Node][s.Port] = e.sinkPort(net, leaves[k])
			if at.Comp != nil && at.Comp.TPE != nil {
				source[s.Node][s.Port] = 2*at.Comp.TPE.Instructions + peIn[s.Node][s.Port]
			}
		}
	}
	for id, nd := range e.Nodes {
		if nd.Kind != tech.Unit {
			continue
		}
		c := e.comp(id)
		cand := e.Candidate(id, e.a.site[id])
		fu := c.Units()[cand.Opcode]
		g := mapping.Group{ID: len(e.mp.Groups), Comp: c.Name, Unit: fu.Name, Opcode: cand.Opcode,
			Ops: slices.Clone(cand.Body), Inputs: []mapping.UnitIn{}, Outputs: []mapping.UnitOut{}}
		if c.TPE != nil {
			g.Instruction = &e.Sites[e.a.site[id]].Index
		}
		for k, p := range nd.Ins {
			m := e.Imm[p]
			if m == nil && nd.InNets[k] < 0 {
				continue // the data of a load that does not pass its unit
			}
			for _, p := range append([]tech.OpPort{p}, nd.Also(k)...) {
				in := mapping.UnitIn{Unit: cand.In[k], Op: p.Op, Operand: p.Port, Port: peIn[id][k]}
				if c.TPE != nil && (m == nil || !m.Held) {
					in.Source = &source[id][k]
				}
				if m != nil {
					in.Immediate = &mapping.Immediate{Constant: m.Const, Held: m.Held, Value: mapping.Hex(m.Value)}
					if m.Held {
						in.Port = -1
					}
				}
				g.Inputs = append(g.Inputs, in)
			}
		}
		for k, p := range nd.Outs {
			if cand.Out[k] < 0 {
				continue
			}
			out := mapping.UnitOut{Unit: cand.Out[k], Op: p.Op, Result: p.Port, Port: -1}
			if n := nd.OutNets[k]; n >= 0 {
				out.Port = e.sourcePort(e.Nets[n])
			}
			g.Outputs = append(g.Outputs, out)
		}
		slices.SortStableFunc(g.Inputs, func(a, b mapping.UnitIn) int { return cmp.Compare(a.Unit, b.Unit) })
		slices.SortFunc(g.Outputs, func(a, b mapping.UnitOut) int { return cmp.Compare(a.Unit, b.Unit) })
		fields, err := e.fields(fu, cand)
		if err != nil {
			return err
		}
		g.Fields = fields
		e.groupOf[id] = g.ID
		e.mp.Groups = append(e.mp.Groups, g)
		if c.PE != nil {
			e.mp.PEs = append(e.mp.PEs, e.peSetting(c, fu, g))
		}
	}
	for _, c := range e.Fabric.Comps {
		if c.TPE != nil {
			e.temporalPE(c)
		}
	}
	return nil
}

// temporalPE configures a temporal PE for its groups.
func (e *emitter) temporalPE(c *arch.Component) {
	p := mapping.TemporalPE{Comp: c.Name, Instructions: []mapping.Instruction{}, Outputs: []mapping.Route{}, Constants: []mapping.Hex{}}
	for _, g := range e.mp.Groups {
		if g.Comp != c.Name {
			continue
		}
		in := mapping.Instruction{Number: *g.Instruction, Opcode: g.Opcode, Fields: g.Fields}
		for k := range in.Operands {
			in.Operands[k].Held = true // what the unit does not have
		}
		for _, x := range g.Inputs {
			o := &in.Operands[c.TPE.Steps[g.Opcode].Slot[x.Unit]]
			*o = mapping.Operand{Held: x.Source == nil}
			if x.Source != nil {
				o.Source = *x.Source
			}
			if m := x.Immediate; m != nil && m.Constant >= 0 {
				o.Immediate = true
				if in.Constant = slices.Index(p.Constants, m.Value); in.Constant < 0 {
					in.Constant = len(p.Constants)
					p.Constants = append(p.Constants, m.Value)
				}
			}
		}
		for _, x := range g.Outputs {
			if x.Port >= 0 {
				p.Outputs = append(p.Outputs, mapping.Route{x.Port, in.Number + x.Unit*c.TPE.Instructions})
			}
		}
		p.Instructions = append(p.Instructions, in)
	}
	if len(p.Instructions) == 0 {
		return
	}
	slices.SortFunc(p.Instructions, func(a, b mapping.Instruction) int { return cmp.Compare(a.Number, b.Number) })
	slices.SortFunc(p.Outputs, func(a, b mapping.Route) int { return cmp.Compare(a[0], b[0]) })
	e.mp.TemporalPEs = append(e.mp.TemporalPEs, p)
}

// peSetting configures a PE for a group.
func (e *emitter) peSetting(c *arch.Component, fu *arch.FunctionUnit, g mapping.Group) mapping.PE {
	p := mapping.PE{Comp: c.Name, Opcode: g.Opcode, Fields: g.Fields, In: []mapping.Selector{}, Out: []mapping.Selector{}}
	for range c.PE.MaxInputs() {
		p.In = append(p.In, mapping.Selector{Disconnect: true})
	}
	for k := range c.PE.MaxOutputs() {
		// Unused results of the active unit are dropped.
		p.Out = append(p.Out, mapping.Selector{Discard: k < len(fu.Out), Disconnect: k >= len(fu.Out)})
	}
	for _, in := range g.Inputs {
		switch m := in.Immediate; {
		case m == nil:
			p.In[in.Unit] = mapping.Selector{Sel: in.Port}
		case m.Held:
			p.In[in.Unit] = mapping.Selector{Disconnect: true, Immediate: true, Value: m.Value}
		default:
			p.In[in.Unit] = mapping.Selector{Sel: in.Port, Immediate: true, Value: m.Value}
		}
	}
	for _, out := range g.Outputs {
		if out.Port >= 0 {
			p.Out[out.Unit] = mapping.Selector{Sel: out.Port}
		}
	}
	return p
}

// fields computes the configuration fields of a unit from the operations it
// executes.
func (e *emitter) fields(fu *arch.FunctionUnit, cand tech.Candidate) ([]mapping.Field, error) {
	out := []mapping.Field{}
	for _, fd := range fu.Fields(e.IndexWidth) {
		sw := e.Ops[cand.Body[fd.Op]]
		v, err := e.fieldValue(fd, sw)
		if err != nil {
			return nil, internal(sw.Pos, err)
		}
		if cand.Exchanged && fd.Name == "predicate" {
			v = uint64(tech.SwappedPredicate(int64(v)))
		}
		if fd.Width < 64 {
			v &= 1<<fd.Width - 1
		}
		out = append(out, mapping.Field{Name: fd.Name, Value: mapping.Hex(v)})
	}
	return out, nil
}

func (e *emitter) fieldValue(fd arch.Field, sw *ir.Operation) (uint64, error) {
	switch fd.Name {
	case "value":
		// A unit wider than the constant gives zeros above (widths.FreeExtensions).
		v, err := tech.ConstantValue(sw)
		return tech.LowBits(v, tech.Width(sw.Result(0).Type, e.IndexWidth)), err
	case "mask":
		return 1<<sw.NumOperands() - 1, nil
	case "predicate":
		p, ok := sw.IntAttr("predicate")
		if !ok || p < 0 || p > 15 {
			return 0, fmt.Errorf("'%s' has no predicate", sw.Name)
		}
		return uint64(p), nil
	case "cont_cond":
		b := slices.Index(dataflow.ContConds, sw.StrAttr("cont_cond"))
		if b < 0 {
			return 0, fmt.Errorf("'%s' has no continuation condition", sw.Name)
		}
		return 1 << b, nil
	}
	return 0, fmt.Errorf("unknown configuration field '%s'", fd.Name)
}

func (e *emitter) boundary() {
	args := e.Fn.Regions[0].Entry().Args
	for i, v := range args {
		a := mapping.Arg{Name: tech.ArgName(e.Fn, i), Type: v.Type.String()}
		if nd := e.ArgNode[i]; nd >= 0 {
			a.Port = e.Fabric.Inputs[e.Sites[e.a.site[nd]].Index].Name
		}
		for _, mem := range e.mp.Memories {
			switch {
			case mem.Arg != i:
			case a.Comp == "":
				a.Comp, a.Region = mem.Comp, mem.Region
			default:
				a.Also = append(a.Also, mapping.Place{Comp: mem.Comp, Region: mem.Region})
			}
		}
		if i == len(args)-1 {
			e.mp.Start = mapping.Port{Name: a.Name, Type: a.Type, Port: a.Port}
			continue
		}
		e.mp.Args = append(e.mp.Args, a)
	}
	ret := e.Fn.Regions[0].Entry().Terminator()
	for i, v := range ret.Operands() {
		p := mapping.Port{Name: tech.ResName(e.Fn, i), Type: v.Type.String(),
			Port: e.Fabric.Outputs[e.Sites[e.a.site[e.ResNode[i]]].Index].Name}
		if i == len(ret.Operands())-1 {
			e.mp.Done = p
			continue
		}
		e.mp.Results = append(e.mp.Results, p)
	}
}

// setting returns the switch setting of c, making it on first use.
func (e *emitter) setting(c *arch.Component) *config.SwitchSetting {
	s := e.switches[c.ID]
	if s == nil {
		s = &config.SwitchSetting{Route: make([]int, len(c.Out)), Discard: make([]bool, len(c.In))}
		for o := range s.Route {
			s.Route[o] = -1
		}
		e.switches[c.ID] = s
	}
	return s
}

// edges writes the routes of all nets and of the values inside units.
func (e *emitter) edges() {
	for _, net := range e.Nets {
		tree := e.a.trees[net.ID]
		leaves := e.leaves(net, e.a.site)
		for k, s := range net.Sinks {
			ed := mapping.Edge{Src: mapping.Terminal(net.SrcPort), Dst: mapping.Terminal(s.Dst), Kind: mapping.Routed,
				Through: append([]int{}, s.Through...), Width: s.Width}
			if leaves[k] == inside {
				ed.Kind, ed.Steps, ed.Slots = mapping.TemporalReg, []mapping.Step{}, 1
			} else {
				e.walk(tree, leaves[k], &ed)
			}
			e.mp.Edges = append(e.mp.Edges, ed)
			for _, dst := range s.Also {
				again := ed
				again.Dst = mapping.Terminal(dst)
				again.Through, again.Steps = slices.Clone(ed.Through), slices.Clone(ed.Steps)
				e.mp.Edges = append(e.mp.Edges, again)
			}
		}
	}
	for _, g := range e.mp.Groups {
		inside := map[int]bool{}
		for _, op := range g.Ops {
			inside[op] = true
		}
		for _, i := range g.Ops {
			for k, v := range e.Ops[i].Operands() {
				bound := slices.ContainsFunc(g.Inputs, func(in mapping.UnitIn) bool { return in.Op == i && in.Operand == k })
				if v.Def != nil && len(g.Ops) > 1 && inside[e.Index[v.Def]] && !bound {
					e.mp.Edges = append(e.mp.Edges, mapping.Edge{Src: mapping.Terminal{Op: e.Index[v.Def], Port: v.Index},
						Dst: mapping.Terminal{Op: i, Port: k}, Kind: mapping.IntraFU, Through: []int{},
						Width: tech.Width(v.Type, e.IndexWidth), Steps: []mapping.Step{}})
				}
			}
		}
	}
	slices.SortStableFunc(e.mp.Edges, func(a, b mapping.Edge) int {
		return cmp.Or(cmp.Compare(a.Dst.Op, b.Dst.Op), cmp.Compare(a.Dst.Port, b.Dst.Port))
	})
}

// walk lists the steps of a sink's route and records the switch routes.
func (e *emitter) walk(tree *route.Tree, k int, ed *mapping.Edge) {
	path := tree.Path(k)
	for i, id := range path {
		t := e.graph.Tracks[id]
		ed.Latency += t.Latency
		ed.Slots += t.Slots
		switch {
		case t.Src.Comp == nil:
			ed.Steps = append(ed.Steps, mapping.Step{Boundary: e.Fabric.Inputs[t.Src.Port].Name, In: -1, Out: t.Src.Port})
		case i == 0:
			ed.Steps = append(ed.Steps, mapping.Step{Comp: t.Src.Comp.Name, In: -1, Out: t.Src.Port})
		}
		for _, ch := range t.Chans[1:] {
			ed.Steps = append(ed.Steps, mapping.Step{Comp: ch.Src.Comp.Name, In: 0, Out: ch.Src.Port})
		}
		last := i == len(path)-1
		switch {
		case last && t.Dst.Comp == nil:
			ed.Steps = append(ed.Steps, mapping.Step{Boundary: e.Fabric.Outputs[t.Dst.Port].Name, In: t.Dst.Port, Out: -1})
		case last:
			ed.Steps = append(ed.Steps, mapping.Step{Comp: t.Dst.Comp.Name, In: t.Dst.Port, Out: -1})
		default:
			out := e.graph.Tracks[path[i+1]].Src.Port
			e.setting(t.Dst.Comp).Route[out] = t.Dst.Port
			ed.Steps = append(ed.Steps, mapping.Step{Comp: t.Dst.Comp.Name, In: t.Dst.Port, Out: out})
		}
	}
}

// discards drops, at the switch they arrive at, the tokens of accesses and of a
// start token that nothing reads.
func (e *emitter) discards() {
	drop := func(track int) {
		if track < 0 {
			return
		}
		t := e.graph.Tracks[track]
		if t.Dst.Comp != nil && t.Dst.Comp.Circuit() != nil {
			e.setting(t.Dst.Comp).Discard[t.Dst.Port] = true
		}
	}
	for id, nd := range e.Nodes {
		for k, net := range nd.OutNets {
			if net >= 0 {
				continue
			}
			switch nd.Kind {
			case tech.Access:
				drop(e.outTrack(e.a.site[id], k))
			case tech.ArgIn:
				drop(e.graph.From(nil, e.Sites[e.a.site[id]].Index))
			}
		}
	}
}

// ops lists the operations with what became of them.
func (e *emitter) ops() {
	for i, op := range e.Ops {
		o := mapping.Op{Index: i, Name: op.Name, Pos: op.Pos, Role: mapping.RoleWire, Group: -1}
		for _, r := range op.Results() {
			if r.Name != "" {
				o.Label = r.Name
				break
			}
		}
		if id, ok := e.NodeOf[i]; ok {
			c := e.comp(id)
			o.Comp, o.X, o.Y = c.Name, c.X, c.Y
			o.Role, o.Group = mapping.RoleUnit, e.groupOf[id]
			o.Unit = e.mp.Groups[o.Group].Unit
		} else if op.Name == opname.HandshakeConstant || op.Name == opname.DataflowHold {
			o.Role = mapping.RoleImmediate
		} else if !e.Wires[i] {
			o.Role = mapping.RoleReturn
		}
		e.mp.Ops = append(e.mp.Ops, o)
	}
	for k := range e.mp.Memories {
		mem := &e.mp.Memories[len(e.mp.Memories)-1-k] // of several the first one stays
		c := e.named(mem.Comp)
		o := &e.mp.Ops[mem.Op]
		o.Role, o.Comp, o.X, o.Y = mapping.RoleMemory, c.Name, c.X, c.Y
	}
}

// settings writes switch and FIFO settings in component order.
func (e *emitter) settings() {
	for _, c := range e.Fabric.Comps {
		if c.FIFO != nil && c.FIFO.Bypassable {
			e.mp.FIFOs = append(e.mp.FIFOs, mapping.FIFO{Comp: c.Name})
		}
		s := e.switches[c.ID]
		if s == nil {
			continue
		}
		sw := mapping.Switch{Comp: c.Name, Routes: []mapping.Route{}, Discard: []int{}}
		for o, i := range s.Route {
			if i >= 0 {
				sw.Routes = append(sw.Routes, mapping.Route{o, i})
			}
		}
		for i, d := range s.Discard {
			if d {
				sw.Discard = append(sw.Discard, i)
			}
		}
		e.mp.Switches = append(e.mp.Switches, sw)
	}
}
