package lower

import (
	"testing"

	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/internal/randprog"
)

// interlockedRun runs a program whose loads pass interlocks and returns what differs from the interpreter, and whether it has any.
func interlockedRun(t *testing.T, seed uint64, d deviation) (diff string, has bool) {
	t.Helper()
	return runMeeting(t, seed, Options{Interlocks: true, deviate: d}, func(op *ir.Operation) bool { return op.Name == opname.DataflowInterlock })
}

// TestInterlocks: loops whose loads wait for stores to their element alone compute the same, and many loops do so.
func TestInterlocks(t *testing.T) {
	locked := 0
	for seed := range programs(600) {
		diff, has := interlockedRun(t, seed, "")
		if diff != "" {
			t.Fatalf("seed %d: %s\n%s", seed, diff, randprog.Meetings(seed))
		}
		if has {
			locked++
		}
	}
	t.Logf("%d programs have interlocks", locked)
	if locked < int(programs(600)/3) {
		t.Errorf("only %d programs have interlocks", locked)
	}
}

// TestInterlockDeviations breaks each of their rules.
func TestInterlockDeviations(t *testing.T) {
	for _, d := range interlocks {
		caught := false
		for seed := uint64(0); seed < 1200 && !caught; seed++ {
			diff, _ := interlockedRun(t, seed, d)
			caught = diff != ""
		}
		if !caught {
			t.Errorf("not noticed: %s", d)
		}
	}
}

// TestInterlockIntervals: a histogram whose keys seldom meet does not wait for memory.
func TestInterlockIntervals(t *testing.T) {
	kernel := kernels(t)["histogram"]
	const memory = 20
	apart := func(i int) uint64 { return uint64(i) }
	without := intervalOf(t, kernel, Options{MemoryOrder: "pipelined"}, 64, memory, apart)
	with := intervalOf(t, kernel, Options{MemoryOrder: "pipelined", Interlocks: true}, 64, memory, apart)
	t.Log(without, with)
	if with > without/8 {
		t.Errorf("interval %v with interlocks, %v without", with, without)
	}
}
