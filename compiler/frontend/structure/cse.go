package structure

import (
	"strconv"
	"strings"

	"loom/compiler/ir"
)

// share gives pure operations that compute the same one place: the first of those
// that every user sees. Constants stand at the head of the function, where build
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
			rebuild(b, func(o *ir.Operation, emit func(*ir.Operation)) {
				if s.replaced(o) {
					s.changed = true
					drop(o)
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

// replaced looks for an equal operation and lets it take the place of o.
func (s *share) replaced(o *ir.Operation) bool {
	if !o.Is(ir.Pure) && o.Name != "memref.get_global" || len(o.Regions) > 0 || o.NumResults() == 0 {
		return false
	}
	var b strings.Builder
	b.WriteString(o.Name)
	a, c := -1, -1
	if o.Is(ir.Commutative) && o.NumOperands() == 2 {
		a, c = s.id(o.Operand(0)), s.id(o.Operand(1))
		b.WriteString(" " + strconv.Itoa(min(a, c)) + " " + strconv.Itoa(max(a, c)))
	} else {
		for _, v := range o.Operands() {
			b.WriteString(" " + strconv.Itoa(s.id(v)))
		}
	}
	b.WriteString(o.Attrs.String())
	for _, r := range o.Results() {
		b.WriteString(r.Type.String())
	}
	key := b.String()
	if first := s.table[key]; first != nil {
		replaceResults(o, first.Results())
		return true
	}
	s.log = append(s.log, shareEntry{key, nil})
	s.table[key] = o
	return false
}
