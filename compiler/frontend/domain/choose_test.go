package domain

import (
	"errors"
	"strings"
	"testing"
)

// three has a light loop, a nest with most of the work, and something else.
const three = `
func.func @f(%x: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %v = memref.load %x[%i] : memref<?xi32>
    memref.store %v, %x[%i] : memref<?xi32>
  } MARK0
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %v = memref.load %x[%j] : memref<?xi32>
      memref.store %v, %x[%i] : memref<?xi32>
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
		d, list, err := Choose(m, fn, func(d *Domain) error {
			for _, n := range c.misfit {
				if d.Loop == n {
					return large
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if d.Loop != c.want {
			t.Errorf("marks %v, misfits %v: loop %d is chosen, want %d", c.marks, c.misfit, d.Loop, c.want)
		}
		message := ""
		if r := Remark(list); r != nil {
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
