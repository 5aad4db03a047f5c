package cycle

import (
	"math/bits"

	"loom/compiler/arch"
	"loom/compiler/config"
)

// readCache is loom_read_cache together with what is behind it.
type readCache struct {
	port memoryPort
	// offered is what the memory has on offer: the address of a load, which means something when
	// there is one, and the request of a store.
	offered func(e *engine) (load uint64, store BusRequest)
	cached  []bool // by region

	shift, lineBits, placeBits uint // a byte address, from the low end: byte, element of its line, line, name

	requests ring[cacheRequest]
	lines    []cacheLine
	live     bool // a line may be present
	filled   int  // the line with a fetch in this cycle, -1 for none
	turns    ring[cacheTurn]
	fetched  ring[response]
	places   []uint64
	answer   response // registered: it goes to the memory in the next cycle
	toLoads  response // of this cycle

	comp         *arch.Component
	hits, misses int64
}

// cacheRequest is a load that waits for its look-up.
type cacheRequest struct {
	element uint64
	tag     uint16
	cached  bool
}

// cacheLine is what places side by side hold: elements under one name, of which those with a mark are
// there.
type cacheLine struct {
	present bool
	name    uint64
	marks   [2]uint64
}

// cacheTurn is a load that has been looked up and waits for its turn to respond.
type cacheTurn struct {
	hit, fill bool
	tag       uint16
	place     uint64
}

// lineOf are the elements of a line, as the parameter LINE of loom_read_cache has them.
func lineOf(elements int) int { return max(elements/32, 4) }

func newReadCache(n node, spec *arch.MemorySpec, regions []config.Region, port memoryPort) *readCache {
	c := &readCache{comp: n.comp, port: port, filled: -1,
		shift: uint(bits.TrailingZeros(uint(spec.ElemBytes()))), lineBits: uint(bits.TrailingZeros(uint(lineOf(spec.Cache)))),
		placeBits: uint(bits.TrailingZeros(uint(spec.Cache))),
		requests:  newRing[cacheRequest](2), lines: make([]cacheLine, spec.Cache/lineOf(spec.Cache)),
		turns: newRing[cacheTurn](spec.InFlight()), fetched: newRing[response](spec.InFlight()), places: make([]uint64, spec.Cache)}
	for _, r := range regions {
		c.cached = append(c.cached, r.Cached)
	}
	return c
}

// isCached reports whether a region's loads are cached.
func (c *readCache) isCached(region int) bool { return region >= 0 && c.cached[region] }

func (c *readCache) place(element uint64) uint64 { return element & mask(int(c.placeBits)) }

// find is the line of an element, its number, and whether it holds elements of that name.
func (c *readCache) find(element uint64) (l *cacheLine, number int, same bool) {
	number = int(c.place(element) >> c.lineBits)
	l = &c.lines[number]
	return l, number, l.present && l.name == element>>c.placeBits
}

// mark is the word of marks that has an element, and its bit.
func (c *readCache) mark(element uint64) (word int, bit uint64) {
	k := element & mask(int(c.lineBits))
	return int(k / 64), 1 << (k % 64)
}

// isHit reports whether a load has an element that is there, or will be in its turn.
func (c *readCache) isHit(r cacheRequest) bool {
	l, _, same := c.find(r.element)
	w, bit := c.mark(r.element)
	return r.cached && same && l.marks[w]&bit != 0
}

// request is the load request on the bus.
func (c *readCache) request() BusRequest {
	if c.requests.empty() || c.isHit(c.requests.peek()) {
		return BusRequest{}
	}
	return BusRequest{Valid: true, Addr: c.requests.peek().element << c.shift}
}

func (c *readCache) respond(e *engine) {
	c.port.respond(e)
	c.toLoads = c.answer
}

func (c *readCache) responses() (loaded, stored *response) {
	_, stored = c.port.responses()
	return &c.toLoads, stored
}

// ldReady: a load waits while a store of its place is on offer.
func (c *readCache) ldReady(e *engine) bool {
	load, store := c.offered(e)
	return !c.requests.full() && !(store.Valid && c.place(load>>c.shift) == c.place(store.Addr>>c.shift))
}

func (c *readCache) stReady(e *engine) bool { return c.port.stReady(e) }

// clock is the clock edge for the loads of earlier cycles, and before stores of this one.
func (c *readCache) clock(e *engine) {
	c.filled = -1
	c.answer = response{}
	fails := false
	if !c.turns.empty() && (c.turns.peek().hit || !c.fetched.empty()) {
		t := c.turns.peek()
		c.turns.pop()
		c.answer = response{valid: true, tag: t.tag}
		if t.hit {
			c.answer.data = c.places[t.place]
		} else {
			f := c.fetched.peek()
			c.fetched.pop()
			c.answer.data, c.answer.bad = f.data, f.bad
			fails = f.bad
			if t.fill {
				c.places[t.place] = f.data
			}
		}
	}
	request, taken := c.request(), false
	if request.Valid {
		taken = c.port.ldReady(e)
	}
	c.port.clock(e)
	if loaded, _ := c.port.responses(); loaded.valid {
		c.fetched.push(*loaded)
	}
	if !c.requests.empty() && (!request.Valid || taken) {
		r := c.requests.peek()
		c.requests.pop()
		fill := request.Valid && r.cached
		c.turns.push(cacheTurn{!request.Valid, fill, r.tag, c.place(r.element)})
		if request.Valid {
			c.port.load(request.Addr, 0, false)
		}
		switch {
		case fill:
			c.misses++
			c.fill(r.element)
		case r.cached:
			c.hits++
		}
	}
	if fails {
		c.drop()
	}
}

// fill marks an element as there, and its line as its name's.
func (c *readCache) fill(element uint64) {
	l, number, same := c.find(element)
	if !same {
		*l = cacheLine{present: true, name: element >> c.placeBits}
	}
	w, bit := c.mark(element)
	l.marks[w] |= bit
	c.filled, c.live = number, true
}

// drop empties the cache.
func (c *readCache) drop() {
	for i := range c.lines {
		c.lines[i].present = false
	}
	c.live = false
}

func (c *readCache) load(addr uint64, tag uint16, cached bool) {
	c.requests.push(cacheRequest{addr >> c.shift, tag, cached})
}

// store passes a store on. It drops the line of its element, if that is there or is being fetched.
func (c *readCache) store(addr uint64, tag uint16, data uint64, cached bool) {
	if cached {
		if l, number, same := c.find(addr >> c.shift); same || number == c.filled {
			l.present = false
		}
	}
	c.port.store(addr, tag, data, cached)
}

func (c *readCache) busy() bool {
	return c.port.busy() || !c.requests.empty() || !c.turns.empty() || c.answer.valid
}
