package rtlgen

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/ir"
)

// datapathOp describes the combinational module of a single-cycle operation: its
// operand ports, its width parameters, and whether it takes a predicate.
type datapathOp struct {
	operands  []string
	convert   bool // parameters W_IN, W_OUT instead of W
	predicate bool // cfg_predicate and err
}

// datapathOps is the table of the operations that a datapath unit may fuse. The
// module of arith.x is loom_op_x; its result port is y.
var datapathOps = func() map[string]datapathOp {
	m := map[string]datapathOp{
		"arith.cmpi":   {operands: []string{"a", "b"}, predicate: true},
		"arith.select": {operands: []string{"cond", "a", "b"}},
	}
	for _, n := range []string{"addi", "subi", "muli", "andi", "ori", "xori", "shli", "shrsi", "shrui", "minsi", "maxsi",
		"minui", "maxui"} {
		m["arith."+n] = datapathOp{operands: []string{"a", "b"}}
	}
	for _, n := range []string{"extsi", "extui", "trunci", "index_cast", "index_castui"} {
		m["arith."+n] = datapathOp{operands: []string{"a"}, convert: true}
	}
	for _, n := range []string{"math.ctpop", "math.ctlz", "math.cttz", "math.absi", "llvm.intr.bitreverse"} {
		m[n] = datapathOp{operands: []string{"a"}}
	}
	return m
}()

// opModule is the library module of a datapath operation.
func opModule(op *ir.Operation) string { return "loom_op_" + lastPart(op.Name) }

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
	d := datapathOps[op.Op.Name]
	inst := instance{Module: opModule(op.Op), Name: "u_" + value}
	result := hardWidth(op.Op.Result(0).Type, b.index)
	switch {
	case d.convert:
		inst.Params = []conn{{"W_IN", fmt.Sprint(hardWidth(op.Op.Operand(0).Type, b.index))}, {"W_OUT", fmt.Sprint(result)}}
	case d.predicate:
		inst.Params = []conn{{"W", fmt.Sprint(hardWidth(op.Op.Operand(0).Type, b.index))}}
	default:
		inst.Params = []conn{{"W", fmt.Sprint(result)}}
	}
	if d.predicate {
		s.declare(1, value+"_err")
		inst.Ports = append(inst.Ports, conn{"cfg_predicate", b.field[op.Field]}, conn{"err", value + "_err"})
		b.body.errValid = append(b.body.errValid, value+"_err")
		b.body.errCode = append(b.body.errCode, "loom_pkg::ERR_CFG_CMPI_PREDICATE")
	}
	for k, port := range d.operands {
		inst.Ports = append(inst.Ports, conn{port, operands[k]})
	}
	inst.Ports = append(inst.Ports, conn{"y", value})
	s.instantiate(inst)
}

// divider is an iterative divide or remainder unit.
func (b *bodyBuilder) divider(s *section, name string, op *arch.FUOp, ins []net, out net) {
	signed, rem := "0", "0"
	switch op.Op.Name {
	case "arith.divsi":
		signed = "1"
	case "arith.remsi":
		signed, rem = "1", "1"
	case "arith.remui":
		rem = "1"
	}
	inst := instance{
		Module: "loom_divrem", Name: "u_" + name,
		Params: []conn{{"W", fmt.Sprint(out.width)}, {"SIGNED", signed}, {"REM", rem}},
		Ports:  b.clock(),
	}
	inst.Ports = append(inst.Ports, chanPorts("a", ins[0])...)
	inst.Ports = append(inst.Ports, chanPorts("b", ins[1])...)
	inst.Ports = append(inst.Ports, chanPorts("y", out)...)
	b.idlePort(s, &inst, name)
	s.instantiate(inst)
}
