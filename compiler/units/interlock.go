package units

// What a dataflow.interlock has room for in hardware: the defaults of loom_interlock.
const (
	// InterlockDepth is how many stores may be on their way, their subscripts known and their done tokens not
	// there yet; with that many the subscript of the next one waits.
	InterlockDepth = 16
	// InterlockBits is how many low bits of subscripts are compared: a load also waits for a store whose subscript
	// differs above these alone.
	InterlockBits = 10
)
