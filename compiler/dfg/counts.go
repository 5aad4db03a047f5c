package dfg

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// Counts are the token counts of a valid graph, for passes that change it. They describe the
// graph as it was: a pass that goes on after a change asks again.
type Counts struct {
	v *verifier
	s *solver
}

// CountsOf solves the token counts of a graph.
func CountsOf(fn *ir.Operation) *Counts {
	v := newVerifier(fn, &diag.List{})
	v.signature()
	v.memories()
	v.conditions()
	v.solved = v.rates()
	return &Counts{v, v.solved}
}

// Once reports whether a value has one token per start of the graph.
func (c *Counts) Once(w *ir.Value) bool {
	k := c.s.of(w)
	return k.known && k.rate.kind == rateEntry
}

// Site is where tokens of a value come from: the function, or a side of the branch or a part
// of the loop that Cond steers.
type Site struct {
	Kind SiteKind
	Cond *ir.Value
}

// SiteKind is what a value has a token for.
type SiteKind string

// The kinds of sites.
const (
	NoSite  SiteKind = ""          // not known
	AtStart SiteKind = "start"     // every start of the graph
	IfTrue  SiteKind = "then"      // every time the condition of a branch holds
	IfFalse SiteKind = "else"      // … does not
	AtTest  SiteKind = "test"      // every test of a loop
	InBody  SiteKind = "iteration" // every iteration of a loop
	Again   SiteKind = "again"     // every iteration but the last
)

var sites = map[rateKind]SiteKind{
	rateEntry: AtStart, rateThen: IfTrue, rateElse: IfFalse, rateRaw: AtTest, rateBody: InBody, rateAgain: Again,
}

// Site returns what a value has a token for.
func (c *Counts) Site(w *ir.Value) Site {
	k := c.s.of(w)
	if !k.known {
		return Site{}
	}
	return Site{sites[k.rate.kind], k.rate.of}
}

// Around returns what the activations of a loop are counted by: the site of the region that
// the loop with this raw condition stands in.
func (c *Counts) Around(raw *ir.Value) Site {
	k := c.s.parent(raw)
	if !k.known {
		return Site{}
	}
	return Site{sites[k.rate.kind], k.rate.of}
}

// Awaited are the values of a direct circuit's graph that the return waits for: when the graph
// is done, their last token has arrived.
func (c *Counts) Awaited() map[*ir.Value]bool {
	reaches, awaited := c.v.reachesReturn(), c.v.awaited()
	for w := range awaited {
		if !reaches[w] {
			delete(awaited, w)
		}
	}
	return awaited
}

// Done is the done token of a load or store.
func (c *Counts) Done(access *ir.Operation) *ir.Value { return c.v.done(access) }
