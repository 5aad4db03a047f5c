package prove

import (
	"fmt"
	"strconv"

	"loom/compiler/diag"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/compiler/widths"
)

// kernel is the graph of a handshake.func.
type kernel struct {
	*graph
	fn *ir.Operation
	// free are the extensions without hardware.
	free map[*ir.Operation]bool
	// args are the nodes of the arguments, nil for arrays; the start token is the last.
	args []*node
	// results are the nodes of the results; the done token is the last.
	results []*node
	arrays  []*array
}

// readKernel writes the graph of fn down in normal form.
func readKernel(fn *ir.Operation, indexWidth int) (*kernel, error) {
	if fn.Name != opname.HandshakeFunc || len(fn.Regions) != 1 || len(fn.Regions[0].Blocks) != 1 {
		return nil, diag.New(fn.Pos, "'%s' is no dataflow graph", fn.Name).WithHelp("lower the kernel first: loom compile")
	}
	body := fn.Regions[0].Entry()
	ret := body.Terminator()
	if ret == nil || ret.Name != opname.HandshakeReturn || ret.NumOperands() == 0 || len(body.Args) == 0 {
		return nil, diag.New(fn.Pos, "the dataflow graph has no return or no start token").WithHelp("lower the kernel first: loom compile")
	}
	k := &kernel{graph: &graph{}, fn: fn, free: widths.FreeExtensions(fn, indexWidth)}
	values := map[*ir.Value]*value{}
	for i, a := range body.Args {
		if _, mem := a.Type.(*ir.MemRefType); mem {
			k.args = append(k.args, nil)
			continue
		}
		n := k.add(&node{op: argument, fields: []string{strconv.Itoa(i)}, pos: argPos(fn, a), what: "argument '" + argName(fn, i) + "'", order: -1},
			0, width(a.Type, indexWidth))
		k.args = append(k.args, n)
		values[a] = n.out[0]
	}
	// feeds are the operands that remain to be connected, with their values.
	type feed struct {
		in *input
		v  *ir.Value
	}
	var feeds []feed
	for i, op := range body.Ops {
		switch {
		case op == ret:
			for r, v := range op.Operands() {
				n := k.add(&node{op: result, fields: []string{strconv.Itoa(r)}, pos: op.Pos, what: fmt.Sprintf("result %d", r), order: i}, 1)
				k.results = append(k.results, n)
				feeds = append(feeds, feed{n.in[0], v})
			}
		case op.Name == opname.HandshakeMemory || op.Name == opname.HandshakeExtmemory:
			a, err := k.array(op, indexWidth)
			if err != nil {
				return nil, err
			}
			ports := handshake.PortsOf(op)
			if ports.Loads < 0 || ports.Stores < 0 || op.NumOperands() != ports.First+ports.Loads+2*ports.Stores ||
				op.NumResults() != 2*ports.Loads+ports.Stores {
				return nil, diag.New(op.Pos, "the ports of '%s' make no sense", op.Name)
			}
			for l := range ports.Loads {
				data, done := op.Result(ports.LoadData(l)), op.Result(ports.LoadDone(l))
				n := k.add(&node{op: loadPort, mem: a, pos: op.Pos, what: fmt.Sprintf("load %d of %s", l, a.what), order: i},
					1, width(data.Type, indexWidth), 0)
				values[data], values[done] = n.out[0], n.out[1]
				feeds = append(feeds, feed{n.in[0], op.Operand(ports.LoadAddr(l))})
			}
			for s := range ports.Stores {
				a.stores = true
				n := k.add(&node{op: storePort, mem: a, pos: op.Pos, what: fmt.Sprintf("store %d of %s", s, a.what), order: i}, 2, 0)
				values[op.Result(ports.StoreDone(s))] = n.out[0]
				feeds = append(feeds, feed{n.in[0], op.Operand(ports.StoreAddr(s))}, feed{n.in[1], op.Operand(ports.StoreData(s))})
			}
		default:
			n, err := k.operation(op, indexWidth)
			if err != nil {
				return nil, err
			}
			n.order = i
			for r, v := range op.Results() {
				values[v] = n.out[r]
			}
			for o, v := range op.Operands() {
				feeds = append(feeds, feed{n.in[o], v})
			}
		}
	}
	for _, f := range feeds {
		if f.v == nil || values[f.v] == nil {
			return nil, diag.New(f.in.node.pos, "operand %d of %s is not connected", f.in.k, f.in.node.what)
		}
		f.in.raw = values[f.v]
		if n := f.in.node; n.ir == nil || n.ir.Name != opname.HandshakeJoin {
			f.in.width = width(f.v.Type, indexWidth) // a join looks at tokens alone, whatever they carry
		}
	}
	_, err := k.normalise(indexWidth)
	return k, err
}

// operation adds an operation of the kernel.
func (k *kernel) operation(op *ir.Operation, indexWidth int) (*node, error) {
	var results []int
	for _, r := range op.Results() {
		results = append(results, width(r.Type, indexWidth))
	}
	n := k.add(&node{op: meaning(op.Name), ir: op, free: k.free[op], pos: op.Pos, what: label(op), symmetric: symmetric(op)}, op.NumOperands(), results...)
	switch op.Name {
	case opname.HandshakeConstant:
		if op.NumOperands() != 1 || op.NumResults() != 1 {
			return nil, diag.New(op.Pos, "%s has no control token", n.what)
		}
		var err error
		if n.word, err = num.ConstantBits(op.Attr("value"), op.Result(0).Type, indexWidth); err != nil {
			return nil, diag.New(op.Pos, "%s: %v", n.what, err)
		}
		n.fields = append(n.fields, fmt.Sprintf("value=%d", n.word))
	case opname.DataflowHold:
		if op.NumOperands() != 1 || op.NumResults() != 1 {
			return nil, diag.New(op.Pos, "%s has not one operand and one result", n.what)
		}
	default:
		n.fields = append(n.fields, attributes(op)...)
	}
	return n, nil
}

// array adds a memory of the kernel.
func (k *kernel) array(op *ir.Operation, indexWidth int) (*array, error) {
	a := &array{id: len(k.arrays), argument: -1, external: op.Name == opname.HandshakeExtmemory, what: label(op)}
	k.arrays = append(k.arrays, a)
	var t *ir.MemRefType
	if a.external {
		if op.NumOperands() == 0 || op.Operand(0) == nil || op.Operand(0).Def != nil {
			return nil, diag.New(op.Pos, "%s is no argument's", a.what)
		}
		t, _ = op.Operand(0).Type.(*ir.MemRefType)
		a.argument = op.Operand(0).Index
	} else if at, ok := op.Attr("memRefType").(*ir.TypeAttr); ok {
		t, _ = at.Type.(*ir.MemRefType)
	}
	if t == nil {
		return nil, diag.New(op.Pos, "%s has no memref type", a.what)
	}
	a.elemBits = width(t.Elem, indexWidth)
	if !a.external {
		n, static := t.NumElements()
		if !static {
			return nil, diag.New(op.Pos, "%s has no fixed size", a.what)
		}
		a.elements = n
	}
	init, err := handshake.Init(op)
	if err != nil {
		return nil, diag.New(op.Pos, "%v", err)
	}
	if init != nil {
		a.data = make([]uint64, a.elements)
		for i := range a.data {
			if a.data[i], err = num.ConstantBits(init[min(i, len(init)-1)], t.Elem, indexWidth); err != nil {
				return nil, diag.New(op.Pos, "initial element %d: %v", i, err)
			}
		}
	}
	return a, nil
}

// argName is the name of argument i, by which the host knows it.
func argName(fn *ir.Operation, i int) string {
	if a, ok := fn.Attr("argNames").(*ir.ArrayAttr); ok && i < len(a.Elems) {
		if s, ok := a.Elems[i].(*ir.StringAttr); ok && s.Value != "" {
			return s.Value
		}
	}
	if s := fn.Regions[0].Entry().Args[i].Name; s != "" {
		return s
	}
	return fmt.Sprintf("arg%d", i)
}

// argPos is where an argument stands in the text, the function's position where it is unknown.
func argPos(fn *ir.Operation, a *ir.Value) diag.Pos {
	if a.Loc.IsValid() {
		return a.Loc
	}
	return fn.Pos
}

// label names an operation by its first named result.
func label(op *ir.Operation) string {
	for _, r := range op.Results() {
		if r.Name != "" {
			return fmt.Sprintf("'%s' (%%%s)", op.Name, r.Name)
		}
	}
	return "'" + op.Name + "'"
}
