package randctest

import (
	"loom/compiler/analysis/extent"
	"loom/compiler/analysis/ranges"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/internal/facttest"
	"loom/sim/token"
	"loom/sim/vector"
)

// disjoint is a program as it is for runs whose arrays do not overlap.
type disjoint struct {
	graph      *token.Program
	extents    *extent.Extents
	pairs      [][2]int
	indexWidth int
}

// disjointOf returns nil where no parameters may overlap of which one is written.
func disjointOf(module, fn *ir.Operation, s Setting) (*disjoint, error) {
	copied, same := lower.Disjoint(module, fn)
	if copied == nil {
		return nil, nil
	}
	low, err := lower.Lower(copied, s.lowering(same.SymName()))
	if err != nil {
		return nil, err
	}
	d := &disjoint{indexWidth: s.IndexWidth, extents: extent.Of(fn, ranges.Analyse(fn, ranges.Options{IndexWidth: s.IndexWidth}), s.IndexWidth, "")}
	if d.pairs, err = d.extents.Pairs(fn); err != nil || len(d.pairs) == 0 {
		return nil, err
	}
	d.graph, err = token.Compile(low.Func, s.IndexWidth)
	return d, err
}

// takes reports whether the host function would take the image for disjoint arrays: by where the elements lie
// that the run may touch.
func (d *disjoint) takes(in *vector.Inputs) bool {
	params := facttest.Scalars(in, d.indexWidth)
	if !d.extents.Known(d.pairs, params) {
		return false
	}
	values := d.extents.Code.Eval(params)
	for _, p := range d.pairs {
		a, b := in.Args[p[0]].Mem, in.Args[p[1]].Mem
		ea, eb := values[d.extents.Arrays[p[0]].Range], values[d.extents.Arrays[p[1]].Range]
		if at, ok := vector.Offset(a.Data, b.Data); ok && ea.Lo <= int64(at)+eb.Hi && int64(at)+eb.Lo <= ea.Hi {
			return false
		}
	}
	return true
}
