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

// TestNaNWords: the sign of an invalid operation's result is not compared where a struct
// is seen in words or bytes; any other bit is.
func TestNaNWords(t *testing.T) {
	for _, c := range []struct {
		t    ir.Type
		a, b []uint64
		same bool
	}{
		{ir.I64, []uint64{0xfff8000000000000}, []uint64{0x7ff8000000000000}, true},
		{ir.I64, []uint64{0xfff8000000000001}, []uint64{0x7ff8000000000001}, false},
		{ir.I32, []uint64{0, 0xfff80000}, []uint64{0, 0x7ff80000}, true},
		{ir.I32, []uint64{5, 0xffc00000}, []uint64{5, 0x7fc00000}, true},
		{ir.I32, []uint64{5, 0xffc00000}, []uint64{6, 0x7fc00000}, false},
		{ir.I32, []uint64{0xffe00000}, []uint64{0x7fe00000}, false},
		{ir.I32, []uint64{0xff800000}, []uint64{0x7f800000}, false}, // infinities
		{ir.I16, []uint64{1, 0, 0, 0, 0xfff8, 1}, []uint64{1, 0, 0, 0, 0x7ff8, 1}, true},
		{ir.I8, []uint64{3, 0, 0, 0xc0, 0xff, 0}, []uint64{3, 0, 0, 0xc0, 0x7f, 0}, true},
		{ir.I8, []uint64{0xc0, 0xff, 0}, []uint64{0xc0, 0x7f, 0}, false},
		{ir.I8, []uint64{3, 0, 1, 0xc0, 0xff, 0}, []uint64{3, 0, 1, 0xc0, 0x7f, 0}, false},
	} {
		in := func(v []uint64) *Outcome {
			return &Outcome{Memories: []*Memory{{"m", c.t, []int64{int64(len(v))}, v}}}
		}
		a, b := in(c.a), in(c.b)
		if d := DiffTolerance(a, b, Tolerance{NaN: true}); (len(d) == 0) != c.same {
			t.Errorf("%s %x and %x: %v", c.t, c.a, c.b, d)
		}
		if DiffTolerance(a, b, Tolerance{}) == nil || DiffTolerance(a, a, Tolerance{NaN: true}) != nil {
			t.Errorf("%s %x and %x: compared otherwise without tolerance", c.t, c.a, c.b)
		}
		if d := DiffTolerance(&Outcome{Results: []Scalar{{c.t, c.a[0]}}}, &Outcome{Results: []Scalar{{c.t, c.b[0]}}}, Tolerance{NaN: true}); len(c.a) == 1 && (len(d) == 0) != c.same {
			t.Errorf("%s %x and %x as results: %v", c.t, c.a, c.b, d)
		}
	}
}
