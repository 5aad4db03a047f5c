package ckernels

import (
	"fmt"
	"slices"
	"testing"

	"loom/compiler/ir"
	"loom/compiler/mapper/tech"
	"loom/compiler/opname"
	"loom/compiler/simplify"
	"loom/internal/tools"
	"loom/sim/token"
)

// units counts the PEs that a graph takes where constants are immediates of what reads them; with
// fused, stream and branch, carry and branch, and these two with the operation that closes the
// loop take one together.
func units(graph *ir.Operation, fused bool) int {
	n := 0
	gone := map[*ir.Operation]bool{}
	accumulates := []string{opname.ArithAddI, opname.ArithSubI, opname.ArithAndI, opname.ArithOrI, opname.ArithXOrI,
		opname.ArithMaxSI, opname.ArithMinSI, opname.ArithMaxUI, opname.ArithMinUI}
	if fused {
		for _, op := range graph.Regions[0].Entry().Ops {
			switch op.Name {
			case opname.DataflowStream:
				for _, u := range op.Result(0).Uses() {
					if len(op.Result(0).Uses()) == 1 && (u.Op.Name == opname.HandshakeCondBr && u.Op.Operand(0) == op.Result(1) && !u.Op.Result(1).HasUses() ||
						u.Op.Name == opname.DataflowGate && !u.Op.Result(1).HasUses()) {
						gone[u.Op] = true
					}
				}
			case opname.DataflowCarry:
				if us := op.Result(0).Uses(); len(us) == 1 && us[0].Op.Name == opname.HandshakeCondBr && us[0].Op.Operand(0) == op.Operand(0) {
					br := us[0].Op
					gone[br] = true
					next := op.Operand(2).Def
					if next != nil && slices.Contains(accumulates, next.Name) && len(next.Result(0).Uses()) == 1 &&
						len(br.Result(0).Uses()) == 1 && br.Result(0).Uses()[0].Op == next {
						gone[next] = true
					}
				}
			}
		}
	}
	for _, op := range graph.Regions[0].Entry().Ops {
		switch op.Name {
		case opname.HandshakeConstant:
			if !slices.ContainsFunc(op.Result(0).Uses(), func(u ir.Use) bool { return u.Op.Name == opname.HandshakeReturn }) {
				continue
			}
		case opname.DataflowHold, opname.HandshakeReturn, opname.HandshakeExtmemory, opname.HandshakeMemory:
			continue
		case opname.HandshakeJoin:
			// Of one operand it is a wire where it fires constants, or where its operand is a bit, which
			// travels as tokens do.
			fires := !slices.ContainsFunc(op.Result(0).Uses(), func(u ir.Use) bool { return u.Op.Name != opname.HandshakeConstant })
			if op.NumOperands() == 1 && (fires || op.Operand(0).Type == ir.Type(ir.I1)) {
				continue
			}
		}
		if !gone[op] && !tech.IsWire(op, indexWidth) {
			n++
		}
	}
	return n
}

// TestSimplified: what the lowering makes of each kernel, simplified for fabrics, does what the
// kernel does on all its inputs, with channels of any and of one token, and takes fewer PEs.
func TestSimplified(t *testing.T) {
	needTools(t, tools.CC)
	var before, after []int
	for _, k := range load(t) {
		t.Run(k.name, func(t *testing.T) {
			module := k.mustCompile(t).Module
			g := graph(t, module, "pipelined")
			small, err := simplify.Run(g, simplify.Options{IndexWidth: indexWidth, Fabric: &simplify.Fabric{}})
			if err != nil {
				t.Fatal(render(err))
			}
			all, now, fused := operations(g), units(small, false), units(small, true)
			t.Logf("%d operations, %d PEs with immediates, %d with fused units", all, now, fused)
			if now > units(g, false)+1 || fused > units(g, true) {
				t.Errorf("%d and %d PEs, %d and %d of the graph as it was", now, fused, units(g, false), units(g, true))
			}
			before, after = append(before, all), append(after, fused)
			p, err := token.Compile(small, indexWidth)
			if err != nil {
				t.Fatal(render(err))
			}
			for n, r := range k.inputs(t, g) {
				want := meaning(t, function(t, module), r.in)
				for _, o := range []token.Options{tokenOptions, {Capacity: 1, Seed: uint64(n) + 1, MemDelay: 40, IndexWidth: indexWidth}} {
					if o.Capacity == 1 && n%3 != 0 && !soaking() {
						continue
					}
					got, _, err := p.Run(r.in.Clone(), o)
					if err != nil {
						t.Fatal(render(err))
					}
					agree(t, r, fmt.Sprintf("simplified graph, capacity %d", o.Capacity), want, got)
				}
			}
		})
	}
	slices.Sort(before)
	slices.Sort(after)
	median := func(n []int) int { return n[len(n)/2] }
	t.Logf("median of %d kernels: %d operations, %d PEs", len(after), median(before), median(after))
	// 32 of 52, measured; half is the goal.
	if 3*median(after) > 2*median(before) {
		t.Errorf("the median kernel takes %d PEs, its graph has %d operations: at most two thirds are expected", median(after), median(before))
	}
}

// operations counts those of a graph that take a PE as they are.
func operations(graph *ir.Operation) int {
	n := 0
	for _, op := range graph.Regions[0].Entry().Ops {
		switch op.Name {
		case opname.HandshakeReturn, opname.HandshakeExtmemory, opname.HandshakeMemory:
			continue
		}
		if !tech.IsWire(op, indexWidth) {
			n++
		}
	}
	return n
}
