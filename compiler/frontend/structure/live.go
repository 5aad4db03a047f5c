package structure

import (
	"math/bits"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// set is a set of variables by their numbers.
type set []uint64

func (s set) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }
func (s set) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s set) clone() set     { return append(set(nil), s...) }

func (s set) unite(o set) {
	for i, w := range o {
		s[i] |= w
	}
}

func (s set) without(o set) {
	for i, w := range o {
		s[i] &^= w
	}
}

func (s set) intersect(o set) {
	for i, w := range o {
		s[i] &= w
	}
}

// each calls f for every member in order.
func (s set) each(f func(int)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(i<<6 + bits.TrailingZeros64(w))
		}
	}
}

// facts are the variables read and assigned by and behind a statement.
type facts struct {
	reads  set // read before the statement assigns them
	always set // assigned on every path through it
	may    set // assigned on some path
	out    set // read behind it, of those that may be assigned
	// armReads is what each arm, or the body of a loop and what follows it, reads.
	armReads []set
}

// variables numbers what crosses from block to block: the arguments of blocks, the
// values that the structuring itself made, and results that another block reads.
type variables struct {
	number map[*ir.Value]int
	list   []*ir.Value
	words  int
}

func (vs *variables) add(v *ir.Value) {
	if _, ok := vs.number[v]; !ok {
		vs.number[v] = len(vs.list)
		vs.list = append(vs.list, v)
	}
}

func (vs *variables) empty() set { return make(set, vs.words) }

// collect numbers the variables of a list of statements.
func (vs *variables) collect(list []*stmt) {
	for _, s := range list {
		for _, m := range s.copies {
			vs.add(m.to)
		}
		if s.block != nil {
			for _, op := range s.block.Ops {
				for _, r := range op.Results() {
					for _, u := range r.Uses() {
						if u.Op.Block() != s.block || isBranch(u.Op) {
							vs.add(r)
							break
						}
					}
				}
			}
		}
		for _, a := range s.arms {
			vs.collect(a)
		}
		vs.collect(s.body)
		vs.collect(s.after)
	}
}

// isBranch reports whether op is a terminator whose operands become copies and
// conditions.
func isBranch(op *ir.Operation) bool {
	switch op.Name {
	case opname.CFBr, opname.CFCondBr, opname.CFSwitch, opname.FuncReturn:
		return true
	}
	return false
}

func (vs *variables) read(s set, v *ir.Value) {
	if i, ok := vs.number[v]; ok {
		s.add(i)
	}
}

// summarise finds what a list of statements reads and assigns.
func (vs *variables) summarise(list []*stmt) (reads, always, may set) {
	reads, always, may = vs.empty(), vs.empty(), vs.empty()
	for _, s := range list {
		vs.summariseStmt(s)
		r := s.reads.clone()
		r.without(always)
		reads.unite(r)
		always.unite(s.always)
		may.unite(s.may)
	}
	return reads, always, may
}

func (vs *variables) summariseStmt(s *stmt) {
	s.reads, s.always, s.may = vs.empty(), vs.empty(), vs.empty()
	assign := func(v *ir.Value) {
		if i, ok := vs.number[v]; ok {
			s.always.add(i)
			s.may.add(i)
		}
	}
	read := func(v *ir.Value) {
		if i, ok := vs.number[v]; ok && v != nil && !s.always.has(i) {
			s.reads.add(i)
		}
	}
	switch {
	case s.block != nil:
		for _, op := range s.block.Ops {
			if isBranch(op) {
				continue // its operands are read by the statements behind
			}
			op.Walk(func(o *ir.Operation) bool {
				for _, v := range o.Operands() {
					read(v)
				}
				return true
			})
			for _, v := range op.Results() {
				assign(v)
			}
		}
	case s.copies != nil:
		for _, m := range s.copies {
			read(m.from)
		}
		for _, m := range s.copies {
			assign(m.to)
		}
	case s.arms != nil:
		read(s.on)
		for i, a := range s.arms {
			r, always, may := vs.summarise(a)
			s.armReads = append(s.armReads, r)
			s.reads.unite(r)
			s.may.unite(may)
			if i == 0 {
				s.always = always
			} else {
				s.always.intersect(always)
			}
		}
	default:
		r, always, may := vs.summarise(s.body)
		s.reads, s.always, s.may = r, always, may
		read(s.again)
		if s.tests {
			ra, _, ma := vs.summarise(s.after)
			s.armReads = []set{r.clone(), ra}
			ra = ra.clone()
			ra.without(always)
			s.reads.unite(ra)
			s.may.unite(ma)
		}
	}
}

// behind sets for every statement what is read behind it. out is what is read behind
// the list.
func (vs *variables) behind(list []*stmt, out set) {
	out = out.clone()
	for i := len(list) - 1; i >= 0; i-- {
		s := list[i]
		s.out = out.clone()
		for _, a := range s.arms {
			vs.behind(a, out)
		}
		if s.again != nil {
			// What an iteration reads, the one before it must leave.
			inner := out.clone()
			inner.unite(s.reads)
			vs.read(inner, s.again)
			if s.tests {
				vs.behind(s.after, inner)
				body := out.clone()
				body.unite(s.reads)
				body.unite(s.armReads[1])
				vs.read(body, s.again)
				vs.behind(s.body, body)
			} else {
				vs.behind(s.body, inner)
			}
		}
		out.without(s.always)
		out.unite(s.reads)
	}
}
