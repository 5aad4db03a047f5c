package widths_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/compiler/widths"
	"loom/internal/randprog"
	"loom/sim/token"
	"loom/sim/vector"
)

// worded rewrites a graph to what a fabric with channels and units of 64 bits may make of it: every integer is a word of 64 bits.
// What has to have units of its width leaves zeros above; sums are those of whole words; arguments, what is loaded from the
// chip's own memories and what is extended by sign have other bits above; casts to fewer bits, and the extensions in free, pass
// the word on. What is stored, returned, compared or looked at as a condition is cut.
func worded(fn *ir.Operation, free map[*ir.Operation]bool, indexWidth int) {
	body := fn.Regions[0].Entry()
	bits := func(v *ir.Value) int {
		w, ok := ir.BitWidth(v.Type, indexWidth)
		if !ir.IsInt(v.Type) || !ok {
			return 0
		}
		return w
	}
	make := func(pos *ir.Operation, name string, to ir.Type, v *ir.Value) *ir.Value {
		return body.InsertBefore(body.Terminator(), ir.NewOp(name, pos.Pos, []*ir.Value{v}, []ir.Type{to})).Result(0)
	}
	extend := func(op *ir.Operation, v *ir.Value, name string) *ir.Value {
		if v.Type == ir.Type(ir.Index) && indexWidth < 64 {
			v = make(op, opname.ArithIndexCastUI, ir.Int(indexWidth), v)
		}
		switch {
		case v.Type == ir.Type(ir.Index):
			return make(op, opname.ArithIndexCastUI, ir.I64, v)
		case bits(v) == 64:
			return v
		}
		return make(op, name, ir.I64, v)
	}
	cut := func(op *ir.Operation, v *ir.Value, t ir.Type) *ir.Value {
		if t == ir.Type(ir.Index) {
			if indexWidth < 64 {
				v = make(op, opname.ArithTruncI, ir.Int(indexWidth), v)
			}
			return make(op, opname.ArithIndexCastUI, t, v)
		}
		if w, _ := ir.BitWidth(t, indexWidth); w == 64 {
			return v
		}
		return make(op, opname.ArithTruncI, t, v)
	}
	ops := append([]*ir.Operation(nil), body.Ops...)
	ret := body.Terminator()
	// spoilt is a value with ones and zeros above, as if by chance.
	start := body.InsertBefore(body.Ops[0], ir.NewOp(opname.DataflowHold, ret.Pos, []*ir.Value{body.Args[len(body.Args)-1]}, []ir.Type{ir.None})).Result(0)
	spoilt := func(op *ir.Operation, v *ir.Value) *ir.Value {
		w := bits(v)
		if v = extend(op, v, opname.ArithExtUI); w == 64 {
			return v
		}
		junk := ir.NewOp(opname.HandshakeConstant, op.Pos, []*ir.Value{start}, []ir.Type{ir.I64})
		junk.SetAttr("value", &ir.IntegerAttr{Type: ir.I64, Value: 0x5a5a5a5a5a5a5a5a << w})
		body.InsertBefore(ret, junk)
		return body.InsertBefore(ret, ir.NewOp(opname.ArithOrI, op.Pos, []*ir.Value{v, junk.Result(0)}, []ir.Type{ir.I64})).Result(0)
	}
	words := map[*ir.Value]*ir.Value{}
	passes, moves, sums := map[*ir.Operation]bool{}, map[*ir.Operation]bool{}, map[*ir.Operation]bool{}
	for _, a := range body.Args {
		if bits(a) > 0 {
			words[a] = spoilt(ret, a)
		}
	}
	for _, op := range ops {
		narrows := func() bool { return bits(op.Result(0)) <= bits(op.Operand(0)) }
		above := func(r *ir.Value) *ir.Value { return extend(op, r, opname.ArithExtUI) }
		switch op.Name {
		case opname.ArithTruncI, opname.ArithIndexCast, opname.ArithIndexCastUI:
			passes[op] = narrows() || free[op]
		case opname.ArithExtSI, opname.ArithExtUI:
			passes[op] = free[op]
		case opname.HandshakeCondBr, opname.HandshakeMux, opname.DataflowCarry, opname.DataflowInvariant, opname.ArithSelect,
			opname.DataflowGate, opname.DataflowHold:
			moves[op] = bits(op.Result(0)) > 0
		case opname.ArithAddI, opname.ArithSubI, opname.ArithMulI, opname.ArithAndI, opname.ArithOrI, opname.ArithXOrI:
			sums[op] = true
		case opname.HandshakeLoad:
			if op.Operand(1).Def.Name == opname.HandshakeMemory || bits(op.Operand(1)) < 8 {
				above = func(r *ir.Value) *ir.Value { return spoilt(op, r) }
			}
		}
		if (op.Name == opname.ArithExtSI || op.Name == opname.ArithIndexCast) && !passes[op] {
			above = func(r *ir.Value) *ir.Value { return extend(op, r, opname.ArithExtSI) }
		}
		switch {
		case passes[op] || op == ret:
		case moves[op], sums[op]:
			wide := ir.NewOp(op.Name, op.Pos, op.Operands(), nil)
			wide.Attrs = append(ir.NamedAttrs(nil), op.Attrs...)
			for _, r := range op.Results() {
				condition := op.Name == opname.DataflowGate && r.Index == 1
				t := ir.Type(ir.I64)
				if condition {
					t = ir.I1
				}
				x := wide.AddResult(t)
				words[r] = x
			}
			body.InsertBefore(ret, wide)
			if op.Name == opname.DataflowGate {
				words[op.Result(1)] = extend(op, wide.Result(1), opname.ArithExtUI)
			}
		default:
			for _, r := range op.Results() {
				if bits(r) > 0 && op.Name != opname.HandshakeMemory && op.Name != opname.HandshakeExtmemory && (op.Name != opname.HandshakeLoad && op.Name != opname.HandshakeStore || op.Name == opname.HandshakeLoad && r.Index == 0) {
					words[r] = above(r)
				}
			}
		}
	}
	var word func(v *ir.Value) *ir.Value
	word = func(v *ir.Value) *ir.Value {
		if v.Def != nil && passes[v.Def] {
			return word(v.Def.Operand(0))
		}
		return words[v]
	}
	own := map[*ir.Operation]bool{start.Def: true}
	for _, op := range ops {
		own[op] = true
	}
	for _, op := range ops {
		if !moves[op] && !sums[op] && !passes[op] {
			for k, v := range op.Operands() {
				if w := word(v); bits(v) > 0 && w != nil {
					op.SetOperand(k, cut(op, w, v.Type))
				}
			}
		}
	}
	for _, op := range append([]*ir.Operation(nil), body.Ops...) {
		if own[op] || op.Name == opname.HandshakeConstant {
			continue
		}
		wide := moves[op] || op.Name != opname.ArithExtSI && op.Name != opname.ArithExtUI && op.Name != opname.ArithTruncI &&
			op.Name != opname.ArithIndexCast && op.Name != opname.ArithIndexCastUI
		for k, v := range op.Operands() {
			if !wide || v.Def != nil && !own[v.Def] || bits(v) == 0 {
				continue
			}
			w := word(v)
			if bits(v) == 1 && conditions(op, k) {
				w = cut(op, w, ir.I1)
			}
			op.SetOperand(k, w)
		}
	}
	for _, op := range ops {
		if moves[op] || sums[op] || passes[op] {
			op.SetOperands(nil)
		}
	}
	for _, op := range ops {
		if moves[op] || sums[op] || passes[op] {
			op.Erase()
		}
	}
}

// conditions reports whether operand k of what moves values is looked at.
func conditions(op *ir.Operation, k int) bool {
	if op.Name == opname.DataflowGate {
		return k == 1
	}
	switch op.Name {
	case opname.HandshakeCondBr, opname.HandshakeMux, opname.DataflowCarry, opname.DataflowInvariant, opname.ArithSelect:
		return k == 0
	}
	return false
}

// onWords runs a program's graph with words of 64 bits, for a target that has units of 32 and 64 bits or of all widths, and
// returns what differs.
func onWords(fn *ir.Operation, in *vector.Inputs, seed uint64) (string, int, error) {
	width := []int{64, 32}[seed%2]
	want, err := interp.Run(fn, in, interp.Options{MaxSteps: 2_000_000, IndexWidth: width})
	if err != nil || want.Status != vector.Done {
		return "", 0, errNoProgram
	}
	opts := lower.Options{MemoryOrder: "pipelined", IndexWidth: width}
	if seed%3 > 0 {
		opts.Executes = func(op *ir.Operation) bool {
			w, _ := ir.BitWidth(op.Operand(0).Type, width)
			return op.Def().LowBits() || !strings.HasPrefix(op.Name, "arith.") || w >= 32 || w < 2 || strings.HasPrefix(op.Name, "arith.ext") ||
				op.Name == opname.ArithTruncI || op.Name == opname.ArithSelect || strings.HasPrefix(op.Name, opname.ArithIndexCast)
		}
	}
	res, err := lower.Lower(fn.ParentOp(), opts)
	if err != nil {
		return "", 0, err
	}
	free := widths.FreeExtensions(res.Func, width)
	worded(res.Func, free, width)
	got, err := token.Run(res.Func, in, token.Options{IndexWidth: width, MaxSteps: 20_000_000})
	if err != nil {
		return "", 0, fmt.Errorf("%w\n%s", err, mlir.Print(res.Func, mlir.Options{}))
	}
	if diff := vector.Diff(want, got); len(diff) > 0 || got.Status != vector.Done {
		return fmt.Sprintf("with words: %s %s", strings.Join(diff, "\n"), strings.Join(got.Detail, "\n")), 0, nil
	}
	return "", len(free), nil
}

// bitwork is a function that loads, computes on 8, 16 and 32 bits, and stores what it has computed.
func bitwork(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 17))
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @f(%%m: memref<4xi8>, %%s: memref<4xi16>, %%o: memref<64xi32>, %%a: i8, %%n: i32) {\n")
	values := map[int][]string{8: {"%a"}, 32: {"%n"}, 16: {}}
	n := 0
	add := func(w int, text string, args ...any) {
		fmt.Fprintf(&b, "  %%v%d = %s\n", n, fmt.Sprintf(text, args...))
		values[w] = append(values[w], fmt.Sprintf("%%v%d", n))
		n++
	}
	for k := range 4 {
		fmt.Fprintf(&b, "  %%c%d = arith.constant %d : index\n", k, k)
	}
	for k := range 2 {
		add(8, "memref.load %%m[%%c%d] : memref<4xi8>", k)
		add(16, "memref.load %%s[%%c%d] : memref<4xi16>", k)
	}
	// The last values are read most, so that chains are long.
	some := func(w int) string {
		of := values[w]
		return of[max(len(of)-1-r.IntN(4)*r.IntN(2), 0)]
	}
	for range 8 + r.IntN(14) {
		w := []int{8, 16, 32, 32}[r.IntN(4)]
		constant := func(bits uint) string {
			fmt.Fprintf(&b, "  %%k%d = arith.constant %d : i%d\n", n, int64(r.Uint64()<<(64-bits)>>(64-bits)), w)
			return fmt.Sprintf("%%k%d", n)
		}
		switch r.IntN(8) {
		case 0, 1, 2:
			to := []int{16, 32, 32}[r.IntN(3)]
			if w >= to {
				w = []int{8, 16}[r.IntN(2)]
				to = 32
			}
			add(to, "arith.%s %s : i%d to i%d", []string{"extui", "extui", "extsi"}[r.IntN(3)], some(w), w, to)
		case 3:
			from := 32
			if w == 32 {
				w = []int{8, 16}[r.IntN(2)]
			}
			add(w, "arith.trunci %s : i%d to i%d", some(from), from, w)
		case 4:
			add(w, "arith.%s %s, %s : i%d", []string{"shli", "shrui", "shrsi"}[r.IntN(3)], some(w), constant(3), w)
		case 5:
			add(w, "arith.andi %s, %s : i%d", some(w), constant(uint(r.IntN(w))+1), w)
		case 6:
			add(w, "arith.%s %s, %s : i%d", []string{"addi", "subi", "muli", "andi", "ori", "xori"}[r.IntN(6)], some(w), some(w), w)
		case 7:
			add(w, "arith.%s %s, %s : i%d", []string{"maxsi", "minui", "shrui"}[r.IntN(3)], some(w), some(w), w)
		}
	}
	for k, v := range values[32] {
		if k < len(values[32])-1 && r.IntN(4) > 0 {
			continue // what is not stored may be needed in part
		}
		fmt.Fprintf(&b, "  %%at%d = arith.constant %d : index\n  memref.store %s, %%o[%%at%d] : memref<64xi32>\n", k, k, v, k)
	}
	for _, w := range []int{8, 16} {
		v := values[w][len(values[w])-1]
		fmt.Fprintf(&b, "  memref.store %s, %s[%%c3] : memref<4xi%d>\n", v, map[int]string{8: "%m", 16: "%s"}[w], w)
	}
	return b.String() + "  return\n}\n"
}

// TestFreeExtensionsOfBitwork: the same for functions that extend, shift, mask and cut all the time.
func TestFreeExtensionsOfBitwork(t *testing.T) {
	free := 0
	for seed := range programs(3000) {
		text := bitwork(seed)
		m, err := mlir.ParseAndVerify("bitwork.mlir", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		fault, n, err := onWords(randprog.Function(m), randprog.Inputs(m, seed), seed)
		if err != nil || fault != "" {
			t.Fatalf("seed %d: %s %v\n%s", seed, fault, err, text)
		}
		free += n
	}
	t.Logf("%d extensions were free", free)
	if free == 0 {
		t.Error("no extension was free")
	}
}

// TestFreeExtensions: programs compute the same where the extensions that are free are left out and every value stands in a word
// with as much above it as a fabric may leave there.
func TestFreeExtensions(t *testing.T) {
	free := randomPrograms(t, onWords)
	t.Logf("%d extensions were free", free)
	if free == 0 {
		t.Error("no extension was free")
	}
}

// TestFreeExtensionsByRule: each reason for which an extension is free, or is not. %a is an argument, above which anything may
// stand; %lt is whether it is below 8, %x what it is then.
func TestFreeExtensionsByRule(t *testing.T) {
	const frame = `module {
  handshake.func @f(%%a: i8, %%w: i32, %%m: memref<?xi8>, %%start: none) -> (%s, none) {
    %%s = dataflow.hold %%start : none
    %%c1 = handshake.constant %%s {value = 1 : i32} : i32
    %%c3 = handshake.constant %%s {value = 3 : i32} : i32
    %%c4 = handshake.constant %%s {value = 4 : i32} : i32
    %%c8 = handshake.constant %%s {value = 8 : i8} : i8
    %%c255 = handshake.constant %%s {value = 255 : i32} : i32
    %%c511 = handshake.constant %%s {value = 511 : i32} : i32
    %%c4095 = handshake.constant %%s {value = 4095 : i32} : i32
    %%lt = arith.cmpi ult, %%a, %%c8 : i8
    %%x, %%no = handshake.cond_br %%lt, %%a : i8
    %%z = handshake.constant %%start {value = 0 : index} : index
    %%l, %%addr = handshake.load [%%z] %%data, %%start : index, i8
    %%data, %%done = handshake.extmemory[ld = 1, st = 0] (%%m : memref<?xi8>) (%%addr) {id = 0 : i32} : (index) -> (i8, none)
%s
    handshake.return %%r, %%done : %s, none
  }
}
`
	for _, c := range []struct{ result, body, free string }{
		{"i32", "%r = arith.extui %l : i8 to i32", "r"},
		{"i32", "%r = arith.extsi %l : i8 to i32", ""},
		{"i32", "%r = arith.extui %a : i8 to i32", ""},
		{"i32", "%r = arith.extui %lt : i1 to i32", "r"},
		{"i32", "%r = arith.extsi %lt : i1 to i32", ""},
		{"i32", "%s8 = arith.addi %l, %l : i8\n%r = arith.extui %s8 : i8 to i32", ""},
		{"i32", "%s8 = arith.andi %a, %l : i8\n%r = arith.extui %s8 : i8 to i32", "r"},
		{"i32", "%s8 = arith.ori %a, %l : i8\n%r = arith.extui %s8 : i8 to i32", ""},
		{"i32", "%s8 = arith.xori %l, %l : i8\n%r = arith.extui %s8 : i8 to i32", "r"},
		{"i32", "%s8 = arith.minui %a, %l : i8\n%r = arith.extui %s8 : i8 to i32", "r"},
		// An operand that is never negative needs no sign.
		{"i32", "%s8 = arith.shrui %l, %c8 : i8\n%r = arith.extsi %s8 : i8 to i32", "r"},
		// Half of a byte in 32 bits fits into a byte again, but for what may stand above an argument.
		{"i32", "%e = arith.extui %l : i8 to i32\n%h = arith.shrui %e, %c1 : i32\n%t = arith.trunci %h : i32 to i8\n%r = arith.extui %t : i8 to i32", "e r"},
		{"i32", "%t = arith.trunci %w : i32 to i8\n%r = arith.extui %t : i8 to i32", ""},
		// Of what is masked or cut the low bits are needed.
		{"i32", "%e = arith.extui %a : i8 to i32\n%r = arith.andi %e, %c255 : i32", "e"},
		{"i32", "%e = arith.extsi %a : i8 to i32\n%r = arith.andi %e, %c511 : i32", ""},
		{"i8", "%e = arith.extsi %a : i8 to i32\n%h = arith.shli %e, %c3 : i32\n%r = arith.trunci %h : i32 to i8", "e"},
		{"i32", "%e = arith.extui %a : i8 to i32\n%h = arith.shli %e, %c4 : i32\n%r = arith.andi %h, %c4095 : i32", "e"},
		{"i32", "%e = arith.extui %a : i8 to i32\n%h = arith.shli %e, %c3 : i32\n%r = arith.andi %h, %c4095 : i32", ""},
		{"i32", "%e = arith.extui %a : i8 to i32\n%h = arith.shrui %e, %c1 : i32\n%r = arith.andi %h, %c255 : i32", ""},
		// A number below 8 with anything above in the channel, moved and cut: nothing needs what is above before it is cut.
		{"i32", "%e = arith.extui %x : i8 to i32\n%h = arith.shli %e, %c3 : i32\n%t = arith.trunci %h : i32 to i8\n%r = arith.extui %t : i8 to i32", "e"},
		// Between two values that are clean the choice is; between others not.
		{"i32", "%s8 = arith.select %lt, %l, %c8 : i8\n%r = arith.extui %s8 : i8 to i32", "r"},
		{"i32", "%s8 = arith.select %lt, %a, %l : i8\n%r = arith.extui %s8 : i8 to i32", ""},
		// Round a loop: what is carried stays clean if all that comes in is.
		{"i32", "%v = dataflow.carry %lt, %l, %n : i1, i8, i8 -> i8\n%r = arith.extui %v : i8 to i32\n%h = arith.shrui %r, %c1 : i32\n%n = arith.trunci %h : i32 to i8", "r"},
		{"i32", "%v = dataflow.carry %lt, %a, %n : i1, i8, i8 -> i8\n%r = arith.extui %v : i8 to i32\n%h = arith.shrui %r, %c1 : i32\n%n = arith.trunci %h : i32 to i8", ""},
	} {
		text := fmt.Sprintf(frame, c.result, c.body, c.result)
		m, err := mlir.Parse("rule.mlir", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		fn := m.Regions[0].Entry().Ops[0]
		var got []string
		free := widths.FreeExtensions(fn, 32)
		for _, op := range fn.Regions[0].Entry().Ops {
			if free[op] {
				got = append(got, op.Result(0).Name)
			}
		}
		if strings.Join(got, " ") != c.free {
			t.Errorf("%s\nfree are %q, not %q", c.body, got, c.free)
		}
	}
}
