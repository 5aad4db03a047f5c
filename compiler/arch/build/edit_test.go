package build

import (
	"slices"
	"strings"
	"testing"
)

// TestEdit: every change makes a description that Build accepts, and is listed with the
// value before the first and behind the last change.
func TestEdit(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(e *Edit) bool
		want   []string
		text   string // part of the changed description
	}{
		{"boundary", func(e *Edit) bool { return e.Inputs(2) && e.Inputs(1) && e.Outputs(1) },
			[]string{"boundary inputs 6 -> 9", "boundary outputs 3 -> 4"}, "inputs: 9"},
		{"grid", func(e *Edit) bool { return e.Grid(3) && e.Grid(2) }, []string{"rows 4 -> 5", "columns 4 -> 5"}, "rows: 5"},
		{"tracks", func(e *Edit) bool { return e.Tracks(false) }, []string{"tracks 1 -> 2"}, "tracks: 2"},
		{"token tracks", func(e *Edit) bool { return e.Tracks(true) }, []string{"token_tracks 1 -> 2"}, "token_tracks: 2"},
		{"lanes", func(e *Edit) bool {
			return e.Memory(Need{External: true, Element: "i32", Loads: 3, Stores: 1, Regions: 1})
		},
			[]string{"extmemory loads 1 -> 3"}, "loads: 3"},
		{"capacity", func(e *Edit) bool {
			return e.Memory(Need{Element: "i32", Loads: 1, Stores: 1, Regions: 1, Elements: 300})
		},
			[]string{"memory elements 256 -> 300"}, "elements: 300"},
		{"other elements", func(e *Edit) bool { return e.Memory(Need{External: true, Element: "i8", Loads: 1, Regions: 1}) },
			[]string{"one more extmemory of i8 (loads 1, stores 0)"}, "element: i8"},
		{"table", func(e *Edit) bool {
			return e.Memory(Need{Element: "i32", Loads: 1, Regions: 1, Elements: 9, Host: true})
		},
			[]string{"one more memory of i32 (loads 1, stores 0, elements 9, private false)"}, "private: false"},
		{"count", func(e *Edit) bool { return e.Another(Need{External: true, Element: "i32"}) }, []string{"extmemory count 3 -> 4"}, "count: 4"},
		{"template", func(e *Edit) bool { return e.Replace("alu", 0, 2) && e.Replace("alu", 2, 0) }, []string{"PEs alu 2 -> 4"}, "pe: alu"},
		{"unit", func(e *Edit) bool { return e.Unit("tok", "muli: i32") }, []string{"unit muli: i32 of PEs tok"}, "muli: i32"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := NewEdit(shippedText(t, "mesh4x4"))
			if err != nil {
				t.Fatal(err)
			}
			if !c.change(e) {
				t.Fatal("refused")
			}
			text, err := e.Text()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Build("changed.yaml", text); err != nil {
				t.Errorf("%v\n%s", err, text)
			}
			if !slices.Equal(e.Changes(), c.want) || !strings.Contains(string(text), c.text) {
				t.Errorf("changes %q, want %q; %s", e.Changes(), c.want, text)
			}
		})
	}
}

// TestEditLimits: what no description can have is refused and changes nothing.
func TestEditLimits(t *testing.T) {
	e, err := NewEdit(shippedText(t, "mesh4x4"))
	if err != nil {
		t.Fatal(err)
	}
	for name, done := range map[string]bool{
		"inputs": e.Inputs(maxBoundary), "outputs": e.Outputs(maxBoundary),
		"lanes": e.Memory(Need{External: true, Element: "i32", Loads: maxLanes + 1}),
		"unit":  e.Unit("tok", "nosuch: i32"), "template": e.Unit("none", "muli: i32"),
		"replaced by itself": e.Replace("mul", 0, 0), "no template": e.Replace("none", 0, 0),
	} {
		if done {
			t.Errorf("%s: done", name)
		}
	}
	if len(e.Changes()) > 0 {
		t.Errorf("changes: %q", e.Changes())
	}
	if _, err := NewEdit([]byte("- a\n")); err == nil {
		t.Error("a list is taken for a description")
	}
}
