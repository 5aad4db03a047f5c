package cgen

import (
	"fmt"
	"strings"
)

// taken are the words that mean something else in the C and C++ that generated code is
// compiled as: keywords, and what its headers declare.
var taken = map[string]bool{}

func init() {
	for _, k := range strings.Fields(`auto break case char const continue default do double else enum extern
		float for goto if inline int long register restrict return short signed sizeof static struct switch
		typedef union unsigned void volatile while bool class delete new private protected public template
		this throw try using virtual namespace operator catch true false alignas alignof and and_eq asm bitand
		bitor char16_t char32_t compl const_cast constexpr decltype dynamic_cast explicit export friend mutable
		noexcept not not_eq nullptr or or_eq reinterpret_cast static_assert static_cast thread_local typeid
		typename wchar_t xor xor_eq
		int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t size_t
		memcpy memset memmove malloc calloc free abort main loom loom_accel linux unix
		div ldiv abs labs exp log pow sin cos tan sqrt floor ceil round trunc fma fmod index y0 y1 yn j0 j1 jn gamma`) {
		taken[k] = true
	}
}

// reserved reports whether an identifier is taken, or of a form that belongs to the
// implementation, to macros or to LOOM.
func reserved(id string) bool {
	macro := len(id) > 1 && strings.ToUpper(id) == id && id[0] != '_'
	return taken[id] || macro || strings.HasPrefix(id, "loom_") ||
		len(id) > 1 && id[0] == '_' && (id[1] == '_' || 'A' <= id[1] && id[1] <= 'Z')
}

// Ident turns a name into a C identifier.
func Ident(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
			b.WriteRune(r)
		case '0' <= r && r <= '9':
			if i == 0 {
				b.WriteString("v")
			}
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	id := b.String()
	if id == "" || reserved(id) {
		id = "v_" + id
	}
	return id
}

// Namer hands out C identifiers that differ from each other.
type Namer struct{ used map[string]bool }

// NewNamer returns a Namer that avoids the given identifiers.
func NewNamer(avoid ...string) *Namer {
	n := &Namer{used: map[string]bool{}}
	for _, a := range avoid {
		n.used[a] = true
	}
	return n
}

// Pick returns a C identifier like name that nothing else has.
func (n *Namer) Pick(name string) string {
	base := Ident(name)
	id := base
	for i := 2; n.used[id]; i++ {
		id = fmt.Sprintf("%s_%d", base, i)
	}
	n.used[id] = true
	return id
}

// Comment makes a name, which may be any string in MLIR, safe in a C comment:
// nothing ends the comment or, as a trigraph or at the end of a line, continues it.
func Comment(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '\\' || r == '?' {
			return '_'
		}
		return r
	}, strings.ReplaceAll(strings.ReplaceAll(s, "*/", "* /"), "/*", "/ *"))
}
