package cycle

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// connectNetwork makes one unit per operation, forks behind values with several
// uses, and stages on the results for latency beyond the network's own.
func (b *builder) connectNetwork(d *body) {
	for i, o := range d.fu.Ops {
		b.connectOp(d, i, o)
	}
	for k := range d.fu.Out {
		if d.extra == 0 {
			d.result(b, k)
			continue
		}
		in := d.use(b, d.fu.Yield[k])
		in.mask &= portMask(d.fu.Out[k])
		for s := range d.extra {
			out := d.outs[k].net
			if s < d.extra-1 {
				out = b.newNet()
			}
			n := d.node(fmt.Sprintf("result %d of '%s'", k, d.fu.Name))
			n.in, n.out = []wire{in}, []int32{out}
			b.add(newFIFO(n, 1))
			in = wire{out, ^uint64(0)}
		}
	}
	// Forks in the order of the values: arguments, then results.
	fan := func(v arch.ValueRef) {
		if outs := d.branches[v]; outs != nil {
			n := d.node("fan-out in '" + d.fu.Name + "'")
			n.in, n.out = []wire{d.origin(b, v)}, outs
			b.add(&fork{node: n})
		}
	}
	for k := range d.fu.In {
		fan(arch.ValueRef{Arg: k, Op: -1})
	}
	for i := range d.fu.Ops {
		for r := range d.results[i] {
			fan(arch.ValueRef{Op: i, Result: r})
		}
	}
}

func (b *builder) connectOp(d *body, i int, o *arch.FUOp) {
	n := d.node(o.Op.Name)
	for _, v := range d.results[i] {
		if v.net >= 0 {
			n.out = append(n.out, v.net)
		} else {
			d.loadData(b, i)
		}
	}
	in := func(k int) wire {
		w := d.use(b, o.Operands[k])
		w.mask &= mask(d.width(b, o.Op.Operand(k).Type))
		return w
	}
	all := func() {
		for k := range o.Operands {
			n.in = append(n.in, in(k))
		}
	}
	switch o.Op.Name {
	case opname.HandshakeJoin:
		sel := d.field(o, len(o.Operands))
		for k := range o.Operands {
			if w := in(k); sel>>k&1 != 0 {
				n.in = append(n.in, w)
			} else {
				b.blocked[w.net] = true
			}
		}
		b.add(&join{n})
	case opname.HandshakeMux:
		all()
		b.add(&mux{n})
	case opname.HandshakeCondBr:
		all()
		b.add(&condBr{n})
	case opname.HandshakeConstant:
		all()
		b.add(&constant{n, d.field(o, d.width(b, o.Op.Result(0).Type))})
	case opname.HandshakeLoad:
		n.in = append(n.in, in(0), in(2))
		b.add(&loadAddr{n})
	case opname.HandshakeStore:
		all()
		b.add(&store{node: n})
	case opname.DataflowCarry:
		all()
		b.add(&carry{node: n})
	case opname.DataflowAccumulate:
		all()
		a, err := newAccumulateParts(n, o.Op)
		if err != nil {
			b.errs.Add(diag.FromError(err).All[0])
			return
		}
		b.add(a)
	case opname.DataflowInvariant:
		all()
		b.add(&invariant{node: n})
	case opname.DataflowGate:
		all()
		b.add(&gate{node: n})
	case opname.DataflowInterlock:
		all()
		b.add(newInterlock(n, d.width(b, o.Op.Result(0).Type), units.InterlockDepth, units.InterlockBits))
	case opname.DataflowStream:
		all()
		b.addStream(d, o, n)
	default:
		all()
		f := b.form(d, o)
		switch {
		case units.Is(o.Op.Name, units.Iterative):
			n.regFwd = true
			row, _ := units.Lookup(o.Op.Name)
			cycles, _ := row.Timing(o.Op, b.f.IndexWidth)
			if hw := d.c.PE.IterativeOf(d.set.Opcode); hw != nil && d.c.SharedUnits != "" {
				b.sharedUnit(d.c, hw.Key).use(d.c, n, sharedClient{form: f, cycles: cycles, times: row.Times(o.Op, b.f.IndexWidth)})
				return
			}
			b.add(&iterative{node: n, form: f, steps: cycles - 1, times: row.Times(o.Op, b.f.IndexWidth)})
		case units.Is(o.Op.Name, units.Datapath):
			step := op{form: f, dst: int32(len(n.in))}
			dp := &datapath{node: n, interval: 1}
			for k := range n.in {
				step.args[k] = int32(k)
			}
			dp.prog = []op{step}
			for r := range n.out {
				dp.yield = append(dp.yield, step.dst+int32(r))
			}
			dp.slots = make([]uint64, len(n.in)+len(n.out))
			b.add(dp)
		default:
			b.errs.Errorf(o.Op.Pos, "'%s' in function unit '%s' has no hardware yet", o.Op.Name, d.fu.Name)
		}
	}
}

func (b *builder) addStream(d *body, o *arch.FUOp, n node) {
	step := -1
	for k, s := range stepOps {
		if o.Op.StrAttr("step_op") == s {
			step = k
		}
	}
	if step < 0 {
		b.errs.Errorf(o.Op.Pos, "dataflow.stream with step_op %q", o.Op.StrAttr("step_op")).
			WithHelp("the operators are +=, -=, *=, /=, <<= and >>=")
		return
	}
	cond := d.field(o, 5)
	if cond == 0 || cond&(cond-1) != 0 {
		b.add(&misconfigured{node: d.node(o.Op.Name), code: CodeStreamOneHot})
	}
	w := d.width(b, o.Op.Result(0).Type)
	n.regFwd = true
	b.add(&stream{node: n, stepOp: step, cond: cond, width: uint(w), mask: mask(w), counter: d.machine != nil})
}
