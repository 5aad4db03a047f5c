package rtlgen

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"loom/compiler/circuit"
	"loom/compiler/ir"
	"loom/compiler/latency"
)

// AXI4 ports: one master for all arrays of the style (axi4) or one for each (axi4-each). The accesses
// of a bus have an ID each; rtl/README.md, "AXI4 for direct circuits".

// axiAddressBits is the width of AXI addresses.
const axiAddressBits = 64

// minAXIDataBits is the least width of AXI data, which elements that are wider or a choice make larger; maxAXIDataBits the most
// that can be chosen.
const (
	minAXIDataBits = 32
	maxAXIDataBits = 512
)

// MinPlaces is the number of accesses on their way that a load or store on a bus has room for where
// none is chosen.
const MinPlaces = 16

// PlacesFor is the number of accesses that are on their way at a time if one begins in every cycle and
// waits for a memory of some cycles: 16, 32, 64, or a multiple of 32.
func PlacesFor(cycles, burst, width int) int {
	n := max(MinPlaces, cycles+PortCycles(burst, width, true)+5)
	if n > 64 {
		return (n + 31) / 32 * 32
	}
	return 1 << bits.Len(uint(n-1))
}

// PortCycles is what an access takes longer on a bus than the memory behind it: registers on the way
// there and back; with bursts, until the last element of its own is there, and of a store, until the data
// of all of them has been sent.
// A load of an array with a read cache takes latency.CacheMiss more. Beats of several elements take a register to split
// and to fill.
func PortCycles(burst, width int, store bool) int {
	n := 3
	switch {
	case burst < 2:
		return n
	case store:
		n = 2*burst + latency.BurstStore
	default:
		n = burst + 2
	}
	if width > minAXIDataBits {
		n += 2
	}
	return n
}

// LeastPortCycles is what an access takes longer that waits for no other one, as those do that wait for each other's results.
func LeastPortCycles(burst int, store bool) int {
	n := 3
	if store && burst > 1 {
		n += latency.BurstStore - 1 // one of the registers of the 3 is among these
	}
	return n
}

// PerCycle is how many accesses to an array a bus of these ports serves in a cycle at most, of loads and of stores: as
// many as a beat has of its elements.
func (p Ports) PerCycle(elem ir.Type, indexWidth int) int {
	if n := max(p.Width, minAXIDataBits) >> (3 + elementShift(elem, indexWidth)); p.Width > 0 && n > 1 && n <= p.Burst {
		return n
	}
	return 1
}

func init() {
	portStyles[PortsAXI4] = portStyle{
		group: func(w *wrapperBuilder, arrays []*circuit.Array) (any, error) {
			return w.axiBuses(w.newAXIBus("m_axi", arrays)), nil
		},
		sign: signAXI,
	}
	portStyles[PortsAXI4Each] = portStyle{
		group: func(w *wrapperBuilder, arrays []*circuit.Array) (any, error) {
			var buses []*AXIBus
			for _, a := range arrays {
				buses = append(buses, w.newAXIBus("m_axi_"+a.Name, []*circuit.Array{a}))
			}
			return w.axiBuses(buses...), nil
		},
		sign: signAXI,
	}
}

// AXIBus is an AXI4 master of a wrapper: the signals <Prefix>_awvalid and so on.
type AXIBus struct {
	Prefix                        string
	AddressBits, DataBits, IDBits int
	Arrays                        []*circuit.Array
	Loads, Stores                 []AXIAccess
	// Caches stand between the loads of an array and the bus.
	Caches []*AXICache
	// Readers are what reads on the bus: loads, and caches in the place of theirs. The number of one is its ID.
	Readers []AXIReader
	// Outstanding is how many accesses of each load or store are on their way at most, Burst how many
	// elements share a transaction.
	Outstanding, Burst int
}

// AXICache is a read cache of an array, Elements large: the stem of its signals is Name.
type AXICache struct {
	Name     string
	Elements int
	Shift    int
	Wide     bool // as of AXIAccess
	Loads    []AXIAccess
	// Start and Done are the signals of the channels with which a run begins and ends.
	Start, Done *circuit.Port
}

// ElementBits are the bits of an element in memory.
func (c *AXICache) ElementBits() int { return 8 << c.Shift }

// AXIReader is the stem of signals at the read channels of a bus, and the log2 of the bytes of an element there.
type AXIReader struct {
	Stem  string
	Shift int
}

// AXIAccess is a load or store on a bus: the number of a store, and of the reader that is a load, is its ID.
type AXIAccess struct {
	*circuit.Unit
	Cache *AXICache // that its loads share, nil for none
	Base  string    // signal of the base address
	Size  string    // of the size of the array, "" without bounds
	// Shift is the log2 of the bytes of an element in memory.
	Shift int
	// Wide: beats may have several elements, as it asks for one after the other.
	Wide bool
}

// Limit is how many transactions the bus has in flight per direction at most.
func (b *AXIBus) Limit() int { return b.Outstanding * max(len(b.Readers), len(b.Stores), 1) }

// elementShift is the log2 of the bytes of an element in memory: the least of 1, 2, 4, 8 that hold
// it.
func elementShift(t ir.Type, indexWidth int) int {
	w, _ := ir.BitWidth(t, indexWidth)
	return bits.Len(uint(max(w, 8)-1)) - 3
}

func (w *wrapperBuilder) newAXIBus(prefix string, arrays []*circuit.Array) *AXIBus {
	b := &AXIBus{Prefix: prefix, AddressBits: axiAddressBits, DataBits: max(w.Width, minAXIDataBits), Arrays: arrays}
	for _, a := range arrays {
		if len(a.Loads)+len(a.Stores) > 0 {
			b.DataBits = max(b.DataBits, 8<<elementShift(a.Elem, w.Circuit.IndexWidth))
		}
	}
	for _, a := range arrays {
		shift := elementShift(a.Elem, w.Circuit.IndexWidth)
		lanes := b.DataBits >> (3 + shift)
		words := w.Width > 0 && lanes > 1 && lanes <= w.Burst
		access := func(u *circuit.Unit, cache *AXICache) AXIAccess {
			return AXIAccess{Unit: u, Cache: cache, Base: a.Name + "_base", Shift: shift, Wide: words && u.Follows && cache == nil}
		}
		var cache *AXICache
		if n := w.caches[a]; n > 0 && len(a.Loads) > 0 {
			in, out := w.Circuit.Inputs, w.Circuit.Outputs
			cache = &AXICache{Name: a.Name + "_cache", Elements: n, Shift: shift, Start: in[len(in)-1], Done: out[len(out)-1]}
			b.Caches = append(b.Caches, cache)
			b.Readers = append(b.Readers, AXIReader{cache.Name, shift})
		}
		for _, u := range a.Loads {
			x := access(u, cache)
			b.Loads = append(b.Loads, x)
			if cache != nil {
				cache.Loads = append(cache.Loads, x)
				cache.Wide = cache.Wide || words && u.Follows
			} else {
				b.Readers = append(b.Readers, AXIReader{u.Access, shift})
			}
		}
		for _, u := range a.Stores {
			b.Stores = append(b.Stores, access(u, nil))
		}
	}
	b.IDBits = max(1, bits.Len(uint(max(len(b.Readers), len(b.Stores))-1)))
	return b
}

// axiBuses adds the ports of masters, and what their accesses report.
func (w *wrapperBuilder) axiBuses(buses ...*AXIBus) []*AXIBus {
	out := buses[:0]
	for _, b := range buses {
		if len(b.Loads)+len(b.Stores) == 0 {
			continue // an array that nothing reaches has no bus
		}
		b.Outstanding, b.Burst = w.Outstanding, w.Burst
		out = append(out, b)
		for _, a := range b.Arrays {
			w.base(a, b.Prefix)
		}
		for _, list := range [][]AXIAccess{b.Loads, b.Stores} {
			for i := range list {
				if w.Bounds {
					list[i].Size = list[i].Array.Name + "_size"
				}
			}
		}
		for _, x := range append(append([]AXIAccess(nil), b.Loads...), b.Stores...) {
			err := x.Access + "_err"
			if w.Bounds {
				w.Outside = append(w.Outside, err+"[1]")
				err += "[0]"
			}
			w.Errors = append(w.Errors, err)
			w.Busy = append(w.Busy, x.Access+"_busy")
		}
		first := len(w.Ports)
		add := func(output bool, width int, names ...string) {
			for _, n := range names {
				w.Ports = append(w.Ports, WrapperPort{b.Prefix + "_" + n, output, width, ""})
			}
		}
		for _, c := range []string{"aw", "ar"} {
			if c == "ar" {
				add(true, 1, "wvalid")
				add(false, 1, "wready")
				add(true, b.DataBits, "wdata")
				add(true, b.DataBits/8, "wstrb")
				add(true, 1, "wlast")
				add(false, 1, "bvalid")
				add(true, 1, "bready")
				add(false, b.IDBits, "bid")
				add(false, 2, "bresp")
			}
			add(true, 1, c+"valid")
			add(false, 1, c+"ready")
			add(true, b.IDBits, c+"id")
			add(true, b.AddressBits, c+"addr")
			add(true, 8, c+"len")
			add(true, 3, c+"size")
			add(true, 2, c+"burst")
			add(true, 1, c+"lock")
			add(true, 4, c+"cache")
			add(true, 3, c+"prot")
		}
		add(false, 1, "rvalid")
		add(true, 1, "rready")
		add(false, b.IDBits, "rid")
		add(false, b.DataBits, "rdata")
		add(false, 2, "rresp")
		add(false, 1, "rlast")
		w.Ports[first].Comment = "AXI4 master of " + strings.Join((&PortGroup{Arrays: b.Arrays}).ArrayNames(), ", ") + ": " + b.beats() + ", an ID for each access" + b.sharing()
	}
	return out
}

// sharing says which loads have one ID.
func (b *AXIBus) sharing() string {
	var names []string
	for _, c := range b.Caches {
		names = append(names, c.Loads[0].Array.Name)
	}
	if len(names) == 0 {
		return ""
	}
	return ", one for all loads of " + strings.Join(names, ", ")
}

// beats describes the transactions.
func (b *AXIBus) beats() string {
	wide := func(x AXIAccess) bool { return x.Wide }
	switch {
	case b.Burst > 1 && (slices.ContainsFunc(b.Loads, wide) || slices.ContainsFunc(b.Stores, wide) || slices.ContainsFunc(b.Caches, func(c *AXICache) bool { return c.Wide })):
		return fmt.Sprintf("bursts of up to %d elements, a beat for each word that they fill or for each of them", b.Burst)
	case b.Burst > 1:
		return fmt.Sprintf("bursts of up to %d elements, a beat each", b.Burst)
	}
	return "single beats of an element"
}

func signAXI(g *PortGroup, s *DirectSignature, arrays []*DirectArray) {
	for _, b := range g.View.([]*AXIBus) {
		x := DirectBus{Prefix: b.Prefix, Protocol: PortsAXI4, AddressBits: b.AddressBits, DataBits: b.DataBits, IDBits: b.IDBits, Outstanding: b.Limit(), Burst: b.Burst, Bounds: g.Wrapper.Bounds}
		for _, a := range b.Arrays {
			x.Arrays = append(x.Arrays, a.Name)
			for _, y := range arrays {
				if y.Name == a.Name {
					y.Bus, y.Base, y.Cache = b.Prefix, a.Name+"_base", g.Wrapper.CacheOf(a.Name)
				}
			}
		}
		s.Buses = append(s.Buses, x)
	}
}

// WordOf is how many elements of an array on a bus share a beat: 1 if the bus or its bursts have no room for more, 0 if no
// access to it follows another one.
func (w *Wrapper) WordOf(array string) int {
	for _, g := range w.Groups {
		buses, _ := g.View.([]*AXIBus)
		for _, b := range buses {
			for _, x := range slices.Concat(b.Loads, b.Stores) {
				if x.Array.Name != array || !x.Follows {
					continue
				}
				if n := b.DataBits >> (3 + x.Shift); w.Width > 0 && n <= b.Burst {
					return n
				}
				return 1
			}
		}
	}
	return 0
}
