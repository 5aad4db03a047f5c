package fabtest

import (
	"fmt"

	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/mapper/place"
	"loom/compiler/opname"
)

// DFG builds a handshake.func.
type DFG struct {
	Fn    *ir.Operation
	Block *ir.Block
}

// NewDFG starts a function with the given argument types; the start token comes
// last and is added.
func NewDFG(name string, args ...ir.Type) *DFG {
	fn := ir.NewOp(opname.HandshakeFunc, diag.Pos{File: name + ".mlir", Line: 1, Col: 1}, nil, nil)
	fn.SetAttr("sym_name", ir.StrAttr(name))
	d := &DFG{Fn: fn, Block: fn.AddRegion().AddBlock()}
	for i, t := range args {
		d.Block.AddArg(t, fmt.Sprintf("a%d", i), diag.Pos{File: name + ".mlir", Line: 1, Col: 10 + i})
	}
	d.Block.AddArg(ir.None, "start", diag.Pos{File: name + ".mlir", Line: 1, Col: 50})
	return d
}

// Arg returns argument i; -1 is the start token.
func (d *DFG) Arg(i int) *ir.Value {
	if i < 0 {
		return d.Block.Args[len(d.Block.Args)-1]
	}
	return d.Block.Args[i]
}

// Op appends an operation, one per source line.
func (d *DFG) Op(name string, results []ir.Type, operands ...*ir.Value) *ir.Operation {
	pos := d.Fn.Pos
	pos.Line, pos.Col = len(d.Block.Ops)+2, 3
	return d.Block.Append(ir.NewOp(name, pos, operands, results))
}

// Val appends an operation with one result and returns it.
func (d *DFG) Val(name string, t ir.Type, operands ...*ir.Value) *ir.Value {
	return d.Op(name, []ir.Type{t}, operands...).Result(0)
}

// Const appends a constant fired by ctrl.
func (d *DFG) Const(ctrl *ir.Value, v int64, t ir.Type) *ir.Value {
	op := d.Op(opname.HandshakeConstant, []ir.Type{t}, ctrl)
	op.SetAttr("value", ir.IntAttr(v, t))
	return op.Result(0)
}

// Return ends the function.
func (d *DFG) Return(vs ...*ir.Value) *ir.Operation {
	d.Op(opname.HandshakeReturn, nil, vs...)
	return d.Fn
}

// Scale is y[i] = x[i] * k for i < n: a stream, a load, a store and the memory
// order of both.
func Scale() *ir.Operation {
	mt := ir.MemRef([]int64{ir.Dynamic}, ir.I32)
	d := NewDFG("scale", mt, mt, ir.I32, ir.Index)
	start := d.Arg(-1)
	zero, one := d.Const(start, 0, ir.Index), d.Const(start, 1, ir.Index)
	s := d.Op(opname.DataflowStream, []ir.Type{ir.Index, ir.I1}, zero, one, d.Arg(3))
	s.SetAttr("step_op", ir.StrAttr("+="))
	s.SetAttr("cont_cond", ir.StrAttr("<"))
	g := d.Op(opname.DataflowGate, []ir.Type{ir.Index, ir.I1}, s.Result(0), s.Result(1))
	kk := d.Val(opname.DataflowInvariant, ir.I32, g.Result(1), d.Arg(2))
	tx := d.Op(opname.DataflowCarry, []ir.Type{ir.None}, s.Result(1), start, nil)
	ty := d.Op(opname.DataflowCarry, []ir.Type{ir.None}, s.Result(1), start, nil)
	bx := d.Op(opname.HandshakeCondBr, []ir.Type{ir.None, ir.None}, s.Result(1), tx.Result(0))
	by := d.Op(opname.HandshakeCondBr, []ir.Type{ir.None, ir.None}, s.Result(1), ty.Result(0))
	ld := d.Op(opname.HandshakeLoad, []ir.Type{ir.I32, ir.Index}, g.Result(0), nil, bx.Result(0))
	y := d.Val(opname.ArithMulI, ir.I32, ld.Result(0), kk)
	st := d.Op(opname.HandshakeStore, []ir.Type{ir.I32, ir.Index}, g.Result(0), y, by.Result(0))
	m0 := d.Op(opname.HandshakeExtmemory, []ir.Type{ir.I32, ir.None}, d.Arg(0), ld.Result(1))
	m1 := d.Op(opname.HandshakeExtmemory, []ir.Type{ir.None}, d.Arg(1), st.Result(0), st.Result(1))
	for _, m := range []struct {
		op     *ir.Operation
		ld, st int64
	}{{m0, 1, 0}, {m1, 0, 1}} {
		m.op.SetAttr("ldCount", ir.IntAttr(m.ld, ir.I32))
		m.op.SetAttr("stCount", ir.IntAttr(m.st, ir.I32))
	}
	ld.SetOperand(1, m0.Result(0))
	tx.SetOperand(2, m0.Result(1))
	ty.SetOperand(2, m1.Result(0))
	done := d.Val(opname.HandshakeJoin, ir.None, bx.Result(1), by.Result(1))
	return d.Return(done)
}

// Random makes a graph of about n operations: arithmetic on random earlier
// values, compares and selects, and loops of carry, compare and arithmetic. It
// is a legal netlist; whether it computes anything is not the mapper's business.
//
// Arrays, of i32, are accessed with some of the values as addresses and data.
func Random(n int, seed uint64, arrays ...Array) *ir.Operation {
	r := place.NewRNG(seed)
	args := []ir.Type{ir.I32, ir.I32, ir.Index}
	for _, a := range arrays {
		if !a.Local {
			args = append(args, ir.MemRef([]int64{ir.Dynamic}, ir.I32))
		}
	}
	d := NewDFG(fmt.Sprintf("random%d_%d", n, seed), args...)
	start := d.Arg(-1)
	vals := []*ir.Value{d.Arg(0), d.Arg(1)}
	wide := []*ir.Value{d.Arg(2)}
	pick := func(vs []*ir.Value) *ir.Value {
		// Mostly recent values: real graphs are local.
		if r.Intn(4) > 0 && len(vs) > 6 {
			return vs[len(vs)-1-r.Intn(6)]
		}
		return vs[r.Intn(len(vs))]
	}
	names := []string{opname.ArithAddI, opname.ArithSubI, opname.ArithMulI, opname.ArithXOrI}
	var open []*ir.Operation
	for len(d.Block.Ops) < n-len(open) {
		switch r.Intn(10) {
		case 0:
			vals = append(vals, d.Const(start, int64(r.Intn(100)), ir.I32))
		case 1:
			c := d.Op(opname.ArithCmpI, []ir.Type{ir.I1}, pick(vals), pick(vals))
			arith.SetPredicate(c, arith.IntPredicate(r.Intn(10)))
			vals = append(vals, d.Val(opname.ArithSelect, ir.I32, c.Result(0), pick(vals), pick(vals)))
		case 2:
			c := d.Op(opname.ArithCmpI, []ir.Type{ir.I1}, pick(wide), pick(wide))
			arith.SetPredicate(c, arith.Slt)
			carry := d.Op(opname.DataflowCarry, []ir.Type{ir.I32}, c.Result(0), pick(vals), nil)
			open = append(open, carry)
			br := d.Op(opname.HandshakeCondBr, []ir.Type{ir.I32, ir.I32}, c.Result(0), carry.Result(0))
			vals = append(vals, br.Result(0), br.Result(1))
		case 3:
			vals = append(vals, d.Val(opname.ArithTruncI, ir.I32, pick(wide)))
		case 4:
			wide = append(wide, d.Val(opname.ArithExtSI, ir.I64, pick(vals)))
		default:
			vals = append(vals, d.Val(names[r.Intn(len(names))], ir.I32, pick(vals), pick(vals)))
			if len(open) > 0 && r.Intn(3) == 0 {
				open[0].SetOperand(2, vals[len(vals)-1])
				open = open[1:]
			}
		}
	}
	for _, c := range open {
		c.SetOperand(2, pick(vals))
	}
	data, done, arg := vals[len(vals)-1], start, 3
	for _, a := range arrays {
		var ins []*ir.Value
		if !a.Local {
			ins = append(ins, d.Arg(arg))
			arg++
		}
		a.Elem = ir.I32
		data, done = d.Memory(a, ins, func() *ir.Value { return pick(wide) }, data, done)
	}
	return d.Return(data, pick(wide), done)
}

// RandomMemories draws memories and arrays that fit on them, external ones
// and local ones.
func RandomMemories(seed uint64) (memories []Memory, arrays []Array) {
	r := place.NewRNG(seed ^ 0x77)
	for m := range 1 + r.Intn(3) {
		x := Memory{Loads: 1 + r.Intn(6), Stores: 1 + r.Intn(6), Regions: 1 + r.Intn(4), OnChip: m > 0 && r.Intn(3) == 0,
			Elements: 64, Public: r.Intn(2) == 0, Queues: r.Intn(2) == 0, Pairs: r.Intn(2) * (2 + r.Intn(2)), Tagged: r.Intn(3) > 0}
		if x.Tagged {
			x.LoadLanes, x.StoreLanes = x.Loads+r.Intn(2), x.Stores+r.Intn(2)
		} else if x.Loads > 1 || x.Stores > 1 {
			x.Tagged = true
		}
		memories = append(memories, x)
		// Ranges of tags one after the other, as long as ports of both kinds last.
		for tag := 0; len(arrays) < 6; {
			a := Array{Local: x.OnChip, Elements: int64(1 + r.Intn(16)),
				Loads: r.Intn(min(x.Loads-tag, 3) + 1), Stores: r.Intn(min(x.Stores-tag, 2) + 1), Unread: r.Intn(8)}
			if a.Loads+a.Stores == 0 {
				a.Loads = 1
			}
			arrays = append(arrays, a)
			tag += max(a.Loads, a.Stores)
			if !x.Tagged || tag >= min(x.Loads, x.Stores) {
				break
			}
			if x.Regions--; x.Regions == 0 {
				break
			}
		}
	}
	return memories, arrays
}

// Features is a graph with everything that is unusual about edges: a value read
// twice by one operation, casts that are wires, an unused argument, dead
// operations, an argument returned as it is and returned twice, an operation
// pair that a multiply-add unit can execute, constants of several widths, a join
// narrower than its unit, a load whose done token is unused.
func Features() *ir.Operation {
	d := NewDFG("features", ir.I32, ir.I64, ir.I32, ir.I32, ir.MemRef([]int64{ir.Dynamic}, ir.I32))
	d.Fn.SetAttr("argNames", ir.StrArray([]string{"x", "wide", "unused", "k", "mem", "go"}))
	start := d.Arg(-1)
	x := d.Arg(0)
	sq := d.Val(opname.ArithMulI, ir.I32, x, x)
	low := d.Val(opname.ArithTruncI, ir.I32, d.Arg(1))
	mac := d.Val(opname.ArithAddI, ir.I32, low, d.Val(opname.ArithMulI, ir.I32, sq, d.Arg(3)))
	d.Val(opname.ArithXOrI, ir.I32, mac, x) // unused
	neg := d.Const(start, -5, ir.I32)
	cmp := d.Op(opname.ArithCmpI, []ir.Type{ir.I1}, mac, neg)
	arith.SetPredicate(cmp, arith.Sgt)
	sel := d.Val(opname.ArithSelect, ir.I32, cmp.Result(0), sq, neg)
	br := d.Op(opname.HandshakeCondBr, []ir.Type{ir.None, ir.None}, cmp.Result(0), start)
	mux := d.Val(opname.HandshakeMux, ir.None, cmp.Result(0), br.Result(1), br.Result(0))
	ext := d.Val(opname.ArithExtSI, ir.I64, sel)
	done := d.Val(opname.HandshakeJoin, ir.None, mux, start, start)
	ld := d.Op(opname.HandshakeLoad, []ir.Type{ir.I32, ir.Index}, d.Const(start, 3, ir.Index), nil, start)
	m := d.Op(opname.HandshakeExtmemory, []ir.Type{ir.I32, ir.None}, d.Arg(4), ld.Result(1))
	ld.SetOperand(1, m.Result(0))
	return d.Return(x, ext, x, d.Arg(1), ld.Result(0), done)
}

// Array describes an array of a kernel with its accesses.
type Array struct {
	// Local makes a handshake.memory of Elements elements, otherwise the array is
	// an argument.
	Local         bool
	Elements      int64
	Elem          ir.Type // nil: i32
	Loads, Stores int
	// Unread leaves out readers: 1 of the done tokens of loads, 2 of the data of
	// load operations, 4 of the done tokens of stores.
	Unread int
}

// Accesses makes a kernel of nothing but accesses: those of each array one after
// the other, the value loaded last is stored.
func Accesses(arrays ...Array) *ir.Operation {
	var args []ir.Type
	for i := range arrays {
		if arrays[i].Elem == nil {
			arrays[i].Elem = ir.I32
		}
		if !arrays[i].Local {
			args = append(args, ir.MemRef([]int64{ir.Dynamic}, arrays[i].Elem))
		}
	}
	d := NewDFG("accesses", append(args, ir.I32)...)
	data := d.Arg(len(args))
	done := d.Arg(-1)
	arg := 0
	for _, a := range arrays {
		var ins []*ir.Value
		if !a.Local {
			ins = append(ins, d.Arg(arg))
			arg++
		}
		zero := d.Const(d.Arg(-1), 0, ir.Index)
		data, done = d.Memory(a, ins, func() *ir.Value { return zero }, data, done)
	}
	return d.Return(data, done)
}

// Memory adds an array with its accesses to the kernel: loads first, all behind
// the control token before. It returns the last value and token.
func (d *DFG) Memory(a Array, ins []*ir.Value, addr func() *ir.Value, data, done *ir.Value) (*ir.Value, *ir.Value) {
	var loads, stores []*ir.Operation
	for range a.Loads {
		loads = append(loads, d.Op(opname.HandshakeLoad, []ir.Type{a.Elem, ir.Index}, addr(), nil, done))
	}
	for range a.Stores {
		stores = append(stores, d.Op(opname.HandshakeStore, []ir.Type{a.Elem, ir.Index}, addr(), data, done))
		ins = append(ins, stores[len(stores)-1].Result(0), stores[len(stores)-1].Result(1))
	}
	var types []ir.Type
	for _, ld := range loads {
		ins = append(ins, ld.Result(1))
		types = append(types, a.Elem)
	}
	for range a.Loads + a.Stores {
		types = append(types, ir.None)
	}
	name := opname.HandshakeExtmemory
	if a.Local {
		name = opname.HandshakeMemory
	}
	m := d.Op(name, types, ins...)
	m.SetAttr("ldCount", ir.IntAttr(int64(a.Loads), ir.I32))
	m.SetAttr("stCount", ir.IntAttr(int64(a.Stores), ir.I32))
	if a.Local {
		m.SetAttr("memRefType", &ir.TypeAttr{Type: ir.MemRef([]int64{a.Elements}, a.Elem)})
	}
	tokens := []*ir.Value{}
	for k, ld := range loads {
		ld.SetOperand(1, m.Result(k))
		if a.Unread&2 == 0 && ld.Result(0).Type == data.Type {
			data = d.Val(opname.ArithAddI, data.Type, data, ld.Result(0))
		}
		if a.Unread&1 == 0 {
			tokens = append(tokens, m.Result(a.Loads+a.Stores+k))
		}
	}
	for k := range stores {
		if a.Unread&4 == 0 {
			tokens = append(tokens, m.Result(a.Loads+k))
		}
	}
	for len(tokens) > 0 {
		n := min(len(tokens), 3)
		done = d.Val(opname.HandshakeJoin, ir.None, append([]*ir.Value{done}, tokens[:n]...)...)
		tokens = tokens[n:]
	}
	return data, done
}
