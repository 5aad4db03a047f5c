package circuit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/circuit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

func oneFunction(t *testing.T, text string) *ir.Operation {
	t.Helper()
	mod, err := mlir.Parse("late.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	return mod.Regions[0].Entry().Ops[0]
}

// TestLaterAll: a choice between a value and the neutral element of the operation behind it can be made behind
// that operation, and no other choice. What the circuits compute random programs say (sim/cycle, TestLockstep).
func TestLaterAll(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       string // the units
	}{
		{"the difference or nothing", "%s = arith.select %c, %y, %zero : i32\n%r = arith.subi %x, %s : i32", "arith.subi(x_to_s, y) arith.select(c, s, x_to_r)"},
		{"nothing or the difference", "%s = arith.select %c, %zero, %y : i32\n%r = arith.subi %x, %s : i32", "arith.subi(x_to_s, y) arith.select(c, x_to_r, s)"},
		{"a sum", "%s = arith.select %c, %y, %zero : i32\n%r = arith.addi %s, %x : i32", "arith.addi(y, x_to_s) arith.select(c, s, x_to_r)"},
		{"a conjunction", "%s = arith.select %c, %ones, %y : i32\n%r = arith.andi %s, %x : i32", "arith.andi(y, x_to_s) arith.select(c, x_to_r, s)"},
		{"what is taken from is chosen", "%s = arith.select %c, %y, %zero : i32\n%r = arith.subi %s, %x : i32", "arith.select(c, y, 0) arith.subi(s, x)"},
		{"no neutral element of a sum", "%s = arith.select %c, %y, %ones : i32\n%r = arith.addi %x, %s : i32", "arith.select(c, y, 4294967295) arith.addi(x, s)"},
		{"no neutral element of a conjunction", "%s = arith.select %c, %y, %zero : i32\n%r = arith.andi %x, %s : i32", "arith.select(c, y, 0) arith.andi(x, s)"},
		{"a choice with another reader", "%s = arith.select %c, %y, %zero : i32\n%q = arith.subi %x, %s : i32\n%r = arith.xori %q, %s : i32",
			"arith.select(c, y, 0) arith.subi(x, s_to_q) arith.xori(q, s_to_r)"},
		{"nothing but held values", "%hx = dataflow.hold %x : i32\n%hy = dataflow.hold %y : i32\n%s = arith.select %c, %hy, %zero : i32\n%r = arith.subi %hx, %s : i32",
			"arith.select(c, held y, 0) arith.subi(held x, s)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fn := oneFunction(t, fmt.Sprintf(`handshake.func @f(%%x: i32, %%y: i32, %%c: i1, %%start: none, ...) -> (i32, none) {
%%zero = constant %%start {value = 0 : i32} : i32
%%ones = constant %%start {value = -1 : i32} : i32
%s
return %%r, %%start : i32, none
}`, test.body))
			before := mlir.Print(fn, mlir.Options{})
			c, err := circuit.Build(fn, circuit.Options{IndexWidth: 32, LaterAll: true})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, line := range strings.Split(c.String(), "\n") {
				if _, unit, ok := strings.Cut(line, " = arith."); ok {
					unit, _, _ = strings.Cut(unit, " ->")
					got = append(got, "arith."+unit)
				}
			}
			plain := func(s string) string {
				return strings.NewReplacer("x_to_s", "x", "x_to_r", "x", "c_to_s", "c").Replace(s)
			}
			if d := cmp.Diff(plain(test.want), plain(strings.Join(got, " "))); d != "" {
				t.Errorf("-want +got:\n%s\n%s", d, c)
			}
			if d := cmp.Diff(before, mlir.Print(fn, mlir.Options{})); d != "" {
				t.Errorf("the graph has changed:\n%s", d)
			}
		})
	}
}

// TestLater: a choice is made later where the clock target is missed otherwise.
func TestLater(t *testing.T) {
	fn := oneFunction(t, `handshake.func @f(%a: i32, %b: i32, %start: none, ...) -> (i32, none) {
  %x_a = dataflow.carry %go, %a, %a_next : i1, i32, i32 -> i32
  %x_b = dataflow.carry %go, %b, %b_next : i1, i32, i32 -> i32
  %go = arith.cmpi slt, %x_a, %x_b : i32
  %a_in, %a_out = cond_br %go, %x_a : i32
  %b_in, %b_out = cond_br %go, %x_b : i32
  %zero = constant %start {value = 0 : i32} : i32
  %c = arith.cmpi ugt, %a_in, %b_in : i32
  %s = arith.select %c, %b_in, %zero : i32
  %a_next = arith.addi %a_in, %s : i32
  %b_next = arith.addi %b_in, %a_in : i32
  return %a_out, %start : i32, none
}`)
	for _, clock := range []circuit.Clock{{}, {MHz: 20}, {MHz: 300}} {
		c, err := circuit.Build(fn, circuit.Options{IndexWidth: 32, Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		if clock.MHz == 300 {
			want = []string{"s"}
		}
		if c.Estimate != nil {
			got = c.Estimate.Later
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("choices made later at %s (-want +got):\n%s\n%v", clock, d, c.Estimate)
		}
		if c.Estimate != nil && clock.MHz == 300 {
			// Ready does not come back the way of valid.
			if path := slices.Sorted(slices.Values(c.Estimate.Path[:len(c.Estimate.Path)-1])); len(slices.Compact(slices.Clone(path))) < len(path) {
				t.Errorf("the longest path passes a unit twice: %v", c.Estimate.Path)
			}
		}
		before, after := 0, 0
		for _, u := range c.Units {
			if u.Op == nil || u.Op.Name != opname.ArithSelect {
				continue
			}
			if u.In[2].Immediate() {
				before++
			} else {
				after++
			}
		}
		if before != 1-len(want) || after != len(want) {
			t.Errorf("at %s: %d choices before their operation, %d behind\n%s", clock, before, after, c)
		}
	}
}
