package rtlgen

import (
	"fmt"
	"math/bits"

	"loom/compiler/circuit"
)

// BRAMPort is the port of a RAM that serves one access: <Access>_en and _addr, of a load _dout, of a
// store _we and _din.
type BRAMPort struct {
	Array  *circuit.Array
	Access *circuit.Unit
	Store  bool
	// Bits is the width of the address.
	Bits int
}

func init() {
	portStyles[PortsBRAM] = portStyle{
		group: func(w *wrapperBuilder, arrays []*circuit.Array) (any, error) {
			var out []*BRAMPort
			for _, a := range arrays {
				if a.Latency < 1 {
					return nil, &PortsError{"ports", fmt.Sprintf("has no latency of the RAM of '%s'", a.Name)}
				}
				for _, u := range accesses(a) {
					p := &BRAMPort{Array: a, Access: u, Store: u.Kind == circuit.Store, Bits: a.AddrWidth}
					if a.Elements > 0 {
						p.Bits = min(p.Bits, max(1, bits.Len64(uint64(a.Elements-1))))
					}
					what := fmt.Sprintf("%s: a port of the RAM of %s, which answers after %d cycles", u.Access, a.Name, a.Latency)
					if a.Latency == 1 {
						what = fmt.Sprintf("%s: a port of the RAM of %s, which answers in the next cycle", u.Access, a.Name)
					}
					if p.Store {
						what = fmt.Sprintf("%s: a port of the RAM of %s", u.Access, a.Name)
					}
					w.Ports = append(w.Ports, WrapperPort{u.Access + "_en", true, 1, what})
					if p.Store {
						w.Ports = append(w.Ports, WrapperPort{u.Access + "_we", true, 1, ""})
					}
					w.Ports = append(w.Ports, WrapperPort{u.Access + "_addr", true, p.Bits, ""})
					if p.Store {
						w.Ports = append(w.Ports, WrapperPort{u.Access + "_din", true, a.Width, ""})
					} else {
						w.Ports = append(w.Ports, WrapperPort{u.Access + "_dout", false, a.Width, ""})
					}
					out = append(out, p)
				}
			}
			return out, nil
		},
		sign: func(g *PortGroup, _ *DirectSignature, arrays []*DirectArray) {
			for i, a := range g.Arrays {
				for _, p := range g.View.([]*BRAMPort) {
					if p.Array == a {
						arrays[i].RAM = append(arrays[i].RAM, DirectRAM{string(p.Access.Kind), p.Access.Access, p.Bits, a.Latency})
					}
				}
			}
		},
	}
}
