package token

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/sim/vector"
)

// graph builds handshake.funcs for tests, without text.
type graph struct {
	fn   *ir.Operation
	body *ir.Block
	line int
}

func newGraph(args ...ir.Type) *graph {
	g := &graph{fn: ir.NewOp("handshake.func", diag.Pos{File: "t", Line: 1, Col: 1}, nil, nil)}
	g.fn.SetAttr("sym_name", ir.StrAttr("t"))
	g.body = g.fn.AddRegion().AddBlock()
	for i, t := range args {
		g.body.AddArg(t, fmt.Sprintf("a%d", i), g.fn.Pos)
	}
	g.body.AddArg(ir.None, "start", g.fn.Pos)
	g.line = 1
	return g
}

func (g *graph) arg(i int) *ir.Value { return g.body.Args[i] }
func (g *graph) start() *ir.Value    { return g.body.Args[len(g.body.Args)-1] }

func (g *graph) op(name string, operands []*ir.Value, results ...ir.Type) *ir.Operation {
	g.line++
	return g.body.Append(ir.NewOp(name, diag.Pos{File: "t", Line: g.line, Col: 1}, operands, results))
}

func (g *graph) constant(v int64, t ir.Type) *ir.Value {
	c := g.op("handshake.constant", []*ir.Value{g.start()}, t)
	c.SetAttr("value", ir.IntAttr(v, t))
	return c.Result(0)
}

func (g *graph) stream(lb, step, ub *ir.Value, stepOp, cond string) *ir.Operation {
	s := g.op("dataflow.stream", []*ir.Value{lb, step, ub}, lb.Type, ir.I1)
	s.SetAttr("step_op", ir.StrAttr(stepOp))
	s.SetAttr("cont_cond", ir.StrAttr(cond))
	return s
}

// record runs a graph and returns what passed through the given values.
func record(t *testing.T, g *graph, scalars []uint64, opts Options, watch ...*ir.Value) [][]uint64 {
	t.Helper()
	// A sink with a second operand that never gets a token keeps everything.
	never := g.op("handshake.mux", []*ir.Value{nil, nil, nil}, ir.I1)
	for i := range 3 {
		never.SetOperand(i, never.Result(0))
	}
	var keep []ir.Use
	for _, v := range watch {
		b := g.op("handshake.cond_br", []*ir.Value{never.Result(0), v}, v.Type, v.Type)
		keep = append(keep, ir.Use{Op: b, Index: 1})
	}
	g.op("handshake.return", []*ir.Value{g.start()})
	p, err := Compile(g.fn, 0)
	if err != nil {
		t.Fatal(err)
	}
	in := &vector.Inputs{}
	for i, s := range scalars {
		in.Args = append(in.Args, vector.Arg{Type: g.arg(i).Type, Scalar: s})
	}
	m, err := p.start(in, opts)
	if err != nil {
		t.Fatal(err)
	}
	m.loop()
	var out [][]uint64
	for _, u := range keep {
		var tokens []uint64
		for i, c := range p.chans {
			if c.use == u {
				for q := &m.queues[i]; q.n > 0; q.pop() {
					tokens = append(tokens, q.front())
				}
			}
		}
		out = append(out, tokens)
	}
	return out
}

// TestStream covers the stream of the specification's example and the other
// operators: N+1 pairs, then idle again.
func TestStream(t *testing.T) {
	for _, c := range []struct {
		lb, step, ub int64
		op, cond     string
		idx, cont    []uint64
	}{
		{0, 1, 4, "+=", "<", []uint64{0, 1, 2, 3, 4}, []uint64{1, 1, 1, 1, 0}},
		{4, 1, 4, "+=", "<", []uint64{4}, []uint64{0}},
		{0, 3, 7, "+=", "<=", []uint64{0, 3, 6, 9}, []uint64{1, 1, 1, 0}},
		{3, 1, 0, "-=", ">", []uint64{3, 2, 1, 0}, []uint64{1, 1, 1, 0}},
		{1, 2, 8, "*=", "<", []uint64{1, 2, 4, 8}, []uint64{1, 1, 1, 0}},
		{8, 2, 1, "/=", ">=", []uint64{8, 4, 2, 1, 0}, []uint64{1, 1, 1, 1, 0}},
		{1, 1, 8, "<<=", "!=", []uint64{1, 2, 4, 8}, []uint64{1, 1, 1, 0}},
		{8, 1, 1, ">>=", "!=", []uint64{8, 4, 2, 1}, []uint64{1, 1, 1, 0}},
		{-2, 1, 1, "+=", "<", []uint64{1<<32 - 2, 1<<32 - 1, 0, 1}, []uint64{1, 1, 1, 0}},
	} {
		g := newGraph()
		s := g.stream(g.constant(c.lb, ir.I32), g.constant(c.step, ir.I32), g.constant(c.ub, ir.I32), c.op, c.cond)
		got := record(t, g, nil, Options{}, s.Result(0), s.Result(1))
		if diff := cmp.Diff([][]uint64{c.idx, c.cont}, got); diff != "" {
			t.Errorf("stream %d %s %d while %s %d (-want +got):\n%s", c.lb, c.op, c.step, c.cond, c.ub, diff)
		}
	}
}

// TestGate is the example of the specification: N+1 in, N out, the first
// condition and the last value dropped.
func TestGate(t *testing.T) {
	for _, c := range []struct {
		ub         int64
		idx, after []uint64
	}{
		{4, []uint64{0, 1, 2, 3}, []uint64{1, 1, 1, 0}},
		{1, []uint64{0}, []uint64{0}},
		{0, nil, nil},
	} {
		g := newGraph()
		s := g.stream(g.constant(0, ir.Index), g.constant(1, ir.Index), g.constant(c.ub, ir.Index), "+=", "<")
		gate := g.op("dataflow.gate", s.Results(), ir.Index, ir.I1)
		got := record(t, g, nil, Options{}, gate.Result(0), gate.Result(1))
		if diff := cmp.Diff([][]uint64{c.idx, c.after}, got); diff != "" {
			t.Errorf("gate over %d (-want +got):\n%s", c.ub, diff)
		}
	}
}

// twice makes the raw condition of a loop that runs n times in its first
// activation and m times in its second: what resets after the first false.
func twice(g *graph, n, m int64) (raw *ir.Value) {
	// An outer loop over the bounds n and m.
	outer := g.stream(g.constant(n, ir.I32), g.constant(m-n, ir.I32), g.constant(m, ir.I32), "+=", "<=")
	gate := g.op("dataflow.gate", outer.Results(), ir.I32, ir.I1)
	zero := g.op("dataflow.invariant", []*ir.Value{gate.Result(1), g.constant(0, ir.I32)}, ir.I32)
	one := g.op("dataflow.invariant", []*ir.Value{gate.Result(1), g.constant(1, ir.I32)}, ir.I32)
	return g.stream(zero.Result(0), one.Result(0), gate.Result(0), "+=", "<").Result(1)
}

// TestCarryAndInvariant covers both state machines over two activations: the
// false that ends the first one resets them.
func TestCarryAndInvariant(t *testing.T) {
	for capacity := range 3 {
		g := newGraph()
		raw := twice(g, 2, 3)
		// Fresh values per activation: 10, 11.
		seeds := g.stream(g.constant(10, ir.I32), g.constant(1, ir.I32), g.constant(11, ir.I32), "+=", "<=")
		seed := g.op("dataflow.gate", seeds.Results(), ir.I32, ir.I1).Result(0)
		inv := g.op("dataflow.invariant", []*ir.Value{raw, seed}, ir.I32)
		carry := g.op("dataflow.carry", []*ir.Value{raw, seed, nil}, ir.I32)
		split := g.op("handshake.cond_br", []*ir.Value{raw, carry.Result(0)}, ir.I32, ir.I32)
		next := g.op("arith.addi", []*ir.Value{split.Result(0), split.Result(0)}, ir.I32)
		carry.SetOperand(2, next.Result(0))
		opts := Options{}
		if capacity > 0 {
			// Recorded values need room; bounded channels are tested elsewhere.
			opts.Seed = uint64(capacity)
		}
		got := record(t, g, nil, opts, raw, inv.Result(0), carry.Result(0), split.Result(1))
		want := [][]uint64{
			{1, 1, 0, 1, 1, 1, 0},
			{10, 10, 10, 11, 11, 11, 11},
			{10, 20, 40, 11, 22, 44, 88},
			{40, 88},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d (-want +got):\n%s", opts.Seed, diff)
		}
	}
}

// TestMuxTakesOnlyTheSelected input.
func TestMuxTakesOnlyTheSelected(t *testing.T) {
	g := newGraph(ir.I1, ir.I32, ir.I32)
	m := g.op("handshake.mux", []*ir.Value{g.arg(0), g.arg(1), g.arg(2)}, ir.I32)
	g.op("handshake.return", []*ir.Value{m.Result(0), g.start()})
	for sel, want := range []string{"the true input", "the false input"} {
		out := run(t, g, []uint64{uint64(sel), 7, 9}, Options{})
		if out.Status != vector.Deadlock || len(out.Results) != 1 || out.Results[0].Bits != uint64(7+2*sel) {
			t.Errorf("selector %d: %+v", sel, out)
		}
		if !strings.Contains(strings.Join(out.Detail, "\n"), "left over at "+want+" of 'handshake.mux' at t:2:1") {
			t.Errorf("selector %d: leftover not named: %q", sel, out.Detail)
		}
	}
}

func run(t *testing.T, g *graph, scalars []uint64, opts Options, mems ...*vector.Memory) *vector.Outcome {
	t.Helper()
	in := &vector.Inputs{}
	for _, a := range g.body.Args[:len(g.body.Args)-1] {
		if _, ok := a.Type.(*ir.MemRefType); ok {
			in.Args = append(in.Args, vector.Arg{Type: a.Type, Mem: mems[0]})
			mems = mems[1:]
			continue
		}
		in.Args = append(in.Args, vector.Arg{Type: a.Type, Scalar: scalars[0]})
		scalars = scalars[1:]
	}
	out, err := Run(g.fn, in, opts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sum builds s = sum of a[i] with a choice of the condition that controls the
// loads: gated as it must be, or raw.
func sum(rawControl bool) *graph {
	g := newGraph(ir.MemRef([]int64{ir.Dynamic}, ir.I32), ir.Index)
	s := g.stream(g.constant(0, ir.Index), g.constant(1, ir.Index), g.arg(1), "+=", "<")
	gate := g.op("dataflow.gate", s.Results(), ir.Index, ir.I1)
	cond := gate.Result(1)
	if rawControl {
		cond = s.Result(1)
	}
	ctrl := g.op("dataflow.invariant", []*ir.Value{cond, g.start()}, ir.None)
	ld := g.op("handshake.load", []*ir.Value{gate.Result(0), nil, ctrl.Result(0)}, ir.I32, ir.Index)
	mem := g.op("handshake.extmemory", []*ir.Value{g.arg(0), ld.Result(1)}, ir.I32, ir.None)
	mem.SetAttr("ldCount", ir.IntAttr(1, ir.I32))
	mem.SetAttr("stCount", ir.IntAttr(0, ir.I32))
	ld.SetOperand(1, mem.Result(0))
	acc := g.op("dataflow.carry", []*ir.Value{s.Result(1), g.constant(0, ir.I32), nil}, ir.I32)
	split := g.op("handshake.cond_br", []*ir.Value{s.Result(1), acc.Result(0)}, ir.I32, ir.I32)
	add := g.op("arith.addi", []*ir.Value{split.Result(0), ld.Result(0)}, ir.I32)
	acc.SetOperand(2, add.Result(0))
	chain := g.op("dataflow.carry", []*ir.Value{gate.Result(1), g.start(), nil}, ir.None)
	both := g.op("handshake.join", []*ir.Value{chain.Result(0), mem.Result(1)}, ir.None)
	again := g.op("handshake.cond_br", []*ir.Value{gate.Result(1), both.Result(0)}, ir.None, ir.None)
	chain.SetOperand(2, again.Result(0))
	g.op("handshake.return", []*ir.Value{split.Result(1), again.Result(1)})
	return g
}

func mem(values ...uint64) *vector.Memory {
	return &vector.Memory{Elem: ir.I32, Shape: []int64{int64(len(values))}, Data: values}
}

// TestOrderDoesNotMatter runs one graph under every kind of schedule.
func TestOrderDoesNotMatter(t *testing.T) {
	g := sum(false)
	for capacity := range 4 {
		for seed := range uint64(20) {
			for _, delay := range []int{0, 1, 30} {
				opts := Options{Capacity: capacity, Seed: seed, MemDelay: delay}
				out := run(t, g, []uint64{4}, opts, mem(1, 2, 3, 4))
				if out.Status != vector.Done || len(out.Results) != 1 || out.Results[0].Bits != 10 {
					t.Fatalf("%+v: %+v", opts, out)
				}
			}
		}
	}
}

// TestRawControlIsNamed checks the diagnosis that the specification requires.
func TestRawControlIsNamed(t *testing.T) {
	out := run(t, sum(true), []uint64{3}, Options{}, mem(1, 2, 3))
	want := "left over at the control of 'handshake.load'"
	text := strings.Join(out.Detail, "\n")
	if out.Status != vector.Deadlock || !strings.Contains(text, want) || !strings.Contains(text, "raw loop control is used where the gated control belongs: 'dataflow.invariant' at t:6:1 repeats the memory control of %arg0 by the raw condition of 'dataflow.stream' at t:4:1, which has one token more than the loop has iterations; use the second result of 'dataflow.gate' at t:5:1") {
		t.Errorf("status %s, detail:\n%s", out.Status, text)
	}
}

// TestDeadlockNamesTheCycle has two operations that wait for each other.
func TestDeadlockNamesTheCycle(t *testing.T) {
	g := newGraph(ir.I32)
	a := g.op("arith.addi", []*ir.Value{g.arg(0), nil}, ir.I32)
	b := g.op("arith.muli", []*ir.Value{a.Result(0), a.Result(0)}, ir.I32)
	a.SetOperand(1, b.Result(0))
	g.op("handshake.return", []*ir.Value{b.Result(0), g.start()})
	out := run(t, g, []uint64{1}, Options{})
	text := strings.Join(out.Detail, "\n")
	for _, want := range []string{
		"nothing can move and the results have not been delivered",
		"'arith.addi' at t:2:1 waits for operand #1, from 'arith.muli' at t:3:1",
		"they wait for each other: 'arith.muli' at t:3:1 <- 'arith.addi' at t:2:1",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if out.Status != vector.Deadlock {
		t.Errorf("status %s", out.Status)
	}
}

// TestEagerFork: the first token of one use waits for what the gate makes of the
// second token of the other use. With short channels that only works because a
// use that has not taken its token does not keep the other from taking its own.
// One condition is left in the end, as the graph requests one too many.
func TestEagerFork(t *testing.T) {
	for seed := range uint64(20) {
		g := newGraph(ir.Index)
		s := g.stream(g.constant(0, ir.Index), g.constant(1, ir.Index), g.arg(0), "+=", "<")
		gate := g.op("dataflow.gate", s.Results(), ir.Index, ir.I1)
		g.op("arith.andi", []*ir.Value{s.Result(1), gate.Result(1)}, ir.I1)
		g.op("handshake.return", []*ir.Value{g.start()})
		out := run(t, g, []uint64{5}, Options{Capacity: 1 + int(seed%2), Seed: seed})
		want := []string{
			"the results were delivered, but the graph is not empty",
			"a token is left over at operand #0 of 'arith.andi' at t:6:1, from 'dataflow.stream' at t:4:1",
			"'arith.andi' at t:6:1 waits for operand #1, from 'dataflow.gate' at t:5:1",
		}
		if diff := cmp.Diff(want, out.Detail); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
	}
}

// TestFaults covers the hardware errors of a graph: the run completes and reports
// which code was raised.
func TestFaults(t *testing.T) {
	out := run(t, sum(false), []uint64{3}, Options{}, mem(1, 2))
	if out.Status != vector.Error || out.ErrorCode != 513 || len(out.Results) != 1 || out.Results[0].Bits != 3 {
		t.Errorf("load outside: %+v", out)
	}
}

// TestStuckSteps: a step that cannot progress is error 259 whatever start and bound are, as
// it is for loom_stream, and ends the stream after one pair.
func TestStuckSteps(t *testing.T) {
	for _, c := range []struct {
		op    string
		stuck []uint64
		fine  []uint64
	}{
		{"+=", []uint64{0}, []uint64{1, 2}},
		{"-=", []uint64{0}, []uint64{1, 2}},
		{"*=", []uint64{0, 1}, []uint64{2, 3}},
		{"/=", []uint64{0, 1}, []uint64{2, 3}},
		{"<<=", []uint64{0}, []uint64{1, 2}},
		{">>=", []uint64{0}, []uint64{1, 2}},
	} {
		for _, cond := range []string{"<", ">"} {
			for _, start := range []int64{3, 8} { // below and at the bound, where a stream with < ends at once
				run := func(step uint64) *vector.Outcome {
					g := newGraph(ir.Index)
					s := g.stream(g.constant(start, ir.Index), g.arg(0), g.constant(8, ir.Index), c.op, cond)
					g.op("handshake.return", append(s.Results(), g.start()))
					return run(t, g, []uint64{step}, Options{MaxSteps: 1000})
				}
				for _, step := range c.stuck {
					out := run(step)
					if out.Status != vector.Error || out.ErrorCode != 259 || out.Results[0].Bits != uint64(start) || out.Results[1].Bits != 0 {
						t.Errorf("%s %s from %d, step %d: %+v", c.op, cond, start, step, out)
					}
				}
				for _, step := range c.fine {
					if out := run(step); out.ErrorCode != 0 {
						t.Errorf("%s %s from %d, step %d: %+v", c.op, cond, start, step, out)
					}
				}
			}
		}
	}
}

// TestBudget stops a graph that never comes to rest.
func TestBudget(t *testing.T) {
	g := newGraph(ir.I1)
	inv := g.op("dataflow.invariant", []*ir.Value{nil, g.arg(0)}, ir.I1)
	inv.SetOperand(0, inv.Result(0))
	g.op("handshake.return", []*ir.Value{g.start()})
	if out := run(t, g, []uint64{1}, Options{MaxSteps: 1000}); out.Status != vector.Budget {
		t.Errorf("%+v", out)
	}
	if out := run(t, g, []uint64{0}, Options{MaxSteps: 1000}); out.Status != vector.Done {
		t.Errorf("%+v", out)
	}
}

// TestLateMemory: a return that does not wait for a store is no success even
// when the memory ends up right.
func TestLateMemory(t *testing.T) {
	g := newGraph(ir.MemRef([]int64{2}, ir.I32))
	st := g.op("handshake.store", []*ir.Value{g.constant(0, ir.Index), g.constant(5, ir.I32), g.start()}, ir.I32, ir.Index)
	m := g.op("handshake.extmemory", []*ir.Value{g.arg(0), st.Result(0), st.Result(1)}, ir.None)
	m.SetAttr("ldCount", ir.IntAttr(0, ir.I32))
	m.SetAttr("stCount", ir.IntAttr(1, ir.I32))
	ret := g.op("handshake.return", []*ir.Value{g.start()})
	out := run(t, g, nil, Options{}, mem(0, 0))
	if out.Status != vector.Deadlock || !strings.Contains(strings.Join(out.Detail, "\n"), "before all memory accesses were complete") {
		t.Errorf("%+v", out)
	}
	ret.SetOperand(0, m.Result(0))
	out = run(t, g, nil, Options{}, mem(0, 0))
	if out.Status != vector.Done || out.Memories[0].Data[0] != 5 {
		t.Errorf("%+v", out)
	}
}

// TestBadGraphs: what cannot be simulated is an error with a position.
func TestBadGraphs(t *testing.T) {
	for _, c := range []struct {
		name, want string
		build      func() *graph
	}{
		{"no return", "no handshake.return", func() *graph { return newGraph() }},
		{"open operand", "t:2:1: error: 'handshake.join' operand #0 is unconnected", func() *graph {
			g := newGraph()
			g.op("handshake.join", []*ir.Value{nil}, ir.None)
			g.op("handshake.return", []*ir.Value{g.start()})
			return g
		}},
		{"unknown operation", "t:2:1: error: 'scf.if' is no operation on numbers", func() *graph {
			g := newGraph(ir.I1)
			g.op("scf.if", []*ir.Value{g.arg(0)})
			g.op("handshake.return", []*ir.Value{g.start()})
			return g
		}},
		{"wrong arity", "t:2:1: error: 'handshake.mux' has 0 inputs", func() *graph {
			g := newGraph(ir.I1)
			g.op("handshake.mux", []*ir.Value{g.arg(0)}, ir.I1)
			g.op("handshake.return", []*ir.Value{g.start()})
			return g
		}},
		{"constant without trigger", "no operand that sets how often it fires", func() *graph {
			g := newGraph()
			g.op("arith.constant", nil, ir.I32).SetAttr("value", ir.IntAttr(1, ir.I32))
			g.op("handshake.return", []*ir.Value{g.start()})
			return g
		}},
		{"ports", "do not fit its ldCount", func() *graph {
			g := newGraph(ir.MemRef([]int64{2}, ir.I32))
			g.op("handshake.extmemory", []*ir.Value{g.arg(0)}, ir.None)
			g.op("handshake.return", []*ir.Value{g.start()})
			return g
		}},
	} {
		_, err := Compile(c.build().fn, 0)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
	g := newGraph(ir.I32)
	g.op("handshake.return", []*ir.Value{g.start()})
	if _, err := Run(g.fn, &vector.Inputs{}, Options{}); err == nil {
		t.Error("missing inputs were accepted")
	}
}

func BenchmarkRun(b *testing.B) {
	g := sum(false)
	p, err := Compile(g.fn, 0)
	if err != nil {
		b.Fatal(err)
	}
	data := make([]uint64, 10000)
	in := &vector.Inputs{Args: []vector.Arg{
		{Type: g.arg(0).Type, Mem: &vector.Memory{Elem: ir.I32, Shape: []int64{10000}, Data: data}},
		{Type: ir.Index, Scalar: 10000},
	}}
	for _, capacity := range []int{0, 1, 2} {
		b.Run(fmt.Sprintf("capacity=%d", capacity), func(b *testing.B) {
			var firings int64
			for b.Loop() {
				out, stats, err := p.Run(in, Options{Capacity: capacity})
				if err != nil || out.Status != vector.Done {
					b.Fatal(err, out)
				}
				firings += stats.Firings
			}
			b.ReportMetric(float64(firings)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
