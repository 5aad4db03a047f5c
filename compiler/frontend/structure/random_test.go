package structure

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/diag"
	_ "loom/compiler/dialect/all"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/pass"
	"loom/internal/soak"
	"loom/sim/vector"
)

// cfg is a random control-flow graph. Its conditions come from a generator of
// random numbers that the program keeps in memory, so that it ends if it can, and
// every block leaves a trace.
type cfg struct {
	seed   uint64
	blocks []cfgBlock
}

type cfgBlock struct {
	args  int
	quiet bool // nothing but its branch
	// succs are the targets: none is a return, two a condition, more a switch.
	succs []int
}

// randomCFG makes a graph of up to n blocks. shape 0 is any graph, 1 one of loops
// and branches as programs have them.
func randomCFG(rng *rand.Rand, n int) *cfg {
	c := &cfg{seed: rng.Uint64()}
	n = 2 + rng.IntN(n)
	back := rng.IntN(3) // how likely edges lead backwards
	for i := range n {
		b := cfgBlock{args: rng.IntN(3), quiet: rng.IntN(4) == 0}
		if i == 0 {
			b.args = 0
		}
		succs := []int{1, 1, 2, 2, 2, 2, 2, 3, 4}[rng.IntN(9)]
		if i == n-1 {
			succs = 0
		}
		if rng.IntN(12) == 0 {
			succs = 0
		}
		for range succs {
			to := i + 1 + rng.IntN(min(n-i-1, 3))
			if rng.IntN(4) < back {
				to = 1 + rng.IntN(n-1)
			}
			b.succs = append(b.succs, to)
		}
		c.blocks = append(c.blocks, b)
	}
	return c
}

// dominators returns which blocks dominate which, for the blocks that are reached.
func (c *cfg) dominators() []map[int]bool {
	n := len(c.blocks)
	dom := make([]map[int]bool, n)
	dom[0] = map[int]bool{0: true}
	for changed := true; changed; {
		changed = false
		for i := range n {
			if dom[i] == nil {
				continue
			}
			for _, s := range c.blocks[i].succs {
				next := map[int]bool{s: true}
				for d := range dom[i] {
					if dom[s] == nil || dom[s][d] {
						next[d] = true
					}
				}
				if len(next) != len(dom[s]) && s != 0 {
					dom[s] = next
					changed = true
				}
			}
		}
	}
	return dom
}

// text prints the graph as a function. %state[0] holds the random numbers.
func (c *cfg) text() string {
	rng := rand.New(rand.NewPCG(c.seed, 7))
	dom := c.dominators()
	var b strings.Builder
	b.WriteString("func.func @f(%state: memref<2xi32>, %trace: memref<64xi32>, %p: i32, %q: i32) -> (i32, i32) {\n")
	b.WriteString("  %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index\n  %mask = arith.constant 63 : i32\n")
	b.WriteString("  %mul = arith.constant 1103515245 : i32\n  %inc = arith.constant 12345 : i32\n  %sixteen = arith.constant 16 : i32\n  %three = arith.constant 3 : i32\n")
	b.WriteString("  %i1 = arith.constant 1 : i32\n")
	values := make([][]string, len(c.blocks)) // defined by each block
	for i, blk := range c.blocks {
		for k := range blk.args {
			values[i] = append(values[i], fmt.Sprintf("%%a%d_%d", i, k))
		}
		if !blk.quiet {
			values[i] = append(values[i], fmt.Sprintf("%%v%d", i))
		}
	}
	for i, blk := range c.blocks {
		if dom[i] == nil {
			continue
		}
		seen := []string{"%p", "%q", "%mul", "%inc"}
		for d := range c.blocks {
			if d != i && dom[i][d] {
				seen = append(seen, values[d]...)
			}
		}
		for k := range blk.args {
			seen = append(seen, fmt.Sprintf("%%a%d_%d", i, k))
		}
		pick := func() string { return seen[rng.IntN(len(seen))] }
		if i > 0 {
			var args []string
			for k := range blk.args {
				args = append(args, fmt.Sprintf("%%a%d_%d: i32", i, k))
			}
			if len(args) > 0 {
				fmt.Fprintf(&b, "^b%d(%s):\n", i, strings.Join(args, ", "))
			} else {
				fmt.Fprintf(&b, "^b%d:\n", i)
			}
		}
		if !blk.quiet {
			fmt.Fprintf(&b, "  %%x%d = %s %s, %s : i32\n", i, []string{"arith.addi", "arith.muli", "arith.xori", "arith.subi"}[rng.IntN(4)], pick(), pick())
			fmt.Fprintf(&b, "  %%k%d = arith.constant %d : i32\n  %%v%d = arith.addi %%x%d, %%k%d : i32\n", i, rng.IntN(100), i, i, i)
			fmt.Fprintf(&b, "  %%n%d = memref.load %%state[%%one] : memref<2xi32>\n  %%nn%d = arith.addi %%n%d, %%i1 : i32\n", i, i, i)
			fmt.Fprintf(&b, "  memref.store %%nn%d, %%state[%%one] : memref<2xi32>\n", i)
			fmt.Fprintf(&b, "  %%m%d = arith.andi %%n%d, %%mask : i32\n  %%t%d = arith.index_cast %%m%d : i32 to index\n", i, i, i, i)
			fmt.Fprintf(&b, "  memref.store %%v%d, %%trace[%%t%d] : memref<64xi32>\n", i, i)
			seen = append(seen, fmt.Sprintf("%%v%d", i))
		}
		to := func(s int) string {
			var args []string
			for range c.blocks[s].args {
				args = append(args, pick())
			}
			if len(args) == 0 {
				return fmt.Sprintf("^b%d", s)
			}
			return fmt.Sprintf("^b%d(%s : %s)", s, strings.Join(args, ", "), strings.TrimSuffix(strings.Repeat("i32, ", len(args)), ", "))
		}
		if len(blk.succs) > 1 {
			fmt.Fprintf(&b, "  %%s%d = memref.load %%state[%%zero] : memref<2xi32>\n  %%u%d = arith.muli %%s%d, %%mul : i32\n", i, i, i)
			fmt.Fprintf(&b, "  %%w%d = arith.addi %%u%d, %%inc : i32\n  memref.store %%w%d, %%state[%%zero] : memref<2xi32>\n", i, i, i)
			fmt.Fprintf(&b, "  %%h%d = arith.shrui %%w%d, %%sixteen : i32\n  %%r%d = arith.andi %%h%d, %%three : i32\n", i, i, i, i)
		}
		switch len(blk.succs) {
		case 0:
			fmt.Fprintf(&b, "  return %s, %s : i32, i32\n", pick(), pick())
		case 1:
			fmt.Fprintf(&b, "  cf.br %s\n", to(blk.succs[0]))
		case 2:
			fmt.Fprintf(&b, "  %%c%d = arith.cmpi slt, %%r%d, %%i1 : i32\n", i, i)
			if i%2 == 0 {
				fmt.Fprintf(&b, "  cf.cond_br %%c%d, %s, %s\n", i, to(blk.succs[1]), to(blk.succs[0]))
			} else {
				fmt.Fprintf(&b, "  cf.cond_br %%c%d, %s, %s\n", i, to(blk.succs[0]), to(blk.succs[1]))
			}
		default:
			fmt.Fprintf(&b, "  cf.switch %%r%d : i32, [\n    default: %s", i, to(blk.succs[0]))
			for k, s := range blk.succs[1:] {
				fmt.Fprintf(&b, ",\n    %d: %s", k, to(s))
			}
			b.WriteString("\n  ]\n")
		}
	}
	b.WriteString("}\n")
	return b.String()
}

func parse(t testing.TB, text string) *ir.Operation {
	t.Helper()
	m, err := mlir.ParseAndVerify("f.cf.mlir", text)
	if err != nil {
		t.Fatalf("%v\n%s", diag.Render(diag.FromError(err), nil), text)
	}
	return m
}

func theFunction(m *ir.Operation) (fn *ir.Operation) {
	m.Walk(func(op *ir.Operation) bool {
		if op.Name == "func.func" && fn == nil {
			fn = op
		}
		return true
	})
	return fn
}

// endless reports whether the function cannot return.
func (c *cfg) endless() bool {
	seen := map[int]bool{}
	for work := []int{0}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if len(c.blocks[b].succs) == 0 {
			return false
		}
		work = append(work, c.blocks[b].succs...)
	}
	return true
}

// compareCFG runs a graph before and after structuring; "" if they agree.
func compareCFG(t testing.TB, c *cfg) (fault string) {
	text := c.text()
	want, got := parse(t, text), parse(t, text)
	defer func() {
		if r := recover(); r != nil {
			fault = fmt.Sprint("panic: ", r)
		}
	}()
	err := Run(got, &diag.List{}, pass.Options{Verify: true})
	if c.endless() {
		if err == nil {
			return "an endless loop was not reported"
		}
		return ""
	}
	if err != nil {
		return err.Error()
	}
	if errs := (&diag.List{}); true {
		ir.Verify(got, errs)
		if errs.Err() != nil {
			return errs.Error() + "\n" + mlir.Print(got, mlir.Options{})
		}
	}
	return differs(theFunction(want), theFunction(got), c.seed)
}

func differs(want, got *ir.Operation, seed uint64) string {
	sig, err := vector.SignatureOf(want)
	if err != nil {
		return err.Error()
	}
	opts := interp.Options{MaxSteps: 200000}
	p, err := interp.Compile(want, opts)
	if err != nil {
		return err.Error()
	}
	q, err := interp.Compile(got, opts)
	if err != nil {
		return err.Error() + "\n" + mlir.Print(got, mlir.Options{})
	}
	for k := range uint64(4) {
		in, err := vector.Random(sig, seed+k, 8, 64)
		if err != nil {
			return err.Error()
		}
		a, err := p.Run(in)
		if err != nil {
			return err.Error()
		}
		b, err := q.Run(in)
		if err != nil {
			return err.Error()
		}
		if a.Status == vector.Budget {
			continue
		}
		if d := vector.Diff(a, b); len(d) > 0 {
			return strings.Join(d, "\n") + "\n" + mlir.Print(got, mlir.Options{})
		}
	}
	return ""
}

// shrink makes a failing graph smaller.
func shrink(t testing.TB, c *cfg) *cfg {
	smaller := func(change func(*cfg) bool) *cfg {
		n := &cfg{seed: c.seed}
		for _, b := range c.blocks {
			b.succs = append([]int(nil), b.succs...)
			n.blocks = append(n.blocks, b)
		}
		if !change(n) || compareCFG(t, n) == "" {
			return nil
		}
		return n
	}
	for again := true; again; {
		again = false
		for i := range c.blocks {
			for k := range c.blocks[i].succs {
				if n := smaller(func(n *cfg) bool {
					b := &n.blocks[i]
					if len(b.succs) < 2 {
						return false
					}
					b.succs = append(b.succs[:k], b.succs[k+1:]...)
					return true
				}); n != nil {
					c, again = n, true
					break
				}
			}
			for _, f := range []func(*cfgBlock) bool{
				func(b *cfgBlock) bool { was := b.quiet; b.quiet = true; return !was },
				func(b *cfgBlock) bool { was := b.args; b.args = 0; return was > 0 },
				func(b *cfgBlock) bool { was := len(b.succs); b.succs = nil; return was > 0 },
			} {
				if n := smaller(func(n *cfg) bool { return f(&n.blocks[i]) }); n != nil {
					c, again = n, true
				}
			}
		}
	}
	return c
}

// TestRandomGraphs: any control flow means the same when it is structured.
func TestRandomGraphs(t *testing.T) {
	cases := soak.Scale(1000, 60000)
	for i := range cases {
		rng := rand.New(rand.NewPCG(uint64(i), 1))
		c := randomCFG(rng, 12)
		if f := compareCFG(t, c); f != "" {
			c = shrink(t, c)
			t.Fatalf("case %d: %s\n%s", i, compareCFG(t, c), c.text())
		}
	}
}
