// Package check verifies finished mappings. It shares no code with the mapper:
// it reads the graph, the fabric and the mapping (or the decoded configuration)
// from scratch and derives for itself what a legal mapping is, so that a fault
// of the mapper cannot hide in both.
//
// Mapping checks map.json: every operation has one unit that can execute it,
// every edge one path from its source to its sink, no channel carries two values,
// the settings are those the routes need, every consumer behind a fork has a
// buffer of its own, and the tokens of every load and store travel between their
// lane and the memory that holds their array. Image follows the tokens through the decoded settings and
// compares what they reach with the edges of the graph.
//
// Source: design pages "Mapper" (stage 5) and "The Fabric dialect" (memories),
// spec-fabric-mem.md (tags and regions).
package check

import (
	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mapping"
)

// Mapping verifies a mapping of fn onto f. The error is a diag.List with every
// violation found.
func Mapping(fn *ir.Operation, f *arch.Fabric, m *mapping.Mapping) error {
	c := &checker{f: f, m: m}
	var err error
	if c.g, err = readGraph(fn, f.IndexWidth); err != nil {
		return err
	}
	c.indexFabric()
	if c.passes() {
		c.g.passLoads()
	}
	if err := c.g.connect(c.immediates()); err != nil {
		return err
	}
	if !c.header() {
		return c.errs.Err()
	}
	c.units()
	c.bridgeSettings()
	c.memories()
	c.boundary()
	c.edges()
	if c.errs.HasErrors() {
		// The rest compares settings with units and routes that are known to be
		// sound.
		return c.errs.Err()
	}
	c.settings()
	c.caches()
	if !c.errs.HasErrors() {
		c.liveness()
	}
	return c.errs.Err()
}

// Image verifies that the settings of an image carry out exactly the graph of
// fn, with arguments and results bound by b.
func Image(fn *ir.Operation, f *arch.Fabric, img *config.Image, b *mapping.Binding) error {
	g, err := readGraph(fn, f.IndexWidth)
	if err != nil {
		return err
	}
	if len(img.Settings) != len(f.Comps) {
		return diag.New(fn.Pos, "the image has %d settings, fabric '%s' has %d components", len(img.Settings), f.Name, len(f.Comps))
	}
	t := &tracer{g: g, f: f, img: img, b: b}
	if t.passes() {
		g.passLoads()
		if err := g.connect(nil); err != nil {
			return err
		}
	}
	t.run()
	return t.errs.Err()
}

// checker verifies a mapping.
type checker struct {
	g    *graph
	f    *arch.Fabric
	m    *mapping.Mapping
	errs diag.List

	comps   map[string]*arch.Component
	inputs  map[string]int
	outputs map[string]int

	groupOf  map[int]*mapping.Group    // op -> its group
	presents []*present                // accumulators that give what an iteration begins with
	served   map[access]bool           // accesses that the mapping binds
	memOf    map[int][]*mapping.Memory // op -> its memories: several of one that is only read
	users    map[string]string         // component -> what runs there

	siteOf map[access]*arch.Component // lane, or memory without tags
	tagOf  map[int]uint64             // lane -> its tag
	net    *tagNet

	routes   map[[3]int]bool // {component, output, input} that edges use
	owner    map[int]terminal
	sinkPort map[arch.Endpoint]terminal
	bypassed map[int]bool
}

func (c *checker) fail(op int, format string, args ...any) *diag.Diagnostic {
	pos := c.g.fn.Pos
	if op >= 0 && op < len(c.g.ops) {
		pos = c.g.ops[op].Pos
	}
	return c.errs.Errorf(pos, "illegal mapping: "+format, args...)
}

func (c *checker) indexFabric() {
	c.comps, c.inputs, c.outputs = map[string]*arch.Component{}, map[string]int{}, map[string]int{}
	for _, x := range c.f.Comps {
		c.comps[x.Name] = x
	}
	for i, p := range c.f.Inputs {
		c.inputs[p.Name] = i
	}
	for i, p := range c.f.Outputs {
		c.outputs[p.Name] = i
	}
	c.groupOf, c.memOf, c.served, c.users = map[int]*mapping.Group{}, map[int][]*mapping.Memory{}, map[access]bool{}, map[string]string{}
	c.siteOf, c.tagOf = map[access]*arch.Component{}, map[int]uint64{}
	c.routes, c.owner = map[[3]int]bool{}, map[int]terminal{}
	c.sinkPort, c.bypassed = map[arch.Endpoint]terminal{}, map[int]bool{}
}

// header checks that the mapping is of this kernel and this fabric.
func (c *checker) header() bool {
	m, g := c.m, c.g
	if m.Kernel != g.fn.SymName() {
		c.fail(-1, "it is of kernel '%s', not '%s'", m.Kernel, g.fn.SymName())
	}
	if m.Fabric != c.f.Name {
		c.fail(-1, "it is for fabric '%s', not '%s'", m.Fabric, c.f.Name)
	}
	if want := mapping.HashText(config.NewLayout(c.f).Hash); m.LayoutHash != want {
		c.fail(-1, "it is for a fabric with layout hash %s, this one has %s", m.LayoutHash, want)
	}
	if len(m.Ops) != len(g.ops) {
		c.fail(-1, "it lists %d operations, the kernel has %d", len(m.Ops), len(g.ops))
		return false
	}
	for i, o := range m.Ops {
		if o.Index != i || o.Name != g.ops[i].Name {
			c.fail(i, "operation %d is '%s' in the kernel, '%s' (%d) in the mapping", i, g.ops[i].Name, o.Name, o.Index)
			continue
		}
		want := mapping.RoleUnit
		switch {
		case g.wire[i]:
			want = mapping.RoleWire
		case g.isMemory(i):
			want = mapping.RoleMemory
		case i == g.ret:
			want = mapping.RoleReturn
		case !g.isUnit(i):
			want = mapping.RoleImmediate
		}
		if o.Role != want {
			c.fail(i, "operation %d ('%s') has role %q, must be %q", i, o.Name, o.Role, want)
		}
		if want != mapping.RoleUnit && (o.Group != -1 || o.Unit != "") ||
			want != mapping.RoleUnit && want != mapping.RoleMemory && o.Comp != "" {
			c.fail(i, "operation %d ('%s') is listed on '%s' unit '%s' group %d, a %s has no such unit", i, o.Name, o.Comp, o.Unit, o.Group, want)
		}
	}
	for _, s := range m.FIFOs {
		x := c.comps[s.Comp]
		if x == nil || x.Kind != arch.FIFO {
			c.fail(-1, "'%s' is no FIFO of the fabric", s.Comp)
			continue
		}
		if s.Bypassed && !x.FIFO.Bypassable {
			c.fail(-1, "FIFO '%s' cannot be bypassed", s.Comp)
		}
		c.bypassed[x.ID] = s.Bypassed
	}
	return !c.errs.HasErrors()
}

// passes reports whether the mapping leads the data of loads past their units, and with that what may do without a unit.
func (c *checker) passes() bool {
	reads := map[terminal]bool{}
	for _, g := range c.m.Groups {
		for _, in := range g.Inputs {
			reads[terminal{in.Op, in.Operand}] = true
		}
	}
	for i, op := range c.g.ops {
		if isLoad(op) && !reads[terminal{i, 1}] {
			return true
		}
	}
	return false
}

// immediates lists the operands that the mapping makes immediates of a constant.
func (c *checker) immediates() map[terminal]bool {
	out := map[terminal]bool{}
	for _, g := range c.m.Groups {
		for _, in := range g.Inputs {
			if in.Immediate != nil && in.Immediate.Constant >= 0 {
				out[terminal{in.Op, in.Operand}] = true
			}
		}
	}
	return out
}

// claim reserves a component for one user.
func (c *checker) claim(op int, name, user string) {
	if other, taken := c.users[name]; taken {
		c.fail(op, "component '%s' hosts both %s and %s", name, other, user)
		return
	}
	c.users[name] = user
}
