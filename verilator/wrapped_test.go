package verilator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"loom/compiler/circuit"
	"loom/compiler/interp"
	"loom/compiler/latency"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
	"loom/sim/vector"
)

// wrappedCases are kernels behind choices of ports: several arrays on a bus, narrow elements, a
// recurrence through memory, results; make soak takes every kernel behind every choice.
var wrappedCases = []wrappedCase{
	{rtlgen.Ports{Default: "axi4"}, "histogram"},
	{rtlgen.Ports{Default: "axi4-each", Control: "axi4lite"}, "vecadd"},
	{rtlgen.Ports{Default: "axi4", Control: rtlgen.ControlAP, Burst: 4}, "histogram"},
	{rtlgen.Ports{Default: "axi4-each", Control: "axi4lite", Burst: 16, Outstanding: 48}, "vecadd"},
	{rtlgen.Ports{Default: "axi4", Control: rtlgen.ControlAXI4Lite, Burst: 4, Cache: 64, Arrays: []rtlgen.ArrayPorts{{Array: "A", Style: "axi4", Cached: true}, {Array: "x", Style: "axi4", Cached: true}}}, "matvec"},
	{rtlgen.Ports{Default: "axi4", Burst: 16, Width: 128}, "vecadd"},
	{rtlgen.Ports{Default: "axi4", Control: rtlgen.ControlAXI4Lite, Burst: 8, Width: 64, Outstanding: 6, Bounds: true}, "matvec"},
	{rtlgen.Ports{Default: rtlgen.PortsAuto, Control: rtlgen.ControlAP}, "vecadd"},
	{rtlgen.Ports{Default: rtlgen.PortsBRAM, Latency: 2}, "histogram"},
}

type wrappedCase struct {
	ports  rtlgen.Ports
	kernel string
}

// TestWrapped runs circuits behind wrappers: results, and the core in lock-step with the cycle
// simulator in the surroundings that the run has recorded.
func TestWrapped(t *testing.T) {
	toolstest.Need(t, "verilator")
	cases := wrappedCases
	if soak.Factor() > 0 {
		for _, c := range append(slices.Clone(wrappedCases), wrappedCase{rtlgen.Ports{Wrap: true}, ""},
			wrappedCase{rtlgen.Ports{Default: "axi4-each"}, ""}, wrappedCase{rtlgen.Ports{Control: "axi4lite"}, ""}) {
			for _, name := range []string{"gcd", "histogram", "vecadd", "matvec", "dot"} {
				if name != c.kernel {
					c.kernel = name
					cases = append(cases, c)
				}
			}
		}
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("%s+%s,burst=%d,width=%d/%s", c.ports.Default, c.ports.Control, c.ports.Burst, c.ports.Width, c.kernel), func(t *testing.T) {
			d := newWrapped(t, testkit.Kernel(t, c.kernel), latency.Fixed(4), circuit.DefaultClock, c.ports)
			in, want := randomRun(t, c.kernel)
			for _, e := range []struct {
				profile string
				stall   int
			}{{"fixed:1", 0}, {"random:1,40,7", 30}, {"ddr4-2400", 0}} {
				rep := d.run(t, in, want, e.profile, e.stall)
				if rep.Outcome.Status != vector.Done {
					t.Fatalf("%s, stall %d: %s\n%s", e.profile, e.stall, rep.Outcome.Status, strings.Join(rep.Outcome.Detail, "\n"))
				}
				if d := rep.Outcome.DRAM; e.profile == "ddr4-2400" && strings.HasPrefix(c.ports.Default, "axi4") && (d == nil || d.Requests == 0) {
					t.Errorf("%s: nothing is said of the memory", e.profile)
				}
				t.Logf("%s, stall %d: %d cycles, build %.1f s", e.profile, e.stall, rep.Outcome.Cycles, rep.BuildSeconds)
			}
		})
	}
}

// randomRun are inputs of a kernel and what it makes of them.
func randomRun(t testing.TB, name string) (*vector.Inputs, *vector.Outcome) {
	t.Helper()
	fn := testkit.Function(testkit.Kernel(t, name))
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		t.Fatal(err)
	}
	in, err := vector.Random(sig, 2, 32, 32)
	if err != nil {
		t.Fatal(err)
	}
	want, err := interp.Run(fn, in.Clone(), interp.Options{IndexWidth: 32})
	if err != nil {
		t.Fatal(err)
	}
	return in, want
}

// TestWrappedFault: faults of core and wrapper are found. One of the core is found by the cycle
// simulator in its cycle, with the unit.
func TestWrappedFault(t *testing.T) {
	toolstest.Need(t, "verilator")
	in, want := randomRun(t, "vecadd")
	d := newWrapped(t, testkit.Kernel(t, "vecadd"), latency.Fixed(4), circuit.Clock{}, rtlgen.Ports{Wrap: true})
	replace := func(file, old, new string) {
		t.Helper()
		text := d.rtl.Files[file]
		if d.rtl.Files[file] = strings.Replace(text, old, new, 1); d.rtl.Files[file] == text {
			t.Fatalf("%s has changed", file)
		}
	}
	replace("loom_op_addi.sv", "y = a + b", "y = a - b")
	rep := d.run(t, in, want, "random:1,9,3", 20)
	if rep.Outcome.Status != vector.Mismatch || rep.Mismatch == nil || !strings.Contains(rep.Mismatch.String(), "compute 'sum'") {
		t.Errorf("a wrong adder: %s\n%s", rep.Outcome.Status, strings.Join(rep.Outcome.Detail, "\n"))
	}
	replace("loom_op_addi.sv", "y = a - b", "y = a + b")
	if soak.Factor() > 0 {
		replace("vecadd_top.sv", ".start_valid(start_valid)", ".start_valid(1'b0)")
		rep = d.run(t, in, want, "fixed:1", 0)
		if rep.Outcome.Status != vector.Mismatch || !strings.Contains(strings.Join(rep.Outcome.Detail, "\n"), "hardware deadlock") {
			t.Errorf("a run without a start: %s\n%s", rep.Outcome.Status, strings.Join(rep.Outcome.Detail, "\n"))
		}
		replace("vecadd_top.sv", ".start_valid(1'b0)", ".start_valid(start_valid)")
	}
	replace("vecadd_top.sv", ".done_ready(done_ready)", ".done_ready(1'b0)")
	rep = d.run(t, in, want, "fixed:1", 0)
	if rep.Outcome.Status != vector.Mismatch || !strings.Contains(strings.Join(rep.Outcome.Detail, "\n"), "'done' did not deliver one token") {
		t.Errorf("a done that is taken again and again: %s\n%s", rep.Outcome.Status, strings.Join(rep.Outcome.Detail, "\n"))
	}

	// What the bus says of an address where no array lies reaches the status register; a broken rule
	// of AXI4 is found by the checker.
	d = newWrapped(t, testkit.Kernel(t, "vecadd"), latency.Fixed(4), circuit.DefaultClock, rtlgen.Ports{Default: "axi4", Control: "axi4lite"})
	replace("vecadd_top.sv", ".base(a_base)", ".base(64'd0 & a_base)")
	replace("loom_axi_bus.sv", "m_axi_arburst = 2'b01", "m_axi_arburst = 2'b10")
	rep = d.run(t, in, want, "fixed:1", 0)
	text := strings.Join(rep.Outcome.Detail, "\n")
	for _, what := range []string{"m_axi accesses what is in no array", "the status reports error 513", "rule 8 of rtl/formal/f_axi4.sv is broken at m_axi"} {
		if rep.Outcome.Status == vector.Done || !strings.Contains(text, what) {
			t.Errorf("%q is not said: %s\n%s", what, rep.Outcome.Status, text)
		}
	}
}

// TestWrappedBounds: a run that is right passes with bounds; an access outside of its array is told by the status
// register and seen by no bus, also where accesses share transactions.
func TestWrappedBounds(t *testing.T) {
	toolstest.Need(t, "verilator")
	for _, ports := range []rtlgen.Ports{{Default: "axi4", Control: "axi4lite", Bounds: true}, {Default: "axi4-each", Control: "axi4lite", Burst: 8, Bounds: true}} {
		d := newWrapped(t, testkit.Kernel(t, "vecadd"), latency.Fixed(4), circuit.DefaultClock, ports)
		in, want := randomRun(t, "vecadd")
		for _, stall := range []int{0, 30} {
			rep := d.run(t, in, want, "random:1,30,5", stall)
			if rep.Outcome.Status != vector.Done {
				t.Errorf("%+v: %s\n%s", ports, rep.Outcome.Status, strings.Join(rep.Outcome.Detail, "\n"))
			}
			for arg, what := range []string{"a load of a", "a load of b", "a store"} {
				n := int(in.Args[3].Scalar)
				for _, size := range []int{n - 1, n / 2, 0} {
					rep := d.run(t, resized(in, arg, size), nil, "random:1,30,5", stall)
					text := strings.Join(rep.Outcome.Detail, "\n")
					if rep.Outcome.Status == vector.Done || !strings.Contains(text, "the status reports error 515") || strings.Contains(text, "in no array") {
						t.Errorf("%+v: %s outside of %d elements: %s\n%s", ports, what, size, rep.Outcome.Status, text)
					}
				}
			}
		}
	}
}

// TestWrappedPrograms takes random programs to Verilator behind wide buses, streams, RAMs and ap_ctrl_hs, in the
// soak campaign.
func TestWrappedPrograms(t *testing.T) {
	if soak.Factor() == 0 {
		t.Skip("set LOOM_SOAK=1")
	}
	toolstest.Need(t, "verilator")
	styles := []rtlgen.Ports{{Default: rtlgen.PortsAXI4, Burst: 16, Width: 128}, {Default: rtlgen.PortsAXI4Each, Burst: 8, Width: 256, Outstanding: 5}, {Default: rtlgen.PortsAuto, Control: rtlgen.ControlAP}, {Default: rtlgen.PortsAuto, Wrap: true},
		{Default: rtlgen.PortsBRAM, Latency: 1, Control: rtlgen.ControlAP}, {Default: rtlgen.PortsBRAM, Latency: 3}}
	for seed := range uint64(40 * soak.Factor()) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			text, width := randprog.Sequences(seed)
			mod, err := mlir.ParseAndVerify("nest.mlir", text)
			if err != nil {
				t.Fatal(err)
			}
			if width != 32 || seed%3 == 2 {
				mod = randprog.Generate(seed, randprog.Options{Locals: seed%2 == 1, SmallTypes: true, MaxOps: 20 + int(seed%4)*20})
			}
			e := newExample(t, mod, randprog.Inputs(mod, seed))
			d := newWrapped(t, mod, latency.Fixed(1+int64(seed%9)), circuit.DefaultClock, styles[seed%uint64(len(styles))])
			for _, profile := range []string{"fixed:1", "random:1,20,5"} {
				if rep := d.run(t, e.in, e.want, profile, int(seed*13%60)); rep.Outcome.Status != vector.Done {
					t.Fatalf("%s: %s\n%s", profile, rep.Outcome.Status, strings.Join(rep.Outcome.Detail, "\n"))
				}
			}
		})
	}
}

// TestWrappedPortFaults: what is at the ports notices faults of the modules there, in the soak
// campaign; the proofs of the modules notice them, too.
func TestWrappedPortFaults(t *testing.T) {
	if soak.Factor() == 0 {
		t.Skip("set LOOM_SOAK=1")
	}
	toolstest.Need(t, "verilator")
	streams := rtlgen.Ports{Default: rtlgen.PortsAuto, Control: rtlgen.ControlAP}
	for _, c := range []struct {
		ports          rtlgen.Ports
		file, old, new string
	}{
		{streams, "loom_stream_sink.sv", "m_axis_tlast  = end_valid", "m_axis_tlast  = 1'b0"},
		{streams, "loom_stream_sink.sv", "~dones[1] & (~full | m_axis_tready)", "~dones[1]"},
		{streams, "loom_ap_ctrl.sv", "ap_idle   = ~ap_start & ~(|given) & ~(|got)", "ap_idle   = ap_start"},
		{rtlgen.Ports{Default: rtlgen.PortsBRAM, Latency: 2}, "loom_bram_load.sv", ".in_valid (coming[LATENCY-1])", ".in_valid (coming[LATENCY-2])"},
	} {
		in, want := randomRun(t, "vecadd")
		d := newWrapped(t, testkit.Kernel(t, "vecadd"), latency.Fixed(4), circuit.Clock{}, c.ports)
		text := d.rtl.Files[c.file]
		if d.rtl.Files[c.file] = strings.Replace(text, c.old, c.new, 1); d.rtl.Files[c.file] == text {
			t.Fatalf("%s has changed", c.file)
		}
		rep := d.run(t, in, want, "fixed:1", 30)
		t.Logf("%s: %s %v", c.new, rep.Outcome.Status, rep.Outcome.Detail)
		if rep.Outcome.Status == vector.Done {
			t.Errorf("%s: nothing notices it", c.new)
		}
	}
}
