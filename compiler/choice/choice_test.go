package choice

import (
	"slices"
	"testing"
)

// TestSearch: which fabrics are tried, and which is taken.
func TestSearch(t *testing.T) {
	type fabric struct {
		name string
		Fabric
		fit *Fit // nil where the kernel does not fit
	}
	temporal := func(interval, bound float64) *Fit { return &Fit{interval, bound, true} }
	spatial := func(interval, bound float64) *Fit { return &Fit{interval, bound, false} }
	small, middle, large, fast := Fabric{100, 50}, Fabric{200, 100}, Fabric{400, 100}, Fabric{410, 200}
	for _, c := range []struct {
		name    string
		fabrics []fabric
		tried   []string
		taken   string
	}{
		{"at its bound on the smallest", []fabric{{"small", small, temporal(3, 3)}, {"middle", middle, spatial(3, 3)}, {"large", large, spatial(3, 3)}},
			[]string{"small"}, "small"},
		{"spatial on the smallest, far from its bound", []fabric{{"small", small, spatial(30, 1)}, {"middle", middle, spatial(1, 1)}},
			[]string{"small"}, "small"},
		{"slow in temporal PEs", []fabric{{"small", small, temporal(9, 1)}, {"middle", middle, spatial(1, 1)}, {"large", large, spatial(1, 1)}},
			[]string{"small", "middle"}, "middle"},
		{"not slow enough", []fabric{{"small", small, temporal(9, 8)}, {"middle", middle, spatial(8.5, 8)}, {"large", large, spatial(8, 8)}},
			[]string{"small", "middle"}, "middle"},
		{"what is larger cannot win even at the bound", []fabric{{"small", small, temporal(9, 5)}, {"large", large, spatial(5, 5)}},
			[]string{"small"}, "small"},
		{"the spatial one loses, and ends the search", []fabric{{"small", small, temporal(9, 1)}, {"large", large, spatial(5, 1)}, {"larger", Fabric{500, 100}, spatial(1, 1)}},
			[]string{"small", "large"}, "small"},
		{"a faster clock is worth an attempt", []fabric{{"large", large, spatial(5, 1)}, {"fast", fast, spatial(5, 1)}},
			[]string{"large", "fast"}, "fast"},
		{"what does not fit is passed over", []fabric{{"tiny", Fabric{10, 100}, nil}, {"small", small, temporal(9, 1)}, {"middle", middle, nil}, {"large", large, spatial(1, 1)}},
			[]string{"tiny", "small", "middle", "large"}, "large"},
		{"several temporal ones", []fabric{{"small", small, temporal(9, 1)}, {"middle", middle, temporal(2, 1)}, {"large", large, spatial(1, 1)}},
			[]string{"small", "middle"}, "middle"},
		{"equal: the smaller one", []fabric{{"small", small, temporal(4, 1)}, {"large", large, spatial(2, 1)}},
			[]string{"small", "large"}, "small"},
		{"without loops", []fabric{{"small", small, temporal(0, 0)}, {"middle", middle, spatial(0, 0)}},
			[]string{"small"}, "small"},
		{"nothing fits", []fabric{{"small", small, nil}, {"middle", middle, nil}}, []string{"small", "middle"}, ""},
	} {
		var s Search
		var tried []string
		taken := ""
		for _, f := range c.fabrics {
			if !s.Worth(f.Fabric) {
				continue
			}
			tried = append(tried, f.name)
			if f.fit != nil && s.Add(f.Fabric, *f.fit) {
				taken = f.name
			}
		}
		if !slices.Equal(tried, c.tried) || taken != c.taken {
			t.Errorf("%s: tried %v and took %q, want %v and %q", c.name, tried, taken, c.tried, c.taken)
		}
	}
}
