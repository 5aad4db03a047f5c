package rtlgen

import (
	"encoding/json"
	"fmt"

	"loom/compiler/arch"
)

// SignatureFormat versions the signature file.
const SignatureFormat = "loom-signature-1"

// Signature describes the generated top level for the test bench and the host:
// the machine-readable counterpart of its port list.
type Signature struct {
	Format      string            `json:"format"`
	Fabric      string            `json:"fabric"`
	Top         string            `json:"top"`
	LayoutHash  string            `json:"layout_hash"`
	ConfigWords int               `json:"config_words"`
	Inputs      []PortSignature   `json:"inputs"`
	Outputs     []PortSignature   `json:"outputs"`
	Memories    []MemorySignature `json:"memories"`
	Channels    []ChannelSignal   `json:"channels"`
}

// PortSignature is one boundary channel: ports Port_valid, Port_ready, Port_data.
type PortSignature struct {
	Name  string `json:"name"` // in the architecture
	Port  string `json:"port"` // stem in the RTL
	Type  string `json:"type"`
	Width int    `json:"width"`
}

// MemorySignature is the internal request and response port of an extmemory:
// ports Prefix_ld_req_valid and so on.
type MemorySignature struct {
	Component   string `json:"component"`
	ComponentID int    `json:"component_id"`
	Prefix      string `json:"prefix"`
	ElementBits int    `json:"element_bits"`
	Load        bool   `json:"load"`
	Store       bool   `json:"store"`
}

// ChannelSignal is one channel of the fabric: signals Signal_valid, Signal_ready,
// Signal_data inside the top module.
type ChannelSignal struct {
	ID     int    `json:"id"`
	Name   string `json:"name"`
	Signal string `json:"signal"`
	Width  int    `json:"width"`
	Source string `json:"source"`
	Sink   string `json:"sink"`
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
		Format: SignatureFormat, Fabric: f.Name, Top: g.topName(),
		LayoutHash: fmt.Sprintf("%016x", g.layout.Hash), ConfigWords: g.layout.WordCount,
		Inputs: []PortSignature{}, Outputs: []PortSignature{}, Memories: []MemorySignature{}, Channels: []ChannelSignal{},
	}
	for i, b := range f.Inputs {
		s.Inputs = append(s.Inputs, PortSignature{b.Name, g.ports.in[i], b.Type.String(), b.Width})
	}
	for i, b := range f.Outputs {
		s.Outputs = append(s.Outputs, PortSignature{b.Name, g.ports.out[i], b.Type.String(), b.Width})
	}
	for _, c := range f.Comps {
		if c.Kind == arch.ExtMemory {
			s.Memories = append(s.Memories, MemorySignature{
				Component: c.Name, ComponentID: c.ID, Prefix: g.ports.comp[c.ID], ElementBits: c.Mem.ElemWidth,
				Load: c.Mem.LdCount > 0, Store: c.Mem.StCount > 0,
			})
		}
	}
	for _, ch := range f.Channels {
		s.Channels = append(s.Channels, ChannelSignal{
			ID: ch.ID, Name: ch.Name, Signal: g.chans[ch.ID], Width: ch.Width,
			Source: EndpointName(f, ch.Src, true), Sink: EndpointName(f, ch.Dst, false),
		})
	}
	return s
}

// EndpointName spells one end of a channel for people: component.port, the name of
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
