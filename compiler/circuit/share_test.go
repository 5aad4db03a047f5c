package circuit_test

import (
	"strings"
	"testing"

	"loom/compiler/circuit"
	"loom/compiler/lower"
	"loom/compiler/mlir"
)

// TestShare: loops one after the other share their multipliers, loops that run at the same time do
// not, nor operations of one loop with an iteration per cycle.
func TestShare(t *testing.T) {
	for _, f := range []struct {
		name, text string
		clients    int
	}{
		{"the second reads what the first has written", kernel(product("%a", "%b", ""), product("%b", "%c", "")), 2},
		{"independent", kernel(product("%a", "%b", ""), product("%a", "%c", "")), 0},
		{"one loop", kernel(product("%a", "%b", "%q = arith.muli %x, %x : i32\n    memref.store %q, %c[%i] : memref<?xi32>")), 0},
		{"three in a row", kernel(product("%a", "%b", ""), product("%b", "%c", ""), product("%c", "%b", "")), 3},
	} {
		c := shared(t, f.text, circuit.Options{IndexWidth: 32})
		clients := 0
		for _, s := range c.Shares {
			clients += len(s.Clients)
			for _, x := range s.Clients {
				if x.Credits < s.Latency() {
					t.Errorf("%s: %s has %d credits for a unit of %d cycles", f.name, x.Unit.Name, x.Credits, s.Latency())
				}
			}
		}
		if clients != f.clients {
			t.Errorf("%s: %d operations share a unit, want %d\n%s", f.name, clients, f.clients, c)
		}
		if c := shared(t, f.text, circuit.Options{IndexWidth: 32, NoShare: true}); len(c.Shares) > 0 {
			t.Errorf("%s: shared although that is not wanted", f.name)
		}
	}
}

// product is a loop that multiplies the elements of two arrays, kernel a function of loops.
func product(source, target, more string) string {
	return strings.NewReplacer("SOURCE", source, "TARGET", target, "MORE", more).Replace(`
  scf.for %i = %zero to %n step %one {
    %x = memref.load SOURCE[%i] : memref<?xi32>
    %y = memref.load %d[%i] : memref<?xi32>
    %p = arith.muli %x, %y : i32
    MORE
    memref.store %p, TARGET[%i] : memref<?xi32>
  }`)
}

func kernel(loops ...string) string {
	return `func.func @k(%a: memref<?xi32>, %b: memref<?xi32>, %c: memref<?xi32>, %d: memref<?xi32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index` + strings.Join(loops, "") + "\n  return\n}\n"
}

// shared is the circuit of a kernel.
func shared(t *testing.T, text string, o circuit.Options) *circuit.Circuit {
	t.Helper()
	mod, err := mlir.ParseAndVerify("k.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	low, err := lower.Lower(mod, lower.Options{IndexWidth: 32, MemoryOrder: "pipelined"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := circuit.Build(low.Func, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCheckShare breaks a shared unit in every way that Check knows.
func TestCheckShare(t *testing.T) {
	for _, f := range []struct {
		want   string
		damage func(s *circuit.Share)
	}{
		{"with 1 clients", func(s *circuit.Share) { s.Clients = s.Clients[:1] }},
		{"do not fit", func(s *circuit.Share) { s.Clients[0].Unit.Share = nil }},
		{"0 credits", func(s *circuit.Share) { s.Clients[0].Credits = 0 }},
		{"at the shared", func(s *circuit.Share) { s.Width = 8 }},
	} {
		c := shared(t, kernel(product("%a", "%b", ""), product("%b", "%c", "")), circuit.Options{IndexWidth: 32})
		s := c.Shares[0]
		f.damage(s)
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), f.want) {
			t.Errorf("want %q, got %v", f.want, err)
		}
	}
}
