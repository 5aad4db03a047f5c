package dfg

import (
	"fmt"
	"sort"
	"strings"

	"loom/compiler/ir"
)

// OpCount is how often one kind of operation occurs.
type OpCount struct {
	Name  string `json:"op"`
	Count int    `json:"count"`
}

// Statistics describes the size of a graph.
type Statistics struct {
	Operations int `json:"operations"` // without the return
	Channels   int `json:"channels"`   // (value, use) pairs
	Loads      int `json:"loads"`
	Stores     int `json:"stores"`
	Memories   int `json:"memories"`
	// ByKind is sorted by name.
	ByKind []OpCount `json:"by_kind"`
}

// Stats counts the operations and channels of a handshake.func.
func Stats(fn *ir.Operation) Statistics {
	var s Statistics
	kinds := map[string]int{}
	for _, op := range fn.Regions[0].Entry().Ops {
		for _, v := range op.Operands() {
			if v == nil {
				continue
			}
			if _, mem := v.Type.(*ir.MemRefType); !mem {
				s.Channels++
			}
		}
		switch op.Name {
		case "handshake.return":
			continue
		case "handshake.load":
			s.Loads++
		case "handshake.store":
			s.Stores++
		case "handshake.memory", "handshake.extmemory":
			s.Memories++
		}
		s.Operations++
		kinds[op.Name]++
	}
	for name, n := range kinds {
		s.ByKind = append(s.ByKind, OpCount{name, n})
	}
	sort.Slice(s.ByKind, func(i, j int) bool { return s.ByKind[i].Name < s.ByKind[j].Name })
	return s
}

// String prints the statistics on a few lines.
func (s Statistics) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d operations, %d channels, %d memories (%d loads, %d stores)\n",
		s.Operations, s.Channels, s.Memories, s.Loads, s.Stores)
	for _, k := range s.ByKind {
		fmt.Fprintf(&b, "  %4d %s\n", k.Count, k.Name)
	}
	return b.String()
}

// Dot draws a handshake.func as Graphviz text. Tokens without data are dashed;
// operand positions that matter are written at the arrow heads.
func Dot(fn *ir.Operation) string {
	var b strings.Builder
	body := fn.Regions[0].Entry()
	fmt.Fprintf(&b, "digraph %s {\n  rankdir=TB;\n  node [shape=box, fontname=\"Helvetica\", fontsize=10];\n  edge [fontname=\"Helvetica\", fontsize=8];\n",
		quote(fn.SymName()))
	ids := map[*ir.Operation]string{}
	args := map[*ir.Value]string{}
	for i, a := range body.Args {
		id := fmt.Sprintf("arg%d", i)
		args[a] = id
		fmt.Fprintf(&b, "  %s [label=%s, shape=ellipse];\n", id, quote(valueName(a)+" : "+a.Type.String()))
	}
	for i, op := range body.Ops {
		id := fmt.Sprintf("n%d", i)
		ids[op] = id
		fmt.Fprintf(&b, "  %s [label=%s%s];\n", id, quote(label(op)), look(op))
	}
	for _, op := range body.Ops {
		for i, v := range op.Operands() {
			if v == nil {
				continue
			}
			from, tail := args[v], ""
			if v.Def != nil {
				from = ids[v.Def]
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
			fmt.Fprintf(&b, "  %s -> %s [taillabel=%s, headlabel=%s%s];\n", from, ids[op], quote(tail), quote(short(op, i)), style)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// short is the operand's part without its article, "" where order does not
// matter.
func short(op *ir.Operation, i int) string {
	if i < len(operandNames[op.Name]) {
		return strings.TrimPrefix(operandNames[op.Name][i], "the ")
	}
	return ""
}

// label is the text in a node: what it does, the name of its result, its place.
func label(op *ir.Operation) string {
	text := op.Name
	switch op.Name {
	case "handshake.constant":
		if v := op.Attr("value"); v != nil {
			text += " " + v.String()
		}
	case "dataflow.stream":
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
		case "handshake.memory", "handshake.extmemory":
			return ", style=filled, fillcolor=\"#f6e3c5\", shape=box3d"
		case "handshake.load", "handshake.store":
			return ", style=filled, fillcolor=\"#fbf1df\""
		case "handshake.return":
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
