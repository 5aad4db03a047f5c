package rtlgen

import "loom/compiler/circuit"

// Memory ports and channels are those of the core: the wrapper passes them through.

func init() {
	portStyles[PortsMemory] = portStyle{
		group: func(w *wrapperBuilder, arrays []*circuit.Array) (any, error) {
			for _, a := range arrays {
				for _, u := range accesses(a) {
					w.pass(u.Access+"_req_valid", u.Access+"_req_ready", u.Access+"_req_addr", u.Access+"_req_data")
					w.channel(u.Access + "_rsp")
				}
			}
			return nil, nil
		},
		sign: func(g *PortGroup, _ *DirectSignature, arrays []*DirectArray) {
			for i, a := range g.Arrays {
				for _, u := range accesses(a) {
					arrays[i].Accesses = append(arrays[i].Accesses, DirectAccess{string(u.Kind), u.Access})
				}
			}
		},
	}
	controls[ControlChannels] = control{
		group: func(w *wrapperBuilder) (any, error) {
			w.Reset = Reset{"rst", true}
			for _, b := range w.Bases {
				w.Ports = append(w.Ports, WrapperPort{b.Name, false, 64, "the byte address of the first element of " + b.Array.Name + ", constant while a run is busy"})
			}
			for _, p := range w.Circuit.Inputs {
				w.channel(p.Name)
			}
			for _, p := range w.Circuit.Outputs {
				w.channel(p.Name)
			}
			w.status()
			return nil, nil
		},
		sign: func(*PortGroup, *DirectSignature) {},
	}
}

// status adds the ports that report errors of buses.
func (w *wrapperBuilder) status() {
	if len(w.Errors) > 0 {
		w.Ports = append(w.Ports, WrapperPort{"error_valid", true, 1, "the first error since reset: its code as in docs/errors.md"},
			WrapperPort{"error_code", true, 16, ""})
	}
	if len(w.Busy) > 0 {
		w.Ports = append(w.Ports, WrapperPort{"idle", true, 1, "no access on a bus"})
	}
}

// accesses are the loads of an array, then its stores.
func accesses(a *circuit.Array) []*circuit.Unit {
	return append(append([]*circuit.Unit(nil), a.Loads...), a.Stores...)
}
