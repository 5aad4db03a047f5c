package synth

import (
	"os"
	"path/filepath"
	"testing"

	"loom/internal/tools/toolstest"
)

// TestXilinxApart: modules stay apart, are counted by their parameters wherever they stand, and all cells
// are those of the parts and of what is around them.
func TestXilinxApart(t *testing.T) {
	toolstest.Need(t, "yosys")
	dir := t.TempDir()
	const source = `module held #(parameter int W = 2) (input logic clk, input logic [W-1:0] d, output logic [W-1:0] q);
  always_ff @(posedge clk) q <= ~d;
endmodule
module two (input logic clk, input logic [1:0] d, output logic [1:0] q);
  logic [1:0] between;
  held u_first (.clk(clk), .d(d), .q(between));
  held u_second (.clk(clk), .d(between), .q(q));
endmodule
module design (input logic clk, input logic [4:0] d, output logic [4:0] q, output logic [1:0] more, output logic own);
  held #(.W(3)) u_wide (.clk(clk), .d(d[4:2]), .q(q[4:2]));
  two u_two (.clk(clk), .d(d[1:0]), .q(q[1:0]));
  held u_more (.clk(clk), .d(d[1:0]), .q(more));
  always_ff @(posedge clk) own <= ^d;
endmodule
`
	if err := os.WriteFile(filepath.Join(dir, "design.sv"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := XilinxApart(t.Context(), Design{Dir: dir, Top: "design", Files: []string{"design.sv"}}, []string{"*held*"})
	if err != nil {
		t.Fatal(err)
	}
	// The two in u_two are instances of the top once it is flattened.
	want := map[string]string{"u_wide": "held", "u_first": "held", "u_second": "held", "u_more": "held"}
	sum, n := p.Top, 0
	for id, part := range p.Parts {
		sum.LUT, sum.FF, n = sum.LUT+part.Count*part.Cells.LUT, sum.FF+part.Count*part.Cells.FF, n+part.Count
		if width := part.Cells.FF; part.Name != "held" || width == 3 && part.Count != 1 || width == 2 && part.Count != 3 || width != 2 && width != 3 {
			t.Errorf("%s: %+v", id, part)
		}
	}
	if len(p.Parts) != 2 || n != 4 || p.Top.FF != 1 || p.Total.FF != 10 || sum.FF != p.Total.FF || sum.LUT != p.Total.LUT {
		t.Errorf("%d parts, %d of them, total %+v, sum %+v, top %+v", len(p.Parts), n, p.Total, sum, p.Top)
	}
	for instance, name := range want {
		if part := p.Parts[p.Instances[instance]]; part == nil || part.Name != name || (part.Cells.FF == 3) != (instance == "u_wide") {
			t.Errorf("%s is %q", instance, p.Instances[instance])
		}
	}
	// Parts inside parts are counted wherever they stand.
	const nested = `module nested (input logic clk, input logic [1:0] d, output logic [1:0] q);
  logic [1:0] between;
  two u_first (.clk(clk), .d(d), .q(between));
  two u_second (.clk(clk), .d(between), .q(q));
endmodule
`
	if err := os.WriteFile(filepath.Join(dir, "nested.sv"), []byte(nested), 0o644); err != nil {
		t.Fatal(err)
	}
	if p, err = XilinxApart(t.Context(), Design{Dir: dir, Top: "nested", Files: []string{"design.sv", "nested.sv"}}, []string{"*held*", "two"}); err != nil {
		t.Fatal(err)
	}
	for _, part := range p.Parts {
		want := map[string]Part{"held": {Count: 4, Cells: Cells{FF: 2}, All: Cells{FF: 2}}, "two": {Count: 2, All: Cells{FF: 4}}}[part.Name]
		if part.Count != want.Count || part.Cells.FF != want.Cells.FF || part.All.FF != want.All.FF {
			t.Errorf("nested: %+v, want %+v", part, want)
		}
	}
	if p.Total.FF != 8 || len(p.Parts) != 2 {
		t.Errorf("nested: %d parts, total %+v", len(p.Parts), p.Total)
	}
	if _, err := XilinxApart(t.Context(), Design{Dir: dir, Top: "missing", Files: []string{"design.sv"}}, []string{"*held*"}); err == nil {
		t.Error("a design without its top is synthesised")
	}
}
