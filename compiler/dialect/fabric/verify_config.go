package fabric

import (
	"slices"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// This file checks the run-time configuration that a fabric may carry as a hint, in braces
// (design page "The Fabric dialect"). A typing error in its name would pass unnoticed, so
// operations refuse attributes that nobody reads. Attributes with a dot in their name belong
// to other tools.

// general are the attributes that operations of the dialect share.
var general = []string{"sym_name", "sym_visibility", arch.AttrInstanceName, arch.AttrFuncType, arch.AttrMemRef, arch.AttrTarget, arch.AttrArgNames, arch.AttrResNames}

// verifyNames refuses attributes that the operation does not have.
func verifyNames(op *ir.Operation, errs *diag.List) {
	have := func(list []param, name string) bool {
		return slices.ContainsFunc(list, func(p param) bool { return p.name == name })
	}
	for _, a := range op.Attrs {
		if strings.Contains(a.Name, ".") || slices.Contains(general, a.Name) || have(params[op.Name], a.Name) || have(configuration[op.Name], a.Name) {
			continue
		}
		d := fail(errs, op.Pos, "CPL_FABRIC_ATTRIBUTE", "'%s' has no attribute '%s'", op.Name, a.Name)
		var names []string
		for _, p := range append(slices.Clone(params[op.Name]), configuration[op.Name]...) {
			names = append(names, p.name)
		}
		if len(names) > 0 {
			d.WithHelp("it has %s", strings.Join(names, ", "))
		}
	}
}

// verifyInstanceConfig checks the configuration of an instance against its definition.
func verifyInstanceConfig(op, def *ir.Operation, errs *diag.List) {
	for _, p := range configuration[opname.FabricInstance] {
		if op.Attr(p.name) != nil && !slices.Contains(configuration[def.Name], p) {
			fail(errs, op.Pos, "CPL_FABRIC_ATTRIBUTE", "'%s' configures nothing: %s is a '%s'", p.name, ir.SymbolText(def.SymName()), def.Name).
				WithNote(def.Pos, "defined here")
		}
	}
	switch def.Name {
	case opname.FabricMemory, opname.FabricExtmemory:
		verifyRegions(op, def, errs)
	case opname.FabricFifo:
		verifyBypassed(op, def, errs)
	}
}

// verifyBypassed checks the bypass that a definition, use or instance (op) of def asks for.
func verifyBypassed(op, def *ir.Operation, errs *diag.List) {
	if arch.BoolParam(op, arch.AttrBypassed, false) && !arch.BoolParam(def, arch.AttrBypassable, false) {
		fail(errs, op.Pos, "CPL_FIFO_BYPASSED", "the FIFO is bypassed but not bypassable")
	}
}

// region is an entry of addr_offset_table.
type region struct{ valid, start, end, offset int64 }

// regionsOf reads addr_offset_table: a list of [valid, start_tag, end_tag, addr_offset], or
// of [valid, addr_offset] without tags.
func regionsOf(a ir.Attr, tagged bool) (list []region, ok bool) {
	rows, ok := a.(*ir.ArrayAttr)
	if !ok {
		return nil, false
	}
	for _, e := range rows.Elems {
		var v []int64
		switch e := e.(type) {
		case *ir.DenseArrayAttr:
			v = e.Values
		case *ir.ArrayAttr:
			for _, x := range e.Elems {
				i, isInt := x.(*ir.IntegerAttr)
				if !isInt {
					return nil, false
				}
				v = append(v, i.Value)
			}
		}
		switch {
		case tagged && len(v) == 4:
			list = append(list, region{v[0], v[1], v[2], v[3]})
		case !tagged && len(v) == 2:
			list = append(list, region{v[0], 0, 1, v[1]})
		default:
			return nil, false
		}
	}
	return list, true
}

// verifyRegions checks the table that a definition, use or instance (op) of the memory def
// asks for: what would be an error of the hardware (codes 12 to 15) is one here.
func verifyRegions(op, def *ir.Operation, errs *diag.List) {
	const symbol = "CPL_MEMORY_REGION_TABLE"
	a := op.Attr(arch.AttrRegions)
	ft := arch.Signature(def)
	if a == nil || len(ft.Inputs) == 0 {
		return
	}
	width := arch.TagWidth(ft.Inputs[0])
	list, ok := regionsOf(a, width > 0)
	if !ok {
		d := fail(errs, op.Pos, symbol, "addr_offset_table is %s", a)
		if width > 0 {
			d.WithHelp("it lists the regions of a tagged memory as [[valid, start_tag, end_tag, addr_offset], …]")
		} else {
			d.WithHelp("it lists the regions of a memory without tags as [[valid, addr_offset], …]")
		}
		return
	}
	if n := arch.IntParam(def, arch.AttrNumRegion, 1); int64(len(list)) > n {
		fail(errs, op.Pos, symbol, "addr_offset_table has %d regions, the memory %d", len(list), n).WithHelp("numRegion is the size of the table")
	}
	mt := arch.MemRefType(def)
	bits, _ := arch.ElementBits(mt.Elem)
	elements, static := mt.NumElements()
	for i, r := range list {
		switch {
		case r.valid != 0 && r.valid != 1:
			fail(errs, op.Pos, symbol, "region %d has %d as its valid bit", i, r.valid)
		case r.valid == 0:
		case r.start < 0 || r.end >= 1<<max(width, 1):
			fail(errs, op.Pos, symbol, "region %d is of the tags %d to %d, which do not fit %d bits", i, r.start, r.end, width).
				WithHelp("the end is the first tag behind the region")
		case r.end <= r.start:
			fail(errs, op.Pos, symbol, "region %d ends with tag %d, at or before its start, %d", i, r.end, r.start)
		case r.offset < 0 || bits > 0 && r.offset%int64(bits/8) != 0 || def.Name == opname.FabricMemory && static && r.offset >= elements*int64(bits/8):
			fail(errs, op.Pos, symbol, "the offset of region %d, %d bytes, is not that of an element of %s", i, r.offset, mt)
		default:
			for k, q := range list[:i] {
				if q.valid == 1 && q.start < r.end && r.start < q.end {
					fail(errs, op.Pos, symbol, "regions %d and %d overlap", k, i)
				}
			}
		}
	}
}
