package space

import (
	"bytes"
	"fmt"
	"strconv"

	"gopkg.in/yaml.v3"
)

// TooMany is the error of a point whose mix asks for more PEs than the grid has.
type TooMany struct {
	// Want are the PEs of the mix, Have the positions of the grid.
	Want, Have int
}

func (e *TooMany) Error() string {
	return fmt.Sprintf("the mix takes %d PEs, the grid has %d", e.Want, e.Have)
}

// Architecture is the architecture file of a point, with the comments of the base. The error is a *TooMany;
// whether the fabric can be built is for package build to say.
func (s *Space) Architecture(p Point) ([]byte, error) {
	root := clone(s.base)
	value(root, "name").SetString(s.Name)
	root.HeadComment, root.Content[0].HeadComment = "", "" // about the base
	counts := map[string]int{}
	for i := range s.Parameters {
		par := &s.Parameters[i]
		if par.Mix != "" {
			counts[par.Mix] = par.counts[p[i]]
			continue
		}
		for _, at := range par.At {
			at.put(root, par.values[p[i]])
		}
	}
	if s.Fill != "" {
		if err := s.fill(root, counts); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(root); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// fill replaces the pattern by one with so many PEs of each template, and Fill in the rest.
func (s *Space) fill(root *yaml.Node, counts map[string]int) error {
	rows, columns := side(root, "rows"), side(root, "columns")
	want := 0
	for _, n := range counts {
		want += n
	}
	if want > rows*columns {
		return &TooMany{want, rows * columns}
	}
	grid := place(rows, columns, s.groups(counts), s.Fill)
	pattern := &yaml.Node{Kind: yaml.SequenceNode}
	for y := range rows {
		row := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		for _, name := range grid[y*columns : (y+1)*columns] {
			row.Content = append(row.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name})
		}
		pattern.Content = append(pattern.Content, row)
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		switch root.Content[i].Value {
		case "pattern":
			root.Content[i].HeadComment = "Memory accesses stand at the edge, where the memories are; the others are spread."
			root.Content[i+1] = pattern
		case "overrides": // they are of the pattern before
			root.Content = append(root.Content[:i], root.Content[i+2:]...)
			i -= 2
		}
	}
	return nil
}

func side(root *yaml.Node, key string) int {
	n := value(value(root, "topology"), key)
	if n == nil {
		return 1
	}
	v, err := strconv.Atoi(follow(n).Value)
	if err != nil || v < 1 || v > 64 {
		return 1 // build reports it
	}
	return v
}

// group is a number of PEs of a template.
type group struct {
	name  string
	count int
	rim   bool // at the edge of the grid
}

// groups lists the templates in the order of the base; those with loads or stores stand at the edge.
func (s *Space) groups(counts map[string]int) []group {
	var out []group
	pes := value(s.base, "pes")
	for _, name := range s.templates() {
		if n := counts[name]; n > 0 {
			out = append(out, group{name, n, accesses(value(value(pes, name), "units"))})
		}
	}
	return out
}

// accesses reports whether units are loads or stores.
func accesses(units *yaml.Node) bool {
	if units == nil {
		return false
	}
	for _, u := range follow(units).Content {
		if u = follow(u); u.Kind == yaml.MappingNode && (value(u, "load") != nil || value(u, "store") != nil) {
			return true
		}
	}
	return false
}

// place chooses the template of each position: those of the rim evenly around it, then ring by ring inwards;
// the others and fill evenly over what is left, mixed in proportion.
func place(rows, columns int, groups []group, fill string) []string {
	grid := make([]string, rows*columns)
	spiral := rings(rows, columns)
	rim := 0
	for _, g := range groups {
		if g.rim {
			rim += g.count
		}
	}
	// As many rings as the accesses need; in the last of them they are spread.
	taken := 0
	for _, ring := range spiral {
		n := min(rim-taken, len(ring))
		for i := range n {
			grid[ring[i*len(ring)/n]] = "?"
		}
		if taken += n; taken == rim {
			break
		}
	}
	var edge, inner []int
	for _, ring := range spiral {
		for _, at := range ring {
			if grid[at] != "" {
				edge = append(edge, at)
			}
		}
	}
	// Rows in turn from left and from right, so that neighbours in the list are neighbours on the grid.
	for y := range rows {
		for x := range columns {
			if y%2 == 1 {
				x = columns - 1 - x
			}
			if grid[y*columns+x] == "" {
				inner = append(inner, y*columns+x)
			}
		}
	}
	var at, in []group
	rest := len(inner)
	for _, g := range groups {
		if g.rim {
			at = append(at, g)
		} else {
			in, rest = append(in, g), rest-g.count
		}
	}
	in = append(in, group{name: fill, count: rest})
	spread(grid, edge, at)
	spread(grid, inner, in)
	return grid
}

// spread gives positions to groups so that each is even over the list: the next position goes to the group
// that is furthest behind its share.
func spread(grid []string, positions []int, groups []group) {
	given := make([]int, len(groups))
	for i, at := range positions {
		best, behind := 0, -1<<60
		for g := range groups {
			if given[g] == groups[g].count {
				continue
			}
			// The share of g up to here, against what it has; in units of 1/len(positions).
			if b := groups[g].count*(2*i+1) - 2*given[g]*len(positions); b > behind {
				best, behind = g, b
			}
		}
		grid[at] = groups[best].name
		given[best]++
	}
}

// rings are the positions of the grid, those of the edge first, each ring clockwise from its top left corner.
func rings(rows, columns int) [][]int {
	var out [][]int
	for top, left, bottom, right := 0, 0, rows-1, columns-1; top <= bottom && left <= right; top, left, bottom, right = top+1, left+1, bottom-1, right-1 {
		var ring []int
		for x := left; x <= right; x++ {
			ring = append(ring, top*columns+x)
		}
		for y := top + 1; y <= bottom; y++ {
			ring = append(ring, y*columns+right)
		}
		for x := right - 1; x >= left && bottom > top; x-- {
			ring = append(ring, bottom*columns+x)
		}
		for y := bottom - 1; y > top && right > left; y-- {
			ring = append(ring, y*columns+left)
		}
		out = append(out, ring)
	}
	return out
}
