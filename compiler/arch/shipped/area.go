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
	"mesh4x4": {LUTs: 20706, FFs: 11090},
	"mesh6x6": {LUTs: 44113, FFs: 21305},
	"mesh8x8": {LUTs: 82581, FFs: 38886},
	"wide6x6": {LUTs: 84297, FFs: 34021},
}

// MHz is the clock of the architectures after placement and routing (ECP5-85k, speed grade 6). It is
// that of four PEs of mesh6x6 (alu, str, mul, mem on 2 x 2), which make fmax measures, for all of them:
// the tools do not route a whole fabric in reasonable time, and its paths are those of neighbouring PEs.
// That of wide6x6, with words of 64 bits, is lower, and not known.
var MHz = map[string]float64{
	"mesh4x4":    75,
	"mesh6x6":    75,
	"wide6x6":    75,
	"mesh8x8":    75,
	"mixed10x10": 75,
	"mesh12x12":  75,
}
