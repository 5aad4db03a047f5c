package throughput

import (
	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/opname"
)

// The rules of temporal PEs (rtl/README.md). An event of a result is that its instruction fires: what comes out of the datapath
// is in its place, and in those of its readers, from the next cycle on. Instructions that wait for the datapath, or for another
// attempt, come later than these rules say: there is no upper bound of a loop with instructions.

// temporal is the temporal PE where an operation is an instruction, nil for others.
func (g *graph) temporal(op int) *arch.Component {
	if op < 0 || op >= len(g.unit) || g.unit[op] == nil {
		return nil
	}
	return g.unit[op].temporal
}

// instructions makes the links of the results of instructions, each of which fires every third cycle at most.
func (g *graph) instructions() {
	for i, op := range g.ops {
		if g.temporal(i) == nil {
			continue
		}
		for k, v := range op.Results() {
			l := g.link(v, -1)
			g.out[terminal{i, k}] = l
			g.place(l.taken, l.taken, latency.TemporalPace, 1)
		}
	}
}

// instructionTime is the least number of cycles from an execution to that of an instruction which it gives the last operand. The
// condition of a mux says which other operand that is, and takes one more.
func instructionTime(op *ir.Operation, operand int) int {
	if op.Name == opname.HandshakeMux && operand == 0 {
		return latency.TemporalInstruction + latency.TemporalCondition
	}
	return latency.TemporalInstruction
}

// operand is the place of an operand that reads a result of the same PE, or an input, which fires again in the cycle after the place is
// free.
func (g *graph) operand(result, operand link, at terminal) {
	g.after(operand.offered, result.taken, instructionTime(g.ops[at.op], at.port), 0)
	g.place(result.taken, operand.taken, 1, 1)
}

// output is the register of an output.
func (g *graph) output(result, out link) {
	g.after(out.offered, result.taken, 1, 0)
	g.place(result.taken, out.taken, 1, 1)
}

// input is an operand that reads an input of the PE, which has one place.
func (g *graph) input(v *ir.Value, in, operand link, at terminal) {
	inside, known := g.entries[in]
	if !known {
		inside = g.link(v, -1)
		g.entries[in] = inside
	}
	g.after(inside.taken, in.taken, latency.TemporalInput, 0)
	g.place(in.taken, inside.taken, 1, 1)
	g.operand(inside, operand, at)
}

// busy is how many cycles the datapath of a temporal PE needs for an iteration of a loop, of the one that needs most: one for
// every instruction, more for a multiplication, and one for every input.
func (g *graph) busy(l int) int {
	count := map[*arch.Component]int{}
	most := 0
	for i, op := range g.ops {
		u := g.unit[i]
		if u == nil || u.temporal == nil || u.ops[0] != i || op.NumResults() == 0 || g.nest.Home(op.Result(0)) != l || g.conditional(op.Result(0)) {
			continue
		}
		count[u.temporal] += 1 + u.cycles
		most = max(most, count[u.temporal])
	}
	inputs := map[wire]bool{}
	for _, e := range g.m.Edges {
		c, v := g.temporal(e.Dst.Op), g.value(e.Src)
		if c == nil || len(e.Steps) < 2 || g.nest.Home(v) != l || g.conditional(v) {
			continue
		}
		last := e.Steps[len(e.Steps)-1]
		if at := (wire{last.Comp, "", last.In}); !inputs[at] {
			inputs[at] = true
			count[c]++
			most = max(most, count[c])
		}
	}
	return most
}
