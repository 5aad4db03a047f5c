package randc

// Clone copies a program deeply; structs, which nothing changes, are shared.
func (p *Program) Clone() *Program {
	q := &Program{Prefix: p.Prefix, Structs: append([]*Struct{}, p.Structs...), Globals: cloneArrays(p.Globals), Kernel: p.Kernel.clone()}
	for _, h := range p.Helpers {
		q.Helpers = append(q.Helpers, h.clone())
	}
	return q
}

func (f *Func) clone() *Func {
	g := *f
	g.Params, g.Body, g.Return = cloneArrays(f.Params), cloneStmts(f.Body), f.Return.clone()
	return &g
}

func cloneArrays(list []*Array) []*Array {
	var out []*Array
	for _, a := range list {
		out = append(out, a.clone())
	}
	return out
}

func (a *Array) clone() *Array {
	if a == nil {
		return nil
	}
	b := *a
	b.Dims, b.Init, b.Start = append([]int{}, a.Dims...), append([]string{}, a.Init...), a.Start.clone()
	if a.Alias != nil {
		l := *a.Alias
		l.Row, l.Offset, l.Cond = l.Row.clone(), l.Offset.clone(), l.Cond.clone()
		b.Alias = &l
	}
	return &b
}

func (e *Expr) clone() *Expr {
	if e == nil {
		return nil
	}
	d := *e
	d.Args = cloneExprs(e.Args)
	return &d
}

func cloneExprs(list []*Expr) []*Expr {
	var out []*Expr
	for _, e := range list {
		out = append(out, e.clone())
	}
	return out
}

func cloneStmts(list []*Stmt) []*Stmt {
	var out []*Stmt
	for _, s := range list {
		c := *s
		c.Var, c.High, c.LHS, c.Exprs = s.Var.clone(), s.High.clone(), s.LHS.clone(), cloneExprs(s.Exprs)
		c.Labels, c.Through = append([]string{}, s.Labels...), append([]bool{}, s.Through...)
		c.Bodies = nil
		for _, b := range s.Bodies {
			c.Bodies = append(c.Bodies, cloneStmts(b))
		}
		if s.Loop != nil {
			l := *s.Loop
			l.From, l.To, l.Skip, l.Last, l.By = l.From.clone(), l.To.clone(), l.Skip.clone(), l.Last.clone(), l.By.clone()
			c.Loop = &l
		}
		out = append(out, &c)
	}
	return out
}
