package config

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"loom/compiler/arch"
	"loom/compiler/ir"
)

func (b *fabricBuilder) temporalSwitch(slots, tag int, rows ...[]bool) *arch.Component {
	c := b.add(arch.TemporalSwitch, len(rows[0]), len(rows))
	c.Temporal = &arch.TemporalSpec{Connect: rows, Slots: slots, TagWidth: tag}
	return c
}

func (b *fabricBuilder) mapTag(entries, in, out int) *arch.Component {
	c := b.add(arch.MapTag, 1, 1)
	c.Map = &arch.MapTagSpec{TableSize: entries, InTag: in, OutTag: out}
	return c
}

func (b *fabricBuilder) lane(kind arch.Kind, tag int) *arch.Component {
	c := b.add(kind, 3, 3)
	c.Lane = &arch.LaneSpec{TagWidth: tag, Slots: 8}
	return c
}

func (b *fabricBuilder) addTag(tag int) *arch.Component {
	c := b.add(arch.AddTag, 1, 1)
	c.Out[0].TagWidth = tag
	return c
}

// bridge holds what the bridge of a tagged memory is made of.
func bridge() *arch.Fabric {
	b := &fabricBuilder{f: arch.Fabric{Name: "bridge", IndexWidth: 32}}
	b.temporalSwitch(2, 3, []bool{true, false, true}, []bool{false, true, false})
	b.addTag(3)
	b.add(arch.DelTag, 1, 1)
	b.mapTag(2, 3, 2)
	b.lane(arch.LoadLane, 3)
	b.lane(arch.StoreLane, 4)
	b.memory(arch.Memory, 1024, ir.I32, 2, 2)
	b.memory(arch.ExtMemory, ir.Dynamic, ir.I32, 1, 3)
	return &b.f
}

// TestLayoutOfBridges checks every bit position of the tag operations against the
// design page, and the width of an address table against spec-fabric-mem:
// numRegion * (1 + 2 * TAG_WIDTH + ADDR_WIDTH).
func TestLayoutOfBridges(t *testing.T) {
	l := NewLayout(bridge())
	var got bytes.Buffer
	for _, s := range l.Slices {
		fmt.Fprintf(&got, "%s @%d bits %d\n", s.Comp.Name, s.WordOffset, s.Bits)
		for _, f := range s.Fields {
			fmt.Fprintf(&got, "  %-21s %3d +%d\n", f.Name, f.Bit, f.Width)
		}
	}
	want := `temporal_sw_0 @0 bits 14
  slot[0].valid           0 +1
  slot[0].tag             1 +3
  slot[0].route[0][0]     4 +1
  slot[0].route[0][2]     5 +1
  slot[0].route[1][1]     6 +1
  slot[1].valid           7 +1
  slot[1].tag             8 +3
  slot[1].route[0][0]    11 +1
  slot[1].route[0][2]    12 +1
  slot[1].route[1][1]    13 +1
add_tag_1 @1 bits 3
  tag                     0 +3
map_tag_3 @2 bits 12
  entry[0].valid          0 +1
  entry[0].src_tag        1 +3
  entry[0].dst_tag        4 +2
  entry[1].valid          6 +1
  entry[1].src_tag        7 +3
  entry[1].dst_tag       10 +2
load_lane_4 @3 bits 3
  tag                     0 +3
store_lane_5 @4 bits 4
  tag                     0 +4
memory_6 @5 bits 34
  region[0].valid         0 +1
  region[0].start_tag     1 +2
  region[0].end_tag       3 +2
  region[0].addr_offset   5 +12
  region[1].valid        17 +1
  region[1].start_tag    18 +2
  region[1].end_tag      20 +2
  region[1].addr_offset  22 +12
extmemory_7 @7 bits 71
  region[0].valid         0 +1
  region[0].start_tag     1 +3
  region[0].end_tag       4 +3
  region[0].addr_offset   7 +64
`
	if d := cmp.Diff(want, got.String()); d != "" {
		t.Error(d)
	}
}

// TestBridgesReject lists settings of bridges that do not fit, and bits beyond them.
func TestBridgesReject(t *testing.T) {
	l := NewLayout(bridge())
	for _, c := range []struct {
		name string
		edit func(s []Setting)
	}{
		{"missing slot", func(s []Setting) { s[0].Slots = s[0].Slots[:1] }},
		{"slot tag too large", func(s []Setting) { s[0].Slots[1].Tag = 8 }},
		{"route that is not connected", func(s []Setting) { s[0].Slots[0].Routes = [][2]int{{0, 1}} }},
		{"route to no output", func(s []Setting) { s[0].Slots[0].Routes = [][2]int{{2, 0}} }},
		{"route from no input", func(s []Setting) { s[0].Slots[0].Routes = [][2]int{{0, -1}} }},
		{"tag too large", func(s []Setting) { s[1].Tag = 8 }},
		{"missing entry", func(s []Setting) { s[3].Entries = nil }},
		{"source tag too large", func(s []Setting) { s[3].Entries[0].Src = 8 }},
		{"new tag too large", func(s []Setting) { s[3].Entries[0].Dst = 4 }},
		{"lane tag too large", func(s []Setting) { s[4].Tag = 8 }},
		{"end tag too large", func(s []Setting) { s[6].Regions[1].EndTag = 4 }},
	} {
		img := New(l)
		c.edit(img.Settings)
		if err := img.Check(); err == nil {
			t.Errorf("%s: accepted", c.name)
		}
	}
	words := New(l).Encode()
	words[3] |= 1 << 3
	if _, err := Decode(l, words); err == nil {
		t.Error("a bit beyond the tag of a lane: accepted")
	}
}

// TestHashSeesBridges: what gives the bits of a bridge their meaning changes the
// hash.
func TestHashSeesBridges(t *testing.T) {
	base := NewLayout(bridge()).Hash
	for name, edit := range map[string]func(f *arch.Fabric){
		"connectivity":    func(f *arch.Fabric) { f.Comps[0].Temporal.Connect[0][1] = true },
		"slots":           func(f *arch.Fabric) { f.Comps[0].Temporal.Slots = 3 },
		"table size":      func(f *arch.Fabric) { f.Comps[3].Map.TableSize = 3 },
		"lane slots":      func(f *arch.Fabric) { f.Comps[4].Lane.Slots = 9 },
		"stores":          func(f *arch.Fabric) { f.Comps[5].Lane.LSQDepth = 2 },
		"width of a lane": func(f *arch.Fabric) { f.Comps[4].Lane.TagWidth = 4 },
		"tagged channel":  func(f *arch.Fabric) { f.Channels = []*arch.Channel{{Width: 32, TagWidth: 2}} },
	} {
		f := bridge()
		edit(f)
		if NewLayout(f).Hash == base {
			t.Errorf("the hash does not see a change of %s", name)
		}
	}
}

// genTagged draws one component of a bridge.
func (b *fabricBuilder) genTagged(t *rapid.T) {
	tag := rapid.IntRange(1, 16).Draw(t, "tag")
	switch rapid.IntRange(0, 4).Draw(t, "tagged") {
	case 0:
		nin, nout := rapid.IntRange(1, 6).Draw(t, "in"), rapid.IntRange(1, 6).Draw(t, "out")
		rows := make([][]bool, nout)
		for o := range rows {
			rows[o] = rapid.SliceOfN(rapid.Bool(), nin, nin).Draw(t, "row")
		}
		b.temporalSwitch(rapid.IntRange(1, 5).Draw(t, "slots"), tag, rows...)
	case 1:
		b.addTag(tag)
	case 2:
		b.mapTag(rapid.IntRange(1, 9).Draw(t, "entries"), tag, rapid.IntRange(1, 16).Draw(t, "new"))
	case 3:
		b.lane(arch.LoadLane, tag)
	case 4:
		b.lane(arch.StoreLane, tag)
	}
}

// genTags draws the setting of a component of a bridge.
func genTags(t *rapid.T, c *arch.Component, s *Setting) {
	for k := range s.Slots {
		slot := &s.Slots[k]
		slot.Valid, slot.Tag = rapid.Bool().Draw(t, "valid"), genValue(t, c.Temporal.TagWidth, "tag")
		for o, row := range c.Temporal.Connect {
			for i, on := range row {
				if on && rapid.Bool().Draw(t, "route") {
					slot.Routes = append(slot.Routes, [2]int{o, i})
				}
			}
		}
	}
	for k := range s.Entries {
		s.Entries[k] = TagEntry{rapid.Bool().Draw(t, "valid"), genValue(t, c.Map.InTag, "src"), genValue(t, c.Map.OutTag, "dst")}
	}
	switch c.Kind {
	case arch.AddTag:
		s.Tag = genValue(t, c.Out[0].TagWidth, "tag")
	case arch.LoadLane, arch.StoreLane:
		s.Tag = genValue(t, c.Lane.TagWidth, "tag")
	}
}
