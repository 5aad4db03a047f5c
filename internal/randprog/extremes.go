package randprog

import (
	"slices"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Extremes lets the loops of a program carry the largest or smallest of what they carried and what they had, for integers: random operations seldom come
// to that. Where that follows from what the loop carries, every other one takes something else that does not, if there is such a value, as an
// accumulator needs it.
func Extremes(module *ir.Operation) {
	ops := []string{opname.ArithMaxSI, opname.ArithMinUI, opname.ArithMinSI, opname.ArithMaxUI}
	n := 0
	module.Walk(func(op *ir.Operation) bool {
		if op.Name != opname.SCFFor {
			return true
		}
		body := op.Regions[0].Entry()
		end := body.Terminator()
		follows := map[*ir.Value]bool{}
		for _, a := range body.Args[1:] {
			follows[a] = true
		}
		var free []*ir.Value
		for _, o := range body.Ops {
			late := len(o.Regions) > 0 || slices.ContainsFunc(o.Operands(), func(v *ir.Value) bool { return follows[v] })
			for _, r := range o.Results() {
				if follows[r] = late; !late {
					free = append(free, r)
				}
			}
		}
		for k, v := range end.Operands() {
			arg := body.Args[1+k]
			if t, ok := arg.Type.(*ir.IntegerType); !ok || t.Width == 1 || v == arg {
				continue
			}
			if n++; follows[v] && n%2 == 0 {
				for _, f := range append(free, body.Args[0]) {
					if f.Type.String() == v.Type.String() {
						v = f
					}
				}
			}
			most := ir.NewOp(ops[n/2%len(ops)], end.Pos, []*ir.Value{arg, v}, []ir.Type{arg.Type})
			body.InsertBefore(end, most)
			end.SetOperand(k, most.Result(0))
		}
		return true
	})
}
