package cycle

import (
	"math/bits"

	"loom/compiler/arch"
	"loom/sim/trace"
)

// watch derives the events of components from what their channels show. It runs
// only for recorded runs, so that others pay nothing, and looks only at channels
// with a token on offer: most of a fabric is idle in most cycles.
type watch struct {
	channels [][]int32         // by net, in their order
	from, to []int32           // by channel: the component, -1 for the boundary
	units    []int32           // components that work without their channels
	works    []*temporalPE     // these
	did      []did             // by component, in this cycle
	active   bitset            // channels on offer
	busy     bitset            // components with something in did
	comps    []*arch.Component // of the fabric
}

// did says what a component does in a cycle.
type did uint8

const (
	moves  did = 1 << iota // a token enters or leaves it
	offers                 // a token of its own is not taken
	waits                  // it does not take a token
)

// event is the kind of the event for what a component does.
func (d did) event() trace.Kind {
	switch {
	case d&moves != 0:
		return trace.Fire
	case d&offers != 0:
		return trace.StallOut
	}
	return trace.StallIn
}

func newWatch(s *Sim) *watch {
	n := len(s.fabric.Comps)
	w := &watch{channels: make([][]int32, len(s.nets)), from: make([]int32, len(s.chans)), to: make([]int32, len(s.chans)),
		did: make([]did, n), active: newBitset(len(s.chans)), busy: newBitset(n), comps: s.fabric.Comps}
	for i, c := range s.chans {
		w.channels[c.net] = append(w.channels[c.net], int32(i))
		w.from[i], w.to[i] = -1, -1
	}
	for i := range s.nets { // constants are on offer from the beginning
		if s.nets[i].valid {
			s.offered.set(int32(i))
		}
	}
	units := map[*arch.Component]*temporalPE{}
	for _, u := range s.units {
		if t, ok := u.(*temporalPE); ok {
			units[t.comp] = t
		}
	}
	for i, c := range w.comps {
		if u := units[c]; u != nil {
			w.units, w.works = append(w.units, int32(i)), append(w.works, u)
		}
		for _, p := range c.In {
			if p.Chan != nil {
				w.to[p.Chan.ID] = int32(i)
			}
		}
		for _, p := range c.Out {
			if p.Chan != nil {
				w.from[p.Chan.ID] = int32(i)
			}
		}
	}
	return w
}

// note adds to what a component does.
func (w *watch) note(comp int32, d did) {
	if comp >= 0 {
		w.did[comp] |= d
		w.busy.set(comp)
	}
}

// cycle emits transfers in channel order, then what each component did, in
// component order.
func (w *watch) cycle(s *Sim) {
	for k, word := range s.offered {
		for ; word != 0; word &= word - 1 {
			for _, i := range w.channels[k<<6+bits.TrailingZeros64(word)] {
				w.active.set(i)
			}
		}
	}
	for k, word := range w.active {
		for ; word != 0; word &= word - 1 {
			i := k<<6 + bits.TrailingZeros64(word)
			if ch := s.state(i); ch.Ready {
				s.event(trace.Event{Kind: trace.Transfer, Comp: s.fabric.Channels[i].Src.Comp, Channel: i, Data: ch.Data, Tag: ch.Tag})
				w.note(w.from[i], moves)
				w.note(w.to[i], moves)
			} else {
				w.note(w.from[i], offers)
				w.note(w.to[i], waits)
			}
		}
	}
	clear(w.active)
	for k, u := range w.works {
		if u.works(&s.engine) {
			w.note(w.units[k], moves)
		}
	}
	for k, word := range w.busy {
		for ; word != 0; word &= word - 1 {
			i := k<<6 + bits.TrailingZeros64(word)
			s.event(trace.Event{Kind: w.did[i].event(), Comp: w.comps[i], Channel: -1})
			w.did[i] = 0
		}
	}
	clear(w.busy)
}
