package host

import (
	"fmt"
	"regexp"
	"strings"

	"loom/compiler/cabi"
)

// plainWords are the words of C types that need no declaration beyond <stdint.h> and
// <stddef.h>, and mean the same in C and C++.
var plainWords = map[string]bool{}

func init() {
	for _, w := range strings.Fields(`const volatile signed unsigned char short int long float double void
		size_t ptrdiff_t intptr_t uintptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t`) {
		plainWords[w] = true
	}
}

var (
	typeWord  = regexp.MustCompile(`[A-Za-z_][A-Za-z_0-9:<>]*`)
	qualifier = regexp.MustCompile(`\b(__restrict|restrict|__restrict__)\b`)
)

// plain reports whether a type can be written as it is.
func plain(t string) bool {
	if t == "" || strings.ContainsAny(t, "&<>:") {
		return false
	}
	for _, w := range typeWord.FindAllString(t, -1) {
		if !plainWords[w] {
			return false
		}
	}
	return true
}

// spelled is a C type without what only C knows.
func spelled(t string) string { return strings.TrimSpace(qualifier.ReplaceAllString(t, "")) }

// scalarType is the C type of a number: as the source has it, or for enumerations and
// names of the source's own the integer of its size.
func scalarType(p *cabi.Param) string {
	if t := spelled(p.Type); plain(t) && !strings.ContainsAny(t, "*[(") {
		return strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(t, "volatile "), "const "))
	}
	sign := ""
	if p.Unsigned || isBool(p) {
		sign = "u"
	}
	switch p.Size {
	case 1, 2, 4, 8:
		return fmt.Sprintf("%sint%d_t", sign, 8*p.Size)
	}
	return "uint64_t"
}

func isBool(p *cabi.Param) bool {
	switch spelled(p.Type) {
	case "bool", "_Bool", "const bool", "const _Bool":
		return true
	}
	return false
}

// isConst reports whether a pointer's type promises that its target stays as it is.
func isConst(p *cabi.Param) bool {
	t := spelled(p.Type)
	head, _, _ := strings.Cut(t, "*")
	return strings.HasPrefix(t, "const ") || strings.Contains(head, " const")
}

// pointerDecl declares a parameter that is a pointer: as the source has it where that
// needs no declarations of its own, else as a pointer to void.
func pointerDecl(p *cabi.Param, name string) string {
	t := spelled(p.Type)
	switch {
	case p.Class != cabi.Struct && plain(t) && strings.Contains(t, "(*)"):
		return strings.Replace(t, "(*)", "(*"+name+")", 1)
	case p.Class != cabi.Struct && plain(t) && strings.HasSuffix(t, "*") && !strings.Contains(t, "["):
		return t + name
	case p.Class == cabi.Struct || isConst(p):
		return "const void *" + name
	}
	return "void *" + name
}
