package synth

import (
	"os"
	"path/filepath"
	"testing"

	"loom/internal/tools/toolstest"
)

// TestECP5Reads: what a module and those in it do is part of what is read, where it stands in its file is not.
func TestECP5Reads(t *testing.T) {
	toolstest.Need(t, "yosys")
	reads := func(top string) string {
		t.Helper()
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "m.sv"), []byte(top), 0o644); err != nil {
			t.Fatal(err)
		}
		d := Design{Dir: dir, Top: "m", Files: []string{"m.sv"}}
		modules, err := Elaborate(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range modules {
			if m.Name == "m" {
				text, err := ECP5Reads(d, m)
				if err != nil {
					t.Fatal(err)
				}
				return text
			}
		}
		t.Fatal("no module m")
		return ""
	}
	inner := func(op string) string {
		return "module inner(input clk, input [3:0] a, output reg [3:0] y);\n  always @(posedge clk) if (a[0]) y <= a " + op + " 4'd3;\nendmodule\n"
	}
	const outer = "module m(input clk, input [3:0] a, output [3:0] y);\n  inner u(.clk(clk), .a(a), .y(y));\nendmodule\n"
	was := reads(inner("+") + outer)
	if reads("// more\n// lines\n\n"+inner("+")+"\n\n"+outer) != was {
		t.Error("further comments change what is read")
	}
	if reads(inner("-")+outer) == was {
		t.Error("another operation of a module inside changes nothing")
	}
}
