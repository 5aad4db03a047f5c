package arch

import (
	"slices"

	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// LeastWord is the least width in bits of words for which units of a PE share hardware.
const LeastWord = 8

// Iterative is a piece of iterative hardware in a spatial PE: a divider, say, that does the work of several of its
// function units, of which at most one is active.
type Iterative struct {
	// Key names the module and the format of its words, the same for all units that it serves.
	Key string
	// Units are the opcodes of the function units.
	Units []int
}

// Iterative lists the iterative hardware of a PE that several function units, and several PEs, can have together:
// that of units of one operation on the widest words of the PE. An iterative unit that is not in the list is hardware
// of its own.
func (p *PESpec) Iterative() []*Iterative {
	width := 0
	for _, fu := range p.FUs {
		for _, x := range fu.Out {
			if x.Type != ir.Type(ir.None) {
				width = max(width, x.Width)
			}
		}
	}
	if len(p.FUs) < 2 || width < LeastWord || p.firstResult() != width {
		return nil
	}
	var out []*Iterative
	for n, fu := range p.FUs {
		key := fu.iterative(width)
		if key == "" {
			continue
		}
		k := slices.IndexFunc(out, func(x *Iterative) bool { return x.Key == key })
		if k < 0 {
			k = len(out)
			out = append(out, &Iterative{Key: key})
		}
		out[k].Units = append(out[k].Units, n)
	}
	return out
}

// IterativeOf is the iterative hardware that does the work of a function unit, nil for units that have none of the list.
func (p *PESpec) IterativeOf(opcode int) *Iterative {
	for _, x := range p.Iterative() {
		if slices.Contains(x.Units, opcode) {
			return x
		}
	}
	return nil
}

// firstResult is the width of the first result of the PE in bits.
func (p *PESpec) firstResult() int {
	w := 0
	for _, fu := range p.FUs {
		if len(fu.Out) > 0 && fu.Out[0].Type != ir.Type(ir.None) {
			w = max(w, fu.Out[0].Width)
		}
	}
	return w
}

// Single is the operation of a unit that is this one alone, with its operands and results in order; nil for others.
func (u *FunctionUnit) Single() *FUOp {
	if len(u.Ops) != 1 {
		return nil
	}
	op := u.Ops[0]
	if len(op.Operands) != len(u.In) || len(u.Yield) != op.Op.NumResults() {
		return nil
	}
	for k, r := range op.Operands {
		if r != (ValueRef{Op: -1, Arg: k}) {
			return nil
		}
	}
	for k, r := range u.Yield {
		if r.Op != 0 || r.Result != k {
			return nil
		}
	}
	return op
}

// iterative is the Key of a unit on words of so many bits, "" for other units.
func (u *FunctionUnit) iterative(width int) string {
	op := u.Single()
	if op == nil {
		return ""
	}
	row := u.Row(op)
	if row.Class != units.Iterative {
		return ""
	}
	// A register behind the unit belongs to it alone.
	if n, _ := row.Timing(op.Op, width); u.Latency > n {
		return ""
	}
	for _, x := range slices.Concat(u.In, u.Out) {
		if x.Type == ir.Type(ir.None) || x.Width != width {
			return ""
		}
	}
	if !row.Types.Float() {
		return "loom_divide"
	}
	return row.Module + " " + op.Op.Result(0).Type.String()
}

// sharing reads the group of an instance whose iterative units others have, too.
func (f *flattener) sharing(s *scope, c *Component, op, def *ir.Operation, a ir.Attr) {
	name, ok := a.(*ir.StringAttr)
	switch {
	case !ok || name.Value == "":
		f.errs.Errorf(op.Pos, "'%s' must be the name of a group, found %s", AttrSharedUnits, a).WithSymbol("CPL_SHARED_UNITS_PE").
			WithHelp("PEs with the same name have their iterative units together")
	case c.Kind != SpatialPE || op.Name != opname.FabricInstance:
		f.errs.Errorf(op.Pos, "'%s' is of instances of a fabric.spatial_pe", AttrSharedUnits).WithSymbol("CPL_SHARED_UNITS_PE").
			WithNote(def.Pos, "defined here").WithHelp("remove it here")
	default:
		c.SharedUnits = s.prefix + name.Value
	}
}

// sharedUnits checks the groups of PEs that have their iterative units together.
func (f *flattener) sharedUnits() {
	first, own := map[string]*Component{}, map[string]*Component{} // by group, by definition
	members, reported := map[string]int{}, map[string]bool{}
	for _, c := range f.out.Comps {
		if c.Kind == SpatialPE && c.SharedUnits == "" && own[c.Def] == nil {
			own[c.Def] = c
		}
	}
	for _, c := range f.out.Comps {
		if c.SharedUnits == "" {
			continue
		}
		fail := func(symbol, help, format string, args ...any) {
			if at := symbol + " " + c.Def; !reported[at] { // the instances of a definition have the same fault
				reported[at] = true
				f.errs.Errorf(c.Pos, format, args...).WithSymbol(symbol).WithHelp("%s", help)
			}
		}
		if first[c.SharedUnits] == nil {
			first[c.SharedUnits] = c
		}
		members[c.SharedUnits]++
		switch {
		case first[c.SharedUnits].Def != c.Def:
			fail("CPL_SHARED_UNITS_DEFINITION", "give PEs of another definition a group of another name", "'%s' and '%s' of group '%s' are of different definitions", first[c.SharedUnits].Name, c.Name, c.SharedUnits)
		case own[c.Def] != nil:
			fail("CPL_SHARED_UNITS_DEFINITION", "name a group at every instance of the definition, of one PE where it has no others", "'%s' shares its iterative units, '%s' of the same definition does not", c.Name, own[c.Def].Name)
		case len(c.PE.Iterative()) == 0:
			fail("CPL_SHARED_UNITS_NONE", "what can be shared are divisions, remainders, roots and elementary functions of the PE's widest words that are no pipelines, "+
				"beside another unit; leave out 'share' or '"+AttrSharedUnits+"' else", "PE '%s' has no iterative unit to share", c.Name)
		case members[c.SharedUnits] > MaxSharing:
			fail("CPL_SHARED_UNITS_COUNT", "divide them into several groups", "more than %d PEs share in group '%s'", MaxSharing, c.SharedUnits)
		}
	}
}

// Sharers lists the PEs of every group that have their iterative units together, in the order of the components.
func (f *Fabric) Sharers() [][]*Component {
	var out [][]*Component
	at := map[string]int{}
	for _, c := range f.Comps {
		if c.SharedUnits == "" {
			continue
		}
		k, ok := at[c.SharedUnits]
		if !ok {
			k = len(out)
			at[c.SharedUnits] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], c)
	}
	return out
}
