package check

import (
	"slices"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/compiler/opname"
)

// tracer compares what an image makes the hardware do with a graph. It is not given
// the mapping of operations to PEs: every operand has exactly one source
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
	responded  map[hwSource]bool
	entered    map[[2]int]bool
	usedRoutes map[[2]int]bool

	net   *tagNet
	lanes map[*arch.Component]laneSite // lanes with traffic

	peOf     map[int]match                   // op -> where it runs
	opAt     map[*arch.Component]map[int]int // component -> body -> op
	siteOf   map[access]*arch.Component      // access -> lane, or memory without tags
	accessAt map[site]access
	inline   map[terminal]bool // operands that are immediates of constants
	trail    []func()          // how to take back what was matched, in order
	steps    int
}

// maxSteps bounds the search in configurations with many parts that look alike.
const maxSteps = 1_000_000

// match places an operation at body operation body of the unit in comp, or a
// memory at region body of the memory comp.
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
	t.inline = map[terminal]bool{}
	t.siteOf, t.accessAt = map[access]*arch.Component{}, map[site]access{}
	if len(t.b.Args)+1 != len(t.g.args) || len(t.b.Results)+1 != t.g.ops[t.g.ret].NumOperands() {
		t.fail("the binding is not of this kernel")
		return
	}
	t.flow()
	if t.errs.HasErrors() {
		return
	}
	t.search()
	if t.errs.HasErrors() {
		return
	}
	t.complete()
	t.caches()
}

// passes reports whether the image leads the data of loads past their units, and with that what may do without a unit.
func (t *tracer) passes() bool {
	units := 0
	for _, c := range t.f.Comps {
		if c.Kind == arch.TemporalPE && slices.ContainsFunc(unitsOf(c), func(fu *arch.FunctionUnit) bool { return slices.ContainsFunc(fu.Ops, leadsLoad) }) {
			return false
		}
		s := t.img.Settings[c.ID].PE
		if c.Kind != arch.SpatialPE || !s.Enable || s.Opcode >= len(unitsOf(c)) {
			continue
		}
		for _, o := range t.unit(c).Ops {
			if !leadsLoad(o) {
				continue
			}
			units++
			if data := o.Operands[1]; data.Op < 0 && s.In[data.Arg].Disconnect && !s.In[data.Arg].Immediate {
				return true
			}
		}
	}
	for _, op := range t.g.ops {
		if isLoad(op) {
			units--
		}
	}
	return units < 0
}

func leadsLoad(o *arch.FUOp) bool { return isLoad(o.Op) }

// result unifies result k of the kernel with what its boundary output delivers.
func (t *tracer) result(k int, then func() bool) bool {
	return t.sink(terminal{t.g.ret, k}, hwSink{nil, t.resultPort(k)}, then)
}

// resultPort is the boundary output of result k; the last one is the done token.
func (t *tracer) resultPort(k int) int {
	if k < len(t.b.Results) {
		return t.b.Results[k].Output
	}
	return t.b.Done
}

// The functions below unify a part of the graph with a part of the hardware and
// go on with then. Where that fails they take back what they matched and try
// what else is possible: the operands of a commutative operation exchanged.

// inTurn does n steps, each as the continuation of the one before, and then goes
// on.
func inTurn(n int, step func(k int, then func() bool) bool, then func() bool) bool {
	var from func(k int) bool
	from = func(k int) bool {
		if k == n {
			return then()
		}
		return step(k, func() bool { return from(k + 1) })
	}
	return from(0)
}

// sink unifies an operand of the graph with a sink of the hardware.
func (t *tracer) sink(dst terminal, hw hwSink, then func() bool) bool {
	src, ok := t.sourceOf[hw]
	return ok && t.source(t.g.source[dst].src, src, then)
}

// source unifies a value of the graph with a source of the hardware.
func (t *tracer) source(v terminal, hw hwSource, then func() bool) bool {
	switch {
	case v.Op < 0:
		in := t.b.Start
		if v.Port < len(t.b.Args) {
			in = t.b.Args[v.Port].Input
		}
		return hw.Comp == nil && hw.Port == in && then()
	case hw.Comp == nil:
		return false
	case t.g.isMemory(v.Op):
		a, family := t.g.accessOf(v.Op, true, v.Port)
		return hw.Port == sitePort(hw.Comp, family) && t.unifyAccess(a, hw.Comp, then)
	case hw.Comp.Kind == arch.TemporalPE:
		n, r := hw.Port%hw.Comp.TPE.Instructions, hw.Port/hw.Comp.TPE.Instructions
		fu, _ := t.unitAt(hw.Comp, bodies*n)
		y := fu.Yield[r]
		return y.Op >= 0 && y.Result == v.Port && t.unify(v.Op, hw.Comp, bodies*n+y.Op, then)
	case hw.Comp.Kind != arch.SpatialPE:
		return false
	}
	fu := t.unit(hw.Comp)
	y := fu.Yield[hw.Port]
	return y.Op >= 0 && y.Result == v.Port && t.unify(v.Op, hw.Comp, y.Op, then)
}

func (t *tracer) unit(c *arch.Component) *arch.FunctionUnit {
	return c.PE.FUs[t.img.Settings[c.ID].PE.Opcode]
}

// unify places operation op at a body operation of the unit in c and compares
// everything that feeds it.
func (t *tracer) unify(op int, c *arch.Component, body int, then func() bool) bool {
	if m, done := t.peOf[op]; done {
		return m.comp == c && m.body == body && then()
	}
	if _, taken := t.opAt[c][body]; taken || !t.g.isUnit(op) {
		return false
	}
	if t.steps++; t.steps > maxSteps {
		return false
	}
	fu, b := t.unitAt(c, body)
	hw, sw := fu.Ops[b], t.g.ops[op]
	if stands(fu, b, sw, t.f.IndexWidth) != "" {
		return false
	}
	mark := len(t.trail)
	t.bind(op, c, body)
	inner := len(t.trail)
	straight := func(k int, then func() bool) bool { return t.operand(c, body, op, k, hw.Operands[k], then) }
	if gateAsBranch(fu, b, sw) {
		straight = func(k int, then func() bool) bool { return t.operand(c, body, op, k, hw.Operands[1-k], then) }
	}
	if t.fields(c, fu, body, sw, false) && inTurn(sw.NumOperands(), straight, then) {
		return true
	}
	if sw.NumOperands() == 2 && (sw.Def().Has(ir.Commutative) || sw.Name == opname.ArithCmpI) && t.fields(c, fu, body, sw, true) {
		t.undo(inner)
		crossed := func(k int, then func() bool) bool { return t.operand(c, body, op, k, hw.Operands[1-k], then) }
		if inTurn(2, crossed, then) {
			return true
		}
	}
	t.undo(mark)
	return false
}

// operand compares one operand of op with what the unit reads.
func (t *tracer) operand(c *arch.Component, body, op, k int, r arch.ValueRef, then func() bool) bool {
	if r.Op < 0 {
		return t.argument(c, body, terminal{op, k}, r.Arg, then)
	}
	v := t.g.ops[op].Operand(k)
	return v.Def != nil && v.Index == r.Result && t.g.passedOn(v) < 0 && t.unify(t.g.index[v.Def], c, first(c, body)+r.Op, then)
}

// argument compares an operand with what arrives at an input of a unit: tokens with their data,
// a constant from the configuration with the tokens of its control, or what is held.
func (t *tracer) argument(c *arch.Component, body int, dst terminal, arg int, then func() bool) bool {
	var sel config.Selector
	at, e := hwSink{c, arg}, t.g.source[dst]
	if c.Kind == arch.TemporalPE {
		sel, at = t.temporalArgument(c, body, dst, arg)
	} else {
		sel = t.img.Settings[c.ID].PE.In[arg]
	}
	switch {
	case t.g.direct[dst.Op] && dst.Port == 1: // the data of a load, which goes past its unit
		return sel.Disconnect && !sel.Immediate && then()
	case !sel.Immediate:
		return !e.held && t.sink(dst, at, then)
	case e.held:
		return sel.Held() && sel.Value == 0 && then()
	case e.src.Op < 0 || !t.g.isConstant(e.src.Op) || t.g.heldConstant(e.src.Op) != sel.Held():
		return false
	}
	if want, ok := constantBits(t.g.ops[e.src.Op], e.width, t.g.iw); !ok || sel.Value != want {
		return false
	}
	t.inline[dst] = true
	t.trail = append(t.trail, func() { delete(t.inline, dst) })
	if sel.Held() {
		return then()
	}
	src, ok := t.sourceOf[at]
	return ok && t.source(t.g.source[terminal{e.src.Op, 0}].src, src, then)
}

// fields compares the configuration fields of a body operation, of a comparison for its
// operands in the order they have.
func (t *tracer) fields(c *arch.Component, fu *arch.FunctionUnit, body int, sw *ir.Operation, exchanged bool) bool {
	if c.Kind == arch.TemporalPE {
		want := uint64(0)
		if sw.Name == opname.ArithCmpI {
			p, _ := sw.IntAttr("predicate")
			if want = uint64(p); exchanged {
				want = mirrored(sw)
			}
		}
		return t.instruction(c, body).Predicate == want
	}
	s := t.img.Settings[c.ID].PE
	for i, fd := range fu.Fields(t.f.IndexWidth) {
		if fd.Op != body {
			continue
		}
		want, ok := wantField(fd, sw, t.g.iw)
		if exchanged && fd.Name == "predicate" {
			want = mirrored(sw)
		}
		if !ok || i >= len(s.Fields) || s.Fields[i] != want {
			return false
		}
	}
	return true
}

func (t *tracer) bind(op int, c *arch.Component, body int) {
	before, had := t.peOf[op] // of a memory that is read through several
	t.peOf[op] = match{c, body}
	if t.opAt[c] == nil {
		t.opAt[c] = map[int]int{}
	}
	t.opAt[c][body] = op
	t.trail = append(t.trail, func() {
		delete(t.opAt[c], body)
		if had {
			t.peOf[op] = before
		} else {
			delete(t.peOf, op)
		}
	})
}

func (t *tracer) undo(mark int) {
	for len(t.trail) > mark {
		last := len(t.trail) - 1
		t.trail[last]()
		t.trail = t.trail[:last]
	}
}

// complete checks that the hardware does nothing beyond the graph: every enabled
// PE executes an operation of the graph, every value reaches as many sinks as it has readers, no
// route is without tokens, FIFOs and regions are as they should be.
func (t *tracer) complete() {
	// From here on the readers are those that the configuration has.
	if err := t.g.connect(t.inline); err != nil {
		t.errs.Add(diag.New(t.g.fn.Pos, "%v", err))
		return
	}
	for _, c := range t.f.Comps {
		s := t.img.Settings[c.ID]
		for r, reg := range s.Regions {
			if _, ok := t.opAt[c][r]; reg.Valid && !ok {
				t.fail("memory '%s' has a valid region %d that serves no memory of the kernel", c.Name, r)
			}
		}
		switch c.Kind {
		case arch.SpatialPE:
			if s.PE.Enable && len(t.opAt[c]) != len(t.unit(c).Ops) {
				t.fail("PE '%s' executes something that the kernel does not contain", c.Name)
			}
			held := s.PE.Enable
			for k := range s.PE.In {
				held = held && (k >= len(t.unit(c).In) || s.PE.In[k].Held())
			}
			if held {
				t.fail("every operand of the unit in PE '%s' is held: it would compute without end", c.Name)
			}
			for k, sel := range s.PE.In {
				if s.PE.Enable && sel.Immediate && k >= len(t.unit(c).In) {
					t.fail("input %d of PE '%s' has an immediate, its unit has no such operand", k, c.Name)
				}
				if sel.Disconnect || !s.PE.Enable {
					continue
				}
				if _, fed := t.sourceOf[hwSink{c, k}]; !fed {
					t.fail("input %d of the unit in PE '%s' waits for tokens that never come", k, c.Name)
				}
			}
		case arch.TemporalPE:
			t.temporalComplete(c, s.TPE)
		case arch.SpatialSwitch:
			for o, i := range s.Switch.Route {
				if i >= 0 && !t.usedRoutes[[2]int{c.ID, o}] {
					t.fail("switch '%s' routes input %d to output %d, where no token ever arrives", c.Name, i, o)
				}
			}
		case arch.LoadLane, arch.StoreLane:
			_, traffic := t.lanes[c]
			kind, _ := laneKind(c)
			if _, ok := t.accessAt[site{c, kind}]; traffic && !ok {
				t.fail("lane '%s' carries a %s that the kernel does not contain", c.Name, kind)
			}
		}
	}
	t.net.unused()
	t.contents()
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
			want[hwSource{nil, in}] += t.sinksOf(readers)
		case t.g.isMemory(v.Op):
			a, family := t.g.accessOf(v.Op, true, v.Port)
			c := t.siteOf[a]
			want[hwSource{c, sitePort(c, family)}] += t.sinksOf(readers)
		default:
			m := t.peOf[v.Op]
			fu, b := t.unitAt(m.comp, m.body)
			for j, y := range fu.Yield {
				if y.Op == b && y.Result == v.Port {
					at := hwSource{m.comp, j}
					if m.comp.Kind == arch.TemporalPE {
						at.Port = m.body/bodies + j*m.comp.TPE.Instructions
					}
					if n := t.sinks[at]; n > 0 {
						want[at] = n
						if n != t.external(m, readers) {
							t.errs.Errorf(t.g.ops[v.Op].Pos, "illegal configuration: result %d of operation %d reaches %d sinks, the kernel has %d readers",
								v.Port, v.Op, n, t.external(m, readers))
						}
					}
				}
			}
		}
	}
	for _, src := range sortedSources(t.sinks) {
		if src.Comp != nil && unitsOf(src.Comp) != nil {
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
			t.fail("output %d of %s reaches %d sinks, the kernel has %d readers", src.Port, name, t.sinks[src], want[src])
		}
	}
}

// external counts the readers that do not sit in the unit at m, or read what its output carries at an input of the unit, as the
// constant does that a loop starts its next iteration with.
func (t *tracer) external(m match, readers []terminal) int {
	var outside []terminal
	_, b := t.unitAt(m.comp, m.body)
	for _, r := range readers {
		at := t.peOf[r.Op]
		if r.Op == t.g.ret || at.comp != m.comp || m.comp.Kind == arch.TemporalPE && at.body/bodies != (m.body-b)/bodies || !t.readsInside(at, r, b) {
			outside = append(outside, r)
		}
	}
	return t.sinksOf(outside)
}

// reads is what an operation that runs at m reads in the unit.
func (t *tracer) reads(m match, r terminal) arch.ValueRef {
	fu, b := t.unitAt(m.comp, m.body)
	k := r.Port
	if gateAsBranch(fu, b, t.g.ops[r.Op]) {
		k = 1 - k
	}
	return fu.Ops[b].Operands[k]
}

// readsInside reports whether an operation that runs at m reads there what operation b of the body computes. Operands of a commutative one
// may be exchanged.
func (t *tracer) readsInside(m match, r terminal, b int) bool {
	if t.reads(m, r).Op >= 0 {
		return true
	}
	sw := t.g.ops[r.Op]
	return sw.NumOperands() == 2 && sw.Def().Has(ir.Commutative) && t.reads(m, terminal{r.Op, 1 - r.Port}).Op == b
}

// sinksOf is the number of sinks at which readers read one value: operations of a unit that read
// it at one input of the unit are one sink.
func (t *tracer) sinksOf(readers []terminal) int {
	n := 0
	seen := map[hwSink]bool{}
	for _, r := range readers {
		if m, ok := t.peOf[r.Op]; ok && m.comp != nil && unitsOf(m.comp) != nil {
			fu, _ := t.unitAt(m.comp, m.body)
			// Operands of joins may be more in the unit, and exchanged ones are read once.
			if ref := t.reads(m, r); ref.Op < 0 && inputReads(fu, ref.Arg) > 1 {
				at := hwSink{m.comp, bodies*(m.body/bodies) + ref.Arg}
				if m.comp.Kind == arch.SpatialPE {
					at.Port = ref.Arg
				}
				if seen[at] {
					continue
				}
				seen[at] = true
			}
		}
		n++
	}
	return n
}

// inputReads counts the operands of a unit's body that read one of its inputs.
func inputReads(fu *arch.FunctionUnit, arg int) int {
	n := 0
	for _, o := range fu.Ops {
		for _, r := range o.Operands {
			if r.Op < 0 && r.Arg == arg {
				n++
			}
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
