package simplify

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/compiler/num"
	"loom/compiler/opname"
)

// division graphs divide %x, of which the low bits alone may be kept, by a number.
func quotient(t *testing.T, op, typ string, by int64, mask uint64, deviate deviation) (given, simple func(x uint64) uint64, divides bool) {
	t.Helper()
	return quotientFor(t, op, typ, by, mask, Options{IndexWidth: 32, deviate: deviate})
}

// quotientFor is quotient with other options.
func quotientFor(t *testing.T, op, typ string, by int64, mask uint64, opts Options) (given, simple func(x uint64) uint64, divides bool) {
	t.Helper()
	k, kept := "", "%x"
	if mask != 0 {
		k, kept = fmt.Sprintf("%%mask = constant %%start {value = %d : %s} : %s\n  %%low = arith.andi %%x, %%mask : %s\n", int64(mask), typ, typ, typ), "%low"
	}
	m, err := mlir.ParseAndVerify("division.mlir", fmt.Sprintf(`
handshake.func @f(%%x: %s, %%start: none, ...) -> (%s, none) {
  %s  %%d = constant %%start {value = %d : %s} : %s
  %%q = arith.%s %s, %%d : %s
  return %%q, %%start : %s, none
}`, typ, typ, k, by, typ, typ, op, kept, typ, typ))
	if err != nil {
		t.Fatal(err)
	}
	fn := m.Regions[0].Entry().Ops[0]
	g, err := Run(fn, opts)
	if err != nil {
		t.Fatal(err)
	}
	divides = slices.ContainsFunc(g.Regions[0].Entry().Ops, isDivision)
	return straight(t, fn), straight(t, g), divides
}

// straight runs a graph of pure operations.
func straight(t *testing.T, fn *ir.Operation) func(x uint64) uint64 {
	t.Helper()
	body := fn.Regions[0].Entry()
	slot := map[*ir.Value]int{body.Args[0]: 0}
	var steps []func(v []uint64)
	at := func(v *ir.Value) int { return slot[v] }
	todo := append([]*ir.Operation(nil), body.Ops...)
	for len(todo) > 0 { // operations stand in any order
		var later []*ir.Operation
		for _, op := range todo {
			ready := op.Name == opname.HandshakeConstant
			if !ready && op.NumOperands() > 0 && op.Name != opname.HandshakeReturn {
				ready = true
				for _, v := range op.Operands() {
					_, ok := slot[v]
					ready = ready && ok
				}
			}
			switch {
			case op.Name == opname.HandshakeReturn, op.NumResults() == 1 && op.Result(0).Type == ir.Type(ir.None):
				continue
			case !ready:
				later = append(later, op)
				continue
			}
			out := len(slot)
			slot[op.Result(0)] = out
			switch op.Name {
			case opname.HandshakeConstant:
				n, err := num.ConstantBits(op.Attr("value"), op.Result(0).Type, 32)
				if err != nil {
					t.Fatal(err)
				}
				steps = append(steps, func(v []uint64) { v[out] = n })
			case opname.DataflowHold:
				in := at(op.Operand(0))
				steps = append(steps, func(v []uint64) { v[out] = v[in] })
			default:
				f, err := num.Compile(op, 32)
				if err != nil {
					t.Fatal(err)
				}
				var in []int
				for _, v := range op.Operands() {
					in = append(in, at(v))
				}
				operands, results := make([]uint64, len(in)), make([]uint64, 1)
				steps = append(steps, func(v []uint64) {
					for i, k := range in {
						operands[i] = v[k]
					}
					f(operands, results)
					v[out] = results[0]
				})
			}
		}
		if len(later) == len(todo) {
			t.Fatalf("operations wait for each other\n%s", mlir.Print(fn, mlir.Options{}))
		}
		todo = later
	}
	values := make([]uint64, len(slot))
	result := slot[body.Terminator().Operand(0)]
	return func(x uint64) uint64 {
		values[0] = x
		for _, s := range steps {
			s(values)
		}
		return values[result]
	}
}

// isDivision reports whether an operation takes a divider.
func isDivision(op *ir.Operation) bool {
	switch op.Name {
	case opname.ArithDivUI, opname.ArithDivSI, opname.ArithRemUI, opname.ArithRemSI:
		return true
	}
	return false
}

// TestDivisionsOnFabrics: without a divider every byte is divided by powers of two with shifts, and by nothing else; with one
// divisions stay, but in innermost loops of graphs that may take more units.
func TestDivisionsOnFabrics(t *testing.T) {
	none := &Fabric{Executes: func(op *ir.Operation) bool { return !isDivision(op) }}
	for _, op := range divisionOps {
		for by := int64(-128); by < 128; by++ {
			power := by > 1 && by&(by-1) == 0 || by < -1 && -by&(-by-1) == 0 && op[3:] == "si" || by == -128
			if by == 0 {
				continue
			}
			given, simple, divides := quotientFor(t, op, "i8", by, 0, Options{IndexWidth: 32, Fabric: none})
			if divides == power {
				t.Errorf("%s by %d: a division stays: %v", op, by, divides)
			}
			for x := range uint64(256) {
				if a, b := given(x), simple(x); a != b && !(by == -1 && x == 128) {
					t.Fatalf("%s %d by %d: %d, want %d", op, x, by, b, a)
				}
			}
			if _, _, divides := quotientFor(t, op, "i8", by, 0, Options{IndexWidth: 32, Fabric: &Fabric{MoreUnits: true}}); !divides {
				t.Errorf("%s by %d, in no loop, is none any more", op, by)
			}
		}
	}
	for _, more := range []bool{false, true} {
		m, err := mlir.Parse("loop.mlir", `func.func @f(%x: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %by = arith.constant 4 : i32
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<8xi32>
    %q = arith.divsi %v, %by : i32
    memref.store %q, %x[%i] : memref<8xi32>
  }
  return
}`)
		if err != nil {
			t.Fatal(err)
		}
		low, err := lower.Lower(m, lower.Options{IndexWidth: 32})
		if err != nil {
			t.Fatal(err)
		}
		g, err := Run(low.Func, Options{IndexWidth: 32, Fabric: &Fabric{MoreUnits: more}})
		if err != nil {
			t.Fatal(err)
		}
		if divides := slices.ContainsFunc(g.Regions[0].Entry().Ops, isDivision); divides == more {
			t.Errorf("more units %v: a division in a loop stays: %v", more, divides)
		}
	}
}

var divisionOps = []string{"divui", "divsi", "remui", "remsi"}

// TestDivisionsOfBytes: every byte divided by every byte, as it is and cut to fewer bits.
func TestDivisionsOfBytes(t *testing.T) {
	stay := 0
	for _, op := range divisionOps {
		for by := int64(-128); by < 128; by++ {
			if by == 0 {
				continue
			}
			for _, mask := range []uint64{0, 15} {
				given, simple, divides := quotient(t, op, "i8", by, mask, "")
				if divides {
					stay++
				}
				for x := range uint64(256) {
					if op[3:] == "si" && by == -1 && x == 128 {
						continue // undefined
					}
					if a, b := given(x), simple(x); a != b {
						t.Fatalf("%s %d by %d, mask %d: %d, want %d", op, x, by, mask, b, a)
					}
				}
			}
		}
	}
	if stay > 4*2*2 { // by one and its negative
		t.Errorf("%d divisions stay", stay)
	}
}

// TestDivisions: of wider integers, by numbers of all sizes and around powers of two, at the
// multiples of the divisor and beside them.
func TestDivisions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	short := 0
	for _, typ := range []string{"i16", "i32", "index", "i64"} {
		w := map[string]int{"i16": 16, "i32": 32, "index": 32, "i64": 64}[typ]
		all := ^uint64(0) >> (64 - w)
		signed := func(v uint64) int64 { return int64(v<<(64-w)) >> (64 - w) }
		for range 60 {
			by := r.Uint64() & all >> r.IntN(w)
			if r.IntN(3) == 0 {
				by = 1<<r.IntN(w) + uint64(r.IntN(3)) - 1
			}
			if r.IntN(4) == 0 {
				by = -by
			}
			if by &= all; by == 0 {
				by = 7
			}
			for _, op := range divisionOps {
				mask := uint64(0)
				if w == 64 || r.IntN(3) == 0 {
					mask = all >> (1 + r.IntN(w-1))
				}
				given, simple, divides := quotient(t, op, typ, signed(by), mask, "")
				if divides && signed(by) != 1 && signed(by) != -1 && (w <= 32 || mask < 1<<32) && by <= all/2 {
					t.Errorf("%s of %s by %d, mask %#x, stays", op, typ, signed(by), mask)
				}
				_, wrong, _ := quotient(t, op, typ, signed(by), mask, reciprocalShort)
				noticed := false
				for range 60 {
					x := r.Uint64() & all >> r.IntN(w)
					switch r.IntN(4) {
					case 0:
						x = x / by * by
					case 1:
						x = x/by*by - 1
					case 2:
						x = all - all%by - uint64(r.IntN(2))
					case 3:
						x = -x
					}
					if x &= all; op[3:] == "si" && by == all && x == 1<<(w-1) {
						continue // undefined
					}
					if a, b := given(x), simple(x); a != b {
						t.Fatalf("%s of %s: %d by %d, mask %#x: %#x, want %#x", op, typ, signed(x), signed(by), mask, b, a)
					}
					noticed = noticed || given(x) != wrong(x)
				}
				if noticed {
					short++
				}
			}
		}
	}
	t.Logf("a bit less is noticed at %d divisions", short)
	if short < 100 {
		t.Errorf("a reciprocal that lacks a bit is noticed at %d divisions", short)
	}
}
