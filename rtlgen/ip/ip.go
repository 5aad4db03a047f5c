// Package ip describes generated RTL to the tools that take it from here: SystemRDL for
// register generators, a FuseSoC core, and an IP-XACT component. All three are written
// from the generated design, its signature and the register map.
//
// Sources: SystemRDL 2.0, FuseSoC's CAPI2, IEEE 1685-2014.
package ip

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"loom/compiler/host"
	"loom/rtlgen"
	"loom/templates"
)

// Files returns the descriptions by file name: <adg>.core and component.xml, and <adg>.rdl
// where the design has a register file; of a direct circuit with its outermost module in place of
// <adg>. The same design gives the same bytes.
func Files(out *rtlgen.Output, version string) (map[string]string, error) {
	v, err := newView(out, version)
	if err != nil {
		return nil, err
	}
	list := map[string]string{v.Stem + ".core": "ip.core.tmpl", "component.xml": "ip.xml.tmpl"}
	if v.Registers != nil {
		list[v.Stem+".rdl"] = "ip.rdl.tmpl"
	}
	files := map[string]string{}
	for name, template := range list {
		if files[name], err = templates.Render(template, v); err != nil {
			return nil, fmt.Errorf("ip: %w", err)
		}
	}
	return files, nil
}

// view is what the templates lay out.
type view struct {
	Stem, Top, Hash, Version string
	// Library is that of the identifier loom:<library>:<top>; Of describes the design.
	Library, Of string
	Sources     []string
	Ports       []port
	Masters     []bus
	Slave       *bus
	Signals     []signal
	Registers   []register // none without a register file
}

// port is a port of the top module, bits Left down to 0.
type port struct {
	Name   string
	Output bool
	Left   int
}

// bus is an AXI interface: the ports Name_xxx.
type bus struct {
	Name        string
	Ports       []pin
	AddressBits int
	DataBits    int
}

// pin is one signal of a bus.
type pin struct{ Logical, Physical string }

// signal is an interface of one port: clock, reset, interrupt.
type signal struct {
	Kind, Role string
	pin
	Parameters []parameter
}

type parameter struct{ Name, Value string }

// Pins are its only one.
func (s signal) Pins() []pin { return []pin{s.pin} }

// register is a row of the register map as the fabric has it: Count entries, of two words
// where Pair is set.
type register struct {
	host.Reg
	Count int
	Pair  bool
}

// portLine matches a port of a generated module.
var portLine = regexp.MustCompile(`^    (input |output) logic +(?:\[(\d+):0\] +)?(\w+),?$`)

func newView(out *rtlgen.Output, version string) (*view, error) {
	if out.Direct != nil {
		return newDirectView(out, version)
	}
	s := out.Signature
	v := &view{Stem: strings.TrimSuffix(s.Top, "_fabric"), Top: s.Top, Library: "fabric", Of: "fabric '" + s.Fabric + "'", Hash: s.LayoutHash, Version: number(version), Sources: out.Sources}
	reset := rtlgen.Reset{Name: "rst", High: true}
	hosted := out.Files[v.Stem+"_top.sv"] != ""
	if hosted {
		v.Top = v.Stem + "_top"
		reset = out.Reset
	}
	if err := v.readPorts(out); err != nil {
		return nil, err
	}
	if hosted {
		var sized []bool
		for _, m := range s.Memories {
			sized = append(sized, slices.Repeat([]bool{m.Bounds}, m.Regions)...)
		}
		v.host(len(s.Inputs), len(s.Outputs), sized)
	}
	for _, b := range s.Buses {
		v.Masters = append(v.Masters, v.bus(b.AXI, b.AddressBits, b.DataBits))
	}
	v.signals(reset)
	return v, nil
}

// newDirectView describes a direct circuit.
func newDirectView(out *rtlgen.Output, version string) (*view, error) {
	s := out.Direct
	v := &view{Stem: s.Module, Top: s.Module, Library: "direct", Of: "kernel '" + out.Signature.Fabric + "'", Hash: s.LayoutHash, Version: number(version), Sources: out.Sources}
	if err := v.readPorts(out); err != nil {
		return nil, err
	}
	reset, bases := rtlgen.Reset{Name: s.Reset, High: true}, 0
	if out.Wrapper != nil {
		reset, bases = out.Wrapper.Reset, len(out.Wrapper.Bases)
	}
	sized := slices.Repeat([]bool{out.Wrapper != nil && out.Wrapper.Bounds}, bases)
	for _, b := range s.Buses {
		switch b.Protocol {
		case rtlgen.ControlAXI4Lite:
			v.host(len(s.Inputs), len(s.Outputs), sized)
		case rtlgen.PortsAXI4:
			v.Masters = append(v.Masters, v.bus(b.Prefix, b.AddressBits, b.DataBits))
		}
	}
	v.signals(reset)
	return v, nil
}

// readPorts takes the ports of the top module from its text.
func (v *view) readPorts(out *rtlgen.Output) error {
	_, text, _ := strings.Cut(out.Files[v.Top+".sv"], "\nmodule "+v.Top+" (\n")
	head, _, ok := strings.Cut(text, "\n);\n")
	if !ok {
		return fmt.Errorf("ip: no module %s", v.Top)
	}
	for line := range strings.Lines(head) {
		line = strings.TrimRight(line, "\n")
		m := portLine.FindStringSubmatch(line)
		if m == nil {
			if strings.HasPrefix(strings.TrimSpace(line), "//") {
				continue
			}
			return fmt.Errorf("ip: %s: cannot read the port %q", v.Top, line)
		}
		p := port{Name: m[3], Output: m[1] == "output"}
		if m[2] != "" {
			p.Left, _ = strconv.Atoi(m[2])
		}
		v.Ports = append(v.Ports, p)
	}
	return nil
}

// host adds the register file; sized says which base addresses have a size beside.
func (v *view) host(inputs, outputs int, sized []bool) {
	b := v.bus("s_axil", 12, 32)
	v.Slave = &b
	count := map[host.Channel]int{host.PerInput: inputs, host.PerOutput: outputs, host.PerBase: len(sized)}
	for _, r := range host.Registers {
		x := register{Reg: r, Count: max(r.Words, 1)}
		if r.PerChannel != host.Single {
			x.Count, x.Pair = count[r.PerChannel], true
		}
		if r.PerChannel == host.PerSize {
			v.Registers = append(v.Registers, sizes(x, sized)...)
			continue
		}
		if x.Count > 0 {
			v.Registers = append(v.Registers, x)
		}
	}
}

// sizes are the registers of sizes, an array for those that follow each other: the first is named like the
// register, or where it is not the first one with its number.
func sizes(x register, sized []bool) []register {
	var out []register
	for k, has := range sized {
		switch {
		case !has:
		case k > 0 && sized[k-1]:
			out[len(out)-1].Count++
		default:
			y := x
			y.Count = 1
			if k > 0 {
				y.Name = fmt.Sprintf("%s_%d", x.Name, k)
				y.Offset += 8 * k
			}
			out = append(out, y)
		}
	}
	return out
}

// signals adds clock, reset and, with a register file, the interrupt.
func (v *view) signals(reset rtlgen.Reset) {
	var buses []string
	if v.Slave != nil {
		buses = append(buses, v.Slave.Name)
	}
	for _, m := range v.Masters {
		buses = append(buses, m.Name)
	}
	clocked := []parameter{{"ASSOCIATED_RESET", reset.Name}}
	if len(buses) > 0 {
		clocked = append([]parameter{{"ASSOCIATED_BUSIF", strings.Join(buses, ":")}}, clocked...)
	}
	v.Signals = []signal{
		{"clock", "slave", pin{"CLK", "clk"}, clocked},
		{"reset", "slave", pin{"RST", reset.Name}, []parameter{{"POLARITY", reset.Polarity()}}},
	}
	if v.Slave != nil {
		v.Signals = append(v.Signals, signal{"interrupt", "master", pin{"INTERRUPT", "irq"}, []parameter{{"SENSITIVITY", "LEVEL_HIGH"}}})
	}
}

// number is a version as package managers compare it: digits and dots.
func number(version string) string {
	if m := regexp.MustCompile(`\d+\.\d+(\.\d+)?`).FindString(version); m != "" {
		return m
	}
	return "0.0"
}

func (v *view) bus(name string, addressBits, dataBits int) bus {
	b := bus{Name: name, AddressBits: addressBits, DataBits: dataBits}
	for _, p := range v.Ports {
		if signal, ok := strings.CutPrefix(p.Name, name+"_"); ok && !strings.Contains(signal, "_") {
			b.Ports = append(b.Ports, pin{strings.ToUpper(signal), p.Name})
		}
	}
	return b
}

// Whole are the fields of a register, one over all bits for those without.
func (r register) Whole() []host.Field {
	if len(r.Fields) > 0 {
		return r.Fields
	}
	return []host.Field{{Name: "VALUE", Width: 32, Doc: r.Doc}}
}

// RDL is what SystemRDL calls the access of software and hardware.
func (r register) RDL() string {
	return map[string]string{"R": "sw = r; hw = w;", "W": "sw = w; hw = r;", "RW": "sw = rw; hw = r;",
		"RW1C": "sw = rw; onwrite = woclr; hw = rw;"}[r.Access]
}

// XACT is what IP-XACT calls the access of software.
func (r register) XACT() string {
	return map[string]string{"R": "read-only", "W": "write-only", "RW": "read-write", "RW1C": "read-write"}[r.Access]
}

// Text is a text as the content of an XML element or of a string in SystemRDL.
func (v *view) Text(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "'", `\`, "/").Replace(s)
}
