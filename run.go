package loom

import (
	"encoding/json"
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/latency"
	"loom/sim/dram"
	"loom/sim/trace"
	"loom/sim/vector"
)

// Environment is the memory and stall behaviour around the hardware in a run with a clock.
type Environment struct {
	// Latency is the latency of external memories, in cycles; the zero value is
	// latency.Default.
	Latency latency.Profile
	// Stall is the percentage of cycles, 0 to 95, in which each boundary channel and memory
	// port stalls.
	Stall int
	// StallSeed is the seed for choosing these cycles.
	StallSeed uint64
	// MaxCycles is the number of cycles after which a run ends with status budget; 0 is
	// DefaultMaxCycles.
	MaxCycles int64
}

// maxStall leaves some cycles without a stall.
const maxStall = 95

// Check returns an OptionError for the first field that is out of range.
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

// Level is the result of one level of the verification ladder.
type Level struct {
	// Level is 0 for the source compiled for this machine, 1 for the interpreter, 2 for the
	// token simulator, 3 for the cycle simulator, 4 for the RTL under Verilator.
	Level int `json:"level"`
	// Name describes the level, such as "token simulator, one-token channels".
	Name string `json:"name"`
	// Status is how the level ended; mismatch if its results differ from the reference.
	Status vector.Status `json:"status"`
	// Cycles is the length of the run in clock cycles, 0 for levels without a clock; of a loop
	// that the host launches several times, all launches together.
	Cycles int64 `json:"cycles,omitempty"`
	// Launches is how often the level has run the kernel, where the domain is a loop.
	Launches int `json:"launches,omitempty"`
	// HostFunction is set where the generated host function, compiled, made these launches and
	// its result was compared, too.
	HostFunction bool `json:"host_function,omitempty"`
}

// Run is the result of running a kernel on some inputs, at one level or several.
type Run struct {
	// Levels lists the levels that have run, in order; all but the last have status done.
	Levels []Level
	// Outcome is the outcome of the last level, of the source's whole function.
	Outcome *vector.Outcome
	// Failed is the name of the level whose status is not done, "" for none.
	Failed string
	// Environment is the environment of the levels with a clock.
	Environment Environment
	// Trace and Stat are the cycle simulator's trace and statistics (.sim.trace, .sim.stat),
	// nil if it did not run or did not record; where the domain is a loop, of its longest
	// launch.
	Trace, Stat []byte
	// Loops are the loops of the graph with the initiation intervals measured in the cycle
	// simulator beside those that the mapping promises; of the run that Stat is of. Those of a direct
	// circuit behind a wrapper are measured in its co-simulation, if there is one.
	Loops []trace.LoopStat
	// Traffic is what the external memory did, nil where it is no DRAM; in the run that Loops are of.
	Traffic *dram.Report
	// Caches are the read caches of external memories that were used, in that run.
	Caches []vector.Cache
	// Buses are those of external memories that were used, in that run.
	Buses []vector.Bus
	// MemoryLatency is the external memory that the promised intervals assume.
	MemoryLatency string
	// Waveform is the path of the RTL's waveform (FST), "" for none.
	Waveform string

	want *vector.Outcome // reference: the original function's outcome, then the interpreter's
	by   Level           // level that want comes from
	// tolerance is the difference from want allowed for floats of the next level.
	tolerance vector.Tolerance
}

// JSON returns the outcome as one JSON object, with the members "levels", "loops", "dram", "caches" and "buses" if
// the run has them.
func (r *Run) JSON() []byte {
	object := r.Outcome.JSON(arch.HardwareSymbol)
	add := func(key string, list any) {
		text, err := json.Marshal(list)
		if err != nil {
			panic(err) // plain data
		}
		object = fmt.Appendf(object[:len(object)-1:len(object)-1], `, %q: %s}`, key, text)
	}
	if len(r.Levels) > 0 {
		add("levels", r.Levels)
	}
	if len(r.Loops) > 0 {
		add("loops", r.Loops)
	}
	if r.Traffic != nil {
		add("dram", r.Traffic)
	}
	if len(r.Caches) > 0 {
		add("caches", r.Caches)
	}
	if len(r.Buses) > 0 {
		add("buses", r.Buses)
	}
	return object
}

// recorded takes over what a recorder has of the run in the cycle simulator.
func (r *Run) recorded(rec *trace.Recorder) {
	stat := rec.Stats.Result()
	stat.Memory = r.Traffic
	for i := range stat.Modules {
		for k := range r.Caches {
			if m := &stat.Modules[i]; m.Name == r.Caches[k].Memory {
				m.Cache = &r.Caches[k]
			}
		}
		for k := range r.Buses {
			if m := &stat.Modules[i]; m.Name == r.Buses[k].Memory {
				if m.Loads != nil {
					m.Loads.Use = r.Buses[k].Loads
				}
				if m.Stores != nil {
					m.Stores.Use = r.Buses[k].Stores
				}
			}
		}
	}
	r.Trace, r.Stat, r.Loops, r.MemoryLatency = rec.Trace(), stat.JSON(), stat.Loops, stat.MemoryLatency
}

// Artifacts returns the run's result and, if it was recorded, trace, statistics and the
// visualisation that plays it back. Files of an earlier run that this run does not
// have are listed as stale.
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
	return &a, m.picture(&a, r)
}
