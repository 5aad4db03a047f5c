package cycle

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/sim/vector"
)

func types(t ...ir.Type) []ir.Type { return t }

// adder: r = a + b, done = start.
func adder(t testing.TB) *fab {
	b := newFab(t)
	i32 := ir.Type(ir.I32)
	x, y, st := b.arg("a", i32, 0xffffffff), b.arg("b", i32, 3), b.start()
	p := b.op("arith.addi", types(i32, i32), types(i32), nil, x, y)
	b.result("r", i32, out(p, 0))
	b.done(st)
	return b
}

func TestAdder(t *testing.T) {
	got := adder(t).run(Options{})
	want := &vector.Outcome{Status: vector.Done, Cycles: 1, Results: []vector.Scalar{{Type: ir.I32, Bits: 2}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// copyLoop is for i in 0..n: y[i] = x[i], with a serial done chain: a join of the
// last store's done and the stream's end.
func copyLoop(t testing.TB, n int, fifoDepth int) *fab {
	b := newFab(t)
	idx, i1, i32, none := ir.Type(ir.Index), ir.Type(ir.I1), ir.Type(ir.I32), ir.Type(ir.None)
	zero, one, bound := b.arg("zero", idx, 0), b.arg("one", idx, 1), b.arg("n", idx, uint64(n))
	st := b.start()
	fu := unitOf("dataflow.stream", types(idx, idx, idx), types(idx, i1), -1, "step_op", &ir.StringAttr{Value: "+="})
	s := b.pe("stream", fu, []uint64{1}, zero, one, bound)
	// cont goes to the gate and to the carry of the memory token.
	cont := b.sw(i1, 3, [][]int{{0, 1, 2}}, out(s, 1))
	g := b.pe("gate", unitOf("dataflow.gate", types(idx, i1), types(idx, i1), -1), nil, out(s, 0), out(cont, 0))
	b.unused(out(g, 1))
	is := b.sw(idx, 2, [][]int{{0, 1}}, out(g, 0))
	// The memory token: start, then the previous store's done.
	ca := b.pe("carry", unitOf("dataflow.carry", types(i1, none, none), types(none), -1), nil, out(cont, 1), st, later)
	br := b.op("handshake.cond_br", types(i1, none), types(none, none), nil, later, out(ca, 0))
	f := b.fifo(i1, 2, out(cont, 2))
	b.link(out(f, 0), end{Comp: br, Port: 0})
	ctl := b.sw(none, 2, [][]int{{0, 1}}, out(br, 0))
	data := make([]uint64, n)
	for i := range data {
		data[i] = uint64(3*i + 7)
	}
	mx := b.mem("x", i32, data, later, later, later)
	my := b.mem("y", i32, make([]uint64, n), later, later, later)
	ld := b.op("handshake.load", types(idx, i32, none), types(i32, idx), nil, out(is, 0), out(mx, 0), out(ctl, 0))
	b.link(out(ld, 1), end{Comp: mx, Port: 0})
	fi := b.fifo(idx, fifoDepth, out(is, 1))
	fc := b.fifo(none, fifoDepth, out(ctl, 1))
	sto := b.op("handshake.store", types(idx, i32, none), types(i32, idx), nil, out(fi, 0), out(ld, 0), out(fc, 0))
	b.link(out(sto, 0), end{Comp: my, Port: 2})
	b.link(out(sto, 1), end{Comp: my, Port: 1})
	b.unused(out(mx, 1))
	b.link(out(my, 2), end{Comp: ca, Port: 2})
	b.done(out(br, 1))
	return b
}

func TestCopyLoop(t *testing.T) {
	for _, o := range []Options{
		{}, {Latency: latency.Profile{Min: 1, Max: 1}}, {Latency: latency.Profile{Min: 1, Max: 40, Seed: 7}},
		{StallPercent: 30, StallSeed: 5}, {StallPercent: 90, StallSeed: 1, Latency: latency.Profile{Min: 3, Max: 9}},
	} {
		for _, n := range []int{0, 1, 2, 13} {
			b := copyLoop(t, n, 2)
			got := b.run(o)
			if got.Status != vector.Done {
				t.Fatalf("n=%d %+v: %s\n%s", n, o, got.Status, strings.Join(got.Detail, "\n"))
			}
			x, y := got.Memories[0].Data, got.Memories[1].Data
			if d := cmp.Diff(x, y); d != "" {
				t.Errorf("n=%d %+v: y differs from x:\n%s", n, o, d)
			}
		}
	}
}
