package lower

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"loom/compiler/ir"
	"loom/sim/vector"
)

// An affineProg is a random program for the memory order: nested loops whose
// accesses have affine subscripts, of which it can say by running itself which
// iterations touch which elements. Every loaded value goes into the result.
type affineProg struct {
	indexWidth int
	params     []int64 // values of the index parameters n0, n1, …
	mems       [][]int64
	body       []affineStmt
	loops      int
	accesses   int
	text       string
	loopAt     map[int]int // line of the text -> loop
	accessAt   map[int]int // line of the text -> access
}

// affineStmt is a loop, a branch or an access.
type affineStmt struct {
	loop   *affineLoop
	branch *affineBranch
	access *affineAccess
}

type affineLoop struct {
	id           int
	lb, ub       affineSum
	step         int64
	down         bool // a while that counts down and tests i > ub
	body         []affineStmt
	param        int // the bound is this parameter, -1 for none
	dynamicStart int // the start is this parameter, -1 for none
}

// affineBranch runs its body where the sum, masked, is zero.
type affineBranch struct {
	on   affineSum
	mask int64
	body []affineStmt
}

type affineAccess struct {
	id, mem int
	store   bool
	subs    []affineSum
	// fresh is set for a store whose value does not depend on earlier loads.
	fresh bool
}

// affineSum is c + sum of coefs[k]*iv of the k-th loop around it, and where there
// is a size, that parameter, or the parameter times the iv of loop rows-1.
type affineSum struct {
	c     int64
	coefs []int64
	size  int // the parameter's index plus one, 0 for none
	rows  int
	// narrow is the width in which it is computed, 0 for index; zext extends it
	// to index as an unsigned value.
	narrow int
	zext   bool
	// mask is and-ed to it, 0 for none.
	mask int64
}

// eval computes a sum as the hardware does.
func (p *affineProg) eval(e affineSum, ivs []int64) int64 {
	wrap := func(v int64, w int) int64 { return v << (64 - w) >> (64 - w) }
	v := e.c
	for k, c := range e.coefs {
		v += c * ivs[k]
	}
	if e.size > 0 {
		n := p.params[e.size-1]
		if e.rows > 0 {
			n *= ivs[e.rows-1]
		}
		v += n
	}
	v = wrap(v, p.indexWidth)
	if e.narrow > 0 {
		v = wrap(v, e.narrow)
		if e.zext {
			v = int64(uint64(v) << (64 - e.narrow) >> (64 - e.narrow))
		}
		v = wrap(v, p.indexWidth)
	}
	if e.mask != 0 {
		v &= e.mask
	}
	return v
}

// event is one access of a run.
type event struct {
	access *affineAccess
	elem   string
	// path holds, per loop around it, the loop, its activation and the iteration.
	path []iteration
}

type iteration struct{ loop, activation, number int }

// run enumerates all accesses. It gives up, with ok false, on long runs.
func (p *affineProg) run(visit func(event, []int64)) (ok bool) {
	const most = 3000
	events, activations := 0, 0
	var exec func(body []affineStmt, ivs []int64, path []iteration) bool
	exec = func(body []affineStmt, ivs []int64, path []iteration) bool {
		for _, st := range body {
			switch {
			case st.access != nil:
				if events++; events > most {
					return false
				}
				var subs []int64
				for _, e := range st.access.subs {
					subs = append(subs, p.eval(e, ivs))
				}
				visit(event{st.access, fmt.Sprint(st.access.mem, subs), path}, subs)
			case st.branch != nil:
				if p.eval(st.branch.on, ivs)&st.branch.mask == 0 && !exec(st.branch.body, ivs, path) {
					return false
				}
			default:
				l := st.loop
				activations++
				me := activations
				n := 0
				for i, end := p.eval(l.lb, ivs), p.eval(l.ub, ivs); l.down && i > end || !l.down && i < end; n++ {
					if n > 40 {
						return false
					}
					inner := append(append([]int64(nil), ivs...), i)
					at := append(append([]iteration(nil), path...), iteration{l.id, me, n})
					if !exec(l.body, inner, at) {
						return false
					}
					step := l.step
					if l.down {
						step = -step
					}
					i = (i + step) << (64 - p.indexWidth) >> (64 - p.indexWidth)
				}
			}
		}
		return true
	}
	return exec(p.body, nil, nil)
}

// meeting is a loop and two accesses that touch one element in two iterations of
// an activation, one of them a store; first is that of the earlier iteration.
type meeting struct{ loop, first, second int }

// meetings is the oracle of the dependence analysis.
func (p *affineProg) meetings() map[meeting]bool {
	out := map[meeting]bool{}
	byElem := map[string][]event{}
	p.run(func(e event, _ []int64) {
		for _, f := range byElem[e.elem] {
			if !e.access.store && !f.access.store || e.access == f.access {
				continue
			}
			for k := range min(len(e.path), len(f.path)) {
				a, b := e.path[k], f.path[k]
				if a.activation != b.activation {
					break
				}
				if a.number != b.number {
					out[meeting{a.loop, f.access.id, e.access.id}] = true
				}
			}
		}
		byElem[e.elem] = append(byElem[e.elem], e)
	})
	return out
}

// affineProgram makes a program; nil for seeds that give none with accesses in bounds.
func affineProgram(seed uint64) *affineProg {
	r := rand.New(rand.NewPCG(seed, 0xaff1))
	p := &affineProg{indexWidth: 64}
	if seed%4 == 3 {
		p.indexWidth = 5 + r.IntN(4)
	}
	for range 1 + r.IntN(2) {
		p.params = append(p.params, int64(r.IntN(7)))
	}
	ranks := make([]int, 1+r.IntN(2))
	for i := range ranks {
		ranks[i] = 1 + r.IntN(3)/2
	}
	g := &affineGen{r: r, p: p, ranks: ranks, sizes: seed%5 == 2}
	if g.sizes {
		ranks[0] = 1
		g.ranks = ranks[:1]
		ranks = g.ranks
	}
	p.body = g.block(0, 2+r.IntN(3))
	if !p.fit(ranks) {
		return nil
	}
	p.print()
	return p
}

type affineGen struct {
	r     *rand.Rand
	p     *affineProg
	ranks []int
	// sizes requests loops up to a parameter and rows of that length.
	sizes bool
}

func (g *affineGen) block(depth, size int) []affineStmt {
	var out []affineStmt
	for i := range size {
		k := g.r.IntN(10)
		switch {
		case depth < 3 && (k < 3 || depth == 0 && i == 0):
			out = append(out, affineStmt{loop: g.loop(depth)})
		case depth > 0 && depth < 3 && k == 3:
			out = append(out, affineStmt{branch: &affineBranch{
				on: g.sum(depth, true), mask: []int64{1, 3, 2}[g.r.IntN(3)], body: g.block(depth, 1+g.r.IntN(2)),
			}})
		default:
			out = append(out, affineStmt{access: g.access(depth)})
		}
	}
	return out
}

func (g *affineGen) loop(depth int) *affineLoop {
	r := g.r
	l := &affineLoop{id: g.p.loops, step: []int64{1, 1, 1, 2, 3}[r.IntN(5)], param: -1, dynamicStart: -1}
	g.p.loops++
	l.lb.c, l.ub.c = int64(r.IntN(3)), int64(1+r.IntN(6))
	l.down = r.IntN(6) == 0
	if l.down {
		l.lb, l.ub = l.ub, l.lb
	}
	switch k := r.IntN(6); {
	case g.sizes && r.IntN(6) > 0:
		l.lb.c, l.ub.c, l.param, l.down, l.step = 0, g.p.params[0], 0, false, 1
	case k == 0 && depth > 0: // triangular
		l.lb = affineSum{coefs: make([]int64, depth)}
		l.lb.coefs[r.IntN(depth)] = 1
	case k < 3:
		l.param = r.IntN(len(g.p.params))
		if l.ub = (affineSum{c: g.p.params[l.param]}); l.down {
			l.ub.c = 0
		}
	case k == 3:
		l.dynamicStart = r.IntN(len(g.p.params))
		l.lb = affineSum{c: g.p.params[l.dynamicStart]}
	}
	if l.down {
		l.param = -1
	}
	l.body = g.block(depth+1, 1+r.IntN(3))
	return l
}

func (g *affineGen) access(depth int) *affineAccess {
	a := &affineAccess{id: g.p.accesses, mem: g.r.IntN(len(g.ranks)), store: g.r.IntN(2) == 0, fresh: g.r.IntN(2) == 0}
	g.p.accesses++
	for range g.ranks[a.mem] {
		a.subs = append(a.subs, g.sum(depth, false))
	}
	return a
}

// sum draws coefficients that dependence tests have to deal with: unit strides,
// rows, powers of two that wrap around.
func (g *affineGen) sum(depth int, plain bool) affineSum {
	r := g.r
	e := affineSum{c: int64(r.IntN(4)), coefs: make([]int64, depth)}
	if g.sizes && !plain && depth > 0 {
		// An element of a row, or of the second half.
		e.c, e.size = int64(r.IntN(7)/6), 1
		e.coefs[depth-1] = 1
		if e.rows = depth - 1; depth == 1 && r.IntN(3) == 0 {
			e.size = 0
		}
		return e
	}
	for k := range e.coefs {
		e.coefs[k] = []int64{0, 0, 1, 1, 1, 2, 4, 8, -1, 3, 16}[r.IntN(11)]
	}
	if !plain && r.IntN(16) == 0 {
		e.size, e.rows = 1+r.IntN(len(g.p.params)), r.IntN(depth+1)
		if e.rows > 0 && r.IntN(3) > 0 {
			e.coefs[e.rows-1] = 0
		}
	}
	if !plain && r.IntN(8) == 0 {
		e.narrow, e.zext = 4+r.IntN(3), r.IntN(2) == 0
	}
	if !plain && r.IntN(10) == 0 {
		e.mask = []int64{1, 3, 6}[r.IntN(3)]
	}
	return e
}

// fit moves the subscripts into bounds and sizes the memories; false where that
// does not work out.
func (p *affineProg) fit(ranks []int) bool {
	for range 4 {
		p.mems = nil
		for _, rank := range ranks {
			p.mems = append(p.mems, make([]int64, rank))
		}
		least := map[*affineAccess][]int64{}
		ok := p.run(func(e event, subs []int64) {
			low := least[e.access]
			if low == nil {
				low = make([]int64, len(subs))
				least[e.access] = low
			}
			for d, v := range subs {
				p.mems[e.access.mem][d] = max(p.mems[e.access.mem][d], v)
				low[d] = min(low[d], v)
			}
		})
		if !ok {
			return false
		}
		again := false
		for a, low := range least {
			for d, v := range low {
				if v < 0 {
					a.subs[d].c -= v
					again = true
				}
			}
		}
		if again {
			continue
		}
		for _, m := range p.mems {
			n := int64(1)
			for d := range m {
				m[d]++
				n *= m[d]
			}
			if n > 1024 {
				return false
			}
		}
		half := int64(1) << (p.indexWidth - 1)
		for _, m := range p.mems {
			n := int64(1)
			for _, d := range m {
				n *= d
			}
			if p.indexWidth < 64 && n > half {
				return false
			}
		}
		return true
	}
	return false
}

// print writes the program as MLIR.
func (p *affineProg) print() {
	w := &affineText{p: p}
	p.loopAt, p.accessAt = map[int]int{}, map[int]int{}
	var params []string
	for i := range p.params {
		params = append(params, fmt.Sprintf("%%n%d: index", i))
	}
	for i := range p.mems {
		params = append(params, fmt.Sprintf("%%m%d: %s", i, p.memType(i)))
	}
	w.line("func.func @prog(%s) -> i32 {", strings.Join(params, ", "))
	acc := w.constant(7, "i32")
	acc = w.block(p.body, nil, acc)
	w.line("return %s : i32", acc)
	w.line("}")
	p.text = w.b.String()
}

func (p *affineProg) memType(i int) string {
	s := "memref<"
	for _, d := range p.mems[i] {
		s += fmt.Sprintf("%dx", d)
	}
	return s + "i32>"
}

type affineText struct {
	p     *affineProg
	b     strings.Builder
	lines int
	names int
}

func (w *affineText) line(format string, args ...any) {
	w.lines++
	fmt.Fprintf(&w.b, format+"\n", args...)
}

func (w *affineText) name() string {
	w.names++
	return fmt.Sprintf("%%v%d", w.names)
}

func (w *affineText) def(format string, args ...any) string {
	v := w.name()
	w.line("%s = "+format, append([]any{v}, args...)...)
	return v
}

func (w *affineText) constant(c int64, t string) string {
	if t == "index" {
		c = c << (64 - w.p.indexWidth) >> (64 - w.p.indexWidth)
	}
	return w.def("arith.constant %d : %s", c, t)
}

func (w *affineText) sum(e affineSum, ivs []string) string {
	v := w.constant(e.c, "index")
	for k, c := range e.coefs {
		switch c {
		case 0:
		case 1:
			v = w.def("arith.addi %s, %s : index", v, ivs[k])
		case -1:
			v = w.def("arith.subi %s, %s : index", v, ivs[k])
		case 4:
			s := w.def("arith.shli %s, %s : index", ivs[k], w.constant(2, "index"))
			v = w.def("arith.addi %s, %s : index", v, s)
		default:
			m := w.def("arith.muli %s, %s : index", w.constant(c, "index"), ivs[k])
			v = w.def("arith.addi %s, %s : index", v, m)
		}
	}
	if e.size > 0 {
		n := fmt.Sprintf("%%n%d", e.size-1)
		if e.rows > 0 {
			n = w.def("arith.muli %s, %s : index", ivs[e.rows-1], n)
		}
		v = w.def("arith.addi %s, %s : index", v, n)
	}
	if e.narrow > 0 {
		v = w.def("arith.index_cast %s : index to i%d", v, e.narrow)
		cast := "index_cast"
		if e.zext {
			cast = "index_castui"
		}
		v = w.def("arith.%s %s : i%d to index", cast, v, e.narrow)
	}
	if e.mask != 0 {
		v = w.def("arith.andi %s, %s : index", v, w.constant(e.mask, "index"))
	}
	return v
}

func (w *affineText) block(body []affineStmt, ivs []string, acc string) string {
	for _, st := range body {
		switch {
		case st.access != nil:
			acc = w.access(st.access, ivs, acc)
		case st.branch != nil:
			v := w.def("arith.andi %s, %s : index", w.sum(st.branch.on, ivs), w.constant(st.branch.mask, "index"))
			c := w.def("arith.cmpi eq, %s, %s : index", v, w.constant(0, "index"))
			r := w.name()
			w.line("%s = scf.if %s -> (i32) {", r, c)
			w.line("scf.yield %s : i32", w.block(st.branch.body, ivs, acc))
			w.line("} else {")
			w.line("scf.yield %s : i32", acc)
			w.line("}")
			acc = r
		default:
			acc = w.loop(st.loop, ivs, acc)
		}
	}
	return acc
}

func (w *affineText) access(a *affineAccess, ivs []string, acc string) string {
	var subs []string
	for _, e := range a.subs {
		subs = append(subs, w.sum(e, ivs))
	}
	at := fmt.Sprintf("%%m%d[%s] : %s", a.mem, strings.Join(subs, ", "), w.p.memType(a.mem))
	if !a.store {
		v := w.def("memref.load %s", at)
		w.p.accessAt[w.lines] = a.id
		three := w.def("arith.muli %s, %s : i32", acc, w.constant(3, "i32"))
		return w.def("arith.addi %s, %s : i32", three, v)
	}
	v := acc
	if a.fresh {
		v = w.constant(int64(100*a.id), "i32")
		for k, iv := range ivs {
			c := w.def("arith.index_cast %s : index to i32", iv)
			m := w.def("arith.muli %s, %s : i32", c, w.constant(int64(7*k+1), "i32"))
			v = w.def("arith.addi %s, %s : i32", v, m)
		}
	}
	w.line("memref.store %s, %s", v, at)
	w.p.accessAt[w.lines] = a.id
	return acc
}

func (w *affineText) loop(l *affineLoop, ivs []string, acc string) string {
	lb, ub := "", ""
	if l.dynamicStart >= 0 {
		lb = fmt.Sprintf("%%n%d", l.dynamicStart)
	} else {
		lb = w.sum(l.lb, ivs)
	}
	if l.param >= 0 {
		ub = fmt.Sprintf("%%n%d", l.param)
	} else {
		ub = w.sum(l.ub, ivs)
	}
	step := w.constant(l.step, "index")
	r, iv, a := w.name(), w.name(), w.name()
	inner := append(append([]string(nil), ivs...), iv)
	if !l.down {
		w.line("%s = scf.for %s = %s to %s step %s iter_args(%s = %s) -> (i32) {", r, iv, lb, ub, step, a, acc)
		w.p.loopAt[w.lines] = l.id
		w.line("scf.yield %s : i32", w.block(l.body, inner, a))
		w.line("}")
		return r
	}
	i, b := w.name(), w.name()
	w.line("%s:2 = scf.while (%s = %s, %s = %s) : (index, i32) -> (index, i32) {", r, i, lb, b, acc)
	w.p.loopAt[w.lines] = l.id
	c := w.def("arith.cmpi sgt, %s, %s : index", i, ub)
	w.line("scf.condition(%s) %s, %s : index, i32", c, i, b)
	w.line("} do {")
	w.line("^bb0(%s: index, %s: i32):", iv, a)
	out := w.block(l.body, inner, a)
	next := w.def("arith.subi %s, %s : index", iv, step)
	w.line("scf.yield %s, %s : index, i32", next, out)
	w.line("}")
	return r + "#1"
}

// inputs are the arguments of a run.
func (p *affineProg) inputs(seed uint64) *vector.Inputs {
	r := rand.New(rand.NewPCG(seed, 0x1a7))
	in := &vector.Inputs{}
	for i, n := range p.params {
		in.Args = append(in.Args, vector.Arg{Name: fmt.Sprintf("n%d", i), Type: ir.Index, Scalar: uint64(n)})
	}
	for i, shape := range p.mems {
		m := &vector.Memory{Name: fmt.Sprintf("m%d", i), Elem: ir.I32, Shape: shape}
		n := int64(1)
		for _, d := range shape {
			n *= d
		}
		for range n {
			m.Data = append(m.Data, uint64(r.Uint32()))
		}
		in.Args = append(in.Args, vector.Arg{Name: m.Name, Type: ir.MemRefOf(shape, ir.I32, nil, "", ""), Mem: m})
	}
	return in
}
