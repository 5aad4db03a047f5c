package mapping

import (
	"fmt"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/num"
)

// HashText spells a layout hash.
func HashText(h uint64) string { return fmt.Sprintf("%016x", h) }

// Bind returns the binding of the kernel's boundary for simulators: the
// mapping's names resolved in fabric and function.
func (m *Mapping) Bind(fn *ir.Operation, f *arch.Fabric) (*Binding, error) {
	var errs diag.List
	ins, outs, mems := map[string]int{"": -1}, map[string]int{}, map[string]int{"": -1}
	for i, p := range f.Inputs {
		ins[p.Name] = i
	}
	for i, p := range f.Outputs {
		outs[p.Name] = i
	}
	for _, c := range f.Comps {
		if c.Mem != nil {
			mems[c.Name] = c.ID
		}
	}
	find := func(table map[string]int, name, what string) int {
		i, ok := table[name]
		if !ok {
			errs.Errorf(diag.Pos{}, "the mapping uses %s '%s', which fabric '%s' does not have", what, name, f.Name)
			return -1
		}
		return i
	}
	var args []*ir.Value
	var results []ir.Type
	if len(fn.Regions) == 1 && fn.Regions[0].Entry() != nil {
		args = fn.Regions[0].Entry().Args
		if t := fn.Regions[0].Entry().Terminator(); t != nil {
			for _, v := range t.Operands() {
				results = append(results, v.Type)
			}
		}
	}
	if len(args) != len(m.Args)+1 || len(results) != len(m.Results)+1 {
		errs.Errorf(fn.Pos, "the mapping binds %d arguments and %d results, kernel '%s' has %d and %d",
			len(m.Args), len(m.Results), fn.SymName(), max(len(args)-1, 0), max(len(results)-1, 0))
		return nil, errs.Err()
	}
	roms, err := cabi.ReadROM(fn, args)
	if err != nil {
		errs.Errorf(fn.Pos, "%v", err)
	}
	b := &Binding{Kernel: m.Kernel}
	for i, a := range m.Args {
		ab := ArgBinding{Name: a.Name, Type: args[i].Type, Region: a.Region, ROM: roms[i]}
		ab.Input = find(ins, a.Port, "boundary input")
		ab.Mem = find(mems, a.Comp, "memory")
		for _, p := range a.Also {
			ab.Also = append(ab.Also, At{find(mems, p.Comp, "memory"), p.Region})
		}
		b.Args = append(b.Args, ab)
	}
	for i, r := range m.Results {
		b.Results = append(b.Results, ResultBinding{Name: r.Name, Type: results[i], Output: find(outs, r.Port, "boundary output")})
	}
	for _, mem := range m.Memories {
		b.contents(fn, f, &mem, find(mems, mem.Comp, "memory"), &errs)
	}
	b.Start = find(ins, m.Start.Port, "boundary input")
	b.Done = find(outs, m.Done.Port, "boundary output")
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return b, nil
}

// contents adds what a memory of the kernel holds at the start of a run.
func (b *Binding) contents(fn *ir.Operation, f *arch.Fabric, mem *Memory, comp int, errs *diag.List) {
	body := fn.Regions[0].Entry()
	if mem.Op < 0 || mem.Op >= len(body.Ops) {
		errs.Errorf(fn.Pos, "the mapping places operation %d as a memory, kernel '%s' has %d operations", mem.Op, fn.SymName(), len(body.Ops))
		return
	}
	op := body.Ops[mem.Op]
	attrs, err := handshake.Init(op)
	if err != nil {
		errs.Errorf(op.Pos, "%v", err)
	}
	if attrs == nil || comp < 0 {
		return
	}
	t := op.Attr("memRefType").(*ir.TypeAttr).Type.(*ir.MemRefType)
	n, _ := t.NumElements()
	at := f.Comps[comp]
	switch {
	case at.External() && !mem.Table:
		errs.Errorf(op.Pos, "the mapping places a memory with initial contents on %s '%s', which is not on chip", at.Kind, at.Name)
		return
	case mem.Table && !at.External():
		errs.Errorf(op.Pos, "the mapping places a table in external memory on '%s', which is on chip", at.Name)
		return
	case at.External() && handshake.PortsOf(op).Stores > 0:
		errs.Errorf(op.Pos, "the mapping places a table that the kernel writes on %s '%s'", at.Kind, at.Name)
		return
	case at.External() && (mem.Region < 0 || mem.Region >= at.Mem.NumRegion):
		errs.Errorf(op.Pos, "the mapping places a constant table in region %d of '%s', which has %d", mem.Region, at.Name, at.Mem.NumRegion)
		return
	case at.External():
	case at.Mem.Private:
		errs.Errorf(op.Pos, "the mapping places a memory with initial contents on '%s', which is private", at.Name).
			WithHelp("the host writes initial contents: is_private must be false")
		return
	case mem.First < 0 || n > at.Mem.Elements || mem.First > at.Mem.Elements-n:
		errs.Errorf(op.Pos, "the mapping places %d elements from element %d on in '%s', which has %d", n, mem.First, at.Name, at.Mem.Elements)
		return
	}
	data := make([]uint64, n)
	for i := range data {
		if data[i], err = num.ConstantBits(attrs[min(i, len(attrs)-1)], t.Elem, f.IndexWidth); err != nil {
			errs.Errorf(op.Pos, "initial element %d: %v", i, err)
			return
		}
	}
	name := memoryName(op, mem.Op)
	if at.External() {
		for k := range b.Tables {
			if t := &b.Tables[k]; t.Op == mem.Op && t.ElemBytes == at.Mem.ElemBytes() {
				t.Also = append(t.Also, At{comp, mem.Region})
				return
			}
		}
		b.Tables = append(b.Tables, Table{Name: name, Op: mem.Op, Elem: t.Elem, Data: data, ElemBytes: at.Mem.ElemBytes(), Mem: comp, Region: mem.Region})
		return
	}
	b.Contents = append(b.Contents, Contents{Name: name, Op: mem.Op, Mem: comp, First: mem.First, Elem: t.Elem, Data: data})
}

// memoryName is what a memory of the kernel is called: the lowering names its
// results after it, so "table_read" belongs to "table". A graph without names
// leaves the number of the operation.
func memoryName(op *ir.Operation, index int) string {
	for _, r := range op.Results() {
		for _, suffix := range []string{"_read", "_stored", "_loaded"} {
			if name, ok := strings.CutSuffix(r.Name, suffix); ok && name != "" {
				return name
			}
		}
	}
	return fmt.Sprintf("memory_%d", index)
}
