package rtlgen

// The two modules around the core. Both are generated from the signature alone, which
// holds what testbench and host need of the fabric's ports.

// fabricView is <adg>_fabric: the core with a loom_axi_master for every external
// memory.
type fabricView struct {
	Header headerView
	*Signature
}

// topView is <adg>_top: the fabric behind the AXI4-Lite register file. The AXI4 ports
// pass through; host ports of memories become the window of the register file.
type topView struct {
	Header headerView
	Name   string
	Slot   int // bits that the register file has for each boundary channel, element and base address
	Bases  int // base addresses
	*Signature
}

// maxHostPorts is how many boundary channels per direction, and how many base addresses,
// the register file of loom_axil_host holds, hostWidth the widest channel.
const (
	maxHostPorts = 128
	hostWidth    = 64
)

// shells emits <adg>_fabric and <adg>_top. Fabrics with more boundary channels or
// regions than the register file holds, or wider channels, are used through <adg>_fabric alone.
func (g *generator) shells(s *Signature) {
	g.emit(s.Top+".sv", "fabric.sv.tmpl", fabricView{g.header(), s})
	bases := g.fabric.BaseRegisters()
	if len(s.Inputs) == 0 || len(s.Outputs) == 0 || max(len(s.Inputs), len(s.Outputs), bases) > maxHostPorts {
		return
	}
	for _, ports := range [][]PortSignature{s.Inputs, s.Outputs} {
		for _, p := range ports {
			if p.Width > hostWidth {
				return
			}
		}
	}
	g.emit(g.topName()+".sv", "top.sv.tmpl", topView{g.header(), g.topName(), hostWidth, bases, s})
}
