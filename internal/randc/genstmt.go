package randc

import "slices"

// block is a list of about n statements with a scope of its own.
func (g *generator) block(n int) []*Stmt {
	var out []*Stmt
	g.depth++
	g.scoped(func() {
		for range max(1, n) {
			out = append(out, g.statement()...)
			if g.room <= 0 {
				break
			}
		}
	})
	g.depth--
	return out
}

// repeated is block for the body of a loop that runs n times at most.
func (g *generator) repeated(n, length int) []*Stmt {
	trips, loops, breaks := g.trips, g.loops, g.breaks
	g.trips, g.loops, g.breaks = trips*n, loops+1, breaks+1
	out := g.block(length)
	g.trips, g.loops, g.breaks = trips, loops, breaks
	return out
}

// statement is one statement, now and then with a declaration before it.
func (g *generator) statement() []*Stmt {
	g.room--
	g.cost += g.trips
	deep := g.depth >= 4 || g.cost > maxCost
	one := func(s *Stmt) []*Stmt { return []*Stmt{s} }
	for range 20 {
		k := g.r.IntN(100)
		switch {
		case deep || k < 26:
			return one(g.assign())
		case k < 46:
			if s := g.loop(); s != nil {
				return one(s)
			}
		case k < 58:
			s := &Stmt{Kind: If, Exprs: []*Expr{g.condition(2)}, Bodies: [][]*Stmt{g.block(1 + g.r.IntN(3))}}
			if g.chance(40) {
				s.Bodies = append(s.Bodies, g.block(1+g.r.IntN(2)))
			}
			return one(s)
		case k < 62:
			if s := g.while(); s != nil {
				return one(s)
			}
		case k < 65:
			if g.switches {
				return one(g.cases())
			}
		case k < 71:
			if s := g.jump(); s != nil {
				return one(s)
			}
		case k < 74:
			if s := g.walk(); s != nil {
				return one(s)
			}
		case k < 78:
			if s := g.alias(); s != nil {
				return one(s)
			}
		case k < 82:
			if s := g.copy(); s != nil {
				return one(s)
			}
		case k < 86:
			if s := g.callOut(); s != nil {
				return one(s)
			}
		case k < 90:
			if s := g.fetch(); s != nil {
				return one(s)
			}
		case k < 93:
			if g.gotos {
				l := g.label()
				g.labels = append(g.labels, l)
				s := &Stmt{Kind: Block, Name: l, Bodies: [][]*Stmt{g.block(2 + g.r.IntN(3))}}
				g.labels = g.labels[:len(g.labels)-1]
				return one(s)
			}
		case k < 95:
			if n := 2 + g.r.IntN(4); g.again && g.trips*n <= maxTrips {
				s := &Stmt{Kind: Again, Name: g.label(), N: n}
				trips := g.trips
				g.trips *= n + 1
				s.Bodies = [][]*Stmt{g.block(1 + g.r.IntN(3))}
				g.trips = trips
				s.Exprs = []*Expr{g.condition(1)}
				return one(s)
			}
		default:
			t := g.elemType()
			v := &Array{Name: g.name("u"), Type: t, Spell: g.spell(), Start: g.expr(2)}
			g.declare(v)
			return one(&Stmt{Kind: Decl, Var: v})
		}
	}
	return one(g.assign())
}

func (g *generator) assign() *Stmt {
	all := g.targets(func(t Type) bool { return t != Void })
	// Arrays hold most of what a kernel writes.
	lhs := pick(g, all)
	t := g.typeOf(lhs)
	if g.steps && !t.Float() && t != Bool && g.chance(10) {
		return &Stmt{Kind: Step, LHS: lhs, Op: pick(g, []string{"++", "--"}), Style: g.r.IntN(2)}
	}
	s := &Stmt{Kind: Assign, LHS: lhs}
	if t.Float() {
		s.Exprs = []*Expr{g.float(3)}
	} else {
		s.Exprs = []*Expr{g.integer(3)}
	}
	if g.chance(10) {
		s.Exprs = []*Expr{g.expr(2)}
	}
	if g.compound && g.chance(35) {
		ops := []string{"+", "-", "*", "+", "/"}
		if !t.Float() {
			ops = []string{"+", "-", "*", "+", "^", "&", "|"}
			if g.shifts && !g.typeOf(s.Exprs[0]).Float() {
				ops = append(ops, "<<", ">>")
			}
			if g.divisions {
				ops = append(ops, "/", "%")
			}
		}
		s.Op = pick(g, ops)
		s.Exprs[0].Guard = g.r.IntN(3)
	}
	return s
}

// bound is the bound of a loop: a literal, a parameter, or some value that printing
// masks.
func (g *generator) bound(mask int, fixed bool) *Expr {
	var counters, known []*Expr
	for _, v := range g.visible {
		if v.Fixed && len(v.Dims) == 0 {
			known = append(known, &Expr{Kind: Ref, Name: v.Name})
			if v.Max == 0 || v.Max < 16 {
				counters = append(counters, &Expr{Kind: Ref, Name: v.Name})
			}
		}
	}
	k := g.r.IntN(100)
	switch {
	case g.triangular && len(counters) > 0 && k < 30:
		e := counters[len(counters)-1]
		if g.chance(30) && !fixed {
			e = bin("+", e, intLit(I32, 1))
		}
		return e
	case len(known) > 0 && k < 55:
		return pick(g, known)
	case k < 70 && !fixed:
		return g.integer(1)
	case k < 74:
		return intLit(I32, 0)
	}
	return intLit(I32, int64(1+g.r.IntN(mask+1)))
}

// trip bounds of loops, by what is left.
func (g *generator) mask() int {
	var fit []int
	for _, m := range []int{3, 7, 15} {
		if g.trips*(m+1) <= maxTrips {
			fit = append(fit, m)
		}
	}
	if len(fit) == 0 {
		return 0
	}
	return pick(g, fit)
}

func (g *generator) loop() *Stmt {
	mask := g.mask()
	if mask == 0 {
		return nil
	}
	t := I32
	if g.odd && g.chance(50) {
		t = pick(g, []Type{I32, U32, U64, I64, I16, U8, I8, U16})
	}
	i := &Array{Name: g.name("i"), Type: t, Spell: g.spell(), Fixed: true, Max: mask}
	l := &Loop{Cmp: "<", Op: "+", Step: 1, From: intLit(I32, 0), Mask: mask}
	if g.chance(30) {
		l.Step = 1 + g.r.IntN(4)
	}
	switch k := g.r.IntN(100); {
	case k < 45:
	case k < 55:
		l.Cmp = "<="
	case k < 65 && g.odd:
		l.Cmp = "!="
	case k < 85 && g.down:
		l.Cmp = pick(g, []string{">", ">=", "--", "!=0"})
	case g.geometric:
		l.Op = pick(g, []string{"*", "<<", "/", ">>"})
	}
	if g.chance(25) {
		l.From = g.bound(mask, false)
	}
	l.To = g.bound(mask, l.Cmp == "!=")
	if l.Cmp == "<=" || l.Cmp == "<" {
		if g.odd && g.chance(8) {
			l.Skip = g.condition(1)
		}
		l.AtEnd = g.odd && g.chance(20)
		if g.odd && g.chance(10) {
			l.By = g.integer(1)
		}
	}
	if g.chance(10) {
		ints := g.targets(func(t Type) bool { return !t.Float() && t != Void })
		if len(ints) > 0 {
			l.Last = pick(g, ints)
		}
	}
	s := &Stmt{Kind: For, Var: i, Loop: l, Style: g.r.IntN(2)}
	g.scoped(func() {
		g.declare(i)
		s.Bodies = [][]*Stmt{g.repeated(mask+1, 1+g.r.IntN(4))}
	})
	return s
}

func (g *generator) while() *Stmt {
	mask := g.mask()
	if mask == 0 || !g.whiles {
		return nil
	}
	n := 1 + g.r.IntN(mask+1)
	s := &Stmt{Kind: While, Style: g.r.IntN(5), N: n, Exprs: []*Expr{g.condition(2)}}
	s.Bodies = [][]*Stmt{g.repeated(n, 1+g.r.IntN(4))}
	return s
}

func (g *generator) cases() *Stmt {
	s := &Stmt{Kind: Switch, Exprs: []*Expr{g.integer(1)}, N: 8}
	if g.chance(30) {
		s.N = 0
	}
	values := g.r.Perm(8)
	for k := range 1 + g.r.IntN(4) {
		s.Labels = append(s.Labels, intText(I32, int64(values[k])))
	}
	if g.chance(60) {
		at := len(s.Labels)
		if g.chance(20) {
			at = g.r.IntN(at + 1)
		}
		s.Labels = slices.Insert(s.Labels, at, "")
	}
	breaks := g.breaks
	g.breaks++
	for range s.Labels {
		s.Bodies = append(s.Bodies, g.block(1+g.r.IntN(2)))
		s.Through = append(s.Through, g.chance(25))
	}
	g.breaks = breaks
	return s
}

// jump leaves a loop, a block or the function.
func (g *generator) jump() *Stmt {
	c := []*Expr{g.condition(2)}
	switch k := g.r.IntN(10); {
	case g.jumps && g.breaks > 0 && k < 4:
		return &Stmt{Kind: Break, Exprs: c}
	case g.jumps && g.loops > 0 && k < 6:
		return &Stmt{Kind: Continue, Exprs: c}
	case len(g.labels) > 0 && k < 9:
		return &Stmt{Kind: Goto, Name: pick(g, g.labels), Exprs: c}
	case g.early && g.depth > 0:
		return &Stmt{Kind: Return, Exprs: append(c, g.expr(1))}
	}
	return nil
}

// rows are the arrays of one dimension.
func (g *generator) rows(fits func(*Array) bool) []*Array {
	var out []*Array
	for _, v := range g.visible {
		if len(v.Dims) == 1 && v.Dims[0] > 1 && fits(v) {
			out = append(out, v)
		}
	}
	return out
}

func (g *generator) walk() *Stmt {
	all := g.rows(func(*Array) bool { return true })
	if !g.walks || len(all) == 0 {
		return nil
	}
	a := pick(g, all)
	n := a.Dims[0]
	if g.trips*n > maxTrips {
		return nil
	}
	pointer := func() *Array {
		return &Array{Name: g.name("p"), Type: a.Type, Struct: a.Struct, Const: a.Const || g.chance(20), Dims: []int{1}, Alias: &Alias{Base: a.Name}}
	}
	s := &Stmt{Kind: Walk, Name: a.Name, Var: pointer(), Style: g.r.IntN(5), Exprs: []*Expr{g.bound(n-1, false)}}
	g.scoped(func() {
		g.declare(s.Var)
		if s.Style >= 4 {
			s.Var.Const = a.Const
			s.High = pointer()
			s.High.Const = a.Const
			g.declare(s.High)
		}
		s.Bodies = [][]*Stmt{g.repeated(n, 1+g.r.IntN(3))}
	})
	return s
}

// alias declares a pointer into an array or to one of its rows.
func (g *generator) alias() *Stmt {
	var all []*Array
	for _, v := range g.visible {
		if len(v.Dims) > 0 && v.Dims[len(v.Dims)-1] > 1 {
			all = append(all, v)
		}
	}
	if !g.aliases || len(all) == 0 {
		return nil
	}
	a := pick(g, all)
	v := &Array{Name: g.name("q"), Type: a.Type, Struct: a.Struct, Const: a.Const, Dims: []int{a.Dims[len(a.Dims)-1]}, Alias: &Alias{Base: a.Name}}
	if len(a.Dims) == 2 {
		v.Alias.Row = g.index()
	} else {
		v.Dims[0] = max(2, v.Dims[0]/2)
		v.Alias.Offset = g.index()
		if g.choices {
			others := g.rows(func(o *Array) bool {
				return o != a && o.Type == a.Type && o.Struct == a.Struct && o.Dims[0] >= v.Dims[0] && (!o.Const || v.Const)
			})
			if len(others) > 0 {
				v.Alias.Other, v.Alias.Cond = pick(g, others).Name, g.condition(1)
			}
		}
	}
	g.declare(v)
	return &Stmt{Kind: Decl, Var: v}
}

func (g *generator) copy() *Stmt {
	if !g.copies {
		return nil
	}
	if g.structs && g.chance(25) {
		if s := g.fillField(); s != nil {
			return s
		}
	}
	if g.structs && g.chance(40) {
		var all []*Expr
		for _, v := range g.visible {
			if v.Struct != nil {
				all = append(all, g.access(v, Field{}))
			}
		}
		if len(all) > 0 {
			s := &Stmt{Kind: CopyStruct, LHS: pick(g, all), Exprs: []*Expr{pick(g, all)}}
			to, from := g.vars[s.LHS.Name], g.vars[s.Exprs[0].Name]
			if to.Struct == from.Struct && !to.Const {
				return s
			}
		}
	}
	all := g.rows(func(v *Array) bool { return !v.Const })
	if len(all) == 0 {
		return nil
	}
	a := pick(g, all)
	if g.trips*a.Dims[0] > maxTrips {
		return nil
	}
	g.cost += g.trips * a.Dims[0]
	s := &Stmt{Kind: Copy, Name: a.Name, Style: g.r.IntN(2), Exprs: []*Expr{g.bound(a.Dims[0]-1, false)}}
	switch g.r.IntN(3) {
	case 0:
		s.Op = "memset"
		if a.Type != Bool && a.Struct == nil {
			s.N = pick(g, []int{0, 0, 1, 255, 63})
		}
		return s
	case 1:
		s.Op = "memmove"
		return s
	}
	from := g.rows(func(v *Array) bool {
		return v != a && v.Type == a.Type && v.Struct == a.Struct && v.Alias == nil
	})
	if len(from) == 0 || a.Alias != nil {
		return nil
	}
	s.Op, s.From = "memcpy", pick(g, from).Name
	return s
}

// fillField fills or moves elements of a member.
func (g *generator) fillField() *Stmt {
	var all []*Stmt
	for _, v := range g.visible {
		if v.Struct == nil || v.Const {
			continue
		}
		for _, f := range v.Struct.Fields {
			if f.Len < 2 || g.trips*f.Len > maxTrips {
				continue
			}
			s := &Stmt{Kind: FillField, Op: pick(g, []string{"memset", "memset", "memmove"}), LHS: g.access(v, f), Exprs: []*Expr{g.bound(f.Len-1, false)}}
			if f.Type != Bool && !f.Type.Float() {
				s.N = pick(g, []int{0, 1, 255})
			}
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return nil
	}
	s := pick(g, all)
	f, _ := g.vars[s.LHS.Name].Struct.field(s.LHS.Field)
	g.cost += g.trips * f.Len
	return s
}

// callOut calls a helper for what it writes.
func (g *generator) callOut() *Stmt {
	var fit []*Func
	for _, h := range g.p.Helpers {
		if h.effects() && g.affordable(h) {
			fit = append(fit, h)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	call := g.callOf(pick(g, fit), 2)
	if call == nil {
		return nil
	}
	s := &Stmt{Kind: CallOut, Exprs: []*Expr{call}}
	if g.chance(70) {
		for _, e := range g.targets(func(t Type) bool { return t != Void }) {
			written := slices.ContainsFunc(call.Args, func(a *Expr) bool { return a.Kind == Addr && a.Args[0].Name == e.Name })
			if e.Kind == Ref && !written && g.chance(60) {
				s.LHS = e
			}
		}
	}
	return s
}

// fetch reads or writes an array at a variable that counts in the same expression.
func (g *generator) fetch() *Stmt {
	all := g.rows(func(v *Array) bool { return v.Struct == nil })
	var counts []*Array
	for _, v := range g.visible {
		if len(v.Dims) == 0 && v.Struct == nil && !v.Fixed && !v.Const && !v.Out && !v.Type.Float() && v.Type != Bool {
			counts = append(counts, v)
		}
	}
	if !g.features.fetch || len(all) == 0 || len(counts) == 0 {
		return nil
	}
	a := pick(g, all)
	s := &Stmt{Kind: Fetch, Name: a.Name, From: pick(g, counts).Name, Style: g.r.IntN(3)}
	if !a.Const && g.chance(50) {
		s.Style += 3
		e := g.expr(2)
		if mentions(e, s.From) {
			e = g.literal()
		}
		s.Exprs = []*Expr{e}
		return s
	}
	for _, e := range g.targets(func(t Type) bool { return t != Void }) {
		if !mentions(e, s.From) && (s.LHS == nil || g.chance(30)) {
			s.LHS = e
		}
	}
	if s.LHS == nil {
		return nil
	}
	return s
}
