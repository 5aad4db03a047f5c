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
	Access string // "R", "W" or "RW"
	Doc    string
}

// Registers is the register map in address order.
var Registers = []Reg{
	{"MAGIC", 0x000, "R", "0x4D4F4F4C, the letters LOOM, lowest byte first"},
	{"VERSION", 0x004, "R", "register map version"},
	{"HASH_LO", 0x008, "R", "layout hash, low word: identity of fabric and configuration layout"},
	{"HASH_HI", 0x00C, "R", "layout hash, high word"},
	{"CONTROL", 0x010, "W", "bit 0: reset the fabric and its error; bit 1: start a run"},
	{"STATUS", 0x014, "R", "bit 0: configured; 1: busy; 2: done; 3: error; 4: fabric idle"},
	{"ERROR", 0x018, "R", "error code of the first error since reset, 0 for none"},
	{"CFG_DATA", 0x01C, "W", "next word of the configuration image"},
	{"CFG_LAST", 0x020, "W", "last word of the configuration image"},
	{"CYCLES_LO", 0x024, "R", "clock cycles of the run so far or of the last one, low word"},
	{"CYCLES_HI", 0x028, "R", "the same, high word"},
	{"PORTS", 0x02C, "R", "bits 15:0 boundary inputs, 31:16 boundary outputs"},
	{"ARG_ENABLE", 0x040, "W", "4 words: boundary inputs that get a token at start"},
	{"RESULT_ENABLE", 0x050, "W", "4 words: boundary outputs that must deliver a token before done"},
	{"RESULT_VALID", 0x060, "R", "4 words: boundary outputs that have delivered"},
	{"MEM_COUNT", 0x070, "R", "number of on-chip memories that the host may read and write"},
	{"MEM_SELECT", 0x074, "W", "number of the memory that the next registers are about, from 0"},
	{"MEM_ELEMENTS", 0x078, "R", "elements of the selected memory, 0 when there is none with this number"},
	{"MEM_ADDR", 0x07C, "RW", "number of the next element"},
	{"MEM_DATA_LO", 0x080, "RW", "low word of an element: the access writes or reads the element MEM_ADDR and adds 1 to it"},
	{"MEM_DATA_HI", 0x084, "RW", "high word: write it before MEM_DATA_LO, read it after"},
	{"ARG", 0x400, "W", "argument of boundary input k at 0x400 + 8 k, low word first"},
	{"RESULT", 0x800, "R", "result of boundary output k at 0x800 + 8 k, low word first"},
}

// Version is the register map version that hardware and driver must share.
const Version = 2

// MaxPorts is how many boundary channels per direction the register map holds.
const MaxPorts = 128

// MaxRegions is how many base addresses the driver stores.
const MaxRegions = 128

// memoryText explains the registers of the memory window.
const memoryText = `
## On-chip memories
Memories that are not private (` + "`is_private = false`" + `) are read and written element by element, from before the
configuration on, before a run and after it; their contents outlast a reset. They are numbered in component
order, as in the table ` + "`<prefix>_memories`" + ` of config.h. The fabric's own accesses wait for those of the host, but
nothing orders the two during a run. Elements narrower than a word stand in its low bits. Beyond
` + "`MEM_ELEMENTS`" + ` writes do nothing and reads give 0.

To write: ` + "`MEM_SELECT`, `MEM_ADDR`" + `, then for each element ` + "`MEM_DATA_HI`" + ` (64-bit elements only) and
` + "`MEM_DATA_LO`" + `. To read: the same with ` + "`MEM_DATA_LO`" + ` before ` + "`MEM_DATA_HI`" + `.
`

// Markdown is the register map for the documentation.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Register map of `<adg>_top`\n\n")
	b.WriteString("AXI4-Lite, 32-bit data, 12-bit byte address; whole words only. Generated from\n`compiler/host/regmap.go`; the driver `loom_accel.c` uses exactly these registers.\n\n")
	b.WriteString("| offset | name | access | meaning |\n|---|---|---|---|\n")
	for _, r := range Registers {
		fmt.Fprintf(&b, "| `0x%03X` | `%s` | %s | %s |\n", r.Offset, r.Name, r.Access, r.Doc)
	}
	b.WriteString(memoryText)
	return b.String()
}
