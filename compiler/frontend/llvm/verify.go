package llvm

import (
	"regexp"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

// Verify checks the form of a function of the llvm dialect whose operations this
// project does not register: blocks end in a branch, a return or llvm.unreachable and
// nowhere before, branches pass what their targets take, and what is read is
// defined before.
func Verify(fn *ir.Operation, errs *diag.List) {
	for _, b := range fn.Regions[0].Blocks {
		for i, op := range b.Ops {
			terminator := IsTerminator(op)
			if terminator != (i == len(b.Ops)-1) || len(op.Succs) > 0 && !terminator {
				errs.Errorf(op.Pos, "'%s' does not end its block, or ends it without being a terminator", op.Name)
				continue
			}
			for _, v := range op.Operands() {
				if v == nil || v.Def != nil && v.Def.Block() == nil {
					errs.Errorf(op.Pos, "'%s' reads what is not there any more", op.Name)
					return
				}
			}
			if terminator && !handsOver(op) {
				errs.Errorf(op.Pos, "'%s' does not fit the blocks it names", op.Name)
			}
		}
		if len(b.Ops) == 0 {
			errs.Errorf(fn.Pos, "a block is empty")
		}
	}
	if !errs.HasErrors() {
		ir.VerifyDominance(fn, errs)
	}
}

// handsOver reports whether a branch has the operands that its targets take.
func handsOver(br *ir.Operation) bool {
	at := Own(br)
	for _, s := range br.Succs {
		for _, a := range s.Block.Args {
			if at >= br.NumOperands() || br.Operand(at).Type != a.Type {
				return false
			}
			at++
		}
	}
	return at == br.NumOperands()
}

// alias matches an attribute that names an alias of the file: nothing here keeps those.
var alias = regexp.MustCompile(`#[A-Za-z_]\w*(?:[^\w.<]|$)`)

// Plain is a copy of a module without debug information, for dumps: MLIR's tools read
// it. Branches get the attributes that assign operands to targets.
func Plain(module *ir.Operation) *ir.Operation {
	c := module.Clone(map[*ir.Value]*ir.Value{})
	c.Walk(func(op *ir.Operation) bool {
		if strings.HasPrefix(op.Name, "llvm.intr.dbg.") {
			op.Erase()
			return true
		}
		for _, a := range append(ir.NamedAttrs(nil), op.Attrs...) {
			if alias.MatchString(a.Value.String()) {
				op.SetAttr(a.Name, nil)
			}
		}
		if len(op.Succs) > 1 {
			counts := make([]int64, len(op.Succs))
			for i, s := range op.Succs {
				counts[i] = int64(len(s.Block.Args))
			}
			SetSegments(op, counts)
		}
		return true
	})
	return c
}
