package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"loom/compiler/dfg"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/compiler/opname"
)

// drawnGraph is the DFG laid out in layers, sources above.
type drawnGraph struct {
	// Width is that of the widest layer in characters and gaps, see layout.go; Layers
	// the number of layers.
	Width  float64     `json:"width"`
	Layers int         `json:"layers"`
	Nodes  []drawnNode `json:"nodes"`
	// Edges run between nodes; Edge is the index into the mapping's edges.
	Edges []drawnEdge `json:"edges"`
	// Loops are those of the mapping's timing, in its order.
	Loops []drawnLoop `json:"loops"`
}

type drawnNode struct {
	// Op is the operation, -1 for arguments; Port the argument or result number.
	Op    int    `json:"op"`
	Port  int    `json:"port"`
	Label string `json:"label"`
	Title string `json:"title"`
	Kind  string `json:"kind"` // arg, result, unit, memory
	Comp  string `json:"component"`
	// Types are those of the values that it makes.
	Types []string `json:"types"`
	// Loop is the innermost loop around it, -1 for none; Source and Line its position
	// in the page's sources, -1 for none.
	Loop   int     `json:"loop"`
	Source int     `json:"source"`
	Line   int     `json:"line"`
	X      float64 `json:"x"` // of its middle
	W      float64 `json:"w"`
	Layer  int     `json:"layer"`

	file string // of its position
}

type drawnEdge struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Edge int    `json:"edge"`
	Type string `json:"type"`
	Back bool   `json:"back"` // against the layers: part of a loop
	// Via are the places {x, layer} in the layers between that it runs through.
	Via [][2]float64 `json:"via"`
}

// drawnLoop is a loop of the mapping. Edges are the edges on its critical recurrence.
type drawnLoop struct {
	Parent int   `json:"parent"`
	Edges  []int `json:"edges"`
}

// drawnSource is a text to be shown beside the graph.
type drawnSource struct {
	File  string   `json:"file"`
	Lines []string `json:"lines"`
}

// layout draws the graph of a mapping: nodes for arguments, operations and
// results that take part in an edge. With values there is room for one in each node.
func layout(m *mapping.Mapping, fn *ir.Operation, values bool) *drawnGraph {
	g := &drawnGraph{Nodes: []drawnNode{}, Edges: []drawnEdge{}, Loops: []drawnLoop{}}
	index := map[[2]int]int{} // {op, port} for arguments and results, {op, 0} else
	ret := len(m.Ops) - 1
	d := &describer{m: m, body: fn.Regions[0].Entry(), loops: loopsOf(m, fn)}
	node := func(t mapping.Terminal, source bool) int {
		key := [2]int{t.Op, 0}
		if t.Op < 0 || !source && t.Op == ret {
			key[1] = t.Port
		}
		if i, ok := index[key]; ok {
			return i
		}
		index[key] = len(g.Nodes)
		n := d.node(key[0], key[1])
		n.W = float64(len([]rune(n.Label)))
		if values && n.Kind != "result" {
			n.W += valueChars
		}
		g.Nodes = append(g.Nodes, n)
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
		g.Edges = append(g.Edges, drawnEdge{From: node(e.Src, true), To: node(e.Dst, false), Edge: i, Type: d.typeOf(e.Src), Via: [][2]float64{}})
	}
	for i, l := range m.Timing.Loops {
		g.Loops = append(g.Loops, drawnLoop{d.loops.parent[i], recurrenceEdges(m, l)})
	}
	g.arrange(func(e drawnEdge) int { return m.Edges[e.Edge].Src.Port })
	return g
}

// valueChars is the room for the value of a token, in characters.
const valueChars = 7

// describer makes the nodes of a graph.
type describer struct {
	m     *mapping.Mapping
	body  *ir.Block
	loops *loopTree
}

func (d *describer) node(op, port int) drawnNode {
	n := drawnNode{Op: op, Port: port, Types: []string{}, Loop: -1, Source: -1}
	m := d.m
	switch {
	case op < 0:
		n.Kind, n.Label = "arg", m.Start.Name
		n.Title = m.Start.Type + " at " + m.Start.Port
		n.Types = []string{m.Start.Type}
		if port < len(m.Args) {
			n.Label, n.Title = m.Args[port].Name, m.Args[port].Type+" at "+m.Args[port].Port
			n.Types = []string{m.Args[port].Type}
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
		n.Label, n.Loop = d.label(o), d.loops.of[op]
		n.Title = opName(o) + " on " + o.Comp
		if o.Unit != "" {
			n.Title += ", unit " + o.Unit
			for _, in := range m.Groups[o.Group].Inputs {
				if i := in.Immediate; in.Op == op && i != nil {
					n.Title += ", " + immediateText(in.Unit, i)
				}
			}
		}
		if o.Pos.Line > 0 {
			n.Title += ", line " + strconv.Itoa(o.Pos.Line)
		}
		if op < len(d.body.Ops) {
			n.file, n.Line = d.body.Ops[op].Pos.File, d.body.Ops[op].Pos.Line
			for _, r := range d.body.Ops[op].Results() {
				n.Types = append(n.Types, r.Type.String())
			}
		}
		for _, mem := range m.Memories {
			if mem.Op == op {
				n.Title += memoryTitle(mem)
			}
		}
	}
	return n
}

// label is the text on an operation: its name, with the value of a constant, the
// predicate of a comparison, the array of a memory.
func (d *describer) label(o mapping.Op) string {
	name := o.Name[strings.IndexByte(o.Name, '.')+1:]
	for _, mem := range d.m.Memories {
		if mem.Op == o.Index {
			if mem.Arg >= 0 {
				return "array " + d.m.Args[mem.Arg].Name
			}
			return "memory"
		}
	}
	if o.Index >= len(d.body.Ops) {
		return name
	}
	op := d.body.Ops[o.Index]
	switch o.Name {
	case opname.HandshakeConstant:
		switch v := op.Attr("value").(type) {
		case *ir.IntegerAttr:
			return "const " + strconv.FormatInt(v.Value, 10)
		case *ir.FloatAttr:
			return "const " + strconv.FormatFloat(v.Value, 'g', 4, 64)
		}
		return "const"
	case opname.ArithCmpI:
		if p, ok := arith.PredicateOf(op); ok {
			return name + " " + arith.IntPredicates[p]
		}
	case opname.ArithCmpF:
		if p, ok := arith.FloatPredicateOf(op); ok {
			return name + " " + arith.FloatPredicates[p]
		}
	}
	return name
}

// typeOf is the type of the value at the source of an edge.
func (d *describer) typeOf(t mapping.Terminal) string {
	switch {
	case t.Op < 0 && t.Port < len(d.body.Args):
		return d.body.Args[t.Port].Type.String()
	case t.Op >= 0 && t.Op < len(d.body.Ops) && t.Port < d.body.Ops[t.Op].NumResults():
		return d.body.Ops[t.Op].Result(t.Port).Type.String()
	}
	return ""
}

// loopTree are the loops of a mapping: the innermost one around each operation, and the
// loop around each, -1 for none.
type loopTree struct {
	of     []int
	parent []int
}

// loopsOf finds the loops around operations in the regions of the graph.
func loopsOf(m *mapping.Mapping, fn *ir.Operation) *loopTree {
	body := fn.Regions[0].Entry().Ops
	_, regions := dfg.Regions(fn)
	number := map[*ir.Operation]int{}
	for i, l := range m.Timing.Loops {
		if l.Op >= 0 && l.Op < len(body) {
			number[body[l.Op]] = i
		}
	}
	// around is the loop of a region or of one around it.
	around := func(r *dfg.Region) (int, *dfg.Region) {
		for ; r != nil; r = r.Parent {
			if r.Cond == nil || r.Cond.Def == nil || !slices.Contains([]dfg.RegionKind{dfg.ForRegion, dfg.WhileRegion, dfg.WhileBodyRegion}, r.Kind) {
				continue
			}
			if i, ok := number[r.Cond.Def]; ok {
				return i, r
			}
		}
		return -1, nil
	}
	t := &loopTree{of: make([]int, len(m.Ops)), parent: make([]int, len(m.Timing.Loops))}
	for i := range t.parent {
		t.parent[i] = -1
	}
	for i := range t.of {
		t.of[i] = -1
		if i >= len(body) {
			continue
		}
		l, r := around(regions[body[i]])
		t.of[i] = l
		for ; r != nil; r = r.Parent {
			if p, _ := around(r.Parent); p >= 0 && p != l {
				t.parent[l] = p
				break
			}
		}
	}
	return t
}

// recurrenceEdges are the edges between the operations of a loop's critical recurrence.
func recurrenceEdges(m *mapping.Mapping, l mapping.Loop) []int {
	out := []int{}
	for i, e := range m.Edges {
		for k, op := range l.Cycle {
			if e.Src.Op == op && e.Dst.Op == l.Cycle[(k+1)%len(l.Cycle)] {
				out = append(out, i)
				break
			}
		}
	}
	return out
}

// memoryTitle states where a memory of the graph lies and where its accesses are.
func memoryTitle(mem mapping.Memory) string {
	s := "\n" + mem.Comp + ", region " + strconv.Itoa(mem.Region)
	switch {
	case mem.Table:
		s += ", a table in external memory"
	case mem.Arg < 0:
		s += ", from element " + strconv.FormatInt(mem.First, 10)
	}
	for _, a := range mem.Accesses {
		if a.Comp != mem.Comp {
			s += fmt.Sprintf("\n%s %d at %s, tag %d", a.Kind, a.Index, a.Comp, a.Tag)
		}
	}
	return s
}

// sources are the texts that nodes point into, in the order of the nodes; the nodes
// get their number. A text without the line of a node is another file by now.
func sources(g *drawnGraph, texts []Source) []drawnSource {
	out := []drawnSource{}
	for _, s := range texts {
		lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(s.Text, "\r\n", "\n"), "\n"), "\n")
		mine := func(n *drawnNode) bool { return n.file == s.File && n.Line > 0 && n.Line <= len(lines) }
		used := false
		for i := range g.Nodes {
			if n := &g.Nodes[i]; mine(n) {
				n.Source, used = len(out), true
			}
		}
		if used {
			out = append(out, drawnSource{s.File[strings.LastIndexAny(s.File, `/\`)+1:], lines})
		}
	}
	return out
}
