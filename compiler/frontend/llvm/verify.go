package llvm

import (
	"regexp"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// own is how many operands of the terminators that kernels have go to no successor.
var own = map[string]int{opname.LLVMBr: 0, opname.LLVMCondBr: 1, opname.LLVMSwitch: 1, opname.LLVMReturn: -1, opname.LLVMUnreachable: 0}

// Verify checks the form of a function of the llvm dialect whose operations this
// project does not register: blocks end in a branch, a return or llvm.unreachable and
// nowhere before, branches hand over what their targets take, and what is read is
// defined before.
func Verify(fn *ir.Operation, errs *diag.List) {
	for _, b := range fn.Regions[0].Blocks {
		for i, op := range b.Ops {
			n, terminator := own[op.Name]
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
			if terminator && n >= 0 && !handsOver(op, n) {
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
func handsOver(br *ir.Operation, at int) bool {
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
// it. Branches get the attributes that tell whose operands are whose.
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
			segments(op)
		}
		return true
	})
	return c
}

// segments writes how many operands each target of a branch receives.
func segments(br *ir.Operation) {
	counts := make([]int64, len(br.Succs))
	cases := int64(0)
	for i, s := range br.Succs {
		counts[i] = int64(len(s.Block.Args))
		if i > 0 {
			cases += counts[i]
		}
	}
	array := func(n ...int64) ir.Attr { return &ir.DenseArrayAttr{Elem: ir.I32, Values: n} }
	br.SetAttr("operandSegmentSizes", array(1, counts[0], cases))
	if br.Name == opname.LLVMSwitch {
		br.SetAttr("case_operand_segments", array(counts[1:]...))
	}
}
