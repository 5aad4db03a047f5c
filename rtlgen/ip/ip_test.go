package ip

import (
	"encoding/xml"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/circuit"
	"loom/compiler/config"
	"loom/compiler/host"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/internal/fabrictest"
	"loom/internal/testkit"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
)

// design generates a fabric with its descriptions into a directory.
func design(t *testing.T, f *arch.Fabric, reset rtlgen.Reset) (dir string, out *rtlgen.Output, files map[string]string) {
	t.Helper()
	out, err := rtlgen.Generate(f, config.NewLayout(f), rtlgen.Meta{InputName: "t", InputHash: "h", ToolVersion: "t", Reset: reset})
	if err != nil {
		t.Fatal(err)
	}
	if files, err = Files(out, "v1.2.3-test"); err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, set := range []map[string]string{out.Files, files} {
		for name, text := range set {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir, out, files
}

func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", filepath.Base(name), args, err, out)
	}
	return string(out)
}

// TestRegisterOffsets: the headers that PeakRDL writes from the SystemRDL and from the
// IP-XACT have every register, array and bit where loom_accel.h has it.
func TestRegisterOffsets(t *testing.T) {
	peakrdl := toolstest.Python(t, "peakrdl")
	toolstest.Need(t, "gcc")
	f := fabrictest.Everything(32)
	for i, c := range f.ExternalMemories() {
		c.Mem.Bounds = i != 1 // sizes 0 and 2
	}
	dir, out, _ := design(t, f, rtlgen.Reset{})
	header, _, err := host.Driver()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "loom_accel.h"), header, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []string{"everything.rdl", "component.xml"} {
		run(t, dir, peakrdl, "c-header", c, "-o", "regs.h")
		text, err := os.ReadFile(filepath.Join(dir, "regs.h"))
		if err != nil {
			t.Fatal(err)
		}
		// The structure with the registers, and how the names of constants begin.
		_, rest, ok := strings.Cut(string(text), " MAGIC;")
		_, rest, ok2 := strings.Cut(rest, "} ")
		last, _, ok3 := strings.Cut(rest, "_t;")
		head, _, ok4 := strings.Cut(string(text), "__STATUS__BUSY_bm")
		if !ok || !ok2 || !ok3 || !ok4 {
			t.Fatalf("%s: no structure with the registers in\n%s", c, text)
		}
		prefix := head[strings.LastIndexByte(head, ' ')+1:]
		var b strings.Builder
		b.WriteString("#include <stddef.h>\n#include \"regs.h\"\n#include \"loom_accel.h\"\n")
		counts := map[host.Channel]int{host.PerInput: len(out.Signature.Inputs), host.PerOutput: len(out.Signature.Outputs), host.PerBase: 3, host.PerSize: 1}
		for _, r := range host.Registers {
			fmt.Fprintf(&b, "_Static_assert(offsetof(%s_t, %s) == LOOM_REG_%s, \"%s\");\n", last, r.Name, r.Name, r.Name)
			words := max(r.Words, 1)
			if r.PerChannel != host.Single {
				words = 2 * counts[r.PerChannel]
			}
			fmt.Fprintf(&b, "_Static_assert(sizeof(((%s_t *)0)->%s) == %d, \"size of %s\");\n", last, r.Name, 4*words, r.Name)
			for _, f := range r.Fields {
				fmt.Fprintf(&b, "_Static_assert(%s__%s__%s_bp == %d, \"%s.%s\");\n", prefix, r.Name, f.Name, f.Bit, r.Name, f.Name)
				if r.Name == "STATUS" {
					fmt.Fprintf(&b, "_Static_assert(%s__STATUS__%s_bm == LOOM_STATUS_%s, \"%s\");\n", prefix, f.Name, f.Name, f.Name)
				}
			}
		}
		fmt.Fprintf(&b, "_Static_assert(offsetof(%s_t, SIZE_2) == LOOM_REG_SIZE + 16 && sizeof(((%s_t *)0)->SIZE_2) == 8, \"SIZE_2\");\n", last, last)
		if err := os.WriteFile(filepath.Join(dir, "check.c"), []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		run(t, dir, "gcc", "-std=c11", "-Wall", "-Werror", "-fsyntax-only", "check.c")
	}
}

// TestFuseSoC: the lint target of the core runs without a warning.
func TestFuseSoC(t *testing.T) {
	fusesoc := toolstest.Python(t, "fusesoc")
	toolstest.Need(t, "verilator", "make")
	for _, files := range directs(t) {
		dir := t.TempDir()
		core := ""
		for name, text := range files {
			if strings.HasSuffix(name, ".core") {
				core = strings.TrimSuffix(name, ".core")
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		text := run(t, dir, fusesoc, "--cores-root", ".", "run", "--target=lint", "loom:direct:"+core)
		if strings.Contains(text, "WARNING") || strings.Contains(text, "%Warning") || !strings.Contains(text, "verilator") {
			t.Errorf("%s:\n%s", core, text)
		}
	}
	for top, f := range map[string]*arch.Fabric{"scratch_top": fabrictest.Scratch().Fabric, "everything_top": fabrictest.Everything(32)} {
		dir, _, _ := design(t, f, rtlgen.Reset{})
		text := run(t, dir, fusesoc, "--cores-root", ".", "run", "--target=lint", "loom:fabric:"+top)
		if strings.Contains(text, "WARNING") || strings.Contains(text, "%Warning") || !strings.Contains(text, "verilator") {
			t.Errorf("%s:\n%s", top, text)
		}
	}
}

// element is any element of an XML file.
type element struct {
	XMLName  xml.Name
	Text     string    `xml:",chardata"`
	Children []element `xml:",any"`
}

func (e element) all(name string) []element {
	var out []element
	for _, c := range e.Children {
		if c.XMLName.Local == name {
			out = append(out, c)
		}
	}
	return out
}

func (e element) at(path ...string) string {
	for _, name := range path {
		list := e.all(name)
		if len(list) == 0 {
			return ""
		}
		e = list[0]
	}
	return strings.TrimSpace(e.Text)
}

// order is the order of the children of an element in the schema of IEEE 1685-2014, those
// that LOOM writes; a + marks one that must be there.
var order = map[string]string{
	"component":              "vendor+ library+ name+ version+ busInterfaces+ addressSpaces memoryMaps model+ fileSets+ description+",
	"busInterface":           "name+ busType+ abstractionTypes+ slave master parameters",
	"abstractionType":        "abstractionRef+ portMaps+",
	"portMap":                "logicalPort+ physicalPort+",
	"addressSpace":           "name+ range+ width+",
	"memoryMap":              "name+ addressBlock+ addressUnitBits",
	"addressBlock":           "name+ baseAddress+ range+ width+ usage access register+ registerFile",
	"register":               "name+ description dim addressOffset+ size+ access field+",
	"registerFile":           "name+ description dim addressOffset+ range+ register+",
	"field":                  "name+ description bitOffset+ bitWidth+ access modifiedWriteValue",
	"model":                  "views+ instantiations+ ports+",
	"view":                   "name+ componentInstantiationRef+",
	"componentInstantiation": "name+ language+ moduleName+ fileSetRef+",
	"port":                   "name+ wire+",
	"wire":                   "direction+ vectors",
	"vector":                 "left+ right+",
	"fileSet":                "name+ file+",
	"file":                   "name+ fileType+",
	"parameter":              "name+ value+",
}

func structure(t *testing.T, e element) {
	t.Helper()
	if rule, ok := order[e.XMLName.Local]; ok {
		var want, need []string
		for _, w := range strings.Fields(rule) {
			name, required := strings.CutSuffix(w, "+")
			want = append(want, name)
			if required {
				need = append(need, name)
			}
		}
		last := 0
		for _, c := range e.Children {
			k := slices.Index(want, c.XMLName.Local)
			if k < last {
				t.Errorf("%s: %s stands in the wrong place", e.XMLName.Local, c.XMLName.Local)
			}
			last = max(k, last)
		}
		for _, n := range need {
			if len(e.all(n)) == 0 {
				t.Errorf("%s without %s", e.XMLName.Local, n)
			}
		}
	}
	for _, c := range e.Children {
		if c.XMLName.Space != "http://www.accellera.org/XMLSchema/IPXACT/1685-2014" {
			t.Errorf("%s is in namespace %q", c.XMLName.Local, c.XMLName.Space)
		}
		structure(t, c)
	}
}

// TestIPXACT: the component follows the schema, maps every port of its buses once, and
// names clock, reset and interrupt.
func TestIPXACT(t *testing.T) {
	dir, out, files := design(t, fabrictest.Everything(32), rtlgen.Reset{Name: "rst", High: true})
	var c element
	if err := xml.Unmarshal([]byte(files["component.xml"]), &c); err != nil {
		t.Fatal(err)
	}
	structure(t, c)
	ports := map[string]int{}
	for _, p := range c.all("model")[0].all("ports")[0].all("port") {
		ports[p.at("name")] = 0
	}
	buses := map[string]string{}
	parameters := map[string]string{}
	for _, b := range c.all("busInterfaces")[0].all("busInterface") {
		for _, p := range b.all("parameters")[0].all("parameter") {
			parameters[b.at("name")+"."+p.at("name")] = p.at("value")
		}
		for _, m := range b.all("abstractionTypes")[0].all("abstractionType")[0].all("portMaps")[0].all("portMap") {
			physical := m.at("physicalPort", "name")
			if _, ok := ports[physical]; !ok {
				t.Errorf("%s maps %s, which is no port", b.at("name"), physical)
			}
			ports[physical]++
			buses[b.at("name")] += m.at("logicalPort", "name") + " "
		}
	}
	for p, n := range ports {
		if n != 1 {
			t.Errorf("port %s is mapped %d times", p, n)
		}
	}
	for name, want := range map[string]string{
		"s_axil": "AWVALID AWREADY AWADDR WVALID WREADY WDATA WSTRB BVALID BREADY BRESP ARVALID ARREADY ARADDR RVALID RREADY RDATA RRESP ",
		"m_axi_ext_load": "ARVALID ARREADY ARID ARADDR ARLEN ARSIZE ARBURST ARLOCK ARCACHE ARPROT " +
			"RVALID RREADY RID RDATA RRESP RLAST ",
		"clk": "CLK ", "rst": "RST ", "irq": "INTERRUPT ",
	} {
		if buses[name] != want {
			t.Errorf("%s: %s", name, buses[name])
		}
	}
	if parameters["rst.POLARITY"] != "ACTIVE_HIGH" || parameters["clk.ASSOCIATED_RESET"] != "rst" ||
		parameters["clk.ASSOCIATED_BUSIF"] != "s_axil:m_axi_ext:m_axi_ext_load:m_axi_ext_store" || parameters["s_axil.PROTOCOL"] != "AXI4LITE" {
		t.Errorf("parameters %v", parameters)
	}
	var listed []string
	for _, f := range c.all("fileSets")[0].all("fileSet")[0].all("file") {
		listed = append(listed, f.at("name"))
		if _, err := os.Stat(filepath.Join(dir, f.at("name"))); err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(listed, out.Sources) {
		t.Errorf("files %v", listed)
	}
}

// TestSchema validates components against the schema of the standard, and shows that a fault of
// each kind is found.
func TestSchema(t *testing.T) {
	python := toolstest.Python(t, "python3")
	script, err := filepath.Abs("testdata/schema.py")
	if err != nil {
		t.Fatal(err)
	}
	_, _, files := design(t, fabrictest.Everything(32), rtlgen.Reset{})
	good := files["component.xml"]
	texts, faults := []string{good}, 0
	for _, f := range []*arch.Fabric{fabrictest.Scratch().Fabric, fabrictest.Loop().Fabric, withoutRegisters()} {
		for _, reset := range []rtlgen.Reset{{}, {Name: "clear", High: true}} {
			_, _, files := design(t, f, reset)
			texts = append(texts, files["component.xml"])
		}
	}
	for _, files := range directs(t) {
		texts = append(texts, files["component.xml"])
	}
	for _, m := range [][2]string{
		{"<ipxact:direction>in<", "<ipxact:direction>input<"},
		{"<ipxact:access>read-only<", "<ipxact:access>readable<"},
		{"<ipxact:addressOffset>", "<ipxact:offset>"},
		{"1685-2014", "1685-2022"},
		{"<ipxact:version>", "<ipxact:release>"},
	} {
		end := func(s string) string { return strings.Replace(s, "<", "</", 1) }
		broken := strings.Replace(good, m[0], m[1], 1)
		if strings.HasSuffix(m[0], ">") {
			broken = strings.Replace(broken, end(m[0]), end(m[1]), 1)
		}
		if broken == good {
			t.Fatalf("the component lacks %q", m[0])
		}
		texts = append(texts, broken)
		faults++
	}
	dir := t.TempDir()
	args := []string{script}
	for i, text := range texts {
		name := fmt.Sprintf("%d.xml", i)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	lines := strings.Split(strings.TrimSpace(run(t, dir, python, args...)), "\n")
	if len(lines) != len(texts) {
		t.Fatalf("%d lines for %d files:\n%s", len(lines), len(texts), strings.Join(lines, "\n"))
	}
	for i, line := range lines {
		if isGood := i < len(texts)-faults; isGood != (line == "valid") {
			t.Errorf("file %d: %s", i, line)
		}
	}
}

// withoutRegisters is a fabric that the register file does not hold.
func withoutRegisters() *arch.Fabric {
	f := fabrictest.Tiny()
	f.Outputs = nil
	for _, c := range f.Channels {
		if c.Dst.Comp == nil {
			c.Dst.Port = -1
		}
	}
	return f
}

// TestWithoutRegisters: a fabric that the register file does not hold is described as
// <adg>_fabric, without a register map; descriptions repeat.
func TestWithoutRegisters(t *testing.T) {
	_, out, files := design(t, withoutRegisters(), rtlgen.Reset{})
	if len(files) != 2 || !strings.Contains(files["component.xml"], "<ipxact:name>"+out.Top+"</ipxact:name>") ||
		!strings.Contains(files["component.xml"], "ACTIVE_HIGH") {
		t.Errorf("%d files\n%s", len(files), files["component.xml"])
	}
	again, err := Files(out, "v1.2.3-test")
	if err != nil || again["component.xml"] != files["component.xml"] {
		t.Error("the second description is another")
	}
}

// directs are direct circuits with their descriptions: the core alone, with AXI4 masters, and with
// the register file.
func directs(t *testing.T) []map[string]string {
	t.Helper()
	low, err := lower.Lower(testkit.Kernel(t, "vecadd"), lower.Options{IndexWidth: 32, MemoryOrder: "pipelined"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := circuit.Build(low.Func, circuit.Options{IndexWidth: 32, Latency: latency.Fixed(4)})
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]string
	for _, p := range []rtlgen.Ports{{}, {Default: rtlgen.PortsAXI4Each}, {Default: rtlgen.PortsAXI4, Control: rtlgen.ControlAXI4Lite}} {
		out, err := rtlgen.GenerateDirect(c, rtlgen.Meta{InputName: "t", ToolVersion: "t", Ports: p})
		if err != nil {
			t.Fatal(err)
		}
		files, err := Files(out, "v1.2.3-test")
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(files, out.Files)
		all = append(all, files)
	}
	return all
}

// TestDirectIPXACT: the component of a direct circuit has its buses with all their signals, clock,
// reset and interrupt, and registers as many as the kernel has arguments, results and arrays.
func TestDirectIPXACT(t *testing.T) {
	for i, want := range []string{"clk rst", "m_axi_a m_axi_b m_axi_c clk rst", "s_axil m_axi clk aresetn irq"} {
		files := directs(t)[i]
		var c element
		if err := xml.Unmarshal([]byte(files["component.xml"]), &c); err != nil {
			t.Fatal(err)
		}
		structure(t, c)
		var names []string
		for _, b := range c.all("busInterfaces")[0].all("busInterface") {
			names = append(names, b.at("name"))
			n := len(b.all("abstractionTypes")[0].all("abstractionType")[0].all("portMaps")[0].all("portMap"))
			if strings.HasPrefix(b.at("name"), "m_axi") && n != 35 {
				t.Errorf("%s has %d signals", b.at("name"), n)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("interfaces %s, want %s", got, want)
		}
		if maps := c.all("memoryMaps"); i == 2 {
			counts := ""
			for _, r := range maps[0].all("memoryMap")[0].all("addressBlock")[0].all("registerFile") {
				counts += r.at("name") + " " + r.at("dim") + " "
			}
			if counts != "ARG 2 RESULT 1 BASE 3 " {
				t.Errorf("registers %s", counts)
			}
		} else if len(maps) > 0 {
			t.Error("registers without a register file")
		}
	}
}
