package check

import (
	"loom/compiler/arch"
	"loom/compiler/config"
)

// hwSource is where tokens come from in hardware: unit output Port of a PE,
// output port of a lane or of a memory without tags, or with Comp nil a boundary input.
type hwSource struct {
	Comp *arch.Component
	Port int
}

// hwSink is where tokens end: unit input Port of a PE, input port of a lane or
// of a memory without tags, or with Comp nil a boundary output.
type hwSink struct {
	Comp *arch.Component
	Port int
}

// flow finds, for every source of tokens, the sinks that the settings lead to.
// sourceOf is the inverse.
func (t *tracer) flow() {
	t.sourceOf = map[hwSink]hwSource{}
	t.sinks = map[hwSource]int{}
	t.responded = map[hwSource]bool{}
	t.lanes = map[*arch.Component]laneSite{}
	t.net = &tagNet{f: t.f, slots: map[int][]config.Slot{}, entries: map[int][]config.TagEntry{}, used: map[slotRoute]bool{},
		fail: func(format string, args ...any) { t.fail(format, args...) }}
	for i, p := range t.f.Inputs {
		if p.Chan != nil && t.boundIn(i) {
			t.follow(hwSource{nil, i}, p.Chan)
		}
	}
	for _, c := range t.f.Comps {
		s := t.img.Settings[c.ID]
		switch {
		case c.Kind == arch.SpatialPE && s.PE != nil && s.PE.Enable:
			t.peOutputs(c, s.PE)
		case c.Kind == arch.TemporalPE && s.TPE != nil:
			t.temporalOutputs(c, s.TPE)
		case c.Kind == arch.TemporalSwitch:
			for k, slot := range s.Slots {
				if slot.Valid {
					slot.Valid = t.net.slot(c, k, slot, t.net.slots[c.ID])
				}
				t.net.slots[c.ID] = append(t.net.slots[c.ID], slot)
			}
		case c.Kind == arch.MapTag:
			t.net.entries[c.ID] = s.Entries
		}
	}
	for t.memoryOutputs() {
	}
	t.tables()
}

// memoryOutputs follows the responses of memories and lanes whose requests have
// been found to arrive and reports whether there were new ones: a response may be
// another memory's address.
func (t *tracer) memoryOutputs() bool {
	news := false
	for _, c := range t.f.Comps {
		for _, p := range t.responses(c) {
			if src := (hwSource{c, p}); !t.responded[src] {
				t.responded[src], news = true, true
				if ch := c.Out[p].Chan; ch != nil {
					t.follow(src, ch)
				}
			}
		}
	}
	return news
}

// responses lists the outputs at which a lane, or a memory without tags, responds to
// the requests that reach it.
func (t *tracer) responses(c *arch.Component) []int {
	fed := func(port int) bool { _, ok := t.sourceOf[hwSink{c, port}]; return port >= 0 && ok }
	var out []int
	switch {
	case c.Kind == arch.LoadLane && fed(arch.LoadAddr) && t.bridge(c):
		out = []int{arch.LoadData, arch.LoadDone}
	case c.Kind == arch.StoreLane && fed(arch.StoreAddr) && fed(arch.StoreData) && t.bridge(c):
		out = []int{arch.StoreDone}
	case c.Mem != nil && c.Mem.TagWidth == 0 && t.memUsed(c):
		if fed(c.Mem.LdAddr) {
			out = append(out, c.Mem.LdData, c.Mem.LdDone)
		}
		if fed(c.Mem.StAddr) && fed(c.Mem.StData) {
			out = append(out, c.Mem.StDone)
		}
	}
	return out
}

// boundIn reports whether the host drives boundary input i.
func (t *tracer) boundIn(i int) bool {
	for _, a := range t.b.Args {
		if a.Input == i {
			return true
		}
	}
	return t.b.Start == i
}

// memUsed reports whether a memory has a valid region.
func (t *tracer) memUsed(c *arch.Component) bool {
	for _, r := range t.img.Settings[c.ID].Regions {
		if r.Valid {
			return true
		}
	}
	return false
}

func (t *tracer) peOutputs(c *arch.Component, s *config.PESetting) {
	if s.Opcode < 0 || s.Opcode >= len(c.PE.FUs) {
		t.fail("PE '%s' has opcode %d", c.Name, s.Opcode)
		return
	}
	taken := map[int]bool{}
	for k, sel := range s.Out {
		inUnit := k < len(c.PE.FUs[s.Opcode].Out)
		switch {
		case !inUnit && !sel.Disconnect:
			t.fail("output selector %d of PE '%s' is active, its unit has no such output", k, c.Name)
		case inUnit && sel.Disconnect:
			t.fail("output %d of the unit in PE '%s' goes nowhere: it would block", k, c.Name)
		case !inUnit || sel.Discard:
		case sel.Sel < 0 || sel.Sel >= len(c.Out) || c.Out[sel.Sel].Chan == nil:
			t.fail("output %d of the unit in PE '%s' leaves at port %d, which is not connected", k, c.Name, sel.Sel)
		case taken[sel.Sel]:
			t.fail("two outputs of the unit in PE '%s' leave at port %d", c.Name, sel.Sel)
		default:
			taken[sel.Sel] = true
			t.follow(hwSource{c, k}, c.Out[sel.Sel].Chan)
		}
	}
}

// follow collects the sinks behind a channel.
func (t *tracer) follow(src hwSource, ch *arch.Channel) {
	for range len(t.f.Channels) + 1 {
		c := ch.Dst.Comp
		if c == nil {
			if ch.Dst.Port >= 0 {
				t.reach(src, hwSink{nil, ch.Dst.Port})
			}
			return
		}
		if _, delays := queue(c); delays {
			if ch = c.Out[0].Chan; ch == nil {
				return
			}
			continue
		}
		switch c.Kind {
		case arch.SpatialSwitch:
			t.throughSwitch(src, c, ch.Dst.Port)
		case arch.SpatialPE:
			t.intoPE(src, c, ch.Dst.Port)
		case arch.TemporalPE:
			if t.spread(src, c, t.img.Settings[c.ID].TPE, 2*c.TPE.Instructions+ch.Dst.Port) == 0 {
				t.fail("tokens arrive at input %d of temporal PE '%s', which nothing reads", ch.Dst.Port, c.Name)
			}
		case arch.AddTag, arch.DelTag, arch.MapTag, arch.TemporalSwitch:
			t.fail("tokens arrive at %s '%s' without a lane, which alone keeps shared ports from blocking", c.Kind, c.Name)
		default:
			t.reach(src, hwSink{c, ch.Dst.Port})
		}
		return
	}
	t.fail("tokens run in circles at channel '%s'", ch.Name)
}

func (t *tracer) throughSwitch(src hwSource, c *arch.Component, in int) {
	s := t.img.Settings[c.ID].Switch
	key := [2]int{c.ID, in}
	if t.entered[key] {
		t.fail("tokens enter switch '%s' at input %d twice", c.Name, in)
		return
	}
	t.entered[key] = true
	routed := false
	for o, i := range s.Route {
		if i != in {
			continue
		}
		routed = true
		if !c.Switch.Connect[o][in] {
			t.fail("switch '%s' has no connection from input %d to output %d", c.Name, in, o)
			continue
		}
		t.usedRoutes[[2]int{c.ID, o}] = true
		if next := c.Out[o].Chan; next != nil {
			t.follow(src, next)
		}
	}
	if !routed && !s.Discard[in] {
		t.fail("tokens arrive at input %d of switch '%s', which neither routes nor drops them", in, c.Name)
	}
}

func (t *tracer) intoPE(src hwSource, c *arch.Component, port int) {
	s := t.img.Settings[c.ID].PE
	if !s.Enable {
		t.fail("tokens arrive at PE '%s', which is not in use", c.Name)
		return
	}
	hits := 0
	for k, sel := range s.In {
		if sel.Disconnect || sel.Sel != port {
			continue
		}
		hits++
		if sel.Discard {
			continue
		}
		t.reach(src, hwSink{c, k})
	}
	if hits != 1 {
		t.fail("tokens arrive at input %d of PE '%s', which %d unit inputs read", port, c.Name, hits)
	}
}

func (t *tracer) reach(src hwSource, sink hwSink) {
	if _, twice := t.sourceOf[sink]; twice {
		t.fail("one sink is reached twice")
		return
	}
	t.sourceOf[sink] = src
	t.sinks[src]++
}
