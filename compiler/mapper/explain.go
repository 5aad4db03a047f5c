package mapper

import (
	"fmt"
	"sort"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/mapper/route"
	"loom/compiler/mapper/tech"
)

// Unroutable is the error of Map for a graph whose routes were not found.
type Unroutable struct {
	// List are the findings for a person.
	List *diag.List
	// Tokens is set if all congested tracks are of the narrowest of several networks.
	Tokens bool
}

// Error returns the text of the findings.
func (u *Unroutable) Error() string { return u.List.Error() }

// Unwrap returns the findings.
func (u *Unroutable) Unwrap() error { return u.List }

// outOfTime reports that the wall-clock budget ran out.
func (m *mapper) outOfTime() error {
	var errs diag.List
	errs.Errorf(m.Fn.Pos, errBudget, m.opts.Budget).
		WithHelp("raise --budget, or use a larger fabric; a budget that leaves time for all of the search changes no mapping")
	return &Unroutable{List: &errs}
}

// explain reports why no attempt routed: from the one that came closest.
func (m *mapper) explain(results []*attempt) error {
	var best *attempt
	for _, a := range results {
		if a == nil || a.fail.Stopped {
			return m.outOfTime()
		}
		if best == nil || worse(best.fail, a.fail) {
			best = a
		}
	}
	var errs diag.List
	if len(best.fail.Unreachable) > 0 {
		m.explainUnreachable(best, &errs)
		return &Unroutable{List: &errs}
	}
	m.explainCongestion(best, &errs)
	return &Unroutable{List: &errs, Tokens: m.tokensCongested(best)}
}

// tokensCongested reports whether no wider network lacks tracks.
func (m *mapper) tokensCongested(a *attempt) bool {
	narrow, several := m.graph.Narrowest()
	for _, o := range a.fail.Overused {
		several = several && m.graph.Tracks[o.Track].Width <= narrow
	}
	return several
}

// worse reports whether a is further from success than b.
func worse(a, b *route.Failure) bool {
	if x, y := len(a.Unreachable), len(b.Unreachable); x != y {
		return x > y
	}
	return len(a.Overused) > len(b.Overused)
}

// netName names a net by what makes it.
func (m *mapper) netName(n int) string { return m.Nodes[m.Nets[n].Src.Node].Name }

func (m *mapper) explainUnreachable(a *attempt, errs *diag.List) {
	for _, u := range a.fail.Unreachable {
		net := m.Nets[u[0]]
		s := net.Sinks[u[1]]
		reader := m.Nodes[s.Node]
		d := errs.Errorf(m.Nodes[net.Src.Node].Pos, "no path through fabric '%s' with %s leads from %s at %s to %s at %s",
			m.Fabric.Name, bits(net.Width), m.netName(u[0]), m.siteName(a.site[net.Src.Node]), reader.Name, m.siteName(a.site[s.Node]))
		if reader.Pos.IsValid() {
			d.WithNote(reader.Pos, "read here")
		}
		d.WithHelp("connect the two through switches with channels of at least %s; a value leaves its PE at one port, from which all its readers must be within reach", bits(net.Width))
	}
}

func bits(n int) string {
	if n == 1 {
		return "1 bit"
	}
	return fmt.Sprintf("%d bits", n)
}

// siteName names a site in messages.
func (m *mapper) siteName(s int) string {
	site := m.Sites[s]
	switch site.Kind {
	case tech.ArgIn:
		return "boundary input '" + m.Fabric.Inputs[site.Index].Name + "'"
	case tech.ResOut:
		return "boundary output '" + m.Fabric.Outputs[site.Index].Name + "'"
	}
	return fmt.Sprintf("%s '%s'", site.Comp.Kind, site.Comp.Name)
}

// endName names the end of a track.
func (m *mapper) endName(e arch.Endpoint, source bool) string {
	switch {
	case e.Comp != nil:
		return "'" + e.Comp.Name + "'"
	case source:
		return "boundary input '" + m.Fabric.Inputs[e.Port].Name + "'"
	case e.Port < 0:
		return "nothing"
	}
	return "boundary output '" + m.Fabric.Outputs[e.Port].Name + "'"
}

func (m *mapper) explainCongestion(a *attempt, errs *diag.List) {
	over := append([]route.Overuse(nil), a.fail.Overused...)
	sort.SliceStable(over, func(i, j int) bool { return len(over[i].Nets) > len(over[j].Nets) })
	units, pes := 0, 0
	for _, nd := range m.Nodes {
		if nd.Kind == tech.Unit && m.counts(nd.ID, a.site) {
			units++
		}
	}
	for _, s := range m.Sites {
		if s.Kind == tech.Unit && s.Comp.GeneralPE() {
			pes++
		}
	}
	d := errs.Errorf(m.Fn.Pos, "kernel '%s' cannot be routed on fabric '%s': in the best of %d placements %d tracks are wanted by more than one value",
		m.Fn.SymName(), m.Fabric.Name, m.opts.Effort.Attempts, len(over))
	places := "PEs"
	if m.problem.Cluster != nil {
		places = "PEs and instructions of temporal PEs"
	}
	d.WithNote(diag.Pos{}, "%d of %d %s are in use", units, pes, places)
	const most = 8
	for i, o := range over {
		if i == most {
			d.WithNote(diag.Pos{}, "… and %d more tracks", len(over)-most)
			break
		}
		t := m.graph.Tracks[o.Track]
		msg := fmt.Sprintf("from %s to %s, wanted by", m.endName(t.Src, true), m.endName(t.Dst, false))
		for k, n := range o.Nets {
			if k > 0 {
				msg += ","
			}
			msg += " " + m.netName(n)
		}
		d.WithNote(m.Nodes[m.Nets[o.Nets[0]].Src.Node].Pos, "%s", msg)
	}
	d.WithHelp("use a larger fabric, or one with more tracks per link; a different --seed may help when few tracks are congested")
}
