package rtlgen

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/units"
)

// unitResults names the results of an operation by its module's ports.
func unitResults(op *ir.Operation) []string {
	u, _ := units.Lookup(op.Name)
	names := make([]string, len(u.Out))
	for i, p := range u.Out {
		names[i] = p.Stem
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
	if units.Is(op.Op.Name, units.Datapath) {
		b.arithUnit(s, name, op, ins, outs[0])
		return
	}
	u, _ := units.Lookup(op.Op.Name)
	inst := instance{Module: u.Module, Name: "u_" + name, Params: b.params(u, op.Op)}
	if u.Clocked {
		inst.Ports = append(inst.Ports, b.clock()...)
	}
	if u.Field.Name != "" {
		inst.Ports = append(inst.Ports, conn{u.Field.Port, b.field[op.Field]})
	}
	for k, p := range u.In {
		switch {
		case p.Repeats():
			valid, ready, data := vectors(ins[k:])
			inst.Ports = append(inst.Ports, conn{p.Stem + "_valid", valid}, conn{p.Stem + "_ready", ready})
			if !p.Token() {
				inst.Ports = append(inst.Ports, conn{p.Stem + "_data", data})
				break
			}
			for _, n := range ins[k:] {
				b.dropData(n)
			}
		case p.Token():
			inst.Ports = append(inst.Ports, tokenPorts(p.Stem, ins[k])...)
			b.dropData(ins[k])
		default:
			inst.Ports = append(inst.Ports, chanPorts(p.Stem, ins[k])...)
		}
	}
	for k, p := range u.Out {
		if p.Token() {
			inst.Ports = append(inst.Ports, tokenPorts(p.Stem, outs[k])...)
			continue
		}
		inst.Ports = append(inst.Ports, b.resultPorts(s, p.Stem, outs[k])...)
	}
	inst.Ports = append(inst.Ports, b.errorPorts(s, u, name)...)
	if u.Clocked {
		b.idlePort(s, &inst, name)
	}
	s.instantiate(inst)
}

// params are the parameters of a unit's module.
func (b *bodyBuilder) params(u *units.Unit, op *ir.Operation) []conn {
	var out []conn
	for _, p := range u.Params {
		out = append(out, conn{p.Name, p.Text(op, b.index)})
	}
	return out
}

// errorPorts connects the outputs by which a module reports faults, if it has any.
func (b *bodyBuilder) errorPorts(s *section, u *units.Unit, name string) []conn {
	e := u.Error
	if e.Valid == "" {
		return nil
	}
	valid, code := name+"_"+e.Valid, "loom_pkg::"+e.Constant
	s.declare(1, valid)
	ports := []conn{{e.Valid, valid}}
	if e.Code != "" {
		code = name + "_" + e.Code
		s.declare(16, code)
		ports = append(ports, conn{e.Code, code})
	}
	b.body.errValid = append(b.body.errValid, valid)
	b.body.errCode = append(b.body.errCode, code)
	return ports
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
