package circuit

import (
	"fmt"
	"slices"

	"loom/compiler/analysis/reuse"
	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// Options are how a circuit is built.
type Options struct {
	// IndexWidth is the width of index values in bits; 0 is 64.
	IndexWidth int
	// Latency is the memory that the buffers are sized for; the zero value is
	// latency.Default.
	Latency latency.Profile
	// Fixed are the latencies in cycles of arrays outside that always answer after so many, by the
	// position of the argument.
	Fixed map[int]int
	// Wait are the cycles that an access to an array outside takes longer than Latency, by the position
	// of the argument: what stands between circuit and memory.
	Wait map[int]Wait
	// Servers are what serves the accesses to arrays outside.
	Servers []Server
	// Clock is the target that the buffers are placed for.
	Clock Clock
	// Dividers is which divisions and square roots of floats are pipelined.
	Dividers Dividers
	// NoShare gives every multiplication and division a unit of its own.
	NoShare bool
	// ShareAll shares whatever can be, though loops become slower and nothing is saved: for tests.
	ShareAll bool
	// LaterAll makes every choice later that can be (Estimate.Later), though nothing is gained: for tests.
	LaterAll bool
	// Place puts the buffers; nil is Place.
	Place func(*Circuit, Options) error
}

// Wait are cycles of a load and of a store.
type Wait struct{ Load, Store int }

// Server is what serves all loads, or all stores, of arrays outside: a bus, a cache.
type Server struct {
	// PerCycle is how many accesses to an array that follow each other it serves in a cycle at most if there are no others,
	// by the position of the argument; of any other it serves one.
	PerCycle map[int]int
	// Stores: it serves stores, else loads.
	Stores bool
	// Turn is how many cycles an access waits for each of the others, whose turn comes first.
	Turn int
}

// accesses are those to an array that a server serves, if it serves any of them.
func (x *Server) accesses(a *Array) []*Unit {
	switch {
	case !a.External() || x.PerCycle[a.Arg] == 0:
		return nil
	case x.Stores:
		return a.Stores
	}
	return a.Loads
}

// Build makes the circuit of a handshake.func that dfg.Verify accepts, with buffers. The
// graph is not changed. Errors name the operations that have no hardware.
func Build(fn *ir.Operation, o Options) (*Circuit, error) {
	if o.IndexWidth == 0 {
		o.IndexWidth = 64
	}
	if o.Place == nil {
		o.Place = Place
	}
	if o.LaterAll {
		fn = allLater(fn, o.IndexWidth)
	}
	c, err := build(fn, o)
	if err != nil {
		return nil, err
	}
	return deferred(fn, c, o)
}

func build(fn *ir.Operation, o Options) (*Circuit, error) {
	b := &builder{
		fn: fn, body: fn.Regions[0].Entry(), width: o.IndexWidth, fixed: o.Fixed,
		c:    &Circuit{Name: arch.LegalName(fn.SymName()), IndexWidth: o.IndexWidth},
		live: map[*ir.Value]bool{}, units: map[*ir.Operation]*Unit{}, from: map[*ir.Value]End{}, users: map[End][]reader{},
		accesses: map[*ir.Operation]string{},
	}
	b.addresses = reuse.New(fn)
	b.alias()
	b.mark()
	b.ports()
	for _, op := range b.body.Ops {
		b.unit(op)
	}
	if err := b.errs.Err(); err != nil {
		return nil, err
	}
	b.connect()
	b.dissolve()
	if err := b.c.Check(); err != nil {
		return nil, err
	}
	pipeline(b.c, o)
	if !o.NoShare {
		share(b.c, o)
	}
	if err := o.Place(b.c, o); err != nil {
		return nil, err
	}
	tighten(b.c)
	return b.c, b.c.CheckBuffers()
}

type builder struct {
	fn    *ir.Operation
	body  *ir.Block
	width int
	fixed map[int]int
	// addresses are those of the graph.
	addresses *reuse.Addresses
	c         *Circuit
	errs      diag.List
	// same leads from the results of memories and loads to the one value that the load's
	// unit yields.
	same map[*ir.Value]*ir.Value
	// access is the memory and the port of a load or store.
	access map[*ir.Operation]access
	live   map[*ir.Value]bool // values that something built reads
	units  map[*ir.Operation]*Unit
	from   map[*ir.Value]End // the producers
	users  map[End][]reader  // by producer, in the order of the graph
	// stems are the names of ports and channels, unitNames those of units and arrays.
	stems, unitNames arch.Namer
	accesses         map[*ir.Operation]string // stems of the ports of loads and stores
	held             []heldReader
}

type access struct {
	mem   *ir.Operation
	array *Array
}

// reader is an operand that reads a value, or an external output (unit nil).
type reader struct {
	End
	width int
}

// heldReader is an operand that reads a held value.
type heldReader struct {
	unit    *Unit
	operand int
	value   *ir.Value
}

// alias finds the accesses of every memory. A load yields one value: its data, which stands
// for the results of the memory operation and the done token, too.
func (b *builder) alias() {
	b.same, b.access = map[*ir.Value]*ir.Value{}, map[*ir.Operation]access{}
	for _, mem := range b.body.Ops {
		if mem.Name != opname.HandshakeMemory && mem.Name != opname.HandshakeExtmemory {
			continue
		}
		p := handshake.PortsOf(mem)
		for i := range p.Stores {
			st := mem.Operand(p.StoreAddr(i)).Def
			b.access[st] = access{mem: mem}
			b.same[mem.Result(p.StoreDone(i))] = st.Result(0)
		}
		for i := range p.Loads {
			ld := mem.Operand(p.LoadAddr(i)).Def
			b.access[ld] = access{mem: mem}
			b.same[mem.Result(p.LoadData(i))] = ld.Result(0)
			b.same[mem.Result(p.LoadDone(i))] = ld.Result(0)
		}
	}
}

// root is the value that stands for v: what a hold holds, the operand of a join of one.
func (b *builder) root(v *ir.Value) *ir.Value {
	for {
		switch {
		case b.same[v] != nil:
			v = b.same[v]
		case v.Def != nil && (v.Def.Name == opname.DataflowHold || v.Def.Name == opname.HandshakeJoin && v.Def.NumOperands() == 1):
			v = v.Def.Operand(0)
		default:
			return v
		}
	}
}

// operands are the values that the unit of an operation reads, without what is an interface
// to memory, without control that is held, and without the address in a stream.
func (b *builder) operands(op *ir.Operation) []*ir.Value {
	in := op.Operands()
	switch op.Name {
	case opname.HandshakeLoad: // address, data from memory, control
		in = []*ir.Value{in[0], in[2]}
	case opname.HandshakeStore:
	case opname.HandshakeMemory, opname.HandshakeExtmemory:
		return nil
	default:
		return in
	}
	if last := len(in) - 1; dataflow.IsHeld(in[last]) {
		in = in[:last]
	}
	if m := b.access[op].mem; m != nil && m.Attr(handshake.StreamAttr) != nil {
		in = in[1:] // no address
	}
	return in
}

// immediate reports whether operand i of an operation's unit may be a number: there is
// another operand that decides when the unit fires.
func (b *builder) immediate(op *ir.Operation, i int) bool {
	in := b.operands(op)
	if dataflow.IsHeld(in[i]) {
		return true
	}
	u, ok := units.Lookup(op.Name)
	switch {
	case op.Name == opname.HandshakeMux:
		return i > 0
	case op.Name == opname.HandshakeLoad || op.Name == opname.HandshakeStore || op.Name == opname.DataflowStream:
	case !ok || u.Class != units.Datapath:
		return false
	}
	// Of several that could, the first stays a token.
	first := true
	for k, v := range in {
		switch {
		case k == i || dataflow.IsHeld(v):
		case !constant(v):
			return true
		case k < i:
			first = false
		}
	}
	return !first
}

func constant(v *ir.Value) bool { return v.Def != nil && v.Def.Name == opname.HandshakeConstant }

// mark finds the values that are needed: what results, done token and stores depend on.
func (b *builder) mark() {
	var need func(op *ir.Operation)
	seen := map[*ir.Operation]bool{}
	need = func(op *ir.Operation) {
		if seen[op] {
			return
		}
		seen[op] = true
		for i, v := range b.operands(op) {
			if constant(v) && b.immediate(op, i) {
				continue
			}
			v = b.root(v)
			b.live[v] = true
			if v.Def != nil {
				need(v.Def)
			}
		}
	}
	for _, op := range b.body.Ops {
		if op.Name == opname.HandshakeReturn || op.Name == opname.HandshakeStore {
			need(op)
		}
	}
	for op := range b.access {
		if op.Name == opname.HandshakeStore {
			b.live[op.Result(0)] = true // a store is made whether or not something waits for it
		}
	}
}

func (b *builder) bits(t ir.Type) int {
	if t == ir.Type(ir.None) {
		return 0
	}
	w, _ := ir.BitWidth(t, b.width)
	return w
}

func names(fn *ir.Operation, attr string) []string {
	var out []string
	if list, ok := fn.Attr(attr).(*ir.ArrayAttr); ok {
		for _, e := range list.Elems {
			if s, ok := e.(*ir.StringAttr); ok {
				out = append(out, s.Value)
			}
		}
	}
	return out
}

// ArgumentName is the name of an argument of a graph in its circuit.
func ArgumentName(fn *ir.Operation, i int) string {
	if n := names(fn, "argNames"); i < len(n) {
		return n[i]
	}
	if a := fn.Regions[0].Entry().Args[i]; a.Name != "" {
		return a.Name
	}
	return fmt.Sprintf("arg%d", i)
}

// ArrayNames are the names that the arrays of the caller have in the circuit of a graph, by the
// position of the argument.
func ArrayNames(fn *ir.Operation) map[int]string {
	var unique arch.Namer
	out := map[int]string{}
	for i, a := range fn.Regions[0].Entry().Args {
		if _, ok := a.Type.(*ir.MemRefType); ok {
			out[i] = unique.Unique(ArgumentName(fn, i))
		}
	}
	return out
}

// ports makes the external ports and the arrays.
func (b *builder) ports() {
	args := b.body.Args
	name := func(i int) string { return ArgumentName(b.fn, i) }
	external := map[*ir.Value]*Array{}
	for i, a := range args {
		if mt, ok := a.Type.(*ir.MemRefType); ok {
			n, _ := mt.NumElements()
			x := &Array{Name: b.unitNames.Unique(name(i)), Arg: i, Elem: mt.Elem, Width: b.bits(mt.Elem), AddrWidth: b.width, Elements: n, Latency: b.fixed[i], Pos: a.Loc}
			external[a] = x
			b.c.Arrays = append(b.c.Arrays, x)
		}
	}
	for _, mem := range b.body.Ops {
		if mem.Name != opname.HandshakeMemory && mem.Name != opname.HandshakeExtmemory {
			continue
		}
		x := b.array(mem, external)
		if mem.Attr(handshake.StreamAttr) != nil {
			x.Stream, x.AddrWidth, x.Latency = true, 0, 1
		}
		p := handshake.PortsOf(mem)
		for i := range p.Stores {
			b.port(mem.Operand(p.StoreAddr(i)).Def, mem, x, "store", i, p.Stores)
		}
		for i := range p.Loads {
			b.port(mem.Operand(p.LoadAddr(i)).Def, mem, x, "load", i, p.Loads)
		}
	}
	for i, a := range args {
		if _, ok := a.Type.(*ir.MemRefType); ok {
			continue
		}
		p := &Port{Name: b.stems.Unique(name(i)), Type: a.Type, Width: b.bits(a.Type), Arg: i}
		if i == len(args)-1 {
			p.Arg = -1
		}
		b.from[a] = End{nil, len(b.c.Inputs)}
		b.c.Inputs = append(b.c.Inputs, p)
	}
	ret := b.body.Ops[len(b.body.Ops)-1]
	for i, v := range ret.Operands() {
		p := &Port{Type: v.Type, Width: b.bits(v.Type), Arg: i}
		p.Name = fmt.Sprintf("result%d", i)
		if n := names(b.fn, "resNames"); i < len(n) {
			p.Name = n[i]
		}
		if i == ret.NumOperands()-1 {
			p.Arg = -1
		}
		p.Name = b.stems.Unique(p.Name)
		b.c.Outputs = append(b.c.Outputs, p)
	}
}

// port names the ports of an access.
func (b *builder) port(op, mem *ir.Operation, x *Array, what string, i, of int) {
	b.access[op] = access{mem, x}
	stem := x.Name + "_" + what
	if of > 1 {
		stem += fmt.Sprint(i)
	}
	b.accesses[op] = stem
	for _, end := range []string{"_req", "_rsp"} {
		b.stems.Unique(stem + end) // nothing else has them: arrays come first
	}
}

// array is the memory behind an interface.
func (b *builder) array(mem *ir.Operation, external map[*ir.Value]*Array) *Array {
	if mem.Name == opname.HandshakeExtmemory {
		return external[mem.Operand(0)]
	}
	t, _ := mem.Attr("memRefType").(*ir.TypeAttr)
	mt := t.Type.(*ir.MemRefType)
	n, _ := mt.NumElements()
	name := "array"
	if p := handshake.PortsOf(mem); mem.NumResults() > 0 && mem.Result(0).Name != "" && p.Loads > 0 {
		name = mem.Result(0).Name
	}
	x := &Array{Name: b.unitNames.Unique(name), Arg: -1, Elem: mt.Elem, Width: b.bits(mt.Elem), AddrWidth: b.width, Elements: n, Pos: mem.Pos}
	init, err := handshake.Init(mem)
	if err != nil {
		b.errs.Errorf(mem.Pos, "%v", err)
	}
	for i := int64(0); len(init) > 0 && i < n; i++ {
		v, err := num.ConstantBits(init[min(i, int64(len(init)-1))], mt.Elem, b.width)
		if err != nil {
			b.errs.Errorf(mem.Pos, "%v", err)
			break
		}
		x.Init = append(x.Init, v)
	}
	b.c.Arrays = append(b.c.Arrays, x)
	return x
}

var kinds = map[string]Kind{
	opname.HandshakeConstant: Constant, opname.HandshakeCondBr: Branch, opname.HandshakeMux: Mux, opname.HandshakeJoin: Join,
	opname.DataflowStream: Stream, opname.DataflowGate: Gate, opname.DataflowCarry: Carry, opname.DataflowInvariant: Invariant,
	opname.DataflowAccumulate: Accumulate, opname.DataflowInterlock: Interlock,
	opname.HandshakeLoad: Load, opname.HandshakeStore: Store,
	opname.HandshakeMerge: Merge, opname.HandshakeControlMerge: ControlMerge, opname.HandshakeBuffer: Primed,
}

// Accumulates reports whether direct circuits have a unit for a dataflow.accumulate: its parts are the registers of the
// module that adds or multiplies, of which a clock asks for some and there are at most some.
func Accumulates(op *ir.Operation) bool {
	if op.Name != opname.DataflowAccumulate {
		return false
	}
	least, _ := units.ByMnemonic(op.StrAttr("operation")).Timing(dataflow.Step(op), 0)
	n := dataflow.Parts(op)
	return n >= least && units.PartsFit(op.StrAttr("operation"), n)
}

// unit makes the unit of an operation that is needed.
func (b *builder) unit(op *ir.Operation) {
	switch {
	case op.Name == opname.HandshakeReturn, op.Name == opname.HandshakeMemory, op.Name == opname.HandshakeExtmemory, op.Name == opname.DataflowHold:
		return
	case op.Name == opname.HandshakeJoin && op.NumOperands() == 1:
		return
	}
	needed := false
	for _, r := range op.Results() {
		needed = needed || b.live[r]
	}
	if !needed {
		return
	}
	u := &Unit{ID: len(b.c.Units), Kind: kinds[op.Name], Op: op, Pos: op.Pos}
	want := op.Result(0).Name
	if want == "" {
		want = op.Name[lastDot(op.Name)+1:]
	}
	if op.Name == opname.HandshakeStore {
		want = "store_" + b.access[op].array.Name
	}
	u.Name = b.unitNames.Unique(want)
	if u.Kind == "" {
		row, ok := units.Lookup(op.Name)
		switch {
		case op.Name == opname.HandshakeSource, op.Name == opname.HandshakeNever:
			b.errs.Errorf(op.Pos, "direct circuits have no unit for this '%s': what reads it is none that waits for a token beside it", op.Name).
				WithHelp("fire what it fires by a token that depends on the start of the graph")
			return
		case !ok || !row.Hardware():
			b.errs.Errorf(op.Pos, "no hardware computes '%s'", op.Name).
				WithHelp("direct circuits are made of the modules of the RTL library")
			return
		}
		u.Kind = Compute
		u.Latency, _ = row.Timing(op, b.width)
		switch {
		case row.Class == units.Iterative:
			u.Kind = Divide
		case op.Name == opname.ArithMulI:
			u.Latency = units.MultiplierLatency(b.bits(op.Result(0).Type))
		}
	}
	for i, v := range b.operands(op) {
		o := Operand{Width: b.bits(v.Type)}
		if u.Kind == Join {
			o.Width = 0
		}
		switch {
		case constant(v) && b.immediate(op, i):
			o.Value = b.value(v.Def)
		case dataflow.IsHeld(v) && o.Width == 0:
		case dataflow.IsHeld(v):
			o.Held = true // its channel comes with hold
			b.held = append(b.held, heldReader{u, i, b.root(v)})
		default:
			o.Channel = new(Channel) // until connect
		}
		u.In = append(u.In, o)
	}
	if _, _, _, ok := u.Scale(); ok {
		u.Latency = 0
	}
	results := op.Results()
	switch u.Kind {
	case Accumulate:
		u.Latency = dataflow.Parts(op)
		if !Accumulates(op) {
			b.errs.Errorf(op.Pos, "direct circuits have no unit for a sum by %s of %s in %d parts", op.StrAttr("operation"), op.Result(0).Type, u.Latency)
		}
	case Constant:
		u.Value = b.value(op)
	case Primed:
		values, _ := handshake.InitValues(op)
		for i := len(values) - 1; i >= 0; i-- {
			u.Words = append(u.Words, uint64(values[i])&(1<<b.bits(op.Result(0).Type)-1))
		}
		u.Slots = handshake.BufferTokens(op)
	case Load, Store:
		u.Array, u.Access = b.access[op].array, b.accesses[op]
		u.Follows = u.Array.External() && b.addresses.Follows(op.Operand(0))
		if u.Kind == Load {
			u.Array.Loads = append(u.Array.Loads, u)
		} else {
			u.Array.Stores = append(u.Array.Stores, u)
		}
		results = results[:1]
	}
	for i, r := range results {
		b.from[r] = End{u, i}
		u.Out = append(u.Out, nil)
	}
	b.units[op] = u
	b.c.Units = append(b.c.Units, u)
}

func lastDot(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '.' {
			return i
		}
	}
	return -1
}

// value is the number of a handshake.constant.
func (b *builder) value(op *ir.Operation) uint64 {
	v, err := num.ConstantBits(op.Attr("value"), op.Result(0).Type, b.width)
	if err != nil {
		b.errs.Errorf(op.Pos, "%v", err)
	}
	return v
}

// connect makes the channels and forks.
func (b *builder) connect() {
	for _, op := range b.body.Ops {
		u := b.units[op]
		if u == nil {
			continue
		}
		for i, v := range b.operands(op) {
			if u.In[i].Channel != nil {
				b.read(b.from[b.root(v)], End{u, i}, u.In[i].Width)
			}
		}
	}
	b.finish()
	built := b.c.Units
	b.c.Units = nil
	for i, p := range b.c.Inputs {
		b.fan(End{nil, i}, p.Type, p.Name)
	}
	defer b.hold()
	for _, u := range built {
		b.add(u)
		if u == b.c.Finish {
			for i, p := range b.c.Outputs {
				b.fan(End{u, i}, p.Type, "finish_"+p.Name)
			}
			continue
		}
		types := u.Op.Results()
		for i := range u.Out {
			t, name := types[i].Type, types[i].Name
			if u.Kind == Store {
				t, name = ir.None, u.Name+"_done"
			}
			if name == "" {
				name = u.Name
			}
			b.fan(End{u, i}, t, name)
		}
	}
}

// finish makes the unit that ends a run where values are held for it, an array is restored behind
// it, or a stream leaves the circuit: its packet ends with the run. It takes the inputs, too, so
// that no other run begins before.
func (b *builder) finish() {
	ret := b.body.Ops[len(b.body.Ops)-1]
	packet := func(a *Array) bool { return a.Stream && len(a.Stores) > 0 }
	if len(b.held) == 0 && !slices.ContainsFunc(b.c.Arrays, (*Array).Restored) && !slices.ContainsFunc(b.c.Arrays, packet) {
		for i, v := range ret.Operands() {
			b.read(b.from[b.root(v)], End{nil, i}, b.bits(v.Type))
		}
		return
	}
	u := &Unit{Kind: Finish, Name: b.unitNames.Unique("finish"), Out: make([]*Channel, ret.NumOperands())}
	take := func(from End, width int) {
		b.read(from, End{u, len(u.In)}, width)
		u.In = append(u.In, Operand{Channel: new(Channel), Width: width})
	}
	for i, v := range ret.Operands() {
		take(b.from[b.root(v)], b.bits(v.Type))
		b.read(End{u, i}, End{nil, i}, b.bits(v.Type))
	}
	taken := map[End]bool{}
	once := func(from End) {
		if !taken[from] {
			taken[from] = true
			take(from, 0)
		}
	}
	for i := range b.c.Inputs {
		once(End{nil, i})
	}
	for _, h := range b.held {
		once(b.from[h.value])
	}
	b.c.Finish = u
	b.c.Units = append(b.c.Units, u)
}

func (b *builder) read(from, to End, width int) {
	b.users[from] = append(b.users[from], reader{to, width})
}

// hold lets the readers of held values read the channel that the value comes on.
func (b *builder) hold() {
	for _, h := range b.held {
		from := b.from[h.value]
		ch := (*Channel)(nil)
		if from.Unit == nil {
			ch = b.c.Inputs[from.Port].Channel
		} else {
			ch = from.Unit.Out[from.Port]
		}
		o := &h.unit.In[h.operand]
		o.Channel, o.Held = ch, true
	}
}

// dissolve makes the buffers of the graph that begin empty a property of their channels.
func (b *builder) dissolve() {
	gone := map[*Unit]bool{}
	lost := map[*Channel]bool{}
	for _, u := range b.c.Units {
		if u.Kind != Primed || len(u.Words) > 0 {
			continue
		}
		in, out := u.In[0].Channel, u.Out[0]
		if in == out {
			continue // nothing ever comes
		}
		gone[u], lost[in] = true, true
		out.Least += in.Least + u.Slots
		out.From = in.From
		if in.From.Unit != nil {
			in.From.Unit.Out[in.From.Port] = out
		} else {
			b.c.Inputs[in.From.Port].Channel = out
			out.Name, out.After = in.Name, in.After
		}
	}
	if len(gone) == 0 {
		return
	}
	b.c.Units = slices.DeleteFunc(b.c.Units, func(u *Unit) bool { return gone[u] })
	b.c.Channels = slices.DeleteFunc(b.c.Channels, func(ch *Channel) bool { return lost[ch] })
	for i, u := range b.c.Units {
		u.ID = i
	}
	for i, ch := range b.c.Channels {
		ch.ID = i
	}
}

func (b *builder) add(u *Unit) {
	u.ID = len(b.c.Units)
	b.c.Units = append(b.c.Units, u)
}

// maxFork is the widest fork; more readers have a tree.
const maxFork = 32

// fan connects a producer with its readers, through a fork where there are several.
func (b *builder) fan(from End, t ir.Type, name string) { b.spread(from, t, name, name, b.users[from]) }

func (b *builder) spread(from End, t ir.Type, value, name string, readers []reader) {
	switch len(readers) {
	case 0:
		return
	case 1:
		b.channel(from, readers[0].End, t, name)
		return
	}
	groups := [][]reader{}
	size := 1
	for (len(readers)+size-1)/size > maxFork {
		size *= maxFork
	}
	for i := 0; i < len(readers); i += size {
		groups = append(groups, readers[i:min(i+size, len(readers))])
	}
	f := &Unit{Kind: Fork, Name: b.unitNames.Unique(value + "_fork"), Out: make([]*Channel, len(groups))}
	f.In = []Operand{{Channel: new(Channel)}}
	if from.Unit != nil {
		f.Pos = from.Unit.Pos
	}
	b.add(f)
	b.channel(from, End{f, 0}, t, name)
	for i, g := range groups {
		width := 0
		for _, r := range g {
			width = max(width, r.width)
		}
		f.In[0].Width = max(f.In[0].Width, width)
		branch := t
		if width == 0 {
			branch = ir.None
		}
		to := "more"
		if len(g) == 1 && g[0].Unit != nil {
			to = g[0].Unit.Name
		} else if len(g) == 1 {
			to = b.c.Outputs[g[0].Port].Name
		}
		b.spread(End{f, i}, branch, value, value+"_to_"+to, g)
	}
}

func (b *builder) channel(from, to End, t ir.Type, name string) {
	ch := &Channel{ID: len(b.c.Channels), Name: name, Type: t, Width: b.bits(t), From: from, To: to}
	if from.Unit != nil {
		ch.Name = b.stems.Unique(name)
	}
	ch.After = b.stems.Unique(ch.Name + "_q")
	b.c.Channels = append(b.c.Channels, ch)
	if from.Unit != nil {
		from.Unit.Out[from.Port] = ch
	} else {
		b.c.Inputs[from.Port].Channel = ch
	}
	if to.Unit != nil {
		to.Unit.In[to.Port].Channel = ch
	} else {
		b.c.Outputs[to.Port].Channel = ch
	}
}
