package cycle

// bounds are the sizes of the arrays of an external memory, which loom_extent makes limits of.
type bounds struct {
	sizes []uint64 // in bytes, by region; nil where the memory has none
	scale uint     // element index to bytes
}

// Unlimited is the size of a region without a limit, as its register holds after a reset.
const Unlimited = ^uint64(0)

// outside reports whether an element is not wholly inside the array of a region.
func (b *bounds) outside(region int, index uint64) bool {
	if b.sizes == nil || region < 0 {
		return false
	}
	size := b.sizes[region]
	return size>>63 == 0 && index >= size>>b.scale
}

// bound sets the sizes, one per region; they say nothing where the memory has none.
func (b *bounds) bound(sizes []uint64) {
	if b.sizes != nil {
		b.sizes = sizes[:len(b.sizes):len(b.sizes)]
	}
}

// boundFrom sets the sizes that stand among others, from the first one on.
func (b *bounds) boundFrom(sizes []uint64, first int) {
	if b.sizes != nil {
		b.bound(sizes[first:])
	}
}

// newBounds are those of a memory that has them or not; until they are set there is no limit.
func newBounds(has bool, regions int, scale uint) bounds {
	b := bounds{scale: scale}
	if has {
		b.sizes = make([]uint64, regions)
		for i := range b.sizes {
			b.sizes[i] = Unlimited
		}
	}
	return b
}
