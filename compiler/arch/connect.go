package arch

import (
	"fmt"

	"loom/compiler/ir"
)

// This file makes the channels of a flattened fabric: every input is traced
// through module boundaries to the output that drives it.

// connect makes the channels: in the order of their sources, boundary inputs
// first, then the outputs of the components.
func (f *flattener) connect() {
	taker := map[source]Endpoint{}
	for _, k := range f.sinks {
		src, ok := f.resolve(k.scope, k.value, 0)
		if !ok {
			return
		}
		if first, taken := taker[src]; taken {
			// The verifier has seen this already where it is visible in one module.
			f.errs.Errorf(k.value.Pos(), "one output drives both %s and %s", f.endpointName(first), f.endpointName(k.at)).
				WithSymbol("CPL_MODULE_FANOUT").WithHelp("only a switch can send one stream to several inputs")
			return
		}
		taker[src] = k.at
	}
	fab := f.out
	add := func(name string, src Endpoint, width, tagWidth int, dst Endpoint) *Channel {
		ch := &Channel{ID: len(fab.Channels), Name: f.names.Unique(name), Src: src, Dst: dst, Width: width, TagWidth: tagWidth}
		fab.Channels = append(fab.Channels, ch)
		switch {
		case dst.Comp != nil:
			dst.Comp.In[dst.Port].Chan = ch
		case dst.Port >= 0:
			fab.Outputs[dst.Port].Chan = ch
		}
		return ch
	}
	for i, b := range fab.Inputs {
		if dst, ok := taker[source{port: i}]; ok {
			b.Chan = add(b.Name+"_in", Endpoint{Port: i}, b.Width, 0, dst)
		}
	}
	for _, c := range fab.Comps {
		for i := range c.Out {
			p := &c.Out[i]
			dst, ok := taker[source{comp: c, port: i}]
			if !ok {
				dst = Endpoint{Port: -1}
			}
			p.Chan = add(c.Name+"_"+p.Name, Endpoint{c, i}, p.Width, p.TagWidth, dst)
		}
	}
}

func (f *flattener) endpointName(e Endpoint) string {
	switch {
	case e.Comp != nil:
		return fmt.Sprintf("input '%s' of %s '%s'", e.Comp.In[e.Port].Name, e.Comp.Kind, e.Comp.Name)
	default:
		return fmt.Sprintf("boundary output '%s'", f.out.Outputs[e.Port].Name)
	}
}

// resolve follows a value through module boundaries to what drives it.
func (f *flattener) resolve(s *scope, v *ir.Value, depth int) (source, bool) {
	for ; depth < maxDepth*maxDepth; depth++ {
		if v.Def == nil { // an argument of the module around
			if s.parent == nil {
				return rootArg(v), true
			}
			s, v = s.parent, s.inst.Operand(v.Index)
			continue
		}
		if child := f.children[scopeOp{s, v.Def}]; child != nil {
			s, v = child, child.module.Regions[0].Entry().Terminator().Operand(v.Index)
			continue
		}
		c := f.comps[scopeOp{s, v.Def}]
		if c == nil {
			f.errs.Errorf(v.Def.Pos, "'%s' drives nothing that can be connected here", v.Def.Name)
			return source{}, false
		}
		port := v.Index
		if _, ok := v.Def.Result(0).Type.(*ir.MemRefType); ok {
			port--
		}
		return source{comp: c, port: port}, true
	}
	f.errs.Errorf(v.Pos(), "a wire through module boundaries leads back to itself").WithSymbol("CPL_MODULE_COMBINATIONAL_LOOP")
	return source{}, false
}

// rootArg numbers an argument of the root among the memrefs or the channels.
func rootArg(v *ir.Value) source {
	_, mem := v.Type.(*ir.MemRefType)
	n := 0
	for _, a := range v.Block.Args[:v.Index] {
		if _, m := a.Type.(*ir.MemRefType); m == mem {
			n++
		}
	}
	return source{port: n, mem: mem}
}

// bindMemories finds the memref argument of each external memory.
func (f *flattener) bindMemories() {
	for _, so := range f.mems {
		src, ok := f.resolve(so.s, so.op.Operand(0), 0)
		if !ok {
			return
		}
		if !src.mem {
			f.errs.Errorf(so.op.Pos, "the memref of this external memory is not a memref input of the fabric").
				WithSymbol("CPL_MEMORY_EXTMEM_BINDING")
			return
		}
		f.comps[so].Mem.MemPort = src.port
	}
}
