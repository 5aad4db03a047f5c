package cycle

import "fmt"

// The hardware error codes that untagged fabrics raise (design page "Error
// symbols").
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
	CodeImageLength    = 514
)

var codeNames = map[int]string{
	0:                  "OK",
	CodeSwitchMix:      "CFG_SWITCH_ROUTE_MIX_INPUTS_TO_SAME_OUTPUT",
	2:                  "CFG_ADG_COMBINATIONAL_LOOP",
	4:                  "CFG_TEMPORAL_SW_ROUTE_SAME_TAG_INPUTS_TO_SAME_OUTPUT",
	5:                  "CFG_TEMPORAL_SW_DUP_TAG",
	6:                  "CFG_TEMPORAL_PE_DUP_TAG",
	7:                  "CFG_TEMPORAL_PE_ILLEGAL_REG",
	8:                  "CFG_TEMPORAL_PE_REG_TAG_NONZERO",
	9:                  "CFG_MAP_TAG_DUP_TAG",
	CodeStreamOneHot:   "CFG_PE_STREAM_CONT_COND_ONEHOT",
	CodePredicate:      "CFG_PE_CMPI_PREDICATE_INVALID",
	CodeMemOverlap:     "CFG_MEMORY_OVERLAP_TAG_REGION",
	13:                 "CFG_MEMORY_EMPTY_TAG_RANGE",
	CodeExtOverlap:     "CFG_EXTMEMORY_OVERLAP_TAG_REGION",
	15:                 "CFG_EXTMEMORY_EMPTY_TAG_RANGE",
	256:                "RT_TEMPORAL_PE_NO_MATCH",
	257:                "RT_TEMPORAL_SW_NO_MATCH",
	258:                "RT_MAP_TAG_NO_MATCH",
	CodeStreamZeroStep: "RT_DATAFLOW_STREAM_ZERO_STEP",
	260:                "RT_MEMORY_TAG_OOB",
	CodeStoreDeadlock:  "RT_MEMORY_STORE_DEADLOCK",
	CodeSwitchUnrouted: "RT_SWITCH_UNROUTED_INPUT",
	263:                "RT_TEMPORAL_SW_UNROUTED_INPUT",
	CodeMemNoMatch:     "RT_MEMORY_NO_MATCH",
	CodeExtNoMatch:     "RT_EXTMEMORY_NO_MATCH",
	CodeMemOOB:         "RT_MEMORY_ADDR_OOB",
	CodeExtBus:         "RT_EXTMEMORY_BUS",
	CodeImageLength:    "CFG_IMAGE_LENGTH",
}

// CodeName is the symbol of a hardware error code.
func CodeName(code int) string {
	if n, ok := codeNames[code]; ok {
		return n
	}
	return fmt.Sprintf("CODE_%d", code)
}
