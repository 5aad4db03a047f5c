package normalise

import (
	"strconv"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/frontend/llvm"
	"loom/compiler/mlir"
	"loom/internal/edit"
)

// subprograms are the descriptions of functions by the linker's name, definitions
// before declarations.
func subprograms(d *llvm.Debug) map[string]*llvm.Entry {
	out := map[string]*llvm.Entry{}
	if d == nil {
		return out
	}
	for _, e := range d.All("subprogram") {
		link := e.Str("linkageName")
		if link == "" {
			link = e.Str("name")
		}
		if out[link] == nil || e.Values["id"] != "" {
			out[link] = e
		}
	}
	return out
}

// sourceNames are a function's name, its spelling with scopes and, in C++, that with the
// types of the parameters too.
func sourceNames(link string, e *llvm.Entry) (name, scoped, full string) {
	if e == nil {
		return link, link, link
	}
	name = e.Str("name")
	full = name
	for s, n := e.Ref("scope"), 0; s != nil && n < 50; s, n = s.Ref("scope"), n+1 {
		switch s.Kind {
		case "namespace":
			inner := s.Str("name")
			if inner == "" {
				inner = "(anonymous namespace)"
			}
			full = inner + "::" + full
		case "composite_type":
			full = s.Str("name") + "::" + full
		}
	}
	if e.Str("linkageName") == "" {
		return name, full, full // C
	}
	var params []string
	if t := e.Ref("type"); t != nil {
		refs := t.Refs("types")
		for i, p := range refs {
			if i == 0 || i == 1 && isThis(p, e.Ref("scope")) {
				continue
			}
			params = append(params, spell(p))
		}
	}
	return name, full, full + "(" + strings.Join(params, ", ") + ")"
}

// isThis reports whether the first parameter is the hidden pointer of a member
// function of the given class. (A static member function whose first parameter is such
// a pointer cannot be distinguished from it; the linker's name still finds that.)
func isThis(e, class *llvm.Entry) bool {
	if e == nil || class == nil || class.Kind != "composite_type" || e.Tag() != "pointer_type" {
		return false
	}
	to := e.Ref("baseType")
	for to != nil && (to.Tag() == "const_type" || to.Tag() == "volatile_type") {
		to = to.Ref("baseType")
	}
	return to != nil && to.Kind == "composite_type" && (to.Str("name") == class.Str("name") || to.Str("isRecSelf") == "true")
}

// spell writes a type of the debug information as C++ demanglers do: int const*.
func spell(e *llvm.Entry) string { return spellDepth(e, 0) }

func spellDepth(e *llvm.Entry, depth int) string {
	if depth > 50 {
		return "…"
	}
	if e == nil || e.Kind == "null_type" {
		if depth == 0 {
			return "..."
		}
		return "void"
	}
	switch e.Kind {
	case "basic_type":
		return e.Str("name")
	case "composite_type":
		if e.Tag() == "array_type" {
			return spellDepth(e.Ref("baseType"), depth+1) + " " + extents(e)
		}
		return scoped(e)
	case "subroutine_type":
		refs := e.Refs("types")
		var parts []string
		ret := "void"
		for i, p := range refs {
			if i == 0 {
				ret = spellDepth(p, depth+1)
			} else {
				parts = append(parts, spellDepth(p, depth+1))
			}
		}
		return ret + " (" + strings.Join(parts, ", ") + ")"
	case "derived_type":
		base := func() string { return spellDepth(e.Ref("baseType"), depth+1) }
		switch e.Tag() {
		case "pointer_type":
			return declarator(base(), "*")
		case "reference_type":
			return declarator(base(), "&")
		case "rvalue_reference_type":
			return declarator(base(), "&&")
		case "const_type":
			return base() + " const"
		case "volatile_type":
			return base() + " volatile"
		case "restrict_type":
			return base() + " restrict"
		case "typedef":
			// The linker's name looks through typedefs; so does this.
			return base()
		}
		return scoped(e)
	}
	return e.Str("name")
}

// declarator puts a pointer or reference to an array or function where C wants it.
func declarator(base, mark string) string {
	if at := strings.Index(base, " ["); at >= 0 {
		return base[:at] + " (" + mark + ")" + base[at:]
	}
	if at := strings.Index(base, " ("); at >= 0 && !strings.HasPrefix(base, "(") {
		return base[:at] + " (" + mark + ")" + base[at+1:]
	}
	return base + mark
}

func extents(e *llvm.Entry) string {
	var b strings.Builder
	for _, s := range e.Refs("elements") {
		n := ""
		if s != nil {
			n = strconv.FormatInt(s.Num("count"), 10)
		}
		b.WriteString("[" + n + "]")
	}
	return b.String()
}

func scoped(e *llvm.Entry) string {
	name := e.Str("name")
	for s, n := e.Ref("scope"), 0; s != nil && n < 50; s, n = s.Ref("scope"), n+1 {
		if s.Kind == "namespace" || s.Kind == "composite_type" {
			name = s.Str("name") + "::" + name
		}
	}
	return name
}

// canonical makes spellings of the same function equal: spaces do not count, and
// neither does on which side of a simple type const stands.
func canonical(s string) string {
	var out []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	for _, r := range s {
		if r == '_' || r == ':' || r >= 0x80 || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			word.WriteRune(r)
			continue
		}
		flush()
		if r != ' ' && r != '\t' {
			out = append(out, string(r))
		}
	}
	flush()
	// "const int" becomes "int const": const moves behind the words that follow it.
	for i := 0; i < len(out); i++ {
		if out[i] != "const" || i > 0 && isTypeWord(out[i-1]) {
			continue
		}
		j := i + 1
		for j < len(out) && isTypeWord(out[j]) && out[j] != "const" {
			j++
		}
		if j == i+1 {
			continue
		}
		copy(out[i:], out[i+1:j])
		out[j-1] = "const"
		i = j - 1
	}
	return strings.Join(out, " ")
}

func isTypeWord(s string) bool {
	c := s[0]
	return c == '_' || c == ':' || c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// nearest is the name that differs least from a wanted one, "" where none is near.
func nearest(want string, names []string) string {
	best, least := "", max(len(want)/3, 2)+1
	for _, n := range names {
		if d := edit.Distance(want, n); d < least {
			best, least = n, d
		}
	}
	return best
}

func sourcePos(loc string) (diag.Pos, bool) { return mlir.SourcePos(loc) }

// plainName is what a linker's name stands for as far as it is a chain of plain names:
// ns::f of _ZN2ns1fEi. Others stay as they are.
func plainName(link string) string {
	rest, ok := strings.CutPrefix(link, "_Z")
	if !ok {
		return link
	}
	var parts []string
	if n, nested := strings.CutPrefix(rest, "N"); nested {
		rest = strings.TrimPrefix(n, "K")
	}
	if n, std := strings.CutPrefix(rest, "St"); std {
		parts, rest = append(parts, "std"), n
	}
	for rest != "" && '0' <= rest[0] && rest[0] <= '9' {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n, err := strconv.Atoi(rest[:digits])
		if err != nil || digits+n > len(rest) {
			break
		}
		parts, rest = append(parts, rest[digits:digits+n]), rest[digits+n:]
		if !strings.HasPrefix(link, "_ZN") && len(parts) > 0 && parts[len(parts)-1] != "std" {
			break
		}
	}
	if len(parts) == 0 || len(parts) == 1 && parts[0] == "std" {
		return link
	}
	return strings.Join(parts, "::")
}
