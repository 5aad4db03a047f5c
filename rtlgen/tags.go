package rtlgen

import (
	"fmt"

	"loom/compiler/arch"
)

// tagOperation makes add_tag, del_tag or map_tag. The payload is as wide as the
// tagged side says; a none without tag has one bit, which the modules know.
func (b *coreBuilder) tagOperation(s *section, c *arch.Component, stem, cfg string) {
	in, out := c.In[0], c.Out[0]
	var module string
	var params, ports []conn
	switch c.Kind {
	case arch.AddTag:
		module = "loom_add_tag"
		params = []conn{{"W", fmt.Sprint(out.Bits())}, {"TW", fmt.Sprint(out.TagWidth)}}
		ports = append(ports, conn{"cfg_tag", b.whole(c, cfg)})
	case arch.DelTag:
		module = "loom_del_tag"
		params = []conn{{"W", fmt.Sprint(in.Bits())}, {"TW", fmt.Sprint(in.TagWidth)}}
	case arch.MapTag:
		module = "loom_map_tag"
		params = []conn{{"W", fmt.Sprint(in.Bits())}, {"TW_IN", fmt.Sprint(in.TagWidth)}, {"TW_OUT", fmt.Sprint(out.TagWidth)},
			{"TABLE_SIZE", fmt.Sprint(c.Map.TableSize)}}
		ports = append(ports, conn{"rst", "dp_rst"}, conn{"cfg_table", b.whole(c, cfg)})
	}
	ports = append(ports, chanPorts("in", b.inputNet(s, stem, in, in.Width))...)
	ports = append(ports, chanPorts("out", b.outputNet(s, stem, out, out.Width))...)
	s.instantiate(instance{Module: module, Name: "u_" + stem, Params: params,
		Ports: append(ports, b.statusPorts(s, stem, false, c.Kind == arch.MapTag)...)})
}

// lane connects the channels that load and store lanes have in common: ports named
// in the order of the component's, done channels to the kernel without data.
func (b *coreBuilder) lane(s *section, c *arch.Component, stem, cfg string, ins, outs []string) []conn {
	ports := append(clocked(), conn{"cfg_tag", b.whole(c, cfg)})
	for i, name := range ins {
		ports = append(ports, chanPorts(name, b.inputNet(s, stem, c.In[i], c.In[i].Width))...)
	}
	for o, name := range outs {
		n := b.outputNet(s, stem, c.Out[o], c.Out[o].Width)
		if name == "done" {
			ports = append(ports, tokenPorts(name, n)...)
			s.assign(n.data, fmt.Sprintf("%d'd0", n.bits()))
			continue
		}
		ports = append(ports, chanPorts(name, n)...)
	}
	return append(ports, b.statusPorts(s, stem, true, false)...)
}

func (b *coreBuilder) loadLane(s *section, c *arch.Component, stem, cfg string) {
	ports := b.lane(s, c, stem, cfg, []string{"addr", "rsp", "done_rsp"}, []string{"req", "data", "done"})
	s.instantiate(instance{Module: "loom_load_lane", Name: "u_" + stem, Ports: ports, Params: []conn{
		{"AW", fmt.Sprint(c.In[arch.LoadAddr].Width)}, {"DW", fmt.Sprint(c.Out[arch.LoadData].Width)},
		{"TW", fmt.Sprint(c.Lane.TagWidth)}, {"DEPTH", fmt.Sprint(c.Lane.Places)}}})
}

func (b *coreBuilder) storeLane(s *section, c *arch.Component, stem, cfg string) {
	ports := b.lane(s, c, stem, cfg, []string{"addr", "data", "done_rsp"}, []string{"staddr", "stdata", "done"})
	s.instantiate(instance{Module: "loom_store_lane", Name: "u_" + stem, Ports: ports, Params: []conn{
		{"AW", fmt.Sprint(c.In[arch.StoreAddr].Width)}, {"DW", fmt.Sprint(c.In[arch.StoreData].Width)},
		{"TW", fmt.Sprint(c.Lane.TagWidth)}, {"LSQ_DEPTH", fmt.Sprint(c.Lane.LSQDepth)}, {"PLACES", fmt.Sprint(c.Lane.Places)}}})
}
