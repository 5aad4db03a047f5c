package arch

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// SpatialPE runs at most one of its function units, the same for a whole run.
const SpatialPE Kind = "spatial_pe"

// PESpec is what a spatial PE contains; opcodes number the units in order.
type PESpec struct {
	FUs []*FunctionUnit
	// Immediates lists, ascending, the operands that have an immediate: a word of the
	// configuration. Where the list is there, even without entries, every operand of the PE
	// can be held; those without a word then read zeros. Nil is a PE that has none of this.
	Immediates []int
	// OperandFIFO is the depth of the queue behind the selector of each operand, 0 for none: the
	// units see a token in the cycle after it has come at the earliest.
	OperandFIFO int
	// ResultFIFO is the depth of the queue behind each result, in front of the outputs, 0 for
	// none: a result leaves in the cycle after it is there at the earliest. Of both queues depth
	// 1 registers the forward path only, 2 and more register both directions.
	ResultFIFO int
	// FixedPorts is set for a PE of one function unit whose operand k has the tokens of input k alone, and
	// whose result k leaves at output k alone: it has no selectors.
	FixedPorts bool
}

// Immediate is the width in bits of the immediate of operand k, that of the widest unit
// input at that position; 0 where there is none, or nothing to read.
func (p *PESpec) Immediate(k int) int {
	w := 0
	if slices.Contains(p.Immediates, k) {
		for _, f := range p.FUs {
			if k < len(f.In) && f.In[k].Type != ir.Type(ir.None) {
				w = max(w, f.In[k].Width)
			}
		}
	}
	return w
}

// Held reports whether operand k can be held: with fixed ports, a control token or one that has a word.
func (p *PESpec) Held(k int) bool {
	if !p.FixedPorts {
		return p.Holds()
	}
	return p.Holds() && (p.Immediate(k) > 0 || p.FUs[0].In[k].Type == ir.Type(ir.None))
}

// GeneralPE reports whether a component is a PE that the operations of a kernel are placed on and fabrics are measured by,
// spatial or temporal: one with fixed ports belongs to what its ports are wired to.
func (c *Component) GeneralPE() bool { return c.TPE != nil || c.PE != nil && !c.PE.FixedPorts }

// accessUnit is the handshake.load or handshake.store of a PE with fixed ports that executes nothing else, each operand of which
// is an input; nil for other PEs.
func (p *PESpec) accessUnit() *FUOp {
	if p == nil || !p.FixedPorts || len(p.FUs[0].Ops) != 1 {
		return nil
	}
	op := p.FUs[0].Ops[0]
	if op.Op.Name != opname.HandshakeLoad && op.Op.Name != opname.HandshakeStore ||
		slices.ContainsFunc(op.Operands, func(v ValueRef) bool { return v.Op >= 0 }) {
		return nil
	}
	return op
}

// Operands of handshake.load and handshake.store: the data of a load comes from memory.
const (
	accessData    = 1
	accessControl = 2
)

// TokenControls reports whether loads and stores take their control from channels of one bit: those of units with fixed
// ports.
func (f *Fabric) TokenControls() bool {
	return slices.ContainsFunc(f.Comps, func(c *Component) bool {
		u := c.PE.accessUnit()
		return u != nil && c.In[u.Operands[accessControl].Arg].Width == 1
	})
}

// Temporal reports whether the fabric has temporal PEs, where operations take turns.
func (f *Fabric) Temporal() bool {
	return slices.ContainsFunc(f.Comps, func(c *Component) bool { return c.TPE != nil })
}

// Holds reports whether operands can be held: always there, without a token.
func (p *PESpec) Holds() bool { return p.Immediates != nil }

// Holds reports whether every PE of the fabric can hold operands: what simplified graphs need.
func (f *Fabric) Holds() bool {
	return !slices.ContainsFunc(f.Comps, func(c *Component) bool { return c.PE != nil && !c.PE.Holds() })
}

// MaxInputs is the largest number of inputs of any function unit.
func (p *PESpec) MaxInputs() int {
	n := 0
	for _, f := range p.FUs {
		n = max(n, len(f.In))
	}
	return n
}

// MaxOutputs is the largest number of outputs of any function unit.
func (p *PESpec) MaxOutputs() int {
	n := 0
	for _, f := range p.FUs {
		n = max(n, len(f.Out))
	}
	return n
}

func init() { register(SpatialPE, spatialPE{}) }

type spatialPE struct{ component }

func (spatialPE) Symbols() []Symbol {
	return []Symbol{
		{Name: "CPL_SPATIAL_PE_EMPTY", Rule: "A PE has at least one function unit."},
		{Name: "CPL_SPATIAL_PE_PORT_TYPE", Rule: "The ports of a spatial PE are untagged channels."},
		{Name: "CPL_SPATIAL_PE_BODY", Rule: "A PE holds function units and instances of them; its body has no arguments and yields nothing."},
		{Name: "CPL_SPATIAL_PE_INPUTS", Rule: "No function unit has more inputs than its PE."},
		{Name: "CPL_SPATIAL_PE_IMMEDIATES", Rule: "Immediates are operands that some function unit of the PE reads as data, ascending."},
		{Name: "CPL_SPATIAL_PE_RESULT_FIFO", Rule: "The depth of the queues behind the results of a PE is at least 0."},
		{Name: "CPL_SPATIAL_PE_FIXED_PORTS", Rule: "A PE with fixed ports has one function unit, with as many inputs and outputs as the PE."},
		{Name: "CPL_SHARED_UNITS_PE", Rule: "loom.shared_units names a group, on instances of spatial PEs."},
		{Name: "CPL_SHARED_UNITS_DEFINITION", Rule: "PEs that share iterative units are instances of one definition, and all instances of a definition share or none."},
		{Name: "CPL_SHARED_UNITS_NONE", Rule: "A PE that shares has an iterative unit on its widest words, and another unit."},
		{Name: "CPL_SHARED_UNITS_COUNT", Rule: "At most 8 PEs share."},
		{Name: "CPL_SPATIAL_PE_OPERAND_FIFO", Rule: "The depth of the queues behind the operand selectors of a PE is at least 0."},
	}
}

func (spatialPE) Errors() []HardwareError {
	return []HardwareError{
		{10, "CFG_PE_STREAM_CONT_COND_ONEHOT", "cont_cond is not one-hot"},
		{11, "CFG_PE_CMPI_PREDICATE_INVALID", "an integer predicate is above 9"},
		{259, "RT_DATAFLOW_STREAM_ZERO_STEP", "a stream is activated with a step that cannot progress: 0, for *= and /= also 1"},
	}
}

func (spatialPE) read(f *flattener, c *Component, def *ir.Operation) (in, out portName) {
	f.untaggedPorts(c, def)
	c.PE = f.pe(def)
	return numbered("in"), numbered("out")
}

func (spatialPE) Configure(c *Component, img ConfigBuilder) { img.FunctionUnits(c) }

// Combinational has no regard for ports: the configuration can connect any input
// of a unit with any port.
func (spatialPE) Combinational(c *Component, in, out int, backward bool) bool {
	if q := max(c.PE.OperandFIFO, c.PE.ResultFIFO); q >= 2 || q == 1 && !backward {
		return false
	}
	for _, fu := range c.PE.FUs {
		if len(fu.In) > 0 && len(fu.Out) > 0 && (backward || !fu.registersForward()) {
			return true
		}
	}
	return false
}

func (spatialPE) Shape(c *Component) string {
	var b strings.Builder
	if c.PE.Holds() {
		fmt.Fprintf(&b, "immediates %v ", c.PE.Immediates)
	}
	if c.PE.FixedPorts {
		b.WriteString("fixed ports ")
	}
	b.WriteString(unitShapes(c.PE.FUs))
	return b.String()
}

// unitShapes spells function units.
func unitShapes(units []*FunctionUnit) string {
	var b strings.Builder
	for _, fu := range units {
		fmt.Fprintf(&b, "unit %q %d %d yield %v", fu.Name, fu.Latency, fu.Interval, fu.Yield)
		for _, op := range fu.Ops {
			fmt.Fprintf(&b, " %s %v %s", op.Op.Name, op.Operands, op.Op.Attrs)
			for _, r := range op.Op.Results() {
				fmt.Fprintf(&b, " %s", r.Type)
			}
		}
	}
	return b.String()
}
