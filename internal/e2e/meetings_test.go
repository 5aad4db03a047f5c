package e2e

import (
	"testing"

	"loom/campaign"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/internal/testkit"
)

// TestMeetings runs loops whose iterations may meet in an array at every level, with interlocks on a fabric that has the units: whatever
// the memory's latency and the stalls are, no load comes before a store to its element. Under LOOM_SOAK there are many, some under Verilator.
func TestMeetings(t *testing.T) {
	n := soak.Scale(40, 2000)
	verilator := soak.Factor() > 0 && haveVerilator(t)
	ran, locks, proven := 0, 0, 0
	for seed := range uint64(n) {
		s := campaign.NewMeeting(seed, verilator && 10*proven <= ran)
		text := randprog.Meetings(seed)
		module, err := mlir.ParseAndVerify("meeting.mlir", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		m := loadMesh(t, s.Fabric)
		v, err := s.Run(m, module)
		if err != nil {
			t.Fatalf("program %d: %v\n%s", seed, err, text)
		}
		if v.Diff != "" {
			t.Fatal(report(t, s, testkit.Testdata(t, "crashers"), module, v.Diff, func(c *ir.Operation) string {
				v, err := s.Run(m, c)
				if err != nil {
					return ""
				}
				return v.Diff
			}))
		}
		if !v.Fits {
			continue
		}
		ran++
		if v.Interlocks > 0 {
			locks++
		}
		if s.Cosim {
			proven++
		}
	}
	t.Logf("%d of %d programs fit and agree, %d with interlocks, %d under Verilator", ran, n, locks, proven)
	if locks < n/4 {
		t.Errorf("only %d of %d programs have interlocks", locks, n)
	}
}
