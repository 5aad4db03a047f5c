package rtlgen

import (
	"slices"
	"strconv"

	"loom/compiler/arch"
)

// scope hands out names that are unique within one module. A name is taken as a
// stem: the signals derived from it (x_valid, x_ready, ...) are taken with it. Templates
// derive further signals with two underscores (x__idle), which no name has.
type scope struct{ used map[string]bool }

func newScope(reserved ...string) *scope {
	s := &scope{used: map[string]bool{}}
	for _, r := range reserved {
		s.used[r] = true
	}
	return s
}

// suffixes are what makes signals of a stem.
var suffixes = []string{"", "_valid", "_ready", "_data"}

// name returns a legal, unused name close to the wanted one, whose signals, and those of
// the stems that more makes of it, are unused as well. Colliding names get the smallest
// number from 2 that frees them, in the order of the calls.
func (s *scope) name(want string, more ...string) string {
	base := arch.LegalName(want)
	for n := 1; ; n++ {
		try := base
		if n > 1 {
			try = base + "_" + strconv.Itoa(n)
		}
		var signals []string
		for _, stem := range append(more, "") {
			for _, suffix := range suffixes {
				signals = append(signals, try+stem+suffix)
			}
		}
		if slices.ContainsFunc(signals, func(name string) bool { return s.used[name] }) {
			continue
		}
		for _, name := range signals {
			s.used[name] = true
		}
		return try
	}
}
