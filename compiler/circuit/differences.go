package circuit

import "container/heap"

// difference demands that time To is at least Weight cycles after time From. Every cycle
// beyond costs Cost, which is not negative.
type difference struct {
	From, To, Weight, Cost int
}

// leastCost changes times that keep every difference into times that keep every one at the least
// sum of costs, exactly. It is a linear program whose dual is a flow of least cost in a network
// without capacities: every difference carries as much as its cost pulls its ends together. The
// flow grows along shortest paths, where the slack of a difference is its length and the times
// are the potentials (Ahuja, Magnanti, Orlin: Network Flows, chapter 9.7); what carries flow
// has no slack.
func leastCost(times []int, ds []difference) {
	n := len(times)
	supply := make([]int, n)
	out, in := make([][]int, n), make([][]int, n)
	for i, d := range ds {
		supply[d.From] += d.Cost
		supply[d.To] -= d.Cost
		out[d.From] = append(out[d.From], i)
		in[d.To] = append(in[d.To], i)
	}
	flow := make([]int, len(ds))
	dist, via := make([]int, n), make([]int, n) // via: 1 + the difference along which, negative against it
	done := make([]bool, n)
	for s := range n {
		for supply[s] > 0 {
			for v := range n {
				dist[v], via[v], done[v] = -1, 0, false
			}
			dist[s] = 0
			queue := reached{{s, 0}}
			sink := -1
			for len(queue) > 0 {
				at := heap.Pop(&queue).(place)
				u := at.node
				if done[u] {
					continue
				}
				done[u] = true
				if supply[u] < 0 {
					sink = u
					break
				}
				step := func(v, length, how int) {
					if d := dist[u] + length; !done[v] && (dist[v] < 0 || d < dist[v]) {
						dist[v], via[v] = d, how
						heap.Push(&queue, place{v, d})
					}
				}
				for _, i := range out[u] {
					d := ds[i]
					step(d.To, times[d.To]-times[u]-d.Weight, i+1)
				}
				for _, i := range in[u] {
					if flow[i] > 0 {
						step(ds[i].From, 0, -i-1)
					}
				}
			}
			// A flow of every difference's cost would serve all supplies, so a sink is within reach.
			far := dist[sink]
			for v := range n {
				if !done[v] {
					times[v] -= far
				} else {
					times[v] -= dist[v]
				}
			}
			amount := min(supply[s], -supply[sink])
			walk := func(visit func(i int, forward bool)) {
				for v := sink; v != s; {
					if i := via[v]; i > 0 {
						visit(i-1, true)
						v = ds[i-1].From
					} else {
						visit(-i-1, false)
						v = ds[-i-1].To
					}
				}
			}
			walk(func(i int, forward bool) {
				if !forward {
					amount = min(amount, flow[i])
				}
			})
			walk(func(i int, forward bool) {
				if forward {
					flow[i] += amount
				} else {
					flow[i] -= amount
				}
			})
			supply[s] -= amount
			supply[sink] += amount
		}
	}
}

// place is a node of the network and its distance when it was found; reached is a heap of them,
// ordered by distance and then by node, so that results do not depend on anything else.
type place struct{ node, dist int }
type reached []place

func (r reached) Len() int { return len(r) }
func (r reached) Less(i, j int) bool {
	return r[i].dist < r[j].dist || r[i].dist == r[j].dist && r[i].node < r[j].node
}
func (r reached) Swap(i, j int) { r[i], r[j] = r[j], r[i] }
func (r *reached) Push(x any)   { *r = append(*r, x.(place)) }
func (r *reached) Pop() any {
	old := *r
	x := old[len(old)-1]
	*r = old[:len(old)-1]
	return x
}
