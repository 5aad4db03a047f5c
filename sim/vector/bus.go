package vector

import (
	"fmt"
	"strings"
)

// Bus tells what the bus of an external memory did in the cycles of a run, in each direction. A direction without accesses is nil.
type Bus struct {
	// Memory is the name of the external memory.
	Memory string  `json:"memory"`
	Loads  *BusUse `json:"loads,omitempty"`
	Stores *BusUse `json:"stores,omitempty"`
}

// BusUse counts cycles of one direction: those in which an element was moved, then those in which none was though
// accesses were under way, by what they waited for. In all others there was no access.
type BusUse struct {
	// Moved: an element came, or left to be stored.
	Moved int64 `json:"moved"`
	// Refused: the memory took no transaction, or none of its data, that was offered.
	Refused int64 `json:"refused"`
	// Full: as many accesses were under way as the memory has places for ("outstanding").
	Full int64 `json:"full"`
	// Waited: the memory had not responded, and could have had more accesses.
	Waited int64 `json:"waited"`
}

// Cycles are those with an access under way.
func (u *BusUse) Cycles() int64 { return u.Moved + u.Refused + u.Full + u.Waited }

// Text is the use of a direction in a run of some cycles.
func (u *BusUse) Text(cycles int64) string {
	share := func(n int64) string { return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(max(cycles, 1))) }
	text := "an element in " + share(u.Moved) + " of the cycles"
	var waits []string
	for _, w := range []struct {
		n  int64
		of string
	}{{u.Refused, "for the memory to take more"}, {u.Full, "with all places taken"}, {u.Waited, "for responses alone"}} {
		if w.n > 0 {
			waits = append(waits, share(w.n)+" "+w.of)
		}
	}
	if len(waits) > 0 {
		text += "; waits: " + strings.Join(waits, ", ")
	}
	return text
}

// limit is the share of a run, in per cent, from which on Limits names what a bus waited for.
const limit = 10

// Limits tells of the directions that had all places taken, or waited for the memory to take more, for a tenth of a run of some cycles.
func (b *Bus) Limits(cycles int64) []string {
	var out []string
	for _, x := range []struct {
		name string
		use  *BusUse
	}{{"loads", b.Loads}, {"stores", b.Stores}} {
		if u := x.use; u != nil && 100*max(u.Full, u.Refused) >= limit*cycles {
			out = append(out, x.name+": "+u.Text(cycles))
		}
	}
	return out
}
