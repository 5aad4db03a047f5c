package circuit

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"loom/compiler/circuit/timing"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// arrivals are the times after a clock edge at which the signals of a circuit settle, with the
// delays of package timing. Every channel has three signals at its producer and three at its
// consumer, which are the same where no buffer stands between: valid, data and ready. Valid
// and data run from producer to consumer, ready back; joins, branches and what else waits for
// several operands lead valid over to ready, conditions lead data over to valid and ready. The
// data of other operands never does. What goes in and out is taken for registers.
type arrivals struct {
	c      *Circuit
	wiring *Wiring
	levels bool // count look-up tables, not ns
	rows   map[timing.Key]timing.Row
	err    error

	into   [][]arc // by signal: what it depends on
	launch []arc   // by signal: from registers, where owner is set
	ends   []arc   // captures, from a signal into the registers of owner
	inside []arc   // paths from the registers of a unit to its registers
	at     []float64
	by     []int // by signal: the arc into it on the longest path, -1 for a launch, -2 for no arrival
}

// arc is a combinational path through a unit or a buffer.
type arc struct {
	from  int // the signal
	delay float64
	owner string // the unit or the buffer, "" for wires
}

// signal numbers a signal of a channel.
type signal int

const (
	validIn  signal = iota // at the producer
	dataIn                 //
	readyIn                //
	validOut               // at the consumer
	dataOut                //
	readyOut               //
	signals
)

func at(ch *Channel, s signal) int { return ch.ID*int(signals) + int(s) }

// port of a unit: the signals of an operand or a result; -1 where there is none.
type port struct{ valid, data, ready int }

// newArrivals times a circuit; rows keeps rows of the table from one time to the next.
func newArrivals(c *Circuit, levels bool, rows map[timing.Key]timing.Row) (*arrivals, error) {
	n := len(c.Channels) * int(signals)
	a := &arrivals{c: c, wiring: c.Wiring(), levels: levels, rows: rows, into: make([][]arc, n), launch: make([]arc, n),
		at: make([]float64, n), by: make([]int, n)}
	for _, ch := range c.Channels {
		a.channel(ch)
	}
	for _, u := range c.Units {
		a.unit(u)
	}
	for _, p := range c.Inputs {
		if ch := p.Channel; ch != nil {
			a.starts(0, p.Name, at(ch, validIn), at(ch, dataIn))
			a.captured(at(ch, readyIn), 0, p.Name)
		}
	}
	for _, p := range c.Outputs {
		a.starts(0, p.Name, at(p.Channel, readyOut))
		a.captured(at(p.Channel, validOut), 0, p.Name)
		a.captured(at(p.Channel, dataOut), 0, p.Name)
	}
	if a.err != nil {
		return nil, a.err
	}
	state := make([]byte, n)
	for s := range a.at {
		a.settle(s, state)
	}
	return a, nil
}

// merged is how much of the delay of control is left in a circuit: the table measures every unit alone
// between registers, but the few gates that valid and ready pass in each of them become common look-up
// tables. Fitted to what nextpnr says of the circuits of testdata/kernels/direct.
const merged = 0.45

// delay is that of valid and ready on a class of paths of a unit, alone that of data.
func (a *arrivals) delay(k timing.Key, p timing.Path) float64 { return merged * a.alone(k, p) }

func (a *arrivals) alone(k timing.Key, p timing.Path) float64 {
	r, ok := a.rows[k]
	if !ok {
		var err error
		if r, err = timing.Lookup(k); err != nil {
			a.err = err
		}
		a.rows[k] = r
	}
	if a.levels {
		return r.Delays[p].Levels
	}
	return r.Delays[p].NS
}

func (a *arrivals) arc(from, to int, delay float64, owner string) {
	if from >= 0 && to >= 0 {
		a.into[to] = append(a.into[to], arc{from, delay, owner})
	}
}

func (a *arrivals) starts(delay float64, owner string, signals ...int) {
	for _, s := range signals {
		if s >= 0 && (a.launch[s].owner == "" || delay > a.launch[s].delay) {
			a.launch[s] = arc{-1, delay, owner}
		}
	}
}

func (a *arrivals) captured(from int, delay float64, owner string) {
	if from >= 0 {
		a.ends = append(a.ends, arc{from, delay, owner})
	}
}

// buffers are the modules of the kinds of buffers.
var buffers = map[Buffering]string{Pipe: "loom_pipe", Elastic: "loom_fifo", Queue: "loom_fifo", Loop: "loom_loop_register", Transparent: "loom_fifo_transparent"}

// row is the row of the table for a buffer.
func (b Buffer) row(width int) timing.Key {
	k := timing.Key{Module: buffers[b.Kind], Width: max(width, 1), N: b.Slots}
	switch b.Kind {
	case Loop:
		k.N = 0
	case Elastic:
		k.N = 2
	}
	return k
}

func (a *arrivals) channel(ch *Channel) {
	if ch.Buffer.Kind == None {
		for s := range validOut {
			if s == readyIn {
				a.arc(at(ch, readyOut), at(ch, readyIn), 0, "")
			} else {
				a.arc(at(ch, s), at(ch, s+validOut), 0, "")
			}
		}
		return
	}
	k, owner := ch.Buffer.row(ch.Width), "the buffer of "+ch.Name
	a.starts(a.delay(k, timing.Launch), owner, at(ch, validOut))
	a.starts(a.alone(k, timing.Launch), owner, at(ch, dataOut))
	a.captured(at(ch, validIn), a.delay(k, timing.Capture), owner)
	a.captured(at(ch, dataIn), a.alone(k, timing.Capture), owner)
	if !ch.Buffer.CutsValid() {
		a.arc(at(ch, validIn), at(ch, validOut), a.delay(k, timing.Forward), owner)
		a.arc(at(ch, dataIn), at(ch, dataOut), a.alone(k, timing.Forward), owner)
	}
	if d := a.delay(k, timing.LaunchReady); d > 0 {
		a.starts(d, owner, at(ch, readyIn))
	}
	a.captured(at(ch, readyOut), a.delay(k, timing.CaptureReady), owner)
	if !ch.Buffer.CutsReady() {
		a.arc(at(ch, readyOut), at(ch, readyIn), a.delay(k, timing.Backward), owner)
	}
}

// operand gives the signals of operand i: none of an immediate, no ready of what is held, no
// data of a constant.
func (a *arrivals) operand(u *Unit, i int) port {
	o := u.In[i]
	if o.Channel == nil {
		return port{-1, -1, -1}
	}
	p := port{at(o.Channel, validOut), at(o.Channel, dataOut), at(o.Channel, readyOut)}
	if o.Held {
		p.ready = -1
	}
	if o.Width == 0 {
		p.data = -1
	}
	return p
}

func (a *arrivals) result(u *Unit, i int) port {
	ch := u.Out[i]
	if ch == nil {
		return port{-1, -1, -1}
	}
	return port{at(ch, validIn), at(ch, dataIn), at(ch, readyIn)}
}

// waits connects what waits for several operands (in) and yields results (out), with the
// delays of a row: valid to valid, valid to ready, ready to ready. The data of the operands in
// decides leads where valid does.
func (a *arrivals) waits(u *Unit, k timing.Key, in, out, decides []port) {
	for _, p := range in {
		for _, r := range out {
			a.arc(p.valid, r.valid, a.delay(k, timing.Forward), u.Name)
			a.arc(r.ready, p.ready, a.delay(k, timing.Backward), u.Name)
		}
		for _, o := range in {
			a.arc(p.valid, o.ready, a.delay(k, timing.Through), u.Name)
		}
		for _, d := range decides {
			a.arc(d.data, p.ready, a.delay(k, timing.Through), u.Name)
		}
	}
	for _, d := range decides {
		for _, r := range out {
			a.arc(d.data, r.valid, a.delay(k, timing.Forward), u.Name)
		}
	}
}

// state adds the registers of a unit: those that decide about valid and ready.
func (a *arrivals) state(u *Unit, k timing.Key, in, out, decides []port) {
	for _, p := range in {
		a.starts(a.delay(k, timing.LaunchReady), u.Name, p.ready)
		a.captured(p.valid, a.delay(k, timing.Capture), u.Name)
	}
	for _, d := range decides {
		a.captured(d.data, a.delay(k, timing.Capture), u.Name)
	}
	for _, r := range out {
		a.starts(a.delay(k, timing.Launch), u.Name, r.valid)
		a.captured(r.ready, a.delay(k, timing.CaptureReady), u.Name)
	}
}

// joined are operands of which all have to be there before something happens, as a join of
// them does it.
func (a *arrivals) joined(u *Unit, in, out []port) {
	var tokens []port
	for _, p := range in {
		if p.valid >= 0 {
			tokens = append(tokens, p)
		}
	}
	if len(tokens) == 1 {
		for _, r := range out {
			a.arc(tokens[0].valid, r.valid, 0, "")
			a.arc(r.ready, tokens[0].ready, 0, "")
		}
		return
	}
	a.waits(u, timing.Key{Module: "loom_join", N: len(tokens)}, tokens, out, nil)
}

// row is the row of the table for a unit with operations of its own.
func (u *Unit) row() timing.Key {
	width, channels := 0, 0
	for _, o := range u.In {
		if o.Channel != nil {
			channels++
		}
		width = max(width, o.Width)
	}
	k := timing.Key{Width: max(width, 1)}
	switch u.Kind {
	case Fork:
		k = timing.Key{Module: "loom_fork", N: len(u.Out)}
	case Branch:
		k.Module = "loom_cond_br"
	case Mux:
		k.Module, k.N = "loom_mux", max(len(u.In)-1, 2)
	case Gate:
		k.Module = "loom_gate"
	case Interlock:
		k.Module = "loom_interlock"
	case Carry:
		k.Module = "loom_carry"
	case Accumulate:
		row, _ := units.Lookup(dataflow.Step(u.Op).Name)
		k.Module, k.Width = row.Module, units.FloatWidth(u.Op)
	case Invariant:
		k.Module = "loom_invariant"
	case Divide:
		row, _ := units.Lookup(u.Op.Name)
		if k.Module = row.Module; row.Types.Float() {
			k.Width = units.FloatWidth(u.Op)
		}
	case Stream:
		k.Module, k.Variant = "loom_stream", u.Op.StrAttr("step_op")
		if k.Variant == "/=" {
			k.Variant = "*=" // not in the table; slower
		}
		if u.In[1].Immediate() {
			k.Variant += " step"
			if u.In[2].Immediate() {
				k.Variant += ", bound"
			}
		}
		if u.Lookahead {
			k.Variant += " ahead"
		}
	case Compute:
		row := u.Row()
		k.Module, k.N = row.Module, channels
		if row.Types.Float() {
			k.Width = units.FloatWidth(u.Op)
		}
		if row.Inside {
			k.N = 0
		}
		switch u.Op.Name {
		case opname.ArithCmpI:
			if p, _ := u.Op.IntAttr("predicate"); p < 2 {
				k.Variant = "eq"
			}
		case opname.ArithMulI:
			if u.Latency > 0 {
				k.Module, k.N = "loom_mul", 0
			}
		}
	}
	return k
}

// client is a unit that a shared one does the work of: what it reads goes through the choice among
// the clients, whose operands decide when it is its turn; a result that passes in its cycle goes
// through the choice between slot and unit.
func (a *arrivals) client(u *Unit, k timing.Key, in []port, out port) {
	choice := timing.Key{Module: "loom_mux", Width: u.Share.Width, N: max(len(u.Share.Clients), 2)}
	turn := a.delay(k, timing.Through) + a.delay(choice, timing.Through)
	taken := a.alone(k, timing.Capture)
	if u.Share.Registered() {
		taken = a.alone(timing.Key{Module: "loom_pipe", Width: u.Share.Width, N: 1}, timing.Capture)
		a.inside = append(a.inside, arc{-1, a.alone(k, timing.Capture), u.Name})
	}
	for _, p := range in {
		a.captured(p.data, a.alone(choice, timing.Forward)+taken, u.Name)
		a.captured(p.valid, turn+a.alone(choice, timing.Forward)+taken, u.Name)
		a.starts(turn, u.Name, p.ready)
		for _, x := range u.Share.Clients {
			for i := range x.Unit.In {
				a.arc(a.operand(x.Unit, i).valid, p.ready, turn, u.Name)
			}
		}
	}
	a.inside = append(a.inside, arc{-1, a.alone(k, timing.Inside), u.Name})
	passes := 0.0
	if u.Client.Bypass {
		passes = a.alone(timing.Key{Module: "loom_mux", Width: u.Share.Width, N: 2}, timing.Forward)
	}
	a.starts(a.delay(k, timing.Launch)+passes, u.Name, out.valid)
	a.starts(a.alone(k, timing.Launch)+passes, u.Name, out.data)
	a.captured(out.ready, a.delay(choice, timing.Capture)+passes, u.Name)
}

// register is a register with nothing before it.
var register = timing.Key{Module: "loom_pipe", Width: 1, N: 1}

func (a *arrivals) unit(u *Unit) {
	var in, out []port
	for i := range u.In {
		in = append(in, a.operand(u, i))
	}
	for i := range u.Out {
		out = append(out, a.result(u, i))
	}
	k := u.row()
	if u.Share != nil {
		a.client(u, k, in, out[0])
		return
	}
	data := func(from, to port, delay float64) {
		owner := u.Name
		if delay == 0 {
			owner = ""
		}
		a.arc(from.data, to.data, delay, owner)
	}
	switch u.Kind {
	case Constant:
		a.joined(u, in, out)
	case Join:
		a.joined(u, in, out)
	case Fork:
		if a.wiring.Forks[u] != nil {
			a.wires(u, in[0], out)
		} else {
			a.waits(u, k, in, out, nil)
			a.state(u, k, in, out, nil)
		}
		for _, r := range out {
			data(in[0], r, 0)
		}
	case Branch:
		a.waits(u, k, in, out, in[:1])
		if ch := a.wiring.Drops[u]; ch != nil {
			for _, p := range in {
				a.arc(at(ch, readyIn), p.ready, a.delay(k, timing.Backward), u.Name)
			}
		}
		for _, r := range out {
			data(in[1], r, 0)
		}
	case Mux:
		a.waits(u, k, in, out, in[:1])
		for _, p := range in {
			data(p, out[0], a.alone(k, timing.Forward))
		}
	case Gate:
		a.waits(u, k, in, out, in[1:])
		a.state(u, k, in, out, in[1:])
		data(in[0], out[0], 0)
		data(in[1], out[1], 0)
	case Carry, Invariant:
		// The condition is taken without regard to the others; no ready depends on an operand
		// other than the condition.
		a.waits(u, k, in[:1], out, in[:1])
		for _, p := range in[1:] {
			a.arc(p.valid, out[0].valid, a.delay(k, timing.Forward), u.Name)
			a.arc(in[0].valid, p.ready, a.delay(k, timing.Through), u.Name)
			a.arc(in[0].data, p.ready, a.delay(k, timing.Through), u.Name)
			a.arc(out[0].ready, p.ready, a.delay(k, timing.Backward), u.Name)
			data(p, out[0], a.alone(k, timing.Forward))
		}
		if u.Kind == Carry {
			data(in[0], out[0], a.alone(k, timing.Forward))
		}
		a.state(u, k, in, out, in[:1])
		a.starts(a.alone(k, timing.Launch), u.Name, out[0].data)
	case Accumulate:
		// The operands go through a choice each to the operation, whose last register is the result. All are taken
		// together.
		choice := a.alone(timing.Key{Module: "loom_mux", Width: k.Width, N: 2}, timing.Forward)
		step := timing.Key{Module: k.Module, Width: k.Width}
		k = timing.Key{Module: "loom_carry", Width: 1}
		for _, p := range in {
			for _, o := range in {
				a.arc(o.valid, p.ready, a.delay(timing.Key{Module: "loom_join", N: len(in)}, timing.Through), u.Name)
			}
			a.arc(in[0].data, p.ready, a.delay(k, timing.Through), u.Name)
		}
		for _, p := range in[1:] {
			a.captured(p.data, choice+a.alone(step, timing.Capture), u.Name)
		}
		a.inside = append(a.inside, arc{-1, choice + a.alone(step, timing.Capture), u.Name}, arc{-1, a.alone(step, timing.Inside), u.Name})
		a.state(u, k, in, out, in[:1])
		a.starts(a.alone(k, timing.Launch), u.Name, out[0].data)
	case Interlock:
		// Whether a load may pass follows the subscripts of load and store, and those kept. It is compared with all of these,
		// which is no gate that others take in. The load alone waits for that: the others are taken as registers say.
		passes, taken := out[0], in[0]
		for _, p := range in[:2] {
			a.arc(p.valid, passes.valid, a.delay(k, timing.Forward), u.Name)
			a.arc(p.valid, taken.ready, a.delay(k, timing.Through), u.Name)
			a.arc(p.data, passes.valid, a.alone(k, timing.Forward), u.Name)
			a.arc(p.data, taken.ready, a.alone(k, timing.Through), u.Name)
			a.captured(p.data, a.alone(k, timing.Capture), u.Name)
		}
		a.arc(passes.ready, taken.ready, a.delay(k, timing.Backward), u.Name)
		a.starts(a.alone(k, timing.Launch), u.Name, passes.valid)
		a.starts(a.alone(k, timing.LaunchReady), u.Name, taken.ready)
		a.captured(passes.ready, a.delay(k, timing.CaptureReady), u.Name)
		for i, p := range in {
			a.captured(p.valid, a.delay(k, timing.Capture), u.Name)
			if i > 0 {
				a.starts(a.delay(timing.Key{Module: "loom_carry", Width: 1}, timing.LaunchReady), u.Name, p.ready)
			}
		}
		a.inside = append(a.inside, arc{-1, a.alone(k, timing.Inside), u.Name})
		data(in[0], out[0], 0)
	case Stream:
		a.state(u, k, in, nil, nil)
		a.inside = append(a.inside, arc{-1, a.alone(k, timing.Inside), u.Name})
		for i, p := range in {
			a.arc(in[0].valid, p.ready, a.delay(k, timing.Through), u.Name)
			a.captured(p.data, a.alone(k, timing.Capture), u.Name)
			for _, r := range out {
				a.arc(r.ready, p.ready, a.delay(k, timing.Backward), u.Name)
				if i == 0 {
					a.captured(r.ready, a.delay(k, timing.CaptureReady), u.Name)
				}
			}
		}
		for i, r := range out {
			a.starts(a.delay(timing.Key{Module: "loom_fork", N: 2}, timing.Launch), u.Name, r.valid)
			if i == 0 {
				a.starts(a.alone(register, timing.Launch), u.Name, r.data)
			} else {
				a.starts(a.alone(k, timing.Launch), u.Name, r.data)
			}
		}
	case Divide:
		a.inside = append(a.inside, arc{-1, a.alone(k, timing.Inside), u.Name})
		a.waits(u, k, in, nil, nil)
		a.state(u, k, in, out, nil)
		for _, p := range in {
			a.captured(p.data, a.alone(k, timing.Capture), u.Name)
			a.arc(out[0].ready, p.ready, a.delay(k, timing.Backward), u.Name)
		}
		a.starts(a.alone(k, timing.Launch), u.Name, out[0].data)
	case Compute:
		a.compute(u, k, in, out)
	case Load, Store:
		a.access(u, in, out[0])
	case Finish:
		k := timing.Key{Module: "loom_join", N: len(in)}
		fork := timing.Key{Module: "loom_fork", N: max(len(out), 2)}
		a.waits(u, k, in, out, nil)
		for _, r := range out {
			a.starts(a.delay(fork, timing.Launch), u.Name, r.valid)
			for _, p := range in {
				a.starts(a.delay(fork, timing.LaunchReady), u.Name, p.ready)
			}
		}
		for i, r := range out {
			data(in[i], r, 0)
		}
	case Merge, ControlMerge:
		// As a mux with the selection behind it.
		k := timing.Key{Module: "loom_mux", Width: k.Width, N: max(len(in), 2)}
		a.waits(u, k, in, out, nil)
		a.state(u, timing.Key{Module: "loom_fork", N: 2}, in, out, nil)
		for _, p := range in {
			data(p, out[0], a.alone(k, timing.Forward))
		}
	case Primed:
		k := timing.Key{Module: "loom_fifo", Width: k.Width, N: max(u.Slots, 2)}
		a.state(u, k, in, out, in)
		a.starts(a.alone(k, timing.Launch), u.Name, out[0].data)
	}
}

// wires are a fork without memory: ready is that of one reader.
func (a *arrivals) wires(u *Unit, in port, out []port) {
	decides := a.wiring.Forks[u]
	k := timing.Key{Module: "loom_join", N: 2}
	a.arc(at(decides, readyIn), in.ready, 0, "")
	for i, r := range out {
		if !a.wiring.Late[u.Out[i]] {
			a.arc(in.valid, r.valid, 0, "")
			continue
		}
		a.arc(in.valid, r.valid, a.delay(k, timing.Forward), u.Name)
		a.arc(in.ready, r.valid, a.delay(k, timing.Backward), u.Name)
	}
}

func (a *arrivals) compute(u *Unit, k timing.Key, in, out []port) {
	r := out[0]
	if u.Latency == 0 {
		forward := a.alone(k, timing.Forward)
		if _, plus, minus, ok := u.Scale(); ok { // adders in a row
			add := timing.Key{Module: "loom_op_addi", Width: k.Width, N: 2}
			forward = float64(max(bits.OnesCount64(plus)+bits.OnesCount64(minus)-1, 0)) * a.alone(add, timing.Forward)
		}
		if a.wiring.Units[u] { // one valid and one ready for the loop, which are those of its branches
			for _, p := range in {
				a.arc(p.valid, r.valid, 0, "")
				a.arc(r.ready, p.ready, 0, "")
			}
		} else {
			a.joined(u, in, out)
		}
		for _, p := range in {
			a.arc(p.data, r.data, forward, u.Name)
		}
		return
	}
	if k.Module == "loom_mul" {
		a.inside = append(a.inside, arc{-1, a.alone(k, timing.Inside), u.Name})
	}
	pipe, before := timing.Key{Module: "loom_pipe", Width: k.Width, N: u.Latency}, a.alone(k, timing.Forward)
	if k.Module == "loom_mul" {
		pipe, before = k, 0
	} else if u.Row().Inside {
		pipe.Width = 1 // the handshake alone
		before = a.alone(k, timing.Capture)
		a.inside = append(a.inside, arc{-1, a.alone(k, timing.Inside), u.Name})
	}
	for _, p := range in {
		a.captured(p.data, before+a.alone(pipe, timing.Capture), u.Name)
		a.captured(p.valid, a.delay(register, timing.Capture), u.Name)
		for _, o := range in {
			if len(in) > 1 {
				a.arc(o.valid, p.ready, a.delay(timing.Key{Module: "loom_join", N: len(in)}, timing.Through), u.Name)
			}
		}
		a.arc(r.ready, p.ready, a.delay(pipe, timing.Backward), u.Name)
		a.starts(a.delay(pipe, timing.LaunchReady), u.Name, p.ready)
	}
	a.starts(a.delay(pipe, timing.Launch), u.Name, r.valid)
	a.starts(a.alone(pipe, timing.Launch), u.Name, r.data)
	a.captured(r.ready, a.delay(pipe, timing.CaptureReady), u.Name)
}

// access is a load or store: operands joined to a request, and a memory.
func (a *arrivals) access(u *Unit, in []port, out port) {
	// The request is taken outside as it comes, and its ready comes from a register outside.
	memory := u.Array.Name
	join := timing.Key{Module: "loom_join", N: len(in)}
	wait, through, back := 0.0, 0.0, 0.0
	if len(in) > 1 {
		wait, through, back = a.delay(join, timing.Forward), a.delay(join, timing.Through), a.delay(join, timing.Backward)
	}
	ram := timing.Key{Module: "loom_fifo", Width: u.Array.Width, N: int(min(max(u.Array.Elements, 2), 64))}
	local := !u.Array.External()
	for _, p := range in {
		capture := 0.0
		if local {
			capture = a.alone(ram, timing.Capture)
		}
		a.captured(p.valid, wait+merged*capture, memory)
		a.captured(p.data, capture, memory)
		for _, o := range in {
			if len(in) > 1 {
				a.arc(o.valid, p.ready, through, u.Name)
			}
		}
		if local {
			a.starts(back+a.delay(register, timing.LaunchReady), memory, p.ready)
			if u.Kind == Load {
				a.arc(out.ready, p.ready, back+a.delay(register, timing.Backward), u.Name)
				a.captured(out.ready, a.delay(register, timing.CaptureReady), memory)
			}
			// Of several stores the first with a request writes.
			if u.Kind == Store {
				for _, other := range u.Array.Stores {
					for i := range other.In {
						if other != u {
							a.arc(a.operand(other, i).valid, p.ready, through+wait, memory)
						}
					}
				}
			}
		} else {
			a.starts(back, memory, p.ready)
		}
	}
	if local {
		a.starts(a.alone(register, timing.Launch), memory, out.valid, out.data)
	} else {
		a.starts(0, memory, out.valid, out.data)
	}
	a.captured(out.ready, 0, memory)
}

// settle finds when a signal settles.
func (a *arrivals) settle(s int, state []byte) {
	if state[s] != 0 {
		return
	}
	state[s] = 1
	a.by[s] = -2
	if l := a.launch[s]; l.owner != "" {
		a.at[s], a.by[s] = l.delay, -1
	}
	for i, x := range a.into[s] {
		a.settle(x.from, state)
		if state[x.from] != 2 || a.by[x.from] == -2 {
			continue // a combinational loop, which CheckBuffers reports, or a constant
		}
		if t := a.at[x.from] + x.delay; a.by[s] == -2 || t > a.at[s] {
			a.at[s], a.by[s] = t, i
		}
	}
	state[s] = 2
}

// critical is a path from registers to registers.
type critical struct {
	// Delay is the sum of the table's delays along it.
	Delay float64
	// signals are those it runs through, from the launch on.
	signals []int
	// Owners are the units and buffers along it, the first and the last with their registers.
	Owners []string
	// end names where it ends: the signal and the registers behind.
	end string
}

// worst is the longest path.
func (a *arrivals) worst() critical { return a.longest(nil) }

// longest is the longest path of those that do not end in one of the ends to leave out.
func (a *arrivals) longest(without map[string]bool) critical {
	var end arc
	best := -1.0
	for _, e := range a.ends {
		if a.by[e.from] != -2 && a.at[e.from]+e.delay > best && !without[a.end(e)] {
			best, end = a.at[e.from]+e.delay, e
		}
	}
	p := critical{}
	if best >= 0 {
		p = a.path(end)
	}
	for _, x := range a.inside {
		if x.delay > p.Delay && !without[x.owner] {
			p = critical{Delay: x.delay, Owners: []string{x.owner}, end: x.owner}
		}
	}
	return p
}

// end names the end of a path, the same with every placement of buffers.
func (a *arrivals) end(e arc) string {
	return fmt.Sprintf("%s %d %s", a.c.Channels[e.from/int(signals)].Name, e.from%int(signals), e.owner)
}

func (a *arrivals) path(end arc) critical {
	p := critical{Delay: a.at[end.from] + end.delay, Owners: []string{end.owner}, end: a.end(end)}
	s := end.from
	for {
		p.signals = append(p.signals, s)
		i := a.by[s]
		if i < 0 {
			p.Owners = append(p.Owners, a.launch[s].owner)
			break
		}
		if x := a.into[s][i]; x.owner != "" {
			p.Owners = append(p.Owners, x.owner)
		}
		s = a.into[s][i].from
	}
	slices.Reverse(p.signals)
	slices.Reverse(p.Owners)
	p.Owners = slices.Compact(p.Owners)
	return p
}

func (p critical) String() string { return strings.Join(p.Owners, ", ") }
