package raise

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/frontend/normalise"
	"loom/compiler/ir"
)

// clean removes what nothing reads, and the blocks that are never reached.
func (e *emitter) clean() {
	e.reorder()
	live := map[*ir.Value]bool{}
	var work []*ir.Value
	need := func(v *ir.Value) {
		if v != nil && !live[v] {
			live[v] = true
			work = append(work, v)
		}
	}
	edges := map[*ir.Block][]edge{}
	needed := map[*ir.Operation]bool{}
	for _, b := range e.region.Blocks {
		for _, op := range b.Ops {
			for i, s := range op.Succs {
				edges[s.Block] = append(edges[s.Block], edge{op, i})
			}
			if pure(op) {
				continue
			}
			needed[op] = true
			n := op.NumOperands()
			if len(op.Succs) > 0 {
				n = op.Succs[0].First
			}
			for _, v := range op.Operands()[:n] {
				need(v)
			}
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v.Def == nil {
			for _, in := range edges[v.Block] {
				need(passed(in.from, in.succ)[v.Index])
			}
			continue
		}
		if !needed[v.Def] {
			needed[v.Def] = true
			for _, w := range v.Def.Operands() {
				need(w)
			}
		}
	}
	for i, b := range e.region.Blocks {
		if i == 0 {
			continue
		}
		for k := len(b.Args) - 1; k >= 0; k-- {
			if !live[b.Args[k]] {
				cutArg(b, k, edges[b])
			}
		}
	}
	for _, b := range e.region.Blocks {
		kept := b.Ops[:0]
		for _, op := range b.Ops {
			if needed[op] {
				kept = append(kept, op)
			} else {
				op.SetOperands(nil)
			}
		}
		b.Ops = kept
	}
	for _, b := range e.region.Blocks {
		segments(b.Terminator())
	}
}

// pure reports whether an operation may go when nothing reads it. A division by zero
// that nobody asks for has no meaning to keep.
func pure(op *ir.Operation) bool {
	if len(op.Succs) > 0 || op.NumResults() == 0 {
		return false
	}
	return true
}

// cutArg removes an argument of a block of the new function.
func cutArg(b *ir.Block, k int, in []edge) {
	for _, x := range in {
		at := x.from.Succs[x.succ].First + k
		operands := slices.Delete(slices.Clone(x.from.Operands()), at, at+1)
		x.from.SetOperands(operands)
		x.from.Succs[x.succ].Count--
		for i := range x.from.Succs {
			if i != x.succ && x.from.Succs[i].First > at {
				x.from.Succs[i].First--
			}
		}
	}
	b.Args = slices.Delete(b.Args, k, k+1)
	for i, a := range b.Args {
		a.Index = i
	}
}

// reorder brings the blocks into reverse post-order.
func (e *emitter) reorder() {
	type visit struct {
		block *ir.Block
		next  int
	}
	seen := map[*ir.Block]bool{e.entry: true}
	var post []*ir.Block
	for stack := []visit{{block: e.entry}}; len(stack) > 0; {
		v := &stack[len(stack)-1]
		if succs := v.block.Terminator().Succs; v.next < len(succs) {
			s := succs[len(succs)-1-v.next].Block
			v.next++
			if !seen[s] {
				seen[s] = true
				stack = append(stack, visit{block: s})
			}
			continue
		}
		post = append(post, v.block)
		stack = stack[:len(stack)-1]
	}
	for _, b := range e.region.Blocks {
		if !seen[b] {
			for _, op := range b.Ops {
				op.SetOperands(nil)
			}
		}
	}
	slices.Reverse(post)
	e.region.Blocks = post
}

// finish writes the attributes of the function, and leaves out the parameters that it
// does not use.
func (e *emitter) finish(fn *ir.Operation) {
	var kept []*ir.Value
	for _, a := range e.entry.Args {
		if a.HasUses() {
			a.Index = len(kept)
			kept = append(kept, a)
		} else {
			a.Index = -1
		}
	}
	e.entry.Args = kept
	used := map[string]bool{}
	for _, a := range kept {
		name := a.Name
		for n := 2; used[a.Name]; n++ {
			a.Name = fmt.Sprintf("%s_%d", name, n)
		}
		used[a.Name] = true
	}
	var in, out []ir.Type
	for _, a := range kept {
		in = append(in, a.Type)
	}
	if p := e.r.sig.result; p != nil {
		for _, f := range p.fields {
			out = append(out, f.typ)
		}
	}
	fn.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(in, out)})
	e.describe(fn)
	e.r.aliases(fn)
}

// describe writes how the parameters of the source became those of the function.
func (e *emitter) describe(fn *ir.Operation) {
	r := e.r
	f := &cabi.Function{Name: r.sig.name, Symbol: r.fn.SymName(), Source: r.opts.Source, Flags: r.opts.Flags, Cxx: r.opts.Cxx,
		Approximate: r.fn.Attr(normalise.Approximate) != nil}
	for _, p := range r.sig.params {
		c := cabi.Param{Name: p.name, Type: p.spelling, Class: p.class, Unsigned: p.class == cabi.Scalar && p.typ.unsigned}
		switch {
		case p.pointer == nil:
			c.Size = p.typ.size
			for _, x := range p.fields {
				if a := e.vals[x.value]; a.Index >= 0 {
					c.Pieces = append(c.Pieces, cabi.Piece{Index: a.Index, Field: x.path, Offset: x.offset})
				}
			}
		default:
			o := r.rootOf[p.pointer]
			if p.pointee != nil {
				t, _ := flatten(p.pointee, nil)
				c.Size = max(t.size, 0)
			}
			c.Pieces = piecesOf(o)
			if c.Size == 0 && len(c.Pieces) > 0 {
				c.Size = c.Pieces[0].Stride
			}
		}
		f.Params = append(f.Params, c)
	}
	for _, o := range r.roots {
		if o.kind != globalRoot || !r.visible(o) {
			continue
		}
		ps := piecesOf(o)
		if len(ps) == 0 {
			continue
		}
		c := cabi.Param{Name: o.name, Class: cabi.Global, Size: o.size(), Pieces: ps, Type: "void *"}
		if d := r.variableOf(o.alloc); d != nil {
			sp := speller{r.opts.Cxx}
			if t := sp.spell(d.Ref("type"), pointerTo(d.Ref("type"))); t != "" {
				c.Type = t
			}
			c.Name = sp.qualified(d)
		}
		f.Params = append(f.Params, c)
	}
	if p := r.sig.result; p != nil {
		c := cabi.Param{Type: p.spelling, Class: p.class, Size: p.typ.size, Unsigned: p.class == cabi.Scalar && p.typ.unsigned}
		for i, x := range p.fields {
			c.Pieces = append(c.Pieces, cabi.Piece{Index: i, Field: x.path, Offset: x.offset})
		}
		f.Result = &c
	}
	cabi.Set(fn, f)
}

func piecesOf(o *root) []cabi.Piece {
	if o == nil || o.layout == nil {
		return nil
	}
	var out []cabi.Piece
	for _, p := range o.layout.pieces {
		if p != nil && p.value != nil && p.value.Index >= 0 && p.value.HasUses() {
			out = append(out, cabi.Piece{Index: p.value.Index, Field: p.path, Offset: p.offset, Stride: p.stride})
		}
	}
	return out
}

// aliases writes which parameters may overlap, and says so.
func (r *raiser) aliases(fn *ir.Operation) {
	if r.opts.AssumeNoAlias {
		return
	}
	var all []*piece
	for _, o := range r.roots {
		if (o.kind == paramRoot || o.kind == globalRoot && r.visible(o)) && o.layout != nil {
			for _, p := range o.layout.pieces {
				if p != nil && p.value.HasUses() {
					all = append(all, p)
				}
			}
		}
	}
	group := make([]int, len(all))
	for i := range group {
		group[i] = i
	}
	find := func(i int) int {
		for group[i] != i {
			i = group[i]
		}
		return i
	}
	for i := range all {
		for k := range i {
			if overlap(all[i], all[k]) {
				a, b := find(i), find(k)
				group[max(a, b)] = min(a, b)
			}
		}
	}
	members := map[int][]*piece{}
	var order []int
	for i, p := range all {
		g := find(i)
		if len(members[g]) == 0 {
			order = append(order, g)
		}
		members[g] = append(members[g], p)
	}
	attr := &ir.ArrayAttr{}
	for _, g := range order {
		if len(members[g]) < 2 {
			continue
		}
		list := &ir.ArrayAttr{}
		for _, p := range members[g] {
			list.Elems = append(list.Elems, ir.IntAttr(int64(p.value.Index), ir.I64))
		}
		attr.Elems = append(attr.Elems, list)
		r.mention(members[g])
	}
	if len(attr.Elems) > 0 {
		fn.SetAttr(MayAlias, attr)
	}
}

// overlap reports whether two memrefs may hold the same bytes, one of them being
// written.
func overlap(a, b *piece) bool {
	switch {
	case a.root == b.root, !a.stored && !b.stored, a.root.noalias, b.root.noalias:
		return false
	case a.root.kind == globalRoot && b.root.kind == globalRoot:
		return false
	}
	for _, s := range a.tags {
		for _, t := range b.tags {
			if s == "" || t == "" || s == t {
				return true
			}
		}
	}
	return false
}

// mention says that parameters are kept in order because they may overlap.
func (r *raiser) mention(ps []*piece) {
	var names, stored []string
	for _, p := range ps {
		n := "'" + p.value.Name + "'"
		names = append(names, n)
		if p.stored {
			stored = append(stored, n)
		}
	}
	verb := "is"
	if len(stored) > 1 {
		verb = "are"
	}
	d := r.notes.Remarkf(r.place(diag.Pos{}), "%s may overlap and %s %s written: their accesses stay in order",
		list(names), list(stored), verb)
	d.WithHelp("%s", fmt.Sprintf("declare the pointers restrict where they point to different arrays, or give --assume-no-alias"))
}

func list(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
