package check

import "loom/compiler/arch"

// What the checker allows of a kind of component stands here: it is its own definition,
// shared with nothing that made the mapping, and refuses kinds that it does not know.

// queue reports whether a component passes every token from its first input to its
// first output, and how many tokens it can hold. A route may pass queues without a
// choice: other kinds end it.
func queue(x *arch.Component) (tokens int, ok bool) {
	if x != nil && x.Kind == arch.FIFO {
		return x.FIFO.Depth, true
	}
	return 0, false
}

// operandQueue is how many tokens an operand of a PE can hold behind its selector.
func operandQueue(x *arch.Component) int {
	if x != nil && x.Kind == arch.SpatialPE && x.PE != nil {
		return x.PE.OperandFIFO
	}
	return 0
}

// isMemory reports whether a component is a memory, of the fabric or outside of it.
func isMemory(x *arch.Component) bool { return isOnChip(x) || isExternal(x) }

// isOnChip reports whether a component holds the elements of arrays itself.
func isOnChip(x *arch.Component) bool { return x != nil && x.Kind == arch.Memory && x.Mem != nil }

// isExternal reports whether a component gives access to arguments in external memory.
func isExternal(x *arch.Component) bool { return x != nil && x.Kind == arch.ExtMemory && x.Mem != nil }
