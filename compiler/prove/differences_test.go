package prove_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/host"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/compiler/mapping"
	"loom/compiler/opname"
	"loom/compiler/prove"
	"loom/internal/fabtest"
	"loom/internal/maptest"
	"loom/internal/testkit"
)

// swapSel exchanges what two operands of the unit of operation i read.
func swapSel(m *mapped, i, a, b int) {
	_, pe := peOf(m.res.Mapping, m.res.Image, i)
	pe.In[a], pe.In[b] = pe.In[b], pe.In[a]
}

// find is the number of the nth operation of that name.
func find(m *mapped, name string, nth int) int {
	for i, op := range m.fn.Regions[0].Entry().Ops {
		if op.Name == name {
			if nth == 0 {
				return i
			}
			nth--
		}
	}
	panic("no " + name)
}

// field is the configuration of the unit of operation i.
func field(m *mapped, i int) *uint64 {
	_, pe := peOf(m.res.Mapping, m.res.Image, i)
	return &pe.Fields[0]
}

// constant is the word of some constant: an immediate, or of a unit.
func constant(m *mapped) *uint64 {
	for _, c := range m.f.Comps {
		s := m.res.Image.Settings[c.ID].PE
		if s == nil || !s.Enable {
			continue
		}
		for k := range s.In {
			if s.In[k].Immediate {
				return &s.In[k].Value
			}
		}
		if c.PE.FUs[s.Opcode].Ops[0].Op.Name == opname.HandshakeConstant {
			return &s.Fields[0]
		}
	}
	panic("no constant")
}

// TestDifferences makes changes of image and runtime description that are consistent in
// themselves; want is what the report says, "" for a change that keeps the meaning.
func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(m *mapped)
		runtime [2]string
		want    string
	}{
		{"nothing", func(*mapped) {}, [2]string{}, ""},
		{"operands of an addition exchanged", func(m *mapped) { swapSel(m, find(m, opname.ArithAddI, 0), 0, 1) }, [2]string{}, ""},
		{"operands of a comparison exchanged", func(m *mapped) { swapSel(m, find(m, opname.ArithCmpI, 0), 0, 1) }, [2]string{}, "operand 0 of 'arith.cmpi'"},
		{"initial and next value exchanged", func(m *mapped) { swapSel(m, find(m, opname.DataflowCarry, 0), 1, 2) }, [2]string{}, "the configured fabric is not"},
		{"another predicate", func(m *mapped) { *field(m, find(m, opname.ArithCmpI, 0)) ^= 1 }, [2]string{}, "'arith.cmpi'"},
		{"another constant", func(m *mapped) { *constant(m) ^= 1 }, [2]string{}, "is the constant"},
		{"a loop that goes on as long as not equal", func(m *mapped) { *field(m, find(m, opname.DataflowStream, 0)) = 1 << 4 }, [2]string{}, "cont_cond=!="},
		{"no condition at all", func(m *mapped) { *field(m, find(m, opname.DataflowStream, 0)) = 0 }, [2]string{}, "cont_cond="},
		{"a unit that is off", func(m *mapped) {
			_, pe := peOf(m.res.Mapping, m.res.Image, find(m, opname.DataflowGate, 0))
			pe.Enable = false
		}, [2]string{}, "the PE is not in use"},
		{"a unit too many", func(m *mapped) {
			for _, c := range m.f.Comps {
				if s := m.res.Image.Settings[c.ID].PE; s != nil && !s.Enable {
					s.Enable = true
					for k := range s.Out {
						s.Out[k] = config.Selector{Discard: true}
					}
					return
				}
			}
		}, [2]string{}, "waits for tokens that never come"},
		{"arrays exchanged", func(*mapped) {}, [2]string{`"name": "a",`, `"name": "b",`}, "does not have"},
		{"another result", func(*mapped) {}, [2]string{`"port": "`, `"port": "x`}, "at boundary input"},
		{"another fabric", func(*mapped) {}, [2]string{`"layout_hash": "`, `"layout_hash": "0`}, "is for layout"},
		{"no JSON", func(*mapped) {}, [2]string{"{", "["}, "cannot be read"},
		{"a wider index", func(*mapped) {}, [2]string{`"index_width": 32`, `"index_width": 64`}, "is for layout"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := mapKernel(t, "dot", "pipelined", "mesh6x6")
			switch {
			case strings.Contains(c.want, "cmpi"):
				m = mapKernel(t, "gcd", "pipelined", "mesh4x4")
			case strings.Contains(c.name, "addition"): // of no accumulator
				m = mapKernel(t, "vecadd", "pipelined", "mesh6x6")
			}
			c.change(m)
			m = newMapped(t, m.fn, m.f, m.res)
			if c.runtime[0] != "" {
				text := strings.Replace(string(m.runtime), c.runtime[0], c.runtime[1], 1)
				if text == string(m.runtime) {
					t.Fatal("nothing was changed")
				}
				m.runtime = []byte(text)
			}
			_, err := m.prove()
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(text(err), c.want)) {
				t.Errorf("%v, want %q", text(err), c.want)
			}
		})
	}
}

// text is an error with notes and help.
func text(err error) string {
	if err == nil {
		return "no difference"
	}
	s := err.Error()
	for _, d := range diag.FromError(err).All {
		for _, n := range d.Notes {
			s += "\n" + n.Message
		}
		s += "\n" + d.Help
	}
	return s
}

// TestReport compares the report of a difference with the one kept: the operation's position
// and source line, the reason, the place in the fabric, and what to do.
func TestReport(t *testing.T) {
	// Not a mapping of the mapper, whose choices would change the report.
	minus := strings.Replace(plain, "addi", "subi", 1)
	_, err := edited(t, minus, minus, smallFabric(1), func(m *mapping.Mapping, img *config.Image) {
		_, pe := peOf(m, img, 0)
		pe.In[0], pe.In[1] = pe.In[1], pe.In[0]
	}).prove()
	if err == nil {
		t.Fatal("exchanged operands are proven")
	}
	have := text(err)
	const file = "testdata/exchanged.txt"
	if os.Getenv("LOOM_UPDATE") != "" {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(have+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if have+"\n" != string(want) {
		t.Errorf("the report is now\n%s\nnot\n%s", have, want)
	}
}

// TestBodies proves units with several operations: a multiply-add that the mapper finds.
func TestBodies(t *testing.T) {
	f := fabtest.Mesh(fabtest.Options{Rows: 3, Cols: 3, Ins: 4, Outs: 2, Extra: []*arch.FunctionUnit{fabtest.MulAdd(64)}})
	d := fabtest.NewDFG("muladd", ir.I32, ir.I32, ir.I32)
	p := d.Val(opname.ArithMulI, ir.I32, d.Arg(0), d.Arg(1))
	fn := d.Return(d.Val(opname.ArithAddI, ir.I32, d.Arg(2), p), d.Arg(-1))
	res, err := mapper.Map(fn, f, mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Mapping.Groups) != 1 {
		t.Errorf("%d units, the fabric has one for both operations", len(res.Mapping.Groups))
	}
	if p, err := newMapped(t, fn, f, res).prove(); err != nil || p.Operations != 2 || p.Values != 6 {
		t.Errorf("%v, %v", p, err)
	}
}

// accumulator is a unit with a cycle: while d is true it adds x to what it carries, and gives
// the sum when d is false. d is read by two operations of the body.
func accumulator() *arch.FunctionUnit {
	fu := &arch.FunctionUnit{Name: "accumulate", Latency: -1, Interval: -1}
	var a []*ir.Value
	for i, t := range []ir.Type{ir.I1, ir.I32, ir.I32} {
		a = append(a, &ir.Value{Type: t, Index: i})
		w, _ := ir.BitWidth(t, 64)
		fu.In = append(fu.In, arch.FUPort{Name: fmt.Sprintf("a%d", i), Type: t, Width: w})
	}
	carry := ir.NewOp(opname.DataflowCarry, fu.Pos, []*ir.Value{a[0], a[1], a[1]}, []ir.Type{ir.I32})
	br := ir.NewOp(opname.HandshakeCondBr, fu.Pos, []*ir.Value{a[0], carry.Result(0)}, []ir.Type{ir.I32, ir.I32})
	add := ir.NewOp(opname.ArithAddI, fu.Pos, []*ir.Value{br.Result(0), a[2]}, []ir.Type{ir.I32})
	carry.SetOperand(2, add.Result(0))
	arg := func(k int) arch.ValueRef { return arch.ValueRef{Arg: k, Op: -1} }
	fu.Ops = []*arch.FUOp{
		{Op: carry, Operands: []arch.ValueRef{arg(0), arg(1), {Op: 2}}, Field: -1},
		{Op: br, Operands: []arch.ValueRef{arg(0), {Op: 0}}, Field: -1},
		{Op: add, Operands: []arch.ValueRef{{Op: 1}, arg(2)}, Field: -1},
	}
	fu.Out = []arch.FUPort{{Name: "y", Type: ir.I32, Width: 32}}
	fu.Yield = []arch.ValueRef{{Op: 1, Result: 1}}
	return fu
}

// TestCyclicBody expands a body with a cycle, and an argument that two of its operations read.
func TestCyclicBody(t *testing.T) {
	fn := maptest.Kernel(`handshake.func @sum(%d: i1, %a: i32, %x: i32, %start: none) -> (i32, none) {
  %v = dataflow.carry %d, %a, %next : i1, i32, i32 -> i32
  %body, %out = cond_br %d, %v : i32
  %next = arith.addi %x, %body : i32
  return %out, %start : i32, none
}`)
	f := maptest.Fabric("fused", 1, 4, 2)
	var pe, sw *arch.Component
	for _, c := range f.Comps {
		switch c.Kind {
		case arch.SpatialPE:
			pe = c
		case arch.SpatialSwitch:
			sw = c
		}
	}
	pe.PE.FUs = append(pe.PE.FUs, accumulator())
	l := config.NewLayout(f)
	run := func(inputs [3]int) error {
		img := config.New(l)
		s := img.Settings[pe.ID].PE
		s.Enable, s.Opcode, s.Fields = true, len(pe.PE.FUs)-1, nil
		for k, in := range inputs {
			s.In[k] = config.Selector{Sel: k}
			img.Settings[sw.ID].Switch.Route[pe.In[k].Chan.Src.Comp.In[0].Chan.Src.Port] = f.Inputs[in].Chan.Dst.Port
		}
		s.Out[0] = config.Selector{}
		img.Settings[sw.ID].Switch.Route[f.Outputs[0].Chan.Src.Port] = pe.Out[0].Chan.Dst.Port
		img.Settings[sw.ID].Switch.Route[f.Outputs[1].Chan.Src.Port] = f.Inputs[3].Chan.Dst.Port
		b := &mapping.Binding{Kernel: "sum", Start: 3, Done: 1, Results: []mapping.ResultBinding{{Name: "out0", Type: ir.I32, Output: 0}}}
		for i, v := range fn.Regions[0].Entry().Args[:3] {
			b.Args = append(b.Args, mapping.ArgBinding{Name: v.Name, Type: v.Type, Input: i, Mem: -1})
		}
		runtime, err := host.Runtime(b, l, f)
		if err != nil {
			t.Fatal(err)
		}
		_, err = prove.Image(fn, l, img.Encode(), runtime)
		return err
	}
	if err := run([3]int{0, 1, 2}); err != nil {
		t.Error(text(err))
	}
	if err := run([3]int{0, 2, 1}); err == nil || !strings.Contains(text(err), "argument 'a'") {
		t.Errorf("the initial value and the elements exchanged: %v", text(err))
	}
}

// TestRandom proves random graphs on random meshes, and shows that other graphs of the same
// boundary are not proven.
func TestRandom(t *testing.T) {
	n, proven := 40, 0
	if os.Getenv("LOOM_SOAK") != "" {
		n = 600
	}
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 3))
		f := fabtest.Mesh(fabtest.Options{Rows: 3 + r.IntN(4), Cols: 3 + r.IntN(4), Tracks: 1 + r.IntN(3), Memories: r.IntN(4),
			Ins: 4 + r.IntN(3), Outs: 3 + r.IntN(3), Bypass: r.IntN(2) == 0, Extra: []*arch.FunctionUnit{fabtest.MulAdd(64)}})
		fn := fabtest.Random(4+r.IntN(30), seed)
		res, err := mapper.Map(fn, f, mapper.Options{Seed: seed, Effort: quick})
		if err != nil {
			continue
		}
		proven++
		m := newMapped(t, fn, f, res)
		if _, err := m.prove(); err != nil {
			t.Errorf("seed %d: %v", seed, text(err))
		}
		// One operation of the graph computes something else.
		other := fn.Clone(map[*ir.Value]*ir.Value{})
		ops := other.Regions[0].Entry().Ops
		for k := range ops {
			if op := ops[(k+int(seed))%len(ops)]; op.Name == opname.ArithAddI || op.Name == opname.ArithXOrI {
				op.Name = opname.ArithSubI
				if _, err := as(m, other).prove(); err == nil {
					t.Errorf("seed %d: a sum is proven to be a difference", seed)
				}
				break
			}
		}
	}
	t.Logf("%d of %d random graphs fit", proven, n)
	if proven < n/3 {
		t.Errorf("only %d of %d random graphs fit", proven, n)
	}
}

// FuzzImage gives random words to the proof: never a panic, and only what TestEveryBit lists
// is proven, all of which decodes.
func FuzzImage(f *testing.F) {
	m := mapKernel(f, "gcd", "pipelined", "mesh4x4")
	a := arrays(f)
	var provers []*prove.Prover
	for _, x := range []*mapped{m, a} {
		p, err := prove.New(x.fn, x.res.Image.Layout, x.runtime)
		if err != nil {
			f.Fatal(err)
		}
		provers = append(provers, p)
	}
	f.Add([]byte{0, 0, 0, 1, 0, 2, 255, 255, 7})
	f.Add([]byte{1, 9, 0, 1, 40, 2, 17, 3, 7, 80, 1, 200})
	// Every three bytes change a byte of the image; the first byte chooses the kernel.
	f.Fuzz(func(t *testing.T, edits []byte) {
		if len(edits) == 0 {
			return
		}
		x := []*mapped{m, a}[edits[0]%2]
		words := append([]uint32(nil), x.words...)
		for i := 1; i+2 < len(edits); i += 3 {
			at := (int(edits[i])<<8 | int(edits[i+1])) % (4 * len(words))
			words[at/4] ^= uint32(edits[i+2]) << (at % 4 * 8)
		}
		_, _ = provers[edits[0]%2].Image(words)
	})
}

// FuzzRuntime gives damaged runtime descriptions to the proof.
func FuzzRuntime(f *testing.F) {
	m := arrays(f)
	f.Add(m.runtime)
	f.Add([]byte(`{"kernel": "arrays", "fabric": "round"}`))
	f.Fuzz(func(_ *testing.T, runtime []byte) {
		_, _ = prove.Image(m.fn, m.res.Image.Layout, m.words, runtime)
	})
}

// TestRandomImages proves random damage of an image never panics, with many edits at once.
func TestRandomImages(t *testing.T) {
	m := arrays(t)
	p, err := prove.New(m.fn, m.res.Image.Layout, m.runtime)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 300 {
		words := append([]uint32(nil), m.words...)
		for range 1 + n {
			words[r.IntN(len(words))] ^= 1 << r.IntN(32)
		}
		if _, err := p.Image(words); err == nil && n > 100 {
			t.Errorf("an image with %d flipped bits is proven", n+1)
		}
	}
}

// BenchmarkProve proves the largest kernel that the largest shipped fabric takes; it must
// stay below a second, as every build does it.
func BenchmarkProve(b *testing.B) {
	f := testkit.Fabric(b, "mesh12x12")
	low, err := lower.Lower(testkit.Kernel(b, "matvec"), lower.Options{IndexWidth: f.IndexWidth, MaxJoinFanin: &f.MaxJoinFanin, StreamOps: f.StreamOps, MemoryOrder: "serial"})
	if err != nil {
		b.Fatal(err)
	}
	res, err := mapper.Map(low.Func, f, mapper.Options{Effort: quick, Jobs: 2})
	if err != nil {
		b.Fatal(err)
	}
	m := newMapped(b, low.Func, f, res)
	for b.Loop() {
		if _, err := m.prove(); err != nil {
			b.Fatal(err)
		}
	}
}
