package tech

import (
	"fmt"
	"math"
	"math/bits"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// This file makes constants part of the units that read them. An operand of a PE may take its
// data from the configuration. Its tokens are then those of the constant's control (paced), or
// there is always one, where that control is the start token held for a run. So a constant
// needs no unit and each of its readers has its own copy; the control's value gets a reader at
// that operand. What reads a held control token itself is held in the same way. A constant
// keeps a unit where no PE has an immediate at the operand, and where too few PEs have one
// (unfold). A constant that is held never has a unit: that would offer it without end, and the
// fabric would not be empty when the run is over.

// Immediate is an operand of a node whose data is configuration.
type Immediate struct {
	// Const is the constant, an index into Netlist.Ops; -1 for a held control token.
	Const int
	// Held is set where the operand is always there; otherwise it has the tokens of a net.
	Held bool
	// Value are the bits that the operand reads.
	Value uint64
}

// folding decides which operands become immediates.
type folding struct {
	// can reports whether some PE has an immediate for an operand of an operation.
	can func(op *ir.Operation, operand int) bool
	// apart are the operands whose constants keep a unit although that is so.
	apart map[OpPort]bool
	// passes is set where loads may be wires (Netlist.passing).
	passes bool
}

func (f *folding) folds(n *Netlist, at OpPort) bool {
	return f != nil && !f.apart[at] && f.can(n.Ops[at.Op], at.Port)
}

// newFolding is the folding of a fabric, with all constants that may be immediates.
func newFolding(f *arch.Fabric) *folding {
	type operand struct {
		op  *ir.Operation
		at  int
		ref arch.ValueRef
	}
	// Units that differ in nothing that matters here are looked at once.
	var hw []operand
	seen := map[*ir.Operation]map[int]bool{}
	for _, c := range f.Comps {
		if c.TPE == nil && (!c.GeneralPE() || !c.PE.Holds()) {
			continue // with fixed ports, the tokens of a control could not reach an operand of words
		}
		for opcode, fu := range c.Units() {
			for _, o := range fu.Ops {
				for k, r := range o.Operands {
					if r.Op >= 0 || !immediate(c, opcode, r.Arg) || seen[o.Op][k] {
						continue
					}
					if seen[o.Op] == nil {
						seen[o.Op] = map[int]bool{}
					}
					seen[o.Op][k] = true
					hw = append(hw, operand{o.Op, k, r})
				}
			}
		}
	}
	known := map[*ir.Operation]map[int]bool{}
	can := func(op *ir.Operation, k int) bool {
		if known[op] == nil {
			known[op] = map[int]bool{}
			for _, h := range hw {
				if !fits(h.op, op, f.IndexWidth) {
					continue
				}
				known[op][h.at] = true
				if exchangeable(op) {
					known[op][1-h.at] = true
				}
			}
		}
		return known[op][k]
	}
	return &folding{can: can, apart: map[OpPort]bool{}}
}

// immediate reports whether the data of input arg of a unit of a PE may be configuration.
func immediate(c *arch.Component, opcode, arg int) bool {
	if c.TPE != nil {
		return c.TPE.Constants > 0 && c.TPE.Steps[opcode].Slot[arg] != arch.OperandCondition
	}
	return c.PE.Immediate(arg) > 0
}

// exchangeable reports whether the two operands of an operation may change places, for a
// comparison with another predicate.
func exchangeable(op *ir.Operation) bool {
	return op.NumOperands() == 2 && (op.Def().Has(ir.Commutative) || op.Name == opname.ArithCmpI)
}

// swappedPredicate are the predicates of arith.cmpi for exchanged operands: of each pair of
// orders the other one.
var swappedPredicate = [...]int64{0, 1, 4, 5, 2, 3, 8, 9, 6, 7}

// SwappedPredicate is the predicate with which arith.cmpi gives the same when its operands are
// exchanged.
func SwappedPredicate(p int64) int64 {
	if p < 0 || p >= int64(len(swappedPredicate)) {
		return p
	}
	return swappedPredicate[p]
}

// origin follows a value backwards through wires.
func (n *Netlist) origin(v *ir.Value) *ir.Value {
	for range len(n.Ops) {
		w := n.behind(v)
		if w == nil {
			break
		}
		v = w
	}
	return v
}

// held reports whether a value is a control token that is held for the run.
func (n *Netlist) held(v *ir.Value) bool {
	v = n.origin(v)
	return v.Def != nil && v.Def.Name == opname.DataflowHold
}

// constant is the handshake.constant that an operation is, nil if it is none with a control.
func constant(op *ir.Operation) *ir.Operation {
	if op.Name != opname.HandshakeConstant || op.NumOperands() != 1 || op.Operand(0) == nil {
		return nil
	}
	return op
}

// ConstantValue is the bit pattern that a handshake.constant gives.
func ConstantValue(op *ir.Operation) (uint64, error) {
	switch a := op.Attr("value").(type) {
	case *ir.IntegerAttr:
		return uint64(a.Value), nil
	case *ir.FloatAttr:
		switch t := op.Result(0).Type; t {
		case ir.F64:
			return math.Float64bits(a.Value), nil
		case ir.F32:
			return uint64(math.Float32bits(float32(a.Value))), nil
		default:
			return 0, fmt.Errorf("constants of type %s are not supported", t)
		}
	}
	return 0, fmt.Errorf("'%s' has no constant value", op.Name)
}

// reader is an operand that reads a value through wires, which leave so many bits.
type reader struct {
	at      OpPort
	through []int
	width   int
}

// readers lists what reads v, which are width bits, through wires, in body order.
func (n *Netlist) readers(v *ir.Value, width int, through []int) (out []reader) {
	for _, u := range sortedUses(v, n.Index) {
		i, ok := n.Index[u.Op]
		if !ok || len(through) > len(n.Ops) { // inside a region, or a cycle of casts
			continue
		}
		switch r, passes := n.onward(u.Op, u.Index); {
		case r != nil:
			w := min(width, Width(r.Type, n.IndexWidth))
			out = append(out, n.readers(r, w, append(through[:len(through):len(through)], i))...)
		case !passes:
			out = append(out, reader{OpPort{i, u.Index}, through, width})
		}
	}
	return out
}

// fold finds the operands that are immediates.
func (n *Netlist) fold(f *folding, errs *diag.List) {
	n.Imm = map[OpPort]*Immediate{}
	n.own = map[int]bool{}
	for i, op := range n.Ops {
		switch {
		case op.Name == opname.DataflowHold:
			n.checkHold(op, errs)
			for _, r := range n.readers(op.Result(0), 1, nil) {
				if n.hold(r, errs) {
					n.Imm[r.at] = &Immediate{Const: -1, Held: true}
				}
			}
		case constant(op) != nil:
			v := op.Result(0)
			held := n.held(op.Operand(0))
			for _, r := range n.readers(v, Width(v.Type, n.IndexWidth), nil) {
				value, err := ConstantValue(op)
				switch {
				case held && err != nil:
					errs.Errorf(op.Pos, "%v", err)
					continue
				case held && !n.hold(r, errs):
					continue
				case !held && (err != nil || !n.isUnit(r.at.Op) || !f.folds(n, r.at)):
					n.own[i] = true
					continue
				}
				n.Imm[r.at] = &Immediate{Const: i, Held: held, Value: LowBits(value, r.width)}
			}
			if !v.HasUses() && !held {
				n.own[i] = true
			}
		}
	}
	for i, op := range n.Ops {
		if !n.isUnit(i) || op.NumOperands() == 0 || constant(op) != nil {
			continue
		}
		held := 0
		for k := range op.Operands() {
			v := n.origin(op.Operand(k))
			if n.held(v) || v.Def != nil && constant(v.Def) != nil && n.held(v.Def.Operand(0)) {
				held++
			}
		}
		if held == op.NumOperands() {
			errs.Errorf(op.Pos, "every operand of '%s' is held for the run: it would never stop", op.Name).
				WithHelp("one operand must come with tokens that say how often it is computed")
		}
	}
}

// hold reports whether the reader of a held value can have it, and complains otherwise.
func (n *Netlist) hold(r reader, errs *diag.List) bool {
	op := n.Ops[r.at.Op]
	if n.isUnit(r.at.Op) || op.Name == opname.DataflowHold {
		return true
	}
	errs.Errorf(op.Pos, "operand #%d of '%s' is held for the run, and only operations of function units can read what has no end", r.at.Port, op.Name).
		WithHelp("fire the constant by a token that comes once")
	return false
}

// checkHold reports what a fabric cannot hold: anything but the start token.
func (n *Netlist) checkHold(op *ir.Operation, errs *diag.List) {
	args := n.Fn.Regions[0].Entry().Args
	if v := n.origin(op.Operand(0)); v.Def == nil && v.Index == len(args)-1 {
		return
	}
	errs.Errorf(op.Pos, "'%s' of what is not the start token has no hardware in a fabric", op.Name).
		WithHelp("direct circuits hold any value (--direct); on a fabric dataflow.invariant repeats one")
}

// isUnit reports whether operation i is executed by a function unit.
func (n *Netlist) isUnit(i int) bool {
	op := n.Ops[i]
	return !n.Wires[i] && !isMemory(op) && op.Name != opname.HandshakeReturn && op.Name != opname.DataflowHold
}

// LowBits is v without the bits from width on.
func LowBits(v uint64, width int) uint64 {
	if width < 64 {
		v &= 1<<width - 1
	}
	return v
}

// takesImmediates reports whether a PE has what the immediates of a node need when its port k
// goes to input in[k] of a unit.
func (n *Netlist) takesImmediates(c *arch.Component, opcode int, nd *Node, in []int) bool {
	if c.TPE != nil {
		return n.takesConstants(c, opcode, nd, in)
	}
	for k, at := range nd.Ins {
		m := n.Imm[at]
		if m == nil {
			continue
		}
		if !c.PE.Held(in[k]) || m.Const >= 0 && c.PE.Immediate(in[k]) == 0 || !m.Held && !roomy(c) {
			return false
		}
	}
	return true
}

// roomy reports whether two tokens can wait at every input of a PE, or behind its selectors: at
// an operand that is paced wait the control of the constant and the constant.
func roomy(c *arch.Component) bool {
	if c.PE.OperandFIFO >= 2 {
		return true
	}
	for _, p := range c.In {
		if p.Chan != nil && (p.Chan.Src.Comp == nil || p.Chan.Src.Comp.Buffer() < 2) {
			return false
		}
	}
	return true
}

// unfold chooses operands whose constants shall have a unit of their own, since what reads them
// gets no site otherwise, and reports whether there are any.
func (t *Tech) unfold(m *matching, f *folding) bool {
	news := false
	for _, id := range m.unmatched {
		if len(t.Cand[id]) == 0 {
			news = t.unfoldNode(t.Nodes[id], f, nil) || news
			continue
		}
		nodes, sites := t.hall(m, id)
		inside := map[int]bool{}
		for _, s := range sites {
			inside[s] = true
		}
		short := len(nodes) - len(sites)
		for k := len(nodes) - 1; k >= 0 && short > 0; k-- {
			if t.unfoldNode(t.Nodes[nodes[k]], f, inside) {
				news = true
				short--
			}
		}
	}
	return news
}

// unfoldNode gives constants of a node units of their own, as few as open a site to it that is
// not among some, and reports whether that helps.
func (t *Tech) unfoldNode(nd *Node, f *folding, inside map[int]bool) bool {
	if nd.Kind != Unit {
		return false
	}
	var ports []OpPort
	for _, at := range nd.Ins {
		if m := t.Imm[at]; m != nil && !m.Held {
			ports = append(ports, at)
		}
	}
	if len(ports) > 6 {
		return false // joins and muxes of many constants: not worth a search
	}
	opens := func(set int) bool {
		saved := map[OpPort]*Immediate{}
		for b, at := range ports {
			if set>>b&1 != 0 {
				saved[at] = t.Imm[at]
				delete(t.Imm, at)
			}
		}
		defer func() {
			for at, m := range saved {
				t.Imm[at] = m
			}
		}()
		for s := range t.Sites {
			if t.Sites[s].Kind != Unit || inside[s] {
				continue
			}
			if _, ok := t.matchNode(t.Sites[s].Comp, nd); ok && t.portsSuffice(t.Sites[s].Comp, nd) {
				return true
			}
		}
		return false
	}
	for size := 1; size <= len(ports); size++ {
		for set := 1; set < 1<<len(ports); set++ {
			if bits.OnesCount(uint(set)) != size || !opens(set) {
				continue
			}
			for b, at := range ports {
				if set>>b&1 != 0 {
					f.apart[at] = true
				}
			}
			return true
		}
	}
	return false
}

// unheld is the port of an operand that is held, of a node that some unit would execute if it
// were not: a constant, if one of them is; -1 for none.
func (t *Tech) unheld(nd *Node) int {
	at := -1
	for k := range nd.Ins {
		if m := t.Imm[nd.Ins[k]]; m != nil && m.Held && (at < 0 || m.Const >= 0) {
			at = k
		}
	}
	if at < 0 || t.matchesSomewhere(nd) {
		return -1
	}
	all := t.Imm
	t.Imm = nil
	defer func() { t.Imm = all }()
	if !t.matchesSomewhere(nd) {
		return -1
	}
	return at
}
