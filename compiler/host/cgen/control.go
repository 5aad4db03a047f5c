package cgen

import (
	"fmt"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// block writes the operations of a block; end writes its terminator.
func (f *function) block(b *ir.Block, end func(*ir.Operation)) {
	heap := len(f.heap)
	for _, op := range b.Ops {
		if op == b.Terminator() {
			f.terminator(op, end, heap)
			break
		}
		if !f.dead[op] {
			f.operation(op)
		}
	}
	f.heap = f.heap[:heap]
}

// terminator frees what the block allocated after its last use.
func (f *function) terminator(op *ir.Operation, end func(*ir.Operation), heap int) {
	if len(f.heap) == heap {
		end(op)
		return
	}
	// The values that leave the block are numbers, so memory may go first, unless the
	// terminator returns: then it would be the last statement.
	for _, p := range f.heap[heap:] {
		f.line("%s", p)
	}
	end(op)
}

// assignment is one of several that happen at once.
type assignment struct{ to, from, ctype string }

// assign performs assignments at once.
func (f *function) assign(list []assignment) {
	var todo []assignment
	for _, a := range list {
		if a.to != a.from {
			todo = append(todo, a)
		}
	}
	conflict := false
	for i, a := range todo {
		for _, b := range todo[i+1:] {
			conflict = conflict || b.from == a.to
		}
	}
	if !conflict {
		for _, a := range todo {
			f.line("%s = %s;", a.to, a.from)
		}
		return
	}
	f.line("{")
	f.indent++
	tmp := make([]string, len(todo))
	for i, a := range todo {
		tmp[i] = f.names.Pick("next")
		f.line("%s %s = %s;", a.ctype, tmp[i], a.from)
	}
	for i, a := range todo {
		f.line("%s = %s;", a.to, tmp[i])
	}
	f.indent--
	f.line("}")
}

// yield assigns the operands of a terminator, from number first on, to variables.
func (f *function) yield(t *ir.Operation, first int, to []string) {
	var list []assignment
	for i, name := range to {
		v := t.Operand(first + i)
		if f.values[v] == name && name != "" {
			continue // a value that stays as it is is not read
		}
		list = append(list, assignment{name, f.val(v), CType(v.Type, f.u.opts.IndexWidth)})
	}
	f.assign(list)
}

func (f *function) operation(op *ir.Operation) {
	switch op.Name {
	case opname.ArithConstant, opname.IndexConstant, opname.IndexBoolConstant, opname.UBPoison:
		if _, ok := f.constantOf(op.Result(0)); !ok {
			f.fail(op.Pos, "a constant of type %s has no C form", op.Result(0).Type)
		}
	case opname.SCFFor:
		f.forLoop(op)
	case opname.SCFWhile:
		f.whileLoop(op)
	case opname.SCFIf:
		f.ifElse(op)
	case opname.SCFIndexSwitch:
		f.indexSwitch(op)
	case opname.SCFExecuteRegion:
		f.inlineRegion(op)
	case opname.SCFParallel:
		f.parallel(op)
	case opname.FuncCall:
		f.funcCall(op)
	case opname.MemRefAllocaScope:
		f.inlineRegion(op)
	case opname.ArithAddUIExtended, opname.ArithMulUIExtended, opname.ArithMulSIExtended:
		f.extended(op)
	case opname.CFAssert, opname.MemRefAssumeAlignment:
	default:
		if f.memory(op) {
			return
		}
		if op.NumResults() == 1 && CType(op.Result(0).Type, f.u.opts.IndexWidth) != "" && f.typed(op) {
			if s := f.expression(op); s != "" {
				f.declare(op.Result(0), s)
				return
			}
		}
		d := f.fail(op.Pos, "'%s' has no C form on the host", op.Name)
		if strings.HasPrefix(op.Name, "affine.") {
			d.WithHelp("mlir-opt --lower-affine makes loops of scf and operations of memref of it")
		}
		for _, r := range op.Results() {
			f.values[r] = "0"
		}
	}
}

// typed reports whether all operands have types of C.
func (f *function) typed(op *ir.Operation) bool {
	for _, v := range op.Operands() {
		if CType(v.Type, f.u.opts.IndexWidth) == "" {
			return false
		}
	}
	return true
}

func (f *function) extended(op *ir.Operation) {
	a, b := op.Operand(0), op.Operand(1)
	w := f.width(a.Type)
	if op.Name == opname.ArithAddUIExtended {
		sum := f.declare(op.Result(0), cut(f.wide(a)+" + "+f.wide(b), w))
		carry := "0u"
		if c, ok := f.constantOf(a); !ok || c != 0 {
			carry = "(uint8_t)(" + sum + " < " + f.val(a) + ")"
		}
		f.declare(op.Result(1), carry)
		return
	}
	f.declare(op.Result(0), cut(f.wide(a)+" * "+f.wide(b), w))
	x, y, signed := "(uint64_t)"+f.val(a), "(uint64_t)"+f.val(b), "0"
	if op.Name == opname.ArithMulSIExtended {
		x, y, signed = "(uint64_t)"+f.long(a), "(uint64_t)"+f.long(b), "1"
	}
	f.declare(op.Result(1), cut(f.call("loom_mulext", x, y, fmt.Sprintf("%du", w), signed), w))
}

// forLoop writes scf.for: the induction variable is compared at its width and wraps.
func (f *function) forLoop(op *ir.Operation) {
	body := op.Regions[0].Entry()
	iv := body.Args[0]
	carried := f.carry(op, body.Args[1:], 3)
	id := f.names.Pick(orName(iv, "i"))
	f.values[iv] = id
	cond := f.less(id, op.Operand(1), op.Attr("unsignedCmp") != nil)
	step := f.val(op.Operand(2))
	f.line("for (%s %s = %s; %s; %s = %s) {", CType(iv.Type, f.u.opts.IndexWidth), id, f.val(op.Operand(0)), cond,
		id, cut(f.wideText(id, f.width(iv.Type))+" + "+step, f.width(iv.Type)))
	f.indent++
	f.block(body, func(t *ir.Operation) { f.yield(t, 0, carried) })
	f.indent--
	f.line("}")
}

func orName(v *ir.Value, name string) string {
	if v.Name != "" {
		return v.Name
	}
	return name
}

// less compares a variable with a bound.
func (f *function) less(id string, bound *ir.Value, unsigned bool) string {
	w := f.width(bound.Type)
	if unsigned {
		if c, ok := f.constantOf(bound); ok && c == 0 {
			return "0" // nothing is below zero, and compilers know
		}
		return id + " < " + f.val(bound)
	}
	if _, bits := word(w); bits == w {
		if c, ok := f.constantOf(bound); ok && c == 1<<(w-1) {
			return "0"
		}
		return fmt.Sprintf("(int%d_t)%s < %s", w, id, f.signedOf(bound))
	}
	f.u.need("loom_sext")
	return fmt.Sprintf("loom_sext(%s, %du) < %s", id, w, f.signedOf(bound))
}

// carry declares the variables that a loop carries; its results are the same ones.
func (f *function) carry(op *ir.Operation, args []*ir.Value, firstInit int) []string {
	var names []string
	for i, a := range args {
		init := f.initial(op.Operand(firstInit + i))
		if a.Name == "" {
			a = op.Result(i)
		}
		id := f.declareAs(args[i], orName(a, "carried"), init)
		f.values[op.Result(i)] = id
		names = append(names, id)
	}
	return names
}

// initial is the first value of what a loop carries: a number.
func (f *function) initial(v *ir.Value) string {
	if isMemRef(v.Type) {
		f.fail(v.Pos(), "a memory that a loop carries has no C form on the host")
		return "0"
	}
	return f.val(v)
}

func (f *function) declareAs(v *ir.Value, name, init string) string {
	c := CType(v.Type, f.u.opts.IndexWidth)
	if c == "" {
		f.fail(v.Pos(), "a loop carries a value of type %s, which has no C type on the host", v.Type)
		c = "int"
	}
	id := f.names.Pick(name)
	f.values[v] = id
	f.line("%s %s = %s;", c, id, init)
	f.mark(id)
	return id
}

// whileLoop writes scf.while as an endless loop that ends behind its first part.
func (f *function) whileLoop(op *ir.Operation) {
	before, after := op.Regions[0].Entry(), op.Regions[1].Entry()
	var state, forwarded []string
	for i, a := range before.Args {
		state = append(state, f.declareAs(a, orName(a, "state"), f.initial(op.Operand(i))))
	}
	for i, r := range op.Results() {
		name := orName(after.Args[i], orName(r, "forwarded"))
		id := f.declareAs(r, name, "0")
		f.values[after.Args[i]] = id
		forwarded = append(forwarded, id)
	}
	f.line("for (;;) {")
	f.indent++
	f.block(before, func(t *ir.Operation) {
		c := f.val(t.Operand(0))
		f.yield(t, 1, forwarded)
		f.line("if (!%s)", f.atom(c))
		f.line("    break;")
	})
	f.block(after, func(t *ir.Operation) { f.yield(t, 0, state) })
	f.indent--
	f.line("}")
}

func (f *function) atom(s string) string {
	if strings.ContainsAny(s, " (") {
		return "(" + s + ")"
	}
	return s
}

// outcome declares the variables of results that the branches assign.
func (f *function) outcome(op *ir.Operation) []string {
	var names []string
	for _, r := range op.Results() {
		names = append(names, f.declare(r, "0"))
	}
	return names
}

func (f *function) ifElse(op *ir.Operation) {
	c := f.val(op.Operand(0))
	names := f.outcome(op)
	end := func(t *ir.Operation) { f.yield(t, 0, names) }
	f.line("if (%s) {", c)
	f.indent++
	f.block(op.Regions[0].Entry(), end)
	f.indent--
	if len(op.Regions) > 1 && op.Regions[1].Entry() != nil {
		f.line("} else {")
		f.indent++
		f.block(op.Regions[1].Entry(), end)
		f.indent--
	}
	f.line("}")
}

func (f *function) indexSwitch(op *ir.Operation) {
	var cases []int64
	if a, ok := op.Attr("cases").(*ir.DenseArrayAttr); ok {
		cases = a.Values
	}
	names := f.outcome(op)
	end := func(t *ir.Operation) { f.yield(t, 0, names) }
	w := f.width(op.Operand(0).Type)
	_, bits := word(w)
	x := f.val(op.Operand(0))
	for i := range cases {
		word := "if"
		if i > 0 {
			word = "} else if"
		}
		f.line("%s (%s == %s) {", word, x, literal(uint64(cases[i])<<(64-w)>>(64-w), bits))
		f.indent++
		f.block(op.Regions[i+1].Entry(), end)
		f.indent--
	}
	if len(cases) > 0 {
		f.line("} else {")
	} else {
		f.line("{")
	}
	f.indent++
	f.block(op.Regions[0].Entry(), end)
	f.indent--
	f.line("}")
}

func (f *function) inlineRegion(op *ir.Operation) {
	if len(op.Regions[0].Blocks) != 1 {
		f.fail(op.Pos, "'%s' has branches; only structured code becomes C", op.Name)
		return
	}
	names := f.outcome(op)
	f.line("{")
	f.indent++
	f.block(op.Regions[0].Entry(), func(t *ir.Operation) { f.yield(t, 0, names) })
	f.indent--
	f.line("}")
}

// parallel writes scf.parallel in row-major order.
func (f *function) parallel(op *ir.Operation) {
	body := op.Regions[0].Entry()
	n := len(body.Args)
	if op.NumResults() > 0 {
		f.fail(op.Pos, "'scf.parallel' with reductions has no C form on the host").WithHelp("write the loop as scf.for")
		return
	}
	for i, iv := range body.Args {
		id := f.names.Pick(orName(iv, "i"))
		f.values[iv] = id
		f.line("for (%s %s = %s; %s; %s = %s) {", CType(iv.Type, f.u.opts.IndexWidth), id, f.val(op.Operand(i)), f.less(id, op.Operand(n+i), false),
			id, cut(id+" + "+f.val(op.Operand(2*n+i)), f.width(iv.Type)))
		f.indent++
	}
	f.block(body, func(*ir.Operation) {})
	for range body.Args {
		f.indent--
		f.line("}")
	}
}

// find returns the operation of that symbol.
func (u *Unit) find(symbol string) *ir.Operation {
	for _, r := range u.module.Regions {
		for _, b := range r.Blocks {
			for _, op := range b.Ops {
				if op.SymName() == symbol {
					return op
				}
			}
		}
	}
	return nil
}
