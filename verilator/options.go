// Package verilator co-simulates a generated fabric: it builds the SystemVerilog
// with Verilator under a C++ harness, caches the model by content, runs a
// configuration on inputs, and compares results, memories and, in lock-step,
// every channel of every cycle with the reference simulators.
//
// Source: design page "Simulation", section co-simulation; verilator/README.md.
package verilator

import (
	"fmt"
	"time"

	"loom/compiler/arch"
	"loom/compiler/circuit"
	"loom/compiler/config"
	"loom/compiler/latency"
	"loom/compiler/mapping"
	"loom/rtlgen"
	"loom/sim/cycle"
	"loom/sim/vector"
)

// Options are what to run and how.
type Options struct {
	// RTL is the generated design of Fabric; Image its configuration with zero
	// offsets for external memories.
	RTL    *rtlgen.Output
	Fabric *arch.Fabric
	Image  *config.Image
	// Binding connects Inputs to the boundary.
	Binding *mapping.Binding
	Inputs  *vector.Inputs

	// Latency is the memory latency profile; the zero value means fixed:4.
	Latency latency.Profile
	// Stall is the percentage of cycles, 0…99, in which the environment holds
	// back; StallSeed its seed.
	Stall     int
	StallSeed uint64
	// MaxCycles ends the run with status budget; 0 means cycle.DefaultMaxCycles.
	MaxCycles int64

	// Expected is compared with the results and memories of the run when set.
	Expected *vector.Outcome
	// LockStep compares every channel of every cycle with the cycle simulator.
	LockStep bool

	// WavePath, when set, receives an FST waveform. Waves runs the model that can write one
	// in any case: of several runs, of which one writes, all then use the same model.
	WavePath string
	Waves    bool
	// CacheDir overrides the cache of built models (see package cache).
	CacheDir string
	// WorkDir keeps the job and result files of the run when set.
	WorkDir string
	// Jobs is the number of compilers at work; 0 means one per CPU.
	Jobs int
	// Progress is called with the progress of long steps; nil for silence.
	Progress func(Progress)
	// Building is called when the build of a model begins and when it has ended; nil for
	// silence.
	Building func(Build)
	// cycles is how many cycles the run will take, 0 where that is not known.
	cycles int64
	// device is set to build the object file of a device (see Program).
	device bool
	// circuit is set to build a direct circuit (see RunDirect).
	circuit *circuit.Circuit
	// ChannelDump, when set, is a file that receives the state of all channels in
	// the cycles DumpFrom to DumpTo, one JSON object per line.
	ChannelDump      string
	DumpFrom, DumpTo int64
}

// Build is the build of a model that the cache does not hold.
type Build struct {
	// Estimate is how long it will take, by the speed of the last build on this machine.
	Estimate time.Duration
	// Took is how long it took, 0 when it begins.
	Took time.Duration
}

// Progress is one step of a long operation. Total is 0 where it is not known.
type Progress struct {
	Stage       string // "verilate", "compile", "link", "simulate"
	Done, Total int
}

// Report is what a co-simulation found.
type Report struct {
	// Outcome of the hardware. Status Mismatch means that it disagrees with a
	// reference; Outcome.Detail reports where.
	Outcome *vector.Outcome
	// Mismatch is the first lock-step difference, nil where there is none.
	Mismatch *Mismatch
	// Reference is the cycle simulator's outcome in lock-step, nil otherwise.
	Reference *vector.Outcome

	CacheHit     bool
	BuildSeconds float64
	SimSeconds   float64
	// WavePath is the waveform that was written, empty for none.
	WavePath string
	// Model is the directory of the built model.
	Model string
}

func (o *Options) progress(stage string, done, total int) {
	if o.Progress != nil {
		o.Progress(Progress{stage, done, total})
	}
}

func (o *Options) waves() bool { return o.Waves || o.WavePath != "" }

// check finds options that cannot be run.
func (o *Options) check() error {
	switch {
	case o.RTL == nil || o.Fabric == nil || o.Image == nil || o.Binding == nil || o.Inputs == nil:
		return fmt.Errorf("co-simulation needs RTL, fabric, image, binding and inputs")
	case o.Image.Layout == nil || o.Image.Layout.Fabric != o.Fabric:
		return fmt.Errorf("the configuration image does not belong to fabric '%s'", o.Fabric.Name)
	case o.Stall < 0 || o.Stall > 99:
		return fmt.Errorf("stall percentage %d: want 0…99", o.Stall)
	case o.MaxCycles < 0:
		return fmt.Errorf("cycle limit %d is negative", o.MaxCycles)
	case len(o.Binding.Args) != len(o.Inputs.Args):
		return fmt.Errorf("kernel '%s' has %d arguments, the inputs %d", o.Binding.Kernel, len(o.Binding.Args), len(o.Inputs.Args))
	}
	o.Latency = o.Latency.OrDefault()
	if err := o.Latency.Check(); err != nil {
		return err
	}
	if o.MaxCycles == 0 {
		o.MaxCycles = cycle.DefaultMaxCycles
	}
	return nil
}
