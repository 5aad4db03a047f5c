package normalise

import (
	"math"
	"math/big"
	"strings"

	"loom/compiler/dialect/arith"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/internal/intmath"
)

// rewrite builds the parts of an operation's result from those of its operands; ok is
// false for an operation that is not known.
func (s *splitter) rewrite(b *builder, o *ir.Operation) (out []*ir.Value, ok bool) {
	switch o.Name {
	case opname.LLVMMlirConstant, opname.LLVMMlirZero, opname.LLVMMlirUndef, opname.LLVMMlirPoison:
		return s.constant(b, o)
	case opname.LLVMLoad:
		return s.load(b, o), true
	case opname.LLVMStore:
		s.store(b, o)
		return nil, true
	case opname.LLVMInsertValue, opname.LLVMExtractValue:
		return s.field(o)
	case opname.LLVMExtractElement:
		return s.extractElement(b, o), true
	case opname.LLVMInsertElement:
		return s.insertElement(b, o), true
	case opname.LLVMShuffleVector:
		return s.shuffle(b, o), true
	case opname.LLVMBitcast:
		return s.gather(b, s.of(o.Operand(0)), s.layoutOf(o.Operand(0).Type), s.layoutOf(o.Result(0).Type)), true
	case opname.LLVMSelect:
		return s.selects(b, o), true
	}
	if op, found := strings.CutPrefix(o.Name, "llvm.intr.vector.reduce."); found {
		return s.reduce(b, o, op)
	}
	if op, found := strings.CutSuffix(o.Name, ".with.overflow"); found {
		return s.overflow(b, o, strings.TrimPrefix(op, "llvm.intr."))
	}
	if wide := s.wideType(o); wide {
		return s.wide(b, o)
	}
	return s.lanewise(b, o)
}

// layoutOf are the parts of a type with their offsets; one for a scalar.
func (s *splitter) layoutOf(t ir.Type) []part {
	if p := s.partsOf(t); p != nil {
		return p
	}
	return []part{{t, width(t), 0}}
}

// width is the number of bits of a scalar.
func width(t ir.Type) int {
	l, err := llvm.Parse(t)
	if err != nil {
		return 64
	}
	return max(l.Width, 1)
}

// lanewise applies an operation to vectors element by element; a scalar operand is used
// for every element.
func (s *splitter) lanewise(b *builder, o *ir.Operation) ([]*ir.Value, bool) {
	if len(o.Regions) > 0 || o.NumResults() != 1 || o.Name == opname.LLVMCall {
		return nil, false
	}
	n := 0
	for _, v := range append(append([]*ir.Value(nil), o.Operands()...), o.Result(0)) {
		if !s.isSplit(v) {
			continue
		}
		t := llvm.MustParse(v.Type)
		if t.Kind != llvm.Vector || hasParts(t.Elem) || n != 0 && int(t.Len) != n {
			return nil, false
		}
		n = int(t.Len)
	}
	if !s.isSplit(o.Result(0)) || !elementwise(o.Name) {
		return nil, false
	}
	results := s.partsOf(o.Result(0).Type)
	out := make([]*ir.Value, n)
	for i := range out {
		operands := make([]*ir.Value, o.NumOperands())
		for k, v := range o.Operands() {
			operands[k] = v
			if s.isSplit(v) {
				operands[k] = s.of(v)[i]
			}
		}
		lane := b.make(o.Name, operands, results[i].t)
		lane.Attrs = append(ir.NamedAttrs(nil), o.Attrs...)
		out[i] = b.insert(lane).Result(0)
	}
	return out, true
}

// elementwise reports whether an operation on vectors computes each element from the
// same elements of its operands.
func elementwise(name string) bool {
	if strings.HasPrefix(name, "math.") || strings.HasPrefix(name, "arith.") {
		return true
	}
	op, ok := strings.CutPrefix(name, "llvm.")
	if !ok {
		return false
	}
	if intr, ok := strings.CutPrefix(op, "intr."); ok {
		return !strings.HasPrefix(intr, "vector.") && !strings.HasPrefix(intr, "masked.") &&
			!strings.HasPrefix(intr, "experimental.") && !strings.HasPrefix(intr, "vp.") && !strings.HasPrefix(intr, "matrix.")
	}
	switch op {
	case "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "and", "or", "xor", "shl", "lshr", "ashr",
		"fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "icmp", "fcmp", "getelementptr",
		"zext", "sext", "trunc", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp", "inttoptr", "ptrtoint":
		return true
	}
	return false
}

// constant makes the parts of a constant.
func (s *splitter) constant(b *builder, o *ir.Operation) ([]*ir.Value, bool) {
	ps := s.partsOf(o.Result(0).Type)
	out := make([]*ir.Value, len(ps))
	if o.Name == opname.LLVMMlirUndef || o.Name == opname.LLVMMlirPoison {
		for i, p := range ps {
			out[i] = s.undef(b, p.t)
		}
		return out, true
	}
	var values []ir.Attr
	if o.Name == opname.LLVMMlirConstant {
		values = s.scalars(o.Attr("value"), o.Result(0).Type)
		if values == nil && len(ps) > 0 {
			return nil, false
		}
	}
	for i, p := range ps {
		var a ir.Attr
		if values != nil {
			if i >= len(values) {
				return nil, false
			}
			a = values[i]
		}
		switch a := a.(type) {
		case nil:
			out[i] = b.zero(p.t)
		case *ir.IntegerAttr:
			out[i] = b.constant(p.t, a.Value)
		case *ir.FloatAttr:
			c := b.make(opname.LLVMMlirConstant, nil, p.t)
			c.SetAttr("value", &ir.FloatAttr{Value: a.Value, Type: p.t, Text: a.Text})
			out[i] = b.insert(c).Result(0)
		default:
			return nil, false
		}
	}
	return out, true
}

// zero adds the zero of any scalar type.
func (b *builder) zero(t ir.Type) *ir.Value {
	if t == ir.Type(ptrType) {
		return b.insert(b.make(opname.LLVMMlirZero, nil, t)).Result(0)
	}
	if ir.IsFloat(t) {
		return b.float(t, 0)
	}
	return b.constant(t, 0)
}

// scalars lists the scalars of a constant, nil for an unknown attribute.
func (s *splitter) scalars(a ir.Attr, t ir.Type) []ir.Attr {
	switch a := a.(type) {
	case *ir.DenseElementsAttr:
		if !a.Splat {
			return a.Values
		}
		out := make([]ir.Attr, len(s.partsOf(t)))
		for i := range out {
			out[i] = a.Values[0]
		}
		return out
	case *ir.ArrayAttr:
		var out []ir.Attr
		for _, e := range a.Elems {
			switch e := e.(type) {
			case *ir.IntegerAttr, *ir.FloatAttr:
				out = append(out, e)
			default:
				inner := s.scalars(e, t)
				if inner == nil {
					return nil
				}
				out = append(out, inner...)
			}
		}
		return out
	case *ir.StringAttr:
		var out []ir.Attr
		for i := range len(a.Value) {
			out = append(out, &ir.IntegerAttr{Value: int64(int8(a.Value[i])), Type: ir.Int(8)})
		}
		return out
	case *ir.OpaqueAttr: // an integer of more than 64 bits
		digits, _, _ := strings.Cut(a.Text, " ")
		n, ok := new(big.Int).SetString(digits, 0)
		if !ok {
			return nil
		}
		var out []ir.Attr
		for _, p := range s.partsOf(t) {
			// Rsh and And see negative numbers in two's complement.
			low := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64>>(64-p.bits)))
			n = new(big.Int).Rsh(n, uint(p.bits))
			shift := 64 - p.bits
			out = append(out, &ir.IntegerAttr{Value: int64(low.Uint64()<<shift) >> shift, Type: p.t})
		}
		return out
	}
	return nil
}

// load loads every part from its offset.
func (s *splitter) load(b *builder, o *ir.Operation) []*ir.Value {
	ps := s.partsOf(o.Result(0).Type)
	align, _ := o.IntAttr("alignment")
	if !onBytes(ps) {
		// Elements of odd widths share bytes: they are cut out of an integer.
		whole := packed(ps)
		var ints []*ir.Value
		for _, p := range whole {
			ints = append(ints, b.load(p.t, b.offset(o.Operand(0), p.at/8), max(intmath.GCD(align, p.at/8), 1)))
		}
		return s.gather(b, ints, whole, ps)
	}
	out := make([]*ir.Value, len(ps))
	for i, p := range ps {
		out[i] = b.load(p.t, b.offset(o.Operand(0), p.at/8), max(intmath.GCD(align, p.at/8), 1))
	}
	return out
}

func (s *splitter) store(b *builder, o *ir.Operation) {
	vs, ps := s.of(o.Operand(0)), s.partsOf(o.Operand(0).Type)
	align, _ := o.IntAttr("alignment")
	if !onBytes(ps) {
		whole := packed(ps)
		vs, ps = s.gather(b, vs, ps, whole), whole
	}
	for i, p := range ps {
		b.store(vs[i], b.offset(o.Operand(1), p.at/8), max(intmath.GCD(align, p.at/8), 1))
	}
}

// onBytes reports whether every part can be loaded on its own.
func onBytes(ps []part) bool {
	for _, p := range ps {
		if p.at%8 != 0 || p.bits%8 != 0 && len(ps) > 1 {
			return false
		}
	}
	return true
}

// packed are integers that cover the bytes of parts.
func packed(ps []part) []part {
	end := int64(0)
	for _, p := range ps {
		end = max(end, p.at+int64(p.bits))
	}
	var out []part
	for at := int64(0); at < end; {
		n := int64(64)
		for n > 8 && at+n > end {
			n /= 2
		}
		out = append(out, part{ir.Int(int(n)), int(n), at})
		at += n
	}
	return out
}

// field handles insertvalue and extractvalue.
func (s *splitter) field(o *ir.Operation) ([]*ir.Value, bool) {
	pos, _ := o.Attr("position").(*ir.DenseArrayAttr)
	t, err := llvm.Parse(o.Operand(0).Type)
	if pos == nil || err != nil {
		return nil, false
	}
	from := 0
	for _, i := range pos.Values {
		switch {
		case t.Kind == llvm.StructType && int(i) < len(t.Fields):
			for _, f := range t.Fields[:i] {
				from += len(flatten(nil, f, 0))
			}
			t = t.Fields[i]
		case t.Kind == llvm.Array && i < t.Len:
			from += int(i) * len(flatten(nil, t.Elem, 0))
			t = t.Elem
		default:
			return nil, false
		}
	}
	whole := s.of(o.Operand(0))
	n := len(flatten(nil, t, 0))
	if from+n > len(whole) {
		return nil, false
	}
	if o.Name == opname.LLVMExtractValue {
		return whole[from : from+n], true
	}
	out := append([]*ir.Value(nil), whole...)
	copy(out[from:from+n], s.of(o.Operand(1)))
	return out, true
}

// perElement is how many parts an element of a vector has.
func (s *splitter) perElement(v *ir.Value) int {
	return len(s.partsOf(v.Type)) / max(int(llvm.MustParse(v.Type).Len), 1)
}

func (s *splitter) extractElement(b *builder, o *ir.Operation) []*ir.Value {
	v, k := s.of(o.Operand(0)), s.perElement(o.Operand(0))
	if i, ok := constValue(o.Operand(1)); ok {
		if i < 0 || int(i)*k+k > len(v) {
			i = 0 // poison
		}
		return v[int(i)*k : int(i)*k+k]
	}
	out := append([]*ir.Value(nil), v[:k]...)
	for i := 1; i*k < len(v); i++ {
		here := b.icmp(arith.Eq, o.Operand(1), b.constant(o.Operand(1).Type, int64(i)))
		for j := range out {
			out[j] = b.selectOf(here, v[i*k+j], out[j])
		}
	}
	return out
}

func (s *splitter) insertElement(b *builder, o *ir.Operation) []*ir.Value {
	out, k := append([]*ir.Value(nil), s.of(o.Operand(0))...), s.perElement(o.Operand(0))
	elem := s.of(o.Operand(1))
	if i, ok := constValue(o.Operand(2)); ok {
		if i >= 0 && int(i)*k+k <= len(out) {
			copy(out[int(i)*k:], elem)
		}
		return out
	}
	for i := 0; i*k < len(out); i++ {
		here := b.icmp(arith.Eq, o.Operand(2), b.constant(o.Operand(2).Type, int64(i)))
		for j := range elem {
			out[i*k+j] = b.selectOf(here, elem[j], out[i*k+j])
		}
	}
	return out
}

func (s *splitter) shuffle(b *builder, o *ir.Operation) []*ir.Value {
	k := s.perElement(o.Operand(0))
	from := append(append([]*ir.Value(nil), s.of(o.Operand(0))...), s.of(o.Operand(1))...)
	ps := s.partsOf(o.Result(0).Type)
	var out []*ir.Value
	for _, i := range segments(o, "mask") {
		for j := range k {
			if i < 0 || int(i)*k+j >= len(from) {
				out = append(out, s.undef(b, ps[len(out)].t))
				continue
			}
			out = append(out, from[int(i)*k+j])
		}
	}
	return out
}

// selects handles a select between values with parts, by one condition or one for
// each element.
func (s *splitter) selects(b *builder, o *ir.Operation) []*ir.Value {
	x, y := s.of(o.Operand(1)), s.of(o.Operand(2))
	conds := s.of(o.Operand(0))
	out := make([]*ir.Value, len(x))
	for i := range out {
		c := conds[0]
		if s.isSplit(o.Operand(0)) {
			c = conds[i*len(conds)/len(x)]
		}
		out[i] = b.selectOf(c, x[i], y[i])
	}
	return out
}

// reductions are the operations that combine the elements of a vector.
var reductions = map[string]string{
	"add": opname.LLVMAdd, "mul": opname.LLVMMul, "and": opname.LLVMAnd, "or": opname.LLVMOr, "xor": opname.LLVMXor,
	"smax": opname.LLVMIntrSmax, "smin": opname.LLVMIntrSmin, "umax": opname.LLVMIntrUmax, "umin": opname.LLVMIntrUmin,
	"fadd": opname.LLVMFAdd, "fmul": opname.LLVMFMul, "fmax": opname.LLVMIntrMaxnum, "fmin": opname.LLVMIntrMinnum,
	"fmaximum": opname.LLVMIntrMaximum, "fminimum": opname.LLVMIntrMinimum,
}

// reduce combines the elements of a vector, in order, which is right for any reduction.
func (s *splitter) reduce(b *builder, o *ir.Operation, op string) ([]*ir.Value, bool) {
	name, ok := reductions[op]
	if !ok {
		return nil, false
	}
	list := s.of(o.Operand(o.NumOperands() - 1))
	var sum *ir.Value
	if o.NumOperands() == 2 {
		sum = o.Operand(0) // fadd and fmul have a start
	}
	for _, v := range list {
		switch {
		case sum == nil:
			sum = v
		case name == opname.LLVMAdd || name == opname.LLVMMul:
			sum = b.flagged(name, v.Type, sum, v)
		default:
			sum = b.op(name, v.Type, sum, v)
		}
	}
	return []*ir.Value{sum}, true
}
