package token_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/latency"
	"loom/compiler/mlir"
	"loom/internal/soak"
	"loom/sim/vector"
)

// loopText writes a kernel with one long loop: values carried around it in any
// order, memory read and written at the index and at subscripts that depend on data,
// and, where set, branches and loops inside, on the paths of some carried values.
type loopText struct {
	b        strings.Builder
	r        *rand.Rand
	next     int
	branches bool
	nested   bool
}

func (l *loopText) line(depth int, format string, args ...any) {
	fmt.Fprintf(&l.b, strings.Repeat("  ", depth)+format+"\n", args...)
}

func (l *loopText) name() string {
	l.next++
	return fmt.Sprintf("%%v%d", l.next)
}

func pick[T any](r *rand.Rand, s []T) T { return s[r.IntN(len(s))] }

// body writes some statements over the values given and returns those there are
// at their end.
func (l *loopText) body(depth, statements int, values []string) []string {
	values = append([]string(nil), values...)
	for range statements {
		kind := l.r.IntN(11)
		if kind >= 8 && depth > 3 || kind < 10 && kind >= 8 && !l.branches || kind == 10 && !l.nested {
			kind = l.r.IntN(8)
		}
		switch {
		case kind < 4:
			v := l.name()
			l.line(depth, "%s = arith.%s %s, %s : i32", v, pick(l.r, []string{"addi", "xori", "muli", "subi"}), pick(l.r, values), pick(l.r, values))
			values = append(values, v)
		case kind < 6:
			v := l.name()
			l.line(depth, "%s = memref.load %s[%s] : memref<64xi32>", v, pick(l.r, []string{"%a", "%b"}), l.index(depth, values))
			values = append(values, v)
		case kind < 8:
			at := l.index(depth, values)
			l.line(depth, "memref.store %s, %s[%s] : memref<64xi32>", pick(l.r, values), pick(l.r, []string{"%b", "%c"}), at)
		case kind == 10:
			// A number of iterations that may depend on data, and may be zero.
			low, bound, v, s := l.name(), l.name(), l.name(), l.name()
			l.line(depth, "%s = arith.andi %s, %%seven : i32", low, pick(l.r, append(values, "%mask")))
			l.line(depth, "%s = arith.index_cast %s : i32 to index", bound, low)
			l.line(depth, "%s = scf.for %s = %%zero to %s step %%one iter_args(%s = %s) -> (i32) {", v, l.name(), bound, s, pick(l.r, values))
			l.line(depth+1, "scf.yield %s : i32", pick(l.r, l.body(depth+1, 1+l.r.IntN(4), append(values, s))))
			l.line(depth, "}")
			values = append(values, v)
		default:
			c, v := l.name(), l.name()
			l.line(depth, "%s = arith.cmpi slt, %s, %s : i32", c, pick(l.r, values), pick(l.r, values))
			l.line(depth, "%s = scf.if %s -> (i32) {", v, c)
			l.line(depth+1, "scf.yield %s : i32", pick(l.r, l.body(depth+1, 1+l.r.IntN(3), values)))
			l.line(depth, "} else {")
			l.line(depth+1, "scf.yield %s : i32", pick(l.r, l.body(depth+1, l.r.IntN(3), values)))
			l.line(depth, "}")
			values = append(values, v)
		}
	}
	return values
}

// index is an index into a memory.
func (l *loopText) index(depth int, values []string) string {
	if l.r.IntN(2) == 0 {
		return "%i"
	}
	low, at := l.name(), l.name()
	l.line(depth, "%s = arith.andi %s, %%mask : i32", low, pick(l.r, values))
	l.line(depth, "%s = arith.index_cast %s : i32 to index", at, low)
	return at
}

// write makes the kernel.
func (l *loopText) write() string {
	n := 1 + l.r.IntN(3)
	var carried, inits, types []string
	for i := range n {
		carried = append(carried, fmt.Sprintf("%%c%d", i))
		inits = append(inits, fmt.Sprintf("%%c%d = %%x", i))
		types = append(types, "i32")
	}
	all := strings.Join(types, ", ")
	l.line(0, "func.func @k(%%a: memref<64xi32>, %%b: memref<64xi32>, %%c: memref<64xi32>, %%n: index, %%x: i32) -> (%s) {", all)
	l.line(1, "%%zero = arith.constant 0 : index")
	l.line(1, "%%one = arith.constant 1 : index")
	l.line(1, "%%mask = arith.constant 63 : i32")
	l.line(1, "%%seven = arith.constant 7 : i32")
	l.line(1, "%%r:%d = scf.for %%i = %%zero to %%n step %%one iter_args(%s) -> (%s) {", n, strings.Join(inits, ", "), all)
	values := l.body(2, 3+l.r.IntN(8), append([]string{"%x"}, carried...))
	var yields, results []string
	for i := range n {
		yields = append(yields, pick(l.r, values))
		results = append(results, fmt.Sprintf("%%r#%d", i))
	}
	l.line(2, "scf.yield %s : %s", strings.Join(yields, ", "), all)
	l.line(1, "}")
	l.line(1, "return %s : %s", strings.Join(results, ", "), all)
	l.line(0, "}")
	return l.b.String()
}

// TestTimedLoops measures long random loops: no loop is faster than its bound,
// and one without branches and loops inside is as fast.
func TestTimedLoops(t *testing.T) {
	const trips = 64
	loops, reached, straight := 0, 0, 0
	count := soak.Scale(250, 4000)
	for seed := range uint64(count) {
		branches, nested := seed%2 == 1, seed%8 >= 5
		text := (&loopText{r: rand.New(rand.NewPCG(seed, 1)), branches: branches, nested: nested}).write()
		module, err := mlir.ParseAndVerify("k.mlir", text)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		sig, err := vector.SignatureOf(module.Regions[0].Entry().Ops[0])
		if err != nil {
			t.Fatal(err)
		}
		in, err := vector.Random(sig, seed, trips, 64)
		if err != nil {
			t.Fatal(err)
		}
		in.Args[3].Scalar = trips
		order := []string{"serial", "pipelined"}[seed/2%2]
		d, timing, err := timedDiffers(graphOf(t, module, order), in, latency.Model{Memory: latency.Fixed(1 + int64(seed%9))})
		if err != nil || d != "" {
			t.Fatalf("seed %d, %s: %v %s\n%s", seed, order, err, d, text)
		}
		for i := range timing.Loops {
			l := &timing.Loops[i]
			if l.Spent == 0 {
				continue // a loop inside that runs once at most
			}
			loops++
			rounds := l.Spent / int64(l.Bound.Tokens)
			if l.Bound.Stuck || l.Depth == 0 && l.Spent < trips/3 || l.Cycles < max(rounds*int64(l.Bound.Cycles), l.Spent) {
				t.Errorf("seed %d, %s: %d cycles in %d iterations, bound %v by %s\n%s",
					seed, order, l.Cycles, l.Spent, l.Bound, l.Bound.PathString(), text)
			}
			if l.Reached() {
				reached++
			}
			if !branches && !nested {
				straight++
				if !l.Reached() {
					t.Errorf("seed %d, %s: %d cycles in %d iterations of a simple loop, bound %v by %s\n%s",
						seed, order, l.Cycles, l.Spent, l.Bound, l.Bound.PathString(), text)
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d loops, %d simple ones, %d at their bounds", loops, straight, reached)
}
