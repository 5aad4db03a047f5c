package cycle

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/compiler/units"
)

func init() {
	models[arch.SpatialPE] = model{declare: (*builder).declarePE, connect: (*builder).connectPE}
}

// value is an argument, an operation result or a unit result of a function unit
// body, and the wire or net it travels on.
type value struct {
	net  int32          // driven by a unit; -1 when it is wired
	arg  int            // function-unit argument it is wired to, -1 for none
	from *arch.ValueRef // value it is wired to, nil for none
}

// body is the active function unit of a PE.
type body struct {
	c     *arch.Component
	fu    *arch.FunctionUnit
	set   *config.PESetting
	fused bool // one datapath unit
	// machine is set where the body is one state machine.
	machine *arch.Fused
	// results[i] are the values of operation i; branches are the outputs of the
	// fork behind a value with several uses, by value.
	results  [][]value
	branches map[arch.ValueRef][]int32
	next     map[arch.ValueRef]int
	uses     map[arch.ValueRef]int
	outs     []value // by unit result
	queues   []int32 // by unit result: what its queue offers, none without queues
	extra    int     // stages on every result
	wires    map[arch.ValueRef]wire
}

// declarePE makes the nets of the values of the selected unit; outputs are wired to
// its results.
func (b *builder) declarePE(c *arch.Component, set *config.Setting) []feed {
	s, fs := set.PE, make([]feed, len(c.Out))
	for o := range fs {
		fs[o] = feed{-1, -1, nil}
	}
	if s == nil || !s.Enable {
		return fs
	}
	fail := func(format string, args ...any) {
		b.errs.Errorf(c.Pos, "PE '%s': %s", c.Name, fmt.Sprintf(format, args...))
	}
	if s.Opcode < 0 || s.Opcode >= len(c.PE.FUs) {
		fail("opcode %d, it has %d function units", s.Opcode, len(c.PE.FUs))
		return fs
	}
	fu := c.PE.FUs[s.Opcode]
	if len(s.In) < len(fu.In) || len(s.Out) < len(fu.Out) || len(s.Fields) < len(fu.Fields(b.f.IndexWidth)) {
		fail("the setting has too few selectors or fields for function unit '%s'", fu.Name)
		return fs
	}
	bd := &body{c: c, fu: fu, set: s, fused: fused(fu), machine: fu.Fused(), branches: map[arch.ValueRef][]int32{}, next: map[arch.ValueRef]int{},
		uses: map[arch.ValueRef]int{}, wires: map[arch.ValueRef]wire{}}
	if !bd.declare(b) {
		return fs
	}
	b.bodies[c.ID] = bd
	if c.PE.ResultFIFO > 0 {
		bd.queues = b.newNets(len(fu.Out))
	}
	taken := map[int]bool{}
	for k := range fu.Out {
		sel := s.Out[k]
		switch {
		case sel.Disconnect || sel.Discard:
		case sel.Sel < 0 || sel.Sel >= len(c.Out):
			fail("output selector %d names port %d of %d", k, sel.Sel, len(c.Out))
		case taken[sel.Sel]:
			fail("two results of '%s' are sent to output port %d", fu.Name, sel.Sel)
		default:
			taken[sel.Sel] = true
			fs[sel.Sel] = feed{-1, -1, &bd.outs[k]}
			if bd.queues != nil {
				fs[sel.Sel] = feed{bd.queues[k], -1, nil}
			}
		}
	}
	return fs
}

// fused reports whether a body is one datapath unit: all of its operations are
// combinational arithmetic.
func fused(fu *arch.FunctionUnit) bool {
	for _, o := range fu.Ops {
		if u := fu.Row(o); u.Op == "" || u.Class != units.Datapath {
			return false
		}
	}
	return true
}

// declare makes the nets of a body's values.
func (d *body) declare(b *builder) bool {
	if d.fused || d.machine != nil {
		for range d.fu.Out {
			d.outs = append(d.outs, value{b.newNet(), -1, nil})
		}
		return true
	}
	use := func(v arch.ValueRef) { d.uses[d.key(v)]++ }
	for _, o := range d.fu.Ops {
		var rs []value
		for r := range o.Op.NumResults() {
			if o.Op.Name == opname.HandshakeLoad && r == 0 {
				rs = append(rs, value{-1, -1, &o.Operands[1]}) // the data path is a wire
			} else {
				rs = append(rs, value{b.newNet(), -1, nil})
			}
		}
		d.results = append(d.results, rs)
		for _, v := range o.Operands {
			use(v)
		}
	}
	for i := range d.fu.Yield {
		use(d.fu.Yield[i])
	}
	d.extra = max(d.fu.Latency-d.fu.NetworkLatency(b.f.IndexWidth), 0)
	for i := range d.fu.Out {
		if d.extra > 0 {
			d.outs = append(d.outs, value{b.newNet(), -1, nil})
		} else {
			d.outs = append(d.outs, value{-1, -1, &d.fu.Yield[i]})
		}
	}
	return true
}

// key names a value uniquely: unused members of a reference are zero.
func (d *body) key(v arch.ValueRef) arch.ValueRef {
	if v.Op < 0 {
		return arch.ValueRef{Arg: v.Arg, Op: -1}
	}
	return arch.ValueRef{Op: v.Op, Result: v.Result}
}

func (d *body) width(b *builder, t ir.Type) int {
	w, _ := ir.BitWidth(t, b.f.IndexWidth)
	return max(w, 1)
}

// wireOf resolves the wire of a result, for the output port it is sent to.
func (d *body) wireOf(b *builder, v *value) wire {
	for k := range d.outs {
		if v == &d.outs[k] {
			w := d.result(b, k)
			w.mask &= portMask(d.fu.Out[k])
			return w
		}
	}
	panic("cycle: a PE output is fed by a value of another unit")
}

// result is the wire of unit result k. A yield is a use of its value, so it may
// only be resolved once; the wire is remembered.
func (d *body) result(b *builder, k int) wire {
	v := d.outs[k]
	if v.net >= 0 {
		return wire{v.net, ^uint64(0)}
	}
	key := arch.ValueRef{Arg: k, Op: -2}
	w, ok := d.wires[key]
	if !ok {
		w = d.use(b, *v.from)
		d.wires[key] = w
	}
	return w
}

// use is the wire of one use of a value: the value itself, or the next branch of
// its fork.
func (d *body) use(b *builder, v arch.ValueRef) wire {
	key := d.key(v)
	if d.uses[key] <= 1 {
		return d.origin(b, v)
	}
	if d.branches[key] == nil {
		d.branches[key] = b.newNets(d.uses[key])
	}
	n := d.branches[key][d.next[key]]
	d.next[key]++
	return wire{n, ^uint64(0)}
}

// origin is the wire of a value before its fan-out.
func (d *body) origin(b *builder, v arch.ValueRef) wire {
	if v.Op < 0 {
		return d.arg(b, v.Arg)
	}
	r := d.results[v.Op][v.Result]
	if r.net >= 0 {
		return wire{r.net, ^uint64(0)}
	}
	return d.loadData(b, v.Op)
}

// loadData resolves the data wire of a load once: it is a use of the operand.
func (d *body) loadData(b *builder, op int) wire {
	key := arch.ValueRef{Arg: op, Op: -3}
	w, ok := d.wires[key]
	if !ok {
		w = d.use(b, d.fu.Ops[op].Operands[1])
		w.mask &= mask(d.width(b, d.fu.Ops[op].Op.Result(0).Type))
		d.wires[key] = w
	}
	return w
}

// portMask covers the data bits of a function-unit port: none carries zeros.
func portMask(p arch.FUPort) uint64 {
	if p.Type == ir.Type(ir.None) {
		return 0
	}
	return mask(p.Width)
}

// arg is what function-unit input k reads through its selector.
func (d *body) arg(b *builder, k int) wire {
	key := arch.ValueRef{Arg: k, Op: -1}
	w, ok := d.wires[key]
	if !ok {
		switch sel := d.set.In[k]; {
		case sel.Held():
			// Always there, whether or not the unit takes it.
			w = wire{b.newNet(), ^uint64(0)}
			n := &b.nets[w.net]
			n.valid, n.fixed, n.data = true, true, sel.Value
			w = d.queued(b, k, w)
		case sel.Disconnect || sel.Discard || sel.Sel < 0 || sel.Sel >= len(d.c.In):
			w = b.dead()
		case sel.Immediate:
			u := &immediate{node: d.node(fmt.Sprintf("immediate %d", k)), value: sel.Value}
			u.in, u.out = []wire{b.input(d.c, sel.Sel)}, b.newNets(1)
			b.add(u)
			w = d.queued(b, k, wire{u.out[0], ^uint64(0)})
		default:
			w = d.queued(b, k, b.input(d.c, sel.Sel))
		}
		w.mask &= portMask(d.fu.In[k])
		d.wires[key] = w
	}
	return w
}

// immediate gives the tokens of a port the data of the configuration.
type immediate struct {
	node
	value uint64
}

func (u *immediate) forward(e *engine)                  { e.drive(u.out[0], e.valid(u.in[0]), u.value) }
func (u *immediate) backward(e *engine)                 { e.accept(u.in[0], e.nets[u.out[0]].ready) }
func (u *immediate) clock(*engine) wake                 { return 0 }
func (u *immediate) idle() bool                         { return true }
func (u *immediate) needs(_ *engine, buf []wire) []wire { return append(buf, u.in[0]) }

// queued is what the queue behind operand selector k offers of what the selector takes.
func (d *body) queued(b *builder, k int, in wire) wire {
	if d.c.PE.OperandFIFO == 0 {
		return in
	}
	n, out := d.node(fmt.Sprintf("queue of operand %d", k)), b.newNets(1)
	n.in, n.out = []wire{in}, out
	q := newFIFO(n, d.c.PE.OperandFIFO)
	if d.set.In[k].Held() {
		b.add(&heldFIFO{q}) // full of the value, which is no token that is on its way
	} else {
		b.add(q)
	}
	return wire{out[0], ^uint64(0)}
}

// heldFIFO is the queue of a held operand: it is idle with what it holds.
type heldFIFO struct{ *fifo }

func (heldFIFO) idle() bool { return true }

func (b *builder) connectPE(c *arch.Component, set *config.Setting) {
	d, s := b.bodies[c.ID], set.PE
	// Inputs that nothing takes hold their tokens back; a discarding selector
	// takes and drops them.
	taken, read, dropped := make([]bool, len(c.In)), make([]bool, len(c.In)), make([]bool, len(c.In))
	if d != nil {
		for k := range s.In {
			if sel := s.In[k]; !sel.Disconnect && sel.Sel >= 0 && sel.Sel < len(c.In) && (sel.Discard || k < len(d.fu.In) || c.PE.OperandFIFO > 0) {
				taken[sel.Sel] = true
				read[sel.Sel] = read[sel.Sel] || !sel.Discard
				dropped[sel.Sel] = dropped[sel.Sel] || sel.Discard
				if read[sel.Sel] && dropped[sel.Sel] {
					b.errs.Errorf(c.Pos, "PE '%s': one selector discards the tokens of input %d, another one reads them", c.Name, sel.Sel).
						WithHelp("two selectors of a PE must not name the same port")
					return
				}
			}
		}
	}
	for p := range c.In {
		if w := b.input(c, p); !taken[p] {
			b.blocked[w.net] = true
		}
	}
	if d == nil {
		return
	}
	for k := len(d.fu.In); k < len(s.In) && c.PE.OperandFIFO > 0; k++ {
		// An operand that the unit does not have: its queue fills.
		if sel := s.In[k]; !sel.Disconnect && !sel.Discard && sel.Sel >= 0 && sel.Sel < len(c.In) {
			b.blocked[d.queued(b, k, b.input(c, sel.Sel)).net] = true
		}
	}
	switch {
	case d.machine != nil:
		b.connectMachine(d)
	case d.fused:
		b.connectFused(d)
	default:
		b.connectNetwork(d)
	}
	for k := range d.fu.Out {
		end := d.result(b, k)
		if d.queues != nil {
			end.mask &= portMask(d.fu.Out[k])
			n := d.node(fmt.Sprintf("queue of result %d", k))
			n.in, n.out = []wire{end}, d.queues[k:k+1]
			b.add(newFIFO(n, c.PE.ResultFIFO))
			end.net = d.queues[k]
		}
		if s.Out[k].Disconnect {
			b.blocked[end.net] = true
		}
	}
}

// field is the configured value of an operation of the active unit.
func (d *body) field(op *arch.FUOp, width int) uint64 {
	if op.Field < 0 || op.Field >= len(d.set.Fields) {
		return 0
	}
	return d.set.Fields[op.Field] & mask(width)
}

func (d *body) node(what string) node {
	return node{comp: d.c, what: fmt.Sprintf("PE '%s' %s", d.c.Name, what)}
}

// form resolves an arithmetic operation; comparisons take their predicate from
// the configuration.
func (b *builder) form(d *body, o *arch.FUOp) num.Form {
	switch o.Op.Name {
	case opname.ArithCmpF:
		f := num.CompareFloat(int64(d.field(o, 4)), o.Op.Operand(0).Type)
		if f == nil {
			b.errs.Errorf(o.Op.Pos, "no unit compares numbers of type %s", o.Op.Operand(0).Type)
			f = func(_, _ uint64) uint64 { return 0 }
		}
		return num.Form{Operands: 2, Results: 1, Binary: f}
	case opname.ArithCmpI:
		p := d.field(o, 4)
		f := num.CompareInt(int64(p), d.width(b, o.Op.Operand(0).Type))
		if f == nil {
			b.add(&misconfigured{node: d.node(opname.ArithCmpI), code: CodePredicate})
			f = func(_, _ uint64) uint64 { return 0 }
		}
		return num.Form{Operands: 2, Results: 1, Binary: f}
	}
	f, err := num.Resolve(o.Op, b.f.IndexWidth)
	if err != nil {
		if dg, ok := err.(*diag.Diagnostic); ok {
			b.errs.Add(dg)
		} else {
			b.errs.Errorf(o.Op.Pos, "%v", err)
		}
	}
	return f
}

func (b *builder) connectFused(d *body) {
	name := "function unit '" + d.fu.Name + "'"
	if len(d.fu.Ops) == 1 {
		name = d.fu.Ops[0].Op.Name
	}
	u := &datapath{node: d.node(name), interval: d.fu.Interval}
	for k := range d.fu.In {
		u.in = append(u.in, d.arg(b, k))
	}
	for k := range d.fu.Out {
		u.out = append(u.out, d.outs[k].net)
	}
	slot := make([]int32, len(d.fu.Ops)) // of each operation's first result
	n := int32(len(d.fu.In))
	for i, o := range d.fu.Ops {
		slot[i] = n
		n += int32(o.Op.NumResults())
	}
	at := func(v arch.ValueRef) int32 {
		if v.Op < 0 {
			return int32(v.Arg)
		}
		return slot[v.Op] + int32(v.Result)
	}
	for i, o := range d.fu.Ops {
		step := op{form: b.form(d, o), dst: slot[i]}
		for k, v := range o.Operands {
			if v.Op >= i {
				b.errs.Errorf(o.Op.Pos, "function unit '%s' computes in a loop", d.fu.Name)
				return
			}
			step.args[k] = at(v)
		}
		u.prog = append(u.prog, step)
	}
	for _, y := range d.fu.Yield {
		u.yield = append(u.yield, at(y))
	}
	u.slots = make([]uint64, n)
	u.full = make([]bool, max(d.fu.Latency, 0))
	u.regs = make([]uint64, len(u.full)*len(u.out))
	u.regFwd = len(u.full) > 0
	b.add(u)
}

// connectMachine makes a unit of several operations that is one state machine.
func (b *builder) connectMachine(d *body) {
	x := d.machine
	n := d.node("function unit '" + d.fu.Name + "'")
	for _, k := range x.In {
		n.in = append(n.in, d.arg(b, k))
	}
	for k := range d.fu.Out {
		n.out = append(n.out, d.outs[k].net)
	}
	switch x.Kind {
	case arch.FusedCounter:
		b.addStream(d, d.fu.Ops[x.Stream], n)
	case arch.FusedLoop:
		b.add(&loopHead{node: n})
	case arch.FusedAccumulate, arch.FusedPresent:
		a := accumulate{node: n, form: b.form(d, d.fu.Ops[x.Compute]), right: !x.Left, before: x.Kind == arch.FusedPresent}
		if piped := d.fu.Piped(x, b.f.IndexWidth); piped > 0 {
			b.add(&accumulatePiped{accumulate: a, latency: piped})
		} else {
			b.add(&a)
		}
	}
}
