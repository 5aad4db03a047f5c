package inputs

import (
	"slices"

	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
)

// comparisons are what a kernel compares the elements of a memory with.
type comparisons struct {
	// constants are in order, each once, as bit patterns of the element's type.
	constants []uint64
	// elements: they are compared with other elements for equality.
	elements bool
}

// comparisonsOf follows the elements of a memory from its loads to comparisons, through
// conversions, loops and sums with constants: a test for digits is often one of c - '0'.
func (a *analysis) comparisonsOf(memory *ir.Value, loads []*ir.Operation, elem ir.Type) comparisons {
	type shifted struct {
		value *ir.Value
		by    int64 // the value is the element and this
	}
	var out comparisons
	seen := map[*ir.Value]bool{}
	var work []shifted
	follow := func(v *ir.Value, by int64) {
		if !seen[v] {
			seen[v] = true
			work = append(work, shifted{v, by})
		}
	}
	for _, op := range loads {
		if m, _ := memoryOf(op); m == any(memory) {
			follow(op.Result(0), 0)
		}
	}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for _, u := range at.value.Uses() {
			op := u.Op
			switch op.Name {
			case opname.ArithExtSI, opname.ArithExtUI, opname.ArithTruncI, opname.ArithIndexCast, opname.ArithIndexCastUI,
				opname.DataflowGate:
				follow(op.Result(0), at.by)
			case opname.HandshakeMux, opname.DataflowCarry, opname.DataflowInvariant:
				if u.Index > 0 {
					follow(op.Result(0), at.by)
				}
			case opname.HandshakeCondBr:
				if u.Index == 1 {
					follow(op.Result(0), at.by)
					follow(op.Result(1), at.by)
				}
			case opname.ArithAddI, opname.ArithSubI:
				c, ok := constantOf(op.Operand(1), a.indexWidth)
				if !ok || u.Index != 0 {
					continue
				}
				if op.Name == opname.ArithSubI {
					c = -c
				}
				follow(op.Result(0), at.by+c)
			case opname.ArithCmpI:
				other := op.Operand(1 - u.Index)
				if c, ok := constantOf(other, a.indexWidth); ok {
					out.constants = append(out.constants, num.Truncate(uint64(c-at.by), elem, a.indexWidth))
				} else {
					out.elements = true
				}
			}
		}
	}
	slices.Sort(out.constants)
	out.constants = slices.Compact(out.constants)
	return out
}

// near makes a value that decides a comparison: one of the constants, one beside it, or one
// between it and the next, which may be the ends of a range such as the digits.
func (c *comparisons) near(d *draws) uint64 {
	const widest = 64
	i := int(d.upTo(int64(len(c.constants) - 1)))
	value := c.constants[i]
	switch d.upTo(3) {
	case 0:
		value++
	case 1:
		value--
	case 2:
		if i+1 < len(c.constants) && c.constants[i+1]-value <= widest {
			value += uint64(d.upTo(int64(c.constants[i+1] - value)))
		}
	}
	return value
}
