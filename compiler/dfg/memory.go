package dfg

import (
	"strconv"

	"loom/compiler/cabi"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

func itoa(i int) string { return strconv.Itoa(i) }

// portsOf reads the layout of a memory interface (spec-dataflow-memory, "stores
// packed first"); ok is false when operands and results do not fit it.
func portsOf(op *ir.Operation) (p handshake.Ports, ok bool) {
	_, okL := op.IntAttr("ldCount")
	_, okS := op.IntAttr("stCount")
	p = handshake.PortsOf(op)
	return p, okL && okS && p.Loads >= 0 && p.Stores >= 0 && p.Loads < 1<<20 && p.Stores < 1<<20 &&
		op.NumOperands() == p.First+2*p.Stores+p.Loads && op.NumResults() == 2*p.Loads+p.Stores
}

// port is one access as its memory interface sees it.
type port struct {
	mem   *ir.Operation
	store bool
	index int
}

// interfacePorts checks the layout and types of a memory interface.
func (v *verifier) interfacePorts(op *ir.Operation) {
	p, ok := portsOf(op)
	if !ok {
		v.errs.Errorf(op.Pos, "the operands and results of '%s' do not fit its ldCount and stCount", op.Name).
			WithHelp("operands: data and address per store, then load addresses; results: load data, store dones, load dones")
		return
	}
	mt, _ := v.memRefType(op)
	if mt == nil {
		v.errs.Errorf(op.Pos, "'%s' has no memref", op.Name).
			WithHelp("an extmemory takes a memref parameter of the graph, a memory has a memRefType")
		return
	}
	if op.Name == opname.HandshakeMemory {
		if n, static := mt.NumElements(); !static || len(mt.Shape) != 1 || n < 1 {
			v.errs.Errorf(op.Pos, "an on-chip memory must be one-dimensional and of static size, not %s", mt)
		}
	}
	if _, err := handshake.Init(op); err != nil {
		v.errs.Errorf(op.Pos, "'%s': %v", op.Name, err).
			WithHelp("initial contents are dense elements of type tensor<N x T>, as many as the memory has, or one for all")
	}
	operand := func(i int, want ir.Type) {
		if t := op.Operand(i).Type; t != want {
			v.errs.Errorf(op.Pos, "operand #%d of '%s' has type %s where %s is expected", i, op.Name, t, want)
		}
	}
	result := func(i int, want ir.Type) {
		if t := op.Result(i).Type; t != want {
			v.errs.Errorf(op.Pos, "result #%d of '%s' has type %s where %s is expected", i, op.Name, t, want)
		}
	}
	for i := range p.Stores {
		operand(p.StoreData(i), mt.Elem)
		operand(p.StoreAddr(i), ir.Index)
		result(p.StoreDone(i), ir.None)
	}
	for i := range p.Loads {
		operand(p.LoadAddr(i), ir.Index)
		result(p.LoadData(i), mt.Elem)
		result(p.LoadDone(i), ir.None)
	}
}

// memRefType is the type of the memory behind an interface.
func (v *verifier) memRefType(op *ir.Operation) (*ir.MemRefType, *ir.Value) {
	if op.Name == opname.HandshakeExtmemory {
		if op.NumOperands() == 0 || op.Operand(0).Block != v.body {
			return nil, nil
		}
		mt, _ := op.Operand(0).Type.(*ir.MemRefType)
		return mt, op.Operand(0)
	}
	a, _ := op.Attr("memRefType").(*ir.TypeAttr)
	if a == nil {
		return nil, nil
	}
	mt, _ := a.Type.(*ir.MemRefType)
	return mt, nil
}

// memories checks the wiring between accesses and interfaces: every access
// belongs to exactly one port, every port to exactly one access, every load has
// its data from its own port, every memref argument one interface.
func (v *verifier) memories() {
	users := map[*ir.Value]*ir.Operation{}
	ids := map[int64]*ir.Operation{}
	taken := map[*ir.Operation]bool{} // accesses that have their port
	for _, mem := range v.body.Ops {
		if mem.Name != opname.HandshakeMemory && mem.Name != opname.HandshakeExtmemory {
			continue
		}
		if _, arg := v.memRefType(mem); arg != nil {
			if first := users[arg]; first != nil {
				v.errs.Errorf(mem.Pos, "memory %%%s has two interfaces", arg.Name).
					WithNote(first.Pos, "the first is here").WithHelp("one handshake.extmemory serves all accesses of a memref")
			}
			users[arg] = mem
			// CountsOf takes valid graphs and reads no signature.
			if p, ok := portsOf(mem); ok && p.Stores > 0 && arg.Index < len(v.roms) && v.roms[arg.Index] {
				v.errs.Errorf(mem.Pos, "memory %%%s is ROM (%s) and has %d store ports", arg.Name, cabi.ROM, p.Stores)
			}
		}
		if id, ok := mem.IntAttr("id"); ok {
			if first := ids[id]; first != nil {
				v.errs.Errorf(mem.Pos, "memory id %d is used twice", id).WithNote(first.Pos, "the first is here")
			}
			ids[id] = mem
		}
		p, _ := portsOf(mem)
		for i := range p.Stores {
			data, addr := mem.Operand(p.StoreData(i)), mem.Operand(p.StoreAddr(i))
			st := data.Def
			if st == nil || st.Name != opname.HandshakeStore || st != addr.Def || data.Index != 0 || addr.Index != 1 {
				v.errs.Errorf(mem.Pos, "store port %d of '%s' is not fed by the data and address of one handshake.store", i, mem.Name)
				continue
			}
			v.claim(st, port{mem, true, i}, taken)
		}
		for i := range p.Loads {
			addr := mem.Operand(p.LoadAddr(i))
			ld := addr.Def
			if ld == nil || ld.Name != opname.HandshakeLoad || addr.Index != 1 {
				v.errs.Errorf(mem.Pos, "load port %d of '%s' is not fed by the address of a handshake.load", i, mem.Name)
				continue
			}
			if ld.Operand(1) != mem.Result(p.LoadData(i)) {
				v.errs.Errorf(ld.Pos, "the data of this load does not come from the memory port its address goes to").
					WithNote(mem.Pos, "its address goes to load port %d here", i)
			}
			for _, u := range mem.Result(p.LoadData(i)).Uses() {
				if u.Op != ld {
					v.errs.Errorf(u.Op.Pos, "'%s' takes data from a memory port that belongs to a handshake.load", u.Op.Name).
						WithNote(ld.Pos, "the load is here")
				}
			}
			v.claim(ld, port{mem, false, i}, taken)
		}
	}
	for _, op := range v.body.Ops {
		if (op.Name == opname.HandshakeLoad || op.Name == opname.HandshakeStore) && !taken[op] {
			v.errs.Errorf(op.Pos, "'%s' is connected to no memory", op.Name)
		}
	}
	for _, a := range v.body.Args {
		if _, mem := a.Type.(*ir.MemRefType); !mem {
			continue
		}
		for _, u := range a.Uses() {
			if u.Op.Name != opname.HandshakeExtmemory || u.Index != 0 {
				v.errs.Errorf(u.Op.Pos, "'%s' uses a memref parameter; only handshake.extmemory may", u.Op.Name)
			}
		}
	}
}

// claim gives an access its port; the results that go to memory go nowhere else.
func (v *verifier) claim(op *ir.Operation, p port, taken map[*ir.Operation]bool) {
	if taken[op] {
		v.errs.Errorf(op.Pos, "'%s' is connected to more than one memory port", op.Name)
		return
	}
	taken[op] = true
	first := 1 // a load's data goes to the computation
	if p.store {
		first = 0
	}
	for i := first; i < 2; i++ {
		v.ports[op.Result(i)] = p
		for _, u := range op.Result(i).Uses() {
			if u.Op != p.mem {
				v.errs.Errorf(u.Op.Pos, "'%s' reads what '%s' sends to memory", u.Op.Name, op.Name).WithNote(op.Pos, "the access is here")
			}
		}
	}
}

// completion checks that every done token is consumed and that the return waits
// for it: a chain of operations leads from it to the graph's last result.
func (v *verifier) completion() {
	reaches, awaited := v.reachesReturn(), v.awaited()
	for _, mem := range v.body.Ops {
		if mem.Name != opname.HandshakeMemory && mem.Name != opname.HandshakeExtmemory {
			continue
		}
		p, _ := portsOf(mem)
		done := func(kind string, i, result int) {
			t := mem.Result(result)
			switch {
			case !t.HasUses():
				v.errs.Errorf(mem.Pos, "the done token of %s port %d of '%s' has no consumer", kind, i, mem.Name).
					WithHelp("every access must be waited for before the graph's done token")
			case !reaches[t]:
				v.errs.Errorf(mem.Pos, "the return does not wait for the done token of %s port %d of '%s'", kind, i, mem.Name).
					WithHelp("join the group's last token into the graph's done token")
			case !awaited[t]:
				v.errs.Errorf(mem.Pos, "the return does not always wait for the done token of %s port %d of '%s': on one side of a branch it is dropped", kind, i, mem.Name).
					WithHelp("the return's control must postdominate every access: merge both sides of the branch")
			}
		}
		for i := range p.Stores {
			done("store", i, p.StoreDone(i))
		}
		for i := range p.Loads {
			// Of a direct circuit's load the data is its completion, too.
			if !v.direct || !reaches[mem.Result(p.LoadData(i))] || !awaited[mem.Result(p.LoadData(i))] {
				done("load", i, p.LoadDone(i))
			}
		}
	}
}

// reachesReturn is the set of values from which tokens lead to the control
// operand of the return. Through an access that means: through its control to
// the done token of its port. In a direct circuit the return waits for its results, too, and
// data stands for the operations that it comes from.
func (v *verifier) reachesReturn() map[*ir.Value]bool {
	reached := map[*ir.Value]bool{}
	var work []*ir.Value
	add := func(w *ir.Value) {
		if _, mem := w.Type.(*ir.MemRefType); !mem && !reached[w] {
			reached[w] = true
			work = append(work, w)
		}
	}
	add(v.ret.Operand(v.ret.NumOperands() - 1))
	if v.direct {
		for _, w := range v.ret.Operands() {
			add(w)
		}
	}
	for len(work) > 0 {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		op := w.Def
		if op == nil {
			continue
		}
		if v.direct {
			surely, maybe := needs(w)
			again, _ := back(w)
			for _, from := range [][]*ir.Value{surely, maybe, again} {
				for _, x := range from {
					add(x)
				}
			}
			continue
		}
		switch op.Name {
		case opname.HandshakeMemory, opname.HandshakeExtmemory:
			p, _ := portsOf(op)
			switch i := w.Index; {
			case i >= p.StoreDone(0) && i < p.StoreDone(p.Stores):
				add(op.Operand(p.StoreData(i - p.Loads)))
				add(op.Operand(p.StoreAddr(i - p.Loads)))
			case i >= p.LoadDone(0):
				add(op.Operand(p.LoadAddr(i - p.Loads - p.Stores)))
			}
			// A load's data may be late: it does not stand for its completion.
		case opname.HandshakeLoad, opname.HandshakeStore:
			add(op.Operand(2))
		case opname.DataflowStream, opname.DataflowGate, opname.HandshakeConstant:
			// Conditions and numbers do not stand for completion either.
		case opname.DataflowCarry:
			add(op.Operand(1))
			add(op.Operand(2))
		case opname.DataflowInterlock:
			add(op.Operand(0)) // it need not have waited for a store
		case opname.DataflowInvariant, opname.HandshakeCondBr:
			add(op.Operand(1))
		case opname.HandshakeMux:
			add(op.Operand(1))
			add(op.Operand(2))
		default:
			for _, x := range op.Operands() {
				add(x)
			}
		}
	}
	return reached
}
