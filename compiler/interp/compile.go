package interp

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
)

// kind separates the two banks of slots.
type kind uint8

const (
	scalarKind kind = iota
	viewKind
	noKind
)

func kindOf(t ir.Type, indexWidth int) kind {
	if _, ok := t.(*ir.MemRefType); ok {
		return viewKind
	}
	if w, ok := ir.BitWidth(t, indexWidth); ok && w >= 1 && w <= 64 && (ir.IsInt(t) || ir.IsFloat(t)) {
		return scalarKind
	}
	return noKind
}

// slot is the position of one value in a frame.
type slot struct {
	kind  kind
	index int
}

// instr executes one operation.
type instr func(fr *frame) *fault

// function is a compiled func.func. It exists before its body, so that calls
// can refer to each other.
type function struct {
	op      *ir.Operation
	params  []slot
	results []slot // where func.return leaves its operands
	body    *region
	scalars int // size of a frame
	views   int
}

// moduleCompiler compiles a function and all functions it calls, directly or not.
type moduleCompiler struct {
	opts      Options
	errs      diag.List
	functions map[*ir.Operation]*function
	pending   []*function
	globals   map[*ir.Operation]int
}

// function returns the compiled form of a func.func, to be filled later.
func (m *moduleCompiler) function(op *ir.Operation) *function {
	if f := m.functions[op]; f != nil {
		return f
	}
	f := &function{op: op}
	m.functions[op] = f
	m.pending = append(m.pending, f)
	return f
}

// compilePending compiles the functions found so far and those that they call; a list
// instead of recursion keeps deep call chains off the Go stack.
func (m *moduleCompiler) compilePending() {
	for len(m.pending) > 0 {
		f := m.pending[0]
		m.pending = m.pending[1:]
		c := &compiler{m: m, fn: f, slots: map[*ir.Value]slot{}}
		c.functionBody()
	}
}

// compiler compiles one function.
type compiler struct {
	m     *moduleCompiler
	fn    *function
	slots map[*ir.Value]slot
	// depth is the nesting of regions, bounded against hostile input.
	depth int
}

const maxNesting = 500

func (c *compiler) errorf(pos diag.Pos, format string, args ...any) *diag.Diagnostic {
	return c.m.errs.Errorf(pos, format, args...)
}

func (c *compiler) indexWidth() int { return c.m.opts.IndexWidth }

func (c *compiler) functionBody() {
	op := c.fn.op
	if len(op.Regions) != 1 || op.Regions[0].Entry() == nil {
		c.errorf(op.Pos, "function %s has no body", ir.SymbolText(op.SymName())).
			WithHelp("external functions cannot be executed; give a definition")
		return
	}
	for _, a := range op.Regions[0].Entry().Args {
		c.fn.params = append(c.fn.params, c.define(a, op.Pos))
	}
	if ta, ok := op.Attr("function_type").(*ir.TypeAttr); ok {
		if ft, ok := ta.Type.(*ir.FunctionType); ok {
			if len(ft.Inputs) != len(c.fn.params) {
				c.errorf(op.Pos, "function %s has %d parameters but %d entry block arguments", ir.SymbolText(op.SymName()), len(ft.Inputs), len(c.fn.params))
				return
			}
			for _, t := range ft.Results {
				c.fn.results = append(c.fn.results, c.fresh(t, op.Pos))
			}
		}
	}
	c.fn.body = c.region(op.Regions[0], c.fn.results, opname.FuncReturn)
}

// fresh makes a slot for a value of type t.
func (c *compiler) fresh(t ir.Type, pos diag.Pos) slot {
	k := kindOf(t, c.indexWidth())
	switch k {
	case scalarKind:
		c.fn.scalars++
		return slot{k, c.fn.scalars - 1}
	case viewKind:
		c.fn.views++
		return slot{k, c.fn.views - 1}
	}
	c.errorf(pos, "values of type %s cannot be executed", t)
	return slot{noKind, 0}
}

// define makes the slot of a value.
func (c *compiler) define(v *ir.Value, pos diag.Pos) slot {
	s := c.fresh(v.Type, pos)
	c.slots[v] = s
	return s
}

func (c *compiler) defineAll(vs []*ir.Value, pos diag.Pos) []slot {
	out := make([]slot, len(vs))
	for i, v := range vs {
		out[i] = c.define(v, pos)
	}
	return out
}

// use is the slot of an operand.
func (c *compiler) use(op *ir.Operation, i int) slot {
	if i < 0 || i >= op.NumOperands() {
		c.errorf(op.Pos, "'%s' has no operand #%d", op.Name, i)
		return slot{noKind, 0}
	}
	v := op.Operand(i)
	if v == nil {
		c.errorf(op.Pos, "'%s' operand #%d is unconnected", op.Name, i)
		return slot{noKind, 0}
	}
	s, ok := c.slots[v]
	if !ok {
		c.errorf(op.Pos, "operand #%d of '%s' is not defined before its use", i, op.Name)
		return slot{noKind, 0}
	}
	return s
}

func (c *compiler) useAll(op *ir.Operation, from, to int) []slot {
	var out []slot
	for i := from; i < to; i++ {
		out = append(out, c.use(op, i))
	}
	return out
}

// useKind is use for an operand that must be a scalar or a memref, as kind requires; it
// returns the index within its bank.
func (c *compiler) useKind(op *ir.Operation, i int, k kind) int {
	s := c.use(op, i)
	if s.kind != k && s.kind != noKind {
		what := "a number"
		if k == viewKind {
			what = "a memref"
		}
		c.errorf(op.Pos, "operand #%d of '%s' must be %s", i, op.Name, what)
	}
	return s.index
}

// result defines result i, which must be of that kind.
func (c *compiler) result(op *ir.Operation, i int, k kind) int {
	if i >= op.NumResults() {
		c.errorf(op.Pos, "'%s' has no result #%d", op.Name, i)
		return 0
	}
	s := c.define(op.Result(i), op.Pos)
	if s.kind != k && s.kind != noKind {
		c.errorf(op.Pos, "result #%d of '%s' has type %s", i, op.Name, op.Result(i).Type)
	}
	return s.index
}

// counts checks how many operands, results and regions an operation has.
func (c *compiler) counts(op *ir.Operation, operands, results, regions int) bool {
	if op.NumOperands() != operands && operands >= 0 || op.NumResults() != results && results >= 0 || len(op.Regions) != regions {
		c.errorf(op.Pos, "'%s' has %d operands, %d results and %d regions, which it cannot have", op.Name, op.NumOperands(), op.NumResults(), len(op.Regions))
		return false
	}
	return true
}

// segments splits the operands by operandSegmentSizes into n groups and returns
// their bounds; without the attribute all operands form the first group.
func (c *compiler) segments(op *ir.Operation, n int) ([][2]int, bool) {
	out := make([][2]int, n)
	a, ok := op.Attr("operandSegmentSizes").(*ir.DenseArrayAttr)
	if !ok {
		out[0] = [2]int{0, op.NumOperands()}
		for i := 1; i < n; i++ {
			out[i] = [2]int{op.NumOperands(), op.NumOperands()}
		}
		return out, true
	}
	at := 0
	for i := range n {
		size := -1
		if i < len(a.Values) && a.Values[i] >= 0 && a.Values[i] <= int64(op.NumOperands()-at) {
			size = int(a.Values[i])
		}
		if size < 0 || len(a.Values) != n {
			c.errorf(op.Pos, "'%s' has a bad attribute operandSegmentSizes", op.Name)
			return nil, false
		}
		out[i] = [2]int{at, at + size}
		at += size
	}
	if at != op.NumOperands() {
		c.errorf(op.Pos, "'%s' has a bad attribute operandSegmentSizes", op.Name)
		return nil, false
	}
	return out, true
}

// handlers compile, by name, the operations that are not in package num. The files of
// the package fill it.
var handlers = map[string]func(c *compiler, op *ir.Operation) instr{}

// Supported reports whether the interpreter executes operations of that name
// (terminators included).
func Supported(name string) bool {
	return handlers[name] != nil || num.Supported(name) || terminators[name]
}

// operation compiles one operation; nil if there is nothing to execute.
func (c *compiler) operation(op *ir.Operation) instr {
	if h := handlers[op.Name]; h != nil {
		return h(c, op)
	}
	if num.Supported(op.Name) {
		return c.pure(op)
	}
	if op.Is(ir.Terminator) || terminators[op.Name] {
		c.errorf(op.Pos, "'%s' cannot stand here", op.Name)
	} else {
		c.errorf(op.Pos, "'%s' cannot be executed", op.Name).
			WithHelp("the interpreter runs func, arith, index, math, memref, scf, affine and cf")
	}
	c.freshResults(op)
	return nil
}

// pure compiles an operation of package num.
func (c *compiler) pure(op *ir.Operation) instr {
	if op.Name == opname.ArithSelect && op.NumOperands() == 3 && op.NumResults() == 1 &&
		kindOf(op.Result(0).Type, c.indexWidth()) == viewKind {
		cond, a, b := c.useKind(op, 0, scalarKind), c.useKind(op, 1, viewKind), c.useKind(op, 2, viewKind)
		d := c.result(op, 0, viewKind)
		return func(fr *frame) *fault {
			if fr.v[cond] != 0 {
				fr.m[d] = fr.m[a]
			} else {
				fr.m[d] = fr.m[b]
			}
			return nil
		}
	}
	f, err := num.Resolve(op, c.indexWidth())
	if err != nil {
		c.m.errs.All = append(c.m.errs.All, diag.FromError(err).All...)
		c.freshResults(op)
		return nil
	}
	var in [3]int
	for i := range f.Operands {
		in[i] = c.useKind(op, i, scalarKind)
	}
	a, b, x := in[0], in[1], in[2]
	d := c.result(op, 0, scalarKind)
	switch {
	case f.Unary != nil:
		g := f.Unary
		return func(fr *frame) *fault { fr.v[d] = g(fr.v[a]); return nil }
	case f.Binary != nil:
		if w, ok := ir.BitWidth(op.Result(0).Type, c.indexWidth()); ok {
			if i := commonBinary(op.Name, ^uint64(0)>>(64-w), d, a, b); i != nil {
				return i
			}
		}
		g := f.Binary
		return func(fr *frame) *fault { fr.v[d] = g(fr.v[a], fr.v[b]); return nil }
	case f.Ternary != nil:
		g := f.Ternary
		return func(fr *frame) *fault { fr.v[d] = g(fr.v[a], fr.v[b], fr.v[x]); return nil }
	case f.Pair != nil:
		g, d2 := f.Pair, c.result(op, 1, scalarKind)
		return func(fr *frame) *fault { fr.v[d], fr.v[d2] = g(fr.v[a], fr.v[b]); return nil }
	}
	v := f.Const
	return func(fr *frame) *fault { fr.v[d] = v; return nil }
}

// commonBinary compiles the most frequent operations without a second indirect call.
// Their results are those of package num; a test compares the two.
func commonBinary(name string, mask uint64, d, a, b int) instr {
	switch name {
	case opname.ArithAddI, opname.IndexAdd:
		return func(fr *frame) *fault { fr.v[d] = (fr.v[a] + fr.v[b]) & mask; return nil }
	case opname.ArithSubI, opname.IndexSub:
		return func(fr *frame) *fault { fr.v[d] = (fr.v[a] - fr.v[b]) & mask; return nil }
	case opname.ArithMulI, opname.IndexMul:
		return func(fr *frame) *fault { fr.v[d] = (fr.v[a] * fr.v[b]) & mask; return nil }
	}
	return nil
}
