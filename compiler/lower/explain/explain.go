// Package explain reports what a lowering has done: which operations of the graph stand for
// each operation of the source, and which rule orders the accesses to each memory.
package explain

import (
	"fmt"
	"strings"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Operation is one operation of the structured program and what became of it.
type Operation struct {
	// Line and Column are its position in File.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Op     string `json:"op"`
	// Depth is how many constructs are around it in its function.
	Depth int `json:"depth"`
	// Graph are the operations of the graph that stand for it.
	Graph []Node `json:"graph,omitempty"`
	// Note is the reason where there are none.
	Note string `json:"note,omitempty"`
}

// Node is an operation of the graph.
type Node struct {
	Op string `json:"op"`
	// Values are its results as the text of the graph names them.
	Values []string `json:"values,omitempty"`
	// Region is the activation context it belongs to, outermost first.
	Region string `json:"region"`
	// Rule is the rule that put it there.
	Rule string `json:"rule"`
}

// Lowering relates a structured program to the graph that lower.Lower made of it, by
// positions: for each source operation in order the resulting operations, the
// region each belongs to and the rule behind it. Operations of functions that
// the kernel calls are listed under their own lines; other functions of the
// module are left out. names are those of the graph's values in its text
// (mlir.ValueNames).
func Lowering(source, graph *ir.Operation, names map[*ir.Value]string) []Operation {
	_, regions := dfg.Regions(graph)
	byPos := map[diag.Pos][]*ir.Operation{}
	for _, op := range graph.Regions[0].Entry().Ops {
		byPos[op.Pos] = append(byPos[op.Pos], op)
	}
	lowered := callees(source, graph.SymName())
	var out []Operation
	var visit func(op *ir.Operation, depth int)
	visit = func(op *ir.Operation, depth int) {
		if op.Name == opname.FuncFunc && !lowered[op.SymName()] {
			return
		}
		if op.Name != opname.BuiltinModule {
			e := Operation{File: op.Pos.File, Line: op.Pos.Line, Column: op.Pos.Col, Op: op.Name, Depth: depth}
			for _, g := range byPos[op.Pos] {
				n := Node{Op: g.Name, Region: regions[g].Path(), Rule: dfg.Role(g)}
				for _, r := range g.Results() {
					n.Values = append(n.Values, "%"+names[r])
				}
				e.Graph = append(e.Graph, n)
			}
			delete(byPos, op.Pos) // operations at one position are reported once
			if len(e.Graph) == 0 {
				e.Note = withoutNodes(op)
			}
			if e.Note != "" || len(e.Graph) > 0 {
				out = append(out, e)
			}
			depth++
		}
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				for _, o := range b.Ops {
					visit(o, depth)
				}
			}
		}
	}
	visit(source, 0)
	return out
}

// callees are the functions that a function of a module calls, itself included.
func callees(module *ir.Operation, name string) map[string]bool {
	functions := map[string]*ir.Operation{}
	module.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.FuncFunc {
			functions[op.SymName()] = op
		}
		return true
	})
	reached := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		fn := functions[name]
		if fn == nil || reached[name] {
			return
		}
		reached[name] = true
		fn.Walk(func(op *ir.Operation) bool {
			if ref, ok := op.Attr("callee").(*ir.SymbolRefAttr); ok {
				visit(ref.Root)
			}
			return true
		})
	}
	visit(name)
	return reached
}

// withoutNodes returns why nothing of the graph stands for an operation.
func withoutNodes(op *ir.Operation) string {
	if op.Is(ir.Terminator) && op.Name != opname.FuncReturn {
		return "" // what it yields is in the operations of its construct
	}
	switch op.Name {
	case opname.FuncFunc:
		return "its body is the graph"
	case opname.FuncReturn:
		return "names the results"
	case opname.FuncCall:
		return "inlined: the operations of the function are listed there"
	case opname.ArithConstant, opname.IndexConstant, opname.IndexBoolConstant, opname.IndexSizeof:
		return "folded into other operations, or fired where it is used"
	case opname.MemRefAlloc, opname.MemRefAlloca, opname.MemRefGlobal, opname.MemRefGetGlobal:
		return "a memory without accesses"
	}
	if op.Dialect() == "memref" {
		return "folded into addresses"
	}
	return "folded into other operations, shared with an equal one, or unused"
}

// Text renders an explanation: the source line, then the operations it
// became. src may be nil.
func Text(list []Operation, src diag.Source) string {
	var b strings.Builder
	for _, e := range list {
		line := e.Op
		if text := sourceLine(src, e.File, e.Line); text != "" {
			line = text
		}
		fmt.Fprintf(&b, "%s:%d:%d: %s%s\n", e.File, e.Line, e.Column, strings.Repeat("  ", e.Depth), line)
		region := ""
		for _, n := range e.Graph {
			if n.Region != region {
				fmt.Fprintf(&b, "    in %s\n", n.Region)
				region = n.Region
			}
			name := n.Op
			if len(n.Values) > 0 {
				name = strings.Join(n.Values, ", ") + " = " + name
			}
			fmt.Fprintf(&b, "      %-48s %s\n", name, n.Rule)
		}
		if e.Note != "" {
			fmt.Fprintf(&b, "    (%s)\n", e.Note)
		}
	}
	return b.String()
}

func sourceLine(src diag.Source, file string, line int) string {
	if src == nil {
		return ""
	}
	text, ok := src(file)
	if !ok {
		return ""
	}
	lines := strings.Split(text, "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[line-1])
}
