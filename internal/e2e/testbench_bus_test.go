package e2e

import (
	"fmt"
	"math/rand/v2"

	"loom/compiler/arch"
	"loom/sim/cycle"
)

// busSignals are the signals of one AXI port.
type busSignals struct {
	comp                                  *arch.Component
	width                                 int // of the bus
	arReady, rValid, rID, rErr            *signal
	awReady, wReady, bValid, bID, bErr    *signal
	arValid, arID, arAddr                 *signal
	awValid, awID, awAddr, wValid, wStrbe *signal
	rData, wData                          []*signal
	size                                  []*signal // of a memory with bounds
}

func newBusSignals(r *recording, k int, c *arch.Component) *busSignals {
	b := &busSignals{comp: c, width: max(c.Mem.BusWidth, 8*c.Mem.ElemBytes())}
	n, id := fmt.Sprintf("bus%d_", k), max(c.Mem.TagWidth, 1)
	for k := range c.Mem.NumRegion {
		if c.Mem.Bounds {
			b.size = append(b.size, r.addStim(fmt.Sprintf("%ssize%d", n, k), 64))
		}
	}
	if c.Mem.LdCount > 0 {
		b.arReady, b.rValid = r.addStim(n+"arready", 1), r.addStim(n+"rvalid", 1)
		b.rID, b.rErr = r.addStim(n+"rid", id), r.addStim(n+"rerr", 1)
		for w := range (b.width + 63) / 64 {
			b.rData = append(b.rData, r.addStim(fmt.Sprintf("%srdata%d", n, w), min(b.width, 64)))
		}
		b.arValid = r.addObs(n+"arvalid", n+"arvalid", 1, -1)
		g := len(r.obs) - 1
		b.arID, b.arAddr = r.addObs(n+"arid", n+"arid", id, g), r.addObs(n+"araddr", n+"araddr", 64, g)
	}
	if c.Mem.StCount > 0 {
		b.awReady, b.wReady, b.bValid = r.addStim(n+"awready", 1), r.addStim(n+"wready", 1), r.addStim(n+"bvalid", 1)
		b.bID, b.bErr = r.addStim(n+"bid", id), r.addStim(n+"berr", 1)
		b.awValid = r.addObs(n+"awvalid", n+"awvalid", 1, -1)
		g := len(r.obs) - 1
		b.awID, b.awAddr = r.addObs(n+"awid", n+"awid", id, g), r.addObs(n+"awaddr", n+"awaddr", 64, g)
		b.wValid = r.addObs(n+"wvalid", n+"wvalid", 1, -1)
		g = len(r.obs) - 1
		for w := range (b.width + 63) / 64 {
			part := fmt.Sprintf("%swdata[%d +: %d]", n, 64*w, min(b.width, 64))
			b.wData = append(b.wData, r.addObs(fmt.Sprintf("%swdata%d", n, w), part, min(b.width, 64), g))
		}
		b.wStrbe = r.addObs(n+"wstrb", n+"wstrb", b.width/8, g)
	}
	return b
}

func (b *busSignals) put(x *cycle.TestbenchBus, sizes []uint64, rng *rand.Rand) {
	for k, s := range b.size {
		if sizes == nil {
			s.put(cycle.Unlimited)
		} else {
			s.put(sizes[k])
		}
	}
	elem := 8 * b.comp.Mem.ElemBytes()
	low := ^uint64(0) >> (64 - elem)
	if b.arReady != nil {
		b.arReady.put(bit(x.ARReady))
		b.rValid.put(bit(x.RValid))
		b.rID.put(uint64(x.RID))
		b.rErr.put(bit(x.RErr))
		at := int(x.RAddr) % (b.width / 8) * 8
		for w, s := range b.rData {
			v := rng.Uint64()
			if x.RValid && !x.RErr && at/64 == w { // what comes with an error is noise
				v = v&^(low<<(at%64)) | x.RData<<(at%64)
			}
			s.put(v)
		}
		b.arValid.put(bit(x.ARValid))
		b.arID.put(uint64(x.ARID))
		b.arAddr.put(x.ARAddr)
	}
	if b.awReady != nil {
		b.awReady.put(bit(x.AWReady))
		b.wReady.put(bit(x.WReady))
		b.bValid.put(bit(x.BValid))
		b.bID.put(uint64(x.BID))
		b.bErr.put(bit(x.BErr))
		b.awValid.put(bit(x.AWValid))
		b.awID.put(uint64(x.AWID))
		b.awAddr.put(x.AWAddr)
		b.wValid.put(bit(x.WValid))
		for _, s := range b.wData {
			v := uint64(0)
			for at := 0; at < min(b.width, 64); at += elem {
				v |= x.WData << at
			}
			s.put(v)
		}
		b.wStrbe.put(x.WStrobe[0])
	}
}
