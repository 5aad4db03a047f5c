package cost

import "loom/compiler/arch"

// What memories take that share an AXI4 master, measured (rtl/AREA.md), with 64 bits of an address. sharer is what one takes more than with a
// master of its own where beats may have several elements, by itself and for each bit of the bus, sharerDeep the same where its places are more
// than those of LUT RAM; the bus is a multiplexer of reads and one of writes, each of which grows a little faster than its inputs.
var (
	sharer        = Cells{LUTs: 424, FFs: 497}
	sharerBit     = Weight{LUTs: 1.35, FFs: 1.03}
	sharerDeep    = Cells{LUTs: 110, FFs: 70}
	sharerDeepBit = Weight{LUTs: 1.3, FFs: 1.02}
	busRegisters  = Cells{FFs: 80}
	busInput      = Weight{LUTs: 41}   // by input beyond the first
	busSquare     = Weight{LUTs: 10.7} // by its square
)

// deepest is how many places a queue in LUT RAM has.
const deepest = 64

// masters are the cells of the AXI4 masters that memories share, beside those that each would have.
func masters(f *arch.Fabric) Cells {
	var sum Cells
	add := func(c Cells, w Weight, n int) {
		sum.Add(c)
		sum.Add(Cells{LUTs: int(w.LUTs * float64(n)), FFs: int(w.FFs * float64(n))})
	}
	for _, m := range f.Masters() {
		if !m.Shared {
			continue
		}
		add(busRegisters, Weight{}, 0)
		loads, stores := 0, 0
		for _, c := range m.Memories {
			if c.Mem.LdCount > 0 {
				loads++
			}
			if c.Mem.StCount > 0 {
				stores++
			}
			if !m.Wide(c) {
				continue
			}
			// Its bursts are made here, not in front of its master.
			sum.LUTs, sum.FFs = sum.LUTs-bursts.LUTs, sum.FFs-bursts.FFs
			add(sharer, sharerBit, m.Width)
			if c.Mem.InFlight() > deepest {
				add(sharerDeep, sharerDeepBit, m.Width)
			}
		}
		for _, n := range []int{loads, stores} {
			if n > 1 {
				add(Cells{}, busInput, n-1)
				add(Cells{}, busSquare, (n-1)*(n-1))
			}
		}
	}
	return sum
}
