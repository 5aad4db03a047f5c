package rtl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// field is a port of a module under test with its width in bits.
type field struct {
	port  string
	width int
}

// lockstep is one module that a bench drives and compares with its model in every
// cycle: put fills stimulus and expectation line by line, in the order of the fields.
type lockstep struct {
	module, params string // parameters as in an instance
	fixed          string // connections of constant inputs, as in an instance
	around         string // of the bench, where inputs depend on outputs found_*
	in, out        []field
	clocked        bool

	stim, want strings.Builder
}

// bits writes the low w bits of v in binary.
func bits(w int, v uint64) string { return fmt.Sprintf("%0*b", w, v) }

func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// unless writes v, or x, which matches every value, where v is undefined.
func unless(nothing bool, w int, v uint64) string {
	if nothing {
		return strings.Repeat("x", w)
	}
	return bits(w, v)
}

// put adds a cycle.
func (l *lockstep) put(stim, want []string) {
	l.stim.WriteString(strings.Join(stim, "") + "\n")
	l.want.WriteString(strings.Join(want, "") + "\n")
}

// bench writes the bench module for l, with number k; at a mismatch it executes a statement.
func (l *lockstep) bench(k, cycles int, mismatch string) string {
	var b, connections strings.Builder
	width := func(fields []field) (sum int) {
		for _, f := range fields {
			sum += f.width
		}
		return sum
	}
	fmt.Fprintf(&b, "module bench%d (input clk, input [31:0] at);\n", k)
	declare := func(fields []field, array string) {
		total := width(fields)
		fmt.Fprintf(&b, "  reg [%d:0] %s [0:%d];\n  wire [%d:0] %s_now = %s[at];\n", total-1, array, cycles-1, total-1, array, array)
		high := total
		for _, f := range fields {
			fmt.Fprintf(&b, "  wire [%d:0] %s_%s = %s_now[%d:%d];\n", f.width-1, array, f.port, array, high-1, high-f.width)
			high -= f.width
		}
	}
	declare(l.in, "stim")
	declare(l.out, "want")
	if l.clocked {
		connections.WriteString(", .clk(clk)")
	}
	if l.fixed != "" {
		connections.WriteString(", " + l.fixed)
	}
	for _, f := range l.in {
		fmt.Fprintf(&connections, ", .%s(stim_%s)", f.port, f.port)
	}
	for _, f := range l.out {
		fmt.Fprintf(&b, "  wire [%d:0] found_%s;\n", f.width-1, f.port)
		fmt.Fprintf(&connections, ", .%s(found_%s)", f.port, f.port)
	}
	b.WriteString(l.around)
	fmt.Fprintf(&b, "  %s #(%s) u (%s);\n  reg wrong = 0;\n", l.module, l.params, strings.TrimPrefix(connections.String(), ", "))
	fmt.Fprintf(&b, "  initial begin\n    $readmemb(\"stim%d.txt\", stim);\n    $readmemb(\"want%d.txt\", want);\n  end\n", k, k)
	b.WriteString("  always @(posedge clk) if (!wrong) begin\n")
	for _, f := range l.out {
		fmt.Fprintf(&b, "    if ((found_%[1]s ==? want_%[1]s) !== 1'b1) begin\n      wrong <= 1;\n", f.port)
		fmt.Fprintf(&b, "      $display(\"MISMATCH %s %d cycle %%0d %s: found %%b, expected %%b\", at, found_%s, want_%s);\n      %s\n    end\n", l.module, k, f.port, f.port, f.port, mismatch)
	}
	b.WriteString("  end\nendmodule\n")
	return b.String()
}

// compare simulates all of ls under Icarus in dir, which holds the sources, and returns
// the output of the simulation: a MISMATCH line for every port that differs in the first
// bad cycle of a module.
func compare(t *testing.T, dir string, cycles int, ls []*lockstep) string {
	t.Helper()
	out := simulateLockstep(t, dir, cycles, ls, "")
	if !strings.Contains(out, "DONE") {
		t.Fatalf("vvp did not end:\n%s", tail(out))
	}
	return out
}

// differs reports whether a module of ls differs from its model in some cycle; the simulation ends there.
func differs(t *testing.T, dir string, cycles int, ls []*lockstep) bool {
	t.Helper()
	return strings.Contains(simulateLockstep(t, dir, cycles, ls, "$finish;"), "MISMATCH")
}

// simulateLockstep runs the simulation of compare; at a mismatch it executes a statement.
func simulateLockstep(t *testing.T, dir string, cycles int, ls []*lockstep, mismatch string) string {
	t.Helper()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var benches, instances strings.Builder
	var modules []string
	for k, l := range ls {
		for name, text := range map[string]string{"stim": l.stim.String(), "want": l.want.String()} {
			if n := strings.Count(text, "\n"); n != cycles {
				t.Fatalf("%s %d has %d cycles of %s, not %d", l.module, k, n, name, cycles)
			}
			write(fmt.Sprintf("%s%d.txt", name, k), text)
		}
		benches.WriteString(l.bench(k, cycles, mismatch))
		fmt.Fprintf(&instances, "  bench%d b%d (clk, at);\n", k, k)
		modules = append(modules, l.module)
	}
	write("bench.sv", benches.String()+fmt.Sprintf(`module bench;
  reg clk = 0;
  reg [31:0] at = 0;
%s
  initial begin
    for (at = 0; at < %d; at = at + 1) begin #1 clk = 1; #1 clk = 0; #1; end
    $display("DONE");
    $finish;
  end
endmodule
`, instances.String(), cycles))
	files, err := Closure(modules...)
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-g2012", "-o", "bench.vvp", "-s", "bench"}, files...)
	if out, err := run(t, dir, 3*time.Minute, "iverilog", append(args, "bench.sv")...); err != nil {
		t.Fatalf("iverilog: %v\n%s", err, tail(out))
	}
	out, err := run(t, dir, 20*time.Minute, "vvp", "bench.vvp")
	if err != nil {
		t.Fatalf("vvp: %v\n%s", err, tail(out))
	}
	return out
}
