package build

import "fmt"

// grid is what the topologies of rows and columns have in common: switches at the
// crossings, linked with their neighbours by some tracks, and PEs in the cells,
// each connected to the switches at its four corners by one input and one output
// each. With token tracks there are two switches at each crossing.
type grid struct {
	rows, columns int
	// tracks are those of words; of these, links along the rim have rimTracks more.
	tracks, rimTracks, tokenTracks int
	ports                          pePorts
}

func (g *grid) keys() []string {
	return []string{"rows", "columns", "tracks", "rim_tracks", "token_tracks", "pe_inputs", "pe_outputs", "pe_token_inputs", "pe_token_outputs"}
}

func (g *grid) read(o *object) {
	if o.require("rows", "columns") {
		g.rows, g.columns = o.integer("rows", 1, 1, maxSide), o.integer("columns", 1, 1, maxSide)
		g.tracks = o.integer("tracks", 2, 1, maxTracks)
		g.rimTracks, g.tokenTracks = o.integer("rim_tracks", 0, 0, maxTracks), o.integer("token_tracks", 0, 0, maxTracks)
		count := func(key string) int { return o.integer(key, corners, 1, corners) }
		g.ports = pePorts{count("pe_inputs"), count("pe_outputs"), count("pe_token_inputs"), count("pe_token_outputs")}
	}
}

func (g *grid) size() (rows, columns int) { return g.rows, g.columns }

func (g *grid) pePorts() pePorts { return g.ports }

func (g *grid) twoNetworks() bool { return g.tokenTracks > 0 }

// switches makes rows × columns switches and links them with their neighbours.
// wrap links the first with the last of each row and column, too.
func (g *grid) switches(n *network, rows, columns int, wrap bool) [][]*netSwitch {
	sw := make([][]*netSwitch, rows)
	for r := range rows {
		for c := range columns {
			sw[r] = append(sw[r], n.addSwitch(fmt.Sprintf("%d_%d", r, c), 2*c, 2*r))
			if g.twoNetworks() {
				n.addTokens(sw[r][c], 2*c+1, 2*r) // drawn between two switches of words
			}
		}
	}
	rim := func(r, c int) bool { return r == 0 || c == 0 || r == rows-1 || c == columns-1 }
	for r := range rows {
		for c := range columns {
			for d := north; d <= west; d++ {
				dx, dy := d.step()
				x, y := c+dx, r+dy
				if wrap {
					x, y = (x+columns)%columns, (y+rows)%rows
				}
				if x < 0 || y < 0 || x == columns || y == rows || sw[y][x] == sw[r][c] {
					continue
				}
				words := g.tracks
				if rim(r, c) && rim(y, x) {
					words += g.rimTracks
				}
				n.link(sw[r][c], d, sw[y][x], d.opposite(), words)
				if g.twoNetworks() {
					n.link(sw[r][c].tokens, d, sw[y][x].tokens, d.opposite(), g.tokenTracks)
				}
			}
		}
	}
	return sw
}

// place adds the PEs to the cells, the first of them margin cells away from the
// first of the grid. Port k of a PE belongs to its corner k: north-west,
// north-east, south-west, south-east. The edge of the network is the rim of the
// grid, clockwise from the top left.
func (g *grid) place(n *network, sw [][]*netSwitch, margin int) {
	rows, columns := len(sw), len(sw[0])
	for r := range g.rows {
		for c := range g.columns {
			y, x := r+margin, c+margin
			var around []*netSwitch
			for k := range corners {
				around = append(around, sw[(y+k/2)%rows][(x+k%2)%columns])
			}
			n.addPE(r, c, 2*x+1, 2*y+1, around)
		}
	}
	for c := range columns {
		n.addEdge(sw[0][c], north)
	}
	for r := 1; r < rows; r++ {
		n.addEdge(sw[r][columns-1], east)
	}
	for c := columns - 2; c >= 0; c-- {
		n.addEdge(sw[rows-1][c], south)
	}
	for r := rows - 2; r > 0; r-- {
		n.addEdge(sw[r][0], west)
	}
}
