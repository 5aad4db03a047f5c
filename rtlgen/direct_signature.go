package rtlgen

import (
	"encoding/json"

	"loom/compiler/circuit"
)

// DirectFormat versions the signature file of direct circuits.
const DirectFormat = "loom-direct-1"

// DirectSignature is the port list of a direct circuit for programs: what a run takes and
// gives, and the accesses to every array. All widths are bits; a channel of width 0 has no
// data.
type DirectSignature struct {
	Format string `json:"format"`
	Module string `json:"module"`
	// Core is the module inside that computes, where Module is a wrapper around it.
	Core  string `json:"core,omitempty"`
	Clock string `json:"clock"`
	Reset string `json:"reset"` // synchronous
	// ResetActive is the level at which the reset is active: high or low.
	ResetActive string `json:"reset_active"`
	// Control is how runs are started: "channels" where each input and output is a channel.
	Control string          `json:"control"`
	Inputs  []DirectChannel `json:"inputs"`
	Outputs []DirectChannel `json:"outputs"`
	Arrays  []DirectArray   `json:"arrays"`
	Buses   []DirectBus     `json:"buses,omitempty"`
	// LayoutHash identifies the module to its driver, where Control is axi4lite.
	LayoutHash string `json:"layout_hash,omitempty"`
	// Shared are the units that several operations use.
	Shared []DirectShared `json:"shared,omitempty"`
}

// DirectShared is a shared unit: a module of the library, the units of the circuit whose work it
// does, and why they do not need one each.
type DirectShared struct {
	Name   string   `json:"name"`
	Module string   `json:"module"`
	Width  int      `json:"width"`
	Units  []string `json:"units"`
	Reason string   `json:"reason"`
}

// DirectBus is a bus that serves arrays: signals <prefix>_<signal>. Outstanding is how many
// transactions it has in flight per direction at most, Burst how many elements share one.
type DirectBus struct {
	Prefix      string   `json:"prefix"`
	Protocol    string   `json:"protocol"`
	AddressBits int      `json:"address_bits,omitempty"`
	DataBits    int      `json:"data_bits"`
	IDBits      int      `json:"id_bits,omitempty"`
	Outstanding int      `json:"outstanding,omitempty"`
	Burst       int      `json:"burst,omitempty"`
	Bounds      bool     `json:"bounds,omitempty"`
	Arrays      []string `json:"arrays"`
}

// DirectChannel is the channel <name>_valid, <name>_ready, <name>_data.
type DirectChannel struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Width int    `json:"width"`
	// Argument is the position among the kernel's arguments (of an output: results), absent
	// for start and done.
	Argument *int `json:"argument,omitempty"`
}

// DirectArray is an array outside of the circuit: Ports is the style of its ports, Bus the prefix of
// its bus, Base the signal or register of its base address.
type DirectArray struct {
	Name        string         `json:"name"`
	Argument    int            `json:"argument"`
	ElementType string         `json:"element_type"`
	Width       int            `json:"width"`
	AddressBits int            `json:"address_bits"` // of an element index
	Elements    int64          `json:"elements,omitempty"`
	Ports       string         `json:"ports"`
	Accesses    []DirectAccess `json:"accesses,omitempty"` // of memory ports
	Stream      *DirectStream  `json:"stream,omitempty"`
	RAM         []DirectRAM    `json:"ram,omitempty"`
	Bus         string         `json:"bus,omitempty"`
	Base        string         `json:"base,omitempty"`
	Cache       int            `json:"cache,omitempty"` // elements of the read cache in front of the bus
}

// DirectStream is an AXI4-Stream: <prefix>_tvalid, _tready, _tdata, and of one that leaves the
// circuit _tlast.
type DirectStream struct {
	Prefix    string `json:"prefix"`
	Direction string `json:"direction"` // in or out
	DataBits  int    `json:"data_bits"` // an element is in the low ones
}

// DirectRAM is a port of a RAM: <prefix>_en, _addr, of a load _dout, of a store _we and _din.
type DirectRAM struct {
	Kind        string `json:"kind"` // load or store
	Prefix      string `json:"prefix"`
	AddressBits int    `json:"address_bits"`
	Latency     int    `json:"latency"` // cycles from en to dout
}

// DirectAccess is a load or a store: requests <prefix>_req_valid, _ready, _addr and of a store
// _data; responses <prefix>_rsp_valid, _ready and of a load _data.
type DirectAccess struct {
	Kind   string `json:"kind"`
	Prefix string `json:"prefix"`
}

func directSignatureOf(c *circuit.Circuit, w *Wrapper) *DirectSignature {
	s := &DirectSignature{Format: DirectFormat, Module: c.Name, Clock: "clk", Reset: "rst", ResetActive: "high", Control: ControlChannels,
		Inputs: []DirectChannel{}, Outputs: []DirectChannel{}, Arrays: []DirectArray{}}
	channel := func(p *circuit.Port) DirectChannel {
		x := DirectChannel{Name: p.Name, Type: p.Type.String(), Width: p.Width}
		if p.Arg >= 0 {
			arg := p.Arg
			x.Argument = &arg
		}
		return x
	}
	for _, p := range c.Inputs {
		s.Inputs = append(s.Inputs, channel(p))
	}
	for _, p := range c.Outputs {
		s.Outputs = append(s.Outputs, channel(p))
	}
	for _, x := range c.Shares {
		shared := DirectShared{Name: x.Name, Module: x.Module, Width: x.Width, Reason: x.Reason}
		for _, client := range x.Clients {
			shared.Units = append(shared.Units, client.Unit.Name)
		}
		s.Shared = append(s.Shared, shared)
	}
	for _, a := range c.Arrays {
		if !a.External() {
			continue
		}
		x := DirectArray{Name: a.Name, Argument: a.Arg, ElementType: a.Elem.String(), Width: a.Width, AddressBits: a.AddrWidth,
			Elements: a.Elements, Ports: PortsMemory}
		for _, u := range accesses(a) {
			if w == nil {
				x.Accesses = append(x.Accesses, DirectAccess{string(u.Kind), u.Access})
			}
		}
		s.Arrays = append(s.Arrays, x)
	}
	if w != nil {
		w.sign(s)
	}
	return s
}

func (s *DirectSignature) json() (string, error) {
	b, err := json.MarshalIndent(s, "", "  ")
	return string(b) + "\n", err
}
