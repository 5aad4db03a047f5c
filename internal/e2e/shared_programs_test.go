package e2e

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mlir"
	"loom/internal/soak"
	"loom/internal/testkit"
)

// sharedScenario is a random program whose arrays have several loads and stores,
// on a mesh with bridges.
func sharedScenario(seed uint64, cosim bool) scenario {
	s := scenario{seed: seed, mesh: "mesh8x8", order: "pipelined", env: environmentFor(seed / 2), cosim: cosim, inputs: seed}
	if seed%2 == 1 {
		s.order = "serial"
	}
	return s
}

// sharedProgram draws the program: a loop whose body loads and stores one or two arrays
// of four elements several times, at subscripts that depend on the iteration and on
// what was loaded, now and then under a condition.
func sharedProgram(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 41))
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	arrays, n := 1+r.IntN(2), 0
	name := func() string { n++; return fmt.Sprintf("%%v%d", n) }
	line("func.func @shared(%%m0: memref<4xi32>, %%m1: memref<4xi32>, %%n: index, %%x: i32) -> i32 {")
	line("  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index")
	line("  %%three = arith.constant 3 : i32\n  %%odd = arith.constant %d : i32", 5+2*r.IntN(9))
	line("  %%r = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%%s = %%x) -> (i32) {")
	line("  %%k = arith.index_cast %%i : index to i32")
	pool, loaded := []string{"%k", "%s", "%odd"}, []string{"%s"}
	pick := func() string { return pool[r.IntN(len(pool))] }
	element := func() string {
		masked, at := name(), name()
		line("  %s = arith.andi %s, %%three : i32\n  %s = arith.index_castui %s : i32 to index", masked, pick(), at, masked)
		return fmt.Sprintf("%%m%d[%s] : memref<4xi32>", r.IntN(arrays), at)
	}
	for loads, stores := 2+r.IntN(3), r.IntN(3); loads+stores > 0; {
		switch k := r.IntN(4); {
		case k == 0:
			v := name()
			line("  %s = arith.%s %s, %s : i32", v, []string{"addi", "xori", "subi"}[r.IntN(3)], pick(), pick())
			pool = append(pool, v)
		case k == 1 && stores > 0:
			stores--
			if r.IntN(2) == 0 {
				line("  memref.store %s, %s", pick(), element())
				continue
			}
			c, v, at := name(), pick(), element()
			line("  %s = arith.cmpi slt, %s, %s : i32\n  scf.if %s {\n    memref.store %s, %s\n  }", c, pick(), pick(), c, v, at)
		case loads > 0:
			loads--
			v, at := name(), element()
			line("  %s = memref.load %s", v, at)
			pool, loaded = append(pool, v), append(loaded, v)
		}
	}
	sum := "%odd"
	for _, v := range loaded {
		next := name()
		line("  %s = arith.addi %s, %s : i32", next, sum, v)
		sum = next
	}
	line("  scf.yield %s : i32\n  }\n  return %%r : i32\n}", sum)
	return b.String()
}

// shared counts the accesses of a program that have a tagged memory in common with
// others.
func (d *design) shared(t testing.TB) (n int) {
	on := map[string]int{}
	for _, m := range d.res.Mapping.Memories {
		if named(t, d.mesh.fabric, m.Comp).Mem.TagWidth > 0 {
			on[m.Comp] += len(m.Accesses)
		}
	}
	for _, accesses := range on {
		if accesses > 1 {
			n += accesses
		}
	}
	return n
}

// TestRandomSharedPrograms runs programs with many accesses to few arrays at every
// level: what shares a memory never blocks, and memory order holds. Under LOOM_SOAK
// there are many, some under Verilator.
func TestRandomSharedPrograms(t *testing.T) {
	n := soak.Scale(8, 200)
	verilator := soak.Factor() > 0 && haveVerilator(t)
	ran, proven, skipped, shared := 0, 0, 0, 0
	start := time.Now()
	for seed := uint64(0); ran < n; seed++ {
		s := sharedScenario(seed, verilator && 10*proven <= ran)
		text := sharedProgram(seed)
		module, err := mlir.ParseAndVerify("shared.mlir", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		d, err := newDesign(module, loadMesh(t, s.mesh), s.order, mapper.Options{Seed: s.seed, Effort: effort})
		if broken(err) {
			t.Fatalf("program %d: %v\n%s", seed, err, text)
		}
		if err != nil || d.shared(t) < 3 {
			if skipped++; skipped > 20+n {
				t.Fatalf("only %d of %d programs fit and share a memory, lastly: %v", ran, ran+skipped, err)
			}
			continue
		}
		v, err := s.run(t, module)
		if err != nil {
			t.Fatalf("program %d: %v\n%s", seed, err, text)
		}
		shared += d.shared(t)
		ran++
		if s.cosim {
			proven++
		}
		if v.diff != "" {
			t.Fatal(s.report(t, testkit.Testdata(t, "crashers"), module, v.diff, func(m *ir.Operation) string {
				v, err := s.run(t, m)
				if err != nil {
					return ""
				}
				return v.diff
			}))
		}
	}
	t.Logf("%d programs with %d accesses that share a memory agree, %d under Verilator; %d more did not fit or share; %.1fs",
		ran, shared, proven, skipped, time.Since(start).Seconds())
}
