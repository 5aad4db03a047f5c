package pass

import "slices"

// Table is a pipeline without its functions, for lists and documents.
type Table struct {
	Name   string       `json:"name"`
	Given  []Fact       `json:"given,omitempty"`
	Passes []Row        `json:"passes"`
	Order  []Constraint `json:"order,omitempty"`
	// Left are the properties that hold behind the last pass.
	Left []Fact `json:"left,omitempty"`
}

// Row is a pass in a Table.
type Row struct {
	Name       string `json:"name"`
	Reason     string `json:"reason"`
	Requires   []Fact `json:"requires,omitempty"`
	Guarantees []Fact `json:"guarantees,omitempty"`
	Ends       []Fact `json:"ends,omitempty"`
}

// Fact is a property: its name, what it means and whether a verifier checks it after
// every pass.
type Fact struct {
	Name    string `json:"name"`
	Means   string `json:"means"`
	Checked bool   `json:"checked"`
}

// Table is the pipeline as data.
func (p *Pipeline[S]) Table() Table {
	t := Table{Name: p.Name, Given: facts(p.Given), Order: p.Order}
	holds := holding[S](slices.Clone(p.Given))
	for _, q := range p.Passes {
		t.Passes = append(t.Passes, Row{q.Name, q.Reason, facts(q.Requires), facts(q.Guarantees), facts(q.Ends)})
		holds = holds.behind(q)
	}
	t.Left = facts(holds)
	return t
}

func facts[S any](list []*Property[S]) []Fact {
	var out []Fact
	for _, p := range list {
		out = append(out, Fact{p.Name, p.Means, p.Check != nil})
	}
	return out
}

// Names are the names of the passes in order.
func (t Table) Names() []string {
	var out []string
	for _, r := range t.Passes {
		out = append(out, r.Name)
	}
	return out
}

// Dumps is the name if this table has such a pass, or if it means all passes, and ""
// if it is that of a pass elsewhere.
func (t Table) Dumps(name string) string {
	if name == "all" || slices.Contains(t.Names(), name) {
		return name
	}
	return ""
}
