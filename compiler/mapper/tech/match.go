package tech

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/ir"
)

// Candidate describes how a function unit of a PE executes a node.
type Candidate struct {
	// Opcode is the unit's number in the PE.
	Opcode int
	// In[k] is the unit input that takes the node's port k, Out[k] the unit output
	// that gives its result k, -1 where the unit does not offer it.
	In, Out []int
	// Body[b] is the DFG operation that body operation b executes.
	Body []int
}

// pattern is a function-unit body with several operations: an effective graph
// that may cover a piece of the DFG.
type pattern struct {
	sig string
	fu  *arch.FunctionUnit
}

// plainBody reports whether every argument of the unit is read exactly once, so
// that ports and operands correspond one to one. Units that use an argument
// twice are not matched.
func plainBody(fu *arch.FunctionUnit) bool {
	reads := make([]int, len(fu.In))
	for _, op := range fu.Ops {
		for _, r := range op.Operands {
			if r.Op < 0 {
				reads[r.Arg]++
			}
		}
	}
	for _, n := range reads {
		if n != 1 {
			return false
		}
	}
	return true
}

// signature spells what a unit computes; units of equal signature are
// interchangeable for matching.
func signature(fu *arch.FunctionUnit) string {
	var b strings.Builder
	for _, op := range fu.Ops {
		fmt.Fprintf(&b, "%s %s %v (", op.Op.Name, op.Op.StrAttr("step_op"), op.Operands)
		for _, v := range op.Op.Operands() {
			fmt.Fprintf(&b, "%s,", v.Type)
		}
		b.WriteString(")->(")
		for _, v := range op.Op.Results() {
			fmt.Fprintf(&b, "%s,", v.Type)
		}
		b.WriteString(");")
	}
	fmt.Fprintf(&b, "yield %v", fu.Yield)
	return b.String()
}

// matchSingle matches a unit with one body operation against a one-operation
// node. A result the unit does not yield must be unread.
func (n *Netlist) matchSingle(fu *arch.FunctionUnit, opcode int, nd *Node) (Candidate, bool) {
	if len(fu.Ops) != 1 || len(nd.Ops) != 1 || !plainBody(fu) {
		return Candidate{}, false
	}
	hw, sw := fu.Ops[0], n.Ops[nd.Ops[0]]
	if !fits(hw.Op, sw, n.IndexWidth) {
		return Candidate{}, false
	}
	c := Candidate{Opcode: opcode, Body: nd.Ops}
	for k := range nd.Ins {
		if hw.Operands[k].Op >= 0 {
			return Candidate{}, false
		}
		c.In = append(c.In, hw.Operands[k].Arg)
	}
	for k := range nd.Outs {
		out := -1
		for j, y := range fu.Yield {
			if y.Op == 0 && y.Result == k {
				out = j
				break
			}
		}
		if out < 0 && nd.OutNets[k] >= 0 {
			return Candidate{}, false
		}
		c.Out = append(c.Out, out)
	}
	return c, true
}

// matchNode finds the best unit of a PE for a node: the one with the lowest
// latency, then the narrowest, then the first.
func (n *Netlist) matchNode(pe *arch.PESpec, nd *Node) (Candidate, bool) {
	best, found := Candidate{}, false
	var bestCost [2]int
	for opcode, fu := range pe.FUs {
		var c Candidate
		var ok bool
		if nd.pattern != nil {
			c, ok = n.matchPattern(fu, opcode, nd)
		} else {
			c, ok = n.matchSingle(fu, opcode, nd)
		}
		if !ok {
			continue
		}
		cost := [2]int{max(fu.Latency, 0), 0}
		for _, p := range fu.In {
			cost[1] += p.Width
		}
		if !found || cost[0] < bestCost[0] || cost[0] == bestCost[0] && cost[1] < bestCost[1] {
			best, bestCost, found = c, cost, true
		}
	}
	return best, found
}

// Units returns a predicate: whether some function unit of the fabric executes an
// operation, by its name, attributes and types. It does not count the units.
func Units(f *arch.Fabric) func(*ir.Operation) bool {
	var units []*ir.Operation
	for _, c := range f.Comps {
		if c.PE == nil {
			continue
		}
		for _, fu := range c.PE.FUs {
			if len(fu.Ops) == 1 && plainBody(fu) && !slices.ContainsFunc(units, func(u *ir.Operation) bool { return sameUnit(u, fu.Ops[0].Op) }) {
				units = append(units, fu.Ops[0].Op)
			}
		}
	}
	return func(op *ir.Operation) bool {
		return IsWire(op, f.IndexWidth) || slices.ContainsFunc(units, func(u *ir.Operation) bool { return fits(u, op, f.IndexWidth) })
	}
}

// sameUnit reports whether two operations need the same unit.
func sameUnit(a, b *ir.Operation) bool {
	same := func(x, y *ir.Value) bool { return x.Type.String() == y.Type.String() }
	return a.Name == b.Name && a.StrAttr("step_op") == b.StrAttr("step_op") &&
		slices.EqualFunc(a.Operands(), b.Operands(), same) && slices.EqualFunc(a.Results(), b.Results(), same)
}

// matchPattern binds a node that was cut out for a multi-operation unit to a
// unit with the same body.
func (n *Netlist) matchPattern(fu *arch.FunctionUnit, opcode int, nd *Node) (Candidate, bool) {
	if len(fu.Ops) < 2 || signature(fu) != nd.pattern.sig {
		return Candidate{}, false
	}
	c := Candidate{Opcode: opcode, Body: nd.binding}
	for k := range nd.Ins {
		c.In = append(c.In, k)
	}
	for k := range nd.Outs {
		c.Out = append(c.Out, k)
	}
	return c, true
}

// datapath reports whether a body of arithmetic may be executed as one firing: pure
// arithmetic, one result, every internal value read once.
func datapath(fu *arch.FunctionUnit) bool {
	if len(fu.Ops) < 2 || len(fu.Yield) != 1 || fu.Yield[0].Op < 0 || !plainBody(fu) {
		return false
	}
	reads := make([]int, len(fu.Ops))
	reads[fu.Yield[0].Op]++
	for _, op := range fu.Ops {
		if !strings.HasPrefix(op.Op.Name, "arith.") || op.Op.NumResults() != 1 {
			return false
		}
		for _, r := range op.Operands {
			if r.Op >= 0 {
				reads[r.Op]++
			}
		}
	}
	for _, r := range reads {
		if r != 1 {
			return false
		}
	}
	return true
}

// patterns collects the distinct multi-operation bodies of a fabric, largest
// first, then by signature.
func patterns(f *arch.Fabric) []*pattern {
	seen := map[string]bool{}
	var out []*pattern
	for _, c := range f.Comps {
		if c.PE == nil {
			continue
		}
		for _, fu := range c.PE.FUs {
			if !datapath(fu) {
				continue
			}
			if sig := signature(fu); !seen[sig] {
				seen[sig] = true
				out = append(out, &pattern{sig, fu})
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		if a, b := len(out[i].fu.Ops), len(out[j].fu.Ops); a != b {
			return a > b
		}
		return out[i].sig < out[j].sig
	})
	return out
}

// cover is one match of a pattern: body operation -> op index, unit argument ->
// operand.
type cover struct {
	pat  *pattern
	ops  []int
	args []OpPort
}

// matchRoot matches a pattern backwards from the operation that computes its
// result. Inner values must be read by the next operation alone and directly.
func (n *Netlist) matchRoot(p *pattern, root int, taken map[int]bool) *cover {
	c := &cover{pat: p, ops: fill(len(p.fu.Ops)), args: make([]OpPort, len(p.fu.In))}
	var match func(b, op int) bool
	match = func(b, op int) bool {
		hw, sw := p.fu.Ops[b], n.Ops[op]
		if taken[op] || n.Wires[op] || !fits(hw.Op, sw, n.IndexWidth) {
			return false
		}
		orders := [][]int{identity(sw.NumOperands())}
		if sw.NumOperands() == 2 && hw.Op.Is(ir.Commutative) {
			orders = append(orders, []int{1, 0})
		}
		for _, order := range orders {
			save := append([]int(nil), c.ops...)
			c.ops[b] = op
			ok := true
			for k, r := range hw.Operands {
				v := sw.Operand(order[k])
				if r.Op < 0 {
					c.args[r.Arg] = OpPort{op, order[k]}
					continue
				}
				if v.Def == nil || len(v.Uses()) != 1 || !match(r.Op, n.Index[v.Def]) {
					ok = false
					break
				}
			}
			if ok {
				return true
			}
			copy(c.ops, save)
		}
		return false
	}
	if !match(p.fu.Yield[0].Op, root) {
		return nil
	}
	return c
}

func identity(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// Covers groups operations into the multi-operation units of the fabric, at
// most as many groups per shape as units exist, and returns how many it made.
// Larger shapes first, then body order.
func (n *Netlist) Covers(f *arch.Fabric) int {
	pats := patterns(f)
	if len(pats) == 0 {
		return 0
	}
	available := map[string]int{}
	for _, c := range f.Comps {
		if c.PE != nil {
			seen := map[string]bool{}
			for _, fu := range c.PE.FUs {
				if sig := signature(fu); !seen[sig] {
					seen[sig] = true
					available[sig]++
				}
			}
		}
	}
	taken := map[int]bool{}
	var covers []*cover
	for _, p := range pats {
		for i := range n.Ops {
			if available[p.sig] == 0 {
				break
			}
			if c := n.matchRoot(p, i, taken); c != nil {
				for _, op := range c.ops {
					taken[op] = true
				}
				available[p.sig]--
				covers = append(covers, c)
			}
		}
	}
	n.regroup(covers)
	return len(covers)
}

// regroup rebuilds nodes and nets with the given covers as single nodes.
func (n *Netlist) regroup(covers []*cover) {
	of := map[int]*cover{}
	for _, c := range covers {
		for _, op := range c.ops {
			of[op] = c
		}
	}
	old := n.Nodes
	oldNets := n.Nets
	n.Nodes, n.Nets = nil, nil
	made := map[*cover]bool{}
	remap := map[Pin]Pin{}
	for _, nd := range old {
		c := (*cover)(nil)
		if nd.Kind == Unit {
			c = of[nd.Ops[0]]
		}
		if c == nil {
			id := len(n.Nodes)
			for k := range nd.Ins {
				remap[Pin{nd.ID, k}] = Pin{id, k}
			}
			cp := *nd
			cp.ID = id
			cp.InNets, cp.OutNets = fill(len(nd.Ins)), fill(len(nd.Outs))
			n.Nodes = append(n.Nodes, &cp)
			continue
		}
		if made[c] {
			continue
		}
		made[c] = true
		root := c.pat.fu.Yield[0].Op
		op := n.Ops[c.ops[root]]
		g := &Node{ID: len(n.Nodes), Kind: Unit, Ops: c.ops, Ins: c.args,
			InNets: fill(len(c.args)), OutNets: fill(op.NumResults()), Pos: op.Pos, Name: OpLabel(op), pattern: c.pat, binding: c.ops}
		for k := range op.NumResults() {
			g.Outs = append(g.Outs, OpPort{c.ops[root], k})
		}
		n.Nodes = append(n.Nodes, g)
	}
	n.renumber(oldNets)
}

// renumber rebuilds the nets over the current nodes from op-level ends.
func (n *Netlist) renumber(nets []*Net) {
	ins, outs := map[OpPort]Pin{}, map[OpPort]Pin{}
	n.NodeOf = map[int]int{}
	for _, nd := range n.Nodes {
		for k, p := range nd.Ins {
			ins[p] = Pin{nd.ID, k}
		}
		for k, p := range nd.Outs {
			outs[p] = Pin{nd.ID, k}
		}
		switch nd.Kind {
		case Unit:
			for _, op := range nd.Ops {
				n.NodeOf[op] = nd.ID
			}
		case ArgIn:
			n.ArgNode[nd.Index] = nd.ID
		case ResOut:
			n.ResNode[nd.Index] = nd.ID
		}
	}
	n.listAccesses()
	for _, net := range nets {
		src, ok := outs[net.SrcPort]
		if !ok {
			continue // now inside a unit
		}
		cp := *net
		cp.ID, cp.Src, cp.Sinks = len(n.Nets), src, nil
		for _, s := range net.Sinks {
			s.Pin = ins[s.Dst]
			n.Nodes[s.Node].InNets[s.Port] = cp.ID
			cp.Sinks = append(cp.Sinks, s)
		}
		n.Nodes[src.Node].OutNets[src.Port] = cp.ID
		n.Nets = append(n.Nets, &cp)
	}
}
