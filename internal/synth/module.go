package synth

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// elaborated is the file that Elaborate leaves in the directory of a design.
const elaborated = "elaborated.il"

// Module is a module of an elaborated design, with its parameters.
type Module struct {
	// Name is that of the source, ID that of the module with these parameters.
	Name, ID string
	// Params are the parameters in their order, as numbers and constants of RTLIL.
	Params [][2]string
	// Count is how many of it the design has.
	Count int
}

// Param is the value of a parameter, empty if there is none of the name.
func (m Module) Param(name string) string {
	for _, p := range m.Params {
		if p[0] == name {
			return p[1]
		}
	}
	return ""
}

// sourceName is the name in the source of a module of RTLIL.
func sourceName(id string) string {
	if rest, ok := strings.CutPrefix(id, `$paramod\`); ok { // $paramod\name\parameters
		name, _, _ := strings.Cut(rest, `\`)
		return name
	}
	return id[strings.LastIndexByte(id, '\\')+1:]
}

// Elaborate resolves the hierarchy of a design with all parameters and lists the modules in it, those
// of which there are most first.
func Elaborate(ctx context.Context, d Design) ([]Module, error) {
	if _, err := d.yosys(ctx, "hierarchy -check -top "+d.Top+"; proc; write_rtlil "+elaborated); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(d.Dir, elaborated))
	if err != nil {
		return nil, err
	}
	modules, cells := map[string]*Module{}, map[string][]string{}
	var at *Module
	for line := range strings.Lines(string(text)) {
		word := strings.Fields(line)
		switch {
		case len(word) == 2 && word[0] == "module":
			at = &Module{ID: word[1], Name: sourceName(word[1])}
			modules[at.ID] = at
		case at == nil:
		case len(word) >= 2 && word[0] == "parameter" && strings.HasPrefix(line, "  parameter"):
			p := [2]string{strings.TrimPrefix(word[1], `\`)}
			if len(word) > 2 {
				p[1] = strings.Join(word[len(word)-1:], "")
			}
			at.Params = append(at.Params, p)
		case len(word) == 3 && word[0] == "cell":
			cells[at.ID] = append(cells[at.ID], word[1])
		}
	}
	var visit func(id string)
	visit = func(id string) {
		m := modules[id]
		if m == nil {
			return // a cell of Yosys
		}
		m.Count++
		for _, c := range cells[id] {
			visit(c)
		}
	}
	visit(`\` + d.Top)
	var out []Module
	for _, m := range modules {
		if m.Count > 0 {
			out = append(out, *m)
		}
	}
	slices.SortFunc(out, func(a, b Module) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID)) })
	return out, nil
}

// MapByDelay is what ABC does to map logic: choices of structure by equivalences, and tables chosen
// among many cuts with 0.8 ns of wire for each. Yosys restructures for area first (&dc2), which makes
// paths longer, and takes 0.3 ns, with which carry chains look as long as paths of ten tables.
const MapByDelay = "+&scorr;&sweep;&dch,-f;&if,-C,24,-F,3,-A,4,-W,800,-v;&mfs"

// loopsFound is what abc9 says of loops before it maps.
var loopsFound = regexp.MustCompile(`Found (\d+) SCCs in module`)

// ECP5Module is ECP5 for a module of a design that Elaborate has elaborated, with the modules whose
// names match a pattern of keep apart in synthesis: a large design takes long as a whole. Registers of
// configuration, in cells u_*__cfg of the module or in front of its inputs cfg_*, have a clock of their
// own: nextpnr cannot be told otherwise that paths from them do not count, since they do not change
// while the fabric runs. Multiplexers are look-up tables of four inputs alone (-nowidelut), which
// takes fewer of them and is faster; they are mapped by delay (-abc9), and placement weighs wires on
// long paths four times as much as by default: on four PEs 89 MHz instead of 79. It is an error if
// the mapper finds a loop: it would cut it, and see only a part of the paths through it.
func ECP5Module(ctx context.Context, d Design, m Module, keep []string, nextpnr string, target float64) (Route, error) {
	ports, err := d.portsOf(ctx, "read_rtlil "+elaborated, m.ID)
	if err != nil {
		return Route{}, err
	}
	d.Top = "component"
	cells, err := d.configured(m.ID)
	if err != nil {
		return Route{}, err
	}
	clock := ""
	if len(cells) > 0 {
		clock = "cd component; add -input clk_cfg 1; "
		for _, c := range cells {
			clock += "connect -port " + c + ` clk \clk_cfg; `
		}
		clock += "cd ..; "
		ports = append(ports, Port{Name: "clk_cfg", Width: 1})
	} else if !strings.HasPrefix(m.Name, "loom_cfg") {
		for i := range ports {
			ports[i].constant = strings.HasPrefix(ports[i].Name, "cfg")
		}
	}
	if err := os.WriteFile(filepath.Join(d.Dir, "between.sv"), []byte(between(d, ports)), 0o644); err != nil {
		return Route{}, err
	}
	apart := ""
	if len(keep) > 0 {
		apart = "setattr -mod -set keep_hierarchy 1 " + strings.Join(keep, " ") + "; "
	}
	script := fmt.Sprintf("read_rtlil %s; hierarchy -top %s; rename %s component; %sread_verilog -sv between.sv; hierarchy -top between; %s%s",
		elaborated, m.ID, m.ID, clock, apart, mapECP5)
	out, err := d.run(ctx, script)
	if err != nil {
		return Route{}, err
	}
	if loops := loopsFound.FindStringSubmatch(out); loops != nil && loops[1] != "0" {
		return Route{}, fmt.Errorf("%s: the mapper cuts %s loops, of logic or of a reset that follows from its own register", m.Name, loops[1])
	}
	return d.route(ctx, nextpnr, target, placeECP5...)
}

// mapECP5 and placeECP5 are what ECP5Module asks of Yosys and of nextpnr.
var (
	mapECP5   = fmt.Sprintf("scratchpad -set abc9.script %q; synth_ecp5 -abc9 -nowidelut -top between -json between.json", MapByDelay)
	placeECP5 = []string{"--placer-heap-timingweight", "40"}
)

// numbered is a name that Yosys makes, with places in the source and counters; names of modules with parameters are none.
var numbered = regexp.MustCompile(`\$[^\\\s\[\]$]+\$[^\\\s\[\]]*`)

// ECP5Reads is all that the result of ECP5Module follows from, but for the versions of the tools: the module of a design that
// Elaborate has elaborated and the modules in it, without places in the source, and the options.
func ECP5Reads(d Design, m Module) (string, error) {
	text, err := os.ReadFile(filepath.Join(d.Dir, elaborated))
	if err != nil {
		return "", err
	}
	modules, at := map[string][]string{}, ""
	for line := range strings.Lines(string(text)) {
		switch word := strings.Fields(line); {
		case len(word) == 2 && word[0] == "module":
			at = word[1]
		case at == "" || len(word) > 1 && word[0] == "attribute" && word[1] == `\src`:
		case strings.HasPrefix(line, "end"):
			at = ""
		default:
			modules[at] = append(modules[at], line)
		}
	}
	var out strings.Builder
	names, read := map[string]string{}, map[string]bool{}
	var visit func(id string)
	visit = func(id string) {
		if read[id] || modules[id] == nil {
			return
		}
		read[id] = true
		fmt.Fprintf(&out, "module %s\n", id)
		var inside []string
		for _, line := range modules[id] {
			if word := strings.Fields(line); len(word) == 3 && word[0] == "cell" {
				inside = append(inside, word[1])
			}
			out.WriteString(numbered.ReplaceAllStringFunc(line, func(name string) string {
				if strings.HasPrefix(name, "$paramod$") {
					return name
				}
				if names[name] == "" {
					names[name] = fmt.Sprint("$", len(names))
				}
				return names[name]
			}))
		}
		for _, id := range inside {
			visit(id)
		}
	}
	visit(m.ID)
	return fmt.Sprintf("%s%s %v", out.String(), mapECP5, placeECP5), nil
}

var configCell = regexp.MustCompile(`^  cell \S+ (\\u_\w+__cfg)$`)

// configured are the cells of an elaborated module that hold configuration.
func (d Design) configured(id string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(d.Dir, elaborated))
	if err != nil {
		return nil, err
	}
	var cells []string
	at := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "module "); ok {
			at = name
		} else if x := configCell.FindStringSubmatch(line); x != nil && at == id {
			cells = append(cells, x[1])
		}
	}
	return cells, nil
}
