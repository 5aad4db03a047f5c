package inputs

import (
	"math"

	"loom/compiler/ir"
	"loom/compiler/num"
)

// attempt is one method to choose values. Later ones are tamer, for kernels that do not
// come to an end, or leave their arrays, on the values of the one before.
type attempt struct {
	// shrink divides what limits loops.
	shrink int64
	// extremes allows values at the ends of their range.
	extremes bool
	// plain keeps values at 0 or above.
	plain bool
	// cleared begins arrays that the kernel writes with zeros: they may be its
	// scratch memory.
	cleared bool
	// order is how linked elements lie: any, each behind the one before it, each
	// before the one it is in.
	order order
}

type order int

const (
	anyOrder order = iota
	upwards
	downwards
)

// attempts are made in this order. The last is for kernels that are well with nothing
// but the simplest.
var attempts = []attempt{
	{shrink: 1, extremes: true},
	{shrink: 1},
	{shrink: 1, plain: true, order: upwards},
	{shrink: 1, plain: true, order: upwards, cleared: true},
	{shrink: 2, plain: true, order: downwards},
	{shrink: 4, plain: true, order: upwards},
	{shrink: 8, plain: true, order: downwards},
	{shrink: 1 << 40, plain: true, order: upwards, cleared: true},
}

// generator makes the values of one parameter, each from its position alone: a memory
// can grow at any end without a change of what is there.
type generator struct {
	seed uint64 // of the parameter in this attempt
	size int64  // what limits loops and subscripts
	use  use
	// elements are those of a memory of which more is known.
	elements map[int64]use
	typ      ir.Type
	width    int
	attempt  attempt
	// unsigned is that of the C type; text that of characters.
	unsigned, text, truth bool
	// compared is what elements of 8 bits are compared with.
	compared comparisons
	// cleared arrays hold zeros.
	cleared bool
}

// mix is splitmix64's scrambling of a word.
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// draws are the random numbers of one value.
type draws struct{ state uint64 }

func (g *generator) draw(k int64) *draws {
	return &draws{mix(g.seed ^ mix(uint64(k)*0xd1342543de82ef95))}
}

func (d *draws) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	return mix(d.state)
}

// upTo is uniform from 0 to n, both included.
func (d *draws) upTo(n int64) int64 {
	if n <= 0 {
		return 0
	}
	return int64(d.next() % (uint64(n) + 1))
}

// one in n.
func (d *draws) one(n uint64) bool { return d.next()%n == 0 }

// scalar makes the value of a scalar.
func (g *generator) scalar() uint64 {
	d := g.draw(-1)
	if ir.IsFloat(g.typ) {
		return g.float(d, g.typ)
	}
	r := g.use.role
	if r&bound != 0 && r&(amount|truth) == 0 && g.width > 1 {
		// Mostly as much as there is, so that loops do their work.
		v := g.size
		if g.use.below > 0 {
			v = min(v, g.use.below-1)
		}
		switch {
		case d.next()%10 < 6:
		case d.one(2):
			v--
		default:
			v = d.upTo(v)
		}
		if r&(divisor|step) != 0 {
			v = max(v, 1)
		}
		return g.fit(max(v, 0))
	}
	return g.integer(d, 0, g.size)
}

// element makes element k of a memory that is meant to have n in its leading dimensions.
func (g *generator) element(k, n int64) uint64 {
	if g.cleared {
		return 0
	}
	if u, ok := g.elements[k]; ok {
		one := *g
		one.use, one.elements = u, nil
		return one.element(k, n)
	}
	d := g.draw(k)
	if ir.IsFloat(g.typ) {
		return g.float(d, g.typ)
	}
	r := g.use.role
	switch {
	case r&linked != 0:
		return g.link(d, k, n)
	case r&(start|bound) == start|bound && g.width > 8:
		// Where one loop ends, the next begins: never less than before.
		if g.attempt.order != anyOrder {
			return g.fit(k)
		}
		return g.fit(2*k + d.upTo(1))
	case r&ended != 0 && r&address == 0 && !g.use.root && (k == n-1 || k >= n && d.one(4)):
		return num.Truncate(g.use.end, g.typ, g.width)
	case g.width == 8 && r&(address|divisor|truth|amount) == 0 && !g.truth && (k == n-1 || k >= n && d.one(4)):
		return 0 // the end of a text
	}
	if len(g.compared.constants) > 0 && !g.attempt.plain && r&(address|divisor|truth|amount|step) == 0 && d.one(2) {
		// Characters that the kernel tells apart are not met by chance.
		return num.Truncate(g.compared.near(d), g.typ, g.width)
	}
	return g.integer(d, k, n)
}

// link is the subscript of the next element, or the end.
func (g *generator) link(d *draws, k, n int64) uint64 {
	n = g.limited(n)
	ended := d.one(uint64(max(n/2, 2)))
	switch {
	case g.attempt.order == downwards || g.use.root:
		if k == 0 || ended {
			if g.use.root {
				return g.fit(k)
			}
			return num.Truncate(g.use.end, g.typ, g.width)
		}
		return g.fit(d.upTo(min(k, n) - 1))
	case ended || k >= n-1:
		return num.Truncate(g.use.end, g.typ, g.width)
	}
	return g.fit(k + 1 + d.upTo(min(n-2-k, 4)))
}

// limited is a number of elements, cut to what subscripts may reach.
func (g *generator) limited(n int64) int64 {
	n = max(n, 1)
	if g.use.below > 0 {
		n = min(n, g.use.below)
	}
	return n
}

// fit cuts a value that is not negative to what the type holds.
func (g *generator) fit(v int64) uint64 { return uint64(min(v, g.top())) }

// top is the largest value of the type, with sign.
func (g *generator) top() int64 {
	if g.width <= 1 {
		return 1
	}
	return int64(math.MaxInt64) >> (64 - g.width)
}

// integer makes a value for a role; n is what subscripts stay below.
func (g *generator) integer(d *draws, k, n int64) uint64 {
	r := g.use.role
	least := int64(0)
	if r&(divisor|step) != 0 {
		least = 1
	}
	switch {
	case g.truth || g.width == 1 || r&truth != 0:
		return d.next() & 1
	case r&amount != 0:
		return g.fit(max(d.upTo(int64(g.use.width)-1), least))
	case r&bound != 0:
		most := min(n, g.size)
		if g.use.below > 0 {
			most = min(most, g.use.below-1)
		}
		return g.fit(max(d.upTo(most), least, g.from()))
	case r&step != 0:
		return g.fit(1 + d.upTo(2))
	case r&(address|start) != 0:
		return g.fit(max(g.subscript(d, n), least))
	case r&counted != 0:
		if g.attempt.extremes && d.one(3) {
			return max(d.next()&uint64(g.top()), 1)
		}
		return g.fit(1 + d.upTo(max(4*g.size, 8)))
	}
	return g.data(d, least > 0)
}

// from is the least subscript.
func (g *generator) from() int64 {
	if g.use.below > 0 && g.use.from >= g.use.below {
		return 0 // the limits of other uses contradict it
	}
	return g.use.from
}

// subscript makes one below n, and inside of what is known.
func (g *generator) subscript(d *draws, n int64) int64 {
	from := g.from()
	return from + d.upTo(g.limited(n)-1-from)
}

// data makes a value that is only computed with.
func (g *generator) data(d *draws, nonzero bool) uint64 {
	if g.compared.elements && !nonzero {
		return uint64('a' + d.upTo(1)) // texts that are compared agree here and there
	}
	if g.text {
		// Few letters, so that texts have something in common.
		if d.one(8) {
			return uint64(' ' + d.upTo('~'-' '))
		}
		return uint64('a' + d.upTo(3))
	}
	if r := g.use.role; r&(real|realLow|realHigh) != 0 {
		return g.bits(d)
	}
	if g.attempt.extremes && !nonzero && d.one(12) {
		ends := []uint64{uint64(g.top()), uint64(g.top()) + 1, math.MaxUint64, 0, d.next(), d.next()}
		return num.Truncate(ends[d.next()%uint64(len(ends))], g.typ, g.width)
	}
	low, high := max(-50, -g.top()-1), min(99, g.top())
	if g.unsigned && g.width == 8 && g.attempt.extremes {
		low, high = 0, 255
	} else if g.unsigned || g.attempt.plain {
		low = 0
	}
	v := low + d.upTo(high-low)
	if nonzero && (v == 0 || v == -1) {
		v = 1 + d.upTo(min(8, g.top()-1))
	}
	return num.Truncate(uint64(v), g.typ, g.width)
}

// bits makes an integer that holds a float, or two.
func (g *generator) bits(d *draws) uint64 {
	if typ := map[int]ir.Type{16: ir.F16, 32: ir.F32, 64: ir.F64}[g.width]; g.use.role&real != 0 && typ != nil {
		return g.float(d, typ)
	}
	half := func(r role) uint64 {
		if g.use.role&r != 0 {
			return g.float(d, ir.F32)
		}
		return uint64(d.upTo(99))
	}
	low := half(realLow)
	return num.Truncate(half(realHigh)<<32|low, g.typ, g.width)
}

// float makes a value of moderate size.
func (g *generator) float(d *draws, typ ir.Type) uint64 {
	r := g.use.role
	low, high := -50.0, 99.0
	switch {
	case r&address != 0:
		low, high = 0, float64(g.limited(g.size)-1)
	case r&bound != 0:
		low, high = 0.25, float64(max(g.size, 1))
	case r&(positive|counted|step) != 0:
		low, high = 0.25, 100
	case r&integral == 0 && d.one(8):
		low, high = -2, 2
	case g.attempt.plain:
		low = 0
	}
	v := low + float64(d.next()>>11)/(1<<53)*(high-low)
	if r&address == 0 && d.one(6) {
		v = math.Round(v) // equal values and exact sums
		if r&(positive|counted|step|divisor|bound) != 0 && v <= 0 {
			v = 1
		}
	}
	bits, _ := num.EncodeFloat(v, typ)
	return bits
}
