package cycle

import (
	"loom/compiler/arch"
	"loom/compiler/config"
)

func init() {
	models[arch.SpatialSwitch] = model{declare: (*builder).declareSwitch, connect: (*builder).connectSwitch}
}

// declareSwitch makes wires of the routes, but for inputs that go to several
// outputs: those are forks.
func (b *builder) declareSwitch(c *arch.Component, set *config.Setting) []feed {
	fs := make([]feed, len(c.Out))
	if !b.checkSwitch(c, set.Switch) {
		return fs
	}
	takers := switchTakers(c, set.Switch)
	for o := range fs {
		i := set.Switch.Route[o]
		switch {
		case i < 0:
			fs[o] = feed{-1, -1, nil}
		case len(takers[i]) == 1:
			fs[o] = feed{-1, i, nil}
		default:
			fs[o] = feed{b.newNet(), -1, nil}
		}
	}
	return fs
}

func (b *builder) checkSwitch(c *arch.Component, s *config.SwitchSetting) bool {
	if s == nil || len(s.Route) != len(c.Out) || len(s.Discard) != len(c.In) {
		b.errs.Errorf(c.Pos, "the setting of switch '%s' does not have its %d outputs and %d inputs", c.Name, len(c.Out), len(c.In))
		return false
	}
	for o, i := range s.Route {
		if i >= len(c.In) || i >= 0 && !c.Switch.Connect[o][i] {
			b.errs.Errorf(c.Pos, "switch '%s' routes input %d to output %d, which are not connected", c.Name, i, o)
			return false
		}
	}
	return true
}

// switchTakers lists the outputs that take each input.
func switchTakers(c *arch.Component, s *config.SwitchSetting) [][]int {
	t := make([][]int, len(c.In))
	for o, i := range s.Route {
		if i >= 0 {
			t[i] = append(t[i], o)
		}
	}
	return t
}

func (b *builder) connectSwitch(c *arch.Component, set *config.Setting) {
	s := set.Switch
	what := "switch '" + c.Name + "'"
	for i, outs := range switchTakers(c, s) {
		n := node{comp: c, what: what, in: []wire{b.input(c, i)}}
		switch {
		case len(outs) > 1:
			for _, o := range outs {
				n.out = append(n.out, b.feeds[c.ID][o].net)
			}
			b.add(&fork{node: n})
		case len(outs) == 0 && !s.Discard[i]:
			b.add(&unrouted{node: n})
		}
	}
}
