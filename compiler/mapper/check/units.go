package check

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/compiler/opname"
)

// widthRule states per operand and result whether a unit must have the exact width
// ('x') or at least it ('w'); the last letter repeats. Operations without a rule
// are exact throughout.
type widthRule struct{ in, out string }

var widthRules = map[string]widthRule{
	opname.ArithAddI: {"w", "w"}, opname.ArithSubI: {"w", "w"}, opname.ArithMulI: {"w", "w"},
	opname.ArithAndI: {"w", "w"}, opname.ArithOrI: {"w", "w"}, opname.ArithXOrI: {"w", "w"},
	opname.ArithSelect: {"xw", "w"},
	opname.ArithExtSI:  {"x", "w"}, opname.ArithExtUI: {"x", "w"},
	opname.HandshakeConstant: {"w", "w"}, opname.HandshakeJoin: {"w", "w"},
	opname.HandshakeLoad: {"w", "w"}, opname.HandshakeStore: {"w", "w"},
	opname.HandshakeMux: {"xw", "w"}, opname.HandshakeCondBr: {"xw", "w"},
	opname.DataflowCarry: {"xw", "w"}, opname.DataflowInvariant: {"xw", "w"},
	opname.DataflowGate: {"wx", "wx"},
}

// letter is the rule for port k.
func letter(rule string, k int) byte {
	if rule == "" {
		return 'x'
	}
	return rule[min(k, len(rule)-1)]
}

// movesBits are the operations that carry values of any type of sufficient width.
func movesBits(name string) bool {
	return strings.HasPrefix(name, "handshake.") || name == opname.ArithSelect ||
		strings.HasPrefix(name, "dataflow.") && name != opname.DataflowStream && name != opname.DataflowAccumulate && name != opname.DataflowInterlock
}

// meaning is the name of what an operation computes: widening index casts extend.
func meaning(name string) string {
	switch name {
	case opname.ArithIndexCast:
		return opname.ArithExtSI
	case opname.ArithIndexCastUI:
		return opname.ArithExtUI
	}
	return name
}

// executes reports why hardware operation hw cannot stand for sw, "" when it can.
func executes(hw, sw *ir.Operation, iw int) string {
	name := meaning(sw.Name)
	if meaning(hw.Name) != name {
		return fmt.Sprintf("a unit for '%s' does not execute '%s'", hw.Name, sw.Name)
	}
	if name == opname.DataflowStream && hw.StrAttr("step_op") != sw.StrAttr("step_op") {
		return fmt.Sprintf("the unit steps with %q, the kernel with %q", hw.StrAttr("step_op"), sw.StrAttr("step_op"))
	}
	for _, a := range []string{"operation", "parts"} {
		if h, s := hw.Attr(a), sw.Attr(a); name == opname.DataflowAccumulate && (h == nil || s == nil || h.String() != s.String()) {
			return fmt.Sprintf("the unit sums up with %s = %v, the kernel with %v", a, h, s)
		}
	}
	if name == opname.HandshakeJoin {
		if hw.NumOperands() < sw.NumOperands() {
			return fmt.Sprintf("the unit joins %d tokens, the kernel %d", hw.NumOperands(), sw.NumOperands())
		}
		return ""
	}
	if hw.NumOperands() != sw.NumOperands() || hw.NumResults() != sw.NumResults() {
		return fmt.Sprintf("the unit has %d operands and %d results, the kernel's operation %d and %d",
			hw.NumOperands(), hw.NumResults(), sw.NumOperands(), sw.NumResults())
	}
	rule := widthRules[name]
	ports := func(what, letters string, hv, sv []*ir.Value) string {
		for k := range sv {
			h, ok1 := ir.BitWidth(hv[k].Type, iw)
			s, ok2 := ir.BitWidth(sv[k].Type, iw)
			if !ok1 || !ok2 || h < s || letter(letters, k) == 'x' && h != s {
				return fmt.Sprintf("%s %d has type %s in the unit, %s in the kernel", what, k, hv[k].Type, sv[k].Type)
			}
			if !movesBits(name) && ir.IsFloat(hv[k].Type) != ir.IsFloat(sv[k].Type) ||
				!movesBits(name) && ir.IsFloat(sv[k].Type) && hv[k].Type != sv[k].Type {
				return fmt.Sprintf("%s %d is %s in the unit, %s in the kernel", what, k, hv[k].Type, sv[k].Type)
			}
		}
		return ""
	}
	if why := ports("operand", rule.in, hw.Operands(), sw.Operands()); why != "" {
		return why
	}
	return ports("result", rule.out, hw.Results(), sw.Results())
}

// gateAsBranch reports whether a branch whose false side the unit does not yield stands for a gate
// whose condition nothing reads: both give the values with a true condition. The operands are in
// the other order.
func gateAsBranch(fu *arch.FunctionUnit, b int, sw *ir.Operation) bool {
	return fu.Ops[b].Op.Name == opname.HandshakeCondBr && sw.Name == opname.DataflowGate && len(fu.Ops) > 1 &&
		!yields(fu, arch.ValueRef{Op: b, Result: 1}) && len(sw.Result(1).Uses()) == 0
}

// stands reports why body operation b of a unit cannot stand for sw, "" when it can.
func stands(fu *arch.FunctionUnit, b int, sw *ir.Operation, iw int) string {
	hw := fu.Ops[b].Op
	if !gateAsBranch(fu, b, sw) {
		return executes(hw, sw, iw)
	}
	have, ok1 := ir.BitWidth(hw.Operand(1).Type, iw)
	need, ok2 := ir.BitWidth(sw.Operand(0).Type, iw)
	if !ok1 || !ok2 || have < need {
		return fmt.Sprintf("the unit passes %s on, the kernel %s", hw.Operand(1).Type, sw.Operand(0).Type)
	}
	return ""
}

// wantField is the value a configuration field must have to make a unit execute
// sw.
func wantField(fd arch.Field, sw *ir.Operation, iw int) (uint64, bool) {
	mask := ^uint64(0)
	if fd.Width < 64 {
		mask = 1<<fd.Width - 1
	}
	switch fd.Name {
	case "value":
		if w, ok := ir.BitWidth(sw.Result(0).Type, iw); ok && w < 64 {
			mask &= 1<<w - 1 // zeros above, on which extensions that are wires rely
		}
		if a, ok := sw.Attr("value").(*ir.IntegerAttr); ok {
			return uint64(a.Value) & mask, true
		}
		if a, ok := sw.Attr("value").(*ir.FloatAttr); ok {
			if sw.Result(0).Type == ir.Type(ir.F32) {
				return uint64(math.Float32bits(float32(a.Value))) & mask, true
			}
			return math.Float64bits(a.Value) & mask, sw.Result(0).Type == ir.Type(ir.F64)
		}
	case "mask":
		v := uint64(0)
		for k := range sw.NumOperands() {
			v |= 1 << k
		}
		return v, true
	case "predicate":
		v, ok := sw.IntAttr("predicate")
		return uint64(v), ok
	case "cont_cond":
		for bit, text := range []string{"<", "<=", ">", ">=", "!="} {
			if sw.StrAttr("cont_cond") == text {
				return 1 << bit, true
			}
		}
	}
	return 0, false
}

// units checks the technology mapping: every operation in one group, every group
// on a PE of its own that can execute it.
func (c *checker) units() {
	for gi := range c.m.Groups {
		g := &c.m.Groups[gi]
		pe := c.comps[g.Comp]
		lead := -1
		if len(g.Ops) > 0 {
			lead = g.Ops[0]
		}
		if g.ID != gi {
			c.fail(lead, "group %d is numbered %d", gi, g.ID)
		}
		units := unitsOf(pe)
		if units == nil {
			c.fail(lead, "group %d is on '%s', which is no PE", gi, g.Comp)
			continue
		}
		if len(g.Ops) > 0 {
			c.claim(lead, c.place(g, pe), fmt.Sprintf("group %d", gi))
		}
		if g.Opcode < 0 || g.Opcode >= len(units) || units[g.Opcode].Name != g.Unit {
			c.fail(lead, "PE '%s' has no unit '%s' with opcode %d", g.Comp, g.Unit, g.Opcode)
			continue
		}
		ok := len(g.Ops) > 0
		if !ok {
			c.fail(-1, "group %d executes nothing", gi)
		}
		for _, i := range g.Ops {
			if i < 0 || i >= len(c.g.ops) || !c.g.isUnit(i) {
				c.fail(-1, "group %d executes operation %d, which needs no unit", gi, i)
				ok = false
				continue
			}
			if c.groupOf[i] != nil {
				c.fail(i, "operation %d is in groups %d and %d", i, c.groupOf[i].ID, gi)
				ok = false
			}
			c.groupOf[i] = g
			if o := c.m.Ops[i]; o.Comp != g.Comp || o.Unit != g.Unit || o.Group != gi {
				c.fail(i, "operation %d is listed on '%s' unit '%s' group %d, it is in group %d on '%s' unit '%s'", i, o.Comp, o.Unit, o.Group, gi, g.Comp, g.Unit)
			}
		}
		if ok {
			c.body(g, pe, units[g.Opcode])
		}
	}
	for k := range c.m.Groups { // all groups are known now
		g := &c.m.Groups[k]
		pe := c.comps[g.Comp]
		if pe == nil || pe.Kind != arch.TemporalPE || c.errs.HasErrors() {
			continue
		}
		for _, in := range g.Inputs {
			c.source(terminal{in.Op, in.Operand}, in, g, pe)
		}
		c.late(g)
	}
	c.ahead()
	for i := range c.g.ops {
		if c.g.isUnit(i) && c.groupOf[i] == nil {
			c.fail(i, "operation %d ('%s') is placed nowhere", i, c.g.ops[i].Name)
		}
	}
}

// body checks that a unit's body, with the group's bindings, is the piece of the
// graph that the group claims.
func (c *checker) body(g *mapping.Group, pe *arch.Component, fu *arch.FunctionUnit) {
	if len(g.Ops) != len(fu.Ops) {
		c.fail(g.Ops[0], "unit '%s' has %d operations, group %d has %d", fu.Name, len(fu.Ops), g.ID, len(g.Ops))
		return
	}
	argOf := map[terminal]int{} // DFG operand -> unit input
	ports, portOf := map[int]bool{}, map[int]int{}
	for _, in := range g.Inputs {
		held := in.Immediate != nil && in.Immediate.Held || pe.Kind == arch.TemporalPE && in.Port == -1
		if in.Unit < 0 || in.Unit >= len(fu.In) || !held && (in.Port < 0 || in.Port >= len(pe.In)) || held && in.Port != -1 {
			c.fail(g.Ops[0], "group %d binds input %d to PE input %d, which do not exist", g.ID, in.Unit, in.Port)
			return
		}
		t := terminal{in.Op, in.Operand}
		// Operands that read one input of the unit read one value of the kernel.
		again := false
		for other, unit := range argOf {
			if unit != in.Unit {
				continue
			}
			again = true
			if a, b := c.g.source[other], c.g.source[t]; other == t || a == nil || b == nil || a.src != b.src || !slices.Equal(a.through, b.through) {
				c.fail(in.Op, "input %d of unit '%s' is bound twice", in.Unit, fu.Name)
			}
		}
		if at, known := portOf[in.Unit]; ports[in.Port] && !again && !held && pe.Kind != arch.TemporalPE || known && at != in.Port {
			c.fail(g.Ops[0], "two unit inputs of group %d read PE input %d", g.ID, in.Port)
		}
		c.immediate(t, in, pe)
		ports[in.Port], portOf[in.Unit], argOf[t] = true, in.Port, in.Unit
	}
	internalUses := 0
	for b, hw := range fu.Ops {
		sw := c.g.ops[g.Ops[b]]
		if why := stands(fu, b, sw, c.f.IndexWidth); why != "" {
			c.fail(g.Ops[b], "operation %d on '%s': %s", g.Ops[b], pe.Name, why)
			return
		}
		for k := range sw.Operands() {
			if c.g.direct[g.Ops[b]] && k == 1 {
				continue
			}
			internalUses += c.operand(g, fu, hw, b, k, argOf)
		}
	}
	c.fires(g)
	if x := fu.Fused(); x != nil && x.Kind == arch.FusedPresent {
		c.presents = append(c.presents, &present{g, c.g.ops[g.Ops[x.Branch]].Result(0), c.g.ops[g.Ops[x.Compute]]})
	}
	if n := internalUses + len(argOf); n != c.operandCount(g) {
		c.fail(g.Ops[0], "group %d binds %d of %d operands", g.ID, n, c.operandCount(g))
	}
	c.unitOutputs(g, pe, fu)
	fields := fu.Fields(c.f.IndexWidth)
	if len(fields) != len(g.Fields) {
		c.fail(g.Ops[0], "group %d has %d configuration fields, unit '%s' has %d", g.ID, len(g.Fields), fu.Name, len(fields))
		return
	}
	for i, fd := range fields {
		want, ok := wantField(fd, c.g.ops[g.Ops[fd.Op]], c.g.iw)
		if sw := c.g.ops[g.Ops[fd.Op]]; fd.Name == "predicate" && c.exchanged(fu, fd.Op, g, argOf) {
			want = mirrored(sw)
		}
		if !ok || g.Fields[i].Name != fd.Name || uint64(g.Fields[i].Value) != want {
			c.fail(g.Ops[fd.Op], "field '%s' of unit '%s' is %#x, must be %#x", fd.Name, fu.Name, uint64(g.Fields[i].Value), want)
		}
	}
}

func (c *checker) operandCount(g *mapping.Group) int {
	n := 0
	for _, i := range g.Ops {
		n += c.g.ops[i].NumOperands()
		if c.g.direct[i] {
			n--
		}
	}
	return n
}

// operand checks operand k of body operation b and returns 1 when it is fed
// inside the unit.
func (c *checker) operand(g *mapping.Group, fu *arch.FunctionUnit, hw *arch.FUOp, b, k int, argOf map[terminal]int) int {
	op := g.Ops[b]
	sw := c.g.ops[op]
	// Where the hardware takes this operand from; operands of a commutative
	// operation may be exchanged.
	positions := []int{k}
	if gateAsBranch(fu, b, sw) {
		positions = []int{1 - k}
	} else if len(hw.Operands) == 2 && (sw.Def().Has(ir.Commutative) || sw.Name == opname.ArithCmpI) {
		positions = append(positions, 1-k)
	}
	arg, bound := argOf[terminal{op, k}]
	for _, p := range positions {
		r := hw.Operands[p]
		if bound && r.Op < 0 && r.Arg == arg {
			return 0
		}
		if !bound && r.Op >= 0 {
			v := sw.Operand(k)
			if v.Def == c.g.ops[g.Ops[r.Op]] && v.Index == r.Result {
				if len(v.Uses()) != 1 && !yields(fu, r) {
					c.fail(op, "'%s' inside unit '%s' has readers outside", v.Def.Name, fu.Name)
				}
				return 1
			}
		}
	}
	c.fail(op, "unit '%s' does not feed operand %d of operation %d as the kernel does", fu.Name, k, op)
	return 0
}

// immediate checks that an operand takes its data from where the graph says, and that the PE
// has what that needs: an immediate of a constant, with its bits; a held token where the graph
// holds it and nowhere else.
func (c *checker) immediate(t terminal, in mapping.UnitIn, pe *arch.Component) {
	e := c.g.source[t]
	if e == nil {
		return // reported with the operand
	}
	name := c.g.describe(t, false)
	m := in.Immediate
	switch {
	case m == nil && e.held:
		c.fail(t.Op, "%s waits for a token, in the kernel it is held", name)
	case m == nil:
	case pe.Kind == arch.SpatialPE && pe.PE.Immediates == nil:
		c.fail(t.Op, "%s is an immediate, PE '%s' has none", name, pe.Name)
	case m.Held != e.held:
		c.fail(t.Op, "%s is held or not, in the kernel it is the other way", name)
	case m.Constant != e.constant:
		c.fail(t.Op, "%s is an immediate for operation %d, in the kernel for operation %d", name, m.Constant, e.constant)
	case m.Constant < 0 && m.Value != 0:
		c.fail(t.Op, "%s has the immediate %#x, there is no data", name, uint64(m.Value))
	case m.Constant >= 0:
		want, ok := constantBits(c.g.ops[m.Constant], e.constantBits, c.g.iw)
		if !ok || uint64(m.Value) != want {
			c.fail(t.Op, "%s has the immediate %#x, the constant is %#x", name, uint64(m.Value), want)
		}
		if pe.Kind == arch.SpatialPE && pe.PE.Immediate(in.Unit) < e.constantBits {
			c.fail(t.Op, "%s has %d bits, operand %d of PE '%s' has an immediate of %d", name, e.constantBits, in.Unit, pe.Name, pe.PE.Immediate(in.Unit))
		}
	}
}

// constantBits are the low bits of a constant.
func constantBits(op *ir.Operation, width, iw int) (uint64, bool) {
	return wantField(arch.Field{Name: "value", Width: width}, op, iw)
}

// fires checks that some operand of a group waits for tokens: with all of them held it would
// compute without end, and the fabric would never be empty.
func (c *checker) fires(g *mapping.Group) {
	held := len(g.Inputs) > 0
	for _, in := range g.Inputs {
		held = held && in.Immediate != nil && in.Immediate.Held
	}
	if held {
		c.fail(g.Ops[0], "every operand of group %d is held: it would compute without end", g.ID)
	}
}

// present is an accumulator that gives what an iteration begins with: that value, and what makes of it and an element the next one.
type present struct {
	g       *mapping.Group
	given   *ir.Value
	compute *ir.Operation
}

// elements are the values that the accumulator takes.
func (p *present) elements() (out []*ir.Value) {
	for _, v := range p.compute.Operands() {
		if v != p.given {
			out = append(out, v)
		}
	}
	return out
}

// ahead checks that no accumulator which gives what an iteration begins with, together with the element that it takes, needs that for the
// element, itself or by others of the kind: they would wait for each other. Followed is what one iteration hands on, not what a carry or an
// invariant hands to the next.
func (c *checker) ahead() {
	by := map[*ir.Value]*present{}
	for _, p := range c.presents {
		by[p.given] = p
	}
	for _, p := range c.presents {
		behind := p.elements()
		seen := map[*ir.Value]bool{}
		for len(behind) > 0 {
			v := behind[0]
			behind = behind[1:]
			if v == p.given {
				c.fail(c.g.index[p.compute], "the element that unit '%s' of group %d takes waits for the value that it gives with that", p.g.Unit, p.g.ID)
				break
			}
			if v.Def == nil || seen[v] {
				continue
			}
			seen[v] = true
			if other := by[v]; other != nil {
				behind = append(behind, other.elements()...)
			}
			switch v.Def.Name {
			case opname.DataflowCarry, opname.DataflowInvariant:
				behind = append(behind, v.Def.Operand(1))
			case opname.DataflowInterlock: // its other operands are of earlier iterations
				behind = append(behind, v.Def.Operand(0))
			default:
				behind = append(behind, v.Def.Operands()...)
			}
		}
	}
}

// exchanged reports whether a comparison has its operands the other way round in its unit.
func (c *checker) exchanged(fu *arch.FunctionUnit, b int, g *mapping.Group, argOf map[terminal]int) bool {
	sw, hw := c.g.ops[g.Ops[b]], fu.Ops[b]
	if sw.Name != opname.ArithCmpI {
		return false
	}
	for k := range 2 {
		if arg, bound := argOf[terminal{g.Ops[b], k}]; bound && hw.Operands[1-k].Op < 0 && hw.Operands[1-k].Arg == arg {
			return true
		}
	}
	return false
}

// mirrored is the predicate of a comparison for its operands in the other order.
func mirrored(op *ir.Operation) uint64 {
	p, _ := op.IntAttr("predicate")
	switch p {
	case 2, 3, 6, 7: // less
		return uint64(p) + 2
	case 4, 5, 8, 9: // greater
		return uint64(p) - 2
	}
	return uint64(p)
}

func yields(fu *arch.FunctionUnit, r arch.ValueRef) bool {
	for _, y := range fu.Yield {
		if y.Op == r.Op && y.Result == r.Result {
			return true
		}
	}
	return false
}

// unitOutputs checks the bindings of a unit's outputs.
func (c *checker) unitOutputs(g *mapping.Group, pe *arch.Component, fu *arch.FunctionUnit) {
	ports, bound := map[int]bool{}, map[int]bool{}
	if len(g.Outputs) != len(fu.Out) {
		c.fail(g.Ops[0], "group %d binds %d of the %d outputs of unit '%s'", g.ID, len(g.Outputs), len(fu.Out), fu.Name)
	}
	for _, out := range g.Outputs {
		if out.Unit < 0 || out.Unit >= len(fu.Out) || out.Port >= len(pe.Out) || bound[out.Unit] {
			c.fail(g.Ops[0], "group %d binds output %d to PE output %d, which is not possible", g.ID, out.Unit, out.Port)
			return
		}
		bound[out.Unit] = true
		y := fu.Yield[out.Unit]
		if y.Op < 0 || g.Ops[y.Op] != out.Op || y.Result != out.Result {
			c.fail(out.Op, "output %d of unit '%s' does not deliver result %d of operation %d", out.Unit, fu.Name, out.Result, out.Op)
		}
		if out.Port < 0 {
			continue
		}
		if ports[out.Port] {
			c.fail(g.Ops[0], "two unit outputs of group %d drive PE output %d", g.ID, out.Port)
		}
		ports[out.Port] = true
		if len(c.g.readers[terminal{out.Op, out.Result}]) == 0 {
			c.fail(out.Op, "result %d of operation %d leaves the PE although nothing reads it", out.Result, out.Op)
		}
	}
}
