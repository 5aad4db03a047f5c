// Package route routes nets through a fabric: a routing-resource graph
// of tracks and negotiated congestion on it.
//
// Source: design page "Mapper", stage 3.
package route

import (
	"slices"

	"loom/compiler/arch"
)

// Track is a maximal run of channels joined by FIFOs: one resource that carries
// at most one net. It starts at an output of a switch, PE, memory or boundary
// input and ends at an input of one of these.
type Track struct {
	ID    int
	Chans []*arch.Channel
	// Src and Dst are the ends; Comp nil is a boundary port, Dst.Port < 0 an
	// unused output.
	Src, Dst arch.Endpoint
	// Width is the number of bits that get through.
	Width int
	// Latency and Slots are the registers of the FIFOs on the path and the tokens
	// they hold, with those behind the operand selectors of a PE.
	Latency, Slots int
}

// Graph is the routing-resource graph of a fabric.
type Graph struct {
	Fabric *arch.Fabric
	Tracks []*Track
	// next are the tracks that a switch can continue a track with, prev those that it can continue.
	next, prev links
	// width is that of every track.
	width []int
	// widths are those of the tracks that begin at switches, each once.
	widths []int
	// from and to find tracks by their ends.
	from, to map[arch.Endpoint]int
}

// NewGraph builds the graph. Track IDs follow the channel order.
func NewGraph(f *arch.Fabric) *Graph {
	g := &Graph{Fabric: f, from: map[arch.Endpoint]int{}, to: map[arch.Endpoint]int{}}
	for _, ch := range f.Channels {
		if c := ch.Src.Comp; c != nil && c.Buffer() > 0 {
			continue // inside a track
		}
		g.addTrack(ch)
	}
	next, prev := make([][]int32, len(g.Tracks)), make([][]int32, len(g.Tracks))
	for _, t := range g.Tracks {
		c := t.Dst.Comp
		if c == nil {
			continue
		}
		for o, row := range c.Circuit() {
			if !row[t.Dst.Port] {
				continue
			}
			if n, ok := g.from[arch.Endpoint{Comp: c, Port: o}]; ok && g.Tracks[n].usable() {
				next[t.ID] = append(next[t.ID], int32(n))
				prev[n] = append(prev[n], int32(t.ID))
			}
		}
	}
	g.next, g.prev = link(next), link(prev)
	for _, t := range g.Tracks {
		g.width = append(g.width, t.Width)
	}
	return g
}

// links are tracks beside every track, one list behind the other: those of track t are to[first[t]:first[t+1]].
type links struct{ first, to []int32 }

func link(lists [][]int32) links {
	l := links{first: make([]int32, 1, len(lists)+1)}
	for _, list := range lists {
		l.to = append(l.to, list...)
		l.first = append(l.first, int32(len(l.to)))
	}
	return l
}

// of are the tracks beside track t.
func (l *links) of(t int32) []int32 { return l.to[l.first[t]:l.first[t+1]] }

// Next are the tracks that a switch can continue track t with.
func (g *Graph) Next(t int) []int32 { return g.next.of(int32(t)) }

// fitting is the width of the narrowest tracks that carry so many bits, 0 if none do.
func (g *Graph) fitting(bits int) int {
	fit := 0
	for _, w := range g.widths {
		if w >= bits && (fit == 0 || w < fit) {
			fit = w
		}
	}
	return fit
}

// Narrowest is the width of the narrowest tracks between switches, and whether there are others.
func (g *Graph) Narrowest() (width int, several bool) {
	if len(g.widths) == 0 {
		return 0, false
	}
	return slices.Min(g.widths), len(g.widths) > 1
}

// usable reports whether the track leads anywhere.
func (t *Track) usable() bool { return t.Dst.Comp != nil || t.Dst.Port >= 0 }

func (g *Graph) addTrack(ch *arch.Channel) {
	t := &Track{ID: len(g.Tracks), Src: ch.Src, Width: sourceWidth(ch)}
	for {
		t.Chans = append(t.Chans, ch)
		t.Dst = ch.Dst
		c := ch.Dst.Comp
		if c == nil {
			if ch.Dst.Port >= 0 && ch.Dst.Port < len(g.Fabric.Outputs) {
				t.Width = min(t.Width, g.Fabric.Outputs[ch.Dst.Port].Width)
			}
			break
		}
		t.Width = min(t.Width, c.In[ch.Dst.Port].Width)
		tokens := c.Buffer()
		if tokens == 0 {
			if c.PE != nil && c.PE.OperandFIFO > 0 {
				t.Latency++ // in the queue of the operand that reads the port
				t.Slots += c.PE.OperandFIFO
			}
			break
		}
		t.Latency++
		t.Slots += tokens
		next := c.Out[0].Chan
		if next == nil || len(t.Chans) > len(g.Fabric.Channels) {
			t.Dst = arch.Endpoint{Port: -1}
			break
		}
		ch = next
		t.Width = min(t.Width, sourceWidth(ch))
	}
	g.Tracks = append(g.Tracks, t)
	if c := t.Src.Comp; c != nil && c.Circuit() != nil && !slices.Contains(g.widths, t.Width) {
		g.widths = append(g.widths, t.Width)
	}
	g.from[t.Src] = t.ID
	if t.usable() {
		g.to[t.Dst] = t.ID
	}
}

// sourceWidth is what the source port of a channel drives.
func sourceWidth(ch *arch.Channel) int {
	w := ch.Width
	if c := ch.Src.Comp; c != nil {
		w = min(w, c.Out[ch.Src.Port].Width)
	}
	return w
}

// From returns the track that starts at an output port (Comp nil: boundary
// input), -1 for none.
func (g *Graph) From(c *arch.Component, port int) int {
	if t, ok := g.from[arch.Endpoint{Comp: c, Port: port}]; ok {
		return t
	}
	return -1
}

// To returns the track that ends at an input port (Comp nil: boundary output),
// -1 for none.
func (g *Graph) To(c *arch.Component, port int) int {
	if t, ok := g.to[arch.Endpoint{Comp: c, Port: port}]; ok {
		return t
	}
	return -1
}

// Far is the distance between tracks that no route connects.
const Far = int32(1 << 20)

// DistTo returns for every track the number of further tracks needed to end in
// one of the targets: 0 for the targets themselves, Far where there is no path.
func (g *Graph) DistTo(targets []int) []int32 { return g.DistOf(targets, 1) }

// DistOf is DistTo by tracks alone that carry so many bits.
func (g *Graph) DistOf(targets []int, bits int) []int32 {
	d := make([]int32, len(g.Tracks))
	for i := range d {
		d[i] = Far
	}
	queue := make([]int32, 0, len(d))
	for _, t := range targets {
		if g.Tracks[t].Width >= bits {
			d[t] = 0
			queue = append(queue, int32(t))
		}
	}
	for i := 0; i < len(queue); i++ {
		t := queue[i]
		for _, p := range g.prev.of(t) {
			if d[p] == Far && g.width[p] >= bits {
				d[p] = d[t] + 1
				queue = append(queue, p)
			}
		}
	}
	return d
}
