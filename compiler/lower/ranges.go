package lower

import "loom/compiler/analysis/ranges"

// ranges analyses the function as it stands.
func (s *state) ranges() *ranges.Ranges {
	return ranges.Analyse(s.fn, ranges.Options{IndexWidth: s.opts.IndexWidth, Broken: brokenRanges[s.opts.deviate]})
}

// brokenRanges are the rules of the analysis that deviations break.
var brokenRanges = map[deviation]ranges.Fault{rangesShort: ranges.ShortInduction, guardsAtMost: ranges.StrictOrders}
