package e2e

import (
	"context"
	"slices"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/internal/ladder"
	"loom/internal/maptest"
	"loom/internal/testkit"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
	"loom/sim/token"
	"loom/sim/vector"
	"loom/verilator"
)

// fusedFabric has state machines of several operations in two kinds of PEs: with one of them, whose
// body has its inputs and operations in another order than the entries of architecture files make, and
// with those of the entries, which share the data paths of the PE.
const fusedFabric = `name: fused
width: 32
topology: {kind: mesh, rows: 4, columns: 4, tracks: 2, input_fifo: 2}
boundary: {inputs: 4, outputs: 6}
extmemories: [{element: i32, count: 2}]
function_units:
  down:
    mlir: |
      fabric.function_unit @down(%bound: index, %d: index, %start: index) -> (index, i1) [latency = -1, interval = -1] {
        %t, %f = handshake.cond_br %go, %i : index
        %i, %go = dataflow.stream %start, %d, %bound {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
        fabric.yield %t, %go : index, i1
      }
  round:
    mlir: |
      fabric.function_unit @round(%b: i32, %a: i32, %d: i1) -> (i32, i32) [latency = -1, interval = -1] {
        %t, %f = handshake.cond_br %d, %v : i32
        %v = dataflow.carry %d, %a, %b : i1, i32, i32 -> i32
        fabric.yield %t, %f : i32, i32
      }
  behind:
    mlir: |
      fabric.function_unit @behind(%x: i32, %d: i1, %a: i32) -> (i32, i32) [latency = -1, interval = -1] {
        %n = arith.xori %x, %t : i32
        %v = dataflow.carry %d, %a, %n : i1, i32, i32 -> i32
        %t, %f = handshake.cond_br %d, %v : i32
        fabric.yield %n, %f : i32, i32
      }
  ahead:
    mlir: |
      fabric.function_unit @ahead(%x: i32, %d: i1, %a: i32) -> (i32, i32) [latency = -1, interval = -1] {
        %n = arith.maxsi %x, %t : i32
        %v = dataflow.carry %d, %a, %n : i1, i32, i32 -> i32
        %t, %f = handshake.cond_br %d, %v : i32
        fabric.yield %t, %f : i32, i32
      }
  entries: [{counter: index}, {loop: [i32, i1]}, {accumulate: {ops: [subi, xori], type: i32}}, {accumulate: {ops: [minui, maxsi], type: i32, yields: present}}, {addi: i32}, {select: i32}]
pes:
  alone_down: {units: [down], immediates: [0, 1, 2]}
  alone_round: {units: [round], immediates: [0, 1]}
  alone_behind: {units: [behind], immediates: [0]}
  alone_ahead: {units: [ahead], immediates: [0]}
  shared: {units: [entries], immediates: [0, 1, 2]}
  plain: {units: [{muli: i32}, {subi: i32}, {load: i32}, {store: i32}, {join: 3}, {cond_br: [i32, i1]}, {carry: [i32, i1]}, {constant: i32}], immediates: [0, 1, 2]}
pattern:
  - [alone_down, plain, PE, plain]
  - [PE, alone_round, plain, alone_behind]
  - [plain, PE, plain, plain]
  - [PE, plain, PE, alone_ahead]
`

// fusedKernel stores in every iteration, so that its state machines wait for the memory: a counter, a
// difference, a sum modulo 2 with the sum behind, a product around, a maximum that others read as it was before, and a loop of tokens.
const fusedKernel = `handshake.func @fused(%a: memref<?xi32>, %b: memref<?xi32>, %n: index, %s: i32, %start: none) -> (i32, i32, i32, i32, none)
    attributes {argNames = ["a", "b", "n", "s", "start"], resNames = ["difference", "parity", "product", "most", "done"]} {
  %zero = constant %start {value = 0 : index} : index
  %one = constant %start {value = 1 : index} : index
  %i, %d = dataflow.stream %zero, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %it, %last = cond_br %d, %i : index
  %tok = join %it : index
  %x, %xa = load [%it] %ld#0, %tok : index, i32
  %v = dataflow.carry %d, %s, %next : i1, i32, i32 -> i32
  %body, %difference = cond_br %d, %v : i32
  %next = arith.subi %body, %x : i32
  %w = dataflow.carry %d, %s, %wn : i1, i32, i32 -> i32
  %wb, %parity = cond_br %d, %w : i32
  %wn = arith.xori %x, %wb : i32
  %p = dataflow.carry %d, %s, %pn : i1, i32, i32 -> i32
  %pb, %product = cond_br %d, %p : i32
  %pn = arith.muli %pb, %next : i32
  %m = dataflow.carry %d, %s, %mn : i1, i32, i32 -> i32
  %mb, %most = cond_br %d, %m : i32
  %mn = arith.maxsi %x, %mb : i32
  %z = arith.subi %pn, %wn : i32
  %y = arith.subi %z, %mb : i32
  %st, %sta = store [%it] %y, %tok : index, i32
  %c = dataflow.carry %d, %start, %stored : i1, none, none -> none
  %cb, %done = cond_br %d, %c : none
  %ld:2 = extmemory[ld = 1, st = 0] (%a : memref<?xi32>) (%xa) {id = 0 : i32} : (index) -> (i32, none)
  %stored = extmemory[ld = 0, st = 1] (%b : memref<?xi32>) (%st, %sta) {id = 1 : i32} : (i32, index) -> none
  return %difference, %parity, %product, %most, %done : i32, i32, i32, i32, none
}
`

// TestFusedUnits co-simulates a kernel on units that are one state machine, alone in their PEs and with
// shared data paths, under random stalls: hardware and cycle simulator agree in every cycle, and give
// what the graph gives.
func TestFusedUnits(t *testing.T) {
	if !haveVerilator(t) {
		t.Skip("co-simulation needs verilator and a C++ compiler")
	}
	for _, c := range []struct {
		name, pe string
		want     []string
	}{
		{"alone", "plain", []string{"ahead", "behind", "down", "round"}},
		{"shared", "shared", []string{"accumulate_subi_i32", "accumulate_xori_i32", "counter_index", "loop_i1", "loop_i32", "present_accumulate_maxsi_i32"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.ReplaceAll(fusedFabric, "PE", c.pe)
			if c.pe == "shared" {
				text = strings.NewReplacer("[alone_down,", "[plain,", ", alone_round,", ", plain,", "alone_behind]", "plain]", "alone_ahead]", "shared]").Replace(text)
			}
			f := testkit.FabricOf(t, "fused.yaml", []byte(text))
			fn := maptest.Kernel(fusedKernel)
			res, err := mapper.Map(fn, f, mapper.Options{})
			if err != nil {
				t.Fatal(diag.Render(diag.FromError(err), nil))
			}
			var got []string
			for _, g := range res.Mapping.Groups {
				if len(g.Ops) > 1 {
					got = append(got, g.Unit)
				}
			}
			if slices.Sort(got); !slices.Equal(got, c.want) {
				t.Fatalf("units of several operations: %v, want %v", got, c.want)
			}
			stalledRuns(t, f, fn, res, []int64{0, 1, 9, 24}, nil)
		})
	}
}

// stalledRuns co-simulates a mapped kernel on random inputs of some sizes, each with stalls and a memory of its own:
// hardware and cycle simulator agree in every cycle, and give what the graph gives. prepare may change the inputs
// of a run, by its number.
func stalledRuns(t *testing.T, f *arch.Fabric, fn *ir.Operation, res *mapper.Result, sizes []int64, prepare func(n int, size int64, in *vector.Inputs)) {
	t.Helper()
	if err := ladder.Proven(fn, f, res); err != nil {
		t.Error(err)
	}
	rtl, err := rtlgen.Generate(f, config.NewLayout(f), rtlgen.Meta{InputName: f.Name, ToolVersion: "test"})
	if err != nil {
		t.Fatal(err)
	}
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		t.Fatal(err)
	}
	cache := toolstest.Cache(t)
	for n, size := range sizes {
		in, err := vector.Random(sig, uint64(n), size, f.IndexWidth)
		if err != nil {
			t.Fatal(err)
		}
		if prepare != nil {
			prepare(n, size, in)
		}
		want, err := token.Run(fn, in.Clone(), token.Options{Capacity: 1, IndexWidth: f.IndexWidth})
		if err != nil {
			t.Fatal(err)
		}
		env := ladder.EnvironmentFor(uint64(n))
		rep, err := verilator.Run(context.Background(), verilator.Options{
			RTL: rtl, Fabric: f, Image: res.Image, Binding: res.Binding, Inputs: in,
			Latency: env.Latency, Stall: env.Stall, StallSeed: env.StallSeed, MaxCycles: 100_000, LockStep: true, CacheDir: cache,
		})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Mismatch != nil {
			t.Errorf("size %d: %s", size, strings.Join(rep.Mismatch.Lines(), "\n"))
		}
		if d := vector.Diff(want, rep.Outcome); len(d) > 0 {
			t.Errorf("size %d: %s: %v\n%v", size, rep.Outcome.Status, d, rep.Outcome.Detail)
		}
	}
}
