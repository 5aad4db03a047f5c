package normalise

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/llvm"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// markers are operations that only inform an optimiser; with a
// result they return their first operand.
var markers = map[string]bool{
	opname.LLVMIntrLifetimeStart: true, opname.LLVMIntrLifetimeEnd: true,
	opname.LLVMIntrInvariantStart: true, opname.LLVMIntrInvariantEnd: true,
	opname.LLVMIntrAssume: true, opname.LLVMIntrVarAnnotation: true,
	opname.LLVMIntrPtrAnnotation: true, opname.LLVMIntrAnnotation: true,
	opname.LLVMIntrExpect: true, opname.LLVMIntrExpectWithProbability: true,
	opname.LLVMIntrLaunderInvariantGroup: true, opname.LLVMIntrStripInvariantGroup: true,
	opname.LLVMIntrSsaCopy: true, opname.LLVMIntrDbgLabel: true, opname.LLVMIntrDonothing: true,
	opname.LLVMIntrExperimentalNoaliasScopeDecl: true, opname.LLVMIntrPrefetch: true,
	opname.LLVMIntrThreadlocalAddress: true, opname.LLVMFreeze: true,
}

// endings are calls and operations that stop the program. What leads to them is
// taken as never happening, since hardware cannot stop.
var endings = map[string]string{
	"__assert_fail": "assert", "__assert_rtn": "assert", "_assert": "assert", "__assert": "assert",
	"abort": "abort", "_ZSt9terminatev": "std::terminate", "__builtin_unreachable": "",
}

// dropMarkers erases them.
func dropMarkers(f *ir.Operation, notes *diag.List) {
	f.Walk(func(o *ir.Operation) bool {
		switch {
		case o.Name == opname.LLVMFence:
			// Compilers alone observe a fence between the accesses of one thread.
			if o.StrAttr("syncscope") == llvm.SingleThread {
				o.Erase()
			}
		case markers[o.Name]:
			for _, r := range o.Results() {
				if o.NumOperands() > 0 {
					r.ReplaceAllUsesWith(o.Operand(0))
				}
			}
			if len(o.Results()) == 0 || !o.Result(0).HasUses() {
				o.Erase()
			}
		case o.Name == opname.LLVMIntrIsConstant:
			b := instead(o)
			o.Result(0).ReplaceAllUsesWith(b.constant(o.Result(0).Type, 0))
			o.Erase()
		case o.Name == opname.LLVMIntrTrap || o.Name == opname.LLVMIntrDebugtrap || o.Name == opname.LLVMIntrUbsantrap:
			notes.Warnf(position(o), "the trap here is left out: hardware cannot stop the program").
				WithHelp("results are only meaningful for inputs that never get here")
			o.Erase()
		case endings[callee(o)] != "":
			notes.Warnf(position(o), "%s is left out: hardware cannot stop the program", endings[callee(o)]).
				WithHelp("results are only meaningful for inputs that never get here")
			o.Erase()
		}
		return true
	})
}
