package build

import (
	"fmt"

	"loom/compiler/diag"
)

// The plan of a fabric, before any IR is made: switches with what is connected to
// their ports, PEs between them, and the edge at which memories and boundary ports
// hang. A topology adds switches, links and PEs; the rest is the same for all.
//
// With token tracks there are two networks side by side: one of words and one of tokens,
// channels of one bit for conditions, control tokens and the done tokens of memories,
// about half of a kernel's values. A PE has ports at both, or at the one its units need.
//
// Every link goes through a FIFO. FIFOs stand in front of every PE input, memory
// input and boundary output as well, so that each structural cycle is cut and each
// consumer has slots of its own; PE outputs go straight into the switches.
type network struct {
	a        *architecture
	errs     *diag.List
	switches []*netSwitch
	pes      []*netPE
	// edge lists the switches that take memories and boundary ports, in the order
	// around the network, those of words where there are two networks.
	edge []*netSwitch
	// taps are the switch ports of everything that stands at the edge with ports of
	// its own: memories and lanes, by name.
	taps map[string]*taps
}

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

// step is one unit of the drawing towards the side.
func (s side) step() (dx, dy int) {
	d := [...][2]int{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}[s]
	return d[0], d[1]
}

// port is one input or output of a switch.
type port struct {
	link bool
	// of a link: the side it is on, and the switch there with the side on which
	// that one sees this
	side, back side
	track      int
	to         *netSwitch
	// of anything else: the instance behind it ("pe_1_2", "mem_0", "in_3") and
	// which of its ports it is
	owner string
	kind  portKind
	index int
	// of a PE: the corner of it that this switch is
	corner int
	// Whether it may carry a request or the data of a memory: of a PE, whether it has loads or stores; of a
	// memory, whether the port is not that of a done token.
	access bool
}

type portKind int

const (
	pePort portKind = iota
	memPort
	boundaryPort
	unitPort // of a load or store unit at a memory
)

// netSwitch is one switch and what is connected to it.
type netSwitch struct {
	id   string // what names the switch and its links: "1_2", of the token network "t1_2"
	x, y int    // position on the drawing
	// width is that of the channels in bits; tokens is the switch beside this one that takes
	// what has one bit or no data: this one itself in a fabric with one network.
	width  int
	tokens *netSwitch
	// outward is where, at the edge, the outside of the network is.
	outward side
	in, out []port
}

func (s *netSwitch) name() string { return "sw_" + s.id }

// netPE is one PE: its row and column in the pattern, its position on the drawing,
// and the switches that its inputs and its outputs belong to.
type netPE struct {
	row, col, x, y int
	in, out        []*netSwitch
}

func (p *netPE) name() string { return fmt.Sprintf("pe_%d_%d", p.row, p.col) }

// maxSwitchPorts is the limit of fabric.spatial_sw.
const maxSwitchPorts = 32

func newNetwork(a *architecture, errs *diag.List) *network {
	n := &network{a: a, errs: errs, taps: map[string]*taps{}}
	a.topology.plan(n)
	n.memories()
	n.boundary()
	for _, s := range n.switches {
		if max(len(s.in), len(s.out)) > maxSwitchPorts {
			n.overfull(s)
			return n
		}
	}
	return n
}

// addSwitch adds a switch of words to the network.
func (n *network) addSwitch(id string, x, y int) *netSwitch {
	s := &netSwitch{id: id, x: x, y: y, width: n.a.width}
	s.tokens = s
	n.switches = append(n.switches, s)
	return s
}

// link gives a switch its ports of the channels to and from another, tracks of them
// per direction. The other, which sees it on side back, is linked by a call of its
// own.
func (n *network) link(s *netSwitch, d side, to *netSwitch, back side, tracks int) {
	for t := range tracks {
		p := port{link: true, side: d, back: back, track: t, to: to}
		s.in, s.out = append(s.in, p), append(s.out, p)
	}
}

// addTokens adds a switch of tokens beside one of words.
func (n *network) addTokens(words *netSwitch, x, y int) *netSwitch {
	s := &netSwitch{id: "t" + words.id, x: x, y: y, width: tokenWidth}
	s.tokens, words.tokens = s, s
	n.switches = append(n.switches, s)
	return s
}

// tokenWidth is the width of the token network's channels: a condition, or a control token.
const tokenWidth = 1

// addPE connects a PE to its corners, by inputs and outputs of words first and then, with two
// networks, of tokens. Ports that no unit of the PE can use are left out.
func (n *network) addPE(row, col, x, y int, corners []*netSwitch) {
	p := &netPE{row: row, col: col, x: x, y: y}
	words, tokens := n.a.grid[row][col].needs()
	access := n.a.grid[row][col].accesses()
	one := !n.a.topology.twoNetworks()
	ports := n.a.grid[row][col].ports
	connect := func(k int, s *netSwitch, inputs, outputs, turn int) {
		q := port{owner: p.name(), kind: pePort, corner: k, access: access}
		if open(row, col, k+turn, inputs) {
			q.index = len(p.in)
			s.out, p.in = append(s.out, q), append(p.in, s)
		}
		if open(row, col, k+turn+2, outputs) {
			q.index = len(p.out)
			s.in, p.out = append(s.in, q), append(p.out, s)
		}
	}
	for k, s := range corners {
		if words || one {
			connect(k, s, ports.inputs, ports.outputs, 0)
		}
	}
	for k, s := range corners {
		if tokens && !one {
			connect(k, s.tokens, ports.tokenInputs, ports.tokenOutputs, 1)
		}
	}
	n.pes = append(n.pes, p)
}

// open reports whether a PE that has ports at n of its corners has one at corner k. Which
// corners it leaves out turns from PE to PE, so that not all values of a region go the same way (1 per
// cent of the cycles on mesh6x6); of two, they are opposite: one of them is near, wherever a value
// comes from.
func open(row, col, k, n int) bool {
	k = (k + row + 2*col) % corners
	switch n {
	case 3:
		return k != 3
	case 2:
		return k == 0 || k == 3
	case 1:
		return k == 0
	}
	return true
}

// addEdge puts a switch at the end of the edge, unless it stands there already.
func (n *network) addEdge(s *netSwitch, outward side) {
	for _, e := range n.edge {
		if e == s {
			return
		}
	}
	s.outward = outward
	n.edge = append(n.edge, s)
}

// overfull reports a switch with too many ports, at what takes most of them and
// can be changed.
func (n *network) overfull(s *netSwitch) {
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
			mem := n.taps[p.owner].mem
			lanes[mem]++
			if lanes[mem] > lanes[most] {
				most = mem
			}
		}
	}
	at := n.a.boundaryPos
	if lanes[most] > boundary {
		at = most.pos
	}
	n.errs.Errorf(at, "switch %s would have %d ports, a switch has at most %d", s.name(), len(ports), maxSwitchPorts).
		WithHelp("%d belong to links, %d to PEs, %d to memories and lanes, %d to the boundary; fewer of these or a larger %s make them fit",
			links, pes, len(ports)-links-pes-boundary, boundary, n.a.kind)
}

// boundary spreads the inputs evenly along the edge, and the outputs
// likewise, half a step behind, starting at the bottom. The last ones are those of tokens.
func (n *network) boundary() {
	ring := n.edge
	for i := range n.a.inputs {
		s := ring[i*len(ring)/n.a.inputs]
		if n.a.tokenPort(i, n.a.inputs) {
			s = s.tokens
		}
		s.in = append(s.in, port{owner: inputName(i), kind: boundaryPort, index: i})
	}
	for i := range n.a.outputs {
		at := (2*i + 1) * len(ring) / (2 * n.a.outputs)
		s := ring[(at+len(ring)/2)%len(ring)]
		if n.a.tokenPort(i, n.a.outputs) {
			s = s.tokens
		}
		s.out = append(s.out, port{owner: outputName(i), kind: boundaryPort, index: i})
	}
}

func inputName(i int) string  { return fmt.Sprintf("in_%d", i) }
func outputName(i int) string { return fmt.Sprintf("out_%d", i) }

// connected is the rule of the switches' connectivity tables. Links continue on
// their own track, never back to where they came from. What enters the network
// at this switch may leave on every track and at every neighbour except where it
// came from; memories exchange requests and responses with load and store units
// alone, so they are not wired to memories, boundary ports and other PEs directly.
// Their done tokens go anywhere.
func connected(in, out port) bool {
	switch {
	case in.link && out.link:
		return in.track == out.track && in.side != out.side
	case in.link || out.link:
		return true
	case in.kind == memPort && out.kind == memPort:
		return false
	case out.kind == unitPort && out.access && in.kind != unitPort:
		return in.kind == pePort // addresses and data of the boundary take the way round
	case in.kind == memPort && in.access:
		return out.kind == pePort && out.access
	case out.kind == memPort:
		return in.kind == pePort && in.access
	}
	return in.owner != out.owner
}

// rim reports whether a side of the switch has no link: there are fewer PEs at it then, whose ways
// to each other need fewer places.
func (s *netSwitch) rim() bool {
	var sides [4]bool
	for _, p := range s.in {
		if p.link {
			sides[p.side] = true
		}
	}
	return sides != [4]bool{true, true, true, true}
}

// leastRoom is for how many links and PEs there is place at an output whatever stands at the edge:
// with two, kernels with many accesses to one memory are not routed.
const leastRoom = 3

// edge reports whether a port is of a memory or of the boundary.
func (p port) edge() bool { return !p.link && p.kind != pePort }

// table returns the connectivity of a switch, row per output: what "connected" allows. Of the
// links and PEs an output takes the first fanIn in the order of their ranks, 0: all; one that leads to a memory as
// request says. An input that no output has taken so goes to every output. A switch at two corners of one PE, in a
// torus of one row or column, has all connections.
func (s *netSwitch) table(fanIn int) [][]bool {
	rows := make([][]bool, len(s.out))
	used := make([]bool, len(s.in))
	if s.folded() {
		fanIn = 0
	}
	rim := s.rim()
	for k, o := range s.out {
		rows[k] = make([]bool, len(s.in))
		room := fanIn
		if rim {
			// What stands at the edge takes places of others, but for a few.
			for _, p := range s.in {
				if p.edge() && connected(p, o) {
					room--
				}
			}
			room = max(room, leastRoom)
		}
		if fanIn > 0 && (o.kind == memPort || o.kind == unitPort && o.access) && !o.link {
			s.request(rows[k], k, fanIn)
			for i, on := range rows[k] {
				used[i] = used[i] || on
			}
			continue
		}
		for r := always; r <= last; r++ {
			for i, p := range s.in {
				if !connected(p, o) || s.rank(p, o) != r || fanIn > 0 && r != always && room <= 0 {
					continue
				}
				rows[k][i], used[i] = true, true
				if !p.edge() {
					room--
				}
			}
		}
	}
	for i, p := range s.in {
		for k, o := range s.out {
			rows[k][i] = rows[k][i] || !used[i] && connected(p, o)
		}
	}
	return rows
}

// leastLinks is the number of links that an output to a memory chooses among at least, for requests from farther away
// than the PEs beside it, which could take all inputs otherwise.
const leastLinks = 2

// manyLinks is the number of links of a switch above which a choice among fanIn inputs leaves too little of them:
// with two tracks more along the rim, kernels with many accesses are not routed.
const manyLinks = 5

// request chooses the inputs of output k, which leads to a memory: those of PEs with loads or stores, and links, that
// from the inside of the network first, until there are fanIn, twice as many where there are many links. Outputs
// beside each other begin with different ones.
func (s *netSwitch) request(row []bool, k, fanIn int) {
	room, links := fanIn, 0
	for i, p := range s.in {
		switch {
		case p.link:
			links++
		case connected(p, s.out[k]):
			row[i] = true
			room--
		}
	}
	if links > manyLinks {
		room += fanIn
	}
	room = max(room, leastLinks)
	take := func(i int) {
		if room > 0 && !row[i] {
			row[i] = true
			room--
		}
	}
	for i, p := range s.in {
		if p.link && p.side == s.outward.opposite() {
			take(i)
		}
	}
	for n := range s.in {
		if i := (n + k) % len(s.in); s.in[i].link {
			take(i)
		}
	}
}

// folded reports whether the switch stands at several corners of one PE.
func (s *netSwitch) folded() bool {
	owners := map[string]bool{}
	for _, p := range s.in {
		if p.kind == pePort && !p.link && owners[p.owner] {
			return true
		}
		owners[p.owner] = true
	}
	return false
}
