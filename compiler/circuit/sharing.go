package circuit

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// sharing is what decides which units can share one: how often each works, and which never
// work at the same time.
type sharing struct {
	c *Circuit
	o Options
	// schedule is that of the circuit without sharing.
	*schedule
	period map[End]int // by loop: cycles between iterations
	ends   map[region]map[*Unit]bool
	begins map[region]map[*Unit]bool
}

// region is a unit or a loop, in a loop around it.
type region struct {
	unit   *Unit
	loop   End
	around End
}

// long is the number of iterations of a loop in no other one, where it is not known: such a loop
// takes most of the run.
const long = 1000

// tolerated is the part of its time that a loop may lose: one of so many cycles.
const tolerated = 100

func newSharing(c *Circuit, o Options) *sharing {
	p := &sharing{c: c, o: o, period: map[End]int{}, ends: map[region]map[*Unit]bool{}, begins: map[region]map[*Unit]bool{}}
	p.schedule = p.solved()
	return p
}

// solved is the schedule of the circuit as it will be: with its loops cut.
func (p *sharing) solved() *schedule {
	cutLoops(p.c)
	defer func() {
		for _, ch := range p.c.Channels {
			ch.Buffer = Buffer{}
		}
	}()
	s := newSchedule(p.c, p.o)
	s.solve()
	return s
}

// asFast reports whether no loop takes noticeably longer now that units are shared.
func (p *sharing) asFast() bool {
	s := p.solved()
	return !s.loose() && maps.EqualFunc(p.ii, s.ii, func(before, now int) bool { return now <= before+before/tolerated })
}

// cyclesBetween is how many cycles lie between two iterations of a loop, at least: its interval, or
// what a divider in it takes, where all iterations do the same; else what the loops inside take.
func (p *sharing) cyclesBetween(l End) int {
	if n, ok := p.period[l]; ok {
		return n
	}
	n := 1
	p.period[l] = n // until known
	for _, x := range p.order {
		if x != l && p.parent[x] == l {
			n = max(n, p.iterations(x)*p.cyclesBetween(x))
		}
	}
	if l != outside && !p.chooses(l) {
		n = max(n, p.ii[l])
		for _, u := range p.c.Units {
			if p.home[u.ID] == l && u.Kind == Divide {
				n = max(n, u.Latency)
			}
		}
	}
	p.period[l] = n
	return n
}

// iterations is how often a loop runs each time, as far as is known.
func (p *sharing) iterations(l End) int {
	if u := l.Unit; u != nil && u.Kind == Stream && l.Port == 1 {
		if n, known := trips(u); known {
			return max(1, n)
		}
	}
	if p.parent[l] == outside {
		return long
	}
	return assumedTrips
}

// spare is for how many cycles the result of a unit may come later without a loss: of the time
// of its loop each time, where its iterations overlap, else of an iteration.
func (p *sharing) spare(u *Unit) int {
	l := p.home[u.ID]
	if l == outside {
		return 0 // how long a run takes is not known
	}
	if !slices.ContainsFunc(p.order, func(x End) bool { return p.parent[x] == l }) {
		return p.iterations(l) * p.cyclesBetween(l) / tolerated
	}
	return p.cyclesBetween(l) / tolerated
}

// join makes a unit a client of a share if the share has time for it.
func (p *sharing) join(s *Share, u *Unit) bool {
	module, _ := u.shareable()
	if module != s.Module || len(s.Clients) == maxClients {
		return false
	}
	members := append(append([]*Client(nil), s.Clients...), &Client{Unit: u})
	busy := s.occupancy()
	for i, x := range members {
		x := *x
		members[i] = &x
		at := p.home[x.Unit.ID]
		// demand is of those who may want the unit at the same time, in parts of 1/1000.
		demand, together := 0, true
		x.Wait = 0
		for _, y := range members {
			switch {
			case y.Unit != x.Unit && p.exclusive(x.Unit, y.Unit):
				continue
			case y.Unit != x.Unit:
				x.Wait += busy
			}
			if l := p.home[y.Unit.ID]; l != outside {
				demand += 1000 * busy / p.cyclesBetween(l)
			}
			together = together && p.home[y.Unit.ID] == at
		}
		// Units of one loop want it equally often, so that they find their turns; others meet
		// at any time.
		if !p.o.ShareAll && x.Wait > 0 && (demand > 1000 || !together && demand > 750) {
			return false
		}
		own := x.Unit.Latency
		x.Bypass = true
		later := s.Latency() + x.Wait - own
		if later > p.spare(x.Unit) && !p.o.ShareAll {
			return false
		}
		x.Bypass = later+1 > p.spare(x.Unit)
		// As many credits as results are wanted in the time from a request to the cycle after its
		// result has left.
		trip := s.Latency() + x.Wait + 1
		if !x.Bypass {
			trip++
		}
		every := max(busy, p.cyclesBetween(at))
		if at == outside {
			every = longest
		}
		if x.Credits = (trip + every - 1) / every; x.Credits > 1 {
			x.Credits = min(max(x.Credits, 3), 255) // distributed RAM, smaller than two slots of registers
		}
	}
	s.Clients = members
	return true
}

// exclusive reports whether two units never work at the same time.
func (p *sharing) exclusive(a, b *Unit) bool {
	x, y := p.apart(a, b)
	if p.after(x)[b] && (x.around == outside || p.next(y)[a]) {
		return true
	}
	return p.after(y)[a] && (x.around == outside || p.next(x)[b])
}

// apart are the largest regions, each with one of two units: within the innermost loop around
// both.
func (p *sharing) apart(a, b *Unit) (region, region) {
	chain := func(u *Unit) []End {
		var out []End
		for l := p.home[u.ID]; l != outside && len(out) <= len(p.c.Units); l = p.parent[l] {
			out = append([]End{l}, out...)
		}
		return out
	}
	x, y := chain(a), chain(b)
	around := outside
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		around, x, y = x[0], x[1:], y[1:]
	}
	one := func(u *Unit, rest []End) region {
		if len(rest) > 0 {
			return region{loop: rest[0], around: around}
		}
		return region{unit: u, around: around}
	}
	return one(a, x), one(b, y)
}

// results are the channels with which a region ends.
func (p *sharing) results(r region) []*Channel {
	if r.unit != nil {
		return r.unit.Out
	}
	var out []*Channel
	for _, u := range p.c.Units {
		if raw, ok := p.loops.exits(u); ok && raw == r.loop {
			out = append(out, u.Out[1])
		}
		if raw, ok := p.loops.of(u); ok && u.Kind == Accumulate && raw == r.loop {
			out = append(out, u.Out[0])
		}
	}
	return out
}

// after are the units that begin, in an iteration of the loop around a region, when the region
// has ended.
func (p *sharing) after(r region) map[*Unit]bool {
	if p.ends[r] == nil {
		p.ends[r], _ = p.reach(p.results(r), r.around)
	}
	return p.ends[r]
}

// next are the units that begin in the next iteration when the region has ended in the one
// before.
func (p *sharing) next(r region) map[*Unit]bool {
	if p.begins[r] == nil {
		_, crossing := p.reach(p.results(r), r.around)
		var from []*Channel
		for _, u := range crossing {
			from = append(from, u.Out...)
		}
		p.begins[r], _ = p.reach(from, r.around)
	}
	return p.begins[r]
}

// reach finds the units whose first firing waits for one of some channels. What reaches a carry
// or an invariant as a condition or as its next value, or an interlock as the subscript of a store, is there for the next iteration: where
// that is one of the loop around, the unit is in crossing; of a loop after the channels the end
// waits for it.
func (p *sharing) reach(from []*Channel, around End) (units map[*Unit]bool, crossing []*Unit) {
	units = map[*Unit]bool{}
	crossed := map[*Unit]bool{}
	// later is the loop from whose second iteration on the tokens wait; outside: all of them.
	type visit struct {
		ch    *Channel
		later End
	}
	var open []visit
	seen := map[visit]bool{}
	push := func(ch *Channel, later End) {
		if v := (visit{ch, later}); ch != nil && ch.To.Unit != nil && !seen[v] && !seen[visit{ch, outside}] {
			seen[v] = true
			open = append(open, v)
		}
	}
	for _, ch := range from {
		push(ch, outside)
	}
	for len(open) > 0 {
		v := open[len(open)-1]
		open = open[:len(open)-1]
		u, later := v.ch.To.Unit, v.later
		if isDone(v.ch) {
			continue // only a load of the same element waits for what is done
		}
		if u.Kind == Carry && v.ch.To.Port != 1 || u.Kind == Invariant && v.ch.To.Port != 1 || u.Kind == Interlock && v.ch.To.Port == 1 {
			later = p.home[u.ID]
			if later == around {
				if !crossed[u] {
					crossed[u] = true
					crossing = append(crossing, u)
				}
				continue
			}
		}
		if later == outside {
			units[u] = true
		}
		for i, out := range u.Out {
			raw, leaves := p.loops.exits(u)
			leaves = leaves && i == 1
			if u.Kind == Accumulate {
				raw, leaves = p.loops.of(u)
			}
			if leaves && later != outside && p.inside(later, raw) {
				push(out, outside)
			} else {
				push(out, later)
			}
		}
	}
	return units, crossing
}

// reason says why the clients of a share do not need a unit each.
func (p *sharing) reason(s *Share) string {
	var waits []string
	apart := true
	for _, x := range s.Clients {
		if x.Wait > 0 {
			apart = false
			l := p.home[x.Unit.ID]
			if l == outside {
				waits = append(waits, fmt.Sprintf("%s once per run", x.Unit.Name))
			} else {
				waits = append(waits, fmt.Sprintf("%s every %d cycles", x.Unit.Name, p.cyclesBetween(l)))
			}
		}
	}
	if apart {
		return fmt.Sprintf("no two of them work at the same time; saves some %d LUT", s.saves())
	}
	return fmt.Sprintf("it has time for all: %s, at most; saves some %d LUT", strings.Join(waits, ", "), s.saves())
}
