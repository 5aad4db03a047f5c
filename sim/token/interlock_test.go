package token

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	_ "loom/compiler/dialect/all"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/sim/vector"
)

// interlocked is what an interlock lets pass, with done tokens for the first stores only, and how many of these it takes.
func interlocked(loads, stores []uint64, dones int) (passed []uint64, taken int) {
	var kept []uint64
	for i, a := range loads {
		for len(kept) > 0 && taken < dones {
			kept, taken = kept[1:], taken+1
		}
		for _, s := range kept {
			if s == a {
				return passed, taken
			}
		}
		passed = append(passed, a)
		if i == len(stores) {
			break
		}
		if s := stores[i]; s>>31 == 0 {
			kept = append(kept, s)
		}
	}
	return passed, taken + min(len(kept), dones-taken)
}

// TestInterlock: whatever the order of firings, a load passes if the stores of earlier iterations to its subscript are
// done, negative subscripts store nothing, and done tokens wait for their stores.
func TestInterlock(t *testing.T) {
	blocked, over := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		var loads, stores []uint64
		known := 0
		n := 1 + r.IntN(12)
		for range n {
			loads = append(loads, uint64(r.IntN(4)))
			s := uint64(r.IntN(4))
			if r.IntN(3) == 0 {
				s |= 1 << 31
			} else {
				known++
			}
			stores = append(stores, s)
		}
		dones := max(1, known+r.IntN(4)-2)
		want, taken := interlocked(loads, stores, dones)
		g := newGraph(ir.I32, ir.I32, ir.None)
		x := g.op("dataflow.interlock", []*ir.Value{g.arg(0), g.arg(1), g.arg(2)}, ir.I32)
		g.op("arith.addi", []*ir.Value{x.Result(0), x.Result(0)}, ir.I32)
		g.op("handshake.return", []*ir.Value{g.start()})
		p, err := Compile(g.fn, 0)
		if err != nil {
			t.Fatal(err)
		}
		for order := range uint64(6) {
			var got []uint64
			in := &vector.Inputs{Args: []vector.Arg{{Type: ir.I32, Scalar: loads[0]}, {Type: ir.I32, Scalar: stores[0]}, {Type: ir.None}}}
			opts := Options{Seed: order, Capacity: int(order % 3)}
			out, err := p.Observe(in, opts, Observation{
				Feed: map[int][]uint64{0: loads[1:], 1: stores[1:], 2: make([]uint64, dones-1)},
				Each: func(v *ir.Value, bits uint64) {
					if v == x.Result(0) {
						got = append(got, bits)
					}
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("loads %d, stores %d, %d done, %+v (-want +got):\n%s", loads, stores, dones, opts, diff)
			}
			text := strings.Join(out.Detail, "\n")
			clean := len(want) == n && taken == known && dones == known
			if (out.Status == vector.Done) != clean {
				t.Fatalf("loads %d, stores %d, %d done: %s\n%s", loads, stores, dones, out.Status, text)
			}
			for why, holds := range map[string]bool{
				"left over at the subscript of the load of 'dataflow.interlock'":             len(want) < n,
				"left over at the done token of 'dataflow.interlock'":                        taken < dones,
				"'dataflow.interlock' at t:2:1 has seen no done token of":                    taken < known && len(want) == n,
				"'dataflow.interlock' at t:2:1 waits for the done token, from parameter %a2": len(want) < n,
			} {
				if holds && !strings.Contains(text, why) {
					t.Fatalf("loads %d, stores %d, %d done: no %q in\n%s", loads, stores, dones, why, text)
				}
			}
		}
		if len(want) < n {
			blocked++
		}
		if taken < dones {
			over++
		}
	}
	if blocked < 20 || over < 20 {
		t.Errorf("%d runs with a load that waits for ever and %d with a done token too many: the test has too few", blocked, over)
	}
}

// TestInterlockOwesStore: a load whose iteration has no store leaves the interlock in the middle of the iteration.
func TestInterlockOwesStore(t *testing.T) {
	g := newGraph(ir.I32, ir.I1, ir.I32)
	s := g.op("handshake.cond_br", []*ir.Value{g.arg(1), g.arg(2)}, ir.I32, ir.I32)
	x := g.op("dataflow.interlock", []*ir.Value{g.arg(0), s.Result(0), g.start()}, ir.I32)
	g.op("handshake.return", []*ir.Value{x.Result(0), g.start()})
	out := run(t, g, []uint64{7, 0, 1}, Options{})
	text := strings.Join(out.Detail, "\n")
	for _, want := range []string{
		"'dataflow.interlock' at t:3:1 has not ended its activation: it is in phase NeedStore",
		"'dataflow.interlock' at t:3:1 waits for the subscript of the store, from 'handshake.cond_br' at t:2:1",
		"a token is left over at the done token of 'dataflow.interlock' at t:3:1, from parameter %start",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if out.Status != vector.Deadlock {
		t.Errorf("status %s", out.Status)
	}
}

// histogram counts keys; nothing but the interlock orders its loads behind its stores.
const histogram = `
handshake.func @histogram(%k: memref<?xindex>, %h: memref<?xindex>, %n: index, %start: none) -> none attributes {loom.direct} {
  %always = dataflow.hold %start : none
  %one = constant %always {value = 1 : index} : index
  %zero = constant %start {value = 0 : index} : index
  %raw, %more = dataflow.stream %zero, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %i, %last = cond_br %more, %raw : index
  %key, %ka = load [%i] %kd, %always : index, index
  %kd, %kdone = extmemory[ld = 1, st = 0] (%k : memref<?xindex>) (%ka) {id = 0 : i32} : (index) -> (index, none)
  %at = dataflow.interlock %key, %key, %stored : index, index, none -> index
  %old, %la = load [%at] %hd, %always : index, index
  %new = arith.addi %old, %one : index
  %sd, %sa = store [%key] %new, %always : index, index
  %hd, %stored, %loaded = extmemory[ld = 1, st = 1] (%h : memref<?xindex>) (%sd, %sa, %la) {id = 1 : i32} : (index, index, index) -> (index, none, none)
  %all = join %stored, %loaded, %kdone : none, none, none
  %order = dataflow.carry %more, %start, %all : i1, none, none -> none
  %again, %done = cond_br %more, %order : none
  return %done : none
}`

// TestInterlockOrdersMemory: loads come behind the stores of earlier iterations to their elements however slow the
// memory is, and do not without the interlock.
func TestInterlockOrdersMemory(t *testing.T) {
	counts := func(text string, elements int) (right, wrong int) {
		m, err := mlir.ParseAndVerify("histogram.mlir", text)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(m.Regions[0].Entry().Ops[0], 0)
		if err != nil {
			t.Fatal(err)
		}
		keys, want := make([]uint64, 30), make([]uint64, elements)
		r := rand.New(rand.NewPCG(3, 4))
		for i := range keys {
			keys[i] = uint64(r.IntN(r.IntN(len(want)) + 1))
			want[keys[i]]++
		}
		array := func(data []uint64) vector.Arg {
			return vector.Arg{Mem: &vector.Memory{Elem: ir.Index, Shape: []int64{int64(len(data))}, Data: data}}
		}
		for seed := range uint64(20) {
			for capacity := range 4 {
				for _, delay := range []int{0, 1, 30} {
					in := &vector.Inputs{Args: []vector.Arg{array(keys), array(make([]uint64, len(want))), {Type: ir.Index, Scalar: uint64(len(keys))}}}
					out, _, err := p.Run(in, Options{Seed: seed, Capacity: capacity, MemDelay: delay})
					if err != nil || out.Status != vector.Done {
						t.Fatalf("seed %d, capacity %d, delay %d: %v %+v", seed, capacity, delay, err, out)
					}
					if cmp.Equal(want, out.Memories[1].Data) {
						right++
					} else {
						wrong++
					}
				}
			}
		}
		return right, wrong
	}
	for _, elements := range []int{5, 1000} { // loads wait for stores, or for room alone
		if _, wrong := counts(histogram, elements); wrong > 0 {
			t.Errorf("%d runs count wrong", wrong)
		}
	}
	if _, wrong := counts(strings.Replace(histogram, "load [%at]", "load [%key]", 1), 5); wrong == 0 {
		t.Error("the loads need no interlock: the test shows nothing")
	}
	for change, want := range map[string]string{
		"interlock %key, %key=>interlock %one, %key": "takes a held value at the subscript of the load",
		"%key, %stored :=>%key, %always :":           "takes a held value at the done token",
	} {
		from, to, _ := strings.Cut(change, "=>")
		m, err := mlir.ParseAndVerify("histogram.mlir", strings.Replace(histogram, from, to, 1))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Compile(m.Regions[0].Entry().Ops[0], 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("with %q: %v, want %q", to, err, want)
		}
	}
	// One element for all stores: the only operand that may be held.
	m, err := mlir.ParseAndVerify("histogram.mlir", strings.NewReplacer("interlock %key, %key", "interlock %key, %one", "store [%key]", "store [%one]").Replace(histogram))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Compile(m.Regions[0].Entry().Ops[0], 0); err != nil {
		t.Error(err)
	}
}

// TestInterlockBesideRoom: done tokens are taken while the subscript of a load waits for room. What takes the subscript
// of iteration i here waits for what comes with the done token of iteration i+2, and that one for room at the interlock.
func TestInterlockBesideRoom(t *testing.T) {
	const n, ahead = 20, 2
	g := newGraph(ir.I32, ir.I32, ir.None, ir.I1)
	done := g.op("handshake.join", []*ir.Value{g.arg(2)}, ir.None).Result(0)
	one := g.op("handshake.constant", []*ir.Value{done}, ir.I32)
	one.SetAttr("value", ir.IntAttr(1, ir.I32))
	behind := g.op("handshake.cond_br", []*ir.Value{g.arg(3), one.Result(0)}, ir.I32, ir.I32)
	x := g.op("dataflow.interlock", []*ir.Value{g.arg(0), g.arg(1), done}, ir.I32)
	sum := g.op("arith.addi", []*ir.Value{x.Result(0), behind.Result(0)}, ir.I32)
	g.op("handshake.return", []*ir.Value{g.start()})
	p, err := Compile(g.fn, 0)
	if err != nil {
		t.Fatal(err)
	}
	var subscripts, conditions, want []uint64
	for i := range uint64(n) {
		subscripts, want = append(subscripts, i), append(want, i+1)
	}
	for i := range n + ahead {
		conditions = append(conditions, min(1, uint64(i)/ahead))
	}
	for seed := range uint64(20) {
		var got []uint64
		in := &vector.Inputs{Args: []vector.Arg{{Type: ir.I32}, {Type: ir.I32}, {Type: ir.None}, {Type: ir.I1}}}
		out, err := p.Observe(in, Options{Seed: seed, Capacity: 1}, Observation{
			Feed: map[int][]uint64{0: subscripts[1:], 1: subscripts[1:], 2: make([]uint64, n+ahead-1), 3: conditions[1:]},
			Each: func(v *ir.Value, bits uint64) {
				if v == sum.Result(0) {
					got = append(got, bits)
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s\n%s", seed, diff, strings.Join(out.Detail, "\n"))
		}
	}
}
