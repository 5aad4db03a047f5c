package rtlgen

import "loom/compiler/arch"

func init() {
	kinds[arch.LoadLane] = kind{Idle: true, connect: (*generator).loadLane}
	kinds[arch.StoreLane] = kind{Idle: true, connect: (*generator).storeLane}
}

// lane connects the ports of a load or store lane, named in the order of the
// component's; done channels to the kernel have no data.
func (g *generator) lane(x *component, ins, outs [3]string) {
	for k, name := range ins {
		g.input(x, name, k, x.Component.In[k].Width)
	}
	for k, name := range outs {
		g.output(x, name, k, x.Component.Out[k].Width)
		x.Out[k].Token = name == "done"
	}
}

func (g *generator) loadLane(x *component) {
	g.lane(x, [3]string{"addr", "rsp", "done_rsp"}, [3]string{"req", "data", "done"})
}

func (g *generator) storeLane(x *component) {
	g.lane(x, [3]string{"addr", "data", "done_rsp"}, [3]string{"staddr", "stdata", "done"})
}
