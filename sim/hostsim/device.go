// Package hostsim runs a program of the user's against the cycle simulator: <adg>_top as the
// device of a compiled program, with the same clock cycles as its RTL under Verilator
// (package verilator, BuildProgram). The program runs in a process of its own; register accesses
// come from it and accesses to its memory go to it through two pipes.
package hostsim

import (
	"errors"
	"fmt"
	"slices"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/latency"
	"loom/sim/cycle"
)

// DeviceOptions are the surroundings of a device. Latency, Stall and StallSeed are as in a
// co-simulation, and stalls hold back register accesses, too.
type DeviceOptions struct {
	Latency   latency.Profile
	Stall     int // percent, 0 to 99
	StallSeed uint64
	// MaxCycles bounds the clock cycles of the whole program, 0 for no bound.
	MaxCycles int64
	// Memory is what lies behind the AXI4 masters.
	Memory cycle.Memory
}

// Report is what a device has seen of a program.
type Report struct {
	// Status is "done", "budget" when the program was ended after MaxCycles, "broken" when an
	// AXI4 rule was or an image cannot be simulated, or "none" where the program did not access
	// the device or was killed.
	Status string `json:"status"`
	// Exit is the exit status of the program, -1 when a signal ended it.
	Exit int `json:"exit"`
	// ClockCycles are all, RunCycles those in which runs were busy.
	ClockCycles int64 `json:"clock_cycles"`
	RunCycles   int64 `json:"run_cycles"`
	Launches    int64 `json:"launches"`
	ImageLoads  int64 `json:"image_loads"`
	// RefusedRegisters counts accesses to registers that got an error response.
	RefusedRegisters int64 `json:"refused_registers"`
	// Note is the first thing that went wrong at the buses of the device, "" for none.
	Note string `json:"note"`
}

// Device is <adg>_top. The clock runs during register accesses and in Pass.
type Device struct {
	regs    registers
	opts    DeviceOptions
	cycles  int64
	openRun bool // a run whose cycles have not been counted
	report  Report
}

// errBudget ends a program that exceeds MaxCycles.
var errBudget = errors.New("hostsim: the clock cycles are used up")

// The streams of random stalls at the register bus (sim/README.md).
const (
	stallAR = 6000 + iota
	stallR
	stallAW
	stallW
	stallB
)

// NewDevice is a device after its reset.
func NewDevice(f *arch.Fabric, l *config.Layout, opts DeviceOptions) (*Device, error) {
	hw, err := cycle.NewHardware(f, l, cycle.HardwareOptions{Latency: opts.Latency, StallPercent: opts.Stall, StallSeed: opts.StallSeed, Memory: opts.Memory})
	if err != nil {
		return nil, err
	}
	d := &Device{opts: opts}
	r := &d.regs
	r.hw, r.hash, r.nin, r.nout = hw, l.Hash, len(f.Inputs), len(f.Outputs)
	r.inputs, r.outputs = bits(r.nin), bits(r.nout)
	for _, c := range f.HostMemories() {
		r.elements = append(r.elements, uint32(c.Mem.Elements))
	}
	for _, c := range f.ExternalMemories() {
		r.sized = append(r.sized, slices.Repeat([]bool{c.Mem.Bounds}, c.Mem.NumRegion)...)
	}
	r.size = slices.Repeat([]uint64{cycle.Unlimited}, len(r.sized))
	r.args, r.results, r.base = make([]uint64, r.nin), make([]uint64, r.nout), make([]uint64, f.BaseRegisters())
	r.in.In, r.in.Ready = make([]cycle.Token, r.nin), make([]bool, r.nout)
	return d, nil
}

// stalled reports whether something holds back in this cycle.
func (d *Device) stalled(stream uint64) bool {
	return d.opts.Stall > 0 && cycle.Roll(d.opts.StallSeed, stream, uint64(d.cycles))%100 < uint64(d.opts.Stall)
}

func (d *Device) step(p pins) error {
	if err := d.regs.step(p); err != nil {
		return err
	}
	d.cycles++
	if d.cycles == d.opts.MaxCycles {
		return errBudget
	}
	return nil
}

// note keeps the first thing that went wrong.
func (d *Device) note(format string, args ...any) {
	if d.report.Note == "" {
		d.report.Note = fmt.Sprintf(format, args...)
	}
}

// Read is a read of the register at a byte offset.
func (d *Device) Read(offset uint32) (uint32, error) {
	v, bad, err := d.read(offset)
	if bad {
		d.report.RefusedRegisters++
		d.note("the read of register 0x%03x is refused", offset&0xfff)
	}
	return v, err
}

func (d *Device) read(offset uint32) (value uint32, bad bool, err error) {
	r := &d.regs
	asked, taken := false, false
	for {
		asked = asked || !d.stalled(stallAR)
		p := pins{arvalid: asked && !taken, araddr: offset & 0xffc, rready: !d.stalled(stallR)}
		taken = taken || p.arvalid && !r.arFull
		done := r.rvalid && p.rready
		value, bad = r.rdata, r.rbad
		if err := d.step(p); err != nil || done {
			return value, bad && done, err
		}
	}
}

// Write is a write of the register at a byte offset.
func (d *Device) Write(offset, value uint32) error {
	at := offset & 0xffc
	if at == regControl {
		if err := d.endRun(); err != nil {
			return err
		}
	}
	r := &d.regs
	addressed, addressTaken, given, dataTaken := false, false, false, false
	for {
		addressed = addressed || !d.stalled(stallAW)
		given = given || !d.stalled(stallW)
		p := pins{awvalid: addressed && !addressTaken, awaddr: at, wvalid: given && !dataTaken, wdata: value, bready: !d.stalled(stallB)}
		addressTaken = addressTaken || p.awvalid && !r.awFull
		dataTaken = dataTaken || p.wvalid && !r.wFull
		done, bad := r.bvalid && p.bready, r.bbad
		if err := d.step(p); err != nil {
			return err
		}
		switch {
		case !done:
			continue
		case bad:
			d.report.RefusedRegisters++
			d.note("the write of register 0x%03x is refused", offset&0xfff)
		case at == regCfgLast:
			d.report.ImageLoads++
		case at == regControl && value&controlStart != 0:
			d.report.Launches++
			d.openRun = true
		}
		return nil
	}
}

// endRun adds the clock cycles of the last run to those of all.
func (d *Device) endRun() error {
	if !d.openRun {
		return nil
	}
	d.openRun = false
	lo, _, err := d.read(regCyclesLo)
	if err != nil {
		return err
	}
	hi, _, err := d.read(regCyclesHi)
	d.report.RunCycles += int64(uint64(hi)<<32 | uint64(lo))
	return err
}

// Pass lets clock cycles pass.
func (d *Device) Pass(cycles uint64) error {
	for range cycles {
		if err := d.step(pins{}); err != nil {
			return err
		}
	}
	return nil
}

// Interrupt is the level of the interrupt output, Cycles the number of clock cycles so far.
func (d *Device) Interrupt() bool { return d.regs.irq }
func (d *Device) Cycles() int64   { return d.cycles }

// Close ends the accesses; err is what ended them early, nil for none. Exit of the report is not
// set.
func (d *Device) Close(err error) *Report {
	if err == nil {
		err = d.endRun()
	}
	d.report.Status = "done"
	switch {
	case errors.Is(err, errBudget):
		d.report.Status = "budget"
	case err != nil:
		d.report.Status = "broken"
		d.note("the program has loaded an image that the cycle simulator cannot run: %s", diag.FromError(err).All[0].Message)
	}
	for _, r := range d.regs.hw.Refused() {
		access := "read"
		if r.Write {
			access = "write"
		}
		d.note("cycle %d: the %s of address 0x%x by memory %s is refused: the program has no such memory", r.Cycle, access, r.Addr, r.Comp.Name)
	}
	d.report.ClockCycles = d.cycles
	return &d.report
}
