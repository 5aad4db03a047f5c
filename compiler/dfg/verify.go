// Package dfg checks and describes dataflow graphs: handshake.func operations
// built of handshake, dataflow and arithmetic operations. Verify holds a graph
// against every invariant of the source documents spec-dataflow,
// spec-dataflow-compilation and spec-dataflow-memory (design page "SCF to DFG",
// "What the DFG verifier checks").
package dfg

import (
	"strings"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
)

// MaxJoinFanin is the widest handshake.join that mapping and configuration can
// express (spec-compilation).
const MaxJoinFanin = 64

// JoinLimit is the widest join that a function or graph may hold: that of the hardware it was made for, where it
// has the attribute (spec-compilation, "hardware join capacity").
func JoinLimit(fn *ir.Operation) int {
	if v, ok := fn.IntAttr("loom.adg_max_join_fanin"); ok {
		return int(max(min(v, MaxJoinFanin), 0))
	}
	return MaxJoinFanin
}

// Verify reports every violated invariant of a handshake.func. Warnings mark
// what is unusual and cannot be proven right.
func Verify(fn *ir.Operation, errs *diag.List) {
	if fn.Name != opname.HandshakeFunc {
		errs.Errorf(fn.Pos, "'%s' is no dataflow graph", fn.Name).WithHelp("a dataflow graph is a handshake.func")
		return
	}
	if len(fn.Regions) != 1 || len(fn.Regions[0].Blocks) != 1 {
		errs.Errorf(fn.Pos, "a dataflow graph has one block")
		return
	}
	v := newVerifier(fn, errs)
	before := len(errs.All)
	v.signature()
	for _, op := range v.body.Ops {
		v.operation(op)
	}
	if grew(errs, before) {
		return // what follows relies on arity and types
	}
	v.memories()
	if grew(errs, before) {
		return
	}
	v.conditions()
	v.cycles()
	v.completion()
	v.controls()
	rates := v.solved
	if rates == nil {
		rates = v.rates()
	}
	v.domains(rates)
	if !grew(errs, before) {
		v.ordering(rates)
	}
}

func newVerifier(fn *ir.Operation, errs *diag.List) *verifier {
	body := fn.Regions[0].Entry()
	return &verifier{
		fn: fn, body: body, errs: errs, ports: map[*ir.Value]port{}, loops: map[*ir.Value]bool{}, roms: make([]bool, len(body.Args)),
		direct: dataflow.MayHoldValues(fn), fabric: fn.Attr(dataflow.DirectAttr) == nil && fn.Attr(dataflow.SimplifiedAttr) != nil,
	}
}

// grew reports whether errors were added since the list had n findings.
func grew(errs *diag.List, n int) bool {
	for _, d := range errs.All[n:] {
		if d.Severity == diag.Error || d.Severity == diag.Internal {
			return true
		}
	}
	return false
}

type verifier struct {
	fn   *ir.Operation
	body *ir.Block
	errs *diag.List
	ret  *ir.Operation
	// ports is the memory port of each result of a memory interface and of each result
	// of an access at one.
	ports map[*ir.Value]port
	// loops are the conditions of loops, raw and gated.
	loops map[*ir.Value]bool
	// aliases are the parameters that may overlap (cabi.Aliases).
	aliases []int
	// direct is set for graphs of direct circuits, and with fabric for those that are simplified
	// for fabrics: both keep the same rules, but for what is held.
	direct, fabric bool
	// solved are the rates once they are known.
	solved *solver
	// roms are the parameters that nobody writes (cabi.ROM).
	roms []bool
}

// signature checks parameters, names and the return.
func (v *verifier) signature() {
	args := v.body.Args
	if n := len(args); n == 0 || args[n-1].Type != ir.Type(ir.None) {
		v.errs.Errorf(v.fn.Pos, "the last parameter of a dataflow graph must be its control token of type none")
	}
	v.names("argNames", len(args))
	var err error
	if v.aliases, err = cabi.Aliases(v.fn, args); err != nil {
		v.errs.Errorf(v.fn.Pos, "%v", err).WithHelp("it lists the positions of memrefs that may be one array, for example [array<i64: 0, 1>]")
	}
	if v.roms, err = cabi.ReadROM(v.fn, args); err != nil {
		v.errs.Errorf(v.fn.Pos, "%v", err).WithHelp("it lists the positions of memrefs that nobody writes during a run, for example array<i64: 0>")
	}
	for i, a := range args {
		if i == len(args)-1 {
			break
		}
		if _, mem := a.Type.(*ir.MemRefType); !mem && !Carried(a.Type) {
			v.errs.Errorf(a.Loc, "parameter #%d has type %s, which no channel carries", i, a.Type)
		}
	}
	for i, op := range v.body.Ops {
		if op.Name != opname.HandshakeReturn {
			continue
		}
		if i != len(v.body.Ops)-1 {
			v.errs.Errorf(op.Pos, "handshake.return must be the last operation")
		}
		v.ret = op
	}
	if v.ret == nil {
		v.errs.Errorf(v.fn.Pos, "the dataflow graph has no handshake.return")
		return
	}
	n := v.ret.NumOperands()
	v.names("resNames", n)
	if n == 0 || v.ret.Operand(n-1) != nil && v.ret.Operand(n-1).Type != ir.Type(ir.None) {
		v.errs.Errorf(v.ret.Pos, "the last result of a dataflow graph must be its control token of type none")
	}
	t, ok := v.fn.Attr("function_type").(*ir.TypeAttr)
	if !ok {
		return
	}
	ft, ok := t.Type.(*ir.FunctionType)
	if !ok || len(ft.Inputs) != len(args) || len(ft.Results) != n {
		v.errs.Errorf(v.fn.Pos, "the function type %s does not fit %d parameters and %d results", t.Type, len(args), n)
		return
	}
	for i, a := range args {
		if a.Type != ft.Inputs[i] {
			v.errs.Errorf(a.Loc, "parameter #%d has type %s, in the function type %s", i, a.Type, ft.Inputs[i])
		}
	}
	for i, r := range v.ret.Operands() {
		if r != nil && r.Type != ft.Results[i] {
			v.errs.Errorf(v.ret.Pos, "result #%d has type %s, in the function type %s", i, r.Type, ft.Results[i])
		}
	}
}

func (v *verifier) names(attr string, want int) {
	a := v.fn.Attr(attr)
	if a == nil {
		return
	}
	list, ok := a.(*ir.ArrayAttr)
	if !ok || len(list.Elems) != want {
		v.errs.Errorf(v.fn.Pos, "%s must be a list of %d names", attr, want)
		return
	}
	seen := map[string]bool{}
	for _, e := range list.Elems {
		s, ok := e.(*ir.StringAttr)
		switch {
		case !ok || s.Value == "":
			v.errs.Errorf(v.fn.Pos, "%s must be a list of names", attr)
			return
		case seen[s.Value]:
			v.errs.Errorf(v.fn.Pos, "%s has the name %q twice", attr, s.Value)
		}
		seen[s.Value] = true
	}
}

// Carried reports whether a channel can carry type t.
func Carried(t ir.Type) bool {
	if t == ir.Type(ir.None) {
		return true
	}
	w, ok := ir.BitWidth(t, 64)
	if it, isInt := t.(*ir.IntegerType); isInt && it.Sign != ir.Signless {
		return false
	}
	return ok && w >= 1 && w <= 64
}

// operation checks one operation by itself: that graphs may hold it, that every
// operand is connected, arity and types.
func (v *verifier) operation(op *ir.Operation) {
	connected := true
	for i, w := range op.Operands() {
		if w == nil {
			v.errs.Errorf(op.Pos, "'%s' has no value at %s", op.Name, OperandName(op, i))
			connected = false
		}
	}
	if !connected {
		return
	}
	if len(op.Regions) > 0 {
		v.errs.Errorf(op.Pos, "'%s' has regions; a dataflow graph is flat", op.Name)
		return
	}
	if a := op.Attr(handshake.FenceAttr); a != nil {
		if _, unit := a.(*ir.UnitAttr); !unit || op.Name != opname.HandshakeJoin {
			v.errs.Errorf(op.Pos, "%s is a unit attribute of handshake.join", handshake.FenceAttr).
				WithHelp("the join waits for all accesses before the fence; what is after the fence waits for the join")
		}
	}
	if a := op.Attr(handshake.OvertakenAttr); a != nil {
		if _, unit := a.(*ir.UnitAttr); !unit || op.Name != opname.HandshakeExtmemory && op.Name != opname.HandshakeMemory {
			v.errs.Errorf(op.Pos, "%s is a unit attribute of handshake.extmemory and handshake.memory", handshake.OvertakenAttr).
				WithHelp("it says that loads of the memory may overtake stores to the same element")
		}
	}
	if f := shapes[op.Name]; f != nil {
		f(v, op)
	} else if computes(op.Name) && op.NumOperands() > 0 {
		if _, err := num.Resolve(op, 64); err != nil {
			v.errs.Add(diag.FromError(err).All[0])
		}
	} else {
		d := v.errs.Errorf(op.Pos, "'%s' must not be left in a dataflow graph", op.Name)
		if help := outside[op.Name]; help != "" {
			d.WithHelp("%s", help)
		} else if op.Dialect() == "index" {
			d.WithHelp("write it with the operation of arith that computes the same on values of type index")
		} else if op.Dialect() == "handshake" {
			d.WithHelp("LOOM's graphs are made of %s", subset)
		}
		return
	}
	v.holds(op)
	for i, r := range op.Results() {
		if !Carried(r.Type) {
			v.errs.Errorf(op.Pos, "result #%d of '%s' has type %s, which no channel carries", i, op.Name, r.Type)
		}
	}
}

// holds checks the held values that an operation reads: it must not steer by them, and
// something else must say how often it fires.
func (v *verifier) holds(op *ir.Operation) {
	if op.Name == opname.DataflowHold && !v.direct {
		v.errs.Errorf(op.Pos, "'%s' must not be left in a dataflow graph", op.Name).
			WithHelp("only simplified graphs hold values for a run: their function has the attribute %s or, for direct circuits, %s",
				dataflow.SimplifiedAttr, dataflow.DirectAttr)
		return
	}
	if start := v.body.Args[len(v.body.Args)-1]; op.Name == opname.DataflowHold && v.fabric && op.Operand(0) != start {
		v.errs.Errorf(op.Pos, "'%s' holds another value than the start token, for which fabrics have no register", op.Name).
			WithHelp("lead the value into regions by handshake.cond_br and dataflow.invariant, or mark the function %s", dataflow.DirectAttr)
	}
	held := 0
	for i, w := range op.Operands() {
		if !dataflow.IsHeld(w) {
			continue
		}
		held++
		if !dataflow.MayHold(op, i) {
			v.errs.Errorf(op.Pos, "'%s' takes a value that is held for the run as %s", op.Name, OperandName(op, i)).
				WithHelp("it needs one token for each activation: use the value in front of the hold")
			return
		}
	}
	// The data of a load comes from its port; it does not start the access.
	n := op.NumOperands()
	if op.Name == opname.HandshakeLoad {
		n--
	}
	if held > 0 && held == n && op.Name != opname.HandshakeConstant {
		v.errs.Errorf(op.Pos, "every operand of '%s' is held for the run: nothing says how often it fires", op.Name).
			WithHelp("let it take one of them in front of the hold")
	}
}

// Allowed reports whether a dataflow graph may hold operations of that name.
func Allowed(name string) bool {
	return shapes[name] != nil || computes(name) && !ir.Lookup(name).Has(ir.ConstantLike)
}

// computes reports whether a function unit may compute operations of that name:
// those of index are written with arith in a graph.
func computes(name string) bool {
	return num.Supported(name) && !strings.HasPrefix(name, "index.")
}

// subset is what dataflow graphs have of the handshake dialect.
const subset = "handshake constant, cond_br, mux, join, load, store, memory, extmemory and return, dataflow stream, gate, carry and invariant, arith and math"

// outside is the help for operations that CIRCT or earlier stages have and graphs do
// not: what to use instead.
var outside = map[string]string{
	opname.ArithConstant:         "a constant of a graph is a handshake.constant fired by the control of its region",
	opname.HandshakeFork:         "a value may have any number of users: use the fork's operand instead of its results",
	opname.HandshakeLazyFork:     "a value may have any number of users, each takes its token when it can: use the fork's operand instead of its results",
	opname.HandshakeSink:         "a value without users is dropped by the hardware's discard bits: leave the sink out (spec-compilation)",
	opname.HandshakeBr:           "use its operand instead of its result",
	opname.HandshakeBuffer:       "channels buffer as the hardware needs it: use its operand instead of its result; initial tokens are the initial value of a dataflow.carry",
	opname.HandshakeSource:       "tokens without end have no activation: fire constants by the control of their region",
	opname.HandshakeMerge:        "branches rejoin through handshake.mux, loops begin with dataflow.carry: both know which token comes next",
	opname.HandshakeControlMerge: "branches rejoin through handshake.mux with the condition that split them, loops begin with dataflow.carry",
	opname.HandshakeSync:         "join the control tokens with handshake.join",
	opname.HandshakeInstance:     "a graph is one function: lower the kernel with its calls inlined",
	opname.MemRefLoad:            "an access of a graph is a handshake.load that is connected to a handshake.extmemory or handshake.memory",
	opname.MemRefStore:           "an access of a graph is a handshake.store that is connected to a handshake.extmemory or handshake.memory",
}

// shapes checks arity and types of the operations with rules of their own.
var shapes map[string]func(v *verifier, op *ir.Operation)

func init() {
	// T stands for one data type, the same everywhere in a row.
	const (
		data    = "T"
		bit     = "i1"
		token   = "none"
		address = "index"
		number  = "N" // T, which must be an integer or index
	)
	row := func(in, out []string) func(v *verifier, op *ir.Operation) {
		return func(v *verifier, op *ir.Operation) { v.shape(op, in, out) }
	}
	shapes = map[string]func(v *verifier, op *ir.Operation){
		opname.HandshakeConstant:  row([]string{token}, []string{data}),
		opname.HandshakeCondBr:    row([]string{bit, data}, []string{data, data}),
		opname.HandshakeMux:       row([]string{bit, data, data}, []string{data}),
		opname.HandshakeLoad:      row([]string{address, data, token}, []string{data, address}),
		opname.HandshakeStore:     row([]string{address, data, token}, []string{data, address}),
		opname.DataflowStream:     row([]string{number, number, number}, []string{number, bit}),
		opname.DataflowGate:       row([]string{data, bit}, []string{data, bit}),
		opname.DataflowCarry:      row([]string{bit, data, data}, []string{data}),
		opname.DataflowAccumulate: row([]string{bit, data, data}, []string{data}),
		opname.DataflowInvariant:  row([]string{bit, data}, []string{data}),
		opname.DataflowHold:       row([]string{data}, []string{data}),
		opname.DataflowInterlock:  row([]string{address, address, token}, []string{address}),
		opname.HandshakeJoin:      (*verifier).join,
		opname.HandshakeMemory:    (*verifier).interfacePorts,
		opname.HandshakeExtmemory: (*verifier).interfacePorts,
		opname.HandshakeReturn:    func(*verifier, *ir.Operation) {},
	}
}

func (v *verifier) shape(op *ir.Operation, in, out []string) {
	if op.NumOperands() != len(in) || op.NumResults() != len(out) {
		v.errs.Errorf(op.Pos, "'%s' has %d operands and %d results where %d and %d are expected",
			op.Name, op.NumOperands(), op.NumResults(), len(in), len(out))
		return
	}
	var t ir.Type
	check := func(what string, want string, have ir.Type) {
		switch want {
		case "T", "N":
			if t == nil {
				t = have
			}
			if have != t {
				v.errs.Errorf(op.Pos, "%s of '%s' has type %s where %s is expected", what, op.Name, have, t)
			} else if want == "N" && !ir.IsInt(have) {
				v.errs.Errorf(op.Pos, "%s of '%s' has type %s; induction variables are integers or index", what, op.Name, have)
			}
		default:
			if have.String() != want {
				v.errs.Errorf(op.Pos, "%s of '%s' has type %s where %s is expected", what, op.Name, have, want)
			}
		}
	}
	for i, w := range in {
		check(OperandName(op, i), w, op.Operand(i).Type)
	}
	for i, w := range out {
		check("result #"+string(rune('0'+i)), w, op.Result(i).Type)
	}
	switch op.Name {
	case opname.HandshakeConstant:
		if op.Attr("value") == nil {
			v.errs.Errorf(op.Pos, "'handshake.constant' has no value")
		}
	case opname.DataflowStream:
		v.oneOf(op, "step_op", dataflow.StepOps)
		v.oneOf(op, "cont_cond", dataflow.ContConds)
	}
}

func (v *verifier) oneOf(op *ir.Operation, attr string, allowed []string) {
	have := op.StrAttr(attr)
	for _, a := range allowed {
		if have == a {
			return
		}
	}
	v.errs.Errorf(op.Pos, "'%s' has %s = %q", op.Name, attr, have).WithHelp("one of %v", allowed)
}

func (v *verifier) join(op *ir.Operation) {
	if op.NumOperands() < 1 || op.NumResults() != 1 || op.Result(0).Type != ir.Type(ir.None) {
		v.errs.Errorf(op.Pos, "'handshake.join' takes tokens and returns one")
		return
	}
	limit := JoinLimit(v.fn)
	if n := op.NumOperands(); n > limit && n > 1 {
		v.errs.Errorf(op.Pos, "'handshake.join' has %d inputs, the limit is %d", n, limit)
	}
}

// operandNames are the parts that operands play.
var operandNames = map[string][]string{
	opname.HandshakeConstant:  {"the control"},
	opname.HandshakeCondBr:    {"the condition", "the data"},
	opname.HandshakeMux:       {"the selector", "the false input", "the true input"},
	opname.HandshakeLoad:      {"the address", "the data from memory", "the control"},
	opname.HandshakeStore:     {"the address", "the data", "the control"},
	opname.DataflowStream:     {"the start", "the step", "the bound"},
	opname.DataflowGate:       {"the value", "the condition"},
	opname.DataflowCarry:      {"the condition", "the initial value", "the loop value"},
	opname.DataflowAccumulate: {"the condition", "the initial value", "the element"},
	opname.DataflowInvariant:  {"the condition", "the value"},
	opname.DataflowHold:       {"the value"},
	opname.DataflowInterlock:  {"the subscript of the load", "the subscript of the store", "the done token"},
}

// OperandName names operand i by its role, for messages.
func OperandName(op *ir.Operation, i int) string {
	if names := operandNames[op.Name]; i < len(names) {
		return names[i]
	}
	return "operand #" + itoa(i)
}
