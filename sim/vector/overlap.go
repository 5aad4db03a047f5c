package vector

// Offset returns where b begins within the storage that it has in common with a, in elements behind the beginning of a;
// ok is false where they have none. Slices of one array, as Clone knows them, end their capacity at one element.
func Offset(a, b []uint64) (elements int, ok bool) {
	if len(a) == 0 || len(b) == 0 || &a[:cap(a)][cap(a)-1] != &b[:cap(b)][cap(b)-1] {
		return 0, false
	}
	return cap(a) - cap(b), true
}

// Overlap reports whether two memories share elements, as those of a caller do that passes an array and a part of it.
func (in *Inputs) Overlap() bool {
	for i, a := range in.Args {
		for _, b := range in.Args[i+1:] {
			if a.Mem == nil || b.Mem == nil {
				continue
			}
			if at, ok := Offset(a.Mem.Data, b.Mem.Data); ok && at < len(a.Mem.Data) && at+len(b.Mem.Data) > 0 {
				return true
			}
		}
	}
	return false
}
