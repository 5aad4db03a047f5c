package rtlgen

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/config"
)

// SignatureFormat versions the signature file.
const SignatureFormat = "loom-signature-2"

// Signature describes the generated top level for the testbench and the host:
// the machine-readable counterpart of its port list.
type Signature struct {
	Format string `json:"format"`
	Fabric string `json:"fabric"`
	Top    string `json:"top"`
	// Core is the module with the channels, CoreInstance its instance in Top.
	Core         string            `json:"core"`
	CoreInstance string            `json:"core_instance"`
	LayoutHash   string            `json:"layout_hash"`
	ConfigWords  int               `json:"config_words"`
	Inputs       []PortSignature   `json:"inputs"`
	Outputs      []PortSignature   `json:"outputs"`
	Memories     []MemorySignature `json:"memories"`
	Buses        []BusSignature    `json:"buses"`
	Hosts        []HostSignature   `json:"host_ports"`
	Channels     []ChannelSignal   `json:"channels"`
}

// PortSignature is one boundary channel: ports Port_valid, Port_ready, Port_data.
type PortSignature struct {
	Name  string `json:"name"` // in the architecture
	Port  string `json:"port"` // stem in the RTL
	Type  string `json:"type"`
	Width int    `json:"width"`
}

// CoreInstance is the name of the core inside <adg>_fabric.
const CoreInstance = "u_core"

// MemorySignature is an external memory: ports Prefix_ld_req_valid and so on at the
// core, AXI_arvalid and so on at the fabric. A memory without loads (stores) has
// neither the ports of loads (stores) nor the read (write) channels.
type MemorySignature struct {
	Component   string `json:"component"`
	ComponentID int    `json:"component_id"`
	Prefix      string `json:"prefix"`
	ElementBits int    `json:"element_bits"`
	Load        bool   `json:"load"`
	Store       bool   `json:"store"`
	// TagBits is the width of Prefix_ld_req_tag and its like; 0 on untagged memories,
	// which have no such ports.
	TagBits int `json:"tag_bits"`
	// Regions is the number of entries of its address table; Prefix_base has 64 bits for
	// each, in <adg>_top those of the base address registers from FirstBase on.
	Regions   int `json:"regions"`
	FirstBase int `json:"first_base"`
	// AXI is the prefix of the AXI4 master that serves it; then the widths of its addresses, data
	// and IDs.
	AXI            string `json:"axi"`
	AXIAddressBits int    `json:"axi_address_bits"`
	AXIDataBits    int    `json:"axi_data_bits"`
	AXIIDBits      int    `json:"axi_id_bits"`
	// Outstanding is the number of reads, and of as many writes, that the memory has in flight at
	// most.
	Outstanding int `json:"outstanding"`
	// Burst is the number of elements that share a transaction at most.
	Burst int `json:"burst"`
	// Shared: it shares the master with others, Wide: in beats of several elements where it can.
	Shared bool `json:"shared,omitempty"`
	Wide   bool `json:"wide,omitempty"`
	// Bounds: Prefix_size has 64 bits for each region, too, in <adg>_top those of the size registers
	// with the numbers of the base address registers.
	Bounds bool `json:"bounds,omitempty"`
}

// TagPortBits is the width of the ports of tags, which every master has.
func (m *MemorySignature) TagPortBits() int { return max(m.TagBits, 1) }

// Shift is the log2 of the bytes of an element.
func (m *MemorySignature) Shift() int { return bits.Len(uint(m.ElementBits/8)) - 1 }

// BusSignature is an AXI4 master of the fabric: ports AXI_arvalid and so on. That of one memory without loads (stores) has no
// read (write) channels; one that memories share has both.
type BusSignature struct {
	AXI         string `json:"axi"`
	AddressBits int    `json:"address_bits"`
	DataBits    int    `json:"data_bits"`
	IDBits      int    `json:"id_bits"`
	Load        bool   `json:"load"`
	Store       bool   `json:"store"`
	// Shared: it serves the memories through an interconnect, so beats differ in size, and each memory with loads (stores) has an
	// ID for its reads (writes), from 0 on in this order.
	Shared   bool     `json:"shared,omitempty"`
	Memories []string `json:"memories"` // components
	// ElementBits are the bits of an element, of a shared one 8, the least.
	ElementBits int `json:"element_bits"`
	// Outstanding is the number of reads, and of as many writes, in flight at most, Burst how many elements share a transaction.
	Outstanding int `json:"outstanding"`
	Burst       int `json:"burst"`
}

// Name is what messages call it: the memory whose it is, or the name of its ports.
func (b *BusSignature) Name() string {
	if b.Shared {
		return b.AXI
	}
	return b.Memories[0]
}

// About says whose master it is.
func (b *BusSignature) About() string {
	if b.Shared {
		return "external memories " + strings.Join(b.Memories, ", ") + ", which share it"
	}
	return fmt.Sprintf("external memory %s: elements of %d bits", b.Memories[0], b.ElementBits)
}

// HostSignature is the host port of a memory that is not private, at core and
// fabric: ports Prefix_en, Prefix_we, Prefix_addr, Prefix_wdata, Prefix_rdata. Where
// _en is high the element with index _addr is read, and written with _we; _rdata holds
// its old value in the next cycle.
type HostSignature struct {
	Component   string `json:"component"`
	ComponentID int    `json:"component_id"`
	Prefix      string `json:"prefix"`
	ElementBits int    `json:"element_bits"`
	AddressBits int    `json:"address_bits"`
	Elements    int64  `json:"elements"`
}

// ChannelSignal is one channel of the fabric: signals Signal_valid, Signal_ready,
// Signal_data inside the core, at Path_valid and so on below the top module.
type ChannelSignal struct {
	ID     int    `json:"id"`
	Name   string `json:"name"`
	Signal string `json:"signal"`
	Path   string `json:"path"`
	// Width is that of Signal_data: the payload, and above it TagBits bits of tag. A
	// tagged channel without payload has PayloadBits 0.
	Width       int    `json:"width"`
	PayloadBits int    `json:"payload_bits"`
	TagBits     int    `json:"tag_bits"`
	Source      string `json:"source"`
	Sink        string `json:"sink"`
}

// JSON renders the signature.
func (s *Signature) JSON() (string, error) {
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return "", fmt.Errorf("signature: %w", err)
	}
	return string(b) + "\n", nil
}

func (g *generator) signature() *Signature {
	f := g.fabric
	s := &Signature{
		Format: SignatureFormat, Fabric: f.Name, Top: g.fabricName(), Core: g.coreName(), CoreInstance: CoreInstance,
		LayoutHash: fmt.Sprintf("%016x", g.layout.Hash), ConfigWords: g.layout.WordCount,
		Inputs: []PortSignature{}, Outputs: []PortSignature{}, Memories: []MemorySignature{}, Buses: []BusSignature{},
		Hosts: []HostSignature{}, Channels: []ChannelSignal{},
	}
	for i, b := range f.Inputs {
		s.Inputs = append(s.Inputs, PortSignature{b.Name, g.inputs[i], b.Type.String(), b.Width})
	}
	for i, b := range f.Outputs {
		s.Outputs = append(s.Outputs, PortSignature{b.Name, g.outputs[i], b.Type.String(), b.Width})
	}
	buses, masters := map[*arch.Component]*BusSignature{}, map[*arch.Component]*arch.Master{}
	for _, m := range f.Masters() {
		b := g.bus(m)
		s.Buses = append(s.Buses, b)
		for _, c := range m.Memories {
			buses[c], masters[c] = &b, m
		}
	}
	for _, c := range f.ExternalMemories() {
		b := buses[c]
		s.Memories = append(s.Memories, MemorySignature{
			Component: c.Name, ComponentID: c.ID, Prefix: g.comps[c.ID], ElementBits: c.Mem.ElemWidth,
			Load: c.Mem.LdCount > 0, Store: c.Mem.StCount > 0, TagBits: c.Mem.TagWidth,
			Regions: c.Mem.NumRegion, FirstBase: f.BaseRegister(c, 0),
			AXI: b.AXI, AXIAddressBits: b.AddressBits, AXIDataBits: b.DataBits, AXIIDBits: b.IDBits, Outstanding: c.Mem.InFlight(), Burst: c.Mem.Bursts(), Bounds: c.Mem.Bounds,
			Shared: b.Shared, Wide: masters[c].Wide(c),
		})
	}
	for _, c := range f.HostMemories() {
		s.Hosts = append(s.Hosts, HostSignature{
			Component: c.Name, ComponentID: c.ID, Prefix: g.hostPrefix(c), ElementBits: c.Mem.ElemWidth,
			AddressBits: elementBits(c.Mem), Elements: c.Mem.Elements,
		})
	}
	for _, ch := range f.Channels {
		s.Channels = append(s.Channels, ChannelSignal{
			ID: ch.ID, Name: ch.Name, Signal: g.chans[ch.ID], Path: CoreInstance + "." + g.chans[ch.ID],
			Width: ch.Bits(), PayloadBits: ch.Width, TagBits: ch.TagWidth,
			Source: EndpointName(f, ch.Src, true), Sink: EndpointName(f, ch.Dst, false),
		})
	}
	return s
}

// EndpointName is one end of a channel as messages print it: component.port, the name of
// a boundary port, or "unused".
func EndpointName(f *arch.Fabric, e arch.Endpoint, source bool) string {
	ports, boundary := []arch.Port(nil), f.Outputs
	if source {
		boundary = f.Inputs
	}
	if e.Comp == nil {
		if e.Port < 0 || e.Port >= len(boundary) {
			return "unused"
		}
		return boundary[e.Port].Name
	}
	ports = e.Comp.In
	if source {
		ports = e.Comp.Out
	}
	return e.Comp.Name + "." + ports[e.Port].Name
}

// bus describes a master.
func (g *generator) bus(m *arch.Master) BusSignature {
	c := m.Memories[0]
	b := BusSignature{AXI: g.axiPrefix(c), AddressBits: addressBits, DataBits: m.Width, IDBits: idBits(c.Mem), Load: c.Mem.LdCount > 0, Store: c.Mem.StCount > 0,
		ElementBits: c.Mem.ElemWidth, Outstanding: m.Outstanding(), Burst: m.Burst(), Shared: m.Shared}
	loads, stores := 0, 0
	for _, c := range m.Memories {
		b.Memories = append(b.Memories, c.Name)
		if c.Mem.LdCount > 0 {
			loads++
		}
		if c.Mem.StCount > 0 {
			stores++
		}
	}
	if m.Shared {
		b.AXI, b.Load, b.Store, b.ElementBits = "m_axi_"+m.Name, true, true, 8
		b.IDBits = max(config.ChoiceBits(max(loads, stores)), 1)
	}
	return b
}

// addressBits is the width of addresses on the bus.
const addressBits = 64

// idBits is the width of the AXI IDs of an external memory: its tags, at least one
// bit.
func idBits(m *arch.MemorySpec) int { return max(m.TagWidth, 1) }

// busWidth is the width of the AXI data of an external memory; fabrics made by hand
// may leave it open.
func busWidth(m *arch.MemorySpec) int { return max(m.ElemWidth, m.BusWidth) }

// axiPrefix starts the names of an external memory's AXI4 ports.
func (g *generator) axiPrefix(c *arch.Component) string { return "m_axi_" + g.comps[c.ID] }

// hostPrefix starts the names of the host port of a memory that is not private.
func (g *generator) hostPrefix(c *arch.Component) string { return "host_" + g.comps[c.ID] }

// elementBits is the width of an element's index in an on-chip memory.
func elementBits(m *arch.MemorySpec) int { return max(config.ChoiceBits(int(m.Elements)), 1) }
