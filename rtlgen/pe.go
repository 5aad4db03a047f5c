package rtlgen

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/config"
)

// peModule is the generated module of a PE definition and what its instances
// must connect.
type peModule struct {
	Name            string
	In, Out         []string // stems of the channel ports
	Clocked, Errors bool     // it has clk and idle, err_valid and err_code
	// Asks are the channels to iterative units that it has together with others.
	Asks []*asking
}

// peView is the module of a PE.
type peView struct {
	Header headerView
	*peModule
	Definition, Fabric string
	Bits               int // of the slice
	Enable             int // its bit
	Opcode             config.Bits
	Inputs, Outputs    []pePort
	Operands, Results  []*selector
	Units              []*unit
	// Active are the units as they are made: of those that share arithmetic there is one.
	Active []*unit
	Held   []*held
	ALU    *alu
	Chosen []*aluControl // of instances that several units share
	Parts  []*part       // that several units compute with, with their registers inside
	Words  int           // that results take by numbers
	Queue  int           // places behind each result, 0 for none
	// OperandQueue are the places behind the selector of each operand, 0 for none.
	OperandQueue int
	Decoded      bool     // the opcode is decoded into registers
	Fixed        bool     // every operand and result has its own port
	Idle         []string // signals that are all high in an idle PE
	// iterative names the hardware that iterative units can have together, by opcode; shares is set where it is
	// outside of the PE.
	iterative map[int]string
	shares    bool
}

// pePort is a channel port of a PE; Read of an input's bits are read.
type pePort struct {
	Name        string
	Width, Read int
	// Ends are the signals of the selectors at the port, in the order of the operands or results: those that
	// release an input, or say that an output has a token.
	Ends []string
	// Gives are the results that an output can have.
	Gives []*selector
}

// selector connects one operand or result of the units to one port of the PE.
type selector struct {
	Number int
	Name   string // stem of its signals
	Net    net
	Queue  string // stem of the queue behind it, empty without one
	config.SelectorBits
	// Ports are those it chooses among, Vector the signals of all of them, what is offered there or what is taken.
	Ports  []pePort
	Vector string
	Words  int    // of an operand: the inputs of words, if it takes one of these or its immediate
	Head   int    // of an operand with a queue, HEAD of loom_fifo: what of the oldest word is in a register
	Read   int    // bits of a result that some output takes
	Last   bool   // nothing asks which output the result is connected to
	Units  []side // units that have this operand or result
	// Of a result whose words have numbers of some Bits: what each opcode takes, and from what.
	Bits    int
	Choices []choice
	Sources []source
}

// side is the end of a selector at a unit: an argument or a result.
type side struct {
	Unit *unit
	Net  net
}

// pe returns the module of a component's definition, made once per definition.
func (g *generator) pe(c *arch.Component) *peModule {
	if m := g.peMods[c.Def]; m != nil {
		return m
	}
	m := &peModule{Name: g.moduleNames.name(g.stem + "_" + c.Def)}
	g.peMods[c.Def] = m
	// The size of the numbers of words is known when there is one for each.
	*m = peModule{Name: m.Name}
	v := g.peView(c, m, 0)
	if v.Words > 0 {
		*m = peModule{Name: m.Name}
		v = g.peView(c, m, v.Words)
	}
	g.emit(m.Name+".sv", "pe.sv.tmpl", v)
	return m
}

// peView makes the view of a component's definition, whose results take one of so many words;
// 0 is for a number that is not known yet.
func (g *generator) peView(c *arch.Component, m *peModule, words int) *peView {
	sl := g.layout.SliceFor(c)
	v := &peView{
		Header: g.header(), peModule: m, Definition: c.Def, Fabric: g.fabric.Name,
		Bits: sl.Bits, Enable: sl.PE.Enable, Opcode: sl.PE.Opcode, Queue: c.PE.ResultFIFO, Fixed: c.PE.FixedPorts,
		iterative: map[int]string{}, shares: c.SharedUnits != "",
	}
	for _, x := range c.PE.Iterative() {
		for _, k := range x.Units {
			v.iterative[k] = x.Key
		}
	}
	names := newScope("clk", "rst", "cfg", "idle", "err_valid", "err_code", "cfg_enable", "cfg_opcode",
		"inputs_valid", "outputs_ready")
	for _, p := range c.In {
		m.In = append(m.In, names.name(p.Name))
		v.Inputs = append(v.Inputs, pePort{Name: m.In[len(m.In)-1], Width: p.Width})
	}
	for _, p := range c.Out {
		m.Out = append(m.Out, names.name(p.Name))
		v.Outputs = append(v.Outputs, pePort{Name: m.Out[len(m.Out)-1], Width: p.Width})
	}
	for k, at := range sl.PE.In {
		v.Operands = append(v.Operands, &selector{Number: k, Name: names.name(fmt.Sprintf("operand%d", k)), SelectorBits: at})
	}
	for k, at := range sl.PE.Out {
		v.Results = append(v.Results, &selector{Number: k, Name: names.name(fmt.Sprintf("result%d", k)), SelectorBits: at})
	}
	if v.OperandQueue = c.PE.OperandFIFO; v.OperandQueue > 0 {
		m.Clocked = true
		for _, s := range v.Operands {
			s.Queue = names.name(s.Name + "_queue")
			idle := s.Queue + "_idle"
			if s.Immediate.Width > 0 {
				idle = "(" + idle + " | " + s.Name + "__held)"
			}
			v.Idle = append(v.Idle, idle)
		}
	}
	if v.Queue > 0 {
		m.Clocked = true
		for _, s := range v.Results {
			s.Queue = names.name(s.Name + "_queue")
			v.Idle = append(v.Idle, s.Queue+"_idle")
		}
	}
	for k, u := range c.PE.FUs {
		body := newUnit(u, k, g.fabric.IndexWidth, names.name(u.Name), sl.PE.FU[k])
		v.Units = append(v.Units, body)
	}
	v.Active = v.Units
	v.attach()
	for _, s := range slices.Concat(v.Operands, v.Results) {
		s.widen()
	}
	v.share(names, words)
	v.attach()
	for _, u := range v.Active {
		m.Clocked = m.Clocked || len(u.Idle) > 0
		m.Errors = m.Errors || len(u.Faults) > 0
		v.Idle = append(v.Idle, u.Idle...)
	}
	// A PE without a clock has no register anywhere.
	v.Decoded = m.Clocked
	for k, s := range v.Operands {
		s.Words = v.words(s)
		switch {
		case s.Queue == "":
		case v.computesWith(k):
			s.Head = 1
		case s.Net.Width > 1 && s.decides(): // a memory of one bit is fast enough
			s.Head = 2
		}
		for i := range v.Inputs {
			if s.Net.None || c.PE.FixedPorts && i != k {
				continue
			}
			v.Inputs[i].Read = max(v.Inputs[i].Read, min(s.Net.Width, v.Inputs[i].Width))
		}
	}
	v.connect(c.PE.FixedPorts)
	for _, s := range v.Results {
		for _, p := range s.Ports {
			s.Read = max(s.Read, min(s.Net.Width, p.Width))
		}
	}
	return v
}

// connect tells selectors and ports of each other.
func (v *peView) connect(fixed bool) {
	ends := func(list []*selector, ports []pePort, vector, one, end string) {
		for k, s := range list {
			s.Ports, s.Vector = ports, vector
			if fixed {
				s.Ports, s.Vector = ports[k:k+1], ports[k].Name+one
			}
			s.Last = fixed || k == len(list)-1
		}
		for i := range ports {
			for k, s := range list {
				at := i
				if fixed {
					at = 0
				}
				if !fixed || i == k {
					ports[i].Ends = append(ports[i].Ends, fmt.Sprintf("%s%s[%d]", s.Name, end, at))
					ports[i].Gives = append(ports[i].Gives, s)
				}
			}
		}
	}
	ends(v.Operands, v.Inputs, "inputs_valid", "_valid", "__takes")
	ends(v.Results, v.Outputs, "outputs_ready", "_ready", "_valid")
}

// oneTable is how many words a look-up table of six inputs chooses among.
const oneTable = 4

// words counts the inputs of words, if an operand with immediates takes one of so few that its
// own word is one more for the same multiplexer, and all other inputs are of tokens; else 0. A
// token has the lowest bit alone, and is chosen apart.
func (v *peView) words(s *selector) int {
	if s.Sel.Width == 0 || s.Word.Width == 0 || s.Word.Width < s.Net.Width {
		return 0
	}
	n := 0
	for i, p := range v.Inputs {
		switch {
		case p.Width == s.Net.Width && n == i:
			n++
		case p.Width > 1:
			return 0
		}
	}
	if n >= oneTable {
		return 0
	}
	return n
}

// computesWith reports whether a unit computes with the word of operand k, and does not only pass it
// on: the path from its queue is the longest of the PE, and a register in place of a memory at
// its beginning is worth a look-up table per bit.
func (v *peView) computesWith(k int) bool {
	if v.ALU != nil && slices.Contains([]string{v.ALU.A, v.ALU.B, v.ALU.C}, v.Operands[k].Name+"_data") {
		return true
	}
	for _, p := range v.Parts {
		if len(p.Operands) > k {
			return true
		}
	}
	for _, x := range v.Operands[k].Units {
		if !x.Net.None && x.Net.Symbol == "" && x.Net.Width >= shareWidth {
			return true
		}
	}
	return false
}

// decides reports whether a unit takes the operand's lowest bit as a condition, from which the
// handshakes of the other operands follow.
func (s *selector) decides() bool {
	for _, x := range s.Units {
		if !x.Net.None && x.Net.Width == 1 {
			return true
		}
	}
	return false
}

// attach connects the arguments and results of the units to the selectors of their positions.
func (v *peView) attach() {
	for _, s := range slices.Concat(v.Operands, v.Results) {
		s.Units = nil
	}
	for _, u := range v.Active {
		for k, n := range u.Args {
			v.Operands[k].Units = append(v.Operands[k].Units, side{u, n})
		}
		for k, n := range u.Results {
			v.Results[k].Units = append(v.Results[k].Units, side{u, n})
		}
	}
}

// widen makes a selector as wide as the widest of what it connects.
func (s *selector) widen() {
	s.Net = net{Stem: s.Name, Width: 1, None: true}
	for _, x := range s.Units {
		if !x.Net.None {
			s.Net.None, s.Net.Width = false, max(s.Net.Width, x.Net.Width)
		}
	}
}

// Timing describes how a unit behaves in time, for the comment of its module.
func (u *unit) Timing() string {
	if u.FU.Latency < 0 {
		return "state machine"
	}
	return fmt.Sprintf("latency %d, interval %d", u.FU.Latency, u.FU.Interval)
}

// Names lists the operations of a unit's body.
func (u *unit) Names() string {
	var ops []string
	for _, op := range u.FU.Ops {
		ops = append(ops, op.Op.Name)
	}
	return strings.Join(ops, ", ")
}
