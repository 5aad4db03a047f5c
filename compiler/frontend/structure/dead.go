package structure

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// onlyValues reports whether an operation matters only through its results and
// what is in its regions.
func onlyValues(op *ir.Operation) bool {
	switch op.Name {
	case opname.SCFIf, opname.SCFFor, opname.SCFWhile, opname.SCFIndexSwitch, opname.SCFYield, opname.SCFCondition:
		return true
	case opname.MemRefLoad, opname.MemRefGetGlobal, opname.MemRefAlloca, opname.MemRefDim:
		return true
	}
	return op.Is(ir.Pure) && len(op.Regions) == 0
}
