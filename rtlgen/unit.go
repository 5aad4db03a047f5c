package rtlgen

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// unit is the hardware of one function unit inside a PE. All its signals begin with
// Name and two underscores.
type unit struct {
	FU      *arch.FunctionUnit
	Number  int    // its opcode
	Opcodes []int  // with which it is active
	Name    string // stem
	Fields  []field
	Args    []net
	Results []net
	Nets    []net // all that is declared: valid, ready, data

	// A body is either one datapath, or operations between forks, then stages that raise
	// its latency to the declared one.
	Datapaths  []*datapath
	Operations []*operation
	// Of an accumulator: data signals that operations give each other, what it computes with, and
	// results that take what that computes.
	Wires    []net
	Computes []*operation
	Follows  []follow
	// Counts is of a stream that is a counter with some opcodes.
	Counts *counts
	Forks  []*fork
	Stages []stage

	Unread []net    // unused tokens: every one is taken
	Idle   []string // signals that are all high in an idle unit
	Faults []fault
}

// net is one connection inside a unit: Stem_valid, Stem_ready and Stem_data. A none
// has no data: what reads it reads 0.
type net struct {
	Stem  string
	Width int
	None  bool
	// Symbol is the number that stands for the word, of an argument that is only passed on.
	Symbol string
}

// field is a configuration signal of a unit.
type field struct {
	Name string
	config.Bits
}

// fault is how a unit reports an error: a signal, and a constant or a signal with the
// code.
type fault struct{ Valid, Code string }

// datapath is a loom_fu around combinational operations.
type datapath struct {
	Stem              string
	In, Out           []net
	Operations        []*operation
	Values            []net // what the operations compute of the results, in their order
	Width             int   // of all results
	Latency, Interval int
	Inside            bool  // the registers of the latency stand in its operation
	Unread            []net // unused values, their data alone
}

// Registers is the number of signals that tell the registers of a datapath when to move.
func (d *datapath) Registers() int { return max(d.Latency, 1) }

// operation is an instance of an operation's library module.
type operation struct {
	Op      string // "arith.addi"
	Stem    string
	Module  string
	Params  []param
	Clocked bool
	Config  *pin // the configuration field
	// Move is the signal that tells the registers inside when to move, "" without such; of a machine
	// around an operation with registers, the signal that it drives.
	Move string
	// Controls choose what the module computes; Unused are its outputs that nothing reads, of one bit.
	Controls []pin
	Unused   []string
	In, Out  []port
	Error    units.ErrorPorts
	Fault    fault
	Unread   []net // operands without a data port
	// Present and Next are the values of an accumulator, "" for others; of a sum in parts, Present and Addend are
	// the operands of what computes, and Joining is high while that combines parts.
	Present, Next, Addend, Joining string
	// Ask is set where the hardware is outside of the PE.
	Ask *asking
}

// follow is a net whose data is that of another.
type follow struct{ Net, From net }

// counts is how a stream gives no index behind the last one while it is a counter.
type counts struct {
	*aluControl
	Index, Given, Cont net
}

type param struct{ Name, Value string }

// pin connects a port of a module to a signal.
type pin struct{ Port, Signal string }

// port is a channel port of a module, or several in one vector.
type port struct {
	Stem   string
	Nets   []net
	Vector bool
	Token  bool // no data port
}

// fork hands a value to several users.
type fork struct {
	Stem     string
	In       net
	Branches []net
}

// stage is one pipeline register.
type stage struct{ In, Out net }

// unitBuilder makes the views of one function unit.
type unitBuilder struct {
	*unit
	index int // index width
	names *scope
	ops   []string // names of the operations
	// uses names the users of a value, in the order of the uses: operands in body
	// order, then the yield; branches are the nets that they take.
	uses     map[arch.ValueRef][]string
	branches map[arch.ValueRef][]net
}

// newUnit makes the hardware of function unit u, whose configuration fields stand at
// some bits of the slice.
func newUnit(u *arch.FunctionUnit, number, indexWidth int, name string, at []config.Bits) *unit {
	b := &unitBuilder{
		unit: &unit{FU: u, Number: number, Opcodes: []int{number}, Name: name}, index: indexWidth, names: newScope("on"),
		uses: map[arch.ValueRef][]string{}, branches: map[arch.ValueRef][]net{},
	}
	for n, f := range u.Fields(indexWidth) {
		b.Fields = append(b.Fields, field{b.stem(fmt.Sprintf("cfg%d_%s", n, f.Name)), at[n]})
	}
	for _, p := range u.In {
		b.Args = append(b.Args, b.channel(p.Name, p.Type))
	}
	b.ops = shortNames(u)
	switch x := u.Fused(); {
	case x != nil:
		b.machine(x)
	case b.isMultiplier():
		b.multiplier()
	case isDatapath(u):
		b.datapath()
	default:
		b.network()
	}
	return b.unit
}

// isMultiplier reports whether a unit is one multiplication with the latency of loom_mul, whose
// registers stand within the multiplication and not behind it.
func (b *unitBuilder) isMultiplier() bool {
	u := b.FU
	if len(u.Ops) != 1 || u.Ops[0].Op.Name != opname.ArithMulI || len(u.In) != 2 || len(u.Out) != 1 || max(u.Interval, 1) != 1 {
		return false
	}
	for k, r := range u.Ops[0].Operands {
		if r != (arch.ValueRef{Op: -1, Arg: k}) {
			return false
		}
	}
	w := hardWidth(u.Out[0].Type, b.index)
	return u.Latency >= 2 && u.Latency == units.MultiplierLatency(w)
}

// multiplier builds a unit that isMultiplier.
func (b *unitBuilder) multiplier() {
	u := b.FU
	out := b.channel(u.Out[0].Name, u.Out[0].Type)
	o := b.operation(b.stem(b.ops[0]+"_unit"), u.Ops[0], b.Args, []net{out})
	o.Module, o.Clocked = "loom_mul", true
	b.Operations, b.Results = []*operation{o}, []net{out}
	b.Idle = append(b.Idle, o.Stem+"_idle")
}

// isDatapath reports whether a body is one fused unit: only single-cycle
// operations (rtl/README.md, "Function units").
func isDatapath(u *arch.FunctionUnit) bool {
	for _, op := range u.Ops {
		if row := u.Row(op); row.Op == "" || row.Class != units.Datapath {
			return false
		}
	}
	return true
}

// machine builds a body that is one state machine: its module, and around an accumulator the
// operation that it computes with.
func (b *unitBuilder) machine(x *arch.Fused) {
	u, m := b.FU, x.Unit()
	for k, p := range u.Out {
		b.Results = append(b.Results, b.channel(p.Name, u.Out[k].Type))
	}
	o := &operation{Op: "several operations as one state machine", Stem: b.stem("machine"), Module: m.Module, Clocked: true}
	for k, p := range m.In {
		o.In = append(o.In, port{p.Stem, b.Args[x.In[k] : x.In[k]+1], false, false})
	}
	for k, p := range m.Out {
		o.Out = append(o.Out, port{p.Stem, b.Results[k : k+1], false, false})
	}
	o.Params = []param{{"W", fmt.Sprint(b.Results[0].Width)}}
	b.Operations = append(b.Operations, o)
	b.Idle = append(b.Idle, o.Stem+"_idle")
	switch x.Kind {
	case arch.FusedCounter:
		// The stream's field and faults, as in a unit of its own, and its signal that it is idle.
		b.Idle = b.Idle[:len(b.Idle)-1]
		s := b.operation(o.Stem, u.Ops[x.Stream], []net{b.Args[x.In[0]], b.Args[x.In[1]], b.Args[x.In[2]]}, b.Results)
		o.Params = append(s.Params, param{"COUNTER", "1"})
		o.Config, o.Error, o.Fault = s.Config, s.Error, s.Fault
	case arch.FusedAccumulate, arch.FusedPresent:
		// Neither the next value nor the present one has a data port of a channel: what the operation computes is the former.
		compute, w := u.Ops[x.Compute], b.Results[0].Width
		present, next := net{Stem: o.Stem + "_acc", Width: w}, net{Stem: o.Stem + "_next", Width: w}
		operands := []net{present, b.Args[x.In[2]]}
		if !x.Left {
			slices.Reverse(operands)
		}
		o.In[2].Token, o.Out[0].Token = true, true
		o.Present, o.Next = present.Stem+"_data", next.Stem+"_data"
		b.Wires = append(b.Wires, present)
		c := b.operation(o.Stem+"_compute", compute, operands, []net{next})
		if piped := u.Piped(x, b.index); piped > 0 {
			b.piped(o, c, piped)
		}
		b.Computes = append(b.Computes, c)
		given := next
		if x.Kind == arch.FusedPresent {
			given = present
		}
		b.Follows = append(b.Follows, follow{b.Results[0], given})
	}
}

// piped makes o the machine of an accumulator around an operation with so many registers inside.
func (b *unitBuilder) piped(o, compute *operation, registers int) {
	move := net{Stem: o.Stem + "_move", Width: registers}
	b.Wires = append(b.Wires, move)
	latency := param{"LATENCY", fmt.Sprint(registers)}
	o.Module, o.Params, o.Move = "loom_accumulate_piped", append(o.Params, latency), move.Stem+"_data"
	compute.Params, compute.Move = append(compute.Params, latency), o.Move
}

// stem names something of the unit.
func (b *unitBuilder) stem(name string) string { return b.Name + "__" + b.names.name(name) }

// net names the signals of a value.
func (b *unitBuilder) net(name string, t ir.Type) net {
	_, none := t.(*ir.NoneType)
	return net{Stem: b.stem(name), Width: hardWidth(t, b.index), None: none}
}

// channel is a net that the unit declares.
func (b *unitBuilder) channel(name string, t ir.Type) net {
	n := b.net(name, t)
	b.Nets = append(b.Nets, n)
	return n
}

// hardWidth is the number of data bits of a type in hardware, at least 1.
func hardWidth(t ir.Type, indexWidth int) int {
	w, _ := ir.BitWidth(t, indexWidth)
	return max(w, 1)
}

// shortNames gives every operation of a body a name: the part behind the dot,
// numbered where it repeats.
func shortNames(u *arch.FunctionUnit) []string {
	last := func(op *arch.FUOp) string { return op.Op.Name[strings.LastIndexByte(op.Op.Name, '.')+1:] }
	total, seen := map[string]int{}, map[string]int{}
	for _, op := range u.Ops {
		total[last(op)]++
	}
	out := make([]string, len(u.Ops))
	for i, op := range u.Ops {
		s := last(op)
		out[i] = s
		if total[s] > 1 {
			out[i] = fmt.Sprintf("%s%d", s, seen[s])
			seen[s]++
		}
	}
	return out
}

// datapath builds a body of pure single-cycle operations as one loom_fu around
// combinational operations, whose results have data alone.
func (b *unitBuilder) datapath() {
	u := b.FU
	values := make([]net, len(u.Ops))
	read := map[net]bool{}
	value := func(r arch.ValueRef) net {
		n := b.Args[max(r.Arg, 0)]
		if r.Op >= 0 {
			n = values[r.Op]
		}
		read[n] = true
		return n
	}
	d := &datapath{Stem: b.stem("fu"), In: b.Args, Latency: max(u.Latency, 0), Interval: max(u.Interval, 1)}
	for i, op := range u.Ops {
		values[i] = b.net(b.ops[i], op.Op.Result(0).Type)
		var operands []net
		for _, r := range op.Operands {
			operands = append(operands, value(r))
		}
		o := b.operation(values[i].Stem, op, operands, values[i:i+1])
		if u.Row(op).Inside {
			d.Inside, o.Move = true, d.Stem+"_move"
			o.Params = append(o.Params, param{"LATENCY", fmt.Sprint(d.Latency)})
		}
		d.Operations = append(d.Operations, o)
	}
	for k, r := range u.Yield {
		d.Values = append(d.Values, value(r))
		d.Out = append(d.Out, b.channel(u.Out[k].Name, u.Out[k].Type))
	}
	for _, n := range append(append([]net(nil), values...), b.Args...) {
		if !read[n] && !n.None {
			d.Unread = append(d.Unread, n)
		}
	}
	b.Results = d.Out
	b.addDatapath(d)
}

func (b *unitBuilder) addDatapath(d *datapath) {
	for _, n := range d.Out {
		d.Width += n.Width
	}
	b.Datapaths = append(b.Datapaths, d)
	b.Idle = append(b.Idle, d.Stem+"_idle")
}

// network builds a body as elastic units with a fork at every value that has
// several users.
func (b *unitBuilder) network() {
	u := b.FU
	results := make([][]net, len(u.Ops))
	for i, op := range u.Ops {
		row, _ := units.Lookup(op.Op.Name)
		for r, v := range op.Op.Results() {
			name := b.ops[i]
			if op.Op.NumResults() > 1 {
				name += "_" + row.Out[r].Stem
			}
			results[i] = append(results[i], b.channel(name, v.Type))
		}
		for _, ref := range op.Operands {
			b.uses[canonical(ref)] = append(b.uses[canonical(ref)], b.ops[i])
		}
	}
	for k, ref := range u.Yield {
		b.uses[canonical(ref)] = append(b.uses[canonical(ref)], u.Out[k].Name)
	}
	for k := range u.In {
		b.distribute(arch.ValueRef{Op: -1, Arg: k}, b.Args[k])
	}
	for i, op := range u.Ops {
		operands := make([]net, len(op.Operands))
		for k, ref := range op.Operands {
			operands[k] = b.take(ref)
		}
		stem := b.stem(b.ops[i] + "_unit")
		if units.Is(op.Op.Name, units.Datapath) {
			y := net{Stem: stem + "_y", Width: results[i][0].Width}
			b.addDatapath(&datapath{
				Stem: stem, In: operands, Out: results[i], Interval: 1,
				Operations: []*operation{b.operation(y.Stem, op, operands, []net{y})}, Values: []net{y},
			})
		} else {
			b.Operations = append(b.Operations, b.operation(stem, op, operands, results[i]))
		}
		for r, n := range results[i] {
			b.distribute(arch.ValueRef{Op: i, Result: r}, n)
		}
	}
	b.stages(u.NetworkLatency(b.index))
}

// operation makes the instance of an operation's module.
func (b *unitBuilder) operation(stem string, op *arch.FUOp, ins, outs []net) *operation {
	row := b.FU.Row(op)
	o := &operation{Op: op.Op.Name, Stem: stem, Module: row.Module, Clocked: row.Clocked, Error: row.Error}
	for _, p := range row.Params {
		o.Params = append(o.Params, param{p.Name, p.Text(op.Op, b.index)})
		if p.From == units.StepOp && p.Of(op.Op, b.index) < 2 { // += and -=
			// The handshake of a PE is long enough without the comparison in front of it.
			o.Params = append(o.Params, param{"LOOKAHEAD", "2"})
		}
	}
	if row.Field.Name != "" {
		o.Config = &pin{row.Field.Port, b.Fields[op.Field].Name}
	}
	o.Unused = row.Unused
	for _, c := range row.Controls {
		o.Controls = append(o.Controls, pin{c.Port, c.Text()})
	}
	for k, p := range row.In {
		nets := ins[k : k+1]
		if p.Repeats() {
			nets = ins[k:]
		}
		o.In = append(o.In, port{p.Stem, nets, p.Repeats(), p.Token()})
		for _, n := range nets {
			if p.Token() && !n.None {
				o.Unread = append(o.Unread, n)
			}
		}
	}
	for k, p := range row.Out {
		o.Out = append(o.Out, port{p.Stem, outs[k : k+1], false, p.Token()})
	}
	if row.Clocked {
		b.Idle = append(b.Idle, stem+"_idle")
	}
	if e := row.Error; e.Valid != "" {
		o.Fault = fault{stem + "_" + e.Valid, "loom_pkg::" + e.Constant}
		if e.Code != "" {
			o.Fault.Code = stem + "_" + e.Code
		}
		if len(b.Faults) > 0 && e.Code != "" {
			o.Fault.Code = stem + "_unused_" + e.Code // all faults of a unit have one code
		}
		b.Faults = append(b.Faults, o.Fault)
	}
	return o
}

// canonical clears the fields of a reference that are unused, so that equal
// values are equal keys.
func canonical(r arch.ValueRef) arch.ValueRef {
	if r.Op < 0 {
		return arch.ValueRef{Op: -1, Arg: r.Arg}
	}
	return arch.ValueRef{Op: r.Op, Result: r.Result}
}

// distribute connects a value to its users: directly or through a fork; every
// token of an unused value is taken.
func (b *unitBuilder) distribute(ref arch.ValueRef, n net) {
	switch users := b.uses[ref]; len(users) {
	case 0:
		b.Unread = append(b.Unread, n)
	case 1:
		b.branches[ref] = []net{n}
	default:
		name := strings.TrimPrefix(n.Stem, b.Name+"__")
		f := &fork{Stem: b.stem(name + "_fork"), In: n}
		for _, user := range users {
			f.Branches = append(f.Branches, net{Stem: b.stem(name + "_to_" + user), Width: n.Width, None: n.None})
		}
		b.Nets = append(b.Nets, f.Branches...)
		b.branches[ref] = f.Branches
		b.Forks = append(b.Forks, f)
		b.Idle = append(b.Idle, f.Stem+"_idle")
	}
}

// take hands the next branch of a value to a user; users take them in the order in
// which the uses were counted.
func (b *unitBuilder) take(ref arch.ValueRef) net {
	ref = canonical(ref)
	n := b.branches[ref][0]
	b.branches[ref] = b.branches[ref][1:]
	return n
}

// stages adds the pipeline registers that the declared latency requires beyond
// the body's own, and names the unit's results.
func (b *unitBuilder) stages(own int) {
	for k, p := range b.FU.Out {
		n := b.take(b.FU.Yield[k])
		for i := range max(b.FU.Latency-own, 0) {
			next := net{Stem: b.stem(fmt.Sprintf("%s_stage%d", p.Name, i+1)), Width: n.Width, None: n.None}
			b.Nets = append(b.Nets, next)
			b.Stages = append(b.Stages, stage{n, next})
			b.Idle = append(b.Idle, next.Stem+"_idle")
			n = next
		}
		b.Results = append(b.Results, n)
	}
}
