package rtlgen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/circuit"
)

// Styles of ports of the arrays of a direct circuit. Those with a file of their own
// (ports_<style>.go) can be generated.
const (
	PortsMemory   = "memory"
	PortsBRAM     = "bram"
	PortsStream   = "stream"
	PortsAuto     = "auto" // a stream where that is proven, else memory; decided before the circuit is built
	PortsAXI4     = "axi4"
	PortsAXI4Each = "axi4-each"
)

// Controls of a direct circuit: how a run begins, gets its arguments and gives its results.
const (
	ControlChannels = "channels"
	ControlAP       = "ap_ctrl_hs"
	ControlAXI4Lite = "axi4lite"
)

// PortStyles and Controls are all names, the defaults first.
var (
	PortStyles = []string{PortsMemory, PortsBRAM, PortsStream, PortsAuto, PortsAXI4, PortsAXI4Each}
	Controls   = []string{ControlChannels, ControlAP, ControlAXI4Lite}
)

// Ports is how a direct circuit is reached from outside. The zero value is the core alone: memory
// ports for every array, and channels.
type Ports struct {
	// Default is the style of the arrays that Arrays does not name, "" for PortsMemory; Latency is
	// as in ArrayPorts.
	Default string
	Latency int
	Arrays  []ArrayPorts
	// Control is one of Controls, "" for ControlChannels.
	Control string
	// Outstanding is how many accesses on their way a load or store on a bus has room for, 0 for
	// MinPlaces. PlacesFor is enough for a memory.
	Outstanding int
	// Burst is how many elements share a transaction on a bus at most, 0 for 1: each its own.
	Burst int
	// Width is the bits of the data of a bus at least, 0 for minAXIDataBits: a power of two. With Burst, elements that fill a
	// word of the bus share a beat.
	Width int
	// Cache is how many elements a read cache of an array on a bus has where ArrayPorts gives it one, 0 for none.
	Cache int
	// Bounds: the arrays on a bus have sizes, in registers beside their addresses; an access outside is an error
	// that no bus sees.
	Bounds bool
	// Wrap makes a wrapper where the core has the ports already, for tests of what wrappers share.
	Wrap bool
}

// ArrayPorts is the style of one array.
type ArrayPorts struct {
	Array, Style string
	// Latency is the number of cycles in which a RAM answers, for PortsBRAM: 1 to MaxLatency.
	Latency int
	// Cached: the loads of an array on a bus go through a read cache. Nothing may store to it, or to an array
	// that overlaps with it.
	Cached bool
}

// MaxLatency is the largest latency of a RAM behind ports.
const MaxLatency = 16

// The options of buses, as a choice of ports has them beside the styles.
const (
	optionOutstanding = "outstanding"
	optionBurst       = "burst"
	optionWidth       = "width"
	optionCache       = "cache"
	optionBounds      = "bounds" // without a number
)

// busOption is an option of buses with a number: OPTION=NUMBER.
type busOption struct {
	takes string // what the number is, for people
	// in is whether a number is one of them, and of where it belongs.
	in func(n int) bool
	of func(p *Ports) *int
}

func powerOfTwo(n, from, to int) bool { return n >= from && n <= to && n&(n-1) == 0 }

var busOptions = map[string]busOption{
	optionOutstanding: {fmt.Sprintf("%d to %d accesses of each load and store on their way", arch.MinOutstanding, arch.MaxOutstanding),
		func(n int) bool { return n >= arch.MinOutstanding && n <= arch.MaxOutstanding }, func(p *Ports) *int { return &p.Outstanding }},
	optionBurst: {fmt.Sprintf("a power of two from 1 to %d elements in a transaction", arch.MaxBurst),
		func(n int) bool { return powerOfTwo(n, 1, arch.MaxBurst) }, func(p *Ports) *int { return &p.Burst }},
	optionWidth: {fmt.Sprintf("a power of two from %d to %d bits of data on a bus", minAXIDataBits, maxAXIDataBits),
		func(n int) bool { return powerOfTwo(n, minAXIDataBits, maxAXIDataBits) }, func(p *Ports) *int { return &p.Width }},
	optionCache: {fmt.Sprintf("a power of two from %d to %d elements in a read cache", arch.MinCache, arch.MaxCache),
		func(n int) bool { return powerOfTwo(n, arch.MinCache, arch.MaxCache) }, func(p *Ports) *int { return &p.Cache }},
}

// option reads an option of buses.
func (p *Ports) option(key, text string) error {
	o := busOptions[key]
	n, err := strconv.Atoi(text)
	if err != nil || !o.in(n) {
		return fmt.Errorf("takes %s=N, %s, found %q", key, o.takes, key+"="+text)
	}
	at := o.of(p)
	if *at != 0 {
		return fmt.Errorf("gives %s twice", key)
	}
	*at = n
	return nil
}

// sized checks that arrays with bounds have registers for their sizes.
func (p Ports) sized() error {
	if p.Bounds && p.Control != ControlAXI4Lite {
		return &PortsError{"ports", "gives bounds, whose sizes are registers, but there are none: --control axi4lite has them beside the base addresses"}
	}
	return nil
}

// OnBus reports whether a style is that of arrays on a bus.
func OnBus(style string) bool { return style == PortsAXI4 || style == PortsAXI4Each }

// onBus reports whether arrays have ports of a bus.
func (p Ports) onBus() bool {
	return OnBus(p.Default) || slices.ContainsFunc(p.Arrays, func(a ArrayPorts) bool { return OnBus(a.Style) })
}

// PortsError is a choice of ports that cannot be had: Option is what chooses it, ports or control.
type PortsError struct{ Option, Text string }

func (e *PortsError) Error() string { return e.Option + " " + e.Text }

// ParsePorts reads a choice of ports as a command line has it: the style of all arrays and those of
// single ones (axi4; a=stream,b=bram; memory,a=stream), options of buses (axi4,outstanding=160,burst=16,width=128,cache=256,bounds),
// and the control. An array may have the name of an option: what it is given is a style, and no number.
// Errors are PortsErrors.
func ParsePorts(ports, control string) (Ports, error) {
	p := Ports{Control: control}
	bad := func(format string, args ...any) (Ports, error) {
		return Ports{}, &PortsError{"ports", fmt.Sprintf(format, args...)}
	}
	for _, part := range strings.Split(ports, ",") {
		part = strings.TrimSpace(part)
		array, style, single := strings.Cut(part, "=")
		if !single {
			array, style = "", part
		}
		latency, known := 0, true
		if base, text, given := strings.Cut(style, ":"); base == PortsBRAM {
			style, latency = base, 1
			if given {
				var err error
				latency, err = strconv.Atoi(text)
				known = err == nil && latency >= 1 && latency <= MaxLatency
			}
		}
		_, option := busOptions[array]
		switch _, ready := portStyles[style]; {
		case option && !slices.Contains(PortStyles, style):
			if err := p.option(array, style); err != nil {
				return bad("%s", err)
			}
		case part == optionBounds && p.Bounds:
			return bad("gives bounds twice")
		case part == optionBounds:
			p.Bounds = true
		case !known:
			return bad("takes bram:CYCLES with a latency of 1 to %d cycles, found %q", MaxLatency, part)
		case part == "" && ports == "":
			continue
		case single && array == "":
			return bad("takes ARRAY=STYLE, found %q", part)
		case single && style != "" && strings.Trim(style, "0123456789") == "":
			return bad("takes ARRAY=STYLE, outstanding=N, burst=N, width=N, cache=N and bounds, found %q", part)
		case !slices.Contains(PortStyles, style):
			return bad("takes %s, found %q", strings.Join(PortStyles, ", "), style)
		case !ready && style != PortsAuto:
			return bad("takes %s so far: %s ports for direct circuits are missing", strings.Join(there(PortStyles, portStyles), ", "), style)
		case single && slices.ContainsFunc(p.Arrays, func(a ArrayPorts) bool { return a.Array == array }):
			return bad("names the array '%s' twice", array)
		case single:
			p.Arrays = append(p.Arrays, ArrayPorts{Array: array, Style: style, Latency: latency})
		case p.Default != "":
			return bad("takes one style for all arrays, found %s and %s; write ARRAY=STYLE for a single one", p.Default, style)
		default:
			p.Default, p.Latency = style, latency
		}
	}
	if (p.Outstanding != 0 || p.Burst != 0 || p.Width != 0 || p.Cache != 0 || p.Bounds) && !p.onBus() {
		return bad("gives outstanding, burst, width, cache or bounds, but no array axi4 or axi4-each, whose options they are: axi4,burst=16")
	}
	if err := p.sized(); err != nil {
		return Ports{}, err
	}
	switch _, ready := controls[p.Control]; {
	case p.Control == "" || ready:
	case slices.Contains(Controls, p.Control):
		return Ports{}, &PortsError{"control", fmt.Sprintf("takes %s so far: %s for direct circuits is missing", strings.Join(there(Controls, controls), ", "), p.Control)}
	default:
		return Ports{}, &PortsError{"control", fmt.Sprintf("takes %s, found %q", strings.Join(Controls, ", "), p.Control)}
	}
	return p, nil
}

// Of is the style of an array.
func (p Ports) Of(array string) ArrayPorts {
	for _, a := range p.Arrays {
		if a.Array == array {
			return a
		}
	}
	if p.Default == "" {
		return ArrayPorts{Array: array, Style: PortsMemory}
	}
	return ArrayPorts{Array: array, Style: p.Default, Latency: p.Latency}
}

// With is p with the style of an array.
func (p Ports) With(a ArrayPorts) Ports {
	p.Arrays = append(slices.DeleteFunc(slices.Clone(p.Arrays), func(x ArrayPorts) bool { return x.Array == a.Array }), a)
	return p
}

// there are the names that have an implementation, in their order.
func there[T any](names []string, have map[string]T) []string {
	var out []string
	for _, n := range names {
		if _, ok := have[n]; ok {
			out = append(out, n)
		}
	}
	return out
}

// styles gives every external array its style. The error names what arrays there are.
func (p Ports) styles(c *circuit.Circuit) (map[*circuit.Array]string, error) {
	out := map[*circuit.Array]string{}
	var names []string
	for _, a := range c.Arrays {
		if a.External() {
			names = append(names, "'"+a.Name+"'")
			if out[a] = p.Default; p.Default == "" {
				out[a] = PortsMemory
			}
		}
	}
	for _, x := range p.Arrays {
		at := slices.IndexFunc(c.Arrays, func(a *circuit.Array) bool { return a.Name == x.Array })
		switch {
		case at >= 0 && c.Arrays[at].External():
			out[c.Arrays[at]] = x.Style
		case at >= 0:
			return nil, &PortsError{"ports", fmt.Sprintf("names '%s', which is local to the kernel '%s': it is a memory inside", x.Array, c.Name)}
		case len(names) == 0:
			return nil, &PortsError{"ports", fmt.Sprintf("names the array '%s', but the kernel '%s' has no array outside", x.Array, c.Name)}
		default:
			return nil, &PortsError{"ports", fmt.Sprintf("names the array '%s', which the kernel '%s' does not have; its %s %s", x.Array, c.Name,
				map[bool]string{true: "only array is", false: "arrays are"}[len(names) == 1], strings.Join(names, ", "))}
		}
	}
	return out, nil
}

// caches are the elements of the read caches of arrays that have one.
func (p Ports) caches(styles map[*circuit.Array]string) (map[*circuit.Array]int, error) {
	out := map[*circuit.Array]int{}
	for a, s := range styles {
		switch {
		case !p.Of(a.Name).Cached:
		case !OnBus(s):
			return nil, &PortsError{"ports", fmt.Sprintf("has a cache for '%s', which is not on a bus", a.Name)}
		case len(a.Stores) > 0:
			return nil, &PortsError{"ports", fmt.Sprintf("has a cache for '%s', to which the circuit stores", a.Name)}
		default:
			out[a] = p.Cache
		}
	}
	return out, nil
}
