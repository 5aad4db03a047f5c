package normalise

import "loom/compiler/ir"

// copyBytes adds loads and stores that copy a small number of bytes.
func (b *builder) copyBytes(to, from *ir.Value, n int64) {
	for at := int64(0); at < n; {
		size := int64(8)
		for at+size > n {
			size /= 2
		}
		b.store(b.load(ir.Int(int(size*8)), b.offset(from, at), 1), b.offset(to, at), 1)
		at += size
	}
}
