package token

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
)

// kind is what an actor does. handshake.load is two actors, a memory is one
// actor per port.
type kind uint8

const (
	kPure kind = iota
	kConstant
	kJoin
	kBranch
	kMux
	kStream
	kGate
	kCarry
	kInvariant
	kAccumulate
	kInterlock
	kLoadAddress // address and control -> address to memory
	kLoadData    // data from memory -> data
	kStore
	kPortLoad  // memory: address -> data, done
	kPortStore // memory: data, address -> done
	kHold      // once: value -> the same for every firing of its readers
	kReturn
	// Operations of graphs from elsewhere (elsewhere.go).
	kFork         // br and fork
	kLazyFork     // waits until every result has room
	kSink         // drops tokens
	kSync         // a token from every operand to the result beside it
	kMerge        // a token from any operand
	kControlMerge // the same, and the number of the operand
	kBufferIn     // the input side of a buffer; its slots are a channel
	kBufferOut    // the output side
)

// actor is the fixed part of one node of the network.
type actor struct {
	kind kind
	op   *ir.Operation
	// in are the channels it reads, by local operand.
	in []int32
	// out are the channels of each local result.
	out [][]int32
	// operand maps local operands to those of op, for messages.
	operand []int
	form    num.Form
	join    num.Form // of two parts of a sum, of which form makes one from a part and an element
	parts   int      // of a sum
	value   uint64   // of a constant; the neutral one of a sum
	mem     int      // memory of a port
	width   uint     // of a stream's index, of an interlock's subscripts
	step    byte     // step operator of a stream
	cond    string   // continuation of a stream
}

// channel is the fixed part of one (value, use) pair.
type channel struct {
	value    *ir.Value
	use      ir.Use
	from, to int32 // actors; from is -1 for an argument
	result   int   // which of the producer's local results it carries
	// held channels keep their token: their value is the same in the whole run.
	held bool
	// slots is the room of a buffer, for the channel between its two sides; init are the
	// tokens in it before the graph is started, the first to leave first.
	slots int
	init  []uint64
	// endless is a channel that always has a token, the constant.
	endless  bool
	constant uint64
}

// memory is a memory interface; arg is the parameter behind it or -1.
type memory struct {
	op   *ir.Operation
	arg  int
	size int64
	// init are the contents at the start of a run: one element for all, or as
	// many as the memory has; nil is zeros.
	init []uint64
}

// Program is a graph compiled to arrays.
type Program struct {
	fn      *ir.Operation
	actors  []actor
	chans   []channel
	mems    []memory
	sources [][]int32 // channels of each parameter, the control token last
	ret     int32
	// primed: some buffer has initial tokens.
	primed bool
	// merges are the actors whose result depends on the order in which tokens arrive.
	merges []int32
}

type compiler struct {
	p          *Program
	indexWidth int
	errs       diag.List
	byValue    map[*ir.Value][]int32
	byUse      map[ir.Use]int32
	// endless are the values that always have a token, with that token.
	endless map[*ir.Value]uint64
}

// Compile translates a handshake.func into arrays. indexWidth 0 is 64. The error
// lists every operation that cannot be simulated.
func Compile(fn *ir.Operation, indexWidth int) (*Program, error) {
	if indexWidth == 0 {
		indexWidth = 64
	}
	if fn.Name != opname.HandshakeFunc || len(fn.Regions) != 1 || len(fn.Regions[0].Blocks) != 1 {
		return nil, diag.New(fn.Pos, "only a handshake.func with one block can be simulated, not '%s'", fn.Name)
	}
	c := &compiler{
		p: &Program{fn: fn, ret: -1}, indexWidth: indexWidth,
		byValue: map[*ir.Value][]int32{}, byUse: map[ir.Use]int32{},
	}
	body := fn.Regions[0].Entry()
	if n := len(body.Args); n == 0 || body.Args[n-1].Type != ir.Type(ir.None) {
		return nil, diag.New(fn.Pos, "the last parameter of a handshake.func must be its control token of type none")
	}
	for _, op := range body.Ops {
		for i, v := range op.Operands() {
			if v == nil {
				c.errs.Errorf(op.Pos, "'%s' operand #%d is unconnected", op.Name, i)
				continue
			}
			if _, mem := v.Type.(*ir.MemRefType); mem {
				continue
			}
			id := int32(len(c.p.chans))
			c.p.chans = append(c.p.chans, channel{value: v, use: ir.Use{Op: op, Index: i}, from: -1, to: -1})
			c.byValue[v] = append(c.byValue[v], id)
			c.byUse[ir.Use{Op: op, Index: i}] = id
		}
	}
	if c.errs.HasErrors() {
		return nil, &c.errs
	}
	c.findEndless(body)
	for _, op := range body.Ops {
		if !c.elsewhere(op) {
			c.op(op)
		}
	}
	c.hold()
	c.checkEndless()
	if c.p.ret < 0 {
		c.errs.Errorf(fn.Pos, "the graph has no handshake.return")
	}
	if err := c.errs.Err(); err != nil {
		return nil, err
	}
	for _, a := range body.Args {
		c.p.sources = append(c.p.sources, c.byValue[a])
	}
	return c.p, nil
}

// actor adds a node that reads some operands and drives some results of op.
func (c *compiler) actor(k kind, op *ir.Operation, operands, results []int) *actor {
	id := int32(len(c.p.actors))
	a := actor{kind: k, op: op, operand: operands}
	for _, i := range operands {
		ch := c.byUse[ir.Use{Op: op, Index: i}]
		c.p.chans[ch].to = id
		a.in = append(a.in, ch)
	}
	for local, i := range results {
		outs := c.byValue[op.Result(i)]
		for _, ch := range outs {
			c.p.chans[ch].from, c.p.chans[ch].result = id, local
		}
		a.out = append(a.out, outs)
	}
	c.p.actors = append(c.p.actors, a)
	return &c.p.actors[id]
}

func upTo(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// shapes are the operand and result counts of the operations with fixed ones.
var shapes = map[string][3]int{
	opname.HandshakeConstant:  {1, 1, int(kConstant)},
	opname.HandshakeCondBr:    {2, 2, int(kBranch)},
	opname.DataflowStream:     {3, 2, int(kStream)},
	opname.DataflowGate:       {2, 2, int(kGate)},
	opname.DataflowCarry:      {3, 1, int(kCarry)},
	opname.DataflowInvariant:  {2, 1, int(kInvariant)},
	opname.DataflowAccumulate: {3, 1, int(kAccumulate)},
	opname.DataflowInterlock:  {3, 1, int(kInterlock)},
	opname.HandshakeLoad:      {3, 2, -1},
	opname.HandshakeStore:     {3, 2, int(kStore)},
	opname.DataflowHold:       {1, 1, int(kHold)},
}

func (c *compiler) op(op *ir.Operation) {
	shape, fixed := shapes[op.Name]
	if fixed && (op.NumOperands() != shape[0] || op.NumResults() != shape[1]) {
		c.errs.Errorf(op.Pos, "'%s' has %d operands and %d results where %d and %d are expected",
			op.Name, op.NumOperands(), op.NumResults(), shape[0], shape[1])
		return
	}
	switch op.Name {
	case opname.HandshakeLoad:
		c.actor(kLoadAddress, op, []int{0, 2}, []int{1})
		c.actor(kLoadData, op, []int{1}, []int{0})
	case opname.HandshakeConstant:
		a := c.actor(kConstant, op, []int{0}, []int{0})
		a.value = c.constant(op)
	case opname.DataflowHold:
		c.actor(kHold, op, []int{0}, []int{0})
	case opname.DataflowAccumulate:
		c.accumulate(op)
	case opname.DataflowInterlock:
		a := c.actor(kInterlock, op, upTo(3), upTo(1))
		c.interlock(a, op)
	case opname.DataflowStream:
		a := c.actor(kStream, op, upTo(3), upTo(2))
		c.stream(a, op)
	case opname.HandshakeMemory, opname.HandshakeExtmemory:
		c.memory(op)
	case opname.HandshakeJoin:
		if op.NumResults() != 1 || op.NumOperands() == 0 {
			c.errs.Errorf(op.Pos, "'handshake.join' needs operands and one result")
			return
		}
		c.actor(kJoin, op, upTo(op.NumOperands()), []int{0})
	case opname.HandshakeMux:
		if op.NumOperands() < 2 || op.NumOperands() > maxOperands || op.NumResults() != 1 {
			c.errs.Errorf(op.Pos, "'handshake.mux' has %d inputs and %d results; 1 to %d inputs and one result can be simulated",
				op.NumOperands()-1, op.NumResults(), maxOperands-1)
			return
		}
		c.actor(kMux, op, upTo(op.NumOperands()), []int{0})
	case opname.HandshakeReturn:
		if c.p.ret >= 0 {
			c.errs.Errorf(op.Pos, "the graph has more than one handshake.return")
			return
		}
		c.p.ret = int32(len(c.p.actors))
		c.actor(kReturn, op, upTo(op.NumOperands()), nil)
	default:
		if fixed {
			c.actor(kind(shape[2]), op, upTo(shape[0]), upTo(shape[1]))
			return
		}
		form, err := num.Resolve(op, c.indexWidth)
		if err != nil {
			c.errs.Add(diag.FromError(err).All[0])
			return
		}
		if op.NumOperands() == 0 {
			c.errs.Errorf(op.Pos, "'%s' has no operand that sets how often it fires", op.Name).
				WithHelp("constants of a graph are handshake.constant")
			return
		}
		a := c.actor(kPure, op, upTo(op.NumOperands()), upTo(op.NumResults()))
		a.form = form
	}
}

// constant evaluates the value attribute as arith.constant does.
func (c *compiler) constant(op *ir.Operation) uint64 {
	k := ir.NewOp(opname.ArithConstant, op.Pos, nil, []ir.Type{op.Result(0).Type})
	k.SetAttr("value", op.Attr("value"))
	form, err := num.Resolve(k, c.indexWidth)
	if err != nil {
		c.errs.Add(diag.FromError(err).All[0])
		return 0
	}
	return form.Const
}

// hold marks the channels that keep their token: those of a hold, and of constants that one
// fires, which are there once as well. What reads them needs another operand that says how often it
// fires, and must not steer by them.
func (c *compiler) hold() {
	for changed := true; changed; {
		changed = false
		for i := range c.p.actors {
			a := &c.p.actors[i]
			if a.kind == kConstant && c.p.chans[a.in[0]].held {
				a.kind = kHold
			} else if a.kind != kHold || len(a.out[0]) == 0 || c.p.chans[a.out[0][0]].held {
				continue
			}
			for _, ch := range a.out[0] {
				c.p.chans[ch].held = true
			}
			changed = true
		}
	}
	for i := range c.p.actors {
		a := &c.p.actors[i]
		held := 0
		for k, ch := range a.in {
			if !c.p.chans[ch].held {
				continue
			}
			held++
			steers := false
			switch a.kind {
			case kBranch, kGate, kCarry, kInvariant, kAccumulate, kLoadData, kPortLoad, kPortStore, kJoin, kReturn:
				steers = true
			case kMux:
				steers = k == 0
			case kInterlock:
				steers = k != 1 // there is a store for each load
			case kHold:
				steers = a.op.Name == opname.DataflowHold
			}
			if steers {
				c.errs.Errorf(a.op.Pos, "%s takes a held value at %s", describe(a.op), operandName(c.p.chans[ch].use))
			}
		}
		if held > 0 && held == len(a.in) && a.kind != kHold {
			c.errs.Errorf(a.op.Pos, "every operand of %s is held for the run: nothing says how often it fires", describe(a.op))
		}
	}
}

// accumulate compiles a sum in parts.
func (c *compiler) accumulate(op *ir.Operation) {
	n := dataflow.Parts(op)
	if dataflow.AccumulateOp("arith."+op.StrAttr("operation")) == "" || n < 2 || n > dataflow.MaxParts {
		c.errs.Errorf(op.Pos, "a sum by '%s' in %d parts cannot be simulated", op.StrAttr("operation"), n)
		return
	}
	a := c.actor(kAccumulate, op, upTo(3), upTo(1))
	step := dataflow.Step(op)
	var errs [3]error
	a.parts = n
	a.form, errs[0] = num.Resolve(step, c.indexWidth)
	a.join, errs[1] = num.Resolve(dataflow.Join(op), c.indexWidth)
	a.value, errs[2] = num.ConstantBits(&ir.FloatAttr{Value: dataflow.Neutral(step.Name), Type: op.Result(0).Type}, op.Result(0).Type, c.indexWidth)
	for _, err := range errs {
		if err != nil {
			c.errs.Add(diag.FromError(err).All[0])
		}
	}
}

func (c *compiler) interlock(a *actor, op *ir.Operation) {
	w, ok := ir.BitWidth(op.Result(0).Type, c.indexWidth)
	if !ok || w < 1 || w > 64 || !ir.IsInt(op.Result(0).Type) {
		c.errs.Errorf(op.Pos, "an interlock of %s cannot be simulated", op.Result(0).Type)
		return
	}
	a.width = uint(w)
}

func (c *compiler) stream(a *actor, op *ir.Operation) {
	w, ok := ir.BitWidth(op.Result(0).Type, c.indexWidth)
	if !ok || w < 1 || w > 64 || !ir.IsInt(op.Result(0).Type) {
		c.errs.Errorf(op.Pos, "a stream of %s cannot be simulated", op.Result(0).Type)
		return
	}
	a.width = uint(w)
	switch s := op.StrAttr("step_op"); s {
	case "+=", "-=", "*=", "/=", "<<=", ">>=":
		a.step = s[0]
	default:
		c.errs.Errorf(op.Pos, "unknown step_op %q", s).WithHelp("one of += -= *= /= <<= >>=")
	}
	switch a.cond = op.StrAttr("cont_cond"); a.cond {
	case "<", "<=", ">", ">=", "!=":
	default:
		c.errs.Errorf(op.Pos, "unknown cont_cond %q", a.cond).WithHelp("one of < <= > >= !=")
	}
}

func (c *compiler) memory(op *ir.Operation) {
	ld, okL := op.IntAttr("ldCount")
	st, okS := op.IntAttr("stCount")
	m := memory{op: op, arg: -1}
	first := 0
	if op.Name == opname.HandshakeExtmemory {
		first = 1
		if op.NumOperands() == 0 || op.Operand(0).Block == nil {
			c.errs.Errorf(op.Pos, "'%s' does not name a parameter of the graph", op.Name)
			return
		}
		m.arg = op.Operand(0).Index
	} else {
		t, _ := op.Attr("memRefType").(*ir.TypeAttr)
		mt, _ := typeOf(t).(*ir.MemRefType)
		if mt == nil {
			c.errs.Errorf(op.Pos, "'%s' has no memRefType", op.Name)
			return
		}
		n, static := mt.NumElements()
		if !static || n < 0 || n > 1<<28 {
			c.errs.Errorf(op.Pos, "an on-chip memory of type %s cannot be simulated", mt)
			return
		}
		m.size = n
		m.init = c.initial(op, mt.Elem)
	}
	if !okL || !okS || ld < 0 || st < 0 || int64(op.NumOperands()-first) != 2*st+ld || int64(op.NumResults()) != 2*ld+st {
		c.errs.Errorf(op.Pos, "the ports of '%s' do not fit its ldCount %d and stCount %d", op.Name, ld, st)
		return
	}
	id := len(c.p.mems)
	c.p.mems = append(c.p.mems, m)
	for i := range int(st) {
		a := c.actor(kPortStore, op, []int{first + 2*i, first + 2*i + 1}, []int{int(ld) + i})
		a.mem = id
	}
	for i := range int(ld) {
		a := c.actor(kPortLoad, op, []int{first + 2*int(st) + i}, []int{i, int(ld+st) + i})
		a.mem = id
	}
}

// initial evaluates the initial contents of a memory.
func (c *compiler) initial(op *ir.Operation, elem ir.Type) []uint64 {
	attrs, err := handshake.Init(op)
	if err != nil {
		c.errs.Errorf(op.Pos, "'%s': %v", op.Name, err)
		return nil
	}
	out := make([]uint64, len(attrs))
	for i, a := range attrs {
		if out[i], err = num.ConstantBits(a, elem, c.indexWidth); err != nil {
			c.errs.Errorf(op.Pos, "initial element %d of '%s': %v", i, op.Name, err)
			return nil
		}
	}
	return out
}

// contents makes the elements of an on-chip memory at the start of a run.
func (m *memory) contents() []uint64 {
	data := make([]uint64, m.size)
	if len(m.init) == 1 {
		for i := range data {
			data[i] = m.init[0]
		}
	} else {
		copy(data, m.init)
	}
	return data
}

func typeOf(t *ir.TypeAttr) ir.Type {
	if t == nil {
		return nil
	}
	return t.Type
}
