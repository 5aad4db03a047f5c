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

// MHz is the clock of the architectures after placement and routing (ECP5-85k, speed grade 6). All have
// that of four PEs of mesh6x6 (alu, str, mul, mem on 2 x 2, make fmax), which was measured: the tools do
// not route a whole fabric in reasonable time, and its paths are those of neighbouring PEs.
var MHz = map[string]float64{
	"mesh4x4":    36,
	"mesh6x6":    36,
	"wide6x6":    36,
	"mesh8x8":    36,
	"mixed10x10": 36,
	"mesh12x12":  36,
}
