package simplify

// deviation names one rule that a test breaks on purpose, to prove that the comparison of
// simulators, or the verifier, notices. Nothing outside of the tests sets one.
type deviation string

const (
	holdCompletions deviation = "tokens that come from accesses are held"
	holdAll         deviation = "values that change in a run are held"
	holdWhole       deviation = "operations have held operands only"
	holdConditions  deviation = "a control is dropped whose branch depends on an access"
	orderLost       deviation = "stores do not wait for loads that they do not depend on"
	narrowShort     deviation = "values lack a bit"
	narrowSigns     deviation = "values are extended without their sign"
	reciprocalShort deviation = "reciprocals lack a bit"
	guardUnequal    deviation = "a guard is removed whose comparison is not the loop's"
	completionLost  deviation = "loads are complete though nothing waits for their data"
	chooseAny       deviation = "a side of a choice reads in front of any branch"
	fireByResult    deviation = "a region is fired by a value that waits for it"
	delayOther      deviation = "what is computed in front of a branch goes to its other side"
	splitEarly      deviation = "readers of a carried value get that of the next iteration"
	splitInitial    deviation = "what is computed twice is computed from the initial value the second time"
	speculateOther  deviation = "what is computed ahead of a loop's condition goes to where the loop ends"
	chooseShared    deviation = "a side of a choice is computed always that others read, too"
)

// deviations lists those of direct circuits.
var deviations = []deviation{holdCompletions, holdAll, holdWhole, orderLost, guardUnequal, completionLost, narrowShort, narrowSigns, chooseAny, chooseShared}

// fabricDeviations lists those of fabrics; splitInitial is not among them, as random programs have no such loops.
var fabricDeviations = []deviation{holdCompletions, holdAll, holdWhole, orderLost, guardUnequal, completionLost, chooseAny, chooseShared,
	delayOther, splitEarly, speculateOther}
