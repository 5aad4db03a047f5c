// Package space reads the description of an exploration, explore.yaml: kernels, a base architecture, the
// parameters of it that may vary, limits and objectives. A point of the space is a value for each
// parameter; Space.Architecture is the architecture file of a point, a text that a person could have
// written. The schema is described in docs/explore.md.
package space

import (
	"gopkg.in/yaml.v3"

	"loom/compiler/diag"
)

// Space is a description that was read and checked.
type Space struct {
	// Name is that of the fabrics that are made.
	Name string
	// Base is a fabric of loom fabrics or an architecture file, as it stands in the description;
	// BasePos is where.
	Base    string
	BasePos diag.Pos
	// Kernels are what the fabric is for, at least one.
	Kernels []Kernel
	// Parameters are what varies, in the order of the description.
	Parameters []Parameter
	// Fill is the PE template of all positions of the grid that parameters with Mix leave, "" where
	// there are no such parameters and the pattern of the base stands.
	Fill string
	// Limits are what no point may exceed.
	Limits Limits
	// Objectives are what is minimised. The winner has the least of the first; the others span the front.
	Objectives []Objective
	Search     Search
	Finalists  Finalists
	// Reference are the fabrics that are built in with which the result is compared, nil for all.
	Reference []string
	// Latency is the number of cycles after which external memory responds.
	Latency int

	file string
	base *yaml.Node
}

// Kernel is a function that the fabric has to take.
type Kernel struct {
	// File is the path as in the description, relative to its directory; Pos is where it stands.
	File string
	Pos  diag.Pos
	// Name is that of the file without extension, with Function behind it where one is given.
	Name     string
	Function string
	// Inputs is a file with arguments; where it is "", they are random, from Seed, with Size elements.
	Inputs string
	Seed   uint64
	Size   int64
	// Weight is how much the time of the kernel counts in the mean over all; 1 is usual.
	Weight float64
}

// Parameter is something of the architecture that varies.
type Parameter struct {
	Name string
	Pos  diag.Pos
	// At are the places in the architecture file that get the value; none for Mix.
	At []Path
	// Mix is the PE template whose number on the grid this is.
	Mix string
	// Labels name the values, for people. Ordered is set for numbers: then values next to each other are alike.
	Labels  []string
	Ordered bool
	// Absent is set if the base has no value at one of the places: then the key may not exist at all.
	Absent bool
	// Base is the index of the value that the base architecture has, or of the one next to it.
	Base int

	values []*yaml.Node
	counts []int // of Mix
}

// Limits bound a fabric; 0 is none.
type Limits struct {
	LUTs int `json:"luts,omitempty"`
	FFs  int `json:"ffs,omitempty"`
	DSPs int `json:"dsps,omitempty"`
	// BRAMs are block RAMs of 36 kbit.
	BRAMs int `json:"brams,omitempty"`
	// MHz is the least clock.
	MHz float64 `json:"mhz,omitempty"`
	// NS is the most time of a run, as the mean over the kernels.
	NS float64 `json:"ns,omitempty"`
	// Device is the part that the others come from, "" for none.
	Device string `json:"device,omitempty"`
}

// Objective is a figure that is minimised.
type Objective string

// The objectives. The time of a run is the weighted geometric mean over the kernels: a kernel that runs
// long counts as much as one that runs briefly.
const (
	LUTTime Objective = "lut_ns" // look-up tables times time of a run in ns
	Time    Objective = "ns"
	LUTs    Objective = "luts"
	FFs     Objective = "ffs"
)

var objectives = []string{string(LUTTime), string(Time), string(LUTs), string(FFs)}

// Search bounds the search. The result depends on it and not on the number of workers.
type Search struct {
	Seed uint64 `json:"seed"`
	// Population is the number of points that are kept from one generation to the next, and of
	// those that a generation adds.
	Population int `json:"population"`
	// Evaluations is the number of points that are evaluated in all.
	Evaluations int `json:"evaluations"`
}

// Finalists are the best points, which are mapped with the full effort of the mapper.
type Finalists struct {
	Count int `json:"count"`
	// Cosim asks for a run of each kernel in lock-step under Verilator.
	Cosim bool `json:"cosim,omitempty"`
	// Synthesis asks for the area by synthesis.
	Synthesis bool `json:"synthesis,omitempty"`
	// Route asks for the clock by placing and routing the PEs.
	Route bool `json:"route,omitempty"`
}

// Point is an index into the values of each parameter.
type Point []int

// Labels are the values of a point by the name of the parameter.
func (s *Space) Labels(p Point) map[string]string {
	out := map[string]string{}
	for i, v := range p {
		out[s.Parameters[i].Name] = s.Parameters[i].Labels[v]
	}
	return out
}

// BasePoint has the values of the base architecture, or those next to them.
func (s *Space) BasePoint() Point {
	p := make(Point, len(s.Parameters))
	for i := range p {
		p[i] = s.Parameters[i].Base
	}
	return p
}

// Sizes are the numbers of values of the parameters, Ordered which of them are numbers.
func (s *Space) Sizes() (sizes []int, ordered []bool) {
	for _, p := range s.Parameters {
		sizes, ordered = append(sizes, len(p.Labels)), append(ordered, p.Ordered)
	}
	return sizes, ordered
}

// Addressing lists the parameters that set something at a path or below it: "topology.rows".
func (s *Space) Addressing(path string) []int {
	var out []int
	for i, p := range s.Parameters {
		for _, at := range p.At {
			if at.below(path) {
				out = append(out, i)
				break
			}
		}
	}
	return out
}

// Mixing is the parameter that counts the PEs of a template, -1 where there is none.
func (s *Space) Mixing(template string) int {
	for i, p := range s.Parameters {
		if p.Mix != "" && p.Mix == template {
			return i
		}
	}
	return -1
}
