package tech

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
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
	// Exchanged is set where a comparison has its operands the other way round than the node,
	// and therefore the other predicate.
	Exchanged bool
}

// pattern is a function-unit body with several operations: an effective graph
// that may cover a piece of the DFG.
type pattern struct {
	sig string
	fu  *arch.FunctionUnit
	// root is the operation from which a match begins: all others are found backwards from it.
	root int
	// fused is set for bodies that are one state machine (arch.Fused). They are one pattern for
	// all types; of the others those of equal types are.
	fused *arch.Fused
}

// newPattern returns the pattern of a body, nil for bodies that cover nothing.
func newPattern(fu *arch.FunctionUnit) *pattern {
	if x := fu.Fused(); x != nil {
		return &pattern{sig: shape(fu), fu: fu, root: x.Branch, fused: x}
	}
	if datapath(fu) {
		return &pattern{sig: signature(fu), fu: fu, root: fu.Yield[0].Op}
	}
	return nil
}

// shape spells the structure of a body whatever the types.
func shape(fu *arch.FunctionUnit) string {
	var b strings.Builder
	for _, op := range fu.Ops {
		fmt.Fprintf(&b, "%s %s %v;", op.Op.Name, op.Op.StrAttr("step_op"), op.Operands)
	}
	fmt.Fprintf(&b, "yield %v", fu.Yield)
	return b.String()
}

// asBranch reports whether a branch of a fused unit executes sw, a gate: its values are those on the
// true side of a branch. Its operands are exchanged. The unit does not yield its condition, which
// nothing may read, therefore (enclosed).
func (p *pattern) asBranch(b int, sw *ir.Operation) bool {
	return p.fused != nil && p.fused.Kind == arch.FusedCounter && b == p.fused.Branch &&
		sw.Name == opname.DataflowGate
}

// executes reports whether body operation b of a unit of this pattern executes sw.
func (p *pattern) executes(fu *arch.FunctionUnit, b int, sw *ir.Operation, iw int) bool {
	hw := fu.Ops[b].Op
	if p.asBranch(b, sw) {
		return typeFits(hw.Operand(1).Type, sw.Operand(0).Type, iw, false, true) && typeFits(hw.Operand(0).Type, sw.Operand(1).Type, iw, true, true)
	}
	return fits(hw, sw, iw)
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
func (n *Netlist) matchSingle(pe *arch.Component, fu *arch.FunctionUnit, opcode int, nd *Node) (Candidate, bool) {
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
	if !n.takesImmediates(pe, opcode, nd, c.In) {
		if !exchangeable(sw) {
			return Candidate{}, false
		}
		c.In[0], c.In[1] = c.In[1], c.In[0]
		c.Exchanged = sw.Name == opname.ArithCmpI
		if !n.takesImmediates(pe, opcode, nd, c.In) {
			return Candidate{}, false
		}
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
func (n *Netlist) matchNode(pe *arch.Component, nd *Node) (Candidate, bool) {
	best, found := Candidate{}, false
	var bestCost [2]int
	for opcode, fu := range pe.Units() {
		var c Candidate
		var ok bool
		if nd.pattern != nil {
			c, ok = n.matchPattern(pe, fu, opcode, nd)
		} else {
			c, ok = n.matchSingle(pe, fu, opcode, nd)
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
		for _, fu := range c.Units() {
			if len(fu.Ops) == 1 && plainBody(fu) && !slices.ContainsFunc(units, func(u *ir.Operation) bool { return sameUnit(u, fu.Ops[0].Op) }) {
				units = append(units, fu.Ops[0].Op)
			}
		}
	}
	return func(op *ir.Operation) bool {
		return IsWire(op, f.IndexWidth) || slices.ContainsFunc(units, func(u *ir.Operation) bool { return fits(u, op, f.IndexWidth) })
	}
}

// Count returns how many of the PEs of the fabric execute an operation, as Units reports it; operations take turns in a temporal one, which
// counts for as many as it has instructions.
func Count(f *arch.Fabric) func(*ir.Operation) int {
	return func(op *ir.Operation) int {
		n := 0
		for _, c := range f.Comps {
			if slices.ContainsFunc(c.Units(), func(fu *arch.FunctionUnit) bool {
				return len(fu.Ops) == 1 && plainBody(fu) && fits(fu.Ops[0].Op, op, f.IndexWidth)
			}) {
				if n++; c.TPE != nil {
					n += c.TPE.Instructions - 1
				}
			}
		}
		return n
	}
}

// Accumulators returns a predicate: whether some accumulator of the fabric computes the next value of a loop by an operation, from the
// present one as operand left, and gives the next value of every iteration, or with present the one that it begins with.
func Accumulators(f *arch.Fabric) func(op *ir.Operation, left int, present bool) bool {
	count := CountAccumulators(f)
	return func(op *ir.Operation, left int, present bool) bool { return count(op, left, present) > 0 }
}

// CountAccumulators returns how many PEs have such an accumulator.
func CountAccumulators(f *arch.Fabric) func(op *ir.Operation, left int, present bool) int {
	units := map[arch.FusedKind][][]*ir.Operation{} // of each PE
	for _, c := range f.Comps {
		here := map[arch.FusedKind][]*ir.Operation{}
		for _, fu := range c.Units() {
			if x := fu.Fused(); x.Accumulator() {
				here[x.Kind] = append(here[x.Kind], fu.Ops[x.Compute].Op)
			}
		}
		for kind, ops := range here {
			units[kind] = append(units[kind], ops)
		}
	}
	return func(op *ir.Operation, left int, present bool) (n int) {
		kind := arch.FusedAccumulate
		if present {
			kind = arch.FusedPresent
		}
		if !arch.Accumulates(op.Name, left) {
			return 0
		}
		for _, ops := range units[kind] {
			if slices.ContainsFunc(ops, func(u *ir.Operation) bool { return fits(u, op, f.IndexWidth) }) {
				n++
			}
		}
		return n
	}
}

// sameUnit reports whether two operations need the same unit.
func sameUnit(a, b *ir.Operation) bool {
	same := func(x, y *ir.Value) bool { return x.Type.String() == y.Type.String() }
	return a.Name == b.Name && a.StrAttr("step_op") == b.StrAttr("step_op") &&
		a.StrAttr("operation") == b.StrAttr("operation") && dataflow.Parts(a) == dataflow.Parts(b) &&
		slices.EqualFunc(a.Operands(), b.Operands(), same) && slices.EqualFunc(a.Results(), b.Results(), same)
}

// matchPattern binds a node that was cut out for a multi-operation unit to a
// unit with the same body.
func (n *Netlist) matchPattern(pe *arch.Component, fu *arch.FunctionUnit, opcode int, nd *Node) (Candidate, bool) {
	p := nd.pattern
	switch {
	case len(fu.Ops) < 2:
		return Candidate{}, false
	case p.fused != nil:
		if fu.Fused() == nil || shape(fu) != p.sig {
			return Candidate{}, false
		}
		for b, op := range nd.binding {
			if !p.executes(fu, b, n.Ops[op], n.IndexWidth) {
				return Candidate{}, false
			}
		}
	case signature(fu) != p.sig:
		return Candidate{}, false
	}
	c := Candidate{Opcode: opcode, Body: nd.binding}
	for k := range nd.Ins {
		c.In = append(c.In, k)
	}
	if !n.takesImmediates(pe, opcode, nd, c.In) {
		return Candidate{}, false
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

// patterns collects the distinct multi-operation bodies of a fabric: state machines first, as
// they take recurrences out of the graph, then the largest first, then by signature.
// available counts the sites that offer each.
func patterns(f *arch.Fabric) (out []*pattern, available map[string]int) {
	available = map[string]int{}
	seen := map[string]bool{} // by types as well: a kernel may need any of them
	for _, c := range f.Comps {
		sites := 1
		if c.TPE != nil {
			sites = c.TPE.Instructions
		}
		counted := map[string]bool{}
		for _, fu := range c.Units() {
			p := newPattern(fu)
			if p == nil {
				continue
			}
			if !counted[p.sig] {
				counted[p.sig] = true
				available[p.sig] += sites
			}
			if sig := signature(fu); !seen[sig] {
				seen[sig] = true
				out = append(out, p)
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		if a, b := out[i].fused != nil, out[j].fused != nil; a != b {
			return a
		}
		if a, b := len(out[i].fu.Ops), len(out[j].fu.Ops); a != b {
			return a > b
		}
		return out[i].sig < out[j].sig
	})
	return out, available
}

// cover is one match of a pattern: body operation -> op index, unit argument ->
// operands that read it.
type cover struct {
	pat  *pattern
	ops  []int
	args [][]OpPort
}

// coverID names a possible cover: a shape and the operation at its root.
type coverID struct {
	sig  string
	root int
}

func (c *cover) clone() *cover {
	x := &cover{pat: c.pat, ops: slices.Clone(c.ops)}
	for _, a := range c.args {
		x.args = append(x.args, slices.Clone(a))
	}
	return x
}

// matchRoot matches a pattern backwards from its root operation, round recurrences too. What
// several operations of the body read of one input is one value in the graph. Values that the
// unit does not yield are read inside alone, as often as in the body.
func (n *Netlist) matchRoot(p *pattern, root int, taken map[int]bool) *cover {
	// match binds body operation b to op, and what feeds it; it returns what is bound then.
	var match func(c *cover, b, op int) *cover
	match = func(c *cover, b, op int) *cover {
		if c.ops[b] == op {
			return c
		}
		hw, sw := p.fu.Ops[b], n.Ops[op]
		if c.ops[b] >= 0 || slices.Contains(c.ops, op) || taken[op] || n.Wires[op] || !p.executes(p.fu, b, sw, n.IndexWidth) {
			return nil
		}
		orders := [][]int{identity(sw.NumOperands())}
		switch {
		case p.asBranch(b, sw):
			orders = [][]int{{1, 0}}
		case sw.NumOperands() == 2 && hw.Op.Is(ir.Commutative):
			orders = append(orders, []int{1, 0})
		}
	next:
		for _, order := range orders {
			x := c.clone()
			x.ops[b] = op
			for k, r := range hw.Operands {
				v := sw.Operand(order[k])
				if r.Op < 0 {
					if a := x.args[r.Arg]; len(a) > 0 && n.Ops[a[0].Op].Operand(a[0].Port) != v {
						continue next
					}
					x.args[r.Arg] = append(x.args[r.Arg], OpPort{op, order[k]})
					continue
				}
				if v.Def == nil || v.Index != r.Result {
					continue next
				}
				if x = match(x, r.Op, n.Index[v.Def]); x == nil {
					continue next
				}
			}
			return x
		}
		return nil
	}
	c := match(&cover{pat: p, ops: fill(len(p.fu.Ops)), args: make([][]OpPort, len(p.fu.In))}, p.root, root)
	if c == nil || slices.Contains(c.ops, -1) || !n.enclosed(c) || n.awaitsItself(c) {
		return nil
	}
	return c
}

// awaitsItself reports whether an accumulator that yields the present value would wait for what it gives: it gives that when the element
// is there, which may therefore not come of it in the same iteration, nor of the value that another one gives with an element that does; every
// value that may be accumulated is taken for such a one. What a carry or an invariant makes of its condition, or a carry of its next value, is of a
// later iteration.
func (n *Netlist) awaitsItself(c *cover) bool {
	x := c.pat.fused
	if x == nil || x.Kind != arch.FusedPresent {
		return false
	}
	at := c.args[x.In[2]][0]
	element := n.Ops[at.Op].Operand(at.Port)
	seen := map[*ir.Operation]bool{}
	var leads func(v *ir.Value) bool
	leads = func(v *ir.Value) bool {
		return v == element || slices.ContainsFunc(v.Uses(), func(u ir.Use) bool {
			later := u.Op.Name == opname.DataflowCarry && u.Index != 1 || u.Op.Name == opname.DataflowInvariant && u.Index == 0 ||
				u.Op.Name == opname.DataflowInterlock && u.Index > 0
			i, inside := n.Index[u.Op]
			if inside = inside && slices.Contains(c.ops, i); inside || later || seen[u.Op] {
				return false
			}
			seen[u.Op] = true
			if present := presentOf(u.Op, u.Index); present != nil && leads(present) {
				return true
			}
			return slices.ContainsFunc(u.Op.Results(), leads)
		})
	}
	return leads(n.Ops[c.ops[x.Branch]].Result(0))
}

// presentOf is what an accumulator gives with an element, operand k of the operation that makes the next value of that: the value of a carry on the true
// side of its branch. It is nil where nothing accumulates.
func presentOf(compute *ir.Operation, k int) *ir.Value {
	if compute.NumOperands() != 2 || compute.NumResults() != 1 || !arch.Accumulates(compute.Name, 1-k) {
		return nil
	}
	v := compute.Operand(1 - k)
	if v.Def == nil || v.Def.Name != opname.HandshakeCondBr || v.Index != 0 {
		return nil
	}
	carry := v.Def.Operand(1).Def
	if carry == nil || carry.Name != opname.DataflowCarry || carry.Operand(2) != compute.Result(0) {
		return nil
	}
	return v
}

// enclosed reports whether the values of a cover that its unit does not yield have no readers but
// those of the body, and no input of the unit is fed by the unit.
func (n *Netlist) enclosed(c *cover) bool {
	fu := c.pat.fu
	for _, a := range c.args {
		if def := n.Ops[a[0].Op].Operand(a[0].Port).Def; def != nil && slices.Contains(c.ops, n.Index[def]) {
			return false // a unit does not feed itself through the network
		}
	}
	for b, op := range c.ops {
		for r := range n.Ops[op].Results() {
			reads := func(x arch.ValueRef) bool { return x.Op == b && x.Result == r }
			inside := 0
			for _, o := range fu.Ops {
				for _, x := range o.Operands {
					if reads(x) {
						inside++
					}
				}
			}
			if !slices.ContainsFunc(fu.Yield, reads) && len(n.Ops[op].Result(r).Uses()) != inside {
				return false
			}
		}
	}
	return true
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
// Larger shapes first, then body order. Those in without are not made.
func (n *Netlist) Covers(f *arch.Fabric, without map[coverID]bool) int {
	pats, available := patterns(f)
	if len(pats) == 0 {
		return 0
	}
	taken := map[int]bool{}
	var covers []*cover
	for _, p := range pats {
		for i := range n.Ops {
			if available[p.sig] == 0 {
				break
			}
			if without[coverID{p.sig, i}] {
				continue
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
		op := n.Ops[c.ops[c.pat.root]]
		g := &Node{ID: len(n.Nodes), Kind: Unit, Ops: c.ops, Pos: op.Pos, Name: OpLabel(op),
			InNets: fill(len(c.args)), OutNets: fill(len(c.pat.fu.Yield)), pattern: c.pat, binding: c.ops}
		for _, a := range c.args {
			g.Ins, g.also = append(g.Ins, a[0]), append(g.also, a[1:])
		}
		for _, y := range c.pat.fu.Yield {
			g.Outs = append(g.Outs, OpPort{c.ops[y.Op], y.Result})
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
			pin, ok := ins[s.Dst]
			if !ok {
				continue // inside a unit, or at a port that is a sink already
			}
			s.Pin, s.Also = pin, n.Nodes[pin.Node].Also(pin.Port)
			n.Nodes[s.Node].InNets[s.Port] = cp.ID
			cp.Sinks = append(cp.Sinks, s)
		}
		if len(cp.Sinks) == 0 {
			continue // the unit yields it, and only reads it itself
		}
		n.Nodes[src.Node].OutNets[src.Port] = cp.ID
		n.Nets = append(n.Nets, &cp)
	}
}

// Also are the further operands that port k of a unit feeds: operations inside of it that read
// the value at Ins[k].
func (nd *Node) Also(k int) []OpPort {
	if k < len(nd.also) {
		return nd.also[k]
	}
	return nil
}
