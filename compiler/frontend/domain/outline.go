package domain

import (
	"fmt"
	"slices"
	"sort"

	"loom/compiler/cabi"
	"loom/compiler/frontend/reassociate"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/sizes"
)

// Domain is the part of a function that becomes hardware.
type Domain struct {
	// Module holds Kernel, Host and what both refer to. For a whole function it is
	// the module as it was.
	Module *ir.Operation
	// Kernel is the function that becomes hardware.
	Kernel *ir.Operation
	// Host is the original function, in which a call of Kernel stands where the loop
	// was; the same as Kernel where the whole function is the domain.
	Host *ir.Operation
	// Loop is the number of the loop, -1 for the whole function.
	Loop int
}

// Whole is the domain of a whole function.
func Whole(module, fn *ir.Operation) *Domain {
	return &Domain{Module: module, Kernel: fn, Host: fn, Loop: -1}
}

// Outline takes loop number n of a function out as a function of its own. What it
// needs from outside are its parameters: constants and windows on memory are made
// anew inside, a local array that nothing else uses moves inside, other memories and
// numbers are passed by the names they have. What of its results is used outside are
// its results. The module stays as it is; the error is the reason why the loop cannot be a
// domain.
func Outline(module, fn *ir.Operation, n int) (*Domain, error) {
	loops := Loops(fn)
	if n < 0 || n >= len(loops) {
		return nil, outOfRange(fn, loops, n)
	}
	if why := loops[n].Why; why != "" {
		return nil, notADomain(loops[n])
	}
	// The copy has the same loops in the same order.
	copied := module.Clone(map[*ir.Value]*ir.Value{})
	host := symbol(copied, fn.SymName())
	o := &outliner{module: copied, host: host, loop: Loops(host)[n].Op, inside: map[*ir.Value]*ir.Value{}, params: map[*ir.Value]bool{}}
	o.run(n)
	return &Domain{Module: copied, Kernel: o.kernel, Host: host, Loop: n}, nil
}

// symbol is the operation of that name at the top of a module.
func symbol(module *ir.Operation, name string) *ir.Operation {
	for _, r := range module.Regions {
		for _, b := range r.Blocks {
			for _, op := range b.Ops {
				if op.SymName() == name {
					return op
				}
			}
		}
	}
	return nil
}

// takeSizes adds the sizes of the memrefs that become parameters.
func (o *outliner) takeSizes() {
	var found []*ir.Value
	for v := range o.params {
		eachSize(v, func(_ int, size *ir.Value) { found = append(found, size) })
	}
	for _, v := range found {
		o.params[v] = true
	}
}

// sizes lists them for the kernel.
func (o *outliner) sizes(params []*ir.Value) {
	var list []sizes.Size
	for i, v := range params {
		eachSize(v, func(d int, size *ir.Value) {
			list = append(list, sizes.Size{Param: slices.Index(params, size), Of: i, Dim: d})
		})
	}
	sizes.Set(o.kernel, list)
}

// eachSize calls f for every size of a memref that is a parameter of the host.
func eachSize(v *ir.Value, f func(dim int, size *ir.Value)) {
	m, ok := v.Type.(*ir.MemRefType)
	for d := 0; ok && d < len(m.Shape); d++ {
		if size := sizes.Param(v, d); size != nil {
			f(d, size)
		}
	}
}

type outliner struct {
	module, host, loop, kernel *ir.Operation
	body                       *ir.Block
	// inside maps values of the host to those of the kernel.
	inside map[*ir.Value]*ir.Value
	// params are the values that become parameters.
	params map[*ir.Value]bool
	// sunk are the operations that are made anew inside, in the order of the text;
	// moved are those among them that leave the host.
	sunk, moved []*ir.Operation
}

func (o *outliner) run(n int) {
	o.shareGlobals()
	for _, v := range liveIns(o.loop) {
		o.take(v)
	}
	o.takeSizes()
	params := o.sorted()
	name := fmt.Sprintf("%s_loop%d", o.host.SymName(), n)
	for symbol(o.module, name) != nil {
		name += "_"
	}
	o.kernel = ir.NewOp(opname.FuncFunc, o.loop.Pos, nil, nil)
	o.kernel.Loc = o.loop.Loc
	o.kernel.SetAttr("sym_name", ir.StrAttr(name))
	o.body = o.kernel.AddRegion().AddBlock()
	names := map[string]bool{}
	var inputs, results []ir.Type
	for _, v := range params {
		inputs = append(inputs, v.Type)
		o.inside[v] = o.body.AddArg(v.Type, unique(v.Name, names), v.Pos())
	}
	position := map[*ir.Operation]int{}
	o.host.Walk(func(op *ir.Operation) bool { position[op] = len(position); return true })
	sort.Slice(o.sunk, func(i, j int) bool { return position[o.sunk[i]] < position[o.sunk[j]] })
	for _, op := range o.sunk {
		o.body.Append(op.Clone(o.inside))
	}
	loop := o.body.Append(o.loop.Clone(o.inside))
	for i, r := range o.loop.Results() {
		o.inside[r] = loop.Result(i)
	}
	behind := combinations(o.loop)
	ends := slices.Clone(o.loop.Results())
	for _, op := range behind {
		o.body.Append(op.Clone(o.inside))
		ends = append(ends, op.Results()...)
	}
	var used, returned []*ir.Value
	for _, v := range ends {
		if slices.ContainsFunc(v.Uses(), func(u ir.Use) bool { return !slices.Contains(behind, u.Op) }) {
			used = append(used, v)
			results = append(results, v.Type)
			returned = append(returned, o.inside[v])
		}
	}
	ret := o.body.Append(ir.NewOp(opname.FuncReturn, o.loop.Pos, returned, nil))
	ret.Loc = o.loop.Loc
	o.kernel.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(inputs, results)})
	o.aliases(params)
	o.sizes(params)
	for _, a := range o.host.Attrs {
		if a.Name == "loom.adg_max_join_fanin" {
			o.kernel.SetAttr(a.Name, a.Value)
		}
	}
	call := ir.NewOp(opname.FuncCall, o.loop.Pos, params, results)
	call.Loc = o.loop.Loc
	call.SetAttr("callee", ir.SymbolRef(name))
	block := o.loop.Block()
	block.InsertBefore(o.loop, call)
	for k, v := range used {
		call.Result(k).Name = v.Name
		v.ReplaceAllUsesWith(call.Result(k))
	}
	for _, op := range slices.Backward(behind) {
		op.Erase()
	}
	o.loop.Erase()
	o.cleanUp()
	o.module.Regions[0].Entry().Append(o.kernel)
}

// combinations are the operations behind a loop that combine parts of a sum (package reassociate): they go with it, or
// the parts would be results of the hardware.
func combinations(loop *ir.Operation) (out []*ir.Operation) {
	if loop.Attr(reassociate.Attr) == nil {
		return nil
	}
	parts := map[*ir.Value]bool{}
	for _, r := range loop.Results() {
		parts[r] = true
	}
	ops := loop.Block().Ops
	for _, op := range ops[slices.Index(ops, loop)+1:] {
		if op.Name != opname.ArithAddF && op.Name != opname.ArithMulF ||
			slices.ContainsFunc(op.Operands(), func(v *ir.Value) bool { return !parts[v] || len(v.Uses()) > 1 }) {
			continue
		}
		out = append(out, op)
		parts[op.Result(0)] = true
	}
	return out
}

// shareGlobals moves in front of the loop the references inside of it to variables that
// cannot be its own: they are passed.
func (o *outliner) shareGlobals() {
	var shared []*ir.Operation
	o.loop.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.MemRefGetGlobal && !o.ownGlobal(op) {
			shared = append(shared, op)
		}
		return true
	})
	for _, op := range shared {
		op.Unlink()
		o.loop.Block().InsertBefore(o.loop, op)
	}
}

// unique is a name that no other parameter has; values without one stay without.
func unique(name string, names map[string]bool) string {
	if name == "" {
		return ""
	}
	id := name
	for i := 2; names[id]; i++ {
		id = fmt.Sprintf("%s_%d", name, i)
	}
	names[id] = true
	return id
}

// take decides how a value from outside gets into the kernel.
func (o *outliner) take(v *ir.Value) {
	if o.params[v] || v.Def != nil && slices.Contains(o.sunk, v.Def) {
		return
	}
	def := v.Def
	sink := false
	switch {
	case def == nil:
	case def.Name == opname.ArithConstant || def.Name == opname.IndexConstant || def.Name == opname.IndexBoolConstant || def.Name == opname.UBPoison:
		sink = true
	case views[def.Name]:
		sink = true
	case def.Name == opname.MemRefGetGlobal:
		sink = o.ownGlobal(def)
	case def.Name == opname.MemRefAlloca || def.Name == opname.MemRefAlloc:
		if sink = o.ownArray(def); sink {
			o.moved = append(o.moved, def)
		}
	}
	if !sink {
		o.params[v] = true
		return
	}
	o.sunk = append(o.sunk, def)
	for _, w := range def.Operands() {
		o.take(w)
	}
}

// repeated reports whether the loop may run more often than an operation in front of
// it: then what it leaves in a local memory is still there the next time.
func (o *outliner) repeated(def *ir.Operation) bool {
	for p := o.loop.ParentOp(); p != nil && p != o.host; p = p.ParentOp() {
		if p == def.ParentOp() {
			return false
		}
		if _, isLoop := kinds[p.Name]; isLoop {
			return true
		}
	}
	return def.ParentOp() != o.host
}

// ownGlobal reports whether a global can be the kernel's own: nothing changes it, or
// nothing but the one run of the loop touches it.
func (o *outliner) ownGlobal(get *ir.Operation) bool {
	name := globalOf(get.Result(0))
	if g := symbol(o.module, name); g != nil && g.Attr("constant") != nil {
		return true
	}
	for p := o.loop.ParentOp(); p != nil && p != o.host; p = p.ParentOp() {
		if _, isLoop := kinds[p.Name]; isLoop {
			return false
		}
	}
	own := true
	o.module.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.MemRefGetGlobal && globalOf(op.Result(0)) == name {
			own = own && (o.loop.IsAncestorOf(op) || o.onlyInside(op.Result(0)))
		}
		return true
	})
	return own
}

// ownArray reports whether a local array can move into the kernel.
func (o *outliner) ownArray(alloc *ir.Operation) bool {
	return !o.repeated(alloc) && o.onlyInside(alloc.Result(0))
}

// onlyInside reports whether all that uses a memory is inside the loop.
func (o *outliner) onlyInside(v *ir.Value) bool {
	for _, use := range v.Uses() {
		switch {
		case o.loop.IsAncestorOf(use.Op), use.Op.Name == opname.MemRefDealloc:
		case views[use.Op.Name] && use.Index == 0:
			if !o.onlyInside(use.Op.Result(0)) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// sorted are the parameters: those of the function in their order, then the others in
// the order of the text.
func (o *outliner) sorted() []*ir.Value {
	var out []*ir.Value
	add := func(v *ir.Value) {
		if o.params[v] {
			out = append(out, v)
			delete(o.params, v)
		}
	}
	for _, a := range o.host.Regions[0].Entry().Args {
		add(a)
	}
	o.host.Walk(func(op *ir.Operation) bool {
		if op == o.loop {
			return false
		}
		for _, r := range op.Results() {
			add(r)
		}
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				for _, a := range b.Args {
					add(a)
				}
			}
		}
		return true
	})
	return out
}

// aliases carries over the function's attributes of parameters that may overlap, and adds
// arguments that are the same global.
func (o *outliner) aliases(params []*ir.Value) {
	at := map[*ir.Value]int{}
	for i, v := range params {
		at[v] = i
	}
	var sets [][]int
	add := func(values []*ir.Value) {
		var set []int
		for _, v := range values {
			if i, ok := at[v]; ok {
				set = append(set, i)
			}
		}
		if len(set) > 1 {
			sets = append(sets, set)
		}
	}
	args := o.host.Regions[0].Entry().Args
	// The lowering reports what is wrong with the attribute.
	first, err := cabi.Aliases(o.host, args)
	for leader := range args {
		var values []*ir.Value
		for i, v := range args {
			if err == nil && (i == leader || first[i] == leader) {
				values = append(values, v)
			}
		}
		add(values)
	}
	byGlobal := map[string][]*ir.Value{}
	var order []string
	for _, v := range params {
		if name := globalOf(v); name != "" {
			if byGlobal[name] == nil {
				order = append(order, name)
			}
			byGlobal[name] = append(byGlobal[name], v)
		}
	}
	for _, g := range order {
		add(byGlobal[g])
	}
	cabi.SetAliases(o.kernel, sets)
	var roms []int
	marked, err := cabi.ReadROM(o.host, args)
	for k, v := range args {
		if i, ok := at[v]; err == nil && marked[k] && ok {
			roms = append(roms, i)
		}
	}
	slices.Sort(roms)
	cabi.SetROM(o.kernel, roms)
}

// globalOf is the symbol of the global that a value is, "" for none.
func globalOf(v *ir.Value) string {
	if v.Def != nil && v.Def.Name == opname.MemRefGetGlobal {
		if ref, ok := v.Def.Attr("name").(*ir.SymbolRefAttr); ok {
			return ref.Root
		}
	}
	return ""
}

// cleanUp removes from the host what moved into the kernel and what only served it.
func (o *outliner) cleanUp() {
	for _, m := range o.moved {
		for _, use := range slices.Clone(m.Result(0).Uses()) {
			if use.Op.Name == opname.MemRefDealloc {
				use.Op.Erase()
			}
		}
	}
	for i := len(o.sunk) - 1; i >= 0; i-- {
		op := o.sunk[i]
		if !op.Result(0).HasUses() {
			op.Erase()
		}
	}
}
