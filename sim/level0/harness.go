package level0

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"loom/compiler/cabi"
	"loom/compiler/ir"
)

//go:embed driver.h
var driver string

// harness is the program around a function: it includes the source, so that static
// functions and variables are in reach.
//
// The type of a C++ reference reads like that of a pointer. Where the call fits with
// pointers as they are, that is what it takes; else an either converts to the type of
// the parameter.
func harness(fn *cabi.Function, l *layout, source string, opts Options, eithers bool) string {
	var b strings.Builder
	if opts.Sanitize {
		b.WriteString("#define LOOM0_ADDRESSES\n")
	}
	b.WriteString(driver)
	fmt.Fprintf(&b, "#include \"%s\"\n#undef main\n", source)
	if eithers {
		b.WriteString(either)
	}
	h := &writer{b: &b, fn: fn, l: l, eithers: eithers}
	h.main(opts)
	return b.String()
}

// either is a pointer that also is the reference to what it points to.
const either = `template <class T> struct loom0_either {
  T *at;
  operator T *() const { return at; }
  operator T &() const { return *at; }
  operator T &&() const { return static_cast<T &&>(*at); }
};
template <> struct loom0_either<void> { void *at; operator void *() const { return at; } };
template <> struct loom0_either<const void> { const void *at; operator const void *() const { return at; } };
template <class T> loom0_either<T> loom0_make_either(T *at) { loom0_either<T> e = {at}; return e; }
`

// writer prints the main function. All its names begin with loom0_: the source's macros
// are still in force.
type writer struct {
	b  *strings.Builder
	fn *cabi.Function
	l  *layout
	// eithers has arguments that may be references.
	eithers bool
}

func (h *writer) line(format string, args ...any) { fmt.Fprintf(h.b, format+"\n", args...) }

func (h *writer) main(opts Options) {
	h.line("int main(void) {")
	bytes := int64(maxMemory)
	if opts.Sanitize {
		bytes = 0 // the shadow of the addresses is larger than any bound
	}
	h.line("  loom0_limits(%dul, %dul);", opts.Seconds, bytes)
	for i := range h.fn.Params {
		h.receive(i, &h.fn.Params[i])
	}
	call := h.call()
	if h.fn.Result != nil && len(h.fn.Result.Pieces) > 0 {
		word := "__auto_type"
		if h.fn.Cxx {
			word = "auto"
		}
		h.line("  %s loom0_result = %s;", word, call)
	} else {
		h.line("  %s;", call)
	}
	for i, p := range h.fn.Params {
		switch {
		case p.Class == cabi.Pointer:
			h.line("  loom0_give(loom0_a%d);", i)
		case p.Class == cabi.Global && h.size(&p) > 0:
			h.line("  loom0_write((void *)&%s, %dul);", p.Name, h.size(&p))
		}
	}
	if h.fn.Result != nil && len(h.fn.Result.Pieces) > 0 {
		h.line("  { unsigned long loom0_n = sizeof loom0_result; loom0_write(&loom0_n, sizeof loom0_n); loom0_write(&loom0_result, loom0_n); }")
	}
	// Without the C library's exit: what the source registered there must not run.
	h.line("  loom0_end(0);\n  return 0;\n}")
}

// size is the number of bytes of a parameter that is no array, 0 where it is unknown
// because the kernel does not look at it.
func (h *writer) size(p *cabi.Param) int64 { return h.l.fixedSize(p) }

// receive declares the object behind a parameter and fills it.
func (h *writer) receive(i int, p *cabi.Param) {
	n := h.size(p)
	switch {
	case p.Class == cabi.Pointer:
		h.line("  struct loom0_buffer loom0_a%d = loom0_take();", i)
	case p.Class == cabi.Global && n > 0:
		h.sizeIs(i, p.Name, n)
		h.line("  loom0_read((void *)&%s, %dul);", p.Name, n)
	case p.Class != cabi.Global && n > 0:
		if p.Size > 0 && p.Type != "" {
			h.sizeIs(i, p.Type, n)
		}
		h.line("  unsigned char loom0_a%d[%d] __attribute__((aligned(16)));\n  loom0_read(loom0_a%d, %dul);", i, n, i, n)
	}
}

// sizeIs makes the compiler refuse a description that is not about this source.
func (h *writer) sizeIs(i int, what string, n int64) {
	h.line("  typedef char loom0_size_of_parameter_%d[sizeof(%s) == %d ? 1 : -1] __attribute__((unused));", i, what, n)
}

// userMain is what the driver calls the source's own main.
const userMain = "loom_user_main"

// call is the expression that calls the function.
func (h *writer) call() string {
	name, args := h.fn.Name, []string{}
	if name == "main" {
		name = userMain
	}
	for i := range h.fn.Params {
		p := &h.fn.Params[i]
		if p.Class == cabi.Global {
			continue
		}
		a := h.argument(i, p)
		if i == 0 && h.fn.Cxx && p.Name == "this" && p.Class == cabi.Pointer {
			name = a + "->" + member(name)
			continue
		}
		args = append(args, a)
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// argument is one argument of the call. C converts any pointer to that of the
// parameter; C++ chooses among overloads by the type.
func (h *writer) argument(i int, p *cabi.Param) string {
	t := p.Type
	if p.Class == cabi.Pointer {
		if !h.fn.Cxx || t == "" {
			return fmt.Sprintf("(void *)loom0_a%d.bytes", i)
		}
		if pointer, move, ok := reference(t); ok {
			value := fmt.Sprintf("*(%s)loom0_a%d.bytes", pointer, i)
			if move {
				return fmt.Sprintf("static_cast<%s>(%s)", t, value)
			}
			return value
		}
		pointer := fmt.Sprintf("((%s)loom0_a%d.bytes)", t, i)
		if h.eithers && !(i == 0 && p.Name == "this") {
			return "loom0_make_either(" + pointer + ")"
		}
		return pointer
	}
	if t == "" {
		t = h.plainType(p)
	}
	if h.size(p) == 0 {
		return fmt.Sprintf("(%s)0", t)
	}
	if pointer, move, ok := reference(t); ok && h.fn.Cxx {
		value := fmt.Sprintf("*(%s)loom0_a%d", pointer, i)
		if move {
			return fmt.Sprintf("static_cast<%s>(%s)", t, value)
		}
		return value
	}
	return fmt.Sprintf("*(%s *)loom0_a%d", t, i)
}

// reference makes the type of a pointer from that of a C++ reference.
func reference(t string) (pointer string, move, ok bool) {
	t = strings.TrimSpace(t)
	for _, sign := range []string{"&&", "&"} {
		if s, is := strings.CutSuffix(t, sign); is {
			return s + "*", sign == "&&", true
		}
		if strings.Contains(t, "("+sign+")") { // int (&)[4]
			return strings.Replace(t, "("+sign+")", "(*)", 1), sign == "&&", true
		}
	}
	return "", false, false
}

// plainType is a C type for a scalar whose type is not named.
func (h *writer) plainType(p *cabi.Param) string {
	sign := ""
	if p.Unsigned {
		sign = "unsigned "
	}
	if len(p.Pieces) > 0 && ir.IsFloat(h.l.sig.Params[p.Pieces[0].Index].Type) {
		switch h.size(p) {
		case 2:
			return "_Float16"
		case 4:
			return "float"
		}
		return "double"
	}
	switch h.size(p) {
	case 1:
		if sign == "" {
			return "signed char"
		}
		return "unsigned char"
	case 2:
		return sign + "short"
	case 4:
		return sign + "int"
	}
	return sign + "long long"
}

// member is how a member function is called on an object: bar<a::b> of
// ns::foo<int>::bar<a::b>, foo::bar of ns::foo::bar. The class keeps a virtual function
// from being looked up in the object, whose bytes are inputs.
func member(name string) string {
	depth, from, before := 0, 0, 0
	end := len(name)
	if at := strings.LastIndex(name, "operator"); at >= 0 {
		end = at
	}
	for i := range end {
		switch name[i] {
		case '<', '(':
			depth++
		case '>', ')':
			depth--
		case ':':
			if depth == 0 && i > 0 && name[i-1] == ':' {
				before, from = from, i+1
			}
		}
	}
	if from > 0 && plainClass.MatchString(name[before:from]) {
		return name[before:]
	}
	return name[from:]
}

// plainClass matches the name of a class that can be written anywhere inside of it.
var plainClass = regexp.MustCompile(`^[A-Za-z_]\w*::$`)
