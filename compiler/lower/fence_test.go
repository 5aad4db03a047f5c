package lower

import (
	"fmt"
	"testing"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/dialect/handshake"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/internal/randprog"
	"loom/sim/token"
	"loom/sim/vector"
)

// epochs runs a program in the interpreter and returns, for each load and store by its line,
// how many fences have been passed at each of its executions. The operations of the program
// get a line each.
func epochs(t *testing.T, m *ir.Operation, in *vector.Inputs, indexWidth int) map[int][]int {
	t.Helper()
	line := 0
	m.Walk(func(op *ir.Operation) bool {
		line++
		op.Pos = diag.Pos{File: "prog", Line: line, Col: 1}
		return true
	})
	// The interpreter calls @mark with the line before each of them.
	c := m.Clone(map[*ir.Value]*ir.Value{})
	fences := map[int]bool{}
	c.Walk(func(op *ir.Operation) bool {
		switch op.Name {
		case opname.MemRefLoad, opname.MemRefStore, opname.AffineLoad, opname.AffineStore, opname.LLVMFence:
			fences[op.Pos.Line] = op.Name == opname.LLVMFence
			n := ir.NewOp(opname.ArithConstant, op.Pos, nil, []ir.Type{ir.I32})
			n.SetAttr("value", ir.IntAttr(int64(op.Pos.Line), ir.I32))
			call := ir.NewOp(opname.FuncCall, op.Pos, []*ir.Value{n.Result(0)}, nil)
			call.SetAttr("callee", &ir.SymbolRefAttr{Root: "mark"})
			op.Block().InsertBefore(op, n)
			op.Block().InsertBefore(op, call)
		}
		return true
	})
	c.Regions[0].Entry().Append(parse(t, "func.func private @mark(%line: i32) { return }").Regions[0].Entry().Ops[0])
	out, epoch := map[int][]int{}, 0
	o, err := interp.Run(randprog.Function(c), in, interp.Options{IndexWidth: indexWidth, MaxSteps: 2_000_000, Watch: &interp.Watch{
		Function: "mark",
		Called: func(in *vector.Inputs, _ int64) {
			if line := int(in.Args[0].Scalar); fences[line] {
				epoch++
			} else {
				out[line] = append(out[line], epoch)
			}
		},
	}})
	if err != nil || o.Status != vector.Done {
		t.Fatalf("%v %+v", err, o)
	}
	return out
}

// crossed runs a graph with slow memories and returns the first access that begins before
// one in front of a fence is complete, "" for none. checked are the accesses that it has
// compared, of those in want.
func crossed(t *testing.T, graph *ir.Operation, in *vector.Inputs, want map[int][]int, opts token.Options) (violation string, checked int) {
	t.Helper()
	p, err := token.Compile(graph, opts.IndexWidth)
	if err != nil {
		t.Fatal(err)
	}
	begins, ends := map[*ir.Value]int{}, map[*ir.Value]int{} // to the line of the access
	operations := map[int]int{}
	for _, op := range graph.Regions[0].Entry().Ops {
		if op.Name != opname.HandshakeMemory && op.Name != opname.HandshakeExtmemory {
			continue
		}
		ports := handshake.PortsOf(op)
		add := func(addr *ir.Value, done *ir.Value) {
			line := addr.Def.Pos.Line
			operations[line]++
			begins[addr], ends[done] = line, line
		}
		for i := range ports.Stores {
			add(op.Operand(ports.StoreAddr(i)), op.Result(ports.StoreDone(i)))
		}
		for i := range ports.Loads {
			add(op.Operand(ports.LoadAddr(i)), op.Result(ports.LoadDone(i)))
		}
	}
	// What the graph does another number of times than the program, or in several places, is
	// not compared.
	begun := map[int]int{}
	if _, err := p.Observe(in, opts, token.Observation{Each: func(v *ir.Value, _ uint64) {
		if line, ok := begins[v]; ok {
			begun[line]++
		}
	}}); err != nil {
		t.Fatal(err)
	}
	var left []int // of each epoch, the accesses that are not complete
	for line, n := range operations {
		es := want[line]
		if n != 1 || begun[line] != len(es) {
			delete(operations, line)
			continue
		}
		for _, e := range es {
			for len(left) <= e {
				left = append(left, 0)
			}
			left[e]++
			checked++
		}
	}
	oldest := 0 // epoch with an access that is not complete
	begun, ended := map[int]int{}, map[int]int{}
	if _, err := p.Observe(in, opts, token.Observation{Each: func(v *ir.Value, _ uint64) {
		for oldest < len(left) && left[oldest] == 0 {
			oldest++
		}
		if line, ok := begins[v]; ok && operations[line] == 1 {
			if e := want[line][begun[line]]; e > oldest && violation == "" {
				violation = fmt.Sprintf("line %d begins after %d fences, while an access after %d is not complete", line, e, oldest)
			}
			begun[line]++
		}
		if line, ok := ends[v]; ok && operations[line] == 1 {
			left[want[line][ended[line]]]--
			ended[line]++
		}
	}}); err != nil {
		t.Fatal(err)
	}
	return violation, checked
}

// fencedProgram is a random program of a seed with fences among its statements.
func fencedProgram(seed uint64) *ir.Operation {
	o := randprog.Options{Use: randprog.Fences, Memories: 3, MaxOps: 70}
	switch seed % 4 {
	case 1:
		o.Use |= randprog.Sweeps
	case 2:
		o.Use |= randprog.Sweeps | randprog.CountedWhiles | randprog.WhileShapes
	case 3:
		o.Use, o.MaxOps = randprog.Everything, 120
	}
	return randprog.Generate(seed, o)
}

// fenceOptions are the options of a seed.
func fenceOptions(seed uint64) Options {
	opts := Options{MemoryOrder: orders[seed/4%2], keepBranches: seed/8%2 == 0, IndexWidth: 64}
	if seed%3 == 0 {
		two := 2
		opts.MaxJoinFanin = &two
	}
	return opts
}

// TestFences: no access begins before all accesses in front of a fence are complete, in any
// memory, whatever the latencies are.
func TestFences(t *testing.T) {
	checked := 0
	for seed := range programs(400) {
		m := fencedProgram(seed)
		in := randprog.Inputs(m, seed)
		want := epochs(t, m, in, 64)
		opts := fenceOptions(seed)
		if d, err := disagreement(randprog.Function(m), in, seed, opts); err != nil || d != "" {
			t.Fatalf("seed %d: %v %s", seed, err, d)
		}
		res, err := Lower(m, opts)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, s := range schedules(seed)[2:] {
			s.IndexWidth = 64
			v, n := crossed(t, res.Func, in, want, s)
			if checked += n; v != "" {
				t.Fatalf("seed %d, %s order, %+v: %s", seed, opts.MemoryOrder, s, v)
			}
		}
	}
	if least := int(programs(400)) * 5; checked < least {
		t.Errorf("only %d accesses were compared, expected %d", checked, least)
	}
}

// TestFenceFaults breaks each rule of fences. A run shows an access on the wrong side of a
// fence, and the verifier sees it in the graph.
func TestFenceFaults(t *testing.T) {
	for _, d := range fenceFaults {
		t.Run(string(d), func(t *testing.T) {
			ran, static := -1, -1
			for seed := uint64(0); seed < 300 && (ran < 0 || static < 0); seed++ {
				m := fencedProgram(seed)
				in := randprog.Inputs(m, seed)
				want := epochs(t, m, in, 64)
				opts := fenceOptions(seed)
				opts.deviate = d
				res, err := Lower(m, opts)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				found := &diag.List{}
				if dfg.Verify(res.Func, found); found.HasErrors() && static < 0 {
					static = int(seed)
				}
				for _, s := range schedules(seed)[2:] {
					s.IndexWidth, s.MaxSteps = 64, 200_000
					if v, _ := crossed(t, res.Func, in, want, s); v != "" && ran < 0 {
						ran = int(seed)
						if !found.HasErrors() {
							t.Errorf("seed %d: %s, and the verifier has no objection", seed, v)
						}
					}
				}
			}
			t.Logf("noticed by running program %d, by the verifier on program %d", ran, static)
			if ran < 0 || static < 0 {
				t.Errorf("noticed by running program %d, by the verifier on program %d", ran, static)
			}
		})
	}
}

// fenceForms are programs with their number of fences in the graph. Each has one join per
// fence that has something to order.
var fenceForms = []struct {
	name, body string
	fences     int
	told       int // in the report
}{
	{"straight", "memref.store %v, %a[%c0] : memref<4xi32>\nllvm.fence seq_cst\nmemref.store %v, %b[%c0] : memref<4xi32>", 1, 1},
	{"at the beginning", "llvm.fence acquire\nmemref.store %v, %a[%c0] : memref<4xi32>\nmemref.store %v, %b[%c0] : memref<4xi32>", 0, 1},
	{"twice", "memref.store %v, %a[%c0] : memref<4xi32>\nllvm.fence release\nllvm.fence acquire\nmemref.store %v, %b[%c0] : memref<4xi32>", 1, 2},
	{"loads of one memory", "%x = memref.load %a[%c0] : memref<4xi32>\nllvm.fence acq_rel\n%y = memref.load %a[%c1] : memref<4xi32>\n%z = arith.addi %x, %y : i32\nmemref.store %z, %b[%c0] : memref<4xi32>", 1, 1},
	{"in a loop", "scf.for %i = %c0 to %n step %c1 {\nmemref.store %v, %a[%i] : memref<4xi32>\nllvm.fence release\nmemref.store %v, %b[%i] : memref<4xi32>\n}", 1, 1},
	{"in a branch", "memref.store %v, %a[%c0] : memref<4xi32>\n%p = arith.cmpi slt, %n, %c1 : index\nscf.if %p {\nllvm.fence seq_cst\n}\nmemref.store %v, %b[%c0] : memref<4xi32>", 1, 1},
	{"for the compiler", "memref.store %v, %a[%c0] : memref<4xi32>\nllvm.fence syncscope(\"singlethread\") seq_cst\nmemref.store %v, %b[%c0] : memref<4xi32>", 0, 0},
	{"without memory", "llvm.fence seq_cst", 0, 0},
}

func TestFenceForms(t *testing.T) {
	for _, f := range fenceForms {
		for _, order := range orders {
			t.Run(f.name+" "+order, func(t *testing.T) {
				m := parse(t, "func.func @prog(%a: memref<4xi32>, %b: memref<4xi32>, %n: index) {\n"+
					"%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%v = arith.constant 7 : i32\n"+f.body+"\nreturn\n}")
				res, err := Lower(m, Options{MemoryOrder: order})
				if err != nil {
					t.Fatal(err)
				}
				n := 0
				for _, op := range res.Func.Regions[0].Entry().Ops {
					if op.Attr(handshake.FenceAttr) != nil {
						n++
					}
				}
				if n != f.fences {
					t.Errorf("%d fences, expected %d", n, f.fences)
				}
				for _, g := range res.Memory {
					if len(g.Fences) != f.told {
						t.Errorf("the report on %s names %d fences, expected %d", g.Name, len(g.Fences), f.told)
					}
				}
			})
		}
	}
}
