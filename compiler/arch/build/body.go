package build

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// body reads a function unit with a body of its own: either Fabric MLIR text
//
//	mac: {mlir: "fabric.function_unit @mac(…) …"}
//
// or an expression list
//
//	mac:
//	  inputs: {a: i32, b: i32, c: i32}
//	  body: [p = muli a b, s = addi p c]
//	  outputs: [s]
func (u *unitReader) body(name string, n *yaml.Node) *unit {
	o := u.object(n, "function unit '"+name+"'", "mlir", "inputs", "body", "outputs", "latency", "interval")
	if o.has("mlir") {
		for _, k := range o.keys {
			if k != "mlir" {
				u.errorf(o.at(k), "'%s' cannot stand beside 'mlir'", k)
				return nil
			}
		}
		return u.mlirBody(name, deref(o.at("mlir")))
	}
	if !o.require("inputs", "body", "outputs") {
		return nil
	}
	var names []string
	var ins []ir.Type
	in := u.object(o.at("inputs"), "'inputs' of function unit '"+name+"'")
	for _, k := range in.keys {
		t := u.typ(in.at(k), u.text(in.at(k), "the type of input '"+k+"'"))
		if t == nil {
			return nil
		}
		if !isIdentifier(k) {
			u.errorf(in.at(k), "an input must be named by letters, digits and underscores")
			return nil
		}
		names, ins = append(names, k), append(ins, t)
	}
	if u.byName[name] != nil {
		u.errorf(n, "the name '%s' belongs to a single-operation unit", name)
		return nil
	}
	fu, block := newUnit(name, u.pos(n), names, ins, nil)
	values := map[string]*ir.Value{}
	for _, a := range block.Args {
		values[a.Name] = a
	}
	for _, e := range u.list(o.at("body"), "'body' of function unit '"+name+"'") {
		if !u.expression(e, block, values) {
			return nil
		}
	}
	if len(block.Ops) == 0 {
		u.errorf(o.at("body"), "the body of function unit '%s' is empty", name)
		return nil
	}
	var outs []ir.Type
	var results []*ir.Value
	for _, e := range u.list(o.at("outputs"), "'outputs' of function unit '"+name+"'") {
		v := values[u.text(e, "an output")]
		if v == nil {
			u.errorf(deref(e), "the body has no value %s", what(deref(e)))
			return nil
		}
		results, outs = append(results, v), append(outs, v.Type)
	}
	fu.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(ins, outs)})
	return u.finish(fu, block, results, unitOptions{latency: o.optional("latency", 0, 64), interval: o.integer("interval", 0, 1, 4096)})
}

// expr is "result = mnemonic operands", for casts with "to type" at the end.
var expr = regexp.MustCompile(`^\s*([A-Za-z_]\w*)\s*=\s*([a-z_]+)((?:[\s,]+\w+)*?)(?:\s+to\s+(\w+))?\s*$`)

func (u *unitReader) expression(n *yaml.Node, block *ir.Block, values map[string]*ir.Value) bool {
	n = deref(n)
	text := u.text(n, "an expression")
	if text == "" {
		return false
	}
	m := expr.FindStringSubmatch(text)
	if m == nil {
		u.errorf(n, "cannot read the expression %s", strconv.Quote(shorten(text))).
			WithHelp("write 'result = mnemonic operand operand', for casts 'result = extsi operand to i32'")
		return false
	}
	result, mnemonic, castTo := m[1], m[2], m[4]
	row := units.ByMnemonic(mnemonic)
	if row == nil || row.Class != units.Datapath && row.Class != units.Iterative {
		u.errorf(n, "'%s' cannot be part of a body", mnemonic).WithHelp("bodies combine datapath operations (arith)")
		return false
	}
	if values[result] != nil {
		u.errorf(n, "'%s' is defined twice", result)
		return false
	}
	var operands []*ir.Value
	for _, a := range strings.FieldsFunc(m[3], func(r rune) bool { return r == ' ' || r == ',' || r == '\t' || r == '\n' }) {
		v := values[a]
		if v == nil {
			u.errorf(n, "'%s' is used before it is defined", a)
			return false
		}
		operands = append(operands, v)
	}
	want := len(row.In)
	if len(operands) != want {
		u.errorf(n, "'%s' takes %d operands, found %d", mnemonic, want, len(operands))
		return false
	}
	var from ir.Type
	to := operands[want-1].Type
	if row.Types.Cast() != (castTo != "") {
		u.errorf(n, "casts, and only casts, end in 'to type'")
		return false
	}
	if row.Types.Cast() {
		if from, to = to, u.typ(n, castTo); to == nil {
			return false
		}
	}
	if msg := typeFault(row, from, to, u.indexWidth); msg != "" {
		u.errorf(n, "%s", msg)
		return false
	}
	_, ins, outs := signature(row, from, to, 0)
	for i, t := range ins {
		if operands[i].Type != t {
			u.errorf(n, "operand %d of '%s' has type %s, expected %s", i+1, mnemonic, operands[i].Type, t)
			return false
		}
	}
	op := block.Append(ir.NewOp(row.Op, u.pos(n), operands, outs))
	unconfigured(op, row)
	op.Result(0).Name = result
	values[result] = op.Result(0)
	return true
}

// mlirBody reads one fabric.function_unit from text.
func (u *unitReader) mlirBody(name string, n *yaml.Node) *unit {
	text := u.text(n, "'mlir'")
	if text == "" {
		return nil
	}
	file := fmt.Sprintf("%s:%d (function unit '%s')", u.file, n.Line, name)
	m, err := mlir.ParseAndVerify(file, text)
	if err != nil {
		u.errorf(n, "the MLIR text of function unit '%s' is faulty: %s", name, err)
		return nil
	}
	ops := m.Regions[0].Entry().Ops
	if len(ops) != 1 || ops[0].Name != opname.FabricFunctionUnit {
		u.errorf(n, "the MLIR text of function unit '%s' must hold exactly one fabric.function_unit", name)
		return nil
	}
	op := ops[0]
	op.Unlink()
	if s := op.SymName(); s != name {
		u.errorf(n, "the MLIR text defines @%s, the template is called '%s'", s, name)
		return nil
	}
	if u.byName[name] != nil {
		u.errorf(n, "the name '%s' belongs to a single-operation unit", name)
		return nil
	}
	one := &unit{name: name, pos: u.pos(n), op: op}
	u.byName[name] = one
	return one
}
