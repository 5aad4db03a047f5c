// Package timing analyses the recurrences of a netlist: which nets lie on them
// (for placement and routing) and how many cycles an iteration takes at least
// (for the report). A recurrence is a cycle of the dataflow graph; its bound is
// the ratio of the registers around it to the tokens that circulate in it.
//
// Tokens: dataflow.carry delivers its first value without having read its
// condition and its loop operand, dataflow.invariant without having read its
// condition: arcs from these operands carry one token, all others none.
package timing

import (
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"slices"
	"sort"

	"loom/compiler/mapper/tech"
	"loom/compiler/opname"
	"loom/compiler/recurrence"
)

// Arc leads from a net to a net that a reader of the first one drives.
type Arc struct {
	From, Sink int // net and index of the sink that reads it
	To         int
	// Loop is the loop whose token the arc carries, -1 for none.
	Loop int
}

// Loop is a loop of the kernel, known by the value that decides whether it
// continues.
type Loop struct {
	Root tech.OpPort
	// Ops are the stream, carry, invariant and gate operations it controls.
	Ops []int
	// Depth is the number of loops around it.
	Depth int
}

// Graph is a netlist seen as a marked graph of nets.
type Graph struct {
	N     *tech.Netlist
	Arcs  []Arc
	Loops []Loop
	// Access[node] is the loop in each of whose iterations an access is made, at
	// most once where it is under a condition: an index into Loops, -1 for accesses
	// outside of loops and for other nodes.
	Access []int
	// Home[node] is the loop whose tokens a unit computes with, of Loops, -1 for units outside of loops and for other
	// nodes.
	Home []int
	out  [][]int // net -> arcs
	rec  []recurrences
	run  recurrences // all arcs without a token
}

// Build makes the graph.
func Build(n *tech.Netlist) *Graph {
	g := &Graph{N: n}
	loopOf := g.findLoops()
	g.findAccesses()
	for _, net := range n.Nets {
		for k, s := range net.Sinks {
			nd := n.Nodes[s.Node]
			for j, to := range nd.OutNets {
				if to < 0 || !g.leads(nd, s.Port, j) {
					continue
				}
				a := Arc{From: net.ID, Sink: k, To: to, Loop: -1}
				if nd.Kind == tech.Unit && g.token(nd, s.Port) {
					a.Loop = loopOf[nd.Ins[s.Port].Op]
				}
				g.Arcs = append(g.Arcs, a)
			}
		}
	}
	g.out = make([][]int, len(n.Nets))
	for i, a := range g.Arcs {
		g.out[a.From] = append(g.out[a.From], i)
	}
	for l := range g.Loops {
		g.rec = append(g.rec, g.analyse(l))
	}
	var free []int
	for e, a := range g.Arcs {
		if a.Loop < 0 {
			free = append(free, e)
		}
	}
	g.run = g.ordered(free)
	return g
}

// token reports whether an input of a unit is read only after the first output.
func (g *Graph) token(nd *tech.Node, port int) bool {
	// The operation that reads it.
	in := nd.Ins[port]
	switch g.N.Ops[in.Op].Name {
	case opname.DataflowCarry:
		return in.Port != 1
	case opname.DataflowInvariant:
		return in.Port == 0
	case opname.DataflowInterlock:
		return in.Port == 1
	}
	return false
}

// leads reports whether output out of a node depends on input in.
func (g *Graph) leads(nd *tech.Node, in, out int) bool {
	if nd.Kind == tech.Unit && g.N.Ops[nd.Ops[0]].Name == opname.HandshakeLoad && len(nd.Ops) == 1 {
		// Address and control make the request, memory data is passed on.
		return (in == 1) == (out == 0)
	}
	// What is done makes an interlock let a load pass only where two subscripts meet.
	at := nd.Ins[in]
	return nd.Kind != tech.Unit || g.N.Ops[at.Op].Name != opname.DataflowInterlock || at.Port != 2
}

// findLoops groups the loop operations by the condition that governs them and
// returns the loop of each.
func (g *Graph) findLoops() map[int]int {
	n := g.N
	byRoot := map[tech.OpPort]int{}
	loopOf := map[int]int{}
	for i, op := range n.Ops {
		var root tech.OpPort
		switch op.Name {
		case opname.DataflowStream:
			root = g.portOf(op.Result(1))
		case opname.DataflowCarry, opname.DataflowInvariant, opname.DataflowAccumulate:
			root = g.rootOf(i, 0)
		case opname.DataflowGate:
			root = g.rootOf(i, 1)
		default:
			continue
		}
		l, ok := byRoot[root]
		if !ok {
			l = len(g.Loops)
			byRoot[root] = l
			g.Loops = append(g.Loops, Loop{Root: root})
		}
		g.Loops[l].Ops = append(g.Loops[l].Ops, i)
		loopOf[i] = l
	}
	return loopOf
}

// findAccesses finds the loop of every access, the one that counts the tokens of its address, and those of units, and
// how deep loops are.
func (g *Graph) findAccesses() {
	byRoot := map[tech.OpPort]int{}
	for l, loop := range g.Loops {
		byRoot[loop.Root] = l
	}
	nest := recurrence.FindLoops(g.N.Fn)
	// loopOf is the loop of a loop of the nest, by the same condition.
	loopOf := func(i int) (int, bool) {
		raw := nest.Loops[i].Raw
		root := tech.OpPort{Op: -1, Port: raw.Index}
		if raw.Def != nil {
			root.Op = g.N.Index[raw.Def]
		}
		l, ok := byRoot[root]
		return l, ok
	}
	for i := range nest.Loops {
		if l, ok := loopOf(i); ok {
			g.Loops[l].Depth = nest.Loops[i].Depth
		}
	}
	for _, nd := range g.N.Nodes {
		g.Access, g.Home = append(g.Access, -1), append(g.Home, -1)
		if nd.Kind == tech.Unit {
			if op := g.N.Ops[nd.Ops[0]]; op.NumResults() > 0 {
				if home := nest.Home(op.Result(0)); home >= 0 {
					if l, ok := loopOf(home); ok {
						g.Home[nd.ID] = l
					}
				}
			}
		}
		if nd.Kind != tech.Access {
			continue
		}
		addr := nd.Ins[tech.InAddr]
		home := nest.Home(g.N.Ops[addr.Op].Operand(addr.Port))
		if home < 0 {
			continue
		}
		if l, ok := loopOf(home); ok {
			g.Access[nd.ID] = l
		}
	}
}

// rootOf follows a condition operand through gates to the value that decides.
func (g *Graph) rootOf(op, operand int) tech.OpPort {
	v := g.N.Ops[op].Operand(operand)
	for range len(g.N.Ops) {
		if v.Def == nil {
			return tech.OpPort{Op: -1, Port: v.Index}
		}
		if v.Def.Name != opname.DataflowGate || v.Index != 1 {
			break
		}
		v = v.Def.Operand(1)
	}
	return g.portOf(v)
}

// portOf is the result that names the loop of a raw condition, which an operation makes.
func (g *Graph) portOf(raw *ir.Value) tech.OpPort {
	raw = dataflow.Loop(raw)
	return tech.OpPort{Op: g.N.Index[raw.Def], Port: raw.Index}
}

// inLoop reports whether an arc takes part in the analysis of loop l: tokens of
// other loops stay where they are.
func (a Arc) inLoop(l int) bool { return a.Loop < 0 || a.Loop == l }

// components labels every net with its strongly connected component in the graph
// of loop l; live are the components that hold a token arc of l.
func (g *Graph) components(l int) (comp []int, live map[int]bool) {
	n := len(g.N.Nets)
	comp = make([]int, n)
	index := make([]int, n)
	low := make([]int, n)
	on := make([]bool, n)
	for i := range comp {
		comp[i], index[i] = -1, -1
	}
	var stack []int
	next, count := 0, 0
	var visit func(v int)
	visit = func(v int) {
		index[v], low[v] = next, next
		next++
		stack = append(stack, v)
		on[v] = true
		for _, e := range g.out[v] {
			a := g.Arcs[e]
			if !a.inLoop(l) {
				continue
			}
			if index[a.To] < 0 {
				visit(a.To)
				low[v] = min(low[v], low[a.To])
			} else if on[a.To] {
				low[v] = min(low[v], index[a.To])
			}
		}
		if low[v] == index[v] {
			for {
				w := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				on[w] = false
				comp[w] = count
				if w == v {
					break
				}
			}
			count++
		}
	}
	for v := range n {
		if index[v] < 0 {
			visit(v)
		}
	}
	live = map[int]bool{}
	for _, a := range g.Arcs {
		if a.Loop == l && comp[a.From] == comp[a.To] {
			live[comp[a.From]] = true
		}
	}
	return comp, live
}

// innermost reports whether the recurrences of l touch no other loop.
func (g *Graph) innermost(l int, comp []int, live map[int]bool) bool {
	for m, other := range g.Loops {
		if m == l {
			continue
		}
		for _, op := range other.Ops {
			for _, net := range g.N.Nodes[g.N.NodeOf[op]].OutNets {
				if net >= 0 && live[comp[net]] {
					return false
				}
			}
		}
	}
	return true
}

// recurrences caches what the analysis of a loop needs and does not change with
// the placement.
type recurrences struct {
	innermost bool
	arcs      []int // arcs on cycles of the loop
	order     []int // nets in topological order of the token-free arcs
	ok        bool  // every cycle holds a token
}

// analyse finds the arcs on the recurrences of a loop.
func (g *Graph) analyse(l int) recurrences {
	comp, live := g.components(l)
	var arcs []int
	for e, a := range g.Arcs {
		if a.inLoop(l) && comp[a.From] == comp[a.To] && live[comp[a.From]] {
			arcs = append(arcs, e)
		}
	}
	r := g.ordered(arcs)
	r.innermost = g.innermost(l, comp, live)
	return r
}

// ordered sorts the nets by those of the arcs that carry no token.
func (g *Graph) ordered(arcs []int) recurrences {
	r := recurrences{arcs: arcs}
	n := len(g.N.Nets)
	indeg := make([]int, n)
	out := make([][]int, n)
	for _, e := range arcs {
		if a := g.Arcs[e]; a.Loop < 0 {
			indeg[a.To]++
			out[a.From] = append(out[a.From], a.To)
		}
	}
	for v := range n {
		if indeg[v] == 0 {
			r.order = append(r.order, v)
		}
	}
	for i := 0; i < len(r.order); i++ {
		for _, to := range out[r.order[i]] {
			if indeg[to]--; indeg[to] == 0 {
				r.order = append(r.order, to)
			}
		}
	}
	r.ok = len(r.order) == n
	return r
}

// Criticality rates every sink of every net from 0 (on no recurrence) to 256 (on
// the longest recurrence of an innermost loop) for the given delays of the arcs.
// Recurrences of outer loops count less, as they iterate less often, and so does the longest way from start to end.
func (g *Graph) Criticality(delay func(Arc) int) [][]int64 {
	crit := make([][]int64, len(g.N.Nets))
	for i, net := range g.N.Nets {
		crit[i] = make([]int64, len(net.Sinks))
	}
	rate := func(r *recurrences, top int64) {
		if !r.ok {
			return // a cycle without a token: the graph cannot run
		}
		through := g.through(r, delay)
		longest := 1
		for _, t := range through {
			longest = max(longest, t)
		}
		for k, e := range r.arcs {
			a := g.Arcs[e]
			crit[a.From][a.Sink] = max(crit[a.From][a.Sink], top*int64(through[k])/int64(longest))
		}
	}
	for l := range g.rec {
		top := int64(256)
		if !g.rec[l].innermost {
			top = 176
		}
		rate(&g.rec[l], top)
	}
	rate(&g.run, 128)
	return crit
}

// through is for every arc the length of the longest path that begins with a token's arc or where nothing leads,
// ends likewise, and passes the arc: a bound for cycles through it.
func (g *Graph) through(r *recurrences, delay func(Arc) int) []int {
	n := len(g.N.Nets)
	up, down := make([]int, n), make([]int, n)
	free := make([][]int, n)
	for _, e := range r.arcs {
		a := g.Arcs[e]
		if a.Loop < 0 {
			free[a.From] = append(free[a.From], e)
			continue
		}
		up[a.To] = max(up[a.To], delay(a))
	}
	for _, v := range r.order {
		for _, e := range free[v] {
			a := g.Arcs[e]
			up[a.To] = max(up[a.To], up[v]+delay(a))
		}
	}
	for i := n - 1; i >= 0; i-- {
		v := r.order[i]
		for _, e := range free[v] {
			a := g.Arcs[e]
			down[v] = max(down[v], down[a.To]+delay(a))
		}
	}
	out := make([]int, len(r.arcs))
	for k, e := range r.arcs {
		a := g.Arcs[e]
		out[k] = delay(a) + down[a.To]
		if a.Loop < 0 {
			out[k] += up[a.From]
		}
	}
	return out
}

// Depth is the longest way of a token from the start to the end, once around no loop, for the given delays of the
// arcs: what a run takes beside its iterations. 0 for a graph that cannot run.
func (g *Graph) Depth(delay func(Arc) int) int {
	if !g.run.ok {
		return 0
	}
	return slices.Max(append(g.through(&g.run, delay), 0))
}

// Bound is the result of the recurrence analysis of one loop.
type Bound struct {
	Loop      int
	Innermost bool
	// Cycles over Tokens is the largest ratio around a recurrence, 0/1 when the
	// loop has none.
	Cycles, Tokens int
	// Ops are the operations on that recurrence, in order.
	Ops []int
	// Nodes are all nodes on recurrences of the loop or under its control.
	Nodes []int
}

// Bounds computes the recurrence bound of every loop, given the latency of each
// arc: registers from the driver of net From to its reader and through the
// reader to net To. Loops appear in the order of their first operation.
func (g *Graph) Bounds(latency func(Arc) int) []Bound {
	var out []Bound
	cycles := make([]int, len(g.Arcs))
	for e, a := range g.Arcs {
		cycles[e] = latency(a)
	}
	for l := range g.Loops {
		comp, live := g.components(l)
		b := Bound{Loop: l, Tokens: 1, Innermost: g.innermost(l, comp, live)}
		var arcs []int
		for e, a := range g.Arcs {
			if a.inLoop(l) && comp[a.From] == comp[a.To] && live[comp[a.From]] {
				arcs = append(arcs, e)
			}
		}
		for {
			cycle := g.heavierCycle(arcs, cycles, b.Cycles, b.Tokens)
			if cycle == nil {
				break
			}
			c, t := 0, 0
			b.Ops = nil
			for _, e := range cycle {
				a := g.Arcs[e]
				c += cycles[e]
				if a.Loop >= 0 {
					t++
				}
				b.Ops = append(b.Ops, g.N.Nodes[g.N.Nets[a.From].Sinks[a.Sink].Node].Ops...)
			}
			if t == 0 {
				// No token circulates: the graph cannot run, as the DFG verifier and
				// the token simulator report. There is no finite bound.
				break
			}
			b.Cycles, b.Tokens = c, t
		}
		b.Nodes = g.nodesOf(l, comp, live)
		out = append(out, b)
	}
	return out
}

// nodesOf lists the nodes of a loop: those on its recurrences and those it
// controls.
func (g *Graph) nodesOf(l int, comp []int, live map[int]bool) []int {
	set := map[int]bool{}
	for _, op := range g.Loops[l].Ops {
		set[g.N.NodeOf[op]] = true
	}
	for _, net := range g.N.Nets {
		if live[comp[net.ID]] {
			set[net.Src.Node] = true
		}
	}
	out := make([]int, 0, len(set))
	for nd := range set {
		out = append(out, nd)
	}
	sort.Ints(out)
	return out
}

// heavierCycle finds a cycle among some arcs whose cycles·T exceed tokens·C, that is a ratio
// above C/T, by Bellman and Ford's method on the weights cycles·T − token·C.
func (g *Graph) heavierCycle(arcs, cycles []int, cNum, tNum int) []int {
	n := len(g.N.Nets)
	dist := make([]int64, n)
	pred := make([]int, n)
	for i := range pred {
		pred[i] = -1
	}
	last := -1
	for range n + 1 {
		last = -1
		for _, e := range arcs {
			a := g.Arcs[e]
			w := int64(cycles[e]) * int64(tNum)
			if a.Loop >= 0 {
				w -= int64(cNum)
			}
			if d := dist[a.From] + w; d > dist[a.To] {
				dist[a.To], pred[a.To] = d, e
				last = a.To
			}
		}
		if last < 0 {
			return nil
		}
	}
	// last was still improving: a positive cycle lies behind it.
	v := last
	for range n {
		v = g.Arcs[pred[v]].From
	}
	var cycle []int
	for at := v; ; {
		e := pred[at]
		cycle = append(cycle, e)
		at = g.Arcs[e].From
		if at == v {
			break
		}
	}
	for i, j := 0, len(cycle)-1; i < j; i, j = i+1, j-1 {
		cycle[i], cycle[j] = cycle[j], cycle[i]
	}
	return cycle
}
