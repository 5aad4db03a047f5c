package lower

import (
	"fmt"
	"strings"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/lower/explain"
	"loom/compiler/opname"
)

// report describes what orderMemory does, from what it decides by.
func (o *orderer) report() explain.Memory {
	var out explain.Memory
	for _, g := range o.s.groups {
		if len(g.accesses) == 0 {
			continue
		}
		ms := g.members()
		e := explain.Group{Name: g.name(", "), At: o.position(ms[0].root.Pos()), OnChip: ms[0].arg == nil}
		if len(ms) > 1 {
			for _, m := range ms {
				e.Members = append(e.Members, m.name)
			}
			e.Merged = "the function declares that they may overlap (" + cabi.MayAlias + "), so accesses to one wait for those to another"
		}
		stores := 0
		for _, a := range g.accesses {
			e.Accesses = append(e.Accesses, o.accessAt(a.src, a.mem.root))
			if a.store {
				stores++
			}
		}
		switch {
		case !o.pipelined:
			e.Rule, e.Why = "serial", "the serial order is requested"
		case o.unordered(g) && stores == 0:
			e.Rule, e.Why = "R2", "no store: loads issue as soon as their region runs"
		case o.unordered(g):
			e.Rule, e.Why = "R3", "a single access: its port keeps its requests in order"
		default:
			e.Rule = "serial"
			e.Why = fmt.Sprintf("%s and %s need an order", diag.Plural(len(g.accesses)-stores, "load"), diag.Plural(stores, "store"))
			o.describe(&e, o.s.root, g, 0)
		}
		for _, p := range o.fences(o.s.root) {
			e.Fences = append(e.Fences, o.position(p))
		}
		out = append(out, e)
	}
	return out
}

// fences lists the positions of fences in a region and inside of it.
func (o *orderer) fences(r *region) []diag.Pos {
	var out []diag.Pos
	for _, it := range r.items {
		switch {
		case it.fence != nil:
			out = append(out, it.fence.Pos)
		case it.nested != nil:
			for _, q := range it.nested.regions {
				out = append(out, o.fences(q)...)
			}
		}
	}
	return out
}

// describe adds the loops and the R1 runs in one region of an ordered group.
func (o *orderer) describe(e *explain.Group, r *region, g *group, depth int) {
	for _, st := range o.steps(r.items, g) {
		if c := st.nested; c != nil {
			inner := depth
			if c.op.Name != opname.SCFIf {
				e.Loops = append(e.Loops, o.loopVerdict(c, g, depth))
				inner++
			}
			for _, q := range c.regions {
				o.describe(e, q, g, inner)
			}
		} else if len(st.accesses) > 1 {
			var run []explain.Access
			for _, a := range st.accesses {
				run = append(run, o.accessAt(a.src, a.mem.root))
			}
			e.Together = append(e.Together, run)
		}
	}
}

// loopVerdict reports what holds between the iterations of a loop.
func (o *orderer) loopVerdict(c *construct, g *group, depth int) explain.Loop {
	l := explain.Loop{At: o.position(c.op.Pos), Depth: depth, Rule: "serial"}
	if c.op.Name != opname.SCFFor && !c.fenced() && o.alone(c, g) {
		l.Rule, l.Why = "R4", "it only loads"
		if as := accessesIn(c, g); as[0].store {
			l.Why = "its one port keeps the requests of the only access in order"
		}
		return l
	}
	if c.op.Name != opname.SCFFor {
		l.Why = "the iterations of a loop that does not count cannot be compared"
		l.Overtaken = o.overtakes(c, g)
		_, in := o.interlocked(c, g)
		l.Interlocked = in != nil
		return l
	}
	l.Name = c.op.Regions[0].Entry().Args[0].Name
	if c.fenced() {
		l.Why = "a fence inside orders its iterations"
		return l
	}
	d := o.s.independentIn(c.op, accessesIn(c, g))
	switch {
	case d == nil:
		l.Why = "its accesses were not analysed together"
	case d.Free && o.inTurn(d, accessesIn(c, g)):
		l.Rule, l.Why = "R4", d.Why
	default:
		l.Why = d.Why
		if d.Free {
			l.Why = "branches that were merged since touch one element in different iterations"
		}
		if d.First != d.Second {
			l.Conflict = []explain.Access{
				o.accessAt(d.First, d.covers[d.First]),
				o.accessAt(d.Second, d.covers[d.Second]),
			}
		}
		l.Overtaken = o.overtakes(c, g)
		_, in := o.interlocked(c, g)
		l.Interlocked = in != nil
	}
	return l
}

// accessAt describes a memref.load or memref.store to a memory of a group.
func (o *orderer) accessAt(op *ir.Operation, root *ir.Value) explain.Access {
	a := explain.Access{Kind: "load", At: o.position(op.Pos)}
	if op.Name == opname.MemRefStore {
		a.Kind = "store"
	}
	for _, m := range o.s.memories {
		if m.root == root && len(m.group.members()) > 1 {
			a.Memory = m.name
		}
	}
	return a
}

// position prints a position as line:column, with the file in front where that is not
// the function's own.
func (o *orderer) position(p diag.Pos) string {
	if !p.IsValid() || p.File != o.s.fn.Pos.File {
		return p.String()
	}
	p.File = ""
	return strings.TrimPrefix(p.String(), diag.Pos{}.String()+":")
}
