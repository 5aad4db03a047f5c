package lower

import (
	"maps"
	"testing"

	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// interlockedRun runs a program whose loads pass interlocks and returns what differs from the interpreter, and whether it has any. Some targets take no sign
// from a subscript.
func interlockedRun(t *testing.T, seed uint64, d deviation) (diff string, has bool) {
	t.Helper()
	opts := Options{Interlocks: true, deviate: d}
	if seed%3 == 0 {
		opts.Executes = func(op *ir.Operation) bool {
			return op.Name != opname.ArithAndI || op.Result(0).Type != ir.Type(ir.Index)
		}
	}
	return runMeeting(t, seed, opts, func(op *ir.Operation) bool { return op.Name == opname.DataflowInterlock })
}

// TestInterlocks: loops whose loads wait for stores to their element alone compute the same, and many loops do so.
func TestInterlocks(t *testing.T) { meetingRun(interlockedRun).agree(t) }

// TestInterlockDeviations breaks each of their rules.
func TestInterlockDeviations(t *testing.T) { meetingRun(interlockedRun).notice(t, interlocks) }

// TestInterlockedArrays: an array whose loads pass interlocks is marked, as a read cache would fetch elements around the one that a load waits for;
// others are not.
func TestInterlockedArrays(t *testing.T) {
	res, err := Lower(kernels(t)["histogram"], Options{MemoryOrder: "pipelined", Interlocks: true})
	if err != nil {
		t.Fatal(err)
	}
	marked := map[string]bool{}
	for _, op := range res.Func.Regions[0].Entry().Ops {
		if op.Name == opname.HandshakeExtmemory {
			marked[op.Operand(0).Name] = op.Attr(handshake.OvertakenAttr) != nil
		}
	}
	if want := map[string]bool{"key": false, "hist": true}; !maps.Equal(marked, want) {
		t.Errorf("marked: %v, want %v", marked, want)
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
