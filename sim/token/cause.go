package token

import (
	"fmt"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// A graph whose control went wrong ends with the right data and one control token
// too many: at the control of a load or store, or at the condition of a branch
// (the debugging symptoms at the end of spec-dataflow-compilation and
// spec-dataflow-memory). Then the control of a loop body was wired to the raw
// condition of a stream, which has one token more than the loop has iterations.
// The functions here follow leftover tokens back to the operation that takes the
// raw condition and report which chain it belongs to, and what it should take.

// mistake is a body-local operation steered by the raw condition of a stream.
type mistake struct {
	op  *ir.Operation
	raw *ir.Value
	// access is the load or store it was found behind, nil for none.
	access *ir.Operation
}

// maxLeft bounds the leftover tokens that are followed back.
const maxLeft = 1000

// causes explains leftover tokens, given the uses they are left at.
func (p *Program) causes(left []ir.Use) []string {
	var lines []string
	reported := map[*ir.Operation]bool{}
	for _, m := range p.mistakes(left[:min(len(left), maxLeft)]) {
		if reported[m.op] {
			continue
		}
		reported[m.op] = true
		lines = append(lines, p.explain(m))
	}
	return limit(lines)
}

// mistakes looks behind each use that points at one.
func (p *Program) mistakes(left []ir.Use) []mistake {
	var out []mistake
	for _, u := range left {
		v := u.Op.Operand(u.Index)
		branch := u.Op.Name == opname.HandshakeCondBr && u.Index == 0
		switch {
		case branch && rawOfStream(v):
			// A loop splits its own values by the raw condition: wrong is a split of
			// control that the body gives back.
			d := u.Op.Operand(1)
			if s := p.steering(d); d.Type == ir.Type(ir.None) && s != nil && (s.Operand(0) == v || gateOf(v, s.Operand(0))) {
				out = append(out, mistake{u.Op, v, p.accessBehind(d)})
			}
		case !branch:
			// Control of an access, or a value of the body, with a token too many:
			// carried or repeated once too often.
			s := p.steering(v)
			if s == nil || !rawOfStream(s.Operand(0)) {
				continue
			}
			m := mistake{op: s, raw: s.Operand(0)}
			if isAccess(u.Op) && u.Index == 2 {
				m.access = u.Op
			}
			if m.access != nil || s.Name == opname.DataflowInvariant {
				out = append(out, m)
			}
		}
	}
	return out
}

func isAccess(op *ir.Operation) bool {
	return op.Name == opname.HandshakeLoad || op.Name == opname.HandshakeStore
}

// rawOfStream reports whether c is the will-continue result of a stream.
func rawOfStream(c *ir.Value) bool {
	return c.Def != nil && c.Def.Name == opname.DataflowStream && c.Index == 1
}

// gateOf reports whether c is the gated form of a raw condition.
func gateOf(raw, c *ir.Value) bool {
	return c.Def != nil && c.Def.Name == opname.DataflowGate && c.Index == 1 && c.Def.Operand(1) == raw
}

// steering goes back from a value, over operations that keep its count of tokens
// or split it, to the carry or invariant that sets the count; nil when there is
// none.
func (p *Program) steering(v *ir.Value) *ir.Operation {
	for range p.actors { // no acyclic path is longer
		if v.Def == nil {
			return nil
		}
		op := v.Def
		switch op.Name {
		case opname.DataflowCarry, opname.DataflowInvariant:
			return op
		case opname.HandshakeCondBr:
			v = op.Operand(1)
		case opname.HandshakeJoin, opname.HandshakeConstant, opname.DataflowInterlock:
			v = op.Operand(0)
		case opname.HandshakeMemory, opname.HandshakeExtmemory:
			a := p.accessBehind(v)
			if a == nil {
				return nil
			}
			v = a.Operand(2)
		default:
			return nil
		}
	}
	return nil
}

// accessBehind is the load or store whose done token v is or was made from, nil
// when there is none.
func (p *Program) accessBehind(v *ir.Value) *ir.Operation {
	work := []*ir.Value{v}
	for seen := map[*ir.Value]bool{}; len(work) > 0; {
		v := work[0]
		work = work[1:]
		if v.Def == nil || seen[v] {
			continue
		}
		seen[v] = true
		switch op := v.Def; op.Name {
		case opname.HandshakeJoin, opname.HandshakeMux:
			work = append(work, op.Operands()...)
		case opname.HandshakeCondBr:
			work = append(work, op.Operand(1))
		case opname.HandshakeMemory, opname.HandshakeExtmemory:
			// The port that drives v reads its address from the access.
			for i := range p.actors {
				a := &p.actors[i]
				if a.op != op {
					continue
				}
				for r := range a.out {
					for _, ch := range a.out[r] {
						if p.chans[ch].value == v {
							if from := p.chans[a.in[len(a.in)-1]].from; from >= 0 && isAccess(p.actors[from].op) {
								return p.actors[from].op
							}
						}
					}
				}
			}
		}
	}
	return nil
}

// explain describes one mistake and its remedy.
func (p *Program) explain(m mistake) string {
	chain := "the control of the loop body"
	if m.access != nil {
		chain = "the memory control"
		if mem := p.memoryOf(m.access); mem != "" {
			chain += " of " + mem
		}
	} else if m.op.Name == opname.DataflowInvariant && m.op.Result(0).Type != ir.Type(ir.None) {
		chain = "a value of the loop body"
	}
	verb := "splits"
	switch m.op.Name {
	case opname.DataflowCarry:
		verb = "carries"
	case opname.DataflowInvariant:
		verb = "repeats"
	}
	text := fmt.Sprintf("raw loop control is used where the gated control belongs: %s %s %s by %sthe raw condition of %s, which has one token more than the loop has iterations; ",
		describe(m.op), verb, chain, valueText(m.raw), describe(m.raw.Def))
	for _, u := range m.raw.Uses() {
		if u.Op.Name == opname.DataflowGate && u.Index == 1 {
			return text + fmt.Sprintf("use %sthe second result of %s", valueText(u.Op.Result(1)), describe(u.Op))
		}
	}
	return text + "put a dataflow.gate behind the stream and use its second result"
}

// valueText is the name of a value with a comma, "" if it has none.
func valueText(v *ir.Value) string {
	if v.Name == "" {
		return ""
	}
	return "%" + v.Name + ", "
}

// memoryOf names the memory of an access.
func (p *Program) memoryOf(access *ir.Operation) string {
	for i := range p.actors {
		a := &p.actors[i]
		if a.kind != kPortLoad && a.kind != kPortStore {
			continue
		}
		if from := p.chans[a.in[len(a.in)-1]].from; from >= 0 && p.actors[from].op == access {
			if arg := p.mems[a.mem].arg; arg >= 0 {
				return "%" + p.argName(arg)
			}
			return p.memName(a.mem)
		}
	}
	return ""
}
