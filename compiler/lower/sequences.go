package lower

import (
	"fmt"

	"loom/compiler/analysis/linear"
	"loom/compiler/analysis/sequence"
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// findSequences judges for each parameter whether its elements are touched one after the other
// (package sequence), so that a stream may take the array's place. It looks at the function
// that the graph is made of: what the passes before have removed, moved or added counts. Memory that
// another name may stand for is never in order: only that other access knows its elements by
// address.
//
// Only done where it is asked for; the function stays as it is.
func findSequences(s *state, _ *diag.List) {
	if !s.opts.Sequences {
		return
	}
	params := s.fn.Regions[0].Entry().Args
	s.sequences = make([]sequence.Verdict, len(params))
	x := linear.New(s.ranges(), s.opts.IndexWidth)
	for i, a := range params {
		if _, ok := a.Type.(*ir.MemRefType); !ok {
			continue
		}
		v := sequence.Of(s.fn, a, x, "")
		for k, b := range params {
			if _, ok := b.Type.(*ir.MemRefType); !ok || k == i || !b.HasUses() || !s.overlap(a, b) {
				continue
			}
			v.InOrder = false
			v.Why = fmt.Sprintf("may touch elements of '%s', too, which may overlap: declare one of them restrict, or give --assume-no-alias", paramName(s.fn, k))
			break
		}
		s.sequences[i] = v
	}
}
