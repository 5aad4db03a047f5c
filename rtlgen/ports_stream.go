package rtlgen

import (
	"fmt"

	"loom/compiler/circuit"
)

// StreamPort is an array that is an AXI4-Stream: <Array>_tvalid, _tready, _tdata, and of one that
// leaves the circuit _tlast.
type StreamPort struct {
	Array  *circuit.Array
	Access *circuit.Unit
	Store  bool
	// Bits is the width of tdata, whole bytes; an element is in its low bits.
	Bits int
	// End and Ended are the done token of the run before and behind the last beat of a store.
	End, Ended string
}

// Beat is the wire with the element of a store.
func (s *StreamPort) Beat() string { return s.Array.Name + "_beat" }

func init() {
	portStyles[PortsStream] = portStyle{
		group: func(w *wrapperBuilder, arrays []*circuit.Array) (any, error) {
			var out []*StreamPort
			done := w.Circuit.Outputs[len(w.Circuit.Outputs)-1].Name
			for _, a := range arrays {
				for _, u := range accesses(a) {
					s := &StreamPort{Array: a, Access: u, Store: u.Kind == circuit.Store, Bits: (a.Width + 7) / 8 * 8}
					what := fmt.Sprintf("%s: %s as AXI4-Stream, element after element", a.Name, a.Elem)
					w.Ports = append(w.Ports, WrapperPort{a.Name + "_tvalid", s.Store, 1, what}, WrapperPort{a.Name + "_tready", !s.Store, 1, ""},
						WrapperPort{a.Name + "_tdata", s.Store, s.Bits, ""})
					if s.Store {
						w.Ports = append(w.Ports, WrapperPort{a.Name + "_tlast", true, 1, ""})
						s.End, s.Ended = w.intercept(done, a.Name)
					}
					out = append(out, s)
				}
			}
			return out, nil
		},
		sign: func(g *PortGroup, _ *DirectSignature, arrays []*DirectArray) {
			for _, s := range g.View.([]*StreamPort) {
				for i, a := range g.Arrays {
					if a == s.Array {
						direction := "in"
						if s.Store {
							direction = "out"
						}
						arrays[i].Stream = &DirectStream{a.Name, direction, s.Bits}
					}
				}
			}
		},
	}
}
