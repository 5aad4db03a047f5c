package prove_test

import (
	"fmt"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mapping"
	"loom/compiler/prove"
	"loom/internal/fabrictest"
	"loom/internal/maptest"
	"loom/sim/cycle"
	"loom/sim/vector"
)

// temporalProof is a kernel and a program of a temporal PE between the ports of the fabric: inputs x, k, a condition and the
// start token, outputs of results and the done token, and one that is not bound.
func temporalProof(t testing.TB, kernel, program string) *mapped {
	t.Helper()
	b := fabrictest.New("temporal", 32)
	word, bit := ir.Type(ir.Bits(32)), ir.Type(ir.Bits(1))
	c := b.TemporalPE("pe", "pe", []ir.Type{word, word, bit, bit}, []ir.Type{word, word, bit, word}, 8, 2, b.TemporalUnits(32)...)
	bind := &mapping.Binding{Kernel: "f", Start: 3, Done: 2}
	fn := maptest.Kernel(kernel)
	args := fn.Regions[0].Entry().Args
	for i, name := range []string{"x", "k", "c", "start"} {
		typ := []ir.Type{ir.I32, ir.I32, ir.I1, ir.None}[i]
		b.Connect(b.Input(name, typ), fabrictest.In(c, i))
		if i < len(args)-1 {
			bind.Args = append(bind.Args, mapping.ArgBinding{Name: name, Type: args[i].Type, Input: i, Mem: -1})
		}
	}
	ret := fn.Regions[0].Entry().Terminator()
	for o, name := range []string{"y", "z", "done", "idle"} {
		typ := []ir.Type{ir.I32, ir.I32, ir.None, ir.I32}[o]
		b.Connect(fabrictest.Out(c, o), b.Output(name, typ))
		if o < ret.NumOperands()-1 {
			bind.Results = append(bind.Results, mapping.ResultBinding{Name: name, Type: ret.Operand(o).Type, Output: o})
		}
	}
	set, err := fabrictest.Assemble(c, program)
	if err != nil {
		t.Fatal(err)
	}
	img := config.New(config.NewLayout(b.F))
	img.Settings[0].TPE = set
	if err := img.Check(); err != nil {
		t.Fatal(err)
	}
	return newMapped(t, fn, b.F, &mapper.Result{Image: img, Binding: bind})
}

// temporalLoop counts x down by k while it is greater, and returns what is left and a choice.
const temporalLoop = `handshake.func @f(%x: i32, %k: i32, %c: i1, %start: none) -> (i32, i32, none) {
  %v = dataflow.carry %go, %x, %less : i1, i32, i32 -> i32
  %w = dataflow.invariant %go, %k : i1, i32 -> i32
  %go = arith.cmpi ugt, %v, %w : i32
  %body, %exit = handshake.cond_br %go, %v : i32
  %t = join %body : i32
  %three = constant %t {value = 3 : i32} : i32
  %less = arith.subi %body, %three : i32
  %s = arith.select %c, %exit, %exit : i32
  return %exit, %s, %start : i32, i32, none
}`

const temporalLoopProgram = `
	const 0: 99
	const 1: 3
	0: carry i2 in0 i4
	1: invariant i2 in1
	2: cmpi:8 i0 i1
	3: cond_br i2 i0
	4: subi i3 i3#1
	6: select in2 i3.1 i3.1
	out 0: i3.1
	out 1: i6
	out 2: in3`

// temporalHead is a loop with a fused head, whose conditions come from outside.
const temporalHead = `handshake.func @f(%x: i32, %k: i32, %c: i1, %start: none) -> (i32, i16, none) attributes {loom.direct} {
  %h = dataflow.hold %start : none
  %five = constant %h {value = 5 : i32} : i32
  %v = dataflow.carry %c, %x, %more : i1, i32, i32 -> i32
  %body, %exit = handshake.cond_br %c, %v : i32
  %more = arith.addi %body, %five : i32
  %n = arith.trunci %k : i32 to i16
  return %exit, %n, %start : i32, i16, none
}`

const temporalHeadProgram = `
	const 0: 5
	7: loop in2 in0 i1
	1: addi held#0 i7
	2: trunci in1
	out 0: i7.1
	out 1: i2
	out 2: in3`

// temporalTokens joins and steers tokens.
const temporalTokens = `handshake.func @f(%x: i32, %k: i32, %c: i1, %start: none) -> (i32, i32, none) {
  %a, %b = handshake.cond_br %c, %start : none
  %j = join %b, %x : none, i32
  %m = handshake.mux %c [%j, %a] : i1, none
  return %k, %k, %m : i32, i32, none
}`

// TestTemporal proves programs of temporal PEs, and refuses those of other kernels.
func TestTemporal(t *testing.T) {
	tokensProgram := `
		0: cond_br_none in2 in3
		1: joinN
		2: mux_none in2 i1 i0
		out 0: in1
		out 1: in1
		out 2: i2`
	join2 := strings.Replace(tokensProgram, "1: joinN", "1: join2 i0.1 in0", 1)
	join3 := strings.Replace(tokensProgram, "1: joinN", "1: join3 in0 held i0.1", 1)
	change := func(program, old, new string) string {
		if !strings.Contains(program, old) {
			t.Fatalf("the program has no %q", old)
		}
		return strings.Replace(program, old, new, 1)
	}
	for _, c := range []struct{ name, kernel, program, want string }{
		{"a loop", temporalLoop, temporalLoopProgram, ""},
		{"a fused head", temporalHead, temporalHeadProgram, ""},
		{"a join of two", temporalTokens, join2, ""},
		{"a join of three with a held operand", temporalTokens, join3, ""},
		{"commuted", temporalHead, change(temporalHeadProgram, "held#0 i7", "i7 held#0"), ""},
		{"a second result that there is not", temporalHead, change(change(temporalHeadProgram, "7: loop", "7: carry"), "1: addi held#0 i7", "0: cond_br in2 i7\n1: addi i0 held#0"), "waits for tokens that never come"},
		{"another predicate", temporalLoop, change(temporalLoopProgram, "cmpi:8", "cmpi:9"), "result 0 of 'arith.cmpi' in instruction 2"},
		{"another constant", temporalLoop, change(temporalLoopProgram, "i3#1", "i3#0"), "the constant 0x63 at the pace of"},
		{"a held constant", temporalLoop, change(temporalLoopProgram, "i3#1", "held#1"), "2 readers"},
		{"a paced constant", temporalHead, change(temporalHeadProgram, "held#0", "i7#0"), "there it has 2"},
		{"the other side of a branch", temporalLoop, change(temporalLoopProgram, "4: subi i3 i3#1", "4: subi i3.1 i3#1"), ""},
		{"another unit", temporalLoop, change(temporalLoopProgram, "4: subi", "4: addi"), "arith.subi"},
		{"operands the other way round", temporalLoop, change(temporalLoopProgram, "i0 i1", "i1 i0"), "operand"},
		{"an output of another source", temporalLoop, change(temporalLoopProgram, "out 0: i3.1", "out 0: i0"), ""},
		{"one instruction too many", temporalLoop, temporalLoopProgram + "\n7: addi in0 in1", ""},
		{"an output that the host does not take", temporalLoop, temporalLoopProgram + "\nout 3: i6", "tokens get stuck at boundary output 'idle'"},
		{"an output of nothing", temporalLoop, temporalLoopProgram + "\nout 3: i7", "output 3 of temporal PE 'pe' takes the result 0 of instruction 7, which gives no token"},
		{"an output of a second result that there is not", temporalLoop, temporalLoopProgram + "\nout 3: i0.1", "takes the result 1 of instruction 0, which gives no token"},
		{"an operand of nothing", temporalLoop, change(temporalLoopProgram, "i3.1 i3.1", "i3.1 i5"), "waits for tokens that never come: nothing gives the result 0 of instruction 5"},
		{"an instruction that never stops", temporalLoop, temporalLoopProgram + "\n7: addi held held#1", "are held, so that it never stops"},
		{"a result that nothing reads", temporalLoop, temporalLoopProgram + "\n7: trunci i6", ""},
		{"a start token that is dropped", temporalLoop, change(temporalLoopProgram, "out 2: in3", "out 2: in2"), ""},
		{"a select for a mux", temporalLoop, change(temporalLoopProgram, "6: select", "6: mux"), "handshake.mux"},
		{"an immediate that is narrower", temporalHead, change(temporalHeadProgram, "2: trunci in1", "2: addi in1 held"), ""},
	} {
		m := temporalProof(t, c.kernel, c.program)
		_, err := m.prove()
		same := c.name == "a loop" || c.name == "a fused head" || strings.HasPrefix(c.name, "a join") || c.name == "commuted"
		switch {
		case same && err != nil:
			t.Errorf("%s: %v", c.name, text(err))
		case !same && err == nil:
			t.Errorf("%s: proven", c.name)
		case !same && !strings.Contains(text(err), c.want):
			t.Errorf("%s: %v, want %q", c.name, text(err), c.want)
		}
	}
}

// TestTemporalRuns: the programs that are proven compute what their kernels say.
func TestTemporalRuns(t *testing.T) {
	for _, c := range []struct {
		kernel, program string
		x, k, c         uint64
		want            [2]uint64
	}{
		{temporalLoop, temporalLoopProgram, 20, 6, 1, [2]uint64{5, 5}},
		{temporalLoop, temporalLoopProgram, 4, 6, 0, [2]uint64{4, 4}},
		{temporalHead, temporalHeadProgram, 9, 0x12345, 0, [2]uint64{9, 0x2345}},
	} {
		m := temporalProof(t, c.kernel, c.program)
		in := &vector.Inputs{}
		for i, v := range []uint64{c.x, c.k, c.c} {
			in.Args = append(in.Args, vector.Arg{Name: m.res.Binding.Args[i].Name, Type: m.res.Binding.Args[i].Type, Scalar: v})
		}
		s, err := cycle.New(m.f, m.res.Image, m.res.Binding, in, cycle.Options{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := s.Run()
		if err != nil || out.Status != vector.Done || out.Results[0].Bits != c.want[0] || out.Results[1].Bits != c.want[1] {
			t.Errorf("%d, %d: %v %+v, want %v", c.x, c.k, err, out, c.want)
		}
	}
}

// freeTemporal states why a bit of a proven program may be either.
func (m *mapped) freeTemporal(c *arch.Component, set *config.TPESetting, field config.Field, at int) string {
	var n, k int
	if got, _ := fmt.Sscanf(field.Name, "constant[%d]", &k); got == 1 {
		for _, in := range set.Instructions {
			for _, o := range in.Operands {
				if o.Immediate && in.Constant == k {
					return ""
				}
			}
		}
		return "a constant that no operand has"
	}
	if got, _ := fmt.Sscanf(field.Name, "instruction[%d].", &n); got == 1 {
		in := set.Instructions[n]
		if !in.Valid {
			return ""
		}
		fu := c.TPE.FUs[in.Opcode]
		tokens := fu.Out[0].Type == ir.Type(ir.None)
		if tokens && strings.HasSuffix(field.Name, ".immediate") {
			return "whose data an operand of tokens does not have"
		}
		if strings.HasSuffix(field.Name, ".opcode") {
			other := c.TPE.FUs[in.Opcode^1<<at]
			if tokens && other.Single() != nil && other.Single().Op.Name == fu.Single().Op.Name {
				return "a unit that does the same with tokens and their data"
			}
		}
	}
	return ""
}

// TestEveryBitOfPrograms flips every bit of images of temporal PEs, one at a time. Each must be reported, but those that
// make no difference.
func TestEveryBitOfPrograms(t *testing.T) {
	for _, c := range []struct{ name, kernel, program string }{
		{"loop", temporalLoop, temporalLoopProgram},
		{"head", temporalHead, temporalHeadProgram},
		{"tokens", temporalTokens, "0: cond_br_none in2 in3\n1: join3 i0.1 held in0\n2: mux_none in2 i1 i0\nout 0: in1\nout 1: in1\nout 2: i2"},
	} {
		m := temporalProof(t, c.kernel, c.program)
		p, err := prove.New(m.fn, m.res.Image.Layout, m.runtime)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Image(m.words); err != nil {
			t.Fatal(text(err))
		}
		reported, proven := 0, map[string]int{}
		sl := &m.res.Image.Layout.Slices[0]
		for bit := range sl.Bits {
			bad := append([]uint32(nil), m.words...)
			bad[bit/32] ^= 1 << (bit % 32)
			if _, err := p.Image(bad); err != nil {
				reported++
				continue
			}
			var field config.Field
			for _, fd := range sl.Fields {
				if bit >= fd.Bit && bit < fd.Bit+fd.Width {
					field = fd
				}
			}
			why := m.freeTemporal(sl.Comp, m.res.Image.Settings[0].TPE, field, bit-field.Bit)
			if why == "" {
				t.Errorf("%s: flipping bit %d of %s is proven to be the same", c.name, bit-field.Bit, field.Name)
			}
			proven[why]++
		}
		t.Logf("%s: %d flips are reported, proven: %v", c.name, reported, proven)
	}
}
