package lower

import (
	"fmt"
	"strings"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// MemoryReport says for each memory group which rule orders its accesses and why
// (design page "SCF to DFG", section "Memory ordering").
type MemoryReport []MemoryGroup

// MemoryGroup is one ordering domain: a root memref with its accesses, or several
// that may overlap.
type MemoryGroup struct {
	Name string `json:"name"`
	At   string `json:"at,omitempty"`
	// Members are the names of the memories where there are several, Merged why they
	// are ordered together.
	Members []string `json:"members,omitempty"`
	Merged  string   `json:"merged,omitempty"`
	// OnChip is set for a memory of the kernel's own.
	OnChip   bool           `json:"on_chip,omitempty"`
	Accesses []MemoryAccess `json:"accesses"`
	// Rule is "serial", "R2" or "R3": the rule for the group as a whole.
	Rule string `json:"rule"`
	Why  string `json:"why"`
	// Together are the loads that start together by R1.
	Together [][]MemoryAccess `json:"together,omitempty"`
	// Loops are the loops that access the memory, in source order, where the
	// group as a whole is serial and a loop may still be free.
	Loops []MemoryLoop `json:"loops,omitempty"`
}

// MemoryAccess is a load or a store.
type MemoryAccess struct {
	Kind string `json:"kind"`
	At   string `json:"at"`
	// Memory is the memory's name where the group has several.
	Memory string `json:"memory,omitempty"`
}

// MemoryLoop is what holds between the iterations of one loop.
type MemoryLoop struct {
	Name string `json:"name,omitempty"`
	At   string `json:"at"`
	// Depth is how many loops that access the memory lie around it.
	Depth int `json:"depth"`
	// Rule is "R4" or "serial".
	Rule string `json:"rule"`
	Why  string `json:"why"`
	// Conflict are the two accesses that keep the iterations in order, if it is
	// two accesses: the one of the earlier iteration first, where that is known.
	Conflict []MemoryAccess `json:"conflict,omitempty"`
}

// String is the report as text, one block per memory.
func (r MemoryReport) String() string {
	var b strings.Builder
	for _, g := range r {
		kind := "memory"
		if len(g.Members) > 0 {
			kind = "memories"
		}
		fmt.Fprintf(&b, "%s %s", kind, g.Name)
		if g.OnChip {
			b.WriteString(", on-chip")
		}
		if g.At != "" {
			fmt.Fprintf(&b, ", at %s", g.At)
		}
		fmt.Fprintf(&b, ": %s\n", accessList(g.Accesses))
		if g.Merged != "" {
			fmt.Fprintf(&b, "  merged: %s\n", g.Merged)
		}
		fmt.Fprintf(&b, "  %s: %s\n", g.Rule, g.Why)
		for _, run := range g.Together {
			fmt.Fprintf(&b, "  R1: %s start together\n", accessList(run))
		}
		for _, l := range g.Loops {
			fmt.Fprintf(&b, "  %sloop %sat %s: %s: %s\n", strings.Repeat("  ", l.Depth), spaced(l.Name), l.At, l.Rule, l.text())
		}
	}
	if len(r) == 0 {
		b.WriteString("no memory is accessed\n")
	}
	return b.String()
}

func spaced(name string) string {
	if name == "" {
		return ""
	}
	return "%" + name + " "
}

// text is the reason with the accesses it is about.
func (l MemoryLoop) text() string {
	if len(l.Conflict) != 2 {
		return l.Why
	}
	between := fmt.Sprintf("between the %s and the %s", l.Conflict[0], l.Conflict[1])
	if strings.HasPrefix(l.Why, "distance ") {
		return l.Why + " " + between
	}
	return "not decided " + between + ": " + l.Why
}

func (a MemoryAccess) String() string {
	if a.Memory != "" {
		return a.Kind + " of " + a.Memory + " at " + a.At
	}
	return a.Kind + " at " + a.At
}

func accessList(as []MemoryAccess) string {
	const most = 8
	var parts []string
	for i, a := range as {
		if i == most && len(as) > most+1 {
			parts = append(parts, fmt.Sprintf("%d more", len(as)-most))
			break
		}
		parts = append(parts, a.String())
	}
	return strings.Join(parts, ", ")
}

// report describes what orderMemory does, from what it decides by.
func (o *orderer) report() MemoryReport {
	var out MemoryReport
	for _, g := range o.s.groups {
		if len(g.accesses) == 0 {
			continue
		}
		ms := g.members()
		e := MemoryGroup{Name: g.name(", "), At: o.place(ms[0].root.Pos()), OnChip: ms[0].arg == nil}
		if len(ms) > 1 {
			for _, m := range ms {
				e.Members = append(e.Members, m.name)
			}
			e.Merged = "the function says that they may overlap (" + cabi.MayAlias + "), so accesses to one wait for those to another"
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
			e.Rule, e.Why = "serial", "the serial order is asked for"
		case o.unordered(g) && stores == 0:
			e.Rule, e.Why = "R2", "no store: loads issue as soon as their region runs"
		case o.unordered(g):
			e.Rule, e.Why = "R3", "a single access: its port keeps its requests in order"
		default:
			e.Rule = "serial"
			e.Why = fmt.Sprintf("%s and %s need an order", diag.Plural(len(g.accesses)-stores, "load"), diag.Plural(stores, "store"))
			o.describe(&e, o.s.root, g, 0)
		}
		out = append(out, e)
	}
	return out
}

// describe adds the loops and the R1 runs in one region of an ordered group.
func (o *orderer) describe(e *MemoryGroup, r *region, g *group, depth int) {
	for _, st := range o.steps(r, g) {
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
			var run []MemoryAccess
			for _, a := range st.accesses {
				run = append(run, o.accessAt(a.src, a.mem.root))
			}
			e.Together = append(e.Together, run)
		}
	}
}

// loopVerdict says what holds between the iterations of a loop.
func (o *orderer) loopVerdict(c *construct, g *group, depth int) MemoryLoop {
	l := MemoryLoop{At: o.place(c.op.Pos), Depth: depth, Rule: "serial"}
	if c.op.Name != opname.SCFFor {
		l.Why = "the iterations of a loop that does not count cannot be compared"
		return l
	}
	l.Name = c.op.Regions[0].Entry().Args[0].Name
	d := o.s.independentIn(c.op, accessesIn(c, g))
	switch {
	case d == nil:
		l.Why = "its accesses were not analysed together"
	case d.free:
		l.Rule, l.Why = "R4", d.why
	default:
		l.Why = d.why
		if d.first != d.second {
			l.Conflict = []MemoryAccess{
				o.accessAt(d.first, d.covers[d.first]),
				o.accessAt(d.second, d.covers[d.second]),
			}
		}
	}
	return l
}

// accessAt describes a memref.load or memref.store to a memory of a group.
func (o *orderer) accessAt(op *ir.Operation, root *ir.Value) MemoryAccess {
	a := MemoryAccess{Kind: "load", At: o.place(op.Pos)}
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

// place is a position as line:column, with the file in front where that is not
// the function's own.
func (o *orderer) place(p diag.Pos) string {
	if !p.IsValid() || p.File != o.s.fn.Pos.File {
		return p.String()
	}
	p.File = ""
	return strings.TrimPrefix(p.String(), diag.Pos{}.String()+":")
}
