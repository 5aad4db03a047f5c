package cgen

import (
	"fmt"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
)

// function is one C function that is being written.
type function struct {
	u       *Unit
	op      *ir.Operation
	names   *Namer
	values  map[*ir.Value]string
	views   map[*ir.Value]*view
	results []string
	dead    map[*ir.Operation]bool
	lines   []string
	indent  int
	calls   bool
	// heap are the statements that free memory, innermost scope last.
	heap []string
}

// voidMark and resetMark stand in unfinished text for a statement that is decided
// later.
const voidMark, resetMark = "\x00", "\x01"

func (f *function) line(format string, args ...any) {
	f.lines = append(f.lines, strings.Repeat("    ", f.indent)+fmt.Sprintf(format, args...))
}

// mark leaves room for a statement that keeps compilers from warning of a variable
// that nothing reads.
func (f *function) mark(name string) { f.line("%s%s", voidMark, name) }

// finish resolves the marks.
func (f *function) finish() []string {
	read := map[string]bool{}
	for _, l := range f.lines {
		for _, id := range reads(l) {
			read[id] = true
		}
	}
	var out []string
	for _, l := range f.lines {
		at := strings.Index(l, voidMark)
		switch {
		case at < 0:
			out = append(out, l)
		case !read[l[at+1:]]:
			out = append(out, l[:at]+"(void)"+l[at+1:]+";")
		}
	}
	return out
}

// reads are the words of a line, without the variable that it declares or assigns.
func reads(line string) []string {
	if strings.Contains(line, voidMark) {
		return nil
	}
	words := strings.FieldsFunc(line, func(r rune) bool {
		return !(r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9')
	})
	target, _, isAssignment := strings.Cut(line, " = ")
	target, _, _ = strings.Cut(target, "[")
	if !isAssignment || strings.Contains(target, "(") {
		return words
	}
	parts := strings.Fields(target)
	if len(parts) == 0 {
		return words
	}
	name := strings.Trim(parts[len(parts)-1], "*")
	for i, w := range words {
		if w == name {
			return append(append([]string(nil), words[:i]...), words[i+1:]...)
		}
	}
	return words
}

// val is a value as a C expression that can stand anywhere.
func (f *function) val(v *ir.Value) string {
	if c, ok := f.constantOf(v); ok {
		return f.constant(c, v.Type)
	}
	s, ok := f.values[v]
	if !ok {
		if !f.u.errs.HasErrors() { // otherwise it comes from what is not supported
			f.fail(v.Pos(), "a value has no C form here")
		}
		return "0"
	}
	return s
}

// constantOf is the bit pattern of a constant.
func (f *function) constantOf(v *ir.Value) (uint64, bool) {
	if v.Def == nil {
		return 0, false
	}
	switch v.Def.Name {
	case opname.ArithConstant, opname.IndexConstant, opname.IndexBoolConstant:
		c, err := num.ConstantBits(v.Def.Attr("value"), v.Type, f.u.opts.IndexWidth)
		if err == nil && CType(v.Type, f.u.opts.IndexWidth) != "" {
			return c, true
		}
	case opname.UBPoison:
		return 0, CType(v.Type, f.u.opts.IndexWidth) != ""
	}
	return 0, false
}

func (f *function) fail(pos diag.Pos, format string, args ...any) *diag.Diagnostic {
	return f.u.errs.Errorf(pos, format, args...)
}

// declare makes a C variable for a value, with an initial value.
func (f *function) declare(v *ir.Value, init string) string {
	c := CType(v.Type, f.u.opts.IndexWidth)
	if c == "" {
		f.fail(v.Pos(), "a value of type %s has no C type on the host", v.Type)
		c = "int"
	}
	name := v.Name
	if name == "" {
		name = "v"
	}
	id := f.names.Pick(name)
	f.values[v] = id
	f.line("%s %s = %s;", c, id, init)
	f.mark(id)
	return id
}
