package inputs

import (
	"sort"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// An address of a graph is a sum in elements, without the subscripts and the limits of
// their dimensions. The factor of a dimension's stride was its subscript:
//
//	a[p][q] of a 4 x 20 array   p * 20 + q   p stays below 4, q below 20
//
// Parts of one subscript share what the dimension has left beside those that are known.

// term is a part of an address: a value times a constant.
type term struct {
	v     *ir.Value
	times int64
}

// sum is an address, taken apart.
type sum struct {
	terms     []term
	constants []int64
	// visits bounds the work on sums whose parts are shared.
	visits int
}

// maxVisits is more than the address of any written program needs.
const maxVisits = 200

// maxTimes is where a constant stops to be counted; nothing has so many elements.
const maxTimes = 1 << 40

// split takes v apart.
func (a *analysis) split(s *sum, v *ir.Value, times int64) {
	if s.visits++; s.visits > maxVisits {
		return
	}
	if c, ok := constantOf(v, a.indexWidth); ok {
		if c > -maxTimes && c < maxTimes && times > -maxTimes && times < maxTimes {
			s.constants = append(s.constants, clampTimes(c, times))
		}
		return
	}
	constant := func(op *ir.Operation, i int) (int64, bool) { return constantOf(op.Operand(i), a.indexWidth) }
	if op := source(v).Def; op != nil {
		switch op.Name {
		case opname.ArithAddI, opname.ArithOrI:
			// The bits of an or are apart where it makes an address.
			for _, o := range op.Operands() {
				if op.Name == opname.ArithOrI && a.upper(o) {
					a.add(o, use{role: address, below: 1})
				} else {
					a.split(s, o, times)
				}
			}
			return
		case opname.ArithSubI:
			a.split(s, op.Operand(0), times)
			a.split(s, op.Operand(1), -times)
			return
		case opname.ArithMulI:
			for i := range 2 {
				if c, ok := constant(op, i); ok {
					a.split(s, op.Operand(1-i), clampTimes(times, c))
					return
				}
			}
		case opname.ArithShLI:
			if c, ok := constant(op, 1); ok && c >= 0 && c < 40 {
				a.split(s, op.Operand(0), clampTimes(times, 1<<c))
				return
			}
		}
	}
	s.terms = append(s.terms, term{v, times})
}

// clampTimes multiplies, up to maxTimes.
func clampTimes(a, b int64) int64 {
	if a != 0 && (b >= maxTimes/abs(a) || b <= -maxTimes/abs(a)) {
		if (a < 0) != (b < 0) {
			return -maxTimes
		}
		return maxTimes
	}
	return a * b
}

func abs(a int64) int64 { return max(a, -a) }

// source is where a value comes from, through what hands it on as it is.
func source(v *ir.Value) *ir.Value {
	for v.Def != nil {
		switch v.Def.Name {
		case opname.HandshakeCondBr, opname.DataflowInvariant:
			v = v.Def.Operand(1)
		case opname.DataflowGate:
			if v.Index != 0 {
				return v
			}
			v = v.Def.Operand(0)
		case opname.DataflowInterlock, opname.ArithIndexCast, opname.ArithIndexCastUI, opname.ArithExtSI, opname.ArithExtUI:
			v = v.Def.Operand(0)
		default:
			return v
		}
	}
	return v
}

// within are the ends between which a value lies, where the graph shows them.
func (a *analysis) within(v *ir.Value) (low, high int64, ok bool) {
	op := source(v).Def
	if op == nil {
		return 0, 0, false
	}
	constant := func(i int) (int64, bool) { return constantOf(op.Operand(i), a.indexWidth) }
	switch op.Name {
	case opname.ArithAndI, opname.ArithRemUI:
		c, ok := constant(1)
		if op.Name == opname.ArithRemUI {
			c--
		}
		return 0, c, ok && c >= 0
	case opname.DataflowStream:
		first, ok1 := constant(0)
		end, ok2 := constant(2)
		if !reaches(op) {
			if end > first {
				end--
			} else {
				end++
			}
		}
		return min(first, end), max(first, end), ok1 && ok2
	}
	return 0, 0, false
}

// reaches reports whether the values of a dataflow.stream include its end.
func reaches(stream *ir.Operation) bool {
	s, ok := stream.Attr("cont_cond").(*ir.StringAttr)
	return ok && (s.Value == "<=" || s.Value == ">=")
}

// dimension is one of a memory, and what its subscript consists of.
type dimension struct {
	extent int64 // 0 for no end
	stride int64
	// low and high are the ends of the parts that are known.
	low, high int64
	// terms are the others, in elements of this dimension; minus: it is
	// subtracted.
	terms []term
	minus bool
}

// subscripts notes what an address demands of its parts.
func (a *analysis) subscripts(addr *ir.Value, shape []int64) {
	dims := make([]dimension, len(shape))
	all := int64(1) // elements, 0 for no end
	for i := len(shape) - 1; i >= 0; i-- {
		dims[i] = dimension{extent: max(shape[i], 0), stride: all}
		if all = clampTimes(all, dims[i].extent); all == 0 && i > 0 {
			dims = nil // nothing is known of the dimensions before
			break
		}
	}
	s := &sum{}
	a.split(s, addr, 1)
	if s.visits > maxVisits || len(dims) == 0 {
		a.add(addr, use{role: address, below: all})
		return
	}
	for _, c := range s.constants {
		for i := range dims {
			d := &dims[i]
			d.low += c / d.stride
			d.high += c / d.stride
			c %= d.stride
		}
	}
	for _, t := range s.terms {
		d := dimensionOf(dims, t.times)
		if d == nil {
			u := use{role: address}
			if all > 0 && t.times != 0 {
				u.below = max(all/abs(t.times), 1)
			}
			a.add(t.v, u)
			continue
		}
		t.times /= d.stride
		if low, high, ok := a.within(t.v); ok {
			low, high = clampTimes(low, t.times), clampTimes(high, t.times)
			d.low += min(low, high)
			d.high += max(low, high)
			a.add(t.v, use{role: address, below: d.limit(abs(t.times), 1, 0)})
			continue
		}
		d.terms = append(d.terms, t)
		d.minus = d.minus || t.times < 0
	}
	for i := range dims {
		dims[i].share(func(v *ir.Value, u use) { a.add(v, u) })
	}
}

// dimensionOf is the dimension whose subscript a term with this constant is part of.
func dimensionOf(dims []dimension, times int64) *dimension {
	for i := range dims {
		d := &dims[i]
		if n := abs(times); n > 0 && n%d.stride == 0 && (d.extent == 0 || n/d.stride < max(d.extent, 2)) {
			return d
		}
	}
	return nil
}

// limit is what n terms that count so many times each stay below, where some elements are
// taken already.
func (d *dimension) limit(times, n, taken int64) int64 {
	switch {
	case d.extent == 0 && times == 1:
		return 0
	case d.extent == 0:
		return max(farthest/times, 1)
	}
	left := d.extent - 1 - taken
	if left < 0 {
		left = d.extent - 1 // the parts hang together, or the access is a condition's
	}
	return left/clampTimes(times, n) + 1
}

// share gives the parts of a subscript that are not known their limits. Parts that count
// more times than others do so in steps of a row: the others stay inside of one.
func (d *dimension) share(give func(v *ir.Value, u use)) {
	rest := d.terms
	sort.SliceStable(rest, func(i, k int) bool { return abs(rest[i].times) > abs(rest[k].times) })
	space, taken := *d, d.high
	for len(rest) > 0 {
		times := abs(rest[0].times)
		n := int64(1)
		for n < int64(len(rest)) && abs(rest[n].times) == times {
			n++
		}
		below := rest[n:]
		if len(below) > 0 {
			taken += times - 1
		}
		for _, t := range rest[:n] {
			u := use{role: address}
			switch {
			case t.times < 0:
				u.below = space.limit(times, 1, 0)
			case d.minus:
				u.below = space.limit(times, 1, taken)
			default:
				u.below = space.limit(times, n, taken)
				if d.low < 0 && len(below) == 0 {
					u.from = (-d.low + n*times - 1) / (n * times)
				}
				if u.below > 0 && u.from >= u.below {
					u.from = 0
				}
			}
			give(t.v, u)
		}
		if rest = below; space.extent > 0 {
			space.extent, taken = times, 0
		}
	}
}
