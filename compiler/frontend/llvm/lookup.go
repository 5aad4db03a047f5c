package llvm

import (
	"slices"
	"strings"

	"loom/compiler/ir"
)

// Subprogram is the debug information of a function by its symbol, nil where there is
// none.
func (d *Debug) Subprogram(symbol string) *Entry {
	for _, name := range d.names("#llvm.di_subprogram<") {
		e := d.entry(name)
		if e == nil || !strings.Contains(e.Values["subprogramFlags"], "Definition") {
			continue
		}
		if linkage := e.Str("linkageName"); linkage == symbol || linkage == "" && e.Str("name") == symbol {
			return e
		}
	}
	return nil
}

// names are the aliases whose definition begins so, in order.
func (d *Debug) names(prefix string) []string {
	var out []string
	for name, def := range d.aliases {
		if strings.HasPrefix(def, prefix) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// recursive finds the definition of a type that contains itself.
func (d *Debug) recursive(id string) string {
	for _, name := range d.names("#llvm.di_composite_type<") {
		def := d.aliases[name]
		if strings.Contains(def, "recId = "+id+",") && !strings.Contains(def, "tag = DW_TAG_null") {
			return name
		}
	}
	return ""
}

// AccessType is the name of the type that an access tag of type-based alias analysis
// gives (tbaa), "" where it gives none of use.
func (d *Debug) AccessType(tag ir.Attr) string {
	if tag == nil {
		return ""
	}
	text := d.expand(tag.String())
	_, rest, ok := strings.Cut(text, "access_type = ")
	if !ok || !strings.HasPrefix(text, "#llvm.tbaa_tag<") {
		return ""
	}
	desc := d.expand(splitTop(strings.TrimSuffix(rest, ">"))[0])
	_, rest, ok = strings.Cut(desc, `id = "`)
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, `"`)
	if name == "omnipotent char" {
		return "" // may be anything
	}
	return name
}

// expand follows aliases.
func (d *Debug) expand(text string) string {
	for range 4 {
		def, ok := d.aliases[text]
		if !ok {
			break
		}
		text = def
	}
	return text
}

// Accel reports whether a loop annotation is that of #pragma loom accel: clang carries
// the mark as a request to pipeline (package clang).
func (d *Debug) Accel(annotation ir.Attr) bool {
	if annotation == nil {
		return false
	}
	_, rest, ok := strings.Cut(d.expand(annotation.String()), "pipeline = ")
	return ok && strings.Contains(d.expand(splitTop(strings.TrimSuffix(rest, ">"))[0]), "initiationinterval = 1 ")
}
