package pipeline

import (
	"slices"
	"testing"

	"loom/compiler/frontend"
	"loom/compiler/lower"
	"loom/compiler/pass"
	"loom/compiler/simplify"
)

// TestTables: --dump-after is one namespace, so no name is in two tables; the facts that
// a table takes as given are left by the one before it, in the same words; and every table
// belongs to a stage.
func TestTables(t *testing.T) {
	at := map[string]string{"all": "--dump-after"}
	var left []pass.Fact
	tables := append(frontend.Tables("k.c"), lower.Table(), simplify.Table())
	for i, table := range tables {
		for _, name := range table.Names() {
			if at[name] != "" {
				t.Errorf("pass %s is in %s and in %s", name, at[name], table.Name)
			}
			at[name] = table.Name
		}
		for _, g := range table.Given {
			same := func(f pass.Fact) bool { return f.Name == g.Name && f.Means == g.Means }
			if i > 0 && !slices.ContainsFunc(left, same) {
				t.Errorf("%s takes %q (%s) as given, the stage before leaves %v", table.Name, g.Name, g.Means, left)
			}
		}
		left = table.Left
	}
	found := 0
	for _, s := range Stages() {
		if s.Does == "" || len(s.In)+len(s.Out) == 0 {
			t.Errorf("stage %s has no description, inputs or outputs", s.Name)
		}
		if s.Table != nil {
			found++
		}
	}
	if found != len(tables) {
		t.Errorf("%d of %d tables are stages", found, len(tables))
	}
}
