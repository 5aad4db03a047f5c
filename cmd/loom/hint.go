package main

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mapper/tech"
)

// orderHint adds to a failure of mapping that the serial memory order would do:
// pipelined accesses need more operations, and a kernel that is short of a few
// units may fit without them.
func orderHint(err error, k *kernel, h *hardware, lf *lowerFlags) error {
	if lf.memoryOrder != "pipelined" || k.module == nil {
		return err
	}
	serial, lowErr := lower.Lower(k.module, lower.Options{
		Function: lf.function, MemoryOrder: "serial", MemoryBytes: lf.memoryBytes,
		IndexWidth: h.fabric.IndexWidth, MaxJoinFanin: h.fabric.MaxJoinFanin, StreamOps: h.fabric.StreamOps,
		Executes: tech.Units(h.fabric),
	})
	if lowErr != nil {
		return err
	}
	less, have := operations(serial.Func), operations(k.dfg)
	if less >= have {
		return err
	}
	if _, techErr := tech.Map(serial.Func, h.fabric); techErr != nil {
		return err
	}
	list := diag.FromError(err)
	for _, d := range list.All {
		if d.Severity == diag.Error {
			d.WithNote(diag.Pos{}, "--memory-order serial makes do with %d operations instead of %d, and this fabric has the units for them", less, have)
			return list
		}
	}
	return err
}

// operations counts what a graph consists of, its return aside.
func operations(graph *ir.Operation) int {
	return len(graph.Regions[0].Entry().Ops) - 1
}
