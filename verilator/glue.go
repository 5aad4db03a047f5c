package verilator

import (
	"strings"

	"loom/rtlgen"
)

// glueView is what the generated half of the harness is made from.
type glueView struct {
	Top      string
	Inputs   []rtlgen.PortSignature
	Outputs  []rtlgen.PortSignature
	Memories []rtlgen.MemorySignature
	Channels []channelGlue
}

// channelGlue is a channel with its signals as members of the model's class.
type channelGlue struct {
	Name, Signal, Member string
	Width                int
}

// newGlueView prepares a signature for the templates.
func newGlueView(s *rtlgen.Signature) glueView {
	v := glueView{Top: s.Top, Inputs: s.Inputs, Outputs: s.Outputs, Memories: s.Memories}
	for _, ch := range s.Channels {
		v.Channels = append(v.Channels, channelGlue{ch.Name, ch.Signal, member(s.Top) + "__DOT__" + member(ch.Signal), ch.Width})
	}
	return v
}

// member is a name as Verilator spells it in C++: it escapes the second of two
// underscores. Generated names have none, so this only guards against surprises.
func member(name string) string { return strings.ReplaceAll(name, "__", "___05F") }
