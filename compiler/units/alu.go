package units

import (
	"slices"

	"loom/compiler/opname"
)

// The operations of the shared datapath rtl/loom_alu.sv: on two words, and those that change a width.
var (
	ALUArithmetic = []string{
		opname.ArithAddI, opname.ArithSubI, opname.ArithCmpI, opname.ArithAndI, opname.ArithOrI, opname.ArithXOrI,
		opname.ArithShLI, opname.ArithShRSI, opname.ArithShRUI, opname.ArithMaxSI, opname.ArithMinSI, opname.ArithMaxUI, opname.ArithMinUI,
	}
	ALUCasts = []string{opname.ArithExtSI, opname.ArithExtUI, opname.ArithTruncI, opname.ArithIndexCast, opname.ArithIndexCastUI}
)

// Extremes are the operations on integers that give one of their two operands.
var Extremes = []string{opname.ArithMaxSI, opname.ArithMinSI, opname.ArithMaxUI, opname.ArithMinUI}

// registeredALU are those that may have a register within: shifts and extremes.
var registeredALU = slices.Concat([]string{opname.ArithShLI, opname.ArithShRSI, opname.ArithShRUI}, Extremes)

// ALULatency is the largest latency that an operation of loom_alu may have.
func ALULatency(op string) int {
	if slices.Contains(registeredALU, op) {
		return 1
	}
	return 0
}
