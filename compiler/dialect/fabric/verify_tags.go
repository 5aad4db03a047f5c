package fabric

import (
	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// This file checks what works with tags: temporal switches, tag operations and the
// lanes of memory bridges (design page "The Fabric dialect").

// Limits of tables. There are no more than 2^16 tags; a larger table of routes has
// slots that can never be used.
const (
	maxRouteTable = 1 << 16
	maxTagTable   = 256
)

func init() {
	define(ir.OpDef{Name: opname.FabricTemporalSw, Summary: "A switch that routes by tag and merges streams.", Verify: verifyTemporalSwitch},
		param{arch.AttrConnectivity, bitsParam}, param{arch.AttrRouteTable, intParam})
	define(ir.OpDef{Name: opname.FabricAddTag, Summary: "Gives a stream a tag.", Verify: verifyAddTag})
	define(ir.OpDef{Name: opname.FabricMapTag, Summary: "Replaces the tags of a stream.", Verify: verifyMapTag},
		param{arch.AttrTableSize, intParam})
	define(ir.OpDef{Name: opname.FabricDelTag, Summary: "Takes the tag off a stream.", Verify: verifyDelTag})
	define(ir.OpDef{Name: opname.FabricLoadLane, Summary: "One load access at a memory with several load ports: tags requests, reserves slots for the responses.", Verify: verifyLane},
		param{arch.AttrDepth, intParam})
	define(ir.OpDef{Name: opname.FabricStoreLane, Summary: "One store access at a memory with several store ports: tags requests, bounds the stores in flight.", Verify: verifyLane},
		param{arch.AttrLSQDepth, intParam}, param{arch.AttrDepth, intParam})
	for _, op := range []string{opname.FabricAddTag, opname.FabricLoadLane, opname.FabricStoreLane} {
		configures(op, param{arch.AttrTag, intParam})
	}
}

func verifyTemporalSwitch(op *ir.Operation, errs *diag.List) {
	before := len(errs.All)
	verifyLeaf(op, errs)
	if len(errs.All) > before {
		return
	}
	if !verifySwitchPorts(op, temporalSymbols, errs) {
		return
	}
	ft := arch.Signature(op)
	for _, t := range append(append([]ir.Type(nil), ft.Inputs...), ft.Results...) {
		if arch.TagWidth(t) == 0 || !arch.Connectable(t, ft.Inputs[0]) {
			fail(errs, op.Pos, "CPL_TEMPORAL_SW_PORT_TYPE", "the switch has ports of type %s and %s", ft.Inputs[0], t).
				WithHelp("all ports of a temporal switch are channels with tags of one width: it routes by tag")
			return
		}
	}
	verifySwitchTable(op, temporalSymbols, errs)
	if n := arch.IntParam(op, arch.AttrRouteTable, 1); n < 1 || n > maxRouteTable {
		fail(errs, op.Pos, "CPL_TEMPORAL_SW_ROUTE_TABLE", "num_route_table is %d, must be 1 to %d", n, maxRouteTable)
	}
}

// tagSymbols are the error symbols of one tag operation.
type tagSymbols struct{ ports, types string }

// verifyTagPorts checks the one input and the one output of a tag operation:
// which of them have tags, and that both carry the same value.
func verifyTagPorts(op *ir.Operation, sym tagSymbols, inTagged, outTagged bool, errs *diag.List) bool {
	ft := arch.Signature(op)
	if len(ft.Inputs) != 1 || len(ft.Results) != 1 {
		fail(errs, op.Pos, sym.ports, "'%s' has one input and one output, found %d and %d", op.Name, len(ft.Inputs), len(ft.Results))
		return false
	}
	in, out := ft.Inputs[0], ft.Results[0]
	_, isChannel := ir.BitWidth(in, arch.DefaultIndexWidth)
	if !isChannel || value(in) != value(out) || arch.TagWidth(in) > 0 != inTagged || arch.TagWidth(out) > 0 != outTagged {
		words := map[bool]string{false: "untagged", true: "tagged"}
		fail(errs, op.Pos, sym.types, "'%s' takes %s and gives %s", op.Name, in, out).
			WithHelp("its input is %s, its output %s, and both carry the same value", words[inTagged], words[outTagged])
		return false
	}
	return true
}

func verifyAddTag(op *ir.Operation, errs *diag.List) {
	before := len(errs.All)
	verifyLeaf(op, errs)
	if len(errs.All) > before {
		return
	}
	if verifyTagPorts(op, tagSymbols{"CPL_ADD_TAG_PORTS", "CPL_ADD_TAG_TYPE"}, false, true, errs) {
		verifyTagHint(op, op, errs)
	}
}

func verifyDelTag(op *ir.Operation, errs *diag.List) {
	before := len(errs.All)
	verifyLeaf(op, errs)
	if len(errs.All) > before {
		return
	}
	verifyTagPorts(op, tagSymbols{"CPL_DEL_TAG_PORTS", "CPL_DEL_TAG_TYPE"}, true, false, errs)
}

func verifyMapTag(op *ir.Operation, errs *diag.List) {
	before := len(errs.All)
	verifyLeaf(op, errs)
	if len(errs.All) > before {
		return
	}
	verifyTagPorts(op, tagSymbols{"CPL_MAP_TAG_PORTS", "CPL_MAP_TAG_TYPE"}, true, true, errs)
	if n := arch.IntParam(op, arch.AttrTableSize, 1); n < 1 || n > maxTagTable {
		fail(errs, op.Pos, "CPL_MAP_TAG_TABLE_SIZE", "table_size is %d, must be 1 to %d", n, maxTagTable)
	}
}

// hasTag reports whether the operation gives streams the tag of its configuration.
func hasTag(name string) bool {
	return name == opname.FabricAddTag || name == opname.FabricLoadLane || name == opname.FabricStoreLane
}

// verifyTagHint checks the tag that a definition, use or instance (op) of def requests
// for: it must fit the tags that def gives.
func verifyTagHint(op, def *ir.Operation, errs *diag.List) {
	a := op.Attr(arch.AttrTag)
	if a == nil {
		return
	}
	tag, ok := op.IntAttr(arch.AttrTag)
	if !ok {
		fail(errs, op.Pos, "CPL_FABRIC_ATTRIBUTE", "'%s' of '%s' must be an integer, found %s", arch.AttrTag, def.Name, a)
		return
	}
	if w := arch.TagWidth(arch.Signature(def).Results[0]); tag < 0 || tag >= 1<<w {
		fail(errs, op.Pos, "CPL_TAG_VALUE", "tag %d does not fit the %d tag bits of '%s'", tag, w, def.Name)
	}
}

// lanePort is the type of what a port of a lane carries.
type lanePort struct {
	name   string
	tagged bool
	carry  carried
}

// carried is the value on a lane's port.
type carried int

const (
	carriesIndex carried = iota
	carriesData          // the memory's element
	carriesNone
)

// laneRules are the ports and symbols of a kind of lane.
type laneRules struct {
	in, out                          []lanePort
	ports, types, tagWidth, minDepth string
}

var laneTables = map[string]laneRules{
	opname.FabricLoadLane: {
		in:    []lanePort{{"addr", false, carriesIndex}, {"rsp", true, carriesData}, {"done_rsp", true, carriesNone}},
		out:   []lanePort{{"req", true, carriesIndex}, {"data", false, carriesData}, {"done", false, carriesNone}},
		ports: "CPL_LOAD_LANE_PORTS", types: "CPL_LOAD_LANE_TYPE", tagWidth: "CPL_LOAD_LANE_TAG_WIDTH", minDepth: "CPL_LOAD_LANE_DEPTH",
	},
	opname.FabricStoreLane: {
		in:    []lanePort{{"addr", false, carriesIndex}, {"data", false, carriesData}, {"done_rsp", true, carriesNone}},
		out:   []lanePort{{"staddr", true, carriesIndex}, {"stdata", true, carriesData}, {"done", false, carriesNone}},
		ports: "CPL_STORE_LANE_PORTS", types: "CPL_STORE_LANE_TYPE", tagWidth: "CPL_STORE_LANE_TAG_WIDTH", minDepth: "CPL_STORE_LANE_DEPTH",
	},
}

func verifyLane(op *ir.Operation, errs *diag.List) {
	before := len(errs.All)
	verifyLeaf(op, errs)
	if len(errs.All) > before {
		return
	}
	rules := laneTables[op.Name]
	if d := arch.IntParam(op, arch.AttrDepth, arch.LaneDepth); d < 1 {
		fail(errs, op.Pos, rules.minDepth, "the depth of the lane is %d, it needs at least 1 slot", d)
	}
	if d := arch.IntParam(op, arch.AttrLSQDepth, arch.StoreLaneDepth); op.Name == opname.FabricStoreLane && d < 1 {
		fail(errs, op.Pos, "CPL_STORE_LANE_LSQ_DEPTH", "lsqDepth of the lane is %d, at least 1 store must be in flight", d)
	}
	ft := arch.Signature(op)
	if len(ft.Inputs) != len(rules.in) || len(ft.Results) != len(rules.out) {
		fail(errs, op.Pos, rules.ports, "the lane has %d inputs and %d outputs, expected %d and %d",
			len(ft.Inputs), len(ft.Results), len(rules.in), len(rules.out)).
			WithHelp("inputs: %s; outputs: %s", portNames(rules.in), portNames(rules.out))
		return
	}
	var data ir.Type
	width := 0
	check := func(p lanePort, t ir.Type) bool {
		v, w := value(t), arch.TagWidth(t)
		_, isElem := arch.ElementBits(v)
		switch {
		case w > 0 != p.tagged,
			p.carry == carriesIndex && v != ir.Type(ir.Index),
			p.carry == carriesNone && v != ir.Type(ir.None),
			p.carry == carriesData && (!isElem || data != nil && v != data):
			d := fail(errs, op.Pos, rules.types, "port '%s' of the lane has type %s", p.name, t)
			what := [...]string{"index", "the memory's element", "none"}[p.carry]
			if p.tagged {
				d.WithHelp("it carries %s with a tag", what)
			} else {
				d.WithHelp("it carries %s without a tag", what)
			}
			return false
		case w > 0 && width > 0 && w != width:
			fail(errs, op.Pos, rules.tagWidth, "port '%s' of the lane has a tag of %d bits, another one of %d; they are those of one memory",
				p.name, w, width)
			return false
		}
		if w > 0 {
			width = w
		}
		if p.carry == carriesData {
			data = v
		}
		return true
	}
	for i, p := range rules.in {
		if !check(p, ft.Inputs[i]) {
			return
		}
	}
	for i, p := range rules.out {
		if !check(p, ft.Results[i]) {
			return
		}
	}
	verifyTagHint(op, op, errs)
}

func portNames(ports []lanePort) string {
	text := ""
	for i, p := range ports {
		if i > 0 {
			text += ", "
		}
		text += p.name
	}
	return text
}
