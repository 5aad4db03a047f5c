package vector

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/ir"
)

func strided(shape, strides []int64, offset int64) *ir.MemRefType {
	return ir.MemRefOf(shape, ir.I32, &ir.StridedLayout{Offset: offset, Strides: strides}, "", "")
}

// TestStorage compares the storage of strided parameters with an enumeration of
// their elements, and the shape read back from it.
func TestStorage(t *testing.T) {
	for _, shape := range [][]int64{{}, {1}, {3}, {2, 3}, {3, 1, 2}, {2, 0}} {
		for seed := range int64(200) {
			strides, offset := make([]int64, len(shape)), seed%5
			for d := range strides {
				strides[d] = (seed*(7+int64(d)*5)+int64(d))%9 - 3
			}
			m := strided(shape, strides, offset)
			lowest, highest := int64(0), int64(-1)
			first := true
			var walk func(d int, at int64)
			walk = func(d int, at int64) {
				if d < len(shape) {
					for i := range shape[d] {
						walk(d+1, at+i*strides[d])
					}
					return
				}
				if first || at < lowest {
					lowest = at
				}
				if first || at > highest {
					highest = at
				}
				first = false
			}
			walk(0, offset)
			got := StorageType(m)
			if rowMajor(m) {
				if got != m {
					t.Errorf("%s: stored as %s", m, got)
				}
				continue
			}
			if want := ir.MemRef([]int64{highest + 1}, ir.I32); ir.Type(got) != ir.Type(want) {
				t.Errorf("%s: stored as %s, want %s", m, got, want)
			}
			if lowest < 0 || highest < 0 {
				continue
			}
			if s, ok := StoredShape(m, highest+1); !ok || cmp.Diff(s, shape) != "" && len(shape) > 0 {
				t.Errorf("%s: a memory of %d elements has shape %v, %v", m, highest+1, s, ok)
			}
			if s, ok := StoredShape(m, highest); ok {
				t.Errorf("%s: a memory of %d elements has shape %v, one is missing", m, highest, s)
			}
			// Any one dimension with a positive stride can be left open.
			for d := range shape {
				if strides[d] <= 0 || shape[d] == 0 {
					continue
				}
				open := append([]int64{}, shape...)
				open[d] = ir.Dynamic
				for extra := range strides[d] {
					s, ok := StoredShape(strided(open, strides, offset), highest+1+extra)
					if !ok || cmp.Diff(s, shape) != "" {
						t.Errorf("%s with dimension %d open: a memory of %d elements has shape %v, %v", m, d, highest+1+extra, s, ok)
					}
				}
			}
		}
	}
}

// TestStorageOfUnknownLayouts: what cannot be laid out is reported as such.
func TestStorageOfUnknownLayouts(t *testing.T) {
	const dynamic = ir.Dynamic
	for _, m := range []*ir.MemRefType{
		strided([]int64{4}, []int64{dynamic}, 0),
		strided([]int64{4}, []int64{2}, dynamic),
		strided([]int64{dynamic, dynamic}, []int64{9, 1}, 1),
		strided([]int64{dynamic}, []int64{-1}, 9),
		strided([]int64{4}, []int64{-1}, 1),
		strided([]int64{4}, []int64{1 << 40}, 0),
	} {
		if s, ok := StoredShape(m, 10); ok {
			t.Errorf("%s: a memory of 10 elements has shape %v", m, s)
		}
		StorageType(m)
	}
}
