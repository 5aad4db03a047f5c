package widths

import (
	"math/bits"
	"slices"

	"loom/compiler/analysis/interval"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// FreeExtensions returns the extensions of a graph that a fabric needs no unit for (arith.extui, arith.extsi, and casts from or
// to an index that extend): their operand's channel already holds what their readers need.
//
// A channel of a fabric may be wider than the value in it. What produces exactly the value's width leaves zeros above (design
// page "The Fabric dialect": widths are aligned at the low end, and zero-extended), and what moves values, or combines their bits
// one by one, keeps them. Above other values anything may stand: the low bits of a wider sum are a value, too. So an extension
// is free for one of two reasons:
//
//   - zeros stand above its operand, and zeros are what it gives: it has no sign, or the operand is never negative;
//   - nothing depends on the bits that it adds, as when its result is shifted and cut again.
//
// One that nothing reads is not free: it takes its operand's tokens.
//
// Nothing is assumed of arguments, which a host may pass with any bits above, nor of what comes from memories on the chip, whose
// elements may be wider than the kernel's. indexWidth is the width of index in bits.
func FreeExtensions(fn *ir.Operation, indexWidth int) map[*ir.Operation]bool {
	body := fn.Regions[0].Entry()
	c := &channels{a: newAnalysis(fn, indexWidth), free: map[*ir.Operation]bool{}, wrong: map[*ir.Value]bool{}, dirty: map[*ir.Value]bool{}}
	for _, op := range body.Ops {
		if c.extends(op) {
			c.free[op] = true
		}
	}
	if len(c.free) == 0 {
		return nil
	}
	c.a.forward()
	c.need = c.a.demand(c.reads)
	// From the best that can be: what does not hold is taken back until all of it does.
	for changed := true; changed; {
		changed = false
		for _, op := range body.Ops {
			if c.free[op] && !c.isFree(op) {
				delete(c.free, op)
				changed = true
			}
			for _, r := range op.Results() {
				w := c.a.width(r)
				if w > 0 && !c.wrong[r] && c.mayBeWrong(op, r, w) {
					c.wrong[r] = true
					changed = true
				}
				if w > 0 && !c.dirty[r] && !c.zeros(op, r, w) {
					c.dirty[r] = true
					changed = true
				}
			}
		}
	}
	return c.free
}

// channels is what is known of the words that channels hold.
type channels struct {
	a *analysis
	// free are the extensions that are left out.
	free map[*ir.Operation]bool
	// need is how many low bits of a value anything depends on.
	need map[*ir.Value]int
	// wrong are the values of whose own bits some may be wrong that nothing needs.
	wrong map[*ir.Value]bool
	// dirty are the values above which something else than zeros may stand.
	dirty map[*ir.Value]bool
}

// extends reports whether op gives a wider integer than its operand.
func (c *channels) extends(op *ir.Operation) bool {
	switch op.Name {
	case opname.ArithExtSI, opname.ArithExtUI, opname.ArithIndexCast, opname.ArithIndexCastUI:
		from, to := c.a.width(op.Operand(0)), c.a.width(op.Result(0))
		return from > 0 && from < to
	}
	return false
}

// signed reports whether an extension repeats the sign.
func signed(op *ir.Operation) bool {
	return op.Name == opname.ArithExtSI || op.Name == opname.ArithIndexCast
}

// isFree reports whether an extension is free with what is known so far.
func (c *channels) isFree(op *ir.Operation) bool {
	n := c.need[op.Result(0)]
	return n > 0 && (n <= c.a.width(op.Operand(0)) || c.zerosGive(op))
}

// zerosGive reports whether zeros stand above the operand of an extension, and are what it gives.
func (c *channels) zerosGive(op *ir.Operation) bool {
	v := op.Operand(0)
	return c.clean(v) && (!signed(op) || c.interval(v).UHi <= interval.Mask(c.a.width(v))>>1)
}

// clean reports whether the channel of v holds v and zeros.
func (c *channels) clean(v *ir.Value) bool {
	return v.Def != nil && !c.dirty[v] && !c.wrong[v]
}

func (c *channels) interval(v *ir.Value) interval.Interval {
	if i, ok := c.a.known[v]; ok {
		return i
	}
	return interval.Any(c.a.width(v))
}

// data are the operands of an operation that are passed on, nil for one that computes.
func data(op *ir.Operation) []*ir.Value {
	switch op.Name {
	case opname.HandshakeCondBr, opname.HandshakeMux, opname.DataflowCarry, opname.DataflowInvariant, opname.ArithSelect:
		return op.Operands()[1:]
	case opname.DataflowGate, opname.DataflowHold, opname.DataflowInterlock:
		return op.Operands()[:1]
	}
	return nil
}

// mask is the constant of an operation with two operands, of which i is the other one. It is looked at as the word that a
// channel, or configuration, has for it.
func (c *channels) mask(op *ir.Operation, i int) (uint64, bool) {
	v := op.Operand(1 - i)
	if v.Def == nil || v.Def.Name != opname.HandshakeConstant {
		return 0, false
	}
	k, ok := v.Def.IntAttr("value")
	return uint64(k) & interval.Mask(c.a.width(v)), ok
}

// distance is the number of bits of a shift, if that is a constant below the width.
func (c *channels) distance(op *ir.Operation) (int, bool) {
	k, ok := c.mask(op, 0)
	return int(k), ok && k < uint64(c.a.width(op.Result(0)))
}

// mayBeWrong reports whether bits of result r of an operation, of w bits, may be wrong. Those that something needs are right.
func (c *channels) mayBeWrong(op *ir.Operation, r *ir.Value, w int) bool {
	if c.need[r] >= w {
		return false
	}
	if c.free[op] && !c.zerosGive(op) {
		return true
	}
	return slices.ContainsFunc(op.Operands(), func(v *ir.Value) bool { return c.wrong[v] })
}

// zeros reports whether zeros stand above result r of an operation in its channel, however wide the unit is that computes it;
// whether r itself is right is mayBeWrong. Compare package mapper/tech: which operations need a unit of their own width.
func (c *channels) zeros(op *ir.Operation, r *ir.Value, w int) bool {
	all := func(of []*ir.Value) bool {
		return !slices.ContainsFunc(of, func(v *ir.Value) bool { return !c.clean(v) })
	}
	if c.extends(op) {
		return c.zerosGive(op) || !signed(op) && !c.free[op]
	}
	if d := data(op); d != nil {
		if op.Name == opname.DataflowGate && r.Index == 1 {
			return true // the condition
		}
		return all(d)
	}
	switch op.Name {
	case opname.HandshakeConstant:
		return true
	case opname.HandshakeLoad:
		def := op.Operand(1).Def
		return r.Index == 0 && w >= 8 && def != nil && def.Name == opname.HandshakeExtmemory
	case opname.ArithAndI:
		return c.clean(op.Operand(0)) || c.clean(op.Operand(1))
	case opname.ArithOrI, opname.ArithXOrI:
		return all(op.Operands())
	case opname.ArithTruncI, opname.ArithIndexCast, opname.ArithIndexCastUI:
		return c.clean(op.Operand(0)) && c.interval(op.Operand(0)).UHi <= interval.Mask(w)
	}
	if op.Def().LowBits() || op.Name == opname.ArithBitcast {
		return false // on a wider unit, or as the wire that it is, it has more bits
	}
	return true
}

// reads is how many low bits of operand i an operation depends on, given what its readers need. What stands above in a channel is
// left open, so other than in needs only constants mask, and only constants tell how far a shift goes.
func (c *channels) reads(op *ir.Operation, i int, need map[*ir.Value]int) int {
	const all = 64
	result := 0
	for _, r := range op.Results() {
		result = max(result, need[r])
	}
	switch op.Name {
	case opname.HandshakeCondBr, opname.HandshakeMux, opname.DataflowCarry, opname.DataflowInvariant, opname.ArithSelect:
		if i == 0 {
			return all
		}
		return result
	case opname.DataflowGate:
		if i == 1 {
			return all
		}
		return need[op.Result(0)]
	case opname.DataflowHold, opname.ArithAddI, opname.ArithSubI, opname.ArithMulI, opname.ArithOrI, opname.ArithXOrI, opname.ArithTruncI,
		opname.ArithExtSI, opname.ArithExtUI, opname.ArithIndexCast, opname.ArithIndexCastUI:
		return result // an extension's sign is above the operand's bits only if they are all needed
	case opname.ArithAndI:
		if m, ok := c.mask(op, i); ok {
			return min(result, bits.Len64(m))
		}
		return result
	case opname.ArithShLI:
		if k, ok := c.distance(op); ok && i == 0 {
			return max(result-k, 0)
		}
	case opname.ArithShRSI, opname.ArithShRUI:
		if k, ok := c.distance(op); ok && i == 0 && result+k < c.a.width(op.Result(0)) {
			return result + k
		}
	}
	return all
}
