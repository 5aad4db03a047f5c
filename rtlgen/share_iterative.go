package rtlgen

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/opname"
	"loom/compiler/units"
)

// iterativeUnits are the iterative units of a PE that one instance does the work of.
type iterativeUnits struct {
	units []*unit
	// chosen are the bits of the control inputs of the instance that depend on the opcode, the highest
	// first.
	chosen map[string][]*aluControl
	// quotient and remainder are what a division of integers gives.
	quotient, remainder net
	made                *unit
}

// iterativeKey names the instance that an iterative unit can share, "" for other units.
func (s *sharing) iterativeKey(u *unit) string { return s.v.iterative[u.Number] }

// iterate makes a unit use the instance that it shares with others.
func (s *sharing) iterate(u *unit, x *iterativeUnits) {
	if x.made == nil {
		s.makeIterative(x)
		s.v.Active = append(s.v.Active, x.made)
	}
	op, _ := single(u)
	if x.quotient.Stem != "" {
		if op.Op.Name == opname.ArithDivSI || op.Op.Name == opname.ArithRemSI {
			x.chosen["is_signed"][0].on(u.Number)
		}
		result := x.quotient
		if op.Op.Name == opname.ArithRemSI || op.Op.Name == opname.ArithRemUI {
			result = x.remainder
		}
		s.take(0, u, result.Stem+"_data")
		return
	}
	for _, c := range u.Operations[0].Controls {
		for i, bit := range x.chosen[c.Port] {
			if _, value := c.number(); value>>(len(x.chosen[c.Port])-1-i)&1 == 1 {
				bit.on(u.Number)
			}
		}
	}
	s.take(0, u, x.made.Results[0].Stem+"_data")
}

// makeIterative makes the instance: that of a unit with all operands, without the parameters that leave parts out.
func (s *sharing) makeIterative(x *iterativeUnits) {
	first := x.units[0]
	for _, m := range x.units {
		if len(m.Args) > len(first.Args) {
			first = m
		}
	}
	name := "divide_word"
	if row, _ := units.Lookup(first.FU.Ops[0].Op.Name); row.Types.Float() {
		name = "divide_float"
	}
	u := &unit{FU: first.FU, Number: x.units[0].Number, Name: s.names.name(name)}
	for _, m := range x.units {
		u.Opcodes = append(u.Opcodes, m.Number)
	}
	o := &operation{Op: "division", Stem: u.Name + "__unit", Module: first.Operations[0].Module, Clocked: true}
	for _, p := range first.Operations[0].In {
		n := net{Stem: u.Name + "__" + p.Stem, Width: s.width}
		u.Args, o.In = append(u.Args, n), append(o.In, port{p.Stem, []net{n}, false, false})
	}
	y := net{Stem: u.Name + "__y", Width: s.width}
	x.chosen = map[string][]*aluControl{}
	choose := func(port string, width int) { // the bits that the opcode decides
		var names []string
		for i := range width {
			c := &aluControl{Name: u.Name + "__" + port}
			if width > 1 {
				c.Name += fmt.Sprint(width - 1 - i)
			}
			x.chosen[port], names = append(x.chosen[port], c), append(names, c.Name)
			s.v.Chosen = append(s.v.Chosen, c)
		}
		o.Controls = append(o.Controls, pin{port, "{" + strings.Join(names, ", ") + "}"})
	}
	if row, _ := units.Lookup(first.FU.Ops[0].Op.Name); !row.Types.Float() {
		o.Module, o.Params = "loom_divide", []param{{"W", fmt.Sprint(s.width)}}
		y.None = true
		x.quotient, x.remainder = net{Stem: u.Name + "__quotient", Width: s.width}, net{Stem: u.Name + "__remainder", Width: s.width}
		u.Wires = []net{x.quotient, x.remainder}
		choose("is_signed", 1)
		o.Controls = append(o.Controls, pin{"quo_data", x.quotient.Stem + "_data"}, pin{"rem_data", x.remainder.Stem + "_data"})
	} else {
		// A part that one of them has is there.
		for _, p := range first.Operations[0].Params {
			if x.all(func(m *operation) bool { return slices.Contains(m.Params, p) }) {
				o.Params = append(o.Params, p)
			}
		}
		for _, c := range first.Operations[0].Controls {
			if x.all(func(m *operation) bool { return slices.Contains(m.Controls, c) }) {
				o.Controls = append(o.Controls, c)
			} else {
				width, _ := c.number()
				choose(c.Port, width)
			}
		}
		o.Unused = first.Operations[0].Unused
	}
	u.Results = []net{y}
	u.Nets = slices.Concat(u.Args, u.Results)
	o.Out = []port{{"y", u.Results, false, y.None}}
	u.Operations = []*operation{o}
	if s.v.shares {
		o.Ask = s.ask(x, u.Name, o, first)
	} else {
		u.Idle = []string{o.Stem + "_idle"}
	}
	x.made = u
}

// all reports whether something holds for the instances that all units would have for themselves.
func (x *iterativeUnits) all(holds func(o *operation) bool) bool {
	return !slices.ContainsFunc(x.units, func(u *unit) bool { return !holds(u.Operations[0]) })
}

// number reads a signal that is a number: its bits and its value.
func (p pin) number() (width, value int) {
	fmt.Sscanf(p.Signal, "%d'd%d", &width, &value)
	return width, value
}
