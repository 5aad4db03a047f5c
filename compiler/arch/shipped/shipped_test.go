package shipped

import (
	"slices"
	"strings"
	"testing"
)

// TestNames: every file is listed, and the order is that of the measured areas.
func TestNames(t *testing.T) {
	entries, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		found = append(found, strings.TrimSuffix(e.Name(), Extension))
	}
	if want := slices.Sorted(slices.Values(Names())); !slices.Equal(found, want) {
		t.Errorf("the files are %v, the names %v", found, want)
	}
	last := 0
	for _, n := range Names() {
		if a := Area[n].LUTs; a > 0 {
			if a < last {
				t.Errorf("%s has %d LUTs and stands behind a fabric of %d", n, a, last)
			}
			last = a
		}
		if text, _ := Text(n); !strings.Contains(text, "\nname: "+n+"\n") {
			t.Errorf("%s has another name inside", n)
		}
	}
}

func TestSuggest(t *testing.T) {
	for _, c := range []struct{ wrong, want string }{{"mesh8x9", "mesh8x8"}, {"Mesh12x12", "mesh12x12"}, {"grid", ""}, {"", ""}} {
		if got := Suggest(c.wrong); got != c.want {
			t.Errorf("%q: %q, want %q", c.wrong, got, c.want)
		}
	}
}
