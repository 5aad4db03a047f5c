package recorded

import "testing"

// TestCode: comments, indentation and empty lines are no part of what synthesis reads; everything else is.
func TestCode(t *testing.T) {
	const text = "// head\nmodule m;\n\n  assign a = b / c; // why\nendmodule\n"
	if got, want := Code(text), "module m;\nassign a = b / c;\nendmodule"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, same := range []string{"module m; // m\nassign a = b / c;\nendmodule", "\n\tmodule m;\n\tassign a = b / c;\n\tendmodule\n"} {
		if Code(same) != Code(text) {
			t.Errorf("%q is other code", same)
		}
	}
	if Code("module m;\nassign a = b * c;\nendmodule") == Code(text) {
		t.Error("another operation is the same code")
	}
}
