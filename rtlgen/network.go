package rtlgen

import (
	"fmt"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/units"
)

// net is one valid/ready/data connection inside a module: the names of its
// signals, or for data an expression.
type net struct {
	valid, ready, data string
	width              int
	tag                int  // bits of tag above the width bits of payload
	none               bool // carries no data; data is 1'b0
}

// bits is the width of the data signal.
func (n net) bits() int { return n.width + n.tag }

// chanPorts connects a module's channel port to a net.
func chanPorts(stem string, n net) []conn {
	c := tokenPorts(stem, n)
	return append(c, conn{stem + "_data", n.data})
}

// tokenPorts connects a channel port without data.
func tokenPorts(stem string, n net) []conn {
	return []conn{{stem + "_valid", n.valid}, {stem + "_ready", n.ready}}
}

// unitBody is the hardware of one function unit inside a PE: the nets of its
// inputs and outputs and the sections that lie between.
type unitBody struct {
	name     string // stem of its signals
	on       string // signal: the unit is selected
	in, out  []net
	sections []*section
	clocked  bool
	idle     []string
	errValid []string
	errCode  []string
	unused   []string
}

// bodyBuilder turns a function unit into a unitBody.
type bodyBuilder struct {
	unit  *arch.FunctionUnit
	index int // index width
	names *scope
	body  *unitBody
	// field are the names of the configuration signals, by field number.
	field []string
	// results[op][r] is the net that the operation drives.
	args    []net
	results [][]net
	// branches hold the nets that the users of a value take, in the order of the
	// uses: operands in body order, then the yield.
	branches map[arch.ValueRef][]net
	uses     map[arch.ValueRef][]string
	opNames  []string
}

// buildBody makes the hardware of one function unit. field holds the names of
// the signals of its configuration fields.
func buildBody(u *arch.FunctionUnit, indexWidth int, names *scope, field []string) *unitBody {
	b := &bodyBuilder{
		unit: u, index: indexWidth, names: names, field: field, body: &unitBody{name: names.name(u.Name)},
		branches: map[arch.ValueRef][]net{}, uses: map[arch.ValueRef][]string{},
	}
	for _, p := range u.In {
		b.args = append(b.args, b.newNet(p.Name, p.Type))
	}
	b.body.in = b.args
	if isDatapath(u) {
		b.datapath()
	} else {
		b.network()
	}
	return b.body
}

// isDatapath tells whether a body is one fused unit: only single-cycle
// operations (rtl/README.md, "Function units").
func isDatapath(u *arch.FunctionUnit) bool {
	for _, op := range u.Ops {
		if !units.Is(op.Op.Name, units.Datapath) {
			return false
		}
	}
	return true
}

// newNet names the signals of a value.
func (b *bodyBuilder) newNet(name string, t ir.Type) net {
	stem := b.names.name(b.body.name + "_" + name)
	n := net{valid: stem + "_valid", ready: stem + "_ready", data: stem + "_data", width: hardWidth(t, b.index)}
	if _, none := t.(*ir.NoneType); none {
		n.none, n.data = true, "1'b0"
	}
	return n
}

// declareNet declares the signals of a net.
func declareNet(s *section, n net) {
	s.declare(1, n.valid, n.ready)
	if !n.none {
		s.declare(n.bits(), n.data)
	}
}

// hardWidth is the number of data bits of a type in hardware, at least 1.
func hardWidth(t ir.Type, indexWidth int) int {
	w, _ := ir.BitWidth(t, indexWidth)
	return max(w, 1)
}

// lastPart is the name of an operation without its dialect.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// shortNames gives every operation of a body a name: the part behind the dot,
// numbered where it repeats.
func shortNames(u *arch.FunctionUnit) []string {
	total, seen := map[string]int{}, map[string]int{}
	for _, op := range u.Ops {
		total[lastPart(op.Op.Name)]++
	}
	out := make([]string, len(u.Ops))
	for i, op := range u.Ops {
		s := lastPart(op.Op.Name)
		out[i] = s
		if total[s] > 1 {
			out[i] = fmt.Sprintf("%s%d", s, seen[s])
			seen[s]++
		}
	}
	return out
}

// network builds a body as elastic units with a fork at every value that has
// several users.
func (b *bodyBuilder) network() {
	u := b.unit
	b.opNames = shortNames(u)
	for i, op := range u.Ops {
		var nets []net
		for r, v := range op.Op.Results() {
			name := b.opNames[i]
			if op.Op.NumResults() > 1 {
				name += "_" + unitResults(op.Op)[r]
			}
			nets = append(nets, b.newNet(name, v.Type))
		}
		b.results = append(b.results, nets)
		for _, ref := range op.Operands {
			ref = canonical(ref)
			b.uses[ref] = append(b.uses[ref], b.opNames[i])
		}
	}
	for k, ref := range u.Yield {
		ref = canonical(ref)
		b.uses[ref] = append(b.uses[ref], u.Out[k].Name)
	}

	for k := range u.In {
		b.distribute(arch.ValueRef{Op: -1, Arg: k}, b.args[k])
	}
	for i, op := range u.Ops {
		s := &section{}
		for _, n := range b.results[i] {
			declareNet(s, n)
		}
		b.unitInstance(s, i, op)
		b.body.sections = append(b.body.sections, s)
		for r := range b.results[i] {
			b.distribute(arch.ValueRef{Op: i, Result: r}, b.results[i][r])
		}
	}
	b.outputs(networkLatency(u, b.index))
}

// canonical clears the fields of a reference that mean nothing, so that equal
// values are equal keys.
func canonical(r arch.ValueRef) arch.ValueRef {
	if r.Op < 0 {
		return arch.ValueRef{Op: -1, Arg: r.Arg}
	}
	return arch.ValueRef{Op: r.Op, Result: r.Result}
}

// distribute connects a value to its users: directly, through a fork, or to
// nobody, which takes every token.
func (b *bodyBuilder) distribute(ref arch.ValueRef, n net) {
	users := b.uses[ref]
	switch len(users) {
	case 0:
		s := &section{}
		s.assign(n.ready, "1'b1")
		b.body.sections = append(b.body.sections, s)
		b.body.unused = append(b.body.unused, n.valid)
		if !n.none {
			b.body.unused = append(b.body.unused, n.data)
		}
	case 1:
		b.branches[ref] = []net{n}
	default:
		b.fork(ref, n, users)
	}
}

func (b *bodyBuilder) fork(ref arch.ValueRef, n net, users []string) {
	stem := b.names.name(strings.TrimSuffix(n.valid, "_valid") + "_fork")
	s := &section{}
	var valids, readies []string
	var nets []net
	for k, user := range users {
		branch := n
		name := b.names.name(strings.TrimSuffix(n.valid, "_valid") + "_to_" + user)
		branch.valid, branch.ready = name+"_valid", name+"_ready"
		if !n.none {
			branch.data = selectBits(stem+"_data", k*n.width, n.width, len(users)*n.width)
		}
		s.declare(1, branch.valid, branch.ready)
		valids, readies = append(valids, branch.valid), append(readies, branch.ready)
		nets = append(nets, branch)
	}
	s.declare(len(users)*n.width, stem+"_data")
	s.declare(1, stem+"_idle")
	if n.none {
		b.body.unused = append(b.body.unused, stem+"_data")
	}
	ports := append(b.clock(), chanPorts("in", n)...)
	s.instantiate(instance{
		Module: "loom_fork", Name: "u_" + stem,
		Params: []conn{{"W", fmt.Sprint(n.width)}, {"N", fmt.Sprint(len(users))}},
		Ports: append(ports, conn{"out_valid", concat(valids)}, conn{"out_ready", concat(readies)},
			conn{"out_data", stem + "_data"}, conn{"idle", stem + "_idle"}),
	})
	b.body.idle = append(b.body.idle, stem+"_idle")
	b.body.sections = append(b.body.sections, s)
	b.branches[ref] = nets
}

// take hands the next branch of a value to a user; users ask in the order in
// which the uses were counted.
func (b *bodyBuilder) take(ref arch.ValueRef) net {
	ref = canonical(ref)
	n := b.branches[ref][0]
	b.branches[ref] = b.branches[ref][1:]
	return n
}

func (b *bodyBuilder) clock() []conn {
	b.body.clocked = true
	return []conn{{"clk", "clk"}, {"rst", "rst"}}
}

// outputs adds the pipeline registers that the declared latency asks for beyond
// the body's own, and names the unit's outputs.
func (b *bodyBuilder) outputs(own int) {
	extra := max(b.unit.Latency-own, 0)
	for k, p := range b.unit.Out {
		n := b.take(b.unit.Yield[k])
		for stage := range extra {
			s := &section{}
			next := b.newNet(fmt.Sprintf("%s_stage%d", p.Name, stage+1), p.Type)
			next.width = n.width
			stem := strings.TrimSuffix(next.valid, "_valid")
			declareNet(s, next)
			s.declare(1, stem+"_idle")
			ports := append(b.clock(), chanPorts("in", n)...)
			if next.none {
				s.declare(1, stem+"_data")
				b.body.unused = append(b.body.unused, stem+"_data")
			}
			s.instantiate(instance{
				Module: "loom_stage", Name: "u_" + stem,
				Params: []conn{{"W", fmt.Sprint(n.width)}},
				Ports: append(append(ports, tokenPorts("out", next)...),
					conn{"out_data", stem + "_data"}, conn{"idle", stem + "_idle"}),
			})
			b.body.idle = append(b.body.idle, stem+"_idle")
			b.body.sections = append(b.body.sections, s)
			n = next
		}
		b.body.out = append(b.body.out, n)
	}
}

// networkLatency is the longest path of a body in cycles, counting what the
// network itself takes: W+1 for an iterative divider, nothing for all else
// (sim/README.md).
func networkLatency(u *arch.FunctionUnit, indexWidth int) int {
	at := make([]int, len(u.Ops))
	depth := func(r arch.ValueRef) int {
		if r.Op < 0 {
			return 0
		}
		return at[r.Op]
	}
	worst := 0
	for i, op := range u.Ops {
		for _, r := range op.Operands {
			at[i] = max(at[i], depth(r))
		}
		if units.Is(op.Op.Name, units.Iterative) {
			at[i] += hardWidth(op.Op.Result(0).Type, indexWidth) + 1
		}
		worst = max(worst, at[i])
	}
	return worst
}
