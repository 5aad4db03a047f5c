package tech

import (
	"fmt"
	"sort"

	"loom/compiler/ir"
)

// sortedUses returns the uses of v by operation and operand: use lists promise
// no order.
func sortedUses(v *ir.Value, index map[*ir.Operation]int) []ir.Use {
	uses := append([]ir.Use(nil), v.Uses()...)
	sort.SliceStable(uses, func(a, b int) bool {
		x, y := index[uses[a].Op], index[uses[b].Op]
		if x != y {
			return x < y
		}
		return uses[a].Index < uses[b].Index
	})
	return uses
}

// portName reads entry i of a string array attribute of fn.
func portName(fn *ir.Operation, attr string, i int) string {
	if a, ok := fn.Attr(attr).(*ir.ArrayAttr); ok && i < len(a.Elems) {
		if s, ok := a.Elems[i].(*ir.StringAttr); ok {
			return s.Value
		}
	}
	return ""
}

// ArgName is the name of argument i of a handshake.func: from argNames, from the
// text, or argN.
func ArgName(fn *ir.Operation, i int) string {
	if s := portName(fn, "argNames", i); s != "" {
		return s
	}
	if s := fn.Regions[0].Entry().Args[i].Name; s != "" {
		return s
	}
	return fmt.Sprintf("arg%d", i)
}

// ResName is the name of result i of a handshake.func.
func ResName(fn *ir.Operation, i int) string {
	if s := portName(fn, "resNames", i); s != "" {
		return s
	}
	return fmt.Sprintf("out%d", i)
}

// OpLabel names an operation for messages: its mnemonic and, where it has one,
// the name of its first named result.
func OpLabel(op *ir.Operation) string {
	for _, r := range op.Results() {
		if r.Name != "" {
			return fmt.Sprintf("'%s' (%%%s)", op.Name, r.Name)
		}
	}
	return fmt.Sprintf("'%s'", op.Name)
}
