package report

import (
	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/mapping"
)

// path is the whole path of an edge: its steps, and the channels between them. An
// edge to a lane goes on to the memory, one from a lane begins there.
type path struct {
	steps    []mapping.Step
	channels []int
	tag      int // of the tokens where a channel has tags, -1 where none has
}

// pathfinder follows edges through a fabric.
type pathfinder struct {
	f     *arch.Fabric
	comps map[string]*arch.Component
	slots map[string][]mapping.Slot
	// memOf and tagOf are the memory and the tag of the lanes in use.
	memOf map[string]*arch.Component
	tagOf map[string]uint64
}

// paths finds the path of every edge. The mapping must have passed the checker; one
// that names what the fabric does not have is an error.
func paths(f *arch.Fabric, m *mapping.Mapping) ([]path, error) {
	w := &pathfinder{f: f, comps: map[string]*arch.Component{}, slots: map[string][]mapping.Slot{},
		memOf: map[string]*arch.Component{}, tagOf: map[string]uint64{}}
	for _, c := range f.Comps {
		w.comps[c.Name] = c
	}
	for _, s := range m.TemporalSwitches {
		w.slots[s.Comp] = s.Slots
	}
	for _, mem := range m.Memories {
		for _, a := range mem.Accesses {
			if a.Comp != mem.Comp {
				w.memOf[a.Comp], w.tagOf[a.Comp] = w.comps[mem.Comp], a.Tag
			}
		}
	}
	out := make([]path, len(m.Edges))
	for i, e := range m.Edges {
		if len(e.Steps) == 0 {
			out[i] = path{[]mapping.Step{}, []int{}, -1}
			continue
		}
		out[i].tag = -1
		for _, s := range []mapping.Step{e.Steps[0], e.Steps[len(e.Steps)-1]} {
			if tag, lane := w.tagOf[s.Comp]; lane {
				out[i].tag = int(tag)
			}
		}
		ok := w.response(e.Steps[0], &out[i]) && w.routed(e.Steps, &out[i]) && w.request(e.Steps[len(e.Steps)-1], &out[i])
		if !ok {
			return nil, diag.New(diag.Pos{}, "edge %d of the mapping follows a path that fabric '%s' does not have", i, f.Name)
		}
	}
	return out, nil
}

// routed adds the steps of an edge and the channels between them.
func (w *pathfinder) routed(steps []mapping.Step, out *path) bool {
	for k, s := range steps {
		if k == 0 && len(out.steps) > 0 {
			out.steps[len(out.steps)-1].Out = s.Out // the lane, where the response has arrived
		} else {
			out.steps = append(out.steps, s)
		}
		if k == len(steps)-1 {
			break
		}
		var ch *arch.Channel
		switch c := w.comps[s.Comp]; {
		case c != nil && s.Out >= 0 && s.Out < len(c.Out):
			ch = c.Out[s.Out].Chan
		case s.Comp == "" && s.Out >= 0 && s.Out < len(w.f.Inputs):
			ch = w.f.Inputs[s.Out].Chan
		}
		if ch == nil {
			return false
		}
		out.channels = append(out.channels, ch.ID)
	}
	return true
}

// response begins the path of an edge from a lane at its memory.
func (w *pathfinder) response(first mapping.Step, out *path) bool {
	mem, used := w.memOf[first.Comp]
	if !used {
		return true
	}
	lane := w.comps[first.Comp]
	if lane == nil || lane.Lane == nil || mem == nil || mem.Mem == nil {
		return false
	}
	port := mem.Mem.StDone
	switch {
	case lane.Kind == arch.LoadLane && first.Out == arch.LoadData:
		port = mem.Mem.LdData
	case lane.Kind == arch.LoadLane:
		port = mem.Mem.LdDone
	}
	out.steps = append(out.steps, mapping.Step{Comp: mem.Name, In: -1, Out: port})
	return w.follow(mem, port, w.tagOf[lane.Name], lane, out)
}

// request goes on from a lane, where an edge ends, to its memory.
func (w *pathfinder) request(last mapping.Step, out *path) bool {
	mem, used := w.memOf[last.Comp]
	if !used {
		return true
	}
	lane := w.comps[last.Comp]
	if lane == nil || lane.Lane == nil || mem == nil {
		return false
	}
	port := arch.LoadReq
	if lane.Kind == arch.StoreLane && last.In == arch.StoreData {
		port = arch.StoreReqData
	}
	out.steps[len(out.steps)-1].Out = port
	return w.follow(lane, port, w.tagOf[lane.Name], mem, out)
}

// follow adds what tokens with a tag pass between an output and a component.
func (w *pathfinder) follow(from *arch.Component, port int, tag uint64, to *arch.Component, out *path) bool {
	for range w.f.Channels {
		if port < 0 || port >= len(from.Out) || from.Out[port].Chan == nil {
			return false
		}
		ch := from.Out[port].Chan
		out.channels = append(out.channels, ch.ID)
		x := ch.Dst.Comp
		switch {
		case x == nil:
			return false
		case x == to:
			out.steps = append(out.steps, mapping.Step{Comp: x.Name, In: ch.Dst.Port, Out: -1})
			return true
		case x.Buffer() > 0:
			port = 0
		case x.Temporal != nil:
			port = w.slotOutput(x, tag, ch.Dst.Port)
		default:
			return false
		}
		out.steps = append(out.steps, mapping.Step{Comp: x.Name, In: ch.Dst.Port, Out: port})
		from = x
	}
	return false
}

// slotOutput is where a temporal switch sends a tag from an input, -1 for nowhere.
func (w *pathfinder) slotOutput(x *arch.Component, tag uint64, in int) int {
	for _, s := range w.slots[x.Name] {
		if s.Tag != tag {
			continue
		}
		for _, r := range s.Routes {
			if r[1] == in {
				return r[0]
			}
		}
	}
	return -1
}
