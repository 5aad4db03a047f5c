package randc

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// features are what a program may have. Each program draws them anew, so that rare
// constructs meet each other without the common ones around them.
type features struct {
	floats, small, wide, unsigned, bools         bool
	structs, grids, tables, globals, statics     bool
	helpers, effects, macros, casts, divisions   bool
	shifts, bits, logic, conditional, compound   bool
	steps, whiles, switches, jumps, gotos, again bool
	walks, aliases, choices, copies, locals      bool
	odd, down, geometric, triangular, fetch      bool
	restrict, spellings, extremes, early         bool
}

func drawFeatures(r *rand.Rand) features {
	p := 30 + r.IntN(60) // some programs have little, some nearly everything
	on := func() bool { return r.IntN(100) < p }
	rare := func() bool { return r.IntN(100) < p/2 }
	return features{
		floats: rare(), small: on(), wide: rare(), unsigned: on(), bools: rare(),
		structs: rare(), grids: on(), tables: rare(), globals: rare(), statics: r.IntN(100) < p/5,
		helpers: on(), effects: rare(), macros: on(), casts: on(), divisions: rare(),
		shifts: on(), bits: on(), logic: on(), conditional: on(), compound: on(),
		steps: on(), whiles: on(), switches: rare(), jumps: on(), gotos: rare(), again: rare(),
		walks: rare(), aliases: rare(), choices: r.IntN(100) < p/6, copies: rare(), locals: on(),
		odd: on(), down: on(), geometric: rare(), triangular: on(), fetch: rare(),
		restrict: on(), spellings: on(), extremes: on(), early: rare(),
	}
}

// generator makes one program.
type generator struct {
	r *rand.Rand
	features
	palette []Type // integer types in use
	floatTs []Type
	p       *Program
	fn      *Func
	*names
	visible []*Array
	labels  []string
	count   int // names given so far
	depth   int
	loops   int
	breaks  int
	trips   int // how often the current statement is reached, at most
	cost    int // statements executed so far, at most
	room    int // statements left to write
	costs   map[string]int
}

// Bounds of a program's length and run time.
const (
	maxTrips = 300
	maxCost  = 2500
)

// Generate makes the program of a seed; prefix begins its names at file scope.
func Generate(seed uint64, prefix string) *Program {
	for try := uint64(0); ; try++ {
		r := rand.New(rand.NewPCG(seed, try))
		g := &generator{r: r, features: drawFeatures(r), p: &Program{Prefix: prefix}, costs: map[string]int{}}
		g.program()
		if g.p.Check() == nil {
			if seed%fencedEach == 0 {
				addFences(g.p, rand.New(rand.NewPCG(seed, 1<<32)))
			}
			return g.p
		}
		if try > 100 {
			panic(fmt.Sprintf("randc: seed %d gives no program: %v", seed, g.p.Check()))
		}
	}
}

func (g *generator) chance(percent int) bool { return g.r.IntN(100) < percent }

func pick[T any](g *generator, list []T) T { return list[g.r.IntN(len(list))] }

func (g *generator) name(stem string) string {
	g.count++
	return stem + strconv.Itoa(g.count)
}

func (g *generator) top(stem string) string { return g.p.Prefix + g.name(stem) }

func (g *generator) program() {
	g.palette = []Type{I32}
	add := func(on bool, ts ...Type) {
		for _, t := range ts {
			if on && g.chance(60) {
				g.palette = append(g.palette, t)
			}
		}
	}
	add(g.unsigned, U32, U32)
	add(g.small, I8, I16)
	add(g.small && g.unsigned, U8, U16)
	add(g.wide, I64)
	add(g.wide && g.unsigned, U64)
	add(g.bools, Bool)
	if g.floats {
		g.floatTs = [][]Type{{F32}, {F64}, {F32, F64}}[g.r.IntN(3)]
	}
	if g.structs {
		for range 1 + g.r.IntN(2) {
			s := &Struct{Name: g.top("S")}
			for k := range 1 + g.r.IntN(4) {
				f := Field{Name: string(rune('a' + k)), Type: g.elemType()}
				if g.chance(15) {
					f.Len = 2 << g.r.IntN(2)
				}
				s.Fields = append(s.Fields, f)
			}
			g.p.Structs = append(g.p.Structs, s)
		}
	}
	g.names = g.p.scope(nil)
	if g.tables {
		for range 1 + g.r.IntN(2) {
			g.p.Globals = append(g.p.Globals, g.table(g.top("tab"), true))
		}
	}
	if g.globals {
		for range 1 + g.r.IntN(2) {
			v := g.table(g.top("glob"), false)
			if g.chance(40) {
				v.Dims, v.Init = nil, v.Init[:1]
			}
			g.p.Globals = append(g.p.Globals, v)
		}
	}
	if g.helpers {
		for range 1 + g.r.IntN(3) {
			g.helper()
		}
	}
	g.kernel()
}

// table is an array with initial values. Variables are external: of a static one that
// nothing writes, the compiler would assume the initial value, which a run may change.
func (g *generator) table(name string, constant bool) *Array {
	v := &Array{Name: name, Type: g.elemType(), Const: constant, Static: constant, Dims: []int{4 << g.r.IntN(3)}, Spell: g.spell()}
	if g.grids && g.chance(25) {
		v.Dims = []int{2 << g.r.IntN(2), 4}
	}
	if constant && g.chance(10) {
		v.Dims = []int{128} // tools print large tables in another form
	}
	for range v.elements() {
		v.Init = append(v.Init, g.initial(v.Type))
	}
	return v
}

func (g *generator) initial(t Type) string {
	if t.Float() {
		return g.floatLit(t).Text
	}
	if g.chance(15) {
		return intText(t, pick(g, t.extremes()))
	}
	return intText(t, t.convert(int64(g.r.IntN(200)-60)))
}

func (g *generator) spell() int {
	if !g.spellings {
		return 0
	}
	return g.r.IntN(6)
}

func (g *generator) intType() Type { return pick(g, g.palette) }

func (g *generator) elemType() Type {
	if len(g.floatTs) > 0 && g.chance(40) {
		return pick(g, g.floatTs)
	}
	return g.intType()
}

// declare makes a variable visible.
func (g *generator) declare(v *Array) *Array {
	g.vars[v.Name] = v
	g.visible = append(g.visible, v)
	return v
}

// scoped runs f with variables that end with it.
func (g *generator) scoped(f func()) {
	n := len(g.visible)
	f()
	g.visible = g.visible[:n]
}

// begin starts a function.
func (g *generator) begin(f *Func) {
	g.fn, g.names, g.visible, g.labels = f, g.p.scope(f), nil, nil
	for _, v := range g.p.Globals {
		if v.Const || !f.Inline && f == g.p.Kernel {
			g.visible = append(g.visible, v)
		}
	}
	g.visible = append(g.visible, f.Params...)
	g.trips, g.cost, g.depth, g.loops, g.breaks = 1, 0, 0, 0, 0
}

func (g *generator) helper() {
	f := &Func{Name: g.top("help"), Result: g.elemType(), Inline: g.chance(50)}
	for range 1 + g.r.IntN(3) {
		f.Params = append(f.Params, &Array{Name: g.name("x"), Type: g.elemType()})
	}
	if g.chance(30) {
		f.Params = append(f.Params, &Array{Name: g.name("v"), Type: g.elemType(), Dims: []int{4 << g.r.IntN(2)}, Const: !g.effects || g.chance(60), Pointer: g.chance(70)})
	}
	if g.effects && g.chance(50) {
		f.Params = append(f.Params, &Array{Name: g.name("out"), Type: g.elemType(), Out: true})
	}
	g.begin(f)
	g.room = 1 + g.r.IntN(5)
	if g.statics && g.effects && g.chance(50) {
		t := g.intType()
		v := g.declare(&Array{Name: g.name("st"), Type: t, Static: true, Init: []string{g.initial(t)}})
		f.Body = append(f.Body, &Stmt{Kind: Decl, Var: v})
	}
	f.Body = append(f.Body, g.block(1+g.r.IntN(4))...)
	f.Return = g.expr(3)
	g.costs[f.Name] = g.cost + 2
	g.p.Helpers = append(g.p.Helpers, f)
}

// kernelName is the name of a program's kernel without the prefix.
const kernelName = "kernel"

func (g *generator) kernel() {
	f := &Func{Name: g.p.Prefix + kernelName, Result: g.elemType()}
	g.p.Kernel = f
	if g.chance(15) {
		f.Result = Void
	}
	writable := 0
	for k := range 2 + g.r.IntN(4) {
		if k > 0 && g.chance(40) {
			v := &Array{Name: g.name("n"), Type: g.elemType(), Spell: g.spell()}
			if !v.Type.Float() && v.Type != Bool && g.chance(60) {
				v.Fixed, v.Max = true, 16
			}
			if g.structs && g.chance(20) {
				v = &Array{Name: g.name("s"), Struct: pick(g, g.p.Structs)}
			}
			f.Params = append(f.Params, v)
			continue
		}
		v := g.arrayParam()
		v.Const = writable > 0 && g.chance(40)
		if !v.Const {
			writable++
		}
		f.Params = append(f.Params, v)
	}
	g.begin(f)
	g.room = 6 + g.r.IntN(30)
	g.localsOf(f)
	acc := g.declare(&Array{Name: "acc", Type: []Type{U32, I32, U64}[g.r.IntN(3)]})
	f.Body = append(f.Body, &Stmt{Kind: Decl, Var: acc})
	for g.room > 0 {
		f.Body = append(f.Body, g.statement()...)
	}
	g.finish(f)
}

func (g *generator) arrayParam() *Array {
	v := &Array{Name: g.name("a"), Type: g.elemType(), Dims: []int{8 << g.r.IntN(2)}, Pointer: g.chance(60), Spell: g.spell()}
	v.Restrict = g.restrict && v.Pointer && g.chance(60)
	if g.grids && g.chance(30) {
		v.Dims, v.Pointer, v.Restrict = []int{2 << g.r.IntN(3), 4 << g.r.IntN(2)}, false, false
	}
	if g.structs && g.chance(40) {
		v.Struct, v.Type = pick(g, g.p.Structs), Void
	}
	return v
}

// localsOf declares local variables and small arrays.
func (g *generator) localsOf(f *Func) {
	for range 1 + g.r.IntN(4) {
		t := g.elemType()
		v := &Array{Name: g.name("t"), Type: t, Spell: g.spell(), Start: g.expr(1)}
		f.Body = append(f.Body, &Stmt{Kind: Decl, Var: v})
		g.declare(v)
	}
	if g.statics && g.chance(60) {
		t := g.elemType()
		v := &Array{Name: g.name("st"), Type: t, Static: true, Init: []string{g.initial(t)}}
		if g.chance(50) {
			v = g.table(g.name("st"), g.chance(50))
			v.Static = true
		}
		f.Body = append(f.Body, &Stmt{Kind: Decl, Var: v})
		g.declare(v)
	}
	if !g.locals {
		return
	}
	for range 1 + g.r.IntN(2) {
		v := &Array{Name: g.name("loc"), Type: g.elemType(), Dims: []int{4 << g.r.IntN(3)}}
		switch {
		case g.structs && g.chance(25):
			v.Struct, v.Type = pick(g, g.p.Structs), Void
			if g.chance(50) {
				v.Dims = nil
			}
		case g.grids && g.chance(25):
			v.Dims = []int{4, 4}
		case g.chance(40):
			for range v.elements() {
				v.Init = append(v.Init, g.initial(v.Type))
			}
		}
		f.Body = append(f.Body, &Stmt{Kind: Decl, Var: v})
		g.declare(v)
	}
}

// finish folds what is local into the result, so that a wrong value shows.
func (g *generator) finish(f *Func) {
	acc := &Expr{Kind: Ref, Name: "acc"}
	fold := func(e *Expr) *Stmt {
		if g.typeOf(e).Float() {
			e = &Expr{Kind: Cast, Type: I32, Args: []*Expr{e}}
		}
		return &Stmt{Kind: Assign, LHS: acc, Exprs: []*Expr{bin("+", bin("*", acc, intLit(I32, 31)), e)}}
	}
	for _, v := range append([]*Array{}, g.visible...) {
		if v.Const || v.Alias != nil || v.Name == "acc" {
			continue
		}
		var fields []string
		if v.Struct != nil {
			for _, fd := range v.Struct.Fields {
				if fd.Len == 0 {
					fields = append(fields, fd.Name)
				}
			}
		} else {
			fields = []string{""}
		}
		switch {
		case len(v.Dims) == 0 && v.Struct == nil:
			f.Body = append(f.Body, fold(&Expr{Kind: Ref, Name: v.Name}))
		case len(v.Dims) == 0:
			for _, fd := range fields {
				f.Body = append(f.Body, fold(&Expr{Kind: Elem, Name: v.Name, Field: fd}))
			}
		case len(v.Dims) == 1 && g.isLocal(v) && len(fields) > 0:
			i := &Array{Name: g.name("i"), Type: I32, Fixed: true}
			g.vars[i.Name] = i
			at := &Expr{Kind: Ref, Name: i.Name}
			f.Body = append(f.Body, &Stmt{Kind: For, Var: i,
				Loop:   &Loop{Cmp: "<", Op: "+", Step: 1, From: intLit(I32, 0), To: intLit(I32, int64(v.Dims[0])), Mask: v.Dims[0] - 1},
				Bodies: [][]*Stmt{{fold(&Expr{Kind: Elem, Name: v.Name, Field: fields[0], Args: []*Expr{at}})}}})
		}
	}
	f.Return = acc
	if f.Result.Float() && g.chance(70) {
		f.Return = bin("+", acc, g.float(1))
	}
	if f.Result == Void {
		for _, p := range f.Params {
			if len(p.Dims) == 1 && p.Struct == nil && !p.Const {
				f.Body = append(f.Body, &Stmt{Kind: Assign, LHS: &Expr{Kind: Elem, Name: p.Name, Args: []*Expr{intLit(I32, 0)}}, Exprs: []*Expr{acc}})
				break
			}
		}
	}
}

func (g *generator) isLocal(v *Array) bool {
	for _, p := range append(append([]*Array{}, g.fn.Params...), g.p.Globals...) {
		if p == v {
			return false
		}
	}
	return true
}
