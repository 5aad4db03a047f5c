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

func TestLibraryUses(t *testing.T) {
	text := `// loom_comment #(
	loom_fifo #(.W(1)) u (.x(y));
	loom_join u_join (.a(b));
	assign e = loom_pkg::ERR; wire loom_not_a_module;`
	if d := cmp.Diff([]string{"loom_fifo", "loom_join", "loom_pkg"}, libraryUses(text)); d != "" {
		t.Error(d)
	}
}
