package lower

// deviation names one rule of the token discipline or of memory ordering that a
// test breaks on purpose, to prove that the verification ladder notices (design
// page "Simulation", section "How it is tested"). Nothing outside the tests of
// this package can set one.
type deviation string

// The deviations, one per row of the token-discipline table and per memory rule.
const (
	noGuard             deviation = "zero-trip loops are not guarded"
	noBranchGating      deviation = "branch live-ins are not gated"
	noLoopGating        deviation = "loop live-ins are not repeated"
	invariantByRaw      deviation = "loop live-ins are repeated by the raw condition"
	inductionRaw        deviation = "the induction variable is not gated"
	carryByAfter        deviation = "iter_args are carried by after_cond"
	splitByAfter        deviation = "iter_args are split by after_cond"
	resultFromBody      deviation = "loop results are taken from the body's side"
	whileLiveInUngated  deviation = "live-ins of an after-region are not split"
	whileArgUnsplit     deviation = "condition arguments enter the after-region unsplit"
	whileSourceControl  deviation = "after-region control by invariant(after_cond, before control)"
	whileCarryGated     deviation = "while operands are carried by the gated condition"
	muxSwapped          deviation = "the branches are merged in the wrong order"
	branchSwapped       deviation = "the branches are gated by the opposite condition"
	constantsCarried    deviation = "constants are fired by the function's control"
	memoryByRaw         deviation = "loop memory control by the raw condition"
	memoryUnordered     deviation = "accesses are issued without order"
	memoryLoopUnordered deviation = "iterations are not ordered"
	memoryIfUnmerged    deviation = "what follows a branch does not wait for it"
	memoryIfSwapped     deviation = "the memory token takes the wrong branch"
	memoryWhileGated    deviation = "while memory control by the gated condition"
	memorySkipDone      deviation = "the token passes an access without waiting for it"
	relaxStores         deviation = "a group with stores counts as one without (R2)"
	relaxTwo            deviation = "a group with two accesses counts as one with a single access (R3)"
	dependenceCarried   deviation = "a dependence between iterations is overlooked (R4)"
	dependenceWraps     deviation = "subscripts are taken not to wrap around (R4)"
	dependenceBackwards deviation = "an iteration that touches an element second is taken to touch it first (R4)"
	dependenceBranches  deviation = "accesses in different branches are taken to come in turn (R4)"
	freeWithoutEntry    deviation = "the iterations of a free loop do not wait for what is before the loop (R4)"
	freeInside          deviation = "the accesses within an iteration of a free loop are not ordered (R4)"
	completionMisses    deviation = "the completion of a loop does not collect its last token"
	completionByBody    deviation = "the completion of a loop is taken from the body's side"
	completionWhileLast deviation = "the completion of a while does not collect its after-region"
	whileUnordered      deviation = "the iterations of a loop that does not count are not ordered (R4)"
	whileForgets        deviation = "the completion of a while that does not iterate comes before what is before the loop"
	relaxAll            deviation = "accesses that depend on each other only collect completions"
	returnEntry         deviation = "the function returns its entry token"
	returnMissesGroup   deviation = "the return does not wait for the last memory group"
	guardsAtMost        deviation = "a loop whose bounds are at most equal is not guarded"
	rangesShort         deviation = "the largest value of an induction variable is forgotten"
	convertLoads        deviation = "loads are done in branches that are not taken"
	convertStore        deviation = "stores are done in branches that are not taken"
	shareRegions        deviation = "constants of different regions are shared"
	streamSigned        deviation = "a loop that compares without sign counts with sign"
	streamUnproven      deviation = "a loop that tests last is taken to pass its first test"
	streamShifts        deviation = "an unsigned shift of a negative number is taken for a signed one"
	meetBelow           deviation = "counters that meet stop one iteration before, where their distance is odd"
	streamAny           deviation = "a product that may pass the sign bit counts as one that does not"
	mergeReaders        deviation = "branches merge across an access between them"
	aliasesApart        deviation = "memories that may overlap are taken for different ones"
	aliasesFree         deviation = "iterations that meet in memories that may overlap are not ordered (R4)"
)

// deviations lists them all, for the test that tries each.
var deviations = []deviation{
	noGuard, noBranchGating, noLoopGating, invariantByRaw, inductionRaw, carryByAfter, splitByAfter,
	resultFromBody, whileLiveInUngated, whileArgUnsplit, whileSourceControl, whileCarryGated,
	muxSwapped, branchSwapped, constantsCarried, memoryByRaw, memoryUnordered, memoryLoopUnordered,
	memoryIfUnmerged, memoryIfSwapped, memoryWhileGated, memorySkipDone, relaxAll, returnEntry, returnMissesGroup,
}

// relaxations are the deviations from the preconditions of R2 to R4 and from the
// rules of shared completions. Programs that show them need affine subscripts
// and the pipelined order.
var relaxations = []deviation{
	relaxStores, relaxTwo, dependenceCarried, dependenceWraps, dependenceBackwards, dependenceBranches, freeWithoutEntry, freeInside,
	completionMisses, completionByBody, completionWhileLast, whileUnordered, whileForgets,
}

// The deviations from the rules of forwarding; programs made for it show them.
const (
	forwardPast      deviation = "a value is forwarded past another store"
	forwardStart     deviation = "carried values start with the wrong element"
	forwardUnguarded deviation = "the first elements are loaded though the loop does not run"
	forwardMoving    deviation = "a value is forwarded though other parts of the subscripts change"
)

// forwardings lists them.
var forwardings = []deviation{forwardPast, forwardStart, forwardUnguarded, forwardMoving}

// The deviations from the rules of recent stores; programs made for them show these.
const (
	recentUncompared deviation = "loads overtake stores without looking at what was stored"
	recentOldest     deviation = "of two stores to an element the older one counts"
	recentSkipped    deviation = "a store that did not run counts as the one before"
	recentBehind     deviation = "stores overtake loads of earlier iterations that stand behind theirs"
	recentBranches   deviation = "stores overtake loads of the other branch in earlier iterations"
	recentMerged     deviation = "stores overtake loads of the other branch when branches are merged behind the pass"
	recentApart      deviation = "a load is compared with what the last iteration stored alone"
	recentEarly      deviation = "a loop takes what it stored an iteration before it stored anything"
	recentStart      deviation = "a loop starts with a store to the first element"
)

// The deviations from the rules of interlocks.
const (
	interlockNone     deviation = "loads do not pass their interlocks"
	interlockSkipped  deviation = "an iteration that does not store gives an interlock the subscript zero"
	interlockBelow    deviation = "the subscript of a store that does not run is taken to be one"
	interlockBranches deviation = "a load in other branches than the store is interlocked"
)

// The deviations from the rules of stores that follow their loop.
const (
	sinkUnguarded deviation = "a store follows a loop that does not run"
	sinkOthers    deviation = "a store follows a loop that loads other elements of its memory"
)

// unrollLast is one from the rule of loops that are written out.
const unrollLast deviation = "the last iteration of a loop that is written out is left out"

// The deviations from the rules of loops whose iterations run side by side.
const (
	jamDependent deviation = "iterations that depend on each other run side by side"
	jamInTurn    deviation = "iterations run side by side that touch one element in turn"
	jamItself    deviation = "a store of iterations that run side by side is not compared with itself"
	jamBehind    deviation = "accesses that take what a loop carries follow behind all others of iterations side by side"
	jamTwin      deviation = "iterations that run side by side have the counter of the first"
	jamRest      deviation = "the iterations that are left over are left out"
)

// The deviations from the rules of loads that are not repeated.
const (
	reusePast      deviation = "a loaded value is kept past a store to its memory"
	reuseStart     deviation = "carried values of loads start with the wrong element"
	reuseUnguarded deviation = "loads move in front of a loop that does not run"
)

// flagsAgain is one from the rule of loops that run twice.
const flagsAgain deviation = "the second of two iterations has the counter of the first"

// interlocks lists them.
var interlocks = []deviation{interlockNone, interlockSkipped, interlockBelow, interlockBranches}

// recents lists them.
var recents = []deviation{recentUncompared, recentOldest, recentSkipped, recentBehind, recentBranches, recentMerged, recentStart, recentApart, recentEarly}

// The deviations from the rules of reductions.
const (
	reduceSides  deviation = "what one side of a branch adds is added on the other side"
	reduceByZero deviation = "the neutral element of every operation is zero"
	reduceSets   deviation = "a value that a branch sets is taken to have no other bits"
	reduceSigns  deviation = "what is subtracted twice is the difference of both"
	reduceLatest deviation = "a counter that a branch keeps is taken to be above what it began with"
)

// carryAny breaks the rule of carryWide.
const carryAny deviation = "what was truncated is taken for what it was truncated to"

// reductions lists them.
var reductions = []deviation{reduceSets, reduceSides, reduceByZero, reduceSigns}

// The deviations from the rules that rewrite constructs and name memory; the
// tables of forms show them.
const (
	offsetLost       deviation = "the offset of a window is dropped"
	strideLost       deviation = "the steps of a window are dropped"
	layoutIgnored    deviation = "a parameter's layout is ignored"
	reductionSwapped deviation = "a reduction combines in the other order"
	nestReversed     deviation = "the first dimension of a parallel loop is the innermost"
	casesSwapped     deviation = "a switch takes its first case for another value"
	signKept         deviation = "a loop without sign compares with sign"
	variableBiased   deviation = "the induction variable of a loop without sign stays moved"
	copyInPlace      deviation = "overlapping parts are copied without a buffer"
	globalsSplit     deviation = "a global is another memory at each operation that names it"
	contentsLost     deviation = "globals start with anything"
	zeroCorrected    deviation = "the quotient of a division by zero is rounded"
	productSigned    deviation = "the upper half of a product is not corrected for signs"
)

// constructions lists them.
var constructions = []deviation{
	offsetLost, strideLost, layoutIgnored, reductionSwapped, nestReversed, casesSwapped, signKept, variableBiased,
	copyInPlace, globalsSplit, contentsLost, zeroCorrected, productSigned, indexCastUnsigned, indexCompareSwapped,
	roundedTwice, roundedLarge,
}
