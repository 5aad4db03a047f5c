package raise

import (
	"loom/compiler/ir"
)

// operandCount is how many operands an operation takes that is looked into.
func operandCount(name string) (n int, known bool) {
	if _, ok := conversions[name]; ok {
		return 1, true
	}
	if _, ok := integers[name]; ok {
		return 2, true
	}
	switch name {
	case "llvm.load", "llvm.alloca", "llvm.freeze", "llvm.ptrtoint", "llvm.inttoptr", "llvm.addrspacecast",
		"llvm.intr.abs", "llvm.intr.ctlz", "llvm.intr.cttz", "llvm.intr.bswap", "llvm.fneg",
		"llvm.intr.launder.invariant.group", "llvm.intr.strip.invariant.group":
		return 1, true
	case "llvm.store", "llvm.icmp", "llvm.fcmp", "llvm.intr.copysign", "llvm.intr.pow", "llvm.intr.powi",
		"llvm.fadd", "llvm.fsub", "llvm.fmul", "llvm.fdiv", "llvm.frem",
		"llvm.intr.minnum", "llvm.intr.maxnum", "llvm.intr.minimum", "llvm.intr.maximum",
		"llvm.intr.sadd.sat", "llvm.intr.ssub.sat", "llvm.intr.uadd.sat", "llvm.intr.usub.sat", "llvm.intr.sshl.sat", "llvm.intr.ushl.sat":
		return 2, true
	case "llvm.select", "llvm.intr.fma", "llvm.intr.fmuladd", "llvm.intr.fshl", "llvm.intr.fshr":
		return 3, true
	case "llvm.mlir.constant", "llvm.mlir.zero", "llvm.mlir.undef", "llvm.mlir.poison", "llvm.mlir.addressof":
		return 0, true
	}
	if _, ok := alike[name]; ok {
		return 1, true
	}
	return 0, false
}

// fitting reports whether the types of an operation that is looked into go together.
func fitting(op *ir.Operation) bool {
	same := func(vs ...*ir.Value) bool {
		for _, v := range vs {
			if v.Type != vs[0].Type {
				return false
			}
		}
		return true
	}
	all := append(append([]*ir.Value(nil), op.Results()...), op.Operands()...)
	number := func(v *ir.Value) bool { return !isPtr(v) }
	switch op.Name {
	case "llvm.load":
		return isPtr(op.Operand(0))
	case "llvm.store":
		return isPtr(op.Operand(1))
	case "llvm.getelementptr":
		if op.NumOperands() == 0 || op.NumResults() != 1 || !isPtr(op.Operand(0)) || !isPtr(op.Result(0)) {
			return false
		}
		_, ok := gepSteps(op)
		return ok
	case "llvm.alloca", "llvm.inttoptr":
		return isPtr(op.Result(0)) && number(op.Operand(0))
	case "llvm.ptrtoint":
		return isPtr(op.Operand(0)) && number(op.Result(0))
	case "llvm.icmp", "llvm.fcmp":
		return same(op.Operands()...) && op.Result(0).Type == ir.Type(ir.I1)
	case "llvm.select":
		return same(op.Result(0), op.Operand(1), op.Operand(2)) && op.Operand(0).Type == ir.Type(ir.I1)
	case "llvm.cond_br":
		return op.NumOperands() > 0 && op.Operand(0).Type == ir.Type(ir.I1)
	case "llvm.switch":
		if op.NumOperands() == 0 {
			return false
		}
		_, isInt := op.Operand(0).Type.(*ir.IntegerType)
		return isInt
	case "llvm.intr.powi":
		return same(op.Result(0), op.Operand(0)) && ir.IsFloat(op.Result(0).Type) && ir.IsInt(op.Operand(1).Type)
	case "llvm.intr.abs", "llvm.intr.ctlz", "llvm.intr.cttz", "llvm.intr.bswap", "llvm.intr.fshl", "llvm.intr.fshr",
		"llvm.intr.sadd.sat", "llvm.intr.ssub.sat", "llvm.intr.uadd.sat", "llvm.intr.usub.sat", "llvm.intr.sshl.sat", "llvm.intr.ushl.sat",
		"llvm.intr.ctpop", "llvm.intr.bitreverse":
		return same(all...) && ir.IsInt(all[0].Type)
	case "llvm.freeze", "llvm.intr.fmuladd":
		return same(all...)
	case "llvm.mlir.addressof":
		return isPtr(op.Result(0))
	}
	if integers[op.Name] != "" {
		return same(all...) && !ir.IsFloat(all[0].Type)
	}
	if alike[op.Name] != "" {
		return same(all...) && !ir.IsInt(all[0].Type)
	}
	if conversions[op.Name] != "" {
		return convertible(op.Name, op.Operand(0).Type, op.Result(0).Type)
	}
	return true
}

// convertible reports whether a conversion goes from one type to another. Types that
// are no numbers are reported later.
func convertible(name string, from, to ir.Type) bool {
	a, ok := ir.BitWidth(from, 64)
	b, also := ir.BitWidth(to, 64)
	if !ok || !also {
		return true
	}
	ints, floats := ir.IsInt(from) && ir.IsInt(to), ir.IsFloat(from) && ir.IsFloat(to)
	switch name {
	case "llvm.sext", "llvm.zext":
		return ints && a < b
	case "llvm.trunc":
		return ints && a > b
	case "llvm.fpext":
		return floats && a < b
	case "llvm.fptrunc":
		return floats && a > b
	case "llvm.fptosi", "llvm.fptoui":
		return ir.IsFloat(from) && ir.IsInt(to)
	case "llvm.sitofp", "llvm.uitofp":
		return ir.IsInt(from) && ir.IsFloat(to)
	}
	return a == b
}
