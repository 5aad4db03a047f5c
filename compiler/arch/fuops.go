package arch

import "loom/compiler/ir"

// UnitOp says how an operation may be used inside a function unit.
type UnitOp struct {
	// Class groups operations by how hardware runs them.
	Class UnitClass
	// Latency is the number of register stages the operation needs at least.
	Latency int
	// Hardware tells whether the RTL library has the operation. Function units
	// with others are legal Fabric MLIR that cannot be generated yet.
	Hardware bool
}

// UnitClass is how hardware runs an operation.
type UnitClass int

// The classes.
const (
	Datapath  UnitClass = iota // joins its inputs and computes; may be combined in one body
	Iterative                  // divide and remainder: one result per width+1 cycles
	Handshake                  // a unit of its own with its own protocol
	Dataflow                   // a state machine of its own, latency and interval -1
	Wire                       // fabric.mux: configured wires
)

// LookupUnitOp returns the entry of an operation that fabric.md allows in
// function units; ok is false for all others.
func LookupUnitOp(name string) (UnitOp, bool) {
	u, ok := unitOps[name]
	return u, ok
}

var unitOps = func() map[string]UnitOp {
	m := map[string]UnitOp{}
	add := func(u UnitOp, names ...string) {
		for _, n := range names {
			m[n] = u
		}
	}
	add(UnitOp{Datapath, 0, true}, "arith.addi", "arith.subi", "arith.andi", "arith.ori", "arith.xori",
		"arith.shli", "arith.shrsi", "arith.shrui", "arith.cmpi", "arith.select", "arith.extsi", "arith.extui",
		"arith.trunci", "arith.index_cast", "arith.index_castui", "arith.minsi", "arith.maxsi", "arith.minui",
		"arith.maxui")
	add(UnitOp{Datapath, 1, true}, "arith.muli")
	add(UnitOp{Iterative, 1, true}, "arith.divsi", "arith.divui", "arith.remsi", "arith.remui")
	add(UnitOp{Datapath, 0, false}, "arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.negf",
		"arith.cmpf", "arith.fptosi", "arith.fptoui", "arith.sitofp", "arith.uitofp", "arith.extf",
		"arith.truncf", "arith.bitcast", "math.absf", "math.fma", "math.sqrt", "math.floor", "math.ctpop",
		"math.ctlz", "math.cttz", "math.absi", "math.exp", "math.log2", "math.sin", "math.cos",
		"llvm.intr.bitreverse")
	add(UnitOp{Handshake, 0, true}, "handshake.cond_br", "handshake.mux", "handshake.join",
		"handshake.constant", "handshake.load", "handshake.store")
	add(UnitOp{Dataflow, -1, true}, "dataflow.stream", "dataflow.gate", "dataflow.carry", "dataflow.invariant")
	add(UnitOp{Wire, 0, false}, "fabric.mux")
	return m
}()

// OpTiming returns the intrinsic latency and interval of an operation: 0 and 1
// for what is combinational, 1 and 1 for the multiplier, width+1 twice for the
// iterative divider, -1 twice for the dataflow state machines.
func OpTiming(op *ir.Operation, indexWidth int) (latency, interval int) {
	u := unitOps[op.Name]
	switch u.Class {
	case Dataflow:
		return -1, -1
	case Iterative:
		w := 0
		if op.NumResults() > 0 {
			w, _ = ir.BitWidth(op.Result(0).Type, indexWidth)
		}
		return w + 1, w + 1
	}
	return u.Latency, 1
}

// CriticalLatency is the largest sum of intrinsic latencies along any path of a
// function unit's body. Operations of a body precede their users.
func CriticalLatency(body *ir.Block, indexWidth int) int {
	at := map[*ir.Value]int{}
	worst := 0
	for _, op := range body.Ops {
		start := 0
		for _, v := range op.Operands() {
			start = max(start, at[v])
		}
		lat, _ := OpTiming(op, indexWidth)
		end := start + max(lat, 0)
		for _, r := range op.Results() {
			at[r] = end
		}
		worst = max(worst, end)
	}
	return worst
}

// CriticalInterval is the largest intrinsic interval in a function unit's body.
func CriticalInterval(body *ir.Block, indexWidth int) int {
	n := 1
	for _, op := range body.Ops {
		if _, known := unitOps[op.Name]; known {
			_, iv := OpTiming(op, indexWidth)
			n = max(n, iv)
		}
	}
	return n
}
