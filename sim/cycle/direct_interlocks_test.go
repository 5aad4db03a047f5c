package cycle_test

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"loom/compiler/circuit"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/compiler/simplify"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/sim/cycle"
	"loom/sim/vector"
)

// interlocked lowers a module with interlocks.
func interlocked(t testing.TB, mod *ir.Operation, indexWidth int) *ir.Operation {
	t.Helper()
	low, err := lower.Lower(mod, lower.Options{IndexWidth: indexWidth, MemoryOrder: "pipelined", Forward: true, Interlocks: true})
	if err != nil {
		t.Fatal(err)
	}
	return low.Func
}

// TestDirectMeetings: random loops whose iterations meet in memory, as direct circuits with interlocks, give what the interpreter
// gives, whatever stalls and the memory do.
func TestDirectMeetings(t *testing.T) {
	environments := directEnvironments(t)
	with := 0
	programs := uint64(soak.Scale(120, 6000))
	for seed := range programs {
		text := randprog.Meetings(seed)
		mod, err := mlir.ParseAndVerify("meetings.mlir", text)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		c, err := placedGraph(t, mod, interlocked(t, mod, 64), seed, environments, nil)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if slices.ContainsFunc(c.Units, func(u *circuit.Unit) bool { return u.Kind == circuit.Interlock }) {
			with++
		}
	}
	t.Logf("%d of %d circuits have interlocks", with, programs)
	if with < int(programs)/3 {
		t.Errorf("only %d of %d circuits have interlocks", with, programs)
	}
}

// overtaken is a loop whose store to a, of what it loads from h, may not pass the load from a. Nothing of its iteration waits for
// that load: h is loaded from where no store of an earlier iteration is, and these are known by what earlier iterations load from a.
const overtaken = `
func.func @overtaken(%a: memref<64xi32>, %h: memref<64xi32>, %first: memref<64xi32>, %second: memref<64xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 63 : index
  %m = arith.andi %n, %c64 : index
  %mask = arith.constant 63 : i32
  scf.for %i = %c0 to %m step %c1 {
    %p = memref.load %first[%i] : memref<64xi32>
    %pl = arith.andi %p, %mask : i32
    %pi = arith.index_cast %pl : i32 to index
    %q = memref.load %second[%pi] : memref<64xi32>
    %ql = arith.andi %q, %mask : i32
    %qi = arith.index_cast %ql : i32 to index
    %t = memref.load %a[%qi] : memref<64xi32>
    %tl = arith.andi %t, %mask : i32
    %g = arith.index_cast %tl : i32 to index
    %y = memref.load %h[%i] : memref<64xi32>
    memref.store %y, %a[%i] : memref<64xi32>
    memref.store %t, %h[%g] : memref<64xi32>
  }
  return
}`

// chased is a loop that carries the subscript of its next load.
const chased = `
func.func @chased(%a: memref<64xi32>, %h: memref<64xi32>, %first: memref<64xi32>, %second: memref<64xi32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %m = arith.andi %n, %c63 : index
  %mask = arith.constant 7 : i32
  %last = scf.for %i = %c0 to %m step %c1 iter_args(%p = %c0) -> (index) {
    %v = memref.load %h[%p] : memref<64xi32>
    %vl = arith.andi %v, %mask : i32
    %next = arith.index_cast %vl : i32 to index
    %k = memref.load %a[%i] : memref<64xi32>
    %kl = arith.andi %k, %mask : i32
    %g = arith.index_cast %kl : i32 to index
    memref.store %k, %h[%g] : memref<64xi32>
    scf.yield %next : index
  }
  return %last : index
}`

// TestDirectInterlockOrders: what an interlock waits for in earlier iterations orders nothing in the same one, and a value that
// goes around a loop may pass one.
func TestDirectInterlockOrders(t *testing.T) {
	for text, locks := range map[string]int{overtaken: 2, chased: 1} {
		interlockOrders(t, text, locks)
	}
}

func interlockOrders(t *testing.T, text string, locks int) {
	mod, err := mlir.ParseAndVerify("orders.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	fn := testkit.Function(mod)
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		t.Fatal(err)
	}
	graph := interlocked(t, mod, 32)
	if n := strings.Count(mlir.Print(graph, mlir.Options{}), "dataflow.interlock"); n != locks {
		t.Errorf("%d interlocks\n%s", n, mlir.Print(graph, mlir.Options{}))
	}
	for seed := range uint64(8) {
		in, err := vector.Random(sig, seed, 64, 32)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 64 { // a[i] is loaded and stored in iteration i
			in.Args[2].Mem.Data[i], in.Args[3].Mem.Data[i] = uint64(63-i), uint64(63-i)
		}
		want, err := interp.Run(fn, in.Clone(), interp.Options{IndexWidth: 32})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range directEnvironments(t) {
			got := runDirect(t, graph, in.Clone(), e.Latency, circuit.DefaultClock, e)
			if d := vector.Diff(want, got); len(d) > 0 || got.Status != vector.Done {
				t.Errorf("seed %d, latency %v: %s %v", seed, e.Latency, strings.Join(d, "\n"), got.Detail)
			}
		}
	}
}

// TestDirectInterlockInterval: a histogram whose keys do not meet takes the cycles per iteration that the report predicts: one, or
// where memory is slow what the stores that an interlock keeps let it. Where nothing waits between an interlock and the fork of its
// subscripts an iteration takes two, as the second is taken a cycle behind the first.
func TestDirectInterlockInterval(t *testing.T) {
	const n = 64
	path := testkit.Testdata(t, "kernels", "histogram.mlir")
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := mlir.ParseAndVerify(path, string(src))
	if err != nil {
		t.Fatal(err)
	}
	sig, err := vector.SignatureOf(testkit.Function(mod))
	if err != nil {
		t.Fatal(err)
	}
	small, err := simplify.Run(interlocked(t, mod, 32), simplify.Options{IndexWidth: 32})
	if err != nil {
		t.Fatal(err)
	}
	perIteration := func(c *circuit.Circuit, memory latency.Profile) float64 {
		var cycles [2]int64
		for k := range cycles { // some iterations fewer
			in, err := vector.Random(sig, 1, n, 32)
			if err != nil {
				t.Fatal(err)
			}
			for i := range in.Args[0].Mem.Data {
				in.Args[0].Mem.Data[i] = uint64(i)
			}
			in.Args[2].Scalar = uint64(n - 17*k)
			s, err := cycle.NewDirect(c, in, cycle.Options{Latency: memory})
			if err != nil {
				t.Fatal(err)
			}
			out, err := s.Run()
			if err != nil || out.Status != vector.Done {
				t.Fatalf("%v: %v %v", err, out.Status, out.Detail)
			}
			cycles[k] = out.Cycles
		}
		return float64(cycles[0]-cycles[1]) / 17
	}
	for memory, want := range map[int64]int{1: 1, 4: 1, 20: 3, 100: 12} {
		sized := latency.Fixed(memory)
		c, err := circuit.Build(small, circuit.Options{IndexWidth: 32, Latency: sized})
		if err != nil {
			t.Fatal(err)
		}
		loops := circuit.Timing(c, circuit.Options{Latency: sized})
		if len(loops) != 1 || loops[0].Interval != want || !loops[0].Varies {
			t.Errorf("memory of %d cycles: loops %+v, want one of %d cycles, which may take longer", memory, loops, want)
		}
		got := perIteration(c, sized)
		t.Logf("memory of %d cycles: %.2f per iteration, predicted %d", memory, got, want)
		if got > float64(want) || got <= float64(want-1) {
			t.Errorf("memory of %d cycles: %.2f per iteration, predicted %d", memory, got, want)
		}
		for _, u := range c.Units {
			if u.Kind != circuit.Interlock {
				continue
			}
			if b := u.In[1].Channel.Buffer; b.Kind != circuit.Pipe || b.Slots != 1 || u.In[2].Channel.Buffer.Kind != circuit.None {
				t.Errorf("memory of %d cycles: buffers %+v and %+v", memory, b, u.In[2].Channel.Buffer)
			}
			u.In[1].Channel.Buffer = circuit.Buffer{}
		}
		if err := c.CheckBuffers(); err != nil {
			t.Error(err)
		}
		if got, want := perIteration(c, sized), max(2, got); math.Abs(got-want) > 0.1 {
			t.Errorf("memory of %d cycles: %.2f per iteration without the buffer, want %.2f", memory, got, want)
		}
	}
}
