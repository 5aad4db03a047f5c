package cycle

// The hardware error codes that untagged fabrics raise (design page "Error
// symbols"); arch.HardwareSymbol names them.
const (
	CodeSwitchMix      = 1
	CodeStreamOneHot   = 10
	CodePredicate      = 11
	CodeMemOverlap     = 12
	CodeExtOverlap     = 14
	CodeStreamZeroStep = 259
	CodeStoreDeadlock  = 261
	CodeSwitchUnrouted = 262
	CodeMemNoMatch     = 264
	CodeExtNoMatch     = 265
	CodeMemOOB         = 512
	CodeExtBus         = 513
)
