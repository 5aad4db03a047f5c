package check

import (
	"slices"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mapping"
)

// tracer compares what an image makes the hardware do with a graph. It is not
// told which PE executes which operation: every operand has exactly one source
// in the graph and in the hardware, so walking backwards from results and
// memories identifies the operations one by one. What nothing observes is
// matched by search.
type tracer struct {
	g    *graph
	f    *arch.Fabric
	img  *config.Image
	b    *mapping.Binding
	errs diag.List

	sourceOf   map[hwSink]hwSource
	sinks      map[hwSource]int
	answered   map[hwSource]bool
	entered    map[[2]int]bool
	usedRoutes map[[2]int]bool

	peOf  map[int]match                   // op -> where it runs
	opAt  map[*arch.Component]map[int]int // PE -> body operation -> op
	trail []int                           // ops in the order they were matched
	steps int
}

// match places an operation at body operation body of the unit in comp.
type match struct {
	comp *arch.Component
	body int
}

func (t *tracer) fail(format string, args ...any) *diag.Diagnostic {
	return t.errs.Errorf(t.g.fn.Pos, "illegal configuration: "+format, args...)
}

func (t *tracer) run() {
	t.entered, t.usedRoutes = map[[2]int]bool{}, map[[2]int]bool{}
	t.peOf, t.opAt = map[int]match{}, map[*arch.Component]map[int]int{}
	if len(t.b.Args)+1 != len(t.g.args) || len(t.b.Results)+1 != t.g.ops[t.g.ret].NumOperands() {
		t.fail("the binding is not of this kernel")
		return
	}
	t.flow()
	if t.errs.HasErrors() {
		return
	}
	t.anchors()
	if t.errs.HasErrors() {
		return
	}
	t.unobserved()
	if t.errs.HasErrors() {
		return
	}
	t.complete()
}

// memComp is the component of memory operation i by the binding, or for on-chip
// memories by elimination: there is no binding, so any used one.
func (t *tracer) memComp(i int) []*arch.Component {
	op := t.g.ops[i]
	var out []*arch.Component
	if op.Name == "handshake.extmemory" {
		a := op.Operand(0).Index
		if op.Operand(0).Def == nil && a < len(t.b.Args) {
			if id := t.b.Args[a].Mem; id >= 0 && id < len(t.f.Comps) && t.f.Comps[id].Kind == arch.ExtMemory {
				out = append(out, t.f.Comps[id])
			}
		}
		return out
	}
	for _, c := range t.f.Comps {
		if c.Kind == arch.Memory && t.memUsed(c) {
			out = append(out, c)
		}
	}
	return out
}

// anchors walks backwards from results and external memories.
func (t *tracer) anchors() {
	ret := t.g.ops[t.g.ret]
	for k := range ret.Operands() {
		out := t.b.Done
		if k < len(t.b.Results) {
			out = t.b.Results[k].Output
		}
		if !t.sink(terminal{t.g.ret, k}, hwSink{nil, out}) {
			t.fail("boundary output %d does not deliver result %d of the kernel", out, k).WithNote(ret.Pos, "returned here")
		}
	}
	for i, op := range t.g.ops {
		if op.Name != "handshake.extmemory" {
			continue
		}
		if !slices.ContainsFunc(t.memComp(i), func(c *arch.Component) bool { return t.unifyMemory(i, c) }) {
			t.errs.Errorf(op.Pos, "illegal configuration: the memory of operation %d is not fed as the kernel says", i)
		}
	}
}

// sink unifies an operand of the graph with a sink of the hardware.
func (t *tracer) sink(dst terminal, hw hwSink) bool {
	src, ok := t.sourceOf[hw]
	return ok && t.source(t.g.source[dst].src, src)
}

// source unifies a value of the graph with a source of the hardware.
func (t *tracer) source(v terminal, hw hwSource) bool {
	switch {
	case v.Op < 0:
		in := t.b.Start
		if v.Port < len(t.b.Args) {
			in = t.b.Args[v.Port].Input
		}
		return hw.Comp == nil && hw.Port == in
	case hw.Comp == nil:
		return false
	case t.g.isMemory(v.Op):
		return hw.Comp.Mem != nil && hw.Port == memPort(hw.Comp.Mem, t.g.memFamily(v.Op, true, v.Port)) && t.unifyMemory(v.Op, hw.Comp)
	case hw.Comp.Kind != arch.SpatialPE:
		return false
	}
	fu := t.unit(hw.Comp)
	y := fu.Yield[hw.Port]
	return y.Op >= 0 && y.Result == v.Port && t.unify(v.Op, hw.Comp, y.Op)
}

func (t *tracer) unit(c *arch.Component) *arch.FunctionUnit {
	return c.PE.FUs[t.img.Settings[c.ID].PE.Opcode]
}

// unifyMemory places memory operation i on c and compares its inputs.
func (t *tracer) unifyMemory(i int, c *arch.Component) bool {
	if m, done := t.peOf[i]; done {
		return m.comp == c
	}
	if len(t.opAt[c]) > 0 || !slices.Contains(t.memComp(i), c) {
		return false
	}
	mark := len(t.trail)
	t.bind(i, c, 0)
	_, _, first, _, ok := t.g.memShape(i)
	for k := first; ok && k < t.g.ops[i].NumOperands(); k++ {
		ok = t.sink(terminal{i, k}, hwSink{c, memPort(c.Mem, t.g.memFamily(i, false, k))})
	}
	if !ok {
		t.undo(mark)
	}
	return ok
}

// unify places operation op at a body operation of the unit in c and compares
// everything that feeds it.
func (t *tracer) unify(op int, c *arch.Component, body int) bool {
	if m, done := t.peOf[op]; done {
		return m.comp == c && m.body == body
	}
	if _, taken := t.opAt[c][body]; taken || !t.g.isUnit(op) {
		return false
	}
	if t.steps++; t.steps > 1_000_000 {
		return false
	}
	fu := t.unit(c)
	hw, sw := fu.Ops[body], t.g.ops[op]
	if executes(hw.Op, sw, t.f.IndexWidth) != "" || !t.fields(c, fu, body, sw) {
		return false
	}
	mark := len(t.trail)
	t.bind(op, c, body)
	orders := [][]int{nil}
	if sw.NumOperands() == 2 && sw.Def().Has(ir.Commutative) {
		orders = append(orders, []int{1, 0})
	}
	for _, order := range orders {
		ok := true
		inner := len(t.trail)
		for k := range sw.Operands() {
			p := k
			if order != nil {
				p = order[k]
			}
			if ok = t.operand(c, op, k, hw.Operands[p]); !ok {
				break
			}
		}
		if ok {
			return true
		}
		t.undo(inner)
	}
	t.undo(mark)
	return false
}

// operand compares one operand of op with what the unit reads.
func (t *tracer) operand(c *arch.Component, op, k int, r arch.ValueRef) bool {
	if r.Op < 0 {
		return t.sink(terminal{op, k}, hwSink{c, r.Arg})
	}
	v := t.g.ops[op].Operand(k)
	return v.Def != nil && v.Index == r.Result && !t.g.wire[t.g.index[v.Def]] && t.unify(t.g.index[v.Def], c, r.Op)
}

// fields compares the configuration fields of a body operation.
func (t *tracer) fields(c *arch.Component, fu *arch.FunctionUnit, body int, sw *ir.Operation) bool {
	s := t.img.Settings[c.ID].PE
	for i, fd := range fu.Fields(t.f.IndexWidth) {
		if fd.Op != body {
			continue
		}
		if want, ok := wantField(fd, sw); !ok || i >= len(s.Fields) || s.Fields[i] != want {
			return false
		}
	}
	return true
}

func (t *tracer) bind(op int, c *arch.Component, body int) {
	t.peOf[op] = match{c, body}
	if t.opAt[c] == nil {
		t.opAt[c] = map[int]int{}
	}
	t.opAt[c][body] = op
	t.trail = append(t.trail, op)
}

func (t *tracer) undo(mark int) {
	for _, op := range t.trail[mark:] {
		m := t.peOf[op]
		delete(t.opAt[m.comp], m.body)
		delete(t.peOf, op)
	}
	t.trail = t.trail[:mark]
}

// unobserved matches the operations that no result and no external memory
// depends on: first those that nothing reads, whose sources then follow, then
// what is left on dead cycles.
func (t *tracer) unobserved() {
	var rest []int
	for _, leaves := range []bool{true, false} {
		for i := range t.g.ops {
			if t.g.wire[i] || i == t.g.ret || t.unread(i) != leaves {
				continue
			}
			rest = append(rest, i)
		}
	}
	if !t.place(rest) {
		for _, i := range rest {
			if _, done := t.peOf[i]; !done {
				t.errs.Errorf(t.g.ops[i].Pos, "illegal configuration: no PE executes operation %d ('%s') on the operands the kernel gives it", i, t.g.ops[i].Name)
			}
		}
	}
}

// unread reports whether nothing reads any result of operation i.
func (t *tracer) unread(i int) bool {
	for k := range t.g.ops[i].Results() {
		if len(t.g.readers[terminal{i, k}]) > 0 {
			return false
		}
	}
	return true
}

// place matches the operations of a list one after the other, trying every place
// and coming back to earlier choices when a later operation finds none.
func (t *tracer) place(rest []int) bool {
	for len(rest) > 0 {
		if _, done := t.peOf[rest[0]]; !done {
			break
		}
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return true
	}
	i := rest[0]
	mark := len(t.trail)
	try := func(ok bool) bool {
		if ok && t.place(rest[1:]) {
			return true
		}
		t.undo(mark)
		return false
	}
	if t.g.isMemory(i) {
		for _, c := range t.memComp(i) {
			if try(t.unifyMemory(i, c)) {
				return true
			}
		}
		return false
	}
	for _, c := range t.f.Comps {
		if c.Kind != arch.SpatialPE || !t.img.Settings[c.ID].PE.Enable {
			continue
		}
		for b := range t.unit(c).Ops {
			if try(t.unify(i, c, b)) {
				return true
			}
		}
	}
	return false
}

// complete checks that the hardware does nothing beyond the graph: every enabled
// PE is accounted for, every value reaches as many sinks as it has readers, no
// route is without tokens, FIFOs and regions are as they should be.
func (t *tracer) complete() {
	for _, c := range t.f.Comps {
		s := t.img.Settings[c.ID]
		switch c.Kind {
		case arch.SpatialPE:
			if s.PE.Enable && len(t.opAt[c]) != len(t.unit(c).Ops) {
				t.fail("PE '%s' executes something that the kernel does not contain", c.Name)
			}
			for k, sel := range s.PE.In {
				if sel.Disconnect || !s.PE.Enable {
					continue
				}
				if _, fed := t.sourceOf[hwSink{c, k}]; !fed {
					t.fail("input %d of the unit in PE '%s' waits for tokens that never come", k, c.Name)
				}
			}
		case arch.SpatialSwitch:
			if len(s.Switch.Extra) > 0 {
				t.fail("switch '%s' enables several routes to one output", c.Name)
			}
			for o, i := range s.Switch.Route {
				if i >= 0 && !t.usedRoutes[[2]int{c.ID, o}] {
					t.fail("switch '%s' routes input %d to output %d, where no token ever arrives", c.Name, i, o)
				}
			}
		case arch.Memory, arch.ExtMemory:
			if t.memUsed(c) && len(t.opAt[c]) == 0 {
				t.fail("memory '%s' has a valid region but serves no memory of the kernel", c.Name)
			}
			if len(t.opAt[c]) > 0 && !t.memUsed(c) {
				t.fail("memory '%s' has no valid region", c.Name)
			}
		}
	}
	t.fanOut()
}

// fanOut compares the number of readers of every value.
func (t *tracer) fanOut() {
	want := map[hwSource]int{}
	for v, readers := range t.g.readers {
		switch {
		case v.Op < 0:
			in := t.b.Start
			if v.Port < len(t.b.Args) {
				in = t.b.Args[v.Port].Input
			}
			want[hwSource{nil, in}] += len(readers)
		case t.g.isMemory(v.Op):
			c := t.peOf[v.Op].comp
			want[hwSource{c, memPort(c.Mem, t.g.memFamily(v.Op, true, v.Port))}] += len(readers)
		default:
			m := t.peOf[v.Op]
			for j, y := range t.unit(m.comp).Yield {
				if y.Op == m.body && y.Result == v.Port {
					if n := t.sinks[hwSource{m.comp, j}]; n > 0 {
						want[hwSource{m.comp, j}] = n
						if n != t.external(m.comp, readers) {
							t.errs.Errorf(t.g.ops[v.Op].Pos, "illegal configuration: result %d of operation %d reaches %d places, the kernel has %d readers",
								v.Port, v.Op, n, t.external(m.comp, readers))
						}
					}
				}
			}
		}
	}
	for _, src := range sortedSources(t.sinks) {
		if src.Comp != nil && src.Comp.Kind == arch.SpatialPE {
			if want[src] == 0 {
				t.fail("output %d of the unit in PE '%s' is delivered although nothing reads it", src.Port, src.Comp.Name)
			}
			continue
		}
		if t.sinks[src] != want[src] {
			name := "a boundary input"
			if src.Comp != nil {
				name = "'" + src.Comp.Name + "'"
			}
			t.fail("output %d of %s reaches %d places, the kernel has %d readers", src.Port, name, t.sinks[src], want[src])
		}
	}
}

// external counts the readers that do not sit in the unit of c.
func (t *tracer) external(c *arch.Component, readers []terminal) int {
	n := 0
	for _, r := range readers {
		if r.Op == t.g.ret || t.peOf[r.Op].comp != c || len(t.unit(c).Ops) == 1 {
			n++
		}
	}
	return n
}

// sortedSources orders sources by component and port.
func sortedSources(m map[hwSource]int) []hwSource {
	out := make([]hwSource, 0, len(m))
	for s := range m {
		out = append(out, s)
	}
	id := func(s hwSource) int {
		if s.Comp == nil {
			return -1
		}
		return s.Comp.ID
	}
	slices.SortFunc(out, func(a, b hwSource) int {
		if d := id(a) - id(b); d != 0 {
			return d
		}
		return a.Port - b.Port
	})
	return out
}
