package llvm

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// own is how many operands of the terminators that kernels have go to no successor; all
// are where it is negative.
var own = map[string]int{opname.LLVMBr: 0, opname.LLVMCondBr: 1, opname.LLVMSwitch: 1, opname.LLVMReturn: -1, opname.LLVMUnreachable: 0}

// IsTerminator reports whether an operation is one of the terminators that kernels have.
func IsTerminator(op *ir.Operation) bool {
	_, ok := own[op.Name]
	return ok
}

// Own is how many operands of a terminator go to no successor.
func Own(t *ir.Operation) int {
	if n := own[t.Name]; n >= 0 {
		return n
	}
	return t.NumOperands()
}

// SetSegments writes the attributes with the number of operands that each target of a branch
// receives; cf has the same ones.
func SetSegments(br *ir.Operation, counts []int64) {
	isSwitch := br.Name == opname.LLVMSwitch || br.Name == opname.CFSwitch
	if !isSwitch && br.Name != opname.LLVMCondBr && br.Name != opname.CFCondBr {
		return
	}
	rest := int64(0)
	for _, n := range counts[1:] {
		rest += n
	}
	array := func(n ...int64) ir.Attr { return &ir.DenseArrayAttr{Elem: ir.I32, Values: n} }
	if isSwitch && len(counts) > 1 {
		br.SetAttr("case_operand_segments", array(counts[1:]...))
	}
	br.SetAttr("operandSegmentSizes", array(1, counts[0], rest))
}

// SetTargets replaces the operands that each successor of a branch receives.
func SetTargets(br *ir.Operation, args [][]*ir.Value) {
	operands := append([]*ir.Value(nil), br.Operands()[:Own(br)]...)
	counts := make([]int64, len(args))
	for i, a := range args {
		br.Succs[i].First, br.Succs[i].Count = len(operands), len(a)
		operands = append(operands, a...)
		counts[i] = int64(len(a))
	}
	br.SetOperands(operands)
	SetSegments(br, counts)
}
