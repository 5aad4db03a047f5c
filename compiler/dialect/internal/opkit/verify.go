// Package opkit holds what the dialects share: small verifiers to compose and
// the assembly forms that many operations have.
package opkit

import (
	"fmt"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

// Verifier checks one operation.
type Verifier = func(op *ir.Operation, errs *diag.List)

// Any accepts any number in Shape.
const Any = -1

// Errorf reports something about op, starting with its name.
func Errorf(op *ir.Operation, errs *diag.List, format string, args ...any) *diag.Diagnostic {
	return errs.Errorf(op.Pos, "'%s': "+format, append([]any{op.Name}, args...)...)
}

// Seq runs verifiers in order and stops after the first that finds something:
// a later one may rely on what an earlier one has checked.
func Seq(vs ...Verifier) Verifier {
	return func(op *ir.Operation, errs *diag.List) {
		before := len(errs.All)
		for _, v := range vs {
			if v(op, errs); len(errs.All) > before {
				return
			}
		}
	}
}

// Shape checks the numbers of operands, results and regions and that the
// operation has no successors.
func Shape(operands, results, regions int) Verifier {
	return func(op *ir.Operation, errs *diag.List) {
		Count(op, errs, "operand", op.NumOperands(), operands)
		Count(op, errs, "result", op.NumResults(), results)
		Count(op, errs, "region", len(op.Regions), regions)
		if len(op.Succs) > 0 {
			Errorf(op, errs, "has no successors")
		}
	}
}

// Count checks one number; want may be Any.
func Count(op *ir.Operation, errs *diag.List, what string, have, want int) bool {
	if want == Any || have == want {
		return true
	}
	Errorf(op, errs, "has %s, expected %d", Plural(have, what), want)
	return false
}

// Plural is "1 operand", "2 operands".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// SameTypes checks that all operands and results have one type.
func SameTypes(op *ir.Operation, errs *diag.List) {
	var t ir.Type
	for i, v := range op.Operands() {
		if t == nil {
			t = v.Type
		} else if v.Type != t {
			Errorf(op, errs, "operand #%d has type %s, expected %s as operand #0", i, v.Type, t)
		}
	}
	for i, v := range op.Results() {
		if t == nil {
			t = v.Type
		} else if v.Type != t {
			Errorf(op, errs, "result #%d has type %s, expected %s", i, v.Type, t)
		}
	}
}

// Attr returns an attribute of a kind and reports its absence or another kind.
func Attr[T ir.Attr](op *ir.Operation, errs *diag.List, name, what string) (T, bool) {
	var zero T
	a := op.Attr(name)
	if a == nil {
		Errorf(op, errs, "needs the attribute '%s' (%s)", name, what)
		return zero, false
	}
	t, ok := a.(T)
	if !ok {
		Errorf(op, errs, "attribute '%s' is %s, expected %s", name, a, what)
	}
	return t, ok
}

// OptionalAttr is Attr for an attribute that may be absent; present is false
// then and where it is of another kind.
func OptionalAttr[T ir.Attr](op *ir.Operation, errs *diag.List, name, what string) (a T, present bool) {
	if op.Attr(name) == nil {
		return a, false
	}
	return Attr[T](op, errs, name, what)
}

// Elem is the element type of a vector or tensor, else t itself: arithmetic is
// defined on both.
func Elem(t ir.Type) ir.Type {
	if s, ok := t.(*ir.ShapedType); ok {
		return s.Elem
	}
	return t
}

// WithElem is t with another element type.
func WithElem(t, elem ir.Type) ir.Type {
	if s, ok := t.(*ir.ShapedType); ok {
		return ir.Shaped(s.Kind, s.Shape, elem)
	}
	return elem
}

// SameShape reports whether both are scalars or shaped alike.
func SameShape(a, b ir.Type) bool { return WithElem(a, ir.I1) == WithElem(b, ir.I1) }

// IsSignless reports whether t is a signless integer.
func IsSignless(t ir.Type) bool {
	i, ok := t.(*ir.IntegerType)
	return ok && i.Sign == ir.Signless
}

// IsSignlessOrIndex reports whether t is a signless integer or index.
func IsSignlessOrIndex(t ir.Type) bool { return IsSignless(t) || t == ir.Type(ir.Index) }

// Typed checks one value's type by a predicate on the element type.
func Typed(op *ir.Operation, errs *diag.List, what string, t ir.Type, ok func(ir.Type) bool, expected string) bool {
	if ok(Elem(t)) {
		return true
	}
	Errorf(op, errs, "%s has type %s, expected %s", what, t, expected)
	return false
}

// Exactly checks one value's type.
func Exactly(op *ir.Operation, errs *diag.List, what string, t, want ir.Type) bool {
	if t == want {
		return true
	}
	Errorf(op, errs, "%s has type %s, expected %s", what, t, want)
	return false
}

// Types checks values against types one by one; what names the values.
func Types(op *ir.Operation, errs *diag.List, what string, have []*ir.Value, want []ir.Type, source string) bool {
	if len(have) != len(want) {
		Errorf(op, errs, "has %s, %s has %d", Plural(len(have), what), source, len(want))
		return false
	}
	ok := true
	for i, v := range have {
		if v.Type != want[i] {
			Errorf(op, errs, "%s #%d has type %s, expected %s as in %s", what, i, v.Type, want[i], source)
			ok = false
		}
	}
	return ok
}

// TypesOf lists the types of values.
func TypesOf(vs []*ir.Value) []ir.Type {
	ts := make([]ir.Type, len(vs))
	for i, v := range vs {
		ts[i] = v.Type
	}
	return ts
}

// OneBlock checks that region i holds exactly one block and returns it.
func OneBlock(op *ir.Operation, errs *diag.List, i int) *ir.Block {
	if n := len(op.Regions[i].Blocks); n != 1 {
		Errorf(op, errs, "region #%d has %s, expected 1", i, Plural(n, "block"))
		return nil
	}
	return op.Regions[i].Blocks[0]
}

// Terminated checks that a block ends in the operation of that name and
// returns it.
func Terminated(op *ir.Operation, errs *diag.List, b *ir.Block, name string) *ir.Operation {
	t := b.Terminator()
	if t == nil {
		Errorf(op, errs, "has an empty block, expected it to end in '%s'", name)
		return nil
	}
	if t.Name != name {
		Errorf(op, errs, "expects its body to end in '%s', found '%s'", name, t.Name).
			WithNote(t.Pos, "the last operation of the body")
		return nil
	}
	return t
}

// ParentIs checks that op stands directly inside one of the operations.
func ParentIs(names ...string) Verifier {
	return func(op *ir.Operation, errs *diag.List) {
		p := op.ParentOp()
		if p == nil {
			return // detached: nothing to check yet
		}
		for _, n := range names {
			if p.Name == n {
				return
			}
		}
		Errorf(op, errs, "stands inside '%s', expected it inside %s", p.Name, quoteList(names))
	}
}

func quoteList(names []string) string {
	s := ""
	for i, n := range names {
		if i > 0 {
			s += " or "
		}
		s += "'" + n + "'"
	}
	return s
}

// IndexAll checks that values are all of type index.
func IndexAll(op *ir.Operation, errs *diag.List, what string, vs []*ir.Value) bool {
	ok := true
	for i, v := range vs {
		if v.Type != ir.Type(ir.Index) {
			Errorf(op, errs, "%s #%d has type %s, expected index", what, i, v.Type)
			ok = false
		}
	}
	return ok
}
