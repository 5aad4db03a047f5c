package check_test

import (
	"fmt"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/mapper"
	"loom/compiler/mapper/check"
	"loom/compiler/mapping"
	"loom/internal/maptest"
)

// bridged is a kernel with several arrays and accesses per memory.
func bridged(t testing.TB) sample {
	t.Helper()
	fn, f, m := maptest.Arrays()
	img, err := m.Image(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Bind(fn, f)
	if err != nil {
		t.Fatal(err)
	}
	return sample{"arrays", fn, f, &mapper.Result{Mapping: m, Image: img, Binding: b}}
}

// TestBridges accepts a mapping with several arrays and accesses per memory, and
// its configuration after a round through the bits.
func TestBridges(t *testing.T) {
	s := bridged(t)
	if err := check.Mapping(s.fn, s.f, s.res.Mapping); err != nil {
		t.Fatal(err)
	}
	back, err := config.Decode(s.res.Image.Layout, s.res.Image.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if err := check.Image(s.fn, s.f, back, s.res.Binding); err != nil {
		t.Error(err)
	}
}

// bridgeBitFree reports whether a changed field of a lane, temporal switch or
// memory may change without consequence: the tags of lanes that no access uses,
// slots and regions that are not valid, a region that still holds its tags, and
// the position of an array that is alone and has no initial contents.
func bridgeBitFree(m *mapping.Mapping, old, now config.Setting, c *arch.Component, field string) bool {
	var k int
	switch {
	case c.Lane != nil:
		for _, t := range m.Tags {
			if t.Comp == c.Name {
				return false
			}
		}
		return true
	case c.Temporal != nil:
		fmt.Sscanf(field, "slot[%d].", &k)
		return !old.Slots[k].Valid && !now.Slots[k].Valid
	case c.Mem == nil:
		return false
	}
	fmt.Sscanf(field, "region[%d].", &k)
	a, b := old.Regions[k], now.Regions[k]
	switch {
	case !a.Valid && !b.Valid:
		return true
	case strings.HasSuffix(field, "_tag"):
		return b.StartTag <= a.StartTag && b.EndTag >= a.EndTag
	}
	return c.Name == "one" && strings.HasSuffix(field, "addr_offset")
}
