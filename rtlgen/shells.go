package rtlgen

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/diag"
)

// The two modules around the core. Both are generated from the signature alone, which
// holds what testbench and host need of the fabric's ports.

// fabricView is <adg>_fabric: the core with a loom_axi_master for every external
// memory, and for those that share a master a loom_axi_port each and a loom_axi_bus.
type fabricView struct {
	Header headerView
	*Signature
	Interconnects []interconnect
}

// interconnect is a master that memories share: those with loads, and those with stores, in the order of their IDs.
type interconnect struct {
	BusSignature
	Readers, Writers []*MemorySignature
}

// interconnects are the shared masters.
func interconnects(s *Signature) (out []interconnect) {
	for _, b := range s.Buses {
		if !b.Shared {
			continue
		}
		x := interconnect{BusSignature: b}
		for i := range s.Memories {
			m := &s.Memories[i]
			if m.AXI == b.AXI && m.Load {
				x.Readers = append(x.Readers, m)
			}
			if m.AXI == b.AXI && m.Store {
				x.Writers = append(x.Writers, m)
			}
		}
		out = append(out, x)
	}
	return out
}

// topView is <adg>_top: the fabric behind the AXI4-Lite register file. The AXI4 ports
// pass through; host ports of memories become the window of the register file.
type topView struct {
	Header headerView
	Name   string
	Slot   int    // bits that the register file has for each boundary channel, element and base address
	Bases  int    // base addresses
	Sized  string // a digit for each, the first one last: 1 where the array has a size; "" without any
	Reset  Reset
	*Signature
}

// Reset is the reset input of <adg>_top, synchronous to its clock: without a name aresetn,
// active low, as AXI tools expect.
type Reset struct {
	Name string
	High bool // active high
}

// DefaultReset is the name of a reset that has none.
const DefaultReset = "aresetn"

// ParseReset reads a reset from a command line: NAME, or NAME:high for an active-high
// one. The name must be an identifier of SystemVerilog.
func ParseReset(text string) (Reset, error) {
	name, level, colon := strings.Cut(text, ":")
	if colon && level != "high" && level != "low" {
		return Reset{}, fmt.Errorf("a reset is active high or low, not '%s': write NAME:high or NAME:low", level)
	}
	// Inside a fabric rst has its meaning; as a port of the top it is a name like others.
	if name == "" || name != "rst" && arch.LegalName(name) != name {
		return Reset{}, fmt.Errorf("'%s' cannot name a port in SystemVerilog", name)
	}
	return Reset{name, level == "high"}, nil
}

// Polarity is the level as IP-XACT names it.
func (r Reset) Polarity() string {
	if r.High {
		return "ACTIVE_HIGH"
	}
	return "ACTIVE_LOW"
}

// notOwnName matches what a name in a module may equal without meaning it: words of
// comments, ports of instances.
var notOwnName = regexp.MustCompile(`//.*|\.\w+`)

// maxHostPorts is how many boundary channels per direction, and how many base addresses,
// the register file of loom_axil_host holds, hostWidth the widest channel.
const (
	maxHostPorts = 128
	hostWidth    = 64
)

// maxSizes is how many of the base addresses have room for a size in the register file.
const maxSizes = 64

// sized are the base addresses whose arrays have sizes, as topView has them.
func sized(f *arch.Fabric) string {
	var digits []byte
	for _, c := range f.ExternalMemories() {
		digits = append(digits, strings.Repeat(map[bool]string{false: "0", true: "1"}[c.Mem.Bounds], c.Mem.NumRegion)...)
	}
	if f.SizeRegisters() == 0 {
		return ""
	}
	slices.Reverse(digits)
	return string(digits)
}

// shells emits <adg>_fabric and <adg>_top. Fabrics with more boundary channels or
// regions than the register file holds, or wider channels, are used through <adg>_fabric alone.
func (g *generator) shells(s *Signature) {
	g.emit(s.Top+".sv", "fabric.sv.tmpl", fabricView{g.header(), s, interconnects(s)})
	bases := g.fabric.BaseRegisters()
	if len(s.Inputs) == 0 || len(s.Outputs) == 0 || max(len(s.Inputs), len(s.Outputs), bases) > maxHostPorts || g.fabric.SizeRegisters() > maxSizes {
		return
	}
	for _, ports := range [][]PortSignature{s.Inputs, s.Outputs} {
		for _, p := range ports {
			if p.Width > hostWidth {
				return
			}
		}
	}
	g.hostTop = g.topName()
	v := topView{g.header(), g.topName(), hostWidth, bases, sized(g.fabric), g.meta.Reset, s}
	g.emit(g.topName()+".sv", "top.sv.tmpl", v)
	names := notOwnName.ReplaceAllString(g.files[g.topName()+".sv"], "")
	if len(regexp.MustCompile(`\b`+v.Reset.Name+`\b`).FindAllString(names, -1)) > 2 { // the port and its use
		g.errs.Add((&diag.Diagnostic{Severity: diag.Error, Message: fmt.Sprintf("the reset cannot be called '%s': %s has another signal of this name", v.Reset.Name, g.topName())}).
			WithHelp("choose another name, such as " + DefaultReset))
	}
}
