package cycle

import (
	"loom/compiler/arch"
	"loom/sim/trace"
)

// watch derives the events of components from what their channels show. It runs
// only for recorded runs, so that others pay nothing.
type watch struct {
	comps []watched
}

// watched are the channels of one component, and the unit of one that works without them.
type watched struct {
	comp    *arch.Component
	in, out []int
	unit    *temporalPE
}

func newWatch(s *Sim) *watch {
	w := &watch{}
	units := map[*arch.Component]*temporalPE{}
	for _, u := range s.units {
		if t, ok := u.(*temporalPE); ok {
			units[t.comp] = t
		}
	}
	for _, c := range s.fabric.Comps {
		x := watched{comp: c, unit: units[c]}
		for _, p := range c.In {
			if p.Chan != nil {
				x.in = append(x.in, p.Chan.ID)
			}
		}
		for _, p := range c.Out {
			if p.Chan != nil {
				x.out = append(x.out, p.Chan.ID)
			}
		}
		w.comps = append(w.comps, x)
	}
	return w
}

// cycle emits transfers in channel order, then what each component did, in
// component order.
func (w *watch) cycle(s *Sim) {
	for i := range s.states {
		if ch := &s.states[i]; ch.Valid && ch.Ready {
			s.event(trace.Event{Kind: trace.Transfer, Comp: s.fabric.Channels[i].Src.Comp, Channel: i, Data: ch.Data, Tag: ch.Tag})
		}
	}
	for i := range w.comps {
		c := &w.comps[i]
		var moves, waits, offers bool
		for _, id := range c.in {
			ch := &s.states[id]
			moves = moves || ch.Valid && ch.Ready
			waits = waits || ch.Valid && !ch.Ready
		}
		for _, id := range c.out {
			ch := &s.states[id]
			moves = moves || ch.Valid && ch.Ready
			offers = offers || ch.Valid && !ch.Ready
		}
		moves = moves || c.unit != nil && c.unit.works(&s.engine)
		switch {
		case moves:
			s.event(trace.Event{Kind: trace.Fire, Comp: c.comp, Channel: -1})
		case offers:
			s.event(trace.Event{Kind: trace.StallOut, Comp: c.comp, Channel: -1})
		case waits:
			s.event(trace.Event{Kind: trace.StallIn, Comp: c.comp, Channel: -1})
		}
	}
}
