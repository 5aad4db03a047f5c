package structure

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
