package check

import (
	"fmt"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// terminal is an end of an edge: result or operand Port of operation Op, or with
// Op -1 argument Port of the function.
type terminal struct{ Op, Port int }

// graph is the DFG: for every operand the value that feeds it, found backwards
// through casts that are wires.
type graph struct {
	fn    *ir.Operation
	ops   []*ir.Operation
	index map[*ir.Operation]int
	args  []*ir.Value
	ret   int
	wire  map[int]bool
	iw    int
	// source maps every operand that a channel feeds to its edge.
	source map[terminal]*edge
	// readers maps every source to its readers in order.
	readers map[terminal][]terminal
}

// edge is a DFG edge as the graph demands it.
type edge struct {
	src     terminal
	dst     terminal
	through []int // wires, source first
	width   int   // bits the reader needs
}

func readGraph(fn *ir.Operation, iw int) (*graph, error) {
	if fn.Name != opname.HandshakeFunc || len(fn.Regions) != 1 || len(fn.Regions[0].Blocks) != 1 {
		return nil, diag.New(fn.Pos, "'%s' is no dataflow graph", fn.Name)
	}
	b := fn.Regions[0].Blocks[0]
	g := &graph{fn: fn, ops: b.Ops, args: b.Args, iw: iw, index: map[*ir.Operation]int{}, wire: map[int]bool{},
		source: map[terminal]*edge{}, readers: map[terminal][]terminal{}, ret: len(b.Ops) - 1}
	if len(b.Ops) == 0 || b.Ops[g.ret].Name != opname.HandshakeReturn || len(b.Args) == 0 {
		return nil, diag.New(fn.Pos, "the dataflow graph has no return or no start token")
	}
	for i, op := range b.Ops {
		g.index[op] = i
	}
	for i, op := range b.Ops {
		g.wire[i] = g.lowBitsOnly(op)
	}
	for i, op := range b.Ops {
		if g.wire[i] {
			continue
		}
		for k, v := range op.Operands() {
			if v == nil {
				return nil, diag.New(op.Pos, "operand #%d of '%s' is unconnected", k, op.Name)
			}
			if _, mem := v.Type.(*ir.MemRefType); mem {
				continue
			}
			e := &edge{dst: terminal{i, k}, width: g.width(v.Type)}
			for v.Def != nil && g.wire[g.index[v.Def]] {
				e.through = append([]int{g.index[v.Def]}, e.through...)
				v = v.Def.Operand(0)
				if v == nil || len(e.through) > len(g.ops) {
					return nil, diag.New(op.Pos, "operand #%d of '%s' has no driver", k, op.Name)
				}
				e.width = min(e.width, g.width(v.Type))
			}
			e.src = terminal{-1, v.Index}
			if v.Def != nil {
				e.src.Op = g.index[v.Def]
			}
			g.source[e.dst] = e
			g.readers[e.src] = append(g.readers[e.src], e.dst)
		}
	}
	return g, nil
}

// width is the hardware width of a type; a token without data takes one bit.
func (g *graph) width(t ir.Type) int {
	w, _ := ir.BitWidth(t, g.iw)
	return max(w, 1)
}

// lowBitsOnly reports whether op is a cast that only drops high bits or renames
// the type.
func (g *graph) lowBitsOnly(op *ir.Operation) bool {
	casts := map[string]bool{opname.ArithTruncI: true, opname.ArithIndexCast: true, opname.ArithIndexCastUI: true,
		opname.ArithExtSI: true, opname.ArithExtUI: true, opname.ArithBitcast: true}
	if !casts[op.Name] || op.NumOperands() != 1 || op.NumResults() != 1 || op.Operand(0) == nil {
		return false
	}
	from, ok := ir.BitWidth(op.Operand(0).Type, g.iw)
	to, ok2 := ir.BitWidth(op.Result(0).Type, g.iw)
	if !ok || !ok2 {
		return false
	}
	if op.Name == opname.ArithBitcast || op.Name == opname.ArithExtSI || op.Name == opname.ArithExtUI {
		return from == to
	}
	return from >= to
}

func (g *graph) isMemory(i int) bool {
	return g.ops[i].Name == opname.HandshakeExtmemory || g.ops[i].Name == opname.HandshakeMemory
}

// isUnit reports whether operation i needs a function unit.
func (g *graph) isUnit(i int) bool { return i != g.ret && !g.wire[i] && !g.isMemory(i) }

// describe names a terminal.
func (g *graph) describe(t terminal, result bool) string {
	if t.Op < 0 {
		if t.Port >= 0 && t.Port < len(g.args) && g.args[t.Port].Name != "" {
			return "argument '" + g.args[t.Port].Name + "'"
		}
		return fmt.Sprintf("argument %d", t.Port)
	}
	if t.Op >= len(g.ops) {
		return fmt.Sprintf("operation %d", t.Op)
	}
	what := "operand"
	if result {
		what = "result"
	}
	return fmt.Sprintf("%s %d of '%s' (operation %d)", what, t.Port, g.ops[t.Op].Name, t.Op)
}
