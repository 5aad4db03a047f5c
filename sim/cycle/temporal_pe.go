package cycle

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/num"
	"loom/compiler/opname"
)

func init() { models[arch.TemporalPE] = model{connect: (*builder).connectTemporalPE} }

// temporalPE is loom_temporal_pe: it executes instructions, at most one in a cycle, in whatever order their operands
// arrive. In one cycle it chooses one that has what it waits for, or would get it from what executes, or an input with a
// token; in the next that is prepared; in the one after it executes, unless an operand did not come or something that reads
// its results still has the one before.
type temporalPE struct {
	node
	code []instruction
	// readers are, by place, what gets the results of an instruction, or the tokens of an input. The places are those of
	// the instructions, then those of the inputs.
	readers [][]reader
	words   []uint64 // by place: the latest result, or token

	waiting []bool   // by input: it has a token
	entered []uint64 // the word of that
	full    []bool   // by output: it offers a token
	offered []uint64 // the word of that
	masks   []uint64 // of outputs

	blocked  []bool    // by place: not to be chosen until something executes or has left
	left     bool      // a token did, in the cycle before
	prepared int       // the place that is prepared in this cycle, -1 for none
	issued   int       // the place that executes in this cycle, -1 for none
	now      execution // what that does
	rest     int       // for how many cycles more it does
	next     int       // the place that is looked at first
}

// instruction is one that the configuration has, with its state.
type instruction struct {
	valid    bool
	kind     arch.StepKind
	form     num.Form
	in       []int    // operands of what computes
	inMasks  []uint64 // their widths
	outMasks [2]uint64
	operands [arch.InstructionOperands]operand
	unit     string
	cycles   int // that an execution takes beyond the first

	there [arch.InstructionOperands]bool // tokens
	flag  bool                           // the condition
	state bool                           // inside of a loop
}

// operand is where an operand of an instruction has its data: in a place, or it is a constant.
type operand struct {
	held, constant bool
	value          uint64
	source, place  int
}

// reader is an operand of an instruction, or with instruction -1 an output; it reads the second result.
type reader struct {
	instruction, at int
	second          bool
}

// execution is what an instruction does: the operands that it must have, those that it takes, the result that it gives, -1
// for none, and its next state.
type execution struct {
	needs, takes [arch.InstructionOperands]bool
	gives        int
	word         uint64
	state        bool
}

const (
	opCond = arch.OperandCondition
	opA    = arch.OperandA
	opB    = arch.OperandB
)

// has reports whether an operand is there.
func (x *instruction) has(k int) bool { return x.there[k] || x.operands[k].held }

// choose is A or B.
func choose(b bool) int {
	if b {
		return opB
	}
	return opA
}

// waits are the operands that an instruction cannot go on without.
func (x *instruction) waits() (w [arch.InstructionOperands]bool) {
	switch x.kind {
	case arch.StepMux:
		w[opCond] = true
		if x.has(opCond) {
			w[choose(x.flag)] = true
		}
	case arch.StepBranch:
		w[opCond], w[opA] = true, true
	case arch.StepCarry:
		if !x.state {
			w[opA] = true
			break
		}
		w[opCond] = true
		w[opB] = x.has(opCond) && x.flag
	case arch.StepLoop:
		w[opCond] = true
		w[choose(x.state)] = true
	case arch.StepInvariant:
		w[opA], w[opCond] = !x.state, x.state
	default:
		w[opCond], w[opA], w[opB] = true, true, true
	}
	return w
}

// ready reports whether an instruction has what it waits for, or would get it: operand k where coming does. What a
// condition is that comes is not known yet: a mux waits for it, and a carry for what it takes if it is true.
func (x *instruction) ready(coming [arch.InstructionOperands]bool) bool {
	if !x.valid {
		return false
	}
	waits := x.waits()
	if !x.has(opCond) && coming[opCond] {
		switch {
		case x.kind == arch.StepMux:
			return false
		case x.kind == arch.StepCarry && x.state:
			waits[opB] = true
		}
	}
	for k, w := range waits {
		if w && !x.has(k) && !coming[k] {
			return false
		}
	}
	return true
}

// word is the data of an operand.
func (t *temporalPE) word(n, k int) uint64 {
	o := &t.code[n].operands[k]
	if o.constant {
		return o.value
	}
	return t.words[o.place]
}

// step is what an instruction does that has its operands, and what it must have for that.
func (t *temporalPE) step(n int) execution {
	x := &t.code[n]
	e := execution{needs: x.waits(), takes: x.waits(), state: x.state}
	switch x.kind {
	case arch.StepCompute:
		e.word = x.compute(func(k int) uint64 { return t.word(n, k) })
	case arch.StepSelect:
		e.word = t.word(n, choose(!x.flag))
	case arch.StepMux:
		e.word = t.word(n, choose(x.flag))
	case arch.StepBranch:
		e.word = t.word(n, opA)
		if !x.flag {
			e.gives = 1
		}
	case arch.StepCarry:
		switch {
		case !x.state:
			e.word, e.state = t.word(n, opA), true
		case x.flag:
			e.word = t.word(n, opB)
		default:
			e.gives, e.state = -1, false
		}
	case arch.StepLoop:
		e.word, e.state = t.word(n, choose(x.state)), x.flag
		if !x.flag {
			e.gives = 1
		}
	case arch.StepInvariant:
		switch {
		case !x.state:
			e.word, e.state, e.takes[opA] = t.word(n, opA), true, false
		case x.flag:
			e.word = t.word(n, opA)
		default:
			e.gives, e.state, e.takes[opA] = -1, false, true
		}
	}
	if e.gives >= 0 {
		e.word &= x.outMasks[e.gives]
	}
	return e
}

func (x *instruction) compute(word func(k int) uint64) uint64 {
	var v [3]uint64
	for i, k := range x.in {
		v[i] = word(k) & x.inMasks[i]
	}
	switch {
	case x.form.Binary != nil:
		return x.form.Binary(v[0], v[1])
	case x.form.Unary != nil:
		return x.form.Unary(v[0])
	}
	return 0
}

// prepare is what a place does: of an input the word follows when it executes.
func (t *temporalPE) prepare(place int) execution {
	if place < 0 || place >= len(t.code) {
		return execution{}
	}
	return t.step(place)
}

// free reports whether what executes has its operands, and what reads its results has room.
func (t *temporalPE) free() bool {
	if t.issued < 0 {
		return false
	}
	if t.issued < len(t.code) {
		x := &t.code[t.issued]
		for k, needs := range t.now.needs {
			if needs && !x.has(k) {
				return false
			}
		}
	}
	if t.now.gives < 0 {
		return true
	}
	for _, r := range t.readers[t.issued] {
		if r.instruction < 0 && t.full[r.at] ||
			r.instruction >= 0 && t.code[r.instruction].there[r.at] && !(r.instruction == t.issued && t.now.takes[r.at]) {
			return false
		}
	}
	return true
}

// coming are the operands of an instruction that get what executes.
func (t *temporalPE) coming(n int) (c [arch.InstructionOperands]bool) {
	if t.issued < 0 || t.now.gives < 0 {
		return c
	}
	for _, r := range t.readers[t.issued] {
		if r.instruction == n && r.second == (t.now.gives == 1) {
			c[r.at] = true
		}
	}
	return c
}

// choice is the place to issue, -1 for none: the first at or after the pointer that is ready. Nothing is while an execution
// goes on.
func (t *temporalPE) choice() int {
	if t.rest > 0 {
		return -1
	}
	for k := range t.blocked {
		n := t.next + k
		if n >= len(t.blocked) {
			n -= len(t.blocked)
		}
		if n == t.issued || n == t.prepared || t.blocked[n] {
			continue
		}
		if n < len(t.code) && t.code[n].ready(t.coming(n)) || n >= len(t.code) && t.waiting[n-len(t.code)] {
			return n
		}
	}
	return -1
}

func (t *temporalPE) forward(e *engine) {
	for o, net := range t.out {
		e.drive(net, t.full[o], t.offered[o])
	}
}

func (t *temporalPE) backward(e *engine) {
	for j, w := range t.in {
		e.accept(w, !t.waiting[j])
	}
	if t.left || t.issued >= 0 || t.prepared >= 0 || t.choice() >= 0 {
		e.attend(t.id)
	}
}

func (t *temporalPE) clock(e *engine) wake {
	issue, prepared := t.choice(), t.prepare(t.prepared)
	free := t.free()
	left := t.left
	t.left = false
	for o, net := range t.out {
		if e.moved(net) {
			t.full[o], t.left = false, true
		}
	}
	entered := false
	for j, w := range t.in {
		if e.moved(w.net) {
			t.waiting[j], t.entered[j], entered = true, e.val(w), true
		}
	}
	executed, fires := t.issued, free && t.rest == 0
	if fires {
		if executed >= len(t.code) {
			t.now.word, t.waiting[executed-len(t.code)] = t.entered[executed-len(t.code)], false
		}
		t.fire(executed, t.now)
	}
	switch {
	case fires || left:
		clear(t.blocked)
	case executed >= 0 && !free:
		t.blocked[executed] = true
	}
	switch {
	case t.rest == 0:
		t.issued, t.now, t.prepared = t.prepared, prepared, issue
		if t.issued >= 0 && t.issued < len(t.code) {
			t.rest = t.code[t.issued].cycles
		}
	case free:
		t.rest--
	default: // it ends without room, and what is prepared waits for a cycle
		t.rest, t.issued = 0, -1
	}
	if issue >= 0 {
		if t.next = issue + 1; t.next == len(t.blocked) {
			t.next = 0
		}
	}
	return changed(executed >= 0 || t.issued >= 0 || issue >= 0 || left || t.left || entered)
}

// fire executes what was issued.
func (t *temporalPE) fire(place int, x execution) {
	if place < len(t.code) {
		c := &t.code[place]
		c.state = x.state
		for k, takes := range x.takes {
			c.there[k] = c.there[k] && !takes
		}
	}
	if x.gives < 0 {
		return
	}
	t.words[place] = x.word
	for _, r := range t.readers[place] {
		switch {
		case r.second != (x.gives == 1):
		case r.instruction < 0:
			t.full[r.at], t.offered[r.at] = true, x.word&t.masks[r.at]
		default:
			c := &t.code[r.instruction]
			c.there[r.at] = true
			if r.at == opCond {
				c.flag = x.word&1 != 0
			}
		}
	}
}

func (t *temporalPE) idle() bool {
	if slices.Contains(t.waiting, true) {
		return false
	}
	for o := range t.full {
		if t.full[o] {
			return false
		}
	}
	for n := range t.code {
		if t.code[n].busy() {
			return false
		}
	}
	return t.prepared < 0 && t.issued < 0
}

// busy reports whether an instruction has something.
func (x *instruction) busy() bool {
	return x.state || x.there != [arch.InstructionOperands]bool{}
}

// works reports whether something fires in this cycle.
func (t *temporalPE) works(*engine) bool {
	return t.free()
}

// needs lists the inputs from which operands come that instructions wait for, and tokens of outputs that offer none.
func (t *temporalPE) needs(_ *engine, buf []wire) []wire {
	missing := make([]bool, len(t.in))
	for n := range t.code {
		x := &t.code[n]
		if !x.valid {
			continue
		}
		for k, w := range x.waits() {
			if w && !x.has(k) {
				t.comes(missing, x.operands[k].place)
			}
		}
	}
	for place, rs := range t.readers {
		for _, r := range rs {
			if r.instruction < 0 && !t.full[r.at] {
				t.comes(missing, place)
			}
		}
	}
	for j, w := range t.in {
		if missing[j] && !t.waiting[j] {
			buf = append(buf, w)
		}
	}
	return buf
}

// comes notes the input that a place is of.
func (t *temporalPE) comes(missing []bool, place int) {
	if j := place - len(t.code); j >= 0 && j < len(missing) {
		missing[j] = true
	}
}

// holds states, for reports, what the instructions wait for that have something.
func (t *temporalPE) holds() string {
	var parts []string
	for n := range t.code {
		x := &t.code[n]
		if !x.busy() {
			continue
		}
		if x.ready([arch.InstructionOperands]bool{}) {
			parts = append(parts, fmt.Sprintf("instruction %d, '%s', waits until its results are taken", n, x.unit))
			continue
		}
		for k, w := range x.waits() {
			if w && !x.has(k) {
				parts = append(parts, fmt.Sprintf("instruction %d, '%s', waits for operand %s from %s", n, x.unit, []string{"condition", "a", "b"}[k], t.sourceText(x.operands[k].source)))
			}
		}
	}
	for j, w := range t.waiting {
		if w {
			parts = append(parts, fmt.Sprintf("input %d has %#x, which waits until its readers have taken the one before", j, t.entered[j]))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

func (t *temporalPE) sourceText(source int) string {
	switch k := len(t.code); {
	case source < k:
		return fmt.Sprintf("instruction %d", source)
	case source < 2*k:
		return fmt.Sprintf("the second result of instruction %d", source-k)
	default:
		return fmt.Sprintf("input %d", source-2*k)
	}
}

// connectTemporalPE makes the unit of a temporal PE. Sources that are not there, also those of what is not valid, raise
// their code as long as the design runs; what names them never gets a token.
func (b *builder) connectTemporalPE(c *arch.Component, set *config.Setting) {
	n, s := b.node(c), set.TPE
	if s == nil || len(s.Instructions) != c.TPE.Instructions || len(s.Outputs) != len(c.Out) || len(s.Constants) != c.TPE.Constants {
		b.errs.Errorf(c.Pos, "the setting of temporal PE '%s' does not have its %d instructions, %d outputs and %d constants",
			c.Name, c.TPE.Instructions, len(c.Out), c.TPE.Constants)
		return
	}
	n.regFwd, n.regBwd = true, true
	k := c.TPE.Instructions
	places := k + len(c.In)
	t := &temporalPE{node: n, code: make([]instruction, k), readers: make([][]reader, places), words: make([]uint64, places),
		waiting: make([]bool, len(c.In)), entered: make([]uint64, len(c.In)), full: make([]bool, len(c.Out)), offered: make([]uint64, len(c.Out)), blocked: make([]bool, places), prepared: -1, issued: -1}
	beyond := false
	exists := func(source int) bool {
		ok := source >= 0 && source < c.TPE.Sources(c)
		beyond = beyond || !ok
		return ok
	}
	// read adds a reader, and returns the place that it reads.
	read := func(source int, r reader) int {
		if !exists(source) {
			return 0
		}
		place := source
		if source >= k {
			place = source - k
		}
		r.second = source >= k && source < 2*k
		t.readers[place] = append(t.readers[place], r)
		return place
	}
	for i := range s.Instructions {
		in := &s.Instructions[i]
		for _, op := range in.Operands {
			exists(op.Source)
		}
		if !in.Valid {
			continue
		}
		if in.Opcode < 0 || in.Opcode >= len(c.TPE.FUs) || in.Constant < 0 || in.Constant >= max(len(s.Constants), 1) {
			b.errs.Errorf(c.Pos, "instruction %d of temporal PE '%s' has opcode %d of %d and constant %d of %d",
				i, c.Name, in.Opcode, len(c.TPE.FUs), in.Constant, len(s.Constants))
			return
		}
		x := &t.code[i]
		b.temporalUnit(x, c.TPE.FUs[in.Opcode], c.TPE.Steps[in.Opcode], in.Predicate)
		for o, op := range in.Operands {
			y := operand{held: op.Held, constant: op.Held || op.Immediate, source: op.Source}
			if op.Immediate && in.Constant < len(s.Constants) {
				y.value = s.Constants[in.Constant] & mask(c.TPE.Width)
			}
			if !op.Held {
				y.place = read(op.Source, reader{instruction: i, at: o})
			}
			x.operands[o] = y
		}
	}
	for o, source := range s.Outputs {
		t.masks = append(t.masks, mask(c.Out[o].Width))
		if source >= 0 {
			read(source, reader{instruction: -1, at: o})
		}
	}
	if beyond {
		b.add(&misconfigured{node: node{comp: c, what: n.what}, code: CodeTemporalSource})
	}
	b.add(t)
}

// temporalUnit fills in what an instruction executes.
func (b *builder) temporalUnit(x *instruction, fu *arch.FunctionUnit, s arch.Step, predicate uint64) {
	x.valid, x.kind, x.unit, x.cycles = true, s.Kind, fu.Name, s.Cycles
	for r, p := range fu.Out {
		x.outMasks[r] = portMask(p)
	}
	if s.Kind != arch.StepCompute {
		return
	}
	x.in = s.Slot
	for _, p := range fu.In {
		x.inMasks = append(x.inMasks, portMask(p))
	}
	op := fu.Single().Op
	if op.Name == opname.ArithCmpI {
		x.form.Binary = num.CompareInt(int64(predicate), fu.In[0].Width)
		return
	}
	f, err := num.Resolve(op, b.f.IndexWidth)
	if err != nil {
		b.errs.Errorf(op.Pos, "%v", err)
	}
	x.form = f
}
