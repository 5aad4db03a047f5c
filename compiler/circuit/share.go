package circuit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"loom/compiler/circuit/timing"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// Share is a multiplier or divider that several units use (loom_share): each of its clients is
// a unit of its own, with operands and a result, whose work the shared one does.
type Share struct {
	// Name is unique among units.
	Name string
	// Module is the unit: loom_mul or loom_divide.
	Module string
	// Width is that of the unit's operands in bits; clients of fewer bits extend theirs.
	Width   int
	Clients []*Client
	// Reason states why the clients do not need a unit each.
	Reason string
}

// Client is a unit that uses a shared one.
type Client struct {
	Unit *Unit
	// Credits is how many of its requests and results may be under way.
	Credits int
	// Bypass: the result passes in the cycle in which it comes, else in the next one.
	Bypass bool
	// Wait is how many cycles a request waits at most until it is its turn, as long as the
	// results of all clients are taken.
	Wait int
}

// Divider reports whether the unit divides; else it multiplies.
func (s *Share) Divider() bool { return s.Module == dividerModule }

// Registered reports whether a register stands between the choice among the clients and the unit: a
// multiplier takes most of a cycle itself, a divider begins with registers.
func (s *Share) Registered() bool { return !s.Divider() }

// Latency is the number of cycles from a pair of operands to their result in the unit, with the register in
// front of it.
func (s *Share) Latency() int {
	if s.Divider() {
		return s.Width + 1
	}
	return units.MultiplierLatency(s.Width) + 1
}

// Tokens is how many requests the unit holds at a time.
func (s *Share) Tokens() int {
	if s.Divider() {
		return 1
	}
	return s.Latency()
}

// occupancy is for how many cycles a request keeps the unit from taking another one.
func (s *Share) occupancy() int {
	if s.Divider() {
		return s.Width + 1
	}
	return 1
}

// InWidth is the number of bits of a request: both operands, for a divider whether they are
// signed.
func (s *Share) InWidth() int {
	if s.Divider() {
		return 2*s.Width + 1
	}
	return 2 * s.Width
}

// The modules that can be shared.
const (
	multiplierModule = "loom_mul"
	dividerModule    = "loom_divide"
)

// Signed reports whether a client divides signed numbers.
func (c *Client) Signed() bool {
	return c.Unit.Op.Name == opname.ArithDivSI || c.Unit.Op.Name == opname.ArithRemSI
}

// Remainder reports whether a client wants the remainder of a division.
func (c *Client) Remainder() bool {
	return c.Unit.Op.Name == opname.ArithRemSI || c.Unit.Op.Name == opname.ArithRemUI
}

// Cycles is the number of cycles from the operands of a Compute or Divide to its result, if
// nothing stalls.
func (u *Unit) Cycles() int {
	switch {
	case u.Share != nil:
		n := u.Share.Latency() + u.Client.Wait
		if !u.Client.Bypass {
			n++
		}
		return n
	}
	return u.Latency
}

// maxClients: the operands of up to four clients go through one look-up table per bit; those of
// more take several, and more levels.
const maxClients = 4

// luts is what a block of multiplication counts in look-up tables: less than what the devices
// of the families that we measure have per block.
const luts = 100

// cost is the size of a unit in look-up tables, as measured.
func cost(module string, width int) int {
	if module == dividerModule {
		module = "loom_divrem"
	}
	r, err := timing.Lookup(timing.Key{Module: module, Width: width})
	if err != nil {
		return 0
	}
	return r.LUT + luts*r.DSP
}

// cost is the size of what stands between clients and unit, a model of what yosys
// synth_xilinx makes of loom_share: a table per bit of a request; per client some 10 of
// control, one per bit that passes by the slots, and with several slots distributed RAM with
// its pointers.
func (s *Share) cost() int {
	n := s.InWidth()
	for _, c := range s.Clients {
		n += 10
		if c.Bypass {
			n += s.Width
		}
		if c.Credits > 1 {
			n += (s.Width+5)/6*4 + 24
		}
	}
	return n
}

// least is the number of look-up tables below which sharing is not worth the longer paths.
const least = 20

// saves is the number of look-up tables that sharing saves.
func (s *Share) saves() int {
	n := -s.cost() - cost(s.Module, s.Width)
	for _, c := range s.Clients {
		n += cost(s.Module, c.Unit.In[0].Width)
	}
	return n
}

// shareable is the module that does the work of a unit and that other units could use, too: of
// a multiplication or division of two values. Where one is a number the unit is small.
func (u *Unit) shareable() (module string, ok bool) {
	switch {
	case u.Kind == Divide && ir.IsInt(u.Op.Result(0).Type):
		module = dividerModule
	case u.Kind == Compute && u.Op.Name == opname.ArithMulI:
		module = multiplierModule
	default:
		return "", false
	}
	return module, !u.In[0].Immediate() && !u.In[1].Immediate() && u.Out[0] != nil
}

// share lets multiplications and divisions use one unit where that is smaller and no loop
// becomes slower:
//   - those that never work at the same time, as the one begins when the other has ended (of
//     two loops one after the other, or of two steps of a recurrence), and
//   - those that need it so seldom, by the intervals of their loops, that it has time for all.
//
// What a client waits for others is known to the schedule (Unit.Cycles).
func share(c *Circuit, o Options) {
	if c.free() {
		return // nothing is known of its loops
	}
	var all []*Unit
	for _, u := range c.Units {
		if _, ok := u.shareable(); ok {
			all = append(all, u)
		}
	}
	if len(all) < 2 {
		return
	}
	p := newSharing(c, o)
	// Wide ones first: they are the units that the others use.
	slices.SortStableFunc(all, func(a, b *Unit) int { return cmp.Compare(b.In[0].Width, a.In[0].Width) })
	var groups []*Share
	for _, u := range all {
		if !slices.ContainsFunc(groups, func(s *Share) bool { return p.join(s, u) }) {
			module, _ := u.shareable()
			s := &Share{Module: module, Width: u.In[0].Width}
			s.Clients = []*Client{{Unit: u}}
			groups = append(groups, s)
		}
	}
	var names namer = c.unitNames()
	for _, s := range groups {
		if len(s.Clients) < 2 || s.saves() < least && !o.ShareAll {
			continue
		}
		for _, x := range s.Clients {
			x.Unit.Share, x.Unit.Client = s, x
		}
		if !o.ShareAll && !p.asFast() {
			for _, x := range s.Clients {
				x.Unit.Share, x.Unit.Client = nil, nil
			}
			continue
		}
		slices.SortFunc(s.Clients, func(a, b *Client) int { return a.Unit.ID - b.Unit.ID })
		what := "multiplier"
		if s.Divider() {
			what = "divider"
		}
		s.Name = names.unique("shared_" + what)
		s.Reason = p.reason(s)
		c.Shares = append(c.Shares, s)
	}
}

// namer finds names that are not taken.
type namer map[string]bool

func (c *Circuit) unitNames() namer {
	n := namer{}
	for _, u := range c.Units {
		n[u.Name] = true
	}
	for _, a := range c.Arrays {
		n[a.Name] = true
	}
	return n
}

func (n namer) unique(want string) string {
	name := want
	for i := 2; n[name]; i++ {
		name = fmt.Sprintf("%s_%d", want, i)
	}
	n[name] = true
	return name
}

// String describes the unit, its clients and the reason in a line.
func (s *Share) String() string {
	var clients []string
	for _, x := range s.Clients {
		text := x.Unit.Name
		if x.Credits > 1 {
			text += fmt.Sprintf(" (%d results under way)", x.Credits)
		}
		clients = append(clients, text)
	}
	return fmt.Sprintf("%s, %s of %d bits, for %s: %s", s.Name, s.Module, s.Width, strings.Join(clients, ", "), s.Reason)
}
