package randprog_test

import (
	"fmt"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/sim/vector"
)

var optionSets = map[string]randprog.Options{
	"default":     {},
	"small":       randprog.Small(),
	"locals":      {Locals: true, Extended: true},
	"straight":    {MaxDepth: -1, Memories: -1},
	"defined":     {NoUndefined: true, MaxOps: 200},
	"no while":    {NoWhile: true, NoDivides: true},
	"tiny":        {MaxOps: 5},
	"all":         {Use: randprog.Everything, MaxOps: 100},
	"all small":   {Use: randprog.Everything, MaxOps: 30, MaxDepth: 2, SmallTypes: true, SingleAccess: true, NoDivides: true},
	"all defined": {Use: randprog.Everything, NoUndefined: true, Extended: true, Locals: true},
}

// run executes a program; nil where it does not run to its end.
func run(m *ir.Operation, seed uint64) *vector.Outcome {
	out, err := interp.Run(randprog.Function(m), randprog.Inputs(m, seed), interp.Options{MaxSteps: 200_000})
	if err != nil || out.Status != vector.Done {
		return nil
	}
	return out
}

// Every program is valid IR, reads back as it is printed, runs to its end on
// several inputs and keeps the promises of its options.
func TestProgramsKeepTheirPromises(t *testing.T) {
	for name, opts := range optionSets {
		for seed := range uint64(100) {
			m := randprog.Generate(seed, opts)
			var errs diag.List
			ir.Verify(m, &errs)
			text := mlir.Print(m, mlir.Options{})
			if err := errs.Err(); err != nil {
				t.Fatalf("%s, seed %d: %v\n%s", name, seed, err, text)
			}
			if again := mlir.Print(randprog.Generate(seed, opts), mlir.Options{}); again != text {
				t.Fatalf("%s, seed %d: two programs from one seed", name, seed)
			}
			if opts.MaxOps > 0 && randprog.Size(m) > opts.MaxOps {
				t.Errorf("%s, seed %d: %d operations", name, seed, randprog.Size(m))
			}
			for k := range uint64(3) {
				if out := run(m, k); out == nil {
					t.Fatalf("%s, seed %d: inputs %d do not run to the end\n%s", name, seed, k, text)
				}
			}
			accesses := map[string]int{}
			m.Walk(func(op *ir.Operation) bool {
				base := strings.TrimPrefix(op.Name, "arith.")
				switch {
				case opts.NoDivides && (strings.HasPrefix(base, "div") || strings.HasPrefix(base, "rem")),
					opts.NoWhile && op.Name == "scf.while",
					opts.MaxDepth < 0 && op.Dialect() == "scf":
					t.Errorf("%s, seed %d: has %s", name, seed, op.Name)
				}
				for _, v := range op.Operands() {
					if _, ok := v.Type.(*ir.MemRefType); ok {
						accesses[op.Name+" %"+v.Name]++
					} else if opts.SmallTypes && v.Type != ir.Type(ir.I1) && v.Type != ir.Type(ir.I32) && v.Type != ir.Type(ir.Index) {
						t.Errorf("%s, seed %d: has a value of type %s", name, seed, v.Type)
					}
				}
				return true
			})
			for what, n := range accesses {
				// Locals have no name.
				if opts.SingleAccess && n > 1 && !strings.HasSuffix(what, "%") {
					t.Errorf("%s, seed %d: %d times %s", name, seed, n, what)
				}
			}
		}
	}
}

// The mix contains what the lowering can go wrong on, each in a fair share of
// the programs.
func TestTheMixIsComplete(t *testing.T) {
	const programs = 600
	count := map[string]int{}
	for seed := range uint64(programs) {
		m := randprog.Generate(seed, randprog.Options{})
		found := map[string]bool{}
		memories := 0
		m.Walk(func(op *ir.Operation) bool {
			found[op.Name] = true
			inside := map[string]bool{}
			for p := op.ParentOp(); p != nil; p = p.ParentOp() {
				inside[p.Name] = true
			}
			for p := range inside {
				found[op.Name+" in "+p] = true
			}
			switch op.Name {
			case "scf.for":
				found["for over "+op.Operand(0).Type.String()] = true
				found[fmt.Sprintf("for with %d values", op.NumResults())] = true
				y := op.Regions[0].Entry().Terminator()
				for i, v := range y.Operands() {
					if v.Block != nil && v.Block.ParentOp() == op && v.Index != i+1 && v.Index > 0 {
						found["swapped loop values"] = true
					}
					if v.Block != op.Regions[0].Entry() && (v.Def == nil || v.Def.Block() != op.Regions[0].Entry()) {
						found["outer value yielded by a loop"] = true
					}
				}
				if op.Operand(0).Def == nil || op.Operand(1).Def == nil || op.Operand(1).Def.Name != "arith.constant" {
					found["computed bounds"] = true
				}
			case "scf.if":
				if op.Regions[1].Entry() == nil {
					found["if without else"] = true
				} else if len(op.Regions[1].Entry().Ops) == 1 {
					found["empty else"] = true
				}
				if op.NumResults() > 0 {
					found["if with results"] = true
				}
			case "scf.while":
				if fmt.Sprint(op.Operands()[0].Type, len(op.Operands())) != fmt.Sprint(op.Results()[0].Type, len(op.Results())) {
					found["while with a type change"] = true
				}
			}
			for _, r := range op.Results() {
				if !r.HasUses() && op.Name != "arith.constant" {
					found["unused result"] = true
				}
			}
			return true
		})
		for _, a := range randprog.Function(m).Regions[0].Entry().Args {
			if mt, ok := a.Type.(*ir.MemRefType); ok {
				memories++
				found["memory of "+mt.Elem.String()] = true
				if len(mt.Shape) == 2 {
					found["matrix"] = true
				} else if mt.Shape[0] == ir.Dynamic {
					found["dynamic memory"] = true
				}
			}
		}
		found[fmt.Sprintf("%d memories", memories)] = true
		for f := range found {
			count[f]++
		}
	}
	for _, want := range []string{
		"scf.for", "scf.while", "scf.if", "scf.for in scf.for", "scf.for in scf.while", "scf.for in scf.if", "scf.while in scf.for",
		"scf.while in scf.while", "scf.while in scf.if", "scf.if in scf.for", "scf.if in scf.while", "scf.if in scf.if",
		"memref.load in scf.if", "memref.store in scf.if", "memref.load in scf.while", "memref.store in scf.while", "memref.store in scf.for",
		"for over index", "for over i32", "for with 0 values", "for with 3 values", "swapped loop values", "outer value yielded by a loop",
		"computed bounds", "if without else", "empty else", "if with results", "while with a type change", "unused result",
		"memory of i8", "memory of i64", "matrix", "dynamic memory", "2 memories", "3 memories",
		"arith.divsi", "arith.remui", "arith.select", "arith.cmpi", "arith.extsi", "arith.trunci", "arith.index_cast", "math.ctpop",
	} {
		if count[want] < programs/50 {
			t.Errorf("%s: in %d of %d programs", want, count[want], programs)
		}
	}
}

// Every construct is in its share of the programs, in all its forms.
func TestEveryConstructAppears(t *testing.T) {
	const programs = 600
	count := map[string]int{}
	for seed := range uint64(programs) {
		found := map[string]bool{}
		randprog.Generate(seed, randprog.Options{Use: randprog.Everything}).Walk(func(op *ir.Operation) bool {
			found[op.Name] = true
			for _, v := range op.Results() {
				if _, ok := v.Type.(*ir.MemRefType); ok && len(op.Regions) > 0 {
					found["carried memory"] = true
				}
			}
			for _, v := range append(op.Results(), op.Operands()...) {
				if mt, ok := v.Type.(*ir.MemRefType); ok {
					found[fmt.Sprintf("rank %d", len(mt.Shape))] = true
					if mt.Layout != nil {
						found["strided"] = true
					}
				}
			}
			switch op.Name {
			case "func.func":
				for _, a := range op.Regions[0].Entry().Args {
					if mt, ok := a.Type.(*ir.MemRefType); ok && mt.Layout != nil && op.SymName() == randprog.FunctionName {
						found["strided parameter"] = true
					}
				}
			case "scf.for":
				found["for over "+op.Operand(0).Type.String()] = true
				if op.Attr("unsignedCmp") != nil {
					found["unsigned for"] = true
				}
			case "scf.parallel":
				found[fmt.Sprintf("parallel of %d", len(op.Regions[0].Entry().Args))] = true
				found[fmt.Sprintf("%d reductions", op.NumResults())] = true
			case "scf.while":
				found[fmt.Sprintf("while with %d operands", op.NumOperands())] = true
				if len(op.Regions[1].Entry().Ops) == 1 {
					found["do-while"] = true
				}
				cond := op.Regions[0].Entry().Terminator().Operand(0)
				if cond.Def != nil && cond.Def.Name == "arith.cmpi" {
					p, _ := cond.Def.IntAttr("predicate")
					found[fmt.Sprintf("while %d", p)] = true
				}
				if y := op.Regions[1].Entry().Terminator(); y.NumOperands() > 0 && y.Operand(0).Def != nil {
					found["while by "+y.Operand(0).Def.Name] = true
				}
			case "func.call":
				found[fmt.Sprintf("call with %d results", op.NumResults())] = true
				for _, v := range op.Operands() {
					if _, ok := v.Type.(*ir.MemRefType); ok {
						found["call with memory"] = true
					}
				}
			case "memref.alloc", "memref.alloca":
				if op.ParentOp().Name != "func.func" {
					found["buffer in a region"] = true
				}
			case "memref.load", "memref.store":
				sub := op.Operand(op.NumOperands() - 1)
				if p := sub.Block; p != nil && p.ParentOp().Name == "scf.for" {
					found["subscript i"] = true
				}
			}
			return true
		})
		for f := range found {
			count[f]++
		}
	}
	for _, want := range []string{
		"scf.index_switch", "scf.execute_region", "scf.parallel", "scf.forall", "parallel of 1", "parallel of 2", "0 reductions",
		"1 reductions", "2 reductions", "while with 0 operands", "while with 1 operands", "while with 3 operands", "do-while",
		"while 1", "while 2", "while 3", "while 4", "while 5", "while 6", "while 7", "while 8", "while 9",
		"while by arith.addi", "while by arith.subi", "while by arith.muli", "while by arith.shli", "while by arith.shrui",
		"unsigned for", "for over i4", "for over i12", "for over i64", "func.call", "call with 0 results", "call with 2 results", "call with memory",
		"memref.subview", "memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.reinterpret_cast", "memref.dim", "memref.copy", "memref.atomic_rmw", "carried memory", "memref.transpose", "strided parameter",
		"strided", "rank 0", "rank 1", "rank 2", "rank 3", "memref.alloc", "memref.alloca", "memref.dealloc", "buffer in a region",
		"memref.get_global", "affine.for", "affine.if", "affine.load", "affine.store", "affine.apply", "affine.min", "affine.max", "arith.addf", "arith.cmpf", "arith.negf", "arith.sitofp", "arith.fptosi", "subscript i",
	} {
		if count[want] < programs/300 {
			t.Errorf("%s: in %d of %d programs", want, count[want], programs)
		}
	}
}

// mutate exchanges one operation for another of the same type, as a wrong
// lowering would. It reports false where the program has none.
func mutate(m *ir.Operation, from, to string) (*ir.Operation, bool) {
	c := m.Clone(map[*ir.Value]*ir.Value{})
	found := false
	c.Walk(func(op *ir.Operation) bool {
		if op.Name == from {
			op.Name = to
			found = true
		}
		return true
	})
	return c, found
}

// differs reports whether two programs have different results on some input.
func differs(a, b *ir.Operation) bool {
	for k := range uint64(4) {
		x, y := run(a, k), run(b, k)
		if x == nil || y == nil {
			return false
		}
		if vector.Diff(x, y) != nil {
			return true
		}
	}
	return false
}

// A wrong operation anywhere must show in results or memories: values are
// observed. Not always, because code may be skipped or results coincide.
func TestFaultsShow(t *testing.T) {
	for _, c := range []struct{ from, to string }{
		{"arith.xori", "arith.ori"}, {"arith.muli", "arith.subi"}, {"arith.extui", "arith.extsi"},
	} {
		shown, all := 0, 0
		for seed := range uint64(300) {
			m := randprog.Generate(seed, randprog.Options{NoUndefined: true})
			bad, ok := mutate(m, c.from, c.to)
			if !ok {
				continue
			}
			all++
			if differs(m, bad) {
				shown++
			}
		}
		t.Logf("%s as %s: shows in %d of %d programs", c.from, c.to, shown, all)
		if shown*5 < all {
			t.Errorf("%s as %s shows in %d of %d programs only", c.from, c.to, shown, all)
		}
	}
}

func TestShrink(t *testing.T) {
	shrunk := 0
	for seed := uint64(0); shrunk < 8; seed++ {
		m := randprog.Generate(seed, randprog.Options{NoUndefined: true, Locals: seed%2 == 0})
		failing := func(m *ir.Operation) bool {
			bad, ok := mutate(m, "arith.muli", "arith.addi")
			return ok && differs(m, bad)
		}
		if !failing(m) {
			continue
		}
		before := mlir.Print(m, mlir.Options{})
		s := randprog.Shrink(m, failing)
		if mlir.Print(m, mlir.Options{}) != before {
			t.Fatal("the program itself was changed")
		}
		var errs diag.List
		ir.Verify(s, &errs)
		text := mlir.Print(s, mlir.Options{})
		if err := errs.Err(); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if !failing(s) {
			t.Fatalf("seed %d: the shrunk program does not fail\n%s", seed, text)
		}
		// A multiplication, its operands and where its value goes.
		if n := randprog.Size(s); n > 6 {
			t.Errorf("seed %d: %d operations are left of %d\n%s", seed, n, randprog.Size(m), text)
		}
		shrunk++
	}
}

// Shrinking towards a construct keeps it and drops the rest.
func TestShrinkKeepsStructure(t *testing.T) {
	for _, name := range []string{
		"scf.while", "scf.for", "scf.if", "scf.index_switch", "scf.execute_region", "scf.parallel", "scf.forall", "func.call",
		"memref.subview", "memref.get_global", "memref.alloc", "arith.addf", "affine.for", "affine.if", "affine.load",
	} {
		for seed := range uint64(6) {
			m := randprog.Generate(seed, randprog.Options{Use: randprog.Everything, MaxOps: 40})
			failing := func(m *ir.Operation) bool {
				found := false
				m.Walk(func(op *ir.Operation) bool {
					found = found || op.Name == name
					return true
				})
				return found && run(m, 0) != nil
			}
			if !failing(m) {
				continue
			}
			s := randprog.Shrink(m, failing)
			var errs diag.List
			ir.Verify(s, &errs)
			if err := errs.Err(); err != nil || randprog.Size(s) > 7 {
				t.Errorf("%s, seed %d: %v\n%s", name, seed, err, mlir.Print(s, mlir.Options{}))
			}
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	for seed := uint64(0); b.Loop(); seed++ {
		randprog.Generate(seed, randprog.Options{})
	}
}
