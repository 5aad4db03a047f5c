package rtlgen

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/units"
)

// datapath builds a body of pure single-cycle operations as one loom_fu around
// combinational operations.
func (b *bodyBuilder) datapath() {
	u := b.unit
	b.opNames = shortNames(u)
	s := &section{}
	// Results of operations are plain wires here.
	values := make([]string, len(u.Ops))
	read := make([]bool, len(u.In))
	value := func(r arch.ValueRef) string {
		if r.Op < 0 {
			read[r.Arg] = true
			return b.args[r.Arg].data
		}
		return values[r.Op]
	}
	used := map[int]bool{}
	note := func(r arch.ValueRef) {
		if r.Op >= 0 {
			used[r.Op] = true
		}
	}
	for i, op := range u.Ops {
		values[i] = b.names.name(b.body.name + "_" + b.opNames[i])
		s.declare(hardWidth(op.Op.Result(0).Type, b.index), values[i])
		var operands []string
		for _, r := range op.Operands {
			operands = append(operands, value(r))
			note(r)
		}
		b.combinational(s, values[i], op, operands)
	}
	var results []string
	total := 0
	for k, r := range u.Yield {
		results = append(results, value(r))
		note(r)
		total += hardWidth(u.Out[k].Type, b.index)
	}
	for i := range u.Ops {
		if !used[i] {
			b.body.unused = append(b.body.unused, values[i])
		}
	}
	for k, n := range b.args {
		if !read[k] {
			b.dropData(n)
		}
	}
	b.wrap(s, b.body.name, b.args, results, total, max(u.Latency, 0), max(u.Interval, 1))
	b.body.sections = append(b.body.sections, s)
}

// wrap adds the loom_fu of a datapath whose results are given, and the nets of its
// outputs.
func (b *bodyBuilder) wrap(s *section, stem string, ins []net, results []string, total, latency, interval int) {
	out := b.names.name(stem + "_result")
	valid, ready, _ := vectors(ins)
	var valids, readies []string
	at := 0
	for _, p := range b.unit.Out {
		n := b.newNet(p.Name, p.Type)
		declareNet(s, n)
		s.assign(n.data, selectBits(out, at, n.width, total))
		at += n.width
		valids, readies = append(valids, n.valid), append(readies, n.ready)
		b.body.out = append(b.body.out, n)
	}
	s.declare(total, out)
	s.declare(1, out+"_idle")
	s.instantiate(b.fu(stem, len(ins), len(results), total, latency, interval, valid, ready, concat(results),
		concat(valids), concat(readies), out))
	b.body.idle = append(b.body.idle, out+"_idle")
}

// fu is an instance of loom_fu.
func (b *bodyBuilder) fu(stem string, ins, outs, total, latency, interval int, inValid, inReady, comb, outValid, outReady, out string) instance {
	return instance{
		Module: "loom_fu", Name: "u_" + stem,
		Params: []conn{{"N_IN", fmt.Sprint(ins)}, {"N_OUT", fmt.Sprint(outs)}, {"W_OUT_TOTAL", fmt.Sprint(total)},
			{"LATENCY", fmt.Sprint(latency)}, {"INTERVAL", fmt.Sprint(interval)}},
		Ports: append(b.clock(), conn{"in_valid", inValid}, conn{"in_ready", inReady}, conn{"comb_data", comb},
			conn{"out_valid", outValid}, conn{"out_ready", outReady}, conn{"out_data", out}, conn{"idle", out + "_idle"}),
	}
}

// arithUnit is a single-cycle operation as a unit of a network.
func (b *bodyBuilder) arithUnit(s *section, name string, op *arch.FUOp, ins []net, out net) {
	var operands []string
	for _, n := range ins {
		operands = append(operands, n.data)
	}
	value := b.names.name(name + "_y")
	s.declare(out.width, value)
	b.combinational(s, value, op, operands)
	valid, ready, _ := vectors(ins)
	s.declare(1, out.data+"_idle")
	inst := b.fu(name, len(ins), 1, out.width, 0, 1, valid, ready, value, out.valid, out.ready, out.data)
	s.instantiate(inst)
	b.body.idle = append(b.body.idle, out.data+"_idle")
}

// combinational instantiates the module of a single-cycle operation.
func (b *bodyBuilder) combinational(s *section, value string, op *arch.FUOp, operands []string) {
	u, _ := units.Lookup(op.Op.Name)
	inst := instance{Module: u.Module, Name: "u_" + value, Params: b.params(u, op.Op)}
	if u.Field.Name != "" {
		inst.Ports = append(inst.Ports, conn{u.Field.Port, b.field[op.Field]})
	}
	inst.Ports = append(inst.Ports, b.errorPorts(s, u, value)...)
	for k, p := range u.In {
		inst.Ports = append(inst.Ports, conn{p.Stem, operands[k]})
	}
	inst.Ports = append(inst.Ports, conn{u.Out[0].Stem, value})
	s.instantiate(inst)
}
