package inputs

import (
	"strings"

	"loom/compiler/ir"
)

// RolesOf names the roles of a parameter, for tests.
func RolesOf(fn *ir.Operation, param int) string {
	names := []string{"address", "bound", "start", "step", "counted", "divisor", "amount", "positive", "integral", "truth", "ended", "linked", "real", "realLow", "realHigh"}
	u, _ := analyse(fn, 64).of(fn.Regions[0].Entry().Args[param])
	var out []string
	for i, n := range names {
		if u.role>>i&1 != 0 {
			out = append(out, n)
		}
	}
	return strings.Join(out, " ")
}
