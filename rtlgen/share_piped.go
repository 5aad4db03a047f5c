package rtlgen

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// part is an instance of a module with its registers inside that several units of a PE compute with.
type part struct {
	Stem, Module string
	Params       []param
	Width        int // of the result
	Registers    int
	Operands     []pin
	Controls     []partControl
	// Moves are the signals that tell the registers when to move, of which that of the unit that is on
	// counts; the last one where no other unit is.
	Moves []partMove
}

// partControl is an input that chooses what a part computes, by the opcode: its bits, the highest first.
type partControl struct {
	Port string
	Bits []*aluControl
	Off  string // a signal that is high while the part computes what 0 stands for, "" for none
}

type partMove struct{ On, Signal string }

// pipedUnits are the units of one part.
type pipedUnits struct {
	plain, accumulators []*unit
	sums                []*unit // in parts
	part                *part
	present             net // the value of the accumulators
	// Of the sums: the second operand of the part, and whether it combines parts.
	addend, joining net
}

func (p *pipedUnits) add(u *unit) {
	if sumsUp(u) {
		p.sums = append(p.sums, u)
	} else if u.FU.Fused() != nil {
		p.accumulators = append(p.accumulators, u)
	} else {
		p.plain = append(p.plain, u)
	}
}

// pipedKey names the part that a unit computes with, "" for units that have none: one operation on words
// with its registers inside, or an accumulator around one.
func (s *sharing) pipedKey(u *unit) string {
	var op *arch.FUOp
	var o *operation
	if s.v.Results[0].Net.Width != s.width {
		return "" // only results of words have the multiplexer that takes what a part gives
	}
	if sumsUp(u) {
		if !s.word(u.Args[0]) || !s.word(u.Args[1]) || s.word(u.Args[2]) || len(u.Stages)+len(u.Forks)+len(u.Unread) > 0 {
			return ""
		}
		op, o = u.FU.Ops[0], s.stepOf(u)
	} else if u.FU.Fused() != nil {
		if !s.accumulates(u) {
			return ""
		}
		op, o = s.computed(u), u.Computes[0]
	} else {
		var ok bool
		if op, ok = single(u); !ok || len(u.Datapaths) != 1 || !u.Datapaths[0].Inside || u.Datapaths[0].Interval != 1 || u.Datapaths[0].Latency == 0 {
			return ""
		}
		for _, n := range slices.Concat(u.Args, u.Results) {
			if !s.word(n) {
				return ""
			}
		}
		o = u.Datapaths[0].Operations[0]
	}
	row := u.FU.Row(op)
	if !row.Inside && !sumsUp(u) {
		return ""
	}
	key := o.Module
	for _, p := range o.Params {
		if !leavesOut(row, p) {
			key += " " + p.Name + "=" + p.Value
		}
	}
	return key
}

// leavesOut reports whether a parameter says what a module does not have: that of a part that does the work of
// several units has all of it.
func leavesOut(row *units.Unit, p param) bool {
	return slices.ContainsFunc(row.Params, func(q units.Param) bool { return q.Name == p.Name && q.From == units.Literal })
}

// piped gives a unit its share of a part; the first one of its kind makes the state machine for all.
func (s *sharing) piped(u *unit, p *pipedUnits) {
	if p.part == nil {
		s.makePart(p)
	}
	x := p.part
	for _, c := range s.operationOf(u).Controls {
		for _, p := range x.Controls {
			for i, bit := range p.Bits {
				if width, value := c.number(); p.Port == c.Port && value>>(width-1-i)&1 == 1 {
					bit.on(u.Number)
				}
			}
		}
	}
	s.take(0, u, x.Stem+"_y")
	if sumsUp(u) {
		return
	}
	if u.FU.Fused() == nil {
		// Operations of as many operands have one handshake.
		var group []*unit
		for _, m := range p.plain {
			if len(m.Args) == len(u.Args) {
				group = append(group, m)
			}
		}
		if group[0] == u {
			s.v.Active = append(s.v.Active, s.pipedGroup(p, group))
		}
		return
	}
	s.take(1, u, p.present.Stem+"_data")
	if p.accumulators[0] == u {
		s.v.Active = append(s.v.Active, s.pipedMachine(p))
	}
}

// operationOf is the instance that a unit would have for itself.
func (s *sharing) operationOf(u *unit) *operation {
	if sumsUp(u) {
		return s.stepOf(u)
	}
	if len(u.Computes) > 0 {
		return u.Computes[0]
	}
	return u.Datapaths[0].Operations[0]
}

// makePart makes the instance that units compute with: that of the one with the most operands, with all that one of
// them has.
func (s *sharing) makePart(p *pipedUnits) {
	all := slices.Concat(p.plain, p.accumulators)
	o := s.operationOf(all[0])
	for _, u := range all {
		if m := s.operationOf(u); len(m.In) > len(o.In) {
			o = m
		}
	}
	x := &part{Stem: s.names.name(strings.TrimPrefix(o.Module, "loom_")), Module: o.Module, Width: s.width}
	for _, q := range o.Params {
		if slices.ContainsFunc(all, func(u *unit) bool { return !slices.Contains(s.operationOf(u).Params, q) }) {
			continue
		}
		x.Params = append(x.Params, q)
		if q.Name == "LATENCY" {
			fmt.Sscan(q.Value, &x.Registers)
		}
	}
	for k, port := range o.In {
		x.Operands = append(x.Operands, pin{port.Stem, s.operand(k)})
	}
	for _, c := range o.Controls {
		width, _ := c.number()
		if width == 0 { // an operand that none of them has
			x.Operands = append(x.Operands, c)
			continue
		}
		bits := partControl{Port: c.Port}
		for i := range width {
			bits.Bits = append(bits.Bits, &aluControl{Name: fmt.Sprintf("%s_%s%d", x.Stem, c.Port, width-1-i)})
		}
		x.Controls = append(x.Controls, bits)
	}
	if len(p.accumulators) > 0 {
		// While no accumulator is on, its value is the first operand.
		p.present = net{Stem: s.names.name(x.Stem + "_value"), Width: s.width}
		x.Operands[0].Signal = p.present.Stem + "_data"
	}
	if len(p.sums) > 0 {
		p.addend = net{Stem: s.names.name(x.Stem + "_addend"), Width: s.width}
		p.joining = net{Stem: s.names.name(x.Stem + "_joining"), Width: 1}
		x.Operands[1].Signal = p.addend.Stem + "_data"
		for k := range x.Controls {
			x.Controls[k].Off = p.joining.Stem + "_data"
		}
	}
	p.part = x
	s.v.Parts = append(s.v.Parts, x)
}

// pipedGroup is the handshake of units of a part that are single operations, of as many operands.
func (s *sharing) pipedGroup(p *pipedUnits, group []*unit) *unit {
	first := group[0]
	u := &unit{FU: first.FU, Number: first.Number, Name: s.names.name(p.part.Stem + "_flow")}
	for _, m := range group {
		u.Opcodes = append(u.Opcodes, m.Number)
	}
	token := func(name string) net { return net{Stem: u.Name + "__" + name, Width: 1, None: true} }
	d := &datapath{Stem: u.Name + "__fu", Width: 1, Latency: p.part.Registers, Interval: 1, Inside: true, Values: []net{token("none")}}
	for k := range first.Args {
		u.Args = append(u.Args, token(fmt.Sprintf("in%d", k)))
	}
	u.Results = []net{token("out")}
	u.Nets = slices.Concat(u.Args, u.Results)
	d.In, d.Out = u.Args, u.Results
	u.Datapaths = []*datapath{d}
	u.Idle = []string{d.Stem + "_idle"}
	p.part.Moves = append(p.part.Moves, partMove{u.Name + "__on", d.Stem + "_move"})
	return u
}

// pipedMachine is the state machine of the accumulators of a part.
func (s *sharing) pipedMachine(p *pipedUnits) *unit {
	var words []net
	if len(p.sums) > 0 {
		words = p.accumulators[0].Args[1:2] // the other operand, too, goes through the machine
	}
	u := s.machineOf(p.accumulators, s.names.name(p.part.Stem+"_accumulate"), p.present, words...)
	o := u.Operations[0]
	if len(p.sums) > 0 {
		s.sums(p, u, o)
	}
	move := net{Stem: o.Stem + "_move", Width: p.part.Registers}
	u.Wires = append(u.Wires, move)
	o.Move, o.Next = move.Stem+"_data", p.part.Stem+"_y"
	// In front of those of the plain units, whose registers move while they are empty.
	p.part.Moves = append([]partMove{{u.Name + "__on", o.Move}}, p.part.Moves...)
	return u
}

// sumsUp reports whether a unit is a sum in parts.
func sumsUp(u *unit) bool {
	return len(u.FU.Ops) == 1 && u.FU.Ops[0].Op.Name == opname.DataflowAccumulate
}

// stepOf is the instance that makes a part of a sum, from a part and an element.
func (s *sharing) stepOf(u *unit) *operation {
	op := dataflow.Step(u.FU.Ops[0].Op)
	row, _ := units.Lookup(op.Name)
	o := &operation{Op: op.Name, Module: row.Module}
	for _, p := range row.Params {
		o.Params = append(o.Params, param{p.Name, p.Text(op, 64)})
	}
	o.Params = append(o.Params, param{"LATENCY", fmt.Sprint(dataflow.Parts(u.FU.Ops[0].Op))})
	for _, c := range row.Controls {
		o.Controls = append(o.Controls, pin{c.Port, c.Text()})
	}
	for _, p := range row.In {
		o.In = append(o.In, port{Stem: p.Stem})
	}
	return o
}

// sums lets the state machine of accumulators be that of sums in parts, too: with their opcodes it keeps parts, and what
// they give is the result that is the next value of the others.
func (s *sharing) sums(p *pipedUnits, u *unit, o *operation) {
	parts := &aluControl{Name: s.names.name(p.part.Stem + "_parts")}
	for _, m := range p.sums {
		parts.on(m.Number)
		u.Opcodes = append(u.Opcodes, m.Number)
	}
	slices.Sort(u.Opcodes)
	s.v.Chosen = append(s.v.Chosen, parts)
	u.Wires = append(u.Wires, p.addend, p.joining)
	op := p.sums[0].FU.Ops[0].Op
	neutral, _ := num.ConstantBits(&ir.FloatAttr{Value: dataflow.Neutral(dataflow.Step(op).Name), Type: op.Result(0).Type}, op.Result(0).Type, 64)
	o.Module = "loom_accumulate_parts"
	o.Params = append(o.Params, param{"NEUTRAL", fmt.Sprintf("%d'h%x", s.width, neutral)})
	o.Controls = append(o.Controls, pin{"parts", parts.Name})
	o.Addend, o.Joining = p.addend.Stem+"_data", p.joining.Stem+"_data"
	o.In = slices.Clone(o.In)
	o.In[2].Token = false
}
