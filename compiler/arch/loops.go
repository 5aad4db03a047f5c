package arch

import (
	"fmt"

	"loom/compiler/diag"
	"loom/compiler/units"
)

// CheckLoops reports the structural combinational loops of a fabric, forward
// (valid and data) and backward (ready), one finding per group of channels that
// depend on each other. Routes of a loop need not be configured together: what
// the connectivity tables allow counts, because tools see the wires and not the
// configuration.
//
// Source: design page "The Fabric dialect", "Structural legality".
func CheckLoops(f *Fabric) error {
	var errs diag.List
	for _, backward := range []bool{false, true} {
		g := loopGraph(f, backward)
		for _, group := range cyclicGroups(g) {
			reportLoop(f, shortestCycle(g, group), backward, &errs)
		}
	}
	return errs.Err()
}

// loopGraph returns, for each channel, the channels whose forward signals depend
// combinationally on its own (backward: the channels it passes a ready to are
// listed in data-flow direction as well, so that both graphs read alike).
func loopGraph(f *Fabric, backward bool) [][]int {
	g := make([][]int, len(f.Channels))
	for _, ch := range f.Channels {
		c := ch.Dst.Comp
		if c == nil {
			continue
		}
		contract := c.Kind.Contract()
		for o := range c.Out {
			if c.Out[o].Chan != nil && contract.Combinational(c, ch.Dst.Port, o, backward) {
				g[ch.ID] = append(g[ch.ID], c.Out[o].Chan.ID)
			}
		}
	}
	return g
}

// registersForward reports whether no output of the unit depends on an input in
// the same cycle: true for datapaths with at least one pipeline register.
func (f *FunctionUnit) registersForward() bool {
	if f.Latency < 1 {
		return false
	}
	for _, op := range f.Ops {
		if !units.Is(op.Op.Name, units.Datapath) && !units.Is(op.Op.Name, units.Iterative) {
			return false
		}
	}
	return true
}

// cyclicGroups returns the strongly connected components that hold a cycle
// (Tarjan, without recursion: fabrics have thousands of channels), each sorted
// by discovery and all ordered by their lowest channel.
func cyclicGroups(g [][]int) [][]int {
	n := len(g)
	index, low := make([]int, n), make([]int, n)
	onStack := make([]bool, n)
	var stack []int
	type frame struct{ v, next int }
	var groups [][]int
	count := 0
	for root := range n {
		if index[root] != 0 {
			continue
		}
		frames := []frame{{root, 0}}
		for len(frames) > 0 {
			fr := &frames[len(frames)-1]
			v := fr.v
			if fr.next == 0 {
				count++
				index[v], low[v] = count, count
				stack = append(stack, v)
				onStack[v] = true
			}
			descended := false
			for fr.next < len(g[v]) {
				w := g[v][fr.next]
				fr.next++
				if index[w] == 0 {
					frames = append(frames, frame{w, 0})
					descended = true
					break
				}
				if onStack[w] {
					low[v] = min(low[v], index[w])
				}
			}
			if descended {
				continue
			}
			if fr.next == 0 {
				fr.next = 1 // a node without edges is visited once
			}
			if low[v] == index[v] {
				var group []int
				for {
					w := stack[len(stack)-1]
					stack = stack[:len(stack)-1]
					onStack[w] = false
					group = append(group, w)
					if w == v {
						break
					}
				}
				if len(group) > 1 || hasEdge(g, v, v) {
					groups = append(groups, group)
				}
			}
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				p := frames[len(frames)-1].v
				low[p] = min(low[p], low[v])
			}
		}
	}
	return groups
}

func hasEdge(g [][]int, a, b int) bool {
	for _, w := range g[a] {
		if w == b {
			return true
		}
	}
	return false
}

// shortestCycle returns a shortest cycle through the lowest channel of a group.
func shortestCycle(g [][]int, group []int) []int {
	in := map[int]bool{}
	start := group[0]
	for _, v := range group {
		in[v] = true
		start = min(start, v)
	}
	prev := map[int]int{}
	queue := []int{start}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, w := range g[v] {
			if w == start {
				cycle := []int{v}
				for v != start {
					v = prev[v]
					cycle = append(cycle, v)
				}
				for i, j := 0, len(cycle)-1; i < j; i, j = i+1, j-1 {
					cycle[i], cycle[j] = cycle[j], cycle[i]
				}
				return cycle
			}
			if _, seen := prev[w]; !seen && in[w] {
				prev[w] = v
				queue = append(queue, w)
			}
		}
	}
	return group
}

// maxLoopNotes bounds the printed length of a loop.
const maxLoopNotes = 16

func reportLoop(f *Fabric, cycle []int, backward bool, errs *diag.List) {
	what, signals := "forward", "valid and data"
	if backward {
		what, signals = "backward", "ready"
	}
	first := f.Channels[cycle[0]].Dst.Comp
	d := errs.Errorf(first.Pos, "combinational loop of %d components through %s '%s' (%s: %s)",
		len(cycle), first.Kind, first.Name, what, signals).WithSymbol("CPL_MODULE_COMBINATIONAL_LOOP")
	for i, id := range cycle {
		if i == maxLoopNotes {
			d.WithNote(diag.Pos{}, "… and %d more components", len(cycle)-i)
			break
		}
		ch := f.Channels[id]
		next := f.Channels[cycle[(i+1)%len(cycle)]]
		d.WithNote(ch.Dst.Comp.Pos, "%s", fmt.Sprintf("%s '%s' passes %s on to %s", ch.Dst.Comp.Kind, ch.Dst.Comp.Name,
			ch.Dst.Comp.In[ch.Dst.Port].Name, next.Src.Comp.Out[next.Src.Port].Name))
	}
	d.WithHelp("put a fabric.fifo of depth 2 or more, not bypassable, on the loop")
}
