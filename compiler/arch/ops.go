package arch

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// This file reads fabric operations: which attribute means what. The verifier in
// compiler/dialect/fabric and the flattening here share it.

// Attribute names of the fabric dialect.
const (
	AttrFuncType     = "function_type"      // ports of a definition
	AttrImmediates   = "immediates"         // of spatial_pe
	AttrInstanceName = "instance_name"      // name of an instance or inline use
	AttrTarget       = "target"             // symbol an instance names
	AttrMemRef       = "memref_type"        // of memory and extmemory
	AttrConnectivity = "connectivity_table" // of spatial_sw and temporal_sw
	AttrDecomposable = "decomposable_bits"
	AttrDepth        = "depth"
	AttrBypassable   = "bypassable"
	AttrResultFIFO   = "result_fifo"
	AttrOperandFIFO  = "operand_fifo"
	AttrFixedPorts   = "fixed_ports"
	AttrInstructions = "num_instruction" // of temporal_pe, as the next
	AttrConstants    = "num_constant"
	AttrBypassed     = "bypassed"
	AttrLatency      = "latency"
	AttrInterval     = "interval"
	AttrLdCount      = "ldCount"
	AttrStCount      = "stCount"
	AttrLSQDepth     = "lsqDepth"
	AttrNumRegion    = "numRegion"
	AttrPrivate      = "is_private"
	AttrRouteTable   = "num_route_table"     // slots of temporal_sw
	AttrTableSize    = "table_size"          // entries of map_tag
	AttrTag          = "tag"                 // of add_tag and lanes: run-time configuration
	AttrAXIDataWidth = "loom.axi_data_width" // of extmemory, as the next
	AttrOutstanding  = "loom.outstanding"
	AttrBurst        = "loom.burst"
	AttrBounds       = "loom.bounds"
	AttrCache        = "loom.cache"
	AttrAXIMaster    = "loom.axi_master"
	AttrSharedUnits  = "loom.shared_units" // of instances of spatial_pe
	AttrIndexWidth   = "index_width"
	AttrDeadlock     = "deadlock_timeout" // of module
	AttrSelect       = "sel"              // of fabric.mux: run-time configuration, as the next two
	AttrDiscard      = "discard"
	AttrDisconnect   = "disconnect"
	AttrRegions      = "addr_offset_table" // of memories: run-time configuration
	AttrJoinFanin    = "loom.adg_max_join_fanin"
	AttrLoc          = "loom.loc" // [x, y] on the drawing
	AttrArgNames     = "argNames"
	AttrResNames     = "resNames"
)

// DefaultIndexWidth is the width of index where fabric.module gives none.
const DefaultIndexWidth = 64

// DefaultDeadlockTimeout is deadlock_timeout where fabric.module gives none
// (spec-fabric-mem, "Deadlock detection"), MaxDeadlockTimeout the largest, in cycles.
const (
	DefaultDeadlockTimeout = 65535
	MaxDeadlockTimeout     = 1<<31 - 1
)

// DefaultOutstanding is loom.outstanding where an external memory gives none, the others bound it.
const (
	DefaultOutstanding = 16
	MinOutstanding     = 2
	MaxOutstanding     = 1024
)

// MaxBurst bounds loom.burst, the elements of a transaction of an external memory: 4 KB of the largest beats.
const MaxBurst = 32

// MinCache and MaxCache bound loom.cache, the elements of the read cache of an external memory, where it has one.
const (
	MinCache = 64
	MaxCache = 4096
)

// MaxSharing bounds how many PEs share an iterative unit: the operands of so many are two look-up tables of six
// inputs per bit.
const MaxSharing = 8

// MaxAXIDataWidth is the widest data bus of AXI4, in bits.
const MaxAXIDataWidth = 1024

// IsDefinition reports whether a fabric operation is a named definition (it
// carries its ports as a function type and no operands) and not an inline use.
func IsDefinition(op *ir.Operation) bool {
	_, ok := op.Attr(AttrFuncType).(*ir.TypeAttr)
	return ok
}

// Signature returns the channel and memref ports of a definition or an inline
// use. The memref operand of an inline extmemory is left out, as definitions
// leave it out.
func Signature(op *ir.Operation) *ir.FunctionType {
	if a, ok := op.Attr(AttrFuncType).(*ir.TypeAttr); ok {
		if ft, ok := a.Type.(*ir.FunctionType); ok {
			return ft
		}
		return ir.Func(nil, nil)
	}
	var ins, outs []ir.Type
	for i, v := range op.Operands() {
		if i == 0 && op.Name == opname.FabricExtmemory {
			if _, ok := v.Type.(*ir.MemRefType); ok {
				continue
			}
		}
		ins = append(ins, v.Type)
	}
	for _, r := range op.Results() {
		outs = append(outs, r.Type)
	}
	return ir.Func(ins, outs)
}

// InstanceSignature returns the operand and result types an instance of def
// must have: those of def, with the memref of an extmemory in front.
func InstanceSignature(def *ir.Operation) *ir.FunctionType {
	ft := Signature(def)
	if def.Name == opname.FabricExtmemory {
		if mt := MemRefType(def); mt != nil {
			return ir.Func(append([]ir.Type{mt}, ft.Inputs...), ft.Results)
		}
	}
	return ft
}

// MemRefType returns the memref type of a memory or extmemory, nil where it is
// missing.
func MemRefType(op *ir.Operation) *ir.MemRefType {
	if a, ok := op.Attr(AttrMemRef).(*ir.TypeAttr); ok {
		mt, _ := a.Type.(*ir.MemRefType)
		return mt
	}
	return nil
}

// IntParam returns an integer hardware parameter, def where it is absent.
func IntParam(op *ir.Operation, name string, def int64) int64 {
	if v, ok := op.IntAttr(name); ok {
		return v
	}
	return def
}

// BoolParam returns a flag: a unit attribute or true sets it, def where it is
// absent.
func BoolParam(op *ir.Operation, name string, def bool) bool {
	switch a := op.Attr(name).(type) {
	case *ir.UnitAttr:
		return true
	case *ir.IntegerAttr:
		return a.Value != 0
	}
	return def
}

// Connectivity returns the table of a switch as rows per output, fully connected
// where the attribute is absent. ok is false when its size is wrong.
func Connectivity(op *ir.Operation) (rows [][]bool, ok bool) {
	ft := Signature(op)
	nin, nout := len(ft.Inputs), len(ft.Results)
	flat, present := BitList(op, AttrConnectivity)
	if present && len(flat) != nin*nout {
		return nil, false
	}
	for o := range nout {
		row := make([]bool, nin)
		for i := range row {
			row[i] = !present || flat[o*nin+i] != 0
		}
		rows = append(rows, row)
	}
	return rows, true
}

// BitList returns the elements of an array attribute of numbers in either
// spelling (array<i1: …> or [1, 0]).
func BitList(op *ir.Operation, name string) (values []int64, ok bool) {
	switch a := op.Attr(name).(type) {
	case *ir.DenseArrayAttr:
		return a.Values, true
	case *ir.ArrayAttr:
		for _, e := range a.Elems {
			n, isInt := e.(*ir.IntegerAttr)
			if !isInt {
				return nil, false
			}
			values = append(values, n.Value)
		}
		return values, true
	}
	return nil, false
}

// Names returns an array of strings, nil where it is absent.
func Names(op *ir.Operation, attr string) []string {
	a, _ := op.Attr(attr).(*ir.ArrayAttr)
	if a == nil {
		return nil
	}
	var out []string
	for _, e := range a.Elems {
		s, _ := e.(*ir.StringAttr)
		if s == nil {
			return nil
		}
		out = append(out, s.Value)
	}
	return out
}

// Location returns loom.loc, written as [x, y] or as array<i64: x, y>.
func Location(op *ir.Operation) (x, y float64, ok bool) {
	if d, dense := op.Attr(AttrLoc).(*ir.DenseArrayAttr); dense && len(d.Values) == 2 {
		return float64(d.Values[0]), float64(d.Values[1]), true
	}
	a, _ := op.Attr(AttrLoc).(*ir.ArrayAttr)
	if a == nil || len(a.Elems) != 2 {
		return 0, 0, false
	}
	var xy [2]float64
	for i, e := range a.Elems {
		switch e := e.(type) {
		case *ir.IntegerAttr:
			xy[i] = float64(e.Value)
		case *ir.FloatAttr:
			xy[i] = e.Value
		default:
			return 0, 0, false
		}
	}
	return xy[0], xy[1], true
}

// Target returns the symbol an instance names.
func Target(inst *ir.Operation) string {
	if a, ok := inst.Attr(AttrTarget).(*ir.SymbolRefAttr); ok && len(a.Nested) == 0 {
		return a.Root
	}
	return ""
}

// TagWidth is the width of the tag of t, 0 for untagged types.
func TagWidth(t ir.Type) int {
	if tt, ok := t.(*ir.TaggedType); ok {
		return tt.TagWidth
	}
	return 0
}

// Connectable reports whether an output of type a may drive an input of type b:
// both carry data, and both are untagged or both have tags of one width. Data
// widths may differ: the connection is LSB-aligned.
func Connectable(a, b ir.Type) bool {
	_, okA := ir.BitWidth(a, DefaultIndexWidth)
	_, okB := ir.BitWidth(b, DefaultIndexWidth)
	return okA && okB && TagWidth(a) == TagWidth(b)
}

// ElementBits is the size of one element in memory: 8, 16, 32 or 64 bits, with
// i1 stored as a byte. ok is false for other elements.
func ElementBits(elem ir.Type) (bits int, ok bool) {
	switch elem.(type) {
	case *ir.IntegerType, *ir.FloatType:
	default:
		return 0, false
	}
	w, ok := ir.BitWidth(elem, DefaultIndexWidth)
	if !ok {
		return 0, false
	}
	switch w {
	case 1:
		return 8, true
	case 8, 16, 32, 64:
		return w, true
	}
	return 0, false
}
