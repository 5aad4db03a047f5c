package fabrictest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// TemporalPE adds a temporal PE of definition def. Its units must be such as it executes.
func (b *Builder) TemporalPE(name, def string, in, out []ir.Type, instructions, constants int, units ...*arch.FunctionUnit) *arch.Component {
	p := &arch.TemporalPESpec{FUs: units, Instructions: instructions, Constants: constants}
	for _, t := range append(append([]ir.Type(nil), in...), out...) {
		p.Width = max(p.Width, b.width(t))
	}
	for _, u := range units {
		s, ok := u.Step(p.Width)
		if !ok {
			panic(fmt.Sprintf("fabrictest: unit '%s' cannot stand in a temporal PE of %d bits", u.Name, p.Width))
		}
		p.Steps = append(p.Steps, s)
	}
	return b.add(&arch.Component{Name: name, Def: def, Kind: arch.TemporalPE, In: b.ports("in", in), Out: b.ports("out", out), TPE: p})
}

// TemporalUnits are function units of everything that a temporal PE on words of some bits executes: arithmetic, casts
// and comparisons, and what steers tokens, also tokens that are narrower or without data.
func (b *Builder) TemporalUnits(width int) []*arch.FunctionUnit {
	i1, word, none := ir.Type(ir.I1), ir.Type(ir.Int(width)), ir.Type(ir.None)
	half := ir.Type(ir.Int(max(width/2, 1)))
	pair := []ir.Type{word, word}
	var us []*arch.FunctionUnit
	single := func(name, op string, in []ir.Type, out ...ir.Type) {
		latency, interval := 0, 1
		if row, _ := units.Lookup(op); row.Class != units.Datapath {
			latency, interval = -1, -1
		}
		if op == opname.ArithMulI {
			latency = units.MultiplierLatency(width)
		}
		u := b.Single(name, op, latency, interval, in, out...)
		if _, ok := u.Step(width); ok {
			us = append(us, u)
		}
	}
	for _, row := range units.All() {
		if row.Binary() {
			single(row.Mnemonic, row.Op, pair, word)
		}
	}
	for _, name := range []string{"shli", "shrsi", "maxsi", "minui"} { // with a register within
		u := b.Single(name+"_late", units.ByMnemonic(name).Op, 1, 1, pair, word)
		if _, ok := u.Step(width); ok {
			us = append(us, u)
		}
	}
	single("cmpi", opname.ArithCmpI, pair, i1)
	if width > 1 {
		single("extsi", opname.ArithExtSI, []ir.Type{half}, word)
		single("extui", opname.ArithExtUI, []ir.Type{i1}, word)
		single("trunci", opname.ArithTruncI, []ir.Type{word}, half)
	}
	for i, name := range []string{"", "_half", "_none"} {
		t := []ir.Type{word, half, none}[i]
		if t != none {
			single("select"+name, opname.ArithSelect, []ir.Type{i1, t, t}, t)
			single("invariant"+name, opname.DataflowInvariant, []ir.Type{i1, t}, t)
		}
		single("mux"+name, opname.HandshakeMux, []ir.Type{i1, t, t}, t)
		single("cond_br"+name, opname.HandshakeCondBr, []ir.Type{i1, t}, t, t)
		single("carry"+name, opname.DataflowCarry, []ir.Type{i1, t, t}, t)
		u := b.NewUnit("loop"+name, -1, -1, i1, t, t)
		v := u.Op(opname.DataflowCarry, []arch.ValueRef{Arg(0), Arg(1), Arg(2)}, t)
		br := u.Op(opname.HandshakeCondBr, []arch.ValueRef{Arg(0), v}, t, t)
		us = append(us, u.Yield(br, Result(br, 1)))
	}
	for n := 1; n <= 3; n++ {
		single(fmt.Sprint("join", n), opname.HandshakeJoin, []ir.Type{none, none, none}[:n], none)
	}
	return us
}

// Assemble reads a program of a temporal PE, a line each for its constants, instructions and outputs:
//
//	const 0: 17
//	3: addi in0 i5#0
//	out 1: i3.1
//
// Instructions name their unit, cmpi with its predicate as "cmpi:2", and an operand for each of its inputs: "in0" is an
// input of the PE, "i5" what instruction 5 gives, "i5.1" its second result; "#0" gives it the data of a constant. "held"
// and "held#0" have no tokens.
func Assemble(c *arch.Component, text string) (*config.TPESetting, error) {
	k := c.TPE.Instructions
	set := &config.TPESetting{Instructions: make([]config.Instruction, k), Outputs: make([]int, len(c.Out)), Constants: make([]uint64, c.TPE.Constants)}
	for o := range set.Outputs {
		set.Outputs[o] = -1
	}
	for _, line := range strings.Split(text, "\n") {
		what, rest, found := strings.Cut(strings.TrimSpace(line), ":")
		if what == "" {
			continue
		}
		words := strings.Fields(rest)
		var n int
		fail := func(err error) error { return fmt.Errorf("fabrictest: line %q of a program: %v", line, err) }
		if !found || len(words) == 0 {
			return nil, fail(fmt.Errorf("nothing stands there"))
		}
		switch {
		case scan(what, "const %d", &n) && n < len(set.Constants):
			v, err := strconv.ParseUint(words[0], 0, 64)
			if err != nil {
				return nil, fail(err)
			}
			set.Constants[n] = v
		case scan(what, "out %d", &n) && n < len(set.Outputs):
			source, err := sourceOf(words[0], k)
			if err != nil {
				return nil, fail(err)
			}
			set.Outputs[n] = source
		case scan(what, "%d", &n) && n < k:
			in, err := assembleInstruction(c, words)
			if err != nil {
				return nil, fail(err)
			}
			set.Instructions[n] = in
		default:
			return nil, fail(fmt.Errorf("there is no %s", what))
		}
	}
	return set, nil
}

func scan(text, format string, v ...any) bool {
	n, err := fmt.Sscanf(text, format, v...)
	return err == nil && n == len(v)
}

// sourceOf is the number of a source.
func sourceOf(word string, k int) (int, error) {
	var n, second int
	switch {
	case scan(word, "in%d", &n):
		return 2*k + n, nil
	case scan(word, "i%d.%d", &n, &second):
		return second*k + n, nil
	case scan(word, "i%d", &n):
		return n, nil
	}
	return 0, fmt.Errorf("%q is no source", word)
}

func assembleInstruction(c *arch.Component, words []string) (config.Instruction, error) {
	in := config.Instruction{Valid: true}
	unit, predicate, compares := strings.Cut(words[0], ":")
	in.Opcode = slices.IndexFunc(c.TPE.FUs, func(u *arch.FunctionUnit) bool { return u.Name == unit })
	if in.Opcode < 0 {
		return in, fmt.Errorf("there is no unit '%s'", unit)
	}
	if compares {
		v, err := strconv.ParseUint(predicate, 0, 64)
		if err != nil {
			return in, err
		}
		in.Predicate = v
	}
	for o := range in.Operands {
		in.Operands[o] = config.Operand{Held: true}
	}
	slots := c.TPE.Steps[in.Opcode].Slot
	if len(words) != 1+len(slots) {
		return in, fmt.Errorf("'%s' has %d operands", unit, len(slots))
	}
	for i, slot := range slots {
		name, constant, immediate := strings.Cut(words[1+i], "#")
		o := config.Operand{Held: name == "held", Immediate: immediate}
		if !o.Held {
			source, err := sourceOf(name, c.TPE.Instructions)
			if err != nil {
				return in, err
			}
			o.Source = source
		}
		if immediate {
			v, err := strconv.Atoi(constant)
			if err != nil {
				return in, err
			}
			in.Constant = v
		}
		in.Operands[slot] = o
	}
	return in, nil
}

// TemporalSetting draws a legal program of a temporal PE. It is made of pieces as kernels have them: arithmetic, branches
// that meet again, loops; now and then something is connected in another way.
func TemporalSetting(r *rand.Rand, c *arch.Component) *config.TPESetting {
	p := &temporalProgram{r: r, c: c, set: &config.TPESetting{Instructions: make([]config.Instruction, c.TPE.Instructions)}}
	k := c.TPE.Instructions
	for range c.TPE.Constants {
		v := r.Uint64()
		if r.IntN(2) == 0 {
			v = uint64(r.IntN(8))
		}
		p.set.Constants = append(p.set.Constants, v&(1<<(c.TPE.Width-1)<<1-1))
	}
	for j := range c.In {
		p.sources = append(p.sources, 2*k+j)
	}
	most := k
	if r.IntN(3) == 0 {
		most = 1 + r.IntN(k)
	}
	for range 3 * k {
		pieces := []func(){p.single, p.single, p.diamond, p.loop, p.head}
		if p.n < most {
			pieces[r.IntN(len(pieces))]()
		}
	}
	// Operands that are changed read any source, or what their own instruction gives.
	if change := []int{0, 0, 0, 6, 6, 2}[r.IntN(6)]; change > 0 {
		for n := range p.n {
			for o := range p.set.Instructions[n].Operands {
				op := &p.set.Instructions[n].Operands[o]
				switch {
				case op.Held || r.IntN(change) > 0:
				case r.IntN(3) == 0:
					op.Source = n + k*r.IntN(2)
				default:
					op.Source = r.IntN(2*k + len(c.In))
				}
			}
		}
	}
	if r.IntN(2) == 0 {
		p.shuffle()
	}
	for range c.Out {
		source := -1
		switch r.IntN(8) {
		case 0:
		case 1:
			source = r.IntN(2*k + len(c.In))
		default:
			source = p.source()
		}
		p.set.Outputs = append(p.set.Outputs, source)
	}
	return p.set
}

// temporalProgram collects instructions; n is their number, sources are what others may read.
type temporalProgram struct {
	r       *rand.Rand
	c       *arch.Component
	set     *config.TPESetting
	n       int
	sources []int
}

// source is mostly one of the latest.
func (p *temporalProgram) source() int {
	if p.r.IntN(3) > 0 {
		return p.sources[len(p.sources)-1-p.r.IntN(min(3, len(p.sources)))]
	}
	return p.sources[p.r.IntN(len(p.sources))]
}

// free is how many instructions there are yet.
func (p *temporalProgram) free() int { return p.c.TPE.Instructions - p.n }

// opcode is one of those of some kinds for which ok holds, -1 for none.
func (p *temporalProgram) opcode(kind arch.StepKind, ok func(u *arch.FunctionUnit) bool) int {
	var all []int
	for i, s := range p.c.TPE.Steps {
		if s.Kind == kind && (ok == nil || ok(p.c.TPE.FUs[i])) {
			all = append(all, i)
		}
	}
	if len(all) == 0 {
		return -1
	}
	return all[p.r.IntN(len(all))]
}

func named(op string) func(u *arch.FunctionUnit) bool {
	return func(u *arch.FunctionUnit) bool { x := u.Single(); return x != nil && x.Op.Name == op }
}

// from is an operand that reads a source.
func from(source int) config.Operand { return config.Operand{Source: source} }

// constant is an operand that is there, and at times has data.
func (p *temporalProgram) constant() config.Operand {
	return config.Operand{Held: true, Immediate: p.c.TPE.Constants > 0 && p.r.IntN(4) > 0}
}

// data is an operand of any sort.
func (p *temporalProgram) data() config.Operand {
	switch p.r.IntN(6) {
	case 0:
		return p.constant()
	case 1:
		return config.Operand{Source: p.source(), Immediate: p.c.TPE.Constants > 0}
	}
	return from(p.source())
}

// emit appends an instruction whose operands, those that its unit has, are given, and returns its number.
func (p *temporalProgram) emit(opcode int, operands ...config.Operand) int {
	in := config.Instruction{Valid: true, Opcode: opcode}
	for o := range in.Operands {
		in.Operands[o] = config.Operand{Held: true}
	}
	immediate := false
	for i, slot := range p.c.TPE.Steps[opcode].Slot {
		o := operands[i]
		if slot == arch.OperandCondition {
			o.Immediate = false
			if o.Held && p.c.TPE.Steps[opcode].Kind != arch.StepJoin {
				o = from(p.source())
			}
		}
		in.Operands[slot] = o
		immediate = immediate || o.Immediate
	}
	if immediate {
		in.Constant = p.r.IntN(p.c.TPE.Constants)
	}
	if named(opname.ArithCmpI)(p.c.TPE.FUs[opcode]) {
		in.Predicate = uint64(p.r.IntN(10))
	}
	p.set.Instructions[p.n] = in
	p.n++
	return p.n - 1
}

// single is one instruction by itself.
func (p *temporalProgram) single() {
	if p.free() < 1 {
		return
	}
	op := p.r.IntN(len(p.c.TPE.FUs))
	if p.c.TPE.Steps[op].Kind == arch.StepCompute && p.r.IntN(2) == 0 { // most units compute
		op = p.r.IntN(len(p.c.TPE.FUs))
	}
	operands := []config.Operand{p.data(), p.data(), p.data()}
	if p.r.IntN(8) > 0 { // it does not go on for ever
		operands[p.r.IntN(len(p.c.TPE.Steps[op].Slot))] = from(p.source())
	}
	n := p.emit(op, operands...)
	p.sources = append(p.sources, n)
	if len(p.c.TPE.FUs[op].Out) > 1 && p.r.IntN(2) == 0 {
		p.sources = append(p.sources, p.c.TPE.Instructions+n)
	}
}

// diamond is a branch on whose true side something is computed, and a mux that has both sides meet.
func (p *temporalProgram) diamond() {
	br, do, mux := p.opcode(arch.StepBranch, nil), p.opcode(arch.StepCompute, nil), p.opcode(arch.StepMux, nil)
	if p.free() < 3 || min(br, do, mux) < 0 {
		return
	}
	c := p.source()
	b := p.emit(br, from(c), from(p.source()))
	d := p.emit(do, from(b), p.constant())
	p.sources = append(p.sources, p.emit(mux, from(c), from(p.c.TPE.Instructions+b), from(d)))
}

// loop is a while loop, at times with a value that does not change in it.
func (p *temporalProgram) loop() {
	carry, cmp, br, do, inv := p.opcode(arch.StepCarry, nil), p.opcode(arch.StepCompute, named(opname.ArithCmpI)), p.opcode(arch.StepBranch, nil),
		p.opcode(arch.StepCompute, nil), p.opcode(arch.StepInvariant, nil)
	if p.free() < 5 || min(carry, cmp, br, do, inv) < 0 {
		return
	}
	invariant := p.r.IntN(2) == 0
	v, c, b := p.n, p.n+1, p.n+2
	p.emit(carry, from(c), from(p.source()), from(b+1))
	other := p.constant()
	if invariant {
		other = from(b + 2)
	}
	p.emit(cmp, from(v), other)
	p.emit(br, from(c), from(v))
	p.emit(do, from(b), p.constant())
	if invariant {
		p.emit(inv, from(c), from(p.source()))
	}
	p.sources = append(p.sources, p.c.TPE.Instructions+b)
}

// head is a loop whose conditions come from elsewhere.
func (p *temporalProgram) head() {
	loop, do := p.opcode(arch.StepLoop, nil), p.opcode(arch.StepCompute, nil)
	if p.free() < 2 || min(loop, do) < 0 {
		return
	}
	l := p.emit(loop, from(p.source()), from(p.source()), from(p.n+1))
	p.emit(do, from(l), p.constant())
	p.sources = append(p.sources, p.c.TPE.Instructions+l, l)
}

// shuffle puts the instructions into any order, with holes.
func (p *temporalProgram) shuffle() {
	k := p.c.TPE.Instructions
	to := p.r.Perm(k)
	moved := func(source int) int {
		switch {
		case source < k:
			return to[source]
		case source < 2*k:
			return k + to[source-k]
		}
		return source
	}
	old := p.set.Instructions
	p.set.Instructions = make([]config.Instruction, k)
	for n, in := range old {
		for o := range in.Operands {
			if op := &in.Operands[o]; in.Valid && !op.Held {
				op.Source = moved(op.Source)
			}
		}
		p.set.Instructions[to[n]] = in
	}
	for i := range p.sources {
		p.sources[i] = moved(p.sources[i])
	}
}
