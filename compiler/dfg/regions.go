package dfg

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// RegionKind is the kind of an activation context.
type RegionKind string

// The contexts of a graph.
const (
	FunctionRegion RegionKind = "function"
	ThenRegion     RegionKind = "then"
	ElseRegion     RegionKind = "else"
	// ForRegion is a counted loop: its stream, what crosses its boundary, its body.
	ForRegion RegionKind = "for"
	// WhileRegion is a loop that ends on computed data: what runs for every test.
	WhileRegion RegionKind = "while"
	// WhileBodyRegion is what a while runs after a test that held.
	WhileBodyRegion RegionKind = "while body"
)

// Region is an activation context of a dataflow graph: the function, a branch, a
// loop. A graph is flat; its regions are what the token discipline leaves of the
// nesting (design page "SCF to DFG": a value that belongs to a region carries
// one token per activation).
type Region struct {
	Kind RegionKind
	// Cond steers the region: the condition of a branch, the raw condition of a
	// loop; nil for the function.
	Cond   *ir.Value
	Parent *Region
	// Children and Ops are in the order of the graph's text.
	Children []*Region
	Ops      []*ir.Operation
}

// Regions recovers the regions of a graph from its token counts. It returns the
// function's region and the region of every operation. Where the counts of an
// operation contradict each other or cannot be known it stays with the function.
func Regions(fn *ir.Operation) (*Region, map[*ir.Operation]*Region) {
	v := newVerifier(fn, &diag.List{})
	t := &regionTree{
		s: v.rates(), root: &Region{Kind: FunctionRegion},
		of: map[rate]*Region{}, open: map[rate]bool{},
	}
	byOp := map[*ir.Operation]*Region{}
	for _, op := range v.body.Ops {
		r := t.operation(op)
		r.Ops = append(r.Ops, op)
		byOp[op] = r
	}
	return t.root, byOp
}

type regionTree struct {
	s    *solver
	root *Region
	of   map[rate]*Region
	// open are the rates whose region is being looked for: a graph that is wrong
	// may nest regions in each other.
	open map[rate]bool
}

// operation finds the region of an operation: what makes the tokens of a loop belongs
// to the loop, a branch or merge to the region around it.
func (t *regionTree) operation(op *ir.Operation) *Region {
	switch op.Name {
	case opname.HandshakeMemory, opname.HandshakeExtmemory, opname.HandshakeReturn:
		return t.root
	case opname.DataflowStream:
		return t.region(rate{rateRaw, op.Result(1)})
	case opname.DataflowGate:
		return t.region(rate{rateRaw, op.Operand(1)})
	case opname.DataflowCarry, opname.DataflowInvariant, opname.DataflowAccumulate:
		loop := op.Operand(0)
		if raw, gated := gatedLoop(loop); gated {
			loop = raw
		}
		return t.region(rate{rateRaw, loop})
	}
	for _, w := range op.Operands() {
		if w == nil || dataflow.IsHeld(w) {
			continue
		}
		if _, mem := w.Type.(*ir.MemRefType); mem {
			continue
		}
		return t.class(t.s.of(w))
	}
	return t.root
}

func (t *regionTree) class(c *class) *Region {
	if !c.known {
		return t.root
	}
	return t.region(c.rate)
}

// region finds or makes the region of a rate.
func (t *regionTree) region(r rate) *Region {
	if r.kind == rateEntry {
		return t.root
	}
	stream := r.of.Def != nil && r.of.Def.Name == opname.DataflowStream
	if stream || r.kind == rateAgain {
		// The body and the boundary of a counted loop are one region; so are all
		// iterations but the last of any loop.
		if isLoop(r.kind) {
			r.kind = rateRaw
		}
	}
	if q := t.of[r]; q != nil {
		return q
	}
	if t.open[r] {
		return t.root
	}
	t.open[r] = true
	defer delete(t.open, r)
	q := &Region{Cond: r.of}
	switch {
	case r.kind == rateThen:
		q.Kind, q.Parent = ThenRegion, t.class(t.s.of(r.of))
	case r.kind == rateElse:
		q.Kind, q.Parent = ElseRegion, t.class(t.s.of(r.of))
	case r.kind == rateBody:
		q.Kind, q.Parent = WhileBodyRegion, t.region(rate{rateRaw, r.of})
	case stream:
		q.Kind, q.Parent = ForRegion, t.class(t.s.parent(r.of))
	default:
		q.Kind, q.Parent = WhileRegion, t.class(t.s.parent(r.of))
	}
	q.Parent.Children = append(q.Parent.Children, q)
	t.of[r] = q
	return q
}
