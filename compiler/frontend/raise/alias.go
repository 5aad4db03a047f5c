package raise

import (
	"fmt"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

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
