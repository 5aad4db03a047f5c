package lift_test

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"testing"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/frontend/lift"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/pass"
)

// TestOddInput breaks modules at random: lifting always ends with a function
// or with errors that have a position, and never with a panic.
func TestOddInput(t *testing.T) {
	t.Parallel()
	rounds := 1000
	if testing.Short() {
		rounds = 200
	}
	l := lowerSource(t, "testdata/memory.c", "1")
	var bodies []*ir.Operation
	for _, op := range l.module.Regions[0].Entry().Ops {
		if op.Name == "llvm.func" && op.Regions[0].Entry() != nil {
			bodies = append(bodies, op)
		}
	}
	rng := rand.New(rand.NewPCG(5, 23))
	lifted, refused, panics := 0, 0, 0
	for round := range rounds {
		chosen := bodies[rng.IntN(len(bodies))]
		m := map[*ir.Value]*ir.Value{}
		module := ir.NewOp("builtin.module", l.module.Pos, nil, nil)
		top := module.AddRegion().AddBlock()
		for _, op := range l.module.Regions[0].Entry().Ops {
			if op == chosen || op.Name == "llvm.mlir.global" {
				top.Append(op.Clone(m))
			}
		}
		fn := top.Ops[len(top.Ops)-1]
		for _, op := range top.Ops {
			if op.Name == "llvm.func" {
				fn = op
			}
		}
		var did []string
		for range 1 + rng.IntN(3) {
			did = append(did, distort(rng, fn))
		}
		func() {
			defer func() {
				if p := recover(); p != nil && panics < 5 {
					panics++
					t.Errorf("round %d, %s, %v: panic: %v\n%s", round, fn.SymName(), did, p, debug.Stack())
				}
			}()
			_, err := lift.Run(module, lift.Options{Debug: l.debug, Pass: pass.Options{Verify: true}}, &diag.List{})
			if err == nil {
				lifted++
				return
			}
			refused++
			for _, d := range diag.FromError(err).All {
				if d.Pos.Line == 0 || d.Message == "" || d.Severity == diag.Internal {
					t.Errorf("round %d, %s, %v: %v", round, fn.SymName(), did, d)
				}
			}
		}()
	}
	t.Logf("%d lifted, %d refused", lifted, refused)
	if lifted < rounds/20 || refused < rounds/20 {
		t.Errorf("%d lifted, %d refused: the distortions are too weak or too strong", lifted, refused)
	}
}

// distort changes something about a function.
func distort(rng *rand.Rand, fn *ir.Operation) string {
	var ops []*ir.Operation
	var values []*ir.Value
	fn.Walk(func(op *ir.Operation) bool {
		if op != fn {
			ops = append(ops, op)
			values = append(values, op.Results()...)
		}
		return true
	})
	for _, b := range fn.Regions[0].Blocks {
		values = append(values, b.Args...)
	}
	op := ops[rng.IntN(len(ops))]
	types := []ir.Type{ir.I1, ir.I8, ir.I32, ir.I64, ir.Int(17), ir.Int(128), ir.F16, ir.F32, ir.F64, ir.Opaque("!llvm.ptr"),
		ir.Opaque("!llvm.ptr<3>"), ir.Opaque("!llvm.struct<(i32, f32)>"), ir.Shaped("vector", []int64{4}, ir.I32), ir.Opaque("!llvm.void"), ir.Index}
	names := []string{"llvm.load", "llvm.store", "llvm.add", "llvm.sub", "llvm.select", "llvm.getelementptr", "llvm.ptrtoint", "llvm.inttoptr",
		"llvm.icmp", "llvm.freeze", "llvm.zext", "llvm.trunc", "llvm.bitcast", "llvm.intr.fshl", "llvm.intr.bswap", "llvm.intr.sadd.sat", "llvm.call", "llvm.mlir.zero",
		"llvm.intr.abs", "llvm.shl", "llvm.mlir.addressof", "llvm.alloca", "llvm.return", "llvm.unreachable", "llvm.br", "llvm.cond_br", "llvm.switch", "what.ever"}
	switch rng.IntN(9) {
	case 0, 1, 2:
		if op.NumOperands() > 0 {
			i := rng.IntN(op.NumOperands())
			op.SetOperand(i, values[rng.IntN(len(values))])
			return fmt.Sprintf("operand %d of %s", i, op.Name)
		}
	case 3:
		if op.NumResults() > 0 {
			op.Result(0).Type = types[rng.IntN(len(types))]
			return fmt.Sprintf("type of %s to %s", op.Name, op.Result(0).Type)
		}
	case 4:
		old := op.Name
		op.Name = names[rng.IntN(len(names))]
		return old + " to " + op.Name
	case 5:
		if len(op.Attrs) > 0 {
			a := op.Attrs[rng.IntN(len(op.Attrs))].Name
			op.SetAttr(a, nil)
			return fmt.Sprintf("no %s at %s", a, op.Name)
		}
	case 6:
		if len(op.Attrs) > 0 {
			a := op.Attrs[rng.IntN(len(op.Attrs))].Name
			op.SetAttr(a, []ir.Attr{ir.IntAttr(rng.Int64(), ir.I64), ir.StrAttr("x"), &ir.UnitAttr{}, &ir.TypeAttr{Type: types[rng.IntN(len(types))]},
				&ir.DenseArrayAttr{Elem: ir.I32, Values: []int64{-2147483648, 3, 1 << 40}}}[rng.IntN(5)])
			return fmt.Sprintf("%s of %s to %s", a, op.Name, op.Attr(a))
		}
	case 7:
		if len(op.Succs) > 0 {
			bs := fn.Regions[0].Blocks
			op.Succs[rng.IntN(len(op.Succs))].Block = bs[rng.IntN(len(bs))]
			return "successor of " + op.Name
		}
	case 8:
		if n := op.NumOperands(); n > 0 {
			op.SetOperands(op.Operands()[:n-1])
			return "one operand fewer at " + op.Name
		}
	}
	return ""
}

// liftLL lifts the only function of a text in LLVM IR.
func liftLL(t *testing.T, ll string) (*ir.Operation, error) {
	t.Helper()
	l := lowerSource(t, temporary(t, "k.ll", ll), "")
	l.debug = llvm.NewDebug("")
	return l.lift("", lift.Options{}, &diag.List{})
}

// TestWithoutDebug: LLVM IR without debug information.
func TestWithoutDebug(t *testing.T) {
	t.Parallel()
	module, err := liftLL(t, `
%pt = type { i32, float }
define i64 @k(ptr %p, i17 %n, double %x, ptr noalias %q, ptr byval(%pt) %r) {
entry:
  switch i17 %n, label %d [ i17 3, label %a
                            i17 -5, label %b ]
a:
  %f = getelementptr %pt, ptr %p, i64 3, i32 1
  %v = load float, ptr %f
  store float %v, ptr %q
  br label %e
b:
  %x1 = load i32, ptr %r
  %x2 = sext i32 %x1 to i64
  br label %e
d:
  br i1 undef, label %dead, label %e
dead:
  store i32 1, ptr %p
  unreachable
e:
  %s = phi i64 [ 1, %a ], [ %x2, %b ], [ poison, %d ]
  ret i64 %s
}`)
	if err != nil {
		t.Fatal(err)
	}
	fn := function(module)
	abi, _ := cabi.Of(fn)
	s := text(module)
	for _, want := range []string{
		"@k(%arg0: memref<?xf32>, %arg1: i17, %arg3: memref<?xf32>, %arg4.f0: i32) -> i64",
		"cf.switch %arg1 : i17, [", "3: ^", "-5: ^", "memref.load %arg0[",
	} {
		if !strings.Contains(s, want) {
			t.Errorf("no %q in\n%s", want, s)
		}
	}
	if strings.Contains(s, "memref.store %c1") || strings.Count(s, "memref.store") != 1 {
		t.Errorf("what is unreachable was kept:\n%s", s)
	}
	if len(abi.Params) != 5 || abi.Params[0].Class != cabi.Pointer || abi.Params[0].Type != "void *" || abi.Params[2].Type != "double" ||
		len(abi.Params[2].Pieces) != 0 || abi.Params[4].Class != cabi.Struct || abi.Result.Type != "int64_t" {
		t.Errorf("description: %+v", abi)
	}
}

// TestPlainOperations: operations that clang does not write for C.
func TestPlainOperations(t *testing.T) {
	t.Parallel()
	module, err := liftLL(t, `
declare i7 @llvm.fshl.i7(i7, i7, i7)
declare i8 @llvm.sshl.sat.i8(i8, i8)
declare i16 @llvm.ushl.sat.i16(i16, i16)
define i32 @k(i7 %a, i7 %b, i8 %c, i16 %d, i32 %e) {
  %1 = call i7 @llvm.fshl.i7(i7 %a, i7 %b, i7 9)
  %2 = call i7 @llvm.fshl.i7(i7 %1, i7 %b, i7 %a)
  %3 = call i8 @llvm.sshl.sat.i8(i8 %c, i8 2)
  %4 = call i16 @llvm.ushl.sat.i16(i16 %d, i16 2)
  %5 = zext i7 %2 to i32
  %6 = sext i8 %3 to i32
  %7 = zext i16 %4 to i32
  %8 = freeze i32 %e
  %9 = xor i32 %5, %6
  %10 = mul i32 %9, %7
  %11 = icmp ult i32 %8, 3
  %12 = select i1 %11, i1 true, i1 false
  %13 = sext i1 %12 to i32
  %14 = add i32 %10, %13
  ret i32 %14
}`)
	if err != nil {
		t.Fatal(err)
	}
	tr := &trial{call: call{name: "k", args: []string{"77", "33", "-40", "30000", "2"}}, module: module, fn: function(module)}
	tr.abi, _ = cabi.Of(tr.fn)
	tr.prepare(t)
	for i := range tr.memory { // numbers of 7 bits hold no more
		if tr.abi.Params[i].Size == 1 && i < 2 {
			tr.memory[i][0] &= 127
		}
	}
	result, _, err := tr.interpret(32)
	if err != nil {
		t.Fatal(err)
	}
	fshl := func(a, b, n uint32) uint32 { n %= 7; return (a<<n | b>>(7-n)) & 127 }
	x := fshl(fshl(77, 33, 9), 33, 77) // the amount is %a
	want := int32((x ^ uint32(0xffffff80)) * 65535)
	want--
	if got := int32(get(result, ir.I32)); got != want {
		t.Errorf("got %d, want %d\n%s", got, want, mlir.Print(module, mlir.Options{}))
	}
}

// TestAccel: the mark of a loop travels to the branch at its end.
func TestAccel(t *testing.T) {
	t.Parallel()
	l := lowerSource(t, temporary(t, "a.c", `
void k(int *a, int *b, int n) {
  for (int i = 0; i < n; i++) a[i]++;
#pragma loom accel
  for (int i = 0; i < n; i++) b[i] += 2;
}`), "1")
	module, err := l.lift("k", lift.Options{}, &diag.List{})
	if err != nil {
		t.Fatal(err)
	}
	var marked []int
	module.Walk(func(op *ir.Operation) bool {
		if op.Attr(lift.Accel) != nil {
			marked = append(marked, op.Pos.Line)
			if !strings.HasPrefix(op.Name, "cf.") {
				t.Errorf("%s is marked", op.Name)
			}
		}
		return true
	})
	if len(marked) != 1 || marked[0] != 5 {
		t.Errorf("marked at %v\n%s", marked, text(module))
	}
}
