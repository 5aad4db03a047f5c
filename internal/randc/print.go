package randc

import (
	"fmt"
	"strconv"
	"strings"
)

// Text is the program in C, without the prelude.
func (p *Program) Text() string {
	w := &printer{names: p.scope(nil)}
	for _, s := range p.Structs {
		w.line("struct %s {", s.Name)
		for _, f := range s.Fields {
			if f.Len > 0 {
				w.line("\t%s %s[%d];", f.Type, f.Name, f.Len)
			} else {
				w.line("\t%s %s;", f.Type, f.Name)
			}
		}
		w.line("};")
	}
	for _, g := range p.Globals {
		w.line("%s;", w.declaration(g))
	}
	for _, f := range append(append([]*Func{}, p.Helpers...), p.Kernel) {
		w.names = p.scope(f)
		w.function(f, f == p.Kernel)
	}
	return w.text.String()
}

// scope maps the names of variables and functions that a function sees; they are all
// different.
func (p *Program) scope(f *Func) *names {
	n := &names{vars: map[string]*Array{}, funcs: map[string]*Func{}}
	for _, g := range p.Globals {
		n.vars[g.Name] = g
	}
	for _, h := range p.Helpers {
		if h == f {
			break
		}
		n.funcs[h.Name] = h
	}
	if f == nil {
		return n
	}
	for _, a := range f.Params {
		n.vars[a.Name] = a
	}
	walkStmts(f.Body, func(s *Stmt) {
		for _, v := range []*Array{s.Var, s.High} {
			if v != nil {
				n.vars[v.Name] = v
			}
		}
	})
	return n
}

func walkStmts(body []*Stmt, visit func(*Stmt)) {
	for _, s := range body {
		visit(s)
		for _, b := range s.Bodies {
			walkStmts(b, visit)
		}
	}
}

type names struct {
	vars  map[string]*Array
	funcs map[string]*Func
}

type printer struct {
	*names
	text   strings.Builder
	indent int
	fuel   int // counts the variables that bound loops
}

func (w *printer) line(format string, args ...any) {
	w.text.WriteString(strings.Repeat("\t", w.indent))
	fmt.Fprintf(&w.text, format, args...)
	w.text.WriteByte('\n')
}

func (a *Array) typeName() string {
	if a.Struct != nil {
		return "struct " + a.Struct.Name
	}
	s := spellings[a.Type]
	return s[a.Spell%len(s)]
}

// declaration prints a variable with its initial values.
func (w *printer) declaration(a *Array) string {
	text := a.typeName()
	if a.Const {
		text = "const " + text
	}
	if a.Static {
		text = "static " + text
	}
	if a.Alias != nil {
		return fmt.Sprintf("%s *%s = %s", text, a.Name, w.pointer(a))
	}
	text += " " + a.Name
	for _, d := range a.Dims {
		text += fmt.Sprintf("[%d]", d)
	}
	switch {
	case a.Start != nil && a.Struct != nil:
		text += " = " + w.expr(a.Start)
	case a.Start != nil:
		text += " = " + w.as(a.Start, a.Type)
	case len(a.Init) > 0 && len(a.Dims) == 0 && a.Struct == nil:
		text += " = " + a.Init[0]
	case len(a.Init) > 0 && len(a.Dims) == 2:
		var rows []string
		for i := 0; i+a.Dims[1] <= len(a.Init); i += a.Dims[1] {
			rows = append(rows, "{"+strings.Join(a.Init[i:i+a.Dims[1]], ", ")+"}")
		}
		text += " = {" + strings.Join(rows, ", ") + "}"
	case len(a.Init) > 0:
		text += " = {" + strings.Join(a.Init, ", ") + "}"
	case len(a.Dims) == 0 && a.Struct == nil:
		text += " = 0"
	default:
		text += " = {0}"
	}
	return text
}

// pointer prints where an alias points.
func (w *printer) pointer(a *Array) string {
	one := func(name string) string {
		base := w.vars[name]
		if len(base.Dims) == 2 {
			return fmt.Sprintf("%s[%s]", name, w.subscript(a.Alias.Row, base.Dims[0]))
		}
		room := base.Dims[0] - a.Dims[0]
		if room == 0 || a.Alias.Offset == nil {
			return name
		}
		// A power of two less one that leaves room for the elements.
		mask := 1
		for 2*mask+1 <= room {
			mask = 2*mask + 1
		}
		return fmt.Sprintf("%s + %s", name, w.subscriptIn(a.Alias.Offset, mask+1))
	}
	if a.Alias.Cond == nil {
		return one(a.Alias.Base)
	}
	return fmt.Sprintf("%s ? %s : %s", w.operand(a.Alias.Cond), one(a.Alias.Base), one(a.Alias.Other))
}

func (w *printer) function(f *Func, kernel bool) {
	var params []string
	for _, a := range f.Params {
		text := a.typeName()
		if a.Const {
			text = "const " + text
		}
		switch {
		case a.Out:
			text += " *" + a.Name
		case len(a.Dims) == 0:
			text += " " + a.Name
		case a.Pointer && len(a.Dims) == 1:
			text += " *"
			if a.Restrict {
				text += "restrict "
			}
			text += a.Name
		default:
			text += " " + a.Name
			for _, d := range a.Dims {
				text += fmt.Sprintf("[%d]", d)
			}
		}
		params = append(params, text)
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	storage := "static "
	switch {
	case kernel:
		storage = ""
	case f.Inline:
		storage = "static inline "
	}
	w.line("%s%s %s(%s)", storage, f.Result, f.Name, strings.Join(params, ", "))
	w.line("{")
	w.indent++
	w.fuel = 0
	w.body(f, f.Body)
	if f.Return != nil && f.Result != Void {
		w.line("return %s;", w.as(f.Return, f.Result))
	}
	w.indent--
	w.line("}")
}

// expr prints an expression that stands alone.
func (w *printer) expr(e *Expr) string {
	switch e.Kind {
	case Lit:
		return e.Text
	case Ref:
		if v := w.vars[e.Name]; v != nil && v.Out {
			return "*" + e.Name
		}
		return e.Name
	case Arr:
		return e.Name
	case Addr:
		if a := e.Args[0]; a.Kind == Ref && w.vars[a.Name] != nil && w.vars[a.Name].Out {
			return a.Name
		}
		return "&" + w.expr(e.Args[0])
	case Elem:
		return w.element(e)
	case Un:
		return e.Op + w.operand(e.Args[0])
	case Bin:
		return w.binary(e.Op, e.Args[0], e.Args[1], e.Guard)
	case Cond:
		return fmt.Sprintf("%s ? %s : %s", w.operand(e.Args[0]), w.operand(e.Args[1]), w.operand(e.Args[2]))
	case Cast:
		if from := w.typeOf(e.Args[0]); from.Float() && !e.Type.Float() && e.Type != Bool {
			return fmt.Sprintf("(%s)%s", e.Type, w.as(e.Args[0], e.Type))
		}
		return fmt.Sprintf("(%s)%s", e.Type, w.operand(e.Args[0]))
	case Call:
		return w.call(e)
	case Macro:
		var args []string
		for _, a := range e.Args {
			args = append(args, w.expr(a))
		}
		return e.Name + "(" + strings.Join(args, ", ") + ")"
	}
	panic("randc: unknown expression")
}

// operand prints an expression that stands inside another.
func (w *printer) operand(e *Expr) string {
	switch e.Kind {
	case Ref, Elem, Call, Macro:
		return w.expr(e)
	case Lit:
		if !strings.HasPrefix(e.Text, "-") {
			return e.Text
		}
	}
	return "(" + w.expr(e) + ")"
}

// as prints a value that becomes one of type t: from floating point to integers by
// a conversion that is defined for every value.
func (w *printer) as(e *Expr, t Type) string {
	from := w.typeOf(e)
	if !from.Float() || t.Float() || t == Bool || t == Void {
		return w.expr(e)
	}
	switch {
	case t == U64:
		return "to_ulong(" + w.expr(e) + ")"
	case t == I64:
		return "to_long(" + w.expr(e) + ")"
	case t == U32:
		return "to_unsigned(" + w.expr(e) + ")"
	case from == F32:
		return "to_intf(" + w.expr(e) + ")"
	}
	return "to_int(" + w.expr(e) + ")"
}

// binary prints a binary operation, with divisors and shift amounts guarded.
func (w *printer) binary(op string, a, b *Expr, guard int) string {
	left := w.operand(a)
	switch op {
	case "<<", ">>":
		return fmt.Sprintf("%s %s %s", left, op, w.amount(b, w.typeOf(a).promote()))
	case "/", "%":
		t := common(w.typeOf(a), w.typeOf(b))
		if t.Float() {
			break
		}
		if guard == 3 && t.Signed() && b.Kind == Ref {
			return fmt.Sprintf("(%s == 0 || %s == -1 ? %s : %s %s %s)", w.expr(b), w.expr(b), left, left, op, w.expr(b))
		}
		return fmt.Sprintf("%s %s %s", left, op, w.divisor(b, w.typeOf(a), guard))
	}
	return fmt.Sprintf("%s %s %s", left, op, w.operand(b))
}

// amount prints a shift amount below the width of a type.
func (w *printer) amount(b *Expr, t Type) string {
	if lo, hi, ok := w.spanOf(b); ok && lo >= 0 && hi < t.bits() {
		return w.operand(b)
	}
	return fmt.Sprintf("(%s & %d)", w.operand(b), t.bits()-1)
}

// divisor prints a divisor that is not zero, and not -1 where the dividend may be
// the least value.
func (w *printer) divisor(b *Expr, dividend Type, guard int) string {
	tb := w.typeOf(b)
	t := common(dividend, tb)
	if lo, hi, ok := w.spanOf(b); ok && lo > 0 && hi > 0 {
		return w.operand(b)
	}
	unsignedNarrow := !tb.Signed() && tb.Size() < t.Size()
	switch {
	case guard == 2 && (!t.Signed() || dividend.Size() < t.Size() || unsignedNarrow):
		return fmt.Sprintf("(%s | 1)", w.operand(b))
	case guard == 1:
		return fmt.Sprintf("((%s & 7) - 9)", w.operand(b))
	}
	return fmt.Sprintf("((%s & 15) + 1)", w.operand(b))
}

// element prints an element of an array or a member of a struct.
func (w *printer) element(e *Expr) string {
	a := w.vars[e.Name]
	text, args := e.Name, e.Args
	arrow := "."
	if len(a.Dims) == 1 && a.Dims[0] == 1 && a.Alias != nil {
		if e.Field == "" {
			return "*" + text
		}
		arrow, args = "->", args[1:]
	} else {
		for _, d := range a.Dims {
			text += "[" + w.subscript(args[0], d) + "]"
			args = args[1:]
		}
	}
	if e.Field == "" {
		return text
	}
	text += arrow + e.Field
	if f, _ := a.Struct.field(e.Field); f.Len > 0 {
		text += "[" + w.subscript(args[0], f.Len) + "]"
	}
	return text
}

// subscript prints an index below n, a power of two.
func (w *printer) subscript(e *Expr, n int) string {
	s := w.subscriptIn(e, n)
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") && balanced(s[1:len(s)-1]) {
		return s[1 : len(s)-1]
	}
	return s
}

func balanced(s string) bool {
	depth := 0
	for _, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// subscriptIn is subscript inside a larger expression.
func (w *printer) subscriptIn(e *Expr, n int) string {
	if lo, hi, ok := w.spanOf(e); ok && lo >= 0 && hi < n {
		return w.operand(e)
	}
	t := w.typeOf(e)
	switch {
	case t.Float():
		return fmt.Sprintf("(%s & %d)", w.as(e, I32), n-1)
	case e.Guard == 1 && !t.Signed() && t != Bool && t.Size() >= 4:
		return fmt.Sprintf("(%s %% %d)", w.operand(e), n)
	}
	return fmt.Sprintf("(%s & %d)", w.operand(e), n-1)
}

func (w *printer) call(e *Expr) string {
	f := w.funcs[e.Name]
	var args []string
	for i, a := range e.Args {
		switch p := f.Params[i]; {
		case len(p.Dims) > 0 || p.Out || p.Struct != nil:
			args = append(args, w.expr(a))
		default:
			args = append(args, w.as(a, p.Type))
		}
	}
	return e.Name + "(" + strings.Join(args, ", ") + ")"
}

// typeOf is the type of an expression; Void for whole arrays and structs.
func (n *names) typeOf(e *Expr) Type {
	switch e.Kind {
	case Lit, Cast:
		return e.Type
	case Ref:
		if v := n.vars[e.Name]; v != nil && v.Struct == nil && len(v.Dims) == 0 {
			return v.Type
		}
	case Elem:
		v := n.vars[e.Name]
		switch {
		case v == nil:
		case v.Struct == nil:
			return v.Type
		case e.Field != "":
			f, _ := v.Struct.field(e.Field)
			return f.Type
		}
	case Un:
		if e.Op == "!" {
			return I32
		}
		return n.typeOf(e.Args[0]).promote()
	case Bin:
		switch e.Op {
		case "<", "<=", ">", ">=", "==", "!=", "&&", "||":
			return I32
		case "<<", ">>":
			return n.typeOf(e.Args[0]).promote()
		}
		return common(n.typeOf(e.Args[0]), n.typeOf(e.Args[1]))
	case Cond:
		return common(n.typeOf(e.Args[1]), n.typeOf(e.Args[2]))
	case Call:
		if f := n.funcs[e.Name]; f != nil {
			return f.Result
		}
	case Macro:
		m, _ := macroOf(e.Name)
		switch m.result {
		case resultCommon:
			t := n.typeOf(e.Args[0])
			for _, a := range e.Args[1:] {
				t = common(t, n.typeOf(a))
			}
			return t
		case resultPromote:
			return n.typeOf(e.Args[0]).promote()
		}
		return m.result
	}
	return Void
}

// spanOf bounds the value of an expression where that is easy: literals, counters and
// sums of them.
func (n *names) spanOf(e *Expr) (lo, hi int, ok bool) {
	switch e.Kind {
	case Lit:
		if !e.Type.Float() {
			v, err := strconv.Atoi(strings.TrimRight(e.Text, "uUlL"))
			return v, v, err == nil && v >= -1<<30 && v <= 1<<30
		}
	case Ref:
		if v := n.vars[e.Name]; v != nil && v.Fixed && v.Max > 0 {
			return 0, v.Max, true
		}
	case Bin:
		if e.Op != "+" && e.Op != "*" && e.Op != "-" {
			return 0, 0, false
		}
		alo, ahi, aok := n.spanOf(e.Args[0])
		blo, bhi, bok := n.spanOf(e.Args[1])
		t := n.typeOf(e)
		if !aok || !bok || alo < 0 || blo < 0 || ahi > 1<<12 || bhi > 1<<12 || t.Float() {
			return 0, 0, false
		}
		switch e.Op {
		case "+":
			return alo + blo, ahi + bhi, true
		case "*":
			return alo * blo, ahi * bhi, true
		}
		if alo < bhi {
			return 0, 0, false
		}
		return alo - bhi, ahi - blo, true
	}
	return 0, 0, false
}
