package cycle_test

import (
	"strings"
	"testing"

	"loom/compiler/circuit"
	"loom/compiler/interp"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/compiler/simplify"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/sim/cycle"
	"loom/sim/vector"
)

// TestDirectStreams runs random loop nests as direct circuits in which every array whose elements
// are touched in order is a stream, and compares them with the interpreter. What computes only their
// addresses is gone.
func TestDirectStreams(t *testing.T) {
	environments := directEnvironments(t)
	streams, without := 0, 0
	for seed := range uint64(soak.Scale(250, 10000)) {
		text, width := randprog.Sequences(seed)
		if width < 32 {
			continue
		}
		mod, err := mlir.ParseAndVerify("nest.mlir", text)
		if err != nil {
			t.Fatal(err)
		}
		in := randprog.Inputs(mod, seed)
		want, err := interp.Run(randprog.Function(mod), in.Clone(), interp.Options{IndexWidth: width})
		if err != nil || want.Status != vector.Done {
			continue
		}
		low, err := lower.Lower(mod, lower.Options{IndexWidth: width, MemoryOrder: "pipelined", Sequences: true})
		if err != nil {
			t.Fatal(err)
		}
		o := simplify.Options{IndexWidth: width}
		for i, v := range low.Sequences {
			if v.InOrder {
				o.Streams = append(o.Streams, i)
			}
		}
		if len(o.Streams) == 0 {
			continue
		}
		streams++
		small, err := simplify.Run(low.Func, o)
		if err != nil {
			t.Fatal(err)
		}
		e := environments[seed%uint64(len(environments))]
		c, err := circuit.Build(small, circuit.Options{IndexWidth: width, Latency: e.Latency})
		if err != nil {
			t.Fatal(err)
		}
		plain, err := simplify.Run(low.Func, simplify.Options{IndexWidth: width})
		if err != nil {
			t.Fatal(err)
		}
		addressed, err := circuit.Build(plain, circuit.Options{IndexWidth: width, Latency: e.Latency})
		if err != nil {
			t.Fatal(err)
		}
		if arithmetic(c) < arithmetic(addressed) {
			without++
		}
		s, err := cycle.NewDirect(c, in, e)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Run()
		if err != nil {
			t.Fatal(err)
		}
		if d := vector.Diff(want, got); got.Status != vector.Done || len(d) > 0 {
			t.Fatalf("seed %d: %s\n%s\n%s", seed, got.Status, strings.Join(append(got.Detail, d...), "\n"), text)
		}
	}
	t.Logf("%d nests with streams, %d of them compute less than with addresses", streams, without)
	if streams < 50 || without < 20 {
		t.Errorf("the nests show little: %d with streams, %d of them compute less", streams, without)
	}
}

// arithmetic counts the units of a circuit that compute.
func arithmetic(c *circuit.Circuit) int {
	n := 0
	for _, u := range c.Units {
		if u.Kind == circuit.Compute || u.Kind == circuit.Divide {
			n++
		}
	}
	return n
}
