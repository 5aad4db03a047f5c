package lift

import "loom/compiler/ir"

// checkDominance reports the operations that read what is not defined on every path to
// them: everything that follows relies on it.
func (r *lifter) checkDominance() {
	region := r.fn.Regions[0]
	dom := ir.Dominators(region)
	seen := map[*ir.Operation]bool{}
	for _, b := range r.order {
		for _, op := range b.Ops {
			for _, v := range op.Operands() {
				home := v.Block
				if v.Def != nil {
					home = v.Def.Block()
				}
				if home == nil || home.Parent != region || home == b && v.Def != nil && !seen[v.Def] || !dom.Dominates(home, b) {
					r.errorf(op.Pos, "'%s' reads a value that is not defined on every path to it", op.Name)
					return
				}
			}
			seen[op] = true
		}
	}
}
