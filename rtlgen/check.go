package rtlgen

import (
	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// maxWidth is the widest channel the generator makes hardware for.
const maxWidth = 64

// checkFabric reports everything in a fabric that has no hardware yet. What the
// fabric verifier refuses is not checked again, except where the generator
// would fail on it.
func checkFabric(f *arch.Fabric, errs *diag.List) {
	for _, ch := range f.Channels {
		if ch.Width > maxWidth {
			errs.Errorf(f.Pos, "channel '%s' is %d bits wide; the generator supports up to %d", ch.Name, ch.Width, maxWidth).
				WithHelp("use narrower transport types")
		}
	}
	for _, b := range append(append([]*arch.Boundary(nil), f.Inputs...), f.Outputs...) {
		if _, tagged := b.Type.(*ir.TaggedType); tagged {
			errs.Errorf(f.Pos, "boundary port '%s' is tagged; tags cannot leave a fabric yet", b.Name)
		}
	}
	checkMasters(f, errs)
	for _, c := range f.Comps {
		if check := kinds[c.Kind].check; check != nil {
			check(c, errs)
		}
	}
}

// checkMasters refuses AXI4 masters whose ports would have the same names.
func checkMasters(f *arch.Fabric, errs *diag.List) {
	owner := map[string]*arch.Master{}
	for _, m := range f.Masters() {
		name := arch.LegalName(m.Name)
		if owner[name] != nil {
			errs.Errorf(m.Memories[0].Pos, "there are two AXI4 masters with ports m_axi_%s_…: that of memory '%s' and one that memories share", name, owner[name].Memories[0].Name).
				WithHelp("give 'axi_master' another name than that of a memory")
		}
		owner[name] = m
	}
}

// checkUntagged refuses ports with tags at a kind that has none.
func checkUntagged(c *arch.Component, errs *diag.List) {
	for _, p := range append(append([]arch.Port(nil), c.In...), c.Out...) {
		if p.TagWidth > 0 {
			errs.Errorf(c.Pos, "port '%s' of %s '%s' is tagged, which cannot be generated yet", p.Name, c.Kind, c.Name)
		}
	}
}
