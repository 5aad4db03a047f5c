package rtl

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loom/internal/tools/toolstest"
)

// operation is a combinational module or a divider variant with its value in
// unbounded integers: us and ss are the operands read unsigned and signed.
type operation struct {
	name     string
	instance func(w int) string // connects a, b, c (predicate or condition), y
	value    func(w int, c uint64, us, ss [2]*big.Int) *big.Int
	controls int  // number of values of c
	clocked  bool // a divider
}

func bigInt(v int64) *big.Int { return big.NewInt(v) }

// ops are all single-cycle operations and the four dividers.
func ops() []operation {
	type two = [2]*big.Int
	var out []operation
	binary := func(name string, f func(w int, u, s two) *big.Int) {
		out = append(out, operation{name: name, controls: 1,
			instance: func(w int) string {
				return fmt.Sprintf("loom_op_%s #(.W(%d)) u (.a(a[%d:0]), .b(b[%d:0]), .y(y));", name, w, w-1, w-1)
			},
			value: func(w int, _ uint64, u, s two) *big.Int { return f(w, u, s) }})
	}
	unary := func(name string, f func(w int, u, s *big.Int) *big.Int) {
		out = append(out, operation{name: name, controls: 1,
			instance: func(w int) string {
				return fmt.Sprintf("loom_op_%s #(.W(%d)) u (.a(a[%d:0]), .y(y));", name, w, w-1)
			},
			value: func(w int, _ uint64, u, s two) *big.Int { return f(w, u[0], s[0]) }})
	}
	n := func() *big.Int { return new(big.Int) }
	binary("addi", func(_ int, u, _ two) *big.Int { return n().Add(u[0], u[1]) })
	binary("subi", func(_ int, u, _ two) *big.Int { return n().Sub(u[0], u[1]) })
	binary("muli", func(_ int, u, _ two) *big.Int { return n().Mul(u[0], u[1]) })
	binary("andi", func(_ int, u, _ two) *big.Int { return n().And(u[0], u[1]) })
	binary("ori", func(_ int, u, _ two) *big.Int { return n().Or(u[0], u[1]) })
	binary("xori", func(_ int, u, _ two) *big.Int { return n().Xor(u[0], u[1]) })
	amount := func(w int, b *big.Int) uint {
		if b.Cmp(bigInt(int64(w))) >= 0 {
			return uint(w)
		}
		return uint(b.Uint64())
	}
	binary("shli", func(w int, u, _ two) *big.Int { return n().Lsh(u[0], amount(w, u[1])) })
	binary("shrui", func(w int, u, _ two) *big.Int { return n().Rsh(u[0], amount(w, u[1])) })
	binary("shrsi", func(w int, u, s two) *big.Int { return n().Rsh(s[0], amount(w, u[1])) })
	pick := func(first bool, p two) *big.Int {
		if first {
			return p[0]
		}
		return p[1]
	}
	binary("maxsi", func(_ int, _, s two) *big.Int { return pick(s[0].Cmp(s[1]) > 0, s) })
	binary("minsi", func(_ int, _, s two) *big.Int { return pick(s[0].Cmp(s[1]) < 0, s) })
	binary("maxui", func(_ int, u, _ two) *big.Int { return pick(u[0].Cmp(u[1]) > 0, u) })
	binary("minui", func(_ int, u, _ two) *big.Int { return pick(u[0].Cmp(u[1]) < 0, u) })
	unary("absi", func(_ int, _, s *big.Int) *big.Int { return n().Abs(s) })
	unary("ctpop", func(w int, u, _ *big.Int) *big.Int {
		ones := int64(0)
		for k := range w {
			ones += int64(u.Bit(k))
		}
		return bigInt(ones)
	})
	unary("ctlz", func(w int, u, _ *big.Int) *big.Int { return bigInt(int64(w - u.BitLen())) })
	unary("cttz", func(w int, u, _ *big.Int) *big.Int {
		if u.Sign() == 0 {
			return bigInt(int64(w))
		}
		return bigInt(int64(u.TrailingZeroBits()))
	})
	unary("bitreverse", func(w int, u, _ *big.Int) *big.Int {
		r := n()
		for k := range w {
			r.SetBit(r, w-1-k, u.Bit(k))
		}
		return r
	})
	out = append(out, operation{name: "select", controls: 2,
		instance: func(w int) string {
			return fmt.Sprintf("loom_op_select #(.W(%d)) u (.cond(c[0]), .a(a[%d:0]), .b(b[%d:0]), .y(y));", w, w-1, w-1)
		},
		value: func(_ int, c uint64, u, _ two) *big.Int { return pick(c == 1, u) }})
	out = append(out, operation{name: "cmpi", controls: 16,
		instance: func(w int) string {
			return fmt.Sprintf("wire bit0, bad; assign y = {bad, bit0}; loom_op_cmpi #(.W(%d)) u (.cfg_predicate(c), .a(a[%d:0]), .b(b[%d:0]), .y(bit0), .err(bad));", w, w-1, w-1)
		},
		value: func(_ int, c uint64, u, s two) *big.Int {
			order, sorder := u[0].Cmp(u[1]), s[0].Cmp(s[1])
			if c > 9 {
				return bigInt(2)
			}
			if [10]bool{order == 0, order != 0, sorder < 0, sorder <= 0, sorder > 0, sorder >= 0, order < 0, order <= 0, order > 0, order >= 0}[c] {
				return bigInt(1)
			}
			return bigInt(0)
		}})
	for _, to := range []int{1, 8, 32, 64} {
		cast := func(name string, signed, wider, narrower bool) {
			out = append(out, operation{name: fmt.Sprintf("%s to %d", name, to), controls: 1,
				instance: func(w int) string {
					if (to > w && !wider) || (to < w && !narrower) {
						return ""
					}
					return fmt.Sprintf("loom_op_%s #(.W_IN(%d), .W_OUT(%d)) u (.a(a[%d:0]), .y(y[%d:0]));", name, w, to, w-1, to-1)
				},
				value: func(_ int, _ uint64, u, s two) *big.Int {
					v := u[0]
					if signed {
						v = s[0]
					}
					return n().And(v, n().Sub(n().Lsh(bigInt(1), uint(to)), bigInt(1)))
				}})
		}
		cast("extsi", true, true, false)
		cast("extui", false, true, false)
		cast("trunci", false, false, true)
		cast("index_cast", true, true, true)
		cast("index_castui", false, true, true)
	}
	out = append(out, operation{name: "mul", controls: 1, clocked: true,
		instance: func(w int) string {
			return fmt.Sprintf("loom_mul #(.W(%d)) u (.clk(clk), .rst(rst), .a_valid(valid), .a_ready(), .a_data(a[%d:0]), .b_valid(valid), .b_ready(), .b_data(b[%d:0]), .y_valid(), .y_ready(1'b1), .y_data(y), .idle());",
				w, w-1, w-1)
		},
		value: func(_ int, _ uint64, u, _ two) *big.Int { return n().Mul(u[0], u[1]) }})
	for _, digits := range [][2]uint64{{1, 0}, {32, 2}, {9, 4}, {0, 1}, {0, 0}, {1 << 63, 1}} {
		out = append(out, operation{name: fmt.Sprintf("scale by %d - %d", digits[0], digits[1]), controls: 1,
			instance: func(w int) string {
				return fmt.Sprintf("loom_scale #(.W(%d), .PLUS(%d'd%d), .MINUS(%d'd%d)) u (.a(a[%d:0]), .y(y));", w, w, digits[0]&(1<<w-1), w, digits[1]&(1<<w-1), w-1)
			},
			value: func(w int, _ uint64, u, _ two) *big.Int {
				return n().Mul(u[0], n().Sub(n().SetUint64(digits[0]&(1<<w-1)), n().SetUint64(digits[1]&(1<<w-1))))
			}})
	}
	for variant := range 4 {
		signed, rem := variant&1 == 1, variant&2 == 2
		out = append(out, operation{name: fmt.Sprintf("divrem signed %t rem %t", signed, rem), controls: 1, clocked: true,
			instance: func(w int) string {
				return fmt.Sprintf("loom_divrem #(.W(%d), .SIGNED(%d), .REM(%d)) u (.clk(clk), .rst(rst), .a_valid(valid), .a_ready(), .a_data(a[%d:0]), .b_valid(valid), .b_ready(), .b_data(b[%d:0]), .y_valid(), .y_ready(1'b1), .y_data(y), .idle());",
					w, variant&1, variant>>1, w-1, w-1)
			},
			value: func(_ int, _ uint64, u, s two) *big.Int {
				p := u
				if signed {
					p = s
				}
				switch {
				case p[1].Sign() == 0 && rem:
					return p[0]
				case p[1].Sign() == 0:
					return bigInt(-1)
				case rem:
					return n().Rem(p[0], p[1])
				}
				return n().Quo(p[0], p[1])
			}})
	}
	return out
}

// operand draws interesting bit patterns of w bits.
func operand(r *rand.Rand, w int) uint64 {
	mask := ^uint64(0) >> (64 - w)
	switch r.IntN(8) {
	case 0:
		return []uint64{0, 1, mask, 1 << (w - 1), mask >> 1, uint64(w), uint64(w - 1), uint64(w + 1)}[r.IntN(8)] & mask
	case 1:
		return r.Uint64() & mask >> r.IntN(w)
	case 2:
		return ^(r.Uint64() & mask >> r.IntN(w)) & mask
	}
	return r.Uint64() & mask
}

// TestOperations compares every operation and divider with unbounded
// arithmetic at widths 1, 8, 32 and 64, corner cases and random operands, in
// one simulation under Icarus.
func TestOperations(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	t.Parallel()
	vectors := 60
	if soak() {
		vectors = 3000
	}
	r := rand.New(rand.NewPCG(2, 26))
	var bench, checks, data strings.Builder
	total := 0
	for k, op := range ops() {
		for _, w := range []int{1, 8, 32, 64} {
			inst := op.instance(w)
			if inst == "" {
				continue
			}
			id := fmt.Sprintf("g%d_%d", k, w)
			width := w
			switch {
			case strings.Contains(op.name, " to "):
				width = 64
			case op.name == "cmpi":
				width = 2
			}
			// Casts drive only their low bits.
			high := ""
			if _, to, ok := strings.Cut(op.name, " to "); ok && to != "64" {
				high = fmt.Sprintf("assign y[63:%s] = 0;", to)
			}
			n := vectors * min(op.controls, 8)
			fmt.Fprintf(&bench, "  if (1) begin : %s\n    reg valid = 0;\n    reg [3:0] c = 0; reg [63:0] a = 0, b = 0;\n    wire [%d:0] y;\n    %s\n    %s\n  end\n", id, width-1, high, inst)
			wait := 1
			if op.clocked {
				wait = w + 1
				n = min(n, 400)
			}
			// Operands of its own, so that no other operation is evaluated. The clock runs for dividers only: valid for one cycle, result W+1 later.
			step := "#1;"
			if op.clocked {
				step = fmt.Sprintf("%s.valid = 1; tick; %s.valid = 0; repeat (%d) tick;", id, id, wait-1)
			}
			fmt.Fprintf(&checks, `    for (k = 0; k < %[1]d; k = k + 1) begin
      {%[2]s.c, %[2]s.a, %[2]s.b, want} = vector[at]; at = at + 1;
      %[3]s
      if (%[2]s.y !== want[%[4]d:0]) begin
        if (errors < 20) $display("%[5]s at %[6]d: c=%%0d a=%%h b=%%h: found %%h, expected %%h", %[2]s.c, %[2]s.a, %[2]s.b, %[2]s.y, want[%[4]d:0]);
        errors = errors + 1;
      end
      %[7]s
    end
`, n, id, step, width-1, op.name, w, map[bool]string{true: "tick;", false: ""}[op.clocked])
			for range n {
				c := r.Uint64N(uint64(op.controls))
				a, b := operand(r, w), operand(r, w)
				var us, ss [2]*big.Int
				for i, v := range []uint64{a, b} {
					us[i] = new(big.Int).SetUint64(v)
					ss[i] = new(big.Int).Set(us[i])
					if us[i].Bit(w-1) == 1 {
						ss[i].Sub(ss[i], new(big.Int).Lsh(big.NewInt(1), uint(w)))
					}
				}
				want := op.value(w, c, us, ss)
				low := new(big.Int).And(want, new(big.Int).SetUint64(^uint64(0)>>(64-width)))
				fmt.Fprintf(&data, "%01x%016x%016x%016x\n", c, a, b, low)
				total++
			}
		}
	}
	top := fmt.Sprintf(`module bench;
  reg clk = 0, rst = 1;
  reg [63:0] want;
  reg [195:0] vector [0:%d];
  integer k, at = 0, errors = 0;
  task tick; begin #1 clk = 1; #1 clk = 0; #1; end endtask
%s
  initial begin
    $readmemh("vectors.hex", vector);
    tick; tick; rst = 0;
%s
    $display("checked %%0d, errors %%0d", at, errors);
    $finish;
  end
endmodule
`, total-1, bench.String(), checks.String())
	dir := t.TempDir()
	sources(t, dir, "", "", "")
	for name, text := range map[string]string{"bench.sv": top, "vectors.hex": data.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := append([]string{"-g2012", "-o", "bench.vvp", "-s", "bench"}, library(t)...)
	if out, err := run(t, dir, 3*time.Minute, "iverilog", append(args, "bench.sv")...); err != nil {
		t.Fatalf("iverilog: %v\n%s", err, tail(out))
	}
	out, err := run(t, dir, 20*time.Minute, "vvp", "bench.vvp")
	if err != nil {
		t.Fatalf("vvp: %v\n%s", err, tail(out))
	}
	if !strings.Contains(out, fmt.Sprintf("checked %d, errors 0", total)) {
		t.Errorf("expected %d vectors without errors:\n%s", total, tail(out))
	}
}
