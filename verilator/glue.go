package verilator

import (
	"slices"
	"strings"

	"loom/rtlgen"
)

// wrapper is the module that Verilator builds: the fabric with an AXI4 checker
// beside every master; fabricInstance is the fabric inside.
const (
	wrapper        = "loom_cosim"
	fabricInstance = "u_fabric"
	// deviceWrapper is the same for <adg>_top, which programs drive.
	deviceWrapper = "loom_hostsim"
)

// glueView is what the generated half of the harness is made from.
type glueView struct {
	Wrapper, Top, Core string
	Inputs             []rtlgen.PortSignature
	Outputs            []rtlgen.PortSignature
	Memories           []rtlgen.MemorySignature
	Buses              []rtlgen.BusSignature
	Hosts              []rtlgen.HostSignature
	Channels           []channelGlue
	Reset              rtlgen.Reset // of <adg>_top
}

// newDeviceView prepares <adg>_top, or a direct circuit behind a register file whose arrays are all
// behind AXI4 masters, for a program.
func newDeviceView(o *rtlgen.Output) glueView {
	if o.Direct == nil {
		v := newGlueView(o.Signature)
		v.Wrapper, v.Top, v.Reset = deviceWrapper, o.HostTop, o.Reset
		return v
	}
	v := glueView{Wrapper: deviceWrapper, Top: o.Direct.Module, Reset: o.Reset}
	for _, b := range o.Direct.Buses {
		if b.Protocol == rtlgen.PortsAXI4 {
			v.Buses = append(v.Buses, rtlgen.BusSignature{Shared: true, Memories: b.Arrays, ElementBits: 8, Load: true, Store: true, AXI: b.Prefix,
				AddressBits: b.AddressBits, DataBits: b.DataBits, IDBits: b.IDBits, Outstanding: b.Outstanding, Burst: b.Burst})
		}
	}
	return v
}

// channelGlue is a channel with its signals as members of the model's class.
type channelGlue struct {
	Name, Signal, Member string
	PayloadBits, TagBits int
}

// channelPart is the number of channels in one function of the harness.
const channelPart = 100

// ChannelParts are the channels, a function each: compilers take time with the square of a function, minutes for
// the channels of a large fabric.
func (v glueView) ChannelParts() [][]channelGlue {
	return slices.Collect(slices.Chunk(v.Channels, channelPart))
}

// newGlueView prepares a signature for the templates.
func newGlueView(s *rtlgen.Signature) glueView {
	v := glueView{Wrapper: wrapper, Top: s.Top, Core: s.Core, Inputs: s.Inputs, Outputs: s.Outputs, Hosts: s.Hosts, Memories: s.Memories, Buses: s.Buses}
	for _, ch := range s.Channels {
		path := strings.Split(wrapper+"."+fabricInstance+"."+ch.Path, ".")
		for i := range path {
			path[i] = member(path[i])
		}
		v.Channels = append(v.Channels, channelGlue{ch.Name, ch.Signal, strings.Join(path, "__DOT__"), ch.PayloadBits, ch.TagBits})
	}
	return v
}

// member is a name as Verilator spells it in C++: it escapes the second of two
// underscores. Generated names have none, so this only guards against surprises.
func member(name string) string { return strings.ReplaceAll(name, "__", "___05F") }
