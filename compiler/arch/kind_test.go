package arch_test

import (
	"testing"

	"loom/compiler/arch"
	"loom/compiler/ir"

	_ "loom/compiler/dialect/all"
)

// TestKinds: every component kind is an operation of the dialect, and has a name
// and error symbols and codes of its own.
func TestKinds(t *testing.T) {
	kinds, symbols, codes := map[arch.Kind]bool{}, map[string]bool{}, map[int]bool{}
	for _, k := range arch.Kinds() {
		if kinds[k] || ir.Lookup("fabric."+k.String()) == nil {
			t.Errorf("kind '%s' stands in the table twice, or is no operation", k)
		}
		kinds[k] = true
		for _, s := range k.Contract().Symbols() {
			if symbols[s.Name] {
				t.Errorf("symbol %s belongs to two kinds", s.Name)
			}
			symbols[s.Name] = true
		}
		for _, e := range k.Contract().Errors() {
			if codes[e.Code] {
				t.Errorf("code %d belongs to two kinds", e.Code)
			}
			codes[e.Code] = true
		}
	}
}
