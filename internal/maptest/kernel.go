package maptest

import (
	"loom/compiler/arch"
	_ "loom/compiler/dialect/all" // assembly of every dialect
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

// arraysText is the kernel of Arrays. Loaded values are addresses of other loads,
// and some done tokens are unused.
const arraysText = `handshake.func @arrays(%a: memref<?xi32>, %b: memref<?xi32>, %c: memref<?xi32>, %k: i32, %start: none) -> (i32, i32, none) {
  %i0 = constant %start {value = 0 : index} : index
  %i1 = constant %start {value = 1 : index} : index
  %i2 = constant %start {value = 2 : index} : index
  %i3 = constant %start {value = 3 : index} : index
  %a0, %a0_addr = load [%i0] %ma#0, %start : index, i32
  %a1, %a1_addr = load [%i1] %ma#1, %start : index, i32
  %a0_wide = arith.index_cast %a0 : i32 to index
  %a1_wide = arith.index_cast %a1 : i32 to index
  %b0, %b0_addr = load [%a0_wide] %mb#0, %start : index, i32
  %c0, %c0_addr = load [%i3] %mc#0, %start : index, i32
  %t0, %t0_addr = load [%a1_wide] %table#0, %start : index, i32
  %t1, %t1_addr = load [%i2] %table#1, %start : index, i32
  %pair = arith.addi %t0, %t1 : i32
  %sum = arith.addi %pair, %b0 : i32
  %s0, %s0_addr = store [%i0] %sum, %start : index, i32
  %s1, %s1_addr = store [%i1] %t0, %start : index, i32
  %stored = join %buffer#1, %buffer#2 : none, none
  %w, %w_addr = load [%i0] %buffer#0, %stored : index, i32
  %read = join %ma#3, %ma#4 : none, none
  %sa, %sa_addr = store [%i2] %w, %read : index, i32
  %ss, %ss_addr = store [%i1] %k, %start : index, i32
  %x, %x_addr = load [%i1] %small#0, %small#1 : index, i32
  %done = join %ma#2, %buffer#3, %mc#1 : none, none, none
  %ma:5 = extmemory[ld = 2, st = 1] (%a : memref<?xi32>) (%sa, %sa_addr, %a0_addr, %a1_addr) {id = 0 : i32} : (i32, index, index, index) -> (i32, i32, none, none, none)
  %mb:2 = extmemory[ld = 1, st = 0] (%b : memref<?xi32>) (%b0_addr) {id = 1 : i32} : (index) -> (i32, none)
  %mc:2 = extmemory[ld = 1, st = 0] (%c : memref<?xi32>) (%c0_addr) {id = 2 : i32} : (index) -> (i32, none)
  %table:4 = memory[ld = 2, st = 0] (%t0_addr, %t1_addr) {id = 3 : i32, loom.init = dense<[100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115]> : tensor<16xi32>, lsq = false} : memref<16xi32>, (index, index) -> (i32, i32, none, none)
  %buffer:4 = memory[ld = 1, st = 2] (%s0, %s0_addr, %s1, %s1_addr, %w_addr) {id = 4 : i32, lsq = false} : memref<8xi32>, (i32, index, i32, index, index) -> (i32, none, none, none)
  %small:3 = memory[ld = 1, st = 1] (%ss, %ss_addr, %x_addr) {id = 5 : i32, lsq = false} : memref<4xi32>, (i32, index, index) -> (i32, none, none)
  return %x, %sum, %done : i32, i32, none
}
`

// Operations of the kernel of Arrays.
const (
	ArraysA = 23 + iota
	ArraysB
	ArraysC
	ArraysTable
	ArraysBuffer
	ArraysSmall
)

// Arrays is a kernel of several arrays and accesses with a fabric and a mapping
// onto it.
//
// On the tagged external memory "dram" lie the arguments a (two loads, a store)
// and b (a load), on the untagged external memory "port" the argument c (a load),
// on the tagged on-chip memory "pad" a table with initial contents (two loads) and
// a buffer (a load, two stores), on the tagged memory "one" with a single lane of
// each kind an array of four elements. The private memory "hidden" is not used.
func Arrays() (*ir.Operation, *arch.Fabric, *mapping.Mapping) {
	fn := Kernel(arraysText)
	f := Fabric("round", 23, 3, 3,
		Bridge{Name: "dram", External: true, Elem: ir.I32, Loads: 4, Stores: 2, Regions: 3, TagWidth: 3, Queue: true},
		Bridge{Name: "port", External: true, Elem: ir.I32, Loads: 1, Stores: 1},
		Bridge{Name: "pad", Elem: ir.I32, Elements: 32, Loads: 4, Stores: 2, Regions: 4, TagWidth: 3},
		Bridge{Name: "one", Elem: ir.I32, Elements: 8, Loads: 1, Stores: 1, TagWidth: 1},
		Bridge{Name: "hidden", Elem: ir.I32, Elements: 64, Loads: 2, Stores: 2, TagWidth: 2, Private: true})
	return fn, f, Map(fn, f,
		Place{Op: ArraysA, Comp: "dram", Region: 1, Loads: []Lane{{0, 1}, {2, 0}}, Stores: []Lane{{1, 1}}, Start: 0, End: 2},
		Place{Op: ArraysB, Comp: "dram", Region: 0, Loads: []Lane{{1, 2}}, Start: 2, End: 3},
		Place{Op: ArraysC, Comp: "port"},
		Place{Op: ArraysTable, Comp: "pad", Region: 2, First: 8, Loads: []Lane{{0, 2}, {1, 3}}, Start: 2, End: 4},
		Place{Op: ArraysBuffer, Comp: "pad", Region: 0, First: 24, Loads: []Lane{{3, 0}}, Stores: []Lane{{1, 0}, {0, 1}}, Start: 0, End: 2},
		Place{Op: ArraysSmall, Comp: "one", First: 3, Loads: []Lane{{0, 0}}, Stores: []Lane{{0, 0}}, Start: 0, End: 1})
}

// Kernel parses a handshake.func. A text that is none is a fault of the test.
func Kernel(text string) *ir.Operation {
	mod, err := mlir.ParseAndVerify("kernel.mlir", text)
	if err != nil {
		panic(err)
	}
	var fn *ir.Operation
	mod.Walk(func(o *ir.Operation) bool {
		if o.Name == opname.HandshakeFunc {
			fn = o
		}
		return fn == nil
	})
	return fn
}
