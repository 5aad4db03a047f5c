// Package config computes the layout of a fabric's configuration image, encodes
// settings into it and decodes them again. There is one layout, used by the
// encoder, the decoder, the simulators and the RTL generator.
//
// Source: design page "Configuration image".
package config

import "loom/compiler/arch"

// WordBits is the width of a configuration word.
const WordBits = 32

// Field is one named run of bits in a slice.
type Field struct {
	// Name is e.g. "out[2].sel", "opcode", "in[1].sel", "fu.addi.value"; unique
	// within the slice.
	Name  string
	Bit   int // position of the lowest bit, from the start of the slice
	Width int // 1…64
	// FU is the opcode of the function unit whose body the field belongs to, -1
	// for fields of the component itself. The fields of different units of one
	// PE share bits: only those of the selected unit mean anything.
	FU int
}

// Bits is a run of bits in a slice. Width 0 means that there is nothing to
// choose and no bit is spent.
type Bits struct{ Bit, Width int }

// Slice is the part of the image that configures one component. It starts on a
// word; fields are packed from the low end and may cross words. Fields lists the
// bits by name; exactly one of the others gives the same bits by structure.
type Slice struct {
	Comp       *arch.Component
	WordOffset int // of the image
	WordCount  int
	Bits       int // used bits
	Fields     []Field

	Switch  *SwitchBits  // spatial_sw
	PE      *PEBits      // spatial_pe
	TPE     *TPEBits     // temporal_pe
	FIFO    *Bits        // bypassable fifo: bypassed
	Regions []RegionBits // memory, extmemory
	Slots   []SlotBits   // temporal_sw
	Tag     *Bits        // add_tag, load_lane, store_lane
	Entries []EntryBits  // map_tag
}

// SlotBits are the bit positions of one slot of a temporal switch: Route[o][i] is
// the bit that sends tokens of input i with the slot's tag to output o, -1 where
// they are not connected.
type SlotBits struct {
	Valid int
	Tag   Bits
	Route [][]int
}

// EntryBits are the bit positions of one entry of a map_tag.
type EntryBits struct {
	Valid int
	Src   Bits
	Dst   Bits
}

// SwitchBits are the bit positions of a spatial switch: those of every output, and
// Expects[i], the bit of input i that says that tokens come there, to be routed or dropped.
type SwitchBits struct {
	Out     []RouteBits
	Expects []int
}

// RouteBits are the bits of an output of a spatial switch: Enable lets it take the input
// Inputs[v], v being the value of Sel. Inputs are those that are connected to the output, in
// their order; an output without any has no bits.
type RouteBits struct {
	Enable int
	Sel    Bits
	Inputs []int
}

// SelectorBits are the bits of a PE's input or output selector.
type SelectorBits struct {
	Sel                 Bits
	Discard, Disconnect int
	// Immediate is the bit that gives an operand its data from the image, Word the data.
	// Their widths are 0 where there are none.
	Immediate, Word Bits
}

// PEBits are the bit positions of a spatial PE. FUSpace is what all its function
// units share; FU[k][n] is field n of unit k inside it.
type PEBits struct {
	Enable  int
	Opcode  Bits
	In, Out []SelectorBits
	FUSpace Bits
	FU      [][]Bits
}

// TPEBits are the bit positions of a temporal PE.
type TPEBits struct {
	Instructions []InstructionBits
	Outputs      []OutputBits
	Constants    []Bits
}

// InstructionBits are those of one instruction. Predicate is empty in a PE without comparisons, Constant in one with at
// most one constant.
type InstructionBits struct {
	Valid     int
	Opcode    Bits
	Predicate Bits
	Operands  [arch.InstructionOperands]OperandBits
	Constant  Bits
}

// OperandBits are those of an operand of an instruction: Immediate is -1 for the condition, and in a PE without constants.
type OperandBits struct {
	Source          Bits
	Held, Immediate int
}

// OutputBits are those of an output of a temporal PE.
type OutputBits struct {
	Enable int
	Source Bits
}

// RegionBits are the bit positions of one entry of a memory's address table.
type RegionBits struct {
	Valid            int
	StartTag, EndTag Bits // width 0 on untagged memories
	Offset           Bits
	Cached           int // -1 in a memory without a read cache
}

// Layout is the order and shape of all slices of a fabric.
type Layout struct {
	Fabric    *arch.Fabric
	Slices    []Slice
	WordCount int
	// Hash identifies fabric and layout; hardware holds it in a read-only
	// register so that a wrong image is refused.
	Hash uint64
	// SliceOf maps a component ID to its index in Slices, -1 where the component
	// has nothing to configure.
	SliceOf []int
}

// Selector chooses one of several ports of a PE: Sel counts ports from 0.
// Discard takes tokens and drops them; Disconnect leaves the port alone. On an
// input selector Discard drops what arrives at the selected PE input.
//
// On an input selector with Immediate the data is Value, zeros where the operand has no word;
// without it Value is 0, as the hardware relies on.
// Every token of the selected port then makes one operand, whatever data it has; with
// Disconnect as well the operand is held: always there, without a token.
type Selector struct {
	Sel                 int
	Discard, Disconnect bool
	Immediate           bool
	Value               uint64
}

// Held reports whether the operand is always there.
func (s Selector) Held() bool { return s.Immediate && s.Disconnect }

// SwitchSetting configures a spatial switch: Route[o] is the input that output o
// takes or -1, where the output is closed; Discard[i] drops the tokens of input i, which no output takes.
type SwitchSetting struct {
	Route   []int
	Discard []bool
}

// PESetting configures a spatial PE. In and Out have the PE's maximum numbers of
// function-unit inputs and outputs; Fields are those of the unit at Opcode.
type PESetting struct {
	Enable bool
	Opcode int
	In     []Selector
	Out    []Selector
	Fields []uint64
}

// TPESetting configures a temporal PE. Outputs[o] is the source of output o, -1 where it has none.
type TPESetting struct {
	Instructions []Instruction
	Outputs      []int
	Constants    []uint64
}

// Instruction is one instruction of a temporal PE; one that is not valid is zero.
type Instruction struct {
	Valid     bool
	Opcode    int
	Predicate uint64
	Operands  [arch.InstructionOperands]Operand
	// Constant is the number of the word that immediate operands have as data.
	Constant int
}

// Operand is an operand of an instruction. Unless it is held its tokens come from Source, by the number of
// arch.TemporalPESpec.Sources. A held one is always there; so are those that the unit does not have. With Immediate its data is
// the constant of the instruction; held without, zeros.
type Operand struct {
	Source          int
	Held, Immediate bool
}

// Region is one entry of a memory's address table. Tags are unused (zero) on
// untagged memories.
type Region struct {
	Valid            bool
	StartTag, EndTag uint64
	Offset           uint64 // bytes
	Cached           bool   // whether its loads are cached and its stores drop what is, in a memory with a read cache
}

// Slot is one slot of a temporal switch. Routes are {output, input} pairs by
// output, then input: a token of that input with the slot's tag goes to that
// output.
type Slot struct {
	Valid  bool
	Tag    uint64
	Routes [][2]int
}

// TagEntry is one entry of a map_tag: tokens with tag Src get the tag Dst.
type TagEntry struct {
	Valid    bool
	Src, Dst uint64
}

// Setting is the configuration of one component; exactly what fits its kind is
// set, nothing for components without configuration.
type Setting struct {
	Switch   *SwitchSetting
	PE       *PESetting
	TPE      *TPESetting
	Bypassed bool // FIFO
	Regions  []Region
	Slots    []Slot     // temporal switch
	Tag      uint64     // add_tag and lanes
	Entries  []TagEntry // map_tag
}

// Image is a complete configuration: Settings[i] belongs to Fabric.Comps[i].
type Image struct {
	Layout   *Layout
	Settings []Setting
}

// DisabledPE is the setting of an unused PE: enable 0, everything disconnected.
func DisabledPE(pe *arch.PESpec) *PESetting {
	s := &PESetting{}
	for range pe.MaxInputs() {
		s.In = append(s.In, Selector{Disconnect: true})
	}
	for range pe.MaxOutputs() {
		s.Out = append(s.Out, Selector{Disconnect: true})
	}
	if len(pe.FUs) > 0 {
		s.Fields = make([]uint64, len(pe.FUs[0].Fields(64)))
	}
	return s
}
