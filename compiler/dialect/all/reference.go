package all

import (
	"fmt"
	"strings"

	"loom/compiler/ir"
)

//go:generate go test -run TestReference -update .

// traitNames are the traits in the order they are listed.
var traitNames = []struct {
	trait ir.Trait
	name  string
}{
	{ir.Pure, "pure"},
	{ir.Commutative, "commutative"},
	{ir.ConstantLike, "constant"},
	{ir.SameOperandsAndResult, "one type"},
	{ir.Terminator, "terminator"},
	{ir.IsolatedFromAbove, "isolated"},
	{ir.GraphRegion, "graph region"},
	{ir.SymbolTable, "symbol table"},
	{ir.SingleBlock, "single block"},
	{ir.NoTerminator, "no terminator"},
}

// Reference returns the operation reference as Markdown, made from the
// registry.
func Reference() string {
	var b strings.Builder
	b.WriteString(`# Operations

Every operation LOOM reads, from the registry. Regenerate with
` + "`go generate ./compiler/dialect/all`" + `.

Traits: *pure* operations have no side effect; *commutative* ones may swap their operands; *one type*
means that all operands and results have the same type; *isolated* regions use nothing from outside;
a *graph region* may use values before their definition.
`)
	dialect := ""
	for _, d := range ir.Definitions() {
		name, _, _ := strings.Cut(d.Name, ".")
		if name != dialect {
			dialect = name
			fmt.Fprintf(&b, "\n## %s\n\n| operation | meaning | traits |\n|---|---|---|\n", dialect)
		}
		var traits []string
		for _, t := range traitNames {
			if d.Has(t.trait) {
				traits = append(traits, t.name)
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", d.Name, strings.ReplaceAll(d.Summary, "|", `\|`), strings.Join(traits, ", "))
	}
	return b.String()
}
