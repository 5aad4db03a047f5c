package decouple

import (
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/compiler/simplify"
	"loom/internal/testkit"
	"loom/sim/token"
	"loom/sim/vector"
)

func model(cycles int64) latency.Model {
	return latency.Model{Memory: latency.Fixed(cycles), IndexWidth: 32}
}

// graph is a shipped kernel, simplified for fabrics or as it is lowered.
func graph(t *testing.T, name string, simplified bool) *ir.Operation {
	t.Helper()
	low, err := lower.Lower(testkit.Kernel(t, name), lower.Options{MemoryOrder: "pipelined", IndexWidth: 32})
	if err != nil {
		t.Fatal(err)
	}
	if !simplified {
		return low.Func
	}
	fn, err := simplify.Run(low.Func, simplify.Options{IndexWidth: 32, Fabric: &simplify.Fabric{}})
	if err != nil {
		t.Fatal(err)
	}
	return fn
}

func text(fn *ir.Operation) string { return mlir.Print(fn, mlir.Options{}) }

// copies counts the copies of operations of a name.
func copies(fn *ir.Operation, name string) int {
	n := 0
	for _, op := range fn.Regions[0].Entry().Ops {
		if op.Name == name && op.Attr(dataflow.CopyAttr) != nil {
			n++
		}
	}
	return n
}

// TestCounters: a counter for every response that something waits for, none where the queues
// hold what waits.
func TestCounters(t *testing.T) {
	for _, c := range []struct {
		kernel  string
		cycles  int64
		streams int
	}{
		{"vecadd", 4, 0},
		{"vecadd", 100, 2}, // for the address of the store, and for its done tokens
		{"dot", 4, 0},
		{"dot", 100, 1}, // for the sum
		{"matvec", 100, 1},
		{"reverse", 100, 2},
		{"histogram", 100, 0}, // an iteration waits for the one before
		{"gcd", 100, 0},       // no memory, no counted loop
	} {
		fn := graph(t, c.kernel, true)
		before := text(fn)
		got, n := Run(fn, Options{Latency: model(c.cycles), Places: 32})
		if text(fn) != before {
			t.Errorf("%s: the graph given was changed", c.kernel)
		}
		if got == nil {
			if c.streams > 0 || n > 0 {
				t.Errorf("%s, memory of %d cycles: nothing was copied", c.kernel, c.cycles)
			}
			continue
		}
		if k := copies(got, opname.DataflowStream); k != c.streams {
			t.Errorf("%s, memory of %d cycles: %d counters were added, expected %d\n%s", c.kernel, c.cycles, k, c.streams, text(got))
		}
	}
}

// TestSame: on all shipped kernels the graphs compute the same, and merged again they are what
// they were.
func TestSame(t *testing.T) {
	files, err := filepath.Glob(testkit.Testdata(t, "kernels", "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatal("no kernels", err)
	}
	changed := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".mlir")
		for _, simplified := range []bool{false, true} {
			fn := graph(t, name, simplified)
			apart, n := Run(fn, Options{Latency: model(100), Places: 8})
			if n == 0 {
				continue
			}
			changed++
			compare(t, name, fn, apart)
			if !Merged(apart) || text(apart) != text(fn) {
				t.Errorf("%s: merged again it is another graph\n%s\n%s", name, text(fn), text(apart))
			}
		}
	}
	if changed < 8 {
		t.Errorf("only %d graphs got counters", changed)
	}
}

// compare runs both graphs, with channels of any length and with those of one token.
func compare(t *testing.T, name string, before, after *ir.Operation) {
	t.Helper()
	sig, err := vector.SignatureOf(before)
	if err != nil {
		t.Fatal(err)
	}
	in, err := vector.Random(sig, 1, 20, 32)
	if err != nil {
		t.Fatal(err)
	}
	for i := range in.Args {
		if in.Args[i].Mem == nil && in.Args[i].Type == ir.Type(ir.Index) {
			in.Args[i].Scalar = 16
		}
	}
	var out [2]*vector.Outcome
	for k, g := range []*ir.Operation{before, after} {
		p, err := token.Compile(g, 32)
		if err != nil {
			t.Fatal(err)
		}
		if out[k], _, err = p.RunTimed(in, token.TimedOptions{Model: model(20)}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := vector.Diff(out[0], out[1]); len(diff) > 0 || out[1].Status != out[0].Status {
		t.Errorf("%s: %s %v %v", name, out[1].Status, diff, out[1].Detail)
	}
}

// TestMergedRefuses: what is no copy is not taken for one.
func TestMergedRefuses(t *testing.T) {
	for what, damage := range map[string]func(op *ir.Operation){
		"another bound": func(op *ir.Operation) { op.SetOperand(2, op.Operand(1)) },
		"another test":  func(op *ir.Operation) { op.SetAttr("cont_cond", &ir.StringAttr{Value: "<="}) },
		"another step":  func(op *ir.Operation) { op.SetAttr("step_op", &ir.StringAttr{Value: "-="}) },
		"no number":     func(op *ir.Operation) { op.SetAttr(dataflow.CopyAttr, &ir.StringAttr{Value: "0"}) },
		"a wrong one":   func(op *ir.Operation) { op.SetAttr(dataflow.CopyAttr, ir.IntAttr(0, ir.I64)) },
		"its own":       func(op *ir.Operation) { op.SetAttr(dataflow.CopyAttr, ir.IntAttr(1000, ir.I64)) },
	} {
		apart, n := Run(graph(t, "vecadd", true), Options{Latency: model(100), Places: 32})
		if n == 0 {
			t.Fatal("nothing was copied")
		}
		for _, op := range apart.Regions[0].Entry().Ops {
			if op.Name == opname.DataflowStream && op.Attr(dataflow.CopyAttr) != nil {
				damage(op)
				break
			}
		}
		if Merged(apart) {
			t.Errorf("%s passes", what)
		}
	}
}
