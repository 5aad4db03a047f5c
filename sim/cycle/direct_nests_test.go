package cycle_test

import (
	"fmt"
	"strings"
	"testing"

	"loom/compiler/circuit"
	"loom/compiler/interp"
	"loom/compiler/latency"
	"loom/compiler/mlir"
	"loom/compiler/simplify"
	"loom/internal/testkit"
	"loom/sim/cycle"
	"loom/sim/vector"
)

// nests are loops inside of others, with the cycles that their rows take: a loop of n iterations
// takes one cycle more, for the test that ends it.
var nests = []struct {
	name   string
	cycles int
	text   string
}{
	{"a row's sum is stored", 12 * 9, `
func.func @rows(%a: memref<12x8xi32>, %x: memref<8xi32>, %y: memref<12xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %c12 step %c1 {
    %s = scf.for %j = %c0 to %c8 step %c1 iter_args(%sum = %zero) -> (i32) {
      %u = memref.load %a[%i, %j] : memref<12x8xi32>
      %v = memref.load %x[%j] : memref<8xi32>
      %p = arith.muli %u, %v : i32
      %t = arith.addi %sum, %p : i32
      scf.yield %t : i32
    }
    memref.store %s, %y[%i] : memref<12xi32>
  }
  return
}`},
	{"a sum runs through three loops", 20 * (3*4 + 1), `
func.func @stencil(%a: memref<22xi32>, %w: memref<3x3xi32>, %y: memref<20xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c20 = arith.constant 20 : index
  %zero = arith.constant 0 : i32
  scf.for %at = %c0 to %c20 step %c1 {
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%outer = %zero) -> (i32) {
      %s = scf.for %j = %c0 to %c3 step %c1 iter_args(%sum = %outer) -> (i32) {
        %k = arith.addi %at, %j : index
        %u = memref.load %a[%k] : memref<22xi32>
        %v = memref.load %w[%i, %j] : memref<3x3xi32>
        %p = arith.muli %u, %v : i32
        %t = arith.addi %sum, %p : i32
        scf.yield %t : i32
      }
      scf.yield %s : i32
    }
    memref.store %r, %y[%at] : memref<20xi32>
  }
  return
}`},
	{"rows as long as the first element of each says", 16 * 6, `
func.func @ragged(%a: memref<16x8xi32>, %y: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %c16 step %c1 {
    %first = memref.load %a[%i, %c0] : memref<16x8xi32>
    %none = arith.andi %first, %zero : i32
    %more = arith.index_castui %none : i32 to index
    %n = arith.addi %more, %c5 : index
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%sum = %zero) -> (i32) {
      %u = memref.load %a[%i, %j] : memref<16x8xi32>
      %t = arith.addi %sum, %u : i32
      scf.yield %t : i32
    }
    memref.store %s, %y[%i] : memref<16xi32>
  }
  return
}`},
}

// nest runs a nest as a circuit for a memory and returns the cycles; change is applied to the
// placed circuit.
func nest(t *testing.T, text string, memory int64, change func(*circuit.Circuit)) int64 {
	t.Helper()
	mod, err := mlir.ParseAndVerify("nest.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	sig, err := vector.SignatureOf(testkit.Function(mod))
	if err != nil {
		t.Fatal(err)
	}
	in, err := vector.Random(sig, 3, 64, 32)
	if err != nil {
		t.Fatal(err)
	}
	want, err := interp.Run(testkit.Function(mod), in.Clone(), interp.Options{IndexWidth: 32})
	if err != nil {
		t.Fatal(err)
	}
	small, err := simplify.Run(directGraph(t, mod), simplify.Options{IndexWidth: 32})
	if err != nil {
		t.Fatal(err)
	}
	profile := latency.Fixed(memory)
	c, err := circuit.Build(small, circuit.Options{IndexWidth: 32, Latency: profile})
	if err != nil {
		t.Fatal(err)
	}
	change(c)
	s, err := cycle.NewDirect(c, in, cycle.Options{Latency: profile})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Run()
	if err != nil {
		t.Fatal(err)
	}
	if d := vector.Diff(want, got); got.Status != vector.Done || len(d) > 0 {
		t.Fatalf("memory %d: %v\n%s\n%s", memory, got.Status, strings.Join(got.Detail, "\n"), strings.Join(d, "\n"))
	}
	return got.Cycles
}

// TestNests: rows follow each other without a pause whatever the latency of the memories, which
// counts at the beginning and at the end of a run alone.
func TestNests(t *testing.T) {
	for _, n := range nests {
		for _, memory := range []int64{1, 4, 20, 100} {
			t.Run(fmt.Sprintf("%s, memory %d", n.name, memory), func(t *testing.T) {
				most := int64(n.cycles) + 3*memory + 12
				if got := nest(t, n.text, memory, func(*circuit.Circuit) {}); got > most {
					t.Errorf("%d cycles, more than %d", got, most)
				}
				if memory < 20 {
					return
				}
				got := nest(t, n.text, memory, func(c *circuit.Circuit) { // the planted fault: one row at a time
					for _, ch := range c.Channels {
						if ch.Buffer.Kind == circuit.Queue {
							ch.Buffer.Slots = 3
						}
					}
				})
				if got <= most {
					t.Errorf("%d cycles with small queues: nothing would be noticed", got)
				}
			})
		}
	}
}

// TestNestEnds: programs whose loops run otherwise than is assumed stop where what ends an inner
// loop, or the last value of one that is held, has no slot.
func TestNestEnds(t *testing.T) {
	for _, f := range []struct {
		reason string
		seeds  []uint64
	}{
		{"the end of a loop", []uint64{201547}},
		{"the last value of the loop", []uint64{103011}},
		{"", []uint64{100726, 107907, 504831, 506058}},
	} {
		for _, seed := range f.seeds {
			run := func(place func(*circuit.Circuit, circuit.Options) error) error {
				_, err := placedProgram(t, programOf(seed), seed, directEnvironments(t), place)
				return err
			}
			if err := run(circuit.Place); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
			// With registers for the results the loops go on while others still run; their last values
			// need no slots then.
			stored := func(c *circuit.Circuit, o circuit.Options) error {
				err := circuit.Place(c, o)
				for _, ch := range c.Channels {
					if c.Finish != nil && ch.To.Unit == c.Finish && ch.To.Port < len(c.Outputs) && ch.From.Unit != nil && ch.Buffer.Kind == circuit.None {
						ch.Buffer = circuit.Buffer{Kind: circuit.Pipe, Slots: 1}
					}
					if f.reason == "the end of a loop" && strings.Contains(ch.Buffer.Reason, "the last value of the loop") {
						ch.Buffer = circuit.Buffer{}
					}
				}
				return err
			}
			if err := run(stored); err != nil {
				t.Errorf("seed %d with registers for the results: %v", seed, err)
			}
			if f.reason == "" {
				continue
			}
			err := run(func(c *circuit.Circuit, o circuit.Options) error {
				if err := stored(c, o); err != nil {
					return err
				}
				for _, ch := range c.Channels {
					if strings.Contains(ch.Buffer.Reason, f.reason) {
						ch.Buffer = circuit.Buffer{}
					}
				}
				return nil
			})
			if err == nil || !strings.Contains(err.Error(), "deadlock") {
				t.Errorf("seed %d without a slot for %s: no deadlock but %v", seed, f.reason, err)
			}
		}
	}
}
