package rtlgen_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/internal/fabrictest"
	"loom/rtl"
	"loom/rtlgen"
)

var update = flag.Bool("update", os.Getenv("LOOM_UPDATE") != "", "rewrite golden files")

var meta = rtlgen.Meta{InputName: "test.fabric.mlir", InputHash: "0123abcd", ToolVersion: "v-test"}

func generate(t testing.TB, f *arch.Fabric) *rtlgen.Output {
	t.Helper()
	out, err := rtlgen.Generate(f, config.NewLayout(f), meta)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestGolden holds the text of two small fabrics, one with a bridge: the generated
// files read as they are meant to.
func TestGolden(t *testing.T) {
	for name, g := range map[string]struct {
		fabric *arch.Fabric
		files  []string
	}{
		"loop": {fabrictest.Loop().Fabric, []string{"loop_core.sv", "loop_fabric.sv", "loop_pe_loop.sv", "loop_pe_load.sv", "filelist.f",
			"loop.signature.json"}},
		"scratch": {fabrictest.Scratch().Fabric, []string{"scratch_core.sv", "scratch_top.sv", "scratch.signature.json"}},
	} {
		out := generate(t, g.fabric)
		dir := filepath.Join("testdata", name)
		for _, file := range g.files {
			path := filepath.Join(dir, file)
			if *update {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(out.Files[file]), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), out.Files[file]); d != "" {
				t.Errorf("%s differs (rewrite with -update):\n%s", file, d)
			}
		}
	}
}

// TestDeterminism: two fabrics built alike give the same bytes.
func TestDeterminism(t *testing.T) {
	a, b := generate(t, fabrictest.Everything(32)), generate(t, fabrictest.Everything(32))
	if d := cmp.Diff(a.Files, b.Files); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(a.Sources, b.Sources); d != "" {
		t.Error(d)
	}
}

// TestFiles: library modules are copied unchanged, used modules come before their
// users, nothing is listed that is not there, and every generated file says where
// it came from.
func TestFiles(t *testing.T) {
	out := generate(t, fabrictest.Everything(64))
	at := map[string]int{}
	for i, name := range out.Sources {
		at[name] = i
		text := out.Files[name]
		if strings.HasPrefix(name, "loom_") {
			want, err := rtl.FS.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if text != string(want) {
				t.Errorf("%s is not the library's", name)
			}
			continue
		}
		for _, s := range []string{meta.InputName, meta.InputHash, meta.ToolVersion} {
			if !strings.Contains(text, s) {
				t.Errorf("the header of %s lacks %q", name, s)
			}
		}
	}
	for _, pair := range [][2]string{{"loom_pkg.sv", "loom_divrem.sv"}, {"loom_offer.sv", "loom_fork.sv"},
		{"loom_fifo.sv", "loom_stage.sv"}, {"loom_fork.sv", "everything_pe_all.sv"}, {"everything_pe_join.sv", "everything_core.sv"},
		{"everything_core.sv", "everything_fabric.sv"}, {"loom_axi_master.sv", "everything_fabric.sv"},
		{"everything_fabric.sv", "everything_top.sv"}, {"loom_axil_host.sv", "everything_top.sv"}} {
		i, ok := at[pair[0]]
		j, ok2 := at[pair[1]]
		if !ok || !ok2 || i >= j {
			t.Errorf("%s (%d) must precede %s (%d)", pair[0], i, pair[1], j)
		}
	}
	if len(out.Files) != len(out.Sources)+2 {
		t.Errorf("%d files for %d sources, a file list and a signature: %v", len(out.Files), len(out.Sources), out.Names())
	}
}

// TestSignature: the signature agrees with the fabric and reads back.
func TestSignature(t *testing.T) {
	f := fabrictest.Everything(32)
	out := generate(t, f)
	var s rtlgen.Signature
	if err := json.Unmarshal([]byte(out.Files["everything.signature.json"]), &s); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(*out.Signature, s); d != "" {
		t.Error(d)
	}
	if len(s.Inputs) != len(f.Inputs) || len(s.Outputs) != len(f.Outputs) || len(s.Channels) != len(f.Channels) {
		t.Errorf("%d inputs, %d outputs, %d channels", len(s.Inputs), len(s.Outputs), len(s.Channels))
	}
	if s.Inputs[3].Name != "module" || s.Inputs[3].Port == "module" {
		t.Errorf("the keyword 'module' became port %q", s.Inputs[3].Port)
	}
	want := []rtlgen.MemorySignature{
		{Component: "ext", Prefix: "ext", ElementBits: 32, Load: true, Store: true, Regions: 1, AXI: "m_axi_ext", AXIDataBits: 32, Outstanding: 16, Burst: 1},
		{Component: "ext_load", Prefix: "ext_load", ElementBits: 16, Load: true, Regions: 1, FirstBase: 1, AXI: "m_axi_ext_load", AXIDataBits: 64, Outstanding: 16, Burst: 1},
		{Component: "ext_store", Prefix: "ext_store", ElementBits: 8, Store: true, Regions: 1, FirstBase: 2, AXI: "m_axi_ext_store", AXIDataBits: 8, Outstanding: 16, Burst: 1},
	}
	for i := range want {
		want[i].ComponentID, want[i].AXIAddressBits, want[i].AXIIDBits = s.Memories[i].ComponentID, 64, 1
	}
	if d := cmp.Diff(want, s.Memories); d != "" {
		t.Error(d)
	}
	seen := map[string]bool{}
	for _, ch := range s.Channels {
		if seen[ch.Signal] {
			t.Errorf("two channels are called %s", ch.Signal)
		}
		seen[ch.Signal] = true
	}
}

// TestTaggedSignature: tags give IDs and ports of their own, buses keep their widths.
func TestTaggedSignature(t *testing.T) {
	f, _ := fabrictest.Bridges(32)
	s := generate(t, f).Signature
	want := []rtlgen.MemorySignature{
		{Component: "ext", Prefix: "ext", ElementBits: 16, Load: true, Store: true, TagBits: 3, Regions: 3, AXI: "m_axi_ext", AXIDataBits: 64, AXIIDBits: 3, Outstanding: 16, Burst: 1},
		{Component: "reads", Prefix: "reads", ElementBits: 8, Load: true, TagBits: 2, Regions: 1, FirstBase: 3, AXI: "m_axi_reads", AXIDataBits: 8, AXIIDBits: 2, Outstanding: 16, Burst: 1},
		{Component: "writes", Prefix: "writes", ElementBits: 64, Store: true, TagBits: 2, Regions: 1, FirstBase: 4, AXI: "m_axi_writes", AXIDataBits: 64, AXIIDBits: 2, Outstanding: 16, Burst: 1},
	}
	for i := range want {
		want[i].ComponentID, want[i].AXIAddressBits = s.Memories[i].ComponentID, 64
	}
	if d := cmp.Diff(want, s.Memories); d != "" {
		t.Error(d)
	}
	for i, ch := range f.Channels {
		got := s.Channels[i]
		if got.Width != got.PayloadBits+got.TagBits || got.TagBits != ch.TagWidth || got.Path != "u_core."+got.Signal {
			t.Errorf("channel %s: %+v", ch.Name, got)
		}
	}
	var hosts []string
	for _, h := range s.Hosts {
		hosts = append(hosts, fmt.Sprintf("%s %d %d %d", h.Prefix, h.ElementBits, h.AddressBits, h.Elements))
	}
	if d := cmp.Diff([]string{"host_ram 32 7 100", "host_rom 16 2 3"}, hosts); d != "" {
		t.Error(d)
	}
}

// TestErrors: what has no hardware yet is refused by name and reason.
func TestErrors(t *testing.T) {
	i32 := ir.Type(ir.I32)
	one := func(unit func(*fabrictest.Builder) *arch.FunctionUnit) *arch.Fabric {
		b := fabrictest.New("bad", 32)
		b.PE("p", "pe", []ir.Type{i32, i32}, []ir.Type{i32}, unit(b))
		return b.F
	}
	for _, c := range []struct {
		name   string
		fabric *arch.Fabric
		want   string
	}{
		{"no hardware", one(func(b *fabrictest.Builder) *arch.FunctionUnit {
			return b.Single("ftanh", "math.tanh", 4, 1, []ir.Type{ir.F32}, ir.F32)
		}), "operation 'math.tanh' in function unit 'ftanh' has no hardware"},
		{"mux", one(func(b *fabrictest.Builder) *arch.FunctionUnit {
			return b.Single("m", "fabric.mux", 0, 1, []ir.Type{i32, i32}, i32)
		}), "configurable bodies cannot be generated yet"},
		{"unknown operation", one(func(b *fabrictest.Builder) *arch.FunctionUnit {
			return b.Single("u", "my.op", 0, 1, []ir.Type{i32}, i32)
		}), "operation 'my.op' in function unit 'u' has no hardware"},
		{"no results", one(func(b *fabrictest.Builder) *arch.FunctionUnit {
			return b.NewUnit("u", 0, 1, i32).Yield()
		}), "needs operands and results"},
		{"empty PE", func() *arch.Fabric {
			b := fabrictest.New("bad", 32)
			b.PE("p", "pe", []ir.Type{i32}, []ir.Type{i32})
			return b.F
		}(), "PE 'p' has no function unit"},
		{"tagged switch", func() *arch.Fabric {
			b := fabrictest.New("bad", 32)
			b.Switch("s", []ir.Type{ir.Tagged(i32, 2)}, []ir.Type{ir.Tagged(i32, 2)})
			return b.F
		}(), "port 'in0' of spatial_sw 's' is tagged"},
		{"tagged boundary", func() *arch.Fabric {
			b := fabrictest.New("bad", 32)
			b.Input("x", ir.Tagged(i32, 2))
			return b.F
		}(), "boundary port 'x' is tagged"},
		{"cut temporal switch", func() *arch.Fabric {
			b := fabrictest.New("bad", 32)
			b.TemporalSwitch("s", []ir.Type{ir.Tagged(i32, 2)}, []ir.Type{ir.Tagged(i32, 2)}, 1, [2]int{0, 0})
			return b.F
		}(), "connects no input to any output"},
		{"decomposable", func() *arch.Fabric {
			b := fabrictest.New("bad", 32)
			b.Switch("s", []ir.Type{i32}, []ir.Type{i32}).Switch.DecomposableBits = 8
			return b.F
		}(), "switch 's' is decomposable"},
		{"cut switch", func() *arch.Fabric {
			b := fabrictest.New("bad", 32)
			b.Switch("s", []ir.Type{i32}, []ir.Type{i32}, [2]int{0, 0})
			return b.F
		}(), "connects no input to any output"},
		{"wide", func() *arch.Fabric {
			b := fabrictest.New("bad", 32)
			b.Connect(b.Input("a", ir.Bits(100)), b.Output("b", ir.Bits(100)))
			return b.F
		}(), "is 100 bits wide"},
		{"several ports without tags", func() *arch.Fabric {
			b := fabrictest.New("bad", 32)
			b.Memory("m", i32, 8, true, true).Mem.LdCount = 2
			return b.F
		}(), "2 load and 1 store ports, which 0 bits of tag do not distinguish"},
		{"bus width", func() *arch.Fabric {
			b := fabrictest.New("bad", 32)
			b.Memory("m", i32, 0, true, true).Mem.BusWidth = 96
			return b.F
		}(), "AXI data width of extmemory 'm' is 96 bits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := rtlgen.Generate(c.fabric, config.NewLayout(c.fabric), meta)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	f := fabrictest.Loop().Fabric
	if _, err := rtlgen.Generate(f, config.NewLayout(fabrictest.Loop().Fabric), meta); err == nil {
		t.Error("the layout of another fabric was accepted")
	}
}

// TestSizes: memories with bounds have inputs for sizes, and registers in <adg>_top as far as the register file has
// room for them; the others have none.
func TestSizes(t *testing.T) {
	for regions, want := range map[int]string{1: ".SIZED(3'b101)", 62: ".SIZED(64'b1011", 63: ""} {
		f := fabrictest.Everything(32)
		list := f.ExternalMemories()
		list[0].Mem.Bounds, list[2].Mem.Bounds, list[0].Mem.NumRegion = true, true, regions
		out := generate(t, f)
		top, ok := out.Files["everything_top.sv"]
		if ok != (want != "") || !strings.Contains(top, want) {
			t.Errorf("%d regions: no %q in\n%s", regions, want, top)
		}
		text := out.Files["everything_fabric.sv"]
		for i, c := range list {
			if strings.Contains(text, c.Name+"_size,") != (i != 1) {
				t.Errorf("%d regions: sizes of %s in\n%s", regions, c.Name, text)
			}
		}
		if regions == 1 {
			lint(t, out)
		}
	}
}

// TestReset: the reset of <adg>_top has the name and the level that were asked for, and
// no name that the module needs itself.
func TestReset(t *testing.T) {
	f := fabrictest.Scratch().Fabric
	for text, want := range map[string]string{
		"": "top_rst = ~aresetn;", "reset": "top_rst = ~reset;", "rst:high": "top_rst = rst;", "por_n:low": "top_rst = ~por_n;",
	} {
		m := meta
		if text != "" {
			var err error
			if m.Reset, err = rtlgen.ParseReset(text); err != nil {
				t.Fatal(err)
			}
		}
		out, err := rtlgen.Generate(f, config.NewLayout(f), m)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.Files["scratch_top.sv"], want) {
			t.Errorf("%q: no %q in\n%s", text, want, out.Files["scratch_top.sv"])
		}
		lint(t, out)
	}
	for _, name := range []string{"clk", "irq", "fabric_rst", "s_axil_wdata", "scratch_fabric"} {
		m := meta
		m.Reset.Name = name
		if _, err := rtlgen.Generate(f, config.NewLayout(f), m); err == nil || !strings.Contains(err.Error(), "the reset cannot be called '"+name+"'") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{"", ":high", "a:up", "module", "1x", "a b", "a__b"} {
		if r, err := rtlgen.ParseReset(text); err == nil {
			t.Errorf("%q became %v", text, r)
		}
	}
}
