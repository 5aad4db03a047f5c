package dfg

import (
	"fmt"
	"sort"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// OpCount is how often one kind of operation occurs.
type OpCount struct {
	Name  string `json:"op"`
	Count int    `json:"count"`
}

// Statistics describes the size of a graph.
type Statistics struct {
	Operations int `json:"operations"` // without the return
	Channels   int `json:"channels"`   // (value, use) pairs
	Loads      int `json:"loads"`
	Stores     int `json:"stores"`
	Memories   int `json:"memories"`
	// ByKind is sorted by name.
	ByKind []OpCount `json:"by_kind"`
}

// Stats counts the operations and channels of a handshake.func.
func Stats(fn *ir.Operation) Statistics {
	var s Statistics
	kinds := map[string]int{}
	for _, op := range fn.Regions[0].Entry().Ops {
		for _, v := range op.Operands() {
			if v == nil {
				continue
			}
			if _, mem := v.Type.(*ir.MemRefType); !mem {
				s.Channels++
			}
		}
		switch op.Name {
		case opname.HandshakeReturn:
			continue
		case opname.HandshakeLoad:
			s.Loads++
		case opname.HandshakeStore:
			s.Stores++
		case opname.HandshakeMemory, opname.HandshakeExtmemory:
			s.Memories++
		}
		s.Operations++
		kinds[op.Name]++
	}
	for name, n := range kinds {
		s.ByKind = append(s.ByKind, OpCount{name, n})
	}
	sort.Slice(s.ByKind, func(i, j int) bool { return s.ByKind[i].Name < s.ByKind[j].Name })
	return s
}

// String prints the statistics on a few lines.
func (s Statistics) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %s (%s, %s)\n", diag.Plural(s.Operations, "operation"), diag.Plural(s.Channels, "channel"),
		diag.Plural(s.Memories, "memory"), diag.Plural(s.Loads, "load"), diag.Plural(s.Stores, "store"))
	for _, k := range s.ByKind {
		fmt.Fprintf(&b, "  %4d %s\n", k.Count, k.Name)
	}
	return b.String()
}
