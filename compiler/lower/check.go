package lower

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// structural names the operations, beside arithmetic, that a function may hold once
// calls are inlined.
var structural = map[string]bool{}

func init() {
	for _, n := range []string{
		opname.ArithConstant,
		opname.SCFFor, opname.SCFWhile, opname.SCFIf, opname.SCFYield, opname.SCFCondition, opname.FuncReturn,
		opname.MemRefLoad, opname.MemRefStore, opname.MemRefAlloc, opname.MemRefAlloca, opname.MemRefDealloc,
		opname.MemRefCast, opname.MemRefMemorySpaceCast, opname.MemRefSubview, opname.MemRefReinterpretCast,
		opname.MemRefCollapseShape, opname.MemRefExpandShape, opname.MemRefTranspose, opname.MemRefView,
		opname.MemRefExtractStridedMetadata, opname.MemRefGetGlobal, opname.MemRefDim, opname.MemRefRank,
		opname.MemRefAssumeAlignment, opname.LLVMFence,
	} {
		structural[n] = true
	}
}

// supported reports whether a graph can have an operation or what becomes of it: pure
// arithmetic is what a function unit may hold, and what only simulators compute.
func supported(name string) bool {
	return structural[name] || onlySimulated[name] || units.Is(name, units.Datapath) || units.Is(name, units.Iterative)
}

// why explains operations that users may expect to work; those that other
// passes rewrite are left in forms that these could not.
var why = map[string]string{
	opname.SCFIndexSwitch:                     "give it one region per case and one for the default",
	opname.SCFExecuteRegion:                   "lift its cf branches to scf first, for example with mlir-opt --lift-cf-to-scf",
	opname.MemRefAllocaScope:                  "lift its cf branches to scf first, for example with mlir-opt --lift-cf-to-scf",
	opname.SCFForall:                          "shared outputs are tensors, which no channel carries: bufferise first, for example with mlir-opt --one-shot-bufferize",
	opname.FuncCallIndirect:                   "the called function must be known at compile time; call it by name",
	opname.FuncConstant:                       "functions are no values in hardware; call the function by name",
	opname.MemRefCopy:                         "copy between memrefs of known rank; where both are parts of one memory, the shape must be static",
	opname.MemRefAtomicRmw:                    "use another kind of update, or a load and a store",
	opname.MemRefGenericAtomicRmw:             "write it as load, computation and store",
	opname.MemRefRealloc:                      "on-chip memories have a fixed size; allocate the largest",
	opname.MemRefReshape:                      "use memref.expand_shape, memref.collapse_shape or memref.reinterpret_cast",
	opname.CFBr:                               "lift cf branches to scf first, for example with mlir-opt --lift-cf-to-scf",
	opname.CFCondBr:                           "lift cf branches to scf first, for example with mlir-opt --lift-cf-to-scf",
	opname.CFSwitch:                           "lift cf branches to scf first, for example with mlir-opt --lift-cf-to-scf",
	opname.CFAssert:                           "remove the assertion: hardware cannot report it",
	opname.UBPoison:                           "give the value a scalar type",
	opname.MemRefExtractAlignedPointerAsIndex: "addresses are element indices, there is no pointer to take",
}

// checkSupported reports every operation and type that cannot become hardware.
func checkSupported(s *state, errs *diag.List) {
	entry := s.fn.Regions[0].Entry()
	for i, a := range entry.Args {
		if m, ok := a.Type.(*ir.MemRefType); ok {
			checkMemory(m, a.Pos(), "parameter "+paramName(s.fn, i), errs)
			checkStorage(m, a.Pos(), "parameter "+paramName(s.fn, i), errs)
			continue
		}
		if !scalar(a.Type, s.opts.IndexWidth) {
			errs.Errorf(a.Pos(), "parameter %s has type %s, which no channel carries", paramName(s.fn, i), a.Type).
				WithHelp(scalarHelp)
		}
	}
	simulated := map[string]bool{}
	s.fn.Walk(func(op *ir.Operation) bool {
		if op == s.fn {
			return true
		}
		remarkSimulated(op, simulated, errs)
		if !supported(op.Name) {
			d := errs.Errorf(op.Pos, "'%s' cannot be lowered to a dataflow graph", op.Name)
			d.WithHelp("%s", whyNot(op))
			return false
		}
		checkOp(s, op, errs)
		return true
	})
}

// whyNot is the help for an operation that cannot be lowered.
func whyNot(op *ir.Operation) string {
	if h := why[op.Name]; h != "" {
		return h
	}
	switch op.Dialect() {
	case "arith", "math":
		return "no function unit computes it"
	case "index":
		return "only signless integers are converted: i1 to i64"
	case "affine":
		return "write it with scf and arith, for example with mlir-opt --lower-affine"
	case "memref", "scf":
		return "rewrite it with memref.load, memref.store, scf.for, scf.while and scf.if"
	}
	return "kernels are made of func, arith, index, math, memref, scf and affine"
}

const scalarHelp = "scalars are i1 to i64, index, f16, bf16, f32 and f64"

// capacity is the number of elements of a memory whose size the program computes.
func (s *state) capacity(m *ir.MemRefType) int64 {
	bits, ok := ir.BitWidth(m.Elem, s.opts.IndexWidth)
	if !ok {
		return 0
	}
	return s.opts.MemoryBytes / int64(max(bits/8, 1))
}

func checkOp(s *state, op *ir.Operation, errs *diag.List) {
	for _, r := range op.Regions {
		if len(r.Blocks) > 1 {
			errs.Errorf(op.Pos, "a region of '%s' has %d blocks where structured control flow has one", op.Name, len(r.Blocks))
		}
	}
	switch op.Name {
	case opname.MemRefAlloc, opname.MemRefAlloca:
		m, ok := op.Result(0).Type.(*ir.MemRefType)
		if !ok {
			return
		}
		checkMemory(m, op.Pos, "the allocation", errs)
		if m.Layout != nil && !identityLayout(m) {
			errs.Errorf(op.Pos, "the allocation has the layout of %s; on-chip memories are row-major", m).
				WithHelp("allocate without a layout")
		}
		n, static := m.NumElements()
		if !static {
			n = s.capacity(m)
			errs.Warnf(op.Pos, "the size of this memory is not known at compile time: it gets room for %s (%d bytes)",
				diag.Plural(int(n), "element"), s.opts.MemoryBytes).
				WithHelp("an access beyond that is an error when it happens; make every dimension static, or choose the room with --memory-bytes")
		}
		if n < 1 {
			errs.Errorf(op.Pos, "an on-chip memory of type %s has no element", m)
		} else if loop := loopAround(op); loop != nil {
			errs.Remarkf(op.Pos, "one on-chip memory serves all allocations made here: its contents are undefined at the beginning of each, not zero").
				WithNote(loop.Pos, "the loop around it is here")
		}
		return
	case opname.MemRefGetGlobal:
		checkGlobal(s, op, errs)
		return
	case opname.MemRefStore:
		if g := globalOf(s, rootOf(op.Operand(1))); g != nil && g.Attr("constant") != nil {
			errs.Errorf(op.Pos, "this stores to %s, which is constant", ir.SymbolText(g.SymName())).
				WithNote(g.Pos, "the global is defined here").
				WithHelp("remove 'constant' from the global, or store to a memory of its own")
		}
		return
	case opname.SCFFor:
		if step, ok := op.Operand(2).ConstantInt(); ok && (step == 0 || step < 0 && op.Attr(biasedAttr) == nil) {
			errs.Errorf(op.Pos, "the step of this loop is %d, it must be positive", step).
				WithNote(op.Operand(2).Pos(), "the step is defined here").
				WithHelp("scf.for counts upwards; turn the loop around")
		}
	case opname.SCFWhile:
		// Results are looked at below; operands may differ from them.
		for i, v := range op.Operands() {
			if _, mem := v.Type.(*ir.MemRefType); mem {
				errs.Errorf(op.Pos, "operand #%d of the loop is a memref; which memory an access goes to must be known at compile time", i).
					WithHelp("use the memref inside the loop without carrying it, or carry an index")
				return
			}
		}
	case opname.ArithConstant:
		w := s.opts.IndexWidth
		if c, ok := op.IntAttr("value"); ok && op.Result(0).Type == ir.Type(ir.Index) && c<<(64-w)>>(64-w) != c {
			errs.Errorf(op.Pos, "the constant %d does not fit an index of %d bits", c, w).
				WithHelp("choose a fabric with a larger index_width")
		}
	case opname.FuncReturn:
		for i, v := range op.Operands() {
			if _, mem := v.Type.(*ir.MemRefType); mem {
				errs.Errorf(op.Pos, "result #%d is a memref; only scalars can be returned", i).
					WithHelp("let the caller pass the memory as an argument")
			}
		}
	}
	if viewsMemory(op) {
		checkView(op, errs)
		return
	}
	for i, r := range op.Results() {
		if _, mem := r.Type.(*ir.MemRefType); mem {
			errs.Errorf(op.Pos, "'%s' chooses a memref at run time; which memory an access goes to must be known at compile time", op.Name).
				WithHelp("choose the loaded value, or put the accesses into the branches")
		} else if !scalar(r.Type, s.opts.IndexWidth) {
			errs.Errorf(op.Pos, "result #%d of '%s' has type %s, which no channel carries", i, op.Name, r.Type).
				WithHelp(scalarHelp)
		}
	}
}

// checkMemory checks that a memref type can be a memory of its own.
func checkMemory(m *ir.MemRefType, at diag.Pos, what string, errs *diag.List) {
	checkLayout(m, at, what, errs)
	switch e := m.Elem.(type) {
	case *ir.IntegerType:
		switch e.Width {
		case 1, 8, 16, 32, 64:
			return
		}
	case *ir.IndexType:
		return
	case *ir.FloatType:
		if w, ok := ir.BitWidth(e, 64); ok && w <= 64 && e.Name != "tf32" {
			return
		}
	}
	errs.Errorf(at, "%s has elements of type %s, which no memory holds", what, m.Elem).
		WithHelp("elements are i1, i8, i16, i32, i64, index, f16, bf16, f32 or f64")
}

func checkLayout(m *ir.MemRefType, at diag.Pos, what string, errs *diag.List) {
	if m.Map != "" {
		errs.Errorf(at, "%s has the layout of %s; only row-major and strided memories are supported", what, m).
			WithHelp("write the layout as strided<[...], offset: ...>, or pass the underlying row-major memref")
	}
}

// checkStorage checks that the addresses of a parameter with a strided layout
// are known and begin at 0.
func checkStorage(m *ir.MemRefType, at diag.Pos, what string, errs *diag.List) {
	if m.Layout == nil || identityLayout(m) {
		return
	}
	unknown := m.Layout.Offset == ir.Dynamic
	lowest := m.Layout.Offset
	for d, s := range m.Layout.Strides {
		unknown = unknown || s == ir.Dynamic
		if s < 0 && !unknown && m.Shape[d] != ir.Dynamic && m.Shape[d] > 0 {
			lowest += s * (m.Shape[d] - 1)
		}
		unknown = unknown || s < 0 && m.Shape[d] == ir.Dynamic
	}
	switch {
	case unknown:
		errs.Errorf(at, "%s has a layout that is only known at run time: %s", what, m).
			WithHelp("give offset and strides as numbers, or pass the underlying row-major memref and make the view with memref.reinterpret_cast")
	case lowest < 0:
		errs.Errorf(at, "%s has elements in front of its beginning: %s", what, m).
			WithHelp("increase the offset to at least %d", m.Layout.Offset-lowest)
	}
}

// checkView checks that a view is one that an address can express.
func checkView(op *ir.Operation, errs *diag.List) {
	from, ok := op.Operand(0).Type.(*ir.MemRefType)
	to, ok2 := op.Result(0).Type.(*ir.MemRefType)
	switch {
	case !ok || !ok2:
		errs.Errorf(op.Pos, "a memref of unknown rank cannot be addressed").WithHelp("keep the ranked type")
	case from.Elem != to.Elem:
		errs.Errorf(op.Pos, "the view reads elements of type %s as %s; a memory has elements of one type", from.Elem, to.Elem).
			WithHelp("make the memory one of %s, or compute the elements from %s with shifts", to.Elem, from.Elem)
	}
}

// checkGlobal checks that a global can be an on-chip memory.
func checkGlobal(s *state, op *ir.Operation, errs *diag.List) {
	g := globalOf(s, op.Result(0))
	if g == nil {
		return // the verifier has reported it
	}
	name := ir.SymbolText(g.SymName())
	m := op.Result(0).Type.(*ir.MemRefType)
	checkMemory(m, g.Pos, "global "+name, errs)
	if n, static := m.NumElements(); !static || n < 1 {
		errs.Errorf(g.Pos, "global %s of type %s has no element", name, m)
	}
	if m.Layout != nil && !identityLayout(m) {
		errs.Errorf(g.Pos, "global %s has the layout of %s; on-chip memories are row-major", name, m).
			WithHelp("define it without a layout")
	}
	switch g.Attr("initial_value").(type) {
	case *ir.DenseElementsAttr:
	case *ir.UnitAttr:
	case nil:
		errs.Errorf(op.Pos, "global %s is only declared here", name).WithNote(g.Pos, "the declaration is here").
			WithHelp("give it an initial value, or pass the memory as an argument")
	default:
		errs.Errorf(g.Pos, "the initial value of global %s cannot be read", name).
			WithHelp("write it as dense<...>")
	}
	if g.Attr("constant") == nil && g.StrAttr("sym_visibility") != "private" {
		errs.Errorf(op.Pos, "global %s can be changed and seen from outside; an on-chip memory is invisible outside the fabric", name).
			WithNote(g.Pos, "the global is defined here").
			WithHelp("make it private or constant, or pass the memory as an argument")
	}
}

// globalOf is the memref.global behind a root memref, nil where it is no global.
func globalOf(s *state, root *ir.Value) *ir.Operation {
	if root.Def == nil || root.Def.Name != opname.MemRefGetGlobal {
		return nil
	}
	ref, ok := root.Def.Attr("name").(*ir.SymbolRefAttr)
	if !ok {
		return nil
	}
	if g := ir.LookupSymbol(s.mod, ref.Root); g != nil && g.Name == opname.MemRefGlobal {
		return g
	}
	return nil
}

// loopAround is the innermost loop around an operation, nil outside of loops.
func loopAround(op *ir.Operation) *ir.Operation {
	for o := op.ParentOp(); o != nil; o = o.ParentOp() {
		if o.Name == opname.SCFFor || o.Name == opname.SCFWhile {
			return o
		}
	}
	return nil
}

// identityLayout reports whether a strided layout is the row-major order.
func identityLayout(m *ir.MemRefType) bool {
	if m.Layout.Offset != 0 || len(m.Layout.Strides) != len(m.Shape) {
		return false
	}
	want := int64(1)
	for i := len(m.Shape) - 1; i >= 0; i-- {
		if want == ir.Dynamic || m.Layout.Strides[i] != want {
			return false
		}
		if m.Shape[i] == ir.Dynamic {
			want = ir.Dynamic
		} else {
			want *= m.Shape[i]
		}
	}
	return true
}

// scalar reports whether a channel can carry a value of type t.
func scalar(t ir.Type, indexWidth int) bool {
	switch t := t.(type) {
	case *ir.IntegerType:
		return t.Sign == ir.Signless && t.Width >= 1 && t.Width <= 64
	case *ir.IndexType:
		return true
	case *ir.FloatType:
		_, ok := ir.BitWidth(t, indexWidth)
		return ok && t.Name != "tf32"
	}
	return false
}

// paramName is the name of parameter i: its argument name attribute, its name
// in the text, else argN.
func paramName(fn *ir.Operation, i int) string {
	if names, ok := fn.Attr("argNames").(*ir.ArrayAttr); ok && i < len(names.Elems) {
		if a, ok := names.Elems[i].(*ir.StringAttr); ok {
			return a.Value
		}
	}
	if n := fn.Regions[0].Entry().Args[i].Name; n != "" && (n[0] < '0' || n[0] > '9') {
		return n
	}
	return "arg" + itoa(i)
}
