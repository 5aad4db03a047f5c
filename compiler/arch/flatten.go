package arch

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// FromModule flattens a fabric.module into components and channels. module is
// the builtin.module that holds it, or the fabric.module itself; name picks one
// by its symbol, "" stands for the only one that no other instantiates. The
// input is verified first. The result is free of structural combinational
// loops: a fabric with one is an error that shows the loop.
func FromModule(module *ir.Operation, name string) (*Fabric, error) {
	var errs diag.List
	if ir.Lookup(opname.FabricModule) != nil {
		ir.Verify(module, &errs)
		if err := errs.Err(); err != nil {
			return nil, err
		}
	}
	var syms Symbols
	root := findRoot(module, name, &syms, &errs)
	if root == nil {
		return nil, errs.Err()
	}
	f := &flattener{
		errs:     &errs,
		syms:     &syms,
		children: map[scopeOp]*scope{},
		comps:    map[scopeOp]*Component{},
		defNames: map[*ir.Operation]string{},
		pes:      map[*ir.Operation]*PESpec{},
		out:      &Fabric{Name: root.SymName(), Pos: root.Pos},
	}
	f.run(root)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if err := CheckLoops(f.out); err != nil {
		return nil, err
	}
	return f.out, nil
}

// findRoot picks the fabric.module to flatten.
func findRoot(module *ir.Operation, name string, syms *Symbols, errs *diag.List) *ir.Operation {
	if module.Name == opname.FabricModule && (name == "" || module.SymName() == name) {
		return module
	}
	var all []*ir.Operation
	instantiated := map[*ir.Operation]bool{}
	module.Walk(func(op *ir.Operation) bool {
		switch op.Name {
		case opname.FabricModule:
			all = append(all, op)
		case opname.FabricInstance:
			if t := syms.Target(op); t != nil {
				instantiated[t] = true
			}
		}
		return true
	})
	var roots []*ir.Operation
	for _, op := range all {
		if name == "" && !instantiated[op] || name != "" && op.SymName() == name {
			roots = append(roots, op)
		}
	}
	switch {
	case len(roots) == 1:
		return roots[0]
	case len(all) == 0:
		errs.Errorf(module.Pos, "there is no fabric.module in this file").
			WithHelp("an ADG is a fabric.module; 'loom adg' makes one from an architecture file")
	case len(roots) == 0 && name != "":
		errs.Errorf(module.Pos, "there is no fabric.module %s in this file", ir.SymbolText(name))
	case len(roots) == 0:
		errs.Errorf(module.Pos, "every fabric.module of this file is instantiated by another")
	default:
		d := errs.Errorf(roots[1].Pos, "the file holds several fabrics, and none is selected")
		for _, r := range roots {
			d.WithNote(r.Pos, "fabric.module %s", ir.SymbolText(r.SymName()))
		}
	}
	return nil
}

// scope is one fabric.module at one node of the instance tree.
type scope struct {
	parent *scope
	inst   *ir.Operation // the fabric.instance in parent, nil for the root
	module *ir.Operation
	prefix string  // of component names
	dx, dy float64 // added to loom.loc
}

// scopeOp is an operation at one node of the instance tree.
type scopeOp struct {
	s  *scope
	op *ir.Operation
}

// source drives a channel: a component's output, a boundary input (comp nil) or
// a memref argument of the root (mem).
type source struct {
	comp *Component
	port int
	mem  bool
}

// sink takes a channel.
type sink struct {
	at    Endpoint
	scope *scope
	value *ir.Value
}

// maxDepth bounds nested modules and chains of pass-through wires, maxComponents
// the size of a fabric: modules that instantiate others several times grow
// exponentially with their nesting.
const (
	maxDepth      = 100
	maxComponents = 1 << 16
)

type flattener struct {
	errs     *diag.List
	syms     *Symbols
	out      *Fabric
	names    Namer // components, channels and boundary ports share one namespace
	defs     Namer
	children map[scopeOp]*scope // nested modules by their instance
	comps    map[scopeOp]*Component
	defNames map[*ir.Operation]string
	pes      map[*ir.Operation]*PESpec
	sinks    []sink
	mems     []scopeOp // extmemories whose memref operand is to be bound
	deadlock int       // deadlock_timeout of the root, 0 for none
}

func (f *flattener) run(root *ir.Operation) {
	fab := f.out
	fab.IndexWidth = int(IntParam(root, AttrIndexWidth, DefaultIndexWidth))
	f.deadlock = int(IntParam(root, AttrDeadlock, 0))
	top := &scope{module: root}
	f.boundary(top)
	f.elaborate(top, 0)
	f.sharedUnits()
	if f.errs.HasErrors() {
		return
	}
	f.connect()
	f.bindMemories()
	steps := map[string]bool{}
	for _, c := range fab.Comps {
		for _, fu := range c.Units() {
			for _, op := range fu.Ops {
				switch op.Op.Name {
				case opname.HandshakeJoin:
					fab.MaxJoinFanin = max(fab.MaxJoinFanin, op.Op.NumOperands())
				case opname.DataflowStream:
					steps[op.Op.StrAttr("step_op")] = true
				}
			}
		}
	}
	fab.StreamOps = slices.AppendSeq([]string{}, maps.Keys(steps))
	slices.Sort(fab.StreamOps)
	// The attribute may state less than the units offer, never more.
	if limit, ok := root.IntAttr(AttrJoinFanin); ok {
		fab.MaxJoinFanin = min(fab.MaxJoinFanin, int(limit))
	}
}

// boundary lists the ports of the root module.
func (f *flattener) boundary(top *scope) {
	argNames, resNames := Names(top.module, AttrArgNames), Names(top.module, AttrResNames)
	for i, a := range top.module.Regions[0].Entry().Args {
		want := pick(argNames, i, a.Name, fmt.Sprintf("in%d", i))
		if mt, ok := a.Type.(*ir.MemRefType); ok {
			f.out.MemPorts = append(f.out.MemPorts, MemPort{Name: f.names.Unique(want), Type: mt})
			continue
		}
		f.untagged(a.Type, a.Loc, "a boundary input")
		f.out.Inputs = append(f.out.Inputs, &Boundary{Name: f.names.Unique(want), Type: a.Type, Width: f.width(a.Type)})
	}
	yield := top.module.Regions[0].Entry().Terminator()
	for i, t := range Signature(top.module).Results {
		if _, ok := t.(*ir.MemRefType); ok {
			continue // a memory that shows itself to the host, no channel
		}
		f.untagged(t, yield.Pos, "a boundary output")
		b := &Boundary{Name: f.names.Unique(pick(resNames, i, "", fmt.Sprintf("out%d", i))), Type: t, Width: f.width(t)}
		f.sinks = append(f.sinks, sink{Endpoint{Port: len(f.out.Outputs)}, top, yield.Operand(i)})
		f.out.Outputs = append(f.out.Outputs, b)
	}
}

// pick chooses a port's name: the one in the attribute, else the value's name
// unless that is only a number, else the fallback.
func pick(names []string, i int, valueName, fallback string) string {
	if i < len(names) && names[i] != "" {
		return names[i]
	}
	if valueName != "" && !isNumber(valueName) {
		return valueName
	}
	return fallback
}

func isNumber(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// width is the width of a port in hardware.
func (f *flattener) width(t ir.Type) int {
	w, _ := ir.BitWidth(t, f.out.IndexWidth)
	return max(w, 1)
}

func (f *flattener) untagged(t ir.Type, pos diag.Pos, what string) {
	if TagWidth(t) > 0 {
		f.unsupported(pos, what+" with a tag")
	}
}

// unsupported reports legal Fabric MLIR that cannot be generated yet.
func (f *flattener) unsupported(pos diag.Pos, what string) {
	f.errs.Errorf(pos, "%s is not supported yet", what).WithSymbol("CPL_MODULE_UNSUPPORTED").
		WithHelp("the text is legal; mapping and hardware generation do not cover it so far")
}

// elaborate makes the components of a module and of the modules in it, in order.
func (f *flattener) elaborate(s *scope, depth int) {
	if depth > maxDepth {
		f.errs.Errorf(s.module.Pos, "instances are nested deeper than %d levels", maxDepth)
		return
	}
	if w := int(IntParam(s.module, AttrIndexWidth, DefaultIndexWidth)); w != f.out.IndexWidth {
		f.errs.Errorf(s.inst.Pos, "index is %d bits wide in module %s but %d bits in %s, which instantiates it",
			w, ir.SymbolText(s.module.SymName()), f.out.IndexWidth, ir.SymbolText(f.out.Name)).
			WithSymbol("CPL_MODULE_INDEX_WIDTH").WithNote(s.module.Pos, "module defined here")
		return
	}
	for _, op := range s.module.Regions[0].Entry().Ops {
		if len(f.out.Comps)+len(f.children) > maxComponents {
			if !f.errs.HasErrors() {
				f.errs.Errorf(op.Pos, "the fabric has more than %d components", maxComponents)
			}
			return
		}
		def := op
		if op.Name == opname.FabricInstance {
			def = f.syms.Target(op)
		} else if IsDefinition(op) || op.Name == opname.FabricYield {
			continue
		}
		if def.Name == opname.FabricModule {
			child := &scope{parent: s, inst: op, module: def, prefix: s.prefix + f.localName(op) + "_", dx: s.dx, dy: s.dy}
			if x, y, ok := Location(op); ok {
				child.dx, child.dy = s.dx+x, s.dy+y
			}
			f.children[scopeOp{s, op}] = child
			f.elaborate(child, depth+1)
			continue
		}
		f.component(s, op, def)
	}
}

// localName is what an instance or inline use is called in its module: its
// instance_name, else the name of its first result, else what it is.
func (f *flattener) localName(op *ir.Operation) string {
	if n := op.StrAttr(AttrInstanceName); n != "" {
		return n
	}
	for _, r := range op.Results() {
		if r.Name != "" && !isNumber(r.Name) {
			return r.Name
		}
	}
	if t := Target(op); t != "" {
		return t
	}
	return op.Name[len("fabric."):]
}

func (f *flattener) component(s *scope, op, def *ir.Operation) {
	kind := Kind(strings.TrimPrefix(def.Name, "fabric."))
	contract, ok := kinds[kind]
	if !ok {
		f.unsupported(op.Pos, "'"+def.Name+"'")
		return
	}
	c := &Component{ID: len(f.out.Comps), Kind: kind, Pos: op.Pos, Name: f.names.Unique(s.prefix + f.localName(op))}
	if x, y, ok := Location(op); ok {
		c.X, c.Y, c.Placed = s.dx+x, s.dy+y, true
	}
	if a := op.Attr(AttrSharedUnits); a != nil {
		f.sharing(s, c, op, def, a)
	}
	if IsDefinition(def) {
		c.Def = f.defName(def, def.SymName())
	} else {
		c.Def = f.defs.Unique(c.Name)
	}
	ft := Signature(def)
	ins, outs := ft.Inputs, ft.Results
	if len(outs) > 0 {
		if _, ok := outs[0].(*ir.MemRefType); ok {
			outs = outs[1:]
		}
	}
	inName, outName := contract.read(f, c, def)
	for i, t := range ins {
		c.In = append(c.In, f.port(inName(i), t))
	}
	for i, t := range outs {
		c.Out = append(c.Out, f.port(outName(i), t))
	}
	operands := op.Operands()
	if len(operands) > len(ins) { // the memref of an external memory
		f.mems = append(f.mems, scopeOp{s, op})
		operands = operands[1:]
	}
	for i, v := range operands {
		f.sinks = append(f.sinks, sink{Endpoint{c, i}, s, v})
	}
	f.comps[scopeOp{s, op}] = c
	f.out.Comps = append(f.out.Comps, c)
}

// port is a port of a component with its widths in hardware.
func (f *flattener) port(name string, t ir.Type) Port {
	if tt, tagged := t.(*ir.TaggedType); tagged {
		w, _ := ir.BitWidth(tt.Value, f.out.IndexWidth)
		return Port{Name: name, Type: t, Width: w, TagWidth: tt.TagWidth}
	}
	return Port{Name: name, Type: t, Width: f.width(t)}
}

// defName names a definition once.
func (f *flattener) defName(def *ir.Operation, want string) string {
	if f.defNames[def] == "" {
		f.defNames[def] = f.defs.Unique(want)
	}
	return f.defNames[def]
}
