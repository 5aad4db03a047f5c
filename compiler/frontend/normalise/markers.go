package normalise

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// markers are operations that tell an optimiser something and do nothing; with a
// result they hand on their first operand.
var markers = map[string]bool{
	"llvm.intr.lifetime.start": true, "llvm.intr.lifetime.end": true,
	"llvm.intr.invariant.start": true, "llvm.intr.invariant.end": true,
	"llvm.intr.assume": true, "llvm.intr.var.annotation": true,
	"llvm.intr.ptr.annotation": true, "llvm.intr.annotation": true,
	"llvm.intr.expect": true, "llvm.intr.expect.with.probability": true,
	"llvm.intr.launder.invariant.group": true, "llvm.intr.strip.invariant.group": true,
	"llvm.intr.ssa.copy": true, "llvm.intr.dbg.label": true, "llvm.intr.donothing": true,
	"llvm.intr.experimental.noalias.scope.decl": true, "llvm.intr.prefetch": true,
	"llvm.intr.threadlocal.address": true, "llvm.freeze": true,
}

// endings are calls and operations that stop the program. What leads to them is
// taken as never happening, since hardware has no way to stop.
var endings = map[string]string{
	"__assert_fail": "assert", "__assert_rtn": "assert", "_assert": "assert", "__assert": "assert",
	"abort": "abort", "_ZSt9terminatev": "std::terminate", "__builtin_unreachable": "",
}

// dropMarkers erases them.
func dropMarkers(f *ir.Operation, notes *diag.List) {
	f.Walk(func(o *ir.Operation) bool {
		switch {
		case markers[o.Name]:
			for _, r := range o.Results() {
				if o.NumOperands() > 0 {
					r.ReplaceAllUsesWith(o.Operand(0))
				}
			}
			if len(o.Results()) == 0 || !o.Result(0).HasUses() {
				o.Erase()
			}
		case o.Name == "llvm.intr.is.constant":
			b := instead(o)
			o.Result(0).ReplaceAllUsesWith(b.constant(o.Result(0).Type, 0))
			o.Erase()
		case o.Name == "llvm.intr.trap" || o.Name == "llvm.intr.debugtrap" || o.Name == "llvm.intr.ubsantrap":
			notes.Warnf(place(o), "the trap here is left out: hardware cannot stop the program").
				WithHelp("results are only meaningful for inputs that never get here")
			o.Erase()
		case endings[callee(o)] != "":
			notes.Warnf(place(o), "%s is left out: hardware cannot stop the program", endings[callee(o)]).
				WithHelp("results are only meaningful for inputs that never get here")
			o.Erase()
		}
		return true
	})
}
