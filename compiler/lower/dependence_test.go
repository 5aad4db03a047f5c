package lower

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/internal/randprog"
)

// analysed runs the lowering up to the dependence analysis.
func analysed(tb testing.TB, m *ir.Operation, opts Options) *state {
	tb.Helper()
	s, errs := &state{opts: opts, src: m}, &diag.List{}
	for _, p := range passes().Passes {
		p.Run(s, errs)
		if errs.HasErrors() {
			tb.Fatalf("pass %s: %v", p.Name, errs)
		}
		if p.Name == "dependences" {
			return s
		}
	}
	tb.Fatal("no such pass")
	return nil
}

// TestDependencesAgainstEnumeration: where the analysis finds iterations
// independent, running all of them finds no element that two touch with a store
// among them.
func TestDependencesAgainstEnumeration(t *testing.T) {
	progs, verdicts, free, exact, bySize, turns := 0, 0, 0, 0, 0, 0
	for seed := range programs(3000) {
		p := affineProgram(seed)
		if p == nil {
			continue
		}
		progs++
		m := parse(t, p.text)
		s := analysed(t, m, Options{IndexWidth: p.indexWidth, MemoryOrder: "pipelined"})
		met := p.meetings()
		s.fn.Walk(func(op *ir.Operation) bool {
			if op.Name != "scf.for" {
				return true
			}
			loop, ok := p.loopAt[op.Pos.Line]
			if !ok {
				t.Fatalf("seed %d: a loop at line %d", seed, op.Pos.Line)
			}
			for _, d := range s.dependences[op.Regions[0].Entry().Args[0]] {
				var ids []int
				stores := false
				for o := range d.covers {
					ids = append(ids, p.accessAt[o.Pos.Line])
					stores = stores || o.Name == "memref.store"
				}
				inTurn := map[[2]int]bool{}
				for _, p2 := range d.InTurn {
					inTurn[[2]int{p.accessAt[p2[0].Pos.Line], p.accessAt[p2[1].Pos.Line]}] = true
				}
				clash := false
				for _, a := range ids {
					for _, b := range ids {
						if met[meeting{loop, a, b}] {
							clash = true
							if turn := inTurn[[2]int{a, b}]; turn {
								turns++
							} else if d.Free {
								t.Errorf("seed %d, %d bits: accesses %d and %d meet in the loop at line %d, which is free: %s\n%s",
									seed, p.indexWidth, a, b, op.Pos.Line, d.Why, p.text)
							}
						}
					}
				}
				if strings.HasPrefix(d.Why, "the distance exceeds") {
					bySize++
				}
				if len(ids) > 1 && stores {
					verdicts++
					if d.Free {
						free++
					}
					if d.Free != clash {
						exact++
					}
				}
			}
			return true
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%d programs, %d verdicts on loops with a store and more, %d free (%d whatever the sizes), %d as sharp as the enumeration, %d pairs in turn",
		progs, verdicts, free, bySize, exact, turns)
	if free*10 < verdicts || bySize == 0 || turns == 0 || progs == 0 {
		t.Errorf("only %d of %d loops are free: the test covers little", free, verdicts)
	}
}

// TestAffinePrograms runs programs with affine subscripts in both orders.
func TestAffinePrograms(t *testing.T) {
	ran, relaxed := 0, 0
	for seed := range programs(600) {
		p := affineProgram(seed)
		if p == nil {
			continue
		}
		m := parse(t, p.text)
		for _, order := range []string{"serial", "pipelined"} {
			opts := Options{MemoryOrder: order, IndexWidth: p.indexWidth, keepBranches: seed%2 == 0}
			d, err := disagreement(randprog.Function(m), p.inputs(seed), seed, opts)
			if err != nil || d != "" {
				t.Fatalf("seed %d, %s, %d bits: %v %s\n%s", seed, order, p.indexWidth, err, d, p.text)
			}
		}
		ran++
		if freeWithStores(analysed(t, m, Options{IndexWidth: p.indexWidth})) {
			relaxed++
		}
	}
	t.Logf("%d programs, R4 in %d", ran, relaxed)
	if relaxed*4 < ran || ran == 0 {
		t.Errorf("R4 applies in %d of %d programs: the test covers little", relaxed, ran)
	}
}

// freeWithStores reports whether R4 needs the subscripts of a store and another
// access for some loop.
func freeWithStores(s *state) bool {
	found := false
	for _, ds := range s.dependences {
		for _, d := range ds {
			stores := 0
			for op := range d.covers {
				if op.Name == "memref.store" {
					stores++
				}
			}
			found = found || d.Free && stores > 0 && len(d.covers) > 1
		}
	}
	return found
}

// classic are the textbook cases. Each is the body of a function over a: the
// memory under test, sometimes b, with loops named after their induction
// variables; want is, per loop, "free" or what keeps its iterations in order.
var classic = []struct {
	name, types, body, want string
}{
	{"in place", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			%v = memref.load %a[%i] : T
			memref.store %v, %a[%i] : T
		}`, "i: free"},
	{"shift forward", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			%j = arith.addi %i, %c1 : index
			%v = memref.load %a[%i] : T
			memref.store %v, %a[%j] : T
		}`, "i: distance 1"},
	{"shift backward", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			%j = arith.addi %i, %c1 : index
			%v = memref.load %a[%j] : T
			memref.store %v, %a[%i] : T
		}`, "i: free"},
	{"shift by more than the loop runs", "memref<?xi32>", `
		scf.for %i = %c0 to %c8 step %c1 {
			%j = arith.addi %i, %c8 : index
			%v = memref.load %a[%j] : T
			memref.store %v, %a[%i] : T
		}`, "i: free"},
	{"even and odd", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			%e = arith.muli %i, %c2 : index
			%o = arith.addi %e, %c1 : index
			%v = memref.load %a[%o] : T
			memref.store %v, %a[%e] : T
		}`, "i: free"},
	{"unrolled by the step", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c4 {
			%j = arith.addi %i, %c3 : index
			%v = memref.load %a[%j] : T
			memref.store %v, %a[%i] : T
		}`, "i: free"},
	{"one step too far", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c4 {
			%j = arith.addi %i, %c8 : index
			%v = memref.load %a[%i] : T
			memref.store %v, %a[%j] : T
		}`, "i: distance 2"},
	{"records of four", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			%r = arith.shli %i, %c2 : index
			%j = arith.addi %r, %c3 : index
			%v = memref.load %a[%j] : T
			memref.store %v, %a[%r] : T
		}`, "i: free"},
	{"records, sometimes", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			%r = arith.shli %i, %c4 : index
			%v = memref.load %a[%r] : T
			%w = memref.load %b[%i] : T
			%p = arith.cmpi slt, %v, %w : i32
			scf.if %p {
				memref.store %w, %a[%r] : T
			}
		}`, "i: free"},
	{"only sometimes", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			%r = arith.shli %i, %c4 : index
			%w = memref.load %b[%i] : T
			%p = arith.cmpi slt, %w, %x : i32
			scf.if %p {
				%v = memref.load %a[%r] : T
				memref.store %w, %a[%r] : T
				memref.store %v, %b[%i] : T
			}
		}`, "i: the subscripts may wrap around at 64 bits"},
	{"one element", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			%v = memref.load %a[%c0] : T
			%w = arith.addi %v, %v : i32
			%p = arith.cmpi sgt, %w, %x : i32
			scf.if %p {
				memref.store %w, %a[%c0] : T
			}
		}`, "i: every iteration touches the same element"},
	{"one element beyond", "memref<?xi32>", `
		scf.for %i = %c0 to %c8 step %c1 {
			%v = memref.load %a[%c16] : T
			memref.store %v, %a[%i] : T
		}`, "i: free"},
	{"reversed", "memref<?xi32>", `
		%last = arith.subi %n, %c1 : index
		scf.for %i = %c0 to %n step %c1 {
			%j = arith.subi %last, %i : index
			%v = memref.load %a[%j] : T
			%w = arith.addi %v, %v : i32
			memref.store %w, %a[%j] : T
		}`, "i: free"},
	{"reversed by turning bits around", "memref<?xi32>", `
		%all = arith.constant -1 : index
		scf.for %i = %c0 to %n step %c1 {
			%t = arith.xori %i, %all : index
			%j = arith.addi %t, %n : index
			%v = memref.load %a[%j] : T
			%w = arith.addi %v, %v : i32
			memref.store %w, %a[%j] : T
		}`, "i: free"},
	{"one after an even one, as bits", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			%j = arith.shli %i, %c1 : index
			%k = arith.ori %j, %c1 : index
			%v = memref.load %a[%k] : T
			memref.store %v, %a[%j] : T
		}`, "i: free"},
	{"bits that may be set already", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			%k = arith.ori %i, %c1 : index
			%v = memref.load %a[%k] : T
			memref.store %v, %a[%i] : T
		}`, "i: the subscript depends on the result of 'arith.ori', which is not affine"},
	{"mirrored in place", "memref<?xi32>", `
		%last = arith.subi %n, %c1 : index
		scf.for %i = %c0 to %n step %c1 {
			%j = arith.subi %last, %i : index
			%v = memref.load %a[%j] : T
			memref.store %v, %a[%i] : T
		}`, "i: the subscript depends on %n, of which nothing is known"},
	{"histogram", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			%k = memref.load %b[%i] : T
			%j = arith.index_cast %k : i32 to index
			%v = memref.load %a[%j] : T
			%w = arith.addi %v, %x : i32
			memref.store %w, %a[%j] : T
		}`, "i: the subscript depends on loaded data"},
	{"counting down", "memref<?xi32>", `
		%r = scf.while (%k = %n) : (index) -> index {
			%p = arith.cmpi sgt, %k, %c0 : index
			scf.condition(%p) %k : index
		} do {
		^bb0(%i: index):
			%next = arith.subi %i, %c1 : index
			%v = memref.load %a[%next] : T
			memref.store %v, %a[%next] : T
			scf.yield %next : index
		}`, "k: free"},
	{"narrow counter", "memref<?xi32>", `
		%zero = arith.constant 0 : i32
		%one = arith.constant 1 : i32
		scf.for %i = %zero to %x step %one : i32 {
			%j = arith.index_cast %i : i32 to index
			%r = arith.muli %j, %c16 : index
			%v = memref.load %a[%r] : T
			%w = memref.load %b[%j] : T
			%p = arith.cmpi slt, %v, %w : i32
			scf.if %p {
				memref.store %w, %a[%r] : T
			}
		}`, "i: free"},
	{"narrow sum that may wrap", "memref<?xi32>", `
		%zero = arith.constant 0 : i32
		%one = arith.constant 1 : i32
		%four = arith.constant 4 : i32
		scf.for %i = %zero to %x step %one : i32 {
			%k = arith.muli %i, %four : i32
			%j = arith.index_cast %k : i32 to index
			%v = memref.load %a[%j] : T
			%w = arith.addi %v, %x : i32
			memref.store %w, %a[%j] : T
		}`, "i: the subscript depends on the result of 'arith.index_cast', which is not affine"},
	{"counter below zero, extended as unsigned", "memref<?xi32>", `
		%from = arith.constant -4 : i8
		%to = arith.constant 4 : i8
		%by = arith.constant 1 : i8
		%far = arith.constant 257 : index
		scf.for %i = %from to %to step %by : i8 {
			%j = arith.index_castui %i : i8 to index
			%k = arith.index_cast %i : i8 to index
			%l = arith.addi %k, %far : index
			%v = memref.load %a[%l] : T
			memref.store %v, %a[%j] : T
		}`, "i: the subscript depends on the result of 'arith.index_castui', which is not affine"},
	{"row sweep", "memref<?x16xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			scf.for %j = %c1 to %c16 step %c1 {
				%k = arith.subi %j, %c1 : index
				%v = memref.load %a[%i, %k] : T
				memref.store %v, %a[%i, %j] : T
			}
		}`, "i: free, j: distance 1"},
	{"column sweep", "memref<?x16xi32>", `
		scf.for %i = %c1 to %n step %c1 {
			%k = arith.subi %i, %c1 : index
			scf.for %j = %c0 to %c16 step %c1 {
				%v = memref.load %a[%k, %j] : T
				memref.store %v, %a[%i, %j] : T
			}
		}`, "i: distance 1, j: free"},
	{"diagonal sweep", "memref<?x16xi32>", `
		scf.for %i = %c1 to %c16 step %c1 {
			%k = arith.subi %i, %c1 : index
			%v = memref.load %a[%k, %i] : T
			memref.store %v, %a[%i, %k] : T
		}`, "i: free"},
	{"transposed in place", "memref<16x16xi32>", `
		scf.for %i = %c0 to %c16 step %c1 {
			scf.for %j = %c0 to %c16 step %c1 {
				%v = memref.load %a[%j, %i] : T
				memref.store %v, %a[%i, %j] : T
			}
		}`, "i: the ranges of the subscripts overlap, j: free"},
	{"linearised", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			scf.for %j = %c0 to %c16 step %c1 {
				%r = arith.muli %i, %c16 : index
				%k = arith.addi %r, %j : index
				%v = memref.load %a[%k] : T
				memref.store %v, %a[%k] : T
			}
		}`, "i: free, j: free"},
	{"linearised, rows overlap", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			scf.for %j = %c0 to %c16 step %c1 {
				%r = arith.muli %i, %c8 : index
				%k = arith.addi %r, %j : index
				%v = memref.load %a[%k] : T
				memref.store %v, %a[%k] : T
			}
		}`, "i: the ranges of the subscripts overlap, j: free"},
	{"linearised triangle", "memref<?xi32>", `
		scf.for %i = %c0 to %c16 step %c1 {
			scf.for %j = %c0 to %i step %c1 {
				%r = arith.muli %i, %c16 : index
				%k = arith.addi %r, %j : index
				%v = memref.load %a[%k] : T
				memref.store %v, %a[%k] : T
			}
		}`, "i: free, j: free"},
	{"tiles", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c8 {
			scf.for %j = %c0 to %c8 step %c1 {
				%k = arith.addi %i, %j : index
				%v = memref.load %a[%k] : T
				memref.store %v, %a[%k] : T
			}
		}`, "i: free, j: free"},
	{"butterflies", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c16 {
			scf.for %j = %c0 to %c8 step %c1 {
				%k = arith.addi %i, %j : index
				%l = arith.addi %k, %c8 : index
				%v = memref.load %a[%k] : T
				%w = memref.load %a[%l] : T
				memref.store %w, %a[%k] : T
				memref.store %v, %a[%l] : T
			}
		}`, "i: free, j: free"},
	{"row of unknown length", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			%r = arith.muli %i, %m : index
			scf.for %j = %c0 to %m step %c1 {
				%k = arith.addi %r, %j : index
				%v = memref.load %a[%k] : T
				memref.store %v, %a[%k] : T
			}
		}`, "i: free, j: free"},
	{"row of another length", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			%r = arith.muli %i, %m : index
			scf.for %j = %c0 to %n step %c1 {
				%k = arith.addi %r, %j : index
				%v = memref.load %a[%k] : T
				memref.store %v, %a[%k] : T
			}
		}`, "i: the subscript depends on the result of 'arith.muli', which is not affine, j: free"},
	{"row of unknown length, next element", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			%r = arith.muli %i, %m : index
			scf.for %j = %c0 to %m step %c1 {
				%k = arith.addi %r, %j : index
				%l = arith.addi %k, %c1 : index
				%v = memref.load %a[%k] : T
				memref.store %v, %a[%l] : T
			}
		}`, "i: the subscript depends on the result of 'arith.muli', which is not affine, j: distance 1"},
	{"halves", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			%k = arith.addi %i, %n : index
			%v = memref.load %a[%i] : T
			memref.store %v, %a[%k] : T
		}`, "i: free"},
	{"halves that overlap", "memref<?xi32>", `
		%l = arith.subi %n, %c1 : index
		scf.for %i = %c0 to %n step %c1 {
			%k = arith.addi %i, %l : index
			%v = memref.load %a[%i] : T
			memref.store %v, %a[%k] : T
		}`, "i: the subscript depends on %n, of which nothing is known"},
	{"matrix product in memory", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			scf.for %j = %c0 to %m step %c1 {
				%r = arith.muli %i, %m : index
				%k = arith.addi %r, %j : index
				scf.for %l = %c0 to %n step %c1 {
					%v = memref.load %a[%k] : T
					%w = memref.load %b[%l] : T
					%s = arith.addi %v, %w : i32
					%p = arith.cmpi sgt, %s, %x : i32
					scf.if %p {
						memref.store %s, %a[%k] : T
					}
				}
			}
		}`, "i: free, j: free, l: every iteration touches the same element"},
	{"window", "memref<?xi32>", `
		%w = memref.subview %a[%m] [%n] [2] : memref<?xi32> to memref<?xi32, strided<[2], offset: ?>>
		scf.for %i = %c0 to %n step %c1 {
			%k = arith.muli %i, %c2 : index
			%l = arith.addi %k, %m : index
			%v = memref.load %w[%i] : memref<?xi32, strided<[2], offset: ?>>
			memref.store %v, %a[%l] : T
		}`, "i: free"},
	{"neighbouring windows", "memref<?xi32>", `
		scf.for %i = %c0 to %n step %c1 {
			%k = arith.muli %i, %c8 : index
			%w = memref.subview %a[%k] [8] [1] : memref<?xi32> to memref<8xi32, strided<[1], offset: ?>>
			scf.for %j = %c0 to %c8 step %c1 {
				%v = memref.load %w[%j] : memref<8xi32, strided<[1], offset: ?>>
				memref.store %v, %w[%j] : memref<8xi32, strided<[1], offset: ?>>
			}
		}`, "i: free, j: free"},
	{"two layouts", "memref<64xi32>", `
		%w = memref.reinterpret_cast %a to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<64xi32> to memref<8x8xi32>
		scf.for %i = %c0 to %c8 step %c1 {
			%k = arith.muli %i, %c8 : index
			%v = memref.load %w[%i, %c0] : memref<8x8xi32>
			memref.store %v, %a[%k] : T
		}`, "i: free"},
	{"parameter with overlaps", "memref<8x8xi32, strided<[1, 1]>>", `
		scf.for %i = %c0 to %c4 step %c1 {
			%v = memref.load %a[%i, %c1] : T
			memref.store %v, %a[%i, %c0] : T
		}`, "i: the view they use may put two indices on one element, or changes from iteration to iteration"},
	{"layout with overlaps", "memref<64xi32>", `
		%w = memref.reinterpret_cast %a to offset: [0], sizes: [8, 8], strides: [1, 1] : memref<64xi32> to memref<8x8xi32, strided<[1, 1]>>
		scf.for %i = %c0 to %c8 step %c1 {
			%v = memref.load %w[%c0, %i] : memref<8x8xi32, strided<[1, 1]>>
			memref.store %v, %w[%i, %c1] : memref<8x8xi32, strided<[1, 1]>>
		}`, "i: distance 1"},
}

// TestClassicDependences pins what the analysis decides.
func TestClassicDependences(t *testing.T) {
	for _, c := range classic {
		t.Run(c.name, func(t *testing.T) {
			text := "func.func @k(%a: T, %b: T, %n: index, %m: index, %x: i32) {\n"
			for _, v := range []int{0, 1, 2, 3, 4, 8, 16} {
				text += fmt.Sprintf("%%c%d = arith.constant %d : index\n", v, v)
			}
			s := analysed(t, parse(t, strings.ReplaceAll(text+c.body+"\nreturn\n}", " T", " "+c.types)), Options{IndexWidth: 64})
			var got []string
			s.fn.Walk(func(op *ir.Operation) bool {
				if op.Name != "scf.for" {
					return true
				}
				iv := op.Regions[0].Entry().Args[0]
				for _, d := range s.dependences[iv] {
					if d.root.Name == "a" {
						verdict := d.Why
						if d.Free {
							verdict = "free"
						}
						got = append(got, iv.Name+": "+verdict)
					}
				}
				return true
			})
			if diff := cmp.Diff(c.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
