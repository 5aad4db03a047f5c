package cycle

import (
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/sim/vector"
)

// network is a body with an adder whose sum goes to a branch, to a divider and
// to the outside: results sum, taken, other, quotient.
func network(latency int) *arch.FunctionUnit {
	i32, i1 := ir.Type(ir.I32), ir.Type(ir.I1)
	blk := (&ir.Region{}).AddBlock()
	fu := &arch.FunctionUnit{Name: "mixed", Latency: latency, Interval: 33}
	var args []*ir.Value
	for _, t := range types(i32, i32, i1) {
		args = append(args, blk.AddArg(t, "", diag.Pos{}))
		fu.In = append(fu.In, arch.FUPort{Type: t, Width: hwWidth(t)})
	}
	add := ir.NewOp("arith.addi", diag.Pos{}, args[:2], types(i32))
	br := ir.NewOp("handshake.cond_br", diag.Pos{}, []*ir.Value{args[2], add.Result(0)}, types(i32, i32))
	div := ir.NewOp("arith.divui", diag.Pos{}, []*ir.Value{add.Result(0), args[1]}, types(i32))
	arg := func(k int) arch.ValueRef { return arch.ValueRef{Arg: k, Op: -1} }
	res := func(op, r int) arch.ValueRef { return arch.ValueRef{Op: op, Result: r, Arg: -1} }
	fu.Ops = []*arch.FUOp{
		{Op: add, Operands: []arch.ValueRef{arg(0), arg(1)}, Field: -1},
		{Op: br, Operands: []arch.ValueRef{arg(2), res(0, 0)}, Field: -1},
		{Op: div, Operands: []arch.ValueRef{res(0, 0), arg(1)}, Field: -1},
	}
	fu.Yield = []arch.ValueRef{res(0, 0), res(1, 0), res(1, 1), res(2, 0)}
	for range fu.Yield {
		fu.Out = append(fu.Out, arch.FUPort{Type: i32, Width: 32})
	}
	return fu
}

// A body of several kinds of operations is an elastic network: forks where a
// value has several uses, stages on every result for the latency beyond the
// divider's 33.
func TestMixedBody(t *testing.T) {
	for _, c := range []struct {
		latency int
		cycles  int64
	}{{33, 34}, {36, 37}, {-1, 34}} {
		b := newFab(t)
		i32 := ir.Type(ir.I32)
		p := b.pe("mixed", network(c.latency), nil, b.arg("x", i32, 40), b.arg("y", i32, 2), b.arg("c", ir.I1, 1))
		b.result("sum", i32, out(p, 0))
		b.result("taken", i32, out(p, 1))
		b.unused(out(p, 2))
		b.result("quotient", i32, out(p, 3))
		b.done(b.start())
		o := b.run(Options{})
		if o.Status != vector.Done || o.Cycles != c.cycles ||
			o.Results[0].Bits != 42 || o.Results[1].Bits != 42 || o.Results[2].Bits != 21 {
			t.Errorf("latency %d: %s after %d cycles, want %d: %+v\n%v", c.latency, o.Status, o.Cycles, c.cycles, o.Results, o.Detail)
		}
	}
}

// Loads inside of a larger body pass their data through; a fused body of pure
// arithmetic is one unit with its declared stages.
func TestFusedBody(t *testing.T) {
	i32 := ir.Type(ir.I32)
	fu := unitOf("arith.addi", types(i32, i32), types(i32), 3)
	mul := ir.NewOp("arith.muli", diag.Pos{}, []*ir.Value{fu.Ops[0].Op.Result(0), fu.Ops[0].Op.Operand(1)}, types(i32))
	fu.Ops = append(fu.Ops, &arch.FUOp{Op: mul, Operands: []arch.ValueRef{{Op: 0, Arg: -1}, {Arg: 1, Op: -1}}, Field: -1})
	fu.Yield = []arch.ValueRef{{Op: 1, Arg: -1}}
	b := newFab(t)
	p := b.pe("mac", fu, nil, b.arg("x", i32, 40), b.arg("y", i32, 3))
	b.result("r", i32, out(p, 0))
	b.done(b.start())
	if o := b.run(Options{}); o.Status != vector.Done || o.Cycles != 4 || o.Results[0].Bits != 129 {
		t.Errorf("%s after %d cycles: %+v %v", o.Status, o.Cycles, o.Results, o.Detail)
	}
}

// An interlock gives the first load its way, keeps the subscript of the store behind it until that is done, and says
// so where it never is.
func TestInterlock(t *testing.T) {
	i32, i1, none := ir.Type(ir.I32), ir.Type(ir.I1), ir.Type(ir.None)
	for _, c := range []struct {
		store, done uint64
		status      vector.Status
		detail      string
	}{
		{5, 1, vector.Done, ""},
		{5, 0, vector.Deadlock, "PE 'interlock' dataflow.interlock waits for a token from PE 'pe0' handshake.cond_br on 'c5'\n  PE 'pe0' handshake.cond_br waits for a token from input 'is done' on 'c0'\ntokens:\n  PE 'interlock' dataflow.interlock is not empty: 1 store not done"},
		{0xffffffff, 1, vector.Deadlock, "token 0x0 on 'c5', from PE 'pe0' handshake.cond_br to PE 'interlock' dataflow.interlock"},
	} {
		b := newFab(t)
		br := b.op("handshake.cond_br", types(i1, none), types(none, none), nil, b.arg("is done", i1, c.done), b.arg("d", none, 0))
		b.unused(out(br, 1))
		x := b.pe("interlock", unitOf("dataflow.interlock", types(i32, i32, none), types(i32), -1), nil,
			b.arg("a", i32, 5), b.arg("s", i32, c.store), out(br, 0))
		b.result("r", i32, out(x, 0))
		b.done(b.start())
		o := b.run(Options{})
		text := strings.Join(o.Detail, "\n")
		if o.Status != c.status || len(o.Results) != 1 || o.Results[0].Bits != 5 || !strings.Contains(text, c.detail) {
			t.Errorf("store %d, done %d: %s: %+v\n%s", int32(c.store), c.done, o.Status, o.Results, text)
		}
	}
}
