package units_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/units"
	"loom/rtl"
)

// TestTiming pins the latencies that architecture files rely on.
func TestTiming(t *testing.T) {
	for _, c := range []struct {
		op                string
		result            ir.Type
		latency, interval int
	}{
		{"arith.divf", ir.F32, 19, 19}, {"arith.remf", ir.F32, 3, 3}, {"math.sqrt", ir.F64, 34, 34}, {"arith.negf", ir.F32, 0, 1}, {"arith.cmpf", ir.I1, 0, 1},
		{"arith.addi", ir.I32, 0, 1}, {"arith.cmpi", ir.I1, 0, 1}, {"arith.muli", ir.I64, 1, 1},
		{"arith.divsi", ir.I32, 33, 33}, {"arith.remui", ir.I16, 17, 17}, {"arith.divui", ir.Index, 49, 49},
		{"handshake.cond_br", ir.I32, 0, 1}, {"dataflow.carry", ir.I32, -1, -1},
	} {
		u, _ := units.Lookup(c.op)
		lat, iv := u.Timing(ir.NewOp(c.op, diag.Pos{}, nil, []ir.Type{c.result}), 48)
		if lat != c.latency || iv != c.interval {
			t.Errorf("%s of %s: latency %d, interval %d; want %d, %d", c.op, c.result, lat, iv, c.latency, c.interval)
		}
	}
}

// TestModules holds every row against the source of its module: the parameters it
// sets exist, and its ports are the module's, all of them.
func TestModules(t *testing.T) {
	modules, err := rtl.Modules()
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]rtl.Module{}
	for _, m := range modules {
		byName[m.Name] = m
	}
	for _, u := range units.All() {
		if !u.Hardware() {
			continue
		}
		var params, want []string
		for _, p := range byName[u.Module].Params {
			params = append(params, p.Name)
		}
		for _, p := range u.Params {
			if !slices.Contains(params, p.Name) {
				t.Errorf("%s: module %s has no parameter %s", u.Op, u.Module, p.Name)
			}
		}
		for _, p := range byName[u.Module].Ports {
			want = append(want, p.Name)
		}
		if diff := cmp.Diff(want, ports(u), cmpopts.SortSlices(strings.Compare)); diff != "" {
			t.Errorf("%s: the ports of module %s (-module +row):\n%s", u.Op, u.Module, diff)
		}
	}
}

// TestInterlock holds the constants of dataflow.interlock against the defaults of its module: the row sets neither.
func TestInterlock(t *testing.T) {
	modules, err := rtl.Modules()
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(modules, func(m rtl.Module) bool { return m.Name == "loom_interlock" })
	if k < 0 {
		t.Fatal("no module loom_interlock")
	}
	defaults := map[string]string{}
	for _, p := range modules[k].Params {
		defaults[p.Name] = p.Default
	}
	for name, n := range map[string]int{"DEPTH": units.InterlockDepth, "BITS": units.InterlockBits} {
		if defaults[name] != strconv.Itoa(n) {
			t.Errorf("%s is %s in loom_interlock, %d in Go", name, defaults[name], n)
		}
	}
}

// ports lists the ports that the module of a row must have.
func ports(u units.Unit) []string {
	var out []string
	if u.Clocked {
		out = append(out, "clk", "rst", "idle")
	}
	if u.Inside {
		out = append(out, "clk", "move")
	}
	for _, c := range u.Controls {
		out = append(out, c.Port)
	}
	out = append(out, u.Unused...)
	for _, p := range []string{u.Field.Port, u.Error.Valid, u.Error.Code} {
		if p != "" {
			out = append(out, p)
		}
	}
	for _, p := range slices.Concat(u.In, u.Out) {
		if u.Class == units.Datapath {
			out = append(out, p.Stem)
			continue
		}
		out = append(out, p.Stem+"_valid", p.Stem+"_ready")
		if !p.Token() {
			out = append(out, p.Stem+"_data")
		}
	}
	return out
}

// TestRemainderCycles holds the stated time of a remainder against its steps, one by one, for all operands of small
// formats; the shortest and the longest are there.
func TestRemainderCycles(t *testing.T) {
	u, _ := units.Lookup("arith.remf")
	for _, f := range [][2]int{{2, 2}, {3, 2}, {4, 3}, {3, 6}, {4, 4}} {
		exp, frac := f[0], f[1]
		least, most := 1<<30, 0
		for a := range uint64(1) << (1 + exp + frac) {
			for b := range uint64(1) << (1 + exp + frac) {
				want, got := remainderSteps(exp, frac, a, b), u.CyclesOf(exp, frac, a, b)
				if got != want {
					t.Fatalf("%d_%d: %#x by %#x takes %d cycles, stated %d", exp, frac, a, b, want, got)
				}
				least, most = min(least, got), max(most, got)
			}
		}
		if least != u.Cycles(exp, frac) || most != u.Most(exp, frac) {
			t.Errorf("%d_%d: %d to %d cycles, stated %d to %d", exp, frac, least, most, u.Cycles(exp, frac), u.Most(exp, frac))
		}
	}
}

// remainderSteps counts the cycles of loom_float_rem by doing what it does.
func remainderSteps(exp, frac int, a, b uint64) int {
	field := func(x uint64) int { return int(x >> frac & (1<<exp - 1)) }
	rest, divisor := a&(1<<frac-1), b&(1<<frac-1)
	ea, eb, top := field(a), field(b), uint64(1)<<frac
	if ea == 1<<exp-1 || eb == 1<<exp-1 && divisor != 0 || eb == 0 && divisor == 0 {
		return 3
	}
	if ea > 0 {
		rest |= top
	}
	if eb > 0 {
		divisor |= top
	}
	steps := max(ea, 1) - max(eb, 1) + 1
	place, down := max(eb, 1), 0
	cycles := 2 // and the one in which the end is seen
	for ; rest > 0 && divisor&top == 0; cycles++ {
		divisor, steps, place, down = divisor<<1, steps+1, place-1, down+1
	}
	if steps <= 0 && rest > 0 {
		return cycles + 2
	}
	for ; rest > 0 && steps > 0; cycles++ {
		if rest >= divisor {
			rest -= divisor
		}
		rest, steps = rest<<1, steps-1
	}
	for ; down > 0 && rest > 0 && down <= frac; cycles++ {
		down++
	}
	for ; down == 0 && rest > 0 && rest&(top<<1) == 0 && place > 1; cycles++ {
		rest, place = rest<<1, place-1
	}
	return cycles + 1
}
