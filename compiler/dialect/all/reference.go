package all

import (
	"fmt"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/units"
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
a *graph region* may use values before their definition; the *low bits* of a result depend on the same low bits of
the operands alone; an *identity*, on the right, leaves the left operand as it is; what is the same *as* another
operation computes the same from the same operands.
`)
	dialect := ""
	for _, d := range ir.Definitions() {
		name, _, _ := strings.Cut(d.Name, ".")
		if name != dialect {
			dialect = name
			fmt.Fprintf(&b, "\n## %s\n\n| operation | meaning | traits |\n|---|---|---|\n", dialect)
		}
		var traits []string
		if d.Twin != "" {
			traits = append(traits, "as `"+d.Twin+"`")
		}
		for _, t := range traitNames {
			if d.Has(t.trait) {
				traits = append(traits, t.name)
			}
		}
		if d.LowBits() {
			traits = append(traits, "low bits")
		}
		if d.Identity != nil {
			traits = append(traits, fmt.Sprintf("identity %d", *d.Identity))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", d.Name, strings.ReplaceAll(d.Summary, "|", `\|`), strings.Join(traits, ", "))
	}
	b.WriteString(`
## Function units

Operations that a function unit may hold, from the table in ` + "`compiler/units`" + `: their names in architecture
files, the register stages they need at least, the number of bits of their configuration field, and their
modules in ` + "`rtl/`" + `. What has no module is legal in a fabric but cannot be generated.

| operation | in architecture files | latency | configuration | module |
|---|---|---|---|---|
`)
	for _, u := range units.All() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", u.Op, code(u.Mnemonic), u.LatencyText(), configuration(u), code(u.Module))
	}
	return b.String()
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

func configuration(u units.Unit) string {
	switch f := u.Field; {
	case f.Name == "":
		return ""
	case f.From == units.Literal:
		return fmt.Sprintf("%s, %d bits", f.Name, f.N)
	case f.From == units.Repeats:
		return f.Name + ", a bit per input"
	default:
		return f.Name + ", as wide as the result"
	}
}
