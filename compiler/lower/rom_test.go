package lower_test

import (
	"strings"
	"testing"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	_ "loom/compiler/dialect/all"
	"loom/compiler/lower"
	"loom/compiler/mlir"
)

// TestROM: a store to a parameter that is ROM is an error, through views, too; a graph with
// one is wrong, and so is a list of what are no memrefs.
func TestROM(t *testing.T) {
	for _, c := range []struct{ attr, body, want string }{
		{"array<i64: 0>", "%x = memref.load %a[%i] : memref<4xi32>\n memref.store %x, %b[%i] : memref<4xi32>", ""},
		{"array<i64: 1>", "%x = memref.load %a[%i] : memref<4xi32>\n memref.store %x, %b[%i] : memref<4xi32>", "k.mlir:3:2: error: memory b is ROM (loom.rom) and is written here"},
		{"array<i64: 1>", "%x = memref.load %a[%i] : memref<4xi32>\n%v = memref.cast %b : memref<4xi32> to memref<?xi32>\n memref.store %x, %v[%i] : memref<?xi32>", "k.mlir:4:2: error: memory b is ROM"},
		{"array<i64: 2>", "", "loom.rom names parameter 2, which is no memref"},
	} {
		m, err := mlir.ParseAndVerify("k.mlir", "func.func @k(%a: memref<4xi32>, %b: memref<4xi32>, %i: index) attributes {loom.rom = "+c.attr+"} {\n"+c.body+"\nreturn\n}\n")
		if err != nil {
			t.Fatal(err)
		}
		res, err := lower.Lower(m, lower.Options{})
		if c.want == "" {
			if err != nil {
				t.Fatal(err)
			}
			res.Func.SetAttr("loom.rom", nil)
			text := mlir.Print(res.Module, mlir.Options{})
			bad, err := mlir.ParseAndVerify("g.mlir", strings.Replace(text, "attributes {", "attributes {loom.rom = array<i64: 1>, ", 1))
			if err != nil {
				t.Fatal(err)
			}
			var errs diag.List
			dfg.Verify(bad.Regions[0].Entry().Ops[0], &errs)
			if err := errs.Err(); err == nil || !strings.Contains(err.Error(), "memory %b is ROM (loom.rom) and has 1 store ports") {
				t.Errorf("the graph: %v", err)
			}
			continue
		}
		if err == nil || !strings.Contains(diag.Render(diag.FromError(err), nil), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
