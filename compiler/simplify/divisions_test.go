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
	if f := opts.Fabric; f != nil && f.Executes != nil {
		for _, op := range g.Regions[0].Entry().Ops {
			if (op.Name == opname.ArithMulI || op.Name == opname.ArithShRUI || op.Name == opname.ArithSelect) && !f.Executes(op) {
				t.Errorf("%s by %d takes an operation that the fabric has not\n%s", op.Name, by, mlir.Print(g, mlir.Options{}))
			}
		}
	}
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

// words executes all but divisions, on integers of some widths; casts are wires.
func words(widths ...int) func(*ir.Operation) bool {
	return func(op *ir.Operation) bool {
		if isDivision(op) || op.Name == opname.ArithExtUI || op.Name == opname.ArithExtSI || op.Name == opname.ArithTruncI {
			return !isDivision(op)
		}
		w, _ := ir.BitWidth(op.Operand(op.NumOperands()-1).Type, 32)
		return slices.Contains(widths, w)
	}
}

// TestDivisionsOnFabrics: without a divider every byte is divided by every number in units of bytes and words, in words alone by those with a sign
// that need no negation of a byte, and on bytes alone where no product is wider; with one divisions stay, but in innermost loops of graphs that may take more units.
func TestDivisionsOnFabrics(t *testing.T) {
	stay := map[string]int{}
	for _, op := range divisionOps {
		for by := int64(-128); by < 128; by++ {
			if by == 0 {
				continue
			}
			for what, widths := range map[string][]int{"bytes and words": {8, 32}, "words": {32}, "bytes": {8}} {
				given, simple, divides := quotientFor(t, op, "i8", by, 0, Options{IndexWidth: 32, Fabric: &Fabric{Executes: words(widths...)}})
				if divides && (what == "bytes and words" && by != 1 && by != -1 || what == "words" && by > 1) {
					t.Errorf("%s by %d on %s: a division stays", op, by, what)
				}
				if divides {
					stay[what]++
				}
				for x := range uint64(256) {
					if a, b := given(x), simple(x); a != b && !(by == -1 && x == 128) {
						t.Fatalf("%s %d by %d on %s: %d, want %d", op, x, by, what, b, a)
					}
				}
			}
			if _, _, divides := quotientFor(t, op, "i8", by, 0, Options{IndexWidth: 32, Fabric: &Fabric{MoreUnits: true}}); !divides {
				t.Errorf("%s by %d, in no loop, is none any more", op, by)
			}
		}
	}
	if stay["bytes"] < 300 || stay["bytes"] > 900 {
		t.Errorf("on bytes alone %d divisions stay", stay["bytes"])
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

// TestDivisionsOfWords: on a fabric of 32 bits the quotient of a word is a product where that has no more bits.
func TestDivisionsOfWords(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	stay, short := 0, 0
	for range 300 {
		by, mask := 2+r.Uint64()>>(1+r.IntN(62))&0xffff, uint64(0xffffffff)>>r.IntN(31)
		op := divisionOps[r.IntN(4)]
		on := func(deviate deviation) Options {
			return Options{IndexWidth: 32, Fabric: &Fabric{Executes: words(32)}, deviate: deviate}
		}
		given, simple, divides := quotientFor(t, op, "i32", int64(by), mask, on(""))
		_, wrong, _ := quotientFor(t, op, "i32", int64(by), mask, on(reciprocalShort))
		if divides {
			if stay++; mask < 1<<15 {
				t.Errorf("%s by %d, mask %#x: a division stays", op, by, mask)
			}
			continue
		}
		noticed := false
		for range 200 {
			x := r.Uint64() & mask >> r.IntN(32)
			if r.IntN(2) == 0 {
				x = x/by*by - uint64(r.IntN(2))
			}
			if a, b := given(x&0xffffffff), simple(x&0xffffffff); a != b {
				t.Fatalf("%s: %d by %d, mask %#x: %d, want %d", op, x, by, mask, b, a)
			}
			noticed = noticed || given(x&0xffffffff) != wrong(x&0xffffffff)
		}
		if noticed {
			short++
		}
	}
	if stay == 0 || short < 20 {
		t.Errorf("%d divisions stay, a reciprocal that lacks a bit is noticed at %d", stay, short)
	}
}

// TestDivisionsLack: where there are more divisions than dividers, as many are replaced.
func TestDivisionsLack(t *testing.T) {
	for units := range 5 {
		m, err := mlir.ParseAndVerify("divisions.mlir", `
handshake.func @f(%x: i32, %start: none, ...) -> (i32, i32, i32, none) {
  %mask = constant %start {value = 4095 : i32} : i32
  %low = arith.andi %x, %mask : i32
  %d = constant %start {value = 10 : i32} : i32
  %a = arith.divui %low, %d : i32
  %b = arith.remui %a, %d : i32
  %c = arith.divui %x, %d : i32
  return %a, %b, %c, %start : i32, i32, i32, none
}`)
		if err != nil {
			t.Fatal(err)
		}
		f := &Fabric{Units: func(*ir.Operation) int { return units }, Executes: func(op *ir.Operation) bool {
			return isDivision(op) || words(32)(op)
		}}
		g, err := Run(m.Regions[0].Entry().Ops[0], Options{IndexWidth: 32, Fabric: f})
		if err != nil {
			t.Fatal(err)
		}
		left := len(slices.DeleteFunc(slices.Clone(g.Regions[0].Entry().Ops), func(op *ir.Operation) bool { return !isDivision(op) }))
		// That of a whole word has no product of 32 bits.
		if want := min(3, max(units, 1)); left != want {
			t.Errorf("with %d dividers %d divisions are left, want %d", units, left, want)
		}
	}
}

// TestDivisionsTogether: a remainder takes the quotient that is computed anyway, whichever of both comes first.
func TestDivisionsTogether(t *testing.T) {
	for _, by := range []int{10, 7} {
		m, err := mlir.ParseAndVerify("apart.mlir", fmt.Sprintf(`
handshake.func @f(%%x: i32, %%start: none, ...) -> (i32, none) {
  %%mask = constant %%start {value = 4095 : i32} : i32
  %%low = arith.andi %%x, %%mask : i32
  %%d = constant %%start {value = 10 : i32} : i32
  %%e = constant %%start {value = %d : i32} : i32
  %%a = arith.divui %%low, %%d : i32
  %%b = arith.remui %%low, %%e : i32
  %%c = arith.muli %%a, %%mask : i32
  %%s = arith.addi %%c, %%b : i32
  return %%s, %%start : i32, none
}`, by))
		if err != nil {
			t.Fatal(err)
		}
		fn := m.Regions[0].Entry().Ops[0]
		g, err := Run(fn, Options{IndexWidth: 32})
		if err != nil {
			t.Fatal(err)
		}
		given, simple := straight(t, fn), straight(t, g)
		for x := range uint64(4096) {
			if a, b := given(x), simple(x); a != b {
				t.Fatalf("%d by 10 and %d: %d, want %d", x, by, b, a)
			}
		}
	}
	for _, ops := range [][]string{{"divui", "remui"}, {"remui", "divui"}, {"divsi", "remsi"}, {"divui", "divui"}} {
		for what, opts := range map[string]Options{"circuit": {IndexWidth: 32}, "fabric": {IndexWidth: 32, Fabric: &Fabric{Executes: words(32)}}} {
			m, err := mlir.ParseAndVerify("both.mlir", fmt.Sprintf(`
handshake.func @f(%%x: i32, %%start: none, ...) -> (i32, i32, none) {
  %%mask = constant %%start {value = 4095 : i32} : i32
  %%low = arith.andi %%x, %%mask : i32
  %%d = constant %%start {value = 10 : i32} : i32
  %%a = arith.%s %%low, %%d : i32
  %%b = arith.%s %%low, %%d : i32
  return %%a, %%b, %%start : i32, i32, none
}`, ops[0], ops[1]))
			if err != nil {
				t.Fatal(err)
			}
			g, err := Run(m.Regions[0].Entry().Ops[0], opts)
			if err != nil {
				t.Fatal(err)
			}
			products := 0
			for _, op := range g.Regions[0].Entry().Ops {
				if op.Name == opname.ArithMulI {
					products++
				}
			}
			want := 2
			if ops[0] == ops[1] {
				want = 1
			}
			if products != want {
				t.Errorf("%s and %s of a %s take %d products, want %d\n%s", ops[0], ops[1], what, products, want, mlir.Print(g, mlir.Options{}))
			}
		}
	}
}

// TestDivisionsOfSums: (y + c) / n and (y + c) % n of a y below n, where the sum has no carry out of the word and where it has.
func TestDivisionsOfSums(t *testing.T) {
	for _, op := range []string{"divui", "remui", "divsi", "remsi"} {
		for _, c := range []int64{1, 5, 16, 17, 20, 100, 250} {
			for k, by := range []int64{16, 17, 18, 23, 100, -4, -4} { // -4 is 252
				mask := int64(15)
				if k == 6 {
					mask = -1 // sums have a carry out
				}
				m, err := mlir.ParseAndVerify("sums.mlir", fmt.Sprintf(`
handshake.func @f(%%x: i8, %%start: none, ...) -> (i8, none) {
  %%mask = constant %%start {value = %d : i8} : i8
  %%y = arith.andi %%x, %%mask : i8
  %%c = constant %%start {value = %d : i8} : i8
  %%sum = arith.addi %%y, %%c : i8
  %%d = constant %%start {value = %d : i8} : i8
  %%q = arith.%s %%sum, %%d : i8
  return %%q, %%start : i8, none
}`, mask, int64(int8(c)), by, op))
				if err != nil {
					t.Fatal(err)
				}
				fn := m.Regions[0].Entry().Ops[0]
				g, err := Run(fn, Options{IndexWidth: 32})
				if err != nil {
					t.Fatal(err)
				}
				given, simple := straight(t, fn), straight(t, g)
				for x := range uint64(256) {
					if a, b := given(x), simple(x); a != b {
						t.Fatalf("%s of (%d + %d) and %d: %d, want %d", op, x&uint64(mask), c, by, b, a)
					}
				}
			}
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
