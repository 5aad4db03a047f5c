package check

import (
	"fmt"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/widths"
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
	// direct are the loads whose data goes from the memory to its readers, past their units.
	direct map[int]bool
	iw     int
	// source maps every operand that a channel feeds to its edge.
	source map[terminal]*edge
	// readers maps every source to its readers in order.
	readers map[terminal][]terminal
	// inline are the operands that take a constant as an immediate: they read the constant's
	// control in its place. Held operands read nothing.
	inline map[terminal]bool
}

// edge is a DFG edge as the graph demands it.
type edge struct {
	src     terminal
	dst     terminal
	through []int // wires and constants that are immediates, source first
	width   int   // bits the reader needs
	// constant is what an immediate stands for, -1 for none: constantBits of its bits are
	// read. held is set where the token is held for the run: no channel feeds the operand.
	constant, constantBits int
	held                   bool
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
	free := widths.FreeExtensions(fn, iw)
	for i, op := range b.Ops {
		g.wire[i] = g.lowBitsOnly(op) || free[op]
	}
	return g, g.connect(nil)
}

// connect finds what feeds every operand, given the operands that are immediates.
func (g *graph) connect(inline map[terminal]bool) error {
	g.inline = inline
	g.source, g.readers = map[terminal]*edge{}, map[terminal][]terminal{}
	for i, op := range g.ops {
		if g.wire[i] || g.isHold(i) || g.isConstant(i) && !g.placed(i) {
			continue
		}
		for k, v := range op.Operands() {
			if v == nil {
				return diag.New(op.Pos, "operand #%d of '%s' is unconnected", k, op.Name)
			}
			if _, mem := v.Type.(*ir.MemRefType); mem {
				continue
			}
			e := &edge{dst: terminal{i, k}, width: g.width(v.Type), constant: -1}
			if g.direct[i] && k == 1 {
				continue // its readers are the memory's
			}
			for v.Def != nil {
				d := g.index[v.Def]
				constant := e.constant < 0 && inline[e.dst] && g.isConstant(d)
				from := g.passedOn(v)
				if from < 0 && !constant {
					break
				}
				if constant {
					e.constant, e.constantBits, e.width, from = d, min(e.width, g.width(v.Type)), 1, 0
				}
				e.through = append([]int{d}, e.through...)
				v = v.Def.Operand(from)
				if v == nil || len(e.through) > len(g.ops) {
					return diag.New(op.Pos, "operand #%d of '%s' has no driver", k, op.Name)
				}
				e.width = min(e.width, g.width(v.Type))
			}
			e.src = terminal{-1, v.Index}
			if v.Def != nil {
				e.src.Op = g.index[v.Def]
			}
			if e.held = v.Def != nil && g.isHold(e.src.Op); e.held && !g.start(v.Def.Operand(0)) {
				return diag.New(v.Def.Pos, "'%s' does not hold the start token", v.Def.Name)
			}
			g.source[e.dst] = e
			if e.held {
				continue
			}
			g.readers[e.src] = append(g.readers[e.src], e.dst)
		}
	}
	return nil
}

// passedOn is the operand that an operation passes on as v, -1 where it is no wire for that. Loads have the address, the data and a control, and
// pass on the data and the address.
func (g *graph) passedOn(v *ir.Value) int {
	d, ok := g.index[v.Def]
	switch {
	case v.Def == nil || !ok:
		return -1
	case isLoad(v.Def):
		if g.wire[d] || g.direct[d] && v.Index == 0 {
			return 1 - v.Index
		}
		return -1
	case g.wire[d]:
		return 0
	}
	return -1
}

func isLoad(op *ir.Operation) bool {
	return op.Name == opname.HandshakeLoad && op.NumOperands() == 3 && op.NumResults() == 2
}

// behind is what a value is behind wires.
func (g *graph) behind(v *ir.Value) *ir.Value {
	for n := 0; v != nil && n < len(g.ops); n++ {
		from := g.passedOn(v)
		if from < 0 {
			break
		}
		v = v.Def.Operand(from)
	}
	return v
}

// passLoads makes wires of the loads that a mapping may lead past units: of the data of all, and of the address where the control is held for the
// run, so that it waits for nothing. Memories have no immediates.
func (g *graph) passLoads() {
	g.direct = map[int]bool{}
	for i, op := range g.ops {
		if !isLoad(op) {
			continue
		}
		address, ctrl := g.behind(op.Operand(0)), g.behind(op.Operand(2))
		if address == nil || ctrl == nil || ctrl.Def == nil || !g.isHold(g.index[ctrl.Def]) {
			continue
		}
		g.wire[i] = address.Def == nil || !g.isConstant(g.index[address.Def]) && !g.isHold(g.index[address.Def])
	}
	for i, op := range g.ops {
		g.direct[i] = isLoad(op)
	}
}

// start reports whether a value is the start token.
func (g *graph) start(v *ir.Value) bool {
	v = g.behind(v)
	return v != nil && v.Def == nil && v.Index == len(g.args)-1
}

func (g *graph) isHold(i int) bool { return g.ops[i].Name == opname.DataflowHold }

func (g *graph) isConstant(i int) bool {
	return g.ops[i].Name == opname.HandshakeConstant && g.ops[i].NumOperands() == 1 && g.ops[i].NumResults() == 1
}

// heldConstant reports whether operation i is a constant whose control is held.
func (g *graph) heldConstant(i int) bool {
	if !g.isConstant(i) {
		return false
	}
	v := g.behind(g.ops[i].Operand(0))
	return v != nil && v.Def != nil && g.isHold(g.index[v.Def])
}

// placed reports whether a constant needs a unit: something reads it other than as an
// immediate, or nothing reads it although it has tokens. One that is held has none.
func (g *graph) placed(i int) bool {
	if g.heldConstant(i) {
		return false
	}
	all := g.valueReaders(g.ops[i].Result(0), 0)
	for _, r := range all {
		if !g.inline[r] {
			return true
		}
	}
	return len(all) == 0
}

// valueReaders are the operands that read a value, through wires.
func (g *graph) valueReaders(v *ir.Value, depth int) (out []terminal) {
	for _, u := range v.Uses() {
		i, ok := g.index[u.Op]
		switch load := isLoad(u.Op); {
		case !ok || depth > len(g.ops):
		case load && g.wire[i] && u.Index == 2: // a control that is held
		case load && (g.wire[i] || g.direct[i] && u.Index == 1):
			out = append(out, g.valueReaders(u.Op.Result(1-u.Index), depth+1)...)
		case !load && g.wire[i]:
			out = append(out, g.valueReaders(u.Op.Result(0), depth+1)...)
		default:
			out = append(out, terminal{i, u.Index})
		}
	}
	return out
}

// width is the hardware width of a type; a token without data takes one bit.
func (g *graph) width(t ir.Type) int {
	w, _ := ir.BitWidth(t, g.iw)
	return max(w, 1)
}

// lowBitsOnly reports whether op is a cast that only drops high bits or renames
// the type, or a join that only drops all data.
func (g *graph) lowBitsOnly(op *ir.Operation) bool {
	if op.Name == opname.HandshakeJoin && op.NumOperands() == 1 && op.NumResults() == 1 && op.Operand(0) != nil {
		return true // of one token: it drops the data
	}
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
func (g *graph) isUnit(i int) bool {
	return i != g.ret && !g.wire[i] && !g.isMemory(i) && !g.isHold(i) && (!g.isConstant(i) || g.placed(i))
}

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
