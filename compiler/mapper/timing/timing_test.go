package timing_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/ir"
	"loom/compiler/mapper/tech"
	"loom/compiler/mapper/timing"
	"loom/internal/fabtest"
)

func graph(t *testing.T, fn *ir.Operation) *timing.Graph {
	t.Helper()
	n, err := tech.Read(fn, 64)
	if err != nil {
		t.Fatal(err)
	}
	return timing.Build(n)
}

func hop(timing.Arc) int { return 1 }

// TestWhile: i = i - k while i > 0. The value goes carry, compare, carry and
// carry, branch, subtract, carry: two and three hops.
func TestWhile(t *testing.T) {
	d := fabtest.NewDFG("while", ir.I32, ir.I32)
	carry := d.Op("dataflow.carry", []ir.Type{ir.I32}, nil, d.Arg(0), nil)
	cmp := d.Val("arith.cmpi", ir.I1, carry.Result(0), d.Arg(1))
	br := d.Op("handshake.cond_br", []ir.Type{ir.I32, ir.I32}, cmp, carry.Result(0))
	sub := d.Val("arith.subi", ir.I32, br.Result(0), d.Arg(1))
	carry.SetOperand(0, cmp)
	carry.SetOperand(2, sub)
	g := graph(t, d.Return(br.Result(1), d.Arg(-1)))
	b := g.Bounds(hop)
	// The longest path also passes the compare: carry, compare, branch, subtract.
	if len(b) != 1 || b[0].Cycles != 4 || b[0].Tokens != 1 || !b[0].Innermost {
		t.Errorf("%+v", b)
	}
	if len(b[0].Ops) != 4 {
		t.Errorf("recurrence %v", b[0].Ops)
	}
}

// TestTwoTokens: a recurrence through two carries of one loop is passed once every
// two iterations.
func TestTwoTokens(t *testing.T) {
	d := fabtest.NewDFG("two", ir.I32, ir.I1)
	a := d.Op("dataflow.carry", []ir.Type{ir.I32}, d.Arg(1), d.Arg(0), nil)
	b := d.Op("dataflow.carry", []ir.Type{ir.I32}, d.Arg(1), d.Arg(0), a.Result(0))
	x := d.Val("arith.addi", ir.I32, b.Result(0), d.Arg(0))
	a.SetOperand(2, x)
	g := graph(t, d.Return(x, d.Arg(-1)))
	bounds := g.Bounds(hop)
	if len(bounds) != 1 || bounds[0].Cycles != 3 || bounds[0].Tokens != 2 {
		t.Errorf("%+v", bounds)
	}
}

// nest is an outer counted loop around an inner one, both with a carried value.
func nest() *ir.Operation {
	d := fabtest.NewDFG("nest", ir.Index, ir.I32)
	outer := d.Op("dataflow.stream", []ir.Type{ir.Index, ir.I1}, d.Arg(0), d.Arg(0), d.Arg(0))
	co := d.Op("dataflow.carry", []ir.Type{ir.I32}, outer.Result(1), d.Arg(1), nil)
	bo := d.Op("handshake.cond_br", []ir.Type{ir.I32, ir.I32}, outer.Result(1), co.Result(0))
	inner := d.Op("dataflow.stream", []ir.Type{ir.Index, ir.I1}, outer.Result(0), outer.Result(0), outer.Result(0))
	ci := d.Op("dataflow.carry", []ir.Type{ir.I32}, inner.Result(1), bo.Result(0), nil)
	bi := d.Op("handshake.cond_br", []ir.Type{ir.I32, ir.I32}, inner.Result(1), ci.Result(0))
	ci.SetOperand(2, d.Val("arith.addi", ir.I32, bi.Result(0), bi.Result(0)))
	co.SetOperand(2, bi.Result(1))
	return d.Return(bo.Result(1), d.Arg(-1))
}

func TestNest(t *testing.T) {
	g := graph(t, nest())
	b := g.Bounds(hop)
	if len(b) != 2 {
		t.Fatalf("%d loops", len(b))
	}
	// Outer: carry, branch, inner carry, inner branch. Inner: carry, branch, add.
	got := [][3]any{{b[0].Cycles, b[0].Tokens, b[0].Innermost}, {b[1].Cycles, b[1].Tokens, b[1].Innermost}}
	if d := cmp.Diff([][3]any{{4, 1, false}, {3, 1, true}}, got); d != "" {
		t.Error(d)
	}
	if g.Loops[0].Depth != 0 || g.Loops[1].Depth != 1 {
		t.Errorf("depths %d and %d", g.Loops[0].Depth, g.Loops[1].Depth)
	}
	crit := g.Criticality(hop)
	top, outer, none := 0, 0, 0
	for _, row := range crit {
		for _, c := range row {
			switch {
			case c == 256:
				top++
			case c > 0:
				outer++
			default:
				none++
			}
		}
	}
	// The two sinks that close the inner loop, its branch and its addition are
	// critical; stream to carry is not.
	if top != 4 || outer == 0 || none == 0 {
		t.Errorf("%d sinks critical, %d partly, %d not", top, outer, none)
	}
}

// TestDepth: the longest way passes every loop once, and what is on it counts even where it is in no recurrence.
func TestDepth(t *testing.T) {
	g := graph(t, nest())
	// To the outer stream, its branch, the inner carry, its branch, the addition; what comes back around a loop is a token.
	if d := g.Depth(hop); d != 5 {
		t.Errorf("depth %d", d)
	}
	d := fabtest.NewDFG("line", ir.I32, ir.I32)
	x := d.Val("arith.addi", ir.I32, d.Arg(0), d.Arg(1))
	y := d.Val("arith.subi", ir.I32, x, d.Arg(1))
	g = graph(t, d.Return(y, d.Arg(-1)))
	if d := g.Depth(hop); d != 2 {
		t.Errorf("depth %d of two operations", d)
	}
	most := int64(0)
	for _, row := range g.Criticality(hop) {
		for _, c := range row {
			most = max(most, c)
		}
	}
	if most != 128 {
		t.Errorf("the longest way counts %d", most)
	}
}

// TestNoToken: a cycle without any token has no finite bound and must not hang.
func TestNoToken(t *testing.T) {
	d := fabtest.NewDFG("dead", ir.I32, ir.I1)
	c := d.Op("dataflow.carry", []ir.Type{ir.I32}, d.Arg(1), d.Arg(0), nil)
	x := d.Op("arith.addi", []ir.Type{ir.I32}, c.Result(0), nil)
	y := d.Val("arith.addi", ir.I32, x.Result(0), c.Result(0))
	x.SetOperand(1, y)
	c.SetOperand(2, y)
	g := graph(t, d.Return(y, d.Arg(-1)))
	g.Bounds(hop)
	g.Criticality(hop)
}

// TestMemoryPaths: a load's address leads to its data through the memory, and
// the request does not lead to the data otherwise.
func TestMemoryPaths(t *testing.T) {
	g := graph(t, fabtest.Scale())
	b := g.Bounds(func(a timing.Arc) int { return 1 })
	// carry, branch, load or store, memory
	if len(b) != 1 || b[0].Cycles != 4 || b[0].Tokens != 1 {
		t.Errorf("%+v", b)
	}
}

// TestAccessLoops: an access belongs to the loop that counts its addresses.
func TestAccessLoops(t *testing.T) {
	g := graph(t, fabtest.Scale())
	accesses := 0
	for id, nd := range g.N.Nodes {
		switch {
		case nd.Kind == tech.Access:
			accesses++
			if g.Access[id] != 0 {
				t.Errorf("%s is in loop %d", nd.Name, g.Access[id])
			}
		case g.Access[id] != -1:
			t.Errorf("%s, no access, is in loop %d", nd.Name, g.Access[id])
		}
	}
	if accesses != 2 {
		t.Errorf("%d accesses", accesses)
	}
	g = graph(t, fabtest.Accesses(fabtest.Array{Loads: 2, Stores: 1}))
	for _, a := range g.N.Arrays {
		for _, id := range append(a.Loads, a.Stores...) {
			if g.Access[id] != -1 {
				t.Errorf("%s, outside of any loop, is in loop %d", g.N.Nodes[id].Name, g.Access[id])
			}
		}
	}
}
