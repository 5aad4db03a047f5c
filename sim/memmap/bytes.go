package memmap

// Bytes lays out elements as memory holds them: size bytes each, 1 to 8, the lowest byte
// first. Bits beyond are dropped.
func Bytes(data []uint64, size int64) []byte {
	out := make([]byte, 0, int64(len(data))*size)
	for _, v := range data {
		for range size {
			out = append(out, byte(v))
			v >>= 8
		}
	}
	return out
}

// Elements reads elements back from memory; bytes that make no whole element are left out.
func Elements(raw []byte, size int64) []uint64 {
	out := make([]uint64, int64(len(raw))/size)
	for i := range out {
		for b := size - 1; b >= 0; b-- {
			out[i] = out[i]<<8 | uint64(raw[int64(i)*size+b])
		}
	}
	return out
}
