package mlir_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"loom/compiler/diag"
	"loom/compiler/mlir"
)

// TestLimits: text made to exhaust the stack, memory or patience is refused, or
// read, in a moment.
func TestLimits(t *testing.T) {
	doubled := func(first, next string) string {
		var b strings.Builder
		fmt.Fprintf(&b, first+"\n", 0)
		for i := 1; i < 80; i++ {
			fmt.Fprintf(&b, next+"\n", i, i-1, i-1)
		}
		return b.String()
	}
	const deep = 100000
	cases := []struct{ name, src, want string }{
		{"regions", "func.func @f(%c: i1) {" + strings.Repeat("scf.if %c {", deep), "nested more than 200 levels deep"},
		{"types", "func.func private @f(" + strings.Repeat("memref<4x", deep), "nested more than 200 levels deep"},
		{"tagged", "func.func private @f(" + strings.Repeat("!fabric.tagged<", deep), "nested more than 200 levels deep"},
		{"functions", "func.func private @f(" + strings.Repeat("(", deep), "nested more than 200 levels deep"},
		{"arrays", "module attributes {a = " + strings.Repeat("[", deep), "nested more than 200 levels deep"},
		{"dictionaries", "module attributes {a = " + strings.Repeat("{b = ", deep), "nested more than 200 levels deep"},
		{"opaque", "module attributes {a = !x.y" + strings.Repeat("<", deep), "nested more than 200 levels deep"},
		{"locations", "module {} loc(" + strings.Repeat(`"a"(`, deep), "nested more than 200 levels deep"},
		{"unclosed", strings.Repeat("func.func @f() {\n", deep), "nested more than 200 levels deep"},
		{"attribute aliases", doubled("#a%d = [1]", "#a%d = [#a%d, #a%d]"), "longer than"},
		{"type aliases", doubled("!a%d = i32", "!a%d = (!a%d, !a%d) -> ()"), "longer than"},
		{"location aliases", "module {} loc(#a79)\n" + doubled(`#a%d = loc("f":1:1)`, "#a%d = loc(fused[#a%d, #a%d])"), "too large"},
		{"circular locations", "module {} loc(#a)\n#a = loc(fused[#b])\n#b = loc(fused[#a])", "undefined alias or is too large"},
		{"errors", "func.func @f(%a: i32) {\n" + strings.Repeat("  arith.addi %a\n", deep), "expected ','"},
		{"closing", strings.Repeat("}", deep), "unexpected '}'"},
		{"results", `%a:999999999999 = "x.y"() : () -> ()`, "a number of results"},
		{"fork", "handshake.func @f(%c: none) -> none { %a:2 = fork [999999999] %c : none\nreturn %c : none }", "out of range"},
		{"ports", "handshake.func @f(%c: none) -> none { memory[ld = 99999999, st = 0] () : memref<4xi8>, () -> ()\nreturn %c : none }", "out of range"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			_, err := mlir.Parse("limits.mlir", c.src)
			if err == nil {
				t.Fatal("accepted")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %s, want %q", diag.Render(diag.FromError(err), nil), c.want)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}
