package build

import (
	"fmt"

	"loom/compiler/diag"
)

// The mesh. R × C PEs sit in the cells of a grid of (R+1) × (C+1) switches, each
// PE connected to the switches at its four corners by one input and one output
// each. Neighbouring switches are linked both ways by some tracks, every link
// through a FIFO. Memories and boundary ports hang on the switches of the
// perimeter. FIFOs stand in front of every PE input, memory input and boundary
// output, so that each structural cycle is cut and each consumer has places of
// its own; PE outputs go straight into the switches.

// pePorts is the number of inputs and of outputs of a PE: one per corner.
const pePorts = 4

// side names a neighbour of a switch.
type side int

const (
	north side = iota
	east
	south
	west
)

// String is the letter that names the side in component names.
func (s side) String() string { return [...]string{"n", "e", "s", "w"}[s] }

// opposite is the side on which the neighbour sees this switch.
func (s side) opposite() side { return (s + 2) % 4 }

// port is one input or output of a switch.
type port struct {
	link bool
	// of a link
	side  side
	track int
	// of anything else: the instance behind it ("pe_1_2", "mem_0", "in_3") and
	// which of its ports it is
	owner string
	kind  portKind
	index int
}

type portKind int

const (
	pePort portKind = iota
	memPort
	boundaryPort
)

// meshSwitch is one switch and what is connected to it.
type meshSwitch struct {
	row, col int
	in, out  []port
}

func (s *meshSwitch) name() string { return fmt.Sprintf("sw_%d_%d", s.row, s.col) }

// mesh is the plan of the fabric, before any IR is made.
type mesh struct {
	a    *architecture
	errs *diag.List
	sw   [][]*meshSwitch
	// taps are the switch ports of everything that stands at the perimeter with
	// ports of its own: memories and lanes, by name.
	taps map[string]*taps
}

// maxSwitchPorts is the limit of fabric.spatial_sw.
const maxSwitchPorts = 32

func newMesh(a *architecture, errs *diag.List) *mesh {
	m := &mesh{a: a, errs: errs, taps: map[string]*taps{}}
	for r := range a.rows + 1 {
		var row []*meshSwitch
		for c := range a.columns + 1 {
			row = append(row, &meshSwitch{row: r, col: c})
		}
		m.sw = append(m.sw, row)
	}
	m.links()
	m.pes()
	m.memories()
	m.boundary()
	for _, row := range m.sw {
		for _, s := range row {
			if max(len(s.in), len(s.out)) > maxSwitchPorts {
				m.overfull(s)
				return m
			}
		}
	}
	return m
}

// overfull reports a switch with too many ports, at what takes most of them and
// can be changed.
func (m *mesh) overfull(s *meshSwitch) {
	ports := s.in
	if len(s.out) > len(s.in) {
		ports = s.out
	}
	links, pes, boundary := 0, 0, 0
	var most *memory
	lanes := map[*memory]int{}
	for _, p := range ports {
		switch {
		case p.link:
			links++
		case p.kind == pePort:
			pes++
		case p.kind == boundaryPort:
			boundary++
		default:
			mem := m.taps[p.owner].mem
			lanes[mem]++
			if lanes[mem] > lanes[most] {
				most = mem
			}
		}
	}
	at := m.a.boundaryPos
	if lanes[most] > boundary {
		at = most.pos
	}
	m.errs.Errorf(at, "switch %s would have %d ports, a switch has at most %d", s.name(), len(ports), maxSwitchPorts).
		WithHelp("%d belong to links, %d to PEs, %d to memories and lanes, %d to the boundary; fewer of these or a larger mesh make them fit",
			links, pes, len(ports)-links-pes-boundary, boundary)
}

// neighbour returns the switch on a side, nil at the edge.
func (m *mesh) neighbour(s *meshSwitch, d side) *meshSwitch {
	r, c := s.row, s.col
	switch d {
	case north:
		r--
	case east:
		c++
	case south:
		r++
	case west:
		c--
	}
	if r < 0 || c < 0 || r >= len(m.sw) || c >= len(m.sw[0]) {
		return nil
	}
	return m.sw[r][c]
}

func (m *mesh) links() {
	for _, row := range m.sw {
		for _, s := range row {
			for d := north; d <= west; d++ {
				if m.neighbour(s, d) == nil {
					continue
				}
				for t := range m.a.tracks {
					p := port{link: true, side: d, track: t}
					s.in, s.out = append(s.in, p), append(s.out, p)
				}
			}
		}
	}
}

// corner k of the PE at (r, c): 0 north-west, 1 north-east, 2 south-west, 3
// south-east. Input and output k of a PE are connected to corner k.
func (m *mesh) corner(r, c, k int) *meshSwitch { return m.sw[r+k/2][c+k%2] }

func peName(r, c int) string { return fmt.Sprintf("pe_%d_%d", r, c) }

func (m *mesh) pes() {
	for r := range m.a.rows {
		for c := range m.a.columns {
			for k := range pePorts {
				s := m.corner(r, c, k)
				p := port{owner: peName(r, c), kind: pePort, index: k}
				s.in, s.out = append(s.in, p), append(s.out, p)
			}
		}
	}
}

// perimeter lists the switches of the edge, clockwise from the top left.
func (m *mesh) perimeter() []*meshSwitch {
	rows, cols := len(m.sw), len(m.sw[0])
	var out []*meshSwitch
	for c := range cols {
		out = append(out, m.sw[0][c])
	}
	for r := 1; r < rows; r++ {
		out = append(out, m.sw[r][cols-1])
	}
	for c := cols - 2; c >= 0; c-- {
		out = append(out, m.sw[rows-1][c])
	}
	for r := rows - 2; r > 0; r-- {
		out = append(out, m.sw[r][0])
	}
	return out
}

// boundary spreads the inputs evenly around the perimeter, and the outputs
// likewise, half a step behind, starting at the bottom.
func (m *mesh) boundary() {
	ring := m.perimeter()
	for i := range m.a.inputs {
		s := ring[i*len(ring)/m.a.inputs]
		s.in = append(s.in, port{owner: inputName(i), kind: boundaryPort, index: i})
	}
	for i := range m.a.outputs {
		at := (2*i + 1) * len(ring) / (2 * m.a.outputs)
		s := ring[(at+len(ring)/2)%len(ring)]
		s.out = append(s.out, port{owner: outputName(i), kind: boundaryPort, index: i})
	}
}

func inputName(i int) string  { return fmt.Sprintf("in_%d", i) }
func outputName(i int) string { return fmt.Sprintf("out_%d", i) }

// connected is the rule of the switches' connectivity tables. Links continue on
// their own track, never back to where they came from. What enters the network
// at this switch may leave on every track and at every neighbour except where it
// came from; memories answer load and store units and take their requests from
// them, so they are not wired to memories or boundary ports directly.
func connected(in, out port) bool {
	switch {
	case in.link && out.link:
		return in.track == out.track && in.side != out.side
	case in.link || out.link:
		return true
	case in.kind == memPort && out.kind == memPort:
		return false
	case in.kind == boundaryPort && out.kind == memPort:
		return false
	}
	return in.owner != out.owner
}

// table returns the connectivity of a switch, row per output.
func (s *meshSwitch) table() [][]bool {
	var rows [][]bool
	for _, o := range s.out {
		var row []bool
		for _, i := range s.in {
			row = append(row, connected(i, o))
		}
		rows = append(rows, row)
	}
	return rows
}
