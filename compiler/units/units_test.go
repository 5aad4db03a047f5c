package units_test

import (
	"slices"
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
		{"arith.divf", ir.F32, 19, 19}, {"math.sqrt", ir.F64, 34, 34}, {"arith.negf", ir.F32, 0, 1}, {"arith.cmpf", ir.I1, 0, 1},
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
