package cost

import (
	"math/bits"

	"loom/compiler/arch"
)

// What the weights are fitted to has queues in LUT RAM and counters of a few bits; the rest is measured
// (rtl/AREA.md). blockQueue is what a queue in block RAM takes beside what one in LUT RAM does.
var blockQueue = Cells{LUTs: 52, FFs: 56}

// bursts is what an external memory takes more whose accesses share transactions, at 32 bits of data
// and 64 of an address.
var bursts = Cells{LUTs: 490, FFs: 506}

// What a port of an external memory takes more that compares indices of 32 bits with the size of an array:
// boundsPort itself, boundsTagged where its arrays are told apart by tags, boundsRegion for each array beyond the
// first, whose size is chosen among others. The registers of the sizes are in the register file.
var (
	boundsPort   = Cells{LUTs: 57, FFs: 1}
	boundsTagged = Cells{LUTs: 29}
	boundsRegion = Cells{LUTs: 20}
)

// What a read cache takes, with 64 bits of an address: readCache, at 32 bits of data; readCacheLine for each mark
// of a line, which is a 32nd of its elements. Its queues are as deep as that of the memory's responses.
var (
	readCache     = Cells{LUTs: 390, FFs: 369}
	readCacheLine = Cells{LUTs: 4, FFs: 1}
)

// cache are the cells of a memory's read cache.
func cache(m *arch.MemorySpec) Cells {
	var sum Cells
	if m.Cache == 0 {
		return sum
	}
	sum.Add(readCache)
	line := max(m.Cache/32, 4)
	sum.LUTs += readCacheLine.LUTs * line
	sum.FFs += readCacheLine.FFs * line
	n := m.InFlight()
	sum.Add(blocks(n, 2+bits.Len(uint(m.Cache-1))+max(m.TagWidth, 1)))
	sum.Add(blocks(n, 1+m.ElemWidth))
	return sum
}

// bounds are the cells of all ports of a memory for that.
func bounds(m *arch.MemorySpec) Cells {
	var sum Cells
	for _, count := range []int{m.LdCount, m.StCount} {
		if count == 0 || !m.Bounds {
			continue
		}
		sum.Add(boundsPort)
		if m.TagWidth > 0 {
			// Requests under way are counted; the tag of the access outside is kept.
			sum.Add(boundsTagged)
			sum.FFs += bits.Len(uint(m.InFlight())) + m.TagWidth
		}
		sum.LUTs += boundsRegion.LUTs * (m.NumRegion - 1)
	}
	return sum
}

// The widest words and the fewest of them that a queue keeps in LUT RAM (rtl/loom_fifo.sv).
const (
	narrowWord = 7
	shallow    = 64
)

// blocks is a queue's share of that.
func blocks(depth, width int) Cells {
	if depth > shallow && width > narrowWord {
		return blockQueue
	}
	return Cells{}
}

// deep are the cells of the places for accesses on their way, as far as they are more than those of the
// fabrics that the weights are fitted to: counters of as many bits as it takes, and queues in block RAM.
func deep(c *arch.Component) Cells {
	counters := func(n, places, fitted int) Cells {
		more := n * (bits.Len(uint(places)) - bits.Len(uint(fitted)))
		return Cells{LUTs: 2 * more, FFs: more}
	}
	var sum Cells
	switch {
	case c.External():
		m := c.Mem
		n := m.InFlight()
		counted := 0
		if m.LdCount > 0 {
			counted += 3
			sum.Add(blocks(n, m.ElemWidth+m.TagWidth))
		}
		if m.StCount > 0 {
			counted += 2
		}
		sum.Add(counters(counted, n, arch.DefaultOutstanding))
		if m.Burst > 1 {
			sum.Add(bursts)
		}
		sum.Add(bounds(m))
		sum.Add(cache(m))
	case c.Kind == arch.LoadLane && c.Lane != nil:
		sum.Add(counters(4, c.Lane.Slots, arch.LaneDepth))
		sum.Add(blocks(c.Lane.Slots, c.Out[arch.LoadData].Width))
	case c.Kind == arch.StoreLane && c.Lane != nil:
		sum.Add(counters(2, c.Lane.Slots, arch.LaneDepth))
	case c.FIFO != nil:
		sum.Add(blocks(c.FIFO.Depth, c.In[0].Bits()))
	case c.PE != nil:
		for _, in := range c.In {
			sum.Add(blocks(c.PE.OperandFIFO, in.Width))
		}
	}
	return sum
}
