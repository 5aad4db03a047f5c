package hostsim

import (
	"encoding/binary"
	"fmt"
	"testing"

	"loom/compiler/latency"
	"loom/internal/fabrictest"
)

// ram is memory from address 0 on.
type ram []byte

func (m ram) Read(addr uint64, data []byte) bool {
	if addr+uint64(len(data)) > uint64(len(m)) {
		return false
	}
	copy(data, m[addr:])
	return true
}

func (m ram) Writable(addr uint64, n int) bool { return addr+uint64(n) <= uint64(len(m)) }

func (m ram) Write(addr uint64, data []byte) { copy(m[addr:], data) }

// bench is a device with the fabric of fabrictest.Loop, used by a program that does not fail.
type bench struct {
	*Device
	t *testing.T
	p *fabrictest.Program
}

func newBench(t *testing.T, opts DeviceOptions) *bench {
	t.Helper()
	p := fabrictest.Loop()
	d, err := NewDevice(p.Fabric, p.Layout, opts)
	if err != nil {
		t.Fatal(err)
	}
	return &bench{d, t, p}
}

func (b *bench) get(offset uint32) uint32 {
	b.t.Helper()
	v, err := b.Read(offset)
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

func (b *bench) put(offset, value uint32) {
	b.t.Helper()
	if err := b.Write(offset, value); err != nil {
		b.t.Fatal(err)
	}
}

// want compares registers with values, given in pairs.
func (b *bench) want(pairs ...uint32) {
	b.t.Helper()
	for ; len(pairs) > 0; pairs = pairs[2:] {
		if v := b.get(pairs[0]); v != pairs[1] {
			b.t.Errorf("register 0x%03x has 0x%x, want 0x%x", pairs[0], v, pairs[1])
		}
	}
}

// load writes the image without its last words.
func (b *bench) load(short int) {
	words := b.p.Image.Encode()
	words = words[:len(words)-short]
	for i, w := range words {
		if i+1 == len(words) {
			b.put(regCfgLast, w)
		} else {
			b.put(regCfgData, w)
		}
	}
}

// Bits of STATUS.
const running, busy, done, failed, idle = 1, 2, 4, 8, 16

// TestLaunches: a program loads an image, runs it twice and finds the results; the report counts
// what it did.
func TestLaunches(t *testing.T) {
	for _, opts := range []DeviceOptions{{}, {Stall: 40, StallSeed: 3, Latency: latency.Profile{Min: 1, Max: 20, Seed: 5}}} {
		memory := make(ram, 4096)
		opts.Memory = memory
		b := newBench(t, opts)
		b.load(0)
		b.want(regStatus, running|idle)
		cycles := int64(0)
		for run := range uint32(2) {
			n, sum := 5+run, 100*run
			for i := range n {
				binary.LittleEndian.PutUint32(memory[64+4*i:], i*i+run)
				sum += i*i + run
			}
			args := map[string]uint32{"start": 0, "step": 1, "bound": n, "init": 100 * run}
			for i, in := range b.p.Fabric.Inputs {
				b.put(regArg+8*uint32(i), args[in.Name])
			}
			b.put(regArgEnable, 1<<len(b.p.Fabric.Inputs)-1)
			b.put(regResultEnable, 1<<len(b.p.Fabric.Outputs)-1)
			b.put(regBase, 64)
			b.put(regBase+8, 1024)
			b.put(regIRQEnable, irqDone)
			b.put(regControl, controlStart)
			for b.get(regStatus)&busy != 0 {
			}
			b.want(regStatus, running|done|idle, regResult, sum, regResultValid, 3, regIRQStatus, irqDone)
			if !b.Interrupt() {
				t.Error("no interrupt")
			}
			b.put(regIRQStatus, irqDone)
			b.want(regIRQStatus, 0)
			for i := range n {
				if v := binary.LittleEndian.Uint32(memory[1024+4*i:]); v != i*i+run {
					t.Errorf("run %d: element %d is %d", run, i, v)
				}
			}
			cycles += int64(b.get(regCyclesLo))
		}
		r := b.Close(nil)
		if want := (Report{Status: "done", ClockCycles: r.ClockCycles, RunCycles: cycles, Launches: 2, ImageLoads: 1}); *r != want || r.ClockCycles <= cycles {
			t.Errorf("%+v, want %+v", *r, want)
		}
	}
}

// TestRefusals: what is refused is counted and has no effect, and the first of it is noted.
func TestRefusals(t *testing.T) {
	b := newBench(t, DeviceOptions{})
	b.put(regControl, controlStart) // nothing is loaded
	b.put(regMagic, 1)
	b.get(regBase) // is written only
	b.want(regStatus, idle, regMagic, 0x4D4F4F4C)
	r := b.Close(nil)
	if r.RefusedRegisters != 3 || r.Launches != 0 || r.Note != fmt.Sprintf("the write of register 0x%03x is refused", regControl) {
		t.Errorf("%+v", r)
	}
}

// TestCyclesHeld: CYCLES_HI has the high word that CYCLES had when CYCLES_LO was read.
func TestCyclesHeld(t *testing.T) {
	b := newBench(t, DeviceOptions{})
	b.regs.cycles = 3<<32 | 0xffffffff
	b.want(regCyclesLo, 0xffffffff)
	b.regs.cycles = 4 << 32
	b.want(regCyclesHi, 3, regCyclesHi, 3, regCyclesLo, 0, regCyclesHi, 4)
}

// TestErrors: an error is reported once, and again after a reset; one that is first seen in the
// cycle of a reset is forgotten with it.
func TestErrors(t *testing.T) {
	b := newBench(t, DeviceOptions{})
	b.put(regIRQEnable, irqError)
	for i := range 3 {
		b.load(1) // too short
		if b.want(regStatus, failed|idle, regIRQStatus, irqError); b.get(regError) == 0 || !b.Interrupt() {
			t.Error("no error")
		}
		if i > 0 { // else the reset takes it back
			b.put(regIRQStatus, irqError)
			if b.want(regIRQStatus, 0); b.Interrupt() {
				t.Error("the error is reported again")
			}
		}
		b.put(regControl, controlReset)
		b.want(regStatus, idle, regIRQStatus, 0, regError, 0)
	}
	// A word that ends an image too soon, and the reset in the cycle in which its error shows.
	step := func() {
		if err := b.regs.step(pins{}); err != nil {
			t.Fatal(err)
		}
	}
	b.regs.cfgBusy, b.regs.cfgLast = true, true
	step()
	b.regs.softReset = true
	step()
	b.want(regStatus, idle, regIRQStatus, 0, regError, 0)
	b.load(1)
	b.want(regStatus, failed|idle, regIRQStatus, irqError)
}

// TestBudget: the clock cycles that a program may take are those of its accesses, too.
func TestBudget(t *testing.T) {
	b := newBench(t, DeviceOptions{MaxCycles: 100})
	if err := b.Pass(90); err != nil {
		t.Fatal(err)
	}
	n := 0
	for ; n < 50; n++ {
		if _, err := b.Read(regMagic); err != nil {
			if r := b.Close(err); r.Status != "budget" || r.ClockCycles != 100 {
				t.Errorf("%+v", r)
			}
			break
		}
	}
	if n == 0 || n > 10 {
		t.Errorf("it ended after %d reads", n)
	}
}
