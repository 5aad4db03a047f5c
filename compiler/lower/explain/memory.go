package explain

import (
	"fmt"
	"strings"

	"loom/compiler/diag"
)

// Memory reports for each memory group which rule orders its accesses and why
// (design page "SCF to DFG", section "Memory ordering").
type Memory []Group

// Group is one ordering domain: a root memref with its accesses, or several
// that may overlap.
type Group struct {
	Name string `json:"name"`
	At   string `json:"at,omitempty"`
	// Members are the names of the memories where there are several, Merged why they
	// are ordered together.
	Members []string `json:"members,omitempty"`
	Merged  string   `json:"merged,omitempty"`
	// OnChip is set for a memory of the kernel's own.
	OnChip   bool     `json:"on_chip,omitempty"`
	Accesses []Access `json:"accesses"`
	// Rule is "serial", "R2" or "R3": the rule for the group as a whole.
	Rule string `json:"rule"`
	Why  string `json:"why"`
	// Fences are the positions of the program's fences: accesses before one are complete, in
	// all memories, before any after it begins.
	Fences []string `json:"fences,omitempty"`
	// Together are the loads that start together by R1.
	Together [][]Access `json:"together,omitempty"`
	// Loops are the loops that access the memory, in source order, where the
	// group as a whole is serial and a loop may still be free.
	Loops []Loop `json:"loops,omitempty"`
}

// Access is a load or a store.
type Access struct {
	Kind string `json:"kind"`
	At   string `json:"at"`
	// Memory is the memory's name where the group has several.
	Memory string `json:"memory,omitempty"`
}

// Loop is what holds between the iterations of one loop.
type Loop struct {
	Name string `json:"name,omitempty"`
	At   string `json:"at"`
	// Depth is how many loops that access the memory lie around it.
	Depth int `json:"depth"`
	// Rule is "R4" or "serial".
	Rule string `json:"rule"`
	Why  string `json:"why"`
	// Conflict are the two accesses that keep the iterations in order, if it is
	// two accesses: the one of the earlier iteration first, where that is known.
	Conflict []Access `json:"conflict,omitempty"`
	// Overtaken is the number of iterations whose stores the loads of a serial loop do not wait for, as registers keep these.
	Overtaken int `json:"overtaken,omitempty"`
	// Interlocked is set where loads of a serial loop wait for those stores of earlier iterations alone that go to their element.
	Interlocked bool `json:"interlocked,omitempty"`
}

// String is the report as text, one block per memory.
func (r Memory) String() string {
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
		for _, f := range g.Fences {
			fmt.Fprintf(&b, "  fence at %s: orders it with all other memories\n", f)
		}
		for _, run := range g.Together {
			fmt.Fprintf(&b, "  R1: %s start together\n", accessList(run))
		}
		for _, l := range g.Loops {
			fmt.Fprintf(&b, "  %sloop %sat %s: %s: %s\n", strings.Repeat("  ", l.Depth), spaced(l.Name), l.At, l.Rule, l.text())
			if l.Interlocked {
				fmt.Fprintf(&b, "  %s  its loads wait for stores to their element alone (dataflow.interlock)\n", strings.Repeat("  ", l.Depth))
			}
			if l.Overtaken > 0 {
				fmt.Fprintf(&b, "  %s  its loads overtake the stores of the last %s\n", strings.Repeat("  ", l.Depth), diag.Plural(l.Overtaken, "iteration"))
			}
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
func (l Loop) text() string {
	if len(l.Conflict) != 2 {
		return l.Why
	}
	between := fmt.Sprintf("between the %s and the %s", l.Conflict[0], l.Conflict[1])
	if strings.HasPrefix(l.Why, "distance ") {
		return l.Why + " " + between
	}
	return "not decided " + between + ": " + l.Why
}

func (a Access) String() string {
	if a.Memory != "" {
		return a.Kind + " of " + a.Memory + " at " + a.At
	}
	return a.Kind + " at " + a.At
}

func accessList(as []Access) string {
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
