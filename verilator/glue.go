package verilator

import (
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
	Hosts              []rtlgen.HostSignature
	Channels           []channelGlue
	Reset              rtlgen.Reset // of <adg>_top
}

// channelGlue is a channel with its signals as members of the model's class.
type channelGlue struct {
	Name, Signal, Member string
	PayloadBits, TagBits int
}

// newGlueView prepares a signature for the templates.
func newGlueView(s *rtlgen.Signature) glueView {
	v := glueView{Wrapper: wrapper, Top: s.Top, Core: s.Core, Inputs: s.Inputs, Outputs: s.Outputs, Memories: s.Memories, Hosts: s.Hosts}
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
