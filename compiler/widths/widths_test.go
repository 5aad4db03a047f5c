package widths_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"loom/compiler/analysis/interval"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/compiler/simplify"
	"loom/compiler/widths"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/sim/token"
	"loom/sim/vector"
)

// programs is how many random programs a test runs.
func programs(usual int) uint64 {
	if testing.Short() {
		usual /= 10
	}
	return uint64(soak.Scale(usual, 10*usual))
}

// errNoProgram: what a program does is not defined.
var errNoProgram = errors.New("the interpreter does not run it to its end")

// narrowed cuts every value of a graph to the width of its fact, and extends it again: what the
// graph computes must not change.
func narrowed(fn *ir.Operation, facts widths.Facts, indexWidth int) (cut int) {
	body := fn.Regions[0].Entry()
	for _, op := range append([]*ir.Operation(nil), body.Ops...) {
		for _, r := range op.Results() {
			f, ok := facts[r]
			toMemory := op.Name == opname.HandshakeStore || op.Name == opname.HandshakeLoad && r.Index == 1
			if !ok || f.Bits == f.Full || toMemory || dataflow.IsHeld(r) || !r.HasUses() {
				continue
			}
			cut++
			uses := append([]ir.Use(nil), r.Uses()...)
			v := r
			make := func(name string, t ir.Type) {
				o := ir.NewOp(name, op.Pos, []*ir.Value{v}, []ir.Type{t})
				body.InsertBefore(body.Terminator(), o)
				v = o.Result(0)
			}
			if r.Type == ir.Type(ir.Index) {
				make(opname.ArithIndexCastUI, ir.Int(f.Full))
			}
			make(opname.ArithTruncI, ir.Int(f.Bits))
			if f.Signed {
				make(opname.ArithExtSI, ir.Int(f.Full))
			} else {
				make(opname.ArithExtUI, ir.Int(f.Full))
			}
			if r.Type == ir.Type(ir.Index) {
				make(opname.ArithIndexCastUI, ir.Index)
			}
			for _, u := range uses {
				u.Op.SetOperand(u.Index, v)
			}
		}
	}
	return cut
}

// fault runs the graph of a program, as lowered and as that of a direct circuit, and returns
// what contradicts the facts: a token outside of its interval, or another result with narrow
// values.
func fault(fn *ir.Operation, in *vector.Inputs, seed uint64, spoil func(widths.Facts)) (string, int, error) {
	width := []int{64, 32}[seed%2]
	want, err := interp.Run(fn, in, interp.Options{MaxSteps: 2_000_000, IndexWidth: width})
	if err != nil || want.Status != vector.Done {
		return "", 0, errNoProgram
	}
	res, err := lower.Lower(fn.ParentOp(), lower.Options{MemoryOrder: "pipelined", IndexWidth: width})
	if err != nil {
		return "", 0, err
	}
	direct, err := simplify.Run(res.Func, simplify.Options{})
	if err != nil {
		return "", 0, err
	}
	cut := 0
	for _, graph := range []*ir.Operation{res.Func, direct} {
		facts := widths.Of(graph, width)
		spoil(facts)
		p, err := token.Compile(graph, width)
		if err != nil {
			return "", 0, err
		}
		outside := ""
		if _, err := p.Observe(in, token.Options{}, token.Observation{Each: func(v *ir.Value, bits uint64) {
			f, ok := facts[v]
			if w, integer := ir.BitWidth(v.Type, width); ir.IsInt(v.Type) && integer {
				switch i := interval.Exactly(int64(bits), w); {
				case !ok:
					outside = fmt.Sprintf("%%%s of '%s' has a token and no fact", v.Name, v.Def.Name)
				case !i.Within(f.Interval):
					outside = fmt.Sprintf("%%%s of '%s' is %v, not in %v", v.Name, v.Def.Name, i, f.Interval)
				}
			}
		}}); err != nil {
			return "", 0, err
		}
		if outside != "" {
			return outside, 0, nil
		}
		cut += narrowed(graph, facts, width)
		got, err := token.Run(graph, in, token.Options{IndexWidth: width, MaxSteps: 20_000_000})
		if err != nil {
			return "", 0, err
		}
		if diff := vector.Diff(want, got); len(diff) > 0 || got.Status != vector.Done {
			return fmt.Sprintf("with narrow values: %s %s", strings.Join(diff, "\n"), strings.Join(got.Detail, "\n")), 0, nil
		}
	}
	return "", cut, nil
}

func options(seed uint64) randprog.Options {
	o := randprog.Options{IndexWidth: []int{64, 32}[seed%2]}
	switch seed / 2 % 5 {
	case 1:
		o.Locals = true
	case 2:
		o.MaxOps, o.Memories = 120, 3
	case 3:
		o.Use, o.MaxOps = randprog.Everything&(randprog.CountedWhiles|randprog.WhileShapes|randprog.LoopTypes|randprog.UnsignedLoops|randprog.Sweeps), 90
	case 4:
		o.Use, o.MaxOps = randprog.Everything&(randprog.Sweeps|randprog.Affine|randprog.Globals), 90
	}
	return o
}

// TestRandomPrograms: every token of random programs lies in its interval, and with every value
// cut to the width of its fact the programs compute the same.
func TestRandomPrograms(t *testing.T) {
	cut := randomPrograms(t, func(fn *ir.Operation, in *vector.Inputs, seed uint64) (string, int, error) {
		return fault(fn, in, seed, func(widths.Facts) {})
	})
	t.Logf("%d values were narrower than their types", cut)
	if cut == 0 {
		t.Error("no value was narrower than its type")
	}
}

// randomPrograms runs a check on random programs, and shrinks the one that fails; it returns the sum of what the check counts.
func randomPrograms(t *testing.T, check func(fn *ir.Operation, in *vector.Inputs, seed uint64) (fault string, n int, err error)) (count int) {
	t.Helper()
	for seed := range programs(1000) {
		m := randprog.Generate(seed, options(seed))
		fails := func(c *ir.Operation) string {
			f, n, err := check(randprog.Function(c), randprog.Inputs(c, seed), seed)
			count += n
			if err != nil && !errors.Is(err, errNoProgram) {
				return err.Error()
			}
			return f
		}
		if f := fails(m); f != "" {
			small := randprog.Shrink(m, func(c *ir.Operation) bool { return fails(c) != "" })
			t.Fatalf("seed %d: %s\nthe smallest program like it is:\n%s\n%s", seed, f, mlir.Print(small, mlir.Options{}), fails(small))
		}
	}
	return count
}

// TestSpoiltFacts: facts that are wrong are noticed.
func TestSpoiltFacts(t *testing.T) {
	for name, spoil := range map[string]func(widths.Facts){
		"a bit is missing": func(f widths.Facts) {
			for v, k := range f {
				if k.Bits > 1 {
					k.Bits--
					f[v] = k
				}
			}
		},
		"signs are lost": func(f widths.Facts) {
			for v, k := range f {
				k.Signed = false
				f[v] = k
			}
		},
		"the last value of counters is forgotten": func(f widths.Facts) {
			for v, k := range f {
				if v.Def != nil && v.Def.Name == opname.DataflowStream && k.Interval.Hi > k.Interval.Lo {
					k.Interval.Hi--
					f[v] = k
				}
			}
		},
	} {
		caught := false
		for seed := uint64(0); seed < 300 && !caught; seed++ {
			m := randprog.Generate(seed, options(seed))
			f, _, err := fault(randprog.Function(m), randprog.Inputs(m, seed), seed, spoil)
			caught = err == nil && f != ""
		}
		if !caught {
			t.Errorf("not noticed: %s", name)
		}
	}
}

// TestWrapped: what a remainder wraps stays below its divisor, as long as what is added to it before does not leave the width.
func TestWrapped(t *testing.T) {
	for _, rem := range []string{"remsi", "remui"} {
		for _, step := range []int64{1, 1000, 1 << 29} {
			m, err := mlir.ParseAndVerify("wrapped.mlir", fmt.Sprintf(`
handshake.func @f(%%n: i32, %%start: none, ...) -> (i32, none) {
  %%c0 = constant %%start {value = 0 : i32} : i32
  %%c1 = constant %%start {value = 1 : i32} : i32
  %%i, %%more = dataflow.stream %%c0, %%c1, %%n {step_op = "+=", cont_cond = "<"} : (i32, i32, i32) -> (i32, i1)
  %%at = dataflow.carry %%more, %%c0, %%next : i1, i32, i32 -> i32
  %%here, %%last = cond_br %%more, %%at : i32
  %%step = constant %%fire {value = %d : i32} : i32
  %%by = constant %%fire {value = 12 : i32} : i32
  %%fire = join %%here : i32
  %%sum = arith.addi %%here, %%step : i32
  %%next = arith.%s %%sum, %%by : i32
  return %%last, %%start : i32, none
}`, step, rem))
			if err != nil {
				t.Fatal(err)
			}
			fn := m.Regions[0].Entry().Ops[0]
			for v, f := range widths.Of(fn, 32) {
				if v.Name == "at" && (f.Interval.Lo != 0 || f.Interval.Hi != 11) {
					t.Errorf("%s of a sum with %d: %v", rem, step, f.Interval)
				}
			}
		}
	}
}
