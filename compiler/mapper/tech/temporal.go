package tech

import (
	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/opname"
	"loom/compiler/recurrence"
)

// This file decides which operations may be instructions of temporal PEs. Any operation is right there that the datapath
// computes; but an instruction executes every third cycle at best, and all of a PE together one in a cycle. So loops
// whose iterations may follow each other faster than that stay outside as long as there are PEs for them.

// temporalPaces are the cycles of an iteration from which on the operations of an innermost loop may be instructions: the first that
// leaves a site for every operation counts. 0 is for all loops.
var temporalPaces = []int{8, 4, 2, 0}

// findPaces finds how fast the loops could be if every operation had a PE.
func (t *Tech) findPaces(fn *ir.Operation) {
	t.nest = recurrence.FindLoops(fn)
	t.paces = make([]int, len(t.nest.Loops))
	inner := make([]bool, len(t.nest.Loops))
	for i := range inner {
		inner[i] = true
	}
	for _, l := range t.nest.Loops {
		if l.Parent >= 0 {
			inner[l.Parent] = false
		}
	}
	model := latency.Model{Memory: latency.Default, IndexWidth: t.Fabric.IndexWidth}
	for i, b := range recurrence.Bounds(fn, t.nest, recurrence.Graph(model), nil) {
		if inner[i] {
			t.paces[i] = 1
			if b.Tokens > 0 {
				t.paces[i] = max(1, b.Cycles/b.Tokens)
			}
		}
	}
}

// late reports whether a node takes an operand later than the iteration that it belongs to: a carry whose condition comes from a gate, which
// is the one of the next iteration. All readers of a value in a temporal PE get its tokens together, and such a one would hold the others up.
func (t *Tech) late(nd *Node) bool {
	for _, i := range nd.Ops {
		if op := t.Ops[i]; op.Name == opname.DataflowCarry {
			if c := t.origin(op.Operand(0)); c.Def != nil && c.Def.Name == opname.DataflowGate {
				return true
			}
		}
	}
	return false
}

// tooFast reports whether the operations of a node belong to a loop that an instruction would slow down.
func (t *Tech) tooFast(nd *Node) bool {
	for _, i := range nd.Ops {
		op := t.Ops[i]
		at := append(op.Operands(), op.Results()...)
		for _, v := range at {
			if h := t.nest.Home(v); h >= 0 && t.paces[h] > 0 && t.paces[h] < t.pace {
				return true
			}
		}
	}
	return false
}

// instructionFits reports whether the words of a temporal PE are wide enough for a node. Ports are no matter of one node: what
// stays inside needs none.
func (t *Tech) instructionFits(c *arch.Component, nd *Node) bool {
	for k := range nd.Ins {
		if t.inWidth(nd, k) > c.TPE.Width {
			return false
		}
	}
	for k := range nd.Outs {
		if t.outWidth(nd, k) > c.TPE.Width {
			return false
		}
	}
	return true
}

// takesConstants reports whether an instruction has what the immediates of a node need: one word, for operands a and b.
func (n *Netlist) takesConstants(c *arch.Component, opcode int, nd *Node, in []int) bool {
	step := c.TPE.Steps[opcode]
	word, words := uint64(0), 0
	for k, at := range nd.Ins {
		m := n.Imm[at]
		switch {
		case m == nil:
		case step.Slot[in[k]] == arch.OperandCondition:
			if step.Kind != arch.StepJoin || !m.Held || m.Const >= 0 {
				return false
			}
		case m.Const >= 0 && c.TPE.Constants == 0:
			return false
		case m.Const >= 0 && words > 0 && word != m.Value:
			return false
		case m.Const >= 0:
			word, words = m.Value, words+1
		}
	}
	return true
}

// Constants are the words of the configuration that a node needs in a temporal PE: none or one.
func (n *Netlist) Constants(nd *Node) []uint64 {
	for _, at := range nd.Ins {
		if m := n.Imm[at]; m != nil && m.Const >= 0 {
			return []uint64{m.Value}
		}
	}
	return nil
}
