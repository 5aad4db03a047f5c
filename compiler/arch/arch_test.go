package arch_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/testkit"
)

var update = flag.Bool("update", os.Getenv("LOOM_UPDATE") != "", "rewrite docs/errors.md")

// TestErrorsDoc keeps docs/errors.md equal to the tables.
func TestErrorsDoc(t *testing.T) {
	const file = "../../docs/errors.md"
	if *update {
		if err := os.WriteFile(file, []byte(arch.ErrorsMarkdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(arch.ErrorsMarkdown(), string(have)); d != "" {
		t.Errorf("docs/errors.md is not current, run 'go test ./compiler/arch -update':\n%s", d)
	}
}

// TestHardwareTable checks the order of the codes and the lookup.
func TestHardwareTable(t *testing.T) {
	last := -1
	for _, e := range arch.HardwareErrors() {
		if e.Code <= last || e.Symbol == "" || e.When == "" {
			t.Errorf("entry %+v after code %d", e, last)
		}
		last = e.Code
		if arch.HardwareSymbol(e.Code) != e.Symbol {
			t.Errorf("code %d is called %s", e.Code, arch.HardwareSymbol(e.Code))
		}
	}
	if got := arch.HardwareSymbol(3); got != "UNKNOWN_3" {
		t.Errorf("code 3 is called %s", got)
	}
}

// TestNames checks that names come out legal, unchanged where they were, and
// distinct.
func TestNames(t *testing.T) {
	legal := regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$`)
	for in, want := range map[string]string{
		"pe_2_3": "pe_2_3", "a.b-c": "a_b_c", "6x6": "n6x6", "": "x", "___": "x", "_a__b_": "a_b", "module": "module_x",
		"größe": "gr_e", "always_ff": "always_ff_x", "int": "int_x", "Module": "Module",
	} {
		if got := arch.LegalName(in); got != want || !legal.MatchString(got) {
			t.Errorf("LegalName(%q) = %q, want %q", in, got, want)
		}
	}
	var n arch.Namer
	var got []string
	for _, s := range []string{"a", "a", "a_2", "a", "a b", "a_b"} {
		got = append(got, n.Unique(s))
	}
	if d := cmp.Diff([]string{"a", "a_2", "a_2_2", "a_3", "a_b", "a_b_2"}, got); d != "" {
		t.Error(d)
	}
}

func parse(t *testing.T, text string) *ir.Operation {
	t.Helper()
	m, err := mlir.ParseAndVerify("f.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// dump spells a flattened fabric.
func dump(f *arch.Fabric) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s index %d join %d\n", f.Name, f.IndexWidth, f.MaxJoinFanin)
	for _, p := range f.MemPorts {
		fmt.Fprintf(&b, "mem %s %s\n", p.Name, p.Type)
	}
	for _, c := range f.Comps {
		fmt.Fprintf(&b, "%d %s %s of %s", c.ID, c.Kind, c.Name, c.Def)
		if c.Placed {
			fmt.Fprintf(&b, " at %g,%g", c.X, c.Y)
		}
		if c.PE != nil {
			for _, fu := range c.PE.FUs {
				fmt.Fprintf(&b, " unit %s %d/%d", fu.Name, fu.Latency, fu.Interval)
				for _, op := range fu.Ops {
					fmt.Fprintf(&b, " %s%v.%d", op.Op.Name, op.Operands, op.Field)
				}
				fmt.Fprintf(&b, " yield%v", fu.Yield)
			}
		}
		if c.Mem != nil {
			fmt.Fprintf(&b, " elem %d port %d", c.Mem.ElemWidth, c.Mem.MemPort)
		}
		b.WriteString("\n")
	}
	end := func(e arch.Endpoint, out bool) string {
		switch {
		case e.Comp == nil && e.Port < 0:
			return "-"
		case e.Comp == nil && out:
			return f.Inputs[e.Port].Name
		case e.Comp == nil:
			return f.Outputs[e.Port].Name
		case out:
			return e.Comp.Name + "." + e.Comp.Out[e.Port].Name
		}
		return e.Comp.Name + "." + e.Comp.In[e.Port].Name
	}
	for _, ch := range f.Channels {
		fmt.Fprintf(&b, "%s +%d: %s -> %s\n", ch.Name, ch.Width, end(ch.Src, true), end(ch.Dst, false))
	}
	return b.String()
}

// TestFlattenNested flattens two levels of modules, with a wire that passes
// through one, an external memory bound from inside, an unused output, instances
// next to inline uses, and names that collide.
func TestFlattenNested(t *testing.T) {
	m := parse(t, `
!t = !fabric.bits<32>
fabric.fifo @q [depth = 2] : (!t) -> !t
fabric.extmemory @ext [ldCount = 1] : memref<?xi16>, (index) -> (i16, none)
fabric.module @leaf(%mem: memref<?xi16>, %a: !t, %pass: !t) -> (!t, !t) [index_width = 32] {
  %d:2 = fabric.instance @ext(%mem, %a) {instance_name = "ram"} : (memref<?xi16>, !t) -> (i16, none)
  %x = fabric.instance @q(%d#0) {instance_name = "sw.0", loom.loc = [1, 2]} : (i16) -> !t
  fabric.yield %x, %pass : !t, !t
}
fabric.module @top(%m0: memref<?xi8>, %m1: memref<?xi16>, %a: !t, %b: !t) -> (!t, !t)
    [index_width = 32] attributes {argNames = ["unused", "data", "module", "b"], resNames = ["r", "s"]} {
  %l:2 = fabric.instance @leaf(%m1, %a, %p) {instance_name = "l", loom.loc = [10, 20]} : (memref<?xi16>, !t, !t) -> (!t, !t)
  %p = fabric.spatial_pe (%l#0, %b) : (!t, !t) -> !t {
    fabric.function_unit @mac(%x: i32, %y: i32) -> i32 [latency = 1, interval = 1] {
      %k = arith.muli %x, %y : i32
      %s = arith.addi %k, %x : i32
      fabric.yield %s : i32
    }
    fabric.function_unit @lt(%x: i32, %y: i32) -> i1 [latency = 0, interval = 1] {
      %c = arith.cmpi slt, %x, %y : i32
      fabric.yield %c : i1
    }
    fabric.instance @lt {instance_name = "less"}
  }
  %l_sw_0 = fabric.fifo [depth = 3] (%l#1) : (!t) -> !t
  %s:2 = fabric.spatial_sw (%l_sw_0) : (!t) -> (!t, !t)
  %0 = fabric.instance @q(%s#1) : (!t) -> !t
  %1 = fabric.instance @q(%0) : (!t) -> !t
  fabric.yield %s#0, %1 : !t, !t
}`)
	f, err := arch.FromModule(m, "")
	if err != nil {
		t.Fatal(err)
	}
	want := `top index 32 join 0
mem unused memref<?xi8>
mem data memref<?xi16>
0 extmemory l_ram of ext elem 16 port 1
1 fifo l_sw_0 of q at 11,22
2 spatial_pe p of p unit mac 1/1 arith.muli[{0 -1 0} {1 -1 0}].-1 arith.addi[{-1 0 0} {0 -1 0}].-1 yield[{-1 1 0}] unit less 0/1 arith.cmpi[{0 -1 0} {1 -1 0}].0 yield[{-1 0 0}]
3 fifo l_sw_0_2 of l_sw_0_2
4 spatial_sw s_2 of s_2
5 fifo q of q
6 fifo q_2 of q
module_x_in +32: module_x -> l_ram.ldaddr
b_in +32: b -> p.in1
l_ram_lddata +16: l_ram.lddata -> l_sw_0.in
l_ram_lddone +1: l_ram.lddone -> -
l_sw_0_out +32: l_sw_0.out -> p.in0
p_out0 +32: p.out0 -> l_sw_0_2.in
l_sw_0_2_out +32: l_sw_0_2.out -> s_2.in0
s_2_out0 +32: s_2.out0 -> r
s_2_out1 +32: s_2.out1 -> q.in
q_out +32: q.out -> q_2.in
q_2_out +32: q_2.out -> s
`
	if d := cmp.Diff(want, dump(f)); d != "" {
		t.Error(d)
	}
	if f.Comps[1].Def != f.Comps[5].Def || f.Comps[5].Def == f.Comps[3].Def {
		t.Error("components of one definition must share it, inline uses must not")
	}
}

// TestFlattenMemories checks the ports of a memory that shows itself to the host
// and of one without a load port.
func TestFlattenMemories(t *testing.T) {
	f, err := arch.FromModule(parse(t, `
!t = !fabric.bits<32>
fabric.memory @shown [ldCount = 1, stCount = 1, lsqDepth = 2, is_private = false, numRegion = 3] : memref<100xi1>, (index, index, i1) -> (memref<100xi1>, i1, none, none)
fabric.memory @log [stCount = 1, lsqDepth = 2] : memref<4x3xf64>, (index, f64) -> none
fabric.module @m(%a: !t, %b: !t, %c: !t, %d: !t, %e: !fabric.bits<64>) -> (memref<100xi1>, !t, !t, !t, !t) [index_width = 40] {
  %s:4 = fabric.instance @shown(%a, %b, %c) : (!t, !t, !t) -> (memref<100xi1>, i1, none, none)
  %l = fabric.instance @log(%d, %e) : (!t, !fabric.bits<64>) -> none
  fabric.yield %s#0, %s#1, %s#2, %s#3, %l : memref<100xi1>, i1, none, none, none
}`), "")
	if err != nil {
		t.Fatal(err)
	}
	want := `m index 40 join 0
0 memory s of shown elem 8 port -1
1 memory l of log elem 64 port -1
a_in +32: a -> s.ldaddr
b_in +32: b -> s.staddr
c_in +32: c -> s.stdata
d_in +32: d -> l.staddr
e_in +64: e -> l.stdata
s_lddata +1: s.lddata -> out1
s_lddone +1: s.lddone -> out2
s_stdone +1: s.stdone -> out3
l_stdone +1: l.stdone -> out4
`
	if d := cmp.Diff(want, dump(f)); d != "" {
		t.Error(d)
	}
	var specs []arch.MemorySpec
	for _, c := range f.Comps {
		specs = append(specs, *c.Mem)
	}
	if d := cmp.Diff([]arch.MemorySpec{
		{LdCount: 1, StCount: 1, LSQDepth: 2, NumRegion: 3, ElemWidth: 8, Elements: 100, MemPort: -1,
			LdAddr: 0, StAddr: 1, StData: 2, LdData: 0, LdDone: 1, StDone: 2},
		{StCount: 1, LSQDepth: 2, NumRegion: 1, Private: true, ElemWidth: 64, Elements: 12, MemPort: -1,
			LdAddr: -1, StAddr: 0, StData: 1, LdData: -1, LdDone: -1, StDone: 0},
	}, specs, cmpopts.IgnoreFields(arch.MemorySpec{}, "Type")); d != "" {
		t.Error(d)
	}
	if f.Comps[0].In[0].Width != 40 || f.Comps[0].In[2].Width != 1 || f.Comps[0].Out[1].Width != 1 {
		t.Errorf("widths of the ports: %+v %+v", f.Comps[0].In, f.Comps[0].Out)
	}
}

// TestFlattenErrors lists fabrics that verify but cannot be flattened.
func TestFlattenErrors(t *testing.T) {
	const two = "fabric.module @a() {\n  fabric.yield\n}\nfabric.module @b() {\n  fabric.yield\n}\n"
	deep := "fabric.module @m0() {\n  fabric.yield\n}\n"
	wide := "!t = !fabric.bits<8>\nfabric.module @m0(%a: !t) -> !t {\n  %b = fabric.fifo [depth = 2] (%a) : (!t) -> !t\n  fabric.yield %b : !t\n}\n"
	for i := 1; i < 120; i++ {
		deep += fmt.Sprintf("fabric.module @m%d() {\n  fabric.instance @m%d() : () -> ()\n  fabric.yield\n}\n", i, i-1)
	}
	for i := 1; i < 40; i++ {
		wide += fmt.Sprintf("fabric.module @m%d(%%a: !t) -> !t {\n  %%b = fabric.instance @m%d(%%a) : (!t) -> !t\n  %%c = fabric.instance @m%d(%%b) : (!t) -> !t\n  fabric.yield %%c : !t\n}\n", i, i-1, i-1)
	}
	for _, c := range []struct{ name, text, root, want string }{
		{"none", "fabric.fifo @q [depth = 2] : (i8) -> i8", "", "no fabric.module"},
		{"unknown name", two, "c", "no fabric.module @c"},
		{"several", two, "", "several fabrics"},
		{"nested too deep", deep, "m119", "nested deeper"},
		{"exponential", wide, "m39", "more than 65536 components"},
		{"other index width", "fabric.module @a() [index_width = 32] {\n  fabric.yield\n}\nfabric.module @b() {\n  fabric.instance @a() : () -> ()\n  fabric.yield\n}\n", "b", "CPL_MODULE_INDEX_WIDTH"},
		{"unused wire to itself", "!t = !fabric.bits<8>\nfabric.module @w(%a: !t) -> !t {\n  fabric.yield %a : !t\n}\nfabric.module @b() {\n  %x = fabric.instance @w(%y) : (!t) -> !t\n  %y = fabric.instance @w(%x) : (!t) -> !t\n  %q = fabric.fifo [depth = 2] (%z) : (!t) -> !t\n  %z = fabric.fifo [depth = 2] (%q) : (!t) -> !t\n  fabric.yield\n}\n", "b", ""},
	} {
		_, err := arch.FromModule(parse(t, c.text), c.root)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// TestLoops checks which components cut a loop, forward and backward. The loop
// leads from a two-by-two switch through one component and back.
func TestLoops(t *testing.T) {
	const pe = `fabric.spatial_pe (%s#1) : (!t) -> !t {
    fabric.function_unit @u(%x: TYPE) -> TYPE [latency = LAT, interval = IVL] {
      BODY
      fabric.yield %r : TYPE
    }
  }`
	unit := func(typ, lat, body string) string {
		return strings.NewReplacer("TYPE", typ, "LAT", lat, "IVL", map[bool]string{true: "33", false: "1"}[lat == "33"], "BODY", body).Replace(pe)
	}
	for _, c := range []struct{ name, comp, want string }{
		{"fifo of 1", "fabric.fifo [depth = 1] (%s#1) : (!t) -> !t", "backward"},
		{"fifo of 2", "fabric.fifo [depth = 2] (%s#1) : (!t) -> !t", ""},
		{"bypassable fifo", "fabric.fifo [depth = 8, bypassable] (%s#1) : (!t) -> !t", "forward backward"},
		{"switch", "fabric.spatial_sw (%s#1) : (!t) -> !t", "forward backward"},
		{"combinational unit", unit("i32", "0", "%r = arith.addi %x, %x : i32"), "forward backward"},
		{"registered unit", unit("i32", "1", "%r = arith.muli %x, %x : i32"), "backward"},
		{"divider", unit("i32", "33", "%r = arith.divsi %x, %x : i32"), "backward"},
		{"registered handshake unit", unit("none", "1", "%r = handshake.join %x, %x : none, none"), "forward backward"},
	} {
		text := "!t = !fabric.bits<32>\nfabric.module @m(%a: !t) -> !t [index_width = 32] {\n" +
			"  %s:2 = fabric.spatial_sw (%a, %y) : (!t, !t) -> (!t, !t)\n  %y = " + c.comp + "\n  fabric.yield %s#0 : !t\n}\n"
		_, err := arch.FromModule(parse(t, text), "")
		var got []string
		if err != nil {
			for _, m := range regexp.MustCompile(`\((forward|backward):`).FindAllStringSubmatch(err.Error(), -1) {
				got = append(got, m[1])
			}
		}
		if d := cmp.Diff(c.want, strings.Join(got, " ")); d != "" {
			t.Errorf("%s: %s\n%v", c.name, d, err)
		}
	}
	// A switch whose table does not close the loop is none.
	text := `!t = !fabric.bits<32>
fabric.module @m(%a: !t) -> !t {
  %s:2 = fabric.spatial_sw [connectivity_table = [1, 1, 1, 0]] (%a, %s#1) : (!t, !t) -> (!t, !t)
  fabric.yield %s#0 : !t
}`
	if _, err := arch.FromModule(parse(t, text), ""); err != nil {
		t.Error(err)
	}
	if _, err := arch.FromModule(parse(t, strings.Replace(text, "1, 0]", "1, 1]", 1)), ""); err == nil {
		t.Error("a switch that feeds itself is accepted")
	}
}

// TestShippedArchitectures builds every shipped architecture file and takes it
// through print, parse, verify and flatten.
func TestShippedArchitectures(t *testing.T) {
	for _, file := range testkit.Architectures(t) {
		m, err := build.Build(file, testkit.Architecture(t, file))
		if err != nil {
			t.Fatal(err)
		}
		text := mlir.Print(m, mlir.Options{})
		again := parse(t, text)
		if mlir.Print(again, mlir.Options{}) != text {
			t.Errorf("%s: printing is not stable", file)
		}
		f, err := arch.FromModule(again, "")
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		direct, err := arch.FromModule(m, "")
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(dump(direct), dump(f)); d != "" {
			t.Errorf("%s: the fabric changes through its text:\n%s", file, d)
		}
		checkModel(t, file, f)
	}
}

// checkModel checks what every reader of the model relies on.
func checkModel(t *testing.T, file string, f *arch.Fabric) {
	names := map[string]string{}
	take := func(name, what string) {
		if names[name] != "" || arch.LegalName(name) != name {
			t.Errorf("%s: name %s of a %s is illegal or also that of a %s", file, name, what, names[name])
		}
		names[name] = what
	}
	for _, b := range append(append([]*arch.Boundary(nil), f.Inputs...), f.Outputs...) {
		take(b.Name, "boundary port")
	}
	for i, c := range f.Comps {
		take(c.Name, "component")
		if c.ID != i || !c.Placed {
			t.Errorf("%s: component %d has ID %d, placed %t", file, i, c.ID, c.Placed)
		}
		for p := range c.In {
			if ch := c.In[p].Chan; ch == nil || ch.Dst != (arch.Endpoint{Comp: c, Port: p}) {
				t.Errorf("%s: input %d of %s has no channel", file, p, c.Name)
			}
		}
		for p := range c.Out {
			if ch := c.Out[p].Chan; ch == nil || ch.Src != (arch.Endpoint{Comp: c, Port: p}) {
				t.Errorf("%s: output %d of %s has no channel", file, p, c.Name)
			}
		}
		// Every consumer that the mesh feeds has two slots of its own; tokens between
		// a memory's lanes and switches carry a tag.
		if c.Kind == arch.SpatialPE || c.Mem != nil || c.Lane != nil {
			for p := range c.In {
				if c.In[p].TagWidth > 0 {
					continue
				}
				if c.PE != nil && c.PE.OperandFIFO >= 2 {
					continue // behind the operand selectors
				}
				src := c.In[p].Chan.Src.Comp
				if unit := func(x *arch.Component) bool { return x != nil && x.PE != nil && !x.GeneralPE() }; unit(src) || unit(c) && src != nil && src.Kind != arch.FIFO && src.Switch == nil {
					continue // from a unit at a memory, and from the memory to it
				}
				if src == nil || src.Kind != arch.FIFO || src.FIFO.Depth < 2 {
					t.Errorf("%s: input %d of %s has no FIFO", file, p, c.Name)
				}
			}
		}
	}
	for i, ch := range f.Channels {
		take(ch.Name, "channel")
		if ch.ID != i || ch.Width < 1 && ch.TagWidth == 0 {
			t.Errorf("%s: channel %d has ID %d, width %d", file, i, ch.ID, ch.Width)
		}
		if ch.Dst.Comp == nil && ch.Dst.Port < 0 {
			t.Errorf("%s: channel %s leads nowhere", file, ch.Name)
		}
	}
}
