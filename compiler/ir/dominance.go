package ir

// Dominance is the dominance relation of the blocks of a region. The tree of
// immediate dominators is numbered so that a query costs two comparisons, whatever the size of the region.
type Dominance struct {
	enter, leave map[*Block]int
}

// Dominators computes the dominance of a region by the iteration of Cooper,
// Harvey and Kennedy over the blocks in reverse post-order.
func Dominators(r *Region) *Dominance {
	order, number := reversePostOrder(r.Entry())
	preds := make([][]int, len(order))
	for i, b := range order {
		if t := b.Terminator(); t != nil {
			for _, s := range t.Succs {
				if n, ok := number[s.Block]; ok {
					preds[n] = append(preds[n], i)
				}
			}
		}
	}
	idom := make([]int, len(order))
	for i := range idom {
		idom[i] = -1
	}
	idom[0] = 0
	meet := func(a, b int) int {
		for a != b {
			for a > b {
				a = idom[a]
			}
			for b > a {
				b = idom[b]
			}
		}
		return a
	}
	for changed := true; changed; {
		changed = false
		for i := 1; i < len(order); i++ {
			best := -1
			for _, p := range preds[i] {
				switch {
				case idom[p] < 0:
				case best < 0:
					best = p
				default:
					best = meet(p, best)
				}
			}
			if best != idom[i] {
				idom[i] = best
				changed = true
			}
		}
	}
	children := make([][]int, len(order))
	for i := 1; i < len(order); i++ {
		children[idom[i]] = append(children[idom[i]], i)
	}
	d := &Dominance{enter: map[*Block]int{}, leave: map[*Block]int{}}
	clock := 0
	type visit struct{ block, next int }
	stack := []visit{{}}
	d.enter[order[0]] = 0
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		clock++
		if v.next < len(children[v.block]) {
			c := children[v.block][v.next]
			v.next++
			d.enter[order[c]] = clock
			stack = append(stack, visit{block: c})
			continue
		}
		d.leave[order[v.block]] = clock
		stack = stack[:len(stack)-1]
	}
	return d
}

// reversePostOrder lists the blocks that can be reached, each after at least
// one of its predecessors, with their positions.
func reversePostOrder(entry *Block) ([]*Block, map[*Block]int) {
	type visit struct {
		block *Block
		next  int
	}
	var post []*Block
	seen := map[*Block]bool{entry: true}
	stack := []visit{{block: entry}}
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		if t := v.block.Terminator(); t != nil && v.next < len(t.Succs) {
			s := t.Succs[v.next].Block
			v.next++
			if !seen[s] && s.Parent == entry.Parent {
				seen[s] = true
				stack = append(stack, visit{block: s})
			}
			continue
		}
		post = append(post, v.block)
		stack = stack[:len(stack)-1]
	}
	order := make([]*Block, len(post))
	number := make(map[*Block]int, len(post))
	for i, b := range post {
		n := len(post) - 1 - i
		order[n], number[b] = b, n
	}
	return order, number
}

// Dominates reports whether every path to b passes a. No path leads to an
// unreachable block, so everything dominates it.
func (d *Dominance) Dominates(a, b *Block) bool {
	enterB, reached := d.enter[b]
	if !reached {
		return true
	}
	enterA, ok := d.enter[a]
	return ok && enterA <= enterB && d.leave[b] <= d.leave[a]
}
