package maptest

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/compiler/opname"
)

// Place is the placement of a memory of a kernel.
type Place struct {
	Op     int
	Comp   string
	Region int
	First  int64
	// Loads and Stores are the lanes of its accesses in order, by number, and their
	// tags; empty for memories without tags.
	Loads, Stores []Lane
	// From and FromStore are the first load and the first store that are served here, of a
	// memory with several places, whose accesses all have lanes.
	From, FromStore int
	// Start and End bound the tags of its region.
	Start, End uint64
}

// Lane is a lane and the tag it gives.
type Lane struct {
	Number int
	Tag    uint64
}

// Map maps a kernel: unit operations onto the PEs in order, scalar arguments and
// results onto boundary ports in order, memories as given by places.
func Map(fn *ir.Operation, f *arch.Fabric, places ...Place) *mapping.Mapping {
	b := fn.Regions[0].Entry()
	m := &mapper{fn: fn, f: f, ops: b.Ops, args: b.Args, index: map[*ir.Operation]int{}, place: map[int][]Place{},
		from: map[arch.Endpoint]int{}, to: map[arch.Endpoint]via{}, routes: map[mapping.Route]bool{}, comps: map[string]*arch.Component{},
		tagged: map[string][]mapping.Slot{},
		m: &mapping.Mapping{Format: mapping.Format, Tool: mapping.Tool, Kernel: fn.SymName(), Fabric: f.Name,
			LayoutHash: mapping.HashText(config.NewLayout(f).Hash), Ops: []mapping.Op{}, Groups: []mapping.Group{},
			Memories: []mapping.Memory{}, Args: []mapping.Arg{}, Results: []mapping.Port{}, Edges: []mapping.Edge{},
			Switches: []mapping.Switch{}, PEs: []mapping.PE{}, FIFOs: []mapping.FIFO{}, Regions: []mapping.Region{},
			TemporalSwitches: []mapping.TemporalSwitch{}, Tags: []mapping.Tag{},
			Timing: mapping.Timing{Loops: []mapping.Loop{}}, Utilization: mapping.Utilization{Classes: []mapping.ClassUse{}}}}
	for _, p := range places {
		m.place[p.Op] = append(m.place[p.Op], p)
	}
	m.fabric()
	m.operations()
	m.memories()
	m.boundary()
	m.edges()
	m.settings()
	return m.m
}

// via is how a port is reached: the switch output, and the FIFO behind it.
type via struct {
	out  int
	fifo string
}

type mapper struct {
	fn     *ir.Operation
	f      *arch.Fabric
	ops    []*ir.Operation
	args   []*ir.Value
	index  map[*ir.Operation]int
	place  map[int][]Place
	comps  map[string]*arch.Component
	from   map[arch.Endpoint]int // output port or boundary input -> switch input
	to     map[arch.Endpoint]via
	routes map[mapping.Route]bool
	tagged map[string][]mapping.Slot
	m      *mapping.Mapping
}

// fabric finds what surrounds the switch.
func (m *mapper) fabric() {
	for _, c := range m.f.Comps {
		m.comps[c.Name] = c
	}
	sw := m.f.Comps[0]
	for i, p := range sw.In {
		m.from[p.Chan.Src] = i
	}
	for o, p := range sw.Out {
		dst, name := p.Chan.Dst, ""
		if dst.Comp != nil && dst.Comp.Kind == arch.FIFO {
			dst, name = dst.Comp.Out[0].Chan.Dst, dst.Comp.Name
		}
		m.to[dst] = via{o, name}
	}
}

// operations lists operations and puts each that needs a unit on a PE.
func (m *mapper) operations() {
	var pes []*arch.Component
	for _, c := range m.f.Comps {
		if c.Kind == arch.SpatialPE {
			pes = append(pes, c)
		}
	}
	for i, op := range m.ops {
		m.index[op] = i
		o := mapping.Op{Index: i, Name: op.Name, Pos: op.Pos, Group: -1, Role: mapping.RoleUnit}
		switch {
		case i == len(m.ops)-1:
			o.Role = mapping.RoleReturn
		case m.isMemory(i):
			o.Role, o.Comp = mapping.RoleMemory, m.place[i][0].Comp
		default:
			pe := pes[len(m.m.Groups)]
			fu := unit(pe.PE, op)
			o.Comp, o.Unit, o.Group = pe.Name, fu.Name, len(m.m.Groups)
			m.group(i, pe, fu)
		}
		if c := m.comps[o.Comp]; c != nil {
			o.X, o.Y = c.X, c.Y
		}
		m.m.Ops = append(m.m.Ops, o)
	}
}

// unit is the first unit of the operation's kind with ports wide enough.
func unit(pe *arch.PESpec, op *ir.Operation) *arch.FunctionUnit {
	name := op.Name
	if name == opname.ArithIndexCast {
		name = opname.ArithExtSI // the kernels of this package only widen
	}
	for _, fu := range pe.FUs {
		if fu.Ops[0].Op.Name != name || len(fu.In) < op.NumOperands() {
			continue
		}
		fits := true
		for k, v := range op.Operands() {
			w, _ := ir.BitWidth(v.Type, IndexWidth)
			fits = fits && w <= fu.In[k].Width
		}
		if fits {
			return fu
		}
	}
	panic("maptest: no unit for " + op.Name)
}

func (m *mapper) group(i int, pe *arch.Component, fu *arch.FunctionUnit) {
	op := m.ops[i]
	g := mapping.Group{ID: len(m.m.Groups), Comp: pe.Name, Unit: fu.Name, Opcode: slices.Index(pe.PE.FUs, fu), Ops: []int{i},
		Inputs: []mapping.UnitIn{}, Outputs: []mapping.UnitOut{}, Fields: []mapping.Field{}}
	p := mapping.PE{Comp: pe.Name, Opcode: g.Opcode}
	for k := range pe.PE.MaxInputs() {
		sel := mapping.Selector{Disconnect: k >= op.NumOperands()}
		if !sel.Disconnect {
			sel.Sel = k
			g.Inputs = append(g.Inputs, mapping.UnitIn{Unit: k, Op: i, Operand: k, Port: k})
		}
		p.In = append(p.In, sel)
	}
	for k := range pe.PE.MaxOutputs() {
		sel := mapping.Selector{Disconnect: k >= len(fu.Out)}
		if k < len(fu.Out) {
			out := mapping.UnitOut{Unit: k, Op: i, Result: k, Port: k}
			if len(op.Result(k).Uses()) == 0 {
				sel.Discard, out.Port = true, -1
			} else {
				sel.Sel = k
			}
			g.Outputs = append(g.Outputs, out)
		}
		p.Out = append(p.Out, sel)
	}
	switch op.Name {
	case opname.HandshakeConstant:
		g.Fields = append(g.Fields, mapping.Field{Name: "value", Value: mapping.Hex(op.Attr("value").(*ir.IntegerAttr).Value)})
	case opname.HandshakeJoin:
		g.Fields = append(g.Fields, mapping.Field{Name: "mask", Value: 1<<op.NumOperands() - 1})
	}
	p.Fields = g.Fields
	m.m.Groups, m.m.PEs = append(m.m.Groups, g), append(m.m.PEs, p)
}

func (m *mapper) isMemory(i int) bool { return strings.HasSuffix(m.ops[i].Name, "memory") }

// memories writes places, tags, regions and the slots of the bridges.
func (m *mapper) memories() {
	slot := func(name string, tag uint64, r mapping.Route) {
		if m.comps[name] != nil {
			m.tagged[name] = append(m.tagged[name], mapping.Slot{Tag: tag, Routes: []mapping.Route{r}})
		}
	}
	for i := range m.ops {
		if !m.isMemory(i) {
			continue
		}
		for _, p := range m.place[i] {
			m.memory(i, p, slot)
		}
	}
}

// memory writes one place of a memory.
func (m *mapper) memory(i int, p Place, slot func(name string, tag uint64, r mapping.Route)) {
	mem := mapping.Memory{Op: i, Comp: p.Comp, Region: p.Region, First: p.First, Arg: -1, Accesses: []mapping.Access{}}
	if m.ops[i].Name == opname.HandshakeExtmemory {
		mem.Arg = m.ops[i].Operand(0).Index
	}
	mem.Table = mem.Arg < 0 && m.comps[p.Comp].External()
	spec := m.comps[p.Comp].Mem
	ports := handshake.PortsOf(m.ops[i])
	loads, stores := ports.Loads, ports.Stores
	if len(m.place[i]) > 1 {
		loads, stores = len(p.Loads), len(p.Stores)
	}
	for k := range loads {
		a := mapping.Access{Kind: mapping.Load, Index: p.From + k, Comp: p.Comp}
		if spec.TagWidth > 0 {
			n := p.Loads[k].Number
			a.Comp, a.Tag = fmt.Sprintf("%s_load%d", p.Comp, n), p.Loads[k].Tag
			m.m.Tags = append(m.m.Tags, mapping.Tag{Comp: a.Comp, Tag: a.Tag})
			slot(p.Comp+"_ldaddr", a.Tag, mapping.Route{0, n})
			slot(p.Comp+"_lddata", a.Tag, mapping.Route{n, 0})
			slot(p.Comp+"_lddone", a.Tag, mapping.Route{n, 0})
		}
		mem.Accesses = append(mem.Accesses, a)
	}
	for k := range stores {
		a := mapping.Access{Kind: mapping.Store, Index: p.FromStore + k, Comp: p.Comp}
		if spec.TagWidth > 0 {
			n := p.Stores[k].Number
			a.Comp, a.Tag = fmt.Sprintf("%s_store%d", p.Comp, n), p.Stores[k].Tag
			m.m.Tags = append(m.m.Tags, mapping.Tag{Comp: a.Comp, Tag: a.Tag})
			slot(p.Comp+"_staddr", a.Tag, mapping.Route{0, n})
			slot(p.Comp+"_stdata", a.Tag, mapping.Route{0, n})
			slot(p.Comp+"_stdone", a.Tag, mapping.Route{n, 0})
		}
		mem.Accesses = append(mem.Accesses, a)
	}
	m.m.Memories = append(m.m.Memories, mem)
	m.m.Regions = append(m.m.Regions, mapping.Region{Comp: p.Comp, Region: p.Region, StartTag: p.Start, EndTag: p.End,
		Offset: mapping.Hex(p.First * int64(spec.ElemBytes()))})
}

func (m *mapper) boundary() {
	in := 0
	for i, v := range m.args {
		a := mapping.Arg{Name: v.Name, Type: v.Type.String()}
		if _, isMem := v.Type.(*ir.MemRefType); isMem {
			for _, mem := range m.m.Memories {
				switch {
				case mem.Arg != i:
				case a.Comp == "":
					a.Comp, a.Region = mem.Comp, mem.Region
				default:
					a.Also = append(a.Also, mapping.Place{Comp: mem.Comp, Region: mem.Region})
				}
			}
		} else {
			a.Port = m.f.Inputs[in].Name
			in++
		}
		if i == len(m.args)-1 {
			m.m.Start = mapping.Port{Name: a.Name, Type: a.Type, Port: a.Port}
			continue
		}
		m.m.Args = append(m.m.Args, a)
	}
	ret := m.ops[len(m.ops)-1]
	for i, v := range ret.Operands() {
		p := mapping.Port{Name: fmt.Sprintf("r%d", i), Type: v.Type.String(), Port: m.f.Outputs[i].Name}
		if i == ret.NumOperands()-1 {
			m.m.Done = p
			continue
		}
		m.m.Results = append(m.m.Results, p)
	}
}

// source is where result port of operation op leaves, with op -1 an argument.
func (m *mapper) source(op, port int) arch.Endpoint {
	switch {
	case op < 0:
		in := 0
		for _, v := range m.args[:port] {
			if _, isMem := v.Type.(*ir.MemRefType); !isMem {
				in++
			}
		}
		return arch.Endpoint{Port: in}
	case !m.isMemory(op):
		return arch.Endpoint{Comp: m.comps[m.m.Ops[op].Comp], Port: port}
	}
	ports := handshake.PortsOf(m.ops[op])
	var p Place
	switch {
	case port < ports.Loads:
		p = m.loads(op, port)
	case port < ports.Loads+ports.Stores:
		p = m.stores(op, port-ports.Loads)
	default:
		p = m.loads(op, port-ports.Loads-ports.Stores)
	}
	spec := m.comps[p.Comp].Mem
	lane := func(kind string, lanes []Lane, k, ofLane, ofMem int) arch.Endpoint {
		if spec.TagWidth == 0 {
			return arch.Endpoint{Comp: m.comps[p.Comp], Port: ofMem}
		}
		return arch.Endpoint{Comp: m.comps[fmt.Sprintf("%s_%s%d", p.Comp, kind, lanes[k].Number)], Port: ofLane}
	}
	switch {
	case port < ports.Loads:
		return lane("load", p.Loads, port-p.From, arch.LoadData, spec.LdData)
	case port < ports.Loads+ports.Stores:
		return lane("store", p.Stores, port-ports.Loads-p.FromStore, arch.StoreDone, spec.StDone)
	}
	return lane("load", p.Loads, port-ports.Loads-ports.Stores-p.From, arch.LoadDone, spec.LdDone)
}

// loads is the place of a load.
func (m *mapper) loads(op, load int) Place {
	for _, p := range m.place[op][1:] {
		if load >= p.From && load < p.From+len(p.Loads) {
			return p
		}
	}
	return m.place[op][0]
}

// stores is the place of a store.
func (m *mapper) stores(op, store int) Place {
	for _, p := range m.place[op][1:] {
		if store >= p.FromStore && store < p.FromStore+len(p.Stores) {
			return p
		}
	}
	return m.place[op][0]
}

// sink is where operand port of operation op is read.
func (m *mapper) sink(op, port int) arch.Endpoint {
	switch {
	case op == len(m.ops)-1:
		return arch.Endpoint{Port: port}
	case !m.isMemory(op):
		return arch.Endpoint{Comp: m.comps[m.m.Ops[op].Comp], Port: port}
	}
	ports := handshake.PortsOf(m.ops[op])
	k := port - ports.First
	p := m.stores(op, k/2)
	if k >= 2*ports.Stores {
		p = m.loads(op, k-2*ports.Stores)
	}
	spec := m.comps[p.Comp].Mem
	kind, n, ofLane, ofMem := "load", k-2*ports.Stores-p.From, arch.LoadAddr, spec.LdAddr
	lanes := p.Loads
	if k < 2*ports.Stores {
		kind, n, lanes, ofLane, ofMem = "store", k/2-p.FromStore, p.Stores, arch.StoreData, spec.StData
		if k%2 == 1 {
			ofLane, ofMem = arch.StoreAddr, spec.StAddr
		}
	}
	if spec.TagWidth == 0 {
		return arch.Endpoint{Comp: m.comps[p.Comp], Port: ofMem}
	}
	return arch.Endpoint{Comp: m.comps[fmt.Sprintf("%s_%s%d", p.Comp, kind, lanes[n].Number)], Port: ofLane}
}

// edges routes every operand through the switch.
func (m *mapper) edges() {
	for i, op := range m.ops {
		for k, v := range op.Operands() {
			if _, isMem := v.Type.(*ir.MemRefType); isMem {
				continue
			}
			src := mapping.Terminal{Op: -1, Port: v.Index}
			if v.Def != nil {
				src.Op = m.index[v.Def]
			}
			w, _ := ir.BitWidth(v.Type, IndexWidth)
			e := mapping.Edge{Src: src, Dst: mapping.Terminal{Op: i, Port: k}, Kind: mapping.Routed, Through: []int{}, Width: max(w, 1)}
			from, to := m.source(src.Op, src.Port), m.sink(i, k)
			in, by := m.from[from], m.to[to]
			m.routes[mapping.Route{by.out, in}] = true
			first, last := mapping.Step{In: -1, Out: from.Port}, mapping.Step{In: to.Port, Out: -1}
			if from.Comp != nil {
				first.Comp = from.Comp.Name
			} else {
				first.Boundary = m.f.Inputs[from.Port].Name
			}
			if to.Comp != nil {
				last.Comp = to.Comp.Name
			} else {
				last.Boundary = m.f.Outputs[to.Port].Name
			}
			e.Steps = []mapping.Step{first, {Comp: m.f.Comps[0].Name, In: in, Out: by.out}}
			if by.fifo != "" {
				e.Steps = append(e.Steps, mapping.Step{Comp: by.fifo})
				e.Latency, e.Slots = 1, 2
			}
			e.Steps = append(e.Steps, last)
			m.m.Edges = append(m.m.Edges, e)
		}
	}
}

// settings writes the switch settings.
func (m *mapper) settings() {
	sw := mapping.Switch{Comp: m.f.Comps[0].Name, Routes: []mapping.Route{}, Discard: []int{}}
	for r := range m.routes {
		sw.Routes = append(sw.Routes, r)
	}
	slices.SortFunc(sw.Routes, func(a, b mapping.Route) int { return a[0] - b[0] })
	drop := func(v *ir.Value, op, port int) {
		if len(v.Uses()) == 0 {
			sw.Discard = append(sw.Discard, m.from[m.source(op, port)])
		}
	}
	for i, op := range m.ops {
		if m.isMemory(i) {
			for k, v := range op.Results() {
				drop(v, i, k)
			}
		}
	}
	drop(m.args[len(m.args)-1], -1, len(m.args)-1)
	slices.Sort(sw.Discard)
	m.m.Switches = append(m.m.Switches, sw)
	for _, c := range m.f.Comps {
		if slots := m.tagged[c.Name]; slots != nil {
			m.m.TemporalSwitches = append(m.m.TemporalSwitches, mapping.TemporalSwitch{Comp: c.Name, Slots: slots})
		}
	}
}
