package report

import (
	"cmp"
	"encoding/json"
	"slices"

	"loom/compiler/arch"
)

// drawing is the data from which a fabric is drawn: fabric.viz.json, and a part
// of viz.html.
type drawing struct {
	Format     int            `json:"format"`
	Fabric     string         `json:"fabric"`
	Width      float64        `json:"width"` // of the drawing in grid cells
	Height     float64        `json:"height"`
	Components []drawnComp    `json:"components"`
	Boundary   []drawnBound   `json:"boundary"`
	Channels   []drawnChannel `json:"channels"`
}

type drawnComp struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Kind  string   `json:"kind"`
	X     float64  `json:"x"`
	Y     float64  `json:"y"`
	Depth int      `json:"depth,omitempty"` // of FIFOs
	In    []string `json:"inputs"`
	Out   []string `json:"outputs"`
	Units []string `json:"units,omitempty"`
}

type drawnBound struct {
	Name  string  `json:"name"`
	Input bool    `json:"input"`
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
}

// drawnChannel leads from output port SrcPort of component Src to input port
// DstPort of Dst; component -1 is the boundary, port -1 nothing.
type drawnChannel struct {
	ID      int `json:"id"`
	Width   int `json:"width"`
	Tag     int `json:"tag_width,omitempty"`
	Src     int `json:"src"`
	SrcPort int `json:"src_port"`
	Dst     int `json:"dst"`
	DstPort int `json:"dst_port"`
}

// FabricViz renders the drawing data of a fabric, <adg>.fabric.viz.json.
func FabricViz(f *arch.Fabric) ([]byte, error) {
	text, err := json.MarshalIndent(draw(f), "", " ")
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}

// draw places everything: components at the positions of the fabric, FIFOs on their
// channel, the rest next to what it is connected to.
func draw(f *arch.Fabric) *drawing {
	d := &drawing{Format: 1, Fabric: f.Name, Components: []drawnComp{}, Boundary: []drawnBound{}, Channels: []drawnChannel{}}
	at := positions(f)
	for i, c := range f.Comps {
		dc := drawnComp{ID: c.ID, Name: c.Name, Kind: c.Kind.String(), X: at[i][0], Y: at[i][1], In: []string{}, Out: []string{}}
		for _, p := range c.In {
			dc.In = append(dc.In, p.Name)
		}
		for _, p := range c.Out {
			dc.Out = append(dc.Out, p.Name)
		}
		if c.FIFO != nil {
			dc.Depth = c.FIFO.Depth
		}
		for _, fu := range c.Units() {
			dc.Units = append(dc.Units, fu.Name)
		}
		d.Components = append(d.Components, dc)
		d.Width, d.Height = max(d.Width, dc.X+1), max(d.Height, dc.Y+1)
	}
	d.boundary(f, at)
	for _, ch := range f.Channels {
		dc := drawnChannel{ID: ch.ID, Width: ch.Width, Tag: ch.TagWidth, Src: -1, SrcPort: ch.Src.Port, Dst: -1, DstPort: ch.Dst.Port}
		if ch.Src.Comp != nil {
			dc.Src = ch.Src.Comp.ID
		}
		if ch.Dst.Comp != nil {
			dc.Dst = ch.Dst.Comp.ID
		}
		d.Channels = append(d.Channels, dc)
	}
	return d
}

// Half the sizes of what is drawn, in cells, with some room around it. The page draws boxes
// of these sizes, or smaller ones.
const (
	portX, portY = 0.48, 0.22
	stubLength   = 0.32
)

func halfSize(k arch.Kind) (hx, hy float64) {
	switch k {
	case arch.SpatialPE, arch.TemporalPE, arch.Memory, arch.ExtMemory:
		return 0.77, 0.43
	case arch.SpatialSwitch:
		return 0.3, 0.3
	}
	return 0.16, 0.16
}

// outside moves memories and the units at them that stand between other boxes, as at the rim of a torus, out of
// their row.
func outside(f *arch.Fabric, at [][2]float64) {
	w, h := 0.0, 0.0
	for _, p := range at {
		w, h = max(w, p[0]), max(h, p[1])
	}
	stubs := hasStubs(f, at)
	for i, c := range f.Comps {
		if c.Mem == nil && (c.PE == nil || c.GeneralPE()) || !c.Placed {
			continue
		}
		dx, dy := outward(at[i][0], at[i][1], w, h)
		dx, dy = dx/2, dy/2
		hx, hy := halfSize(c.Kind)
		for slices.ContainsFunc(f.Comps, func(o *arch.Component) bool {
			ox, oy := halfSize(o.Kind)
			if stubs {
				ox, oy = ox+stubLength, oy+stubLength
			}
			return o != c && o.Buffer() == 0 && o.Placed && abs(at[o.ID][0]-at[i][0]) < hx+ox && abs(at[o.ID][1]-at[i][1]) < hy+oy
		}) {
			at[i][0], at[i][1] = at[i][0]+dx, at[i][1]+dy
		}
	}
}

// boundary puts boundary ports outside of the component they lead to, where nothing
// else stands. In x a port takes a place of its own, in y half of one.
func (d *drawing) boundary(f *arch.Fabric, at [][2]float64) {
	stubs := hasStubs(f, at)
	type box struct{ x, y, hx, hy float64 }
	var taken []box
	for i, c := range f.Comps {
		if c.Buffer() == 0 {
			hx, hy := halfSize(c.Kind)
			if stubs {
				hx, hy = hx+stubLength, hy+stubLength
			}
			taken = append(taken, box{at[i][0], at[i][1], hx, hy})
		}
	}
	free := func(x, y float64) bool {
		return !slices.ContainsFunc(taken, func(b box) bool { return abs(b.x-x) < b.hx+portX && abs(b.y-y) < b.hy+portY })
	}
	w, h := d.Width-1, d.Height-1
	aside := candidates()
	add := func(name string, input bool, c *arch.Component) {
		x, y := 0.0, 0.0
		if c != nil {
			x, y = at[c.ID][0], at[c.ID][1]
		}
		dx, dy := outward(x, y, w, h)
		px, py := x+dx, y+dy
		for _, c := range aside {
			if free(x+dx*c.out+c.along*abs(dy), y+dy*c.out+c.along*abs(dx)/2) {
				px, py = x+dx*c.out+c.along*abs(dy), y+dy*c.out+c.along*abs(dx)/2
				break
			}
		}
		taken = append(taken, box{px, py, portX, portY})
		d.Boundary = append(d.Boundary, drawnBound{Name: name, Input: input, X: px, Y: py})
	}
	for _, p := range f.Inputs {
		add(p.Name, true, nearComp(p.Chan, false))
	}
	for _, p := range f.Outputs {
		add(p.Name, false, nearComp(p.Chan, true))
	}
	d.shift()
}

// candidate is a place for a port: so far from its component, so far along the side.
type candidate struct{ out, along float64 }

// candidates are the places for a port, the nearest first.
func candidates() []candidate {
	var all []candidate
	for out := 1.0; out <= 6; out += 0.5 {
		for along := -12.0; along <= 12; along++ {
			all = append(all, candidate{out, along})
		}
	}
	cost := func(c candidate) float64 { return 1.2*(c.out-1) + abs(c.along-0.1) } // the right before the left
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(cost(a), cost(b)) })
	return all
}

// hasStubs reports whether the page draws links as stubs because they would run across
// the drawing, as those that close a torus.
func hasStubs(f *arch.Fabric, at [][2]float64) bool {
	w, h := 0.0, 0.0
	for _, p := range at {
		w, h = max(w, p[0]+1), max(h, p[1]+1)
	}
	return slices.ContainsFunc(f.Channels, func(ch *arch.Channel) bool {
		a, b := nearComp(ch, true), nearComp(ch, false)
		return a != nil && b != nil && (abs(at[a.ID][0]-at[b.ID][0]) > max(3.5, 0.55*w) || abs(at[a.ID][1]-at[b.ID][1]) > max(3.5, 0.55*h))
	})
}

// shift moves the drawing to begin at zero.
func (d *drawing) shift() {
	left, top, right, bottom := 0.0, 0.0, d.Width-1, d.Height-1
	for _, b := range d.Boundary {
		left, right = min(left, b.X), max(right, b.X)
		top, bottom = min(top, b.Y), max(bottom, b.Y)
	}
	for i := range d.Components {
		d.Components[i].X -= left
		d.Components[i].Y -= top
	}
	for i := range d.Boundary {
		d.Boundary[i].X -= left
		d.Boundary[i].Y -= top
	}
	d.Width, d.Height = right-left+1, bottom-top+1
}

// nearComp is the first component at an end of a channel that is no FIFO.
func nearComp(ch *arch.Channel, back bool) *arch.Component {
	for n := 0; ch != nil && n < 64; n++ {
		c := ch.Dst.Comp
		if back {
			c = ch.Src.Comp
		}
		if c == nil || c.Buffer() == 0 {
			return c
		}
		if back {
			ch = c.In[0].Chan
		} else {
			ch = c.Out[0].Chan
		}
	}
	return nil
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}

// outward is the step from a position to the nearest edge of the drawing.
func outward(x, y, w, h float64) (dx, dy float64) {
	best, dx, dy := y, 0.0, -1.0
	if h-y < best {
		best, dx, dy = h-y, 0, 1
	}
	if x < best {
		best, dx, dy = x, -1, 0
	}
	if w-x < best {
		dx, dy = 1, 0
	}
	return dx, dy
}

// positions returns the position of every component: given ones as they are,
// shifted to start at zero; others between their placed neighbours, or in rows
// below the rest.
func positions(f *arch.Fabric) [][2]float64 {
	at := make([][2]float64, len(f.Comps))
	known := make([]bool, len(f.Comps))
	minX, minY, maxY := 0.0, 0.0, 0.0
	first := true
	for i, c := range f.Comps {
		if !c.Placed {
			continue
		}
		at[i], known[i] = [2]float64{c.X, c.Y}, true
		if first {
			minX, minY, maxY, first = c.X, c.Y, c.Y, false
		}
		minX, minY, maxY = min(minX, c.X), min(minY, c.Y), max(maxY, c.Y)
	}
	for changed := true; changed; {
		changed = false
		for i, c := range f.Comps {
			if known[i] {
				continue
			}
			var x, y, n float64
			for _, nb := range neighbours(c) {
				if known[nb.ID] {
					x, y, n = x+at[nb.ID][0], y+at[nb.ID][1], n+1
				}
			}
			if n > 0 {
				at[i], known[i], changed = [2]float64{x / n, y / n}, true, true
			}
		}
	}
	rest := 0
	for i := range f.Comps {
		if !known[i] {
			at[i] = [2]float64{float64(rest%16) + minX, maxY + 1 + float64(rest/16)}
			rest++
		}
	}
	outside(f, at)
	spread(f, at)
	for i := range at {
		minX, minY = min(minX, at[i][0]), min(minY, at[i][1])
	}
	for i := range at {
		at[i][0] -= minX
		at[i][1] -= minY
	}
	return at
}

// spread moves components without a position of their own off those on whose box they
// would stand, to the nearest free position around. FIFOs are drawn as part of their
// channel and need none.
func spread(f *arch.Fabric, at [][2]float64) {
	const box = 0.35
	free := func(i int, p [2]float64) bool {
		for j, c := range f.Comps {
			// A later component without a position is moved itself.
			if j != i && c.Buffer() == 0 && (c.Placed || j < i) && abs(at[j][0]-p[0]) < box && abs(at[j][1]-p[1]) < box {
				return false
			}
		}
		return true
	}
	for i, c := range f.Comps {
		if c.Placed || c.Buffer() > 0 {
			continue
		}
		from := at[i]
		for ring := 1; !free(i, at[i]); ring++ {
			for k := 0; k < 8*ring && !free(i, at[i]); k++ {
				// Along the square around, from its upper left corner on.
				side, along := k/(2*ring), float64(k%(2*ring)-ring)
				d := [4][2]float64{{along, -float64(ring)}, {float64(ring), along}, {-along, float64(ring)}, {-float64(ring), -along}}[side]
				at[i] = [2]float64{from[0] + 0.4*d[0], from[1] + 0.4*d[1]}
			}
		}
	}
}

// neighbours are the components at the other ends of c's channels.
func neighbours(c *arch.Component) []*arch.Component {
	var out []*arch.Component
	for _, p := range c.In {
		if p.Chan != nil && p.Chan.Src.Comp != nil {
			out = append(out, p.Chan.Src.Comp)
		}
	}
	for _, p := range c.Out {
		if p.Chan != nil && p.Chan.Dst.Comp != nil {
			out = append(out, p.Chan.Dst.Comp)
		}
	}
	return out
}
