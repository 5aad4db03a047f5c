package config

import (
	"loom/compiler/arch"
	"loom/compiler/num"
	"loom/compiler/opname"
)

// legal reports what is wrong with the setting of a temporal PE. What is left out has to be zero,
// so that there is one image for a setting.
func (s *TPESetting) legal(c *arch.Component, fail func(format string, args ...any)) {
	sources := c.TPE.Sources(c)
	for n, in := range s.Instructions {
		if !in.Valid {
			if in != (Instruction{}) {
				fail("instruction %d is not valid, and not zero", n)
			}
			continue
		}
		if in.Opcode < 0 || in.Opcode >= len(c.TPE.FUs) {
			fail("instruction %d has the opcode %d, the PE has %d function units", n, in.Opcode, len(c.TPE.FUs))
			continue
		}
		if op := c.TPE.FUs[in.Opcode].Single(); op != nil && op.Op.Name == opname.ArithCmpI {
			if num.CompareInt(int64(in.Predicate), 1) == nil {
				fail("instruction %d has the predicate %d, which there is not", n, in.Predicate)
			}
		} else if in.Predicate != 0 {
			fail("instruction %d compares nothing, and has the predicate %d", n, in.Predicate)
		}
		var has [arch.InstructionOperands]bool
		for _, k := range c.TPE.Steps[in.Opcode].Slot {
			has[k] = true
		}
		immediate := false
		for k, o := range in.Operands {
			immediate = immediate || o.Immediate
			switch {
			case !has[k] && o != (Operand{Held: true}):
				fail("instruction %d: '%s' has no operand %d, which must be held then", n, c.TPE.FUs[in.Opcode].Name, k)
			case o.Held && o.Source != 0:
				fail("instruction %d: operand %d is held, and has a source", n, k)
			case o.Source < 0 || o.Source >= sources:
				fail("instruction %d: operand %d has source %d of %d", n, k, o.Source, sources)
			case k == arch.OperandCondition && has[k] && o.Held && c.TPE.Steps[in.Opcode].Kind != arch.StepJoin:
				fail("instruction %d: its condition is held", n)
			case o.Immediate && (k == arch.OperandCondition || c.TPE.Constants == 0):
				fail("instruction %d: operand %d is immediate, and has no constant", n, k)
			}
		}
		if in.Constant < 0 || in.Constant >= max(c.TPE.Constants, 1) || !immediate && in.Constant != 0 {
			fail("instruction %d names constant %d of %d", n, in.Constant, c.TPE.Constants)
		}
	}
	for o, source := range s.Outputs {
		if source >= sources {
			fail("output %d has source %d of %d", o, source, sources)
		}
	}
}

func (w *writer) temporalPE(s *TPESetting) {
	at := w.s.TPE
	if len(s.Instructions) != len(at.Instructions) || len(s.Outputs) != len(at.Outputs) || len(s.Constants) != len(at.Constants) {
		w.fail("%d instructions, %d outputs and %d constants, the PE has %d, %d and %d",
			len(s.Instructions), len(s.Outputs), len(s.Constants), len(at.Instructions), len(at.Outputs), len(at.Constants))
		return
	}
	wrong := false
	s.legal(w.s.Comp, func(format string, args ...any) {
		wrong = true
		w.fail(format, args...)
	})
	if wrong {
		return
	}
	for n, in := range s.Instructions {
		at := at.Instructions[n]
		w.flag(at.Valid, in.Valid)
		w.put(at.Opcode, uint64(in.Opcode), "opcode of instruction %d", n)
		w.put(at.Predicate, in.Predicate, "predicate of instruction %d", n)
		w.put(at.Constant, uint64(in.Constant), "constant of instruction %d", n)
		for k, o := range in.Operands {
			w.put(at.Operands[k].Source, uint64(o.Source), "source of operand %d of instruction %d", k, n)
			w.flag(at.Operands[k].Held, o.Held)
			if o.Immediate {
				w.flag(at.Operands[k].Immediate, true)
			}
		}
	}
	for o, source := range s.Outputs {
		if source >= 0 {
			w.flag(at.Outputs[o].Enable, true)
			w.put(at.Outputs[o].Source, uint64(source), "source of output %d", o)
		}
	}
	for k, v := range s.Constants {
		w.put(at.Constants[k], v, "constant %d", k)
	}
}

func (r *reader) temporalPE(s *TPESetting) {
	at := r.s.TPE
	for n, at := range at.Instructions {
		in := Instruction{Valid: r.flag(at.Valid), Opcode: int(r.get(at.Opcode)), Predicate: r.get(at.Predicate), Constant: int(r.get(at.Constant))}
		for k, o := range at.Operands {
			in.Operands[k] = Operand{Source: int(r.get(o.Source)), Held: r.flag(o.Held), Immediate: o.Immediate >= 0 && r.flag(o.Immediate)}
		}
		s.Instructions[n] = in
	}
	for o, at := range at.Outputs {
		switch source := int(r.get(at.Source)); {
		case r.flag(at.Enable):
			s.Outputs[o] = source
		case source != 0:
			r.fail("output %d has source %d and is not enabled", o, source)
		}
	}
	for k, at := range at.Constants {
		s.Constants[k] = r.get(at)
	}
	s.legal(r.s.Comp, r.fail)
}
