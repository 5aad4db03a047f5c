package randfabric

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"loom/compiler/units"
)

// floatUnits are the drawn units of floats of a fabric: the text of their groups and of the PE templates
// that have them, and the names of these.
type floatUnits struct {
	width       int
	groups, pes string
	names       []string
}

// kinds are the operations of floats that share hardware in a PE where their types and latencies are the same.
var kinds = [][]string{
	{"addf", "subf"}, {"mulf"}, {"fma"}, {"divf", "sqrt"}, {"remf"},
	{"cmpf"}, {"minimumf", "maximumf", "minnumf", "maxnumf"}, {"negf", "absf", "copysign"},
	{"floor", "ceil", "trunc", "round", "roundeven"},
}

// drawFloats draws the units of floats of a seed. Every kind is in some PE, in every mix with others, so
// that most kernels find what they need.
func drawFloats(seed uint64) *floatUnits {
	r := rand.New(rand.NewPCG(seed, 0xf10a7))
	u := &floatUnits{width: []int{32, 64}[r.IntN(2)]}
	for k := range 2 + r.IntN(3) {
		u.names = append(u.names, fmt.Sprintf("flt%d", k))
	}
	members := make([][]string, len(u.names))
	var groups strings.Builder
	// group puts entries into a group of units, and that into one or two PE templates.
	n := 0
	group := func(entries []string) {
		if len(entries) == 0 {
			return
		}
		name := fmt.Sprintf("float%d", n)
		n++
		fmt.Fprintf(&groups, "  %s:\n", name)
		for _, e := range entries {
			fmt.Fprintf(&groups, "    - %s\n", e)
		}
		for range 1 + r.IntN(2) {
			at := r.IntN(len(members))
			if !slices.Contains(members[at], name) {
				members[at] = append(members[at], name)
			}
		}
	}
	types := []string{"f32"}
	if u.width > 32 {
		types = []string{"f64", "f64", "f32"} // twice: other latencies, other PEs
	} else if r.IntN(2) == 0 {
		types = []string{"f32", "f32"}
	}
	for _, t := range types {
		for _, kind := range kinds {
			one := draw(r, kind[0]) // of all, so that they share, or of each
			var entries []string
			for _, op := range kind {
				switch r.IntN(6) {
				case 0:
					entries = append(entries, unit(op, t, draw(r, op)))
				case 1:
					if len(kind) == 1 {
						entries = append(entries, unit(op, t, one))
					}
				default:
					entries = append(entries, unit(op, t, one))
				}
			}
			if kind[0] == "addf" && r.IntN(2) == 0 {
				entries = append(entries, "accumulate: {ops: [addf, subf], type: "+t+"}")
			}
			group(entries)
		}
		word := fmt.Sprintf("i%d", u.width)
		var entries []string
		for _, op := range []string{"sitofp", "uitofp"} {
			entries = append(entries, unit(op, word+" -> "+t, draw(r, op)))
		}
		for _, op := range []string{"fptosi", "fptoui"} {
			entries = append(entries, unit(op, t+" -> "+word, draw(r, op)))
		}
		group(entries)
	}
	if u.width > 32 {
		group([]string{unit("extf", "f32 -> f64", draw(r, "extf")), unit("truncf", "f64 -> f32", draw(r, "truncf"))})
		group([]string{"bitcast: [f64 -> i64, i64 -> f64]"})
	} else {
		group([]string{"bitcast: [f32 -> i32, i32 -> f32]"})
	}
	u.groups = groups.String()
	var pes strings.Builder
	for k, name := range u.names {
		with := []string{"control"}
		if r.IntN(2) == 0 {
			with = append(with, "arith")
		}
		fmt.Fprintf(&pes, "  %s: {units: [%s], immediates: %s}\n", name, strings.Join(append(with, members[k]...), ", "), []string{"[0, 1, 2]", "[0, 1]", "[1]"}[r.IntN(3)])
	}
	u.pes = pes.String()
	return u
}

// timing are the drawn latency and interval of an operation, -1 and 0 where the entry says nothing.
type timing struct{ latency, interval int }

// draw draws the timing of an operation: with registers inside, any number of them that its module has; of an
// iterative one, a register or two more, or the pipelined form. An interval of several cycles keeps it from sharing.
func draw(r *rand.Rand, op string) timing {
	u, t := units.ByMnemonic(op), timing{latency: -1}
	if r.IntN(12) == 0 && u.Class != units.Iterative {
		t.interval = 1 + r.IntN(3)
	}
	switch {
	case u.Piped != nil && r.IntN(3) == 0:
		t.interval = 1
	case r.IntN(3) > 0:
	case u.Inside:
		t.latency = r.IntN(u.Depth.Most + 1)
	case u.Piped != nil && r.IntN(2) == 0:
		t.interval, t.latency = 1, r.IntN(u.Piped.Registers(23)+1)
	case u.Class == units.Iterative:
		t.latency = u.Cycles(11, 52) + r.IntN(3)
	default:
		t.latency = r.IntN(3)
	}
	return t
}

// unit is the entry of an operation.
func unit(op, of string, t timing) string {
	if t.latency < 0 && t.interval == 0 {
		return fmt.Sprintf("%s: %s", op, of)
	}
	s := fmt.Sprintf("%s: {type: %s", op, of)
	if t.latency >= 0 {
		s += fmt.Sprintf(", latency: %d", t.latency)
	}
	if t.interval > 0 {
		s += fmt.Sprintf(", interval: %d", t.interval)
	}
	return s + "}"
}
