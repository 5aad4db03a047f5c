package rtlgen

import (
	"fmt"
	"slices"

	"loom/compiler/opname"
	"loom/compiler/units"
)

// iterativeUnits are the iterative units of a PE that one instance does the work of.
type iterativeUnits struct {
	units []*unit
	// chosen are the control inputs of the instance that depend on the opcode.
	chosen map[string]*aluControl
	// quotient and remainder are what a division of integers gives.
	quotient, remainder net
	made                *unit
}

// dividerKey is that of divisions of integers, which are one loom_divide.
const dividerKey = "loom_divide"

// iterativeKey names the instance that an iterative unit on words can share, "" for other units.
func (s *sharing) iterativeKey(u *unit) string {
	op, ok := single(u)
	if !ok || len(u.Operations) != 1 || s.v.Results[0].Net.Width != s.width {
		return ""
	}
	row, _ := units.Lookup(op.Op.Name)
	if row.Class != units.Iterative {
		return ""
	}
	for _, n := range slices.Concat(u.Args, u.Results) {
		if !s.word(n) {
			return ""
		}
	}
	if !row.Types.Float() {
		return dividerKey
	}
	key := row.Module
	for _, p := range u.Operations[0].Params {
		if p.Name == "EXP" || p.Name == "FRAC" {
			key += " " + p.Value
		}
	}
	return key
}

// iterate makes a unit use the instance that it shares with others.
func (s *sharing) iterate(u *unit, x *iterativeUnits) {
	if x.made == nil {
		s.makeIterative(x)
		s.v.Active = append(s.v.Active, x.made)
	}
	op, _ := single(u)
	if x.quotient.Stem != "" {
		if op.Op.Name == opname.ArithDivSI || op.Op.Name == opname.ArithRemSI {
			x.chosen["is_signed"].on(u)
		}
		result := x.quotient
		if op.Op.Name == opname.ArithRemSI || op.Op.Name == opname.ArithRemUI {
			result = x.remainder
		}
		s.take(0, u, result.Stem+"_data")
		return
	}
	for _, c := range u.Operations[0].Controls {
		if at := x.chosen[c.Port]; at != nil && c.Signal == "1'd1" {
			at.on(u)
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
	x.chosen = map[string]*aluControl{}
	choose := func(port string) {
		c := &aluControl{Name: u.Name + "__" + port}
		x.chosen[port] = c
		s.v.Chosen = append(s.v.Chosen, c)
		o.Controls = append(o.Controls, pin{port, c.Name})
	}
	if s.iterativeKey(first) == dividerKey {
		o.Module, o.Params = "loom_divide", []param{{"W", fmt.Sprint(s.width)}}
		y.None = true
		x.quotient, x.remainder = net{Stem: u.Name + "__quotient", Width: s.width}, net{Stem: u.Name + "__remainder", Width: s.width}
		u.Wires = []net{x.quotient, x.remainder}
		choose("is_signed")
		o.Controls = append(o.Controls, pin{"quo_data", x.quotient.Stem + "_data"}, pin{"rem_data", x.remainder.Stem + "_data"})
	} else {
		whole := true // all have the same parts
		for _, m := range x.units {
			whole = whole && m.Operations[0].sameParams(first.Operations[0])
		}
		for _, p := range first.Operations[0].Params {
			if whole || p.Name == "EXP" || p.Name == "FRAC" {
				o.Params = append(o.Params, p)
			}
		}
		for _, c := range first.Operations[0].Controls {
			if whole {
				o.Controls = append(o.Controls, c)
			} else {
				choose(c.Port)
			}
		}
		o.Unused = first.Operations[0].Unused
	}
	u.Results = []net{y}
	u.Nets = slices.Concat(u.Args, u.Results)
	o.Out = []port{{"y", u.Results, false, y.None}}
	u.Operations = []*operation{o}
	u.Idle = []string{o.Stem + "_idle"}
	x.made = u
}

// sameParams reports whether two instances have the same parameters.
func (o *operation) sameParams(p *operation) bool { return slices.Equal(o.Params, p.Params) }
