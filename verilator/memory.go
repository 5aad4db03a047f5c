package verilator

import (
	"fmt"
	"strings"

	"loom/compiler/latency"
)

// memoryJob is the entry of a job that chooses a DRAM, "" for other memories.
func memoryJob(p latency.Profile) string {
	if n := dramNumbers(p, fmt.Sprint(" ", numbersOfDRAM)); n != "" {
		return "\n" + strings.TrimSpace(n) + "\n"
	}
	return ""
}

// numbersOfDRAM is how many numbers describe a DRAM: the fields of Dram::Config.
const numbersOfDRAM = 25

// dramNumbers describes a DRAM in the order of the fields of Dram::Config in harness/loom_dram.hpp, "" for
// other memories.
func dramNumbers(p latency.Profile, count string) string {
	if !p.Dynamic() {
		return ""
	}
	m, d := p.DRAM, p.DRAM.Timing()
	s := " dram" + count
	for _, n := range [numbersOfDRAM]int64{m.Cycle(), m.Transactions, m.Interconnect,
		d.Burst, d.BurstTime, d.Groups, d.Banks, d.RowBytes, d.CL, d.CWL, d.RCD, d.RP, d.RAS, d.CCDShort, d.CCDLong, d.RRD, d.FAW,
		d.WTR, d.RTW, d.RTP, d.WR, d.RFC, d.REFI, d.Controller, d.Writes} {
		s += fmt.Sprint(" ", n)
	}
	return s
}
