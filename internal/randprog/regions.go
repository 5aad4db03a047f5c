package randprog

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// indexSwitch emits scf.index_switch with none to three cases; its default is
// the first region.
func (g *generator) indexSwitch(s *scope) {
	ts := g.someTypes(2)
	on := g.need(s, ir.Index)
	if g.chance(80) {
		on = g.binary(s, opname.ArithAndI, on, g.constant(s, ir.Index, 3))
	}
	op := ir.NewOp(opname.SCFIndexSwitch, diag.Pos{}, []*ir.Value{on}, ts)
	cases := &ir.DenseArrayAttr{Elem: ir.I64, Values: []int64{}}
	for c := g.r.Int64N(3) - 1; len(cases.Values) < 3; c += 1 + g.r.Int64N(2) {
		// mlir-translate-19 crashes on switches that have only a default.
		if !g.chance(75) && (len(cases.Values) > 0 || !g.opts.NoUndefined) {
			break
		}
		cases.Values = append(cases.Values, c)
	}
	op.SetAttr("cases", cases)
	for range 1 + len(cases.Values) {
		inner := g.enter(s, op.AddRegion(), nil, 1)
		g.statements(inner, g.r.IntN(3))
		g.close(inner, opname.SCFYield, nil, ts)
	}
	g.add(s, op)
}

// executeRegion emits scf.execute_region of one block.
func (g *generator) executeRegion(s *scope) {
	ts := g.someTypes(2)
	op := ir.NewOp(opname.SCFExecuteRegion, diag.Pos{}, nil, ts)
	inner := g.enter(s, op.AddRegion(), nil, 1)
	g.statements(inner, 1+g.r.IntN(3))
	g.close(inner, opname.SCFYield, nil, ts)
	g.add(s, op)
}
