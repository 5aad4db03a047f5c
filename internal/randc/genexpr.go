package randc

import "strconv"

func bin(op string, a, b *Expr) *Expr { return &Expr{Kind: Bin, Op: op, Args: []*Expr{a, b}} }

// intText writes a number as a literal that an initial value of type t takes.
func intText(t Type, v int64) string {
	switch {
	case t == U64:
		return strconv.FormatUint(uint64(v), 10) + "ul"
	case t == I64 && v == -1<<63:
		return "-9223372036854775807L - 1"
	case t == I64:
		return strconv.FormatInt(v, 10) + "L"
	case t == U32:
		return strconv.FormatUint(uint64(uint32(v)), 10) + "u"
	case v == -1<<31:
		return "-2147483647 - 1"
	}
	return strconv.FormatInt(v, 10)
}

// intLit is a literal of type t, which is int or one of the larger types.
func intLit(t Type, v int64) *Expr {
	t = t.promote()
	text := intText(t, t.convert(v))
	if v == -1<<31 || v == -1<<63 {
		text = "(" + text + ")"
	}
	return &Expr{Kind: Lit, Type: t, Text: text}
}

func (g *generator) floatLit(t Type) *Expr {
	v := float64(g.r.IntN(4001)-1000) / float64(int(1)<<g.r.IntN(5))
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if v == float64(int64(v)) {
		text += ".0"
	}
	if g.extremes && g.chance(10) {
		text = pick(g, []string{"-0.0", "1e30", "1e-30", "0.1", "-3.3e7", "16777217.0", "1e9"})
	}
	if t == F32 {
		text += "f"
	}
	return &Expr{Kind: Lit, Type: t, Text: text}
}

// literal is an integer.
func (g *generator) literal() *Expr {
	t := g.intType().promote()
	if g.extremes && g.chance(12) {
		return intLit(t, t.convert(pick(g, pick(g, g.palette).extremes())))
	}
	if t.Signed() && g.chance(20) {
		return intLit(t, -1-int64(g.r.IntN(40)))
	}
	return intLit(t, int64(g.r.IntN(pick(g, []int{4, 17, 300}))))
}

// leaves are the scalars that can be read here, floating point or not.
func (g *generator) leaves(float bool) []*Expr {
	var out []*Expr
	fits := func(t Type) bool { return t != Void && t.Float() == float }
	for _, v := range g.visible {
		switch {
		case v.Struct != nil:
			for _, f := range v.Struct.Fields {
				if fits(f.Type) {
					out = append(out, g.access(v, f))
				}
			}
		case !fits(v.Type):
		case len(v.Dims) == 0:
			out = append(out, &Expr{Kind: Ref, Name: v.Name})
		default:
			out = append(out, g.access(v, Field{}))
		}
	}
	return out
}

// access is an element of an array, or a member of a struct.
func (g *generator) access(v *Array, f Field) *Expr {
	e := &Expr{Kind: Elem, Name: v.Name, Field: f.Name}
	for range v.Dims {
		e.Args = append(e.Args, g.index())
	}
	if f.Len > 0 {
		e.Args = append(e.Args, g.index())
	}
	return e
}

// index is a subscript: mostly a counter, or near one.
func (g *generator) index() *Expr {
	var counters, others []*Expr
	for _, v := range g.visible {
		if len(v.Dims) == 0 && v.Struct == nil && !v.Type.Float() && v.Type != Void {
			r := &Expr{Kind: Ref, Name: v.Name, Guard: g.r.IntN(2)}
			if v.Fixed {
				counters = append(counters, r)
			} else {
				others = append(others, r)
			}
		}
	}
	k := g.r.IntN(100)
	switch {
	case len(counters) > 0 && k < 50:
		// The innermost counters come last.
		return counters[len(counters)-1-g.r.IntN(min(2, len(counters)))]
	case len(counters) > 0 && k < 70:
		return bin(pick(g, []string{"+", "+", "-", "*", "^"}), pick(g, counters), intLit(I32, int64(1+g.r.IntN(3))))
	case len(counters) > 1 && k < 76:
		return bin(pick(g, []string{"+", "-", "*"}), pick(g, counters), pick(g, counters))
	case len(others) > 0 && k < 90:
		return pick(g, others)
	case k < 93 && g.depth < 8:
		g.depth += 4
		e := g.integer(1)
		g.depth -= 4
		e.Guard = g.r.IntN(2)
		return e
	}
	return intLit(I32, int64(g.r.IntN(8)))
}

func (g *generator) expr(d int) *Expr {
	if len(g.floatTs) > 0 && g.chance(35) {
		return g.float(d)
	}
	return g.integer(d)
}

// leaf reads a variable or is a literal.
func (g *generator) leaf(float bool) *Expr {
	if !g.chance(25) {
		if l := g.leaves(float); len(l) > 0 {
			return pick(g, l)
		}
	}
	if float {
		return g.floatLit(pick(g, g.floatTs))
	}
	return g.literal()
}

func (g *generator) integer(d int) *Expr {
	if d <= 0 || g.chance(15) {
		return g.leaf(false)
	}
	sub := func() *Expr { return g.integer(d - 1) }
	for {
		k := g.r.IntN(100)
		switch {
		case k < 30:
			return bin(pick(g, []string{"+", "-", "+", "-", "*"}), sub(), sub())
		case k < 42:
			if g.bits {
				return bin(pick(g, []string{"&", "|", "^"}), sub(), sub())
			}
		case k < 50:
			if g.shifts {
				return bin(pick(g, []string{"<<", ">>"}), sub(), pick(g, []*Expr{intLit(I32, int64(g.r.IntN(32))), g.leaf(false)}))
			}
		case k < 55:
			if g.divisions {
				e := bin(pick(g, []string{"/", "%"}), sub(), g.leaf(false))
				e.Guard = g.r.IntN(4)
				return e
			}
		case k < 61:
			return g.compare(d)
		case k < 66:
			if g.logic {
				return bin(pick(g, []string{"&&", "||"}), g.condition(d-1), g.condition(d-1))
			}
		case k < 72:
			if g.conditional {
				return &Expr{Kind: Cond, Args: []*Expr{g.condition(d - 1), sub(), sub()}}
			}
		case k < 80:
			if g.casts {
				return &Expr{Kind: Cast, Type: g.intType(), Args: []*Expr{g.expr(d - 1)}}
			}
		case k < 86:
			op := pick(g, []string{"-", "~", "!", "-"})
			return &Expr{Kind: Un, Op: op, Args: []*Expr{sub()}}
		case k < 93:
			if g.macros {
				m := pick(g, macros[:11])
				if m.name == "BSWAP" && !g.bits {
					continue
				}
				return g.macro(m, false, d)
			}
		default:
			if e := g.callExpr(false, d); e != nil {
				return e
			}
			return g.leaf(false)
		}
	}
}

func (g *generator) float(d int) *Expr {
	if len(g.floatTs) == 0 {
		return g.integer(d)
	}
	if d <= 0 || g.chance(15) {
		return g.leaf(true)
	}
	sub := func() *Expr { return g.float(d - 1) }
	k := g.r.IntN(100)
	switch {
	case k < 60:
		return bin(pick(g, []string{"+", "-", "*", "+", "*", "/"}), sub(), sub())
	case k < 66 && g.conditional:
		return &Expr{Kind: Cond, Args: []*Expr{g.condition(d - 1), sub(), sub()}}
	case k < 76:
		return &Expr{Kind: Cast, Type: pick(g, g.floatTs), Args: []*Expr{g.expr(d - 1)}}
	case k < 80:
		return &Expr{Kind: Un, Op: "-", Args: []*Expr{sub()}}
	case k < 85:
		return bin(pick(g, []string{"+", "*"}), sub(), g.integer(d-1))
	case k < 93 && g.macros:
		m := macros[g.r.IntN(len(macros))]
		if m.integer {
			m = macros[0]
		}
		if m.float && m.result == F64 && g.floatTs[len(g.floatTs)-1] == F32 && g.chance(70) {
			return g.leaf(true)
		}
		return g.macro(m, true, d)
	}
	if e := g.callExpr(true, d); e != nil {
		return e
	}
	return g.leaf(true)
}

// macro calls one of the prelude. Arguments that it repeats stay small.
func (g *generator) macro(m macro, float bool, d int) *Expr {
	e := &Expr{Kind: Macro, Name: m.name}
	for range m.arity {
		if float && !m.integer {
			e.Args = append(e.Args, g.float(min(1, d-1)))
		} else {
			e.Args = append(e.Args, g.integer(min(1, d-1)))
		}
	}
	return e
}

func (g *generator) compare(d int) *Expr {
	op := pick(g, []string{"<", "<=", ">", ">=", "==", "!="})
	if len(g.floatTs) > 0 && g.chance(30) {
		return bin(op, g.float(d-1), g.float(d-1))
	}
	return bin(op, g.integer(d-1), g.integer(d-1))
}

// condition is mostly a comparison.
func (g *generator) condition(d int) *Expr {
	switch {
	case g.chance(65):
		return g.compare(max(1, d))
	case g.bits && g.chance(50):
		return bin("&", g.leaf(false), intLit(I32, int64(1+g.r.IntN(7))))
	}
	return g.expr(d)
}

// callExpr calls a helper without effects, nil where none suits.
func (g *generator) callExpr(float bool, d int) *Expr {
	var fit []*Func
	for _, h := range g.p.Helpers {
		if h.Result.Float() == float && !h.effects() && g.affordable(h) {
			fit = append(fit, h)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	return g.callOf(pick(g, fit), d)
}

func (g *generator) affordable(h *Func) bool {
	return g.cost+g.trips*g.costs[h.Name] <= maxCost
}

// callOf makes the arguments of a call, nil where an array is missing.
func (g *generator) callOf(h *Func, d int) *Expr {
	e := &Expr{Kind: Call, Name: h.Name}
	for _, p := range h.Params {
		var a *Expr
		switch {
		case p.Out:
			if l := g.targets(func(t Type) bool { return t == p.Type }); len(l) > 0 {
				a = &Expr{Kind: Addr, Args: []*Expr{pick(g, l)}}
			}
		case len(p.Dims) > 0:
			var fit []*Expr
			for _, v := range g.visible {
				if v.Type == p.Type && v.Struct == nil && len(v.Dims) == 1 && v.Dims[0] >= p.Dims[0] && (!v.Const || p.Const) {
					fit = append(fit, &Expr{Kind: Arr, Name: v.Name})
				}
			}
			if len(fit) > 0 {
				a = pick(g, fit)
			}
		case p.Type.Float():
			a = g.float(min(1, d-1))
		default:
			a = g.integer(min(1, d-1))
		}
		if a == nil {
			return nil
		}
		e.Args = append(e.Args, a)
	}
	g.cost += g.trips * g.costs[h.Name]
	return e
}

// targets are what can be assigned.
func (g *generator) targets(fits func(Type) bool) []*Expr {
	var out []*Expr
	for _, v := range g.visible {
		switch {
		case v.Const || v.Fixed:
		case v.Struct != nil:
			for _, f := range v.Struct.Fields {
				if fits(f.Type) {
					out = append(out, g.access(v, f))
				}
			}
		case !fits(v.Type):
		case len(v.Dims) == 0:
			out = append(out, &Expr{Kind: Ref, Name: v.Name})
		default:
			out = append(out, g.access(v, Field{}))
		}
	}
	return out
}

func (g *generator) label() string { return g.name("L") }
