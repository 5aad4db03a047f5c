package rtlgen

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/circuit"
	"loom/compiler/config"
	"loom/compiler/ir"
)

// Control by AXI4-Lite: the register file of fabrics (loom_axil_host) in front of the core, with the
// same driver. There is nothing to configure: configuration words are taken and dropped.

func init() {
	controls[ControlAXI4Lite] = control{
		group: func(w *wrapperBuilder) (any, error) {
			c := w.Circuit
			if n := max(len(c.Inputs), len(c.Outputs), len(w.Bases)); n > maxHostPorts {
				return nil, &PortsError{"control", fmt.Sprintf("axi4lite has room for %d arguments, results and arrays each, the kernel '%s' has %d", maxHostPorts, c.Name, n)}
			}
			if w.Bounds && len(w.Bases) > maxSizes {
				return nil, &PortsError{"ports", fmt.Sprintf("gives bounds, of which axi4lite has room for %d arrays, the kernel '%s' has %d; leave bounds out", maxSizes, c.Name, len(w.Bases))}
			}
			for _, p := range append(append([]*circuit.Port(nil), c.Inputs...), c.Outputs...) {
				if p.Width > hostWidth {
					return nil, &PortsError{"control", fmt.Sprintf("axi4lite has registers of %d bits, '%s' of the kernel '%s' has %d", hostWidth, p.Name, c.Name, p.Width)}
				}
			}
			if w.Reset = w.Meta.Reset; w.Reset.Name == "" {
				w.Reset.Name = DefaultReset
			}
			w.axiLitePorts()
			return &AXI4LiteView{Slot: hostWidth, LayoutHash: w.layoutHash(), Inputs: hostSlots(c.Inputs), Outputs: hostSlots(c.Outputs)}, nil
		},
		sign: func(g *PortGroup, s *DirectSignature) {
			s.LayoutHash = fmt.Sprintf("%016x", g.View.(*AXI4LiteView).LayoutHash)
			s.Buses = append([]DirectBus{{Prefix: "s_axil", Protocol: ControlAXI4Lite, AddressBits: 12, DataBits: 32, Arrays: []string{}}}, s.Buses...)
		},
	}
}

// AXI4LiteView is what the templates of the control read beside the wrapper: channel k of Inputs and
// of Outputs is that of the registers ARG and RESULT k, base address k that of Wrapper.Bases.
type AXI4LiteView struct {
	Slot            int // bits of a register for an argument, a result or an address
	LayoutHash      uint64
	Inputs, Outputs []HostSlot
}

// RegisterFile is the register file of a wrapper that is controlled by one, as that of a fabric, for
// what makes drivers: its boundary is that of the core, base address k is that of the external
// memory k, and its image is one word, which the hardware drops. It is nil for other controls.
func (w *Wrapper) RegisterFile() *config.Layout {
	v, ok := w.Control.View.(*AXI4LiteView)
	if !ok {
		return nil
	}
	f := &arch.Fabric{Name: w.Name, IndexWidth: w.Circuit.IndexWidth}
	boundary := func(ports []*circuit.Port) []*arch.Boundary {
		var out []*arch.Boundary
		for _, p := range ports {
			out = append(out, &arch.Boundary{Name: p.Name, Type: p.Type, Width: max(p.Width, 1)})
		}
		return out
	}
	f.Inputs, f.Outputs = boundary(w.Circuit.Inputs), boundary(w.Circuit.Outputs)
	l := &config.Layout{Fabric: f, WordCount: 1, Hash: v.LayoutHash}
	for k, b := range w.Bases {
		t := ir.MemRef([]int64{ir.Dynamic}, b.Array.Elem)
		f.MemPorts = append(f.MemPorts, arch.MemPort{Name: b.Array.Name, Type: t})
		f.Comps = append(f.Comps, &arch.Component{ID: k, Name: b.Bus, Kind: arch.ExtMemory,
			Mem: &arch.MemorySpec{NumRegion: 1, Type: t, ElemWidth: 8 << elementShift(b.Array.Elem, f.IndexWidth), MemPort: k, Bounds: w.Bounds}})
		l.SliceOf = append(l.SliceOf, -1)
	}
	return l
}

// HostSlot is a channel of the core at the register file.
type HostSlot struct {
	*circuit.Port
	Open int // bits of the register that the channel does not have
}

func hostSlots(ports []*circuit.Port) []HostSlot {
	var out []HostSlot
	for _, p := range ports {
		out = append(out, HostSlot{p, hostWidth - p.Width})
	}
	return out
}

// layoutHash identifies the register file of a wrapper to its driver: the kernel with its arguments,
// results and base addresses.
func (w *Wrapper) layoutHash() uint64 {
	h := sha256.New()
	fmt.Fprintf(h, "direct %s\n", w.Core)
	for _, p := range w.Circuit.Inputs {
		fmt.Fprintf(h, "in %s %s\n", p.Name, p.Type)
	}
	for _, p := range w.Circuit.Outputs {
		fmt.Fprintf(h, "out %s %s\n", p.Name, p.Type)
	}
	for _, b := range w.Bases {
		fmt.Fprintf(h, "base %s %s\n", b.Name, b.Array.Elem)
		if w.Bounds {
			fmt.Fprintf(h, "size %s\n", b.Size())
		}
	}
	return binary.LittleEndian.Uint64(h.Sum(nil))
}

// axiLitePorts adds the slave and the interrupt.
func (w *wrapperBuilder) axiLitePorts() {
	first := len(w.Ports)
	for _, p := range []struct {
		name   string
		output bool
		width  int
	}{
		{"awvalid", false, 1}, {"awready", true, 1}, {"awaddr", false, 12}, {"wvalid", false, 1}, {"wready", true, 1}, {"wdata", false, 32},
		{"wstrb", false, 4}, {"bvalid", true, 1}, {"bready", false, 1}, {"bresp", true, 2}, {"arvalid", false, 1}, {"arready", true, 1},
		{"araddr", false, 12}, {"rvalid", true, 1}, {"rready", false, 1}, {"rdata", true, 32}, {"rresp", true, 2},
	} {
		w.Ports = append(w.Ports, WrapperPort{"s_axil_" + p.name, p.output, p.width, ""})
	}
	w.Ports[first].Comment = "register file: docs/registers.md"
	w.Ports = append(w.Ports, WrapperPort{"irq", true, 1, "high while an enabled event is pending"})
}
