package verilator

import (
	"regexp"
	"strings"
	"testing"

	"loom/internal/fabrictest"
	"loom/rtl"
)

// TestRules: the table has the rules of the checker, each with its side, and the
// text of a rule is that of its bit.
func TestRules(t *testing.T) {
	head, _, _ := strings.Cut(rtl.AXIChecker, "module f_axi4")
	lines := regexp.MustCompile(`(?m)^//\s+(\d+)\s+(master|slave|both)\s+(\S.*)$`).FindAllStringSubmatch(head, -1)
	if len(lines) != len(axiRules) || len(lines) != 20 {
		t.Fatalf("the checker documents %d rules, the table has %d", len(lines), len(axiRules))
	}
	for i, l := range lines {
		if axiRules[i].side != l[2] {
			t.Errorf("rule %s is the %s's in the checker, the %s's in the table", l[1], l[2], axiRules[i].side)
		}
	}
	for rule, word := range map[int]string{2: "ARVALID", 10: "WSTRB", 13: "R without", 17: "B belongs"} {
		if !strings.HasPrefix(axiRules[rule].text, word) {
			t.Errorf("rule %d is %q", rule, axiRules[rule].text)
		}
	}
}

// TestRulesFirst: broken rules come first in a report and decide its origin.
func TestRulesFirst(t *testing.T) {
	f := fabrictest.Loop().Fabric
	m := &Mismatch{Cycle: 9, OriginName: "elsewhere", Channels: []ChannelDiff{{Channel: f.Channels[0], Producer: "a", Consumer: "b"}}}
	m.addRules(f, [][2]uint64{{1, 1<<10 | 1<<1}})
	want := []string{
		"cycle 9, extmemory 'y': AXI rule 1 of 'y' is broken by the master: WVALID or the data changed before the transfer",
		"AXI rule 10 of 'y' is broken by the master: WSTRB does not name the bytes of the element at the address",
		"channel ch_start from a to b: expected no token, found no token",
	}
	if got := m.Lines(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	m = &Mismatch{Cycle: 9, OriginName: "elsewhere"}
	m.addRules(f, nil)
	if m.OriginName != "elsewhere" || m.Origin != nil {
		t.Error("an origin without a broken rule")
	}
}
