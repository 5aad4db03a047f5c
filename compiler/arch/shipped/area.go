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
	"mesh4x4":     {LUTs: 20329, FFs: 10990},
	"float4x4":    {LUTs: 22039, FFs: 12099},
	"temporal4x4": {LUTs: 34006, FFs: 21701},
	"temporal6x6": {LUTs: 64639, FFs: 37123},
	"mesh6x6":     {LUTs: 41974, FFs: 22241},
	"float6x6":    {LUTs: 49396, FFs: 26039},
	"mixed6x6":    {LUTs: 49727, FFs: 26550},
	"mixed8x8":    {LUTs: 83275, FFs: 42899},
	"mesh8x8":     {LUTs: 78720, FFs: 40650},
	"wide6x6":     {LUTs: 79970, FFs: 35452},
}

// MHz is the clock of the architectures after placement and routing (ECP5-85k, speed grade 6): that of
// four of their PEs (alu, str, mul or muc, tok or mem, of those with floating point fad, str, fmu, tok or mem, on 2 x 2), which make fmax
// measures, as the tools do not route a whole fabric in reasonable time, and its paths are those of neighbouring PEs.
// In the parts of temporal4x4 and temporal6x6 a temporal PE is the fourth. double16x16 was not measured: it is assumed to differ from
// double10x10 as float16x16 does from float12x12.
var MHz = map[string]float64{
	"mesh4x4":     92,
	"float4x4":    86,
	"temporal4x4": 91,
	"temporal6x6": 89,
	"mesh6x6":     92,
	"float6x6":    88,
	"mixed6x6":    90,
	"mixed8x8":    85,
	"wide6x6":     76,
	"mesh8x8":     92,
	"double6x6":   72,
	"float8x8":    91,
	"mixed10x10":  81,
	"mesh12x12":   88,
	"float12x12":  82,
	"double10x10": 72,
	"float16x16":  74,
	"double16x16": 65,
}
