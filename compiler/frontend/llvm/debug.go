package llvm

import (
	"sort"
	"strconv"
	"strings"

	"loom/compiler/ir"
)

// Debug is the debug information of a module: its attribute aliases, by which the
// llvm dialect describes variables and types (DWARF).
type Debug struct{ aliases map[string]string }

// NewDebug reads the aliases of a module's text.
func NewDebug(text string) *Debug {
	d := &Debug{aliases: map[string]string{}}
	for line := range strings.Lines(text) {
		if name, def, ok := strings.Cut(line, " = "); ok && strings.HasPrefix(name, "#") && !strings.ContainsAny(name, " \t") {
			d.aliases[name] = strings.TrimSpace(def)
		}
	}
	return d
}

// Entry is one piece of debug information, such as #llvm.di_local_variable<…>.
type Entry struct {
	// Kind is the mnemonic without "di_": "local_variable", "derived_type", …
	Kind string
	// Values are the parameters by name as text.
	Values map[string]string
	// Plain are the parameters without name, in order.
	Plain []string
	d     *Debug
}

// Entry reads an attribute; nil where it is no debug information.
func (d *Debug) Entry(a ir.Attr) *Entry {
	if a == nil {
		return nil
	}
	return d.entry(a.String())
}

// All are the entries of a kind, by alias.
func (d *Debug) All(kind string) []*Entry {
	var names []string
	for name, def := range d.aliases {
		if strings.HasPrefix(def, "#llvm.di_"+kind+"<") {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	out := make([]*Entry, len(names))
	for i, name := range names {
		out[i] = d.entry(name)
	}
	return out
}

func (d *Debug) entry(text string) *Entry {
	for range 4 {
		def, ok := d.aliases[text]
		if !ok {
			break
		}
		text = def
	}
	kind, rest, _ := strings.Cut(text, "<")
	kind, ok := strings.CutPrefix(kind, "#llvm.di_")
	if !ok {
		return nil
	}
	e := &Entry{Kind: kind, Values: map[string]string{}, d: d}
	key := ""
	for _, part := range splitTop(strings.TrimSuffix(rest, ">")) {
		name, value, named := strings.Cut(part, " = ")
		switch {
		case named && isWord(name):
			key = name
			e.Values[key] = value
		case key != "": // a list: elements = #a, #b
			e.Values[key] += ", " + part
		default:
			e.Plain = append(e.Plain, part)
		}
	}
	if id := e.Values["recId"]; id != "" && e.Tag() == "null" {
		// A type inside itself is a placeholder that names its definition.
		if def := d.recursive(id); def != "" {
			return d.entry(def)
		}
	}
	return e
}

func isWord(s string) bool {
	for _, c := range s {
		if !(c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9') {
			return false
		}
	}
	return s != ""
}

// splitTop splits at the commas that are in no bracket and no string.
func splitTop(s string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case '<', '(', '[', '{':
			depth++
		case '>', ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	if rest := strings.TrimSpace(s[start:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// Str is a parameter that is a string, without its quotes.
func (e *Entry) Str(key string) string {
	v := e.Values[key]
	if len(v) < 2 || v[0] != '"' {
		return v
	}
	return v[1 : len(v)-1]
}

// Num is a parameter that is a number, 0 where it is absent.
func (e *Entry) Num(key string) int64 {
	n, _ := strconv.ParseInt(strings.Fields(e.Values[key] + " 0")[0], 10, 64)
	return n
}

// Ref is a parameter that is another entry, nil where it is absent.
func (e *Entry) Ref(key string) *Entry {
	if v := e.Values[key]; v != "" {
		return e.d.entry(v)
	}
	return nil
}

// Refs are the entries of a parameter that is a list; an absent element (void) is nil.
func (e *Entry) Refs(key string) []*Entry {
	var out []*Entry
	for _, p := range splitTop(e.Values[key]) {
		out = append(out, e.d.entry(p))
	}
	return out
}

// Tag is the DWARF tag without DW_TAG_: "pointer_type", "member", "typedef", …
func (e *Entry) Tag() string { return strings.TrimPrefix(e.Values["tag"], "DW_TAG_") }
