package lower

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/dfg"
	"loom/internal/randprog"
)

// sizesDoc is the report of graph sizes; LOOM_UPDATE=1 rewrites it.
const sizesDoc = "../../docs/graph-size.md"

// part is a line of a hand-drawn graph: operations and why they must be there.
type part struct {
	ops               string
	serial, pipelined int
	why               string
}

// drawn are graphs drawn by hand under the rules of the design page "SCF to DFG".
var drawn = []struct {
	kernel, picture string
	parts           []part
}{
	{"vecadd", `
start --+-- cond_br(runs) --+--------------------------- invariant(i_next) -- body
n ------+-- cond_br(runs) --|-- stream(0, 1, n) -- gate -- i, i_next
0 -- cmpi(n > 0) = runs     +-- constant 0, constant 1

body, i -- load a --+-- addi -- store c (body, i)
body, i -- load b --+
a done, b done, c done -- cond_br(i_next) each -- false: join -- loop done
mux(runs, start where it does not run, loop done) -- done
`, []part{
		{"`addi`", 1, 1, "what the source computes"},
		{"`load` x2, `store`", 3, 3, "one operation for each access"},
		{"`extmemory` x3", 3, 3, "one interface for each memory"},
		{"`stream`, `gate`", 2, 2, "the induction variable, and after_cond"},
		{"`constant` 0 and 1", 2, 2, "start and step of the stream, fired in the branch that runs"},
		{"`cmpi`, `constant` 0", 2, 2, "the zero-trip guard: n may be 0"},
		{"`cond_br` of n and of start", 2, 2, "what enters the guarded loop"},
		{"`invariant` of start", 0, 1, "control of the body: issues the three accesses of an iteration"},
		{"`carry`, `cond_br` for each memory", 6, 0, "serial order: the token of a memory goes around the loop"},
		{"`cond_br` of each memory's completions", 0, 3, "the last completion of each memory leaves the loop"},
		{"`join` of the memories", 1, 1, "the loop is done when all three are"},
		{"`mux` of the done token", 1, 1, "the guarded loop merges with the path around it"},
	}},
	{"dot", `
start --+-- cond_br(runs) --+--------------------------- invariant(i_next) -- body
n ------+-- cond_br(runs) --|-- stream(0, 1, n) -- gate -- i, i_next
0 -- cmpi(n > 0) = runs     +-- constant 0, constant 1, constant 0 : i32 = init

body, i -- load a --+-- muli --+-- addi -- next
body, i -- load b --+          |
carry(i_more, init, next) -- cond_br(i_more) --+-- true: sum
                                               +-- false: total where it runs
mux(runs, constant 0 : i32 where it does not run, total) -- result
a done, b done -- cond_br(i_next) each -- join -- mux(runs, ·, ·) -- done
`, []part{
		{"`muli`, `addi`", 2, 2, "what the source computes"},
		{"`load` x2", 2, 2, "one operation for each access"},
		{"`extmemory` x2", 2, 2, "one interface for each memory"},
		{"`stream`, `gate`", 2, 2, "the induction variable, and after_cond"},
		{"`constant` 0 and 1", 2, 2, "start and step of the stream"},
		{"`constant`, `carry`, `cond_br` of the sum", 3, 3, "the value carried around the loop, split into body and result"},
		{"`cmpi`, `constant` 0", 2, 2, "the zero-trip guard"},
		{"`cond_br` of n and of start", 2, 2, "what enters the guarded loop"},
		{"`constant` 0, `mux` of the result", 2, 2, "the sum of nothing, where the loop does not run"},
		{"`invariant` of start", 0, 1, "control of the body"},
		{"`carry`, `cond_br` for each memory", 4, 0, "serial order"},
		{"`cond_br` of each memory's completions", 0, 2, "the last completion of each memory leaves the loop"},
		{"`join` of the memories", 1, 1, "the loop is done when both are"},
		{"`mux` of the done token", 1, 1, "the guarded loop merges with the path around it"},
	}},
	{"matvec", `
start, rows, cols -- cond_br(runs) -- stream(0, 1, rows) -- gate -- i, i_next
cmpi(cols > 0) -- invariant(i_next) = inner
start, cols -- invariant(i_next) -- cond_br(inner) ; i -- cond_br(inner)
  stream(0, 1, cols) -- gate -- j, j_next
  i * 16 -- invariant(j_next) -- addi j -- load A --+-- muli -- addi -- next
  j ------------------------------------- load x --+
  carry(j_more, 0, next) -- cond_br(j_more) -- true: sum, false: total
  A done, x done -- cond_br(j_next) -- mux(inner, ·, ·) -- cond_br(i_next) each
mux(inner, constant 0, total) -- store y (i)
y done -- cond_br(i_next)
the last of A, x and y -- join -- mux(runs, ·, ·) -- done
`, []part{
		{"`shli`, `constant` 4, `addi`", 3, 3, "the address of A[i][j]: the row once per iteration of the outer loop"},
		{"`muli`, `addi`", 2, 2, "what the source computes"},
		{"`load` x2, `store`", 3, 3, "one operation for each access"},
		{"`extmemory` x3", 3, 3, "one interface for each memory"},
		{"`stream`, `gate` x2", 4, 4, "two induction variables"},
		{"`constant` 0 and 1 x2", 4, 4, "start and step of both streams"},
		{"`constant`, `carry`, `cond_br` of the sum", 3, 3, "the value carried around the inner loop"},
		{"`cmpi`, `constant` 0", 2, 2, "guard of the outer loop"},
		{"`cmpi`, `invariant`", 2, 2, "guard of the inner loop, decided once: it compares with the 0 the outer stream starts from"},
		{"`cond_br` of start, rows, cols", 3, 3, "what enters the outer loop"},
		{"`invariant` of start and cols", 2, 2, "what enters the outer body"},
		{"`cond_br` of start, cols and i", 3, 3, "what enters the guarded inner loop"},
		{"`invariant` of the row", 1, 1, "what enters the inner body"},
		{"`constant` 0, `mux` of the total", 2, 2, "the sum of an empty row"},
		{"`invariant` of start in the inner body", 0, 1, "control of the inner body: issues both loads"},
		{"tokens of A and x: 2 `carry`, 3 `cond_br`, `mux` each", 12, 0, "serial order: around both loops and past the inner one"},
		{"token of y: `carry`, `cond_br`", 2, 0, "serial order"},
		{"completions of A and x: 2 `cond_br`, `mux` each", 0, 6, "out of both loops and past the inner one"},
		{"completions of y: `cond_br`", 0, 1, "out of the outer loop"},
		{"`join` of the memories", 1, 1, "the loop is done when all three are"},
		{"`mux` of the done token", 1, 1, "the guarded loop merges with the path around it"},
	}},
}

// class sorts the operations of a graph by what they are there for.
func class(name string) string {
	switch {
	case strings.HasPrefix(name, "arith."), strings.HasPrefix(name, "math."), strings.HasPrefix(name, "llvm."):
		return "computing"
	case name == "handshake.constant":
		return "constants"
	case name == "handshake.load", name == "handshake.store", name == "handshake.extmemory", name == "handshake.memory":
		return "memory"
	case name == "dataflow.stream", name == "dataflow.gate":
		return "counting"
	}
	return "crossings"
}

// TestSizeReport keeps docs/graph-size.md equal to what the lowering makes, and
// the graphs at the size of those drawn by hand.
func TestSizeReport(t *testing.T) {
	ks := kernels(t)
	var names []string
	for name := range ks {
		names = append(names, name)
	}
	sort.Strings(names)
	classes := []string{"computing", "memory", "counting", "constants", "crossings"}
	var b strings.Builder
	b.WriteString(`# Graph sizes

Generated by ` + "`LOOM_UPDATE=1 go test ./compiler/lower -run SizeReport`" + `; a test keeps it current.

Every operation of a graph occupies a unit of the fabric. The table counts them for the shipped kernels in
both memory orders, and per operation of the source (constants included, terminators not).
*Counting* are streams and gates; *crossings* are the operations by which values and tokens enter and leave
loops and branches: ` + "`cond_br`, `mux`, `carry`, `invariant`, `join`" + `.

| kernel | order | source | graph | per source operation | ` + strings.Join(classes, " | ") + ` |
|---|---|---|---|---|---|---|---|---|---|
`)
	total := map[string]int{}
	for _, name := range names {
		source := randprog.Size(ks[name])
		for _, order := range []string{"serial", "pipelined"} {
			res, err := Lower(ks[name], Options{MemoryOrder: order})
			if err != nil {
				t.Fatal(err)
			}
			stats := dfg.Stats(res.Func)
			total[name+order] = stats.Operations
			by := map[string]int{}
			for _, k := range stats.ByKind {
				by[class(k.Name)] += k.Count
			}
			fmt.Fprintf(&b, "| %s | %s | %d | %d | %.1f |", name, order, source, stats.Operations, float64(stats.Operations)/float64(source))
			for _, c := range classes {
				fmt.Fprintf(&b, " %d |", by[c])
			}
			b.WriteString("\n")
		}
	}
	b.WriteString(`
## Against graphs drawn by hand

What is the least that these kernels need? The graphs below are drawn by hand under the rules that make them
right: a counted loop whose bounds may be equal is guarded by a branch, a value enters a body through
` + "`invariant(after_cond, ·)`" + `, a constant is fired by its own region's control, each access has one control
and each of its completions reaches the return. In serial order each memory has a token of its own that goes
around the loops; in pipelined order none of these three kernels needs one (R2, R3), and the last completion
of each memory leaves the loops on its own. Dots stand for the other side of a branch.
`)
	for _, d := range drawn {
		serial, pipelined := 0, 0
		fmt.Fprintf(&b, "\n### %s\n\n```%s```\n\n| operations | serial | pipelined | why |\n|---|---|---|---|\n", d.kernel, "text"+d.picture)
		for _, p := range d.parts {
			serial, pipelined = serial+p.serial, pipelined+p.pipelined
			fmt.Fprintf(&b, "| %s | %d | %d | %s |\n", p.ops, p.serial, p.pipelined, p.why)
		}
		gotS, gotP := total[d.kernel+"serial"], total[d.kernel+"pipelined"]
		fmt.Fprintf(&b, "| **drawn by hand** | **%d** | **%d** | |\n| **LOOM** | **%d** | **%d** | %s |\n",
			serial, pipelined, gotS, gotP, gap(gotS-serial, gotP-pipelined))
		if gotS > serial || gotP > pipelined {
			t.Errorf("%s takes %d operations in serial and %d in pipelined order, by hand %d and %d", d.kernel, gotS, gotP, serial, pipelined)
		}
	}
	b.WriteString(`
The guard is the price of loops that may not run: in ` + "`vecadd`" + ` five operations (comparison, its constant, two
` + "`cond_br`, `mux`" + `). It disappears where the bounds, a branch around the loop or the interval of a value prove
that the loop runs.
`)
	if os.Getenv("LOOM_UPDATE") != "" {
		if err := os.WriteFile(sizesDoc, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(sizesDoc)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("docs/graph-size.md is out of date, run LOOM_UPDATE=1 go test ./compiler/lower -run SizeReport (-want +got):\n%s", diff)
	}
}

func gap(serial, pipelined int) string {
	if serial == 0 && pipelined == 0 {
		return "no difference"
	}
	return fmt.Sprintf("%+d serial, %+d pipelined", serial, pipelined)
}
