package check_test

import (
	"slices"
	"strings"
	"testing"

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
			e.checked(t, fn, c.want)
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

// twice is a kernel that reads an argument and a table two times each, every load at a memory
// of its own.
func twice() (*ir.Operation, edit) {
	fn := maptest.Kernel(`handshake.func @twice(%a: memref<?xi32>, %start: none) -> (i32, none) {
  %i = constant %start {value = 1 : index} : index
  %x, %x_addr = load [%i] %ma#0, %start : index, i32
  %y, %y_addr = load [%i] %ma#1, %start : index, i32
  %u, %u_addr = load [%i] %mt#0, %start : index, i32
  %v, %v_addr = load [%i] %mt#1, %start : index, i32
  %s = arith.addi %x, %y : i32
  %t = arith.addi %u, %v : i32
  %r = arith.addi %s, %t : i32
  %done = join %ma#2, %ma#3, %mt#2, %mt#3 : none, none, none, none
  %ma:4 = extmemory[ld = 2, st = 0] (%a : memref<?xi32>) (%x_addr, %y_addr) {id = 0 : i32} : (index, index) -> (i32, i32, none, none)
  %mt:4 = memory[ld = 2, st = 0] (%u_addr, %v_addr) {id = 1 : i32, loom.init = dense<[1, 2, 3, 4]> : tensor<4xi32>, lsq = false} : memref<4xi32>, (index, index) -> (i32, i32, none, none)
  return %r, %done : i32, none
}`)
	lanes := func(name string) maptest.Bridge {
		return maptest.Bridge{Name: name, External: true, Elem: ir.I32, Loads: 4, Stores: 2, Regions: 3, TagWidth: 3, Queue: true}
	}
	f := maptest.Fabric("round", 9, 3, 3, lanes("north"), lanes("south"),
		maptest.Bridge{Name: "pad", Elem: ir.I32, Elements: 32, Loads: 4, Stores: 2, Regions: 4, TagWidth: 3})
	one := func(number int, tag uint64) []maptest.Lane { return []maptest.Lane{{Number: number, Tag: tag}} }
	m := maptest.Map(fn, f,
		maptest.Place{Op: twiceArgument, Comp: "north", Region: 1, Loads: one(0, 1), Start: 1, End: 2},
		maptest.Place{Op: twiceArgument, Comp: "south", Region: 0, Loads: one(1, 0), Start: 0, End: 1, From: 1},
		maptest.Place{Op: twiceTable, Comp: "south", Region: 2, Loads: one(2, 2), Start: 2, End: 3},
		maptest.Place{Op: twiceTable, Comp: "pad", Region: 0, First: 3, Loads: one(0, 0), Start: 0, End: 1, From: 1})
	return fn, edit{m, f}
}

// Operations of the kernel of twice.
const (
	twiceArgument = 9
	twiceTable    = 10
)

// TestCopies: an argument, or a table that is only read, may have several memories, each load at
// one of them.
func TestCopies(t *testing.T) {
	for _, c := range []struct {
		name   string
		mutate func(fn *ir.Operation, e edit)
		want   string
	}{
		{"as it is", func(*ir.Operation, edit) {}, ""},
		{"no contents", func(fn *ir.Operation, _ edit) { initialize(fn, twiceTable, false) }, "memory operation 10 is placed twice"},
		{"a load twice", func(_ *ir.Operation, e edit) { e.access(1, 0).Index = 0 }, "load 0 of memory operation 9 is bound twice"},
		{"a load left out", func(_ *ir.Operation, e edit) { e.Memories[1].Accesses = nil }, "load 1 of memory operation 9 is not bound"},
		{"a memory without loads", func(_ *ir.Operation, e edit) { e.Memories[1].Accesses = nil }, "memory operation 9 is placed on 'south' without an access"},
		{"the argument at one memory only", func(_ *ir.Operation, e edit) { e.Args[0].Also = nil }, "memref argument 0 is bound to"},
		{"the argument at another region", func(_ *ir.Operation, e edit) { e.Args[0].Also[0].Region = 1 }, "memref argument 0 is bound to"},
		{"the argument at a memory more", func(_ *ir.Operation, e edit) {
			e.Args[0].Also = append(e.Args[0].Also, mapping.Place{Comp: "north", Region: 2})
		}, "memref argument 0 is bound to"},
		{"both in one region", func(_ *ir.Operation, e edit) { e.Memories[2].Region = 0 }, "region 0 of 'south' serves both"},
		{"a region missing", func(_ *ir.Operation, e edit) { e.Regions = e.Regions[:3] }, "memory 'pad' has no valid region for memory operation 10"},
		{"listed at the second memory", func(_ *ir.Operation, e edit) { e.Ops[twiceArgument].Comp = "south" }, "is listed on 'south'"},
		{"elements of another width", func(_ *ir.Operation, e edit) { e.comp("south").Mem.Type = ir.MemRef([]int64{ir.Dynamic}, ir.I64) }, "the element widths differ"},
		{"the copy beyond the capacity", func(_ *ir.Operation, e edit) { e.Memories[3].First, e.Regions[3].Offset = 29, 116 }, "it is too small"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn, e := twice()
			c.mutate(fn, e)
			e.checked(t, fn, c.want)
		})
	}
}

// TestCopyImages: the address of every memory of an argument and of a table is set, and every
// copy on the chip is written.
func TestCopyImages(t *testing.T) {
	for _, c := range []struct {
		name   string
		mutate func(fn *ir.Operation, e imageEdit)
		want   string
	}{
		{"as it is", func(*ir.Operation, imageEdit) {}, ""},
		{"no second address", func(_ *ir.Operation, e imageEdit) { e.b.Args[0].Also = nil }, "illegal configuration"},
		{"another second address", func(_ *ir.Operation, e imageEdit) { e.b.Args[0].Also[0].Region = 1 }, "illegal configuration"},
		{"an address too many", func(_ *ir.Operation, e imageEdit) {
			e.b.Args[0].Also = append(e.b.Args[0].Also, mapping.At{Mem: e.comp("north").ID, Region: 0})
		}, "where no memory of the kernel serves it"},
		{"the table's memory as the argument's", func(_ *ir.Operation, e imageEdit) {
			e.b.Args[0].Also = append(e.b.Args[0].Also, mapping.At{Mem: e.comp("south").ID, Region: 2})
		}, "where no memory of the kernel serves it"},
		{"no table", func(_ *ir.Operation, e imageEdit) { e.b.Tables = nil }, "illegal configuration"},
		{"no copy", func(_ *ir.Operation, e imageEdit) { e.b.Contents = nil }, "illegal configuration"},
		{"a copy elsewhere", func(_ *ir.Operation, e imageEdit) { e.b.Contents[0].First = 4 }, "illegal configuration"},
		{"a copy too many", func(_ *ir.Operation, e imageEdit) {
			x := e.b.Contents[0]
			x.First = 20
			e.b.Contents = append(e.b.Contents, x)
		}, "where no memory of the kernel begins with them"},
		{"a copy twice", func(_ *ir.Operation, e imageEdit) { e.b.Contents = append(e.b.Contents, e.b.Contents[0]) }, "is given contents twice"},
		{"no contents", func(fn *ir.Operation, _ imageEdit) { initialize(fn, twiceTable, false) }, "illegal configuration"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn, e := twice()
			img, err := e.Image(e.f)
			if err != nil {
				t.Fatal(err)
			}
			b, err := e.Bind(fn, e.f)
			if err != nil {
				t.Fatal(err)
			}
			if len(b.Args[0].Places()) != 2 || len(b.Tables) != 1 || len(b.Contents) != 1 {
				t.Fatalf("%+v", b)
			}
			c.mutate(fn, imageEdit{e, img, b})
			err = check.Image(fn, e.f, img, b)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v does not contain %q", err, c.want)
			}
		})
	}
}

// exchange is a kernel that reads and writes an argument two times each, a load and a store at
// one memory and as many at another.
func exchange() (*ir.Operation, edit) {
	fn := maptest.Kernel(`handshake.func @exchange(%a: memref<?xi32>, %start: none) -> (none) {
  %i = constant %start {value = 1 : index} : index
  %j = constant %start {value = 2 : index} : index
  %x, %x_addr = load [%i] %m#0, %start : index, i32
  %y, %y_addr = load [%j] %m#1, %start : index, i32
  %read = join %m#4, %m#5 : none, none
  %u, %u_addr = store [%j] %x, %read : index, i32
  %v, %v_addr = store [%i] %y, %read : index, i32
  %done = join %m#2, %m#3 : none, none
  %m:6 = extmemory[ld = 2, st = 2] (%a : memref<?xi32>) (%u, %u_addr, %v, %v_addr, %x_addr, %y_addr) {id = 0 : i32} : (i32, index, i32, index, index, index) -> (i32, i32, none, none, none, none)
  return %done : none
}`)
	lanes := func(name string) maptest.Bridge {
		return maptest.Bridge{Name: name, External: true, Elem: ir.I32, Loads: 2, Stores: 2, Regions: 2, TagWidth: 2, Queue: true}
	}
	f := maptest.Fabric("round", 8, 3, 3, lanes("north"), lanes("south"))
	at := func(name string, first, lane int, tag uint64) maptest.Place {
		one := []maptest.Lane{{Number: lane, Tag: tag}}
		return maptest.Place{Op: exchanged, Comp: name, Loads: one, Stores: one, Start: tag, End: tag + 1, From: first, FromStore: first}
	}
	return fn, edit{maptest.Map(fn, f, at("north", 0, 1, 0), at("south", 1, 0, 1)), f}
}

// exchanged is the memory of the kernel of exchange.
const exchanged = 8

// local makes the memory of exchange one on the chip, with contents or without.
func local(fn *ir.Operation, contents bool) {
	op := fn.Regions[0].Entry().Ops[exchanged]
	op.Name = "handshake.memory"
	op.SetOperands(slices.Clone(op.Operands()[1:]))
	op.SetAttr("memRefType", &ir.TypeAttr{Type: ir.MemRef([]int64{4}, ir.I32)})
	if contents {
		op.SetAttr("loom.init", &ir.DenseElementsAttr{Values: []ir.Attr{ir.IntAttr(1, ir.I32)}, Splat: true, Type: ir.Shaped("tensor", []int64{4}, ir.I32)})
	}
}

// TestExchanges: several memories may serve an argument that is written, each access at one of
// them, and no other array that is written.
func TestExchanges(t *testing.T) {
	for _, c := range []struct {
		name   string
		mutate func(fn *ir.Operation, e edit)
		want   string
	}{
		{"as it is", func(*ir.Operation, edit) {}, ""},
		{"a store twice", func(_ *ir.Operation, e edit) { e.access(1, 1).Index = 0 }, "store 0 of memory operation 8 is bound twice"},
		{"a store left out", func(_ *ir.Operation, e edit) { e.Memories[1].Accesses = e.Memories[1].Accesses[:1] }, "store 1 of memory operation 8 is not bound"},
		{"too few store ports at the second", func(_ *ir.Operation, e edit) { e.comp("south").Mem.StCount = 0 }, "it has too few ports"},
		{"too few load ports at the second", func(_ *ir.Operation, e edit) { e.comp("south").Mem.LdCount = 0 }, "it has too few ports"},
		{"the argument at one memory only", func(_ *ir.Operation, e edit) { e.Args[0].Also = nil }, "memref argument 0 is bound to"},
		{"on the chip, with contents", func(fn *ir.Operation, e edit) { local(fn, true); e.Ops[exchanged].Name = "handshake.memory" }, "memory operation 8 is placed twice"},
		{"on the chip", func(fn *ir.Operation, e edit) { local(fn, false); e.Ops[exchanged].Name = "handshake.memory" }, "memory operation 8 is placed twice"},
		{"a region missing", func(_ *ir.Operation, e edit) { e.Regions = e.Regions[:1] }, "memory 'south' has no valid region"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn, e := exchange()
			c.mutate(fn, e)
			e.checked(t, fn, c.want)
		})
	}
}

// TestExchangeImages: the host sets the address of every memory that serves the argument.
func TestExchangeImages(t *testing.T) {
	for _, c := range []struct {
		name   string
		mutate func(fn *ir.Operation, e imageEdit)
		want   string
	}{
		{"as it is", func(*ir.Operation, imageEdit) {}, ""},
		{"no second address", func(_ *ir.Operation, e imageEdit) { e.b.Args[0].Also = nil }, "illegal configuration"},
		{"the second address at another region", func(_ *ir.Operation, e imageEdit) { e.b.Args[0].Also[0].Region = 1 }, "illegal configuration"},
		{"on the chip", func(fn *ir.Operation, _ imageEdit) { local(fn, true) }, "illegal configuration"},
		{"stores exchanged", func(fn *ir.Operation, _ imageEdit) {
			op := fn.Regions[0].Entry().Ops[exchanged]
			u, v := op.Operand(2), op.Operand(4) // addresses: the data now goes to the other element
			op.SetOperand(2, v)
			op.SetOperand(4, u)
		}, "illegal configuration"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn, e := exchange()
			img, err := e.Image(e.f)
			if err != nil {
				t.Fatal(err)
			}
			b, err := e.Bind(fn, e.f)
			if err != nil {
				t.Fatal(err)
			}
			if len(b.Args[0].Places()) != 2 {
				t.Fatalf("%+v", b)
			}
			c.mutate(fn, imageEdit{e, img, b})
			err = check.Image(fn, e.f, img, b)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v does not contain %q", err, c.want)
			}
		})
	}
}
