package prove

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/opname"
)

// program is what the instructions of a temporal PE are. Each is a unit of its own: the hardware executes them one after
// the other, each when it has its operands, and every operand has a place of its own for a token.
type program struct {
	c   *arch.Component
	set *config.TPESetting
	// units are those of the valid instructions, nil for the others.
	units []*unit
	// readers counts the operands that read each source.
	readers map[int]int
}

// program writes down the instructions of a temporal PE, and connects their operands with the instructions that feed them.
func (r *hardware) program(c *arch.Component, s *config.TPESetting) {
	p := &program{c: c, set: s, units: make([]*unit, len(s.Instructions)), readers: map[int]int{}}
	r.programs[c.ID] = p
	for n := range s.Instructions {
		in := &s.Instructions[n]
		if !in.Valid || in.Opcode >= len(c.TPE.FUs) {
			continue
		}
		u := &unit{c: c, fu: c.TPE.FUs[in.Opcode], code: in, program: p, immediates: map[int]*value{}}
		u.place = fmt.Sprintf("instruction %d, unit '%s', of temporal PE '%s'", n, u.fu.Name, c.Name)
		p.units[n] = u
		r.body(u, u.values(r.f.IndexWidth))
	}
	for _, u := range p.units {
		if u == nil {
			continue
		}
		all := true
		for k := range u.fu.In {
			o := u.source(k)
			all = all && o.Held
			if !o.Held {
				p.readers[o.Source]++
			}
		}
		for i, o := range u.fu.Ops {
			r.operands(u, u.body[i], o)
		}
		if all {
			r.fault(u.first(), c.Pos, u.place, "all operands of %s are held, so that it never stops", u.place)
		}
	}
}

// source is the setting of operand k of the unit of an instruction.
func (u *unit) source(k int) config.Operand {
	return u.code.Operands[u.c.TPE.Steps[u.code.Opcode].Slot[k]]
}

// values are those that the fields of the unit would have in another PE: a join is one of the operands that are not held.
func (u *unit) values(indexWidth int) []uint64 {
	var out []uint64
	for _, fd := range u.fu.Fields(indexWidth) {
		v := u.code.Predicate
		if u.fu.Ops[fd.Op].Op.Name == opname.HandshakeJoin {
			v = 0
			for k := range u.fu.In {
				if !u.source(k).Held {
					v |= 1 << k
				}
			}
		}
		out = append(out, v)
	}
	return out
}

// operand connects an operand of a body with the source of operand k of its instruction.
func (r *hardware) operand(u *unit, in *input, k int) {
	if k < 0 || k >= len(u.fu.In) {
		return
	}
	o := u.source(k)
	if !o.Held && !o.Immediate {
		r.from(u.program, in, o.Source)
		return
	}
	if v := u.immediates[k]; v != nil {
		in.raw = v
		return
	}
	word := uint64(0)
	if o.Immediate {
		word = u.program.set.Constants[u.code.Constant]
	}
	n := r.constant(u, k, word, o.Held)
	if !o.Held {
		r.from(u.program, n.in[0], o.Source)
	}
	in.raw = n.out[0]
}

// from connects an operand with a source.
func (r *hardware) from(p *program, in *input, source int) {
	if j := source - 2*len(p.units); j >= 0 {
		r.wait(in, terminal{p.c.ID, j})
		return
	}
	if in.raw = r.given(p, source); in.raw == nil {
		r.fault(in.node, in.node.pos, in.node.place, "operand %d of %s waits for tokens that never come: nothing gives the %s", in.k, in.node.place, p.sourceText(source))
	}
}

// given is the value of a source that is a result of an instruction, nil where it gives none.
func (r *hardware) given(p *program, source int) *value {
	k := len(p.units)
	u := p.units[source%k]
	if u == nil || source/k >= len(u.fu.Out) {
		return nil
	}
	return r.yield(u, source/k)
}

func (p *program) sourceText(source int) string {
	k := len(p.units)
	if source >= 2*k {
		return fmt.Sprintf("input %d", source-2*k)
	}
	return fmt.Sprintf("result %d of instruction %d", source/k, source%k)
}

// intoProgram takes a value to the operands and outputs of a temporal PE that read an input. One that nothing reads drops it.
func (r *hardware) intoProgram(v *value, c *arch.Component, port, bits int, e *ends) {
	p := r.programs[c.ID]
	if p == nil {
		return
	}
	source := 2*len(p.units) + port
	where := fmt.Sprintf("input %d of temporal PE '%s'", port, c.Name)
	if n := p.readers[source]; n > 0 {
		r.arrive(v, terminal{c.ID, port}, bits, where, e)
		e.sinks += n - 1
	}
	out := r.leaveProgram(v, p, source, bits, e)
	if p.readers[source] == 0 && !out {
		e.drops = append(e.drops, where)
	}
}

// leaveProgram follows a value from the outputs of a temporal PE that have its source, and reports whether there are any.
func (r *hardware) leaveProgram(v *value, p *program, source, bits int, e *ends) (any bool) {
	for o, s := range p.set.Outputs {
		if s != source {
			continue
		}
		any = true
		r.used[terminal{p.c.ID, o}] = true
		where := fmt.Sprintf("output %d of temporal PE '%s'", o, p.c.Name)
		if p.c.Out[o].Chan == nil {
			e.stuck++
			r.fault(v.node, p.c.Pos, where, "tokens leave at %s, which is not connected", where)
			continue
		}
		r.follow(v, p.c.Out[o].Chan, min(bits, p.c.Out[o].Width), e)
	}
	return any
}

// programOutputs follows the results of the instructions of a temporal PE. What nothing reads is dropped.
func (r *hardware) programOutputs(p *program) {
	for n, u := range p.units {
		if u == nil {
			continue
		}
		for k := range u.fu.Out {
			source := k*len(p.units) + n
			v := r.given(p, source)
			e := &ends{sinks: p.readers[source]}
			if r.leaveProgram(v, p, source, min(v.width, p.c.TPE.Width), e) {
				r.judge(v, e, fmt.Sprintf("result %d of %s", k, u.place))
			}
		}
	}
}

// idleProgram reports outputs of a temporal PE whose source gives nothing.
func (r *hardware) idleProgram(p *program) {
	for o, source := range p.set.Outputs {
		if source >= 0 && !r.used[terminal{p.c.ID, o}] {
			r.fault(nil, p.c.Pos, "", "output %d of temporal PE '%s' takes the %s, which gives no token", o, p.c.Name, p.sourceText(source))
		}
	}
}
