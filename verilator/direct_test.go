package verilator_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/circuit"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/compiler/simplify"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
	"loom/sim/vector"
	"loom/verilator"
)

// everydayDirect are the kernels that every run of the tests takes to Verilator: loops of all
// kinds, loads, stores and a recurrence through memory. make soak takes all.
var everydayDirect = map[string]bool{"vecadd": true, "dot": true, "matvec": true, "gcd": true, "histogram": true}

// direct is a kernel as a circuit with its RTL.
type direct struct {
	circuit *circuit.Circuit
	rtl     *rtlgen.Output
}

func newDirect(t testing.TB, module *ir.Operation, sized latency.Profile, clock circuit.Clock) *direct {
	t.Helper()
	return newWrapped(t, module, sized, clock, rtlgen.Ports{})
}

// newWrapped is a kernel as a circuit with other ports.
func newWrapped(t testing.TB, module *ir.Operation, sized latency.Profile, clock circuit.Clock, ports rtlgen.Ports) *direct {
	t.Helper()
	return newDirectWith(t, module, circuit.Options{IndexWidth: 32, Latency: sized, Clock: clock}, ports)
}

// newDirectWith is a kernel as a circuit with options.
func newDirectWith(t testing.TB, module *ir.Operation, o circuit.Options, ports rtlgen.Ports) *direct {
	t.Helper()
	low, err := lower.Lower(module, lower.Options{IndexWidth: 32, MemoryOrder: "pipelined", Sequences: true})
	if err != nil {
		t.Fatal(err)
	}
	o.Fixed = map[int]int{}
	var streams []int
	for arg, name := range circuit.ArrayNames(low.Func) {
		p := ports.Of(name)
		switch {
		case p.Style == rtlgen.PortsAuto && low.Sequences[arg].InOrder:
			p.Style = rtlgen.PortsStream
			streams = append(streams, arg)
		case p.Style == rtlgen.PortsAuto:
			p.Style = rtlgen.PortsMemory
		case p.Style == rtlgen.PortsBRAM:
			o.Fixed[arg] = p.Latency
		}
		ports = ports.With(p)
	}
	fn, err := simplify.Run(low.Func, simplify.Options{IndexWidth: 32, Streams: streams})
	if err != nil {
		t.Fatal(err)
	}
	d := &direct{}
	if d.circuit, err = circuit.Build(fn, o); err != nil {
		t.Skip(err)
	}
	if d.rtl, err = rtlgen.GenerateDirect(d.circuit, rtlgen.Meta{InputName: "test", ToolVersion: "test", Ports: ports}); err != nil {
		t.Fatal(err)
	}
	return d
}

// example is what a run is given, and what it has to yield.
type example struct {
	in   *vector.Inputs
	want *vector.Outcome
}

func newExample(t testing.TB, module *ir.Operation, in *vector.Inputs) example {
	t.Helper()
	want, err := interp.Run(testkit.Function(module), in.Clone(), interp.Options{IndexWidth: 32})
	if err != nil || want.Status != vector.Done {
		t.Skip(err)
	}
	return example{in, want}
}

func (d *direct) run(t testing.TB, in *vector.Inputs, want *vector.Outcome, profile string, stall int) *verilator.Report {
	t.Helper()
	return d.inARow(t, []example{{in, want}}, profile, stall)
}

// inARow runs a circuit once for every example, without a reset between them.
func (d *direct) inARow(t testing.TB, runs []example, profile string, stall int) *verilator.Report {
	t.Helper()
	var then []*vector.Inputs
	var wants []*vector.Outcome
	for _, r := range runs[1:] {
		then, wants = append(then, r.in), append(wants, r.want)
	}
	l, err := latency.Parse(profile)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := verilator.RunDirect(context.Background(), verilator.DirectOptions{
		RTL: d.rtl, Circuit: d.circuit, Inputs: runs[0].in, Expected: runs[0].want, Then: then, ThenExpected: wants,
		Latency: l, Stall: stall, StallSeed: 7, CacheDir: toolstest.Cache(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// TestDirect runs kernels as direct circuits in lock-step with the cycle simulator, with
// memories that are as slow as the circuit is sized for, slower, and stalling.
func TestDirect(t *testing.T) {
	toolstest.Need(t, "verilator")
	files, err := filepath.Glob(testkit.Testdata(t, "kernels", "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".mlir")
		if !everydayDirect[name] && soak.Factor() == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			mod, err := mlir.ParseAndVerify(path, string(src))
			if err != nil {
				t.Fatal(err)
			}
			clock := circuit.DefaultClock
			if len(name)%2 == 0 {
				clock.MHz = 160 // more is cut
			}
			d := newDirect(t, mod, latency.Fixed(4), clock)
			sig, err := vector.SignatureOf(testkit.Function(mod))
			if err != nil {
				t.Fatal(err)
			}
			var runs []example
			for seed := range uint64(2) {
				in, err := vector.Random(sig, 2+seed, 32-int64(seed), 32)
				if err != nil {
					t.Fatal(err)
				}
				runs = append(runs, newExample(t, mod, in))
			}
			for _, e := range []struct {
				profile string
				stall   int
			}{{"fixed:4", 0}, {"fixed:1", 0}, {"random:1,40,7", 30}, {"ddr4-2400", 0}, {"lpddr4-3200,transactions=2", 30}} {
				rep := d.inARow(t, runs, e.profile, e.stall)
				if rep.Outcome.Status != vector.Done {
					t.Fatalf("%s, stall %d: %s\n%s", e.profile, e.stall, rep.Outcome.Status, strings.Join(rep.Outcome.Detail, "\n"))
				}
				t.Logf("%s, stall %d: %d cycles, build %.1f s", e.profile, e.stall, rep.Outcome.Cycles, rep.BuildSeconds)
			}
		})
	}
}

// TestDirectFault: a fault of the RTL is found in its cycle, with the channel and the unit.
func TestDirectFault(t *testing.T) {
	toolstest.Need(t, "verilator")
	mod := testkit.Kernel(t, "vecadd")
	d := newDirect(t, mod, latency.Fixed(4), circuit.Clock{})
	sum := d.rtl.Files["loom_op_addi.sv"]
	d.rtl.Files["loom_op_addi.sv"] = strings.Replace(sum, "y = a + b", "y = a - b", 1)
	if d.rtl.Files["loom_op_addi.sv"] == sum {
		t.Fatal("the adder has changed")
	}
	sig, err := vector.SignatureOf(testkit.Function(mod))
	if err != nil {
		t.Fatal(err)
	}
	in, err := vector.Random(sig, 2, 8, 32)
	if err != nil {
		t.Fatal(err)
	}
	rep := d.run(t, in, nil, "fixed:4", 0)
	text := strings.Join(rep.Outcome.Detail, "\n")
	if rep.Outcome.Status != vector.Mismatch || rep.Mismatch == nil || !strings.Contains(rep.Mismatch.String(), "compute 'sum'") {
		t.Errorf("%s\n%s", rep.Outcome.Status, text)
	}
	t.Log(rep.Mismatch)
}

// TestDirectRestores: an array with initial contents that a run has written has them again in the
// next one, and the lock-step finds hardware in which it has not.
func TestDirectRestores(t *testing.T) {
	toolstest.Need(t, "verilator")
	mod := testkit.Kernel(t, "local/counters")
	d := newDirect(t, mod, latency.Fixed(1), circuit.Clock{})
	sig, err := vector.SignatureOf(testkit.Function(mod))
	if err != nil {
		t.Fatal(err)
	}
	var runs []example
	for _, n := range []int64{9, 0, 1, 14} {
		in, err := vector.Random(sig, uint64(n)+1, n, 32)
		if err != nil {
			t.Fatal(err)
		}
		in.Args[1].Scalar = uint64(n)
		runs = append(runs, newExample(t, mod, in))
	}
	for _, profile := range []string{"fixed:1", "random:1,20,5"} {
		if rep := d.inARow(t, runs, profile, 25); rep.Outcome.Status != vector.Done {
			t.Fatalf("%s: %s\n%s", profile, rep.Outcome.Status, strings.Join(rep.Outcome.Detail, "\n"))
		}
	}
	const ends = "rst | run_ends"
	for name, text := range d.rtl.Files {
		if strings.Contains(text, ends) {
			d.rtl.Files[name] = strings.Replace(text, ends, "rst | run_ends & rst", 1)
			rep := d.inARow(t, runs, "fixed:1", 0)
			if rep.Outcome.Status != vector.Mismatch || !strings.Contains(strings.Join(rep.Outcome.Detail, "\n"), "run 3 of the same circuit") {
				t.Errorf("an array that is not restored passes: %s\n%s", rep.Outcome.Status, strings.Join(rep.Outcome.Detail, "\n"))
			}
			return
		}
	}
	t.Error("nothing restores the array")
}

// TestDirectShared runs programs whose multipliers and dividers are shared wherever that is possible,
// in lock-step with the cycle simulator; then faults are planted in the RTL.
func TestDirectShared(t *testing.T) {
	toolstest.Need(t, "verilator")
	faults := []struct{ name, file, old, new string }{
		{"a result for another client", "loom_share.sv", "(answered == TW'(k))", "(answered == TW'((k + 1) % N))"},
		{"a credit too many", "loom_share.sv", "room[k] = used != C[CW-1:0]", "room[k] = used <= C[CW-1:0]"},
		{"no turns", "loom_arbiter.sv", "(|(in_valid[N-1:1] & mask)) ? (in_valid & {mask, 1'b0}) : in_valid", "in_valid"},
	}
	programs := 0
	for seed := uint64(0); programs < soak.Scale(1, 40); seed++ {
		module, err := mlir.ParseAndVerify("products.mlir", randprog.Products(seed))
		if err != nil {
			t.Fatal(err)
		}
		in := randprog.Inputs(module, seed)
		want, err := interp.Run(randprog.Function(module), in.Clone(), interp.Options{IndexWidth: 32})
		if err != nil || want.Status != vector.Done {
			continue
		}
		d := newDirectWith(t, module, circuit.Options{IndexWidth: 32, Latency: latency.Fixed(4), Clock: circuit.DefaultClock, ShareAll: true}, rtlgen.Ports{})
		if len(d.circuit.Shares) < 2 { // a multiplier and a divider
			continue
		}
		programs++
		for _, e := range []string{"fixed:4", "random:1,20,5"} {
			if rep := d.run(t, in, want, e, int(seed*13%60)); rep.Outcome.Status != vector.Done {
				t.Fatalf("seed %d, %s: %s\n%s", seed, e, rep.Outcome.Status, strings.Join(rep.Outcome.Detail, "\n"))
			}
		}
		if programs > 1 {
			continue
		}
		for i, f := range faults {
			if i > 0 && soak.Factor() == 0 {
				break
			}
			right := d.rtl.Files[f.file]
			d.rtl.Files[f.file] = strings.Replace(right, f.old, f.new, 1)
			if d.rtl.Files[f.file] == right {
				t.Fatalf("%s has changed", f.file)
			}
			if rep := d.run(t, in, want, "fixed:4", 30); rep.Outcome.Status == vector.Done {
				t.Errorf("seed %d: %s goes unnoticed", seed, f.name)
			}
			d.rtl.Files[f.file] = right
		}
	}
}

// TestDirectPrograms takes random programs with local arrays to Verilator, in the soak campaign.
func TestDirectPrograms(t *testing.T) {
	if soak.Factor() == 0 {
		t.Skip("set LOOM_SOAK=1")
	}
	for seed := range uint64(40 * soak.Factor()) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			module := randprog.Generate(seed, randprog.Options{Locals: seed%2 == 1, SmallTypes: true, MaxOps: 20 + int(seed%4)*20,
				Use: []randprog.Constructs{0, 0, randprog.Globals | randprog.Sweeps}[seed%3]})
			clock := []circuit.Clock{{}, circuit.DefaultClock, {MHz: 160}, {Levels: 1}}[seed/2%4]
			// Every other program behind a wrapper.
			ports := []rtlgen.Ports{{}, {Default: "axi4"}, {}, {Default: "axi4-each"}, {}, {Default: "axi4", Burst: 16}, {}, {Default: "axi4-each", Burst: 2, Outstanding: 5}}[seed%8]
			d := newWrapped(t, module, latency.Fixed(1+int64(seed%9)), clock, ports)
			var runs []example
			for k := range uint64(3) {
				runs = append(runs, newExample(t, module, randprog.Inputs(module, seed*3+k)))
			}
			for _, e := range []string{"fixed:1", "random:1,20,5"} {
				if rep := d.inARow(t, runs, e, int(seed*13%60)); rep.Outcome.Status != vector.Done {
					t.Fatalf("%s: %s\n%s", e, rep.Outcome.Status, strings.Join(rep.Outcome.Detail, "\n"))
				}
			}
		})
	}
}

// TestDirectSteps: a loop whose values go round in step, with forks that are wires, a condition that comes
// late and a value that is dropped, is in lock-step with results that are taken at once or late, and
// hardware that hands the condition on too early, or drops the value, is found.
func TestDirectSteps(t *testing.T) {
	toolstest.Need(t, "verilator")
	const text = `func.func @gcd(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %r:2 = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %x, %y : i32
    scf.condition(%more) %x, %y : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %c = arith.cmpi ugt, %x, %y : i32
    %s = arith.select %c, %y, %zero : i32
    %p = arith.subi %x, %s : i32
    %t = arith.select %c, %zero, %x : i32
    %q = arith.subi %y, %t : i32
    scf.yield %p, %q : i32, i32
  }
  return %r#0 : i32
}`
	for _, test := range []struct {
		name     string
		later    bool
		from, to string // in the RTL
	}{
		{"as it is", false, "", ""},
		{"with choices made later", true, "", ""},
		{"a condition that comes at once", false, "_valid & more_ready;", "_valid;"},
		{"a value that is dropped at once", false, ".false_ready(x_3_ready)", ".false_ready(1'b1)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			mod, err := mlir.ParseAndVerify("gcd.mlir", text)
			if err != nil {
				t.Fatal(err)
			}
			d := newDirectWith(t, mod, circuit.Options{IndexWidth: 32, Latency: latency.Fixed(1), LaterAll: test.later}, rtlgen.Ports{})
			w := d.circuit.Wiring()
			if len(w.Late) != 2 || len(w.Drops) != 1 {
				t.Fatalf("%d conditions come late, %d values are dropped\n%s", len(w.Late), len(w.Drops), d.circuit)
			}
			if test.from != "" {
				before := d.rtl.Files["gcd.sv"]
				d.rtl.Files["gcd.sv"] = strings.ReplaceAll(before, test.from, test.to)
				if d.rtl.Files["gcd.sv"] == before {
					t.Fatalf("the RTL has no %q:\n%s", test.from, before)
				}
			}
			sig, err := vector.SignatureOf(testkit.Function(mod))
			if err != nil {
				t.Fatal(err)
			}
			var runs []example
			for _, v := range [][2]uint64{{48, 36}, {7, 7}, {1, 30}, {1000, 3}, {5, 5}} {
				in, err := vector.Random(sig, 1, 1, 32)
				if err != nil {
					t.Fatal(err)
				}
				in.Args[0].Scalar, in.Args[1].Scalar = v[0], v[1]
				runs = append(runs, newExample(t, mod, in))
			}
			found := ""
			for _, stall := range []int{0, 30, 80} {
				rep := d.inARow(t, runs, "fixed:1", stall)
				if rep.Outcome.Status != vector.Done {
					found = fmt.Sprintf("stall %d: %s\n%s", stall, rep.Outcome.Status, strings.Join(rep.Outcome.Detail, "\n"))
				}
			}
			if (found != "") != (test.from != "") {
				t.Errorf("found %q\n%s", found, d.circuit)
			}
			t.Log(found)
		})
	}
}
