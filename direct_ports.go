package loom

import (
	"fmt"
	"maps"
	"slices"

	"loom/compiler/analysis/sequence"
	"loom/compiler/circuit"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/opname"
	"loom/rtlgen"
)

// ArrayPorts is the style of the ports of an array of a direct circuit.
type ArrayPorts struct {
	rtlgen.ArrayPorts
	// Arg is the position of the array among the arguments.
	Arg int
	// Reason says why an array for which DirectOptions.Ports has auto has them, or how long a stream
	// is.
	Reason string
	// Uncached says why an array on a bus has no read cache though DirectOptions.Ports gives one.
	Uncached string
}

// choosePorts decides on the ports of every array: auto is a stream where the elements are known to be
// touched in order, else memory; and on read caches. The error points at the access that keeps an array from being the
// stream that it is asked to be.
func choosePorts(k *Kernel, ports rtlgen.Ports) ([]ArrayPorts, error) {
	var out []ArrayPorts
	names := circuit.ArrayNames(k.Graph)
	var errs diag.List
	for _, arg := range slices.Sorted(maps.Keys(names)) {
		p := ArrayPorts{ArrayPorts: ports.Of(names[arg]), Arg: arg}
		v := sequence.Verdict{Why: "is in a graph, which does not say in which order its elements are touched"}
		if k.Sequences != nil {
			v = k.Sequences[arg]
		}
		switch {
		case p.Style != rtlgen.PortsAuto && p.Style != rtlgen.PortsStream:
		case v.InOrder:
			p.Style, p.Reason = rtlgen.PortsStream, "its elements are touched in order, each once: "+streamLength(v)
		case p.Style == rtlgen.PortsAuto:
			p.Style, p.Reason = rtlgen.PortsMemory, "no stream: "+because(v)
		case v.Access == nil && k.Sequences != nil:
			p.Style, p.Reason = rtlgen.PortsMemory, "it is never accessed, so it has no port"
		case v.Access == nil:
			errs.Errorf(k.Graph.Regions[0].Entry().Args[arg].Pos(), "array '%s' cannot be a stream: it %s", p.Array, v.Why).
				WithHelp("build the circuit from the kernel, not from its graph")
		default:
			errs.Errorf(v.Access.Pos, "array '%s' cannot be a stream: %s", p.Array, because(v)).
				WithHelp("a stream needs one load or one store that touches elements 0, 1, 2, … of the array, each once; other ports do for this one: --ports %s=memory", p.Array)
		}
		out = append(out, p)
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return out, chooseCaches(k, ports, out)
}

// because is what stands against a stream, as a clause.
func because(v sequence.Verdict) string {
	switch {
	case v.Access == nil:
		return "it " + v.Why
	case v.Access.Name == opname.MemRefLoad:
		return "the load " + v.Why
	case v.Access.Name == opname.MemRefStore:
		return "the store " + v.Why
	}
	return fmt.Sprintf("'%s' %s", v.Access.Name, v.Why)
}

func streamLength(v sequence.Verdict) string {
	if v.Elements >= 0 {
		return diag.Plural(int(v.Elements), "element")
	}
	return "as many as the run makes of its arguments and data"
}

// servers are the buses and caches of arrays. How many loads of a cache go on to the bus is not known, so they are not
// counted there. A burst has its turn to its end.
func (d *Direct) servers(ports rtlgen.Ports, indexWidth int) []circuit.Server {
	var out []circuit.Server
	turn := 0
	if ports.Burst > 1 {
		turn = ports.Burst
	}
	both := func(perCycle map[int]int) {
		least := turn // of the elements of which a word has the most
		for _, n := range perCycle {
			least = min(least, turn/n)
		}
		out = append(out, circuit.Server{PerCycle: perCycle, Turn: least}, circuit.Server{PerCycle: perCycle, Stores: true, Turn: least})
	}
	shared := map[int]int{} // the arrays of one bus
	for _, p := range d.Ports {
		t, ok := d.Graph.Regions[0].Entry().Args[p.Arg].Type.(*ir.MemRefType)
		switch {
		case !ok || !rtlgen.OnBus(p.Style):
		case p.Cached:
			out = append(out, circuit.Server{PerCycle: map[int]int{p.Arg: 1}})
		case p.Style == rtlgen.PortsAXI4Each:
			both(map[int]int{p.Arg: ports.PerCycle(t.Elem, indexWidth)})
		default:
			shared[p.Arg] = ports.PerCycle(t.Elem, indexWidth)
		}
	}
	if len(shared) > 0 {
		both(shared)
	}
	return out
}

// inCache is how many cycles a load of an array takes longer for its cache, whose misses come with hits between them, until a burst of
// these is there.
func inCache(p ArrayPorts, burst int) int {
	switch {
	case !p.Cached:
		return 0
	case burst < 2:
		return latency.CacheMiss
	}
	return latency.CacheMiss + 2*burst
}

// least are the options with what accesses take that wait for nothing but the memory. The intervals of loops are at least those
// of accesses that wait for each other; how long others take, buffers hide.
func (d *Direct) least(o circuit.Options, ports rtlgen.Ports) circuit.Options {
	o.Wait = maps.Clone(o.Wait)
	for _, p := range d.Ports {
		if rtlgen.OnBus(p.Style) {
			o.Wait[p.Arg] = circuit.Wait{Load: rtlgen.LeastPortCycles(ports.Burst, false) + inCache(p, 1), Store: rtlgen.LeastPortCycles(ports.Burst, true)}
		}
	}
	o.Servers = slices.Clone(o.Servers)
	for i := range o.Servers {
		o.Servers[i].Turn = 0
	}
	return o
}
