package simplify

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// tokenControls joins a value of several bits with itself where it is the control of a load or store: the join is a unit, and
// what leaves it a token, while dropping the data alone leaves the value on a channel of its width.
func tokenControls(s *state) {
	if s.opts.Fabric == nil || !s.opts.Fabric.TokenControls {
		return
	}
	made := map[*ir.Value]*ir.Value{}
	for _, name := range []string{opname.HandshakeLoad, opname.HandshakeStore} {
		for _, op := range accessOps(s.body, name) {
			v := op.Operand(2)
			if v.Def == nil || !s.wide(v) {
				continue
			}
			if made[v] == nil {
				j := ir.NewOp(opname.HandshakeJoin, v.Pos(), []*ir.Value{v, v}, []ir.Type{ir.None})
				j.Result(0).Name = "token"
				s.body.InsertBefore(op, j)
				made[v] = j.Result(0)
			}
			op.SetOperand(2, made[v])
		}
	}
}

// wide reports whether a control token is that of a value of several bits whose data is dropped.
func (s *state) wide(v *ir.Value) bool {
	for v.Def != nil && v.Def.Name == opname.HandshakeJoin && v.Def.NumOperands() == 1 {
		v = v.Def.Operand(0)
		if w, _ := ir.BitWidth(v.Type, s.opts.IndexWidth); w > 1 {
			return true
		}
	}
	return false
}
