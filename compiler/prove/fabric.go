package prove

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/opname"
)

// hardware is the graph that a configured fabric carries out.
type hardware struct {
	*graph
	f    *arch.Fabric
	img  *config.Image
	host *host
	// faults are what no graph can say: tokens that get stuck or lost on their way, and
	// settings that hardware refuses or that are for nothing.
	faults []fault

	units map[int]*unit // active units, by component
	// programs are temporal PEs, by component.
	programs map[int]*program
	feeds    map[terminal]*feed
	pending  []pending
	used     map[terminal]bool   // routes of switches, by output
	drops    map[*value][]string // where values that nothing reads end
	regions  map[place]*array    // valid regions
	served   map[*array]bool     // those that an access reaches
	tags     *tagNet             // between lanes and memories
	claimed  map[claim]string    // lanes by the tag that their memory sees
}

// fault is what is wrong at a place of the fabric; of is the node whose tokens are
// concerned, nil for none.
type fault struct {
	of    *node
	text  string
	place string
	pos   diag.Pos
}

// unit is an active function unit with the nodes of its body.
type unit struct {
	c    *arch.Component
	set  *config.PESetting
	fu   *arch.FunctionUnit
	body []*node
	// code is the instruction that executes it, and program that of which it is one, in a temporal PE.
	code    *config.Instruction
	program *program
	// place names it in messages.
	place string
	// immediates are the constants at its operands, by their numbers.
	immediates map[int]*value
}

// terminal is an input of a unit by its number, an input port of another component, or with
// comp -1 a boundary output; as a route, an output of a switch.
type terminal struct{ comp, port int }

// feed are the tokens that arrive at a terminal.
type feed struct {
	v     *value
	width int
	via   string
	taken bool
}

// pending is an operand that waits for the feed of a terminal.
type pending struct {
	in *input
	at terminal
}

// claim is a tag of one direction of a memory.
type claim struct {
	mem   int
	store bool
	tag   uint64
}

// readFabric writes down what the settings make the fabric do.
func readFabric(f *arch.Fabric, img *config.Image, h *host) *hardware {
	r := &hardware{graph: &graph{}, f: f, img: img, host: h, units: map[int]*unit{}, programs: map[int]*program{}, feeds: map[terminal]*feed{},
		used: map[terminal]bool{}, regions: map[place]*array{}, served: map[*array]bool{},
		claimed: map[claim]string{}}
	r.tables()
	r.tags = newTagNet(r)
	var starts []*value
	for p := range f.Inputs {
		if arg, bound := h.inputs[p]; bound {
			n := r.add(&node{op: argument, fields: []string{fmt.Sprint(arg)}, what: "what arrives", place: "boundary input '" + f.Inputs[p].Name + "'"},
				0, f.Inputs[p].Width)
			starts = append(starts, n.out[0])
		}
	}
	for _, c := range f.Comps {
		if s := img.Settings[c.ID].PE; c.Kind == arch.SpatialPE && s != nil && s.Enable && s.Opcode < len(c.PE.FUs) {
			r.unit(c, s)
		}
		if s := img.Settings[c.ID].TPE; c.Kind == arch.TemporalPE && s != nil {
			r.program(c, s)
		}
	}
	at := 0
	for p, in := range f.Inputs {
		if _, bound := h.inputs[p]; bound {
			r.leave(starts[at], in.Width, in.Chan, "boundary input '"+in.Name+"'")
			at++
		}
	}
	for _, c := range f.Comps {
		if u := r.units[c.ID]; u != nil {
			r.outputs(u)
		}
		if p := r.programs[c.ID]; p != nil {
			r.programOutputs(p)
		}
	}
	for r.accesses() {
	}
	for p, out := range f.Outputs {
		if k, bound := h.outputs[p]; bound {
			n := r.add(&node{op: result, fields: []string{fmt.Sprint(k)}, what: "what leaves", place: "boundary output '" + out.Name + "'"}, 1)
			n.in[0].width = out.Width
			r.wait(n.in[0], terminal{-1, p})
		}
	}
	r.connect()
	r.idle()
	unread, err := r.normalise(f.IndexWidth)
	if err != nil {
		r.fault(nil, diag.Pos{}, "", "%v", err)
	}
	dropped := map[*value]int{}
	for _, n := range unread {
		if n.op == data && n.in[0].raw != nil {
			dropped[n.in[0].raw]++
		}
	}
	for _, n := range unread {
		switch {
		case n.op == data && n.in[0].raw != nil:
			if v := n.in[0].raw; dropped[v]+len(v.readers) > 1 {
				r.fault(v.node, n.pos, n.place, "a copy of the data of %s goes to %s, which drops it", v.node.what, n.place)
			}
		case n.op != wire && n.op != data:
			r.fault(n, n.pos, n.place, "%s is active and nothing reads its result", n.place)
		}
	}
	return r
}

func (r *hardware) fault(of *node, pos diag.Pos, place, format string, args ...any) {
	r.faults = append(r.faults, fault{of, fmt.Sprintf(format, args...), place, pos})
}

// unit writes down the body of an active function unit.
func (r *hardware) unit(c *arch.Component, s *config.PESetting) {
	u := &unit{c: c, set: s, fu: c.PE.FUs[s.Opcode], immediates: map[int]*value{}}
	u.place = fmt.Sprintf("unit '%s' of PE '%s'", u.fu.Name, c.Name)
	r.units[c.ID] = u
	r.body(u, s.Fields)
	for i, o := range u.fu.Ops {
		r.operands(u, u.body[i], o)
	}
}

// operands connects those of an operation of a body.
func (r *hardware) operands(u *unit, n *node, o *arch.FUOp) {
	for at, k := range n.operands {
		r.reads(u, n.in[at], o.Operands[k])
	}
}

// body writes down the operations of a unit, with the values of its fields.
func (r *hardware) body(u *unit, values []uint64) {
	c := u.c
	fields := u.fu.Fields(r.f.IndexWidth)
	for i, o := range u.fu.Ops {
		n := &node{op: meaning(o.Op.Name), ir: o.Op, pos: c.Pos, symmetric: symmetric(o.Op), order: c.ID,
			what: label(o.Op), place: u.place}
		if len(u.fu.Ops) > 1 {
			n.place = fmt.Sprintf("'%s' in %s", o.Op.Name, n.place)
		}
		operands := make([]int, o.Op.NumOperands())
		for k := range operands {
			operands[k] = k
		}
		set := map[string]bool{}
		for k, fd := range fields {
			if fd.Op != i || k >= len(values) {
				continue
			}
			set[fd.Name] = true
			switch {
			case o.Op.Name == opname.HandshakeConstant:
				n.word = values[k]
				n.fields = append(n.fields, configured(fd.Name, n.word&mask(width(o.Op.Result(0).Type, r.f.IndexWidth))))
			case o.Op.Name == opname.HandshakeJoin:
				operands = slices.DeleteFunc(operands, func(k2 int) bool { return values[k]>>k2&1 == 0 })
			default:
				n.fields = append(n.fields, configured(fd.Name, values[k]))
			}
		}
		for _, a := range attributes(o.Op) {
			// What the image configures is not what the body's text says.
			if name, _, _ := strings.Cut(a, "="); !set[name] {
				n.fields = append(n.fields, a)
			}
		}
		var results []int
		for _, v := range o.Op.Results() {
			results = append(results, width(v.Type, r.f.IndexWidth))
		}
		u.body = append(u.body, r.add(n, len(operands), results...))
		if len(operands) == 0 && o.Op.NumOperands() > 0 {
			r.fault(n, c.Pos, n.place, "%s joins no token: it would give one in every cycle", n.place)
		}
		for at, k := range operands {
			n.in[at].width = width(o.Op.Operand(k).Type, r.f.IndexWidth)
		}
		n.operands = operands
	}
}

// reads connects an operand of a body with what it reads there.
func (r *hardware) reads(u *unit, in *input, ref arch.ValueRef) {
	switch {
	case ref.Op >= 0 && ref.Op < len(u.body) && ref.Result < len(u.body[ref.Op].out):
		in.raw = u.body[ref.Op].out[ref.Result]
	case u.code != nil:
		r.operand(u, in, ref.Arg)
	case ref.Op < 0 && ref.Arg < len(u.fu.In) && ref.Arg < len(u.set.In) && u.set.In[ref.Arg].Immediate:
		in.raw = r.immediate(u, ref.Arg)
	case ref.Op < 0 && ref.Arg < len(u.fu.In) && in.node.op == opname.HandshakeLoad && in.k == 1 && ref.Arg < len(u.set.In) && u.set.In[ref.Arg].Disconnect:
		// The data goes past the unit.
	case ref.Op < 0 && ref.Arg < len(u.fu.In):
		r.wait(in, terminal{u.c.ID, ref.Arg})
	}
}

// immediate is the value of an operand whose data the image holds: a constant, which the
// tokens that arrive for the operand fire, or that is always there.
func (r *hardware) immediate(u *unit, k int) *value {
	if v := u.immediates[k]; v != nil {
		return v
	}
	sel := u.set.In[k]
	n := r.constant(u, k, sel.Value, sel.Held())
	if !sel.Held() {
		r.wait(n.in[0], terminal{u.c.ID, k})
	}
	return n.out[0]
}

// constant adds the data of an operand that has it from the image.
func (r *hardware) constant(u *unit, k int, word uint64, held bool) *node {
	n := r.add(&node{op: opname.HandshakeConstant, word: word & mask(u.fu.In[k].Width), pos: u.c.Pos, order: u.c.ID,
		what: fmt.Sprintf("the immediate %#x", word), place: fmt.Sprintf("operand %d of %s", k, u.place)},
		1, u.fu.In[k].Width)
	n.in[0].held = held
	u.immediates[k] = n.out[0]
	return n
}

// endless reports a unit all of whose operands are always there: it would never stop. A
// constant may, as what reads it takes it at its own pace; several readers would have to
// take it at the same.
func (r *hardware) endless(u *unit, v *value, e *ends, where string) {
	for k := range u.fu.In {
		if k >= len(u.set.In) || !u.set.In[k].Held() {
			return
		}
	}
	switch {
	case len(u.fu.Ops) != 1 || u.fu.Ops[0].Op.Name != opname.HandshakeConstant:
		r.fault(v.node, u.c.Pos, where, "all operands of unit '%s' of PE '%s' are held, so that it never stops", u.fu.Name, u.c.Name)
	case e.sinks > 1:
		r.fault(v.node, u.c.Pos, where, "%s is always there and goes to %d readers, which wait for each other", where, e.sinks)
	}
}

// wait connects an operand with the tokens that arrive at a terminal, once they are known.
func (r *hardware) wait(in *input, at terminal) {
	r.pending = append(r.pending, pending{in, at})
}

// connect gives the operands that wait what arrives for them.
func (r *hardware) connect() {
	for _, p := range r.pending {
		fd := r.feeds[p.at]
		if fd == nil {
			n := p.in.node
			r.fault(n, n.pos, n.place, "operand %d of %s waits for tokens that never come", p.in.k, n.place)
			continue
		}
		fd.taken = true
		p.in.raw, p.in.width, p.in.via = fd.v, min(p.in.width, fd.width), fd.via
	}
	var left []terminal
	for at, fd := range r.feeds {
		if !fd.taken {
			left = append(left, at)
		}
	}
	slices.SortFunc(left, func(a, b terminal) int {
		if a.comp != b.comp {
			return a.comp - b.comp
		}
		return a.port - b.port
	})
	for _, at := range left {
		fd, pos := r.feeds[at], diag.Pos{}
		if at.comp >= 0 {
			pos = r.f.Comps[at.comp].Pos
		}
		r.fault(fd.v.node, pos, fd.via, "tokens get stuck at %s, which nothing takes", fd.via)
	}
}

// ends are where the copies of a value end.
type ends struct {
	sinks, stuck int
	drops        []string
}

// leave follows a value from where it leaves a unit, a memory or the boundary.
func (r *hardware) leave(v *value, bits int, ch *arch.Channel, from string) *ends {
	e := &ends{}
	if ch == nil {
		r.fault(v.node, v.node.pos, from, "tokens leave at %s, which is not connected", from)
		return e
	}
	r.follow(v, ch, min(v.width, bits), e)
	r.judge(v, e, from)
	return e
}

// judge reports copies that are lost: a value is read, or dropped at one place.
func (r *hardware) judge(v *value, e *ends, from string) {
	switch {
	case e.stuck > 0:
	case e.sinks > 0 && len(e.drops) > 0:
		r.fault(v.node, v.node.pos, from, "a copy of what leaves at %s goes to %s, which drops it", from, e.drops[0])
	case e.sinks == 0 && len(e.drops) > 1:
		r.fault(v.node, v.node.pos, from, "copies of what leaves at %s are dropped at several places: %s and %s", from, e.drops[0], e.drops[1])
	case e.sinks == 0 && len(e.drops) == 0:
		r.fault(v.node, v.node.pos, from, "what leaves at %s ends nowhere", from)
	}
}

// follow takes a value along a channel, through FIFOs and switches, to where it ends.
func (r *hardware) follow(v *value, ch *arch.Channel, bits int, e *ends) {
	for range len(r.f.Channels) + 1 {
		bits = min(bits, ch.Width)
		c, port := ch.Dst.Comp, ch.Dst.Port
		if c == nil {
			r.boundary(v, port, bits, e)
			return
		}
		bits = min(bits, c.In[port].Width)
		stuck := func(format string, args ...any) {
			e.stuck++
			where := fmt.Sprintf("input %d of %s '%s'", port, c.Kind, c.Name)
			r.fault(v.node, c.Pos, where, "tokens get stuck at %s%s", where, fmt.Sprintf(format, args...))
		}
		switch {
		case queue(c):
			bits = min(bits, c.Out[0].Width)
			if ch = c.Out[0].Chan; ch == nil {
				stuck(", whose output is not connected")
				return
			}
			continue
		case c.Kind == arch.SpatialSwitch:
			r.fork(v, c, port, bits, e, stuck)
		case c.Kind == arch.SpatialPE:
			r.intoPE(v, c, port, bits, e, stuck)
		case c.Kind == arch.TemporalPE:
			r.intoProgram(v, c, port, bits, e)
		case c.Kind == arch.LoadLane && port == arch.LoadAddr, c.Kind == arch.StoreLane && (port == arch.StoreAddr || port == arch.StoreData),
			c.Mem != nil && c.Mem.TagWidth == 0:
			r.arrive(v, terminal{c.ID, port}, bits, fmt.Sprintf("input '%s' of '%s'", c.In[port].Name, c.Name), e)
		default:
			stuck(": they arrive there without a lane")
		}
		return
	}
	r.fault(v.node, diag.Pos{}, ch.Name, "tokens run in circles at channel '%s'", ch.Name)
	e.stuck++
}

func (r *hardware) boundary(v *value, p, bits int, e *ends) {
	if p < 0 || p >= len(r.f.Outputs) {
		e.drops = append(e.drops, "an output without a reader")
		return
	}
	where := "boundary output '" + r.f.Outputs[p].Name + "'"
	if _, bound := r.host.outputs[p]; !bound {
		e.stuck++
		r.fault(v.node, v.node.pos, where, "tokens get stuck at %s, where the host takes none", where)
		return
	}
	r.arrive(v, terminal{-1, p}, min(bits, r.f.Outputs[p].Width), where, e)
}

func (r *hardware) arrive(v *value, at terminal, bits int, where string, e *ends) {
	e.sinks++
	if r.feeds[at] != nil {
		r.fault(v.node, v.node.pos, where, "%s is reached twice", where)
		return
	}
	r.feeds[at] = &feed{v: v, width: bits, via: where}
}

// fork takes a value through a switch. A discard counts where there is no route.
func (r *hardware) fork(v *value, c *arch.Component, in, bits int, e *ends, stuck func(string, ...any)) {
	s := r.img.Settings[c.ID].Switch
	routed := false
	for o, i := range s.Route {
		if i != in {
			continue
		}
		routed, r.used[terminal{c.ID, o}] = true, true
		next := c.Out[o].Chan
		if next == nil {
			stuck(": output %d, where its route leads, is not connected", o)
			continue
		}
		r.follow(v, next, min(bits, c.Out[o].Width), e)
	}
	switch {
	case routed:
	case s.Discard[in]:
		e.drops = append(e.drops, fmt.Sprintf("input %d of switch '%s'", in, c.Name))
	default:
		stuck(", which neither routes nor drops them")
	}
}

// intoPE takes a value to the operand of the active unit whose selector names the port.
func (r *hardware) intoPE(v *value, c *arch.Component, port, bits int, e *ends, stuck func(string, ...any)) {
	u := r.units[c.ID]
	if u == nil {
		stuck(": the PE is not in use")
		return
	}
	var hits []int
	for k, sel := range u.set.In {
		if !sel.Disconnect && sel.Sel == port {
			hits = append(hits, k)
		}
	}
	switch {
	case len(hits) == 0:
		stuck(", which no operand of unit '%s' reads", u.fu.Name)
	case len(hits) > 1:
		stuck(", which operands %d and %d of unit '%s' read at once", hits[0], hits[1], u.fu.Name)
	case u.set.In[hits[0]].Discard:
		e.drops = append(e.drops, fmt.Sprintf("operand %d of unit '%s' of PE '%s'", hits[0], u.fu.Name, c.Name))
	case hits[0] >= len(u.fu.In):
		stuck(", which is selected for operand %d, and unit '%s' has %d", hits[0], u.fu.Name, len(u.fu.In))
	default:
		r.arrive(v, terminal{c.ID, hits[0]}, min(bits, u.fu.In[hits[0]].Width),
			fmt.Sprintf("input %d of PE '%s'", port, c.Name), e)
	}
}

// outputs follows the results of an active unit.
func (r *hardware) outputs(u *unit) {
	taken := map[int]bool{}
	for k, sel := range u.set.Out {
		where := fmt.Sprintf("result %d of unit '%s' of PE '%s'", k, u.fu.Name, u.c.Name)
		if k >= len(u.fu.Out) {
			if !sel.Disconnect {
				r.fault(nil, u.c.Pos, where, "a selector is active for %s, which has %d", where, len(u.fu.Out))
			}
			continue
		}
		v := r.yield(u, k)
		switch {
		case sel.Disconnect:
			r.fault(v.node, u.c.Pos, where, "%s goes nowhere, which blocks the unit", where)
		case sel.Discard:
			r.endless(u, v, &ends{}, where)
		case sel.Sel >= len(u.c.Out) || u.c.Out[sel.Sel].Chan == nil:
			r.fault(v.node, u.c.Pos, where, "%s leaves at port %d of the PE, which is not connected", where, sel.Sel)
		case taken[sel.Sel]:
			r.fault(v.node, u.c.Pos, where, "%s leaves at port %d of the PE, as another does", where, sel.Sel)
		default:
			taken[sel.Sel] = true
			r.endless(u, v, r.leave(v, min(u.fu.Out[k].Width, u.c.Out[sel.Sel].Width), u.c.Out[sel.Sel].Chan, where), where)
		}
	}
}

// yield is the value of result k of a unit.
func (r *hardware) yield(u *unit, k int) *value {
	ref := u.fu.Yield[k]
	if ref.Op >= 0 && ref.Op < len(u.body) && ref.Result < len(u.body[ref.Op].out) {
		return u.body[ref.Op].out[ref.Result]
	}
	n := r.add(&node{op: wire, pos: u.c.Pos, what: "a wire", place: u.place, order: u.c.ID}, 1, u.fu.Out[k].Width)
	n.in[0].width = u.fu.Out[k].Width
	r.reads(u, n.in[0], ref)
	return n.out[0]
}

// idle reports settings that are active without effect on any token: routes where none
// arrives, selectors of operands that a unit does not have, valid entries that serve nothing.
// What hardware ignores altogether is no difference: discards where nothing arrives or
// where a route takes it, everything of a PE that is off, of an invalid entry, the choice of
// a selector that chooses nothing, immediates of operands that a unit does not have, and constants of a temporal PE that no
// operand has.
func (r *hardware) idle() {
	for _, c := range r.f.Comps {
		s := r.img.Settings[c.ID]
		switch {
		case c.Kind == arch.SpatialSwitch && s.Switch != nil:
			for o, i := range s.Switch.Route {
				if i >= 0 && !r.used[terminal{c.ID, o}] {
					r.fault(nil, c.Pos, "", "switch '%s' routes input %d to output %d, where no token arrives", c.Name, i, o)
				}
			}
		case c.Kind == arch.SpatialPE && s.PE != nil && s.PE.Enable:
			u := r.units[c.ID]
			for k, sel := range s.PE.In {
				if !sel.Disconnect && r.feeds[terminal{c.ID, k}] == nil {
					r.fault(u.first(), c.Pos, "", "input %d of PE '%s' is selected for operand %d of unit '%s', where no token arrives", sel.Sel, c.Name, k, u.fu.Name)
				}
			}
		}
		if p := r.programs[c.ID]; p != nil {
			r.idleProgram(p)
		}
		for k := range s.Regions {
			if a := r.regions[place{c.ID, k}]; a != nil && !r.served[a] {
				r.fault(nil, c.Pos, "", "%s is valid and serves no access", a.what)
			}
		}
	}
	r.tags.idle()
}

// first is the first node of a unit's body.
func (u *unit) first() *node {
	if u == nil || len(u.body) == 0 {
		return nil
	}
	return u.body[0]
}
