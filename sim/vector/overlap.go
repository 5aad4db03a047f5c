package vector

import "unsafe"

// Overlap reports whether two memories share storage, as those of a caller do that passes an array and a part of it.
func (in *Inputs) Overlap() bool {
	for i, a := range in.Args {
		for _, b := range in.Args[i+1:] {
			if a.Mem != nil && b.Mem != nil && shared(a.Mem.Data, b.Mem.Data) {
				return true
			}
		}
	}
	return false
}

func shared(a, b []uint64) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	first := func(s []uint64) uintptr { return uintptr(unsafe.Pointer(&s[0])) }
	last := func(s []uint64) uintptr { return uintptr(unsafe.Pointer(&s[len(s)-1])) }
	return first(a) <= last(b) && first(b) <= last(a)
}
