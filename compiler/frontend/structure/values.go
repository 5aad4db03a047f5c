package structure

import "loom/compiler/ir"

// The predicates of arith.cmpi by upstream's numbers.
const (
	predEq = iota
	predNe
	predSlt
	predSle
	predSgt
	predSge
	predUlt
	predUle
	predUgt
	predUge
)

// constantOf returns the value of an integer constant as a signed number; true is 1.
func constantOf(v *ir.Value) (int64, bool) {
	if v.Def == nil || v.Def.Name != "arith.constant" {
		return 0, false
	}
	return v.Def.IntAttr("value")
}
