package build

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// unit is one fabric.function_unit to be defined.
type unit struct {
	name string
	pos  diag.Pos
	op   *ir.Operation
}

// maxUnits bounds the function units of one PE.
const maxUnits = 256

// unitReader reads function-unit lists and bodies.
type unitReader struct {
	*reader
	width, indexWidth int
	root              *yaml.Node            // of the file: where units stand that it does not name
	groups            map[string]*yaml.Node // function_units of the file, unread
	done              map[string][]*unit    // function_units already read
	byName            map[string]*unit      // every unit of the file
}

// mnemonics returns the operations that can be named, for suggestions.
func mnemonics() []string {
	var out []string
	for _, row := range units.All() {
		if row.Mnemonic != "" {
			out = append(out, row.Mnemonic)
		}
	}
	for name := range fusedUnits {
		out = append(out, name)
	}
	slices.Sort(out[len(out)-len(fusedUnits):])
	return out
}

// stepOperators returns the operators of 'stream'.
func stepOperators() []string {
	var out []string
	for _, s := range units.StepOps {
		out = append(out, s.Operator)
	}
	return out
}

// group returns the units of the template of that name.
func (u *unitReader) group(name string, ref *yaml.Node) []*unit {
	if units, ok := u.done[name]; ok {
		return units
	}
	n, ok := u.groups[name]
	if !ok {
		var names []string
		for g := range u.groups {
			names = append(names, g)
		}
		d := u.errorf(ref, "there is no function-unit template '%s'", shorten(name))
		if units.ByMnemonic(name) != nil {
			d.WithHelp("to name an operation give its type: '%s: i32'", name)
		} else if s := closest(name, names); s != "" {
			d.WithHelp("did you mean '%s'?", s)
		}
		return nil
	}
	u.done[name] = nil // a template cannot contain itself: lists hold operations only
	var units []*unit
	switch n := deref(n); n.Kind {
	case yaml.SequenceNode:
		for _, e := range n.Content {
			units = append(units, u.entry(e)...)
		}
	case yaml.MappingNode:
		if b := u.body(name, n); b != nil {
			units = append(units, b)
		}
	default:
		u.errorf(n, "function-unit template '%s' must be a list of operations or a body, found %s", name, what(n))
	}
	u.done[name] = units
	return units
}

// entry reads one "mnemonic: types" of a list.
func (u *unitReader) entry(n *yaml.Node) []*unit {
	n = deref(n)
	if n.Kind != yaml.MappingNode || len(n.Content) != 2 {
		u.errorf(n, "an operation is written as 'mnemonic: type', found %s", what(n)).
			WithHelp("for example '- addi: i32'; in a PE's units a plain name stands for a template")
		return nil
	}
	key, val := deref(n.Content[0]), deref(n.Content[1])
	if entry, ok := fusedUnits[key.Value]; ok {
		return u.fused(n, key.Value, val, entry)
	}
	row := units.ByMnemonic(key.Value)
	if row == nil {
		d := u.errorf(key, "unknown operation '%s'", shorten(key.Value))
		if s := closest(key.Value, mnemonics()); s != "" {
			d.WithHelp("did you mean '%s'?", s)
		}
		return nil
	}
	opts := unitOptions{step: "+=", inputs: 2}
	types := val
	if val.Kind == yaml.MappingNode {
		o := u.object(val, "operation '"+key.Value+"'", "type", "latency", "interval", "step", "inputs")
		if !row.Typed() {
			if !o.require("inputs") {
				return nil
			}
		} else if !o.require("type") {
			return nil
		}
		types = o.at("type")
		opts.latency, opts.interval = o.optional("latency", 0, 64), o.integer("interval", 0, 1, 4096)
		opts.intervalAt = o.at("interval")
		opts.inputs = o.integer("inputs", 2, 1, 64)
		opts.step = o.text("step", "+=")
		if ops := stepOperators(); !contains(ops, opts.step) {
			u.errorf(o.at("step"), "unknown step operator %s", strconv.Quote(shorten(opts.step))).WithHelp("one of %s", strings.Join(ops, " "))
			return nil
		}
		if o.has("step") && !row.Steps() {
			u.errorf(o.at("step"), "only 'stream' has a step operator")
		}
		if o.has("inputs") && !row.Repeats() {
			u.errorf(o.at("inputs"), "only 'mux' and 'join' have a number of inputs")
		}
	} else if !row.Typed() {
		opts.inputs = u.integer(val, "the number of inputs of 'join'", 2, 1, 64)
	}
	if !row.Typed() {
		return []*unit{u.single(n, row, nil, ir.None, opts)}
	}
	list := []*yaml.Node{types}
	if types.Kind == yaml.SequenceNode {
		list = types.Content
	}
	var out []*unit
	for _, t := range list {
		if len(out) == maxUnits {
			u.errorf(t, "more than %d types", maxUnits)
			return nil
		}
		from, to := u.types(t, row.Types.Cast())
		if to != nil {
			if one := u.single(deref(t), row, from, to, opts); one != nil {
				out = append(out, one)
			}
		}
	}
	return out
}

// unitOptions are what an operation's entry may set beside its type; without a latency, and
// with interval 0, the operation's own counts. A latency of 0 is one: of a unit of floats, whose
// own has registers.
type unitOptions struct {
	latency          *int
	interval, inputs int
	intervalAt       *yaml.Node
	step             string
}

// types reads "T", or "F -> T" for casts.
func (u *unitReader) types(n *yaml.Node, cast bool) (from, to ir.Type) {
	s := u.text(n, "the type of an operation")
	if s == "" {
		return nil, nil
	}
	a, b, arrow := strings.Cut(s, "->")
	if arrow != cast {
		if cast {
			u.errorf(deref(n), "a cast needs two types, as in 'i8 -> i32'")
		} else {
			u.errorf(deref(n), "only casts have two types")
		}
		return nil, nil
	}
	if !cast {
		return nil, u.typ(n, a)
	}
	if from, to = u.typ(n, a), u.typ(n, b); from == nil || to == nil {
		return nil, nil
	}
	return from, to
}

var intType = regexp.MustCompile(`^i([1-9][0-9]?)$`)

// typ reads a native type and checks that the fabric's channels can carry it.
func (u *unitReader) typ(n *yaml.Node, s string) ir.Type {
	s = strings.TrimSpace(s)
	var t ir.Type
	switch m := intType.FindStringSubmatch(s); {
	case m != nil:
		if w, _ := strconv.Atoi(m[1]); w <= 64 {
			t = ir.Int(w)
		}
	case s == "index":
		t = ir.Index
	case s == "none":
		t = ir.None
	case s == "f16" || s == "bf16" || s == "f32" || s == "f64":
		t = ir.Float(s)
	}
	if t == nil {
		u.errorf(deref(n), "unknown type %s", strconv.Quote(shorten(s))).WithHelp("i1 to i64, index, none, f16, bf16, f32 or f64")
		return nil
	}
	if w, _ := ir.BitWidth(t, u.indexWidth); w > u.width {
		u.errorf(deref(n), "%s has %d bits, the fabric's channels carry %d", s, w, u.width).WithHelp("raise 'width'")
		return nil
	}
	return t
}

// single makes the function unit of one operation, once per name.
func (u *unitReader) single(n *yaml.Node, row *units.Unit, from, to ir.Type, opts unitOptions) *unit {
	name := row.Mnemonic
	if from != nil {
		name += "_" + from.String()
	}
	if !row.Typed() {
		name += "_" + strconv.Itoa(opts.inputs)
	} else {
		name += "_" + to.String()
	}
	if row.Typed() && row.Repeats() && opts.inputs != 2 {
		name += "_" + strconv.Itoa(opts.inputs)
	}
	if k := slices.Index(stepOperators(), opts.step); row.Steps() && k > 0 {
		name += "_" + units.StepOps[k].Name
	}
	if opts.latency != nil {
		name += "_l" + strconv.Itoa(*opts.latency)
	}
	if opts.interval > 0 {
		name += "_v" + strconv.Itoa(opts.interval)
	}
	if known := u.byName[name]; known != nil {
		return known
	}
	if msg := typeFault(row, from, to, u.indexWidth); msg != "" {
		u.errorf(n, "%s", msg)
		return nil
	}
	names, ins, outs := signature(row, from, to, opts.inputs)
	fu, body := newUnit(name, u.pos(n), names, ins, outs)
	op := body.Append(ir.NewOp(row.Op, u.pos(n), body.Args, outs))
	if row.Steps() {
		op.SetAttr("step_op", ir.StrAttr(opts.step))
	}
	unconfigured(op, row)
	if least := arch.CriticalInterval(body, opts.interval, u.indexWidth); row.Class == units.Iterative && opts.interval > 0 && opts.interval < least {
		d := u.errorf(opts.intervalAt, "no unit of '%s' of %s has an interval of %d", row.Mnemonic, to, opts.interval)
		if row.Piped != nil {
			d.WithHelp("'interval: 1' is the pipelined unit, no 'interval' the iterative one, which takes %d cycles", least)
		} else {
			d.WithHelp("there is an iterative unit alone; leave 'interval' out")
		}
		return nil
	}
	return u.finish(fu, body, op.Results(), opts)
}

// finish adds yield and timing to a unit whose body is complete.
func (u *unitReader) finish(fu *ir.Operation, body *ir.Block, results []*ir.Value, opts unitOptions) *unit {
	latency, interval := arch.CriticalLatency(body, opts.interval, u.indexWidth), arch.CriticalInterval(body, opts.interval, u.indexWidth)
	if slices.ContainsFunc(body.Ops, func(op *ir.Operation) bool { return units.Is(op.Name, units.Dataflow) }) {
		latency, interval = -1, -1
	}
	if opts.latency != nil {
		latency = *opts.latency
	}
	if opts.interval > 0 {
		interval = opts.interval
	}
	fu.SetAttr(arch.AttrLatency, ir.IntAttr(int64(latency), ir.I64))
	fu.SetAttr(arch.AttrInterval, ir.IntAttr(int64(interval), ir.I64))
	body.Append(ir.NewOp(opname.FabricYield, fu.Pos, results, nil))
	one := &unit{name: fu.SymName(), pos: fu.Pos, op: fu}
	u.byName[one.name] = one
	return one
}

// newUnit makes a function_unit definition with an empty body.
func newUnit(name string, pos diag.Pos, names []string, ins, outs []ir.Type) (*ir.Operation, *ir.Block) {
	fu := ir.NewOp(opname.FabricFunctionUnit, pos, nil, nil)
	fu.SetAttr("sym_name", ir.StrAttr(name))
	fu.SetAttr(arch.AttrFuncType, &ir.TypeAttr{Type: ir.Func(ins, outs)})
	body := fu.AddRegion().AddBlock()
	for i, t := range ins {
		body.AddArg(t, names[i], pos)
	}
	return fu, body
}

// unconfigured gives an operation the attributes that its configuration field
// stands for.
func unconfigured(op *ir.Operation, row *units.Unit) {
	switch row.Field.Name {
	case "predicate":
		op.SetAttr("predicate", ir.IntAttr(0, ir.I64))
	case "value":
		op.SetAttr("value", zero(op.Result(0).Type))
	case "cont_cond":
		op.SetAttr("cont_cond", ir.StrAttr("<"))
	}
}

func zero(t ir.Type) ir.Attr {
	if ir.IsFloat(t) {
		return &ir.FloatAttr{Type: t}
	}
	return ir.IntAttr(0, t)
}

// typeFault reports why an operation cannot have the given types, "" if it can.
func typeFault(row *units.Unit, from, to ir.Type, indexWidth int) string {
	name := "'" + row.Mnemonic + "'"
	switch row.Types {
	case units.AnyType:
	case units.Data:
		if to == ir.Type(ir.None) {
			return name + " needs a type with data"
		}
	case units.Integer:
		if !ir.IsInt(to) {
			return name + " works on integers, not on " + to.String()
		}
	case units.Counter:
		if !ir.IsInt(to) || to == ir.Type(ir.I1) {
			return name + " counts in integers, not in " + to.String()
		}
	case units.Float:
		if !ir.IsFloat(to) {
			return name + " works on floating-point numbers, not on " + to.String()
		}
	case units.FloatWidening, units.FloatNarrowing, units.FromInteger, units.ToInteger, units.Reinterpret:
		return conversionFault(name, row.Types, from, to, indexWidth)
	default:
		fw, _ := ir.BitWidth(from, indexWidth)
		tw, _ := ir.BitWidth(to, indexWidth)
		_, fi := from.(*ir.IntegerType)
		_, ti := to.(*ir.IntegerType)
		index := row.Types == units.IndexCast
		switch {
		case !ir.IsInt(from) || !ir.IsInt(to):
			return name + " works on integers"
		case index && fi == ti:
			return name + " converts between index and an integer"
		case !index && (!fi || !ti):
			return name + " does not work on index"
		case row.Types == units.Widening && fw >= tw:
			return name + " goes from a narrower to a wider type"
		case row.Types == units.Narrowing && fw <= tw:
			return name + " goes from a wider to a narrower type"
		}
	}
	return ""
}

// conversionFault reports why an operation cannot convert between two types, "" if it can.
func conversionFault(name string, rule units.TypeRule, from, to ir.Type, indexWidth int) string {
	fw, _ := ir.BitWidth(from, indexWidth)
	tw, _ := ir.BitWidth(to, indexWidth)
	_, fromInt := from.(*ir.IntegerType)
	_, toInt := to.(*ir.IntegerType)
	switch fromFloat, toFloat := ir.IsFloat(from), ir.IsFloat(to); {
	case rule == units.Reinterpret && (fw != tw || fw == 0 || !fromFloat && !fromInt || !toFloat && !toInt):
		return name + " goes between integers and floats of one width"
	case rule == units.FloatWidening && (!fromFloat || !toFloat || fw >= tw):
		return name + " goes from a float to a wider one"
	case rule == units.FloatNarrowing && (!fromFloat || !toFloat || fw <= tw):
		return name + " goes from a float to a narrower one"
	case rule == units.FromInteger && (!fromInt || !toFloat):
		return name + " goes from an integer to a float"
	case rule == units.ToInteger && (!fromFloat || !toInt):
		return name + " goes from a float to an integer"
	}
	return ""
}

// signature gives the ports of a single-operation unit; n is how often a repeated
// operand stands there.
func signature(row *units.Unit, from, to ir.Type, n int) (names []string, ins, outs []ir.Type) {
	types := map[units.PortType]ir.Type{
		units.T: to, units.F: from, units.EachT: to, units.I1: ir.I1, units.Index: ir.Index,
		units.None: ir.None, units.EachNone: ir.None, units.Selector: ir.I1,
	}
	if n != 2 {
		types[units.Selector] = ir.Index
	}
	for _, p := range row.In {
		if !p.Repeats() {
			names, ins = append(names, p.Name), append(ins, types[p.Type])
			continue
		}
		for i := range n {
			names, ins = append(names, p.Name+strconv.Itoa(i)), append(ins, types[p.Type])
		}
	}
	for _, p := range row.Out {
		outs = append(outs, types[p.Type])
	}
	return names, ins, outs
}
