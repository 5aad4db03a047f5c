package check

import "loom/compiler/arch"

// queue reports whether a component hands every token on, from its first input to its
// first output, and how many it holds meanwhile. It is the checker's own idea of what
// a route may pass without a choice: other kinds end it.
func queue(x *arch.Component) (tokens int, ok bool) {
	if x != nil && x.Kind == arch.FIFO {
		return x.FIFO.Depth, true
	}
	return 0, false
}
