package place

// findBays lists the sites of the bays and the crew that starts in each.
func (a *annealer) findBays() {
	if a.p.Bay == nil {
		return
	}
	for s, b := range a.p.Bay {
		for b >= len(a.sitesIn) {
			a.sitesIn = append(a.sitesIn, nil)
			a.crew = append(a.crew, -1)
		}
		if b >= 0 {
			a.sitesIn[b] = append(a.sitesIn[b], s)
			if a.node[s] >= 0 {
				a.crew[b] = b
			}
		}
	}
}

// exchange plans the moves that exchange the nodes of two bays and reports whether
// that is possible.
func (a *annealer) exchange(x, y int) bool {
	if x < 0 || a.crew[x] >= 0 && !a.p.Fits(a.crew[x], y) || a.crew[y] >= 0 && !a.p.Fits(a.crew[y], x) {
		return false
	}
	return a.transfer(x, y) && a.transfer(y, x)
}

// transfer plans the moves of all nodes of a bay to another: each to the site at
// the same position if it may, otherwise to the first one left.
func (a *annealer) transfer(from, to int) bool {
	first := len(a.moves)
	free := func(s int) bool {
		for _, m := range a.moves[first:] {
			if m.to == s {
				return false
			}
		}
		return true
	}
next:
	for k, s := range a.sitesIn[from] {
		n := a.node[s]
		if n < 0 {
			continue
		}
		if k < len(a.sitesIn[to]) {
			if t := a.sitesIn[to][k]; a.isCand[n][t] && free(t) {
				a.moves = append(a.moves, move{n, s, t})
				continue
			}
		}
		for _, t := range a.sitesIn[to] {
			if a.isCand[n][t] && free(t) {
				a.moves = append(a.moves, move{n, s, t})
				continue next
			}
		}
		return false
	}
	return true
}

// follow updates where the crews of exchanged bays are now.
func (a *annealer) follow() {
	if a.p.Bay == nil || len(a.moves) == 0 {
		return
	}
	x, y := a.p.Bay[a.moves[0].from], a.p.Bay[a.moves[0].to]
	if x >= 0 && x != y {
		a.crew[x], a.crew[y] = a.crew[y], a.crew[x]
	}
}
