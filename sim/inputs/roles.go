package inputs

import (
	"strings"

	"loom/compiler/ir"
)

// role says what a number decides in a kernel, beside being computed with.
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
)

// use is what is known of a value, or of all elements of a memory.
type use struct {
	role role
	// below limits subscripts, 0 for no limit known.
	below int64
	// width is that of the narrowest number that is shifted by the value.
	width int
	// end is the value that ends a loop over such values, where role has ended.
	end uint64
	// root says that an element may be its own successor, where role has linked.
	root bool
}

// analysis finds the roles of the parameters of a graph: backwards from where numbers
// matter to where they come from. Memories are values, too: what is stored to one is
// what is loaded from it.
type analysis struct {
	uses map[any]*use // by *ir.Value; a memory by its parameter or its operation
	work []any
	// stores are the values stored to a memory.
	stores     map[any][]*ir.Value
	indexWidth int
}

// analyse looks at a handshake.func.
func analyse(fn *ir.Operation, indexWidth int) *analysis {
	a := &analysis{uses: map[any]*use{}, stores: map[any][]*ir.Value{}, indexWidth: indexWidth}
	ops := fn.Regions[0].Entry().Ops
	for _, op := range ops {
		if op.Name == "handshake.store" {
			if m, _ := memoryOf(op); m != nil {
				a.stores[m] = append(a.stores[m], op.Operand(1))
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

// of is what is known of a parameter.
func (a *analysis) of(arg *ir.Value) use {
	if u := a.uses[arg]; u != nil {
		return *u
	}
	return use{}
}

// memoryOf is the memory behind a load or store, and its number of elements where its
// type tells it.
func memoryOf(op *ir.Operation) (memory any, elements int64) {
	// A load gets its data from the memory; a store's address goes there.
	var m *ir.Operation
	if op.Name == "handshake.load" {
		if v := op.Operand(1); v != nil {
			m = v.Def
		}
	} else if us := op.Result(1).Uses(); len(us) > 0 {
		m = us[0].Op
	}
	switch {
	case m == nil:
		return nil, 0
	case m.Name == "handshake.extmemory" && m.NumOperands() > 0:
		if t, ok := m.Operand(0).Type.(*ir.MemRefType); ok {
			n, static := t.NumElements()
			if !static {
				n = 0
			}
			return m.Operand(0), n
		}
	case m.Name == "handshake.memory":
		if t, ok := m.Attr("memRefType").(*ir.TypeAttr); ok {
			if mt, ok := t.Type.(*ir.MemRefType); ok {
				n, _ := mt.NumElements()
				return m, n
			}
		}
	}
	return nil, 0
}

// add notes a role; what is new is spread.
func (a *analysis) add(v any, n use) {
	u := a.uses[v]
	if u == nil {
		u = &use{}
		a.uses[v] = u
	}
	old := *u
	u.role |= n.role
	if n.below > 0 && (u.below == 0 || n.below < u.below) {
		u.below = n.below
	}
	if n.width > 0 && (u.width == 0 || n.width < u.width) {
		u.width = n.width
	}
	if n.role&ended != 0 && old.role&ended == 0 {
		u.end = n.end
	}
	u.root = u.root || n.root
	if *u != old {
		a.work = append(a.work, v)
	}
}

// sinks notes what an operation demands of its operands.
func (a *analysis) sinks(op *ir.Operation) {
	switch name := op.Name; {
	case name == "handshake.load" || name == "handshake.store":
		_, n := memoryOf(op)
		a.add(op.Operand(0), use{role: address, below: n})
	case name == "dataflow.stream":
		a.add(op.Operand(0), use{role: start})
		a.add(op.Operand(1), use{role: step})
		a.add(op.Operand(2), use{role: bound})
	case name == "dataflow.carry":
		a.condition(op.Operand(0), map[*ir.Value]bool{})
	case strings.HasPrefix(name, "arith.div") || strings.HasPrefix(name, "arith.rem"):
		a.add(op.Operand(1), use{role: divisor})
	case name == "arith.shli" || name == "arith.shrsi" || name == "arith.shrui":
		w, _ := ir.BitWidth(op.Result(0).Type, a.indexWidth)
		a.add(op.Operand(1), use{role: amount, width: w})
	case name == "arith.fptosi" || name == "arith.fptoui":
		a.add(op.Operand(0), use{role: integral})
		if name == "arith.fptoui" {
			a.add(op.Operand(0), use{role: positive})
		}
	case name == "math.sqrt" || name == "math.rsqrt" || strings.HasPrefix(name, "math.log"):
		a.add(op.Operand(0), use{role: positive})
	case name == "arith.trunci" && op.Result(0).Type == ir.Type(ir.I1):
		a.add(op.Operand(0), use{role: truth})
	}
}

// spread hands the roles of a value on to what it is made from.
func (a *analysis) spread(node any) {
	u := *a.uses[node]
	if u.role&(address|ended) == address|ended && u.role&linked == 0 {
		a.uses[node].role |= linked
	}
	v, ok := node.(*ir.Value)
	if stored := a.stores[node]; stored != nil {
		for _, s := range stored {
			a.add(s, u)
		}
	}
	if !ok || v.Def == nil {
		return
	}
	op := v.Def
	switch op.Name {
	case "handshake.load":
		if m, _ := memoryOf(op); m != nil && v.Index == 0 {
			a.add(m, u)
		}
		return
	case "handshake.mux":
		a.add(op.Operand(1), u)
		a.add(op.Operand(2), u)
		return
	case "dataflow.carry":
		a.add(op.Operand(1), u)
		a.add(op.Operand(2), u)
		return
	case "handshake.cond_br", "dataflow.invariant":
		a.add(op.Operand(1), u)
		return
	case "dataflow.gate":
		if v.Index == 0 {
			a.add(op.Operand(0), u)
		}
		return
	case "dataflow.stream":
		if v.Index == 0 {
			// The values lie between the ends.
			u.role &= address | divisor | amount
			a.add(op.Operand(0), u)
			a.add(op.Operand(2), use{role: u.role & address, below: grow(u.below, 1)})
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

// arithmetic hands roles through an operation on numbers.
func (a *analysis) arithmetic(op *ir.Operation, u use) {
	if op.NumOperands() == 0 {
		return
	}
	// What a sum, a product, … has to be, its parts have to be more or less.
	whole := u
	whole.role &= address | bound | start | step | positive | integral | counted
	first := op.Operand(0)
	constant := func(i int) (int64, bool) {
		if i >= op.NumOperands() {
			return 0, false
		}
		return constantOf(op.Operand(i), a.indexWidth)
	}
	switch op.Name {
	case "arith.index_cast", "arith.trunci", "arith.extsi", "arith.sitofp", "arith.uitofp", "arith.extf", "arith.truncf", "arith.fptosi", "arith.fptoui":
		if first.Type != ir.Type(ir.I1) {
			a.add(first, u)
		}
	case "arith.extui", "arith.index_castui":
		// A narrow number without sign is no negative subscript; a limit still holds.
		if w, _ := ir.BitWidth(first.Type, a.indexWidth); w <= 16 && (u.below == 0 || u.below >= 1<<w) && u.role&linked == 0 {
			u.role &^= address
		}
		if first.Type != ir.Type(ir.I1) {
			a.add(first, u)
		}
	case "arith.addi", "arith.addf", "arith.ori", "arith.xori":
		a.add(first, whole)
		a.add(op.Operand(1), whole)
	case "arith.subi", "arith.subf":
		if c, ok := constant(1); ok && c > 0 {
			whole.below = grow(whole.below, c)
		}
		a.add(first, whole)
		a.add(op.Operand(1), whole)
	case "arith.muli", "arith.mulf":
		for i := range 2 {
			part := whole
			if c, ok := constant(1 - i); ok && c > 0 && part.below > 0 {
				part.below = max(part.below/c, 1)
			}
			a.add(op.Operand(i), part)
		}
	case "arith.shli":
		if c, ok := constant(1); ok && c >= 0 && c < 62 && whole.below > 0 {
			whole.below = max(whole.below>>c, 1)
		}
		a.add(first, whole)
	case "arith.shrsi", "arith.shrui", "arith.divsi", "arith.divui", "arith.divf":
		whole.below = 0
		a.add(first, whole)
		if strings.HasPrefix(op.Name, "arith.div") {
			a.add(op.Operand(1), use{role: whole.role & (address | bound | step | start)})
		}
	case "arith.remsi":
		whole.below = 0
		a.add(first, use{role: whole.role & (address | bound | step | start)})
		a.add(op.Operand(1), use{role: whole.role & (address | bound | step | start), below: u.below})
	case "arith.remui":
		// Anything has a remainder in range.
		a.add(op.Operand(1), use{role: whole.role & (address | bound | step | start), below: u.below})
	case "arith.andi":
		// A mask makes a subscript of anything.
		c, ok := constant(1)
		if !ok || c < 0 || u.below > 0 && c >= u.below {
			a.add(first, whole)
			a.add(op.Operand(1), whole)
		}
	case "arith.maxsi", "arith.maxui":
		if c, ok := constant(1); !ok || c < 0 {
			a.add(op.Operand(1), whole)
			a.add(first, whole)
		}
	case "arith.minsi", "arith.minui", "arith.minimumf", "arith.maximumf", "arith.minnumf", "arith.maxnumf":
		whole.below = 0
		a.add(first, whole)
		a.add(op.Operand(1), whole)
	case "arith.select":
		a.add(op.Operand(1), u)
		a.add(op.Operand(2), u)
	case "math.floor", "math.ceil", "math.round", "math.roundeven", "math.trunc", "math.absf":
		a.add(first, whole)
	case "math.fma":
		for i := range 3 {
			a.add(op.Operand(i), whole)
		}
	}
}

// constantOf reads a constant of a graph.
func constantOf(v *ir.Value, indexWidth int) (int64, bool) {
	for v != nil && v.Def != nil {
		switch v.Def.Name {
		case "handshake.constant":
			if k, ok := v.Def.Attr("value").(*ir.IntegerAttr); ok {
				return k.Value, true
			}
			return 0, false
		case "handshake.cond_br", "dataflow.invariant":
			v = v.Def.Operand(1)
		case "dataflow.gate", "arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui":
			v = v.Def.Operand(0)
		default:
			return 0, false
		}
	}
	return 0, false
}
