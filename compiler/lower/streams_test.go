package lower

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/internal/randprog"
	"loom/sim/vector"
)

// topTest is a loop that tests first: while (x cond bound) { m[x & 3] += x; x = x op step }.
// It returns the last x and a count of the iterations.
const topTest = `func.func @f(%%m: memref<4x%[1]s>, %%lb: %[1]s, %%ub: %[1]s) -> (%[1]s, i32) {
  %%step = arith.constant %[2]d : %[1]s
  %%three = arith.constant 3 : %[1]s
  %%none = arith.constant 0 : i32
  %%one = arith.constant 1 : i32
  %%x_end, %%n_end = scf.while (%%x = %%lb, %%n = %%none) : (%[1]s, i32) -> (%[1]s, i32) {
    %%more = arith.cmpi %[3]s, %%x, %%ub : %[1]s
    scf.condition(%%more) %%x, %%n : %[1]s, i32
  } do {
  ^bb0(%%x: %[1]s, %%n: i32):
    %%low = arith.andi %%x, %%three : %[1]s
    %%at = %[5]s
    %%old = memref.load %%m[%%at] : memref<4x%[1]s>
    %%new = arith.addi %%old, %%x : %[1]s
    memref.store %%new, %%m[%%at] : memref<4x%[1]s>
    %%next = %[4]s %%x, %%step : %[1]s
    %%count = arith.addi %%n, %%one : i32
    scf.yield %%next, %%count : %[1]s, i32
  }
  return %%x_end, %%n_end : %[1]s, i32
}
`

// bottomTest is a loop that tests last, under a branch that makes the first test:
// what compilers make of a counted loop.
const bottomTest = `func.func @f(%%m: memref<4x%[1]s>, %%lb: %[1]s, %%ub: %[1]s) -> (%[1]s, i32) {
  %%step = arith.constant %[2]d : %[1]s
  %%three = arith.constant 3 : %[1]s
  %%none = arith.constant 0 : i32
  %%one = arith.constant 1 : i32
  %%runs = arith.cmpi %[3]s, %%lb, %%ub : %[1]s
  %%a, %%b = scf.if %%runs -> (%[1]s, i32) {
    %%x_end, %%n_end = scf.while (%%x = %%lb, %%n = %%none) : (%[1]s, i32) -> (%[1]s, i32) {
      %%low = arith.andi %%x, %%three : %[1]s
      %%at = %[5]s
      %%old = memref.load %%m[%%at] : memref<4x%[1]s>
      %%new = arith.addi %%old, %%x : %[1]s
      memref.store %%new, %%m[%%at] : memref<4x%[1]s>
      %%next = %[4]s %%x, %%step : %[1]s
      %%count = arith.addi %%n, %%one : i32
      %%more = arith.cmpi %[3]s, %%next, %%ub : %[1]s
      scf.condition(%%more) %%next, %%count : %[1]s, i32
    } do {
    ^bb0(%%x: %[1]s, %%n: i32):
      scf.yield %%x, %%n : %[1]s, i32
    }
    scf.yield %%x_end, %%n_end : %[1]s, i32
  } else {
    scf.yield %%lb, %%none : %[1]s, i32
  }
  return %%a, %%b : %[1]s, i32
}
`

// loopText fills one of the texts above.
func loopText(text string) func(typ string, step int64, pred, op string) string {
	return func(typ string, step int64, pred, op string) string {
		at := "arith.index_cast %low : " + typ + " to index"
		if typ == "index" {
			at = "arith.andi %low, %three : index"
		}
		return fmt.Sprintf(text, typ, step, pred, op, at)
	}
}

// streamCases are counting loops: what they are recognised as, and bounds for
// which they end.
var streamCases = []struct {
	typ    string
	step   int64
	pred   string
	op     string
	want   string // step_op cont_cond, "" where the loop must stay a while
	bounds [][2]int64
}{
	{"i32", 1, "slt", "arith.addi", "+= <", [][2]int64{{0, 5}, {5, 0}, {-3, 2}, {7, 7}, {math.MaxInt32 - 2, math.MaxInt32}}},
	{"i32", 3, "slt", "arith.addi", "+= <", [][2]int64{{0, 5}, {5, 0}, {-3, 2}}},
	{"i8", 3, "slt", "arith.addi", "+= <", [][2]int64{{0, 5}, {100, 120}, {-128, -120}}},
	{"i32", 2, "sle", "arith.addi", "+= <=", [][2]int64{{0, 4}, {0, 5}, {5, 0}, {6, 6}}},
	{"i32", -2, "sgt", "arith.addi", "+= >", [][2]int64{{9, 2}, {2, 9}, {3, 3}, {-1, -6}}},
	{"i32", 1, "sgt", "arith.subi", "+= >", [][2]int64{{9, 2}, {2, 9}, {3, 3}, {3, -3}}},
	{"i32", 1, "sge", "arith.subi", "+= >=", [][2]int64{{4, 0}, {0, 0}, {-1, 0}}},
	{"i64", 1, "ne", "arith.subi", "+= !=", [][2]int64{{4, 0}, {0, 0}, {-1, -5}}},
	{"i32", 1, "ne", "arith.addi", "+= !=", [][2]int64{{0, 4}, {-4, 0}, {3, 3}}},
	{"i32", 3, "slt", "arith.muli", "*= <", [][2]int64{{1, 100}, {2, 1}, {5, 5}}},
	{"i32", 2, "sle", "arith.muli", "*= <=", [][2]int64{{1, 64}, {3, 48}}},
	{"i16", 1, "slt", "arith.shli", "<<= <", [][2]int64{{1, 100}, {3, 2}}},
	{"i32", 2, "sgt", "arith.divsi", "/= >", [][2]int64{{100, 0}, {7, 3}, {0, 0}}},
	{"i32", 1, "sgt", "arith.shrsi", ">>= >", [][2]int64{{100, 0}, {0, 0}, {7, 6}}},
	{"i32", 2, "sge", "arith.shrsi", ">>= >=", [][2]int64{{1000, 3}, {1, 1}}},
	{"index", 1, "slt", "arith.addi", "+= <", [][2]int64{{0, 5}, {3, 1}}},
	{"index", 2, "ult", "arith.addi", "+= <", [][2]int64{{0, 5}, {3, 1}}},
	{"i8", 5, "ult", "arith.addi", "+= <", [][2]int64{{0, 13}, {120, -120}, {-128, -100}, {3, 1}}},
	{"i8", 7, "ugt", "arith.subi", "+= >", [][2]int64{{-50, 100}, {30, 9}, {1, 5}}},
	{"i16", 1, "ugt", "arith.subi", "+= >", [][2]int64{{9, 4}, {4, 9}, {-5, -9}}},
	{"i32", 1, "ule", "arith.addi", "+= <=", [][2]int64{{0, 4}, {5, 4}}},
	// A product may pass the sign bit, an unsigned shift of a negative value is
	// no signed one, equality does not count.
	{"i32", 3, "ult", "arith.muli", "", [][2]int64{{1, 100}}},
	{"i32", 1, "ugt", "arith.shrui", "", [][2]int64{{100, 3}, {-1, 1000}}},
	{"i32", 1, "eq", "arith.addi", "", [][2]int64{{3, 3}, {3, 4}}},
	{"i32", 1, "slt", "arith.muli", "", [][2]int64{{5, 5}, {7, 5}}},
	{"i32", 1, "slt", "arith.ori", "", [][2]int64{{5, 5}, {7, 5}}},
}

// streamsOf lists the streams of a graph as "step_op cont_cond".
func streamsOf(fn *ir.Operation) string {
	var out []string
	fn.Walk(func(op *ir.Operation) bool {
		if op.Name == "dataflow.stream" {
			out = append(out, op.StrAttr("step_op")+" "+op.StrAttr("cont_cond"))
		}
		return true
	})
	return strings.Join(out, ", ")
}

// countInputs are inputs for topTest and bottomTest.
func countInputs(t *testing.T, fn *ir.Operation, seed uint64, lb, ub int64) *vector.Inputs {
	t.Helper()
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		t.Fatal(err)
	}
	in, err := vector.Random(sig, seed, 4, 64)
	if err != nil {
		t.Fatal(err)
	}
	w, _ := ir.BitWidth(in.Args[1].Type, 64)
	mask := ^uint64(0) >> (64 - w)
	in.Args[1].Scalar, in.Args[2].Scalar = uint64(lb)&mask, uint64(ub)&mask
	return in
}

// TestStreamsAreRecognised: every step operator and continuation test of
// dataflow.stream is found in loops that test first and in loops that test last;
// what only looks like counting stays a while; all of them compute the same.
func TestStreamsAreRecognised(t *testing.T) {
	for _, shape := range []struct {
		name    string
		program func(typ string, step int64, pred, op string) string
	}{{"top", loopText(topTest)}, {"bottom", loopText(bottomTest)}} {
		for _, c := range streamCases {
			t.Run(fmt.Sprintf("%s/%s %s %d %s", shape.name, c.typ, c.op, c.step, c.pred), func(t *testing.T) {
				m := parse(t, shape.program(c.typ, c.step, c.pred, c.op))
				for _, order := range []string{"serial", "pipelined"} {
					res, err := Lower(m, Options{MemoryOrder: order})
					if err != nil {
						t.Fatal(err)
					}
					if got := streamsOf(res.Func); got != c.want {
						t.Errorf("recognised as %q, want %q", got, c.want)
					}
					for i, b := range c.bounds {
						in := countInputs(t, randprog.Function(m), uint64(i), b[0], b[1])
						if d, err := disagreement(randprog.Function(m), in, uint64(i), Options{MemoryOrder: order}); err != nil || d != "" {
							t.Errorf("from %d to %d: %v %s", b[0], b[1], err, d)
						}
					}
				}
			})
		}
	}
}

// TestBrokenStreams breaks the preconditions of the recognition: some loop of the
// tables above computes something else then, or does not end.
func TestBrokenStreams(t *testing.T) {
	for d, c := range map[deviation]struct {
		src    string
		bounds [2]int64
	}{
		streamSigned: {loopText(topTest)("i8", 5, "ult", "arith.addi"), [2]int64{120, -120}},
		streamAny:    {loopText(topTest)("i8", 3, "ult", "arith.muli"), [2]int64{1, 200}},
		streamShifts: {loopText(topTest)("i32", 1, "ne", "arith.shrui"), [2]int64{-1, 0}},
		streamUnproven: {`func.func @f(%m: memref<4xi32>, %lb: i32, %ub: i32) -> i32 {
  %at = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %end = scf.while (%x = %lb) : (i32) -> i32 {
    memref.store %x, %m[%at] : memref<4xi32>
    %next = arith.addi %x, %one : i32
    %more = arith.cmpi slt, %next, %ub : i32
    scf.condition(%more) %next : i32
  } do {
  ^bb0(%x: i32):
    scf.yield %x : i32
  }
  return %end : i32
}`, [2]int64{5, 2}},
	} {
		m := parse(t, c.src)
		in := countInputs(t, randprog.Function(m), 1, c.bounds[0], c.bounds[1])
		if diff, err := disagreement(randprog.Function(m), in, 1, Options{}); err != nil || diff != "" {
			t.Errorf("%s: fails as it is: %v %s", d, err, diff)
		}
		if diff, err := disagreement(randprog.Function(m), in, 1, Options{deviate: d}); err == nil && diff == "" {
			t.Errorf("%s: nothing notices", d)
		}
	}
}

// TestStreamsOfTheTarget: a loop that steps as no stream of the target does stays
// a while; subtraction becomes addition where only that is there.
func TestStreamsOfTheTarget(t *testing.T) {
	const dynamic = `func.func @f(%m: memref<4xi32>, %from: i32, %by: i32) {
  %zero = arith.constant 0 : i32
  %at = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %low = arith.andi %by, %seven : i32
  %step = arith.addi %low, %one : i32
  %end = scf.while (%x = %from) : (i32) -> i32 {
    %more = arith.cmpi sgt, %x, %zero : i32
    scf.condition(%more) %x : i32
  } do {
  ^bb0(%x: i32):
    memref.store %x, %m[%at] : memref<4xi32>
    %next = arith.subi %x, %step : i32
    scf.yield %next : i32
  }
  return
}`
	for _, c := range []struct {
		src  string
		have []string
		want string
	}{
		{loopText(topTest)("i32", 1, "sgt", "arith.shrsi"), nil, ">>= >"},
		{loopText(topTest)("i32", 1, "sgt", "arith.shrsi"), []string{"+=", ">>="}, ">>= >"},
		{loopText(topTest)("i32", 1, "sgt", "arith.shrsi"), []string{"+="}, ""},
		{loopText(topTest)("i32", 1, "slt", "arith.addi"), []string{}, ""},
		{dynamic, nil, "-= >"},
		{dynamic, []string{"+="}, "+= >"},
	} {
		m := parse(t, c.src)
		opts := Options{MemoryOrder: "pipelined", StreamOps: c.have}
		res, err := Lower(m, opts)
		if err != nil {
			t.Fatal(err)
		}
		if got := streamsOf(res.Func); got != c.want {
			t.Errorf("with %v: %q, want %q", c.have, got, c.want)
		}
		for _, from := range []int64{0, 1, 20, 37} {
			in := countInputs(t, randprog.Function(m), 3, from, 5)
			if d, err := disagreement(randprog.Function(m), in, 3, opts); err != nil || d != "" {
				t.Errorf("with %v from %d: %v %s", c.have, from, err, d)
			}
		}
	}
}

// TestInequalityBecomesOrder: a loop that ends at equality counts in an order
// where its start is known to lie before its end.
func TestInequalityBecomesOrder(t *testing.T) {
	const text = `func.func @f(%%m: memref<8xi32>, %%n: i32) {
  %%zero = arith.constant 0 : index
  %%one = arith.constant 1 : index
  %%seven = arith.constant 7 : i32
  %%low = arith.andi %%n, %%seven : i32
  %%u = arith.index_castui %%low : i32 to index
  %%v = arith.index_cast %%n : i32 to index
  %%runs = arith.cmpi sgt, %%v, %%zero : index
  scf.if %%runs {
    %%e = scf.while (%%i = %s) : (index) -> index {
      %%more = arith.cmpi ne, %%i, %s : index
      scf.condition(%%more) %%i : index
    } do {
    ^bb0(%%i: index):
      %%at = arith.andi %%i, %%u : index
      memref.store %%n, %%m[%%at] : memref<8xi32>
      %%next = arith.%s %%i, %%one : index
      scf.yield %%next : index
    }
  }
  return
}
`
	for _, c := range []struct{ from, to, step, want string }{
		{"%zero", "%u", "addi", "+= <"}, // n & 7 is at least 0
		{"%zero", "%v", "addi", "+= <"}, // tested by the branch
		{"%v", "%zero", "subi", "+= >"},
		{"%one", "%u", "addi", "+= !="}, // 1 may be past n & 7 = 0
		{"%zero", "%v", "subi", "+= !="},
	} {
		m := parse(t, fmt.Sprintf(text, c.from, c.to, c.step))
		res, err := Lower(m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := streamsOf(res.Func); got != c.want {
			t.Errorf("from %s to %s by %s: %q, want %q", c.from, c.to, c.step, got, c.want)
		}
	}
}

// TestNoSecondGuard: a loop that tests last under its guard gets no other guard,
// and the counter's last value costs no carry.
func TestNoSecondGuard(t *testing.T) {
	m := parse(t, loopText(bottomTest)("i32", 1, "slt", "arith.addi"))
	res, err := Lower(m, Options{MemoryOrder: "pipelined"})
	if err != nil {
		t.Fatal(err)
	}
	errs := &diag.List{}
	if dfg.Verify(res.Func, errs); len(errs.All) > 0 {
		t.Fatal(errs)
	}
	got := map[string]int{}
	for _, k := range dfg.Stats(res.Func).ByKind {
		got[k.Name] = k.Count
	}
	want := map[string]int{"arith.cmpi": 1, "dataflow.stream": 1, "dataflow.gate": 1}
	for name, n := range want {
		if got[name] != n {
			t.Errorf("%d of %s, want %d", got[name], name, n)
		}
	}
	carried := 0
	for _, op := range res.Func.Regions[0].Entry().Ops {
		if op.Name == "dataflow.carry" && op.Result(0).Type != ir.Type(ir.None) {
			carried++
		}
	}
	if diff := cmp.Diff(1, carried); diff != "" {
		t.Errorf("values carried (-want +got): %s", diff)
	}
}

// TestStreamsBehindComputedGuards: a loop that tests last counts where a guard shows that
// its bound, computed from what the guard compares, is above its start.
func TestStreamsBehindComputedGuards(t *testing.T) {
	for _, c := range []struct {
		least int
		bound string
		want  string
	}{
		{1, "%b = arith.divsi %n, %c2 : i32", "dataflow.stream"},
		{0, "%b = arith.divsi %n, %c2 : i32", ""}, // half of 1 is 0
		{3, "%b = arith.subi %n, %c2 : i32", "dataflow.stream"},
		{1, "%b = arith.subi %n, %c2 : i32", ""},
		{1, "%b = arith.shrsi %n, %c1 : i32", "dataflow.stream"},
	} {
		m := parse(t, fmt.Sprintf(`
func.func @k(%%n: i32, %%a: memref<16xi32>) {
  %%c0 = arith.constant 0 : i32
  %%c1 = arith.constant 1 : i32
  %%c2 = arith.constant 2 : i32
  %%least = arith.constant %d : i32
  %s
  %%run = arith.cmpi sgt, %%n, %%least : i32
  scf.if %%run {
    %%r = scf.while (%%i = %%c0) : (i32) -> i32 {
      %%k = arith.index_cast %%i : i32 to index
      memref.store %%i, %%a[%%k] : memref<16xi32>
      %%j = arith.addi %%i, %%c1 : i32
      %%go = arith.cmpi ne, %%j, %%b : i32
      scf.condition(%%go) %%j : i32
    } do {
    ^bb0(%%j: i32):
      scf.yield %%j : i32
    }
  }
  return
}`, c.least, c.bound))
		res, err := Lower(m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, op := range res.Func.Regions[0].Entry().Ops {
			if op.Name == "dataflow.stream" {
				got = op.Name
			}
		}
		if got != c.want {
			t.Errorf("above %d, %s: %q, want %q", c.least, c.bound, got, c.want)
		}
	}
}

// onWordStreams is a target with streams of words alone.
func onWordStreams(op *ir.Operation) bool {
	return op.Name != "dataflow.stream" || op.Operand(0).Type == ir.Type(ir.I32) || op.Operand(0).Type == ir.Type(ir.Index)
}

// fromZero and downToZero put a zero in the place of one bound of topTest.
func fromZero(text string) string {
	text = strings.Replace(text, "  %step", "  %zero = arith.constant 0 : i8\n  %step", 1)
	return strings.Replace(text, "%x = %lb", "%x = %zero", 1)
}

func downToZero(text string) string {
	text = strings.Replace(text, "  %step", "  %zero = arith.constant 0 : i8\n  %step", 1)
	return strings.Replace(text, "%x, %ub", "%x, %zero", 1)
}

// TestNarrowStreams: a counter for which the target has no stream counts in words where it does not wrap, and stays a while where
// it may; for all bounds it computes the same.
func TestNarrowStreams(t *testing.T) {
	const plain = `func.func @f(%m: memref<4xi32>, %lb: i8, %ub: i8) -> i32 {
  %one = arith.constant 1 : i8
  %none = arith.constant 0 : i32
  %three = arith.constant 3 : i8
  %s = scf.for %x = %lb to %ub step %one iter_args(%n = %none) -> (i32) : i8 {
    %low = arith.andi %x, %three : i8
    %at = arith.index_cast %low : i8 to index
    %w = arith.extsi %x : i8 to i32
    memref.store %w, %m[%at] : memref<4xi32>
    %t = arith.addi %n, %w : i32
    scf.yield %t : i32
  }
  return %s : i32
}`
	// A loop that tests last under no guard; its counter starts with %lb & the mask.
	const last = `func.func @f(%%m: memref<4xi32>, %%lb: i8, %%ub: i8) -> (i8, i32) {
  %%step = arith.constant %d : i8
  %%none = arith.constant 0 : i32
  %%mask = arith.constant %d : i8
  %%from = arith.andi %%lb, %%mask : i8
  %%x, %%s = scf.while (%%i = %%from, %%n = %%none) : (i8, i32) -> (i8, i32) {
    %%w = arith.extsi %%i : i8 to i32
    %%t = arith.addi %%n, %%w : i32
    %%next = arith.addi %%i, %%step : i8
    %%more = arith.cmpi %s, %%next, %%ub : i8
    scf.condition(%%more) %%next, %%t : i8, i32
  } do {
  ^bb0(%%i: i8, %%n: i32):
    scf.yield %%i, %%n : i8, i32
  }
  return %%x, %%s : i8, i32
}`
	top, bottom := loopText(topTest), loopText(bottomTest)
	for _, c := range []struct{ name, text, want string }{
		{"scf.for", plain, "+= <"},
		{"i < n", top("i8", 1, "slt", "arith.addi"), "+= <"},
		{"i < n, unsigned", top("i8", 1, "ult", "arith.addi"), "+= <"},
		{"i > n", top("i8", -1, "sgt", "arith.addi"), "+= >"},
		{"i > n, unsigned", bottom("i8", -1, "ugt", "arith.addi"), "+= >"},
		{"i += 3 may wrap", top("i8", 3, "slt", "arith.addi"), ""},
		{"i <= n may wrap", top("i8", 1, "sle", "arith.addi"), ""},
		{"i >= n may wrap", top("i8", -1, "sge", "arith.addi"), ""},
		{"i != n may start behind it", top("i8", 1, "ne", "arith.addi"), ""},
		{"i != n from zero", fromZero(top("i8", 1, "ne", "arith.addi")), "+= <"},
		{"i != n down to zero", downToZero(top("i8", -1, "ne", "arith.addi")), "+= >"},
		{"i *= 3", top("i8", 3, "slt", "arith.muli"), ""},
		{"last, i < n", fmt.Sprintf(last, 1, 63, "slt"), "+= <"},
		{"last, i < n, unsigned", fmt.Sprintf(last, 1, 63, "ult"), "+= <"},
		{"last, i > n", fmt.Sprintf(last, -1, 63, "sgt"), "+= >"},
		{"last, from the largest number", fmt.Sprintf(last, 1, 127, "slt"), ""},
		{"last, != n", fmt.Sprintf(last, 1, 63, "ne"), ""},
	} {
		m := parse(t, c.text)
		opts := Options{MemoryOrder: "pipelined", Executes: onWordStreams}
		res, err := Lower(m, opts)
		if err != nil {
			t.Fatal(err)
		}
		if got := streamsOf(res.Func); got != c.want {
			t.Errorf("%s: recognised as %q, want %q", c.name, got, c.want)
		}
		res.Func.Walk(func(op *ir.Operation) bool {
			if !onWordStreams(op) {
				t.Errorf("%s: a stream of %s", c.name, op.Operand(0).Type)
			}
			return true
		})
		marks := []int64{-128, -127, -65, -1, 0, 1, 2, 63, 64, 126, 127}
		ran := 0
		for i, lb := range marks {
			for k, ub := range marks {
				seed := uint64(i*len(marks) + k)
				in := countInputs(t, randprog.Function(m), seed, lb, ub)
				d, err := disagreement(randprog.Function(m), in, seed, opts)
				if err != nil && strings.Contains(err.Error(), "the interpreter ends") {
					continue // it never ends
				}
				if ran++; err != nil || d != "" {
					t.Fatalf("%s, from %d to %d: %v %s", c.name, lb, ub, err, d)
				}
			}
		}
		if ran < len(marks) {
			t.Errorf("%s: only %d runs ended", c.name, ran)
		}
	}
}

// TestAnyStep: a step that only the program knows may have either sign.
func TestAnyStep(t *testing.T) {
	const text = `func.func @f(%%m: memref<4xi32>, %%lb: i8, %%ub: i8) -> (i8, i32) {
  %%none = arith.constant 0 : i32
  %%zero = arith.constant 0 : i8
  %%x, %%s = scf.while (%%i = %%zero, %%n = %%none) : (i8, i32) -> (i8, i32) {
    %%more = arith.cmpi %s, %%i, %%ub : i8
    scf.condition(%%more) %%i, %%n : i8, i32
  } do {
  ^bb0(%%i: i8, %%n: i32):
    %%w = arith.extsi %%i : i8 to i32
    %%t = arith.addi %%n, %%w : i32
    %%next = arith.%s %%i, %%lb : i8
    scf.yield %%next, %%t : i8, i32
  }
  return %%x, %%s : i8, i32
}`
	for _, c := range []struct{ pred, op, want string }{
		{"slt", "addi", "+= <"}, {"sgt", "subi", "-= >"}, {"slt", "subi", "-= <"}, {"ult", "addi", "+= <"}, {"ne", "addi", "+= !="},
	} {
		m := parse(t, fmt.Sprintf(text, c.pred, c.op))
		res, err := Lower(m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := streamsOf(res.Func); got != c.want {
			t.Errorf("%+v: recognised as %q", c, got)
		}
		for i, step := range []int64{-128, -64, -5, -1, 1, 2, 7, 100, 127} {
			for k, ub := range []int64{-128, -7, 0, 1, 13, 127} {
				seed := uint64(8*i + k)
				in := countInputs(t, randprog.Function(m), seed, step, ub)
				d, err := disagreement(randprog.Function(m), in, seed, Options{})
				if err != nil && strings.Contains(err.Error(), "the interpreter ends") {
					continue
				}
				if err != nil || d != "" {
					t.Errorf("%+v, by %d to %d: %v %s", c, step, ub, err, d)
				}
			}
		}
	}
}
