package fabric

import (
	"math/bits"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

func init() {
	accepts := []param{
		{arch.AttrLdCount, intParam}, {arch.AttrStCount, intParam}, {arch.AttrLSQDepth, intParam},
		{arch.AttrPrivate, boolParam}, {arch.AttrNumRegion, intParam},
	}
	define(ir.OpDef{Name: opname.FabricMemory, Summary: "On-chip memory.", Verify: verifyMemory}, accepts...)
	define(ir.OpDef{Name: opname.FabricExtmemory, Summary: "Interface to an external memory.", Verify: verifyMemory}, accepts...)
	configures(opname.FabricMemory, param{arch.AttrRegions, tableParam})
	configures(opname.FabricExtmemory, param{arch.AttrRegions, tableParam})
}

// verifyMemory checks fabric.memory and fabric.extmemory, definitions and uses
// alike, by the rules of spec-fabric-mem.md and what the design page settles.
func verifyMemory(op *ir.Operation, errs *diag.List) {
	before := len(errs.All)
	verifyLeaf(op, errs)
	mt := arch.MemRefType(op)
	if mt == nil {
		fail(errs, op.Pos, "CPL_FABRIC_ATTRIBUTE", "'%s' needs its memref type", op.Name)
	}
	if len(errs.All) > before {
		return
	}
	external := op.Name == opname.FabricExtmemory
	if external && op.Attr(arch.AttrPrivate) != nil {
		fail(errs, op.Pos, "CPL_MEMORY_EXTMEM_PRIVATE", "fabric.extmemory has no is_private")
	}
	if n := arch.IntParam(op, arch.AttrNumRegion, 1); n < 1 || n > maxRegion {
		fail(errs, op.Pos, "CPL_MEMORY_INVALID_REGION", "numRegion is %d, must be 1 to %d", n, maxRegion)
	}
	if a := op.Attr(arch.AttrAXIDataWidth); a != nil {
		verifyAXIWidth(op, a, mt, errs)
	}
	if a := op.Attr(arch.AttrOutstanding); a != nil {
		verifyOutstanding(op, a, errs)
	}
	if a := op.Attr(arch.AttrBurst); a != nil {
		verifyBurst(op, a, errs)
	}
	if a := op.Attr(arch.AttrCache); a != nil {
		verifyCache(op, a, errs)
	}
	if a := op.Attr(arch.AttrAXIMaster); a != nil {
		verifyMaster(op, a, errs)
	}
	if a := op.Attr(arch.AttrBounds); a != nil {
		verifyBounds(op, a, errs)
	}
	if !external {
		if n, ok := mt.NumElements(); !ok || n < 1 {
			fail(errs, op.Pos, "CPL_MEMORY_STATIC_REQUIRED", "on-chip memory needs a fixed size, found %s", mt)
		}
	}
	if _, ok := arch.ElementBits(mt.Elem); !ok {
		fail(errs, op.Pos, "CPL_MEMORY_ELEM_TYPE", "%s cannot be a memory element", mt.Elem).
			WithHelp("elements are powers of two of 8 to 64 bits, or i1, which takes a byte")
	}
	ld, st := arch.IntParam(op, arch.AttrLdCount, 0), arch.IntParam(op, arch.AttrStCount, 0)
	if ld < 0 || st < 0 || ld == 0 && st == 0 {
		fail(errs, op.Pos, "CPL_MEMORY_PORTS_EMPTY", "the memory has %d load and %d store ports", ld, st).WithHelp("give ldCount or stCount, or both")
		return
	}
	depth := arch.IntParam(op, arch.AttrLSQDepth, 0)
	switch {
	case st == 0 && depth != 0:
		fail(errs, op.Pos, "CPL_MEMORY_LSQ_WITHOUT_STORE", "lsqDepth is %d although the memory has no store port", depth)
	case st > 0 && depth < 1:
		fail(errs, op.Pos, "CPL_MEMORY_LSQ_MIN", "lsqDepth is %d, a memory with store ports needs at least 1", depth)
	}
	p := memoryPorts(op, mt, ld, st, errs)
	if p == nil {
		return
	}
	p.types(errs)
	p.tags(ld, st, errs)
	verifyRegions(op, op, errs)
	if external && !arch.IsDefinition(op) {
		verifyBinding(op, errs)
	}
	if !external && !arch.IsDefinition(op) {
		verifyExport(op, errs)
	}
}

// maxRegion is the largest address table: ranges of tags cannot be more than tags.
const maxRegion = 1 << 16

// verifyAXIWidth checks the data width of an external memory's AXI port.
func verifyAXIWidth(op *ir.Operation, a ir.Attr, mt *ir.MemRefType, errs *diag.List) {
	elem, known := arch.ElementBits(mt.Elem)
	if w, ok := busNumber(op, arch.AttrAXIDataWidth, "CPL_MEMORY_AXI_WIDTH", a, errs); ok && known && (w < int64(elem) || w > arch.MaxAXIDataWidth || w&(w-1) != 0) {
		fail(errs, op.Pos, "CPL_MEMORY_AXI_WIDTH", "%s is %d, must be a power of two from the element's %d bits to %d",
			arch.AttrAXIDataWidth, w, elem, arch.MaxAXIDataWidth)
	}
}

// verifyOutstanding checks how many accesses an external memory has in flight.
func verifyOutstanding(op *ir.Operation, a ir.Attr, errs *diag.List) {
	if n, ok := busNumber(op, arch.AttrOutstanding, "CPL_MEMORY_OUTSTANDING", a, errs); ok && (n < arch.MinOutstanding || n > arch.MaxOutstanding) {
		fail(errs, op.Pos, "CPL_MEMORY_OUTSTANDING", "%s is %d, must be %d to %d", arch.AttrOutstanding, n, arch.MinOutstanding, arch.MaxOutstanding).
			WithHelp("one access per cycle needs as many as memory takes cycles to respond, and three")
	}
}

// verifyBurst checks how many elements share a transaction of an external memory.
func verifyBurst(op *ir.Operation, a ir.Attr, errs *diag.List) {
	if n, ok := busNumber(op, arch.AttrBurst, "CPL_MEMORY_BURST", a, errs); ok && (n < 1 || n > arch.MaxBurst || n&(n-1) != 0) {
		fail(errs, op.Pos, "CPL_MEMORY_BURST", "%s is %d, must be a power of two from 1 to %d", arch.AttrBurst, n, arch.MaxBurst)
	}
}

// verifyCache checks the read cache of an external memory.
func verifyCache(op *ir.Operation, a ir.Attr, errs *diag.List) {
	n, ok := busNumber(op, arch.AttrCache, "CPL_MEMORY_CACHE", a, errs)
	switch {
	case !ok || n == 0:
	case n < arch.MinCache || n > arch.MaxCache || n&(n-1) != 0:
		fail(errs, op.Pos, "CPL_MEMORY_CACHE", "%s is %d, must be 0 or a power of two from %d to %d", arch.AttrCache, n, arch.MinCache, arch.MaxCache).
			WithHelp("a stencil needs room for the elements between its first load of one and its last: of two dimensions two rows and some more")
	case arch.IntParam(op, arch.AttrLdCount, 0) == 0:
		fail(errs, op.Pos, "CPL_MEMORY_CACHE", "%s is %d although the memory has no load port", arch.AttrCache, n).WithHelp("the cache is for loads: leave it out")
	}
}

// verifyMaster checks the name of the AXI4 master that an external memory shares.
func verifyMaster(op *ir.Operation, a ir.Attr, errs *diag.List) {
	if op.Name != opname.FabricExtmemory {
		fail(errs, op.Pos, "CPL_MEMORY_AXI_MASTER", "'%s' is on chip and so has no %s", op.Name, arch.AttrAXIMaster)
		return
	}
	if s, ok := a.(*ir.StringAttr); !ok || s.Value == "" || arch.LegalName(s.Value) != s.Value {
		fail(errs, op.Pos, "CPL_MEMORY_AXI_MASTER", "%s is %s, must be a string that is a name in SystemVerilog", arch.AttrAXIMaster, a).
			WithHelp("external memories with the same name share one AXI4 master, whose ports begin with m_axi_ and the name")
	}
}

// verifyBounds checks that an external memory says whether its regions have sizes.
func verifyBounds(op *ir.Operation, a ir.Attr, errs *diag.List) {
	if op.Name != opname.FabricExtmemory {
		fail(errs, op.Pos, "CPL_MEMORY_BOUNDS", "'%s' has its capacity and so no %s", op.Name, arch.AttrBounds)
		return
	}
	_, unit := a.(*ir.UnitAttr)
	if n, ok := a.(*ir.IntegerAttr); !unit && (!ok || n.Type != ir.Type(ir.I1)) {
		fail(errs, op.Pos, "CPL_MEMORY_BOUNDS", "'%s' of '%s' must be true or false, found %s", arch.AttrBounds, op.Name, a)
	}
}

// busNumber is the value of an attribute that external memories alone have, a number; ok is false, and the error
// is reported, where it is something else.
func busNumber(op *ir.Operation, attr, symbol string, a ir.Attr, errs *diag.List) (n int64, ok bool) {
	if op.Name != opname.FabricExtmemory {
		fail(errs, op.Pos, symbol, "'%s' has no bus and so no %s", op.Name, attr)
		return 0, false
	}
	if n, ok = op.IntAttr(attr); !ok {
		fail(errs, op.Pos, "CPL_FABRIC_ATTRIBUTE", "'%s' of '%s' must be an integer, found %s", attr, op.Name, a)
	}
	return n, ok
}

// ports are the channel ports of a memory by what they carry.
type ports struct {
	op         *ir.Operation
	elem       ir.Type
	addr, data []ir.Type
	done       []ir.Type
}

// memoryPorts splits the ports; it reports a wrong number and returns nil.
func memoryPorts(op *ir.Operation, mt *ir.MemRefType, ld, st int64, errs *diag.List) *ports {
	ft := arch.Signature(op)
	ins, outs := ft.Inputs, ft.Results
	exported := op.Name == opname.FabricMemory && !arch.BoolParam(op, arch.AttrPrivate, true)
	wantIn, wantOut := 0, 0
	if ld > 0 {
		wantIn, wantOut = wantIn+1, wantOut+2
	}
	if st > 0 {
		wantIn, wantOut = wantIn+2, wantOut+1
	}
	if exported {
		if len(outs) == 0 || outs[0] != ir.Type(mt) {
			fail(errs, op.Pos, "CPL_MEMORY_EXPORT", "a memory with is_private = false has %s as its first result", mt)
			return nil
		}
		outs = outs[1:]
	} else if len(outs) > 0 && isMemRef(outs[0]) {
		d := fail(errs, op.Pos, "CPL_MEMORY_EXPORT", "this memory has no memref among its results")
		if op.Name == opname.FabricMemory {
			d.WithHelp("only a fabric.memory with is_private = false shows its contents")
		} else {
			d.WithHelp("the contents of an external memory are the memref input of the module")
		}
		return nil
	}
	if len(ins) != wantIn || len(outs) != wantOut {
		fail(errs, op.Pos, "CPL_MEMORY_PORT_COUNT", "the memory has %d inputs and %d outputs, expected %d and %d", len(ins), len(outs), wantIn, wantOut).
			WithHelp("inputs: ldaddr, staddr, stdata; outputs: lddata, lddone, stdone; each group only where its count is not 0")
		return nil
	}
	p := &ports{op: op, elem: mt.Elem}
	if ld > 0 {
		p.addr, p.data, p.done = append(p.addr, ins[0]), append(p.data, outs[0]), append(p.done, outs[1])
		ins, outs = ins[1:], outs[2:]
	}
	if st > 0 {
		p.addr, p.data, p.done = append(p.addr, ins[0]), append(p.data, ins[1]), append(p.done, outs[0])
	}
	return p
}

// value is a port's type without its tag.
func value(t ir.Type) ir.Type {
	if tt, ok := t.(*ir.TaggedType); ok {
		return tt.Value
	}
	return t
}

func (p *ports) types(errs *diag.List) {
	for _, t := range p.addr {
		if value(t) != ir.Type(ir.Index) {
			fail(errs, p.op.Pos, "CPL_MEMORY_ADDR_TYPE", "an address port has type %s, must be index or tagged index", t)
		}
	}
	for _, t := range p.data {
		if value(t) != p.elem {
			fail(errs, p.op.Pos, "CPL_MEMORY_DATA_TYPE", "a data port has type %s, the memory holds %s", t, p.elem)
		}
	}
	for _, t := range p.done {
		if value(t) != ir.Type(ir.None) {
			fail(errs, p.op.Pos, "CPL_MEMORY_DONE_TYPE", "a done port has type %s, must be none or tagged none", t)
		}
	}
}

func (p *ports) tags(ld, st int64, errs *diag.List) {
	need := bits.Len64(uint64(max(ld, st) - 1))
	all := append(append(append([]ir.Type(nil), p.addr...), p.data...), p.done...)
	for _, t := range all {
		w := arch.TagWidth(t)
		switch {
		case need == 0 && w > 0:
			fail(errs, p.op.Pos, "CPL_MEMORY_TAG_FOR_SINGLE", "port type %s has a tag although the memory has one load and one store port at most", t)
			return
		case need > 0 && w == 0:
			fail(errs, p.op.Pos, "CPL_MEMORY_TAG_REQUIRED", "port type %s has no tag although %d load and %d store ports share the memory", t, ld, st)
			return
		case need > 0 && w < need || w != arch.TagWidth(all[0]):
			fail(errs, p.op.Pos, "CPL_MEMORY_TAG_WIDTH", "the tag of port type %s has %d bits; all ports need the same width, at least %d", t, w, need)
			return
		}
	}
	if w := arch.TagWidth(all[0]); need > 0 && w < 62 && max(ld, st) == 1<<w {
		errs.Warnf(p.op.Pos, "no half-open region can cover logical port %d: its end, %d, does not fit %d tag bits", max(ld, st)-1, max(ld, st), w).
			WithSymbol("CPL_MEMORY_TAG_RANGE").WithHelp("one tag bit more covers every port")
	}
}

// verifyBinding checks that the memref of an external memory is an input of the
// module around it.
func verifyBinding(op *ir.Operation, errs *diag.List) {
	if op.NumOperands() == 0 {
		fail(errs, op.Pos, "CPL_MEMORY_EXTMEM_BINDING", "fabric.extmemory needs its memref as the first operand")
		return
	}
	v := op.Operand(0)
	parent := op.ParentOp()
	if v.Block == nil || parent == nil || v.Block.ParentOp() != parent || !isMemRef(v.Type) {
		fail(errs, op.Pos, "CPL_MEMORY_EXTMEM_BINDING", "the first operand of an external memory must be a memref input of the fabric.module").
			WithNote(v.Pos(), "the value comes from here")
		return
	}
	if mt := arch.MemRefType(memoryOf(op)); v.Type != ir.Type(mt) {
		fail(errs, op.Pos, "CPL_MEMORY_EXTMEM_BINDING", "the memref input has type %s, the external memory %s", v.Type, mt)
	}
}

// verifyExport checks that the memrefs a memory or an inner module shows leave the
// module.
func verifyExport(op *ir.Operation, errs *diag.List) {
	for _, r := range op.Results() {
		if !isMemRef(r.Type) {
			continue
		}
		yielded := false
		for _, u := range r.Uses() {
			yielded = yielded || u.Op.Name == opname.FabricYield
		}
		if !yielded {
			fail(errs, op.Pos, "CPL_MEMORY_EXPORT", "the memref of a memory with is_private = false must be yielded by the fabric.module")
		}
	}
}
