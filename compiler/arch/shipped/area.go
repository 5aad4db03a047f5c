package shipped

// Figures are what synthesis needs for <adg>_fabric of an architecture: Yosys 0.23,
// synth_xilinx without flattening, so each module once.
type Figures struct {
	// LUTs are the sum of LUT1 to LUT6, FFs the flip-flops, 0 if only the LUTs are known.
	LUTs, FFs int
	// Estimated is set if the LUTs are the sum of the areas of the modules that
	// smaller fabrics have in common with this one.
	Estimated bool
}

// Area are the figures of the architectures. LOOM_AREA=NAME go test ./rtlgen -run
// TestShippedArea -timeout 2h measures one and compares; TestEstimates computes the others.
var Area = map[string]Figures{
	"mesh4x4":    {LUTs: 62511, FFs: 21796},
	"mesh6x6":    {LUTs: 138000, FFs: 37776},
	"mesh8x8":    {LUTs: 257480, FFs: 66820},
	"wide6x6":    {LUTs: 270242, FFs: 65847},
	"mixed10x10": {LUTs: 422000, Estimated: true},
	"mesh12x12":  {LUTs: 569000, Estimated: true},
}
