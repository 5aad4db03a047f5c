package lower

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// supported names the operations a function may hold once calls are inlined.
// Pure arithmetic is what a function unit may hold (design page "The Fabric
// dialect", section "Function units").
var supported = map[string]bool{}

func init() {
	for _, n := range []string{
		"addi", "subi", "muli", "divsi", "divui", "remsi", "remui", "andi", "ori", "xori",
		"shli", "shrsi", "shrui", "cmpi", "select", "extsi", "extui", "trunci", "index_cast",
		"index_castui", "addf", "subf", "mulf", "divf", "negf", "cmpf", "fptosi", "fptoui",
		"sitofp", "uitofp", "minsi", "maxsi", "minui", "maxui", "extf", "truncf", "bitcast",
		"constant",
	} {
		supported["arith."+n] = true
	}
	for _, n := range []string{
		"absf", "fma", "sqrt", "floor", "ctpop", "ctlz", "cttz", "absi", "exp", "log2", "sin", "cos",
	} {
		supported["math."+n] = true
	}
	for _, n := range []string{
		"llvm.intr.bitreverse",
		"scf.for", "scf.while", "scf.if", "scf.yield", "scf.condition", "func.return",
		"memref.load", "memref.store", "memref.alloc", "memref.alloca", "memref.dealloc",
		"memref.cast", "memref.dim",
	} {
		supported[n] = true
	}
}

// why explains operations that people may expect to work.
var why = map[string]string{
	"scf.index_switch":                        "rewrite the switch as nested scf.if",
	"scf.execute_region":                      "inline its block into the code around it",
	"scf.parallel":                            "write it as nested scf.for",
	"scf.forall":                              "write it as nested scf.for",
	"func.call_indirect":                      "the called function must be known at compile time; call it by name",
	"func.constant":                           "functions are no values in hardware; call the function by name",
	"memref.get_global":                       "pass the table as a memref argument",
	"memref.subview":                          "access the underlying memref with explicit indices",
	"memref.reinterpret_cast":                 "access the underlying memref with explicit indices",
	"memref.collapse_shape":                   "access the underlying memref with all its indices",
	"memref.expand_shape":                     "access the underlying memref with its own indices",
	"memref.copy":                             "write the copy as a loop",
	"cf.br":                                   "lift cf branches to scf first, for example with mlir-opt --lift-cf-to-scf",
	"cf.cond_br":                              "lift cf branches to scf first, for example with mlir-opt --lift-cf-to-scf",
	"cf.assert":                               "remove the assertion, hardware has nobody to tell",
	"arith.ceildivsi":                         "write it as division and comparison",
	"arith.ceildivui":                         "write it as division and comparison",
	"arith.floordivsi":                        "write it as division and comparison",
	"arith.addui_extended":                    "compute in a wider type",
	"arith.mulsi_extended":                    "compute in a wider type",
	"arith.mului_extended":                    "compute in a wider type",
	"arith.remf":                              "no function unit computes it",
	"arith.minimumf":                          "compare and select",
	"arith.maximumf":                          "compare and select",
	"arith.minnumf":                           "compare and select",
	"arith.maxnumf":                           "compare and select",
	"memref.alloca_scope":                     "move the allocation to the function",
	"memref.extract_aligned_pointer_as_index": "addresses are element indices, there is no pointer to take",
}

// checkSupported reports every operation and type that cannot become hardware.
func checkSupported(s *state, errs *diag.List) {
	entry := s.fn.Regions[0].Entry()
	for i, a := range entry.Args {
		if m, ok := a.Type.(*ir.MemRefType); ok {
			checkMemory(m, a.Pos(), "parameter "+paramName(s.fn, i), errs)
			continue
		}
		if !scalar(a.Type, s.opts.IndexWidth) {
			errs.Errorf(a.Pos(), "parameter %s has type %s, which no channel carries", paramName(s.fn, i), a.Type).
				WithHelp(scalarHelp)
		}
	}
	s.fn.Walk(func(op *ir.Operation) bool {
		if op == s.fn {
			return true
		}
		if !supported[op.Name] {
			d := errs.Errorf(op.Pos, "'%s' cannot be lowered to a dataflow graph", op.Name)
			if h := why[op.Name]; h != "" {
				d.WithHelp("%s", h)
			}
			return false
		}
		checkOp(s, op, errs)
		return true
	})
}

const scalarHelp = "scalars are i1 to i64, index, f16, bf16, f32 and f64"

func checkOp(s *state, op *ir.Operation, errs *diag.List) {
	for _, r := range op.Regions {
		if len(r.Blocks) > 1 {
			errs.Errorf(op.Pos, "a region of '%s' has %d blocks where structured control flow has one", op.Name, len(r.Blocks))
		}
	}
	switch op.Name {
	case "memref.alloc", "memref.alloca":
		m, ok := op.Result(0).Type.(*ir.MemRefType)
		if !ok {
			return
		}
		checkMemory(m, op.Pos, "the allocation", errs)
		if n, static := m.NumElements(); !static || op.NumOperands() > 0 {
			errs.Errorf(op.Pos, "an on-chip memory of type %s has no size known at compile time", m).
				WithHelp("make every dimension static, or pass the memory as an argument")
		} else if n < 1 {
			errs.Errorf(op.Pos, "an on-chip memory of type %s has no element", m)
		}
		return
	case "memref.cast":
		m, ok := op.Result(0).Type.(*ir.MemRefType)
		if !ok {
			errs.Errorf(op.Pos, "a memref of unknown rank cannot be addressed").WithHelp("keep the ranked type")
			return
		}
		checkLayout(m, op.Pos, "the cast", errs)
		return
	case "scf.for":
		if len(op.Attrs) > 0 && op.Attr("unsignedCmp") != nil {
			errs.Errorf(op.Pos, "loops that compare their bounds as unsigned numbers are not supported").
				WithHelp("use a signed comparison; scf.while expresses the unsigned one")
		}
		if step, ok := constantOf(op.Operand(2)); ok && step <= 0 {
			errs.Errorf(op.Pos, "the step of this loop is %d, it must be positive", step).
				WithNote(op.Operand(2).Pos(), "the step is defined here").
				WithHelp("scf.for counts upwards; turn the loop around")
		}
	case "arith.constant":
		w := s.opts.IndexWidth
		if c, ok := op.IntAttr("value"); ok && op.Result(0).Type == ir.Type(ir.Index) && c<<(64-w)>>(64-w) != c {
			errs.Errorf(op.Pos, "the constant %d does not fit an index of %d bits", c, w).
				WithHelp("choose a fabric with a larger index_width")
		}
	case "func.return":
		for i, v := range op.Operands() {
			if _, mem := v.Type.(*ir.MemRefType); mem {
				errs.Errorf(op.Pos, "result #%d is a memref; only scalars can be returned", i).
					WithHelp("let the caller pass the memory as an argument")
			}
		}
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
	if m.Map != "" || m.Layout != nil && !identityLayout(m) {
		errs.Errorf(at, "%s has the layout of %s; only row-major memories are supported", what, m).
			WithHelp("pass the underlying row-major memref")
	}
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
