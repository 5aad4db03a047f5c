package arch

import (
	"fmt"
	"maps"
	"slices"

	"loom/compiler/ir"
)

// Kind is the kind of a component: the mnemonic of the operation, as slices, reports
// and pictures name it.
type Kind string

func (k Kind) String() string { return string(k) }

// Op is the name of the operation.
func (k Kind) Op() string { return "fabric." + string(k) }

// ComponentKind is the contract between a kind of component and everything that
// treats components alike: flattening, the search for combinational loops, the
// configuration image, routing, reports and the tables of errors. A kind
// implements it in one file, which registers it; so do the files with its operation
// (compiler/dialect/fabric), its model (sim/cycle) and its hardware (rtlgen).
type ComponentKind interface {
	// Symbols are the rules of the operation, which its verifier checks.
	Symbols() []Symbol
	// Errors are the codes that its hardware can raise, beyond those that another
	// kind lists already.
	Errors() []HardwareError
	// Configure gives the fields of its slice in the configuration image, from the
	// low end on; none for a kind without configuration.
	Configure(c *Component, img ConfigBuilder)
	// Combinational reports whether output out depends on input in within a cycle
	// (forward), or the ready of input in on that of output out (backward). It errs
	// on the side of dependence.
	Combinational(c *Component, in, out int, backward bool) bool
	// Circuit is the connectivity, row per output, of what the configuration can
	// connect for a whole run: what the router chooses from. It is nil where streams
	// end, are inspected, or are routed by their tags.
	Circuit(c *Component) [][]bool
	// Buffer is the number of tokens that a component holds which does nothing but
	// delay its one stream, 0 for all others. Routes pass through buffers, each of
	// which takes one cycle, without a choice.
	Buffer(c *Component) int
	// Storage is where the elements are to which a component with a MemorySpec gives access.
	Storage() Storage
	// Shape spells the parameters that, beside the ports, give the bits of the image
	// their meaning. It goes into the layout's hash.
	Shape(c *Component) string

	// read fills in the parameters from a definition or inline use, reports what is
	// not supported yet, and names the ports.
	read(f *flattener, c *Component, def *ir.Operation) (in, out portName)
}

// Storage is where the elements of arrays are.
type Storage int

// A component is no memory, has the elements itself, or is the interface to an external
// memory, which the host fills.
const (
	NoStorage Storage = iota
	OnChip
	External
)

// ConfigBuilder takes the fields of one component's slice, in the forms that a
// configuration can have; package config implements it.
type ConfigBuilder interface {
	// Circuit is, per output, an enable bit and the choice among the inputs that are connected
	// to it, then a bit per input, which expects tokens.
	Circuit(c *Component)
	// FunctionUnits are enable, opcode, selectors, and the fields of the units.
	FunctionUnits(c *Component)
	// Instructions are those of a temporal PE, the sources of its outputs, and constants.
	Instructions(c *Component)
	// Slots are tags with their routes, Entries tags with their replacements, Regions
	// the address table of a memory.
	Slots(c *Component)
	Entries(c *Component)
	Regions(c *Component)
	// Tag is one tag of some bits, Bypass the bit that bypasses a queue.
	Tag(width int)
	Bypass()
}

// kinds are the component kinds; the file of each registers it.
var kinds = map[Kind]ComponentKind{}

// register adds a kind of component.
func register(k Kind, contract ComponentKind) {
	if kinds[k] != nil {
		panic(fmt.Sprintf("arch: component kind '%s' is registered twice", k))
	}
	kinds[k] = contract
}

// Kinds lists the component kinds by name.
func Kinds() []Kind { return slices.Sorted(maps.Keys(kinds)) }

// Contract returns the implementation of the kind. It panics for an unknown kind.
func (k Kind) Contract() ComponentKind {
	c, ok := kinds[k]
	if !ok {
		panic(fmt.Sprintf("arch: there is no component kind '%s'", string(k)))
	}
	return c
}

// Configure, Circuit, Buffer and Shape call the contract of the component's kind.
func (c *Component) Configure(img ConfigBuilder) { c.Kind.Contract().Configure(c, img) }
func (c *Component) Circuit() [][]bool           { return c.Kind.Contract().Circuit(c) }
func (c *Component) Buffer() int                 { return c.Kind.Contract().Buffer(c) }
func (c *Component) Shape() string               { return c.Kind.Contract().Shape(c) }

// OnChip and External report where a memory has its elements; no other component has any.
func (c *Component) OnChip() bool   { return c.Kind.Contract().Storage() == OnChip }
func (c *Component) External() bool { return c.Kind.Contract().Storage() == External }

// component holds the defaults of most kinds; a kind embeds it and overrides what
// differs.
type component struct{}

func (component) Symbols() []Symbol                             { return nil }
func (component) Errors() []HardwareError                       { return nil }
func (component) Configure(*Component, ConfigBuilder)           {}
func (component) Combinational(*Component, int, int, bool) bool { return false }
func (component) Circuit(*Component) [][]bool                   { return nil }
func (component) Buffer(*Component) int                         { return 0 }
func (component) Storage() Storage                              { return NoStorage }
func (component) Shape(*Component) string                       { return "" }

// portName names a port by its index.
type portName func(i int) string

func numbered(prefix string) portName {
	return func(i int) string { return fmt.Sprintf("%s%d", prefix, i) }
}

func named(names ...string) portName { return func(i int) string { return names[i] } }

// untaggedPorts reports ports with tags at a kind that has none.
func (f *flattener) untaggedPorts(c *Component, def *ir.Operation) bool {
	ft := Signature(def)
	for _, t := range append(append([]ir.Type(nil), ft.Inputs...), ft.Results...) {
		if TagWidth(t) > 0 {
			f.unsupported(c.Pos, fmt.Sprintf("a %s with tagged ports", c.Kind))
			return false
		}
	}
	return true
}

// oneWidth reports ports of different widths at a switch.
func (f *flattener) oneWidth(c *Component, def *ir.Operation) {
	ft := Signature(def)
	for _, t := range append(append([]ir.Type(nil), ft.Inputs...), ft.Results...) {
		if f.port("", t).Bits() != f.port("", ft.Inputs[0]).Bits() {
			f.unsupported(c.Pos, "a switch with ports of different widths")
			return
		}
	}
}
