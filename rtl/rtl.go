// Package rtl holds the hand-written SystemVerilog library every generated
// design is made of. The modules' behaviour per cycle is specified in
// rtl/README.md; Modules lists their parameters and ports for the templates.
package rtl

import "embed"

// FS holds the library, one file per module. loom_pkg.sv must come first in a
// list of source files.
//
//go:embed *.sv
var FS embed.FS

// AXIChecker is the source of f_axi4, the passive AXI4 checker for simulations.
//
//go:embed formal/f_axi4.sv
var AXIChecker string
