package randprog

import (
	"slices"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

func isTerminator(op *ir.Operation) bool {
	switch op.Name {
	case opname.SCFYield, opname.SCFCondition, opname.SCFReduce, opname.SCFReduceReturn, opname.SCFForallInParallel, opname.FuncReturn, opname.AffineYield:
		return true
	}
	return false
}

// movable reports whether op is an ordinary operation inside a function.
func movable(op *ir.Operation) bool {
	return op.Block() != nil && op.SymName() == "" && !isTerminator(op)
}

// isProgram reports whether op is the function under test.
func isProgram(op *ir.Operation) bool {
	return op.Name == opname.FuncFunc && op.SymName() == FunctionName
}

// module is the operation around everything.
func moduleOf(op *ir.Operation) *ir.Operation {
	for op.ParentOp() != nil {
		op = op.ParentOp()
	}
	return op
}

func used(op *ir.Operation) bool {
	return slices.ContainsFunc(op.Results(), (*ir.Value).HasUses)
}

// eraseUnused removes an operation, stores and whole loops included, that
// nothing reads.
func eraseUnused(op *ir.Operation, _ int) bool {
	if !movable(op) || used(op) {
		return false
	}
	op.Erase()
	return true
}

// constantBefore puts a constant in front of op.
func constantBefore(op *ir.Operation, t ir.Type, v int64) *ir.Value {
	c := op.Block().InsertBefore(op, ir.NewOp(opname.ArithConstant, op.Pos, nil, []ir.Type{t}))
	c.SetAttr("value", constantAttr(t, v))
	return c.Result(0)
}

// replaceByConstant replaces all results of an operation by 0 or 1 and removes it.
func replaceByConstant(op *ir.Operation, variant int) bool {
	if !movable(op) || op.Name == opname.ArithConstant || !used(op) {
		return false
	}
	for _, r := range op.Results() {
		if r.HasUses() {
			if !ir.IsInt(r.Type) && !ir.IsFloat(r.Type) {
				return false
			}
			r.ReplaceAllUsesWith(constantBefore(op, r.Type, int64(variant)))
		}
	}
	op.Erase()
	return true
}

// replaceByOperand replaces the result of an operation by an operand of its type.
func replaceByOperand(op *ir.Operation, variant int) bool {
	if !movable(op) || op.NumResults() != 1 || variant >= op.NumOperands() || len(op.Regions) > 0 ||
		op.Operand(variant).Type != op.Result(0).Type {
		return false
	}
	op.Result(0).ReplaceAllUsesWith(op.Operand(variant))
	op.Erase()
	return true
}

// replaceByParameter replaces the result of an operation by a parameter of its
// function: unlike a constant, nothing is known of it at compile time.
func replaceByParameter(op *ir.Operation, variant int) bool {
	if !movable(op) || op.NumResults() != 1 || !used(op) || op.Name == opname.ArithConstant {
		return false
	}
	fn := op.ParentOp()
	for fn != nil && fn.Name != opname.FuncFunc {
		fn = fn.ParentOp()
	}
	if fn == nil {
		return false
	}
	for _, a := range fn.Regions[0].Entry().Args {
		if a.Type != op.Result(0).Type {
			continue
		}
		if variant > 0 {
			variant--
			continue
		}
		op.Result(0).ReplaceAllUsesWith(a)
		op.Erase()
		return true
	}
	return variant == 0 && becomesParameter(fn, op)
}

// becomesParameter makes a new parameter of the program out of an operation that
// is its first of that type.
func becomesParameter(fn, op *ir.Operation) bool {
	t, b := op.Result(0).Type, fn.Regions[0].Entry()
	if !isProgram(fn) || !ir.IsInt(t) && !ir.IsFloat(t) || slices.ContainsFunc(b.Args, func(a *ir.Value) bool { return a.Type == t }) {
		return false
	}
	op.Result(0).ReplaceAllUsesWith(b.AddArg(t, "x_"+t.String(), op.Pos))
	op.Erase()
	signature(fn)
	return true
}

// operandToConstant replaces one computed operand by 0.
func operandToConstant(op *ir.Operation, variant int) bool {
	if op.Block() == nil || variant >= op.NumOperands() || op.Name == opname.FuncFunc {
		return false
	}
	v := op.Operand(variant)
	if !ir.IsInt(v.Type) && !ir.IsFloat(v.Type) || v.Def != nil && v.Def.Name == opname.ArithConstant {
		return false
	}
	op.SetOperand(variant, constantBefore(op, v.Type, 0))
	return true
}

// simplifyConstant makes a constant 0, 1 or half.
func simplifyConstant(op *ir.Operation, variant int) bool {
	a, ok := op.Attr("value").(*ir.IntegerAttr)
	if op.Name != opname.ArithConstant || !ok {
		return false
	}
	v := []int64{0, 1, a.Value / 2}[variant]
	if v == a.Value || a.Value == 0 || a.Value == 1 {
		return false
	}
	op.SetAttr("value", ir.IntAttr(v, a.Type))
	return true
}

// splice moves the operations of a block, without its terminator, in front of
// op and returns the terminator's operands from index first on.
func splice(op *ir.Operation, b *ir.Block, first int) []*ir.Value {
	t := b.Terminator()
	out := append([]*ir.Value(nil), t.Operands()[first:]...)
	for _, o := range append([]*ir.Operation(nil), b.Ops...) {
		if o == t {
			o.Erase()
			break
		}
		o.Unlink()
		op.Block().InsertBefore(op, o)
	}
	return out
}

// substitute replaces values pairwise.
func substitute(from, to []*ir.Value) {
	for i, v := range from {
		v.ReplaceAllUsesWith(to[i])
	}
}

// unwrapBranch puts one region instead of a conditional, a switch or an
// scf.execute_region.
func unwrapBranch(op *ir.Operation, variant int) bool {
	switch op.Name {
	case opname.SCFIf, opname.SCFIndexSwitch, opname.SCFExecuteRegion, opname.AffineIf:
	default:
		return false
	}
	if variant >= len(op.Regions) || op.Regions[variant].Entry() == nil {
		return false
	}
	substitute(op.Results(), splice(op, op.Regions[variant].Entry(), 0))
	op.Erase()
	return true
}

// unwrapFor puts one iteration instead of an scf.for.
func unwrapFor(op *ir.Operation, _ int) bool {
	if op.Name != opname.SCFFor {
		return false
	}
	b := op.Regions[0].Entry()
	substitute(b.Args, append([]*ir.Value{op.Operand(0)}, op.Operands()[3:]...))
	substitute(op.Results(), splice(op, b, 0))
	op.Erase()
	return true
}

// unwrapWhile puts one run of the before-region instead of an scf.while, in the
// second variant followed by one of the after-region.
func unwrapWhile(op *ir.Operation, variant int) bool {
	if op.Name != opname.SCFWhile {
		return false
	}
	before, after := op.Regions[0].Entry(), op.Regions[1].Entry()
	substitute(before.Args, append([]*ir.Value(nil), op.Operands()...))
	values := splice(op, before, 1)
	substitute(op.Results(), values)
	if variant == 1 {
		substitute(after.Args, values)
		splice(op, after, 0)
	}
	op.Erase()
	return true
}

// dropElse removes the else of an scf.if without results.
func dropElse(op *ir.Operation, _ int) bool {
	if op.Name != opname.SCFIf && op.Name != opname.AffineIf || op.NumResults() > 0 || len(op.Regions) < 2 || op.Regions[1].Entry() == nil {
		return false
	}
	for _, o := range slices.Backward(op.Regions[1].Entry().Ops) {
		o.Erase()
	}
	op.Regions[1].Blocks = nil
	return true
}

// without is a list lacking element i.
func without[T any](list []T, i int) []T {
	return append(append([]T(nil), list[:i]...), list[i+1:]...)
}

// rebuild replaces op by a copy with other operands and without result drop
// (none for -1); the regions move over.
func rebuild(op *ir.Operation, operands []*ir.Value, drop int) {
	var types []ir.Type
	var kept []*ir.Value
	for i, r := range op.Results() {
		if i != drop {
			types = append(types, r.Type)
			kept = append(kept, r)
		}
	}
	c := ir.NewOp(op.Name, op.Pos, operands, types)
	c.Attrs = append(ir.NamedAttrs(nil), op.Attrs...)
	op.Block().InsertBefore(op, c)
	c.Regions, op.Regions = op.Regions, nil
	for _, r := range c.Regions {
		r.Parent = c
	}
	substitute(kept, c.Results())
	op.Erase()
}

// dropArg removes an argument of a block; its uses become v.
func dropArg(b *ir.Block, i int, v *ir.Value) {
	b.Args[i].ReplaceAllUsesWith(v)
	b.Args = without(b.Args, i)
	for j, a := range b.Args {
		a.Index = j
	}
}

func dropOperand(op *ir.Operation, i int) { op.SetOperands(without(op.Operands(), i)) }

// dropValue removes one unused result of a loop or conditional together with
// what feeds it. For scf.while the variants from half on remove a value of the
// before-region instead.
func dropValue(op *ir.Operation, variant int) bool {
	switch op.Name {
	case opname.SCFIf, opname.SCFIndexSwitch, opname.SCFExecuteRegion, opname.AffineIf:
		if variant >= op.NumResults() || op.Result(variant).HasUses() {
			return false
		}
		for _, r := range op.Regions {
			if r.Entry() == nil {
				continue
			}
			dropOperand(r.Entry().Terminator(), variant)
		}
		rebuild(op, op.Operands(), variant)
		return true
	case opname.SCFFor:
		if variant >= op.NumResults() || op.Result(variant).HasUses() {
			return false
		}
		b := op.Regions[0].Entry()
		dropOperand(b.Terminator(), variant)
		dropArg(b, variant+1, op.Operand(3+variant))
		rebuild(op, without(op.Operands(), 3+variant), variant)
		return true
	case opname.SCFWhile:
		before, after := op.Regions[0].Entry(), op.Regions[1].Entry()
		if i := variant - maxVariants/2; i >= 0 {
			if i >= op.NumOperands() {
				return false
			}
			dropOperand(after.Terminator(), i)
			dropArg(before, i, op.Operand(i))
			rebuild(op, without(op.Operands(), i), -1)
			return true
		}
		if variant >= op.NumResults() || op.Result(variant).HasUses() || after.Args[variant].HasUses() {
			return false
		}
		dropOperand(before.Terminator(), variant+1)
		after.Args = without(after.Args, variant)
		for j, a := range after.Args {
			a.Index = j
		}
		rebuild(op, op.Operands(), variant)
		return true
	}
	return false
}

// signature rewrites a function's type after its values changed.
func signature(fn *ir.Operation) {
	b := fn.Regions[0].Entry()
	fn.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(typesOf(b.Args), typesOf(b.Terminator().Operands()))})
}

// dropReturn removes one result of the function.
func dropReturn(op *ir.Operation, variant int) bool {
	if op.Name != opname.FuncReturn || variant >= op.NumOperands() || !isProgram(op.ParentOp()) {
		return false
	}
	dropOperand(op, variant)
	signature(op.ParentOp())
	return true
}

// dropParameter removes a parameter that nothing reads; the others keep their
// names, so that Inputs keeps their values.
func dropParameter(op *ir.Operation, variant int) bool {
	if !isProgram(op) || len(op.Regions) == 0 || op.Regions[0].Entry() == nil {
		return false
	}
	b := op.Regions[0].Entry()
	if variant >= len(b.Args) || b.Args[variant].HasUses() {
		return false
	}
	b.Args = without(b.Args, variant)
	for j, a := range b.Args {
		a.Index = j
	}
	signature(op)
	return true
}
