package vector

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/ir"
	"loom/compiler/num"
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
			return &Outcome{Results: []Scalar{{Type: c.t, Bits: v}}, Memories: []*Memory{{Name: "m", Elem: c.t, Shape: []int64{1}, Data: []uint64{v}}}}
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

// TestNaNWords: sign and payload of an invalid operation's result are not compared where a
// struct is seen in words or bytes; what is no default NaN on our side must be equal.
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
		{ir.I64, []uint64{0xffffffffffffffdb}, []uint64{0x7ff8000000000000}, true},       // a small number below zero
		{ir.I64, []uint64{0x7ff8000000000000}, []uint64{0xffffffffffffffdb}, false},      // ours is no default NaN
		{ir.I64, []uint64{0xffffffffffffffdb}, []uint64{0xfff8000000000000}, false},      // nor is this
		{ir.I64, []uint64{0x7ff0000000000000}, []uint64{0x7ff8000000000000}, false},      // infinity
		{ir.I64, []uint64{0xffffffdc00000005}, []uint64{0x7fc0000000000005}, true},       // a float above
		{ir.I64, []uint64{0x05ffffffdb}, []uint64{0x057fc00000}, true},                   // a float below
		{ir.I64, []uint64{0xfffffffcffffffdb}, []uint64{0x7fc000007fc00000}, true},       // two floats
		{ir.I64, []uint64{0xffffffdc00000005}, []uint64{0x7fc0000000000006}, false},      // the other half differs
		{ir.I64, []uint64{0xffffffdc00000005}, []uint64{0xffc0000000000005}, false},      // no default NaN
		{ir.I64, []uint64{5 << 32, 0xfff80001}, []uint64{0, 0x7ff80000}, false},          // a double begins with its element
		{ir.I32, []uint64{7, 0xffffffdb, 7}, []uint64{7, 0x7fc00000, 7}, true},           // any NaN
		{ir.I32, []uint64{7, 0xff800000, 7}, []uint64{7, 0x7fc00000, 7}, false},          // infinity
		{ir.I32, []uint64{7, 37, 7}, []uint64{7, 0x7fc00000, 7}, false},                  // a number
		{ir.I32, []uint64{7, 37, 0xfff00000}, []uint64{7, 0, 0x7ff80000}, true},          // the payload in the lower word
		{ir.I32, []uint64{7, 37, 0xfff00000}, []uint64{7, 1, 0x7ff80000}, false},         // no default NaN
		{ir.I32, []uint64{7, 0, 0xfff00000}, []uint64{7, 0, 0x7ff80000}, false},          // infinity
		{ir.I16, []uint64{3, 1, 2, 4, 0xfff8, 1}, []uint64{3, 0, 0, 0, 0x7ff8, 1}, true}, // four of a double
		{ir.I16, []uint64{3, 1, 0xff80, 1}, []uint64{3, 0, 0x7fc0, 1}, true},             // two of a float
		{ir.I8, []uint64{9, 1, 2, 3, 4, 5, 6, 0xf8, 0xff}, []uint64{9, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f}, true},
		{ir.I8, []uint64{8, 1, 2, 3, 4, 5, 6, 0xf8, 0xff}, []uint64{9, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f}, false},
		{ir.I32, []uint64{0xffe00000}, []uint64{0x7fe00000}, false},
		{ir.I32, []uint64{0xff800000}, []uint64{0x7f800000}, false}, // infinities
		{ir.I16, []uint64{1, 0, 0, 0, 0xfff8, 1}, []uint64{1, 0, 0, 0, 0x7ff8, 1}, true},
		{ir.I8, []uint64{3, 0, 0, 0xc0, 0xff, 0}, []uint64{3, 0, 0, 0xc0, 0x7f, 0}, true},
		{ir.I8, []uint64{0xc0, 0xff, 0}, []uint64{0xc0, 0x7f, 0}, false},
		{ir.I8, []uint64{3, 0, 1, 0xc0, 0xff, 0}, []uint64{3, 0, 1, 0xc0, 0x7f, 0}, false},
	} {
		in := func(v []uint64) *Outcome {
			return &Outcome{Memories: []*Memory{{Name: "m", Elem: c.t, Shape: []int64{int64(len(v))}, Data: v}}}
		}
		a, b := in(c.a), in(c.b)
		if d := DiffTolerance(a, b, Tolerance{NaN: true}); (len(d) == 0) != c.same {
			t.Errorf("%s %x and %x: %v", c.t, c.a, c.b, d)
		}
		if DiffTolerance(a, b, Tolerance{}) == nil || DiffTolerance(a, a, Tolerance{NaN: true}) != nil {
			t.Errorf("%s %x and %x: compared otherwise without tolerance", c.t, c.a, c.b)
		}
		if d := DiffTolerance(&Outcome{Results: []Scalar{{Type: c.t, Bits: c.a[0]}}}, &Outcome{Results: []Scalar{{Type: c.t, Bits: c.b[0]}}}, Tolerance{NaN: true}); len(c.a) == 1 && (len(d) == 0) != c.same {
			t.Errorf("%s %x and %x as results: %v", c.t, c.a, c.b, d)
		}
	}
}
