package arch

import "loom/compiler/ir"

// This file reads the hardware parameters of the components of a fabric.

func (f *flattener) spatialSwitch(c *Component, def *ir.Operation) {
	rows, _ := Connectivity(def)
	c.Switch = &SwitchSpec{Connect: rows, DecomposableBits: int(IntParam(def, AttrDecomposable, 0))}
	if c.Switch.DecomposableBits > 0 {
		f.unsupported(c.Pos, "a decomposable switch")
	}
	ft := Signature(def)
	for _, t := range append(append([]ir.Type(nil), ft.Inputs...), ft.Results...) {
		if f.width(t) != f.width(ft.Inputs[0]) {
			f.unsupported(c.Pos, "a switch with ports of different widths")
			return
		}
	}
}

func (f *flattener) temporalSwitch(c *Component, def *ir.Operation) {
	rows, _ := Connectivity(def)
	ft := Signature(def)
	c.Temporal = &TemporalSpec{Connect: rows, Slots: int(IntParam(def, AttrRouteTable, 1)), TagWidth: TagWidth(ft.Inputs[0])}
	for _, t := range append(append([]ir.Type(nil), ft.Inputs...), ft.Results...) {
		if f.port("", t).Bits() != f.port("", ft.Inputs[0]).Bits() {
			f.unsupported(c.Pos, "a switch with ports of different widths")
			return
		}
	}
}

// tagOp fills in a tag operation's parameters and returns the names of its ports.
func (f *flattener) tagOp(c *Component, def *ir.Operation) (inName, outName func(int) string) {
	ft := Signature(def)
	if c.Kind == MapTag {
		c.Map = &MapTagSpec{TableSize: int(IntParam(def, AttrTableSize, 1)), InTag: TagWidth(ft.Inputs[0]), OutTag: TagWidth(ft.Results[0])}
	}
	return func(int) string { return "in" }, func(int) string { return "out" }
}

// LaneDepth is the number of places of a lane where the operation does not say,
// and StoreLaneDepth the number of its stores in flight.
const (
	LaneDepth      = 8
	StoreLaneDepth = 4
)

// lane fills in a lane's parameters and returns the names of its ports.
func (f *flattener) lane(c *Component, def *ir.Operation) (inName, outName func(int) string) {
	ft := Signature(def)
	c.Lane = &LaneSpec{Places: int(IntParam(def, AttrDepth, LaneDepth)), TagWidth: TagWidth(ft.Results[0])}
	ins, outs := []string{"addr", "rsp", "done_rsp"}, []string{"req", "data", "done"}
	if c.Kind == StoreLane {
		c.Lane.LSQDepth = int(IntParam(def, AttrLSQDepth, StoreLaneDepth))
		ins, outs = []string{"addr", "data", "done_rsp"}, []string{"staddr", "stdata", "done"}
	}
	return func(i int) string { return ins[i] }, func(i int) string { return outs[i] }
}

// memory fills in the memory's parameters and returns the names of its ports,
// which stand in the order of spec-fabric-mem.md.
func (f *flattener) memory(c *Component, def *ir.Operation) (inName, outName func(int) string) {
	mt := MemRefType(def)
	m := &MemorySpec{
		LdCount: int(IntParam(def, AttrLdCount, 0)), StCount: int(IntParam(def, AttrStCount, 0)),
		LSQDepth: int(IntParam(def, AttrLSQDepth, 0)), NumRegion: int(IntParam(def, AttrNumRegion, 1)),
		Type: mt, MemPort: -1, LdAddr: -1, StAddr: -1, StData: -1, LdData: -1, LdDone: -1, StDone: -1,
	}
	m.ElemWidth, _ = ElementBits(mt.Elem)
	if c.Kind == Memory {
		m.Private = BoolParam(def, AttrPrivate, true)
		m.Elements, _ = mt.NumElements()
	} else {
		m.BusWidth = int(IntParam(def, AttrAXIDataWidth, int64(m.ElemWidth)))
	}
	var ins, outs []string
	if m.LdCount > 0 {
		m.LdAddr, m.LdData, m.LdDone = 0, 0, 1
		ins, outs = append(ins, "ldaddr"), append(outs, "lddata", "lddone")
	}
	if m.StCount > 0 {
		m.StAddr, m.StData, m.StDone = len(ins), len(ins)+1, len(outs)
		ins, outs = append(ins, "staddr", "stdata"), append(outs, "stdone")
	}
	m.TagWidth = TagWidth(Signature(def).Inputs[0])
	c.Mem = m
	return func(i int) string { return ins[i] }, func(i int) string { return outs[i] }
}
