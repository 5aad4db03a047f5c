package randc

import (
	"fmt"
	"strings"
)

func (w *printer) body(f *Func, body []*Stmt) {
	for _, s := range body {
		w.stmt(f, s)
	}
}

func (w *printer) block(f *Func, body []*Stmt) {
	w.indent++
	w.body(f, body)
	w.indent--
}

// newFuel names a variable that bounds a loop.
func (w *printer) newFuel() string {
	w.fuel++
	return fmt.Sprintf("fuel%d", w.fuel)
}

func (w *printer) stmt(f *Func, s *Stmt) {
	switch s.Kind {
	case Decl:
		w.line("%s;", w.declaration(s.Var))
	case Assign:
		w.line("%s;", w.assign(s))
	case Step:
		if x := w.expr(s.LHS); s.Style == 1 {
			w.line("%s%s;", s.Op, x)
		} else if strings.HasPrefix(x, "*") {
			w.line("(%s)%s;", x, s.Op)
		} else {
			w.line("%s%s;", x, s.Op)
		}
	case If:
		w.line("if (%s) {", w.expr(s.Exprs[0]))
		w.block(f, s.Bodies[0])
		if len(s.Bodies) > 1 {
			w.line("} else {")
			w.block(f, s.Bodies[1])
		}
		w.line("}")
	case For:
		w.loop(f, s)
	case While:
		w.while(f, s)
	case Switch:
		w.cases(f, s)
	case Break, Continue, Goto:
		jump := map[StmtKind]string{Break: "break", Continue: "continue", Goto: "goto " + s.Name}[s.Kind]
		w.line("if (%s)", w.expr(s.Exprs[0]))
		w.line("\t%s;", jump)
	case Return:
		w.line("if (%s)", w.expr(s.Exprs[0]))
		if f.Result == Void {
			w.line("\treturn;")
		} else {
			w.line("\treturn %s;", w.as(s.Exprs[1], f.Result))
		}
	case Block:
		w.line("{")
		w.block(f, s.Bodies[0])
		w.line("}")
		if s.Name != "" {
			w.line("%s:;", s.Name)
		}
	case Again:
		fuel := w.newFuel()
		w.line("{")
		w.indent++
		w.line("int %s = %d;", fuel, s.N)
		w.line("%s:;", s.Name)
		w.body(f, s.Bodies[0])
		w.line("if (%s-- > 0 && %s)", fuel, w.operand(s.Exprs[0]))
		w.line("\tgoto %s;", s.Name)
		w.indent--
		w.line("}")
	case Walk:
		w.walk(f, s)
	case Copy:
		w.copy(s)
	case FillField:
		w.fillField(s)
	case CopyStruct:
		w.line("%s = %s;", w.expr(s.LHS), w.expr(s.Exprs[0]))
	case CallOut:
		if s.LHS != nil {
			w.line("%s = %s;", w.expr(s.LHS), w.as(s.Exprs[0], w.typeOf(s.LHS)))
		} else {
			w.line("%s;", w.expr(s.Exprs[0]))
		}
	case Fetch:
		w.fetch(s)
	case Fence:
		w.line("%s;", s.Op)
	default:
		panic("randc: unknown statement")
	}
}

// assign prints an assignment; those with an operation guard its right side as the
// operation itself would be.
func (w *printer) assign(s *Stmt) string {
	lhs, t, e := w.expr(s.LHS), w.typeOf(s.LHS), s.Exprs[0]
	switch s.Op {
	case "":
		return lhs + " = " + w.as(e, t)
	case "<<", ">>":
		return fmt.Sprintf("%s %s= %s", lhs, s.Op, w.amount(e, t.promote()))
	case "/", "%":
		if !t.Float() && !w.typeOf(e).Float() {
			return fmt.Sprintf("%s %s= %s", lhs, s.Op, w.divisor(e, t, e.Guard))
		}
	}
	if !t.Float() && w.typeOf(e).Float() {
		return fmt.Sprintf("%s %s= %s", lhs, s.Op, w.whole(e, t, s.Op))
	}
	return fmt.Sprintf("%s %s= %s", lhs, s.Op, w.expr(e))
}

// whole prints a floating-point value as an operand of an integer operation.
func (w *printer) whole(e *Expr, t Type, op string) string {
	text := w.as(e, t.promote())
	if t == Bool {
		text = w.as(e, I32)
	}
	if op == "/" || op == "%" {
		return "((" + text + " & 15) + 1)"
	}
	return text
}

// bounded prints a number from 0 to mask, or a number of the program that is known to
// be at most mask + 1; high is the largest it can be.
func (w *printer) bounded(e *Expr, mask int) (text string, high int) {
	if lo, hi, ok := w.spanOf(e); ok && lo >= 0 && hi <= mask+1 {
		return w.expr(e), hi
	}
	return w.subscriptIn(e, mask+1), mask
}

// signed prints a bound as an int, since comparing an unsigned one would take a
// counter that passed zero for a large value.
func (w *printer) signed(e *Expr, text string) string {
	if t := w.typeOf(e); t == U32 || t == U64 {
		return "(int)" + "(" + text + ")"
	}
	return text
}

// loop prints a counted loop and settles how large its counter becomes.
func (w *printer) loop(f *Func, s *Stmt) {
	l, v := s.Loop, s.Var
	to, high := w.bounded(l.To, l.Mask)
	from, first := w.bounded(l.From, l.Mask)
	step, signed := max(1, l.Step), v.Type.Signed()
	i := v.Name
	by := ""
	if l.By != nil {
		by = i + "_by"
		step = 4
	}
	var start, cond, next string
	advance := func(sign string) string {
		switch {
		case by != "":
			return fmt.Sprintf("%s %s= %s", i, sign, by)
		case step > 1:
			return fmt.Sprintf("%s %s= %d", i, sign, step)
		case s.Style == 1:
			return sign + sign + i
		}
		return i + sign + sign
	}
	switch cmp := l.Cmp; {
	case l.Op == "*" || l.Op == "<<":
		start, cond = "1", i+" < "+to
		next = fmt.Sprintf("%s %s= %d", i, l.Op, map[string]int{"*": 2 + step%2, "<<": 1}[l.Op])
		v.Max = high - 1
	case l.Op == "/" || l.Op == ">>":
		start, cond = to, i+" > 0"
		next = fmt.Sprintf("%s %s= %d", i, l.Op, map[string]int{"/": 2 + step%2, ">>": 1}[l.Op])
		v.Max = high
	case cmp == "<=":
		start, cond, next = from, i+" <= "+to, advance("+")
		v.Max = high
	case cmp == "!=":
		// The counter must meet the bound exactly.
		start = "0"
		if lo, hi, ok := w.spanOf(l.To); ok && lo == hi {
			to = fmt.Sprint(hi / step * step)
		} else {
			step = 1
		}
		cond, next = i+" != "+to, advance("+")
		v.Max = high - 1
	case cmp == ">":
		if !signed {
			step = 1 // less would pass below zero
		}
		start, cond, next = to, i+" > "+w.signed(l.From, from), advance("-")
		v.Max = high
	case cmp == ">=" && signed:
		start, cond, next = w.signed(l.To, to)+" - 1", i+" >= "+w.signed(l.From, from), advance("-")
		v.Max = high - 1
	case cmp == "--" || cmp == ">=":
		start, cond, next = to, i+"-- > "+from, ""
		v.Max = high - 1
	case cmp == "!=0":
		step = 1
		start, cond, next = to, i+" != 0", advance("-")
		v.Max = high
	default:
		start, cond, next = from, i+" < "+to, advance("+")
		v.Max = high - 1
	}
	v.Max = max(v.Max, 1)
	decl := v.typeName() + " "
	outside := l.Last != nil || l.AtEnd || by != ""
	if outside {
		w.line("{")
		w.indent++
	}
	if by != "" {
		w.line("const int %s = ((%s) & 3) + 1;", by, w.as(l.By, I32))
	}
	if l.Last != nil || l.AtEnd {
		w.line("%s%s;", decl, i)
		decl = ""
	}
	start = fmt.Sprintf("%s%s = %s;", decl, i, start)
	if l.AtEnd {
		v.Max = max(v.Max, first)
		w.line("%s", start)
		w.line("do {")
	} else {
		w.line("for (%s %s; %s) {", start, cond, next)
	}
	w.block(f, s.Bodies[0])
	if l.Skip != nil && (l.Cmp == "<" || l.Cmp == "<=") && l.Op == "+" {
		w.line("\tif (%s)", w.expr(l.Skip))
		w.line("\t\t%s++;", i)
	}
	if l.AtEnd { // a continue in the body counts, too
		w.line("} while (%s, %s);", next, cond)
	} else {
		w.line("}")
	}
	if l.Last != nil {
		w.line("%s = %s;", w.expr(l.Last), i)
	}
	if outside {
		w.indent--
		w.line("}")
	}
}

func (w *printer) while(f *Func, s *Stmt) {
	fuel := w.newFuel()
	w.line("{")
	w.indent++
	w.line("int %s = %d;", fuel, s.N)
	cond := w.operand(s.Exprs[0])
	switch s.Style {
	case 0:
		w.line("while (%s && %s-- > 0) {", cond, fuel)
		w.block(f, s.Bodies[0])
		w.line("}")
	case 1:
		w.line("do {")
		w.block(f, s.Bodies[0])
		w.line("} while (--%s > 0 && %s);", fuel, cond)
	case 2:
		w.line("for (;;) {")
		w.line("\tif (%s-- == 0 || %s)", fuel, cond)
		w.line("\t\tbreak;")
		w.block(f, s.Bodies[0])
		w.line("}")
	case 3:
		w.line("while (%s--) {", fuel)
		w.block(f, s.Bodies[0])
		w.line("\tif (%s)", cond)
		w.line("\t\tbreak;")
		w.line("}")
	default:
		w.line("while (1) {")
		w.line("\tif (--%s < 0)", fuel)
		w.line("\t\tbreak;")
		w.block(f, s.Bodies[0])
		w.line("\tif (!%s)", cond)
		w.line("\t\tbreak;")
		w.line("}")
	}
	w.indent--
	w.line("}")
}

func (w *printer) cases(f *Func, s *Stmt) {
	value := w.as(s.Exprs[0], I32)
	if s.N > 0 {
		value = w.subscript(s.Exprs[0], s.N)
	}
	w.line("switch (%s) {", value)
	for i, b := range s.Bodies {
		if s.Labels[i] == "" {
			w.line("default:")
		} else {
			w.line("case %s:", s.Labels[i])
		}
		w.indent++
		w.line("{")
		w.block(f, b)
		w.line("}")
		if !s.Through[i] || i+1 == len(s.Bodies) {
			w.line("break;")
		}
		w.indent--
	}
	w.line("}")
}

// walk prints a loop whose counter is a pointer.
func (w *printer) walk(f *Func, s *Stmt) {
	a, p := w.vars[s.Name], s.Var
	t := p.typeName()
	if p.Const {
		t = "const " + t
	}
	x := p.Name
	mask := a.Dims[0] - 1
	n, _ := w.bounded(s.Exprs[0], mask)
	v := w.vars[s.Exprs[0].Name]
	switch {
	case s.Style == 0 && (s.Exprs[0].Kind == Lit || s.Exprs[0].Kind == Ref && v.Fixed):
		w.line("for (%s *%s = %s; %s != %s + (%s); %s++) {", t, x, a.Name, x, a.Name, n, x)
	case s.Style == 0: // the end stays where it is while the body changes what it was made of
		w.line("for (%s *%s = %s, *const %se = %s + (%s); %s != %se; %s++) {", t, x, a.Name, x, a.Name, n, x, x, x)
	case s.Style == 1:
		w.line("for (%s *%s = %s, *const %se = %s + (%s); %s < %se; ++%s) {", t, x, a.Name, x, a.Name, n, x, x, x)
	case s.Style == 2:
		w.line("for (%s *%s = %s + (%s); %s > %s;) {", t, x, a.Name, n, x, a.Name)
		w.line("\t--%s;", x)
	case s.Style == 3:
		fuel := w.newFuel()
		w.line("int %s = %s;", fuel, n)
		w.line("for (%s *%s = %s; %s-- > 0; %s++) {", t, x, a.Name, fuel, x)
	default:
		high := w.subscriptIn(s.Exprs[0], mask+1)
		w.line("for (%s *%s = %s, *%s = %s + %s; %s < %s; %s++, %s--) {", t, x, a.Name, s.High.Name, a.Name, high, x, s.High.Name, x, s.High.Name)
	}
	w.block(f, s.Bodies[0])
	w.line("}")
}

func (w *printer) copy(s *Stmt) {
	a := w.vars[s.Name]
	room := a.Dims[0]
	switch s.Op {
	case "memmove":
		n, _ := w.bounded(s.Exprs[0], room-1)
		if lo, hi, ok := w.spanOf(s.Exprs[0]); ok && lo >= 0 && hi == room {
			n = fmt.Sprint(room - 1)
		}
		if s.Style == 0 {
			w.line("memmove(%s + 1, %s, (%s) * sizeof *%s);", a.Name, a.Name, n, a.Name)
		} else {
			w.line("memmove(%s, %s + 1, (%s) * sizeof *%s);", a.Name, a.Name, n, a.Name)
		}
	case "memcpy":
		room = min(room, w.vars[s.From].Dims[0])
		n, _ := w.bounded(s.Exprs[0], room-1)
		w.line("memcpy(%s, %s, (%s) * sizeof *%s);", a.Name, s.From, n, a.Name)
	default:
		n, _ := w.bounded(s.Exprs[0], room-1)
		w.line("memset(%s, %d, (%s) * sizeof *%s);", a.Name, s.N, n, a.Name)
	}
}

// fillField prints a fill or copy inside an array that is a member.
func (w *printer) fillField(s *Stmt) {
	f, _ := w.vars[s.LHS.Name].Struct.field(s.LHS.Field)
	elem := w.expr(s.LHS)
	at, depth := len(elem)-1, 1 // where the last subscript begins
	for depth > 0 {
		at--
		switch elem[at] {
		case ']':
			depth++
		case '[':
			depth--
		}
	}
	array, sub := elem[:at], elem[at+1:len(elem)-1]
	if s.Op == "memmove" {
		n, _ := w.bounded(s.Exprs[0], f.Len-1)
		if _, hi, ok := w.spanOf(s.Exprs[0]); ok && hi == f.Len {
			n = fmt.Sprint(f.Len - 1)
		}
		w.line("memmove(%s + 1, %s, (%s) * sizeof *%s);", array, array, n, array)
		return
	}
	n, _ := w.bounded(s.Exprs[0], f.Len/2)
	w.line("memset(%s + (%s) / 2, %d, (%s) * sizeof *%s);", array, sub, s.N, n, array)
}

// fetch prints an access whose subscript counts as a side effect.
func (w *printer) fetch(s *Stmt) {
	a := w.vars[s.Name]
	count := []string{s.From + "++", "++" + s.From, s.From + "--"}[s.Style%3]
	elem := fmt.Sprintf("%s[%s & %d]", a.Name, count, a.Dims[0]-1)
	if s.Style >= 3 {
		w.line("%s = %s;", elem, w.as(s.Exprs[0], a.Type))
		return
	}
	if t := w.typeOf(s.LHS); a.Type.Float() && !t.Float() && t != Bool {
		w.line("%s = to_int(%s);", w.expr(s.LHS), elem)
	} else {
		w.line("%s = %s;", w.expr(s.LHS), elem)
	}
}
