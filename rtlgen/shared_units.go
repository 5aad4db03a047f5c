package rtlgen

import (
	"slices"

	"loom/compiler/arch"
	"loom/compiler/latency"
	"loom/compiler/opname"
)

// asking is how a PE uses iterative hardware that it has together with others: a channel for its operands and
// one for the result.
type asking struct {
	Name   string // stem of the ports of the PE
	Key    string // of arch.Iterative
	Module string
	Params []param
	// In are the operands of the module. A request has them, the first lowest, and above them the Asked bits of its
	// control inputs; the Fixed ones are constants.
	In     []string
	Asked  []asked
	Fixed  []pin
	Unused []string // outputs that nothing reads, of one bit
	// InWidth and Width are the bits of a request and of a result.
	InWidth, Width int
	// Unary is the signal that is high where the first operand is the only one, "" where no unit has one alone.
	Unary string
	// Wants is the signal that is high where a division is to give its remainder, "" for other modules.
	Wants string
	// Results are the signals that have the result.
	Results []string
}

// asked is a control input of shared hardware: Bits of a request from bit At on.
type asked struct {
	pin
	At, Bits int
}

// ask makes the channels between a PE and the hardware that would be the instance o of its units.
func (s *sharing) ask(x *iterativeUnits, name string, o *operation, first *unit) *asking {
	a := &asking{Name: s.names.name(name), Key: s.iterativeKey(first), Module: o.Module, Params: o.Params, Unused: o.Unused, Width: s.width}
	for _, p := range o.In {
		a.In = append(a.In, p.Stem)
	}
	a.InWidth = len(a.In) * s.width
	for _, c := range o.Controls {
		switch {
		case x.chosen[c.Port] != nil:
			a.Asked = append(a.Asked, asked{c, a.InWidth, len(x.chosen[c.Port])})
			a.InWidth += len(x.chosen[c.Port])
		case c.Port == "quo_data" || c.Port == "rem_data":
			a.Results = append(a.Results, c.Signal)
		default:
			a.Fixed = append(a.Fixed, c)
		}
	}
	slices.Reverse(a.Asked) // the highest first
	control := func(what string, holds func(u *unit) bool) string {
		c := &aluControl{Name: s.names.name(a.Name + "_" + what)}
		for _, u := range x.units {
			if holds(u) {
				c.on(u.Number)
			}
		}
		s.v.Chosen = append(s.v.Chosen, c)
		return c.Name
	}
	if unary := func(u *unit) bool { return len(u.Args) < len(first.Args) }; slices.ContainsFunc(x.units, unary) {
		a.Unary = control("unary", unary)
	}
	if len(a.Results) > 0 {
		a.Wants = control("remainder", func(u *unit) bool {
			name := u.FU.Ops[0].Op.Name
			return name == opname.ArithRemSI || name == opname.ArithRemUI
		})
	} else {
		a.Results = []string{o.Out[0].Nets[0].Stem + "_data"}
	}
	s.v.Asks = append(s.v.Asks, a)
	return a
}

// sharedUnit is iterative hardware that several PEs use in turn, behind a loom_share.
type sharedUnit struct {
	Stem    string
	PEs     []string // stems of the components
	Ask     *asking
	Credits int
}

// sharedUnits are those of a group, which have so many stems.
func (g *generator) sharedUnits(group []*arch.Component, stems []string) []*sharedUnit {
	var out []*sharedUnit
	for k, a := range g.pe(group[0]).Asks {
		x := &sharedUnit{Stem: stems[k], Ask: a, Credits: latency.SharedCredits}
		for _, c := range group {
			x.PEs = append(x.PEs, g.comps[c.ID])
		}
		out = append(out, x)
	}
	return out
}
