package randc

import (
	"fmt"
	"slices"
)

// Check reports what keeps a program from being well-formed and free of undefined
// behaviour, nil for nothing: variables are declared before their use, operands have
// types that C takes, bounds of loops stay. Shrinking makes any changes and tries
// those that pass.
func (p *Program) Check() (err error) {
	c := &checker{program: p}
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(fault)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("%s", string(f))
		}
	}()
	for _, f := range append(append([]*Func{}, p.Helpers...), p.Kernel) {
		c.function(f)
	}
	return nil
}

type fault string

type checker struct {
	program *Program
	*names
	visible []string
	labels  []string
	fn      *Func
	loops   int // nesting of what continue and break leave
	breaks  int
}

func (c *checker) require(ok bool, format string, args ...any) {
	if !ok {
		panic(fault(fmt.Sprintf(format, args...)))
	}
}

func (c *checker) function(f *Func) {
	c.names, c.fn, c.visible, c.labels = c.program.scope(f), f, nil, nil
	for _, g := range c.program.Globals {
		// Helpers see constants only: what they are called for is their result.
		if g.Const || f == c.program.Kernel {
			c.visible = append(c.visible, g.Name)
		}
	}
	for _, a := range f.Params {
		c.visible = append(c.visible, a.Name)
	}
	n := len(c.visible)
	seen := map[string]bool{}
	for _, name := range c.visible {
		c.require(!seen[name], "%s is declared twice", name)
		seen[name] = true
	}
	walkStmts(f.Body, func(s *Stmt) {
		for _, v := range []*Array{s.Var, s.High} {
			if v != nil {
				c.require(!seen[v.Name], "%s is declared twice", v.Name)
				seen[v.Name] = true
			}
		}
	})
	for _, s := range f.Body {
		c.stmt(s)
	}
	if f.Result != Void {
		c.require(f.Return != nil, "no result")
		c.scalar(f.Return)
	}
	c.visible = c.visible[:n]
}

// block checks statements with a scope of their own.
func (c *checker) block(body []*Stmt) {
	n := len(c.visible)
	for _, s := range body {
		c.stmt(s)
	}
	c.visible = c.visible[:n]
}

func (c *checker) within(loops, breaks int, f func()) {
	l, b := c.loops, c.breaks
	c.loops, c.breaks = l+loops, b+breaks
	f()
	c.loops, c.breaks = l, b
}

func (c *checker) stmt(s *Stmt) {
	bound := func(e *Expr) { c.scalar(e) }
	switch s.Kind {
	case Decl:
		c.declared(s.Var)
		c.visible = append(c.visible, s.Var.Name)
	case Assign:
		c.lvalue(s.LHS)
		c.scalar(s.Exprs[0])
		if t := c.typeOf(s.LHS); t.Float() {
			c.require(slices.Contains([]string{"", "+", "-", "*", "/"}, s.Op), "%s on floating point", s.Op)
		}
		if s.Op == "<<" || s.Op == ">>" {
			c.integer(s.Exprs[0])
		}
	case Step:
		c.lvalue(s.LHS)
		c.require(c.typeOf(s.LHS) != Bool, "a step of a bool")
	case If:
		c.scalar(s.Exprs[0])
		for _, b := range s.Bodies {
			c.block(b)
		}
	case For:
		l := s.Loop
		bound(l.To)
		bound(l.From)
		c.require(l.Mask >= 1 && l.Mask <= 31, "loop bound %d", l.Mask)
		if l.Cmp == "!=" && l.Op == "+" {
			v := c.vars[l.To.Name]
			c.require(l.To.Kind == Lit || l.To.Kind == Ref && v.Fixed, "the bound of a loop with != changes")
		}
		if l.By != nil {
			c.integer(l.By)
		}
		c.require(l.By == nil && !l.AtEnd || l.Op == "+" && (l.Cmp == "<" || l.Cmp == "<="), "a loop that counts upwards")
		if l.Last != nil {
			c.lvalue(l.Last)
			c.require(!c.typeOf(l.Last).Float(), "a counter kept as floating point")
		}
		n := len(c.visible)
		c.visible = append(c.visible, s.Var.Name)
		c.require(!s.Var.Type.Float() && s.Var.Type != Bool && s.Var.Fixed, "counter type")
		c.within(1, 1, func() { c.block(s.Bodies[0]) })
		if l.Skip != nil {
			c.scalar(l.Skip)
		}
		c.visible = c.visible[:n]
	case While:
		c.scalar(s.Exprs[0])
		c.require(s.N >= 1, "no fuel")
		c.within(1, 1, func() { c.block(s.Bodies[0]) })
	case Switch:
		if s.N > 0 {
			c.integer(s.Exprs[0])
		} else {
			c.scalar(s.Exprs[0])
		}
		c.require(len(s.Bodies) > 0 && len(s.Bodies) == len(s.Labels) && len(s.Bodies) == len(s.Through), "cases")
		for i, l := range s.Labels {
			c.require(!slices.Contains(s.Labels[:i], l), "case %s twice", l)
		}
		for _, b := range s.Bodies {
			c.within(0, 1, func() { c.block(b) })
		}
	case Break:
		c.require(c.breaks > 0, "break outside")
		c.scalar(s.Exprs[0])
	case Continue:
		c.require(c.loops > 0, "continue outside")
		c.scalar(s.Exprs[0])
	case Goto:
		c.require(slices.Contains(c.labels, s.Name), "no label %s", s.Name)
		c.scalar(s.Exprs[0])
	case Return:
		c.scalar(s.Exprs[0])
		if c.fn.Result != Void {
			c.scalar(s.Exprs[1])
		}
	case Block:
		if s.Name != "" {
			c.labels = append(c.labels, s.Name)
		}
		c.block(s.Bodies[0])
		if s.Name != "" {
			c.labels = c.labels[:len(c.labels)-1]
		}
	case Again:
		n := len(c.visible)
		for _, b := range s.Bodies[0] {
			c.stmt(b)
		}
		c.scalar(s.Exprs[0])
		c.visible = c.visible[:n]
	case Walk:
		a := c.array(s.Name)
		c.require(len(a.Dims) == 1 && a.Dims[0] > 1 && a.Struct == s.Var.Struct && a.Type == s.Var.Type, "a walk over %s", s.Name)
		c.require(!a.Const || s.Var.Const, "a walk that writes %s", s.Name)
		c.scalar(s.Exprs[0])
		n := len(c.visible)
		c.visible = append(c.visible, s.Var.Name)
		if s.Style >= 4 {
			c.require(s.High != nil, "no second pointer")
			c.visible = append(c.visible, s.High.Name)
		}
		c.within(1, 1, func() { c.block(s.Bodies[0]) })
		c.visible = c.visible[:n]
	case Copy:
		a := c.array(s.Name)
		c.require(len(a.Dims) == 1 && a.Dims[0] > 1 && !a.Const, "a copy to %s", s.Name)
		c.scalar(s.Exprs[0])
		switch s.Op {
		case "memcpy":
			b := c.array(s.From)
			c.require(b != a && len(b.Dims) == 1 && a.Alias == nil && b.Alias == nil && a.Type == b.Type && a.Struct == b.Struct, "a copy from %s", s.From)
		case "memset":
			c.require(s.N == 0 || a.Type != Bool && a.Struct == nil, "memset %d", s.N)
		}
	case FillField:
		c.lvalue(s.LHS)
		v := c.vars[s.LHS.Name]
		c.require(s.LHS.Kind == Elem && v.Struct != nil, "a fill of no member")
		f, _ := v.Struct.field(s.LHS.Field)
		c.require(f.Len > 1 && (s.N == 0 || f.Type != Bool && !f.Type.Float()), "a fill of %s", s.LHS.Field)
		c.scalar(s.Exprs[0])
	case CopyStruct:
		to, from := c.structure(s.LHS), c.structure(s.Exprs[0])
		c.require(to == from && !c.vars[s.LHS.Name].Const, "structs differ")
	case CallOut:
		c.require(s.Exprs[0].Kind == Call, "no call")
		c.call(s.Exprs[0], true)
		if s.LHS != nil {
			c.require(s.LHS.Kind == Ref, "a result that is no variable")
			c.lvalue(s.LHS)
			c.require(c.typeOf(s.Exprs[0]) != Void, "no result")
			for _, a := range s.Exprs[0].Args {
				c.require(a.Kind != Addr || a.Args[0].Name != s.LHS.Name, "written twice")
			}
		}
	case Fetch:
		a := c.array(s.Name)
		v := c.vars[s.From]
		c.require(len(a.Dims) == 1 && a.Struct == nil, "fetch from %s", s.Name)
		c.require(slices.Contains(c.visible, s.From) && !v.Fixed && !v.Const && len(v.Dims) == 0 && v.Struct == nil && !v.Type.Float() && v.Type != Bool && !v.Out, "fetch at %s", s.From)
		if s.Style >= 3 {
			c.require(!a.Const, "fetch writes %s", s.Name)
			c.scalar(s.Exprs[0])
			c.require(!mentions(s.Exprs[0], s.From), "%s counts and is read", s.From)
		} else {
			c.lvalue(s.LHS)
			c.require(!mentions(s.LHS, s.From), "%s counts and is written", s.From)
		}
	case Fence:
		c.require(slices.Contains(fences, s.Op), "fence %s", s.Op)
	default:
		c.require(false, "statement kind %d", s.Kind)
	}
}

func mentions(e *Expr, name string) bool {
	return e.Name == name || slices.ContainsFunc(e.Args, func(a *Expr) bool { return mentions(a, name) })
}

// declared checks a local variable's own expressions.
func (c *checker) declared(v *Array) {
	c.require(!v.Static || v.Start == nil, "start of static %s", v.Name)
	if v.Alias == nil {
		if v.Start != nil {
			if v.Struct != nil {
				c.require(c.structure(v.Start) == v.Struct, "start of %s", v.Name)
			} else {
				c.require(len(v.Dims) == 0, "start of %s", v.Name)
				c.scalar(v.Start)
			}
		}
		return
	}
	for _, name := range []string{v.Alias.Base, v.Alias.Other} {
		if name == "" {
			continue
		}
		b := c.array(name)
		last := len(b.Dims) - 1
		c.require(b.Type == v.Type && b.Struct == v.Struct && (!b.Const || v.Const) && last >= 0 && b.Dims[last] >= v.Dims[0], "%s points to %s", v.Name, name)
		if last == 1 {
			c.require(v.Alias.Row != nil, "%s has no row", v.Name)
			c.scalar(v.Alias.Row)
		}
	}
	for _, e := range []*Expr{v.Alias.Offset, v.Alias.Cond} {
		if e != nil {
			c.scalar(e)
		}
	}
	c.require((v.Alias.Other == "") == (v.Alias.Cond == nil), "condition of %s", v.Name)
}

func (c *checker) array(name string) *Array {
	v := c.vars[name]
	c.require(v != nil && slices.Contains(c.visible, name), "%s is not declared", name)
	c.require(len(v.Dims) > 0, "%s is no array", name)
	return v
}

func (c *checker) structure(e *Expr) *Struct {
	v := c.vars[e.Name]
	c.require(e.Kind == Elem && v != nil && v.Struct != nil && e.Field == "", "no struct")
	c.elem(e)
	return v.Struct
}

func (c *checker) lvalue(e *Expr) {
	c.require(e.Kind == Ref || e.Kind == Elem, "cannot be assigned")
	c.scalar(e)
	v := c.vars[e.Name]
	c.require(!v.Const && !v.Fixed, "%s is constant", e.Name)
}

func (c *checker) elem(e *Expr) {
	v := c.vars[e.Name]
	c.require(v != nil && slices.Contains(c.visible, e.Name), "%s is not declared", e.Name)
	n := len(v.Dims)
	if e.Field != "" {
		c.require(v.Struct != nil, "%s has no members", e.Name)
		f, ok := v.Struct.field(e.Field)
		c.require(ok, "no member %s", e.Field)
		if f.Len > 0 {
			n++
		}
	}
	c.require(len(e.Args) == n, "%d subscripts for %s", len(e.Args), e.Name)
	for _, a := range e.Args {
		c.scalar(a)
	}
}

func (c *checker) integer(e *Expr) {
	c.scalar(e)
	c.require(!c.typeOf(e).Float(), "floating point for an integer")
}

// scalar checks an expression and that it has a value.
func (c *checker) scalar(e *Expr) {
	switch e.Kind {
	case Lit:
	case Ref:
		v := c.vars[e.Name]
		c.require(v != nil && slices.Contains(c.visible, e.Name), "%s is not declared", e.Name)
		c.require(v.Struct == nil && len(v.Dims) == 0, "%s is no scalar", e.Name)
	case Elem:
		c.elem(e)
	case Un:
		c.scalar(e.Args[0])
		c.require(e.Op != "~" || !c.typeOf(e.Args[0]).Float(), "~ on floating point")
	case Bin:
		c.scalar(e.Args[0])
		c.scalar(e.Args[1])
		if slices.Contains([]string{"%", "&", "|", "^", "<<", ">>"}, e.Op) {
			c.integer(e.Args[0])
			c.integer(e.Args[1])
		}
	case Cond, Cast:
		for _, a := range e.Args {
			c.scalar(a)
		}
	case Call:
		c.call(e, false)
	case Macro:
		m, ok := macroOf(e.Name)
		c.require(ok && len(e.Args) == m.arity, "macro %s", e.Name)
		for _, a := range e.Args {
			c.scalar(a)
			c.require(!m.integer || !c.typeOf(a).Float(), "floating point in %s", e.Name)
		}
	default:
		c.require(false, "expression kind %d", e.Kind)
	}
	c.require(c.typeOf(e) != Void, "no value")
}

// call checks a call; one inside an expression must have no effect.
func (c *checker) call(e *Expr, effects bool) {
	f := c.funcs[e.Name]
	c.require(f != nil && len(f.Params) == len(e.Args), "call of %s", e.Name)
	c.require(effects || !f.effects(), "%s has effects", e.Name)
	for i, p := range f.Params {
		switch a := e.Args[i]; {
		case p.Out:
			c.require(a.Kind == Addr, "argument of %s", e.Name)
			c.lvalue(a.Args[0])
			c.require(c.typeOf(a.Args[0]) == p.Type, "argument type of %s", e.Name)
		case len(p.Dims) > 0:
			c.require(a.Kind == Arr, "argument of %s", e.Name)
			b := c.array(a.Name)
			c.require(b.Type == p.Type && b.Struct == p.Struct && len(b.Dims) == 1 && b.Dims[0] >= p.Dims[0] && (!b.Const || p.Const), "argument %s of %s", a.Name, e.Name)
		default:
			c.scalar(a)
		}
	}
}

// effects reports whether a call changes anything.
func (f *Func) effects() bool {
	for _, p := range f.Params {
		if p.Out || len(p.Dims) > 0 && !p.Const {
			return true
		}
	}
	found := false
	walkStmts(f.Body, func(s *Stmt) {
		found = found || s.Kind == CallOut || s.Kind == Decl && s.Var.Static && !s.Var.Const
	})
	return found
}
