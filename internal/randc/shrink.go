package randc

// Shrink looks for a smaller program on which failing still holds: it removes
// statements, unwraps loops and conditionals, replaces expressions by their parts or by
// constants, and drops what is no longer used, until no single step helps or maxTries
// programs have been tried. All programs it tries pass Check. The program itself stays
// as it is.
func Shrink(p *Program, maxTries int, failing func(*Program) bool) *Program {
	s := &shrinker{current: p.Clone(), tries: maxTries, failing: failing}
	for s.progress = true; s.progress && s.tries > 0; {
		s.progress = false
		s.statements()
		s.unwrap()
		s.unused()
		s.expressions()
		s.details()
	}
	return s.current
}

type shrinker struct {
	current  *Program
	tries    int
	progress bool
	failing  func(*Program) bool
}

// attempt applies a change to a copy and keeps it if the copy still fails.
func (s *shrinker) attempt(change func(*Program) bool) bool {
	if s.tries <= 0 {
		return false
	}
	next := s.current.Clone()
	if !change(next) || next.Check() != nil || next.Text() == s.current.Text() {
		return false
	}
	s.tries--
	if !s.failing(next) {
		return false
	}
	s.current, s.progress = next, true
	return true
}

func (p *Program) funcs() []*Func { return append(append([]*Func{}, p.Helpers...), p.Kernel) }

// lists are all lists of statements, outer ones before inner ones.
func (p *Program) lists() []*[]*Stmt {
	var out []*[]*Stmt
	var visit func(l *[]*Stmt)
	visit = func(l *[]*Stmt) {
		out = append(out, l)
		for _, s := range *l {
			for i := range s.Bodies {
				visit(&s.Bodies[i])
			}
		}
	}
	visit(&p.Kernel.Body)
	for _, f := range p.Helpers {
		visit(&f.Body)
	}
	return out
}

// exprs are all fields that hold an expression, outer ones before inner ones.
func (p *Program) exprs() []**Expr {
	var out []**Expr
	var visit func(e **Expr)
	visit = func(e **Expr) {
		if *e == nil {
			return
		}
		out = append(out, e)
		for i := range (*e).Args {
			visit(&(*e).Args[i])
		}
	}
	for _, f := range p.funcs() {
		walkStmts(f.Body, func(s *Stmt) {
			for i := range s.Exprs {
				visit(&s.Exprs[i])
			}
			visit(&s.LHS)
			if s.Var != nil {
				visit(&s.Var.Start)
				if a := s.Var.Alias; a != nil {
					visit(&a.Row)
					visit(&a.Offset)
					visit(&a.Cond)
				}
			}
			if l := s.Loop; l != nil {
				visit(&l.From)
				visit(&l.To)
				visit(&l.Skip)
				visit(&l.By)
			}
		})
		visit(&f.Return)
	}
	return out
}

// statements removes statements, many at a time first.
func (s *shrinker) statements() {
	for at := 0; at < len(s.current.lists()); at++ {
		for size := len(*s.current.lists()[at]); size >= 1; size /= 2 {
			for from := 0; at < len(s.current.lists()) && from < len(*s.current.lists()[at]); {
				removed := s.attempt(func(p *Program) bool {
					l := p.lists()[at]
					to := min(from+size, len(*l))
					*l = append(append([]*Stmt{}, (*l)[:from]...), (*l)[to:]...)
					return true
				})
				if !removed {
					from += size
				}
			}
			if at >= len(s.current.lists()) {
				break
			}
		}
	}
}

// unwrap replaces a statement by its bodies, or drops some of them.
func (s *shrinker) unwrap() {
	for at := 0; at < len(s.current.lists()); at++ {
		for k := 0; at < len(s.current.lists()) && k < len(*s.current.lists()[at]); k++ {
			n := len((*s.current.lists()[at])[k].Bodies)
			for b := n - 1; b >= 0; b-- {
				s.attempt(func(p *Program) bool {
					l := p.lists()[at]
					body := (*l)[k].Bodies[b]
					*l = append(append(append([]*Stmt{}, (*l)[:k]...), body...), (*l)[k+1:]...)
					return true
				})
				if at >= len(s.current.lists()) || k >= len(*s.current.lists()[at]) || len((*s.current.lists()[at])[k].Bodies) != n {
					break
				}
				if n > 1 && s.attempt(func(p *Program) bool {
					t := (*p.lists()[at])[k]
					if t.Kind == If && b == 0 {
						return false
					}
					t.Bodies = append(t.Bodies[:b:b], t.Bodies[b+1:]...)
					if t.Kind == Switch {
						t.Labels = append(t.Labels[:b:b], t.Labels[b+1:]...)
						t.Through = append(t.Through[:b:b], t.Through[b+1:]...)
					}
					return true
				}) {
					break
				}
			}
		}
	}
}

// unused drops variables at file scope, helpers and parameters.
func (s *shrinker) unused() {
	for k := len(s.current.Helpers) - 1; k >= 0; k-- {
		s.attempt(func(p *Program) bool {
			p.Helpers = append(p.Helpers[:k:k], p.Helpers[k+1:]...)
			return true
		})
	}
	for k := len(s.current.Globals) - 1; k >= 0; k-- {
		s.attempt(func(p *Program) bool {
			p.Globals = append(p.Globals[:k:k], p.Globals[k+1:]...)
			return true
		})
	}
	for k := len(s.current.Kernel.Params) - 1; k >= 0; k-- {
		s.attempt(func(p *Program) bool {
			f := p.Kernel
			f.Params = append(f.Params[:k:k], f.Params[k+1:]...)
			return true
		})
	}
	for h := range s.current.Helpers {
		for k := len(s.current.Helpers[h].Params) - 1; k >= 0; k-- {
			s.attempt(func(p *Program) bool {
				f := p.Helpers[h]
				f.Params = append(f.Params[:k:k], f.Params[k+1:]...)
				for _, e := range p.exprs() {
					if (*e).Kind == Call && (*e).Name == f.Name {
						(*e).Args = append((*e).Args[:k:k], (*e).Args[k+1:]...)
					}
				}
				return true
			})
		}
	}
	s.attempt(func(p *Program) bool {
		var keep []*Struct
		used := map[*Struct]bool{}
		for _, f := range p.funcs() {
			for _, v := range p.scope(f).vars {
				used[v.Struct] = true
			}
		}
		for _, t := range p.Structs {
			if used[t] {
				keep = append(keep, t)
			}
		}
		p.Structs = keep
		return true
	})
}

// expressions replaces expressions by constants and by their operands.
func (s *shrinker) expressions() {
	for at := 0; at < len(s.current.exprs()); at++ {
		for variant := 0; variant < 6; variant++ {
			s.attempt(func(p *Program) bool {
				e := p.exprs()[at]
				switch {
				case variant < 2:
					if (*e).Kind == Lit && len((*e).Text) == 1 {
						return false
					}
					*e = intLit(I32, int64(variant))
				case variant == 2:
					if (*e).Kind == Lit {
						return false
					}
					*e = &Expr{Kind: Lit, Type: F64, Text: "1.5"}
				default:
					if variant-3 >= len((*e).Args) {
						return false
					}
					*e = (*e).Args[variant-3]
				}
				return true
			})
			if at >= len(s.current.exprs()) {
				return
			}
		}
	}
}

// details simplifies what statements and variables have beside their parts.
func (s *shrinker) details() {
	changes := []func(*Stmt) bool{
		func(t *Stmt) bool { set := t.Style != 0; t.Style = 0; return set && t.Kind != Fetch && t.Kind != Walk },
		func(t *Stmt) bool { set := t.Kind == Assign && t.Op != ""; t.Op = ""; return set },
		func(t *Stmt) bool { set := t.Kind == Assign && t.Op != ""; t.Op = "+"; return set },
		func(t *Stmt) bool { set := t.Loop != nil && t.Loop.Skip != nil; clear(t, set, 0); return set },
		func(t *Stmt) bool { set := t.Loop != nil && t.Loop.Last != nil; clear(t, set, 1); return set },
		func(t *Stmt) bool { set := t.Loop != nil && t.Loop.Step > 1; clear(t, set, 2); return set },
		func(t *Stmt) bool { set := t.Loop != nil && t.Loop.By != nil; clear(t, set, 7); return set },
		func(t *Stmt) bool { set := t.Loop != nil && t.Loop.AtEnd; clear(t, set, 8); return set },
		func(t *Stmt) bool {
			set := t.Loop != nil && (t.Loop.Cmp != "<" || t.Loop.Op != "+")
			clear(t, set, 3)
			return set
		},
		func(t *Stmt) bool { set := t.Var != nil && t.Var.Spell != 0; clear(t, set, 4); return set },
		func(t *Stmt) bool {
			set := t.Var != nil && t.Kind == For && t.Var.Type != I32
			clear(t, set, 5)
			return set
		},
		func(t *Stmt) bool { set := t.Var != nil && len(t.Var.Init) > 0; clear(t, set, 6); return set },
	}
	count := func() int {
		n := 0
		for _, f := range s.current.funcs() {
			walkStmts(f.Body, func(*Stmt) { n++ })
		}
		return n
	}
	for at := 0; at < count(); at++ {
		for _, change := range changes {
			s.attempt(func(p *Program) bool {
				n, done := 0, false
				for _, f := range p.funcs() {
					walkStmts(f.Body, func(t *Stmt) {
						if n == at {
							done = change(t)
						}
						n++
					})
				}
				return done
			})
		}
	}
	for k := range s.current.Kernel.Params {
		s.attempt(func(p *Program) bool { v := p.Kernel.Params[k]; v.Spell, v.Restrict = 0, false; return true })
		s.attempt(func(p *Program) bool { v := p.Kernel.Params[k]; v.Fixed, v.Max = false, 0; return true })
	}
}

// clear resets one detail of a statement.
func clear(t *Stmt, set bool, which int) {
	if !set {
		return
	}
	switch which {
	case 0:
		t.Loop.Skip = nil
	case 1:
		t.Loop.Last = nil
	case 2:
		t.Loop.Step = 1
	case 3:
		t.Loop.Cmp, t.Loop.Op = "<", "+"
	case 4:
		t.Var.Spell = 0
	case 5:
		t.Var.Type = I32
	case 6:
		t.Var.Init = nil
	case 7:
		t.Loop.By = nil
	case 8:
		t.Loop.AtEnd = false
	}
}
