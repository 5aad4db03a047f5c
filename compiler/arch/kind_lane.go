package arch

import (
	"fmt"

	"loom/compiler/ir"
)

// LoadLane and StoreLane are one access each at a memory with several ports.
const (
	LoadLane  Kind = "load_lane"
	StoreLane Kind = "store_lane"
)

// LaneSpec are the hardware parameters of a load or store lane, which connects one
// access of a kernel to a memory with several ports per family. A lane sends a
// request only with slots reserved for its responses, so that the ports it shares
// with other lanes always drain (design page "The Fabric dialect",
// "Sharing must not deadlock").
type LaneSpec struct {
	TagWidth int
	// Slots is how many responses of each kind the lane can hold (attribute depth).
	Slots int
	// LSQDepth is the largest number of stores in flight; 0 on load lanes. Behind a FIFO it must
	// not exceed that of the memory (MayStore).
	LSQDepth int
}

// The ports of lanes, by index: those of a load lane among In and Out, then those
// of a store lane.
const (
	LoadAddr, LoadRsp, LoadDoneRsp = 0, 1, 2 // In of a load lane
	LoadReq, LoadData, LoadDone    = 0, 1, 2 // Out of a load lane

	StoreAddr, StoreData, StoreDoneRsp    = 0, 1, 2 // In of a store lane; the third takes the memory's responses
	StoreReqAddr, StoreReqData, StoreDone = 0, 1, 2 // Out of a store lane
)

// LaneDepth is the default number of slots of a lane, StoreLaneDepth that of stores
// in flight.
const (
	LaneDepth      = 8
	StoreLaneDepth = 4
)

func init() {
	register(LoadLane, loadLane{})
	register(StoreLane, storeLane{})
}

// lane is what load and store lanes have in common.
type lane struct{ component }

func (lane) Configure(c *Component, img ConfigBuilder) { img.Tag(c.Lane.TagWidth) }

func (lane) Shape(c *Component) string {
	return fmt.Sprintf("lane %d %d", c.Lane.Slots, c.Lane.LSQDepth)
}

func laneSpec(def *ir.Operation) *LaneSpec {
	return &LaneSpec{Slots: int(IntParam(def, AttrDepth, LaneDepth)), TagWidth: TagWidth(Signature(def).Results[0])}
}

type loadLane struct{ lane }

func (loadLane) Symbols() []Symbol {
	return []Symbol{
		{Name: "CPL_LOAD_LANE_PORTS", Rule: "A load lane has the inputs addr, rsp, done_rsp and the outputs req, data, done."},
		{Name: "CPL_LOAD_LANE_TYPE", Rule: "A load lane exchanges index for an element and none: tagged with the memory, untagged with the access."},
		{Name: "CPL_LOAD_LANE_TAG_WIDTH", Rule: "The tags of a load lane have one width."},
		{Name: "CPL_LOAD_LANE_DEPTH", Rule: "A load lane has at least one slot for responses."},
	}
}

func (loadLane) read(f *flattener, c *Component, def *ir.Operation) (in, out portName) {
	c.Lane = laneSpec(def)
	return named("addr", "rsp", "done_rsp"), named("req", "data", "done")
}

// Combinational is only the path of the request: responses are always taken and pass
// through registers.
func (loadLane) Combinational(c *Component, in, out int, backward bool) bool {
	return in == LoadAddr && out == LoadReq
}

type storeLane struct{ lane }

func (storeLane) Symbols() []Symbol {
	return []Symbol{
		{Name: "CPL_STORE_LANE_PORTS", Rule: "A store lane has the inputs addr, data, done_rsp and the outputs staddr, stdata, done."},
		{Name: "CPL_STORE_LANE_TYPE", Rule: "A store lane passes index and an element on with a tag, and takes none with a tag and gives it without."},
		{Name: "CPL_STORE_LANE_TAG_WIDTH", Rule: "The tags of a store lane have one width."},
		{Name: "CPL_STORE_LANE_DEPTH", Rule: "A store lane has at least one slot for responses."},
		{Name: "CPL_STORE_LANE_LSQ_DEPTH", Rule: "A store lane has at least one store in flight; no more than the queue of its memory holds, where a FIFO stands between them."},
	}
}

func (storeLane) read(f *flattener, c *Component, def *ir.Operation) (in, out portName) {
	c.Lane = laneSpec(def)
	c.Lane.LSQDepth = int(IntParam(def, AttrLSQDepth, StoreLaneDepth))
	return named("addr", "data", "done_rsp"), named("staddr", "stdata", "done")
}

func (storeLane) Combinational(c *Component, in, out int, backward bool) bool {
	return in != StoreDoneRsp && out != StoreDone
}
