package shipped

// Figures are what synthesis needs for a fabric.
type Figures struct{ LUTs, FFs int }

// Area are the figures of the architectures by name, as far as they are measured.
var Area = map[string]Figures{}
