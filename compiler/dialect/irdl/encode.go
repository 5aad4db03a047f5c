// Package irdl defines the dialects handshake, dataflow and fabric in IRDL, so
// that MLIR's own tools read what LOOM writes (design page "Handshake text that
// CIRCT reads"), and brings modules into the generic form those tools accept.
//
// What LLVM 19 makes of an operation that is defined in IRDL decides that form.
// Each point was found out with mlir-opt-19 and is held by a test:
//
//   - Its regions have SSA dominance: IRDL gives operations no interfaces, so
//     none can declare that its region is a graph. Dominance is not required in
//     blocks that the entry block does not reach; the graph therefore stands in a
//     second block, and the first has the arguments alone.
//   - It is no terminator, for want of traits, and blocks must end in one. Both
//     blocks end in llvm.unreachable, which is also the truth: control never
//     flows through a dataflow graph.
//   - It can be left out of the file no more than defined: an operation that a
//     loaded dialect does not know is an error.
//   - Its variadic operands all have one type. An operation with operands of
//     mixed types has a sequence of variadics, and gives their lengths in
//     operand_segment_sizes and result_segment_sizes.
//   - It has no properties: all attributes stand in the dictionary behind the
//     regions.
//   - An attribute that is listed must be there; one that is not listed may be.
//
// [Decode] takes all that back when such text is read.
package irdl

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

// The attributes and the operation that the generic form has on top.
const (
	operandSegments = "operand_segment_sizes"
	resultSegments  = "result_segment_sizes"
	unreachable     = opname.LLVMUnreachable
)

// The tool prints the terminator of the shell in its own assembly. It is read and,
// by [Decode], removed; as an operation it is unknown everywhere else.
func init() {
	mlir.RegisterAsm(unreachable, mlir.Asm{Parse: func(*mlir.OpParser, *mlir.OpState) {}})
}

// Print is the generic form of a module, as mlir-opt-19 reads it with [Text].
// The error names an operation with more runs of types than the definitions allow.
func Print(module *ir.Operation) (string, error) {
	copied := module.Clone(map[*ir.Value]*ir.Value{})
	var errs diag.List
	signatures := table()
	copied.Walk(func(op *ir.Operation) bool {
		if s, ok := signatures[op.Name]; ok {
			encode(op, s, &errs)
		}
		return true
	})
	if err := errs.Err(); err != nil {
		return "", err
	}
	return mlir.Print(copied, mlir.Options{Generic: true}), nil
}

// table is every signature by the name of its operation.
func table() map[string]signature {
	t := map[string]signature{}
	for _, d := range dialects() {
		for _, s := range d.ops {
			t[d.name+"."+s.name] = s
		}
	}
	return t
}

func encode(op *ir.Operation, s signature, errs *diag.List) {
	for _, side := range []struct {
		what, attr, list string
		values           []*ir.Value
	}{
		{"operands", operandSegments, s.in, op.Operands()},
		{"results", resultSegments, s.out, op.Results()},
	} {
		sizes, needed, fits := segments(op, side.list, side.values)
		if !fits {
			errs.Errorf(op.Pos, "the generic form cannot hold the %s of '%s'", side.what, op.Name).
				WithHelp("at most %d stores per memory and %d changes of type in a list; LOOM's own assembly has no such limit", maxStores, maxRuns)
			return
		}
		if needed {
			op.SetAttr(side.attr, &ir.DenseArrayAttr{Elem: ir.I32, Values: sizes})
		}
	}
	if !s.body || len(op.Regions) != 1 || len(op.Regions[0].Blocks) > 1 {
		return
	}
	if len(op.Regions[0].Blocks) == 0 { // a declaration: nothing stands in the second block
		entry := op.Regions[0].AddBlock()
		t, _ := op.Attr("function_type").(*ir.TypeAttr)
		if ft, ok := typeOf(t).(*ir.FunctionType); ok {
			for _, in := range ft.Inputs {
				entry.AddArg(in, "", op.Pos)
			}
		}
	}
	entry := op.Regions[0].Entry()
	graph := op.Regions[0].AddBlock()
	move(entry, graph)
	for _, b := range []*ir.Block{entry, graph} {
		b.Append(ir.NewOp(unreachable, op.Pos, nil, nil))
	}
}

// segments distributes values over the variables of a list; needed reports that
// the definition has more than one variable of varying number, so that the lengths
// must be given.
func segments(op *ir.Operation, list string, values []*ir.Value) (sizes []int64, needed, fits bool) {
	gs := groups(list)
	varying, after := 0, 0
	for _, g := range gs {
		switch {
		case g.repeated:
			varying += g.times() * len(g.vars)
		case g.cardinality != "":
			varying++
		}
	}
	stores, loads := int64(0), int64(0)
	if n, ok := op.IntAttr("stCount"); ok {
		stores = n
	}
	if n, ok := op.IntAttr("ldCount"); ok {
		loads = n
	}
	at := 0
	take := func(n int) {
		sizes = append(sizes, int64(n))
		at += n
	}
	for i, g := range gs {
		after = 0
		for _, later := range gs[i+1:] {
			if later.cardinality == "" && !later.repeated {
				after += len(later.vars)
			}
		}
		left := max(len(values)-at-after, 0)
		switch {
		case g.repeated && len(g.vars) == 1:
			for range g.times() {
				n := 0
				for n < left && values[at+n].Type == values[at].Type {
					n++
				}
				take(n)
				left -= n
			}
		case g.repeated: // one value per variable: the stores of a memory
			if stores > int64(g.times()) {
				return nil, false, false
			}
			for k := range g.times() {
				for range g.vars {
					take(b2i(int64(k) < stores))
				}
			}
		case g.cardinality == "":
			take(1)
		case g.cardinality == "optional ":
			take(min(1, left))
		case varying > 1 && i+1 < len(gs): // the load data of a memory, in front of its done tokens
			take(min(int(loads), left))
		default:
			take(left)
		}
	}
	return sizes, varying > 1, at == len(values)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Decode takes back what [Print] does to an operation with a body and to the
// operations in it, when it is read: the lengths of segments, and the second
// block of the body. Everything else stays as it is.
func Decode(op *ir.Operation) {
	dropSegments(op)
	if len(op.Regions) != 1 || len(op.Regions[0].Blocks) != 2 {
		return
	}
	r := op.Regions[0]
	entry, graph := r.Blocks[0], r.Blocks[1]
	if len(entry.Ops) != 1 || !isShell(entry.Ops[0]) || len(graph.Args) > 0 || !isShell(graph.Terminator()) {
		return
	}
	if len(graph.Ops) == 1 && op.Name == opname.HandshakeFunc {
		r.Blocks = nil // a declaration
		return
	}
	entry.Ops[0].Erase()
	graph.Terminator().Erase()
	move(graph, entry)
	for _, o := range entry.Ops {
		dropSegments(o)
	}
	r.Blocks = r.Blocks[:1]
}

func dropSegments(op *ir.Operation) {
	op.SetAttr(operandSegments, nil)
	op.SetAttr(resultSegments, nil)
}

// move appends the operations of one block to another.
func move(from, to *ir.Block) {
	ops := from.Ops
	from.Ops = nil
	for _, o := range ops {
		to.Append(o)
	}
}

// isShell reports whether op is a terminator of the shell that [Print] puts
// around a graph.
func isShell(op *ir.Operation) bool {
	return op != nil && op.Name == unreachable && op.NumOperands() == 0 && op.NumResults() == 0 && len(op.Regions) == 0 && len(op.Succs) == 0
}

func typeOf(t *ir.TypeAttr) ir.Type {
	if t == nil {
		return nil
	}
	return t.Type
}
