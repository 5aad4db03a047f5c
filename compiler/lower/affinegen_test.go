package lower

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/sim/vector"
)

// dialectGen writes random affine programs as text. Loops are short whatever the
// inputs are, and subscripts are kept in their memory by mod; everything else may
// take any value.
type dialectGen struct {
	r *rand.Rand
	b strings.Builder
	// semi allows divisions by symbols, which mlir-opt does not lower.
	semi   bool
	indent int
	next   int
	dims   []string // values that may be dimensions
	syms   []string // values that may be symbols
	vals   []string // i32
	ops    int      // statements left
}

var affineMems = []struct {
	name  string
	shape []int64
}{{"%m", []int64{13}}, {"%p", []int64{5, 8}}, {"%q", []int64{}}}

func memType(shape []int64) string {
	var b strings.Builder
	for _, d := range shape {
		fmt.Fprintf(&b, "%dx", d)
	}
	return "memref<" + b.String() + "i32>"
}

// affineDialectProgram returns the text of one program.
func affineDialectProgram(seed uint64, semi bool) string {
	g := &dialectGen{r: rand.New(rand.NewPCG(seed, 77)), semi: semi, indent: 1, ops: 12}
	g.b.WriteString("func.func @f(")
	for _, m := range affineMems {
		fmt.Fprintf(&g.b, "%s: %s, ", m.name, memType(m.shape))
	}
	g.b.WriteString("%a: index, %b: index, %s: index, %v: i32) -> (i32, index) {\n")
	g.dims, g.syms, g.vals = []string{"%a", "%b"}, []string{"%a", "%b", "%s"}, []string{"%v"}
	g.line("%%zero = arith.constant 0 : index")
	g.body(3)
	x := g.index()
	g.line("return %s, %s : i32, index", g.pick(g.vals), x)
	g.b.WriteString("}\n")
	return g.b.String()
}

func (g *dialectGen) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat("  ", g.indent))
	fmt.Fprintf(&g.b, format, args...)
	g.b.WriteByte('\n')
}

func (g *dialectGen) pick(from []string) string { return from[g.r.IntN(len(from))] }

func (g *dialectGen) name() string {
	g.next++
	return fmt.Sprintf("%%x%d", g.next)
}

// expr is an affine expression; dim and sym name a random dimension and symbol.
func (g *dialectGen) expr(depth int, dim, sym func() string) string {
	sub := func() string { return g.expr(depth-1, dim, sym) }
	if depth == 0 {
		switch g.r.IntN(5) {
		case 0:
			return fmt.Sprint(g.r.IntN(12))
		case 1:
			return sym()
		}
		return dim()
	}
	divisor := func() string {
		if g.semi && g.r.IntN(3) == 0 {
			return "DIV"
		}
		return fmt.Sprint([]int{1, 2, 3, 4, 5, 7, 8, 10, 16}[g.r.IntN(9)])
	}
	switch g.r.IntN(9) {
	case 0, 1:
		return "(" + sub() + " + " + sub() + ")"
	case 2:
		return "(" + sub() + " - " + sub() + ")"
	case 3:
		return "(" + sub() + " * " + fmt.Sprint(g.r.IntN(9)-4) + ")"
	case 4:
		return "(" + sub() + " floordiv " + divisor() + ")"
	case 5:
		return "(" + sub() + " ceildiv " + divisor() + ")"
	case 6:
		return "(" + sub() + " mod " + divisor() + ")"
	case 7:
		return "(-" + sub() + ")"
	}
	return sub()
}

// mapped makes an affine map or set with its operands. list gets a source of
// expressions.
func (g *dialectGen) mapped(word, arrow string, list func(expr func(depth int) string) string) string {
	dims, syms := 1+g.r.IntN(2), 1+g.r.IntN(2)
	text := list(func(depth int) string {
		return g.expr(depth, func() string { return fmt.Sprintf("d%d", g.r.IntN(dims)) },
			func() string { return fmt.Sprintf("s%d", g.r.IntN(syms)) })
	})
	text = strings.ReplaceAll(text, "DIV", "s"+fmt.Sprint(syms))
	signature := func(letter string, n int) string {
		var l []string
		for i := range n {
			l = append(l, fmt.Sprint(letter, i))
		}
		return strings.Join(l, ", ")
	}
	var d, s []string
	for range dims {
		d = append(d, g.pick(g.dims))
	}
	for range syms {
		s = append(s, g.pick(g.syms))
	}
	if g.semi {
		s = append(s, "%s") // the positive one
		syms++
	}
	return fmt.Sprintf("%s<(%s)[%s] %s (%s)>(%s)[%s]", word, signature("d", dims), signature("s", syms), arrow, text,
		strings.Join(d, ", "), strings.Join(s, ", "))
}

func (g *dialectGen) mapOf(results int, also ...string) string {
	return g.mapped("affine_map", "->", func(expr func(int) string) string {
		var l []string
		for range results {
			l = append(l, expr(1+g.r.IntN(2)))
		}
		return strings.Join(append(l, also...), ", ")
	})
}

func (g *dialectGen) set() string {
	return g.mapped("affine_set", ":", func(expr func(int) string) string {
		var l []string
		for range 1 + g.r.IntN(3) {
			l = append(l, expr(g.r.IntN(3))+" "+[]string{">=", "<=", "=="}[g.r.IntN(3)]+" "+expr(g.r.IntN(2)))
		}
		return strings.Join(l, ", ")
	})
}

// index computes an index that is good for anything but affine operands.
func (g *dialectGen) index() string {
	x := g.name()
	switch g.r.IntN(4) {
	case 0:
		g.line("%s = affine.min %s", x, g.mapOf(1+g.r.IntN(3)))
	case 1:
		g.line("%s = affine.max %s", x, g.mapOf(1+g.r.IntN(3)))
	case 2:
		if g.semi {
			g.line("%s:2 = affine.delinearize_index %s into (%s, %s) : index, index", x, g.pick(g.dims), "%s", "%s")
			return fmt.Sprintf("%s#%d", x, g.r.IntN(2))
		}
		fallthrough
	default:
		g.line("%s = affine.apply %s", x, g.mapOf(1))
		g.dims = append(g.dims, x)
	}
	return x
}

// subscripts lie in their memory. Some are induction variables as they are.
func (g *dialectGen) subscripts(shape []int64) string {
	var l []string
	for _, d := range shape {
		e := g.expr(1+g.r.IntN(2), func() string { return g.pick(g.dims) }, func() string { return "symbol(" + g.pick(g.syms) + ")" })
		l = append(l, strings.ReplaceAll(e, "DIV", "symbol(%s)")+fmt.Sprintf(" mod %d", d))
	}
	return strings.Join(l, ", ")
}

// scoped runs f with names that are gone afterwards.
func (g *dialectGen) scoped(f func()) {
	dims, syms, vals := len(g.dims), len(g.syms), len(g.vals)
	g.indent++
	f()
	g.indent--
	g.dims, g.syms, g.vals = g.dims[:dims], g.syms[:syms], g.vals[:vals]
}

func (g *dialectGen) body(depth int) {
	for range 1 + g.r.IntN(4) {
		g.statement(depth)
	}
}

func (g *dialectGen) statement(depth int) {
	if g.ops--; g.ops < 0 {
		return
	}
	kind := g.r.IntN(10)
	if depth == 0 && kind >= 6 {
		kind = g.r.IntN(6)
	}
	m := affineMems[g.r.IntN(len(affineMems))]
	x := g.name()
	switch kind {
	case 0, 1:
		g.line("%s = affine.load %s[%s] : %s", x, m.name, g.subscripts(m.shape), memType(m.shape))
		g.vals = append(g.vals, x)
	case 2, 3:
		g.line("affine.store %s, %s[%s] : %s", g.pick(g.vals), m.name, g.subscripts(m.shape), memType(m.shape))
	case 4:
		g.line("%s = arith.index_cast %s : index to i32", x, g.index())
		g.vals = append(g.vals, x)
	case 5:
		g.line("%s = arith.%s %s, %s : i32", x, g.pick([]string{"addi", "xori", "muli"}), g.pick(g.vals), g.pick(g.vals))
		g.vals = append(g.vals, x)
	case 6, 7:
		g.loop(x, depth)
	case 8:
		g.branch(x, depth)
	case 9:
		g.parallelLoop(x, depth)
	}
}

func (g *dialectGen) loop(x string, depth int) {
	lower, upper := fmt.Sprint(g.r.IntN(6)-2), fmt.Sprint(g.r.IntN(6))
	if g.r.IntN(2) == 0 {
		lower = "max " + g.mapOf(1+g.r.IntN(2), fmt.Sprint(-g.r.IntN(3)))
	}
	if g.r.IntN(2) == 0 {
		upper = "min " + g.mapOf(1+g.r.IntN(2), fmt.Sprint(g.r.IntN(6)))
	}
	iv, carried := g.name(), g.name()
	start := g.pick(g.vals)
	g.line("%s = affine.for %s = %s to %s step %d iter_args(%s = %s) -> (i32) {", x, iv, lower, upper, 1+g.r.IntN(3), carried, start)
	g.scoped(func() {
		g.dims, g.vals = append(g.dims, iv), append(g.vals, carried)
		g.body(depth - 1)
		g.line("affine.yield %s : i32", g.pick(g.vals))
	})
	g.line("}")
	g.vals = append(g.vals, x)
}

func (g *dialectGen) branch(x string, depth int) {
	results := g.r.IntN(2) == 0
	if results {
		g.line("%s = affine.if %s -> i32 {", x, g.set())
	} else {
		g.line("affine.if %s {", g.set())
	}
	side := func() {
		g.scoped(func() {
			g.body(depth - 1)
			if results {
				g.line("affine.yield %s : i32", g.pick(g.vals))
			}
		})
	}
	side()
	if results || g.r.IntN(2) == 0 {
		g.line("} else {")
		side()
	}
	g.line("}")
	if results {
		g.vals = append(g.vals, x)
	}
}

func (g *dialectGen) parallelLoop(x string, depth int) {
	n := g.r.IntN(3)
	if n == 0 && g.semi == false {
		n = 1 // mlir-opt makes an illegal scf.parallel of no dimension
	}
	var ivs, lower, upper, steps []string
	inline := func() string {
		return strings.ReplaceAll(g.expr(1, func() string { return g.pick(g.dims) }, func() string { return "symbol(" + g.pick(g.syms) + ")" }), "DIV", "symbol(%s)")
	}
	for range n {
		ivs = append(ivs, g.name())
		steps = append(steps, fmt.Sprint(1+g.r.IntN(3)))
		l, u := fmt.Sprint(g.r.IntN(3)), fmt.Sprint(g.r.IntN(5))
		if g.r.IntN(2) == 0 {
			l = "max(" + l + ", " + inline() + ")"
		}
		if g.r.IntN(2) == 0 {
			u = "min(" + inline() + ", " + u + ")"
		}
		lower, upper = append(lower, l), append(upper, u)
	}
	head := fmt.Sprintf("(%s) = (%s) to (%s)", strings.Join(ivs, ", "), strings.Join(lower, ", "), strings.Join(upper, ", "))
	if n > 0 {
		head += fmt.Sprintf(" step (%s)", strings.Join(steps, ", "))
	}
	kinds := []string{`"addi"`, `"muli"`, `"ori"`, `"andi"`}
	kinds = kinds[:g.r.IntN(3)]
	if len(kinds) > 0 {
		var types []string
		for range kinds {
			types = append(types, "i32")
		}
		g.line("%s:%d = affine.parallel %s reduce (%s) -> (%s) {", x, len(kinds), head, strings.Join(kinds, ", "), strings.Join(types, ", "))
	} else {
		g.line("affine.parallel %s {", head)
	}
	g.scoped(func() {
		g.dims = append(g.dims, ivs...)
		g.body(depth - 1)
		if len(kinds) > 0 {
			var vs, ts []string
			for range kinds {
				vs, ts = append(vs, g.pick(g.vals)), append(ts, "i32")
			}
			g.line("affine.yield %s : %s", strings.Join(vs, ", "), strings.Join(ts, ", "))
		}
	})
	g.line("}")
	for i := range kinds {
		g.vals = append(g.vals, fmt.Sprintf("%s#%d", x, i))
	}
}

// affineInputs makes arguments for a program: %s is positive, the other indices
// are mostly small, else at the ends of what an index of that width holds.
func affineInputs(fn *ir.Operation, seed uint64, width int) *vector.Inputs {
	in := &vector.Inputs{}
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		panic(err)
	}
	r := rand.New(rand.NewPCG(seed, 5))
	for _, p := range sig.Params {
		a := vector.Arg{Name: p.Name, Type: p.Type}
		switch t := p.Type.(type) {
		case *ir.MemRefType:
			n, _ := t.NumElements()
			a.Mem = &vector.Memory{Name: p.Name, Elem: t.Elem, Shape: append([]int64{}, t.Shape...)}
			for range n {
				a.Mem.Data = append(a.Mem.Data, uint64(r.Uint32()))
			}
		case *ir.IndexType:
			v := int64(r.IntN(30) - 10)
			if p.Name == "s" {
				v = int64(1 + r.IntN(9))
			} else if r.IntN(8) == 0 {
				v = math.MaxInt64>>(64-width) - int64(r.IntN(3))
				if r.IntN(2) == 0 {
					v = math.MinInt64>>(64-width) + int64(r.IntN(3))
				}
			}
			a.Scalar = num.Truncate(uint64(v), ir.Index, width)
		default:
			a.Scalar = uint64(r.Uint32())
		}
		in.Args = append(in.Args, a)
	}
	return in
}
