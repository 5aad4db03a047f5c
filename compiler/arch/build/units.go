package build

import (
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// unit is one fabric.function_unit to be defined.
type unit struct {
	name string
	pos  diag.Pos
	op   *ir.Operation
}

// maxUnits bounds the function units of one PE.
const maxUnits = 256

// shape says which types an operation takes and gives. T is the type written in
// the architecture file, F and T the two sides of "F -> T".
type shape int

const (
	shapeBinary    shape = iota // T, T -> T
	shapeCompare                // T, T -> i1
	shapeSelect                 // i1, T, T -> T
	shapeCast                   // F -> T
	shapeCondBr                 // i1, T -> T, T
	shapeMux                    // selector, n × T -> T
	shapeJoin                   // n × none -> none
	shapeConstant               // none -> T
	shapeLoad                   // index, T, none -> T, index
	shapeStore                  // index, T, none -> T, index
	shapeStream                 // 3 × T -> T, i1
	shapeGate                   // T, i1 -> T, i1
	shapeCarry                  // i1, T, T -> T
	shapeInvariant              // i1, T -> T
)

// unitShapes are the operations an architecture file can name, by mnemonic.
var unitShapes = map[string]struct {
	op    string
	shape shape
}{
	"addi": {"arith.addi", shapeBinary}, "subi": {"arith.subi", shapeBinary}, "muli": {"arith.muli", shapeBinary},
	"divsi": {"arith.divsi", shapeBinary}, "divui": {"arith.divui", shapeBinary},
	"remsi": {"arith.remsi", shapeBinary}, "remui": {"arith.remui", shapeBinary},
	"andi": {"arith.andi", shapeBinary}, "ori": {"arith.ori", shapeBinary}, "xori": {"arith.xori", shapeBinary},
	"shli": {"arith.shli", shapeBinary}, "shrsi": {"arith.shrsi", shapeBinary}, "shrui": {"arith.shrui", shapeBinary},
	"minsi": {"arith.minsi", shapeBinary}, "maxsi": {"arith.maxsi", shapeBinary},
	"minui": {"arith.minui", shapeBinary}, "maxui": {"arith.maxui", shapeBinary},
	"cmpi": {"arith.cmpi", shapeCompare}, "select": {"arith.select", shapeSelect},
	"extsi": {"arith.extsi", shapeCast}, "extui": {"arith.extui", shapeCast}, "trunci": {"arith.trunci", shapeCast},
	"index_cast": {"arith.index_cast", shapeCast}, "index_castui": {"arith.index_castui", shapeCast},
	"cond_br": {"handshake.cond_br", shapeCondBr}, "mux": {"handshake.mux", shapeMux},
	"join": {"handshake.join", shapeJoin}, "constant": {"handshake.constant", shapeConstant},
	"load": {"handshake.load", shapeLoad}, "store": {"handshake.store", shapeStore},
	"stream": {"dataflow.stream", shapeStream}, "gate": {"dataflow.gate", shapeGate},
	"carry": {"dataflow.carry", shapeCarry}, "invariant": {"dataflow.invariant", shapeInvariant},
}

// unitReader reads function-unit lists and bodies.
type unitReader struct {
	*reader
	width, indexWidth int
	groups            map[string]*yaml.Node // function_units of the file, unread
	done              map[string][]*unit    // function_units already read
	byName            map[string]*unit      // every unit of the file
}

// mnemonics returns the operations that can be named, for suggestions.
func mnemonics() []string {
	var out []string
	for name := range unitShapes {
		out = append(out, name)
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
		if unitShapes[name].op != "" {
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
	sh, ok := unitShapes[key.Value]
	if !ok {
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
		if sh.shape == shapeJoin {
			if !o.require("inputs") {
				return nil
			}
		} else if !o.require("type") {
			return nil
		}
		types = o.at("type")
		opts.latency, opts.interval = o.integer("latency", 0, 0, 64), o.integer("interval", 0, 1, 4096)
		opts.inputs = o.integer("inputs", 2, 1, 64)
		opts.step = o.text("step", "+=")
		if !contains(stepOps, opts.step) {
			u.errorf(o.at("step"), "unknown step operator %s", strconv.Quote(shorten(opts.step))).WithHelp("one of %s", strings.Join(stepOps, " "))
			return nil
		}
		if o.has("step") && sh.shape != shapeStream {
			u.errorf(o.at("step"), "only 'stream' has a step operator")
		}
		if o.has("inputs") && sh.shape != shapeMux && sh.shape != shapeJoin {
			u.errorf(o.at("inputs"), "only 'mux' and 'join' have a number of inputs")
		}
	} else if sh.shape == shapeJoin {
		opts.inputs = u.integer(val, "the number of inputs of 'join'", 2, 1, 64)
	}
	if sh.shape == shapeJoin {
		return []*unit{u.single(n, key.Value, nil, ir.None, opts)}
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
		from, to := u.types(t, sh.shape == shapeCast)
		if to != nil {
			if one := u.single(deref(t), key.Value, from, to, opts); one != nil {
				out = append(out, one)
			}
		}
	}
	return out
}

var stepOps = []string{"+=", "-=", "*=", "/=", "<<=", ">>="}

// unitOptions are what an operation's entry may set beside its type; latency and
// interval 0 take the operation's own.
type unitOptions struct {
	latency, interval, inputs int
	step                      string
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
	case s == "f16" || s == "f32" || s == "f64":
		t = ir.Float(s)
	}
	if t == nil {
		u.errorf(deref(n), "unknown type %s", strconv.Quote(shorten(s))).WithHelp("i1 to i64, index, none, f16, f32 or f64")
		return nil
	}
	if w, _ := ir.BitWidth(t, u.indexWidth); w > u.width {
		u.errorf(deref(n), "%s has %d bits, the fabric's channels carry %d", s, w, u.width).WithHelp("raise 'width'")
		return nil
	}
	return t
}

// single makes the function unit of one operation, once per name.
func (u *unitReader) single(n *yaml.Node, mnemonic string, from, to ir.Type, opts unitOptions) *unit {
	sh := unitShapes[mnemonic]
	name := mnemonic
	if from != nil {
		name += "_" + from.String()
	}
	if sh.shape == shapeJoin {
		name += "_" + strconv.Itoa(opts.inputs)
	} else {
		name += "_" + to.String()
	}
	if sh.shape == shapeMux && opts.inputs != 2 {
		name += "_" + strconv.Itoa(opts.inputs)
	}
	if sh.shape == shapeStream && opts.step != "+=" {
		name += "_" + map[string]string{"-=": "sub", "*=": "mul", "/=": "div", "<<=": "shl", ">>=": "shr"}[opts.step]
	}
	if opts.latency > 0 {
		name += "_l" + strconv.Itoa(opts.latency)
	}
	if opts.interval > 0 {
		name += "_v" + strconv.Itoa(opts.interval)
	}
	if known := u.byName[name]; known != nil {
		return known
	}
	if msg := typeFault(sh.shape, mnemonic, from, to, u.indexWidth); msg != "" {
		u.errorf(n, "%s", msg)
		return nil
	}
	names, ins, outs := signature(sh.shape, from, to, opts.inputs)
	fu, body := newUnit(name, u.pos(n), names, ins, outs)
	op := ir.NewOp(sh.op, u.pos(n), body.Args, outs)
	switch sh.shape {
	case shapeCompare:
		op.SetAttr("predicate", ir.IntAttr(0, ir.I64))
	case shapeConstant:
		op.SetAttr("value", zero(to))
	case shapeStream:
		op.SetAttr("step_op", ir.StrAttr(opts.step))
		op.SetAttr("cont_cond", ir.StrAttr("<"))
	}
	body.Append(op)
	return u.finish(fu, body, op.Results(), opts)
}

// finish adds yield and timing to a unit whose body is complete.
func (u *unitReader) finish(fu *ir.Operation, body *ir.Block, results []*ir.Value, opts unitOptions) *unit {
	latency, interval := arch.CriticalLatency(body, u.indexWidth), arch.CriticalInterval(body, u.indexWidth)
	if def, ok := arch.LookupUnitOp(body.Ops[0].Name); ok && def.Class == arch.Dataflow {
		latency, interval = -1, -1
	}
	if opts.latency > 0 {
		latency = opts.latency
	}
	if opts.interval > 0 {
		interval = opts.interval
	}
	fu.SetAttr(arch.AttrLatency, ir.IntAttr(int64(latency), ir.I64))
	fu.SetAttr(arch.AttrInterval, ir.IntAttr(int64(interval), ir.I64))
	body.Append(ir.NewOp("fabric.yield", fu.Pos, results, nil))
	one := &unit{name: fu.SymName(), pos: fu.Pos, op: fu}
	u.byName[one.name] = one
	return one
}

// newUnit makes a function_unit definition with an empty body.
func newUnit(name string, pos diag.Pos, names []string, ins, outs []ir.Type) (*ir.Operation, *ir.Block) {
	fu := ir.NewOp("fabric.function_unit", pos, nil, nil)
	fu.SetAttr("sym_name", ir.StrAttr(name))
	fu.SetAttr(arch.AttrFuncType, &ir.TypeAttr{Type: ir.Func(ins, outs)})
	body := fu.AddRegion().AddBlock()
	for i, t := range ins {
		body.AddArg(t, names[i], pos)
	}
	return fu, body
}

func zero(t ir.Type) ir.Attr {
	if ir.IsFloat(t) {
		return &ir.FloatAttr{Type: t}
	}
	return ir.IntAttr(0, t)
}

// typeFault says why an operation cannot have the given types, "" if it can.
func typeFault(sh shape, mnemonic string, from, to ir.Type, indexWidth int) string {
	switch sh {
	case shapeBinary, shapeCompare:
		if !ir.IsInt(to) {
			return "'" + mnemonic + "' works on integers, not on " + to.String()
		}
	case shapeStream:
		if !ir.IsInt(to) || to == ir.Type(ir.I1) {
			return "'stream' counts in integers, not in " + to.String()
		}
	case shapeConstant, shapeLoad, shapeStore, shapeSelect:
		if to == ir.Type(ir.None) {
			return "'" + mnemonic + "' needs a type with data"
		}
	case shapeCast:
		fw, _ := ir.BitWidth(from, indexWidth)
		tw, _ := ir.BitWidth(to, indexWidth)
		_, fi := from.(*ir.IntegerType)
		_, ti := to.(*ir.IntegerType)
		index := strings.HasPrefix(mnemonic, "index_cast")
		switch {
		case !ir.IsInt(from) || !ir.IsInt(to):
			return "'" + mnemonic + "' works on integers"
		case index && fi == ti:
			return "'" + mnemonic + "' converts between index and an integer"
		case !index && (!fi || !ti):
			return "'" + mnemonic + "' does not work on index"
		case strings.HasPrefix(mnemonic, "ext") && fw >= tw:
			return "'" + mnemonic + "' goes from a narrower to a wider type"
		case mnemonic == "trunci" && fw <= tw:
			return "'trunci' goes from a wider to a narrower type"
		}
	}
	return ""
}

// signature gives the ports of a single-operation unit.
func signature(sh shape, from, t ir.Type, n int) (names []string, ins, outs []ir.Type) {
	index, none, i1 := ir.Type(ir.Index), ir.Type(ir.None), ir.Type(ir.I1)
	types := func(ts ...ir.Type) []ir.Type { return ts }
	switch sh {
	case shapeBinary:
		return []string{"a", "b"}, types(t, t), types(t)
	case shapeCompare:
		return []string{"a", "b"}, types(t, t), types(i1)
	case shapeSelect:
		return []string{"c", "a", "b"}, types(i1, t, t), types(t)
	case shapeCast:
		return []string{"a"}, types(from), types(t)
	case shapeCondBr:
		return []string{"cond", "data"}, types(i1, t), types(t, t)
	case shapeConstant:
		return []string{"ctrl"}, types(none), types(t)
	case shapeLoad:
		return []string{"addr", "mem", "ctrl"}, types(index, t, none), types(t, index)
	case shapeStore:
		return []string{"addr", "data", "ctrl"}, types(index, t, none), types(t, index)
	case shapeStream:
		return []string{"start", "step", "bound"}, types(t, t, t), types(t, i1)
	case shapeGate:
		return []string{"value", "cond"}, types(t, i1), types(t, i1)
	case shapeCarry:
		return []string{"d", "a", "b"}, types(i1, t, t), types(t)
	case shapeInvariant:
		return []string{"d", "a"}, types(i1, t), types(t)
	case shapeMux:
		// Two inputs are selected by a condition, more by a number.
		names, ins = []string{"sel"}, types(i1)
		if n != 2 {
			ins = types(index)
		}
		for i := range n {
			names, ins = append(names, "in"+strconv.Itoa(i)), append(ins, t)
		}
		return names, ins, types(t)
	default: // shapeJoin
		for i := range n {
			names, ins = append(names, "in"+strconv.Itoa(i)), append(ins, none)
		}
		return names, ins, types(none)
	}
}
