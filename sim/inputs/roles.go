package inputs

import (
	"strings"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// role is what a value decides in a kernel, beside being computed with.
type role uint32

const (
	// address: it is, or takes part in, a subscript.
	address role = 1 << iota
	// bound: it limits a loop.
	bound
	// start: a loop counts from it.
	start
	// step: a loop counts by it.
	step
	// counted: a loop changes it until it has a certain value.
	counted
	// divisor: something is divided by it.
	divisor
	// amount: something is shifted by it.
	amount
	// positive: a root or a logarithm is taken of it.
	positive
	// integral: a float that becomes an integer.
	integral
	// truth: of its bits only the lowest counts.
	truth
	// ended: a loop over such values ends at the one of a certain value.
	ended
	// linked: a loop follows such values, each the subscript of the next.
	linked
	// real: its bits are those of a float. realLow and realHigh: those of its halves are.
	real
	realLow
	realHigh
)

// use is what is known of a value, or of all elements of a memory.
type use struct {
	role role
	// below limits subscripts, 0 for no limit known; from is the least of them.
	below, from int64
	// width is that of the narrowest operand that is shifted by the value.
	width int
	// end is the value that ends a loop over such values, where role has ended.
	end uint64
	// root: an element may be its own successor, where role has linked.
	root bool
}

// analysis finds the roles of the parameters of a graph: backwards from the uses that
// demand something to the sources. Memories are values, too: what is stored to one is
// what is loaded from it.
type analysis struct {
	uses map[any]*use // by *ir.Value; a memory by its parameter or its operation; by element
	work []any
	// stores are the values stored to a memory.
	stores map[any][]stored
	// rounds are the limits that dataflow.carry operations have handed back to their loops.
	rounds     map[*ir.Value]round
	indexWidth int
}

// round is the latest limit of a number of them.
type round struct {
	below  int64
	number int
}

// maxRounds bounds the limits that one value hands back.
const maxRounds = 3

// element is one of a memory, at a constant position.
type element struct {
	memory any
	at     int64
}

// stored is a value that is stored to a memory, and where: as with loads, an
// element at a constant position, else the whole memory.
type stored struct {
	value *ir.Value
	to    any
}

// analyse looks at a handshake.func.
func analyse(fn *ir.Operation, indexWidth int) *analysis {
	a := &analysis{uses: map[any]*use{}, stores: map[any][]stored{}, rounds: map[*ir.Value]round{}, indexWidth: indexWidth}
	ops := fn.Regions[0].Entry().Ops
	for _, op := range ops {
		if op.Name == opname.HandshakeStore {
			if m, _ := memoryOf(op); m != nil {
				a.stores[m] = append(a.stores[m], stored{op.Operand(1), a.accessed(op, m)})
			}
		}
	}
	for _, op := range ops {
		a.sinks(op)
	}
	for len(a.work) > 0 {
		v := a.work[len(a.work)-1]
		a.work = a.work[:len(a.work)-1]
		a.spread(v)
	}
	return a
}

// add notes a role; what is new is spread.
func (a *analysis) add(v any, n use) {
	u := a.uses[v]
	if u == nil {
		u = &use{}
		a.uses[v] = u
	}
	old := *u
	u.merge(n)
	if *u != old {
		a.work = append(a.work, v)
	}
}

// sinks notes what an operation demands of its operands.
func (a *analysis) sinks(op *ir.Operation) {
	switch name := op.Name; {
	case name == opname.HandshakeLoad || name == opname.HandshakeStore:
		_, t := memoryOf(op)
		if t == nil {
			a.add(op.Operand(0), use{role: address})
			break
		}
		a.subscripts(op.Operand(0), t.Shape)
	case name == opname.DataflowStream:
		a.add(op.Operand(0), use{role: start})
		a.add(op.Operand(1), use{role: step})
		a.add(op.Operand(2), use{role: bound})
	case name == opname.DataflowCarry, name == opname.DataflowAccumulate:
		a.condition(op.Operand(0), map[*ir.Value]bool{})
	case strings.HasPrefix(name, "arith.div") || strings.HasPrefix(name, "arith.rem"):
		a.add(op.Operand(1), use{role: divisor})
	case name == opname.ArithShLI || name == opname.ArithShRSI || name == opname.ArithShRUI:
		w, _ := ir.BitWidth(op.Result(0).Type, a.indexWidth)
		a.add(op.Operand(1), use{role: amount, width: w})
	case name == opname.ArithFPToSI || name == opname.ArithFPToUI:
		a.add(op.Operand(0), use{role: integral})
		if name == opname.ArithFPToUI {
			a.add(op.Operand(0), use{role: positive})
		}
	case name == opname.MathSqrt || name == opname.MathRsqrt || strings.HasPrefix(name, opname.MathLog):
		a.add(op.Operand(0), use{role: positive})
	case name == opname.ArithTruncI && op.Result(0).Type == ir.Type(ir.I1):
		a.add(op.Operand(0), use{role: truth})
	case name == opname.ArithBitcast && ir.IsFloat(op.Result(0).Type) && ir.IsInt(op.Operand(0).Type):
		a.add(op.Operand(0), use{role: real})
	}
}

// spread hands the roles of a value on to what it is made from.
func (a *analysis) spread(node any) {
	u := *a.uses[node]
	if u.role&(address|ended) == address|ended && u.role&linked == 0 {
		a.uses[node].role |= linked
	}
	v, ok := node.(*ir.Value)
	for _, s := range a.storesTo(node) {
		part := u
		part.from = 0 // what was stored may have come back
		a.add(s, part)
	}
	if !ok || v.Def == nil {
		return
	}
	op := v.Def
	switch op.Name {
	case opname.HandshakeLoad:
		if m, _ := memoryOf(op); m != nil && v.Index == 0 {
			a.add(a.accessed(op, m), u)
		}
		return
	case opname.HandshakeMux:
		a.add(op.Operand(1), u)
		a.add(op.Operand(2), u)
		return
	case opname.DataflowCarry:
		a.add(op.Operand(1), u)
		// What the loop computes of a value for its next round must suit, too, but what
		// follows from that for the value itself would become stricter with every round:
		// k = 2 * k would have to be 0, where the loop ends in time in fact.
		u.from = 0
		if r := a.rounds[v]; u.below > 0 && r.number < maxRounds && (r.number == 0 || u.below < r.below) {
			a.rounds[v] = round{u.below, r.number + 1}
		}
		u.below = a.rounds[v].below
		a.add(op.Operand(2), u)
		return
	case opname.HandshakeCondBr, opname.DataflowInvariant:
		a.add(op.Operand(1), u)
		return
	case opname.DataflowInterlock:
		a.add(op.Operand(0), u)
		return
	case opname.DataflowGate:
		if v.Index == 0 {
			a.add(op.Operand(0), u)
		}
		return
	case opname.DataflowStream:
		if v.Index == 0 {
			// The values lie between the ends.
			u.role &= address | divisor | amount
			a.add(op.Operand(0), u)
			end := use{role: u.role & address, below: u.below}
			if !reaches(op) {
				end.below = grow(u.below, 1)
			}
			a.add(op.Operand(2), end)
		}
		return
	}
	if strings.HasPrefix(op.Name, "arith.") || strings.HasPrefix(op.Name, "math.") {
		a.arithmetic(op, u)
	}
}

// grow is a limit and some more.
func grow(below, more int64) int64 {
	if below == 0 {
		return 0
	}
	return below + more
}

// arithmetic hands roles through an arithmetic operation.
func (a *analysis) arithmetic(op *ir.Operation, u use) {
	if op.NumOperands() == 0 {
		return
	}
	// What a sum, a product, … has to be, its parts have to be more or less.
	whole := u
	whole.role &= address | bound | start | step | positive | integral | counted
	whole.from = 0
	first := op.Operand(0)
	constant := func(i int) (int64, bool) {
		if i >= op.NumOperands() {
			return 0, false
		}
		return constantOf(op.Operand(i), a.indexWidth)
	}
	switch op.Name {
	case opname.ArithIndexCast, opname.ArithTruncI, opname.ArithExtSI, opname.ArithSIToFP, opname.ArithUIToFP, opname.ArithExtF, opname.ArithTruncF, opname.ArithFPToSI, opname.ArithFPToUI:
		if first.Type != ir.Type(ir.I1) {
			u.role = a.throughCast(op, u.role)
			a.add(first, u)
		}
	case opname.ArithExtUI, opname.ArithIndexCastUI:
		// A narrow unsigned value is no negative subscript; a limit still holds.
		if w, _ := ir.BitWidth(first.Type, a.indexWidth); w <= 16 && (u.below == 0 || u.below >= 1<<w) && u.role&linked == 0 {
			u.role &^= address
		}
		if first.Type != ir.Type(ir.I1) {
			u.role = a.throughCast(op, u.role)
			a.add(first, u)
		}
	case opname.ArithAddI, opname.ArithAddF, opname.ArithOrI, opname.ArithXOrI:
		for _, o := range op.Operands() {
			part := whole
			if op.Name == opname.ArithOrI && whole.role != 0 && a.upper(o) {
				part.below = 1
			}
			a.add(o, part)
		}
	case opname.ArithSubI, opname.ArithSubF:
		if c, ok := constant(1); ok && c > 0 {
			whole.below = grow(whole.below, c)
		}
		a.add(first, whole)
		a.add(op.Operand(1), whole)
	case opname.ArithMulI, opname.ArithMulF:
		for i := range 2 {
			part := whole
			if c, ok := constant(1 - i); ok && c > 0 && part.below > 0 {
				part.below = max(part.below/c, 1)
			}
			a.add(op.Operand(i), part)
		}
	case opname.ArithShLI:
		if c, ok := constant(1); ok && c >= 0 && c < 62 && whole.below > 0 {
			whole.below = max(whole.below>>c, 1)
		}
		a.add(first, whole)
	case opname.ArithShRSI, opname.ArithShRUI, opname.ArithDivSI, opname.ArithDivUI, opname.ArithDivF:
		whole.below = 0
		if c, ok := constant(1); ok && c == 32 && strings.HasPrefix(op.Name, "arith.shr") && u.role&realLow != 0 {
			whole.role |= realHigh
		}
		a.add(first, whole)
		if strings.HasPrefix(op.Name, "arith.div") {
			a.add(op.Operand(1), use{role: whole.role & (address | bound | step | start)})
		}
	case opname.ArithRemSI:
		whole.below = 0
		a.add(first, use{role: whole.role & (address | bound | step | start)})
		a.add(op.Operand(1), use{role: whole.role & (address | bound | step | start), below: u.below})
	case opname.ArithRemUI:
		// Anything has a remainder in range.
		a.add(op.Operand(1), use{role: whole.role & (address | bound | step | start), below: u.below})
	case opname.ArithAndI:
		// A mask makes a subscript of anything.
		c, ok := constant(1)
		if !ok || c < 0 || u.below > 0 && c >= u.below {
			a.add(first, whole)
			a.add(op.Operand(1), whole)
		}
	case opname.ArithMaxSI, opname.ArithMaxUI:
		if c, ok := constant(1); !ok || c < 0 {
			a.add(op.Operand(1), whole)
			a.add(first, whole)
		}
	case opname.ArithMinSI, opname.ArithMinUI, opname.ArithMinimumF, opname.ArithMaximumF, opname.ArithMinNumF, opname.ArithMaxNumF:
		whole.below = 0
		a.add(first, whole)
		a.add(op.Operand(1), whole)
	case opname.ArithSelect:
		a.add(op.Operand(1), u)
		a.add(op.Operand(2), u)
	case opname.MathFloor, opname.MathCeil, opname.MathRound, opname.MathRoundeven, opname.MathTrunc, opname.MathAbsF:
		a.add(first, whole)
	case opname.MathFMA:
		for i := range 3 {
			a.add(op.Operand(i), whole)
		}
	}
}

// constantOf reads a constant of a graph.
func constantOf(v *ir.Value, indexWidth int) (int64, bool) {
	for v != nil && v.Def != nil {
		switch v.Def.Name {
		case opname.HandshakeConstant:
			if k, ok := v.Def.Attr("value").(*ir.IntegerAttr); ok {
				return k.Value, true
			}
			return 0, false
		case opname.HandshakeCondBr, opname.DataflowInvariant:
			v = v.Def.Operand(1)
		case opname.DataflowGate, opname.DataflowInterlock, opname.ArithIndexCast, opname.ArithIndexCastUI, opname.ArithExtSI, opname.ArithExtUI:
			v = v.Def.Operand(0)
		default:
			return 0, false
		}
	}
	return 0, false
}
