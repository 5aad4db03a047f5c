package loom

import (
	"encoding/json"
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/latency"
	"loom/sim/vector"
)

// Environment is what surrounds the hardware in a run with a clock.
type Environment struct {
	// Latency is the profile of external memories; the zero value is latency.Default.
	Latency latency.Profile
	// Stall is the percentage of cycles, 0 to 95, in which a boundary channel or memory
	// port holds back.
	Stall int
	// StallSeed is what these cycles are drawn from.
	StallSeed uint64
	// MaxCycles ends a run with status budget; 0 is DefaultMaxCycles.
	MaxCycles int64
}

// maxStall leaves the environment some cycles in which it does not hold back.
const maxStall = 95

// Check refuses what no run could have.
func (e *Environment) Check() error {
	if e.Stall < 0 || e.Stall > maxStall {
		return badOption("stall", "takes 0 to %d percent, found %d", maxStall, e.Stall)
	}
	if e.MaxCycles < 0 || e.MaxCycles > MaxMaxCycles {
		return badOption("max-cycles", "takes 1 to %d, found %d", int64(MaxMaxCycles), e.MaxCycles)
	}
	if err := e.Latency.Check(); err != nil {
		return badOption("latency", "%v", err)
	}
	return nil
}

// Level is one rung of the verification ladder.
type Level struct {
	// Level is 0 for the source on this machine, 1 for the interpreter, 2 for the token
	// simulator, 3 for the cycle simulator, 4 for the hardware under Verilator.
	Level int `json:"level"`
	// Name says in words what ran.
	Name string `json:"name"`
	// Status is how it ended; mismatch where it disagrees with the level before.
	Status vector.Status `json:"status"`
	// Cycles are those of levels with a clock.
	Cycles int64 `json:"cycles,omitempty"`
}

// Run is how a kernel fared on some inputs, at one level or several.
type Run struct {
	// Levels are those that have run; the last may disagree with the one before.
	Levels []Level
	// Outcome is that of the last level.
	Outcome *vector.Outcome
	// Failed names the level that did not end in done or disagreed, "" for none.
	Failed string
	// Environment is that of the levels with a clock.
	Environment Environment
	// Trace and Stat are what the cycle simulator recorded, nil where it did not run.
	Trace, Stat []byte
	// Waveform is the file of the hardware's signals, "" for none.
	Waveform string

	want *vector.Outcome // what the kernel means: of the original function, then of the interpreter
	by   Level           // whose outcome want is
	// tolerance is how far the next level's floats may lie from want.
	tolerance vector.Tolerance
}

// JSON is the outcome as one object, with the levels where there are several.
func (r *Run) JSON() []byte {
	object := r.Outcome.JSON(arch.HardwareSymbol)
	if len(r.Levels) == 0 {
		return object
	}
	levels, err := json.Marshal(r.Levels)
	if err != nil {
		panic(err) // plain data
	}
	return fmt.Appendf(object[:len(object)-1:len(object)-1], `, "levels": %s}`, levels)
}

// Artifacts are the run's result, its trace and its statistics, and of a co-simulation
// the picture that plays the trace. Older files of what the run does not have are stale.
func (r *Run) Artifacts(m *Mapping) (*Artifacts, error) {
	var a Artifacts
	a.add(m.Name()+".sim.result.json", append(r.JSON(), '\n'))
	stale := func(is bool, ext ...string) {
		for _, e := range ext {
			if is {
				a.Stale = append(a.Stale, m.Name()+e)
			}
		}
	}
	stale(r.Trace == nil, ".sim.trace", ".sim.stat")
	stale(len(r.Levels) > 0 && r.Waveform == "", ".fst")
	if r.Trace == nil {
		return &a, nil
	}
	a.add(m.Name()+".sim.trace", r.Trace)
	a.add(m.Name()+".sim.stat", r.Stat)
	if len(r.Levels) == 0 {
		return &a, nil
	}
	return &a, m.picture(&a, r.Trace)
}
