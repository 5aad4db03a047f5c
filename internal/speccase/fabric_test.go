package speccase

import (
	"fmt"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
)

// fabric verifies fabric.mlir, prints it, and holds the ports of its first
// definition to widths.txt.
func (c *specCase) fabric() {
	m, err := mlir.ParseAndVerify("fabric.mlir", c.file("fabric.mlir"))
	if err != nil {
		c.golden("findings.txt", c.render(diag.FromError(err)))
		return
	}
	c.golden("findings.txt", "")
	text := mlir.Print(m, mlir.Options{})
	c.golden("out.fabric.mlir", text)
	again, err := mlir.ParseAndVerify("out.fabric.mlir", text)
	if err != nil {
		c.Fatal(err)
	}
	if got := mlir.Print(again, mlir.Options{}); got != text {
		c.Errorf("printed again:\n%s", got)
	}
	if !c.has("widths.txt") {
		return
	}
	def := m.Regions[0].Entry().Ops[0]
	if got, want := widths(def), strings.TrimSpace(c.file("widths.txt")); got != want {
		c.Errorf("the ports of %s have %s bits, the specification has %s", ir.SymbolText(def.SymName()), got, want)
	}
}

// widths are the payload bits of a definition's ports (spec-fabric-mem, "Port
// Width by Category"): data and tag, and one bit where both would be absent.
func widths(def *ir.Operation) string {
	list := func(ts []ir.Type) string {
		var out []string
		for _, t := range ts {
			data := t
			if tagged, ok := t.(*ir.TaggedType); ok {
				data = tagged.Value
			}
			w, _ := ir.BitWidth(data, 64)
			if data == ir.Type(ir.None) {
				w = 0
			}
			out = append(out, fmt.Sprint(max(w+arch.TagWidth(t), 1)))
		}
		return strings.Join(out, " ")
	}
	sig := arch.Signature(def)
	return list(sig.Inputs) + " -> " + list(sig.Results)
}
