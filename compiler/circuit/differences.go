package circuit

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
	for _, d := range ds {
		supply[d.From] += d.Cost
		supply[d.To] -= d.Cost
	}
	out := grouped(n, ds, func(d difference) int { return d.From })
	in := grouped(n, ds, func(d difference) int { return d.To })
	flow := make([]int, len(ds))
	dist, via := make([]int, n), make([]int, n) // via: 1 + the difference along which, negative against it
	state := make([]byte, n)
	const unseen, seen, done = 0, 1, 2
	var queue reached
	var touched []int // nodes that are not unseen
	behind := 0       // what is still to be taken from all times
	for s := range n {
		for supply[s] > 0 {
			for _, v := range touched {
				state[v] = unseen
			}
			queue, touched = append(queue[:0], place{s, 0}), append(touched[:0], s)
			dist[s], state[s] = 0, seen
			sink := -1
			for len(queue) > 0 {
				u := queue.pop().node
				if state[u] == done {
					continue
				}
				state[u] = done
				if supply[u] < 0 {
					sink = u
					break
				}
				step := func(v, length, how int) {
					d := dist[u] + length
					switch {
					case state[v] == unseen:
						state[v], touched = seen, append(touched, v)
					case state[v] == done || d >= dist[v]:
						return
					}
					dist[v], via[v] = d, how
					queue.push(place{v, d})
				}
				for _, i := range out[u] {
					d := &ds[i]
					step(d.To, times[d.To]-times[u]-d.Weight, i+1)
				}
				for _, i := range in[u] {
					if flow[i] > 0 {
						step(ds[i].From, 0, -i-1)
					}
				}
			}
			// A flow of every difference's cost would serve all supplies, so a sink is within reach.
			// What was not reached before it moves by as much as the sink: all do, later, and what was, back.
			far := dist[sink]
			behind += far
			for _, v := range touched {
				if state[v] == done {
					times[v] += far - dist[v]
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
	for v := range times {
		times[v] -= behind
	}
}

// grouped are the differences at each of n nodes, in their order.
func grouped(n int, ds []difference, node func(difference) int) [][]int {
	count := make([]int, n)
	for _, d := range ds {
		count[node(d)]++
	}
	all, out := make([]int, len(ds)), make([][]int, n)
	for v, k := range count {
		out[v], all = all[:0:k], all[k:]
	}
	for i, d := range ds {
		v := node(d)
		out[v] = append(out[v], i)
	}
	return out
}

// place is a node of the network and its distance when it was found; reached is a heap of them,
// ordered by distance and then by node, so that results do not depend on anything else. It does what
// container/heap does, without an interface around each: half of the time of a placement went there.
type place struct{ node, dist int }
type reached []place

func (p place) before(o place) bool { return p.dist < o.dist || p.dist == o.dist && p.node < o.node }

func (r *reached) push(p place) {
	h := append(*r, p)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !p.before(h[up]) {
			break
		}
		h[i], i = h[up], up
	}
	h[i] = p
	*r = h
}

func (r *reached) pop() place {
	h := *r
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*r = h
	for i := 0; len(h) > 0; {
		next := 2*i + 1
		if next+1 < len(h) && h[next+1].before(h[next]) {
			next++
		}
		if next >= len(h) || !h[next].before(last) {
			h[i] = last
			break
		}
		h[i], i = h[next], next
	}
	return top
}
