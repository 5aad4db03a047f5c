// Package facttest compares what the analyses of structured programs claim with what
// happens when the programs run: every integer lies in its interval wherever it is used,
// every sum of multiples is the value that it describes, and no two iterations that are
// called independent touch one element, an array that is said to be touched in order is, and what is
// touched lies within the extents of arrays.
//
// A function is analysed, then a call is put behind each definition and before each
// operation, and the interpreter runs it and reports the calls.
package facttest

import (
	"fmt"
	"testing"

	"loom/compiler/analysis/dependence"
	"loom/compiler/analysis/extent"
	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/linear"
	"loom/compiler/analysis/loops"
	"loom/compiler/analysis/ranges"
	"loom/compiler/analysis/sequence"
	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
	"loom/sim/vector"
)

// Options of the analyses, with the rules that a test breaks.
type Options struct {
	IndexWidth int
	Ranges     ranges.Fault
	Linear     linear.Fault
	Sequence   sequence.Fault
	Extent     extent.Fault
	// OnlyExtents leaves out all claims but those on extents. A symbol whose operation a run has not
	// reached has no value, so sums of programs with equal operations in several branches cannot be checked.
	OnlyExtents bool
	// Careless, Trusting, Endless, Rounding and Backwards are those of dependence.Options.
	Careless, Trusting, Endless, Rounding, Backwards bool
}

// Facts are the claims on a function that has been made ready to be watched.
type Facts struct {
	// Intervals, Sums, Exact and Pairs count the claims: operands with an interval narrower
	// than their type, values that are sums of at least two parts, sums that never wrap,
	// pairs of accesses in a loop of which different iterations never touch one element,
	// arrays whose elements are touched in order, and arrays whose extents are known.
	// InTurn are those pairs of which the first one's iteration is the earlier one wherever they touch one element.
	Intervals, Sums, Exact, Pairs, InTurn, Sequences, Extents int

	opts   Options
	fn     *ir.Operation
	forms  *linear.Forms
	known  *ranges.Ranges
	events []func(run *run, bits uint64)
	loops  map[*ir.Operation]*loop
	// starts are the symbols that loops count from, by the values that these are: a value may be a sum of others, too.
	starts map[*ir.Value]*linear.Symbol
	// ordered are the accesses that are said to touch the elements of an array in order.
	ordered map[*ir.Operation]sequence.Verdict
	extents *extent.Extents
}

// loop is a counted loop with the pairs of accesses that are claimed to be independent.
type loop struct {
	counter *linear.Symbol
	apart   map[*ir.Operation][]*ir.Operation
	// behind are, for an access, those of which no earlier iteration touches what a later one does with it.
	behind map[*ir.Operation][]*ir.Operation
	// watched are all of them.
	watched map[*ir.Operation]bool
}

// run is the state of one run.
type run struct {
	bits    map[*ir.Value]uint64
	symbols map[*linear.Symbol]int64
	// iteration is the number of the present iteration of each loop, touched which
	// iterations of the present activation touched an element: the first, and another.
	iteration map[*ir.Operation]int64
	touched   map[*ir.Operation]map[*ir.Operation]map[string][]int64
	// count is how many elements an access has touched.
	count map[*ir.Operation]uint64
	// extents are those of the run, as extent.Code.Eval returns them.
	extents []extent.Interval
	bad     string
}

// watcher is the name of the function that is called.
const watcher = "loom_watch"

// Of analyses a function and puts the calls into it. Its module gets another function.
func Of(fn *ir.Operation, opts Options) *Facts {
	f := &Facts{opts: opts, fn: fn, loops: map[*ir.Operation]*loop{}, starts: map[*ir.Value]*linear.Symbol{}, ordered: map[*ir.Operation]sequence.Verdict{}}
	f.known = ranges.Analyse(fn, ranges.Options{IndexWidth: opts.IndexWidth, Broken: opts.Ranges})
	f.forms = linear.New(f.known, opts.IndexWidth)
	f.forms.Broken = opts.Linear
	var all []*ir.Operation
	fn.Walk(func(op *ir.Operation) bool {
		if op != fn {
			all = append(all, op)
		}
		return true
	})
	for _, op := range all {
		if op.Name == opname.SCFFor {
			f.loops[op] = f.loop(op, all)
			if c := f.loops[op].counter.Course; c != nil && len(c.Base.Terms) == 1 && c.Base.C == 0 && c.Base.Terms[0].Coef == 1 {
				y := c.Base.Terms[0].Sym
				f.starts[y.Value] = y
			}
		}
	}
	for _, a := range fn.Regions[0].Entry().Args {
		if m, ok := a.Type.(*ir.MemRefType); ok && len(m.Shape) == 1 {
			if v := sequence.Of(fn, a, f.forms, opts.Sequence); v.InOrder {
				f.Sequences++
				f.ordered[v.Access] = v
			}
		}
	}
	f.extents = extent.Of(fn, f.known, opts.IndexWidth, opts.Extent)
	for _, a := range f.extents.Arrays {
		if a.Range >= 0 {
			f.Extents++
		}
	}
	// The claims are collected before anything changes.
	type place struct {
		b      *ir.Block
		before *ir.Operation
		v      *ir.Value
		id     int
	}
	var places []place
	add := func(b *ir.Block, before *ir.Operation, v *ir.Value, see func(*run, uint64)) {
		places = append(places, place{b, before, v, len(f.events)})
		f.events = append(f.events, see)
	}
	define := func(b *ir.Block, before *ir.Operation, v *ir.Value) {
		switch w, ok := f.known.Width(v); {
		case ok && opts.OnlyExtents:
			add(b, before, v, func(r *run, bits uint64) { r.bits[v] = bits & interval.Mask(w) })
		case ok:
			add(b, before, v, f.defined(v, w))
		}
	}
	blocks := map[*ir.Block]bool{}
	for _, op := range all {
		b := op.Block()
		if !blocks[b] {
			blocks[b] = true
			for _, a := range b.Args {
				define(b, op, a)
			}
		}
		add(b, op, nil, f.reached(op))
		for i, o := range b.Ops[:len(b.Ops)-1] {
			if o == op {
				for _, v := range op.Results() {
					define(b, b.Ops[i+1], v)
				}
			}
		}
	}
	for _, p := range places {
		m := rewrite.Maker{Pos: p.before.Pos, Emit: func(o *ir.Operation) { p.b.InsertBefore(p.before, o) }}
		x := p.v
		switch {
		case x == nil:
			x = m.Integer(0, ir.I64)
		case x.Type == ir.Type(ir.Index):
			x = m.Op(opname.ArithIndexCast, ir.I64, x)
		case x.Type != ir.Type(ir.I64):
			x = m.Op(opname.ArithExtSI, ir.I64, x)
		}
		call := ir.NewOp(opname.FuncCall, p.before.Pos, []*ir.Value{m.Integer(int64(p.id), ir.I64), x}, nil)
		call.SetAttr("callee", &ir.SymbolRefAttr{Root: watcher})
		m.Emit(call)
	}
	callee := ir.NewOp(opname.FuncFunc, fn.Pos, nil, nil)
	callee.SetAttr("sym_name", &ir.StringAttr{Value: watcher})
	callee.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func([]ir.Type{ir.I64, ir.I64}, nil)})
	body := callee.AddRegion().AddBlock()
	body.AddArg(ir.I64, "id", diag.Pos{})
	body.AddArg(ir.I64, "value", diag.Pos{})
	body.Append(ir.NewOp(opname.FuncReturn, diag.Pos{}, nil, nil))
	fn.Block().Append(callee)
	return f
}

// Run runs the function and returns the first claim that does not hold, "" for none.
func (f *Facts) Run(in *vector.Inputs, maxSteps int64) (violated string, err error) {
	r := &run{bits: map[*ir.Value]uint64{}, symbols: map[*linear.Symbol]int64{},
		iteration: map[*ir.Operation]int64{}, touched: map[*ir.Operation]map[*ir.Operation]map[string][]int64{},
		count: map[*ir.Operation]uint64{}, extents: f.extents.Code.Eval(Scalars(in, f.opts.IndexWidth))}
	watch := &interp.Watch{Function: watcher, Called: func(in *vector.Inputs, _ int64) {
		if r.bad == "" {
			f.events[in.Args[0].Scalar](r, in.Args[1].Scalar)
		}
	}}
	out, err := interp.Run(f.fn, in, interp.Options{MaxSteps: maxSteps, IndexWidth: f.opts.IndexWidth, Watch: watch})
	for op, v := range f.ordered {
		if n := r.count[op]; err == nil && out.Status == vector.Done && v.Elements >= 0 && n != uint64(v.Elements) && r.bad == "" {
			r.fail("'%s' at %v touches %d elements, not %d", op.Name, op.Pos, n, v.Elements)
		}
	}
	if err == nil && out.Status != vector.Done {
		err = fmt.Errorf("the run ends with %s: %v", out.Status, out.Detail)
	}
	return r.bad, err
}

// Notices fails the test for each broken rule that none of the programs of the first seeds shows; violated returns what
// the program of a seed shows with a rule broken, "" for nothing.
func Notices[Fault any](t testing.TB, rules []Fault, seeds uint64, violated func(seed uint64, broken Fault) string) {
	t.Helper()
	for _, broken := range rules {
		found := false
		for seed := uint64(0); seed < seeds && !found; seed++ {
			found = violated(seed, broken) != ""
		}
		if !found {
			t.Errorf("nothing shows that %v", broken)
		}
	}
}

// Scalars are the numbers among inputs, with sign; what is none is 0.
func Scalars(in *vector.Inputs, indexWidth int) []int64 {
	out := make([]int64, len(in.Args))
	for i, a := range in.Args {
		if w, ok := ir.BitWidth(a.Type, indexWidth); ok && a.Mem == nil {
			out[i] = interval.Signed(a.Scalar, w)
		}
	}
	return out
}

func (r *run) fail(format string, args ...any) { r.bad = fmt.Sprintf(format, args...) }

// named is a value in a message.
func named(v *ir.Value) string {
	if v.Def != nil {
		return fmt.Sprintf("the result of '%s' at %v", v.Def.Name, v.Def.Pos)
	}
	return fmt.Sprintf("argument #%d of a block of '%s'", v.Index, v.Block.ParentOp().Name)
}

// defined checks what is claimed of a value where it is defined.
func (f *Facts) defined(v *ir.Value, w int) func(*run, uint64) {
	form := f.forms.Of(v)
	lo, hi, exact := linear.Within(form, w)
	if len(form.Terms) > 1 || len(form.Terms) == 1 && (form.C != 0 || form.Terms[0].Coef != 1) {
		f.Sums++
		if exact {
			f.Exact++
		}
	}
	here := f.loops[loops.Of(v)]
	counted, isCounted := f.forms.Counted(form, func(*ir.Operation) bool { return true })
	return func(r *run, bits uint64) {
		x := interval.Signed(bits, w)
		r.bits[v] = bits & interval.Mask(w)
		if here != nil {
			op := loops.Of(v)
			r.iteration[op]++
			if c := here.counter.Course; c.By != 0 && !c.Wraps {
				r.see(f.forms.Number(here.counter), r.iteration[op], v)
			}
		}
		if len(form.Terms) == 1 && form.C == 0 && form.Terms[0].Coef == 1 {
			if y := form.Terms[0].Sym; f.forms.Width(y.Value.Type) == w {
				r.see(y, x, v)
			}
		}
		if y := f.starts[v]; y != nil {
			r.see(y, x, v)
		}
		for i, s := range []linear.Form{form, counted} {
			if i == 1 && !isCounted {
				break
			}
			sum := s.C
			for _, t := range s.Terms {
				y, ok := r.value(f.forms, t.Sym)
				if !ok {
					r.fail("%s contains %s, which has no value yet", named(v), named(t.Sym.Value))
					return
				}
				sum += t.Coef * y
			}
			switch {
			case uint64(sum^x)&interval.Mask(w) != 0:
				r.fail("%s is %d, its sum %d", named(v), x, sum)
			case i == 0 && exact && (sum != x || x < lo || x > hi):
				r.fail("%s is %d, its sum %d is said to be exact and in [%d, %d]", named(v), x, sum, lo, hi)
			}
		}
	}
}

// value is what a symbol stands for now. Of a product the last one seen may be that of an earlier iteration.
func (r *run) value(forms *linear.Forms, y *linear.Symbol) (int64, bool) {
	if len(y.Factors) == 0 {
		v, ok := r.symbols[y]
		return v, ok
	}
	a, ok1 := r.value(forms, y.Factors[0])
	b, ok2 := r.value(forms, y.Factors[1])
	w := forms.Width(y.Value.Type)
	return a * b << (64 - w) >> (64 - w), ok1 && ok2
}

// see notes what a symbol stands for now, and checks its bounds.
func (r *run) see(y *linear.Symbol, x int64, v *ir.Value) {
	r.symbols[y] = x
	if !y.Unbounded && (x < y.Lo || x > y.Hi) {
		r.fail("%s is %d, its symbol in [%d, %d]", named(v), x, y.Lo, y.Hi)
	}
}

// reached checks what is claimed of an operation that is about to run.
func (f *Facts) reached(op *ir.Operation) func(*run, uint64) {
	type bound struct {
		v *ir.Value
		i interval.Interval
		w int
	}
	var bounds []bound
	for _, v := range op.Operands() {
		if w, ok := f.known.Width(v); ok {
			if i := f.known.At(v, op); i != interval.Any(w) {
				bounds = append(bounds, bound{v, i, w})
				f.Intervals++
			}
		}
	}
	memory, indices, _ := access(op)
	if f.opts.OnlyExtents {
		bounds = nil
	}
	return func(r *run, _ uint64) {
		for _, b := range bounds {
			u, ok := r.bits[b.v]
			if s := interval.Signed(u, b.w); ok && (s < b.i.Lo || s > b.i.Hi || u < b.i.ULo || u > b.i.UHi) {
				r.fail("%s is %d at '%s' at %v, its interval %v", named(b.v), s, op.Name, op.Pos, b.i)
			}
		}
		if f.loops[op] != nil && !f.opts.OnlyExtents {
			r.iteration[op] = -1
			r.touched[op] = map[*ir.Operation]map[string][]int64{}
		}
		if memory == nil {
			return
		}
		var at []uint64
		for _, v := range indices {
			at = append(at, r.bits[v])
		}
		if !f.opts.OnlyExtents {
			f.touch(r, op, fmt.Sprint(at))
		}
		f.within(r, op, memory, at)
		if _, ok := f.ordered[op]; ok {
			if n := r.count[op]; at[0] != n {
				r.fail("'%s' at %v touches element %d, said to be the next after %d", op.Name, op.Pos, at[0], n)
			}
			r.count[op]++
		}
	}
}

// within checks an access to a parameter against the extent of the array.
func (f *Facts) within(r *run, op *ir.Operation, memory *ir.Value, at []uint64) {
	if memory.Def != nil || memory.Block != f.fn.Regions[0].Entry() || f.extents.Arrays[memory.Index].Range < 0 {
		return
	}
	element := int64(0)
	for d, n := range memory.Type.(*ir.MemRefType).Shape {
		if d > 0 {
			element *= n
		}
		element += interval.Signed(at[d], f.opts.IndexWidth)
	}
	if e := r.extents[f.extents.Arrays[memory.Index].Range]; !e.Unknown() && (element < e.Lo || element > e.Hi) {
		r.fail("'%s' at %v touches element %d, the extent of the array is from %d to %d", op.Name, op.Pos, element, e.Lo, e.Hi)
	}
}

// access takes a load or store apart; memory is nil for other operations.
func access(op *ir.Operation) (memory *ir.Value, indices []*ir.Value, store bool) {
	switch op.Name {
	case opname.MemRefLoad:
		return op.Operand(0), op.Operands()[1:], false
	case opname.MemRefStore:
		return op.Operand(1), op.Operands()[2:], true
	}
	return nil, nil, false
}

// touch checks an access to an element against those of other iterations.
func (f *Facts) touch(r *run, op *ir.Operation, element string) {
	for around := op.ParentOp(); around != f.fn; around = around.ParentOp() {
		l := f.loops[around]
		if l == nil || !l.watched[op] {
			continue
		}
		k := r.iteration[around]
		for _, other := range l.behind[op] {
			for _, n := range r.touched[around][other][element] {
				if n < k {
					r.fail("'%s' at %v in iteration %d touches element %s of the loop at %v, which '%s' at %v has touched in iteration %d",
						op.Name, op.Pos, k, element, around.Pos, other.Name, other.Pos, n)
				}
			}
		}
		for _, other := range l.apart[op] {
			for _, n := range r.touched[around][other][element] {
				if n != k {
					r.fail("'%s' at %v in iteration %d and '%s' at %v in iteration %d of the loop at %v touch element %s",
						op.Name, op.Pos, k, other.Name, other.Pos, n, around.Pos, element)
				}
			}
		}
		mine := r.touched[around][op]
		if mine == nil {
			mine = map[string][]int64{}
			r.touched[around][op] = mine
		}
		// Of the iterations that touch an element, any two differ from all others.
		if ns := mine[element]; len(ns) == 0 || len(ns) == 1 && ns[0] != k {
			mine[element] = append(ns, k)
		}
	}
}

// loop finds the pairs of accesses of which the iterations are independent. Only accesses
// to whole memories from outside of the loop are looked at.
func (f *Facts) loop(op *ir.Operation, all []*ir.Operation) *loop {
	l := &loop{counter: f.forms.Counter(op), apart: map[*ir.Operation][]*ir.Operation{}, behind: map[*ir.Operation][]*ir.Operation{}, watched: map[*ir.Operation]bool{}}
	test := dependence.NewTest(f.forms, op, dependence.Options{
		Overlap: func(a, b *ir.Value) bool { return false }, Careless: f.opts.Careless, Trusting: f.opts.Trusting, Endless: f.opts.Endless, Rounding: f.opts.Rounding, Backwards: f.opts.Backwards,
	})
	var touches []dependence.Touch
	for _, a := range all {
		memory, indices, store := access(a)
		if memory == nil || !op.IsAncestorOf(a) || !rewrite.Outside(memory, op) {
			continue
		}
		if d := memory.Def; d != nil && d.Name != opname.MemRefAlloc && d.Name != opname.MemRefAlloca {
			continue
		}
		t := dependence.Touch{Op: a, Store: store, Root: memory, Base: memory, Distinct: true}
		nest, each := dependence.Nest(a, op)
		for _, v := range indices {
			t.Subscripts = append(t.Subscripts, dependence.Subscript{Form: f.forms.Of(v), Nest: nest, Each: each})
		}
		touches = append(touches, t)
	}
	for i, a := range touches {
		for _, b := range touches[i+1:] {
			if a.Root != b.Root || !a.Store && !b.Store {
				continue
			}
			d := dependence.Independence{Free: true}
			test.Judge(&d, []dependence.Touch{a, b})
			if d.Free {
				f.Pairs++
				l.watched[a.Op], l.watched[b.Op] = true, true
			}
			switch {
			case len(d.InTurn) > 0:
				f.InTurn++
				l.behind[a.Op] = append(l.behind[a.Op], b.Op)
			case d.Free:
				l.apart[a.Op] = append(l.apart[a.Op], b.Op)
				l.apart[b.Op] = append(l.apart[b.Op], a.Op)
			}
		}
	}
	return l
}
