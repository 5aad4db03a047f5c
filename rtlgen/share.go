package rtlgen

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// The units of a PE share what carries words. At most one unit is active, so
//
//   - units that only pass words on (steering, select, load and store) do so with the numbers
//     of the words in place of the words: the data of their operands and results is a number
//     of a few bits, and every result has one multiplexer, behind all units, that takes the
//     word with the number that arrives there;
//   - arithmetic on words takes place in one loom_alu, and units of the same number of
//     operands and latency have one handshake; shifts and extremes of latency 1 have one register;
//   - accumulators of words are one state machine with one register, whose value is the first
//     operand of the loom_alu while it is due;
//   - divisions and remainders of integers are one divider; division and square root of floats, too;
//   - units with registers inside that are one module, additions and subtractions of floats, say, are
//     one instance, told by the opcode what to compute; accumulators around it are one state machine;
//   - a stream and a counter of the same step are one state machine.
//
// Units of other widths, pipelined ones and bodies of several operations stay as they are:
// their results are words with numbers, too.

// shareWidth is the least width of words at which numbers in place of words pay.
const shareWidth = arch.LeastWord

// source is a word that results take.
type source struct {
	Code int
	Expr string
	// On is high while the word is taken, of one that comes late: it is behind the multiplexer.
	On string
}

// choice is what a result takes while an opcode is active: the number of a word.
type choice struct {
	Opcode int
	Code   string
	On     string // the signal of the unit that chooses the word, empty where the opcode does
}

// aluControl is a control signal of the loom_alu and the opcodes with which it is high.
type aluControl struct {
	Name    string
	Opcodes []int
}

// fill is the sign of an operand in the high bits of a cast.
type fill struct {
	*aluControl
	Bit int
}

// cut are neighbouring bits that some casts do not keep.
type cut struct {
	*aluControl
	Bits int
}

// held is the register of a value that an invariant repeats.
type held struct {
	Name, From string
	Width      int
	Idle       []string // its units; it follows its operand while they are idle
}

// alu is the instance of loom_alu.
type alu struct {
	Stem                    string
	Width                   int
	A, B                    string // operands
	C                       string // the first operand, which is A but in a PE that accumulates
	Add, Logic, Shift, Cast bool
	// Late and LateShift are of units of latency 1, whose operands the register takes with Advance.
	Late, LateShift bool
	Advance         string
	// Controls are high with some opcodes.
	Controls   []*aluControl
	Comparison string // of a predicate: loom_pkg::comparison
	// Outputs are those that are read. Second is the signal that the output of that name drives, "" if nothing reads it.
	Outputs []string
	Second  string
	// Of casts: the bits of the operand that are signs, how many bits each opcode keeps, and what
	// follows from that, the highest bits first: bits that some do not keep and those that all do.
	Fills  []*fill
	Keeps  map[int]int
	Cut    []cut
	Always int
}

// aluControls are the control signals of every loom_alu.
var aluControls = []string{"subtract", "compare", "signed", "greater", "left", "logic0", "logic1", "late_shift"}

// Control names a control signal.
func (a *alu) Control(name string) string { return a.control(name).Name }

func (a *alu) control(name string) *aluControl {
	return a.Controls[slices.Index(aluControls, name)]
}

func (a *alu) add(name string) *aluControl {
	c := &aluControl{Name: a.Stem + "_" + name}
	a.Controls = append(a.Controls, c)
	return c
}

// on makes a control signal high with an opcode.
func (c *aluControl) on(opcode int) { c.Opcodes = append(c.Opcodes, opcode) }

// fill is the control signal of casts that repeat a bit of the operand.
func (a *alu) fill(bit int) *aluControl {
	for _, f := range a.Fills {
		if f.Bit == bit {
			return f.aluControl
		}
	}
	f := &fill{a.add(fmt.Sprintf("sign%d", bit)), bit}
	a.Fills = append(a.Fills, f)
	return f.aluControl
}

// keeps makes the control signals of what casts keep.
func (a *alu) keeps() {
	a.Always = a.Width
	for _, bits := range a.Keeps {
		a.Always = min(a.Always, bits)
	}
	a.Cut = a.cuts("cut", a.Keeps)
}

// cuts makes control signals, by name, of how many bits are left with some opcodes.
func (a *alu) cuts(name string, left map[int]int) (list []cut) {
	sizes := slices.Sorted(maps.Values(left))
	sizes = slices.Compact(sizes)
	for k, from := range sizes {
		to := a.Width
		if k+1 < len(sizes) {
			to = sizes[k+1]
		}
		c := a.add(fmt.Sprintf("%s%d", name, from))
		for _, opcode := range slices.Sorted(maps.Keys(left)) {
			if left[opcode] <= from {
				c.Opcodes = append(c.Opcodes, opcode)
			}
		}
		list = append(list, cut{c, to - from})
	}
	slices.Reverse(list)
	return list
}

// Signal names an output of the instance.
func (a *alu) Signal(output string) string {
	if slices.Contains(a.Outputs, output) {
		return a.Stem + "_" + output
	}
	return a.Stem + "_unused_" + output
}

// sharing is under way for one PE.
type sharing struct {
	v     *peView
	names *scope
	width int
	codes map[string]int // words by their expressions
	held  map[string]*held
	alu   *alu
	// present is the value of the accumulators, if the PE has any.
	present net
	bits    int // of a number
}

// share makes the units share what carries words, where there are several and words are wide.
// There are as many words, 0 if that is not known yet.
func (v *peView) share(names *scope, words int) {
	s := &sharing{v: v, names: names, codes: map[string]int{}, held: map[string]*held{}, bits: max(1, bits.Len(uint(max(words-1, 0))))}
	for _, x := range v.Results {
		if !x.Net.None {
			s.width = max(s.width, x.Net.Width)
		}
	}
	if v.Opcode.Width == 0 || s.width < shareWidth || len(v.Operands) == 0 {
		return
	}
	moved := map[*unit]bool{}
	groups := map[handshake][]*unit{} // of arithmetic
	var accumulators []*unit
	piped := map[string]*pipedUnits{}
	of := map[*unit]*pipedUnits{}
	iterative := map[string]*iterativeUnits{}
	streams := v.streams()
	for _, u := range v.Units {
		if key := s.iterativeKey(u); key != "" {
			if iterative[key] == nil {
				iterative[key] = &iterativeUnits{}
			}
			iterative[key].units = append(iterative[key].units, u)
			continue
		}
		switch key := s.pipedKey(u); {
		case key != "":
			if piped[key] == nil {
				piped[key] = &pipedUnits{}
			}
			piped[key].add(u)
			of[u] = piped[key]
		case s.moves(u):
			moved[u] = true
		case s.accumulates(u):
			accumulators = append(accumulators, u)
		case s.computes(u):
			groups[handshakeOf(u)] = append(groups[handshakeOf(u)], u)
		}
	}
	for key, p := range piped {
		if len(p.sums) > 0 && len(p.accumulators) == 0 { // they have no state machine to be
			for _, u := range p.sums {
				delete(of, u)
			}
			if p.sums = nil; len(p.plain) == 0 {
				delete(piped, key)
			}
		}
	}
	if len(moved)+len(groups)+len(accumulators)+len(piped)+len(iterative) == 0 {
		return
	}
	v.Active = nil
	if len(accumulators) > 0 {
		s.accumulator(accumulators[0]) // what computes reads it
	}
	for _, u := range v.Units {
		switch h := handshakeOf(u); {
		case s.iterativeKey(u) != "":
			s.iterate(u, iterative[s.iterativeKey(u)])
		case of[u] != nil:
			s.piped(u, of[u])
		case moved[u]:
			s.move(u)
			v.Active = append(v.Active, u)
		case slices.Contains(accumulators, u):
			s.accumulate(u)
			if accumulators[0] == u {
				s.v.Active = append(s.v.Active, s.machine(accumulators))
			}
		case streams[u] != nil:
			x := streams[u]
			if x.Opcodes[0] == u.Number {
				v.Active = append(v.Active, s.stream(x))
			}
			for k, r := range x.Results {
				s.plain(k, u, r)
			}
		case !slices.Contains(groups[h], u):
			for k, r := range u.Results {
				s.plain(k, u, r)
			}
			v.Active = append(v.Active, u)
		default:
			s.compute(u)
			if groups[h][0] == u {
				v.Active = append(v.Active, s.group(groups[h]))
			}
		}
	}
	s.finish()
}

// handshake is what units of arithmetic have in common that share one loom_fu.
type handshake struct{ operands, latency int }

func handshakeOf(u *unit) handshake { return handshake{len(u.Args), u.FU.Latency} }

// single reports whether a unit is one operation with its operands and results in order, and
// nothing around it.
func single(u *unit) (*arch.FUOp, bool) {
	op := u.FU.Single()
	return op, op != nil && len(u.Forks)+len(u.Stages)+len(u.Unread) == 0
}

// word reports whether a net of a unit is as wide as the words.
func (s *sharing) word(n net) bool { return !n.None && n.Width == s.width }

// passes are the operations that only pass words on, with the operands that are those words.
var passes = map[string][]int{
	opname.HandshakeCondBr:   {1},
	opname.HandshakeMux:      {1, 2},
	opname.DataflowCarry:     {1, 2},
	opname.DataflowInvariant: {1},
	opname.DataflowGate:      {0},
	opname.ArithSelect:       {1, 2},
	opname.HandshakeLoad:     {0, 1},
	opname.HandshakeStore:    {0, 1},
	opname.HandshakeConstant: {},
}

// moves reports whether a unit only passes words on.
func (s *sharing) moves(u *unit) bool {
	if x := u.FU.Fused(); x != nil {
		// A loop head; its results have the words of its operands 1 and 2.
		return x.Kind == arch.FusedLoop && slices.Equal(x.In, []int{0, 1, 2}) && len(u.Stages) == 0 &&
			s.word(u.Args[1]) && s.word(u.Args[2]) && !s.word(u.Args[0])
	}
	op, ok := single(u)
	if !ok {
		return false
	}
	words, ok := passes[op.Op.Name]
	if !ok || len(u.Datapaths) > 0 && u.Datapaths[0].Latency != 0 {
		return false
	}
	for k, n := range u.Args {
		if slices.Contains(words, k) != s.word(n) {
			return false // of another width, a mux of more inputs, or one with a wide selector
		}
	}
	return s.word(u.Results[0])
}

// computes reports whether a unit is an operation of loom_alu, with the latency that it has there.
func (s *sharing) computes(u *unit) bool {
	op, ok := single(u)
	if !ok || len(u.Datapaths) != 1 || u.Datapaths[0].Interval != 1 {
		return false
	}
	if u.Datapaths[0].Latency > units.ALULatency(op.Op.Name) {
		return false
	}
	if s.v.Results[0].Net.Width != s.width {
		return false // only results of words have the multiplexer that takes what loom_alu gives
	}
	switch y := u.Results[0]; {
	case slices.Contains(units.ALUArithmetic, op.Op.Name):
		return s.word(u.Args[0]) && s.word(u.Args[1]) && (s.word(y) || op.Op.Name == opname.ArithCmpI)
	case slices.Contains(units.ALUCasts, op.Op.Name):
		return y.Width == s.width || y.Width < u.Args[0].Width
	}
	return false
}

// code is the number of a word.
func (s *sharing) code(expr string) string {
	k, ok := s.codes[expr]
	if !ok {
		k = len(s.codes)
		s.codes[expr] = k
	}
	return fmt.Sprintf("%d'd%d", s.bits, k)
}

// operand is operand k, a word.
func (s *sharing) operand(k int) string { return s.v.Operands[k].Name + "_data" }

// plain makes result k take what a unit computes for itself. A token without data is 0 on a
// channel of words, as in the reference.
func (s *sharing) plain(k int, u *unit, r net) {
	if r.None {
		s.take(k, u, fmt.Sprintf("%d'd0", s.width))
		return
	}
	s.take(k, u, widen(r.Stem+"_data", r.Width, s.width))
}

// choose makes result k take one of some words, by their numbers, while unit u is active: always
// the same one, or while a signal is high what the number says then.
func (s *sharing) choose(k int, u *unit, number, on string, words ...string) {
	r := s.v.Results[k]
	r.Choices = append(r.Choices, choice{Opcode: u.Number, Code: number, On: on})
	for _, w := range words {
		s.code(w)
		if at := (source{Code: s.codes[w], Expr: w}); !slices.Contains(r.Sources, at) {
			r.Sources = append(r.Sources, at)
		}
	}
}

// take makes result k take one word while unit u is active.
func (s *sharing) take(k int, u *unit, word string) { s.choose(k, u, s.code(word), "", word) }

// move gives a unit that passes words on their numbers.
func (s *sharing) move(u *unit) {
	name := opname.DataflowCarry // a loop head passes the same words on
	if op, ok := single(u); ok {
		name = op.Op.Name
	}
	to := map[string]net{}
	var words []string
	for _, k := range passes[name] {
		n := u.Args[k]
		to[n.Stem] = net{Stem: n.Stem, Width: s.bits, Symbol: s.code(s.operand(k))}
		words = append(words, s.operand(k))
	}
	for _, d := range u.Datapaths { // the value of the operation in front of the result
		for _, n := range d.Values {
			to[n.Stem] = net{Stem: n.Stem, Width: s.bits}
		}
		d.Width = s.bits
	}
	on := "" // with one word there is nothing to choose
	if len(words) > 1 || name == opname.DataflowInvariant {
		on = u.Name + "__on"
	}
	for k, r := range u.Results {
		if !s.word(r) {
			s.plain(k, u, r)
			continue
		}
		to[r.Stem] = net{Stem: r.Stem, Width: s.bits}
		switch name {
		case opname.DataflowInvariant:
			register := s.hold(1, u)
			s.choose(k, u, fmt.Sprintf("%s ? %s_data : %s", u.Idle[0], r.Stem, s.code(register)), on, append(words, register)...)
		case opname.HandshakeConstant:
			s.choose(k, u, r.Stem+"_data", "", u.Operations[0].Config.Signal)
		default:
			s.choose(k, u, r.Stem+"_data", on, words...)
		}
	}
	u.retype(to)
	for _, o := range u.allOperations() {
		for i, p := range o.Params {
			if p.Name == "W" || p.Name == "AW" || p.Name == "DW" {
				o.Params[i].Value = fmt.Sprint(s.bits)
			}
		}
		if name == opname.HandshakeConstant {
			o.Config = &pin{o.Config.Port, s.code(o.Config.Signal)}
		}
	}
}

// hold is the register that repeats operand k for an invariant.
func (s *sharing) hold(k int, u *unit) string {
	from := s.v.Operands[k].Name
	h := s.held[from]
	if h == nil {
		h = &held{Name: s.names.name(from + "_held"), From: from + "_data", Width: s.width}
		s.held[from] = h
		s.v.Held = append(s.v.Held, h)
	}
	h.Idle = append(h.Idle, u.Idle[0])
	return h.Name
}

// allOperations are the instances of a unit.
func (u *unit) allOperations() []*operation {
	out := slices.Clone(u.Operations)
	for _, d := range u.Datapaths {
		out = append(out, d.Operations...)
	}
	return out
}

// retype replaces nets, named by their stems, wherever the unit has them.
func (u *unit) retype(to map[string]net) {
	replace := func(nets []net) []net {
		out := slices.Clone(nets)
		for i, n := range out {
			if m, ok := to[n.Stem]; ok {
				out[i] = m
			}
		}
		return out
	}
	u.Args, u.Results, u.Nets = replace(u.Args), replace(u.Results), replace(u.Nets)
	for _, o := range u.allOperations() {
		for _, ports := range [][]port{o.In, o.Out} {
			for i := range ports {
				ports[i].Nets = replace(ports[i].Nets)
			}
		}
	}
	for _, d := range u.Datapaths {
		d.In, d.Out, d.Values = replace(d.In), replace(d.Out), replace(d.Values)
	}
}

// compute gives a unit of arithmetic its part of loom_alu.
func (s *sharing) compute(u *unit) {
	if s.alu == nil {
		s.makeALU(s.operand(0))
	}
	a := s.alu
	if len(u.Args) > 1 {
		a.B = s.v.Operands[1].Name + "_data"
	}
	op := s.computed(u)
	if op.Op.Name == opname.ArithCmpI {
		a.Comparison = "loom_pkg::comparison(" + u.Fields[op.Field].Name + ")"
	}
	late := u.FU.Latency == 1 && u.FU.Fused() == nil
	switch part := a.compute(op.Op.Name, u.Number, u.Args[0].Width, u.Results[0].Width, late); part {
	case "":
		s.take(0, u, s.operand(0))
	case "holds":
		s.take(0, u, widen(a.Stem+"_holds", 1, s.width))
	default:
		s.take(0, u, a.Stem+"_"+part)
	}
}

// compute makes a execute an operation with an opcode, late with the register within, and names the output with what it computes, of a
// cast that changes nothing "". Casts are from some bits to others.
func (a *alu) compute(name string, opcode, from, to int, late bool) string {
	on := func(names ...string) {
		for _, n := range names {
			a.control(n).on(opcode)
		}
	}
	output := ""
	extreme := func() {
		a.Add, output = true, "extreme"
		on("subtract")
		if late {
			a.Late, output = true, "late"
		}
	}
	switch name {
	case opname.ArithAddI:
		a.Add, output = true, "sum"
	case opname.ArithSubI:
		a.Add, output = true, "sum"
		on("subtract")
	case opname.ArithCmpI:
		a.Add, output = true, "holds"
		on("subtract", "compare")
	case opname.ArithMinSI:
		on("signed")
		extreme()
	case opname.ArithMaxSI:
		on("signed", "greater")
		extreme()
	case opname.ArithMinUI:
		extreme()
	case opname.ArithMaxUI:
		on("greater")
		extreme()
	case opname.ArithAndI, opname.ArithOrI, opname.ArithXOrI:
		a.Logic, output = true, "bitwise"
		if name != opname.ArithOrI {
			on("logic0")
		}
		if name != opname.ArithAndI {
			on("logic1")
		}
	case opname.ArithShLI, opname.ArithShRSI, opname.ArithShRUI:
		if late {
			a.LateShift, output = true, "late"
			on("late_shift")
		} else {
			a.Shift, output = true, "shifted"
		}
		switch name {
		case opname.ArithShLI:
			on("left")
		case opname.ArithShRSI:
			on("signed")
		}
	default:
		keep := min(from, to)
		if keep == a.Width {
			return ""
		}
		a.Cast, output = true, "cast"
		a.Keeps[opcode] = keep
		if signed := name == opname.ArithExtSI || name == opname.ArithIndexCast; signed && to > from {
			a.fill(from - 1).on(opcode)
		}
	}
	a.Outputs = append(a.Outputs, output)
	return output
}

// makeALU makes the instance of loom_alu, with its first operand.
func (s *sharing) makeALU(first string) {
	s.alu = newALU(s.names.name("alu"), s.width, first, s.operand(0), fmt.Sprintf("%d'd0", s.width))
	s.v.ALU = s.alu
}

// newALU is an instance of loom_alu that computes nothing yet, with its operands.
func newALU(stem string, width int, a, c, b string) *alu {
	x := &alu{Stem: stem, Width: width, Advance: "1'b0", A: a, C: c, B: b, Keeps: map[int]int{}}
	for _, n := range aluControls {
		x.add(n)
	}
	return x
}

// computed is the operation of a unit that loom_alu executes.
func (s *sharing) computed(u *unit) *arch.FUOp {
	if x := u.FU.Fused(); x != nil {
		return u.FU.Ops[x.Compute]
	}
	op, _ := single(u)
	return op
}

// accumulates reports whether a unit is an accumulator of words, the value in front of what is
// added: operands 0 and 1, as those of the loom_alu, and the condition. One that yields the present value must be of extremes, whose
// choice the machine makes.
func (s *sharing) accumulates(u *unit) bool {
	x := u.FU.Fused()
	return x.Accumulator() && (x.Kind == arch.FusedAccumulate || slices.Contains(units.Extremes, u.FU.Ops[x.Compute].Op.Name)) && x.Left && slices.Equal(x.In, []int{2, 0, 1}) &&
		len(u.Stages) == 0 && s.word(u.Args[0]) && s.word(u.Args[1]) && !s.word(u.Args[2]) && s.word(u.Results[0])
}

// keepsPresent reports whether a unit is an accumulator that yields the present value.
func keepsPresent(u *unit) bool {
	x := u.FU.Fused()
	return x != nil && x.Kind == arch.FusedPresent
}

// accumulator makes the value of the accumulators the first operand of the loom_alu.
func (s *sharing) accumulator(first *unit) {
	s.present = net{Stem: s.names.name("accumulator"), Width: s.width}
	s.makeALU(s.present.Stem + "_data")
}

// accumulate makes an accumulator compute with the loom_alu: its first result is what that gives, or the
// value, its second one the value.
func (s *sharing) accumulate(u *unit) {
	if keepsPresent(u) {
		s.compares(u)
		s.take(0, u, s.alu.A)
	} else {
		s.compute(u)
	}
	s.take(1, u, s.alu.A)
}

// compares makes the loom_alu say with the opcode of an accumulator of extremes which of its operands is the one.
func (s *sharing) compares(u *unit) {
	a := s.alu
	a.B = s.v.Operands[1].Name + "_data"
	a.compute(s.computed(u).Op.Name, u.Number, u.Args[0].Width, u.Results[0].Width, false)
	a.Outputs = a.Outputs[:len(a.Outputs)-1] // the extreme itself nothing reads
}

// machine is the one state machine of several accumulators, around the loom_alu.
func (s *sharing) machine(units []*unit) *unit {
	u := s.machineOf(units, s.names.name("accumulate_word"), s.present)
	o := u.Operations[0]
	o.Next = s.v.Results[0].Name + "_data"
	if slices.ContainsFunc(units, keepsPresent) {
		chooses := &aluControl{Name: s.names.name("accumulate_chooses")}
		for _, m := range units {
			if keepsPresent(m) {
				chooses.on(m.Number)
			}
		}
		s.v.Chosen = append(s.v.Chosen, chooses)
		picks := net{Stem: s.names.name("accumulate_picks"), Width: 1}
		u.Wires = append(u.Wires, picks)
		s.alu.Second = picks.Stem + "_data"
		o.Module = "loom_accumulate_extreme"
		o.Controls = append(o.Controls, pin{"chooses", chooses.Name}, pin{"picks", s.alu.Second}, pin{"x_data", s.alu.B})
	}
	return u
}

// machineOf is one state machine for several accumulators, with their present value. Of the words of the first
// one it needs the initial one, operand 0, and some more.
func (s *sharing) machineOf(units []*unit, name string, present net, words ...net) *unit {
	first := units[0]
	u := &unit{FU: first.FU, Number: first.Number, Name: name, Wires: []net{present}}
	for _, m := range units {
		u.Opcodes = append(u.Opcodes, m.Number)
	}
	// What computes takes the other words, and the results are those of the PE.
	words = slices.Concat(words, first.Args[:1])
	to := map[string]net{}
	rename := func(nets []net) (out []net) {
		for _, n := range nets {
			n.None = n.Width > 1 && !slices.ContainsFunc(words, func(w net) bool { return w.Stem == n.Stem })
			n.Stem = u.Name + strings.TrimPrefix(n.Stem, first.Name)
			out = append(out, n)
		}
		return out
	}
	for k, n := range rename(first.Nets) {
		to[first.Nets[k].Stem] = n
	}
	u.Args, u.Results, u.Nets = rename(first.Args), rename(first.Results), rename(first.Nets)
	o := *first.Operations[0]
	o.Stem = u.Name + "__machine"
	o.Present = present.Stem + "_data"
	u.Operations = []*operation{&o}
	for _, ports := range []*[]port{&o.In, &o.Out} {
		*ports = slices.Clone(*ports)
		for i := range *ports {
			p := &(*ports)[i]
			p.Nets = []net{to[p.Nets[0].Stem]}
		}
	}
	u.Idle = []string{o.Stem + "_idle"}
	return u
}

// streams are the units that are one stream, each with the unit that they are together: a stream whose
// operands and field are those of the counters beside it.
func (v *peView) streams() map[*unit]*unit {
	out := map[*unit]*unit{}
	for _, u := range v.Units {
		op, ok := single(u)
		if !ok || op.Op.Name != opname.DataflowStream {
			continue
		}
		var like []*unit
		for _, m := range v.Units {
			if x := m.FU.Fused(); x != nil && x.Kind == arch.FusedCounter && slices.Equal(x.In, []int{0, 1, 2}) && len(m.Stages) == 0 &&
				out[m] == nil && slices.Equal(m.Operations[0].Params, append(slices.Clone(u.Operations[0].Params), param{"COUNTER", "1"})) &&
				m.Fields[0].Bits == u.Fields[0].Bits {
				like = append(like, m)
			}
		}
		if len(like) == 0 {
			continue
		}
		w := *u
		w.Opcodes = nil
		for _, m := range append(like, u) {
			w.Opcodes = append(w.Opcodes, m.Number)
			out[m] = &w
		}
		slices.Sort(w.Opcodes)
	}
	return out
}

// stream is a stream that is a counter with the opcodes of the counters beside it: every index but
// the one behind the last is given.
func (s *sharing) stream(u *unit) *unit {
	given := u.Results[0]
	index := net{Stem: u.Name + "__index", Width: given.Width}
	u.Counts = &counts{&aluControl{Name: u.Name + "__counts"}, index, given, u.Results[1]}
	for _, n := range u.Opcodes {
		if n != u.Number {
			u.Counts.Opcodes = append(u.Counts.Opcodes, n)
		}
	}
	u.Nets = append(slices.Clone(u.Nets), index)
	o := *u.Operations[0]
	o.Out = slices.Clone(o.Out)
	o.Out[0].Nets = []net{index}
	u.Operations = []*operation{&o}
	return u
}

// group is the handshake of units of arithmetic with the same number of operands and latency.
func (s *sharing) group(units []*unit) *unit {
	first := units[0]
	name := fmt.Sprintf("%s_of_%d", s.alu.Stem, len(first.Args))
	if first.FU.Latency > 0 {
		name += "_late"
	}
	u := &unit{FU: first.FU, Number: first.Number, Name: s.names.name(name)}
	for _, m := range units {
		u.Opcodes = append(u.Opcodes, m.Number)
		u.Fields = append(u.Fields, m.Fields...)
		for _, f := range m.Faults {
			// Only comparisons report faults, of their predicate.
			op, _ := single(m)
			invalid := fmt.Sprintf("(%s > loom_pkg::CMP_UGE)", m.Fields[op.Field].Name)
			u.Faults = append(u.Faults, fault{fmt.Sprintf("(cfg_opcode == %d'd%d) & %s", s.v.Opcode.Width, m.Number, invalid), f.Code})
		}
	}
	token := func(name string) net { return net{Stem: u.Name + "__" + name, Width: 1, None: true} }
	d := &datapath{Stem: u.Name + "__fu", Width: 1, Latency: first.FU.Latency, Interval: 1, Values: []net{token("none")}}
	for k := range first.Args {
		u.Args = append(u.Args, token(fmt.Sprintf("in%d", k)))
	}
	u.Results = []net{token("out")}
	u.Nets = slices.Concat(u.Args, u.Results)
	d.In, d.Out = u.Args, u.Results
	u.Datapaths = []*datapath{d}
	u.Idle = []string{d.Stem + "_idle"}
	if d.Latency > 0 {
		s.alu.Advance = u.Args[0].Stem + "_ready" // high with the acceptance alone
	}
	return u
}

// finish gives results of words their multiplexers.
func (s *sharing) finish() {
	s.v.Words = len(s.codes)
	if s.alu != nil {
		s.alu.keeps()
	}
	for _, r := range s.v.Results {
		if len(r.Sources) > 0 && r.Net.Width == s.width {
			r.Bits = s.bits
			slices.SortFunc(r.Sources, func(a, b source) int { return a.Code - b.Code })
			s.late(r)
		}
	}
}

// late takes what the carry chain gives out of the multiplexer of a result.
func (s *sharing) late(r *selector) {
	if s.alu == nil {
		return
	}
	for i, x := range r.Sources {
		for _, output := range []string{"sum", "extreme", "holds"} {
			if x.Expr != s.alu.Signal(output) && x.Expr != widen(s.alu.Signal(output), 1, s.width) {
				continue
			}
			c := s.alu.add(output + "_on")
			for _, at := range r.Choices {
				if at.Code == s.code(x.Expr) {
					c.Opcodes = append(c.Opcodes, at.Opcode)
				}
			}
			r.Sources[i].On = c.Name
		}
	}
}

// widen puts zeros above a signal of some bits.
func widen(signal string, from, to int) string {
	if from == to {
		return signal
	}
	return fmt.Sprintf("{%d'd0, %s}", to-from, signal)
}
