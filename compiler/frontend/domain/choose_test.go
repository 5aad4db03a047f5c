package domain

import (
	"errors"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/sim/vector"
)

// three has a light loop, a nest with most of the work, and something else.
const three = `
func.func @f(%x: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %v = memref.load %x[%i] : memref<?xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %x[%i] : memref<?xi32>
  } MARK0
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %v = memref.load %x[%j] : memref<?xi32>
      %w = arith.addi %v, %v : i32
      memref.store %w, %x[%i] : memref<?xi32>
    } MARK2
  } MARK1
  return
}
`

func TestChoose(t *testing.T) {
	large := errors.New("too large")
	for _, c := range []struct {
		marks  []int
		misfit []int // candidates that do not fit
		want   int
		remark string
	}{
		{nil, nil, -1, ""},
		{nil, []int{-1}, 1, "loop 1 becomes hardware"},
		{nil, []int{-1, 1}, 2, "loop 2 becomes hardware"},
		{nil, []int{-1, 1, 2}, 0, "loop 0 becomes hardware"},
		{nil, []int{-1, 0, 1, 2}, -1, "nothing fits"},
		{[]int{0}, nil, 0, "loop 0 becomes hardware"},
		{[]int{0, 2}, nil, 2, "loop 2 becomes hardware"},
		{[]int{0, 2}, []int{2}, 0, "loop 0 becomes hardware"},
		{[]int{0}, []int{0}, 0, "nothing fits the fabric; loop 0"},
	} {
		text := three
		for n, mark := range []string{"MARK0", "MARK1", "MARK2"} {
			with := ""
			for _, m := range c.marks {
				if m == n {
					with = "{loom.accel}"
				}
			}
			text = strings.Replace(text, mark, with, 1)
		}
		m, fn := parse(t, text)
		choice, err := Choose(m, fn, func(d *Domain) error {
			for _, n := range c.misfit {
				if d.Loop == n {
					return large
				}
			}
			return nil
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		d := choice.Domain
		if d.Loop != c.want {
			t.Errorf("marks %v, misfits %v: loop %d is chosen, want %d", c.marks, c.misfit, d.Loop, c.want)
		}
		message := ""
		if r := choice.Remark(); r != nil {
			message = r.Message
			for _, n := range c.misfit {
				if d.Loop != n && !strings.Contains(r.Error(), "too large") && len(r.Notes) == 0 {
					t.Errorf("marks %v, misfits %v: no reasons", c.marks, c.misfit)
				}
			}
		}
		if !strings.HasPrefix(message, c.remark) || c.remark == "" && message != "" {
			t.Errorf("marks %v, misfits %v: reports %q, want %q", c.marks, c.misfit, message, c.remark)
		}
	}
}

// light has a loop that the estimate takes for the heavier one: ten times against three.
const light = `
func.func @f(%x: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %v = memref.load %x[%i] : memref<?xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %x[%i] : memref<?xi32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %x[%i] : memref<?xi32>
  }
  return
}
`

// TestChooseByInputs: where a run has been made, loops are compared by what it has executed.
func TestChooseByInputs(t *testing.T) {
	m, fn := parse(t, light)
	loopsOnly := func(d *Domain) error {
		if d.Loop < 0 {
			return errors.New("too large")
		}
		return nil
	}
	for _, c := range []struct {
		n       uint64
		run     bool
		want    int
		work    float64
		share   string
		measure bool
	}{
		{0, false, 1, 31, "about 76 % of the work by a static estimate; 24 % stay on the host", false},
		{1, true, 0, 10, "71 % of the work; 29 % stay on the host", true},
		{30, true, 1, 91, "90 % of the work; 10 % stay on the host", true},
		{1000, true, 1, 3001, "more than 99 % of the work; less than 1 % stay on the host", true},
	} {
		runs := 0
		run := func() (*interp.Profile, error) {
			runs++
			if !c.run {
				return nil, nil
			}
			var p interp.Profile
			in := &vector.Inputs{Args: []vector.Arg{{Name: "x", Mem: &vector.Memory{Elem: ir.I32, Shape: []int64{1000}, Data: make([]uint64, 1000)}}, {Name: "n", Scalar: c.n}}}
			out, err := interp.Run(fn, in, interp.Options{Profile: &p})
			if err != nil || out.Status != vector.Done {
				t.Fatal(err, out)
			}
			return &p, nil
		}
		got, err := Choose(m, fn, loopsOnly, run)
		if err != nil {
			t.Fatal(err)
		}
		taken := got.Candidates[1+got.Domain.Loop]
		if got.Domain.Loop != c.want || taken.Work != c.work || got.Weighed != c.measure || runs != 1 {
			t.Errorf("n = %d: loop %d with work %v, weighed %v, %d runs", c.n, got.Domain.Loop, taken.Work, got.Weighed, runs)
		}
		if text := ShareText(taken.Share, got.Weighed); text != c.share {
			t.Errorf("n = %d: %s, want %s", c.n, text, c.share)
		}
		if r := got.Remark(); !strings.HasSuffix(r.Message, c.share) {
			t.Errorf("n = %d: %s", c.n, r.Message)
		}
		// What fits as a whole needs no run.
		if whole, err := Choose(m, fn, nil, run); err != nil || whole.Domain.Loop != -1 || runs != 1 {
			t.Errorf("%v, %d runs", err, runs)
		}
	}
}

// TestMoves: loops that only fill, copy or count are told from those that compute, and auto
// leaves them to the host.
func TestMoves(t *testing.T) {
	const head = `
func.func @f(%x: memref<?xi32>, %y: memref<?xi32>, %n: index, %a: i32) -> (i32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
`
	const fills, copies, counts = "it only fills memory", "it only copies", "it only counts"
	for _, c := range []struct{ body, want string }{
		{`scf.for %i = %c0 to %n step %c1 { memref.store %zero, %x[%i] : memref<?xi32> }`, fills},
		{`scf.for %i = %c0 to %n step %c1 {
			%t = arith.muli %i, %n : index
			scf.for %j = %c0 to %n step %c1 {
				%at = arith.addi %t, %j : index
				%v = arith.index_cast %j : index to i32
				memref.store %v, %x[%at] : memref<?xi32>
			} }`, fills},
		{`scf.for %i = %c0 to %n step %c1 {
			%r = arith.subi %n, %i : index
			%v = memref.load %x[%r] : memref<?xi32>
			memref.store %v, %y[%i] : memref<?xi32> }`, copies},
		{`memref.copy %x, %y : memref<?xi32> to memref<?xi32>
		  scf.for %i = %c0 to %n step %c1 { memref.copy %x, %y : memref<?xi32> to memref<?xi32> }`, copies},
		{`scf.for %i = %c0 to %n step %c1 { }`, counts},
		{`%s = scf.for %i = %c0 to %n step %c1 iter_args(%k = %zero) -> (i32) {
			%even = arith.cmpi slt, %i, %n : index
			%q = scf.if %even -> (i32) {
				%p = arith.addi %k, %one : i32
				scf.yield %p : i32
			} else { scf.yield %k : i32 }
			scf.yield %q : i32 }`, counts},
		{`%s:2 = scf.while (%k = %zero, %z = %n) : (i32, index) -> (i32, index) {
			%more = arith.cmpi sgt, %z, %c0 : index
			scf.condition(%more) %k, %z : i32, index
		  } do {
		  ^bb0(%k: i32, %z: index):
			%p = arith.addi %k, %one : i32
			%w = arith.subi %z, %c1 : index
			scf.yield %p, %w : i32, index }`, counts},
		// A nest whose counter goes on from loop to loop.
		{`%s = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c0) -> (index) {
			%t = scf.for %j = %c0 to %n step %c1 iter_args(%l = %k) -> (index) {
				memref.store %zero, %x[%l] : memref<?xi32>
				%m = arith.addi %l, %c1 : index
				scf.yield %m : index
			}
			scf.yield %t : index }`, fills},
		// What computes.
		{`scf.for %i = %c0 to %n step %c1 {
			%v = memref.load %x[%i] : memref<?xi32>
			%w = arith.addi %v, %one : i32
			memref.store %w, %x[%i] : memref<?xi32> }`, ""},
		{`scf.for %i = %c0 to %n step %c1 {
			%v = memref.load %x[%i] : memref<?xi32>
			%at = arith.index_cast %v : i32 to index
			%w = memref.load %y[%at] : memref<?xi32>
			memref.store %w, %x[%i] : memref<?xi32> }`, ""}, // a table
		{`%s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %zero, %q = %one) -> (i32, i32) {
			%r = arith.addi %p, %q : i32
			scf.yield %q, %r : i32, i32 }`, ""}, // Fibonacci's numbers
		{`%s:2 = scf.while (%p = %zero, %q = %one) : (i32, i32) -> (i32, i32) {
			%more = arith.cmpi slt, %p, %a : i32
			scf.condition(%more) %q, %p : i32, i32
		  } do {
		  ^bb0(%p: i32, %q: i32):
			scf.yield %p, %q : i32, i32 }`, ""}, // two that take turns
		{`%s = scf.for %i = %c0 to %n step %c1 iter_args(%p = %zero) -> (i32) {
			%r = arith.muli %p, %a : i32
			%u = arith.addi %r, %one : i32
			scf.yield %u : i32 }`, ""}, // a random generator
		{`%s = scf.for %i = %c0 to %n step %c1 iter_args(%p = %c0) -> (index) {
			%r = arith.addi %p, %i : index
			scf.yield %r : index }`, ""}, // a sum of what differs
		{`%s:2 = scf.while (%p = %a, %q = %one) : (i32, i32) -> (i32, i32) {
			%more = arith.cmpi ne, %p, %q : i32
			scf.condition(%more) %p, %q : i32, i32
		  } do {
		  ^bb0(%p: i32, %q: i32):
			%w = arith.subi %p, %q : i32
			scf.yield %w, %p : i32, i32 }`, ""}, // a greatest common divisor
		{`%s = scf.while (%i = %c0) : (index) -> (index) {
			%v = memref.load %x[%i] : memref<?xi32>
			%more = arith.cmpi ne, %v, %zero : i32
			scf.condition(%more) %i : index
		  } do {
		  ^bb0(%i: index):
			%w = arith.addi %i, %c1 : index
			scf.yield %w : index }`, ""}, // a search
		{`scf.for %i = %c0 to %n step %c1 {
			scf.for %j = %c0 to %n step %c1 {
				%p = arith.muli %i, %j : index
				%v = arith.index_cast %p : index to i32
				memref.store %v, %x[%j] : memref<?xi32>
			} }`, ""}, // a table of products
	} {
		m, fn := parse(t, head+c.body+"\n  return %zero, %c0 : i32, index\n}")
		l := Loops(fn)[0]
		if l.Moves != c.want {
			t.Errorf("%q, want %q, of\n%s", l.Moves, c.want, c.body)
		}
		choice, err := Choose(m, fn, func(d *Domain) error {
			if d.Loop != 0 {
				return errors.New("too large")
			}
			return nil
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if taken := choice.Domain.Loop == 0; taken != (c.want == "") {
			t.Errorf("loop %d is chosen, where %q holds of\n%s", choice.Domain.Loop, c.want, c.body)
		}
		if r := choice.Remark(); c.want != "" && !strings.Contains((&diag.List{All: []*diag.Diagnostic{r}}).Error(), "nothing fits") {
			t.Errorf("%v", r)
		}
	}
}
