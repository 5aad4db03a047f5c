package rtlgen

import (
	"fmt"
	"slices"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

func init() {
	kinds[arch.TemporalPE] = kind{Idle: true, check: checkTemporalPE, connect: (*generator).temporalPE}
}

func checkTemporalPE(c *arch.Component, errs *diag.List) {
	checkUntagged(c, errs)
	for _, u := range c.TPE.FUs {
		if s, ok := u.Step(c.TPE.Width); !ok || s.Cycles > 3 {
			errs.Errorf(u.Pos, "function unit '%s' of PE '%s' cannot be executed by instructions", u.Name, c.Name)
		}
	}
}

// temporalPE connects a temporal PE to its module, which is generated for the first of its kind.
func (g *generator) temporalPE(x *component) {
	c := x.Component
	m := g.peMods[c.Def]
	if m == nil {
		m = &peModule{Name: g.moduleNames.name(g.stem + "_" + c.Def), Clocked: true}
		g.peMods[c.Def] = m
		g.emit(m.Name+".sv", "temporal_pe.sv.tmpl", g.temporalView(c, m))
	}
	x.Module, x.Errors = m, m.Errors
	for k, p := range c.In {
		g.input(x, m.In[k], k, p.Width)
	}
	for k, p := range c.Out {
		g.output(x, m.Out[k], k, p.Width)
	}
}

// temporalView is the module of a temporal PE.
type temporalView struct {
	Header headerView
	*peModule
	Definition, Fabric string
	Bits               int // of the slice
	Width              int // of words
	Spec               *arch.TemporalPESpec
	Predicate          int
	Inputs, Outputs    []pePort
	// Opcode is the width of the opcode.
	Opcode int
	ALU    *alu
	// Multiplier is the stem of the loom_mul, empty without one.
	Multiplier string
	// Parts are what the result is made of: at most one is not zero.
	Parts []temporalPart
	// Tops are high bits of a cast that are zero behind it with some opcodes, above Kept that never are.
	Tops []cut
	Kept int
}

// temporalPart is an output of the loom_alu, or of the multiplier, which is the result while On is high. Its opcodes have a bit
// above, which is set while an instruction executes; the other controls may be anything while an input is taken, and do without it.
type temporalPart struct {
	Output, Word string
	On           *aluControl
}

// temporalView makes the view of a component's definition.
func (g *generator) temporalView(c *arch.Component, m *peModule) *temporalView {
	sl := g.layout.SliceFor(c)
	p := c.TPE
	v := &temporalView{
		Header: g.header(), peModule: m, Definition: c.Def, Fabric: g.fabric.Name, Bits: sl.Bits, Width: p.Width, Spec: p, Predicate: p.Predicate(),
		Opcode: sl.TPE.Instructions[0].Opcode.Width,
	}
	sources := p.Sources(c)
	m.Errors = sources&(sources-1) != 0 // else every number names one
	names := newScope("clk", "rst", "cfg", "idle", "err_valid", "err_code", "opcode", "advance", "operation", "predicate", "comparison", "a", "b", "result",
		"inputs", "outputs", "unused")
	for _, in := range c.In {
		m.In = append(m.In, names.name(in.Name))
		v.Inputs = append(v.Inputs, pePort{Name: m.In[len(m.In)-1], Width: in.Width})
	}
	for _, out := range c.Out {
		m.Out = append(m.Out, names.name(out.Name))
		v.Outputs = append(v.Outputs, pePort{Name: m.Out[len(m.Out)-1], Width: out.Width})
	}
	v.compute(names)
	return v
}

// compute gives the units their parts of one loom_alu. Words that units pass on are casts in it, which keep the bits of the result.
func (v *temporalView) compute(names *scope) {
	stem, a, b := names.name("alu"), "a", "b"
	if v.Width == 1 { // loom_alu has two bits at least: with its sign, a bit has the same order and the same shifts
		a, b = "{a, a}", "{b, b}"
	}
	x := newALU(stem, max(v.Width, 2), a, a, b)
	x.Advance = "1'b1" // an execution has its operands in all of its cycles
	tops := map[int]int{}
	parts := map[string]*aluControl{}
	for k, u := range v.Spec.FUs {
		if _, none := u.Out[0].Type.(*ir.NoneType); none {
			continue // a token, which is zero
		}
		to := min(u.Out[0].Width, v.Width)
		output := "cast"
		if v.Spec.Steps[k].Kind == arch.StepCompute {
			op, from := u.Single().Op.Name, min(u.In[0].Width, v.Width)
			if op == opname.ArithCmpI {
				x.Comparison = "comparison"
			}
			if op == opname.ArithMulI {
				output = "product"
			} else if output = x.compute(op, k, from, to, u.Latency == 1); output == "cast" && from < to && to < v.Width {
				tops[k] = to
			}
		} else if to < x.Width {
			x.Keeps[k] = to
		}
		if output == "" || output == "cast" {
			output, x.Cast = "cast", true
			x.Outputs = append(x.Outputs, output)
		}
		if parts[output] == nil {
			parts[output] = &aluControl{Name: stem + "_" + output + "_on"}
			v.Parts = append(v.Parts, temporalPart{output, v.word(x, names, output), parts[output]})
		}
		parts[output].on(1<<v.Opcode + k)
	}
	if len(v.Parts) == 0 {
		return // only tokens
	}
	// What the carry chain gives comes last.
	slices.SortStableFunc(v.Parts, func(a, b temporalPart) int { return behind(a.Output) - behind(b.Output) })
	x.keeps()
	v.Tops, v.Kept = x.cuts("top", tops), x.Width
	for _, bits := range tops {
		v.Kept = min(v.Kept, bits)
	}
	v.ALU = x
}

// word is an output as a word.
func (v *temporalView) word(x *alu, names *scope, output string) string {
	switch {
	case output == "product":
		v.Multiplier = names.name("product")
		return v.Multiplier
	case output == "holds":
		return widen(x.Signal(output), 1, v.Width)
	case v.Width < x.Width:
		return x.Signal(output) + "[0]"
	}
	return x.Signal(output)
}

// behind tells outputs of the carry chain from others.
func behind(output string) int { return slices.Index([]string{"sum", "extreme", "holds"}, output) + 1 }

// Kinds are the steps of the opcodes as a parameter, the last first.
func (v *temporalView) Kinds() string {
	s := ""
	for _, step := range v.Spec.Steps {
		s = fmt.Sprint(int(step.Kind)) + s
	}
	return fmt.Sprintf("%d'o%s", 3*len(v.Spec.Steps), s)
}

// Cycles are how many the opcodes take beyond the first, as a parameter, empty where none does.
func (v *temporalView) Cycles() string {
	s, some := "", false
	for _, step := range v.Spec.Steps {
		s, some = fmt.Sprintf("%02b", step.Cycles)+s, some || step.Cycles > 0
	}
	if !some {
		return ""
	}
	return fmt.Sprintf("%d'b%s", 2*len(v.Spec.Steps), s)
}

// Operations are the operations of a unit, for the comment of the module.
func (v *temporalView) Operations(u *arch.FunctionUnit) string { return (&unit{FU: u}).Names() }

// Spare reports whether the words of ports have bits beside those of the ports.
func (v *temporalView) Spare() bool {
	return slices.ContainsFunc(v.Outputs, func(p pePort) bool { return p.Width < v.Width })
}
