package clang

import (
	"bytes"
	"regexp"
	"slices"
)

// layoutEntry matches an entry of a module's data layout, layoutSpec all of them.
var (
	layoutEntry = regexp.MustCompile(entry)
	layoutSpec  = regexp.MustCompile(entry + `(?:, ` + entry + `)*`)
)

const entry = `#dlti\.dl_entry<(?:[^<>]|<[^<>]*>)*>`

// sortLayout puts the entries of the data layout in order: mlir-translate prints them
// in another order each time, and the same source must give the same text.
func sortLayout(text []byte) []byte {
	return layoutSpec.ReplaceAllFunc(text, func(spec []byte) []byte {
		entries := layoutEntry.FindAll(spec, -1)
		slices.SortFunc(entries, bytes.Compare)
		return bytes.Join(entries, []byte(", "))
	})
}
