package report

import (
	"slices"
	"strconv"
	"strings"

	"loom/compiler/mapping"
)

// drawnGraph is the DFG laid out in layers, sources above.
type drawnGraph struct {
	Width  int         `json:"width"`
	Height int         `json:"height"`
	Nodes  []drawnNode `json:"nodes"`
	// Edges run between nodes; Edge is the index into the mapping's edges.
	Edges []drawnEdge `json:"edges"`
}

type drawnNode struct {
	// Op is the operation, -1 for arguments; Port the argument or result number.
	Op    int    `json:"op"`
	Port  int    `json:"port"`
	Label string `json:"label"`
	Title string `json:"title"`
	Kind  string `json:"kind"` // arg, result, unit, memory
	Comp  string `json:"component"`
	X     int    `json:"x"`
	Y     int    `json:"y"`
	W     int    `json:"w"`
}

type drawnEdge struct {
	From int  `json:"from"`
	To   int  `json:"to"`
	Edge int  `json:"edge"`
	Back bool `json:"back"` // against the layers: part of a loop
}

const (
	layerHeight = 64
	nodeGap     = 18
	charWidth   = 7
)

// layout draws the graph of a mapping: nodes for arguments, operations and
// results that take part in an edge.
func layout(m *mapping.Mapping) *drawnGraph {
	g := &drawnGraph{Nodes: []drawnNode{}, Edges: []drawnEdge{}}
	index := map[[2]int]int{} // {op, port} for arguments and results, {op, 0} else
	ret := len(m.Ops) - 1
	node := func(t mapping.Terminal, source bool) int {
		key := [2]int{t.Op, 0}
		if t.Op < 0 || !source && t.Op == ret {
			key[1] = t.Port
		}
		if i, ok := index[key]; ok {
			return i
		}
		index[key] = len(g.Nodes)
		g.Nodes = append(g.Nodes, describeNode(m, key[0], key[1]))
		return index[key]
	}
	for i := range m.Args {
		if m.Args[i].Port != "" {
			node(mapping.Terminal{Op: -1, Port: i}, true)
		}
	}
	node(mapping.Terminal{Op: -1, Port: len(m.Args)}, true)
	for _, o := range m.Ops {
		if o.Role == mapping.RoleUnit || o.Role == mapping.RoleMemory {
			node(mapping.Terminal{Op: o.Index}, true)
		}
	}
	for i, e := range m.Edges {
		g.Edges = append(g.Edges, drawnEdge{From: node(e.Src, true), To: node(e.Dst, false), Edge: i})
	}
	g.arrange()
	return g
}

func describeNode(m *mapping.Mapping, op, port int) drawnNode {
	n := drawnNode{Op: op, Port: port}
	switch {
	case op < 0:
		n.Kind, n.Label = "arg", m.Start.Name
		n.Title = m.Start.Type + " at " + m.Start.Port
		if port < len(m.Args) {
			n.Label, n.Title = m.Args[port].Name, m.Args[port].Type+" at "+m.Args[port].Port
		}
	case op == len(m.Ops)-1:
		n.Kind, n.Label = "result", m.Done.Name
		n.Title = m.Done.Type + " at " + m.Done.Port
		if port < len(m.Results) {
			n.Label, n.Title = m.Results[port].Name, m.Results[port].Type+" at "+m.Results[port].Port
		}
	default:
		o := m.Ops[op]
		n.Kind, n.Comp = string(o.Role), o.Comp
		n.Label = o.Name[strings.IndexByte(o.Name, '.')+1:]
		n.Title = opName(o) + " on " + o.Comp
		if o.Unit != "" {
			n.Title += ", unit " + o.Unit
		}
		if o.Pos.Line > 0 {
			n.Title += ", line " + strconv.Itoa(o.Pos.Line)
		}
		for _, mem := range m.Memories {
			if mem.Op == op {
				n.Title += memoryTitle(mem)
			}
		}
	}
	n.W = max(len(n.Label)*charWidth+16, 40)
	return n
}

// memoryTitle states where a memory of the graph lies and where its accesses are.
func memoryTitle(mem mapping.Memory) string {
	s := "\nregion " + strconv.Itoa(mem.Region)
	if mem.Arg < 0 {
		s += ", from element " + strconv.FormatInt(mem.First, 10)
	}
	for _, a := range mem.Accesses {
		if a.Comp != mem.Comp {
			s += "\n" + string(a.Kind) + " " + strconv.Itoa(a.Index) + " at " + a.Comp + ", tag " + strconv.FormatUint(a.Tag, 10)
		}
	}
	return s
}

// arrange assigns layers by the longest path from the sources, with the edges that
// close cycles left out, orders each layer by the middle of its neighbours, and
// spreads the nodes.
func (g *drawnGraph) arrange() {
	n := len(g.Nodes)
	out := make([][]int, n)
	for i, e := range g.Edges {
		out[e.From] = append(out[e.From], i)
	}
	g.breakCycles(out)
	layer := g.layers(out)
	depth := 0
	for _, l := range layer {
		depth = max(depth, l+1)
	}
	rows := make([][]int, depth)
	for v := range n {
		rows[layer[v]] = append(rows[layer[v]], v)
	}
	pos := make([]float64, n)
	number := func(row []int) {
		for i, v := range row {
			pos[v] = float64(i) - float64(len(row))/2
		}
	}
	for _, row := range rows {
		number(row)
	}
	for sweep := range 8 {
		for k := range rows {
			row := rows[k]
			if sweep%2 == 1 {
				row = rows[depth-1-k]
			}
			want := map[int]float64{}
			for _, v := range row {
				sum, count := pos[v], 1.0
				for _, e := range g.Edges {
					switch {
					case e.From == v && layer[e.To] != layer[v]:
						sum, count = sum+pos[e.To], count+1
					case e.To == v && layer[e.From] != layer[v]:
						sum, count = sum+pos[e.From], count+1
					}
				}
				want[v] = sum / count
			}
			slices.SortStableFunc(row, func(a, b int) int {
				switch {
				case want[a] < want[b]:
					return -1
				case want[a] > want[b]:
					return 1
				}
				return a - b
			})
			number(row)
		}
	}
	for _, row := range rows {
		w := -nodeGap
		for _, v := range row {
			w += g.Nodes[v].W + nodeGap
		}
		g.Width = max(g.Width, w+2*nodeGap)
	}
	g.Height = depth*layerHeight + 20
	for k, row := range rows {
		w := -nodeGap
		for _, v := range row {
			w += g.Nodes[v].W + nodeGap
		}
		x := (g.Width - w) / 2
		for _, v := range row {
			g.Nodes[v].X, g.Nodes[v].Y = x, 20+k*layerHeight
			x += g.Nodes[v].W + nodeGap
		}
	}
}

// breakCycles marks the edges that close a cycle in a depth-first walk.
func (g *drawnGraph) breakCycles(out [][]int) {
	state := make([]int, len(g.Nodes)) // 0 new, 1 open, 2 closed
	type frame struct{ node, next int }
	for root := range g.Nodes {
		if state[root] != 0 {
			continue
		}
		state[root] = 1
		stack := []frame{{root, 0}}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if f.next == len(out[f.node]) {
				state[f.node] = 2
				stack = stack[:len(stack)-1]
				continue
			}
			e := &g.Edges[out[f.node][f.next]]
			f.next++
			switch state[e.To] {
			case 0:
				state[e.To] = 1
				stack = append(stack, frame{e.To, 0})
			case 1:
				e.Back = true
			}
		}
	}
}

// layers is the longest path to every node over the edges that are not back.
func (g *drawnGraph) layers(out [][]int) []int {
	layer := make([]int, len(g.Nodes))
	indeg := make([]int, len(g.Nodes))
	for _, e := range g.Edges {
		if !e.Back {
			indeg[e.To]++
		}
	}
	var queue []int
	for v := range g.Nodes {
		if indeg[v] == 0 {
			queue = append(queue, v)
		}
	}
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		for _, k := range out[v] {
			e := g.Edges[k]
			if e.Back {
				continue
			}
			layer[e.To] = max(layer[e.To], layer[v]+1)
			if indeg[e.To]--; indeg[e.To] == 0 {
				queue = append(queue, e.To)
			}
		}
	}
	return layer
}
