package cycle

import (
	"fmt"
	"slices"

	"loom/compiler/arch"
	"loom/compiler/latency"
)

// fabricShare is an iterative unit that several PEs of a fabric use in turn.
type fabricShare struct {
	*sharedUnit
	pes []*arch.Component
}

// sharedUnit is the iterative hardware of a key that a PE has together with others. It takes its turn among all of
// them, in use or not.
func (b *builder) sharedUnit(c *arch.Component, key string) *fabricShare {
	at := c.SharedUnits + " " + key
	if s := b.shared[at]; s != nil {
		return s
	}
	s := &fabricShare{sharedUnit: &sharedUnit{alone: true, latency: 1}} // of the register in front of it
	for _, x := range b.f.Comps {
		if x.SharedUnits == c.SharedUnits {
			s.pes = append(s.pes, x)
		}
	}
	s.clients = make([]sharedClient, len(s.pes))
	s.comp, s.what = s.pes[0], fmt.Sprintf("the %s of group '%s'", key, c.SharedUnits)
	s.regFwd, s.regBwd = true, true
	if b.shared == nil {
		b.shared = map[string]*fabricShare{}
	}
	b.shared[at] = s
	b.add(s.sharedUnit)
	return s
}

// use makes a PE a client, with the operands and the result of a node.
func (s *fabricShare) use(c *arch.Component, n node, client sharedClient) {
	client.in, client.out = n.in, n.out[0]
	client.credits, client.results = latency.SharedCredits, newQueue(latency.SharedCredits)
	s.clients[slices.Index(s.pes, c)] = client
	s.in, s.out = append(s.in, n.in...), append(s.out, n.out...)
}
