package structure

import "loom/compiler/ir"

// onlyValues reports whether an operation matters only through its results and
// what is in its regions.
func onlyValues(op *ir.Operation) bool {
	switch op.Name {
	case "scf.if", "scf.for", "scf.while", "scf.index_switch", "scf.yield", "scf.condition":
		return true
	case "memref.load", "memref.get_global", "memref.alloca", "memref.dim":
		return true
	}
	return op.Is(ir.Pure) && len(op.Regions) == 0
}
