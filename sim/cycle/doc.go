// Package cycle simulates a mapped fabric cycle by cycle. It predicts valid,
// ready and data of every channel in every cycle of a run, and co-simulation
// holds the generated hardware to it.
//
// The model is rtl/README.md, primitive by primitive: one Go type per library
// module, named after it. The environment of a run (boundary tokens, stalls,
// memory latency, memory map) is sim/README.md. A design is evaluated in two
// sweeps per cycle: valid and data forward, then ready backward, both in an order
// fixed when the simulator is built, then all state changes at once. Only units
// next to a change are evaluated, so a cycle costs what happens in it and not
// what the fabric has.
//
// Only what the configuration puts to work is modelled: inactive function units
// hold no tokens, and switches, selectors and bypassed FIFOs that merely pass a
// channel on become part of the wire.
package cycle
