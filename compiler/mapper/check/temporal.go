package check

import (
	"fmt"
	"maps"
	"slices"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/mapping"
	"loom/compiler/opname"
)

// What the checker knows of temporal PEs stands here. An instruction is a unit of its own: what it reads and what reads it is
// derived from the numbers of the sources, which its definition in rtl/README.md counts: the first results of the
// instructions, their second ones, the inputs of the PE.

// unitsOf are the function units of a PE, none of other components.
func unitsOf(c *arch.Component) []*arch.FunctionUnit {
	switch {
	case c == nil:
	case c.Kind == arch.SpatialPE && c.PE != nil:
		return c.PE.FUs
	case c.Kind == arch.TemporalPE && c.TPE != nil:
		return c.TPE.FUs
	}
	return nil
}

// place names what hosts a group: the PE, or an instruction of a temporal one.
func (c *checker) place(g *mapping.Group, pe *arch.Component) string {
	if pe.Kind != arch.TemporalPE {
		if g.Instruction != nil {
			c.fail(g.Ops[0], "group %d is an instruction of '%s', which is a spatial PE", g.ID, g.Comp)
		}
		return g.Comp
	}
	if g.Instruction == nil || *g.Instruction < 0 || *g.Instruction >= pe.TPE.Instructions {
		c.fail(g.Ops[0], "group %d is no instruction of temporal PE '%s'", g.ID, g.Comp)
		return g.Comp
	}
	return fmt.Sprintf("%s instruction %d", g.Comp, *g.Instruction)
}

// operandSlot is the operand of an instruction that input k of a unit is.
func operandSlot(pe *arch.Component, opcode, k int) int {
	fu := pe.TPE.FUs[opcode]
	if len(fu.Ops) > 1 { // a loop head: condition, initial value, next value
		return k
	}
	switch fu.Ops[0].Op.Name {
	case opname.ArithSelect, opname.HandshakeMux, opname.HandshakeCondBr, opname.DataflowCarry, opname.DataflowInvariant, opname.HandshakeJoin:
		return k
	}
	return k + 1
}

// source checks where an operand of an instruction comes from: the instruction that makes the value, or the input at which it
// arrives.
func (c *checker) source(t terminal, in mapping.UnitIn, g *mapping.Group, pe *arch.Component) {
	e := c.g.source[t]
	if e == nil {
		return
	}
	name := c.g.describe(t, false)
	if e.held != (in.Source == nil) && !(in.Immediate != nil && in.Immediate.Held) {
		c.fail(t.Op, "%s is held or not, its instruction has it the other way", name)
		return
	}
	if in.Source == nil {
		return
	}
	k := pe.TPE.Instructions
	if in.Port >= 0 {
		if *in.Source != 2*k+in.Port {
			c.fail(t.Op, "%s has source %d, it arrives at input %d", name, *in.Source, in.Port)
		}
		return
	}
	from := c.groupOf[e.src.Op]
	if e.src.Op < 0 || from == nil || from.Comp != g.Comp || from.Instruction == nil {
		c.fail(t.Op, "%s comes from no instruction of temporal PE '%s', and arrives at no input", name, pe.Name)
		return
	}
	for _, out := range from.Outputs {
		if out.Op == e.src.Op && out.Result == e.src.Port && *in.Source == *from.Instruction+k*out.Unit {
			return
		}
	}
	c.fail(t.Op, "%s has source %d, which is not %s", name, *in.Source, c.g.describe(e.src, true))
}

// within reports whether an edge stays in a temporal PE.
func (c *checker) within(want *edge) bool {
	if want.src.Op < 0 || want.dst.Op == c.g.ret {
		return false
	}
	from, to := c.groupOf[want.src.Op], c.groupOf[want.dst.Op]
	return from != nil && to != nil && from.Comp == to.Comp && c.comps[from.Comp].Kind == arch.TemporalPE
}

// late checks that no instruction takes an operand later than the iteration it belongs to: all readers of a value in a temporal
// PE get its tokens together, so the one of a carry with the condition of a gate could hold up what that condition is made of.
func (c *checker) late(g *mapping.Group) {
	for _, i := range g.Ops {
		op := c.g.ops[i]
		if op.Name != opname.DataflowCarry {
			continue
		}
		v := c.g.behind(op.Operand(0))
		if v.Def != nil && v.Def.Name == opname.DataflowGate {
			c.fail(i, "'%s' has the condition of a gate, and takes its next value later than others in temporal PE '%s' may", op.Name, g.Comp)
		}
	}
}

// temporalSettings checks that the settings of temporal PEs are what their groups need.
func (c *checker) temporalSettings() {
	byComp := map[string]mapping.TemporalPE{}
	for _, p := range c.m.TemporalPEs {
		if _, twice := byComp[p.Comp]; twice || c.comps[p.Comp] == nil || c.comps[p.Comp].Kind != arch.TemporalPE {
			c.fail(-1, "the setting of '%s' is no temporal PE's, or its second", p.Comp)
		}
		byComp[p.Comp] = p
	}
	used := map[string]int{}
	outputs := map[string]map[int]int{}
	for k := range c.m.Groups {
		g := &c.m.Groups[k]
		pe := c.comps[g.Comp]
		if pe.Kind != arch.TemporalPE {
			continue
		}
		p := byComp[g.Comp]
		used[g.Comp]++
		at := slices.IndexFunc(p.Instructions, func(x mapping.Instruction) bool { return x.Number == *g.Instruction })
		if at < 0 {
			c.fail(g.Ops[0], "instruction %d of temporal PE '%s' has no setting", *g.Instruction, g.Comp)
			continue
		}
		x := p.Instructions[at]
		want := [arch.InstructionOperands]mapping.Operand{{Held: true}, {Held: true}, {Held: true}}
		for _, in := range g.Inputs {
			o := mapping.Operand{Held: in.Source == nil}
			if in.Source != nil {
				o.Source = *in.Source
			}
			if m := in.Immediate; m != nil && m.Constant >= 0 {
				o.Immediate = true
				if x.Constant < 0 || x.Constant >= len(p.Constants) || p.Constants[x.Constant] != m.Value {
					c.fail(g.Ops[0], "instruction %d of temporal PE '%s' has not the constant %#x", x.Number, g.Comp, uint64(m.Value))
				}
			}
			want[operandSlot(pe, g.Opcode, in.Unit)] = o
		}
		if x.Opcode != g.Opcode || x.Operands != want || !slices.Equal(x.Fields, g.Fields) {
			c.fail(g.Ops[0], "instruction %d of temporal PE '%s' is not what group %d needs", x.Number, g.Comp, g.ID)
		}
		for _, out := range g.Outputs {
			if out.Port < 0 {
				continue
			}
			if outputs[g.Comp] == nil {
				outputs[g.Comp] = map[int]int{}
			}
			if _, twice := outputs[g.Comp][out.Port]; twice {
				c.fail(g.Ops[0], "output %d of temporal PE '%s' has two sources", out.Port, g.Comp)
			}
			outputs[g.Comp][out.Port] = *g.Instruction + out.Unit*pe.TPE.Instructions
		}
	}
	for _, p := range c.m.TemporalPEs {
		if len(p.Instructions) != used[p.Comp] {
			c.fail(-1, "temporal PE '%s' has %d instructions set, %d in use", p.Comp, len(p.Instructions), used[p.Comp])
		}
		have := map[int]int{}
		for _, r := range p.Outputs {
			have[r[0]] = r[1]
		}
		if len(have) != len(p.Outputs) || len(have) != len(outputs[p.Comp]) {
			c.fail(-1, "temporal PE '%s' has %d outputs set, %d in use", p.Comp, len(p.Outputs), len(outputs[p.Comp]))
		}
		for _, o := range slices.Sorted(maps.Keys(outputs[p.Comp])) {
			if s := outputs[p.Comp][o]; have[o] != s {
				c.fail(-1, "output %d of temporal PE '%s' has source %d, not %d", o, p.Comp, have[o], s)
			}
		}
		delete(used, p.Comp)
	}
	for _, name := range slices.Sorted(maps.Keys(used)) {
		c.fail(-1, "temporal PE '%s' has no setting", name)
	}
}

// In an image, result r of instruction i of a temporal PE is hwSource.Port i + r times the instructions, as its source is numbered,
// operand k of it is hwSink.Port 3i + k, and body operation b of it is body 4i + b.
const bodies = 4

// instruction is the setting of the instruction that a body operation belongs to.
func (t *tracer) instruction(c *arch.Component, body int) *config.Instruction {
	return &t.img.Settings[c.ID].TPE.Instructions[body/bodies]
}

// unitAt is the function unit at a body operation, local the number of that operation in it.
func (t *tracer) unitAt(c *arch.Component, body int) (fu *arch.FunctionUnit, local int) {
	if c.Kind == arch.TemporalPE {
		return c.TPE.FUs[t.instruction(c, body).Opcode], body % bodies
	}
	return t.unit(c), body
}

// temporalOutputs follows what the instructions of a temporal PE make.
func (t *tracer) temporalOutputs(c *arch.Component, s *config.TPESetting) {
	for n, in := range s.Instructions {
		if !in.Valid {
			continue
		}
		for r := range c.TPE.FUs[in.Opcode].Out {
			source := n + r*c.TPE.Instructions
			t.spread(hwSource{c, source}, c, s, source)
		}
	}
}

// spread reaches all readers of a source of a temporal PE and reports their number.
func (t *tracer) spread(src hwSource, c *arch.Component, s *config.TPESetting, source int) int {
	n := 0
	for i, in := range s.Instructions {
		if !in.Valid {
			continue
		}
		for k, o := range in.Operands {
			if !o.Held && o.Source == source {
				t.reach(src, hwSink{c, arch.InstructionOperands*i + k})
				n++
			}
		}
	}
	for o, from := range s.Outputs {
		if from != source {
			continue
		}
		n++
		if ch := c.Out[o].Chan; ch != nil {
			t.follow(src, ch)
		} else {
			t.fail("output %d of temporal PE '%s' is not connected, and would block", o, c.Name)
		}
	}
	return n
}

// temporalArgument compares an operand with that of an instruction.
func (t *tracer) temporalArgument(c *arch.Component, body int, dst terminal, arg int) (sel config.Selector, at hwSink) {
	in := t.instruction(c, body)
	k := operandSlot(c, in.Opcode, arg)
	o := in.Operands[k]
	sel = config.Selector{Immediate: o.Immediate || o.Held, Disconnect: o.Held}
	if o.Immediate {
		sel.Value = t.img.Settings[c.ID].TPE.Constants[in.Constant]
	}
	return sel, hwSink{c, arch.InstructionOperands*(body/bodies) + k}
}

// temporalComplete checks that every valid instruction executes an operation of the graph, and has what it waits for.
func (t *tracer) temporalComplete(c *arch.Component, s *config.TPESetting) {
	for n, in := range s.Instructions {
		if !in.Valid {
			continue
		}
		fu := c.TPE.FUs[in.Opcode]
		for b := range fu.Ops {
			if _, ok := t.opAt[c][bodies*n+b]; !ok {
				t.fail("instruction %d of temporal PE '%s' executes something that the kernel does not contain", n, c.Name)
				break
			}
		}
		for k, o := range in.Operands {
			if _, fed := t.sourceOf[hwSink{c, arch.InstructionOperands*n + k}]; !o.Held && !fed {
				t.fail("operand %d of instruction %d of temporal PE '%s' waits for tokens that never come", k, n, c.Name)
			}
		}
	}
	for o, from := range s.Outputs {
		if from >= 2*c.TPE.Instructions {
			t.fail("output %d of temporal PE '%s' gives what arrives at input %d", o, c.Name, from-2*c.TPE.Instructions)
		} else if n := from % c.TPE.Instructions; from >= 0 && (!s.Instructions[n].Valid || from/c.TPE.Instructions >= len(c.TPE.FUs[s.Instructions[n].Opcode].Out)) {
			t.fail("output %d of temporal PE '%s' has a source that gives nothing", o, c.Name)
		}
	}
}

// sharedInput is the temporal PE whose input feeds an operand, with others perhaps: it reaches all that read the value. Nil in
// other PEs.
func (c *checker) sharedInput(t terminal) *arch.Component {
	if t.Op < 0 || t.Op == c.g.ret || c.groupOf[t.Op] == nil {
		return nil
	}
	if pe := c.comps[c.groupOf[t.Op].Comp]; pe.Kind == arch.TemporalPE {
		return pe
	}
	return nil
}

// first is the number of the first body operation of the unit that one belongs to.
func first(c *arch.Component, body int) int {
	if c.Kind == arch.TemporalPE {
		return body - body%bodies
	}
	return 0
}
