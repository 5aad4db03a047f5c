package rtlgen

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/ir"
)

// unitModule describes the library module of an operation that is a unit of its
// own: the stems of its channel ports and what it needs besides.
type unitModule struct {
	module   string
	params   func(op *ir.Operation, indexWidth int) []conn
	operands []string
	results  []string
	// tokens are the stems of ports without data.
	tokens  map[string]bool
	clocked bool   // clk, rst, idle
	config  string // port of the configuration field
	errors  bool   // err_valid, err_code
}

// unitModules is the table of the handshake and dataflow units (rtl/README.md,
// "Function units"); join and mux have vector ports and builders of their own,
// arith operations are in datapath.go.
var unitModules = map[string]unitModule{
	"handshake.cond_br": {
		module: "loom_cond_br", params: widthOfOperand(1),
		operands: []string{"cond", "data"}, results: []string{"true", "false"},
	},
	"handshake.constant": {
		module: "loom_constant", params: widthOfResult,
		operands: []string{"ctrl"}, results: []string{"out"},
		tokens: map[string]bool{"ctrl": true}, config: "cfg_value",
	},
	"handshake.load": {
		module: "loom_load", params: addressAndData(1),
		operands: []string{"addr", "memdata", "ctrl"}, results: []string{"data", "memaddr"},
		tokens: map[string]bool{"ctrl": true},
	},
	"handshake.store": {
		module: "loom_store", params: addressAndData(1),
		operands: []string{"addr", "data", "ctrl"}, results: []string{"memdata", "memaddr"},
		tokens: map[string]bool{"ctrl": true}, clocked: true,
	},
	"dataflow.carry": {
		module: "loom_carry", params: widthOfResult,
		operands: []string{"d", "a", "b"}, results: []string{"o"}, clocked: true,
	},
	"dataflow.invariant": {
		module: "loom_invariant", params: widthOfResult,
		operands: []string{"d", "a"}, results: []string{"o"}, clocked: true,
	},
	"dataflow.gate": {
		module: "loom_gate", params: widthOfResult,
		operands: []string{"value", "cond"}, results: []string{"out_value", "out_cond"}, clocked: true,
	},
	"dataflow.stream": {
		module: "loom_stream", params: streamParams,
		operands: []string{"start", "step", "bound"}, results: []string{"idx", "cont"},
		clocked: true, config: "cfg_cont_cond", errors: true,
	},
}

func widthOfOperand(k int) func(*ir.Operation, int) []conn {
	return func(op *ir.Operation, indexWidth int) []conn {
		return []conn{{"W", fmt.Sprint(hardWidth(op.Operand(k).Type, indexWidth))}}
	}
}

func widthOfResult(op *ir.Operation, indexWidth int) []conn {
	return []conn{{"W", fmt.Sprint(hardWidth(op.Result(0).Type, indexWidth))}}
}

func addressAndData(data int) func(*ir.Operation, int) []conn {
	return func(op *ir.Operation, indexWidth int) []conn {
		return []conn{
			{"AW", fmt.Sprint(hardWidth(op.Operand(0).Type, indexWidth))},
			{"DW", fmt.Sprint(hardWidth(op.Operand(data).Type, indexWidth))},
		}
	}
}

// stepOps numbers the step operators as loom_stream's STEP_OP does.
var stepOps = map[string]string{
	"+=": "loom_pkg::STEP_ADD", "-=": "loom_pkg::STEP_SUB", "*=": "loom_pkg::STEP_MUL",
	"/=": "loom_pkg::STEP_DIV", "<<=": "loom_pkg::STEP_SHL", ">>=": "loom_pkg::STEP_SHR",
}

func streamParams(op *ir.Operation, indexWidth int) []conn {
	step, ok := stepOps[op.StrAttr("step_op")]
	if !ok {
		step = stepOps["+="] // the verifier has refused anything else
	}
	return append(widthOfResult(op, indexWidth), conn{"STEP_OP", step})
}

// unitResults names the results of an operation by its module's ports.
func unitResults(op *ir.Operation) []string {
	if m, ok := unitModules[op.Name]; ok && len(m.results) == op.NumResults() {
		return m.results
	}
	names := make([]string, op.NumResults())
	for i := range names {
		names[i] = fmt.Sprintf("result%d", i)
	}
	return names
}

// operandNets takes the nets of an operation's operands.
func (b *bodyBuilder) operandNets(op *arch.FUOp) []net {
	nets := make([]net, len(op.Operands))
	for k, ref := range op.Operands {
		nets[k] = b.take(ref)
	}
	return nets
}

// unitInstance adds the unit of operation i to a section.
func (b *bodyBuilder) unitInstance(s *section, i int, op *arch.FUOp) {
	ins, outs := b.operandNets(op), b.results[i]
	name := b.names.name(b.body.name + "_" + b.opNames[i] + "_unit")
	s.Comment = append(s.Comment, fmt.Sprintf("%s of unit %s.", op.Op.Name, b.unit.Name))
	switch info, _ := arch.LookupUnitOp(op.Op.Name); {
	case op.Op.Name == "handshake.join":
		b.join(s, name, op, ins, outs[0])
	case op.Op.Name == "handshake.mux":
		b.mux(s, name, ins, outs[0])
	case info.Class == arch.Datapath:
		b.arithUnit(s, name, op, ins, outs[0])
	case info.Class == arch.Iterative:
		b.divider(s, name, op, ins, outs[0])
	default:
		b.tableUnit(s, name, op, ins, outs)
	}
}

// tableUnit instantiates a module of unitModules.
func (b *bodyBuilder) tableUnit(s *section, name string, op *arch.FUOp, ins, outs []net) {
	m := unitModules[op.Op.Name]
	inst := instance{Module: m.module, Name: "u_" + name, Params: m.params(op.Op, b.index)}
	if m.clocked {
		inst.Ports = append(inst.Ports, b.clock()...)
	}
	if m.config != "" {
		inst.Ports = append(inst.Ports, conn{m.config, b.field[op.Field]})
	}
	for k, stem := range m.operands {
		if m.tokens[stem] {
			inst.Ports = append(inst.Ports, tokenPorts(stem, ins[k])...)
			b.dropData(ins[k])
			continue
		}
		inst.Ports = append(inst.Ports, chanPorts(stem, ins[k])...)
	}
	for k, stem := range m.results {
		inst.Ports = append(inst.Ports, b.resultPorts(s, stem, outs[k])...)
	}
	if m.errors {
		s.declare(1, name+"_err_valid")
		s.declare(16, name+"_err_code")
		inst.Ports = append(inst.Ports, conn{"err_valid", name + "_err_valid"}, conn{"err_code", name + "_err_code"})
		b.body.errValid = append(b.body.errValid, name+"_err_valid")
		b.body.errCode = append(b.body.errCode, name+"_err_code")
	}
	if m.clocked {
		b.idlePort(s, &inst, name)
	}
	s.instantiate(inst)
}

// dropData notes that the data of a net ends here unread.
func (b *bodyBuilder) dropData(n net) {
	if !n.none {
		b.body.unused = append(b.body.unused, n.data)
	}
}

// resultPorts connects an output with data to a net; the data of a net without
// data goes nowhere.
func (b *bodyBuilder) resultPorts(s *section, stem string, n net) []conn {
	if !n.none {
		return chanPorts(stem, n)
	}
	dead := b.names.name(n.valid + "_zero")
	s.declare(1, dead)
	b.body.unused = append(b.body.unused, dead)
	return append(tokenPorts(stem, n), conn{stem + "_data", dead})
}

func (b *bodyBuilder) idlePort(s *section, inst *instance, name string) {
	s.declare(1, name+"_idle")
	inst.Ports = append(inst.Ports, conn{"idle", name + "_idle"})
	b.body.idle = append(b.body.idle, name+"_idle")
}

func vectors(nets []net) (valid, ready, data string) {
	var v, r, d []string
	for _, n := range nets {
		v, r, d = append(v, n.valid), append(r, n.ready), append(d, n.data)
	}
	return concat(v), concat(r), concat(d)
}

func (b *bodyBuilder) join(s *section, name string, op *arch.FUOp, ins []net, out net) {
	valid, ready, _ := vectors(ins)
	for _, n := range ins {
		b.dropData(n)
	}
	s.instantiate(instance{
		Module: "loom_join", Name: "u_" + name, Params: []conn{{"N", fmt.Sprint(len(ins))}},
		Ports: append([]conn{{"cfg_mask", b.field[op.Field]}, {"in_valid", valid}, {"in_ready", ready}},
			tokenPorts("out", out)...),
	})
	if !out.none {
		s.assign(out.data, fmt.Sprintf("%d'd0", out.width))
	}
}

func (b *bodyBuilder) mux(s *section, name string, ins []net, out net) {
	valid, ready, data := vectors(ins[1:])
	s.instantiate(instance{
		Module: "loom_mux", Name: "u_" + name,
		Params: []conn{{"W", fmt.Sprint(out.width)}, {"N", fmt.Sprint(len(ins) - 1)}, {"SEL_W", fmt.Sprint(ins[0].width)}},
		Ports: append(append(chanPorts("sel", ins[0]), conn{"in_valid", valid}, conn{"in_ready", ready}, conn{"in_data", data}),
			b.resultPorts(s, "out", out)...),
	})
}
