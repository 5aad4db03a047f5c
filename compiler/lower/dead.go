package lower

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// removable reports whether an operation matters only through its results.
func removable(op *ir.Operation) bool {
	switch op.Name {
	case opname.SCFIf, opname.SCFFor, opname.SCFWhile, opname.SCFYield, opname.SCFCondition,
		opname.MemRefLoad, opname.MemRefAlloc, opname.MemRefAlloca, opname.MemRefGetGlobal, opname.MemRefDim:
		return true
	}
	return isPure(op) && len(op.Regions) == 0 || viewsMemory(op)
}
