package cycle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
	"loom/compiler/config"
	_ "loom/compiler/dialect/all"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/num"
	"loom/internal/fabrictest"
	"loom/sim/trace"
)

// temporalText is a fabric of one temporal PE, whose ports are those of the fabric.
const temporalText = `
!w = !fabric.bits<32>
!b = !fabric.bits<1>
module {
  fabric.temporal_pe @pe [num_instruction = 8, num_constant = 2] : (!w, !w, !b) -> (!w, !w, !b) {
    fabric.function_unit @addi(%a: i32, %b: i32) -> i32 [latency = 0, interval = 1] {
      %s = arith.addi %a, %b : i32
      fabric.yield %s : i32
    }
    fabric.function_unit @cmpi(%a: i32, %b: i32) -> i1 [latency = 0, interval = 1] {
      %s = arith.cmpi eq, %a, %b : i32
      fabric.yield %s : i1
    }
    fabric.function_unit @extsi(%a: i8) -> i32 [latency = 0, interval = 1] {
      %s = arith.extsi %a : i8 to i32
      fabric.yield %s : i32
    }
    fabric.function_unit @trunci(%a: i32) -> i16 [latency = 0, interval = 1] {
      %s = arith.trunci %a : i32 to i16
      fabric.yield %s : i16
    }
    fabric.function_unit @joins(%a: none, %b: none, %c: none) -> none [latency = 0, interval = 1] {
      %s = handshake.join %a, %b, %c : none, none, none
      fabric.yield %s : none
    }
    fabric.function_unit @select(%c: i1, %a: i32, %b: i32) -> i32 [latency = 0, interval = 1] {
      %s = arith.select %c, %a, %b : i32
      fabric.yield %s : i32
    }
    fabric.function_unit @mux(%c: i1, %a: i32, %b: i32) -> i32 [latency = 0, interval = 1] {
      %s = handshake.mux %c [%a, %b] : i1, i32
      fabric.yield %s : i32
    }
    fabric.function_unit @cond_br(%c: i1, %a: i32) -> (i32, i32) [latency = 0, interval = 1] {
      %s, %t = handshake.cond_br %c, %a : i32
      fabric.yield %s, %t : i32, i32
    }
    fabric.function_unit @carry(%c: i1, %a: i32, %b: i32) -> i32 [latency = -1, interval = -1] {
      %s = dataflow.carry %c, %a, %b : i1, i32, i32 -> i32
      fabric.yield %s : i32
    }
    fabric.function_unit @loop(%c: i1, %a: i32, %b: i32) -> (i32, i32) [latency = -1, interval = -1] {
      %v = dataflow.carry %c, %a, %b : i1, i32, i32 -> i32
      %s, %t = handshake.cond_br %c, %v : i32
      fabric.yield %s, %t : i32, i32
    }
    fabric.function_unit @invariant(%c: i1, %a: i32) -> i32 [latency = -1, interval = -1] {
      %s = dataflow.invariant %c, %a : i1, i32 -> i32
      fabric.yield %s : i32
    }
  }
  fabric.module @m(%x: !w, %y: !w, %c: !b) -> (!w, !w, !b) {
    %p:3 = fabric.instance @pe(%x, %y, %c) : (!w, !w, !b) -> (!w, !w, !b)
    fabric.yield %p#0, %p#1, %p#2 : !w, !w, !b
  }
}
`

// temporal is that fabric with a program.
type temporal struct {
	t   testing.TB
	f   *arch.Fabric
	img *config.Image
	b   *Testbench
	in  [][]uint64 // tokens that wait at the inputs
	now TestbenchIn
	// events are the transfers at the boundary, "cycle port=data".
	events []string
	out    [][]uint64
	cycle  int
}

func newTemporal(t testing.TB, program string) *temporal {
	t.Helper()
	m, err := mlir.ParseAndVerify("temporal.mlir", temporalText)
	if err != nil {
		t.Fatal(err)
	}
	f, err := arch.FromModule(m, "")
	if err != nil {
		t.Fatal(err)
	}
	set, err := fabrictest.Assemble(f.Comps[0], program)
	if err != nil {
		t.Fatal(err)
	}
	return temporalOf(t, f, set)
}

func temporalOf(t testing.TB, f *arch.Fabric, set *config.TPESetting) *temporal {
	t.Helper()
	x := &temporal{t: t, f: f, img: config.New(config.NewLayout(f))}
	x.img.Settings[0].TPE = set
	b, err := NewTestbench(f, x.img, TestbenchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	x.b, x.in, x.out = b, make([][]uint64, len(f.Inputs)), make([][]uint64, len(f.Outputs))
	x.now = TestbenchIn{In: make([]Token, len(f.Inputs)), Ready: make([]bool, len(f.Outputs))}
	for o := range x.now.Ready {
		x.now.Ready[o] = true
	}
	return x
}

// step simulates a cycle in which the inputs that are not withheld offer what waits there.
func (x *temporal) step(withheld ...bool) *TestbenchOut {
	for i := range x.in {
		held := len(withheld) > i && withheld[i] && !x.now.In[i].Valid
		x.now.In[i] = Token{}
		if len(x.in[i]) > 0 && !held {
			x.now.In[i] = Token{Valid: true, Data: x.in[i][0]}
		}
	}
	out := x.b.Step(&x.now)
	for i := range x.in {
		if x.now.In[i].Valid && out.Ready[i] {
			x.events = append(x.events, fmt.Sprintf("%d in%d=%d", x.cycle, i, x.in[i][0]))
			x.in[i], x.now.In[i] = x.in[i][1:], Token{}
		}
	}
	for o := range x.out {
		if out.Out[o].Valid && x.now.Ready[o] {
			x.events = append(x.events, fmt.Sprintf("%d out%d=%d", x.cycle, o, out.Out[o].Data))
			x.out[o] = append(x.out[o], out.Out[o].Data)
		}
	}
	x.cycle++
	return out
}

// unit is the model.
func (x *temporal) unit() *temporalPE {
	for _, u := range x.b.sim.units {
		if p, ok := u.(*temporalPE); ok {
			return p
		}
	}
	x.t.Fatal("no temporal PE")
	return nil
}

// TestTemporalCycles: what happens at the ports of small programs, in which cycles.
func TestTemporalCycles(t *testing.T) {
	for _, c := range []struct {
		name, program string
		in            [3][]uint64
		cycles        int
		want          string
	}{
		{"a token that entered is an operand in the fourth cycle, an instruction fires two cycles after the last of its operands, its result leaves in the next", `
			0: addi in0 in1
			out 0: i0`,
			[3][]uint64{{1}, {10}, nil}, 13, "0 in0=1, 0 in1=10, 7 out0=11"},
		{"inputs that were chosen while their readers have a token are blocked until something fires", `
			0: addi in0 in1
			out 0: i0`,
			[3][]uint64{{1, 2, 3}, {10, 20, 30}, nil}, 21, "0 in0=1, 0 in1=10, 4 in0=2, 5 in1=20, 7 out0=11, 8 in0=3, 9 in1=30, 11 out0=22, 15 out0=33"},
		{"an input that an output reads goes there", `
			out 1: in0`,
			[3][]uint64{{5, 6}, nil, nil}, 12, "0 in0=5, 4 in0=6, 4 out1=5, 8 out1=6"},
		{"an input that nothing reads is dropped, every fourth cycle", ``,
			[3][]uint64{{5, 6, 7}, nil, nil}, 14, "0 in0=5, 4 in0=6, 8 in0=7"},
		{"inputs take turns", ``,
			[3][]uint64{{1, 2}, {3, 4}, {1, 0}}, 12, "0 in0=1, 0 in1=3, 0 in2=1, 4 in0=2, 5 in1=4, 6 in2=0"},
		{"a chain of three instructions", `
			const 0: 100
			0: addi in0 held#0
			1: addi i0 held#0
			2: addi i1 held#0
			out 0: i2`,
			[3][]uint64{{1}, nil, nil}, 14, "0 in0=1, 10 out0=301"},
		{"a result goes to several operands and outputs", `
			0: addi in0 held
			1: addi i0 i0
			out 0: i0
			out 1: i1
			out 2: i0`,
			[3][]uint64{{7}, nil, nil}, 14, "0 in0=7, 6 out0=7, 6 out2=1, 8 out1=14"},
		{"held operands without data are zeros, immediates have the constant, at the pace of their tokens or held", `
			const 0: 5
			const 1: 9
			0: addi in0 held
			1: addi in0#1 held#1
			out 0: i0
			out 1: i1`,
			[3][]uint64{{70}, nil, nil}, 14, "0 in0=70, 6 out0=70, 7 out1=18"},
		{"a mux waits for its condition, which others need not", `
			const 0: 3
			0: cmpi:0 in0 held
			1: mux i0 held held#0
			2: cond_br i0 held#0
			out 0: i1
			out 1: i2`,
			[3][]uint64{{0}, nil, nil}, 14, "0 in0=0, 8 out1=3, 9 out0=3"},
		{"an instruction whose operand does not come tries again when something fires", `
			0: addi in0 held
			1: addi i0 in1
			2: addi in2 held
			out 0: i1`,
			[3][]uint64{{1, 2}, {10, 20}, {1, 1}}, 34, "0 in0=1, 0 in1=10, 0 in2=1, 4 in0=2, 5 in1=20, 6 in2=1, 13 out0=11, 18 out0=22"},
		{"an accumulating loop", `
			const 0: 3
			0: carry i1 in0 i3
			1: cmpi:9 held#0 i0
			2: cond_br i1 i0
			3: addi i2 i2
			out 0: i2.1`,
			[3][]uint64{{1}, nil, nil}, 33, "0 in0=1, 26 out0=4"},
	} {
		x := newTemporal(t, c.program)
		for i := range c.in {
			x.in[i] = c.in[i]
		}
		for range c.cycles {
			x.step()
		}
		if got := strings.Join(x.events, ", "); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
		if !x.step().Idle {
			t.Errorf("%s: not idle in the end: %v", c.name, x.b.Stuck())
		}
	}
}

// TestTemporalSteps: what every kind of instruction takes and gives, in every state.
func TestTemporalSteps(t *testing.T) {
	for _, c := range []struct {
		name, program string
		in            [3][]uint64
		out           [3][]uint64
		left          [3]int // tokens that are not taken
		idle          bool
	}{
		{"compute", "0: addi in0 in1\nout 0: i0", [3][]uint64{{1, 0xffffffff}, {2, 2}}, [3][]uint64{{3, 1}}, [3]int{}, true},
		{"compare", "0: cmpi:2 in0 in1\nout 0: i0\nout 2: i0", [3][]uint64{{1, 0xffffffff, 9}, {2, 2, 2}}, [3][]uint64{{1, 1, 0}, nil, {1, 1, 0}}, [3]int{}, true},
		{"extend from 8 bits", "0: extsi in0\nout 0: i0", [3][]uint64{{0x80, 0x17f, 0xff00}}, [3][]uint64{{0xffffff80, 0x7f, 0}}, [3]int{}, true},
		{"results are cut to the unit's", "0: trunci in0\nout 0: i0", [3][]uint64{{0x12345678}}, [3][]uint64{{0x5678}}, [3]int{}, true},
		{"outputs have their low bits", "0: addi in0 held\nout 2: i0", [3][]uint64{{6, 7}}, [3][]uint64{nil, nil, {0, 1}}, [3]int{}, true},
		{"join", "0: joins in2 in0 in1\nout 0: i0", [3][]uint64{{1, 2}, {3, 4}, {1, 1}}, [3][]uint64{{0, 0}}, [3]int{}, true},
		{"a join of fewer", "0: joins held in0 in1\nout 0: i0", [3][]uint64{{1, 2}, {3, 4}}, [3][]uint64{{0, 0}}, [3]int{}, true},
		{"select", "0: select in2 in0 in1\nout 0: i0", [3][]uint64{{1, 2}, {3, 4}, {1, 0}}, [3][]uint64{{1, 4}}, [3]int{}, true},
		{"mux takes what is selected alone", "0: mux in2 in0 in1\nout 0: i0", [3][]uint64{{1, 2, 9}, {3, 4}, {1, 0, 1, 0}}, [3][]uint64{{3, 1, 4, 2}}, [3]int{}, false},
		{"branch", "0: cond_br in2 in0\nout 0: i0\nout 1: i0.1", [3][]uint64{{1, 2, 3}, nil, {1, 0, 1}}, [3][]uint64{{1, 3}, {2}}, [3]int{}, true},
		{"a branch whose false side nothing reads", "0: cond_br in2 in0\nout 0: i0", [3][]uint64{{1, 2, 3}, nil, {0, 0, 1}}, [3][]uint64{{3}}, [3]int{}, true},
		{"carry", "0: carry in2 in0 in1\nout 0: i0", [3][]uint64{{1, 2}, {10, 20, 30}, {1, 1, 0, 1, 0}}, [3][]uint64{{1, 10, 20, 2, 30}}, [3]int{}, true},
		{"a carry in its loop", "0: carry in2 in0 in1\nout 0: i0", [3][]uint64{{1}, nil, {1}}, [3][]uint64{{1}}, [3]int{}, false},
		{"loop", "0: loop in2 in0 in1\nout 0: i0\nout 1: i0.1", [3][]uint64{{1, 2}, {10, 20}, {1, 1, 0, 0}}, [3][]uint64{{1, 10}, {20, 2}}, [3]int{}, true},
		{"invariant", "0: invariant in2 in0\nout 0: i0", [3][]uint64{{1, 2}, nil, {1, 1, 0, 0}}, [3][]uint64{{1, 1, 1, 2}}, [3]int{}, true},
		{"an invariant stays", "0: invariant in2 in0\nout 0: i0", [3][]uint64{{1, 2, 3}, nil, {1, 1}}, [3][]uint64{{1, 1, 1}}, [3]int{1}, false},
		{"a held invariant", "const 1: 8\n0: invariant in2 held#1\nout 0: i0", [3][]uint64{nil, nil, {1, 1, 0, 1, 0}}, [3][]uint64{{8, 8, 8, 8, 8, 8}}, [3]int{}, false},
		{"an immediate carry", "const 1: 8\n0: carry in2 in0#1 in1\nout 0: i0", [3][]uint64{{1, 1}, {3}, {1, 0, 0}}, [3][]uint64{{8, 3, 8}}, [3]int{}, true},
		{"an instruction that reads itself goes on alone", "const 0: 1\n0: carry in2 in0 i1\n1: addi i0 held#0\nout 0: i0", [3][]uint64{{5}, nil, {1, 1, 1}}, [3][]uint64{{5, 6, 7, 8}}, [3]int{}, false},
		{"a reader that waits blocks the others", "0: addi in0 held\n1: addi i0 in1\nout 0: i0\nout 1: i1", [3][]uint64{{1, 2, 3, 4}}, [3][]uint64{{1}}, [3]int{1}, false},
	} {
		x := newTemporal(t, c.program)
		for i := range c.in {
			x.in[i] = c.in[i]
		}
		var last *TestbenchOut
		for range 300 {
			last = x.step()
		}
		if last.Progress {
			t.Errorf("%s: goes on for ever", c.name)
		}
		var left [3]int
		for i := range x.in {
			left[i] = len(x.in[i])
		}
		if d := cmp.Diff(c.out[:], x.out); d != "" || left != c.left || last.Idle != c.idle {
			t.Errorf("%s: left %v, want %v; idle %t, want %t; out (-want +got):\n%s%s", c.name, left, c.left, last.Idle, c.idle, d, strings.Join(x.b.Stuck(), "\n"))
		}
	}
}

// TestTemporalFeedback: a result that the instruction itself reads replaces the token that the execution takes.
func TestTemporalFeedback(t *testing.T) {
	x := newTemporal(t, "const 0: 1\n0: addi i0 held#0\nout 0: i0")
	p := x.unit()
	p.code[0].there[opA], p.words[0] = true, 41
	x.b.sim.fdirty.set(p.id)
	for range 8 {
		x.step()
	}
	if got := strings.Join(x.events, ", "); got != "3 out0=42, 6 out0=43" {
		t.Error(got)
	}
}

// TestTemporalRoundRobin: of instructions that are ready for ever each has its turn.
func TestTemporalRoundRobin(t *testing.T) {
	program := "const 0: 1\n"
	for n := range 3 {
		program += fmt.Sprintf("%d: addi held held#0\nout %d: i%d\n", 2*n+1, n, 2*n+1)
	}
	x := newTemporal(t, program)
	for range 40 {
		x.step()
	}
	if n := len(x.out[0]); n != len(x.out[1]) && n != len(x.out[1])+1 || len(x.out[2]) > n || len(x.out[2])+1 < n || n < 10 {
		t.Errorf("%d, %d and %d results", n, len(x.out[1]), len(x.out[2]))
	}
	if got := strings.Join(x.events[:4], ", "); got != "3 out0=1, 4 out1=1, 5 out2=1, 6 out0=1" {
		t.Error(got)
	}
}

// TestTemporalSource: sources that are not there have a code; the rest of the program runs.
func TestTemporalSource(t *testing.T) {
	for _, program := range []string{"0: addi in0 in3", "out 1: in7", "0: addi in0 in3\nout 0: in0"} {
		x := newTemporal(t, program)
		x.in[0] = []uint64{1, 2}
		for range 8 {
			if out := x.step(); out.Err != CodeTemporalSource || out.Comp != x.f.Comps[0] {
				t.Errorf("%q: code %d", program, out.Err)
			}
		}
		if len(x.in[0]) == 2 {
			t.Errorf("%q: nothing is taken", program)
		}
	}
	x := newTemporal(t, "0: addi in0 in1\nout 0: i7.1")
	if out := x.step(); out.Err != 0 {
		t.Errorf("code %d", out.Err)
	}
}

// TestTemporalRefuses lists settings that do not fit.
func TestTemporalRefuses(t *testing.T) {
	for name, edit := range map[string]func(s *config.Setting){
		"none":         func(s *config.Setting) { s.TPE = nil },
		"instructions": func(s *config.Setting) { s.TPE.Instructions = s.TPE.Instructions[1:] },
		"outputs":      func(s *config.Setting) { s.TPE.Outputs = nil },
		"constants":    func(s *config.Setting) { s.TPE.Constants = append(s.TPE.Constants, 1) },
		"opcode":       func(s *config.Setting) { s.TPE.Instructions[0].Opcode = 99 },
		"constant":     func(s *config.Setting) { s.TPE.Instructions[0].Constant = 2 },
	} {
		x := newTemporal(t, "0: addi in0 in1")
		edit(&x.img.Settings[0])
		if _, err := NewTestbench(x.f, x.img, TestbenchOptions{}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestTemporalStuck: what is reported of a program that can go no further.
func TestTemporalStuck(t *testing.T) {
	x := newTemporal(t, "0: addi in0 i1\n1: addi in1 in1\n2: carry in2 in0 i0\nout 0: i0\nout 1: i2")
	x.in[0] = []uint64{5, 6, 7}
	for range 20 {
		x.step()
	}
	got := strings.Join(x.b.Stuck(), "\n")
	for _, want := range []string{
		"temporal_pe 'p' waits for a token from nothing on 'y_in', while token 0x7 waits on 'x_in'",
		"temporal_pe 'p' is not empty: instruction 0, 'addi', waits for operand b from instruction 1, instruction 2, 'carry', waits for operand condition from input 2, input 0 has 0x6, which waits until its readers have taken the one before",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the report does not contain %q:\n%s", want, got)
		}
	}
}

// TestTemporalTrace: a PE that executes is active, though nothing moves at its ports.
func TestTemporalTrace(t *testing.T) {
	i32 := ir.Type(ir.I32)
	b := newFab(t)
	fb := fabrictest.New("p", 64)
	c := fb.TemporalPE("pe", "pe", []ir.Type{ir.Bits(32)}, []ir.Type{ir.Bits(32)}, 4, 1, fb.TemporalUnits(32)...)
	set, err := fabrictest.Assemble(c, "const 0: 2\n0: addi in0 held#0\n1: addi i0 held#0\n2: addi i1 held#0\nout 0: i2")
	if err != nil {
		t.Fatal(err)
	}
	b.f.Comps = append(b.f.Comps, c)
	b.im.Settings = append(b.im.Settings, config.Setting{TPE: set})
	b.link(b.arg("x", i32, 5), end{Comp: c})
	b.result("r", i32, out(c, 0))
	b.done(b.start())
	var fires []int64
	o := b.run(Options{Record: func(e trace.Event) {
		if e.Kind == trace.Fire && e.Comp == c {
			fires = append(fires, e.Cycle)
		}
	}})
	if o.Results[0].Bits != 11 || o.Cycles != 11 {
		t.Errorf("%+v", o)
	}
	if d := cmp.Diff([]int64{0, 3, 5, 7, 9, 10}, fires); d != "" {
		t.Error(d)
	}
}

// network is what a program computes, as a network of units of which every operand has a place of its own: what its
// outputs give does not depend on the order in which they work.
type temporalNetwork struct {
	c      *arch.Component
	set    *config.TPESetting
	place  map[[2]int][]uint64 // tokens, by operand, or {-1, output}
	state  []bool
	in     [][]uint64
	out    [][]uint64
	firing map[arch.StepKind]int
}

func (x *temporalNetwork) source(s int) (n, second int) {
	k := len(x.set.Instructions)
	switch {
	case s < k:
		return s, 0
	case s < 2*k:
		return s - k, 1
	}
	return k + s - 2*k, 0
}

// readers lists what reads a result.
func (x *temporalNetwork) readers(n, second int) (at [][2]int) {
	for i, in := range x.set.Instructions {
		for k, o := range in.Operands {
			if in.Valid && !o.Held {
				if m, s := x.source(o.Source); m == n && s == second {
					at = append(at, [2]int{i, k})
				}
			}
		}
	}
	for o, s := range x.set.Outputs {
		if s >= 0 {
			if m, sec := x.source(s); m == n && sec == second {
				at = append(at, [2]int{-1, o})
			}
		}
	}
	return at
}

// try fires an instruction or an input if it can.
func (x *temporalNetwork) try(n int) bool {
	taken := map[[2]int]bool{}
	var result [2][]uint64
	if k := len(x.set.Instructions); n >= k {
		if len(x.in[n-k]) == 0 {
			return false
		}
		result[0] = x.in[n-k][:1]
	} else {
		in := x.set.Instructions[n]
		if !in.Valid {
			return false
		}
		fu, kind := x.c.TPE.FUs[in.Opcode], x.c.TPE.Steps[in.Opcode].Kind
		constant := uint64(0)
		if len(x.set.Constants) > 0 {
			constant = x.set.Constants[in.Constant]
		}
		missing := false
		get := func(k int, take bool) uint64 {
			o := in.Operands[k]
			v := uint64(0)
			if !o.Held {
				p := x.place[[2]int{n, k}]
				if len(p) == 0 {
					missing = true
					return 0
				}
				v = p[0]
				taken[[2]int{n, k}] = take
			}
			if o.Immediate {
				v = constant
			}
			return v
		}
		width := func(r int) uint64 {
			if fu.Out[r].Type == ir.Type(ir.None) {
				return 0
			}
			return mask(fu.Out[r].Width)
		}
		give := func(r int, v uint64) { result[r] = []uint64{v & width(r)} }
		bit := func() bool { return get(arch.OperandCondition, true)&1 == 1 }
		state := x.state[n]
		switch kind {
		case arch.StepCompute:
			get(arch.OperandCondition, true)
			v := []uint64{get(arch.OperandA, true), get(arch.OperandB, true)}
			op := fu.Single().Op
			for i := range op.NumOperands() {
				v[i] = num.Truncate(v[i], op.Operand(i).Type, 64)
			}
			if op.Name == "arith.cmpi" {
				give(0, num.CompareInt(int64(in.Predicate), fu.In[0].Width)(v[0], v[1]))
				break
			}
			r, err := num.Eval(op, v[:op.NumOperands()], 64)
			if err != nil {
				panic(err)
			}
			give(0, r[0])
		case arch.StepJoin:
			bit()
			get(arch.OperandA, true)
			get(arch.OperandB, true)
			give(0, 0)
		case arch.StepSelect:
			c, a, b := bit(), get(arch.OperandA, true), get(arch.OperandB, true)
			if !c {
				a = b
			}
			give(0, a)
		case arch.StepMux:
			if c := bit(); !missing && c {
				give(0, get(arch.OperandB, true))
			} else if !missing {
				give(0, get(arch.OperandA, true))
			}
		case arch.StepBranch:
			if c := bit(); c {
				give(0, get(arch.OperandA, true))
			} else {
				give(1, get(arch.OperandA, true))
			}
		case arch.StepCarry:
			if !state {
				give(0, get(arch.OperandA, true))
				state = true
			} else if c := bit(); !missing && c {
				give(0, get(arch.OperandB, true))
			} else {
				state = false
			}
		case arch.StepLoop:
			c := bit()
			r, k := 0, arch.OperandA
			if state {
				k = arch.OperandB
			}
			if !c {
				r = 1
			}
			give(r, get(k, true))
			state = c
		case arch.StepInvariant:
			if !state {
				give(0, get(arch.OperandA, false))
				state = true
			} else if bit() {
				give(0, get(arch.OperandA, false))
			} else {
				get(arch.OperandA, true)
				state = false
			}
		}
		if missing {
			return false
		}
		if !x.free(n, result, taken) {
			return false
		}
		x.state[n] = state
		x.firing[kind]++
	}
	if !x.free(n, result, taken) {
		return false
	}
	for at, take := range taken {
		if take {
			x.place[at] = nil
		}
	}
	for r := range result {
		if result[r] == nil {
			continue
		}
		for _, at := range x.readers(n, r) {
			x.place[at] = result[r]
		}
	}
	if k := len(x.set.Instructions); n >= k {
		x.in[n-k] = x.in[n-k][1:]
	}
	return true
}

func (x *temporalNetwork) free(n int, result [2][]uint64, taken map[[2]int]bool) bool {
	if result[0] == nil && result[1] == nil {
		return true
	}
	for r := range result {
		for _, at := range x.readers(n, r) {
			if len(x.place[at]) > 0 && !taken[at] {
				return false
			}
		}
	}
	return true
}

// run works in any order until nothing can, or so many steps have been made; it reports whether it ended.
func (x *temporalNetwork) run(r *rand.Rand, steps int) bool {
	x.place, x.state, x.firing = map[[2]int][]uint64{}, make([]bool, len(x.set.Instructions)), map[arch.StepKind]int{}
	x.out = make([][]uint64, len(x.set.Outputs))
	for range steps {
		any := false
		for _, n := range r.Perm(len(x.set.Instructions) + len(x.in)) {
			any = x.try(n) || any
			for o := range x.out {
				at := [2]int{-1, o}
				for _, v := range x.place[at] {
					x.out[o] = append(x.out[o], v&mask(x.c.Out[o].Width))
					any = true
				}
				x.place[at] = nil
			}
		}
		if !any {
			return true
		}
	}
	return false
}

// temporalFabric is a fabric of one temporal PE of a random shape.
func temporalFabric(r *rand.Rand) *arch.Fabric {
	width := []int{1, 8, 32, 32, 33, 64}[r.IntN(6)]
	b := fabrictest.New("temporal", 64)
	ports := func(n int) (out []ir.Type) {
		for range n {
			w := width
			if r.IntN(3) == 0 {
				w = 1
			}
			out = append(out, ir.Bits(w))
		}
		out[r.IntN(n)] = ir.Bits(width)
		return out
	}
	units := b.TemporalUnits(width)
	if r.IntN(4) == 0 {
		r.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
		units = units[:1+r.IntN(6)]
	}
	c := b.TemporalPE("pe", "pe", ports(1+r.IntN(5)), ports(1+r.IntN(4)), 2<<r.IntN(4), []int{0, 1, 3, 4}[r.IntN(4)], units...)
	for i, p := range c.In {
		b.Connect(b.Input(fmt.Sprint("i", i), p.Type), fabrictest.In(c, i))
	}
	for o, p := range c.Out {
		b.Connect(fabrictest.Out(c, o), b.Output(fmt.Sprint("o", o), p.Type))
	}
	return b.F
}

// TestTemporalNetwork: random programs give at their outputs what a network of units gives, whatever stalls.
func TestTemporalNetwork(t *testing.T) {
	kinds := map[arch.StepKind]int{}
	ended := 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 31))
		f := temporalFabric(r)
		c := f.Comps[0]
		set := fabrictest.TemporalSetting(r, c)
		x := temporalOf(t, f, set)
		n := &temporalNetwork{c: c, set: set}
		for i := range x.in {
			for range r.IntN(30) {
				x.in[i] = append(x.in[i], randomBits(r, c.In[i].Width))
			}
			n.in = append(n.in, x.in[i])
		}
		if !n.run(r, 300) {
			continue // it goes on for ever
		}
		ended++
		for k, v := range n.firing {
			kinds[k] += v
		}
		idle := 0
		var last *TestbenchOut
		withheld := make([]bool, len(x.in))
		for idle < 60 {
			for i := range withheld {
				withheld[i] = r.IntN(3) == 0 && idle < 20
			}
			for o := range x.now.Ready {
				x.now.Ready[o] = r.IntN(3) > 0 || idle >= 20
			}
			if last = x.step(withheld...); last.Progress {
				idle = 0
			}
			idle++
		}
		if d := cmp.Diff(n.out, x.out); d != "" {
			t.Fatalf("seed %d: out (-network +PE):\n%s%s", seed, d, strings.Join(x.b.Stuck(), "\n"))
		}
		for i := range x.in {
			left := len(x.in[i])
			if x.unit().waiting[i] {
				left++
			}
			if left != len(n.in[i]) {
				t.Fatalf("seed %d: %d tokens are left at input %d, %d of the network's", seed, left, i, len(n.in[i]))
			}
		}
		holds := false
		for _, s := range n.state {
			holds = holds || s
		}
		holds = holds || slices.Contains(x.unit().waiting, true)
		for _, p := range n.place {
			holds = holds || len(p) > 0
		}
		if last.Idle == holds {
			t.Fatalf("seed %d: idle %t", seed, last.Idle)
		}
	}
	t.Logf("%d programs end; %v", ended, kinds)
	for k := arch.StepCompute; k <= arch.StepInvariant; k++ {
		if kinds[k] < 100 {
			t.Errorf("only %d executions of kind %d", kinds[k], k)
		}
	}
}

// TestTemporalWakes: the model is evaluated when something changes; that makes no difference to evaluating it always.
func TestTemporalWakes(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 32))
		f := temporalFabric(r)
		set := fabrictest.TemporalSetting(r, f.Comps[0])
		x, y := temporalOf(t, f, set), temporalOf(t, f, set)
		y.b.sim.EvaluateAll()
		for range 300 {
			for i := range x.in {
				if len(x.in[i]) == 0 && r.IntN(3) == 0 {
					v := randomBits(r, f.Inputs[i].Width)
					x.in[i], y.in[i] = append(x.in[i], v), append(y.in[i], v)
				}
			}
			for o := range x.now.Ready {
				x.now.Ready[o] = r.IntN(2) == 0
				y.now.Ready[o] = x.now.Ready[o]
			}
			if a, b := x.step(), y.step(); cmp.Diff(a.Out, b.Out) != "" || cmp.Diff(a.Ready, b.Ready) != "" || a.Idle != b.Idle || a.Progress != b.Progress {
				t.Fatalf("seed %d, cycle %d: %+v, evaluated always %+v", seed, x.cycle, a, b)
			}
		}
	}
}
