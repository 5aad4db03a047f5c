package rtlgen

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScope(t *testing.T) {
	s := newScope("clk", "a_valid")
	var got []string
	for _, n := range []string{"x", "x", "x valid", "module", "a", "a", "3d", "b__c", "_", "x_data"} {
		got = append(got, s.name(n))
	}
	// "x valid" would be the valid of x, "x_data" its data.
	want := []string{"x", "x_2", "x_valid_2", "module_x", "a_2", "a_3", "n3d", "b_c", "x_3", "x_data_2"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestExpressions(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{resize("a", 8, 8), "a"},
		{resize("a", 8, 4), "a[3:0]"},
		{resize("a", 8, 1), "a[0]"},
		{resize("a", 1, 8), "{7'd0, a}"},
		{selectBits("v", 3, 4, 9), "v[6:3]"},
		{selectBits("v", 0, 9, 9), "v"},
		{selectBits("v", 2, 1, 9), "v[2]"},
		{concat([]string{"low", "mid", "high"}), "{high, mid, low}"},
		{concat([]string{"one"}), "one"},
		{anyOf(nil), "1'b0"},
		{anyOf([]string{"a & b", "c"}), "(a & b) | c"},
		{allOf(nil), "1'b1"},
		{rangeOf(1), ""},
		{rangeOf(32), "[31:0]"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestLibraryUses(t *testing.T) {
	text := `// loom_comment #(
	loom_fifo #(.W(1)) u (.x(y));
	loom_join u_join (.a(b));
	assign e = loom_pkg::ERR; wire loom_not_a_module;`
	if d := cmp.Diff([]string{"loom_fifo", "loom_join", "loom_pkg"}, libraryUses(text)); d != "" {
		t.Error(d)
	}
}
