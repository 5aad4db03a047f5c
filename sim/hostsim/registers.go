package hostsim

import (
	"slices"

	"loom/compiler/host"
	"loom/sim/cycle"
)

// offsetOf is the offset of a register of the map in bytes.
func offsetOf(name string) uint32 {
	i := slices.IndexFunc(host.Registers, func(r host.Reg) bool { return r.Name == name })
	return uint32(host.Registers[i].Offset)
}

// The registers.
var (
	regMagic        = offsetOf("MAGIC")
	regVersion      = offsetOf("VERSION")
	regHashLo       = offsetOf("HASH_LO")
	regHashHi       = offsetOf("HASH_HI")
	regControl      = offsetOf("CONTROL")
	regStatus       = offsetOf("STATUS")
	regError        = offsetOf("ERROR")
	regCfgData      = offsetOf("CFG_DATA")
	regCfgLast      = offsetOf("CFG_LAST")
	regCyclesLo     = offsetOf("CYCLES_LO")
	regCyclesHi     = offsetOf("CYCLES_HI")
	regPorts        = offsetOf("PORTS")
	regIRQEnable    = offsetOf("IRQ_ENABLE")
	regIRQStatus    = offsetOf("IRQ_STATUS")
	regBaseCount    = offsetOf("BASE_COUNT")
	regArgEnable    = offsetOf("ARG_ENABLE")
	regResultEnable = offsetOf("RESULT_ENABLE")
	regResultValid  = offsetOf("RESULT_VALID")
	regMemCount     = offsetOf("MEM_COUNT")
	regMemSelect    = offsetOf("MEM_SELECT")
	regMemElements  = offsetOf("MEM_ELEMENTS")
	regMemAddr      = offsetOf("MEM_ADDR")
	regMemDataLo    = offsetOf("MEM_DATA_LO")
	regMemDataHi    = offsetOf("MEM_DATA_HI")
	regArg          = offsetOf("ARG")
	regResult       = offsetOf("RESULT")
	regBase         = offsetOf("BASE")
	regSize         = offsetOf("SIZE")
)

// Bits of CONTROL, and of IRQ_ENABLE and IRQ_STATUS.
const (
	controlReset, controlStart = 1, 2
	irqDone, irqError          = 1, 2
)

// enables are four words with a bit per channel.
type enables [4]uint32

func (e *enables) has(i int) bool { return e[i/32]>>(i%32)&1 != 0 }

func (e *enables) set(i int) { e[i/32] |= 1 << (i % 32) }

// bits are the low n bits, those of the channels that exist.
func bits(n int) (e enables) {
	for i := range n {
		e.set(i)
	}
	return e
}

// pins are the inputs of the register bus in one cycle. Byte strobes are always all set.
type pins struct {
	awvalid, wvalid, bready, arvalid, rready bool
	awaddr, wdata, araddr                    uint32
}

// state are the registers of loom_axil_host.
type state struct {
	awFull, wFull bool // address and data of a write wait
	waddr, wdata  uint32
	bvalid, bbad  bool
	cfgBusy       bool // a configuration word waits for the loader
	cfgData       uint32
	cfgLast       bool

	softReset, busy, done   bool
	pending, got            enables
	argEnable, resultEnable enables
	cycles                  uint64
	cyclesHeld              uint32
	args, results           []uint64
	base, size              []uint64
	irqEnable, irqStatus    uint32
	irq, errorSeen          bool
	memNumber, memNext      uint32
	memHi                   uint32
	memEnable, memWrite     bool
	memAddr                 uint32
	memData                 uint64
	readAccess, readAnswer  bool // the two cycles of an element's read
	hostData                uint64
	arFull                  bool
	raddr                   uint32
	rvalid, rbad            bool
	rdata                   uint32
}

// registers is the model of loom_axil_host with the fabric behind it.
type registers struct {
	state
	hw        *cycle.Hardware
	hash      uint64
	inputs    enables // that exist
	outputs   enables
	nin, nout int
	sized     []bool   // which base addresses have a size
	elements  []uint32 // of the memories that the host reaches
	in        cycle.HardwareIn
}

// memElements are the elements of the selected memory.
func (r *registers) memElements() uint32 {
	if uint64(r.memNumber) < uint64(len(r.elements)) {
		return r.elements[r.memNumber]
	}
	return 0
}

// words reports whether an address is within the words of n channels from a register on.
func words(addr, from uint32, n int) bool { return addr >= from && addr < from+8*uint32(n) }

// hasSize reports whether an address is that of the size of an array.
func (r *registers) hasSize(addr uint32) bool {
	return words(addr, regSize, min(len(r.sized), host.MaxSizes)) && r.sized[(addr-regSize)/8]
}

// mayWrite reports whether the write of the cycle is not refused.
func (r *registers) mayWrite(out *cycle.HardwareOut) bool {
	a := r.waddr
	switch a {
	case regControl:
		start := r.wdata&controlStart != 0 && r.wdata&controlReset == 0
		return !start || out.Running && !r.busy && out.Error == 0
	case regIRQEnable, regIRQStatus, regMemSelect, regMemAddr, regMemDataHi:
		return true
	case regMemDataLo:
		return r.memNext < r.memElements()
	case regCfgData, regCfgLast:
		return !r.busy
	}
	return !r.busy && (words(a, regArg, len(r.args)) || words(a, regBase, len(r.base)) || r.hasSize(a) || words(a, regArgEnable, 2) || words(a, regResultEnable, 2))
}

// read is what the read of the cycle gives; an element itself comes later.
func (r *registers) read(out *cycle.HardwareOut) (v uint32, ok bool) {
	a := r.raddr
	switch a {
	case regMagic:
		return 0x4D4F4F4C, true
	case regVersion:
		return host.Version, true
	case regHashLo:
		return uint32(r.hash), true
	case regHashHi:
		return uint32(r.hash >> 32), true
	case regStatus:
		for i, b := range []bool{out.Running, r.busy, r.done, out.Error != 0, out.Idle} {
			if b {
				v |= 1 << i
			}
		}
		return v, true
	case regError:
		return uint32(out.Error), true
	case regCyclesLo:
		return uint32(r.cycles), true
	case regCyclesHi:
		return r.cyclesHeld, true
	case regPorts:
		return uint32(r.nout)<<16 | uint32(r.nin), true
	case regIRQEnable:
		return r.irqEnable, true
	case regIRQStatus:
		return r.irqStatus, true
	case regBaseCount:
		return uint32(len(r.base)), true
	case regMemCount:
		return uint32(len(r.elements)), true
	case regMemSelect:
		return r.memNumber, true
	case regMemElements:
		return r.memElements(), true
	case regMemAddr:
		return r.memNext, true
	case regMemDataHi:
		return r.memHi, true
	case regMemDataLo:
		return 0, r.memNext < r.memElements()
	}
	k := a / 4 % 4
	switch {
	case words(a, regArgEnable, 2):
		return r.argEnable[k], true
	case words(a, regResultEnable, 2):
		return r.resultEnable[k], true
	case words(a, regResultValid, 2):
		return r.got[k], true
	case words(a, regResult, r.nout):
		return half(r.results[(a-regResult)/8], a), true
	}
	return 0, false
}

// half is the word of a pair of registers that an address names.
func half(v uint64, addr uint32) uint32 { return uint32(v >> (8 * (addr & 4))) }

// put replaces that word.
func put(v *uint64, addr, word uint32) {
	shift := 8 * (addr & 4)
	*v = *v&^(0xffffffff<<shift) | uint64(word)<<shift
}

// step simulates a clock cycle. Outputs of the bus are registers: what they show in a cycle
// is their state before it.
func (r *registers) step(p pins) error {
	in := &r.in
	in.Reset = r.softReset
	in.CfgValid, in.CfgData, in.CfgLast = r.cfgBusy, r.cfgData, r.cfgLast
	for i := range in.In {
		in.In[i] = cycle.Token{Valid: r.pending.has(i), Data: r.args[i]}
	}
	for o := range in.Ready {
		in.Ready[o] = r.busy && r.resultEnable.has(o) && !r.got.has(o)
	}
	in.Base, in.Size, in.HostMemory = r.base, r.size, int(r.memNumber)
	in.Host = cycle.HostAccess{Enable: r.memEnable, Write: r.memWrite, Addr: uint64(r.memAddr), Data: r.memData}
	out, err := r.hw.Step(in)
	if err != nil {
		return err
	}

	write := r.awFull && r.wFull && !r.bvalid && !r.cfgBusy && !r.readAccess && !r.readAnswer
	read := r.arFull && !r.rvalid && !write && !r.readAccess && !r.readAnswer
	may := r.mayWrite(out)
	store := write && may
	next := r.state

	// The write channels.
	if write {
		next.awFull, next.wFull, next.bvalid, next.bbad = false, false, true, !may
	} else {
		next.awFull, next.wFull = r.awFull || p.awvalid, r.wFull || p.wvalid
		next.bvalid = r.bvalid && !p.bready
	}
	if !r.awFull {
		next.waddr = p.awaddr
	}
	if !r.wFull {
		next.wdata = p.wdata
	}
	if store && (r.waddr == regCfgData || r.waddr == regCfgLast) {
		next.cfgBusy = true
	} else if out.CfgReady {
		next.cfgBusy = false
	}
	if store && !r.cfgBusy {
		next.cfgData, next.cfgLast = r.wdata, r.waddr == regCfgLast
	}

	// The run.
	start := store && r.waddr == regControl && r.wdata&controlStart != 0 && r.wdata&controlReset == 0
	finish := r.busy && out.Error == 0 && r.pending == enables{} && out.Idle
	for k := range r.got {
		finish = finish && r.resultEnable[k]&^r.got[k] == 0
	}
	for i := range in.Ready {
		if in.Ready[i] && out.Out[i].Valid {
			next.got.set(i)
			next.results = slices.Clone(next.results)
			next.results[i] = out.Out[i].Data
		}
	}
	next.softReset = store && r.waddr == regControl && r.wdata&controlReset != 0
	switch {
	case r.softReset:
		next.pending, next.got, next.busy, next.done, next.cycles = enables{}, enables{}, false, false, 0
	case start:
		next.pending, next.got, next.busy, next.done, next.cycles = r.argEnable, enables{}, true, false, 0
	case r.busy:
		for i := range in.In {
			if out.Ready[i] {
				next.pending[i/32] &^= 1 << (i % 32)
			}
		}
		if out.Error != 0 {
			next.pending = enables{}
		}
		next.cycles++
		next.busy, next.done = !finish && out.Error == 0, finish
	}

	// The interrupt.
	if r.softReset {
		next.errorSeen, next.irqStatus = false, 0
	} else {
		if store && r.waddr == regIRQStatus {
			next.irqStatus &^= r.wdata
		}
		if finish {
			next.irqStatus |= irqDone
		}
		if out.Error != 0 && !r.errorSeen {
			next.irqStatus |= irqError
		}
		next.errorSeen = out.Error != 0
	}
	next.irq = r.irqStatus&r.irqEnable != 0

	// The window to the memories.
	v, ok := r.read(out)
	memWrite, memRead := store && r.waddr == regMemDataLo, read && ok && r.raddr == regMemDataLo
	next.memEnable, next.memWrite = memWrite || memRead, memWrite
	next.readAccess, next.readAnswer = memRead, r.readAccess
	if r.memEnable {
		next.hostData = out.HostData
	}
	if memWrite || memRead {
		next.memAddr = r.memNext
		next.memNext++
	}
	if memWrite {
		next.memData = uint64(r.memHi)<<32 | uint64(r.wdata)
	}
	if store {
		r.store(&next)
	}
	if r.readAnswer {
		next.memHi = uint32(r.hostData >> 32)
	}

	// The read channels.
	next.arFull = !read && (r.arFull || p.arvalid)
	if !r.arFull {
		next.raddr = p.araddr
	}
	switch {
	case r.readAnswer:
		next.rvalid, next.rdata, next.rbad = true, uint32(r.hostData), false
	case read && !memRead:
		next.rvalid, next.rdata, next.rbad = true, v, !ok
	case p.rready:
		next.rvalid = false
	}
	if read && r.raddr == regCyclesLo {
		next.cyclesHeld = uint32(r.cycles >> 32)
	}
	r.state = next
	return nil
}

// store writes the registers that only hold what is written.
func (r *registers) store(next *state) {
	a, k := r.waddr, r.waddr/4%4
	switch {
	case a == regIRQEnable:
		next.irqEnable = r.wdata & (irqDone | irqError)
	case a == regMemSelect:
		next.memNumber = r.wdata
	case a == regMemAddr:
		next.memNext = r.wdata
	case a == regMemDataHi:
		next.memHi = r.wdata
	case words(a, regArgEnable, 2):
		next.argEnable[k] = r.wdata & r.inputs[k]
	case words(a, regResultEnable, 2):
		next.resultEnable[k] = r.wdata & r.outputs[k]
	case words(a, regArg, len(r.args)):
		put(&next.args[(a-regArg)/8], a, r.wdata) // nothing else of this cycle looks at it
	case r.hasSize(a):
		put(&next.size[(a-regSize)/8], a, r.wdata)
	case words(a, regBase, len(r.base)):
		put(&next.base[(a-regBase)/8], a, r.wdata)
	}
}
