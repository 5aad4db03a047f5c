package lower

import (
	"fmt"
	"math"
	"testing"

	"loom/internal/randprog"
)

// meetTop and meetBottom let two counters approach each other, and leave in memory and results what they were.
const (
	meetTop = `func.func @f(%%m: memref<4xi32>, %%lb: i32, %%ub: i32) -> (i32, i32, i32) {
  %%zero = arith.constant 0 : i32
  %%one = arith.constant 1 : i32
  %%minus = arith.constant -1 : i32
  %%three = arith.constant 3 : i32
  %%from = arith.%[1]s %%lb, %%zero : i32
  %%i, %%j, %%s = scf.while (%%x = %%from, %%y = %%ub, %%n = %%zero) : (i32, i32, i32) -> (i32, i32, i32) {
    %%more = arith.cmpi %[2]s : i32
    scf.condition(%%more) %%x, %%y, %%n : i32, i32, i32
  } do {
  ^bb0(%%x: i32, %%y: i32, %%n: i32):
    %%low = arith.andi %%n, %%three : i32
    %%at = arith.index_cast %%low : i32 to index
    memref.store %%y, %%m[%%at] : memref<4xi32>
    %%p = arith.muli %%n, %%three : i32
    %%q = arith.xori %%p, %%y : i32
    %%r = arith.addi %%q, %%x : i32
    %%u = arith.addi %%x, %%one : i32
    %%v = arith.addi %%y, %%minus : i32
    scf.yield %%u, %%v, %%r : i32, i32, i32
  }
  return %%i, %%j, %%s : i32, i32, i32
}`
	meetBottom = `func.func @f(%%m: memref<4xi32>, %%lb: i32, %%ub: i32) -> (i32, i32, i32) {
  %%zero = arith.constant 0 : i32
  %%one = arith.constant 1 : i32
  %%two = arith.constant 2 : i32
  %%minus = arith.constant -1 : i32
  %%three = arith.constant 3 : i32
  %%last = arith.constant %[3]d : i32
  %%from = arith.%[1]s %%lb, %%zero : i32
  %%to = arith.minsi %%ub, %%last : i32
  %%run = arith.cmpi slt, %%from, %%to : i32
  %%a:3 = scf.if %%run -> (i32, i32, i32) {
    %%i, %%j, %%s = scf.while (%%x = %%from, %%y = %%to, %%n = %%zero) : (i32, i32, i32) -> (i32, i32, i32) {
      %%low = arith.andi %%n, %%three : i32
      %%at = arith.index_cast %%low : i32 to index
      memref.store %%y, %%m[%%at] : memref<4xi32>
      %%p = arith.muli %%n, %%three : i32
      %%q = arith.xori %%p, %%y : i32
      %%r = arith.addi %%q, %%x : i32
      %%u = arith.addi %%x, %%one : i32
      %%w = arith.addi %%x, %%two : i32
      %%v = arith.addi %%y, %%minus : i32
      %%more = arith.cmpi %[2]s : i32
      scf.condition(%%more) %%u, %%v, %%r : i32, i32, i32
    } do {
    ^bb0(%%x: i32, %%y: i32, %%n: i32):
      scf.yield %%x, %%y, %%n : i32, i32, i32
    }
    scf.yield %%i, %%j, %%s : i32, i32, i32
  } else {
    scf.yield %%zero, %%one, %%two : i32, i32, i32
  }
  return %%a#0, %%a#1, %%a#2 : i32, i32, i32
}`
)

// TestCountersMeet: two counters that approach each other are one stream, for all that they start with, where their distance
// cannot wrap; all of them compute the same.
func TestCountersMeet(t *testing.T) {
	bounds := [][2]int64{{0, 9}, {0, 8}, {0, 1}, {3, 4}, {3, 5}, {4, 4}, {5, 2}, {0, -1}, {7, math.MinInt32}, {0, math.MinInt32},
		{math.MaxInt32 - 5, math.MaxInt32}, {math.MaxInt32 - 4, math.MaxInt32 - 1}, {math.MaxInt32, math.MaxInt32}, {-3, 4}}
	for _, c := range []struct {
		text, from, test string
		last             int
		want             string
	}{
		{meetTop, "maxsi", "slt, %x, %y", 0, "+= <"},
		{meetTop, "maxsi", "sgt, %y, %x", 0, "+= <"},
		{meetTop, "ori", "slt, %x, %y", 0, ""}, // the distance may wrap
		{meetTop, "maxsi", "ult, %x, %y", 0, ""},
		{meetTop, "maxsi", "sle, %x, %y", 0, ""},
		{meetBottom, "maxsi", "slt, %u, %v", math.MaxInt32, "+= <"},
		{meetBottom, "maxsi", "slt, %w, %y", math.MaxInt32 - 1, "+= <"},
		{meetBottom, "maxsi", "slt, %w, %y", math.MaxInt32, ""}, // i + 2 may wrap
		{meetBottom, "maxsi", "slt, %u, %y", math.MaxInt32, ""},
	} {
		text := fmt.Sprintf(c.text, c.from, c.test, c.last)
		if c.last == 0 {
			text = fmt.Sprintf(c.text, c.from, c.test)
		}
		m := parse(t, text)
		for _, order := range orders {
			res, err := Lower(m, Options{MemoryOrder: order})
			if err != nil {
				t.Fatal(err)
			}
			if got := streamsOf(res.Func); got != c.want {
				t.Errorf("%s of %s: recognised as %q, want %q", c.test, c.from, got, c.want)
			}
			for i, b := range bounds {
				if c.from != "maxsi" && b[0] < 0 || c.test == "sle, %x, %y" || c.test == "ult, %x, %y" && b[1] < 0 {
					continue // it would not end
				}
				in := countInputs(t, randprog.Function(m), uint64(i), b[0], b[1])
				if d, err := disagreement(randprog.Function(m), in, uint64(i), Options{MemoryOrder: order}); err != nil || d != "" {
					t.Errorf("%s of %s, from %d to %d: %v %s", c.test, c.from, b[0], b[1], err, d)
				}
			}
		}
	}
	m := parse(t, fmt.Sprintf(meetTop, "maxsi", "slt, %x, %y"))
	in := countInputs(t, randprog.Function(m), 1, 0, 9)
	if d, err := disagreement(randprog.Function(m), in, 1, Options{deviate: meetBelow}); err != nil || d == "" {
		t.Errorf("%s: nothing notices (%v)", meetBelow, err)
	}
}
