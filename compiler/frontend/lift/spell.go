package lift

import (
	"fmt"
	"strings"

	"loom/compiler/frontend/llvm"
)

// speller prints types of the debug information as C or C++ spells them.
type speller struct{ cxx bool }

// spell prints a type around a declarator ("" for a cast); "" where it has no name
// that could be written.
func (s speller) spell(e *llvm.Entry, decl string) string {
	text, ok := s.around(e, decl, 0)
	if !ok {
		return ""
	}
	return text
}

func join(name, decl string) string {
	if decl == "" {
		return name
	}
	return name + " " + decl
}

func (s speller) around(e *llvm.Entry, decl string, depth int) (string, bool) {
	if depth > maxTypeDepth {
		return "", false
	}
	if e == nil || e.Kind == "null_type" {
		return join("void", decl), true
	}
	base := e.Ref("baseType")
	switch e.Kind {
	case "basic_type":
		name := e.Str("name")
		if !s.cxx && name == "bool" {
			name = "_Bool"
		}
		if e.Values["encoding"] == "DW_ATE_complex_float" {
			if name = "double _Complex"; e.Num("sizeInBits") == 64 {
				name = "float _Complex"
			}
		}
		return join(name, decl), name != ""
	case "composite_type":
		switch tag := e.Tag(); tag {
		case "array_type":
			for _, r := range e.Refs("elements") {
				if r != nil && r.Values["count"] != "" && r.Num("count") >= 0 {
					decl += fmt.Sprintf("[%d]", r.Num("count"))
				} else {
					decl += "[]"
				}
			}
			return s.around(base, decl, depth+1)
		default:
			name := s.qualified(e)
			if name == "" {
				return "", false
			}
			if !s.cxx {
				word := map[string]string{"structure_type": "struct ", "union_type": "union ", "enumeration_type": "enum "}[tag]
				name = word + name
			}
			return join(name, decl), true
		}
	case "derived_type":
		switch e.Tag() {
		case "pointer_type", "reference_type", "rvalue_reference_type":
			decl = "*" + decl
			if isArray(base) {
				decl = "(" + decl + ")"
			}
			return s.around(base, decl, depth+1)
		case "typedef":
			if s.cxx {
				// The scope of a name is not known, the type that it names is.
				if text, ok := s.around(base, decl, depth+1); ok {
					return text, true
				}
			}
			if name := s.qualified(e); name != "" {
				return join(name, decl), true
			}
			return s.around(base, decl, depth+1)
		case "const_type", "volatile_type":
			word := strings.TrimSuffix(e.Tag(), "_type")
			if isPointer(base) {
				// Qualifiers of the pointer itself do not matter to a cast, unless it is
				// pointed to.
				if strings.HasPrefix(decl, "*") {
					decl = word + " " + decl
				}
				return s.around(base, decl, depth+1)
			}
			text, ok := s.around(base, decl, depth+1)
			if strings.HasPrefix(text, word+" ") {
				return text, ok
			}
			return word + " " + text, ok
		case "restrict_type", "atomic_type", "template_alias":
			return s.around(base, decl, depth+1)
		}
	}
	return "", false
}

// through skips qualifiers.
func through(e *llvm.Entry) *llvm.Entry {
	for range maxTypeDepth {
		if e == nil || e.Kind != "derived_type" {
			return e
		}
		switch e.Tag() {
		case "const_type", "volatile_type", "restrict_type", "atomic_type":
			e = e.Ref("baseType")
		default:
			return e
		}
	}
	return e
}

// stripped skips qualifiers and type names.
func stripped(e *llvm.Entry) *llvm.Entry {
	for range maxTypeDepth {
		e = through(e)
		if e == nil || e.Kind != "derived_type" || e.Tag() != "typedef" && e.Tag() != "template_alias" {
			return e
		}
		e = e.Ref("baseType")
	}
	return e
}

func isArray(e *llvm.Entry) bool {
	e = through(e)
	return e != nil && e.Kind == "composite_type" && e.Tag() == "array_type"
}

func isPointer(e *llvm.Entry) bool {
	e = through(e)
	return e != nil && e.Kind == "derived_type" && strings.HasSuffix(e.Tag(), "_type") &&
		(e.Tag() == "pointer_type" || e.Tag() == "reference_type" || e.Tag() == "rvalue_reference_type")
}

// qualified is the name of an entry with the namespaces and classes around it.
func (s speller) qualified(e *llvm.Entry) string {
	name := e.Str("name")
	if name == "" || !s.cxx {
		return name
	}
	for range maxTypeDepth {
		e = e.Ref("scope")
		if e == nil || e.Kind != "namespace" && e.Kind != "composite_type" {
			break
		}
		if n := e.Str("name"); n != "" {
			name = n + "::" + name
		}
	}
	return name
}
