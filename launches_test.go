package loom

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loom/compiler/frontend/domain"
	"loom/compiler/interp"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/internal/tools/toolstest"
	"loom/sim/hostrun"
	"loom/sim/vector"
)

// rows has a loop that the host launches once per row, each time on what it has changed
// since; the fourth row launches the longest.
var rows = Source{Name: "rows.mlir", Text: `
func.func @rows(%a: memref<?xi32>, %b: memref<?xi32>, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %m = arith.andi %i, %c3 : index
    %t = scf.for %j = %c0 to %m step %c1 iter_args(%u = %s) -> (i32) {
      %x = memref.load %a[%j] : memref<?xi32>
      %y = arith.addi %x, %u : i32
      memref.store %y, %b[%j] : memref<?xi32>
      scf.yield %y : i32
    }
    memref.store %t, %a[%i] : memref<?xi32>
    scf.yield %t : i32
  }
  return %r : i32
}
`}

// rowsRun is a run of the loop of rows, launched six times.
func rowsRun(t *testing.T) *ladder {
	t.Helper()
	k, err := Compile(t.Context(), rows, CompileOptions{Domain: "loop=1"})
	if err != nil {
		t.Fatal(err)
	}
	in, err := k.ReadInputs(Source{Name: "in.json", Text: `{"args": {"a": [1, 2, 3, 4, 5, 6], "b": {"zeros": 6}, "n": 6}}`}, InputOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return &ladder{ctx: t.Context(), w: &Watch{}, k: k, in: in, Run: &Run{}}
}

// TestLaunches: a level runs every launch, on the memory that those before it have left, and
// has the result of the whole function and the cycles of all launches.
func TestLaunches(t *testing.T) {
	l := rowsRun(t)
	if ok, err := l.software(); !ok || err != nil {
		t.Fatal(l.Outcome, err)
	}
	var longest []int
	ok, err := l.launches(3, "six launches", func(r *launch) (*vector.Outcome, error) {
		if r.longest {
			longest = append(longest, r.number)
			if d := vector.Diff(r.want, &vector.Outcome{Status: vector.Done}); len(d) == 0 {
				t.Error("there is nothing to compare with")
			}
		}
		if r.cycles != int64(10*(r.number-1)) {
			t.Errorf("%d cycles before launch %d", r.cycles, r.number)
		}
		out, err := interp.Run(l.k.Function, r.in, interp.Options{})
		out.Cycles = 10
		return out, err
	})
	if !ok || err != nil {
		t.Fatal(l.Outcome, err)
	}
	want, err := interp.Run(l.k.Domain.Host, l.in.Whole, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	last := l.Levels[len(l.Levels)-1]
	if d := vector.Diff(want, l.Outcome); len(d) > 0 || last.Cycles != 60 || last.Launches != 6 || l.in.Launches != 6 || fmt.Sprint(longest) != "[4]" {
		t.Errorf("%v, %+v, longest %v", d, last, longest)
	}
	p := l.k.Part(l.in)
	if p.Loop != 1 || p.Loops != 2 || !p.Measured || p.Launches != 6 || p.Work != 6*1+3*(1+2+3+0+1) || p.Total != p.Work+6*2+1 {
		t.Errorf("%+v", p)
	}
}

// TestLaunchFaults: what is wrong in one launch is found, and reported with its number.
func TestLaunchFaults(t *testing.T) {
	for name, c := range map[string]struct {
		fault  func(*vector.Outcome)
		status vector.Status
		detail string
	}{
		"a wrong result":  {func(o *vector.Outcome) { o.Results[0].Bits ^= 4 }, vector.Mismatch, "compared with the interpreter|result 0"},
		"a wrong element": {func(o *vector.Outcome) { o.Memories[1].Data[1]++ }, vector.Mismatch, "compared with the interpreter|memory b"},
		"a deadlock":      {func(o *vector.Outcome) { o.Status, o.Detail = vector.Deadlock, []string{"a token waits"} }, vector.Deadlock, "a token waits"},
		"an error":        {func(o *vector.Outcome) { o.Status, o.ErrorCode = vector.Error, 259 }, vector.Error, ""},
	} {
		l := rowsRun(t)
		if ok, err := l.software(); !ok || err != nil {
			t.Fatal(l.Outcome, err)
		}
		runs := 0
		ok, err := l.launches(3, "faulty", func(r *launch) (*vector.Outcome, error) {
			runs++
			out, err := interp.Run(l.k.Function, r.in, interp.Options{})
			if r.number == 3 {
				c.fault(out)
			}
			return out, err
		})
		text := strings.Join(l.Outcome.Detail, "|")
		if ok || err != nil || l.Outcome.Status != c.status || runs != 3 || !strings.HasPrefix(text, "launch 3 of 6 of loop 1 fails|"+c.detail) && c.detail != "" {
			t.Errorf("%s: %v %v after %d launches: %s %q", name, ok, err, runs, l.Outcome.Status, text)
		}
		if c.status == vector.Error && l.Outcome.ErrorCode != 259 {
			t.Errorf("%s: code %d", name, l.Outcome.ErrorCode)
		}
	}
	l := rowsRun(t)
	broken := errors.New("no simulator")
	if _, err := l.launches(3, "broken", func(*launch) (*vector.Outcome, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// withSizes adds to arguments of a program the sizes of its memories that compiling it has
// made parameters.
func withSizes(t *testing.T, k *Kernel, in *vector.Inputs) *vector.Inputs {
	t.Helper()
	sig, err := vector.SignatureOf(k.Domain.Host)
	if err != nil {
		t.Fatal(err)
	}
	out := in.Clone()
	for _, s := range sig.Sizes {
		p := sig.Params[s.Param]
		out.Args = slices.Insert(out.Args, s.Param, vector.Arg{Name: p.Name, Type: p.Type})
	}
	for _, s := range sig.Sizes {
		out.Args[s.Param].Scalar = uint64(out.Args[s.Of].Mem.Shape[s.Dim])
	}
	return out
}

// TestRandomParts takes every loop of random programs for the domain and runs the programs
// at the levels without a fabric; the result is that of the whole program.
func TestRandomParts(t *testing.T) {
	parts, launches := 0, 0
	for i := range soak.Scale(40, 2000) {
		opts := randprog.Options{Locals: i%2 == 0}
		if i%3 > 0 {
			opts.Use, opts.MaxOps = randprog.Everything, 80
		}
		module := randprog.Generate(uint64(i)+41_000_000, opts)
		src := Source{Name: "p.mlir", Text: mlir.Print(module, mlir.Options{})}
		in := randprog.Inputs(module, uint64(i))
		want, err := interp.Run(randprog.Function(module), in, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, loop := range domain.Loops(randprog.Function(module)) {
			if loop.Why != "" {
				continue
			}
			k, err := Compile(t.Context(), src, CompileOptions{Domain: fmt.Sprintf("loop=%d", loop.Number)})
			if err != nil {
				continue // the lowering refuses it alone
			}
			all, _, err := k.launch(withSizes(t, k, in), 1_000_000)
			if err != nil {
				t.Fatal(err)
			}
			if all.Launches == 0 {
				continue
			}
			run, err := Simulate(t.Context(), k, all, SimulateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if d := vector.Diff(want, run.Outcome); run.Failed != "" || len(d) > 0 {
				t.Fatalf("program %d, loop %d: %s %q %q\n%s", i, loop.Number, run.Failed, run.Outcome.Detail, d, src.Text)
			}
			if p := k.Part(all); p.Work > p.Total || p.Launches != run.Levels[1].Launches {
				t.Fatalf("program %d, loop %d: %+v, %+v", i, loop.Number, p, run.Levels)
			}
			parts, launches = parts+1, launches+all.Launches
		}
	}
	t.Logf("%d loops, %d launches", parts, launches)
	if parts < 40 || launches < parts+parts/6 {
		t.Errorf("only %d loops with %d launches", parts, launches)
	}
}

// TestRandomPartsMapped lets auto choose of random programs too large for the fabric, and
// runs what it chose in the cycle simulator.
func TestRandomPartsMapped(t *testing.T) {
	toolstest.Need(t, "cc")
	text, err := ReadFabric("mesh6x6")
	if err != nil {
		t.Fatal(err)
	}
	f, err := LoadFabric(text, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	parts, wanted := 0, soak.Scale(4, 60)
	for i := 0; parts < wanted && i < 100*wanted; i++ {
		module := randprog.Generate(uint64(i)+42_000_000, randprog.Options{SmallTypes: true, SingleAccess: true, NoDivides: true, MaxOps: 90})
		in := randprog.Inputs(module, uint64(i))
		src := Source{Name: "p.mlir", Text: mlir.Print(module, mlir.Options{})}
		k, err := Compile(t.Context(), src, CompileOptions{Fabric: f, Inputs: func(whole *Kernel) (*Inputs, error) { return &Inputs{Kernel: withSizes(t, whole, in)}, nil }})
		if err != nil || !k.oneLoop() {
			continue
		}
		all, want, err := k.launch(withSizes(t, k, in), 1_000_000)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Map(t.Context(), k, f, MapOptions{Jobs: 1})
		if err != nil || all.Launches == 0 {
			continue
		}
		l := &ladder{ctx: t.Context(), w: &Watch{}, k: m.Kernel, in: all, Run: &Run{}}
		if l.host, err = m.hostProgram(t.Context(), l.w); err != nil {
			t.Fatalf("program %d, loop %d: %v\n%s", i, k.Domain.Loop, err, src.Text)
		}
		defer l.host.Close()
		l.Environment.MaxCycles = DefaultMaxCycles
		ok, err := l.software()
		if ok && err == nil {
			ok, err = l.cycles(m)
		}
		if err != nil {
			t.Fatal(err)
		}
		if d := vector.Diff(want, l.Outcome); !ok || len(d) > 0 {
			t.Fatalf("program %d, loop %d: %s %q %q\n%s", i, k.Domain.Loop, l.Failed, l.Outcome.Detail, d, src.Text)
		}
		if p := k.Part(nil); !p.Measured || p.Work != k.Part(all).Work || l.Trace == nil {
			t.Errorf("program %d: %+v, then %+v", i, p, k.Part(all))
		}
		parts++
	}
	if parts < wanted {
		t.Errorf("only %d programs had a loop that fits", parts)
	}
}

// mappedRows is rows on a fabric that has no room for more than its inner loop.
func mappedRows(t *testing.T) (*Mapping, *Inputs) {
	t.Helper()
	f, err := LoadFabric(Source{Name: "part.yaml", Text: `
name: part
width: 32
topology: {kind: mesh, rows: 4, columns: 5, tracks: 2, link_fifo: 2, input_fifo: 2}
boundary: {inputs: 4, outputs: 3}
extmemories: [{count: 2, element: i32, lsq_depth: 2}]
pes:
  all: {units: [{load: i32}, {store: i32}, {addi: i32}, {cmpi: i32}, {join: 3}, {constant: i32}, {stream: i32}, {gate: i32}, {carry: i32}, {invariant: i32}, {cond_br: i32}, {mux: i32}]}
pattern: [[all]]
`}, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := Compile(t.Context(), rows, CompileOptions{Fabric: f, Domain: "loop=1"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Map(t.Context(), k, f, MapOptions{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	in, err := m.Kernel.ReadInputs(Source{Name: "in.json", Text: `{"args": {"a": [1, 2, 3, 4, 5, 6], "b": {"zeros": 6}, "n": 6}}`}, InputOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m, in
}

// TestHostFunction: the compiled host function launches the kernel as the interpreter does,
// and whatever is wrong in it is found.
func TestHostFunction(t *testing.T) {
	toolstest.Need(t, "cc")
	m, in := mappedRows(t)
	for name, c := range map[string]struct{ from, to, want string }{
		"as it is":                 {"", "", ""},
		"another array":            {"loom_accel_set_array(dev, 0u, a", "loom_accel_set_array(dev, 0u, b", "launch 1 of 6 of loop 1 fails|the host function launches the kernel on other arguments"},
		"another number":           {"(uint64_t)s)", "(uint64_t)s + 1)", "launch 1 of 6 of loop 1 fails|the host function launches the kernel on other arguments"},
		"a number of later":        {"a[i] = t", "a[i] = t + (i == 2)", "launch 4 of 6 of loop 1 fails|the host function launches the kernel on other arguments"},
		"a wrong result":           {"*result0 = s;", "*result0 = s + 1;", "the compiled host function computes something else|result 0"},
		"a wrong element":          {"*result0 = s;", "*result0 = s; a[5]++;", "the compiled host function computes something else|memory a"},
		"no launch":                {"status = loom_accel_run(dev);", "status = 0;", "launch 1 of 6 of loop 1 fails|the host function returns before this launch"},
		"a launch too many":        {"*result0 = s;", "loom_accel_run(dev); *result0 = s;", "the host function launches the kernel once more"},
		"an argument is left out":  {"loom_accel_set_arg(dev, ", "(void)(", "launch 1 of 6 of loop 1 fails|the host function ends early: the host function leaves out an argument"},
		"a result is not expected": {"loom_accel_expect(dev, ", "(void)(", "launch 1 of 6 of loop 1 fails|the host function ends early: the host function does not expect a result"},
		"a status":                 {"*result0 = s;", "return 5;", "the host function returns status 5"},
		"it dies":                  {"*result0 = s;", "__builtin_trap();", "the host function ends early: signal"},
		"another image":            {"sizeof loom_runtime_config_words / ", "sizeof loom_runtime_config_words / 2 / ", "launch 1 of 6 of loop 1 fails|the host function loads another image"},
	} {
		t.Run(name, func(t *testing.T) { hostFunction(t, m, in, c.from, c.to, c.want) })
	}
}

// hostFunction runs the host function of a mapped loop, with a change of its text, which
// has to be found.
func hostFunction(t *testing.T, m *Mapping, in *Inputs, from, to, want string) {
	t.Helper()
	o, err := m.deployment().hostOptions()
	if err != nil {
		t.Fatal(err)
	}
	text := string(o.Files[m.Kernel.Name+"_host.c"])
	if from != "" && !strings.Contains(text, from) {
		t.Fatalf("there is no %q in\n%s", from, text)
	}
	o.Files[m.Kernel.Name+"_host.c"] = []byte(strings.Replace(text, from, to, 1))
	l := &ladder{ctx: t.Context(), w: &Watch{}, k: m.Kernel, in: in, Run: &Run{}}
	l.Environment.MaxCycles = DefaultMaxCycles
	if ok, err := l.software(); !ok || err != nil {
		t.Fatal(l.Outcome, err)
	}
	if l.host, err = hostrun.Build(t.Context(), *o); err != nil {
		t.Fatal(err)
	}
	defer l.host.Close()
	ok, err := l.cycles(m)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(l.Outcome.Detail, "|"); ok != (want == "") || !strings.HasPrefix(got, want) || !ok && l.Outcome.Status != vector.Mismatch {
		t.Errorf("%s %q, want %q", l.Outcome.Status, got, want)
	}
	if last := l.Levels[len(l.Levels)-1]; !last.HostFunction {
		t.Errorf("%+v", last)
	}
}

// TestTableOfAPart: a loop with a constant table in external memory gets it from the host
// function at every launch.
func TestTableOfAPart(t *testing.T) {
	toolstest.Need(t, "cc")
	src := Source{Name: "weigh.mlir", Text: `
memref.global "private" constant @weights : memref<4xi16> = dense<[1, -2, 3, 5]>
func.func @weigh(%a: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %w = memref.get_global @weights : memref<4xi16>
  scf.for %i = %c0 to %n step %c1 {
    %t = scf.for %j = %c0 to %c4 step %c1 iter_args(%u = %zero) -> (i32) {
      %v = memref.load %w[%j] : memref<4xi16>
      %x = memref.load %a[%j] : memref<?xi32>
      %y = arith.extsi %v : i16 to i32
      %z = arith.addi %y, %x : i32
      %s = arith.addi %z, %u : i32
      scf.yield %s : i32
    }
    memref.store %t, %a[%i] : memref<?xi32>
  }
  return
}
`}
	f, err := shippedFabric("mesh6x6")
	if err != nil {
		t.Fatal(err)
	}
	k, err := Compile(t.Context(), src, CompileOptions{Fabric: f, Domain: "loop=1"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Map(t.Context(), k, f, MapOptions{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	in, err := m.Kernel.ReadInputs(Source{Name: "in.json", Text: `{"args": {"a": [1, 2, 3, 4, 5, 6], "n": 6}}`}, InputOptions{})
	if err != nil {
		t.Fatal(err)
	}
	hostFunction(t, m, in, "", "", "")
	hostFunction(t, m, in, "loom_runtime_tables[0].data", "loom_runtime_config_words",
		"launch 1 of 6 of loop 1 fails|the host function launches the kernel with another table 'weights'")
}

// TestHostFunctionsOfCorpus runs loops of the kernels in C with their host functions, which
// rearrange arrays of structs and take what C's parameters are.
func TestHostFunctionsOfCorpus(t *testing.T) {
	toolstest.Need(t, "cc", "clang-19", "mlir-translate-19", "mlir-opt-19")
	text, err := ReadFabric("mixed10x10")
	if err != nil {
		t.Fatal(err)
	}
	f, err := LoadFabric(text, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	dir := testkit.Testdata(t, "kernels", "c")
	everyday := []string{"matmul.c", "particles.cpp", "globals.c", "complex_mul.cpp"}
	all, err := filepath.Glob(filepath.Join(dir, "*.c*"))
	if err != nil {
		t.Fatal(err)
	}
	parts := 0
	for _, path := range all {
		if soak.Factor() == 0 && !slices.Contains(everyday, filepath.Base(path)) {
			continue
		}
		src, err := ReadSource(path)
		if err != nil {
			t.Fatal(err)
		}
		opts := CompileOptions{Fabric: f, Flags: []string{"-I" + filepath.Join(dir, "include")}}
		_, loops, err := Loops(t.Context(), src, opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, loop := range loops {
			opts.Domain = fmt.Sprintf("loop=%d", loop.Number)
			k, err := Compile(t.Context(), src, opts)
			if err != nil {
				continue
			}
			m, err := Map(t.Context(), k, f, MapOptions{Jobs: 1})
			if err != nil {
				continue
			}
			in, err := m.Kernel.RandomInputs(InputOptions{Seed: 3, Size: 5})
			if err != nil {
				continue
			}
			l := &ladder{ctx: t.Context(), w: &Watch{}, k: m.Kernel, in: in, Run: &Run{}}
			l.Environment.MaxCycles = DefaultMaxCycles
			if l.host, err = m.hostProgram(t.Context(), l.w); err != nil {
				t.Fatalf("%s, loop %d: %v", path, loop.Number, err)
			}
			ok, err := l.software()
			if err == nil && ok {
				ok, err = l.cycles(m)
				parts++
			}
			l.host.Close()
			if err != nil || !ok {
				t.Errorf("%s, loop %d: %v %s %q", filepath.Base(path), loop.Number, err, l.Failed, l.Outcome.Detail)
			}
		}
	}
	t.Logf("%d parts", parts)
	if parts < 4 {
		t.Errorf("only %d parts have run", parts)
	}
}

// TestDevice: the host function with its driver on the RTL of the device has the result of
// the whole function, and what is wrong in it is found.
func TestDevice(t *testing.T) {
	toolstest.Need(t, "cc", "c++", "verilator")
	t.Setenv("LOOM_CACHE", toolstest.Cache(t))
	m, in := mappedRows(t)
	rtl, err := Generate(m.Fabric)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ from, to, want string }{
		"as it is":          {"", "", ""},
		"a wrong element":   {"*result0 = s;", "*result0 = s; a[5]++;", "compared with level 1, interpreter"},
		"a launch too many": {"*result0 = s;", "loom_accel_run(dev); *result0 = s;", "the device has seen 7 launches, not 6"},
		"a status":          {"*result0 = s;", "return 5;", "the host function returns status 5"},
		"it dies":           {"*result0 = s;", "__builtin_trap();", "the "},
	} {
		o, err := m.deployment().hostOptions()
		if err != nil {
			t.Fatal(err)
		}
		o.Files["rows_host.c"] = []byte(strings.Replace(string(o.Files["rows_host.c"]), c.from, c.to, 1))
		l := &ladder{ctx: t.Context(), w: &Watch{}, k: m.Kernel, in: in, Run: &Run{}}
		if ok, err := l.software(); !ok || err != nil {
			t.Fatal(l.Outcome, err)
		}
		if l.host, err = hostrun.Build(t.Context(), *o); err != nil {
			t.Fatal(err)
		}
		ok, err := l.device(m.Fabric, rtl.HostTop, &CosimulateOptions{Environment: Environment{MaxCycles: DefaultMaxCycles}})
		l.host.Close()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		last := l.Levels[len(l.Levels)-1]
		if got := strings.Join(l.Outcome.Detail, "|"); ok != (c.want == "") || !strings.HasPrefix(got, c.want) || last.Cycles == 0 && ok {
			t.Errorf("%s: %s %q, want %q; %+v", name, l.Outcome.Status, got, c.want, last)
		}
	}
}
