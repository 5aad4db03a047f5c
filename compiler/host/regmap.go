// Package host writes what runs on the processor beside the accelerator: the
// driver loom_accel.{h,c}, the kernel's host function, and the documentation of
// the register map, all from the one table in this file. The hardware side of
// the table is rtl/loom_axil_host.sv; a test holds the two together.
//
// Source: design pages "RTL" (top level) and "Configuration image" (files).
package host

import (
	"fmt"
	"strings"
)

// Reg is one register, or the first of several, of the AXI4-Lite slave.
type Reg struct {
	Name   string // as in LOOM_REG_<Name> and REG_<Name>
	Offset int    // bytes
	Access string // "R", "W", "RW", or "RW1C" where writing a 1 clears the bit
	Doc    string
	// Fields are the parts of the word that mean something by themselves, from the low
	// end; without any the whole word is one value.
	Fields []Field
	// Words are the registers in a row, 0 for one; of a register PerChannel there are
	// two words (low half first) for each channel, base address or size that the fabric has.
	Words      int
	PerChannel Channel
	// Idle: it can be written only while no run is busy.
	Idle bool
}

// Field is a part of a register.
type Field struct {
	Name       string
	Bit, Width int
	Doc        string
}

// Channel says what a register exists for once each.
type Channel int

// The kinds of registers in a row.
const (
	Single Channel = iota
	PerInput
	PerOutput
	PerBase
	PerSize
)

// Registers is the register map in address order.
var Registers = []Reg{
	{Name: "MAGIC", Offset: 0x000, Access: "R", Doc: "0x4D4F4F4C, the letters LOOM, lowest byte first"},
	{Name: "VERSION", Offset: 0x004, Access: "R", Doc: "register map version"},
	{Name: "HASH_LO", Offset: 0x008, Access: "R", Doc: "layout hash, low word: identity of fabric and configuration layout"},
	{Name: "HASH_HI", Offset: 0x00C, Access: "R", Doc: "layout hash, high word"},
	{Name: "CONTROL", Offset: 0x010, Access: "W", Doc: "commands", Fields: []Field{
		{"RESET", 0, 1, "reset the fabric, its error and its configuration; a start written with it is ignored"},
		{"START", 1, 1, "start a run; only when configured, not busy and without an error"}}},
	{Name: "STATUS", Offset: 0x014, Access: "R", Doc: "state of fabric and run", Fields: []Field{
		{"CONFIGURED", 0, 1, "a complete image is loaded"},
		{"BUSY", 1, 1, "a run has been started, has not completed and has met no error"},
		{"DONE", 2, 1, "the last run has completed without an error"},
		{"ERROR", 3, 1, "the fabric has raised an error since its last reset"},
		{"IDLE", 4, 1, "no token in the fabric, no access on its buses"}}},
	{Name: "ERROR", Offset: 0x018, Access: "R", Doc: "code of the first error since reset, 0 for none", Fields: []Field{
		{"CODE", 0, 16, "as in docs/errors.md"}}},
	{Name: "CFG_DATA", Offset: 0x01C, Access: "W", Idle: true, Doc: "next word of the configuration image, whole words only"},
	{Name: "CFG_LAST", Offset: 0x020, Access: "W", Idle: true, Doc: "last word of the configuration image, whole words only"},
	{Name: "CYCLES_LO", Offset: 0x024, Access: "R", Doc: "clock cycles in which the run was busy, so far or in all; low word"},
	{Name: "CYCLES_HI", Offset: 0x028, Access: "R", Doc: "the high word as it was when the low word was read"},
	{Name: "PORTS", Offset: 0x02C, Access: "R", Doc: "size of the fabric's boundary", Fields: []Field{
		{"INPUTS", 0, 16, "boundary inputs"},
		{"OUTPUTS", 16, 16, "boundary outputs"}}},
	{Name: "IRQ_ENABLE", Offset: 0x030, Access: "RW", Doc: "events that raise the interrupt", Fields: irqFields},
	{Name: "IRQ_STATUS", Offset: 0x034, Access: "RW1C", Doc: "events that have happened", Fields: irqFields},
	{Name: "BASE_COUNT", Offset: 0x038, Access: "R", Doc: "number of base addresses"},
	{Name: "ARG_ENABLE", Offset: 0x040, Access: "RW", Words: 4, Idle: true, Doc: "4 words: boundary inputs that get a token at start"},
	{Name: "RESULT_ENABLE", Offset: 0x050, Access: "RW", Words: 4, Idle: true, Doc: "4 words: boundary outputs that must deliver a token before done"},
	{Name: "RESULT_VALID", Offset: 0x060, Access: "R", Words: 4, Doc: "4 words: boundary outputs that have delivered"},
	{Name: "MEM_COUNT", Offset: 0x070, Access: "R", Doc: "number of on-chip memories that the host may read and write"},
	{Name: "MEM_SELECT", Offset: 0x074, Access: "RW", Doc: "number of the memory that the next registers are about, from 0"},
	{Name: "MEM_ELEMENTS", Offset: 0x078, Access: "R", Doc: "elements of the selected memory, 0 when there is none with this number"},
	{Name: "MEM_ADDR", Offset: 0x07C, Access: "RW", Doc: "number of the next element"},
	{Name: "MEM_DATA_LO", Offset: 0x080, Access: "RW", Doc: "low word of an element, whole words only: the access writes or reads the element MEM_ADDR and adds 1 to it"},
	{Name: "MEM_DATA_HI", Offset: 0x084, Access: "RW", Doc: "high word: write it before MEM_DATA_LO, read it after"},
	{Name: "SIZE", Offset: 0x200, Access: "W", PerChannel: PerSize, Idle: true, Doc: "size in bytes of the array at base address k at 0x200 + 8 k, low word first; with bit 63 set, as after aresetn, there is no limit; exists for regions of external memories with bounds"},
	{Name: "ARG", Offset: 0x400, Access: "W", PerChannel: PerInput, Idle: true, Doc: "argument of boundary input k at 0x400 + 8 k, low word first"},
	{Name: "RESULT", Offset: 0x800, Access: "R", PerChannel: PerOutput, Doc: "result of boundary output k at 0x800 + 8 k, low word first"},
	{Name: "BASE", Offset: 0xC00, Access: "W", PerChannel: PerBase, Idle: true, Doc: "base address k in bytes at 0xC00 + 8 k, low word first: added to every address of a region of an external memory"},
}

var irqFields = []Field{
	{"DONE", 0, 1, "a run has completed without an error"},
	{"ERROR", 1, 1, "the fabric has raised its first error since reset"},
}

// Version is the register map version that hardware and driver must share.
const Version = 3

// MaxPorts is how many boundary channels per direction the register map holds.
const MaxPorts = 128

// MaxRegions is how many base addresses the driver stores.
const MaxRegions = 128

// MaxSizes is for how many of them, from the first on, the register map has a size.
const MaxSizes = 64

// Table is the register map as a table in Markdown.
func Table() string {
	var b strings.Builder
	b.WriteString("| offset | name | access | meaning |\n|---|---|---|---|\n")
	for _, r := range Registers {
		access := r.Access
		if r.Idle {
			access += ", not while busy"
		}
		meaning := r.Doc
		for _, f := range r.Fields {
			meaning += fmt.Sprintf("; %s `%s`: %s", f.bits(), f.Name, f.Doc)
		}
		fmt.Fprintf(&b, "| `0x%03X` | `%s` | %s | %s |\n", r.Offset, r.Name, access, meaning)
	}
	return b.String()
}

// bits is the position of a field in words.
func (f Field) bits() string {
	if f.Width == 1 {
		return fmt.Sprintf("bit %d", f.Bit)
	}
	return fmt.Sprintf("bits %d:%d", f.Bit+f.Width-1, f.Bit)
}
