package mapper_test

import (
	"fmt"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/mapper"
	"loom/compiler/mapper/tech"
	"loom/internal/maptest"
	"loom/internal/testkit"
)

// TestTemporal maps kernels whose loops wait for themselves or for memory onto a shipped fabric with temporal PEs, and runs them
// by the cycle against one-token channels.
func TestTemporal(t *testing.T) {
	f := testkit.Fabric(t, "temporal4x4")
	for _, c := range []struct {
		kernel      string
		least, most int // instructions
		ii          float64
	}{
		{"gcd", 4, 16, 60},
		{"scan", 2, 16, 40},
		{"crc", 6, 24, 60},
	} {
		fn := kernel(t, c.kernel, "serial", f)
		res, err := mapper.Map(fn, f, mapper.Options{})
		if err != nil {
			t.Errorf("%s: %s", c.kernel, diag.Render(diag.FromError(err), nil))
			continue
		}
		n := instructions(res)
		if u := res.Mapping.Utilization.PEs; u.Total != 16 || u.Used > len(res.Mapping.Groups)-n+len(res.Mapping.TemporalPEs) {
			t.Errorf("%s: %d of %d PEs are in use, with %d groups and %d instructions", c.kernel, u.Used, u.Total, len(res.Mapping.Groups), n)
		}
		if ii := res.Mapping.Timing.Interval(); n < c.least || n > c.most || ii > c.ii {
			t.Errorf("%s: %d instructions, want %d to %d, and %.1f cycles per iteration, want at most %.0f", c.kernel, n, c.least, c.most, ii, c.ii)
		}
		simulate(t, fn, f, res, 12)
	}
}

func instructions(res *mapper.Result) (n int) {
	for _, p := range res.Mapping.TemporalPEs {
		n += len(p.Instructions)
	}
	return n
}

// TestTemporalPaces: operations of a loop that could have an iteration in almost each cycle are instructions only where other PEs are
// too few, and the interval says so.
func TestTemporalPaces(t *testing.T) {
	for _, c := range []struct {
		pattern string
		inside  bool // they are instructions
		fits    bool
	}{
		{"[c, t, s, c]", false, true},
		{"[c, t, l, l]", false, true}, // slower than with an accumulator, and still too fast for instructions
		{"[c, t, l, c]", true, true},
		{"[c, l, c, c]", false, false},
	} {
		f := testkit.FabricOf(t, "paces.yaml", []byte(fmt.Sprintf(`name: paces
topology: {kind: mesh, rows: 1, columns: 4, tracks: 2}
boundary: {inputs: 3, outputs: 3}
pes:
  t: {units: [{addi: i32}, {loop: i32}], instructions: 4, constants: 1}
  c: {units: [{counter: index}], immediates: [0, 1, 2]}
  l: {units: [{addi: i32}, {loop: i32}], immediates: [0, 1, 2]}
  s: {units: [{accumulate: {ops: [addi], type: i32}}], immediates: [0, 1, 2]}
pattern: [%s]
`, c.pattern)))
		fn := maptest.Kernel(`handshake.func @sum(%n: index, %a: i32, %start: none) -> (i32, none) {
  %held = dataflow.hold %start : none
  %zero = constant %held {value = 0 : index} : index
  %one = constant %held {value = 1 : index} : index
  %i, %d = dataflow.stream %zero, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %g, %never = cond_br %d, %i : index
  %xs = arith.index_cast %g : index to i32
  %v = dataflow.carry %d, %a, %next : i1, i32, i32 -> i32
  %body, %out = cond_br %d, %v : i32
  %next = arith.addi %body, %xs : i32
  return %out, %start : i32, none
}
`)
		res, err := mapper.Map(fn, f, mapper.Options{})
		if (err == nil) != c.fits {
			t.Errorf("%s: fits is %v, want %v: %v", c.pattern, err == nil, c.fits, err)
		}
		if err != nil {
			continue
		}
		m, err := tech.Map(fn, f)
		if err != nil {
			t.Fatal(err)
		}
		may := false
		for _, sites := range m.Cand {
			for _, s := range sites {
				may = may || m.Sites[s].Comp != nil && m.Sites[s].Comp.TPE != nil
			}
		}
		if may != c.inside {
			t.Errorf("%s: operations may be instructions: %v, want %v", c.pattern, may, c.inside)
		}
		n, ii := instructions(res), res.Mapping.Timing.Interval()
		if c.inside != (n == 2) || !c.inside && n > 0 || ii < 1 || ii > 10 {
			t.Errorf("%s: %d instructions and %.1f cycles per iteration, inside is %v", c.pattern, n, ii, c.inside)
		}
		simulate(t, fn, f, res, 12)
	}
}
