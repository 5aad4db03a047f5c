package cgen

import (
	"strings"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// funcCall writes a call: of a function of the module, or of the external function that replaces it.
func (f *function) funcCall(op *ir.Operation) {
	ref, ok := op.Attr("callee").(*ir.SymbolRefAttr)
	if !ok {
		f.fail(op.Pos, "a call names no function")
		return
	}
	callee := f.u.find(ref.Root)
	if callee == nil || callee.Name != opname.FuncFunc || callee.Regions[0].Entry() == nil {
		f.fail(op.Pos, "%s has no body here", ir.SymbolText(ref.Root))
		return
	}
	name := ""
	if ext, isExt := f.u.opts.External[ref.Root]; isExt {
		name = ext.Name
	} else if name = f.u.cnames[ref.Root]; name == "" {
		name = f.u.names.Pick(ref.Root)
		f.u.cnames[ref.Root] = name
		f.u.pending = append(f.u.pending, callee)
	}
	params, err := f.u.Params(callee)
	if err != nil {
		f.fail(op.Pos, "%v", err)
		return
	}
	results := f.outcome(op)
	var args []string
	if f.u.opts.Context != "" {
		args = append(args, f.u.opts.Context)
	}
	for _, p := range params {
		switch {
		case p.Result >= 0:
			args = append(args, "&"+results[p.Result])
		case p.Dim >= 0:
			v := f.view(op.Operand(p.Arg))
			args = append(args, cut(v.shape[p.Dim], f.width(ir.Index)))
		case isMemRef(op.Operand(p.Arg).Type):
			v := f.view(op.Operand(p.Arg))
			if !v.dense {
				f.fail(op.Pos, "a window on memory cannot be passed to a function on the host")
			}
			args = append(args, v.pointer())
		default:
			args = append(args, f.val(op.Operand(p.Arg)))
		}
	}
	f.calls = true
	f.line("status = %s(%s);", name, strings.Join(args, ", "))
	f.leave("status != 0", "status")
}

// leave returns a status under a condition.
func (f *function) leave(condition, status string) {
	if len(f.heap) == 0 {
		f.line("if (%s)", condition)
		f.line("    return %s;", status)
		return
	}
	f.line("if (%s) {", condition)
	for _, release := range f.heap {
		f.line("    %s", release)
	}
	f.line("    return %s;", status)
	f.line("}")
}
