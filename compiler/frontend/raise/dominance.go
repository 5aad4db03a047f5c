package raise

import "loom/compiler/ir"

// checkDominance reports the operations that read what is not defined on every way to
// them: everything that follows relies on it.
func (r *raiser) checkDominance() {
	edges := r.edges()
	at := map[*ir.Block]int{}
	for i, b := range r.order {
		at[b] = i
	}
	// Immediate dominators by iteration (Cooper, Harvey and Kennedy).
	above := make([]int, len(r.order))
	for i := range above {
		above[i] = -1
	}
	above[0] = 0
	for changed := true; changed; {
		changed = false
		for i := 1; i < len(r.order); i++ {
			best := -1
			for _, e := range edges[r.order[i]] {
				p := at[e.from.Block()]
				switch {
				case above[p] < 0:
				case best < 0:
					best = p
				default:
					for best != p {
						for best > p {
							best = above[best]
						}
						for p > best {
							p = above[p]
						}
					}
				}
			}
			if best != above[i] {
				above[i], changed = best, true
			}
		}
	}
	seen := map[*ir.Operation]bool{}
	for i, b := range r.order {
		for _, op := range b.Ops {
			for _, v := range op.Operands() {
				home := v.Block
				if v.Def != nil {
					home = v.Def.Block()
				}
				where, known := at[home]
				ok := known && (where != i || v.Def == nil || seen[v.Def])
				if k := i; ok {
					for k > where {
						k = above[k]
					}
					ok = k == where
				}
				if !ok {
					r.errorf(op.Pos, "'%s' reads a value that is not defined on every way to it", op.Name)
					return
				}
			}
			seen[op] = true
		}
	}
}
