package normalise

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// The macros of <ctype.h> read tables that the C library hands out for the locale of
// the running program. Here they are those of the C locale, as constants.

// ctypeTables make the values for the characters -128 to 255.
var ctypeTables = map[string]func(c int) int64{
	"__ctype_b_loc":       classBits,
	"__ctype_tolower_loc": func(c int) int64 { return mapped(c, 'A', 32) },
	"__ctype_toupper_loc": func(c int) int64 { return mapped(c, 'a', -32) },
}

// mapped moves the 26 letters from a first one by a distance.
func mapped(c, from, by int) int64 {
	if c >= from && c < from+26 {
		return int64(c + by)
	}
	return int64(c)
}

// classBits are the bits of the classes that a character belongs to.
func classBits(c int) int64 {
	between := func(lo, hi int) bool { return lo <= c && c <= hi }
	upper, lower, digit := between('A', 'Z'), between('a', 'z'), between('0', '9')
	bits := int64(0)
	for _, class := range []struct {
		in  bool
		bit int64
	}{
		{upper, 0x100}, {lower, 0x200}, {upper || lower, 0x400}, {digit, 0x800},
		{digit || between('A', 'F') || between('a', 'f'), 0x1000}, {c == ' ' || between('\t', '\r'), 0x2000},
		{between(32, 126), 0x4000}, {between(33, 126), 0x8000}, {c == ' ' || c == '\t', 1},
		{between(0, 31) || c == 127, 2}, {between(33, 126) && !upper && !lower && !digit, 4}, {upper || lower || digit, 8},
	} {
		if class.in {
			bits |= class.bit
		}
	}
	return bits
}

// characterTables makes the pointers that are loaded from what the C library returns
// those of tables of the module.
func (m *module) characterTables(f *ir.Operation) {
	f.Walk(func(o *ir.Operation) bool {
		of := ctypeTables[callee(o)]
		if of == nil || o.NumResults() != 1 || o.NumOperands() != 0 || m.byName[callee(o)] != nil {
			return true
		}
		elem := ir.Int(32)
		if callee(o) == "__ctype_b_loc" {
			elem = ir.Int(16)
		}
		name := "loom" + callee(o)
		m.table(name, elem, of)
		for _, u := range append([]ir.Use(nil), o.Result(0).Uses()...) {
			if u.Op.Name != opname.LLVMLoad {
				continue
			}
			b := instead(u.Op)
			address := b.make(opname.LLVMMlirAddressOf, nil, ptrType)
			address.SetAttr("global_name", &ir.SymbolRefAttr{Root: name})
			v := b.element(b.insert(address).Result(0), b.constant(ir.Int(64), 128), elem)
			u.Op.Result(0).ReplaceAllUsesWith(v)
			u.Op.Erase()
		}
		if !o.Result(0).HasUses() {
			o.Erase()
		}
		return true
	})
}

// table adds a constant of 384 elements to the module.
func (m *module) table(name string, elem ir.Type, of func(c int) int64) {
	if m.global(name) != nil {
		return
	}
	values := make([]ir.Attr, 384)
	for i := range values {
		v := of(i - 128)
		if elem == ir.Type(ir.Int(16)) {
			v = int64(int16(v))
		}
		values[i] = &ir.IntegerAttr{Value: v, Type: elem}
	}
	text := "!llvm.array<384 x " + elem.String() + ">"
	g := ir.NewOp(opname.LLVMMlirGlobal, m.op.Pos, nil, nil)
	g.AddRegion()
	g.SetAttr("sym_name", &ir.StringAttr{Value: name})
	g.SetAttr("global_type", &ir.TypeAttr{Type: ir.Opaque(text)})
	g.SetAttr("linkage", &ir.OpaqueAttr{Text: "#llvm.linkage<internal>"})
	g.SetAttr("addr_space", &ir.IntegerAttr{Value: 0, Type: ir.Int(32)})
	g.SetAttr("alignment", &ir.IntegerAttr{Value: 8, Type: ir.Int(64)})
	g.SetAttr("constant", &ir.UnitAttr{})
	g.SetAttr("value", &ir.DenseElementsAttr{Values: values, Type: ir.Shaped("tensor", []int64{384}, elem)})
	m.op.Regions[0].Blocks[0].Append(g)
}
