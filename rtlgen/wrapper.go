package rtlgen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"loom/compiler/circuit"
	"loom/compiler/diag"
)

// The wrapper of a direct circuit: a module around the core that gives its arrays and its runs
// other ports than the core has.
//
// A new style of ports is a file ports_<style>.go here, which adds a portStyle, and the templates
//   "adapter <style>"      what stands in the wrapper between the core and the ports (SystemVerilog),
//   "bench ports <style>"  further ports of the test bench, for protocol checkers,
//   "bench <style>"        these checkers,
//   "devices <style>"      what the co-simulation puts at the ports: a Device of verilator/harness for
//                          each array or bus (C++).
// They get the PortGroup of the style. A new control is the same with a control, "adapter" and
// "devices" for its name. PortStyles, Controls and docs/direct.md name both; package verilator
// (deviceHeaders) the header of the harness.

// portStyle makes ports for arrays.
type portStyle struct {
	// group adds the ports of the arrays, and what else the wrapper needs for them, and returns
	// what the templates of the style read beside that.
	group func(w *wrapperBuilder, arrays []*circuit.Array) (any, error)
	// sign completes the signature of the arrays, in their order.
	sign func(g *PortGroup, s *DirectSignature, arrays []*DirectArray)
}

var portStyles = map[string]portStyle{}

// control makes the ports of runs.
type control struct {
	// group is as for a style; it is called last, when it is known which errors and bases the
	// styles have.
	group func(w *wrapperBuilder) (any, error)
	sign  func(g *PortGroup, s *DirectSignature)
}

var controls = map[string]control{}

// Wrapper is the module around the core of a direct circuit, as the templates and the
// co-simulation read it.
type Wrapper struct {
	Meta Meta
	// Name is the module, Core that of the core, instance CoreInstance.
	Name, Core string
	Circuit    *circuit.Circuit
	// Ports are those of the module behind clk and rst.
	Ports []WrapperPort
	// Wires are the ports of the core that are signals inside the wrapper, and channels between
	// what stands there.
	Wires []WrapperPort
	// behind are the signals at ports of the core whose own names have what comes behind an adapter.
	behind map[string]string
	// CorePorts are those of the core behind clk and rst.
	CorePorts []WrapperPort
	// Groups are the styles in use with their arrays, Control how a run is started.
	Groups  []*PortGroup
	Control *PortGroup
	// Reset is its reset.
	Reset Reset
	// Errors are signals that are high in a cycle with an error of a bus; Busy are high
	// while an access is on its way.
	Errors, Busy []string
	// Outside are signals that are high in a cycle in which an access outside of its array completes.
	Outside []string
	// Outstanding, Burst, Width and Bounds are as in Ports, with the defaults of the first two filled in.
	Outstanding, Burst, Width int
	Bounds                    bool
	// caches are the elements of read caches, of arrays that have one.
	caches map[*circuit.Array]int
	// Bases are the base addresses, in the order of the arrays that have one.
	Bases []WrapperBase
}

// CacheOf is how many elements the read cache of an array has, 0 for none.
func (w *Wrapper) CacheOf(array string) int {
	for a, n := range w.caches {
		if a.Name == array {
			return n
		}
	}
	return 0
}

// Size is the signal of the size of its array.
func (b WrapperBase) Size() string { return b.Array.Name + "_size" }

// Sized are the base addresses whose arrays have sizes, a digit for each: all, or none.
func (w *Wrapper) Sized() string {
	return strings.Repeat(map[bool]string{false: "0", true: "1"}[w.Bounds], len(w.Bases))
}

// WrapperPort is a port or a wire of a wrapper.
type WrapperPort struct {
	Name   string
	Output bool
	Width  int
	// Comment stands above it where it begins something, "" for none.
	Comment string
}

// WrapperBase is the byte address of an array's first element: signal Name, 64 bits. Bus is the
// prefix of the bus that reaches it.
type WrapperBase struct {
	Name  string
	Array *circuit.Array
	Bus   string
}

// PortGroup is the arrays that have ports of one style, or the control.
type PortGroup struct {
	Style   string
	Wrapper *Wrapper
	Arrays  []*circuit.Array
	// View is what the templates of the style read beside that.
	View any
}

// ArrayNames are the names of the arrays.
func (g *PortGroup) ArrayNames() []string {
	var names []string
	for _, a := range g.Arrays {
		names = append(names, a.Name)
	}
	return names
}

// wrapperBuilder collects a wrapper.
type wrapperBuilder struct {
	*Wrapper
	core  map[string]WrapperPort
	outer map[string]bool
	// between are the wires that intercept has made.
	between []WrapperPort
}

// corePorts are the ports of the core behind clk and rst, in the order of the module.
func corePorts(c *circuit.Circuit) []WrapperPort {
	var out []WrapperPort
	channel := func(stem string, output bool, width int, comment string) {
		out = append(out, WrapperPort{stem + "_valid", output, 1, comment}, WrapperPort{stem + "_ready", !output, 1, ""})
		if width > 0 {
			out = append(out, WrapperPort{stem + "_data", output, width, ""})
		}
	}
	for _, p := range c.Inputs {
		channel(p.Name, false, p.Width, p.Name+": "+p.Type.String())
	}
	for _, u := range c.Units {
		if u.Array == nil || !u.Array.External() {
			continue
		}
		a := u.Access
		out = append(out, WrapperPort{a + "_req_valid", true, 1, fmt.Sprintf("%s: %ss of %s", u.Name, u.Kind, u.Array.Name)},
			WrapperPort{a + "_req_ready", false, 1, ""})
		if u.Array.AddrWidth > 0 {
			out = append(out, WrapperPort{a + "_req_addr", true, u.Array.AddrWidth, ""})
		}
		if u.Kind == circuit.Store {
			out = append(out, WrapperPort{a + "_req_data", true, u.Array.Width, ""})
		}
		channel(a+"_rsp", false, map[bool]int{true: u.Array.Width}[u.Kind == circuit.Load], "")
	}
	for _, p := range c.Outputs {
		channel(p.Name, true, p.Width, p.Name+": "+p.Type.String())
	}
	return out
}

// pass makes ports of the core ports of the wrapper as well.
func (w *wrapperBuilder) pass(names ...string) {
	for _, n := range names {
		if p, ok := w.core[n]; ok {
			w.outer[n] = true
			w.Ports = append(w.Ports, p)
		}
	}
}

// channel makes a port of the core with its valid, ready and data a port of the wrapper.
func (w *wrapperBuilder) channel(stem string) { w.pass(stem+"_valid", stem+"_ready", stem+"_data") }

// intercept puts an adapter between a channel without data that leaves the core and what reads it:
// the adapter takes the channel from and gives the channel stem.
func (w *wrapperBuilder) intercept(stem, adapter string) (from, to string) {
	from, to = stem+"_before_"+adapter, stem
	if s, ok := w.behind[stem+"_valid"]; ok {
		to = strings.TrimSuffix(s, "_valid")
	}
	for _, end := range []string{"_valid", "_ready"} {
		w.behind[stem+end] = from + end
		w.between = append(w.between, WrapperPort{Name: from + end, Width: 1})
	}
	return from, to
}

// Signal is what is connected to a port of the core.
func (w *Wrapper) Signal(port string) string {
	if s, ok := w.behind[port]; ok {
		return s
	}
	return port
}

// base adds the base address of an array on a bus.
func (w *wrapperBuilder) base(a *circuit.Array, bus string) string {
	name := a.Name + "_base"
	w.Bases = append(w.Bases, WrapperBase{name, a, bus})
	return name
}

// wrap makes the wrapper of a circuit, nil where the core has the ports that are wanted.
func wrap(c *circuit.Circuit, p Ports, meta Meta) (*Wrapper, error) {
	styles, err := p.styles(c)
	if err != nil {
		return nil, err
	}
	if p.Control == "" {
		p.Control = ControlChannels
	}
	if err := p.sized(); err != nil {
		return nil, err
	}
	plain := p.Control == ControlChannels && !p.Wrap
	for _, s := range styles {
		plain = plain && s == PortsMemory
	}
	if plain {
		return nil, nil
	}
	w := &wrapperBuilder{Wrapper: &Wrapper{Meta: meta, Name: wrapperName(c), Core: c.Name, Circuit: c, CorePorts: corePorts(c), behind: map[string]string{}, Outstanding: cmp.Or(p.Outstanding, MinPlaces), Burst: max(p.Burst, 1), Width: p.Width, Bounds: p.Bounds},
		core: map[string]WrapperPort{}, outer: map[string]bool{}}
	for _, x := range w.CorePorts {
		w.core[x.Name] = x
	}
	for _, a := range c.Arrays {
		if !a.External() {
			continue
		}
		at := slices.IndexFunc(w.Groups, func(g *PortGroup) bool { return g.Style == styles[a] })
		if at < 0 {
			at = len(w.Groups)
			w.Groups = append(w.Groups, &PortGroup{Style: styles[a], Wrapper: w.Wrapper})
		}
		w.Groups[at].Arrays = append(w.Groups[at].Arrays, a)
	}
	for a, s := range styles {
		if a.Stream != (s == PortsStream) && len(accesses(a)) > 0 {
			return nil, &PortsError{"ports", fmt.Sprintf("has %s for '%s', for which the circuit was not built", s, a.Name)}
		}
	}
	if w.caches, err = p.caches(styles); err != nil {
		return nil, err
	}
	for _, g := range w.Groups {
		if g.View, err = portStyles[g.Style].group(w, g.Arrays); err != nil {
			return nil, err
		}
	}
	w.Control = &PortGroup{Style: p.Control, Wrapper: w.Wrapper}
	ofArrays := w.Ports
	w.Ports = nil
	if w.Control.View, err = controls[p.Control].group(w); err != nil {
		return nil, err
	}
	w.Ports = append(w.Ports, ofArrays...)
	seen := map[string]bool{"clk": true, w.Reset.Name: true, "core_rst": true, "bus_rst": true}
	for _, x := range w.CorePorts {
		if !w.outer[x.Name] {
			w.Wires = append(w.Wires, x)
		}
	}
	w.Wires = append(w.Wires, w.between...)
	for _, x := range slices.Concat(w.Ports, w.Wires) {
		if seen[x.Name] {
			return nil, (&diag.Diagnostic{Severity: diag.Error, Message: fmt.Sprintf("%s would have two signals called '%s'", w.Name, x.Name)}).
				WithHelp("rename the argument of the kernel that has this name, or choose other ports for it")
		}
		seen[x.Name] = true
	}
	return w.Wrapper, nil
}

// wrapperName is the name of the wrapper of a circuit.
func wrapperName(c *circuit.Circuit) string { return c.Name + "_top" }

// sign completes the signature of a circuit to that of its wrapper.
func (w *Wrapper) sign(s *DirectSignature) {
	s.Module, s.Core, s.Reset, s.Control = w.Name, w.Core, w.Reset.Name, w.Control.Style
	if !w.Reset.High {
		s.ResetActive = "low"
	}
	byName := map[string]*DirectArray{}
	for i := range s.Arrays {
		byName[s.Arrays[i].Name] = &s.Arrays[i]
	}
	for _, g := range w.Groups {
		var arrays []*DirectArray
		for _, a := range g.Arrays {
			x := byName[a.Name]
			x.Ports = g.Style
			arrays = append(arrays, x)
		}
		portStyles[g.Style].sign(g, s, arrays)
	}
	controls[w.Control.Style].sign(w.Control, s)
}
