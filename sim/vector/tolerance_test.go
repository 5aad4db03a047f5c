package vector

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/ir"
	"loom/sim/num"
)

func TestDiffTolerance(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		t    ir.Type
		a, b float64
		same bool
	}{
		{ir.F64, 1, 1 + 1e-12, true},
		{ir.F64, 1, 1 + 1e-10, false},
		{ir.F64, 1e20, 1e20 * (1 + 1e-12), true},
		{ir.F64, 1e20, 1e20 * (1 + 1e-10), false},
		{ir.F64, 1e-17, -1e-17, true}, // what is left of a difference
		{ir.F64, 1e-10, -1e-10, false},
		{ir.F64, nan, nan, true},
		{ir.F64, nan, 1, false},
		{ir.F64, inf, inf, true},
		{ir.F64, inf, math.MaxFloat64, false},
		{ir.F64, inf, -inf, false},
		{ir.F32, 3, 3.0001, true},
		{ir.F32, 3, 3.001, false},
		{ir.F16, 3, 3.01, true},
		{ir.F16, 3, 3.1, false},
	} {
		a, _ := num.EncodeFloat(c.a, c.t)
		b, _ := num.EncodeFloat(c.b, c.t)
		in := func(v uint64) *Outcome {
			return &Outcome{Results: []Scalar{{c.t, v}}, Memories: []*Memory{{"m", c.t, []int64{1}, []uint64{v}}}}
		}
		if d := DiffTolerance(in(a), in(b), Libraries); (len(d) == 0) != c.same || len(d) != 0 && len(d) != 2 {
			t.Errorf("%s %g and %g: %v", c.t, c.a, c.b, d)
		}
		if d := DiffTolerance(in(a), in(b), Tolerance{}); (len(d) == 0) != (len(Diff(in(a), in(b))) == 0) {
			t.Errorf("%s %g and %g without tolerance: %v", c.t, c.a, c.b, d)
		}
	}
	// Integers and everything else as Diff.
	a, b := sample(), sample()
	b.Results[0].Bits, b.Memories[0].Data[1], b.Status = 0xfffffffe, 0xfe, Budget
	if d := cmp.Diff(Diff(a, b), DiffTolerance(a, b, Libraries)); d != "" || len(Diff(a, b)) != 3 {
		t.Error(d)
	}
}
