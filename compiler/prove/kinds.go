package prove

import "loom/compiler/arch"

// queue reports whether a component passes every token from its only input on to its only
// output, whatever its configuration. It is the proof's own definition.
func queue(x *arch.Component) bool {
	if x.Kind == arch.FIFO {
		return len(x.In) == 1 && len(x.Out) == 1
	}
	return false
}
