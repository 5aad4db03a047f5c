package dfg

import (
	"fmt"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Dot draws a handshake.func as Graphviz text, each region (loop, branch) as a
// cluster inside the one around it. Tokens without data are dashed; operand
// positions that matter are written at the arrow heads.
func Dot(fn *ir.Operation) string {
	p := &drawing{ids: map[*ir.Operation]string{}, args: map[*ir.Value]string{}}
	body := fn.Regions[0].Entry()
	p.line(0, "digraph %s {", quote(fn.SymName()))
	p.line(1, "rankdir=TB;")
	p.line(1, "node [shape=box, fontname=\"Helvetica\", fontsize=10];")
	p.line(1, "edge [fontname=\"Helvetica\", fontsize=8];")
	for i, a := range body.Args {
		p.args[a] = fmt.Sprintf("arg%d", i)
		p.line(1, "%s [label=%s, shape=ellipse];", p.args[a], quote(valueName(a)+" : "+a.Type.String()))
	}
	for i, op := range body.Ops {
		p.ids[op] = fmt.Sprintf("n%d", i)
	}
	root, _ := Regions(fn)
	p.region(root, 1)
	for _, op := range body.Ops {
		for i, v := range op.Operands() {
			if v == nil {
				continue
			}
			from, tail := p.args[v], ""
			if v.Def != nil {
				from = p.ids[v.Def]
				if v.Def.NumResults() > 1 {
					tail = fmt.Sprintf("%d", v.Index)
				}
			}
			if from == "" {
				continue
			}
			style := ""
			if v.Type == ir.Type(ir.None) {
				style = ", style=dashed"
			}
			p.line(1, "%s -> %s [taillabel=%s, headlabel=%s%s];", from, p.ids[op], quote(tail), quote(short(op, i)), style)
		}
	}
	p.line(0, "}")
	return p.b.String()
}

// drawing is a Graphviz text under construction.
type drawing struct {
	b        strings.Builder
	ids      map[*ir.Operation]string
	args     map[*ir.Value]string
	clusters int
}

func (p *drawing) line(depth int, format string, a ...any) {
	p.b.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(&p.b, format, a...)
	p.b.WriteByte('\n')
}

// region draws the operations of a region and the regions inside it.
func (p *drawing) region(r *Region, depth int) {
	for _, op := range r.Ops {
		p.line(depth, "%s [label=%s%s];", p.ids[op], quote(label(op)), look(op))
	}
	for _, c := range r.Children {
		p.line(depth, "subgraph cluster%d {", p.clusters)
		p.clusters++
		p.line(depth+1, "label=%s; labeljust=l; fontname=\"Helvetica\"; fontsize=10; style=rounded; color=%s;",
			quote(c.Title()), quote(frames[c.Kind]))
		p.region(c, depth+1)
		p.line(depth, "}")
	}
}

// frames are the colours of the regions.
var frames = map[RegionKind]string{
	ThenRegion: "#5a8f4e", ElseRegion: "#b0703c",
	ForRegion: "#3d6fa5", WhileRegion: "#6b5aa5", WhileBodyRegion: "#6b5aa5",
}

// Title names a region for people: its kind, what steers it, its line.
func (r *Region) Title() string {
	if r.Cond == nil {
		return string(r.Kind)
	}
	title := string(r.Kind)
	if r.Kind == ThenRegion || r.Kind == ElseRegion {
		title += " of %" + valueName(r.Cond)
	}
	if p := r.Cond.Pos(); p.IsValid() {
		title += fmt.Sprintf(", line %d", p.Line)
	}
	return title
}

// short is the operand's part without its article, "" where order does not
// matter.
func short(op *ir.Operation, i int) string {
	if i < len(operandNames[op.Name]) {
		return strings.TrimPrefix(operandNames[op.Name][i], "the ")
	}
	return ""
}

// label is the text in a node: what it does, the name of its result, its line.
func label(op *ir.Operation) string {
	text := op.Name
	switch op.Name {
	case opname.HandshakeConstant:
		if v := op.Attr("value"); v != nil {
			text += " " + v.String()
		}
	case opname.DataflowStream:
		text += " " + op.StrAttr("step_op") + " " + op.StrAttr("cont_cond")
	}
	for _, r := range op.Results() {
		if r.Name != "" {
			text += "\n%" + r.Name
			break
		}
	}
	if op.Pos.IsValid() {
		text += fmt.Sprintf("\nline %d", op.Pos.Line)
	}
	return text
}

// look colours a node by what it is for.
func look(op *ir.Operation) string {
	switch op.Dialect() {
	case "dataflow":
		return ", style=filled, fillcolor=\"#dbe9f6\""
	case "handshake":
		switch op.Name {
		case opname.HandshakeMemory, opname.HandshakeExtmemory:
			return ", style=filled, fillcolor=\"#f6e3c5\", shape=box3d"
		case opname.HandshakeLoad, opname.HandshakeStore:
			return ", style=filled, fillcolor=\"#fbf1df\""
		case opname.HandshakeReturn:
			return ", shape=ellipse"
		}
		return ", style=rounded"
	}
	return ", style=filled, fillcolor=\"#e5f2dc\""
}

func quote(s string) string {
	s = strings.ReplaceAll(s, `\`, `\\`)
	s = strings.ReplaceAll(s, `"`, `\"`)
	return `"` + strings.ReplaceAll(s, "\n", `\n`) + `"`
}
