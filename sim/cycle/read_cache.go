package cycle

import (
	"math/bits"

	"loom/compiler/arch"
	"loom/compiler/config"
)

// readCache is loom_read_cache together with what is behind it.
type readCache struct {
	port   memoryPort
	cached []bool // by region

	shift, lineBits, placeBits uint // a byte address, from the low end: byte, element of its line, line, name

	asked   cacheRequest // waits for its look-up, if valid
	looked  ring[cacheLook]
	lines   []cacheLine
	live    bool       // a line may be present
	stored  cacheStore // the store of a cached region that was taken a cycle ago
	dropped int        // the line that the one before it drops, -1 for none
	turns   ring[cacheTurn]
	fetched ring[response]
	places  []uint64
	answer  response // registered: it goes to the memory in the next cycle
	toLoads response // of this cycle

	comp         *arch.Component
	hits, misses int64
}

// cacheRequest is a load that waits for its look-up.
type cacheRequest struct {
	valid   bool
	element uint64
	tag     uint16
	cached  bool
}

// cacheLook is a load that has been looked up, and leaves or waits for the bus.
type cacheLook struct {
	cacheRequest
	hit bool
}

// cacheStore is a store that may drop the line of its element.
type cacheStore struct {
	valid   bool
	element uint64
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
	c := &readCache{comp: n.comp, port: port, dropped: -1,
		shift: uint(bits.TrailingZeros(uint(spec.ElemBytes()))), lineBits: uint(bits.TrailingZeros(uint(lineOf(spec.Cache)))),
		placeBits: uint(bits.TrailingZeros(uint(spec.Cache))),
		looked:    newRing[cacheLook](2), lines: make([]cacheLine, spec.Cache/lineOf(spec.Cache)),
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

// request is the load request on the bus.
func (c *readCache) request() BusRequest {
	if c.looked.empty() || c.looked.peek().hit {
		return BusRequest{}
	}
	return BusRequest{Valid: true, Addr: c.looked.peek().element << c.shift}
}

func (c *readCache) respond(e *engine) {
	c.port.respond(e)
	c.toLoads = c.answer
}

func (c *readCache) responses() (loaded, stored *response) {
	_, stored = c.port.responses()
	return &c.toLoads, stored
}

func (c *readCache) ldReady(*engine) bool { return !c.asked.valid || !c.looked.full() }

func (c *readCache) stReady(e *engine) bool { return c.port.stReady(e) }

// clock is the clock edge for the loads of earlier cycles, and before stores of this one.
func (c *readCache) clock(e *engine) {
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
	room := !c.looked.full()
	if !c.looked.empty() && (!request.Valid || taken) {
		r := c.looked.peek()
		c.looked.pop()
		c.turns.push(cacheTurn{r.hit, r.cached && !r.hit, r.tag, c.place(r.element)})
		if request.Valid {
			c.port.load(request.Addr, 0, false)
		}
		switch {
		case r.hit:
			c.hits++
		case r.cached:
			c.misses++
		}
	}
	// Lines are as they were at the beginning of the cycle for the store and for the look-up. What
	// drops a line, drops what the look-up puts there, too.
	drops := c.dropped
	c.dropped = -1
	if c.stored.valid {
		if _, number, same := c.find(c.stored.element); same {
			c.dropped = number
		}
		c.stored = cacheStore{}
	}
	if c.asked.valid && room {
		c.looked.push(cacheLook{c.asked, c.asked.cached && c.touch(c.asked.element)})
		c.asked = cacheRequest{}
	}
	if drops >= 0 {
		c.lines[drops].present = false
	}
	if fails {
		c.drop()
	}
}

// touch is the look-up of a load: whether its element is there, or will be in its turn. It is from now on,
// and its line is its name's.
func (c *readCache) touch(element uint64) (hit bool) {
	l, _, same := c.find(element)
	if !same {
		*l = cacheLine{present: true, name: element >> c.placeBits}
	}
	w, bit := c.mark(element)
	hit = l.marks[w]&bit != 0
	l.marks[w] |= bit
	c.live = true
	return hit
}

// drop empties the cache.
func (c *readCache) drop() {
	for i := range c.lines {
		c.lines[i].present = false
	}
	c.live = false
}

func (c *readCache) load(addr uint64, tag uint16, cached bool) {
	c.asked = cacheRequest{true, addr >> c.shift, tag, cached}
}

// store passes a store on. Two cycles later it drops the line of its element, if that was there a cycle before.
func (c *readCache) store(addr uint64, tag uint16, data uint64, cached bool) {
	c.stored = cacheStore{cached, addr >> c.shift}
	c.port.store(addr, tag, data, cached)
}

func (c *readCache) busy() bool {
	return c.port.busy() || c.asked.valid || !c.looked.empty() || c.stored.valid || c.dropped >= 0 || !c.turns.empty() || c.answer.valid
}
