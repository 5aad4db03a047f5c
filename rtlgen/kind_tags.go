package rtlgen

import "loom/compiler/arch"

func init() {
	for _, k := range []arch.Kind{arch.AddTag, arch.DelTag, arch.MapTag} {
		kinds[k] = kind{Errors: k == arch.MapTag, connect: (*generator).tags}
	}
}

// tags connects an operation on tags. A none without tag has one bit, as the modules
// expect.
func (g *generator) tags(x *component) { g.through(x, x.Component.Out[0].Width) }
