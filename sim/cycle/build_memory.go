package cycle

import (
	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/mapping"
)

func init() {
	models[arch.Memory] = model{connect: (*builder).connectOnChip}
	models[arch.ExtMemory] = model{connect: (*builder).connectExternal}
}

// memoryParts are what the unit of a memory is made from: its node, the ports by
// what they are for, and its address table, with the base addresses of the run.
func (b *builder) memoryParts(c *arch.Component, set *config.Setting) (n node, p ports, regions []config.Region) {
	spec := c.Mem
	n = node{comp: c, what: c.Kind.String() + " '" + c.Name + "'"}
	in := func(port int) wire {
		if port < 0 {
			return wire{net: -1}
		}
		w := b.input(c, port)
		n.in = append(n.in, w)
		return w
	}
	out := func(port int) int32 {
		if port < 0 {
			return -1
		}
		o := b.feeds[c.ID][port].net
		n.out = append(n.out, o)
		return o
	}
	p = ports{in(spec.LdAddr), in(spec.StAddr), in(spec.StData), out(spec.LdData), out(spec.LdDone), out(spec.StDone)}
	regions = set.Regions
	if r, ok := b.regions[c.ID]; ok {
		regions = r
	}
	return n, p, regions
}

func (b *builder) connectOnChip(c *arch.Component, set *config.Setting) {
	n, p, regions := b.memoryParts(c, set)
	if c.Mem.TagWidth > 0 {
		m := newTaggedMemory(n, p, c.Mem, regions)
		b.cells[c.ID] = m.cells
		b.add(m)
		return
	}
	m := newMemory(n, p, c.Mem, regions)
	b.cells[c.ID] = m.cells
	b.add(m)
}

func (b *builder) connectExternal(c *arch.Component, set *config.Setting) {
	n, p, regions := b.memoryParts(c, set)
	sizes := b.sizes[c.ID]
	if c.Mem.TagWidth > 0 {
		m := newTaggedExtMemory(n, p, c.Mem, regions, b.busOf(c))
		if sizes != nil {
			m.bound(sizes)
		}
		b.add(m)
		return
	}
	m := newExtMemory(n, p, c.Mem, regions, b.busOf(c))
	if sizes != nil {
		m.bound(sizes)
	}
	b.add(m)
}

// busOf makes what stands behind an external memory.
func (b *builder) busOf(c *arch.Component) memoryPort {
	if b.port != nil {
		return b.port(c)
	}
	return b.master(c)
}

// master is what stands at the bus for an external memory.
func (b *builder) master(c *arch.Component) *axiMaster {
	if b.ofMemory == nil {
		b.ofMemory = mastersOf(b.f, b.env)
	}
	a := b.ofMemory[c]
	b.masters = append(b.masters, a)
	return a
}

// mastersOf makes what stands at the buses for the external memories of a fabric. Buses are numbered as arch.Fabric.Masters does.
func mastersOf(f *arch.Fabric, env *environment) map[*arch.Component]*axiMaster {
	out := map[*arch.Component]*axiMaster{}
	for i, m := range f.Masters() {
		if !m.Shared {
			out[m.Memories[0]] = newAXIMaster(m.Memories[0], env, i)
			continue
		}
		s := newSharedBus(m, env, i)
		for k, c := range m.Memories {
			out[c] = s.members[k]
		}
	}
	return out
}

// fill writes the initial contents of a kernel's own memories, as the host does
// before the run.
func (b *builder) fill(bd *mapping.Binding) {
	for _, x := range bd.Contents {
		if x.Mem < 0 || x.Mem >= len(b.f.Comps) || !b.f.Comps[x.Mem].OnChip() {
			b.errs.Errorf(b.f.Pos, "the contents of '%s' of kernel '%s' belong to component %d, which is no on-chip memory", x.Name, bd.Kernel, x.Mem)
			continue
		}
		c := b.f.Comps[x.Mem]
		cells := b.cells[x.Mem]
		switch n := int64(len(x.Data)); {
		case c.Mem.Private:
			b.errs.Errorf(c.Pos, "memory '%s' is private: the host cannot write the contents of '%s' of kernel '%s' there", c.Name, x.Name, bd.Kernel)
		case x.First < 0 || x.First > int64(len(cells)) || n > int64(len(cells))-x.First:
			b.errs.Errorf(c.Pos, "the %d elements of '%s' of kernel '%s' do not fit memory '%s' of %d elements from element %d on",
				n, x.Name, bd.Kernel, c.Name, len(cells), x.First)
		default:
			for i, v := range x.Data {
				cells[x.First+int64(i)] = v & mask(c.Mem.ElemWidth)
			}
		}
	}
}
