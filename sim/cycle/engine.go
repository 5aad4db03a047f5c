package cycle

import (
	"math/bits"

	"loom/compiler/arch"
	"loom/sim/trace"
)

// net is one valid/ready/data connection from the unit that drives it to the
// unit that takes it. Plain wires of the fabric (a routed switch input with one
// taker, a bypassed FIFO, a PE selector) join channels into one net, so that
// only what decides or stores costs time. A tag stands beside the data, since both
// together can exceed a word; it is 0 on untagged channels.
type net struct {
	data         uint64
	valid, ready bool
	fixed        bool // an immediate or held operand: no token is taken
	tag          uint16
	src, dst     int32 // unit numbers, -1 for none
	fwd          int32 // the unit whose forward part reads this net, -1 for none
	bwd          int32 // the unit whose backward part reads this net's ready
}

// wire is a net as one port sees it: ports narrower than the driver cut the
// data, wider ones read zeros above it. Widths only ever take away high bits, so
// one mask stands for a whole path. Tags have one width along a path and are never
// cut.
type wire struct {
	net  int32
	mask uint64
}

// wake is what a unit needs after its clock edge.
type wake uint8

const (
	// dirty: the state changed, outputs must be evaluated again.
	dirty wake = 1 << iota
	// tick: the unit must be clocked next cycle even without a transfer.
	tick
)

// unit is one primitive of the library. forward drives valid and data of its
// outputs from state and inputs, backward drives ready of its inputs from all it
// sees, clock changes the state. Between two clock edges the first two may run
// any number of times and must not remember that they did.
type unit interface {
	base() *node
	forward(e *engine)
	backward(e *engine)
	clock(e *engine) wake
	idle() bool
	// needs appends the inputs the unit cannot go on without in its present
	// state, whether or not they hold a token; for reports of blocked runs.
	needs(e *engine, buf []wire) []wire
}

// node is what all units have in common.
type node struct {
	id   int32           // unit number
	comp *arch.Component // nil for the environment
	what string          // how reports name the unit
	in   []wire
	out  []int32
	// regFwd: no input reaches an output within a cycle; regBwd: no output's
	// ready reaches an input's.
	regFwd, regBwd bool
}

func (n *node) base() *node { return n }

// bitset is a set of small integers that iterates in order.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) set(i int32)   { b[i>>6] |= 1 << (i & 63) }
func (b bitset) clear(i int32) { b[i>>6] &^= 1 << (i & 63) }

// engine evaluates units. Units are numbered in forward order; border maps them
// to their position in the backward order. Only what may have changed is evaluated:
// a unit whose inputs or state did, and everything downstream of a change.
type engine struct {
	nets   []net
	units  []unit
	border []int32 // unit number -> position in the backward order
	bunits []unit  // in backward order
	cycle  int64

	fdirty, bdirty bitset // by forward and by backward position
	offered        bitset // nets with valid
	moving         bitset // nets with valid and ready
	ticking, clk   bitset // units to clock in any case; scratch
	awake          []int32
	clockAll       bool // for tests: clock every unit in every cycle

	errCode int
	errUnit *node
	record  func(trace.Event)
	bus     func(BusTransfer)
	caches  []*readCache
}

// val is the data a port reads.
func (e *engine) val(w wire) uint64 { return e.nets[w.net].data & w.mask }

// tag is the tag a port reads.
func (e *engine) tag(w wire) uint16 { return e.nets[w.net].tag }

func (e *engine) valid(w wire) bool { return e.nets[w.net].valid }

// drive sets valid and data of an untagged net. Data of an invalid net is 0, so
// that it wakes no unit.
func (e *engine) drive(i int32, valid bool, data uint64) {
	if !valid {
		data = 0
	}
	n := &e.nets[i]
	if n.valid == valid && n.data == data {
		return
	}
	e.change(i, valid, data)
}

// driveTagged sets valid, data and tag of a net.
func (e *engine) driveTagged(i int32, valid bool, data uint64, tag uint16) {
	if !valid {
		data, tag = 0, 0
	}
	n := &e.nets[i]
	if n.valid == valid && n.data == data && n.tag == tag {
		return
	}
	n.tag = tag
	e.change(i, valid, data)
}

// change gives a net a new value and wakes its readers.
func (e *engine) change(i int32, valid bool, data uint64) {
	n := &e.nets[i]
	if n.valid != valid {
		n.valid = valid
		if valid {
			e.offered.set(i)
		} else {
			e.offered.clear(i)
		}
		if valid && n.ready {
			e.moving.set(i)
		} else {
			e.moving.clear(i)
		}
	}
	n.data = data
	if n.fwd >= 0 {
		e.fdirty.set(n.fwd)
	}
	if n.dst >= 0 {
		e.bdirty.set(e.border[n.dst])
	}
}

// accept sets ready of a net.
func (e *engine) accept(w wire, ready bool) {
	n := &e.nets[w.net]
	if n.ready == ready {
		return
	}
	n.ready = ready
	if ready && n.valid {
		e.moving.set(w.net)
	} else {
		e.moving.clear(w.net)
	}
	if n.bwd >= 0 {
		e.bdirty.set(e.border[n.bwd])
	}
}

// moved reports whether the net transfers in this cycle.
func (e *engine) moved(i int32) bool { return e.nets[i].valid && e.nets[i].ready }

// raise reports a hardware error in this cycle; the smallest code counts.
func (e *engine) raise(code int, n *node) {
	if e.errCode == 0 || code < e.errCode {
		e.errCode, e.errUnit = code, n
	}
}

// settle evaluates the combinational part of a cycle: valid and data in forward
// order, then ready in backward order. A unit that was evaluated forward is
// evaluated backward too, since ready may depend on everything.
func (e *engine) settle() {
	for w := range e.fdirty {
		for e.fdirty[w] != 0 {
			i := int32(w<<6 + bits.TrailingZeros64(e.fdirty[w]))
			e.fdirty.clear(i)
			e.units[i].forward(e)
			e.bdirty.set(e.border[i])
		}
	}
	for w := range e.bdirty {
		for e.bdirty[w] != 0 {
			i := w<<6 + bits.TrailingZeros64(e.bdirty[w])
			e.bdirty.clear(int32(i))
			e.bunits[i].backward(e)
		}
	}
}

// edge clocks the units next to a transfer and those that requested it, and
// reports whether anything may be different in the next cycle.
func (e *engine) edge() (progress bool) {
	quiet := e.quiet()
	copy(e.clk, e.ticking)
	clear(e.ticking)
	for w, word := range e.moving {
		for ; word != 0; word &= word - 1 {
			n := &e.nets[w<<6+bits.TrailingZeros64(word)]
			progress = true
			if n.src >= 0 {
				e.clk.set(n.src)
			}
			if n.dst >= 0 {
				e.clk.set(n.dst)
			}
		}
	}
	if e.clockAll {
		for i := range e.units {
			e.clk.set(int32(i))
		}
	}
	for w, word := range e.clk {
		for ; word != 0; word &= word - 1 {
			i := int32(w<<6 + bits.TrailingZeros64(word))
			wk := e.units[i].clock(e)
			if wk != 0 {
				progress = true
			}
			if wk&dirty != 0 {
				e.fdirty.set(i)
			}
			if wk&tick != 0 {
				e.ticking.set(i)
			}
		}
	}
	if quiet {
		for _, c := range e.caches {
			c.drop()
		}
	}
	e.cycle++
	// Units that look at the cycle number are evaluated in every cycle.
	for _, i := range e.awake {
		e.fdirty.set(i)
	}
	return progress
}

// quiet reports whether read caches are dropped at the edge: no unit holds a token, so that one run is
// over and the host may write what the next one reads.
func (e *engine) quiet() bool {
	for _, c := range e.caches {
		if c.live {
			return e.idle()
		}
	}
	return false
}

// attend has a unit clocked at the coming edge though nothing of it transfers.
func (e *engine) attend(id int32) { e.ticking.set(id) }

// idle reports whether no unit holds a token.
func (e *engine) idle() bool {
	for _, u := range e.units {
		if !u.idle() {
			return false
		}
	}
	return true
}

// offer is the state of outputs that are offered independently: bit i remembers
// that output i was taken while the firing waits for the others.
type offer uint64

// wants reports whether output i is still to be offered.
func (o offer) wants(i int) bool { return o>>i&1 == 0 }

// complete reports whether every output was taken or is being taken.
func (o offer) complete(e *engine, out []int32) bool {
	for i, n := range out {
		if o.wants(i) && !e.nets[n].ready {
			return false
		}
	}
	return true
}

// advance is the next state of a firing that is on offer.
func (o offer) advance(e *engine, out []int32) (next offer, completed bool) {
	next = o
	all := offer(1)<<len(out) - 1
	for i, n := range out {
		if o.wants(i) && e.nets[n].ready {
			next |= 1 << i
		}
	}
	if next == all {
		return 0, true
	}
	return next, false
}

// changed is the wake of a unit whose state has changed or not.
func changed(c bool) wake {
	if c {
		return dirty
	}
	return 0
}
