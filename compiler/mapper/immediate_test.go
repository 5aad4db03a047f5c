package mapper_test

import (
	"slices"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mapper/check"
	"loom/compiler/mapper/tech"
	"loom/compiler/mapping"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/internal/fabtest"
	"loom/internal/testkit"
)

// with gives all PEs of a fabric immediates at some operands, nil none at all.
func with(f *arch.Fabric, operands []int) *arch.Fabric {
	for _, c := range f.Comps {
		if c.PE != nil {
			c.PE.Immediates = operands
		}
	}
	return f
}

// constants counts the constants of a mapping that have units of their own, and the operands
// that are immediates: with the tokens of the constant's control, and held.
func constants(m *mapping.Mapping) (own, paced, held int) {
	for _, g := range m.Groups {
		if m.Ops[g.Ops[0]].Name == opname.HandshakeConstant {
			own++
		}
		for _, in := range g.Inputs {
			switch {
			case in.Immediate == nil:
			case in.Immediate.Held:
				held++
			default:
				paced++
			}
		}
	}
	return own, paced, held
}

// TestImmediates maps kernels with and without immediates: with them constants take no PE, and a
// run takes no more cycles.
func TestImmediates(t *testing.T) {
	for _, c := range []struct {
		kernel       string
		paced, saved int // at least
	}{{"dot", 5, 5}, {"vecadd", 3, 3}, {"scan", 4, 3}, {"crc", 8, 7}} {
		f, plain := testkit.Fabric(t, "mesh8x8"), with(testkit.Fabric(t, "mesh8x8"), nil)
		fn := kernel(t, c.kernel, "pipelined", f)
		res, err := mapper.Map(fn, f, mapper.Options{Effort: quick})
		if err != nil {
			t.Fatal(err)
		}
		base, err := mapper.Map(fn, plain, mapper.Options{Effort: quick})
		if err != nil {
			t.Fatal(err)
		}
		own, paced, held := constants(res.Mapping)
		used, before := res.Mapping.Utilization.PEs.Used, base.Mapping.Utilization.PEs.Used
		t.Logf("%s: %d constants have PEs, %d operands are immediates; %d PEs, %d without", c.kernel, own, paced, used, before)
		if own > 0 || paced < c.paced || held > 0 || before-used < c.saved {
			t.Errorf("%s: %d constants have PEs, %d operands are paced and %d held; %d PEs, %d without immediates", c.kernel, own, paced, held, used, before)
		}
		got, was := simulate(t, fn, f, res, 24), simulate(t, fn, plain, base, 24)
		if got.Cycles > was.Cycles+was.Cycles/10 {
			t.Errorf("%s: %d cycles, %d without immediates", c.kernel, got.Cycles, was.Cycles)
		}
	}
}

// typed gives a graph its type, by which runs find arguments and results.
func typed(fn *ir.Operation) *ir.Operation {
	body := fn.Regions[0].Entry()
	var in, out []ir.Type
	for _, a := range body.Args {
		in = append(in, a.Type)
	}
	for _, v := range body.Terminator().Operands() {
		out = append(out, v.Type)
	}
	fn.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(in, out)})
	return fn
}

// held is y[i] = x[i]*k + 5 where that is below 10, else 7, for i < n, with what does not change
// held for the run: constants and the control of the accesses. The comparison has its constant
// on the left.
func held() *ir.Operation {
	mt := ir.MemRef([]int64{ir.Dynamic}, ir.I32)
	d := fabtest.NewDFG("held", mt, mt, ir.I32, ir.Index)
	hold := d.Val(opname.DataflowHold, ir.None, d.Arg(-1))
	zero, one := d.Const(hold, 0, ir.Index), d.Const(hold, 1, ir.Index)
	s := d.Op(opname.DataflowStream, []ir.Type{ir.Index, ir.I1}, zero, one, d.Arg(3))
	s.SetAttr("step_op", ir.StrAttr("+="))
	s.SetAttr("cont_cond", ir.StrAttr("<"))
	g := d.Op(opname.DataflowGate, []ir.Type{ir.Index, ir.I1}, s.Result(0), s.Result(1))
	k := d.Val(opname.DataflowInvariant, ir.I32, g.Result(1), d.Arg(2))
	ld := d.Op(opname.HandshakeLoad, []ir.Type{ir.I32, ir.Index}, g.Result(0), nil, hold)
	y := d.Val(opname.ArithAddI, ir.I32, d.Const(hold, 5, ir.I32), d.Val(opname.ArithMulI, ir.I32, ld.Result(0), k))
	below := d.Op(opname.ArithCmpI, []ir.Type{ir.I1}, d.Const(hold, 10, ir.I32), y)
	below.SetAttr("predicate", ir.IntAttr(4, ir.I64)) // sgt
	z := d.Val(opname.ArithSelect, ir.I32, below.Result(0), y, d.Const(hold, 7, ir.I32))
	st := d.Op(opname.HandshakeStore, []ir.Type{ir.I32, ir.Index}, g.Result(0), z, hold)
	m0 := d.Op(opname.HandshakeExtmemory, []ir.Type{ir.I32, ir.None}, d.Arg(0), ld.Result(1))
	m1 := d.Op(opname.HandshakeExtmemory, []ir.Type{ir.None}, d.Arg(1), st.Result(0), st.Result(1))
	for i, m := range []*ir.Operation{m0, m1} {
		m.SetAttr("ldCount", ir.IntAttr(int64(1-i), ir.I32))
		m.SetAttr("stCount", ir.IntAttr(int64(i), ir.I32))
	}
	ld.SetOperand(1, m0.Result(0))
	// The run ends with the last store: its token goes round once per iteration. The first one
	// is the bound, of which only the token is wanted.
	begun := d.Val(opname.HandshakeJoin, ir.None, d.Arg(3))
	c := d.Val(opname.DataflowCarry, ir.None, s.Result(1), begun, m1.Result(0))
	br := d.Op(opname.HandshakeCondBr, []ir.Type{ir.None, ir.None}, s.Result(1), c)
	return typed(d.Return(br.Result(1)))
}

// TestHeld maps a graph with held constants and controls and runs it: none of them has a PE, and
// the constant on the left of the comparison is taken on the right. Carry and branch of the token
// that ends the run are a loop head.
func TestHeld(t *testing.T) {
	f := testkit.Fabric(t, "mesh6x6")
	fn := held()
	res, err := mapper.Map(fn, f, mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(diag.Render(diag.FromError(err), nil))
	}
	if own, paced, held := constants(res.Mapping); own != 0 || paced != 0 || held != 7 {
		t.Errorf("%d constants in PEs, %d operands paced, %d held", own, paced, held)
	}
	if n := res.Mapping.Utilization.PEs.Used; n != 8 {
		t.Errorf("%d PEs", n)
	}
	simulate(t, fn, f, res, 9)
}

// TestImmediatesApart maps a graph whose constants must partly keep PEs, since the PEs with
// immediates are too few for what reads them.
func TestImmediatesApart(t *testing.T) {
	d := fabtest.NewDFG("apart", ir.I32)
	x := d.Arg(0)
	for k := range 6 {
		x = d.Val(opname.ArithAddI, ir.I32, x, d.Const(d.Arg(-1), int64(k+1), ir.I32))
	}
	fn := typed(d.Return(x, d.Arg(-1)))
	f := testkit.Fabric(t, "mesh12x12")
	with := map[*arch.PESpec]bool{}
	for _, c := range f.Comps {
		if c.PE == nil {
			continue
		}
		if c.PE.Immediates != nil && len(with) == 0 && strings.Contains(c.Def, "alu") {
			with[c.PE] = true
		}
		if !with[c.PE] {
			c.PE.Immediates = nil
		}
	}
	n := 0
	for _, c := range f.Comps {
		if with[c.PE] {
			if n++; n > 4 {
				s := *c.PE
				s.Immediates = nil
				c.PE, c.Def = &s, c.Def+"_plain"
			}
		}
	}
	res, err := mapper.Map(fn, f, mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(err)
	}
	if own, paced, _ := constants(res.Mapping); own != 2 || paced != 4 {
		t.Errorf("%d constants in PEs, %d immediates, with four PEs that have some", own, paced)
	}
	simulate(t, fn, f, res, 1)
}

// TestHeldRefused lists graphs and fabrics that cannot hold what is held.
func TestHeldRefused(t *testing.T) {
	graph := func(make func(d *fabtest.DFG, hold *ir.Value) *ir.Value) *ir.Operation {
		d := fabtest.NewDFG("refused", ir.I32)
		hold := d.Val(opname.DataflowHold, ir.None, d.Arg(-1))
		return d.Return(make(d, hold), d.Arg(-1))
	}
	sum := func(d *fabtest.DFG, hold *ir.Value) *ir.Value {
		return d.Val(opname.ArithAddI, ir.I32, d.Arg(0), d.Const(hold, 3, ir.I32))
	}
	simplified := graph(sum)
	simplified.SetAttr(dataflow.SimplifiedAttr, &ir.UnitAttr{})
	const off = "error: graph 'refused' was simplified and holds values for which fabric 'mesh4x4' has no immediates: compile the kernel with --simplify off"
	for _, c := range []struct {
		name     string
		fn       *ir.Operation
		operands []int
		want     string
	}{
		{"simplified, no immediates", simplified, nil, off},
		{"simplified, immediates of another operand", simplified, []int{2}, off},
		{"nothing but constants", graph(func(d *fabtest.DFG, hold *ir.Value) *ir.Value {
			return d.Val(opname.ArithAddI, ir.I32, d.Const(hold, 3, ir.I32), d.Const(hold, 4, ir.I32))
		}), []int{1}, "refused.mlir:5:3: error: every operand of 'arith.addi' is held for the run: it would never stop"},
		{"an argument", graph(func(d *fabtest.DFG, hold *ir.Value) *ir.Value {
			return d.Val(opname.ArithAddI, ir.I32, d.Arg(0), d.Val(opname.DataflowHold, ir.I32, d.Arg(0)))
		}), []int{1}, "refused.mlir:3:3: error: 'dataflow.hold' of what is not the start token has no hardware"},
		{"a result", graph(func(d *fabtest.DFG, hold *ir.Value) *ir.Value { return hold }), []int{1}, "operand #0 of 'handshake.return' is held for the run"},
		{"no immediates", graph(sum), nil, "no PE of fabric 'mesh4x4' that executes 'arith.addi' has an immediate for its operand #1, which is the same for the whole run"},
		{"no words", graph(sum), []int{}, "has an immediate for its operand #1, which is the same for the whole run"},
		{"a token and no immediates", graph(func(d *fabtest.DFG, hold *ir.Value) *ir.Value {
			return d.Op(opname.HandshakeCondBr, []ir.Type{ir.None, ir.None}, d.Op(opname.ArithTruncI, []ir.Type{ir.I1}, d.Arg(0)).Result(0), hold).Result(0)
		}), nil, "no PE of fabric 'mesh4x4' that executes 'handshake.cond_br' can hold its operand #1"},
	} {
		_, err := mapper.Map(c.fn, with(testkit.Fabric(t, "mesh4x4"), c.operands), mapper.Options{Effort: quick})
		if err == nil {
			t.Errorf("%s: mapped", c.name)
			continue
		}
		text := diag.Render(diag.FromError(err), nil)
		if !strings.Contains(text, c.want) {
			t.Errorf("%s: the message lacks %q:\n%s", c.name, c.want, text)
		}
		if c.fn != simplified && strings.Contains(text, "--simplify") {
			t.Errorf("%s: the graph was not simplified:\n%s", c.name, text)
		}
	}
	// What is missing otherwise is no matter of simplification.
	d := fabtest.NewDFG("refused", ir.I64)
	wide := d.Return(d.Val(opname.ArithAddI, ir.I64, d.Arg(0), d.Arg(0)), d.Arg(-1))
	wide.SetAttr(dataflow.SimplifiedAttr, &ir.UnitAttr{})
	_, err := mapper.Map(wide, with(testkit.Fabric(t, "mesh4x4"), nil), mapper.Options{Effort: quick})
	if err == nil || strings.Contains(err.Error(), "--simplify") {
		t.Errorf("words that are too wide: %v", err)
	}
}

// TestWrongImmediates plants faults in the image: the checker, which decodes it, must see every
// one.
func TestWrongImmediates(t *testing.T) {
	for _, fn := range []*ir.Operation{held(), kernel(t, "scan", "serial", testkit.Fabric(t, "mesh6x6"))} {
		f := testkit.Fabric(t, "mesh6x6")
		res, err := mapper.Map(fn, f, mapper.Options{Effort: quick})
		if err != nil {
			t.Fatal(err)
		}
		faults := 0
		for _, g := range res.Mapping.Groups {
			c := f.Comps[slices.IndexFunc(f.Comps, func(c *arch.Component) bool { return c.Name == g.Comp })]
			for _, in := range g.Inputs {
				sel := &res.Image.Settings[c.ID].PE.In[in.Unit]
				free := slices.IndexFunc(c.In, func(p arch.Port) bool {
					return !slices.ContainsFunc(res.Image.Settings[c.ID].PE.In, func(s config.Selector) bool { return !s.Disconnect && c.In[s.Sel].Name == p.Name })
				})
				edits := map[string]func(){
					"immediate": func() { sel.Immediate = !sel.Immediate },
					"held":      func() { sel.Disconnect = !sel.Disconnect },
				}
				if in.Immediate != nil {
					edits["value"] = func() { sel.Value ^= 1 }
					if c.PE.Immediate(in.Unit) > 20 {
						edits["high bit"] = func() { sel.Value ^= 1 << 20 }
					}
					if !in.Immediate.Held && free >= 0 {
						edits["port"] = func() { sel.Sel = free }
					}
				}
				for name, edit := range edits {
					was := *sel
					edit()
					if err := check.Image(fn, f, res.Image, res.Binding); err == nil {
						t.Errorf("%s: the checker does not see that %s of input %d at '%s' (%s) is wrong", fn.SymName(), name, in.Unit, g.Comp, g.Unit)
					}
					*sel = was
					faults++
				}
				if m := in.Immediate; m != nil {
					for k, edit := range []func(){func() { m.Value ^= 1 }, func() { m.Held = !m.Held }, func() { m.Constant++ }} {
						was := *m
						edit()
						if err := check.Mapping(fn, f, res.Mapping); err == nil {
							t.Errorf("%s: the checker takes a wrong immediate (edit %d) of input %d at '%s'", fn.SymName(), k, in.Unit, g.Comp)
						}
						*m = was
						faults++
					}
				}
			}
		}
		if err := check.Image(fn, f, res.Image, res.Binding); err != nil {
			t.Error(err)
		}
		if faults < 60 {
			t.Errorf("%d faults", faults)
		}
	}
}

// TestSwappedPredicate compares every comparison with that of exchanged operands.
func TestSwappedPredicate(t *testing.T) {
	values := []uint64{0, 1, 5, 0x7f, 0x80, 0xff}
	for p := range int64(10) {
		f, g := num.CompareInt(p, 8), num.CompareInt(tech.SwappedPredicate(p), 8)
		for _, a := range values {
			for _, b := range values {
				if f(a, b) != g(b, a) {
					t.Errorf("predicate %d of %d and %d", p, a, b)
				}
			}
		}
	}
}
