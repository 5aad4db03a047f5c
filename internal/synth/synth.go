// Package synth measures generated hardware: cells with Yosys, and the frequency after
// placement and routing with nextpnr. Tests and the tables of the documentation use it.
package synth

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"loom/internal/tools"
)

// Cells are the cells of a design for Xilinx 7.
type Cells struct {
	LUT, FF int
	// LUTRAM are look-up tables used as memory or shift register.
	LUTRAM int
	// BRAM are block RAMs of 36 kbit; one of 18 kbit counts as one.
	BRAM, DSP, Carry int
}

var cellLine = regexp.MustCompile(`(?m)^\s+(\S+)\s+(\d+)$`)

var latch = regexp.MustCompile(`(?m)^\s+(LD|\$_DLATCH)`)

// memories are the look-up tables that a cell of distributed RAM takes.
var memories = map[string]int{
	"RAM32M": 4, "RAM64M": 4, "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM32X1S": 1, "RAM64X1S": 1, "SRL16E": 1, "SRLC32E": 1,
}

// add adds the cells of n modules.
func (c *Cells) add(m Cells, n int) {
	c.LUT += n * m.LUT
	c.FF += n * m.FF
	c.LUTRAM += n * m.LUTRAM
	c.BRAM += n * m.BRAM
	c.DSP += n * m.DSP
	c.Carry += n * m.Carry
}

// Count reads the statistics that Yosys prints of one module.
func Count(stat string) Cells {
	var c Cells
	for _, m := range cellLine.FindAllStringSubmatch(stat, -1) {
		n, _ := strconv.Atoi(m[2])
		switch name := m[1]; {
		case strings.HasPrefix(name, "LUT"):
			c.LUT += n
		case strings.HasPrefix(name, "FD"):
			c.FF += n
		case strings.HasPrefix(name, "RAMB"):
			c.BRAM += n
		case memories[name] > 0:
			c.LUTRAM += n * memories[name]
		case strings.HasPrefix(name, "DSP"):
			c.DSP += n
		case strings.HasPrefix(name, "CARRY"):
			c.Carry += n
		}
	}
	return c
}

// Design is a module with its sources.
type Design struct {
	// Dir holds the sources, Files are their names in the order of reading. Whatever the
	// tools write lies there, too.
	Dir, Top string
	Files    []string
}

func (d Design) yosys(ctx context.Context, script string) (string, error) {
	return d.run(ctx, "read_verilog -sv "+strings.Join(d.Files, " ")+"; "+script)
}

// run executes a script of Yosys in the design's directory.
func (d Design) run(ctx context.Context, script string) (string, error) {
	path, err := tools.Find("yosys")
	if err != nil {
		return "", err
	}
	out, err := tools.Run(ctx, d.Dir, path, "-p", script)
	return string(out), err
}

// Xilinx synthesises a design for Xilinx 7, flat, without pads, and counts its cells. An
// error reports a latch, or what Yosys has against the design.
func Xilinx(ctx context.Context, d Design) (Cells, error) {
	out, err := d.yosys(ctx, "synth_xilinx -flatten -noiopad -top "+d.Top+"; check -assert; stat")
	if err != nil {
		return Cells{}, err
	}
	stat := out[strings.LastIndex(out, "Number of cells:"):]
	if latch.MatchString(stat) {
		return Cells{}, fmt.Errorf("%s has a latch", d.Top)
	}
	return Count(stat), nil
}

// Port is a port of a module.
type Port struct {
	Name   string
	Output bool
	Width  int
	// constant is set for an input of configuration.
	constant bool
}

// Ports are the ports of a design's top, by name.
func Ports(ctx context.Context, d Design) ([]Port, error) {
	return d.portsOf(ctx, "read_verilog -sv "+strings.Join(d.Files, " "), `\`+d.Top)
}

// portsOf are the ports of a module of what a command reads.
func (d Design) portsOf(ctx context.Context, read, id string) ([]Port, error) {
	const file = "ports.json"
	if _, err := d.run(ctx, read+"; hierarchy -top "+id+"; proc; write_json "+file); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(d.Dir, file))
	if err != nil {
		return nil, err
	}
	var doc struct {
		Modules map[string]struct {
			Ports map[string]struct {
				Direction string
				Bits      []any
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var out []Port
	for name, p := range doc.Modules[strings.TrimPrefix(id, `\`)].Ports {
		out = append(out, Port{Name: name, Output: p.Direction == "output", Width: len(p.Bits)})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out, nil
}

// between is a module "between" that holds the design between registers of its clock: what
// goes in comes from a shift register, what comes out goes to registers that another clock
// reads, so no pin takes part in a path of the clock. Inputs that are configuration come from
// registers of a clock of their own: they are constant while the design works.
func between(d Design, ports []Port) string {
	var b strings.Builder
	var in, constant, out, wiring []string
	b.WriteString("module between (input clk, input clk_out, input clk_cfg, input serial_in, output logic serial_out);\n")
	for _, p := range ports {
		wiring = append(wiring, fmt.Sprintf(".%s(%s)", p.Name, p.Name))
		switch {
		case p.Name == "clk" || p.Name == "clk_cfg":
		case p.Output:
			fmt.Fprintf(&b, "  logic [%d:0] %s;\n  (* keep *) logic [%d:0] %s_q;\n  always_ff @(posedge clk) %s_q <= %s;\n", p.Width-1, p.Name, p.Width-1, p.Name, p.Name, p.Name)
			out = append(out, p.Name+"_q")
		default:
			fmt.Fprintf(&b, "  logic [%d:0] %s;\n", p.Width-1, p.Name)
			if p.constant {
				constant = append(constant, p.Name)
			} else {
				in = append(in, p.Name)
			}
		}
	}
	shift := func(clock string, list []string) {
		if all := strings.Join(list, ", "); all != "" {
			fmt.Fprintf(&b, "  always_ff @(posedge %s) {%s} <= {%s, serial_in};\n", clock, all, all)
		}
	}
	shift("clk", in)
	shift("clk_cfg", constant)
	fmt.Fprintf(&b, "  always_ff @(posedge clk_out) serial_out <= ^{%s};\n", strings.Join(out, ", "))
	fmt.Fprintf(&b, "  %s u (%s);\nendmodule\n", d.Top, strings.Join(wiring, ", "))
	return b.String()
}

// Route is a design placed and routed.
type Route struct {
	// MHz is the frequency of its clock.
	MHz float64
	// LUT and FF are the look-up tables of four inputs and the flip-flops, with those of the
	// registers around the design.
	LUT, FF int
	// Path is the longest path between its registers, cell by cell.
	Path Path
}

// Path is a path between two registers.
type Path []Segment

// String has a line for each cell: nanoseconds of the cell and of the wire to it, and its name.
func (p Path) String() string {
	var b strings.Builder
	wire, cell, cells := 0.0, 0.0, 0
	for _, s := range p {
		if s.Type == "routing" {
			wire += s.Delay
			fmt.Fprintf(&b, "\n  %5.2f wire ", s.Delay)
			continue
		}
		cell, cells = cell+s.Delay, cells+1
		fmt.Fprintf(&b, "  %5.2f %s %s", s.Delay, s.Type, s.Cell)
	}
	return fmt.Sprintf("%.1f ns, %.1f of it wires, %d cells", wire+cell, wire, cells) + b.String()
}

// Segment is a part of a path.
type Segment struct {
	// Type is clk-to-q, logic, routing or setup.
	Type  string
	Delay float64 // in ns
	Cell  string
}

// ECP5 synthesises, places and routes a design between registers for a Lattice ECP5 85k of
// speed grade 6; target is the frequency in MHz that placement tries to reach. nextpnr is the
// path of the program.
func ECP5(ctx context.Context, d Design, nextpnr string, target float64) (Route, error) {
	ports, err := Ports(ctx, d)
	if err != nil {
		return Route{}, err
	}
	if err := os.WriteFile(filepath.Join(d.Dir, "between.sv"), []byte(between(d, ports)), 0o644); err != nil {
		return Route{}, err
	}
	d.Files = append(append([]string(nil), d.Files...), "between.sv")
	if _, err := d.yosys(ctx, "synth_ecp5 -top between -json between.json"); err != nil {
		return Route{}, err
	}
	return d.route(ctx, nextpnr, target)
}

// route places and routes between.json, with further options of nextpnr.
func (d Design) route(ctx context.Context, nextpnr string, target float64, options ...string) (Route, error) {
	const report = "route.json"
	args := append([]string{"--quiet", "--85k", "--speed", "6", "--package", "CABGA756", "--json", "between.json", "--seed", "1",
		"--freq", strconv.FormatFloat(target, 'f', -1, 64), "--timing-allow-fail", "--lpf-allow-unconstrained", "--report", report}, options...)
	if _, err := tools.Run(ctx, d.Dir, nextpnr, args...); err != nil {
		return Route{}, err
	}
	text, err := os.ReadFile(filepath.Join(d.Dir, report))
	if err != nil {
		return Route{}, err
	}
	var doc struct {
		FMax        map[string]struct{ Achieved float64 }
		Utilization map[string]struct{ Used int }
		// Paths between two clocks are there, too.
		Paths []struct {
			From, To string
			Path     []struct {
				Type  string
				Delay float64
				To    struct{ Cell string }
			}
		} `json:"critical_paths"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return Route{}, fmt.Errorf("%s: %w", report, err)
	}
	inside := func(clock string) bool {
		return strings.Contains(clock, "clk") && !strings.Contains(clock, "clk_out") && !strings.Contains(clock, "clk_cfg")
	}
	r := Route{LUT: doc.Utilization["TRELLIS_COMB"].Used, FF: doc.Utilization["TRELLIS_FF"].Used}
	for clock, f := range doc.FMax {
		if inside(clock) {
			r.MHz = f.Achieved
		}
	}
	if r.MHz == 0 {
		return r, fmt.Errorf("%s: no clock", report)
	}
	for _, p := range doc.Paths {
		if inside(p.From) && inside(p.To) {
			for _, s := range p.Path {
				r.Path = append(r.Path, Segment{s.Type, s.Delay, s.To.Cell})
			}
		}
	}
	return r, nil
}
