package shipped

// Figures are what synthesis needs for <adg>_fabric of an architecture: Yosys 0.23,
// synth_xilinx, each component (PE, switch, FIFO, memory) flattened for itself.
type Figures struct {
	// LUTs are the sum of LUT1 to LUT6, FFs the flip-flops.
	LUTs, FFs int
}

// Area are the figures of the architectures that were measured: LOOM_AREA=NAME go test
// ./rtlgen -run TestShippedArea measures one and compares. The others are too large for that;
// package cost estimates them.
var Area = map[string]Figures{
	"mesh4x4": {LUTs: 33049, FFs: 17919},
	"mesh6x6": {LUTs: 72445, FFs: 32725},
}
