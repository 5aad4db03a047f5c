package build

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"loom/compiler/arch"
	"loom/compiler/arch/shipped"
	"loom/compiler/diag"
	"loom/compiler/mlir"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

var update = flag.Bool("update", os.Getenv("LOOM_UPDATE") != "", "rewrite golden files")

const archDir = "../../../testdata/arch"

// shippedText is the text of a shipped architecture.
func shippedText(t *testing.T, name string) []byte {
	t.Helper()
	text, ok := shipped.Text(name)
	if !ok {
		t.Fatalf("%s is not shipped", name)
	}
	return []byte(text)
}

// tiny is a mesh of one PE with everything a file can contain.
const tiny = `name: tiny
width: 32
index_width: 32
topology: {kind: mesh, rows: 1, columns: 1, tracks: 1}
boundary: {inputs: 2, outputs: 1}
extmemories:
  - element: i16
    lsq_depth: 2
memories:
  - {element: i32, elements: 100, private: false, regions: 2}
function_units:
  mac:
    inputs: {a: i32, b: i32, c: i32}
    body:
      - p = muli a b
      - s = addi p, c
    outputs: [s]
    interval: 2
  twice:
    mlir: |
      fabric.function_unit @twice(%a: i32) -> i32 [latency = 0, interval = 1] {
        %s = arith.addi %a, %a : i32
        fabric.yield %s : i32
      }
  casts:
    - extsi: [i8 -> i32, i16 -> i32]
pes:
  one:
    units: [mac, twice, casts, {stream: {type: index, step: "<<="}}, {join: 2}, {constant: i1}, {mux: {type: i32, inputs: 3}}]
  never:
    units: [{addi: i32}]
pattern: [[one]]
`

// bridge is the smallest mesh with bridges of both kinds.
const bridge = `name: bridge
topology: {kind: mesh, rows: 1, columns: 1, tracks: 1}
boundary: {inputs: 1, outputs: 1}
extmemories:
  - {element: i32, loads: 2, stores: 1, lane_depth: 4, axi_data_width: 64, outstanding: 40}
memories:
  - {element: i16, loads: 0, stores: 2, lsq_depth: 2, private: false}
function_units: {}
pes: {one: {units: [{load: i32}, {store: i32}, {store: i16}]}}
pattern: [[one]]
`

// TestGolden compares two small meshes with their golden texts.
func TestGolden(t *testing.T) {
	for name, src := range map[string]string{"tiny": tiny, "bridge": bridge} {
		m, err := Build(name+".yaml", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		got := mlir.Print(m, mlir.Options{})
		file := filepath.Join(archDir, name+".fabric.mlir")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Error(d)
		}
		if _, err := arch.FromModule(m, name); err != nil {
			t.Error(err)
		}
	}
}

// TestDeterminism builds a shipped file several times.
func TestDeterminism(t *testing.T) {
	src := shippedText(t, "mesh6x6")
	first := ""
	for i := range 5 {
		m, err := Build("mesh6x6.yaml", src)
		if err != nil {
			t.Fatal(err)
		}
		text := mlir.Print(m, mlir.Options{})
		if i > 0 && text != first {
			t.Fatal("two runs differ")
		}
		first = text
	}
}

// TestFaults breaks the tiny file in one line each and checks the position and the
// text of the message. The marker «» shows the column in the broken line.
func TestFaults(t *testing.T) {
	ar, err := txtar.ParseFile(filepath.Join("testdata", "faults.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range ar.Files {
		t.Run(f.Name, func(t *testing.T) {
			lines := strings.Split(strings.TrimSpace(string(f.Data)), "\n")
			if len(lines) != 3 || !strings.HasPrefix(lines[0], "old: ") || !strings.HasPrefix(lines[1], "new: ") {
				t.Fatal("a case has the lines old, new and want")
			}
			unescape := strings.NewReplacer(`\n`, "\n").Replace
			old, repl, want := unescape(lines[0][5:]), unescape(lines[1][5:]), lines[2][6:]
			if strings.Count(tiny, old) != 1 {
				t.Fatalf("%q is not exactly once in the file", old)
			}
			text := strings.Replace(tiny, old, repl, 1)
			pos := diag.Pos{}
			for i, l := range strings.Split(text, "\n") {
				if c := strings.Index(l, "«»"); c >= 0 {
					pos = diag.Pos{File: "x.yaml", Line: i + 1, Col: c + 1}
				}
			}
			_, err := Build("x.yaml", []byte(strings.Replace(text, "«»", "", 1)))
			if err == nil {
				t.Fatal("accepted")
			}
			for _, d := range diag.FromError(err).All {
				if d.Pos == pos && strings.Contains(d.Message+" | "+d.Help, want) {
					return
				}
			}
			t.Errorf("no finding at %s with %q:\n%s", pos, want, diag.Render(diag.FromError(err), nil))
		})
	}
}

// TestSwitchTables checks the routing rules of the mesh on a flattened fabric:
// no U-turns, links keep their track, requests and data of memories go to and from PEs with loads or stores, other
// local ports reach every other port. Units at memories take addresses and data of PEs and of each other, and give to all. TestFanIn is about what
// fan_in leaves of that.
func TestSwitchTables(t *testing.T) {
	for _, name := range []string{"mesh4x4", "mesh12x12"} { // with units at the memories, and with loads and stores in PEs
		t.Run(name, func(t *testing.T) { switchTables(t, name) })
	}
}

func switchTables(t *testing.T, name string) {
	src := regexp.MustCompile(`(?m)^  fan_in:.*\n`).ReplaceAll(shippedText(t, name), nil)
	m, err := Build(name, src)
	if err != nil {
		t.Fatal(err)
	}
	f, err := arch.FromModule(m, "")
	if err != nil {
		t.Fatal(err)
	}
	// far follows a FIFO to the component or boundary port behind it.
	source := func(ch *arch.Channel) string {
		if ch.Src.Comp == nil {
			return f.Inputs[ch.Src.Port].Name
		}
		return ch.Src.Comp.Name
	}
	sink := func(ch *arch.Channel) string {
		if ch.Dst.Comp.Kind == arch.FIFO {
			out := ch.Dst.Comp.Out[0].Chan
			if strings.HasPrefix(ch.Dst.Comp.Name, "link_") {
				return ch.Dst.Comp.Name
			}
			if out.Dst.Comp == nil {
				return f.Outputs[out.Dst.Port].Name
			}
			return out.Dst.Comp.Name
		}
		return ch.Dst.Comp.Name
	}
	memory := func(name string) bool { return strings.HasPrefix(name, "mem_") || strings.HasPrefix(name, "spm_") }
	done := func(e arch.Endpoint) bool {
		if e.Comp.Lane != nil {
			return e.Port == len(e.Comp.Out)-1
		}
		return e.Port == e.Comp.Mem.LdDone || e.Port == e.Comp.Mem.StDone
	}
	accesses := map[string]bool{} // PEs with loads or stores
	for _, c := range f.Comps {
		for i := 0; c.PE != nil && i < len(c.PE.FUs); i++ {
			for _, op := range c.PE.FUs[i].Ops {
				accesses[c.Name] = accesses[c.Name] || op.Op.Name == "handshake.load" || op.Op.Name == "handshake.store"
			}
		}
	}
	opposite := map[byte]byte{'n': 's', 's': 'n', 'e': 'w', 'w': 'e'}
	for _, c := range f.Comps {
		if c.Switch == nil {
			continue
		}
		if len(c.In) > 32 || len(c.Out) > 32 {
			t.Errorf("%s has %d inputs and %d outputs", c.Name, len(c.In), len(c.Out))
		}
		for o, row := range c.Switch.Connect {
			to := sink(c.Out[o].Chan)
			for i, on := range row {
				from := source(c.In[i].Chan)
				want := true
				fromLink, toLink := strings.HasPrefix(from, "link_"), strings.HasPrefix(to, "link_")
				unit := func(name string) bool { return strings.HasSuffix(name, "_unit") }
				switch {
				case unit(to) && c.In[0].Width > 1 && !fromLink: // addresses and data
					want = strings.HasPrefix(from, "pe_") || unit(from) && from != to
				case unit(to) || unit(from): // control tokens, and what was loaded
					want = from != to
				case fromLink && toLink:
					fs, ts := from[len(from)-2:], to[len(to)-2:]
					want = fs[1] == ts[1] && fs[0] != opposite[ts[0]]
				case fromLink || toLink:
				case memory(to):
					want = accesses[from]
				case memory(from) && !done(c.In[i].Chan.Src):
					want = accesses[to]
				case strings.HasPrefix(from, "pe_"):
					want = from != to
				}
				if on != want {
					t.Errorf("%s: from %s to %s connected %t, want %t", c.Name, from, to, on, want)
				}
			}
		}
	}
}

// TestMeshCounts checks the size of meshes of several shapes.
func TestMeshCounts(t *testing.T) {
	for _, c := range []struct{ rows, cols, tracks int }{{1, 1, 1}, {1, 5, 2}, {3, 2, 3}, {4, 4, 1}} {
		src := strings.Replace(tiny, "rows: 1, columns: 1, tracks: 1", fmt.Sprintf("rows: %d, columns: %d, tracks: %d", c.rows, c.cols, c.tracks), 1)
		m, err := Build("x.yaml", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		f, err := arch.FromModule(m, "")
		if err != nil {
			t.Fatal(err)
		}
		n := map[arch.Kind]int{}
		for _, comp := range f.Comps {
			n[comp.Kind]++
		}
		links := 2 * c.tracks * (c.rows*(c.cols+1) + c.cols*(c.rows+1))
		want := map[arch.Kind]int{arch.SpatialSwitch: (c.rows + 1) * (c.cols + 1), arch.SpatialPE: c.rows * c.cols,
			arch.FIFO: links + 4*c.rows*c.cols + 3*2 + 1, arch.ExtMemory: 1, arch.Memory: 1}
		if d := cmp.Diff(want, n); d != "" {
			t.Errorf("%+v: %s", c, d)
		}
	}
}

// TestMLIROpt reads the generic form of the shipped fabrics with mlir-opt.
func TestMLIROpt(t *testing.T) {
	tool := toolstest.Path(t, tools.MLIROpt)
	for _, name := range []string{"mesh4x4", "mesh8x8"} {
		src := shippedText(t, name)
		m, err := Build(name, src)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(tool, "--allow-unregistered-dialect", "--mlir-print-op-generic", "-")
		cmd.Stdin = strings.NewReader(mlir.Print(m, mlir.Options{Generic: true}))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%.2000s", name, err, out)
		}
		// What comes back is the same fabric. The tool drops value names, so
		// function-unit ports are numbered; everything else must survive.
		again, err := mlir.ParseAndVerify(name, string(out))
		if err != nil {
			t.Fatal(err)
		}
		a, errA := arch.FromModule(m, "")
		b, errB := arch.FromModule(again, "")
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		for i := range a.Comps {
			if a.Comps[i].Name != b.Comps[i].Name || a.Comps[i].Def != b.Comps[i].Def {
				t.Fatalf("component %d: %s of %s became %s of %s", i, a.Comps[i].Name, a.Comps[i].Def, b.Comps[i].Name, b.Comps[i].Def)
			}
		}
		for i := range a.Channels {
			if a.Channels[i].Name != b.Channels[i].Name {
				t.Fatalf("channel %s became %s", a.Channels[i].Name, b.Channels[i].Name)
			}
		}
	}
}

// TestDocumentation builds the example that the blocks of docs/architecture.md
// make together.
func TestDocumentation(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	text := "name: doc\ntopology: {kind: mesh, rows: 4, columns: 4}\nboundary: {inputs: 2, outputs: 2}\n"
	for i, part := range strings.Split(string(doc), "```") {
		if yaml, ok := strings.CutPrefix(part, "yaml\n"); ok && i%2 == 1 {
			text += yaml
		}
	}
	m, err := Build("docs/architecture.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	f, err := arch.FromModule(m, "doc")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range f.Comps {
		if c.Name == "pe_3_3" && c.Def != "pe_odd" || c.Name == "pe_2_1" && c.Def != "pe_alu" {
			t.Errorf("%s is a %s", c.Name, c.Def)
		}
	}
}

// largeNumber finds numbers above 9, in any notation of YAML.
var largeNumber = regexp.MustCompile(`[0-9a-zA-Z_]*[0-9][0-9_]+`)

// FuzzBuild builds from any text: it may be refused, but nothing panics, every
// finding has a position, and what is accepted flattens.
func FuzzBuild(f *testing.F) {
	// Types, widths and sizes are short here so that largeNumber lets them pass.
	small := strings.NewReplacer("index_width: 32\n", "", "width: 32\n", "", "[i8 -> i32, i16 -> i32]", "[i1 -> i8]",
		"i32", "i8", "i16", "i8", "100", "9").Replace(tiny)
	if _, err := Build("x.yaml", []byte(small)); err != nil {
		f.Fatal(err)
	}
	for kind := range topologies {
		f.Add(strings.Replace(small, "kind: mesh", "kind: "+kind, 1))
	}
	bridges := strings.Replace(small, "  - element: i8\n    lsq_depth: 2",
		"  - {element: i8, loads: 3, stores: 0, lane_depth: 4, regions: 3, axi_data_width: 8}\n  - {element: i1, loads: 0, stores: 2}", 1)
	if _, err := Build("x.yaml", []byte(bridges)); err != nil || bridges == small {
		f.Fatal("no seed with bridges", err)
	}
	f.Add(bridges)
	for _, s := range []string{"", "[]", "name: x", "a: &a [*a]", "<<: {name: x}", "name: {x: 1}\ntopology: []", "--- 1\n--- 2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if largeNumber.MatchString(text) {
			t.Skip("large meshes are legal and take their time")
		}
		m, err := Build("x.yaml", []byte(text))
		if err != nil {
			for _, d := range diag.FromError(err).All {
				if d.Severity == diag.Error && (!d.Pos.IsValid() || d.Pos.File == "") {
					t.Errorf("no position: %s", d.Error())
				}
			}
			return
		}
		if _, err := arch.FromModule(m, ""); err != nil && !strings.Contains(err.Error(), "not supported yet") {
			t.Errorf("built fabric does not flatten: %v", err)
		}
	})
}

// TestLatencyZero: a latency of 0 is one, for units that can be without registers; the others refuse it.
func TestLatencyZero(t *testing.T) {
	text := func(unit string) []byte {
		return []byte("name: t\nwidth: 32\ntopology: {kind: mesh, rows: 2, columns: 2}\nboundary: {inputs: 2, outputs: 1}\n" +
			"pes:\n  p: {units: [" + unit + ", {addi: i32}]}\npattern:\n  - [p, p]\n  - [p, p]\n")
	}
	for unit, want := range map[string]int{"{addf: f32}": 4, "{addf: {type: f32, latency: 0}}": 0, "{addf: {type: f32, latency: 6}}": 6, "{remf: f32}": 3, "{remf: {type: f32, latency: 5}}": 5} {
		m, err := Build("t.yaml", text(unit))
		if err != nil {
			t.Fatal(err)
		}
		f, err := arch.FromModule(m, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Comps {
			if c.PE != nil && c.PE.FUs[0].Latency != want {
				t.Errorf("%s has latency %d, want %d", unit, c.PE.FUs[0].Latency, want)
			}
		}
	}
	for _, unit := range []string{"{muli: {type: i32, latency: 0}}", "{remf: {type: f32, latency: 2}}", "{addf: {type: f32, latency: 7}}"} {
		m, err := Build("t.yaml", text(unit))
		if err == nil {
			_, err = arch.FromModule(m, "")
		}
		if err == nil {
			t.Errorf("%s is taken", unit)
		} else {
			t.Log(err)
		}
	}
}
