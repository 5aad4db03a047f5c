package cycle

import (
	"slices"

	"loom/compiler/arch"
	"loom/compiler/config"
)

func init() {
	models[arch.AddTag] = model{connect: (*builder).connectAddTag}
	models[arch.DelTag] = model{connect: (*builder).connectDelTag}
	models[arch.MapTag] = model{connect: (*builder).connectMapTag}
	models[arch.TemporalSwitch] = model{connect: (*builder).connectTemporalSwitch}
}

// addTag is loom_add_tag.
type addTag struct {
	node
	value uint16
}

func (a *addTag) forward(e *engine) {
	e.driveTagged(a.out[0], e.valid(a.in[0]), e.val(a.in[0]), a.value)
}

func (a *addTag) backward(e *engine)                 { e.accept(a.in[0], e.nets[a.out[0]].ready) }
func (a *addTag) clock(*engine) wake                 { return 0 }
func (a *addTag) idle() bool                         { return true }
func (a *addTag) needs(_ *engine, buf []wire) []wire { return append(buf, a.in[0]) }

// delTag is loom_del_tag.
type delTag struct{ node }

func (d *delTag) forward(e *engine)                  { e.drive(d.out[0], e.valid(d.in[0]), e.val(d.in[0])) }
func (d *delTag) backward(e *engine)                 { e.accept(d.in[0], e.nets[d.out[0]].ready) }
func (d *delTag) clock(*engine) wake                 { return 0 }
func (d *delTag) idle() bool                         { return true }
func (d *delTag) needs(_ *engine, buf []wire) []wire { return append(buf, d.in[0]) }

// mapTag is loom_map_tag: a token whose tag is in no entry is dropped.
type mapTag struct {
	node
	to map[uint16]uint16
}

// newMapTag fills the table; dup reports a source tag in two entries, whose
// destinations are then or-ed.
func newMapTag(n node, entries []config.TagEntry) (m *mapTag, dup bool) {
	m = &mapTag{n, map[uint16]uint16{}}
	for _, x := range entries {
		if x.Valid {
			old, again := m.to[uint16(x.Src)]
			m.to[uint16(x.Src)] = old | uint16(x.Dst)
			dup = dup || again
		}
	}
	return m, dup
}

func (m *mapTag) forward(e *engine) {
	to, found := m.to[e.tag(m.in[0])]
	e.driveTagged(m.out[0], e.valid(m.in[0]) && found, e.val(m.in[0]), to)
}

func (m *mapTag) backward(e *engine) {
	_, found := m.to[e.tag(m.in[0])]
	e.accept(m.in[0], !found || e.nets[m.out[0]].ready)
}

func (m *mapTag) clock(e *engine) wake {
	if _, found := m.to[e.tag(m.in[0])]; !found && e.valid(m.in[0]) {
		e.raise(CodeMapNoMatch, &m.node)
	}
	return 0
}

func (m *mapTag) idle() bool                         { return true }
func (m *mapTag) needs(_ *engine, buf []wire) []wire { return append(buf, m.in[0]) }

// temporalSwitch is loom_temporal_sw: tokens take the routes of the slots with
// their tag, every output serves one token per cycle, round robin.
type temporalSwitch struct {
	node
	tags   []uint16   // of the valid slots, each once
	routes [][]uint64 // routes[k][i]: outputs, as bits, of tokens of input i with tags[k]

	taken []uint64 // by input: outputs that have its present token
	next  []int    // by output: the input that is looked at first

	// What the forward sweep found: by input the outputs that its token wants and
	// the code it raises, by output the input it serves, -1 for none.
	wants []uint64
	fault []int
	grant []int
}

// newTemporalSwitch merges the slots; a tag in several slots has the routes of all.
func newTemporalSwitch(n node, slots []config.Slot) *temporalSwitch {
	ins, outs := len(n.in), len(n.out)
	s := &temporalSwitch{
		node: n, taken: make([]uint64, ins), next: make([]int, outs),
		wants: make([]uint64, ins), fault: make([]int, ins), grant: make([]int, outs),
	}
	for _, slot := range slots {
		if !slot.Valid {
			continue
		}
		k := slices.Index(s.tags, uint16(slot.Tag))
		if k < 0 {
			k = len(s.tags)
			s.tags = append(s.tags, uint16(slot.Tag))
			s.routes = append(s.routes, make([]uint64, ins))
		}
		for _, r := range slot.Routes {
			s.routes[k][r[1]] |= 1 << r[0]
		}
	}
	return s
}

// slotFault is the code that the slots of a temporal switch raise as long as they
// last, 0 for none.
func slotFault(slots []config.Slot) int {
	seen := map[uint64]bool{}
	code := 0
	for _, slot := range slots {
		if !slot.Valid {
			continue
		}
		from := map[int]int{}
		for _, r := range slot.Routes {
			if i, routed := from[r[0]]; routed && i != r[1] {
				return CodeTemporalMix
			}
			from[r[0]] = r[1]
		}
		if seen[slot.Tag] {
			code = CodeTemporalDupTag
		}
		seen[slot.Tag] = true
	}
	return code
}

func (s *temporalSwitch) forward(e *engine) {
	for i, w := range s.in {
		s.wants[i], s.fault[i] = 0, 0
		if !e.valid(w) {
			continue
		}
		k := slices.Index(s.tags, e.tag(w))
		switch {
		case k < 0:
			s.fault[i] = CodeTemporalNoMatch
		case s.routes[k][i] == 0:
			s.fault[i] = CodeTemporalUnrouted
		default:
			s.wants[i] = s.routes[k][i]
		}
	}
	for o, net := range s.out {
		s.grant[o] = s.first(o)
		if g := s.grant[o]; g < 0 {
			e.driveTagged(net, false, 0, 0)
		} else {
			e.driveTagged(net, true, e.val(s.in[g]), e.tag(s.in[g]))
		}
	}
}

// first is the first input at or after the pointer of output o whose token is
// still to be delivered there.
func (s *temporalSwitch) first(o int) int {
	for k := range s.in {
		i := s.next[o] + k
		if i >= len(s.in) {
			i -= len(s.in)
		}
		if (s.wants[i]&^s.taken[i])>>o&1 != 0 {
			return i
		}
	}
	return -1
}

// delivered are the outputs, as bits, that have the token of input i after this
// cycle.
func (s *temporalSwitch) delivered(e *engine, i int) uint64 {
	d := s.taken[i]
	for o, g := range s.grant {
		if g == i && e.nets[s.out[o]].ready {
			d |= 1 << o
		}
	}
	return d
}

func (s *temporalSwitch) backward(e *engine) {
	for i, w := range s.in {
		e.accept(w, s.wants[i]&^s.delivered(e, i) == 0)
	}
	// A pointer moves to an input that is offered and not taken.
	for o, g := range s.grant {
		if g >= 0 && g != s.next[o] && !e.nets[s.out[o]].ready {
			e.attend(s.id)
		}
	}
}

func (s *temporalSwitch) clock(e *engine) (w wake) {
	for i, in := range s.in {
		if s.fault[i] != 0 {
			e.raise(s.fault[i], &s.node)
		}
		old := s.taken[i]
		if s.taken[i] = s.delivered(e, i); s.wants[i]&^s.taken[i] == 0 || !e.valid(in) {
			s.taken[i] = 0
		}
		w |= changed(old != s.taken[i])
	}
	for o, g := range s.grant {
		if g < 0 {
			continue
		}
		if e.nets[s.out[o]].ready {
			if g++; g == len(s.in) {
				g = 0
			}
		}
		w |= changed(g != s.next[o])
		s.next[o] = g
	}
	return w
}

func (s *temporalSwitch) idle() bool {
	for _, t := range s.taken {
		if t != 0 {
			return false
		}
	}
	return true
}

// needs lists the inputs with a route: a token of any of them would be welcome.
func (s *temporalSwitch) needs(_ *engine, buf []wire) []wire {
	for i, w := range s.in {
		for _, r := range s.routes {
			if r[i] != 0 {
				buf = append(buf, w)
				break
			}
		}
	}
	return buf
}

// checkSlots reports slots that do not fit a temporal switch.
func (b *builder) checkSlots(c *arch.Component, slots []config.Slot) bool {
	for k, slot := range slots {
		for _, r := range slot.Routes {
			o, i := r[0], r[1]
			if o < 0 || o >= len(c.Out) || i < 0 || i >= len(c.In) || !c.Temporal.Connect[o][i] {
				b.errs.Errorf(c.Pos, "slot %d of temporal switch '%s' sends input %d to output %d, which are not connected", k, c.Name, i, o)
				return false
			}
		}
	}
	return true
}

func (b *builder) connectAddTag(c *arch.Component, set *config.Setting) {
	b.add(&addTag{b.node(c), uint16(set.Tag & mask(c.Out[0].TagWidth))})
}

func (b *builder) connectDelTag(c *arch.Component, set *config.Setting) { b.add(&delTag{b.node(c)}) }

func (b *builder) connectMapTag(c *arch.Component, set *config.Setting) {
	m, dup := newMapTag(b.node(c), set.Entries)
	if dup {
		b.add(&misconfigured{node: node{comp: c, what: m.what}, code: CodeMapDupTag})
	}
	b.add(m)
}

func (b *builder) connectTemporalSwitch(c *arch.Component, set *config.Setting) {
	n := b.node(c)
	if !b.checkSlots(c, set.Slots) {
		return
	}
	if code := slotFault(set.Slots); code != 0 {
		b.add(&misconfigured{node: node{comp: c, what: n.what}, code: code})
	}
	b.add(newTemporalSwitch(n, set.Slots))
}
