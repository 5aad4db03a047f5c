package cycle

import (
	"slices"

	"loom/compiler/arch"
	"loom/compiler/circuit"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/compiler/num"
	"loom/compiler/units"
	"loom/sim/memmap"
	"loom/sim/vector"
)

// NewDirect builds the simulator of a direct circuit with the tokens of one run at its ports.
// Channels in Options.Trace are the signals of the circuit's view, in its order. The inputs
// are not changed. Errors are diagnostics.
func NewDirect(c *circuit.Circuit, in *vector.Inputs, opts Options) (*Sim, error) {
	return newDirect(c, in, opts, nil)
}

// wiringOf is replaced by a test.
var wiringOf = (*circuit.Circuit).Wiring

// newDirect builds the simulator; drives, if given, are its surroundings (see Replay).
func newDirect(c *circuit.Circuit, in *vector.Inputs, opts Options, drives []Drive) (*Sim, error) {
	view := c.View()
	s, bl, err := prepareRun(view.Fabric, nil, directBinding(c, in), in, opts)
	if err != nil {
		return nil, err
	}
	bl.prepare()
	d := &direct{builder: bl, c: c, wiring: wiringOf(c), view: view, s: s, before: make([]int32, len(c.Channels)), after: make([]int32, len(c.Channels)),
		requests: map[*circuit.Unit]int32{}, data: map[*circuit.Unit]wire{}, drives: drives}
	d.build()
	if err := bl.errs.Err(); err != nil {
		return nil, err
	}
	d.signals()
	if err := bl.finish(s); err != nil {
		return nil, err
	}
	s.holds = c.Finish != nil
	s.watching()
	return s, nil
}

// Again gives a direct circuit whose run has ended with vector.Done the tokens and the memories of
// another run, to be simulated by Run behind it: what the circuit holds and the cycle number go on.
func (s *Sim) Again(c *circuit.Circuit, in *vector.Inputs) error {
	bound := directBinding(c, in)
	regions, err := memmap.Assign(in, bound, s.fabric.IndexWidth)
	if err != nil {
		return diag.New(diag.Pos{}, "%v", err)
	}
	bl := &builder{f: s.fabric, env: s.env, errs: &diag.List{}}
	if bl.bind(bound, in, regions); bl.errs.Err() != nil {
		return bl.errs.Err()
	}
	s.binding, s.inputs, s.env.bus = bound, in, newBus(regions)
	for _, m := range s.effects {
		switch p := m.(type) {
		case *loadPort:
			p.attach(p.arg)
		case *storePort:
			p.attach(p.arg)
		}
	}
	for _, r := range s.sources {
		r.again(&s.engine, bl.tokens[r.port].value)
	}
	for _, k := range s.sinks {
		k.got = 0
	}
	s.began, s.ran = s.cycle, false
	return nil
}

// directBinding names the ports of the kernel as those of a mapping.
func directBinding(c *circuit.Circuit, in *vector.Inputs) *mapping.Binding {
	b := &mapping.Binding{Kernel: c.Name}
	for _, a := range in.Args {
		b.Args = append(b.Args, mapping.ArgBinding{Name: a.Name, Type: a.Type, Input: -1, Mem: -1})
	}
	for i, p := range c.Inputs {
		if p.Arg < 0 {
			b.Start = i
		} else if p.Arg < len(b.Args) {
			b.Args[p.Arg].Input, b.Args[p.Arg].Type = i, p.Type
		}
	}
	for i, p := range c.Outputs {
		if p.Arg < 0 {
			b.Done = i
		} else {
			b.Results = append(b.Results, mapping.ResultBinding{Name: p.Name, Type: p.Type, Output: i})
		}
	}
	return b
}

// direct makes nets and units of a circuit.
type direct struct {
	*builder
	c      *circuit.Circuit
	wiring *circuit.Wiring
	view   *circuit.View
	s      *Sim
	// before and after are the nets of channels before and behind their buffers.
	before, after []int32
	// exits are the nets between a unit and a channel that others are dropped with, dropped those
	// that nothing reads, by their units.
	exits    map[*circuit.Channel]int32
	dropped  map[*circuit.Unit]int32
	held     map[*circuit.Channel]*held
	finish   *finish
	restored []*chipArray
	// requests are the nets between accesses and memories; data is the second operand of a
	// store, which goes with its request.
	requests map[*circuit.Unit]int32
	data     map[*circuit.Unit]wire
	// drives, if set, is what a recording drives in place of sources, sinks and memories outside.
	drives []Drive
}

func (d *direct) build() {
	for _, ch := range d.c.Channels {
		d.before[ch.ID] = d.newNet()
		d.after[ch.ID] = d.before[ch.ID]
		if ch.Buffer.Kind != circuit.None {
			d.after[ch.ID] = d.newNet()
			d.buffer(ch)
		}
	}
	d.drops()
	if d.drives == nil {
		d.ports()
	}
	d.hold()
	for _, u := range d.c.Units {
		d.unit(u)
	}
	for _, x := range d.c.Shares {
		d.share(x)
	}
	if d.drives != nil {
		d.replayed(d.drives)
	}
	number := uint64(0)
	var reads, chipReads, writes []memoryEffect
	for _, a := range d.c.Arrays {
		if a.External() {
			if d.drives != nil {
				continue
			}
			for _, u := range a.Loads {
				p := &loadPort{accessPort: d.access(u, number)}
				d.add(p)
				reads = append(reads, p)
				number++
			}
			for _, u := range a.Stores {
				p := &storePort{accessPort: d.access(u, number), data: d.data[u]}
				p.store = true
				d.add(p)
				writes = append(writes, p)
				number++
			}
			continue
		}
		chip := &chipArray{cells: make([]uint64, a.Elements)}
		copy(chip.cells, a.Init)
		if a.Restored() {
			chip.initial, chip.restoring = a.Init, true
			d.restored = append(d.restored, chip)
		}
		for _, u := range a.Loads {
			p := &chipLoad{node: d.ends(u), chipArray: chip}
			chip.ports = append(chip.ports, &p.node)
			d.add(p)
			chipReads = append(chipReads, p)
		}
		if len(a.Stores) > 0 {
			p := &chipStores{chipArray: chip, dones: make([]int, len(a.Stores))}
			chip.ports = append(chip.ports, &p.node)
			p.what = "the stores of '" + a.Name + "'"
			p.regFwd, p.regBwd = true, true
			for _, u := range a.Stores {
				n := d.ends(u)
				p.in, p.out = append(p.in, n.in[0]), append(p.out, n.out[0])
				p.data = append(p.data, d.data[u])
			}
			d.add(p)
			writes = append(writes, p)
		}
	}
	// A local array reads what it held before the writes of the cycle, an external one after
	// them what it shows in the next.
	d.s.effects = append(append(chipReads, writes...), reads...)
	if d.finish != nil {
		d.finish.restores = d.restored
	}
}

// hold makes the nets by which units read channels without taking their tokens.
func (d *direct) hold() {
	d.held = map[*circuit.Channel]*held{}
	for _, u := range d.c.Units {
		for _, o := range u.In {
			if !o.Held || d.held[o.Channel] != nil {
				continue
			}
			ch := o.Channel
			h := &held{node{what: "the held value '" + ch.Name + "'", in: []wire{{d.before[ch.ID], mask(ch.Width)}}, out: []int32{d.newNet()}}}
			d.after[ch.ID] = h.out[0]
			d.held[ch] = h
			d.add(h)
		}
	}
}

// drops makes the units that take what nothing reads with what leaves a loop.
func (d *direct) drops() {
	d.exits, d.dropped = map[*circuit.Channel]int32{}, map[*circuit.Unit]int32{}
	taken := map[*circuit.Channel]*together{}
	for _, u := range d.c.Units {
		ch := d.wiring.Drops[u]
		if ch == nil {
			continue
		}
		t := taken[ch]
		if t == nil {
			d.exits[ch] = d.newNet()
			t = &together{node{what: "what leaves a loop with '" + ch.Name + "'", in: []wire{{d.exits[ch], mask(ch.Width)}}, out: []int32{d.before[ch.ID]}}}
			taken[ch] = t
			defer d.add(t)
		}
		d.dropped[u] = d.newNet()
		t.in = append(t.in, wire{d.dropped[u], 0})
	}
}

// ports makes sources and sinks.
func (d *direct) ports() {
	for i, p := range d.c.Inputs {
		out := d.inNets[i]
		if p.Channel != nil {
			out = d.before[p.Channel.ID]
		}
		t := d.tokens[i]
		s := &source{node: node{what: "input '" + p.Name + "'", out: []int32{out}, regFwd: true, regBwd: true},
			env: d.env, port: i, value: t.value, pending: t.present}
		d.sources = append(d.sources, s)
		d.add(s)
	}
	for i, p := range d.c.Outputs {
		s := &sink{node: node{what: "output '" + p.Name + "'", in: []wire{{d.after[p.Channel.ID], mask(p.Width)}}, regFwd: true, regBwd: true},
			env: d.env, port: i, result: d.owed[i]}
		d.sinks = append(d.sinks, s)
		d.add(s)
	}
}

func (d *direct) buffer(ch *circuit.Channel) {
	n := node{comp: d.component(ch.Name + "_buffer"), what: "the buffer of '" + ch.Name + "'",
		in: []wire{{d.before[ch.ID], mask(ch.Width)}}, out: []int32{d.after[ch.ID]}}
	switch b := ch.Buffer; b.Kind {
	case circuit.Pipe, circuit.Elastic:
		// Registers in a row: each passes its token on as the next one becomes empty. The first
		// of an elastic buffer has a second slot.
		first := 1
		if b.Kind == circuit.Elastic {
			first = 2
		}
		for left := b.Slots; ; {
			slots := first
			left, first = left-slots, 1
			if left == 0 {
				d.add(newFIFO(n, slots))
				break
			}
			stage := n
			stage.out = []int32{d.newNet()}
			d.add(newFIFO(stage, slots))
			n.in = []wire{{stage.out[0], mask(ch.Width)}}
		}
	case circuit.Loop:
		n.regFwd, n.regBwd = true, true
		d.add(&loopRegister{node: n})
	case circuit.Transparent:
		n.regBwd = true
		d.add(&transparentFIFO{node: n, q: newQueue(b.Slots)})
	default:
		d.add(newFIFO(n, b.Slots))
	}
}

// component finds a component of the view by name; traces report what it does.
func (d *direct) component(name string) *arch.Component {
	for _, x := range d.view.Comps {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// operand is what a unit reads: a channel, or a net that always holds a number.
func (d *direct) operand(o circuit.Operand) wire {
	if o.Held {
		i := d.newNet()
		d.nets[i].fixed = true
		h := d.held[o.Channel]
		h.out = append(h.out, i)
		return wire{i, mask(o.Width)}
	}
	if o.Channel != nil {
		return wire{d.after[o.Channel.ID], mask(o.Width)}
	}
	i := d.newNet()
	d.nets[i].valid, d.nets[i].data, d.nets[i].fixed = true, o.Value, true
	return wire{i, mask(o.Width)}
}

// node is a unit's operands and results. A result that nothing reads is a net without a
// taker, which is always ready.
func (d *direct) node(u *circuit.Unit) node {
	n := node{comp: d.view.Comps[u.ID], what: string(u.Kind) + " '" + u.Name + "'"}
	for _, o := range u.In {
		n.in = append(n.in, d.operand(o))
	}
	for i, ch := range u.Out {
		exit, exits := d.exits[ch]
		drop, drops := d.dropped[u]
		switch {
		case exits && ch != nil:
			n.out = append(n.out, exit)
		case drops && i == 1:
			n.out = append(n.out, drop)
		case ch == nil:
			n.out = append(n.out, d.newNet())
		default:
			n.out = append(n.out, d.before[ch.ID])
		}
	}
	return n
}

// ends are the request of an access and its response.
func (d *direct) ends(u *circuit.Unit) node {
	n := node{comp: d.component(u.Array.Name), what: "the memory behind '" + u.Name + "'", regFwd: true,
		in: []wire{{d.requests[u], mask(u.Array.AddrWidth)}}}
	out := d.newNet
	if ch := u.Out[0]; ch != nil {
		out = func() int32 { return d.before[ch.ID] }
	}
	n.out = []int32{out()}
	return n
}

func (d *direct) access(u *circuit.Unit, number uint64) accessPort {
	p := accessPort{node: d.ends(u), env: d.env, number: number}
	p.regBwd, p.stream, p.fixed = true, u.Array.Stream, int64(u.Array.Latency)
	p.attach(u.Array.Arg)
	return p
}

func (d *direct) unit(u *circuit.Unit) {
	if u.Share != nil {
		return
	}
	n := d.node(u)
	switch u.Kind {
	case circuit.Constant:
		d.add(&constant{n, u.Value})
	case circuit.Branch:
		d.add(&condBr{n})
	case circuit.Mux:
		d.add(&mux{n})
	case circuit.Join:
		d.add(&join{n})
	case circuit.Merge, circuit.ControlMerge:
		d.add(&merge{node: n})
	case circuit.Primed:
		d.add(newPrimedFIFO(n, u.Slots, u.Words))
	case circuit.Fork:
		decides := d.wiring.Forks[u]
		if decides == nil {
			d.add(&fork{node: n})
			return
		}
		w := &wires{node: n, decides: slices.Index(u.Out, decides)}
		for _, ch := range u.Out {
			w.late = append(w.late, d.wiring.Late[ch])
		}
		d.add(w)
	case circuit.Gate:
		d.add(&gate{node: n})
	case circuit.Carry:
		d.add(&carry{node: n, overlap: true})
	case circuit.Accumulate:
		a, err := newAccumulateParts(n, u.Op)
		if err != nil {
			d.errs.Add(diag.FromError(err).All[0])
			return
		}
		d.add(a)
	case circuit.Invariant:
		d.add(&invariant{node: n})
	case circuit.Interlock:
		d.add(newInterlock(n, u.In[0].Width, units.InterlockDepth, units.InterlockBits))
	case circuit.Finish:
		d.finish = &finish{datapath: datapath{node: n, interval: 1, slots: make([]uint64, len(n.in))}}
		for i := range n.out {
			d.finish.yield = append(d.finish.yield, int32(i))
		}
		d.add(d.finish)
	case circuit.Stream:
		d.stream(u, n)
	case circuit.Compute, circuit.Divide:
		d.compute(u, n)
	case circuit.Load, circuit.Store:
		request := d.newNet()
		d.requests[u] = request
		if u.Kind == circuit.Store {
			d.data[u] = n.in[u.Data()]
		}
		n.out = []int32{request}
		d.add(&accessRequest{n})
	}
}

func (d *direct) compute(u *circuit.Unit, n node) {
	f, err := num.Resolve(u.Op, d.c.IndexWidth)
	if err != nil {
		d.errs.Add(diag.FromError(err).All[0])
		return
	}
	if u.Kind == circuit.Divide {
		n.regFwd = true
		row, _ := units.Lookup(u.Op.Name)
		d.add(&iterative{node: n, form: f, steps: u.Latency - 1, times: row.Times(u.Op, d.c.IndexWidth)})
		return
	}
	step := op{form: f, dst: int32(len(n.in))}
	for k := range n.in {
		step.args[k] = int32(k)
	}
	n.regFwd = u.Latency > 0
	d.add(&datapath{node: n, interval: 1, prog: []op{step}, yield: []int32{step.dst}, slots: make([]uint64, len(n.in)+1),
		full: make([]bool, u.Latency), regs: make([]uint64, u.Latency)})
}

func (d *direct) stream(u *circuit.Unit, n node) {
	step := -1
	for k, s := range stepOps {
		if u.Op.StrAttr("step_op") == s {
			step = k
		}
	}
	var cond uint64
	for k, c := range [...]string{"<", "<=", ">", ">=", "!="} {
		if u.Op.StrAttr("cont_cond") == c {
			cond = 1 << k
		}
	}
	if step < 0 || cond == 0 {
		d.errs.Errorf(u.Pos, "dataflow.stream with step_op %q and cont_cond %q", u.Op.StrAttr("step_op"), u.Op.StrAttr("cont_cond"))
		return
	}
	w, _ := ir.BitWidth(u.Op.Result(0).Type, d.c.IndexWidth)
	n.regFwd = true
	d.add(&stream{node: n, stepOp: step, cond: cond, width: uint(w), mask: mask(w)})
}

// signals says which net every signal of the view is.
func (d *direct) signals() {
	d.s.second = map[int]wire{}
	for i, sig := range d.view.Signals {
		var w wire
		switch {
		case sig.Access != nil:
			w = wire{d.requests[sig.Access], mask(sig.Width)}
			if sig.Second {
				d.s.second[i] = d.data[sig.Access]
			}
		case sig.After:
			w = wire{d.after[sig.Channel.ID], mask(sig.Width)}
		default:
			w = wire{d.before[sig.Channel.ID], mask(sig.Width)}
		}
		d.chans[i] = w
	}
}
