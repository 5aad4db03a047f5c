package place

import "sync"

// Unreachable is the distance between sites that no route connects: no saving
// elsewhere outweighs it.
const Unreachable = 1000

// Distances are those from every site to every other one, in hops: 0 to Unreachable.
type Distances struct {
	sites int
	// into[b*sites+a] is the distance from site a to site b: all sources of one reader side by side. Numbers are small as what an
	// annealing reads should stay in a processor's caches.
	into []int16
	once sync.Once
	near []int32
}

// NewDistances are distances between so many sites, all of them 0.
func NewDistances(sites int) *Distances {
	return &Distances{sites: sites, into: make([]int16, sites*sites)}
}

// Set states the distance from site a to site b. Larger ones than Unreachable become that.
func (d *Distances) Set(a, b int, hops int32) { d.into[b*d.sites+a] = int16(min(hops, Unreachable)) }

// At is the distance from site a to site b.
func (d *Distances) At(a, b int) int { return int(d.into[b*d.sites+a]) }

// nearest are the sites around every site in the order of their distance, in the shorter direction; those around site s are
// nearest()[s*sites : (s+1)*sites]. It is a counting sort, because distances are small.
func (d *Distances) nearest() []int32 {
	d.once.Do(func() {
		d.near = make([]int32, d.sites*d.sites)
		for s := range d.sites {
			var count [Unreachable + 2]int
			between := func(t int) int { return min(d.At(s, t), d.At(t, s)) }
			for t := range d.sites {
				count[between(t)+1]++
			}
			for h := range Unreachable + 1 {
				count[h+1] += count[h]
			}
			for t := range d.sites {
				d.near[s*d.sites+count[between(t)]] = int32(t)
				count[between(t)]++
			}
		}
	})
	return d.near
}
