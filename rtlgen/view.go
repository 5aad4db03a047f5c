package rtlgen

import (
	"fmt"
	"strings"
)

// This file holds the view models the module templates lay out: a module is a
// header, a port list and sections of declarations, instances and assignments
// whose text is final.

// moduleView is one SystemVerilog module in its own file.
type moduleView struct {
	Title    string
	Header   headerView
	Comment  []string // what the module is, line by line
	Name     string
	Ports    []portDecl
	Sections []*section
}

// portDecl is one entry of the port list. Group, when set, is a comment line in
// front of it.
type portDecl struct {
	Group string
	Dir   string // "input" or "output"
	Range string // "[31:0]" or empty
	Name  string
}

// section is a titled part of a module body.
type section struct {
	Comment   []string
	Decls     []decl
	Instances []instance
	Assigns   []assign
	Muxes     []muxView
}

// muxView chooses the value of a signal by a selector. Without Select the only
// arm is assigned.
type muxView struct {
	Target, Select, Default string
	Arms                    []muxArm
}

type muxArm struct{ Label, Value string }

type decl struct{ Range, Name string }

type assign struct{ LHS, RHS string }

type instance struct {
	Module, Name string
	Params       []conn
	Ports        []conn
}

// conn is one .Name(Expr).
type conn struct{ Name, Expr string }

// Widths of columns, for aligned text.

// PortRange is the longest range of the port list.
func (m *moduleView) PortRange() int {
	n := 0
	for _, p := range m.Ports {
		n = max(n, len(p.Range))
	}
	return n
}

// DeclRange is the longest range of the declarations.
func (s *section) DeclRange() int {
	n := 0
	for _, d := range s.Decls {
		n = max(n, len(d.Range))
	}
	return n
}

// LHSWidth is the longest left-hand side of the assignments.
func (s *section) LHSWidth() int {
	n := 0
	for _, a := range s.Assigns {
		n = max(n, len(a.LHS))
	}
	return n
}

func connWidth(cs []conn) int {
	n := 0
	for _, c := range cs {
		n = max(n, len(c.Name))
	}
	return n
}

// ParamWidth and PortWidth align the connections of an instance.
func (i instance) ParamWidth() int { return connWidth(i.Params) }

// PortWidth is the longest port name.
func (i instance) PortWidth() int { return connWidth(i.Ports) }

// declare adds a signal of the given width.
func (s *section) declare(width int, names ...string) {
	for _, n := range names {
		s.Decls = append(s.Decls, decl{rangeOf(width), n})
	}
}

func (s *section) assign(lhs, rhs string) { s.Assigns = append(s.Assigns, assign{lhs, rhs}) }

// mux adds a selection; one without a choice becomes an assignment.
func (s *section) mux(m muxView) {
	switch {
	case len(m.Arms) == 0:
		s.assign(m.Target, m.Default)
	case m.Select == "":
		s.assign(m.Target, m.Arms[0].Value)
	default:
		s.Muxes = append(s.Muxes, m)
	}
}

func (s *section) instantiate(i instance) { s.Instances = append(s.Instances, i) }

// rangeOf is the packed range of a signal; one bit has none.
func rangeOf(width int) string {
	if width <= 1 {
		return ""
	}
	return fmt.Sprintf("[%d:0]", width-1)
}

// resize fits the signal name of width from to a width: the low bits, or
// zeros above it.
func resize(name string, from, to int) string { return fit(name, 0, from, to, 0, from) }

// fit takes a token out of a vector of total bits, where its payload of width from
// starts at a position with tag bits of tag above it, and gives the payload the
// width to: the low bits, or zeros above them. The tag stays above the payload.
func fit(name string, at, from, to, tag, total int) string {
	return fitLow(name, at, from, min(from, to), to, tag, total)
}

// fitLow is fit with no more than the lowest keep bits of the payload.
func fitLow(name string, at, from, keep, to, tag, total int) string {
	if from == to && keep >= to {
		return selectBits(name, at, from+tag, total)
	}
	keep = min(keep, from, to)
	var parts []string
	if tag > 0 {
		parts = append(parts, selectBits(name, at+from, tag, total))
	}
	if to > keep {
		parts = append(parts, fmt.Sprintf("%d'd0", to-keep))
	}
	if keep > 0 {
		parts = append(parts, selectBits(name, at, keep, total))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// selectBits selects width bits of a vector from a position.
func selectBits(name string, at, width, total int) string {
	switch {
	case width == total:
		return name
	case width == 1:
		return fmt.Sprintf("%s[%d]", name, at)
	}
	return fmt.Sprintf("%s[%d:%d]", name, at+width-1, at)
}

// concat lists element 0 in the low bits.
func concat(elems []string) string {
	if len(elems) == 1 {
		return elems[0]
	}
	rev := make([]string, len(elems))
	for i, e := range elems {
		rev[len(elems)-1-i] = e
	}
	return "{" + strings.Join(rev, ", ") + "}"
}

// anyOf ors terms; none give 0.
func anyOf(terms []string) string {
	switch len(terms) {
	case 0:
		return "1'b0"
	case 1:
		return terms[0]
	}
	out := make([]string, len(terms))
	for i, t := range terms {
		out[i] = t
		if strings.ContainsAny(t, "&|?") && !strings.HasPrefix(t, "(") {
			out[i] = "(" + t + ")"
		}
	}
	return fold(out, "|")
}

// fold joins terms by an operator, over several lines where one would be long.
func fold(terms []string, op string) string {
	line := strings.Join(terms, " "+op+" ")
	if len(line) <= 90 {
		return line
	}
	return strings.Join(terms, "\n      "+op+" ")
}

// allOf ands terms; none give 1.
func allOf(terms []string) string {
	if len(terms) == 0 {
		return "1'b1"
	}
	return fold(terms, "&")
}

// number is a sized decimal literal.
func number(width, v int) string { return fmt.Sprintf("%d'd%d", width, v) }

// unusedSection takes signals and bits that nothing reads, so that lint can tell
// a deliberate leftover from a forgotten one.
func unusedSection(signals []string) *section {
	s := &section{Comment: []string{"Bits that nothing in this module reads."}}
	s.declare(1, "unused_bits")
	s.assign("unused_bits", "&{"+strings.Join(append(signals, "1'b0"), ",\n          ")+"}")
	return s
}
