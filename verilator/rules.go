package verilator

import (
	"fmt"

	"loom/compiler/arch"
)

// axiRule is one rule of the AXI4 checker: the side that has to keep it, and what breaks it.
type axiRule struct{ side, text string }

// axiRules are the rules of rtl/formal/f_axi4.sv by bit.
var axiRules = []axiRule{
	{"master", "AWVALID or the address changed before the transfer"},
	{"master", "WVALID or the data changed before the transfer"},
	{"master", "ARVALID or the address changed before the transfer"},
	{"slave", "BVALID or the response changed before the transfer"},
	{"slave", "RVALID or the data changed before the transfer"},
	{"master", "AWVALID, WVALID or ARVALID under reset or in the first cycle after it"},
	{"slave", "BVALID or RVALID under reset or in the first cycle after it"},
	{"master", "AW is not a single aligned element"},
	{"master", "AR is not a single aligned element"},
	{"master", "no WLAST with the only beat"},
	{"master", "WSTRB does not name the bytes of the element at the address"},
	{"master", "more writes in flight than allowed"},
	{"master", "more reads in flight than allowed"},
	{"slave", "R without a read in flight of its ID"},
	{"slave", "B without a complete write in flight of its ID"},
	{"slave", "no RLAST with the only beat"},
	{"slave", "R belongs to another than the oldest read of its ID"},
	{"slave", "B belongs to another than the oldest write of its ID"},
	{"slave", "EXOKAY for what is not exclusive"},
	{"both", "an unknown valid or ready"},
}

// BrokenRule is a rule of AXI4 that was broken at a master. Rule is its
// number in rtl/formal/f_axi4.sv.
type BrokenRule struct {
	Master *arch.Master
	Rule   int
}

// String names master and rule.
func (b BrokenRule) String() string {
	side, text := "?", "unknown"
	if b.Rule < len(axiRules) {
		side, text = axiRules[b.Rule].side, axiRules[b.Rule].text
	}
	return fmt.Sprintf("AXI rule %d of '%s' is broken by the %s: %s", b.Rule, b.Master.Name, side, text)
}

// addRules notes what the checkers found. A broken rule decides the origin: the bus
// is wrong even where the channels of this cycle agree.
func (m *Mismatch) addRules(f *arch.Fabric, rules [][2]uint64) {
	masters := f.Masters()
	for _, r := range rules {
		for bit := range 64 {
			if r[0] < uint64(len(masters)) && r[1]>>bit&1 != 0 {
				m.Rules = append(m.Rules, BrokenRule{masters[r[0]], bit})
			}
		}
	}
	if len(m.Rules) > 0 {
		m.Origin = m.Rules[0].Master.Memories[0]
		m.OriginName = componentName(m.Origin)
	}
}
