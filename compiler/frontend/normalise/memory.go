package normalise

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/internal/intmath"
)

// memory replaces copies and fills of memory by loads and stores: a few where little is
// moved, loops where it is more.
type memory struct {
	*module
	kernel *function
	debug  *llvm.Debug
	notes  *diag.List
	roots  map[*ir.Value]*pattern
}

func itoa(n int) string { return strconv.Itoa(n) }

// memoryCalls are library functions that copy or fill, with the intrinsic's name.
var memoryCalls = map[string]string{
	"memcpy": "memcpy", "memmove": "memmove", "memset": "memset", "bcopy": "bcopy", "bzero": "bzero",
	"__memcpy_chk": "memcpy", "__memmove_chk": "memmove", "__memset_chk": "memset", "mempcpy": "mempcpy",
}

// memoryOp is what a copy or fill does, "" for any other operation, and its operands.
func memoryOp(o *ir.Operation) (what string, to, from, n *ir.Value) {
	what, intrinsic := strings.CutPrefix(o.Name, "llvm.intr.")
	if intrinsic {
		what = strings.TrimSuffix(what, ".inline")
		if what != "memcpy" && what != "memmove" && what != "memset" {
			return "", nil, nil, nil
		}
	} else {
		what = memoryCalls[callee(o)]
	}
	switch {
	case what == "":
	case what == "bzero" && o.NumOperands() == 2:
		return what, o.Operand(0), nil, o.Operand(1)
	case what == "bcopy" && o.NumOperands() == 3:
		return "memmove", o.Operand(1), o.Operand(0), o.Operand(2)
	case what != "bzero" && o.NumOperands() >= 3:
		return what, o.Operand(0), o.Operand(1), o.Operand(2)
	}
	return "", nil, nil, nil
}

// expandMemory replaces all copies and fills in the kernel.
func (m *module) expandMemory(kernel *function, debug *llvm.Debug, notes *diag.List) {
	var ops []*ir.Operation
	kernel.op.Walk(func(o *ir.Operation) bool {
		if what, _, _, _ := memoryOp(o); what != "" {
			ops = append(ops, o)
		}
		return true
	})
	if len(ops) == 0 {
		return
	}
	mem := &memory{m, kernel, debug, notes, map[*ir.Value]*pattern{}}
	for _, o := range ops {
		mem.expand(o)
	}
}

func (m *memory) expand(o *ir.Operation) {
	what, to, from, n := memoryOp(o)
	if o.NumResults() == 1 {
		r := to
		if what == "mempcpy" {
			r = instead(o).element(to, n, ir.Int(8))
		}
		o.Result(0).ReplaceAllUsesWith(r)
	}
	dst := m.pattern(to)
	var src *pattern
	if what == "memcpy" || what == "memmove" || what == "mempcpy" {
		src = m.pattern(from)
	}
	length, constant := constValue(n)
	factor := divisor(n, 0)
	if constant {
		factor = length
	}
	if dst == nil {
		dst = src
	}
	if dst == nil {
		dst = numbers(m.guess(o, factor))
	}
	if src == nil {
		src = dst
	}
	e := &expansion{m: m, o: o, what: what, to: to, from: from, src: src, dst: dst}
	if constant {
		e.constant(length)
	} else {
		e.variable(n, factor)
	}
	o.Erase()
}

// guess is the size of the elements where nothing shows it: the largest that the
// number of bytes and the alignment allow.
func (m *memory) guess(o *ir.Operation, factor int64) int64 {
	size := int64(1)
	for size < 4 && factor%(size*2) == 0 {
		size *= 2
	}
	return size
}

// divisor is an integer by which a value can be divided without remainder. (Arithmetic
// wraps, so only powers of two survive all operations.)
func divisor(v *ir.Value, depth int) int64 {
	if n, ok := constValue(v); ok {
		return powerOfTwo(n)
	}
	if v.Def == nil || depth > 20 {
		return 1
	}
	o := v.Def
	d := func(i int) int64 { return divisor(o.Operand(i), depth+1) }
	switch o.Name {
	case opname.LLVMShl:
		if k, ok := constValue(o.Operand(1)); ok && k >= 0 && k < 30 {
			return min(d(0)<<k, 1<<30)
		}
	case opname.LLVMMul:
		return min(d(0)*d(1), 1<<30)
	case opname.LLVMAdd, opname.LLVMSub, opname.LLVMOr, opname.LLVMSelect, opname.LLVMIntrUmax, opname.LLVMIntrUmin, opname.LLVMIntrSmax, opname.LLVMIntrSmin:
		last := o.NumOperands() - 1
		return min(d(last), d(last-1))
	case opname.LLVMAnd:
		return max(d(0), d(1))
	case opname.LLVMZExt, opname.LLVMSExt, opname.LLVMTrunc:
		return d(0)
	}
	return 1
}

// powerOfTwo is the largest power of two that divides n.
func powerOfTwo(n int64) int64 {
	if n == 0 {
		return 1 << 30
	}
	return 1 << min(bits.TrailingZeros64(uint64(n)), 30)
}

// expansion is one copy or fill.
type expansion struct {
	m        *memory
	o        *ir.Operation
	what     string
	to, from *ir.Value
	src, dst *pattern
}

// fills reports whether the operation writes one byte again and again.
func (e *expansion) fills() bool { return e.what == "memset" || e.what == "bzero" }

// period is the bytes after which both patterns begin again.
func (e *expansion) period() int64 {
	p := e.dst.period
	if q := e.src.period; !e.fills() && p%q != 0 {
		p = p / intmath.GCD(p, q) * q
	}
	return p
}

// constant handles a constant number of bytes.
func (e *expansion) constant(n int64) {
	if n <= 0 {
		return
	}
	if fields := e.fields(n); fields != nil {
		for _, f := range fields {
			b := instead(e.o)
			field := &expansion{m: e.m, o: e.o, what: e.what, to: b.offset(e.to, f.at), from: e.from, src: f.holds, dst: f.holds}
			if !e.fills() {
				field.from = b.offset(e.from, f.at)
			}
			field.constant(f.size)
		}
		return
	}
	p := e.period()
	whole := n / p
	// One record is moved field by field, so that it can be taken apart; several are, if
	// that takes few accesses: memories have few ports.
	if parts, ok := e.dst.over(n); ok && (len(parts) <= maxStraight || n <= p && len(parts) <= maxUnrolled) {
		e.move(instead(e.o), e.to, e.from, n)
		return
	}
	rest := n % p
	if whole > 0 {
		b := instead(e.o)
		e.loop(b.constant(ir.Int(64), whole), p)
	}
	if rest > 0 {
		b := instead(e.o)
		to := b.offset(e.to, whole*p)
		from := e.from
		if !e.fills() {
			from = b.offset(e.from, whole*p)
		}
		e.move(b, to, from, rest)
	}
}

// field is a scalar of a struct, or an array in it.
type field struct {
	at, size int64
	holds    *pattern
}

// fields are those of a local struct that is copied or filled as a whole and has arrays with subscripts that are known at run time alone: these
// stay arrays, and are moved in loops, but not what is beside them. nil for all else.
func (e *expansion) fields(n int64) []field {
	if e.what == "memmove" && e.mayOverlap() {
		return nil
	}
	for _, ptr := range []*ir.Value{e.to, e.from} {
		root, offset, known := rootOf(ptr)
		if !known || offset != 0 || root.Def == nil || root.Def.Name != opname.LLVMAlloca || !subscripted(root) {
			continue
		}
		ta, ok := root.Def.Attr("elem_type").(*ir.TypeAttr)
		if !ok {
			continue
		}
		if t, err := llvm.Parse(ta.Type); err == nil && t.Kind == llvm.StructType && t.Size() == n {
			if out, ok := fieldsOf(nil, t, 0); ok && len(out) > 1 {
				return out
			}
		}
	}
	return nil
}

// fieldsOf appends the fields of a type that begins at a byte; ok is false where a field is no number.
func fieldsOf(out []field, t *llvm.Type, at int64) (_ []field, ok bool) {
	if t.Kind == llvm.StructType {
		for i, f := range t.Fields {
			if out, ok = fieldsOf(out, f, at+t.Offset(i)); !ok {
				return nil, false
			}
		}
		return out, true
	}
	p := patternOf(t)
	return append(out, field{at, t.Size(), p}), p != nil
}

// subscripted reports whether the address of a variable is stepped on by a number that is known at run time alone.
func subscripted(ptr *ir.Value) bool {
	return slices.ContainsFunc(ptr.Uses(), func(u ir.Use) bool {
		if u.Op.Name != opname.LLVMGetElementPtr || u.Index != 0 {
			return false
		}
		_, known := gepOffset(u.Op)
		return !known || subscripted(u.Op.Result(0))
	})
}

// variable handles a number of bytes that is known at run time.
func (e *expansion) variable(n *ir.Value, factor int64) {
	p := e.period()
	whole := func() bool { return factor%p == 0 || dividesBy(n, p) }
	if !whole() {
		// Not records, then: elements of the first field.
		e.dst, e.src = e.dst.first(), e.src.first()
		p = e.period()
	}
	if !whole() && !isDistance(n) {
		d := e.m.notes.Remarkf(position(e.o), "the number of bytes of this %s need not be a multiple of %d, the size of the elements: the array is taken as bytes", e.what, p)
		d.WithHelp("give the number as that of elements times their size where it is one")
		e.dst, e.src, p = numbers(1), numbers(1), 1
	}
	b := instead(e.o)
	count := quotient(b, n, p)
	e.loop(count, p)
}

// isDistance reports whether a number of bytes is that between two pointers: these are
// pointers to elements.
func isDistance(v *ir.Value) bool {
	address := func(v *ir.Value) bool { return v.Def != nil && v.Def.Name == opname.LLVMPtrToInt }
	return v.Def != nil && v.Def.Name == opname.LLVMSub && address(v.Def.Operand(0)) && address(v.Def.Operand(1))
}

// dividesBy reports whether a product has a factor that is no power of two.
func dividesBy(v *ir.Value, p int64) bool {
	for n := 0; n < 10 && v.Def != nil; n++ {
		switch v.Def.Name {
		case opname.LLVMZExt, opname.LLVMSExt:
			v = v.Def.Operand(0)
			continue
		case opname.LLVMMul:
			c, ok := constValue(v.Def.Operand(1))
			return ok && c%p == 0
		}
		break
	}
	return false
}

// quotient divides a number of bytes by the size of an element: it was multiplied
// before, as a rule, so that the factor is found again.
func quotient(b *builder, n *ir.Value, p int64) *ir.Value {
	if p == 1 {
		return n
	}
	k := bits.TrailingZeros64(uint64(p))
	if p == 1<<k {
		return b.shiftBy(opname.LLVMLShr, n, int64(k))
	}
	return b.op(opname.LLVMUDiv, n.Type, n, b.constant(n.Type, p))
}

// move adds the loads and stores for n bytes. All loads come first: the ranges of a
// memmove may overlap.
func (e *expansion) move(b *builder, to, from *ir.Value, n int64) {
	dst, ok := e.dst.over(n)
	if !ok {
		dst = bytesOver(n)
	}
	var values []*ir.Value
	if e.fills() {
		for _, p := range dst {
			values = append(values, e.filled(b, p))
		}
	} else {
		src, ok := e.src.over(n)
		if !ok {
			src = bytesOver(n)
		}
		loaded := make([]*ir.Value, len(src))
		for i, p := range src {
			loaded[i] = b.load(p.t, b.offset(from, p.at/8), int64(p.bits+7)/8)
		}
		s := &splitter{}
		values = s.gather(b, loaded, src, dst)
	}
	for i, p := range dst {
		b.store(values[i], b.offset(to, p.at/8), int64(p.bits+7)/8)
	}
}

// bytesOver covers n bytes by integers.
func bytesOver(n int64) []part { return packed([]part{{ir.Int(8), int(n * 8), 0}}) }

// filled is a scalar all of whose bytes are the value of a memset.
func (e *expansion) filled(b *builder, p part) *ir.Value {
	if e.what == "bzero" {
		return b.zero(p.t)
	}
	if c, ok := constValue(e.from); ok {
		c &= 0xff
		if c == 0 {
			return b.zero(p.t)
		}
		v := int64(0)
		for range 8 {
			v = v<<8 | c
		}
		v = v << (64 - p.bits) >> (64 - p.bits)
		return b.fromInt(b.constant(ir.Int(p.bits), v), p.t)
	}
	byte8 := b.truncate(e.from, 8)
	if p.bits == 8 {
		return b.fromInt(byte8, p.t)
	}
	t := ir.Int(p.bits)
	ones := uint64(0x0101010101010101) << (64 - p.bits)
	wide := b.op(opname.LLVMZExt, t, byte8)
	return b.fromInt(b.flagged(opname.LLVMMul, t, wide, b.constant(t, int64(ones)>>(64-p.bits))), p.t)
}

// loop adds a loop over count stretches of p bytes. The operation is behind it.
func (e *expansion) loop(count *ir.Value, p int64) {
	before := e.o.Block()
	after := splitBefore(e.o)
	if e.what == "memmove" && e.mayOverlap() {
		// Where the target is behind the source, the last bytes go first.
		b := &builder{block: before, pos: e.o.Pos, loc: e.o.Loc}
		back := b.icmp(arith.Ugt, e.to, e.from)
		down, up := &ir.Block{}, &ir.Block{}
		insertBlocks(before, down, up)
		br := b.make(opname.LLVMCondBr, []*ir.Value{back})
		br.Succs = []ir.Successor{{Block: down}, {Block: up}}
		before.Append(br)
		llvm.SetTargets(br, [][]*ir.Value{nil, nil})
		e.counted(down, after, count, p, true)
		e.counted(up, after, count, p, false)
		return
	}
	e.counted(before, after, count, p, false)
}

// mayOverlap reports whether both addresses may lie in the same variable: they do
// not where both are known, and differ.
func (e *expansion) mayOverlap() bool {
	x, _, _ := rootOf(e.to)
	y, _, _ := rootOf(e.from)
	if x == y || !variable(x) || !variable(y) {
		return true
	}
	return symbol(x) != "" && symbol(x) == symbol(y)
}

// variable reports whether an address is that of one variable, or of the array that a
// parameter points to, and no choice among several.
func variable(v *ir.Value) bool {
	if v.Def != nil {
		return v.Def.Name == opname.LLVMAlloca || v.Def.Name == opname.LLVMMlirAddressOf
	}
	fn := v.Block.ParentOp()
	return fn != nil && fn.Name == opname.LLVMFunc && fn.Regions[0].Entry() == v.Block
}

// symbol is the global variable that an address names.
func symbol(v *ir.Value) string {
	if v.Def != nil && v.Def.Name == opname.LLVMMlirAddressOf {
		if s, ok := v.Def.Attr("global_name").(*ir.SymbolRefAttr); ok {
			return s.Root
		}
	}
	return ""
}

// counted adds a loop with a counter from 0 to count, or from count down to 0.
func (e *expansion) counted(from, after *ir.Block, count *ir.Value, p int64, down bool) {
	head, body := &ir.Block{}, &ir.Block{}
	insertBlocks(from, head, body)
	t := count.Type
	at := func(b *ir.Block) *builder { return &builder{block: b, pos: e.o.Pos, loc: e.o.Loc} }
	b := at(from)
	start, end := b.constant(t, 0), count
	if down {
		start, end = end, start
	}
	branch(from, head, e.o.Pos, e.o.Loc, start)
	i := head.AddArg(t, "", e.o.Pos)
	b = at(head)
	pred := arith.Ult
	if down {
		pred = arith.Ne
	}
	br := b.make(opname.LLVMCondBr, []*ir.Value{b.icmp(pred, i, end)})
	br.Succs = []ir.Successor{{Block: body}, {Block: after}}
	head.Append(br)
	llvm.SetTargets(br, [][]*ir.Value{nil, nil})
	b = at(body)
	one := b.constant(t, 1)
	index := i
	if down {
		index = b.flagged(opname.LLVMSub, t, i, one)
	}
	step := e.stepType(p)
	to, src := b.element(e.to, index, step), e.from
	if !e.fills() {
		src = b.element(e.from, index, step)
	}
	e.move(b, to, src, p)
	next := index
	if !down {
		next = b.flagged(opname.LLVMAdd, t, i, one)
	}
	branch(body, head, e.o.Pos, e.o.Loc, next)
}

// stepType is a type of p bytes, the element's own where there is one.
func (e *expansion) stepType(p int64) ir.Type {
	if len(e.dst.parts) == 1 && e.dst.period == p && int64(e.dst.parts[0].bits) == p*8 {
		return e.dst.parts[0].t
	}
	return ir.Opaque("!llvm.array<" + strconv.FormatInt(p, 10) + " x i8>")
}
