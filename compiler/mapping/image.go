package mapping

import (
	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
)

// Image builds the configuration image that the mapping's settings describe.
// Names and port numbers that the fabric does not have are errors.
func (m *Mapping) Image(f *arch.Fabric) (*config.Image, error) {
	b := imageBuilder{f: f, comps: map[string]*arch.Component{}, img: config.New(config.NewLayout(f))}
	for _, c := range f.Comps {
		b.comps[c.Name] = c
	}
	if have := HashText(b.img.Layout.Hash); m.LayoutHash != have {
		b.errs.Errorf(diag.Pos{}, "the mapping was made for another fabric: layout hash %s, fabric '%s' has %s",
			m.LayoutHash, f.Name, have)
		return nil, b.errs.Err()
	}
	for _, s := range m.Switches {
		b.setSwitch(s)
	}
	for _, p := range m.PEs {
		b.setPE(p)
	}
	for _, p := range m.TemporalPEs {
		b.setTemporalPE(p)
	}
	for _, s := range m.FIFOs {
		if c := b.comp(s.Comp, arch.FIFO); c != nil {
			b.img.Settings[c.ID].Bypassed = s.Bypassed
		}
	}
	for _, r := range m.Regions {
		b.setRegion(r)
	}
	for _, s := range m.TemporalSwitches {
		b.setTemporal(s)
	}
	for _, t := range m.Tags {
		if c := b.comp(t.Comp, arch.LoadLane, arch.StoreLane, arch.AddTag); c != nil {
			b.img.Settings[c.ID].Tag = t.Tag
		}
	}
	if err := b.errs.Err(); err != nil {
		return nil, err
	}
	if err := b.img.Check(); err != nil {
		return nil, err
	}
	return b.img, nil
}

type imageBuilder struct {
	f     *arch.Fabric
	comps map[string]*arch.Component
	img   *config.Image
	errs  diag.List
}

// comp finds a component of one of the kinds by name.
func (b *imageBuilder) comp(name string, kinds ...arch.Kind) *arch.Component {
	c := b.comps[name]
	if c == nil {
		b.errs.Errorf(diag.Pos{}, "the mapping configures '%s', which fabric '%s' does not have", name, b.f.Name)
		return nil
	}
	for _, k := range kinds {
		if c.Kind == k {
			return c
		}
	}
	b.errs.Errorf(diag.Pos{}, "the mapping configures '%s' as %s, in fabric '%s' it is a %s", name, kinds[0], b.f.Name, c.Kind)
	return nil
}

func (b *imageBuilder) setTemporalPE(p TemporalPE) {
	c := b.comp(p.Comp, arch.TemporalPE)
	if c == nil {
		return
	}
	set := b.img.Settings[c.ID].TPE
	for _, in := range p.Instructions {
		if in.Number < 0 || in.Number >= len(set.Instructions) {
			b.errs.Errorf(diag.Pos{}, "temporal PE '%s' has no instruction %d", p.Comp, in.Number)
			continue
		}
		x := config.Instruction{Valid: true, Opcode: in.Opcode, Constant: in.Constant}
		for k, o := range in.Operands {
			x.Operands[k] = config.Operand(o)
		}
		for _, f := range in.Fields {
			if f.Name == "predicate" {
				x.Predicate = uint64(f.Value)
			}
		}
		set.Instructions[in.Number] = x
	}
	for _, r := range p.Outputs {
		switch o := r[0]; {
		case o < 0 || o >= len(set.Outputs):
			b.errs.Errorf(diag.Pos{}, "temporal PE '%s' has no output %d", p.Comp, o)
		case set.Outputs[o] >= 0:
			b.errs.Errorf(diag.Pos{}, "output %d of temporal PE '%s' has two sources", o, p.Comp)
		default:
			set.Outputs[o] = r[1]
		}
	}
	if len(p.Constants) > len(set.Constants) {
		b.errs.Errorf(diag.Pos{}, "temporal PE '%s' has %d constants, not %d", p.Comp, len(set.Constants), len(p.Constants))
		return
	}
	for k, v := range p.Constants {
		set.Constants[k] = uint64(v)
	}
}

func (b *imageBuilder) setSwitch(s Switch) {
	c := b.comp(s.Comp, arch.SpatialSwitch)
	if c == nil {
		return
	}
	set := b.img.Settings[c.ID].Switch
	for _, r := range s.Routes {
		o, i := r[0], r[1]
		if o < 0 || o >= len(c.Out) || i < 0 || i >= len(c.In) {
			b.errs.Errorf(diag.Pos{}, "switch '%s' has no route from input %d to output %d", s.Comp, i, o)
			continue
		}
		if set.Route[o] >= 0 {
			b.errs.Errorf(diag.Pos{}, "switch '%s' routes inputs %d and %d to output %d, which takes one", s.Comp, set.Route[o], i, o)
			continue
		}
		set.Route[o] = i
	}
	for _, i := range s.Discard {
		if i < 0 || i >= len(c.In) {
			b.errs.Errorf(diag.Pos{}, "switch '%s' has no input %d to discard", s.Comp, i)
			continue
		}
		set.Discard[i] = true
	}
}

func (s Selector) config() config.Selector {
	return config.Selector{Sel: s.Sel, Discard: s.Discard, Disconnect: s.Disconnect, Immediate: s.Immediate, Value: uint64(s.Value)}
}

func (b *imageBuilder) setPE(p PE) {
	c := b.comp(p.Comp, arch.SpatialPE)
	if c == nil {
		return
	}
	set := b.img.Settings[c.ID].PE
	if p.Opcode < 0 || p.Opcode >= len(c.PE.FUs) || len(p.In) != len(set.In) || len(p.Out) != len(set.Out) {
		b.errs.Errorf(diag.Pos{}, "the setting of PE '%s' does not fit its function units", p.Comp)
		return
	}
	set.Enable, set.Opcode = true, p.Opcode
	for i, s := range p.In {
		set.In[i] = s.config()
	}
	for i, s := range p.Out {
		set.Out[i] = s.config()
	}
	set.Fields = make([]uint64, len(p.Fields))
	for i, fd := range p.Fields {
		set.Fields[i] = uint64(fd.Value)
	}
}

func (b *imageBuilder) setRegion(r Region) {
	c := b.comp(r.Comp, arch.ExtMemory, arch.Memory)
	if c == nil {
		return
	}
	regions := b.img.Settings[c.ID].Regions
	if r.Region < 0 || r.Region >= len(regions) {
		b.errs.Errorf(diag.Pos{}, "memory '%s' has no region %d", r.Comp, r.Region)
		return
	}
	regions[r.Region] = config.Region{Valid: true, StartTag: r.StartTag, EndTag: r.EndTag, Offset: uint64(r.Offset), Cached: r.Cached}
}

func (b *imageBuilder) setTemporal(s TemporalSwitch) {
	c := b.comp(s.Comp, arch.TemporalSwitch)
	if c == nil {
		return
	}
	slots := b.img.Settings[c.ID].Slots
	if len(s.Slots) > len(slots) {
		b.errs.Errorf(diag.Pos{}, "temporal switch '%s' has %d slots, the mapping needs %d", s.Comp, len(slots), len(s.Slots))
		return
	}
	for k, slot := range s.Slots {
		slots[k] = config.Slot{Valid: true, Tag: slot.Tag}
		for _, r := range slot.Routes {
			slots[k].Routes = append(slots[k].Routes, [2]int(r))
		}
	}
}
