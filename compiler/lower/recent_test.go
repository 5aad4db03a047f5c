package lower

import (
	"fmt"
	"testing"

	"loom/compiler/dialect/handshake"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/internal/randprog"
	"loom/sim/token"
	"loom/sim/vector"
)

// overtaken runs a program with n recent stores and returns what differs from the interpreter, and whether a loop keeps some.
func overtaken(t *testing.T, seed uint64, d deviation) (diff string, keeps bool) {
	t.Helper()
	return runMeeting(t, seed, Options{RecentStores: 1 + int(seed%3), deviate: d}, func(op *ir.Operation) bool {
		return op.Attr(handshake.OvertakenAttr) != nil
	})
}

// runMeeting runs a program and returns what differs from the interpreter, and whether its graph has an operation of a kind.
func runMeeting(t *testing.T, seed uint64, opts Options, kind func(*ir.Operation) bool) (diff string, has bool) {
	t.Helper()
	m := parse(t, randprog.Meetings(seed))
	in := randprog.Inputs(m, seed)
	width := []int{64, 32}[seed%2]
	want, err := interp.Run(randprog.Function(m), in, interp.Options{IndexWidth: width})
	if err != nil || want.Status != vector.Done {
		t.Fatalf("seed %d: %v %+v\n%s", seed, err, want, randprog.Meetings(seed))
	}
	opts.MemoryOrder, opts.IndexWidth, opts.keepBranches = "pipelined", width, seed%5 == 0
	res, err := Lower(m, opts)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, randprog.Meetings(seed))
	}
	res.Func.Walk(func(op *ir.Operation) bool {
		has = has || kind(op)
		return true
	})
	p, err := token.Compile(res.Func, width)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range schedules(seed) {
		s.MaxSteps = 200_000
		got, _, err := p.Run(in, s)
		if err != nil {
			t.Fatal(err)
		}
		if list := vector.Diff(want, got); len(list) > 0 || got.Status != vector.Done {
			return fmt.Sprintf("%+v: %v %v", s, list, got.Detail), has
		}
	}
	return "", has
}

// meetingRun runs the program of a seed, with a rule broken or none.
type meetingRun func(t *testing.T, seed uint64, d deviation) (diff string, has bool)

// agree runs many programs, of which at least a third must be of the kind that is tested.
func (run meetingRun) agree(t *testing.T) {
	t.Helper()
	of := 0
	for seed := range programs(600) {
		diff, has := run(t, seed, "")
		if diff != "" {
			t.Fatalf("seed %d: %s\n%s", seed, diff, randprog.Meetings(seed))
		}
		if has {
			of++
		}
	}
	t.Logf("%d programs", of)
	if of < int(programs(600)/3) {
		t.Errorf("only %d programs", of)
	}
}

// notice breaks each of some rules: a program must show it.
func (run meetingRun) notice(t *testing.T, rules []deviation) {
	t.Helper()
	for _, d := range rules {
		caught := false
		for seed := uint64(0); seed < 1200 && !caught; seed++ {
			diff, _ := run(t, seed, d)
			caught = diff != ""
		}
		if !caught {
			t.Errorf("not noticed: %s", d)
		}
	}
}

// TestRecentStores: loops whose loads overtake stores compute the same, and many loops do so.
func TestRecentStores(t *testing.T) { meetingRun(overtaken).agree(t) }

// TestRecentStoresDeviations breaks each of their rules.
func TestRecentStoresDeviations(t *testing.T) { meetingRun(overtaken).notice(t, recents) }

// TestRecentStoresApart: loads that are a fixed number of iterations behind a store are compared with what that iteration stored alone, by the number of
// iterations that there were, or with nothing if their stores are not kept.
func TestRecentStoresApart(t *testing.T) {
	const kernel = `func.func @kernel(%%w: memref<64xi32>, %%n: index) {
  %%c1 = arith.constant 1 : index
  %%c16 = arith.constant 16 : index
  %%near = arith.constant %d : index
  %%far = arith.constant %d : index
  scf.for %%i = %%c16 to %%n step %%c1 {
    %%at = arith.subi %%i, %%far : index
    %%far_ago = memref.load %%w[%%at] : memref<64xi32>
    %%before = arith.subi %%i, %%near : index
    %%near_ago = memref.load %%w[%%before] : memref<64xi32>
    %%t = arith.xori %%far_ago, %%near_ago : i32
    memref.store %%t, %%w[%%i] : memref<64xi32>
  }
  return
}`
	for _, c := range []struct {
		near, far, n int
		want         string
	}{
		{near: 3, far: 8, n: 1, want: "0 values, 0 subscripts, 0 comparisons, 2 orders"},
		{near: 3, far: 8, n: 2, want: "0 values, 0 subscripts, 0 comparisons, 3 orders"},
		{near: 3, far: 8, n: 3, want: "3 values, 0 subscripts, 1 comparisons, 4 orders"},
		{near: 3, far: 8, n: 7, want: "3 values, 0 subscripts, 1 comparisons, 8 orders"},
		{near: 3, far: 8, n: 8, want: "8 values, 0 subscripts, 2 comparisons, 9 orders"},
		{near: -2, far: 5, n: 4, want: "0 values, 0 subscripts, 0 comparisons, 5 orders"},
	} {
		text := fmt.Sprintf(kernel, c.near, c.far)
		res, err := Lower(parse(t, text), Options{MemoryOrder: "pipelined", IndexWidth: 32, RecentStores: c.n})
		if err != nil {
			t.Fatal(err)
		}
		values, subscripts, comparisons, orders := 0, 0, 0, 0
		res.Func.Walk(func(op *ir.Operation) bool {
			switch {
			case op.Name == opname.ArithCmpI:
				comparisons++
			case op.Name != opname.DataflowCarry:
			case op.Result(0).Name == "stored":
				values++
			case op.Result(0).Name == "stored_at":
				subscripts++
			case op.Result(0).Type == ir.None:
				orders++
			}
			return true
		})
		// The guard of the loop is one more comparison.
		if got := fmt.Sprintf("%d values, %d subscripts, %d comparisons, %d orders", values, subscripts, comparisons-1, orders); got != c.want {
			t.Errorf("%+v: %s\n%s", c, got, mlir.Print(res.Func, mlir.Options{}))
		}
	}
}

// TestRecentStoresIntervals: with n recent stores a histogram has n+1 iterations in the time that its recurrence takes, and some more for
// the choice and the tokens.
func TestRecentStoresIntervals(t *testing.T) {
	kernel := kernels(t)["histogram"]
	const memory = 20
	var of [4]float64
	for n := range of {
		of[n] = firstInterval(t, kernel, Options{MemoryOrder: "pipelined", RecentStores: n}, 64, memory)
	}
	t.Log(of)
	for n := 1; n < len(of); n++ {
		if limit := of[0]/float64(n+1) + 3; of[n] > limit {
			t.Errorf("%d recent stores: interval %v, at most %v expected", n, of[n], limit)
		}
	}
}
