package build

import (
	"fmt"
	"strings"
	"testing"

	"loom/compiler/arch"
)

// fabricOf builds and flattens an architecture.
func fabricOf(t *testing.T, text string) (*arch.Fabric, error) {
	t.Helper()
	m, err := Build("x.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	return arch.FromModule(m, "")
}

// TestShare checks that templates that share are divided into as few groups as possible, of about the same size and of
// PEs that stand close to each other.
func TestShare(t *testing.T) {
	for _, c := range []struct{ rows, columns, share, sizes int }{{1, 4, 2, 22}, {1, 5, 2, 221}, {4, 4, 4, 4444}, {3, 3, 8, 54}, {2, 2, 3, 22}} {
		f, err := fabricOf(t, fmt.Sprintf(`name: x
topology: {kind: mesh, rows: %d, columns: %d}
boundary: {inputs: 1, outputs: 1}
pes: {d: {units: [{divf: f32}, {addi: i32}, {divsi: i32}, {remsi: i32}, {remf: f32}], share: %d}}
pattern: [[d]]
`, c.rows, c.columns, c.share))
		if err != nil {
			t.Fatal(err)
		}
		sizes := ""
		for _, group := range f.Sharers() {
			sizes += fmt.Sprint(len(group))
			for _, a := range group {
				for _, b := range group {
					if c.rows == 4 && max(a.X-b.X, b.X-a.X)+max(a.Y-b.Y, b.Y-a.Y) > 6 { // three PEs apart
						t.Errorf("%s and %s, of one group of a 4 x 4 mesh, are far apart", a.Name, b.Name)
					}
				}
			}
		}
		if sizes != fmt.Sprint(c.sizes) {
			t.Errorf("%d x %d with share: %d has groups of %s, want %d", c.rows, c.columns, c.share, sizes, c.sizes)
		}
		pe := f.Sharers()[0][0].PE
		var hardware []string
		for _, hw := range pe.Iterative() {
			hardware = append(hardware, fmt.Sprint(hw.Key, hw.Units))
		}
		if got := strings.Join(hardware, ", "); got != "loom_float_divsqrt f32[0], loom_divide[2 3], loom_float_rem f32[4]" {
			t.Errorf("the iterative hardware is %s", got)
		}
	}
}

// TestShareFaults lists architectures and fabrics whose PEs cannot share.
func TestShareFaults(t *testing.T) {
	const good = `name: x
topology: {kind: mesh, rows: 1, columns: 2}
boundary: {inputs: 1, outputs: 1}
pes: {d: {units: [{divf: f32}, {addi: i32}], share: 2}}
pattern: [[d]]
`
	if _, err := fabricOf(t, good); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{"share: 2", "share: 1", "must be between 2 and 8"},
		{"share: 2", "share: 9", "must be between 2 and 8"},
		{"{divf: f32}, ", "", "CPL_SHARED_UNITS_NONE"},
		{", {addi: i32}", "", "CPL_SHARED_UNITS_NONE"}, // a unit alone has no opcode, and nothing in common with others
		{"{divf: f32}", "{divf: {type: f32, interval: 1}}", "CPL_SHARED_UNITS_NONE"},
		{"{divf: f32}", "{divf: f32}, {addi: i64}", "CPL_SHARED_UNITS_NONE"}, // not of the widest words
	} {
		text := strings.Replace(good, c.from, c.to, 1)
		if strings.Contains(c.to, "i64") {
			text = strings.Replace(text, "name: x", "name: x\nwidth: 64", 1)
		}
		if _, err := fabricOf(t, text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s instead of %s: got %v, want %q", c.to, c.from, err, c.want)
		}
	}
}
