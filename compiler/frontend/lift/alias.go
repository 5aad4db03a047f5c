package lift

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// aliases writes which parameters may overlap, and reports it.
func (r *lifter) aliases(fn *ir.Operation) {
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
	var sets [][]int
	for _, g := range order {
		if len(members[g]) < 2 {
			continue
		}
		for _, set := range cliques(members[g]) {
			var positions []int
			for _, p := range set {
				positions = append(positions, p.value.Index)
			}
			sets = append(sets, positions)
		}
		r.mention(members[g])
	}
	cabi.SetAliases(fn, sets)
}

// roms writes which parameters are marked as ROM, and reports what writes to one.
func (r *lifter) roms(fn *ir.Operation) {
	var list []int
	for _, o := range r.roots {
		if o.kind != paramRoot || !o.param.rom || o.layout == nil {
			continue
		}
		for _, a := range o.accesses {
			if a.store {
				r.errorf(a.op.Pos, "'%s' is marked as ROM and is written here", o.name).
					WithNote(o.pos, "the parameter is here").WithHelp("take the mark away: a ROM is written by nobody while the kernel runs")
			}
		}
		for _, p := range o.layout.pieces {
			if p != nil && p.value != nil && p.value.Index >= 0 {
				list = append(list, p.value.Index)
			}
		}
	}
	slices.Sort(list)
	cabi.SetROM(fn, list)
}

// cliques are sets in which every memref may overlap with every other, such that each
// pair that may overlap is in one of them.
func cliques(all []*piece) (sets [][]*piece) {
	type pair struct{ a, b *piece }
	covered := map[pair]bool{}
	for i, a := range all {
		for _, b := range all[i+1:] {
			if !overlap(a, b) || covered[pair{a, b}] {
				continue
			}
			var set []*piece
			for _, c := range all {
				meets := func(d *piece) bool { return c == d || overlap(c, d) }
				if c == a || c == b || meets(a) && meets(b) && !slices.ContainsFunc(set, func(d *piece) bool { return !meets(d) }) {
					set = append(set, c)
				}
			}
			for k, c := range set {
				for _, d := range set[k+1:] {
					covered[pair{c, d}] = true
				}
			}
			sets = append(sets, set)
		}
	}
	return sets
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

// mention reports that memrefs are kept in order because they may overlap: which pointers
// may overlap, which global variables they may point into, and what of it is written.
func (r *lifter) mention(ps []*piece) {
	var pointers, globals, stored []string
	meet := false
	for i, p := range ps {
		n := "'" + p.value.Name + "'"
		if p.root.kind == globalRoot {
			globals = append(globals, n)
		} else {
			pointers = append(pointers, n)
		}
		if p.stored {
			stored = append(stored, n)
		}
		for _, q := range ps[:i] {
			meet = meet || p.root.kind != globalRoot && q.root.kind != globalRoot && overlap(p, q)
		}
	}
	what := list(pointers) + " may "
	switch {
	case len(globals) == 0:
		what += "overlap"
	case meet:
		what += "overlap, or point into " + list(globals) + ","
	default:
		what += "point into " + list(globals) + ","
	}
	written := "all are"
	switch {
	case len(stored) == 1:
		written = stored[0] + " is"
	case len(stored) < len(ps):
		written = list(stored) + " are"
	case len(ps) == 2:
		written = "both are"
	}
	d := r.notes.Remarkf(r.position(diag.Pos{}), "%s and %s written: their accesses stay in order", what, written)
	d.WithHelp("declare the pointers restrict where they point to different arrays, or give --assume-no-alias")
	if r.opts.Overlap != nil {
		r.opts.Overlap(d)
	}
}

// maxNames bounds the names that a list gives.
const maxNames = 4

// list joins names to a part of a sentence. Of many it counts the last ones.
func list(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	last := names[len(names)-1]
	if n := len(names) - maxNames; n > 1 {
		names, last = names[:maxNames+1], fmt.Sprintf("%d more", n)
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + last
}
