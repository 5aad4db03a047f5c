package circuit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/circuit"
	_ "loom/compiler/dialect/all"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/internal/testkit"
)

// graph lowers a kernel of testdata/kernels.
func graph(t testing.TB, name string) *ir.Operation {
	t.Helper()
	path := testkit.Testdata(t, "kernels", name+".mlir")
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := mlir.ParseAndVerify(filepath.Base(path), string(src))
	if err != nil {
		t.Fatal(err)
	}
	low, err := lower.Lower(mod, lower.Options{IndexWidth: 32, MemoryOrder: "pipelined"})
	if err != nil {
		t.Fatal(err)
	}
	return low.Func
}

func build(t testing.TB, name string, o circuit.Options) *circuit.Circuit {
	t.Helper()
	o.IndexWidth = 32
	c, err := circuit.Build(graph(t, name), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// unplaced leaves all channels without buffers.
func unplaced(*circuit.Circuit, circuit.Options) error { return nil }

// TestConstants: constants are immediate operands, and a reduction of numbers needs one
// constant alone, the value that its carry begins with.
func TestConstants(t *testing.T) {
	c := build(t, "dot", circuit.Options{})
	constants := 0
	for _, u := range c.Units {
		if u.Kind == circuit.Constant {
			constants++
		}
		if u.Kind == circuit.Stream && !u.In[1].Immediate() {
			t.Errorf("the step of stream %s is a channel", u.Name)
		}
	}
	if constants > 2 {
		t.Errorf("%d constants are units:\n%s", constants, c)
	}
}

// TestCheck breaks a circuit in every way that Check knows.
func TestCheck(t *testing.T) {
	for _, f := range []struct {
		want   string
		damage func(c *circuit.Circuit)
	}{
		{"is not the one at both of its ends", func(c *circuit.Circuit) { c.Channels[1].To = c.Channels[0].To }},
		{"its consumer reads", func(c *circuit.Circuit) { c.Inputs[0].Channel.Width = 1 }},
		{"is used twice", func(c *circuit.Circuit) { c.Units[1].Name = c.Units[0].Name }},
		{"operands and", func(c *circuit.Circuit) { c.Units[0].Kind = circuit.Stream; c.Units[0].In = nil }},
		{"nothing arrives at output", func(c *circuit.Circuit) { c.Outputs[0].Channel = nil }},
		{"does not list", func(c *circuit.Circuit) { c.Units[2].In[0].Channel = &circuit.Channel{} }},
		{"says when it fires", func(c *circuit.Circuit) {
			for i := range c.Units[0].In {
				c.Units[0].In[i].Channel = nil
			}
		}},
	} {
		c := build(t, "vecadd", circuit.Options{Place: nil})
		f.damage(c)
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), f.want) {
			t.Errorf("want %q, got %v", f.want, err)
		}
	}
}

// TestLoops: without buffers a circuit with a loop is no circuit.
func TestLoops(t *testing.T) {
	_, err := circuit.Build(graph(t, "dot"), circuit.Options{IndexWidth: 32, Place: unplaced})
	if err == nil || !strings.Contains(err.Error(), "valid runs in a combinational loop") || !strings.Contains(err.Error(), "ready runs in a combinational loop") {
		t.Errorf("a reduction without a register: %v", err)
	}
}

func TestDump(t *testing.T) {
	c := build(t, "vecadd", circuit.Options{})
	t.Log(c)
	if !strings.HasPrefix(c.Dot(), "digraph") {
		t.Error("no drawing")
	}
}
