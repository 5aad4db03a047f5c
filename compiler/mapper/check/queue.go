package check

import "loom/compiler/arch"

// queue reports whether a component passes every token from its first input to its
// first output, and how many tokens it can hold. It is the checker's own definition of
// what a route may pass without a choice: other kinds end it.
func queue(x *arch.Component) (tokens int, ok bool) {
	if x != nil && x.Kind == arch.FIFO {
		return x.FIFO.Depth, true
	}
	return 0, false
}
