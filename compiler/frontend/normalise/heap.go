package normalise

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// maxHeap bounds the bytes of memory from the heap that becomes a local variable.
const maxHeap = 1 << 20

// heapSize is the constant number of bytes that a call allocates, and whether they
// start as zero; ok is false for any other operation.
func heapSize(o *ir.Operation) (bytes int64, zero, ok bool) {
	switch callee(o) {
	case "malloc", "_Znwm", "_Znam":
		if o.NumOperands() == 1 && o.NumResults() == 1 {
			bytes, ok = constValue(o.Operand(0))
		}
	case "calloc":
		if o.NumOperands() == 2 && o.NumResults() == 1 {
			n, known := constValue(o.Operand(0))
			size, both := constValue(o.Operand(1))
			if known && both && 0 <= n && n <= maxHeap && 0 <= size && size <= maxHeap {
				return n * size, true, n*size > 0 && n*size <= maxHeap
			}
		}
	}
	return bytes, zero, ok && bytes > 0 && bytes <= maxHeap
}

// isFree reports whether a call frees memory.
func isFree(o *ir.Operation) bool {
	switch callee(o) {
	case "free", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm":
		return o.NumOperands() > 0
	}
	return false
}

// onHeap reports whether a call allocates memory that may as well be a local variable:
// of constant size, once in a run of its function, and freed in it or not known
// outside of it.
func onHeap(o *ir.Operation) bool {
	if _, _, ok := heapSize(o); !ok || inCycle(o.Block()) {
		return false
	}
	for _, u := range o.Result(0).Uses() {
		if isFree(u.Op) {
			return true
		}
	}
	return !escapes(o.Result(0))
}

// escapes reports whether a pointer is stored, returned or passed to a function.
func escapes(pointer *ir.Value) bool {
	seen := map[*ir.Value]bool{}
	var leaves func(v *ir.Value) bool
	leaves = func(v *ir.Value) bool {
		if seen[v] {
			return false
		}
		seen[v] = true
		for _, u := range v.Uses() {
			switch name := u.Op.Name; {
			case name == opname.LLVMStore && u.Index == 0, name == opname.LLVMReturn, name == opname.LLVMPtrToInt, name == opname.LLVMCall:
				return true
			case name == opname.LLVMGetElementPtr, name == opname.LLVMSelect:
				if leaves(u.Op.Result(0)) {
					return true
				}
			}
			for _, s := range u.Op.Succs {
				if k := u.Index - s.First; k >= 0 && k < s.Count && leaves(s.Block.Args[k]) {
					return true
				}
			}
		}
		return false
	}
	return leaves(pointer)
}

// freesLocal reports whether a call frees memory that is such a variable.
func freesLocal(o *ir.Operation) bool {
	if !isFree(o) || o.Operand(0).Def == nil {
		return false
	}
	return onHeap(o.Operand(0).Def)
}

// inCycle reports whether a path leads from a block back to it.
func inCycle(b *ir.Block) bool {
	seen := map[*ir.Block]bool{}
	work := []*ir.Block{b}
	for len(work) > 0 {
		c := work[len(work)-1]
		work = work[:len(work)-1]
		t := c.Terminator()
		if t == nil {
			continue
		}
		for _, s := range t.Succs {
			if s.Block == b {
				return true
			}
			if !seen[s.Block] {
				seen[s.Block] = true
				work = append(work, s.Block)
			}
		}
	}
	return false
}

// localHeap makes such memory local variables. What the accesses show of the elements
// is not known yet: the variable has bytes, as many as were allocated.
func (m *module) localHeap(f *ir.Operation) {
	var news, frees []*ir.Operation
	f.Walk(func(o *ir.Operation) bool {
		switch {
		case freesLocal(o):
			frees = append(frees, o)
		case onHeap(o):
			news = append(news, o)
		}
		return true
	})
	for _, o := range frees {
		o.Erase()
	}
	mem := &memory{module: m, kernel: &function{op: f}, roots: map[*ir.Value]*pattern{}}
	for _, o := range news {
		bytes, zero, _ := heapSize(o)
		elem, count := ir.Type(ir.Int(8)), bytes
		if p := mem.accessed(o.Result(0)); p != nil && bytes%p.period == 0 {
			elem, count = p.parts[0].t, bytes/p.period
		}
		b := instead(o)
		local := b.make(opname.LLVMAlloca, []*ir.Value{b.constant(ir.Int(64), 1)}, ptrType)
		local.SetAttr("elem_type", &ir.TypeAttr{Type: arrayType(count, elem)})
		local.SetAttr("alignment", &ir.IntegerAttr{Value: 16, Type: ir.Int(64)})
		b.insert(local)
		if zero {
			fill := b.make(opname.LLVMIntrMemSet, []*ir.Value{local.Result(0), b.constant(ir.Int(8), 0), b.constant(ir.Int(64), bytes)})
			fill.SetAttr("isVolatile", &ir.IntegerAttr{Value: 0, Type: ir.I1})
			b.insert(fill)
		}
		o.Result(0).ReplaceAllUsesWith(local.Result(0))
		o.Erase()
	}
}
