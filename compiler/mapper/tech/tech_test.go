package tech_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	_ "loom/compiler/dialect/all" // commutativity
	"loom/compiler/ir"
	"loom/compiler/mapper/tech"
	"loom/internal/fabtest"
)

// TestNetlist checks how a graph with casts, double reads and dead values
// becomes nets.
func TestNetlist(t *testing.T) {
	n, err := tech.Read(fabtest.Features(), 64)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, net := range n.Nets {
		s := fmt.Sprintf("%d.%d/%d:", net.SrcPort.Op, net.SrcPort.Port, net.Width)
		for _, k := range net.Sinks {
			s += fmt.Sprintf(" %d.%d/%d", k.Dst.Op, k.Dst.Port, k.Width)
			if len(k.Through) > 0 {
				s += fmt.Sprint(k.Through)
			}
		}
		got = append(got, s)
	}
	// operation.result/width: operation.operand/width[casts]…
	want := []string{
		"0.0/32: 2.0/32 7.1/32", // the square, once to the product, once to the select
		"2.0/32: 3.1/32",
		"3.0/32: 4.0/32 6.0/32",
		"5.0/32: 6.1/32 7.2/32",
		"6.0/1: 7.0/1 8.0/1 9.0/1",
		"7.0/32: 10.0/32",
		"8.0/1: 9.2/1",
		"8.1/1: 9.1/1",
		"9.0/1: 11.0/1",
		"10.0/64: 15.1/64",
		"11.0/1: 15.5/1",
		"12.0/64: 13.0/64",
		"13.0/32: 15.4/32",
		"13.1/64: 14.1/64",
		"14.0/32: 13.1/32",
		"-1.0/32: 0.0/32 0.1/32 4.1/32 15.0/32 15.2/32",
		"-1.1/64: 3.0/32[1] 15.3/64", // the low half to the sum, all of it to the result
		"-1.3/32: 2.1/32",
		"-1.5/1: 5.0/1 8.1/1 11.1/1 11.2/1 12.0/1 13.2/1",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if n.ArgNode[2] != -1 || n.ArgNode[4] != -1 || n.ArgNode[0] < 0 {
		t.Errorf("boundary nodes of arguments: %v", n.ArgNode)
	}
}

func TestWires(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to ir.Type
		wire     [2]bool // at index widths 64 and 32
	}{
		{"arith.trunci", ir.I64, ir.I8, [2]bool{true, true}},
		{"arith.extsi", ir.I8, ir.I64, [2]bool{false, false}},
		{"arith.index_cast", ir.I32, ir.Index, [2]bool{false, true}},
		{"arith.index_cast", ir.I64, ir.Index, [2]bool{true, true}},
		{"arith.index_cast", ir.Index, ir.I64, [2]bool{true, false}},
		{"arith.index_castui", ir.Index, ir.I16, [2]bool{true, true}},
		{"arith.index_castui", ir.I1, ir.Index, [2]bool{false, false}},
		{"arith.bitcast", ir.F32, ir.I32, [2]bool{true, true}},
		{"arith.fptosi", ir.F32, ir.I32, [2]bool{false, false}},
		{"arith.addi", ir.I32, ir.I32, [2]bool{false, false}},
	} {
		op := ir.NewOp(c.name, fabtest.Scale().Pos, []*ir.Value{{Type: c.from}}, []ir.Type{c.to})
		for i, iw := range []int{64, 32} {
			if got := tech.IsWire(op, iw); got != c.wire[i] {
				t.Errorf("%s %s to %s at index width %d: wire %v", c.name, c.from, c.to, iw, got)
			}
		}
	}
}

func TestMemoryPorts(t *testing.T) {
	for loads := range 4 {
		for stores := range 4 {
			in := []*ir.Value{{Type: ir.MemRef([]int64{4}, ir.I32)}}
			for range 2*stores + loads {
				in = append(in, &ir.Value{Type: ir.I32})
			}
			op := ir.NewOp("handshake.extmemory", fabtest.Scale().Pos, in, make([]ir.Type, 2*loads+stores))
			p, err := tech.MemPortsOf(op)
			if err != nil || p.Loads != loads || p.Stores != stores {
				t.Errorf("%d loads and %d stores are read as %+v, %v", loads, stores, p, err)
			}
		}
	}
	bad := ir.NewOp("handshake.extmemory", fabtest.Scale().Pos, []*ir.Value{{Type: ir.MemRef(nil, ir.I32)}}, make([]ir.Type, 1))
	if _, err := tech.MemPortsOf(bad); err == nil {
		t.Error("a memory with a result and no operand is accepted")
	}
}

// TestAssignIsComplete: whatever sites nodes prefer, all of them get one of
// their candidates.
func TestAssignIsComplete(t *testing.T) {
	f := fabtest.Mesh(fabtest.Options{Rows: 6, Cols: 6, Memories: 2, Ins: 5, Outs: 6})
	tm, err := tech.Map(fabtest.Random(38, 4), f)
	if err != nil {
		t.Fatal(err)
	}
	order := make([]int, len(tm.Nodes))
	for i := range order {
		order[i] = len(order) - 1 - i
	}
	site := tm.Assign(order, tm.Cand, func(node int, _ []int) []int { return tm.Cand[node] })
	used := map[int]bool{}
	for n, s := range site {
		if s < 0 || used[s] {
			t.Errorf("node %d at site %d", n, s)
		}
		used[s] = true
		ok := false
		for _, c := range tm.Cand[n] {
			ok = ok || c == s
		}
		if !ok {
			t.Errorf("node %d is at site %d, which cannot host it", n, s)
		}
	}
}
