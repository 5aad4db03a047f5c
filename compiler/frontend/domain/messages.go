package domain

import (
	"fmt"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

// outOfRange refuses the number of a loop that does not exist and lists those that do.
func outOfRange(fn *ir.Operation, loops []*Loop, n int) error {
	d := diag.New(fn.Pos, "function %s has no loop %d", ir.SymbolText(fn.SymName()), n)
	if len(loops) == 0 {
		return d.WithHelp("it has no loops; --domain function takes all of it")
	}
	const most = 12
	for i, l := range loops {
		if i == most {
			d.WithNote(diag.Pos{}, "… and %d more", len(loops)-most)
			break
		}
		d.WithNote(l.Pos, "loop %d: %s", l.Number, l.Describe())
	}
	return d.WithHelp("the loops have the numbers 0 to %d; loom compile --list-loops tells more", len(loops)-1)
}

// notADomain refuses a loop that cannot be taken out of its function.
func notADomain(l *Loop) error {
	return diag.New(l.Pos, "loop %d cannot be the domain: %s", l.Number, l.Why).
		WithHelp("choose a loop around it, or --domain function")
}

// Describe is a short text about a loop: kind, depth, trips, memories.
func (l *Loop) Describe() string {
	s := l.Kind
	if l.Depth > 0 {
		s += fmt.Sprintf(", in loop %d", l.Parent)
	}
	switch {
	case l.Trips == 1:
		s += ", runs once"
	case l.Trips >= 0:
		s += fmt.Sprintf(", runs %d times", l.Trips)
	}
	if m := l.MemoryText(); m != "" {
		s += ", " + m
	}
	return s
}

// MemoryText lists the arrays that a loop reads and writes.
func (l *Loop) MemoryText() string {
	var reads, writes []string
	for _, m := range l.Memories {
		name := m.Name
		if name == "" {
			name = "an array"
		}
		if m.Read {
			reads = append(reads, name)
		}
		if m.Write {
			writes = append(writes, name)
		}
	}
	var parts []string
	if len(reads) > 0 {
		parts = append(parts, "reads "+strings.Join(reads, " "))
	}
	if len(writes) > 0 {
		parts = append(parts, "writes "+strings.Join(writes, " "))
	}
	return strings.Join(parts, ", ")
}
