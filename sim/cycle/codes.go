package cycle

// The hardware error codes that fabrics raise (design page "Error symbols");
// arch.HardwareSymbol names them.
const (
	CodeTemporalMix      = 4
	CodeTemporalDupTag   = 5
	CodeTemporalSource   = 7
	CodeMapDupTag        = 9
	CodeStreamOneHot     = 10
	CodePredicate        = 11
	CodeMemOverlap       = 12
	CodeMemEmptyRange    = 13
	CodeExtOverlap       = 14
	CodeExtEmptyRange    = 15
	CodeTemporalNoMatch  = 257
	CodeMapNoMatch       = 258
	CodeStreamZeroStep   = 259
	CodeMemTagOOB        = 260
	CodeStoreDeadlock    = 261
	CodeSwitchUnrouted   = 262
	CodeTemporalUnrouted = 263
	CodeMemNoMatch       = 264
	CodeExtNoMatch       = 265
	CodeMemOOB           = 512
	CodeExtBus           = 513
	CodeImageLength      = 514
	CodeExtOOB           = 515
)
