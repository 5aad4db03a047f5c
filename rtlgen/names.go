package rtlgen

import (
	"strconv"

	"loom/compiler/arch"
)

// scope hands out names that are unique within one module. A name is taken as a
// stem: the signals derived from it (x_valid, x_ready, ...) are taken with it.
type scope struct{ used map[string]bool }

func newScope(reserved ...string) *scope {
	s := &scope{used: map[string]bool{}}
	for _, r := range reserved {
		s.used[r] = true
	}
	return s
}

// suffixes are what the generator appends to stems.
var suffixes = []string{"", "_valid", "_ready", "_data", "_idle", "_err", "_err_valid", "_err_code", "_cfg", "_cfg_out", "_outputs"}

// name returns a legal, unused name close to the wanted one. Colliding names get
// the smallest number from 2 that frees them, in the order of asking.
func (s *scope) name(want string) string {
	base := arch.LegalName(want)
	for n := 1; ; n++ {
		try := base
		if n > 1 {
			try = base + "_" + strconv.Itoa(n)
		}
		if s.free(try) {
			for _, suf := range suffixes {
				s.used[try+suf] = true
			}
			return try
		}
	}
}

func (s *scope) free(stem string) bool {
	for _, suf := range suffixes {
		if s.used[stem+suf] {
			return false
		}
	}
	return true
}
