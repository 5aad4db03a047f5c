package lower

import "loom/compiler/ir"

// removable reports whether an operation matters only through its results.
func removable(op *ir.Operation) bool {
	switch op.Name {
	case "scf.if", "scf.for", "scf.while", "scf.yield", "scf.condition",
		"memref.load", "memref.alloc", "memref.alloca", "memref.get_global", "memref.dim":
		return true
	}
	return isPure(op) && len(op.Regions) == 0 || viewsMemory(op)
}
