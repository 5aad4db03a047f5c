package structure

import (
	"strconv"
	"strings"

	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// share merges pure operations that compute the same into one: the first of those
// that every user sees. Constants are at the head of the function, where build
// put them.
type share struct {
	ids   map[*ir.Value]int
	table map[string]*ir.Operation
	// log is what the table held before, to leave a region.
	log     []shareEntry
	changed bool
}

type shareEntry struct {
	key string
	was *ir.Operation
}

// shareEqual merges equal operations of a function; it reports whether it did.
func shareEqual(fn *ir.Operation) bool {
	s := &share{ids: map[*ir.Value]int{}, table: map[string]*ir.Operation{}}
	s.region(fn)
	return s.changed
}

func (s *share) region(op *ir.Operation) {
	for _, r := range op.Regions {
		mark := len(s.log)
		for _, b := range r.Blocks {
			rewrite.Rebuild(b, func(o *ir.Operation, emit func(*ir.Operation)) {
				if s.replaced(o) {
					s.changed = true
					rewrite.Drop(o)
					return
				}
				s.region(o)
				emit(o)
			})
		}
		for i := len(s.log) - 1; i >= mark; i-- {
			s.table[s.log[i].key] = s.log[i].was
		}
		s.log = s.log[:mark]
	}
}

func (s *share) id(v *ir.Value) int {
	n, ok := s.ids[v]
	if !ok {
		n = len(s.ids)
		s.ids[v] = n
	}
	return n
}

// replaced looks for an equal operation and replaces o by it.
func (s *share) replaced(o *ir.Operation) bool {
	if !o.Is(ir.Pure) && o.Name != opname.MemRefGetGlobal || len(o.Regions) > 0 || o.NumResults() == 0 {
		return false
	}
	key := s.key(o)
	if first := s.table[key]; first != nil {
		if arith.IsNoSignedWrap(first) && !arith.IsNoSignedWrap(o) {
			first.SetAttr(arith.OverflowAttr, nil) // the other one may wrap
		}
		replaceResults(o, first.Results())
		return true
	}
	if s.opposite(o, key) {
		return true
	}
	s.note(key, o)
	return false
}

func (s *share) note(key string, o *ir.Operation) {
	s.log = append(s.log, shareEntry{key, s.table[key]})
	s.table[key] = o
}

// forget removes an operation from the table: it will compute something
// else.
func (s *share) forget(o *ir.Operation) {
	delete(s.table, s.key(o))
	for i := range s.log {
		if s.log[i].was == o {
			s.log[i].was = nil
		}
	}
}

// key identifies what an operation computes.
func (s *share) key(o *ir.Operation) string {
	var b strings.Builder
	b.WriteString(o.Name)
	if o.Is(ir.Commutative) && o.NumOperands() == 2 {
		x, y := s.id(o.Operand(0)), s.id(o.Operand(1))
		b.WriteString(" " + strconv.Itoa(min(x, y)) + " " + strconv.Itoa(max(x, y)))
	} else {
		for _, v := range o.Operands() {
			b.WriteString(" " + strconv.Itoa(s.id(v)))
		}
	}
	attrs := o.Attrs
	if arith.IsNoSignedWrap(o) {
		attrs = nil // replaced keeps it where both have it
	}
	b.WriteString(attrs.String())
	for _, r := range o.Results() {
		b.WriteString(r.Type.String())
	}
	return b.String()
}

// opposite uses one comparison for two that are each other's opposite, where all
// users of one of them only choose by it: their operands are swapped.
func (s *share) opposite(o *ir.Operation, key string) bool {
	p, ok := arith.PredicateOf(o)
	if !ok {
		return false
	}
	arith.SetPredicate(o, p.Negated())
	first := s.table[s.key(o)]
	arith.SetPredicate(o, p)
	switch {
	case first == nil:
		return false
	case onlyChooses(o.Result(0)):
		exchange(o.Result(0))
	case onlyChooses(first.Result(0)):
		s.forget(first)
		exchange(first.Result(0))
		first.Attrs = append(ir.NamedAttrs(nil), first.Attrs...)
		arith.SetPredicate(first, p)
		s.note(key, first)
	default:
		return false
	}
	replaceResults(o, first.Results())
	return true
}

// onlyChooses reports whether a condition is only used to choose between two
// values or regions.
func onlyChooses(v *ir.Value) bool {
	for _, u := range v.Uses() {
		switch {
		case u.Index != 0:
			return false
		case u.Op.Name == opname.SCFIf && len(u.Op.Regions[1].Blocks) > 0:
		case u.Op.Name == opname.ArithSelect && u.Op.Operand(1) != v && u.Op.Operand(2) != v:
		default:
			return false
		}
	}
	return true
}

// exchange swaps the operands and arms that a condition chooses between.
func exchange(v *ir.Value) {
	for _, u := range v.Uses() {
		if u.Op.Name == opname.SCFIf {
			r := u.Op.Regions
			r[0], r[1] = r[1], r[0]
			continue
		}
		a, b := u.Op.Operand(1), u.Op.Operand(2)
		u.Op.SetOperand(1, b)
		u.Op.SetOperand(2, a)
	}
}
