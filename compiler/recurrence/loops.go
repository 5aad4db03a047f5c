package recurrence

import (
	"strings"

	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Loop is a loop of a graph. What makes it one is its raw condition: the
// will-continue result of a dataflow.stream, or the value that steers the
// carries and invariants of a while loop (spec-dataflow-compilation).
type Loop struct {
	// Raw is the raw condition.
	Raw *ir.Value
	// Name is the name of the loop's value in the graph, "" if it has none.
	Name string
	// Pos is the position of the loop in the source.
	Pos diag.Pos
	// Steering are its stream, gates, carries and invariants, in the order of the
	// graph.
	Steering []*ir.Operation
	// Parent is the loop directly around it, -1 for none.
	Parent int
	// Depth is the number of loops around it.
	Depth int
}

// Nest is the loops of a graph, in the order of their first operation.
type Nest struct {
	Loops []Loop
	// loop finds a loop by its raw condition.
	loop map[*ir.Value]int
	// homes caches home.
	homes map[*ir.Value]int
}

// FindLoops lists the loops of a handshake.func.
func FindLoops(fn *ir.Operation) *Nest {
	n := &Nest{loop: map[*ir.Value]int{}, homes: map[*ir.Value]int{}}
	for _, op := range fn.Regions[0].Entry().Ops {
		raw := rawOf(op)
		if raw == nil {
			continue
		}
		l, ok := n.loop[raw]
		if !ok {
			l = len(n.Loops)
			n.loop[raw] = l
			n.Loops = append(n.Loops, Loop{Raw: raw, Pos: op.Pos, Parent: -1})
		}
		n.Loops[l].Steering = append(n.Loops[l].Steering, op)
	}
	for i := range n.Loops {
		l := &n.Loops[i]
		l.Name = nameOf(l)
		for _, op := range l.Steering {
			for _, v := range activation(op) {
				if home := n.home(v); home >= 0 && home != i && !n.within(home, i) {
					l.Parent = home
				}
			}
			if l.Parent >= 0 {
				break
			}
		}
	}
	for i := range n.Loops {
		for p := n.Loops[i].Parent; p >= 0; p = n.Loops[p].Parent {
			n.Loops[i].Depth++
		}
	}
	return n
}

// within reports whether loop i is outer or lies in it, as far as parents are
// known. Parents never form a cycle, because this is checked before one is set.
func (n *Nest) within(i, outer int) bool {
	for ; i >= 0; i = n.Loops[i].Parent {
		if i == outer {
			return true
		}
	}
	return false
}

// rawOf is the raw condition of the loop that a state machine belongs to, nil
// for other operations.
func rawOf(op *ir.Operation) *ir.Value {
	switch op.Name {
	case opname.DataflowStream:
		return dataflow.Loop(op.Result(1))
	case opname.DataflowGate:
		return dataflow.Loop(ungated(op.Operand(1)))
	case opname.DataflowCarry, opname.DataflowInvariant, opname.DataflowAccumulate:
		return dataflow.Loop(ungated(op.Operand(0)))
	}
	return nil
}

// isGated reports whether c is the condition that a dataflow.gate passes on.
func isGated(c *ir.Value) bool {
	return c != nil && c.Def != nil && c.Def.Name == opname.DataflowGate && c.Index == 1
}

// ungated follows a condition back through gates. A graph need not be well made:
// gates that feed themselves end the search.
func ungated(c *ir.Value) *ir.Value {
	seen := map[*ir.Value]bool{}
	for isGated(c) && !seen[c] {
		seen[c] = true
		c = c.Def.Operand(1)
	}
	return c
}

// activation are the operands of a state machine that start an activation.
func activation(op *ir.Operation) []*ir.Value {
	switch op.Name {
	case opname.DataflowStream:
		return op.Operands()
	case opname.DataflowCarry, opname.DataflowInvariant, opname.DataflowAccumulate:
		return op.Operands()[1:2]
	}
	return nil
}

// Home is the innermost loop that a value's tokens are counted by, an index into
// Loops; -1 for values of the function itself.
func (n *Nest) Home(v *ir.Value) int { return n.home(v) }

// home is the innermost loop that a value's tokens are counted by, -1 for those
// of the function itself: an operation's result belongs where its operands do,
// except behind a loop's boundary.
func (n *Nest) home(v *ir.Value) int {
	if v == nil || v.Def == nil {
		return -1
	}
	if h, ok := n.homes[v]; ok {
		return h
	}
	n.homes[v] = -1 // for graphs that go in circles
	h := -1
	op := v.Def
	switch op.Name {
	case opname.DataflowStream, opname.DataflowGate, opname.DataflowCarry, opname.DataflowInvariant:
		h = n.loop[rawOf(op)]
	case opname.HandshakeCondBr:
		l, boundary := n.boundary(op)
		switch {
		case !boundary:
			h = n.deepest(op.Operands())
		case v.Index == 0:
			h = l
		default:
			h = n.around(l)
		}
	case opname.DataflowAccumulate: // leaves its loop
		h = n.around(n.loop[rawOf(op)])
	case opname.HandshakeMemory, opname.HandshakeExtmemory:
		if in := requestOf(v); in >= 0 {
			h = n.home(op.Operand(in))
		}
	case opname.HandshakeLoad:
		h = n.home(op.Operand(0))
	default:
		h = n.deepest(op.Operands())
	}
	n.homes[v] = h
	return h
}

// around is the home of what starts a loop, and of what leaves it.
func (n *Nest) around(l int) int {
	for _, s := range n.Loops[l].Steering {
		if h := n.deepest(activation(s)); h >= 0 {
			return h
		}
	}
	return -1
}

// deepest is the home of the first operand that has one: operands of an
// operation have one count, but a constant's trigger or a circle may hide it.
func (n *Nest) deepest(vs []*ir.Value) int {
	for _, v := range vs {
		if h := n.home(v); h >= 0 {
			return h
		}
	}
	return -1
}

// boundary returns the loop that a cond_br splits its data at, if its condition
// is a loop's.
func (n *Nest) boundary(br *ir.Operation) (int, bool) {
	l, ok := n.loop[dataflow.Loop(ungated(br.Operand(0)))]
	return l, ok
}

// PerIteration reports whether an operation fires once per iteration of a loop,
// and of which: the loop's state machines, and the splits at its boundary. raw
// is set when there is a firing more per activation, for the loop's last test.
func (n *Nest) PerIteration(op *ir.Operation) (loop int, raw, ok bool) {
	switch op.Name {
	case opname.DataflowStream:
		return n.loop[rawOf(op)], true, true
	case opname.DataflowGate:
		return n.loop[rawOf(op)], false, true
	case opname.DataflowCarry, opname.DataflowInvariant, opname.DataflowAccumulate:
		return n.loop[rawOf(op)], !isGated(op.Operand(0)), true
	case opname.HandshakeCondBr:
		loop, ok = n.boundary(op)
		return loop, !isGated(op.Operand(0)), ok
	}
	return 0, false, false
}

// Condition is the operand by which an operation takes a token of a loop's condition in
// every iteration, as the loop's state machines and the splits at its boundary do. raw is
// set for the condition that is tested once more than the loop has iterations.
func (n *Nest) Condition(op *ir.Operation) (loop, operand int, raw, ok bool) {
	if op.Name == opname.DataflowStream {
		return 0, 0, false, false // it makes the condition
	}
	if loop, _, ok = n.PerIteration(op); ok && op.Name == opname.DataflowGate {
		operand = 1
	}
	return loop, operand, ok && !isGated(op.Operand(operand)), ok
}

// requestOf is the operand of a memory whose request v responds to: the address, -1
// for results that are none of a port's.
func requestOf(v *ir.Value) int {
	op := v.Def
	ld, _ := op.IntAttr("ldCount")
	st, _ := op.IntAttr("stCount")
	first := 0
	if op.Name == opname.HandshakeExtmemory {
		first = 1
	}
	i, in := int64(v.Index), -1
	switch {
	case i < ld:
		in = first + int(2*st+i)
	case i < ld+st:
		in = first + int(2*(i-ld)+1)
	case i < 2*ld+st:
		in = first + int(2*st+i-ld-st)
	}
	if in >= op.NumOperands() {
		return -1
	}
	return in
}

// nameOf is the name of the loop's index, or else of what it carries.
func nameOf(l *Loop) string {
	for _, want := range []string{opname.DataflowGate, opname.DataflowStream, opname.DataflowCarry} {
		for _, op := range l.Steering {
			if op.Name == want && op.Result(0).Name != "" {
				// The lowering calls the raw index of %i %i_raw, the second one %i_raw_0.
				if name, _, raw := strings.Cut(op.Result(0).Name, "_raw"); raw && name != "" {
					return name
				}
				return op.Result(0).Name
			}
		}
	}
	return ""
}
