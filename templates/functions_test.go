package templates

import "testing"

func TestFunctions(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{logic(1), "logic       "},
		{logic(8), "logic [7:0] "},
		{logic(128), "logic [127:0]"},
		{bits("v", 3, 4, 9), "v[6:3]"},
		{bits("v", 0, 9, 9), "v"},
		{bits("v", 2, 1, 9), "v[2]"},
		{fit("a", 8, 8, 8, 0), "a"},
		{fit("a", 8, 8, 4, 0), "a[3:0]"},
		{fit("a", 8, 8, 1, 0), "a[0]"},
		{fit("a", 1, 1, 8, 0), "{7'd0, a}"},
		{fit("a", 8, 8, 8, 3), "a"},
		{fit("a", 8, 8, 4, 3), "{a[10:8], a[3:0]}"},
		{fit("a", 8, 8, 0, 3), "a[10:8]"},
		{fit("a", 0, 0, 8, 3), "{a, 8'd0}"},
		{fit("a", 8, 2, 8, 3), "{a[10:8], 6'd0, a[1:0]}"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// TestMissing: a view without what a template reads is an error, not an empty text.
func TestMissing(t *testing.T) {
	if text, err := Render("whole", map[string]any{"Stem": "x"}); err == nil {
		t.Errorf("rendered %q", text)
	}
}
