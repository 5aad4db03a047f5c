package lift

import "slices"

// span is a range of bytes of a record.
type span struct{ from, to int64 }

func (s span) meets(t span) bool { return s.from < t.to && t.from < s.to }

// cut divides the bytes that spans cover into pieces such that every span is made of
// whole pieces, and inner boundaries are kept. Every piece has 1, 2, 4 or 8 bytes.
func cut(spans []span, boundaries []int64) []span {
	points := append([]int64(nil), boundaries...)
	for _, s := range spans {
		points = append(points, s.from, s.to)
	}
	slices.Sort(points)
	points = slices.Compact(points)
	sorted := append([]span(nil), spans...)
	slices.SortFunc(sorted, func(a, b span) int { return int(a.from - b.from) })
	var out []span
	next, reach := 0, int64(-1<<62)
	for i := range points[:max(len(points)-1, 0)] {
		from, to := points[i], points[i+1]
		for next < len(sorted) && sorted[next].from <= from {
			reach = max(reach, sorted[next].to)
			next++
		}
		if reach < to {
			continue // nothing lies here
		}
		for from < to {
			n := int64(8)
			for n > to-from {
				n /= 2
			}
			out = append(out, span{from, from + n})
			from += n
		}
	}
	return out
}

// within returns the pieces that make up a span.
func within(pieces []span, s span) (first, count int) {
	first, _ = slices.BinarySearchFunc(pieces, s.from, func(p span, at int64) int { return int(p.from - at) })
	for count < len(pieces)-first && pieces[first+count].to <= s.to {
		count++
	}
	return first, count
}
