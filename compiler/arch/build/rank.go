package build

// With 'fan_in' an output of a switch chooses among a few inputs only: a multiplexer of four is
// one look-up table of six inputs per bit, one of seven takes two. Which inputs stay is decided
// by ranks, such that every pair of neighbours keeps one way through one switch in each
// direction, and that nothing is offered at a switch that its destination has passed already:
//
//   - A link goes on straight ahead, and turns to one side, the other at every second switch.
//   - A PE takes from the links that come towards it: those from the other sides have passed
//     another corner of it. For the same reason its results enter the links that lead away
//     from it.
//   - Of the PEs at a switch it takes from the one across and from the next one clockwise.
//     Two PEs side by side meet at two switches, at one of which each is next to the other.
//   - What the boundary and memories offer goes to every output that may take it, and boundary outputs take from
//     everything. What a memory takes comes from the PEs at its switch and some of the links.
//
// Where a switch has fewer ports, at the rim, others follow until there are 'fan_in'.
type rank int

const (
	always rank = iota
	wanted
	useful
	last
)

// position is that of a PE at a switch, clockwise from north-west: that of which this
// switch is the south-east corner.
func (p port) position() int { return [...]int{2, 3, 1, 0}[p.corner] }

// corners is the number of PEs around a switch, and of switches around a PE.
const corners = 4

// towards are the sides to which the PE at a position lies.
func towards(corner int) [2]side {
	return [...][2]side{{north, west}, {north, east}, {south, east}, {south, west}}[corner]
}

// rank is the rank of an input of the switch at one of its outputs.
func (s *netSwitch) rank(in, out port) rank {
	switch {
	case !in.link && in.kind != pePort, !out.link && out.kind != pePort:
		return always
	case in.link && out.link:
		straight, turn := out.side.opposite(), (out.side+1)%corners
		if (s.x/2+s.y/2)%2 == 1 { // the drawing has a PE between two switches
			turn = turn.opposite()
		}
		switch in.side {
		case straight:
			return always
		case turn:
			return wanted
		}
		return useful
	case in.link:
		sides := towards(out.position())
		switch {
		case in.side == sides[0] || in.side == sides[1]:
			return last
		case in.track > 0:
			return always // a track along the rim
		}
		return wanted
	case out.link:
		if sides := towards(in.position()); out.side == sides[0] || out.side == sides[1] {
			return last
		}
		return wanted
	}
	switch (in.position() - out.position() + corners) % corners {
	case 1, 2:
		return wanted
	}
	return useful
}
