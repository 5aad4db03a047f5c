package check

import (
	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/mapping"
)

// memories checks that every memory of the kernel has a suitable component of
// its own.
func (c *checker) memories() {
	for k := range c.m.Memories {
		mem := &c.m.Memories[k]
		i := mem.Op
		if i < 0 || i >= len(c.g.ops) || !c.g.isMemory(i) {
			c.fail(-1, "memory entry %d names operation %d, which is no memory", k, i)
			continue
		}
		if c.memOf[i] != nil {
			c.fail(i, "memory operation %d is placed twice", i)
		}
		c.memOf[i] = mem
		if why := c.memoryFits(i, mem); why != "" {
			c.fail(i, "memory operation %d on '%s': %s", i, mem.Comp, why)
			continue
		}
		c.claim(i, mem.Comp, "memory operation "+c.g.ops[i].Name)
		if c.m.Ops[i].Comp != mem.Comp {
			c.fail(i, "operation %d is listed on '%s', its memory entry says '%s'", i, c.m.Ops[i].Comp, mem.Comp)
		}
	}
	for i := range c.g.ops {
		if c.g.isMemory(i) && c.memOf[i] == nil {
			c.fail(i, "memory operation %d is placed nowhere", i)
		}
	}
}

// memPort is the component port of a family, -1 for none.
func memPort(s *arch.MemorySpec, family string) int {
	ports := map[string]int{"ldaddr": s.LdAddr, "staddr": s.StAddr, "stdata": s.StData,
		"lddata": s.LdData, "lddone": s.LdDone, "stdone": s.StDone}
	return ports[family]
}

func (c *checker) memoryFits(i int, mem *mapping.Memory) string {
	op := c.g.ops[i]
	x := c.comps[mem.Comp]
	if x == nil || x.Mem == nil {
		return "it is no memory"
	}
	loads, stores, first, typ, ok := c.g.memShape(i)
	if !ok {
		return "the operation's ports make no sense"
	}
	ext := op.Name == "handshake.extmemory"
	if ext != (x.Kind == arch.ExtMemory) {
		return "the kind of memory is wrong"
	}
	hw, _ := ir.BitWidth(x.Mem.Type.Elem, c.f.IndexWidth)
	sw, _ := ir.BitWidth(typ.Elem, c.f.IndexWidth)
	switch {
	case hw != sw:
		return "the element widths differ"
	case loads > x.Mem.LdCount || stores > x.Mem.StCount || loads > 1 || stores > 1:
		return "it has too few ports"
	case x.Mem.TagWidth > 0:
		return "its ports are tagged"
	case mem.Region < 0 || mem.Region >= x.Mem.NumRegion:
		return "it has no such region"
	case ext && (op.Operand(0).Def != nil || mem.Arg != op.Operand(0).Index):
		return "it serves another argument"
	case !ext && mem.Arg != -1:
		return "it is no argument"
	}
	if !ext {
		if n, static := typ.NumElements(); !static || n > x.Mem.Elements {
			return "it is too small"
		}
	}
	have := map[mapping.AccessKind]int{}
	for _, a := range mem.Accesses {
		if a.Index != 0 || a.Comp != mem.Comp || a.Tag != 0 {
			return "its " + string(a.Kind) + " is bound to the wrong place"
		}
		have[a.Kind]++
	}
	if have[mapping.Load] != loads || have[mapping.Store] != stores || len(mem.Accesses) != loads+stores {
		return "an access is missing or one too many"
	}
	// A wider address port would read undefined bits.
	for k := first; k < op.NumOperands(); k++ {
		fam := c.g.memFamily(i, false, k)
		if fam != "stdata" && x.In[memPort(x.Mem, fam)].Width > c.g.width(op.Operand(k).Type) {
			return "its addresses are wider than the kernel's"
		}
	}
	return ""
}

// boundary checks the binding of arguments and results.
func (c *checker) boundary() {
	args := append(append([]mapping.Arg(nil), c.m.Args...), mapping.Arg{Port: c.m.Start.Port, Type: c.m.Start.Type})
	if len(args) != len(c.g.args) {
		c.fail(-1, "it binds %d arguments, the kernel has %d", len(args), len(c.g.args))
		return
	}
	used := map[string]int{}
	for i, a := range args {
		v := c.g.args[i]
		if a.Type != v.Type.String() {
			c.fail(-1, "argument %d has type %s, in the mapping %s", i, v.Type, a.Type)
		}
		_, isMem := v.Type.(*ir.MemRefType)
		needed := len(c.g.readers[terminal{-1, i}]) > 0 || i == len(args)-1
		switch {
		case isMem:
			comp, region := "", 0
			for _, mem := range c.m.Memories {
				if mem.Arg == i {
					comp, region = mem.Comp, mem.Region
				}
			}
			if a.Port != "" || a.Comp != comp || a.Region != region {
				c.fail(-1, "memref argument %d is bound to '%s', its memory is '%s'", i, a.Comp, comp)
			}
			continue
		case a.Comp != "" || a.Region != 0:
			c.fail(-1, "scalar argument %d is bound to region %d of memory '%s'", i, a.Region, a.Comp)
			continue
		case a.Port == "":
			if needed {
				c.fail(-1, "argument %d is read but bound to no boundary input", i)
			}
			continue
		}
		p, ok := c.inputs[a.Port]
		if !ok {
			c.fail(-1, "the fabric has no boundary input '%s'", a.Port)
			continue
		}
		if other, taken := used[a.Port]; taken {
			c.fail(-1, "arguments %d and %d share boundary input '%s'", other, i, a.Port)
		}
		used[a.Port] = i
		if c.f.Inputs[p].Width < c.needed(terminal{-1, i}) {
			c.fail(-1, "boundary input '%s' is too narrow for argument %d", a.Port, i)
		}
	}
	c.results()
}

// needed is the widest use of a value.
func (c *checker) needed(src terminal) int {
	w := 0
	for _, r := range c.g.readers[src] {
		w = max(w, c.g.source[r].width)
	}
	return w
}

func (c *checker) results() {
	results := append(append([]mapping.Port(nil), c.m.Results...), c.m.Done)
	ret := c.g.ops[c.g.ret]
	if len(results) != ret.NumOperands() {
		c.fail(c.g.ret, "it binds %d results, the kernel has %d", len(results), ret.NumOperands())
		return
	}
	used := map[string]int{}
	for i, r := range results {
		p, ok := c.outputs[r.Port]
		if !ok {
			c.fail(c.g.ret, "the fabric has no boundary output '%s'", r.Port)
			continue
		}
		if other, taken := used[r.Port]; taken {
			c.fail(c.g.ret, "results %d and %d share boundary output '%s'", other, i, r.Port)
		}
		used[r.Port] = i
		if r.Type != ret.Operand(i).Type.String() {
			c.fail(c.g.ret, "result %d has type %s, in the mapping %s", i, ret.Operand(i).Type, r.Type)
		}
		if c.f.Outputs[p].Width < c.g.source[terminal{c.g.ret, i}].width {
			c.fail(c.g.ret, "boundary output '%s' is too narrow for result %d", r.Port, i)
		}
	}
}
