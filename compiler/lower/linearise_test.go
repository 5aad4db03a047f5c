package lower

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var viewForms = []construction{
	{name: "windows, static and dynamic, nested", src: `
func.func @f(%a: memref<6x8xi32>, %i: index, %j: index, %n: index, %s: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %w = memref.subview %a[1, 2] [4, 6] [1, 1] : memref<6x8xi32> to memref<4x6xi32, strided<[8, 1], offset: 10>>
  %v = memref.subview %w[%i, %j] [%n, 2] [1, %s] : memref<4x6xi32, strided<[8, 1], offset: 10>> to memref<?x2xi32, strided<[8, ?], offset: ?>>
  %d = memref.dim %v, %c0 : memref<?x2xi32, strided<[8, ?], offset: ?>>
  %e = memref.dim %v, %c1 : memref<?x2xi32, strided<[8, ?], offset: ?>>
  %r = scf.for %x = %c0 to %d step %c1 iter_args(%t = %zero) -> (i32) {
    %u = scf.for %y = %c0 to %e step %c1 iter_args(%q = %t) -> (i32) {
      %b = memref.load %v[%x, %y] : memref<?x2xi32, strided<[8, ?], offset: ?>>
      memref.store %q, %v[%x, %y] : memref<?x2xi32, strided<[8, ?], offset: ?>>
      %p = arith.addi %q, %b : i32
      scf.yield %p : i32
    }
    scf.yield %u : i32
  }
  return %r : i32
}
`, args: []string{`"a": {"random": [6, 8]}, "i": 1, "j": 2, "n": 3, "s": 3`, `"a": {"random": [6, 8]}, "i": 0, "j": 0, "n": 0, "s": 1`}},
	{name: "rank-reducing windows", src: `
func.func @f(%a: memref<3x1x4xi32>, %k: index, %v: i32) -> i32 {
  %row = memref.subview %a[%k, 0, 0] [1, 1, 4] [1, 1, 1] : memref<3x1x4xi32> to memref<4xi32, strided<[1], offset: ?>>
  %col = memref.subview %a[0, 0, %k] [3, 1, 1] [1, 1, 1] : memref<3x1x4xi32> to memref<3xi32, strided<[4], offset: ?>>
  %one = memref.subview %a[%k, 0, 1] [1, 1, 1] [1, 1, 1] : memref<3x1x4xi32> to memref<i32, strided<[], offset: ?>>
  memref.store %v, %row[%k] : memref<4xi32, strided<[1], offset: ?>>
  %x = memref.load %col[%k] : memref<3xi32, strided<[4], offset: ?>>
  %y = memref.load %one[] : memref<i32, strided<[], offset: ?>>
  %z = arith.addi %x, %y : i32
  memref.store %z, %one[] : memref<i32, strided<[], offset: ?>>
  return %z : i32
}
`, args: []string{`"a": {"random": [3, 1, 4]}, "k": 2, "v": 5`, `"a": {"random": [3, 1, 4]}, "k": 0, "v": 5`}},
	{name: "collapse, expand, cast", src: `
func.func @f(%a: memref<2x3x4xi32>, %i: index, %n: index) -> (i32, i32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.collapse_shape %a [[0, 1], [2]] : memref<2x3x4xi32> into memref<6x4xi32>
  %c = memref.cast %b : memref<6x4xi32> to memref<?x4xi32>
  %e = memref.expand_shape %c [[0, 1], [2]] output_shape [%n, 3, 4] : memref<?x4xi32> into memref<?x3x4xi32>
  %x = memref.load %e[%c1, %i, %i] : memref<?x3x4xi32>
  %y = memref.load %c[%i, %c1] : memref<?x4xi32>
  memref.store %x, %c[%i, %c1] : memref<?x4xi32>
  %d = memref.dim %e, %c0 : memref<?x3x4xi32>
  return %x, %y, %d : i32, i32, index
}
`, args: []string{`"a": {"random": [2, 3, 4]}, "i": 2, "n": 2`}},
	{name: "rank 0", src: `
func.func @f(%a: memref<i32>, %b: memref<1x1xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %e = memref.expand_shape %a [] output_shape [1, 1] : memref<i32> into memref<1x1xi32>
  %c = memref.collapse_shape %b [] : memref<1x1xi32> into memref<i32>
  %x = memref.load %e[%c0, %c0] : memref<1x1xi32>
  %y = memref.load %c[] : memref<i32>
  memref.store %y, %e[%c0, %c0] : memref<1x1xi32>
  memref.store %x, %c[] : memref<i32>
  return %x : i32
}
`, args: []string{`"a": 7, "b": [[9]]`}},
	{name: "reinterpreted, with inner sizes known at run time", src: `
func.func @f(%a: memref<?xi32>, %n: index, %m: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %v = memref.reinterpret_cast %a to offset: [%c1], sizes: [%n, %m], strides: [%m, 1] : memref<?xi32> to memref<?x?xi32, strided<[?, 1], offset: ?>>
  %w = memref.reinterpret_cast %v to offset: [2], sizes: [3], strides: [2] : memref<?x?xi32, strided<[?, 1], offset: ?>> to memref<3xi32, strided<[2], offset: 2>>
  %r = scf.for %x = %c0 to %n step %c1 iter_args(%t = %zero) -> (i32) {
    %u = scf.for %y = %c0 to %m step %c1 iter_args(%q = %t) -> (i32) {
      %b = memref.load %v[%x, %y] : memref<?x?xi32, strided<[?, 1], offset: ?>>
      %p = arith.addi %q, %b : i32
      memref.store %p, %w[%c1] : memref<3xi32, strided<[2], offset: 2>>
      scf.yield %p : i32
    }
    scf.yield %u : i32
  }
  return %r : i32
}
`, args: []string{`"a": {"random": 13}, "n": 3, "m": 4`, `"a": {"random": 13}, "n": 0, "m": 4`}},
	{name: "metadata", src: `
func.func @f(%a: memref<4x6xi32>, %i: index) -> (index, index, index, i32) {
  %w = memref.subview %a[%i, 1] [2, 2] [1, 2] : memref<4x6xi32> to memref<2x2xi32, strided<[6, 2], offset: ?>>
  %base, %off, %sizes:2, %strides:2 = memref.extract_strided_metadata %w : memref<2x2xi32, strided<[6, 2], offset: ?>> -> memref<i32>, index, index, index, index, index
  %v = memref.reinterpret_cast %base to offset: [%off], sizes: [%sizes#1], strides: [%strides#0] : memref<i32> to memref<?xi32, strided<[?], offset: ?>>
  %c1 = arith.constant 1 : index
  %x = memref.load %v[%c1] : memref<?xi32, strided<[?], offset: ?>>
  memref.store %x, %w[%c1, %c1] : memref<2x2xi32, strided<[6, 2], offset: ?>>
  %y = memref.load %v[%c1] : memref<?xi32, strided<[?], offset: ?>>
  return %off, %sizes#0, %strides#1, %y : index, index, index, i32
}
`, args: []string{`"a": {"random": [4, 6]}, "i": 2`}},
	{name: "transposed", src: `
func.func @f(%a: memref<2x3xi32>, %i: index, %j: index) -> i32 {
  %t = memref.transpose %a (d0, d1) -> (d1, d0) : memref<2x3xi32> to memref<3x2xi32, strided<[1, 3]>>
  %x = memref.load %t[%j, %i] : memref<3x2xi32, strided<[1, 3]>>
  memref.store %x, %t[%i, %i] : memref<3x2xi32, strided<[1, 3]>>
  return %x : i32
}
`, args: []string{`"a": {"random": [2, 3]}, "i": 1, "j": 2`}},
	{name: "bytes", src: `
func.func @f(%a: memref<24xi8>, %s: index, %n: index, %v: i8) -> i8 {
  %c1 = arith.constant 1 : index
  %w = memref.view %a[%s][%n] : memref<24xi8> to memref<?x4xi8>
  %x = memref.load %w[%c1, %c1] : memref<?x4xi8>
  memref.store %v, %w[%c1, %c1] : memref<?x4xi8>
  return %x : i8
}
`, args: []string{`"a": {"random": 24}, "s": 3, "n": 4, "v": 9`}},
	{name: "arguments with layouts", src: `
func.func @f(%a: memref<2x3xi32, strided<[8, 1], offset: 4>>, %b: memref<?x2xi32, strided<[3, -1], offset: 1>>, %c: memref<4xi32, strided<[2]>>, %i: index) -> (i32, i32) {
  %x = memref.load %a[%i, %i] : memref<2x3xi32, strided<[8, 1], offset: 4>>
  %y = memref.load %b[%i, %i] : memref<?x2xi32, strided<[3, -1], offset: 1>>
  memref.store %x, %b[%i, %i] : memref<?x2xi32, strided<[3, -1], offset: 1>>
  %w = memref.subview %a[0, 1] [2, 2] [1, 1] : memref<2x3xi32, strided<[8, 1], offset: 4>> to memref<2x2xi32, strided<[8, 1], offset: 5>>
  memref.store %y, %w[%i, %i] : memref<2x2xi32, strided<[8, 1], offset: 5>>
  memref.store %y, %c[%i] : memref<4xi32, strided<[2]>>
  return %x, %y : i32, i32
}
`, args: []string{`"a": {"random": 15}, "b": {"random": 8}, "c": {"zeros": 7}, "i": 1`, `"a": {"random": 15}, "b": {"random": 5}, "c": {"zeros": 7}, "i": 0`}},
	{name: "memrefs that do not change", src: `
func.func @f(%a: memref<4xi32>, %n: index, %k: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a, %s = %zero) -> (memref<4xi32>, i32) {
    %p = scf.if %k -> memref<4xi32> {
      memref.store %s, %m[%c1] : memref<4xi32>
      scf.yield %m : memref<4xi32>
    } else {
      scf.yield %m : memref<4xi32>
    }
    %v = memref.load %p[%i] : memref<4xi32>
    %t = arith.addi %s, %v : i32
    scf.yield %m, %t : memref<4xi32>, i32
  }
  %x = memref.load %r#0[%c1] : memref<4xi32>
  %y = arith.addi %x, %r#1 : i32
  return %y : i32
}
`, args: []string{`"a": {"random": 4}, "n": 4, "k": true`, `"a": {"random": 4}, "n": 4, "k": false`}},
	{name: "views across calls and regions", src: `
func.func private @sum(%m: memref<?xi32, strided<[?], offset: ?>>, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %v = memref.load %m[%i] : memref<?xi32, strided<[?], offset: ?>>
    %t = arith.addi %s, %v : i32
    memref.store %t, %m[%i] : memref<?xi32, strided<[?], offset: ?>>
    scf.yield %t : i32
  }
  return %r : i32
}
func.func @f(%a: memref<4x5xi32>, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %e = arith.remui %i, %c2 : index
    %c = arith.cmpi eq, %e, %c0 : index
    %x = scf.if %c -> i32 {
      %row = memref.subview %a[%i, 0] [1, 5] [1, 1] : memref<4x5xi32> to memref<5xi32, strided<[1], offset: ?>>
      %row2 = memref.cast %row : memref<5xi32, strided<[1], offset: ?>> to memref<?xi32, strided<[?], offset: ?>>
      %c5 = arith.constant 5 : index
      %y = func.call @sum(%row2, %c5) : (memref<?xi32, strided<[?], offset: ?>>, index) -> i32
      scf.yield %y : i32
    } else {
      %col = memref.subview %a[0, %i] [4, 1] [1, 1] : memref<4x5xi32> to memref<4xi32, strided<[5], offset: ?>>
      %col2 = memref.cast %col : memref<4xi32, strided<[5], offset: ?>> to memref<?xi32, strided<[?], offset: ?>>
      %c4 = arith.constant 4 : index
      %y = func.call @sum(%col2, %c4) : (memref<?xi32, strided<[?], offset: ?>>, index) -> i32
      scf.yield %y : i32
    }
    %t = arith.addi %s, %x : i32
    scf.yield %t : i32
  }
  return %r : i32
}
`, args: []string{`"a": {"random": [4, 5]}, "n": 4`, `"a": {"random": [4, 5]}, "n": 0`}},
}

// TestViews: every operation that names a part of a memory.
func TestViews(t *testing.T) {
	acceptedUpstream(t, viewForms)
	for _, c := range viewForms {
		t.Run(c.name, func(t *testing.T) {
			agree(t, c, Options{})
			agree(t, c, Options{IndexWidth: 32})
		})
	}
}

// viewProgram composes random views of one memory and goes through the elements
// of the last.
type viewProgram struct {
	r     *rand.Rand
	body  strings.Builder
	param []string // "%p0: index"
	args  []string // `"p0": 3`
	next  int

	name                 string
	shape, strides       []int
	dynShape, dynStrides []bool
	offset               int
	dynOffset            bool
	elements             int // of the memory
}

// typeText is the type of the current view.
func (p *viewProgram) typeText() string {
	show := func(n int, dynamic bool) string {
		if dynamic {
			return "?"
		}
		return fmt.Sprint(n)
	}
	text := "memref<"
	for d, n := range p.shape {
		text += show(n, p.dynShape[d]) + "x"
	}
	text += "i32"
	identity, step := p.offset == 0 && !p.dynOffset, 1
	for d := len(p.shape) - 1; d >= 0; d-- {
		identity = identity && !p.dynStrides[d] && p.strides[d] == step
		if p.dynShape[d] && d > 0 {
			identity = false
		}
		step *= p.shape[d]
	}
	if !identity {
		var s []string
		for d := range p.strides {
			s = append(s, show(p.strides[d], p.dynStrides[d]))
		}
		text += ", strided<[" + strings.Join(s, ", ") + "]"
		if p.offset != 0 || p.dynOffset {
			text += ", offset: " + show(p.offset, p.dynOffset)
		}
		text += ">"
	}
	return text + ">"
}

// amount is an integer in the program: a constant or a parameter.
func (p *viewProgram) amount(n int, dynamic bool) string {
	if !dynamic {
		return fmt.Sprint(n)
	}
	name := fmt.Sprintf("p%d", len(p.param))
	p.param = append(p.param, "%"+name+": index")
	p.args = append(p.args, fmt.Sprintf("%q: %d", name, n))
	return "%" + name
}

func (p *viewProgram) coin() bool { return p.r.IntN(3) == 0 }

// make ends a view operation: text has the operation up to the source's type.
func (p *viewProgram) make(op, middle, word, from string) {
	p.next++
	name := fmt.Sprintf("%%v%d", p.next)
	fmt.Fprintf(&p.body, "  %s = memref.%s %s%s : %s %s %s\n", name, op, p.name, middle, from, word, p.typeText())
	p.name = name
}

func (p *viewProgram) list(values []int, dynamic []bool) string {
	var out []string
	for i, v := range values {
		out = append(out, p.amount(v, dynamic[i]))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// step adds a random view.
func (p *viewProgram) step() {
	from := p.typeText()
	rank := len(p.shape)
	switch p.r.IntN(6) {
	case 0: // window
		if slices.Contains(p.shape, 0) {
			return
		}
		off, size, step := make([]int, rank), make([]int, rank), make([]int, rank)
		dynOff, dynSize, dynStep := make([]bool, rank), make([]bool, rank), make([]bool, rank)
		for d, n := range p.shape {
			off[d] = p.r.IntN(n)
			step[d] = 1 + p.r.IntN(2)
			size[d] = 1 + p.r.IntN((n-1-off[d])/step[d]+1)
			dynOff[d], dynSize[d], dynStep[d] = p.coin(), p.coin(), p.coin()
			if p.r.IntN(3) == 0 {
				size[d], dynSize[d] = 1, false
			}
		}
		middle := p.list(off, dynOff) + " " + p.list(size, dynSize) + " " + p.list(step, dynStep)
		var shape, strides []int
		var dynShape, dynStrides []bool
		drop := p.coin()
		for d := range p.shape {
			p.offset += off[d] * p.strides[d]
			p.dynOffset = p.dynOffset || dynOff[d] || p.dynStrides[d]
			if drop && size[d] == 1 && !dynSize[d] && len(shape)+rank-d > 1 {
				continue
			}
			shape, dynShape = append(shape, size[d]), append(dynShape, dynSize[d])
			strides, dynStrides = append(strides, step[d]*p.strides[d]), append(dynStrides, dynStep[d] || p.dynStrides[d])
		}
		p.shape, p.dynShape, p.strides, p.dynStrides = shape, dynShape, strides, dynStrides
		p.make("subview", middle, "to", from)
	case 1: // forget what is known
		p.dynShape, p.dynStrides = slices.Clone(p.dynShape), slices.Clone(p.dynStrides)
		for d := range p.shape {
			p.dynShape[d], p.dynStrides[d] = p.dynShape[d] || p.coin(), true
		}
		p.dynOffset = true
		p.make("cast", "", "to", from)
	case 2: // anywhere in the memory
		rank := 1 + p.r.IntN(2)
		p.shape, p.strides, p.dynShape, p.dynStrides = nil, nil, nil, nil
		p.offset = p.r.IntN(p.elements)
		p.dynOffset = p.coin()
		left := p.elements - 1 - p.offset
		for range rank {
			n, s := 1+p.r.IntN(4), p.r.IntN(4)
			for n > 1 && ((n-1)*s > left || n > p.elements) {
				n--
			}
			left -= (n - 1) * s
			p.shape, p.strides = append(p.shape, n), append(p.strides, s)
			p.dynShape, p.dynStrides = append(p.dynShape, p.coin()), append(p.dynStrides, p.coin())
		}
		middle := " to offset: [" + p.amount(p.offset, p.dynOffset) + "], sizes: " + p.list(p.shape, p.dynShape) + ", strides: " + p.list(p.strides, p.dynStrides)
		p.make("reinterpret_cast", middle, "to", from)
	case 3: // merge two dimensions that continue each other
		for d := 0; d+1 < rank; d++ {
			if p.strides[d] != p.strides[d+1]*p.shape[d+1] || p.shape[d+1] == 1 {
				continue
			}
			groups := ""
			for i := 0; i < rank; i++ {
				if i > 0 {
					groups += ", "
				}
				if i == d {
					groups += fmt.Sprintf("[%d, %d]", i, i+1)
					i++
				} else {
					groups += fmt.Sprintf("[%d]", i)
				}
			}
			merged := p.shape[d] * p.shape[d+1]
			dynamic := p.dynShape[d] || p.dynShape[d+1]
			p.shape = slices.Concat(p.shape[:d], []int{merged}, p.shape[d+2:])
			p.dynShape = slices.Concat(p.dynShape[:d], []bool{dynamic}, p.dynShape[d+2:])
			p.strides = slices.Concat(p.strides[:d], p.strides[d+1:])
			p.dynStrides = slices.Concat(p.dynStrides[:d], p.dynStrides[d+1:])
			p.make("collapse_shape", " ["+groups+"]", "into", from)
			return
		}
	case 4: // split a dimension
		if rank == 0 {
			return
		}
		d := p.r.IntN(rank)
		var factors []int
		for f := 1; f <= p.shape[d]; f++ {
			if p.shape[d]%f == 0 {
				factors = append(factors, f)
			}
		}
		inner := factors[p.r.IntN(len(factors))]
		outer := p.shape[d] / inner
		groups := ""
		for i := range rank {
			if i > 0 {
				groups += ", "
			}
			switch {
			case i < d:
				groups += fmt.Sprintf("[%d]", i)
			case i == d:
				groups += fmt.Sprintf("[%d, %d]", i, i+1)
			default:
				groups += fmt.Sprintf("[%d]", i+1)
			}
		}
		dynamic := p.dynShape[d]
		p.shape = slices.Concat(p.shape[:d], []int{outer, inner}, p.shape[d+1:])
		p.dynShape = slices.Concat(p.dynShape[:d], []bool{dynamic, false}, p.dynShape[d+1:])
		p.strides = slices.Concat(p.strides[:d], []int{p.strides[d] * inner}, p.strides[d:])
		p.dynStrides = slices.Concat(p.dynStrides[:d], []bool{p.dynStrides[d]}, p.dynStrides[d:])
		p.make("expand_shape", " ["+groups+"] output_shape "+p.list(p.shape, p.dynShape), "into", from)
	case 5: // another order
		if rank < 2 {
			return
		}
		order := p.r.Perm(rank)
		var dims, result []string
		pick := func(s []int) (out []int) {
			for _, d := range order {
				out = append(out, s[d])
			}
			return out
		}
		flags := func(s []bool) (out []bool) {
			for _, d := range order {
				out = append(out, s[d])
			}
			return out
		}
		for d := range rank {
			dims, result = append(dims, fmt.Sprintf("d%d", d)), append(result, fmt.Sprintf("d%d", order[d]))
		}
		p.shape, p.strides, p.dynShape, p.dynStrides = pick(p.shape), pick(p.strides), flags(p.dynShape), flags(p.dynStrides)
		p.make("transpose", " ("+strings.Join(dims, ", ")+") -> ("+strings.Join(result, ", ")+")", "to", from)
	}
}

// generateViews makes the program of a seed.
func generateViews(seed uint64) construction {
	p := &viewProgram{r: rand.New(rand.NewPCG(seed, 11)), name: "%a"}
	for range 1 + p.r.IntN(3) {
		p.shape = append(p.shape, 1+p.r.IntN(4))
	}
	rank := len(p.shape)
	p.strides, p.dynShape, p.dynStrides = make([]int, rank), make([]bool, rank), make([]bool, rank)
	step := 1
	strided := p.r.IntN(3) == 0
	if strided {
		p.offset = p.r.IntN(3)
		step = 1 + p.r.IntN(2)
	}
	p.elements = p.offset + 1
	for d := rank - 1; d >= 0; d-- {
		p.strides[d] = step
		p.elements += (p.shape[d] - 1) * step
		step *= p.shape[d]
		if strided {
			step += p.r.IntN(3)
		}
	}
	rootType := p.typeText()
	// A parameter without a layout is given in its shape.
	size := fmt.Sprint(p.elements)
	if !strings.Contains(rootType, "strided") {
		size = strings.ReplaceAll(fmt.Sprint(p.shape), " ", ", ")
	}
	name := "a"
	local := !strings.Contains(rootType, "strided") && p.coin()
	if local {
		name = "outer"
	}
	p.args = append(p.args, fmt.Sprintf(`%q: {"random": %s, "seed": %d, "min": -9, "max": 9}`, name, size, seed))
	rootRank := rank
	for range 1 + p.r.IntN(4) {
		p.step()
	}
	// Go through the last view, read the memory's first element in between.
	view := p.typeText()
	var b strings.Builder
	fmt.Fprintf(&b, "  %%zero = arith.constant 0 : i32\n  %%three = arith.constant 3 : i32\n")
	for d := range max(len(p.shape), 2) {
		fmt.Fprintf(&b, "  %%c%d = arith.constant %d : index\n", d, d)
	}
	indent, carried := "  ", "%zero"
	var index []string
	for d := range p.shape {
		fmt.Fprintf(&b, "%s%%d%d = memref.dim %s, %%c%d : %s\n", indent, d, p.name, d, view)
		fmt.Fprintf(&b, "%s%%r%d = scf.for %%i%d = %%c0 to %%d%d step %%c1 iter_args(%%s%d = %s) -> (i32) {\n", indent, d, d, d, d, carried)
		carried = fmt.Sprintf("%%s%d", d)
		index = append(index, fmt.Sprintf("%%i%d", d))
		indent += "  "
	}
	at := strings.Join(index, ", ")
	first := strings.TrimSuffix(strings.Repeat("%c0, ", rootRank), ", ")
	fmt.Fprintf(&b, "%s%%x = memref.load %s[%s] : %s\n", indent, p.name, at, view)
	fmt.Fprintf(&b, "%s%%y = arith.muli %%x, %%three : i32\n", indent)
	fmt.Fprintf(&b, "%smemref.store %%y, %s[%s] : %s\n", indent, p.name, at, view)
	if p.coin() {
		fmt.Fprintf(&b, "%s%%f = memref.load %%a[%s] : %s\n", indent, first, rootType)
	} else {
		fmt.Fprintf(&b, "%s%%f = arith.subi %%y, %%three : i32\n", indent)
	}
	fmt.Fprintf(&b, "%s%%t = arith.muli %s, %%three : i32\n%s%%u = arith.addi %%t, %%f : i32\n%s%%next = arith.addi %%u, %%x : i32\n", indent, carried, indent, indent)
	result := "%next"
	for d := len(p.shape) - 1; d >= 0; d-- {
		fmt.Fprintf(&b, "%sscf.yield %s : i32\n", indent, result)
		indent = indent[2:]
		fmt.Fprintf(&b, "%s}\n", indent)
		result = fmt.Sprintf("%%r%d", d)
	}
	parameter, before, after := "%a", "", ""
	if local {
		// The memory is one on the chip, filled and emptied by copies.
		parameter = "%outer"
		before = fmt.Sprintf("  %%a = memref.alloc() : %s\n  memref.copy %%outer, %%a : %s to %s\n", rootType, rootType, rootType)
		after = fmt.Sprintf("  memref.copy %%a, %%outer : %s to %s\n  memref.dealloc %%a : %s\n", rootType, rootType, rootType)
	}
	src := fmt.Sprintf("func.func @f(%s) -> i32 {\n%s%s%s%s  return %s : i32\n}\n",
		strings.Join(append([]string{parameter + ": " + rootType}, p.param...), ", "), before, p.body.String(), b.String(), after, result)
	return construction{name: fmt.Sprint(seed), src: src, args: []string{strings.Join(p.args, ", ")}}
}

// TestRandomViews: interpreter and graph agree on what a chain of views names.
func TestRandomViews(t *testing.T) {
	for seed := range programs(250) {
		c := generateViews(seed)
		if !t.Run(c.name, func(t *testing.T) { agree(t, c, Options{}) }) {
			t.Fatalf("seed %d:\n%s%s", seed, c.src, c.args[0])
		}
	}
}
