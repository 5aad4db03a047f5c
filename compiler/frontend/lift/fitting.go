package lift

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// operandCount is how many operands a known operation takes.
func operandCount(name string) (n int, known bool) {
	if _, ok := conversions[name]; ok {
		return 1, true
	}
	if _, ok := integers[name]; ok {
		return 2, true
	}
	switch name {
	case opname.LLVMLoad, opname.LLVMAlloca, opname.LLVMFreeze, opname.LLVMPtrToInt, opname.LLVMIntToPtr, opname.LLVMAddrSpaceCast,
		opname.LLVMIntrAbs, opname.LLVMIntrCtlz, opname.LLVMIntrCttz, opname.LLVMIntrBswap, opname.LLVMFNeg,
		opname.LLVMIntrLaunderInvariantGroup, opname.LLVMIntrStripInvariantGroup:
		return 1, true
	case opname.LLVMStore, opname.LLVMICmp, opname.LLVMFCmp, opname.LLVMIntrCopysign, opname.LLVMIntrPow, opname.LLVMIntrPowi,
		opname.LLVMFAdd, opname.LLVMFSub, opname.LLVMFMul, opname.LLVMFDiv, opname.LLVMFRem,
		opname.LLVMIntrMinnum, opname.LLVMIntrMaxnum, opname.LLVMIntrMinimum, opname.LLVMIntrMaximum,
		opname.LLVMIntrSaddSat, opname.LLVMIntrSsubSat, opname.LLVMIntrUaddSat, opname.LLVMIntrUsubSat, opname.LLVMIntrSshlSat, opname.LLVMIntrUshlSat:
		return 2, true
	case opname.LLVMSelect, opname.LLVMIntrFMA, opname.LLVMIntrFMulAdd, opname.LLVMIntrFshl, opname.LLVMIntrFshr:
		return 3, true
	case opname.LLVMMlirConstant, opname.LLVMMlirZero, opname.LLVMMlirUndef, opname.LLVMMlirPoison, opname.LLVMMlirAddressOf:
		return 0, true
	}
	if _, ok := alike[name]; ok {
		return 1, true
	}
	return 0, false
}

// fitting reports whether the types of a known operation match.
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
	case opname.LLVMLoad:
		return isPtr(op.Operand(0))
	case opname.LLVMStore:
		return isPtr(op.Operand(1))
	case opname.LLVMGetElementPtr:
		if op.NumOperands() == 0 || op.NumResults() != 1 || !isPtr(op.Operand(0)) || !isPtr(op.Result(0)) {
			return false
		}
		_, ok := gepSteps(op)
		return ok
	case opname.LLVMAlloca, opname.LLVMIntToPtr:
		return isPtr(op.Result(0)) && number(op.Operand(0))
	case opname.LLVMPtrToInt:
		return isPtr(op.Operand(0)) && number(op.Result(0))
	case opname.LLVMICmp, opname.LLVMFCmp:
		return same(op.Operands()...) && op.Result(0).Type == ir.Type(ir.I1)
	case opname.LLVMSelect:
		return same(op.Result(0), op.Operand(1), op.Operand(2)) && op.Operand(0).Type == ir.Type(ir.I1)
	case opname.LLVMCondBr:
		return op.NumOperands() > 0 && op.Operand(0).Type == ir.Type(ir.I1)
	case opname.LLVMSwitch:
		if op.NumOperands() == 0 {
			return false
		}
		_, isInt := op.Operand(0).Type.(*ir.IntegerType)
		return isInt
	case opname.LLVMIntrPowi:
		return same(op.Result(0), op.Operand(0)) && ir.IsFloat(op.Result(0).Type) && ir.IsInt(op.Operand(1).Type)
	case opname.LLVMIntrAbs, opname.LLVMIntrCtlz, opname.LLVMIntrCttz, opname.LLVMIntrBswap, opname.LLVMIntrFshl, opname.LLVMIntrFshr,
		opname.LLVMIntrSaddSat, opname.LLVMIntrSsubSat, opname.LLVMIntrUaddSat, opname.LLVMIntrUsubSat, opname.LLVMIntrSshlSat, opname.LLVMIntrUshlSat,
		opname.LLVMIntrCtpop, opname.LLVMIntrBitreverse:
		return same(all...) && ir.IsInt(all[0].Type)
	case opname.LLVMFreeze, opname.LLVMIntrFMulAdd:
		return same(all...)
	case opname.LLVMMlirAddressOf:
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
// are no scalars are reported later.
func convertible(name string, from, to ir.Type) bool {
	a, ok := ir.BitWidth(from, 64)
	b, also := ir.BitWidth(to, 64)
	if !ok || !also {
		return true
	}
	ints, floats := ir.IsInt(from) && ir.IsInt(to), ir.IsFloat(from) && ir.IsFloat(to)
	switch name {
	case opname.LLVMSExt, opname.LLVMZExt:
		return ints && a < b
	case opname.LLVMTrunc:
		return ints && a > b
	case opname.LLVMFPExt:
		return floats && a < b
	case opname.LLVMFPTrunc:
		return floats && a > b
	case opname.LLVMFPToSI, opname.LLVMFPToUI:
		return ir.IsFloat(from) && ir.IsInt(to)
	case opname.LLVMSIToFP, opname.LLVMUIToFP:
		return ir.IsInt(from) && ir.IsFloat(to)
	}
	return a == b
}
