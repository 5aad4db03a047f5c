// Package trace holds what a simulated run did: the events of a cycle
// simulation, the .sim.trace file that lists them and the .sim.stat file that
// sums them up.
//
// Source: design page "Simulation", section "Trace".
package trace

import "loom/compiler/arch"

// Kind is the kind of an event.
type Kind string

// The kinds of events. Within a cycle transfers come first, in channel order, then
// what the components did, in component order, then the rest.
const (
	// Start is the first event: the design begins to run.
	Start Kind = "start"
	// ConfigWrite is a word of the configuration image.
	ConfigWrite Kind = "config"
	// Transfer is a token that crosses a channel.
	Transfer Kind = "transfer"
	// Fire: a component took or gave a token.
	Fire Kind = "fire"
	// StallOut: a component could not move because an offered token was
	// not taken.
	StallOut Kind = "stall_out"
	// StallIn: a component holds a token at an input, offers nothing
	// and waits for more.
	StallIn Kind = "stall_in"
	// Idle: the stall of the component ended in the cycle before, and it does nothing
	// now. Only a trace file has it: see Writer.
	Idle Kind = "idle"
	// Request and Answer are an access to external memory and its response; Data is
	// the address.
	Request Kind = "request"
	Answer  Kind = "answer"
	// Iterate: a dataflow.stream delivered a pair; Data is the index,
	// What "more" or "last".
	Iterate Kind = "iterate"
	// Error is a hardware error; Data is the code.
	Error Kind = "error"
	// Done is the last event of a finished run.
	Done Kind = "done"
	// Cut ends a trace file that left events out: see Writer.Limit.
	Cut Kind = "cut"
)

// Event is one thing that happened in one cycle.
type Event struct {
	Cycle int64
	Kind  Kind
	// Comp is the component, nil for events of the environment.
	Comp *arch.Component
	// Channel is the arch.Channel ID of a transfer, -1 elsewhere.
	Channel int
	// Data is the token of a transfer, the address of an access, the code of an
	// error.
	Data uint64
	// Tag is the tag of a transfer over a tagged channel and of an access to a tagged
	// memory, else 0.
	Tag uint16
	// What adds a word: "load" or "store" for accesses, "more" or "last" for
	// iterations, the symbol of an error.
	What string
}
