package structure

// deviation names a rule that is broken on purpose, to check that tests notice.
type deviation string

// The rules that tests break.
const (
	guardAlways    deviation = "a branch around a loop goes without proof that the loop tests the same"
	firstUnproven  deviation = "a loop is rotated back without proof that its first test holds"
	boundExclusive deviation = "the bound of an inclusive test is taken for an exclusive one"
	signIgnored    deviation = "a comparison without sign is taken for one with sign"
	wrapIgnored    deviation = "steps may pass the end of the numbers"
	orderUnproven  deviation = "a counter that runs to its bound is taken to start below it"
	stepIgnored    deviation = "a test before the step is taken for one behind it"
	lastUnseen     deviation = "the sum of the last iteration, which a loop has not looked at, is taken not to wrap"
	flagIgnored    deviation = "a loop whose flag may not be set is taken to run twice"
	offsetIgnored  deviation = "a counter beside the counter is taken to start with it"
	finalBound     deviation = "the counter is taken to end at its bound also where the loop does not run"
	entryForgotten deviation = "a loop with several entries is entered at the first"
	headsForgotten deviation = "what a loop starts with is not handed over by its entry"
	copiesInOrder  deviation = "copies on an edge are made one after the other"
)

// deviate is the rule that is broken; only tests set it.
var deviate deviation
