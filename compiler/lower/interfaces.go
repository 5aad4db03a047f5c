package lower

import (
	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// memory is one root memref with its accesses: they share a memory interface.
type memory struct {
	root     *ir.Value // the structured root memref
	arg      *ir.Value // the parameter of the graph, nil for on-chip memory
	name     string
	accesses []*access
	group    *group
}

// access is one handshake.load or handshake.store.
type access struct {
	op    *ir.Operation
	src   *ir.Operation // the memref.load or memref.store
	mem   *memory
	group *group
	store bool
	// in is the region of the access: the last step of its SCF nesting path.
	in *region
	// done is the token its interface returns.
	done *ir.Value
}

// ctrlSlot is the operand of handshake.load and handshake.store that takes the
// control token; dataSlot the one that takes data (from memory for a load).
const (
	dataSlot = 1
	ctrlSlot = 2
)

// lowerAccess replaces a memref access by a handshake access whose memory side
// and control stay open.
func (r *region) lowerAccess(op *ir.Operation) {
	s := r.s
	a := &access{src: op, store: op.Name == opname.MemRefStore, in: r}
	m := 0
	if a.store {
		m = 1
	}
	root := rootOf(op.Operand(m))
	for _, m := range s.memories {
		if m.root == root {
			a.mem, a.group = m, m.group
		}
	}
	if a.mem == nil {
		panic("lower: access to a memref that is neither argument nor allocation at " + op.Pos.String())
	}
	addr := r.lookup(op.Operand(m + 1))
	if a.store {
		data := r.lookup(op.Operand(0))
		a.op = s.emit(opname.HandshakeStore, op.Pos, []*ir.Value{addr, data, nil}, data.Type, ir.Index)
		a.op.Result(0).Name, a.op.Result(1).Name = a.mem.name+"_data", a.mem.name+"_addr"
	} else {
		t := op.Result(0).Type
		a.op = s.emit(opname.HandshakeLoad, op.Pos, []*ir.Value{addr, nil, nil}, t, ir.Index)
		a.op.Result(0).Name = firstName(op.Result(0).Name, a.mem.name+"_value")
		a.op.Result(1).Name = a.mem.name + "_addr"
		r.vals[op.Result(0)] = a.op.Result(0)
	}
	a.mem.accesses = append(a.mem.accesses, a)
	a.group.accesses = append(a.group.accesses, a)
	r.items = append(r.items, item{access: a})
	r.touch(a.group)
}

// connectMemories makes one handshake.extmemory per accessed memref argument and
// one handshake.memory per accessed allocation and global, stores packed first, and routes
// load data and done tokens back (spec-dataflow-memory, "port layout"; design
// page "Handshake text that CIRCT reads").
func connectMemories(s *state, errs *diag.List) {
	id := int64(0)
	for _, mem := range s.memories {
		if len(mem.accesses) == 0 {
			continue
		}
		var stores, loads []*access
		for _, a := range mem.accesses {
			if a.store && mem.arg != nil && s.roms[mem.arg.Index] {
				errs.Errorf(a.src.Pos, "memory %s is ROM (%s) and is written here", mem.name, cabi.ROM).
					WithNote(mem.root.Pos(), "the parameter is here").WithHelp("take it from the attribute: a ROM is written by nobody while the kernel runs")
			}
			if a.store {
				stores = append(stores, a)
			} else {
				loads = append(loads, a)
			}
		}
		var operands []*ir.Value
		var results []ir.Type
		m := mem.root.Type.(*ir.MemRefType)
		name, pos := opname.HandshakeMemory, mem.root.Pos()
		if mem.arg != nil {
			name = opname.HandshakeExtmemory
			operands = append(operands, mem.arg)
		}
		for _, a := range stores {
			operands = append(operands, a.op.Result(0), a.op.Result(1))
		}
		for _, a := range loads {
			operands = append(operands, a.op.Result(1))
			results = append(results, m.Elem)
		}
		for range mem.accesses {
			results = append(results, ir.None)
		}
		op := s.emit(name, pos, operands, results...)
		op.SetAttr("ldCount", ir.IntAttr(int64(len(loads)), ir.I32))
		op.SetAttr("stCount", ir.IntAttr(int64(len(stores)), ir.I32))
		op.SetAttr("id", ir.IntAttr(id, ir.I32))
		if mem.arg == nil {
			n, static := m.NumElements()
			if !static {
				n = s.capacity(m)
			}
			op.SetAttr("memRefType", &ir.TypeAttr{Type: ir.MemRefOf([]int64{n}, m.Elem, nil, "", m.Space)})
			op.SetAttr("lsq", ir.BoolAttr(false))
			if init := initialContents(s, mem.root, n); init != nil {
				op.SetAttr(handshake.InitAttr, init)
			}
		}
		id++
		base := firstName(mem.name, "mem")
		for i, a := range loads {
			op.Result(i).Name = base + "_read"
			a.op.SetOperand(dataSlot, op.Result(i))
			a.done = op.Result(len(loads) + len(stores) + i)
			a.done.Name = base + "_loaded"
		}
		for i, a := range stores {
			a.done = op.Result(len(loads) + i)
			a.done.Name = base + "_stored"
		}
	}
}

// initialContents are the elements a global starts with as one dimension, nil
// for memories that start with anything.
func initialContents(s *state, root *ir.Value, n int64) *ir.DenseElementsAttr {
	g := globalOf(s, root)
	if g == nil || s.opts.deviate == contentsLost {
		return nil
	}
	init, ok := g.Attr("initial_value").(*ir.DenseElementsAttr)
	if !ok {
		return nil
	}
	elem := root.Type.(*ir.MemRefType).Elem
	return &ir.DenseElementsAttr{Values: init.Values, Splat: init.Splat, Type: ir.Shaped("tensor", []int64{n}, elem)}
}
