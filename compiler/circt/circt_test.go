package circt_test

import (
	"fmt"
	"strings"
	"testing"

	"loom/compiler/circt"
	"loom/compiler/circuit"
	"loom/compiler/dfg"
	"loom/compiler/diag"
	_ "loom/compiler/dialect/all"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/sim/token"
	"loom/sim/vector"
)

// read is the last function of a text, flat, and a simplified copy of it.
func read(t *testing.T, text string) (given, simple *ir.Operation) {
	t.Helper()
	m, err := mlir.ParseAndVerify("g.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	given = last(m)
	if err := circt.Flatten(given); err != nil {
		t.Fatal(err)
	}
	simple = last(m.Clone(map[*ir.Value]*ir.Value{}))
	if err := circt.Simplify(simple, 64); err != nil {
		t.Fatal(err)
	}
	for _, fn := range []*ir.Operation{given, simple} {
		var errs diag.List
		if ir.Verify(fn, &errs); errs.HasErrors() {
			t.Fatalf("%v\n%s", errs.Err(), mlir.Print(fn, mlir.Options{}))
		}
	}
	return given, simple
}

func last(m *ir.Operation) *ir.Operation {
	ops := m.Regions[0].Entry().Ops
	return ops[len(ops)-1]
}

// inputs are numbers and, for memrefs, lists.
func inputs(t *testing.T, fn *ir.Operation, args ...any) *vector.Inputs {
	t.Helper()
	in := &vector.Inputs{}
	for i, a := range args {
		v := fn.Regions[0].Entry().Args[i]
		arg := vector.Arg{Name: v.Name, Type: v.Type}
		switch a := a.(type) {
		case int:
			arg.Scalar = uint64(a)
			if w, _ := ir.BitWidth(v.Type, 64); w < 64 {
				arg.Scalar &= 1<<w - 1
			}
		case []int:
			mt := v.Type.(*ir.MemRefType)
			arg.Mem = &vector.Memory{Name: v.Name, Elem: mt.Elem, Shape: []int64{int64(len(a))}}
			for _, x := range a {
				arg.Mem.Data = append(arg.Mem.Data, uint64(x))
			}
		}
		in.Args = append(in.Args, arg)
	}
	return in
}

// text is a result list and the memories, for comparison.
func text(out *vector.Outcome) string {
	var parts []string
	for _, r := range out.Results {
		parts = append(parts, vector.FormatScalar(r))
	}
	for _, m := range out.Memories {
		parts = append(parts, fmt.Sprint(m.Data))
	}
	s := strings.Join(parts, " ")
	if out.Status != vector.Done {
		s = strings.TrimSpace(fmt.Sprintf("%s: %s", out.Status, s))
	}
	return s
}

// channels are the ways in which every graph must give the same result.
var channels = []token.Options{{}, {Seed: 1}, {Seed: 2, MemDelay: 5}, {Capacity: 1}, {Capacity: 2, Seed: 3}, {OwnBuffers: true}, {OwnBuffers: true, Seed: 4, MemDelay: 3}}

// loop is the sum of 0 to n-1 in the style of a lowering of branches, with buffers on the way
// back as given.
func loop(buffer string) string {
	return `
handshake.func @sum(%n: index, %start: none, ...) -> (index, none) {
  %s:2 = fork [2] %start : none
  %k:2 = fork [2] %s#0 : none
  %zero = constant %k#0 {value = 0 : index} : index
  %none = constant %k#1 {value = 0 : index} : index
  %c, %which = control_merge %s#1, %c_back : none, index
  %w:3 = fork [3] %which : index
  %i = mux %w#0 [%zero, %i_back] : index, index
  %sum = mux %w#1 [%none, %sum_back] : index, index
  %limit = mux %w#2 [%n, %limit_back] : index, index
  %i2:2 = fork [2] %i : index
  %limit2:2 = fork [2] %limit : index
  %more = arith.cmpi slt, %i2#0, %limit2#0 : index
  %more2:4 = lazy_fork [4] %more : i1
  %i_in, %i_out = cond_br %more2#0, %i2#1 : index
  %sum_in, %sum_out = cond_br %more2#1, %sum : index
  %limit_in, %limit_out = cond_br %more2#2, %limit2#1 : index
  %c_in, %c_out = cond_br %more2#3, %c : none
  sink %i_out : index
  sink %limit_out : index
  %c2:2 = fork [2] %c_in : none
  %one = constant %c2#0 {value = 1 : index} : index
  %i3:2 = fork [2] %i_in : index
  %next = arith.addi %i3#0, %one : index
  %added = arith.addi %sum_in, %i3#1 : index
  %i_back = ` + buffer + ` %next : index
  %sum_back = ` + buffer + ` %added : index
  %limit_back = ` + buffer + ` %limit_in : index
  %c_back = ` + buffer + ` %c2#1 : none
  return %sum_out, %c_out : index, none
}`
}

// primed is the same loop with a register that says where the next value comes from, as
// CIRCT's lowering of structured loops writes it.
const primed = `
handshake.func @primed(%n: index, %start: none, ...) -> (index, none) {
  %s:3 = fork [3] %start : none
  %zero = constant %s#0 {value = 0 : index} : index
  %none = constant %s#1 {value = 0 : index} : index
  %again = buffer [1] seq %more3 {initValues = [0]} : i1
  %a:4 = fork [4] %again : i1
  %i = mux %a#0 [%zero, %i_back] : i1, index
  %sum = mux %a#1 [%none, %sum_back] : i1, index
  %limit = mux %a#2 [%n, %limit_back] : i1, index
  %c = mux %a#3 [%s#2, %c_back] : i1, none
  %i2:2 = fork [2] %i : index
  %limit2:2 = fork [2] %limit : index
  %more = arith.cmpi slt, %i2#0, %limit2#0 : index
  %m:5 = fork [5] %more : i1
  %more3 = br %m#4 : i1
  %i_in, %i_out = cond_br %m#0, %i2#1 : index
  %sum_in, %sum_out = cond_br %m#1, %sum : index
  %limit_in, %limit_out = cond_br %m#2, %limit2#1 : index
  %c_in, %c_out = cond_br %m#3, %c : none
  sink %i_out : index
  sink %limit_out : index
  %src = source
  %one = constant %src {value = 1 : index} : index
  %i3:2 = fork [2] %i_in : index
  %next = arith.addi %i3#0, %one : index
  %added = arith.addi %sum_in, %i3#1 : index
  %i_back = buffer [1] seq %next : index
  %sum_back = buffer [2] fifo %added : index
  %limit_back = buffer [1] seq %limit_in : index
  %c_back = buffer [1] seq %c_in : none
  return %sum_out, %c_out : index, none
}`

// operations are graphs of single operations and small compositions, with what they compute.
// legal: simplified, they keep every rule of LOOM's graphs.
var operations = []struct {
	name, text string
	args       []any
	want       string
	legal      bool
}{
	{"br, fork, lazy_fork, sink", `
handshake.func @f(%a: i32, %start: none, ...) -> (i32, none) {
  %b = br %a : i32
  %f:3 = fork [3] %b : i32
  %l:2 = lazy_fork [2] %f#0 : i32
  sink %f#1 : i32
  %x = arith.addi %l#0, %l#1 : i32
  %y = arith.addi %x, %f#2 : i32
  return %y, %start : i32, none
}`, []any{7}, "21", true},
	{"buffer", `
handshake.func @f(%a: i32, %start: none, ...) -> (i32, none) {
  %b = buffer [3] seq %a : i32
  %c = buffer [1] fifo %b : i32
  %d = buffer [2] seq %start : none
  return %c, %d : i32, none
}`, []any{-7}, "-7", true},
	{"buffer with initial values: the last leaves first", `
handshake.func @f(%a: i8, %start: none, ...) -> (i8, i8, none) {
  %f:2 = fork [2] %a : i8
  %b = buffer [2] seq %f#0 {initValues = [-3, 5]} : i8
  %o = arith.subi %b, %f#1 : i8
  %none = buffer [1] seq %start {initValues = [0]} : none
  %k = constant %none {value = 4 : i8} : i8
  %src = source
  %start2 = br %src : none
  return %o, %k, %start2 : i8, i8, none
}`, []any{7}, "-2 4", false},
	{"mux of three, selector beyond the last", `
handshake.func @f(%s: index, %start: none, ...) -> (i8, none) {
  %f:3 = fork [3] %start : none
  %src = source
  %a = constant %src {value = 1 : i8} : i8
  %b = constant %src {value = 2 : i8} : i8
  %c = constant %src {value = 3 : i8} : i8
  %m = mux %s [%a, %b, %c] : index, i8
  sink %f#0 : none
  sink %f#1 : none
  return %m, %f#2 : i8, none
}`, []any{9}, "3", false},
	{"mux of two by index", `
handshake.func @f(%s: index, %a: i8, %start: none, ...) -> (i8, none) {
  %src = source
  %b = constant %src {value = 2 : i8} : i8
  %t:2 = fork [2] %s : index
  %z = constant %src {value = 0 : index} : index
  %is = arith.cmpi ne, %t#0, %z : index
  %take, %drop = cond_br %is, %a : i8
  sink %drop : i8
  %m = mux %t#1 [%b, %take] : index, i8
  return %m, %start : i8, none
}`, []any{1, 40}, "40", true},
	{"mux of one", `
handshake.func @f(%s: i4, %a: i8, %start: none, ...) -> (i8, none) {
  %m = mux %s [%a] : i4, i8
  return %m, %start : i8, none
}`, []any{3, 40}, "40", true},
	{"merge and control_merge of branches", `
handshake.func @f(%c: i1, %a: i8, %start: none, ...) -> (i8, index, none) {
  %c2:2 = fork [2] %c : i1
  %t, %e = cond_br %c2#0, %a : i8
  %t2 = arith.addi %t, %t : i8
  %m = merge %t2, %e : i8
  %ct, %ce = cond_br %c2#1, %start : none
  %done, %which = control_merge %ce, %ct : none, index
  return %m, %which, %done : i8, index, none
}`, []any{1, 40}, "80 1", false},
	{"merge of one, control_merge of one", `
handshake.func @f(%a: i8, %start: none, ...) -> (i8, i2, none) {
  %m = merge %a : i8
  %done, %which = control_merge %start : none, i2
  return %m, %which, %done : i8, i2, none
}`, []any{40}, "40 0", true},
	{"control_merge as older releases print it: the index is of type index", `
handshake.func @f(%c: i1, %start: none, ...) -> (index, none) {
  %t, %e = cond_br %c, %start : none
  %done, %which = control_merge %e, %t : none
  return %which, %done : index, none
}`, []any{1}, "1", false},
	{"never beside a token, in a mux that never selects it, behind a branch", `
handshake.func @f(%s: i2, %a: i8, %x: f32, %start: none, ...) -> (i8, i8, f32, none) {
  %n = never : i8
  %q = never : f32
  %a3:3 = fork [3] %a : i8
  %m = merge %n, %a3#0 : i8
  %src = source
  %k = constant %src {value = 2 : i8} : i8
  %sum = arith.addi %n, %k : i8
  %y = mux %s [%n, %a3#1, %sum] : i2, i8
  %no = never : none
  %go = merge %no, %start : none
  %f = merge %q, %x : f32
  sink %a3#2 : i8
  return %m, %y, %f, %go : i8, i8, f32, none
}`, []any{1, 40, 0}, "40 40 0.0", false},
	{"branches and muxes on constants", `
handshake.func @f(%a: i8, %start: none, ...) -> (i8, i8, i8, none) {
  %src = source
  %yes = constant %src {value = true} : i1
  %no = constant %src {value = false} : i1
  %two = constant %src {value = 2 : i4} : i4
  %three = constant %src {value = -3 : i8} : i8
  %eight = constant %src {value = 8 : i8} : i8
  %five = arith.addi %three, %eight : i8
  %t, %t_no = cond_br %yes, %five : i8
  %f_no, %f = cond_br %no, %t : i8
  %a2:2 = fork [2] %a : i8
  %p, %p_no = cond_br %yes, %a2#0 : i8
  %w = mux %two [%five, %five, %f] : i4, i8
  sink %p_no : i8
  %x = arith.addi %w, %p : i8
  %y = mux %two [%f_no, %a2#1] : i4, i8
  %z = merge %t_no, %y : i8
  %z2:2 = fork [2] %z : i8
  return %x, %z2#0, %z2#1, %start : i8, i8, i8, none
}`, []any{7}, "12 7 7", false},
	{"control_merge of three, data", `
handshake.func @f(%s: i1, %a: i8, %start: none, ...) -> (i8, i2, none) {
  %n = never : i8
  %t, %e = cond_br %s, %a : i8
  %v, %which = control_merge %n, %t, %e : i8, i2
  return %v, %which, %start : i8, i2, none
}`, []any{0, 40}, "40 -2", false},
	{"sync, join of mixed types", `
handshake.func @f(%a: i8, %b: i16, %start: none, ...) -> (i8, i16, none) {
  %x, %y, %c = sync %a, %b, %start : i8, i16, none
  %x2:2 = fork [2] %x : i8
  %j = join %x2#0, %c : i8, none
  return %x2#1, %y, %j : i8, i16, none
}`, []any{-1, 300}, "-1 300", true},
	{"source in a join, a sync and as an operand", `
handshake.func @f(%a: i8, %start: none, ...) -> (i8, i8, none) {
  %src = source
  %f:3 = fork [3] %src : none
  %k = constant %f#0 {value = 5 : i8} : i8
  %kk:2 = fork [2] %k : i8
  %j = join %f#1, %start : none, none
  %x, %y = sync %a, %f#2 : i8, none
  sink %y : none
  %v = arith.muli %x, %kk#0 : i8
  %w = arith.addi %kk#1, %kk#1 : i8
  %ws, %j2 = sync %w, %j : i8, none
  return %v, %ws, %j2 : i8, i8, none
}`, []any{7}, "35 10", true},
	{"pack and unpack", `
handshake.func @f(%a: i32, %b: i64, %start: none, ...) -> (i64, i32, none) {
  %t = pack %a, %b, %start : tuple<i32, i64, none>
  %u = pack %t, %k : tuple<tuple<i32, i64, none>, i1>
  %src = source
  %k = constant %src {value = true} : i1
  %q = buffer [2] seq %u : tuple<tuple<i32, i64, none>, i1>
  %f:2 = fork [2] %q : tuple<tuple<i32, i64, none>, i1>
  sink %f#1 : tuple<tuple<i32, i64, none>, i1>
  %v, %l = unpack %f#0 : tuple<tuple<i32, i64, none>, i1>
  sink %l : i1
  %x, %y, %z = unpack %v : tuple<i32, i64, none>
  return %y, %x, %z : i64, i32, none
}`, []any{-5, 1 << 40}, "1099511627776 -5", true},
	{"tuples through branches and merges", `
handshake.func @f(%c: i1, %a: i8, %b: i16, %start: none, ...) -> (i8, i16, i1, none) {
  %t = pack %a, %b : tuple<i8, i16>
  %yes, %no = cond_br %c, %t : tuple<i8, i16>
  %p, %q = unpack %yes : tuple<i8, i16>
  %p2 = arith.addi %p, %p : i8
  %back = pack %p2, %q : tuple<i8, i16>
  %m, %which = control_merge %back, %no : tuple<i8, i16>, i1
  %x, %y = unpack %m : tuple<i8, i16>
  return %x, %y, %which, %start : i8, i16, i1, none
}`, []any{1, 3, 300}, "6 300 0", false},
	{"parameters and results of a tuple type", `
handshake.func @f(%t: tuple<i8, tuple<>, tuple<i16>>, %start: none, ...) -> (tuple<i16, i8>, none) {
  %a, %nothing, %b = unpack %t : tuple<i8, tuple<>, tuple<i16>>
  sink %nothing : tuple<>
  %c = unpack %b : tuple<i16>
  %r = pack %c, %a : tuple<i16, i8>
  return %r, %start : tuple<i16, i8>, none
}`, []any{3, 0, 300}, "300 3", true},
	{"instances, each with a state of its own", `
handshake.func @delay(%a: i8, %start: none, ...) -> (i8, none) {
  %b = buffer [1] seq %a {initValues = [9]} : i8
  return %b, %start : i8, none
}
handshake.func @twice(%a: i8, %start: none, ...) -> (i8, none) {
  %f:2 = fork [2] %a : i8
  %x:2 = instance @delay(%f#0, %start) : (i8, none) -> (i8, none)
  %y = arith.addi %x#0, %f#1 : i8
  return %y, %x#1 : i8, none
}
handshake.func @f(%a: i8, %start: none, ...) -> (i8, i8, none) {
  %f:2 = fork [2] %a : i8
  %x:2 = instance @twice(%f#0, %start) : (i8, none) -> (i8, none)
  %y:2 = instance @twice(%f#1, %x#1) : (i8, none) -> (i8, none)
  return %x#0, %y#0, %y#1 : i8, i8, none
}`, []any{7}, "16 16", false},
	{"memory with two load ports and two store ports", `
handshake.func @f(%m: memref<4xi32>, %v: i32, %start: none, ...) -> (i32, i32, none) {
  %s:5 = fork [5] %start : none
  %zero = constant %s#0 {value = 0 : i2} : i2
  %three = constant %s#1 {value = 3 : i2} : i2
  %z:2 = fork [2] %zero : i2
  %t:2 = fork [2] %three : i2
  %v2:2 = fork [2] %v : i32
  %d0, %a0 = store [%z#0] %v2#0, %s#2 : i2, i32
  %k = arith.addi %v2#1, %x1#0 : i32
  %d1, %a1 = store [%t#0] %k, %sd#0 : i2, i32
  %sd:2 = fork [2] %e#2 : none
  %x, %la0 = load [%t#1] %e#0, %s#3 : i2, i32
  %x1:2 = fork [2] %x : i32
  %y, %la1 = load [%z#1] %e#1, %sd#1 : i2, i32
  %e:6 = extmemory[ld = 2, st = 2] (%m : memref<4xi32>) (%d0, %a0, %d1, %a1, %la0, %la1) {id = 0 : i32} : (i32, i2, i32, i2, i2, i2) -> (i32, i32, none, none, none, none)
  %j = join %s#4, %e#3, %e#4, %e#5 : none, none, none, none
  return %x1#1, %y, %j : i32, i32, none
}`, []any{[]int{1, 2, 3, 4}, 50}, "4 50 [50 2 3 54]", false},
	{"loop of control merges", loop("buffer [1] seq"), []any{5}, "10", false},
	{"loop of control merges, fifo", loop("buffer [1] fifo"), []any{6}, "15", false},
	{"loop of control merges, deep", loop("buffer [4] seq"), []any{0}, "0", false},
	{"loop with a primed register", primed, []any{6}, "15", false},
}

// TestOperations runs every graph with all kinds of channels and in several orders, as it is
// given and simplified.
func TestOperations(t *testing.T) {
	for _, c := range operations {
		t.Run(c.name, func(t *testing.T) {
			given, simple := read(t, c.text)
			var errs diag.List
			if circt.Verify(given, &errs); len(errs.All) > 0 {
				t.Errorf("findings: %v", errs.All)
			}
			if dfg.Verify(simple, &errs); errs.HasErrors() == c.legal {
				t.Errorf("LOOM's rules hold: %v, want %v: %v", !errs.HasErrors(), c.legal, errs.Err())
			}
			for _, o := range channels {
				for _, fn := range []*ir.Operation{given, simple} {
					if fn == simple && o.OwnBuffers {
						continue
					}
					p, err := token.Compile(fn, 64)
					if err != nil {
						t.Fatal(err)
					}
					in := inputs(t, fn, c.args...)
					out, _, err := p.Run(in, o)
					if err != nil {
						t.Fatal(err)
					}
					if got := text(out); got != c.want {
						t.Errorf("%+v, simplified %v: %s, want %s\n%s\n%s", o, fn == simple, got, c.want, strings.Join(out.Detail, "\n"), mlir.Print(fn, mlir.Options{}))
					}
					if fn == simple {
						want, _, _ := p.Run(in, token.Options{})
						if err := directCircuit(fn, in, want, 1); err != nil {
							t.Error(err)
						}
					}
					if race, err := p.FindRace(in, o); err != nil || race != nil {
						t.Errorf("%+v: race %v, %v", o, race, err)
					}
				}
			}
		})
	}
}

// TestFlatten: what becomes of instances and tuples.
func TestFlatten(t *testing.T) {
	given, _ := read(t, `
handshake.func @swap(%t: tuple<i8, i16>, %start: none, ...) -> (tuple<i16, i8>, none) {
  %a, %b = unpack %t : tuple<i8, i16>
  %r = pack %b, %a : tuple<i16, i8>
  return %r, %start : tuple<i16, i8>, none
}
handshake.func @f(%c: i1, %p: tuple<i8, i16>, %start: none, ...) -> (tuple<i8, i16>, none) {
  %m = merge %p, %late : tuple<i8, i16>
  %x, %done = instance @swap(%m, %start) : (tuple<i8, i16>, none) -> (tuple<i16, i8>, none)
  %y, %done2 = instance @back(%x, %done) : (tuple<i16, i8>, none) -> (tuple<i8, i16>, none)
  %late, %out = cond_br %c, %y : tuple<i8, i16>
  return %out, %done2 : tuple<i8, i16>, none
}
handshake.func @back(%t: tuple<i16, i8>, %start: none, ...) -> (tuple<i8, i16>, none) {
  %a, %b = unpack %t : tuple<i16, i8>
  %r = pack %b, %a : tuple<i8, i16>
  return %r, %start : tuple<i8, i16>, none
}
handshake.func @top(%c: i1, %p: tuple<i8, i16>, %start: none, ...) -> (tuple<i8, i16>, none) {
  %r:2 = instance @f(%c, %p, %start) : (i1, tuple<i8, i16>, none) -> (tuple<i8, i16>, none)
  return %r#0, %r#1 : tuple<i8, i16>, none
}`)
	const want = `handshake.func @top(%c: i1, %p_0: i8, %p_1: i16, %start: none, ...) -> (i8, i16, none) attributes {argNames = ["c", "p_0", "p_1", "start"], resNames = ["out0_0", "out0_1", "outCtrl"]} {
  %m_0:2 = control_merge %p_0, %late_0 : i8, index
  %m_1 = mux %m_0#1 [%p_1, %late_1] : index, i16
  %r_0, %r_1 = sync %m_1, %m_0#0 : i16, i8
  %r_0_0, %r_1_0 = sync %r_1, %r_0 : i8, i16
  %late_0, %out_0 = cond_br %c, %r_0_0 : i8
  %late_1, %out_1 = cond_br %c, %r_1_0 : i16
  return %out_0, %out_1, %start : i8, i16, none
}`
	if got := mlir.Print(given, mlir.Options{}); strings.TrimSpace(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestErrors: what cannot be flattened or simulated, and what is suspicious.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"recursion", `
handshake.func @g(%start: none, ...) -> (none) {
  %r = instance @f(%start) : (none) -> (none)
  return %r : none
}
handshake.func @f(%start: none, ...) -> (none) {
  %r = instance @g(%start) : (none) -> (none)
  return %r : none
}`, "3:8: error: 'handshake.instance' uses @f inside of itself"},
		{"no body", `
handshake.func private @g(%start: none, ...) -> (none)
handshake.func @f(%start: none, ...) -> (none) {
  %r = instance @g(%start) : (none) -> (none)
  return %r : none
}`, "4:8: error: 'handshake.instance' uses @g, which has no body"},
		{"empty pack", `
handshake.func @f(%start: none, ...) -> (none) {
  %r = pack : tuple<>
  return %start : none
}`, "has no operand that sets how often it fires"},
		{"a result behind a never", `
handshake.func @f(%a: i8, %start: none, ...) -> (i8, none) {
  %n = never : i8
  %s = arith.addi %a, %n : i8
  return %s, %start : i8, none
}`, "5:3: warning: operand #0 of 'handshake.return' never gets a token"},
		{"a cycle without a first token", `
handshake.func @f(%a: i8, %m: memref<4xi8>, %start: none, ...) -> (i8, none) {
  %d, %ad = load [%s] %e#0, %start : i8, i8
  %e:2 = extmemory[ld = 1, st = 0] (%m : memref<4xi8>) (%ad) {id = 0 : i32} : (i8) -> (i8, none)
  %b = buffer [2] seq %d : i8
  %s = arith.addi %a, %b : i8
  return %a, %e#1 : i8, none
}`, "7:3: warning: operand #1 of 'handshake.return' never gets a token"},
		{"a merge of two arguments", `
handshake.func @f(%a: i8, %b: i8, %start: none, ...) -> (i8, none) {
  %f:2 = fork [2] %a : i8
  %m = merge %f#0, %b : i8
  %s = arith.addi %m, %f#1 : i8
  return %s, %start : i8, none
}`, "4:8: warning: operands #0 and #1 of 'handshake.merge' both get a token in every run"},
		{"tuple in select", `
handshake.func @f(%c: i1, %t: tuple<i8>, %start: none, ...) -> (tuple<i8>, none) {
  %r = "arith.select"(%c, %t, %t) : (i1, tuple<i8>, tuple<i8>) -> tuple<i8>
  return %r, %start : tuple<i8>, none
}`, "'arith.select' cannot take a tuple"},
		{"signed", `
handshake.func @f(%a: ui8, %start: none, ...) -> (none) {
  sink %a : ui8
  return %start : none
}`, "2:19: error: parameter #0 has type ui8, which no channel carries"},
		{"arith.constant", `
handshake.func @f(%start: none, ...) -> (i8, none) {
  %k = arith.constant 3 : i8
  %b = br %k : i8
  return %b, %start : i8, none
}`, "'arith.constant' must not be left in a dataflow graph"},
		{"two addresses", `
handshake.func @f(%m: memref<2x2xi8>, %i: index, %start: none, ...) -> (i8, none) {
  %s = br %start : none
  %d, %a, %b = load [%i, %i] %e#0, %s : index, index, i8
  %e:2 = extmemory[ld = 1, st = 0] (%m : memref<2x2xi8>) (%a) {id = 0 : i32} : (index) -> (i8, none)
  sink %b : index
  return %d, %e#1 : i8, none
}`, "'handshake.load' has 2 addresses"},
		{"without end", `
handshake.func @f(%i: i8, %start: none, ...) -> (i8, none) {
  %s = source
  %k = constant %s {value = 1 : i8} : i8
  %m = merge %k, %i : i8
  return %m, %start : i8, none
}`, "operand #0 of 'handshake.merge' comes from handshake.source and always has a token"},
		{"store without end", `
handshake.func @f(%m: memref<4xi8>, %start: none, ...) -> (none) {
  %s = source
  %k = constant %s {value = 1 : i8} : i8
  %i = constant %s {value = 1 : index} : index
  %d, %a = store [%i] %k, %s : index, i8
  %e = extmemory[ld = 0, st = 1] (%m : memref<4xi8>) (%d, %a) {id = 0 : i32} : (i8, index) -> (none)
  return %e : none
}`, "6:12: error: 'handshake.store' would fire without end"},
		{"cycle", strings.ReplaceAll(loop("buffer [1] seq"), "%c_back = buffer [1] seq", "%c_back = br"),
			"warning: a cycle of 4 operations has no buffer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := mlir.ParseAndVerify("g.mlir", c.text)
			if err != nil {
				t.Fatal(err)
			}
			var errs diag.List
			if err := circt.Flatten(last(m)); err != nil {
				errs.All = diag.FromError(err).All
			} else if circt.Verify(last(m), &errs); len(errs.All) == 0 {
				if _, err := token.Compile(last(m), 64); err != nil {
					errs.All = diag.FromError(err).All
				}
			}
			found := ""
			for _, d := range errs.All {
				found += fmt.Sprintf("%v: %s: %s\n", d.Pos, d.Severity, d.Message)
			}
			if !strings.Contains(found, c.want) {
				t.Errorf("found %q, want %q", found, c.want)
			}
		})
	}
}

// TestRaces: where two operands of a merge can have a token at the same time, that is found
// whatever the order of the run, and the results of other orders.
func TestRaces(t *testing.T) {
	// The second token of the merge comes long after the first has left it, in the order in
	// which operations fire by themselves; held back, the merge sees both.
	const slow = `
handshake.func @f(%a: i8, %start: none, ...) -> (i8, i8, none) {
  %a2:2 = fork [2] %a : i8
  %b = buffer [9] fifo %a2#1 : i8
  %c = buffer [9] fifo %b : i8
  %d = arith.addi %c, %c : i8
  %m = merge %a2#0, %d : i8
  %t = buffer [1] seq %n {initValues = [0]} : i1
  %t2:2 = fork [2] %m : i8
  sink %t2#1 : i8
  %z = constant %zs {value = true} : i1
  %zs = join %t2#0 : i8
  %n = arith.xori %t3#0, %z : i1
  %t3:2 = fork [2] %t : i1
  %q = buffer [2] fifo %m2 : i8
  %m2 = br %m : i8
  %y, %x = cond_br %t3#1, %q : i8
  return %x, %y, %start : i8, i8, none
}`
	for _, c := range []struct {
		name, text string
		args       []any
		race       string // "" for none
		other      bool   // another order gives another result
	}{
		{"at once", `
handshake.func @f(%a: i8, %b: i8, %start: none, ...) -> (i8, none) {
  %m = merge %a, %b : i8
  %s = arith.addi %m, %m : i8
  return %s, %start : i8, none
}`, []any{1, 2}, "operands #0 and #1", true},
		{"one after the other", slow, []any{3}, "operands #0 and #1", true},
		{"without data it does not matter", `
handshake.func @f(%a: i8, %start: none, ...) -> (i8, none) {
  %j = join %a : i8
  %m = merge %j, %start : none
  %g = merge %m : none
  %k = constant %g {value = 1 : i8} : i8
  %b = buffer [1] seq %k {initValues = [3]} : i8
  return %b, %start : i8, none
}`, []any{1}, "", false},
		{"control_merge with an index", `
handshake.func @f(%a: i8, %start: none, ...) -> (i1, none) {
  %j = join %a : i8
  %m, %i = control_merge %j, %start : none, i1
  return %i, %m : i1, none
}`, []any{1}, "operands #0 and #1", true},
		{"loop", loop("buffer [1] seq"), []any{4}, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			given, _ := read(t, c.text)
			p, err := token.Compile(given, 64)
			if err != nil {
				t.Fatal(err)
			}
			in := inputs(t, given, c.args...)
			race, err := p.FindRace(in, token.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if (race != nil) != (c.race != "") || race != nil && !strings.Contains(race.String(), c.race) {
				t.Errorf("race %v, want %q", race, c.race)
			}
			out, _, err := p.Run(in, token.Options{})
			if err != nil {
				t.Fatal(err)
			}
			other, err := p.Orders(in, token.Options{}, out)
			if err != nil || (other != nil) != c.other {
				t.Errorf("%v: %s in another order %v, want another: %v", err, text(out), other, c.other)
			}
		})
	}
}

// TestBuffers: with its own buffers a graph stands where they are too few, and where there
// is none on a cycle; with unbounded channels it does not.
func TestBuffers(t *testing.T) {
	// All n+1 tokens wait for the last.
	few := func(slots int) string {
		return fmt.Sprintf(`
handshake.func @f(%%n: index, %%start: none, ...) -> (none) {
  %%s:3 = fork [3] %%start : none
  %%zero = constant %%s#0 {value = 0 : index} : index
  %%one = constant %%s#1 {value = 1 : index} : index
  %%raw, %%more = dataflow.stream %%zero, %%one, %%n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %%more2:2 = fork [2] %%more : i1
  %%raw2:2 = fork [2] %%raw : index
  %%in, %%end = cond_br %%more2#0, %%raw2#0 : index
  sink %%in : index
  %%wait = buffer [%d] fifo %%raw2#1 : index
  %%gate = buffer [%d] fifo %%more2#1 : i1
  %%last = dataflow.invariant %%gate, %%end : i1, index -> index
  %%rest = arith.subi %%last, %%wait : index
  sink %%rest : index
  return %%s#2 : none
}`, slots, slots)
	}
	for _, c := range []struct {
		name, text string
		n          int
		own        vector.Status
	}{
		{"enough", few(3), 3, vector.Done},
		{"too few", few(1), 3, vector.Deadlock},
		{"no buffer on a cycle", strings.ReplaceAll(loop("buffer [1] seq"), "%c_back = buffer [1] seq", "%c_back = br"), 3, vector.Deadlock},
		{"loop", loop("buffer [1] seq"), 3, vector.Done},
	} {
		t.Run(c.name, func(t *testing.T) {
			given, _ := read(t, c.text)
			p, err := token.Compile(given, 64)
			if err != nil {
				t.Fatal(err)
			}
			in := inputs(t, given, c.n)
			free, _, err := p.Run(in, token.Options{})
			if err != nil || free.Status != vector.Done {
				t.Fatalf("%v: unbounded: %v", err, free)
			}
			own, _, err := p.Run(in, token.Options{OwnBuffers: true})
			if err != nil {
				t.Fatal(err)
			}
			if detail := strings.Join(own.Detail, "\n"); own.Status != c.own || c.own == vector.Deadlock && !strings.Contains(detail, "wait for each other") {
				t.Errorf("its own buffers: %s, want %s\n%s", own.Status, c.own, detail)
			}
		})
	}
}

// TestBuffersOfCircuits: the circuit of a graph with merges has the storage of the graph's
// buffers: one that needs it runs with it, and not without.
func TestBuffersOfCircuits(t *testing.T) {
	// All n+1 tokens wait for the last, behind a merge.
	text := func(slots int) string {
		return fmt.Sprintf(`
handshake.func @f(%%n: index, %%start: none, ...) -> (index, none) {
  %%s:3 = fork [3] %%start : none
  %%zero = constant %%s#0 {value = 0 : index} : index
  %%one = constant %%s#1 {value = 1 : index} : index
  %%raw, %%more = dataflow.stream %%zero, %%one, %%n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %%more2:3 = fork [3] %%more : i1
  %%raw2:2 = fork [2] %%raw : index
  %%in, %%end = cond_br %%more2#0, %%raw2#0 : index
  sink %%in : index
  %%none = never : index
  %%merged = merge %%raw2#1, %%none : index
  %%half = buffer [%d] seq %%merged : index
  %%wait = buffer [%d] fifo %%half : index
  %%gate = buffer [%d] fifo %%more2#1 : i1
  %%rest = buffer [%d] fifo %%more2#2 : i1
  %%last = dataflow.invariant %%gate, %%end : i1, index -> index
  %%left = arith.subi %%last, %%wait : index
  %%not, %%result = cond_br %%rest, %%left : index
  sink %%not : index
  return %%result, %%s#2 : index, none
}`, slots, slots, 3*slots, 3*slots)
	}
	for _, slots := range []int{1, 6} {
		_, simple := read(t, text(slots))
		in := inputs(t, simple, 15)
		p, err := token.Compile(simple, 64)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := p.Run(in, token.Options{})
		if err != nil || want.Status != vector.Done {
			t.Fatal(err, want)
		}
		narrow, _, err := p.Run(in, token.Options{Capacity: 1})
		if err != nil {
			t.Fatal(err)
		}
		enough := slots == 6
		if (narrow.Status == vector.Done) != enough {
			t.Errorf("%d slots, channels of one token: %s", slots, narrow.Status)
		}
		if err := directCircuit(simple, in, want, 1); (err == nil) != enough {
			t.Errorf("%d slots: %v", slots, err)
		}
		c, err := circuit.Build(simple, circuit.Options{IndexWidth: 64})
		if err != nil {
			t.Fatal(err)
		}
		least := 0
		for _, ch := range c.Channels {
			least = max(least, ch.Least)
			if ch.Buffer.Slots < ch.Least {
				t.Errorf("channel %s holds %d tokens, the graph's buffers %d", ch.Name, ch.Buffer.Slots, ch.Least)
			}
		}
		if least != 3*slots+1 {
			t.Errorf("the longest buffer holds %d tokens", least)
		}
	}
}
