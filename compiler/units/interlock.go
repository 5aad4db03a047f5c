package units

// Of dataflow.interlock (rtl/loom_interlock.sv).
const (
	// InterlockDepth is the number of stores on their way that an interlock keeps.
	InterlockDepth = 16
	// InterlockBits is the number of low bits of subscripts that it compares. Those that differ above wait for each other
	// without need.
	InterlockBits = 10
)
