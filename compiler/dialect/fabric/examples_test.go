package fabric_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
)

// example reads a file of the corpus that breaks no rule, and checks that it gives
// exactly the wanted warnings and survives printing and parsing.
func example(t *testing.T, name string, warnings ...string) *ir.Operation {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(corpus, name))
	if err != nil {
		t.Fatal(err)
	}
	m, err := mlir.Parse(name, string(src))
	if err != nil {
		t.Fatal(err)
	}
	var errs diag.List
	ir.Verify(m, &errs)
	var got []string
	for _, d := range errs.All {
		got = append(got, d.Symbol)
	}
	if d := cmp.Diff(warnings, got); d != "" {
		t.Fatalf("%s: findings (-want +got):\n%s\n%s", name, d, diag.Render(&errs, nil))
	}
	roundTrip(t, string(src))
	return m
}

// flat flattens one module of an example.
func flat(t *testing.T, m *ir.Operation, name string) *arch.Fabric {
	t.Helper()
	f, err := arch.FromModule(m, name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return f
}

// memories are the memories of a fabric, in order.
func memories(f *arch.Fabric) []*arch.Component {
	var out []*arch.Component
	for _, c := range f.Comps {
		if c.Mem != nil {
			out = append(out, c)
		}
	}
	return out
}

// widths lists the bits of every port, inputs first.
func widths(c *arch.Component) map[string]int {
	out := map[string]int{}
	for _, p := range append(append([]arch.Port(nil), c.In...), c.Out...) {
		out[p.Name] = p.Bits()
	}
	return out
}

// TestSpecExamples reads the examples of spec-fabric-mem.md: all of them verify,
// print and flatten, with the parameters that they write.
func TestSpecExamples(t *testing.T) {
	m := example(t, "spec-fabric-mem.mlir")
	type facts struct {
		Kind                                 arch.Kind
		Ld, St, LSQ, Regions, Tag, Elem, Bus int
		Elements                             int64
		Private                              bool
	}
	for name, want := range map[string]facts{
		"instances": {arch.Memory, 2, 2, 4, 1, 2, 32, 0, 1024, true},
		"bound":     {arch.ExtMemory, 1, 1, 4, 1, 0, 32, 32, 0, false},
		"single":    {arch.Memory, 1, 1, 4, 1, 0, 32, 0, 256, true},
		"multi":     {arch.ExtMemory, 4, 2, 8, 1, 3, 32, 32, 0, false},
		"export":    {arch.Memory, 1, 0, 0, 1, 0, 16, 0, 1024, false},
	} {
		mems := memories(flat(t, m, name))
		if len(mems) != 1 {
			t.Fatalf("%s has %d memories", name, len(mems))
		}
		s := mems[0].Mem
		got := facts{mems[0].Kind, s.LdCount, s.StCount, s.LSQDepth, s.NumRegion, s.TagWidth, s.ElemWidth, s.BusWidth, s.Elements, s.Private}
		if got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// TestPortWidths is the worked example of spec-fabric-mem.md, "Port Width by
// Category": what the ports are wide in hardware.
func TestPortWidths(t *testing.T) {
	m := example(t, "spec-fabric-mem-widths.mlir", "CPL_MEMORY_TAG_RANGE")
	for name, want := range map[string]map[string]int{
		"widths":   {"ldaddr": 65, "staddr": 65, "stdata": 33, "lddata": 33, "lddone": 1, "stdone": 1},
		"untagged": {"ldaddr": 64, "staddr": 64, "stdata": 32, "lddata": 32, "lddone": 1, "stdone": 1},
	} {
		f := flat(t, m, name)
		mem := memories(f)[0]
		if d := cmp.Diff(want, widths(mem)); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
		for _, p := range append(append([]arch.Port(nil), mem.In...), mem.Out...) {
			if p.TagWidth != mem.Mem.TagWidth || p.Chan.TagWidth != p.TagWidth {
				t.Errorf("%s: the tag of %s has %d bits, on the channel %d, in the memory %d", name, p.Name, p.TagWidth, p.Chan.TagWidth, mem.Mem.TagWidth)
			}
		}
	}
	// With 32-bit index only the addresses change.
	text := mlir.Print(m, mlir.Options{})
	narrow := strings.Replace(text, "-> (!fabric.bits<64>, !fabric.bits<64>, !fabric.bits<64>) {",
		"-> (!fabric.bits<64>, !fabric.bits<64>, !fabric.bits<64>) [index_width = 32] {", 1)
	again, err := mlir.ParseAndVerify("narrow", narrow)
	if err != nil || narrow == text {
		t.Fatal("the width of index is not set", err)
	}
	want := map[string]int{"ldaddr": 33, "staddr": 33, "stdata": 33, "lddata": 33, "lddone": 1, "stdone": 1}
	if d := cmp.Diff(want, widths(memories(flat(t, again, "widths"))[0])); d != "" {
		t.Error(d)
	}
}

// TestReadOnlyMemory: memories without store ports, of both kinds, have neither
// store ports nor a store queue.
func TestReadOnlyMemory(t *testing.T) {
	m := example(t, "rom.mlir")
	for name, number := range map[string]int{"one_port": 3, "several_ports": 2} {
		mems := memories(flat(t, m, name))
		if len(mems) != number {
			t.Fatalf("%s has %d memories", name, len(mems))
		}
		for _, c := range mems {
			s := c.Mem
			if s.StCount != 0 || s.LSQDepth != 0 || s.StAddr >= 0 || s.StData >= 0 || s.StDone >= 0 || s.LdAddr != 0 || s.LdData != 0 || s.LdDone != 1 {
				t.Errorf("%s: %s is %+v", name, c.Name, s)
			}
			if len(c.In) != 1 || len(c.Out) != 2 {
				t.Errorf("%s: %s has %d inputs and %d outputs", name, c.Name, len(c.In), len(c.Out))
			}
		}
	}
}
