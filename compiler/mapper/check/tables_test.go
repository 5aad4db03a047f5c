package check_test

import (
	"strings"
	"testing"

	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/mapper/check"
	"loom/compiler/mapping"
	"loom/internal/maptest"
)

// tables is a kernel with an argument and a constant table of bytes, both in the external
// memory "dram" of wider elements, and a private memory "pad".
func tables() (*ir.Operation, edit) {
	fn := maptest.Kernel(`handshake.func @tables(%a: memref<?xi32>, %start: none) -> (i8, none) {
  %i = constant %start {value = 1 : index} : index
  %x, %x_addr = load [%i] %ma#0, %start : index, i32
  %x_wide = arith.index_cast %x : i32 to index
  %y, %y_addr = load [%x_wide] %mt#0, %start : index, i8
  %done = join %ma#1, %mt#1 : none, none
  %ma:2 = extmemory[ld = 1, st = 0] (%a : memref<?xi32>) (%x_addr) {id = 0 : i32} : (index) -> (i32, none)
  %mt:2 = memory[ld = 1, st = 0] (%y_addr) {id = 1 : i32, loom.init = dense<[1, 2, 3, 4]> : tensor<4xi8>, lsq = false} : memref<4xi8>, (index) -> (i8, none)
  return %y, %done : i8, none
}`)
	f := maptest.Fabric("round", 5, 3, 3,
		maptest.Bridge{Name: "dram", External: true, Elem: ir.I32, Loads: 4, Stores: 2, Regions: 3, TagWidth: 3, Queue: true},
		maptest.Bridge{Name: "pad", Elem: ir.I32, Elements: 32, Loads: 4, Stores: 2, Regions: 4, TagWidth: 3, Private: true})
	m := maptest.Map(fn, f, maptest.Place{Op: 5, Comp: "dram", Region: 1, Loads: []maptest.Lane{{Number: 0, Tag: 1}}, Start: 1, End: 2},
		maptest.Place{Op: 6, Comp: "dram", Region: 0, Loads: []maptest.Lane{{Number: 1, Tag: 0}}, Start: 0, End: 1})
	return fn, edit{m, f}
}

// initialize makes a memory operation one that starts with contents, or with none.
func initialize(fn *ir.Operation, op int, contents bool) {
	ops := fn.Regions[0].Entry().Ops
	if contents {
		ops[op].SetAttr("loom.init", ops[6].Attr("loom.init"))
	} else {
		ops[op].SetAttr("loom.init", nil)
	}
}

// TestTables: constant tables of the kernel may lie in external memory, and only they.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		name   string
		mutate func(fn *ir.Operation, e edit)
		want   string
	}{
		{"as it is", func(*ir.Operation, edit) {}, ""},
		{"no contents", func(fn *ir.Operation, _ edit) { initialize(fn, 6, false) }, "the kind of memory is wrong"},
		{"not listed as a table", func(_ *ir.Operation, e edit) { e.Memories[1].Table = false }, "if and only if the kernel's own memory is external"},
		{"an argument listed as a table", func(_ *ir.Operation, e edit) { e.Memories[0].Table = true }, "if and only if the kernel's own memory is external"},
		{"an argument with wider elements", func(fn *ir.Operation, _ edit) {
			fn.Regions[0].Entry().Args[0].Type = ir.MemRef([]int64{ir.Dynamic}, ir.Int(8))
		}, "the element widths differ"},
		{"narrower elements", func(_ *ir.Operation, e edit) { e.comp("dram").Mem.Type = ir.MemRef([]int64{ir.Dynamic}, ir.Int(4)) }, "the element widths differ"},
		{"first element", func(_ *ir.Operation, e edit) { e.Memories[1].First = 1 }, "only the host knows"},
		{"region of the argument", func(_ *ir.Operation, e edit) { e.Memories[1].Region = 1 }, "region 1 of 'dram' serves both"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn, e := tables()
			c.mutate(fn, e)
			e.LayoutHash = mapping.HashText(config.NewLayout(e.f).Hash)
			err := check.Mapping(fn, e.f, e.Mapping)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v does not contain %q", err, c.want)
			}
		})
	}
}

// TestTableImages: the host must set the address of every table, where the configuration
// reads it, and no others.
func TestTableImages(t *testing.T) {
	for _, c := range []struct {
		name   string
		mutate func(fn *ir.Operation, e imageEdit)
		want   string
	}{
		{"as it is", func(*ir.Operation, imageEdit) {}, ""},
		{"no table", func(_ *ir.Operation, e imageEdit) { e.b.Tables = nil }, "illegal configuration"},
		{"another region", func(_ *ir.Operation, e imageEdit) { e.b.Tables[0].Region = 1 }, "illegal configuration"},
		{"another memory", func(_ *ir.Operation, e imageEdit) { e.b.Tables[0].Mem = e.comp("pad").ID }, "illegal configuration"},
		{"regions exchanged", func(_ *ir.Operation, e imageEdit) {
			e.b.Tables[0].Region, e.b.Args[0].Region = 1, 0
		}, "illegal configuration"},
		{"an element missing", func(_ *ir.Operation, e imageEdit) { e.b.Tables[0].Data = e.b.Tables[0].Data[:3] }, "illegal configuration"},
		{"elements of another size", func(_ *ir.Operation, e imageEdit) { e.b.Tables[0].ElemBytes = 1 }, "illegal configuration"},
		{"a table twice", func(_ *ir.Operation, e imageEdit) { e.b.Tables = append(e.b.Tables, e.b.Tables[0]) }, "is given a table twice"},
		{"a table of nothing", func(_ *ir.Operation, e imageEdit) {
			e.b.Tables = append(e.b.Tables, mapping.Table{Name: "x", Op: 5, Mem: e.comp("dram").ID, Region: 1})
		}, "where no memory of the kernel begins with it"},
		{"no contents", func(fn *ir.Operation, _ imageEdit) { initialize(fn, 6, false) }, "illegal configuration"},
		{"an argument with wider elements", func(fn *ir.Operation, _ imageEdit) {
			fn.Regions[0].Entry().Args[0].Type = ir.MemRef([]int64{ir.Dynamic}, ir.Int(8))
		}, "illegal configuration"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn, e := tables()
			img, err := e.Image(e.f)
			if err != nil {
				t.Fatal(err)
			}
			b, err := e.Bind(fn, e.f)
			if err != nil {
				t.Fatal(err)
			}
			if x := b.Tables; len(x) != 1 || x[0].Name != "memory_6" || x[0].Region != 0 || x[0].ElemBytes != 4 || len(x[0].Data) != 4 || x[0].Data[3] != 4 {
				t.Fatalf("tables %+v", x)
			}
			c.mutate(fn, imageEdit{e, img, b})
			err = check.Image(fn, e.f, img, b)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v does not contain %q", err, c.want)
			}
		})
	}
}
