package check_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/mapper/check"
	"loom/compiler/mapping"
	"loom/internal/maptest"
)

// smallBridges is a kernel without units on a fabric of two small bridges.
func smallBridges() (*ir.Operation, *arch.Fabric, *mapping.Mapping) {
	fn := maptest.Kernel(`handshake.func @f(%a: memref<?xi8>, %i: index, %j: index, %k: i8, %start: none) -> (i8, i8, i8, none, none) {
  %m:3 = memory[ld = 1, st = 1] (%k, %i, %j) {id = 0 : i32, loom.init = dense<3> : tensor<4xi8>, lsq = false} : memref<4xi8>,
      (i8, index, index) -> (i8, none, none)
  %x:4 = extmemory[ld = 2, st = 0] (%a : memref<?xi8>) (%i, %j) {id = 1 : i32} : (index, index) -> (i8, i8, none, none)
  return %m#0, %x#0, %x#1, %m#2, %start : i8, i8, i8, none, none
}`)
	f := maptest.Fabric("f", 0, 4, 5,
		maptest.Bridge{Name: "chip", Elem: ir.I8, Elements: 8, Loads: 2, Stores: 1, TagWidth: 2, Regions: 2},
		maptest.Bridge{Name: "ext", Elem: ir.I8, External: true, Loads: 3, TagWidth: 2, Regions: 2})
	return fn, f, maptest.Map(fn, f,
		maptest.Place{Op: 0, Comp: "chip", Loads: []maptest.Lane{{Number: 1, Tag: 1}}, Stores: []maptest.Lane{{}}, End: 2},
		maptest.Place{Op: 1, Comp: "ext", Region: 1, Loads: []maptest.Lane{{Number: 1, Tag: 2}, {Number: 2, Tag: 1}}, Start: 1, End: 3})
}

// readAll gives a map.json to everything that reads one and reports whether it
// passes.
func readAll(fn *ir.Operation, f *arch.Fabric, text []byte) bool {
	m, err := mapping.Read("m.json", text)
	if err != nil {
		return false
	}
	ok := check.Mapping(fn, f, m) == nil
	b, errB := m.Bind(fn, f)
	img, errI := m.Image(f)
	return errB == nil && errI == nil && check.Image(fn, f, img, b) == nil && ok
}

// FuzzReadBridges feeds damaged map.json files with bridges to everything that reads
// them: an error at worst, never a panic.
func FuzzReadBridges(f *testing.F) {
	fn, fab, m := smallBridges()
	if !readAll(fn, fab, m.JSON()) {
		f.Fatal("the undamaged mapping does not pass")
	}
	f.Add(m.JSON())
	f.Fuzz(func(_ *testing.T, text []byte) { readAll(fn, fab, text) })
}

// TestDamagedBridges puts values that are far off into every field of a map.json
// and empties every list: never a panic, and nothing passes that was needed.
func TestDamagedBridges(t *testing.T) {
	fn, f, m := smallBridges()
	var tree any
	if err := json.Unmarshal(m.JSON(), &tree); err != nil {
		t.Fatal(err)
	}
	same, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	try := func(path string, values ...any) {
		for _, v := range values {
			text, err := json.Marshal(replace(tree, strings.Split(path, "."), v, false))
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(text, same) {
				continue
			}
			tried++
			if readAll(fn, f, text) && !free.MatchString(path) {
				t.Errorf("%s = %v passes", path, v)
			}
		}
	}
	leaves(tree, "", func(path string, v any) {
		switch v.(type) {
		case float64:
			try(path, -1, json.Number("9223372036854775807"))
		case string:
			try(path, "", "0xffffffffffffffff", "chip_load1")
		case map[string]any, []any:
			try(path, map[string]any{}, []any{})
		}
	})
	for _, list := range []string{"memories", "regions", "tags", "temporal_switches", "edges", "switches", "args", "results", "ops"} {
		try(list, []any{})
	}
	t.Logf("%d changes", tried)
	if tried < 500 {
		t.Errorf("only %d changes tried", tried)
	}
}
