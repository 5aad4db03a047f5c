// Package report describes mappings for people: map.txt, the schema of map.json,
// and the picture pages viz.html and fabric.viz.json.
//
// Source: design page "Mapper", reports.
package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"loom/compiler/diag"
	"loom/compiler/mapping"
	"loom/compiler/opname"
)

// Text renders a mapping as map.txt: summary, timing, the site of every
// operation, boundary and memories, routes, and what of the fabric is in use.
func Text(m *mapping.Mapping) string {
	var b strings.Builder
	t := &text{m: m, b: &b, ops: map[int]string{}}
	for _, o := range m.Ops {
		t.ops[o.Index] = opName(o)
	}
	t.summary()
	t.timing()
	t.boundary()
	t.memories()
	t.operations()
	t.routes()
	t.utilization()
	return b.String()
}

type text struct {
	m   *mapping.Mapping
	b   *strings.Builder
	ops map[int]string
	// accesses counts those of each memory of the graph, which may be read through several.
	accesses map[int]int
}

// opName is the short name of an operation: its index, its mnemonic and, where
// it has one, the name of its result.
func opName(o mapping.Op) string {
	name := o.Name
	if i := strings.IndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	s := fmt.Sprintf("#%d %s", o.Index, name)
	if o.Label != "" {
		s += " %" + o.Label
	}
	return s
}

// ratio spells cycles per iteration.
// table prints rows as aligned columns under a heading.
func (t *text) table(title string, rows [][]string) {
	if len(rows) < 2 {
		return // nothing below the column names
	}
	fmt.Fprintf(t.b, "\n%s\n%s\n", title, strings.Repeat("-", utf8.RuneCountInString(title)))
	var width []int
	for _, r := range rows {
		for i, cell := range r {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, r := range rows {
		line := ""
		for i, cell := range r {
			line += "  " + cell + strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
		}
		fmt.Fprintln(t.b, strings.TrimRight(line, " "))
	}
}

func (t *text) summary() {
	m := t.m
	u := m.Utilization
	title := fmt.Sprintf("Mapping of %s onto %s", m.Kernel, m.Fabric)
	fmt.Fprintf(t.b, "%s\n%s\n", title, strings.Repeat("=", len(title)))
	fmt.Fprintf(t.b, "tool %s, seed %d, placement %d, layout hash %s\n", m.Tool, m.Seed, m.Attempt, m.LayoutHash)
	lanes := ""
	if u.Lanes.Total > 0 {
		lanes = fmt.Sprintf("%d of %d lanes, ", u.Lanes.Used, u.Lanes.Total)
	}
	fmt.Fprintf(t.b, "%s of %d PEs, %d of %d memories, %s%d of %d switch outputs in use\n",
		diag.Plural(u.PEs.Used, "unit"), u.PEs.Total, u.Memories.Used, u.Memories.Total, lanes, u.Links.Used, u.Links.Total)
	fmt.Fprintf(t.b, "%s with %d registers in all\n", diag.Plural(len(m.Edges), "edge"), u.RegisterHops)
}

func (t *text) timing() {
	rows := [][]string{{"loop", "at", "expected II", "recurrence", "memory", "lane", "unit", "remark"}}
	for _, l := range t.m.Timing.Loops {
		remark := ""
		if !l.Innermost {
			remark = "outer: inner loops at their shortest"
		} else if l.Most.Tokens == 0 {
			remark = "accesses take turns at a memory"
		} else if l.Most != l.II {
			remark = "depends on the data"
		}
		name := "loop of an argument"
		if l.Op >= 0 {
			name = t.ops[l.Op]
		}
		rows = append(rows, []string{name, position(l.Pos.File, l.Pos.Line), l.Expected(), l.Recurrence.String(),
			fmt.Sprint(l.Memory), l.Lane.String(), fmt.Sprint(l.Unit), remark})
	}
	t.table(fmt.Sprintf("Timing in cycles per iteration (external memory responding after %s)", t.m.Timing.Memory()), rows)
	for _, l := range t.m.Timing.Loops {
		if len(l.Cycle) == 0 {
			continue
		}
		var names []string
		for _, o := range l.Cycle {
			names = append(names, t.ops[o])
		}
		fmt.Fprintf(t.b, "  longest recurrence of %s: %s\n", t.ops[l.Op], strings.Join(names, " > "))
	}
}

// position spells a source position, its file without directories: reports do not
// depend on where the sources lie.
func position(file string, line int) string {
	if line == 0 {
		return "-"
	}
	return fmt.Sprintf("%s:%d", file[strings.LastIndexByte(file, '/')+1:], line)
}

func (t *text) boundary() {
	rows := [][]string{{"argument", "type", "at"}}
	for _, a := range t.m.Args {
		at := "not used"
		switch {
		case a.Port != "":
			at = "input " + a.Port
		case a.Comp != "":
			at = fmt.Sprintf("memory %s, region %d", a.Comp, a.Region)
			for _, p := range a.Also {
				at += fmt.Sprintf("; memory %s, region %d", p.Comp, p.Region)
			}
		}
		rows = append(rows, []string{a.Name, a.Type, at})
	}
	rows = append(rows, []string{t.m.Start.Name, t.m.Start.Type, "input " + t.m.Start.Port})
	for _, r := range append(append([]mapping.Port(nil), t.m.Results...), t.m.Done) {
		rows = append(rows, []string{r.Name, r.Type, "output " + r.Port})
	}
	t.table("Arguments and results", rows)
}

// memories lists the arrays and the loads and stores with their components, and how
// the bridges between them are set.
func (t *text) memories() {
	regions := map[[2]any]mapping.Region{}
	for _, r := range t.m.Regions {
		regions[[2]any{r.Comp, r.Region}] = r
	}
	t.accesses = map[int]int{}
	for _, mem := range t.m.Memories {
		t.accesses[mem.Op] += len(mem.Accesses)
	}
	rows := [][]string{{"memory", "argument", "component", "region", "tags", "first element"}}
	accesses := [][]string{{"access", "of", "at", "tag"}}
	for _, mem := range t.m.Memories {
		arg, first := "-", fmt.Sprint(mem.First)
		if mem.Arg >= 0 && mem.Arg < len(t.m.Args) {
			arg = t.m.Args[mem.Arg].Name
		}
		if mem.Arg >= 0 || mem.Table {
			first = "set by the host"
		}
		r := regions[[2]any{mem.Comp, mem.Region}]
		rows = append(rows, []string{t.ops[mem.Op], arg, mem.Comp, fmt.Sprint(mem.Region), tagRange(r), first})
		for _, a := range mem.Accesses {
			at, tag := a.Comp, fmt.Sprint(a.Tag)
			if a.Comp == mem.Comp {
				at, tag = "the memory's "+string(a.Kind)+" ports", "-"
				if len(mem.Accesses) < t.accesses[mem.Op] {
					at = "the " + string(a.Kind) + " ports of " + mem.Comp
				}
			}
			accesses = append(accesses, []string{fmt.Sprintf("%s %d", a.Kind, a.Index), t.ops[mem.Op], at, tag})
		}
	}
	t.table("Memories", rows)
	t.table("Loads and stores", accesses)
	slots := [][]string{{"switch", "slot", "tag", "routes"}}
	for _, s := range t.m.TemporalSwitches {
		for k, slot := range s.Slots {
			var routes []string
			for _, r := range slot.Routes {
				routes = append(routes, fmt.Sprintf("input %d > output %d", r[1], r[0]))
			}
			slots = append(slots, []string{s.Comp, fmt.Sprint(k), fmt.Sprint(slot.Tag), strings.Join(routes, ", ")})
		}
	}
	t.table("Slots of temporal switches", slots)
}

// tagRange spells the tags of a region, "-" for those of memories without.
func tagRange(r mapping.Region) string {
	switch r.EndTag - r.StartTag {
	case 0:
		return "-"
	case 1:
		return fmt.Sprint(r.StartTag)
	}
	return fmt.Sprintf("%d to %d", r.StartTag, r.EndTag-1)
}

func (t *text) operations() {
	rows := [][]string{{"operation", "at", "component", "unit", "opcode", "configuration"}}
	for _, o := range t.m.Ops {
		at := position(o.Pos.File, o.Pos.Line)
		switch o.Role {
		case mapping.RoleUnit:
			g := t.m.Groups[o.Group]
			var fields []string
			for _, f := range g.Fields {
				fields = append(fields, fmt.Sprintf("%s=%#x", f.Name, uint64(f.Value)))
			}
			for _, in := range g.Inputs {
				if m := in.Immediate; m != nil {
					fields = append(fields, immediateText(in.Unit, m))
				}
			}
			if o.Name == opname.HandshakeLoad && !slices.ContainsFunc(g.Inputs, func(in mapping.UnitIn) bool { return in.Op == o.Index && in.Operand == 1 }) {
				fields = append(fields, "data past it")
			}
			comp := o.Comp
			if g.Instruction != nil {
				comp += fmt.Sprintf(" #%d", *g.Instruction)
			}
			rows = append(rows, []string{t.ops[o.Index], at, comp, o.Unit, fmt.Sprint(g.Opcode), strings.Join(fields, " ")})
		case mapping.RoleMemory:
			rows = append(rows, []string{t.ops[o.Index], at, o.Comp})
		case mapping.RoleWire:
			what := "a wire: the low bits pass on"
			switch {
			case strings.HasPrefix(o.Name, "arith.ext"):
				what = "a wire: zeros stand above, or nothing depends on the bits"
			case o.Name == opname.HandshakeLoad:
				what = "a wire: the address goes to the memory, the data to what reads it"
			}
			rows = append(rows, []string{t.ops[o.Index], at, "-", what})
		case mapping.RoleImmediate:
			rows = append(rows, []string{t.ops[o.Index], at, "-", "in the operands that read it"})
		}
	}
	t.table("Operations", rows)
}

// immediateText spells the immediate of a unit input: "in1=0x5", "in1=0x5 held", "in2 held" of a
// control token.
func immediateText(input int, m *mapping.Immediate) string {
	s := fmt.Sprintf("in%d", input)
	if m.Constant >= 0 {
		s += fmt.Sprintf("=%#x", uint64(m.Value))
	}
	if m.Held {
		s += " held"
	}
	return s
}

// terminal names an end of an edge.
func (t *text) terminal(end mapping.Terminal, source bool) string {
	if end.Op < 0 {
		if end.Port < len(t.m.Args) {
			return "argument " + t.m.Args[end.Port].Name
		}
		return "argument " + t.m.Start.Name
	}
	if !source && end.Op == len(t.m.Ops)-1 {
		if end.Port < len(t.m.Results) {
			return "result " + t.m.Results[end.Port].Name
		}
		return "result " + t.m.Done.Name
	}
	return fmt.Sprintf("%s [%d]", t.ops[end.Op], end.Port)
}

func (t *text) routes() {
	rows := [][]string{{"from", "to", "bits", "switches", "registers", "slots"}}
	for _, e := range t.m.Edges {
		if e.Kind == mapping.IntraFU {
			rows = append(rows, []string{t.terminal(e.Src, true), t.terminal(e.Dst, false), fmt.Sprint(e.Width), "inside the unit"})
			continue
		}
		if e.Kind == mapping.TemporalReg {
			rows = append(rows, []string{t.terminal(e.Src, true), t.terminal(e.Dst, false), fmt.Sprint(e.Width), "inside the PE"})
			continue
		}
		rows = append(rows, []string{t.terminal(e.Src, true), t.terminal(e.Dst, false), fmt.Sprint(e.Width),
			fmt.Sprint(t.switches(e)), fmt.Sprint(e.Latency), fmt.Sprint(e.Slots)})
	}
	t.table("Routes", rows)
}

// switches counts the switches that an edge passes: the steps that are neither
// ends nor FIFOs. A switch is known by its setting.
func (t *text) switches(e mapping.Edge) int {
	n := 0
	for _, s := range e.Steps {
		for _, sw := range t.m.Switches {
			if sw.Comp == s.Comp && s.In >= 0 && s.Out >= 0 {
				n++
				break
			}
		}
	}
	return n
}

func (t *text) utilization() {
	rows := [][]string{{"operation", "used", "PEs that offer it"}}
	for _, c := range t.m.Utilization.Classes {
		rows = append(rows, []string{c.Class, fmt.Sprint(c.Used), fmt.Sprint(c.Total)})
	}
	t.table("Units by operation", rows)
}
