package e2e

import (
	"math"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/mapper"
	"loom/internal/maptest"
	"loom/internal/testkit"
	"loom/sim/vector"
)

// partsFabric has units that sum up in parts in two kinds of PEs: alone, whose body has its inputs in another order than
// entries of architecture files make, and beside additions and accumulators, with which they share an adder.
const partsFabric = `name: parts
width: 32
topology: {kind: mesh, rows: 4, columns: 4, tracks: 2, input_fifo: 2}
boundary: {inputs: 5, outputs: 5}
extmemories: [{element: f32, count: 2}]
function_units:
  three:
    mlir: |
      fabric.function_unit @three(%d: i1, %x: f32, %a: f32) -> f32 [latency = -1, interval = -1] {
        %s = dataflow.accumulate %d, %a, %x {operation = "subf", parts = 3 : i64} : i1, f32, f32 -> f32
        fabric.yield %s : f32
      }
  product:
    mlir: |
      fabric.function_unit @product(%a: f32, %d: i1, %x: f32) -> f32 [latency = -1, interval = -1] {
        %s = dataflow.accumulate %d, %a, %x {operation = "mulf", parts = 5 : i64} : i1, f32, f32 -> f32
        fabric.yield %s : f32
      }
  adder: [{addf: f32}, {subf: f32}, {accumulate: {ops: [addf, subf], type: f32, parts: 4}}, {addi: i32}, {select: i32}]
  differences: [{addf: {type: f32, latency: 3}}, {accumulate: {ops: [subf], type: f32, parts: 3}}]
pes:
  alone: {units: [three], immediates: [0]}
  other: {units: [product], immediates: [0]}
  shared: {units: [adder], immediates: [0, 1]}
  mixed: {units: [differences, {carry: i32}], immediates: [0, 1]}
  plain: {units: [{counter: index}, {loop: [i32, i1]}, {stream: index}, {load: i32}, {store: i32}, {join: 3}, {cond_br: [i32, i1]}, {carry: [i32, i1]}, {constant: i32}, {invariant: i32}], immediates: [0, 1, 2]}
pattern:
  - [THREE, plain, shared, plain]
  - [plain, other, plain, plain]
  - [plain, shared, plain, plain]
  - [shared, plain, plain, plain]
`

// partsKernel sums up in three units and in an accumulator, and stores every element, so that the units wait for the memory.
const partsKernel = `handshake.func @parts(%a: memref<?xf32>, %b: memref<?xf32>, %n: index, %s: f32, %start: none) -> (f32, f32, f32, f32, none)
    attributes {argNames = ["a", "b", "n", "s", "start"], resNames = ["sum", "difference", "product", "serial", "done"]} {
  %zero = constant %start {value = 0 : index} : index
  %one = constant %start {value = 1 : index} : index
  %i, %d = dataflow.stream %zero, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %it, %last = cond_br %d, %i : index
  %tok = join %it : index
  %x, %xa = load [%it] %ld#0, %tok : index, f32
  %sum = dataflow.accumulate %d, %s, %x {operation = "addf", parts = 4 : i64} : i1, f32, f32 -> f32
  %difference = dataflow.accumulate %d, %s, %x {operation = "subf", parts = 3 : i64} : i1, f32, f32 -> f32
  %product = dataflow.accumulate %d, %s, %x {operation = "mulf", parts = 5 : i64} : i1, f32, f32 -> f32
  %v = dataflow.carry %d, %s, %next : i1, f32, f32 -> f32
  %body, %serial = cond_br %d, %v : f32
  %next = arith.addf %body, %x : f32
  %st, %sta = store [%it] %x, %tok : index, f32
  %c = dataflow.carry %d, %start, %stored : i1, none, none -> none
  %cb, %done = cond_br %d, %c : none
  %ld:2 = extmemory[ld = 1, st = 0] (%a : memref<?xf32>) (%xa) {id = 0 : i32} : (index) -> (f32, none)
  %stored = extmemory[ld = 0, st = 1] (%b : memref<?xf32>) (%st, %sta) {id = 1 : i32} : (f32, index) -> none
  return %sum, %difference, %product, %serial, %done : f32, f32, f32, f32, none
}
`

// TestSumsInParts co-simulates sums in parts, alone in their PEs and with a shared adder, under random stalls: hardware and
// cycle simulator agree in every cycle, and give what the graph gives; loops have no element, fewer than parts, and
// more, NaN and infinities among them.
func TestSumsInParts(t *testing.T) {
	if !haveVerilator(t) {
		t.Skip("co-simulation needs verilator and a C++ compiler")
	}
	for _, pe := range []string{"alone", "mixed"} {
		t.Run(pe, func(t *testing.T) {
			f := testkit.FabricOf(t, "parts.yaml", []byte(strings.ReplaceAll(partsFabric, "THREE", pe)))
			fn := maptest.Kernel(partsKernel)
			res, err := mapper.Map(fn, f, mapper.Options{})
			if err != nil {
				t.Fatal(diag.Render(diag.FromError(err), nil))
			}
			special := []float32{1, -2.5, 3e38, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1e-40, 0}
			stalledRuns(t, f, fn, res, []int64{0, 1, 2, 3, 4, 5, 11, 24}, func(n int, size int64, in *vector.Inputs) {
				in.Args[2].Scalar = uint64(size)
				if n%2 == 1 {
					for i := range in.Args[0].Mem.Data {
						in.Args[0].Mem.Data[i] = uint64(math.Float32bits(special[(3*i+n)%len(special)]))
					}
				}
			})
		})
	}
}
