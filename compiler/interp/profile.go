package interp

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Profile is what a run has executed, in operations that do work (Works); a copied element
// counts as one.
type Profile struct {
	// Work is that of the whole run.
	Work int64
	// Loops is the work of each loop that has run, with what is inside it and what it calls,
	// over all its runs.
	Loops map[*ir.Operation]int64
}

// idle are the operations that no hardware unit and no processor spends time on: constants,
// names of memory, the ends of regions, and the calls that Outline makes.
var idle = map[string]bool{
	opname.ArithConstant: true, opname.IndexConstant: true, opname.IndexBoolConstant: true, opname.UBPoison: true,
	opname.MemRefGetGlobal: true, opname.MemRefAlloca: true, opname.MemRefAlloc: true, opname.MemRefDealloc: true,
	opname.MemRefCast: true, opname.MemRefMemorySpaceCast: true, opname.MemRefSubview: true, opname.MemRefReinterpretCast: true,
	opname.MemRefCollapseShape: true, opname.MemRefExpandShape: true, opname.MemRefTranspose: true, opname.MemRefView: true,
	opname.FuncCall: true,
}

// Works reports whether an operation counts as work: the measure by which parts of a
// function are compared.
func Works(op *ir.Operation) bool { return !idle[op.Name] && !terminators[op.Name] }

// loopNames are the operations that Profile.Loops lists.
var loopNames = map[string]bool{
	opname.SCFFor: true, opname.SCFWhile: true, opname.SCFParallel: true, opname.SCFForall: true,
	opname.AffineFor: true, opname.AffineParallel: true,
}

// profiled wraps a loop so that its work is counted. The loop itself counts with what it
// holds, as it does in a function of its own.
func (c *compiler) profiled(op *ir.Operation, run instr) instr {
	if c.m.opts.Profile == nil || !loopNames[op.Name] {
		return run
	}
	return func(fr *frame) *fault {
		before := fr.st.work
		f := run(fr)
		fr.st.loops[op] += fr.st.work - before + 1
		return f
	}
}
