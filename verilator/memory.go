package verilator

import (
	"fmt"
	"strings"

	"loom/compiler/latency"
)

// dramNumbers describes a DRAM in the order of the fields of Dram::Config in harness/loom_dram.hpp, nil for
// other memories.
func dramNumbers(p latency.Profile) []int64 {
	if !p.Dynamic() {
		return nil
	}
	m, d := p.DRAM, p.DRAM.Timing()
	return []int64{m.Cycle(), m.Transactions, m.Interconnect,
		d.Burst, d.BurstTime, d.Groups, d.Banks, d.RowBytes, d.CL, d.CWL, d.RCD, d.RP, d.RAS, d.CCDShort, d.CCDLong, d.RRD, d.FAW,
		d.WTR, d.RTW, d.RTP, d.WR, d.RFC, d.REFI, d.Controller, d.Writes}
}

// dramJob is the entry of a job that chooses a DRAM: its numbers behind how many there are. "" for other memories.
func dramJob(p latency.Profile) string {
	n := dramNumbers(p)
	if n == nil {
		return ""
	}
	return fmt.Sprintf("dram %d %s\n", len(n), joined(n))
}

// dramArgument is the part of LOOM_SIM that chooses a DRAM, "" for other memories.
func dramArgument(p latency.Profile) string {
	if n := dramNumbers(p); n != nil {
		return " dram " + joined(n)
	}
	return ""
}

// joined spells numbers with blanks between them.
func joined(n []int64) string { return strings.Trim(fmt.Sprint(n), "[]") }
