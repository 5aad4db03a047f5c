package shipped

// Figures are what synthesis needs for <adg>_fabric of an architecture: Yosys 0.23,
// synth_xilinx, each component (PE, switch, FIFO, memory) flattened for itself.
type Figures struct {
	// LUTs are the sum of LUT1 to LUT6, FFs the flip-flops, 0 if only the LUTs are known.
	LUTs, FFs int
	// Estimated is set if the LUTs are the sum of the areas of the modules that
	// smaller fabrics have in common with this one.
	Estimated bool
}

// Area are the figures of the architectures. LOOM_AREA=NAME go test ./rtlgen -run
// TestShippedArea measures one and compares; TestEstimates computes the others.
var Area = map[string]Figures{
	"mesh4x4":    {LUTs: 35850, FFs: 16523},
	"mesh6x6":    {LUTs: 80854, FFs: 29857},
	"mesh8x8":    {LUTs: 150527, FFs: 53817},
	"wide6x6":    {LUTs: 139995, FFs: 47435},
	"mixed10x10": {LUTs: 254000, Estimated: true},
	"mesh12x12":  {LUTs: 332000, Estimated: true},
}
