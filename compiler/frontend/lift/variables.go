package lift

import (
	"strings"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// argName is the name of parameter n, counted from 1.
func (r *lifter) argName(n int) string {
	for _, v := range r.variables {
		if v.Num("arg") != int64(n) {
			continue
		}
		// The parameters of inlined functions have numbers, too.
		if sc := v.Ref("scope"); sc != nil && r.sig.subprogram != nil && sc.Kind == "subprogram" &&
			sc.Str("name") == r.sig.subprogram.Str("name") && sc.Str("linkageName") == r.sig.subprogram.Str("linkageName") &&
			sc.Num("line") == r.sig.subprogram.Num("line") {
			return v.Str("name")
		}
	}
	return ""
}

// noteVariable records the variable whose value v is.
func (r *lifter) noteVariable(op *ir.Operation) {
	v := r.opts.Debug.Entry(op.Attr("varInfo"))
	if v == nil || op.NumOperands() != 1 {
		return
	}
	r.variables = append(r.variables, v)
	if op.Name == opname.LLVMIntrDbgDeclare && isPtr(op.Operand(0)) {
		r.declarations[op.Operand(0)] = v
	}
	if e := op.Attr("locationExpr"); e != nil && e.String() != "#llvm.di_expression<>" && op.Name == opname.LLVMIntrDbgValue {
		return
	}
	name := v.Str("name")
	if name != "" && r.varNames[op.Operand(0)] == "" && !strings.ContainsAny(name, " \t") {
		r.varNames[op.Operand(0)] = name
	}
}

// declared is the type of the variable that lives at an address.
func (r *lifter) declared(alloc *ir.Operation) *ctype {
	if t := r.spilled[alloc.Result(0)]; t != nil {
		return t
	}
	if v := r.declarations[alloc.Result(0)]; v != nil {
		return ctypeDI(v.Ref("type"))
	}
	return nil
}
