package place

import "slices"

// excessCost is what one input, output or word too many of a cluster costs: more than moving a node elsewhere.
const excessCost = 400 * wireWeight

// findClusters lists the sites of every cluster, and what is too much at the beginning.
func (a *annealer) findClusters() {
	if a.p.Cluster == nil {
		return
	}
	a.clusters = make([][]int, len(a.p.Limits))
	for s, c := range a.p.Cluster {
		if c >= 0 {
			a.clusters[c] = append(a.clusters[c], s)
		}
	}
	a.netMark = make([]int, len(a.p.Nets))
	a.excess = make([]int, len(a.clusters))
	for c := range a.clusters {
		a.excess[c] = a.exceeds(c)
	}
}

// change lists the clusters that the moves change.
func (a *annealer) change() {
	a.changed = a.changed[:0]
	if a.clusters == nil {
		return
	}
	for _, m := range a.moves {
		from, to := a.p.Cluster[m.from], a.p.Cluster[m.to]
		if from == to {
			continue // within a cluster, or outside of all
		}
		for _, c := range [...]int{from, to} {
			if c >= 0 && !slices.Contains(a.changed, c) {
				a.changed = append(a.changed, c)
			}
		}
	}
}

// exceeds is how much more than there is the nodes of a cluster need.
func (a *annealer) exceeds(c int) int {
	var in, out [2]int // of words, and of tokens
	a.netEpoch++
	a.words = a.words[:0]
	for _, s := range a.clusters[c] {
		n := a.node[s]
		if n < 0 {
			continue
		}
		if a.p.Words != nil {
			for _, w := range a.p.Words[n] {
				if !slices.Contains(a.words, w) {
					a.words = append(a.words, w)
				}
			}
		}
		for _, i := range a.netsOf[n] {
			if a.netMark[i] == a.netEpoch {
				continue
			}
			a.netMark[i] = a.netEpoch
			net := &a.p.Nets[i]
			kind := 1
			if net.Wide {
				kind = 0
			}
			if a.p.Cluster[a.site[net.Src]] != c {
				in[kind]++
				continue
			}
			for _, x := range net.Sinks {
				if a.p.Cluster[a.site[x]] != c {
					out[kind]++
					break
				}
			}
		}
	}
	l := &a.p.Limits[c]
	over := func(words, tokens, haveWords, haveTokens int) int {
		wide := max(words-haveWords, 0)
		return wide + max(tokens-haveTokens-max(haveWords-words, 0), 0)
	}
	return over(in[0], in[1], l.Ins, l.TokenIns) + over(out[0], out[1], l.Outs, l.TokenOuts) + max(len(a.words)-l.Words, 0)
}
