package dfg

import (
	"strings"
	"testing"
)

// TestAlwaysTrue: a branch on a constant that is true passes every token where nothing reads its
// other side and the condition steers nothing else; otherwise it is a choice, whose sides have
// fewer tokens than what is around it.
func TestAlwaysTrue(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"nothing reads the other side", "%s = arith.addi %yes, %y : i32\n  return %s, %s, %start", ""},
		{"two branches", "%yes2, %no2 = cond_br %on, %y : i32\n  %s = arith.addi %yes, %yes2 : i32\n  return %s, %y, %start", ""},
		{"the other side is read", "%s = arith.addi %yes, %y : i32\n  return %s, %no, %start",
			"%no carries one token where the condition at g:2:9 does not hold"},
		{"the other side of another branch is read", "%yes2, %no2 = cond_br %on, %y : i32\n  %s = arith.addi %yes, %y : i32\n  return %s, %no2, %start",
			"%no2 carries one token where the condition at g:2:9 does not hold"},
		{"the condition merges, too", "%m = mux %on [%y, %x] : i1, i32\n  %s = arith.addi %yes, %y : i32\n  return %s, %m, %start", "the token counts"},
		{"a choice with both sides", "%a = arith.addi %yes, %yes : i32\n  %m = mux %on [%no, %a] : i1, i32\n  return %m, %y, %start", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			errs := verify(parse(t, `handshake.func @f(%x: i32, %y: i32, %start: none) -> (i32, i32, none) {
  %on = constant %start {value = true} : i1
  %yes, %no = cond_br %on, %x : i32
  `+c.body+" : i32, i32, none\n}"))
			text := ""
			for _, d := range errs.All {
				text += d.Message + "\n"
			}
			if c.want == "" && errs.HasErrors() || c.want != "" && !strings.Contains(text, c.want) {
				t.Errorf("want %q, got:\n%s", c.want, text)
			}
		})
	}
}
