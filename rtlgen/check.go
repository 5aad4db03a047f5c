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
	for _, c := range f.Comps {
		if check := kinds[c.Kind].check; check != nil {
			check(c, errs)
		}
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
