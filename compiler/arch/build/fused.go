package build

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"loom/compiler/arch"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// This file reads function units of several operations that are one state machine
// (arch.Fused):
//
//	- counter: index
//	- loop: [i32, i1]
//	- accumulate: {ops: [addi, maxsi], type: i32}
//	- accumulate: {ops: [addf, subf], type: f32, parts: 4}
//	- accumulate: {ops: [maxsi, minsi], type: i32, yields: present}
//
// With parts there is a second unit for each operation, a dataflow.accumulate, which keeps so many parts of a sum in the
// registers of the operation. An accumulator that yields the present value gives in every iteration what that began with.

// fusedEntry is how a fused unit is written.
type fusedEntry struct {
	// make makes the body for a type; op is what an accumulator computes with, how the step operator of a counter and what an
	// accumulator yields.
	make func(u *unitReader, n *yaml.Node, t ir.Type, op, how string) *unit
	// needs are the keys of its mapping that must be there, may those that can be.
	needs, may []string
	example    string
}

// fusedUnits are the fused units by their names in architecture files.
var fusedUnits = map[string]fusedEntry{
	"counter":    {(*unitReader).counter, []string{"type"}, []string{"step"}, "counter: index"},
	"loop":       {(*unitReader).loopHead, []string{"type"}, nil, "loop: [i32, i1]"},
	"accumulate": {(*unitReader).accumulator, []string{"type", "ops"}, []string{"parts", "yields"}, "accumulate: {ops: [addi, maxsi], type: i32}"},
}

// accumulating are the operations that accumulators compute with.
func accumulating() []string {
	var out []string
	for _, row := range units.All() {
		if row.Mnemonic != "" && arch.Accumulates(row.Op, 0) {
			out = append(out, row.Mnemonic)
		}
	}
	return out
}

// fused reads the entry of a fused unit: types, for an accumulator with operations and for a
// counter with a step operator.
func (u *unitReader) fused(n *yaml.Node, name string, val *yaml.Node, entry fusedEntry) []*unit {
	types, ops, how, parts := val, []string{""}, "", 0
	if val.Kind != yaml.MappingNode && slices.Contains(entry.needs, "ops") {
		u.errorf(val, "'%s' needs its operations and types, found %s", name, what(val)).WithHelp("for example '%s'", entry.example)
		return nil
	}
	if val.Kind == yaml.MappingNode {
		o := u.object(val, "operation '"+name+"'", slices.Concat(entry.needs, entry.may)...)
		for _, k := range entry.needs {
			if !o.has(k) {
				u.errorf(val, "operation '%s' needs the key '%s'", name, k).WithHelp("for example '%s'", entry.example)
				return nil
			}
		}
		types = deref(o.at("type"))
		if o.has("step") {
			how = o.text("step", "+=")
			if all := stepOperators(); !contains(all, how) {
				u.errorf(o.at("step"), "unknown step operator '%s'", shorten(how)).WithHelp("one of %s", strings.Join(all, " "))
				return nil
			}
		}
		if o.has("yields") {
			how = o.text("yields", "next")
			if all := []string{"next", "present"}; how == "" {
				return nil // it is no text, as has been said
			} else if !contains(all, how) {
				u.errorf(o.at("yields"), "an accumulator cannot yield '%s'", shorten(how)).WithHelp("'next' for what every iteration computes, 'present' for what it begins with")
				return nil
			}
		}
		if o.has("parts") {
			parts = o.integer("parts", 0, 2, dataflow.MaxParts)
		}
		if o.has("ops") {
			if ops = u.accumulated(o.at("ops")); ops == nil {
				return nil
			}
		}
	}
	list := []*yaml.Node{types}
	if types.Kind == yaml.SequenceNode {
		list = types.Content
	}
	switch {
	case len(list) == 0:
		u.errorf(types, "'%s' has no type", name).WithHelp("for example '%s'", entry.example)
	case len(list) > maxUnits:
		u.errorf(types, "more than %d types", maxUnits)
		return nil
	}
	var out []*unit
	for _, t := range list {
		text := u.text(t, "the type of '"+name+"'")
		if text == "" {
			continue
		}
		typ := u.typ(t, text)
		if typ == nil {
			continue
		}
		for _, op := range ops {
			if one := entry.make(u, deref(t), typ, op, how); one != nil {
				out = append(out, one)
			}
		}
		if parts == 0 {
			continue
		}
		for _, op := range ops { // behind each other, so that few bits of the opcode tell them apart
			if one := u.sum(val, deref(t), typ, op, parts); one != nil {
				out = append(out, one)
			}
		}
	}
	return out
}

// accumulated reads the operations of an accumulator.
func (u *unitReader) accumulated(n *yaml.Node) []string {
	if n = deref(n); n.Kind != yaml.SequenceNode {
		u.errorf(n, "'ops' must be a list, found %s", what(n)).WithHelp("for example '[addi]'")
		return nil
	}
	var out []string
	for _, e := range n.Content {
		op := u.text(e, "an operation")
		switch all := accumulating(); {
		case op == "":
			return nil
		case !contains(all, op):
			u.errorf(deref(e), "an accumulator cannot compute '%s'", shorten(op)).WithHelp("one of %s", strings.Join(all, ", "))
			return nil
		case contains(out, op):
			u.errorf(deref(e), "'%s' is named twice", op)
			return nil
		}
		out = append(out, op)
	}
	if len(out) == 0 {
		u.errorf(n, "no operation is named").WithHelp("one of %s, or several", strings.Join(accumulating(), ", "))
	}
	return out
}

// fusedUnit begins a unit, or returns the one of that name.
func (u *unitReader) fusedUnit(n *yaml.Node, name string, names []string, ins, outs []ir.Type) (known *unit, fu *ir.Operation, body *ir.Block) {
	if known := u.byName[name]; known != nil {
		return known, nil, nil
	}
	fu, body = newUnit(name, u.pos(n), names, ins, outs)
	return nil, fu, body
}

// counter is a stream with the indices of its iterations alone.
func (u *unitReader) counter(n *yaml.Node, t ir.Type, _, step string) *unit {
	if step == "" {
		step = "+="
	}
	row, _ := units.Lookup(opname.DataflowStream)
	if msg := typeFault(row, nil, t, u.indexWidth); msg != "" {
		u.errorf(n, "%s", strings.Replace(msg, "'stream'", "'counter'", 1)).WithHelp("index, or an integer of 2 to 64 bits")
		return nil
	}
	name := "counter_" + t.String()
	if k := slices.Index(stepOperators(), step); k > 0 {
		name += "_" + units.StepOps[k].Name
	}
	known, fu, body := u.fusedUnit(n, name, []string{"start", "step", "bound"}, []ir.Type{t, t, t}, []ir.Type{t, ir.I1})
	if known != nil {
		return known
	}
	stream := body.Append(ir.NewOp(opname.DataflowStream, u.pos(n), body.Args, []ir.Type{t, ir.I1}))
	stream.SetAttr("step_op", ir.StrAttr(step))
	unconfigured(stream, row)
	branch := body.Append(ir.NewOp(opname.HandshakeCondBr, u.pos(n), []*ir.Value{stream.Result(1), stream.Result(0)}, []ir.Type{t, t}))
	return u.finish(fu, body, []*ir.Value{branch.Result(0), stream.Result(1)}, unitOptions{})
}

// loopHead is a carry with a branch by its condition.
func (u *unitReader) loopHead(n *yaml.Node, t ir.Type, _, _ string) *unit {
	known, fu, body := u.fusedUnit(n, "loop_"+t.String(), []string{"d", "a", "b"}, []ir.Type{ir.I1, t, t}, []ir.Type{t, t})
	if known != nil {
		return known
	}
	carry := body.Append(ir.NewOp(opname.DataflowCarry, u.pos(n), body.Args, []ir.Type{t}))
	branch := body.Append(ir.NewOp(opname.HandshakeCondBr, u.pos(n), []*ir.Value{body.Args[0], carry.Result(0)}, []ir.Type{t, t}))
	return u.finish(fu, body, branch.Results(), unitOptions{})
}

// accumulator is a loop head with an operation from the value of an iteration to the next. What is
// added comes second, as that is where the arithmetic of the PE takes its second operand.
func (u *unitReader) accumulator(n *yaml.Node, t ir.Type, op, yields string) *unit {
	row := units.ByMnemonic(op)
	name := "accumulate_" + op + "_" + t.String()
	if yields == "present" {
		name = "present_" + name
		if row.Inside {
			u.errorf(n, "an accumulator of '%s' cannot yield the present value", op).WithHelp("'yields: present' is for operations on integers, which take no registers")
			return nil
		}
	}
	if msg := typeFault(row, nil, t, u.indexWidth); msg != "" {
		u.errorf(n, "%s", msg).WithHelp("index, or an integer of 1 to 64 bits")
		return nil
	}
	known, fu, body := u.fusedUnit(n, name, []string{"a", "x", "d"}, []ir.Type{t, t, ir.I1}, []ir.Type{t, t})
	if known != nil {
		return known
	}
	a, x, d := body.Args[0], body.Args[1], body.Args[2]
	carry := body.Append(ir.NewOp(opname.DataflowCarry, u.pos(n), []*ir.Value{d, a, a}, []ir.Type{t}))
	branch := body.Append(ir.NewOp(opname.HandshakeCondBr, u.pos(n), []*ir.Value{d, carry.Result(0)}, []ir.Type{t, t}))
	next := body.Append(ir.NewOp(row.Op, u.pos(n), []*ir.Value{branch.Result(0), x}, []ir.Type{t}))
	carry.SetOperand(2, next.Result(0))
	given := next.Result(0)
	if yields == "present" {
		given = branch.Result(0)
	}
	return u.finish(fu, body, []*ir.Value{given, branch.Result(1)}, unitOptions{})
}

// sum is a sum in parts, with its operands in the order of an accumulator's. Where the number of parts is that of
// the registers of an addition in the PE, it is the same adder.
func (u *unitReader) sum(entry, n *yaml.Node, t ir.Type, op string, parts int) *unit {
	if !slices.Contains(dataflow.AccumulateOps, op) {
		u.errorf(entry, "'%s' is not summed up in parts", op).WithHelp("'parts' is for %s, which have registers inside", strings.Join(dataflow.AccumulateOps, ", "))
		return nil
	}
	if !units.PartsFit(op, parts) {
		u.errorf(entry, "the unit of '%s' has at most %d registers, and so as many parts", op, units.ByMnemonic(op).Depth.Most)
		return nil
	}
	known, fu, body := u.fusedUnit(n, fmt.Sprintf("accumulate%d_%s_%s", parts, op, t), []string{"a", "x", "d"}, []ir.Type{t, t, ir.I1}, []ir.Type{t})
	if known != nil {
		return known
	}
	sum := body.Append(ir.NewOp(opname.DataflowAccumulate, u.pos(n), []*ir.Value{body.Args[2], body.Args[0], body.Args[1]}, []ir.Type{t}))
	sum.SetAttr("operation", ir.StrAttr(op))
	sum.SetAttr("parts", ir.IntAttr(int64(parts), ir.I64))
	return u.finish(fu, body, sum.Results(), unitOptions{})
}
