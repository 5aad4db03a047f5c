package main

import (
	"errors"

	"loom/compiler/diag"
	"loom/compiler/frontend/domain"
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

// domainHint adds to a failure of mapping that a part of the function may fit where all
// of it does not.
func domainHint(err error, k *kernel) error {
	var list *diag.List
	if k.domain == nil || k.domain.Loop >= 0 || !errors.As(err, &list) || len(domain.Loops(k.domain.Host)) == 0 {
		return err
	}
	for _, d := range list.All {
		if d.Severity == diag.Error {
			d.WithNote(diag.Pos{}, "--domain loop=N makes hardware of one loop and leaves the rest to the host; loom compile --list-loops lists them")
			break
		}
	}
	return list
}

// operations counts what a graph consists of, its return aside.
func operations(graph *ir.Operation) int {
	return len(graph.Regions[0].Entry().Ops) - 1
}
