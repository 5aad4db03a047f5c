package prove_test

import (
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mapping"
	"loom/internal/maptest"
)

// smallFabric is a fabric of one switch whose PEs have immediates.
func smallFabric(pes int) *arch.Fabric {
	f := maptest.Fabric("imm", pes, 3, 3)
	for _, c := range f.Comps {
		if c.PE != nil {
			c.PE.Immediates = []int{0, 1, 2}
		}
	}
	return f
}

// edited is the mapping of a kernel whose image is then changed, as the mapping of another
// kernel with the same boundary.
func edited(t testing.TB, before, after string, f *arch.Fabric, edit func(m *mapping.Mapping, img *config.Image)) *mapped {
	t.Helper()
	fn := maptest.Kernel(before)
	mp := maptest.Map(fn, f)
	img, err := mp.Image(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := mp.Bind(fn, f)
	if err != nil {
		t.Fatal(err)
	}
	edit(mp, img)
	if err := img.Check(); err != nil {
		t.Fatal(err)
	}
	return newMapped(t, maptest.Kernel(after), f, &mapper.Result{Mapping: mp, Image: img, Binding: b})
}

// peOf is the setting of the PE of operation i.
func peOf(m *mapping.Mapping, img *config.Image, i int) (*arch.Component, *config.PESetting) {
	for _, c := range img.Layout.Fabric.Comps {
		if c.Name == m.Ops[i].Comp {
			return c, img.Settings[c.ID].PE
		}
	}
	panic("no PE")
}

const plain = `handshake.func @f(%x: i32, %k: i32, %start: none) -> (i32, none) {
  %y = arith.addi %x, %k : i32
  return %y, %start : i32, none
}`

// paced is the kernel plain on hardware in which the data of k is the constant 7, and the
// tokens of k remain.
func paced(t testing.TB, constant bool) *mapped {
	after := plain
	if constant {
		after = `handshake.func @f(%x: i32, %k: i32, %start: none) -> (i32, none) {
  %t = join %k : i32
  %c = constant %t {value = 7 : i32} : i32
  %y = arith.addi %x, %c : i32
  return %y, %start : i32, none
}`
	}
	return edited(t, plain, after, smallFabric(1), func(m *mapping.Mapping, img *config.Image) {
		_, pe := peOf(m, img, 0)
		pe.In[1].Immediate, pe.In[1].Value = true, 7
	})
}

// held is the kernel plain on hardware in which k is the constant 7, always there, and the
// tokens of k are dropped.
func held(t testing.TB, constant bool) *mapped {
	after := plain
	if constant {
		after = `handshake.func @f(%x: i32, %k: i32, %start: none) -> (i32, none) attributes {loom.direct} {
  %h = dataflow.hold %start : none
  %c = constant %h {value = 7 : i32} : i32
  %y = arith.addi %x, %c : i32
  return %y, %start : i32, none
}`
	}
	return edited(t, plain, after, smallFabric(1), func(m *mapping.Mapping, img *config.Image) { hold(m, img, 1, 7) })
}

// hold makes an operand of the only unit a constant that is always there, and drops what fed it.
func hold(m *mapping.Mapping, img *config.Image, k int, v uint64) {
	c, pe := peOf(m, img, 0)
	fifo := c.In[pe.In[k].Sel].Chan.Src.Comp
	sw, out := fifo.In[0].Chan.Src.Comp, fifo.In[0].Chan.Src.Port
	s := img.Settings[sw.ID].Switch
	s.Discard[s.Route[out]] = true
	s.Route[out] = -1
	pe.In[k] = config.Selector{Disconnect: true, Immediate: true, Value: v}
}

// byteOf is paced for bytes, on hardware whose immediate is the word v.
func byteOf(t testing.TB, v uint64) *mapped {
	bytes := func(text string) string { return strings.ReplaceAll(text, "i32", "i8") }
	return edited(t, bytes(plain), bytes(`handshake.func @f(%x: i32, %k: i32, %start: none) -> (i32, none) {
  %t = join %k : i32
  %c = constant %t {value = 7 : i32} : i32
  %y = arith.addi %x, %c : i32
  return %y, %start : i32, none
}`), smallFabric(1), func(m *mapping.Mapping, img *config.Image) {
		_, pe := peOf(m, img, 0)
		pe.In[1].Immediate, pe.In[1].Value = true, v
	})
}

// TestImmediates proves operands whose data is configuration, and refuses them for kernels
// that do not have that constant there, or have it at another pace.
func TestImmediates(t *testing.T) {
	for _, c := range []struct {
		name string
		m    *mapped
		want string
	}{
		{"paced", paced(t, true), ""},
		{"held", held(t, true), ""},
		{"paced for none", paced(t, false), "operand 1 of 'arith.addi' (%y) is argument 'k'"},
		{"held for none", held(t, false), "argument 'k' has 1 reader"},
		{"held for paced", as(held(t, true), paced(t, true).fn), "argument 'k' has 1 reader"},
		{"paced for held", as(paced(t, true), held(t, true).fn), "argument 'k' has 0 readers"},
		{"another word", word(t, paced(t, true), 6), "is the constant 0x7 at the pace of argument 'k'"},
		{"a byte", byteOf(t, 7), ""},
		// Extensions that are wires take zeros above a constant.
		{"bits above a byte", byteOf(t, 0x107), "is the constant 0x7 at the pace of argument 'k'"},
		{"all held", allHeld(t), "so that it never stops"},
	} {
		_, err := c.m.prove()
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// as is the mapping with another kernel.
func as(m *mapped, fn *ir.Operation) *mapped {
	c := *m
	c.fn = fn
	return &c
}

// word is the mapping with another immediate at operand 1 of its only unit.
func word(t testing.TB, m *mapped, v uint64) *mapped {
	_, pe := peOf(m.res.Mapping, m.res.Image, 0)
	pe.In[1].Value = v
	return newMapped(t, m.fn, m.f, m.res)
}

// allHeld is held with the other operand held, too.
func allHeld(t testing.TB) *mapped {
	m := held(t, true)
	hold(m.res.Mapping, m.res.Image, 0, 0)
	return newMapped(t, m.fn, m.f, m.res)
}

// TestNarrow refuses a path that takes bits from a value.
func TestNarrow(t *testing.T) {
	for _, narrow := range []func(f *arch.Fabric){
		func(f *arch.Fabric) { f.Inputs[0].Chan.Width = 31 },
		func(f *arch.Fabric) { f.Outputs[0].Width = 31 },
		func(f *arch.Fabric) { f.Comps[0].Out[0].Width, f.Comps[0].Out[0].Chan.Width = 31, 31 },
	} {
		m := edited(t, plain, plain, smallFabric(1), func(*mapping.Mapping, *config.Image) {})
		if _, err := m.prove(); err != nil {
			t.Fatal(err)
		}
		narrow(m.f)
		if _, err := m.prove(); err == nil || !strings.Contains(text(err), "31 of its 32 bits arrive there") {
			t.Error(text(err))
		}
	}
}
