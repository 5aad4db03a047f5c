// Package templates holds the text templates of everything LOOM generates whose
// text depends on the design: SystemVerilog by package rtlgen, the C++ harness by
// package verilator. A template reads like the text it produces and decides
// nothing; the view models come from those packages.
package templates

import "embed"

// FS holds the templates.
//
//go:embed *.tmpl
var FS embed.FS
