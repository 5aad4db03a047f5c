package circuit

import "loom/compiler/units"

// Dividers is which divisions and square roots of floats are pipelined: an operation per cycle, for some three times the
// cells of an iterative unit.
type Dividers int

// The choices.
const (
	// DividersAuto: those whose loop would take more than a quarter longer with iterative units.
	DividersAuto Dividers = iota
	DividersIterative
	DividersPipelined
)

// Row is the row of the table of units for what the unit computes.
func (u *Unit) Row() *units.Unit {
	row, _ := units.Lookup(u.Op.Name)
	if u.Kind == Compute && row.Piped != nil {
		return row.Piped
	}
	return row
}

// Pipelined reports whether the unit is the pipelined form of one that may be iterative.
func (u *Unit) Pipelined() bool {
	row, _ := units.Lookup(u.Op.Name)
	return u.Kind == Compute && row.Piped != nil
}

// pipeline chooses the form of the circuit's divisions and square roots of floats, which are iterative so far. The
// intervals of the loops are those with all of them pipelined, so that what takes long beside them counts: other units, and
// recurrences, in which a pipelined unit gains nothing. What is outside of all loops stays iterative.
func pipeline(c *Circuit, o Options) {
	var all []*Unit
	iterative := map[*Unit]int{} // cycles
	for _, u := range c.Units {
		if u.Kind == Divide && u.Row().Piped != nil && o.Dividers != DividersIterative {
			all, iterative[u] = append(all, u), u.Latency
			u.Kind = Compute
			u.Latency, _ = u.Row().Timing(u.Op, c.IndexWidth)
		}
	}
	if len(all) == 0 || o.Dividers == DividersPipelined {
		return
	}
	s := newSharing(c, o).schedule
	for _, u := range all {
		home, cycles := s.home[u.ID], iterative[u]
		if home == outside || s.ii[home]+s.ii[home]/4 >= cycles {
			u.Kind, u.Latency = Divide, cycles
		}
	}
}
