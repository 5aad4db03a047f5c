package rtlgen

import "loom/compiler/circuit"

// APControl is the block-level protocol of Vitis HLS.
type APControl struct {
	// Scalars are the arguments, Results the results; both are without start and done.
	Scalars, Results []*circuit.Port
	Start, Done      *circuit.Port
}

func init() {
	controls[ControlAP] = control{
		group: func(w *wrapperBuilder) (any, error) {
			in, out := w.Circuit.Inputs, w.Circuit.Outputs
			v := &APControl{Scalars: in[:len(in)-1], Start: in[len(in)-1], Results: out[:len(out)-1], Done: out[len(out)-1]}
			w.Reset = Reset{"rst", true}
			w.Ports = append(w.Ports, WrapperPort{"ap_start", false, 1, "ap_ctrl_hs: ap_start stays until ap_ready, and so do the arguments"},
				WrapperPort{"ap_done", true, 1, ""}, WrapperPort{"ap_idle", true, 1, ""}, WrapperPort{"ap_ready", true, 1, ""})
			for _, b := range w.Bases {
				w.Ports = append(w.Ports, WrapperPort{b.Name, false, 64, "the byte address of the first element of " + b.Array.Name})
			}
			for _, p := range v.Scalars {
				w.Ports = append(w.Ports, WrapperPort{p.Name, false, max(p.Width, 1), p.Name + ": " + p.Type.String()})
			}
			for _, p := range v.Results {
				w.Ports = append(w.Ports, WrapperPort{p.Name, true, max(p.Width, 1), p.Name + ": " + p.Type.String() + ", while its ap_vld is high"},
					WrapperPort{p.Name + "_ap_vld", true, 1, ""})
			}
			w.status()
			return v, nil
		},
		sign: func(*PortGroup, *DirectSignature) {},
	}
}
