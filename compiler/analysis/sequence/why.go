package sequence

import (
	"fmt"
	"strconv"

	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/loops"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// why says what stands against the order of an access for which there is no proof: the first
// thing that a person would look for.
func (p *proof) why() string {
	at, known := p.value(p.subscript)
	carried := p.carries(at)
	var innermost *ir.Operation
	for op := p.access.ParentOp(); op != p.fn; op = op.ParentOp() {
		switch {
		case op.Name == opname.SCFIf && !carried && !p.invariant(op.Operand(0)):
			return fmt.Sprintf("is skipped where the condition at line %d decides so, and its subscript goes on", op.Pos.Line)
		case op.Name == opname.SCFWhile && innermost == nil:
			return fmt.Sprintf("has a subscript that is not known to be the number of elements before, in the loop at line %d", op.Pos.Line)
		case op.Name == opname.SCFFor && innermost == nil:
			innermost = op
		}
	}
	if innermost == nil {
		if c, ok := at.constant(); known && ok {
			return fmt.Sprintf("touches element %d, not element 0", int64(c))
		}
		return "touches an element that the run decides"
	}
	first, numbered := p.iteration(innermost)
	if !known || !numbered || carried {
		return fmt.Sprintf("has a subscript that is not known to be the number of elements before, in the loop at line %d", innermost.Pos.Line)
	}
	for key := range first { // the one monomial
		switch by := interval.Signed(at[key].coef, p.forms.IndexWidth); by {
		case 1:
		case 0:
			return fmt.Sprintf("does not move by one element per iteration of the loop at line %d", innermost.Pos.Line)
		default:
			return fmt.Sprintf("moves by %s elements per iteration of the loop at line %d, not by one", strconv.FormatInt(by, 10), innermost.Pos.Line)
		}
	}
	if around := innermost.ParentOp(); p.outermost != innermost {
		for around.Name != opname.SCFFor && around.Name != opname.SCFWhile {
			around = around.ParentOp()
		}
		return fmt.Sprintf("is not known to go on behind the elements of the iteration before, in the loop at line %d", around.Pos.Line)
	}
	if c, ok := at.plus(first, -1).constant(); ok {
		return fmt.Sprintf("begins at element %d, not at element 0", int64(c))
	}
	return "begins at an element that the run decides"
}

// carries reports whether a subscript contains what a loop hands to its next iteration.
func (p *proof) carries(at poly) bool {
	for _, m := range at {
		for _, y := range m.syms {
			if v := y.Value; v.Def == nil && v.Block != nil && loops.Of(v) == nil && v.Block.ParentOp() != p.fn {
				return true
			}
		}
	}
	return false
}
