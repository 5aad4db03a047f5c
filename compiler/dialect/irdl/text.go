package irdl

import (
	"fmt"
	"strconv"
	"strings"
)

// FileName is the name under which the definitions are shipped.
const FileName = "loom.irdl.mlir"

// Text is the IRDL file: one module with the dialects handshake, dataflow and
// fabric, for mlir-opt-19 --irdl-file. The option can be given only once, hence
// one file.
func Text() string {
	var b strings.Builder
	b.WriteString(`// LOOM's dialects for MLIR's own tools, generated from the signatures in LOOM.
// mlir-opt-19 --irdl-file=` + FileName + ` reads with it what loom prints with --generic.
`)
	for _, d := range dialects() {
		fmt.Fprintf(&b, "\n// %s: %s.\nirdl.dialect @%s {\n", d.name, d.summary, d.name)
		for _, t := range d.types {
			w := &writer{}
			args := w.list(t.parameters)
			w.line("irdl.parameters(%s)", args)
			block(&b, "irdl.type @"+t.name, w.lines)
		}
		for _, s := range d.ops {
			block(&b, "irdl.operation @"+s.name, s.lines())
		}
		b.WriteString("}\n")
	}
	return b.String()
}

func block(b *strings.Builder, head string, lines []string) {
	fmt.Fprintf(b, "  %s {\n", head)
	for _, l := range lines {
		fmt.Fprintf(b, "    %s\n", l)
	}
	b.WriteString("  }\n")
}

// lines is the body of an irdl.operation.
func (s signature) lines() []string {
	w := &writer{}
	if in := w.list(s.in); in != "" {
		w.line("irdl.operands(%s)", in)
	}
	if out := w.list(s.out); out != "" {
		w.line("irdl.results(%s)", out)
	}
	var attrs []string
	for _, a := range s.attrs {
		attrs = append(attrs, strconv.Quote(a.name)+" = "+w.attribute(a))
	}
	if len(attrs) > 0 {
		w.line("irdl.attributes {%s}", strings.Join(attrs, ", "))
	}
	if s.body {
		// The entry block with the arguments, and the block with the graph.
		w.line("%%body = irdl.region with size 2")
		w.line("irdl.regions(%%body)")
	}
	return w.lines
}

// writer collects the body of one definition. Constraint variables are
// bound at their first use, those inside an irdl.any_of too, so nothing is
// shared between variables.
type writer struct {
	lines []string
	known map[string]bool
}

func (w *writer) line(format string, args ...any) {
	w.lines = append(w.lines, fmt.Sprintf(format, args...))
}

// list declares the variables of a signature's list and returns the arguments of
// irdl.operands or irdl.results.
func (w *writer) list(text string) string {
	var out []string
	for _, g := range groups(text) {
		for i := range g.times() {
			for _, v := range g.vars {
				name := v
				if v == "R" || v == "O" {
					name = fmt.Sprintf("%s%d", v, i)
				}
				card := g.cardinality
				if g.repeated {
					card = "variadic "
				}
				out = append(out, card+w.variable(name))
			}
		}
	}
	return strings.Join(out, ", ")
}

// variable declares a variable and returns its value.
func (w *writer) variable(name string) string {
	v := "%" + name
	if w.known[name] {
		return v
	}
	if w.known == nil {
		w.known = map[string]bool{}
	}
	w.known[name] = true
	const integer, index, none, tuple = `irdl.base "!builtin.integer"`, "irdl.is index", "irdl.is none", `irdl.base "!builtin.tuple"`
	switch name[0] {
	case 'T':
		w.anyOf(v, append([]string{integer, index, none, tuple}, floats...)...)
	case 'U':
		w.line("%s = %s", v, tuple)
	case 'E':
		w.anyOf(v, append([]string{integer, index}, floats...)...)
	case 'N', 'S':
		w.anyOf(v, integer, index)
	case 'P':
		w.anyOf(v, append([]string{"irdl.base @fabric::@bits", integer, index, none}, floats...)...)
	case 'Q':
		w.anyOf(v, append([]string{"irdl.base @fabric::@bits", "irdl.base @fabric::@tagged", integer, index, none}, floats...)...)
	case 'G':
		w.line("%s = irdl.base @fabric::@tagged", v)
	case 'W':
		w.line("%s = %s", v, integer)
	case 'A':
		w.line(`%s = irdl.base "#builtin.integer"`, v)
	case 'M':
		w.line(`%s = irdl.base "!builtin.memref"`, v)
	case 'C':
		w.line("%s = irdl.is i1", v)
	case 'I':
		w.line("%s = irdl.is index", v)
	case 'K':
		w.line("%s = irdl.is none", v)
	case 'R', 'O':
		w.line("%s = irdl.any", v)
	default:
		panic("irdl: no constraint " + name)
	}
	return v
}

var floats = []string{"irdl.is f16", "irdl.is bf16", "irdl.is f32", "irdl.is f64"}

// anyOf declares v as the union of constraints.
func (w *writer) anyOf(v string, constraints ...string) {
	var names []string
	for i, c := range constraints {
		n := fmt.Sprintf("%s_%d", v, i)
		w.line("%s = %s", n, c)
		names = append(names, n)
	}
	w.line("%s = irdl.any_of(%s)", v, strings.Join(names, ", "))
}

// attribute declares the constraint of an attribute and returns its value.
func (w *writer) attribute(a attribute) string {
	v := "%" + a.name
	if len(a.words) > 0 {
		var cs []string
		for _, word := range a.words {
			cs = append(cs, "irdl.is "+strconv.Quote(word))
		}
		w.anyOf(v, cs...)
		return v
	}
	base := map[string]string{
		intAttr: "#builtin.integer", textAttr: "#builtin.string", typeAttr: "#builtin.type",
		symbolAttr: "#builtin.symbol_ref", listAttr: "#builtin.array",
	}
	if a.kind == numberAttr {
		w.anyOf(v, `irdl.base "#builtin.integer"`, `irdl.base "#builtin.float"`)
	} else {
		w.line("%s = irdl.base %q", v, base[a.kind])
	}
	return v
}

// group is a part of a signature's list: some variables, once or repeated.
type group struct {
	vars        []string
	cardinality string // "", "optional " or "variadic "
	repeated    bool
}

// times is how often a group stands in the definition.
func (g group) times() int {
	switch {
	case !g.repeated:
		return 1
	case len(g.vars) == 1:
		return maxRuns
	}
	return maxStores
}

// groups splits a signature's list.
func groups(text string) []group {
	var out []group
	for _, part := range strings.Split(text, ", ") {
		if part == "" {
			continue
		}
		g := group{}
		switch part[len(part)-1] {
		case '?':
			g.cardinality = "optional "
		case '*':
			g.cardinality = "variadic "
		case '^':
			g.repeated = true
		}
		g.vars = strings.Split(strings.TrimRight(part, "?*^"), ",")
		out = append(out, g)
	}
	return out
}
