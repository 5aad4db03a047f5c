package circt

import (
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
)

// decide computes what is made of constants that a source fires, and takes out branches and muxes
// whose condition is such a constant: they take the condition with every token and always the
// same way, so one side of the branch is its operand, and on the other one no token ever comes.
func decide(body *ir.Block, indexWidth int) {
	for again := true; again; {
		again = false
		passSources(body)
		for _, op := range append([]*ir.Operation(nil), body.Ops...) {
			switch op.Name {
			case opname.HandshakeCondBr:
				if c, ok := decided(op.Operand(0), indexWidth); ok {
					taken, other := 0, 1
					if c == 0 {
						taken, other = 1, 0
					}
					by := make([]*ir.Value, 2)
					by[taken], by[other] = op.Operand(1), op.Operand(1)
					if op.Result(other).HasUses() {
						by[other] = emit(op, opname.HandshakeNever, nil, op.Result(other).Type).Result(0)
					}
					if by[taken].Def == op {
						continue // its own result: nothing ever arrives there
					}
					replace(op, by...)
					again = true
				}
			case opname.HandshakeMux:
				if c, ok := decided(op.Operand(0), indexWidth); ok {
					v := op.Operand(1 + int(min(c, uint64(op.NumOperands()-2)))) // beyond the last is the last
					if v.Def == op {
						continue
					}
					replace(op, v)
					again = true
				}
			case opname.HandshakeConstant:
			default:
				if op.NumResults() != 1 || ir.IsFloat(op.Result(0).Type) {
					continue
				}
				if n, ok := decided(op.Result(0), indexWidth); ok {
					source := op.Result(0)
					for source.Def.NumOperands() > 0 {
						source = source.Def.Operand(0)
					}
					replace(op, constantOf(op, source, op.Result(0).Type, n))
					again = true
				}
			}
		}
	}
}

// decided is the number that a value always has: of a constant that a source fires, or computed
// from such constants.
func decided(v *ir.Value, indexWidth int) (uint64, bool) {
	if !fromSource(v) || v.Type == ir.Type(ir.None) {
		return 0, false
	}
	if v.Def.Name == opname.HandshakeConstant {
		n, err := num.ConstantBits(v.Def.Attr("value"), v.Type, indexWidth)
		return n, err == nil
	}
	var in []uint64
	for _, w := range v.Def.Operands() {
		n, ok := decided(w, indexWidth)
		if !ok {
			return 0, false
		}
		in = append(in, n)
	}
	out, err := num.Eval(v.Def, in, indexWidth)
	if err != nil {
		return 0, false
	}
	return out[v.Index], true
}

// nevers makes a token that never comes of one that does: the side of a branch that is not
// taken.
func nevers(body *ir.Block) {
	start := body.Args[len(body.Args)-1]
	for _, op := range append([]*ir.Operation(nil), body.Ops...) {
		if op.Name != opname.HandshakeNever {
			continue
		}
		if !op.Result(0).HasUses() {
			op.Erase()
			continue
		}
		t := op.Result(0).Type
		token := start
		if t != ir.Type(ir.None) {
			token = constantOf(op, start, t, 0)
		}
		no := constantOf(op, start, ir.I1, 0)
		replace(op, emit(op, opname.HandshakeCondBr, []*ir.Value{no, token}, t, t).Result(0))
	}
}

// constantOf makes a constant that a token fires.
func constantOf(at *ir.Operation, token *ir.Value, t ir.Type, n uint64) *ir.Value {
	k := emit(at, opname.HandshakeConstant, []*ir.Value{token}, t)
	var value ir.Attr
	switch w, _ := ir.BitWidth(t, 64); {
	case ir.IsFloat(t):
		value = &ir.FloatAttr{Value: float64(n), Type: t}
	case w == 1:
		value = ir.BoolAttr(n != 0)
	default:
		value = ir.IntAttr(int64(n<<(64-w))>>(64-w), t)
	}
	k.SetAttr("value", value)
	return k.Result(0)
}
